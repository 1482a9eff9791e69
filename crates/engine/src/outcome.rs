//! How an exploration ended, and how its paths did.

use base::Cause;
use explore::Limit;
use serde::{Deserialize, Serialize};

/// How many paths ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Ran to a normal end.
    pub completed: u64,
    /// Ended in an error.
    pub errors: u64,
    /// Dropped by an assumption.
    pub ignored: u64,
    /// Those that ended with objects that satisfy what is required of them.
    pub valid: u64,
    /// Not decided at first, and found to be no path in the end.
    pub infeasible: u64,
    /// Whose feasibility was not decided, or which nobody knows how to go on with.
    pub unknown: u64,
    /// Those of them for which the machine said why.
    pub explained: u64,
    /// Directed runs that left the path their inputs were solved for.
    pub divergences: u64,
    /// Stopped by a limit.
    pub unfinished: u64,
    /// Those of them whose calls were nested too deep.
    pub too_deep: u64,
    /// Dropped, because they could reach nothing new.
    pub pruned: u64,
    /// Run again with other values at the border of the selected code.
    pub revisited: u64,
    /// Instructions executed.
    pub instructions: u64,
}

impl Counts {
    /// Those that ended one way or another.
    pub fn explored(&self) -> u64 {
        self.completed + self.errors + self.ignored
    }

    /// Adds those of another exploration.
    pub fn add(&mut self, other: &Counts) {
        self.completed += other.completed;
        self.errors += other.errors;
        self.ignored += other.ignored;
        self.valid += other.valid;
        self.infeasible += other.infeasible;
        self.unknown += other.unknown;
        self.explained += other.explained;
        self.divergences += other.divergences;
        self.unfinished += other.unfinished;
        self.too_deep += other.too_deep;
        self.pruned += other.pruned;
        self.revisited += other.revisited;
        self.instructions += other.instructions;
    }
}

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every path was followed to its end.
    Complete,
    /// A limit was reached.
    Limit(Limit),
    /// Someone asked to stop.
    Interrupted,
    /// What is open was given away as ranges, for others to go on with.
    GivenAway,
}

impl From<Cause> for Outcome {
    fn from(cause: Cause) -> Outcome {
        match cause {
            Cause::Time => Outcome::Limit(Limit::Time),
            Cause::Memory => Outcome::Limit(Limit::Memory),
            Cause::Interrupt => Outcome::Interrupted,
            Cause::Count => Outcome::Limit(Limit::Steps),
        }
    }
}
