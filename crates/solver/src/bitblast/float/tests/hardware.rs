//! `float` and `double` against the machine's own instructions, and wider
//! formats against the evaluator.

use super::*;
use RoundingMode::{NearestAway, NearestEven, TowardNegative, TowardPositive, TowardZero};

const SINGLE: FpFormat = FpFormat::SINGLE;
const DOUBLE: FpFormat = FpFormat::DOUBLE;
const CASES: usize = 200_000;

fn single(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn packed_single(value: f32) -> u128 {
    if value.is_nan() {
        0x7fc0_0000
    } else {
        value.to_bits().into()
    }
}

fn packed_double(value: f64) -> u128 {
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        value.to_bits().into()
    }
}

/// Checks an operation on one format, rounded to nearest even unless it says
/// otherwise itself, against a function of packed values.
fn check_on<const N: usize>(
    name: &str,
    f: FpFormat,
    cases: &[[u128; N]],
    operation: impl FnOnce(&mut Aig, &[Float; N]) -> Float,
    expected: impl Fn([u128; N]) -> u128,
) {
    let name = format!("{name} {f:?}");
    check(
        &name,
        [f.width(); N],
        on_packed(f, operation),
        cases,
        |index| expected(cases[index]),
    );
}

#[test]
fn single_arithmetic_is_that_of_the_hardware() {
    let rm = mode(NearestEven);
    let cases = Samples::new(1).floats::<2>(SINGLE, CASES);
    let on = |operation: fn(f32, f32) -> f32| {
        move |[a, b]: [u128; 2]| packed_single(operation(single(a), single(b)))
    };
    check_on(
        "add",
        SINGLE,
        &cases,
        |aig, [a, b]| add(aig, rm, a, b),
        on(|a, b| a + b),
    );
    check_on(
        "sub",
        SINGLE,
        &cases,
        |aig, [a, b]| sub(aig, rm, a, b),
        on(|a, b| a - b),
    );
    check_on(
        "mul",
        SINGLE,
        &cases,
        |aig, [a, b]| mul(aig, rm, a, b),
        on(|a, b| a * b),
    );
    check_on(
        "div",
        SINGLE,
        &cases,
        |aig, [a, b]| div(aig, rm, a, b),
        on(|a, b| a / b),
    );
    check_on(
        "sqrt",
        SINGLE,
        &cases,
        |aig, [a, _]| sqrt(aig, rm, a),
        on(|a, _| a.sqrt()),
    );
    let cases = Samples::new(2).floats::<3>(SINGLE, CASES);
    check_on(
        "fma",
        SINGLE,
        &cases,
        |aig, [a, b, c]| fma(aig, rm, a, b, c),
        |[a, b, c]| packed_single(single(a).mul_add(single(b), single(c))),
    );
}

#[test]
fn double_arithmetic_is_that_of_the_hardware() {
    let rm = mode(NearestEven);
    let cases = Samples::new(3).floats::<2>(DOUBLE, CASES);
    let on = |operation: fn(f64, f64) -> f64| {
        move |[a, b]: [u128; 2]| packed_double(operation(double(a), double(b)))
    };
    check_on(
        "add",
        DOUBLE,
        &cases,
        |aig, [a, b]| add(aig, rm, a, b),
        on(|a, b| a + b),
    );
    check_on(
        "sub",
        DOUBLE,
        &cases,
        |aig, [a, b]| sub(aig, rm, a, b),
        on(|a, b| a - b),
    );
    check_on(
        "mul",
        DOUBLE,
        &cases,
        |aig, [a, b]| mul(aig, rm, a, b),
        on(|a, b| a * b),
    );
    check_on(
        "div",
        DOUBLE,
        &cases,
        |aig, [a, b]| div(aig, rm, a, b),
        on(|a, b| a / b),
    );
    check_on(
        "sqrt",
        DOUBLE,
        &cases,
        |aig, [a, _]| sqrt(aig, rm, a),
        on(|a, _| a.sqrt()),
    );
    let cases = Samples::new(4).floats::<3>(DOUBLE, CASES);
    check_on(
        "fma",
        DOUBLE,
        &cases,
        |aig, [a, b, c]| fma(aig, rm, a, b, c),
        |[a, b, c]| packed_double(double(a).mul_add(double(b), double(c))),
    );
}

#[test]
fn comparisons_are_those_of_the_hardware() {
    let outputs = |aig: &mut Aig, f, [a, b]: &[Vec<Lit>; 2]| {
        let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
        vec![eq(aig, &a, &b), lt(aig, &a, &b), le(aig, &a, &b)]
    };
    let word = |eq, lt, le| u128::from(eq) | u128::from(lt) << 1 | u128::from(le) << 2;
    let cases = Samples::new(5).floats::<2>(SINGLE, CASES);
    check(
        "comparisons",
        [32; 2],
        |aig, bits| outputs(aig, SINGLE, bits),
        &cases,
        |index| {
            let [a, b] = cases[index].map(single);
            word(a == b, a < b, a <= b)
        },
    );
    let cases = Samples::new(6).floats::<2>(DOUBLE, CASES);
    check(
        "comparisons",
        [64; 2],
        |aig, bits| outputs(aig, DOUBLE, bits),
        &cases,
        |index| {
            let [a, b] = cases[index].map(double);
            word(a == b, a < b, a <= b)
        },
    );
}

#[test]
fn single_and_double_convert_as_the_hardware_does() {
    let rm = mode(NearestEven);
    let cases = Samples::new(7).floats::<1>(SINGLE, CASES);
    check_on(
        "to double",
        SINGLE,
        &cases,
        |aig, [a]| convert(aig, DOUBLE, rm, a),
        |[a]| packed_double(single(a).into()),
    );
    let mut cases = Samples::new(8).floats::<1>(DOUBLE, CASES / 2);
    cases.extend(singles_in_double());
    check_on(
        "to single",
        DOUBLE,
        &cases,
        |aig, [a]| convert(aig, SINGLE, rm, a),
        |[a]| packed_single(double(a) as f32),
    );
}

/// Doubles in the range of singles, and at the ties between them.
fn singles_in_double() -> impl Iterator<Item = [u128; 1]> {
    let mut random = Samples::new(9);
    (0..CASES / 2).map(move |_| {
        let bits = f64::from(single(random.float(SINGLE))).to_bits();
        let tail = [0, 1 << 28, random.next() >> 36, (1 << 28) - 1][random.below(4) as usize];
        [u128::from(bits.wrapping_add(tail))]
    })
}

#[test]
fn integers_convert_to_and_from_single_and_double_as_the_hardware_does() {
    let mut random = Samples::new(10);
    let integers: Vec<[u128; 1]> = (0..CASES)
        .map(|_| {
            let bits = random.next() >> random.below(64);
            [u128::from(if random.next() & 1 == 0 {
                bits
            } else {
                bits.wrapping_neg()
            })]
        })
        .collect();
    let singles = random.floats::<1>(SINGLE, CASES);
    let doubles = random.floats::<1>(DOUBLE, CASES);
    let (rne, rtz) = (mode(NearestEven), mode(TowardZero));
    macro_rules! check_type {
        ($integer:ty, $from:ident, $to:ident, $unsigned:ty) => {
            let width = <$integer>::BITS;
            let from = |f| {
                move |aig: &mut Aig, [bits]: &[Vec<Lit>; 1]| {
                    let value = $from(aig, f, rne, &bits);
                    pack(aig, &value)
                }
            };
            let to = |f| {
                move |aig: &mut Aig, [bits]: &[Vec<Lit>; 1]| {
                    let value = unpack(aig, f, bits);
                    $to(aig, rtz, &value, width as usize)
                }
            };
            let name = stringify!($integer);
            check(name, [width], from(SINGLE), &integers, |index| {
                packed_single(integers[index][0] as $integer as f32)
            });
            check(name, [width], from(DOUBLE), &integers, |index| {
                packed_double(integers[index][0] as $integer as f64)
            });
            check(name, [32], to(SINGLE), &singles, |index| {
                single(singles[index][0]) as $integer as $unsigned as u128
            });
            check(name, [64], to(DOUBLE), &doubles, |index| {
                double(doubles[index][0]) as $integer as $unsigned as u128
            });
        };
    }
    check_type!(i32, from_signed, to_signed, u32);
    check_type!(u32, from_unsigned, to_unsigned, u32);
    check_type!(i64, from_signed, to_signed, u64);
    check_type!(u64, from_unsigned, to_unsigned, u64);
}

#[test]
fn rounding_to_integral_is_that_of_the_hardware() {
    type Mode = (RoundingMode, fn(f32) -> f32, fn(f64) -> f64);
    let modes: [Mode; 5] = [
        (NearestEven, f32::round_ties_even, f64::round_ties_even),
        (NearestAway, f32::round, f64::round),
        (TowardPositive, f32::ceil, f64::ceil),
        (TowardNegative, f32::floor, f64::floor),
        (TowardZero, f32::trunc, f64::trunc),
    ];
    let singles = Samples::new(11).floats::<1>(SINGLE, CASES / 5);
    let doubles = Samples::new(12).floats::<1>(DOUBLE, CASES / 5);
    for (rm, on_single, on_double) in modes {
        let circuit = |aig: &mut Aig, [a]: &[Float; 1]| round_to_integral(aig, mode(rm), a);
        check_on(rm.name(), SINGLE, &singles, circuit, |[a]| {
            packed_single(on_single(single(a)))
        });
        check_on(rm.name(), DOUBLE, &doubles, circuit, |[a]| {
            packed_double(on_double(double(a)))
        });
    }
}

/// The usual formats, and those with the most bits in either field.
const LARGE: [FpFormat; 7] = [
    FpFormat::HALF,
    SINGLE,
    DOUBLE,
    FpFormat::X87,
    FpFormat::QUAD,
    FpFormat { eb: 20, sb: 11 },
    FpFormat { eb: 2, sb: 113 },
];

#[test]
fn arithmetic_of_large_formats_in_every_mode_is_that_of_the_evaluator() {
    for f in LARGE {
        for rm in RoundingMode::ALL {
            check_in_mode(f, rm, 64 * 12);
        }
    }
}

fn check_in_mode(f: FpFormat, rm: RoundingMode, count: usize) {
    use term::fp;
    let cases = Samples::new(13 + rm as u64).floats::<3>(f, count);
    let m = mode(rm);
    let name = |operation: &str| format!("{operation} {}", rm.name());
    check_on(
        &name("add"),
        f,
        &cases,
        |aig, [a, b, _]| add(aig, m, a, b),
        |[a, b, _]| fp::add(f, rm, a, b),
    );
    check_on(
        &name("sub"),
        f,
        &cases,
        |aig, [a, b, _]| sub(aig, m, a, b),
        |[a, b, _]| fp::sub(f, rm, a, b),
    );
    check_on(
        &name("mul"),
        f,
        &cases,
        |aig, [a, b, _]| mul(aig, m, a, b),
        |[a, b, _]| fp::mul(f, rm, a, b),
    );
    check_on(
        &name("div"),
        f,
        &cases,
        |aig, [a, b, _]| div(aig, m, a, b),
        |[a, b, _]| fp::div(f, rm, a, b),
    );
    check_on(
        &name("sqrt"),
        f,
        &cases,
        |aig, [a, _, _]| sqrt(aig, m, a),
        |[a, _, _]| fp::sqrt(f, rm, a),
    );
    check_on(
        &name("fma"),
        f,
        &cases,
        |aig, [a, b, c]| fma(aig, m, a, b, c),
        |[a, b, c]| fp::fma(f, rm, a, b, c),
    );
    for to in LARGE {
        check_on(
            &name("convert"),
            f,
            &cases,
            |aig, [a, _, _]| convert(aig, to, m, a),
            |[a, _, _]| fp::convert(f, to, rm, a),
        );
    }
}

#[test]
fn remainders_of_half_single_and_double_are_those_of_the_evaluator() {
    for (f, count) in [
        (FpFormat::HALF, 64 * 100),
        (SINGLE, 64 * 40),
        (DOUBLE, 64 * 4),
    ] {
        let cases = Samples::new(19).floats::<2>(f, count);
        check_on(
            "rem",
            f,
            &cases,
            |aig, [x, y]| rem(aig, x, y),
            |[x, y]| term::fp::rem(f, x, y),
        );
    }
}

#[test]
fn a_constant_operand_gives_what_the_hardware_gives() {
    let mut random = Samples::new(20);
    let rm = mode(NearestEven);
    for _ in 0..150 {
        let bits = random.float(DOUBLE);
        let value = double(bits);
        let cases: Vec<[u128; 1]> = random
            .floats::<2>(DOUBLE, 64)
            .iter()
            .map(|&[_, b]| [b])
            .collect();
        let on = |operation: fn(&mut Aig, Rounding, &Float, &Float) -> Float,
                  expected: fn(f64, f64) -> f64| {
            let name = format!("operation with {value:e}");
            check_on(
                &name,
                DOUBLE,
                &cases,
                |aig, [a]| {
                    let constant = constant(aig, DOUBLE, bits);
                    operation(aig, rm, a, &constant)
                },
                |[a]| packed_double(expected(double(a), value)),
            );
            check_on(
                &name,
                DOUBLE,
                &cases,
                |aig, [a]| {
                    let constant = constant(aig, DOUBLE, bits);
                    operation(aig, rm, &constant, a)
                },
                |[a]| packed_double(expected(value, double(a))),
            );
        };
        on(add, |a, b| a + b);
        on(sub, |a, b| a - b);
        on(mul, |a, b| a * b);
        on(div, |a, b| a / b);
    }
}
