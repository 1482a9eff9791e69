//! How each term is written, given its parts: which parts, what between them,
//! and how tightly it all holds together.

use super::names::{function_name, names};
use super::value;
use super::vocabulary::{self, Sign, Vocabulary};
use crate::op::Op;
use crate::sort::{RoundingMode, Sort};
use crate::store::{Store, Term, Variable};
use crate::value::Value;
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};

/// How tightly a text holds together, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Choice,
    Implication,
    Or,
    And,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Concat,
    Sum,
    Division,
    Product,
    Prefix,
    Postfix,
    Atom,
}

pub(super) enum Piece {
    Text(String),
    /// A part, in parentheses if it holds together less tightly than this.
    Part(Term, Level),
}

pub(super) struct Written {
    pub level: Level,
    pub pieces: Vec<Piece>,
}

impl Written {
    fn atom(text: String) -> Written {
        Written {
            level: Level::Atom,
            pieces: vec![Piece::Text(text)],
        }
    }
}

/// Concatenates pieces: texts, and terms with the level they need.
macro_rules! pieces {
    ($level:expr; $($piece:expr),+ $(,)?) => {
        Written { level: $level, pieces: vec![$(Piece::from($piece)),+] }
    };
}

mod bits;

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece::Text(text.into())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(text)
    }
}

impl From<(Term, Level)> for Piece {
    fn from((term, least): (Term, Level)) -> Piece {
        Piece::Part(term, least)
    }
}

/// How a bit-vector constant is read where it stands.
#[derive(Clone, Copy)]
enum Reading {
    Unsigned,
    Signed,
}

pub(super) struct Writer<'a> {
    store: &'a Store,
    names: FxHashMap<Variable, String>,
    /// The words of the source, if it is known.
    words: Option<&'a dyn Vocabulary>,
    /// Conjunctions used in one place only, which can be told without
    /// repeating anything.
    single: FxHashSet<Term>,
}

impl<'a> Writer<'a> {
    pub fn new(store: &'a Store, roots: &[Term], words: Option<&'a dyn Vocabulary>) -> Writer<'a> {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for term in walk::post_order(store, roots) {
            for &arg in store.args(term) {
                *uses.entry(arg).or_default() += 1;
            }
        }
        for &root in roots {
            *uses.entry(root).or_default() += 1;
        }
        uses.retain(|&term, uses| store.op(term) == Op::And && *uses == 1);
        Writer {
            store,
            names: names(store, roots, words),
            words,
            single: uses.into_keys().collect(),
        }
    }

    /// What the variables are called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    /// The term, its parts left open.
    pub fn write(&self, term: Term) -> Written {
        let store = self.store;
        let args = store.args(term);
        if let Some((a, sign, by)) = self.constant_shift(term) {
            return pieces![Level::Shift; (a, Level::Concat), format!(" {sign} {by}")];
        }
        match (store.op(term), args) {
            (Op::Const, _) => {
                let constant = store.as_value(term).expect("it is a constant");
                let text = value::value(&constant);
                let level = match constant {
                    Value::Real(a) if !a.is_integer() => Level::Division,
                    Value::Int(_) | Value::Real(_) | Value::Fp(..) if text.starts_with('-') => {
                        Level::Prefix
                    }
                    _ => Level::Atom,
                };
                pieces![level; text]
            }
            (Op::Var, _) => {
                let variable = store.as_variable(term).expect("it is a variable");
                Written::atom(self.names[&variable].clone())
            }
            (Op::Apply, _) => {
                let function = store.as_function(term).expect("it is an application");
                call(store.signature(function).name.clone(), args)
            }
            (Op::Eq, &[a, b]) => {
                if let Some(written) = self.tested(a, b, true) {
                    return written;
                }
                let sign = match store.sort(a) {
                    Sort::Fp(_) if self.words.is_none() => "===",
                    _ => "==",
                };
                self.infix(Level::Comparison, sign, a, b, Reading::Unsigned)
            }
            (Op::Ite, &[condition, then, otherwise]) => pieces![Level::Choice;
                (condition, Level::Implication), " ? ", (then, Level::Implication),
                " : ", (otherwise, Level::Choice)],
            (Op::Not, &[a]) => self.negation(a),
            (Op::And, _) => joined(Level::And, " && ", &self.conjuncts(term)),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::Extract, &[a]) if self.is_bool(a) && store.indices(term)[0] == 0 => {
                pieces![Level::Atom; (a, Level::Atom)]
            }
            (Op::Extract, &[a]) => self.part(a, store.indices(term)[0] as u16, store.width(term)),
            (op @ (Op::Zext | Op::Sext), &[a]) => self.widened(op, term, a),
            (Op::Select, &[array, index]) => pieces![Level::Postfix;
                (array, Level::Postfix), "[", (index, Level::Choice), "]"],
            (Op::Store, &[array, index, element]) => pieces![Level::Postfix;
                (array, Level::Postfix), "[", (index, Level::Choice), " := ",
                (element, Level::Choice), "]"],
            (Op::ConstArray, &[element]) => pieces![Level::Atom;
                "{else ", (element, Level::Choice), "}"],
            (Op::BvAdd | Op::Add, &[a, b]) => self.sum(a, b),
            (op @ (Op::FpAdd | Op::FpMul | Op::FpDiv), &[rm, a, b]) if self.is_default(rm) => {
                match op {
                    Op::FpAdd => self.sum(a, b),
                    Op::FpMul => self.infix(Level::Product, "*", a, b, Reading::Unsigned),
                    _ => self.infix(Level::Division, "/", a, b, Reading::Unsigned),
                }
            }
            (op, &[a, b]) => match infix_operator(op) {
                Some((level, sign, reading)) => self.infix(level, sign, a, b, reading),
                None => self.named(term),
            },
            (Op::BvNeg | Op::Neg | Op::FpNeg, &[a]) => prefix("-", a),
            (Op::BvNot, &[a]) => prefix("~", a),
            _ => self.named(term),
        }
    }

    /// Two operands around an operator that groups to the left. A constant
    /// compared with something comes second.
    fn infix(&self, level: Level, sign: &str, a: Term, b: Term, reading: Reading) -> Written {
        let mirrored = match sign {
            "<u" => ">u",
            "<s" => ">s",
            "<=u" => ">=u",
            "<=s" => ">=s",
            "<" => ">",
            "<=" => ">=",
            _ => sign,
        };
        let (a, b, sign) = match self.store.is_const(a) && mirrored != sign {
            true => (b, a, mirrored),
            false => (a, b, sign),
        };
        let sign = match self.words {
            Some(words) => vocabulary::unmarked(sign, [a, b].map(|it| self.sign(words, it))),
            None => sign,
        };
        let tighter = match level {
            // C compares before it masks, Rust does not; parentheses are clear to both.
            Level::Comparison if self.words.is_some() => Level::Shift,
            Level::Comparison => Level::BitOr,
            Level::BitOr => Level::BitXor,
            Level::BitXor => Level::BitAnd,
            Level::BitAnd => Level::Shift,
            Level::Shift => Level::Concat,
            Level::Concat => Level::Sum,
            Level::Sum => Level::Division,
            _ => Level::Prefix,
        };
        let left = match level {
            Level::Comparison | Level::Shift | Level::Division => tighter,
            _ => level,
        };
        if let Some(written) = self.cast_operands(level, sign, [a, b], tighter) {
            return written;
        }
        let compared = |operand, with| match level {
            Level::Comparison => self.compared(operand, with),
            _ => None,
        };
        Written {
            level,
            pieces: vec![
                compared(a, b).unwrap_or_else(|| self.operand(a, left, reading)),
                Piece::Text(format!(" {sign} ")),
                compared(b, a).unwrap_or_else(|| self.operand(b, tighter, reading)),
            ],
        }
    }

    /// An operator of numbers with a sign, or without, whose operands have other types: with
    /// casts where C has a type of that width.
    fn cast_operands(
        &self,
        level: Level,
        sign: &str,
        [a, b]: [Term; 2],
        least: Level,
    ) -> Option<Written> {
        let words = self.words?;
        let (plain, mark) = sign.split_at(sign.len() - 1);
        let is_signed = match mark {
            "s" => true,
            "u" => false,
            _ => return None,
        };
        let cast = vocabulary::c_type(self.store.width(a), is_signed)?;
        let operand = |term| match (self.store.as_value(term), self.sign(words, term)) {
            (Some(Value::Bv(bits)), _) if is_signed => vec![bits.to_int().to_string().into()],
            (Some(Value::Bv(bits)), _) => vec![value::decimal(&bits).into()],
            (_, Sign::Unsigned) if is_signed => {
                vec![cast.into(), Piece::Part(term, Level::Prefix)]
            }
            (_, Sign::Signed | Sign::Unknown) if !is_signed => {
                vec![cast.into(), Piece::Part(term, Level::Prefix)]
            }
            _ => vec![Piece::Part(term, least)],
        };
        let mut pieces = operand(a);
        pieces.push(Piece::Text(format!(" {plain} ")));
        match level {
            // By how much is shifted has a type of its own.
            Level::Shift => pieces.push(Piece::Part(b, least)),
            _ => pieces.extend(operand(b)),
        }
        Some(Written { level, pieces })
    }

    fn sign(&self, words: &dyn Vocabulary, term: Term) -> Sign {
        vocabulary::sign(self.store, words, term)
    }

    /// A constant in the words of what it is compared with.
    fn compared(&self, constant: Term, with: Term) -> Option<Piece> {
        let words = self.words?;
        let Some(Value::Bv(bits)) = self.store.as_value(constant) else {
            return None;
        };
        let word = vocabulary::constant(self.store, words, with, &bits);
        let word = word.unwrap_or_else(|| match self.sign(words, with) {
            Sign::Unsigned | Sign::Either => value::decimal(&bits),
            Sign::Signed | Sign::Unknown => bits.to_int().to_string(),
        });
        Some(word.into())
    }

    fn is_bool(&self, term: Term) -> bool {
        let variable = self.store.as_variable(term);
        variable.is_some_and(|variable| self.words.is_some_and(|words| words.is_bool(variable)))
    }

    /// An equality that asks for one bit: a truth value, or a bit of a number as
    /// `(flags & 4) != 0`. It holds or, unless `expected`, does not.
    fn tested(&self, a: Term, b: Term, expected: bool) -> Option<Written> {
        let (tested, constant) = match self.store.is_const(b) {
            true => (a, b),
            false => (b, a),
        };
        let is_set = match self.store.as_word(constant)? {
            word @ 0..=1 => (word == 1) == expected,
            _ => return None,
        };
        let inner = match self.store.op(tested) {
            Op::Extract => self.store.args(tested)[0],
            _ => tested,
        };
        match self.is_bool(inner) {
            true => Some(truth_value(inner, is_set)),
            false => self.tested_bit(tested, is_set),
        }
    }

    fn operand(&self, term: Term, least: Level, reading: Reading) -> Piece {
        if let (Reading::Signed, Some(Value::Bv(bits))) = (reading, self.store.as_value(term)) {
            let (is_negative, magnitude) = value::signed(&bits);
            let sign = if is_negative { "-" } else { "" };
            return format!("{sign}{magnitude}").into();
        }
        Piece::Part(term, least)
    }

    /// `a + b`, or `a - b` when either is negative.
    fn sum(&self, a: Term, b: Term) -> Written {
        let store = self.store;
        let negated = |term| match (store.op(term), store.args(term)) {
            (Op::BvNeg | Op::Neg | Op::FpNeg, &[inner]) => Some(inner),
            _ => None,
        };
        if let Some(magnitude) = self.negative_constant(b) {
            return pieces![Level::Sum; (a, Level::Sum), " - ", magnitude];
        }
        match (negated(a), negated(b)) {
            (_, Some(b)) => pieces![Level::Sum; (a, Level::Sum), " - ", (b, Level::Division)],
            (Some(a), None) => pieces![Level::Sum; (b, Level::Sum), " - ", (a, Level::Division)],
            _ => self.infix(Level::Sum, "+", a, b, Reading::Unsigned),
        }
    }

    /// The magnitude of a constant that a reader takes for a negative one.
    fn negative_constant(&self, term: Term) -> Option<String> {
        match self.store.as_value(term)? {
            Value::Bv(bits) => {
                let (is_negative, magnitude) = value::signed(&bits);
                let is_small = bits.width() > 1 && !magnitude.starts_with("0x");
                (is_negative && is_small).then_some(magnitude)
            }
            constant @ (Value::Int(_) | Value::Real(_)) => {
                value::value(&constant).strip_prefix('-').map(str::to_owned)
            }
            _ => None,
        }
    }

    /// The terms that a conjunction joins.
    fn conjuncts(&self, term: Term) -> Vec<Term> {
        let mut conjuncts = Vec::new();
        let mut stack: Vec<Term> = self.store.args(term).iter().rev().copied().collect();
        while let Some(part) = stack.pop() {
            match self.single.contains(&part) {
                true => stack.extend(self.store.args(part).iter().rev()),
                false => conjuncts.push(part),
            }
        }
        conjuncts
    }

    fn negation(&self, a: Term) -> Written {
        let store = self.store;
        let reading = |op| match op {
            Op::Slt => Reading::Signed,
            _ => Reading::Unsigned,
        };
        match (store.op(a), store.args(a)) {
            (Op::Eq, &[x, y]) => {
                if let Some(written) = self.tested(x, y, false) {
                    return written;
                }
                let sign = match store.sort(x) {
                    Sort::Fp(_) if self.words.is_none() => "!==",
                    _ => "!=",
                };
                self.infix(Level::Comparison, sign, x, y, Reading::Unsigned)
            }
            (op @ (Op::Ult | Op::Slt | Op::Lt | Op::Le), &[x, y]) => {
                let sign = match op {
                    Op::Ult => "<=u",
                    Op::Slt => "<=s",
                    Op::Lt => "<=",
                    _ => "<",
                };
                self.infix(Level::Comparison, sign, y, x, reading(op))
            }
            (Op::And, _) => self.negated_conjunction(a),
            _ => prefix("!", a),
        }
    }

    /// `!(a && b)`, `a || b` or `a => b`, by how many of them are negated.
    fn negated_conjunction(&self, a: Term) -> Written {
        let store = self.store;
        let conjuncts = match self.single.contains(&a) {
            true => self.conjuncts(a),
            false => store.args(a).to_vec(),
        };
        let (negated, premises): (Vec<Term>, Vec<Term>) = conjuncts
            .into_iter()
            .partition(|&conjunct| store.op(conjunct) == Op::Not);
        let conclusions: Vec<Term> = negated.iter().map(|&term| store.args(term)[0]).collect();
        if conclusions.is_empty() {
            return match self.single.contains(&a) {
                true => {
                    let mut whole = joined(Level::And, " && ", &premises);
                    whole.pieces.insert(0, "!(".into());
                    whole.pieces.push(")".into());
                    whole.level = Level::Prefix;
                    whole
                }
                false => prefix("!", a),
            };
        }
        let either = joined(Level::Or, " || ", &conclusions);
        if premises.is_empty() {
            return either;
        }
        let mut whole = joined(Level::And, " && ", &premises);
        whole.pieces.push(" => ".into());
        whole.pieces.extend(either.pieces);
        whole.level = Level::Implication;
        whole
    }

    fn is_default(&self, rm: Term) -> bool {
        self.store.as_word(rm) == Some(RoundingMode::NearestEven as u64)
    }

    /// `name(arguments)`; a rounding mode is left out when it is the usual one.
    fn named(&self, term: Term) -> Written {
        let store = self.store;
        let name = function_name(store, term);
        let args = store.args(term);
        match args.split_first() {
            None => Written::atom(name),
            Some((&rm, rest)) if store.sort(rm) == Sort::RoundingMode && self.is_default(rm) => {
                call(name, rest)
            }
            Some(_) => call(name, args),
        }
    }
}

fn truth_value(truth: Term, is_true: bool) -> Written {
    match is_true {
        true => pieces![Level::Atom; (truth, Level::Atom)],
        false => prefix("!", truth),
    }
}

fn prefix(sign: &'static str, a: Term) -> Written {
    pieces![Level::Prefix; sign, (a, Level::Prefix)]
}

fn call(name: String, args: &[Term]) -> Written {
    let mut pieces = vec![Piece::Text(name + "(")];
    for (at, &arg) in args.iter().enumerate() {
        if at > 0 {
            pieces.push(", ".into());
        }
        pieces.push(Piece::Part(arg, Level::Choice));
    }
    pieces.push(")".into());
    Written {
        level: Level::Postfix,
        pieces,
    }
}

fn joined(level: Level, sign: &'static str, terms: &[Term]) -> Written {
    let least = match level {
        Level::Or => Level::And,
        _ => Level::Comparison,
    };
    let mut pieces = Vec::new();
    for (at, &term) in terms.iter().enumerate() {
        if at > 0 {
            pieces.push(sign.into());
        }
        pieces.push(Piece::Part(term, least));
    }
    let level = if terms.len() == 1 { least } else { level };
    Written { level, pieces }
}

fn infix_operator(op: Op) -> Option<(Level, &'static str, Reading)> {
    use Reading::{Signed, Unsigned};
    Some(match op {
        Op::Ult => (Level::Comparison, "<u", Unsigned),
        Op::Slt => (Level::Comparison, "<s", Signed),
        Op::Lt | Op::FpLt => (Level::Comparison, "<", Unsigned),
        Op::Le | Op::FpLe => (Level::Comparison, "<=", Unsigned),
        Op::FpEq => (Level::Comparison, "==", Unsigned),
        Op::StrLt => (Level::Comparison, "<", Unsigned),
        Op::StrLe => (Level::Comparison, "<=", Unsigned),
        Op::StrInRe => (Level::Comparison, "in", Unsigned),
        Op::BvOr => (Level::BitOr, "|", Unsigned),
        Op::BvXor => (Level::BitXor, "^", Unsigned),
        Op::BvAnd => (Level::BitAnd, "&", Unsigned),
        Op::BvShl => (Level::Shift, "<<", Unsigned),
        Op::BvLshr => (Level::Shift, ">>u", Unsigned),
        Op::BvAshr => (Level::Shift, ">>s", Unsigned),
        Op::StrConcat => (Level::Concat, "++", Unsigned),
        Op::BvMul | Op::Mul => (Level::Product, "*", Unsigned),
        Op::BvUdiv => (Level::Division, "/u", Unsigned),
        Op::BvUrem => (Level::Division, "%u", Unsigned),
        Op::BvSdiv => (Level::Division, "/s", Signed),
        Op::BvSrem => (Level::Division, "%s", Signed),
        Op::IntDiv => (Level::Division, "div", Unsigned),
        Op::IntMod => (Level::Division, "mod", Unsigned),
        Op::RealDiv => (Level::Division, "/", Unsigned),
        _ => return None,
    })
}
