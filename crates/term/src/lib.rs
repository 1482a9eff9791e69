//! Terms: expressions over symbolic inputs, each distinct one once.
//!
//! A [`Store`] makes terms and simplifies them as it does; a [`Term`] is a
//! 32-bit handle. An [`Evaluator`] says what a term is under an
//! [`Assignment`], [`mod@print`] shows it, and [`smtlib`] reads it.
//!
//! ```
//! use term::{Assignment, BitVec, Evaluator, Sort, Store, Value, print::infix};
//!
//! let mut store = Store::new();
//! let x = store.var("x", Sort::Bv(8));
//! let (one, ten) = (store.bv(8, 1), store.bv(8, 10));
//! let next = store.bv_add(x, one);
//! let again = store.bv_add(next, one);
//! let back = store.bv_sub(again, one);
//! assert_eq!(back, next); // equal terms are one term
//!
//! let small = store.bv_ult(next, ten);
//! assert_eq!(infix::term(&store, small), "x + 1 <u 10");
//!
//! let mut assignment = Assignment::new();
//! assignment.set(store.as_variable(x).unwrap(), Value::Bv(BitVec::from_u64(8, 255)));
//! assert!(Evaluator::default().under(&store, &assignment).holds(small));
//! ```

mod bits;
mod build;
mod choices;
mod compute;
mod encode;
mod eval;
mod facts;
pub mod fp;
mod lanes;
mod op;
pub mod print;
mod regex;
mod rewrite;
mod shared;
pub mod smtlib;
mod sort;
mod store;
mod tape;
mod text;
mod typing;
mod value;
mod walk;

pub use bits::BitVec;
pub use choices::choices;
pub use encode::{DecodeError, decode, encode};
pub use eval::{Evaluation, Evaluator, Functions};
pub use facts::Facts;
pub use lanes::{LANES, Lane, Lanes};
pub use op::Op;
pub use regex::Regex;
pub use sort::{FpFormat, MAX_WIDTH, RoundingMode, Sort};
pub use store::{Function, Signature, Store, Term, Variable};
pub use tape::{Place, Tape};
pub use value::{ArrayValue, Assignment, FunctionValue, Value};
pub use walk::{Substitution, conjuncts, free_variables, functions, post_order, substitute};
