// Copies that must not overlap, each its own error; those that may are none.
#include <everypath.h>
#include <string.h>
int main(void) {
    char text[16] = "abcdef";
    unsigned char choice;
    ep_symbolic(&choice, 1, "choice");
    switch (choice) {
    case 0:
        strcpy(text, text + 4);
        return 0;
    case 1:
        strcpy(text + 2, text); // error: overlap
        return 1;
    case 2:
        strcpy(text, text + 2); // error: overlap
        return 2;
    case 3:
        memcpy(text + 1, text, 4); // error: overlap
        return 3;
    case 4:
        memmove(text + 1, text, 4);
        memcpy(text, text, 4);
        return 4;
    case 5:
        strcat(text, text); // error: overlap
        return 5;
    case 6:
        strncpy(text + 1, text, 3); // error: overlap
        return 6;
    }
    return 7;
}
