//! Rules for choices.

use super::array::{ite_store_or_not, ite_stores};
use super::pattern::{
    binary, bits, choice, extend, extended_from, is_one, is_zero, opposite, unary,
};
use super::{Rule, rules};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Store, Term};

/// The rules for choices between terms of this sort.
pub(super) fn of_sort(sort: Sort) -> &'static [Rule] {
    match sort {
        Sort::Bool => BOOL,
        Sort::Bv(_) => BV,
        Sort::Array { .. } => ARRAY,
        Sort::Fp(_) | Sort::RoundingMode | Sort::Int | Sort::Real | Sort::String | Sort::RegLan => {
            OTHER
        }
    }
}

const BOOL: &[Rule] = rules![
    ite_decided,
    ite_same,
    ite_negated_condition,
    ite_then_constant,
    ite_else_constant,
    ite_then_is_condition,
    ite_else_is_condition,
    ite_equal,
    ite_then_same_condition,
    ite_else_same_condition,
    ite_else_shares_then,
    ite_else_shares_else,
    ite_then_shares_then,
    ite_then_shares_else,
    ite_opposites,
    ite_negations,
];

const BV: &[Rule] = rules![
    ite_decided,
    ite_same,
    ite_negated_condition,
    ite_of_bit,
    ite_equal,
    ite_then_same_condition,
    ite_else_same_condition,
    ite_else_shares_then,
    ite_else_shares_else,
    ite_then_shares_then,
    ite_then_shares_else,
    ite_extensions,
];

const ARRAY: &[Rule] = rules![
    ite_decided,
    ite_same,
    ite_negated_condition,
    ite_then_same_condition,
    ite_else_same_condition,
    ite_else_shares_then,
    ite_else_shares_else,
    ite_then_shares_then,
    ite_then_shares_else,
    ite_stores,
    ite_store_or_not,
];

const OTHER: &[Rule] = rules![
    ite_decided,
    ite_same,
    ite_negated_condition,
    ite_equal,
    ite_then_same_condition,
    ite_else_same_condition,
    ite_else_shares_then,
    ite_else_shares_else,
    ite_then_shares_then,
    ite_then_shares_else,
];

/// match: ite(true, a, b); ite(false, a, b)
/// result: a; b
fn ite_decided(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    store
        .as_bool(condition)
        .map(|holds| if holds { then } else { otherwise })
}

/// match: ite(c, a, a)
/// result: a
fn ite_same(_: &mut Store, node: &Node) -> Option<Term> {
    let [_, then, otherwise] = node.slots;
    (then == otherwise).then_some(then)
}

/// match: ite(¬c, a, b)
/// result: ite(c, b, a)
fn ite_negated_condition(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    let condition = unary(store, condition, Op::Not)?;
    Some(store.ite(condition, otherwise, then))
}

/// match: ite(a = b, a, b); ite(a = b, b, a)
/// result: b; a
fn ite_equal(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    let (a, b) = binary(store, condition, Op::Eq)?;
    ((a, b) == (then, otherwise) || (b, a) == (then, otherwise)).then_some(otherwise)
}

/// match: ite(c, ite(c, a, b), d)
/// result: ite(c, a, d)
fn ite_then_same_condition(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    let (inner, a, b) = choice(store, then)?;
    let taken = branch_under(store, condition, inner, a, b)?;
    Some(store.ite(condition, taken, otherwise))
}

/// match: ite(c, a, ite(c, b, d))
/// result: ite(c, a, d)
fn ite_else_same_condition(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    let (inner, a, b) = choice(store, otherwise)?;
    let taken = branch_under(store, condition, inner, b, a)?;
    Some(store.ite(condition, then, taken))
}

/// Which of two branches a condition takes that is `condition` or its negation.
fn branch_under(store: &Store, condition: Term, inner: Term, a: Term, b: Term) -> Option<Term> {
    if inner == condition {
        Some(a)
    } else if opposite(store, Op::Not, inner, condition) {
        Some(b)
    } else {
        None
    }
}

/// match: ite(c, a, ite(d, a, b))
/// result: ite(c ∨ d, a, b)
fn ite_else_shares_then(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, a, otherwise] = node.slots;
    let (d, inner, b) = choice(store, otherwise)?;
    if inner != a {
        return None;
    }
    let either = store.or(c, d);
    Some(store.ite(either, a, b))
}

/// match: ite(c, a, ite(d, b, a))
/// result: ite(¬c ∧ d, b, a)
fn ite_else_shares_else(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, a, otherwise] = node.slots;
    let (d, b, inner) = choice(store, otherwise)?;
    if inner != a {
        return None;
    }
    let not_c = store.not(c);
    let both = store.and(not_c, d);
    Some(store.ite(both, b, a))
}

/// match: ite(c, ite(d, a, b), a)
/// result: ite(c ∧ ¬d, b, a)
fn ite_then_shares_then(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, then, a] = node.slots;
    let (d, inner, b) = choice(store, then)?;
    if inner != a {
        return None;
    }
    let not_d = store.not(d);
    let both = store.and(c, not_d);
    Some(store.ite(both, b, a))
}

/// match: ite(c, ite(d, a, b), b)
/// result: ite(c ∧ d, a, b)
fn ite_then_shares_else(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, then, b] = node.slots;
    let (d, a, inner) = choice(store, then)?;
    if inner != b {
        return None;
    }
    let both = store.and(c, d);
    Some(store.ite(both, a, b))
}

/// match: ite(c, true, a); ite(c, false, a)
/// result: c ∨ a; ¬c ∧ a
fn ite_then_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, then, a] = node.slots;
    Some(if store.as_bool(then)? {
        store.or(c, a)
    } else {
        let not_c = store.not(c);
        store.and(not_c, a)
    })
}

/// match: ite(c, a, true); ite(c, a, false)
/// result: ¬c ∨ a; c ∧ a
fn ite_else_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, a, otherwise] = node.slots;
    Some(if store.as_bool(otherwise)? {
        store.implies(c, a)
    } else {
        store.and(c, a)
    })
}

/// match: ite(c, c, a); ite(c, ¬c, a)
/// result: c ∨ a; ¬c ∧ a
fn ite_then_is_condition(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, then, a] = node.slots;
    if then == c {
        Some(store.or(c, a))
    } else if opposite(store, Op::Not, then, c) {
        Some(store.and(then, a))
    } else {
        None
    }
}

/// match: ite(c, a, c); ite(c, a, ¬c)
/// result: c ∧ a; ¬c ∨ a
fn ite_else_is_condition(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, a, otherwise] = node.slots;
    if otherwise == c {
        Some(store.and(c, a))
    } else if opposite(store, Op::Not, otherwise, c) {
        Some(store.implies(c, a))
    } else {
        None
    }
}

/// match: ite(c, a, ¬a)
/// result: c = a
fn ite_opposites(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, a, b] = node.slots;
    opposite(store, Op::Not, a, b).then(|| store.eq(c, a))
}

/// match: ite(c, ¬a, ¬b)
/// result: ¬ite(c, a, b)
fn ite_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, then, otherwise] = node.slots;
    let a = unary(store, then, Op::Not)?;
    let b = unary(store, otherwise, Op::Not)?;
    let inner = store.ite(c, a, b);
    Some(store.not(inner))
}

/// match: ite(x = 1, 1, 0); ite(x = 1, 0, 1); x of one bit
/// result: zext(x); zext(¬x)
fn ite_of_bit(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    if !store.is_const(then) || !store.is_const(otherwise) {
        return None;
    }
    let width = node.sort.bv_width();
    let (x, one) = binary(store, condition, Op::Eq)?;
    if store.width(x) != 1 || !is_one(store, one) {
        return None;
    }
    if is_one(store, then) && is_zero(store, otherwise) {
        Some(store.zext(x, width))
    } else if is_zero(store, then) && is_one(store, otherwise) {
        let flipped = store.bv_not(x);
        Some(store.zext(flipped, width))
    } else {
        None
    }
}

/// match: ite(c, ext(a), ext(b)), one of them possibly a constant that is so extended
/// result: ext(ite(c, a, b))
fn ite_extensions(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    let width = node.sort.bv_width();
    let (op, from) = [then, otherwise]
        .into_iter()
        .find_map(|side| extension(store, side))?;
    let a = narrowed(store, then, op, from)?;
    let b = narrowed(store, otherwise, op, from)?;
    let inner = store.ite(condition, a, b);
    Some(extend(store, op, inner, width))
}

/// The kind of an extension and the width it starts from.
fn extension(store: &Store, term: Term) -> Option<(Op, u16)> {
    let node = store.node(term);
    matches!(node.op, Op::Zext | Op::Sext).then(|| (node.op, store.width(node.slots[0])))
}

/// What is extended to `term` from this width by this kind of extension.
fn narrowed(store: &mut Store, term: Term, op: Op, from: u16) -> Option<Term> {
    if let Some(inner) = unary(store, term, op) {
        return (store.width(inner) == from).then_some(inner);
    }
    let low = extended_from(op, &bits(store, term)?, from)?;
    Some(store.bv_value(low))
}
