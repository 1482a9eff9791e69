//! What an exploration may spend before it ends in order.

use std::fmt;

/// Upper bounds on what is counted; none means without bound. Time and memory are the
/// stop token's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Instructions executed, over all paths.
    pub instructions: Option<u64>,
    /// Forks.
    pub forks: Option<u64>,
    /// Tests written.
    pub tests: Option<u64>,
    /// Paths that ended in an error.
    pub errors: Option<u64>,
    /// States waiting at one time.
    pub states: Option<u64>,
    /// Symbolic branches along one path; a deeper path ends unfinished.
    pub depth: Option<u64>,
}

/// What an exploration has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Instructions executed, over all paths.
    pub instructions: u64,
    /// Forks.
    pub forks: u64,
    /// Tests written.
    pub tests: u64,
    /// Paths that ended in an error.
    pub errors: u64,
    /// States waiting.
    pub states: u64,
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Wall-clock time.
    Time,
    /// Memory.
    Memory,
    /// Instructions.
    Instructions,
    /// Forks.
    Forks,
    /// Tests.
    Tests,
    /// Errors.
    Errors,
    /// Waiting states.
    States,
    /// Nothing is left to cover.
    Covered,
    /// As many steps were made as the stop token allows.
    Steps,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Instructions => "instructions",
            Limit::Forks => "forks",
            Limit::Tests => "tests",
            Limit::Errors => "errors",
            Limit::States => "states",
            Limit::Covered => "covered",
            Limit::Steps => "steps",
        })
    }
}

impl Limits {
    /// The first limit that `spent` has reached.
    pub fn reached(&self, spent: &Spent) -> Option<Limit> {
        let at = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        let reached = [
            (
                at(self.instructions, spent.instructions),
                Limit::Instructions,
            ),
            (at(self.forks, spent.forks), Limit::Forks),
            (at(self.tests, spent.tests), Limit::Tests),
            (at(self.errors, spent.errors), Limit::Errors),
            (at(self.states, spent.states), Limit::States),
        ];
        reached
            .iter()
            .find(|(reached, _)| *reached)
            .map(|&(_, limit)| limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_reached_when_as_much_is_spent_and_not_before() {
        let limits = Limits {
            forks: Some(3),
            ..Limits::default()
        };
        let spent = |forks| Spent {
            forks,
            tests: 100,
            ..Spent::default()
        };
        assert_eq!(limits.reached(&spent(2)), None);
        assert_eq!(limits.reached(&spent(3)), Some(Limit::Forks));
    }
}
