//! The time on a path.

use super::tree::Time;
use term::Term;

pub(crate) const SECOND: u64 = 1_000_000_000;
/// When every program starts: 9 September 2001, 01:46:40 UTC.
pub(crate) const START: u64 = 1_000_000_000 * SECOND;

/// The time on a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// Nanoseconds since 1970.
    pub nanoseconds: u64,
    /// The second that was last seen of a symbolic clock.
    pub seen: Option<Term>,
}

impl Clock {
    pub const fn new() -> Clock {
        Clock {
            nanoseconds: START,
            seen: None,
        }
    }

    pub fn now(&self) -> Time {
        Time {
            seconds: (self.nanoseconds / SECOND) as i64,
            nanoseconds: (self.nanoseconds % SECOND) as i64,
        }
    }

    /// Nanoseconds since the program started.
    pub fn running(&self) -> u64 {
        self.nanoseconds - START
    }

    pub fn pass(&mut self, nanoseconds: u64) {
        self.nanoseconds = self.nanoseconds.saturating_add(nanoseconds);
    }
}
