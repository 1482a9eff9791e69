/* string.h and strings.h against glibc, on strings over few letters so that
 * equal parts are common. */
#define _GNU_SOURCE
#include "harness.h"
#include <strings.h>

OURS(memchr);
OURS(memcmp);
OURS(memcpy);
OURS(memmove);
OURS(memset);
OURS(memccpy);
OURS(memmem);
OURS(memrchr);
OURS(rawmemchr);
OURS(mempcpy);
OURS(explicit_bzero);
OURS(strcat);
OURS(strchr);
OURS(strchrnul);
OURS(strcmp);
OURS(strcoll);
OURS(strcpy);
OURS(stpcpy);
OURS(stpncpy);
OURS(strcspn);
OURS(strdup);
OURS(strndup);
OURS(strerror);
OURS(strerror_r);
OURS(strlen);
OURS(strncat);
OURS(strncmp);
OURS(strncpy);
OURS(strnlen);
OURS(strpbrk);
OURS(strrchr);
OURS(strsep);
OURS(strspn);
OURS(strstr);
OURS(strcasestr);
OURS(strtok);
OURS(strtok_r);
OURS(strverscmp);
OURS(strxfrm);
OURS(basename);
OURS(strcasecmp);
OURS(strncasecmp);
OURS(bcmp);
OURS(bcopy);
OURS(bzero);
OURS(index);
OURS(rindex);
OURS(ffs);
OURS(ffsl);
OURS(ffsll);
int __xpg_strerror_r(int number, char *buffer, size_t size);
int ours___xpg_strerror_r(int number, char *buffer, size_t size);
size_t ours_strlcpy(char *to, const char *from, size_t size);
size_t ours_strlcat(char *to, const char *from, size_t size);

enum { ROOM = 64 };

static void any_string(char *s, unsigned most) {
    static const char letters[] = "aabbABxyz019 ,\xe4\xff";
    unsigned length = below(most), kinds = 1 + below(sizeof letters - 2);
    for (unsigned i = 0; i < length; i++)
        s[i] = letters[below(kinds)];
    s[length] = 0;
}

/* Two buffers with the same content, one for each library. */
static char a[ROOM], b[ROOM];
static void fill(const char *start) {
    memset(a, '#', ROOM);
    memset(b, '#', ROOM);
    strcpy(a, start);
    strcpy(b, start);
}
#define SAME_BUFFERS(...) CHECK(memcmp(a, b, ROOM) == 0, __VA_ARGS__)
#define SAME_OFFSET(ours, theirs, ...)                                                             \
    do {                                                                                           \
        const char *our_place = (ours), *their_place = (theirs);                                   \
        CHECK(our_place == their_place, __VA_ARGS__);                                              \
    } while (0)

static void compare_searching(const char *s, const char *t, unsigned n, int c) {
    CHECK(ours_strlen(s) == strlen(s), "%s", s);
    CHECK(ours_strnlen(s, n) == strnlen(s, n), "%s %u", s, n);
    SAME_OFFSET(ours_strchr(s, c), strchr(s, c), "%s %d", s, c);
    SAME_OFFSET(ours_strrchr(s, c), strrchr(s, c), "%s %d", s, c);
    SAME_OFFSET(ours_index(s, c), index(s, c), "%s %d", s, c);
    SAME_OFFSET(ours_rindex(s, c), rindex(s, c), "%s %d", s, c);
    SAME_OFFSET(ours_strchrnul(s, c), strchrnul(s, c), "%s %d", s, c);
    SAME_OFFSET(ours_memchr(s, c, strlen(s)), memchr(s, c, strlen(s)), "%s %d", s, c);
    SAME_OFFSET(ours_memrchr(s, c, strlen(s)), memrchr(s, c, strlen(s)), "%s %d", s, c);
    SAME_OFFSET(ours_rawmemchr(s, 0), rawmemchr(s, 0), "%s", s);
    CHECK(ours_strspn(s, t) == strspn(s, t), "%s %s", s, t);
    CHECK(ours_strcspn(s, t) == strcspn(s, t), "%s %s", s, t);
    SAME_OFFSET(ours_strpbrk(s, t), strpbrk(s, t), "%s %s", s, t);
    SAME_OFFSET(ours_strstr(s, t), strstr(s, t), "%s %s", s, t);
    SAME_OFFSET(ours_strcasestr(s, t), strcasestr(s, t), "%s %s", s, t);
    SAME_OFFSET(ours_memmem(s, strlen(s), t, strlen(t)), memmem(s, strlen(s), t, strlen(t)),
                "%s %s", s, t);
    SAME_OFFSET(ours_basename(s), basename(s), "%s", s);
}

static void compare_comparing(const char *s, const char *t, unsigned n) {
    unsigned shorter = (unsigned)(strlen(s) < strlen(t) ? strlen(s) : strlen(t)) + 1;
    CHECK(sign(ours_strcmp(s, t)) == sign(strcmp(s, t)), "%s %s", s, t);
    CHECK(sign(ours_strcoll(s, t)) == sign(strcoll(s, t)), "%s %s", s, t);
    CHECK(sign(ours_strncmp(s, t, n)) == sign(strncmp(s, t, n)), "%s %s %u", s, t, n);
    CHECK(sign(ours_memcmp(s, t, shorter)) == sign(memcmp(s, t, shorter)), "%s %s", s, t);
    CHECK(!ours_bcmp(s, t, shorter) == !bcmp(s, t, shorter), "%s %s", s, t);
    CHECK(sign(ours_strcasecmp(s, t)) == sign(strcasecmp(s, t)), "%s %s", s, t);
    CHECK(sign(ours_strncasecmp(s, t, n)) == sign(strncasecmp(s, t, n)), "%s %s %u", s, t, n);
    CHECK(sign(ours_strverscmp(s, t)) == sign(strverscmp(s, t)), "%s %s: %d %d", s, t,
          ours_strverscmp(s, t), strverscmp(s, t));
}

static void compare_copying(const char *s, const char *t, unsigned n, int c) {
    fill("");
    CHECK(ours_strcpy(a, s) == a && strcpy(b, s), "%s", s);
    CHECK(ours_strcat(a, t) == a && strcat(b, t), "%s", t);
    SAME_BUFFERS("strcpy %s strcat %s", s, t);
    CHECK(ours_strncat(a, s, n) == a && strncat(b, s, n), "%s", s);
    SAME_BUFFERS("strncat %s %u", s, n);
    fill(s);
    CHECK(ours_strncpy(a, t, n) == a && strncpy(b, t, n), "%s", t);
    SAME_BUFFERS("strncpy %s %u", t, n);
    CHECK(ours_stpncpy(a, s, n) - a == stpncpy(b, s, n) - b, "%s %u", s, n);
    SAME_BUFFERS("stpncpy %s %u", s, n);
    CHECK(ours_stpcpy(a, s) - a == stpcpy(b, s) - b, "%s", s);
    SAME_BUFFERS("stpcpy %s", s);
    CHECK(ours_memset(a + n, c, n) == a + n && memset(b + n, c, n), "%u", n);
    SAME_BUFFERS("memset %u", n);
    CHECK(ours_memcpy(a + 3, t, strlen(t)) == a + 3 && memcpy(b + 3, t, strlen(t)), "%s", t);
    CHECK((char *)ours_mempcpy(a, t, 2) - a == (char *)mempcpy(b, t, 2) - b, "%s", t);
    SAME_BUFFERS("memcpy %s", t);
    CHECK(ours_memmove(a + below(9), a + below(9), n) != NULL, "%u", n);
    memcpy(b, a, ROOM);
    CHECK(ours_memmove(a + 5, a + 2, n) == a + 5 && memmove(b + 5, b + 2, n), "%u", n);
    CHECK(ours_memmove(a + 1, a + 4, n) == a + 1 && memmove(b + 1, b + 4, n), "%u", n);
    SAME_BUFFERS("memmove %u", n);
    char *end = memccpy(b, s, c, strlen(s));
    char *our_end = ours_memccpy(a, s, c, strlen(s));
    CHECK((our_end ? our_end - a : -1) == (end ? end - b : -1), "%s %d", s, c);
    SAME_BUFFERS("memccpy %s %d", s, c);
    ours_bcopy(a, a + 4, n);
    bcopy(b, b + 4, n);
    ours_bzero(a + 7, n);
    bzero(b + 7, n);
    ours_explicit_bzero(a, 2);
    explicit_bzero(b, 2);
    SAME_BUFFERS("bcopy %u", n);
    CHECK(ours_strxfrm(a, s, n) == strxfrm(b, s, n), "%s %u", s, n);
    char *copy = ours_strdup(s), *part = ours_strndup(s, n), *their_part = strndup(s, n);
    CHECK(strcmp(copy, s) == 0 && strcmp(part, their_part) == 0, "%s %u", s, n);
    free(copy);
    free(part);
    free(their_part);
    /* glibc 2.36 does not have these two: snprintf() does the same. */
    fill("");
    CHECK(ours_strlcpy(a, s, n) == (size_t)snprintf(b, n, "%s", s), "%s %u", s, n);
    SAME_BUFFERS("strlcpy %s %u", s, n);
    fill(t);
    size_t kept = strnlen(b, n);
    snprintf(b + kept, n - kept, "%s", s);
    CHECK(ours_strlcat(a, s, n) == kept + strlen(s), "%s %u", s, n);
    SAME_BUFFERS("strlcat %s %u", s, n);
}

static void compare_splitting(const char *s, const char *delimiters) {
    char *rest_a, *rest_b, *token_a, *token_b;
    fill(s);
    token_a = ours_strtok_r(a, delimiters, &rest_a);
    token_b = strtok_r(b, delimiters, &rest_b);
    while (token_a && token_b) {
        CHECK(token_a - a == token_b - b && strcmp(token_a, token_b) == 0, "%s", s);
        token_a = ours_strtok_r(NULL, delimiters, &rest_a);
        token_b = strtok_r(NULL, delimiters, &rest_b);
    }
    CHECK(!token_a && !token_b, "strtok_r %s %s", s, delimiters);
    fill(s);
    for (char *from_a = a, *from_b = b; from_a || from_b; from_a = from_b = NULL) {
        token_a = ours_strtok(from_a, delimiters);
        token_b = strtok(from_b, delimiters);
        CHECK((token_a ? token_a - a : -1) == (token_b ? token_b - b : -1), "strtok %s", s);
    }
    SAME_BUFFERS("strtok %s", s);
    fill(s);
    rest_a = a;
    rest_b = b;
    for (int i = 0; i < 5; i++) {
        token_a = ours_strsep(&rest_a, delimiters);
        token_b = strsep(&rest_b, delimiters);
        CHECK((token_a ? token_a - a : -1) == (token_b ? token_b - b : -1), "strsep %s", s);
    }
    SAME_BUFFERS("strsep %s", s);
}

static void compare_messages(void) {
    for (int number = -2; number < 200; number++) {
        char ours[64], theirs[64];
        CHECK(strcmp(ours_strerror(number), strerror(number)) == 0, "%d", number);
        CHECK(strcmp(ours_strerror_r(number, ours, 64), strerror_r(number, theirs, 64)) == 0,
              "%d", number);
        size_t size = number % 3 ? 64 : 10;
        int result = __xpg_strerror_r(number, theirs, size);
        CHECK(ours___xpg_strerror_r(number, ours, size) == result, "%d", number);
        CHECK(strcmp(ours, theirs) == 0, "%d: %s %s", number, ours, theirs);
    }
}

/* The number'th string over four characters, shorter ones first. */
static void nth_string(char *s, unsigned number) {
    for (; number; number = (number - 1) / 4)
        *s++ = "019a"[(number - 1) % 4];
    *s = 0;
}

static void compare_versions(void) {
    enum { STRINGS = 1 + 4 + 16 + 64 + 256 };
    for (unsigned i = 0; i < STRINGS; i++)
        for (unsigned j = 0; j < STRINGS; j++) {
            char s[8], t[8];
            nth_string(s, i);
            nth_string(t, j);
            CHECK(sign(ours_strverscmp(s, t)) == sign(strverscmp(s, t)), "%s %s: %d %d", s, t,
                  ours_strverscmp(s, t), strverscmp(s, t));
        }
}

int main(void) {
    compare_versions();
    for (int round = 0; round < 20000; round++) {
        char s[ROOM], t[ROOM];
        any_string(s, 16);
        any_string(t, below(4) ? 4 : 16);
        if (below(4) == 0)
            strcpy(t + below((unsigned)strlen(t) + 1), s + below((unsigned)strlen(s) + 1));
        unsigned n = 1 + below(20);
        int c = "abA,\xff\0"[below(6)];
        compare_searching(s, t, n, c);
        compare_comparing(s, t, n);
        compare_copying(s, t, n, c);
        compare_splitting(s, t);
        uint64_t bits = any_integer();
        CHECK(ours_ffs((int)bits) == ffs((int)bits), "%lx", bits);
        CHECK(ours_ffsl((long)bits) == ffsl((long)bits), "%lx", bits);
        CHECK(ours_ffsll((long long)bits) == ffsll((long long)bits), "%lx", bits);
    }
    compare_messages();
    return finish();
}
