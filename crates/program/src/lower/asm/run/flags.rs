//! The flags that instructions leave, and the conditions on them.

use super::{Processor, StatusFlags};
use crate::ids::Reg;
use crate::ops::{BinaryOp, Predicate};

impl Processor<'_, '_, '_> {
    pub(super) fn after_sum(&mut self, a: Reg, b: Reg, carry: Option<Reg>, width: u16) {
        self.flags = StatusFlags::default();
        if !self.wants_flags {
            return;
        }
        let partial = self.binary(BinaryOp::Add, a, b, width);
        let mut out = self.compare(Predicate::Ult, partial, a, width);
        let mut result = partial;
        if let Some(carry) = carry {
            result = self.binary(BinaryOp::Add, partial, carry, width);
            let again = self.compare(Predicate::Ult, result, partial, width);
            out = self.binary(BinaryOp::Or, out, again, 1);
        }
        self.after_logic(result, width);
        self.flags.carry = Some(out);
        let (x, y) = (
            self.binary(BinaryOp::Xor, a, result, width),
            self.binary(BinaryOp::Xor, b, result, width),
        );
        let overflow = self.binary(BinaryOp::And, x, y, width);
        self.flags.overflow = Some(self.is_negative(overflow, width));
    }

    pub(super) fn after_difference(&mut self, a: Reg, b: Reg, borrow: Option<Reg>, width: u16) {
        self.flags = StatusFlags::default();
        if !self.wants_flags {
            return;
        }
        let partial = self.binary(BinaryOp::Sub, a, b, width);
        let mut out = self.compare(Predicate::Ult, a, b, width);
        let mut result = partial;
        if let Some(borrow) = borrow {
            result = self.binary(BinaryOp::Sub, partial, borrow, width);
            let again = self.compare(Predicate::Ult, partial, borrow, width);
            out = self.binary(BinaryOp::Or, out, again, 1);
        }
        self.after_logic(result, width);
        self.flags.carry = Some(out);
        let (x, y) = (
            self.binary(BinaryOp::Xor, a, b, width),
            self.binary(BinaryOp::Xor, a, result, width),
        );
        let overflow = self.binary(BinaryOp::And, x, y, width);
        self.flags.overflow = Some(self.is_negative(overflow, width));
    }

    pub(super) fn after_logic(&mut self, result: Reg, width: u16) {
        self.flags = StatusFlags::default();
        if !self.wants_flags {
            return;
        }
        let none = self.code.int(0, width);
        let clear = self.code.int(0, 1);
        self.flags = StatusFlags {
            carry: Some(clear),
            zero: Some(self.compare(Predicate::Eq, result, none, width)),
            sign: Some(self.is_negative(result, width)),
            overflow: Some(clear),
        };
    }

    pub(super) fn is_negative(&mut self, value: Reg, width: u16) -> Reg {
        let zero = self.code.int(0, width);
        self.compare(Predicate::Slt, value, zero, width)
    }

    /// Whether a condition holds, as the end of an instruction's name tells it.
    pub(super) fn condition(&mut self, name: &str) -> Option<Reg> {
        let flags = self.flags;
        let (value, inverted) = match name {
            "o" => (flags.overflow?, false),
            "no" => (flags.overflow?, true),
            "b" | "c" | "nae" => (flags.carry?, false),
            "ae" | "nb" | "nc" => (flags.carry?, true),
            "e" | "z" => (flags.zero?, false),
            "ne" | "nz" => (flags.zero?, true),
            "be" | "na" => (self.either(flags.carry?, flags.zero?), false),
            "a" | "nbe" => (self.either(flags.carry?, flags.zero?), true),
            "s" => (flags.sign?, false),
            "ns" => (flags.sign?, true),
            "l" | "nge" => (self.differ(flags.sign?, flags.overflow?), false),
            "ge" | "nl" => (self.differ(flags.sign?, flags.overflow?), true),
            "le" | "ng" | "g" | "nle" => {
                let less = self.differ(flags.sign?, flags.overflow?);
                (self.either(less, flags.zero?), matches!(name, "g" | "nle"))
            }
            _ => return None,
        };
        Some(if inverted { self.inverse(value) } else { value })
    }

    pub(super) fn either(&mut self, a: Reg, b: Reg) -> Reg {
        self.binary(BinaryOp::Or, a, b, 1)
    }

    pub(super) fn differ(&mut self, a: Reg, b: Reg) -> Reg {
        self.binary(BinaryOp::Xor, a, b, 1)
    }

    pub(super) fn inverse(&mut self, a: Reg) -> Reg {
        let one = self.code.int(1, 1);
        self.binary(BinaryOp::Xor, a, one, 1)
    }
}
