//! What the chain asks of a decision procedure.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The conflicts or steps allowed were used up.
    Conflicts,
    /// The memory allowed was used up.
    Memory,
    /// The time allowed was used up.
    Time,
    /// Another thread asked to stop.
    Interrupted,
    /// The backend does not decide such terms.
    Unsupported(String),
    /// The backend gave up, in its own words.
    GaveUp(String),
    /// What external functions give is not known, and why.
    Function(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Conflicts => write!(f, "the allowed number of conflicts was reached"),
            Reason::Memory => write!(f, "the allowed memory was used up"),
            Reason::Time => write!(f, "the allowed time was used up"),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Unsupported(what) => write!(f, "no backend decides {what}"),
            Reason::GaveUp(why) => write!(f, "the backend gave up: {why}"),
            Reason::Function(why) => f.write_str(why),
        }
    }
}

/// What one query may cost, and the flag that ends it early.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Conflicts of the SAT search (Z3: resource units in thousands); none means no limit.
    pub conflicts: Option<u64>,
    /// Bytes of gates and clauses; none means no limit.
    pub memory: Option<usize>,
    /// Wall-clock time; none means no limit. Unlike the others it makes runs
    /// differ, so it is for people who wait and never a default.
    pub time: Option<Duration>,
    /// Set from another thread to stop the query being asked.
    pub interrupt: Interrupt,
}

/// A flag shared with other threads that asks the solver to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets queries be asked again.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether someone asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
