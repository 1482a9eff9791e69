//! Sorts, terms, rewriting and evaluation.

pub mod fp;
mod sort;

pub use sort::{FpFormat, MAX_WIDTH, RoundingMode, Sort};
