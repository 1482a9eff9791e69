//! Why a session cannot begin or go on, in the words of the command line.

use crate::error::Error;
use engine::policy::staged::{LayoutError, Misfit};
use engine::{CompileError, NotReady, SessionError};
use machine::runtime::is_library;
use program::Program;

/// Why there is no report, and what to do. With the program at hand, its functions are
/// named where another is looked for.
pub fn explained(error: SessionError, program: Option<&Program>) -> Error {
    let entries = program.map_or_else(String::new, entries);
    match error {
        SessionError::Compile(CompileError::Level(level)) => {
            Error::Usage(format!("there is no -O{level}; use 0, 1, 2, 3, s or z"))
        }
        SessionError::Compile(error) => Error::Compile(error),
        SessionError::NotReady(NotReady::Selection(_)) => {
            Error::Usage(format!("--symbolic-only: {error}{entries}"))
        }
        SessionError::NotReady(NotReady::Objects(Misfit::RangeOfPointer(ref field))) => {
            Error::Program(format!("{error}; bound it with --max {field}=2"))
        }
        SessionError::NotReady(NotReady::Objects(Misfit::ObjectsOfNumber(ref field))) => {
            Error::Program(format!("{error}; bound it with --range {field}=0..9"))
        }
        SessionError::NotReady(NotReady::Objects(Misfit::Layout(LayoutError::AnyLength {
            ref element,
            ..
        }))) => Error::Program(format!("{error}; add --max '{element}[]=4'")),
        SessionError::NoEntry(_) | SessionError::NotReady(_) | SessionError::Refused(_) => {
            Error::Session(error)
        }
    }
}

/// The program's own functions, for a person who looks for one.
pub fn entries(program: &Program) -> String {
    const MOST: usize = 8;
    let own = program.functions.iter().filter(|function| {
        let source = function.source.map(|id| program.source.function(id));
        let file = source.and_then(|source| source.file);
        let library = file.is_some_and(|id| is_library(&program.source.file(id).path));
        function.body.is_some() && !library
    });
    let mut names: Vec<&str> = own.map(|function| &*function.name).take(MOST + 1).collect();
    if names.len() > MOST {
        names[MOST] = "…";
    }
    match &names[..] {
        [] => String::new(),
        names => format!(" (there is {})", names.join(", ")),
    }
}
