//! What was decided, and by what.

use crate::config::Heuristic;

/// Answers of one kind of attempt.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Attempts made.
    pub tries: u64,
    /// Queries it found a solution for.
    pub yes: u64,
}

/// How conditions with external functions were decided so far.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Queries that had external functions in them, or that were too hard.
    pub queries: u64,
    /// Answered by a solution that real calls confirmed.
    pub yes: u64,
    /// Proved to have none.
    pub no: u64,
    /// Not decided.
    pub unknown: u64,
    /// The first solution of the simple part.
    pub first: Tally,
    /// Extensions of the tables, and queries that tables answered.
    pub table: Tally,
    heuristics: [Tally; Heuristic::ALL.len()],
}

impl Statistics {
    /// How this heuristic did.
    pub fn heuristic(&self, heuristic: Heuristic) -> Tally {
        self.heuristics[heuristic as usize]
    }

    pub(crate) fn heuristic_mut(&mut self, heuristic: Heuristic) -> &mut Tally {
        &mut self.heuristics[heuristic as usize]
    }

    /// Attempts of all kinds.
    pub fn tries(&self) -> u64 {
        let later: u64 = self.heuristics.iter().map(|tally| tally.tries).sum();
        self.first.tries + self.table.tries + later
    }
}
