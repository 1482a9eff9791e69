//! Conversions between formats, and from and to bit-vectors.

use super::super::aig::{Aig, Lit};
use super::super::circuits;
use super::Float;
use super::bounded::Bounded;
use super::round::{LeadingZeros, Rounding, Unrounded, round};
use term::FpFormat;

/// The value of `a` in another format.
pub fn convert(aig: &mut Aig, to: FpFormat, rm: Rounding, a: &Float) -> Float {
    if a.format() == to {
        return a.clone();
    }
    let wider_by = i64::from(to.bias()) - a.bias();
    let room = a.scale(aig).plus_constant(aig, wider_by - 1);
    let exact = Unrounded {
        sign: a.sign,
        zero: a.zero,
        room,
        significand: a.significand.clone(),
        sticky: Lit::FALSE,
        leading_zeros: LeadingZeros {
            usual: 0,
            unusual: if wider_by > 0 {
                a.subnormal
            } else {
                Lit::FALSE
            },
            most: if a.subnormal == Lit::FALSE {
                0
            } else {
                a.sb() - 1
            },
        },
    };
    let rounded = round(aig, to, rm, exact);
    rounded.or_special(aig, a.nan, a.inf, a.sign)
}

/// The value of an unsigned bit-vector.
pub fn from_unsigned(aig: &mut Aig, f: FpFormat, rm: Rounding, bits: &[Lit]) -> Float {
    from_magnitude(aig, f, rm, Lit::FALSE, bits)
}

/// The value of a signed bit-vector.
pub fn from_signed(aig: &mut Aig, f: FpFormat, rm: Rounding, bits: &[Lit]) -> Float {
    let sign = circuits::sign(bits);
    let magnitude = circuits::neg_if(aig, bits, sign);
    let zero = circuits::is_zero(aig, bits);
    let sign = aig.and(sign, !zero);
    from_magnitude(aig, f, rm, sign, &magnitude)
}

fn from_magnitude(aig: &mut Aig, f: FpFormat, rm: Rounding, sign: Lit, bits: &[Lit]) -> Float {
    let exact = Unrounded {
        sign,
        zero: circuits::is_zero(aig, bits),
        room: Bounded::constant(i64::from(f.bias()) + bits.len() as i64 - 2),
        significand: bits.to_vec(),
        sticky: Lit::FALSE,
        leading_zeros: LeadingZeros {
            usual: bits.len() - 1,
            unusual: Lit::FALSE,
            most: bits.len() - 1,
        },
    };
    round(aig, f, rm, exact)
}

/// The integer `a` rounds to; out of range the nearest in it, for NaN zero.
pub fn to_unsigned(aig: &mut Aig, rm: Rounding, a: &Float, width: usize) -> Vec<Lit> {
    let integer = Integer::of(aig, rm, a, width);
    let (rounded, carry) = circuits::increment(aig, &integer.bits, integer.up);
    // Where the bits are fewer than asked for, the carry cannot occur.
    let too_large = aig.or(integer.too_large, carry);
    let saturated = circuits::or_bit(aig, &circuits::zext(&rounded, width), too_large);
    let vanishes = aig.or(a.nan, a.sign);
    circuits::and_bit(aig, &saturated, !vanishes)
}

/// The integer `a` rounds to; out of range the nearest in it, for NaN zero.
pub fn to_signed(aig: &mut Aig, rm: Rounding, a: &Float, width: usize) -> Vec<Lit> {
    if width == 1 {
        // Of −1 and 0, the nearest is the sign of the nearest with more room.
        let wider = to_signed(aig, rm, a, 2);
        return vec![circuits::sign(&wider)];
    }
    let integer = Integer::of(aig, rm, a, width - 1);
    // Negation and rounding in one: −(m + 1) = ¬m and −m = ¬m + 1.
    let flipped = circuits::xor_bit(aig, &integer.bits, a.sign);
    let add = aig.xor(integer.up, a.sign);
    let (mut bits, carry) = circuits::increment(aig, &flipped, add);
    let top = aig.xor(a.sign, carry);
    bits.push(top);
    let bits = circuits::sext(&bits, width);

    // Where the bits are fewer than asked for, no rounding makes them more.
    let just = aig.and(!a.sign, circuits::sign(&bits));
    let too_large = aig.or(integer.too_large, just);
    let mut limit = vec![!a.sign; width - 1];
    limit.push(a.sign);
    let saturated = circuits::mux(aig, too_large, &limit, &bits);
    circuits::and_bit(aig, &saturated, !a.nan)
}

/// A magnitude cut to an integer.
struct Integer {
    bits: Vec<Lit>,
    /// The next integer is the one it rounds to.
    up: Lit,
    /// It has more bits than asked for.
    too_large: Lit,
}

impl Integer {
    /// The integer in `a`'s magnitude, of `width` bits or as many as it can have;
    /// at least one, so that no subnormal number reaches past them.
    fn of(aig: &mut Aig, rm: Rounding, a: &Float, width: usize) -> Integer {
        let scale = a.scale(aig);
        // One bit more than the greatest number has, for rounding up.
        let possible = (scale.high - a.bias() + 2).max(1) as usize;
        let width = width.min(possible);

        // The top bit starts as the highest of the integer, with one bit below
        // the lowest to round by, and is shifted right to where it belongs.
        let (reaching, below) = split_top(&a.significand, width + 1);
        let distance = Bounded::constant(width as i64 - 1 + a.bias()).minus(aig, &scale);
        // The scale of a zero may lie below what the others' bounds foresee.
        let far = aig.and(distance.is_negative(), !a.zero);
        let too_large = aig.or(far, a.inf);
        let distance = distance.magnitude_bits();
        let (shifted, lost) = circuits::lshr_sticky(aig, &reaching, distance);
        let below = aig.or_all(&below);
        let sticky = aig.or(below, lost);
        let (guard, bits) = (shifted[0], shifted[1..].to_vec());
        let last = bits.first().copied().unwrap_or(Lit::FALSE);
        Integer {
            up: rm.up(aig, a.sign, last, guard, sticky),
            bits,
            too_large,
        }
    }
}

/// The top `width` bits, padded with zeros below, and the bits below them.
fn split_top(bits: &[Lit], width: usize) -> (Vec<Lit>, Vec<Lit>) {
    let (below, top) = bits.split_at(bits.len().saturating_sub(width));
    let padding = vec![Lit::FALSE; width - top.len()];
    ([&padding[..], top].concat(), below.to_vec())
}
