//! LLVM text of a driver, as it grows.

use program::{Kind, Program};
use std::fmt::Write;

/// What a function pointer points to: it takes anything, and what it gives is an input.
/// The same bits are in the registers for whole and for floating-point results, so that a
/// caller of either kind finds them.
const CALLBACK: &str = "__everypath_callback";
/// The same for functions that return an address, which is null.
const NULL_CALLBACK: &str = "__everypath_null_callback";

/// The code of a driver.
#[derive(Default)]
pub(super) struct Code {
    constants: String,
    code: String,
    registers: usize,
    names: usize,
    uses_callback: bool,
    uses_null_callback: bool,
    uses_stdin: bool,
}

/// An argument of the call, with its type.
pub(super) struct Passed {
    pub type_name: String,
    pub value: String,
}

impl Code {
    /// Adds an instruction with a result; gives its register.
    pub fn instruction(&mut self, text: &str) -> String {
        let register = format!("%v{}", self.registers);
        self.registers += 1;
        let _ = writeln!(self.code, "  {register} = {text}");
        register
    }

    /// Adds an instruction without a result.
    pub fn statement(&mut self, text: &str) {
        let _ = writeln!(self.code, "  {text}");
    }

    /// An object that lives as long as the call.
    pub fn local(&mut self, size: u64) -> String {
        self.instruction(&format!("alloca [{size} x i8], align 16"))
    }

    /// Makes the bytes of an object an input.
    pub fn symbolic(&mut self, address: &str, size: u64, name: &str) {
        let (number, length) = (self.names, name.len() + 1);
        self.names += 1;
        let _ = writeln!(
            self.constants,
            "@.name{number} = private constant [{length} x i8] c\"{}\\00\"",
            escaped(name)
        );
        self.statement(&format!(
            "call void @ep_symbolic(ptr {address}, i64 {size}, ptr @.name{number})"
        ));
    }

    /// The address of a part of an object.
    pub fn address(&mut self, object: &str, offset: u64) -> String {
        match offset {
            0 => object.to_owned(),
            _ => self.instruction(&format!("getelementptr i8, ptr {object}, i64 {offset}")),
        }
    }

    /// The candidate of a number, from 1; null for any other number.
    pub fn selected(&mut self, choice: &str, candidates: &[String]) -> String {
        let mut chosen = "null".to_owned();
        for (number, candidate) in candidates.iter().enumerate() {
            let is_it = self.instruction(&format!("icmp eq {choice}, {}", number + 1));
            chosen = self.instruction(&format!("select i1 {is_it}, ptr {candidate}, ptr {chosen}"));
        }
        chosen
    }

    /// A function for pointers to functions.
    pub fn callback(&mut self, returns_address: bool) -> String {
        match returns_address {
            true => {
                self.uses_null_callback = true;
                format!("@{NULL_CALLBACK}")
            }
            false => {
                self.uses_callback = true;
                format!("@{CALLBACK}")
            }
        }
    }

    /// The stream of standard input.
    pub fn stdin(&mut self) -> String {
        self.uses_stdin = true;
        self.instruction("load ptr, ptr @stdin")
    }

    /// The module that defines the driver, which calls the function.
    pub fn module(
        &self,
        program: &Program,
        name: &str,
        function: &str,
        results: &[Kind],
        passed: &[Passed],
    ) -> String {
        let Code {
            constants, code, ..
        } = self;
        let types: Vec<&str> = passed.iter().map(|it| &*it.type_name).collect();
        let values: Vec<String> = passed
            .iter()
            .map(|it| format!("{} {}", it.type_name, it.value))
            .collect();
        let (name, function) = (escaped(name), escaped(function));
        let result = result_type(results);
        format!(
            "target datalayout = \"{}\"\ntarget triple = \"{}\"\n{constants}{}\
             declare ptr @malloc(i64)\ndeclare void @ep_symbolic(ptr, i64, ptr)\n\
             declare void @ep_assume(i1 zeroext)\n\
             declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n\
             declare {result} @\"{function}\"({})\n\
             define void @\"{name}\"() {{\n{code}  call {result} @\"{function}\"({})\n  \
             ret void\n}}\n",
            program.data_layout,
            program.triple,
            self.needed(),
            types.join(", "),
            values.join(", ")
        )
    }

    /// What the code uses beside functions of the library.
    fn needed(&self) -> String {
        let mut text = String::new();
        if self.uses_stdin {
            text += "@stdin = external global ptr\n";
        }
        if self.uses_callback {
            text += &format!(
                "@.callback = private constant [9 x i8] c\"callback\\00\"\n\
                 define internal {{ i64, double }} @{CALLBACK}(...) {{\n  \
                 %room = alloca i64\n  \
                 call void @ep_symbolic(ptr %room, i64 8, ptr @.callback)\n  \
                 %whole = load i64, ptr %room\n  %float = load double, ptr %room\n  \
                 %first = insertvalue {{ i64, double }} poison, i64 %whole, 0\n  \
                 %both = insertvalue {{ i64, double }} %first, double %float, 1\n  \
                 ret {{ i64, double }} %both\n}}\n"
            );
        }
        if self.uses_null_callback {
            text += &format!("define internal ptr @{NULL_CALLBACK}(...) {{ ret ptr null }}\n");
        }
        text
    }
}

/// What a call gives, which nobody looks at.
fn result_type(results: &[Kind]) -> String {
    match results {
        [] => "void".to_owned(),
        [kind] => kind.llvm_type(),
        several => {
            let kinds: Vec<String> = several.iter().map(|kind| kind.llvm_type()).collect();
            format!("{{ {} }}", kinds.join(", "))
        }
    }
}

/// Text between the quotes of a name or a string.
fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("\\{byte:02x}")).collect()
}
