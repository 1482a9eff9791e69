//! Long random walks of the model. Faults that show late, after the same transition was taken
//! several times, are far from anything a search by conditions looks at; a walk with concrete
//! values costs little and comes by many of them at once.

use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState};
use crate::model::Action;
use crate::testcase::{Boundaries, Data, TakenInput, TestStep, made};

/// Steps of one walk.
const STEPS: usize = 80;

/// One in so many inputs is any that is possible, rather than the one that was taken least.
const ANY_INPUT: usize = 2;

/// Walks that remember what the ones before tried.
pub(super) struct Walks {
    boundaries: Boundaries,
    /// By transition: how often it was taken.
    taken: Vec<usize>,
}

impl Walks {
    pub fn new(transitions: usize) -> Walks {
        Walks {
            boundaries: Boundaries::default(),
            taken: vec![0; transitions],
        }
    }

    /// The steps of a test along a new walk; none if it was stopped, or leads nowhere.
    pub fn next(
        &mut self,
        executor: &mut Executor<'_, '_>,
        data: &mut Data,
    ) -> Option<Vec<TestStep>> {
        let mut state = executor.initial();
        let mut steps = Vec::new();
        while steps.len() < STEPS && !executor.stop().is_set() {
            let Some((step, event, after)) = self.step(executor, &state, data) else {
                break;
            };
            for transition in step.transitions() {
                self.taken[transition] += 1;
            }
            steps.push((step, event));
            state = after;
        }
        let found = made(executor, &state, steps, data)?;
        (!executor.stop().is_set()).then_some(found)
    }

    /// What the system does by itself, or else an input.
    fn step(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        data: &mut Data,
    ) -> Option<(Move, Event, SymbolicState)> {
        let is_input = |executor: &Executor<'_, '_>, step: &Move| {
            matches!(
                executor.model.transitions[step.first].action,
                Action::Input { .. }
            )
        };
        let moves = executor.moves(&state.location);
        let (mut inputs, mut own): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|step| is_input(executor, step));
        shuffle(&mut own, data);
        for step in own {
            if let Some((event, after)) = taken(executor, state, step, None) {
                return Some((step, event, after));
            }
        }
        shuffle(&mut inputs, data);
        if data.below(ANY_INPUT) > 0 {
            inputs.sort_by_key(|step| self.taken[step.first]);
        }
        for step in inputs {
            if let Some((event, after)) = self.input(executor, state, step, data) {
                return Some((step, event, after));
            }
        }
        None
    }

    /// Takes an input with values of its own.
    fn input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        step: Move,
        data: &mut Data,
    ) -> Option<(Event, SymbolicState)> {
        let StepOutcome::Feasible(found) = executor.step(state, step) else {
            return None;
        };
        let (Event::Input { values, .. }, after) = *found else {
            return None;
        };
        let open = TakenInput {
            transition: step.first,
            values,
            after,
        };
        let chosen = match self.boundaries.beside(executor, &open, data) {
            Some(chosen) => chosen,
            None => data.diversified(executor, &open.after, &open.values),
        };
        let values = executor.values(&open.values, &chosen.model)?;
        let given = executor.constants(&values);
        taken(executor, state, step, Some(&given))
    }
}

/// The step, if it can be taken, with the results of external functions in place.
fn taken(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    step: Move,
    given: Option<&[term::Term]>,
) -> Option<(Event, SymbolicState)> {
    let mut symbolic = executor.symbolic_step(state, step, given);
    executor.compute_calls(&mut symbolic).ok()?;
    match executor.decide(state, symbolic) {
        StepOutcome::Feasible(found) => Some(*found),
        StepOutcome::Infeasible | StepOutcome::Unknown(_) => None,
    }
}

fn shuffle(moves: &mut [Move], data: &mut Data) {
    for number in (1..moves.len()).rev() {
        moves.swap(number, data.below(number + 1));
    }
}
