//! Rules for arrays.
//!
//! Reads walk past the writes that are provably elsewhere, in a loop: chains
//! of writes get long.

use super::digits::select_counting;
use super::equality::eq_same;
use super::lift::lift_choice;
use super::pattern::{binary, both_ways, distinct, known, unary};
use super::{Rule, rules};
use crate::bits::BitVec;
use crate::op::Op;
use crate::store::{Node, Store, Term};
use crate::value::{ArrayValue, Value};
use std::rc::Rc;

pub(super) const SELECT: &[Rule] = rules![
    select_past_stores,
    select_uniform,
    lift_choice,
    select_uniform_table,
    select_of_two,
    select_counting,
];

pub(super) const STORE: &[Rule] = rules![
    store_into_table,
    store_again,
    store_unchanged,
    store_same_element,
];

pub(super) const EQUALITY: &[Rule] = rules![eq_same, eq_store_base, eq_stores];

/// How many writes one read walks past.
const LONGEST_WALK: usize = 1000;

/// How many elements of a constant array may differ from its default for
/// writing another one to be worth a copy.
const MOST_ENTRIES: usize = 1024;

/// match: select(store(…, i, v), j), the writes above it provably elsewhere
/// result: v when i is j, otherwise the read below them
fn select_past_stores(store: &mut Store, node: &Node) -> Option<Term> {
    let [outer, index, _] = node.slots;
    let mut array = outer;
    for _ in 0..LONGEST_WALK {
        let Some((below, at, element)) = write(store, array) else {
            break;
        };
        if at == index {
            return Some(element);
        }
        if !distinct(store, at, index) {
            break;
        }
        array = below;
    }
    if array == outer {
        return None;
    }
    let mut below = *node;
    below.slots[0] = array;
    Some(match write(store, array) {
        // Either the walk is to end here or no rule but this one could apply.
        Some(_) => store.intern(below),
        None => store.make(below),
    })
}

/// The array, index and element of a write.
fn write(store: &Store, term: Term) -> Option<(Term, Term, Term)> {
    let node = store.node(term);
    let [array, index, element] = node.slots;
    (node.op == Op::Store).then_some((array, index, element))
}

/// match: select(const_array(v), i)
/// result: v
fn select_uniform(store: &mut Store, node: &Node) -> Option<Term> {
    unary(store, node.slots[0], Op::ConstArray)
}

/// The constant array a node reads or writes first.
fn table(store: &Store, node: &Node) -> Option<Rc<ArrayValue>> {
    match store.as_value(node.slots[0])? {
        Value::Array(array) => Some(array),
        other => unreachable!("{other:?} is not an array"),
    }
}

/// match: select(k, i), k a constant with one element everywhere
/// result: that element
fn select_uniform_table(store: &mut Store, node: &Node) -> Option<Term> {
    let table = table(store, node)?;
    (table.entries().len() == 0).then(|| store.bv_value(table.default().clone()))
}

/// match: select(k, i), k a constant, i one of two neighbours n and n + 1
/// result: ite(i = n, k[n], k[n + 1])
fn select_of_two(store: &mut Store, node: &Node) -> Option<Term> {
    let table = table(store, node)?;
    let index = node.slots[1];
    let width = store.width(index);
    let facts = *known(store, index)?;
    if facts.max - facts.min != 1 {
        return None;
    }
    let element = |at| table.get(&BitVec::from_u64(width, at)).clone();
    let low = store.bv(width, facts.min);
    let at_low = store.eq(index, low);
    let then = store.bv_value(element(facts.min));
    let otherwise = store.bv_value(element(facts.max));
    Some(store.ite(at_low, then, otherwise))
}

/// match: store(k, i, v), all constants, k not too big
/// result: the constant
fn store_into_table(store: &mut Store, node: &Node) -> Option<Term> {
    let [array, index, element] = node.slots;
    if !store.is_const(index) || !store.is_const(element) {
        return None;
    }
    let table = table(store, node)?;
    let (Some(Value::Bv(index)), Some(Value::Bv(element))) =
        (store.as_value(index), store.as_value(element))
    else {
        unreachable!("indices and elements are bit-vectors");
    };
    if *table.get(&index) == element {
        return Some(array);
    }
    if table.entries().len() >= MOST_ENTRIES {
        return None;
    }
    let mut table = ArrayValue::clone(&table);
    table.set(index, element);
    Some(store.value(Value::Array(Rc::new(table))))
}

/// match: store(store(a, i, v), i, w)
/// result: store(a, i, w)
fn store_again(store: &mut Store, node: &Node) -> Option<Term> {
    let [array, index, element] = node.slots;
    let (below, at, _) = write(store, array)?;
    (at == index).then(|| store.store(below, index, element))
}

/// match: store(a, i, select(a, i))
/// result: a
fn store_unchanged(store: &mut Store, node: &Node) -> Option<Term> {
    let [array, index, element] = node.slots;
    (binary(store, element, Op::Select)? == (array, index)).then_some(array)
}

/// match: store(const_array(v), i, v)
/// result: const_array(v)
fn store_same_element(store: &mut Store, node: &Node) -> Option<Term> {
    let [array, _, element] = node.slots;
    (unary(store, array, Op::ConstArray)? == element).then_some(array)
}

/// match: store(a, i, v) = a
/// result: select(a, i) = v
fn eq_store_base(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(written, array)| {
        let (below, index, element) = write(store, written)?;
        if below != array {
            return None;
        }
        let before = store.select(array, index);
        Some(store.eq(before, element))
    })
}

/// match: store(a, i, v) = store(a, i, w)
/// result: v = w
fn eq_stores(store: &mut Store, node: &Node) -> Option<Term> {
    let [left, right, _] = node.slots;
    let (a, i, v) = write(store, left)?;
    let (b, j, w) = write(store, right)?;
    (a == b && i == j).then(|| store.eq(v, w))
}

/// match: ite(c, store(a, i, v), store(a, i, w))
/// result: store(a, i, ite(c, v, w))
pub(super) fn ite_stores(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    let (a, i, v) = write(store, then)?;
    let (b, j, w) = write(store, otherwise)?;
    if a != b || i != j {
        return None;
    }
    let element = store.ite(condition, v, w);
    Some(store.store(a, i, element))
}

/// match: ite(c, store(a, i, v), a); ite(c, a, store(a, i, v))
/// result: store(a, i, ite(c, v, select(a, i))); store(a, i, ite(c, select(a, i), v))
pub(super) fn ite_store_or_not(store: &mut Store, node: &Node) -> Option<Term> {
    let [condition, then, otherwise] = node.slots;
    let (array, index, element) = match (write(store, then), write(store, otherwise)) {
        (Some((a, i, v)), _) if a == otherwise => {
            let before = store.select(a, i);
            (a, i, store.ite(condition, v, before))
        }
        (_, Some((a, i, v))) if a == then => {
            let before = store.select(a, i);
            (a, i, store.ite(condition, before, v))
        }
        _ => return None,
    };
    Some(store.store(array, index, element))
}
