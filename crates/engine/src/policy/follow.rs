//! Follow these inputs: the path they take, without a fork and without a query.
//!
//! A test input is a compressed symbolic state. Running the program on it again, each
//! branch going as the input has it, brings everything back: path condition, memory,
//! output. This one policy therefore serves
//!
//! - replay, where recorded bytes stand in for symbolic ones ([`Follow::recorded`]);
//! - tracing, where recorded bytes are symbolic too, so that the path's conditions are
//!   there to be shown ([`Follow::trace`]);
//! - concolic runs, whose bytes are symbolic and have values at the same time, drawn or
//!   solved for ([`Follow::concolic`]), or fed as standard input ([`Follow::fed`]);
//! - paths that follow for a while: through an invariant along one of its solutions,
//!   up to a branch that is to be revisited, or to their end because nothing new is
//!   left to find on the way ([`begin`], [`cease`]).

use super::trail::{self, Switches};
use base::{Random, Schedule};
use machine::{
    Choice, ErrorKind, Given, Guidance, Halt, Machine, More, Policy, State, StreamId, error,
    unsupported,
};
use std::cell::RefCell;
use std::rc::Rc;
use term::{BitVec, Sort, Store, Term, Variable};

/// Recorded inputs by name, in the order in which a path asks for them.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    inputs: Rc<[(String, Vec<u8>)]>,
    /// Standard input and files, by the names of their inputs.
    streams: Rc<[(String, Vec<u8>)]>,
    /// The turns of its threads, if there were several.
    schedule: Option<Rc<Schedule>>,
}

impl Recording {
    /// The same with these streams, standard input and files, by the names of their
    /// inputs; others are empty.
    pub fn with_streams(self, streams: impl IntoIterator<Item = (String, Vec<u8>)>) -> Recording {
        Recording {
            streams: streams.into_iter().collect(),
            ..self
        }
    }

    /// The same with threads that take turns in this order.
    pub fn with_schedule(self, schedule: &Schedule) -> Recording {
        let schedule = (!schedule.is_empty()).then(|| Rc::new(schedule.clone()));
        Recording { schedule, ..self }
    }

    fn stream(&self, name: &str) -> &[u8] {
        let found = self.streams.iter().find(|(stream, _)| stream == name);
        found.map_or(&[], |(_, bytes)| bytes)
    }
}

impl FromIterator<(String, Vec<u8>)> for Recording {
    fn from_iter<I: IntoIterator<Item = (String, Vec<u8>)>>(inputs: I) -> Recording {
        Recording {
            inputs: inputs.into_iter().collect(),
            ..Recording::default()
        }
    }
}

/// Where the inputs of paths come from, and what they follow.
pub struct Follow(RefCell<Source>);

#[derive(Clone)]
enum Source {
    /// The machine makes them; a path follows only while it is marked.
    Machine,
    Recorded(Recording),
    /// The same bytes, symbolic at the same time.
    Traced(Recording),
    /// The path's model; what it lacks is drawn, or zero.
    Model(Option<Random>),
    /// Standard input alone, of which the first bytes are symbolic.
    Fed {
        input: Rc<[u8]>,
        symbolic: usize,
    },
}

impl Follow {
    /// Inputs are any bytes, and paths follow their model while they are marked.
    pub fn marked() -> Follow {
        Follow(RefCell::new(Source::Machine))
    }

    /// Every path follows these inputs.
    pub fn recorded(recording: Recording) -> Follow {
        Follow(RefCell::new(Source::Recorded(recording)))
    }

    /// Every path follows the inputs that its model has; what it lacks is zero.
    pub fn concolic() -> Follow {
        Follow(RefCell::new(Source::Model(None)))
    }

    /// Every path follows this standard input, whose first bytes, and where among them
    /// it ends, are symbolic at the same time.
    pub fn fed(input: &[u8], symbolic: usize) -> Follow {
        let input = input.into();
        Follow(RefCell::new(Source::Fed { input, symbolic }))
    }

    /// Follows other recorded inputs from here on.
    pub fn record(&self, recording: Recording) {
        self.0.replace(Source::Recorded(recording));
    }

    /// Follows these inputs from here on, and writes down the conditions over them.
    pub fn trace(&self, recording: Recording) {
        self.0.replace(Source::Traced(recording));
    }

    /// Feeds another standard input from here on.
    pub fn feed(&self, input: &[u8], symbolic: usize) {
        let input = input.into();
        self.0.replace(Source::Fed { input, symbolic });
    }

    /// Draws what models lack from here on.
    pub fn draw(&self, random: Random) {
        self.0.replace(Source::Model(Some(random)));
    }

    /// Whether inputs are symbolic and have values at the same time.
    pub(super) fn is_concolic(&self) -> bool {
        matches!(*self.0.borrow(), Source::Model(_) | Source::Fed { .. })
    }

    /// Values for bytes that a model lacks.
    pub(crate) fn drawn(&self, count: usize) -> Vec<u8> {
        match &mut *self.0.borrow_mut() {
            Source::Model(random) => drawn(random, count),
            Source::Machine | Source::Recorded(_) | Source::Traced(_) | Source::Fed { .. } => {
                vec![0; count]
            }
        }
    }

    /// The recorded bytes of the next input, if inputs are recorded and this is its
    /// name.
    ///
    /// # Errors
    ///
    /// When another input is recorded there.
    pub fn recorded_objects(&self, state: &State, name: &str) -> Result<Option<Vec<u8>>, Halt> {
        let source = self.0.borrow();
        let (Source::Recorded(recording) | Source::Traced(recording)) = &*source else {
            return Ok(None);
        };
        let number = state.inputs.number();
        match recording.inputs.get(number) {
            Some((recorded, bytes)) if recorded == name => Ok(Some(bytes.clone())),
            Some((recorded, _)) => error(
                ErrorKind::OtherInputs,
                format!(
                    "input {} is `{recorded}`, and the program asks for objects of `{name}`",
                    number + 1
                ),
            ),
            None => error(
                ErrorKind::OtherInputs,
                format!(
                    "the program asks for objects of `{name}`, and {number} inputs are recorded"
                ),
            ),
        }
    }
}

impl Recording {
    fn next(&self, number: usize, name: &str, size: usize) -> Result<Vec<u8>, Halt> {
        let Some((recorded, bytes)) = self.inputs.get(number) else {
            let message = format!(
                "the program asks for input {}, `{name}` of {size} bytes, and {number} are recorded",
                number + 1
            );
            return error(ErrorKind::OtherInputs, message);
        };
        if recorded != name || bytes.len() != size {
            let message = format!(
                "input {} is `{recorded}` of {} bytes, and the program asks for `{name}` of {size}",
                number + 1,
                bytes.len()
            );
            return error(ErrorKind::OtherInputs, message);
        }
        Ok(bytes.clone())
    }
}

fn drawn(random: &mut Option<Random>, count: usize) -> Vec<u8> {
    let mut byte = || random.as_mut().map_or(0, |random| random.bits() as u8);
    (0..count).map(|_| byte()).collect()
}

impl Policy for Follow {
    fn guidance(&self, _: &Machine<'_>, state: &State) -> Guidance {
        match &*self.0.borrow() {
            Source::Machine => marked_guidance(state),
            Source::Recorded(_) | Source::Traced(_) | Source::Model(_) | Source::Fed { .. } => {
                Guidance::Follow
            }
        }
    }

    fn followed(&self, machine: &mut Machine<'_>, state: &mut State, choice: &Choice<'_>) {
        let switches = match &*self.0.borrow() {
            Source::Machine | Source::Recorded(_) => None,
            Source::Traced(_) | Source::Model(_) => Some(Switches::Taken),
            Source::Fed { .. } => Some(Switches::NotTaken),
        };
        match switches {
            None => machine.assume(state, choice.condition()),
            Some(switches) => trail::record(machine, state, choice, switches),
        }
    }

    fn input(
        &self,
        _: &mut Machine<'_>,
        state: &State,
        name: &str,
        size: usize,
    ) -> Result<Given, Halt> {
        match &mut *self.0.borrow_mut() {
            Source::Machine => Ok(Given::Open),
            Source::Recorded(recording) => {
                let bytes = recording.next(state.inputs.number(), name, size)?;
                Ok(Given::Concrete(bytes))
            }
            Source::Traced(recording) => {
                let bytes = recording.next(state.inputs.number(), name, size)?;
                Ok(Given::Concolic(bytes))
            }
            Source::Model(random) => Ok(Given::Concolic(drawn(random, size))),
            Source::Fed { .. } => unsupported(format!(
                "the input `{name}` in a program that is given its standard input"
            )),
        }
    }

    fn stream(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        stream: StreamId,
        from: usize,
        count: usize,
    ) -> Option<Vec<Term>> {
        let source = self.0.borrow().clone();
        match source {
            Source::Machine | Source::Model(_) => None,
            Source::Recorded(recording) => {
                let whole = recording.stream(machine.stream_name(stream));
                let rest = whole.get(from..).unwrap_or_default();
                let bytes = rest.iter().take(count);
                Some(
                    bytes
                        .map(|&byte| machine.store.bv(8, byte.into()))
                        .collect(),
                )
            }
            Source::Traced(recording) => {
                let name = machine.stream_name(stream).to_owned();
                let rest = recording.stream(&name).get(from..).unwrap_or_default();
                let bytes = rest.iter().take(count).enumerate();
                let traced = |(at, &byte): (usize, &u8)| {
                    let name = format!("{name}[{}]", from + at);
                    let (variable, term) = named(&mut machine.store, &name, Sort::Bv(8));
                    let value = term::Value::Bv(BitVec::from_u64(8, byte.into()));
                    Rc::make_mut(&mut state.model).set(variable, value);
                    term
                };
                Some(bytes.map(traced).collect())
            }
            Source::Fed { .. } if stream != StreamId::STDIN => None,
            Source::Fed { input, symbolic } => {
                let positions = (from..).take(count);
                let bytes =
                    positions.map_while(|at| fed_byte(machine, state, &input, at, symbolic));
                Some(bytes.collect())
            }
        }
    }

    fn more(&self, state: &State, _: StreamId) -> More {
        match is_marked(state, Reason::End) {
            true => More::Either,
            false => More::Both,
        }
    }

    fn schedule(&self) -> Option<Rc<Schedule>> {
        match &*self.0.borrow() {
            Source::Recorded(recording) | Source::Traced(recording) => recording.schedule.clone(),
            Source::Machine | Source::Model(_) | Source::Fed { .. } => None,
        }
    }

    fn is_replay(&self) -> bool {
        matches!(*self.0.borrow(), Source::Recorded(_) | Source::Traced(_))
    }
}

/// A byte of the standard input that is fed, if it has not ended: a condition of its
/// own where that is symbolic.
fn fed_byte(
    machine: &mut Machine<'_>,
    state: &mut State,
    input: &[u8],
    at: usize,
    symbolic: usize,
) -> Option<Term> {
    let byte = input.get(at).copied();
    if at >= symbolic {
        return byte.map(|byte| machine.store.bv(8, byte.into()));
    }
    let (variable, ended) = end_variable(&mut machine.store, at);
    let value = term::Value::Bool(byte.is_none());
    Rc::make_mut(&mut state.model).set(variable, value);
    machine.follow(state, ended);
    let (variable, term) = byte_variable(&mut machine.store, at);
    let value = term::Value::Bv(BitVec::from_u64(8, byte?.into()));
    Rc::make_mut(&mut state.model).set(variable, value);
    Some(term)
}

/// The variable of a byte of standard input that is fed.
pub fn byte_variable(store: &mut Store, at: usize) -> (Variable, Term) {
    named(store, &format!("stdin[{at}]"), Sort::Bv(8))
}

/// The variable that says whether standard input has ended before this byte.
pub fn end_variable(store: &mut Store, at: usize) -> (Variable, Term) {
    named(store, &format!("stdin ends at {at}"), Sort::Bool)
}

pub(super) fn named(store: &mut Store, name: &str, sort: Sort) -> (Variable, Term) {
    let term = store.var(name, sort);
    let variable = store.as_variable(term).expect("it was made as one");
    (variable, term)
}

/// Why a path follows its model for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It is to come to its end.
    End,
    /// It goes again where another path went.
    Again,
    /// It has a solution of an invariant, along which the invariant holds.
    Solution,
}

/// The mark of a path that follows its model.
#[derive(Clone, Default)]
struct Following(Vec<Reason>);

/// Lets the path follow its model from here on.
pub fn begin(state: &mut State, reason: Reason) {
    let following = state.marks.get_mut::<Following>();
    if !following.0.contains(&reason) {
        following.0.push(reason);
    }
}

/// Lets the path go on freely, as far as this reason goes.
pub fn cease(state: &mut State, reason: Reason) {
    if is_marked(state, reason) {
        let following = state.marks.get_mut::<Following>();
        following.0.retain(|&other| other != reason);
    }
}

/// Whether the path follows its model for this reason.
pub fn is_marked(state: &State, reason: Reason) -> bool {
    let following = state.marks.get::<Following>();
    following.is_some_and(|following| following.0.contains(&reason))
}

fn marked_guidance(state: &State) -> Guidance {
    match state.marks.get::<Following>() {
        Some(following) if following.0.contains(&Reason::End) => Guidance::Finish,
        Some(following) if !following.0.is_empty() => Guidance::Follow,
        Some(_) | None => Guidance::Explore,
    }
}
