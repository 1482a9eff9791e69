//! All operands of small formats, in all modes, constant and symbolic, against
//! the reference that computes in rationals.

use super::fp_reference::Reference;
use super::*;
use num_bigint::{BigInt, BigUint};

fn small_formats() -> Vec<Reference> {
    [(3, 4), (4, 3), (2, 2), (2, 3), (2, 5), (3, 2), (3, 3)]
        .map(|(eb, sb)| Reference::new(FpFormat { eb, sb }))
        .into()
}

/// All operands of the format, in the mode.
fn all_operands<const N: usize>(f: FpFormat) -> Vec<[u128; N]> {
    let width = f.width();
    (0..1 << (N as u32 * width))
        .map(|index: u128| {
            std::array::from_fn(|operand| index >> (operand as u32 * width) & ((1 << width) - 1))
        })
        .collect()
}

/// Checks a rounding operation in each mode as a constant, and with the mode as
/// an input.
fn check_in_all_modes<const N: usize, const M: usize>(
    name: &str,
    widths: [u32; N],
    circuit: impl Fn(&mut Aig, Rounding, &[Vec<Lit>; N]) -> Vec<Lit>,
    cases: &[[u128; N]],
    expected: impl Fn(RoundingMode, [u128; N]) -> u128,
) {
    const { assert!(M == N + 1, "M counts the mode too") };
    let with_mode = |first, rest: &[u128]| -> [u128; M] {
        std::array::from_fn(|index| if index == 0 { first } else { rest[index - 1] })
    };
    let mut all_cases = Vec::new();
    let mut all_expected = Vec::new();
    for rm in RoundingMode::ALL {
        let expected: Vec<u128> = cases.iter().map(|&case| expected(rm, case)).collect();
        let name = format!("{name} {}", rm.name());
        let constant = |aig: &mut Aig, inputs: &_| circuit(aig, mode(rm), inputs);
        check(&name, widths, constant, cases, |index| expected[index]);
        all_cases.extend(cases.iter().map(|case| with_mode(rm as u128, case)));
        all_expected.extend(expected);
    }
    let wide = widths.map(u128::from);
    let widths = with_mode(3, &wide).map(|width| width as u32);
    let symbolic = |aig: &mut Aig, inputs: &[Vec<Lit>; M]| {
        let bits = [inputs[0][0], inputs[0][1], inputs[0][2]];
        let rm = Rounding::symbolic(aig, &bits);
        let operands = std::array::from_fn(|index| inputs[index + 1].clone());
        circuit(aig, rm, &operands)
    };
    check(name, widths, symbolic, &all_cases, |index| {
        all_expected[index]
    });
}

#[test]
fn sums_products_and_quotients_of_small_formats_are_exactly_rounded() {
    for reference in small_formats() {
        let f = reference.format();
        let cases = all_operands::<2>(f);
        let check =
            |name: &str,
             circuit: fn(&mut Aig, Rounding, &Float, &Float) -> Float,
             expected: fn(&Reference, RoundingMode, u128, u128) -> u128| {
                check_in_all_modes::<2, 3>(
                    &format!("{name} {f:?}"),
                    [f.width(); 2],
                    |aig, rm, bits| on_packed(f, |aig, [a, b]| circuit(aig, rm, a, b))(aig, bits),
                    &cases,
                    |rm, [a, b]| expected(&reference, rm, a, b),
                );
            };
        check("add", add, Reference::add);
        check("sub", sub, Reference::sub);
        check("mul", mul, Reference::mul);
        check("div", div, Reference::div);
    }
}

#[test]
fn square_roots_and_integral_values_of_small_formats_are_exactly_rounded() {
    for reference in small_formats() {
        let f = reference.format();
        let check = |name: &str,
                     circuit: fn(&mut Aig, Rounding, &Float) -> Float,
                     expected: fn(&Reference, RoundingMode, u128) -> u128| {
            check_in_all_modes::<1, 2>(
                &format!("{name} {f:?}"),
                [f.width()],
                |aig, rm, bits| on_packed(f, |aig, [a]| circuit(aig, rm, a))(aig, bits),
                &all_operands(f),
                |rm, [a]| expected(&reference, rm, a),
            );
        };
        check("sqrt", sqrt, Reference::sqrt);
        check(
            "round_to_integral",
            round_to_integral,
            Reference::round_to_integral,
        );
    }
}

#[test]
fn fused_products_of_small_formats_are_exactly_rounded() {
    for reference in small_formats() {
        let f = reference.format();
        let all = all_operands::<3>(f);
        let sample: Vec<[u128; 3]> = all
            .iter()
            .copied()
            .step_by(1.max(all.len() / 4001))
            .collect();
        check_in_all_modes::<3, 4>(
            &format!("fma {f:?}"),
            [f.width(); 3],
            |aig, rm, bits| on_packed(f, |aig, [a, b, c]| fma(aig, rm, a, b, c))(aig, bits),
            &sample,
            |rm, [a, b, c]| reference.fma(rm, a, b, c),
        );
    }
}

#[test]
fn all_fused_products_of_a_small_format_are_those_of_the_evaluator() {
    let f = FpFormat { eb: 3, sb: 4 };
    let all = all_operands::<3>(f);
    for (index, rm) in RoundingMode::ALL.into_iter().enumerate() {
        let cases: Vec<[u128; 3]> = all.iter().copied().skip(index).step_by(5).collect();
        check(
            &format!("fma {}", rm.name()),
            [f.width(); 3],
            on_packed(f, |aig, [a, b, c]| fma(aig, mode(rm), a, b, c)),
            &cases,
            |index| {
                let [a, b, c] = cases[index];
                term::fp::fma(f, rm, a, b, c)
            },
        );
    }
}

#[test]
fn remainders_minima_and_maxima_of_small_formats_are_exact() {
    for reference in small_formats() {
        let f = reference.format();
        let cases = all_operands::<2>(f);
        let check = |name: &str,
                     circuit: fn(&mut Aig, &Float, &Float) -> Float,
                     expected: fn(&Reference, u128, u128) -> u128| {
            check(
                &format!("{name} {f:?}"),
                [f.width(); 2],
                on_packed(f, |aig, [a, b]| circuit(aig, a, b)),
                &cases,
                |index| expected(&reference, cases[index][0], cases[index][1]),
            );
        };
        check("rem", rem, Reference::rem);
        check("min", min, Reference::min);
        check("max", max, Reference::max);
    }
}

#[test]
fn comparisons_and_classes_of_small_formats_are_those_of_their_numbers() {
    for reference in small_formats() {
        let f = reference.format();
        let cases = all_operands::<2>(f);
        check(
            &format!("comparisons {f:?}"),
            [f.width(); 2],
            |aig, [a, b]| {
                let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
                let compared = [
                    eq(aig, &a, &b),
                    same(aig, &a, &b),
                    lt(aig, &a, &b),
                    le(aig, &a, &b),
                ];
                let classes = [a.nan, a.inf, a.zero, a.subnormal, is_normal(aig, &a)];
                let signs = [is_negative(aig, &a), is_positive(aig, &a)];
                [&compared[..], &classes, &signs].concat()
            },
            &cases,
            |index| {
                let [a, b] = cases[index];
                let r = &reference;
                let holds = [
                    r.eq(a, b),
                    r.canonical(a) == r.canonical(b),
                    r.lt(a, b),
                    r.le(a, b),
                    r.is_nan(a),
                    r.is_infinite(a),
                    r.is_zero(a),
                    r.is_subnormal(a),
                    r.is_normal(a),
                    r.is_negative(a),
                    r.is_positive(a),
                ];
                holds
                    .iter()
                    .rev()
                    .fold(0, |word, &bit| word << 1 | u128::from(bit))
            },
        );
    }
}

#[test]
fn negation_and_magnitude_keep_nan_the_one_nan() {
    for reference in small_formats() {
        let f = reference.format();
        let cases = all_operands::<1>(f);
        let circuit = on_packed(f, |_, [a]| neg(a));
        check("neg", [f.width()], circuit, &cases, |index| {
            reference.neg(cases[index][0])
        });
        let circuit = on_packed(f, |_, [a]| abs(a));
        check("abs", [f.width()], circuit, &cases, |index| {
            reference.abs(cases[index][0])
        });
    }
}

#[test]
fn conversions_between_small_formats_are_exactly_rounded() {
    let formats: Vec<Reference> = [
        (3, 4),
        (4, 3),
        (2, 2),
        (2, 5),
        (3, 2),
        (5, 4),
        (3, 7),
        (4, 8),
    ]
    .map(|(eb, sb)| Reference::new(FpFormat { eb, sb }))
    .into();
    for from in &formats {
        for to in &formats {
            let (f, g) = (from.format(), to.format());
            check_in_all_modes::<1, 2>(
                &format!("convert {f:?} to {g:?}"),
                [f.width()],
                |aig, rm, bits| on_packed(f, |aig, [a]| convert(aig, g, rm, a))(aig, bits),
                &all_operands(f),
                |rm, [a]| from.convert(to, rm, a),
            );
        }
    }
}

#[test]
fn small_formats_convert_to_and_from_bit_vectors_of_any_width() {
    for reference in small_formats() {
        let f = reference.format();
        for width in [1, 2, 3, 4, 7, 9, 20] {
            check_in_all_modes::<1, 2>(
                &format!("to_unsigned {width} {f:?}"),
                [f.width()],
                |aig, rm, [bits]| {
                    let a = unpack(aig, f, bits);
                    to_unsigned(aig, rm, &a, width as usize)
                },
                &all_operands(f),
                |rm, [a]| low_bits(&reference.to_unsigned(rm, a, width)),
            );
            check_in_all_modes::<1, 2>(
                &format!("to_signed {width} {f:?}"),
                [f.width()],
                |aig, rm, [bits]| {
                    let a = unpack(aig, f, bits);
                    to_signed(aig, rm, &a, width as usize)
                },
                &all_operands(f),
                |rm, [a]| {
                    let modulus = BigInt::from(1) << width;
                    let value = reference.to_signed(rm, a, width);
                    low_bits(&((value + &modulus) % modulus).magnitude().clone())
                },
            );
        }
        for width in [1, 2, 3, 5, 8] {
            let cases: Vec<[u128; 1]> = (0..1 << width).map(|value| [value]).collect();
            check_in_all_modes::<1, 2>(
                &format!("from_unsigned {width} {f:?}"),
                [width],
                |aig, rm, [bits]| {
                    let a = from_unsigned(aig, f, rm, bits);
                    pack(aig, &a)
                },
                &cases,
                |rm, [a]| reference.from_int(rm, &a.into()),
            );
            check_in_all_modes::<1, 2>(
                &format!("from_signed {width} {f:?}"),
                [width],
                |aig, rm, [bits]| {
                    let a = from_signed(aig, f, rm, bits);
                    pack(aig, &a)
                },
                &cases,
                |rm, [a]| {
                    let signed = (a << (128 - width)) as i128 >> (128 - width);
                    reference.from_int(rm, &signed.into())
                },
            );
        }
    }
}

fn low_bits(value: &BigUint) -> u128 {
    value.iter_u64_digits().next().unwrap_or(0).into()
}
