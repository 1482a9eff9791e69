//! "Unknown" as an answer of its own, with its reason.
//!
//! A step that was not decided is neither feasible nor infeasible; a verdict that
//! depends on one is inconclusive. The reason travels with it, up to the report.

use mixed::oracle::Failure;
use mixed::solver::Reason;

/// Why it is not known whether a step can be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Undecided {
    /// The solver gave up.
    #[error("{0}")]
    Solver(Reason),
    /// An external function has no result.
    #[error("{0}")]
    Function(Failure),
    /// Computing the values would fill the memory.
    #[error("a value grows too large")]
    ValueTooLarge,
    /// There are more states than an observer follows.
    #[error("the model can be in too many states at once after its internal steps")]
    TooManyStates,
    /// An input may have come when the model does not say what it does.
    #[error("an output may have come before an input that the model does not have then")]
    Unspecified,
    /// The stop token was set before it was decided.
    #[error("the run was stopped")]
    Stopped,
}
