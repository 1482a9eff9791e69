// Vector types and loops that optimisers turn into vectors.
#include <stdint.h>

typedef int v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef uint8_t v16u __attribute__((vector_size(16)));
typedef int64_t v2l __attribute__((vector_size(16)));
typedef _Bool v8b __attribute__((ext_vector_type(8)));

static int a[64], b[64];
static uint8_t bytes[100];
static float f[33];

static uint64_t loops(int n) {
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) a[i] = i * i - 7 * i;
    for (int i = 0; i < n; i++) b[i] = a[i] > 100 ? a[i] >> 1 : -a[i];
    for (int i = 0; i < n; i++) sum += (uint32_t)(a[i] ^ b[n - 1 - i]);
    for (int i = 0; i < 100; i++) bytes[i] = (uint8_t)(i * 3 + n);
    unsigned most = 0, all = 0;
    for (int i = 0; i < 100; i++) { if (bytes[i] > most) most = bytes[i]; all += bytes[i]; }
    for (int i = 0; i < 33; i++) f[i] = (float)i * 0.5f - 3;
    int negative = 0;
    for (int i = 0; i < 33; i++) negative += f[i] < 0;
    for (int i = 0; i < n; i += 2) if (b[i] & 1) a[i] = (int)sum;
    for (int i = 0; i < n; i++) sum = sum * 3 + (uint32_t)a[i];
    return sum * 31 + most * 1000 + all + (uint64_t)negative;
}

static uint64_t direct(int x) {
    v4i v = { x, x + 1, x + 2, x + 3 }, w = { 3, -1, 4, 1 };
    v4i sum = v * w + (v >> 1), less = v < w;
    v4i mixed = __builtin_shufflevector(sum, less, 0, 5, 2, 7);
    mixed[x & 3] = 42;
    v4f g = __builtin_convertvector(mixed, v4f) * 0.5f;
    v16u u = (v16u)mixed;
    v2l l = (v2l)u;
    uint64_t result = (uint64_t)l[0] ^ (uint64_t)l[1];
    for (int i = 0; i < 4; i++) result = result * 31 + (uint32_t)sum[i] + (uint64_t)(int64_t)g[(i + x) & 3];
    for (int i = 0; i < 16; i++) result = result * 5 + u[i];
    v8b m = { 1, 0, 1, 1, 0, 0, x & 1, 1 };
    m = m ^ (v8b){ 1, 1 };
    for (int i = 0; i < 8; i++) result = result * 2 + m[i];
    return result + (uint64_t)__builtin_reduce_max(sum) + (uint64_t)__builtin_reduce_add(w);
}

unsigned long long run(void) {
    uint64_t result = 0;
    for (int i = 0; i < 5; i++) result = result * 1000003 + direct(i * 3 - 4);
    return result * 31 + loops(64) + loops(37);
}
