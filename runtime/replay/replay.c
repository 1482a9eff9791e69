/* The native replay: compiled and linked with the program under test, it feeds
 * the inputs of one recorded test, in order.
 *
 *     clang -I runtime/include program.c runtime/replay/replay.c -o program
 *     EVERYPATH_KTEST=everypath-last/test000001.ktest ./program
 *
 * With EVERYPATH_STDIN in the environment, the last input of the test is what the
 * program finds on its standard input (everypath run --sym-stdin). EVERYPATH_INPUTS=2:5
 * says that inputs 3 to 5 are those the program asks for, and the others are set up
 * around it by whoever starts it: arguments, files.
 *
 * A test is a claim about what the real program does. Where the program does
 * something else, that is said on stderr and by the exit status:
 *
 *     92  the threads of the program do not take turns as the test has it
 *     93  the threads of the program wait for each other
 *     94  divergence: more inputs are asked for than were recorded
 *     96  there is no test to replay, or it cannot be read
 *     97  divergence: another input is asked for than was recorded
 *     98  an assumption does not hold for the recorded inputs
 *     99  the path is one that was to be ignored
 *
 * A program that was instrumented to mark where it has been marks it in the file
 * that EVERYPATH_COVERAGE names, if it does: a byte for each place.
 *
 * Errors the program reports (reach_error, ep_assert, klee_report_error) print a
 * line and abort. Every line begins with "everypath replay: ". */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "everypath.h"
#include "klee/klee.h"

enum {
    STATUS_MORE_INPUTS = 94,
    /* 95 is what sanitizers end with in `everypath replay`. */
    STATUS_NO_TEST = 96,
    STATUS_DIVERGED = 97,
    STATUS_ASSUMPTION = 98,
    STATUS_IGNORED = 99
};

/* Ends. */

/* What measures coverage writes its file at exit, and we may leave without one;
 * so may the program, by a signal. A path that ends in an error has branches to
 * compare too. */
__attribute__((weak)) int __llvm_profile_write_file(void);
__attribute__((weak)) void __gcov_dump(void);

static void save_coverage(void) {
    static int is_saved;
    if (is_saved)
        return;
    is_saved = 1;
    if (__llvm_profile_write_file)
        __llvm_profile_write_file();
    if (__gcov_dump)
        __gcov_dump();
}

/* The signal comes again, and then it is the system's. */
static void save_and_die(int signal_number) {
    save_coverage();
    raise(signal_number);
}

__attribute__((constructor)) static void watch_for_signals(void) {
    static const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    if (!__llvm_profile_write_file && !__gcov_dump)
        return;
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
        struct sigaction before, ours = {.sa_handler = save_and_die, .sa_flags = SA_RESETHAND};
        if (sigaction(deadly[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(deadly[i], &ours, NULL);
    }
}

static void save_everything(void) {
    fflush(NULL);
    save_coverage();
}

static void say(const char *format, va_list arguments) {
    fflush(stdout);
    fputs("everypath replay: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

/* Leaves at once: the program's own handlers at exit belong to a run that is
 * not the one that was predicted. */
__attribute__((noreturn, format(printf, 2, 3))) static void leave(int status, const char *format,
                                                                  ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    save_everything();
    _exit(status);
}

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    save_everything();
    abort();
}

/* Where instrumented code has been. It sets bytes through the pointer, so that
 * moving the table into a shared mapping saves them whatever the end: a signal,
 * _exit, or being killed. Other programs define neither. */
extern unsigned char *__everypath_coverage __attribute__((weak));
extern const uint64_t __everypath_coverage_size __attribute__((weak));

/* Before the program's own constructors, whose marks would be lost. */
__attribute__((constructor(101))) static void share_coverage(void) {
    const char *path = getenv("EVERYPATH_COVERAGE");
    if (!path || !&__everypath_coverage || __everypath_coverage_size == 0)
        return;
    size_t size = __everypath_coverage_size;
    int descriptor = open(path, O_RDWR);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)size) != 0)
        leave(STATUS_NO_TEST, "cannot open %s: %s", path, strerror(errno));
    unsigned char *table = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (table == MAP_FAILED)
        leave(STATUS_NO_TEST, "cannot map %s: %s", path, strerror(errno));
    close(descriptor);
    memcpy(table, __everypath_coverage, size);
    __everypath_coverage = table;
}

/* The test: KLEE's ktest format, numbers with the most significant byte first. */

struct input {
    const char *name;
    uint32_t name_length;
    const unsigned char *bytes;
    uint32_t size;
};

static struct input *inputs;
static uint32_t input_count, next_input;

static struct {
    const char *path;
    unsigned char *bytes;
    size_t size, at;
} file;

static const unsigned char *take_bytes(uint32_t count) {
    if (count > file.size - file.at)
        leave(STATUS_NO_TEST, "%s is cut short at byte %zu", file.path, file.at);
    file.at += count;
    return file.bytes + file.at - count;
}

static uint32_t take_number(void) {
    const unsigned char *bytes = take_bytes(4);
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void read_file(void) {
    FILE *stream = fopen(file.path, "rb");
    size_t room = 0, got = 1;
    if (!stream)
        leave(STATUS_NO_TEST, "cannot open %s: %s", file.path, strerror(errno));
    while (got > 0) {
        if (file.size == room) {
            room = room ? 2 * room : 4096;
            file.bytes = realloc(file.bytes, room);
            if (!file.bytes)
                leave(STATUS_NO_TEST, "no memory for %s", file.path);
        }
        got = fread(file.bytes + file.size, 1, room - file.size, stream);
        file.size += got;
    }
    if (ferror(stream))
        leave(STATUS_NO_TEST, "cannot read %s: %s", file.path, strerror(errno));
    fclose(stream);
}

static void parse_test(void) {
    if (file.size < 5 || (memcmp(file.bytes, "KTEST", 5) && memcmp(file.bytes, "BOUT\n", 5)))
        leave(STATUS_NO_TEST, "%s is not a ktest file", file.path);
    file.at = 5;
    uint32_t version = take_number();
    if (version < 1 || version > 3)
        leave(STATUS_NO_TEST, "%s has version %u, only 1 to 3 are known", file.path, version);
    for (uint32_t arguments = take_number(); arguments > 0; arguments--)
        take_bytes(take_number());
    if (version >= 2)
        take_bytes(8);
    uint32_t count = take_number();
    /* Each input takes eight bytes at least, so a wrong count is noticed here. */
    if (count > file.size / 8)
        leave(STATUS_NO_TEST, "%s is cut short at byte %zu", file.path, file.at);
    inputs = calloc((size_t)count + 1, sizeof *inputs);
    if (!inputs)
        leave(STATUS_NO_TEST, "no memory for %s", file.path);
    for (input_count = 0; input_count < count; input_count++) {
        struct input *input = &inputs[input_count];
        input->name_length = take_number();
        input->name = (const char *)take_bytes(input->name_length);
        input->size = take_number();
        input->bytes = take_bytes(input->size);
    }
}

/* Where a test says in which order threads take turns, which is what another file is for. */
__attribute__((weak)) void __ep_follow_schedule(const char *text, size_t size);

void __ep_leave(int status, const char *message) {
    leave(status, "%s", message);
}

static int has_name(const struct input *input, const char *name) {
    return strlen(name) == input->name_length && memcmp(input->name, name, input->name_length) == 0;
}

static void follow_schedule(void) {
    const struct input *last = input_count ? &inputs[input_count - 1] : NULL;
    int is_there = last && has_name(last, "everypath_schedule");
    if (is_there)
        input_count--;
    if (__ep_follow_schedule)
        __ep_follow_schedule(is_there ? (const char *)last->bytes : "", is_there ? last->size : 0);
}

/* The inputs that the program asks for itself; those before and after them are its
 * command line, its files and its standard input. */
static void leave_out_surroundings(const char *range) {
    unsigned first, end;
    if (sscanf(range, "%u:%u", &first, &end) != 2 || first > end || end > input_count)
        leave(STATUS_NO_TEST, "EVERYPATH_INPUTS is %s, and the test has %u inputs", range,
              input_count);
    next_input = first;
    input_count = end;
}

/* The last input becomes a file that the program reads as its standard input. */
static void feed_stdin(void) {
    if (input_count == 0)
        leave(STATUS_NO_TEST, "%s holds no standard input", file.path);
    const struct input *input = &inputs[--input_count];
    FILE *bytes = tmpfile();
    if (!bytes || fwrite(input->bytes, 1, input->size, bytes) != input->size ||
        fflush(bytes) != 0 || lseek(fileno(bytes), 0, SEEK_SET) != 0 ||
        dup2(fileno(bytes), STDIN_FILENO) < 0)
        leave(STATUS_NO_TEST, "cannot make a standard input: %s", strerror(errno));
    fclose(bytes);
}

/* Inputs that the model of the system made while the program ran, and that the real one may
 * not be made to give: it fails when it does, and streams read random bytes of its own. */
static int is_of_the_system(const struct input *input) {
    static const char *const names[] = {"urandom", "model_version"};
    static const char failure[] = "_fail";
    const size_t length = sizeof failure - 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_name(input, names[i]))
            return 1;
    return input->name_length > length &&
           memcmp(input->name + input->name_length - length, failure, length) == 0;
}

/* A program that ends in order must have asked for everything. */
static void check_all_were_used(void) {
    while (next_input < input_count && is_of_the_system(&inputs[next_input]))
        next_input++;
    if (next_input < input_count) {
        const struct input *input = &inputs[next_input];
        leave(STATUS_DIVERGED, "divergence: the program ended without asking for input %u, `%.*s`",
              next_input + 1, (int)input->name_length, input->name);
    }
}

/* Reads the test that the environment names, before the program's own constructors, which may
 * ask for inputs. Whoever names one later, as exported tests do
 * in a process of their own, calls it again. */
__attribute__((constructor(102))) void __ep_load_test(void) {
    file.path = getenv("EVERYPATH_KTEST");
    if (!file.path)
        return;
    read_file();
    parse_test();
    follow_schedule();
    if (getenv("EVERYPATH_STDIN"))
        feed_stdin();
    if (getenv("EVERYPATH_INPUTS"))
        leave_out_surroundings(getenv("EVERYPATH_INPUTS"));
    /* The program finds the environment that it had in the engine. */
    static const char *const ours[] = {"EVERYPATH_KTEST", "EVERYPATH_STDIN", "EVERYPATH_INPUTS",
                                       "EVERYPATH_COVERAGE"};
    static char path[4096];
    snprintf(path, sizeof path, "%s", file.path);
    file.path = path;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        unsetenv(ours[i]);
    /* What it writes is there whatever its end, as it is in the engine. */
    setvbuf(stdout, NULL, _IONBF, 0);
    atexit(check_all_were_used);
}

/* Inputs. */

/* The next input, if it is the one asked for; a size of 0 is any. */
static const struct input *take_input(size_t size, const char *name) {
    if (!name || !*name)
        name = "unnamed";
    if (!file.path)
        leave(STATUS_NO_TEST,
              "the program asks for `%s` and there is no test; set EVERYPATH_KTEST to one", name);
    while (next_input < input_count && is_of_the_system(&inputs[next_input]) &&
           !has_name(&inputs[next_input], name))
        next_input++;
    if (next_input == input_count)
        leave(STATUS_MORE_INPUTS,
              "divergence: the program asks for input %u, `%s` of %zu bytes, and the test has %u",
              next_input + 1, name, size, input_count);
    const struct input *input = &inputs[next_input++];
    if (!has_name(input, name) || (size > 0 && input->size != size))
        leave(STATUS_DIVERGED,
              "divergence: input %u is `%.*s` of %u bytes, and the program asks for `%s` of %zu",
              next_input, (int)input->name_length, input->name, input->size, name, size);
    return input;
}

static void feed(void *object, size_t size, const char *name) {
    const struct input *input = take_input(size, name);
    if (input->size != size)
        leave(STATUS_DIVERGED, "divergence: input %u has %u bytes, and the program asks for %zu",
              next_input, input->size, size);
    memcpy(object, input->bytes, size);
}

/* A graph of objects: whether its first object is new, the objects, and where their
 * pointers lead, numbers in eight bytes with the least first. */

static uint64_t graph_number(const struct input *graph, size_t *at) {
    uint64_t number = 0;
    if (graph->size - *at < 8)
        leave(STATUS_NO_TEST, "the objects of input %u are cut short", next_input);
    for (int i = 8; i-- > 0;)
        number = number << 8 | graph->bytes[*at + i];
    *at += 8;
    return number;
}

static void regenerate(void **given, const char *suite) {
    const struct input *graph = take_input(0, suite);
    size_t at = 0;
    uint64_t is_new = graph_number(graph, &at), count = graph_number(graph, &at);
    if (count == 0 || count > graph->size / 8)
        leave(STATUS_NO_TEST, "input %u is no graph of objects", next_input);
    unsigned char **objects = calloc(count, sizeof *objects);
    uint64_t *sizes = calloc(count, sizeof *sizes);
    if (!objects || !sizes)
        leave(STATUS_NO_TEST, "no memory for the objects of input %u", next_input);
    for (uint64_t i = 0; i < count; i++) {
        sizes[i] = graph_number(graph, &at);
        if (sizes[i] > graph->size - at)
            leave(STATUS_NO_TEST, "the objects of input %u are cut short", next_input);
        objects[i] = i == 0 && !is_new ? (unsigned char *)given : malloc(sizes[i] ? sizes[i] : 1);
        if (!objects[i])
            leave(STATUS_NO_TEST, "no memory for the objects of input %u", next_input);
        memcpy(objects[i], graph->bytes + at, sizes[i]);
        at += sizes[i];
    }
    for (uint64_t left = graph_number(graph, &at); left > 0; left--) {
        uint64_t object = graph_number(graph, &at), place = graph_number(graph, &at);
        uint64_t target = graph_number(graph, &at);
        if (object >= count || target >= count || sizes[object] < 8 || place > sizes[object] - 8)
            leave(STATUS_NO_TEST, "input %u is no graph of objects", next_input);
        /* What stands there is how far into the object the pointer leads. */
        uint64_t offset;
        memcpy(&offset, objects[object] + place, sizeof offset);
        unsigned char *to = objects[target] + offset;
        memcpy(objects[object] + place, &to, sizeof to);
    }
    if (is_new)
        *given = objects[0];
    free(objects);
    free(sizes);
}

static void assume(int condition) {
    if (!condition)
        leave(STATUS_ASSUMPTION, "an assumption does not hold");
}

static int range(int low, int high, const char *name) {
    if (low >= high)
        fail("error: the range from %d to %d is empty", low, high);
    /* One value is no choice, and no input was recorded for it. */
    if ((long long)low + 1 == high)
        return low;
    int value;
    feed(&value, sizeof value, name);
    assume(low <= value && value < high);
    return value;
}

/* The system: what the engine made inputs of. */

static int comes_next(const char *name) {
    return file.path && next_input < input_count && has_name(&inputs[next_input], name);
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
    if (!comes_next("getrandom"))
        return syscall(SYS_getrandom, buffer, size, flags);
    if (size > inputs[next_input].size)
        size = inputs[next_input].size;
    feed(buffer, size, "getrandom");
    return (ssize_t)size;
}

/* Whether a file is one of the devices of random bytes. */
static int is_random_device(int descriptor) {
    struct stat about;
    return fstat(descriptor, &about) == 0 && S_ISCHR(about.st_mode) &&
           (about.st_rdev == makedev(1, 8) || about.st_rdev == makedev(1, 9));
}

/* Streams read inside the C library and do not come here: they have the system's bytes. */
ssize_t read(int descriptor, void *buffer, size_t size) {
    if (!comes_next("urandom") || !is_random_device(descriptor))
        return syscall(SYS_read, descriptor, buffer, size);
    if (size > inputs[next_input].size)
        size = inputs[next_input].size;
    feed(buffer, size, "urandom");
    return (ssize_t)size;
}

/* Whether the next look at the clock is an input of the test. */
bool __ep_time_is_input(void) {
    return comes_next("time");
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!comes_next("time"))
        return (int)syscall(SYS_clock_gettime, clock, now);
    int64_t seconds;
    feed(&seconds, sizeof seconds, "time");
    now->tv_sec = seconds;
    now->tv_nsec = 0;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result)
        *result = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

/* What stands behind the C library in the engine stands behind it here. */
long __ep_syscall(long number, long a, long b, long c, long d, long e, long f) {
    long result = syscall(number, a, b, c, d, e, f);
    return result == -1 ? -(long)errno : result;
}

/* everypath.h */

void ep_symbolic(void *object, size_t size, const char *name) {
    feed(object, size, name);
}

void ep_assume(bool condition) {
    assume(condition);
}

void ep_ignore(void) {
    leave(STATUS_IGNORED, "the path is ignored");
}

void __ep_unsupported(const char *what) {
    leave(STATUS_IGNORED, "not supported: %s", what);
}

size_t ep_choose(size_t count) {
    size_t value;
    feed(&value, sizeof value, "ep_choose");
    assume(value < count);
    return value;
}

int ep_range(int low, int high, const char *name) {
    return range(low, high, name);
}

bool ep_is_symbolic(uintptr_t value) {
    (void)value;
    return false;
}

void __ep_regenerate(void *variable, const char *suite) {
    regenerate(*(void ***)variable, suite);
}

/* Objects as they were before a method, for what has to hold after it. */
static struct {
    const char *now;
    char *then;
    size_t size;
} remembered[1024];
static size_t remembered_count;
static bool leads_to_copies;

void __ep_remember(const void *object, size_t size) {
    if (remembered_count == sizeof remembered / sizeof *remembered)
        fail("error: a unit test has more than %zu objects", remembered_count);
    char *then = malloc(size ? size : 1);
    memcpy(then, object, size);
    remembered[remembered_count].now = object;
    remembered[remembered_count].then = then;
    remembered[remembered_count++].size = size;
}

/* The same place in a copy; the place itself where there is none. */
static void *copy_of(const void *place) {
    for (size_t i = 0; i < remembered_count; i++) {
        size_t offset = (size_t)((const char *)place - remembered[i].now);
        if (offset < remembered[i].size)
            return remembered[i].then + offset;
    }
    return (void *)place;
}

void *__ep_old(const void *object) {
    for (size_t i = 0; !leads_to_copies && i < remembered_count; i++) {
        for (size_t at = 0; at + sizeof(void *) <= remembered[i].size; at += sizeof(void *)) {
            void *pointer;
            memcpy(&pointer, remembered[i].then + at, sizeof pointer);
            pointer = copy_of(pointer);
            memcpy(remembered[i].then + at, &pointer, sizeof pointer);
        }
    }
    leads_to_copies = true;
    return copy_of(object);
}

void ep_cover(const char *label) {
    (void)label;
}

void __ep_assert_fail(const char *condition, const char *file_name, unsigned line,
                      const char *function) {
    fail("error: %s:%u: %s: assertion `%s' failed", file_name, line, function, condition);
}

/* klee.h */

void klee_make_symbolic(void *addr, size_t nbytes, const char *name) {
    feed(addr, nbytes, name);
}

int klee_range(int begin, int end, const char *name) {
    return range(begin, end, name);
}

int klee_int(const char *name) {
    int value;
    feed(&value, sizeof value, name);
    return value;
}

uintptr_t klee_choose(uintptr_t n) {
    uintptr_t value;
    feed(&value, sizeof value, "klee_choose");
    assume(value < n);
    return value;
}

void klee_assume(uintptr_t condition) {
    assume(condition != 0);
}

void klee_silent_exit(int status) {
    leave(STATUS_IGNORED, "the path is ignored (klee_silent_exit with %d)", status);
}

void klee_abort(void) {
    fail("error: klee_abort was called");
}

void klee_report_error(const char *file_name, int line, const char *message, const char *suffix) {
    fail("error: %s:%d: %s (%s)", file_name, line, message, suffix);
}

unsigned klee_is_symbolic(uintptr_t n) {
    (void)n;
    return 0;
}

unsigned klee_is_replay(void) {
    return 1;
}

int klee_get_errno(void) {
    return errno;
}

void klee_warning(const char *message) {
    fprintf(stderr, "everypath replay: warning: %s\n", message);
}

void klee_warning_once(const char *message) {
    static const char *last;
    if (last != message)
        klee_warning(message);
    last = message;
}

#define GET_VALUE(suffix, type)                                                                    \
    type klee_get_value##suffix(type expr) {                                                       \
        return expr;                                                                               \
    }
GET_VALUE(f, float)
GET_VALUE(d, double)
GET_VALUE(l, long)
GET_VALUE(ll, long long)
GET_VALUE(_i32, int32_t)
GET_VALUE(_i64, int64_t)

/* Pages are mapped one by one: two objects may share one. */
void klee_define_fixed_object(void *addr, size_t nbytes) {
    static uintptr_t *ours;
    static size_t count;
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t end = (uintptr_t)addr + nbytes;
    for (uintptr_t page = (uintptr_t)addr & ~(size - 1); page < end; page += size) {
        size_t known = 0;
        while (known < count && ours[known] != page)
            known++;
        if (known < count)
            continue;
        void *mapped = mmap((void *)page, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        uintptr_t *more = realloc(ours, (count + 1) * sizeof *ours);
        if (mapped != (void *)page || !more)
            leave(STATUS_DIVERGED, "divergence: no object can be placed at %p here", addr);
        ours = more;
        ours[count++] = page;
    }
}

/* What has no meaning outside the engine. */

__attribute__((noreturn)) static void only_in_engine(const char *name) {
    leave(STATUS_DIVERGED, "divergence: %s works only in the engine", name);
}

size_t klee_get_obj_size(void *ptr) {
    (void)ptr;
    only_in_engine("klee_get_obj_size");
}

void klee_alias_function(const char *fn_name, const char *new_fn_name) {
    (void)fn_name, (void)new_fn_name;
    only_in_engine("klee_alias_function");
}

void klee_alias_function_undo(const char *alias) {
    (void)alias;
}

void klee_check_memory_access(const void *address, size_t size) {
    (void)address, (void)size;
}

void klee_prefer_cex(void *object, uintptr_t condition) {
    (void)object, (void)condition;
}

void klee_posix_prefer_cex(void *object, uintptr_t condition) {
    (void)object, (void)condition;
}

void klee_mark_global(void *object) {
    (void)object;
}

void klee_set_forking(unsigned enable) {
    (void)enable;
}

void klee_print_expr(const char *msg, ...) {
    (void)msg;
}

void klee_print_range(const char *name, int arg) {
    (void)name, (void)arg;
}

void klee_stack_trace(void) {}
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_merge(void) {}

/* SV-COMP. Programs often bring some of these themselves: theirs win. The name
 * of the function is the name of the input. */

#define WEAK __attribute__((weak))
#define NONDET(suffix, type)                                                                       \
    WEAK type __VERIFIER_nondet_##suffix(void) {                                                   \
        type value;                                                                                \
        feed(&value, sizeof value, "__VERIFIER_nondet_" #suffix);                                  \
        return value;                                                                              \
    }

NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(unsigned_char, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(unsigned_short, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(unsigned_long, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(float, float)
NONDET(double, double)
NONDET(size_t, size_t)
NONDET(loff_t, long long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(pointer, void *)
NONDET(pchar, char *)
NONDET(charp, char *)
NONDET(const_char_pointer, const char *)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(U32, uint32_t)
NONDET(u64, uint64_t)
#ifdef __SIZEOF_INT128__
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
#endif

/* One byte, of which any value but zero is true. */
WEAK _Bool __VERIFIER_nondet_bool(void) {
    unsigned char value;
    feed(&value, sizeof value, "__VERIFIER_nondet_bool");
    return value != 0;
}

WEAK void __VERIFIER_nondet_memory(void *object, size_t size) {
    feed(object, size, "__VERIFIER_nondet_memory");
}

WEAK void __VERIFIER_assume(int condition) {
    assume(condition);
}

WEAK __attribute__((noreturn)) void __VERIFIER_error(void) {
    fail("error: __VERIFIER_error was called");
}

WEAK void __VERIFIER_assert(int condition) {
    if (!condition)
        fail("error: a __VERIFIER_assert does not hold");
}

WEAK __attribute__((noreturn)) void reach_error(void) {
    fail("error: reach_error was called");
}
