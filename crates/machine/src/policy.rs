//! Where paths go is somebody else's decision: the hooks of a policy.
//!
//! The machine takes a state one turn on and says what came of it. Wherever there is
//! a choice (a condition that can go both ways, a pointer that leads nowhere yet, an
//! input whose bytes could be anything) it asks its [`Policy`], and wherever something
//! happens that steers a search, it tells. Every hook has a default, and the defaults
//! together are the plain policy: follow every path.
//!
//! Hooks take `&self` and the machine by `&mut`: a hook may make terms, ask the solver
//! and call back into the machine, which may call another hook. A policy therefore
//! keeps what changes in cells, and borrows none of them across such a call. What
//! belongs to one path goes into the state's [`Marks`](crate::Marks).

use crate::machine::{Invocation, Machine, Returned};
use crate::outcome::{End, Halt, unsupported};
use crate::state::State;
use crate::streams::StreamId;
use crate::value::Value;
use program::{Body, Case, EdgeId, Reg};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::{Assignment, Term};

/// Whether a path forks; the later ones bind it more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guidance {
    /// It forks where a condition can go both ways.
    Explore,
    /// It goes as its model has it, and no query is made.
    Follow,
    /// The same, and where an assumption does not hold the path gets other inputs
    /// for which it does, if there are any: it is to come to its end.
    Finish,
}

/// A condition that a path met, on which it follows its model.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// What was chosen from.
    pub kind: ChoiceKind,
    /// What distinguishes each successor, and what holds there. Of a condition and of
    /// a value only the one taken is known.
    pub successors: &'a [(u64, Term)],
    /// Which of them the model takes.
    pub taken: usize,
}

impl Choice<'_> {
    /// What holds on the successor that the model takes.
    pub fn condition(&self) -> Term {
        self.successors[self.taken].1
    }
}

/// What a path chose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceKind {
    /// A condition and its negation.
    Condition,
    /// The edges of a switch.
    Switch,
    /// The values of a term that must become a number.
    Value,
}

/// The bytes of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// Any: symbolic, and zero in the model.
    Open,
    /// Symbolic, and these where the path's model has nothing for them yet.
    Concolic(Vec<u8>),
    /// These and no others.
    Concrete(Vec<u8>),
}

/// Why a condition was added to a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The code that runs branched on it.
    Code,
    /// The program's inputs have to satisfy it, whatever code runs.
    Input,
}

/// Whether there is another byte of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum More {
    /// There is on one path, and there is not on another.
    Both,
    /// Whichever is feasible, on one path.
    Either,
    /// There is.
    Yes,
    /// There is not.
    No,
}

/// Events that are too frequent to tell a policy that does not listen.
#[derive(Clone, Copy, Default, Debug)]
pub struct Events {
    /// Every branch and switch, also those on concrete values.
    pub branches: bool,
    /// Every return.
    pub returns: bool,
    /// Every choice between sides that are both open, before it is made.
    pub choices: bool,
    /// Every look at what a path's model says.
    pub models: bool,
}

/// What decides where paths go, and hears how they went.
pub trait Policy {
    /// Which frequent events the policy hears of. Asked once.
    fn events(&self) -> Events {
        Events::default()
    }

    /// Whether the path forks here.
    fn guidance(&self, _machine: &Machine<'_>, _state: &State) -> Guidance {
        Guidance::Explore
    }

    /// The path follows its model and met a choice; by default the path condition
    /// says so from here on.
    fn followed(&self, machine: &mut Machine<'_>, state: &mut State, choice: &Choice<'_>) {
        machine.assume(state, choice.condition());
    }

    /// The path decided something here: took the successor of this number. Whether
    /// it is worth going on.
    fn decided(&self, _machine: &Machine<'_>, _state: &mut State, _successor: u64) -> bool {
        true
    }

    /// The path cannot go to the successor of this number, because this condition
    /// contradicts it.
    fn excluded(
        &self,
        _machine: &mut Machine<'_>,
        _state: &State,
        _condition: Term,
        _successor: u64,
    ) {
    }

    /// The path ends because the program assumes this condition, which contradicts it.
    fn unmet(&self, _machine: &mut Machine<'_>, _state: &State, _condition: Term) {}

    /// A condition was added to the path.
    fn assumed(
        &self,
        _machine: &mut Machine<'_>,
        _state: &mut State,
        _condition: Term,
        _origin: Origin,
    ) {
    }

    /// The path is about to choose from these successors, each with its number and what
    /// holds there, in their order ([`Events::choices`]). Where it chooses a value, that is
    /// the term, and the one successor known is the value that comes first.
    fn choosing(
        &self,
        _machine: &mut Machine<'_>,
        _state: &mut State,
        _kind: ChoiceKind,
        _successors: (Term, &[(u64, Term)]),
    ) {
    }

    /// An input at hand that takes the path and satisfies the condition, which saves a
    /// query.
    fn example(
        &self,
        _machine: &mut Machine<'_>,
        _state: &State,
        _condition: Term,
    ) -> Option<Rc<Assignment>> {
        None
    }

    /// A state of those inputs that take the path and have another value for a term than its
    /// model, if the path follows several at once; they leave the path with it
    /// ([`Events::models`]). The state comes to the instruction at hand again.
    fn dissenters(
        &self,
        _machine: &mut Machine<'_>,
        _state: &mut State,
        _term: Term,
    ) -> Option<State> {
        None
    }

    /// What the next input of this name and size is.
    ///
    /// # Errors
    ///
    /// When there is no such input; the path ends.
    fn input(
        &self,
        _machine: &mut Machine<'_>,
        _state: &State,
        _name: &str,
        _size: usize,
    ) -> Result<Given, Halt> {
        Ok(Given::Open)
    }

    /// Up to `count` bytes of a stream from an offset, fewer at its end, if the policy
    /// provides it.
    fn stream(
        &self,
        _machine: &mut Machine<'_>,
        _state: &mut State,
        _stream: StreamId,
        _from: usize,
        _count: usize,
    ) -> Option<Vec<Term>> {
        None
    }

    /// Whether a stream goes on after the bytes that the path has seen.
    fn more(&self, _state: &State, _stream: StreamId) -> More {
        More::Both
    }

    /// The path decided whether a stream goes on.
    fn stream_decided(&self, _state: &mut State, _stream: StreamId, _ended: bool) {}

    /// Whether inputs are recorded ones, for programs that ask.
    fn is_replay(&self) -> bool {
        false
    }

    /// The path is about to branch ([`Events::branches`]).
    fn at_branch(
        &self,
        _machine: &mut Machine<'_>,
        _state: &State,
        _body: &Body,
        _condition: Reg,
        _edges: (EdgeId, EdgeId),
    ) {
    }

    /// The path is about to switch on a value ([`Events::branches`]).
    fn at_switch(
        &self,
        _machine: &mut Machine<'_>,
        _state: &State,
        _value: (Value, u16),
        _default: EdgeId,
        _cases: &[Case],
    ) {
    }

    /// The running function is about to return ([`Events::returns`]). Whether the
    /// policy has moved the path elsewhere instead.
    ///
    /// # Errors
    ///
    /// When the path ends here.
    fn at_return(
        &self,
        _machine: &mut Machine<'_>,
        _state: &mut State,
        _body: &Body,
        _values: &[Reg],
        _results: &mut [Value],
    ) -> Result<bool, Halt> {
        Ok(false)
    }

    /// One of the outermost calls was started.
    ///
    /// # Errors
    ///
    /// When the path ends here.
    fn outermost_started(
        &self,
        _machine: &mut Machine<'_>,
        _state: &mut State,
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// One of the outermost calls returned.
    ///
    /// # Errors
    ///
    /// When the path ends here.
    fn outermost_returned(
        &self,
        _machine: &mut Machine<'_>,
        _state: &mut State,
        _results: &[Value],
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// The value of a term that was loaded from memory, if the path has to decide it:
    /// an open pointer becomes one that leads somewhere.
    ///
    /// # Errors
    ///
    /// When the path ends here.
    fn loaded(
        &self,
        _machine: &mut Machine<'_>,
        _state: &mut State,
        _term: Term,
    ) -> Result<Option<Value>, Halt> {
        Ok(None)
    }

    /// What an address stands for that is only compared and passed on, if it is one of
    /// these: there is no telling what an access would find.
    fn opaque(&self, _machine: &Machine<'_>, _state: &State, _address: Term) -> Option<String> {
        None
    }

    /// Where the heap objects begin that somebody still owns when the path has ended.
    fn owned(&self, _machine: &mut Machine<'_>, _state: &State) -> FxHashSet<u64> {
        FxHashSet::default()
    }

    /// Whether accesses to the object that begins at this address are told apart by
    /// their offset. What is decided when it is loaded has to be loaded by itself.
    fn tells_offsets_apart(&self, _state: &State, _base: u64) -> bool {
        false
    }

    /// Whether the policy provides the function of this name.
    fn provides(&self, _function: &str) -> bool {
        false
    }

    /// A call of a function that the policy provides.
    ///
    /// # Errors
    ///
    /// When the path ends here.
    fn call(
        &self,
        machine: &mut Machine<'_>,
        _state: &mut State,
        call: &Invocation<'_>,
    ) -> Result<Returned, Halt> {
        let name = &machine.program.functions[call.function.index()].name;
        unsupported(format!("a call of `{name}`"))
    }

    /// The end of a path that had its turn and would go on, if it has to end.
    fn overdue(&self, _machine: &Machine<'_>, _state: &State) -> Option<End> {
        None
    }
}

/// Follows every path.
pub struct AllPaths;

impl Policy for AllPaths {}
