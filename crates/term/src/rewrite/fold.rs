//! Computing with constants: the rules that serve every operator.

use crate::compute::{self, Shape};
use crate::facts::Facts;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Store, Term};
use crate::value::{Value, is_word};

/// match: f(constants)
/// result: its value
pub(super) fn constants(store: &mut Store, node: &Node) -> Option<Term> {
    let args = match node.op {
        // A function's value is not known, and writing into a big array is
        // not worth a copy of it: `array::store_into_table` decides.
        Op::Const | Op::Var | Op::Apply | Op::Store => return None,
        Op::FpFma => store.list_items(node.slots[0]),
        op => &node.slots[..op.arity().expect("only applications and fma keep lists")],
    };
    let &last = args.last()?;
    if !is_ground(store, last) {
        return None;
    }
    if node.op == Op::Eq && store.sort(last) == Sort::RegLan {
        // One language has many values, so that values say nothing of equality.
        return None;
    }
    let shape = Shape {
        op: node.op,
        sort: node.sort,
        of: store.sort(last),
        indices: [node.slots[1].0, node.slots[2].0],
    };
    if is_word(node.sort) {
        let mut words = [0; 4];
        let all_words = words.iter_mut().zip(args).all(|(word, &arg)| {
            let known = store.as_word(arg);
            *word = known.unwrap_or(0);
            known.is_some()
        });
        if all_words {
            let word = compute::word(shape, &words[..args.len()]);
            return Some(store.word(node.sort, word));
        }
    }
    if !args.iter().all(|&arg| is_ground(store, arg)) {
        return None;
    }
    let values: Vec<Value> = args.iter().map(|&arg| ground_value(store, arg)).collect();
    Some(store.value(compute::value(shape, &values)))
}

/// Whether the term is a constant or one of the languages that have a name.
#[inline]
fn is_ground(store: &Store, term: Term) -> bool {
    matches!(
        store.op(term),
        Op::Const | Op::ReNone | Op::ReAll | Op::ReAllChar
    )
}

fn ground_value(store: &Store, term: Term) -> Value {
    store.as_value(term).unwrap_or_else(|| {
        let shape = Shape {
            op: store.op(term),
            sort: Sort::RegLan,
            of: Sort::RegLan,
            indices: [0, 0],
        };
        compute::value(shape, &[])
    })
}

/// match: a bit-vector whose facts leave one value
/// result: that value
pub(super) fn single_value(store: &mut Store, node: &Node) -> Option<Term> {
    if !(1..=64).contains(&node.sort.bv_width()) {
        return None;
    }
    let word = Facts::of(store, node, |arg| *store.facts(arg)).single()?;
    Some(store.word(node.sort, word))
}
