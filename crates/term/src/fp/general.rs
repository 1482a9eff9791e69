//! The operations on any format in any rounding mode, without the hardware.
//!
//! Callers use the functions of the parent module, which take a shortcut where
//! the machine has one. Tests come here to hold the shortcut and the definition
//! against each other.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Signed;

use super::exact::{Exact, Finite, Unpacked, cancelled, shift_right, signed, unpack};
use super::{canonical, has_sign, infinity, nan, neg, zero};
use crate::{FpFormat, RoundingMode};

/// `a + b`.
pub fn add(f: FpFormat, rm: RoundingMode, a: u128, b: u128) -> u128 {
    use Unpacked::{Finite, Infinite, Nan, Zero};
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) => nan(f),
        (Infinite { negative: m }, Infinite { negative: n }) if m != n => nan(f),
        (Zero { negative: m }, Zero { negative: n }) if m != n => cancelled(f, rm),
        (Infinite { .. }, _) | (_, Zero { .. }) => canonical(f, a),
        (_, Infinite { .. }) | (Zero { .. }, _) => canonical(f, b),
        (Finite(x), Finite(y)) => round_sum(f, rm, sum(x, y)),
    }
}

/// `a - b`.
pub fn sub(f: FpFormat, rm: RoundingMode, a: u128, b: u128) -> u128 {
    add(f, rm, a, neg(f, b))
}

/// `a * b`.
pub fn mul(f: FpFormat, rm: RoundingMode, a: u128, b: u128) -> u128 {
    use Unpacked::{Finite, Infinite, Nan, Zero};
    let negative = has_sign(f, a) != has_sign(f, b);
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) => nan(f),
        (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => nan(f),
        (Infinite { .. }, _) | (_, Infinite { .. }) => infinity(f, negative),
        (Zero { .. }, _) | (_, Zero { .. }) => zero(f, negative),
        (Finite(x), Finite(y)) => product(f, x, y).round(f, rm),
    }
}

/// `a / b`.
pub fn div(f: FpFormat, rm: RoundingMode, a: u128, b: u128) -> u128 {
    use Unpacked::{Finite, Infinite, Nan, Zero};
    let negative = has_sign(f, a) != has_sign(f, b);
    match (unpack(f, a), unpack(f, b)) {
        (Nan, _) | (_, Nan) => nan(f),
        (Infinite { .. }, Infinite { .. }) | (Zero { .. }, Zero { .. }) => nan(f),
        (Infinite { .. }, _) | (_, Zero { .. }) => infinity(f, negative),
        (Zero { .. }, _) | (_, Infinite { .. }) => zero(f, negative),
        (Finite(x), Finite(y)) => quotient(f, x, y).round(f, rm),
    }
}

/// `a * b + c`, rounded once.
pub fn fma(f: FpFormat, rm: RoundingMode, a: u128, b: u128, c: u128) -> u128 {
    use Unpacked::{Finite, Infinite, Nan, Zero};
    let negative = has_sign(f, a) != has_sign(f, b);
    match (unpack(f, a), unpack(f, b), unpack(f, c)) {
        (Nan, _, _) | (_, Nan, _) | (_, _, Nan) => nan(f),
        (Infinite { .. }, Zero { .. }, _) | (Zero { .. }, Infinite { .. }, _) => nan(f),
        (Infinite { .. }, _, Infinite { negative: n })
        | (_, Infinite { .. }, Infinite { negative: n })
            if n != negative =>
        {
            nan(f)
        }
        (Infinite { .. }, _, _) | (_, Infinite { .. }, _) => infinity(f, negative),
        (_, _, Infinite { negative }) => infinity(f, negative),
        (Zero { .. }, _, Zero { negative: n }) | (_, Zero { .. }, Zero { negative: n })
            if n != negative =>
        {
            cancelled(f, rm)
        }
        (Zero { .. }, _, _) | (_, Zero { .. }, _) => canonical(f, c),
        (Finite(x), Finite(y), Zero { .. }) => product(f, x, y).round(f, rm),
        (Finite(x), Finite(y), Finite(z)) => round_sum(f, rm, product_sum(f, x, y, z)),
    }
}

/// The square root of `a`.
pub fn sqrt(f: FpFormat, rm: RoundingMode, a: u128) -> u128 {
    match unpack(f, a) {
        Unpacked::Nan => nan(f),
        Unpacked::Zero { negative } => zero(f, negative),
        Unpacked::Infinite { negative: false } => infinity(f, false),
        Unpacked::Finite(x) if !x.negative => square_root(f, x).round(f, rm),
        Unpacked::Infinite { .. } | Unpacked::Finite(_) => nan(f),
    }
}

/// The IEEE remainder `a - b * n`, where `n` is the integer nearest to `a / b`,
/// the even one of two; a zero result has the sign of `a`.
pub fn rem(f: FpFormat, a: u128, b: u128) -> u128 {
    use Unpacked::{Finite, Infinite, Nan, Zero};
    match (unpack(f, a), unpack(f, b)) {
        (Nan | Infinite { .. }, _) | (_, Nan | Zero { .. }) => nan(f),
        (Zero { .. }, _) | (_, Infinite { .. }) => canonical(f, a),
        (Finite(x), Finite(y)) => remainder(f, x, y).round(f, RoundingMode::NearestEven),
    }
}

/// `a` rounded to an integer of the same format; a zero result has the sign of `a`.
///
/// Where the format is so narrow in exponent that the integer is too large for
/// it, the result is what the rounding mode makes of an overflow.
pub fn round_to_integral(f: FpFormat, rm: RoundingMode, a: u128) -> u128 {
    match unpack(f, a) {
        Unpacked::Finite(x) if x.exponent < 0 => {
            let shift = x.exponent.unsigned_abs();
            let integer = Exact {
                negative: x.negative,
                significand: shift_right(rm, x.negative, x.significand, false, shift),
                exponent: 0,
                sticky: false,
            };
            integer.round(f, rm)
        }
        Unpacked::Nan | Unpacked::Infinite { .. } | Unpacked::Zero { .. } | Unpacked::Finite(_) => {
            canonical(f, a)
        }
    }
}

/// The value of `a` in another format.
pub fn convert(from: FpFormat, to: FpFormat, rm: RoundingMode, a: u128) -> u128 {
    match unpack(from, a) {
        Unpacked::Nan => nan(to),
        Unpacked::Infinite { negative } => infinity(to, negative),
        Unpacked::Zero { negative } => zero(to, negative),
        Unpacked::Finite(x) => Exact::from(x).round(to, rm),
    }
}

/// Rounds a sum, of which `None` says that it cancelled.
fn round_sum(f: FpFormat, rm: RoundingMode, sum: Option<Exact>) -> u128 {
    sum.map_or_else(|| cancelled(f, rm), |sum| sum.round(f, rm))
}

/// The widest significand [`sum`] takes: with one bit for a carry and one for a
/// borrow, what a shift loses is too far down to cancel the rest.
const WIDEST_SUMMAND: u32 = 125;

/// `x + y`, unless that is zero.
fn sum(x: Finite, y: Finite) -> Option<Exact> {
    let (x, y) = if top(x) >= top(y) { (x, y) } else { (y, x) };
    let lead = x.significand.leading_zeros() - 1;
    let large = x.significand << lead;
    let exponent = x.exponent - i64::from(lead);
    let (small, sticky) = shift_to(y.significand, y.exponent - exponent);
    let (negative, significand) = if x.negative == y.negative {
        (x.negative, large + small)
    } else if small <= large {
        // The lost part of `y` takes one more than `small`, and leaves a fraction.
        (x.negative, large - small - u128::from(sticky))
    } else {
        (y.negative, small - large)
    };
    (significand != 0).then_some(Exact {
        negative,
        significand,
        exponent,
        sticky,
    })
}

/// The exponent of the first power of two above `x`.
fn top(x: Finite) -> i64 {
    x.exponent + 128 - i64::from(x.significand.leading_zeros())
}

/// The integer part of `significand * 2^shift`, and whether that is not all.
fn shift_to(significand: u128, shift: i64) -> (u128, bool) {
    match shift {
        0.. => (significand << shift, false),
        -127..0 => {
            let kept = significand >> -shift;
            (kept, kept << -shift != significand)
        }
        _ => (0, true),
    }
}

/// `x * y`.
fn product(f: FpFormat, x: Finite, y: Finite) -> Exact {
    if f.sb <= 64 {
        return Exact::from(short_product(x, y));
    }
    let significand = BigUint::from(x.significand) * y.significand;
    let negative = x.negative != y.negative;
    Exact::from_big(negative, &significand, x.exponent + y.exponent, false)
}

/// `x * y`, whose significand must fit.
fn short_product(x: Finite, y: Finite) -> Finite {
    Finite {
        negative: x.negative != y.negative,
        significand: x.significand * y.significand,
        exponent: x.exponent + y.exponent,
    }
}

/// `x * y + z`, unless that is zero.
fn product_sum(f: FpFormat, x: Finite, y: Finite, z: Finite) -> Option<Exact> {
    if 2 * u32::from(f.sb) <= WIDEST_SUMMAND {
        return sum(short_product(x, y), z);
    }
    let product = Scaled {
        significand: signed(x.negative != y.negative, x.significand.into()) * y.significand,
        exponent: x.exponent + y.exponent,
    };
    let addend = Scaled {
        significand: signed(z.negative, z.significand.into()),
        exponent: z.exponent,
    };
    wide_sum(product, addend)
}

/// The number `significand * 2^exponent`, not zero.
struct Scaled {
    significand: BigInt,
    exponent: i64,
}

impl Scaled {
    /// The exponent of the first power of two above the magnitude.
    fn top(&self) -> i64 {
        self.exponent + self.significand.bits() as i64
    }

    /// The significand this number has at a smaller exponent.
    fn at(&self, exponent: i64) -> BigInt {
        &self.significand << (self.exponent - exponent)
    }
}

/// `x + y`, unless that is zero.
fn wide_sum(x: Scaled, y: Scaled) -> Option<Exact> {
    let (x, mut y) = if x.top() >= y.top() { (x, y) } else { (y, x) };
    // No shorter than the format, `x` is a multiple of this power of two, and so is
    // every number a rounding of the sum decides at: a `y` below it may as well be
    // any other.
    let negligible = x.exponent - 2;
    if y.top() <= negligible {
        y = Scaled {
            significand: y.significand.signum(),
            exponent: negligible - 1,
        };
    }
    let exponent = x.exponent.min(y.exponent);
    let sum = x.at(exponent) + y.at(exponent);
    let negative = sum.sign() == Sign::Minus;
    (sum.sign() != Sign::NoSign)
        .then(|| Exact::from_big(negative, sum.magnitude(), exponent, false))
}

/// `x / y`, by long division in as large digits as leave the remainder room.
fn quotient(f: FpFormat, x: Finite, y: Finite) -> Exact {
    let digit = 128 - u32::from(f.sb);
    // The quotient of two significands of one length exceeds one half.
    let wanted = u32::from(f.sb) + 1;
    let (mut quotient, mut remainder) = divide(x.significand, y.significand);
    let mut done = 0;
    while done < wanted {
        let step = digit.min(wanted - done);
        let (next, rest) = divide(remainder << step, y.significand);
        quotient = (quotient << step) | next;
        remainder = rest;
        done += step;
    }
    Exact {
        negative: x.negative != y.negative,
        significand: quotient,
        exponent: x.exponent - y.exponent - i64::from(done),
        sticky: remainder != 0,
    }
}

/// Quotient and remainder, for the price of one division.
fn divide(x: u128, y: u128) -> (u128, u128) {
    let quotient = x / y;
    (quotient, x - quotient * y)
}

/// The square root of the magnitude of `x`, one bit at a time.
fn square_root(f: FpFormat, x: Finite) -> Exact {
    // At the top of the word, with an even exponent: no significand is so wide
    // that it would lose a bit on the way.
    let lead = i64::from(x.significand.leading_zeros());
    let lead = lead - (x.exponent - lead).rem_euclid(2);
    let exponent = x.exponent - lead;
    let mut digits = x.significand << lead;
    // So many pairs of digits, of which the first is not zero, are all of `x`.
    let wanted = u32::from(f.sb) + 1;
    let mut root = 0u128;
    let mut remainder = 0u128;
    for _ in 0..wanted {
        remainder = remainder << 2 | digits >> 126;
        digits <<= 2;
        let taken = root << 2 | 1;
        root <<= 1;
        if remainder >= taken {
            remainder -= taken;
            root |= 1;
        }
    }
    Exact {
        negative: false,
        significand: root,
        exponent: exponent / 2 + 64 - i64::from(wanted),
        sticky: remainder != 0,
    }
}

/// The IEEE remainder of `x` and `y`, which is exact.
fn remainder(f: FpFormat, x: Finite, y: Finite) -> Exact {
    let gap = x.exponent - y.exponent;
    if gap < -1 {
        // Less than half of `y` already.
        return Exact::from(x);
    }
    let exponent = y.exponent.min(x.exponent);
    let divisor = y.significand << (y.exponent - exponent);
    let (mut quotient, mut remainder) = divide(x.significand, divisor);
    let digit = 128 - i64::from(f.sb);
    let mut todo = gap;
    while todo > 0 {
        let step = digit.min(todo);
        // Of the quotient only the last bit matters, which is in its last digit.
        (quotient, remainder) = divide(remainder << step, divisor);
        todo -= step;
    }
    let twice = remainder * 2;
    let beyond_half = twice > divisor || (twice == divisor && quotient & 1 != 0);
    Exact {
        negative: x.negative != beyond_half,
        significand: if beyond_half {
            divisor - remainder
        } else {
            remainder
        },
        exponent,
        sticky: false,
    }
}
