/* KLEE's intrinsics, so that a program written for KLEE runs unchanged.
 *
 * The signatures are KLEE's (versions 1.x to 3.x); the meaning is KLEE's unless
 * the comment says otherwise.
 */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define EP_KLEE_NOARGS
#else
#define EP_KLEE_NOARGS void
#endif

/* Inputs. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);
uintptr_t klee_choose(uintptr_t n);

/* What must hold, and what would be nice in a test. */
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* Ends of a path. */
__attribute__((noreturn)) void klee_silent_exit(int status);
__attribute__((noreturn)) void klee_abort(EP_KLEE_NOARGS);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);

/* Fails like assert(), whether or not NDEBUG is defined. */
#define klee_assert(expr)                                                                          \
    ((expr) ? (void)0 : __ep_assert_fail(#expr, __FILE__, __LINE__, __PRETTY_FUNCTION__))
__attribute__((noreturn)) void __ep_assert_fail(const char *condition, const char *file,
                                                unsigned line, const char *function);

/* Questions about the state. */
unsigned klee_is_symbolic(uintptr_t n);
unsigned klee_is_replay(EP_KLEE_NOARGS);
size_t klee_get_obj_size(void *ptr);
int klee_get_errno(EP_KLEE_NOARGS);
void klee_check_memory_access(const void *address, size_t size);

/* One possible value of an expression, which it has from then on. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* Messages. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *msg, ...);
void klee_print_range(const char *name, int arg);
void klee_stack_trace(EP_KLEE_NOARGS);

/* Steering. */
void klee_set_forking(unsigned enable);
void klee_open_merge(EP_KLEE_NOARGS);
void klee_close_merge(EP_KLEE_NOARGS);
void klee_merge(EP_KLEE_NOARGS);
void klee_mark_global(void *object);
void klee_define_fixed_object(void *addr, size_t nbytes);
void klee_alias_function(const char *fn_name, const char *new_fn_name);
void klee_alias_function_undo(const char *alias);

#ifdef __cplusplus
}
#endif
#undef EP_KLEE_NOARGS

#endif
