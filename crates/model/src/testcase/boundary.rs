//! Inputs at the boundaries of conditions, where faults are.

use super::Data;
use super::data::rounded;
use crate::execution::{Event, Executor, StepOutcome, SymbolicState};
use rustc_hash::FxHashSet;
use term::{Op, Sort, Store, Term, Value};

/// One in so many inputs is drawn at random rather than at a boundary.
const ANYWHERE: usize = 3;

/// Boundaries that are tried for one input.
const MOST: usize = 4;

/// The boundaries that were tried: the transition that takes the input, which of the
/// comparisons, and which side.
#[derive(Default)]
pub(crate) struct Boundaries {
    tried: FxHashSet<(usize, usize, i8)>,
}

/// An input that a transition takes, with values that are still open.
#[derive(Clone)]
pub(crate) struct TakenInput {
    pub transition: usize,
    pub values: Vec<Term>,
    /// The state right after it.
    pub after: SymbolicState,
}

impl TakenInput {
    /// The state after it with these values; none if that was not decided, or there are none.
    pub fn with(&self, executor: &mut Executor<'_, '_>, values: &[Value]) -> Option<SymbolicState> {
        if values.is_empty() {
            return None;
        }
        let given = executor.constants(values);
        let pairs = self.values.iter().zip(given);
        let store = &mut executor.store;
        let equal: Vec<Term> = pairs.map(|(&open, given)| store.eq(open, given)).collect();
        let is_so = store.and_all(equal);
        match executor.assume(&self.after, is_so) {
            StepOutcome::Feasible(found) => Some(found.1),
            StepOutcome::Infeasible | StepOutcome::Unknown(_) => None,
        }
    }
}

impl Boundaries {
    /// The state after an input with values: those of a message that came before, such as are at
    /// a boundary, or others, which lead towards a state where one is wanted.
    pub fn chosen(
        &mut self,
        executor: &mut Executor<'_, '_>,
        taken: &TakenInput,
        (channel, towards): (usize, Option<&SymbolicState>),
        data: &mut Data,
    ) -> SymbolicState {
        let before = data.again(channel);
        let repeated = before.and_then(|values| taken.with(executor, &values));
        let towards = towards.unwrap_or(&taken.after);
        // A boundary on the way to the state, or any.
        let from = match data.below(2) {
            0 => towards,
            _ => &taken.after,
        };
        repeated
            .or_else(|| self.beside(executor, taken, from, data))
            .unwrap_or_else(|| data.diversified(executor, towards, &taken.values))
    }

    /// The state after an input whose values are at the boundary of a condition, or just
    /// beside it; rather one that was not tried. None where no boundary can be met, and now
    /// and then, so that other values come too.
    fn beside(
        &mut self,
        executor: &mut Executor<'_, '_>,
        taken: &TakenInput,
        from: &SymbolicState,
        data: &mut Data,
    ) -> Option<SymbolicState> {
        if data.below(ANYWHERE) == 0 {
            return None;
        }
        let comparisons = comparisons(executor, taken);
        let mut sides: Vec<(usize, i8)> = (0..comparisons.len())
            .flat_map(|number| [-1, 0, 1].map(|side| (number, side)))
            .collect();
        let key = |(number, side): (usize, i8)| (taken.transition, number, side);
        // In random order, those that were tried last.
        for number in (1..sides.len()).rev() {
            sides.swap(number, data.below(number + 1));
        }
        sides.sort_by_key(|&side| self.tried.contains(&key(side)));
        for side in sides.into_iter().take(MOST) {
            self.tried.insert(key(side));
            let Some(equation) = comparisons[side.0].beside(&mut executor.store, side.1) else {
                continue;
            };
            // Where it is not on the way, it may be somewhere else.
            for from in [from, &taken.after] {
                if let StepOutcome::Feasible(found) = executor.assume(from, equation) {
                    return Some(rounded(executor, &found.1, &taken.values));
                }
            }
        }
        None
    }
}

/// Something that a condition compares.
#[derive(Clone, Copy)]
enum Compared {
    /// Two numbers, or values that are equal or not.
    Numbers(Term, Term),
    /// A condition on texts, which have no neighbours: it holds or it does not.
    Texts(Term),
}

impl Compared {
    /// That it is at its boundary, or on this side of it.
    fn beside(self, store: &mut Store, side: i8) -> Option<Term> {
        match (self, side) {
            (Compared::Numbers(a, b), _) => beside(store, a, b, side),
            (Compared::Texts(condition), 0) => Some(condition),
            (Compared::Texts(condition), 1) => Some(store.not(condition)),
            (Compared::Texts(_), _) => None,
        }
    }
}

/// What is compared with what, in the conditions on the input and in those that the system
/// decides next or computes with, as far as the input has a part in it.
fn comparisons(executor: &mut Executor<'_, '_>, taken: &TakenInput) -> Vec<Compared> {
    let mut conditions: Vec<Term> = taken.after.path.constraints().collect();
    // A value that is computed may depend on a condition, too.
    conditions.extend(taken.after.valuation.iter());
    for step in executor.moves(&taken.after.location) {
        let symbolic = executor.symbolic_step(&taken.after, step, None);
        conditions.push(symbolic.condition);
        conditions.extend(symbolic.valuation);
        if let Event::Output { values, .. } = symbolic.event {
            conditions.extend(values);
        }
    }
    let store = &executor.store;
    let inputs = term::free_variables(store, &taken.values);
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = conditions;
    stack.reverse();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = store.args(term);
        let compared = match store.op(term) {
            Op::Eq | Op::Lt | Op::Le | Op::Ult | Op::Slt
                if !matches!(store.sort(args[0]), Sort::Bool | Sort::String) =>
            {
                Some(Compared::Numbers(args[0], args[1]))
            }
            Op::Eq if store.sort(args[0]) == Sort::String => Some(Compared::Texts(term)),
            Op::StrContains | Op::StrPrefixOf | Op::StrSuffixOf | Op::StrInRe => {
                Some(Compared::Texts(term))
            }
            _ => None,
        };
        if let Some(compared) = compared {
            let free = term::free_variables(store, &[term]);
            if free.iter().any(|variable| inputs.contains(variable)) {
                found.push(compared);
            }
        }
        stack.extend(args);
    }
    found
}

/// That one side of a comparison is so much more than the other.
pub(crate) fn beside(store: &mut Store, a: Term, b: Term, side: i8) -> Option<Term> {
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
