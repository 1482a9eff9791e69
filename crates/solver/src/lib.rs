//! Can these constraints hold, and by which assignment?
//!
//! A [`Solver`] sends the query down a chain of links, each more expensive than
//! the one before: memory, known bits and ranges, assignments found lately, a few
//! steps of search, and then a backend, [`Bitblast`] or [`Z3`]. Along a path,
//! a [`PathCondition`] keeps constraints that share nothing apart, and only
//! those that share variables with a query go down the chain.
//!
//! ```
//! use solver::{Answer, PathCondition, Solver};
//! use term::{Assignment, Sort, Store};
//!
//! let mut store = Store::new();
//! let mut solver = Solver::default();
//! let mut path = PathCondition::new();
//!
//! // On the path so far, a byte is a digit.
//! let byte = store.var("byte", Sort::Bv(8));
//! let (zero, nine) = (store.bv(8, b'0'.into()), store.bv(8, b'9'.into()));
//! let digit = [store.bv_ule(zero, byte), store.bv_ule(byte, nine)];
//! for constraint in digit {
//!     solver.add(&store, &mut path, constraint);
//! }
//! let Answer::Sat(model) = solver.check_path(&mut store, &path) else { panic!() };
//!
//! // Can it be a seven there? And a letter?
//! let (seven, a) = (store.bv(8, b'7'.into()), store.bv(8, b'a'.into()));
//! let (is_seven, is_a) = (store.eq(byte, seven), store.eq(byte, a));
//! assert!(solver.check_extended(&mut store, &path, &model, is_seven).is_sat());
//! assert!(solver.check_extended(&mut store, &path, &model, is_a).is_unsat());
//! # let _: Assignment = model;
//! ```

mod backend;
mod bitblast;
mod bounded;
mod bytes;
mod cache;
mod chain;
mod enumerate;
mod equalities;
mod order;
mod ranges;
mod search;
mod slices;
mod statistics;
mod tables;
mod z3;

pub use backend::{Backend, Limits, Reason, Verdict};
pub use base::Stop;
pub use bitblast::Bitblast;
pub use bytes::ByteValues;
pub use chain::{Answer, Config, Disagreement, Solver};
pub use slices::PathCondition;
pub use statistics::{Link, LinkStatistics, Statistics};
pub use z3::Z3;
