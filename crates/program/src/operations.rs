//! Where threads notice each other, marked in native code.
//!
//! A runtime that makes threads take turns counts what each does, and the machine counts the
//! same. In C that are atomic accesses, before which stands a call of `__ep_operation`, and
//! functions of the C library, which a linker can wrap, and the return of the entry. The standard library of another
//! language has such things inside, in code that is compiled already. There it is the
//! program's own code that counts where it goes over to the library: `__ep_operation` stands
//! before each call of it, before each return, for the caller may be the library, and before
//! the atomic accesses of its own. Where a function is known by its address only,
//! `__ep_indirect_call` is given the address; `__ep_own_call` says that the wrapped function
//! which is called next is not called by the library.

use std::ffi::CStr;

use crate::llvm::{Block, Editor, Opcode, Value, ValueKind};
use crate::lower::file_of;
use crate::program::Program;

/// The running thread has come to an operation.
const OPERATION: &CStr = c"__ep_operation";
/// It is about to call a wrapped function from the program's own code.
const OWN_CALL: &CStr = c"__ep_own_call";
/// It is about to call what is at an address.
const INDIRECT_CALL: &CStr = c"__ep_indirect_call";
/// Whether calls are counted.
const COUNTS_CALLS: &CStr = c"__everypath_counts_calls";
/// Whether the program cancels threads, so that cancellation points are counted.
const CANCELS: &CStr = c"__everypath_cancels";
/// Functions of the C library whose addresses the program uses.
const OF_C: &CStr = c"__everypath_functions_of_c";
/// Functions of verification tasks that no other thread interrupts begin so.
const RUNS_ALONE: &str = "__VERIFIER_atomic_";

/// What is known of functions, to tell whose they are.
pub(crate) struct Functions<'p> {
    /// The program with all its libraries.
    pub program: &'p Program,
    /// Whether a source file belongs to a standard library.
    pub is_standard: &'p dyn Fn(&str) -> bool,
    /// By number, the functions that are the program's own or have code of it inlined.
    pub running_own_code: Vec<bool>,
    /// Whether the runtime stands before a function of the C library.
    pub is_wrapped: &'p dyn Fn(&str) -> bool,
    /// The function with which the program begins and ends.
    pub entry: &'p str,
}

impl Functions<'_> {
    /// Marks all code of the editor's module. Whether the count will be the machine's.
    pub(crate) fn mark(&self, editor: &Editor<'_>) -> bool {
        let counts_calls = self.have_standard_library();
        let module = editor.module();
        let defined = module.functions().filter(|it| !it.is_declaration());
        let mut is_right = true;
        for function in defined.filter(|it| !it.function_has("naked")) {
            if !counts_calls {
                mark_atomics(editor, function);
                if function.name() == self.entry {
                    mark_returns(editor, function);
                }
            } else if !self.is_of_library(function) {
                mark_atomics(editor, function);
                is_right &= self.mark_calls(editor, function);
            }
        }
        editor.make_constant(COUNTS_CALLS, editor.number(counts_calls.into()));
        let cancels = self.program.function("pthread_cancel").is_some();
        editor.make_constant(CANCELS, editor.number(cancels.into()));
        let is_of_c = |it: &Value<'_>| it.is_declaration() && !self.is_of_library(*it);
        let of_c = module.functions().filter(is_of_c);
        let of_c = of_c.filter(|it| it.intrinsic_name().is_none() && it.is_addressed());
        let of_c: Vec<Value<'_>> = of_c.filter(|_| counts_calls).collect();
        editor.make_list(OF_C, &of_c);
        is_right
    }

    fn have_standard_library(&self) -> bool {
        let functions = self.program.functions.iter();
        let mut names = functions.map(|it| it.name.as_str());
        names.any(|name| self.is_linked(name))
    }

    /// Whether the function is one of a standard library that is part of the program.
    ///
    /// One into which code of the program was inlined does what that does, and is not.
    fn is_of_library(&self, function: Value<'_>) -> bool {
        let name = function.name();
        if function.is_declaration() {
            return self.is_linked(&name);
        }
        file_of(function).is_some_and(|file| (self.is_standard)(&file))
            && !self.runs_own_code(&name)
    }

    fn runs_own_code(&self, name: &str) -> bool {
        let function = self.program.function(name);
        function.is_some_and(|id| self.running_own_code[id.index()])
    }

    fn is_linked(&self, name: &str) -> bool {
        let source = &self.program.source;
        let function = self.program.function(name);
        let function = function.filter(|id| !self.running_own_code[id.index()]);
        let function = function.map(|id| &self.program.functions[id.index()]);
        let function = function.filter(|it| it.body.is_some());
        let file = function.and_then(|it| source.function(it.source?).file);
        file.is_some_and(|id| (self.is_standard)(&source.file(id).path))
    }

    /// Marks where the program's own code goes over to a library. Whether that can be done:
    /// nothing may stand between a call in the place of its caller and the return.
    fn mark_calls<'m>(&self, editor: &Editor<'m>, function: Value<'m>) -> bool {
        for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
            if instruction.is_musttail() {
                return false;
            }
            match instruction.opcode() {
                Opcode::LLVMRet => editor.call(instruction, OPERATION, &[]),
                Opcode::LLVMCall | Opcode::LLVMInvoke => self.mark_call(editor, instruction),
                _ => {}
            }
        }
        true
    }

    fn mark_call<'m>(&self, editor: &Editor<'m>, call: Value<'m>) {
        let mut callee = call.callee();
        while callee.kind() == ValueKind::Alias {
            callee = callee.aliasee();
        }
        match callee.kind() {
            ValueKind::InlineAsm => {}
            ValueKind::Function if callee.intrinsic_name().is_some() => {}
            ValueKind::Function if self.is_of_library(callee) => {
                editor.call(call, OPERATION, &[]);
            }
            ValueKind::Function => {
                if callee.is_declaration() && (self.is_wrapped)(&callee.name()) {
                    editor.call(call, OWN_CALL, &[]);
                }
            }
            _ => editor.call(call, INDIRECT_CALL, &[callee]),
        }
    }
}

/// Marks the end of the program, which is the end of all threads.
fn mark_returns<'m>(editor: &Editor<'m>, function: Value<'m>) {
    for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
        if instruction.opcode() == Opcode::LLVMRet {
            editor.call(instruction, OPERATION, &[]);
        }
    }
}

/// Marks where threads notice each other without a function of a library.
fn mark_atomics<'m>(editor: &Editor<'m>, function: Value<'m>) {
    let blocks = function.blocks();
    if function.name().starts_with(RUNS_ALONE)
        && let Some(entry) = blocks.first()
        && let Some(head) = entry.instructions().find(|inst| !inst.is_pinned())
    {
        editor.call(head, OPERATION, &[]);
    }
    for instruction in blocks.into_iter().flat_map(Block::instructions) {
        if instruction.is_atomic() {
            editor.call(instruction, OPERATION, &[]);
        }
    }
}
