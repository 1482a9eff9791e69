//! What the general instructions of x86-64 do, as instructions of the program.
//!
//! Registers hold numbers of 64 bits; an instruction reads and writes as much of them as
//! its name or its operands say. What is not here makes the whole text not understood.

use super::super::function::FunctionLowering;
use super::operand::{Operand, Operands, Output};
use super::text::{Address, Place, RAX, RBX, RCX, RDI, RDX, RSP, Register, Statement, statements};
use crate::ids::Reg;
use crate::inst::Inst;
use crate::intrinsic::Intrinsic;
use crate::ops::{Access, Align, BinaryOp, CastOp, Flags, Kind, Ordering, Predicate, RmwOp};
use crate::program::Constant;

impl FunctionLowering<'_, '_> {
    /// Emits what assembly does, and gives its results; none where it is not understood, and
    /// then some of it may have been emitted.
    pub(super) fn run_asm(
        &mut self,
        text: &str,
        constraints: &str,
        args: &[Vec<Reg>],
        kinds: &[Kind],
    ) -> Option<Vec<Reg>> {
        let statements = statements(text)?;
        let Operands {
            operands,
            outputs,
            slots,
        } = self.asm_operands(constraints, args, kinds)?;
        let asks = |it: &Statement| reads_flags(&it.mnemonic);
        let wants_flags = statements.iter().any(asks) || constraints.contains("@cc");
        let mut processor = Processor {
            code: self,
            operands,
            slots,
            flags: StatusFlags::default(),
            wants_flags,
        };
        for statement in &statements {
            processor.execute(statement)?;
        }
        let results = outputs.iter().zip(kinds);
        results
            .map(|(output, &kind)| processor.result(*output, kind))
            .collect()
    }
}

/// Whether an instruction looks at the flags that those before it left.
fn reads_flags(mnemonic: &str) -> bool {
    ["adc", "sbb", "set", "cmov", "cmc"]
        .iter()
        .any(|start| mnemonic.starts_with(start))
}

/// The flags, of one bit each; none where nobody says what they are.
#[derive(Clone, Copy, Default)]
struct StatusFlags {
    carry: Option<Reg>,
    zero: Option<Reg>,
    sign: Option<Reg>,
    overflow: Option<Reg>,
}

struct Processor<'l, 'f, 'm> {
    code: &'l mut FunctionLowering<'f, 'm>,
    operands: Vec<Operand>,
    slots: Vec<Option<Reg>>,
    flags: StatusFlags,
    /// Whether anybody looks at the flags; if not, they are not computed.
    wants_flags: bool,
}

/// Instructions whose names may end in a letter for the width.
const SIZED: [&str; 38] = [
    "mov", "movabs", "lea", "xchg", "xadd", "cmpxchg", "add", "adc", "sub", "sbb", "cmp", "and",
    "or", "xor", "test", "inc", "dec", "neg", "not", "mul", "imul", "div", "idiv", "shl", "sal",
    "shr", "sar", "rol", "ror", "bswap", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "bt", "bts",
    "btr",
];

/// A name without the letter for the width, and the width.
fn sized(mnemonic: &str) -> Option<(&str, Option<u16>)> {
    if SIZED.contains(&mnemonic) {
        return Some((mnemonic, None));
    }
    let letter = mnemonic.chars().last()?;
    let name = mnemonic.strip_suffix(letter)?;
    SIZED
        .contains(&name)
        .then_some((name, Some(bits_of(letter)?)))
}

/// How many bits a letter at the end of a name stands for.
fn bits_of(letter: char) -> Option<u16> {
    Some(match letter {
        'b' => 8,
        'w' => 16,
        'l' => 32,
        'q' => 64,
        _ => return None,
    })
}

impl Processor<'_, '_, '_> {
    fn execute(&mut self, statement: &Statement) -> Option<()> {
        let places = statement.places.as_slice();
        if statement.repeated {
            return self.repeat(statement);
        }
        if let Some((name, width)) = sized(&statement.mnemonic) {
            let width = match width {
                Some(width) => width,
                None => places.iter().rev().find_map(|it| self.width_of(it))?,
            };
            return self.sized(name, width, places, statement.locked);
        }
        if statement.locked && !statement.mnemonic.starts_with("cmpxchg") {
            return None;
        }
        self.plain(&statement.mnemonic, places)
    }

    /// An instruction with a prefix that repeats it: `rep; nop` is `pause`, and `rep stosb`
    /// fills memory.
    fn repeat(&mut self, statement: &Statement) -> Option<()> {
        match (statement.mnemonic.as_str(), statement.places.as_slice()) {
            ("nop", []) => Some(()),
            ("stosb", []) => {
                let (to, count) = (self.word(RDI), self.word(RCX));
                let byte = self.register(RAX, 8);
                let address = self.pointer(to);
                let volatile = self.code.int(0, 1);
                let arguments = [address, byte, count, volatile];
                self.code.emit_intrinsic(Intrinsic::MemSet, &arguments, &[]);
                let end = self.binary(BinaryOp::Add, to, count, 64);
                self.slots[RDI] = Some(end);
                self.slots[RCX] = Some(self.code.int(0, 64));
                Some(())
            }
            _ => None,
        }
    }

    /// Instructions whose name says all of what they do.
    fn plain(&mut self, name: &str, places: &[Place]) -> Option<()> {
        match (name, places) {
            ("nop" | "pause" | "cld" | "endbr64", []) => {}
            ("mfence" | "lfence" | "sfence", []) => self.code.emit(Inst::Fence {
                ordering: Ordering::Sequential,
            }),
            ("ud2", []) => {
                self.code.emit_intrinsic(Intrinsic::Trap, &[], &[]);
            }
            ("int3", []) => {
                self.code.emit_intrinsic(Intrinsic::DebugTrap, &[], &[]);
            }
            ("rdtsc" | "rdtscp", []) => {
                let counter =
                    self.code
                        .emit_intrinsic(Intrinsic::CycleCounter, &[], &[Kind::Int(64)]);
                self.put_pair(counter[0]);
                if name == "rdtscp" {
                    self.slots[RCX] = Some(self.code.int(0, 64));
                }
            }
            // The processor of the machine has no extensions, and programs do without.
            ("cpuid", []) => {
                for register in [RAX, RBX, RCX, RDX] {
                    self.slots[register] = Some(self.code.int(0, 64));
                }
            }
            ("xgetbv", []) => {
                for register in [RAX, RDX] {
                    self.slots[register] = Some(self.code.int(0, 64));
                }
            }
            ("cwtl" | "cwde", []) => self.extend_accumulator(16, 32),
            ("cltq" | "cdqe", []) => self.extend_accumulator(32, 64),
            ("cltd" | "cdq", []) => self.spread_sign(32),
            ("cqto" | "cqo", []) => self.spread_sign(64),
            ("clc", []) => self.flags.carry = Some(self.code.int(0, 1)),
            ("stc", []) => self.flags.carry = Some(self.code.int(1, 1)),
            ("cmc", []) => self.flags.carry = Some(self.inverse(self.flags.carry?)),
            ("cmpxchg16b", [place]) => self.exchange_pair(place)?,
            ("shld" | "shldl" | "shldq" | "shrd" | "shrdl" | "shrdq", [count, from, to]) => {
                self.double_shift(name.starts_with("shld"), count, from, to)?;
            }
            _ => return self.composed(name, places),
        }
        Some(())
    }

    /// Instructions whose name has a condition or two widths in it.
    fn composed(&mut self, name: &str, places: &[Place]) -> Option<()> {
        match places {
            [to] => {
                let holds = self.condition(name.strip_prefix("set")?)?;
                let byte = self.resized(CastOp::ZExt, holds, 1, 8);
                self.write(to, 8, byte)
            }
            [from, to] => match name.strip_prefix("cmov") {
                Some(rest) => self.conditional_move(rest, from, to),
                None => self.extending_move(name, from, to),
            },
            _ => None,
        }
    }

    fn sized(&mut self, name: &str, width: u16, places: &[Place], locked: bool) -> Option<()> {
        let lockable = matches!(
            name,
            "xchg"
                | "xadd"
                | "cmpxchg"
                | "add"
                | "sub"
                | "and"
                | "or"
                | "xor"
                | "inc"
                | "dec"
                | "not"
                | "bts"
                | "btr"
        );
        // Others change no memory, or not at once.
        if locked && !(lockable && self.is_memory(places.last()?)?) {
            return None;
        }
        match (name, places) {
            ("mov" | "movabs", [from, to]) => {
                let value = self.read(from, width)?;
                self.write(to, width, value)
            }
            ("lea", [Place::Memory(address), to]) => {
                let address = self.address(address)?;
                let value = self.cut(address, width);
                self.write(to, width, value)
            }
            ("xchg", [a, b]) => self.exchange(a, b, width),
            ("xadd", [from, to]) if self.part(from) != self.part(to) => {
                let added = self.read(from, width)?;
                let old = self.update(to, width, locked, RmwOp::Add, added)?;
                self.after_sum(old, added, None, width);
                self.write(from, width, old)
            }
            ("cmpxchg", [from, to]) => self.compare_exchange(from, to, width, locked),
            ("add" | "sub", [from, to]) => {
                if locked && self.is_barrier(from, to) {
                    return Some(self.code.emit(Inst::Fence {
                        ordering: Ordering::Sequential,
                    }));
                }
                let other = self.read(from, width)?;
                let op = [RmwOp::Sub, RmwOp::Add][usize::from(name == "add")];
                let old = self.update(to, width, locked, op, other)?;
                match op {
                    RmwOp::Add => self.after_sum(old, other, None, width),
                    _ => self.after_difference(old, other, None, width),
                }
                Some(())
            }
            ("adc" | "sbb", [from, to]) => self.with_carry(name == "adc", from, to, width),
            ("cmp", [b, a]) => {
                let (a, b) = (self.read(a, width)?, self.read(b, width)?);
                self.after_difference(a, b, None, width);
                Some(())
            }
            ("test", [b, a]) => {
                let (a, b) = (self.read(a, width)?, self.read(b, width)?);
                let both = self.binary(BinaryOp::And, a, b, width);
                self.after_logic(both, width);
                Some(())
            }
            ("and" | "or" | "xor", [from, to]) => {
                if locked && self.is_barrier(from, to) {
                    return Some(self.code.emit(Inst::Fence {
                        ordering: Ordering::Sequential,
                    }));
                }
                let (op, rmw) = match name {
                    "and" => (BinaryOp::And, RmwOp::And),
                    "or" => (BinaryOp::Or, RmwOp::Or),
                    _ => (BinaryOp::Xor, RmwOp::Xor),
                };
                if name == "xor" && from == to {
                    // The idiom for zero reads nothing.
                    let zero = self.code.int(0, width);
                    self.after_logic(zero, width);
                    return self.write(to, width, zero);
                }
                let other = self.read(from, width)?;
                let old = self.update(to, width, locked, rmw, other)?;
                let result = self.binary(op, old, other, width);
                self.after_logic(result, width);
                Some(())
            }
            ("inc" | "dec", [to]) => {
                let one = self.code.int(1, width);
                let carry = self.flags.carry;
                if name == "inc" {
                    let old = self.update(to, width, locked, RmwOp::Add, one)?;
                    self.after_sum(old, one, None, width);
                } else {
                    let old = self.update(to, width, locked, RmwOp::Sub, one)?;
                    self.after_difference(old, one, None, width);
                }
                self.flags.carry = carry;
                Some(())
            }
            ("neg", [to]) => {
                let old = self.read(to, width)?;
                let zero = self.code.int(0, width);
                let negated = self.binary(BinaryOp::Sub, zero, old, width);
                self.after_difference(zero, old, None, width);
                self.write(to, width, negated)
            }
            ("not", [to]) => {
                let ones = self.code.int(mask(width), width);
                self.update(to, width, locked, RmwOp::Xor, ones).map(drop)
            }
            ("mul", [by]) => self.multiply(by, CastOp::ZExt, width),
            ("imul", [by]) => self.multiply(by, CastOp::SExt, width),
            ("imul", [from, to]) => self.multiply_into(from, to, to, width),
            ("imul", [factor, from, to]) => self.multiply_into(factor, from, to, width),
            ("div", [by]) => self.divide(by, false, width),
            ("idiv", [by]) => self.divide(by, true, width),
            ("shl" | "sal" | "shr" | "sar", [to]) => self.shift(name, &Place::Number(1), to, width),
            ("shl" | "sal" | "shr" | "sar", [count, to]) => self.shift(name, count, to, width),
            ("rol" | "ror", [to]) => self.rotate(name == "rol", &Place::Number(1), to, width),
            ("rol" | "ror", [count, to]) => self.rotate(name == "rol", count, to, width),
            ("bswap", [to]) => {
                let old = self.read(to, width)?;
                let swapped = self.intrinsic(Intrinsic::ByteSwap, &[old], width);
                self.write(to, width, swapped)
            }
            ("bsf" | "bsr" | "tzcnt" | "lzcnt" | "popcnt", [from, to]) => {
                self.count_bits(name, from, to, width)
            }
            ("bt" | "bts" | "btr", [bit, of]) => self.test_bit(name, bit, of, width, locked),
            _ => None,
        }
    }

    // Moving.

    fn exchange(&mut self, a: &Place, b: &Place, width: u16) -> Option<()> {
        let (memory, other) = match (self.is_memory(a)?, self.is_memory(b)?) {
            (false, false) => {
                let (old_a, old_b) = (self.read(a, width)?, self.read(b, width)?);
                self.write(a, width, old_b)?;
                return self.write(b, width, old_a);
            }
            (true, _) => (a, b),
            (_, true) => (b, a),
        };
        // With memory, it is as if it were locked.
        let new = self.read(other, width)?;
        let old = self.update(memory, width, true, RmwOp::Exchange, new)?;
        self.write(other, width, old)
    }

    fn compare_exchange(
        &mut self,
        from: &Place,
        to: &Place,
        width: u16,
        locked: bool,
    ) -> Option<()> {
        let expected = self.register(RAX, width);
        let new = self.read(from, width)?;
        let accumulator = Place::Register(Register {
            number: RAX,
            bits: width,
            high: false,
        });
        if !locked {
            let old = self.read(to, width)?;
            self.after_difference(expected, old, None, width);
            let equal = self.compare(Predicate::Eq, expected, old, width);
            let stored = self.choose(equal, new, old, width);
            self.write(to, width, stored)?;
            let seen = self.choose(equal, expected, old, width);
            return self.write(&accumulator, width, seen);
        }
        let old = self.exchange_if_equal(to, expected, new, width)?;
        self.after_difference(expected, old, None, width);
        // Where they are equal the accumulator holds that value already, and its upper half
        // stays as it is.
        let equal = self.compare(Predicate::Eq, expected, old, width);
        let before = self.word(RAX);
        self.write(&accumulator, width, old)?;
        let after = self.word(RAX);
        let kept = self.choose(equal, before, after, 64);
        self.slots[RAX] = Some(kept);
        Some(())
    }

    /// `cmpxchg16b`: sixteen bytes at once, against `rdx:rax`, from `rcx:rbx`.
    fn exchange_pair(&mut self, place: &Place) -> Option<()> {
        let expected = self.pair(RDX, RAX, 64);
        let new = self.pair(RCX, RBX, 64);
        let old = self.exchange_if_equal(place, expected, new, 128)?;
        let zero = self.compare(Predicate::Eq, expected, old, 128);
        self.flags.zero = Some(zero);
        self.put_halves(old, 64);
        Some(())
    }

    /// Emits an atomic compare and exchange, and gives what was there.
    fn exchange_if_equal(
        &mut self,
        place: &Place,
        expected: Reg,
        new: Reg,
        width: u16,
    ) -> Option<Reg> {
        let address = self.address_of(place)?;
        let kind = Kind::Int(width);
        let results = self.code.fresh_all(&[kind, Kind::Int(1)]);
        self.code.emit(Inst::CompareExchange {
            success: Ordering::Sequential,
            failure: Ordering::Sequential,
            weak: false,
            kind,
            dst: results[0],
            address,
            expected,
            new,
        });
        Some(results[0])
    }

    fn conditional_move(&mut self, rest: &str, from: &Place, to: &Place) -> Option<()> {
        let (condition, width) = match self.condition(rest) {
            Some(holds) => (holds, self.width_of(to)?),
            None => {
                let letter = rest.chars().last()?;
                (
                    self.condition(rest.strip_suffix(letter)?)?,
                    bits_of(letter)?,
                )
            }
        };
        let (new, old) = (self.read(from, width)?, self.read(to, width)?);
        let chosen = self.choose(condition, new, old, width);
        self.write(to, width, chosen)
    }

    /// `movzbl` and the like: a shorter number to a longer one.
    fn extending_move(&mut self, name: &str, from: &Place, to: &Place) -> Option<()> {
        let op = match name.get(..4)? {
            "movz" => CastOp::ZExt,
            "movs" => CastOp::SExt,
            _ => return None,
        };
        let mut letters = name.get(4..)?.chars();
        let (short, long) = match (letters.next(), letters.next(), letters.next()) {
            (Some('x'), None, None) => (self.width_of(from)?, self.width_of(to)?),
            (Some(short), Some(long), None) => (bits_of(short)?, bits_of(long)?),
            (Some(short), None, None) => (bits_of(short)?, self.width_of(to)?),
            _ => return None,
        };
        if short >= long {
            return None;
        }
        let value = self.read(from, short)?;
        let value = self.resized(op, value, short, long);
        self.write(to, long, value)
    }

    fn extend_accumulator(&mut self, short: u16, long: u16) {
        let value = self.register(RAX, short);
        let value = self.resized(CastOp::SExt, value, short, long);
        self.put(RAX, value, long);
    }

    /// The sign of the accumulator in every bit of `rdx`.
    fn spread_sign(&mut self, width: u16) {
        let value = self.register(RAX, width);
        let amount = self.code.int(u64::from(width) - 1, width);
        let sign = self.binary(BinaryOp::AShr, value, amount, width);
        self.put(RDX, sign, width);
    }

    // Arithmetic.

    fn with_carry(&mut self, add: bool, from: &Place, to: &Place, width: u16) -> Option<()> {
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
    fn multiply(&mut self, by: &Place, op: CastOp, width: u16) -> Option<()> {
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

    fn multiply_into(&mut self, a: &Place, b: &Place, to: &Place, width: u16) -> Option<()> {
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
    fn after_product(&mut self, product: Reg, same: Reg, wide: u16) {
        self.flags = StatusFlags::default();
        if self.wants_flags {
            let lost = self.compare(Predicate::Ne, product, same, wide);
            self.flags.carry = Some(lost);
            self.flags.overflow = Some(lost);
        }
    }

    /// `rdx:rax` divided. A quotient that does not fit is the same exception as a divisor
    /// of zero, and becomes a division by zero here.
    fn divide(&mut self, by: &Place, signed: bool, width: u16) -> Option<()> {
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
    fn shift(&mut self, name: &str, count: &Place, to: &Place, width: u16) -> Option<()> {
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
    fn double_shift(&mut self, left: bool, count: &Place, from: &Place, to: &Place) -> Option<()> {
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

    fn rotate(&mut self, left: bool, count: &Place, to: &Place, width: u16) -> Option<()> {
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
    fn amount(&mut self, count: Reg, width: u16) -> Reg {
        let most = self.code.int(u64::from(width) - 1, 8);
        let count = self.binary(BinaryOp::And, count, most, 8);
        self.resized(CastOp::ZExt, count, 8, width)
    }

    fn count_bits(&mut self, name: &str, from: &Place, to: &Place, width: u16) -> Option<()> {
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
    fn test_bit(
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

    // Flags.

    fn after_sum(&mut self, a: Reg, b: Reg, carry: Option<Reg>, width: u16) {
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

    fn after_difference(&mut self, a: Reg, b: Reg, borrow: Option<Reg>, width: u16) {
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

    fn after_logic(&mut self, result: Reg, width: u16) {
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

    fn is_negative(&mut self, value: Reg, width: u16) -> Reg {
        let zero = self.code.int(0, width);
        self.compare(Predicate::Slt, value, zero, width)
    }

    /// Whether a condition holds, as the end of an instruction's name tells it.
    fn condition(&mut self, name: &str) -> Option<Reg> {
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

    fn either(&mut self, a: Reg, b: Reg) -> Reg {
        self.binary(BinaryOp::Or, a, b, 1)
    }

    fn differ(&mut self, a: Reg, b: Reg) -> Reg {
        self.binary(BinaryOp::Xor, a, b, 1)
    }

    fn inverse(&mut self, a: Reg) -> Reg {
        let one = self.code.int(1, 1);
        self.binary(BinaryOp::Xor, a, one, 1)
    }

    // Places.

    /// How wide a place is, by its name or the type of the operand.
    fn width_of(&self, place: &Place) -> Option<u16> {
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
    fn part(&self, place: &Place) -> Option<(usize, bool)> {
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
    fn number(&self, place: &Place) -> Option<i64> {
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
    fn is_memory(&self, place: &Place) -> Option<bool> {
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
    fn is_barrier(&self, from: &Place, to: &Place) -> bool {
        let Place::Memory(address) = to else {
            return false;
        };
        let stack = |place: &Place| matches!(place, Place::Register(it) if it.number == RSP);
        self.number(from) == Some(0) && address.base.as_deref().is_some_and(stack)
    }

    fn read(&mut self, place: &Place, width: u16) -> Option<Reg> {
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

    fn write(&mut self, place: &Place, width: u16, value: Reg) -> Option<()> {
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
    fn update(
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

    fn address_of(&mut self, place: &Place) -> Option<Reg> {
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
    fn address(&mut self, address: &Address) -> Option<Reg> {
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

    fn pointer(&mut self, address: Reg) -> Reg {
        let (from, to) = (Kind::Int(64), Kind::Ptr);
        self.code.convert(CastOp::IntToPtr, address, from, to)
    }

    // Registers.

    /// All of a register; what nobody wrote is anything.
    fn word(&mut self, slot: usize) -> Reg {
        match self.slots[slot] {
            Some(value) => value,
            None => self.code.constant(Constant::Undef, Kind::Int(64)),
        }
    }

    fn register(&mut self, slot: usize, width: u16) -> Reg {
        let word = self.word(slot);
        self.cut(word, width)
    }

    /// Writes a part of a register: 32 bits clear what is above them, fewer leave it.
    fn put(&mut self, slot: usize, value: Reg, width: u16) {
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

    fn put_second_byte(&mut self, slot: usize, value: Reg, width: u16) -> Option<()> {
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
    fn pair(&mut self, high: usize, low: usize, width: u16) -> Reg {
        let wide = 2 * width;
        let (high, low) = (self.register(high, width), self.register(low, width));
        let high = self.resized(CastOp::ZExt, high, width, wide);
        let low = self.resized(CastOp::ZExt, low, width, wide);
        let amount = self.code.int(width.into(), wide);
        let high = self.binary(BinaryOp::Shl, high, amount, wide);
        self.binary(BinaryOp::Or, high, low, wide)
    }

    /// A number of twice the width in `rdx:rax`.
    fn put_halves(&mut self, value: Reg, width: u16) {
        let wide = 2 * width;
        let low = self.resized(CastOp::Trunc, value, wide, width);
        let amount = self.code.int(width.into(), wide);
        let high = self.binary(BinaryOp::LShr, value, amount, wide);
        let high = self.resized(CastOp::Trunc, high, wide, width);
        self.put(RAX, low, width);
        self.put(RDX, high, width);
    }

    /// A number of 64 bits in `edx:eax`.
    fn put_pair(&mut self, value: Reg) {
        self.put_halves(value, 32);
    }

    /// A result as the program takes it.
    fn result(&mut self, output: Output<'_>, kind: Kind) -> Option<Reg> {
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

    fn cut(&mut self, word: Reg, width: u16) -> Reg {
        self.resized(CastOp::Trunc, word, 64, width)
    }

    fn resized(&mut self, op: CastOp, value: Reg, from: u16, to: u16) -> Reg {
        match from == to {
            true => value,
            false => self.code.convert(op, value, Kind::Int(from), Kind::Int(to)),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Reg, b: Reg, width: u16) -> Reg {
        self.code.arithmetic(op, a, b, width)
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, arguments: &[Reg], width: u16) -> Reg {
        self.code
            .emit_intrinsic(intrinsic, arguments, &[Kind::Int(width)])[0]
    }

    fn compare(&mut self, predicate: Predicate, a: Reg, b: Reg, width: u16) -> Reg {
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

    fn choose(&mut self, condition: Reg, then: Reg, otherwise: Reg, width: u16) -> Reg {
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

/// The ones of a width.
fn mask(width: u16) -> u64 {
    u64::MAX >> (64 - u32::from(width.min(64)))
}

/// Assembly reads and writes at any address and at once, and C says nothing of races there.
fn access() -> Access {
    Access {
        align: Align::from_bytes(1),
        ordering: Ordering::Relaxed,
        volatile: true,
    }
}
