//! What can be wrong with a program.
//!
//! The machine finds it, and files and messages name it; neither knows the other, so
//! the one list of kinds is down here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What went wrong in the program, by name.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// An assertion failed.
    Assert,
    /// `abort`, a trap, or an error the program reported itself.
    Abort,
    /// An exception that nobody catches.
    UncaughtException,
    /// A panic of Rust that nobody catches.
    Panic,
    /// A read outside its object.
    OutOfBoundsRead,
    /// A write outside its object.
    OutOfBoundsWrite,
    /// A use of the null pointer.
    NullDereference,
    /// A use of an object after it was freed.
    UseAfterFree,
    /// A use of a local variable after its function returned.
    UseAfterReturn,
    /// A use of a local variable after its block, where that was asked for.
    UseAfterScope,
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
    /// An index beyond its array, though perhaps within the object.
    IndexOutOfBounds,
    /// An address that is no multiple of what its type asks for.
    Misaligned,
    /// A copy between places that overlap, by a function that does not allow it.
    Overlap,
    /// A format that takes an argument which is missing or of another kind.
    Format,
    /// A result that does not fit its signed type.
    SignedOverflow,
    /// A result that does not fit its unsigned type, where that was asked for.
    UnsignedOverflow,
    /// Pointer arithmetic that leaves the address space.
    PointerOverflow,
    /// A value that its type does not have: a truth value of 2.
    InvalidValue,
    /// A floating-point number that does not fit the type it is converted to.
    FloatCast,
    /// An implicit conversion that changes the value, where that was asked for.
    LossyConversion,
    /// The end of a function that should have returned a value.
    MissingReturn,
    /// Null where a function was promised something else.
    NullArgument,
    /// An array whose length is not positive.
    VlaBound,
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
    /// A native function crashed.
    NativeCrash,
    /// Two accesses of two threads, one of them a write, that nothing orders.
    DataRace,
    /// Threads wait for each other.
    Deadlock,
    /// A thread waits for a signal that came before it waited.
    LostWakeUp,
    /// A lock, a condition or a thread used as it must not be.
    LockMisuse,
    /// An invariant does not hold after a method, or is none.
    Invariant,
    /// What a method promises does not hold.
    Postcondition,
    /// A method, or what is checked after it, does not end within its budget.
    Endless,
    /// Inputs asked for that are not the recorded ones; not an error of the program.
    OtherInputs,
    /// Something the machine does not do; not an error of the program.
    Unsupported,
    /// A mistake of Everypath itself; not an error of the program.
    Internal,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: [ErrorKind; 44] = [
        ErrorKind::Assert,
        ErrorKind::Abort,
        ErrorKind::UncaughtException,
        ErrorKind::Panic,
        ErrorKind::OutOfBoundsRead,
        ErrorKind::OutOfBoundsWrite,
        ErrorKind::NullDereference,
        ErrorKind::UseAfterFree,
        ErrorKind::UseAfterReturn,
        ErrorKind::UseAfterScope,
        ErrorKind::DoubleFree,
        ErrorKind::InvalidFree,
        ErrorKind::WriteToConstant,
        ErrorKind::Division,
        ErrorKind::Shift,
        ErrorKind::IndexOutOfBounds,
        ErrorKind::Misaligned,
        ErrorKind::Overlap,
        ErrorKind::Format,
        ErrorKind::SignedOverflow,
        ErrorKind::UnsignedOverflow,
        ErrorKind::PointerOverflow,
        ErrorKind::InvalidValue,
        ErrorKind::FloatCast,
        ErrorKind::LossyConversion,
        ErrorKind::MissingReturn,
        ErrorKind::NullArgument,
        ErrorKind::VlaBound,
        ErrorKind::Unreachable,
        ErrorKind::BadCall,
        ErrorKind::Uninitialised,
        ErrorKind::Leak,
        ErrorKind::StackOverflow,
        ErrorKind::NativeCrash,
        ErrorKind::DataRace,
        ErrorKind::Deadlock,
        ErrorKind::LostWakeUp,
        ErrorKind::LockMisuse,
        ErrorKind::Invariant,
        ErrorKind::Postcondition,
        ErrorKind::Endless,
        ErrorKind::OtherInputs,
        ErrorKind::Unsupported,
        ErrorKind::Internal,
    ];

    /// The name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Assert => "assert",
            ErrorKind::Abort => "abort",
            ErrorKind::UncaughtException => "uncaught-exception",
            ErrorKind::Panic => "panic",
            ErrorKind::OutOfBoundsRead => "out-of-bounds-read",
            ErrorKind::OutOfBoundsWrite => "out-of-bounds-write",
            ErrorKind::NullDereference => "null-dereference",
            ErrorKind::UseAfterFree => "use-after-free",
            ErrorKind::UseAfterReturn => "use-after-return",
            ErrorKind::UseAfterScope => "use-after-scope",
            ErrorKind::DoubleFree => "double-free",
            ErrorKind::InvalidFree => "invalid-free",
            ErrorKind::WriteToConstant => "write-to-constant",
            ErrorKind::Division => "division",
            ErrorKind::Shift => "shift",
            ErrorKind::IndexOutOfBounds => "index-out-of-bounds",
            ErrorKind::Misaligned => "misaligned",
            ErrorKind::Overlap => "overlap",
            ErrorKind::Format => "format",
            ErrorKind::SignedOverflow => "signed-overflow",
            ErrorKind::UnsignedOverflow => "unsigned-overflow",
            ErrorKind::PointerOverflow => "pointer-overflow",
            ErrorKind::InvalidValue => "invalid-value",
            ErrorKind::FloatCast => "float-cast",
            ErrorKind::LossyConversion => "lossy-conversion",
            ErrorKind::MissingReturn => "missing-return",
            ErrorKind::NullArgument => "null-argument",
            ErrorKind::VlaBound => "vla-bound",
            ErrorKind::Unreachable => "unreachable",
            ErrorKind::BadCall => "bad-call",
            ErrorKind::Uninitialised => "uninitialised",
            ErrorKind::Leak => "leak",
            ErrorKind::StackOverflow => "stack-overflow",
            ErrorKind::NativeCrash => "native-crash",
            ErrorKind::DataRace => "data-race",
            ErrorKind::Deadlock => "deadlock",
            ErrorKind::LostWakeUp => "lost-wake-up",
            ErrorKind::LockMisuse => "lock-misuse",
            ErrorKind::Invariant => "invariant",
            ErrorKind::Postcondition => "postcondition",
            ErrorKind::Endless => "endless",
            ErrorKind::OtherInputs => "other-inputs",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_one_name() {
        for kind in ErrorKind::ALL {
            let json = serde_json::to_value(kind).expect("a kind is a text");
            assert_eq!(json, kind.name());
        }
    }
}
