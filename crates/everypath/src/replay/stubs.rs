//! Native definitions of the functions that a run had stubs for, in C: they give what the
//! stubs gave, and a symbolic one takes the next recorded input.

use crate::error::Error;
use program::{FloatKind, Kind, Program};
use std::collections::BTreeMap;
use std::fmt::Write;
use suite::Stub;

/// The text of the definitions.
pub fn text(program: &Program, stubs: &BTreeMap<String, Stub>) -> Result<String, Error> {
    let mut text = "void ep_symbolic(void *, unsigned long, const char *);\n".to_owned();
    for (name, stub) in stubs {
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
