//! What the model allows after what was observed.
//!
//! An [`Observer`] holds every state the system may be in, as far as the trace
//! and the model tell: `M after σ` in the terms of ioco (Tretmans, *Test generation
//! with inputs, outputs and repetitive quiescence*, 1996), as symbolic states. Values
//! that were exchanged are constants; what the model leaves open stays a variable
//! until an output settles it. An output conforms if some state allows it; silence
//! conforms if some state is quiescent, that is, has neither an output nor an
//! internal step that must happen.
//!
//! A conclusion "not allowed" needs all states. Where one could not be decided, the
//! observer remembers why, and answers "unknown" in its place.

use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState};
use crate::model::Action;
use crate::render::{message_text, open_values};
use crate::undecided::Undecided;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use term::{Sort, Term, Value};

/// States beyond this number are not followed.
const STATES: usize = 1000;

/// Whether the model allows something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// That was not decided, and why.
    Unknown(Undecided),
}

/// Every state the system may be in.
#[derive(Clone)]
pub struct Observer {
    states: Vec<SymbolicState>,
    /// How far apart two Reals may be and still count as equal, relative to them.
    tolerance: BigRational,
    /// By transition: how often it may have been taken.
    pub taken: Vec<usize>,
    /// Why the states are not all known, if they are not.
    incomplete: Option<Undecided>,
}

impl Observer {
    /// Nothing was observed so far. Reals are equal when they differ by no more
    /// than a billionth, since systems compute them in floating point.
    pub fn new(executor: &mut Executor<'_, '_>) -> Observer {
        let mut observer = Observer {
            states: vec![executor.initial()],
            tolerance: BigRational::new(BigInt::from(1), BigInt::from(1_000_000_000)),
            taken: vec![0; executor.model.transitions.len()],
            incomplete: None,
        };
        observer.close_under_internal_steps(executor);
        observer
    }

    /// The states without internal steps, in which the system waits; all states where
    /// each has some.
    pub(crate) fn stable(&self, executor: &mut Executor<'_, '_>) -> Vec<SymbolicState> {
        let mut stable = self.states.clone();
        stable.retain(|state| {
            !executor.moves(&state.location).into_iter().any(|step| {
                is_internal(executor, step)
                    && matches!(executor.step(state, step), StepOutcome::Feasible(_))
            })
        });
        match stable.is_empty() {
            true => self.states.clone(),
            false => stable,
        }
    }

    /// Adds the states that internal steps lead to, since nobody observes those.
    fn close_under_internal_steps(&mut self, executor: &mut Executor<'_, '_>) {
        let mut next = 0;
        while next < self.states.len() && !self.gives_up(executor) {
            let state = self.states[next].clone();
            next += 1;
            for step in executor.moves(&state.location) {
                if !is_internal(executor, step) {
                    continue;
                }
                let found = self.try_step(executor, &state, step, None, &[]);
                if let Some(after) = found {
                    let known = self.states.iter().any(|known| same(known, &after));
                    if !known && self.states.len() >= STATES {
                        self.incomplete.get_or_insert(Undecided::TooManyStates);
                    } else if !known {
                        self.states.push(after);
                    }
                }
            }
        }
    }

    /// Whether the run was stopped, so that not all states will be known.
    fn gives_up(&mut self, executor: &Executor<'_, '_>) -> bool {
        let stopped = executor.stop().is_set();
        if stopped {
            self.incomplete.get_or_insert(Undecided::Stopped);
        }
        stopped
    }

    /// The state after a step with these values, if the model allows it.
    fn try_step(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        step: Move,
        given: Option<&[Value]>,
        observed: &[Value],
    ) -> Option<SymbolicState> {
        let mut symbolic = executor.symbolic_step(state, step, given);
        if let Err(reason) = executor.compute_calls(&mut symbolic) {
            self.incomplete.get_or_insert(reason);
            return None;
        }
        if let Event::Output { values, .. } = &symbolic.event {
            let pairs: Vec<(Term, &Value)> = values.iter().copied().zip(observed).collect();
            for (term, value) in pairs {
                let equal = self.equal(executor, term, value);
                symbolic.condition = executor.store.and(symbolic.condition, equal);
            }
        }
        match executor.decide(state, symbolic) {
            StepOutcome::Feasible(found) => {
                for transition in step.transitions() {
                    self.taken[transition] += 1;
                }
                Some(found.1)
            }
            StepOutcome::Infeasible => None,
            StepOutcome::Unknown(reason) => {
                self.incomplete.get_or_insert(reason);
                None
            }
        }
    }

    /// The state after a step of a test with what was exchanged, if the model
    /// allows it; what the observer itself knows stays as it is.
    pub(crate) fn follow(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        step: Move,
        given: Option<&[Value]>,
        observed: &[Value],
    ) -> Option<SymbolicState> {
        let taken = self.taken.clone();
        let after = self.try_step(executor, state, step, given, observed);
        self.taken = taken;
        after
    }

    /// That a term has the value that was observed.
    fn equal(&self, executor: &mut Executor<'_, '_>, term: Term, value: &Value) -> Term {
        let store = &mut executor.store;
        match (store.sort(term), value) {
            // Only computed values carry rounding errors of the system.
            (Sort::Real, Value::Real(number)) if store.as_variable(term).is_none() => {
                let one = BigRational::from_integer(1.into());
                let size = number.abs();
                let apart = &self.tolerance * if size > one { size } else { one };
                let (low, high) = (store.real(number - &apart), store.real(number + &apart));
                let (above, below) = (store.le(low, term), store.le(term, high));
                store.and(above, below)
            }
            (Sort::Fp(_), _) => {
                // Equal as numbers, so that the zeros are one, or the same NaN.
                let value = store.value(value.clone());
                let (same, equal) = (store.eq(term, value), store.fp_eq(term, value));
                store.or(same, equal)
            }
            _ => {
                let value = store.value(value.clone());
                store.eq(term, value)
            }
        }
    }

    /// The tester sent this.
    pub fn input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        channel: usize,
        values: &[Value],
    ) -> Allowed {
        self.observe(executor, channel, values, true)
    }

    /// The system sent this.
    pub fn output(
        &mut self,
        executor: &mut Executor<'_, '_>,
        channel: usize,
        values: &[Value],
    ) -> Allowed {
        self.observe(executor, channel, values, false)
    }

    fn observe(
        &mut self,
        executor: &mut Executor<'_, '_>,
        channel: usize,
        values: &[Value],
        input: bool,
    ) -> Allowed {
        let before = std::mem::take(&mut self.states);
        for state in &before {
            if self.gives_up(executor) {
                break;
            }
            for step in executor.moves(&state.location) {
                if !communicates(executor, step, channel, input) {
                    continue;
                }
                let (given, observed) = match input {
                    true => (Some(values), &[][..]),
                    false => (None, values),
                };
                if let Some(after) = self.try_step(executor, state, step, given, observed)
                    && !self.states.iter().any(|known| same(known, &after))
                {
                    self.states.push(after);
                }
            }
        }
        if self.states.is_empty() {
            self.states = before;
            return match &self.incomplete {
                Some(reason) => Allowed::Unknown(reason.clone()),
                None => Allowed::No,
            };
        }
        self.close_under_internal_steps(executor);
        Allowed::Yes
    }

    /// Whether the model allows that the system sends nothing until it gets an input.
    pub fn quiescence(&mut self, executor: &mut Executor<'_, '_>) -> Allowed {
        for state in self.states.clone() {
            if self.gives_up(executor) {
                break;
            }
            // Under which values the system goes on by itself.
            let mut active = executor.store.bool(false);
            for step in executor.moves(&state.location) {
                let input = matches!(
                    executor.model.transitions[step.first].action,
                    Action::Input { .. }
                );
                if input && step.second.is_none() {
                    continue;
                }
                let mut symbolic = executor.symbolic_step(&state, step, None);
                match executor.compute_calls(&mut symbolic) {
                    Ok(()) => active = executor.store.or(active, symbolic.condition),
                    Err(reason) => {
                        self.incomplete.get_or_insert(reason);
                        active = executor.store.bool(true);
                    }
                }
            }
            let quiescent = executor.store.not(active);
            match executor.store.as_bool(quiescent) {
                Some(true) => return Allowed::Yes,
                Some(false) => {}
                None => match executor.holds(&state, quiescent) {
                    Ok(true) => return Allowed::Yes,
                    Ok(false) => {}
                    Err(reason) => {
                        self.incomplete.get_or_insert(reason);
                    }
                },
            }
        }
        match &self.incomplete {
            Some(reason) => Allowed::Unknown(reason.clone()),
            None => Allowed::No,
        }
    }

    /// The outputs the model allows now, for people.
    pub fn expected(&mut self, executor: &mut Executor<'_, '_>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for state in self.states.clone() {
            if self.gives_up(executor) {
                break;
            }
            for step in executor.moves(&state.location) {
                let mut symbolic = executor.symbolic_step(&state, step, None);
                if executor.compute_calls(&mut symbolic).is_err() {
                    continue;
                }
                let StepOutcome::Feasible(feasible) = executor.decide(&state, symbolic) else {
                    continue;
                };
                let (Event::Output { channel, values }, after) = *feasible else {
                    continue;
                };
                let text = output_text(executor, channel, &values, &after);
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        }
        found
    }

    /// Whether a value that came is the one that was expected.
    pub(crate) fn agrees(
        &self,
        executor: &mut Executor<'_, '_>,
        expected: &Value,
        came: &Value,
    ) -> bool {
        let expected = executor.store.value(expected.clone());
        let equal = self.equal(executor, expected, came);
        executor.store.as_bool(equal) == Some(true)
    }
}

/// An output and, where the model leaves it open, what holds of it.
fn output_text(
    executor: &mut Executor<'_, '_>,
    channel: usize,
    values: &[Term],
    after: &SymbolicState,
) -> String {
    let known = values.iter().map(|&value| executor.store.as_value(value));
    if let Some(values) = known.collect::<Option<Vec<Value>>>() {
        return message_text(executor.model, channel, &values);
    }
    let path: Vec<Term> = after.path.constraints().collect();
    let (values, conditions) = open_values(&mut executor.store, values, &path);
    let name = &executor.model.channels[channel].name;
    match conditions.is_empty() {
        true => format!("{name}({values}) for any values"),
        false => format!("{name}({values}) where {conditions}"),
    }
}

fn is_internal(executor: &Executor<'_, '_>, step: Move) -> bool {
    let action = &executor.model.transitions[step.first].action;
    step.second.is_some() || matches!(action, Action::Internal)
}

/// Whether the step sends to or receives from the environment on this channel.
fn communicates(executor: &Executor<'_, '_>, step: Move, channel: usize, input: bool) -> bool {
    step.second.is_none()
        && match executor.model.transitions[step.first].action {
            Action::Internal => false,
            Action::Input { channel: used, .. } => input && used == channel,
            Action::Output { channel: used, .. } => !input && used == channel,
        }
}

fn same(a: &SymbolicState, b: &SymbolicState) -> bool {
    a.location == b.location
        && a.valuation == b.valuation
        && a.path.constraints().eq(b.path.constraints())
}
