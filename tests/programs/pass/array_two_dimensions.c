#include "everypath.h"

int main(void) {
    char board[3][4] = {{0}};
    size_t row = ep_choose(3), column = ep_choose(4);
    board[row][column] = 1;
    int set = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            set += board[i][j];
    ep_assert(set == 1);
    return 0;
}
