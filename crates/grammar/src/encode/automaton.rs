//! An automaton unrolled over the positions of a string.
//!
//! The automaton is Glushkov's: its states are the occurrences of letters in the
//! expression. The gate of a state and a position says that the string up to
//! there leads to the state.
//!
//! (Glushkov, *The abstract theory of automata*, 1961. It has no empty moves, so that a
//! gate depends on gates of the position before it alone.)

use super::{Membership, any_of, byte_in};
use crate::letters::{BYTES, LetterSet};
use crate::regular::{Regular, RegularId, needed};
use base::{Stop, Stopped};
use std::collections::BTreeSet;
use term::{Store, Term};

/// Occurrences of letters beyond which an expression is not written out.
const MOST_OCCURRENCES: usize = 3_000;

/// Glushkov's automaton of a regular expression.
pub struct Automaton {
    letters: Vec<LetterSet>,
    /// The occurrences that may come before each.
    before: Vec<Vec<u32>>,
    first: BTreeSet<u32>,
    last: BTreeSet<u32>,
    empty: bool,
}

/// A part of the expression written out.
#[derive(Clone)]
struct Piece {
    first: BTreeSet<u32>,
    last: BTreeSet<u32>,
    empty: bool,
}

impl Piece {
    fn nothing(empty: bool) -> Piece {
        Piece {
            first: BTreeSet::new(),
            last: BTreeSet::new(),
            empty,
        }
    }
}

impl Automaton {
    /// The automaton; nothing where the expression names a grammar or is too
    /// large written out.
    pub fn new(all: &[Regular], root: RegularId) -> Option<Automaton> {
        if occurrences(all, root)? > MOST_OCCURRENCES {
            return None;
        }
        let mut automaton = Automaton {
            letters: Vec::new(),
            before: Vec::new(),
            first: BTreeSet::new(),
            last: BTreeSet::new(),
            empty: false,
        };
        let whole = automaton.piece(all, root);
        automaton.first = whole.first;
        automaton.last = whole.last;
        automaton.empty = whole.empty;
        Some(automaton)
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// How many steps from state to state there are, and states.
    pub fn edges(&self) -> usize {
        self.len() + self.before.iter().map(Vec::len).sum::<usize>()
    }

    fn letter(&mut self, set: LetterSet) -> Piece {
        let state = self.letters.len() as u32;
        self.letters.push(set);
        self.before.push(Vec::new());
        Piece {
            first: BTreeSet::from([state]),
            last: BTreeSet::from([state]),
            empty: false,
        }
    }

    fn follow(&mut self, last: &BTreeSet<u32>, first: &BTreeSet<u32>) {
        for &state in first {
            let before = &mut self.before[state as usize];
            before.extend(last);
            before.sort_unstable();
            before.dedup();
        }
    }

    fn join(&mut self, a: Piece, b: Piece) -> Piece {
        self.follow(&a.last, &b.first);
        let mut joined = Piece {
            first: a.first,
            last: b.last,
            empty: a.empty && b.empty,
        };
        if a.empty {
            joined.first.extend(&b.first);
        }
        if b.empty {
            joined.last.extend(&a.last);
        }
        joined
    }

    /// Writes out the expression; every mention of a part is a copy of its own,
    /// so this walks the tree, with a stack of its own.
    fn piece(&mut self, all: &[Regular], root: RegularId) -> Piece {
        enum Step {
            Enter(RegularId),
            Leave(RegularId),
        }
        let mut steps = vec![Step::Enter(root)];
        let mut done: Vec<Piece> = Vec::new();
        while let Some(step) = steps.pop() {
            let id = match step {
                Step::Enter(id) => {
                    steps.push(Step::Leave(id));
                    match &all[id] {
                        Regular::Union(members) | Regular::Concat(members) => {
                            steps.extend(members.iter().rev().map(|&member| Step::Enter(member)));
                        }
                        Regular::Star(member) => steps.push(Step::Enter(*member)),
                        Regular::Text(_) | Regular::Set(_) | Regular::Fixed(..) => {}
                    }
                    continue;
                }
                Step::Leave(id) => id,
            };
            let piece = match &all[id] {
                Regular::Text(text) => {
                    let mut whole = Piece::nothing(true);
                    for &byte in text {
                        let letter = self.letter(LetterSet::of(BYTES, [byte.into()]));
                        whole = self.join(whole, letter);
                    }
                    whole
                }
                Regular::Set(set) => self.letter(set.clone()),
                Regular::Union(members) => {
                    let parts = done.split_off(done.len() - members.len());
                    parts
                        .into_iter()
                        .fold(Piece::nothing(false), |mut any, part| {
                            any.first.extend(&part.first);
                            any.last.extend(&part.last);
                            any.empty |= part.empty;
                            any
                        })
                }
                Regular::Concat(members) => {
                    let parts = done.split_off(done.len() - members.len());
                    let mut whole = Piece::nothing(true);
                    for part in parts {
                        whole = self.join(whole, part);
                    }
                    whole
                }
                Regular::Star(_) => {
                    let mut part = done.pop().expect("the part was left before");
                    let (last, first) = (part.last.clone(), part.first.clone());
                    self.follow(&last, &first);
                    part.empty = true;
                    part
                }
                Regular::Fixed(..) => unreachable!("expressions with grammars were refused"),
            };
            done.push(piece);
        }
        done.pop().expect("the root was left last")
    }
}

/// How many letters the expression has written out; nothing where it names a
/// grammar.
fn occurrences(all: &[Regular], root: RegularId) -> Option<usize> {
    let needed = needed(all, root);
    let mut counts = vec![0usize; all.len()];
    for id in (0..=root).filter(|&id| needed[id]) {
        counts[id] = match &all[id] {
            Regular::Text(text) => text.len(),
            Regular::Set(_) => 1,
            // One more each, since even parts without letters are visited.
            Regular::Union(members) | Regular::Concat(members) => {
                let counts = members.iter().map(|&member| counts[member]);
                counts.fold(1, usize::saturating_add)
            }
            Regular::Star(member) => counts[*member].saturating_add(1),
            Regular::Fixed(..) => return None,
        };
    }
    Some(counts[root])
}

/// An automaton over some bytes.
pub struct Unrolled<'a> {
    automaton: &'a Automaton,
    bytes: Vec<Term>,
    /// Gates by position and state, as far as they were needed.
    gates: Vec<Vec<Term>>,
    stop: Stop,
}

impl<'a> Unrolled<'a> {
    /// The automaton over these bytes, terms of eight bits each.
    pub fn new(automaton: &'a Automaton, bytes: &[Term]) -> Unrolled<'a> {
        Unrolled {
            automaton,
            bytes: bytes.to_vec(),
            gates: Vec::new(),
            stop: Stop::never(),
        }
    }

    /// Gives up when the token is set.
    pub fn with_stop(mut self, stop: &Stop) -> Unrolled<'a> {
        self.stop = stop.clone();
        self
    }

    fn unroll(&mut self, store: &mut Store) -> Result<(), Stopped> {
        let at = self.gates.len();
        let byte = self.bytes[at];
        let mut row = Vec::with_capacity(self.automaton.len());
        for (state, set) in self.automaton.letters.iter().enumerate() {
            self.stop.check()?;
            let reached = match at.checked_sub(1) {
                None => store.bool(self.automaton.first.contains(&(state as u32))),
                Some(before) => {
                    let gates = &self.gates[before];
                    let from = self.automaton.before[state].iter();
                    any_of(store, from.map(|&from| gates[from as usize]).collect())
                }
            };
            row.push(match store.as_bool(reached) {
                Some(false) => reached,
                _ => {
                    let fits = byte_in(store, byte, set);
                    store.and(reached, fits)
                }
            });
        }
        self.gates.push(row);
        Ok(())
    }
}

impl Membership for Unrolled<'_> {
    fn prefix(&mut self, store: &mut Store, length: usize) -> Result<Term, Stopped> {
        if length == 0 {
            return Ok(store.bool(self.automaton.empty));
        }
        if length > self.bytes.len() {
            return Ok(store.bool(false));
        }
        while self.gates.len() < length {
            self.unroll(store)?;
        }
        let gates = &self.gates[length - 1];
        let last = self.automaton.last.iter();
        let ends = last.map(|&state| gates[state as usize]).collect();
        Ok(any_of(store, ends))
    }
}
