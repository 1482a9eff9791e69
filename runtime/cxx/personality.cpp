/* Which clauses of landing pads catch an exception of C++, for the machine's unwinder, and
 * what a program does whose exceptions are not caught. It stands in for the parts of
 * libc++abi that read the tables of native code and write to the terminal. */
#include "cxa_exception.h"
#include "cxa_handlers.h"
#include "private_typeinfo.h"
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

extern "C" {
[[noreturn]] void __ep_terminate(const char *type, const char *what);
[[noreturn]] void __ep_assert_fail(const char *condition, const char *file, unsigned line,
                                   const char *function);
[[noreturn]] void __ep_unsupported(const char *what);
void *__ep_new(std::size_t size, int array);
}

namespace __cxxabiv1 {

extern "C" {

static __cxa_exception *header_of(_Unwind_Exception *exception) {
    return reinterpret_cast<__cxa_exception *>(exception + 1) - 1;
}

static void *thrown_object(_Unwind_Exception *exception) {
    __cxa_exception *header = header_of(exception);
    if (__getExceptionClass(exception) == kOurDependentExceptionClass)
        return reinterpret_cast<__cxa_dependent_exception *>(header)->primaryException;
    return header + 1;
}

/* Whether a handler of this type catches the exception; null is `catch (...)`. The handler
 * is then given the address that the type makes of it. The machine looks for it by name. */
[[gnu::used]] int __ep_catches(const void *type, _Unwind_Exception *exception) {
    if (!__isOurExceptionClass(exception))
        return !type;
    __cxa_exception *header = header_of(exception);
    void *object = thrown_object(exception);
    if (type) {
        const auto *caught = static_cast<const __shim_type_info *>(type);
        const auto *thrown = static_cast<const __shim_type_info *>(header->exceptionType);
        if (!caught->can_catch(thrown, object))
            return 0;
    }
    header->adjustedPtr = object;
    return 1;
}

/* Functions with landing pads name it, and nothing calls it: the machine unwinds. */
_Unwind_Reason_Code __gxx_personality_v0(int, _Unwind_Action, uint64_t, _Unwind_Exception *,
                                         _Unwind_Context *) {
    __ep_unsupported("a call of __gxx_personality_v0");
}

/* An exception leaves a function that says it throws others only. */
[[noreturn]] void __cxa_call_unexpected(void *exception) {
    auto *unwind = static_cast<_Unwind_Exception *>(exception);
    std::unexpected_handler unexpected = std::get_unexpected();
    if (__isOurExceptionClass(unwind))
        unexpected = header_of(unwind)->unexpectedHandler;
    __cxa_begin_catch(exception);
    try {
        unexpected();
    } catch (...) {
        __ep_unsupported("an unexpected_handler that throws");
    }
    std::terminate();
}

/* What `operator new` does where there is no memory; the machine looks for it by name. */
[[gnu::used]] void *__ep_new_failed(std::size_t size, int array) {
    for (;;) {
        std::new_handler handler = std::get_new_handler();
        if (!handler)
            throw std::bad_alloc();
        handler();
        if (void *memory = __ep_new(size, array))
            return memory;
    }
}

} // extern "C"

[[noreturn]] static void terminate_by_default() {
    __cxa_eh_globals *globals = __cxa_get_globals_fast();
    __cxa_exception *header = globals ? globals->caughtExceptions : nullptr;
    if (!header)
        __ep_terminate(nullptr, nullptr);
    auto *exception = reinterpret_cast<_Unwind_Exception *>(header + 1) - 1;
    if (!__isOurExceptionClass(exception))
        __ep_terminate("foreign exception", nullptr);
    const auto *thrown = static_cast<const __shim_type_info *>(header->exceptionType);
    const auto *base = static_cast<const __shim_type_info *>(&typeid(std::exception));
    void *object = thrown_object(exception);
    if (base->can_catch(thrown, object))
        __ep_terminate(thrown->name(), static_cast<std::exception *>(object)->what());
    __ep_terminate(thrown->name(), nullptr);
}

} // namespace __cxxabiv1

extern "C" {
_LIBCXXABI_DATA_VIS constinit std::terminate_handler __cxa_terminate_handler =
    __cxxabiv1::terminate_by_default;
_LIBCXXABI_DATA_VIS constinit std::unexpected_handler __cxa_unexpected_handler = std::terminate;
_LIBCXXABI_DATA_VIS constinit std::new_handler __cxa_new_handler = nullptr;
}

namespace std {

unexpected_handler set_unexpected(unexpected_handler handler) noexcept {
    return __atomic_exchange_n(&__cxa_unexpected_handler, handler ? handler : std::terminate,
                               __ATOMIC_ACQ_REL);
}

terminate_handler set_terminate(terminate_handler handler) noexcept {
    return __atomic_exchange_n(&__cxa_terminate_handler,
                               handler ? handler : __cxxabiv1::terminate_by_default,
                               __ATOMIC_ACQ_REL);
}

new_handler set_new_handler(new_handler handler) noexcept {
    return __atomic_exchange_n(&__cxa_new_handler, handler, __ATOMIC_ACQ_REL);
}

/* A check of the hardened library failed, as that of an index of a vector. */
inline namespace __1 {
[[noreturn]] void __libcpp_verbose_abort(const char *format, ...) noexcept {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    __ep_assert_fail(text, "", 0, "");
}
} // namespace __1

} // namespace std
