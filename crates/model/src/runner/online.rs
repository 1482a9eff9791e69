//! Testing online: inputs are chosen as the system answers.
//!
//! The model is explored a little ahead of where the system may be, towards the
//! transitions that were taken least, and the first input on the way is sent. Its values
//! are drawn anew each time: at the boundary of a condition that the system will decide
//! with them, just below it or just above, first those that were not tried yet; or
//! at random within what leads where the exploration wants to go.

use super::session::{AFTER, Ended, Session};
use crate::coverage::Distances;
use crate::execution::{Event, StepOutcome, SymbolicState};
use crate::model::Action;
use crate::testcase::{Boundaries, Data, TakenInput};
use term::Value;

/// States looked at before an input is chosen.
const FORESIGHT: usize = 48;

/// Where outputs are possible too, one in so many times an input is sent first.
const HURRY: usize = 4;

/// What online testing remembers from one message, and one system, to the next.
pub(super) struct Choices {
    /// Where values come from.
    pub data: Data,
    /// Boundaries that were tried.
    boundaries: Boundaries,
}

impl Choices {
    pub fn new(seed: u64) -> Choices {
        Choices {
            data: Data::new(seed),
            boundaries: Boundaries::default(),
        }
    }
}

/// A state that an input may lead to.
#[derive(Clone)]
struct Ahead {
    state: SymbolicState,
    /// The input; none where none was chosen yet.
    first: Option<FirstInput>,
    depth: usize,
    /// Steps from now to new coverage, as far as the graph tells.
    wanted: usize,
}

/// An input to begin with.
#[derive(Clone)]
struct FirstInput {
    channel: usize,
    taken: TakenInput,
}

impl Session<'_, '_, '_> {
    /// Exchanges messages while some are left.
    pub fn online(&mut self, left: &mut usize, choices: &mut Choices) -> Result<(), Ended> {
        let mut silent = 0;
        while *left > 0 {
            self.check_stop()?;
            *left -= 1;
            let input = self.next_input(choices);
            let may_answer = !self.observer.expected(self.executor).is_empty();
            if let Some((channel, values)) = input
                && (!may_answer || silent > 0 || choices.data.below(HURRY) == 0)
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
    fn next_input(&mut self, choices: &mut Choices) -> Option<(usize, Vec<Value>)> {
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
                    (None, Event::Input { channel, values }) => Some(FirstInput {
                        channel,
                        taken: TakenInput {
                            transition: step.first,
                            values,
                            after: state.clone(),
                        },
                    }),
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
                    choices.data.below(1000),
                );
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, next.clone()));
                }
                ahead.push(next);
            }
        }
        let (_, best) = best?;
        let FirstInput { channel, taken } = best.first?;
        let Choices { data, boundaries } = choices;
        let state = match boundaries.beside(self.executor, &taken, data) {
            Some(state) => state,
            None => data.diversified(self.executor, &best.state, &taken.values),
        };
        let values = self.executor.values(&taken.values, &state.model)?;
        Some((channel, values))
    }
}
