//! A C program that builds the objects of a path, calls the method on them and
//! checks what has to hold: the error, without Everypath.

use machine::{Staging, staged_parameters};
use program::{FunctionId, Program};
use staged::{Field, ObjectGraph};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::{Input, InputKind, TestCase};

/// What the program under test is made of.
pub struct Sources<'a> {
    /// Its files.
    pub files: &'a [PathBuf],
    /// Macros to define.
    pub define: &'a [String],
}

impl Sources<'_> {
    /// Whether a unit test can include the program.
    fn is_one_c_file(&self) -> bool {
        let is_c = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "c");
        self.files.len() == 1 && self.files.iter().all(is_c)
    }
}

/// The test, if the program is a single C file.
pub fn text(
    program: &Program,
    sources: &Sources<'_>,
    staging: &Staging,
    graphs: &[ObjectGraph],
    case: &TestCase,
) -> Option<String> {
    let method = staging.method.filter(|_| sources.is_one_c_file())?;
    let mut code = String::new();
    for define in sources.define {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        let _ = writeln!(code, "#define {name} {value}");
    }
    code += "#define main mainOfTheProgram\n";
    let _ = writeln!(code, "#include \"{}\"", absolute(&sources.files[0]));
    code += "#undef main\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n\
             int main(void) {\n";
    build(&mut code, program, graphs);
    let pointers = staged_parameters(program, method).ok()?;
    let mut inputs = case.inputs.iter().filter(|input| !input.name.contains('#'));
    let mut given = Vec::new();
    for number in 0..parameters(program, method) {
        match pointers.iter().position(|(at, _)| *at == number) {
            Some(graph) => given.push(object(graph, 0)),
            None => {
                given.push(format!("argument{number}"));
                declare(&mut code, number, inputs.next()?);
            }
        }
    }
    let name = &program.functions[method.index()].name;
    let call = format!("{name}({})", given.join(", "));
    let takes_result = |post| parameters(program, post) == given.len() + 1;
    let post = staging.postcondition;
    if post.is_some_and(takes_result) {
        let _ = writeln!(code, "    __auto_type result = {call};");
    } else {
        let _ = writeln!(code, "    {call};");
    }
    for (number, argument) in staging.arguments.iter().enumerate() {
        check(&mut code, program, argument.invariant, &object(number, 0));
    }
    if let Some(post) = post {
        if takes_result(post) {
            given.push("result".to_owned());
        }
        check(&mut code, program, post, &given.join(", "));
    }
    code += "    return 0;\n}\n";
    Some(code)
}

fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.to_string_lossy().into_owned()
}

fn parameters(program: &Program, function: FunctionId) -> usize {
    let signature = program.functions[function.index()].signature;
    program.signatures[signature.index()].parameters.len()
}

fn object(graph: usize, number: usize) -> String {
    format!("object{graph}_{number}")
}

/// Code that makes the objects, first all of them, then what is in them.
fn build(code: &mut String, program: &Program, graphs: &[ObjectGraph]) {
    for (graph, objects) in graphs.iter().enumerate() {
        for (number, it) in objects.objects.iter().enumerate() {
            let tagged = format!("struct {}", it.type_name);
            let types = &program.source.types;
            let type_name = match types.iter().any(|known| known.name == tagged) {
                true => &tagged,
                false => &it.type_name,
            };
            let name = object(graph, number);
            let _ = writeln!(code, "    {type_name} *{name} = calloc(1, sizeof *{name});");
        }
    }
    for (graph, objects) in graphs.iter().enumerate() {
        for (number, it) in objects.objects.iter().enumerate() {
            for (path, field) in &it.fields {
                let value = match field {
                    Field::Number(value) => whole(*value),
                    Field::Float(value) => real(*value),
                    Field::To(to) => object(graph, *to),
                    // Everything starts as zeros.
                    Field::Null | Field::Elsewhere | Field::Untouched => continue,
                };
                let name = object(graph, number);
                let _ = writeln!(code, "    {name}->{path} = {value};");
            }
        }
    }
}

/// Code for an argument that is no object.
fn declare(code: &mut String, number: usize, input: &Input) {
    let size = input.bytes.len();
    let type_name = match input.kind {
        Some(InputKind::Float(4)) => "float",
        Some(InputKind::Float(_)) => "double",
        Some(InputKind::Signed(1)) => "signed char",
        Some(InputKind::Signed(2)) => "short",
        Some(InputKind::Signed(4)) => "int",
        Some(InputKind::Signed(_)) => "long long",
        _ => match size {
            1 => "unsigned char",
            2 => "unsigned short",
            4 => "unsigned",
            _ => "unsigned long long",
        },
    };
    let bytes: Vec<String> = input.bytes.iter().map(u8::to_string).collect();
    let _ = writeln!(
        code,
        "    {type_name} argument{number}; /* {} */\n    \
         memcpy(&argument{number}, (unsigned char[]){{{}}}, {size});",
        input.name,
        bytes.join(", ")
    );
}

/// Code that fails when a function does not hold.
fn check(code: &mut String, program: &Program, function: FunctionId, given: &str) {
    let name = &program.functions[function.index()].name;
    let _ = writeln!(
        code,
        "    if (!{name}({given})) {{\n        \
         fprintf(stderr, \"{name} does not hold\\n\");\n        abort();\n    }}"
    );
}

fn whole(value: i128) -> String {
    match value {
        _ if value == i128::from(i64::MIN) => format!("(-{}LL - 1)", i64::MAX),
        _ if value > i64::MAX.into() => format!("{value}ULL"),
        _ => format!("{value}LL"),
    }
}

fn real(value: f64) -> String {
    match value {
        _ if value.is_nan() => "(0.0 / 0.0)".to_owned(),
        _ if value.is_infinite() => format!("({}1.0 / 0.0)", if value < 0.0 { "-" } else { "" }),
        _ => format!("{value:?}"),
    }
}
