//! HAMPI's language: queries about strings of bounded length.
//!
//! A text declares string variables, context-free and regular languages, and
//! strings put together from variables and constants, and asserts what they
//! are in, contain and equal. The answer is a value for every variable, or that
//! there is none.
//!
//! ```
//! use grammar::hampi::{Query, Reply, Session, Settings};
//!
//! let query = Query::parse(r#"
//!     var v : 2;
//!     cfg E := "()" | E E | "(" E ")";
//!     reg Efixed := fixsize(E, 6);
//!     val q := concat("((", v, "))");
//!     assert q in Efixed;
//!     assert q contains "())";
//! "#).unwrap();
//! let mut session = Session::new(&query, Settings::default()).unwrap();
//! assert_eq!(session.next_solution().unwrap(), Reply::Solution(vec![b")(".to_vec()]));
//! assert_eq!(session.next_solution().unwrap(), Reply::Solution(vec![b"()".to_vec()]));
//! assert_eq!(session.next_solution().unwrap(), Reply::None);
//! ```

mod confirm;
mod lexical;
mod parse;
mod session;
mod strings;

pub use session::{Failure, Reply, Session, Settings};

use crate::grammar::{Grammar, RuleId};
use crate::problem::{Place, Problems};
use crate::regular::{Regular, RegularId};

/// The longest string that a text may speak of.
pub const LONGEST: usize = 10_000;

/// A text, read and checked.
#[derive(Clone, Debug)]
pub struct Query {
    /// The unknowns.
    pub variables: Vec<Variable>,
    /// The strings, variables among them; parts have smaller numbers.
    pub strings: Vec<Text>,
    /// The regular languages; parts have smaller numbers.
    pub regular: Vec<Regular>,
    /// The rules that regular languages fix the size of, by the number that
    /// [`Regular::Fixed`] has.
    pub fixed: Vec<RuleId>,
    /// The context-free languages, if there are any.
    pub grammar: Option<Grammar>,
    /// What must hold.
    pub assertions: Vec<Assertion>,
}

impl Query {
    /// Reads a text, or says everything that is wrong with it.
    pub fn parse(text: &str) -> Result<Query, Problems> {
        parse::query(text)
    }
}

/// Reads the `cfg` statements of a text, which needs no unknowns for that.
pub fn grammar(text: &str) -> Result<Grammar, Problems> {
    parse::grammar(text)
}

/// An unknown string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub place: Place,
    /// The least length it may have.
    pub least: usize,
    /// The greatest length it may have.
    pub most: usize,
}

/// A string's number in its query.
pub type TextId = usize;

/// A string of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Text {
    /// The variable of this number.
    Variable(usize),
    /// These bytes.
    Constant(Vec<u8>),
    /// One after the other.
    Concat(Vec<TextId>),
    /// So many bytes from an offset on; the string must have them.
    Slice {
        /// The string.
        of: TextId,
        /// Where the slice begins.
        offset: usize,
        /// How many bytes it has.
        length: usize,
    },
}

/// What must hold of a string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// Where it is said.
    pub place: Place,
    /// The string.
    pub subject: TextId,
    /// Whether the opposite is asserted.
    pub negated: bool,
    /// What is said of it.
    pub claim: Claim,
}

/// What may be said of a string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is a word of the rule.
    InGrammar(RuleId),
    /// It is a word of the regular language.
    InRegular(RegularId),
    /// It has these bytes in it.
    Contains(Vec<u8>),
    /// It equals the other.
    Equals(TextId),
}

/// A value as it would be written in a text: in quotes, what is not printable
/// as three decimal digits after a backslash.
pub fn quoted(value: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in value {
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b' '..=b'~' => text.push(byte.into()),
            _ => text.push_str(&format!("\\{byte:03}")),
        }
    }
    text.push('"');
    text
}
