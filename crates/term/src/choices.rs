//! The constants that a term chooses among.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Store, Term};

/// More alternatives than this are not listed.
const MOST: usize = 64;
/// How deep choices are followed; deeper ones choose among too much anyway.
const DEEPEST: usize = 64;
/// How many terms are looked at: choices by the same few conditions at each of many
/// levels have few alternatives and exponentially many ways to them.
const STEPS: usize = 1024;

/// Constants of at most 64 bits of which a term is always one: not all need be possible.
/// None if it is not made of choices between a few constants.
///
/// A pointer that was chosen among objects, stored and read again is a choice in each of its
/// bytes. They are put together here by the conditions that they share.
///
/// ```
/// use term::{Sort, Store, choices};
///
/// let mut store = Store::new();
/// let [c, d] = ["c", "d"].map(|name| store.var(name, Sort::Bool));
/// let [near, far, null] = [0x1080, 0x2080, 0].map(|address| store.bv(16, address));
/// let rest = store.ite(d, far, null);
/// let pointer = store.ite(c, near, rest);
/// let [high, low] = [8, 0].map(|at| store.extract(pointer, at, 8));
/// let read = store.concat(high, low);
/// assert_eq!(choices(&store, read), Some(vec![0, 0x1080, 0x2080]));
/// ```
pub fn choices(store: &Store, term: Term) -> Option<Vec<u64>> {
    let mut listing = Listing {
        store,
        steps: STEPS,
    };
    let alternatives = listing.alternatives(term, DEEPEST)?;
    let mut values: Vec<u64> = alternatives.iter().map(|one| one.value).collect();
    values.sort_unstable();
    values.dedup();
    Some(values)
}

/// What a term is where some conditions hold and others do not.
#[derive(Clone)]
struct Alternative {
    value: u64,
    conditions: Vec<(Term, bool)>,
}

impl Alternative {
    /// The same where that is so as well, unless it cannot be.
    fn given(mut self, store: &Store, condition: Term, truth: bool) -> Option<Alternative> {
        let mut open = vec![(condition, truth)];
        while let Some((condition, truth)) = open.pop() {
            if self.conditions.contains(&(condition, !truth)) {
                return None;
            }
            if self.conditions.contains(&(condition, truth)) {
                continue;
            }
            self.conditions.push((condition, truth));
            match (store.op(condition), truth) {
                (Op::Not, _) => open.push((store.args(condition)[0], !truth)),
                (Op::And, true) => open.extend(store.args(condition).iter().map(|&a| (a, true))),
                _ => {}
            }
        }
        let is_possible = |&(condition, truth): &(Term, bool)| {
            let mut parts = store.args(condition).iter();
            truth || store.op(condition) != Op::And || !parts.all(|&part| self.holds(store, part))
        };
        self.conditions.iter().all(is_possible).then_some(self)
    }

    /// Whether a condition is known to hold.
    fn holds(&self, store: &Store, condition: Term) -> bool {
        let opposite = match store.op(condition) {
            Op::Not => self.conditions.contains(&(store.args(condition)[0], false)),
            _ => false,
        };
        opposite || self.conditions.contains(&(condition, true))
    }
}

struct Listing<'a> {
    store: &'a Store,
    steps: usize,
}

impl Listing<'_> {
    fn alternatives(&mut self, term: Term, depth: usize) -> Option<Vec<Alternative>> {
        let store = self.store;
        let width = bits(store, term).filter(|&width| width <= 64)?;
        if let Some(value) = store.as_word(term) {
            let conditions = Vec::new();
            return Some(vec![Alternative { value, conditions }]);
        }
        self.steps = self.steps.checked_sub(1)?;
        let deeper = depth.checked_sub(1)?;
        let mut of = |argument: usize| self.alternatives(store.args(term)[argument], deeper);
        let mask = u64::MAX >> (64 - width);
        let found = match store.op(term) {
            Op::Ite => {
                let condition = store.args(term)[0];
                let mut side = |argument, truth| {
                    let alternatives = of(argument)?.into_iter();
                    Some(alternatives.filter_map(move |one| one.given(store, condition, truth)))
                };
                side(1, true)?.chain(side(2, false)?).collect()
            }
            Op::Concat => {
                let low = bits(store, store.args(term)[1])?;
                together(store, &of(0)?, &of(1)?, |a, b| a << low | b)
            }
            Op::BvAdd => together(store, &of(0)?, &of(1)?, |a, b| a.wrapping_add(b) & mask),
            Op::Extract => {
                let [low, _] = store.indices(term);
                each(of(0)?, |value| value >> low & mask)
            }
            Op::Zext => of(0)?,
            _ => return None,
        };
        (found.len() <= MOST).then_some(found)
    }
}

fn bits(store: &Store, term: Term) -> Option<u16> {
    match store.sort(term) {
        Sort::Bv(width) => Some(width),
        _ => None,
    }
}

fn each(mut alternatives: Vec<Alternative>, value: impl Fn(u64) -> u64) -> Vec<Alternative> {
    for one in &mut alternatives {
        one.value = value(one.value);
    }
    alternatives
}

/// The alternatives of a term of two arguments: those of both that can be at once.
fn together(
    store: &Store,
    first: &[Alternative],
    second: &[Alternative],
    value: impl Fn(u64, u64) -> u64,
) -> Vec<Alternative> {
    let mut found = Vec::new();
    for a in first {
        for b in second {
            let mut conditions = b.conditions.iter();
            let both = conditions.try_fold(a.clone(), |both, &(condition, truth)| {
                both.given(store, condition, truth)
            });
            found.extend(both.map(|both| Alternative {
                value: value(a.value, b.value),
                ..both
            }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_hold_at_once_is_left_out() {
        let mut store = Store::new();
        let [c, d] = ["c", "d"].map(|name| store.var(name, Sort::Bool));
        let both = store.and(c, d);
        let [one, two, four] = [1, 2, 4].map(|value| store.bv(8, value));
        let zero = store.bv(8, 0);
        let high = store.ite(both, one, zero);
        let inner = store.ite(d, two, four);
        let low = store.ite(c, inner, zero);
        let sum = store.bv_add(high, low);
        // 1 and 2 only together.
        assert_eq!(choices(&store, sum), Some(vec![0, 3, 4]));
    }

    #[test]
    fn few_conditions_at_many_levels_are_given_up_and_not_followed_for_ever() {
        let mut store = Store::new();
        let conditions = ["c", "d", "e"].map(|name| store.var(name, Sort::Bool));
        let mut place = store.bv(64, 0x1000);
        for level in 0..60 {
            let step = store.bv(64, 1 << level);
            let chosen = store.ite(conditions[level % 3], place, step);
            place = store.bv_add(place, chosen);
        }
        assert_eq!(choices(&store, place), None);
    }

    #[test]
    fn a_term_that_computes_has_no_choices() {
        let mut store = Store::new();
        let c = store.var("c", Sort::Bool);
        let x = store.var("x", Sort::Bv(64));
        let eight = store.bv(64, 8);
        let chosen = store.ite(c, x, eight);
        assert_eq!(choices(&store, chosen), None);
        assert_eq!(choices(&store, eight), Some(vec![8]));
    }
}
