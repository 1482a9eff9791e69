//! Mutants that do what the model does.
//!
//! A mutant differs from the model in a few transitions. If each is taken under the same
//! condition, sends the same, and leaves the same values behind, whatever the variables
//! hold before, then nobody can tell the two apart. Nor can anybody where the mutant takes
//! more inputs than the model: what a system does with an input that the model does not
//! have is free. Nor where the model leaves the system a choice and the mutant never makes it:
//! it may go without one of several things to do, as long as it does another. The converse
//! does not hold: where the difference needs values that no path reaches, this proves nothing.

use super::Mutant;
use crate::execution::{Event, Executor, Move, SymbolicState, SymbolicStep};
use crate::model::{Action, Model};
use term::{Store, Term};

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
        let free = match is_only_taker(model, number) {
            true => Free::More,
            false => Free::Less(alternative(executor, mutant, &state, number)),
        };
        match difference(executor, &own, &other, free) {
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

/// What a mutant may do otherwise without anybody noticing.
#[derive(Clone, Copy)]
pub(super) enum Free {
    /// Take its step in other cases too.
    More,
    /// Not take it where this holds.
    Less(Term),
}

/// One condition without another.
fn without(store: &mut Store, condition: Term, other: Term) -> Term {
    let not_other = store.not(other);
    store.and(condition, not_other)
}

/// When the mutant can take another step by itself than this one, for which it waits for nobody:
/// it is then not silent. Where there are clocks it also matters when something is done.
fn alternative<'m>(
    executor: &mut Executor<'m, '_>,
    mutant: &'m Mutant,
    state: &SymbolicState,
    number: usize,
) -> Term {
    let model = executor.model;
    let is_own = |action: &Action| match action {
        Action::Internal => true,
        Action::Input { .. } => false,
        Action::Output { channel, .. } => !model.channels[*channel].is_shared,
    };
    let transition = &model.transitions[number];
    let mut instead = executor.store.bool(false);
    if !is_own(&transition.action) || model.time.is_some() {
        return instead;
    }
    executor.set_model(&mutant.model);
    for (other, it) in mutant.model.transitions.iter().enumerate() {
        let leaves = it.automaton == transition.automaton && it.from == transition.from;
        if !leaves || !is_own(&it.action) || other == number {
            continue;
        }
        let step = Move {
            first: other,
            second: None,
        };
        let step = executor.symbolic_step(state, step, None);
        // What a function gives is not known, nor whether it gives anything.
        if step.calls.is_empty() {
            instead = executor.store.or(instead, step.condition);
        }
    }
    executor.set_model(model);
    instead
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
pub(super) fn difference(
    executor: &mut Executor<'_, '_>,
    own: &SymbolicStep,
    other: &SymbolicStep,
    free: Free,
) -> Option<Term> {
    if own.location != other.location {
        return None;
    }
    let store = &mut executor.store;
    let (missing, added) = (
        without(store, own.condition, other.condition),
        without(store, other.condition, own.condition),
    );
    let (taken, both_take) = match free {
        Free::More => (missing, own.condition),
        Free::Less(instead) => {
            let missing = without(store, missing, instead);
            (store.or(missing, added), other.condition)
        }
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
    let apart = store.and(both_take, unlike);
    Some(store.or(taken, apart))
}
