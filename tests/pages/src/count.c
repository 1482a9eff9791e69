// How often a letter comes in a text.
int count(const char *text, char letter) {
    int found = 0;
    for (; *text; text++)
        found += *text == letter;
    return found;
}
