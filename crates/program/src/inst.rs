//! The instructions of a program: one small `Copy` enum.
//!
//! Operands are register numbers and nothing else; constants live in registers
//! too. Every value is a scalar: vectors, arrays and structs were taken apart
//! when the program was made. What an instruction needs to know of its
//! operands (width, format, alignment) stands in the instruction, so that an
//! interpreter need not look anywhere else.

use crate::ids::{AsmId, EdgeId, FunctionId, MessageId, PadId, Reg, SignatureId, Span};
use crate::intrinsic::Intrinsic;
use crate::ops::{
    Access, Align, BinaryOp, CastOp, Flags, FloatKind, FloatOp, FloatPredicate, Kind, Ordering,
    Predicate, RmwOp,
};

/// One instruction. `dst` is written, everything else of type [`Reg`] is read.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(
    missing_docs,
    reason = "the fields are the operands the variant's line names"
)]
pub enum Inst {
    /// `dst = a op b` on integers of `width` bits.
    Binary {
        op: BinaryOp,
        flags: Flags,
        width: u16,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `dst = a predicate b` on integers of `width` bits; `dst` has one bit.
    Compare {
        predicate: Predicate,
        width: u16,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `dst = a predicate b` on addresses; `dst` has one bit.
    ComparePointers {
        predicate: Predicate,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `dst = a op b` on floating-point numbers.
    FloatBinary {
        op: FloatOp,
        kind: FloatKind,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `dst = -src`, also of NaN: the sign bit is flipped.
    FloatNegate { kind: FloatKind, dst: Reg, src: Reg },
    /// `dst = a predicate b` on floating-point numbers; `dst` has one bit.
    FloatCompare {
        predicate: FloatPredicate,
        kind: FloatKind,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `dst = src` converted.
    Cast {
        op: CastOp,
        flags: Flags,
        from: Kind,
        to: Kind,
        dst: Reg,
        src: Reg,
    },
    /// `dst = condition ? then : otherwise`.
    Select {
        dst: Reg,
        condition: Reg,
        then: Reg,
        otherwise: Reg,
    },
    /// `dst = src`, or any one fixed value if `src` is undefined.
    Freeze { dst: Reg, src: Reg },
    /// `dst = elements[index]`; poison when the unsigned `index` of `width` bits is too large.
    PickElement {
        width: u16,
        dst: Reg,
        index: Reg,
        elements: Span,
    },
    /// `dst..` are `elements` with the one at `index` replaced by `value`.
    PutElement {
        width: u16,
        dst: Reg,
        index: Reg,
        value: Reg,
        elements: Span,
    },

    /// `dst` is the address of a new object of `size` bytes, which lives until the return.
    Alloca { align: Align, dst: Reg, size: u64 },
    /// The same for `count` (unsigned, of `width` bits) times `size` bytes.
    AllocaArray {
        align: Align,
        width: u16,
        dst: Reg,
        count: Reg,
        size: u64,
    },
    /// `dst = *address`, little-endian, of [`Kind::bytes`] bytes.
    Load {
        access: Access,
        kind: Kind,
        dst: Reg,
        address: Reg,
    },
    /// `*address = value`, little-endian, of [`Kind::bytes`] bytes.
    Store {
        access: Access,
        kind: Kind,
        address: Reg,
        value: Reg,
    },
    /// `dst = base + offset`, in bytes.
    Offset {
        flags: Flags,
        dst: Reg,
        base: Reg,
        offset: i64,
    },
    /// `dst = base + index * scale`, with `index` of `width` bits (at most 64) sign-extended.
    Index {
        flags: Flags,
        width: u16,
        dst: Reg,
        base: Reg,
        index: Reg,
        scale: i64,
    },
    /// `dst = *address; *address = dst op value`, at once.
    AtomicRmw {
        op: RmwOp,
        ordering: Ordering,
        volatile: bool,
        kind: Kind,
        dst: Reg,
        address: Reg,
        value: Reg,
    },
    /// `dst = *address; dst+1 = (dst == expected); if dst+1 { *address = new }`, at once.
    /// Weak ones may fail without reason; taking them as strong is right.
    CompareExchange {
        success: Ordering,
        failure: Ordering,
        weak: bool,
        kind: Kind,
        dst: Reg,
        address: Reg,
        expected: Reg,
        new: Reg,
    },
    /// Orders the accesses around it.
    Fence { ordering: Ordering },
    /// `dst` is the next variadic argument of the `va_list` at address `list`.
    VaArg { kind: Kind, dst: Reg, list: Reg },

    /// `dst.. = function(args)`; how many results there are stands in the signature.
    ///
    /// The signature is the call's own; it can differ from the function's, in
    /// programs that call a function through a wrong prototype.
    Call {
        function: FunctionId,
        args: Span,
        dst: Reg,
        signature: SignatureId,
        /// Whether something looks at the results, and not only at whether one is negative.
        is_read: bool,
    },
    /// `dst.. = (*callee)(args)`.
    CallIndirect {
        callee: Reg,
        args: Span,
        dst: Reg,
        signature: SignatureId,
    },
    /// `dst.. = intrinsic(args)`, see [`Intrinsic`]; `kind` is that of the first argument.
    Intrinsic {
        intrinsic: Intrinsic,
        results: u8,
        kind: Kind,
        dst: Reg,
        args: Span,
    },
    /// `dst..` are `results` values made by assembly text.
    InlineAsm {
        results: u16,
        asm: AsmId,
        args: Span,
        dst: Reg,
    },
    /// Where an exception arrives: `dst` is its address, `dst+1` the selector.
    LandingPad { dst: Reg, pad: PadId },
    /// Goes on with an exception that was stopped by a landing pad.
    Resume { values: Span },

    /// Goes along `edge`.
    Jump { edge: EdgeId },
    /// Goes along `then` if the one bit of `condition` is set.
    Branch {
        condition: Reg,
        then: EdgeId,
        otherwise: EdgeId,
    },
    /// Goes along the edge of the case that equals `value`; the cases are sorted.
    Switch {
        width: u16,
        value: Reg,
        default: EdgeId,
        cases: Span,
    },
    /// Goes to the block whose address is `address`, one of `targets`.
    IndirectJump { address: Reg, targets: Span },
    /// Returns to the caller.
    Return { values: Span },
    /// Cannot be reached in a program without undefined behaviour.
    Unreachable,
    /// Stands for an instruction that has no representation; reaching it must be reported.
    Unsupported { message: MessageId },
}

const _: () = assert!(
    size_of::<Inst>() <= 24,
    "an instruction stays within 24 bytes"
);

impl Inst {
    /// Whether the instruction ends a block.
    pub fn is_terminator(&self) -> bool {
        match self {
            Self::Resume { .. }
            | Self::Jump { .. }
            | Self::Branch { .. }
            | Self::Switch { .. }
            | Self::IndirectJump { .. }
            | Self::Return { .. }
            | Self::Unreachable => true,
            Self::Binary { .. }
            | Self::Compare { .. }
            | Self::ComparePointers { .. }
            | Self::FloatBinary { .. }
            | Self::FloatNegate { .. }
            | Self::FloatCompare { .. }
            | Self::Cast { .. }
            | Self::Select { .. }
            | Self::Freeze { .. }
            | Self::PickElement { .. }
            | Self::PutElement { .. }
            | Self::Alloca { .. }
            | Self::AllocaArray { .. }
            | Self::Load { .. }
            | Self::Store { .. }
            | Self::Offset { .. }
            | Self::Index { .. }
            | Self::AtomicRmw { .. }
            | Self::CompareExchange { .. }
            | Self::Fence { .. }
            | Self::VaArg { .. }
            | Self::Call { .. }
            | Self::CallIndirect { .. }
            | Self::Intrinsic { .. }
            | Self::InlineAsm { .. }
            | Self::LandingPad { .. }
            | Self::Unsupported { .. } => false,
        }
    }

    /// Calls `visit` with every register that stands in the instruction itself;
    /// those in spans are in the body's tables.
    pub(crate) fn registers_mut(&mut self, visit: &mut impl FnMut(&mut Reg)) {
        match self {
            Self::Freeze { dst, src }
            | Self::FloatNegate { dst, src, .. }
            | Self::Cast { dst, src, .. } => each([dst, src], visit),
            Self::Binary { dst, a, b, .. }
            | Self::Compare { dst, a, b, .. }
            | Self::ComparePointers { dst, a, b, .. }
            | Self::FloatBinary { dst, a, b, .. }
            | Self::FloatCompare { dst, a, b, .. } => each([dst, a, b], visit),
            Self::Select {
                dst,
                condition,
                then,
                otherwise,
            } => {
                each([dst, condition, then, otherwise], visit);
            }
            Self::PickElement { dst, index, .. } => each([dst, index], visit),
            Self::PutElement {
                dst, index, value, ..
            } => each([dst, index, value], visit),
            Self::Alloca { dst, .. } => visit(dst),
            Self::AllocaArray { dst, count, .. } => each([dst, count], visit),
            Self::Load { dst, address, .. } => each([dst, address], visit),
            Self::Store { address, value, .. } => each([address, value], visit),
            Self::Offset { dst, base, .. } => each([dst, base], visit),
            Self::Index {
                dst, base, index, ..
            } => each([dst, base, index], visit),
            Self::AtomicRmw {
                dst,
                address,
                value,
                ..
            } => each([dst, address, value], visit),
            Self::CompareExchange {
                dst,
                address,
                expected,
                new,
                ..
            } => {
                each([dst, address, expected, new], visit);
            }
            Self::VaArg { dst, list, .. } => each([dst, list], visit),
            Self::CallIndirect { callee, dst, .. } => each([callee, dst], visit),
            Self::Call { dst, .. }
            | Self::Intrinsic { dst, .. }
            | Self::InlineAsm { dst, .. }
            | Self::LandingPad { dst, .. } => visit(dst),
            Self::Branch { condition, .. } => visit(condition),
            Self::Switch { value, .. } => visit(value),
            Self::IndirectJump { address, .. } => visit(address),
            Self::Fence { .. }
            | Self::Resume { .. }
            | Self::Jump { .. }
            | Self::Return { .. }
            | Self::Unreachable
            | Self::Unsupported { .. } => {}
        }
    }
}

fn each<const N: usize>(registers: [&mut Reg; N], visit: &mut impl FnMut(&mut Reg)) {
    registers.into_iter().for_each(visit);
}
