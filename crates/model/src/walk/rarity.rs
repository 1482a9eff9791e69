//! How seldom the system did on walks what it would do after an input.
//!
//! Some faults show at one value alone: a change of exactly five, the fourth place of a ring. Others
//! show when the same thing is used in a certain order: a key that is written again in a transaction,
//! and read before that ends. Where there are few values, a walk that prefers what it has not seen
//! meets all of them soon. Where there are many, all are new, and none is preferred.

use super::familiar::{Seen, seen_of};
use super::{is_input, taken};
use crate::execution::{Event, Executor, SymbolicState};
use crate::model::Model;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use term::Value;

/// Steps of the system by itself that are long.
const LONG: usize = 48;

/// What something that was never seen counts; what was seen n times counts a part of n and one.
const NEW: usize = 1000;

/// What the system does in answer to an input, as a number: the transitions that it takes, and the
/// truth values it has then.
type Deed = u64;

/// What it did last with some value, or in answer to an input without values, which may be about all
/// of them, as the end of a transaction is. The last one first.
type Past = [Deed; 3];

/// Something that the system does.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Sign {
    /// It takes a transition.
    Taken(usize),
    /// It sends a value there.
    Sent(usize, usize, Value),
    /// A variable has a value when it waits.
    Held(usize, Value),
    /// It does this with a value that it did those things with before, the last one first.
    Again(Deed, Past),
}

/// What the system does by itself after an input, until it waits.
pub(super) struct Answer {
    signs: Vec<Sign>,
    /// What came with the input.
    given: Vec<Value>,
    deed: Deed,
}

/// How often the system did what.
pub(super) struct Rarity {
    seen: Vec<Seen>,
    times: FxHashMap<Sign, usize>,
    /// By value that came: what the system did with it last.
    history: FxHashMap<Value, Past>,
}

impl Rarity {
    pub fn new(model: &Model) -> Rarity {
        Rarity {
            seen: seen_of(model),
            times: FxHashMap::default(),
            history: FxHashMap::default(),
        }
    }

    /// Another system has not done anything with any value.
    pub fn begin(&mut self) {
        self.history.clear();
    }

    /// What the system does after a transition that took these values; none where it takes too
    /// many steps.
    pub fn answer(
        &self,
        executor: &mut Executor<'_, '_>,
        (transition, given): (usize, &[Value]),
        after: &SymbolicState,
    ) -> Option<Answer> {
        let (mut signs, mut state) = (vec![Sign::Taken(transition)], after.clone());
        let mut deed = FxHasher::default();
        transition.hash(&mut deed);
        for _ in 0..LONG {
            let Some((number, event, after)) = own_step(executor, &state) else {
                self.held(executor, &state, &mut signs, &mut deed);
                let deed = deed.finish();
                for value in given.iter().filter(|it| !matches!(it, Value::Bool(_))) {
                    let before = self.history.get(value).copied().unwrap_or_default();
                    signs.push(Sign::Again(deed, before));
                }
                let given = given.to_vec();
                return Some(Answer { signs, given, deed });
            };
            number.hash(&mut deed);
            signs.push(Sign::Taken(number));
            if let Event::Output { values, .. } = event {
                let values = executor.values(&values, &after.model).unwrap_or_default();
                let values = values.into_iter().enumerate();
                signs.extend(values.map(|(leaf, value)| Sign::Sent(number, leaf, value)));
            }
            state = after;
        }
        None
    }

    /// Adds the values of the variables, but for those in collections, which are data.
    fn held(
        &self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        signs: &mut Vec<Sign>,
        deed: &mut FxHasher,
    ) {
        let values = executor.values(&state.valuation, &state.model);
        let values = values.unwrap_or_default().into_iter().zip(&self.seen);
        for (leaf, (value, seen)) in values.enumerate() {
            if let Seen::Nothing = seen {
                continue;
            }
            if let Value::Bool(holds) = value {
                holds.hash(deed);
            }
            signs.push(Sign::Held(leaf, value));
        }
    }

    /// The more, the less of it was done before.
    pub fn of(&self, answer: &Answer) -> usize {
        let signs = answer.signs.iter();
        let counts = signs.map(|sign| NEW / (1 + self.times.get(sign).copied().unwrap_or(0)));
        counts.sum()
    }

    /// Takes note of what the system does.
    pub fn note(&mut self, answer: Answer) {
        let happens = |past: &mut Past| {
            if past[0] != answer.deed {
                *past = [answer.deed, past[0], past[1]];
            }
        };
        if answer.given.is_empty() {
            self.history.values_mut().for_each(happens);
        }
        for value in answer.given {
            happens(self.history.entry(value).or_default());
        }
        for sign in answer.signs {
            *self.times.entry(sign).or_default() += 1;
        }
    }
}

/// A step that the system takes by itself.
fn own_step(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
) -> Option<(usize, Event, SymbolicState)> {
    let mut own = executor.moves(&state.location);
    own.retain(|step| !is_input(executor.model, step));
    own.into_iter().find_map(|step| {
        let (event, after) = taken(executor, state, step, None)?;
        Some((step.first, event, after))
    })
}

/// Whether the system does many steps by itself from here: a test that waits for all of them has
/// less to try.
pub(crate) fn talks_long(executor: &mut Executor<'_, '_>, state: &SymbolicState) -> bool {
    let mut state = state.clone();
    for _ in 0..LONG {
        match own_step(executor, &state) {
            Some((_, _, after)) => state = after,
            None => return false,
        }
    }
    true
}
