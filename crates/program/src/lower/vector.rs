//! Vectors, arrays and structs as values: mostly renaming of registers.

use super::function::FunctionLowering;
use crate::ids::Reg;
use crate::inst::Inst;
use crate::layout::Lowered;
use crate::llvm::{Type, TypeKind, Value};
use crate::ops::{BinaryOp, CastOp, Flags, Kind};
use crate::program::Constant;

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn extract_element(&mut self, value: Value<'m>) -> Lowered<()> {
        let elements = self.all(value.operand(0))?;
        let index = self.one(value.operand(1))?;
        let kind = self.module.layouts.scalar(value.value_type())?;
        let result = match self.known_number(index) {
            Some(index) => match elements.get(index as usize) {
                Some(&element) => element,
                None => self.constant(Constant::Poison, kind),
            },
            None => {
                let width = self.kind_of(index).bits() as u16;
                let elements = self.list(&elements);
                let dst = self.fresh(kind);
                self.emit(Inst::PickElement {
                    width,
                    dst,
                    index,
                    elements,
                });
                dst
            }
        };
        self.define(value, &[result]);
        Ok(())
    }

    pub(super) fn insert_element(&mut self, value: Value<'m>) -> Lowered<()> {
        let mut elements = self.all(value.operand(0))?;
        let inserted = self.one(value.operand(1))?;
        let index = self.one(value.operand(2))?;
        match self.known_number(index) {
            Some(index) => {
                if let Some(element) = elements.get_mut(index as usize) {
                    *element = inserted;
                } else {
                    let kind = self.kind_of(inserted);
                    elements.fill(self.constant(Constant::Poison, kind));
                }
            }
            None => {
                let width = self.kind_of(index).bits() as u16;
                let old = self.list(&elements);
                let kinds = self.kinds_of(value.value_type())?;
                elements = self.fresh_all(&kinds);
                let dst = elements[0];
                self.emit(Inst::PutElement {
                    width,
                    dst,
                    index,
                    value: inserted,
                    elements: old,
                });
            }
        }
        self.define(value, &elements);
        Ok(())
    }

    pub(super) fn shuffle(&mut self, value: Value<'m>) -> Lowered<()> {
        let mut elements = self.all(value.operand(0))?;
        elements.extend(self.all(value.operand(1))?);
        let kind = self.kind_of(elements[0]);
        let mut results = Vec::new();
        for index in value.shuffle_mask() {
            results.push(match index {
                Some(index) => elements[index],
                None => self.constant(Constant::Poison, kind),
            });
        }
        self.define(value, &results);
        Ok(())
    }

    pub(super) fn extract_value(&mut self, value: Value<'m>) -> Lowered<()> {
        let whole = self.all(value.operand(0))?;
        let start = self.position(value.operand(0).value_type(), &value.aggregate_indices())?;
        let count = self.module.layouts.count(value.value_type())?;
        self.define(value, &whole[start..start + count]);
        Ok(())
    }

    pub(super) fn insert_value(&mut self, value: Value<'m>) -> Lowered<()> {
        let mut whole = self.all(value.operand(0))?;
        let part = self.all(value.operand(1))?;
        let start = self.position(value.value_type(), &value.aggregate_indices())?;
        whole[start..start + part.len()].copy_from_slice(&part);
        self.define(value, &whole);
        Ok(())
    }

    /// How many registers come before the part that indices name.
    fn position(&mut self, whole: Type<'m>, indices: &[u32]) -> Lowered<usize> {
        let mut current = whole;
        let mut position = 0;
        for &index in indices {
            match current.kind() {
                TypeKind::Struct => {
                    let fields = current.fields();
                    for &field in &fields[..index as usize] {
                        position += self.module.layouts.count(field)?;
                    }
                    current = fields[index as usize];
                }
                TypeKind::Array { element, .. } => {
                    position += self.module.layouts.count(element)? * index as usize;
                    current = element;
                }
                TypeKind::Void
                | TypeKind::Int(_)
                | TypeKind::Float(_)
                | TypeKind::Pointer { .. }
                | TypeKind::Vector { .. }
                | TypeKind::Function
                | TypeKind::Other => return Err(format!("a part of type {}", current.text())),
            }
        }
        Ok(position)
    }

    /// The bits of registers, first one lowest, cut anew into others of `kinds`.
    pub(super) fn regroup(&mut self, source: &[Reg], kinds: &[Kind]) -> Lowered<Vec<Reg>> {
        let bits = |this: &Self, registers: &[Reg]| -> Vec<u32> {
            registers
                .iter()
                .map(|&register| this.kind_of(register).bits())
                .collect()
        };
        let same_cuts =
            bits(self, source) == kinds.iter().map(|kind| kind.bits()).collect::<Vec<_>>();
        if same_cuts {
            return source
                .iter()
                .zip(kinds)
                .map(|(&src, &to)| self.reread(src, to))
                .collect();
        }
        let mut pieces = Vec::new();
        let mut start = 0;
        for &register in source {
            let width = self.kind_of(register).bits() as u16;
            pieces.push((start, self.reread(register, Kind::Int(width))?, width));
            start += u32::from(width);
        }
        let mut results = Vec::with_capacity(kinds.len());
        let mut low = 0;
        for &kind in kinds {
            let gathered = self.gather(&pieces, low, kind.bits() as u16);
            results.push(self.reread(gathered, kind)?);
            low += kind.bits();
        }
        Ok(results)
    }

    /// An integer of the bits from `low` on, out of pieces that each start at a bit.
    fn gather(&mut self, pieces: &[(u32, Reg, u16)], low: u32, width: u16) -> Reg {
        let high = low + u32::from(width);
        let mut gathered = None;
        for &(start, register, piece_width) in pieces {
            let end = start + u32::from(piece_width);
            if end <= low || high <= start {
                continue;
            }
            let mut part = register;
            if start < low {
                let amount = u64::from(low - start);
                part = self.shift(BinaryOp::LShr, part, amount, piece_width);
            }
            let (from, to) = (Kind::Int(piece_width), Kind::Int(width));
            if piece_width > width {
                part = self.convert(CastOp::Trunc, part, from, to);
            } else if piece_width < width {
                part = self.convert(CastOp::ZExt, part, from, to);
            }
            if start > low {
                part = self.shift(BinaryOp::Shl, part, u64::from(start - low), width);
            }
            gathered = Some(match gathered {
                None => part,
                Some(rest) => self.arithmetic(BinaryOp::Or, rest, part, width),
            });
        }
        gathered.unwrap_or_else(|| self.int(0, width))
    }

    /// The same bits read as another kind of the same width.
    fn reread(&mut self, src: Reg, to: Kind) -> Lowered<Reg> {
        let from = self.kind_of(src);
        if from == to {
            return Ok(src);
        }
        let op = match (from, to) {
            (Kind::Ptr, Kind::Int(_)) => CastOp::PtrToInt,
            (Kind::Int(_), Kind::Ptr) => CastOp::IntToPtr,
            (Kind::Int(_) | Kind::Float(_), Kind::Int(_) | Kind::Float(_)) => CastOp::Bits,
            (Kind::Ptr, Kind::Float(_) | Kind::Ptr) | (Kind::Float(_), Kind::Ptr) => {
                return Err("a bit cast between addresses and numbers".into());
            }
        };
        Ok(self.convert(op, src, from, to))
    }

    fn shift(&mut self, op: BinaryOp, value: Reg, amount: u64, width: u16) -> Reg {
        let amount = self.int(amount, width);
        self.arithmetic(op, value, amount, width)
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: Reg, b: Reg, width: u16) -> Reg {
        let dst = self.fresh(Kind::Int(width));
        self.emit(Inst::Binary {
            op,
            flags: Flags::default(),
            width,
            dst,
            a,
            b,
        });
        dst
    }
}
