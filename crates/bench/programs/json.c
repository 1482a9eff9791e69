/* A recursive-descent JSON parser on LENGTH symbolic bytes. */
#include <klee/klee.h>

static const char *at, *end;

static int value(int depth);

static int peek(void) { return at < end ? (unsigned char)*at : -1; }

static void blanks(void) {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')
        at++;
}

static int hex_digit(void) {
    int c = peek();
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        at++;
        return 1;
    }
    return 0;
}

static int string(void) {
    if (peek() != '"')
        return 0;
    at++;
    for (;;) {
        int c = peek();
        if (c < ' ')
            return 0;
        at++;
        if (c == '"')
            return 1;
        if (c != '\\')
            continue;
        switch (peek()) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
            at++;
            break;
        case 'u':
            at++;
            for (int i = 0; i < 4; i++)
                if (!hex_digit())
                    return 0;
            break;
        default:
            return 0;
        }
    }
}

static int digits(void) {
    if (!(peek() >= '0' && peek() <= '9'))
        return 0;
    while (peek() >= '0' && peek() <= '9')
        at++;
    return 1;
}

static int number(void) {
    if (peek() == '-')
        at++;
    if (peek() == '0')
        at++;
    else if (!digits())
        return 0;
    if (peek() == '.') {
        at++;
        if (!digits())
            return 0;
    }
    if (peek() == 'e' || peek() == 'E') {
        at++;
        if (peek() == '+' || peek() == '-')
            at++;
        if (!digits())
            return 0;
    }
    return 1;
}

static int word(const char *letters) {
    for (; *letters; letters++, at++)
        if (peek() != *letters)
            return 0;
    return 1;
}

static int array(int depth) {
    at++;
    blanks();
    if (peek() == ']') {
        at++;
        return 1;
    }
    for (;;) {
        if (!value(depth + 1))
            return 0;
        blanks();
        if (peek() == ']') {
            at++;
            return 1;
        }
        if (peek() != ',')
            return 0;
        at++;
    }
}

static int object(int depth) {
    at++;
    blanks();
    if (peek() == '}') {
        at++;
        return 1;
    }
    for (;;) {
        blanks();
        if (!string())
            return 0;
        blanks();
        if (peek() != ':')
            return 0;
        at++;
        if (!value(depth + 1))
            return 0;
        blanks();
        if (peek() == '}') {
            at++;
            return 1;
        }
        if (peek() != ',')
            return 0;
        at++;
    }
}

static int value(int depth) {
    if (depth > 16)
        return 0;
    blanks();
    switch (peek()) {
    case '{': return object(depth);
    case '[': return array(depth);
    case '"': return string();
    case 't': return word("true");
    case 'f': return word("false");
    case 'n': return word("null");
    default: return number();
    }
}

int main(void) {
    char text[LENGTH];
    klee_make_symbolic(text, sizeof text, "text");
    at = text;
    end = text + LENGTH;
    int good = value(0);
    blanks();
    return good && at == end ? 0 : 1;
}
