//! Operations on choices between constants become choices between results.
//!
//! Comparisons give bit-vectors of zero and one to C programs, which compare,
//! widen and combine them again; these rules take the detour out.

use super::fold;
use super::pattern::{choice, constant_choice};
use crate::store::{Node, Store, Term};

/// The longest chain of choices a comparison is moved into.
const LONGEST: usize = 16;

/// match: f(ite(c, k1, k2), k3, …), every choice on the same condition
/// result: ite(c, f(k1, k3, …), f(k2, k3, …))
pub(super) fn lift_choice(store: &mut Store, node: &Node) -> Option<Term> {
    let arity = node.op.arity()?;
    let (mut on, mut thens, mut others) = (None, *node, *node);
    for (i, &arg) in node.slots[..arity].iter().enumerate() {
        if store.is_const(arg) {
            continue;
        }
        let (condition, then, otherwise) = constant_choice(store, arg)?;
        if on.is_some_and(|on| on != condition) {
            return None;
        }
        on = Some(condition);
        thens.slots[i] = then;
        others.slots[i] = otherwise;
    }
    let on = on?;
    let then = fold::constants(store, &thens)?;
    let otherwise = fold::constants(store, &others)?;
    Some(store.ite(on, then, otherwise))
}

/// match: f(ite(c, k1, k2), ite(d, k3, k4)) with at most two distinct results
/// result: the choice between them on the combination of c and d
pub(super) fn lift_two_choices(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (c, a_then, a_else) = constant_choice(store, a)?;
    let (d, b_then, b_else) = constant_choice(store, b)?;
    let mut result = |a, b| {
        let mut ground = *node;
        ground.slots[..2].copy_from_slice(&[a, b]);
        fold::constants(store, &ground)
    };
    let both = result(a_then, b_then)?;
    let rest = [
        result(a_then, b_else)?,
        result(a_else, b_then)?,
        result(a_else, b_else)?,
    ];
    let Some(&other) = rest.iter().find(|&&r| r != both) else {
        return Some(both);
    };
    if rest.iter().any(|&r| r != both && r != other) {
        return None;
    }
    let condition = match rest.map(|r| r == both) {
        [false, false, false] => store.and(c, d),
        [true, false, false] => c,
        [false, true, false] => d,
        [false, false, true] => store.eq(c, d),
        [true, true, false] => store.or(c, d),
        [true, false, true] => store.implies(d, c),
        [false, true, true] => store.implies(c, d),
        [true, true, true] => unreachable!("then `other` would not have been found"),
    };
    Some(store.ite(condition, both, other))
}

/// match: ite(c1, k1, ite(c2, k2, … x)) ⋈ k, a comparison with a constant
/// result: ite(c1, k1 ⋈ k, ite(c2, k2 ⋈ k, … x ⋈ k))
pub(super) fn lift_chain(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let at = match (store.is_const(a), store.is_const(b)) {
        (false, true) => 0,
        (true, false) => 1,
        _ => return None,
    };
    let mut chain = [None; LONGEST];
    let mut rest = node.slots[at];
    let mut links = 0;
    while let Some(link) = Link::of(store, rest) {
        *chain.get_mut(links)? = Some(link);
        links += 1;
        rest = link.rest;
    }
    if links == 0 {
        return None;
    }
    let mut compared = *node;
    compared.slots[at] = rest;
    let mut result = store.make(compared);
    for link in chain[..links].iter().rev().flatten() {
        compared.slots[at] = link.constant;
        let known = fold::constants(store, &compared)?;
        let (then, otherwise) = if link.constant_first {
            (known, result)
        } else {
            (result, known)
        };
        result = store.ite(link.condition, then, otherwise);
    }
    Some(result)
}

/// A choice with one constant branch.
#[derive(Clone, Copy)]
struct Link {
    condition: Term,
    constant: Term,
    constant_first: bool,
    rest: Term,
}

impl Link {
    fn of(store: &Store, term: Term) -> Option<Link> {
        let (condition, then, otherwise) = choice(store, term)?;
        let constant_first = store.is_const(then);
        let (constant, rest) = if constant_first {
            (then, otherwise)
        } else {
            (otherwise, then)
        };
        store.is_const(constant).then_some(Link {
            condition,
            constant,
            constant_first,
            rest,
        })
    }
}
