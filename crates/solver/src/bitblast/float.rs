//! IEEE 754 floating point as circuits, exactly, for every format and rounding
//! mode.
//!
//! A [`Float`] is a packed value together with what is known about it. Unlike
//! the unpacked numbers of symfpu its significand is not normalised: taking a
//! value apart and putting it together again costs next to nothing, addition,
//! multiplication and fused multiplication need no normalised operands because
//! they normalise their result, and only division, square root and remainder
//! pay for a normalising shifter. Comparisons and classifications work on the
//! packed fields. Gates a result does not need are never reached from it, so
//! every flag is computed whether or not somebody will ask for it.
//!
//! All operations round in one place, `round`, which is told what the operands
//! make possible and leaves out the rest: a sum is never denormalised, a
//! `float` made a `double` never overflows, a constant rounding mode leaves one
//! case of five.

mod arithmetic;
mod bounded;
mod compare;
mod convert;
mod fma;
mod integral;
mod remainder;
mod round;

pub use arithmetic::{add, div, mul, sqrt};
pub use compare::{eq, le, lt, max, min, same};
pub use convert::{convert, from_signed, from_unsigned, to_signed, to_unsigned};
pub use fma::fma;
pub use integral::round_to_integral;
pub use remainder::{rem, rem_cost};
pub use round::Rounding;

use super::aig::{Aig, Lit};
use super::circuits;
use bounded::Bounded;
use num_bigint::BigUint;
use term::FpFormat;

/// A floating-point value.
///
/// At most one of the four class literals holds; if none does, the value is a
/// normal number. For finite values the fields are those of the packed value.
#[derive(Clone, Debug)]
pub struct Float {
    /// It is NaN; sign and fields then mean nothing.
    pub nan: Lit,
    /// It is an infinity; the fields then mean nothing, unless
    /// `encodes_specials`.
    pub inf: Lit,
    /// It is a zero.
    pub zero: Lit,
    /// It is not zero, but too small for a hidden bit.
    pub subnormal: Lit,
    /// It is negative, or the negative zero.
    pub sign: Lit,
    /// The biased exponent, `eb` bits; zero for subnormal numbers and zeros.
    pub exponent: Vec<Lit>,
    /// The stored bits with the hidden bit on top, `sb` bits.
    pub significand: Vec<Lit>,
    /// Whether the fields of infinities and NaNs too are those of a packed
    /// value.
    encodes_specials: bool,
    /// Bounds of [`Float::scale`] over the values that are finite and not zero.
    least_scale: i64,
    greatest_scale: i64,
}

/// The value packed in `bits`, which may be any NaN pattern.
pub fn unpack(aig: &mut Aig, f: FpFormat, bits: &[Lit]) -> Float {
    debug_assert_eq!(bits.len(), f.width() as usize);
    let (eb, sb) = (usize::from(f.eb), usize::from(f.sb));
    let (fraction, rest) = bits.split_at(sb - 1);
    let (exponent, sign) = (&rest[..eb], rest[eb]);

    let special = aig.and_all(exponent);
    let hidden = aig.or_all(exponent);
    let blank = circuits::is_zero(aig, fraction);
    let (least_scale, greatest_scale) = known_scales(exponent);
    Float {
        nan: aig.and(special, !blank),
        inf: aig.and(special, blank),
        zero: aig.and(!hidden, blank),
        subnormal: aig.and(!hidden, !blank),
        sign,
        exponent: exponent.to_vec(),
        significand: [fraction, &[hidden]].concat(),
        encodes_specials: true,
        least_scale,
        greatest_scale,
    }
}

/// The bounds that constant bits put on a finite value's exponent field, where
/// zero counts as one.
fn known_scales(exponent: &[Lit]) -> (i64, i64) {
    let read = |unknown: i64| {
        let bit = |lit: &Lit| {
            if lit.is_const() {
                i64::from(*lit == Lit::TRUE)
            } else {
                unknown
            }
        };
        exponent
            .iter()
            .rev()
            .fold(0, |value, lit| value << 1 | bit(lit))
    };
    let greatest_finite = (1 << exponent.len()) - 2;
    (
        read(0).clamp(1, greatest_finite),
        read(1).clamp(1, greatest_finite),
    )
}

/// The packed value; NaN is the positive one with only the top stored bit of
/// its significand set.
pub fn pack(aig: &mut Aig, a: &Float) -> Vec<Lit> {
    let mut bits = magnitude(aig, a);
    let (fraction, exponent) = bits.split_at_mut(a.significand.len() - 1);
    for bit in fraction.iter_mut() {
        *bit = aig.and(*bit, !a.nan);
    }
    let (quiet, _) = fraction
        .split_last_mut()
        .expect("a significand has at least two bits");
    *quiet = aig.or(*quiet, a.nan);
    if !a.encodes_specials {
        for bit in exponent {
            *bit = aig.or(*bit, a.nan);
        }
    }
    bits.push(aig.and(a.sign, !a.nan));
    bits
}

/// The packed bits below the sign, unless the value is NaN.
fn magnitude(aig: &mut Aig, a: &Float) -> Vec<Lit> {
    let fraction = a.fraction();
    if a.encodes_specials {
        return [fraction, &a.exponent].concat();
    }
    let fraction = circuits::and_bit(aig, fraction, !a.inf);
    let exponent = circuits::or_bit(aig, &a.exponent, a.inf);
    [fraction, exponent].concat()
}

/// The constant with this packed value.
pub fn constant(aig: &mut Aig, f: FpFormat, bits: u128) -> Float {
    let bits = circuits::constant(f.width() as usize, &BigUint::from(bits));
    unpack(aig, f, &bits)
}

/// `then` if `cond` holds, else `other`.
pub fn mux(aig: &mut Aig, cond: Lit, then: &Float, other: &Float) -> Float {
    let encodes_specials = then.encodes_specials && other.encodes_specials;
    Float {
        nan: aig.mux(cond, then.nan, other.nan),
        inf: aig.mux(cond, then.inf, other.inf),
        zero: aig.mux(cond, then.zero, other.zero),
        subnormal: aig.mux(cond, then.subnormal, other.subnormal),
        sign: aig.mux(cond, then.sign, other.sign),
        exponent: circuits::mux(aig, cond, &then.exponent, &other.exponent),
        significand: circuits::mux(aig, cond, &then.significand, &other.significand),
        encodes_specials,
        least_scale: then.least_scale.min(other.least_scale),
        greatest_scale: then.greatest_scale.max(other.greatest_scale),
    }
}

/// `a` with its sign changed.
pub fn neg(a: &Float) -> Float {
    Float {
        sign: !a.sign,
        ..a.clone()
    }
}

/// The magnitude of `a`.
pub fn abs(a: &Float) -> Float {
    Float {
        sign: Lit::FALSE,
        ..a.clone()
    }
}

/// Whether it is a finite number with a hidden bit.
pub fn is_normal(aig: &mut Aig, a: &Float) -> Lit {
    !aig.or_all(&[a.nan, a.inf, a.zero, a.subnormal])
}

/// Whether it has its sign set and is not NaN.
pub fn is_negative(aig: &mut Aig, a: &Float) -> Lit {
    aig.and(a.sign, !a.nan)
}

/// Whether it has its sign clear and is not NaN.
pub fn is_positive(aig: &mut Aig, a: &Float) -> Lit {
    aig.and(!a.sign, !a.nan)
}

impl Float {
    /// The format, which the widths of the fields tell.
    pub fn format(&self) -> FpFormat {
        FpFormat {
            eb: self.exponent.len() as u8,
            sb: self.significand.len() as u8,
        }
    }

    fn sb(&self) -> usize {
        self.significand.len()
    }

    fn bias(&self) -> i64 {
        self.format().bias().into()
    }

    fn fraction(&self) -> &[Lit] {
        &self.significand[..self.sb() - 1]
    }

    fn hidden(&self) -> Lit {
        circuits::sign(&self.significand)
    }

    /// The biased exponent of the significand's top bit: the exponent field,
    /// but one where that is zero.
    fn scale(&self, aig: &mut Aig) -> Bounded {
        let mut bits = self.exponent.clone();
        bits[0] = aig.or(bits[0], !self.hidden());
        Bounded::unsigned(&bits, self.least_scale, self.greatest_scale)
    }

    /// The significand shifted until its top bit is set, and that bit's scale,
    /// for values that are finite and not zero.
    fn normalised(&self, aig: &mut Aig) -> (Bounded, Vec<Lit>) {
        let scale = self.scale(aig);
        if self.subnormal == Lit::FALSE {
            return (scale, self.significand.clone());
        }
        let (significand, distance) = circuits::normalise(aig, &self.significand);
        let distance = Bounded::unsigned(&distance, 0, self.sb() as i64 - 1);
        (scale.minus(aig, &distance), significand)
    }

    /// The same value, but NaN where `nan` holds, else infinite with this sign
    /// where `inf` holds.
    fn or_special(self, aig: &mut Aig, nan: Lit, inf: Lit, inf_sign: Lit) -> Float {
        let special = aig.or(nan, inf);
        let infinite = aig.or(inf, self.inf);
        Float {
            nan,
            inf: aig.and(infinite, !nan),
            zero: aig.and(self.zero, !special),
            subnormal: aig.and(self.subnormal, !special),
            sign: aig.mux(inf, inf_sign, self.sign),
            encodes_specials: self.encodes_specials && special == Lit::FALSE,
            ..self
        }
    }
}

#[cfg(test)]
mod tests;
