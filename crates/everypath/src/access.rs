//! What a method is to its class: whether users of the class call it, and whether the life of an
//! object begins or ends with it.

use engine::policy::staged::{plain_name, shown_name};
use program::{FunctionId, Program, Shape, TypeId};
use std::fs;

/// What a function does to the object that it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// A constructor makes it.
    Begins,
    /// It is there before and after.
    Goes,
    /// A destructor is the last that sees it.
    Ends,
}

/// What a function does to the object that it is called on.
pub fn lifetime(program: &Program, id: FunctionId) -> Lifetime {
    let linked = &program.functions[id.index()].name;
    let source = program.functions[id.index()].source;
    let Some(source) = source.map(|id| program.source.function(id)) else {
        return Lifetime::Goes;
    };
    // Rust has one trait for that.
    if linked.starts_with("_R")
        && linked.contains("3ops4drop4Drop")
        && plain_name(&source.name) == "drop"
    {
        return Lifetime::Ends;
    }
    let first = source.parameters.first();
    let Some(this) = first.filter(|first| first.name == "this") else {
        return Lifetime::Goes;
    };
    if !linked.starts_with("_Z") {
        return Lifetime::Goes;
    }
    if source.name.starts_with('~') {
        return Lifetime::Ends;
    }
    let class = this.debug_type.and_then(|id| pointed_name(program, id));
    let name = plain_name(shown_name(program, id));
    match class.is_some_and(|class| plain_name(class) == name) {
        true => Lifetime::Begins,
        false => Lifetime::Goes,
    }
}

/// The name of what a pointer leads to.
fn pointed_name(program: &Program, id: TypeId) -> Option<&str> {
    let source = &program.source;
    match source.debug_type(source.resolved(id)).shape {
        Shape::Pointer(to) => Some(&source.debug_type(source.resolved(to?)).name),
        _ => None,
    }
}

/// Whether a function is for the class or the module alone that it is in.
pub fn is_hidden(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id.index()];
    let Some(source) = function.source.map(|id| program.source.function(id)) else {
        return false;
    };
    let Some(path) = function.name.strip_prefix("_R") else {
        return source.is_private;
    };
    if is_of_trait(path) {
        return false;
    }
    // Debug information of Rust does not tell; the line does.
    let file = source.file.map(|id| &program.source.file(id).path);
    let text = file.and_then(|path| fs::read_to_string(path).ok());
    let line = text.as_deref().and_then(|text| {
        let number = (source.line as usize).checked_sub(1)?;
        text.lines().nth(number)
    });
    line.is_some_and(|line| {
        let before = line.split("fn ").next().unwrap_or_default();
        before.len() < line.len() && !before.contains("pub")
    })
}

/// Whether a function is one that users of a class have it for: not what makes or destroys
/// objects, nor what a trait asks for.
pub fn is_offered(program: &Program, id: FunctionId) -> bool {
    let linked = &program.functions[id.index()].name;
    let of_trait = linked.strip_prefix("_R").is_some_and(is_of_trait);
    lifetime(program, id) == Lifetime::Goes && !of_trait
}

/// Whether a path of Rust's is that of a function in an `impl` of a trait.
fn is_of_trait(path: &str) -> bool {
    let path = path.strip_prefix('I').unwrap_or(path);
    path.starts_with("NvX") || path.starts_with("NvY")
}
