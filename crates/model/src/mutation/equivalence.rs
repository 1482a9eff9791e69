//! Mutants that do what the model does.
//!
//! A mutant differs from the model in a few transitions. If each is taken under the same
//! condition, sends the same, and leaves the same values behind, whatever the variables
//! hold before, then nobody can tell the two apart. Nor can anybody where the mutant takes
//! more inputs than the model: what a system does with an input that the model does not
//! have is free. The converse does not hold: where the difference needs values that no path
//! reaches, this proves nothing.

use super::Mutant;
use crate::execution::{Event, Executor, Move, SymbolicState, SymbolicStep};
use crate::model::{Action, Model};
use term::Term;

/// Whether the mutant is proved to do what the model does. The executor has the model,
/// before and after.
pub(super) fn is_proved<'m>(executor: &mut Executor<'m, '_>, mutant: &'m Mutant) -> bool {
    let model = executor.model;
    if !mutant.is_local {
        return false;
    }
    let mut state = executor.anywhere();
    mutant.changed.iter().all(|&number| {
        let transition = &model.transitions[number];
        state.location[transition.automaton] = transition.from;
        let step = Move {
            first: number,
            second: None,
        };
        let (own, other) = both(executor, mutant, &state, &state, step);
        let may_take_more = is_only_taker(model, number);
        match difference(executor, &own, &other, may_take_more) {
            None => false,
            Some(difference) => {
                let mut conditions: Vec<Term> = state.path.constraints().collect();
                conditions.push(difference);
                let budget = Some(executor.mixed.config().conflicts_before_search);
                let store = &mut executor.store;
                let solver = executor.mixed.solver_mut();
                let answer =
                    solver.with_conflicts(budget, |solver| solver.check(store, &conditions));
                answer.is_unsat()
            }
        }
    })
}

/// Whether the transition takes an input that nothing else takes where it does.
fn is_only_taker(model: &Model, number: usize) -> bool {
    let transition = &model.transitions[number];
    let Action::Input { channel, .. } = transition.action else {
        return false;
    };
    let takes =
        |action: &Action| matches!(action, Action::Input { channel: it, .. } if *it == channel);
    let mut others = model.transitions.iter().enumerate();
    !model.channels[channel].is_shared
        && !others.any(|(other, it)| {
            let elsewhere = it.automaton == transition.automaton && it.from != transition.from;
            other != number && takes(&it.action) && !elsewhere
        })
}

/// A step of the model, and the same step of the mutant with the same inputs.
pub(super) fn both<'m>(
    executor: &mut Executor<'m, '_>,
    mutant: &'m Mutant,
    state: &SymbolicState,
    of_mutant: &SymbolicState,
    step: Move,
) -> (SymbolicStep, SymbolicStep) {
    let model = executor.model;
    let own = executor.symbolic_step(state, step, None);
    let inputs = match &own.event {
        Event::Input { values, .. } => Some(values.clone()),
        Event::Internal | Event::Output { .. } => None,
    };
    executor.set_model(&mutant.model);
    let other = executor.symbolic_step(of_mutant, step, inputs.as_deref());
    executor.set_model(model);
    (own, other)
}

/// When the two steps differ in anything; none where they do in what no condition says.
fn difference(
    executor: &mut Executor<'_, '_>,
    own: &SymbolicStep,
    other: &SymbolicStep,
    may_take_more: bool,
) -> Option<Term> {
    if own.location != other.location {
        return None;
    }
    let store = &mut executor.store;
    let taken = match may_take_more {
        true => {
            let refused = store.not(other.condition);
            store.and(own.condition, refused)
        }
        false => store.xor(own.condition, other.condition),
    };
    let pairs = own.valuation.iter().zip(&other.valuation);
    let mut pairs: Vec<(Term, Term)> = pairs.map(|(&a, &b)| (a, b)).collect();
    match (&own.event, &other.event) {
        (Event::Internal, Event::Internal) | (Event::Input { .. }, Event::Input { .. }) => {}
        (
            Event::Output { channel, values },
            Event::Output {
                channel: sent,
                values: others,
            },
        ) if channel == sent => pairs.extend(values.iter().copied().zip(others.iter().copied())),
        _ => return None,
    }
    let same: Vec<Term> = pairs.into_iter().map(|(a, b)| store.eq(a, b)).collect();
    let same = store.and_all(same);
    let unlike = store.not(same);
    let apart = store.and(own.condition, unlike);
    Some(store.or(taken, apart))
}
