//! Metadata: nodes, strings, and the debug information made of them.

use std::marker::PhantomData;
use std::mem::discriminant;

use llvm_sys::core::{
    LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMDString, LLVMIsAMDNode,
    LLVMIsAMDString, LLVMMetadataAsValue, LLVMPrintValueToString, LLVMValueAsMetadata,
};
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

use super::{Value, copy_string, take_message};

pub(crate) use llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;

/// A piece of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Metadata<'m> {
    raw: LLVMMetadataRef,
    context: LLVMContextRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Metadata<'m> {
    /// # Safety
    ///
    /// `raw` is null or metadata reachable from the module borrowed for `'m`,
    /// and `context` is that module's.
    pub(super) unsafe fn from_raw(raw: LLVMMetadataRef, context: LLVMContextRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self {
            raw,
            context,
            module: PhantomData,
        })
    }

    pub(crate) fn kind(self) -> MetadataKind {
        // SAFETY: the metadata is live.
        unsafe { LLVMGetMetadataKind(self.raw) }
    }

    /// The operands of a node; none where it has a null.
    pub(crate) fn operands(self) -> Vec<Option<Self>> {
        self.raw_operands()
            .into_iter()
            // SAFETY: an operand is null, or a value or metadata of this module.
            .map(|raw| unsafe { Value::from_nullable(raw) }.and_then(|value| self.of(value)))
            .collect()
    }

    pub(crate) fn operand(self, index: usize) -> Option<Self> {
        *self.operands().get(index)?
    }

    /// The number behind metadata that wraps an integer constant of at most 64 bits.
    pub(crate) fn operand_integer(self, index: usize) -> Option<i64> {
        let raw = *self.raw_operands().get(index)?;
        // SAFETY: an operand is null, or a value or metadata of this module.
        let value = unsafe { Value::from_nullable(raw) }?;
        let is_int = value.kind() == super::ValueKind::Int;
        let words = is_int.then(|| value.constant_words())?;
        (words.len() == 1).then(|| words[0] as i64)
    }

    pub(crate) fn string(self) -> Option<String> {
        let value = self.as_value();
        // SAFETY: the value is live.
        if unsafe { LLVMIsAMDString(value) }.is_null() {
            return None;
        }
        let mut length = 0;
        // SAFETY: it wraps a string, the pointer is valid for writing.
        let raw = unsafe { LLVMGetMDString(value, &raw mut length) };
        // SAFETY: LLVM gave pointer and length together.
        Some(unsafe { copy_string(raw, length as usize) })
    }

    /// The string at an operand; empty if there is none.
    pub(crate) fn operand_string(self, index: usize) -> String {
        self.operand(index)
            .and_then(Self::string)
            .unwrap_or_default()
    }

    /// The node as IR text. Fields the C interface does not give are read from here.
    pub(crate) fn text(self) -> String {
        // SAFETY: the value is live; the message is ours.
        unsafe { take_message(LLVMPrintValueToString(self.as_value())) }
    }

    // Locations and scopes.

    /// Line and column of a location.
    pub(crate) fn line_and_column(self) -> (u32, u32) {
        self.assert(&[MetadataKind::LLVMDILocationMetadataKind]);
        // SAFETY: it is a location.
        unsafe {
            (
                LLVMDILocationGetLine(self.raw),
                LLVMDILocationGetColumn(self.raw),
            )
        }
    }

    /// The scope of a location.
    pub(crate) fn location_scope(self) -> Option<Self> {
        self.assert(&[MetadataKind::LLVMDILocationMetadataKind]);
        // SAFETY: it is a location.
        unsafe { Self::from_raw(LLVMDILocationGetScope(self.raw), self.context) }
    }

    /// Where a location was inlined, if it was.
    pub(crate) fn inlined_at(self) -> Option<Self> {
        self.assert(&[MetadataKind::LLVMDILocationMetadataKind]);
        // SAFETY: it is a location.
        unsafe { Self::from_raw(LLVMDILocationGetInlinedAt(self.raw), self.context) }
    }

    /// The file of a subprogram, block, type or file.
    pub(crate) fn scope_file(self) -> Option<Self> {
        self.assert(&[
            MetadataKind::LLVMDISubprogramMetadataKind,
            MetadataKind::LLVMDILexicalBlockMetadataKind,
            MetadataKind::LLVMDILexicalBlockFileMetadataKind,
            MetadataKind::LLVMDIFileMetadataKind,
            MetadataKind::LLVMDICompileUnitMetadataKind,
        ]);
        // SAFETY: it is a scope.
        unsafe { Self::from_raw(LLVMDIScopeGetFile(self.raw), self.context) }
    }

    /// Name and directory of a file.
    pub(crate) fn file_name_and_directory(self) -> (String, String) {
        self.assert(&[MetadataKind::LLVMDIFileMetadataKind]);
        (self.operand_string(0), self.operand_string(1))
    }

    pub(crate) fn subprogram_line(self) -> u32 {
        self.assert(&[MetadataKind::LLVMDISubprogramMetadataKind]);
        // SAFETY: it is a subprogram.
        unsafe { LLVMDISubprogramGetLine(self.raw) }
    }

    pub(crate) fn variable_line(self) -> u32 {
        self.assert(&[
            MetadataKind::LLVMDILocalVariableMetadataKind,
            MetadataKind::LLVMDIGlobalVariableMetadataKind,
        ]);
        // SAFETY: it is a variable.
        unsafe { LLVMDIVariableGetLine(self.raw) }
    }

    // Types.

    pub(crate) fn is_type(self) -> bool {
        matches!(
            self.kind(),
            MetadataKind::LLVMDIBasicTypeMetadataKind
                | MetadataKind::LLVMDIDerivedTypeMetadataKind
                | MetadataKind::LLVMDICompositeTypeMetadataKind
                | MetadataKind::LLVMDISubroutineTypeMetadataKind
                | MetadataKind::LLVMDIStringTypeMetadataKind
                | MetadataKind::LLVMDISubrangeTypeMetadataKind
                | MetadataKind::LLVMDIFixedPointTypeMetadataKind
        )
    }

    pub(crate) fn type_bits(self) -> u64 {
        assert!(self.is_type(), "only types have a size");
        // SAFETY: it is a type.
        unsafe { LLVMDITypeGetSizeInBits(self.raw) }
    }

    pub(crate) fn type_offset(self) -> u64 {
        assert!(self.is_type(), "only types have an offset");
        // SAFETY: it is a type.
        unsafe { LLVMDITypeGetOffsetInBits(self.raw) }
    }

    /// The flags of a type, as in `DebugInfoFlags.def`.
    pub(crate) fn type_flags(self) -> i32 {
        assert!(self.is_type(), "only types have flags");
        // SAFETY: it is a type.
        unsafe { LLVMDITypeGetFlags(self.raw) }
    }

    /// The DWARF tag of a type.
    pub(crate) fn type_tag(self) -> u16 {
        assert!(self.is_type(), "only types are asked for their tag");
        // SAFETY: it is a type, which is a node with a tag.
        unsafe { LLVMGetDINodeTag(self.raw) }
    }

    fn raw_operands(self) -> Vec<LLVMValueRef> {
        let value = self.as_value();
        // SAFETY: the value is live.
        if unsafe { LLVMIsAMDNode(value) }.is_null() {
            return Vec::new();
        }
        // SAFETY: it wraps a node.
        let count = unsafe { LLVMGetMDNodeNumOperands(value) };
        let mut raw = vec![std::ptr::null_mut(); count as usize];
        // SAFETY: there is room for as many as were counted.
        unsafe { LLVMGetMDNodeOperands(value, raw.as_mut_ptr()) };
        raw
    }

    fn of(self, value: Value<'m>) -> Option<Self> {
        // SAFETY: the value is live; the answer is metadata of the same context.
        unsafe { Self::from_raw(LLVMValueAsMetadata(value.raw), self.context) }
    }

    fn as_value(self) -> LLVMValueRef {
        // SAFETY: metadata and context are live.
        unsafe { LLVMMetadataAsValue(self.context, self.raw) }
    }

    fn assert(self, kinds: &[MetadataKind]) {
        let kind = self.kind();
        let is_one = kinds
            .iter()
            .any(|expected| discriminant(expected) == discriminant(&kind));
        assert!(is_one, "the metadata is of the kind asked about");
    }
}
