//! Queries about sums of numbers: linear inequalities over rationals and integers.
//!
//! One input after the other is eliminated, by an equation where there is one and else by adding
//! each of its lower bounds to each of its upper bounds (Fourier and Motzkin, in Dantzig and Eaves,
//! *Fourier-Motzkin elimination and its dual*, 1973). What is left compares constants: it is a
//! contradiction, or values can be chosen backwards, as near to given ones as they may be. For
//! rationals that decides; for integers, a contradiction is one, and chosen values that would be
//! fractions leave the query to others. The number of bounds may be squared with each input, so
//! this is for queries about a few: moments of clocks, mostly.

use crate::order::Order;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::{Assignment, Evaluator, Op, Sort, Store, Term, Value, Variable};

/// Longer queries, and such about more inputs, are left to others; what a bound comes of is a bit
/// for each constraint.
const MOST_CONSTRAINTS: usize = 128;
const MOST_INPUTS: usize = 32;

/// Bounds at one time before it is given up.
const MOST_BOUNDS: usize = 300;

/// Systems of inequalities that are tried for one query with alternatives.
const MOST_SYSTEMS: usize = 24;

/// Terms of one query that are read.
const MOST_TERMS: usize = 4_000;

/// Constraints, by their number in the query.
type Because = u128;

/// That a sum of inputs and a constant is at most zero, or less, or equal.
#[derive(Clone)]
struct Bound {
    /// By input: how often it is in the sum; never zero.
    times: BTreeMap<usize, BigRational>,
    constant: BigRational,
    kind: Kind,
    because: Because,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    AtMost,
    Less,
    Equal,
}

/// One of these holds.
struct Either {
    cases: Vec<Case>,
    because: Because,
}

#[derive(Clone, Copy)]
enum Case {
    /// A formula, or its opposite.
    Formula(Term, bool),
    /// The first number is less than the second.
    Less(Term, Term),
}

/// Decides a query of linear inequalities; none if it is another, or is not decided. What is
/// found is close to `near`.
pub(crate) fn decide(
    store: &Store,
    evaluator: &mut Evaluator,
    query: &[Term],
    near: &Assignment,
) -> Option<Order> {
    if query.len() > MOST_CONSTRAINTS {
        return None;
    }
    let mut reading = Reading {
        store,
        inputs: Vec::new(),
        numbers: FxHashMap::default(),
        bounds: Vec::new(),
        either: Vec::new(),
        left: MOST_TERMS,
    };
    for (number, &constraint) in query.iter().enumerate() {
        reading.formula(constraint, true, 1 << number)?;
    }
    let mut evaluation = evaluator.under(store, near);
    let inputs = reading.inputs.iter();
    let wanted = inputs.map(|&input| number_of(&evaluation.value(input)));
    let wanted = wanted.collect::<Option<Vec<BigRational>>>()?;
    let mut search = Search {
        query,
        evaluator,
        near,
        wanted,
        systems: MOST_SYSTEMS,
    };
    search.run(&mut reading)
}

/// The search for a system of inequalities that has a solution.
struct Search<'a> {
    query: &'a [Term],
    evaluator: &'a mut Evaluator,
    near: &'a Assignment,
    /// By input: the value that it should have.
    wanted: Vec<BigRational>,
    systems: usize,
}

impl Search<'_> {
    fn run(&mut self, reading: &mut Reading<'_>) -> Option<Order> {
        self.systems = self.systems.checked_sub(1)?;
        let is_integer = reading.integers();
        let solved = solve(&reading.bounds, &is_integer, &self.wanted)?;
        let values = match solved {
            Solved::Never(because) => return Some(Order::Unsat(self.constraints(because))),
            Solved::By(values) => values,
        };
        if let Some(values) = values {
            let model = reading.assignment(self.near, &values);
            if self.evaluator.all_hold(reading.store, &model, self.query) {
                return Some(Order::Sat(model));
            }
        }
        let either = reading.either.pop()?;
        let (bounds, more) = (reading.bounds.len(), reading.either.len());
        let mut core = self.constraints(either.because);
        for &case in &either.cases {
            match case {
                Case::Formula(formula, holds) => reading.formula(formula, holds, either.because)?,
                Case::Less(a, b) => reading.compare(a, b, Kind::Less, either.because)?,
            }
            self.wanted
                .resize(reading.inputs.len(), BigRational::zero());
            let found = self.run(reading)?;
            reading.bounds.truncate(bounds);
            reading.either.truncate(more);
            match found {
                Order::Sat(model) => return Some(Order::Sat(model)),
                Order::Unsat(others) => core.extend(others),
            }
        }
        reading.either.push(either);
        Some(Order::Unsat(core))
    }

    fn constraints(&self, because: Because) -> Vec<Term> {
        let numbered = self.query.iter().enumerate();
        let meant = numbered.filter(|(number, _)| because >> number & 1 == 1);
        meant.map(|(_, &constraint)| constraint).collect()
    }
}

/// A query on its way to inequalities.
struct Reading<'s> {
    store: &'s Store,
    inputs: Vec<Term>,
    numbers: FxHashMap<Term, usize>,
    bounds: Vec<Bound>,
    either: Vec<Either>,
    /// Terms that may still be read.
    left: usize,
}

/// A sum of inputs and a constant.
#[derive(Default)]
struct Sum {
    times: BTreeMap<usize, BigRational>,
    constant: BigRational,
}

impl Reading<'_> {
    /// Adds that a formula holds, or that it does not.
    fn formula(&mut self, formula: Term, holds: bool, because: Because) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let args = self.store.args(formula);
        match (self.store.op(formula), args) {
            (Op::Not, &[inner]) => self.formula(inner, !holds, because),
            (Op::And, &[a, b]) if holds => {
                self.formula(a, true, because)?;
                self.formula(b, true, because)
            }
            (Op::And, &[a, b]) => {
                let cases = vec![Case::Formula(a, false), Case::Formula(b, false)];
                self.either.push(Either { cases, because });
                Some(())
            }
            (Op::Le, &[a, b]) if holds => self.compare(a, b, Kind::AtMost, because),
            (Op::Le, &[a, b]) => self.compare(b, a, Kind::Less, because),
            (Op::Lt, &[a, b]) if holds => self.compare(a, b, Kind::Less, because),
            (Op::Lt, &[a, b]) => self.compare(b, a, Kind::AtMost, because),
            (Op::Eq, &[a, b]) if matches!(self.store.sort(a), Sort::Int | Sort::Real) => {
                if holds {
                    return self.compare(a, b, Kind::Equal, because);
                }
                let cases = vec![Case::Less(a, b), Case::Less(b, a)];
                self.either.push(Either { cases, because });
                Some(())
            }
            _ => None,
        }
    }

    /// Adds that one number is at most another, or less, or equal.
    fn compare(&mut self, a: Term, b: Term, kind: Kind, because: Because) -> Option<()> {
        let mut sum = Sum::default();
        self.sum(a, &BigRational::one(), &mut sum)?;
        self.sum(b, &-BigRational::one(), &mut sum)?;
        sum.times.retain(|_, times| !times.is_zero());
        self.bounds.push(Bound {
            times: sum.times,
            constant: sum.constant,
            kind,
            because,
        });
        Some(())
    }

    /// Adds a term so many times to a sum.
    fn sum(&mut self, term: Term, times: &BigRational, sum: &mut Sum) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if let Some(value) = self.store.as_value(term) {
            sum.constant += number_of(&value)? * times;
            return Some(());
        }
        match (self.store.op(term), self.store.args(term)) {
            (Op::Var, _) => {
                let input = self.input(term)?;
                *sum.times.entry(input).or_default() += times;
                Some(())
            }
            (Op::Add, &[a, b]) => {
                self.sum(a, times, sum)?;
                self.sum(b, times, sum)
            }
            (Op::Neg, &[a]) => self.sum(a, &-times, sum),
            (Op::ToReal, &[a]) => self.sum(a, times, sum),
            (Op::Mul, &[a, b]) => {
                let (a, b) = match self.store.as_value(a) {
                    Some(_) => (b, a),
                    None => (a, b),
                };
                let factor = number_of(&self.store.as_value(b)?)?;
                self.sum(a, &(times * factor), sum)
            }
            _ => None,
        }
    }

    fn input(&mut self, term: Term) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&term) {
            return Some(known);
        }
        if self.inputs.len() == MOST_INPUTS || self.store.as_variable(term).is_none() {
            return None;
        }
        self.numbers.insert(term, self.inputs.len());
        self.inputs.push(term);
        Some(self.inputs.len() - 1)
    }

    /// By input: whether it is an integer.
    fn integers(&self) -> Vec<bool> {
        let inputs = self.inputs.iter();
        inputs
            .map(|&input| self.store.sort(input) == Sort::Int)
            .collect()
    }

    /// The values, and those of `near` for what no inequality is about.
    fn assignment(&self, near: &Assignment, values: &[BigRational]) -> Assignment {
        let mut model = near.clone();
        for (&input, value) in self.inputs.iter().zip(values) {
            let is_integer = self.store.sort(input) == Sort::Int;
            let variable: Option<Variable> = self.store.as_variable(input);
            if let Some(variable) = variable {
                let value = match is_integer {
                    true => Value::Int(value.to_integer()),
                    false => Value::Real(value.clone()),
                };
                model.set(variable, value);
            }
        }
        model
    }
}

/// The number that a value is.
fn number_of(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(number) => Some(BigRational::from_integer(number.clone())),
        Value::Real(number) => Some(number.clone()),
        _ => None,
    }
}

/// What became of a system of inequalities.
enum Solved {
    /// These exclude each other.
    Never(Because),
    /// By these values; none where integers would be fractions.
    By(Option<Vec<BigRational>>),
}

/// An input that was eliminated, and the bounds it had then.
struct Eliminated {
    input: usize,
    bounds: Vec<Bound>,
}

/// Solves inequalities; none where they get too many.
fn solve(bounds: &[Bound], is_integer: &[bool], wanted: &[BigRational]) -> Option<Solved> {
    let mut left: Vec<Bound> = Vec::new();
    for bound in bounds {
        if let Some(because) = add(&mut left, bound.clone(), is_integer) {
            return Some(Solved::Never(because));
        }
    }
    let mut eliminated: Vec<Eliminated> = Vec::new();
    while let Some(input) = cheapest(&left) {
        let (with, without): (Vec<Bound>, Vec<Bound>) = left
            .into_iter()
            .partition(|bound| bound.times.contains_key(&input));
        left = without;
        for derived in derived(&with, input) {
            if let Some(because) = add(&mut left, derived, is_integer) {
                return Some(Solved::Never(because));
            }
            if left.len() > MOST_BOUNDS {
                return None;
            }
        }
        eliminated.push(Eliminated {
            input,
            bounds: with,
        });
    }
    let mut values = wanted.to_vec();
    for Eliminated { input, bounds } in eliminated.iter().rev() {
        match value_within(bounds, *input, &values, is_integer[*input]) {
            Some(value) => values[*input] = value,
            None => return Some(Solved::By(None)),
        }
    }
    Some(Solved::By(Some(values)))
}

/// The input whose elimination leaves the fewest bounds; one with an equation first.
fn cheapest(bounds: &[Bound]) -> Option<usize> {
    let mut counts: BTreeMap<usize, (usize, usize, bool)> = BTreeMap::new();
    for bound in bounds {
        for (&input, times) in &bound.times {
            let (above, below, has_equation) = counts.entry(input).or_default();
            match times.is_positive() {
                true => *above += 1,
                false => *below += 1,
            }
            *has_equation |= bound.kind == Kind::Equal;
        }
    }
    let cost = |&(_, (above, below, has_equation)): &(usize, (usize, usize, bool))| {
        (!has_equation, above * below)
    };
    counts.into_iter().min_by_key(cost).map(|(input, _)| input)
}

/// What these bounds of an input say of the others.
fn derived(bounds: &[Bound], input: usize) -> Vec<Bound> {
    if let Some(at) = bounds.iter().position(|it| it.kind == Kind::Equal) {
        let equation = &bounds[at];
        let others = bounds
            .iter()
            .enumerate()
            .filter(|(number, _)| *number != at);
        // An equation may be added any number of times, also negative ones.
        let replaced = others.map(|(_, bound)| {
            let factor = -&bound.times[&input] / &equation.times[&input];
            combined(bound, &BigRational::one(), equation, &factor, input)
        });
        return replaced.collect();
    }
    let (above, below): (Vec<&Bound>, Vec<&Bound>) = bounds
        .iter()
        .partition(|bound| bound.times[&input].is_positive());
    let pairs = above.iter().flat_map(|upper| {
        below.iter().map(|lower| {
            let (up, down) = (&upper.times[&input], &lower.times[&input]);
            combined(upper, &-down, lower, up, input)
        })
    });
    pairs.collect()
}

/// The sum of two bounds, so many times each, in which an input cancels.
fn combined(
    a: &Bound,
    a_times: &BigRational,
    b: &Bound,
    b_times: &BigRational,
    input: usize,
) -> Bound {
    let mut times: BTreeMap<usize, BigRational> = BTreeMap::new();
    for (bound, factor) in [(a, a_times), (b, b_times)] {
        for (&other, count) in &bound.times {
            *times.entry(other).or_default() += count * factor;
        }
    }
    times.remove(&input);
    times.retain(|_, count| !count.is_zero());
    let kind = match (a.kind, b.kind) {
        (Kind::Equal, kind) | (kind, Kind::Equal) => kind,
        (Kind::AtMost, Kind::AtMost) => Kind::AtMost,
        (Kind::Less, _) | (_, Kind::Less) => Kind::Less,
    };
    Bound {
        times,
        constant: &a.constant * a_times + &b.constant * b_times,
        kind,
        because: a.because | b.because,
    }
}

/// Adds a bound, unless another says as much already; why that cannot be, if it cannot.
fn add(bounds: &mut Vec<Bound>, mut bound: Bound, is_integer: &[bool]) -> Option<Because> {
    let Some((_, first)) = bound.times.first_key_value() else {
        let holds = match bound.kind {
            Kind::AtMost => !bound.constant.is_positive(),
            Kind::Less => bound.constant.is_negative(),
            Kind::Equal => bound.constant.is_zero(),
        };
        return (!holds).then_some(bound.because);
    };
    // In one form, so that bounds of one sum can be compared.
    let scale = first.abs();
    for times in bound.times.values_mut() {
        *times /= &scale;
    }
    bound.constant /= &scale;
    if bound.times.keys().all(|&input| is_integer[input]) && !tighten(&mut bound) {
        return Some(bound.because);
    }
    for other in bounds.iter_mut() {
        if other.kind == Kind::Equal || bound.kind == Kind::Equal || other.times != bound.times {
            continue;
        }
        let is_tighter = (&bound.constant, bound.kind == Kind::Less)
            > (&other.constant, other.kind == Kind::Less);
        if is_tighter {
            *other = bound;
        }
        return None;
    }
    bounds.push(bound);
    None
}

/// Makes a bound on integers as tight as integers allow; whether there are any.
fn tighten(bound: &mut Bound) -> bool {
    let mut multiple = BigInt::one();
    for times in bound.times.values() {
        multiple = num_integer::lcm(multiple, times.denom().clone());
    }
    let mut divisor = BigInt::zero();
    for times in bound.times.values() {
        let whole = times * BigRational::from_integer(multiple.clone());
        divisor = num_integer::gcd(divisor, whole.to_integer());
    }
    // In these units, the sum without its constant is any integer.
    let unit = BigRational::new(divisor, multiple);
    let most = -&bound.constant / &unit;
    let most = match bound.kind {
        Kind::Equal => return most.is_integer(),
        Kind::AtMost => most.floor(),
        Kind::Less => most.ceil() - BigRational::one(),
    };
    bound.kind = Kind::AtMost;
    bound.constant = -most * unit;
    true
}

/// One end of what an input may be.
#[derive(Clone)]
struct End {
    at: BigRational,
    is_open: bool,
}

/// The value within bounds that is next to the one an input has, where the others have theirs;
/// none if an integer would have to be a fraction.
fn value_within(
    bounds: &[Bound],
    input: usize,
    values: &[BigRational],
    is_integer: bool,
) -> Option<BigRational> {
    let (mut low, mut high): (Option<End>, Option<End>) = (None, None);
    for bound in bounds {
        let others = bound.times.iter().filter(|(other, _)| **other != input);
        let rest: BigRational = others.map(|(&other, times)| times * &values[other]).sum();
        let times = &bound.times[&input];
        let end = End {
            at: -(rest + &bound.constant) / times,
            is_open: bound.kind == Kind::Less,
        };
        let is_equal = bound.kind == Kind::Equal;
        if is_equal || times.is_positive() {
            let is_tighter = high
                .as_ref()
                .is_none_or(|known| (&end.at, !end.is_open) < (&known.at, !known.is_open));
            if is_tighter {
                high = Some(end.clone());
            }
        }
        if is_equal || times.is_negative() {
            let is_tighter = low
                .as_ref()
                .is_none_or(|known| (&end.at, end.is_open) > (&known.at, known.is_open));
            if is_tighter {
                low = Some(end);
            }
        }
    }
    let one = BigRational::one();
    if is_integer {
        let low = low.map(|end| match end.is_open {
            true => end.at.floor() + &one,
            false => end.at.ceil(),
        });
        let high = high.map(|end| match end.is_open {
            true => end.at.ceil() - &one,
            false => end.at.floor(),
        });
        let mut value = values[input].clone();
        if let Some(high) = &high {
            value = value.min(high.clone());
        }
        if let Some(low) = low {
            value = value.max(low);
        }
        return high.is_none_or(|high| value <= high).then_some(value);
    }
    let is_above = |value: &BigRational| match &low {
        Some(end) => *value > end.at || !end.is_open && *value == end.at,
        None => true,
    };
    let is_below = |value: &BigRational| match &high {
        Some(end) => *value < end.at || !end.is_open && *value == end.at,
        None => true,
    };
    let mut candidates = vec![values[input].clone()];
    // An end itself where it belongs to it, or else a whole number beside it, or the middle.
    if let Some(end) = &low {
        candidates.extend([end.at.clone(), end.at.floor() + &one]);
    }
    if let Some(end) = &high {
        candidates.extend([end.at.clone(), end.at.ceil() - &one]);
    }
    if let (Some(low), Some(high)) = (&low, &high) {
        candidates.push((&low.at + &high.at) / BigRational::from_integer(2.into()));
    }
    candidates
        .into_iter()
        .find(|value| is_above(value) && is_below(value))
}
