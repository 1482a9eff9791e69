/* stdlib.h: floating-point numbers out of text, rounded correctly.
 *
 * Short numbers are a single multiplication or division of exact values, which
 * stays symbolic when the digits are. Any other number is computed exactly in
 * decimal and rounded once. */
#include "internal.h"

/* The floating-point formats, by what rounding needs to know of them. */
struct format {
    int bits;      /* of the mantissa */
    int least;     /* exponent of the smallest normal number, 1.0 * 2^least */
    int greatest;  /* exponent of the largest numbers */
    int first_ten; /* powers of ten below which everything is zero, */
    int last_ten;  /* and above which everything is infinite */
};

static const struct format single = {24, -126, 127, -64, 40};
static const struct format twofold = {53, -1022, 1023, -344, 310};
#if LDBL_MANT_DIG == 64
static const struct format extended = {64, -16382, 16383, -4970, 4934};
#endif

/* A number as text: digits from `first` on, with a point somewhere or nowhere. */
struct text {
    const char *first, *end; /* what is before and after the digits is cut off */
    long long exponent;      /* as written after the e or p, clamped */
};

/* A number after rounding: mantissa * 2^(exponent - bits + 1). */
struct rounded {
    uint64_t mantissa;
    int exponent;
    int infinite;
};

/* What lies beyond the 64 bits of a mantissa, as a part of its last bit. */
enum rest { NO_REST, BELOW_HALF, HALF, ABOVE_HALF };

/* Rounds mantissa * 2^exponent, whose highest bit is set, to nearest or even. */
static struct rounded round_to(const struct format *format, uint64_t mantissa, int exponent,
                               enum rest rest) {
    int highest = exponent + 63;
    int dropped = 64 - format->bits;
    int is_tiny = highest < format->least;
    if (is_tiny) {
        dropped += format->least - highest;
        highest = format->least;
    }
    uint64_t kept = mantissa, lost = 0, half = 0;
    if (dropped > 0) {
        kept = dropped < 64 ? mantissa >> dropped : 0;
        lost = dropped < 64 ? mantissa << (64 - dropped) : mantissa;
        half = dropped <= 64 ? (uint64_t)1 << 63 : 0;
    }
    int is_exact = !lost && rest == NO_REST;
    int is_half = dropped > 0 ? half && lost == half && rest == NO_REST : rest == HALF;
    int is_more = dropped > 0 ? half && (lost > half || (lost == half && rest != NO_REST))
                              : rest == ABOVE_HALF;
    int up = is_more || (is_half && (kept & 1));
    if (is_tiny && !is_exact) {
        /* Not an underflow if rounding would have made it normal had the
         * exponents no lower limit: all bits set, and a half or more after. */
        uint64_t ones = UINT64_MAX << (64 - format->bits);
        int next_bit = format->bits < 64 ? (int)(mantissa << format->bits >> 63) : rest >= HALF;
        if (exponent + 63 != format->least - 1 || (mantissa & ones) != ones || !next_bit)
            errno = ERANGE;
    }
    kept += (unsigned)up;
    if (format->bits < 64 ? kept >> format->bits != 0 : up && kept == 0) {
        kept = (uint64_t)1 << (format->bits - 1);
        highest++;
    }
    struct rounded result = {kept, highest, highest > format->greatest};
    if (result.infinite)
        errno = ERANGE;
    return result;
}

static struct rounded decimal(const struct format *format, const struct text *text);
static struct rounded hexadecimal(const struct format *format, const struct text *text);

/* Powers of ten that are exact in double. */
static const double exact_powers[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* The number as one operation on two exact doubles, if it is short enough. */
static int short_number(uint64_t digits, long long power, double *value) {
    if (digits > (uint64_t)1 << DBL_MANT_DIG || power < -22 || power > 22)
        return 0;
    *value = power < 0 ? (double)digits / exact_powers[-power]
                       : (double)digits * exact_powers[power];
    return 1;
}

static const char *skip_word(const char *s, const char *word) {
    while (*word && (*s | 32) == *word) {
        s++;
        word++;
    }
    return *word ? NULL : s;
}

static const char *parse_exponent(const char *at, char letter, long long *exponent) {
    *exponent = 0;
    if ((*at | 32) != letter)
        return at;
    const char *digits = at + 1;
    int negative = *digits == '-';
    if (*digits == '-' || *digits == '+')
        digits++;
    if (!ep_is_digit(*digits))
        return at;
    for (; ep_is_digit(*digits); digits++)
        if (*exponent < 100000000)
            *exponent = *exponent * 10 + (*digits - '0');
    if (negative)
        *exponent = -*exponent;
    return digits;
}

/* What was found in the text. */
enum found { NOTHING, INFINITY_WORD, NAN_WORD, SHORT, DECIMAL, HEXADECIMAL };
struct number {
    enum found found;
    int negative;
    double value; /* of a short one */
    struct text text;
};

static const char *parse_digits(const char *at, struct number *number) {
    uint64_t digits = 0;
    long long count = 0, places = 0;
    int seen_point = 0;
    number->text.first = at;
    for (;; at++) {
        if (*at == '.' && !seen_point) {
            seen_point = 1;
        } else if (ep_is_digit(*at)) {
            places += seen_point;
            if (count++ < 19)
                digits = digits * 10 + (unsigned)(*at - '0');
        } else {
            break;
        }
    }
    number->text.end = at;
    if (!count)
        return NULL;
    at = parse_exponent(at, 'e', &number->text.exponent);
    number->found = DECIMAL;
    if (count <= 19 && short_number(digits, number->text.exponent - places, &number->value))
        number->found = SHORT;
    return at;
}

/* The digits after 0x, or NULL when there is none and the 0 stands alone. */
static const char *parse_hexadecimal(const char *at, struct number *number) {
    int seen_point = 0, seen_digit = 0;
    number->text.first = at;
    for (;; at++) {
        if (*at == '.' && !seen_point)
            seen_point = 1;
        else if (ep_digit_value((unsigned char)*at) < 16)
            seen_digit = 1;
        else
            break;
    }
    number->text.end = at;
    if (!seen_digit)
        return NULL;
    number->found = HEXADECIMAL;
    return parse_exponent(at, 'p', &number->text.exponent);
}

static const char *parse_nan(const char *at) {
    if (*at != '(')
        return at;
    const char *inside = at + 1;
    while (ep_digit_value((unsigned char)*inside) < 36 || *inside == '_')
        inside++;
    return *inside == ')' ? inside + 1 : at;
}

static struct number parse(const char *s, char **end) {
    struct number number = {.found = NOTHING};
    const char *at = s, *after;
    while (ep_is_space((unsigned char)*at))
        at++;
    if ((*at == '-') | (*at == '+'))
        number.negative = *at++ == '-';
    if ((after = skip_word(at, "inf"))) {
        number.found = INFINITY_WORD;
        const char *longer = skip_word(after, "inity");
        after = longer ? longer : after;
    } else if ((after = skip_word(at, "nan"))) {
        number.found = NAN_WORD;
        after = parse_nan(after);
    } else if (!(at[0] == '0' && (at[1] | 32) == 'x' &&
                 (after = parse_hexadecimal(at + 2, &number)))) {
        after = parse_digits(at, &number);
    }
    if (end)
        *end = (char *)(after ? after : s);
    return number;
}

static struct rounded round_number(const struct format *format, const struct number *number) {
    return number->found == DECIMAL ? decimal(format, &number->text)
                                    : hexadecimal(format, &number->text);
}

double strtod(const char *restrict s, char **restrict end) {
    struct number number = parse(s, end);
    uint64_t sign = (uint64_t)number.negative << 63;
    union {
        uint64_t bits;
        double value;
    } result = {sign};
    switch (number.found) {
    case NOTHING:
        return 0;
    case SHORT:
        return number.negative ? -number.value : number.value;
    case INFINITY_WORD:
        result.bits |= (uint64_t)0x7ff << 52;
        return result.value;
    case NAN_WORD:
        result.bits |= (uint64_t)0xfff << 51;
        return result.value;
    case DECIMAL:
    case HEXADECIMAL:
        break;
    }
    struct rounded rounded = round_number(&twofold, &number);
    uint64_t normal = rounded.mantissa >> 52;
    if (rounded.infinite)
        result.bits |= (uint64_t)0x7ff << 52;
    else
        result.bits |= (rounded.mantissa & (((uint64_t)1 << 52) - 1)) |
                       normal * (uint64_t)(rounded.exponent + 1023) << 52;
    return result.value;
}

static int is_between_floats(double value) {
    union {
        double value;
        uint64_t bits;
    } parts = {value};
    return (parts.bits & 0x1fffffff) == 0x10000000;
}

float strtof(const char *restrict s, char **restrict end) {
    struct number number = parse(s, end);
    union {
        uint32_t bits;
        float value;
    } result = {(uint32_t)number.negative << 31};
    switch (number.found) {
    case NOTHING:
        return 0;
    case INFINITY_WORD:
        result.bits |= 0xffu << 23;
        return result.value;
    case NAN_WORD:
        result.bits |= 0x1ffu << 22;
        return result.value;
    case SHORT:
        /* Rounding twice is right unless the double lies in the very middle of
         * two floats and the number itself may not. */
        if (!is_between_floats(number.value))
            return number.negative ? -(float)number.value : (float)number.value;
        number.found = DECIMAL;
        break;
    case DECIMAL:
    case HEXADECIMAL:
        break;
    }
    struct rounded rounded = round_number(&single, &number);
    uint32_t normal = (uint32_t)(rounded.mantissa >> 23);
    if (rounded.infinite)
        result.bits |= 0xffu << 23;
    else
        result.bits |= ((uint32_t)rounded.mantissa & ((1u << 23) - 1)) |
                       normal * (uint32_t)(rounded.exponent + 127) << 23;
    return result.value;
}

#if LDBL_MANT_DIG == 64
long double strtold(const char *restrict s, char **restrict end) {
    struct number number = parse(s, end);
    union {
        struct {
            uint64_t mantissa;
            uint16_t sign_and_exponent;
        } parts;
        long double value;
    } result = {.parts = {0, (uint16_t)(number.negative << 15)}};
    switch (number.found) {
    case NOTHING:
        return 0;
    case INFINITY_WORD:
        result.parts.mantissa = (uint64_t)1 << 63;
        result.parts.sign_and_exponent |= 0x7fff;
        return result.value;
    case NAN_WORD:
        result.parts.mantissa = (uint64_t)3 << 62;
        result.parts.sign_and_exponent |= 0x7fff;
        return result.value;
    case SHORT:
        number.found = DECIMAL;
        break;
    case DECIMAL:
    case HEXADECIMAL:
        break;
    }
    struct rounded rounded = round_number(&extended, &number);
    if (rounded.infinite) {
        result.parts.mantissa = (uint64_t)1 << 63;
        result.parts.sign_and_exponent |= 0x7fff;
    } else {
        uint64_t normal = rounded.mantissa >> 63;
        result.parts.mantissa = rounded.mantissa;
        result.parts.sign_and_exponent |= (uint16_t)(normal * (uint64_t)(rounded.exponent + 16383));
    }
    return result.value;
}
#else
/* On other machines long double has no more than the digits of double here. */
long double strtold(const char *restrict s, char **restrict end) {
    return strtod(s, end);
}
#endif

double atof(const char *s) {
    return strtod(s, NULL);
}

/* More digits than the longest number that lies between two long doubles. */
enum { MOST_LIMBS = 11600 / EP_LIMB_DIGITS };

/* The digits as a decimal number. Returns the power of ten of the first digit
 * that is not zero; there is one unless `number` stays empty. */
static long long read_digits(const struct text *text, struct ep_decimal *number) {
    const char *point = text->first, *at = text->first;
    while (point < text->end && *point != '.')
        point++;
    while (at < text->end && (*at == '0' || *at == '.'))
        at++;
    number->begin = number->end = number->point = 0;
    if (at == text->end)
        return 0;
    long long first_power = text->exponent + (at < point ? point - at - 1 : point - at);
    long long power = first_power;
    int limb = -1;
    for (; at < text->end; at++) {
        if (*at == '.')
            continue;
        /* The place of a digit: nine to a limb, the point after the units. */
        long long group = power >= 0 ? power / EP_LIMB_DIGITS : -((8 - power) / EP_LIMB_DIGITS);
        int within = (int)(power - group * EP_LIMB_DIGITS);
        int index = (int)(-1 - group);
        if (power == first_power)
            number->begin = limb = index;
        if (power == first_power || index != limb) {
            if (index - number->begin >= MOST_LIMBS) {
                /* No rounding can depend on more than the presence of these. */
                if (*at != '0')
                    *ep_decimal_limb(number, limb) |= 1;
                continue;
            }
            limb = index;
            *ep_decimal_limb(number, limb) = 0;
            number->end = limb + 1;
        }
        *ep_decimal_limb(number, limb) += (uint32_t)(*at - '0') * ep_power_of_ten[within];
        power--;
    }
    return first_power;
}

/* The largest whole number below the decimal one, which is less than 2^64. */
static uint64_t whole_part(struct ep_decimal *number) {
    uint64_t whole = 0;
    for (int i = number->begin; i < number->point; i++)
        whole = whole * EP_LIMB_BASE + (i < number->end ? *ep_decimal_limb(number, i) : 0);
    return whole;
}

static enum rest rest_of(struct ep_decimal *number) {
    uint32_t first = 0;
    int is_longer = 0;
    for (int i = number->begin; i < number->end; i++) {
        if (i == number->point)
            first = *ep_decimal_limb(number, i);
        else if (i > number->point && *ep_decimal_limb(number, i))
            is_longer = 1;
    }
    if (first == EP_LIMB_BASE / 2)
        return is_longer ? ABOVE_HALF : HALF;
    if (first > EP_LIMB_BASE / 2)
        return ABOVE_HALF;
    return first || is_longer ? BELOW_HALF : NO_REST;
}

__attribute__((noinline)) static struct rounded decimal(const struct format *format,
                                                        const struct text *text) {
    struct ep_decimal number;
    long long power = read_digits(text, &number);
    if (number.begin == number.end)
        return (struct rounded){0, 0, 0};
    if (power > format->last_ten || power < format->first_ten) {
        errno = ERANGE;
        return (struct rounded){0, 0, power > 0};
    }
    /* Shift until the whole part has 64 bits: 10^(power + 1) < 2^bits. */
    int digits = (int)power + 1;
    int bits = digits >= 0 ? (digits * 3322 + 999) / 1000 : digits * 3321 / 1000;
    int exponent = bits - 64;
    if (exponent > 0)
        ep_decimal_shift_right(&number, exponent);
    else
        ep_decimal_shift_left(&number, -exponent);
    uint64_t mantissa;
    while (!((mantissa = whole_part(&number)) >> 63)) {
        ep_decimal_shift_left(&number, 1);
        exponent--;
    }
    return round_to(format, mantissa, exponent, rest_of(&number));
}

static struct rounded hexadecimal(const struct format *format, const struct text *text) {
    uint64_t mantissa = 0;
    long long exponent = text->exponent;
    int seen_point = 0, beyond = 0, half = 0, more = 0;
    for (const char *at = text->first; at < text->end; at++) {
        if (*at == '.') {
            seen_point = 1;
            continue;
        }
        unsigned digit = ep_digit_value((unsigned char)*at);
        exponent -= seen_point ? 4 : 0;
        for (int place = 3; place >= 0; place--) {
            int bit = digit >> place & 1;
            if (!(mantissa >> 63)) {
                mantissa = mantissa * 2 + (unsigned)bit;
            } else {
                if (beyond++ == 0)
                    half = bit;
                else
                    more |= bit;
                exponent++;
            }
        }
    }
    if (!mantissa)
        return (struct rounded){0, 0, 0};
    while (!(mantissa >> 63)) {
        mantissa <<= 1;
        exponent--;
    }
    if (exponent > 20000 || exponent < -20000) {
        errno = ERANGE;
        return (struct rounded){0, 0, exponent > 0};
    }
    enum rest rest = half ? (more ? ABOVE_HALF : HALF) : (more ? BELOW_HALF : NO_REST);
    return round_to(format, mantissa, (int)exponent, rest);
}
