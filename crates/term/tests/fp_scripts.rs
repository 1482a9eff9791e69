//! Floating point as scripts say it: every operator of SMT-LIB, read from text and
//! read again from what is printed of it, on every operand of small formats, against
//! the reference that computes in rationals.
//!
//! The reader and the printer say in several operators what the standard says in one,
//! where it leaves a result open. Small formats are where that goes wrong: some have
//! more precision than exponents, and lack integers that their numbers round to.

#[path = "support/fp_reference.rs"]
mod fp_reference;

use fp_reference::Reference;
use num_bigint::BigInt;
use num_rational::BigRational;
use term::smtlib::{Command, parse};
use term::{
    Assignment, BitVec, Evaluator, FpFormat, Function, FunctionValue, RoundingMode, Sort, Store,
    Term, Value, Variable, fp, free_variables, functions, print,
};

const FORMATS: [(u8, u8); 7] = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (3, 5), (4, 3)];

fn formats() -> impl Iterator<Item = FpFormat> {
    FORMATS.into_iter().map(|(eb, sb)| FpFormat { eb, sb })
}

/// What the standard says an operator gives.
#[derive(Clone, PartialEq, Debug)]
enum Expected {
    Is(Value),
    /// One of these two, and a function of the arguments says which.
    Either(Value, Value),
    /// Whatever a function of the arguments says.
    Open,
}

/// An operator applied to `rm`, `a`, `b` and `c`, and how it is read.
struct Script {
    store: Store,
    term: Term,
    evaluator: Evaluator,
    variables: Vec<(String, Variable)>,
    functions: Vec<Function>,
}

impl Script {
    fn new(f: FpFormat, result: &str, application: &str) -> Script {
        let FpFormat { eb, sb } = f;
        let floats = ["a", "b", "c"]
            .map(|name| format!("(declare-const {name} (_ FloatingPoint {eb} {sb}))\n"));
        let text = format!(
            "(declare-const rm RoundingMode)\n{}(declare-const n (_ BitVec 4))\n\
             (declare-const result {result})\n(assert (= result {application}))",
            floats.concat()
        );
        Script::read(&text)
    }

    fn read(text: &str) -> Script {
        let mut store = Store::new();
        let script = parse(&mut store, text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let mut asserted = script
            .commands
            .iter()
            .filter_map(|located| match located.command {
                Command::Assert { term, .. } => Some(term),
                _ => None,
            });
        let mut term = asserted.next().expect("there is an assertion");
        for other in asserted {
            term = store.and(term, other);
        }
        let variables = free_variables(&store, &[term]).into_iter();
        let named = variables.map(|v| (store.variable_name(v).to_owned(), v));
        Script {
            variables: named.collect(),
            functions: functions(&store, &[term]),
            evaluator: Evaluator::default(),
            store,
            term,
        }
    }

    /// The same, printed and read again.
    fn again(&self) -> Script {
        Script::read(&print::smtlib::script(&self.store, &[self.term]))
    }

    /// Whether `result` can be this, if what is open has all bits clear or all set.
    fn allows(&mut self, inputs: &[(&str, Value)], result: &Value) -> [bool; 2] {
        [false, true].map(|ones| {
            let mut assignment = Assignment::new();
            for (name, variable) in &self.variables {
                let given = inputs.iter().find(|(input, _)| input == name);
                let value = given.map_or(result, |(_, value)| value).clone();
                assignment.set(*variable, value);
            }
            for &function in &self.functions {
                let sort = self.store.signature(function).result;
                let mut value = FunctionValue::constant(sort);
                if ones {
                    value.default = match sort {
                        Sort::Bool => Value::Bool(true),
                        Sort::Bv(width) => Value::Bv(BitVec::ones(width)),
                        Sort::Real => Value::Real(BigRational::from_integer(77.into())),
                        other => panic!("nothing of sort {other} is open"),
                    };
                }
                assignment.set_function(function, value);
            }
            self.evaluator
                .all_hold(&self.store, &assignment, &[self.term])
        })
    }
}

/// Holds an operator against what is expected of it, for all these inputs.
fn check<'n>(
    f: FpFormat,
    result: &str,
    application: &str,
    inputs: impl Iterator<Item = Vec<(&'n str, Value)>>,
    others: &[Value],
    expected: impl Fn(&[(&'n str, Value)]) -> Expected,
) {
    let script = Script::new(f, result, application);
    let mut scripts = [script.again(), script];
    for inputs in inputs {
        let wanted = expected(&inputs);
        for script in &mut scripts {
            let mut say = |value: &Value| script.allows(&inputs, value);
            match &wanted {
                Expected::Is(value) => {
                    assert_eq!(
                        say(value),
                        [true; 2],
                        "{application} {f:?} {inputs:?} {value:?}"
                    );
                    let wrong = others.iter().find(|other| *other != value);
                    let wrong = wrong.expect("there are several values");
                    assert_eq!(
                        say(wrong),
                        [false; 2],
                        "{application} {f:?} {inputs:?} {wrong:?}"
                    );
                }
                Expected::Either(clear, set) => {
                    assert_eq!(say(clear), [true, false], "{application} {f:?} {inputs:?}");
                    assert_eq!(say(set), [false, true], "{application} {f:?} {inputs:?}");
                }
                Expected::Open => {
                    let both = others.iter().map(&mut say).collect::<Vec<_>>();
                    assert!(
                        both.contains(&[true, false]),
                        "{application} {f:?} {inputs:?}"
                    );
                    assert!(
                        both.contains(&[false, true]),
                        "{application} {f:?} {inputs:?}"
                    );
                }
            }
        }
    }
}

/// For what does not round.
const ANY_MODE: &[RoundingMode] = &[RoundingMode::NearestEven];

/// The inputs `rm`, and as many of `a`, `b` and `c` as there are, with all their values.
fn inputs(f: FpFormat, operands: usize) -> impl Iterator<Item = Vec<(&'static str, Value)>> {
    inputs_in(&RoundingMode::ALL, f, operands)
}

fn inputs_in(
    modes: &'static [RoundingMode],
    f: FpFormat,
    operands: usize,
) -> impl Iterator<Item = Vec<(&'static str, Value)>> {
    let all = 1u128 << f.width();
    let combinations = 0..all.pow(operands as u32);
    modes.iter().flat_map(move |&rm| {
        combinations.clone().map(move |mut index| {
            let mut inputs = vec![("rm", Value::Rm(rm))];
            for name in &["a", "b", "c"][..operands] {
                inputs.push((name, Value::Fp(f, fp::canonical(f, index % all))));
                index /= all;
            }
            inputs
        })
    })
}

fn mode(inputs: &[(&str, Value)]) -> RoundingMode {
    match inputs[0].1 {
        Value::Rm(mode) => mode,
        _ => unreachable!("the first input is the mode"),
    }
}

fn bits(inputs: &[(&str, Value)], operand: usize) -> u128 {
    match inputs[operand + 1].1 {
        Value::Fp(_, bits) => bits,
        _ => unreachable!("operands are floats"),
    }
}

fn floats(f: FpFormat) -> [Value; 2] {
    [fp::nan(f), fp::zero(f, false)].map(|bits| Value::Fp(f, bits))
}

fn sort(f: FpFormat) -> String {
    format!("(_ FloatingPoint {} {})", f.eb, f.sb)
}

#[test]
fn arithmetic_in_scripts_is_that_of_the_standard() {
    type Operator = fn(&Reference, RoundingMode, [u128; 3]) -> u128;
    let operators: [(&str, usize, Operator); 10] = [
        ("(fp.add rm a b)", 2, |r, rm, [a, b, _]| r.add(rm, a, b)),
        ("(fp.sub rm a b)", 2, |r, rm, [a, b, _]| r.sub(rm, a, b)),
        ("(fp.mul rm a b)", 2, |r, rm, [a, b, _]| r.mul(rm, a, b)),
        ("(fp.div rm a b)", 2, |r, rm, [a, b, _]| r.div(rm, a, b)),
        ("(fp.rem a b)", 2, |r, _, [a, b, _]| r.rem(a, b)),
        ("(fp.sqrt rm a)", 1, |r, rm, [a, ..]| r.sqrt(rm, a)),
        ("(fp.roundToIntegral rm a)", 1, |r, rm, [a, ..]| {
            r.round_to_integral(rm, a)
        }),
        ("(fp.abs a)", 1, |r, _, [a, ..]| r.abs(a)),
        ("(fp.neg a)", 1, |r, _, [a, ..]| r.neg(a)),
        ("(fp.fma rm a b c)", 3, |r, rm, [a, b, c]| {
            r.fma(rm, a, b, c)
        }),
    ];
    for f in formats() {
        let reference = Reference::new(f);
        for (application, operands, operator) in operators {
            // All of three operands only where there are few.
            if operands == 3 && f.width() > 5 || operands == 2 && f.width() > 7 {
                continue;
            }
            check(
                f,
                &sort(f),
                application,
                inputs(f, operands),
                &floats(f),
                |inputs| {
                    let of = |operand| {
                        if operand < operands {
                            bits(inputs, operand)
                        } else {
                            0
                        }
                    };
                    let value = operator(&reference, mode(inputs), [of(0), of(1), of(2)]);
                    Expected::Is(Value::Fp(f, value))
                },
            );
        }
    }
}

#[test]
fn of_two_zeros_either_is_the_lesser_and_the_greater() {
    for f in formats().filter(|f| f.width() <= 7) {
        let reference = Reference::new(f);
        for (application, is_min) in [("(fp.min a b)", true), ("(fp.max a b)", false)] {
            check(
                f,
                &sort(f),
                application,
                inputs_in(ANY_MODE, f, 2),
                &floats(f),
                |inputs| {
                    let (a, b) = (bits(inputs, 0), bits(inputs, 1));
                    if a != b && reference.is_zero(a) && reference.is_zero(b) {
                        let [minus, plus] =
                            [true, false].map(|sign| Value::Fp(f, fp::zero(f, sign)));
                        return Expected::Either(minus, plus);
                    }
                    Expected::Is(Value::Fp(
                        f,
                        match is_min {
                            true => reference.min(a, b),
                            false => reference.max(a, b),
                        },
                    ))
                },
            );
        }
    }
}

#[test]
fn comparisons_and_classes_in_scripts_are_those_of_the_standard() {
    type Predicate = fn(&Reference, u128, u128) -> bool;
    let predicates: [(&str, Predicate); 13] = [
        ("(fp.eq a b)", |r, a, b| r.eq(a, b)),
        ("(fp.lt a b)", |r, a, b| r.lt(a, b)),
        ("(fp.leq a b)", |r, a, b| r.le(a, b)),
        ("(fp.gt a b)", |r, a, b| r.lt(b, a)),
        ("(fp.geq a b)", |r, a, b| r.le(b, a)),
        ("(= a b)", |_, a, b| a == b),
        ("(fp.isNaN a)", |r, a, _| r.is_nan(a)),
        ("(fp.isInfinite a)", |r, a, _| r.is_infinite(a)),
        ("(fp.isZero a)", |r, a, _| r.is_zero(a)),
        ("(fp.isNormal a)", |r, a, _| r.is_normal(a)),
        ("(fp.isSubnormal a)", |r, a, _| r.is_subnormal(a)),
        ("(fp.isNegative a)", |r, a, _| r.is_negative(a)),
        ("(fp.isPositive a)", |r, a, _| r.is_positive(a)),
    ];
    let truths = [false, true].map(Value::Bool);
    for f in formats().filter(|f| f.width() <= 7) {
        let reference = Reference::new(f);
        for (application, predicate) in predicates {
            check(
                f,
                "Bool",
                application,
                inputs_in(ANY_MODE, f, 2),
                &truths,
                |inputs| {
                    Expected::Is(Value::Bool(predicate(
                        &reference,
                        bits(inputs, 0),
                        bits(inputs, 1),
                    )))
                },
            );
        }
    }
}

#[test]
fn conversions_to_integers_are_those_of_the_standard_and_open_beyond_the_width() {
    for f in formats() {
        let reference = Reference::new(f);
        for width in [1u16, 2, 3, 4, 5, 8] {
            let result = format!("(_ BitVec {width})");
            let others = [BitVec::zero(width), BitVec::ones(width)].map(Value::Bv);
            for (head, least, most) in [
                ("fp.to_ubv", BigInt::from(0), (BigInt::from(1) << width) - 1),
                (
                    "fp.to_sbv",
                    -(BigInt::from(1) << (width - 1)),
                    (BigInt::from(1) << (width - 1)) - 1,
                ),
            ] {
                let application = format!("((_ {head} {width}) rm a)");
                check(
                    f,
                    &result,
                    &application,
                    inputs(f, 1),
                    &others,
                    |inputs| match reference.to_int(mode(inputs), bits(inputs, 0)) {
                        Some(integer) if (&least..=&most).contains(&&integer) => {
                            Expected::Is(Value::Bv(BitVec::from_int(width, &integer)))
                        }
                        Some(_) | None => Expected::Open,
                    },
                );
            }
        }
    }
}

#[test]
fn conversions_between_formats_and_from_numbers_are_those_of_the_standard() {
    for f in formats() {
        let reference = Reference::new(f);
        for g in formats() {
            let target = Reference::new(g);
            let application = format!("((_ to_fp {} {}) rm a)", g.eb, g.sb);
            check(
                f,
                &sort(g),
                &application,
                inputs(f, 1),
                &floats(g),
                |inputs| {
                    Expected::Is(Value::Fp(
                        g,
                        reference.convert(&target, mode(inputs), bits(inputs, 0)),
                    ))
                },
            );
        }
        let numbers = || {
            RoundingMode::ALL.into_iter().flat_map(|rm| {
                (0..16).map(move |n| {
                    vec![
                        ("rm", Value::Rm(rm)),
                        ("n", Value::Bv(BitVec::from_u64(4, n))),
                    ]
                })
            })
        };
        let number = |inputs: &[(&str, Value)]| match &inputs[1].1 {
            Value::Bv(bits) => bits.to_u64().expect("it has four bits"),
            _ => unreachable!("the second input is the number"),
        };
        let application = format!("((_ to_fp_unsigned {} {}) rm n)", f.eb, f.sb);
        check(f, &sort(f), &application, numbers(), &floats(f), |inputs| {
            Expected::Is(Value::Fp(
                f,
                reference.from_int(mode(inputs), &number(inputs).into()),
            ))
        });
        let application = format!("((_ to_fp {} {}) rm n)", f.eb, f.sb);
        check(f, &sort(f), &application, numbers(), &floats(f), |inputs| {
            let signed = number(inputs) as i64 - 16 * i64::from(number(inputs) >= 8);
            Expected::Is(Value::Fp(
                f,
                reference.from_int(mode(inputs), &signed.into()),
            ))
        });
        for numerator in -40..=40 {
            let (minus, close) = if numerator < 0 {
                ("(- ", ")")
            } else {
                ("", "")
            };
            let decimal = format!("{minus}(/ {}.0 12.0){close}", i32::abs(numerator));
            let application = format!("((_ to_fp {} {}) rm {decimal})", f.eb, f.sb);
            check(
                f,
                &sort(f),
                &application,
                inputs(f, 0),
                &floats(f),
                |inputs| {
                    let value = BigRational::new(numerator.into(), 12.into());
                    Expected::Is(Value::Fp(f, reference.from_rational(mode(inputs), &value)))
                },
            );
        }
    }
}

#[test]
fn the_bits_and_the_number_of_a_float_in_scripts_are_its_own() {
    for f in formats() {
        let reference = Reference::new(f);
        let reals = [0, 77].map(|n| Value::Real(BigRational::from_integer(n.into())));
        check(
            f,
            "Real",
            "(fp.to_real a)",
            inputs(f, 1),
            &reals,
            |inputs| match reference.to_rational(bits(inputs, 0)) {
                Some(number) => Expected::Is(Value::Real(number)),
                None => Expected::Open,
            },
        );
        let width = f.width() as u16;
        let patterns = (0..1u64 << width)
            .map(|pattern| vec![("p", Value::Bv(BitVec::from_u64(width, pattern)))]);
        let FpFormat { eb, sb } = f;
        let text = format!(
            "(declare-const p (_ BitVec {width}))\n(declare-const r (_ FloatingPoint {eb} {sb}))\n\
             (assert (= r ((_ to_fp {eb} {sb}) p)))\n\
             (assert (= r (fp ((_ extract {0} {0}) p) ((_ extract {1} {2}) p) ((_ extract {3} 0) p))))",
            width - 1,
            width - 2,
            sb - 1,
            sb - 2,
        );
        let script = Script::read(&text);
        let mut scripts = [script.again(), script];
        for inputs in patterns {
            let Value::Bv(pattern) = &inputs[0].1 else {
                unreachable!("the pattern is a bit-vector");
            };
            let pattern = pattern.to_u64().expect("formats are small").into();
            let value = Value::Fp(f, reference.canonical(pattern));
            for script in &mut scripts {
                assert_eq!(
                    script.allows(&inputs, &value),
                    [true; 2],
                    "{f:?} {pattern:b}"
                );
            }
        }
    }
}
