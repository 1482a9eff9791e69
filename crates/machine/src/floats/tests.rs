//! Words and terms agree to the bit, and both with what x86-64 does.

use super::functions::{self, Function};
use super::terms::{binary_term, compare_term, to_signed_term};
use super::views::{negate_bits, number_of};
use super::{Sign, as_double, binary, cast, cast_term, compare, parts, to_signed};
use crate::value::{mask, width as width_of};
use program::{CastOp, FloatKind, FloatOp, FloatPredicate, Kind};
use term::{Assignment, BitVec, Evaluator, Op, RoundingMode, Sort, Store, Term, Value};

/// The word a term has where its variables, of these widths, have these words.
pub(crate) fn evaluate(
    args: &[(u16, u64)],
    build: impl FnOnce(&mut Store, &[Term]) -> Term,
) -> u64 {
    let mut store = Store::new();
    let mut assignment = Assignment::new();
    let mut variables = Vec::new();
    for (i, &(width, word)) in args.iter().enumerate() {
        let variable = store.var(&format!("x{i}"), Sort::Bv(width));
        let value = Value::Bv(BitVec::from_u64(width, word));
        assignment.set(store.as_variable(variable).expect("it is one"), value);
        variables.push(variable);
    }
    let term = build(&mut store, &variables);
    Evaluator::default().under(&store, &assignment).word(term)
}

/// Words and floats on which rules differ come more often than chance would have it.
pub(crate) struct Random(base::Random);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(base::Random::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A word of this width: any, a small one, or one at the end of the range.
    pub fn word(&mut self, width: u32) -> u64 {
        let word = self.next();
        let word = match self.next() % 4 {
            0 => word % 20,
            1 => (1u64 << (width - 1)).wrapping_sub(2).wrapping_add(word % 4),
            2 => word >> (word % u64::from(width)),
            _ => word,
        };
        word & mask(width)
    }

    /// A float: any, one near 1, or one of those on which rules differ.
    fn float(&mut self, kind: FloatKind) -> u64 {
        let word = self.next() & mask(kind.bits());
        let format = crate::value::format(kind);
        let stored = u32::from(format.sb) - 1;
        let exponent = mask(format.eb.into()) << stored;
        match self.next() % 4 {
            0 => word,
            1 => {
                let near = (format.bias() as u64)
                    .wrapping_add(word % 70)
                    .wrapping_sub(8);
                word & !exponent | near << stored & exponent
            }
            2 => {
                let near = (format.bias() as u64)
                    .wrapping_add(word % 8)
                    .wrapping_sub(4);
                word & !exponent | near << stored & exponent
            }
            _ => {
                let sign = word & 1 << (kind.bits() - 1);
                let quiet = 1 << (stored - 1);
                let magnitudes = [
                    0,
                    1,
                    mask(stored),
                    mask(stored) + 1,
                    (format.bias() as u64) << stored,
                    (format.bias() as u64 - 1) << stored,
                    exponent - 1,
                    exponent,
                    exponent | quiet,
                    exponent | quiet | word & (quiet - 1),
                    exponent | 1,
                ];
                sign | magnitudes[self.next() as usize % magnitudes.len()]
            }
        }
    }
}

const KINDS: [FloatKind; 4] = [
    FloatKind::Half,
    FloatKind::BFloat,
    FloatKind::Single,
    FloatKind::Double,
];
const ROUNDS: usize = 300;

fn bits(kind: FloatKind) -> u16 {
    width_of(Kind::Float(kind))
}

#[test]
fn arithmetic_on_terms_gives_the_words_of_the_hardware() {
    let mut random = Random::new(1);
    for kind in KINDS {
        for op in [
            FloatOp::Add,
            FloatOp::Sub,
            FloatOp::Mul,
            FloatOp::Div,
            FloatOp::Rem,
        ] {
            for _ in 0..ROUNDS {
                let (a, b) = (random.float(kind), random.float(kind));
                let expected = binary(op, kind, a, b);
                let args = [(bits(kind), a), (bits(kind), b)];
                let term = evaluate(&args, |store, args| {
                    binary_term(store, op, kind, args[0], args[1])
                });
                assert_eq!(Some(term), expected, "{op} {kind:?} {a:#x} {b:#x}");
            }
        }
    }
}

#[test]
fn comparisons_of_terms_and_words_agree() {
    use FloatPredicate::{
        False, Oeq, Oge, Ogt, Ole, Olt, One, Ord, True, Ueq, Uge, Ugt, Ule, Ult, Une, Uno,
    };
    let all = [
        False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True,
    ];
    let mut random = Random::new(2);
    for kind in KINDS {
        for predicate in all {
            for round in 0..ROUNDS {
                let a = random.float(kind);
                let b = if round % 8 == 0 {
                    a
                } else {
                    random.float(kind)
                };
                let expected = compare(predicate, kind, a, b).map(u64::from);
                let args = [(bits(kind), a), (bits(kind), b)];
                let term = evaluate(&args, |store, args| {
                    let truth = compare_term(store, predicate, kind, args[0], args[1]);
                    store.bool_to_bv(truth, 1)
                });
                assert_eq!(Some(term), expected, "{predicate} {kind:?} {a:#x} {b:#x}");
            }
        }
    }
}

#[test]
fn conversions_of_terms_and_words_agree() {
    let mut random = Random::new(3);
    let check = |op: CastOp, from: Kind, to: Kind, word: u64| {
        let expected = cast(op, from, to, word);
        let term = evaluate(&[(width_of(from), word)], |store, args| {
            cast_term(store, op, from, to, args[0])
        });
        assert_eq!(Some(term), expected, "{op} {from:?} {to:?} {word:#x}");
    };
    for kind in KINDS {
        let float = Kind::Float(kind);
        for other in KINDS.into_iter().filter(|&other| other != kind) {
            let widens = other.bits() > kind.bits();
            let op = if widens {
                CastOp::FloatExt
            } else {
                CastOp::FloatTrunc
            };
            for _ in 0..ROUNDS {
                check(op, float, Kind::Float(other), random.float(kind));
            }
        }
        for width in [1, 7, 8, 16, 31, 32, 33, 63, 64] {
            let int = Kind::Int(width);
            for _ in 0..ROUNDS {
                check(CastOp::FloatToSigned, float, int, random.float(kind));
                check(CastOp::FloatToUnsigned, float, int, random.float(kind));
                check(CastOp::SignedToFloat, int, float, random.word(width.into()));
                check(
                    CastOp::UnsignedToFloat,
                    int,
                    float,
                    random.word(width.into()),
                );
            }
        }
    }
}

#[test]
fn functions_of_terms_and_words_agree() {
    let all: [(&str, &Function, usize); 19] = [
        ("sqrt", &functions::SQRT, 1),
        ("fma", &functions::FMA, 3),
        ("fmuladd", &functions::MUL_ADD, 3),
        ("fmod", &functions::FMOD, 2),
        ("remainder", &functions::REMAINDER, 2),
        ("fabs", &functions::ABS, 1),
        ("copysign", &functions::COPY_SIGN, 2),
        ("minnum", &functions::MIN_NUM, 2),
        ("maxnum", &functions::MAX_NUM, 2),
        ("minimum", &functions::MINIMUM, 2),
        ("maximum", &functions::MAXIMUM, 2),
        ("minimumnum", &functions::MINIMUM_NUM, 2),
        ("maximumnum", &functions::MAXIMUM_NUM, 2),
        ("floor", &functions::FLOOR, 1),
        ("ceil", &functions::CEIL, 1),
        ("trunc", &functions::TRUNC, 1),
        ("round", &functions::ROUND, 1),
        ("roundeven", &functions::ROUND_EVEN, 1),
        ("canonicalize", &functions::CANONICALIZE, 1),
    ];
    let mut random = Random::new(4);
    for kind in KINDS {
        for (name, function, arity) in all {
            for _ in 0..ROUNDS {
                let args: Vec<u64> = (0..arity).map(|_| random.float(kind)).collect();
                let expected = (function.words)(kind, &args);
                let variables: Vec<(u16, u64)> =
                    args.iter().map(|&arg| (bits(kind), arg)).collect();
                let term = evaluate(&variables, |store, args| {
                    (function.terms)(store, kind, args)
                });
                assert_eq!(term, expected, "{name} {kind:?} {args:x?}");
            }
        }
    }
}

#[test]
fn parts_of_terms_and_words_agree() {
    let mut random = Random::new(5);
    for kind in KINDS {
        for _ in 0..ROUNDS {
            let word = random.float(kind);
            let one = |build: &dyn Fn(&mut Store, Term) -> Term| {
                evaluate(&[(bits(kind), word)], |store, args| build(store, args[0]))
            };
            let (fraction, power) = parts::split_power(kind, word);
            assert_eq!(
                one(&|s, x| parts::split_power_term(s, kind, x, 32).0),
                fraction
            );
            let term = one(&|s, x| parts::split_power_term(s, kind, x, 32).1);
            assert_eq!(term as u32 as i32, power as i32, "frexp {kind:?} {word:#x}");
            let (fraction, whole) = parts::split_whole(kind, word);
            assert_eq!(one(&|s, x| parts::split_whole_term(s, kind, x).0), fraction);
            assert_eq!(one(&|s, x| parts::split_whole_term(s, kind, x).1), whole);
            let classes = random.next() & 0x3ff;
            let term = one(&|s, x| {
                let truth = parts::class_term(s, kind, classes, x);
                s.bool_to_bv(truth, 1)
            });
            assert_eq!(
                term,
                classes >> parts::class(kind, word) & 1,
                "{kind:?} {word:#x}"
            );
            for width in [1, 8, 13, 32, 64] {
                for sign in [Sign::Signed, Sign::Unsigned] {
                    let value = as_double(kind, word).expect("it fits a word");
                    let expected = parts::saturated(sign, value, width.into());
                    let term = one(&|s, x| parts::saturated_term(s, kind, sign, x, width));
                    assert_eq!(term, expected, "{sign:?} {width} {kind:?} {word:#x}");
                }
            }
            for mode in [RoundingMode::NearestEven, RoundingMode::NearestAway] {
                let whole = functions::rounded(kind, mode, word);
                let expected = to_signed(as_double(kind, whole).expect("it fits a word"), 32);
                let term = one(&|s, x| {
                    let whole = functions::rounded_term(s, kind, mode, x);
                    let whole = number_of(s, kind, whole);
                    to_signed_term(s, whole, 32)
                });
                assert_eq!(term, expected, "{mode:?} {kind:?} {word:#x}");
            }
        }
    }
}

#[test]
fn scaling_by_a_power_of_two_rounds_once() {
    let mut random = Random::new(6);
    for kind in KINDS {
        for round in 0..2 * ROUNDS {
            let word = random.float(kind);
            let limit = if round % 2 == 0 { 60 } else { 2300 };
            let power = random.next() as i64 % limit;
            let args = [(bits(kind), word), (32, power as u32 as u64)];
            let term = evaluate(&args, |store, args| {
                parts::scaled_term(store, kind, args[0], args[1]).expect("there is a wider format")
            });
            assert_eq!(
                term,
                parts::scaled(kind, word, power),
                "{kind:?} {word:#x} {power}"
            );
        }
    }
    // Half of the least subnormal and a little more: rounding twice would give 0.
    let word = 0x3ff8_0000_0000_0001;
    assert_eq!(parts::scaled(FloatKind::Double, word, -1075), 1);
}

/// Found by running code that clang 22 made for x86-64 at -O0.
#[test]
fn what_the_standard_leaves_open_is_what_the_hardware_does() {
    const DEFAULT_NAN: u64 = 0xfff8_0000_0000_0000;
    let double = |op, a, b| binary(op, FloatKind::Double, a, b);
    assert_eq!(double(FloatOp::Div, 0, 0), Some(DEFAULT_NAN));
    assert_eq!(double(FloatOp::Rem, 1.5f64.to_bits(), 0), Some(DEFAULT_NAN));
    let (first, second) = (0x7ff0_0000_0000_0001, 0xfff8_0000_001b_c123);
    assert_eq!(
        double(FloatOp::Mul, first, second),
        Some(0x7ff8_0000_0000_0001)
    );
    assert_eq!(double(FloatOp::Sub, 0, second), Some(second));

    let to_int = |op, width, value: f64| {
        let (from, to) = (Kind::Float(FloatKind::Double), Kind::Int(width));
        cast(op, from, to, value.to_bits())
    };
    let (signed, unsigned) = (CastOp::FloatToSigned, CastOp::FloatToUnsigned);
    assert_eq!(to_int(signed, 32, 2147483648.0), Some(0x8000_0000));
    assert_eq!(to_int(signed, 32, f64::NAN), Some(0x8000_0000));
    assert_eq!(to_int(signed, 64, f64::INFINITY), Some(1 << 63));
    assert_eq!(to_int(signed, 8, 300.7), Some(44));
    assert_eq!(to_int(signed, 16, 1e10), Some(0));
    assert_eq!(to_int(unsigned, 8, -1.0), Some(255));
    assert_eq!(to_int(unsigned, 32, -1.0), Some(0xffff_ffff));
    assert_eq!(to_int(unsigned, 32, 1e10), Some(0x540b_e400));
    assert_eq!(to_int(unsigned, 32, 1e30), Some(0));
    assert_eq!(
        to_int(unsigned, 64, 1.5e19),
        Some(15_000_000_000_000_000_000)
    );
    assert_eq!(to_int(unsigned, 64, -2.5), Some(-2i64 as u64));
    assert_eq!(to_int(unsigned, 64, 1e30), Some(1 << 63));

    let (single, double) = (
        Kind::Float(FloatKind::Single),
        Kind::Float(FloatKind::Double),
    );
    assert_eq!(
        cast(CastOp::FloatExt, single, double, 0xffa0_0007),
        Some(0xfffc_0000_e000_0000)
    );
    assert_eq!(
        cast(CastOp::FloatTrunc, double, single, first),
        Some(0x7fc0_0000)
    );
}

#[test]
fn a_long_double_has_its_integer_bit_where_the_exponent_says() {
    let (double, x87) = (Kind::Float(FloatKind::Double), Kind::Float(FloatKind::X87));
    let mut store = Store::new();
    let wide = |store: &mut Store, value: f64| {
        let bits = store.bv(64, value.to_bits());
        cast_term(store, CastOp::FloatExt, double, x87, bits)
    };
    let pattern = |store: &Store, term| match store.as_value(term) {
        Some(Value::Bv(bits)) => bits.to_u128(),
        other => panic!("{other:?} is no constant"),
    };
    let (one, tenth) = (wide(&mut store, 1.0), wide(&mut store, 0.1));
    assert_eq!(pattern(&store, one), 0x3fff_8000_0000_0000_0000);
    assert_eq!(pattern(&store, tenth), 0x3ffb_cccc_cccc_cccc_d000);
    let zero = wide(&mut store, 0.0);
    assert_eq!(pattern(&store, zero), 0);
    let third = wide(&mut store, 3.0);
    let third = binary_term(&mut store, FloatOp::Div, FloatKind::X87, one, third);
    assert_eq!(pattern(&store, third), 0x3ffd_aaaa_aaaa_aaaa_aaab);
    let nan = binary_term(&mut store, FloatOp::Div, FloatKind::X87, zero, zero);
    assert_eq!(pattern(&store, nan), 0xffff_c000_0000_0000_0000);
    let back = cast_term(&mut store, CastOp::FloatTrunc, x87, double, third);
    assert_eq!(store.as_word(back), Some((1.0f64 / 3.0).to_bits()));
}

#[test]
fn a_chain_of_operations_is_a_term_of_floats_alone_even_through_memory() {
    for kind in [FloatKind::Half, FloatKind::Single, FloatKind::Double] {
        let mut store = Store::new();
        let input = |store: &mut Store, name: &str| {
            let bytes: Vec<Term> = (0..kind.bits() / 8)
                .map(|i| store.var(&format!("{name}{i}"), Sort::Bv(8)))
                .collect();
            join(store, bytes)
        };
        let (x, y) = (input(&mut store, "x"), input(&mut store, "y"));
        let one = store.bv(bits(kind), 1);
        let sum = binary_term(&mut store, FloatOp::Add, kind, x, y);
        let sum = through_memory(&mut store, sum);
        let product = binary_term(&mut store, FloatOp::Mul, kind, sum, one);
        let product = through_memory(&mut store, product);
        let root = (functions::SQRT.terms)(&mut store, kind, &[product]);
        let root = negate_bits(&mut store, root);
        let root = through_memory(&mut store, root);
        let magnitude = (functions::ABS.terms)(&mut store, kind, &[root]);
        let magnitude = through_memory(&mut store, magnitude);
        let least = (functions::MIN_NUM.terms)(&mut store, kind, &[magnitude, sum]);
        let number = number_of(&mut store, kind, least);
        for term in term::post_order(&store, &[number]) {
            assert_ne!(store.op(term), Op::FpToBits, "{kind:?}");
        }
    }
}

/// The bytes of a term put together again, as a store and a load do it.
fn through_memory(store: &mut Store, term: Term) -> Term {
    let width = store.width(term);
    let bytes = (0..width)
        .step_by(8)
        .map(|low| store.extract(term, low, 8))
        .collect();
    join(store, bytes)
}

fn join(store: &mut Store, bytes: Vec<Term>) -> Term {
    let joined = bytes
        .into_iter()
        .reduce(|low, high| store.concat(high, low));
    joined.expect("there are bytes")
}

#[test]
fn a_chain_of_operations_through_memory_has_the_bits_of_the_words() {
    let kind = FloatKind::Single;
    let (float, double) = (Kind::Float(kind), Kind::Float(FloatKind::Double));
    let mut random = Random::new(10);
    for _ in 0..10 * ROUNDS {
        let (x, y) = (random.float(kind), random.float(kind));
        let steps = [random.next() % 8, random.next() % 8, random.next() % 8];
        let mut word = x;
        for step in steps {
            word = match step {
                0 => binary(FloatOp::Add, kind, word, y).expect("it fits a word"),
                1 => binary(FloatOp::Mul, kind, y, word).expect("it fits a word"),
                2 => binary(FloatOp::Div, kind, word, word).expect("it fits a word"),
                3 => word ^ 1 << 31,
                4 => (functions::ABS.words)(kind, &[word]),
                5 => (functions::SQRT.words)(kind, &[word]),
                6 => (functions::MAX_NUM.words)(kind, &[word, y]),
                _ => {
                    let wide = cast(CastOp::FloatExt, float, double, word).expect("a float");
                    cast(CastOp::FloatTrunc, double, float, wide).expect("a float")
                }
            };
        }
        let term = evaluate(&[(32, x), (32, y)], |store, args| {
            let (mut term, y) = (args[0], args[1]);
            for step in steps {
                term = match step {
                    0 => binary_term(store, FloatOp::Add, kind, term, y),
                    1 => binary_term(store, FloatOp::Mul, kind, y, term),
                    2 => binary_term(store, FloatOp::Div, kind, term, term),
                    3 => negate_bits(store, term),
                    4 => (functions::ABS.terms)(store, kind, &[term]),
                    5 => (functions::SQRT.terms)(store, kind, &[term]),
                    6 => (functions::MAX_NUM.terms)(store, kind, &[term, y]),
                    _ => {
                        let wide = cast_term(store, CastOp::FloatExt, float, double, term);
                        let wide = through_memory(store, wide);
                        cast_term(store, CastOp::FloatTrunc, double, float, wide)
                    }
                };
                term = through_memory(store, term);
            }
            term
        });
        assert_eq!(term, word, "{steps:?} {x:#x} {y:#x}");
    }
}

#[test]
fn what_a_program_chooses_for_nan_is_not_taken_for_nan() {
    let kind = FloatKind::Double;
    let quotient = |a: f64, b: f64| {
        evaluate(&[(64, a.to_bits()), (64, b.to_bits())], |store, args| {
            let quotient = binary_term(store, FloatOp::Div, kind, args[0], args[1]);
            let number = number_of(store, kind, quotient);
            let is_nan = store.fp_is_nan(number);
            let bits = store.fp_to_bits(number);
            let zero = store.bv(64, 0);
            let chosen = store.ite(is_nan, zero, bits);
            let chosen = through_memory(store, chosen);
            let one = store.bv(64, 1.0f64.to_bits());
            binary_term(store, FloatOp::Add, kind, chosen, one)
        })
    };
    assert_eq!(quotient(0.0, 0.0), 1.0f64.to_bits());
    assert_eq!(quotient(3.0, 2.0), 2.5f64.to_bits());
}
