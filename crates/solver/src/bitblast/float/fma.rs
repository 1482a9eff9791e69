//! Fused multiplication and addition.

use super::super::aig::{Aig, Lit};
use super::super::circuits;
use super::Float;
use super::arithmetic::{Product, product};
use super::bounded::Bounded;
use super::round::{LeadingZeros, Rounding, Unrounded, round};

/// `a * b + c`, rounded once.
pub fn fma(aig: &mut Aig, rm: Rounding, a: &Float, b: &Float, c: &Float) -> Float {
    let product = product(aig, a, b);
    let opposite = aig.xor(product.sign, c.sign);
    let exact = exact_sum(aig, rm, &product, c, opposite);
    let rounded = round(aig, a.format(), rm, exact);

    let both_infinite = aig.and(product.inf, c.inf);
    let invalid = aig.and(both_infinite, opposite);
    let nan = aig.or_all(&[product.nan, c.nan, invalid]);
    let inf = aig.or(product.inf, c.inf);
    let inf_sign = aig.mux(c.inf, c.sign, product.sign);
    rounded.or_special(aig, nan, inf, inf_sign)
}

/// Adds like `add`, but in twice the width, and by scale only: neither the
/// product nor `c` is normalised, so the one with the greater scale need not be
/// the larger one. Its leading zeros cost no precision. Either the product has
/// them, at most as many as `c` has bits, and both are exact for so long; or
/// `c` is subnormal, and the result is rounded where `c` ends.
fn exact_sum(
    aig: &mut Aig,
    rm: Rounding,
    product: &Product,
    c: &Float,
    opposite: Lit,
) -> Unrounded {
    let product_scale = product.scales.plus_constant(aig, -c.bias());
    let mut c_scale = c.scale(aig);
    if c.zero != Lit::FALSE {
        c_scale.low = 1;
    }
    let (c_first, distance) = order_by_scale(aig, product.zero, &product_scale, &c_scale);
    let padding = vec![Lit::FALSE; product.significand.len() - c.sb()];
    let c_significand = [&padding[..], &c.significand].concat();
    let first = circuits::mux(aig, c_first, &c_significand, &product.significand);
    let second = circuits::mux(aig, c_first, &product.significand, &c_significand);
    let first_sign = aig.mux(c_first, c.sign, product.sign);

    let aligned = [&[Lit::FALSE; 2], &second[..]].concat();
    let (aligned, sticky) = circuits::lshr_sticky(aig, &aligned, &distance);
    let first = [&[Lit::FALSE; 3], &first[..]].concat();
    let second = [&[sticky], &aligned[..]].concat();
    let second_larger = circuits::ult(aig, &first, &second);
    let subtract_first = aig.and(opposite, second_larger);
    let subtract_second = aig.and(opposite, !second_larger);
    let first = circuits::xor_bit(aig, &first, subtract_first);
    let second = circuits::xor_bit(aig, &second, subtract_second);
    let (mut sum, carry) = circuits::add_with_carry(aig, &first, &second, opposite);
    sum.push(aig.and(carry, !opposite));

    let zero = circuits::is_zero(aig, &sum);
    let cancelled = aig.and(zero, opposite);
    let sign = aig.xor(first_sign, subtract_first);
    let least_room = product_scale.low.max(1).min(c.least_scale);
    let room = product_scale
        .unless(aig, c_first, &c_scale)
        .within(least_room, i64::MAX);
    Unrounded {
        sign: aig.mux(cancelled, rm.sign_of_cancellation(), sign),
        zero,
        room,
        leading_zeros: LeadingZeros {
            // No carry, and a product less than two.
            usual: 2,
            unusual: aig.or(opposite, product.subnormal_factor),
            most: sum.len() - 1,
        },
        significand: sum,
        sticky: Lit::FALSE,
    }
}

/// Whether `c` has the greater scale, and the distance of the two.
fn order_by_scale(
    aig: &mut Aig,
    product_zero: Lit,
    product_scale: &Bounded,
    c_scale: &Bounded,
) -> (Lit, Vec<Lit>) {
    let ahead = product_scale.minus(aig, c_scale);
    let behind = ahead.is_negative();
    let flipped = circuits::xor_bit(aig, &ahead.bits, behind);
    let (distance, _) = circuits::increment(aig, &flipped, behind);
    // A zero product has a scale without meaning, and must not push `c` out.
    (aig.or(behind, product_zero), distance)
}
