//! Policies: what decides where paths go, one file each.
//!
//! | policy | what it does |
//! | --- | --- |
//! | [`machine::AllPaths`] | forks wherever both ways are feasible |
//! | [`follow`] | takes the path that known inputs take: replay, concolic runs, regeneration, finishing a path |
//! | [`generational`] | one concolic run on a given standard input, for a search over generations |
//! | [`selective`] | symbolic in selected code, concrete elsewhere |
//! | [`seeds`] | goes along inputs that the user has, before all others |
//! | [`ranged`] | keeps the paths between two inputs, in path order |
//! | [`look_ahead`] | drops paths that can reach nothing new |
//! | [`fitness`] | measures how near paths come to branches that nobody took |
//! | [`staged`] | objects that satisfy an invariant: lazy initialisation and regeneration |
//!
//! One concolic run after the other, as DART has it, is what an exploration does with
//! [`follow`]. Several may steer one session; a [`Stack`] asks them in order.

pub mod fitness;
pub mod follow;
pub mod generational;
pub mod look_ahead;
pub mod ranged;
pub mod seeds;
pub mod selective;
pub mod staged;
pub(crate) mod trail;

pub use trail::Step;

use machine::{
    Choice, ChoiceKind, End, Events, Given, Guidance, Halt, Invocation, Machine, More, Origin,
    Policy, Returned, State, StreamId, Value,
};
use program::{Body, Case, EdgeId, Reg};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::{Assignment, Term};

/// Several policies as one. Where one answer is wanted, the first that has one gives
/// it; the first policy alone says how a path that follows its model records that.
pub struct Stack<'p>(Vec<Rc<dyn Policy + 'p>>);

impl<'p> Stack<'p> {
    /// The policies, in the order in which they are asked.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn new(policies: Vec<Rc<dyn Policy + 'p>>) -> Stack<'p> {
        assert!(!policies.is_empty(), "somebody has to decide");
        Stack(policies)
    }
}

impl Policy for Stack<'_> {
    fn events(&self) -> Events {
        let events = self.0.iter().map(|policy| policy.events());
        events.fold(Events::default(), |all, one| Events {
            branches: all.branches || one.branches,
            returns: all.returns || one.returns,
            choices: all.choices || one.choices,
            models: all.models || one.models,
        })
    }

    fn guidance(&self, machine: &Machine<'_>, state: &State) -> Guidance {
        let answers = self.0.iter().map(|policy| policy.guidance(machine, state));
        answers.max().unwrap_or(Guidance::Explore)
    }

    fn followed(&self, machine: &mut Machine<'_>, state: &mut State, choice: &Choice<'_>) {
        self.0[0].followed(machine, state, choice);
    }

    fn decided(&self, machine: &Machine<'_>, state: &mut State, successor: u64) -> bool {
        let mut worth = true;
        for policy in &self.0 {
            worth &= policy.decided(machine, state, successor);
        }
        worth
    }

    fn excluded(&self, machine: &mut Machine<'_>, state: &State, condition: Term, successor: u64) {
        for policy in &self.0 {
            policy.excluded(machine, state, condition, successor);
        }
    }

    fn unmet(&self, machine: &mut Machine<'_>, state: &State, condition: Term) {
        for policy in &self.0 {
            policy.unmet(machine, state, condition);
        }
    }

    fn assumed(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        condition: Term,
        origin: Origin,
    ) {
        for policy in &self.0 {
            policy.assumed(machine, state, condition, origin);
        }
    }

    fn choosing(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        kind: ChoiceKind,
        successors: (Term, &[(u64, Term)]),
    ) {
        for policy in &self.0 {
            policy.choosing(machine, state, kind, successors);
        }
    }

    fn example(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        condition: Term,
    ) -> Option<Rc<Assignment>> {
        let mut policies = self.0.iter();
        policies.find_map(|policy| policy.example(machine, state, condition))
    }

    fn dissenters(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        term: Term,
    ) -> Option<State> {
        let mut policies = self.0.iter();
        policies.find_map(|policy| policy.dissenters(machine, state, term))
    }

    fn input(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        name: &str,
        size: usize,
    ) -> Result<Given, Halt> {
        for policy in &self.0 {
            let given = policy.input(machine, state, name, size)?;
            if given != Given::Open {
                return Ok(given);
            }
        }
        Ok(Given::Open)
    }

    fn stream(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        stream: StreamId,
        from: usize,
        count: usize,
    ) -> Option<Vec<Term>> {
        let mut policies = self.0.iter();
        policies.find_map(|policy| policy.stream(machine, state, stream, from, count))
    }

    fn more(&self, state: &State, stream: StreamId) -> More {
        let mut answers = self.0.iter().map(|policy| policy.more(state, stream));
        let decided = answers.find(|&answer| answer != More::Both);
        decided.unwrap_or(More::Both)
    }

    fn stream_decided(&self, state: &mut State, stream: StreamId, ended: bool) {
        for policy in &self.0 {
            policy.stream_decided(state, stream, ended);
        }
    }

    fn is_replay(&self) -> bool {
        self.0.iter().any(|policy| policy.is_replay())
    }

    fn at_branch(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        body: &Body,
        condition: Reg,
        edges: (EdgeId, EdgeId),
    ) {
        for policy in &self.0 {
            policy.at_branch(machine, state, body, condition, edges);
        }
    }

    fn at_switch(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        value: (Value, u16),
        default: EdgeId,
        cases: &[Case],
    ) {
        for policy in &self.0 {
            policy.at_switch(machine, state, value, default, cases);
        }
    }

    fn at_return(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        body: &Body,
        values: &[Reg],
        results: &mut [Value],
    ) -> Result<bool, Halt> {
        for policy in &self.0 {
            if policy.at_return(machine, state, body, values, results)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn outermost_started(&self, machine: &mut Machine<'_>, state: &mut State) -> Result<(), Halt> {
        let mut policies = self.0.iter();
        policies.try_for_each(|policy| policy.outermost_started(machine, state))
    }

    fn outermost_returned(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        results: &[Value],
    ) -> Result<(), Halt> {
        let mut policies = self.0.iter();
        policies.try_for_each(|policy| policy.outermost_returned(machine, state, results))
    }

    fn loaded(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        term: Term,
    ) -> Result<Option<Value>, Halt> {
        for policy in &self.0 {
            if let Some(value) = policy.loaded(machine, state, term)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn opaque(&self, machine: &Machine<'_>, state: &State, address: Term) -> Option<String> {
        let mut policies = self.0.iter();
        policies.find_map(|policy| policy.opaque(machine, state, address))
    }

    fn owned(&self, machine: &mut Machine<'_>, state: &State) -> FxHashSet<u64> {
        let policies = self.0.iter();
        policies
            .flat_map(|policy| policy.owned(machine, state))
            .collect()
    }

    fn tells_offsets_apart(&self, state: &State, base: u64) -> bool {
        let mut policies = self.0.iter();
        policies.any(|policy| policy.tells_offsets_apart(state, base))
    }

    fn provides(&self, function: &str) -> bool {
        self.0.iter().any(|policy| policy.provides(function))
    }

    fn call(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        call: &Invocation<'_>,
    ) -> Result<Returned, Halt> {
        let name = &machine.program.functions[call.function.index()].name;
        let provider = self.0.iter().find(|policy| policy.provides(name));
        let provider = provider.expect("the machine calls what somebody provides");
        provider.call(machine, state, call)
    }

    fn overdue(&self, machine: &Machine<'_>, state: &State) -> Option<End> {
        let mut policies = self.0.iter();
        policies.find_map(|policy| policy.overdue(machine, state))
    }
}
