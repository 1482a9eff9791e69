//! What packed values stand for, and the one rounding that leads back.
//!
//! [`unpack`] gives a value's class and its exact number; [`Exact::round`] packs
//! an exact result, or one known to lie strictly between two neighbouring
//! integers of its scale. Every operation goes through these two.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

use super::{has_sign, infinity, magnitude, zero};
use crate::{FpFormat, RoundingMode};

/// A packed value by class, with what the class leaves open.
#[derive(Clone, Copy)]
pub(super) enum Unpacked {
    Nan,
    Infinite { negative: bool },
    Zero { negative: bool },
    Finite(Finite),
}

/// The number `±significand * 2^exponent`, not zero.
#[derive(Clone, Copy)]
pub(super) struct Finite {
    pub negative: bool,
    /// Exactly `sb` bits when unpacked, also for a subnormal.
    pub significand: u128,
    pub exponent: i64,
}

/// Reads a packed value.
pub(super) fn unpack(f: FpFormat, a: u128) -> Unpacked {
    let negative = has_sign(f, a);
    let magnitude = magnitude(f, a);
    if magnitude == 0 {
        return Unpacked::Zero { negative };
    }
    let top = infinity(f, false);
    if magnitude >= top {
        return if magnitude == top {
            Unpacked::Infinite { negative }
        } else {
            Unpacked::Nan
        };
    }
    let stored_bits = u32::from(f.sb) - 1;
    let hidden = 1u128 << stored_bits;
    let stored = magnitude & (hidden - 1);
    let biased = (magnitude >> stored_bits) as i64;
    Unpacked::Finite(if biased == 0 {
        let shift = stored.leading_zeros() - hidden.leading_zeros();
        Finite {
            negative,
            significand: stored << shift,
            exponent: smallest_exponent(f) - i64::from(shift),
        }
    } else {
        Finite {
            negative,
            significand: stored | hidden,
            exponent: smallest_exponent(f) + biased - 1,
        }
    })
}

/// The number `±(significand + fraction) * 2^exponent`, where the fraction is
/// zero or, if `sticky`, some unknown number strictly between 0 and 1.
///
/// A sticky number has at least one bit more than the format it is rounded to.
#[derive(Clone, Copy)]
pub(super) struct Exact {
    pub negative: bool,
    pub significand: u128,
    pub exponent: i64,
    pub sticky: bool,
}

impl From<Finite> for Exact {
    fn from(x: Finite) -> Exact {
        Exact {
            negative: x.negative,
            significand: x.significand,
            exponent: x.exponent,
            sticky: false,
        }
    }
}

impl Exact {
    /// The number `±(significand + fraction) * 2^exponent`, keeping no more bits
    /// than can matter to any rounding.
    pub fn from_big(negative: bool, significand: &BigUint, exponent: i64, sticky: bool) -> Exact {
        let excess = significand.bits().saturating_sub(128);
        let kept = match excess {
            0 => significand.to_u128(),
            _ => (significand >> excess).to_u128(),
        };
        let lost = significand.trailing_zeros().is_some_and(|z| z < excess);
        Exact {
            negative,
            significand: kept.expect("all but 128 bits are shifted out"),
            exponent: exponent + excess as i64,
            sticky: sticky || lost,
        }
    }

    /// The packed value this rounds to; zero keeps its sign.
    pub fn round(self, f: FpFormat, rm: RoundingMode) -> u128 {
        let Exact {
            negative,
            significand,
            exponent,
            sticky,
        } = self;
        if significand == 0 {
            return zero(f, negative);
        }
        let bits = 128 - i64::from(significand.leading_zeros());
        let stored_bits = i64::from(f.sb) - 1;
        // The exponent of the result's last bit, were exponents unbounded above.
        let last = (exponent + bits - 1 - stored_bits).max(smallest_exponent(f));
        let binade = last - smallest_exponent(f);
        if binade >= (1 << f.eb) - 2 {
            return overflow(f, rm, negative);
        }
        let kept = if last <= exponent {
            debug_assert!(!sticky, "a sticky number has bits to spare");
            significand << (exponent - last)
        } else {
            let shift = (last - exponent) as u64;
            shift_right(rm, negative, significand, sticky, shift)
        };
        // The hidden bit adds one to the exponent field, and so does a carry out
        // of the significand: both are right without a case of their own.
        let magnitude = ((binade as u128) << stored_bits) + kept;
        if magnitude >= infinity(f, false) {
            return overflow(f, rm, negative);
        }
        zero(f, negative) | magnitude
    }
}

/// `(significand + fraction) / 2^shift` rounded to an integer.
pub(super) fn shift_right(
    rm: RoundingMode,
    negative: bool,
    significand: u128,
    sticky: bool,
    shift: u64,
) -> u128 {
    if shift == 0 {
        return significand;
    }
    let (kept, half, below) = match shift {
        0..=127 => {
            let half = 1u128 << (shift - 1);
            let kept = significand >> shift;
            (kept, significand & half != 0, significand & (half - 1))
        }
        128 => (0, significand >> 127 != 0, significand << 1),
        _ => (0, false, significand),
    };
    let below = sticky || below != 0;
    let away = match rm {
        RoundingMode::NearestEven => half && (below || kept & 1 != 0),
        RoundingMode::NearestAway => half,
        RoundingMode::TowardPositive => !negative && (half || below),
        RoundingMode::TowardNegative => negative && (half || below),
        RoundingMode::TowardZero => false,
    };
    kept + u128::from(away)
}

/// The zero that two numbers of different sign make when they cancel exactly.
pub(super) fn cancelled(f: FpFormat, rm: RoundingMode) -> u128 {
    zero(f, rm == RoundingMode::TowardNegative)
}

/// The integer of this sign and magnitude.
pub(super) fn signed(negative: bool, magnitude: BigUint) -> BigInt {
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, magnitude)
}

/// The result where the rounded number exceeds every finite one.
fn overflow(f: FpFormat, rm: RoundingMode, negative: bool) -> u128 {
    let to_infinity = match rm {
        RoundingMode::NearestEven | RoundingMode::NearestAway => true,
        RoundingMode::TowardPositive => !negative,
        RoundingMode::TowardNegative => negative,
        RoundingMode::TowardZero => false,
    };
    // The pattern before an infinity is the largest number of its sign.
    infinity(f, negative) - u128::from(!to_infinity)
}

/// The exponent of the last bit of subnormals.
fn smallest_exponent(f: FpFormat) -> i64 {
    2 - i64::from(f.bias()) - i64::from(f.sb)
}
