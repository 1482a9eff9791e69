//! Instructions one by one: arithmetic, comparisons, conversions, control.

use super::function::FunctionLowering;
use crate::ids::{EdgeId, Reg};
use crate::inst::Inst;
use crate::layout::Lowered;
use crate::llvm::{
    Block, FloatPredicateCode, IntPredicateCode, Opcode, TypeKind, Value, ValueKind,
};
use crate::ops::{BinaryOp, CastOp, Flags, FloatKind, FloatOp, FloatPredicate, Kind, Predicate};
use crate::program::{Case, Clause, Constant, LandingPad};

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn instruction(&mut self, value: Value<'m>) -> Lowered<()> {
        match value.opcode() {
            Opcode::LLVMRet => {
                let values = match value.operand_count() {
                    0 => Vec::new(),
                    _ => self.all(value.operand(0))?,
                };
                let values = self.list(&values);
                self.emit(Inst::Return { values });
                Ok(())
            }
            Opcode::LLVMBr => self.branch(value),
            Opcode::LLVMSwitch => self.switch(value),
            Opcode::LLVMIndirectBr => self.indirect_jump(value),
            Opcode::LLVMUnreachable => {
                self.emit(Inst::Unreachable);
                Ok(())
            }
            Opcode::LLVMResume => {
                let values = self.all(value.operand(0))?;
                let values = self.list(&values);
                self.emit(Inst::Resume { values });
                Ok(())
            }
            Opcode::LLVMLandingPad => self.landing(value),
            Opcode::LLVMPHI => Ok(()),
            Opcode::LLVMCall => self.call(value),
            Opcode::LLVMInvoke => self.invoke(value),
            Opcode::LLVMAlloca => self.alloca(value),
            Opcode::LLVMLoad => self.load(value),
            Opcode::LLVMStore => self.store(value),
            Opcode::LLVMFence => self.fence(value),
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(value),
            Opcode::LLVMAtomicRMW => self.atomic_rmw(value),
            Opcode::LLVMVAArg => self.va_arg(value),
            opcode => self.operation(value, opcode),
        }
    }

    /// An operation without effects, as instruction or as constant expression.
    pub(super) fn operation(&mut self, value: Value<'m>, opcode: Opcode) -> Lowered<()> {
        match opcode {
            Opcode::LLVMAdd => self.binary(value, BinaryOp::Add),
            Opcode::LLVMSub => self.binary(value, BinaryOp::Sub),
            Opcode::LLVMMul => self.binary(value, BinaryOp::Mul),
            Opcode::LLVMUDiv => self.binary(value, BinaryOp::UDiv),
            Opcode::LLVMSDiv => self.binary(value, BinaryOp::SDiv),
            Opcode::LLVMURem => self.binary(value, BinaryOp::URem),
            Opcode::LLVMSRem => self.binary(value, BinaryOp::SRem),
            Opcode::LLVMShl => self.binary(value, BinaryOp::Shl),
            Opcode::LLVMLShr => self.binary(value, BinaryOp::LShr),
            Opcode::LLVMAShr => self.binary(value, BinaryOp::AShr),
            Opcode::LLVMAnd => self.binary(value, BinaryOp::And),
            Opcode::LLVMOr => self.binary(value, BinaryOp::Or),
            Opcode::LLVMXor => self.binary(value, BinaryOp::Xor),
            Opcode::LLVMFAdd => self.float_binary(value, FloatOp::Add),
            Opcode::LLVMFSub => self.float_binary(value, FloatOp::Sub),
            Opcode::LLVMFMul => self.float_binary(value, FloatOp::Mul),
            Opcode::LLVMFDiv => self.float_binary(value, FloatOp::Div),
            Opcode::LLVMFRem => self.float_binary(value, FloatOp::Rem),
            Opcode::LLVMFNeg => self.float_negate(value),
            Opcode::LLVMICmp => self.compare(value),
            Opcode::LLVMFCmp => {
                let predicate = float_predicate(value.float_predicate());
                self.float_compare(value, predicate)
            }
            Opcode::LLVMTrunc => self.cast(value, CastOp::Trunc),
            Opcode::LLVMZExt => self.cast(value, CastOp::ZExt),
            Opcode::LLVMSExt => self.cast(value, CastOp::SExt),
            Opcode::LLVMFPToUI => self.cast(value, CastOp::FloatToUnsigned),
            Opcode::LLVMFPToSI => self.cast(value, CastOp::FloatToSigned),
            Opcode::LLVMUIToFP => self.cast(value, CastOp::UnsignedToFloat),
            Opcode::LLVMSIToFP => self.cast(value, CastOp::SignedToFloat),
            Opcode::LLVMFPTrunc => self.cast(value, CastOp::FloatTrunc),
            Opcode::LLVMFPExt => self.cast(value, CastOp::FloatExt),
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr => self.cast(value, CastOp::PtrToInt),
            Opcode::LLVMIntToPtr => self.cast(value, CastOp::IntToPtr),
            Opcode::LLVMBitCast => self.bit_cast(value),
            Opcode::LLVMAddrSpaceCast => Err("a cast between address spaces".into()),
            Opcode::LLVMSelect => self.select(value),
            Opcode::LLVMFreeze => {
                let operands = self.all(value.operand(0))?;
                let kinds = self.kinds_of(value.value_type())?;
                let results = self.fresh_all(&kinds);
                for (&dst, &src) in results.iter().zip(&operands) {
                    self.emit(Inst::Freeze { dst, src });
                }
                self.define(value, &results);
                Ok(())
            }
            Opcode::LLVMGetElementPtr => self.address(value),
            Opcode::LLVMExtractElement => self.extract_element(value),
            Opcode::LLVMInsertElement => self.insert_element(value),
            Opcode::LLVMShuffleVector => self.shuffle(value),
            Opcode::LLVMExtractValue => self.extract_value(value),
            Opcode::LLVMInsertValue => self.insert_value(value),
            Opcode::LLVMCallBr => Err("an asm goto (callbr)".into()),
            Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchPad
            | Opcode::LLVMCleanupPad
            | Opcode::LLVMCatchSwitch => Err("Windows exception handling".into()),
            Opcode::LLVMRet
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMInvoke
            | Opcode::LLVMUnreachable
            | Opcode::LLVMAlloca
            | Opcode::LLVMLoad
            | Opcode::LLVMStore
            | Opcode::LLVMPHI
            | Opcode::LLVMCall
            | Opcode::LLVMUserOp1
            | Opcode::LLVMUserOp2
            | Opcode::LLVMVAArg
            | Opcode::LLVMFence
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMResume
            | Opcode::LLVMLandingPad => Err(format!("the operation {}", value.text())),
        }
    }

    // Element by element.

    /// Makes one instruction for each element of two operands.
    pub(super) fn zip(
        &mut self,
        value: Value<'m>,
        a: Value<'m>,
        b: Value<'m>,
        make: impl Fn(Kind, Reg, Reg, Reg) -> Inst,
    ) -> Lowered<()> {
        let (a, b) = (self.all(a)?, self.all(b)?);
        let kinds = self.kinds_of(value.value_type())?;
        let results = self.fresh_all(&kinds);
        for ((&dst, a), b) in results.iter().zip(a).zip(b) {
            let inst = make(self.kind_of(a), dst, a, b);
            self.emit(inst);
        }
        self.define(value, &results);
        Ok(())
    }

    fn binary(&mut self, value: Value<'m>, op: BinaryOp) -> Lowered<()> {
        let flags = value.flags();
        self.zip(
            value,
            value.operand(0),
            value.operand(1),
            |kind, dst, a, b| Inst::Binary {
                op,
                flags,
                width: kind.bits() as u16,
                dst,
                a,
                b,
            },
        )
    }

    pub(super) fn float_binary(&mut self, value: Value<'m>, op: FloatOp) -> Lowered<()> {
        let kind = self.float_kind(value.operand(0))?;
        self.zip(value, value.operand(0), value.operand(1), |_, dst, a, b| {
            Inst::FloatBinary {
                op,
                kind,
                dst,
                a,
                b,
            }
        })
    }

    fn float_negate(&mut self, value: Value<'m>) -> Lowered<()> {
        let kind = self.float_kind(value.operand(0))?;
        let operand = value.operand(0);
        self.zip(value, operand, operand, |_, dst, src, _| {
            Inst::FloatNegate { kind, dst, src }
        })
    }

    fn compare(&mut self, value: Value<'m>) -> Lowered<()> {
        let predicate = int_predicate(value.int_predicate());
        self.zip(
            value,
            value.operand(0),
            value.operand(1),
            |kind, dst, a, b| match kind {
                Kind::Ptr => Inst::ComparePointers {
                    predicate,
                    dst,
                    a,
                    b,
                },
                Kind::Int(_) | Kind::Float(_) => Inst::Compare {
                    predicate,
                    width: kind.bits() as u16,
                    dst,
                    a,
                    b,
                },
            },
        )
    }

    pub(super) fn float_compare(
        &mut self,
        value: Value<'m>,
        predicate: FloatPredicate,
    ) -> Lowered<()> {
        let kind = self.float_kind(value.operand(0))?;
        self.zip(value, value.operand(0), value.operand(1), |_, dst, a, b| {
            Inst::FloatCompare {
                predicate,
                kind,
                dst,
                a,
                b,
            }
        })
    }

    /// The format of a floating-point number or of a vector's elements.
    fn float_kind(&mut self, value: Value<'m>) -> Lowered<FloatKind> {
        match self.kinds_of(value.value_type())?.first() {
            Some(Kind::Float(kind)) => Ok(*kind),
            Some(Kind::Int(_) | Kind::Ptr) | None => Err(format!(
                "floating-point arithmetic on type {}",
                value.value_type().text()
            )),
        }
    }

    pub(super) fn cast(&mut self, value: Value<'m>, op: CastOp) -> Lowered<()> {
        // Casts are also made of calls, which have no flags.
        let has_flags = value.kind() == ValueKind::Expression
            || !matches!(value.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke);
        let flags = if has_flags {
            value.flags()
        } else {
            Flags::default()
        };
        let kinds = self.kinds_of(value.value_type())?;
        let Some(&to) = kinds.first() else {
            return Err("a cast of nothing".into());
        };
        let operand = value.operand(0);
        self.zip(value, operand, operand, |from, dst, src, _| Inst::Cast {
            op,
            flags,
            from,
            to,
            dst,
            src,
        })
    }

    fn bit_cast(&mut self, value: Value<'m>) -> Lowered<()> {
        let source = self.all(value.operand(0))?;
        let kinds = self.kinds_of(value.value_type())?;
        let result = self.regroup(&source, &kinds)?;
        self.define(value, &result);
        Ok(())
    }

    fn select(&mut self, value: Value<'m>) -> Lowered<()> {
        let conditions = self.all(value.operand(0))?;
        let is_vector = matches!(
            value.operand(0).value_type().kind(),
            TypeKind::Vector { .. }
        );
        let (then, otherwise) = (self.all(value.operand(1))?, self.all(value.operand(2))?);
        let kinds = self.kinds_of(value.value_type())?;
        let results = self.fresh_all(&kinds);
        for (index, &dst) in results.iter().enumerate() {
            let condition = conditions[if is_vector { index } else { 0 }];
            let (then, otherwise) = (then[index], otherwise[index]);
            self.emit(Inst::Select {
                dst,
                condition,
                then,
                otherwise,
            });
        }
        self.define(value, &results);
        Ok(())
    }

    // Control.

    fn branch(&mut self, value: Value<'m>) -> Lowered<()> {
        let successors = self.current_block().successors();
        match value.condition() {
            None => {
                let edge = self.edge_to(successors[0]);
                self.emit(Inst::Jump { edge });
            }
            Some(condition) => {
                let condition = self.one(condition)?;
                let then = self.edge_to(successors[0]);
                let otherwise = self.edge_to(successors[1]);
                self.emit(Inst::Branch {
                    condition,
                    then,
                    otherwise,
                });
            }
        }
        Ok(())
    }

    fn switch(&mut self, value: Value<'m>) -> Lowered<()> {
        let successors = self.current_block().successors();
        let chosen = value.operand(0);
        let mut register = self.one(chosen)?;
        let mut width = self.kind_of(register).bits() as u16;
        let default = self.edge_to(successors[0]);
        let mut cases = Vec::new();
        if width <= 64 {
            for (index, &target) in (0..).zip(&successors).skip(1) {
                let value = value.case_value(index).constant_words()[0];
                cases.push(Case {
                    value,
                    edge: self.edge_to(target),
                });
            }
        } else {
            (register, cases) = self.wide_switch(value, register, width, &successors)?;
            width = 32;
        }
        cases.sort_by_key(|case| case.value);
        let start = self.body.cases.len() as u32;
        self.body.cases.extend(&cases);
        let cases = crate::ids::Span {
            start,
            count: cases.len() as u32,
        };
        self.emit(Inst::Switch {
            width,
            value: register,
            default,
            cases,
        });
        Ok(())
    }

    /// Finds the number of the case by comparisons, so that cases stay small.
    fn wide_switch(
        &mut self,
        value: Value<'m>,
        chosen: Reg,
        width: u16,
        successors: &[Block<'m>],
    ) -> Lowered<(Reg, Vec<Case>)> {
        let mut cases = Vec::new();
        let mut number = self.int(0, 32);
        for (index, &target) in (0_u32..).zip(successors).skip(1) {
            let case = self.one(value.case_value(index))?;
            let condition = self.fresh(Kind::Int(1));
            let predicate = Predicate::Eq;
            self.emit(Inst::Compare {
                predicate,
                width,
                dst: condition,
                a: chosen,
                b: case,
            });
            let (then, otherwise) = (self.int(u64::from(index), 32), number);
            number = self.fresh(Kind::Int(32));
            self.emit(Inst::Select {
                dst: number,
                condition,
                then,
                otherwise,
            });
            cases.push(Case {
                value: u64::from(index),
                edge: self.edge_to(target),
            });
        }
        Ok((number, cases))
    }

    fn indirect_jump(&mut self, value: Value<'m>) -> Lowered<()> {
        let address = self.one(value.operand(0))?;
        let mut targets: Vec<EdgeId> = Vec::new();
        for block in self.current_block().successors() {
            let edge = self.edge_to(block);
            if !targets.contains(&edge) {
                targets.push(edge);
            }
        }
        let start = self.body.targets.len() as u32;
        self.body.targets.extend(&targets);
        let targets = crate::ids::Span {
            start,
            count: targets.len() as u32,
        };
        self.emit(Inst::IndirectJump { address, targets });
        Ok(())
    }

    fn landing(&mut self, value: Value<'m>) -> Lowered<()> {
        let kinds = self.kinds_of(value.value_type())?;
        if kinds != [Kind::Ptr, Kind::Int(32)] {
            return Err(format!(
                "a landing pad of type {}",
                value.value_type().text()
            ));
        }
        let mut clauses = Vec::new();
        for clause in value.clauses() {
            clauses.push(self.clause(clause)?);
        }
        let pad = self.landing_pad(LandingPad {
            cleanup: value.is_cleanup(),
            clauses,
        });
        let results = self.fresh_all(&kinds);
        self.emit(Inst::LandingPad {
            dst: results[0],
            pad,
        });
        self.define(value, &results);
        Ok(())
    }

    fn clause(&mut self, clause: Value<'m>) -> Lowered<Clause> {
        let TypeKind::Array { length, .. } = clause.value_type().kind() else {
            return Ok(Clause::Catch(self.type_of_exception(clause)?));
        };
        let mut types = Vec::new();
        for index in 0..length as u32 {
            let found = clause.element(index);
            let found = found.ok_or_else(|| format!("the filter {}", clause.text()))?;
            types.push(self.type_of_exception(found)?);
        }
        Ok(Clause::Filter(types))
    }

    fn type_of_exception(&mut self, value: Value<'m>) -> Lowered<Constant> {
        self.module
            .fold(value)?
            .ok_or_else(|| format!("the exception type {}", value.text()))
    }

    pub(super) fn current_block(&self) -> Block<'m> {
        self.current.expect("instructions are in a block")
    }
}

fn int_predicate(code: IntPredicateCode) -> Predicate {
    match code {
        IntPredicateCode::LLVMIntEQ => Predicate::Eq,
        IntPredicateCode::LLVMIntNE => Predicate::Ne,
        IntPredicateCode::LLVMIntUGT => Predicate::Ugt,
        IntPredicateCode::LLVMIntUGE => Predicate::Uge,
        IntPredicateCode::LLVMIntULT => Predicate::Ult,
        IntPredicateCode::LLVMIntULE => Predicate::Ule,
        IntPredicateCode::LLVMIntSGT => Predicate::Sgt,
        IntPredicateCode::LLVMIntSGE => Predicate::Sge,
        IntPredicateCode::LLVMIntSLT => Predicate::Slt,
        IntPredicateCode::LLVMIntSLE => Predicate::Sle,
    }
}

fn float_predicate(code: FloatPredicateCode) -> FloatPredicate {
    match code {
        FloatPredicateCode::LLVMRealPredicateFalse => FloatPredicate::False,
        FloatPredicateCode::LLVMRealOEQ => FloatPredicate::Oeq,
        FloatPredicateCode::LLVMRealOGT => FloatPredicate::Ogt,
        FloatPredicateCode::LLVMRealOGE => FloatPredicate::Oge,
        FloatPredicateCode::LLVMRealOLT => FloatPredicate::Olt,
        FloatPredicateCode::LLVMRealOLE => FloatPredicate::Ole,
        FloatPredicateCode::LLVMRealONE => FloatPredicate::One,
        FloatPredicateCode::LLVMRealORD => FloatPredicate::Ord,
        FloatPredicateCode::LLVMRealUNO => FloatPredicate::Uno,
        FloatPredicateCode::LLVMRealUEQ => FloatPredicate::Ueq,
        FloatPredicateCode::LLVMRealUGT => FloatPredicate::Ugt,
        FloatPredicateCode::LLVMRealUGE => FloatPredicate::Uge,
        FloatPredicateCode::LLVMRealULT => FloatPredicate::Ult,
        FloatPredicateCode::LLVMRealULE => FloatPredicate::Ule,
        FloatPredicateCode::LLVMRealUNE => FloatPredicate::Une,
        FloatPredicateCode::LLVMRealPredicateTrue => FloatPredicate::True,
    }
}
