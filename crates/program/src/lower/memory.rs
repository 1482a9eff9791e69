//! Memory: allocating, reading, writing, computing addresses, atomics.

use super::constant::Step;
use super::function::FunctionLowering;
use crate::ids::Reg;
use crate::inst::Inst;
use crate::intrinsic::Intrinsic;
use crate::layout::{Lowered, Piece};
use crate::llvm::{OrderingCode, RmwCode, Type, TypeKind, Value, ValueKind};
use crate::ops::{Access, Align, CastOp, Flags, Kind, Ordering, RmwOp};

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn alloca(&mut self, value: Value<'m>) -> Lowered<()> {
        let allocated = value.allocated_type();
        let size = self.module.layouts.size(allocated)?;
        let align = Align::from_bytes(value.access_align());
        let kind = self.module.layouts.scalar(value.value_type())?;
        let count = self.one(value.operand(0))?;
        let width = self.kind_of(count).bits() as u16;
        let dst = self.fresh(kind);
        match self
            .known_number(count)
            .and_then(|count| count.checked_mul(size))
        {
            Some(size) => self.emit(Inst::Alloca { align, dst, size }),
            None => self.emit(Inst::AllocaArray {
                align,
                width,
                dst,
                count,
                size,
            }),
        }
        self.define(value, &[dst]);
        Ok(())
    }

    pub(super) fn load(&mut self, value: Value<'m>) -> Lowered<()> {
        let address = self.own_address(value.operand(0))?;
        let access = self.access(value);
        let results = self.load_from(value.value_type(), address, access)?;
        self.reference_is_aligned(value, &results);
        self.define(value, &results);
        Ok(())
    }

    pub(super) fn store(&mut self, value: Value<'m>) -> Lowered<()> {
        let stored = self.all(value.operand(0))?;
        let address = self.own_address(value.operand(1))?;
        let access = self.access(value);
        self.store_to(value.operand(0).value_type(), &stored, address, access)
    }

    /// The address of what is read, written or given to a function. Where clang makes
    /// thread-local variables with constructors, it names them and their guard without asking
    /// for those of the running thread.
    pub(super) fn own_address(&mut self, variable: Value<'m>) -> Lowered<Reg> {
        let address = self.one(variable)?;
        if variable.kind() != ValueKind::GlobalVariable || !variable.is_thread_local() {
            return Ok(address);
        }
        let own = self.emit_intrinsic(Intrinsic::ThreadLocal, &[address], &[Kind::Ptr]);
        Ok(own[0])
    }

    fn access(&self, value: Value<'_>) -> Access {
        Access {
            align: Align::from_bytes(value.access_align()),
            ordering: ordering(value.ordering()),
            volatile: value.is_volatile(),
            exact: self.origin.is_checked(),
        }
    }

    /// Reads a value of any type, part by part.
    pub(super) fn load_from(
        &mut self,
        whole: Type<'m>,
        address: Reg,
        access: Access,
    ) -> Lowered<Vec<Reg>> {
        let parts = self.parts_of(whole)?;
        let mut results = Vec::with_capacity(parts.kinds.len());
        for piece in &parts.pieces {
            match *piece {
                Piece::Scalar { kind, offset } => {
                    results.push(self.load_scalar(kind, address, offset, access));
                }
                Piece::Packed {
                    element,
                    count,
                    width,
                    offset,
                } => {
                    let packed = self.load_scalar(Kind::Int(width), address, offset, access);
                    let kinds = vec![element; count as usize];
                    results.extend(self.regroup(&[packed], &kinds)?);
                }
            }
        }
        Ok(results)
    }

    /// Writes a value of any type, part by part.
    pub(super) fn store_to(
        &mut self,
        whole: Type<'m>,
        values: &[Reg],
        address: Reg,
        access: Access,
    ) -> Lowered<()> {
        let parts = self.parts_of(whole)?;
        let mut values = values.iter().copied();
        for piece in &parts.pieces {
            match *piece {
                Piece::Scalar { kind, offset } => {
                    let value = values.next().expect("there is a register for each part");
                    self.store_scalar(kind, value, address, offset, access);
                }
                Piece::Packed {
                    count,
                    width,
                    offset,
                    ..
                } => {
                    let elements: Vec<Reg> = values.by_ref().take(count as usize).collect();
                    let kind = Kind::Int(width);
                    let packed = self.regroup(&elements, &[kind])?[0];
                    self.store_scalar(kind, packed, address, offset, access);
                }
            }
        }
        Ok(())
    }

    pub(super) fn load_scalar(
        &mut self,
        kind: Kind,
        base: Reg,
        offset: u64,
        access: Access,
    ) -> Reg {
        let address = self.offset(base, offset as i64, Flags::INBOUNDS);
        let dst = self.fresh(kind);
        self.emit(Inst::Load {
            access: access.at(offset),
            kind,
            dst,
            address,
        });
        dst
    }

    fn store_scalar(&mut self, kind: Kind, value: Reg, base: Reg, offset: u64, access: Access) {
        let address = self.offset(base, offset as i64, Flags::INBOUNDS);
        self.emit(Inst::Store {
            access: access.at(offset),
            kind,
            address,
            value,
        });
    }

    /// The address so many bytes further.
    pub(super) fn offset(&mut self, base: Reg, offset: i64, flags: Flags) -> Reg {
        if offset == 0 {
            return base;
        }
        let dst = self.fresh(Kind::Ptr);
        self.emit(Inst::Offset {
            flags,
            dst,
            base,
            offset,
        });
        dst
    }

    /// An address computation, or a vector of them.
    pub(super) fn address(&mut self, value: Value<'m>) -> Lowered<()> {
        let lanes = self.module.layouts.count(value.value_type())?;
        let steps = self.module.steps(value)?;
        let bases = self.all(value.operand(0))?;
        let mut indices = Vec::new();
        for step in steps {
            indices.push(match step {
                Step::Constant(bytes) => LaneStep::Constant(bytes),
                Step::Variable { index, scale } => LaneStep::Variable {
                    indices: self.all(index)?,
                    scale,
                },
            });
        }
        let flags = value.flags();
        let mut results = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            results.push(self.address_lane(bases[lane % bases.len()], lane, &indices, flags));
        }
        self.define(value, &results);
        Ok(())
    }

    fn address_lane(&mut self, base: Reg, lane: usize, steps: &[LaneStep], flags: Flags) -> Reg {
        let mut address = base;
        let mut offset = 0_i64;
        for step in steps {
            match step {
                LaneStep::Constant(bytes) => offset = offset.wrapping_add(*bytes),
                LaneStep::Variable { indices, scale } => {
                    let index = indices[lane % indices.len()];
                    address = self.index(address, index, *scale, flags);
                }
            }
        }
        self.offset(address, offset, flags)
    }

    /// The address `index` times `scale` bytes further.
    pub(super) fn index(&mut self, base: Reg, index: Reg, scale: i64, flags: Flags) -> Reg {
        if let Some(number) = self.known_number(index) {
            let unused = 64 - self.kind_of(index).bits().min(64);
            let number = ((number << unused) as i64) >> unused;
            return self.offset(base, number.wrapping_mul(scale), flags);
        }
        let mut index = index;
        let mut width = self.kind_of(index).bits() as u16;
        if width > 64 {
            let (from, to) = (Kind::Int(width), Kind::Int(64));
            index = self.convert(CastOp::Trunc, index, from, to);
            width = 64;
        }
        let dst = self.fresh(Kind::Ptr);
        self.emit(Inst::Index {
            flags,
            width,
            dst,
            base,
            index,
            scale,
        });
        dst
    }

    pub(super) fn convert(&mut self, op: CastOp, src: Reg, from: Kind, to: Kind) -> Reg {
        let dst = self.fresh(to);
        self.emit(Inst::Cast {
            op,
            flags: Flags::default(),
            from,
            to,
            dst,
            src,
        });
        dst
    }

    // Atomics.

    pub(super) fn fence(&mut self, value: Value<'m>) -> Lowered<()> {
        self.emit(Inst::Fence {
            ordering: ordering(value.ordering()),
        });
        Ok(())
    }

    pub(super) fn atomic_rmw(&mut self, value: Value<'m>) -> Lowered<()> {
        let address = self.one(value.operand(0))?;
        if let TypeKind::Vector { .. } = value.value_type().kind() {
            return Err("an atomic update of a vector".into());
        }
        let operand = self.one(value.operand(1))?;
        let kind = self.kind_of(operand);
        let dst = self.fresh(kind);
        self.emit(Inst::AtomicRmw {
            op: rmw_operation(value.rmw_operation()),
            ordering: ordering(value.ordering()),
            volatile: value.is_volatile(),
            kind,
            dst,
            address,
            value: operand,
        });
        self.define(value, &[dst]);
        Ok(())
    }

    pub(super) fn compare_exchange(&mut self, value: Value<'m>) -> Lowered<()> {
        let address = self.one(value.operand(0))?;
        let expected = self.one(value.operand(1))?;
        let new = self.one(value.operand(2))?;
        let kind = self.kind_of(expected);
        let results = self.fresh_all(&[kind, Kind::Int(1)]);
        let (success, failure) = value.exchange_orderings();
        self.emit(Inst::CompareExchange {
            success: ordering(success),
            failure: ordering(failure),
            weak: value.is_weak(),
            kind,
            dst: results[0],
            address,
            expected,
            new,
        });
        self.define(value, &results);
        Ok(())
    }

    pub(super) fn va_arg(&mut self, value: Value<'m>) -> Lowered<()> {
        let list = self.one(value.operand(0))?;
        let kind = self.module.layouts.scalar(value.value_type())?;
        let dst = self.fresh(kind);
        self.emit(Inst::VaArg { kind, dst, list });
        self.define(value, &[dst]);
        Ok(())
    }
}

/// A step of an address computation, its indices in registers, one for each lane or for all.
enum LaneStep {
    Constant(i64),
    Variable { indices: Vec<Reg>, scale: i64 },
}

impl Access {
    /// A plain access to an address of that alignment.
    pub(super) fn plain(align: Align) -> Self {
        Self {
            align,
            ordering: Ordering::None,
            volatile: false,
            exact: false,
        }
    }

    /// The same access so many bytes further.
    fn at(self, offset: u64) -> Self {
        let align = match offset {
            0 => self.align,
            _ => Align(self.align.0.min(offset.trailing_zeros() as u8)),
        };
        Self { align, ..self }
    }
}

fn ordering(code: OrderingCode) -> Ordering {
    match code {
        OrderingCode::LLVMAtomicOrderingNotAtomic => Ordering::None,
        OrderingCode::LLVMAtomicOrderingUnordered => Ordering::Unordered,
        OrderingCode::LLVMAtomicOrderingMonotonic => Ordering::Relaxed,
        OrderingCode::LLVMAtomicOrderingAcquire => Ordering::Acquire,
        OrderingCode::LLVMAtomicOrderingRelease => Ordering::Release,
        OrderingCode::LLVMAtomicOrderingAcquireRelease => Ordering::AcquireRelease,
        OrderingCode::LLVMAtomicOrderingSequentiallyConsistent => Ordering::Sequential,
    }
}

fn rmw_operation(code: RmwCode) -> RmwOp {
    match code {
        RmwCode::LLVMAtomicRMWBinOpXchg => RmwOp::Exchange,
        RmwCode::LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        RmwCode::LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        RmwCode::LLVMAtomicRMWBinOpAnd => RmwOp::And,
        RmwCode::LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        RmwCode::LLVMAtomicRMWBinOpOr => RmwOp::Or,
        RmwCode::LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        RmwCode::LLVMAtomicRMWBinOpMax => RmwOp::Max,
        RmwCode::LLVMAtomicRMWBinOpMin => RmwOp::Min,
        RmwCode::LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        RmwCode::LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        RmwCode::LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        RmwCode::LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        RmwCode::LLVMAtomicRMWBinOpFMax => RmwOp::FMax,
        RmwCode::LLVMAtomicRMWBinOpFMin => RmwOp::FMin,
        RmwCode::LLVMAtomicRMWBinOpUIncWrap => RmwOp::IncrementWrap,
        RmwCode::LLVMAtomicRMWBinOpUDecWrap => RmwOp::DecrementWrap,
        RmwCode::LLVMAtomicRMWBinOpUSubCond => RmwOp::SubConditional,
        RmwCode::LLVMAtomicRMWBinOpUSubSat => RmwOp::SubSaturating,
        RmwCode::LLVMAtomicRMWBinOpFMaximum => RmwOp::FMaximum,
        RmwCode::LLVMAtomicRMWBinOpFMinimum => RmwOp::FMinimum,
    }
}
