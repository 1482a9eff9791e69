//! What the chain asks of a decision procedure.

use base::{Cause, Stop};
use term::{Assignment, Store, Term};

/// Decides sets of constraints from nothing but their terms.
pub trait Backend {
    /// The name statistics and messages use.
    fn name(&self) -> &'static str;

    /// Whether the constraints can all hold at once, and by which assignment.
    ///
    /// An assignment need not mention variables whose value does not matter.
    fn check(&mut self, store: &mut Store, constraints: &[Term], limits: &Limits) -> Verdict;
}

/// A backend's answer to one query.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// This assignment satisfies every constraint.
    Sat(Assignment),
    /// No assignment does; already these of the constraints exclude each other.
    Unsat(Vec<Term>),
    /// Not decided.
    Unknown(Reason),
}

/// Why a query was not decided.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// The conflicts or steps allowed were used up.
    #[error("the limit on conflicts was reached")]
    Conflicts,
    /// The memory allowed was used up.
    #[error("the memory limit was reached")]
    Memory,
    /// The time allowed was used up.
    #[error("the time limit was reached")]
    Time,
    /// The stop token was set before there was an answer.
    #[error("interrupted")]
    Interrupted,
    /// The backend does not decide such terms.
    #[error("no backend decides {0}")]
    Unsupported(String),
    /// The backend gave up, in its own words.
    #[error("the backend gave up: {0}")]
    GaveUp(String),
    /// What external functions give is not known, and why.
    #[error("{0}")]
    Function(String),
}

impl Reason {
    /// Why this token ends a query, if it is set.
    pub fn of_stop(stop: &Stop) -> Option<Reason> {
        if !stop.is_set() {
            return None;
        }
        Some(match stop.cause() {
            Some(Cause::Time) => Reason::Time,
            Some(Cause::Memory) => Reason::Memory,
            Some(Cause::Interrupt | Cause::Count) | None => Reason::Interrupted,
        })
    }
}

/// What one query may cost, and the token that ends it early.
///
/// Budgets only tighten: who does part of the work for a query gets at most what
/// the query has ([`Limits::tightened`]), and the token of the whole.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Conflicts of the SAT search (Z3: resource units in thousands); none means no limit.
    pub conflicts: Option<u64>,
    /// Bytes of gates and clauses; none means no limit.
    pub memory: Option<usize>,
    /// Ends the query early. A limit on time makes runs differ, unlike the others,
    /// so it is for people who wait ([`Stop::within`]) and never a default.
    pub stop: Stop,
}

impl Limits {
    /// The same limits with at most so many conflicts: never more than before, and
    /// none means no further limit.
    pub fn tightened(&self, conflicts: Option<u64>) -> Limits {
        Limits {
            conflicts: self.conflicts.into_iter().chain(conflicts).min(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_within_a_budget_never_loosens_it() {
        let budgets = [None, Some(0), Some(7), Some(u64::MAX)];
        for outer in budgets {
            let limits = Limits::default().tightened(outer);
            assert_eq!(limits.conflicts, outer);
            for inner in budgets {
                let both = limits.tightened(inner).conflicts;
                let least = |a: Option<u64>| a.unwrap_or(u64::MAX);
                assert_eq!(least(both), least(outer).min(least(inner)));
            }
        }
    }
}
