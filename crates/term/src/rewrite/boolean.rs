//! Rules for negation and conjunction, which with equality are all there is
//! of propositional logic: `a ∨ b` is `¬(¬a ∧ ¬b)`.

use super::conjunction::{and_hole, and_orders, and_ranges};
use super::pattern::{binary, both_ways, opposite, unary};
use super::{Rule, rules};
use crate::op::Op;
use crate::store::{Node, Store, Term};

pub(super) const NOT: &[Rule] = rules![not_not];

pub(super) const AND: &[Rule] = rules![
    and_true,
    and_false,
    and_same,
    and_complement,
    and_absorbs,
    and_contradicts,
    and_resolves,
    and_implies,
    and_shares,
    and_shares_negated,
    and_disjoint_conjunctions,
    and_cases,
    and_ranges,
    and_hole,
    and_orders,
];

/// match: ¬¬a
/// result: a
fn not_not(store: &mut Store, node: &Node) -> Option<Term> {
    unary(store, node.slots[0], Op::Not)
}

/// match: a ∧ true
/// result: a
fn and_true(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    (store.as_bool(b) == Some(true)).then_some(a)
}

/// match: a ∧ false
/// result: false
fn and_false(store: &mut Store, node: &Node) -> Option<Term> {
    let b = node.slots[1];
    (store.as_bool(b) == Some(false)).then_some(b)
}

/// match: a ∧ a
/// result: a
fn and_same(_: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    (a == b).then_some(a)
}

/// match: a ∧ ¬a
/// result: false
fn and_complement(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    opposite(store, Op::Not, a, b).then(|| store.bool(false))
}

/// match: a ∧ (a ∧ b)
/// result: a ∧ b
fn and_absorbs(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(a, all)| {
        let (x, y) = binary(store, all, Op::And)?;
        (x == a || y == a).then_some(all)
    })
}

/// match: a ∧ (¬a ∧ b)
/// result: false
fn and_contradicts(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(a, all)| {
        let (x, y) = binary(store, all, Op::And)?;
        contradicts(store, a, (x, y)).then(|| store.bool(false))
    })
}

/// match: a ∧ ¬(a ∧ b)
/// result: a ∧ ¬b
fn and_resolves(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(a, clause)| {
        let (x, y) = negated_conjunction(store, clause)?;
        let other = other_of(a, (x, y))?;
        let rest = store.not(other);
        Some(store.and(a, rest))
    })
}

/// match: a ∧ ¬(¬a ∧ b)
/// result: a
fn and_implies(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(a, clause)| {
        let (x, y) = negated_conjunction(store, clause)?;
        contradicts(store, a, (x, y)).then_some(a)
    })
}

/// match: (a ∧ b) ∧ (a ∧ c), c neither a conjunction nor the negation of one
/// result: (a ∧ b) ∧ c
fn and_shares(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(all, more)| {
        let (x, y) = binary(store, all, Op::And)?;
        let pair = binary(store, more, Op::And)?;
        let rest = other_of(x, pair).or_else(|| other_of(y, pair))?;
        is_literal(store, rest).then(|| store.and(all, rest))
    })
}

/// match: (a ∧ b) ∧ ¬(a ∧ c), c neither a conjunction nor the negation of one
/// result: (a ∧ b) ∧ ¬c
fn and_shares_negated(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(all, clause)| {
        let (x, y) = binary(store, all, Op::And)?;
        let pair = negated_conjunction(store, clause)?;
        let rest = other_of(x, pair).or_else(|| other_of(y, pair))?;
        if !is_literal(store, rest) {
            return None;
        }
        let rest = store.not(rest);
        Some(store.and(all, rest))
    })
}

/// match: (a ∧ b) ∧ (¬a ∧ c); (a ∧ b) ∧ ¬(¬a ∧ c)
/// result: false; a ∧ b
fn and_disjoint_conjunctions(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(all, other)| {
        let (x, y) = binary(store, all, Op::And)?;
        let (pair, result) = match negated_conjunction(store, other) {
            Some(pair) => (pair, all),
            None => (binary(store, other, Op::And)?, store.bool(false)),
        };
        (contradicts(store, x, pair) || contradicts(store, y, pair)).then_some(result)
    })
}

/// match: ¬(a ∧ b) ∧ ¬(a ∧ ¬b)
/// result: ¬a
fn and_cases(store: &mut Store, node: &Node) -> Option<Term> {
    let [first, second, _] = node.slots;
    let (x, y) = negated_conjunction(store, first)?;
    let pair = negated_conjunction(store, second)?;
    [(x, y), (y, x)].into_iter().find_map(|(a, b)| {
        let other = other_of(a, pair)?;
        opposite(store, Op::Not, b, other).then(|| store.not(a))
    })
}

/// The conjuncts under a negation.
fn negated_conjunction(store: &Store, term: Term) -> Option<(Term, Term)> {
    binary(store, unary(store, term, Op::Not)?, Op::And)
}

fn contradicts(store: &Store, a: Term, (x, y): (Term, Term)) -> bool {
    opposite(store, Op::Not, a, x) || opposite(store, Op::Not, a, y)
}

/// The other of a pair that has `a`.
fn other_of(a: Term, (x, y): (Term, Term)) -> Option<Term> {
    if x == a {
        Some(y)
    } else if y == a {
        Some(x)
    } else {
        None
    }
}

/// Whether conjoining the term or its negation looks no further into it.
fn is_literal(store: &Store, term: Term) -> bool {
    let atom = unary(store, term, Op::Not).unwrap_or(term);
    store.op(atom) != Op::And
}
