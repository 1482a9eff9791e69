//! Why a call has no value, in words for the person at the terminal.

use crate::signature::Type;
use crate::table::TableError;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Why a function could not be declared, or a call has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Nobody has declared the function.
    Undeclared {
        /// Its name.
        function: String,
    },
    /// The function was declared with other types before.
    Redeclared {
        /// What it was declared as.
        known: String,
        /// What it should be now.
        new: String,
    },
    /// The arguments are not what the function takes.
    Arguments {
        /// The function.
        signature: String,
        /// What is wrong with them.
        reason: String,
    },
    /// The function has only a table, and the table is silent.
    NotInTable {
        /// The call, with its arguments.
        call: String,
    },
    /// The function's table is another function's.
    Table(TableError),
    /// The embedding program or a model's command refused.
    Refused {
        /// The call, with its arguments.
        call: String,
        /// Why.
        reason: String,
    },
    /// A type that native functions are not called with.
    CannotPass {
        /// The function.
        function: String,
        /// The parameter; none for the result.
        parameter: Option<String>,
        /// Its type.
        kind: Type,
    },
    /// The helper process does not start.
    Helper {
        /// The command; none when the embedding program gave none.
        command: Option<String>,
        /// What happened.
        reason: String,
    },
    /// A library does not load.
    Library {
        /// The library.
        path: PathBuf,
        /// What the dynamic linker says.
        reason: String,
    },
    /// No library has the function.
    Symbol {
        /// The function.
        function: String,
        /// Where it was looked for.
        searched: Vec<String>,
    },
    /// The function did not come back, twice.
    Accident {
        /// The call, with its arguments.
        call: String,
        /// What happened.
        accident: Accident,
    },
    /// Nobody waits for the call any more.
    Stopped {
        /// The call, with its arguments.
        call: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Undeclared { function } => write!(
                f,
                "the external function `{function}` was called but never declared"
            ),
            Failure::Redeclared { known, new } => write!(
                f,
                "an external function has two declarations: `{known}` and `{new}`"
            ),
            Failure::Arguments { signature, reason } => {
                write!(f, "`{signature}` cannot be called: {reason}")
            }
            Failure::NotInTable { call } => write!(
                f,
                "the table has no result for {call}, and there is no other way to run the function"
            ),
            Failure::Table(error) => error.fmt(f),
            Failure::Refused { call, reason } => write!(f, "{call}: {reason}"),
            Failure::CannotPass {
                function,
                parameter: Some(parameter),
                kind,
            } => write!(
                f,
                "`{function}` cannot be called natively: its parameter `{parameter}` has \
                 the type {kind}, which is not supported"
            ),
            Failure::CannotPass {
                function,
                parameter: None,
                kind,
            } => write!(
                f,
                "`{function}` cannot be called natively: its result has the type {kind}, \
                 which is not supported"
            ),
            Failure::Helper {
                command: Some(command),
                reason,
            } => write!(
                f,
                "the helper process for native functions does not start ({command}): {reason}"
            ),
            Failure::Helper {
                command: None,
                reason,
            } => write!(f, "native functions cannot be called: {reason}"),
            Failure::Library { path, reason } => {
                write!(f, "the library {} does not load: {reason}", path.display())
            }
            Failure::Symbol { function, searched } => write!(
                f,
                "there is no function `{function}` in {}: load the library that defines it",
                searched.join(", ")
            ),
            Failure::Accident { call, accident } => write!(f, "{call} {accident}"),
            Failure::Stopped { call } => write!(f, "{call} {}", Accident::Stopped),
        }
    }
}

impl std::error::Error for Failure {}

/// How a native call can end other than by returning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Accident {
    /// A signal ended the process.
    Crashed {
        /// Its number.
        signal: i32,
    },
    /// The function ended the process.
    Exited {
        /// With this status.
        status: i32,
    },
    /// The function did not return in time.
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// The function wrote outside an array it was given.
    Overrun {
        /// The parameter that pointed to the array.
        parameter: String,
    },
    /// The answer was overwritten before it could be read.
    Damaged,
    /// The embedding program does not want to wait any longer.
    Stopped,
}

impl fmt::Display for Accident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Accident::Crashed { signal } => match signal_name(*signal) {
                Some((name, meaning)) => write!(f, "crashed with {name} ({meaning})"),
                None => write!(f, "was ended by signal {signal}"),
            },
            Accident::Exited { status } => write!(f, "ended the process with status {status}"),
            Accident::TimedOut { limit } => {
                write!(f, "did not return within {} s", limit.as_secs_f64())
            }
            Accident::Overrun { parameter } => {
                write!(f, "wrote outside the array `{parameter}`")
            }
            Accident::Damaged => f.write_str("overwrote the memory its result is passed in"),
            Accident::Stopped => f.write_str("was stopped before it returned"),
        }
    }
}

fn signal_name(signal: i32) -> Option<(&'static str, &'static str)> {
    Some(match signal {
        libc::SIGSEGV => ("SIGSEGV", "invalid memory access"),
        libc::SIGBUS => ("SIGBUS", "invalid memory access"),
        libc::SIGABRT => ("SIGABRT", "abort"),
        libc::SIGFPE => ("SIGFPE", "division by zero or overflow"),
        libc::SIGILL => ("SIGILL", "invalid instruction"),
        libc::SIGTRAP => ("SIGTRAP", "trap"),
        libc::SIGSYS => ("SIGSYS", "invalid system call"),
        libc::SIGKILL => ("SIGKILL", "killed from outside, or out of memory"),
        libc::SIGTERM => ("SIGTERM", "ended from outside"),
        libc::SIGALRM => ("SIGALRM", "timer"),
        libc::SIGXCPU => ("SIGXCPU", "processor time limit"),
        _ => return None,
    })
}

/// Something the user should hear of, though the run goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The function.
    pub function: String,
    /// The call, with its arguments.
    pub call: String,
    /// What happened the first time.
    pub accident: Accident,
    /// Whether the second try, in a fresh process, gave a result.
    pub recovered: bool,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = match self.recovered {
            true => "a second try in a fresh process succeeded",
            false => "a second try in a fresh process failed too, so the call has no result",
        };
        write!(f, "{} {}; {end}", self.call, self.accident)
    }
}
