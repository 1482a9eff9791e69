//! Grammars and string constraints.
//!
//! A [`Grammar`] is read from any of several notations ([`mod@read`]), looked
//! over ([`check()`]), and written back ([`mod@write`]). Over bytes or over tokens it is
//! a [`Cfg`], whose [`Normal`] form is what the algorithms work on: counting and
//! drawing words ([`count`], [`words`]), completing a word whose first letters are
//! constrained ([`Completer`]), and saying "these bytes are a word" as a term
//! ([`encode`]). [`hampi`] is a language of queries about strings.
//!
//! ```
//! use grammar::{Allowed, Completer, Completion, LetterSet, Normal, read};
//!
//! let grammar = read::bnf(r#"
//!     <function> ::= "function" "id" "(" <formals> ")" "{" "}"
//!     <formals>  ::= "" | "id" | "id" "," <formals>
//! "#).unwrap();
//! let view = grammar.tokens();
//! let normal = Normal::new(&view.cfg);
//!
//! // `function id (`, and then no `)`: which input is there?
//! let only = |name: &str| {
//!     Allowed::letters(LetterSet::of(view.tokens.len(), view.letter(name)))
//! };
//! let mut allowed = vec![only("function"), only("id"), only("(")];
//! let others = LetterSet::all(view.tokens.len());
//! let others = others.without(&LetterSet::of(view.tokens.len(), view.letter(")")));
//! allowed.push(Allowed::letters(others));
//! let stop = base::Stop::never();
//! let completion = Completer::new(&normal).complete(&allowed, &stop).unwrap();
//! let Completion::Word(word) = completion else { panic!() };
//! let names: Vec<_> = word.iter().map(|&t| view.tokens[usize::from(t)].name.as_str()).collect();
//! assert_eq!(names.join(" "), "'function' 'id' '(' 'id' ')' '{' '}'");
//! ```

mod build;
mod cfg;
mod chars;
mod check;
mod complete;
pub mod count;
mod earley;
pub mod encode;
mod grammar;
pub mod hampi;
mod letters;
mod normal;
mod prefixes;
mod problem;
mod random;
pub mod read;
mod reader;
mod regular;
mod separate;
mod shapes;
mod views;
pub mod words;
pub mod write;

pub use cfg::{Cfg, Part};
pub use chars::CharSet;
pub use check::{Findings, check};
pub use complete::{Allowed, Completer, Completion};
pub use encode::{Encoding, Lengths, Membership};
pub use grammar::{Grammar, Production, Role, Rule, RuleId, Symbol};
pub use letters::{BYTES, Letter, LetterSet};
pub use normal::{Normal, Way};
pub use prefixes::TooManyStates;
pub use problem::{Place, Problem, Problems};
pub use random::Random;
pub use reader::{Following, Reader};
pub use regular::{Regular, RegularId, to_cfg as regular_to_cfg};
pub use shapes::{Shape, TooMany, Tree, shapes};
pub use views::{Token, TokenView};
