//! Testing online: inputs are chosen as the system answers.
//!
//! The model is explored a little ahead of where the system may be, towards the
//! transitions that were taken least, and the first input on the way is sent. Its values
//! are drawn anew each time: at the boundary of a condition that the system will decide
//! with them, just below it or just above, first those that were not tried yet; or
//! at random within what leads where the exploration wants to go. With a purpose, the
//! exploration wants to go where the purpose is nearer to its end. Without one, every other
//! input is chosen as on a long walk once nothing new is met: what is seldom is often too far ahead
//! to be explored.

use super::session::{AFTER, Ended, Session, Wait};
use crate::coverage::Distances;
use crate::execution::{Event, StepOutcome, SymbolicState};
use crate::model::{Action, Model};
use crate::observer::Observer;
use crate::purpose::{Progress, Purpose};
use crate::testcase::{Data, TakenInput};
use crate::until::Until;
use crate::walk::{ATTEMPTS, Walks, talks_long};
use term::Value;

/// What an online test is there for.
#[derive(Clone, PartialEq, Debug)]
pub struct OnlinePlan {
    /// How many messages it may have.
    pub messages: usize,
    /// What random choices depend on.
    pub seed: u64,
    /// When it is long enough before.
    pub until: Option<Until>,
    /// What it should come to.
    pub purpose: Option<Purpose>,
}

impl OnlinePlan {
    /// So many messages, and nothing else that is wanted of them.
    pub fn of_messages(messages: usize, seed: u64) -> OnlinePlan {
        OnlinePlan {
            messages,
            seed,
            until: None,
            purpose: None,
        }
    }
}

/// States looked at before an input is chosen.
const FORESIGHT: usize = 48;

/// Where outputs are possible too, one in so many times an input is sent first.
const HURRY: usize = 4;

/// Messages without a transition that no system took before, after which only one in so many
/// inputs is chosen by exploration, and the others as on a walk.
const STALE: usize = 8;
const EXPLORED: usize = 2;

/// Messages without a transition that this system has not taken before, after which a fresh one is
/// better where the system cannot come back to its beginning.
const WORN_OUT: usize = 24;

/// What online testing remembers from one message, and one system, to the next.
pub(super) struct Choices<'p> {
    /// Where values come from.
    pub data: Data,
    /// What was seen of the model and tried, with all systems.
    pub walks: Walks,
    plan: &'p OnlinePlan,
    /// How far the purpose has come with this system.
    progress: Option<Progress>,
    /// By automaton and state: whether a way leads back to the beginning, conditions aside.
    returns: Vec<Vec<bool>>,
    /// By transition: whether this system has taken it.
    taken: Vec<bool>,
    /// Messages since it took one for the first time.
    since_new: usize,
}

impl<'p> Choices<'p> {
    pub fn new(model: &Model, plan: &'p OnlinePlan) -> Choices<'p> {
        Choices {
            data: Data::new(plan.seed),
            walks: Walks::new(model),
            plan,
            progress: None,
            returns: returns(model),
            taken: vec![false; model.transitions.len()],
            since_new: 0,
        }
    }

    /// A fresh system has done nothing of the purpose.
    pub fn begin(&mut self) {
        self.progress = self.plan.purpose.as_ref().map(Purpose::begin);
        self.taken.fill(false);
        self.since_new = 0;
        self.walks.begin(&mut self.data);
    }

    /// Takes note of what the system may have done since the last time.
    fn note(&mut self, observer: &Observer) {
        let walked = &mut self.walks.walked;
        walked.steps += 1;
        walked.since_new += 1;
        observer.visit(&mut walked.visited);
        let pairs = observer.taken.iter().zip(&walked.taken).enumerate();
        let new = pairs.filter(|(_, (now, before))| now > before);
        let new: Vec<usize> = new.map(|(number, _)| number).collect();
        if let (Some(purpose), Some(progress)) = (&self.plan.purpose, &mut self.progress)
            && !purpose.is_fulfilled(progress)
        {
            purpose.advance_by(progress, &new);
        }
        if new.iter().any(|&number| walked.taken[number] == 0) {
            walked.since_new = 0;
        }
        walked.taken.clone_from(&observer.taken);
        self.since_new += 1;
        for number in new {
            if !std::mem::replace(&mut self.taken[number], true) {
                self.since_new = 0;
            }
        }
    }

    /// Whether this system shows nothing new any more, and cannot come back to where it began.
    fn is_worn_out(&self, states: &[SymbolicState]) -> bool {
        let is_back = |state: &SymbolicState| {
            let mut places = state.location.iter().zip(&self.returns);
            places.all(|(&place, returns)| returns[place])
        };
        self.plan.purpose.is_none()
            && self.since_new >= WORN_OUT
            && !states.is_empty()
            && !states.iter().any(is_back)
    }

    /// Whether there is nothing left to do.
    pub fn is_enough(&self, model: &Model) -> bool {
        let until = self.plan.until.as_ref();
        self.is_purpose_fulfilled() == Some(true)
            || until.is_some_and(|until| until.is_fulfilled(model, &self.walks.walked))
    }

    /// Whether the purpose was come to; none if there is none.
    pub fn is_purpose_fulfilled(&self) -> Option<bool> {
        let purpose = self.plan.purpose.as_ref()?;
        Some(purpose.is_fulfilled(self.progress.as_ref()?))
    }

    /// By transition: whether it is no longer wanted, as a number of times.
    fn taken(&self) -> Vec<usize> {
        let (Some(purpose), Some(progress)) = (&self.plan.purpose, &self.progress) else {
            return self.walks.walked.taken.clone();
        };
        let mut taken = vec![1; self.taken.len()];
        for number in purpose.wanted(progress) {
            taken[number] = 0;
        }
        taken
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
    /// How far the purpose is then.
    progress: Option<Progress>,
}

/// An input to begin with.
#[derive(Clone)]
struct FirstInput {
    channel: usize,
    taken: TakenInput,
}

impl Session<'_, '_, '_> {
    /// Exchanges messages while some are left.
    pub fn online(&mut self, left: &mut usize, choices: &mut Choices<'_>) -> Result<(), Ended> {
        let mut silent = 0;
        while *left > 0 && !choices.is_enough(self.executor.model) {
            self.check_stop()?;
            let states = self.observer.stable(self.executor);
            if choices.is_worn_out(&states) {
                break;
            }
            *left -= 1;
            let input = self.next_input(states, choices);
            let may_answer = !self.observer.foreseen(self.executor).is_empty();
            if let Some((channel, values)) = input
                && (!may_answer || silent > 0 || choices.data.below(HURRY) == 0)
            {
                silent = 0;
                let before = self.send(channel, &values)?;
                *left = left.saturating_sub(before);
                choices.note(&self.observer);
                continue;
            }
            let is_silent = self.silence()?;
            choices.note(&self.observer);
            match is_silent {
                false => silent = 0,
                true if silent > 0 => return Ok(()),
                true => silent = 1,
            }
        }
        self.drain(Wait::Fairly(self.patience() / AFTER))
            .map(|_| ())
    }

    /// An input for the states the system may be in.
    fn next_input(
        &mut self,
        states: Vec<SymbolicState>,
        choices: &mut Choices<'_>,
    ) -> Option<(usize, Vec<Value>)> {
        let is_explored = choices.plan.purpose.is_some()
            || choices.walks.walked.since_new < STALE
            || choices.walks.is_curious() && choices.data.below(EXPLORED) == 0;
        if let ([state], false) = (&states[..], is_explored) {
            let Choices { data, walks, .. } = choices;
            let (_, event, after) = walks.any_input(self.executor, state, data)?;
            let Event::Input { channel, values } = event else {
                return None;
            };
            let values = self.executor.values(&values, &after.model)?;
            return Some((channel, values));
        }
        self.explored_input(states, choices)
    }

    /// An input for the states the system may be in, with values that lead towards
    /// what was taken least.
    fn explored_input(
        &mut self,
        states: Vec<SymbolicState>,
        choices: &mut Choices<'_>,
    ) -> Option<(usize, Vec<Value>)> {
        let mut distances = Distances::new(self.executor.model);
        let taken = choices.taken();
        let mut ahead: Vec<Ahead> = Vec::new();
        for state in states {
            ahead.push(Ahead {
                state,
                first: None,
                depth: 0,
                wanted: 0,
                progress: choices.progress.clone(),
            });
        }
        let mut best: Option<([usize; 5], Ahead)> = None;
        // Where everything was covered, there is no need to look far.
        let seen = taken.iter().all(|&count| count > 0);
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
                let mut progress = from.progress.clone();
                let mut left = 0;
                if let (Some(purpose), Some(progress)) = (&choices.plan.purpose, &mut progress) {
                    purpose.advance(progress, step);
                    left = purpose.left(progress);
                }
                let next = Ahead {
                    wanted: depth + distances.of(&state.location, &taken),
                    progress,
                    state,
                    first,
                    depth,
                };
                let is_repeated = next
                    .first
                    .as_ref()
                    .is_some_and(|first| choices.walks.burst.is_for(first.taken.transition));
                let cost = [
                    left,
                    usize::from(!is_repeated),
                    taken[step.first],
                    next.depth,
                    choices.data.below(1000),
                ];
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, next.clone()));
                }
                ahead.push(next);
            }
        }
        let (_, best) = best?;
        let FirstInput { channel, taken } = best.first?;
        let Choices { data, walks, .. } = choices;
        let mut values = None;
        for _ in 0..ATTEMPTS {
            let towards = (channel, Some(&best.state));
            let state = walks
                .boundaries
                .chosen(self.executor, &taken, towards, data);
            values = self.executor.values(&taken.values, &state.model);
            let given = values.as_deref().unwrap_or_default();
            let after = taken.with(self.executor, given);
            if !after.is_some_and(|after| talks_long(self.executor, &after)) {
                break;
            }
        }
        walks.burst.note(taken.transition, data);
        let given = values.as_deref().unwrap_or_default();
        data.remember(channel, given);
        values.map(|values| (channel, values))
    }
}

/// By automaton and state: whether a way leads from there to the initial one, conditions aside.
fn returns(model: &Model) -> Vec<Vec<bool>> {
    let automata = model.automata.iter().enumerate();
    let found = automata.map(|(number, automaton)| {
        let mut returns = vec![false; automaton.states.len()];
        returns[automaton.initial] = true;
        let own = model.transitions.iter().filter(|it| it.automaton == number);
        let own: Vec<(usize, usize)> = own.map(|it| (it.from, it.to)).collect();
        // Each round marks at least one state more, or none is left.
        for _ in 0..returns.len() {
            for &(from, to) in &own {
                returns[from] |= returns[to];
            }
        }
        returns
    });
    found.collect()
}
