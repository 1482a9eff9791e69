//! What a run did not look at, though the program may go there.
//!
//! A run that left something out must not be called complete. Whatever leaves
//! something out (a value that was concretized for a native call, a function without a
//! body, a size that was too large) says so with [`Machine::incomplete`](crate::Machine::incomplete), and the
//! report lists it once for each place in the source, with how often it happened.

use crate::error::SourceLine;
use indexmap::IndexMap;
use std::rc::Rc;

/// Why there may be behaviour of the program that no path showed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Incomplete {
    /// Paths ended at a call of a function that nobody defines.
    MissingFunction {
        /// Its name.
        function: Rc<str>,
    },
    /// Paths ended at a use of a variable that nothing defines.
    MissingVariable {
        /// Its name.
        variable: Rc<str>,
    },
    /// A function was run with one of several values.
    Concretized {
        /// The function.
        function: Rc<str>,
        /// What had other values: an argument, or the object behind one.
        what: Rc<str>,
    },
    /// Paths ended in a native function that did not return in time.
    TimedOut {
        /// The function.
        function: Rc<str>,
    },
    /// Paths ended at a native function that gave another result for the same calls.
    NotDeterministic {
        /// The function.
        function: Rc<str>,
    },
    /// A native function that nobody said is pure was run on some of its arguments only.
    TakenForPure {
        /// The function.
        function: Rc<str>,
    },
    /// A system call that is not modelled failed, as on a system that does not have it.
    NotModelled {
        /// The call.
        call: Rc<str>,
    },
    /// Paths ended at something the machine does not do.
    Unsupported {
        /// What it is.
        what: Rc<str>,
    },
    /// An allocation may be larger than what was followed.
    LargeSize {
        /// The greatest size that was.
        most: u64,
    },
    /// Threads could be interleaved with more preemptions than were tried.
    Preemptions {
        /// How many were, on one path.
        most: u64,
    },
    /// A member of the objects that were made is a pointer, and null in all of them.
    OnlyNull {
        /// The type and the member.
        member: Rc<str>,
    },
    /// A symbolic pointer may point to more objects than were tried.
    UntriedObjects {
        /// How many were.
        tried: u64,
    },
}

/// Everything that was left out, in the order it came up.
#[derive(Default)]
pub(crate) struct Omissions {
    pub(crate) by_place: IndexMap<(Incomplete, SourceLine), u64>,
    /// Whether the end of the running path is among them.
    pub(crate) has_end: bool,
}
