//! The text of models: tokens, syntax trees, and the formatter.

pub(crate) mod ast;
mod format;
pub(crate) mod lexer;
mod parser;

use crate::model::Location;

pub use format::format;
pub(crate) use parser::{RESERVED, parse, parse_condition};

/// What keeps a text from being read as a model, whatever its names mean.
pub fn mistakes(text: &str) -> Vec<Fault> {
    parse(text).1
}

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where it is over.
    pub end: usize,
}

impl Span {
    /// The stretch between two places.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// From here to the end of the other.
    pub(crate) fn to(self, other: Span) -> Span {
        Span::new(self.start, other.end)
    }

    /// The line and the column of its beginning.
    pub fn location(self, text: &str) -> Location {
        let before = text.get(..self.start).unwrap_or(text);
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() as u32 + 1;
        Location { line, column }
    }
}

/// Something wrong with a model, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where.
    pub span: Span,
    /// What is wrong and what to do.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Fault {
        Fault {
            span,
            message: message.into(),
        }
    }
}
