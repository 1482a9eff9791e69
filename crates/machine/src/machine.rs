//! The machine: a program made ready to run, and everything its states share.

use crate::coverage::Coverage;
use crate::directed::Directed;
use crate::external::{ExternalOptions, Externals};
use crate::fitness::Watch;
use crate::generations::Feed;
use crate::lazy::Regeneration;
use crate::memory::{Memory, Region};
use crate::outcome::{End, ErrorKind, Stop};
use crate::reach::Reach;
use crate::replay::Recording;
use crate::selective::{Inside, Selective};
use crate::shims::{self, Shim};
use crate::staging::{Role, Stage, Upcoming};
use crate::state::{Frame, Inputs, Output, Phase, State};
use crate::stdin::{Seen, StandardInput};
use crate::uninitialised::Uninitialised;
use crate::value::{Value, mask, width};
use mixed::Mixed;
use mixed::solver::PathCondition;
use program::{Address, Base, Body, Constant, FunctionId, Linkage, Program};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Assignment, BitVec, Store};

/// What the machine looks for and how far it goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// Reports memory that was never freed.
    pub leaks: bool,
    /// Reports behaviour that depends on memory nothing was written to.
    pub uninitialised: bool,
    /// Reports shifts by the width of the number or more. Compilers that
    /// optimise make such shifts where the result is not used.
    pub wide_shifts: bool,
    /// Which functions are external, beside those without a body.
    pub external: ExternalOptions,
    /// Calls of the program's own functions that may be in each other; a path that
    /// goes deeper ends.
    pub call_depth: Option<u64>,
    /// Frames the stack may have.
    pub stack: u32,
    /// The greatest symbolic allocation, in bytes.
    pub largest_symbolic_size: u64,
    /// Instructions a state runs before others get a turn.
    pub quantum: u64,
    /// Where inputs come from; without a recording they are symbolic.
    pub recorded: Option<Recording>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            leaks: false,
            uninitialised: false,
            wide_shifts: true,
            external: ExternalOptions::default(),
            call_depth: None,
            stack: 10_000,
            largest_symbolic_size: 1 << 16,
            quantum: 50_000,
            recorded: None,
        }
    }
}

/// A program and what its states share.
pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) options: Options,
    /// The terms of all states.
    pub store: Store,
    /// Decides what is feasible.
    pub mixed: Mixed<'p>,
    pub(crate) externals: Externals,
    pub(crate) directed: Directed,
    pub(crate) feed: Feed,
    /// What has been reached.
    pub coverage: Coverage,
    functions: Vec<Prepared>,
    function_addresses: Vec<u64>,
    function_at: FxHashMap<u64, FunctionId>,
    global_addresses: Vec<u64>,
    block_at: FxHashMap<u64, (FunctionId, u32)>,
    /// States that split off since the last look.
    pub(crate) forked: Vec<State>,
    /// Instructions that states which split off are ahead of their origins.
    pub(crate) ahead: u64,
    /// States that split off and ended at once.
    pub(crate) ended: Vec<(State, End)>,
    /// States that split off if there is an input that takes them there.
    pub(crate) prospects: Vec<State>,
    pub(crate) uninitialised: Uninitialised,
    /// Things to tell the user once.
    pub(crate) notes: Vec<String>,
    /// Forks so far.
    pub forks: u64,
    /// What a function called for its result gave.
    pub(crate) result: Option<Value>,
    /// Objects that satisfy invariants, and what is done with them.
    pub(crate) stage: Stage,
    /// Suites that the program asks for itself.
    pub(crate) regeneration: Regeneration<'p>,
    /// What the program may read.
    pub(crate) stdin: Option<StandardInput<'p>>,
    /// What is not covered and where it can be reached from, once somebody asks.
    pub(crate) reach: Option<Reach>,
    /// How near paths come to what is not covered.
    pub(crate) watch: Watch,
    /// Which code is symbolic.
    pub(crate) selective: Selective,
}

/// A function made ready.
struct Prepared {
    /// The registers of a new frame: constants resolved, the rest zero.
    registers: Vec<Value>,
    shim: Option<Shim>,
}

impl<'p> Machine<'p> {
    /// Makes the program ready and gives its first state, about to call `entry`.
    pub fn new(
        program: &'p Program,
        entry: FunctionId,
        mixed: impl Into<Mixed<'p>>,
        options: Options,
    ) -> Result<(Machine<'p>, State), String> {
        let (mut machine, memory) = Machine::prepared(program, mixed.into(), options)?;
        let state = machine.first(memory, entry)?;
        Ok((machine, state))
    }

    /// Makes the program ready and gives the memory it starts with.
    pub(crate) fn prepared(
        program: &'p Program,
        mixed: Mixed<'p>,
        options: Options,
    ) -> Result<(Machine<'p>, Memory), String> {
        let mut machine = Machine {
            program,
            options,
            store: Store::new(),
            mixed,
            externals: Externals::default(),
            directed: Directed::default(),
            feed: Feed::default(),
            coverage: Coverage::new(program),
            functions: Vec::new(),
            function_addresses: Vec::new(),
            function_at: FxHashMap::default(),
            global_addresses: Vec::new(),
            block_at: FxHashMap::default(),
            forked: Vec::new(),
            ahead: 0,
            ended: Vec::new(),
            prospects: Vec::new(),
            uninitialised: Uninitialised::default(),
            notes: Vec::new(),
            forks: 0,
            result: None,
            stage: Stage::default(),
            regeneration: Regeneration::default(),
            stdin: None,
            reach: None,
            watch: Watch::default(),
            selective: Selective::default(),
        };
        let memory = machine.lay_out()?;
        machine.prepare();
        machine.declare_externals()?;
        Ok((machine, memory))
    }

    /// Gives every function and global its address and its bytes.
    fn lay_out(&mut self) -> Result<Memory, String> {
        let mut memory = Memory::default();
        for (number, function) in self.program.functions.iter().enumerate() {
            let null = function.body.is_none()
                && function.linkage == Linkage::ExternalWeak
                && shims::find(&function.name).is_none();
            if null {
                self.function_addresses.push(0);
                continue;
            }
            let address = memory
                .allocate(0, Region::Function, 0, 0)
                .ok_or("the program has too many functions")?;
            self.function_addresses.push(address);
            self.function_at
                .insert(address, FunctionId::from_index(number));
            for block in 0..function.body.as_ref().map_or(0, |body| body.blocks.len()) {
                let id = FunctionId::from_index(number);
                self.block_at
                    .insert(address + 1 + block as u64, (id, block as u32));
            }
        }
        for global in &self.program.globals {
            let null = global.initializer.is_none() && global.linkage == Linkage::ExternalWeak;
            if null {
                self.global_addresses.push(0);
                continue;
            }
            let address = memory
                .allocate(global.size, Region::Global, 0, 0)
                .ok_or("the program has too many global variables")?;
            self.global_addresses.push(address);
        }
        for (number, global) in self.program.globals.iter().enumerate() {
            let address = self.global_addresses[number];
            let Some(initializer) = &global.initializer else {
                continue;
            };
            for (at, chunk) in initializer.bytes.chunks(8).enumerate() {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                memory.store(
                    address + 8 * at as u64,
                    chunk.len(),
                    u64::from_le_bytes(word),
                );
            }
            for relocation in &initializer.relocations {
                let word = self.resolve(&relocation.value).unwrap_or(0);
                memory.store(address + relocation.offset, relocation.bytes as usize, word);
            }
            if global.constant {
                let id = crate::memory::id_of(address) as u32;
                if let Some(object) = memory.object_mut(id) {
                    object.region = Region::Constant;
                }
            }
        }
        memory.settle();
        memory.fix_all();
        Ok(memory)
    }

    fn prepare(&mut self) {
        let program = self.program;
        for function in &program.functions {
            let registers = match &function.body {
                Some(body) => self.template(body),
                None => Vec::new(),
            };
            self.functions.push(Prepared {
                registers,
                shim: shims::find(&function.name).filter(|_| function.body.is_none()),
            });
        }
    }

    fn template(&mut self, body: &Body) -> Vec<Value> {
        let mut registers = Vec::with_capacity(body.kinds.len());
        for (constant, &kind) in body.constants.iter().zip(&body.kinds) {
            registers.push(self.constant(constant, width(kind)));
        }
        for &kind in &body.kinds[registers.len()..] {
            registers.push(self.zero(width(kind)));
        }
        registers
    }

    pub(crate) fn zero(&mut self, width: u16) -> Value {
        if width <= 64 {
            return Value::ZERO;
        }
        Value::from_bits(&mut self.store, BitVec::zero(width))
    }

    fn constant(&mut self, constant: &Constant, width: u16) -> Value {
        if let Some(word) = self.resolve(constant)
            && width <= 64
        {
            return Value::word(word & mask(width.into()));
        }
        match constant {
            Constant::Bits(words) => {
                let mut bits = BitVec::zero(width);
                for (i, &word) in words.iter().enumerate() {
                    let part = BitVec::from_u64(width, word);
                    bits = bits.or(&part.shl(&BitVec::from_u64(width, 64 * i as u64)));
                }
                Value::from_bits(&mut self.store, bits)
            }
            _ => self.zero(width),
        }
    }

    /// The word a constant stands for; undefined ones are zero.
    fn resolve(&self, constant: &Constant) -> Option<u64> {
        match constant {
            Constant::Bits(_) | Constant::Null => constant.as_u64(),
            Constant::Address(address) => Some(self.address(*address)),
            Constant::Difference { left, right } => {
                Some(self.address(*left).wrapping_sub(self.address(*right)))
            }
            Constant::Undef | Constant::Poison => Some(0),
        }
    }

    pub(crate) fn address(&self, address: Address) -> u64 {
        let base = match address.base {
            Base::Global(id) => self.global_addresses[id.index()],
            Base::Function(id) => self.function_addresses[id.index()],
            Base::Block(id, block) => self.function_addresses[id.index()] + 1 + u64::from(block.0),
        };
        base.wrapping_add_signed(address.offset)
    }

    /// The function at an address.
    pub(crate) fn function_at(&self, address: u64) -> Option<FunctionId> {
        self.function_at.get(&address).copied()
    }

    /// The block at an address made by `&&label`.
    pub(crate) fn block_at(&self, address: u64) -> Option<(FunctionId, u32)> {
        self.block_at.get(&address).copied()
    }

    pub(crate) fn shim(&self, function: FunctionId) -> Option<Shim> {
        self.functions[function.index()].shim
    }

    pub(crate) fn body(&self, function: FunctionId) -> Option<&'p Body> {
        self.program.functions[function.index()].body.as_ref()
    }

    /// A frame for a call of the function, its parameters still zero.
    pub(crate) fn frame(&self, function: FunctionId) -> Frame {
        Frame {
            function: function.0,
            pc: 0,
            registers: self.functions[function.index()].registers.clone(),
            locals: Vec::new(),
            extra: Rc::default(),
        }
    }

    /// A state about to call `entry`.
    pub(crate) fn first(&mut self, memory: Memory, entry: FunctionId) -> Result<State, String> {
        let name = &self.program.functions[entry.index()].name;
        if self.body(entry).is_none() {
            return Err(format!("the function `{name}` has no body"));
        }
        let mut state = self.blank(memory);
        let mut upcoming = vec![Upcoming::from(self.entry(&mut state, entry)?)];
        let constructors = self.program.constructors.iter().rev();
        upcoming.extend(
            constructors
                .filter(|structor| self.body(structor.function).is_some())
                .map(|structor| self.frame(structor.function).into()),
        );
        state.upcoming = Rc::new(upcoming);
        self.start_upcoming(&mut state)
            .map_err(|_| "the first call could not be made")?;
        Ok(state)
    }

    /// A state in which nothing runs yet.
    pub(crate) fn blank(&self, memory: Memory) -> State {
        State {
            frame: Frame::default(),
            callers: None,
            memory,
            path: PathCondition::new(),
            model: Rc::new(Assignment::new()),
            inputs: Inputs::default(),
            depth: 0,
            instructions: 0,
            news: 0,
            height: 1,
            output: Output::default(),
            jumps: Rc::default(),
            upcoming: Rc::default(),
            phase: Phase::Running,
            trail: Vec::new(),
            prospect: None,
            lazy: Default::default(),
            role: Role::Plain,
            role_began: 0,
            method_result: None,
            branch: 0,
            discovery: 0,
            follows_model: false,
            inside: Inside::default(),
            stdin: Seen::default(),
        }
    }

    /// Says something to the user, once.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// What came of running a state for a while.
pub enum Ran {
    /// It goes on.
    On(State),
    /// It ended.
    Ended(State, End),
}

impl Machine<'_> {
    /// Runs the state until it forks, ends, or has run for a quantum.
    pub fn run(&mut self, mut state: State) -> Ran {
        match self.interpret(&mut state) {
            Stop::End(End::Exit(code)) if self.options.leaks => {
                let end = leak(&mut state).unwrap_or(End::Exit(code));
                Ran::Ended(state, end)
            }
            Stop::End(end) => Ran::Ended(state, end),
            Stop::Yield => match self.overdue(&state) {
                Some(end) => Ran::Ended(state, end),
                None => Ran::On(state),
            },
        }
    }

    /// States that split off while states ran.
    pub fn take_forked(&mut self) -> Vec<State> {
        std::mem::take(&mut self.forked)
    }

    /// Instructions that states which split off have executed beyond those of
    /// the states they split off from.
    pub(crate) fn take_ahead(&mut self) -> u64 {
        std::mem::take(&mut self.ahead)
    }

    /// States that split off and ended at once.
    pub fn take_ended(&mut self) -> Vec<(State, End)> {
        std::mem::take(&mut self.ended)
    }

    /// States that split off if there is an input that takes them there.
    pub fn take_prospects(&mut self) -> Vec<State> {
        std::mem::take(&mut self.prospects)
    }

    /// Things to tell the user.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

/// The error of a program that ends without having freed all its memory.
fn leak(state: &mut State) -> Option<End> {
    let mut sizes = Vec::new();
    for id in state.memory.living(0, u64::MAX) {
        let heap = state.memory.object(id).filter(|o| o.region == Region::Heap);
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
