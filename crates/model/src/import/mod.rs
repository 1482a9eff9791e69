//! Models that people already have, in other formats.
//!
//! An import gives the text of a model that [`check`](crate::check) accepts, with notes on
//! what was left out because it says nothing about the system. What means something and
//! is not understood is refused by name: a model that allows more than the file would
//! let faults pass.

mod chart;
mod diagram;
mod draft;
mod flatten;
mod graphwalker;
mod post;
mod precedence;
mod script;
mod scxml;
mod xlia;

pub use diagram::{mermaid, plantuml};
pub use graphwalker::{graphml, graphwalker};
pub use scxml::scxml;
pub use xlia::xlia;

use crate::syntax::RESERVED;
use draft::{Action, Arrow, Declared, Draft};
use roxmltree::Document;

/// Why a file is no model of its format.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is not XML.
    #[error("it is not XML: {0}")]
    Xml(#[from] roxmltree::Error),
    /// It is nested deeper than any state chart.
    #[error("its elements are nested more than {0} deep, which no state chart needs")]
    TooDeep(usize),
    /// It is XML of another kind.
    #[error("its root is <{found}>, not <{expected}>")]
    Root {
        /// The root's name.
        found: String,
        /// The name it should have.
        expected: &'static str,
    },
    /// It is not JSON, or JSON of another kind.
    #[error("it is not a GraphWalker file: {0}")]
    Json(#[from] serde_json::Error),
    /// The file has no model.
    #[error("it has no model")]
    NoModel,
    /// Nothing says where the model begins.
    #[error("it does not begin in one of its states")]
    NoInitialState,
    /// The graph has no vertices.
    #[error("the model has no vertices")]
    NoVertices,
    /// It has something that models do not.
    #[error("this is not understood:\n  {}", .0.join("\n  "))]
    Refused(Vec<String>),
    /// An edge has no target.
    #[error("the edge {0} leads nowhere")]
    NoTarget(String),
}

/// What became of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// The model's text.
    pub text: String,
    /// What was left out, or had to be guessed.
    pub notes: Vec<String>,
}

/// The document of a text.
fn xml(text: &str) -> Result<Document<'_>, ImportError> {
    match is_nested_too_deep(text) {
        true => Err(ImportError::TooDeep(DEPTH)),
        false => Ok(Document::parse(text)?),
    }
}

/// How deep elements may nest.
const DEPTH: usize = 200;

/// Whether elements are nested too deep for a parser that follows them down.
/// Counts at least the elements that a parser would.
fn is_nested_too_deep(text: &str) -> bool {
    let (mut rest, mut depth) = (text, 0usize);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let pairs = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        let skipped = pairs.iter().find(|(open, _)| rest.starts_with(open));
        if let Some((open, close)) = skipped {
            let end = rest[open.len()..].find(close);
            rest = end.map_or("", |end| &rest[open.len() + end + close.len()..]);
            continue;
        }
        let end = tag_end(rest);
        let tag = &rest[..end];
        if tag.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if !tag.starts_with("<!") && !tag.ends_with("/>") {
            depth += 1;
        }
        if depth > DEPTH {
            return true;
        }
        rest = &rest[end..];
    }
    false
}

/// Where a tag is over; a `>` between quotes does not end it.
fn tag_end(tag: &str) -> usize {
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '>') => return at + 1,
            _ => {}
        }
    }
    tag.len()
}

/// A name that models take: letters, digits and underscores.
fn name(text: &str) -> String {
    let mut name: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    // Words that begin something where a name could stand.
    let leading = ["initial", "state", "any", "channel", "true", "false"];
    if name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || RESERVED.contains(&name.as_str())
        || leading.contains(&name.as_str())
    {
        name.insert(0, '_');
    }
    name
}
