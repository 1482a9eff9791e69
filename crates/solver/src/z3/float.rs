//! Floating-point operators in Z3.
//!
//! Z3 4.8.12 computes with many formats wrongly, in its bit-vector encoding or
//! in its constants, and fails on others; a sweep of every operator over small
//! formats against [`term::fp`] found the limits this module keeps to:
//!
//! * Arithmetic is right where [`is_computed_rightly`] says so, which takes in
//!   every format that hardware has. Other formats are refused.
//! * `fp.roundToIntegral` needs a significand three bits longer than the
//!   exponent, and `fp.rem` errs on subnormal divisors: both are computed in a
//!   wider format, where the result is exact, and converted back.
//! * `to_fp` from a format whose exponent is two bits longer, or from an
//!   integer of so many bits that its exponent just fits, overflows inside: the
//!   argument is widened past that point first.
//! * `fp.to_sbv` to a single bit is wrong, and never asked for.
//! * `fp.fma` ends the whole process unless its rounding mode is a constant, so
//!   there is one for each mode.
//! * `fp.to_real` of anything but a constant is not decided; its value is put
//!   together from the bits in linear arithmetic instead. `to_fp` of a real is
//!   right for constants only.

use super::translate::{Refusal, Translation};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use term::{BitVec, FpFormat, Op, RoundingMode, Sort, Store, Term, Value, fp};
use z3_sys::*;

/// The floating-point operator of `term` on these arguments.
pub(super) fn operator(
    z3: &mut Translation,
    store: &Store,
    term: Term,
    args: &[Z3_ast],
) -> Result<Z3_ast, Refusal> {
    let sort = store.sort(term);
    let operands = store.args(term);
    let of = store.sort(*operands.last().expect("operators on floats have arguments"));
    for format in [sort, of].into_iter().filter_map(format_of) {
        check_format(store.op(term), format)?;
    }
    let c = z3.context.clone();
    let format = format_of(of)
        .or(format_of(sort))
        .expect("one side is a float");
    Ok(match (store.op(term), args) {
        (Op::FpFromBits, &[a]) => c.cast(Z3_mk_fpa_to_fp_bv, a, z3.sort(sort)),
        (Op::FpToBits, &[a]) => to_bits(z3, format, a),
        (Op::FpAbs, &[a]) => c.unary(Z3_mk_fpa_abs, a),
        (Op::FpNeg, &[a]) => c.unary(Z3_mk_fpa_neg, a),
        (Op::FpAdd, &[rm, a, b]) => c.ternary(Z3_mk_fpa_add, rm, a, b),
        (Op::FpMul, &[rm, a, b]) => c.ternary(Z3_mk_fpa_mul, rm, a, b),
        (Op::FpDiv, &[rm, a, b]) => c.ternary(Z3_mk_fpa_div, rm, a, b),
        (Op::FpFma, &[rm, x, y, z]) => by_mode(z3, rm, |z3, mode| {
            // SAFETY: the context is alive and so are the terms, which were kept.
            c.keep(unsafe { Z3_mk_fpa_fma(c.raw(), z3.mode(mode), x, y, z) })
        }),
        (Op::FpSqrt, &[rm, a]) => c.binary(Z3_mk_fpa_sqrt, rm, a),
        (Op::FpRem, &[a, b]) => remainder(z3, format, a, b),
        (Op::FpRound, &[rm, a]) => round_to_integral(z3, format, rm, a),
        (Op::FpMin, &[a, b]) => least(z3, a, b),
        (Op::FpMax, &[a, b]) => greatest(z3, a, b),
        (Op::FpEq, &[a, b]) => c.binary(Z3_mk_fpa_eq, a, b),
        (Op::FpLt, &[a, b]) => c.binary(Z3_mk_fpa_lt, a, b),
        (Op::FpLe, &[a, b]) => c.binary(Z3_mk_fpa_leq, a, b),
        (Op::FpIsNan, &[a]) => c.unary(Z3_mk_fpa_is_nan, a),
        (Op::FpIsInf, &[a]) => c.unary(Z3_mk_fpa_is_infinite, a),
        (Op::FpIsZero, &[a]) => c.unary(Z3_mk_fpa_is_zero, a),
        (Op::FpIsNormal, &[a]) => c.unary(Z3_mk_fpa_is_normal, a),
        (Op::FpIsSubnormal, &[a]) => c.unary(Z3_mk_fpa_is_subnormal, a),
        (Op::FpIsNegative, &[a]) => c.unary(Z3_mk_fpa_is_negative, a),
        (Op::FpIsPositive, &[a]) => c.unary(Z3_mk_fpa_is_positive, a),
        (Op::FpConvert, &[rm, a]) => {
            let to = format_of(sort).expect("a conversion gives a float");
            convert(z3, format, to, rm, a)
        }
        (Op::FpFromSigned, &[rm, a]) => {
            let wide = widen(z3, format, of.bv_width(), Z3_mk_sign_ext, a);
            c.rounded_cast(Z3_mk_fpa_to_fp_signed, rm, wide, z3.sort(sort))
        }
        (Op::FpFromUnsigned, &[rm, a]) => {
            let wide = widen(z3, format, of.bv_width(), Z3_mk_zero_ext, a);
            c.rounded_cast(Z3_mk_fpa_to_fp_unsigned, rm, wide, z3.sort(sort))
        }
        (Op::FpToSigned, &[rm, a]) => to_signed(z3, format, rm, a, sort.bv_width()),
        (Op::FpToUnsigned, &[rm, a]) => to_unsigned(z3, format, rm, a, sort.bv_width()),
        (Op::FpFromReal, &[rm, _]) => match store.as_value(operands[1]) {
            Some(Value::Real(number)) => from_rational(z3, format, rm, &number),
            _ => return Err(Refusal("conversion of symbolic reals to floats".into())),
        },
        (Op::FpToReal, &[a]) => to_real(z3, format, a),
        (op, _) => unreachable!("{op:?} is not an operator on floats"),
    })
}

fn format_of(sort: Sort) -> Option<FpFormat> {
    match sort {
        Sort::Fp(format) => Some(format),
        _ => None,
    }
}

fn check_format(op: Op, format: FpFormat) -> Result<(), Refusal> {
    let FpFormat { eb, sb } = format;
    let sort = Sort::Fp(format);
    match op {
        _ if !rounds(op) => Ok(()),
        // The constants of the encoding have 2^eb bits.
        Op::FpToReal if eb <= 15 => Ok(()),
        Op::FpToReal => Err(Refusal(format!("{op:?} of {sort}"))),
        Op::FpRem if eb > 8 => Err(Refusal(format!(
            "{op:?} of {sort}, a division of more than {} bits",
            1u32 << eb
        ))),
        _ if is_computed_rightly(eb.into(), sb.into()) => Ok(()),
        _ => Err(Refusal(format!(
            "{op:?} of {sort}, which Z3 computes wrongly"
        ))),
    }
}

/// Whether the operator computes with floats, as against copying and comparing them.
pub(super) fn rounds(op: Op) -> bool {
    matches!(
        op,
        Op::FpAdd
            | Op::FpMul
            | Op::FpDiv
            | Op::FpFma
            | Op::FpSqrt
            | Op::FpRem
            | Op::FpRound
            | Op::FpConvert
            | Op::FpFromSigned
            | Op::FpFromUnsigned
            | Op::FpToSigned
            | Op::FpToUnsigned
            | Op::FpFromReal
            | Op::FpToReal
    )
}

/// Whether Z3 4.8.12 rounds rightly to the format with these widths. With
/// fewer exponent bits the exponents of subnormals overflow inside it, with
/// fewer significand bits the encoding is ill-formed or, below four, the
/// constants of `fp.fma` are wrong.
fn is_computed_rightly(eb: u32, sb: u32) -> bool {
    eb >= 3 && sb >= eb.max(4) && sb <= (1 << (eb - 1)) + 3
}

fn to_bits(z3: &mut Translation, format: FpFormat, a: Z3_ast) -> Z3_ast {
    let nan = z3.bits(&BitVec::from_u128(format.width() as u16, fp::nan(format)));
    let c = &z3.context;
    let bits = c.unary(Z3_mk_fpa_to_ieee_bv, a);
    c.ite(c.unary(Z3_mk_fpa_is_nan, a), nan, bits)
}

/// Of two zeros the negative one is the lesser; SMT-LIB allows either.
fn least(z3: &Translation, a: Z3_ast, b: Z3_ast) -> Z3_ast {
    let c = &z3.context;
    let zero = c.ite(c.unary(Z3_mk_fpa_is_negative, a), a, b);
    c.ite(both_zero(z3, a, b), zero, c.binary(Z3_mk_fpa_min, a, b))
}

/// Of two zeros the positive one is the greater; SMT-LIB allows either.
fn greatest(z3: &Translation, a: Z3_ast, b: Z3_ast) -> Z3_ast {
    let c = &z3.context;
    let zero = c.ite(c.unary(Z3_mk_fpa_is_negative, a), b, a);
    c.ite(both_zero(z3, a, b), zero, c.binary(Z3_mk_fpa_max, a, b))
}

fn both_zero(z3: &Translation, a: Z3_ast, b: Z3_ast) -> Z3_ast {
    let c = &z3.context;
    c.nary(Z3_mk_and, &[a, b].map(|x| c.unary(Z3_mk_fpa_is_zero, x)))
}

/// In a format so wide that the divisor is never subnormal. The remainder has
/// no more bits than its operands, so nothing is rounded.
fn remainder(z3: &mut Translation, format: FpFormat, a: Z3_ast, b: Z3_ast) -> Z3_ast {
    let least_exponent = format.bias() - 1 + i32::from(format.sb) - 1;
    let eb = (format.eb..).find(|eb| (1 << (eb - 1)) - 2 >= least_exponent);
    let eb = eb.expect("exponents of 32 bits reach far enough");
    let wide = FpFormat {
        eb,
        sb: format.sb.max(eb),
    };
    let exact = z3.mode(RoundingMode::NearestEven);
    let a = convert(z3, format, wide, exact, a);
    let b = convert(z3, format, wide, exact, b);
    let rest = z3.context.binary(Z3_mk_fpa_rem, a, b);
    convert(z3, wide, format, exact, rest)
}

/// In a format whose significand is long enough for Z3. An integer that
/// overflows the narrow format does so when it is converted back.
fn round_to_integral(z3: &mut Translation, format: FpFormat, rm: Z3_ast, a: Z3_ast) -> Z3_ast {
    let (wide, integral) = integer(z3, format, rm, a);
    convert(z3, wide, format, rm, integral)
}

/// The integer that a float rounds to, in a format that has it.
fn integer(z3: &mut Translation, format: FpFormat, rm: Z3_ast, a: Z3_ast) -> (FpFormat, Z3_ast) {
    let eb = format.holding_integers().eb;
    let wide = FpFormat {
        eb,
        sb: format.sb.max(eb + 3),
    };
    let exact = z3.mode(RoundingMode::NearestEven);
    let a = convert(z3, format, wide, exact, a);
    let integral = z3.context.binary(Z3_mk_fpa_round_to_integral, rm, a);
    (wide, integral)
}

/// By way of a longer exponent where Z3 has no room for those of subnormals.
fn convert(z3: &mut Translation, from: FpFormat, to: FpFormat, rm: Z3_ast, a: Z3_ast) -> Z3_ast {
    if from == to {
        return a;
    }
    let mut a = a;
    if from.eb == to.eb + 2 {
        let sort = z3.sort(Sort::Fp(FpFormat {
            eb: from.eb + 1,
            sb: from.sb,
        }));
        let exact = z3.mode(RoundingMode::NearestEven);
        a = z3
            .context
            .rounded_cast(Z3_mk_fpa_to_fp_float, exact, a, sort);
    }
    let sort = z3.sort(Sort::Fp(to));
    z3.context.rounded_cast(Z3_mk_fpa_to_fp_float, rm, a, sort)
}

/// The integer of `width` bits, extended where Z3 has no room for its exponent.
fn widen(
    z3: &Translation,
    format: FpFormat,
    width: u16,
    extend: unsafe extern "C" fn(Z3_context, u32, Z3_ast) -> Option<Z3_ast>,
    a: Z3_ast,
) -> Z3_ast {
    let (width, roomy) = (u32::from(width), 1u32 << (format.eb + 2));
    if width > roomy / 2 && width < roomy {
        z3.context.indexed(extend, roomy - width, a)
    } else {
        a
    }
}

fn to_signed(z3: &mut Translation, format: FpFormat, rm: Z3_ast, a: Z3_ast, width: u16) -> Z3_ast {
    let (format, integral) = integer(z3, format, rm, a);
    let limit = BitVec::ones(width).lshr(&BitVec::from_u64(width, 1));
    let (zero, most, least) = (BitVec::zero(width), limit.clone(), limit.not());
    let [zero, most, least] = [zero, most, least].map(|bits| z3.bits(&bits));
    let [above, below] = [false, true].map(|sign| power(z3, format, sign, width - 1));
    let c = &z3.context;
    let inside = match width {
        1 => zero,
        _ => {
            let toward_zero = z3.mode(RoundingMode::TowardZero);
            // SAFETY: the context is alive and so are the terms, which were kept.
            c.keep(unsafe { Z3_mk_fpa_to_sbv(c.raw(), toward_zero, integral, width.into()) })
        }
    };
    let inside = c.ite(c.binary(Z3_mk_fpa_leq, integral, below), least, inside);
    let number = c.ite(c.binary(Z3_mk_fpa_geq, integral, above), most, inside);
    c.ite(c.unary(Z3_mk_fpa_is_nan, a), zero, number)
}

fn to_unsigned(
    z3: &mut Translation,
    format: FpFormat,
    rm: Z3_ast,
    a: Z3_ast,
    width: u16,
) -> Z3_ast {
    let (format, integral) = integer(z3, format, rm, a);
    let zero = z3.bits(&BitVec::zero(width));
    let most = z3.bits(&BitVec::ones(width));
    let above = power(z3, format, false, width);
    let below = z3.value(&Value::Fp(format, fp::zero(format, false)));
    let c = &z3.context;
    let toward_zero = z3.mode(RoundingMode::TowardZero);
    // SAFETY: the context is alive and so are the terms, which were kept.
    let inside = c.keep(unsafe { Z3_mk_fpa_to_ubv(c.raw(), toward_zero, integral, width.into()) });
    let inside = c.ite(c.binary(Z3_mk_fpa_leq, integral, below), zero, inside);
    let number = c.ite(c.binary(Z3_mk_fpa_geq, integral, above), most, inside);
    c.ite(c.unary(Z3_mk_fpa_is_nan, a), zero, number)
}

/// Two to the `exponent`, or infinity where the format does not reach so far.
fn power(z3: &mut Translation, format: FpFormat, negative: bool, exponent: u16) -> Z3_ast {
    let exponent = i32::from(exponent);
    let magnitude = if exponent <= format.bias() {
        ((format.bias() + exponent) as u128) << (format.sb - 1)
    } else {
        fp::infinity(format, false)
    };
    z3.value(&Value::Fp(format, fp::zero(format, negative) | magnitude))
}

fn from_rational(
    z3: &mut Translation,
    format: FpFormat,
    rm: Z3_ast,
    number: &BigRational,
) -> Z3_ast {
    by_mode(z3, rm, |z3, mode| {
        z3.value(&Value::Fp(format, fp::from_rational(format, mode, number)))
    })
}

/// What `result` gives for the rounding mode, which it only sees as a constant.
fn by_mode(
    z3: &mut Translation,
    rm: Z3_ast,
    result: impl Fn(&mut Translation, RoundingMode) -> Z3_ast,
) -> Z3_ast {
    let [first, others @ ..] = RoundingMode::ALL;
    if let Some(mode) = RoundingMode::ALL
        .into_iter()
        .find(|&mode| z3.mode(mode) == rm)
    {
        return result(z3, mode);
    }
    let mut chosen = result(z3, first);
    for mode in others {
        let is_mode = z3.context.binary(Z3_mk_eq, rm, z3.mode(mode));
        let rounded = result(z3, mode);
        chosen = z3.context.ite(is_mode, rounded, chosen);
    }
    chosen
}

/// The sum of what the significand's bits stand for, doubled `2^k` times for
/// the exponent's bit `k`.
fn to_real(z3: &mut Translation, format: FpFormat, a: Z3_ast) -> Z3_ast {
    let (eb, sb) = (u32::from(format.eb), u32::from(format.sb));
    let c = z3.context.clone();
    let bits = c.unary(Z3_mk_fpa_to_ieee_bv, a);
    let one = z3.bits(&BitVec::from_u64(1, 1));
    let is_set = |at: u32| c.binary(Z3_mk_eq, c.extract(at, at, bits), one);
    let exponent = c.extract(eb + sb - 2, sb - 1, bits);
    let none = z3.bits(&BitVec::zero(format.eb.into()));
    let is_small = c.binary(Z3_mk_eq, exponent, none);
    let mut real = |number: BigRational| z3.value(&Value::Real(number));
    let zero = real(BigRational::zero());
    let mut power_of_two = |exponent: u32| real((BigInt::one() << exponent).into());

    let hidden = c.ite(is_small, zero, power_of_two(sb - 1));
    let stored = (0..sb - 1).map(|at| c.ite(is_set(at), power_of_two(at), zero));
    let parts: Vec<Z3_ast> = stored.chain([hidden]).collect();
    let mut number = c.nary(Z3_mk_add, &parts);
    for at in 0..eb {
        let scaled = c.nary(Z3_mk_mul, &[power_of_two(1 << at), number]);
        number = c.ite(is_set(sb - 1 + at), scaled, number);
    }
    let doubled = c.nary(Z3_mk_mul, &[power_of_two(1), number]);
    number = c.ite(is_small, doubled, number);
    let unit = BigRational::new(
        BigInt::one(),
        BigInt::one() << (format.bias() as u32 + sb - 1),
    );
    number = c.nary(Z3_mk_mul, &[real(unit), number]);
    number = c.ite(
        is_set(eb + sb - 1),
        c.unary(Z3_mk_unary_minus, number),
        number,
    );
    let not_a_number = c.unary(Z3_mk_fpa_is_nan, a);
    let infinite = c.unary(Z3_mk_fpa_is_infinite, a);
    c.ite(c.nary(Z3_mk_or, &[not_a_number, infinite]), zero, number)
}
