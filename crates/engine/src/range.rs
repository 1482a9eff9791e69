//! Ranges: a path prefix that stands for the subtree below it.
//!
//! A range is what a waiting state was made of: the decisions that led to it
//! ([`machine::Decisions`]) and an input that takes them. Going the program again by those
//! decisions brings the state back, without a query and on any machine. Ranges are
//! therefore how work is given away, kept on disk, and kept out of memory:
//!
//! ```text
//!              whole program                 the first range: no decision
//!               /        \
//!          x > 0          x <= 0             a fork gives two ranges,
//!          /   \             \               which share nothing
//!       y = 1  y != 1         …              and leave nothing out
//! ```
//!
//! The subtrees of all open ranges and the finished paths are the whole tree at any time.

use machine::{Record, State};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;
use suite::{Input, TestCase};
use term::{Assignment, BitVec, Sort, Store, Value};

/// A path prefix: decisions, and an input that takes them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Range {
    /// The bits of the decisions.
    bits: Vec<u64>,
    /// How many there are.
    length: u64,
    /// Where they were made, as one number; another program has another.
    check: u64,
    /// Bytes of inputs by the names of their variables without the index, each with the
    /// index of its first byte.
    bytes: Vec<(String, u32, Vec<u8>)>,
    /// Other variables: name, width in bits, value.
    numbers: Vec<(String, u16, u64)>,
    /// Symbolic branches on the way, for whoever gives the shallowest away.
    depth: u64,
    /// Instructions on the way, which were counted when it was gone first.
    instructions: u64,
}

impl Range {
    /// The range of all paths.
    pub fn whole() -> Range {
        Range::default()
    }

    /// The range of the paths that a waiting state stands for.
    pub fn of(store: &Store, state: &State) -> Range {
        let Record {
            bits,
            length,
            check,
        } = state.decisions.record();
        let mut bytes: BTreeMap<&str, BTreeMap<u32, u8>> = BTreeMap::new();
        let mut numbers = Vec::new();
        for (variable, value) in state.model.values() {
            let Value::Bv(value) = value else { continue };
            let Some(word) = value.to_u64() else { continue };
            let name = store.variable_name(variable);
            match indexed(name).filter(|_| value.width() == 8) {
                Some((name, index)) => {
                    bytes.entry(name).or_default().insert(index, word as u8);
                }
                None => numbers.push((name.to_owned(), value.width(), word)),
            }
        }
        numbers.sort_unstable();
        Range {
            bits,
            length,
            check,
            bytes: bytes.into_iter().flat_map(runs).collect(),
            numbers,
            depth: state.progress.depth,
            instructions: state.progress.instructions,
        }
    }

    /// The decisions.
    pub(crate) fn record(&self) -> Rc<Record> {
        Rc::new(Record {
            bits: self.bits.clone(),
            length: self.length,
            check: self.check,
        })
    }

    /// The input, over the variables of this store.
    pub(crate) fn model(&self, store: &mut Store) -> Rc<Assignment> {
        let mut model = Assignment::new();
        let mut set = |name: &str, width: u16, word: u64| {
            let term = store.var(name, Sort::Bv(width));
            let variable = store.as_variable(term).expect("it was just made one");
            model.set(variable, Value::Bv(BitVec::from_u64(width, word)));
        };
        for (name, first, bytes) in &self.bytes {
            for (&byte, index) in bytes.iter().zip(*first..) {
                set(&format!("{name}[{index}]"), 8, byte.into());
            }
        }
        for (name, width, word) in &self.numbers {
            set(name, *width, *word);
        }
        Rc::new(model)
    }

    /// The input as a test: inputs by name, for the program did not ask for them yet.
    pub fn case(&self) -> TestCase {
        let mut inputs: Vec<Input> = Vec::new();
        for (name, first, bytes) in &self.bytes {
            if inputs.last().is_none_or(|last| last.name != *name) {
                inputs.push(Input::new(name.clone(), Vec::new()));
            }
            let input = inputs.last_mut().expect("it was just added");
            // What is not known between two runs is zero, as anything open is.
            input.bytes.resize(*first as usize, 0);
            input.bytes.extend(bytes);
        }
        TestCase::new(inputs)
    }

    /// Symbolic branches on the way to it: the fewer, the larger the subtree may be.
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// Instructions on the way to it.
    pub(crate) fn instructions(&self) -> u64 {
        self.instructions
    }
}

/// The name of an input and the index of a byte in it, of a variable called `name[3]`.
fn indexed(variable: &str) -> Option<(&str, u32)> {
    let (name, index) = variable.strip_suffix(']')?.rsplit_once('[')?;
    Some((name, index.parse().ok()?))
}

/// Bytes whose indices follow each other, together.
fn runs((name, bytes): (&str, BTreeMap<u32, u8>)) -> Vec<(String, u32, Vec<u8>)> {
    let mut runs: Vec<(String, u32, Vec<u8>)> = Vec::new();
    for (index, byte) in bytes {
        match runs.last_mut() {
            Some((_, first, run)) if *first as usize + run.len() == index as usize => {
                run.push(byte);
            }
            _ => runs.push((name.to_owned(), index, vec![byte])),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bytes_are_taken_apart() {
        assert_eq!(indexed("x#1[12]"), Some(("x#1", 12)));
        assert_eq!(indexed("a[b][0]"), Some(("a[b]", 0)));
        assert_eq!(indexed("x"), None);
        let bytes = [(0, 1), (1, 2), (4, 5)].into_iter().collect();
        let expected = [
            ("x".to_owned(), 0, vec![1, 2]),
            ("x".to_owned(), 4, vec![5]),
        ];
        assert_eq!(runs(("x", bytes)), expected);
    }
}
