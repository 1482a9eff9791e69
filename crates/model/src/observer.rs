//! What the model allows after what was observed.
//!
//! An [`Observer`] holds every state the system may be in, as far as the trace
//! and the model tell. Values that were exchanged are constants; what the model
//! leaves open stays a variable until an output settles it. An output conforms
//! (in the sense of ioco) if some state allows it, silence if some state has
//! nothing to say.

use crate::execution::{Event, Executor, Move, SymbolicState, Tried};
use crate::render::{message_text, open_values};
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
    /// Nobody knows, and why.
    Unknown(String),
}

/// Every state the system may be in.
#[derive(Clone)]
pub struct Observer {
    states: Vec<SymbolicState>,
    /// How far apart two Reals may be and still count as one, relative to them.
    tolerance: BigRational,
    /// By transition: how often it may have been taken.
    pub taken: Vec<usize>,
    /// Why the states are not all known, if they are not.
    incomplete: Option<String>,
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
        observer.settle(executor);
        observer
    }

    /// Those of the states that the system does not leave by itself unnoticed; all
    /// of them where it always may.
    pub(crate) fn settled(&self, executor: &mut Executor<'_, '_>) -> Vec<SymbolicState> {
        let mut settled = self.states.clone();
        settled.retain(|state| {
            let internal = executor.moves(&state.location).into_iter();
            let mut internal = internal
                .filter(|&step| is_internal(executor, step))
                .collect::<Vec<_>>();
            internal.retain(|&step| matches!(executor.step(state, step), Tried::Feasible(_)));
            internal.is_empty()
        });
        match settled.is_empty() {
            true => self.states.clone(),
            false => settled,
        }
    }

    /// Adds what the system may do unnoticed.
    fn settle(&mut self, executor: &mut Executor<'_, '_>) {
        let mut next = 0;
        while next < self.states.len() {
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
                        let reason = "the model does too much unnoticed".to_owned();
                        self.incomplete.get_or_insert(reason);
                    } else if !known {
                        self.states.push(after);
                    }
                }
            }
        }
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
        let mut raw = executor.raw(state, step, given);
        if let Err(reason) = executor.compute_calls(&mut raw) {
            self.incomplete.get_or_insert(reason);
            return None;
        }
        if let Event::Output { values, .. } = &raw.event {
            let pairs: Vec<(Term, &Value)> = values.iter().copied().zip(observed).collect();
            for (term, value) in pairs {
                let equal = self.equal(executor, term, value);
                raw.condition = executor.store.and(raw.condition, equal);
            }
        }
        match executor.settle(state, raw) {
            Tried::Feasible(found) => {
                for transition in step.transitions() {
                    self.taken[transition] += 1;
                }
                Some(found.1)
            }
            Tried::Infeasible => None,
            Tried::Unknown(reason) => {
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
            // What nobody computed is exact.
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
            for step in executor.moves(&state.location) {
                if !speaks(executor, step, channel, input) {
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
        self.settle(executor);
        Allowed::Yes
    }

    /// Whether the model allows that nothing comes.
    pub fn quiet(&mut self, executor: &mut Executor<'_, '_>) -> Allowed {
        for state in self.states.clone() {
            let mut loud = executor.store.bool(false);
            for step in executor.moves(&state.location) {
                let input = matches!(
                    executor.model.transitions[step.first].action,
                    crate::model::Action::Input { .. }
                );
                if input && step.second.is_none() {
                    continue;
                }
                let mut raw = executor.raw(&state, step, None);
                match executor.compute_calls(&mut raw) {
                    Ok(()) => loud = executor.store.or(loud, raw.condition),
                    Err(reason) => {
                        self.incomplete.get_or_insert(reason);
                        loud = executor.store.bool(true);
                    }
                }
            }
            let quiet = executor.store.not(loud);
            let possible = match executor.store.as_bool(quiet) {
                Some(known) => known,
                None => {
                    let store = &mut executor.store;
                    executor
                        .mixed
                        .check_extended(store, &state.path, &state.model, quiet)
                        .is_sat()
                }
            };
            if possible {
                return Allowed::Yes;
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
            for step in executor.moves(&state.location) {
                let mut raw = executor.raw(&state, step, None);
                if executor.compute_calls(&mut raw).is_err() {
                    continue;
                }
                let Tried::Feasible(feasible) = executor.settle(&state, raw) else {
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
    step.second.is_some() || matches!(action, crate::model::Action::Internal)
}

/// Whether the step sends to or hears from the environment on this channel.
fn speaks(executor: &Executor<'_, '_>, step: Move, channel: usize, input: bool) -> bool {
    step.second.is_none()
        && match executor.model.transitions[step.first].action {
            crate::model::Action::Internal => false,
            crate::model::Action::Input { channel: used, .. } => input && used == channel,
            crate::model::Action::Output { channel: used, .. } => !input && used == channel,
        }
}

fn same(a: &SymbolicState, b: &SymbolicState) -> bool {
    a.location == b.location
        && a.valuation == b.valuation
        && a.path.constraints().eq(b.path.constraints())
}
