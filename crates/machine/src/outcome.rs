//! How paths end.

use std::fmt;

/// What went wrong in the program, by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// An assertion failed.
    Assert,
    /// `abort`, a trap, or an error the program reported itself.
    Abort,
    /// A read outside its object.
    OutOfBoundsRead,
    /// A write outside its object.
    OutOfBoundsWrite,
    /// A use of the null pointer.
    Null,
    /// A use of an object after it was freed.
    UseAfterFree,
    /// A use of a local variable after its function returned.
    UseAfterReturn,
    /// A second `free` of one object.
    DoubleFree,
    /// A `free` of what `malloc` did not give.
    InvalidFree,
    /// A write to constant memory.
    WriteToConstant,
    /// A division by zero, or one that overflows.
    Division,
    /// A shift by the width of the number or more.
    Shift,
    /// Code that must not be reached.
    Unreachable,
    /// A call of something that is not a function, or with wrong arguments.
    BadCall,
    /// Behaviour that depends on memory nothing was written to.
    Uninitialised,
    /// Memory that was never freed.
    Leak,
    /// The stack grew too deep.
    StackOverflow,
    /// An invariant does not hold after a method, or is none.
    Invariant,
    /// What a method promises does not hold.
    Postcondition,
    /// Inputs asked for that are not the recorded ones; not an error of the program.
    OtherInputs,
    /// Something this machine does not do; not an error of the program.
    Unsupported,
}

impl ErrorKind {
    /// The name used in files and JSON.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Assert => "assert",
            ErrorKind::Abort => "abort",
            ErrorKind::OutOfBoundsRead => "out-of-bounds-read",
            ErrorKind::OutOfBoundsWrite => "out-of-bounds-write",
            ErrorKind::Null => "null-dereference",
            ErrorKind::UseAfterFree => "use-after-free",
            ErrorKind::UseAfterReturn => "use-after-return",
            ErrorKind::DoubleFree => "double-free",
            ErrorKind::InvalidFree => "invalid-free",
            ErrorKind::WriteToConstant => "write-to-constant",
            ErrorKind::Division => "division",
            ErrorKind::Shift => "shift",
            ErrorKind::Unreachable => "unreachable",
            ErrorKind::BadCall => "bad-call",
            ErrorKind::Uninitialised => "uninitialised",
            ErrorKind::Leak => "leak",
            ErrorKind::StackOverflow => "stack-overflow",
            ErrorKind::Invariant => "invariant",
            ErrorKind::Postcondition => "postcondition",
            ErrorKind::OtherInputs => "other-inputs",
            ErrorKind::Unsupported => "unsupported",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program returned or exited with this status.
    Exit(i32),
    /// Something is wrong.
    Error(ErrorKind, String),
    /// An assumption does not hold, or the program asked to be forgotten.
    Ignored,
    /// Its calls are nested deeper than is looked at.
    TooDeep,
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
