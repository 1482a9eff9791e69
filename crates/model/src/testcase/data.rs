//! Values for the inputs of tests.
//!
//! A path condition leaves most inputs open, and a solver fills them with zeros and equal
//! numbers, which hide faults: a system that adds where it should subtract, or exchanges two
//! values, is right about them. So each input is given, as far as the path allows, a random
//! value that is neither 0 nor 1 nor one that another input has.

use super::interval::Interval;
use crate::execution::{Executor, StepOutcome, SymbolicState};
use crate::model::DELAY;
use base::Random;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashSet;
use term::{BitVec, FpFormat, Op, RoundingMode, Sort, Store, Term, Value, Variable, fp};

/// Most random integers lie between two and this.
const LARGEST: usize = 97;

/// Values that are remembered, and one in so many of them that comes again.
const RECENT: usize = 12;
const AGAIN: usize = 3;

/// Two in so many messages came before, one of them last.
const TWICE: usize = 6;

/// One in so many numbers is at an end of the interval it is drawn from.
const AT_END: usize = 6;

/// One in so many values changes where most stay as they were.
const CHANGED: usize = 5;

/// How much longer than found a delay is looked for, in seconds, and how often that is halved.
const FAR: i64 = 16;
const HALVED: usize = 8;

/// Others have up to so many decimal places.
const PLACES: u32 = 7;

/// Where values for inputs come from; equal seeds give equal values.
pub struct Data {
    random: Random,
    /// Values that were given before, of which one comes again now and then: a system that should
    /// have forgotten one shows it then.
    recent: Vec<Value>,
    /// The messages they were in, by channel.
    messages: Vec<(usize, Vec<Value>)>,
    /// Values that the system has now: one that belongs to something else may be taken for the
    /// right one.
    held: Vec<Value>,
    /// By value of the next input: what it was the last time, where it rather stays so.
    kept: Vec<Option<Value>>,
    /// Whether delays are about as long as they may be.
    is_long: bool,
}

impl Data {
    /// Values that depend on this seed.
    pub fn new(seed: u64) -> Data {
        Data {
            random: Random::new(seed),
            recent: Vec::new(),
            messages: Vec::new(),
            held: Vec::new(),
            kept: Vec::new(),
            is_long: false,
        }
    }

    /// Does something with delays that are nearly as long as they may be: where the first ones are
    /// short, the others may have to last until the system has to send something, which comes first.
    pub(crate) fn with_long_delays<T>(&mut self, make: impl FnOnce(&mut Data) -> T) -> T {
        self.is_long = true;
        let made = make(self);
        self.is_long = false;
        made
    }

    /// Values for one input on a channel, of which those with few alternatives mostly stay as they
    /// were in the message before.
    pub(crate) fn steadily(
        &mut self,
        executor: &mut Executor<'_, '_>,
        (channel, state): (usize, &SymbolicState),
        inputs: &[Term],
    ) -> SymbolicState {
        let known = self.messages.iter().rev().find(|(it, _)| *it == channel);
        let known = known.map(|(_, values)| values.clone()).unwrap_or_default();
        let kept = known
            .into_iter()
            .map(|value| match self.random.below(CHANGED) {
                0 => None,
                _ => Some(value),
            });
        self.kept = kept.collect();
        let found = self.diversified(executor, state, inputs);
        self.kept.clear();
        found
    }

    /// Notes the values of the system's variables.
    pub(crate) fn hold(&mut self, values: Vec<Value>) {
        self.held = values;
    }

    /// Notes a message that was given.
    pub(crate) fn remember(&mut self, channel: usize, values: &[Value]) {
        if values.is_empty() {
            return;
        }
        self.messages.push((channel, values.to_vec()));
        let surplus = self.messages.len().saturating_sub(RECENT);
        self.messages.drain(..surplus);
        let told = values.iter().filter(|it| !matches!(it, Value::Bool(_)));
        self.recent.extend(told.cloned());
        let surplus = self.recent.len().saturating_sub(RECENT);
        self.recent.drain(..surplus);
    }

    /// All that was given was given to another system.
    pub(crate) fn forget(&mut self) {
        self.recent.clear();
        self.messages.clear();
        self.held.clear();
    }

    /// Now and then, a whole message that was given before: what came twice may have to be taken
    /// otherwise the second time.
    pub(crate) fn again(&mut self, channel: usize) -> Option<Vec<Value>> {
        let known = self.messages.iter().filter(|(it, _)| *it == channel);
        let known: Vec<Vec<Value>> = known.map(|(_, values)| values.clone()).collect();
        let last = known.last()?.clone();
        match self.random.below(TWICE) {
            0 => Some(last),
            1 => Some(known[self.random.below(known.len())].clone()),
            _ => None,
        }
    }

    /// Now and then, a value that was given before, or that the system has.
    fn recalled(&mut self, sort: Sort) -> Option<Value> {
        let known = self.recent.iter().chain(&self.held);
        let known = known.filter(|it| it.sort() == sort);
        let known: Vec<Value> = known.cloned().collect();
        match known.is_empty() || self.random.below(AGAIN) > 0 {
            true => None,
            false => Some(known[self.random.below(known.len())].clone()),
        }
    }

    /// The state with values for these inputs that tell them apart, where its path allows.
    pub(crate) fn diversified(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        inputs: &[Term],
    ) -> SymbolicState {
        let called = behind_calls(executor, state);
        let mut state = state.clone();
        let mut used: Vec<Term> = Vec::new();
        for (number, &input) in inputs.iter().enumerate() {
            // What conditions on results depend on is hard to change, and was chosen for a
            // reason.
            let variable = executor.store.as_variable(input);
            if variable.is_none_or(|variable| called.contains(&variable)) {
                continue;
            }
            let is_delay = is_delay(&executor.store, input);
            let found = executor.values(&[input], &state.model);
            let found = found.and_then(|values| values.into_iter().next());
            let wishes = match is_delay {
                true if self.is_long => longest(executor, &state, input, found.as_ref()),
                true => self.short(&mut executor.store, input, found.as_ref()),
                false => {
                    let kept = self.kept.get(number).cloned().flatten();
                    let interval = Interval::of(&executor.store, &state, input);
                    let near = Near {
                        found,
                        kept,
                        interval,
                    };
                    self.wishes(&mut executor.store, input, near, &used)
                }
            };
            for wish in wishes {
                if let StepOutcome::Feasible(found) = executor.assume(&state, wish) {
                    state = found.1;
                    break;
                }
            }
            state = rounded(executor, &state, &[input]);
            if let Some([value]) = executor.values(&[input], &state.model).as_deref() {
                let value = executor.store.value(value.clone());
                used.push(value);
            }
        }
        state
    }

    /// A delay is waited for, so it should be short; what a condition needs of it is left. One that
    /// may be shorter ends before the system has to send something, which would come first.
    fn short(&mut self, store: &mut Store, input: Term, found: Option<&Value>) -> Vec<Term> {
        let tenths = BigInt::from(1 + self.random.below(20));
        let mut times = vec![BigRational::new(tenths, 10.into())];
        if let Some(Value::Real(found)) = found {
            times.push(found - BigRational::new(1.into(), 10.into()));
            times.push(found.clone());
        }
        let wishes = times.into_iter().map(|time| {
            let time = store.real(time);
            store.eq(input, time)
        });
        wishes.collect()
    }

    /// What is wished of an input that can be so, the best first.
    fn wishes(&mut self, store: &mut Store, input: Term, near: Near, used: &[Term]) -> Vec<Term> {
        let sort = store.sort(input);
        let Near {
            found,
            kept,
            interval,
        } = near;
        let mut wishes = Vec::new();
        let is_small = interval.as_ref().is_some_and(Interval::is_small);
        if let Some(kept) = kept
            && (sort == Sort::Bool || is_small)
        {
            let kept = store.value(kept);
            wishes.push(store.eq(input, kept));
        }
        let mut drawn: Vec<Value> = self.recalled(sort).into_iter().collect();
        drawn.extend(interval.and_then(|it| self.drawn_from(&it)));
        drawn.extend(self.drawn(sort));
        // Where that is not possible, a small number may be, or one near what is.
        drawn.extend(self.drawn_small(sort));
        if let Some(Value::Int(found)) = found {
            let apart = self.small();
            drawn.extend([&found + &apart, found - apart].map(Value::Int));
        }
        for value in drawn {
            let value = store.value(value);
            if !used.contains(&value) {
                wishes.push(store.eq(input, value));
            }
        }
        if sort == Sort::Bool {
            wishes.truncate(1);
            return wishes;
        }
        let others: Vec<Term> = used
            .iter()
            .copied()
            .filter(|&value| store.sort(value) == sort)
            .collect();
        let apart = |store: &mut Store, values: &[Term]| {
            let unequal: Vec<Term> = values
                .iter()
                .map(|&value| {
                    let equal = store.eq(input, value);
                    store.not(equal)
                })
                .collect();
            store.and_all(unequal)
        };
        let plain: Vec<Term> = plain_values(sort)
            .into_iter()
            .map(|value| store.value(value))
            .collect();
        let all: Vec<Term> = plain.iter().chain(&others).copied().collect();
        wishes.push(apart(store, &all));
        if !others.is_empty() {
            wishes.push(apart(store, &others));
        }
        if let Some(first) = plain.first() {
            wishes.push(apart(store, &[*first]));
        }
        wishes
    }

    /// A number of an interval, its ends more often than others.
    fn drawn_from(&mut self, interval: &Interval) -> Option<Value> {
        let size = interval.size()?;
        let number = match (interval.is_small(), self.random.below(AT_END)) {
            (false, 0) => self.random.below(2) * (size - 1),
            _ => self.random.below(size),
        };
        Some(interval.nth(number))
    }

    /// A random value: a small number rather than a large one, but those and negative ones too.
    pub(crate) fn drawn(&mut self, sort: Sort) -> Option<Value> {
        match sort {
            Sort::Int => Some(Value::Int(self.integer())),
            Sort::Real => {
                let half = BigRational::new(1.into(), 2.into());
                let number = BigRational::from_integer(self.integer());
                Some(Value::Real(number + half))
            }
            Sort::Bv(width) => Some(Value::Bv(match self.random.below(4) {
                0 => BitVec::from_int(width, &self.small()),
                // What wraps, or is negative.
                1 => BitVec::from_int(width, &-self.small()),
                _ => BitVec::from_int(width, &self.random.bits().into()),
            })),
            Sort::String if self.random.below(4) == 0 => {
                let length = [1, 2, 8, 30][self.random.below(4)];
                Some(Value::Str(self.letters(length).into()))
            }
            _ => self.drawn_small(sort),
        }
    }

    /// A random value that most conditions allow.
    fn drawn_small(&mut self, sort: Sort) -> Option<Value> {
        Some(match sort {
            Sort::Bool => Value::Bool(self.random.coin()),
            Sort::Int => Value::Int(self.small()),
            Sort::Real => {
                let half = BigRational::new(1.into(), 2.into());
                Value::Real(BigRational::from_integer(self.small()) + half)
            }
            Sort::Bv(width) => Value::Bv(BitVec::from_int(width, &self.random.bits().into())),
            Sort::Fp(format) if format == FpFormat::DOUBLE => {
                let half = BigRational::new(self.integer(), 2.into());
                let bits = fp::from_rational(format, RoundingMode::NearestEven, &half);
                Value::Fp(format, bits)
            }
            Sort::String => Value::Str(self.letters(3).into()),
            _ => return None,
        })
    }

    fn small(&mut self) -> BigInt {
        BigInt::from(2 + self.random.below(LARGEST))
    }

    fn integer(&mut self) -> BigInt {
        match self.random.below(8) {
            0..4 => self.small(),
            4 | 5 => -self.small(),
            kind => {
                let places = 3 + self.random.below(PLACES as usize - 2) as u32;
                let number = BigInt::from(self.random.below(10_usize.pow(places)));
                match kind {
                    6 => number,
                    _ => -number,
                }
            }
        }
    }

    fn letters(&mut self, length: usize) -> Vec<u32> {
        let letters = (0..length).map(|_| u32::from('a') + self.random.below(26) as u32);
        letters.collect()
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }
}

/// What is known of an input that is to have a value.
struct Near {
    /// What it has now.
    found: Option<Value>,
    /// What it had before, where it should stay so.
    kept: Option<Value>,
    interval: Option<Interval>,
}

/// That a delay is a little shorter than the longest that the path allows, or as it was found.
fn longest(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    input: Term,
    found: Option<&Value>,
) -> Vec<Term> {
    let Some(Value::Real(found)) = found else {
        return Vec::new();
    };
    let is_possible = |executor: &mut Executor<'_, '_>, time: &BigRational| {
        let least = executor.store.real(time.clone());
        let is_longer = executor.store.le(least, input);
        executor.holds(state, is_longer).unwrap_or(false)
    };
    let far = BigRational::from_integer(FAR.into());
    let (mut possible, mut beyond) = (found.clone(), found + far);
    let mut times = Vec::new();
    if !is_possible(executor, &beyond) {
        for _ in 0..HALVED {
            let middle = (&possible + &beyond) / BigRational::from_integer(2.into());
            match is_possible(executor, &middle) {
                true => possible = middle,
                false => beyond = middle,
            }
        }
        let ten = BigRational::from_integer(10.into());
        let tenths = (possible * &ten).floor() - BigRational::from_integer(1.into());
        times.push(tenths / ten);
    }
    times.push(found.clone());
    let wishes = times.into_iter().map(|time| {
        let time = executor.store.real(time);
        executor.store.eq(input, time)
    });
    wishes.collect()
}

/// The state with short decimals for rational inputs, where its path allows: a solver and a
/// search find fractions that nobody would write.
pub(crate) fn rounded(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    inputs: &[Term],
) -> SymbolicState {
    let mut state = state.clone();
    for &input in inputs {
        let found = executor.values(&[input], &state.model);
        let Some([Value::Real(found)]) = found.as_deref() else {
            continue;
        };
        for short in short_decimals(found) {
            let short = executor.store.real(short);
            let is_it = executor.store.eq(input, short);
            if let StepOutcome::Feasible(found) = executor.assume(&state, is_it) {
                state = found.1;
                break;
            }
        }
    }
    state
}

/// Decimals near a number, the shortest first; none if it is a short one itself.
fn short_decimals(number: &BigRational) -> Vec<BigRational> {
    let scales = [10, 100, 1000].map(|scale| BigRational::from_integer(scale.into()));
    let mut found = Vec::new();
    if (number * &scales[2]).is_integer() {
        return found;
    }
    for scale in scales {
        let scaled = number * &scale;
        let near = [scaled.round(), scaled.ceil(), scaled.floor()];
        for it in near.map(|it| it / &scale) {
            if !found.contains(&it) {
                found.push(it);
            }
        }
    }
    found
}

/// Whether the input is how much time passes. No other channel has that name where there are
/// clocks.
fn is_delay(store: &Store, input: Term) -> bool {
    let name = store.as_variable(input).map(|it| store.variable_name(it));
    let base = name.and_then(|name| name.split('!').next());
    base.is_some_and(|base| base == DELAY) && store.sort(input) == Sort::Real
}

/// Values that say little, the one that says least first.
fn plain_values(sort: Sort) -> Vec<Value> {
    let mut plain = vec![Value::default_of(sort)];
    match sort {
        Sort::Int => plain.push(Value::Int(1.into())),
        Sort::Real => plain.push(Value::Real(BigRational::from_integer(1.into()))),
        Sort::Bv(width) if width > 1 => plain.push(Value::Bv(BitVec::from_int(width, &1.into()))),
        _ => {}
    }
    plain
}

/// The variables that conditions on results of external functions are about. What is computed
/// without a condition on it can be computed from anything.
fn behind_calls(executor: &Executor<'_, '_>, state: &SymbolicState) -> Vec<Variable> {
    let store = &executor.store;
    let tied = state.path.constraints().filter(|&it| has_call(store, it));
    term::free_variables(store, &tied.collect::<Vec<Term>>())
}

fn has_call(store: &Store, condition: Term) -> bool {
    let (mut stack, mut seen) = (vec![condition], FxHashSet::default());
    while let Some(term) = stack.pop() {
        if store.op(term) == Op::Apply {
            return true;
        }
        if seen.insert(term) {
            stack.extend(store.args(term));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_near_a_number_are_short_ones() {
        let decimals = |number: BigRational| {
            let found = short_decimals(&number);
            let shown = found.iter().map(|it| format!("{it}"));
            shown.collect::<Vec<_>>().join(" ")
        };
        let third = BigRational::new(1.into(), 3.into());
        assert_eq!(decimals(third), "3/10 2/5 33/100 17/50 333/1000 167/500");
        assert_eq!(decimals(BigRational::new(1.into(), 4.into())), "");
        assert_eq!(decimals(BigRational::from_integer((-3).into())), "");
    }
}
