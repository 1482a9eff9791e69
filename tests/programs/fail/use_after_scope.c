// run: --check scope
/* A variable of a block is gone after the block, each time that it ends. */
#include <everypath.h>
#include <string.h>

struct pair {
    int first, second;
};

static int *kept;

static int *keep(int *address) { return kept = address; }

int main(void) {
    unsigned char choice;
    ep_symbolic(&choice, 1, "choice");
    ep_assume(choice < 6);
    int *volatile pointer = NULL;
    int sum = 0;
    switch (choice) {
    case 0: {
        { int gone = 1; pointer = &gone; }
        return *pointer; // error: use-after-scope
    }
    case 1: {
        { int gone[4] = {0}; pointer = gone; }
        pointer[1] = 1; // error: use-after-scope
        return 0;
    }
    case 2:
        for (int i = 0; i < 3; i++) {
            int own = i;
            if (pointer) sum += *pointer; /* it lives again */
            pointer = &own;
        }
        return sum;
    case 3:
        for (int i = 0; i < 3; i++) keep(&i);
        return *kept; // error: use-after-scope
    case 4: {
        { struct pair gone = {1, 2}; pointer = &gone.second; }
        { struct pair other = {3, 4}; keep(&other.second); }
        return *pointer; // error: use-after-scope
    }
    case 5: {
        char text[4] = "abc", *copy;
        { char gone[4]; copy = strcpy(gone, text); }
        return (int)strlen(copy); // error: use-after-scope
    }
    }
    return 0;
}
