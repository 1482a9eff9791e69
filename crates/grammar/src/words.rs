//! The words of a language, or of several at once, each once: how many there
//! are, and which come first.

use crate::letters::{Letter, LetterSet};
use crate::normal::Normal;
use crate::prefixes::{Prefixes, StateId, TooManyStates, common_atoms};
use base::{Stop, Stopped};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

/// States and nodes that a machine may have.
const STATE_LIMIT: usize = 100_000;

/// Why words were not told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfinished {
    /// That takes a machine that is too large.
    #[error("telling the words apart takes too many states")]
    TooManyStates,
    /// The stop token was set before.
    #[error("stopped before the words were told apart")]
    Stopped,
}

impl From<TooManyStates> for Unfinished {
    fn from(_: TooManyStates) -> Unfinished {
        Unfinished::TooManyStates
    }
}

impl From<Stopped> for Unfinished {
    fn from(_: Stopped) -> Unfinished {
        Unfinished::Stopped
    }
}

/// A language, or the words that are not in it.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The language.
    pub language: &'a Normal,
    /// Whether words must be in it, or must not.
    pub inside: bool,
}

/// The words of a length to some bound that are on every side, as a graph of
/// prefixes.
pub struct Words {
    atoms: Vec<LetterSet>,
    most: usize,
    accepting: Vec<bool>,
    /// Where each prefix state leads by each atom.
    steps: Vec<Vec<Option<u32>>>,
    /// The states that prefixes of each length lead to.
    layers: Vec<Vec<u32>>,
}

impl Words {
    /// The words to length `most` on all these sides; there is at least one
    /// side, and all are over one alphabet.
    ///
    /// # Errors
    ///
    /// When the languages are too intricate, or `stop` is set on the way.
    pub fn new(sides: &[Side], most: usize, stop: &Stop) -> Result<Words, Unfinished> {
        let languages: Vec<&Normal> = sides.iter().map(|side| side.language).collect();
        let atoms = common_atoms(&languages);
        let mut machines: Vec<Prefixes> = languages
            .iter()
            .map(|normal| Prefixes::new(normal, atoms.clone(), STATE_LIMIT))
            .collect();
        let mut words = Words {
            atoms,
            most,
            accepting: Vec::new(),
            steps: Vec::new(),
            layers: Vec::new(),
        };
        // A side that no longer goes on is nothing: fine for what must not be.
        let mut numbers: FxHashMap<Vec<Option<StateId>>, u32> = FxHashMap::default();
        let mut states: Vec<Vec<Option<StateId>>> = vec![vec![Some(Prefixes::START); sides.len()]];
        numbers.insert(states[0].clone(), 0);
        let mut layer = vec![0];
        for length in 0..=most {
            let mut next_layer = Vec::new();
            for &state in layer.iter().filter(|_| length < most) {
                stop.check()?;
                if (state as usize) < words.steps.len() {
                    next_layer.extend(words.steps[state as usize].iter().flatten());
                    continue;
                }
                let from = states[state as usize].clone();
                let mut rows = Vec::with_capacity(sides.len());
                for (machine, state) in machines.iter_mut().zip(&from) {
                    rows.push(match state {
                        Some(state) => Some(machine.steps(*state)?.to_vec()),
                        None => None,
                    });
                }
                let mut steps = Vec::with_capacity(words.atoms.len());
                for atom in 0..words.atoms.len() {
                    let to: Vec<Option<StateId>> = rows
                        .iter()
                        .map(|row| row.as_ref().and_then(|row| row[atom]))
                        .collect();
                    let hopeless = |(to, side): (&Option<_>, &Side)| to.is_none() && side.inside;
                    if to.iter().zip(sides).any(hopeless) {
                        steps.push(None);
                        continue;
                    }
                    let fresh = states.len() as u32;
                    let number = *numbers.entry(to.clone()).or_insert(fresh);
                    if number == fresh {
                        states.push(to);
                        if states.len() > STATE_LIMIT {
                            return Err(Unfinished::TooManyStates);
                        }
                    }
                    steps.push(Some(number));
                    next_layer.push(number);
                }
                // States are met in the order of their numbers but for those
                // met before, which are skipped above.
                words.put_steps(state, steps);
            }
            words.layers.push(std::mem::take(&mut layer));
            next_layer.sort_unstable();
            next_layer.dedup();
            layer = next_layer;
        }
        let accepting = states.iter().map(|state| {
            let mut pairs = state.iter().zip(machines.iter().zip(sides));
            pairs.all(|(state, (machine, side))| {
                state.is_some_and(|state| machine.accepts(state)) == side.inside
            })
        });
        words.accepting = accepting.collect();
        words.steps.resize(states.len(), Vec::new());
        Ok(words)
    }

    fn put_steps(&mut self, state: u32, steps: Vec<Option<u32>>) {
        debug_assert_eq!(self.steps.len(), state as usize);
        self.steps.push(steps);
    }

    /// How many words there are of each length.
    ///
    /// # Errors
    ///
    /// When `stop` is set before they are counted.
    pub fn counts(&self, stop: &Stop) -> Result<Vec<BigUint>, Stopped> {
        let mut counts = Vec::with_capacity(self.most + 1);
        let mut ways: FxHashMap<u32, BigUint> = FxHashMap::default();
        ways.insert(0, BigUint::one());
        for length in 0..=self.most {
            let mut total = BigUint::zero();
            let mut next: FxHashMap<u32, BigUint> = FxHashMap::default();
            for (&state, ways) in &ways {
                stop.check()?;
                if self.accepting[state as usize] {
                    total += ways;
                }
                if length == self.most {
                    continue;
                }
                for (atom, to) in self.atoms.iter().zip(&self.steps[state as usize]) {
                    if let Some(to) = to {
                        *next.entry(*to).or_default() += ways * atom.len();
                    }
                }
            }
            counts.push(total);
            ways = next;
        }
        Ok(counts)
    }

    /// The first `most` words, shorter ones first, those of one length in the
    /// order of their letters.
    ///
    /// # Errors
    ///
    /// When `stop` is set before they are found.
    pub fn first(&self, most: usize, stop: &Stop) -> Result<Vec<Vec<Letter>>, Stopped> {
        let ends = self.ends(stop)?;
        let mut found = Vec::new();
        for length in 0..=self.most {
            if found.len() >= most {
                break;
            }
            stop.check()?;
            self.of_length(length, &ends, most, &mut found);
        }
        Ok(found)
    }

    /// For each number of letters and each state, whether so many letters lead
    /// from it to the end of a word.
    fn ends(&self, stop: &Stop) -> Result<Vec<Vec<bool>>, Stopped> {
        let mut ends = vec![self.accepting.clone()];
        for left in 1..=self.most {
            let mut reached = vec![false; self.accepting.len()];
            for layer in &self.layers[..=self.most - left] {
                stop.check()?;
                for &state in layer {
                    let mut steps = self.steps[state as usize].iter().flatten();
                    reached[state as usize] |= steps.any(|&to| ends[left - 1][to as usize]);
                }
            }
            ends.push(reached);
        }
        Ok(ends)
    }

    fn of_length(
        &self,
        length: usize,
        ends: &[Vec<bool>],
        most: usize,
        found: &mut Vec<Vec<Letter>>,
    ) {
        let letters: Vec<(Letter, usize)> = {
            let atoms = self.atoms.iter().enumerate();
            let mut letters: Vec<_> = atoms
                .flat_map(|(at, atom)| atom.iter().map(move |letter| (letter, at)))
                .collect();
            letters.sort_unstable();
            letters
        };
        if !ends[length][0] {
            return;
        }
        // The states on the way, each with the next letter to try.
        let mut path = vec![(0u32, 0usize)];
        let mut word = Vec::new();
        while let Some((state, next)) = path.last_mut() {
            let left = length - word.len();
            if left == 0 {
                found.push(word.clone());
                if found.len() >= most {
                    return;
                }
                path.pop();
                word.pop();
                continue;
            }
            let Some(&(letter, atom)) = letters.get(*next) else {
                path.pop();
                word.pop();
                continue;
            };
            *next += 1;
            let to = self.steps[*state as usize][atom];
            if let Some(to) = to.filter(|&to| ends[left - 1][to as usize]) {
                word.push(letter);
                path.push((to, 0));
            }
        }
    }
}
