//! Testing online: inputs are chosen as the system answers.
//!
//! The model is explored a little ahead of where the system may be, towards the
//! transitions that were taken least, and the first input on the way is sent.

use super::session::{AFTER, Ended, Session};
use crate::coverage::Distances;
use crate::execution::{Event, StepOutcome, SymbolicState};
use crate::model::Action;
use base::Random;
use term::{Term, Value};

/// States looked at before an input is chosen.
const FORESIGHT: usize = 48;

/// Where outputs are possible too, one in so many times an input is sent first.
const HURRY: usize = 4;

/// A state that an input may lead to.
#[derive(Clone)]
struct Ahead {
    state: SymbolicState,
    /// The input's channel and values; none where none was chosen yet.
    first: Option<(usize, Vec<Term>)>,
    depth: usize,
    /// Steps from now to new coverage, as far as the graph tells.
    wanted: usize,
}

impl Session<'_, '_, '_> {
    /// Exchanges messages while some are left.
    pub fn online(&mut self, left: &mut usize, random: &mut Random) -> Result<(), Ended> {
        let mut silent = 0;
        while *left > 0 {
            self.check_stop()?;
            *left -= 1;
            let input = self.next_input(random);
            let may_answer = !self.observer.expected(self.executor).is_empty();
            if let Some((channel, values)) = input
                && (!may_answer || silent > 0 || random.below(HURRY) == 0)
            {
                silent = 0;
                let before = self.send(channel, &values)?;
                *left = left.saturating_sub(before);
                continue;
            }
            match self.silence()? {
                false => silent = 0,
                true if silent > 0 => return Ok(()),
                true => silent = 1,
            }
        }
        self.drain(self.patience() / AFTER).map(|_| ())
    }

    /// An input for the state the system may be in, with values that lead towards
    /// what was taken least.
    fn next_input(&mut self, random: &mut Random) -> Option<(usize, Vec<Value>)> {
        let mut distances = Distances::new(self.executor.model);
        let mut ahead: Vec<Ahead> = Vec::new();
        for state in self.observer.stable(self.executor) {
            ahead.push(Ahead {
                state,
                first: None,
                depth: 0,
                wanted: 0,
            });
        }
        let mut best: Option<((usize, usize, usize), Ahead)> = None;
        // Where everything was covered, there is no need to look far.
        let seen = self.observer.taken.iter().all(|&count| count > 0);
        for _ in 0..if seen { FORESIGHT / 6 } else { FORESIGHT } {
            if self.executor.stop().is_set() {
                return None;
            }
            let nearest = (0..ahead.len()).min_by_key(|&number| ahead[number].wanted);
            let Some(from) = nearest.map(|number| ahead.remove(number)) else {
                break;
            };
            for step in self.executor.moves(&from.state.location) {
                let action = &self.executor.model.transitions[step.first].action;
                if from.first.is_none() && !matches!(action, Action::Input { .. }) {
                    continue;
                }
                let StepOutcome::Feasible(found) = self.executor.step(&from.state, step) else {
                    continue;
                };
                let (event, state) = *found;
                let first = match (&from.first, event) {
                    (None, Event::Input { channel, values }) => Some((channel, values)),
                    (first, _) => first.clone(),
                };
                let depth = from.depth + 1;
                let next = Ahead {
                    wanted: depth + distances.of(&state.location, &self.observer.taken),
                    state,
                    first,
                    depth,
                };
                let cost = (
                    self.observer.taken[step.first],
                    next.depth,
                    random.below(1000),
                );
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, next.clone()));
                }
                ahead.push(next);
            }
        }
        let (_, best) = best?;
        let (channel, terms) = best.first?;
        let values = self.executor.values(&terms, &best.state.model)?;
        Some((channel, values))
    }
}
