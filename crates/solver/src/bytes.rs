//! Constraints about one byte: the values for which they hold.
//!
//! A path through a parser asks about one byte again and again, and every constraint on
//! it is part of all later queries. The values that satisfy a constraint are found once,
//! for all 256 at a time; after that a query about the byte is an intersection of small
//! sets.

use crate::enumerate::{Enumerated, Input, gray};
use crate::slices::{Slot, Slots};
use rustc_hash::FxHashMap;
use term::{Assignment, Evaluator, LANES, Lanes, Store, Term};

/// Values of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteValues([u64; LANES / 64]);

impl ByteValues {
    const ALL: ByteValues = ByteValues([u64::MAX; LANES / 64]);

    /// The values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u8> {
        let values = *self;
        (0..=u8::MAX).filter(move |&value| values.contains(value.into()))
    }

    fn contains(&self, value: u64) -> bool {
        self.0[value as usize / 64] >> (value % 64) & 1 != 0
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn and(&self, other: &ByteValues) -> ByteValues {
        ByteValues(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// The values that satisfy constraints about one byte, found once per constraint.
#[derive(Default)]
pub(crate) struct Bytes {
    lanes: Lanes,
    /// None for a constraint that is not about one byte, or too large.
    known: FxHashMap<Term, Option<ByteValues>>,
}

impl Bytes {
    /// Constraints of the query that exclude each other, if its newest is about one byte
    /// and no value of the byte satisfies all that are about it alone.
    pub fn refute(
        &mut self,
        store: &Store,
        slots: &mut Slots,
        query: &[Term],
        newest: Term,
    ) -> Option<Vec<Term>> {
        let about = slots.of(store, newest);
        if about.len() != 1 {
            return None;
        }
        let is_about_it = |&constraint: &Term| slots.of(store, constraint) == about;
        let constraints: Vec<Term> = query.iter().copied().filter(is_about_it).collect();
        match self.intersect(store, &constraints)? {
            Intersection::Empty(core) => Some(core),
            Intersection::Some(_) => None,
        }
    }

    /// The values of a byte that satisfy all of the constraints that are about it alone, as far
    /// as that is easy to say.
    pub fn possible(
        &mut self,
        store: &Store,
        slots: &mut Slots,
        constraints: &[Term],
        byte: Term,
    ) -> ByteValues {
        let about = slots.of(store, byte);
        let mut left = ByteValues::ALL;
        for &constraint in constraints {
            let values = match slots.of(store, constraint) == about {
                true => self.values(store, constraint),
                false => None,
            };
            left = left.and(&values.unwrap_or(ByteValues::ALL));
        }
        left
    }

    /// Decides constraints that are about these slots; none unless that is one byte.
    pub fn decide(
        &mut self,
        store: &Store,
        evaluator: &mut Evaluator,
        constraints: &[Term],
        slots: &[Slot],
        start: &Assignment,
    ) -> Option<Enumerated> {
        if slots.len() != 1 {
            return None;
        }
        let values = match self.intersect(store, constraints)? {
            Intersection::Empty(core) => return Some(Enumerated::Unsat(core)),
            Intersection::Some(values) => values,
        };
        // The value is the one that trying them one after the other would find.
        let mut numbers = (0..LANES as u64).map(gray);
        let value = numbers.find(|&value| values.contains(value))?;
        let mut model = start.clone();
        let input = Input::of(store, slots)?.pop()?;
        input.put(store, &mut model, value);
        // The evaluator is the meaning of terms; sets are only faster.
        let holds = evaluator.all_hold(store, &model, constraints);
        holds.then_some(Enumerated::Sat(model))
    }

    /// What satisfies all constraints, which are about the same slot.
    fn intersect(&mut self, store: &Store, constraints: &[Term]) -> Option<Intersection> {
        let mut left = ByteValues::ALL;
        let mut core = Vec::new();
        for &constraint in constraints {
            let fewer = left.and(&self.values(store, constraint)?);
            if fewer != left {
                core.push(constraint);
            }
            left = fewer;
        }
        Some(match left.is_empty() {
            true => Intersection::Empty(core),
            false => Intersection::Some(left),
        })
    }

    /// The values that satisfy a constraint.
    fn values(&mut self, store: &Store, constraint: Term) -> Option<ByteValues> {
        if let Some(&known) = self.known.get(&constraint) {
            return known;
        }
        let lane = self.lanes.of(store, constraint);
        let values = lane.map(|lane| {
            let mut values = ByteValues([0; LANES / 64]);
            for (value, &word) in lane.words.iter().enumerate() {
                values.0[value / 64] |= word << (value % 64);
            }
            values
        });
        self.known.insert(constraint, values);
        values
    }
}

/// What satisfies several constraints.
enum Intersection {
    Some(ByteValues),
    /// Nothing: these exclude each other.
    Empty(Vec<Term>),
}
