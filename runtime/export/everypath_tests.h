/* Tests that `everypath export` wrote: what each says of its inputs, and how it is run.
 *
 *     ep_test_begin();
 *     ep_test_int("x", 4, 42);
 *     ep_test_argument("-l", 2);
 *     int end = ep_test_run();
 *
 * The functions take plain numbers and pointers, so that C++, Rust and Python call them
 * as C does. One test is described at a time: the functions share one description. */
#ifndef EVERYPATH_TESTS_H
#define EVERYPATH_TESTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Forgets the test before. */
void ep_test_begin(void);

/* The next input that the program asks for: bytes, an integer or a float of `size` bytes. */
void ep_test_bytes(const char *name, const void *bytes, size_t size);
void ep_test_int(const char *name, size_t size, long long value);
void ep_test_float(const char *name, size_t size, double value);

/* What is around the program: its arguments, variables, files in its directory and
 * standard input. */
void ep_test_argument(const void *bytes, size_t size);
void ep_test_variable(const char *name, const void *bytes, size_t size);
void ep_test_file(const char *name, const void *bytes, size_t size);
void ep_test_stdin(const void *bytes, size_t size);

/* Runs the program in a process and a directory of its own: its exit status, or 256 and
 * the number of the signal that ended it. */
int ep_test_run(void);

#ifdef __cplusplus
}
#endif
#endif
