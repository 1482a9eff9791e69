/* A maze whose moves are the input: Everypath finds every way through.
 *
 *     everypath run examples/maze.c
 *
 * Reaching the `#` fails an assertion, so each error is a solution and its
 * input is the moves (w up, s down, a left, d right) that lead there. One wall
 * is thinner than it looks. */
#include <everypath.h>

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
    char moves[MOVES];
    ep_symbolic(moves, sizeof moves, "moves");

    int x = 1, y = 1;
    maze[y][x] = 'X';
    for (int i = 0; i < MOVES; i++) {
        int old_x = x, old_y = y;
        switch (moves[i]) {
        case 'w': y--; break;
        case 's': y++; break;
        case 'a': x--; break;
        case 'd': x++; break;
        default: return 1;
        }
        ep_assert(maze[y][x] != '#');
        /* A wall stops us, except one part of one. */
        if (maze[y][x] != ' ' && !(y == 2 && maze[y][x] == '|' && x > 0 && x < WIDTH - 1)) {
            x = old_x;
            y = old_y;
        }
        if (x == old_x && y == old_y)
            return 1;
        maze[y][x] = 'X';
    }
    return 1;
}
