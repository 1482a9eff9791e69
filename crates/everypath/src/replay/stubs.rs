//! Native definitions of the functions and variables that a run had stubs for, in C: they
//! give what the stubs gave, and a symbolic one takes the next recorded input.

use crate::error::Error;
use program::{FloatKind, Global, Kind, Program};
use std::collections::BTreeMap;
use std::fmt::Write;
use suite::Stub;

/// The text of the definitions.
pub fn text(program: &Program, stubs: &BTreeMap<String, Stub>) -> Result<String, Error> {
    let mut text = "void ep_symbolic(void *, unsigned long, const char *);\n".to_owned();
    for (name, stub) in stubs {
        if let Some(id) = program.global(name) {
            text.push_str(&variable(&program.globals[id.index()], *stub));
            continue;
        }
        let Some(id) = program.function(name) else {
            continue;
        };
        let function = &program.functions[id.index()];
        let signature = &program.signatures[function.signature.index()];
        let Some(&kind) = signature.results.first() else {
            let _ = writeln!(text, "void {name}() {{}}");
            continue;
        };
        let type_name = type_name(kind).ok_or_else(|| {
            Error::Program(format!(
                "`{name}` gives a value of a type that C has no name for"
            ))
        })?;
        let body = match stub {
            Stub::Symbolic => {
                format!("{type_name} it; ep_symbolic(&it, sizeof it, \"{name}\"); return it;")
            }
            Stub::Zero => "return 0;".to_owned(),
            Stub::Fail if kind == Kind::Ptr => "return 0;".to_owned(),
            Stub::Fail => "return -1;".to_owned(),
            Stub::Number(number) => format!("return ({type_name}){number}ll;"),
        };
        let _ = writeln!(text, "{type_name} {name}() {{ {body} }}");
    }
    Ok(text)
}

/// A variable. Its input is taken before the program's own constructors run, as in the engine.
fn variable(global: &Global, stub: Stub) -> String {
    let Global { name, size, .. } = global;
    let align = global.align.bytes();
    let thread = if global.thread_local {
        "_Thread_local "
    } else {
        ""
    };
    let declared =
        format!("{thread}unsigned char {name}[{size}] __attribute__((aligned({align})))");
    match stub {
        Stub::Symbolic => format!(
            "{declared};\n__attribute__((constructor(103))) static void give_{name}(void) {{ \
             ep_symbolic({name}, {size}, \"{name}\"); }}\n"
        ),
        Stub::Zero | Stub::Fail => format!("{declared};\n"),
        Stub::Number(number) => {
            let bytes = number.to_le_bytes().map(|byte| byte.to_string());
            let bytes = bytes[..*size as usize].join(", ");
            format!("{declared} = {{{bytes}}};\n")
        }
    }
}

fn type_name(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Int(1) => "_Bool",
        Kind::Int(8) => "signed char",
        Kind::Int(16) => "short",
        Kind::Int(32) => "int",
        Kind::Int(64) => "long",
        Kind::Float(FloatKind::Single) => "float",
        Kind::Float(FloatKind::Double) => "double",
        Kind::Ptr => "void *",
        Kind::Int(_) | Kind::Float(_) => return None,
    })
}
