//! The operands of inline assembly: what its constraints say of them.

use super::super::function::FunctionLowering;
use super::text::{REGISTERS, Register};
use crate::ids::Reg;
use crate::ops::{CastOp, Kind};

/// Where an operand is while assembly runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    /// In a register: one of the processor's, or one that is nobody else's.
    Slot {
        slot: usize,
        bits: u16,
    },
    Memory {
        address: Reg,
    },
    /// A number in the text.
    Number(i64),
}

/// What assembly gives back, in the order of its results.
#[derive(Clone, Copy, Debug)]
pub(super) enum Output<'c> {
    Slot(usize),
    /// A condition of the flags, `@ccz`.
    Condition(&'c str),
}

/// Operands, results, and what registers hold at the start, as numbers of 64 bits.
pub(super) struct Operands<'c> {
    pub(super) operands: Vec<Operand>,
    pub(super) outputs: Vec<Output<'c>>,
    pub(super) slots: Vec<Option<Reg>>,
}

impl FunctionLowering<'_, '_> {
    /// The operands that the constraints of a call describe; none where one is not
    /// understood.
    ///
    /// A register that assembly may choose is never shared, which is one of the choices
    /// that a compiler has.
    pub(super) fn asm_operands<'c>(
        &mut self,
        constraints: &'c str,
        args: &[Vec<Reg>],
        kinds: &[Kind],
    ) -> Option<Operands<'c>> {
        let mut made = Operands {
            operands: Vec::new(),
            outputs: Vec::new(),
            slots: vec![None; REGISTERS],
        };
        let mut next = 0;
        let mut kinds = kinds.iter();
        for constraint in split(constraints) {
            if constraint.starts_with('~') {
                continue;
            }
            let (is_output, constraint) = match constraint.strip_prefix('=') {
                Some(rest) => (true, rest.trim_start_matches('&')),
                None => (false, constraint.trim_start_matches('%')),
            };
            if let Some(choices) = constraint.strip_prefix('*') {
                let address = *args.get(next)?.first()?;
                next += 1;
                // `*` is never said of a register alone.
                choices.contains(['m', 'g', 'o', 'V', 'Q']).then_some(())?;
                made.operands.push(Operand::Memory { address });
            } else if is_output {
                let bits = kinds.next()?.bits();
                self.output(&mut made, constraint, u16::try_from(bits).ok()?)?;
            } else {
                let [value] = *args.get(next)?.as_slice() else {
                    return None;
                };
                next += 1;
                self.input(&mut made, constraint, value)?;
            }
        }
        Some(made)
    }

    fn output<'c>(
        &mut self,
        made: &mut Operands<'c>,
        constraint: &'c str,
        bits: u16,
    ) -> Option<()> {
        if let Some(condition) = named(constraint).and_then(|it| it.strip_prefix("@cc")) {
            made.outputs.push(Output::Condition(condition));
            // It has a number, but the text cannot use it.
            made.operands.push(Operand::Number(0));
            return Some(());
        }
        let slot = slot(&mut made.slots, constraint)?;
        made.outputs.push(Output::Slot(slot));
        made.operands.push(Operand::Slot { slot, bits });
        Some(())
    }

    fn input(&mut self, made: &mut Operands<'_>, constraint: &str, value: Reg) -> Option<()> {
        let bits = u16::try_from(self.kind_of(value).bits()).ok()?;
        let shares = constraint.parse::<usize>().ok();
        if shares.is_none()
            && constraint.contains(['i', 'n', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'e', 'Z'])
            && named(constraint).is_none()
            && let Some(number) = self.known_number(value)
        {
            let unused = 64 - u32::from(bits.min(64));
            let number = ((number << unused) as i64) >> unused;
            made.operands.push(Operand::Number(number));
            return Some(());
        }
        let slot = match shares {
            Some(output) => match *made.operands.get(output)? {
                Operand::Slot { slot, .. } => slot,
                Operand::Memory { .. } | Operand::Number(_) => return None,
            },
            None => slot(&mut made.slots, constraint)?,
        };
        made.slots[slot] = Some(self.as_word(value)?);
        made.operands.push(Operand::Slot { slot, bits });
        Some(())
    }

    /// A number or an address as a number of 64 bits. What is above a shorter number is
    /// not said anywhere; it is zero here.
    fn as_word(&mut self, value: Reg) -> Option<Reg> {
        let (kind, word) = (self.kind_of(value), Kind::Int(64));
        match kind {
            Kind::Int(64) => Some(value),
            Kind::Int(bits) if bits < 64 => Some(self.convert(CastOp::ZExt, value, kind, word)),
            Kind::Ptr => Some(self.convert(CastOp::PtrToInt, value, kind, word)),
            Kind::Int(_) | Kind::Float(_) => None,
        }
    }
}

/// Constraints are between commas that are not in braces.
fn split(constraints: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    constraints
        .split(move |letter| {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            letter == ',' && depth == 0
        })
        .filter(|constraint| !constraint.is_empty())
}

/// The name in a constraint `{name}`.
fn named(constraint: &str) -> Option<&str> {
    constraint.strip_prefix('{')?.strip_suffix('}')
}

/// The register that a constraint asks for: the one it names, or a new one.
fn slot(slots: &mut Vec<Option<Reg>>, constraint: &str) -> Option<usize> {
    if let Some(name) = named(constraint) {
        return Register::of(name).map(|register| register.number);
    }
    // Letters for general registers, or for anything.
    if !constraint.contains(['r', 'q', 'Q', 'R', 'l', 'g', 'X']) {
        return None;
    }
    slots.push(None);
    Some(slots.len() - 1)
}
