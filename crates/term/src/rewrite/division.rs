//! Rules for quotients and remainders of bit-vectors.
//!
//! A division costs a solver more than anything else, so those by constants
//! that are powers of two, and those that can be narrower, are worth rules.

use super::digits::{divide_extraction, udiv_remainder, urem_remainder};
use super::lift::lift_choice;
use super::pattern::{
    bits, extended_from, is_one, is_ones, is_signed_min, is_zero, known, sign, single_bit,
    trailing_zeros, unary, with_constant,
};
use super::{Rule, rules};
use crate::bits::BitVec;
use crate::op::Op;
use crate::store::{Node, Store, Term};

pub(super) const UDIV: &[Rule] = rules![
    udiv_zero,
    div_one,
    udiv_power,
    udiv_less,
    udiv_self,
    udiv_of_zero,
    udiv_twice,
    udiv_narrow,
    udiv_remainder,
    divide_extraction,
    lift_choice,
];

pub(super) const UREM: &[Rule] = rules![
    rem_zero,
    rem_one,
    rem_self,
    rem_of_zero,
    urem_power,
    urem_less,
    urem_narrow,
    urem_narrow_constant,
    urem_remainder,
    divide_extraction,
    lift_choice,
];

pub(super) const SDIV: &[Rule] = rules![
    sdiv_zero,
    div_one,
    sdiv_minus_one,
    sdiv_least,
    sdiv_self,
    sdiv_nonnegative,
    sdiv_negative_constant,
    sdiv_narrow,
    sdiv_exact,
    sdiv_power,
    lift_choice,
];

pub(super) const SREM: &[Rule] = rules![
    rem_zero,
    rem_one,
    rem_minus_one,
    rem_self,
    rem_of_zero,
    srem_nonnegative,
    srem_negative_constant,
    srem_narrow,
    srem_narrow_constant,
    srem_power,
    lift_choice,
];

pub(super) const SMOD: &[Rule] = rules![
    rem_zero,
    rem_one,
    rem_minus_one,
    rem_self,
    rem_of_zero,
    smod_nonnegative,
    smod_power,
    lift_choice,
];

/// match: x / 0, unsigned
/// result: all ones
fn udiv_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let ones = BitVec::ones(node.sort.bv_width());
    is_zero(store, node.slots[1]).then(|| store.bv_value(ones))
}

/// match: x / 1
/// result: x
fn div_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_one(store, c).then_some(x)
}

/// match: x / 2^k, unsigned
/// result: x >> k
fn udiv_power(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let k = single_bit(&bits(store, c)?)?;
    let k = store.bv(node.sort.bv_width(), u64::from(k));
    Some(store.bv_lshr(x, k))
}

/// match: x / y where x < y always, unsigned
/// result: 0
fn udiv_less(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    let less = known(store, x)?.max < known(store, y)?.min;
    less.then(|| store.bv(node.sort.bv_width(), 0))
}

/// match: x / x, unsigned
/// result: ite(x = 0, all ones, 1)
fn udiv_self(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then(|| unless_zero(store, x, 1))
}

/// match: 0 / x, unsigned
/// result: ite(x = 0, all ones, 0)
fn udiv_of_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [zero, x, _] = node.slots;
    is_zero(store, zero).then(|| unless_zero(store, x, 0))
}

/// All ones where `x` is zero, `quotient` elsewhere.
fn unless_zero(store: &mut Store, x: Term, quotient: u64) -> Term {
    let width = store.width(x);
    let zero = store.bv(width, 0);
    let ones = store.bv_value(BitVec::ones(width));
    let quotient = store.bv(width, quotient);
    let is_zero = store.eq(x, zero);
    store.ite(is_zero, ones, quotient)
}

/// match: (x / c1) / c2, unsigned, neither zero
/// result: x / (c1 * c2), or 0 when the product does not fit
fn udiv_twice(store: &mut Store, node: &Node) -> Option<Term> {
    let [quotient, c2, _] = node.slots;
    let c2 = bits(store, c2)?;
    let (x, c1) = with_constant(store, quotient, Op::BvUdiv)?;
    if c1.is_zero() || c2.is_zero() {
        return None;
    }
    let width = c1.width();
    let product = c1.to_big() * c2.to_big();
    if product.bits() > u64::from(width) {
        return Some(store.bv(width, 0));
    }
    let c = store.bv_value(BitVec::from_big(width, &product));
    Some(store.bv_udiv(x, c))
}

/// match: zext(x) / c, unsigned, c not zero and as narrow as x
/// result: zext(x / c)
fn udiv_narrow(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = narrow_by_constant(store, node, Op::Zext)?;
    let c = store.bv_value(c);
    let quotient = store.bv_udiv(x, c);
    Some(store.zext(quotient, node.sort.bv_width()))
}

/// What a dividend extends and the constant divisor in that width, when it is
/// not zero and fits.
fn narrow_by_constant(store: &Store, node: &Node, op: Op) -> Option<(Term, BitVec)> {
    let [dividend, divisor, _] = node.slots;
    let x = unary(store, dividend, op)?;
    let narrow = extended_from(op, &bits(store, divisor)?, store.width(x))?;
    (!narrow.is_zero()).then_some((x, narrow))
}

/// match: x % 0
/// result: x
fn rem_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_zero(store, c).then_some(x)
}

/// match: x % 1
/// result: 0
fn rem_one(store: &mut Store, node: &Node) -> Option<Term> {
    is_one(store, node.slots[1]).then(|| store.bv(node.sort.bv_width(), 0))
}

/// match: x % -1, signed
/// result: 0
fn rem_minus_one(store: &mut Store, node: &Node) -> Option<Term> {
    is_ones(store, node.slots[1]).then(|| store.bv(node.sort.bv_width(), 0))
}

/// match: x % x
/// result: 0
fn rem_self(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then(|| store.bv(node.sort.bv_width(), 0))
}

/// match: 0 % x
/// result: 0
fn rem_of_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let zero = node.slots[0];
    is_zero(store, zero).then_some(zero)
}

/// match: x % 2^k, unsigned
/// result: zext(x[k-1:0])
fn urem_power(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let k = single_bit(&bits(store, c)?)?;
    let width = node.sort.bv_width();
    if k == 0 {
        return Some(store.bv(width, 0));
    }
    let low = store.extract(x, 0, k);
    Some(store.zext(low, width))
}

/// match: x % y where x < y always, unsigned
/// result: x
fn urem_less(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (known(store, x)?.max < known(store, y)?.min).then_some(x)
}

/// match: zext(x) % zext(y), unsigned, x and y of one width
/// result: zext(x % y)
fn urem_narrow(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, y) = extended_alike(store, node, Op::Zext)?;
    let rest = store.bv_urem(x, y);
    Some(store.zext(rest, node.sort.bv_width()))
}

/// What both arguments extend, when it has one width.
fn extended_alike(store: &Store, node: &Node, op: Op) -> Option<(Term, Term)> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, op)?, unary(store, b, op)?);
    (store.width(x) == store.width(y)).then_some((x, y))
}

/// match: zext(x) % c, unsigned, c not zero and as narrow as x
/// result: zext(x % c)
fn urem_narrow_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = narrow_by_constant(store, node, Op::Zext)?;
    let c = store.bv_value(c);
    let rest = store.bv_urem(x, c);
    Some(store.zext(rest, node.sort.bv_width()))
}

/// match: x / 0, signed
/// result: ite(x < 0, 1, -1)
fn sdiv_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, zero, _] = node.slots;
    if !is_zero(store, zero) {
        return None;
    }
    let width = node.sort.bv_width();
    let negative = store.bv_slt(x, zero);
    let one = store.bv(width, 1);
    let minus_one = store.bv_value(BitVec::ones(width));
    Some(store.ite(negative, one, minus_one))
}

/// match: x / -1, signed
/// result: -x
fn sdiv_minus_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_ones(store, c).then(|| store.bv_neg(x))
}

/// match: x / c, signed, c the least value
/// result: ite(x = c, 1, 0)
fn sdiv_least(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    if !is_signed_min(&bits(store, c)?) {
        return None;
    }
    let same = store.eq(x, c);
    Some(store.bool_to_bv(same, node.sort.bv_width()))
}

/// match: x / x, signed
/// result: ite(x = 0, -1, 1)
fn sdiv_self(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then(|| unless_zero(store, x, 1))
}

/// Whether neither argument is ever negative.
fn never_negative(store: &Store, node: &Node) -> bool {
    let [x, y, _] = node.slots;
    sign(store, x) == Some(false) && sign(store, y) == Some(false)
}

/// match: x / y, signed, neither ever negative
/// result: x / y, unsigned
fn sdiv_nonnegative(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    never_negative(store, node).then(|| store.bv_udiv(x, y))
}

/// The negation of a divisor that is a negative constant and not the least one.
fn negative_divisor(store: &Store, node: &Node) -> Option<BitVec> {
    let c = bits(store, node.slots[1])?;
    (c.sign() && !is_signed_min(&c)).then(|| c.neg())
}

/// match: x / -c, signed, c positive
/// result: -(x / c)
fn sdiv_negative_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let c = negative_divisor(store, node)?;
    let c = store.bv_value(c);
    let quotient = store.bv_sdiv(node.slots[0], c);
    Some(store.bv_neg(quotient))
}

/// match: sext(x) / c, signed, c as narrow as x and neither 0 nor -1
/// result: sext(x / c)
fn sdiv_narrow(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = narrow_by_constant(store, node, Op::Sext)?;
    if c.is_ones() {
        return None;
    }
    let c = store.bv_value(c);
    let quotient = store.bv_sdiv(x, c);
    Some(store.sext(quotient, node.sort.bv_width()))
}

/// The `k` of a divisor that is the positive constant `2^k`, `k` at least one.
fn positive_power(store: &Store, node: &Node) -> Option<u16> {
    let k = single_bit(&bits(store, node.slots[1])?)?;
    (k > 0 && k < node.sort.bv_width() - 1).then_some(k)
}

/// match: x / 2^k, signed, the low k bits of x always zero
/// result: x >> k, arithmetic
fn sdiv_exact(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, width) = (node.slots[0], node.sort.bv_width());
    let k = positive_power(store, node)?;
    if trailing_zeros(store, x) < k {
        return None;
    }
    let quotient = store.extract(x, k, width - k);
    Some(store.sext(quotient, width))
}

/// match: x / 2^k, signed
/// result: (x + b) >> k, arithmetic, with b = 2^k - 1 where x is negative, else 0
fn sdiv_power(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, width) = (node.slots[0], node.sort.bv_width());
    let k = positive_power(store, node)?;
    let sign = store.extract(x, width - 1, 1);
    let bias = store.sext(sign, k);
    let bias = store.zext(bias, width);
    let sum = store.bv_add(x, bias);
    let quotient = store.extract(sum, k, width - k);
    Some(store.sext(quotient, width))
}

/// match: x % y, sign of x, neither ever negative
/// result: x % y, unsigned
fn srem_nonnegative(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    never_negative(store, node).then(|| store.bv_urem(x, y))
}

/// match: x % -c, sign of x, c positive
/// result: x % c
fn srem_negative_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let c = negative_divisor(store, node)?;
    let c = store.bv_value(c);
    Some(store.bv_srem(node.slots[0], c))
}

/// match: sext(x) % sext(y), sign of x, x and y of one width
/// result: sext(x % y)
fn srem_narrow(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, y) = extended_alike(store, node, Op::Sext)?;
    let rest = store.bv_srem(x, y);
    Some(store.sext(rest, node.sort.bv_width()))
}

/// match: sext(x) % c, sign of x, c not zero and as narrow as x
/// result: sext(x % c)
fn srem_narrow_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = narrow_by_constant(store, node, Op::Sext)?;
    let c = store.bv_value(c);
    let rest = store.bv_srem(x, c);
    Some(store.sext(rest, node.sort.bv_width()))
}

/// match: x % 2^k, sign of x
/// result: concat(ite(x < 0 ∧ x[k-1:0] ≠ 0, all ones, 0), x[k-1:0])
fn srem_power(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, width) = (node.slots[0], node.sort.bv_width());
    let k = positive_power(store, node)?;
    let low = store.extract(x, 0, k);
    let zero = store.bv(width, 0);
    let negative = store.bv_slt(x, zero);
    let nonzero = store.is_nonzero(low);
    let borrows = store.and(negative, nonzero);
    let ones = store.bv_value(BitVec::ones(width - k));
    let zeros = store.bv(width - k, 0);
    let high = store.ite(borrows, ones, zeros);
    Some(store.concat(high, low))
}

/// match: x % y, sign of y, neither ever negative
/// result: x % y, unsigned
fn smod_nonnegative(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    never_negative(store, node).then(|| store.bv_urem(x, y))
}

/// match: x % 2^k, sign of the divisor
/// result: zext(x[k-1:0])
fn smod_power(store: &mut Store, node: &Node) -> Option<Term> {
    let k = positive_power(store, node)?;
    let low = store.extract(node.slots[0], 0, k);
    Some(store.zext(low, node.sort.bv_width()))
}
