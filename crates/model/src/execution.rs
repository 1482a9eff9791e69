//! Symbolic execution: states with terms for values, and steps between them.
//!
//! A [`SymbolicState`] is where the automata are, a term for every leaf of every
//! variable, the condition under which the path there is taken, the calls of
//! external functions made on the way, and an assignment that satisfies all of it.

use crate::growth::Growth;
use crate::lower::{Lowering, fresh};
use crate::model::{Action, Model};
use mixed::Mixed;
use mixed::solver::{Answer, PathCondition};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Assignment, Store, Term, Value};

/// A state of a symbolic execution.
#[derive(Clone)]
pub struct SymbolicState {
    /// By automaton: the state it is in.
    pub location: Vec<usize>,
    /// By leaf of the variables: its value.
    pub valuation: Rc<[Term]>,
    /// Under which condition the path here is taken.
    pub path: PathCondition,
    /// Applications of external functions on the way, the inner before the outer.
    pub calls: Rc<[Term]>,
    /// Values of the fresh variables under which all of it holds.
    pub model: Assignment,
}

/// What a step says or hears, in terms.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Nothing that the environment notices.
    Internal,
    /// Values from the environment.
    Input {
        /// The channel's number.
        channel: usize,
        /// The leaves of the values.
        values: Vec<Term>,
    },
    /// Values to the environment.
    Output {
        /// The channel's number.
        channel: usize,
        /// The leaves of the values.
        values: Vec<Term>,
    },
}

/// What may happen in a state: one transition, or a sender and a receiver that
/// meet on a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    /// The transition, or the sender's.
    pub first: usize,
    /// The receiver's transition.
    pub second: Option<usize>,
}

impl Move {
    /// The numbers of the transitions that are taken.
    pub fn transitions(self) -> impl Iterator<Item = usize> {
        [Some(self.first), self.second].into_iter().flatten()
    }
}

/// What became of a step that was tried.
pub enum Tried {
    /// It can be taken, and leads here.
    Feasible(Box<(Event, SymbolicState)>),
    /// It cannot be taken, whatever the external functions give.
    Infeasible,
    /// Nobody knows, and why.
    Unknown(String),
}

/// A step in terms, before anybody asked whether it can be taken.
pub(crate) struct Raw {
    pub location: Vec<usize>,
    pub valuation: Vec<Term>,
    pub event: Event,
    pub condition: Term,
    pub calls: Vec<Term>,
}

/// Executes a model symbolically.
pub struct Executor<'m, 'f> {
    /// The model.
    pub model: &'m Model,
    /// The terms.
    pub store: Store,
    /// What decides conditions.
    pub mixed: Mixed<'f>,
    /// By automaton and state: the transitions that leave it.
    leaving: Vec<Vec<Vec<usize>>>,
    growth: Growth,
}

impl<'m, 'f> Executor<'m, 'f> {
    /// Executes this model; the functions are declared to `mixed`'s oracle.
    pub fn new(model: &'m Model, mixed: Mixed<'f>) -> Executor<'m, 'f> {
        let automata = model.automata.iter();
        let mut leaving: Vec<Vec<Vec<usize>>> = automata
            .map(|automaton| vec![Vec::new(); automaton.states.len()])
            .collect();
        for (number, transition) in model.transitions.iter().enumerate() {
            leaving[transition.automaton][transition.from].push(number);
        }
        Executor {
            model,
            store: Store::new(),
            mixed,
            leaving,
            growth: Growth::default(),
        }
    }

    /// The state where everything begins.
    pub fn initial(&mut self) -> SymbolicState {
        let (mut valuation, mut needs) = (Vec::new(), Vec::new());
        for variable in &self.model.variables {
            match &variable.initial {
                Some(values) => {
                    let values = values.iter();
                    valuation.extend(values.map(|value| self.store.value(value.clone())));
                }
                None => {
                    let leaves = fresh(&mut self.store, &variable.name, &variable.ty, &mut needs);
                    valuation.extend(leaves);
                }
            }
        }
        let mut path = PathCondition::new();
        for need in needs {
            self.mixed.add(&self.store, &mut path, need);
        }
        SymbolicState {
            location: self
                .model
                .automata
                .iter()
                .map(|automaton| automaton.initial)
                .collect(),
            valuation: valuation.into(),
            // The default of an enumeration is its first value, so nothing has to
            // be solved here.
            model: Assignment::new(),
            path,
            calls: Rc::new([]),
        }
    }

    /// A state in which the variables may have any values: what cannot happen from
    /// it can happen nowhere. The automata are where they begin.
    pub(crate) fn anywhere(&mut self) -> SymbolicState {
        let (mut valuation, mut needs) = (Vec::new(), Vec::new());
        for variable in &self.model.variables {
            let leaves = fresh(&mut self.store, &variable.name, &variable.ty, &mut needs);
            valuation.extend(leaves);
        }
        let mut state = self.initial();
        state.valuation = valuation.into();
        for need in needs {
            self.mixed.add(&self.store, &mut state.path, need);
        }
        state
    }

    /// What may happen where the automata are, conditions aside.
    pub fn moves(&self, location: &[usize]) -> Vec<Move> {
        let mut moves = Vec::new();
        for (automaton, &state) in location.iter().enumerate() {
            for &first in &self.leaving[automaton][state] {
                match self.model.transitions[first].action {
                    Action::Output { channel, .. } if self.model.channels[channel].is_shared => {
                        self.meet(location, first, channel, &mut moves);
                    }
                    // A receiver on a shared channel moves with a sender.
                    Action::Input { channel, .. } if self.model.channels[channel].is_shared => {}
                    _ => moves.push(Move {
                        first,
                        second: None,
                    }),
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    fn meet(&self, location: &[usize], first: usize, channel: usize, moves: &mut Vec<Move>) {
        let sender = self.model.transitions[first].automaton;
        for (automaton, &state) in location.iter().enumerate() {
            if automaton == sender {
                continue;
            }
            for &second in &self.leaving[automaton][state] {
                let reads = matches!(self.model.transitions[second].action,
                    Action::Input { channel: read, .. } if read == channel);
                if reads {
                    moves.push(Move {
                        first,
                        second: Some(second),
                    });
                }
            }
        }
    }

    /// Takes a step if it can be taken.
    pub fn step(&mut self, state: &SymbolicState, step: Move) -> Tried {
        let raw = self.raw(state, step, None);
        self.settle(state, raw)
    }

    /// Takes a step from where the variables may have any values; none if that
    /// can never be. External functions may give anything: nobody runs them here,
    /// and the state has no values to go with it.
    pub(crate) fn step_anywhere(
        &mut self,
        state: &SymbolicState,
        step: Move,
    ) -> Option<SymbolicState> {
        let raw = self.raw(state, step, None);
        let mut conditions: Vec<Term> = state.path.constraints().collect();
        conditions.push(raw.condition);
        // This check only spares other work, so it may not cost more than that.
        let conflicts = Some(self.mixed.config().conflicts_before_search / 10);
        let store = &mut self.store;
        let solver = self.mixed.solver_mut();
        let answer = solver.with_conflicts(conflicts, |solver| solver.check(store, &conditions));
        if answer.is_unsat() {
            return None;
        }
        let mut path = state.path.clone();
        self.mixed.add(&self.store, &mut path, raw.condition);
        Some(SymbolicState {
            location: raw.location,
            valuation: raw.valuation.into(),
            path,
            calls: state.calls.clone(),
            model: Assignment::new(),
        })
    }

    /// The step in terms; values from the environment are fresh variables, or
    /// these.
    pub(crate) fn raw(
        &mut self,
        state: &SymbolicState,
        step: Move,
        given: Option<&[Value]>,
    ) -> Raw {
        let model = self.model;
        let mut lowering = Lowering::new(&mut self.store, model, state.valuation.to_vec());
        let mut conditions = Vec::new();
        for transition in step.transitions() {
            conditions.push(lowering.leaf(&model.transitions[transition].guard));
        }
        let mut event = Event::Internal;
        let mut sent = None;
        match &model.transitions[step.first].action {
            Action::Internal => {}
            Action::Output { channel, values } => {
                let values: Vec<Term> = values.iter().flat_map(|v| lowering.lower(v)).collect();
                match step.second {
                    Some(_) => sent = Some(values),
                    None => {
                        event = Event::Output {
                            channel: *channel,
                            values,
                        }
                    }
                }
            }
            Action::Input { channel, .. } => {
                let received: Vec<Term> = match given {
                    Some(values) => {
                        let values = values.iter();
                        values
                            .map(|value| lowering.store.value(value.clone()))
                            .collect()
                    }
                    None => {
                        let it = &model.channels[*channel];
                        let types = it.payload.iter();
                        types
                            .flat_map(|ty| fresh(lowering.store, &it.name, ty, &mut lowering.needs))
                            .collect()
                    }
                };
                conditions.push(receive(&mut lowering, step.first, &received));
                event = Event::Input {
                    channel: *channel,
                    values: received,
                };
            }
        }
        if let (Some(receiver), Some(values)) = (step.second, &sent) {
            conditions.push(receive(&mut lowering, receiver, values));
        }
        let mut location = state.location.clone();
        for number in step.transitions() {
            let transition = &model.transitions[number];
            for (place, value) in &transition.assignments {
                let leaves = lowering.lower(value);
                lowering.assign(place, leaves);
            }
            location[transition.automaton] = transition.to;
        }
        let Lowering {
            valuation,
            needs,
            calls,
            ..
        } = lowering;
        let condition = self.store.and_all(conditions.into_iter().chain(needs));
        Raw {
            location,
            valuation,
            event,
            condition,
            calls,
        }
    }

    /// Asks whether a step in terms can be taken.
    pub(crate) fn settle(&mut self, state: &SymbolicState, raw: Raw) -> Tried {
        if self.growth.is_too_large(&self.store, &raw.valuation) {
            return Tried::Unknown("a value grows too large".to_owned());
        }
        let mut calls = state.calls.clone();
        if raw.calls.iter().any(|call| !calls.contains(call)) {
            let new = raw.calls.iter().filter(|call| !state.calls.contains(call));
            calls = calls.iter().chain(new).copied().collect();
        }
        let decided = self.store.as_bool(raw.condition);
        let model = match decided {
            Some(false) => return Tried::Infeasible,
            Some(true) if calls.len() == state.calls.len() => state.model.clone(),
            _ => {
                let answer = self.mixed.check_with_calls(
                    &mut self.store,
                    &state.path,
                    &state.model,
                    raw.condition,
                    &calls,
                );
                match answer {
                    Answer::Sat(model) => model,
                    Answer::Unsat(_) => return Tried::Infeasible,
                    Answer::Unknown(reason) => return Tried::Unknown(reason.to_string()),
                }
            }
        };
        let mut path = state.path.clone();
        if decided.is_none() {
            self.mixed.add(&self.store, &mut path, raw.condition);
        }
        let next = SymbolicState {
            location: raw.location,
            valuation: raw.valuation.into(),
            path,
            calls,
            model,
        };
        Tried::Feasible(Box::new((raw.event, next)))
    }

    /// Runs the external functions whose arguments are known and puts what they
    /// give in their place; an error says which has no result.
    pub(crate) fn compute_calls(&mut self, raw: &mut Raw) -> Result<(), String> {
        let mut results: FxHashMap<Term, Term> = FxHashMap::default();
        let mut left = Vec::new();
        if self.store.as_bool(raw.condition) == Some(false) {
            return Ok(());
        }
        for &call in &raw.calls {
            let arguments = self.store.args(call).to_vec();
            let arguments = term::substitute(&mut self.store, &arguments, &results);
            let values: Option<Vec<Value>> = arguments
                .iter()
                .map(|&argument| self.store.as_value(argument))
                .collect();
            let Some(values) = values else {
                left.push(call);
                continue;
            };
            let function = self
                .store
                .as_function(call)
                .expect("a call is an application");
            let name = self.store.signature(function).name.clone();
            let result = self.mixed.oracle_mut().call(&name, &values);
            let result = result.map_err(|failure| failure.to_string())?;
            let result = self.store.value(result);
            results.insert(call, result);
            // What the step would compute afterwards is nobody's business if it
            // is not taken.
            raw.condition = term::substitute(&mut self.store, &[raw.condition], &results)[0];
            if self.store.as_bool(raw.condition) == Some(false) {
                return Ok(());
            }
        }
        if results.is_empty() {
            return Ok(());
        }
        let store = &mut self.store;
        raw.valuation = term::substitute(store, &raw.valuation, &results);
        raw.calls = term::substitute(store, &left, &results);
        if let Event::Input { values, .. } | Event::Output { values, .. } = &mut raw.event {
            *values = term::substitute(store, values, &results);
        }
        Ok(())
    }

    /// What terms are under the values of a state, with real calls; none when a
    /// function has no result.
    pub fn values(&mut self, terms: &[Term], model: &Assignment) -> Option<Vec<Value>> {
        self.mixed.take_failure();
        let mut evaluation = self.mixed.under(&self.store, model);
        let values = terms.iter().map(|&term| evaluation.value(term)).collect();
        self.mixed.take_failure().is_none().then_some(values)
    }
}

/// Puts received values where the transition wants them; gives the condition on
/// them.
fn receive(lowering: &mut Lowering<'_>, transition: usize, values: &[Term]) -> Term {
    let model = lowering.model;
    let Action::Input {
        targets, condition, ..
    } = &model.transitions[transition].action
    else {
        unreachable!("it receives");
    };
    let mut rest = values;
    for target in targets {
        let (part, others) = rest.split_at(target.ty.size());
        lowering.assign(target, part.to_vec());
        rest = others;
    }
    lowering.leaf(condition)
}
