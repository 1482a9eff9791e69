//! Whether one symbolic state covers another.
//!
//! A state covers another at the same location if some values for its variables
//! make its valuation the other's, and the other's path condition then implies
//! its own. What can happen from the covered state can happen from it: the concrete
//! states it stands for are among those of the covering one.
//!
//! Those values are found by matching terms, not by a query with quantifiers. That
//! misses inclusions that hold for arithmetic reasons, and each such miss costs an
//! expansion and nothing else; the implication itself is decided by the solver.

use crate::execution::{Executor, SymbolicState};
use rustc_hash::FxHashMap;
use term::{Op, Store, Term};

/// Whether `general` covers `special`. "No" also stands for "not decided".
pub(crate) fn covers(
    executor: &mut Executor<'_, '_>,
    general: &SymbolicState,
    special: &SymbolicState,
) -> bool {
    let pairs = general.valuation.iter().zip(special.valuation.iter());
    let pairs: Vec<(Term, Term)> = pairs.map(|(&a, &b)| (a, b)).collect();
    let Some(bound) = matching(&executor.store, pairs) else {
        return false;
    };
    let conditions: Vec<Term> = general.path.constraints().collect();
    let wanted = relevant(&executor.store, &conditions, &bound);
    let wanted = term::substitute(&mut executor.store, &wanted, &bound);
    let known: Vec<Term> = special.path.constraints().collect();
    wanted.into_iter().all(|condition| {
        if known.contains(&condition) || executor.store.as_bool(condition) == Some(true) {
            return true;
        }
        let opposite = executor.store.not(condition);
        executor.holds(special, opposite) == Ok(false)
    })
}

/// The values of variables on the left that make each left term the right one.
fn matching(store: &Store, mut pairs: Vec<(Term, Term)>) -> Option<FxHashMap<Term, Term>> {
    let mut bound: FxHashMap<Term, Term> = FxHashMap::default();
    // A shared part is matched once: terms are graphs, not trees.
    let mut seen: FxHashMap<Term, Term> = FxHashMap::default();
    while let Some((general, special)) = pairs.pop() {
        if let Some(&before) = seen.get(&general) {
            if before != special {
                return None;
            }
            continue;
        }
        seen.insert(general, special);
        if store.op(general) == Op::Var {
            bound.insert(general, special);
            continue;
        }
        let (args, others) = (store.args(general), store.args(special));
        if args.is_empty() {
            if general != special {
                return None;
            }
            continue;
        }
        let same = store.op(general) == store.op(special)
            && match store.op(general) {
                Op::Apply => store.as_function(general) == store.as_function(special),
                _ => store.indices(general) == store.indices(special),
            }
            && args.len() == others.len();
        if !same {
            return None;
        }
        pairs.extend(args.iter().copied().zip(others.iter().copied()));
    }
    Some(bound)
}

/// The conditions that share variables with the valuation, directly or through
/// others. The rest is about values that no variable holds any more, and can be
/// satisfied on its own.
fn relevant(store: &Store, conditions: &[Term], bound: &FxHashMap<Term, Term>) -> Vec<Term> {
    let mut variables: Vec<_> = bound
        .keys()
        .filter_map(|&term| store.as_variable(term))
        .collect();
    let mut chosen = vec![false; conditions.len()];
    loop {
        let mut grown = false;
        for (number, &condition) in conditions.iter().enumerate() {
            let free = term::free_variables(store, &[condition]);
            if !chosen[number] && free.iter().any(|variable| variables.contains(variable)) {
                chosen[number] = true;
                grown = true;
                variables.extend(free);
            }
        }
        if !grown {
            let numbers = (0..conditions.len()).filter(|&number| chosen[number]);
            return numbers.map(|number| conditions[number]).collect();
        }
    }
}
