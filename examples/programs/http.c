/* http: reads a request of HTTP/1.1 from standard input, and shows how a server understands it.
 *
 *   everypath run http.c --sym-stdin 64
 *   everypath run http.c --sym-stdin 64 --grammar http.bnf
 *
 * Knows methods, targets with queries and escapes, headers, and bodies by length or in chunks.
 * A request that is wrong gets the status that a server would answer.
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_LINE = 40, MOST_HEADERS = 4, LARGEST_BODY = 16 };

struct header {
    char name[20];
    char value[24];
};

struct request {
    const char *method;
    char path[32];
    char query[32];
    int minor;
    struct header headers[MOST_HEADERS];
    int header_count;
    char body[LARGEST_BODY];
    size_t body_length;
};

static void answer(int status, const char *why) {
    printf("%d %s\n", status, why);
    exit(status / 100 != 2);
}

/* Reads a line without its CR LF; a bare LF is taken for one, a bare CR is not. */
static size_t read_line(char *line) {
    size_t length = 0;
    int c;
    while ((c = getchar()) != '\n') {
        if (c == EOF)
            answer(400, "the request is cut off");
#ifdef BUG_1 /* out-of-bounds-write */
        if (length > LONGEST_LINE)
#else
        if (length + 1 >= LONGEST_LINE)
#endif
            answer(431, "a line is too long");
        line[length++] = (char)c;
    }
    if (length > 0 && line[length - 1] == '\r')
        length--;
    line[length] = '\0';
    if (strchr(line, '\r'))
        answer(400, "a CR in the middle of a line");
    return length;
}

static const char *known_method(const char *word) {
    static const char *const methods[] = {"GET", "HEAD", "PUT", "POST"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(methods[i], word) == 0)
            return methods[i];
    }
    answer(501, "the method is not known");
    return NULL;
}

static int hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Decodes %41; a zero byte in a path would cut it off behind our back. */
static void decode(char *to, size_t room, const char *from) {
    size_t used = 0;
    for (; *from; from++) {
        char c = *from;
        if (c == '%') {
            int high = hex(from[1]);
            int low = high < 0 ? -1 : hex(from[2]);
            if (low < 0 || high * 16 + low == 0)
                answer(400, "an escape that means nothing");
            c = (char)(high * 16 + low);
            from += 2;
        } else if (c == '+') {
            c = ' ';
        }
        if (used + 1 >= room)
            answer(414, "the target is too long");
        to[used++] = c;
    }
    to[used] = '\0';
}

/* Takes `.` and `..` out of a path, and never climbs above its root. */
static void normalize(char *path) {
    char *to = path;
    const char *from = path;
    while (*from) {
        size_t length = 1 + strcspn(from + 1, "/");
        if (length == 3 && strncmp(from, "/..", 3) == 0) {
#ifdef BUG_2 /* out-of-bounds-read */
            do
                to--;
            while (*to != '/');
#else
            while (to > path && *--to != '/')
                ;
#endif
        } else if (!(length == 2 && from[1] == '.')) {
            memmove(to, from, length);
            to += length;
        }
        from += length;
    }
    if (to == path)
        *to++ = '/';
    *to = '\0';
}

static void read_target(struct request *request, char *target) {
    if (*target != '/')
        answer(400, "a target begins with a slash");
    char *query = strchr(target, '?');
    if (query) {
        *query++ = '\0';
        decode(request->query, sizeof request->query, query);
    }
    decode(request->path, sizeof request->path, target);
    normalize(request->path);
}

static void read_request_line(struct request *request, char *line) {
    char *target = strchr(line, ' ');
    char *version = target ? strchr(target + 1, ' ') : NULL;
    if (!version)
        answer(400, "a request line has three parts");
    *target++ = '\0';
    *version++ = '\0';
    if (strncmp(version, "HTTP/1.", 7) != 0 || !isdigit((unsigned char)version[7]) || version[8])
        answer(505, "the version is not known");
    request->minor = version[7] - '0';
    request->method = known_method(line);
    read_target(request, target);
}

static void read_header(struct request *request, char *line) {
    if (request->header_count == MOST_HEADERS)
        answer(431, "too many headers");
    struct header *header = &request->headers[request->header_count++];
    char *value = strchr(line, ':');
    if (!value || value == line || isspace((unsigned char)value[-1]))
        answer(400, "a header has a name, a colon and a value");
    *value++ = '\0';
    value += strspn(value, " \t");
    if (strlen(line) >= sizeof header->name || strlen(value) >= sizeof header->value)
        answer(431, "a header is too long");
    strcpy(header->name, line);
    strcpy(header->value, value);
}

static const char *header(const struct request *request, const char *name) {
    const char *found = NULL;
    for (int i = 0; i < request->header_count; i++) {
        if (strcasecmp(request->headers[i].name, name) != 0)
            continue;
        if (found && strcmp(found, request->headers[i].value) != 0)
            answer(400, "a header is given twice");
        found = request->headers[i].value;
    }
    return found;
}

static void read_body(struct request *request, size_t length) {
    if (length > LARGEST_BODY - request->body_length)
        answer(413, "the body is too large");
    for (size_t i = 0; i < length; i++) {
        int c = getchar();
        if (c == EOF)
            answer(400, "the body is cut off");
        request->body[request->body_length++] = (char)c;
    }
}

static void read_chunks(struct request *request) {
    char line[LONGEST_LINE];
    for (;;) {
        size_t length = 0;
        read_line(line);
        if (hex(*line) < 0)
            answer(400, "a chunk has no size");
        for (char *at = line; hex(*at) >= 0 && length < LARGEST_BODY; at++)
            length = length * 16 + (size_t)hex(*at);
        if (length == 0)
            break;
        read_body(request, length);
        if (read_line(line) != 0)
            answer(400, "a chunk is longer than its size");
    }
}

static void read_any_body(struct request *request) {
    const char *coding = header(request, "Transfer-Encoding");
    const char *length = header(request, "Content-Length");
    if (coding && length)
        answer(400, "a length and chunks: nobody knows where the next request begins");
    if (coding) {
        if (strcasecmp(coding, "chunked") != 0)
            answer(501, "the coding is not known");
        read_chunks(request);
    } else if (length) {
        if (strspn(length, "0123456789") != strlen(length) || !*length)
            answer(400, "a length is a number");
        read_body(request, strlen(length) > 9 ? SIZE_MAX : (size_t)atol(length));
    }
}

static void put(const struct request *request) {
    printf("%s %s", request->method, request->path);
    if (*request->query)
        printf(" with %s", request->query);
    printf(", version 1.%d\n", request->minor);
    for (int i = 0; i < request->header_count; i++)
        printf("%s = %s\n", request->headers[i].name, request->headers[i].value);
    fwrite(request->body, 1, request->body_length, stdout);
}

int main(void) {
    static struct request request;
    char line[LONGEST_LINE];
    if (read_line(line) == 0)
        read_line(line);
    read_request_line(&request, line);
    while (read_line(line) > 0)
        read_header(&request, line);
    if (request.minor > 0 && !header(&request, "Host"))
        answer(400, "HTTP/1.1 needs a host");
    read_any_body(&request);
    put(&request);
    answer(200, "understood");
}
