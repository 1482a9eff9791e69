//! Where a path is in the source, and errors there.

use machine::runtime::is_library;
use machine::{ErrorKind, State};
use program::{FunctionId, Location, Program};
use serde::{Deserialize, Serialize};
use suite::Finding;

/// A call on the stack, in the source.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct SourceFrame {
    /// The function, as the source names it.
    pub function: String,
    /// The file; empty where the compiler says none.
    pub file: String,
    /// The same with its directory, as coverage names it.
    pub path: String,
    /// The line, from one; 0 where the compiler says none.
    pub line: u32,
    /// The column, likewise.
    pub column: u32,
    /// Whether it is in a library.
    pub is_library: bool,
}

/// The calls that the path is in, innermost first.
pub fn stack(program: &Program, state: &State) -> Vec<SourceFrame> {
    let stack = state.stack().into_iter();
    stack
        .flat_map(|(function, pc)| frames(program, function, pc))
        .collect()
}

/// An error where the path is, and the column. The innermost frame with a line is where
/// a person looks first, and the library is not theirs.
pub fn finding(
    stack: &[SourceFrame],
    kind: ErrorKind,
    message: &str,
    test: &str,
) -> (Finding, u32) {
    let shown = own(stack);
    let finding = Finding {
        kind,
        message: message.to_owned(),
        function: shown.function,
        file: shown.file,
        line: shown.line,
        test: test.to_owned(),
        times: None,
    };
    (finding, shown.column)
}

/// Where a person looks for an instruction: the innermost of its frames with a line that
/// is not a library's.
pub fn place(program: &Program, function: FunctionId, pc: u32) -> SourceFrame {
    own(&frames(program, function, pc))
}

fn own(stack: &[SourceFrame]) -> SourceFrame {
    let own = stack
        .iter()
        .find(|frame| frame.line > 0 && !frame.is_library);
    own.or(stack.first()).cloned().unwrap_or_default()
}

/// Where an instruction is in the source: innermost first, where the
/// compiler has put functions into others.
pub(super) fn frames(program: &Program, function: FunctionId, pc: u32) -> Vec<SourceFrame> {
    let source = &program.source;
    let called = &program.functions[function.index()];
    let frame = |location: Option<&Location>| {
        let within = location.and_then(|location| location.function);
        let named = within.or(called.source).map(|id| source.function(id));
        let file = location.and_then(|location| location.file);
        SourceFrame {
            function: named
                .map_or(&called.name, |function| &function.name)
                .clone(),
            file: file
                .map(|id| source.file(id).name.clone())
                .unwrap_or_default(),
            path: file
                .map(|id| source.file(id).path.clone())
                .unwrap_or_default(),
            line: location.map_or(0, |location| location.line),
            column: location.map_or(0, |location| location.column),
            is_library: file.is_some_and(|id| is_library(&source.file(id).path)),
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
