/* ctype.h against glibc: every character, every function, every table. */
#define _GNU_SOURCE
#include "harness.h"
#include <ctype.h>

OURS(__ctype_b_loc);
OURS(__ctype_tolower_loc);
OURS(__ctype_toupper_loc);

#define EACH(function)                                                                             \
    extern int ours_##function(int);                                                               \
    for (int c = -1; c < 256; c++)                                                                 \
    CHECK(ours_##function(c) == (function)(c), "%d: %d %d", c, ours_##function(c), (function)(c))

int main(void) {
    EACH(isalnum);
    EACH(isalpha);
    EACH(isblank);
    EACH(iscntrl);
    EACH(isdigit);
    EACH(isgraph);
    EACH(islower);
    EACH(isprint);
    EACH(ispunct);
    EACH(isspace);
    EACH(isupper);
    EACH(isxdigit);
    EACH(tolower);
    EACH(toupper);
    EACH(isascii);
    EACH(toascii);
    for (int c = -128; c < 256; c++) {
        CHECK((*ours___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "%d", c);
        CHECK((*ours___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "%d", c);
        CHECK((*ours___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "%d", c);
    }
    return finish();
}
