//! Addresses that Rust promises to be aligned.
//!
//! A reference is, wherever it comes from, and so is the address of every access. On x86-64 an access
//! that is not goes well, so nobody would notice. What else the types of Rust promise is in the module
//! by now, see [`promises`](crate::promises).

use super::function::FunctionLowering;
use crate::ids::Reg;
use crate::intrinsic::Intrinsic;
use crate::llvm::Value;

impl<'m> FunctionLowering<'_, 'm> {
    /// References among the parameters are.
    pub(super) fn references_are_aligned(&mut self, function: Value<'m>) {
        if !self.origin.is_checked() {
            return;
        }
        for (index, argument) in (0..).zip(function.arguments()) {
            // What is returned in memory is the caller's own business.
            if !function.parameter_has(index, "sret")
                && let Some(bytes) = function.parameter_number(index, "align")
                && let Ok(address) = self.one(argument)
            {
                self.at_entry(|code| code.is_aligned(address, bytes));
            }
        }
    }

    /// A reference that was read is.
    pub(super) fn reference_is_aligned(&mut self, load: Value<'m>, results: &[Reg]) {
        if !self.origin.is_checked() {
            return;
        }
        let promise = load.instruction_metadata(self.module.align_kind);
        let bytes = promise.and_then(|node| node.operand_integer(0));
        if let (Some(bytes), &[address]) = (bytes, results) {
            self.is_aligned(address, bytes as u64);
        }
    }

    /// Both ends of a copy are.
    pub(super) fn copies_are_aligned(
        &mut self,
        call: Value<'m>,
        intrinsic: Intrinsic,
        arguments: &[Reg],
    ) {
        let places = match intrinsic {
            Intrinsic::MemCpy | Intrinsic::MemMove => 2,
            Intrinsic::MemSet => 1,
            _ => return,
        };
        if !self.origin.is_checked() {
            return;
        }
        for (index, &address) in (0..).zip(&arguments[..places]) {
            if let Some(bytes) = call.call_argument_number(index, "align") {
                self.is_aligned(address, bytes);
            }
        }
    }

    fn is_aligned(&mut self, address: Reg, bytes: u64) {
        if bytes > 1 {
            let bytes = self.int(bytes, 64);
            self.emit_intrinsic(Intrinsic::Aligned, &[address, bytes], &[]);
        }
    }
}
