//! What the types of Rust promise, spelled out.
//!
//! Rustc tells LLVM which values a type has: an assumption follows a `transmute`, and a load of a
//! `char` or an enum has a range. An optimiser may believe it; here it is what the program has to
//! keep. Ranges become assumptions before loads of locals go away, and a `char` is no surrogate,
//! which rustc does not say. That an assumption is to be checked is known by who made its function.

use crate::llvm::{Assumptions, IntPredicateCode, Module, Opcode, TypeKind, Value, ValueKind};

/// Who compiled a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// Rustc, for this program: also what is generic in Rust's standard library.
    Rust,
    /// Rustc, with optimisation, for everybody.
    RustLibrary,
    /// Another compiler, or nobody knows.
    Other,
}

impl Origin {
    pub(crate) fn of(function: Value<'_>) -> Origin {
        // Operands as LLVM's `DebugInfoMetadata.h` lists them: the unit of a subprogram, then
        // the compiler and the file of a unit.
        let unit = function.subprogram().and_then(|node| node.operand(5));
        let Some(unit) = unit.filter(|unit| unit.operand_string(1).contains("rustc")) else {
            return Origin::Other;
        };
        let file = unit.operand(0);
        let folder = file.map(|file| file.file_name_and_directory().1);
        match folder.is_some_and(|folder| folder.starts_with("/rustc/")) {
            true => Origin::RustLibrary,
            false => Origin::Rust,
        }
    }

    /// Whether everything is looked at that its types promise. The code of Rust's own library is
    /// given values that were looked at.
    pub(crate) fn is_checked(self) -> bool {
        self == Origin::Rust
    }
}

/// One past the last character.
const CHARACTERS: u64 = 0x11_0000;

/// Numbers that are characters of UTF-16 in halves, and no `char`.
const SURROGATES: std::ops::Range<u64> = 0xd800..0xe000;

/// Makes assumptions of ranges.
pub(crate) fn spell_out(module: &mut Module<'_>) {
    let range = module.metadata_kind("range");
    let assumptions = Assumptions::new(module);
    for function in assumptions.module().functions() {
        if function.is_declaration() || !Origin::of(function).is_checked() {
            continue;
        }
        for block in function.blocks() {
            // What is added is not looked at.
            for instruction in block.instructions().collect::<Vec<_>>() {
                if let Some((low, high)) = range_of(instruction, range) {
                    assumptions.is_within(instruction, instruction, low, high);
                    if is_character(instruction, low, high) {
                        is_no_surrogate(&assumptions, instruction, instruction);
                    }
                } else if let Some(character) = assumed_character(instruction) {
                    is_no_surrogate(&assumptions, instruction, character);
                }
            }
        }
    }
}

/// The first value that a load may give, and the one past the last, which may be less.
fn range_of(instruction: Value<'_>, kind: u32) -> Option<(u64, u64)> {
    if instruction.opcode() != Opcode::LLVMLoad {
        return None;
    }
    let range = instruction.instruction_metadata(kind)?;
    let ends = (range.operand_integer(0)?, range.operand_integer(1)?);
    range
        .operand_integer(2)
        .is_none()
        .then_some((ends.0 as u64, ends.1 as u64))
}

fn is_character(value: Value<'_>, low: u64, high: u64) -> bool {
    is_of_32_bits(value) && (low, high) == (0, CHARACTERS)
}

/// The number that is a `char` if an assumption holds.
fn assumed_character(call: Value<'_>) -> Option<Value<'_>> {
    let is_assumption = call.opcode() == Opcode::LLVMCall
        && call.callee().kind() == ValueKind::Function
        && call.callee().name() == "llvm.assume";
    let condition = is_assumption.then(|| call.operand(0))?;
    let is_comparison =
        condition.kind() == ValueKind::Instruction && condition.opcode() == Opcode::LLVMICmp;
    let is_at_most = is_comparison && condition.int_predicate() == IntPredicateCode::LLVMIntULE;
    let last = is_at_most.then(|| condition.operand(1))?;
    let is_last = last.kind() == ValueKind::Int && last.constant_words() == [CHARACTERS - 1];
    let character = condition.operand(0);
    (is_last && is_of_32_bits(character)).then_some(character)
}

fn is_of_32_bits(value: Value<'_>) -> bool {
    matches!(value.value_type().kind(), TypeKind::Int(32))
}

fn is_no_surrogate<'m>(assumptions: &Assumptions<'m>, after: Value<'m>, character: Value<'m>) {
    assumptions.is_within(after, character, SURROGATES.end, SURROGATES.start);
}
