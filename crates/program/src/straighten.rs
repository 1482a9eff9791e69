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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::Context;

    /// Three functions of a library and one of a program, each with a branch.
    const TEXT: &str = r#"
define i32 @chooses(i32 %x) !dbg !10 {
  %is = icmp ult i32 %x, 5
  br i1 %is, label %yes, label %end
yes:
  br label %end
end:
  %value = phi i32 [ 1, %yes ], [ 2, %0 ]
  ret i32 %value
}

define i32 @reads(i1 %is, ptr %place) !dbg !11 {
  br i1 %is, label %yes, label %end
yes:
  br label %end
end:
  %from = phi ptr [ %place, %yes ], [ null, %0 ]
  %value = load i32, ptr %from
  ret i32 %value
}

define i32 @divides(i32 %a, i32 %b) !dbg !12 {
  %is = icmp ult i32 %a, %b
  br i1 %is, label %end, label %rest
rest:
  %remainder = urem i32 %a, %b
  br label %end
end:
  %value = phi i32 [ %a, %0 ], [ %remainder, %rest ]
  ret i32 %value
}

define i32 @own(i32 %x) !dbg !13 {
  %is = icmp ult i32 %x, 5
  br i1 %is, label %yes, label %end
yes:
  br label %end
end:
  %value = phi i32 [ 1, %yes ], [ 2, %0 ]
  ret i32 %value
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "main.cc", directory: "/own")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "algorithm", directory: "/library")
!4 = !DISubroutineType(types: !{null})
!10 = distinct !DISubprogram(name: "chooses", file: !3, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "reads", file: !3, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!12 = distinct !DISubprogram(name: "divides", file: !3, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!13 = distinct !DISubprogram(name: "own", file: !1, unit: !0, type: !4, spFlags: DISPFlagDefinition)
"#;

    #[test]
    fn branches_of_libraries_become_values_and_uses_of_null_stay() {
        let context = Context::new();
        let mut module = Module::parse_text(&context, TEXT.as_bytes(), "test").expect("it is LLVM");
        straighten(&mut module, &|file| file.starts_with("/library/")).expect("the passes run");
        module.verify().expect("it is still LLVM");
        let shape = |name: &str| {
            let function = module.functions().find(|it| it.name() == name);
            let blocks = function.expect("it is there").blocks();
            let mut instructions = blocks.iter().flat_map(|it| it.instructions());
            let has_choice =
                instructions.any(|it| matches!(it.opcode(), Opcode::LLVMSelect | Opcode::LLVMPHI));
            (blocks.len(), has_choice)
        };
        assert_eq!(shape("chooses"), (1, true));
        assert_eq!(shape("divides"), (1, true));
        assert_eq!(shape("own"), (3, true));
        // Without a choice the read of null, an error to be found, would be gone.
        assert!(shape("reads").1);
    }
}
