//! The code of a function as text.

use std::fmt::{self, Display, Formatter};

use super::names::{ConstantText, Results, word};
use crate::ids::{EdgeId, LocationId, Reg, Span};
use crate::inst::Inst;
use crate::ops::Kind;
use crate::program::{Body, Clause, Program};
use crate::source::{Place, Source};

/// The column at which places in the source are noted.
const NOTE_COLUMN: usize = 56;

pub(super) struct BodyListing<'p> {
    pub(super) program: &'p Program,
    pub(super) body: &'p Body,
}

impl Display for BodyListing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { program, body } = *self;
        for (index, constant) in body.constants.iter().enumerate() {
            let kind = body.kinds[index];
            writeln!(
                f,
                "    %{index} = {} {}",
                kind,
                ConstantText {
                    program,
                    constant,
                    kind
                }
            )?;
        }
        for variable in &body.variables {
            let (star, register) = match variable.place {
                Place::Memory(register) => ("*", register),
                Place::Value(register) => ("", register),
            };
            let name = variable
                .debug_type
                .map(|id| program.source.debug_type(id).name.as_str());
            let word = if variable.parameter.is_some() {
                "parameter"
            } else {
                "variable"
            };
            let name = name.unwrap_or("?");
            writeln!(
                f,
                "    {word} {}: {name} in {star}%{}",
                variable.name, register.0
            )?;
        }
        for (index, block) in body.blocks.iter().enumerate() {
            writeln!(f, "b{index}:")?;
            for pc in block.start..block.end {
                let mut text = InstText { listing: self, pc }.to_string();
                if let Some(edge) = body.unwind_edge(pc) {
                    text += &format!(" unwind {}", self.edge(edge));
                }
                match location_note(&program.source, body.locations[pc as usize]) {
                    Some(note) => writeln!(f, "    {text:NOTE_COLUMN$} ; {note}")?,
                    None => writeln!(f, "    {text}")?,
                }
            }
        }
        Ok(())
    }
}

impl<'p> BodyListing<'p> {
    /// A register, or the constant it holds.
    fn reg(&self, register: Reg) -> RegText<'p> {
        RegText {
            program: self.program,
            body: self.body,
            register,
        }
    }

    fn regs(&self, span: Span) -> String {
        let names = self
            .body
            .registers(span)
            .iter()
            .map(|&register| self.reg(register).to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    fn edge(&self, id: EdgeId) -> String {
        let edge = self.body.edge(id);
        let moves = self.body.moves(edge).iter();
        let moves = moves.map(|step| format!("%{} = {}", step.dst.0, self.reg(step.src)));
        match moves.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => format!("b{}", edge.target.0),
            moves => format!("b{} [{moves}]", edge.target.0),
        }
    }

    fn kind(&self, register: Reg) -> Kind {
        self.body.kinds[register.index()]
    }
}

struct RegText<'p> {
    program: &'p Program,
    body: &'p Body,
    register: Reg,
}

impl Display for RegText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let index = self.register.index();
        match self.body.constants.get(index) {
            Some(constant) => {
                let kind = self.body.kinds[index];
                ConstantText {
                    program: self.program,
                    constant,
                    kind,
                }
                .fmt(f)
            }
            None => write!(f, "%{index}"),
        }
    }
}

/// `%5 = `, `%5..%7 = ` or nothing.
struct Dst(Reg, usize);

impl Display for Dst {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (_, 0) => Ok(()),
            (register, 1) => write!(f, "%{} = ", register.0),
            (first, count) => write!(f, "%{}..%{} = ", first.0, first.0 as usize + count - 1),
        }
    }
}

struct InstText<'p> {
    listing: &'p BodyListing<'p>,
    pc: u32,
}

impl Display for InstText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let l = self.listing;
        let r = |register| l.reg(register);
        match l.body.code[self.pc as usize] {
            Inst::Binary {
                op,
                flags,
                width,
                dst,
                a,
                b,
            } => {
                write!(f, "{}{op}{flags} i{width} {}, {}", Dst(dst, 1), r(a), r(b))
            }
            Inst::Compare {
                predicate,
                width,
                dst,
                a,
                b,
            } => {
                write!(
                    f,
                    "{}icmp {predicate} i{width} {}, {}",
                    Dst(dst, 1),
                    r(a),
                    r(b)
                )
            }
            Inst::ComparePointers {
                predicate,
                dst,
                a,
                b,
            } => {
                write!(f, "{}icmp {predicate} ptr {}, {}", Dst(dst, 1), r(a), r(b))
            }
            Inst::FloatBinary {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                write!(f, "{}{op} {kind} {}, {}", Dst(dst, 1), r(a), r(b))
            }
            Inst::FloatNegate { kind, dst, src } => {
                write!(f, "{}fneg {kind} {}", Dst(dst, 1), r(src))
            }
            Inst::FloatCompare {
                predicate,
                kind,
                dst,
                a,
                b,
            } => {
                write!(
                    f,
                    "{}fcmp {predicate} {kind} {}, {}",
                    Dst(dst, 1),
                    r(a),
                    r(b)
                )
            }
            Inst::Cast {
                op,
                flags,
                from,
                to,
                dst,
                src,
            } => {
                write!(f, "{}{op}{flags} {from} {} to {to}", Dst(dst, 1), r(src))
            }
            Inst::Select {
                dst,
                condition,
                then,
                otherwise,
            } => {
                let (dst, kind) = (Dst(dst, 1), l.kind(dst));
                write!(
                    f,
                    "{dst}select {kind} {}, {}, {}",
                    r(condition),
                    r(then),
                    r(otherwise)
                )
            }
            Inst::Freeze { dst, src } => {
                write!(f, "{}freeze {} {}", Dst(dst, 1), l.kind(dst), r(src))
            }
            Inst::PickElement {
                width,
                dst,
                index,
                elements,
            } => {
                let elements = l.regs(elements);
                write!(
                    f,
                    "{}pick [{elements}] at i{width} {}",
                    Dst(dst, 1),
                    r(index)
                )
            }
            Inst::PutElement {
                width,
                dst,
                index,
                value,
                elements,
            } => {
                let dst = Dst(dst, elements.count as usize);
                let elements = l.regs(elements);
                write!(
                    f,
                    "{dst}put {} into [{elements}] at i{width} {}",
                    r(value),
                    r(index)
                )
            }
            Inst::Alloca { align, dst, size } => {
                write!(f, "{}alloca {size} align {}", Dst(dst, 1), align.bytes())
            }
            Inst::AllocaArray {
                align,
                width,
                dst,
                count,
                size,
            } => {
                let (dst, align) = (Dst(dst, 1), align.bytes());
                write!(
                    f,
                    "{dst}alloca {size} * i{width} {} align {align}",
                    r(count)
                )
            }
            Inst::Load {
                access,
                kind,
                dst,
                address,
            } => {
                write!(f, "{}load {kind} {}{access}", Dst(dst, 1), r(address))
            }
            Inst::Store {
                access,
                kind,
                address,
                value,
            } => {
                write!(f, "store {kind} {} to {}{access}", r(value), r(address))
            }
            Inst::Offset {
                flags,
                dst,
                base,
                offset,
            } => {
                write!(f, "{}offset{flags} {} + {offset}", Dst(dst, 1), r(base))
            }
            Inst::Index {
                flags,
                width,
                dst,
                base,
                index,
                scale,
            } => {
                let dst = Dst(dst, 1);
                write!(
                    f,
                    "{dst}index{flags} {} + i{width} {} * {scale}",
                    r(base),
                    r(index)
                )
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
                let (dst, volatile) = (Dst(dst, 1), word(volatile, " volatile"));
                write!(f, "{dst}atomicrmw {op} {kind} {}, {}", r(address), r(value))?;
                write!(f, " {ordering}{volatile}")
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
                let (dst, weak) = (Dst(dst, 2), word(weak, " weak"));
                write!(
                    f,
                    "{dst}cmpxchg{weak} {kind} {}, {}",
                    r(address),
                    r(expected)
                )?;
                write!(f, ", {} {success} {failure}", r(new))
            }
            Inst::Fence { ordering } => write!(f, "fence {ordering}"),
            Inst::VaArg { kind, dst, list } => {
                write!(f, "{}va_arg {kind} {}", Dst(dst, 1), r(list))
            }
            Inst::Call {
                function,
                args,
                dst,
                signature,
                is_read: _,
            } => {
                let name = &l.program.functions[function.index()].name;
                self.call(f, &format!("@{name}"), dst, args, signature.index())
            }
            Inst::CallIndirect {
                callee,
                args,
                dst,
                signature,
            } => self.call(f, &format!("*{}", r(callee)), dst, args, signature.index()),
            Inst::Intrinsic {
                intrinsic,
                results,
                kind,
                dst,
                args,
            } => {
                let dst = Dst(dst, usize::from(results));
                match args.count {
                    0 => write!(f, "{dst}{intrinsic}"),
                    _ => write!(f, "{dst}{intrinsic} {kind} ({})", l.regs(args)),
                }
            }
            Inst::InlineAsm {
                results,
                asm,
                args,
                dst,
            } => {
                let asm = l.program.inline_asm(asm);
                let dst = Dst(dst, usize::from(results));
                let effects = word(asm.side_effects, " sideeffect");
                write!(
                    f,
                    "{dst}asm{effects} {:?}, {:?} ",
                    asm.text, asm.constraints
                )?;
                write!(f, "({})", l.regs(args))
            }
            Inst::LandingPad { dst, pad } => {
                let pad = l.body.landing_pad(pad);
                write!(
                    f,
                    "{}landingpad{}",
                    Dst(dst, 2),
                    word(pad.cleanup, " cleanup")
                )?;
                pad.clauses
                    .iter()
                    .try_for_each(|clause| self.clause(f, clause))
            }
            Inst::Resume { values } => write!(f, "resume {}", l.regs(values)),
            Inst::Jump { edge } => write!(f, "jump {}", l.edge(edge)),
            Inst::Branch {
                condition,
                then,
                otherwise,
            } => {
                write!(
                    f,
                    "branch {} ? {} : {}",
                    r(condition),
                    l.edge(then),
                    l.edge(otherwise)
                )
            }
            Inst::Switch {
                width,
                value,
                default,
                cases,
            } => {
                write!(f, "switch i{width} {} [", r(value))?;
                for case in l.body.cases(cases) {
                    write!(f, "{}: {}, ", case.value, l.edge(case.edge))?;
                }
                write!(f, "else: {}]", l.edge(default))
            }
            Inst::IndirectJump { address, targets } => {
                let targets = l.body.targets(targets).iter().map(|&edge| l.edge(edge));
                let targets = targets.collect::<Vec<_>>().join(", ");
                write!(f, "jump *{} of [{targets}]", r(address))
            }
            Inst::Return { values } if values.count == 0 => write!(f, "return"),
            Inst::Return { values } => write!(f, "return {}", l.regs(values)),
            Inst::Unreachable => write!(f, "unreachable"),
            Inst::Unsupported { message } => {
                write!(f, "unsupported: {}", l.program.message(message))
            }
        }
    }
}

impl InstText<'_> {
    fn call(
        &self,
        f: &mut Formatter<'_>,
        callee: &str,
        dst: Reg,
        args: Span,
        signature: usize,
    ) -> fmt::Result {
        let l = self.listing;
        let signature = &l.program.signatures[signature];
        let results = &signature.results;
        write!(
            f,
            "{}call {} {callee}(",
            Dst(dst, results.len()),
            Results(results)
        )?;
        let arguments = l.body.registers(args).iter().zip(&signature.parameters);
        for (index, (&register, parameter)) in arguments.enumerate() {
            let separator = match index {
                0 => "",
                _ if signature.variadic && index == signature.fixed as usize => " ... ",
                _ => ", ",
            };
            write!(f, "{separator}{} {}", parameter, l.reg(register))?;
        }
        write!(f, ")")
    }

    fn clause(&self, f: &mut Formatter<'_>, clause: &Clause) -> fmt::Result {
        let program = self.listing.program;
        let name = |constant| {
            ConstantText {
                program,
                constant,
                kind: Kind::Ptr,
            }
            .to_string()
        };
        match clause {
            Clause::Catch(constant) => write!(f, " catch {}", name(constant)),
            Clause::Filter(types) => {
                let types = types.iter().map(name).collect::<Vec<_>>();
                write!(f, " filter [{}]", types.join(", "))
            }
        }
    }
}

fn location_note(source: &Source, id: LocationId) -> Option<String> {
    if id == LocationId::UNKNOWN {
        return None;
    }
    let places = source.inlining(id).map(|place| {
        let function = place.function.map(|id| source.function(id));
        let is_elsewhere = function.is_some_and(|function| function.file != place.file);
        let file = place
            .file
            .filter(|_| is_elsewhere)
            .map(|file| &source.file(file).name);
        let file = file.map(|name| format!("{name}:")).unwrap_or_default();
        let inlined = place
            .inlined_at
            .and(function)
            .map(|function| format!("{} ", function.name));
        format!(
            "{}{file}{}:{}",
            inlined.unwrap_or_default(),
            place.line,
            place.column
        )
    });
    Some(places.collect::<Vec<_>>().join(" in "))
}
