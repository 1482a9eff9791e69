/* What C leaves undefined and programs live with: none of it is an error unless it is asked
 * for, and none of it cuts a path off. See the table of verdicts in docs/c.md. */
#include <everypath.h>
#include <stdlib.h>
#include <string.h>

struct record {
    int pair[2];
    int after;
};

int main(void) {
    unsigned char choice;
    ep_symbolic(&choice, 1, "choice");
    ep_assume(choice < 8);
    int first[4] = {0}, second[4] = {0}, unset;
    volatile int most = 2147483647, minus = -1, none = 0, two = 2;
    volatile double huge = 1e30;
    struct record record = {{1, 2}, 3};
    char bytes[8] = {0};
    char *heap = malloc(4);
    switch (choice) {
    case 0: return first < second || first > second ? 0 : 1;
    case 1: return first - second != 0 ? 0 : 1;
    case 2: return most + 1 < 0 ? 0 : 1;
    case 3: return minus << 1 == -2 ? 0 : 1;
    case 4: return record.pair[two] == 3 ? 0 : 1;
    case 5: return (int)huge == -2147483647 - 1 ? 0 : 1;
    case 6: return *(int *)(bytes + 1);
    case 7: { volatile char array[none]; return sizeof array || unset * 0 || heap == NULL; }
    }
    return 0;
}
