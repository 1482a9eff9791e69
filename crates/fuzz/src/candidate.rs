//! Inputs that wait to be expanded, as others may take them over.

use crate::queue::{Queue, Score};
use crate::spelling::Piece;
use grammar::Random;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An input, and where its conditions begin to be its own: it stands for all inputs that
/// follow from flips after that.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// The input.
    pub input: Vec<u8>,
    pub(crate) pieces: Option<Vec<Piece>>,
    pub(crate) bound: usize,
    pub(crate) generation: u32,
    pub(crate) score: Score,
}

impl Candidate {
    /// An input all of whose conditions are its own.
    pub(crate) fn root(input: Vec<u8>, pieces: Option<Vec<Piece>>) -> Candidate {
        Candidate {
            input,
            pieces,
            bound: 0,
            generation: 0,
            score: Score::default(),
        }
    }
}

/// What changed among the inputs that wait since the last time.
#[derive(Debug, Default)]
pub struct OpenCandidates {
    /// Those that came, by numbers.
    pub opened: BTreeMap<u64, Candidate>,
    /// The numbers of those that are gone.
    pub closed: Vec<u64>,
    /// Those that are for others.
    pub given: Vec<Candidate>,
}

/// The inputs that wait, and the one that is being expanded.
#[derive(Default)]
pub(crate) struct Waiting {
    queue: Queue<Candidate>,
    current: Option<(u64, Candidate)>,
    /// What changed, where others hear of it.
    change: Option<OpenCandidates>,
}

impl Waiting {
    /// Nothing yet; others may hear of what changes.
    pub fn new(is_shared: bool) -> Waiting {
        Waiting {
            change: is_shared.then(OpenCandidates::default),
            ..Waiting::default()
        }
    }

    /// Lets an input wait.
    pub fn put(&mut self, candidate: Candidate, random: &mut Random) {
        let (score, length) = (candidate.score, candidate.input.len());
        let told = self.change.is_some().then(|| candidate.clone());
        let number = self.queue.put(candidate, score, length, random.bits());
        if let (Some(change), Some(candidate)) = (&mut self.change, told) {
            change.opened.insert(number, candidate);
        }
    }

    /// The next input, which is being expanded from now on.
    pub fn next(&mut self) -> Option<Candidate> {
        self.finish();
        let (number, candidate) = self.queue.pop()?;
        self.current = Some((number, candidate.clone()));
        Some(candidate)
    }

    /// The one that is being expanded has no condition left before this one.
    pub fn advance(&mut self, bound: usize) {
        if let Some((_, candidate)) = &mut self.current {
            candidate.bound = candidate.bound.max(bound);
        }
    }

    /// The one that was being expanded has no condition left.
    pub fn finish(&mut self) {
        if let Some((number, _)) = self.current.take() {
            self.close(number);
        }
    }

    fn close(&mut self, number: u64) {
        let Some(change) = &mut self.change else {
            return;
        };
        // Who comes and goes between two times was never there.
        if change.opened.remove(&number).is_none() {
            change.closed.push(number);
        }
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// What changed since the last time; `gives` asks for half of what waits, for others.
    pub fn take_change(&mut self, gives: bool, random: &mut Random) -> OpenCandidates {
        let mut given = Vec::new();
        if gives {
            let mut kept = Vec::new();
            while let Some((number, candidate)) = self.queue.pop() {
                self.close(number);
                match given.len() < kept.len() {
                    true => given.push(candidate),
                    false => kept.push(candidate),
                }
            }
            kept.into_iter().for_each(|it| self.put(it, random));
        }
        let change = self.change.as_mut().map(std::mem::take);
        OpenCandidates {
            given,
            ..change.unwrap_or_default()
        }
    }

    /// All that wait, with the one that is being expanded.
    pub fn into_all(mut self) -> Vec<Candidate> {
        let queue = std::iter::from_fn(|| self.queue.pop());
        let mut all: Vec<Candidate> = queue.map(|(_, candidate)| candidate).collect();
        all.extend(self.current.map(|(_, candidate)| candidate));
        all
    }
}
