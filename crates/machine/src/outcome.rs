//! How paths end.

pub use base::ErrorKind;

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program returned or exited with this status.
    Exit(i32),
    /// Something is wrong.
    Error(ErrorKind, String),
    /// An assumption does not hold, or the program asked to be forgotten.
    Ignored,
    /// Another path comes to the same state by another order of its threads.
    Redundant,
    /// Its calls are nested deeper than is looked at.
    TooDeep,
    /// How it goes on could not be found out, for a reason that was told.
    Unknown,
}

/// Why the interpreter stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The path ended.
    End(End),
    /// There is something to choose: the state forked, or it ran for long.
    Yield,
}

/// Ends the path with an error.
pub fn error<T>(kind: ErrorKind, message: impl Into<String>) -> Result<T, Halt> {
    Err(Halt::End(End::Error(kind, message.into())))
}

/// Ends the path because the machine cannot go on.
pub fn unsupported<T>(what: impl Into<String>) -> Result<T, Halt> {
    error(
        ErrorKind::Unsupported,
        format!("not supported: {}", what.into()),
    )
}
