//! The program laid out in memory: where functions and globals are, and what a new
//! frame of each function looks like.

use crate::error::StartError;
use crate::machine::Callee;
use crate::memory::{Memory, Object, Region};
use crate::origin::Origin;
use crate::value::{Value, mask, width};
use program::{Address, Base, Body, Constant, FunctionId, Global, Inst, Linkage, Program, Reg};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use term::{BitVec, Store};

/// A program's functions and globals at their addresses.
pub(crate) struct Image {
    functions: Vec<Prepared>,
    function_addresses: Vec<u64>,
    function_at: FxHashMap<u64, FunctionId>,
    global_addresses: Vec<u64>,
    /// Addresses of globals with their numbers, sorted.
    by_address: Vec<(u64, usize)>,
    /// Whether a standard library of C++ or Rust is part of the program.
    pub has_standard_library: bool,
    /// Whether the program cancels threads.
    pub cancels_threads: bool,
    /// Whether its threads may cancel others, or send them signals.
    pub reaches_threads: bool,
}

/// What threads cancel others or send signals by.
const REACHES: [&str; 5] = [
    "pthread_cancel",
    "pthread_kill",
    "pthread_sigqueue",
    "kill",
    "sigqueue",
];

/// Whether something calls one of these functions or has its address: a library that is linked
/// has more than is used.
fn uses_any(program: &Program, names: &[&str]) -> bool {
    let known: Vec<FunctionId> = names
        .iter()
        .filter_map(|name| program.function(name))
        .collect();
    let is_known = |constant: &Constant| match *constant {
        Constant::Address(Address {
            base: Base::Function(id),
            ..
        }) => known.contains(&id),
        _ => false,
    };
    let mut bodies = program.functions.iter().filter_map(|it| it.body.as_ref());
    !known.is_empty()
        && bodies.any(|body| {
            let calls = |inst: &Inst| match inst {
                Inst::Call { function, .. } => known.contains(function),
                _ => false,
            };
            body.code.iter().any(calls) || body.constants.iter().any(is_known)
        })
}

/// A function made ready.
struct Prepared {
    /// The registers of a new frame: constants resolved, the rest zero.
    registers: Vec<Value>,
    /// What runs when a function without a body is called.
    callee: Option<Callee>,
    /// Whether a call of it is the beginning of a panic.
    begins_panic: bool,
    /// Whether no other thread runs until it returns.
    runs_alone: bool,
    /// Whether it is the C library's end of the program.
    ends_program: bool,
    /// The registers that are addresses of its own local variables, once that was asked.
    own_locals: OnceCell<Vec<bool>>,
    /// Whether it drops the paths on which it aborts.
    is_assumption: bool,
    /// Whose code it is.
    origin: Origin,
}

impl Image {
    /// Lays the program out, and gives the memory it starts with. `callee` says what
    /// runs in the place of a function without a body.
    ///
    /// # Errors
    ///
    /// When there are more functions or globals than addresses.
    pub fn new(
        program: &Program,
        store: &mut Store,
        callee: impl Fn(&str) -> Option<Callee>,
    ) -> Result<(Image, Memory), StartError> {
        let mut image = Image {
            functions: Vec::new(),
            function_addresses: Vec::new(),
            function_at: FxHashMap::default(),
            global_addresses: Vec::new(),
            by_address: Vec::new(),
            has_standard_library: false,
            cancels_threads: uses_any(program, &REACHES[..1]),
            reaches_threads: uses_any(program, &REACHES),
        };
        let mut memory = Memory::for_globals(program.globals.iter().map(room));
        image.place_functions(program, &mut memory, &callee)?;
        image.place_globals(program, &mut memory)?;
        image.initialise_globals(program, &mut memory);
        memory.settle();
        memory.fix_all();
        let is_task = program
            .functions
            .iter()
            .any(|it| it.name.starts_with("__VERIFIER_"));
        for (function, origin) in program.functions.iter().zip(Origin::of_all(program)) {
            let registers = match &function.body {
                Some(body) => image.template(store, body),
                None => Vec::new(),
            };
            let callee = match function.body {
                Some(_) => None,
                None => callee(&function.name),
            };
            image.functions.push(Prepared {
                registers,
                callee,
                begins_panic: begins_panic(&function.name),
                runs_alone: function.name.starts_with("__VERIFIER_atomic_"),
                ends_program: origin == Origin::BuiltIn && ENDS.contains(&&*function.name),
                own_locals: OnceCell::new(),
                is_assumption: is_task && ASSUMPTIONS.contains(&&*function.name),
                origin,
            });
        }
        let mut prepared = program.functions.iter().zip(&image.functions);
        image.has_standard_library =
            prepared.any(|(it, ready)| it.body.is_some() && ready.origin == Origin::Standard);
        Ok((image, memory))
    }

    /// The number of the last global that begins at an address or before it, and how far
    /// before.
    pub fn global_before(&self, address: u64) -> Option<(usize, u64)> {
        let after = self
            .by_address
            .partition_point(|&(start, _)| start <= address);
        let (start, number) = self.by_address[after.checked_sub(1)?];
        Some((number, address - start))
    }

    fn place_functions(
        &mut self,
        program: &Program,
        memory: &mut Memory,
        callee: impl Fn(&str) -> Option<Callee>,
    ) -> Result<(), StartError> {
        for (number, function) in program.functions.iter().enumerate() {
            let null = function.body.is_none()
                && function.linkage == Linkage::ExternalWeak
                && callee(&function.name).is_none();
            if null {
                self.function_addresses.push(0);
                continue;
            }
            // Addresses after the function's own are those of its labels.
            let blocks = function.body.as_ref().map_or(0, |body| body.blocks.len());
            let (_, address) = memory
                .allocate(1 + blocks as u64, 1, Region::Function, 0)
                .ok_or(StartError::TooManyFunctions)?;
            let id = FunctionId::from_index(number);
            self.function_addresses.push(address);
            self.function_at.insert(address, id);
        }
        Ok(())
    }

    fn place_globals(&mut self, program: &Program, memory: &mut Memory) -> Result<(), StartError> {
        for global in &program.globals {
            let null = global.initializer.is_none() && global.linkage == Linkage::ExternalWeak;
            if null {
                self.global_addresses.push(0);
                continue;
            }
            let (_, address) = memory
                .allocate_global(room(global), global.align.bytes())
                .ok_or(StartError::TooManyGlobals)?;
            self.by_address.push((address, self.global_addresses.len()));
            self.global_addresses.push(address);
        }
        self.by_address.sort_unstable();
        Ok(())
    }

    fn initialise_globals(&self, program: &Program, memory: &mut Memory) {
        for (number, global) in program.globals.iter().enumerate() {
            let address = self.global_addresses[number];
            self.initialise(program, number, address, memory);
            let id = memory.id_of(address);
            let Some(object) = memory.object_mut(id) else {
                continue;
            };
            if global.initializer.is_none() {
                *object = Object::new(address, 0, Region::Undefined, 0);
            } else if global.constant {
                object.region = Region::Constant;
            }
        }
    }

    /// Puts what a global holds at the start into an object.
    pub fn initialise(&self, program: &Program, global: usize, address: u64, memory: &mut Memory) {
        let Some(initializer) = &program.globals[global].initializer else {
            return;
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
    }

    /// The global that begins at an address, and its number.
    pub fn global_at<'p>(&self, program: &'p Program, address: u64) -> Option<(usize, &'p Global)> {
        let (number, _) = self.global_before(address).filter(|&(_, past)| past == 0)?;
        Some((number, &program.globals[number]))
    }

    fn template(&self, store: &mut Store, body: &Body) -> Vec<Value> {
        let mut registers = Vec::with_capacity(body.kinds.len());
        for (constant, &kind) in body.constants.iter().zip(&body.kinds) {
            registers.push(self.constant(store, constant, width(kind)));
        }
        for &kind in &body.kinds[registers.len()..] {
            registers.push(Value::zero(store, width(kind)));
        }
        registers
    }

    fn constant(&self, store: &mut Store, constant: &Constant, width: u16) -> Value {
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
                Value::from_bits(store, bits)
            }
            _ => Value::zero(store, width),
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

    /// Where a function, global or block is.
    pub fn address(&self, address: Address) -> u64 {
        let base = match address.base {
            Base::Global(id) => self.global_addresses[id.index()],
            Base::Function(id) => self.function_addresses[id.index()],
            Base::Block(id, block) => self.function_addresses[id.index()] + 1 + u64::from(block.0),
        };
        base.wrapping_add_signed(address.offset)
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<FunctionId> {
        self.function_at.get(&address).copied()
    }

    /// The addresses of all functions, ascending.
    pub fn function_addresses(&self) -> impl Iterator<Item = u64> {
        let known = self.function_addresses.iter().copied();
        known.filter(|&address| address != 0)
    }

    /// What runs when the function is called, if it has no body.
    pub fn callee(&self, function: FunctionId) -> Option<Callee> {
        self.functions[function.index()].callee
    }

    /// Whether a call of the function is the beginning of a panic.
    pub fn begins_panic(&self, function: FunctionId) -> bool {
        self.functions[function.index()].begins_panic
    }

    /// Whether no other thread runs until the function returns, as verification tasks say
    /// by its name.
    pub fn runs_alone(&self, function: FunctionId) -> bool {
        self.functions[function.index()].runs_alone
    }

    /// Whether the function ends the program, whatever other threads have still to do.
    pub fn ends_program(&self, function: FunctionId) -> bool {
        self.functions[function.index()].ends_program
    }

    /// Whose code the function is.
    pub fn origin(&self, function: FunctionId) -> Origin {
        self.functions[function.index()].origin
    }

    /// Whether a register of the function is the address of a local variable that the
    /// function tells nobody.
    pub fn is_own_local(&self, function: FunctionId, body: &Body, register: Reg) -> bool {
        let locals = &self.functions[function.index()].own_locals;
        locals.get_or_init(|| body.own_locals())[register.index()]
    }

    /// Whether the function is an assumption that a verification task defines: it aborts
    /// where its argument does not hold, for the competitions provide none since 2020.
    pub fn is_assumption(&self, function: FunctionId) -> bool {
        self.functions[function.index()].is_assumption
    }

    /// The registers of a new frame of the function, its parameters still zero.
    pub fn registers(&self, function: FunctionId) -> Vec<Value> {
        self.functions[function.index()].registers.clone()
    }
}

/// The bytes that are kept free for a global. How large an array is that nothing defines, its
/// declaration need not say; no other object may be where its elements would be.
fn room(global: &Global) -> u64 {
    const UNKNOWN: u64 = 1 << 16;
    match global.initializer {
        None => global.size.max(UNKNOWN),
        Some(_) => global.size,
    }
}

/// How the C library ends a program.
const ENDS: [&str; 2] = ["exit", "quick_exit"];

/// What verification tasks call the functions that assume their argument.
const ASSUMPTIONS: [&str; 2] = ["assume_abort_if_not", "assume"];

/// Whether a function of Rust's standard library is one that panics begin with, before their
/// message is formatted.
fn begins_panic(name: &str) -> bool {
    const BEGINNINGS: [&str; 4] = [
        "9panicking9panic_fmt",
        "9panicking11begin_panic",
        "9panicking20rust_panic_with_hook",
        "17rust_begin_unwind",
    ];
    name == "rust_begin_unwind" || BEGINNINGS.iter().any(|it| name.contains(it))
}
