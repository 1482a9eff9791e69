//! Types, and how the target lays them out.

use std::marker::PhantomData;

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::{
    LLVMCountParamTypes, LLVMCountStructElementTypes, LLVMGetArrayLength2, LLVMGetElementType,
    LLVMGetIntTypeWidth, LLVMGetParamTypes, LLVMGetPointerAddressSpace, LLVMGetReturnType,
    LLVMGetStructElementTypes, LLVMGetTypeKind, LLVMGetVectorSize, LLVMIsFunctionVarArg,
    LLVMPrintTypeToString, LLVMTypeIsSized,
};
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMByteOrder, LLVMByteOrdering,
    LLVMOffsetOfElement, LLVMPointerSize, LLVMTargetDataRef,
};

use super::take_message;
use crate::ops::FloatKind;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'m> {
    pub(super) raw: LLVMTypeRef,
    module: PhantomData<&'m ()>,
}

/// What a type is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeKind<'m> {
    Void,
    Int(u32),
    Float(FloatKind),
    Pointer {
        address_space: u32,
    },
    Struct,
    Array {
        element: Type<'m>,
        length: u64,
    },
    Vector {
        element: Type<'m>,
        length: u32,
    },
    Function,
    /// Scalable vectors, tokens, and what single targets have.
    Other,
}

impl<'m> Type<'m> {
    /// # Safety
    ///
    /// `raw` is a type of the context of the module borrowed for `'m`.
    pub(super) unsafe fn from_raw(raw: LLVMTypeRef) -> Self {
        Self {
            raw,
            module: PhantomData,
        }
    }

    pub(crate) fn kind(self) -> TypeKind<'m> {
        // SAFETY: the type is live.
        match unsafe { LLVMGetTypeKind(self.raw) } {
            LLVMTypeKind::LLVMVoidTypeKind => TypeKind::Void,
            LLVMTypeKind::LLVMHalfTypeKind => TypeKind::Float(FloatKind::Half),
            LLVMTypeKind::LLVMBFloatTypeKind => TypeKind::Float(FloatKind::BFloat),
            LLVMTypeKind::LLVMFloatTypeKind => TypeKind::Float(FloatKind::Single),
            LLVMTypeKind::LLVMDoubleTypeKind => TypeKind::Float(FloatKind::Double),
            LLVMTypeKind::LLVMX86_FP80TypeKind => TypeKind::Float(FloatKind::X87),
            LLVMTypeKind::LLVMFP128TypeKind => TypeKind::Float(FloatKind::Quad),
            LLVMTypeKind::LLVMIntegerTypeKind => {
                // SAFETY: it is an integer type.
                TypeKind::Int(unsafe { LLVMGetIntTypeWidth(self.raw) })
            }
            LLVMTypeKind::LLVMPointerTypeKind => {
                // SAFETY: it is a pointer type.
                let address_space = unsafe { LLVMGetPointerAddressSpace(self.raw) };
                TypeKind::Pointer { address_space }
            }
            LLVMTypeKind::LLVMStructTypeKind => TypeKind::Struct,
            LLVMTypeKind::LLVMArrayTypeKind => {
                // SAFETY: it is an array type.
                let length = unsafe { LLVMGetArrayLength2(self.raw) };
                TypeKind::Array {
                    element: self.element(),
                    length,
                }
            }
            LLVMTypeKind::LLVMVectorTypeKind => {
                // SAFETY: it is a vector type.
                let length = unsafe { LLVMGetVectorSize(self.raw) };
                TypeKind::Vector {
                    element: self.element(),
                    length,
                }
            }
            LLVMTypeKind::LLVMFunctionTypeKind => TypeKind::Function,
            LLVMTypeKind::LLVMPPC_FP128TypeKind
            | LLVMTypeKind::LLVMLabelTypeKind
            | LLVMTypeKind::LLVMMetadataTypeKind
            | LLVMTypeKind::LLVMTokenTypeKind
            | LLVMTypeKind::LLVMScalableVectorTypeKind
            | LLVMTypeKind::LLVMX86_AMXTypeKind
            | LLVMTypeKind::LLVMTargetExtTypeKind => TypeKind::Other,
        }
    }

    /// The fields of a struct.
    pub(crate) fn fields(self) -> Vec<Self> {
        assert!(
            matches!(self.kind(), TypeKind::Struct),
            "only structs have fields"
        );
        // SAFETY: it is a struct type.
        let count = unsafe { LLVMCountStructElementTypes(self.raw) };
        let mut raw = vec![std::ptr::null_mut(); count as usize];
        // SAFETY: there is room for as many as were counted.
        unsafe { LLVMGetStructElementTypes(self.raw, raw.as_mut_ptr()) };
        wrap(raw)
    }

    /// What a function type returns.
    pub(crate) fn returns(self) -> Self {
        assert!(
            matches!(self.kind(), TypeKind::Function),
            "only functions return"
        );
        // SAFETY: it is a function type.
        unsafe { Self::from_raw(LLVMGetReturnType(self.raw)) }
    }

    /// What a function type takes.
    pub(crate) fn parameters(self) -> Vec<Self> {
        assert!(
            matches!(self.kind(), TypeKind::Function),
            "only functions have parameters"
        );
        // SAFETY: it is a function type.
        let count = unsafe { LLVMCountParamTypes(self.raw) };
        let mut raw = vec![std::ptr::null_mut(); count as usize];
        // SAFETY: there is room for as many as were counted.
        unsafe { LLVMGetParamTypes(self.raw, raw.as_mut_ptr()) };
        wrap(raw)
    }

    pub(crate) fn is_variadic(self) -> bool {
        assert!(
            matches!(self.kind(), TypeKind::Function),
            "only functions are variadic"
        );
        // SAFETY: it is a function type.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }

    pub(crate) fn is_sized(self) -> bool {
        // SAFETY: the type is live.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// The type as IR text.
    pub(crate) fn text(self) -> String {
        // SAFETY: the type is live; the message is ours.
        unsafe { take_message(LLVMPrintTypeToString(self.raw)) }
    }

    fn element(self) -> Self {
        // SAFETY: callers saw that it is an array or vector type.
        unsafe { Self::from_raw(LLVMGetElementType(self.raw)) }
    }
}

fn wrap<'m>(raw: Vec<LLVMTypeRef>) -> Vec<Type<'m>> {
    // SAFETY: the types come from a live type of the same context.
    raw.into_iter()
        .map(|raw| unsafe { Type::from_raw(raw) })
        .collect()
}

/// How the target lays out types.
///
/// Sizes of types that have none, or no fixed one, must not be asked for; the
/// crate's own `layout` module sees to that.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m> {
    raw: LLVMTargetDataRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Layout<'m> {
    /// # Safety
    ///
    /// `raw` is the layout of the module borrowed for `'m`.
    pub(super) unsafe fn from_raw(raw: LLVMTargetDataRef) -> Self {
        Self {
            raw,
            module: PhantomData,
        }
    }

    pub(crate) fn is_little_endian(self) -> bool {
        // SAFETY: the layout is live.
        let order = unsafe { LLVMByteOrder(self.raw) };
        matches!(order, LLVMByteOrdering::LLVMLittleEndian)
    }

    pub(crate) fn pointer_bytes(self) -> u32 {
        // SAFETY: the layout is live.
        unsafe { LLVMPointerSize(self.raw) }
    }

    /// Bytes from one element of an array to the next.
    pub(crate) fn size(self, sized: Type<'m>) -> u64 {
        assert!(sized.is_sized(), "only sized types have a size");
        // SAFETY: the type has a size.
        unsafe { LLVMABISizeOfType(self.raw, sized.raw) }
    }

    pub(crate) fn align(self, sized: Type<'m>) -> u64 {
        assert!(sized.is_sized(), "only sized types have an alignment");
        // SAFETY: the type has a size.
        u64::from(unsafe { LLVMABIAlignmentOfType(self.raw, sized.raw) })
    }

    pub(crate) fn field_offset(self, structure: Type<'m>, field: u32) -> u64 {
        assert!(
            structure.is_sized() && (field as usize) < structure.fields().len(),
            "the field is one of a sized struct"
        );
        // SAFETY: the struct has a size and the field exists.
        unsafe { LLVMOffsetOfElement(self.raw, structure.raw, field) }
    }
}
