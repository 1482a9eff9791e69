//! Registers, memory and numbers, read and written in the widths of instructions.

use super::super::operand::{Operand, Output};
use super::super::text::{Address, Place, RAX, RDX, RSP};
use super::{Processor, mask};
use crate::ids::Reg;
use crate::inst::Inst;
use crate::intrinsic::Intrinsic;
use crate::ops::{Access, Align, BinaryOp, CastOp, Kind, Ordering, Predicate, RmwOp};
use crate::program::Constant;

impl Processor<'_, '_, '_> {
    /// How wide a place is, by its name or the type of the operand.
    pub(super) fn width_of(&self, place: &Place) -> Option<u16> {
        match place {
            Place::Register(register) => Some(register.bits),
            Place::Operand(_, Some(letter)) => match letter {
                'b' | 'h' => Some(8),
                'w' => Some(16),
                'k' => Some(32),
                'q' => Some(64),
                _ => None,
            },
            Place::Operand(number, None) => match *self.operands.get(*number)? {
                Operand::Slot { bits, .. } if matches!(bits, 8 | 16 | 32 | 64) => Some(bits),
                Operand::Slot { .. } | Operand::Memory { .. } | Operand::Number(_) => None,
            },
            Place::Number(_) | Place::Memory(_) => None,
        }
    }

    /// The part of a register that a place is, if it is in one.
    pub(super) fn part(&self, place: &Place) -> Option<(usize, bool)> {
        match place {
            Place::Register(register) => Some((register.number, register.high)),
            Place::Operand(number, letter) => match *self.operands.get(*number)? {
                Operand::Slot { slot, .. } => {
                    let high = *letter == Some('h');
                    matches!(letter, None | Some('b' | 'h' | 'w' | 'k' | 'q'))
                        .then_some((slot, high))
                }
                Operand::Memory { .. } | Operand::Number(_) => None,
            },
            Place::Number(_) | Place::Memory(_) => None,
        }
    }

    /// The number that a place is, if it is one.
    pub(super) fn number(&self, place: &Place) -> Option<i64> {
        match place {
            Place::Number(number) => Some(*number),
            Place::Operand(number, None) => match *self.operands.get(*number)? {
                Operand::Number(number) => Some(number),
                Operand::Slot { .. } | Operand::Memory { .. } => None,
            },
            Place::Operand(_, Some(_)) | Place::Register(_) | Place::Memory(_) => None,
        }
    }

    /// Whether a place is in memory; none where nobody knows.
    pub(super) fn is_memory(&self, place: &Place) -> Option<bool> {
        match place {
            Place::Memory(_) => Some(true),
            Place::Register(_) | Place::Number(_) => Some(false),
            Place::Operand(number, _) => {
                let operand = self.operands.get(*number)?;
                Some(matches!(operand, Operand::Memory { .. }))
            }
        }
    }

    /// Whether a locked instruction changes nothing, at the top of the stack: the old way
    /// to write a barrier.
    pub(super) fn is_barrier(&self, from: &Place, to: &Place) -> bool {
        let Place::Memory(address) = to else {
            return false;
        };
        let stack = |place: &Place| matches!(place, Place::Register(it) if it.number == RSP);
        self.number(from) == Some(0) && address.base.as_deref().is_some_and(stack)
    }

    pub(super) fn read(&mut self, place: &Place, width: u16) -> Option<Reg> {
        if let Some(number) = self.number(place) {
            return Some(self.code.int(number as u64 & mask(width), width));
        }
        if let Some((slot, high)) = self.part(place) {
            if high && width != 8 {
                return None;
            }
            let mut word = self.word(slot);
            if high {
                let eight = self.code.int(8, 64);
                word = self.binary(BinaryOp::LShr, word, eight, 64);
            }
            return Some(self.cut(word, width));
        }
        let address = self.address_of(place)?;
        let kind = Kind::Int(width);
        let dst = self.code.fresh(kind);
        self.code.emit(Inst::Load {
            access: access(),
            kind,
            dst,
            address,
        });
        Some(dst)
    }

    pub(super) fn write(&mut self, place: &Place, width: u16, value: Reg) -> Option<()> {
        if let Some((slot, high)) = self.part(place) {
            if high {
                return self.put_second_byte(slot, value, width);
            }
            self.put(slot, value, width);
            return Some(());
        }
        let address = self.address_of(place)?;
        self.code.emit(Inst::Store {
            access: access(),
            kind: Kind::Int(width),
            address,
            value,
        });
        Some(())
    }

    /// Puts a result where `op` of the old value and `operand` goes, and gives the old value.
    pub(super) fn update(
        &mut self,
        place: &Place,
        width: u16,
        locked: bool,
        op: RmwOp,
        operand: Reg,
    ) -> Option<Reg> {
        if locked {
            let address = self.address_of(place)?;
            let kind = Kind::Int(width);
            let dst = self.code.fresh(kind);
            self.code.emit(Inst::AtomicRmw {
                op,
                ordering: Ordering::Sequential,
                volatile: true,
                kind,
                dst,
                address,
                value: operand,
            });
            return Some(dst);
        }
        let old = self.read(place, width)?;
        let op = match op {
            RmwOp::Add => BinaryOp::Add,
            RmwOp::Sub => BinaryOp::Sub,
            RmwOp::And => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Xor => BinaryOp::Xor,
            _ => return None,
        };
        let new = self.binary(op, old, operand, width);
        self.write(place, width, new)?;
        Some(old)
    }

    pub(super) fn address_of(&mut self, place: &Place) -> Option<Reg> {
        match place {
            Place::Memory(address) => {
                let address = self.address(address)?;
                Some(self.pointer(address))
            }
            Place::Operand(number, None) => match *self.operands.get(*number)? {
                Operand::Memory { address } => Some(address),
                Operand::Slot { .. } | Operand::Number(_) => None,
            },
            Place::Operand(_, Some(_)) | Place::Register(_) | Place::Number(_) => None,
        }
    }

    /// What an address comes to, as a number.
    pub(super) fn address(&mut self, address: &Address) -> Option<Reg> {
        let mut sum = self.code.int(address.displacement as u64, 64);
        for (part, scale) in [(&address.base, 1), (&address.index, address.scale)] {
            let Some(part) = part else { continue };
            let (slot, high) = self.part(part)?;
            // The stack of the real program is nowhere.
            if high || slot == RSP {
                return None;
            }
            let mut value = self.word(slot);
            if scale != 1 {
                let scale = self.code.int(scale as u64, 64);
                value = self.binary(BinaryOp::Mul, value, scale, 64);
            }
            sum = self.binary(BinaryOp::Add, sum, value, 64);
        }
        Some(sum)
    }

    pub(super) fn pointer(&mut self, address: Reg) -> Reg {
        let (from, to) = (Kind::Int(64), Kind::Ptr);
        self.code.convert(CastOp::IntToPtr, address, from, to)
    }

    // Registers.

    /// All of a register; what nobody wrote is anything.
    pub(super) fn word(&mut self, slot: usize) -> Reg {
        match self.slots[slot] {
            Some(value) => value,
            None => self.code.constant(Constant::Undef, Kind::Int(64)),
        }
    }

    pub(super) fn register(&mut self, slot: usize, width: u16) -> Reg {
        let word = self.word(slot);
        self.cut(word, width)
    }

    /// Writes a part of a register: 32 bits clear what is above them, fewer leave it.
    pub(super) fn put(&mut self, slot: usize, value: Reg, width: u16) {
        let wide = self.resized(CastOp::ZExt, value, width, 64);
        let word = match width {
            32 | 64 => wide,
            _ => {
                let old = self.word(slot);
                let others = self.code.int(!mask(width), 64);
                let kept = self.binary(BinaryOp::And, old, others, 64);
                self.binary(BinaryOp::Or, kept, wide, 64)
            }
        };
        self.slots[slot] = Some(word);
    }

    pub(super) fn put_second_byte(&mut self, slot: usize, value: Reg, width: u16) -> Option<()> {
        if width != 8 {
            return None;
        }
        let wide = self.resized(CastOp::ZExt, value, 8, 64);
        let eight = self.code.int(8, 64);
        let byte = self.binary(BinaryOp::Shl, wide, eight, 64);
        let old = self.word(slot);
        let others = self.code.int(!0xff00, 64);
        let kept = self.binary(BinaryOp::And, old, others, 64);
        self.slots[slot] = Some(self.binary(BinaryOp::Or, kept, byte, 64));
        Some(())
    }

    /// Two registers as one number.
    pub(super) fn pair(&mut self, high: usize, low: usize, width: u16) -> Reg {
        let wide = 2 * width;
        let (high, low) = (self.register(high, width), self.register(low, width));
        let high = self.resized(CastOp::ZExt, high, width, wide);
        let low = self.resized(CastOp::ZExt, low, width, wide);
        let amount = self.code.int(width.into(), wide);
        let high = self.binary(BinaryOp::Shl, high, amount, wide);
        self.binary(BinaryOp::Or, high, low, wide)
    }

    /// A number of twice the width in `rdx:rax`.
    pub(super) fn put_halves(&mut self, value: Reg, width: u16) {
        let wide = 2 * width;
        let low = self.resized(CastOp::Trunc, value, wide, width);
        let amount = self.code.int(width.into(), wide);
        let high = self.binary(BinaryOp::LShr, value, amount, wide);
        let high = self.resized(CastOp::Trunc, high, wide, width);
        self.put(RAX, low, width);
        self.put(RDX, high, width);
    }

    /// A number of 64 bits in `edx:eax`.
    pub(super) fn put_pair(&mut self, value: Reg) {
        self.put_halves(value, 32);
    }

    /// A result as the program takes it.
    pub(super) fn result(&mut self, output: Output<'_>, kind: Kind) -> Option<Reg> {
        let word = match output {
            Output::Slot(slot) => self.word(slot),
            Output::Condition(name) => {
                let holds = self.condition(name)?;
                self.resized(CastOp::ZExt, holds, 1, 64)
            }
        };
        match kind {
            Kind::Int(width) if width <= 64 => Some(self.cut(word, width)),
            Kind::Ptr => Some(self.pointer(word)),
            Kind::Int(_) | Kind::Float(_) => None,
        }
    }

    // Instructions.

    pub(super) fn cut(&mut self, word: Reg, width: u16) -> Reg {
        self.resized(CastOp::Trunc, word, 64, width)
    }

    pub(super) fn resized(&mut self, op: CastOp, value: Reg, from: u16, to: u16) -> Reg {
        match from == to {
            true => value,
            false => self.code.convert(op, value, Kind::Int(from), Kind::Int(to)),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: Reg, b: Reg, width: u16) -> Reg {
        self.code.arithmetic(op, a, b, width)
    }

    pub(super) fn intrinsic(&mut self, intrinsic: Intrinsic, arguments: &[Reg], width: u16) -> Reg {
        self.code
            .emit_intrinsic(intrinsic, arguments, &[Kind::Int(width)])[0]
    }

    pub(super) fn compare(&mut self, predicate: Predicate, a: Reg, b: Reg, width: u16) -> Reg {
        let dst = self.code.fresh(Kind::Int(1));
        self.code.emit(Inst::Compare {
            predicate,
            width,
            dst,
            a,
            b,
        });
        dst
    }

    pub(super) fn choose(&mut self, condition: Reg, then: Reg, otherwise: Reg, width: u16) -> Reg {
        let dst = self.code.fresh(Kind::Int(width));
        self.code.emit(Inst::Select {
            dst,
            condition,
            then,
            otherwise,
        });
        dst
    }
}

/// Assembly reads and writes at any address and at once, and C says nothing of races there.
fn access() -> Access {
    Access {
        align: Align::from_bytes(1),
        ordering: Ordering::Relaxed,
        volatile: true,
        exact: false,
    }
}
