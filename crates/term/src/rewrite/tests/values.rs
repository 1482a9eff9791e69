//! What rewriting, facts and the two ways of computing must agree on: values.

use super::assignments::{STRINGS, assignments};
use super::random::{Random, SMALL_FLOAT, Sample, Scale};
use super::{BIT_VECTOR_OPS, parts, show, variables};
use crate::compute::{self, Shape};
use crate::eval::Evaluator;
use crate::fp;
use crate::op::{ALL, Op};
use crate::rewrite::{fold, table};
use crate::sort::{FpFormat, Sort};
use crate::store::{Store, Term};
use crate::value::{Assignment, Value};
use std::collections::BTreeMap;

/// Panics unless the two terms have one value under every assignment tried.
fn check_equal(store: &Store, a: Term, b: Term, limit: u64, random: &mut Random, what: &str) {
    assert_eq!(
        store.sort(a),
        store.sort(b),
        "{what}: {} became {}",
        show(store, a),
        show(store, b)
    );
    let variables = variables(store, &parts(store, &[a, b]));
    let mut evaluator = Evaluator::default();
    for assignment in assignments(store, &variables, limit, random) {
        let mut under = evaluator.under(store, &assignment);
        let (left, right) = (under.value(a), under.value(b));
        assert!(
            same(&left, &right),
            "{what}: {} became {}, but {left:?} is not {right:?} where {:?}",
            show(store, a),
            show(store, b),
            assignment
                .values()
                .map(|(v, value)| (store.variable_name(v), value))
                .collect::<Vec<_>>(),
        );
    }
}

/// Whether the values are one; of languages, whether they have the same strings
/// among a few.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Re(a), Value::Re(b)) => STRINGS.iter().all(|text| {
            let text: Vec<u32> = text.chars().map(u32::from).collect();
            a.accepts(&text) == b.accepts(&text)
        }),
        _ => a == b,
    }
}

/// How often each rule must be seen at work.
const ENOUGH: usize = 20;

#[test]
fn every_rule_keeps_the_value_of_what_it_rewrites() {
    let mut missing = Vec::new();
    let ops = ALL
        .iter()
        .filter(|op| !matches!(op, Op::Const | Op::Var | Op::Apply));
    for (&op, scale) in ops.flat_map(|op| [(op, Scale::Small), (op, Scale::Wide)]) {
        let fired = exercise(op, scale);
        if scale == Scale::Small {
            let rare = fired.into_iter().filter(|&(_, count)| count < ENOUGH);
            missing.extend(rare.map(|(rule, count)| format!("{op:?}: {rule} fired {count} times")));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// How often each rule of the operator fired, its results checked.
fn exercise(op: Op, scale: Scale) -> BTreeMap<&'static str, usize> {
    let tries = match scale {
        Scale::Small => 120_000,
        Scale::Wide => 600,
    };
    let mut fired: BTreeMap<&str, usize> = BTreeMap::new();
    let mut random = Random::new(op as u64 + 1);
    let mut sample = Sample::new(op as u64 + 1, scale);
    for round in 0..tries {
        if round % 500 == 0 {
            let done = round > 1500 && fired.values().all(|&count| count >= ENOUGH);
            if done {
                break;
            }
            sample = Sample::new(random.word(), scale);
        }
        let depth = 1 + sample.random.below(3) as u32;
        let node = sample.node(op, depth);
        if fold::constants(&mut sample.store, &node).is_some() {
            continue;
        }
        for rule in table(&sample.store, &node) {
            let count = fired.entry(rule.name).or_default();
            if *count >= 2 * ENOUGH {
                continue;
            }
            if let Some(result) = (rule.apply)(&mut sample.store, &node) {
                *count += 1;
                let raw = sample.store.intern(node);
                let what = format!("{op:?}: {}", rule.name);
                check_equal(&sample.store, raw, result, 4096, &mut random, &what);
            }
        }
        if let Some(result) = fold::single_value(&mut sample.store, &node)
            && round % 8 == 0
        {
            let raw = sample.store.intern(node);
            check_equal(&sample.store, raw, result, 256, &mut random, "single_value");
        }
    }
    fired
}

/// The term made anew in another store, by the constructors.
fn rebuild(from: &Store, to: &mut Store, term: Term) -> Term {
    let mut made: BTreeMap<Term, Term> = BTreeMap::new();
    for part in parts(from, &[term]) {
        let mut node = *from.node(part);
        let args: Vec<Term> = from.args(part).iter().map(|arg| made[arg]).collect();
        let new = if let Some(value) = from.as_value(part) {
            to.value(value)
        } else if let Some(variable) = from.as_variable(part) {
            to.var(from.variable_name(variable), from.variable_sort(variable))
        } else if node.op == Op::FpFma {
            node.slots[0] = to.list(&args);
            to.make(node)
        } else {
            node.slots[..args.len()].copy_from_slice(&args);
            to.make(node)
        };
        made.insert(part, new);
    }
    made[&term]
}

#[test]
fn a_term_made_by_constructors_has_the_value_of_the_raw_term() {
    let mut random = Random::new(7);
    for round in 0..15_000 {
        let scale = if round % 4 == 0 {
            Scale::Wide
        } else {
            Scale::Small
        };
        let mut sample = Sample::new(random.word(), scale);
        let sort = sample.any_sort();
        let depth = 1 + sample.random.below(6) as u32;
        let raw = sample.term(sort, depth);
        let mut simple = Store::new();
        let result = rebuild(&sample.store, &mut simple, raw);
        let all = parts(&sample.store, &[raw]);
        let variables = variables(&sample.store, &all);
        let mut evaluator = Evaluator::default();
        for assignment in assignments(&sample.store, &variables, 64, &mut random) {
            let mut renamed = Assignment::new();
            for (variable, value) in assignment.values() {
                let name = sample.store.variable_name(variable);
                let twin = simple.var(name, sample.store.variable_sort(variable));
                let twin = simple.as_variable(twin).expect("it is a variable");
                renamed.set(twin, value.clone());
            }
            let expected = evaluator.under(&sample.store, &assignment).value(raw);
            let value = evaluator.under(&simple, &renamed).value(result);
            assert!(
                same(&value, &expected),
                "{} became {}, but {expected:?} is not {value:?} where {renamed:?}",
                show(&sample.store, raw),
                show(&simple, result),
            );
        }
    }
}

#[test]
fn the_facts_of_a_term_hold_under_every_assignment() {
    let mut random = Random::new(11);
    for round in 0..8_000 {
        let scale = if round % 4 == 0 {
            Scale::Wide
        } else {
            Scale::Small
        };
        let mut sample = Sample::new(random.word(), scale);
        let node = sample.node(random.pick(BIT_VECTOR_OPS), 3);
        let raw = sample.store.intern(node);
        let all = parts(&sample.store, &[raw]);
        let variables = variables(&sample.store, &all);
        let mut evaluator = Evaluator::default();
        for assignment in assignments(&sample.store, &variables, 256, &mut random) {
            let mut under = evaluator.under(&sample.store, &assignment);
            for &part in &all {
                if (1..=64).contains(&sample.store.width(part)) {
                    let (word, facts) = (under.word(part), sample.store.facts(part));
                    let part = || show(&sample.store, part);
                    assert!(facts.allows(word), "{facts:?} of {} deny {word:#x}", part());
                }
            }
        }
    }
}

#[test]
fn words_and_values_are_computed_alike() {
    for op in [Op::BvNot, Op::BvNeg] {
        for width in 1..=4 {
            agree_on_all(op, Sort::Bv(width), &[Sort::Bv(width)], [0; 2]);
        }
    }
    #[rustfmt::skip]
    let binary = [
        Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvSdiv,
        Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr,
    ];
    for width in 1..=4 {
        let sort = Sort::Bv(width);
        for op in binary {
            agree_on_all(op, sort, &[sort, sort], [0; 2]);
        }
        for op in [Op::Ult, Op::Slt, Op::Eq] {
            agree_on_all(op, Sort::Bool, &[sort, sort], [0; 2]);
        }
        agree_on_all(Op::Ite, sort, &[Sort::Bool, sort, sort], [0; 2]);
        for other in 1..=4 {
            agree_on_all(
                Op::Concat,
                Sort::Bv(width + other),
                &[sort, Sort::Bv(other)],
                [0; 2],
            );
            if other >= width {
                agree_on_all(Op::Zext, Sort::Bv(other), &[sort], [0; 2]);
                agree_on_all(Op::Sext, Sort::Bv(other), &[sort], [0; 2]);
            }
            for low in 0..=width.saturating_sub(other) {
                if low + other <= width {
                    agree_on_all(Op::Extract, Sort::Bv(other), &[sort], [low.into(), 0]);
                }
            }
        }
    }
    agree_on_all(Op::Not, Sort::Bool, &[Sort::Bool], [0; 2]);
    agree_on_all(Op::And, Sort::Bool, &[Sort::Bool, Sort::Bool], [0; 2]);
    agree_on_all(Op::Eq, Sort::Bool, &[Sort::Bool, Sort::Bool], [0; 2]);
    float_words_and_values_agree();
}

fn float_words_and_values_agree() {
    let (float, rm) = (Sort::Fp(SMALL_FLOAT), Sort::RoundingMode);
    let bits = Sort::Bv(SMALL_FLOAT.width() as u16);
    let other = Sort::Fp(FpFormat { eb: 2, sb: 6 });
    for op in [Op::FpAbs, Op::FpNeg] {
        agree_on_all(op, float, &[float], [0; 2]);
    }
    #[rustfmt::skip]
    let classes = [
        Op::FpIsNan, Op::FpIsInf, Op::FpIsZero, Op::FpIsNormal, Op::FpIsSubnormal,
        Op::FpIsNegative, Op::FpIsPositive,
    ];
    for op in classes {
        agree_on_all(op, Sort::Bool, &[float], [0; 2]);
    }
    agree_on_all(Op::FpFromBits, float, &[bits], [0; 2]);
    agree_on_all(Op::FpToBits, bits, &[float], [0; 2]);
    for op in [Op::FpSqrt, Op::FpRound] {
        agree_on_all(op, float, &[rm, float], [0; 2]);
    }
    agree_on_all(Op::FpConvert, other, &[rm, float], [0; 2]);
    for op in [Op::FpRem, Op::FpMin, Op::FpMax] {
        agree_on_all(op, float, &[float, float], [0; 2]);
    }
    for op in [Op::FpEq, Op::FpLt, Op::FpLe, Op::Eq] {
        agree_on_all(op, Sort::Bool, &[float, float], [0; 2]);
    }
    for op in [Op::FpAdd, Op::FpMul, Op::FpDiv] {
        agree_on_all(op, float, &[rm, float, float], [0; 2]);
    }
    for width in 1..=4 {
        for op in [Op::FpFromSigned, Op::FpFromUnsigned] {
            agree_on_all(op, float, &[rm, Sort::Bv(width)], [0; 2]);
        }
        for op in [Op::FpToSigned, Op::FpToUnsigned] {
            agree_on_all(op, Sort::Bv(width), &[rm, float], [0; 2]);
        }
    }
    let tiny = Sort::Fp(FpFormat { eb: 2, sb: 2 });
    agree_on_all(Op::FpFma, tiny, &[rm, tiny, tiny, tiny], [0; 2]);
}

/// Panics unless [`compute::word`] and [`compute::value`] give the same for
/// all arguments of these sorts.
fn agree_on_all(op: Op, sort: Sort, args: &[Sort], indices: [u32; 2]) {
    let of = *args.last().expect("there are arguments");
    let shape = Shape {
        op,
        sort,
        of,
        indices,
    };
    let sizes: Vec<u64> = args.iter().map(|&arg| size(arg)).collect();
    for number in 0..sizes.iter().product() {
        let mut rest: u64 = number;
        let words: Vec<u64> = args
            .iter()
            .zip(&sizes)
            .map(|(&arg, &size)| {
                let word = rest % size;
                rest /= size;
                canonical(arg, word)
            })
            .collect();
        let values: Vec<Value> = args
            .iter()
            .zip(&words)
            .map(|(&arg, &word)| Value::from_word(arg, word))
            .collect();
        let value = compute::value(shape, &values);
        let word = compute::word(shape, &words);
        assert_eq!(value.to_word(), Some(word), "{op:?} of {values:?}");
        assert_eq!(value.sort(), sort);
    }
}

fn size(sort: Sort) -> u64 {
    match sort {
        Sort::Bool => 2,
        Sort::RoundingMode => 5,
        Sort::Bv(width) => 1 << width,
        Sort::Fp(format) => 1 << format.width(),
        other => unreachable!("{other} is not a word sort"),
    }
}

fn canonical(sort: Sort, word: u64) -> u64 {
    match sort {
        Sort::Fp(format) => fp::canonical(format, word.into()) as u64,
        _ => word,
    }
}
