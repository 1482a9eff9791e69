//! Errors of the program under test, with what a person needs to understand them.

use crate::{diagnostic, results};
use machine::runtime::is_library;
use machine::{ErrorKind, State};
use program::{FunctionId, Location, Program};
use std::fmt::Write;
use suite::Finding;

/// A location in the source.
#[derive(Clone, Default)]
struct Frame {
    function: String,
    file: String,
    line: u32,
    column: u32,
    /// Whether it is in a library.
    library: bool,
}

/// An error of the program, and what it takes to understand it.
pub struct Diagnosis {
    /// What reports keep of it.
    pub finding: Finding,
    column: u32,
    /// The calls it happened in, innermost first.
    stack: Vec<Frame>,
    /// The input that triggers it.
    pub inputs: String,
    /// How to see it again, a line each.
    pub again: String,
}

impl Diagnosis {
    /// An error where the state is.
    pub fn at(program: &Program, state: &State, kind: ErrorKind, message: &str) -> Diagnosis {
        let stack = state.stack();
        let stack: Vec<Frame> = stack
            .into_iter()
            .flat_map(|(function, pc)| frames(program, function, pc))
            .collect();
        // The innermost frame with a line is where a person looks first, and
        // the library is not theirs.
        let own = stack.iter().find(|frame| frame.line > 0 && !frame.library);
        let shown = own.or(stack.first()).cloned().unwrap_or_default();
        Diagnosis {
            finding: Finding {
                kind: results::error_kind(kind),
                message: message.to_owned(),
                function: shown.function,
                file: shown.file,
                line: shown.line,
                test: String::new(),
                times: None,
            },
            column: shown.column,
            stack,
            inputs: String::new(),
            again: String::new(),
        }
    }

    /// What a person is shown of it.
    pub fn text(&self) -> String {
        let finding = &self.finding;
        let message = format!("{}: {}", finding.kind, finding.message);
        let source = std::fs::read_to_string(&finding.file).unwrap_or_default();
        let mut text = if finding.line > 0 {
            let column = self.column.max(1);
            diagnostic::at_place(&finding.file, &source, finding.line, column, &message)
        } else {
            format!("error: {message}, in {}", finding.function)
        };
        for (depth, frame) in self.stack.iter().enumerate() {
            let caller = if depth == 0 { "in" } else { "called from" };
            let (function, file, line) = (&frame.function, &frame.file, frame.line);
            let _ = write!(text, "\n  {caller} {function} ({file}:{line})");
        }
        if !self.inputs.is_empty() {
            let indented = self.inputs.trim_end().replace('\n', "\n    ");
            let _ = write!(text, "\n  input ({}):\n    {indented}", finding.test);
        }
        text + &self.again + "\n"
    }
}

/// Where an instruction is in the source: innermost first, where the
/// compiler has put functions into others.
fn frames(program: &Program, function: FunctionId, pc: u32) -> Vec<Frame> {
    let source = &program.source;
    let called = &program.functions[function.index()];
    let frame = |location: Option<&Location>| {
        let within = location.and_then(|location| location.function);
        let named = within.or(called.source).map(|id| source.function(id));
        let file = location.and_then(|location| location.file);
        Frame {
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
            locations.map(|location| frame(Some(location))).collect()
        }
        None => vec![frame(None)],
    }
}
