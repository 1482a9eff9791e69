//! How large the values of terms can get.
//!
//! `x := x * x` doubles the digits of a number with every step: after forty steps it
//! would fill the memory. A step whose values may get too large is "unknown".

use term::{Op, Sort, Store, Term, Value};

/// Bits, or characters, that a value may have.
const MOST: u64 = 1 << 16;

/// By term: a bound on the bits of its value, inputs counted as 64.
#[derive(Default)]
pub(crate) struct Growth {
    known: Vec<u64>,
}

impl Growth {
    /// Whether one of the terms may be too large to compute.
    pub fn is_too_large(&mut self, store: &Store, terms: &[Term]) -> bool {
        terms.iter().any(|&term| self.of(store, term) > MOST)
    }

    fn of(&mut self, store: &Store, term: Term) -> u64 {
        // Arguments have smaller numbers than what they are arguments of.
        while self.known.len() <= term.number() {
            let next = store.term_at(self.known.len());
            let sizes = store.args(next).iter().map(|arg| self.known[arg.number()]);
            let size = match (store.op(next), store.sort(next)) {
                (Op::Mul | Op::StrConcat | Op::RealDiv, _) => sizes.fold(0, u64::saturating_add),
                (Op::Add, _) => sizes.max().unwrap_or(0) + 1,
                // A rest is smaller than a divisor that is not zero.
                (Op::IntMod, _) => modulo(store, next, sizes.max().unwrap_or(0)),
                (Op::Const, Sort::Int | Sort::Real | Sort::String) => constant(store, next),
                (Op::StrReplaceAll, _) => sizes.fold(1, u64::saturating_mul),
                (Op::Const | Op::Var | Op::Apply, _) => 64,
                _ => sizes.max().unwrap_or(64),
            };
            self.known.push(size);
        }
        self.known[term.number()]
    }
}

fn modulo(store: &Store, term: Term, operands: u64) -> u64 {
    match store.as_value(store.args(term)[1]) {
        Some(Value::Int(divisor)) if divisor.bits() > 0 => divisor.bits(),
        _ => operands,
    }
}

fn constant(store: &Store, term: Term) -> u64 {
    match store.as_value(term) {
        Some(Value::Int(number)) => number.bits(),
        Some(Value::Real(number)) => number.numer().bits() + number.denom().bits(),
        Some(Value::Str(text)) => text.len() as u64,
        _ => 64,
    }
}
