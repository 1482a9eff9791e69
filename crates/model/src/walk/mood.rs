//! In which way a walk chooses inputs for a while.
//!
//! Looking for what was seldom is what meets most, but it makes what is ordinary rare: where every
//! other value is at a boundary, five inputs in a row that are at none hardly ever come, and a fault
//! that shows after them is never met. So for some stretches of a walk inputs are chosen as somebody
//! would who knows nothing of the system, and for some others most of them are of one kind.

use crate::testcase::Data;

/// The shortest stretch, and how much longer one may be.
const SHORTEST: usize = 6;
const LONGER: usize = 24;

/// How inputs are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mood {
    /// Towards what was seldom, with values at boundaries.
    #[default]
    Curious,
    /// Any input with any values.
    Plain,
    /// Likewise, but truth values and what has few values mostly stay as they were.
    Steady,
}

/// The mood that a walk is in, and for how long.
#[derive(Default)]
pub(crate) struct Moods {
    now: Mood,
    left: usize,
}

impl Moods {
    /// The mood for the next input.
    pub fn next(&mut self, data: &mut Data) -> Mood {
        if self.left == 0 {
            self.left = SHORTEST + data.below(LONGER);
            self.now = match data.below(4) {
                0 | 1 => Mood::Curious,
                2 => Mood::Plain,
                _ => Mood::Steady,
            };
        }
        self.left -= 1;
        self.now
    }
}
