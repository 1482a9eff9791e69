//! Purposes: what a test should do, as a sequence of transitions.
//!
//! A purpose is an automaton that runs beside the model: [`Progress`] holds every place of the
//! sequence that the path so far may have come to. The tree, a walk and an online test all ask
//! it the same questions, so that a purpose means the same wherever it is used.

use crate::execution::Move;
use crate::model::Model;

/// A sequence of transitions. What comes before the first is free.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Purpose {
    steps: Vec<PurposeStep>,
}

/// A part of a purpose.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PurposeStep {
    /// One of these transitions.
    One(Vec<usize>),
    /// Any number of transitions, none of which is one of these.
    Any {
        /// What does not happen meanwhile.
        but: Vec<usize>,
    },
}

/// How far a path has come. By place of the sequence: whether the path can be read so that all
/// steps before it are done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    done: Vec<bool>,
}

impl Purpose {
    /// These steps in this order.
    pub fn new(steps: Vec<PurposeStep>) -> Purpose {
        Purpose { steps }
    }

    /// Nothing was done so far.
    pub fn begin(&self) -> Progress {
        let mut done = vec![false; self.steps.len() + 1];
        done[0] = true;
        self.skip(&mut done);
        Progress { done }
    }

    /// Takes note of a step.
    pub fn advance(&self, progress: &mut Progress, step: Move) {
        let takes = |names: &[usize]| step.transitions().any(|it| names.contains(&it));
        let mut next = vec![false; progress.done.len()];
        next[0] = true;
        for (number, wanted) in self.steps.iter().enumerate() {
            match wanted {
                PurposeStep::Any { but } => next[number] |= progress.done[number] && !takes(but),
                PurposeStep::One(names) => {
                    next[number + 1] |= progress.done[number] && takes(names)
                }
            }
        }
        self.skip(&mut next);
        progress.done = next;
    }

    /// Takes note of transitions that were seen together, so that either may have been first.
    pub fn advance_by(&self, progress: &mut Progress, transitions: &[usize]) {
        let mut backwards = progress.clone();
        let alone = |&first: &usize| Move {
            first,
            second: None,
        };
        for transition in transitions {
            self.advance(progress, alone(transition));
        }
        for transition in transitions.iter().rev() {
            self.advance(&mut backwards, alone(transition));
        }
        for (place, &other) in progress.done.iter_mut().zip(&backwards.done) {
            *place |= other;
        }
    }

    /// Any number of transitions may be none.
    fn skip(&self, done: &mut [bool]) {
        for (number, step) in self.steps.iter().enumerate() {
            if matches!(step, PurposeStep::Any { .. }) && done[number] {
                done[number + 1] = true;
            }
        }
    }

    /// Whether the path ends where the sequence does.
    pub fn is_fulfilled(&self, progress: &Progress) -> bool {
        progress.done[self.steps.len()]
    }

    /// How many transitions are still to be taken, at least.
    pub fn left(&self, progress: &Progress) -> usize {
        let places = (0..=self.steps.len()).filter(|&place| progress.done[place]);
        places.map(|place| self.left_from(place)).min().unwrap_or(0)
    }

    /// The transitions that bring a path nearer to the end.
    pub fn wanted(&self, progress: &Progress) -> Vec<usize> {
        let left = self.left(progress);
        let places = (0..self.steps.len()).filter(|&place| progress.done[place]);
        let nearest = places.filter(|&place| self.left_from(place) == left);
        let next = nearest.filter_map(|place| match &self.steps[place] {
            PurposeStep::One(names) => Some(names.clone()),
            PurposeStep::Any { .. } => None,
        });
        next.flatten().collect()
    }

    fn left_from(&self, place: usize) -> usize {
        let rest = self.steps[place..].iter();
        rest.filter(|step| matches!(step, PurposeStep::One(_)))
            .count()
    }

    /// Whether a path is so.
    pub fn is_fulfilled_by(&self, path: &[Move]) -> bool {
        let mut progress = self.begin();
        for &step in path {
            self.advance(&mut progress, step);
        }
        self.is_fulfilled(&progress)
    }

    /// The sets of transitions one of which has to be taken.
    pub fn needed(&self) -> impl Iterator<Item = &[usize]> {
        self.steps.iter().filter_map(|step| match step {
            PurposeStep::One(names) => Some(&names[..]),
            PurposeStep::Any { .. } => None,
        })
    }

    /// The purpose as people write it.
    pub fn text(&self, model: &Model) -> String {
        let names = |numbers: &[usize]| {
            let names = numbers
                .iter()
                .map(|&it| model.transitions[it].name.as_str());
            names.collect::<Vec<_>>().join("|")
        };
        let steps = self.steps.iter().map(|step| match step {
            PurposeStep::One(numbers) => names(numbers),
            PurposeStep::Any { but } if but.is_empty() => "*".to_owned(),
            PurposeStep::Any { but } => format!("*!{}", names(but)),
        });
        steps.collect::<Vec<_>>().join(", ")
    }
}
