//! Errors of the program under test, as a person is shown them.

use crate::diagnostic;
use machine::runtime::is_library;
use machine::{ErrorKind, State};
use program::{FunctionId, Location, Program};
use std::fmt::Write;

/// A place in the source.
#[derive(Clone, Default)]
struct Place {
    function: String,
    file: String,
    line: u32,
    column: u32,
    /// Whether it is in a library.
    library: bool,
}

/// An error of the program.
pub struct Finding {
    pub kind: ErrorKind,
    pub message: String,
    pub function: String,
    pub file: String,
    pub line: u32,
    column: u32,
    stack: Vec<String>,
    pub inputs: String,
    pub test: String,
    /// How to see it again.
    pub again: String,
}

impl Finding {
    /// An error where the state is.
    pub fn at(program: &Program, state: &State, kind: ErrorKind, message: &str) -> Finding {
        let stack = state.stack();
        let places: Vec<Place> = stack
            .into_iter()
            .flat_map(|(function, pc)| places(program, function, pc))
            .collect();
        // The innermost place with a line is where a person looks first, and
        // the library is not theirs.
        let own = places.iter().find(|place| place.line > 0 && !place.library);
        let shown = own.or(places.first()).cloned().unwrap_or_default();
        Finding {
            kind,
            message: message.to_owned(),
            function: shown.function,
            file: shown.file,
            line: shown.line,
            column: shown.column,
            stack: places
                .iter()
                .map(|place| format!("{} ({}:{})", place.function, place.file, place.line))
                .collect(),
            inputs: String::new(),
            test: String::new(),
            again: String::new(),
        }
    }

    /// What a person is shown of it.
    pub fn diagnostic(&self) -> String {
        let message = format!("{}: {}", self.kind.name(), self.message);
        let source = std::fs::read_to_string(&self.file).unwrap_or_default();
        let mut text = if self.line > 0 {
            let column = self.column.max(1);
            diagnostic::at_place(&self.file, &source, self.line, column, &message)
        } else {
            format!("error: {message}, in {}", self.function)
        };
        for (depth, place) in self.stack.iter().enumerate() {
            let _ = write!(
                text,
                "\n  {} {place}",
                if depth == 0 { "in" } else { "called from" }
            );
        }
        if !self.inputs.is_empty() {
            let indented = self.inputs.trim_end().replace('\n', "\n    ");
            let _ = write!(text, "\n  input ({}):\n    {indented}", self.test);
        }
        text + &self.again + "\n"
    }
}

/// Where an instruction is in the source: innermost first, where the
/// compiler has put functions into others.
fn places(program: &Program, function: FunctionId, pc: u32) -> Vec<Place> {
    let source = &program.source;
    let called = &program.functions[function.index()];
    let place = |location: Option<&Location>| {
        let within = location.and_then(|location| location.function);
        let named = within.or(called.source).map(|id| source.function(id));
        let file = location.and_then(|location| location.file);
        Place {
            function: named
                .map_or(&called.name, |function| &function.name)
                .clone(),
            file: file
                .map(|id| source.file(id).name.clone())
                .unwrap_or_default(),
            line: location.map_or(0, |location| location.line),
            column: location.map_or(0, |location| location.column),
            library: file.is_some_and(|id| is_library(&source.file(id).path)),
        }
    };
    match &called.body {
        Some(body) => {
            let locations = source.inlining(body.locations[pc as usize]);
            locations.map(|location| place(Some(location))).collect()
        }
        None => vec![place(None)],
    }
}
