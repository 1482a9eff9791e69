//! What a run did not look at, though the program may go there.
//!
//! A run that left something out must not be called complete. Whatever leaves
//! something out (a value that was concretized for a native call, a function without a
//! body, a size that was too large) says so with [`Machine::incomplete`], and the
//! report lists it once for each place in the source, with how often it happened.

use crate::error::SourceLine;
use crate::machine::Machine;
use crate::state::State;
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
    /// A symbolic pointer may point to more objects than were tried.
    UntriedObjects {
        /// How many were.
        tried: u64,
    },
}

/// Everything that was left out, in the order it came up.
#[derive(Default)]
pub(crate) struct Omissions {
    by_place: IndexMap<(Incomplete, SourceLine), u64>,
    /// Whether the end of the running path is among them.
    pub(crate) has_end: bool,
}

impl Machine<'_> {
    /// Says that something was left out where the path is.
    pub fn incomplete(&mut self, state: &State, reason: Incomplete) {
        let place = self.own_place(state);
        *self.omissions.by_place.entry((reason, place)).or_default() += 1;
    }

    /// The same for what the path ends at.
    pub(crate) fn incomplete_end(&mut self, state: &State, reason: Incomplete) {
        self.incomplete(state, reason);
        self.omissions.has_end = true;
    }

    /// What was left out, where, and how often.
    pub fn omissions(&self) -> impl Iterator<Item = (&Incomplete, &SourceLine, u64)> {
        let all = self.omissions.by_place.iter();
        all.map(|((reason, place), &times)| (reason, place, times))
    }

    /// Where the path is in the source: in the innermost call with a line that is not
    /// in a library, for that is where a person looks.
    pub(crate) fn own_place(&self, state: &State) -> SourceLine {
        let source = &self.program.source;
        let places = state.stack().into_iter().filter_map(|(function, pc)| {
            let location = self.body(function)?.locations[pc as usize];
            let location = source.location(location);
            let place = SourceLine {
                file: source.file(location.file?).name.clone(),
                line: location.line,
            };
            (location.line > 0).then_some((function, place))
        });
        let mut places = places.peekable();
        let innermost = places.peek().map(|(_, place)| place.clone());
        let own = places.find(|(function, _)| !self.is_library(*function));
        own.map(|(_, place)| place)
            .or(innermost)
            .unwrap_or_default()
    }
}
