//! Local search: a few steps of local search on the terms themselves.
//!
//! Most satisfiable queries differ from one already answered by a single
//! comparison. Starting from an assignment at hand, each step takes a
//! constraint that does not hold and walks down from it, asking of one
//! argument at a time the value that would make the parent right (an inverse
//! of the operator at the arguments' current values), until it arrives at a
//! variable and sets it. Whatever it proposes is checked by evaluation.
//!
//! (Walking inverse operators down from what does not hold is the propagation of Niemetz,
//! Preiner and Biere, *Precise and complete propagation based local search for
//! satisfiability modulo theories*, CAV 2016.)

use base::{Random, Stop};
use std::rc::Rc;
use term::{Assignment, BitVec, Evaluation, Evaluator, Op, Sort, Store, Term, Value};

/// Changes that a search may make.
const STEPS: usize = 24;

/// The local search and its source of choices.
pub(crate) struct LocalSearch {
    random: Random,
}

impl Default for LocalSearch {
    fn default() -> LocalSearch {
        LocalSearch {
            random: Random::new(0),
        }
    }
}

impl LocalSearch {
    /// An assignment that satisfies the constraints, if one is found within a few
    /// changes to `start` and before the token is set.
    pub fn run(
        &mut self,
        store: &Store,
        evaluator: &mut Evaluator,
        constraints: &[Term],
        start: &Assignment,
        stop: &Stop,
    ) -> Option<Assignment> {
        let mut assignment = start.clone();
        for _ in 0..=STEPS {
            stop.check().ok()?;
            let changes = {
                let mut evaluation = evaluator.under(store, &assignment);
                let mut violated = constraints.iter().filter(|&&c| !evaluation.holds(c));
                let Some(&first) = violated.next() else {
                    return Some(assignment);
                };
                let second = violated.next().copied();
                let chosen = match second {
                    Some(second) if self.coin() => second,
                    _ => first,
                };
                self.descend(store, &mut evaluation, chosen)
            };
            // A walk that arrives nowhere may turn out better the next time.
            for change in changes.unwrap_or_default() {
                change.apply(store, &mut assignment);
            }
        }
        None
    }

    fn next(&mut self) -> u64 {
        self.random.bits()
    }

    fn coin(&mut self) -> bool {
        self.random.coin()
    }

    /// The changes of variables that walking down from a false constraint
    /// arrives at: one, or one for each part of a concatenation.
    fn descend(
        &mut self,
        store: &Store,
        evaluation: &mut Evaluation<'_>,
        constraint: Term,
    ) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        let mut goals = vec![(constraint, 1)];
        while let Some((term, target)) = goals.pop() {
            match store.op(term) {
                Op::Var => changes.push(Change::Variable(term, target)),
                Op::Select => match self.element(store, evaluation, term, target)? {
                    Next::Change(change) => changes.push(change),
                    Next::Down(next, value) => goals.push((next, value)),
                },
                Op::Concat if store.width(term) <= 64 => {
                    let &[high, low] = store.args(term) else {
                        unreachable!("a concatenation has two parts");
                    };
                    let width = u32::from(store.width(low));
                    for (part, value) in [(high, target >> width), (low, target & mask(width))] {
                        if evaluation.word(part) != value {
                            goals.push((part, value));
                        }
                    }
                }
                _ => goals.push(self.invert(store, evaluation, term, target)?),
            }
        }
        Some(changes)
    }

    /// Where to go from a read that should give `target`.
    fn element(
        &mut self,
        store: &Store,
        evaluation: &mut Evaluation<'_>,
        read: Term,
        target: u64,
    ) -> Option<Next> {
        let &[mut array, index] = store.args(read) else {
            return None;
        };
        if store.width(index) > 64 {
            return None;
        }
        let at = evaluation.word(index);
        loop {
            match (store.op(array), store.args(array)) {
                (Op::Var, _) => return Some(Next::Change(Change::Element(array, at, target))),
                (Op::Store, &[_, i, element]) if evaluation.word(i) == at => {
                    return Some(Next::Down(element, target));
                }
                (Op::Store, &[below, ..]) => array = below,
                (Op::Ite, &[c, a, b]) => array = if evaluation.holds(c) { a } else { b },
                (Op::ConstArray, &[element]) => return Some(Next::Down(element, target)),
                (Op::Const, _) => {
                    let Some(Value::Array(table)) = store.as_value(array) else {
                        return None;
                    };
                    let wanted = BitVec::from_u64(store.width(read), target);
                    let mut places = table.entries().filter(|&(_, element)| *element == wanted);
                    let place = places.next()?.0.to_u64()?;
                    return Some(Next::Down(index, place));
                }
                _ => return None,
            }
        }
    }

    /// An argument of `term`, and the value it would need for `term` to be `target`.
    fn invert(
        &mut self,
        store: &Store,
        evaluation: &mut Evaluation<'_>,
        term: Term,
        target: u64,
    ) -> Option<(Term, u64)> {
        let args = store.args(term);
        // An application has as many arguments as its function has parameters, and no
        // inverse; every other operator has a few.
        let is_inverted = store.op(term) != Op::Apply && !args.is_empty();
        if !is_inverted || args.iter().any(|&arg| !is_word(store.sort(arg))) {
            return None;
        }
        let values: Vec<u64> = args.iter().map(|&arg| evaluation.word(arg)).collect();
        // Try the arguments in order from a random one.
        let turn = if self.coin() { 1 } else { 0 };
        for i in 0..args.len() {
            let position = (i + turn) % args.len();
            if store.is_const(args[position]) {
                continue;
            }
            let goal = Goal {
                store,
                term,
                position,
                values: &values,
                target,
            };
            if let Some(value) = self.wanted(&goal)
                && value != values[position]
            {
                return Some((args[position], value));
            }
        }
        None
    }

    /// The value that the argument at `goal.position` would need.
    fn wanted(&mut self, goal: &Goal<'_>) -> Option<u64> {
        let &Goal {
            store,
            term,
            position,
            values,
            target,
        } = goal;
        let args = store.args(term);
        let old = values[position];
        let width = u32::from(store.width(args[position]));
        let m = mask(width.min(64));
        let other = values.get(1 - position.min(1)).copied().unwrap_or(0);
        match store.op(term) {
            Op::Not => Some(target ^ 1),
            // A false argument of a conjunction must hold; of one that should
            // not, either must fail.
            Op::And => match target {
                1 if old == 0 => Some(1),
                1 => None,
                _ => Some(0),
            },
            Op::Eq if target == 1 => Some(other),
            Op::Eq => match store.sort(args[position]) {
                Sort::Bool => Some(other ^ 1),
                Sort::Bv(_) => Some(self.unlike(other, m)),
                _ => None,
            },
            Op::Ite => match (position, values) {
                (0, &[condition, then, otherwise]) => match condition {
                    0 if then == target => Some(1),
                    1 if otherwise == target => Some(0),
                    _ => None,
                },
                (1, &[1, ..]) | (2, &[0, ..]) => Some(target),
                _ => None,
            },
            Op::BvNot => Some(!target & m),
            Op::BvNeg => Some(target.wrapping_neg() & m),
            Op::BvAdd => Some(target.wrapping_sub(other) & m),
            Op::BvXor => Some(target ^ other),
            Op::BvAnd => (target & !other == 0).then_some(old & !other | target),
            Op::BvOr => (other & !target == 0).then_some(old & other | target & !other),
            Op::BvMul => divide_out(target, other, m),
            Op::BvUdiv => match position {
                0 => target.checked_mul(other).filter(|&v| v <= m && other != 0),
                _ => (target != 0).then(|| other / target),
            },
            Op::BvUrem => match position {
                0 if target < other => {
                    let multiple = old - old % other;
                    multiple.checked_add(target).filter(|&v| v <= m)
                }
                1 if other > target => Some(other - target).filter(|&v| v > target),
                _ => None,
            },
            Op::BvSdiv if position == 0 => Some(target.wrapping_mul(other) & m),
            Op::BvSrem if position == 0 && other != 0 => {
                let multiple = signed(old, width).wrapping_div(signed(other, width).max(1));
                Some((multiple as u64).wrapping_mul(other).wrapping_add(target) & m)
            }
            Op::BvShl if position == 0 && other < u64::from(width) => {
                let kept = old & !(m >> other);
                (target & !(m << other) & m == 0).then(|| kept | target >> other)
            }
            Op::BvLshr if position == 0 && other < u64::from(width) => {
                let low = old & mask(other as u32);
                Some((target << other | low) & m)
            }
            Op::BvAshr if position == 0 && other < u64::from(width) => {
                let low = old & mask(other as u32);
                Some((target << other | low) & m)
            }
            Op::Ult | Op::Slt => self.ordered(store.op(term) == Op::Slt, goal, m, width),
            Op::Extract => {
                let low = store.indices(term)[0];
                let window = mask(u32::from(store.width(term))) << low;
                Some(old & !window | target << low)
            }
            Op::Zext => Some(target).filter(|&v| v <= m),
            Op::Sext => Some(target & m),
            _ => self.float(goal),
        }
    }

    /// A value that makes `a < b` what it should be.
    fn ordered(&mut self, is_signed: bool, goal: &Goal<'_>, m: u64, width: u32) -> Option<u64> {
        // Signed order is unsigned order with the sign bit turned over.
        let flip = if is_signed { 1u64 << (width - 1) } else { 0 };
        let other = goal.values[1 - goal.position] ^ flip;
        let range = match (goal.position, goal.target) {
            (0, 1) => 0..=other.checked_sub(1)?,
            (0, _) => other..=m,
            (_, 1) => other.checked_add(1).filter(|&v| v <= m)?..=m,
            (_, _) => 0..=other,
        };
        let (low, high) = (*range.start(), *range.end());
        let chosen = match self.next() >> 40 & 3 {
            0 => low,
            1 => high,
            2 if goal.position == 0 && goal.target == 1 => high,
            _ => low + (self.next() >> 8) % (high - low).saturating_add(1),
        };
        Some(chosen ^ flip)
    }

    fn unlike(&mut self, value: u64, m: u64) -> u64 {
        match self.next() >> 40 & 1 {
            0 => value.wrapping_add(1) & m,
            _ => value ^ (1u64 << (self.next() >> 32 & 63) & m).max(1),
        }
    }

    /// Floating point: the inverse operation, to nearest, is usually right or close.
    fn float(&mut self, goal: &Goal<'_>) -> Option<u64> {
        use term::fp;
        let rm = term::RoundingMode::NearestEven;
        let args = goal.store.args(goal.term);
        let op = goal.store.op(goal.term);
        let word = |bits: u128| Some(bits as u64);
        let target = u128::from(goal.target);
        if op == Op::FpFromBits {
            return Some(goal.target);
        }
        if let (Op::FpFromSigned | Op::FpFromUnsigned, 1) = (op, goal.position) {
            let Sort::Fp(f) = goal.store.sort(goal.term) else {
                return None;
            };
            let width = goal.store.width(args[1]);
            let value = fp::to_int(f, rm, target)?;
            return BitVec::from_int(width, &value).to_u64();
        }
        let Sort::Fp(f) = goal.store.sort(args[goal.position]) else {
            return None;
        };
        let last = args.len() - 1;
        // The other operand of the same sort, after any rounding mode.
        let first = usize::from(goal.store.sort(args[0]) == Sort::RoundingMode);
        let other_at = if goal.position == last { first } else { last };
        let other = u128::from(goal.values[other_at]);
        match op {
            Op::FpToBits => word(fp::canonical(f, target)),
            Op::FpNeg => word(fp::neg(f, target)),
            Op::FpAbs => word(if self.coin() {
                fp::neg(f, target)
            } else {
                target
            }),
            Op::FpAdd => word(fp::sub(f, rm, target, other)),
            Op::FpMul => word(fp::div(f, rm, target, other)),
            Op::FpDiv if goal.position == first => word(fp::mul(f, rm, target, other)),
            Op::FpDiv => word(fp::div(f, rm, other, target)),
            Op::FpSqrt => word(fp::mul(f, rm, target, target)),
            Op::FpRound => word(target),
            Op::FpConvert => match goal.store.sort(goal.term) {
                Sort::Fp(wide) => word(fp::convert(wide, f, rm, target)),
                _ => None,
            },
            Op::FpToSigned | Op::FpToUnsigned => {
                let bits = BitVec::from_u64(goal.store.width(goal.term), goal.target);
                let value = match op {
                    Op::FpToSigned => bits.to_int(),
                    _ => bits.to_big().into(),
                };
                word(fp::from_int(f, rm, &value))
            }
            Op::FpEq if goal.target == 1 => word(other),
            Op::FpLt | Op::FpLe => {
                let below = (goal.position == 0) == (goal.target == 1);
                let strict = (op == Op::FpLt) == (goal.target == 1);
                word(self.beside(f, other, below, strict))
            }
            Op::FpIsNan if goal.target == 1 => word(fp::nan(f)),
            Op::FpIsInf if goal.target == 1 => word(fp::infinity(f, self.coin())),
            Op::FpIsZero if goal.target == 1 => word(fp::zero(f, self.coin())),
            Op::FpIsNan | Op::FpIsInf if goal.target == 0 => word(fp::zero(f, false)),
            Op::FpIsNegative | Op::FpIsPositive => {
                let sign = 1u128 << (f.width() - 1);
                word(u128::from(goal.values[goal.position]) ^ sign)
            }
            _ => None,
        }
    }

    /// A float below (or above) `bits`, the nearest one or one some way off.
    fn beside(&mut self, f: term::FpFormat, bits: u128, below: bool, strict: bool) -> u128 {
        use term::{RoundingMode, fp};
        if fp::is_nan(f, bits) {
            return fp::zero(f, false);
        }
        if !strict && self.coin() {
            return bits;
        }
        let exponent = (self.next() >> 32) as i32 % 4;
        let distance =
            num_rational::BigRational::new(1.into(), (1i64 << (exponent.abs() * 8)).into());
        let mode = if below {
            RoundingMode::TowardNegative
        } else {
            RoundingMode::TowardPositive
        };
        let distance = fp::from_rational(f, RoundingMode::TowardPositive, &distance);
        if below {
            fp::sub(f, mode, bits, distance)
        } else {
            fp::add(f, mode, bits, distance)
        }
    }
}

/// One argument of a term whose value should be `target`.
struct Goal<'a> {
    store: &'a Store,
    term: Term,
    position: usize,
    values: &'a [u64],
    target: u64,
}

enum Next {
    Down(Term, u64),
    Change(Change),
}

/// A new value for a variable or for one element of an array variable.
pub(crate) enum Change {
    Variable(Term, u64),
    Element(Term, u64, u64),
}

impl Change {
    pub(crate) fn apply(self, store: &Store, assignment: &mut Assignment) {
        match self {
            Change::Variable(term, word) => {
                let variable = store.as_variable(term).expect("changes are of variables");
                assignment.set(variable, value_of(store.sort(term), word));
            }
            Change::Element(term, index, word) => {
                let variable = store.as_variable(term).expect("changes are of variables");
                let sort = store.sort(term);
                if assignment.get(variable).is_none() {
                    assignment.set(variable, Value::default_of(sort));
                }
                if let (Some(Value::Array(array)), Sort::Array { index: iw, element }) =
                    (assignment.get_mut(variable), sort)
                {
                    Rc::make_mut(array)
                        .set(BitVec::from_u64(iw, index), BitVec::from_u64(element, word));
                }
            }
        }
    }
}

fn value_of(sort: Sort, word: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(word != 0),
        Sort::Bv(width) => Value::Bv(BitVec::from_u64(width, word)),
        Sort::Fp(format) => Value::Fp(format, term::fp::canonical(format, word.into())),
        Sort::RoundingMode => Value::Rm(term::RoundingMode::ALL[word as usize % 5]),
        other => unreachable!("{other} has no words"),
    }
}

fn is_word(sort: Sort) -> bool {
    match sort {
        Sort::Bool | Sort::RoundingMode => true,
        Sort::Bv(width) => width <= 64,
        Sort::Fp(format) => format.width() <= 64,
        _ => false,
    }
}

fn mask(width: u32) -> u64 {
    match width {
        0 => 0,
        _ => u64::MAX >> (64 - width),
    }
}

fn signed(word: u64, width: u32) -> i64 {
    ((word << (64 - width)) as i64) >> (64 - width)
}

/// Some `x` with `x * factor = target` modulo the mask, if there is one.
fn divide_out(target: u64, factor: u64, m: u64) -> Option<u64> {
    if factor == 0 {
        return None;
    }
    let twos = factor.trailing_zeros();
    if target & mask(twos) != 0 {
        return None;
    }
    let odd = factor >> twos;
    // Newton's iteration doubles the correct low bits of the inverse.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((target >> twos).wrapping_mul(inverse) & m >> twos)
}
