//! Inline assembly. Empty text, which only hides values from the optimiser, becomes
//! renaming; general instructions of x86-64 become what they do; other text is kept for
//! whoever runs the program.

mod intel;
mod operand;
mod run;
mod text;

use super::function::FunctionLowering;
use crate::ids::Reg;
use crate::inst::Inst;
use crate::layout::Lowered;
use crate::llvm::Value;
use crate::ops::Kind;
use crate::program::{Constant, InlineAsm};

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn inline_asm(&mut self, value: Value<'m>) -> Lowered<()> {
        let (text, constraints, side_effects) = value.callee().inline_asm();
        let mut args = Vec::new();
        for argument in value.call_arguments() {
            args.push(self.all(argument)?);
        }
        let kinds = self.kinds_of(value.value_type())?;
        if is_empty(&text)
            && let Some(results) = self.renamed(&constraints, &args, &kinds)
        {
            self.define(value, &results);
            return Ok(());
        }
        let start = self.next_position();
        let notation = match value.callee().is_att_asm() {
            true => Notation::Att,
            false => Notation::Intel,
        };
        if let Some(results) = self.run_asm(notation, &text, &constraints, &args, &kinds) {
            self.define(value, &results);
            return Ok(());
        }
        self.forget_since(start);
        if asks_for_extensions(&text) {
            let results: Vec<Reg> = kinds
                .iter()
                .map(|&kind| self.constant(Constant::Bits([0].into()), kind))
                .collect();
            self.define(value, &results);
            return Ok(());
        }
        let asm = self.module.inline_asm(InlineAsm {
            text,
            constraints,
            side_effects,
        });
        let args = self.list(&args.concat());
        let results = self.fresh_all(&kinds);
        let dst = results.first().copied().unwrap_or(Reg::NONE);
        self.emit(Inst::InlineAsm {
            results: kinds.len() as u16,
            asm,
            args,
            dst,
        });
        self.define(value, &results);
        Ok(())
    }

    /// The results of empty assembly: each is the input in the same place, or anything.
    fn renamed(
        &mut self,
        constraints: &str,
        args: &[Vec<Reg>],
        kinds: &[Kind],
    ) -> Option<Vec<Reg>> {
        let constraints: Vec<&str> = constraints.split(',').collect();
        let outputs = constraints
            .iter()
            .filter(|text| text.starts_with('='))
            .count();
        let direct: Vec<usize> = (0..outputs)
            .filter(|&i| !constraints[i].starts_with("=*"))
            .collect();
        if direct.len() != kinds.len() {
            return None;
        }
        let indirect = outputs - direct.len();
        let inputs = &constraints[outputs..];
        let mut results = Vec::new();
        for (output, &kind) in direct.into_iter().zip(kinds) {
            let tied = inputs.iter().position(|text| text.parse() == Ok(output));
            results.push(match tied {
                // Indirect outputs take an argument each, before the inputs.
                Some(input) => match args.get(indirect + input)?.as_slice() {
                    &[register] if self.kind_of(register) == kind => register,
                    _ => return None,
                },
                None => self.constant(Constant::Undef, kind),
            });
        }
        Some(results)
    }
}

/// Who wrote down how instructions are written.
#[derive(Clone, Copy)]
enum Notation {
    Att,
    Intel,
}

/// Whether assembly asks which extensions the processor has, in any notation; Rust's is
/// that of Intel. A compiler may save the register that the answer is in around it. The
/// processor of the machine has none, and programs do without.
fn asks_for_extensions(text: &str) -> bool {
    let mut words = text
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    words.any(|word| matches!(word, "cpuid" | "xgetbv"))
        && text
            .lines()
            .all(|line| match line.split_whitespace().next() {
                None | Some("cpuid" | "xgetbv") => true,
                Some("mov" | "movq" | "xchg" | "xchgq") => line.contains("rbx"),
                Some(_) => false,
            })
}

/// Whether assembly has nothing but white space and comments.
fn is_empty(text: &str) -> bool {
    text.lines()
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
}
