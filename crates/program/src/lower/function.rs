//! The frame of a function's code: registers, constants, blocks.
//!
//! Blocks are lowered one by one into code of their own, in an order in which
//! definitions come before uses; phis get their registers first. While that
//! goes on the number of constants is not known, so a register number with the
//! top bit set stands for a constant; [`finish`](FunctionLowering::finish)
//! renumbers everything, puts the blocks together and finds what lines and
//! branches there are.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::PendingEdge;
use super::{BlockOrder, ModuleLowering};
use crate::ids::{EdgeId, FunctionId, LocationId, PadId, Reg, Span};
use crate::inst::Inst;
use crate::layout::{Lowered, Parts};
use crate::llvm::{Block, Opcode, Type, TypeKind, Value, ValueKind};
use crate::ops::Kind;
use crate::program::{self, Annotated, Annotation, Body, Constant, Unwind};
use crate::source::{Branching, Line, Place, Variable};

/// Marks a register number as that of a constant.
const CONSTANT: u32 = 1 << 31;

/// Code under construction, each instruction with where it comes from.
#[derive(Default)]
pub(super) struct Code {
    insts: Vec<(Inst, LocationId)>,
    /// Calls inside which exceptions are caught, by position here.
    unwinds: Vec<(usize, EdgeId)>,
    annotations: Vec<(usize, String)>,
}

/// What is known while a function is lowered.
pub(super) struct FunctionLowering<'a, 'm> {
    pub(super) module: &'a mut ModuleLowering<'m>,
    pub(super) id: FunctionId,
    pub(super) order: Rc<BlockOrder<'m>>,
    /// The registers of each value, as runs of `parts`.
    values: FxHashMap<Value<'m>, Span>,
    parts: Vec<Reg>,
    /// Phis without registers, and why.
    refused: FxHashMap<Value<'m>, String>,
    constants: Vec<Constant>,
    constant_kinds: Vec<Kind>,
    known_constants: FxHashMap<(Constant, Kind), Reg>,
    kinds: Vec<Kind>,
    /// What must run before everything else.
    prologue: Code,
    in_prologue: bool,
    code: Code,
    location: LocationId,
    pub(super) current: Option<Block<'m>>,
    pub(super) edges: Vec<PendingEdge<'m>>,
    pub(super) edge_ids: FxHashMap<(Block<'m>, Block<'m>), EdgeId>,
    pub(super) scratch: Option<Reg>,
    /// Registers with an annotation, which is complete but for the register.
    pub(super) annotated: Vec<(Reg, Annotation)>,
    pub(super) body: Body,
}

impl<'a, 'm> FunctionLowering<'a, 'm> {
    /// Lowers a defined function; one whose prototype was refused becomes that refusal.
    pub(super) fn lower(
        module: &'a mut ModuleLowering<'m>,
        function: Value<'m>,
        id: FunctionId,
        refused: Option<&String>,
    ) -> Body {
        let order = module.block_order(function);
        let mut lowering = Self {
            module,
            id,
            order,
            values: FxHashMap::default(),
            parts: Vec::new(),
            refused: FxHashMap::default(),
            constants: Vec::new(),
            constant_kinds: Vec::new(),
            known_constants: FxHashMap::default(),
            kinds: Vec::new(),
            prologue: Code::default(),
            in_prologue: false,
            code: Code::default(),
            location: LocationId::UNKNOWN,
            current: None,
            edges: Vec::new(),
            edge_ids: FxHashMap::default(),
            scratch: None,
            annotated: Vec::new(),
            body: Body::default(),
        };
        let blocks = match refused {
            Some(message) => {
                lowering.unsupported(message.clone());
                lowering.emit(Inst::Unreachable);
                vec![std::mem::take(&mut lowering.code)]
            }
            None => lowering.blocks(function),
        };
        lowering.finish(blocks)
    }

    fn blocks(&mut self, function: Value<'m>) -> Vec<Code> {
        for argument in function.arguments() {
            let kinds = self.kinds_of(argument.value_type());
            let kinds = kinds.expect("the prototype was accepted");
            let registers = self.fresh_all(&kinds);
            self.define(argument, &registers);
        }
        self.body.parameters = self.kinds.len() as u32;
        if let Some(personality) = function.personality()
            && let Ok(Some(Constant::Address(address))) = self.module.fold(personality)
        {
            self.body.personality = Some(address);
        }
        let order = Rc::clone(&self.order);
        for &block in &order.blocks {
            self.define_phis(block);
        }
        let blocks = order
            .blocks
            .iter()
            .map(|&block| self.block(block))
            .collect();
        self.location = LocationId::UNKNOWN;
        self.resolve_edges();
        blocks
    }

    fn define_phis(&mut self, block: Block<'m>) {
        for phi in phis(block) {
            let defined = self.define_phi(phi);
            if let Err(message) = defined {
                self.refused.insert(phi, message);
            }
        }
    }

    /// Gives a phi its registers, unless it or a constant it takes has no representation.
    fn define_phi(&mut self, phi: Value<'m>) -> Lowered<()> {
        let kinds = self.kinds_of(phi.value_type())?;
        for (_, value) in phi.incoming().filter(|(_, value)| value.is_constant()) {
            self.span(value)?;
        }
        let registers = self.fresh_all(&kinds);
        self.define(phi, &registers);
        Ok(())
    }

    fn block(&mut self, block: Block<'m>) -> Code {
        self.current = Some(block);
        for instruction in block.instructions() {
            self.location = self.module.source.location(instruction.debug_location());
            self.variables(instruction);
            self.annotation_of(instruction);
            let before = (self.code.insts.len(), self.code.unwinds.len());
            if let Err(message) = self.instruction(instruction) {
                self.code.insts.truncate(before.0);
                self.code.unwinds.truncate(before.1);
                self.refuse(instruction, message);
            }
        }
        std::mem::take(&mut self.code)
    }

    /// Puts a refusal where the instruction would be, and gives it registers all the same.
    fn refuse(&mut self, instruction: Value<'m>, message: String) {
        self.unsupported(message);
        if is_terminator(instruction) {
            self.emit(Inst::Unreachable);
        }
        if !self.values.contains_key(&instruction)
            && let Ok(kinds) = self.kinds_of(instruction.value_type())
        {
            let registers = self.fresh_all(&kinds);
            self.define(instruction, &registers);
        }
    }

    // Code.

    pub(super) fn emit(&mut self, inst: Inst) {
        let location = self.location;
        self.code.insts.push((inst, location));
    }

    pub(super) fn unsupported(&mut self, message: String) {
        let message = self.module.message(message);
        self.emit(Inst::Unsupported { message });
    }

    /// Where the next instruction goes in the block.
    pub(super) fn next_position(&self) -> usize {
        self.code.insts.len()
    }

    pub(super) fn last_is_call(&self) -> bool {
        let last = self.code.insts.last();
        last.is_some_and(|(inst, _)| matches!(inst, Inst::Call { .. } | Inst::CallIndirect { .. }))
    }

    /// Says that an exception leaving the call just emitted goes along `edge`.
    pub(super) fn catch_along(&mut self, edge: EdgeId) {
        let call = self.code.insts.len() - 1;
        self.code.unwinds.push((call, edge));
    }

    /// Attaches a text to the instruction emitted next.
    pub(super) fn annotate(&mut self, text: String) {
        let position = self.code.insts.len();
        self.code.annotations.push((position, text));
    }

    /// Emits what `make` emits before everything else in the function.
    pub(super) fn at_entry<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        if self.in_prologue {
            return make(self);
        }
        let location = std::mem::replace(&mut self.location, LocationId::UNKNOWN);
        std::mem::swap(&mut self.code, &mut self.prologue);
        self.in_prologue = true;
        let result = make(self);
        self.in_prologue = false;
        std::mem::swap(&mut self.code, &mut self.prologue);
        self.location = location;
        result
    }

    // Registers.

    pub(super) fn fresh(&mut self, kind: Kind) -> Reg {
        let register = Reg::from_index(self.kinds.len());
        self.kinds.push(kind);
        register
    }

    /// Registers that follow each other.
    pub(super) fn fresh_all(&mut self, kinds: &[Kind]) -> Vec<Reg> {
        kinds.iter().map(|&kind| self.fresh(kind)).collect()
    }

    pub(super) fn kind_of(&self, register: Reg) -> Kind {
        match register.0 & CONSTANT {
            0 => self.kinds[register.index()],
            _ => self.constant_kinds[(register.0 ^ CONSTANT) as usize],
        }
    }

    pub(super) fn constant(&mut self, constant: Constant, kind: Kind) -> Reg {
        if let Some(&known) = self.known_constants.get(&(constant.clone(), kind)) {
            return known;
        }
        let register = Reg(CONSTANT | self.constants.len() as u32);
        self.constants.push(constant.clone());
        self.constant_kinds.push(kind);
        self.known_constants.insert((constant, kind), register);
        register
    }

    pub(super) fn int(&mut self, value: u64, width: u16) -> Reg {
        let mut words = vec![0; usize::from(width).div_ceil(64)];
        words[0] = value;
        self.constant(Constant::Bits(words.into()), Kind::Int(width))
    }

    /// The number a register holds for ever, if it does.
    pub(super) fn known_number(&self, register: Reg) -> Option<u64> {
        match register.0 & CONSTANT {
            0 => None,
            _ => self.constants[(register.0 ^ CONSTANT) as usize].as_u64(),
        }
    }

    pub(super) fn list(&mut self, registers: &[Reg]) -> Span {
        append(&mut self.body.operands, registers)
    }

    // Values.

    pub(super) fn define(&mut self, value: Value<'m>, registers: &[Reg]) {
        let span = append(&mut self.parts, registers);
        self.values.insert(value, span);
    }

    pub(super) fn parts_of(&mut self, whole: Type<'m>) -> Lowered<Rc<Parts>> {
        self.module.layouts.parts(whole)
    }

    pub(super) fn kinds_of(&mut self, whole: Type<'m>) -> Lowered<Vec<Kind>> {
        Ok(self.parts_of(whole)?.kinds.clone())
    }

    /// The register of a scalar value.
    pub(super) fn one(&mut self, value: Value<'m>) -> Lowered<Reg> {
        let span = self.span(value)?;
        match self.parts[span.range()] {
            [register] => Ok(register),
            _ => Err(format!(
                "a value of type {} where one number is expected",
                value.value_type().text()
            )),
        }
    }

    /// The registers of a value.
    pub(super) fn all(&mut self, value: Value<'m>) -> Lowered<Vec<Reg>> {
        let span = self.span(value)?;
        Ok(self.parts[span.range()].to_vec())
    }

    fn span(&mut self, value: Value<'m>) -> Lowered<Span> {
        if let Some(&known) = self.values.get(&value) {
            return Ok(known);
        }
        if let Some(message) = self.refused.get(&value) {
            return Err(message.clone());
        }
        if !value.is_constant() {
            return Err(format!("a value of type {}", value.value_type().text()));
        }
        let mut registers = Vec::new();
        self.constant_parts(value, &mut registers)?;
        self.define(value, &registers);
        Ok(self.values[&value])
    }

    fn constant_parts(&mut self, value: Value<'m>, registers: &mut Vec<Reg>) -> Lowered<()> {
        let whole = value.value_type();
        let parts = self.parts_of(whole)?;
        match value.kind() {
            ValueKind::Undef => {
                let undef = |kind: &Kind| self.constant(Constant::Undef, *kind);
                registers.extend(parts.kinds.iter().map(undef));
                return Ok(());
            }
            ValueKind::Poison => {
                let poison = |kind: &Kind| self.constant(Constant::Poison, *kind);
                registers.extend(parts.kinds.iter().map(poison));
                return Ok(());
            }
            _ => {}
        }
        let elements = match whole.kind() {
            TypeKind::Struct => whole.fields().len() as u64,
            TypeKind::Array { length, .. } => length,
            TypeKind::Vector { length, .. } => u64::from(length),
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Other => {
                let scalar = self.constant_scalar(value, parts.kinds[0])?;
                registers.push(scalar);
                return Ok(());
            }
        };
        if value.kind() == ValueKind::Expression {
            registers.extend(self.expression(value)?);
            return Ok(());
        }
        for index in 0..elements as u32 {
            let element = value.element(index);
            let element = element.ok_or_else(|| format!("the constant {}", value.text()))?;
            self.constant_parts(element, registers)?;
        }
        Ok(())
    }

    fn constant_scalar(&mut self, value: Value<'m>, kind: Kind) -> Lowered<Reg> {
        if let Some(constant) = self.module.fold(value)? {
            return Ok(self.constant(constant, kind));
        }
        match self.expression(value)?.as_slice() {
            [register] => Ok(*register),
            _ => Err(format!("the constant {}", value.text())),
        }
    }

    /// Computes a constant expression at the function's entry.
    fn expression(&mut self, value: Value<'m>) -> Lowered<Vec<Reg>> {
        let opcode = value.expression_opcode();
        self.at_entry(|this| this.operation(value, opcode))?;
        self.all(value)
    }

    // What the source says.

    fn variables(&mut self, instruction: Value<'m>) {
        for record in instruction.variable_records() {
            let Some((value, variable)) = self.module.source.variable(&record) else {
                continue;
            };
            let is_local = matches!(value.kind(), ValueKind::Instruction | ValueKind::Argument);
            let Some(&span) = self.values.get(&value).filter(|_| is_local) else {
                continue;
            };
            let &[register] = &self.parts[span.range()] else {
                continue;
            };
            let place = match variable.place {
                Place::Memory(_) => Place::Memory(register),
                Place::Value(_) => Place::Value(register),
            };
            self.body.variables.push(Variable { place, ..variable });
        }
    }

    fn annotation_of(&mut self, instruction: Value<'m>) {
        let kind = self.module.annotation_kind;
        let Some(node) = instruction.instruction_metadata(kind) else {
            return;
        };
        for text in node
            .operands()
            .into_iter()
            .flatten()
            .filter_map(|text| text.string())
        {
            self.annotate(text);
        }
    }

    // The end.

    fn finish(mut self, blocks: Vec<Code>) -> Body {
        let mut prologue = std::mem::take(&mut self.prologue);
        let mut starts = Vec::new();
        for (index, code) in blocks.into_iter().enumerate() {
            starts.push(self.body.code.len() as u32);
            if index == 0 {
                self.place(std::mem::take(&mut prologue));
            }
            self.place(code);
        }
        self.resolve_blocks(&starts);
        self.renumber();
        for (register, annotation) in std::mem::take(&mut self.annotated) {
            let target = Annotated::Register(self.id, register);
            self.module.program.annotations.push(Annotation {
                target,
                ..annotation
            });
        }
        self.body.kinds = self
            .constant_kinds
            .iter()
            .chain(&self.kinds)
            .copied()
            .collect();
        self.body.constants = std::mem::take(&mut self.constants);
        let mut seen = FxHashSet::default();
        self.body
            .variables
            .retain(|variable| seen.insert(variable.clone()));
        self.body.lines = self.lines();
        self.body.branches = branchings(&self.body);
        self.body
    }

    /// Appends code to the body.
    fn place(&mut self, code: Code) {
        let start = self.body.code.len();
        for (position, edge) in code.unwinds {
            self.body.unwinds.push(Unwind {
                call: (start + position) as u32,
                edge,
            });
        }
        for (position, text) in code.annotations {
            let target = Annotated::Instruction(self.id, (start + position) as u32);
            let annotation = Annotation {
                target,
                text,
                file: String::new(),
                line: 0,
            };
            self.module.program.annotations.push(annotation);
        }
        for (inst, location) in code.insts {
            self.body.code.push(inst);
            self.body.locations.push(location);
        }
    }

    fn resolve_blocks(&mut self, starts: &[u32]) {
        let end = self.body.code.len() as u32;
        let ends = starts.iter().skip(1).copied().chain([end]);
        let ranges = starts.iter().zip(ends);
        self.body.blocks = ranges
            .map(|(&start, end)| program::Block { start, end })
            .collect();
        for edge in &mut self.body.edges {
            edge.pc = starts[edge.target.index()];
        }
    }

    /// Makes register numbers final: constants in use first, then the others.
    fn renumber(&mut self) {
        let numbers = self.drop_unused_constants();
        let constants = self.constants.len() as u32;
        self.each_register(&mut |register| {
            *register = match *register {
                Reg::NONE => Reg::NONE,
                Reg(number) if number & CONSTANT != 0 => numbers[(number ^ CONSTANT) as usize],
                Reg(number) => Reg(number + constants),
            };
        });
    }

    /// Some constants only steered the lowering. Gives the final numbers of the others.
    fn drop_unused_constants(&mut self) -> Vec<Reg> {
        let mut used = vec![false; self.constants.len()];
        self.each_register(&mut |register| {
            if *register != Reg::NONE && register.0 & CONSTANT != 0 {
                used[(register.0 ^ CONSTANT) as usize] = true;
            }
        });
        let mut numbers = vec![Reg::NONE; used.len()];
        let all = std::mem::take(&mut self.constants).into_iter();
        let all = all.zip(std::mem::take(&mut self.constant_kinds));
        for (index, (constant, kind)) in all.enumerate().filter(|(index, _)| used[*index]) {
            numbers[index] = Reg::from_index(self.constants.len());
            self.constants.push(constant);
            self.constant_kinds.push(kind);
        }
        numbers
    }

    fn each_register(&mut self, visit: &mut impl FnMut(&mut Reg)) {
        let body = &mut self.body;
        for inst in &mut body.code {
            inst.registers_mut(visit);
        }
        body.operands.iter_mut().for_each(&mut *visit);
        for step in &mut body.moves {
            visit(&mut step.dst);
            visit(&mut step.src);
        }
        for variable in &mut body.variables {
            match &mut variable.place {
                Place::Memory(register) | Place::Value(register) => visit(register),
            }
        }
        for register in &mut self.annotated {
            visit(&mut register.0);
        }
    }

    fn lines(&self) -> Vec<Line> {
        let source = &self.module.source.source;
        let distinct: BTreeSet<LocationId> = self.body.locations.iter().copied().collect();
        let places = distinct
            .into_iter()
            .flat_map(|location| source.inlining(location));
        let lines = places.filter(|place| place.line > 0);
        let lines: BTreeSet<Line> = lines
            .filter_map(|place| {
                Some(Line {
                    file: place.file?,
                    line: place.line,
                })
            })
            .collect();
        lines.into_iter().collect()
    }

    pub(super) fn landing_pad(&mut self, pad: program::LandingPad) -> PadId {
        self.body.landing_pads.push(pad);
        PadId::from_index(self.body.landing_pads.len() - 1)
    }
}

/// The phis a block starts with.
pub(super) fn phis<'m>(block: Block<'m>) -> impl Iterator<Item = Value<'m>> {
    let is_phi = |instruction: &Value<'m>| matches!(instruction.opcode(), Opcode::LLVMPHI);
    block.instructions().take_while(is_phi)
}

fn append<T: Copy>(table: &mut Vec<T>, entries: &[T]) -> Span {
    let start = u32::try_from(table.len()).expect("a function has fewer than 2^32 operands");
    table.extend_from_slice(entries);
    Span {
        start,
        count: entries.len() as u32,
    }
}

fn branchings(body: &Body) -> Vec<Branching> {
    let ways = |inst: &Inst| -> Vec<EdgeId> {
        match *inst {
            Inst::Branch {
                then, otherwise, ..
            } => vec![then, otherwise],
            Inst::Switch { default, cases, .. } => body
                .cases(cases)
                .iter()
                .map(|case| case.edge)
                .chain([default])
                .collect(),
            Inst::IndirectJump { targets, .. } => body.targets(targets).to_vec(),
            _ => Vec::new(),
        }
    };
    let mut found = Vec::new();
    for (pc, inst) in body.code.iter().enumerate() {
        let mut edges = ways(inst);
        let mut seen = FxHashSet::default();
        edges.retain(|edge| seen.insert(*edge));
        if edges.len() > 1 {
            found.push(Branching {
                pc: pc as u32,
                location: body.locations[pc],
                edges,
            });
        }
    }
    found
}

fn is_terminator(instruction: Value<'_>) -> bool {
    match instruction.opcode() {
        Opcode::LLVMRet
        | Opcode::LLVMBr
        | Opcode::LLVMSwitch
        | Opcode::LLVMIndirectBr
        | Opcode::LLVMInvoke
        | Opcode::LLVMUnreachable
        | Opcode::LLVMCallBr
        | Opcode::LLVMResume
        | Opcode::LLVMCleanupRet
        | Opcode::LLVMCatchRet
        | Opcode::LLVMCatchSwitch => true,
        _ => false,
    }
}
