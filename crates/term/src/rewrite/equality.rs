//! Rules for equality of truth values and bit-vectors; those of other sorts
//! are with the operators of the sort.

use super::digits::{eq_quotient, eq_remainder};
use super::lift::{lift_chain, lift_choice, lift_two_choices};
use super::pattern::{
    binary, bits, both_ways, boundary, choice, distinct, extended_from, extraction, is_one,
    is_ones, is_zero, opposite, splits_at, unary, with_constant,
};
use super::{Rule, array, float_compare, number_compare, rules, string};
use crate::bits::BitVec;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Store, Term};

/// The rules for equality of terms of this sort.
pub(super) fn of_sort(sort: Sort) -> &'static [Rule] {
    match sort {
        Sort::Bool => BOOL,
        Sort::Bv(_) => BV,
        Sort::Fp(_) => float_compare::EQUALITY,
        Sort::Array { .. } => array::EQUALITY,
        Sort::Int | Sort::Real => number_compare::EQUALITY,
        Sort::String => string::EQUALITY,
        Sort::RoundingMode | Sort::RegLan => rules![eq_same],
    }
}

const BOOL: &[Rule] = rules![
    eq_same,
    eq_true,
    eq_false,
    eq_complement,
    eq_negations,
    eq_negation,
    eq_conjunction,
];

const BV: &[Rule] = rules![
    eq_same,
    eq_distinct,
    eq_quotient,
    eq_remainder,
    eq_sum_constant,
    eq_xor_constant,
    eq_complement_constant,
    eq_negation_constant,
    eq_product_constant,
    eq_sext_constant,
    eq_sign_bit,
    eq_or_zero,
    eq_and_ones,
    eq_bit_or,
    eq_bit_xor,
    eq_bit_zero,
    eq_difference,
    eq_xor_zero,
    eq_complements,
    eq_sexts,
    eq_split,
    eq_shared,
    eq_shared_whole,
    lift_choice,
    lift_two_choices,
    lift_chain,
    eq_choice,
    float_compare::eq_to_bits,
    float_compare::eq_to_bits_constant,
];

/// How many operands of one associative operation are looked at.
const MOST_OPERANDS: usize = 8;

/// match: a = a
/// result: true
pub(super) fn eq_same(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    (a == b).then(|| store.bool(true))
}

/// match: a = true
/// result: a
fn eq_true(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    (store.as_bool(b) == Some(true)).then_some(a)
}

/// match: a = false
/// result: ¬a
fn eq_false(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    (store.as_bool(b) == Some(false)).then(|| store.not(a))
}

/// match: a = ¬a
/// result: false
fn eq_complement(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    opposite(store, Op::Not, a, b).then(|| store.bool(false))
}

/// match: ¬a = ¬b
/// result: a = b
fn eq_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (a, b) = (unary(store, a, Op::Not)?, unary(store, b, Op::Not)?);
    Some(store.eq(a, b))
}

/// match: a = ¬b
/// result: ¬(a = b)
fn eq_negation(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(a, negation)| {
        let b = unary(store, negation, Op::Not)?;
        let same = store.eq(a, b);
        Some(store.not(same))
    })
}

/// match: a = (a ∧ b)
/// result: ¬(a ∧ ¬b)
fn eq_conjunction(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(a, all)| {
        let (x, y) = binary(store, all, Op::And)?;
        if x == a {
            Some(store.implies(a, y))
        } else if y == a {
            Some(store.implies(a, x))
        } else {
            None
        }
    })
}

/// match: x = y, where facts or constant offsets tell them apart
/// result: false
fn eq_distinct(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    distinct(store, x, y).then(|| store.bool(false))
}

/// match: x + c1 = c2
/// result: x = c2 - c1
fn eq_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, c2, _] = node.slots;
    let c2 = bits(store, c2)?;
    let (x, c1) = with_constant(store, sum, Op::BvAdd)?;
    let c = store.bv_value(c2.add(&c1.neg()));
    Some(store.eq(x, c))
}

/// match: x ^ c1 = c2
/// result: x = c1 ^ c2
fn eq_xor_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [xor, c2, _] = node.slots;
    let c2 = bits(store, c2)?;
    let (x, c1) = with_constant(store, xor, Op::BvXor)?;
    let c = store.bv_value(c1.xor(&c2));
    Some(store.eq(x, c))
}

/// match: ~x = c
/// result: x = ~c
fn eq_complement_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::BvNot)?;
    let c = bits(store, c)?.not();
    let c = store.bv_value(c);
    Some(store.eq(x, c))
}

/// match: -x = c
/// result: x = -c
fn eq_negation_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::BvNeg)?;
    let c = bits(store, c)?.neg();
    let c = store.bv_value(c);
    Some(store.eq(x, c))
}

/// match: x * c1 = c2, c1 being 2^k times an odd number
/// result: x[w-k-1:0] = (c2 / 2^k) / odd, or false when 2^k does not divide c2
fn eq_product_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [product, c2, _] = node.slots;
    let c2 = bits(store, c2)?;
    let (x, c1) = with_constant(store, product, Op::BvMul)?;
    let width = c1.width();
    let k = (0..width).find(|&i| c1.bit(i))?;
    if (0..k).any(|i| c2.bit(i)) {
        return Some(store.bool(false));
    }
    let rest = width - k;
    let quotient = c2.extract(k, rest).mul(&inverse(&c1.extract(k, rest)));
    let low = store.extract(x, 0, rest);
    let quotient = store.bv_value(quotient);
    Some(store.eq(low, quotient))
}

/// The number whose product with this odd one is one, by Newton's iteration:
/// each step doubles the number of bits that are right.
fn inverse(odd: &BitVec) -> BitVec {
    let (one, two) = (
        BitVec::from_u64(odd.width(), 1),
        BitVec::from_u64(odd.width(), 2),
    );
    let mut inverse = odd.clone();
    while odd.mul(&inverse) != one {
        inverse = inverse.mul(&two.add(&odd.mul(&inverse).neg()));
    }
    inverse
}

/// match: sext(x) = c
/// result: x = c, or false when no x extends to c
fn eq_sext_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::Sext)?;
    let c = bits(store, c)?;
    let Some(narrow) = extended_from(Op::Sext, &c, store.width(x)) else {
        return Some(store.bool(false));
    };
    let narrow = store.bv_value(narrow);
    Some(store.eq(x, narrow))
}

/// match: x[w-1] = 1
/// result: x < 0, signed
fn eq_sign_bit(store: &mut Store, node: &Node) -> Option<Term> {
    let [sign, c, _] = node.slots;
    let (x, low) = extraction(store, sign)?;
    if store.width(sign) != 1 || low != store.width(x) - 1 || low == 0 || !is_one(store, c) {
        return None;
    }
    let zero = store.bv(store.width(x), 0);
    Some(store.bv_slt(x, zero))
}

/// match: x | y | … = 0
/// result: x = 0 ∧ y = 0 ∧ …
fn eq_or_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [or, c, _] = node.slots;
    if !is_zero(store, c) {
        return None;
    }
    all_equal(store, Op::BvOr, or, c)
}

/// match: x & y & … = all ones
/// result: x = all ones ∧ y = all ones ∧ …
fn eq_and_ones(store: &mut Store, node: &Node) -> Option<Term> {
    let [and, c, _] = node.slots;
    if !is_ones(store, c) {
        return None;
    }
    all_equal(store, Op::BvAnd, and, c)
}

/// match: x | y | … = 1, one bit
/// result: x = 1 ∨ y = 1 ∨ …
fn eq_bit_or(store: &mut Store, node: &Node) -> Option<Term> {
    let [or, c, _] = node.slots;
    if store.width(or) != 1 || !is_one(store, c) {
        return None;
    }
    let zero = store.bv(1, 0);
    let none = all_equal(store, Op::BvOr, or, zero)?;
    Some(store.not(none))
}

/// Whether every operand of the nested operation equals `c`.
fn all_equal(store: &mut Store, op: Op, whole: Term, c: Term) -> Option<Term> {
    let (operands, count) = operands(store, op, whole)?;
    let mut all = store.bool(true);
    for &operand in &operands[..count] {
        let equal = store.eq(operand, c);
        all = store.and(all, equal);
    }
    Some(all)
}

/// The operands of a nested operation, when there are several and not too many.
fn operands(store: &Store, op: Op, whole: Term) -> Option<([Term; MOST_OPERANDS], usize)> {
    let mut found = [whole; MOST_OPERANDS];
    let (mut count, mut looked_at) = (1, 0);
    while looked_at < count {
        match binary(store, found[looked_at], op) {
            Some((a, b)) => {
                found[looked_at] = a;
                *found.get_mut(count)? = b;
                count += 1;
            }
            None => looked_at += 1,
        }
    }
    (count > 1).then_some((found, count))
}

/// match: x ^ y = 1, one bit
/// result: ¬(x = y)
fn eq_bit_xor(store: &mut Store, node: &Node) -> Option<Term> {
    let [xor, c, _] = node.slots;
    if store.width(xor) != 1 || !is_one(store, c) {
        return None;
    }
    let (x, y) = binary(store, xor, Op::BvXor)?;
    let same = store.eq(x, y);
    Some(store.not(same))
}

/// match: x = 0, one bit
/// result: ¬(x = 1)
fn eq_bit_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    if store.width(x) != 1 || !is_zero(store, c) {
        return None;
    }
    let one = store.bv(1, 1);
    let set = store.eq(x, one);
    Some(store.not(set))
}

/// match: x + -y = 0
/// result: x = y
fn eq_difference(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, c, _] = node.slots;
    if !is_zero(store, c) {
        return None;
    }
    let (a, b) = binary(store, sum, Op::BvAdd)?;
    [(a, b), (b, a)].into_iter().find_map(|(x, minus)| {
        let y = unary(store, minus, Op::BvNeg)?;
        Some(store.eq(x, y))
    })
}

/// match: x ^ y = 0
/// result: x = y
fn eq_xor_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [xor, c, _] = node.slots;
    let (x, y) = binary(store, xor, Op::BvXor)?;
    is_zero(store, c).then(|| store.eq(x, y))
}

/// match: ~x = ~y; -x = -y
/// result: x = y
fn eq_complements(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let op = store.op(a);
    if op != store.op(b) || !matches!(op, Op::BvNot | Op::BvNeg) {
        return None;
    }
    let (x, y) = (unary(store, a, op)?, unary(store, b, op)?);
    Some(store.eq(x, y))
}

/// match: sext(x) = sext(y)
/// result: x = y, the narrower of the two extended to the wider
fn eq_sexts(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::Sext)?, unary(store, b, Op::Sext)?);
    let width = store.width(x).max(store.width(y));
    let (x, y) = (store.sext(x, width), store.sext(y, width));
    Some(store.eq(x, y))
}

/// match: concat(x, y) = z, where z falls apart at the same bit
/// result: x = the high part of z ∧ y = the low part of z
fn eq_split(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(whole, z)| {
        let width = store.width(whole);
        let at = boundary(store, whole)?;
        if !splits_at(store, z, at) {
            return None;
        }
        let mut part = |low, width| {
            let x = store.extract(whole, low, width);
            let z = store.extract(z, low, width);
            store.eq(x, z)
        };
        let (low, high) = (part(0, at), part(at, width - at));
        Some(store.and(high, low))
    })
}

/// match: x ∘ y = x ∘ z, ∘ one of + ^
/// result: y = z
fn eq_shared(store: &mut Store, node: &Node) -> Option<Term> {
    let [left, right, _] = node.slots;
    let op = store.op(left);
    if op != store.op(right) || !matches!(op, Op::BvAdd | Op::BvXor) {
        return None;
    }
    let (a, b) = binary(store, left, op)?;
    let (c, d) = binary(store, right, op)?;
    [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)]
        .into_iter()
        .find(|&(shared, _, also, _)| shared == also)
        .map(|(_, y, _, z)| store.eq(y, z))
}

/// match: x ∘ y = x, ∘ one of + ^
/// result: y = 0
fn eq_shared_whole(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(whole, x)| {
        let inner = store.node(whole);
        let [a, b, _] = inner.slots;
        if !matches!(inner.op, Op::BvAdd | Op::BvXor) {
            return None;
        }
        let y = if a == x {
            b
        } else if b == x {
            a
        } else {
            return None;
        };
        let zero = store.bv(store.width(x), 0);
        Some(store.eq(y, zero))
    })
}

/// match: ite(c, x, y) = x; ite(c, x, y) = y
/// result: c ∨ x = y; ¬c ∨ x = y
fn eq_choice(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(chosen, z)| {
        let (c, x, y) = choice(store, chosen)?;
        if z != x && z != y {
            return None;
        }
        let same = store.eq(x, y);
        Some(if z == x {
            store.or(c, same)
        } else {
            store.implies(c, same)
        })
    })
}
