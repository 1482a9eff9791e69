//! Terms as SMT-LIB 2.6, to be read by any solver and by [`crate::smtlib`].
//!
//! What is printed means exactly what the term means. Where SMT-LIB leaves a
//! result open (division by zero, conversions out of range …) and our
//! operators do not, the difference is printed too. A part used more than once
//! is bound to a name, and nothing recurses, so neither sharing nor depth is a
//! limit.
//!
//! ```
//! use term::{Sort, Store, print::smtlib};
//!
//! let mut store = Store::new();
//! let x = store.var("x", Sort::Bv(8));
//! let y = store.var("y", Sort::Bv(8));
//! let product = store.bv_mul(x, y);
//! let less = store.bv_ult(product, x);
//! assert_eq!(
//!     smtlib::script(&store, &[less]),
//!     "(set-logic QF_BV)
//! (declare-const x (_ BitVec 8))
//! (declare-const y (_ BitVec 8))
//! (assert (bvult (bvmul x y) x))
//! (check-sat)
//! "
//! );
//! ```

mod logic;
mod spelling;
mod symbol;
mod value;

pub use symbol::symbol;
pub use value::value;

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Store, Term};
use crate::{fp, walk};
use rustc_hash::FxHashMap;
use spelling::{Piece, spell};
use std::collections::hash_map::Entry;
use std::fmt::Write;
use symbol::Names;

/// A whole script that asks whether `constraints` can hold together.
///
/// A variable or function whose name is taken, by another of the same name or
/// by SMT-LIB itself, gets a number after its name.
pub fn script(store: &Store, constraints: &[Term]) -> String {
    let order = walk::post_order(store, constraints);
    let names = Names::of(store, &order);
    let mut text = format!("(set-logic {})\n", logic::of(store, &order));
    for (name, sort) in names.variables(store) {
        writeln!(text, "(declare-const {name} {sort})").expect("strings take all text");
    }
    for (name, signature) in names.functions(store) {
        let parameters: Vec<String> = signature.parameters.iter().map(Sort::to_string).collect();
        let (parameters, result) = (parameters.join(" "), signature.result);
        writeln!(text, "(declare-fun {name} ({parameters}) {result})")
            .expect("strings take all text");
    }
    let patterns = Patterns::of(store, &names, order);
    for (&term, name) in patterns.terms.iter().zip(&patterns.names) {
        let sort = store.sort(term);
        writeln!(text, "(declare-const {name} {sort})").expect("strings take all text");
    }
    let mut bodies = patterns.definitions(store);
    bodies.extend(constraints.iter().map(|&term| vec![Piece::Term(term)]));
    let patterns = patterns.into_map();
    let mut printer = Printer::new(store, &names, Some(&patterns), &bodies);
    printer.text = text;
    printer.define_shared();
    for (number, body) in bodies.into_iter().enumerate() {
        printer.text.push_str("(assert ");
        printer.bound(number, body);
        printer.text.push_str(")\n");
    }
    printer.text.push_str("(check-sat)\n");
    printer.text
}

/// One term, for a script that declares its variables and functions under
/// their own names. The bits of a float are printed with Z3's `fp.to_ieee_bv`.
pub fn term(store: &Store, term: Term) -> String {
    let names = Names::of(store, &walk::post_order(store, &[term]));
    let body = vec![Piece::Term(term)];
    let mut printer = Printer::new(store, &names, None, std::slice::from_ref(&body));
    printer.bound(0, body);
    printer.text
}

/// The constants that stand for the bits of floats: SMT-LIB has no operator
/// for them, but can say of which float a constant is the bits.
struct Patterns {
    terms: Vec<Term>,
    names: Vec<String>,
}

impl Patterns {
    /// Those for the terms among these that need one.
    fn of(store: &Store, names: &Names, mut terms: Vec<Term>) -> Patterns {
        terms.retain(|&term| store.op(term) == Op::FpToBits);
        let prefix = names.prefix();
        let names = (1..=terms.len()).map(|n| format!("{prefix}b{n}"));
        Patterns {
            names: names.collect(),
            terms,
        }
    }

    /// What has to be asserted of them.
    fn definitions(&self, store: &Store) -> Vec<Vec<Piece>> {
        let define = |(&term, name): (&Term, &String)| {
            let float = store.args(term)[0];
            let format = store.format(float);
            let (eb, sb) = (format.eb, format.sb);
            let nan = value::bits(format.width(), fp::nan(format));
            vec![
                Piece::Text(format!("(and (= ((_ to_fp {eb} {sb}) {name}) ")),
                Piece::Term(float),
                Piece::Fixed(") (=> (fp.isNaN "),
                Piece::Term(float),
                Piece::Text(format!(") (= {name} {nan})))")),
            ]
        };
        self.terms.iter().zip(&self.names).map(define).collect()
    }

    fn into_map(self) -> FxHashMap<Term, String> {
        self.terms.into_iter().zip(self.names).collect()
    }
}

/// Where a term is used: in one of the bodies, or in several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Body(usize),
    Several,
}

struct Use {
    home: Home,
    times: u32,
    /// How many names have to be bound one inside the other for this term.
    level: u32,
}

/// Prints bodies that may share terms.
struct Printer<'a> {
    store: &'a Store,
    names: &'a Names,
    patterns: Option<&'a FxHashMap<Term, String>>,
    uses: FxHashMap<Term, Use>,
    /// The terms first met in each body, arguments before their users.
    order: Vec<Vec<Term>>,
    bound: FxHashMap<Term, u32>,
    /// Pieces still to be written, the next one last; kept for its space.
    stack: Vec<Piece>,
    text: String,
}

impl<'a> Printer<'a> {
    fn new(
        store: &'a Store,
        names: &'a Names,
        patterns: Option<&'a FxHashMap<Term, String>>,
        bodies: &[Vec<Piece>],
    ) -> Printer<'a> {
        let mut printer = Printer {
            store,
            names,
            patterns,
            uses: FxHashMap::default(),
            order: Vec::new(),
            bound: FxHashMap::default(),
            stack: Vec::new(),
            text: String::new(),
        };
        for (number, body) in bodies.iter().enumerate() {
            printer.count(number, body);
        }
        printer
    }

    /// Appends the pieces of a term.
    fn spell(&self, term: Term, out: &mut Vec<Piece>) {
        spell(self.store, self.names, self.patterns, term, out);
    }

    /// Calls `visit` with every part of a term, as often as it is written.
    fn parts(&self, term: Term, scratch: &mut Vec<Piece>, mut visit: impl FnMut(Term)) {
        scratch.clear();
        self.spell(term, scratch);
        for piece in scratch.iter() {
            if let Piece::Term(part) = piece {
                visit(*part);
            }
        }
    }

    /// Counts the uses of every term below `body` and notes where they are.
    fn count(&mut self, number: usize, body: &[Piece]) {
        enum Visit {
            Enter(Term),
            Leave(Term),
        }
        let (mut stack, mut order, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
        stack.extend(body.iter().rev().filter_map(|piece| match piece {
            Piece::Term(term) => Some(Visit::Enter(*term)),
            Piece::Fixed(_) | Piece::Text(_) => None,
        }));
        while let Some(visit) = stack.pop() {
            let term = match visit {
                Visit::Leave(term) => {
                    order.push(term);
                    continue;
                }
                Visit::Enter(term) => term,
            };
            match self.uses.entry(term) {
                Entry::Vacant(entry) => {
                    entry.insert(Use {
                        home: Home::Body(number),
                        times: 1,
                        level: 0,
                    });
                    stack.push(Visit::Leave(term));
                    let below = stack.len();
                    self.parts(term, &mut scratch, |part| stack.push(Visit::Enter(part)));
                    stack[below..].reverse();
                }
                Entry::Occupied(mut entry) => {
                    entry.get_mut().times += 1;
                    if entry.get().home == Home::Body(number) {
                        continue;
                    }
                    self.spread(term);
                }
            }
        }
        self.order.push(order);
    }

    /// Notes that a term, and so everything inside it, is in several bodies.
    fn spread(&mut self, term: Term) {
        let (mut stack, mut scratch) = (vec![term], Vec::new());
        while let Some(term) = stack.pop() {
            let entry = self.uses.get_mut(&term).expect("the term was counted");
            if entry.home != Home::Several {
                entry.home = Home::Several;
                self.parts(term, &mut scratch, |part| stack.push(part));
            }
        }
    }

    /// Whether the term is bound to a name where it is used.
    fn gets_a_name(&self, term: Term) -> bool {
        let is_long = match self.store.op(term) {
            Op::Const => matches!(self.store.sort(term), Sort::Array { .. } | Sort::RegLan),
            Op::FpToBits => self.patterns.is_none(),
            _ => !self.store.args(term).is_empty(),
        };
        is_long && self.uses[&term].times > 1
    }

    /// Defines the terms that several bodies use.
    fn define_shared(&mut self) {
        for term in self.order.concat() {
            if self.uses[&term].home == Home::Several && self.gets_a_name(term) {
                let number = self.bound.len() as u32 + 1;
                let (prefix, sort) = (self.names.prefix(), self.store.sort(term));
                write!(self.text, "(define-fun {prefix}{number} () {sort} ")
                    .expect("strings take all text");
                self.write(|printer, out| printer.spell(term, out));
                self.text.push_str(")\n");
                self.bound.insert(term, number);
            }
        }
    }

    /// Prints a body with the terms that it alone uses, more than once, bound.
    fn bound(&mut self, number: usize, body: Vec<Piece>) {
        let levels = self.levels(number);
        for level in &levels {
            self.text.push_str("(let (");
            for (at, &term) in level.iter().enumerate() {
                let number = self.bound.len() as u32 + 1;
                let space = if at == 0 { "" } else { " " };
                write!(self.text, "{space}({}{number} ", self.names.prefix())
                    .expect("strings take all text");
                // The name is not in scope beside its own binding, and is not
                // asked for there: terms of one level do not use each other.
                self.write(|printer, out| printer.spell(term, out));
                self.text.push(')');
                self.bound.insert(term, number);
            }
            self.text.push_str(") ");
        }
        self.write(|_, out| out.extend(body));
        self.text.extend(levels.iter().map(|_| ')'));
    }

    /// The terms to bind in this body; each uses only those of earlier levels.
    fn levels(&mut self, number: usize) -> Vec<Vec<Term>> {
        let is_local = |uses: &FxHashMap<Term, Use>, term| uses[&term].home == Home::Body(number);
        let (mut levels, mut scratch): (Vec<Vec<Term>>, _) = (Vec::new(), Vec::new());
        for term in std::mem::take(&mut self.order[number]) {
            if !is_local(&self.uses, term) {
                continue;
            }
            let mut level = 0;
            self.parts(term, &mut scratch, |part| {
                if is_local(&self.uses, part) {
                    let below = u32::from(self.gets_a_name(part));
                    level = level.max(self.uses[&part].level + below);
                }
            });
            self.uses.get_mut(&term).expect("it was counted").level = level;
            if self.gets_a_name(term) {
                let level = level as usize;
                if levels.len() <= level {
                    levels.resize(level + 1, Vec::new());
                }
                levels[level].push(term);
            }
        }
        levels
    }

    /// Writes the pieces that `begin` appends, and those of the terms among them.
    fn write(&mut self, begin: impl FnOnce(&Self, &mut Vec<Piece>)) {
        let mut stack = std::mem::take(&mut self.stack);
        begin(self, &mut stack);
        stack.reverse();
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Fixed(text) => self.text.push_str(text),
                Piece::Text(text) => self.text.push_str(&text),
                Piece::Term(term) => match self.bound.get(&term) {
                    Some(number) => {
                        write!(self.text, "{}{number}", self.names.prefix())
                            .expect("strings take all text");
                    }
                    None => {
                        let below = stack.len();
                        self.spell(term, &mut stack);
                        stack[below..].reverse();
                    }
                },
            }
        }
        self.stack = stack;
    }
}
