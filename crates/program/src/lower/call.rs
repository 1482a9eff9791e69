//! Calls of functions, known and unknown.

use super::ParameterAttribute;
use super::function::FunctionLowering;
use crate::ids::{Reg, SignatureId};
use crate::inst::Inst;
use crate::layout::Lowered;
use crate::llvm::{IntPredicateCode, Opcode, TypeKind, Value, ValueKind};
use crate::program::{Address, Base, Constant};

/// Words after a call that change nothing for us: checks of the callee's type.
const HARMLESS_BUNDLES: [&str; 2] = ["kcfi", "cfguardtarget"];

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn call(&mut self, value: Value<'m>) -> Lowered<()> {
        let callee = value.callee();
        if callee.kind() == ValueKind::InlineAsm {
            return self.inline_asm(value);
        }
        if callee.kind() == ValueKind::Function
            && let Some(name) = callee.intrinsic_name()
        {
            return self.intrinsic(value, &name);
        }
        self.ordinary_call(value)
    }

    pub(super) fn invoke(&mut self, value: Value<'m>) -> Lowered<()> {
        let successors = self.current_block().successors();
        let before = self.next_position();
        self.call(value)?;
        // Invoked intrinsics may have become nothing, or something that throws nothing.
        if self.next_position() > before && self.last_is_call() {
            let landing = self.edge_to(successors[1]);
            self.catch_along(landing);
        }
        let edge = self.edge_to(successors[0]);
        self.emit(Inst::Jump { edge });
        Ok(())
    }

    fn ordinary_call(&mut self, value: Value<'m>) -> Lowered<()> {
        let mut bundles = value.call_bundles().into_iter();
        if let Some(tag) = bundles.find(|tag| !HARMLESS_BUNDLES.contains(&tag.as_str())) {
            return Err(format!("a call with the operand bundle \"{tag}\""));
        }
        let signature = self.call_signature(value)?;
        let mut args = Vec::new();
        for argument in value.call_arguments() {
            match argument.kind() {
                ValueKind::GlobalVariable => args.push(self.own_address(argument)?),
                _ => args.extend(self.all(argument)?),
            }
        }
        let callee = self.callee(value.callee())?;
        let args = self.list(&args);
        let kinds = self.kinds_of(value.value_type())?;
        let results = self.fresh_all(&kinds);
        let dst = results.first().copied().unwrap_or(Reg::NONE);
        self.emit(match callee {
            Callee::Known(function) => Inst::Call {
                function,
                args,
                dst,
                signature,
                is_read: !value
                    .users()
                    .into_iter()
                    .all(|user| tests_sign(user, value)),
            },
            Callee::Computed(callee) => Inst::CallIndirect {
                callee,
                args,
                dst,
                signature,
            },
        });
        self.define(value, &results);
        Ok(())
    }

    fn callee(&mut self, callee: Value<'m>) -> Lowered<Callee> {
        if callee.is_constant()
            && let Some(Constant::Address(Address {
                base: Base::Function(id),
                offset: 0,
            })) = self.module.fold(callee)?
        {
            return Ok(Callee::Known(id));
        }
        Ok(Callee::Computed(self.one(callee)?))
    }

    fn call_signature(&mut self, value: Value<'m>) -> Lowered<SignatureId> {
        let types: Vec<_> = value
            .call_arguments()
            .iter()
            .map(|arg| arg.value_type())
            .collect();
        let signature = self
            .module
            .shape(value.called_type(), &types, &|index, name| {
                ParameterAttribute {
                    present: value.call_argument_has(index, name),
                    value: value.call_argument_type(index, name),
                    number: value.call_argument_number(index, name),
                }
            })?;
        Ok(self.module.signature(signature))
    }
}

/// Whether an instruction only compares a value with zero or with -1, as one does with a result
/// that is negative after a failure.
fn tests_sign(user: Value<'_>, value: Value<'_>) -> bool {
    use IntPredicateCode::{LLVMIntEQ, LLVMIntNE, LLVMIntSGE, LLVMIntSGT, LLVMIntSLE, LLVMIntSLT};
    if user.opcode() != Opcode::LLVMICmp || user.operand(0) != value {
        return false;
    }
    let other = user.operand(1);
    if other.kind() != ValueKind::Int {
        return false;
    }
    let TypeKind::Int(width @ 1..=64) = other.value_type().kind() else {
        return false;
    };
    let is_minus_one = other.constant_words() == [u64::MAX >> (64 - width)];
    match user.int_predicate() {
        LLVMIntSLT | LLVMIntSGE => other.constant_words() == [0],
        LLVMIntSGT | LLVMIntSLE | LLVMIntEQ | LLVMIntNE => is_minus_one,
        _ => false,
    }
}

enum Callee {
    Known(crate::ids::FunctionId),
    Computed(Reg),
}
