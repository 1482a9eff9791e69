//! Strings of unknown length as terms.

use super::{Query, Text};
use crate::encode::{self, Lengths};
use std::collections::BTreeMap;
use term::{Sort, Store, Term};

/// A string: its bytes as far as it may reach, and the lengths it may have.
#[derive(Clone)]
pub(super) struct Encoded {
    pub bytes: Vec<Term>,
    /// Ascending.
    pub lengths: Lengths,
    /// For each of the lengths, the condition that the string is as long or longer.
    longer: Vec<Term>,
}

impl Encoded {
    pub fn new(store: &mut Store, bytes: Vec<Term>, lengths: Lengths) -> Encoded {
        let mut any = store.bool(false);
        let mut longer: Vec<Term> = Vec::with_capacity(lengths.len());
        for &(_, condition) in lengths.iter().rev() {
            any = store.or(any, condition);
            longer.push(any);
        }
        longer.reverse();
        Encoded {
            bytes,
            lengths,
            longer,
        }
    }

    fn constant(store: &mut Store, text: &[u8]) -> Encoded {
        let bytes = text.iter().map(|&byte| store.bv(8, byte.into())).collect();
        let lengths = vec![(text.len(), store.bool(true))];
        Encoded::new(store, bytes, lengths)
    }

    /// The condition that the string has at least so many bytes.
    pub fn at_least(&self, store: &Store, length: usize) -> Term {
        let first = self.lengths.partition_point(|&(own, _)| own < length);
        match (first, self.longer.get(first)) {
            // Some length it has.
            (0, Some(_)) => store.bool(true),
            (_, Some(&longer)) => longer,
            (_, None) => store.bool(false),
        }
    }

    /// The condition that the string has exactly so many bytes.
    pub fn exactly(&self, store: &Store, length: usize) -> Term {
        let found = self.lengths.binary_search_by_key(&length, |&(own, _)| own);
        found.map_or_else(|_| store.bool(false), |at| self.lengths[at].1)
    }

    /// This string, then the other; nothing when it would take too many terms.
    fn then(self, store: &mut Store, other: &Encoded) -> Option<Encoded> {
        if let [(length, _)] = self.lengths[..] {
            let mut bytes = self.bytes;
            bytes.truncate(length);
            bytes.extend_from_slice(&other.bytes);
            let lengths = other.lengths.iter();
            let lengths = lengths.map(|&(more, condition)| (length + more, condition));
            let lengths = lengths.collect();
            return Some(Encoded::new(store, bytes, lengths));
        }
        if self.lengths.len() * (other.bytes.len() + self.bytes.len()) > MOST_CHOICES {
            return None;
        }
        let mut sums: BTreeMap<usize, Term> = BTreeMap::new();
        for &(length, condition) in &self.lengths {
            for &(more, other_condition) in &other.lengths {
                let both = store.and(condition, other_condition);
                let any = sums.entry(length + more).or_insert(store.bool(false));
                *any = store.or(*any, both);
            }
        }
        let lengths: Lengths = sums.into_iter().collect();
        let most = lengths.last().map_or(0, |&(length, _)| length);
        let zero = store.bv(8, 0);
        let bytes = (0..most).map(|at| {
            let mut byte = zero;
            for &(length, condition) in &self.lengths {
                let here = match at.checked_sub(length) {
                    None => self.bytes[at],
                    Some(at) => other.bytes.get(at).copied().unwrap_or(zero),
                };
                byte = store.ite(condition, here, byte);
            }
            byte
        });
        let bytes = bytes.collect();
        Some(Encoded::new(store, bytes, lengths))
    }
}

/// Choices between bytes that one concatenation may take.
const MOST_CHOICES: usize = 2_000_000;

/// All strings of a query, and what their shape alone demands.
pub(super) struct Strings {
    pub all: Vec<Encoded>,
    /// The variables among them, in the order of the query.
    pub variables: Vec<Encoded>,
    /// What holds of lengths and bytes before anything is asserted.
    pub demands: Vec<Term>,
}

impl Strings {
    /// Encodes the strings; an error is the number of one that takes too many
    /// terms.
    pub fn new(store: &mut Store, query: &Query) -> Result<Strings, usize> {
        let mut demands = Vec::new();
        let variables: Vec<Encoded> = query
            .variables
            .iter()
            .enumerate()
            .map(|(number, variable)| {
                let range = variable.least..=variable.most;
                encode_variable(store, number, range, &mut demands)
            })
            .collect();
        let mut all: Vec<Encoded> = Vec::with_capacity(query.strings.len());
        for (number, text) in query.strings.iter().enumerate() {
            let encoded = match text {
                Text::Variable(variable) => variables[*variable].clone(),
                Text::Constant(text) => Encoded::constant(store, text),
                Text::Concat(members) => {
                    let mut whole = Encoded::constant(store, b"");
                    for &member in members {
                        whole = whole.then(store, &all[member]).ok_or(number)?;
                    }
                    whole
                }
                Text::Slice { of, offset, length } => {
                    let of = &all[*of];
                    demands.push(of.at_least(store, offset + length));
                    let bytes = of.bytes[*offset..offset + length].to_vec();
                    let lengths = vec![(*length, store.bool(true))];
                    Encoded::new(store, bytes, lengths)
                }
            };
            all.push(encoded);
        }
        Ok(Strings {
            all,
            variables,
            demands,
        })
    }
}

/// Bytes beyond the variable's length are zero, so that a value has one
/// assignment.
fn encode_variable(
    store: &mut Store,
    number: usize,
    range: std::ops::RangeInclusive<usize>,
    demands: &mut Vec<Term>,
) -> Encoded {
    let (least, most) = (*range.start(), *range.end());
    let bytes: Vec<Term> = (0..most)
        .map(|at| store.var(&format!("{number}[{at}]"), Sort::Bv(8)))
        .collect();
    if least == most {
        let lengths = vec![(least, store.bool(true))];
        return Encoded::new(store, bytes, lengths);
    }
    let length = store.var(&format!("{number}.length"), Sort::Bv(16));
    let (low, high) = (store.bv(16, least as u64), store.bv(16, most as u64));
    demands.push(store.bv_ule(low, length));
    demands.push(store.bv_ule(length, high));
    let lengths = encode::lengths(store, length, range);
    let zero = store.bv(8, 0);
    for (at, &byte) in bytes.iter().enumerate().skip(least) {
        let position = store.bv(16, at as u64);
        let inside = store.bv_ult(position, length);
        let blank = store.eq(byte, zero);
        demands.push(store.or(inside, blank));
    }
    Encoded::new(store, bytes, lengths)
}
