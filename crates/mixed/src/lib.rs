//! Deciding what solvers cannot: path conditions with external functions.
//!
//! A condition may apply functions that no decision procedure knows: native
//! code, a hash, a sine. Such a condition is *complex*; the others are *simple*.
//! [`Mixed`] solves the simple part, runs the functions on the solution, puts
//! what they gave in their place, and solves again, with equations that hold the
//! arguments to what the functions were run on. Where that fails, heuristics look
//! for another solution of the simple part, and in the end a search walks through
//! the inputs towards satisfying everything at once.
//!
//! The way and its heuristics are those of Păsăreanu, Rungta and Visser, *Symbolic
//! execution with mixed concrete-symbolic solving*, ISSTA 2011.
//!
//! A "yes" was checked by evaluating the whole condition with real calls. A "no"
//! is a proof: already with functions that may give anything, the condition
//! cannot hold. Everything else is "unknown".
//!
//! ```
//! use mixed::{Config, Mixed};
//! use oracle::{Implementation, Oracle, Signature, Type};
//! use solver::{Answer, PathCondition, Solver};
//! use term::{Assignment, BitVec, Sort, Store, Value};
//!
//! // hash(x) = 10 x, behind a curtain.
//! let mut oracle = Oracle::new();
//! let hash = Implementation::custom(|arguments| match &arguments[0] {
//!     Value::Bv(x) => Ok(Value::Bv(x.mul(&BitVec::from_u64(32, 10)))),
//!     _ => Err("it takes a number".to_owned()),
//! });
//! let int = Type::of_sort(Sort::Bv(32)).unwrap();
//! oracle.declare(Signature::new("hash", &[("x", int)], int), hash).unwrap();
//!
//! let mut store = Store::new();
//! let function = store.function(term::Signature {
//!     name: "hash".into(),
//!     parameters: vec![Sort::Bv(32)],
//!     result: Sort::Bv(32),
//! });
//! let (x, y) = (store.var("x", Sort::Bv(32)), store.var("y", Sort::Bv(32)));
//! let of_x = store.apply(function, &[x]);
//! let (zero, limit) = (store.bv(32, 0), store.bv(32, 10));
//!
//! let mut mixed = Mixed::new(Config::default(), Solver::default(), oracle);
//! let mut path = PathCondition::new();
//! let (positive, large) = (store.bv_slt(zero, x), store.bv_slt(limit, y));
//! mixed.add(&store, &mut path, positive);
//! mixed.add(&store, &mut path, large);
//! let Answer::Sat(model) = mixed.check_path(&mut store, &path) else { panic!() };
//!
//! let same = store.eq(y, of_x);
//! let answer = mixed.check_extended(&mut store, &path, &model, same);
//! let Answer::Sat(model) = answer else { panic!() };
//! assert!(mixed.under(&store, &model).holds(same));
//! # let _: Assignment = model;
//! ```

mod attempt;
mod calls;
mod cases;
mod check;
mod complex;
mod config;
mod distance;
mod heuristics;
mod intervals;
mod number;
mod random;
mod relaxed;
mod rows;
mod search;
mod statistics;
mod table;
#[cfg(test)]
mod tests;

pub use check::{Effort, Mixed};
pub use config::{Config, Heuristic, Partition, Passing, Strategy};
pub use oracle;
pub use solver;

pub use statistics::{Statistics, Tally};
