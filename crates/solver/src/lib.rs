//! Decides sets of constraints.
mod backend;
mod bitblast;
mod cache;
mod chain;
mod ranges;
mod search;
mod slices;
mod statistics;
mod tables;
mod z3;

pub use backend::{Backend, Interrupt, Limits, Reason, Verdict};
pub use bitblast::Bitblast;
pub use chain::{Answer, Config, Disagreement, Solver};
pub use slices::PathCondition;
pub use statistics::{Link, LinkStatistics, Statistics};
pub use z3::Z3;
