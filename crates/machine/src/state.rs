//! One path through the program, stopped between two instructions.

use crate::applied::Applied;
use crate::decisions::Decisions;
use crate::kernel::Kernel;
use crate::marks::Marks;
use crate::memory::{Memory, ObjectId};
use crate::streams::{Seen, StreamId};
use crate::threads::Threads;
use crate::value::Value;
use base::List;
use mixed::oracle::CallLog;
use mixed::solver::PathCondition;
use program::{EdgeId, FunctionId, Kind, Reg, SignatureId};
use std::cell::Cell;
use std::rc::Rc;
use term::{Assignment, Store, Term};

/// A path so far. Cloning it copies a few pointers and the registers of the
/// innermost frame.
#[derive(Clone)]
pub struct State {
    /// The frame that runs.
    pub frame: Frame,
    /// Its callers, innermost first; shared with the states this one forked from.
    pub callers: Option<Rc<Caller>>,
    /// How deep the stack is.
    pub height: u32,
    /// Where `longjmp` may go.
    pub jumps: Rc<Vec<JumpTarget>>,
    /// Calls to make when the outermost one returns, last first.
    pub upcoming: Rc<Vec<Frame>>,
    /// How far the program is from its end.
    pub phase: Phase,
    /// Program memory.
    pub memory: Memory,
    /// What was assumed on the way here.
    pub path: PathCondition,
    /// An assignment that satisfies the path condition.
    pub model: Rc<Assignment>,
    /// The symbolic inputs, in the order in which they were made.
    pub inputs: Inputs,
    /// What was seen of standard input and symbolic files, by stream.
    pub streams: Rc<Vec<Seen>>,
    /// All of each stream by the name of its input, once the path has ended.
    pub whole: Rc<[(String, Vec<u8>)]>,
    /// The program's files, descriptors and whatever else the system keeps for it.
    pub(crate) kernel: Rc<Kernel>,
    /// What the program wrote to standard output and error.
    pub output: Output,
    /// What the path decided so far.
    pub decisions: Decisions,
    /// How far the path has come, for whoever chooses between paths.
    pub progress: Progress,
    /// The calls of native functions that may keep state.
    pub natives: CallLog,
    /// The calls whose results are terms.
    pub(crate) applied: List<Applied>,
    /// Whether the path is known to end in an error and only says which: it forks no more.
    pub ends_soon: bool,
    /// What policies keep with the path.
    pub marks: Marks,
    /// The threads, once something of theirs was used.
    pub(crate) threads: Option<Rc<Threads>>,
    /// Whether there has been another thread than the first.
    pub(crate) is_threaded: bool,
}

/// How far a path has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Symbolic branches so far.
    pub depth: u64,
    /// Instructions executed so far.
    pub instructions: u64,
    /// Instructions executed when new code was last reached.
    pub new_at: u64,
    /// The number of the last thing that this path was the first to cover.
    pub last_new: u64,
    /// Where it last forked off from another path.
    pub forked_at: Location,
}

/// Where a path forked off: along an edge, or at an instruction that is no branch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    /// The edge of a branch, by function.
    Edge(FunctionId, EdgeId),
    /// The instruction, by function.
    Instruction(FunctionId, u32),
}

impl Default for Location {
    /// The start of the program.
    fn default() -> Location {
        Location::Instruction(FunctionId(0), 0)
    }
}

/// How far a program is from its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// `main` has no arguments yet.
    Starting(FunctionId),
    /// It has not been asked to end.
    Running,
    /// Some of its functions are to be called on their own.
    Planned,
    /// Some of its functions are called on their own; the last return is the end.
    Called,
    /// The last of them has returned, with this result if it has one.
    Returned(Option<Value>),
    /// Its handlers for the exit with this status run.
    Exiting(Value),
    /// Its destructors run, after which it ends with this status.
    Destroying(Value),
}

/// A call in progress.
#[derive(Clone, Default)]
pub struct Frame {
    /// What runs.
    pub function: u32,
    /// The next instruction.
    pub pc: u32,
    /// The registers: constants, parameters, values.
    pub registers: Vec<Value>,
    /// Objects that end with the call.
    pub locals: Vec<ObjectId>,
    /// Arguments beyond the named ones, in memory once `va_start` asks.
    pub extra: Rc<Vec<Extra>>,
}

/// An argument beyond the named ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    /// A number or an address.
    Scalar(Kind, Value),
    /// An object passed by value: the callee's copy of it.
    Object {
        /// The copy.
        copy: ObjectId,
        /// Its bytes.
        size: u64,
        /// What its place is a multiple of.
        align: u64,
    },
}

/// A frame that waits for a call to return.
#[derive(Clone)]
pub struct Caller {
    /// The waiting frame; its `pc` is past the call.
    pub frame: Frame,
    /// Where the results go.
    pub dst: Reg,
    /// What the call takes the results for, where that is not what the function returns.
    pub taken_as: Option<SignatureId>,
    /// Its own callers.
    pub callers: Option<Rc<Caller>>,
    /// What the call is among those that are told what queries cost, once that is known.
    pub(crate) place: Cell<Option<u32>>,
}

impl Caller {
    /// A frame that waits for results to go there.
    pub fn new(
        frame: Frame,
        dst: Reg,
        taken_as: Option<SignatureId>,
        callers: Option<Rc<Caller>>,
    ) -> Caller {
        Caller {
            frame,
            dst,
            taken_as,
            callers,
            place: Cell::new(None),
        }
    }

    /// The call that it waits for.
    pub fn call(&self) -> (FunctionId, u32) {
        (
            FunctionId(self.frame.function),
            self.frame.pc.saturating_sub(1),
        )
    }
}

/// A place saved by `setjmp`.
#[derive(Clone)]
pub struct JumpTarget {
    /// The buffer that names it.
    pub buffer: u64,
    /// The frame as it was, its `pc` past the call.
    pub frame: Frame,
    /// Its callers.
    pub callers: Option<Rc<Caller>>,
    /// How deep the stack was.
    pub height: u32,
    /// Where `setjmp` puts its result.
    pub dst: Reg,
}

/// One symbolic input: a name and its bytes.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name it was given.
    pub name: Rc<str>,
    /// A byte each.
    pub bytes: Rc<[Term]>,
    /// What the bytes are, if the program said.
    pub kind: InputKind,
}

/// What the variables of an input are called, after so many inputs of the same name on
/// the path.
pub fn input_name(name: &str, earlier: usize) -> String {
    match earlier {
        0 => name.to_owned(),
        earlier => format!("{name}#{earlier}"),
    }
}

/// What the bytes of an input are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// Bytes.
    Bytes,
    /// One signed integer.
    Signed,
    /// One unsigned integer.
    Unsigned,
    /// One float or double.
    Float,
    /// None yet: the objects of this argument, as they are in the end.
    Objects(u32),
    /// Part of such an input, and not one by itself.
    Part,
}

/// The inputs of a path, shared with others up to where they parted.
#[derive(Clone, Default)]
pub struct Inputs(List<Counted>);

/// An input, and how many before it have its name. Loops ask for inputs of the same few names
/// again and again, so that the last one of a name is near.
struct Counted {
    input: Input,
    earlier: usize,
}

impl Inputs {
    /// Adds an input.
    pub fn push(&mut self, input: Input) {
        let earlier = self.count(&input.name);
        self.0.push(Counted { input, earlier });
    }

    /// How many there are.
    pub fn number(&self) -> usize {
        self.0.len()
    }

    /// All inputs, first to last.
    pub fn all(&self) -> Vec<&Input> {
        self.0.forwards().map(|it| &it.input).collect()
    }

    /// How many of them have this name.
    pub fn count(&self, name: &str) -> usize {
        let last = self.0.backwards().find(|it| &*it.input.name == name);
        last.map_or(0, |it| it.earlier + 1)
    }
}

/// What a program wrote, shared up to where states parted.
#[derive(Clone, Default)]
pub struct Output {
    parts: List<(i32, Written)>,
    has_terms: bool,
}

/// What one call wrote.
enum Written {
    Bytes(Vec<u8>),
    /// Bytes of which some are symbolic: which they are depends on the path's
    /// model, and that may change until the path ends.
    Terms {
        terms: Vec<Term>,
        /// What they are in the end; nothing before.
        settled: Vec<u8>,
    },
}

impl Output {
    /// Adds what is written to a descriptor, a term a byte.
    pub fn push(&mut self, store: &Store, descriptor: i32, terms: Vec<Term>) {
        let byte = |&term: &Term| store.as_word(term).map(|word| word as u8);
        let bytes: Option<Vec<u8>> = terms.iter().map(byte).collect();
        self.has_terms |= bytes.is_none();
        let written = match bytes {
            Some(bytes) => Written::Bytes(bytes),
            None => Written::Terms {
                terms,
                settled: Vec::new(),
            },
        };
        self.parts.push((descriptor, written));
    }

    /// Makes all of it bytes.
    pub fn settle(&mut self, mut byte: impl FnMut(Term) -> u8) {
        if !self.has_terms {
            return;
        }
        let mut settled = List::default();
        for (descriptor, written) in self.parts.forwards() {
            let written = match written {
                Written::Bytes(bytes) => Written::Bytes(bytes.clone()),
                Written::Terms { terms, .. } => Written::Terms {
                    settled: terms.iter().map(|&term| byte(term)).collect(),
                    terms: terms.clone(),
                },
            };
            settled.push((*descriptor, written));
        }
        *self = Output {
            parts: settled,
            has_terms: false,
        };
    }

    /// Everything written to a descriptor, on a path that has ended; before
    /// that, symbolic bytes are left out.
    pub fn written(&self, descriptor: i32) -> Vec<u8> {
        let parts = self.parts.forwards();
        let parts = parts.filter(|(to, _)| *to == descriptor);
        let bytes = parts.map(|(_, written)| match written {
            Written::Bytes(bytes) => &bytes[..],
            Written::Terms { settled, .. } => settled,
        });
        bytes.collect::<Vec<&[u8]>>().concat()
    }

    /// The same as terms, for whatever inputs take the path.
    pub fn terms(&self, store: &mut Store, descriptor: i32) -> Vec<Term> {
        let mut all = Vec::new();
        for (_, written) in self.parts.forwards().filter(|(to, _)| *to == descriptor) {
            match written {
                Written::Bytes(bytes) => {
                    all.extend(bytes.iter().map(|&byte| store.bv(8, byte.into())));
                }
                Written::Terms { terms, .. } => all.extend(terms),
            }
        }
        all
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        let mut next = self.callers.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut link) => next = link.callers.take(),
                Err(_) => break,
            }
        }
    }
}

impl State {
    /// A path on which nothing runs yet, with so many streams.
    pub(crate) fn new(memory: Memory, kernel: Rc<Kernel>, streams: usize) -> State {
        State {
            frame: Frame::default(),
            callers: None,
            height: 1,
            jumps: Rc::default(),
            upcoming: Rc::default(),
            phase: Phase::Running,
            memory,
            path: PathCondition::new(),
            model: Rc::new(Assignment::new()),
            inputs: Inputs::default(),
            streams: Rc::new(vec![Seen::default(); streams]),
            whole: Rc::default(),
            kernel,
            output: Output::default(),
            decisions: Decisions::default(),
            progress: Progress::default(),
            natives: CallLog::default(),
            applied: List::default(),
            ends_soon: false,
            marks: Marks::default(),
            threads: None,
            is_threaded: false,
        }
    }

    /// What was seen of a stream.
    pub fn seen(&self, stream: StreamId) -> &Seen {
        &self.streams[stream.0]
    }

    pub(crate) fn seen_mut(&mut self, stream: StreamId) -> &mut Seen {
        &mut Rc::make_mut(&mut self.streams)[stream.0]
    }

    /// The function that runs.
    pub fn function(&self) -> FunctionId {
        FunctionId(self.frame.function)
    }

    /// A register of the running frame.
    #[inline]
    pub fn get(&self, reg: Reg) -> Value {
        self.frame.registers[reg.index()]
    }

    /// Sets a register of the running frame.
    #[inline]
    pub fn set(&mut self, reg: Reg, value: Value) {
        self.frame.registers[reg.index()] = value;
    }

    /// The functions and instructions of the stack, innermost first. A
    /// caller's position is that of its call.
    pub fn stack(&self) -> Vec<(FunctionId, u32)> {
        let inner = (self.function(), self.frame.pc);
        let callers = std::iter::successors(self.callers.as_deref(), |c| c.callers.as_deref());
        std::iter::once(inner)
            .chain(callers.map(Caller::call))
            .collect()
    }

    /// The frames of the stack, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        let callers = std::iter::successors(self.callers.as_deref(), |c| c.callers.as_deref());
        std::iter::once(&self.frame).chain(callers.map(|caller| &caller.frame))
    }
}
