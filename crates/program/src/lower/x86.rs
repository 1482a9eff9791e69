//! The x86 intrinsics that ordinary C and Rust code meets: carry chains of big
//! numbers, and the masks of byte-wise searches.

use super::function::FunctionLowering;
use super::intrinsic::unsupported;
use crate::ids::Reg;
use crate::inst::Inst;
use crate::intrinsic::Intrinsic;
use crate::layout::Lowered;
use crate::llvm::Value;
use crate::ops::{BinaryOp, CastOp, Kind, Predicate};

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers `llvm.x86.*`.
    pub(super) fn x86(&mut self, call: Value<'m>, operation: &str, name: &str) -> Lowered<()> {
        match operation {
            "sse2.pause" => Ok(()),
            "addcarry.32" | "addcarry.64" => self.carried(call, Intrinsic::UAddOverflow),
            "subborrow.32" | "subborrow.64" => self.carried(call, Intrinsic::USubOverflow),
            "sse.movmsk.ps" | "sse2.movmsk.pd" | "sse2.pmovmskb.128" | "avx.movmsk.ps.256"
            | "avx.movmsk.pd.256" | "avx2.pmovmskb" => self.sign_mask(call),
            _ => Err(unsupported(name)),
        }
    }

    /// `(carry, a, b)`: whether `a op b op carry` overflows, as a byte, and what it is.
    fn carried(&mut self, call: Value<'m>, intrinsic: Intrinsic) -> Lowered<()> {
        let carry = self.one(call.operand(0))?;
        let (a, b) = (self.one(call.operand(1))?, self.one(call.operand(2))?);
        let kind = self.kind_of(a);
        let zero = self.int(0, 8);
        let set = self.fresh(Kind::Int(1));
        let predicate = Predicate::Ne;
        self.emit(Inst::Compare {
            predicate,
            width: 8,
            dst: set,
            a: carry,
            b: zero,
        });
        let wide = self.convert(CastOp::ZExt, set, Kind::Int(1), kind);
        let first = self.emit_intrinsic(intrinsic, &[a, b], &[kind, Kind::Int(1)]);
        let second = self.emit_intrinsic(intrinsic, &[first[0], wide], &[kind, Kind::Int(1)]);
        let either = self.arithmetic(BinaryOp::Or, first[1], second[1], 1);
        let byte = self.convert(CastOp::ZExt, either, Kind::Int(1), Kind::Int(8));
        self.define(call, &[byte, second[0]]);
        Ok(())
    }

    /// The sign bits of a vector's elements as one integer, the first lowest.
    fn sign_mask(&mut self, call: Value<'m>) -> Lowered<()> {
        let mut signs: Vec<Reg> = Vec::new();
        for element in self.all(call.operand(0))? {
            let width = self.kind_of(element).bits() as u16;
            let number = self.regroup(&[element], &[Kind::Int(width)])?[0];
            let zero = self.int(0, width);
            let dst = self.fresh(Kind::Int(1));
            self.emit(Inst::Compare {
                predicate: Predicate::Slt,
                width,
                dst,
                a: number,
                b: zero,
            });
            signs.push(dst);
        }
        let result = self.module.layouts.scalar(call.value_type())?;
        let mask = Kind::Int(signs.len() as u16);
        let mask_register = self.regroup(&signs, &[mask])?[0];
        let wide = match mask == result {
            true => mask_register,
            false => self.convert(CastOp::ZExt, mask_register, mask, result),
        };
        self.define(call, &[wide]);
        Ok(())
    }
}
