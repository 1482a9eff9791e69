//! Testing online: inputs are chosen as the system answers.
//!
//! The model is explored a little ahead of where the system may be, towards the
//! transitions that were taken least, and the first input on the way is sent. Its values
//! are drawn anew each time: at the boundary of a condition that the system will decide
//! with them, just below it or just above, first those that were not tried yet; or
//! at random within what leads where the exploration wants to go.

use super::session::{AFTER, Ended, Session};
use crate::coverage::Distances;
use crate::execution::{Event, Executor, StepOutcome, SymbolicState};
use crate::model::Action;
use crate::testcase::Data;
use rustc_hash::FxHashSet;
use term::{Op, Sort, Store, Term, Value};

/// States looked at before an input is chosen.
const FORESIGHT: usize = 48;

/// Where outputs are possible too, one in so many times an input is sent first.
const HURRY: usize = 4;

/// One in so many inputs is drawn at random rather than at a boundary.
const ANYWHERE: usize = 3;

/// Boundaries that are tried for one input.
const BOUNDARIES: usize = 4;

/// What online testing remembers from one message, and one system, to the next.
pub(super) struct Choices {
    /// Where values come from.
    pub data: Data,
    /// The boundaries that were tried: the transition that takes the input, which of the
    /// comparisons, and which side.
    tried: FxHashSet<(usize, usize, i8)>,
}

impl Choices {
    pub fn new(seed: u64) -> Choices {
        Choices {
            data: Data::new(seed),
            tried: FxHashSet::default(),
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
    transition: usize,
    channel: usize,
    values: Vec<Term>,
    /// The state right after it.
    after: SymbolicState,
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
                        transition: step.first,
                        channel,
                        values,
                        after: state.clone(),
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
        let first = best.first?;
        let at_boundary = match choices.data.below(ANYWHERE) {
            0 => None,
            _ => boundary(self.executor, &first, choices),
        };
        let state = match at_boundary {
            Some(state) => state,
            None => choices
                .data
                .diversified(self.executor, &best.state, &first.values),
        };
        let values = self.executor.values(&first.values, &state.model)?;
        Some((first.channel, values))
    }
}

/// The state after an input whose values are at the boundary of a condition, or just beside
/// it; rather one that was not tried.
fn boundary(
    executor: &mut Executor<'_, '_>,
    first: &FirstInput,
    choices: &mut Choices,
) -> Option<SymbolicState> {
    let comparisons = comparisons(executor, first);
    let mut sides: Vec<(usize, i8)> = (0..comparisons.len())
        .flat_map(|number| [-1, 0, 1].map(|side| (number, side)))
        .collect();
    let key = |(number, side): (usize, i8)| (first.transition, number, side);
    // In random order, those that were tried last.
    for number in (1..sides.len()).rev() {
        sides.swap(number, choices.data.below(number + 1));
    }
    sides.sort_by_key(|&side| choices.tried.contains(&key(side)));
    for side in sides.into_iter().take(BOUNDARIES) {
        choices.tried.insert(key(side));
        let (a, b) = comparisons[side.0];
        let Some(equation) = beside(&mut executor.store, a, b, side.1) else {
            continue;
        };
        if let StepOutcome::Feasible(found) = executor.assume(&first.after, equation) {
            return Some(found.1);
        }
    }
    None
}

/// What is compared with what, in the conditions on the input and in those that the system
/// decides next, as far as the input has a part in it.
fn comparisons(executor: &mut Executor<'_, '_>, first: &FirstInput) -> Vec<(Term, Term)> {
    let mut conditions: Vec<Term> = first.after.path.constraints().collect();
    for step in executor.moves(&first.after.location) {
        let symbolic = executor.symbolic_step(&first.after, step, None);
        conditions.push(symbolic.condition);
    }
    let store = &executor.store;
    let inputs = term::free_variables(store, &first.values);
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = conditions;
    stack.reverse();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = store.args(term);
        let compares = matches!(store.op(term), Op::Eq | Op::Lt | Op::Le | Op::Ult | Op::Slt);
        if compares && store.sort(args[0]) != Sort::Bool {
            let free = term::free_variables(store, &[term]);
            if free.iter().any(|variable| inputs.contains(variable)) {
                found.push((args[0], args[1]));
            }
        }
        stack.extend(args);
    }
    found
}

/// That one side of a comparison is so much more than the other.
fn beside(store: &mut Store, a: Term, b: Term, side: i8) -> Option<Term> {
    let moved = match (store.sort(b), side) {
        (_, 0) => b,
        (Sort::Int, _) => {
            let by = store.int(side);
            store.add(b, by)
        }
        (Sort::Bv(width), 1) => {
            let one = store.bv(width, 1);
            store.bv_add(b, one)
        }
        (Sort::Bv(width), _) => {
            let one = store.bv(width, 1);
            store.bv_sub(b, one)
        }
        (Sort::Real, _) => {
            let by = num_rational::BigRational::new(side.into(), 100.into());
            let by = store.real(by);
            store.add(b, by)
        }
        _ => return None,
    };
    Some(store.eq(a, moved))
}
