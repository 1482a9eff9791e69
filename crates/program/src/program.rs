//! A whole program: functions, globals, and what ties them together.

use rustc_hash::FxHashMap;

use crate::ids::{
    AsmId, BlockId, EdgeId, FunctionId, GlobalId, LocationId, MessageId, PadId, Reg, SignatureId,
    SourceFunctionId, Span,
};
use crate::inst::Inst;
use crate::ops::{Align, Kind};
use crate::source::{Branching, GlobalName, Line, Source, Variable};

/// A program, ready to be run: everything is resolved, sized and numbered.
#[derive(Debug, Default)]
pub struct Program {
    /// The target it was compiled for, as `x86_64-pc-linux-gnu`.
    pub triple: String,
    /// LLVM's description of that target's layout.
    pub data_layout: String,
    /// The functions, declared ones too, in the order of the linked modules.
    pub functions: Vec<Function>,
    /// The global variables, declared ones too.
    pub globals: Vec<Global>,
    /// Other names for functions and variables.
    pub aliases: Vec<Alias>,
    /// The different shapes of calls and functions.
    pub signatures: Vec<Signature>,
    /// What runs before `main`, in order.
    pub constructors: Vec<Structor>,
    /// What runs after `main`, in order.
    pub destructors: Vec<Structor>,
    /// What the source attached to functions, variables and expressions.
    pub annotations: Vec<Annotation>,
    /// Pieces of assembly inside functions.
    pub inline_asms: Vec<InlineAsm>,
    /// Assembly outside functions; whoever runs the program does not see it.
    pub module_asm: String,
    /// Texts of [`Inst::Unsupported`], each naming the thing.
    pub messages: Vec<String>,
    /// Where the program comes from: files, lines, types.
    pub source: Source,
    /// What the compiler and LLVM had to say about the inputs.
    pub warnings: Vec<String>,
    /// The whole program as LLVM bitcode, if that was asked for.
    pub bitcode: Vec<u8>,
    pub(crate) symbols: FxHashMap<String, Symbol>,
}

impl Program {
    /// What a linkage name stands for.
    pub fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    /// The function of that linkage name or alias.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        match self.symbol(name)? {
            Symbol::Function(id) => Some(id),
            Symbol::Address(Address {
                base: Base::Function(id),
                offset: 0,
            }) => Some(id),
            Symbol::Global(_) | Symbol::Address(_) => None,
        }
    }

    /// The global variable of that linkage name or alias.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        match self.symbol(name)? {
            Symbol::Global(id) => Some(id),
            Symbol::Address(Address {
                base: Base::Global(id),
                offset: 0,
            }) => Some(id),
            Symbol::Function(_) | Symbol::Address(_) => None,
        }
    }

    /// The functions that run code of such source files: of one of them, or with something of
    /// one inlined. By the function's number.
    pub fn running_code_of(&self, is_such: impl Fn(&str) -> bool) -> Vec<bool> {
        let source = &self.source;
        let files: Vec<bool> = source.files.iter().map(|it| is_such(&it.path)).collect();
        let is_of_file = |id: SourceFunctionId| {
            let file = source.function(id).file;
            file.is_some_and(|id| files[id.index()])
        };
        // What a place is inlined at has a smaller number.
        let mut locations: Vec<bool> = Vec::with_capacity(source.locations.len());
        for location in &source.locations {
            let outer = location.inlined_at.is_some_and(|id| locations[id.index()]);
            locations.push(outer || location.function.is_some_and(is_of_file));
        }
        let runs_such = |function: &Function| {
            let inside = function.body.iter().flat_map(|body| &body.locations);
            function.source.is_some_and(is_of_file)
                || inside.into_iter().any(|id| locations[id.index()])
        };
        self.functions.iter().map(runs_such).collect()
    }

    /// The text of an [`Inst::Unsupported`].
    pub fn message(&self, id: MessageId) -> &str {
        &self.messages[id.index()]
    }

    /// The assembly of an [`Inst::InlineAsm`].
    pub fn inline_asm(&self, id: AsmId) -> &InlineAsm {
        &self.inline_asms[id.index()]
    }

    /// The instructions that have no representation: function, position in its code, text.
    pub fn unsupported(&self) -> impl Iterator<Item = (FunctionId, usize, &str)> {
        self.functions
            .iter()
            .enumerate()
            .flat_map(move |(id, function)| {
                let code = function
                    .body
                    .iter()
                    .flat_map(|body| body.code.iter().enumerate());
                code.filter_map(move |(pc, inst)| {
                    let Inst::Unsupported { message } = *inst else {
                        return None;
                    };
                    Some((FunctionId::from_index(id), pc, self.message(message)))
                })
            })
    }
}

/// What a linkage name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A function.
    Function(FunctionId),
    /// A global variable.
    Global(GlobalId),
    /// Another name for that address.
    Address(Address),
}

/// How a name takes part in linking.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Visible to all; one definition.
    External,
    /// Visible in its own module only.
    Internal,
    /// Visible to all; another definition may replace it.
    Weak,
    /// A declaration whose address is null when nobody defines it.
    ExternalWeak,
}

/// A function, defined if it has a body.
#[derive(Debug)]
pub struct Function {
    /// The linkage name.
    pub name: String,
    /// The shape of its own prototype.
    pub signature: SignatureId,
    /// How the name takes part in linking.
    pub linkage: Linkage,
    /// Whether it is promised never to return.
    pub noreturn: bool,
    /// Whether it may return twice, as `setjmp`.
    pub returns_twice: bool,
    /// Whether no compiler may change it, which says that none has.
    pub unoptimised: bool,
    /// The function as the source has it, if there is debug information.
    pub source: Option<SourceFunctionId>,
    /// The code; absent for declarations.
    pub body: Option<Body>,
}

/// The code of a function and its tables.
///
/// Registers are numbered: first one for each constant, then one for each
/// parameter (as in the signature), then the values computed.
#[derive(Debug, Default)]
pub struct Body {
    /// All instructions, block after block; the function starts at 0.
    pub code: Vec<Inst>,
    /// For each instruction, where it comes from.
    pub locations: Vec<LocationId>,
    /// The blocks as ranges of the code; block 0 is the entry.
    pub blocks: Vec<Block>,
    /// For each register, what it holds.
    pub kinds: Vec<Kind>,
    /// What the first registers hold from the start and for ever.
    pub constants: Vec<Constant>,
    /// How many registers follow the constants as parameters.
    pub parameters: u32,
    /// Lists of registers the code refers to by [`Span`].
    pub operands: Vec<Reg>,
    /// Ways between blocks.
    pub edges: Vec<Edge>,
    /// Copies made along edges, in this order, one after the other.
    pub moves: Vec<Move>,
    /// Cases of switches.
    pub cases: Vec<Case>,
    /// Targets of indirect jumps.
    pub targets: Vec<EdgeId>,
    /// Calls inside which an exception is caught here, sorted by position.
    pub unwinds: Vec<Unwind>,
    /// What landing pads catch.
    pub landing_pads: Vec<LandingPad>,
    /// The function that decides where exceptions land.
    pub personality: Option<Address>,
    /// Named variables of the source and where they are.
    pub variables: Vec<Variable>,
    /// The source lines that have code here, sorted.
    pub lines: Vec<Line>,
    /// The instructions that go one of several ways, in the order of the code.
    pub branches: Vec<Branching>,
}

impl Body {
    /// The registers of a list.
    #[inline]
    pub fn registers(&self, span: Span) -> &[Reg] {
        &self.operands[span.range()]
    }

    /// The copies made along an edge.
    #[inline]
    pub fn moves(&self, edge: &Edge) -> &[Move] {
        &self.moves[edge.moves.range()]
    }

    /// The cases of a switch.
    #[inline]
    pub fn cases(&self, span: Span) -> &[Case] {
        &self.cases[span.range()]
    }

    /// The targets of an indirect jump.
    #[inline]
    pub fn targets(&self, span: Span) -> &[EdgeId] {
        &self.targets[span.range()]
    }

    /// The edge.
    #[inline]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// What a landing pad catches.
    pub fn landing_pad(&self, id: PadId) -> &LandingPad {
        &self.landing_pads[id.index()]
    }

    /// Where an exception goes that leaves the call at `pc`; none lets it leave the function.
    pub fn unwind_edge(&self, pc: u32) -> Option<EdgeId> {
        let found = self
            .unwinds
            .binary_search_by_key(&pc, |unwind| unwind.call)
            .ok()?;
        Some(self.unwinds[found].edge)
    }

    /// The register of a parameter, counted as in the signature.
    pub fn parameter(&self, index: usize) -> Reg {
        Reg::from_index(self.constants.len() + index)
    }

    /// The block an instruction is in.
    pub fn block_of(&self, pc: u32) -> BlockId {
        BlockId::from_index(self.blocks.partition_point(|block| block.end <= pc))
    }
}

/// The instructions of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// The first instruction.
    pub start: u32,
    /// One past the last instruction.
    pub end: u32,
}

/// A way from one block to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// Where it leads.
    pub target: BlockId,
    /// The first instruction there.
    pub pc: u32,
    /// The copies to make on the way.
    pub moves: Span,
}

/// One copy made along an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The register written.
    pub dst: Reg,
    /// The register read.
    pub src: Reg,
}

/// One case of a switch. Cases that lead to the same block share their edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// The value, zero-extended.
    pub value: u64,
    /// Where to go.
    pub edge: EdgeId,
}

/// Where an exception goes that leaves a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unwind {
    /// The position of the call.
    pub call: u32,
    /// The way to the landing pad.
    pub edge: EdgeId,
}

/// What a landing pad catches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LandingPad {
    /// Whether it wants to see every exception, to clean up.
    pub cleanup: bool,
    /// What it tests for, in this order.
    pub clauses: Vec<Clause>,
}

/// One test of a landing pad.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clause {
    /// Catches exceptions of that type; [`Constant::Null`] catches all.
    Catch(Constant),
    /// Catches exceptions that are of none of these types.
    Filter(Vec<Constant>),
}

/// The shape of a call: how arguments and results are passed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// The arguments, one for each register.
    pub parameters: Vec<Parameter>,
    /// How many of them the prototype names; the rest are variadic.
    pub fixed: u32,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// The results, one for each register.
    pub results: Vec<Kind>,
}

/// One argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Parameter {
    /// What the register holds.
    pub kind: Kind,
    /// How it is passed.
    pub passing: Passing,
}

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Passing {
    /// As it is.
    Direct,
    /// Extended with zeros as far as the calling convention asks.
    ZeroExtended,
    /// Extended with its sign as far as the calling convention asks.
    SignExtended,
    /// The address of an object of which the callee gets its own copy.
    ByValue {
        /// Bytes to copy.
        size: u64,
        /// Alignment of the copy.
        align: Align,
    },
    /// The address where the callee puts its result.
    StructReturn {
        /// Bytes of the result.
        size: u64,
    },
}

/// A value known before the program runs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// The bits of an integer or floating-point number, least significant word first.
    Bits(Box<[u64]>),
    /// The null address.
    Null,
    /// The address of something, as an address or as an integer of 64 bits.
    Address(Address),
    /// The distance in bytes between two addresses, cut to the register's width.
    Difference {
        /// The address subtracted from.
        left: Address,
        /// The address subtracted.
        right: Address,
    },
    /// Any value; whoever has no better idea takes 0.
    Undef,
    /// The result of a broken promise; whoever has no better idea takes 0.
    Poison,
}

impl Constant {
    /// An integer of at most 64 bits.
    pub fn int(value: u64) -> Self {
        Self::Bits(Box::new([value]))
    }

    /// The value if it is a number of at most 64 significant bits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Bits(words) if words[1..].iter().all(|&word| word == 0) => Some(words[0]),
            Self::Null => Some(0),
            Self::Bits(_)
            | Self::Address(_)
            | Self::Difference { .. }
            | Self::Undef
            | Self::Poison => None,
        }
    }
}

/// The address of something that exists from the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// What it points to.
    pub base: Base,
    /// Bytes past its start.
    pub offset: i64,
}

/// What an address points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A global variable; of a thread-local one, the running thread's own.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A block of a function, for computed gotos.
    Block(FunctionId, BlockId),
}

/// A global variable.
#[derive(Debug)]
pub struct Global {
    /// The linkage name.
    pub name: String,
    /// How the name takes part in linking.
    pub linkage: Linkage,
    /// Bytes it takes.
    pub size: u64,
    /// How it is aligned.
    pub align: Align,
    /// Whether it may never be written.
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// The section asked for.
    pub section: Option<String>,
    /// What it holds at the start; absent for declarations.
    pub initializer: Option<Initializer>,
    /// The variable as the source has it, if there is debug information.
    pub source: Option<GlobalName>,
}

/// What a global variable holds at the start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Initializer {
    /// The first bytes; those after them up to the variable's size are 0.
    pub bytes: Vec<u8>,
    /// Addresses to put over the bytes, by offset.
    pub relocations: Vec<Relocation>,
    /// Why parts of it are not known, if so; these parts are 0.
    pub unsupported: Option<MessageId>,
}

/// An address inside a global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Where it goes.
    pub offset: u64,
    /// How many bytes it takes.
    pub bytes: u32,
    /// What goes there: an address or a difference.
    pub value: Constant,
}

/// Another name for an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub address: Address,
}

/// A function that runs before or after `main`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Structor {
    /// Before `main` lower numbers run first, after it higher ones.
    pub priority: u32,
    /// The function, without parameters.
    pub function: FunctionId,
}

/// A text the source attached to something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// What it is attached to.
    pub target: Annotated,
    /// The text.
    pub text: String,
    /// The file that says so, as the compiler gives it; empty if unknown.
    pub file: String,
    /// The line there; 0 if unknown.
    pub line: u32,
}

/// What an annotation is attached to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Annotated {
    /// A function.
    Function(FunctionId),
    /// A global variable.
    Global(GlobalId),
    /// The variable of a function whose address, or value, is in the register.
    Register(FunctionId, Reg),
    /// The instruction at that position.
    Instruction(FunctionId, u32),
}

/// A piece of assembly.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InlineAsm {
    /// The text, with LLVM's placeholders.
    pub text: String,
    /// Where operands go.
    pub constraints: String,
    /// Whether it does more than compute its results.
    pub side_effects: bool,
}
