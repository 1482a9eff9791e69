//! The positions of an input as a program's conditions speak of them: variables, the
//! few values that each can have, and for which of these a condition holds.

use crate::bytes::OfTerm;
use engine::policy::follow::{byte_variable, end_variable};
use engine::policy::generational::{Marked, token_variable};
use grammar::{Letter, LetterSet};
use machine::Machine;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Assignment, BitVec, Evaluator, Store, Term, Value, Variable};

/// The positions of inputs, and what conditions say about them. Sets are of the
/// numbers of values.
pub(crate) struct Positions {
    pub marked: Marked,
    width: u16,
    /// The values of a position, the last of which may be the end.
    values: Vec<u64>,
    /// The number of the value that is the end.
    pub end: Option<usize>,
    value_of: FxHashMap<u64, usize>,
    variables: Vec<Position>,
    position_of: FxHashMap<Variable, usize>,
    evaluator: Evaluator,
    /// The positions that conditions speak of.
    spoken_of: OfTerm<Rc<[usize]>>,
    /// The values for which conditions on one position hold.
    sets: OfTerm<LetterSet>,
}

/// The variables of a position.
#[derive(Clone, Copy)]
struct Position {
    letter: (Variable, Term),
    /// Whether the input has ended, where that is no letter.
    end: Option<(Variable, Term)>,
}

impl Positions {
    /// Positions with these values of so many bits, one of which may be the end.
    pub fn new(marked: Marked, width: u16, values: Vec<u64>, end: Option<usize>) -> Positions {
        Positions {
            marked,
            width,
            value_of: values.iter().copied().zip(0..).collect(),
            values,
            end,
            variables: Vec::new(),
            position_of: FxHashMap::default(),
            evaluator: Evaluator::default(),
            spoken_of: OfTerm::default(),
            sets: OfTerm::default(),
        }
    }

    /// How many values a position has.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// The number of a value.
    pub fn number(&self, value: u64) -> Option<usize> {
        self.value_of.get(&value).copied()
    }

    /// Every value.
    pub fn every(&self) -> LetterSet {
        LetterSet::all(self.values.len())
    }

    /// This value alone.
    pub fn only(&self, value: usize) -> LetterSet {
        LetterSet::of(self.values.len(), [value as Letter])
    }

    /// The value that a position has in a model.
    pub fn value_in(&self, model: &Assignment, at: usize) -> Option<usize> {
        let position = self.variables[at];
        if let Some((end, _)) = position.end
            && model.get(end) == Some(&Value::Bool(true))
        {
            return self.end;
        }
        let word = model.get(position.letter.0).and_then(Value::to_word);
        self.value_of.get(&word.unwrap_or(0)).copied()
    }

    /// That a position has one of the values allowed.
    pub fn domain(
        &mut self,
        machine: &mut Machine<'_>,
        set: Option<&LetterSet>,
        at: usize,
    ) -> Term {
        let set = set.cloned().unwrap_or_else(|| self.every());
        let cases: Vec<Term> = set
            .iter()
            .map(|value| self.is(machine, at, usize::from(value)))
            .collect();
        machine.store.or_all(cases)
    }

    /// That a position has this value.
    pub fn is(&mut self, machine: &mut Machine<'_>, at: usize, value: usize) -> Term {
        let position = self.position(machine, at);
        let constant = machine.store.bv(self.width, self.values[value]);
        match position.end {
            Some((_, ended)) if Some(value) == self.end => ended,
            Some((_, ended)) => {
                let goes_on = machine.store.not(ended);
                let equal = machine.store.eq(position.letter.1, constant);
                machine.store.and(goes_on, equal)
            }
            None => machine.store.eq(position.letter.1, constant),
        }
    }

    /// The values of a position for which a condition on it alone holds.
    pub fn set(&mut self, store: &Store, condition: Term, at: usize) -> LetterSet {
        if let Some(set) = self.sets.get(&condition) {
            return set.clone();
        }
        let position = self.variables[at];
        let mut set = LetterSet::none(self.values.len());
        for (value, &word) in self.values.iter().enumerate() {
            let mut assignment = Assignment::new();
            let ended = position.end.is_some() && Some(value) == self.end;
            if let Some((end, _)) = position.end {
                assignment.set(end, Value::Bool(ended));
            }
            if !ended {
                let bits = BitVec::from_u64(self.width, word);
                assignment.set(position.letter.0, Value::Bv(bits));
            }
            if self.evaluator.under(store, &assignment).holds(condition) {
                set.insert(value as Letter);
            }
        }
        self.sets.insert(condition, set.clone());
        set
    }

    /// The positions that a condition speaks of.
    pub fn of(&mut self, machine: &mut Machine<'_>, condition: Term) -> Rc<[usize]> {
        if let Some(positions) = self.spoken_of.get(&condition) {
            return positions.clone();
        }
        let variables = term::free_variables(&machine.store, &[condition]);
        let mut positions: Vec<usize> = variables
            .into_iter()
            .filter_map(|variable| self.find(machine, variable))
            .collect();
        positions.sort_unstable();
        positions.dedup();
        let positions: Rc<[usize]> = positions.into();
        self.spoken_of.insert(condition, positions.clone());
        positions
    }

    /// The position of a variable. A run makes variables in the order of positions,
    /// so one that is not known belongs to a position after all that are.
    fn find(&mut self, machine: &mut Machine<'_>, variable: Variable) -> Option<usize> {
        const AHEAD: usize = 1024;
        let mut tried = 0;
        while !self.position_of.contains_key(&variable) && tried < AHEAD {
            let next = self.variables.len();
            self.position(machine, next);
            tried += 1;
        }
        self.position_of.get(&variable).copied()
    }

    fn position(&mut self, machine: &mut Machine<'_>, at: usize) -> Position {
        while self.variables.len() <= at {
            let next = self.variables.len();
            let (letter, end) = match self.marked {
                Marked::Tokens(_) => (token_variable(&mut machine.store, next, self.width), None),
                Marked::Bytes { .. } => (
                    byte_variable(&mut machine.store, next),
                    Some(end_variable(&mut machine.store, next)),
                ),
            };
            self.position_of.insert(letter.0, next);
            if let Some((end, _)) = end {
                self.position_of.insert(end, next);
            }
            self.variables.push(Position { letter, end });
        }
        self.variables[at]
    }
}
