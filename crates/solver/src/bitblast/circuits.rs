//! Bit-vector operations as circuits of [`Aig`] gates.
//!
//! A vector is a slice of literals, least significant bit first, of any width;
//! operands of one operation have one width unless its line says otherwise.
//! Every circuit computes SMT-LIB's function exactly, also for division by
//! zero and for shifts past the width. Constant operands need no versions of
//! their own where folding in the graph already leaves a small circuit.

mod divide;
mod multiply;
mod shift;

pub use divide::{sdiv, smod, srem, udiv_urem};
pub use multiply::{mul, mul_full};
pub use shift::{ashr, lshr, lshr_sticky, normalise, shl};

use super::aig::{Aig, Lit};
use num_bigint::BigUint;

/// The low `width` bits of `value`.
pub fn constant(width: usize, value: &BigUint) -> Vec<Lit> {
    (0..width as u64)
        .map(|bit| Lit::constant(value.bit(bit)))
        .collect()
}

/// The number the bits spell, if all of them are constants.
pub fn as_constant(a: &[Lit]) -> Option<BigUint> {
    let mut value = BigUint::default();
    for (bit, &lit) in a.iter().enumerate() {
        if !lit.is_const() {
            return None;
        }
        value.set_bit(bit as u64, lit == Lit::TRUE);
    }
    Some(value)
}

/// `a` with zeros above, or cut off, to `width` bits.
pub fn zext(a: &[Lit], width: usize) -> Vec<Lit> {
    extended(a, width, Lit::FALSE)
}

/// `a` with copies of its sign above, or cut off, to `width` bits.
pub fn sext(a: &[Lit], width: usize) -> Vec<Lit> {
    extended(a, width, sign(a))
}

fn extended(a: &[Lit], width: usize, fill: Lit) -> Vec<Lit> {
    let mut bits = a.to_vec();
    bits.resize(width, fill);
    bits
}

/// The most significant bit; false for the empty vector.
pub fn sign(a: &[Lit]) -> Lit {
    a.last().copied().unwrap_or(Lit::FALSE)
}

/// Bitwise negation.
pub fn not(a: &[Lit]) -> Vec<Lit> {
    a.iter().map(|&bit| !bit).collect()
}

/// Bitwise conjunction.
pub fn and(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    bitwise(a, b, |x, y| aig.and(x, y))
}

/// Bitwise disjunction.
pub fn or(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    bitwise(a, b, |x, y| aig.or(x, y))
}

/// Bitwise exclusive or.
pub fn xor(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    bitwise(a, b, |x, y| aig.xor(x, y))
}

/// `then` if `cond` holds, else `other`.
pub fn mux(aig: &mut Aig, cond: Lit, then: &[Lit], other: &[Lit]) -> Vec<Lit> {
    bitwise(then, other, |x, y| aig.mux(cond, x, y))
}

fn bitwise(a: &[Lit], b: &[Lit], mut gate: impl FnMut(Lit, Lit) -> Lit) -> Vec<Lit> {
    debug_assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(&x, &y)| gate(x, y)).collect()
}

/// `a` where `keep` holds, else zero.
pub fn and_bit(aig: &mut Aig, a: &[Lit], keep: Lit) -> Vec<Lit> {
    a.iter().map(|&bit| aig.and(bit, keep)).collect()
}

/// `a` where `set` does not hold, else all ones.
pub fn or_bit(aig: &mut Aig, a: &[Lit], set: Lit) -> Vec<Lit> {
    a.iter().map(|&bit| aig.or(bit, set)).collect()
}

/// `a` where `flip` does not hold, else its bitwise negation.
pub fn xor_bit(aig: &mut Aig, a: &[Lit], flip: Lit) -> Vec<Lit> {
    a.iter().map(|&bit| aig.xor(bit, flip)).collect()
}

/// `a + b`, modulo the width.
pub fn add(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    add_with_carry(aig, a, b, Lit::FALSE).0
}

/// `a + b + carry` and the carry out of its top bit.
pub fn add_with_carry(aig: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
    let sum = bitwise(a, b, |x, y| {
        let (sum, next) = full_adder(aig, x, y, carry);
        carry = next;
        sum
    });
    (sum, carry)
}

/// The sum of three bits and its carry.
pub fn full_adder(aig: &mut Aig, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
    let half = aig.xor(a, b);
    (aig.xor(half, c), aig.maj(a, b, c))
}

/// `a + carry` and the carry out of its top bit.
pub fn increment(aig: &mut Aig, a: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
    let sum = a
        .iter()
        .map(|&bit| {
            let sum = aig.xor(bit, carry);
            carry = aig.and(bit, carry);
            sum
        })
        .collect();
    (sum, carry)
}

/// `a - b`, modulo the width.
pub fn sub(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    sub_with_no_borrow(aig, a, b).0
}

/// `a - b` and whether `a >= b`, both unsigned.
pub fn sub_with_no_borrow(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
    add_with_carry(aig, a, &not(b), Lit::TRUE)
}

/// `-a`, modulo the width.
pub fn neg(aig: &mut Aig, a: &[Lit]) -> Vec<Lit> {
    neg_if(aig, a, Lit::TRUE)
}

/// `-a` where `cond` holds, else `a`.
pub fn neg_if(aig: &mut Aig, a: &[Lit], cond: Lit) -> Vec<Lit> {
    let flipped = xor_bit(aig, a, cond);
    increment(aig, &flipped, cond).0
}

/// Whether `a` and `b` are equal.
pub fn eq(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let equal: Vec<Lit> = bitwise(a, b, |x, y| !aig.xor(x, y));
    aig.and_all(&equal)
}

/// Whether `a` is zero. Looks at the top half apart, as [`normalise`] does, so
/// that both share gates.
pub fn is_zero(aig: &mut Aig, a: &[Lit]) -> Lit {
    let top = a
        .len()
        .saturating_sub(1)
        .checked_ilog2()
        .map_or(0, |log| 1 << log);
    let (low, high) = a.split_at(a.len() - top);
    let (low, high) = (aig.or_all(low), aig.or_all(high));
    !aig.or(low, high)
}

/// Whether `a < b`, unsigned.
pub fn ult(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    less(aig, a, b, Lit::FALSE)
}

/// Whether `a < b`, signed.
pub fn slt(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    ult(aig, &sign_flipped(a), &sign_flipped(b))
}

/// Whether `a < b`, or `a <= b` where `or_equal` holds, unsigned.
pub fn less(aig: &mut Aig, a: &[Lit], b: &[Lit], or_equal: Lit) -> Lit {
    debug_assert_eq!(a.len(), b.len());
    // From the lowest bit up, the higher bit decides unless it is equal.
    a.iter()
        .zip(b)
        .fold(or_equal, |lower, (&x, &y)| aig.maj(!x, y, lower))
}

fn sign_flipped(a: &[Lit]) -> Vec<Lit> {
    let mut bits = a.to_vec();
    if let Some(top) = bits.last_mut() {
        *top = !*top;
    }
    bits
}

/// How many bits are left when the constant zeros at the top are dropped.
fn significant_width(a: &[Lit]) -> usize {
    a.iter()
        .rposition(|&bit| bit != Lit::FALSE)
        .map_or(0, |top| top + 1)
}

#[cfg(test)]
mod tests;
