//! The machine: a program made ready to run, and everything its states share.

use crate::costs::Costs;
use crate::coverage::Coverage;
use crate::environment::Environment;
use crate::error::{SourceLine, StartError};
use crate::externals::{CallsMade, ExternalOptions, Externals};
use crate::image::Image;
use crate::incomplete::{Incomplete, Omissions};
use crate::input_types::InputTypes;
use crate::kernel::Kernel;
use crate::memory::Region;
use crate::outcome::{End, ErrorKind, Halt};
use crate::policy::{Events, Policy};
use crate::state::{Frame, State};
use crate::streams::Stream;
use crate::value::{Indeterminate, Value};
use base::{Stop, caught};
use mixed::Mixed;
use program::{
    Address, Base, BlockId, Body, EdgeId, FunctionId, GlobalId, Program, Reg, SignatureId,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Store, Term, Variable};

/// What the machine looks for and how far it goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// Reports memory that was never freed.
    pub leaks: bool,
    /// Reports behaviour that depends on memory nothing was written to.
    pub uninitialised: bool,
    /// Whether a compiler may have optimised the program: such code shifts by the width
    /// of a number or more where it does not use the result, and only using it is wrong.
    pub optimised: bool,
    /// Which functions are external, beside those without a body.
    pub external: ExternalOptions,
    /// What the program finds around it: arguments, files.
    pub environment: Environment,
    /// Nested calls of the program's own functions; a path that goes deeper ends.
    pub call_depth: Option<u64>,
    /// Frames the stack may have.
    pub stack: u32,
    /// How often on a path a thread that could go on is made to wait.
    pub preemptions: u32,
    /// Whether threads access memory in one order that all of them see, so that there are
    /// no races, and another thread may take over at every access.
    pub ignore_races: bool,
    /// The greatest symbolic allocation, in bytes.
    pub largest_symbolic_size: u64,
    /// Instructions a state runs before others get a turn.
    pub quantum: u64,
    /// Queries that take a backend which a state makes before others get a turn.
    pub queries: u64,
    /// Ends the turn of a state that runs.
    pub stop: Stop,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            leaks: false,
            uninitialised: false,
            optimised: false,
            external: ExternalOptions::default(),
            environment: Environment::default(),
            call_depth: None,
            stack: 10_000,
            preemptions: 2,
            ignore_races: false,
            largest_symbolic_size: 1 << 16,
            quantum: 50_000,
            queries: 8,
            stop: Stop::never(),
        }
    }
}

/// A program and what its states share.
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program,
    /// What is looked for.
    pub options: Options,
    /// The terms of all states.
    pub store: Store,
    /// Decides what is feasible.
    pub mixed: Mixed<'p>,
    /// What has been reached.
    pub coverage: Coverage,
    /// Forks so far.
    pub forks: u64,
    /// Where the solver's time went.
    pub costs: Costs,
    /// The variables of inputs, by the names of these: many paths ask for the same ones.
    pub(crate) input_bytes: FxHashMap<String, Vec<Term>>,
    /// What inputs are in the source.
    pub input_types: InputTypes,
    /// What decides where paths go.
    pub(crate) policy: Rc<dyn Policy + 'p>,
    pub(crate) events: Events,
    pub(crate) image: Image,
    pub(crate) externals: Externals,
    pub(crate) calls_made: CallsMade,
    /// The variables that stand for memory nothing was written to.
    pub(crate) indeterminate: FxHashMap<Variable, Indeterminate>,
    /// Standard input and the symbolic files.
    pub(crate) streams: Vec<Stream<'p>>,
    /// What the system keeps for a program that starts.
    pub(crate) kernel: Rc<Kernel>,
    /// What was left out.
    pub(crate) omissions: Omissions,
    /// What a path that is retraced waited for where it forked off.
    pub(crate) retraced_deferral: Option<Deferred>,
    /// What the turn has brought so far.
    pub(crate) successors: Successors,
    /// Queries that took a backend before the turn began.
    pub(crate) asked_before: u64,
}

/// A function of the machine's own.
pub(crate) type Shim = fn(&mut Machine<'_>, &mut State, &Invocation<'_>) -> Result<Returned, Halt>;

/// What runs when a function without a body is called.
#[derive(Clone, Copy)]
pub(crate) enum Callee {
    Shim(Shim),
    /// The policy provides it.
    Policy,
}

/// A call of a function that is not the program's.
pub struct Invocation<'a> {
    /// The function called.
    pub function: FunctionId,
    /// The shape of the call.
    pub signature: SignatureId,
    /// The arguments.
    pub args: &'a [Value],
    /// Where the result goes.
    pub dst: Reg,
}

impl Invocation<'_> {
    /// An argument; zero where the call has too few.
    pub fn arg(&self, index: usize) -> Value {
        self.args.get(index).copied().unwrap_or(Value::ZERO)
    }
}

/// What a function that is not the program's gives back.
pub enum Returned {
    /// No result.
    Nothing,
    /// One result.
    Value(Value),
    /// The path runs elsewhere now.
    Elsewhere,
}

/// What came of a state's turn.
pub struct Turn {
    /// The state itself.
    pub state: State,
    /// How it ended, if it did.
    pub end: Option<End>,
    /// The states that split off from it.
    pub successors: Successors,
}

/// The states that split off from one that had its turn.
#[derive(Default)]
pub struct Successors {
    /// Those that go on.
    pub running: Vec<State>,
    /// Those that go on if there is an input that takes them there.
    pub deferred: Vec<(State, Deferred)>,
    /// Those that ended at once.
    pub ended: Vec<(State, End)>,
    /// Instructions that they executed after they split off.
    pub instructions: u64,
    /// Things to tell the user.
    pub notes: Vec<String>,
}

/// Where a state may go, if there is an input that takes it there. Looking for one was
/// too expensive to be done on the way.
#[derive(Clone, Copy, Debug)]
pub struct Deferred {
    /// What has to hold.
    pub condition: Term,
    /// The edge it leads along, in the state's function.
    pub edge: Option<EdgeId>,
}

impl<'p> Machine<'p> {
    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<FunctionId> {
        self.image.function_at(address)
    }

    /// The addresses of all functions, ascending.
    pub(crate) fn function_addresses(&self) -> impl Iterator<Item = u64> {
        self.image.function_addresses()
    }

    /// The address that `&&label` gives for a block of a function.
    pub(crate) fn label(&self, function: FunctionId, block: BlockId) -> u64 {
        let base = Base::Block(function, block);
        self.image.address(Address { base, offset: 0 })
    }

    pub(crate) fn callee_of(&self, function: FunctionId) -> Option<Callee> {
        self.image.callee(function)
    }

    /// What the function does, if the program defines it.
    pub fn body(&self, function: FunctionId) -> Option<&'p Body> {
        self.program.functions[function.index()].body.as_ref()
    }

    /// A frame for a call of the function, its parameters still zero.
    pub fn frame(&self, function: FunctionId) -> Frame {
        Frame {
            function: function.0,
            pc: 0,
            registers: self.image.registers(function),
            locals: Vec::new(),
            extra: Rc::default(),
        }
    }

    /// A frame for a call with these arguments.
    ///
    /// # Errors
    ///
    /// When the function has no body, or another number of parameters.
    pub fn frame_with(&self, function: FunctionId, given: &[Value]) -> Result<Frame, StartError> {
        let name = &self.program.functions[function.index()].name;
        let Some(body) = self.body(function) else {
            return Err(StartError::NoBody(name.clone()));
        };
        if body.parameters as usize != given.len() {
            return Err(StartError::Arguments {
                function: name.clone(),
                takes: body.parameters as usize,
                given: given.len(),
            });
        }
        let mut frame = self.frame(function);
        for (i, &value) in given.iter().enumerate() {
            frame.registers[body.parameter(i).index()] = value;
        }
        Ok(frame)
    }

    /// Where a function is.
    pub fn function_address(&self, function: FunctionId) -> u64 {
        self.image.address(Address {
            base: Base::Function(function),
            offset: 0,
        })
    }

    /// Where a global variable is.
    pub fn global_address(&self, global: GlobalId) -> u64 {
        self.image.address(Address {
            base: Base::Global(global),
            offset: 0,
        })
    }

    /// Lets a state run on that split off from the one that has its turn.
    pub fn fork(&mut self, state: State) {
        self.successors.running.push(state);
    }

    /// Drops the states that split off and were not taken yet: they are explored elsewhere.
    pub fn forget_forks(&mut self) {
        self.successors.running.clear();
    }

    /// Lets a state wait that split off from the one that has its turn.
    pub(crate) fn defer(&mut self, state: &mut State, other: State, deferred: Deferred) {
        let Some(other) = state.part(other) else {
            return;
        };
        if state.is_retracing() {
            self.retraced_deferral = Some(deferred);
            self.successors.running.push(other);
        } else {
            self.successors.deferred.push((other, deferred));
        }
    }

    /// Says something to the user.
    pub fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.successors.notes.contains(&note) {
            self.successors.notes.push(note);
        }
    }

    /// Runs the state until it forks, ends, or has run for a quantum. A panic on the
    /// way ends the path in an internal error: the others go on.
    pub fn run(&mut self, mut state: State) -> Turn {
        self.omissions.has_end = false;
        self.asked_before = self.asked();
        let effort = self.mixed.current_effort();
        let halt = caught(|| match self.begin(&mut state) {
            Ok(()) => self.interpret(&mut state),
            Err(halt) => halt,
        });
        let halt = halt.unwrap_or_else(|panicked| {
            self.mixed.forget(effort);
            Halt::End(End::Error(ErrorKind::Internal, panicked.to_string()))
        });
        let end = match halt {
            Halt::End(End::Exit(code)) if self.options.leaks => {
                Some(self.leak(&mut state).unwrap_or(End::Exit(code)))
            }
            Halt::End(end) => Some(end),
            Halt::Yield => self.policy.clone().overdue(self, &state),
        };
        if let Some(End::Error(ErrorKind::Unsupported | ErrorKind::Internal, what)) = &end
            && !self.omissions.has_end
        {
            let what = what.as_str().into();
            self.incomplete(&state, Incomplete::Unsupported { what });
        }
        Turn {
            state,
            end,
            successors: std::mem::take(&mut self.successors),
        }
    }
}

/// What turns cost.
impl Machine<'_> {
    /// Queries so far that no cache, no example and no rule answered.
    pub fn asked(&self) -> u64 {
        self.mixed.solver().statistics().backend_calls()
    }

    /// Ends the state's turn before it branches, if it asked its share of queries or work is
    /// to stop. It stands at the branch then, and can go on from there.
    pub(crate) fn yield_if_due(&self) -> Result<(), Halt> {
        let asked = self.asked() - self.asked_before;
        match asked >= self.options.queries || self.options.stop.is_set() {
            true => Err(Halt::Yield),
            false => Ok(()),
        }
    }
}

/// What was left out.
impl Machine<'_> {
    /// Says that something was left out where the path is.
    pub fn incomplete(&mut self, state: &State, reason: Incomplete) {
        // Where a path is gone again, it was said the first time.
        if state.is_retracing() {
            return;
        }
        let place = self.own_place(state);
        *self.omissions.by_place.entry((reason, place)).or_default() += 1;
    }

    /// The same for what the path ends at.
    pub(crate) fn incomplete_end(&mut self, state: &State, reason: Incomplete) {
        self.incomplete(state, reason);
        self.omissions.has_end = true;
    }

    /// What was left out, where, and how often.
    pub fn omissions(&self) -> impl Iterator<Item = (&Incomplete, &SourceLine, u64)> {
        let all = self.omissions.by_place.iter();
        all.map(|((reason, place), &times)| (reason, place, times))
    }

    /// Where the path is in the source: in the innermost call with a line that is not
    /// in a library, for that is where a person looks.
    pub(crate) fn own_place(&self, state: &State) -> SourceLine {
        let source = &self.program.source;
        let places = state.stack().into_iter().filter_map(|(function, pc)| {
            // After a panic the path may stand anywhere.
            let location = *self.body(function)?.locations.get(pc as usize)?;
            let location = source.location(location);
            let place = SourceLine {
                file: source.file(location.file?).name.clone(),
                line: location.line,
            };
            (location.line > 0).then_some((function, place))
        });
        let mut places = places.peekable();
        let innermost = places.peek().map(|(_, place)| place.clone());
        let own = places.find(|(function, _)| !self.is_library(*function));
        own.map(|(_, place)| place)
            .or(innermost)
            .unwrap_or_default()
    }

    /// The error of a path that ends without having freed all memory that nobody owns any
    /// more.
    fn leak(&mut self, state: &mut State) -> Option<End> {
        let owned = self.policy.clone().owned(self, state);
        let mut sizes = Vec::new();
        for id in state.memory.living(0, u64::MAX) {
            let heap = state
                .memory
                .object(id)
                .filter(|o| matches!(o.region, Region::Heap(_)) && !owned.contains(&o.base));
            sizes.extend(heap.map(|object| object.size));
        }
        if sizes.is_empty() {
            return None;
        }
        let (count, bytes) = (sizes.len(), sizes.iter().sum::<u64>());
        let objects = if count == 1 { "object" } else { "objects" };
        let message = format!("{count} {objects} of {bytes} bytes in all never freed");
        Some(End::Error(ErrorKind::Leak, message))
    }
}
