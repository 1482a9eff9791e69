/* Exact decimal numbers, for printf() and strtod(): a floating-point number is
 * an integer times a power of two, and 10^9 has enough twos in it for halving
 * to be exact. */
#include "internal.h"

const uint32_t ep_power_of_ten[EP_LIMB_DIGITS + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

uint32_t *ep_decimal_limb(struct ep_decimal *number, int index) {
    return &number->limb[(unsigned)index % EP_LIMBS];
}

void ep_decimal_shift_left(struct ep_decimal *number, int bits) {
    /* A limb has 30 bits and so has the carry: 2^29 limbs fit in 64. */
    for (int step; bits > 0; bits -= step) {
        step = bits < 29 ? bits : 29;
        uint32_t carry = 0;
        for (int i = number->end - 1; i >= number->begin; i--) {
            uint32_t *limb = ep_decimal_limb(number, i);
            uint64_t product = ((uint64_t)*limb << step) + carry;
            *limb = (uint32_t)(product % EP_LIMB_BASE);
            carry = (uint32_t)(product / EP_LIMB_BASE);
        }
        if (carry)
            *ep_decimal_limb(number, --number->begin) = carry;
        while (number->end > number->begin && !*ep_decimal_limb(number, number->end - 1))
            number->end--;
    }
}

void ep_decimal_shift_right(struct ep_decimal *number, int bits) {
    /* 10^9 is divisible by 2^9, so what one limb loses the next one gets. */
    for (int step; bits > 0; bits -= step) {
        step = bits < 9 ? bits : 9;
        uint32_t carry = 0, mask = (1u << step) - 1;
        for (int i = number->begin; i < number->end; i++) {
            uint32_t *limb = ep_decimal_limb(number, i), whole = *limb;
            *limb = (whole >> step) + carry;
            carry = (EP_LIMB_BASE >> step) * (whole & mask);
        }
        if (carry && number->end - number->begin < EP_LIMBS - 8)
            *ep_decimal_limb(number, number->end++) = carry;
        else if (carry)
            /* So far to the right it only matters that there is something. */
            *ep_decimal_limb(number, number->end - 1) |= 1;
        if (number->begin < number->end && !*ep_decimal_limb(number, number->begin))
            number->begin++;
    }
}
