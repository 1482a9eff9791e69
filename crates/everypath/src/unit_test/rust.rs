//! The same for a program that is one Rust file: a copy of the file with a `main` at
//! its end, so that what is private there is in reach. Objects are written value by
//! value, for a `Box` that leads back is nothing that safe code can make.

use super::assertions::may_be_unwritten;
use super::{ClassTest, ENDLESS_SECONDS, Execution, Sources, UnitTest, object, parameters};
use crate::access::{Lifetime, lifetime};
use base::ErrorKind;
use engine::policy::staged::{
    Effect, MethodResult, Parameter, Staged, parameters_with, plain_name, source_position,
    staged_parameters,
};
use program::{CompileOptions, FunctionId, Program};
use staged::{Field, ObjectGraph};
use std::collections::BTreeSet;
use std::fmt::Write;
use suite::Input;

/// The test, if the file stands for itself: it has no `main` and needs no others.
pub fn write(
    program: &Program,
    sources: &Sources<'_>,
    staged: &Staged<'_>,
    execution: &Execution<'_>,
) -> Option<UnitTest> {
    let mut code = own_text(sources)?;
    code += HELPERS;
    code += "\n/// Ends the test.\nfn broken(name: &str) -> ! {\n    \
             eprintln!(\"{name} does not hold\");\n    std::process::abort()\n}\n\n\
             #[allow(warnings)]\nfn main() {\n    unsafe {\n";
    code += &body(program, sources, staged, execution)?;
    code += "    }\n}\n";
    Some(unit_test(sources, code, &[]))
}

/// The tests of a class, in a module of their own at the end of the file.
pub fn class_file(sources: &Sources<'_>, tests: &[ClassTest]) -> Option<UnitTest> {
    let mut code = own_text(sources)?;
    code += "\n\n#[cfg(test)]\n#[allow(warnings)]\nmod everypath_tests {\n    use super::*;\n";
    code += HELPERS;
    code += "\n/// Fails the test.\nfn broken(name: &str) -> ! {\n    \
             panic!(\"{name} does not hold\")\n}\n";
    for ClassTest { name, body, .. } in tests {
        let _ = write!(
            code,
            "\n    #[test]\n    fn {name}() {{\n        unsafe {{\n{body}        }}\n    }}\n"
        );
    }
    code += "}\n";
    Some(unit_test(sources, code, &["--test"]))
}

fn unit_test(sources: &Sources<'_>, text: String, further: &'static [&'static str]) -> UnitTest {
    UnitTest {
        extension: "rs",
        text,
        others: Vec::new(),
        options: CompileOptions {
            defines: sources.define.to_vec(),
            std: sources.std.map(str::to_owned),
            ..CompileOptions::default()
        },
        needs_runtime: false,
        needs_sanitizers: false,
        further,
    }
}

/// The text of a file that stands for itself.
fn own_text(sources: &Sources<'_>) -> Option<String> {
    let [file] = sources.files else {
        return None;
    };
    let text = std::fs::read_to_string(file).ok()?;
    let needs_others = |line: &str| {
        let line = line.trim_start().trim_start_matches("pub ");
        line.contains("everypath::")
            || line.contains("fn main(")
            || (line.starts_with("mod ") && line.trim_end().ends_with(';'))
    };
    let stands_alone = !text.lines().any(needs_others);
    stands_alone.then(|| text.trim_end().to_owned())
}

/// What tests put values with, and look at them.
const HELPERS: &str = "

/// Puts a value of so many bytes as there is room for.
#[allow(dead_code)]
unsafe fn put_value<T>(place: *mut T, value: i128) {
    let bytes = value.to_le_bytes();
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place.cast(), size_of::<T>()) }
}

/// The bytes of a value as a number.
#[allow(dead_code)]
unsafe fn word_at(place: *const u8, size: usize) -> u128 {
    let mut bytes = [0; 16];
    unsafe { std::ptr::copy_nonoverlapping(place, bytes.as_mut_ptr(), size.min(16)) };
    u128::from_le_bytes(bytes)
}
";

/// The call with its objects, and what has to hold afterwards.
pub fn body(
    program: &Program,
    sources: &Sources<'_>,
    staged: &Staged<'_>,
    execution: &Execution<'_>,
) -> Option<String> {
    let staging = staged.staging();
    let method = staging.method?;
    let mut code = String::new();
    if execution.error == Some(ErrorKind::Endless) {
        let _ = writeln!(
            code,
            "        std::thread::spawn(|| {{\n            \
             std::thread::sleep(std::time::Duration::from_secs({ENDLESS_SECONDS}));\n            \
             std::process::abort();\n        }});"
        );
    }
    let text = own_text(sources)?;
    let all = staging.parameters(program, method).ok()?;
    let root = |graph: usize| {
        let is_object = |(_, it): &(usize, &Parameter)| matches!(it, Parameter::Object(_));
        let (at, _) = all.iter().enumerate().filter(is_object).nth(graph)?;
        pointed_type(parameter_type(program, method, source_position(&all, at))?)
    };
    let is_nameable = |name: &str| is_nameable(&text, name);
    build(&mut code, staged, execution.graphs, &root, &is_nameable)?;
    let mut inputs = execution.inputs();
    let mut given = Vec::new();
    let mut graphs = 0..;
    for parameter in &all {
        let number = given.len();
        match parameter {
            Parameter::Object(_) => given.push(execution.root(graphs.next()?)),
            // The source returns it, and the first of several registers has all of them.
            Parameter::Result(_) => {}
            Parameter::Part { at, .. } if *at > 0 => {}
            Parameter::Count => {
                let slice = number.checked_sub(1)?;
                let count: [u8; 8] = inputs.next()?.bytes[..].try_into().ok()?;
                let _ = writeln!(
                    code,
                    "        let length{slice} = {}usize;",
                    u64::from_le_bytes(count)
                );
            }
            Parameter::Slice { is_text, .. } => {
                let own = format!("argument{number}");
                let taken = format!("{own}[..length{number}]");
                given.push(match is_text {
                    true => format!("std::str::from_utf8_unchecked_mut(&mut {taken})"),
                    false => format!("&mut {taken}"),
                });
                let type_name = parameter_type(program, method, number)?;
                let element = match is_text {
                    true => "u8",
                    false => type_name.split_once('[')?.1.strip_suffix(']')?,
                };
                let bytes: Vec<String> = inputs.next()?.bytes.iter().map(u8::to_string).collect();
                let _ = writeln!(
                    code,
                    "        let {own}: &mut [{element}] =\n            \
                     Box::leak(Box::new(std::mem::transmute::<_, [{element}; 4]>([{}u8])));",
                    bytes.join("u8, ")
                );
            }
            Parameter::Number
            | Parameter::Memory(_)
            | Parameter::Copy(_)
            | Parameter::Part { .. } => {
                given.push(format!("argument{number}"));
                declare(
                    &mut code,
                    program,
                    (method, number),
                    parameter,
                    inputs.next()?,
                )?;
            }
            Parameter::Text
            | Parameter::Token
            | Parameter::TokenPlace
            | Parameter::Place
            | Parameter::Function(_)
            | Parameter::Plain(..)
            | Parameter::String => return None,
        }
    }
    let _ = writeln!(
        code,
        "        let result = {};",
        call(program, method, &given)?
    );
    if let Some(effect) = execution.effect.filter(|_| !staging.ends) {
        assertions(&mut code, staged, effect);
    }
    for (number, argument) in staging.arguments.iter().enumerate() {
        if staging.ensures(number) && !staging.may_keep(number) && !execution.has_freed(number) {
            check(
                &mut code,
                program,
                argument.invariant,
                &[execution.root(number)],
            )?;
        }
    }
    if let Some(post) = staging.postcondition.filter(|_| !staging.ends) {
        if parameters(program, post) == given.len() + 1 {
            given.push("result".to_owned());
        }
        check(&mut code, program, post, &given)?;
    }
    Some(code)
}

/// Asserts what came of a call whose result is `result`.
fn assertions(code: &mut String, staged: &Staged<'_>, effect: &Effect) {
    let size = "size_of_val(&result)";
    let result = format!("word_at((&raw const result).cast(), {size})");
    let _ = match &effect.returned {
        Some(MethodResult::Value(Field::Number(value))) => writeln!(
            code,
            "        assert_eq!({result}, {}u128 & u128::MAX >> (128 - 8 * {size}));",
            *value as u128
        ),
        Some(MethodResult::Value(Field::Null)) => {
            writeln!(code, "        assert_eq!({result}, 0);")
        }
        Some(MethodResult::Into {
            argument,
            number,
            offset,
        }) => writeln!(
            code,
            "        assert_eq!({result}, {}.cast::<u8>() as u128 + {offset});",
            object(*argument, *number)
        ),
        Some(MethodResult::Value(_)) | None => Ok(()),
    };
    for (argument, after) in effect.after.iter().enumerate() {
        let given = after.given.iter();
        let given = given.map(|given| given.map(|number| object(argument, number)));
        let mut names: Vec<Option<String>> = given.collect();
        for (number, it) in after.graph.objects.iter().enumerate() {
            let Some(own) = names[number].clone() else {
                continue;
            };
            let is_new = after.given[number].is_none();
            let known = it.fields.iter();
            let known = known.filter(|(_, field)| !is_new || !may_be_unwritten(field));
            for (path, field) in known {
                let Some(bytes) = staged.field_bytes(&it.type_name, path) else {
                    continue;
                };
                let (at, size) = (bytes.start, bytes.len());
                let held = format!("word_at({own}.cast::<u8>().add({at}), {size})");
                if let Some((to, offset)) = field.place()
                    && names[to].is_none()
                {
                    let name = format!("after{argument}_{to}");
                    let _ = writeln!(
                        code,
                        "        assert_ne!({held}, 0, \"{path}\");\n        \
                         let {name} = ({held} as usize - {offset}) as *mut u8;"
                    );
                    names[to] = Some(name);
                    continue;
                }
                let expected = match field {
                    Field::Null => "0".to_owned(),
                    Field::Number(value) => {
                        let unused = 128 - 8 * size.min(16) as u32;
                        (*value as u128 & u128::MAX >> unused).to_string()
                    }
                    Field::To(_) | Field::Inside(..) => {
                        let place = field.place();
                        let place = place.and_then(|(to, at)| Some((names[to].as_ref()?, at)));
                        let Some((to, offset)) = place else {
                            continue;
                        };
                        format!("{to}.cast::<u8>() as u128 + {offset}")
                    }
                    Field::Float(_)
                    | Field::Function(_)
                    | Field::Elsewhere
                    | Field::Untouched
                    | Field::OneOf(_) => {
                        continue;
                    }
                };
                let _ = writeln!(code, "        assert_eq!({held}, {expected}, \"{path}\");");
            }
        }
    }
}

/// Code that makes the objects, first all of them, then what is in them.
fn build(
    code: &mut String,
    staged: &Staged<'_>,
    graphs: &[ObjectGraph],
    root: &dyn Fn(usize) -> Option<String>,
    is_nameable: &dyn Fn(&str) -> bool,
) -> Option<()> {
    let mut nameable = BTreeSet::new();
    for (graph, objects) in graphs.iter().enumerate() {
        for (number, it) in objects.objects.iter().enumerate() {
            let type_name = match number {
                0 => root(graph)?,
                _ => rust_type(staged, &it.type_name),
            };
            let name = object(graph, number);
            let has_name = number == 0 || is_nameable(&type_name);
            nameable.extend(has_name.then_some((graph, number)));
            // Memory of no size is not to be asked for.
            let _ = match staged.object_size(&it.type_name)? {
                0 if !has_name => writeln!(
                    code,
                    "        let {name} = std::ptr::without_provenance_mut::<u8>(16); \
                     // {type_name}"
                ),
                // Only the library, or a module, can name it; its bytes are known.
                size if !has_name => writeln!(
                    code,
                    "        let {name}: *mut u8 = std::alloc::alloc_zeroed( // {type_name}\n            \
                     std::alloc::Layout::from_size_align_unchecked({size}, 16));"
                ),
                0 => writeln!(
                    code,
                    "        let {name} = std::ptr::NonNull::<{type_name}>::dangling().as_ptr();"
                ),
                _ => writeln!(
                    code,
                    "        let {name}: *mut {type_name} =\n            \
                     std::alloc::alloc_zeroed(std::alloc::Layout::new::<{type_name}>()).cast();"
                ),
            };
        }
    }
    for (graph, objects) in graphs.iter().enumerate() {
        for (number, it) in objects.objects.iter().enumerate() {
            for (bytes, value) in staged.tags(&it.type_name) {
                let _ = writeln!(
                    code,
                    "        put_value({}.cast::<u8>().add({}).cast::<[u8; {}]>(), {value});",
                    object(graph, number),
                    bytes.start,
                    bytes.len()
                );
            }
            for (path, field) in &it.fields {
                let name = object(graph, number);
                // What is inside of an Option or a type of the library has no name here.
                let is_named = nameable.contains(&(graph, number)) && !path.contains(['.', '[']);
                let place = match is_named {
                    true => format!("&raw mut (*{name}).{}", path.replace("__", "")),
                    false => {
                        let bytes = staged.field_bytes(&it.type_name, path)?;
                        let (at, size) = (bytes.start, bytes.len());
                        format!("{name}.cast::<u8>().add({at}).cast::<[u8; {size}]>()")
                    }
                };
                let _ = match field {
                    Field::Number(value) => {
                        writeln!(code, "        put_value({place}, {value});")
                    }
                    Field::Float(value) if !is_named => {
                        let bytes = staged.field_bytes(&it.type_name, path)?;
                        let bits = match bytes.len() {
                            4 => (*value as f32).to_bits().into(),
                            _ => value.to_bits(),
                        };
                        writeln!(code, "        put_value({place}, {bits});")
                    }
                    Field::Float(value) => {
                        writeln!(
                            code,
                            "        *({place}) = f64::from_bits({}) as _;",
                            value.to_bits()
                        )
                    }
                    Field::To(_) | Field::Inside(..) => {
                        let (to, offset) = field.place()?;
                        let target = object(graph, to);
                        writeln!(
                            code,
                            "        ({place}).cast::<*mut u8>()\n            \
                             .write_unaligned({target}.cast::<u8>().add({offset}));"
                        )
                    }
                    Field::Function(_) => return None,
                    // Everything starts as zeros.
                    Field::Null | Field::Elsewhere | Field::Untouched | Field::OneOf(_) => continue,
                };
            }
        }
    }
    Some(())
}

/// Types that every file can name.
const KNOWN: [&str; 22] = [
    "Box", "Option", "String", "Vec", "bool", "char", "const", "f32", "f64", "i128", "i16", "i32",
    "i64", "i8", "isize", "mut", "u128", "u16", "u32", "u64", "u8", "usize",
];

/// Whether the end of a file can name a type: all that its name is made of is defined there,
/// outside of modules, or by every file.
fn is_nameable(text: &str, name: &str) -> bool {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let is_defined = |word: &str| {
        text.lines().any(|line| {
            let line = match line.strip_prefix("pub") {
                Some(rest) if rest.starts_with('(') => rest.split_once(')').map_or("", |it| it.1),
                Some(rest) => rest,
                None => line,
            };
            let line = line.strip_prefix(' ').unwrap_or(line);
            let kinds = ["struct ", "enum ", "union ", "type "];
            let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind));
            let end = |rest: &str| !rest.starts_with(is_word);
            rest.and_then(|rest| rest.strip_prefix(word))
                .is_some_and(end)
        })
    };
    let signs = |sign: char| is_word(sign) || "<>[]()&*,; ".contains(sign);
    name.chars().all(signs)
        && name.split(|sign| !is_word(sign)).all(|word| {
            word.is_empty()
                || word.starts_with(|sign: char| sign.is_ascii_digit())
                || KNOWN.contains(&word)
                || is_defined(word)
        })
}

/// A type's name as Rust writes it: `[Node; 3]`, not `Node[3]`.
fn rust_type(staged: &Staged<'_>, name: &str) -> String {
    match name.strip_suffix(']').and_then(|it| it.rsplit_once('[')) {
        Some((row, count)) => {
            let element = staged.element_of(name).unwrap_or_else(|| row.to_owned());
            format!("[{element}; {count}]")
        }
        None => staged.type_of(name),
    }
}

/// The name of a parameter's type, as Rust writes it.
fn parameter_type(program: &Program, function: FunctionId, number: usize) -> Option<&str> {
    let source = program.functions[function.index()].source?;
    let source = program.source.function(source);
    let id = source.parameters.get(number)?.debug_type?;
    Some(&program.source.debug_type(id).name)
}

/// The structure that the so manieth pointer of a method leads to, as the file names
/// it: without the crate.
fn root_type(program: &Program, method: FunctionId, graph: usize) -> Option<String> {
    let pointers = staged_parameters(program, method).ok()?;
    let all = parameters_with(program, method, &[]).ok()?;
    let number = source_position(&all, pointers.get(graph)?.0);
    pointed_type(parameter_type(program, method, number)?)
}

/// What a pointer leads to, as the file names it.
fn pointed_type(name: &str) -> Option<String> {
    let signs = ["&mut ", "&", "*mut ", "*const "];
    let path = signs.iter().find_map(|sign| name.strip_prefix(sign))?;
    Some(without_crate(path))
}

/// A type as the file names it: without the crate that it is in.
fn without_crate(name: &str) -> String {
    let start = name.find(|sign: char| sign.is_alphabetic()).unwrap_or(0);
    let (signs, path) = name.split_at(start);
    let (qualifier, path) = match path.split_once(' ') {
        Some((word @ ("mut" | "const"), rest)) => (format!("{word} "), rest),
        _ => (String::new(), path),
    };
    let path = match path.split_once("::") {
        // What the library has is found there.
        Some(("core" | "alloc", rest)) => format!("std::{rest}"),
        Some((_, rest)) => rest.to_owned(),
        None => path.to_owned(),
    };
    format!("{signs}{qualifier}{path}")
}

/// A call with these pointers and numbers.
fn call(program: &Program, function: FunctionId, given: &[String]) -> Option<String> {
    if lifetime(program, function) == Lifetime::Ends {
        // Nobody calls a destructor by its name.
        return Some(format!("std::ptr::drop_in_place({})", given.first()?));
    }
    let path = path(program, function)?;
    let given = given.iter().enumerate().map(|(number, given)| {
        let name = parameter_type(program, function, number).unwrap_or_default();
        let is_object = given.starts_with("object");
        match is_object {
            true if name.starts_with("&mut ") => format!("&mut *{given}"),
            true if name.starts_with('&') => format!("&*{given}"),
            _ => given.clone(),
        }
    });
    let given: Vec<String> = given.collect();
    Some(format!("{path}({})", given.join(", ")))
}

/// How the file names a function: a method by its type. Others are found if they are
/// not inside modules.
fn path(program: &Program, function: FunctionId) -> Option<String> {
    let linked = &program.functions[function.index()].name;
    let source = program.functions[function.index()].source?;
    let source = program.source.function(source);
    let is_method = source
        .parameters
        .first()
        .is_some_and(|first| first.name == "self");
    if is_method {
        // A type with parameters is no path by itself.
        let own = root_type(program, function, 0)?;
        return Some(format!("<{own}>::{}", plain_name(&source.name)));
    }
    let is_outermost = linked.starts_with("_RNvC") || *linked == source.name;
    is_outermost.then(|| plain_name(&source.name).to_owned())
}

/// Code for an argument that is no object.
fn declare(
    code: &mut String,
    program: &Program,
    (method, number): (FunctionId, usize),
    parameter: &Parameter,
    input: &Input,
) -> Option<()> {
    let type_name = &without_crate(parameter_type(program, method, number)?);
    let bytes: Vec<String> = input.bytes.iter().map(u8::to_string).collect();
    let bytes = format!("[{}u8]", bytes.join("u8, "));
    let _ = match parameter {
        Parameter::Memory(_) => {
            let inner = type_name.trim_start_matches(['&', '*']);
            let words = ["mut ", "const "];
            let inner = words
                .iter()
                .find_map(|word| inner.strip_prefix(word))
                .unwrap_or(inner);
            writeln!(
                code,
                "        let argument{number}: &mut {inner} = \
                 Box::leak(Box::new(std::mem::transmute({bytes})));"
            )
        }
        // The call tells its type, whose name may be the library's.
        _ => writeln!(
            code,
            "        let argument{number} = std::mem::transmute({bytes});"
        ),
    };
    Some(())
}

/// Code that fails when a function does not hold.
fn check(
    code: &mut String,
    program: &Program,
    function: FunctionId,
    given: &[String],
) -> Option<()> {
    let source = program.functions[function.index()].source?;
    let name = &program.source.function(source).name;
    let call = call(program, function, given)?;
    let _ = writeln!(
        code,
        "        if !{call} {{\n            broken(\"{name}\");\n        }}"
    );
    Some(())
}

#[cfg(test)]
mod tests {
    use super::is_nameable;

    #[test]
    fn only_what_a_file_defines_outside_of_modules_has_a_name_at_its_end() {
        let text = "pub struct Node<T> { next: Option<Box<Node<T>>> }\nenum Kind { A }\n\
                    pub(crate) union Word { a: u8 }\nmod inner {\n    pub struct Hidden;\n}\n\
                    struct Nodes;";
        for name in [
            "Node<i32>",
            "Kind",
            "Word",
            "[Node<u8>; 3]",
            "Option<Box<Node<Kind>>>",
        ] {
            assert!(is_nameable(text, name), "{name}");
        }
        for name in [
            "RcInner<Node<i32>>",
            "Hidden",
            "Nod",
            "inner::Hidden",
            "{closure#0}",
            "dyn Fn",
        ] {
            assert!(!is_nameable(text, name), "{name}");
        }
    }
}
