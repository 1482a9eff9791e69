//! Sorts, terms, rewriting and evaluation.

mod bits;
mod build;
mod compute;
mod encode;
mod eval;
mod facts;
pub mod fp;
mod op;
pub mod print;
mod regex;
mod rewrite;
pub mod smtlib;
mod sort;
mod store;
mod text;
mod typing;
mod value;
mod walk;

pub use bits::BitVec;
pub use encode::{DecodeError, decode, encode};
pub use eval::{Evaluation, Evaluator};
pub use facts::Facts;
pub use op::Op;
pub use regex::Regex;
pub use sort::{FpFormat, MAX_WIDTH, RoundingMode, Sort};
pub use store::{Function, Signature, Store, Term, Variable};
pub use value::{ArrayValue, Assignment, FunctionValue, Value};
pub use walk::{Substitution, conjuncts, free_variables, functions, post_order, substitute};
