//! What the general instructions of x86-64 do, as instructions of the program.
//!
//! Registers hold numbers of 64 bits; an instruction reads and writes as much of them as
//! its name or its operands say. What is not here makes the whole text not understood.

mod arithmetic;
mod flags;
mod place;

use super::super::function::FunctionLowering;
use super::operand::{Operand, Operands};
use super::text::{Place, RAX, RBX, RCX, RDI, RDX, RSI, Register, Statement};
use super::{Notation, intel, text};
use crate::ids::Reg;
use crate::inst::Inst;
use crate::intrinsic::Intrinsic;
use crate::ops::{BinaryOp, CastOp, Kind, Ordering, Predicate, RmwOp};

impl FunctionLowering<'_, '_> {
    /// Emits what assembly does, and gives its results; none where it is not understood, and
    /// then some of it may have been emitted.
    pub(super) fn run_asm(
        &mut self,
        notation: Notation,
        text: &str,
        constraints: &str,
        args: &[Vec<Reg>],
        kinds: &[Kind],
    ) -> Option<Vec<Reg>> {
        let statements = match notation {
            Notation::Att => text::statements(text)?,
            Notation::Intel => intel::statements(text)?,
        };
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
            ("mfence" | "lfence" | "sfence", []) => self.barrier(),
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
            ("syscall", []) => self.system_call(),
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

    /// Enters the system as Linux is entered: the number and the result in `rax`, arguments
    /// in six other registers, of which the fourth is not that of ordinary calls.
    fn system_call(&mut self) {
        let (function, signature) = self.code.module.system_call();
        let given = [RAX, RDI, RSI, RDX, 10, 8, 9].map(|register| self.word(register));
        let args = self.code.list(&given);
        let dst = self.code.fresh(Kind::Int(64));
        self.code.emit(Inst::Call {
            function,
            args,
            dst,
            signature,
            is_read: true,
        });
        self.slots[RAX] = Some(dst);
        // Here the processor puts where to go on, and the flags.
        for register in [RCX, 11] {
            self.slots[register] = Some(self.code.int(0, 64));
        }
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
                    self.barrier();
                    return Some(());
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
                    self.barrier();
                    return Some(());
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

    fn barrier(&mut self) {
        self.code.emit(Inst::Fence {
            ordering: Ordering::Sequential,
        });
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
}

/// The ones of a width.
fn mask(width: u16) -> u64 {
    u64::MAX >> (64 - u32::from(width.min(64)))
}
