//! What may follow letters that were read, where that does not depend on which they were.
//!
//! A program that has told apart the letters it has read knows where in the grammar it is.
//! The condition on the next letter is about this letter alone then; one about all letters
//! at once, as [`Beginnings`](crate::encode::viable::Beginnings) gives it, makes every later
//! query a query about the whole word.

use crate::letters::{BYTES, LetterSet};
use crate::normal::Normal;
use crate::prefixes::{Prefixes, StateId, common_atoms};

/// States of the machine in all, above which nothing is said.
const MOST_STATES: usize = 1 << 16;
/// States after different letters that are followed beside each other.
const MOST_BESIDE: usize = 16;

/// What may follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Following {
    /// The letters with which a word goes on.
    pub letters: LetterSet,
    /// Whether what was read is a word.
    pub ends: bool,
}

/// Says what may follow.
///
/// ```
/// use grammar::{BYTES, LetterSet, Normal, Reader, read};
///
/// let text = "<sum> ::= <n> | <n> \"+\" <sum>\n<n> ::= [0-9] | \"(\" <sum> \")\"";
/// let normal = Normal::new(&read::bnf(text).unwrap().bytes().unwrap());
/// let mut reader = Reader::new(&normal);
///
/// let set = |letters: &str| LetterSet::of(BYTES, letters.bytes().map(u16::from));
/// // A digit: which it is does not matter.
/// let following = reader.after(&[set("0123456789")], 2).unwrap();
/// assert_eq!((following.letters, following.ends), (set("+"), true));
/// // A digit or a parenthesis: it depends.
/// assert!(reader.after(&[set("1(")], 9).is_none());
/// ```
pub struct Reader<'a> {
    machine: Prefixes<'a>,
    /// Whether it needed too many states: it is not to make more of them at each letter.
    gave_up: bool,
}

impl<'a> Reader<'a> {
    /// One for the words of a grammar.
    pub fn new(normal: &'a Normal) -> Reader<'a> {
        Reader {
            machine: Prefixes::new(normal, common_atoms(&[normal]), MOST_STATES),
            gave_up: false,
        }
    }

    /// What may follow letters that begin a word and are each among some, in words with at
    /// most so many letters more; none where it depends on which they are, or is too hard to
    /// say.
    pub fn after(&mut self, read: &[LetterSet], room: usize) -> Option<Following> {
        let mut states: Vec<StateId> = vec![Prefixes::START];
        for letters in read {
            states = self.step(&states, letters)?;
        }
        let &[state] = &states[..] else {
            return None;
        };
        let next = self.steps(state)?;
        let fits = |next: &Option<StateId>| next.is_some_and(|it| self.machine.least(it) < room);
        let fits: Vec<bool> = next.iter().map(fits).collect();
        let atoms = self.machine.atoms().iter().zip(fits);
        let letters = atoms
            .filter(|(_, fits)| *fits)
            .flat_map(|(atom, _)| atom.iter());
        Some(Following {
            letters: LetterSet::of(BYTES, letters),
            ends: self.machine.accepts(state),
        })
    }

    /// Where each atom leads from a state.
    fn steps(&mut self, state: StateId) -> Option<Vec<Option<StateId>>> {
        if self.gave_up {
            return None;
        }
        let steps = self.machine.steps(state).map(<[_]>::to_vec);
        self.gave_up = steps.is_err();
        steps.ok()
    }

    /// Where states lead by some letters, each once; none where that is too much.
    fn step(&mut self, states: &[StateId], letters: &LetterSet) -> Option<Vec<StateId>> {
        let mut all = Vec::new();
        for &state in states {
            let next = self.steps(state)?;
            let atoms = self.machine.atoms().iter();
            let met = atoms.zip(next).filter(|(atom, _)| atom.meets(letters));
            all.extend(met.filter_map(|(_, next)| next));
        }
        all.sort_unstable();
        all.dedup();
        (all.len() <= MOST_BESIDE).then_some(all)
    }
}
