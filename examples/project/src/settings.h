#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdio.h>

enum { KEY_SIZE = 4, VALUE_SIZE = 4 };

/* A line `key=value`. */
struct setting {
    char key[KEY_SIZE];
    char value[VALUE_SIZE];
};

/* Reads the next setting; 1 if there was one, 0 at the end, -1 if a line is none. */
int next_setting(FILE *file, struct setting *setting);

#endif
