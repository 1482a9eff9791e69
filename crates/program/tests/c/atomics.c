// Atomic objects.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int counter = 3;
static _Atomic uint64_t wide;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(int *) pointer;
static int target[2] = { 4, 5 };

unsigned long long run(void) {
    uint64_t result = 0;
    result = result * 31 + (uint64_t)atomic_fetch_add(&counter, 5);
    result = result * 31 + (uint64_t)atomic_fetch_sub_explicit(&counter, 2, memory_order_relaxed);
    atomic_store_explicit(&wide, 0xff00ff00ff00ff00u, memory_order_release);
    result = result * 31 + atomic_fetch_and(&wide, 0xffff);
    result = result * 31 + atomic_fetch_or(&wide, 0x0f);
    result = result * 31 + atomic_fetch_xor(&wide, 0xff);
    int expected = 6;
    bool done = atomic_compare_exchange_strong(&counter, &expected, 60);
    result = result * 31 + done;
    done = atomic_compare_exchange_strong(&counter, &expected, 70);
    result = result * 31 + done * 2 + (uint64_t)expected + (uint64_t)atomic_load(&counter);
    result = result * 31 + atomic_flag_test_and_set(&flag) + atomic_flag_test_and_set(&flag);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store(&pointer, target);
    result = result * 31 + (uint64_t)atomic_exchange(&pointer, target + 1)[0] + (uint64_t)*atomic_load(&pointer);
    counter++;
    wide += 3;
    result = result * 31 + (uint64_t)__atomic_fetch_nand((int *)&counter, 3, __ATOMIC_SEQ_CST);
    result = result * 31 + (uint64_t)__atomic_fetch_max((int *)&counter, 9, __ATOMIC_SEQ_CST) + wide;
    return result + (uint64_t)(unsigned)counter;
}
