//! Conditions on floats that cannot hold because of how large numbers can be.
//!
//! Every float in a condition lies between two others: inputs do by what the
//! condition says of them, and what is computed does because rounding to nearest
//! never turns the order of two results around, so that the ends of an interval
//! give the ends of the result. Where an interval comes out empty, or a comparison
//! that must go one way can only go the other, nothing satisfies the condition.

use rustc_hash::FxHashMap;
use term::{FpFormat, Op, RoundingMode, Sort, Store, Term, Value};

/// Passes over the condition before it is left undecided.
const ROUNDS: usize = 4;

/// Whether the constraints cannot hold all at once, as far as intervals show.
pub(crate) fn refute(store: &Store, constraints: &[Term]) -> bool {
    let mut bounds = Bounds::new(store, constraints);
    for &constraint in constraints {
        bounds.decide(store, constraint, true);
    }
    for _ in 0..ROUNDS {
        bounds.changed = false;
        bounds.pass(store);
        if bounds.contradicts || !bounds.changed {
            break;
        }
    }
    bounds.contradicts
}

/// Between which floats a value lies, both included, and whether it may be no
/// number.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Interval {
    low: f64,
    high: f64,
    nan: bool,
}

const ANY: Interval = Interval {
    low: f64::NEG_INFINITY,
    high: f64::INFINITY,
    nan: true,
};

impl Interval {
    fn is_empty(self) -> bool {
        self.low > self.high && !self.nan
    }

    fn within(self, other: Interval) -> Interval {
        Interval {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            nan: self.nan && other.nan,
        }
    }

    fn or(self, other: Interval) -> Interval {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nan: self.nan || other.nan,
        }
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The interval of what an operator makes of the ends, which it must not
    /// turn around in between.
    fn of(ends: &[f64], nan: bool) -> Interval {
        if ends.iter().any(|end| end.is_nan()) {
            return ANY;
        }
        Interval {
            low: ends.iter().copied().fold(f64::INFINITY, f64::min),
            high: ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            nan,
        }
    }
}

/// What is known so far.
struct Bounds {
    order: Vec<Term>,
    places: FxHashMap<Term, usize>,
    intervals: Vec<Interval>,
    truths: Vec<Option<bool>>,
    changed: bool,
    contradicts: bool,
}

impl Bounds {
    fn new(store: &Store, constraints: &[Term]) -> Bounds {
        let mut order = term::post_order(store, constraints);
        order.sort_unstable();
        let places = order.iter().copied().zip(0..).collect();
        Bounds {
            intervals: vec![ANY; order.len()],
            truths: vec![None; order.len()],
            places,
            order,
            changed: false,
            contradicts: false,
        }
    }

    fn interval(&self, term: Term) -> Interval {
        self.intervals[self.places[&term]]
    }

    fn truth(&self, term: Term) -> Option<bool> {
        self.truths[self.places[&term]]
    }

    /// One look at everything, arguments first.
    fn pass(&mut self, store: &Store) {
        for place in 0..self.order.len() {
            let term = self.order[place];
            match store.sort(term) {
                Sort::Fp(_) => {
                    let interval = self.computed(store, term);
                    self.confine(term, interval);
                }
                Sort::Bool => {
                    if let Some(truth) = self.computed_truth(store, term) {
                        self.decide(store, term, truth);
                    }
                    if let Some(truth) = self.truths[place] {
                        self.conclude(store, term, truth);
                    }
                }
                _ => {}
            }
            if self.contradicts {
                return;
            }
        }
    }

    fn confine(&mut self, term: Term, interval: Interval) {
        let place = self.places[&term];
        let before = self.intervals[place];
        let after = before.within(interval);
        self.contradicts |= after.is_empty();
        self.changed |= after != before;
        self.intervals[place] = after;
    }

    fn decide(&mut self, store: &Store, term: Term, truth: bool) {
        let (mut term, mut truth) = (term, truth);
        while store.op(term) == Op::Not {
            term = store.args(term)[0];
            truth = !truth;
        }
        let place = self.places[&term];
        self.contradicts |= self.truths[place] == Some(!truth);
        self.changed |= self.truths[place].is_none();
        self.truths[place] = Some(truth);
    }

    /// What follows for the arguments of a Boolean term whose truth is known.
    fn conclude(&mut self, store: &Store, term: Term, truth: bool) {
        match (store.op(term), store.args(term)) {
            (Op::And, &[a, b]) if truth => {
                self.decide(store, a, true);
                self.decide(store, b, true);
            }
            (Op::And, &[a, b]) => {
                for (one, other) in [(a, b), (b, a)] {
                    if self.literal(store, one) == Some(true) {
                        self.decide(store, other, false);
                    }
                }
            }
            (Op::FpLt, &[a, b]) if truth => self.order(a, b, true),
            (Op::FpLe, &[a, b]) if truth => self.order(a, b, false),
            (Op::FpEq, &[a, b]) if truth => {
                self.order(a, b, false);
                self.order(b, a, false);
            }
            // What is not less may also be no number.
            (Op::FpLt, &[a, b]) if self.are_numbers(a, b) => self.order(b, a, false),
            (Op::FpLe, &[a, b]) if self.are_numbers(a, b) => self.order(b, a, true),
            (Op::FpIsNan, &[a]) => {
                let number = Interval { nan: false, ..ANY };
                let none = Interval {
                    low: f64::INFINITY,
                    high: f64::NEG_INFINITY,
                    nan: true,
                };
                self.confine(a, if truth { none } else { number });
            }
            _ => {}
        }
    }

    fn are_numbers(&self, a: Term, b: Term) -> bool {
        !self.interval(a).nan && !self.interval(b).nan
    }

    /// Both are numbers, and the first is at most, or less than, the second.
    fn order(&mut self, a: Term, b: Term, strictly: bool) {
        let (below, above) = (self.interval(b).high, self.interval(a).low);
        let (below, above) = match strictly {
            true => (below.next_down(), above.next_up()),
            false => (below, above),
        };
        self.confine(
            a,
            Interval {
                high: below,
                nan: false,
                ..ANY
            },
        );
        self.confine(
            b,
            Interval {
                low: above,
                nan: false,
                ..ANY
            },
        );
    }

    /// A truth seen through negations.
    fn literal(&self, store: &Store, term: Term) -> Option<bool> {
        match store.op(term) {
            Op::Not => Some(!self.literal(store, store.args(term)[0])?),
            Op::Const => store.as_bool(term),
            _ => self.truth(term),
        }
    }

    fn computed_truth(&self, store: &Store, term: Term) -> Option<bool> {
        match (store.op(term), store.args(term)) {
            (Op::Const, _) => store.as_bool(term),
            (Op::And, &[a, b]) => match (self.literal(store, a), self.literal(store, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            (Op::Ite, &[c, a, b]) => match self.literal(store, c)? {
                true => self.literal(store, a),
                false => self.literal(store, b),
            },
            (op @ (Op::FpLt | Op::FpLe | Op::FpEq), &[a, b]) => {
                let (a, b) = (self.interval(a), self.interval(b));
                let numbers = !a.nan && !b.nan;
                let (surely, never) = match op {
                    Op::FpLt => (a.high < b.low, a.low >= b.high),
                    Op::FpLe => (a.high <= b.low, a.low > b.high),
                    _ => (
                        a.low == a.high && b.low == b.high && a.low == b.low,
                        a.high < b.low || b.high < a.low,
                    ),
                };
                match (surely && numbers, never) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The interval of a float from those of its arguments.
    fn computed(&self, store: &Store, term: Term) -> Interval {
        let Sort::Fp(format) = store.sort(term) else {
            return ANY;
        };
        if !matches!(format, FpFormat::DOUBLE | FpFormat::SINGLE) {
            return ANY;
        }
        if let Some(Value::Fp(format, bits)) = store.as_value(term) {
            return constant(format, bits);
        }
        let nearest = |mode: Term| {
            matches!(
                store.as_value(mode),
                Some(Value::Rm(RoundingMode::NearestEven))
            )
        };
        let rounded = |value: f64| match format {
            FpFormat::SINGLE => f64::from(value as f32),
            _ => value,
        };
        match (store.op(term), store.args(term)) {
            (Op::Ite, &[c, a, b]) => match self.literal(store, c) {
                Some(true) => self.interval(a),
                Some(false) => self.interval(b),
                None => self.interval(a).or(self.interval(b)),
            },
            (Op::FpNeg, &[a]) => {
                let a = self.interval(a);
                Interval::of(&[-a.low, -a.high], a.nan)
            }
            (Op::FpAbs, &[a]) => {
                let a = self.interval(a);
                let zero = if a.has_zero() { 0.0 } else { a.low.abs() };
                Interval::of(&[a.low.abs(), a.high.abs(), zero], a.nan)
            }
            (Op::FpMin, &[a, b]) => {
                let (a, b) = (self.interval(a), self.interval(b));
                either(
                    a,
                    b,
                    Interval::of(&[a.low.min(b.low), a.high.min(b.high)], false),
                )
            }
            (Op::FpMax, &[a, b]) => {
                let (a, b) = (self.interval(a), self.interval(b));
                either(
                    a,
                    b,
                    Interval::of(&[a.low.max(b.low), a.high.max(b.high)], false),
                )
            }
            (Op::FpSqrt, &[mode, a]) if nearest(mode) => {
                let a = self.interval(a);
                let ends = [a.low.max(0.0), a.high.max(0.0)].map(|end| rounded(end.sqrt()));
                Interval::of(&ends, a.nan || a.low < 0.0)
            }
            (Op::FpAdd, &[mode, a, b]) if nearest(mode) => {
                let (a, b) = (self.interval(a), self.interval(b));
                let ends = [a.low + b.low, a.high + b.high].map(rounded);
                let opposite = |x: f64, y: f64| x.is_infinite() && y == -x;
                let nan = opposite(a.low, b.high) || opposite(a.high, b.low);
                Interval::of(&ends, a.nan || b.nan || nan)
            }
            (Op::FpMul, &[mode, a, b]) if nearest(mode) => {
                let (a, b) = (self.interval(a), self.interval(b));
                if !a.is_finite() || !b.is_finite() {
                    return ANY;
                }
                let ends = [
                    a.low * b.low,
                    a.low * b.high,
                    a.high * b.low,
                    a.high * b.high,
                ];
                Interval::of(&ends.map(rounded), a.nan || b.nan)
            }
            (Op::FpDiv, &[mode, a, b]) if nearest(mode) => {
                let (a, b) = (self.interval(a), self.interval(b));
                if !a.is_finite() || !b.is_finite() || b.has_zero() {
                    return ANY;
                }
                let ends = [
                    a.low / b.low,
                    a.low / b.high,
                    a.high / b.low,
                    a.high / b.high,
                ];
                Interval::of(&ends.map(rounded), a.nan || b.nan)
            }
            (Op::FpFromSigned, &[_, a]) => {
                let half = 2f64.powi(i32::from(store.width(a)) - 1);
                Interval::of(&[rounded(-half), rounded(half)], false)
            }
            (Op::FpFromUnsigned, &[_, a]) => {
                let all = 2f64.powi(i32::from(store.width(a)));
                Interval::of(&[0.0, rounded(all)], false)
            }
            (Op::FpConvert, &[mode, a]) if nearest(mode) && is_known(store.sort(a)) => {
                let a = self.interval(a);
                Interval::of(&[rounded(a.low), rounded(a.high)], a.nan)
            }
            _ => ANY,
        }
    }
}

/// The smaller or larger of two is the other where one is no number.
fn either(a: Interval, b: Interval, both: Interval) -> Interval {
    let mut result = both;
    if a.nan {
        result = result.or(b);
    }
    if b.nan {
        result = result.or(a);
    }
    Interval {
        nan: a.nan && b.nan,
        ..result
    }
}

fn is_known(sort: Sort) -> bool {
    matches!(sort, Sort::Fp(FpFormat::DOUBLE | FpFormat::SINGLE))
}

fn constant(format: FpFormat, bits: u128) -> Interval {
    let value = match format {
        FpFormat::SINGLE => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits as u64),
    };
    match value.is_nan() {
        true => ANY,
        false => Interval::of(&[value, value], false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Assignment, Evaluator};

    /// Random conditions over two doubles; what is refuted must be false for
    /// every pair of many values.
    #[test]
    fn nothing_that_holds_somewhere_is_refuted() {
        let mut seed = 7u64;
        let mut next = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % bound
        };
        let samples = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            3.0,
            -2.5,
            1e300,
            -1e300,
            1e-310,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            4.0,
        ];
        let (mut refuted, mut evaluator) = (0, Evaluator::default());
        for _ in 0..3_000 {
            let mut store = Store::new();
            let mode = store.rounding(RoundingMode::NearestEven);
            let names = ["x", "y"];
            let inputs = names.map(|name| store.var(name, Sort::Fp(FpFormat::DOUBLE)));
            let mut floats = inputs.to_vec();
            for &sample in &samples {
                let bits = u128::from(sample.to_bits());
                floats.push(store.value(Value::Fp(FpFormat::DOUBLE, bits)));
            }
            let mut truths: Vec<Term> = Vec::new();
            for _ in 0..12 {
                let (a, b) = (floats[next(floats.len())], floats[next(floats.len())]);
                floats.push(match next(8) {
                    0 => store.fp_mul(mode, a, b),
                    1 => store.fp_div(mode, a, b),
                    2 => store.fp_sqrt(mode, a),
                    3 => store.fp_abs(a),
                    4 => store.fp_neg(a),
                    5 => store.fp_min(a, b),
                    6 if !truths.is_empty() => store.ite(truths[next(truths.len())], a, b),
                    _ => store.fp_add(mode, a, b),
                });
                let (a, b) = (floats[next(floats.len())], floats[next(floats.len())]);
                let truth = match next(3) {
                    0 => store.fp_lt(a, b),
                    1 => store.fp_le(a, b),
                    _ => store.fp_eq(a, b),
                };
                truths.push(if next(3) == 0 {
                    store.not(truth)
                } else {
                    truth
                });
            }
            let constraints: Vec<Term> = truths.into_iter().rev().take(1 + next(4)).collect();
            if !refute(&store, &constraints) {
                continue;
            }
            refuted += 1;
            for x in samples {
                for y in samples {
                    let mut model = Assignment::new();
                    for (input, value) in inputs.into_iter().zip([x, y]) {
                        let variable = store.as_variable(input).expect("it is a variable");
                        let bits = u128::from(value.to_bits());
                        model.set(variable, Value::Fp(FpFormat::DOUBLE, bits));
                    }
                    assert!(!evaluator.all_hold(&store, &model, &constraints), "{x} {y}");
                }
            }
        }
        assert!(refuted > 300, "{refuted}");
    }
}
