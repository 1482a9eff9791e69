//! "These bytes are a word of the language" as a term.
//!
//! Two encodings say the same. [`core`] is HAMPI's: the words of one length are a
//! bounded regular expression, whose shared parts are kept once, and the
//! expression becomes a formula over the bytes it is laid on. [`chart`] is a CYK
//! table as a circuit, restricted to the spans that can be derived and are needed,
//! and for regular languages an automaton unrolled over the positions
//! ([`automaton`]). Both are functions of the bytes, so they can be negated.
//! [`viable`] says of bytes that are not all of a word that one begins with them.

pub mod automaton;
pub mod chart;
pub mod core;
pub mod viable;

use crate::letters::{BYTES, Letter, LetterSet};
use base::Stopped;
use std::ops::RangeInclusive;
use term::{Store, Term};

/// Which encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Bounded regular expressions.
    Core,
    /// Charts and automata.
    Chart,
    /// The first for small languages and lengths, the second otherwise.
    #[default]
    Auto,
}

/// The lengths that a string may have, each with the condition that it has it.
/// Conditions exclude each other.
pub type Lengths = Vec<(usize, Term)>;

/// The lengths in this range, where `length` is the bit-vector that has it.
pub fn lengths(store: &mut Store, length: Term, range: RangeInclusive<usize>) -> Lengths {
    let width = store.width(length);
    let equal = range.map(|value| {
        let term = store.bv(width, value as u64);
        (value, store.eq(length, term))
    });
    equal.collect()
}

/// Says of strings whether they are words of one language. Long strings and large
/// grammars take millions of terms; an encoding that was given a stop token gives
/// up when it is set.
pub trait Membership {
    /// The condition that the first `length` bytes are a word.
    ///
    /// # Errors
    ///
    /// When the encoding's stop token is set.
    fn prefix(&mut self, store: &mut Store, length: usize) -> Result<Term, Stopped>;

    /// The condition that the bytes up to the string's length are a word.
    ///
    /// # Errors
    ///
    /// When the encoding's stop token is set.
    fn word(&mut self, store: &mut Store, lengths: &Lengths) -> Result<Term, Stopped> {
        let mut any = store.bool(false);
        for &(length, condition) in lengths {
            if store.as_bool(condition) == Some(false) {
                continue;
            }
            let word = self.prefix(store, length)?;
            let both = store.and(condition, word);
            any = store.or(any, both);
        }
        Ok(any)
    }
}

/// The disjunction as a balanced tree: what one of many implies is found in few
/// steps.
pub(crate) fn any_of(store: &mut Store, mut terms: Vec<Term>) -> Term {
    while terms.len() > 1 {
        let pairs = terms.chunks(2).map(|pair| match *pair {
            [a, b] => store.or(a, b),
            _ => pair[0],
        });
        terms = pairs.collect();
    }
    terms.pop().unwrap_or_else(|| store.bool(false))
}

/// The condition that the byte is in the set.
pub fn byte_in(store: &mut Store, byte: Term, set: &LetterSet) -> Term {
    if let Some(value) = store.as_word(byte) {
        let inside = set.contains(value as Letter);
        return store.bool(inside);
    }
    let inside = set.ranges();
    let outside = LetterSet::all(BYTES).without(set).ranges();
    match inside.len() <= outside.len() {
        true => byte_in_ranges(store, byte, &inside),
        false => {
            let excluded = byte_in_ranges(store, byte, &outside);
            store.not(excluded)
        }
    }
}

fn byte_in_ranges(store: &mut Store, byte: Term, ranges: &[(Letter, Letter)]) -> Term {
    let mut any = store.bool(false);
    for &(low, high) in ranges {
        let (low_term, high_term) = (store.bv(8, low.into()), store.bv(8, high.into()));
        let inside = if low == high {
            store.eq(byte, low_term)
        } else {
            let above = store.bv_ule(low_term, byte);
            let below = store.bv_ule(byte, high_term);
            store.and(above, below)
        };
        any = store.or(any, inside);
    }
    any
}

/// The values a byte may have, by what is known of it without solving.
pub(crate) fn possible(store: &Store, byte: Term) -> LetterSet {
    match store.as_word(byte) {
        Some(value) => LetterSet::of(BYTES, [value as Letter]),
        None => LetterSet::all(BYTES),
    }
}
