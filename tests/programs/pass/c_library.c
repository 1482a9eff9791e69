/* Functions that come from the whole C library: regular expressions on a symbolic text,
 * calendars, the environment, search trees, wide characters, directories. */
#include <assert.h>
#include <dirent.h>
#include <everypath.h>
#include <fnmatch.h>
#include <libgen.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int compare(const void *left, const void *right) {
    return strcmp(left, right);
}

static void calendar(void) {
    char text[32];
    time_t year = 86400 * 365;
    struct tm parts;
    assert(gmtime_r(&year, &parts) == &parts);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    assert(strcmp(text, "1971-01-01 00:00:00") == 0);
    assert(timegm(&parts) == year);
}

static void environment(void) {
    assert(setenv("NAME", "value", 1) == 0);
    assert(strcmp(getenv("NAME"), "value") == 0);
    assert(unsetenv("NAME") == 0 && !getenv("NAME"));
}

static void files(void) {
    char name[] = "folder/file", copy[] = "folder/file";
    assert(mkdir("folder", 0777) == 0);
    FILE *file = fopen(name, "w+");
    assert(file && fprintf(file, "%d lines\n", 3) == 8);
    rewind(file);
    int lines = 0;
    assert(fscanf(file, "%d", &lines) == 1 && lines == 3);
    fclose(file);
    int found = 0;
    DIR *folder = opendir(dirname(copy));
    for (struct dirent *entry; (entry = readdir(folder));)
        found += strcmp(entry->d_name, "file") == 0;
    closedir(folder);
    struct stat status;
    assert(found == 1 && stat(name, &status) == 0 && status.st_size == 8);
    assert(remove(name) == 0 && rmdir("folder") == 0);
}

int main(void) {
    calendar();
    environment();
    files();
    void *root = NULL;
    tsearch("b", &root, compare);
    tsearch("a", &root, compare);
    assert(tfind("a", &root, compare) && !tfind("c", &root, compare));
    wchar_t wide[8];
    assert(mbstowcs(wide, "two", 8) == 3 && wcscmp(wide, L"two") == 0);
    assert(wcstol(L"12x", NULL, 10) == 12);
    assert(fnmatch("*.c", "file.c", 0) == 0);

    char text[4];
    ep_symbolic(text, sizeof text, "text");
    text[3] = 0;
    regex_t pattern;
    regmatch_t match;
    assert(regcomp(&pattern, "a.*b", REG_EXTENDED) == 0);
    int matches = regexec(&pattern, text, 1, &match, 0) == 0;
    regfree(&pattern);
    if (matches)
        assert(text[match.rm_so] == 'a' && text[match.rm_eo - 1] == 'b');
    return matches;
}
