//! The frame of a function's code: registers, constants, blocks.
//!
//! Blocks are lowered one by one into code of their own, in an order in which
//! definitions come before uses; phis get their registers first. While that
//! goes on the number of constants is not known, so a register number with the
//! top bit set stands for a constant; [`finish`](FunctionLowering::finish)
//! renumbers everything and puts the blocks together (see `assemble`).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::edges::PendingEdge;
use super::{BlockOrder, ModuleLowering};
use crate::ids::{EdgeId, FunctionId, LocationId, PadId, Reg, Span};
use crate::inst::Inst;
use crate::layout::{Lowered, Parts};
use crate::llvm::{Block, Opcode, Type, TypeKind, Value, ValueKind};
use crate::ops::Kind;
use crate::program::{self, Annotation, Body, Constant};
use crate::promises::Origin;
use crate::source::{Place, Variable};

/// Marks a register number as that of a constant.
pub(super) const CONSTANT: u32 = 1 << 31;

/// Code under construction, each instruction with where it comes from.
#[derive(Default)]
pub(super) struct Code {
    pub(super) insts: Vec<(Inst, LocationId)>,
    /// Calls inside which exceptions are caught, by position here.
    pub(super) unwinds: Vec<(usize, EdgeId)>,
    /// Texts attached to the instruction at a position here.
    pub(super) annotations: Vec<(usize, String)>,
}

/// What is known while a function is lowered.
pub(super) struct FunctionLowering<'a, 'm> {
    pub(super) module: &'a mut ModuleLowering<'m>,
    pub(super) id: FunctionId,
    pub(super) order: Rc<BlockOrder<'m>>,
    /// Who compiled the function.
    pub(super) origin: Origin,
    /// The registers of each value, as runs of `parts`.
    values: FxHashMap<Value<'m>, Span>,
    parts: Vec<Reg>,
    /// Phis without registers, and why.
    refused: FxHashMap<Value<'m>, String>,
    pub(super) constants: Vec<Constant>,
    pub(super) constant_kinds: Vec<Kind>,
    known_constants: FxHashMap<(Constant, Kind), Reg>,
    pub(super) kinds: Vec<Kind>,
    /// What must run before everything else.
    pub(super) prologue: Code,
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
            origin: Origin::of(function),
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
        self.references_are_aligned(function);
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

    /// Takes back what was emitted in the block since that position.
    pub(super) fn forget_since(&mut self, position: usize) {
        self.code.insts.truncate(position);
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
        let undefined = match value.kind() {
            ValueKind::Undef => Some(Constant::Undef),
            ValueKind::Poison => Some(Constant::Poison),
            _ => None,
        };
        if let Some(undefined) = undefined {
            let part = |kind: &Kind| self.constant(undefined.clone(), *kind);
            registers.extend(parts.kinds.iter().map(part));
            return Ok(());
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

fn is_terminator(instruction: Value<'_>) -> bool {
    matches!(
        instruction.opcode(),
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
            | Opcode::LLVMCatchSwitch
    )
}
