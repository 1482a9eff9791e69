//! Between which numbers an input has to be.
//!
//! A number that is drawn from anywhere is seldom one that a narrow condition allows, and what a
//! solver then finds is nearly always the same. So the bounds that a path states are read off, and
//! the number is drawn between them.

use crate::execution::SymbolicState;
use num_bigint::BigInt;
use term::{BitVec, Op, Sort, Store, Term, Value};

/// The most numbers of an interval that is drawn from evenly: from larger ones, small numbers
/// rather than large ones are drawn.
const EVENLY: usize = 20_000;

/// The most values that are few.
const FEW: usize = 12;

/// All numbers from the least to the greatest.
pub(super) struct Interval {
    sort: Sort,
    least: BigInt,
    greatest: BigInt,
}

impl Interval {
    /// What the path says about an input; none where a bound is missing.
    pub fn of(store: &Store, state: &SymbolicState, input: Term) -> Option<Interval> {
        let sort = store.sort(input);
        let (mut least, mut greatest): (Option<BigInt>, Option<BigInt>) = match sort {
            Sort::Int => (None, None),
            Sort::Bv(_) => (Some(0.into()), None),
            _ => return None,
        };
        let mut conditions: Vec<Term> = state.path.constraints().collect();
        while let Some(condition) = conditions.pop() {
            let (comparison, holds) = match store.op(condition) {
                Op::And => {
                    conditions.extend(store.args(condition));
                    continue;
                }
                Op::Not => (store.args(condition)[0], false),
                _ => (condition, true),
            };
            let is_strict = match store.op(comparison) {
                Op::Lt | Op::Ult => true,
                Op::Le => false,
                _ => continue,
            };
            let args = store.args(comparison);
            let (from, to) = match holds {
                true => (args[0], args[1]),
                false => (args[1], args[0]),
            };
            // What does not hold turns round: not `a < b` is `b <= a`.
            let by = i32::from(is_strict == holds);
            if to == input
                && let Some(bound) = number(store, from)
            {
                let bound = bound + by;
                least = Some(least.map_or(bound.clone(), |it| it.max(bound)));
            } else if from == input
                && let Some(bound) = number(store, to)
            {
                let bound = bound - by;
                greatest = Some(greatest.map_or(bound.clone(), |it| it.min(bound)));
            }
        }
        let (least, greatest) = (least?, greatest?);
        (least <= greatest).then_some(Interval {
            sort,
            least,
            greatest,
        })
    }

    /// Whether there are few values, as an enumeration has.
    pub fn is_small(&self) -> bool {
        self.size().is_some_and(|size| size <= FEW)
    }

    /// How many numbers there are, where these are not too many to draw from evenly.
    pub fn size(&self) -> Option<usize> {
        let size: BigInt = &self.greatest - &self.least + 1;
        let size = usize::try_from(size).ok()?;
        (size <= EVENLY).then_some(size)
    }

    /// The number after so many others.
    pub fn nth(&self, number: usize) -> Value {
        let found = &self.least + number;
        match self.sort {
            Sort::Bv(width) => Value::Bv(BitVec::from_int(width, &found)),
            _ => Value::Int(found),
        }
    }
}

/// A number that is known.
fn number(store: &Store, term: Term) -> Option<BigInt> {
    match store.as_value(term)? {
        Value::Int(number) => Some(number),
        Value::Bv(number) => Some(number.to_big().into()),
        _ => None,
    }
}
