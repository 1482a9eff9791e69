/* Runs the tests that `everypath export` wrote, without Everypath.
 *
 * A test runs in a child process, so that one that crashes costs no other, and in a
 * directory that is new. Its inputs are handed over in a file of KLEE's format, which
 * replay.c feeds to the program; the program's `main` is called ep_test_main here. */

#define _GNU_SOURCE
#include "everypath_tests.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds after which a test is ended by SIGALRM. */
#define TIME_LIMIT 10

int ep_test_main(int argc, char **argv, char **environment);

/* Of replay.c: reads the test that the environment names. */
void __ep_load_test(void);

struct buffer {
    char *bytes;
    size_t size;
};

struct named {
    char *name;
    struct buffer content;
};

struct list {
    struct named *items;
    size_t count;
};

static struct buffer inputs, standard_input;
static uint32_t input_count;
static struct list arguments, variables, files;

static void *must(void *memory) {
    if (!memory) {
        fputs("everypath tests: no memory\n", stderr);
        abort();
    }
    return memory;
}

static void append(struct buffer *buffer, const void *bytes, size_t size) {
    buffer->bytes = must(realloc(buffer->bytes, buffer->size + size + 1));
    if (size)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    buffer->bytes[buffer->size] = 0;
}

static void clear(struct buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct buffer){NULL, 0};
}

static void add(struct list *list, const char *name, const void *bytes, size_t size) {
    list->items = must(realloc(list->items, (list->count + 1) * sizeof *list->items));
    struct named *item = &list->items[list->count++];
    *item = (struct named){must(strdup(name)), {NULL, 0}};
    append(&item->content, bytes, size);
}

static void clear_list(struct list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        clear(&list->items[i].content);
    }
    free(list->items);
    *list = (struct list){NULL, 0};
}

/* KLEE's numbers have the most significant byte first. */
static void append_number(struct buffer *buffer, uint32_t number) {
    unsigned char bytes[4] = {number >> 24, number >> 16, number >> 8, number};
    append(buffer, bytes, sizeof bytes);
}

void ep_test_begin(void) {
    clear(&inputs);
    clear(&standard_input);
    clear_list(&arguments);
    clear_list(&variables);
    clear_list(&files);
    input_count = 0;
}

void ep_test_bytes(const char *name, const void *bytes, size_t size) {
    append_number(&inputs, (uint32_t)strlen(name));
    append(&inputs, name, strlen(name));
    append_number(&inputs, (uint32_t)size);
    append(&inputs, bytes, size);
    input_count++;
}

void ep_test_int(const char *name, size_t size, long long value) {
    unsigned char bytes[16];
    memset(bytes, value < 0 ? 0xff : 0, sizeof bytes);
    memcpy(bytes, &value, sizeof value);
    ep_test_bytes(name, bytes, size <= sizeof bytes ? size : sizeof bytes);
}

void ep_test_float(const char *name, size_t size, double value) {
    float single = (float)value;
    if (size == sizeof single)
        ep_test_bytes(name, &single, sizeof single);
    else
        ep_test_bytes(name, &value, sizeof value);
}

void ep_test_argument(const void *bytes, size_t size) {
    add(&arguments, "", bytes, size);
}

void ep_test_variable(const char *name, const void *bytes, size_t size) {
    add(&variables, name, bytes, size);
}

void ep_test_file(const char *name, const void *bytes, size_t size) {
    add(&files, name, bytes, size);
}

void ep_test_stdin(const void *bytes, size_t size) {
    append(&standard_input, bytes, size);
}

static void give_up(const char *what) {
    perror(what);
    _exit(126);
}

static void write_file(const char *path, const struct buffer *content) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(content->size ? content->bytes : "", 1, content->size, file) != content->size ||
        fclose(file) != 0)
        give_up(path);
}

static void write_test(const char *path) {
    struct buffer test = {NULL, 0};
    append(&test, "KTEST", 5);
    append_number(&test, 3);
    append_number(&test, 0);
    append_number(&test, 0);
    append_number(&test, 0);
    append_number(&test, input_count);
    append(&test, inputs.bytes, inputs.size);
    write_file(path, &test);
    clear(&test);
}

/* The child: everything in its place, then the program. */
static void run_program(const char *room) {
    char test[PATH_MAX], input[PATH_MAX];
    snprintf(test, sizeof test, "%s/test.ktest", room);
    snprintf(input, sizeof input, "%s/stdin", room);
    write_test(test);
    write_file(input, &standard_input);
    if (chdir(room) != 0 || mkdir("directory", 0777) != 0 || chdir("directory") != 0)
        give_up(room);
    for (size_t i = 0; i < files.count; i++)
        write_file(files.items[i].name, &files.items[i].content);
    int in = open(input, O_RDONLY), out = open("/dev/null", O_WRONLY);
    if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
        give_up(input);
    close(in);
    close(out);
    clearenv();
    for (size_t i = 0; i < variables.count; i++)
        setenv(variables.items[i].name, variables.items[i].content.bytes, 1);
    setenv("EVERYPATH_KTEST", test, 1);
    __ep_load_test();
    char **argv = must(calloc(arguments.count + 2, sizeof *argv));
    argv[0] = must(strdup("program"));
    for (size_t i = 0; i < arguments.count; i++)
        argv[i + 1] = arguments.items[i].content.bytes;
    alarm(TIME_LIMIT);
    exit(ep_test_main((int)arguments.count + 1, argv, environ));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

int ep_test_run(void) {
    const char *parent = getenv("TMPDIR");
    char room[PATH_MAX];
    snprintf(room, sizeof room, "%s/everypath-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(room)) {
        perror(room);
        return 126;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_program(room);
    int status = 126 << 8;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        perror("everypath tests");
    nftw(room, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}
