/* Every way through a maze of 7 by 11 in 28 symbolic moves. */
#include <klee/klee.h>
#include <stdlib.h>

enum { HEIGHT = 7, WIDTH = 11, MOVES = 28 };

static char maze[HEIGHT][WIDTH + 1] = {
    "+-+---+---+",
    "| |     |#|",
    "| | --+ | |",
    "| |   | | |",
    "| +-- | | |",
    "|     |   |",
    "+-----+---+",
};

int main(void) {
    char program[MOVES];
    int x = 1, y = 1;
    klee_make_symbolic(program, sizeof program, "program");
    maze[y][x] = 'X';
    for (int i = 0; i < MOVES; i++) {
        int old_x = x, old_y = y;
        switch (program[i]) {
        case 'w': y--; break;
        case 's': y++; break;
        case 'a': x--; break;
        case 'd': x++; break;
        default: exit(1);
        }
        if (maze[y][x] == '#')
            klee_abort();
        /* A wall stops us, except one part of one. */
        if (maze[y][x] != ' ' && !(y == 2 && maze[y][x] == '|' && x > 0 && x < WIDTH)) {
            x = old_x;
            y = old_y;
        }
        if (old_x == x && old_y == y)
            exit(1);
        maze[y][x] = 'X';
    }
    return 1;
}
