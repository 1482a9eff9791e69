//! Tables spelled out as constraints.
//!
//! Engines that have no constant arrays state a table element by element:
//! `select(A, 0) = 7`, `select(A, 1) = 9` and so on. Where a run of such
//! constraints covers the indices from zero upward, a symbolic read of `A`
//! becomes a read of a constant table below the end of the run.

use rustc_hash::FxHashMap;
use term::{Op, Sort, Store, Term};

/// Runs shorter than this are left alone.
const SHORTEST: usize = 8;

/// The constraints with symbolic reads of spelled-out tables replaced, each
/// with the constraint it stands for; none when there is nothing to replace.
pub(crate) struct Tabled {
    /// Equivalent constraints, in the order of the originals.
    pub constraints: Vec<Term>,
    /// The originals that spell out the tables.
    pub spelled: Vec<Term>,
}

impl Tabled {
    /// Looks for tables among the constraints.
    pub fn of(store: &mut Store, constraints: &[Term]) -> Option<Tabled> {
        if constraints.len() < SHORTEST {
            return None;
        }
        let mut facts: FxHashMap<Term, Vec<(u64, u64, Term)>> = FxHashMap::default();
        for &constraint in constraints {
            if let Some((array, index, element)) = element_fact(store, constraint) {
                facts
                    .entry(array)
                    .or_default()
                    .push((index, element, constraint));
            }
        }
        let mut spelled = Vec::new();
        let mut tables: FxHashMap<Term, (Term, u64)> = FxHashMap::default();
        for (array, mut elements) in facts {
            elements.sort_unstable();
            elements.dedup_by_key(|&mut (index, ..)| index);
            let in_place = |&(i, &(index, ..)): &(usize, &(u64, u64, Term))| index == i as u64;
            let run = elements.iter().enumerate().take_while(in_place).count();
            if run < SHORTEST {
                continue;
            }
            elements.truncate(run);
            let words: Vec<u64> = elements.iter().map(|&(_, element, _)| element).collect();
            let Sort::Array { index, element } = store.sort(array) else {
                unreachable!("elements are of arrays");
            };
            tables.insert(array, (store.table(index, element, &words), run as u64));
            spelled.extend(elements.iter().map(|&(.., constraint)| constraint));
        }
        if tables.is_empty() {
            return None;
        }
        spelled.sort_unstable();
        let others: Vec<Term> = constraints
            .iter()
            .copied()
            .filter(|constraint| spelled.binary_search(constraint).is_err())
            .collect();
        let replaced = replace_reads(store, &others, &tables);
        let by_original: FxHashMap<Term, Term> = others.iter().copied().zip(replaced).collect();
        let constraints = constraints
            .iter()
            .map(|constraint| *by_original.get(constraint).unwrap_or(constraint))
            .collect();
        Some(Tabled {
            constraints,
            spelled,
        })
    }
}

/// `(A, i, v)` when the constraint is `select(A, i) = v` of a variable `A`.
fn element_fact(store: &Store, constraint: Term) -> Option<(Term, u64, u64)> {
    if store.op(constraint) != Op::Eq {
        return None;
    }
    let &[read, element] = store.args(constraint) else {
        return None;
    };
    if store.op(read) != Op::Select {
        return None;
    }
    let &[array, index] = store.args(read) else {
        return None;
    };
    store.as_variable(array)?;
    Some((array, store.as_word(index)?, store.as_word(element)?))
}

/// Replaces reads at symbolic indices, innermost first.
fn replace_reads(
    store: &mut Store,
    constraints: &[Term],
    tables: &FxHashMap<Term, (Term, u64)>,
) -> Vec<Term> {
    let mut replaced: FxHashMap<Term, Term> = FxHashMap::default();
    for term in term::post_order(store, constraints) {
        let args = store.args(term).iter();
        let args: Vec<Term> = args.map(|arg| *replaced.get(arg).unwrap_or(arg)).collect();
        let new = store.with_args(term, &args);
        let new = match (store.op(new), store.args(new)) {
            (Op::Select, &[array, index]) if tables.contains_key(&array) => {
                let (table, run) = tables[&array];
                let end = store.bv(store.width(index), run);
                let inside = store.bv_ult(index, end);
                let known = store.select(table, index);
                store.ite(inside, known, new)
            }
            _ => new,
        };
        if new != term {
            replaced.insert(term, new);
        }
    }
    constraints
        .iter()
        .map(|constraint| *replaced.get(constraint).unwrap_or(constraint))
        .collect()
}
