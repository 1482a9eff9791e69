//! From an LLVM module to a [`Program`].
//!
//! This file numbers functions and globals and goes through the module; the
//! others take care of one subject each: `function`, `edges` and `assemble` of
//! the frame of a function's code, `inst`, `memory`, `vector`, `call`, `asm`, `intrinsic`,
//! `masked` and `x86` of instructions, `constant` and `initializer` of constants,
//! `debug` and `types` of what the source says, `annotation` of what it adds, `promise` of what
//! the types of Rust promise.
//!
//! Whatever has no representation becomes an [`Inst::Unsupported`] with its
//! name; nothing is dropped that a program could notice.
//!
//! [`Inst::Unsupported`]: crate::Inst::Unsupported

mod annotation;
mod asm;
mod assemble;
mod call;
mod constant;
mod debug;
mod edges;
mod function;
mod initializer;
mod inst;
mod intrinsic;
mod masked;
mod memory;
mod promise;
mod types;
mod vector;
mod x86;

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ids::{AsmId, BlockId, FunctionId, GlobalId, MessageId, SignatureId};
use crate::layout::{Layouts, Lowered};
use crate::llvm::{Block, LinkageCode, Module, Type, Value};
use crate::ops::{Align, Kind};
use crate::program::{
    Alias, Constant, Function, Global, InlineAsm, Linkage, Parameter, Passing, Program, Signature,
    Symbol,
};
use debug::SourceReader;
pub(crate) use debug::file_of;
use function::FunctionLowering;

/// Lowers a linked and verified module.
pub(crate) fn lower(module: &Module<'_>) -> Program {
    let mut lowering = ModuleLowering::new(module);
    lowering.number();
    lowering.globals();
    lowering.functions();
    lowering.lists();
    lowering.finish()
}

/// Global variables with a meaning for LLVM only.
const RESERVED: [&str; 5] = [
    "llvm.global_ctors",
    "llvm.global_dtors",
    "llvm.used",
    "llvm.compiler.used",
    "llvm.global.annotations",
];

/// What is known while a module is lowered.
struct ModuleLowering<'m> {
    module: &'m Module<'m>,
    layouts: Layouts<'m>,
    program: Program,
    functions: FxHashMap<Value<'m>, FunctionId>,
    globals: FxHashMap<Value<'m>, GlobalId>,
    orders: FxHashMap<Value<'m>, Rc<BlockOrder<'m>>>,
    signatures: Interner<Signature>,
    asms: Interner<InlineAsm>,
    messages: Interner<String>,
    source: SourceReader<'m>,
    /// The function that assembly enters the system by, if some does.
    system_call: Option<(FunctionId, SignatureId)>,
    annotation_kind: u32,
    align_kind: u32,
}

/// What the C library enters the system by, too: a number and six arguments.
const SYSTEM_CALL: &str = "__ep_syscall";
const SYSTEM_CALL_PARAMETERS: usize = 7;

/// The reachable blocks of a function, each after those that dominate it.
pub(crate) struct BlockOrder<'m> {
    pub(crate) blocks: Vec<Block<'m>>,
    pub(crate) ids: FxHashMap<Block<'m>, BlockId>,
}

impl<'m> ModuleLowering<'m> {
    fn new(module: &'m Module<'m>) -> Self {
        Self {
            module,
            layouts: Layouts::new(module.layout()),
            program: Program {
                triple: module.triple(),
                data_layout: module.data_layout(),
                module_asm: module.inline_asm(),
                ..Program::default()
            },
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            orders: FxHashMap::default(),
            signatures: Interner::default(),
            asms: Interner::default(),
            messages: Interner::default(),
            source: SourceReader::default(),
            system_call: None,
            annotation_kind: module.metadata_kind("annotation"),
            align_kind: module.metadata_kind("align"),
        }
    }

    /// Gives every function and global its number before any is looked at.
    fn number(&mut self) {
        let functions = self
            .module
            .functions()
            .filter(|f| f.intrinsic_name().is_none());
        for (index, function) in functions.enumerate() {
            let id = FunctionId::from_index(index);
            self.functions.insert(function, id);
            self.program
                .symbols
                .insert(function.name(), Symbol::Function(id));
        }
        let globals = self.module.globals().filter(|global| !is_reserved(*global));
        for (index, global) in globals.enumerate() {
            let id = GlobalId::from_index(index);
            self.globals.insert(global, id);
            self.program
                .symbols
                .insert(global.name(), Symbol::Global(id));
        }
    }

    fn globals(&mut self) {
        let module = self.module;
        let dbg = module.metadata_kind("dbg");
        for global in module.globals().filter(|global| !is_reserved(*global)) {
            let lowered = self.global(global, dbg);
            self.program.globals.push(lowered);
        }
    }

    fn global(&mut self, global: Value<'m>, dbg: u32) -> Global {
        let content = global.content_type();
        let size = self.layouts.size(content);
        let least = self.layouts.align(content).unwrap_or(Align(0));
        let align = match global.global_align() {
            0 => least,
            bytes => Align::from_bytes(bytes),
        };
        let initializer = global.initializer().map(|value| self.initializer(value));
        Global {
            name: global.name(),
            linkage: linkage(global.linkage()),
            // Declarations may be of a type nobody knows the size of.
            size: size.unwrap_or(0),
            align,
            constant: global.is_read_only(),
            thread_local: global.is_thread_local(),
            section: global.section(),
            initializer,
            source: self.source.global(global, dbg),
        }
    }

    fn functions(&mut self) {
        let module = self.module;
        for function in module.functions().filter(|f| f.intrinsic_name().is_none()) {
            let id = self.functions[&function];
            let signature = self.function_signature(function);
            let source = function.subprogram().map(|node| self.source.function(node));
            let body = (!function.is_declaration())
                .then(|| FunctionLowering::lower(self, function, id, signature.as_ref().err()));
            let lowered = Function {
                name: function.name(),
                signature: match signature {
                    Ok(signature) => signature,
                    Err(_) => self.signature(Signature::empty()),
                },
                linkage: linkage(function.linkage()),
                noreturn: function.function_has("noreturn"),
                returns_twice: function.function_has("returns_twice"),
                unoptimised: function.function_has("optnone"),
                source,
                body,
            };
            self.program.functions.push(lowered);
        }
        self.declare_system_call();
    }

    /// The function that enters the system, and the shape of its calls. Where the module has
    /// no such function it comes after those that it has.
    fn system_call(&mut self) -> (FunctionId, SignatureId) {
        if let Some(known) = self.system_call {
            return known;
        }
        let word = Parameter {
            kind: Kind::Int(64),
            passing: Passing::Direct,
        };
        let signature = self.signature(Signature {
            parameters: vec![word; SYSTEM_CALL_PARAMETERS],
            fixed: SYSTEM_CALL_PARAMETERS as u32,
            variadic: false,
            results: vec![Kind::Int(64)],
        });
        let id = match self.program.symbols.get(SYSTEM_CALL) {
            Some(Symbol::Function(id)) => *id,
            _ => FunctionId::from_index(self.functions.len()),
        };
        self.system_call = Some((id, signature));
        (id, signature)
    }

    /// Declares that function where assembly alone calls it.
    fn declare_system_call(&mut self) {
        let Some((id, signature)) = self.system_call else {
            return;
        };
        if id.index() < self.program.functions.len() {
            return;
        }
        let symbol = Symbol::Function(id);
        self.program.symbols.insert(SYSTEM_CALL.to_owned(), symbol);
        self.program.functions.push(Function {
            name: SYSTEM_CALL.to_owned(),
            signature,
            linkage: Linkage::External,
            noreturn: false,
            returns_twice: false,
            unoptimised: false,
            source: None,
            body: None,
        });
    }

    /// The lists of a module that name functions and globals.
    fn lists(&mut self) {
        for alias in self.module.aliases() {
            // An alias of something without a representation is refused where it is used.
            if let Ok(Some(Constant::Address(address))) = self.fold(alias) {
                self.program
                    .symbols
                    .insert(alias.name(), Symbol::Address(address));
                self.program.aliases.push(Alias {
                    name: alias.name(),
                    address,
                });
            }
        }
        let mut constructors = self.structors("llvm.global_ctors");
        constructors.extend(self.structors_of_section(".init_array"));
        constructors.sort_by_key(|structor| structor.priority);
        self.program.constructors = constructors;
        let mut destructors = self.structors("llvm.global_dtors");
        destructors.extend(self.structors_of_section(".fini_array"));
        destructors.sort_by_key(|structor| std::cmp::Reverse(structor.priority));
        self.program.destructors = destructors;
        self.global_annotations();
    }

    fn finish(self) -> Program {
        Program {
            signatures: self.signatures.values,
            inline_asms: self.asms.values,
            messages: self.messages.values,
            source: self.source.finish(),
            ..self.program
        }
    }

    fn function_signature(&mut self, function: Value<'m>) -> Lowered<SignatureId> {
        let prototype = function.content_type();
        let types = prototype.parameters();
        let signature = self.shape(prototype, &types, &|index, name| ParameterAttribute {
            present: function.parameter_has(index, name),
            value: function.parameter_type(index, name),
            number: function.parameter_number(index, name),
        })?;
        Ok(self.signature(signature))
    }

    /// The signature of arguments of `types`, passed to a function of type `prototype`.
    fn shape(
        &mut self,
        prototype: Type<'m>,
        types: &[Type<'m>],
        attribute: &dyn Fn(u32, &str) -> ParameterAttribute<'m>,
    ) -> Lowered<Signature> {
        let named = prototype.parameters().len();
        let mut parameters = Vec::new();
        let mut fixed = 0;
        for (index, argument) in (0..).zip(types) {
            let passing = self.passing(index, attribute)?;
            let parts = self.layouts.parts(*argument)?;
            parameters.extend(parts.kinds.iter().map(|&kind| Parameter { kind, passing }));
            if (index as usize) < named {
                fixed = parameters.len() as u32;
            }
        }
        Ok(Signature {
            parameters,
            fixed,
            variadic: prototype.is_variadic(),
            results: self.layouts.parts(prototype.returns())?.kinds.clone(),
        })
    }

    fn passing(
        &mut self,
        index: u32,
        attribute: &dyn Fn(u32, &str) -> ParameterAttribute<'m>,
    ) -> Lowered<Passing> {
        if let Some(refused) = ["inalloca", "preallocated"]
            .into_iter()
            .find(|name| attribute(index, name).present)
        {
            return Err(format!("an {refused} argument"));
        }
        if let Some(copied) = attribute(index, "byval").value {
            let size = self.layouts.size(copied)?;
            let align = match attribute(index, "align").number {
                Some(bytes) => Align::from_bytes(bytes),
                None => self.layouts.align(copied)?,
            };
            return Ok(Passing::ByValue { size, align });
        }
        if let Some(returned) = attribute(index, "sret").value {
            return Ok(Passing::StructReturn {
                size: self.layouts.size(returned)?,
            });
        }
        Ok(if attribute(index, "zeroext").present {
            Passing::ZeroExtended
        } else if attribute(index, "signext").present {
            Passing::SignExtended
        } else {
            Passing::Direct
        })
    }

    fn signature(&mut self, signature: Signature) -> SignatureId {
        SignatureId(self.signatures.intern(signature))
    }

    fn message(&mut self, message: String) -> MessageId {
        MessageId(self.messages.intern(message))
    }

    fn inline_asm(&mut self, asm: InlineAsm) -> AsmId {
        AsmId(self.asms.intern(asm))
    }

    /// The order in which a function's blocks are lowered, which numbers them.
    fn block_order(&mut self, function: Value<'m>) -> Rc<BlockOrder<'m>> {
        let order = self
            .orders
            .entry(function)
            .or_insert_with(|| Rc::new(block_order(function)));
        Rc::clone(order)
    }
}

/// What an attribute of a parameter says.
struct ParameterAttribute<'m> {
    present: bool,
    value: Option<Type<'m>>,
    number: Option<u64>,
}

impl Signature {
    fn empty() -> Self {
        Self {
            parameters: Vec::new(),
            fixed: 0,
            variadic: false,
            results: Vec::new(),
        }
    }
}

fn is_reserved(global: Value<'_>) -> bool {
    RESERVED.contains(&global.name().as_str())
        || global
            .section()
            .is_some_and(|section| section == "llvm.metadata")
}

fn linkage(code: LinkageCode) -> Linkage {
    match code {
        LinkageCode::LLVMInternalLinkage
        | LinkageCode::LLVMPrivateLinkage
        | LinkageCode::LLVMLinkerPrivateLinkage
        | LinkageCode::LLVMLinkerPrivateWeakLinkage => Linkage::Internal,
        LinkageCode::LLVMLinkOnceAnyLinkage
        | LinkageCode::LLVMLinkOnceODRLinkage
        | LinkageCode::LLVMLinkOnceODRAutoHideLinkage
        | LinkageCode::LLVMWeakAnyLinkage
        | LinkageCode::LLVMWeakODRLinkage => Linkage::Weak,
        LinkageCode::LLVMExternalWeakLinkage => Linkage::ExternalWeak,
        LinkageCode::LLVMExternalLinkage
        | LinkageCode::LLVMAvailableExternallyLinkage
        | LinkageCode::LLVMAppendingLinkage
        | LinkageCode::LLVMDLLImportLinkage
        | LinkageCode::LLVMDLLExportLinkage
        | LinkageCode::LLVMGhostLinkage
        | LinkageCode::LLVMCommonLinkage => Linkage::External,
    }
}

/// The order that numbers a function's blocks: reverse post-order, first
/// successors first.
pub(crate) fn block_order<'m>(function: Value<'m>) -> BlockOrder<'m> {
    let mut post_order = Vec::new();
    if let Some(&entry) = function.blocks().first() {
        let mut seen = FxHashMap::from_iter([(entry, ())]);
        let mut stack = vec![(entry, entry.successors())];
        while let Some((block, remaining)) = stack.last_mut() {
            match remaining.pop() {
                Some(next) if seen.insert(next, ()).is_none() => {
                    stack.push((next, next.successors()));
                }
                Some(_) => {}
                None => {
                    post_order.push(*block);
                    stack.pop();
                }
            }
        }
    }
    post_order.reverse();
    let number = |(index, &block)| (block, BlockId::from_index(index));
    let ids = post_order.iter().enumerate().map(number).collect();
    BlockOrder {
        blocks: post_order,
        ids,
    }
}

/// Different values, each with a number.
struct Interner<T> {
    values: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    fn intern(&mut self, value: T) -> u32 {
        if let Some(&number) = self.numbers.get(&value) {
            return number;
        }
        let number = u32::try_from(self.values.len()).expect("fewer than 2^32 different values");
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }
}
