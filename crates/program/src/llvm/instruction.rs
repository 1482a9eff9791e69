//! Instructions: what each says beyond its operands.

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMDbgRecordRef, LLVMValueRef};
use llvm_sys::{
    LLVMGEPFlagInBounds, LLVMGEPFlagNUSW, LLVMGEPFlagNUW, LLVMOpaqueOperandBundle, LLVMTailCallKind,
};

use super::metadata::Metadata;
use super::{Block, Type, Value, ValueKind, copy_string};
use crate::ops::Flags;

pub(crate) use llvm_sys::LLVMAtomicOrdering as OrderingCode;
pub(crate) use llvm_sys::LLVMAtomicRMWBinOp as RmwCode;
pub(crate) use llvm_sys::LLVMDbgRecordKind as RecordKind;
pub(crate) use llvm_sys::LLVMIntPredicate as IntPredicateCode;
pub(crate) use llvm_sys::LLVMOpcode as Opcode;
pub(crate) use llvm_sys::LLVMRealPredicate as FloatPredicateCode;

/// Panics unless the value is what the `IsA` question asks.
macro_rules! assert_is {
    ($value:expr, $($is_a:ident)|+) => {
        // SAFETY: the value is live.
        let is_one = $(unsafe { !$is_a($value.raw).is_null() })||+;
        assert!(is_one, concat!("the value answers ", $(stringify!($is_a), " ",)+));
    };
}

/// A variable of the source named at an instruction.
pub(crate) struct VariableRecord<'m> {
    pub kind: RecordKind,
    pub variable: Metadata<'m>,
    pub expression: Metadata<'m>,
    pub location: Option<Metadata<'m>>,
    record: LLVMDbgRecordRef,
}

impl<'m> VariableRecord<'m> {
    /// What the variable is, or where. Only to be asked of records whose
    /// expression is empty: others may have no operand at all.
    pub(crate) fn value(&self) -> Option<Value<'m>> {
        // SAFETY: the record is a live variable record; one without an
        // expression has exactly one operand, or none and then LLVM says null.
        unsafe { Value::from_nullable(LLVMDbgVariableRecordGetValue(self.record, 0)) }
    }
}

impl<'m> Value<'m> {
    /// Takes an instruction from its place, to before another one of its function.
    pub(crate) fn move_before(self, other: Self) {
        assert_is!(self, LLVMIsAInstruction);
        assert_is!(other, LLVMIsAInstruction);
        // SAFETY: both are instructions; the builder is disposed of.
        unsafe {
            let builder = LLVMCreateBuilderInContext(LLVMGetValueContext(self.raw));
            LLVMInstructionRemoveFromParent(self.raw);
            LLVMPositionBuilderBefore(builder, other.raw);
            LLVMInsertIntoBuilder(builder, self.raw);
            LLVMDisposeBuilder(builder);
        }
    }

    pub(crate) fn opcode(self) -> Opcode {
        assert_is!(self, LLVMIsAInstruction);
        // SAFETY: it is an instruction.
        unsafe { LLVMGetInstructionOpcode(self.raw) }
    }

    /// Whether an instruction must stay where its block begins.
    pub(crate) fn is_pinned(self) -> bool {
        matches!(
            self.opcode(),
            Opcode::LLVMPHI
                | Opcode::LLVMLandingPad
                | Opcode::LLVMCatchPad
                | Opcode::LLVMCleanupPad
                | Opcode::LLVMCatchSwitch
        )
    }

    /// The promises of an arithmetic instruction, conversion or address computation.
    pub(crate) fn flags(self) -> Flags {
        let opcode = match self.kind() {
            ValueKind::Expression => self.expression_opcode(),
            _ => self.opcode(),
        };
        let raw = self.raw;
        let when = |set: bool, flag: Flags| if set { flag } else { Flags::default() };
        match opcode {
            Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMShl
            | Opcode::LLVMTrunc
                if self.kind() == ValueKind::Instruction =>
            {
                // SAFETY: the instruction has both flags.
                let (nuw, nsw) = unsafe { (LLVMGetNUW(raw) != 0, LLVMGetNSW(raw) != 0) };
                when(nuw, Flags::NUW).with(when(nsw, Flags::NSW))
            }
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr => {
                // SAFETY: the instruction has the flag.
                when(unsafe { LLVMGetExact(raw) } != 0, Flags::EXACT)
            }
            Opcode::LLVMOr => {
                // SAFETY: the instruction has the flag.
                when(unsafe { LLVMGetIsDisjoint(raw) } != 0, Flags::DISJOINT)
            }
            Opcode::LLVMZExt | Opcode::LLVMUIToFP => {
                // SAFETY: the instruction has the flag.
                when(unsafe { LLVMGetNNeg(raw) } != 0, Flags::NNEG)
            }
            Opcode::LLVMGetElementPtr => {
                // SAFETY: it computes an address, as instruction or as expression.
                let set = unsafe { LLVMGEPGetNoWrapFlags(raw) };
                when(set & LLVMGEPFlagInBounds != 0, Flags::INBOUNDS)
                    .with(when(set & LLVMGEPFlagNUSW != 0, Flags::NSW))
                    .with(when(set & LLVMGEPFlagNUW != 0, Flags::NUW))
            }
            // The others make no promises, or none that matter here.
            _ => Flags::default(),
        }
    }

    pub(crate) fn int_predicate(self) -> IntPredicateCode {
        assert_is!(self, LLVMIsAICmpInst);
        // SAFETY: it compares integers or addresses.
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    pub(crate) fn float_predicate(self) -> FloatPredicateCode {
        assert_is!(self, LLVMIsAFCmpInst);
        // SAFETY: it compares floating-point numbers.
        unsafe { LLVMGetFCmpPredicate(self.raw) }
    }

    /// The alignment in bytes of an allocation or access.
    pub(crate) fn access_align(self) -> u64 {
        assert_is!(
            self,
            LLVMIsAAllocaInst
                | LLVMIsALoadInst
                | LLVMIsAStoreInst
                | LLVMIsAAtomicRMWInst
                | LLVMIsAAtomicCmpXchgInst
        );
        // SAFETY: the instruction has an alignment.
        u64::from(unsafe { LLVMGetAlignment(self.raw) })
    }

    pub(crate) fn is_volatile(self) -> bool {
        assert_is!(
            self,
            LLVMIsALoadInst | LLVMIsAStoreInst | LLVMIsAAtomicRMWInst | LLVMIsAAtomicCmpXchgInst
        );
        // SAFETY: the instruction accesses memory.
        unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    /// Whether it is an access that other threads see as a whole.
    pub(crate) fn is_atomic(self) -> bool {
        match self.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMStore => {
                self.ordering() != OrderingCode::LLVMAtomicOrderingNotAtomic
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => true,
            _ => false,
        }
    }

    pub(crate) fn ordering(self) -> OrderingCode {
        assert_is!(
            self,
            LLVMIsALoadInst | LLVMIsAStoreInst | LLVMIsAAtomicRMWInst | LLVMIsAFenceInst
        );
        // SAFETY: the instruction has an ordering.
        unsafe { LLVMGetOrdering(self.raw) }
    }

    /// The orderings of a compare-and-exchange when it succeeds and fails.
    pub(crate) fn exchange_orderings(self) -> (OrderingCode, OrderingCode) {
        assert_is!(self, LLVMIsAAtomicCmpXchgInst);
        // SAFETY: it is a compare-and-exchange.
        unsafe {
            (
                LLVMGetCmpXchgSuccessOrdering(self.raw),
                LLVMGetCmpXchgFailureOrdering(self.raw),
            )
        }
    }

    pub(crate) fn is_weak(self) -> bool {
        assert_is!(self, LLVMIsAAtomicCmpXchgInst);
        // SAFETY: it is a compare-and-exchange.
        unsafe { LLVMGetWeak(self.raw) != 0 }
    }

    pub(crate) fn rmw_operation(self) -> RmwCode {
        assert_is!(self, LLVMIsAAtomicRMWInst);
        // SAFETY: it is an atomic update.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    pub(crate) fn allocated_type(self) -> Type<'m> {
        assert_is!(self, LLVMIsAAllocaInst);
        // SAFETY: it is an allocation.
        unsafe { Type::from_raw(LLVMGetAllocatedType(self.raw)) }
    }

    /// The type an address computation steps through.
    pub(crate) fn stepped_type(self) -> Type<'m> {
        let is_expression = self.kind() == ValueKind::Expression
            && matches!(self.expression_opcode(), Opcode::LLVMGetElementPtr);
        if !is_expression {
            assert_is!(self, LLVMIsAGetElementPtrInst);
        }
        // SAFETY: it computes an address, as instruction or as expression.
        unsafe { Type::from_raw(LLVMGetGEPSourceElementType(self.raw)) }
    }

    /// The constant indices of an `extractvalue` or `insertvalue`.
    pub(crate) fn aggregate_indices(self) -> Vec<u32> {
        assert_is!(self, LLVMIsAExtractValueInst | LLVMIsAInsertValueInst);
        // SAFETY: the instruction has indices.
        let (count, raw) = unsafe { (LLVMGetNumIndices(self.raw), LLVMGetIndices(self.raw)) };
        // SAFETY: there are as many as were counted.
        unsafe { std::slice::from_raw_parts(raw, count as usize) }.to_vec()
    }

    /// Which elements a shuffle takes; none is poison.
    pub(crate) fn shuffle_mask(self) -> Vec<Option<usize>> {
        assert_is!(self, LLVMIsAShuffleVectorInst);
        // SAFETY: it is a shuffle.
        let count = unsafe { LLVMGetNumMaskElements(self.raw) };
        // SAFETY: the element exists.
        let element = |index| unsafe { LLVMGetMaskValue(self.raw, index) };
        (0..count)
            .map(|index| usize::try_from(element(index)).ok())
            .collect()
    }

    // Control.

    /// The condition of a branch, if it has one.
    pub(crate) fn condition(self) -> Option<Self> {
        assert_is!(self, LLVMIsABranchInst);
        // SAFETY: it is a branch.
        if unsafe { LLVMIsConditional(self.raw) } == 0 {
            return None;
        }
        // SAFETY: the branch has a condition.
        unsafe { Self::from_nullable(LLVMGetCondition(self.raw)) }
    }

    /// The value of a switch's case; its target is the successor of the same number.
    /// Successor 0 is the default and has none.
    pub(crate) fn case_value(self, successor: u32) -> Self {
        assert_is!(self, LLVMIsASwitchInst);
        // SAFETY: it is a terminator.
        let count = unsafe { LLVMGetNumSuccessors(self.raw) };
        assert!(0 < successor && successor < count, "the case exists");
        // SAFETY: the case exists.
        unsafe { Self::from_raw(LLVMGetSwitchCaseValue(self.raw, successor)) }
    }

    /// What a phi takes from each predecessor.
    pub(crate) fn incoming(self) -> impl Iterator<Item = (Block<'m>, Self)> {
        assert_is!(self, LLVMIsAPHINode);
        // SAFETY: it is a phi.
        let count = unsafe { LLVMCountIncoming(self.raw) };
        (0..count).map(move |index| {
            // SAFETY: the entry exists.
            let block = unsafe { Block::from_raw(LLVMGetIncomingBlock(self.raw, index)) };
            // SAFETY: the entry exists.
            let value = unsafe { Self::from_raw(LLVMGetIncomingValue(self.raw, index)) };
            (block, value)
        })
    }

    // Calls.

    pub(super) fn assert_call(self) {
        assert_is!(
            self,
            LLVMIsACallInst | LLVMIsAInvokeInst | LLVMIsACallBrInst
        );
    }

    pub(crate) fn callee(self) -> Self {
        self.assert_call();
        // SAFETY: it is a call.
        unsafe { Self::from_raw(LLVMGetCalledValue(self.raw)) }
    }

    /// Whether a call takes the place of the function that it is in, which returns right after.
    pub(crate) fn is_musttail(self) -> bool {
        // SAFETY: the value is live, and only a call is asked for more.
        unsafe {
            !LLVMIsACallInst(self.raw).is_null()
                && LLVMGetTailCallKind(self.raw) == LLVMTailCallKind::LLVMTailCallKindMustTail
        }
    }

    /// The prototype a call is made with.
    pub(crate) fn called_type(self) -> Type<'m> {
        self.assert_call();
        // SAFETY: it is a call.
        unsafe { Type::from_raw(LLVMGetCalledFunctionType(self.raw)) }
    }

    pub(crate) fn call_arguments(self) -> Vec<Self> {
        self.assert_call();
        // SAFETY: it is a call.
        let count = unsafe { LLVMGetNumArgOperands(self.raw) };
        (0..count).map(|index| self.operand(index)).collect()
    }

    /// The words after a call that say something about it, as `funclet`.
    pub(crate) fn call_bundles(self) -> Vec<String> {
        self.assert_call();
        // SAFETY: it is a call.
        let count = unsafe { LLVMGetNumOperandBundles(self.raw) };
        (0..count)
            .map(|index| bundle_tag(self.raw, index))
            .collect()
    }

    /// Whether a landing pad cleans up.
    pub(crate) fn is_cleanup(self) -> bool {
        assert_is!(self, LLVMIsALandingPadInst);
        // SAFETY: it is a landing pad.
        unsafe { LLVMIsCleanup(self.raw) != 0 }
    }

    /// What a landing pad tests for: a filter is an array.
    pub(crate) fn clauses(self) -> Vec<Self> {
        assert_is!(self, LLVMIsALandingPadInst);
        // SAFETY: it is a landing pad.
        let count = unsafe { LLVMGetNumClauses(self.raw) };
        // SAFETY: the clause exists.
        (0..count)
            .map(|index| unsafe { Self::from_raw(LLVMGetClause(self.raw, index)) })
            .collect()
    }

    // Where it comes from.

    pub(crate) fn debug_location(self) -> Option<Metadata<'m>> {
        assert_is!(self, LLVMIsAInstruction);
        // SAFETY: the value is live.
        let context = unsafe { LLVMGetValueContext(self.raw) };
        // SAFETY: it is an instruction; the answer is null or metadata of the context.
        unsafe { Metadata::from_raw(LLVMInstructionGetDebugLoc(self.raw), context) }
    }

    /// The metadata of one kind attached to an instruction.
    pub(crate) fn instruction_metadata(self, kind: u32) -> Option<Metadata<'m>> {
        assert_is!(self, LLVMIsAInstruction);
        // SAFETY: it is an instruction.
        let raw = unsafe { LLVMGetMetadata(self.raw, kind) };
        // SAFETY: null or metadata wrapped in a value.
        unsafe { Self::from_nullable(raw) }.and_then(Self::metadata)
    }

    /// The variables named just before the instruction.
    pub(crate) fn variable_records(self) -> Vec<VariableRecord<'m>> {
        assert_is!(self, LLVMIsAInstruction);
        // SAFETY: it is an instruction.
        let mut record = unsafe { LLVMGetFirstDbgRecord(self.raw) };
        let mut records = Vec::new();
        while !record.is_null() {
            records.extend(self.variable_record(record));
            // SAFETY: the record is live and attached to the instruction.
            record = unsafe { LLVMGetNextDbgRecord(record) };
        }
        records
    }

    fn variable_record(self, record: LLVMDbgRecordRef) -> Option<VariableRecord<'m>> {
        // SAFETY: the record is live.
        let kind = unsafe { LLVMDbgRecordGetKind(record) };
        if matches!(kind, RecordKind::LLVMDbgRecordLabel) {
            return None;
        }
        // SAFETY: the value is live.
        let context = unsafe { LLVMGetValueContext(self.raw) };
        // SAFETY: it is a variable's record, whose metadata lives with the context.
        unsafe {
            Some(VariableRecord {
                kind,
                variable: Metadata::from_raw(LLVMDbgVariableRecordGetVariable(record), context)?,
                expression: Metadata::from_raw(
                    LLVMDbgVariableRecordGetExpression(record),
                    context,
                )?,
                location: Metadata::from_raw(LLVMDbgRecordGetDebugLoc(record), context),
                record,
            })
        }
    }
}

fn bundle_tag(call: LLVMValueRef, index: u32) -> String {
    // SAFETY: callers pass a call that has the bundle; disposed of below.
    let bundle: *mut LLVMOpaqueOperandBundle = unsafe { LLVMGetOperandBundleAtIndex(call, index) };
    let mut length = 0;
    // SAFETY: the bundle is live, the pointer valid for writing.
    let raw = unsafe { LLVMGetOperandBundleTag(bundle, &raw mut length) };
    // SAFETY: LLVM gave pointer and length together.
    let tag = unsafe { copy_string(raw, length) };
    // SAFETY: made above.
    unsafe { LLVMDisposeOperandBundle(bundle) };
    tag
}
