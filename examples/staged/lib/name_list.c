/* Names in ascending order, none of them empty. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef MUTANT
#define MUTANT 0
#endif

struct Name {
    char *text;
    struct Name *next;
};

struct Names {
    struct Name *first;
};

bool repOk(const struct Names *names) {
    int count = 0;
    for (const struct Name *at = names->first; at != NULL; at = at->next) {
        if (++count > 4 || at->text == NULL || at->text[0] == 0)
            return false;
        if (at->next != NULL && at->next->text != NULL && strcmp(at->text, at->next->text) >= 0)
            return false;
    }
    return true;
}

/* Cuts every name after its first character; of those that are equal then, one is left. */
void shorten(struct Names *names) {
    for (struct Name *at = names->first; at != NULL; at = at->next) {
#if MUTANT == 1
        at->text[0] = 0;
#else
        at->text[1] = 0;
#endif
#if MUTANT != 2
        while (at->next != NULL && at->next->text[0] == at->text[0])
            at->next = at->next->next;
#endif
    }
}
