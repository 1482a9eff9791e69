//! Rules for the operators that only move bits: extraction, concatenation
//! and the two extensions.

use super::digits::{zext_extraction, zext_sum};
use super::lift::{lift_choice, lift_two_choices};
use super::pattern::{binary, bits, choice, constant_choice, extraction, is_zero, sign, unary};
use super::{Rule, rules};
use crate::bits::BitVec;
use crate::op::Op;
use crate::store::{Node, Store, Term};

pub(super) const EXTRACT: &[Rule] = rules![
    extract_whole,
    extract_inward,
    extract_above_zext,
    extract_across_zext,
    extract_across_sext,
    extract_across_concat,
    lift_choice,
    extract_narrows,
];

pub(super) const CONCAT: &[Rule] = rules![
    concat_zero,
    concat_constants,
    concat_adjacent,
    concat_adjacent_nested,
    concat_zext,
    concat_sext,
    concat_sign_copy,
    concat_nests_right,
    lift_choice,
    lift_two_choices,
    concat_choices,
];

pub(super) const ZEXT: &[Rule] = rules![
    extend_nothing,
    zext_zext,
    zext_extraction,
    zext_sum,
    lift_choice,
];

pub(super) const SEXT: &[Rule] = rules![
    extend_nothing,
    sext_sext,
    sext_nonnegative,
    sext_negative,
    lift_choice,
];

/// How many parts a concatenation may have to be nested anew.
const MOST_PARTS: usize = 64;

/// How many operations deep an extraction looks for the parts it would take.
const NARROWING_DEPTH: u32 = 4;

/// match: x[w-1:0]
/// result: x
fn extract_whole(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[0];
    (node.sort == store.sort(x)).then_some(x)
}

/// match: the bits of an extraction, of one side of a concatenation, or of what is extended
/// result: the bits of the innermost term that has them all
fn extract_inward(store: &mut Store, node: &Node) -> Option<Term> {
    let [outer, low, _] = node.slots;
    let width = node.sort.bv_width();
    let (mut term, mut low) = (outer, low.0 as u16);
    loop {
        let [a, b, _] = store.node(term).slots;
        match store.op(term) {
            Op::Extract => {
                low += b.0 as u16;
                term = a;
            }
            Op::Concat if low >= store.width(b) => {
                low -= store.width(b);
                term = a;
            }
            Op::Concat if low + width <= store.width(b) => term = b,
            Op::Zext | Op::Sext if low + width <= store.width(a) => term = a,
            _ => break,
        }
    }
    (term != outer).then(|| store.extract(term, low, width))
}

/// match: zext(x)[…:i], i not below the width of x
/// result: 0
fn extract_above_zext(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::Zext)?;
    (node.slots[1].0 >= u32::from(store.width(x))).then(|| store.bv(node.sort.bv_width(), 0))
}

/// match: zext(x)[j:i], i below and j not below the width of x
/// result: zext(x[w-1:i])
fn extract_across_zext(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::Zext)?;
    let (from, low, width) = (store.width(x), node.slots[1].0 as u16, node.sort.bv_width());
    if low >= from || low + width < from {
        return None;
    }
    let kept = store.extract(x, low, from - low);
    Some(store.zext(kept, width))
}

/// match: sext(x)[j:i], j not below the width of x
/// result: sext(x[w-1:i]), of its sign bit when i is not below the width
fn extract_across_sext(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::Sext)?;
    let (from, low, width) = (store.width(x), node.slots[1].0 as u16, node.sort.bv_width());
    if low + width < from {
        return None;
    }
    let low = low.min(from - 1);
    let kept = store.extract(x, low, from - low);
    Some(store.sext(kept, width))
}

/// match: the bits of both sides of a concatenation
/// result: the concatenation of the bits of its parts
fn extract_across_concat(store: &mut Store, node: &Node) -> Option<Term> {
    let [outer, low, _] = node.slots;
    if store.op(outer) != Op::Concat {
        return None;
    }
    let (mut low, mut width) = (low.0 as u16, node.sort.bv_width());
    let (mut term, mut parts) = (outer, Vec::new());
    // Down the right spine; whatever is taken of a left side is taken by one extraction.
    while let Some((high, rest)) = binary(store, term, Op::Concat) {
        let at = store.width(rest);
        if low >= at {
            low -= at;
            term = high;
            break;
        }
        if low + width > at {
            parts.push((high, low + width - at));
            width = at - low;
        }
        term = rest;
    }
    if parts.is_empty() {
        return None;
    }
    let mut result = store.extract(term, low, width);
    for &(high, width) in parts.iter().rev() {
        let part = store.extract(high, 0, width);
        result = store.concat(part, result);
    }
    Some(result)
}

/// match: (x ∘ y)[j:i] that depends on those bits of x and y alone, all but one free to take
/// result: x[j:i] ∘ y[j:i]
///
/// ∘ is a choice, a bitwise operation or, for the low bits, a sum or product.
fn extract_narrows(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, low, width) = (node.slots[0], node.slots[1].0 as u16, node.sort.bv_width());
    if !narrows_to(store.op(x), low) || new_extractions(store, x, low, width, NARROWING_DEPTH)? > 1
    {
        return None;
    }
    let mut inner = *store.node(x);
    let arity = inner.op.arity().expect("these operators have arguments");
    let first = usize::from(inner.op == Op::Ite);
    for slot in &mut inner.slots[first..arity] {
        *slot = store.extract(*slot, low, width);
    }
    inner.sort = node.sort;
    Some(store.make(inner))
}

/// Whether the bits from `low` of a result depend on just those bits of the arguments.
fn narrows_to(op: Op, low: u16) -> bool {
    match op {
        Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot | Op::Ite => true,
        Op::BvAdd | Op::BvMul | Op::BvNeg => low == 0,
        _ => false,
    }
}

/// How many extractions it takes to have these bits of the term without one
/// around an operation; none if it cannot be done within `depth`.
fn new_extractions(store: &Store, term: Term, low: u16, width: u16, depth: u32) -> Option<u32> {
    let node = store.node(term);
    if width == node.sort.bv_width() {
        return Some(0);
    }
    let [a, b, c] = node.slots;
    let of = |arg, low, width| new_extractions(store, arg, low, width, depth.checked_sub(1)?);
    match node.op {
        Op::Const | Op::Extract => Some(0),
        Op::Zext if low >= store.width(a) => Some(0),
        Op::Zext | Op::Sext if low + width <= store.width(a) => of(a, low, width),
        Op::Zext | Op::Sext if low == 0 => Some(0),
        Op::Concat if low >= store.width(b) => of(a, low - store.width(b), width),
        Op::Concat if low + width <= store.width(b) => of(b, low, width),
        Op::Zext | Op::Sext | Op::Concat => None,
        Op::Ite if constant_choice(store, term).is_some() => Some(0),
        Op::Ite => Some(of(b, low, width)? + of(c, low, width)?),
        op if narrows_to(op, low) => match op.arity() {
            Some(1) => of(a, low, width),
            _ => Some(of(a, low, width)? + of(b, low, width)?),
        },
        Op::BvAdd | Op::BvMul | Op::BvNeg => None,
        _ => Some(1),
    }
}

/// match: concat(0, x)
/// result: zext(x)
fn concat_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [high, low, _] = node.slots;
    is_zero(store, high).then(|| store.zext(low, node.sort.bv_width()))
}

/// match: concat(c1, concat(c2, x))
/// result: concat(c1c2, x)
fn concat_constants(store: &mut Store, node: &Node) -> Option<Term> {
    let [c1, rest, _] = node.slots;
    let c1 = bits(store, c1)?;
    let (c2, x) = binary(store, rest, Op::Concat)?;
    let c = c1.concat(&bits(store, c2)?);
    let c = store.bv_value(c);
    Some(store.concat(c, x))
}

/// match: concat(x[k:j], x[j-1:i])
/// result: x[k:i]
fn concat_adjacent(store: &mut Store, node: &Node) -> Option<Term> {
    let [high, low, _] = node.slots;
    let (x, from) = adjacent(store, high, low)?;
    Some(store.extract(x, from, node.sort.bv_width()))
}

/// match: concat(x[k:j], concat(x[j-1:i], y))
/// result: concat(x[k:i], y)
fn concat_adjacent_nested(store: &mut Store, node: &Node) -> Option<Term> {
    let [high, rest, _] = node.slots;
    let (low, y) = binary(store, rest, Op::Concat)?;
    let (x, from) = adjacent(store, high, low)?;
    let whole = store.extract(x, from, store.width(high) + store.width(low));
    Some(store.concat(whole, y))
}

/// The term, and the lowest bit, of which two extractions are neighbours.
fn adjacent(store: &Store, high: Term, low: Term) -> Option<(Term, u16)> {
    let (x, upper) = extraction(store, high)?;
    let (y, lower) = extraction(store, low)?;
    (x == y && upper == lower + store.width(low)).then_some((x, lower))
}

/// match: concat(zext(x), y)
/// result: zext(concat(x, y))
fn concat_zext(store: &mut Store, node: &Node) -> Option<Term> {
    let [high, y, _] = node.slots;
    let x = unary(store, high, Op::Zext)?;
    let inner = store.concat(x, y);
    Some(store.zext(inner, node.sort.bv_width()))
}

/// match: concat(sext(x), y)
/// result: sext(concat(x, y))
fn concat_sext(store: &mut Store, node: &Node) -> Option<Term> {
    let [high, y, _] = node.slots;
    let x = unary(store, high, Op::Sext)?;
    let inner = store.concat(x, y);
    Some(store.sext(inner, node.sort.bv_width()))
}

/// match: concat(sign of x, x), x possibly an extraction
/// result: sext(x)
fn concat_sign_copy(store: &mut Store, node: &Node) -> Option<Term> {
    let [high, x, _] = node.slots;
    let width = store.width(x);
    let (of, at) = extraction(store, high)?;
    let copies = if of == x {
        at == width - 1
    } else {
        extraction(store, x).is_some_and(|(y, low)| y == of && at == low + width - 1)
    };
    (store.width(high) == 1 && copies).then(|| store.sext(x, width + 1))
}

/// match: concat(concat(a, b), c)
/// result: concat(a, concat(b, c))
fn concat_nests_right(store: &mut Store, node: &Node) -> Option<Term> {
    let [mut rest, low, _] = node.slots;
    let mut parts = [low; MOST_PARTS];
    let mut count = 0;
    while let Some((high, inner)) = binary(store, rest, Op::Concat) {
        *parts.get_mut(count)? = high;
        count += 1;
        rest = inner;
    }
    if count == 0 {
        return None;
    }
    let mut result = store.concat(rest, low);
    for &part in parts[..count].iter().rev() {
        result = store.concat(part, result);
    }
    Some(result)
}

/// match: concat(ite(c, a, b), ite(c, d, e)), a and b neighbours of d and e or all constants
/// result: ite(c, concat(a, d), concat(b, e))
fn concat_choices(store: &mut Store, node: &Node) -> Option<Term> {
    let [high, low, _] = node.slots;
    let (c, a, b) = choice(store, high)?;
    let (also, d, e) = choice(store, low)?;
    if c != also || !joins(store, a, d) || !joins(store, b, e) {
        return None;
    }
    let (then, otherwise) = (store.concat(a, d), store.concat(b, e));
    Some(store.ite(c, then, otherwise))
}

/// Whether the concatenation of the two is no concatenation.
fn joins(store: &Store, high: Term, low: Term) -> bool {
    (store.is_const(high) && store.is_const(low)) || adjacent(store, high, low).is_some()
}

/// match: zext(x) or sext(x) to the width of x
/// result: x
fn extend_nothing(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[0];
    (node.sort == store.sort(x)).then_some(x)
}

/// match: zext(zext(x))
/// result: zext(x)
fn zext_zext(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::Zext)?;
    Some(store.zext(x, node.sort.bv_width()))
}

/// match: sext(sext(x))
/// result: sext(x)
fn sext_sext(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::Sext)?;
    Some(store.sext(x, node.sort.bv_width()))
}

/// match: sext(x), x never negative
/// result: zext(x)
fn sext_nonnegative(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[0];
    (sign(store, x) == Some(false)).then(|| store.zext(x, node.sort.bv_width()))
}

/// match: sext(x), x always negative, to a greater width
/// result: concat(all ones, x)
fn sext_negative(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[0];
    let more = node.sort.bv_width() - store.width(x);
    if more == 0 || sign(store, x) != Some(true) {
        return None;
    }
    let ones = store.bv_value(BitVec::ones(more));
    Some(store.concat(ones, x))
}
