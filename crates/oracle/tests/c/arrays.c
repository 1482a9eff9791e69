// Functions that take pointers.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

int64_t length(const char *text) { return text ? (int64_t)strlen(text) : -1; }

int32_t sum(const int32_t *numbers, uint64_t count) {
    int32_t total = 0;
    for (uint64_t i = 0; i < count; i++)
        total += numbers[i];
    return total;
}

void reverse(unsigned char *bytes, uint64_t count) {
    for (uint64_t i = 0; i < count / 2; i++) {
        unsigned char byte = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = byte;
    }
}

// Writes to what it promised only to read.
int32_t breaks_promise(const unsigned char *bytes) {
    ((unsigned char *)bytes)[0] = 99;
    return bytes[0];
}

// Copies to the first what is in the second; the third says how far.
int32_t copy(unsigned char *to, const unsigned char *from, int32_t count) {
    memcpy(to, from, (size_t)count);
    return count;
}

int32_t misaligned(const void *a, const void *b, void *c) {
    return ((uintptr_t)a | (uintptr_t)b | (uintptr_t)c) % 16 != 0;
}

void scatter(unsigned char *bytes, int32_t at) { bytes[at] = 1; }
