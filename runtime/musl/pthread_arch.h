/* Where a thread finds what it knows of itself, in place of a segment register. */
uintptr_t __ep_thread_pointer(void);

static inline uintptr_t __get_tp(void) {
    return __ep_thread_pointer();
}

#define MC_PC gregs[REG_RIP]
