//! Why a call has no value, in words for the person at the terminal.

use crate::signature::Type;
use crate::table::TableError;
use base::OneLine;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Why a function could not be declared, or a call has no value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// Nobody has declared the function.
    #[error("the external function `{function}` was called but never declared")]
    Undeclared {
        /// Its name.
        function: String,
    },
    /// The function was declared with other types before.
    #[error("an external function has two declarations: `{known}` and `{new}`")]
    Redeclared {
        /// What it was declared as.
        known: String,
        /// What it should be now.
        new: String,
    },
    /// The arguments are not what the function takes.
    #[error("`{signature}` cannot be called: {reason}")]
    Arguments {
        /// The function.
        signature: String,
        /// What is wrong with them.
        reason: String,
    },
    /// The function has only a table, and the table is silent.
    #[error("the table has no result for {call}, and there is no other way to run the function")]
    NotInTable {
        /// The call, with its arguments.
        call: String,
    },
    /// The function's table is another function's.
    #[error(transparent)]
    Table(TableError),
    /// The embedding program or a model's command refused.
    #[error("{call}: {reason}")]
    Refused {
        /// The call, with its arguments.
        call: String,
        /// Why.
        reason: String,
    },
    /// A type that native functions are not called with.
    #[error(
        "`{function}` cannot be called natively: {} has the type {kind}, which is not supported",
        match parameter {
            Some(parameter) => format!("its parameter `{parameter}`"),
            None => "its result".to_owned(),
        }
    )]
    CannotPass {
        /// The function.
        function: String,
        /// The parameter; none for the result.
        parameter: Option<String>,
        /// Its type.
        kind: Type,
    },
    /// The helper process does not start.
    #[error(
        "{}: {reason}",
        match command {
            Some(command) => {
                format!("the helper process for native functions does not start ({command})")
            }
            None => "native functions cannot be called".to_owned(),
        }
    )]
    Helper {
        /// The command; none when the embedding program gave none.
        command: Option<String>,
        /// What happened.
        reason: String,
    },
    /// A library does not load.
    #[error("the library {} does not load: {reason}", path.one_line())]
    Library {
        /// The library.
        path: PathBuf,
        /// What the dynamic linker says.
        reason: String,
    },
    /// No library has the function.
    #[error(
        "there is no function `{function}` in {}: load the library that defines it",
        searched.join(", ")
    )]
    Symbol {
        /// The function.
        function: String,
        /// Where it was looked for.
        searched: Vec<String>,
    },
    /// The function did not come back, twice.
    #[error("{call} {accident}")]
    Accident {
        /// The call, with its arguments.
        call: String,
        /// What happened.
        accident: Accident,
    },
    /// The function, called again after the same calls, gave something else.
    #[error("{call} gave another result after the same calls: `{function}` is not deterministic")]
    NotDeterministic {
        /// The function.
        function: String,
        /// The call, with its arguments.
        call: String,
    },
    /// The stop token was set before the call returned.
    #[error("{call} {}", Accident::Stopped)]
    Stopped {
        /// The call, with its arguments.
        call: String,
    },
}

/// How a native call can end other than by returning.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Accident {
    /// A signal ended the process.
    #[error("{}", crash(*signal))]
    Crashed {
        /// Its number.
        signal: i32,
    },
    /// The function ended the process.
    #[error("ended the process with status {status}")]
    Exited {
        /// With this status.
        status: i32,
    },
    /// The function did not return in time.
    #[error("did not return within {} s", limit.as_secs_f64())]
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// The function wrote outside an array it was given.
    #[error("wrote outside the array `{parameter}`")]
    Overrun {
        /// The parameter that pointed to the array.
        parameter: String,
    },
    /// The answer was overwritten before it could be read.
    #[error("overwrote the memory its result is passed in")]
    Damaged,
    /// The stop token was set.
    #[error("was stopped before it returned")]
    Stopped,
}

impl Failure {
    /// Whether the function did something that ends a program.
    pub fn is_crash(&self) -> bool {
        matches!(self, Failure::Accident { accident, .. } if accident.is_crash())
    }
}

impl Accident {
    /// Whether the function did something that ends a program. Signals that come from
    /// outside, or from a limit, say nothing about it.
    pub fn is_crash(&self) -> bool {
        match self {
            Accident::Crashed { signal } => matches!(
                *signal,
                libc::SIGSEGV
                    | libc::SIGBUS
                    | libc::SIGABRT
                    | libc::SIGFPE
                    | libc::SIGILL
                    | libc::SIGTRAP
            ),
            Accident::Overrun { .. } => true,
            Accident::Exited { .. }
            | Accident::TimedOut { .. }
            | Accident::Damaged
            | Accident::Stopped => false,
        }
    }
}

fn crash(signal: i32) -> String {
    match signal_name(signal) {
        Some((name, meaning)) => format!("crashed with {name} ({meaning})"),
        None => format!("was ended by signal {signal}"),
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
