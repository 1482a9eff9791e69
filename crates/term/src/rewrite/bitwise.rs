//! Rules for the bitwise operations.
//!
//! Masks and ors that only pick or place bits end as `concat` and `extract`,
//! so that a word put together from bytes is the concatenation of them.

use super::lift::{lift_choice, lift_two_choices};
use super::pattern::{
    binary, bits, both_ways, boundary, constant_choice, extended_from, is_ones, is_zero, known,
    leading_zeros, opposite, run_of_ones, share_no_bits, splits_at, trailing_zeros, unary,
    with_constant,
};
use super::{Rule, rules};
use crate::bits::BitVec;
use crate::op::Op;
use crate::store::{Node, Store, Term};

pub(super) const NOT: &[Rule] = rules![
    not_not,
    not_neg,
    not_sum_constant,
    not_xor_constant,
    not_sext,
    lift_choice,
];

pub(super) const AND: &[Rule] = rules![
    same,
    and_zero,
    and_ones,
    and_complement,
    and_keeps,
    combine_constants,
    and_run_of_ones,
    and_absorbs,
    and_of_complements,
    and_mask,
    split,
    sign_extended,
    move_constant,
    lift_choice,
    lift_two_choices,
];

pub(super) const OR: &[Rule] = rules![
    same,
    or_zero,
    or_ones,
    or_complement,
    or_keeps,
    combine_constants,
    or_run_of_ones,
    or_absorbs,
    or_of_complements,
    or_side_by_side,
    split,
    sign_extended,
    move_constant,
    lift_choice,
    lift_two_choices,
];

pub(super) const XOR: &[Rule] = rules![
    xor_same,
    xor_zero,
    xor_ones,
    xor_complement,
    combine_constants,
    xor_complement_constant,
    xor_of_complements,
    xor_one_complement,
    xor_cancels,
    xor_disjoint,
    split,
    sign_extended,
    move_constant,
    lift_choice,
    lift_two_choices,
];

/// match: ~~x
/// result: x
fn not_not(store: &mut Store, node: &Node) -> Option<Term> {
    unary(store, node.slots[0], Op::BvNot)
}

/// match: ~(-x)
/// result: x + -1
fn not_neg(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::BvNeg)?;
    let minus_one = store.bv_value(BitVec::ones(node.sort.bv_width()));
    Some(store.bv_add(x, minus_one))
}

/// match: ~(x + c)
/// result: -x + ~c
fn not_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = with_constant(store, node.slots[0], Op::BvAdd)?;
    let minus = store.bv_neg(x);
    let c = store.bv_value(c.not());
    Some(store.bv_add(minus, c))
}

/// match: ~(x ^ c)
/// result: x ^ ~c
fn not_xor_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = with_constant(store, node.slots[0], Op::BvXor)?;
    let c = store.bv_value(c.not());
    Some(store.bv_xor(x, c))
}

/// match: ~sext(x)
/// result: sext(~x)
fn not_sext(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::Sext)?;
    let flipped = store.bv_not(x);
    Some(store.sext(flipped, node.sort.bv_width()))
}

/// match: x & x; x | x
/// result: x
fn same(_: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then_some(x)
}

/// match: x & 0
/// result: 0
fn and_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let c = node.slots[1];
    is_zero(store, c).then_some(c)
}

/// match: x & all ones
/// result: x
fn and_ones(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_ones(store, c).then_some(x)
}

/// match: x & ~x
/// result: 0
fn and_complement(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    opposite(store, Op::BvNot, x, y).then(|| store.bv(node.sort.bv_width(), 0))
}

/// match: x & c, c one wherever x may be
/// result: x
fn and_keeps(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let c = store.as_word(c)?;
    (known(store, x)?.zeros | c == u64::MAX).then_some(x)
}

/// match: (x ∘ c1) ∘ c2, ∘ one of & | ^
/// result: x ∘ (c1 ∘ c2)
fn combine_constants(store: &mut Store, node: &Node) -> Option<Term> {
    let [inner, c2, _] = node.slots;
    let c2 = bits(store, c2)?;
    let (x, c1) = with_constant(store, inner, node.op)?;
    let c = store.bv_value(on_constants(node.op, &c1, &c2));
    Some(apply(store, node.op, x, c))
}

fn on_constants(op: Op, a: &BitVec, b: &BitVec) -> BitVec {
    match op {
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        other => unreachable!("{other:?} is not one of the bitwise operations"),
    }
}

fn apply(store: &mut Store, op: Op, a: Term, b: Term) -> Term {
    match op {
        Op::BvAnd => store.bv_and(a, b),
        Op::BvOr => store.bv_or(a, b),
        Op::BvXor => store.bv_xor(a, b),
        other => unreachable!("{other:?} is not one of the bitwise operations"),
    }
}

/// match: x & c, the ones of c adjacent
/// result: concat(0, those bits of x, 0)
fn and_run_of_ones(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let (low, length) = run_of_ones(&bits(store, c)?)?;
    let mut kept = store.extract(x, low, length);
    if low > 0 {
        let zeros = store.bv(low, 0);
        kept = store.concat(kept, zeros);
    }
    Some(store.zext(kept, node.sort.bv_width()))
}

/// match: x & (x & y); x & (x | y); x & (~x & y); x & (~x | y)
/// result: x & y; x; 0; x & y
fn and_absorbs(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(x, other)| {
        let inner = *store.node(other);
        let [a, b, _] = inner.slots;
        match inner.op {
            Op::BvAnd if a == x || b == x => Some(other),
            Op::BvAnd if is_complement(store, x, a, b) => Some(store.bv(node.sort.bv_width(), 0)),
            Op::BvOr if a == x || b == x => Some(x),
            Op::BvOr if opposite(store, Op::BvNot, x, a) => Some(store.bv_and(x, b)),
            Op::BvOr if opposite(store, Op::BvNot, x, b) => Some(store.bv_and(x, a)),
            _ => None,
        }
    })
}

fn is_complement(store: &Store, x: Term, a: Term, b: Term) -> bool {
    opposite(store, Op::BvNot, x, a) || opposite(store, Op::BvNot, x, b)
}

/// match: ~x & ~y
/// result: ~(x | y)
fn and_of_complements(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::BvNot)?, unary(store, b, Op::BvNot)?);
    let either = store.bv_or(x, y);
    Some(store.bv_not(either))
}

/// match: x & ite(c, all ones, 0); x & ite(c, 0, all ones)
/// result: ite(c, x, 0); ite(c, 0, x)
fn and_mask(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(x, mask)| {
        let (c, then, otherwise) = constant_choice(store, mask)?;
        if is_ones(store, then) && is_zero(store, otherwise) {
            Some(store.ite(c, x, otherwise))
        } else if is_zero(store, then) && is_ones(store, otherwise) {
            Some(store.ite(c, then, x))
        } else {
            None
        }
    })
}

/// match: concat(a, b) ∘ y, where y falls apart at the same bit and a part of either is constant
/// result: concat(a ∘ the high part of y, b ∘ the low part of y)
fn split(store: &mut Store, node: &Node) -> Option<Term> {
    let width = node.sort.bv_width();
    both_ways(node).into_iter().find_map(|(x, y)| {
        let at = boundary(store, x)?;
        if !splits_at(store, y, at) || !split_pays(store, x, y, at) {
            return None;
        }
        let mut part = |low, width| {
            let (x, y) = (store.extract(x, low, width), store.extract(y, low, width));
            apply(store, node.op, x, y)
        };
        let (high, low) = (part(at, width - at), part(0, at));
        Some(store.concat(high, low))
    })
}

/// Whether one of the two operations on parts goes away.
fn split_pays(store: &Store, x: Term, y: Term, at: u16) -> bool {
    if let Some(c) = bits(store, y) {
        let (high, low) = (c.extract(at, c.width() - at), c.extract(0, at));
        let trivial = |part: &BitVec| part.is_zero() || part.is_ones();
        return has_constant_part(store, x) || trivial(&high) || trivial(&low);
    }
    has_constant_part(store, x) || has_constant_part(store, y) && boundary(store, y) == Some(at)
}

fn has_constant_part(store: &Store, term: Term) -> bool {
    match binary(store, term, Op::Concat) {
        Some((high, low)) => store.is_const(high) || store.is_const(low),
        None => store.op(term) == Op::Zext,
    }
}

/// match: sext(x) ∘ sext(y), or with a constant for sext(y) that is so extended
/// result: sext(x ∘ y), the narrower of the two extended to the wider
fn sign_extended(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let x = unary(store, a, Op::Sext)?;
    let (width, from) = (node.sort.bv_width(), store.width(x));
    let inner = if let Some(y) = unary(store, b, Op::Sext) {
        let common = from.max(store.width(y));
        let (x, y) = (store.sext(x, common), store.sext(y, common));
        apply(store, node.op, x, y)
    } else {
        let low = extended_from(Op::Sext, &bits(store, b)?, from)?;
        let low = store.bv_value(low);
        apply(store, node.op, x, low)
    };
    Some(store.sext(inner, width))
}

/// match: (x ∘ c) ∘ y, ∘ one of & | ^
/// result: (x ∘ y) ∘ c
fn move_constant(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(inner, y)| {
        let (x, c) = binary(store, inner, node.op)?;
        if !store.is_const(c) || store.is_const(y) {
            return None;
        }
        let inner = apply(store, node.op, x, y);
        Some(apply(store, node.op, inner, c))
    })
}

/// match: x | 0
/// result: x
fn or_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_zero(store, c).then_some(x)
}

/// match: x | all ones
/// result: all ones
fn or_ones(store: &mut Store, node: &Node) -> Option<Term> {
    let c = node.slots[1];
    is_ones(store, c).then_some(c)
}

/// match: x | ~x
/// result: all ones
fn or_complement(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    let ones = BitVec::ones(node.sort.bv_width());
    opposite(store, Op::BvNot, x, y).then(|| store.bv_value(ones))
}

/// match: x | c, x one wherever c is
/// result: x
fn or_keeps(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let c = store.as_word(c)?;
    (!known(store, x)?.ones & c == 0).then_some(x)
}

/// match: x | c, the ones of c adjacent and at one end
/// result: the other bits of x, concatenated with ones
fn or_run_of_ones(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let width = node.sort.bv_width();
    let (low, length) = run_of_ones(&bits(store, c)?)?;
    if length == width {
        return None;
    }
    if low == 0 {
        let kept = store.extract(x, length, width - length);
        let ones = store.bv_value(BitVec::ones(length));
        Some(store.concat(kept, ones))
    } else if low + length == width {
        let kept = store.extract(x, 0, low);
        let ones = store.bv_value(BitVec::ones(length));
        Some(store.concat(ones, kept))
    } else {
        None
    }
}

/// match: x | (x | y); x | (x & y); x | (~x | y); x | (~x & y)
/// result: x | y; x; all ones; x | y
fn or_absorbs(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(x, other)| {
        let inner = *store.node(other);
        let [a, b, _] = inner.slots;
        match inner.op {
            Op::BvOr if a == x || b == x => Some(other),
            Op::BvOr if is_complement(store, x, a, b) => {
                Some(store.bv_value(BitVec::ones(node.sort.bv_width())))
            }
            Op::BvAnd if a == x || b == x => Some(x),
            Op::BvAnd if opposite(store, Op::BvNot, x, a) => Some(store.bv_or(x, b)),
            Op::BvAnd if opposite(store, Op::BvNot, x, b) => Some(store.bv_or(x, a)),
            _ => None,
        }
    })
}

/// match: ~x | ~y
/// result: ~(x & y)
fn or_of_complements(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::BvNot)?, unary(store, b, Op::BvNot)?);
    let both = store.bv_and(x, y);
    Some(store.bv_not(both))
}

/// match: x | y, the low n bits of x always zero, and all above them of y
/// result: concat(x[w-1:n], y[n-1:0])
fn or_side_by_side(store: &mut Store, node: &Node) -> Option<Term> {
    let width = node.sort.bv_width();
    both_ways(node).into_iter().find_map(|(x, y)| {
        let at = trailing_zeros(store, x);
        if at == 0 || at == width || width - leading_zeros(store, y) > at {
            return None;
        }
        let high = store.extract(x, at, width - at);
        let low = store.extract(y, 0, at);
        Some(store.concat(high, low))
    })
}

/// match: x ^ x
/// result: 0
fn xor_same(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then(|| store.bv(node.sort.bv_width(), 0))
}

/// match: x ^ 0
/// result: x
fn xor_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_zero(store, c).then_some(x)
}

/// match: x ^ all ones
/// result: ~x
fn xor_ones(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    is_ones(store, c).then(|| store.bv_not(x))
}

/// match: x ^ ~x
/// result: all ones
fn xor_complement(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    let ones = BitVec::ones(node.sort.bv_width());
    opposite(store, Op::BvNot, x, y).then(|| store.bv_value(ones))
}

/// match: ~x ^ c
/// result: x ^ ~c
fn xor_complement_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let c = bits(store, c)?;
    let x = unary(store, a, Op::BvNot)?;
    let c = store.bv_value(c.not());
    Some(store.bv_xor(x, c))
}

/// match: ~x ^ ~y
/// result: x ^ y
fn xor_of_complements(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::BvNot)?, unary(store, b, Op::BvNot)?);
    Some(store.bv_xor(x, y))
}

/// match: ~x ^ y
/// result: ~(x ^ y)
fn xor_one_complement(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(flipped, y)| {
        let x = unary(store, flipped, Op::BvNot)?;
        let inner = store.bv_xor(x, y);
        Some(store.bv_not(inner))
    })
}

/// match: x ^ (x ^ y)
/// result: y
fn xor_cancels(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(x, other)| {
        let (a, b) = binary(store, other, Op::BvXor)?;
        if a == x {
            Some(b)
        } else if b == x {
            Some(a)
        } else {
            None
        }
    })
}

/// match: x ^ y, no bit possibly set in both
/// result: x | y
fn xor_disjoint(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    share_no_bits(store, x, y).then(|| store.bv_or(x, y))
}
