//! Rules for sums, products and negations of bit-vectors.

use super::digits::{add_digits, add_high_constant};
use super::lift::{lift_choice, lift_two_choices};
use super::pattern::{
    binary, bits, both_ways, constant_choice, extraction, is_one, is_ones, is_zero, one, opposite,
    share_no_bits, single_bit, unary, with_constant,
};
use super::{Rule, rules};
use crate::bits::BitVec;
use crate::op::Op;
use crate::store::{Node, Store, Term};

pub(super) const NEG: &[Rule] = rules![
    neg_neg,
    neg_not,
    neg_sum_constant,
    neg_difference,
    neg_product_constant,
    neg_bit,
    lift_choice,
];

pub(super) const ADD: &[Rule] = rules![
    add_zero,
    add_constants,
    add_complement_constant,
    add_negation_minus_one,
    add_high_constant,
    add_bit,
    add_like_terms,
    add_cancels,
    add_moves_constant,
    add_digits,
    add_disjoint,
    lift_choice,
    lift_two_choices,
];

pub(super) const MUL: &[Rule] = rules![
    mul_zero,
    mul_one,
    mul_bit,
    mul_minus_one,
    mul_power,
    mul_constants,
    mul_negation_constant,
    mul_sum_constant,
    mul_shifted_constant,
    mul_negations,
    mul_negation,
    mul_choice,
    mul_moves_constant,
    lift_choice,
    lift_two_choices,
];

/// match: -(-x)
/// result: x
fn neg_neg(store: &mut Store, node: &Node) -> Option<Term> {
    unary(store, node.slots[0], Op::BvNeg)
}

/// match: -(~x)
/// result: x + 1
fn neg_not(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::BvNot)?;
    let one = store.bv(node.sort.bv_width(), 1);
    Some(store.bv_add(x, one))
}

/// match: -(x + c)
/// result: -x + -c
fn neg_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = with_constant(store, node.slots[0], Op::BvAdd)?;
    let minus = store.bv_neg(x);
    let c = store.bv_value(c.neg());
    Some(store.bv_add(minus, c))
}

/// match: -(x + -y), x no sum
/// result: -x + y
fn neg_difference(store: &mut Store, node: &Node) -> Option<Term> {
    let (a, b) = binary(store, node.slots[0], Op::BvAdd)?;
    [(a, b), (b, a)].into_iter().find_map(|(x, minus)| {
        let y = unary(store, minus, Op::BvNeg)?;
        if store.op(x) == Op::BvAdd {
            return None;
        }
        let minus = store.bv_neg(x);
        Some(store.bv_add(minus, y))
    })
}

/// match: -(x * c)
/// result: x * -c
fn neg_product_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = with_constant(store, node.slots[0], Op::BvMul)?;
    let c = store.bv_value(c.neg());
    Some(store.bv_mul(x, c))
}

/// match: -x, one bit
/// result: x
fn neg_bit(_: &mut Store, node: &Node) -> Option<Term> {
    (node.sort.bv_width() == 1).then_some(node.slots[0])
}

/// match: x + 0
/// result: x
fn add_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_zero(store, c).then_some(x)
}

/// match: (x + c1) + c2
/// result: x + (c1 + c2)
fn add_constants(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, c2, _] = node.slots;
    let c2 = bits(store, c2)?;
    let (x, c1) = with_constant(store, sum, Op::BvAdd)?;
    let c = store.bv_value(c1.add(&c2));
    Some(store.bv_add(x, c))
}

/// match: ~x + c
/// result: -x + (c - 1)
fn add_complement_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let c = bits(store, c)?;
    let x = unary(store, a, Op::BvNot)?;
    let minus = store.bv_neg(x);
    let c = store.bv_value(c.add(&BitVec::ones(c.width())));
    Some(store.bv_add(minus, c))
}

/// match: -x + -1
/// result: ~x
fn add_negation_minus_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    if !is_ones(store, c) {
        return None;
    }
    let x = unary(store, a, Op::BvNeg)?;
    Some(store.bv_not(x))
}

/// match: x + y, one bit
/// result: x ^ y
fn add_bit(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (node.sort.bv_width() == 1).then(|| store.bv_xor(x, y))
}

/// match: x * c1 + x * c2, a missing factor being 1 and a negation -1
/// result: x * (c1 + c2)
fn add_like_terms(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    if factor_free(store, a) != factor_free(store, b) {
        return None;
    }
    let sum = factor(store, a).add(&factor(store, b));
    let x = factor_free(store, a);
    let sum = store.bv_value(sum);
    Some(store.bv_mul(x, sum))
}

/// The term without its constant factor.
pub(super) fn factor_free(store: &Store, term: Term) -> Term {
    let node = store.node(term);
    match node.op {
        Op::BvNeg => node.slots[0],
        Op::BvMul if store.is_const(node.slots[1]) => node.slots[0],
        _ => term,
    }
}

/// The constant factor that [`factor_free`] leaves out.
pub(super) fn factor(store: &Store, term: Term) -> BitVec {
    let width = store.width(term);
    match with_constant(store, term, Op::BvMul) {
        Some((_, c)) => c,
        None if store.op(term) == Op::BvNeg => BitVec::ones(width),
        None => one(width),
    }
}

/// match: (x + y) + -x
/// result: y
fn add_cancels(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(sum, z)| {
        let (x, y) = binary(store, sum, Op::BvAdd)?;
        if opposite(store, Op::BvNeg, x, z) {
            Some(y)
        } else if opposite(store, Op::BvNeg, y, z) {
            Some(x)
        } else {
            None
        }
    })
}

/// match: (x + c) + y
/// result: (x + y) + c
fn add_moves_constant(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(sum, y)| {
        let (x, c) = binary(store, sum, Op::BvAdd)?;
        if !store.is_const(c) || store.is_const(y) {
            return None;
        }
        let inner = store.bv_add(x, y);
        Some(store.bv_add(inner, c))
    })
}

/// match: x + y, no bit possibly set in both, neither a constant
/// result: x | y
fn add_disjoint(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (!store.is_const(y) && share_no_bits(store, x, y)).then(|| store.bv_or(x, y))
}

/// match: x * 0
/// result: 0
fn mul_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let c = node.slots[1];
    is_zero(store, c).then_some(c)
}

/// match: x * 1
/// result: x
fn mul_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_one(store, c).then_some(x)
}

/// match: x * y, one bit
/// result: x & y
fn mul_bit(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (node.sort.bv_width() == 1).then(|| store.bv_and(x, y))
}

/// match: x * -1
/// result: -x
fn mul_minus_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_ones(store, c).then(|| store.bv_neg(x))
}

/// match: x * 2^k
/// result: x << k
fn mul_power(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let k = single_bit(&bits(store, c)?)?;
    let k = store.bv(node.sort.bv_width(), u64::from(k));
    Some(store.bv_shl(x, k))
}

/// match: (x * c1) * c2
/// result: x * (c1 * c2)
fn mul_constants(store: &mut Store, node: &Node) -> Option<Term> {
    let [product, c2, _] = node.slots;
    let c2 = bits(store, c2)?;
    let (x, c1) = with_constant(store, product, Op::BvMul)?;
    let c = store.bv_value(c1.mul(&c2));
    Some(store.bv_mul(x, c))
}

/// match: -x * c
/// result: x * -c
fn mul_negation_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [minus, c, _] = node.slots;
    let c = bits(store, c)?;
    let x = unary(store, minus, Op::BvNeg)?;
    let c = store.bv_value(c.neg());
    Some(store.bv_mul(x, c))
}

/// match: (x + c1) * c2
/// result: x * c2 + c1 * c2
fn mul_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, factor, _] = node.slots;
    let c2 = bits(store, factor)?;
    let (x, c1) = with_constant(store, sum, Op::BvAdd)?;
    let product = store.bv_mul(x, factor);
    let c = store.bv_value(c1.mul(&c2));
    Some(store.bv_add(product, c))
}

/// match: concat(x[w-k-1:0], 0) * c, that is (x << k) * c
/// result: x * (c << k)
fn mul_shifted_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [shifted, c, _] = node.slots;
    let c = bits(store, c)?;
    let (part, zeros) = binary(store, shifted, Op::Concat)?;
    if !is_zero(store, zeros) {
        return None;
    }
    let (x, low) = extraction(store, part)?;
    if low != 0 || store.width(x) != c.width() {
        return None;
    }
    let by = BitVec::from_u64(c.width(), u64::from(store.width(zeros)));
    let c = store.bv_value(c.shl(&by));
    Some(store.bv_mul(x, c))
}

/// match: -x * -y
/// result: x * y
fn mul_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::BvNeg)?, unary(store, b, Op::BvNeg)?);
    Some(store.bv_mul(x, y))
}

/// match: -x * y
/// result: -(x * y)
fn mul_negation(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(minus, y)| {
        let x = unary(store, minus, Op::BvNeg)?;
        let product = store.bv_mul(x, y);
        Some(store.bv_neg(product))
    })
}

/// match: ite(c, 1, 0) * x; ite(c, 0, 1) * x
/// result: ite(c, x, 0); ite(c, 0, x)
fn mul_choice(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(factor, x)| {
        let (c, then, otherwise) = constant_choice(store, factor)?;
        if is_one(store, then) && is_zero(store, otherwise) {
            Some(store.ite(c, x, otherwise))
        } else if is_zero(store, then) && is_one(store, otherwise) {
            Some(store.ite(c, then, x))
        } else {
            None
        }
    })
}

/// match: (x * c) * y
/// result: (x * y) * c
fn mul_moves_constant(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(product, y)| {
        let (x, c) = binary(store, product, Op::BvMul)?;
        if !store.is_const(c) || store.is_const(y) {
            return None;
        }
        let inner = store.bv_mul(x, y);
        Some(store.bv_mul(inner, c))
    })
}
