#include "everypath.h"

struct row {
    char tag;
    int *value;
    short marks[3];
};

int main(void) {
    int values[4] = {5, 6, 7, 8};
    struct row rows[4] = {{0}};
    for (int i = 0; i < 4; i++)
        rows[i].value = &values[i];
    size_t i = ep_choose(4);
    *rows[i].value += 1;
    ep_assert(values[i] == (int)(6 + i));
    rows[i].marks[i % 3] = 9;
    int marked = 0;
    for (int row = 0; row < 4; row++)
        for (int mark = 0; mark < 3; mark++)
            marked += rows[row].marks[mark] == 9;
    ep_assert(marked == 1);
    return 0;
}
