//! A native `main` for runs that began at another function.
//!
//! The machine makes an input of each parameter and calls the function; this
//! does the same, in LLVM's language, where every type a parameter can have has
//! a name and the way it is passed can be said.

use crate::error::Error;
use machine::EntryInput;
use program::{FunctionId, Kind, Passing, Program};
use std::fmt::Write;

/// The text of a `main` that feeds the function's parameters and calls it under this
/// name. As in the machine, an integer that the function returns is the exit status.
pub fn text(program: &Program, entry: FunctionId, callee: &str) -> Result<String, Error> {
    let inputs = machine::entry_inputs(program, entry)?;
    let function = &program.functions[entry.index()];
    let signature = &program.signatures[function.signature.index()];
    let parameters = &signature.parameters;
    let mut names = String::new();
    let mut feeding = String::new();
    let (mut taken, mut passed) = (Vec::new(), Vec::new());
    for (i, (input, parameter)) in inputs.iter().zip(parameters).enumerate() {
        let type_name = parameter.kind.llvm_type();
        let extended = match parameter.passing {
            Passing::SignExtended => " signext",
            Passing::ZeroExtended => " zeroext",
            Passing::Direct | Passing::ByValue { .. } | Passing::StructReturn { .. } => "",
        };
        let _ = writeln!(names, "{}", name_constant(i, &input.name));
        feed(&mut feeding, i, input, parameter.kind);
        taken.push(format!("{type_name}{extended}"));
        passed.push(format!("{type_name}{extended} %value{i}"));
    }
    let (returned, status) = match signature.results.first() {
        Some(&Kind::Int(width)) => (format!("i{width}"), status(width)),
        Some(_) | None => ("void".to_owned(), "  ret i32 0\n".to_owned()),
    };
    let result = match returned.as_str() {
        "void" => "",
        _ => "%result = ",
    };
    Ok(format!(
        "target datalayout = \"{}\"\ntarget triple = \"{}\"\n{names}\
         declare void @ep_symbolic(ptr, i64, ptr)\ndeclare {returned} @{callee}({})\n\
         define i32 @main() {{\n{feeding}  {result}call {returned} @{callee}({})\n{status}}}\n",
        program.data_layout,
        program.triple,
        taken.join(", "),
        passed.join(", ")
    ))
}

/// Code that exits with a result of so many bits.
fn status(width: u16) -> String {
    let change = match width {
        ..32 => format!("  %status = zext i{width} %result to i32\n"),
        32 => return "  ret i32 %result\n".to_owned(),
        _ => format!("  %status = trunc i{width} %result to i32\n"),
    };
    change + "  ret i32 %status\n"
}

fn name_constant(i: usize, name: &str) -> String {
    let bytes: String = name.bytes().map(|byte| format!("\\{byte:02x}")).collect();
    let size = name.len() + 1;
    format!("@name{i} = private constant [{size} x i8] c\"{bytes}\\00\"")
}

/// Code that asks for an input and makes it the value that is passed.
fn feed(code: &mut String, i: usize, input: &EntryInput, kind: Kind) {
    let bytes = input.width.div_ceil(8);
    let bits = 8 * bytes;
    let _ = writeln!(code, "  %room{i} = alloca i{bits}");
    let _ = writeln!(
        code,
        "  call void @ep_symbolic(ptr %room{i}, i64 {bytes}, ptr @name{i})"
    );
    let _ = writeln!(code, "  %whole{i} = load i{bits}, ptr %room{i}");
    let type_name = kind.llvm_type();
    let change = if matches!(kind, Kind::Float(_)) || bits == input.width {
        "bitcast"
    } else {
        "trunc"
    };
    let _ = writeln!(
        code,
        "  %value{i} = {change} i{bits} %whole{i} to {type_name}"
    );
}
