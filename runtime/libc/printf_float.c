/* stdio.h: floating point in formatted output, every digit exact. */
#include "internal.h"

struct ep_float ep_unpack_double(double value) {
    union {
        double value;
        uint64_t bits;
    } word = {value};
    int exponent = (int)(word.bits >> 52 & 0x7ff);
    uint64_t fraction = word.bits & (((uint64_t)1 << 52) - 1);
    struct ep_float parts = {EP_FINITE, (int)(word.bits >> 63), fraction, -1074, 53};
    if (exponent == 0x7ff) {
        parts.kind = fraction ? EP_NAN : EP_INFINITE;
    } else if (exponent) {
        parts.mantissa |= (uint64_t)1 << 52;
        parts.exponent = exponent - 1075;
    }
    return parts;
}

#if LDBL_MANT_DIG == 64
struct ep_float ep_unpack_long_double(long double value) {
    union {
        long double value;
        struct {
            uint64_t mantissa;
            uint16_t sign_and_exponent;
        } parts;
    } word = {value};
    int exponent = word.parts.sign_and_exponent & 0x7fff;
    int negative = word.parts.sign_and_exponent >> 15;
    uint64_t mantissa = word.parts.mantissa;
    struct ep_float parts = {EP_FINITE, negative, mantissa, (exponent ? exponent : 1) - 16446, 64};
    if (exponent == 0x7fff)
        parts.kind = mantissa << 1 ? EP_NAN : EP_INFINITE;
    return parts;
}
#else
/* On other machines no more than the digits of double are shown. */
struct ep_float ep_unpack_long_double(long double value) {
    return ep_unpack_double((double)value);
}
#endif

/* Places in a decimal number: power 0 is the units, -1 the tenths. */

static int limb_index(const struct ep_decimal *number, long power) {
    long group = power >= 0 ? power / EP_LIMB_DIGITS : -((8 - power) / EP_LIMB_DIGITS);
    return (int)(number->point - 1 - group);
}

static int place_in_limb(long power) {
    return (int)(power >= 0 ? power % EP_LIMB_DIGITS : 8 - (-1 - power) % EP_LIMB_DIGITS);
}

static uint32_t limb_at(struct ep_decimal *number, int index) {
    int is_kept = index >= number->begin && index < number->end;
    return is_kept ? *ep_decimal_limb(number, index) : 0;
}

static char digit_at(struct ep_decimal *number, long power) {
    uint32_t limb = limb_at(number, limb_index(number, power));
    return (char)('0' + limb / ep_power_of_ten[place_in_limb(power)] % 10);
}

/* The power of the first digit; 0 for zero. */
static long first_power(struct ep_decimal *number) {
    if (number->begin == number->end)
        return 0;
    uint32_t limb = *ep_decimal_limb(number, number->begin);
    int digits = 0;
    while (digits < EP_LIMB_DIGITS && limb >= ep_power_of_ten[digits])
        digits++;
    return (long)EP_LIMB_DIGITS * (number->point - number->begin - 1) + digits - 1;
}

static void trim(struct ep_decimal *number) {
    while (number->begin < number->end && !*ep_decimal_limb(number, number->end - 1))
        number->end--;
    while (number->begin < number->end && !*ep_decimal_limb(number, number->begin))
        number->begin++;
}

static void from_float(struct ep_decimal *number, const struct ep_float *value) {
    uint64_t mantissa = value->mantissa;
    int exponent = value->exponent;
    number->point = 0;
    number->begin = -3;
    number->end = 0;
    while (mantissa && exponent < 0 && !(mantissa & 1)) {
        mantissa >>= 1;
        exponent++;
    }
    for (int index = -1; index >= -3; index--) {
        *ep_decimal_limb(number, index) = (uint32_t)(mantissa % EP_LIMB_BASE);
        mantissa /= EP_LIMB_BASE;
    }
    trim(number);
    if (exponent > 0)
        ep_decimal_shift_left(number, exponent);
    else
        ep_decimal_shift_right(number, -exponent);
}

static int has_digits_after(struct ep_decimal *number, int index) {
    for (int i = index + 1; i < number->end; i++)
        if (*ep_decimal_limb(number, i))
            return 1;
    return 0;
}

/* Adds one at the place of a limb that holds `unit`, carrying to the left. */
static void add(struct ep_decimal *number, int index, uint32_t unit) {
    for (;; index--, unit = 1) {
        if (index < number->begin) {
            number->begin = index;
            *ep_decimal_limb(number, index) = 0;
        }
        uint32_t sum = *ep_decimal_limb(number, index) + unit;
        if (sum < EP_LIMB_BASE) {
            *ep_decimal_limb(number, index) = sum;
            return;
        }
        *ep_decimal_limb(number, index) = sum - EP_LIMB_BASE;
    }
}

/* Rounds to nearest or even so that `last` is the lowest power with a digit. */
static void round_at(struct ep_decimal *number, long last) {
    /* The limb of the first power that is cut off, and what is cut off in it. */
    int index = limb_index(number, last - 1);
    uint32_t unit = ep_power_of_ten[place_in_limb(last - 1) + 1];
    if (index >= number->end)
        return;
    if (index < number->begin) {
        number->begin = number->end;
        return;
    }
    uint32_t *limb = ep_decimal_limb(number, index);
    uint32_t cut = *limb % unit, half = unit / 2;
    int is_odd = (digit_at(number, last) - '0') & 1;
    int up = cut > half || (cut == half && (is_odd || has_digits_after(number, index)));
    *limb -= cut;
    number->end = index + 1;
    if (up)
        add(number, index, unit);
    trim(number);
}

static const char *sign_of(const struct ep_conversion *conversion, const struct ep_float *value) {
    return value->negative ? "-" : conversion->plus ? "+" : conversion->space ? " " : "";
}

/* Puts "e+05": at least `least` digits after the sign. Returns how many bytes,
 * and puts nothing without a sink. */
static long put_exponent(struct ep_sink *sink, char letter, long exponent, int least) {
    char digits[8];
    int count = 0;
    unsigned long magnitude = exponent < 0 ? -(unsigned long)exponent : (unsigned long)exponent;
    do {
        digits[count++] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude || count < least);
    if (sink) {
        ep_sink_put(sink, letter);
        ep_sink_put(sink, exponent < 0 ? '-' : '+');
        for (int i = count - 1; i >= 0; i--)
            ep_sink_put(sink, digits[i]);
    }
    return count + 2;
}

/* Puts sign and padding, given the length of what follows; the padding that
 * must come after it is returned. */
static long put_before(struct ep_sink *sink, const struct ep_conversion *conversion,
                       const char *sign, long length) {
    long padding = conversion->width - length - (*sign ? 1 : 0);
    if (!conversion->left && !conversion->zero)
        ep_sink_fill(sink, ' ', padding);
    if (*sign)
        ep_sink_put(sink, *sign);
    if (!conversion->left && conversion->zero)
        ep_sink_fill(sink, '0', padding);
    return conversion->left ? padding : 0;
}

/* The number is large: it must not lie in the frame of every printf(). */
__attribute__((noinline)) static void format_decimal(struct ep_sink *sink,
                                                     const struct ep_conversion *conversion,
                                                     const struct ep_float *value) {
    struct ep_decimal number;
    char style = conversion->letter;
    long precision = conversion->precision < 0 ? 6 : conversion->precision;
    from_float(&number, value);
    if (style == 'g') {
        precision = precision ? precision : 1;
        round_at(&number, first_power(&number) - precision + 1);
        long first = first_power(&number);
        style = first < -4 || first >= precision ? 'e' : 'f';
        precision -= style == 'e' ? 1 : first + 1;
        long lowest = style == 'e' ? first : 0;
        while (!conversion->alternative && precision > 0 &&
               digit_at(&number, lowest - precision) == '0')
            precision--;
    } else {
        round_at(&number, (style == 'e' ? first_power(&number) : 0) - precision);
    }
    long first = first_power(&number);
    long exponent = style == 'e' ? first : 0;
    long highest = style == 'e' || first > 0 ? first : 0;
    int has_point = precision > 0 || conversion->alternative;
    char letter = conversion->upper ? 'E' : 'e';
    long length = highest - exponent + 1 + has_point + precision;
    if (style == 'e')
        length += put_exponent(NULL, letter, exponent, 2);
    long padding = put_before(sink, conversion, sign_of(conversion, value), length);
    for (long power = highest; power >= exponent; power--)
        ep_sink_put(sink, digit_at(&number, power));
    if (has_point)
        ep_sink_put(sink, '.');
    for (long place = 1; place <= precision; place++)
        ep_sink_put(sink, digit_at(&number, exponent - place));
    if (style == 'e')
        put_exponent(sink, letter, exponent, 2);
    ep_sink_fill(sink, ' ', padding);
}

/* %a: the mantissa in hexadecimal, as it is: one bit or, for long double, four
 * before the point. */
static void format_hexadecimal(struct ep_sink *sink, const struct ep_conversion *conversion,
                               const struct ep_float *value) {
    int digits = value->bits == 64 ? 15 : 13;
    uint64_t mantissa = value->mantissa;
    int exponent = mantissa ? value->exponent + 4 * digits : 0;
    long precision = conversion->precision;
    if (precision >= 0 && precision < digits) {
        int cut = 4 * (digits - (int)precision);
        uint64_t lost = mantissa & (((uint64_t)1 << cut) - 1), half = (uint64_t)1 << (cut - 1);
        mantissa >>= cut;
        mantissa += lost > half || (lost == half && (mantissa & 1));
        digits = (int)precision;
    }
    while (precision < 0 && digits > 0 && !(mantissa & 15)) {
        mantissa >>= 4;
        digits--;
    }
    unsigned lead = (unsigned)(digits < 16 ? mantissa >> (4 * digits) : 0);
    if (lead > 15) {
        lead = 1;
        exponent += 4;
    }
    long zeros = precision > digits ? precision - digits : 0;
    const char *alphabet = conversion->upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char letter = conversion->upper ? 'P' : 'p';
    int has_point = digits + zeros > 0 || conversion->alternative;
    long length = 3 + has_point + digits + zeros + put_exponent(NULL, letter, exponent, 1);
    const char *sign = sign_of(conversion, value);
    long padding = conversion->width - length - (*sign ? 1 : 0);
    if (!conversion->left && !conversion->zero)
        ep_sink_fill(sink, ' ', padding);
    if (*sign)
        ep_sink_put(sink, *sign);
    ep_sink_put(sink, '0');
    ep_sink_put(sink, conversion->upper ? 'X' : 'x');
    if (!conversion->left && conversion->zero)
        ep_sink_fill(sink, '0', padding);
    ep_sink_put(sink, alphabet[lead]);
    if (has_point)
        ep_sink_put(sink, '.');
    for (int i = digits - 1; i >= 0; i--)
        ep_sink_put(sink, alphabet[mantissa >> (4 * i) & 15]);
    ep_sink_fill(sink, '0', zeros);
    put_exponent(sink, letter, exponent, 1);
    if (conversion->left)
        ep_sink_fill(sink, ' ', padding);
}

void ep_format_float(struct ep_sink *sink, const struct ep_conversion *conversion,
                     const struct ep_float *value) {
    if (value->kind != EP_FINITE) {
        struct ep_conversion padding = *conversion;
        const char *small = value->kind == EP_NAN ? "nan" : "inf";
        const char *large = value->kind == EP_NAN ? "NAN" : "INF";
        padding.zero = 0;
        ep_format_padded(sink, &padding, sign_of(conversion, value), 0,
                         conversion->upper ? large : small, 3);
    } else if (conversion->letter == 'a') {
        format_hexadecimal(sink, conversion, value);
    } else {
        format_decimal(sink, conversion, value);
    }
}
