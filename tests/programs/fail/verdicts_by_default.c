/* Errors that nobody has to ask for: see the table of verdicts in docs/c.md. */
#include <everypath.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int global;

static void *checks(void *argument) {
    ep_assert(argument == NULL); // error: assert
    return NULL;
}

static int *local(void) {
    int gone = 1;
    int *volatile address = &gone;
    return address;
}

int main(void) {
    unsigned char choice;
    ep_symbolic(&choice, 1, "choice");
    char text[8] = "abcdefg";
    volatile int zero = 0, least = -2147483647 - 1, minus = -1, wide = 32;
    volatile unsigned four = 4;
    char *heap = malloc(4);
    pthread_t thread;
    switch (choice) {
    case 0: free(&global); break; // error: invalid-free
    case 1: free(text); break; // error: invalid-free
    case 2: free(heap + 1); break; // error: invalid-free
    case 3: free(heap); free(heap); break; // error: double-free
    case 4: memcpy(text + 1, text, four); break; // error: overlap
    case 5: { volatile char array[minus]; array[0] = 1; break; } // error: stack-overflow
    case 6: return 1 << wide; // error: shift
    case 7: return 1 / zero; // error: division
    case 8: return least / minus; // error: division
    case 9: return *local(); // error: use-after-return
    case 10: text[8] = 0; break; // error: out-of-bounds-write
    case 11:
        pthread_create(&thread, NULL, checks, text);
        pthread_join(thread, NULL);
        break;
    }
    return 0;
}
