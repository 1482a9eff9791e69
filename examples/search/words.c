/* Words compared with their keys letter by letter, each only if the one before fits.
 *
 *     everypath run words.c --search fitness --max-errors 1
 *
 * The comparison counts the letters that fit and does not stop at the first that
 * does not, as code does that is not to tell by its time how much of a password was
 * right. Each letter that fits brings a word nearer to its key. */
#include <assert.h>
#include <everypath.h>

enum { LETTERS = 20 };

static int same_letters(const char *word, const char *key) {
    int same = 0;
    for (int i = 0; i < LETTERS; i++)
        if (word[i] == key[i])
            same++;
    return same;
}

int main(void) {
    char words[3][LETTERS];
    ep_symbolic(words, sizeof words, "words");
    if (same_letters(words[0], "opensesameopensesame") == LETTERS)
        if (same_letters(words[1], "shutsesameshutsesame") == LETTERS)
            assert(same_letters(words[2], "fortythieveswerehere") < LETTERS);
    return 0;
}
