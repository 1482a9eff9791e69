//! Dividers.
//!
//! The divider restores: one trial subtraction for each bit of the dividend,
//! as wide as the remainder can be by then. Division by zero needs no case of
//! its own, since every trial subtraction of zero succeeds and leaves the
//! dividend, which is what SMT-LIB asks for.

use super::super::aig::{Aig, Lit};
use super::{
    add, and_bit, is_zero, mux, neg_if, sign, significant_width, sub_with_no_borrow, zext,
};

/// `a / b` and `a % b`, unsigned; by zero they are all ones and `a`.
pub fn udiv_urem(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    debug_assert_eq!(a.len(), b.len());
    let width = a.len();
    let divisor = &b[..significant_width(b)];
    let dividend = &a[..significant_width(a)];
    if let Some(exponent) = power_of_two(divisor) {
        return (zext(&a[exponent..], width), zext(&a[..exponent], width));
    }
    let by_zero = is_zero(aig, divisor);
    let reaches_above = suffix_ors(aig, divisor);

    let mut quotient = vec![by_zero; width];
    let mut remainder: Vec<Lit> = Vec::new();
    for position in (0..dividend.len()).rev() {
        remainder.insert(0, dividend[position]);
        let taken = zext(divisor, remainder.len());
        let (difference, no_borrow) = sub_with_no_borrow(aig, &remainder, &taken);
        let above = reaches_above
            .get(remainder.len())
            .copied()
            .unwrap_or(Lit::FALSE);
        let fits = aig.and(no_borrow, !above);
        quotient[position] = fits;
        remainder = mux(aig, fits, &difference, &remainder);
        // Less than the divisor now, unless that is zero.
        remainder.truncate(divisor.len());
    }
    let truncated = dividend.len() > divisor.len();
    let mut remainder = zext(&remainder, width);
    if truncated {
        remainder = mux(aig, by_zero, a, &remainder);
    }
    (quotient, remainder)
}

/// The exponent, if the bits are the constant two to its power.
fn power_of_two(divisor: &[Lit]) -> Option<usize> {
    let (&top, low) = divisor.split_last()?;
    let is_power = top == Lit::TRUE && low.iter().all(|&bit| bit == Lit::FALSE);
    is_power.then_some(low.len())
}

/// For each position, whether any bit at or above it is set.
fn suffix_ors(aig: &mut Aig, a: &[Lit]) -> Vec<Lit> {
    let mut any = Lit::FALSE;
    let mut suffixes: Vec<Lit> = a
        .iter()
        .rev()
        .map(|&bit| {
            any = aig.or(any, bit);
            any
        })
        .collect();
    suffixes.reverse();
    suffixes
}

/// `a / b`, signed, rounding toward zero; by zero it is 1 for negative `a`,
/// else −1.
pub fn sdiv(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (quotient, _) = magnitudes_divided(aig, a, b);
    let negative = aig.xor(sign(a), sign(b));
    neg_if(aig, &quotient, negative)
}

/// The remainder of [`sdiv`], with the sign of `a`; by zero it is `a`.
pub fn srem(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (_, remainder) = magnitudes_divided(aig, a, b);
    neg_if(aig, &remainder, sign(a))
}

/// The remainder of division rounding down, with the sign of `b`; by zero it
/// is `a`.
pub fn smod(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let remainder = srem(aig, a, b);
    let exact = is_zero(aig, &remainder);
    let signs_differ = aig.xor(sign(a), sign(b));
    let wraps = aig.and(!exact, signs_differ);
    let correction = and_bit(aig, b, wraps);
    add(aig, &remainder, &correction)
}

fn magnitudes_divided(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let a = neg_if(aig, a, sign(a));
    let b = neg_if(aig, b, sign(b));
    udiv_urem(aig, &a, &b)
}
