//! Terms for people: infix, with the operators the reader knows from C and
//! Rust.
//!
//! What the constructors of terms said in other words is said back in the
//! familiar ones: `not (b < a)` as `a <= b`, `a + -b` as `a - b`. A suffix
//! tells unsigned (`<u`) from signed (`<s`) on bit-vectors, unless a [`Vocabulary`] says
//! what the source reads them as. A part that is
//! used more than once, or that would make a line too long, gets a line of its
//! own.
//!
//! ```
//! use term::{Sort, Store, print::infix};
//!
//! let mut store = Store::new();
//! let x = store.var("x", Sort::Bv(8));
//! let y = store.var("y", Sort::Bv(8));
//! let three = store.bv(8, 3);
//! let sum = store.bv_add(x, three);
//! let less = store.bv_ult(sum, y);
//! assert_eq!(infix::term(&store, less), "x + 3 <u y");
//! ```

mod names;
mod value;
mod vocabulary;
mod writing;

pub use vocabulary::{Sign, Vocabulary};

use crate::store::{Store, Term};
use rustc_hash::FxHashMap;
use writing::{Level, Piece, Writer, Written};

/// A shared part of no more bytes than this is written out wherever it is used.
const SHORT: usize = 12;
/// A part of more bytes than this gets a line of its own.
const LONG: usize = 200;

/// One term: the lines that name its parts, then the term.
pub fn term(store: &Store, term: Term) -> String {
    terms(store, &[term])
}

/// Several terms: the lines that name their parts, then a line for each.
pub fn terms(store: &Store, roots: &[Term]) -> String {
    lines(&Writer::new(store, roots, None), roots)
}

/// One term in the words of the source that it came from.
pub fn term_in(store: &Store, term: Term, words: &dyn Vocabulary) -> String {
    lines(&Writer::new(store, &[term], Some(words)), &[term])
}

fn lines(writer: &Writer<'_>, roots: &[Term]) -> String {
    let graph = Graph::of(writer, roots);
    let prefix = prefix(writer);
    let mut lines = Vec::new();
    let mut texts: FxHashMap<Term, (String, Level)> = FxHashMap::default();
    for term in &graph.order {
        let written = &graph.written[term];
        let text = assemble(written, &texts);
        let length = text.len();
        let uses = graph.uses[term];
        let is_shared = uses > 1 && length > SHORT;
        let is_inner = uses > 0;
        let named = match written.level < Level::Atom && (is_shared || is_inner && length > LONG) {
            true => {
                let name = format!("{prefix}{}", lines.len() + 1);
                lines.push(format!("let {name} = {text}"));
                (name, Level::Atom)
            }
            false => (text, written.level),
        };
        texts.insert(*term, named);
    }
    lines.extend(roots.iter().map(|root| texts[root].0.clone()));
    lines.join("\n")
}

/// The terms that are written, as opposed to looked through.
struct Graph {
    written: FxHashMap<Term, Written>,
    /// How often each is used in another.
    uses: FxHashMap<Term, u32>,
    /// Parts before what they are parts of.
    order: Vec<Term>,
}

impl Graph {
    fn of(writer: &Writer<'_>, roots: &[Term]) -> Graph {
        enum Visit {
            Enter(Term),
            Leave(Term),
        }
        let mut graph = Graph {
            written: FxHashMap::default(),
            uses: roots.iter().map(|&root| (root, 0)).collect(),
            order: Vec::new(),
        };
        let mut stack: Vec<Visit> = roots.iter().rev().map(|&root| Visit::Enter(root)).collect();
        while let Some(visit) = stack.pop() {
            let term = match visit {
                Visit::Leave(term) => {
                    graph.order.push(term);
                    continue;
                }
                Visit::Enter(term) => term,
            };
            if graph.written.contains_key(&term) {
                continue;
            }
            stack.push(Visit::Leave(term));
            let written = writer.write(term);
            for piece in written.pieces.iter().rev() {
                if let Piece::Part(part, _) = *piece {
                    *graph.uses.entry(part).or_default() += 1;
                    stack.push(Visit::Enter(part));
                }
            }
            graph.written.insert(term, written);
        }
        graph
    }
}

/// The text of a term from the texts of its parts.
fn assemble(written: &Written, texts: &FxHashMap<Term, (String, Level)>) -> String {
    let mut text = String::new();
    for piece in &written.pieces {
        match piece {
            Piece::Text(fixed) => text.push_str(fixed),
            Piece::Part(part, least) => {
                let (part, level) = &texts[part];
                if level < least {
                    text.extend(["(", part, ")"]);
                } else {
                    text.push_str(part);
                }
            }
        }
    }
    text
}

/// What the names of parts begin with: nothing that, with a number, is the
/// name of a variable.
fn prefix(writer: &Writer<'_>) -> String {
    let mut prefix = String::from("t");
    let is_taken = |prefix: &str| {
        writer.names().any(|name| {
            let number = name.strip_prefix(prefix);
            number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        })
    };
    while is_taken(&prefix) {
        prefix.insert(0, '$');
    }
    prefix
}
