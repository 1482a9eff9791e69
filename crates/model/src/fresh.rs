//! Values that are not known: new variables, and what must hold of them to be a value at all.
//!
//! An enumeration is the number of one of its values. A list has as many elements as it says; what
//! a value does not use has the value that variables begin as, so that no value has two rows of
//! leaves.

use crate::types::{Record, Shape, Type};
use term::{Store, Term};

/// Whether one value comes before another of the same type.
pub(crate) fn less(store: &mut Store, ty: &Type, a: Term, b: Term) -> Term {
    match ty {
        Type::Bits { signed: true, .. } => store.bv_slt(a, b),
        Type::Bits { .. } => store.bv_ult(a, b),
        Type::Float => store.fp_lt(a, b),
        Type::String => store.str_lt(a, b),
        _ => store.lt(a, b),
    }
}

/// New variables for a value of this type, and what must hold of them.
pub(crate) fn fresh(store: &mut Store, name: &str, ty: &Type, needs: &mut Vec<Term>) -> Vec<Term> {
    let names = ty.leaf_names(name);
    let leaves = ty.leaves();
    let terms = names.iter().zip(&leaves);
    let terms = terms.map(|(name, leaf)| store.fresh_var(name, leaf.sort()));
    let terms: Vec<Term> = terms.collect();
    require_value(store, ty, &terms, needs);
    terms
}

/// What must hold of leaves that are a value of the type.
fn require_value(store: &mut Store, ty: &Type, leaves: &[Term], needs: &mut Vec<Term>) {
    match ty {
        Type::Enumeration(enumeration) => {
            needs.push(is_below(store, leaves[0], enumeration.values.len()));
        }
        Type::Array(element, _) => {
            for part in leaves.chunks(element.size()) {
                require_value(store, element, part, needs);
            }
        }
        Type::Record(record) => {
            let parts = record.split(leaves);
            for ((_, ty), part) in record.fields.iter().zip(&parts) {
                require_value(store, ty, part, needs);
            }
            require_shape(store, record, &parts, needs);
        }
        Type::Bool | Type::Int | Type::Bits { .. } | Type::Real | Type::Float | Type::String => {}
    }
}

/// What the shape of a record says of its fields: what is not used is what variables begin as,
/// and keys are in order.
fn require_shape(store: &mut Store, record: &Record, parts: &[&[Term]], needs: &mut Vec<Term>) {
    match &record.shape {
        Shape::Fields => {}
        Shape::Variants(values) => {
            for (field, (_, ty)) in record.fields.iter().enumerate().skip(1) {
                let having = values.iter().enumerate();
                let having = having.filter(|(_, own)| own.contains(&field));
                let mut need = is_default(store, ty, parts[field]);
                for (number, _) in having {
                    let number = store.int(number);
                    let is_it = store.eq(parts[0][0], number);
                    need = store.or(need, is_it);
                }
                needs.push(need);
            }
        }
        Shape::List | Shape::Set | Shape::Map => {
            let (length, size) = (parts[0][0], record.capacity());
            needs.push(is_below(store, length, size + 1));
            for (number, (_, ty)) in record.fields.iter().enumerate().skip(1) {
                let Type::Array(element, _) = ty else {
                    continue;
                };
                let is_sorted = number == 1 && record.shape != Shape::List;
                let elements: Vec<&[Term]> = parts[number].chunks(element.size()).collect();
                for (at, part) in elements.iter().enumerate() {
                    let here = store.int(at);
                    let is_there = store.lt(here, length);
                    let unused = is_default(store, element, part);
                    needs.push(store.or(is_there, unused));
                    if is_sorted && at > 0 {
                        let order = less(store, element, elements[at - 1][0], part[0]);
                        needs.push(store.implies(is_there, order));
                    }
                }
            }
        }
    }
}

/// Whether a number is at least zero and less than this.
fn is_below(store: &mut Store, number: Term, end: usize) -> Term {
    let (zero, end) = (store.int(0), store.int(end));
    let (low, high) = (store.le(zero, number), store.lt(number, end));
    store.and(low, high)
}

/// Whether a value is the one that variables begin as.
fn is_default(store: &mut Store, ty: &Type, leaves: &[Term]) -> Term {
    let pairs = ty.default_values().into_iter().zip(leaves);
    let pairs: Vec<Term> = pairs
        .map(|(default, &leaf)| {
            let default = store.value(default);
            store.eq(leaf, default)
        })
        .collect();
    store.and_all(pairs)
}
