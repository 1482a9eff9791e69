//! Assumptions added to a module.

use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::{
    LLVMBuildCall2, LLVMBuildICmp, LLVMBuildSub, LLVMConstInt, LLVMCreateBuilderInContext,
    LLVMDisposeBuilder, LLVMGetIntrinsicDeclaration, LLVMGetNextInstruction,
    LLVMGlobalGetValueType, LLVMLookupIntrinsicID, LLVMPositionBuilderBefore,
    LLVMSetCurrentDebugLocation2, LLVMTypeOf,
};
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};

use super::{Module, TypeKind, Value};

const UNNAMED: *const std::ffi::c_char = c"".as_ptr();
const ASSUME: &str = "llvm.assume";

/// Adds calls of `llvm.assume` to a module; handles read from it before stay valid.
pub(crate) struct Assumptions<'m> {
    module: &'m Module<'m>,
    builder: LLVMBuilderRef,
    assume: LLVMValueRef,
}

impl Drop for Assumptions<'_> {
    fn drop(&mut self) {
        // SAFETY: the builder is ours.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

impl<'m> Assumptions<'m> {
    pub(crate) fn new<'c: 'm>(module: &'m mut Module<'c>) -> Self {
        let module: &'m Module<'m> = module;
        // SAFETY: context and module are live, and borrowed mutably by whoever made this; the
        // intrinsic has no types to choose. The builder is disposed of in `drop`.
        let (builder, assume) = unsafe {
            let id = LLVMLookupIntrinsicID(ASSUME.as_ptr().cast(), ASSUME.len());
            let assume = LLVMGetIntrinsicDeclaration(module.raw, id, std::ptr::null_mut(), 0);
            (LLVMCreateBuilderInContext(module.context.raw), assume)
        };
        Self {
            module,
            builder,
            assume,
        }
    }

    pub(crate) fn module(&self) -> &'m Module<'m> {
        self.module
    }

    /// Behind an instruction that is neither a phi nor the end of its block: the integer of at
    /// most 64 bits is from `low` up to what is before `high`, counted around.
    pub(crate) fn is_within(&self, after: Value<'m>, value: Value<'m>, low: u64, high: u64) {
        let TypeKind::Int(width) = value.value_type().kind() else {
            return;
        };
        let mask = u64::MAX >> (64 - width.min(64));
        // SAFETY: the instruction is not the last of its block, the value is there before what
        // comes next, and what is compared with it has its type.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, LLVMGetNextInstruction(after.raw));
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(after.raw));
            let kind = LLVMTypeOf(value.raw);
            let number = |number: u64| LLVMConstInt(kind, number & mask, 0);
            let distance = match low {
                0 => value.raw,
                _ => LLVMBuildSub(self.builder, value.raw, number(low), UNNAMED),
            };
            let mut condition = LLVMBuildICmp(
                self.builder,
                LLVMIntPredicate::LLVMIntULT,
                distance,
                number(high.wrapping_sub(low)),
                UNNAMED,
            );
            let kind = LLVMGlobalGetValueType(self.assume);
            LLVMBuildCall2(
                self.builder,
                kind,
                self.assume,
                &raw mut condition,
                1,
                UNNAMED,
            );
        }
    }
}
