//! Flipping conditions on the bytes of standard input: the solver decides.

use engine::policy::Step;
use engine::policy::follow::{byte_variable, end_variable};
use engine::policy::generational::Marked;
use grammar::Random;
use machine::Machine;
use mixed::solver::{Answer, PathCondition};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use term::{Assignment, BitVec, Term, Value, Variable};

/// Other values tried where a condition is that something has one of many.
const OTHER_VALUES: usize = 4;

/// Inputs as bytes, of any length up to a bound.
pub struct ByteLevel {
    most: usize,
    /// The variables of each position: the byte, and whether the input has ended.
    variables: Vec<(Variable, Variable)>,
    /// Flips that were asked about, on any path.
    asked: FxHashSet<u64>,
}

/// What holds on the path up to a condition.
pub(crate) struct BytePath {
    input: Vec<u8>,
    model: Assignment,
    path: PathCondition,
    hash: u64,
}

impl ByteLevel {
    /// Inputs of up to so many bytes.
    pub fn new(most: usize) -> ByteLevel {
        ByteLevel {
            most,
            variables: Vec::new(),
            asked: FxHashSet::default(),
        }
    }

    pub(crate) fn marked(&self) -> Marked {
        Marked::Bytes { most: self.most }
    }

    pub(crate) fn begin(&mut self, input: &[u8], model: &Assignment) -> BytePath {
        BytePath {
            input: input.to_vec(),
            model: model.clone(),
            path: PathCondition::new(),
            hash: 0,
        }
    }

    pub(crate) fn advance(&mut self, machine: &mut Machine<'_>, path: &mut BytePath, step: &Step) {
        let condition = step.condition();
        machine.mixed.add(&machine.store, &mut path.path, condition);
        path.hash = hash_of(&(path.hash, condition));
    }

    /// Inputs for which the path is the same up to the step, and the step goes
    /// another way.
    pub(crate) fn flip(
        &mut self,
        machine: &mut Machine<'_>,
        path: &BytePath,
        step: &Step,
        random: &mut Random,
    ) -> Vec<Vec<u8>> {
        let mut flipped = machine.store.not(step.condition());
        if !self.asked.insert(hash_of(&(path.hash, flipped))) {
            return Vec::new();
        }
        let mut inputs = Vec::new();
        let tries = if step.is_value() { OTHER_VALUES } else { 1 };
        for _ in 0..tries {
            let answer =
                machine
                    .mixed
                    .check_extended(&mut machine.store, &path.path, &path.model, flipped);
            let Answer::Sat(model) = answer else {
                break;
            };
            inputs.push(self.input(machine, &path.input, &model, random));
            if step.is_value() {
                let Some(same) = same_value(machine, step.condition(), &model) else {
                    break;
                };
                let other = machine.store.not(same);
                flipped = machine.store.and(flipped, other);
            }
        }
        inputs
    }

    /// The input that an assignment stands for. What it does not speak of stays as
    /// it was; bytes that are new and free are drawn.
    fn input(
        &mut self,
        machine: &mut Machine<'_>,
        before: &[u8],
        model: &Assignment,
        random: &mut Random,
    ) -> Vec<u8> {
        let mut input = Vec::new();
        for at in 0..self.most {
            let (byte, end) = self.variables(machine, at);
            let ended = match model.get(end) {
                Some(value) => *value == Value::Bool(true),
                None => at >= before.len(),
            };
            if ended {
                break;
            }
            let value = model.get(byte).and_then(Value::to_word);
            let value = value.map(|word| word as u8).or(before.get(at).copied());
            input.push(value.unwrap_or_else(|| b' ' + random.below(95) as u8));
        }
        input
    }

    fn variables(&mut self, machine: &mut Machine<'_>, at: usize) -> (Variable, Variable) {
        while self.variables.len() <= at {
            let next = self.variables.len();
            let store = &mut machine.store;
            let pair = (byte_variable(store, next).0, end_variable(store, next).0);
            self.variables.push(pair);
        }
        self.variables[at]
    }
}

/// For a condition that a term equals a number: that it equals what it does in
/// the model.
fn same_value(machine: &mut Machine<'_>, condition: Term, model: &Assignment) -> Option<Term> {
    let arguments = machine.store.args(condition).to_vec();
    let [a, b] = arguments[..] else {
        return None;
    };
    let term = if machine.store.as_word(a).is_some() {
        b
    } else {
        a
    };
    let value = machine.mixed.under(&machine.store, model).value(term);
    let Value::Bv(bits) = value else {
        return None;
    };
    let constant: Term = machine.store.bv_value(BitVec::clone(&bits));
    Some(machine.store.eq(term, constant))
}

/// A hash that is the same in every run.
pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A cache of what is known of terms.
pub(crate) type OfTerm<T> = FxHashMap<Term, T>;
