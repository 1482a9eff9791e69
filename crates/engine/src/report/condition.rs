//! Conditions of a path in the words of the program's source.
//!
//! The machine knows inputs byte by byte; a person has an `int x` and a `request.length`. A
//! condition is written over the numbers that inputs are made of, or over the bytes of those
//! numbers where it is about single ones.

mod whole;
mod words;

use super::input_type::input_types;
use super::test_case::known_kind;
use machine::{Input, Machine, State};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::print::infix;
use term::{Evaluator, Op, Store, Substitution, Term, Variable, free_variables, post_order};
use whole::over_whole_numbers;
use words::{Learned, Words};

/// Ways to read unions that are tried.
const MOST_ALTERNATIVES: usize = 4;

/// Writes conditions over the inputs of paths; those of several paths share names.
#[derive(Default)]
pub struct Conditions {
    inputs: Vec<Learned>,
    known: FxHashSet<Rc<[Term]>>,
    /// For each way to read unions, the bytes of inputs as parts of numbers, and as
    /// themselves.
    readings: Vec<[Reading; 2]>,
    words: Words,
    written: FxHashMap<Term, Written>,
}

/// What stands for bytes of inputs.
#[derive(Default)]
struct Reading {
    bytes: FxHashMap<Term, Term>,
    substitution: Option<Substitution>,
}

/// A condition as text, and the variables that are in it.
struct Written {
    text: String,
    variables: Vec<Variable>,
}

impl Conditions {
    /// Learns the inputs of a path, whose conditions can be written from here on.
    pub fn learn(&mut self, machine: &mut Machine<'_>, state: &State) {
        let mut types = None;
        for input in state.inputs.all() {
            if !self.known.insert(input.bytes.clone()) {
                continue;
            }
            let types = types.get_or_insert_with(|| input_types(machine));
            let what = types.type_of(&as_in_suite(input));
            let store = &mut machine.store;
            let Some(learned) = Learned::new(store, input, what) else {
                continue;
            };
            for (alternative, readings) in self.readings.iter_mut().enumerate() {
                read(store, &mut self.words, readings, &learned, alternative);
            }
            let alternatives = learned.what.alternatives().min(MOST_ALTERNATIVES);
            self.inputs.push(learned);
            for alternative in self.readings.len()..alternatives {
                let mut readings = Default::default();
                for input in &self.inputs {
                    read(store, &mut self.words, &mut readings, input, alternative);
                }
                self.readings.push(readings);
            }
        }
    }

    /// The condition as text, its shared parts first.
    pub fn text(&mut self, store: &mut Store, condition: Term) -> &str {
        &self.written(store, condition).text
    }

    /// The numbers of inputs that a condition is about, each with the value it has on a
    /// path.
    pub fn values(
        &mut self,
        store: &mut Store,
        state: &State,
        condition: Term,
    ) -> Vec<(String, String)> {
        let variables = self.written(store, condition).variables.clone();
        let mut evaluator = Evaluator::default();
        let mut evaluation = evaluator.under(store, &state.model);
        let values = variables.into_iter().filter_map(|variable| {
            let byte = |byte| evaluation.word(byte) as u8;
            self.words.value(variable, byte)
        });
        values.collect()
    }

    fn written(&mut self, store: &mut Store, condition: Term) -> &Written {
        if !self.written.contains_key(&condition) {
            let best = self.best(store, condition);
            let written = Written {
                text: infix::term_in(store, best, &self.words),
                variables: free_variables(store, &[best]),
            };
            self.written.insert(condition, written);
        }
        &self.written[&condition]
    }

    /// The condition over what makes it shortest: whole numbers, if no parts of them are left.
    fn best(&mut self, store: &mut Store, condition: Term) -> Term {
        let mut best: Option<(usize, Term)> = None;
        for reading in self.readings.iter_mut().flatten() {
            let Reading {
                bytes,
                substitution,
            } = reading;
            let substitution = substitution.get_or_insert_with(|| Substitution::new(bytes));
            let other = substitution.apply(store, condition);
            let other = over_whole_numbers(store, other);
            // A byte that is no truth value may be one by its type, and a reading false.
            if store.as_bool(other).is_some() {
                continue;
            }
            let order = post_order(store, &[other]);
            // Bits of a number, or a number of another member of a union.
            let is_part = |term: &Term| {
                let op = store.op(*term);
                matches!(op, Op::Extract | Op::Concat | Op::FpFromBits | Op::FpToBits)
            };
            if !order.iter().any(is_part) && best.is_none() {
                return other;
            }
            if best.is_none_or(|(size, _)| order.len() < size) {
                best = Some((order.len(), other));
            }
        }
        best.map_or(condition, |(_, term)| term)
    }
}

/// Adds the bytes of an input to what stands for them.
fn read(
    store: &mut Store,
    words: &mut Words,
    [whole, bytes]: &mut [Reading; 2],
    input: &Learned,
    alternative: usize,
) {
    whole.bytes.extend(words.whole(store, input, alternative));
    bytes.bytes.extend(words.bytes(store, input, alternative));
    whole.substitution = None;
    bytes.substitution = None;
}

/// The input without its value, to look its type up by.
fn as_in_suite(input: &Input) -> suite::Input {
    let mut made = suite::Input::new(&*input.name, vec![0; input.bytes.len()]);
    made.kind = known_kind(input);
    made
}
