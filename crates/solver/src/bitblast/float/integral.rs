//! Rounding to an integer that stays a floating-point number.

use super::super::aig::{Aig, Lit};
use super::super::circuits;
use super::Float;
use super::bounded::Bounded;
use super::round::Rounding;

/// The integer `a` rounds to; a zero keeps the sign of `a`.
///
/// Rounds in place, at a position that depends on the exponent: the bits behind
/// the point are set, so that a carry passes through them, and then cleared.
pub fn round_to_integral(aig: &mut Aig, rm: Rounding, a: &Float) -> Float {
    let sb = a.sb();
    let scale = a.scale(aig);
    let (low, high) = (a.least_scale, a.greatest_scale);
    let behind_point = Bounded::constant(a.bias() + sb as i64 - 1).minus(aig, &scale);
    let mask = behind(aig, &behind_point, sb + 1);

    let significand = circuits::zext(&a.significand, sb + 1);
    let up = decision(aig, rm, a.sign, &significand, &mask);
    let filled = circuits::or(aig, a.fraction(), &mask[..sb - 1]);
    let (filled, carry) = circuits::increment(aig, &filled, up);
    let fraction = circuits::and(aig, &filled, &circuits::not(&mask[..sb - 1]));

    // Below one, all there can be is zero or one.
    let below_one = aig.or(mask[sb - 1], !a.hidden());
    let one = circuits::constant(a.exponent.len(), &(a.bias() as u64).into());
    let one_or_zero = circuits::and_bit(aig, &one, up);
    let (exponent, _) = circuits::increment(aig, &a.exponent, carry);
    let exponent = circuits::mux(aig, below_one, &one_or_zero, &exponent);
    let zero = aig.and(below_one, !up);

    // Only a format with numbers behind the point up to its greatest can
    // overflow here.
    let overflow = if high < a.bias() + sb as i64 - 1 {
        aig.and_all(&exponent)
    } else {
        Lit::FALSE
    };
    let greatest_finite = (1 << a.exponent.len()) - 2;
    let integral = Float {
        nan: Lit::FALSE,
        inf: overflow,
        zero,
        subnormal: Lit::FALSE,
        sign: a.sign,
        exponent,
        significand: [&fraction[..], &[!zero]].concat(),
        encodes_specials: true,
        least_scale: low.max(a.bias()),
        greatest_scale: (high + 1).max(a.bias()).min(greatest_finite),
    };
    integral.or_special(aig, a.nan, a.inf, a.sign)
}

/// For each of `width` positions whether it is among the lowest `count`.
fn behind(aig: &mut Aig, count: &Bounded, width: usize) -> Vec<Lit> {
    let stages = (usize::BITS - width.leading_zeros()) as usize;
    let bits = circuits::zext(count.magnitude_bits(), stages.max(count.bits.len()));
    let (low, high) = bits.split_at(stages);
    let all = aig.or_all(high);
    let mut below = vec![Lit::FALSE];
    for &bit in low {
        let bit = aig.or(bit, all);
        let bit = aig.and(bit, !count.is_negative());
        // The next bit of the count doubles the positions it can tell apart.
        let lower = circuits::or_bit(aig, &below, bit);
        let upper = circuits::and_bit(aig, &below, bit);
        below = [lower, upper].concat();
        below.truncate(width);
    }
    below
}

/// Whether to round up, where `mask` covers the bits behind the point.
fn decision(aig: &mut Aig, rm: Rounding, sign: Lit, bits: &[Lit], mask: &[Lit]) -> Lit {
    let shifted_down = [&mask[1..], &[Lit::FALSE]].concat();
    let shifted_up = [&[Lit::TRUE], &mask[..mask.len() - 1]].concat();
    let first_behind = circuits::and(aig, mask, &circuits::not(&shifted_down));
    let last_before = circuits::and(aig, &shifted_up, &circuits::not(mask));
    let mut any = |selected: &[Lit]| {
        let bits = circuits::and(aig, bits, selected);
        aig.or_all(&bits)
    };
    let (last, guard) = (any(&last_before), any(&first_behind));
    let sticky = any(&shifted_down);
    rm.up(aig, sign, last, guard, sticky)
}
