//! Branches of standard libraries as values.
//!
//! Generic and inline code of a library is compiled with the program, and without optimisation:
//! there every comparison of "is it a space?" is a branch, and each branch makes paths. Where both
//! sides of a branch compute and do nothing else, LLVM makes one value of them. The program's own
//! code stays as it is written, for its branches are what tests and coverage are about.

use crate::llvm::{Block, IntPredicateCode, Module, Opcode, Value, ValueKind};
use crate::lower::file_of;
use std::ffi::CStr;

/// A branch around something that is stored would be kept.
const INTO_REGISTERS: &CStr = c"function(sroa)";

const INTO_VALUES: &CStr = c"function(simplifycfg<switch-range-to-icmp;bonus-inst-threshold=4>)";

/// Makes values of branches in the functions of such files.
pub(crate) fn straighten(
    module: &mut Module<'_>,
    is_library: &dyn Fn(&str) -> bool,
) -> Result<(), String> {
    let is_chosen = |function: Value<'_>| {
        file_of(function).is_some_and(|file| is_library(&file)) && !promises(function)
    };
    module.run_passes_on(is_chosen, INTO_REGISTERS)?;
    for function in module.functions().filter(|it| is_chosen(*it)) {
        hoist_remainders(function);
    }
    module.run_passes_on(is_chosen, INTO_VALUES)
}

/// Whether a function has a place that is promised never to be reached. LLVM would believe it, and
/// the error of a program that gets there would be gone.
fn promises(function: Value<'_>) -> bool {
    function.blocks().into_iter().any(is_promise)
}

/// What comes after a call that does not return is no promise of the program's.
fn is_promise(block: Block<'_>) -> bool {
    let mut before = None;
    for instruction in block.instructions() {
        if instruction.opcode() == Opcode::LLVMUnreachable {
            return before != Some(Opcode::LLVMCall);
        }
        before = Some(instruction.opcode());
    }
    false
}

/// Computes remainders before the branch in `a < b ? a : a % b`, by which hash tables choose a
/// bucket. LLVM does not: it fears for a `b` of zero, which is not more than any `a`.
fn hoist_remainders(function: Value<'_>) {
    let blocks = function.blocks();
    for block in &blocks {
        let Some((a, b, otherwise)) = branch_on_less(*block) else {
            continue;
        };
        let edges = blocks.iter().flat_map(|it| it.successors());
        if edges.filter(|it| *it == otherwise).count() != 1 {
            continue;
        }
        let is_remainder = |it: &Value<'_>| {
            it.opcode() == Opcode::LLVMURem && it.operand(0) == a && it.operand(1) == b
        };
        if let Some(remainder) = otherwise.instructions().find(is_remainder) {
            remainder.move_before(block.terminator());
        }
    }
}

/// What a block compares at its end, unsigned, and where it goes if the first is not less.
fn branch_on_less<'m>(block: Block<'m>) -> Option<(Value<'m>, Value<'m>, Block<'m>)> {
    let end = block.terminator();
    if end.opcode() != Opcode::LLVMBr {
        return None;
    }
    let is_comparison =
        |it: &Value<'_>| it.kind() == ValueKind::Instruction && it.opcode() == Opcode::LLVMICmp;
    let condition = end.condition().filter(is_comparison)?;
    let is_less = condition.int_predicate() == IntPredicateCode::LLVMIntULT;
    let &[_, otherwise] = &block.successors()[..] else {
        return None;
    };
    is_less.then(|| (condition.operand(0), condition.operand(1), otherwise))
}
