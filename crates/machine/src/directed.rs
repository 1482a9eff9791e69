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

use crate::exploration::{LOOK, Observer, Outcome, Plan, Run};
use crate::machine::{Machine, Ran};
use crate::outcome::End;
use crate::state::State;
use explore::Random;
use mixed::Effort;
use mixed::solver::{Answer, PathCondition};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::{Assignment, BitVec, Store, Term, Value};

/// What a machine needs to know while it runs directed.
#[derive(Default)]
pub(crate) struct Directed {
    /// Whether it does.
    pub active: bool,
    /// Draws inputs that nothing is known of; none for zeros.
    random: Option<Random>,
}

impl Directed {
    /// A byte for an input that was not solved for.
    fn byte(&mut self) -> u8 {
        self.random.as_mut().map_or(0, |random| random.bits() as u8)
    }
}

/// A condition that was met, and how it went.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The function and the instruction.
    place: (u32, u32),
    /// Which way it went there, as a number.
    way: u64,
    /// What holds because it did.
    condition: Term,
    /// Whether it went there with one of many values, not one of two ways.
    value: bool,
}

impl Step {
    /// The function and the instruction where the condition was met.
    pub fn place(&self) -> (u32, u32) {
        self.place
    }

    /// Which way it went, as a number.
    pub fn way(&self) -> u64 {
        self.way
    }

    /// What holds because it went that way.
    pub fn condition(&self) -> Term {
        self.condition
    }

    /// Whether the condition is that something has one of many values.
    pub fn is_value(&self) -> bool {
        self.value
    }

    fn goes_like(&self, other: &Step) -> bool {
        (self.place, self.way) == (other.place, other.way)
    }
}

/// A condition on the stack of a search.
struct Choice {
    /// As it went in the run.
    went: Step,
    /// As it went in runs before, with all before it the same.
    before: Vec<Step>,
}

impl Run {
    /// Runs again and again, flipping one condition each time.
    pub(crate) fn directed(
        &mut self,
        machine: &mut Machine<'_>,
        first: &State,
        plan: &Plan,
        observer: &mut impl Observer,
    ) -> Outcome {
        machine.directed.active = true;
        machine.mixed.set_effort(Effort::Bounded(LOOK));
        let mut met: FxHashSet<Vec<((u32, u32), u64)>> = FxHashSet::default();
        let mut stack: Vec<Choice> = Vec::new();
        let mut inputs = Rc::new(Assignment::new());
        let mut restarts = 0;
        loop {
            let (state, end) = self.follow(machine, first, inputs);
            let trail = state.trail.clone();
            let model = state.model.clone();
            if met.insert(trail.iter().map(|step| (step.place, step.way)).collect()) {
                self.end(machine, observer, state, &end);
            }
            if let Some(outcome) = self.look(true, machine, plan, observer) {
                return outcome;
            }
            let diverged = !keeps_promise(&stack, &trail);
            if diverged {
                self.counts.divergences += 1;
                stack.clear();
            } else {
                stack.extend(trail[stack.len()..].iter().map(|&went| Choice {
                    went,
                    before: Vec::new(),
                }));
                for (choice, &went) in stack.iter_mut().zip(&trail) {
                    choice.went = went;
                }
            }
            inputs = match flip(machine, &mut stack, &model) {
                Some(next) => next,
                None if self.counts.divergences > 0
                    && restarts < machine.mixed.config().max_tries =>
                {
                    restarts += 1;
                    let seed = plan.seed.wrapping_add(restarts.into());
                    machine.directed.random = Some(Random::new(seed));
                    Rc::new(Assignment::new())
                }
                None => return Outcome::Complete,
            };
        }
    }

    /// One run to its end.
    fn follow(
        &mut self,
        machine: &mut Machine<'_>,
        first: &State,
        inputs: Rc<Assignment>,
    ) -> (State, End) {
        let mut state = first.clone();
        state.model = inputs;
        for input in first.inputs.all() {
            for &byte in &*input.bytes {
                machine.draw(&mut state, byte);
            }
        }
        loop {
            let before = state.instructions;
            match machine.run(state) {
                Ran::On(next) => {
                    self.counts.instructions += next.instructions - before;
                    state = next;
                }
                Ran::Ended(state, end) => {
                    self.counts.instructions += state.instructions - before;
                    return (state, end);
                }
            }
        }
    }
}

/// Whether the run went as far as its inputs were solved for, and another way
/// from there than those before.
fn keeps_promise(stack: &[Choice], trail: &[Step]) -> bool {
    let Some((last, before)) = stack.split_last() else {
        return true;
    };
    let Some(here) = trail.get(before.len()) else {
        return false;
    };
    let mut pairs = before.iter().zip(trail);
    pairs.all(|(choice, step)| choice.went.goes_like(step))
        && here.place == last.went.place
        && !last.before.iter().any(|step| step.goes_like(here))
}

/// Inputs for which the last condition that can goes another way; the stack then
/// ends with that condition.
fn flip(
    machine: &mut Machine<'_>,
    stack: &mut Vec<Choice>,
    model: &Assignment,
) -> Option<Rc<Assignment>> {
    while let Some(mut last) = stack.pop() {
        let mut path = PathCondition::new();
        for choice in &*stack {
            let condition = choice.went.condition;
            machine.mixed.add(&machine.store, &mut path, condition);
        }
        last.before.push(last.went);
        let other = other_than(&mut machine.store, &last.before);
        let answer = machine
            .mixed
            .check_extended(&mut machine.store, &path, model, other);
        if let Answer::Sat(next) = answer {
            stack.push(last);
            return Some(Rc::new(next));
        }
    }
    None
}

fn other_than(store: &mut Store, ways: &[Step]) -> Term {
    let mut none = store.bool(true);
    for way in ways {
        let other = store.not(way.condition);
        none = store.and(none, other);
    }
    none
}

impl Machine<'_> {
    /// Gives an input byte a value, if the model has none and the run is
    /// directed.
    pub(crate) fn draw(&mut self, state: &mut State, byte: Term) {
        if !self.directed.active {
            return;
        }
        let Some(variable) = self.store.as_variable(byte) else {
            return;
        };
        if state.model.get(variable).is_none() {
            let value = self.directed.byte();
            let value = Value::Bv(BitVec::from_u64(8, value.into()));
            Rc::make_mut(&mut state.model).set(variable, value);
        }
    }

    /// Follows a condition as the inputs have it, and writes down how it went.
    pub(crate) fn go_along(&mut self, state: &mut State, condition: Term) -> bool {
        if let Some(truth) = self.store.as_bool(condition) {
            return truth;
        }
        let truth = self.mixed.under(&self.store, &state.model).holds(condition);
        let went = match truth {
            true => condition,
            false => self.store.not(condition),
        };
        self.note_way(state, truth.into(), went);
        truth
    }

    /// Writes down which of several ways a directed run went.
    pub(crate) fn note_way(&mut self, state: &mut State, way: u64, condition: Term) {
        self.note_step(state, way, condition, false);
    }

    /// Writes down that a directed run went on with one of many values.
    pub(crate) fn note_value(&mut self, state: &mut State, word: u64, condition: Term) {
        self.note_step(state, word, condition, true);
    }

    fn note_step(&mut self, state: &mut State, way: u64, condition: Term, value: bool) {
        if self.store.as_bool(condition).is_some() {
            return;
        }
        state.trail.push(Step {
            place: (state.frame.function, state.frame.pc),
            way,
            condition,
            value,
        });
        state.depth += 1;
    }
}
