//! Symbolic execution: states with terms for values, and steps between them.
//!
//! A [`SymbolicState`] is where the automata are, a term for every leaf of every
//! variable, the condition under which the path there is taken, the calls of
//! external functions made on the way, and an assignment that satisfies all of it:
//! the extended symbolic state (q, λ, π, κ) of Boudhiba, Gaston, Le Gall and Prevosto,
//! *Symbolic execution of transition systems with function summaries*, TAP 2017.
//!
//! The calls are kept beside the path condition because a call need not occur in it:
//! `I := INTGR(Value)` makes one that no guard has looked at yet. A path is only
//! feasible if each of its calls has a result, so every query is about them too.
//!
//! Automata that share a channel synchronize on it. Such pairs of transitions are
//! found from a location when it is reached; the product is never built.

use crate::fresh::fresh;
use crate::growth::Growth;
use crate::guess;
use crate::lower::Lowering;
use crate::model::{Action, Model};
use crate::undecided::Undecided;
use base::Stop;
use mixed::Mixed;
use mixed::solver::{Answer, PathCondition};
use num_rational::BigRational;
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

/// What a step sends or receives, in terms.
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
/// synchronize on a channel.
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

    /// What the environment notices of it.
    pub(crate) fn noticed(self, model: &Model) -> Noticed {
        match (&model.transitions[self.first].action, self.second) {
            (Action::Internal, _) => Noticed::Nothing,
            (Action::Input { channel, .. }, _) => Noticed::Input(*channel),
            (Action::Output { channel, .. }, Some(_)) if !model.channels[*channel].is_visible => {
                Noticed::Nothing
            }
            (Action::Output { channel, .. }, _) => Noticed::Output(*channel),
        }
    }
}

/// What the environment notices of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Noticed {
    /// Nothing.
    Nothing,
    /// It sent on this channel.
    Input(usize),
    /// It received on this channel, or saw what automata exchange on it.
    Output(usize),
}

/// Whether a step can be taken.
pub enum StepOutcome {
    /// It can be taken, and leads here.
    Feasible(Box<(Event, SymbolicState)>),
    /// It cannot be taken, whatever the external functions give.
    Infeasible,
    /// That was not decided, and why.
    Unknown(Undecided),
}

/// Which numbers the assignment of a state should have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Small ones, since they come to be in tests.
    Small,
    /// Any that will do, since nobody sees them.
    Any,
}

/// A step in terms, before it is decided whether it can be taken.
#[derive(Clone)]
pub(crate) struct SymbolicStep {
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
    stop: Stop,
    /// By automaton and state: the transitions that leave it.
    leaving: Vec<Vec<Vec<usize>>>,
    growth: Growth,
}

impl<'m, 'f> Executor<'m, 'f> {
    /// Executes this model; the functions are declared to `mixed`'s oracle.
    pub fn new(model: &'m Model, mixed: Mixed<'f>) -> Executor<'m, 'f> {
        Executor {
            model,
            store: Store::new(),
            mixed,
            stop: Stop::never(),
            leaving: leaving(model),
            growth: Growth::default(),
        }
    }

    /// Executes another model from now on, which has the same functions: terms and
    /// observed results stay.
    pub(crate) fn set_model(&mut self, model: &'m Model) {
        self.model = model;
        self.leaving = leaving(model);
    }

    /// Gives this token to everything that works for the executor from now on.
    pub fn set_stop(&mut self, stop: &Stop) {
        self.stop = stop.clone();
        self.mixed.set_stop(stop.clone());
    }

    /// The token that ends the work early.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The initial state.
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
    /// it can happen nowhere. The automata are in their initial states.
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
                        self.synchronize(location, first, channel, &mut moves);
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

    /// Adds the moves of a sender with each receiver on a shared channel.
    fn synchronize(&self, location: &[usize], first: usize, channel: usize, moves: &mut Vec<Move>) {
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
    pub fn step(&mut self, state: &SymbolicState, step: Move) -> StepOutcome {
        let symbolic = self.symbolic_step(state, step, None);
        self.decide(state, symbolic)
    }

    /// Takes a step from where the variables may have any values; none if that
    /// can never be. External functions may give anything: they are not run here,
    /// and the state has no assignment to go with it.
    pub(crate) fn step_anywhere(
        &mut self,
        state: &SymbolicState,
        step: Move,
    ) -> Option<SymbolicState> {
        let symbolic = self.symbolic_step(state, step, None);
        if self.is_impossible(state, &symbolic) {
            return None;
        }
        let mut path = state.path.clone();
        self.mixed.add(&self.store, &mut path, symbolic.condition);
        Some(SymbolicState {
            location: symbolic.location,
            valuation: symbolic.valuation.into(),
            path,
            calls: state.calls.clone(),
            model: Assignment::new(),
        })
    }

    /// Whether a step can never be taken from a state, whatever external functions give.
    pub(crate) fn is_impossible(&mut self, state: &SymbolicState, step: &SymbolicStep) -> bool {
        let mut conditions: Vec<Term> = state.path.constraints().collect();
        conditions.push(step.condition);
        // This check only saves work later, so it must stay cheaper than that work.
        let conflicts = Some(self.mixed.config().conflicts_before_search / 10);
        let store = &mut self.store;
        let solver = self.mixed.solver_mut();
        let answer = solver.with_conflicts(conflicts, |solver| solver.check(store, &conditions));
        answer.is_unsat()
    }

    /// The step in terms; values from the environment are fresh variables, or
    /// these.
    pub(crate) fn symbolic_step(
        &mut self,
        state: &SymbolicState,
        step: Move,
        given: Option<&[Term]>,
    ) -> SymbolicStep {
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
                if step.second.is_some() {
                    sent = Some(values.clone());
                }
                if step.noticed(model) == Noticed::Output(*channel) {
                    event = Event::Output {
                        channel: *channel,
                        values,
                    };
                }
            }
            Action::Input { channel, .. } => {
                let received: Vec<Term> = match given {
                    Some(values) => values.to_vec(),
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
            // Those that happen at once are computed before the first of them happens.
            for group in transition.assignments.chunk_by(|_, next| next.is_joined) {
                let values = group.iter().map(|it| lowering.lower(&it.value));
                let values: Vec<Vec<Term>> = values.collect();
                for (it, leaves) in group.iter().zip(values) {
                    lowering.assign(&it.place, leaves);
                }
            }
            location[transition.automaton] = transition.to;
        }
        if let Event::Input { channel, values } = &event
            && Some(*channel) == model.time
        {
            let zero = lowering.store.real(BigRational::default());
            conditions.push(lowering.store.le(zero, values[0]));
            for limit in model.limits(&location) {
                conditions.push(lowering.leaf(limit));
            }
        }
        let Lowering {
            valuation,
            needs,
            calls,
            ..
        } = lowering;
        let condition = self.store.and_all(conditions.into_iter().chain(needs));
        SymbolicStep {
            location,
            valuation,
            event,
            condition,
            calls,
        }
    }

    /// Values as terms.
    pub(crate) fn constants(&mut self, values: &[Value]) -> Vec<Term> {
        let values = values.iter();
        values
            .map(|value| self.store.value(value.clone()))
            .collect()
    }

    /// Puts variables in the place of values that are too large to compute; whether
    /// there were any.
    pub(crate) fn forget_large_values(&mut self, step: &mut SymbolicStep) -> bool {
        let mut forgotten = false;
        for value in &mut step.valuation {
            if self.growth.is_too_large(&self.store, &[*value]) {
                let sort = self.store.sort(*value);
                *value = self.store.fresh_var("forgotten", sort);
                forgotten = true;
            }
        }
        forgotten
    }

    /// The state after a step, whether or not it can be taken. Its assignment is the one
    /// of the state before.
    pub(crate) fn supposed(&mut self, state: &SymbolicState, step: &SymbolicStep) -> SymbolicState {
        let new = step.calls.iter().filter(|call| !state.calls.contains(call));
        let next = SymbolicState {
            location: step.location.clone(),
            valuation: step.valuation.clone().into(),
            path: state.path.clone(),
            calls: state.calls.iter().chain(new).copied().collect(),
            model: state.model.clone(),
        };
        self.supposing(&next, step.condition)
    }

    /// The state with one more condition on its path, whether or not that can hold.
    pub(crate) fn supposing(&mut self, state: &SymbolicState, condition: Term) -> SymbolicState {
        let mut supposed = state.clone();
        self.mixed.add(&self.store, &mut supposed.path, condition);
        supposed
    }

    /// The state where a condition holds as well, if it can.
    pub(crate) fn assume(&mut self, state: &SymbolicState, condition: Term) -> StepOutcome {
        self.assume_with(state, condition, Numbers::Small)
    }

    pub(crate) fn assume_with(
        &mut self,
        state: &SymbolicState,
        condition: Term,
        numbers: Numbers,
    ) -> StepOutcome {
        let step = SymbolicStep {
            location: state.location.clone(),
            valuation: state.valuation.to_vec(),
            event: Event::Internal,
            condition,
            calls: Vec::new(),
        };
        self.decide_with(state, step, numbers)
    }

    /// Decides whether the path of a state can be taken whose assignment says nothing
    /// of it.
    pub(crate) fn decide_path(&mut self, state: &SymbolicState) -> StepOutcome {
        let conditions: Vec<Term> = state.path.constraints().collect();
        let step = SymbolicStep {
            location: state.location.clone(),
            valuation: state.valuation.to_vec(),
            event: Event::Internal,
            condition: self.store.and_all(conditions),
            calls: state.calls.to_vec(),
        };
        let free = SymbolicState {
            path: PathCondition::new(),
            calls: Rc::new([]),
            model: Assignment::new(),
            ..state.clone()
        };
        self.decide(&free, step)
    }

    /// Decides whether a step in terms can be taken.
    pub(crate) fn decide(&mut self, state: &SymbolicState, step: SymbolicStep) -> StepOutcome {
        self.decide_with(state, step, Numbers::Small)
    }

    pub(crate) fn decide_with(
        &mut self,
        state: &SymbolicState,
        step: SymbolicStep,
        numbers: Numbers,
    ) -> StepOutcome {
        if self.stop.is_set() {
            return StepOutcome::Unknown(Undecided::Stopped);
        }
        if self.growth.is_too_large(&self.store, &step.valuation) {
            return StepOutcome::Unknown(Undecided::ValueTooLarge);
        }
        let mut calls = state.calls.clone();
        if step.calls.iter().any(|call| !calls.contains(call)) {
            let new = step.calls.iter().filter(|call| !state.calls.contains(call));
            calls = calls.iter().chain(new).copied().collect();
        }
        let decided = self.store.as_bool(step.condition);
        let model = match decided {
            Some(false) => return StepOutcome::Infeasible,
            Some(true) if calls.len() == state.calls.len() => state.model.clone(),
            _ => match self.answer(state, step.condition, &calls, numbers) {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => return StepOutcome::Infeasible,
                Answer::Unknown(_) if self.stop.is_set() => {
                    return StepOutcome::Unknown(Undecided::Stopped);
                }
                Answer::Unknown(reason) => {
                    return StepOutcome::Unknown(Undecided::Solver(reason));
                }
            },
        };
        let mut path = state.path.clone();
        if decided.is_none() {
            self.mixed.add(&self.store, &mut path, step.condition);
        }
        let next = SymbolicState {
            location: step.location,
            valuation: step.valuation.into(),
            path,
            calls,
            model,
        };
        StepOutcome::Feasible(Box::new((step.event, next)))
    }

    fn answer(
        &mut self,
        state: &SymbolicState,
        condition: Term,
        calls: &[Term],
        numbers: Numbers,
    ) -> Answer {
        let (store, path, model) = (&mut self.store, &state.path, &state.model);
        // A time may be as short as one likes, so that making it short takes longer than
        // finding one.
        if numbers == Numbers::Any && calls.is_empty() && self.model.time.is_some() {
            let budget = Some(self.mixed.config().conflicts_before_search);
            let answer = self.mixed.solver_mut().with_conflicts(budget, |solver| {
                solver.check_extended(store, path, model, condition)
            });
            if !matches!(answer, Answer::Unknown(_)) {
                return answer;
            }
        }
        let mixed = &mut self.mixed;
        if calls.is_empty()
            && let Some(found) = guess::texts(mixed, store, path, model, condition)
        {
            return Answer::Sat(found);
        }
        mixed.check_with_calls(store, path, model, condition, calls)
    }

    /// Whether a condition can hold in a state.
    ///
    /// # Errors
    ///
    /// When that was not decided.
    pub(crate) fn holds(
        &mut self,
        state: &SymbolicState,
        condition: Term,
    ) -> Result<bool, Undecided> {
        let store = &mut self.store;
        let answer = self
            .mixed
            .check_extended(store, &state.path, &state.model, condition);
        match answer {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(_) if self.stop.is_set() => Err(Undecided::Stopped),
            Answer::Unknown(reason) => Err(Undecided::Solver(reason)),
        }
    }

    /// Runs the external functions whose arguments are known and puts their results
    /// in place of the calls.
    ///
    /// # Errors
    ///
    /// When a function has no result.
    pub(crate) fn compute_calls(&mut self, step: &mut SymbolicStep) -> Result<(), Undecided> {
        let mut results: FxHashMap<Term, Term> = FxHashMap::default();
        let mut left = Vec::new();
        if self.store.as_bool(step.condition) == Some(false) {
            return Ok(());
        }
        for &call in &step.calls {
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
            let result = result.map_err(|failure| match self.stop.is_set() {
                true => Undecided::Stopped,
                false => Undecided::Function(failure),
            })?;
            let result = self.store.value(result);
            results.insert(call, result);
            // Calls of a step that is not taken need no results, and running them
            // may fail.
            step.condition = term::substitute(&mut self.store, &[step.condition], &results)[0];
            if self.store.as_bool(step.condition) == Some(false) {
                return Ok(());
            }
        }
        if results.is_empty() {
            return Ok(());
        }
        let store = &mut self.store;
        step.valuation = term::substitute(store, &step.valuation, &results);
        step.calls = term::substitute(store, &left, &results);
        if let Event::Input { values, .. } | Event::Output { values, .. } = &mut step.event {
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
pub(crate) fn receive(lowering: &mut Lowering<'_>, transition: usize, values: &[Term]) -> Term {
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

/// By automaton and state: the transitions that leave it.
fn leaving(model: &Model) -> Vec<Vec<Vec<usize>>> {
    let automata = model.automata.iter();
    let mut leaving: Vec<Vec<Vec<usize>>> = automata
        .map(|automaton| vec![Vec::new(); automaton.states.len()])
        .collect();
    for (number, transition) in model.transitions.iter().enumerate() {
        leaving[transition.automaton][transition.from].push(number);
    }
    leaving
}
