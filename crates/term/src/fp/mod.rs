//! IEEE 754 arithmetic on packed values of any [`FpFormat`], in any rounding
//! mode.
//!
//! The evaluator, the rewriter and the solver need one meaning of
//! floating-point terms that does not depend on the machine they run on: this
//! module is it. A packed value is a `u128` holding, from the top, the sign,
//! `eb` bits of exponent and `sb - 1` stored bits of significand; bits above
//! [`FpFormat::width`] are ignored. As in SMT-LIB there is one NaN: every NaN
//! pattern is understood, only the one of [`nan`] is produced.
//!
//! Every operation computes its exact result and rounds it once. For `float`
//! and `double` rounded to nearest even that is what the hardware does too, and
//! it is asked; everything else is computed by [`general`].
//!
//! ```
//! use term::{FpFormat, RoundingMode, fp};
//!
//! let half = FpFormat::HALF;
//! let third = fp::div(half, RoundingMode::TowardZero, 0x3c00, 0x4200);
//! assert_eq!(fp::to_decimal(half, third), "0.3333");
//! ```

mod decimal;
mod exact;
#[doc(hidden)]
pub mod general;
mod number;

use crate::{FpFormat, RoundingMode};

pub use decimal::to_decimal;
pub use general::{rem, round_to_integral};
pub use number::{from_int, from_rational, to_int, to_rational, to_signed, to_unsigned};

/// The NaN: positive, with only the top bit of its stored significand set.
pub fn nan(f: FpFormat) -> u128 {
    infinity(f, false) | 1 << (f.sb - 2)
}

/// The infinity of this sign.
pub fn infinity(f: FpFormat, negative: bool) -> u128 {
    zero(f, negative) | ((1 << f.eb) - 1) << (f.sb - 1)
}

/// The zero of this sign.
pub fn zero(f: FpFormat, negative: bool) -> u128 {
    u128::from(negative) << (f.width() - 1)
}

/// The same value with any NaN pattern replaced by [`nan`].
pub fn canonical(f: FpFormat, bits: u128) -> u128 {
    if is_nan(f, bits) {
        nan(f)
    } else {
        zero(f, has_sign(f, bits)) | magnitude(f, bits)
    }
}

/// Whether this is a NaN.
pub fn is_nan(f: FpFormat, a: u128) -> bool {
    magnitude(f, a) > infinity(f, false)
}

/// Whether this is one of the infinities.
pub fn is_infinite(f: FpFormat, a: u128) -> bool {
    magnitude(f, a) == infinity(f, false)
}

/// Whether this is one of the zeros.
pub fn is_zero(f: FpFormat, a: u128) -> bool {
    magnitude(f, a) == 0
}

/// Whether this is a number too small to have a hidden bit, but not zero.
pub fn is_subnormal(f: FpFormat, a: u128) -> bool {
    (1..smallest_normal(f)).contains(&magnitude(f, a))
}

/// Whether this is a finite number with a hidden bit.
pub fn is_normal(f: FpFormat, a: u128) -> bool {
    (smallest_normal(f)..infinity(f, false)).contains(&magnitude(f, a))
}

/// Whether this has its sign set and is not NaN.
pub fn is_negative(f: FpFormat, a: u128) -> bool {
    has_sign(f, a) && !is_nan(f, a)
}

/// Whether this has its sign clear and is not NaN.
pub fn is_positive(f: FpFormat, a: u128) -> bool {
    !has_sign(f, a) && !is_nan(f, a)
}

/// The magnitude of `a`.
pub fn abs(f: FpFormat, a: u128) -> u128 {
    canonical(f, magnitude(f, a))
}

/// `a` with its sign changed.
pub fn neg(f: FpFormat, a: u128) -> u128 {
    canonical(f, a ^ zero(f, true))
}

/// IEEE equality: NaN equals nothing, the zeros equal each other.
pub fn eq(f: FpFormat, a: u128, b: u128) -> bool {
    ordered(f, a, b) && rank(f, a) == rank(f, b)
}

/// IEEE less-than: false when either side is NaN.
pub fn lt(f: FpFormat, a: u128, b: u128) -> bool {
    ordered(f, a, b) && rank(f, a) < rank(f, b)
}

/// IEEE less-or-equal: false when either side is NaN.
pub fn le(f: FpFormat, a: u128, b: u128) -> bool {
    ordered(f, a, b) && rank(f, a) <= rank(f, b)
}

/// The smaller of two; a NaN loses, and `-0` is smaller than `+0`.
pub fn min(f: FpFormat, a: u128, b: u128) -> u128 {
    let a_wins = (rank(f, a), !has_sign(f, a)) <= (rank(f, b), !has_sign(f, b));
    select_unless_nan(f, a_wins, a, b)
}

/// The larger of two; a NaN loses, and `+0` is larger than `-0`.
pub fn max(f: FpFormat, a: u128, b: u128) -> u128 {
    let a_wins = (rank(f, a), !has_sign(f, a)) >= (rank(f, b), !has_sign(f, b));
    select_unless_nan(f, a_wins, a, b)
}

/// `a + b`.
pub fn add(f: FpFormat, rm: RoundingMode, a: u128, b: u128) -> u128 {
    hardware(f, rm, [a, b], |[a, b]| a + b, |[a, b]| a + b)
        .unwrap_or_else(|| general::add(f, rm, a, b))
}

/// `a - b`.
pub fn sub(f: FpFormat, rm: RoundingMode, a: u128, b: u128) -> u128 {
    hardware(f, rm, [a, b], |[a, b]| a - b, |[a, b]| a - b)
        .unwrap_or_else(|| general::sub(f, rm, a, b))
}

/// `a * b`.
pub fn mul(f: FpFormat, rm: RoundingMode, a: u128, b: u128) -> u128 {
    hardware(f, rm, [a, b], |[a, b]| a * b, |[a, b]| a * b)
        .unwrap_or_else(|| general::mul(f, rm, a, b))
}

/// `a / b`.
pub fn div(f: FpFormat, rm: RoundingMode, a: u128, b: u128) -> u128 {
    hardware(f, rm, [a, b], |[a, b]| a / b, |[a, b]| a / b)
        .unwrap_or_else(|| general::div(f, rm, a, b))
}

/// `a * b + c`, rounded once.
pub fn fma(f: FpFormat, rm: RoundingMode, a: u128, b: u128, c: u128) -> u128 {
    let single = |[a, b, c]: [f32; 3]| a.mul_add(b, c);
    let double = |[a, b, c]: [f64; 3]| a.mul_add(b, c);
    hardware(f, rm, [a, b, c], single, double).unwrap_or_else(|| general::fma(f, rm, a, b, c))
}

/// The square root of `a`.
pub fn sqrt(f: FpFormat, rm: RoundingMode, a: u128) -> u128 {
    hardware(f, rm, [a], |[a]| a.sqrt(), |[a]| a.sqrt()).unwrap_or_else(|| general::sqrt(f, rm, a))
}

/// The value of `a` in another format.
pub fn convert(from: FpFormat, to: FpFormat, rm: RoundingMode, a: u128) -> u128 {
    match (from, to, rm) {
        (FpFormat::SINGLE, FpFormat::DOUBLE, _) => packed_double(f64::from(single(a))),
        (FpFormat::DOUBLE, FpFormat::SINGLE, RoundingMode::NearestEven) => {
            packed_single(double(a) as f32)
        }
        _ => general::convert(from, to, rm, a),
    }
}

/// The result of the machine's own instruction, where it has one.
#[inline]
fn hardware<const N: usize>(
    f: FpFormat,
    rm: RoundingMode,
    operands: [u128; N],
    on_single: impl Fn([f32; N]) -> f32,
    on_double: impl Fn([f64; N]) -> f64,
) -> Option<u128> {
    match (f, rm) {
        (FpFormat::SINGLE, RoundingMode::NearestEven) => {
            Some(packed_single(on_single(operands.map(single))))
        }
        (FpFormat::DOUBLE, RoundingMode::NearestEven) => {
            Some(packed_double(on_double(operands.map(double))))
        }
        _ => None,
    }
}

fn single(a: u128) -> f32 {
    f32::from_bits(a as u32)
}

fn double(a: u128) -> f64 {
    f64::from_bits(a as u64)
}

fn packed_single(a: f32) -> u128 {
    canonical(FpFormat::SINGLE, a.to_bits().into())
}

fn packed_double(a: f64) -> u128 {
    canonical(FpFormat::DOUBLE, a.to_bits().into())
}

fn has_sign(f: FpFormat, a: u128) -> bool {
    a & zero(f, true) != 0
}

/// The bits below the sign; they order magnitudes, with NaNs above infinity.
fn magnitude(f: FpFormat, a: u128) -> u128 {
    a & (zero(f, true) - 1)
}

fn smallest_normal(f: FpFormat) -> u128 {
    1 << (f.sb - 1)
}

fn ordered(f: FpFormat, a: u128, b: u128) -> bool {
    !is_nan(f, a) && !is_nan(f, b)
}

/// A number that orders non-NaN values as IEEE does; the zeros share one.
fn rank(f: FpFormat, a: u128) -> i128 {
    // A magnitude has at most 127 bits, so neither the cast nor the negation wraps.
    let magnitude = magnitude(f, a) as i128;
    if has_sign(f, a) {
        -magnitude
    } else {
        magnitude
    }
}

fn select_unless_nan(f: FpFormat, a_wins: bool, a: u128, b: u128) -> u128 {
    if is_nan(f, b) || (a_wins && !is_nan(f, a)) {
        canonical(f, a)
    } else {
        canonical(f, b)
    }
}
