/* Messages as lines of JSON, as `everypath model run` sends and expects them:
   {"channel": "coin", "values": [50]} */

#ifndef LINES_H
#define LINES_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
    char channel[64];
    int count;
    long long number[8];
    double real[8];
    char text[8][64];
    int flag[8];
};

/* Reads the next message; 0 at the end. */
static int receive(struct message *message)
{
    char line[4096];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    memset(message, 0, sizeof *message);
    char *at = strstr(line, "\"channel\"");
    if (at && (at = strchr(at + 9, '"')))
        sscanf(at + 1, "%63[^\"]", message->channel);
    at = strstr(line, "\"values\"");
    at = at ? strchr(at, '[') : NULL;
    while (at && *at && *at != ']' && message->count < 8) {
        at += strspn(at, "[ ,");
        if (*at == ']' || !*at)
            break;
        if (*at == '"')
            sscanf(at + 1, "%63[^\"]", message->text[message->count]);
        else
            message->number[message->count] = strtoll(at, NULL, 10);
        message->flag[message->count] = *at == 't';
        message->real[message->count] = strtod(at + (*at == '"'), NULL);
        message->count++;
        at += strcspn(at + 1, ",]") + 1;
    }
    return 1;
}

static int is(const struct message *message, const char *channel)
{
    return strcmp(message->channel, channel) == 0;
}

/* Sends a message; the values are written as JSON. */
static void emit(const char *channel, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("{\"channel\": \"%s\", \"values\": [", channel);
    vprintf(format, values);
    printf("]}\n");
    fflush(stdout);
    va_end(values);
}

#endif
