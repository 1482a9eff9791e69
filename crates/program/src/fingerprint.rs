//! A hash of what a function does.
//!
//! It covers the function's code, the functions the code leads to and the data they
//! use. Where code and its panics stand in a file, where the file is, what else the
//! program has and how things are called change nothing: functions and globals are known
//! by the order in which the code leads to them, and only those from outside by name. Two
//! programs in which a function has the same fingerprint run it in the same way.
//!
//! Everything is written as numbers of eight bytes and texts with their lengths, so
//! that no two different programs are written alike; operations go by their names
//! in listings, which outlive the order of an enum.

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;

use crate::ids::{EdgeId, FunctionId, GlobalId, Reg, SignatureId, Span};
use crate::inst::Inst;
use crate::ops::{Access, Kind};
use crate::program::{
    Address, Base, Body, Clause, Constant, Function, Global, Initializer, Parameter, Passing,
    Program,
};

/// The fingerprint of a function. `is_outside` says which functions are known by
/// name although they have a body, as those of a library that comes with the tool.
pub fn fingerprint(
    program: &Program,
    function: FunctionId,
    is_outside: impl Fn(&Function) -> bool,
) -> [u8; 32] {
    let mut writer = Writer {
        program,
        is_outside,
        hash: Sha256::new(),
        known: FxHashMap::default(),
        pending: VecDeque::new(),
    };
    // The function itself is what is asked about, wherever it comes from.
    writer.item(Item::Function(function));
    while let Some(item) = writer.pending.pop_front() {
        match item {
            Item::Function(id) => writer.function(&program.functions[id.index()]),
            Item::Global(id) => writer.global(&program.globals[id.index()]),
        }
    }
    writer.hash.finalize().into()
}

/// A `core::panic::Location`: the address and length of a name, a line, a column.
const LOCATION_BYTES: u64 = 24;

/// What the code can lead to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Item {
    Function(FunctionId),
    Global(GlobalId),
}

struct Writer<'p, F> {
    program: &'p Program,
    is_outside: F,
    hash: Sha256,
    /// The numbers of what the code has led to so far, in that order.
    known: FxHashMap<Item, u64>,
    /// Those of them that are still to be written.
    pending: VecDeque<Item>,
}

impl<F: Fn(&Function) -> bool> Writer<'_, F> {
    fn number(&mut self, number: impl Into<u64>) {
        self.hash.update(number.into().to_le_bytes());
    }

    fn signed(&mut self, number: i64) {
        self.hash.update(number.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.hash.update(bytes);
    }

    fn item(&mut self, item: Item) {
        let next = self.known.len() as u64;
        let number = *self.known.entry(item).or_insert_with(|| {
            self.pending.push_back(item);
            next
        });
        self.number(number);
    }

    fn function_named(&mut self, id: FunctionId) {
        let function = &self.program.functions[id.index()];
        if function.body.is_none() || (self.is_outside)(function) {
            self.text("outside");
            self.text(&function.name);
        } else {
            self.text("function");
            self.item(Item::Function(id));
        }
    }

    fn function(&mut self, function: &Function) {
        self.text("function");
        self.signature(function.signature);
        self.number(function.noreturn);
        self.number(function.returns_twice);
        match &function.body {
            Some(body) => self.body(body),
            None => self.text(&function.name),
        }
    }

    fn global(&mut self, global: &Global) {
        self.text("global");
        self.number(global.size);
        self.number(global.align.0);
        self.number(global.constant);
        self.number(global.thread_local);
        let Some(initializer) = &global.initializer else {
            self.text("declared");
            self.text(&global.name);
            return;
        };
        if global.size == LOCATION_BYTES && self.is_location(initializer) {
            self.text("location");
            return;
        }
        self.bytes(&initializer.bytes);
        self.count(initializer.relocations.len());
        for relocation in &initializer.relocations {
            self.number(relocation.offset);
            self.number(relocation.bytes);
            self.constant(&relocation.value);
        }
        if let Some(message) = initializer.unsupported {
            self.text(self.program.message(message));
        }
    }

    /// Whether this is what a panic of Rust shows as its place: a source file, as the compiler
    /// was given it, and a line and a column in it.
    fn is_location(&self, initializer: &Initializer) -> bool {
        let [relocation] = &initializer.relocations[..] else {
            return false;
        };
        let Constant::Address(Address {
            base: Base::Global(file),
            offset: 0,
        }) = relocation.value
        else {
            return false;
        };
        let file = self.program.globals[file.index()].initializer.as_ref();
        let is_file = file.is_some_and(|Initializer { bytes: name, .. }| {
            let mut files = self.program.source.files.iter();
            files.any(|it| it.name.as_bytes() == name || it.path.as_bytes() == name)
        });
        relocation.offset == 0 && is_file
    }

    fn signature(&mut self, id: SignatureId) {
        let signature = &self.program.signatures[id.index()];
        self.count(signature.parameters.len());
        for Parameter { kind, passing } in &signature.parameters {
            self.kind(*kind);
            match *passing {
                Passing::Direct => self.text("direct"),
                Passing::ZeroExtended => self.text("zero-extended"),
                Passing::SignExtended => self.text("sign-extended"),
                Passing::ByValue { size, align } => {
                    self.text("by value");
                    self.number(size);
                    self.number(align.0);
                }
                Passing::StructReturn { size } => {
                    self.text("struct return");
                    self.number(size);
                }
            }
        }
        self.number(signature.fixed);
        self.number(signature.variadic);
        self.kinds(&signature.results);
    }

    fn kind(&mut self, kind: Kind) {
        self.text(&kind.to_string());
    }

    fn kinds(&mut self, kinds: &[Kind]) {
        self.count(kinds.len());
        for &kind in kinds {
            self.kind(kind);
        }
    }

    fn constant(&mut self, constant: &Constant) {
        match constant {
            Constant::Bits(words) => {
                self.text("bits");
                self.count(words.len());
                for &word in words {
                    self.number(word);
                }
            }
            Constant::Null => self.text("null"),
            Constant::Address(address) => {
                self.text("address");
                self.address(address);
            }
            Constant::Difference { left, right } => {
                self.text("difference");
                self.address(left);
                self.address(right);
            }
            Constant::Undef => self.text("undef"),
            Constant::Poison => self.text("poison"),
        }
    }

    fn address(&mut self, address: &Address) {
        match address.base {
            Base::Function(id) => self.function_named(id),
            Base::Block(id, block) => {
                self.function_named(id);
                self.number(block.0);
            }
            Base::Global(id) => {
                self.text("global");
                self.item(Item::Global(id));
            }
        }
        self.signed(address.offset);
    }

    fn body(&mut self, body: &Body) {
        self.number(body.parameters);
        self.kinds(&body.kinds);
        self.count(body.constants.len());
        for constant in &body.constants {
            self.constant(constant);
        }
        if let Some(personality) = &body.personality {
            self.address(personality);
        }
        self.count(body.blocks.len());
        for block in &body.blocks {
            self.number(block.end);
        }
        self.count(body.code.len());
        for (pc, inst) in (0..).zip(&body.code) {
            self.inst(body, inst);
            if let Some(edge) = body.unwind_edge(pc) {
                self.text("unwind");
                self.edge(body, edge);
            }
        }
    }

    fn edge(&mut self, body: &Body, id: EdgeId) {
        let edge = body.edge(id);
        self.number(edge.target.0);
        let moves = body.moves(edge);
        self.count(moves.len());
        for step in moves {
            self.registers(&[step.dst, step.src]);
        }
    }

    fn registers(&mut self, registers: &[Reg]) {
        for register in registers {
            self.number(register.0);
        }
    }

    fn list(&mut self, body: &Body, span: Span) {
        self.number(span.count);
        self.registers(body.registers(span));
    }

    fn access(&mut self, access: Access) {
        self.number(access.align.0);
        self.text(access.ordering.name());
        self.number(access.volatile);
        if access.exact {
            self.text("exactly");
        }
    }

    fn inst(&mut self, body: &Body, inst: &Inst) {
        match *inst {
            Inst::Binary {
                op,
                flags,
                width,
                dst,
                a,
                b,
            } => {
                self.text(op.name());
                self.number(flags.0);
                self.number(width);
                self.registers(&[dst, a, b]);
            }
            Inst::Compare {
                predicate,
                width,
                dst,
                a,
                b,
            } => {
                self.text("compare");
                self.text(predicate.name());
                self.number(width);
                self.registers(&[dst, a, b]);
            }
            Inst::ComparePointers {
                predicate,
                dst,
                a,
                b,
            } => {
                self.text("compare pointers");
                self.text(predicate.name());
                self.registers(&[dst, a, b]);
            }
            Inst::FloatBinary {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                self.text(op.name());
                self.kind(Kind::Float(kind));
                self.registers(&[dst, a, b]);
            }
            Inst::FloatNegate { kind, dst, src } => {
                self.text("negate");
                self.kind(Kind::Float(kind));
                self.registers(&[dst, src]);
            }
            Inst::FloatCompare {
                predicate,
                kind,
                dst,
                a,
                b,
            } => {
                self.text("compare floats");
                self.text(predicate.name());
                self.kind(Kind::Float(kind));
                self.registers(&[dst, a, b]);
            }
            Inst::Cast {
                op,
                flags,
                from,
                to,
                dst,
                src,
            } => {
                self.text(op.name());
                self.number(flags.0);
                self.kinds(&[from, to]);
                self.registers(&[dst, src]);
            }
            Inst::Select {
                dst,
                condition,
                then,
                otherwise,
            } => {
                self.text("select");
                self.registers(&[dst, condition, then, otherwise]);
            }
            Inst::Freeze { dst, src } => {
                self.text("freeze");
                self.registers(&[dst, src]);
            }
            Inst::PickElement {
                width,
                dst,
                index,
                elements,
            } => {
                self.text("pick element");
                self.number(width);
                self.registers(&[dst, index]);
                self.list(body, elements);
            }
            Inst::PutElement {
                width,
                dst,
                index,
                value,
                elements,
            } => {
                self.text("put element");
                self.number(width);
                self.registers(&[dst, index, value]);
                self.list(body, elements);
            }
            Inst::Alloca { align, dst, size } => {
                self.text("alloca");
                self.number(align.0);
                self.registers(&[dst]);
                self.number(size);
            }
            Inst::AllocaArray {
                align,
                width,
                dst,
                count,
                size,
            } => {
                self.text("alloca array");
                self.number(align.0);
                self.number(width);
                self.registers(&[dst, count]);
                self.number(size);
            }
            Inst::Load {
                access,
                kind,
                dst,
                address,
            } => {
                self.text("load");
                self.access(access);
                self.kind(kind);
                self.registers(&[dst, address]);
            }
            Inst::Store {
                access,
                kind,
                address,
                value,
            } => {
                self.text("store");
                self.access(access);
                self.kind(kind);
                self.registers(&[address, value]);
            }
            Inst::Offset {
                flags,
                dst,
                base,
                offset,
            } => {
                self.text("offset");
                self.number(flags.0);
                self.registers(&[dst, base]);
                self.signed(offset);
            }
            Inst::Index {
                flags,
                width,
                dst,
                base,
                index,
                scale,
            } => {
                self.text("index");
                self.number(flags.0);
                self.number(width);
                self.registers(&[dst, base, index]);
                self.signed(scale);
            }
            Inst::AtomicRmw {
                op,
                ordering,
                volatile,
                kind,
                dst,
                address,
                value,
            } => {
                self.text("atomic update");
                self.text(op.name());
                self.text(ordering.name());
                self.number(volatile);
                self.kind(kind);
                self.registers(&[dst, address, value]);
            }
            Inst::CompareExchange {
                success,
                failure,
                weak,
                kind,
                dst,
                address,
                expected,
                new,
            } => {
                self.text("compare exchange");
                self.text(success.name());
                self.text(failure.name());
                self.number(weak);
                self.kind(kind);
                self.registers(&[dst, address, expected, new]);
            }
            Inst::Fence { ordering } => {
                self.text("fence");
                self.text(ordering.name());
            }
            Inst::VaArg { kind, dst, list } => {
                self.text("variadic argument");
                self.kind(kind);
                self.registers(&[dst, list]);
            }
            Inst::Call {
                function,
                args,
                dst,
                signature,
                is_read: _,
            } => {
                self.text("call");
                self.function_named(function);
                self.list(body, args);
                self.registers(&[dst]);
                self.signature(signature);
            }
            Inst::CallIndirect {
                callee,
                args,
                dst,
                signature,
            } => {
                self.text("indirect call");
                self.registers(&[callee]);
                self.list(body, args);
                self.registers(&[dst]);
                self.signature(signature);
            }
            Inst::Intrinsic {
                intrinsic,
                results,
                kind,
                dst,
                args,
            } => {
                self.text("intrinsic");
                self.text(intrinsic.name());
                self.number(results);
                self.kind(kind);
                self.registers(&[dst]);
                self.list(body, args);
            }
            Inst::InlineAsm {
                results,
                asm,
                args,
                dst,
            } => {
                let asm = self.program.inline_asm(asm);
                self.text("assembly");
                self.text(&asm.text);
                self.text(&asm.constraints);
                self.number(asm.side_effects);
                self.number(results);
                self.list(body, args);
                self.registers(&[dst]);
            }
            Inst::LandingPad { dst, pad } => {
                self.text("landing pad");
                self.registers(&[dst]);
                let pad = body.landing_pad(pad);
                self.number(pad.cleanup);
                self.count(pad.clauses.len());
                for clause in &pad.clauses {
                    self.clause(clause);
                }
            }
            Inst::Resume { values } => {
                self.text("resume");
                self.list(body, values);
            }
            Inst::Jump { edge } => {
                self.text("jump");
                self.edge(body, edge);
            }
            Inst::Branch {
                condition,
                then,
                otherwise,
            } => {
                self.text("branch");
                self.registers(&[condition]);
                self.edge(body, then);
                self.edge(body, otherwise);
            }
            Inst::Switch {
                width,
                value,
                default,
                cases,
            } => {
                self.text("switch");
                self.number(width);
                self.registers(&[value]);
                self.edge(body, default);
                self.number(cases.count);
                for case in body.cases(cases) {
                    self.number(case.value);
                    self.edge(body, case.edge);
                }
            }
            Inst::IndirectJump { address, targets } => {
                self.text("indirect jump");
                self.registers(&[address]);
                self.number(targets.count);
                for &target in body.targets(targets) {
                    self.edge(body, target);
                }
            }
            Inst::Return { values } => {
                self.text("return");
                self.list(body, values);
            }
            Inst::Unreachable => self.text("unreachable"),
            Inst::Unsupported { message } => {
                self.text("unsupported");
                self.text(self.program.message(message));
            }
        }
    }

    fn clause(&mut self, clause: &Clause) {
        match clause {
            Clause::Catch(constant) => {
                self.text("catch");
                self.constant(constant);
            }
            Clause::Filter(constants) => {
                self.text("filter");
                self.count(constants.len());
                for constant in constants {
                    self.constant(constant);
                }
            }
        }
    }
}
