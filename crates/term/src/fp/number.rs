//! Between packed values and the integers and rationals.

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::exact::{Exact, Finite, Unpacked, shift_right, signed, unpack};
use crate::{FpFormat, RoundingMode};

/// The integer, rounded.
pub fn from_int(f: FpFormat, rm: RoundingMode, value: &BigInt) -> u128 {
    Exact::from_big(value.sign() == Sign::Minus, value.magnitude(), 0, false).round(f, rm)
}

/// The rational, rounded; zero gives `+0`.
pub fn from_rational(f: FpFormat, rm: RoundingMode, value: &BigRational) -> u128 {
    let negative = value.numer().sign() == Sign::Minus;
    let numerator = value.numer().magnitude();
    let denominator = value.denom().magnitude();
    // Enough for a quotient of 128 bits.
    let scale = (128 + denominator.bits()).saturating_sub(numerator.bits());
    let numerator = numerator << scale;
    let quotient = &numerator / denominator;
    let sticky = &quotient * denominator != numerator;
    Exact::from_big(negative, &quotient, -(scale as i64), sticky).round(f, rm)
}

/// `a` rounded to an integer of any size; `None` for NaN and the infinities.
pub fn to_int(f: FpFormat, rm: RoundingMode, a: u128) -> Option<BigInt> {
    match unpack(f, a) {
        Unpacked::Nan | Unpacked::Infinite { .. } => None,
        Unpacked::Zero { .. } => Some(BigInt::zero()),
        Unpacked::Finite(x) => Some(integer(rm, x)),
    }
}

/// `a` rounded to an integer, then to the nearest unsigned one of this width;
/// NaN gives 0.
pub fn to_unsigned(f: FpFormat, rm: RoundingMode, a: u128, width: u32) -> BigUint {
    let limit = (BigUint::one() << width) - 1u8;
    let wide = to_int_within(f, rm, a, &BigInt::zero(), &limit.into());
    wide.to_biguint().unwrap_or_default()
}

/// `a` rounded to an integer, then to the nearest signed one of this width;
/// NaN gives 0.
pub fn to_signed(f: FpFormat, rm: RoundingMode, a: u128, width: u32) -> BigInt {
    let half = (BigInt::one() << width) >> 1;
    to_int_within(f, rm, a, &-&half, &(&half - 1))
}

/// The number `a` is; `None` for NaN and the infinities.
pub fn to_rational(f: FpFormat, a: u128) -> Option<BigRational> {
    match unpack(f, a) {
        Unpacked::Nan | Unpacked::Infinite { .. } => None,
        Unpacked::Zero { .. } => Some(BigRational::zero()),
        Unpacked::Finite(x) => {
            let significand = signed(x.negative, x.significand.into());
            let scale = BigInt::one() << x.exponent.unsigned_abs();
            Some(if x.exponent < 0 {
                BigRational::new(significand, scale)
            } else {
                BigRational::from_integer(significand * scale)
            })
        }
    }
}

fn to_int_within(f: FpFormat, rm: RoundingMode, a: u128, low: &BigInt, high: &BigInt) -> BigInt {
    let saturated = |negative: bool| if negative { low } else { high }.clone();
    match unpack(f, a) {
        Unpacked::Nan | Unpacked::Zero { .. } => BigInt::zero(),
        Unpacked::Infinite { negative } => saturated(negative),
        // Not worth building: no integer in range has so many bits.
        Unpacked::Finite(x) if x.exponent > 0 && x.exponent as u64 > high.bits() => {
            saturated(x.negative)
        }
        Unpacked::Finite(x) => integer(rm, x).max(low.clone()).min(high.clone()),
    }
}

fn integer(rm: RoundingMode, x: Finite) -> BigInt {
    let magnitude = if x.exponent < 0 {
        let shift = x.exponent.unsigned_abs();
        BigUint::from(shift_right(rm, x.negative, x.significand, false, shift))
    } else {
        BigUint::from(x.significand) << x.exponent
    };
    signed(x.negative, magnitude)
}
