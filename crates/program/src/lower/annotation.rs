//! What the source attached to functions, globals, variables and expressions.

use super::ModuleLowering;
use super::function::FunctionLowering;
use crate::llvm::{Opcode, Value, ValueKind};
use crate::program::{Address, Annotated, Annotation, Base, Constant};

impl<'m> ModuleLowering<'m> {
    /// The entries of `llvm.global.annotations`.
    pub(super) fn global_annotations(&mut self) {
        let list = self
            .module
            .global("llvm.global.annotations")
            .and_then(Value::initializer);
        let Some(entries) = list else { return };
        for entry in entries.operands() {
            let parts = |index| entry.element(index);
            let Some(target) = parts(0).and_then(|pointer| self.annotated(pointer)) else {
                continue;
            };
            if let Some(annotation) = annotation(target, parts(1), parts(2), parts(3)) {
                self.program.annotations.push(annotation);
            }
        }
    }

    fn annotated(&mut self, pointer: Value<'m>) -> Option<Annotated> {
        match self.fold(pointer) {
            Ok(Some(Constant::Address(Address {
                base: Base::Function(id),
                ..
            }))) => Some(Annotated::Function(id)),
            Ok(Some(Constant::Address(Address {
                base: Base::Global(id),
                ..
            }))) => Some(Annotated::Global(id)),
            Ok(_) | Err(_) => None,
        }
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Keeps what `llvm.var.annotation` and its like say of their first argument.
    pub(super) fn keep_annotation(&mut self, call: Value<'m>) -> crate::layout::Lowered<()> {
        let args = call.call_arguments();
        let register = self.one(args[0])?;
        let target = Annotated::Register(self.id, register);
        let part = |index: usize| args.get(index).copied();
        let found = annotation(target, part(1), part(2), part(3));
        self.annotated
            .extend(found.map(|annotation| (register, annotation)));
        Ok(())
    }
}

fn annotation(
    target: Annotated,
    text: Option<Value<'_>>,
    file: Option<Value<'_>>,
    line: Option<Value<'_>>,
) -> Option<Annotation> {
    let line = line.filter(|line| line.kind() == ValueKind::Int);
    Some(Annotation {
        target,
        text: string_behind(text?)?,
        file: file.and_then(string_behind).unwrap_or_default(),
        line: line.map_or(0, |line| line.constant_words()[0] as u32),
    })
}

/// The text of the string constant a pointer points to.
fn string_behind(pointer: Value<'_>) -> Option<String> {
    match pointer.kind() {
        ValueKind::GlobalVariable => {
            let bytes = pointer.initializer()?.data_bytes()?;
            let end = bytes
                .iter()
                .position(|&byte| byte == 0)
                .unwrap_or(bytes.len());
            Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
        }
        ValueKind::Expression => match pointer.expression_opcode() {
            Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => {
                string_behind(pointer.operand(0))
            }
            _ => None,
        },
        _ => None,
    }
}
