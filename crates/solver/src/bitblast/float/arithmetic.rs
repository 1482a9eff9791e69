//! Sum, product, quotient and square root.

use super::super::aig::{Aig, Lit};
use super::super::circuits;
use super::Float;
use super::bounded::Bounded;
use super::round::{LeadingZeros, Rounding, Unrounded, round};

/// `a + b`.
pub fn add(aig: &mut Aig, rm: Rounding, a: &Float, b: &Float) -> Float {
    // One order for both orders of the operands, so that they share gates.
    let (a, b) = if fields(a) <= fields(b) {
        (a, b)
    } else {
        (b, a)
    };
    let swap = circuits::ult(aig, &fields(a), &fields(b));
    let (a_scale, b_scale) = (a.scale(aig), b.scale(aig));
    let scale = a_scale.unless(aig, swap, &b_scale);
    let smaller_scale = b_scale.unless(aig, swap, &a_scale);
    let larger = circuits::mux(aig, swap, &b.significand, &a.significand);
    let smaller = circuits::mux(aig, swap, &a.significand, &b.significand);
    let larger_sign = aig.mux(swap, b.sign, a.sign);
    let opposite = aig.xor(a.sign, b.sign);

    // Two bits below the last, and whether there are ones below those: a
    // difference of distant numbers loses at most one leading bit, and one of
    // close numbers loses nothing below.
    let distance = scale.minus(aig, &smaller_scale);
    let distance = distance.within(0, scale.high).magnitude_bits().to_vec();
    let aligned = [&[Lit::FALSE; 2], &smaller[..]].concat();
    let (aligned, sticky) = circuits::lshr_sticky(aig, &aligned, &distance);
    let larger = [&[Lit::FALSE; 3], &larger[..]].concat();
    let smaller = [&[sticky], &aligned[..]].concat();
    let addend = circuits::xor_bit(aig, &smaller, opposite);
    let (mut sum, carry) = circuits::add_with_carry(aig, &larger, &addend, opposite);
    sum.push(aig.and(carry, !opposite));

    let zero = circuits::is_zero(aig, &sum);
    let cancelled = aig.and(zero, opposite);
    let exact = Unrounded {
        sign: aig.mux(cancelled, rm.sign_of_cancellation(), larger_sign),
        zero,
        room: scale,
        leading_zeros: LeadingZeros {
            // A sum of subnormal numbers may have more, but no room for them.
            usual: 1,
            unusual: opposite,
            most: sum.len() - 1,
        },
        significand: sum,
        sticky: Lit::FALSE,
    };
    let sum = round(aig, a.format(), rm, exact);

    let both_infinite = aig.and(a.inf, b.inf);
    let invalid = aig.and(both_infinite, opposite);
    let nan = aig.or_all(&[a.nan, b.nan, invalid]);
    let inf = aig.or(a.inf, b.inf);
    let inf_sign = aig.mux(a.inf, a.sign, b.sign);
    sum.or_special(aig, nan, inf, inf_sign)
}

/// The bits that order finite magnitudes.
fn fields(a: &Float) -> Vec<Lit> {
    [a.fraction(), &a.exponent].concat()
}

/// `a * b`.
pub fn mul(aig: &mut Aig, rm: Rounding, a: &Float, b: &Float) -> Float {
    let product = product(aig, a, b);
    let normal_factors = product.subnormal_factor == Lit::FALSE;
    let exact = Unrounded {
        sign: product.sign,
        zero: product.zero,
        room: product.scales.plus_constant(aig, -1 - a.bias()),
        significand: product.significand,
        sticky: Lit::FALSE,
        leading_zeros: LeadingZeros {
            usual: 1,
            unusual: product.subnormal_factor,
            // There are more if both factors are subnormal, but no room for them.
            most: if normal_factors { 1 } else { a.sb() },
        },
    };
    let rounded = round(aig, a.format(), rm, exact);
    rounded.or_special(aig, product.nan, product.inf, product.sign)
}

/// A product before rounding.
pub(super) struct Product {
    pub sign: Lit,
    pub nan: Lit,
    pub inf: Lit,
    pub zero: Lit,
    /// Whether the significand may have more than one leading zero.
    pub subnormal_factor: Lit,
    /// The factors' scales, added, plus one: exceeds by the bias the scale of
    /// the significand's top bit.
    pub scales: Bounded,
    /// All bits of the product of the significands, two of them before the
    /// point.
    pub significand: Vec<Lit>,
}

pub(super) fn product(aig: &mut Aig, a: &Float, b: &Float) -> Product {
    let (a_scale, b_scale) = (a.scale(aig), b.scale(aig));
    let invalid = [aig.and(a.inf, b.zero), aig.and(a.zero, b.inf)];
    Product {
        sign: aig.xor(a.sign, b.sign),
        nan: aig.or_all(&[a.nan, b.nan, invalid[0], invalid[1]]),
        inf: aig.or(a.inf, b.inf),
        zero: aig.or(a.zero, b.zero),
        subnormal_factor: aig.or(a.subnormal, b.subnormal),
        scales: a_scale.sum(aig, &b_scale, Lit::TRUE),
        significand: circuits::mul_full(aig, &a.significand, &b.significand),
    }
}

/// `a / b`.
pub fn div(aig: &mut Aig, rm: Rounding, a: &Float, b: &Float) -> Float {
    let (a_scale, dividend) = a.normalised(aig);
    let (b_scale, divisor) = b.normalised(aig);
    let less = circuits::ult(aig, &dividend, &divisor);
    let room = a_scale
        .minus_with_borrow(aig, &b_scale, less)
        .plus_constant(aig, a.bias() - 1);
    let zero = aig.or(a.zero, b.inf);
    let (quotient, inexact) = significands_divided(aig, &dividend, &divisor, less);
    let sign = aig.xor(a.sign, b.sign);
    let exact = Unrounded {
        sign,
        zero,
        room,
        significand: circuits::and_bit(aig, &quotient, !zero),
        sticky: aig.and(inexact, !zero),
        leading_zeros: LeadingZeros::NONE,
    };
    let rounded = round(aig, a.format(), rm, exact);

    let zeros = aig.and(a.zero, b.zero);
    let infinities = aig.and(a.inf, b.inf);
    let nan = aig.or_all(&[a.nan, b.nan, zeros, infinities]);
    let inf = aig.or(a.inf, b.zero);
    rounded.or_special(aig, nan, inf, sign)
}

/// The quotient of two normalised significands, shifted to be normalised too,
/// with one bit to round by, and whether ones would follow. `less` tells
/// whether the dividend is less than the divisor.
fn significands_divided(
    aig: &mut Aig,
    dividend: &[Lit],
    divisor: &[Lit],
    less: Lit,
) -> (Vec<Lit>, Lit) {
    let sb = divisor.len();
    let divisor = circuits::zext(divisor, sb + 1);
    let doubled = [&[Lit::FALSE], dividend].concat();
    let start = circuits::mux(aig, less, &doubled, &circuits::zext(dividend, sb + 1));
    let mut remainder = circuits::sub(aig, &start, &divisor)[..sb].to_vec();
    let mut quotient = vec![Lit::TRUE];
    for _ in 0..sb {
        remainder.insert(0, Lit::FALSE);
        let (difference, fits) = circuits::sub_with_no_borrow(aig, &remainder, &divisor);
        remainder = circuits::mux(aig, fits, &difference[..sb], &remainder[..sb]);
        quotient.push(fits);
    }
    quotient.reverse();
    (quotient, aig.or_all(&remainder))
}

/// The square root of `a`.
pub fn sqrt(aig: &mut Aig, rm: Rounding, a: &Float) -> Float {
    let (scale, significand) = a.normalised(aig);
    // The bias is odd: an even scale is an odd exponent, of which one factor of
    // two goes into the radicand.
    let odd = !scale.bits[0];
    let room = scale.plus_constant(aig, a.bias() - 2).halved();
    let doubled = [&[Lit::FALSE], &significand[..]].concat();
    let single = circuits::zext(&significand, a.sb() + 1);
    let radicand = circuits::mux(aig, odd, &doubled, &single);
    let (root, inexact) = square_root(aig, &radicand);
    let exact = Unrounded {
        sign: a.sign,
        zero: a.zero,
        room,
        significand: root,
        sticky: inexact,
        leading_zeros: LeadingZeros::NONE,
    };
    let rounded = round(aig, a.format(), rm, exact);

    let negative = aig.and(a.sign, !a.zero);
    let nan = aig.or(a.nan, negative);
    rounded.or_special(aig, nan, a.inf, Lit::FALSE)
}

/// The square root of a number with two bits before the point, with one bit
/// before the point and as many bits in all, and whether ones would follow.
fn square_root(aig: &mut Aig, radicand: &[Lit]) -> (Vec<Lit>, Lit) {
    let mut digits = radicand.iter().rev().copied();
    // Highest first, while it grows.
    let mut root: Vec<Lit> = Vec::new();
    let mut remainder: Vec<Lit> = Vec::new();
    for _ in 0..radicand.len() {
        let mut next = || digits.next().unwrap_or(Lit::FALSE);
        let (high, low) = (next(), next());
        remainder.splice(0..0, [low, high]);
        let mut trial: Vec<Lit> = root.iter().rev().copied().collect();
        trial.splice(0..0, [Lit::TRUE, Lit::FALSE]);
        let trial = circuits::zext(&trial, remainder.len());
        let (difference, fits) = circuits::sub_with_no_borrow(aig, &remainder, &trial);
        remainder = circuits::mux(aig, fits, &difference, &remainder);
        root.push(fits);
        // A remainder is at most twice its root.
        remainder.truncate(root.len() + 1);
    }
    root.reverse();
    (root, aig.or_all(&remainder))
}
