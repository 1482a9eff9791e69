//! Readers of grammars, one a notation.

mod antlr;
mod bnf;
pub(crate) mod cursor;
mod json;
mod set;

pub use antlr::antlr;
pub use bnf::bnf;
pub use json::json;
