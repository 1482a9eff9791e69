//! The rules held against evaluation, and what they are for.

mod assignments;
mod depth;
mod digits;
mod forms;
mod random;
mod shapes;
mod values;

use crate::Variable;
use crate::op::Op;
use crate::store::{Store, Term};
use std::collections::BTreeSet;

/// The terms a term is made of, arguments first.
fn parts(store: &Store, terms: &[Term]) -> BTreeSet<Term> {
    let (mut found, mut open) = (BTreeSet::new(), terms.to_vec());
    while let Some(term) = open.pop() {
        if found.insert(term) {
            open.extend_from_slice(store.args(term));
        }
    }
    found
}

fn variables(store: &Store, parts: &BTreeSet<Term>) -> Vec<Variable> {
    parts
        .iter()
        .filter_map(|&part| store.as_variable(part))
        .collect()
}

/// A term written out, for messages.
fn show(store: &Store, term: Term) -> String {
    if let Some(value) = store.as_value(term) {
        return format!("{value:?}");
    }
    if let Some(variable) = store.as_variable(term) {
        return store.variable_name(variable).to_owned();
    }
    let args: Vec<String> = store
        .args(term)
        .iter()
        .map(|&arg| show(store, arg))
        .collect();
    let op = store.op(term);
    match op {
        Op::Extract => format!(
            "{op:?}[{}+:{}]({})",
            store.indices(term)[0],
            store.width(term),
            args.join(", ")
        ),
        Op::Zext | Op::Sext => format!("{op:?}:{}({})", store.width(term), args.join(", ")),
        _ => format!("{op:?}({})", args.join(", ")),
    }
}

#[rustfmt::skip]
const BIT_VECTOR_OPS: &[Op] = &[
    Op::Ite, Op::BvNot, Op::BvNeg, Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvMul,
    Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr,
    Op::Concat, Op::Extract, Op::Zext, Op::Sext,
];
