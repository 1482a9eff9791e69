//! Vector intrinsics: reductions, rearrangements, memory under a mask.
//!
//! A lane whose mask bit is clear must not touch memory. Instead of branching,
//! such a lane is sent to a scratch object of the function's own frame: the
//! address is `mask ? address : scratch`. For loads the scratch object holds
//! what the lane is to yield.

use super::function::FunctionLowering;
use super::intrinsic::unsupported;
use crate::ids::Reg;
use crate::inst::Inst;
use crate::intrinsic::Intrinsic;
use crate::layout::Lowered;
use crate::llvm::{TypeKind, Value};
use crate::ops::{Access, Align, BinaryOp, CastOp, Flags, FloatOp, Kind, Predicate};

/// How a reduction combines two elements.
#[derive(Clone, Copy)]
enum Combine {
    Binary(BinaryOp),
    Float(FloatOp),
    Intrinsic(Intrinsic),
}

impl<'m> FunctionLowering<'_, 'm> {
    /// `llvm.vector.reduce.*`: one element after the other, from the first.
    pub(super) fn reduce(&mut self, call: Value<'m>, operation: &str, name: &str) -> Lowered<()> {
        let combine = match operation {
            "add" => Combine::Binary(BinaryOp::Add),
            "mul" => Combine::Binary(BinaryOp::Mul),
            "and" => Combine::Binary(BinaryOp::And),
            "or" => Combine::Binary(BinaryOp::Or),
            "xor" => Combine::Binary(BinaryOp::Xor),
            "fadd" => Combine::Float(FloatOp::Add),
            "fmul" => Combine::Float(FloatOp::Mul),
            "smin" => Combine::Intrinsic(Intrinsic::SMin),
            "smax" => Combine::Intrinsic(Intrinsic::SMax),
            "umin" => Combine::Intrinsic(Intrinsic::UMin),
            "umax" => Combine::Intrinsic(Intrinsic::UMax),
            "fmin" => Combine::Intrinsic(Intrinsic::MinNum),
            "fmax" => Combine::Intrinsic(Intrinsic::MaxNum),
            "fminimum" => Combine::Intrinsic(Intrinsic::Minimum),
            "fmaximum" => Combine::Intrinsic(Intrinsic::Maximum),
            _ => return Err(unsupported(name)),
        };
        let mut elements = Vec::new();
        for argument in call.call_arguments() {
            // Sums and products of floating-point numbers begin with a start value.
            elements.extend(self.all(argument)?);
        }
        let mut result = elements[0];
        for &element in &elements[1..] {
            result = self.combine(combine, result, element)?;
        }
        self.define(call, &[result]);
        Ok(())
    }

    fn combine(&mut self, combine: Combine, a: Reg, b: Reg) -> Lowered<Reg> {
        let kind = self.kind_of(a);
        match combine {
            Combine::Binary(op) => Ok(self.arithmetic(op, a, b, kind.bits() as u16)),
            Combine::Float(op) => {
                let Kind::Float(format) = kind else {
                    return Err("a floating-point reduction of integers".into());
                };
                let dst = self.fresh(kind);
                self.emit(Inst::FloatBinary {
                    op,
                    kind: format,
                    dst,
                    a,
                    b,
                });
                Ok(dst)
            }
            Combine::Intrinsic(intrinsic) => {
                Ok(self.emit_intrinsic(intrinsic, &[a, b], &[kind])[0])
            }
        }
    }

    /// The other `llvm.vector.*`: renaming.
    pub(super) fn rearrange(
        &mut self,
        call: Value<'m>,
        operation: &str,
        name: &str,
    ) -> Lowered<()> {
        let mut arguments = Vec::new();
        for argument in call.call_arguments() {
            arguments.push(self.all(argument)?);
        }
        let number = |this: &Self, register: Reg| {
            let found = this
                .known_number(register)
                .and_then(|n| usize::try_from(n).ok());
            found.ok_or_else(|| unsupported(name))
        };
        let results = match (operation, arguments.as_slice()) {
            ("reverse", [vector]) => vector.iter().rev().copied().collect(),
            ("insert", [vector, part, at]) => {
                let start = number(self, at[0])?;
                let mut vector = vector.clone();
                let place = vector.get_mut(start..start + part.len());
                place
                    .ok_or_else(|| unsupported(name))?
                    .copy_from_slice(part);
                vector
            }
            ("extract", [vector, at]) => {
                let start = number(self, at[0])?;
                let count = self.module.layouts.count(call.value_type())?;
                let part = vector.get(start..start + count);
                part.ok_or_else(|| unsupported(name))?.to_vec()
            }
            ("splice.left", [left, right, at]) => {
                let start = number(self, at[0])?;
                let both = [left.as_slice(), right].concat();
                let part = both.get(start..start + left.len());
                part.ok_or_else(|| unsupported(name))?.to_vec()
            }
            ("splice.right", [left, right, at]) => {
                let start = left.len().checked_sub(number(self, at[0])?);
                let start = start.ok_or_else(|| unsupported(name))?;
                [left.as_slice(), right].concat()[start..start + left.len()].to_vec()
            }
            (word, vectors) if word.starts_with("interleave") => {
                let lanes = vectors[0].len();
                (0..lanes)
                    .flat_map(|lane| vectors.iter().map(move |v| v[lane]))
                    .collect()
            }
            (word, [vector]) if word.starts_with("deinterleave") => {
                let fields = match call.value_type().kind() {
                    TypeKind::Struct => call.value_type().fields().len(),
                    _ => return Err(unsupported(name)),
                };
                let field = |first| vector.iter().skip(first).step_by(fields).copied();
                (0..fields).flat_map(field).collect()
            }
            _ => return Err(unsupported(name)),
        };
        self.define(call, &results);
        Ok(())
    }

    /// `llvm.get.active.lane.mask`: whether `base + lane`, without wrapping, is below the limit.
    pub(super) fn active_lanes(&mut self, call: Value<'m>) -> Lowered<()> {
        let base = self.one(call.operand(0))?;
        let limit = self.one(call.operand(1))?;
        let kind = self.kind_of(base);
        let width = kind.bits() as u16;
        let lanes = self.module.layouts.count(call.value_type())?;
        let mut results = Vec::new();
        for lane in 0..lanes as u64 {
            let lane = self.int(lane, width);
            let a = self.emit_intrinsic(Intrinsic::UAddSat, &[base, lane], &[kind])[0];
            let dst = self.fresh(Kind::Int(1));
            self.emit(Inst::Compare {
                predicate: Predicate::Ult,
                width,
                dst,
                a,
                b: limit,
            });
            results.push(dst);
        }
        self.define(call, &results);
        Ok(())
    }

    /// `llvm.experimental.cttz.elts`: the number of the first element that is
    /// not zero, or how many there are.
    pub(super) fn first_nonzero_element(&mut self, call: Value<'m>) -> Lowered<()> {
        let elements = self.all(call.operand(0))?;
        let kind = self.module.layouts.scalar(call.value_type())?;
        let width = kind.bits() as u16;
        let mut result = self.int(elements.len() as u64, width);
        for (number, &a) in elements.iter().enumerate().rev() {
            let element = self.kind_of(a).bits() as u16;
            let (dst, b) = (self.fresh(Kind::Int(1)), self.int(0, element));
            self.emit(Inst::Compare {
                predicate: Predicate::Ne,
                width: element,
                dst,
                a,
                b,
            });
            let number = self.int(number as u64, width);
            result = self.choose(dst, number, result);
        }
        self.define(call, &[result]);
        Ok(())
    }

    /// `llvm.experimental.vector.extract.last.active`: the last element whose
    /// mask bit is set, or the scalar.
    pub(super) fn last_active(&mut self, call: Value<'m>) -> Lowered<()> {
        let elements = self.all(call.operand(0))?;
        let mask = self.all(call.operand(1))?;
        let mut result = self.one(call.operand(2))?;
        for (&element, &bit) in elements.iter().zip(&mask) {
            result = self.choose(bit, element, result);
        }
        self.define(call, &[result]);
        Ok(())
    }

    /// `llvm.vector.partial.reduce.*`: the elements of a long vector added to
    /// those of a short one, evenly.
    pub(super) fn reduce_partly(
        &mut self,
        call: Value<'m>,
        operation: &str,
        name: &str,
    ) -> Lowered<()> {
        let combine = match operation {
            "add" => Combine::Binary(BinaryOp::Add),
            "fadd" => Combine::Float(FloatOp::Add),
            _ => return Err(unsupported(name)),
        };
        let mut sums = self.all(call.operand(0))?;
        for (i, element) in self.all(call.operand(1))?.into_iter().enumerate() {
            let lane = i % sums.len();
            sums[lane] = self.combine(combine, sums[lane], element)?;
        }
        self.define(call, &sums);
        Ok(())
    }

    /// `llvm.masked.*`.
    pub(super) fn masked(&mut self, call: Value<'m>, operation: &str, name: &str) -> Lowered<()> {
        let arguments = call.call_arguments();
        match (operation, arguments.as_slice()) {
            ("load" | "gather" | "expandload", &[addresses, mask, otherwise]) => {
                let kind = self.element_kind(otherwise)?;
                let align = self.masked_align(call, 0, operation, kind);
                let mask = self.all(mask)?;
                let otherwise = self.all(otherwise)?;
                let addresses = self.lane_addresses(addresses, operation, kind, &mask)?;
                let mut results = Vec::new();
                for lane in 0..mask.len() {
                    let (bit, address) = (mask[lane], addresses[lane]);
                    results.push(self.masked_load(kind, align, bit, address, otherwise[lane]));
                }
                self.define(call, &results);
                Ok(())
            }
            ("store" | "scatter" | "compressstore", &[values, addresses, mask]) => {
                let kind = self.element_kind(values)?;
                let align = self.masked_align(call, 1, operation, kind);
                let mask = self.all(mask)?;
                let values = self.all(values)?;
                let addresses = self.lane_addresses(addresses, operation, kind, &mask)?;
                for lane in 0..mask.len() {
                    let (bit, address) = (mask[lane], addresses[lane]);
                    self.masked_store(kind, align, bit, address, values[lane]);
                }
                Ok(())
            }
            _ => Err(unsupported(name)),
        }
    }

    fn element_kind(&mut self, vector: Value<'m>) -> Lowered<Kind> {
        let kinds = self.kinds_of(vector.value_type())?;
        match kinds.first() {
            Some(&kind) if kind.bits() % 8 == 0 => Ok(kind),
            _ => Err(format!(
                "memory under a mask of type {}",
                vector.value_type().text()
            )),
        }
    }

    /// What alignment each lane's address is promised to have.
    fn masked_align(&self, call: Value<'m>, address: u32, operation: &str, kind: Kind) -> Align {
        let promised = call.call_argument_number(address, "align");
        let whole = Align::from_bytes(promised.unwrap_or(1));
        match operation {
            "gather" | "scatter" => whole,
            _ => Align(whole.0.min(kind.bytes().trailing_zeros() as u8)),
        }
    }

    /// The address of each lane: given, one after the other, or one after the other active one.
    fn lane_addresses(
        &mut self,
        addresses: Value<'m>,
        operation: &str,
        kind: Kind,
        mask: &[Reg],
    ) -> Lowered<Vec<Reg>> {
        let given = self.all(addresses)?;
        let step = i64::from(kind.bytes());
        match operation {
            "gather" | "scatter" => Ok(given),
            "expandload" | "compressstore" => {
                let mut index = self.int(0, 64);
                let mut results = Vec::new();
                for &bit in mask {
                    results.push(self.index(given[0], index, step, Flags::default()));
                    let one = self.convert(CastOp::ZExt, bit, Kind::Int(1), Kind::Int(64));
                    index = self.arithmetic(BinaryOp::Add, index, one, 64);
                }
                Ok(results)
            }
            _ => Ok((0..mask.len() as i64)
                .map(|lane| self.offset(given[0], lane * step, Flags::default()))
                .collect()),
        }
    }

    fn masked_load(
        &mut self,
        kind: Kind,
        align: Align,
        bit: Reg,
        address: Reg,
        otherwise: Reg,
    ) -> Reg {
        match self.known_number(bit) {
            Some(0) => otherwise,
            Some(_) => self.load_scalar(kind, address, 0, Access::plain(align)),
            None => {
                let scratch = self.scratch(kind);
                let access = Access::plain(Align(0));
                self.emit(Inst::Store {
                    access,
                    kind,
                    address: scratch,
                    value: otherwise,
                });
                let address = self.choose(bit, address, scratch);
                self.load_scalar(kind, address, 0, access)
            }
        }
    }

    fn masked_store(&mut self, kind: Kind, align: Align, bit: Reg, address: Reg, value: Reg) {
        match self.known_number(bit) {
            Some(0) => {}
            Some(_) => self.emit(Inst::Store {
                access: Access::plain(align),
                kind,
                address,
                value,
            }),
            None => {
                let scratch = self.scratch(kind);
                let address = self.choose(bit, address, scratch);
                let access = Access::plain(Align(0));
                self.emit(Inst::Store {
                    access,
                    kind,
                    address,
                    value,
                });
            }
        }
    }

    fn choose(&mut self, condition: Reg, then: Reg, otherwise: Reg) -> Reg {
        let dst = self.fresh(self.kind_of(then));
        self.emit(Inst::Select {
            dst,
            condition,
            then,
            otherwise,
        });
        dst
    }

    /// An object of the frame for accesses that must not happen, large enough for any element.
    fn scratch(&mut self, kind: Kind) -> Reg {
        const BYTES: u64 = 512;
        debug_assert!(u64::from(kind.bytes()) <= BYTES);
        if let Some(known) = self.scratch {
            return known;
        }
        let dst = self.fresh(Kind::Ptr);
        self.at_entry(|this| {
            this.emit(Inst::Alloca {
                align: Align(4),
                dst,
                size: BYTES,
            })
        });
        self.scratch = Some(dst);
        dst
    }
}
