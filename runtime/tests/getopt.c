/* getopt.h: random command lines, taken apart by both libraries. */
#define _GNU_SOURCE
#include <getopt.h>
#include "harness.h"

OURS(getopt);
OURS(getopt_long);
OURS(getopt_long_only);
OURS(optarg);
OURS(optind);
OURS(opterr);
OURS(optopt);

static const char *const words[] = {"-a",   "-b",    "-bc",   "-c",      "value", "-cx",
                                    "-",    "--",    "--all", "--al",    "--size", "--size=4",
                                    "-all", "--a",   "-ab",   "--all=1", "--opt", "--opt=o",
                                    "-z",   "--zzz", "",      "-dq",     "-d",    "-size"};
enum { WORDS = sizeof words / sizeof *words };

static int flag;
static const struct option options[] = {{"all", no_argument, NULL, 'A'},
                                        {"alter", no_argument, &flag, 3},
                                        {"size", required_argument, NULL, 'S'},
                                        {"opt", optional_argument, NULL, 'O'},
                                        {0}};
static const char *const letters[] = {"abc:d::", "+abc:", "-abc:", ":abc:", "c:"};

int main(void) {
    opterr = ours_opterr = 0;
    for (int round = 0; round < 20000; round++) {
        char *left[8] = {"program"}, *right[8] = {"program"};
        int count = 1 + (int)below(6), kind = (int)below(3);
        const char *known = letters[below(5)];
        for (int i = 1; i < count; i++)
            left[i] = right[i] = (char *)words[below(WORDS)];
        optind = ours_optind = 0;
        for (int step = 0; step < 12; step++) {
            int a_index = -1, b_index = -1, a, b;
            if (kind == 0) {
                a = getopt(count, left, known);
                b = ours_getopt(count, right, known);
            } else if (kind == 1) {
                a = getopt_long(count, left, known, options, &a_index);
                b = ours_getopt_long(count, right, known, options, &b_index);
            } else {
                a = getopt_long_only(count, left, known, options, &a_index);
                b = ours_getopt_long_only(count, right, known, options, &b_index);
            }
            int same = a == b && optind == ours_optind && optarg == ours_optarg &&
                       a_index == b_index && (a != '?' || optopt == ours_optopt);
            CHECK(same, "kind %d, \"%s\", step %d of %s %s %s %s %s: %d at %d, not %d at %d", kind,
                  known, step, count > 1 ? right[1] : "", count > 2 ? right[2] : "",
                  count > 3 ? right[3] : "", count > 4 ? right[4] : "", count > 5 ? right[5] : "", b,
                  ours_optind, a, optind);
            CHECK(memcmp(left, right, sizeof left) == 0, "the order of arguments");
            if (a == -1 || !same)
                break;
        }
    }
    return finish();
}
