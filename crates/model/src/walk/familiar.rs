//! Which states walks have been in, seen from afar.
//!
//! Inputs by turns seldom come to states that need several of the right ones in a row: two clients
//! connected and subscribed, a queue with one message that is kept. So a walk now and then looks
//! one input ahead, and goes where it was least.

use super::is_input;
use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState};
use crate::liveness::Liveness;
use crate::model::Model;
use crate::types::{Shape, Type};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use term::Value;

/// Steps of the system by itself that are looked ahead, and states that are looked at for one
/// input.
const AHEAD: usize = 6;
const MOST: usize = 24;

/// What is seen of a state: where the automata are, truth values and enumerations, how many
/// elements collections have, and whether numbers are negative, none, one, two or more; of what is
/// read again.
type Outline = Vec<i64>;

/// What is seen of a leaf.
#[derive(Clone, Copy)]
pub(super) enum Seen {
    /// Nothing: which values a collection has is data, and seldom decides what can be done.
    Nothing,
    /// Its value.
    Exactly,
    /// Roughly how large it is.
    Roughly,
}

/// An input that was looked at.
pub(super) struct Ahead {
    pub step: Move,
    /// What it takes, and where that leads.
    pub event: Event,
    pub after: SymbolicState,
    /// Where the system waits then.
    pub end: SymbolicState,
}

/// How often walks waited in which states.
pub(super) struct Familiar {
    liveness: Liveness,
    /// What is seen of each leaf.
    seen: Vec<Seen>,
    times: FxHashMap<Outline, usize>,
    /// How often each input was taken there, by the transition that takes it.
    taken: FxHashMap<Outline, FxHashMap<usize, usize>>,
}

impl Familiar {
    pub fn new(model: &Model) -> Familiar {
        Familiar {
            liveness: Liveness::of(model, &[]),
            seen: seen_of(model),
            times: FxHashMap::default(),
            taken: FxHashMap::default(),
        }
    }

    /// Takes note that the system waits here.
    pub fn note(&mut self, executor: &mut Executor<'_, '_>, state: &SymbolicState) {
        if let Some(outline) = self.outline(executor, state) {
            *self.times.entry(outline).or_default() += 1;
        }
    }

    /// By transition: how often walks took its input here.
    pub fn taken(
        &self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
    ) -> FxHashMap<usize, usize> {
        let outline = self.outline(executor, state);
        let known = outline.and_then(|it| self.taken.get(&it));
        known.cloned().unwrap_or_default()
    }

    /// Takes note of an input that is taken here.
    pub fn note_input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        transition: usize,
    ) {
        if let Some(outline) = self.outline(executor, state) {
            let here = self.taken.entry(outline).or_default();
            *here.entry(transition).or_default() += 1;
        }
    }

    /// The input that leads where walks were least. The first of several, so their order should
    /// be random.
    pub fn least(
        &self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        inputs: &[Move],
    ) -> Option<Ahead> {
        let mut best: Option<(usize, Ahead)> = None;
        for &step in inputs {
            let StepOutcome::Feasible(found) = executor.step(state, step) else {
                continue;
            };
            let (event, after) = *found;
            for end in settled(executor, after.clone()) {
                let Some(outline) = self.outline(executor, &end) else {
                    continue;
                };
                let times = self.times.get(&outline).copied().unwrap_or(0);
                if best.as_ref().is_none_or(|(least, _)| times < *least) {
                    let ahead = Ahead {
                        step,
                        event: event.clone(),
                        after: after.clone(),
                        end,
                    };
                    best = Some((times, ahead));
                }
            }
        }
        best.map(|(_, ahead)| ahead)
    }

    fn outline(&self, executor: &mut Executor<'_, '_>, state: &SymbolicState) -> Option<Outline> {
        let values = executor.values(&state.valuation, &state.model)?;
        let places = state.location.iter().map(|&it| it as i64);
        let leaves = values.iter().zip(&self.seen).enumerate();
        let classes = leaves.map(|(leaf, (value, seen))| {
            match self.liveness.forgotten(&state.location, leaf) {
                Some(_) => 0,
                None => class(*seen, value),
            }
        });
        Some(places.chain(classes).collect())
    }
}

/// By leaf of the variables: what is seen of it.
pub(super) fn seen_of(model: &Model) -> Vec<Seen> {
    let mut seen = Vec::new();
    for variable in &model.variables {
        see(&variable.ty, false, &mut seen);
    }
    seen
}

/// What is seen of the leaves of a type, which may be that of the elements of a collection.
fn see(ty: &Type, is_element: bool, found: &mut Vec<Seen>) {
    match ty {
        Type::Array(element, length) => {
            for _ in 0..*length {
                see(element, is_element, found);
            }
        }
        Type::Record(record) => {
            let is_collection = matches!(record.shape, Shape::List | Shape::Set | Shape::Map);
            for (number, (_, field)) in record.fields.iter().enumerate() {
                match is_collection && number == 0 {
                    true => found.push(Seen::Exactly),
                    false => see(field, is_element || is_collection, found),
                }
            }
        }
        Type::Bool | Type::Enumeration(_) => found.push(Seen::Exactly),
        _ if is_element => found.push(Seen::Nothing),
        _ => found.push(Seen::Roughly),
    }
}

/// What is seen of a value.
fn class(seen: Seen, value: &Value) -> i64 {
    match (seen, value) {
        (Seen::Nothing, _) => 0,
        (_, Value::Bool(holds)) => i64::from(*holds),
        (Seen::Exactly, Value::Int(number)) => i64::try_from(number).unwrap_or(0),
        (Seen::Roughly, Value::Int(number)) => {
            let near = number.clone().clamp(BigInt::from(-1), BigInt::from(3));
            i64::try_from(near).unwrap_or(0)
        }
        (_, Value::Str(text)) => i64::from(!text.is_empty()),
        _ => 0,
    }
}

/// Where the system may come to wait, from here by its own steps.
fn settled(executor: &mut Executor<'_, '_>, state: SymbolicState) -> Vec<SymbolicState> {
    let (mut ends, mut waiting) = (Vec::new(), vec![(state, 0)]);
    for _ in 0..MOST {
        let Some((state, depth)) = waiting.pop() else {
            break;
        };
        let mut own = executor.moves(&state.location);
        own.retain(|step| !is_input(executor.model, step));
        let mut goes_on = false;
        for step in own {
            if let StepOutcome::Feasible(found) = executor.step(&state, step) {
                goes_on = true;
                if depth < AHEAD {
                    waiting.push((found.1, depth + 1));
                }
            }
        }
        if !goes_on {
            ends.push(state);
        }
    }
    ends
}
