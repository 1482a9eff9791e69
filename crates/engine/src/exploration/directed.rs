//! Directed testing, as DART has it: one concrete run after the other.
//!
//! A run follows its inputs and asks nothing; the conditions it met are written
//! down on the way. Then the last condition that can go the other way is flipped,
//! the inputs are solved for, and the program runs again. What external functions
//! gave stands in the conditions as the number it was, so that a run may leave
//! the path its inputs were solved for. That is a divergence: it is counted, and
//! the search begins anew from random inputs.
//!
//! The first run is on inputs of zeros, as every exploration begins.

use super::deferral::BOUNDED;
use super::{Exploration, Plan};
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::policy::{Step, trail};
use base::Random;
use machine::{End, Machine, State};
use mixed::Effort;
use mixed::solver::{Answer, PathCondition};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::{Assignment, Store, Term};

/// A condition on the stack of a search.
struct Choice {
    /// As it went in the run.
    went: Step,
    /// As it went in runs before, with all before it the same.
    before: Vec<Step>,
}

impl Exploration<'_> {
    /// Runs again and again, flipping one condition each time.
    pub(crate) fn directed(
        &mut self,
        machine: &mut Machine<'_>,
        first: &State,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Outcome {
        machine.mixed.set_effort(Effort::Bounded(BOUNDED));
        let mut met: FxHashSet<Vec<((u32, u32), u64)>> = FxHashSet::default();
        let mut stack: Vec<Choice> = Vec::new();
        let mut inputs = Rc::new(Assignment::new());
        let mut restarts = 0;
        loop {
            let (state, end) = self.follow(machine, first, inputs);
            let steps = trail::steps(&state).to_vec();
            let model = state.model.clone();
            let route = steps.iter().map(|step| (step.location(), step.successor()));
            if let Some(end) = end
                && met.insert(route.collect())
            {
                self.end(machine, observer, state, &end);
            }
            if let Some(outcome) = self.check_limits(true, machine, plan, observer) {
                return outcome;
            }
            let diverged = !keeps_promise(&stack, &steps);
            if diverged {
                self.counts.divergences += 1;
                stack.clear();
            } else {
                stack.extend(steps[stack.len()..].iter().map(|&went| Choice {
                    went,
                    before: Vec::new(),
                }));
                for (choice, &went) in stack.iter_mut().zip(&steps) {
                    choice.went = went;
                }
            }
            let flipped = flip(machine, &mut stack, &model, &mut self.counts.unknown);
            if flipped.is_none()
                && let Some(cause) = machine.options.stop.cause()
            {
                // Queries that were stopped have no answer, and nothing follows from that.
                return Outcome::from(cause);
            }
            inputs = match flipped {
                Some(next) => next,
                None if self.counts.divergences > 0
                    && restarts < machine.mixed.config().max_tries =>
                {
                    restarts += 1;
                    let seed = plan.seed.wrapping_add(restarts.into());
                    self.follow.draw(Random::new(seed));
                    Rc::new(Assignment::new())
                }
                None => return Outcome::Complete,
            };
        }
    }

    /// One run to its end, unless somebody wants to stop before.
    fn follow(
        &mut self,
        machine: &mut Machine<'_>,
        first: &State,
        inputs: Rc<Assignment>,
    ) -> (State, Option<End>) {
        let mut state = first.clone();
        state.model = inputs;
        // The parameters of the entry function are inputs that are there already.
        for input in first.inputs.all() {
            let values = self.follow.drawn(input.bytes.len());
            machine.set_model_where_open(&mut state, &input.bytes, &values);
        }
        loop {
            let before = state.progress.instructions;
            let turn = machine.run(state);
            self.counts.instructions += turn.state.progress.instructions - before;
            self.notes.extend(turn.successors.notes);
            if turn.end.is_some() || machine.options.stop.is_set() {
                return (turn.state, turn.end);
            }
            state = turn.state;
        }
    }
}

/// Whether the run went as far as its inputs were solved for, and another way
/// from there than those before.
fn keeps_promise(stack: &[Choice], steps: &[Step]) -> bool {
    let Some((last, before)) = stack.split_last() else {
        return true;
    };
    let Some(here) = steps.get(before.len()) else {
        return false;
    };
    let mut pairs = before.iter().zip(steps);
    pairs.all(|(choice, step)| choice.went.goes_like(step))
        && here.location() == last.went.location()
        && !last.before.iter().any(|step| step.goes_like(here))
}

/// Inputs for which the last condition that can goes another way; the stack then
/// ends with that condition.
fn flip(
    machine: &mut Machine<'_>,
    stack: &mut Vec<Choice>,
    model: &Assignment,
    unknown: &mut u64,
) -> Option<Rc<Assignment>> {
    while let Some(mut last) = stack.pop() {
        let mut path = PathCondition::new();
        for choice in &*stack {
            let condition = choice.went.condition();
            machine.mixed.add(&machine.store, &mut path, condition);
        }
        last.before.push(last.went);
        let other = other_than(&mut machine.store, &last.before);
        let answer = machine
            .mixed
            .check_extended(&mut machine.store, &path, model, other);
        match answer {
            Answer::Sat(next) => {
                stack.push(last);
                return Some(Rc::new(next));
            }
            Answer::Unsat(_) => {}
            Answer::Unknown(_) => *unknown += 1,
        }
    }
    None
}

fn other_than(store: &mut Store, ways: &[Step]) -> Term {
    let mut none = store.bool(true);
    for way in ways {
        let other = store.not(way.condition());
        none = store.and(none, other);
    }
    none
}
