//! What the model allows after what was observed.
//!
//! An [`Observer`] holds every state the system may be in, as far as the trace
//! and the model tell: `M after σ` in the terms of ioco (Tretmans, *Test generation
//! with inputs, outputs and repetitive quiescence*, 1996), as symbolic states. Values
//! that were exchanged are constants; what the model leaves open stays a variable
//! until an output settles it. An output conforms if some state allows it. Silence
//! conforms if some state is quiescent, that is, has neither an output nor an
//! internal step that must happen, or is on a cycle of internal steps, where the system
//! may stay forever; and it is an observation: afterwards the system is in one of those.
//! With clocks, a state is also silent as long as `while` gives it time.
//!
//! A conclusion "not allowed" needs all states. Where it was not decided whether the
//! system can be in a state, the state is kept *in doubt*: what it does not allow
//! either is not allowed, and only what it alone allows is "unknown".

mod time;
mod timing;

use crate::execution::{Event, Executor, Move, Noticed, Numbers, StepOutcome, SymbolicState};
use crate::liveness::Liveness;
use crate::output::{Output, Payload};
use crate::undecided::Undecided;
use mixed::solver::PathCondition;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::{Sort, Term, Value, Variable};
use time::Now;

pub(crate) use timing::{Course, Window};

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

/// A state the system may be in.
#[derive(Clone)]
struct Candidate {
    state: SymbolicState,
    /// Why it is not known whether the system can be there; none if it can, and then
    /// the state's assignment satisfies its path condition.
    doubt: Option<Undecided>,
    /// Whether values were forgotten, so that the state allows more than it should
    /// and the doubt can never be removed.
    is_coarse: bool,
}

impl Candidate {
    fn certain(state: SymbolicState) -> Candidate {
        Candidate {
            state,
            doubt: None,
            is_coarse: false,
        }
    }
}

/// Every state the system may be in.
#[derive(Clone)]
pub struct Observer {
    states: Vec<Candidate>,
    /// Internal steps between the states, by number.
    internal: Vec<(usize, usize)>,
    /// How far apart two Reals may be and still count as equal, relative to them.
    tolerance: BigRational,
    /// By transition: how often it may have been taken.
    pub taken: Vec<usize>,
    now: Now,
    /// Why there are states that were not even kept in doubt, if there are.
    incomplete: Option<Undecided>,
    /// Which values are read again, if what makes no difference any more is forgotten.
    liveness: Option<Rc<Liveness>>,
}

impl Observer {
    /// Nothing was observed so far. Reals are equal when they differ by no more
    /// than a billionth, since systems compute them in floating point.
    pub fn new(executor: &mut Executor<'_, '_>) -> Observer {
        let mut observer = Observer {
            states: vec![Candidate::certain(executor.initial())],
            internal: Vec::new(),
            tolerance: BigRational::new(BigInt::from(1), BigInt::from(1_000_000_000)),
            taken: vec![0; executor.model.transitions.len()],
            now: Now {
                term: executor.store.real(BigRational::default()),
                exact: BigRational::default(),
            },
            incomplete: None,
            liveness: None,
        };
        observer.close_under_internal_steps(executor);
        observer
    }

    /// The same, for one who asks only what is allowed next. With clocks, a step that nobody saw
    /// may have been taken during any delay, which makes as many states; most of them are the
    /// same one as soon as the clock it was measured with is not read again.
    pub(crate) fn forgetful(executor: &mut Executor<'_, '_>) -> Observer {
        let mut observer = Observer::new(executor);
        if executor.model.time.is_some() {
            observer.liveness = Some(Rc::new(Liveness::of(executor.model, &[])));
        }
        observer
    }

    /// The states without internal steps, in which the system waits; all states where
    /// each has some.
    pub(crate) fn stable(&self, executor: &mut Executor<'_, '_>) -> Vec<SymbolicState> {
        let certain = self.states.iter().filter(|it| it.doubt.is_none());
        let all: Vec<SymbolicState> = certain.map(|it| it.state.clone()).collect();
        let mut stable = all.clone();
        stable.retain(|state| {
            !executor.moves(&state.location).into_iter().any(|step| {
                is_internal(executor, step)
                    && matches!(executor.step(state, step), StepOutcome::Feasible(_))
            })
        });
        match stable.is_empty() {
            true => all,
            false => stable,
        }
    }

    /// Adds the states that internal steps lead to, since nobody observes those.
    fn close_under_internal_steps(&mut self, executor: &mut Executor<'_, '_>) {
        self.internal.clear();
        let mut next = 0;
        while next < self.states.len() && !self.gives_up(executor) {
            let from = self.states[next].clone();
            for step in executor.moves(&from.state.location) {
                if !is_internal(executor, step) {
                    continue;
                }
                let Some(after) = self.try_step(executor, &from, step, None, &[]) else {
                    continue;
                };
                match self.add(after) {
                    Some(to) => self.internal.push((next, to)),
                    None => {
                        self.incomplete.get_or_insert(Undecided::TooManyStates);
                    }
                }
            }
            next += 1;
        }
    }

    /// The number of a state, which is added if it is new and there is room for it.
    fn add(&mut self, candidate: Candidate) -> Option<usize> {
        let known = self.states.iter().position(|it| same(it, &candidate));
        if known.is_none() && self.states.len() < STATES {
            self.states.push(candidate);
            return Some(self.states.len() - 1);
        }
        known
    }

    /// The system may also be where another observer of the same system has it.
    pub(crate) fn join(&mut self, executor: &mut Executor<'_, '_>, other: Observer) {
        for candidate in other.states {
            if self.add(candidate).is_none() {
                self.incomplete.get_or_insert(Undecided::TooManyStates);
            }
        }
        for (taken, others) in self.taken.iter_mut().zip(other.taken) {
            *taken = others.max(*taken);
        }
        self.incomplete = self.incomplete.take().or(other.incomplete);
        self.close_under_internal_steps(executor);
    }

    /// Whether the run was stopped, so that not all states will be known.
    fn gives_up(&mut self, executor: &Executor<'_, '_>) -> bool {
        let stopped = executor.stop().is_set();
        if stopped {
            self.incomplete.get_or_insert(Undecided::Stopped);
        }
        stopped
    }

    /// The state after a step with these values, unless the model does not allow it.
    fn try_step(
        &mut self,
        executor: &mut Executor<'_, '_>,
        from: &Candidate,
        step: Move,
        given: Option<&[Term]>,
        observed: &[Value],
    ) -> Option<Candidate> {
        let mut symbolic = executor.symbolic_step(&from.state, step, given);
        let failed = executor.compute_calls(&mut symbolic).err();
        if let Event::Output { values, .. } = &symbolic.event {
            let pairs: Vec<(Term, &Value)> = values.iter().copied().zip(observed).collect();
            for (term, value) in pairs {
                let equal = self.equal(executor, term, value);
                symbolic.condition = executor.store.and(symbolic.condition, equal);
            }
        }
        if executor.store.as_bool(symbolic.condition) == Some(false) {
            return None;
        }
        let is_coarse = executor.forget_large_values(&mut symbolic) || from.is_coarse;
        let supposed = executor.supposed(&from.state, &symbolic);
        let outcome = match &from.doubt {
            None if !is_coarse => executor.decide_with(&from.state, symbolic, Numbers::Any),
            // No assignment satisfies the path so far, so all of it is decided anew.
            Some(_) | None => executor.decide_path(&supposed),
        };
        let doubt = match outcome {
            StepOutcome::Infeasible => return None,
            StepOutcome::Feasible(found) if failed.is_none() && !is_coarse => {
                for transition in step.transitions() {
                    self.taken[transition] += 1;
                }
                return Some(Candidate::certain(found.1));
            }
            StepOutcome::Feasible(_) => Undecided::ValueTooLarge,
            StepOutcome::Unknown(reason) => reason,
        };
        Some(Candidate {
            state: supposed,
            doubt: Some(failed.unwrap_or(doubt)),
            is_coarse,
        })
    }

    /// The state after a step of a test with what was exchanged, if the model
    /// allows it; what the observer itself knows stays as it is.
    ///
    /// # Errors
    ///
    /// When that was not decided.
    pub(crate) fn follow(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        step: Move,
        given: Option<&[Value]>,
        observed: &[Value],
    ) -> Result<Option<SymbolicState>, Undecided> {
        let taken = self.taken.clone();
        let given = given.map(|values| executor.constants(values));
        let from = Candidate::certain(state.clone());
        let after = self.try_step(executor, &from, step, given.as_deref(), observed);
        self.taken = taken;
        match after {
            None => Ok(None),
            Some(Candidate {
                doubt: Some(reason),
                ..
            }) => Err(reason),
            Some(after) => Ok(Some(after.state)),
        }
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
        if let (true, [Value::Real(time)]) = (Some(channel) == executor.model.time, values) {
            return self.delay(executor, time);
        }
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
        let given = executor.constants(values);
        let (given, observed) = match input {
            true => (Some(&given[..]), &[][..]),
            false => (None, values),
        };
        let mut after = Vec::new();
        for from in self.states.clone() {
            if self.gives_up(executor) {
                break;
            }
            for step in executor.moves(&from.state.location) {
                if communicates(executor, step, channel, input) {
                    after.extend(self.try_step(executor, &from, step, given, observed));
                }
            }
        }
        self.narrow_to(executor, after)
    }

    /// The system sent nothing until it was clear that it waits for an input.
    pub fn silence(&mut self, executor: &mut Executor<'_, '_>) -> Allowed {
        let on_cycle = self.on_internal_cycles();
        let mut after = Vec::new();
        for (number, from) in self.states.clone().into_iter().enumerate() {
            if self.gives_up(executor) {
                break;
            }
            match on_cycle[number] || self.may_wait(executor, &from) {
                true => after.push(from),
                false => after.extend(self.settled(executor, &from)),
            }
        }
        self.narrow_to(executor, after)
    }

    /// Whether the model allows that the system sends nothing until it gets an input.
    pub fn quiescence(&self, executor: &mut Executor<'_, '_>) -> Allowed {
        self.clone().silence(executor)
    }

    /// Whether silence would tell something before an input on this channel: the system
    /// may be in a state that silence rules out, and that takes the input or sends
    /// something which would cross it.
    pub(crate) fn silence_matters(
        &self,
        executor: &mut Executor<'_, '_>,
        channel: usize,
        values: &[Value],
    ) -> bool {
        let mut later = self.clone();
        if later.silence(executor) != Allowed::Yes {
            return false;
        }
        if !self.clone().expected(executor).is_empty() {
            return true;
        }
        let ruled_out = self.states.iter().filter(|it| {
            let stays = later.states.iter().any(|other| same(it, other));
            it.doubt.is_none() && !stays
        });
        ruled_out.into_iter().any(|it| {
            let mut alone = self.clone();
            alone.states = vec![it.clone()];
            alone.input(executor, channel, values) == Allowed::Yes
        })
    }

    /// A state of a test after silence, if the system can be silent there.
    ///
    /// # Errors
    ///
    /// When that was not decided.
    pub(crate) fn settle(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
    ) -> Result<Option<SymbolicState>, Undecided> {
        match self.settled(executor, &Candidate::certain(state.clone())) {
            None => Ok(None),
            Some(Candidate {
                doubt: Some(reason),
                ..
            }) => Err(reason),
            Some(settled) => Ok(Some(settled.state)),
        }
    }

    /// The state with values under which it has no output and no internal step.
    fn settled(&self, executor: &mut Executor<'_, '_>, from: &Candidate) -> Option<Candidate> {
        let mut active = executor.store.bool(false);
        let mut failed = None;
        for step in executor.moves(&from.state.location) {
            if is_input(executor, step) {
                continue;
            }
            let mut symbolic = executor.symbolic_step(&from.state, step, None);
            match executor.compute_calls(&mut symbolic) {
                Ok(()) => active = executor.store.or(active, symbolic.condition),
                Err(reason) => failed = Some(reason),
            }
        }
        let quiescent = executor.store.not(active);
        let mut settled = self.assuming(executor, from, quiescent)?;
        settled.doubt = failed.or(settled.doubt);
        Some(settled)
    }

    /// The state with values under which a condition holds, if there are any.
    fn assuming(
        &self,
        executor: &mut Executor<'_, '_>,
        from: &Candidate,
        condition: Term,
    ) -> Option<Candidate> {
        if executor.store.as_bool(condition) == Some(false) {
            return None;
        }
        let supposed = executor.supposing(&from.state, condition);
        let outcome = match &from.doubt {
            None => executor.assume_with(&from.state, condition, Numbers::Any),
            Some(_) => executor.decide_path(&supposed),
        };
        let doubt = match outcome {
            StepOutcome::Infeasible => return None,
            StepOutcome::Feasible(found) if !from.is_coarse => {
                return Some(Candidate::certain(found.1));
            }
            StepOutcome::Feasible(_) => from.doubt.clone().unwrap_or(Undecided::ValueTooLarge),
            StepOutcome::Unknown(reason) => reason,
        };
        Some(Candidate {
            state: supposed,
            doubt: Some(doubt),
            is_coarse: from.is_coarse,
        })
    }

    /// By state: whether it is on a cycle of internal steps, or between two. There the
    /// system may go on forever without anybody noticing, so that silence is allowed.
    fn on_internal_cycles(&self) -> Vec<bool> {
        let mut left = vec![true; self.states.len()];
        // What has no step to, or none from, the states that are left is on no cycle.
        loop {
            let (mut enters, mut leaves) = (vec![false; left.len()], vec![false; left.len()]);
            for &(from, to) in &self.internal {
                if left[from] && left[to] {
                    (leaves[from], enters[to]) = (true, true);
                }
            }
            let before = left.clone();
            for (number, left) in left.iter_mut().enumerate() {
                *left &= enters[number] && leaves[number];
            }
            if left == before {
                return left;
            }
        }
    }

    /// These are the states after an observation; what was known stays where there are
    /// none.
    fn narrow_to(&mut self, executor: &mut Executor<'_, '_>, after: Vec<Candidate>) -> Allowed {
        let certain = after.iter().any(|it| it.doubt.is_none());
        let doubt = after.iter().find_map(|it| it.doubt.clone());
        if !certain {
            return match doubt.or_else(|| self.incomplete.clone()) {
                Some(reason) => Allowed::Unknown(reason),
                None => Allowed::No,
            };
        }
        self.states.clear();
        for candidate in after {
            let candidate = self.without_past(executor, candidate);
            if self.add(candidate).is_none() {
                self.incomplete.get_or_insert(Undecided::TooManyStates);
            }
        }
        self.close_under_internal_steps(executor);
        Allowed::Yes
    }

    /// The candidate without values that are not read again, and without conditions that have
    /// nothing to do with the others: those can be met, whatever comes.
    fn without_past(&self, executor: &mut Executor<'_, '_>, mut candidate: Candidate) -> Candidate {
        let state = &mut candidate.state;
        let Some(liveness) = self.liveness.as_ref() else {
            return candidate;
        };
        if candidate.doubt.is_some() || !state.calls.is_empty() {
            return candidate;
        }
        let mut valuation = state.valuation.to_vec();
        for (leaf, value) in valuation.iter_mut().enumerate() {
            if let Some(default) = liveness.forgotten(&state.location, leaf) {
                *value = executor.store.value(default.clone());
            }
        }
        let mut kept = valuation.clone();
        kept.push(self.now.term);
        let kept: FxHashSet<Variable> = term::free_variables(&executor.store, &kept)
            .into_iter()
            .collect();
        let mut path = PathCondition::new();
        for part in state.path.parts() {
            let free = term::free_variables(&executor.store, &part);
            if free.is_empty() || free.iter().any(|it| kept.contains(it)) {
                for condition in part {
                    executor.mixed.add(&executor.store, &mut path, condition);
                }
            }
        }
        state.valuation = valuation.into();
        state.path = path;
        candidate
    }

    /// Adds the states of automata that the system may be in.
    pub(crate) fn visit(&self, visited: &mut FxHashSet<(usize, usize)>) {
        for candidate in &self.states {
            visited.extend(candidate.state.location.iter().copied().enumerate());
        }
    }

    /// The outputs the model allows now.
    pub fn expected(&mut self, executor: &mut Executor<'_, '_>) -> Vec<Output> {
        let certain = self.states.iter().filter(|it| it.doubt.is_none());
        let certain = certain.map(|it| it.state.clone()).collect();
        self.outputs_of(executor, certain)
    }

    fn outputs_of(
        &mut self,
        executor: &mut Executor<'_, '_>,
        states: Vec<SymbolicState>,
    ) -> Vec<Output> {
        let mut found: Vec<Output> = Vec::new();
        for (channel, values, after) in self.sent_from(executor, states).0 {
            let path: Vec<Term> = after.path.constraints().collect();
            let payload = Payload::of(executor, &values, &path);
            let output = Output { channel, payload };
            if !found.contains(&output) {
                found.push(output);
            }
        }
        found
    }

    /// All that the system can send now; none where that is not known, or the model leaves
    /// values open.
    pub(crate) fn definite_outputs(
        &mut self,
        executor: &mut Executor<'_, '_>,
    ) -> Option<Vec<(usize, Vec<Value>)>> {
        let is_doubted = self.states.iter().any(|it| it.doubt.is_some());
        if is_doubted || self.incomplete.is_some() || executor.model.time.is_some() {
            return None;
        }
        let states = self.states.iter().map(|it| it.state.clone()).collect();
        let (sent, is_all) = self.sent_from(executor, states);
        let definite = sent.into_iter().map(|(channel, values, _)| {
            let values = values.iter().map(|&it| executor.store.as_value(it));
            Some((channel, values.collect::<Option<Vec<Value>>>()?))
        });
        let definite = definite.collect::<Option<Vec<_>>>();
        definite.filter(|_| is_all)
    }

    /// What can be sent from these states, each with its state afterwards; and whether that is
    /// all.
    fn sent_from(
        &mut self,
        executor: &mut Executor<'_, '_>,
        states: Vec<SymbolicState>,
    ) -> (Vec<(usize, Vec<Term>, SymbolicState)>, bool) {
        let (mut found, mut is_all) = (Vec::new(), true);
        for state in states {
            if self.gives_up(executor) {
                is_all = false;
                break;
            }
            for step in executor.moves(&state.location) {
                if is_input(executor, step) {
                    continue;
                }
                let mut symbolic = executor.symbolic_step(&state, step, None);
                if executor.compute_calls(&mut symbolic).is_err() {
                    is_all = false;
                    continue;
                }
                match executor.decide(&state, symbolic) {
                    StepOutcome::Feasible(feasible) => {
                        if let (Event::Output { channel, values }, after) = *feasible {
                            found.push((channel, values, after));
                        }
                    }
                    StepOutcome::Infeasible => {}
                    StepOutcome::Unknown(_) => is_all = false,
                }
            }
        }
        (found, is_all)
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

/// Whether the step takes an input from the environment.
fn is_input(executor: &Executor<'_, '_>, step: Move) -> bool {
    matches!(step.noticed(executor.model), Noticed::Input(_))
}

fn is_internal(executor: &Executor<'_, '_>, step: Move) -> bool {
    step.noticed(executor.model) == Noticed::Nothing
}

/// Whether the step sends to or receives from the environment on this channel.
fn communicates(executor: &Executor<'_, '_>, step: Move, channel: usize, input: bool) -> bool {
    step.noticed(executor.model)
        == match input {
            true => Noticed::Input(channel),
            false => Noticed::Output(channel),
        }
}

fn same(a: &Candidate, b: &Candidate) -> bool {
    let (one, other) = (&a.state, &b.state);
    a.doubt.is_some() == b.doubt.is_some()
        && one.location == other.location
        && one.valuation == other.valuation
        && one.path.constraints().eq(other.path.constraints())
}
