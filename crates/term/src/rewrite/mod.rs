//! Rewriting at construction.
//!
//! Every rule is a small function named after what it does, headed by a
//! comment that says what it matches and what it gives, and listed in the
//! table of its operator. A rule looks a bounded distance into its arguments.

use crate::compute::{self, Shape};
use crate::op::Op;
use crate::store::{Node, Store, Term};

/// The term the node is rewritten to, if any rule applies.
pub(crate) fn simplify(store: &mut Store, node: &Node) -> Option<Term> {
    fold_constants(store, node)
}

/// match: f(constants)   result: its value
fn fold_constants(store: &mut Store, node: &Node) -> Option<Term> {
    if node.op == Op::Apply {
        return None;
    }
    let args: &[Term] = match node.op.arity() {
        Some(arity) => &node.slots[..arity],
        None => store.list_items(node.slots[0]),
    };
    if args.is_empty() || !args.iter().all(|&arg| store.is_const(arg)) {
        return None;
    }
    let values: Vec<_> = args
        .iter()
        .map(|&arg| store.as_value(arg).expect("it is a constant"))
        .collect();
    let shape = Shape {
        op: node.op,
        sort: node.sort,
        of: values.last().expect("there are arguments").sort(),
        indices: [node.slots[1].0, node.slots[2].0],
    };
    let value = compute::value(shape, &values);
    Some(store.value(value))
}
