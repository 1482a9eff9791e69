//! Arithmetic, shifts and searches for bits, as the processor does them.

use super::super::operand::Operand;
use super::super::text::{Place, RAX, RDX};
use super::{Processor, StatusFlags, mask};
use crate::ids::Reg;
use crate::intrinsic::Intrinsic;
use crate::ops::{BinaryOp, CastOp, Flags, Predicate, RmwOp};

impl Processor<'_, '_, '_> {
    pub(super) fn with_carry(
        &mut self,
        add: bool,
        from: &Place,
        to: &Place,
        width: u16,
    ) -> Option<()> {
        let carry = self.flags.carry?;
        let (old, other) = match from == to && !add {
            // Of a register from itself, the idiom for the carry in every bit.
            true => (self.code.int(0, width), self.code.int(0, width)),
            false => (self.read(to, width)?, self.read(from, width)?),
        };
        let wide = self.resized(CastOp::ZExt, carry, 1, width);
        let op = if add { BinaryOp::Add } else { BinaryOp::Sub };
        let partial = self.binary(op, old, other, width);
        let result = self.binary(op, partial, wide, width);
        match add {
            true => self.after_sum(old, other, Some(wide), width),
            false => self.after_difference(old, other, Some(wide), width),
        }
        self.write(to, width, result)
    }

    /// The product with the accumulator, twice as wide.
    pub(super) fn multiply(&mut self, by: &Place, op: CastOp, width: u16) -> Option<()> {
        if width == 8 {
            return None;
        }
        let wide = 2 * width;
        let (a, b) = (self.register(RAX, width), self.read(by, width)?);
        let (a, b) = (
            self.resized(op, a, width, wide),
            self.resized(op, b, width, wide),
        );
        let product = self.binary(BinaryOp::Mul, a, b, wide);
        self.put_halves(product, width);
        let low = self.resized(CastOp::Trunc, product, wide, width);
        let same = self.resized(op, low, width, wide);
        self.after_product(product, same, wide);
        Some(())
    }

    pub(super) fn multiply_into(
        &mut self,
        a: &Place,
        b: &Place,
        to: &Place,
        width: u16,
    ) -> Option<()> {
        let wide = 2 * width;
        let (a, b) = (self.read(a, width)?, self.read(b, width)?);
        let product = self.binary(BinaryOp::Mul, a, b, width);
        if self.wants_flags {
            let op = CastOp::SExt;
            let (a, b) = (
                self.resized(op, a, width, wide),
                self.resized(op, b, width, wide),
            );
            let whole = self.binary(BinaryOp::Mul, a, b, wide);
            let same = self.resized(op, product, width, wide);
            self.after_product(whole, same, wide);
        }
        self.write(to, width, product)
    }

    /// Carry and overflow say that a product is not what is left of it.
    pub(super) fn after_product(&mut self, product: Reg, same: Reg, wide: u16) {
        self.flags = StatusFlags::default();
        if self.wants_flags {
            let lost = self.compare(Predicate::Ne, product, same, wide);
            self.flags.carry = Some(lost);
            self.flags.overflow = Some(lost);
        }
    }

    /// `rdx:rax` divided. A quotient that does not fit is the same exception as a divisor
    /// of zero, and becomes a division by zero here.
    pub(super) fn divide(&mut self, by: &Place, signed: bool, width: u16) -> Option<()> {
        if width == 8 {
            return None;
        }
        let wide = 2 * width;
        let divisor = self.read(by, width)?;
        let dividend = self.pair(RDX, RAX, width);
        let (extend, quotient, remainder) = match signed {
            true => (CastOp::SExt, BinaryOp::SDiv, BinaryOp::SRem),
            false => (CastOp::ZExt, BinaryOp::UDiv, BinaryOp::URem),
        };
        let divisor = self.resized(extend, divisor, width, wide);
        let whole = self.binary(quotient, dividend, divisor, wide);
        let low = self.resized(CastOp::Trunc, whole, wide, width);
        let same = self.resized(extend, low, width, wide);
        let fits = self.compare(Predicate::Eq, whole, same, wide);
        let fits = self.resized(CastOp::ZExt, fits, 1, width);
        self.binary(BinaryOp::UDiv, low, fits, width);
        let rest = self.binary(remainder, dividend, divisor, wide);
        let rest = self.resized(CastOp::Trunc, rest, wide, width);
        self.put(RAX, low, width);
        self.put(RDX, rest, width);
        self.flags = StatusFlags::default();
        Some(())
    }

    // Bits.

    /// Shifts take the amount modulo 32, or 64; a shorter number may lose all its bits.
    pub(super) fn shift(
        &mut self,
        name: &str,
        count: &Place,
        to: &Place,
        width: u16,
    ) -> Option<()> {
        let (old, count) = (self.read(to, width)?, self.read(count, 8)?);
        let room = width.max(32);
        let (op, extend) = match name {
            "shr" => (BinaryOp::LShr, CastOp::ZExt),
            "sar" => (BinaryOp::AShr, CastOp::SExt),
            _ => (BinaryOp::Shl, CastOp::ZExt),
        };
        let value = self.resized(extend, old, width, room);
        let amount = self.amount(count, room);
        let shifted = self.binary(op, value, amount, room);
        let result = self.resized(CastOp::Trunc, shifted, room, width);
        self.flags = StatusFlags::default();
        self.write(to, width, result)
    }

    /// Both halves of `name` shift bits of one number into another.
    pub(super) fn double_shift(
        &mut self,
        left: bool,
        count: &Place,
        from: &Place,
        to: &Place,
    ) -> Option<()> {
        let width = self.width_of(to)?;
        if width < 32 {
            return None;
        }
        let (new, old) = (self.read(from, width)?, self.read(to, width)?);
        let count = self.read(count, 8)?;
        let amount = self.amount(count, width);
        let result = match left {
            true => self.intrinsic(Intrinsic::FunnelLeft, &[old, new, amount], width),
            false => self.intrinsic(Intrinsic::FunnelRight, &[new, old, amount], width),
        };
        self.flags = StatusFlags::default();
        self.write(to, width, result)
    }

    pub(super) fn rotate(
        &mut self,
        left: bool,
        count: &Place,
        to: &Place,
        width: u16,
    ) -> Option<()> {
        let (old, count) = (self.read(to, width)?, self.read(count, 8)?);
        let amount = match width {
            8 => count,
            _ => self.resized(CastOp::ZExt, count, 8, width),
        };
        let intrinsic = match left {
            true => Intrinsic::FunnelLeft,
            false => Intrinsic::FunnelRight,
        };
        let result = self.intrinsic(intrinsic, &[old, old, amount], width);
        self.flags.carry = None;
        self.flags.overflow = None;
        self.write(to, width, result)
    }

    /// A count in eight bits, modulo the width, which is 32 or 64.
    pub(super) fn amount(&mut self, count: Reg, width: u16) -> Reg {
        let most = self.code.int(u64::from(width) - 1, 8);
        let count = self.binary(BinaryOp::And, count, most, 8);
        self.resized(CastOp::ZExt, count, 8, width)
    }

    pub(super) fn count_bits(
        &mut self,
        name: &str,
        from: &Place,
        to: &Place,
        width: u16,
    ) -> Option<()> {
        let value = self.read(from, width)?;
        let zero = self.code.int(0, width);
        let is_zero = self.compare(Predicate::Eq, value, zero, width);
        let defined = self.code.int(0, 1);
        let result = match name {
            "popcnt" => self.intrinsic(Intrinsic::PopCount, &[value], width),
            "bsf" | "tzcnt" => self.intrinsic(Intrinsic::TrailingZeros, &[value, defined], width),
            _ => self.intrinsic(Intrinsic::LeadingZeros, &[value, defined], width),
        };
        self.flags = StatusFlags::default();
        let result = match name {
            "bsf" | "bsr" => {
                let place = match name {
                    "bsf" => result,
                    _ => {
                        let last = self.code.int(u64::from(width) - 1, width);
                        self.binary(BinaryOp::Sub, last, result, width)
                    }
                };
                self.flags.zero = Some(is_zero);
                // Processors leave the register alone if there is no bit to be found.
                let old = self.read(to, width)?;
                self.choose(is_zero, old, place, width)
            }
            "popcnt" => {
                self.flags.zero = Some(is_zero);
                self.flags.carry = Some(self.code.int(0, 1));
                result
            }
            _ => {
                self.flags.carry = Some(is_zero);
                self.flags.zero = Some(self.compare(Predicate::Eq, result, zero, width));
                result
            }
        };
        self.write(to, width, result)
    }

    /// The carry becomes a bit, which is then set or cleared. In memory, a bit whose number
    /// is in a register may lie far from the operand.
    pub(super) fn test_bit(
        &mut self,
        name: &str,
        bit: &Place,
        of: &Place,
        width: u16,
        locked: bool,
    ) -> Option<()> {
        if width < 16 {
            return None;
        }
        let number = self.read(bit, width)?;
        let within = self.code.int(u64::from(width) - 1, width);
        let amount = self.binary(BinaryOp::And, number, within, width);
        let one = self.code.int(1, width);
        let single = self.binary(BinaryOp::Shl, one, amount, width);
        let far = self.is_memory(of)? && self.number(bit).is_none();
        let moved;
        let of = match far {
            false => of,
            true => {
                let address = self.address_of(of)?;
                let shift = self.code.int(u64::from(width.ilog2()), width);
                let steps = self.binary(BinaryOp::AShr, number, shift, width);
                let scale = i64::from(width / 8);
                let address = self.code.index(address, steps, scale, Flags::default());
                self.operands.push(Operand::Memory { address });
                moved = Place::Operand(self.operands.len() - 1, None);
                &moved
            }
        };
        let old = match name {
            "bt" => self.read(of, width)?,
            "bts" => self.update(of, width, locked, RmwOp::Or, single)?,
            _ => {
                let ones = self.code.int(mask(width), width);
                let others = self.binary(BinaryOp::Xor, single, ones, width);
                self.update(of, width, locked, RmwOp::And, others)?
            }
        };
        let zero = self.flags.zero;
        let found = self.binary(BinaryOp::And, old, single, width);
        let none = self.code.int(0, width);
        let carry = self.compare(Predicate::Ne, found, none, width);
        self.flags = StatusFlags {
            carry: Some(carry),
            zero,
            ..StatusFlags::default()
        };
        Some(())
    }
}
