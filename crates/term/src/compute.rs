//! What each operator does to values: the meaning of terms.
//!
//! Two functions say it. [`word`] computes on machine words and serves the
//! sorts that fit one; it is the inner loop of evaluation. [`value`] computes
//! on values of any sort. A test holds them together where both apply.

use crate::bits::{BitVec, mask, to_signed};
use crate::fp;
use crate::op::Op;
use crate::regex::Regex;
use crate::sort::{FpFormat, RoundingMode, Sort};
use crate::store::{Store, Term};
use crate::text;
use crate::value::{ArrayValue, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::rc::Rc;

/// The numbers of an operator that are not arguments.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// The operator.
    pub op: Op,
    /// The sort of the result.
    pub sort: Sort,
    /// The sort of the last argument.
    pub of: Sort,
    /// The indices of `Extract` and `ReLoop`.
    pub indices: [u32; 2],
}

impl Shape {
    /// That of a term.
    pub fn of(store: &Store, term: Term) -> Shape {
        let sort = store.sort(term);
        let last = store.args(term).last();
        Shape {
            op: store.op(term),
            sort,
            of: last.map_or(sort, |&last| store.sort(last)),
            indices: store.indices(term),
        }
    }
}

/// The result on words; every sort involved is a word sort.
#[inline]
pub(crate) fn word(shape: Shape, args: &[u64]) -> u64 {
    let width = u32::from(shape.of.bv_width());
    let m = mask(width.max(u32::from(shape.sort.bv_width())).min(64));
    match (shape.op, args) {
        (Op::Eq, &[a, b]) => u64::from(a == b),
        (Op::Ite, &[c, a, b]) => {
            if c != 0 {
                a
            } else {
                b
            }
        }
        (Op::Not, &[a]) => a ^ 1,
        (Op::And, &[a, b]) => a & b,
        (Op::BvNot, &[a]) => !a & m,
        (Op::BvNeg, &[a]) => a.wrapping_neg() & m,
        (Op::BvAnd, &[a, b]) => a & b,
        (Op::BvOr, &[a, b]) => a | b,
        (Op::BvXor, &[a, b]) => a ^ b,
        (Op::BvAdd, &[a, b]) => a.wrapping_add(b) & m,
        (Op::BvMul, &[a, b]) => a.wrapping_mul(b) & m,
        (Op::BvUdiv, &[a, b]) => a.checked_div(b).unwrap_or(m),
        (Op::BvUrem, &[a, b]) => a.checked_rem(b).unwrap_or(a),
        (Op::BvSdiv, &[a, b]) => {
            let (a, b) = (to_signed(a, width), to_signed(b, width));
            let quotient = match b {
                0 if a < 0 => 1,
                0 => -1,
                _ => a.wrapping_div(b),
            };
            quotient as u64 & m
        }
        (Op::BvSrem, &[a, b]) => {
            let (a, b) = (to_signed(a, width), to_signed(b, width));
            let rest = if b == 0 { a } else { a.wrapping_rem(b) };
            rest as u64 & m
        }
        (Op::BvSmod, &[a, b]) => {
            let (a, b) = (to_signed(a, width), to_signed(b, width));
            let rest = if b == 0 { a } else { a.wrapping_rem(b) };
            let moved = if rest != 0 && b != 0 && (rest < 0) != (b < 0) {
                rest.wrapping_add(b)
            } else {
                rest
            };
            moved as u64 & m
        }
        (Op::BvShl, &[a, b]) if b < u64::from(width) => a << b & m,
        (Op::BvLshr, &[a, b]) if b < u64::from(width) => a >> b,
        (Op::BvShl | Op::BvLshr, _) => 0,
        (Op::BvAshr, &[a, b]) => {
            (to_signed(a, width) >> b.min(u64::from(width) - 1).min(63)) as u64 & m
        }
        (Op::Ult, &[a, b]) => u64::from(a < b),
        (Op::Slt, &[a, b]) => u64::from(to_signed(a, width) < to_signed(b, width)),
        (Op::Concat, &[a, b]) => a << width | b,
        (Op::Extract, &[a]) => a >> shape.indices[0] & mask(u32::from(shape.sort.bv_width())),
        (Op::Zext, &[a]) => a,
        (Op::Sext, &[a]) => to_signed(a, width) as u64 & m,
        _ => float_word(shape, args),
    }
}

/// The floating-point operators on words.
fn float_word(shape: Shape, args: &[u64]) -> u64 {
    let wide: [u128; 4] = std::array::from_fn(|i| args.get(i).copied().unwrap_or(0).into());
    let last = wide[args.len() - 1];
    let to_bits = |width: u16, value: &BigInt| {
        BitVec::from_int(width, value)
            .to_u64()
            .expect("the result is a word")
    };
    match shape.op {
        Op::FpFromBits => match shape.sort {
            Sort::Fp(format) => fp::canonical(format, last) as u64,
            other => unreachable!("{other} is not a floating-point sort"),
        },
        Op::FpFromSigned => {
            let value = to_signed(last as u64, shape.of.bv_width().into());
            fp::from_int(result_format(shape), mode(args[0]), &BigInt::from(value)) as u64
        }
        Op::FpFromUnsigned => {
            fp::from_int(result_format(shape), mode(args[0]), &BigInt::from(last)) as u64
        }
        Op::FpToSigned => {
            let width = shape.sort.bv_width();
            let value = fp::to_signed(argument_format(shape), mode(args[0]), last, width.into());
            to_bits(width, &value)
        }
        Op::FpToUnsigned => {
            let width = shape.sort.bv_width();
            let value = fp::to_unsigned(argument_format(shape), mode(args[0]), last, width.into());
            to_bits(width, &value.into())
        }
        _ => float_to_float(shape, &wide) as u64,
    }
}

fn result_format(shape: Shape) -> FpFormat {
    match shape.sort {
        Sort::Fp(format) => format,
        other => unreachable!("{other} is not a floating-point sort"),
    }
}

fn argument_format(shape: Shape) -> FpFormat {
    match shape.of {
        Sort::Fp(format) => format,
        other => unreachable!("{other} is not a floating-point sort"),
    }
}

fn mode(number: u64) -> RoundingMode {
    RoundingMode::ALL[number as usize]
}

/// The floating-point operators on packed floats, rounding modes as numbers,
/// with a packed float or a truth value as the result.
fn float_to_float(shape: Shape, args: &[u128; 4]) -> u128 {
    let f = argument_format(shape);
    let [a, b, c, d] = *args;
    let rm = || mode(a as u64);
    match shape.op {
        Op::FpToBits => a,
        Op::FpAbs => fp::abs(f, a),
        Op::FpNeg => fp::neg(f, a),
        Op::FpAdd => fp::add(f, rm(), b, c),
        Op::FpMul => fp::mul(f, rm(), b, c),
        Op::FpDiv => fp::div(f, rm(), b, c),
        Op::FpFma => fp::fma(f, rm(), b, c, d),
        Op::FpSqrt => fp::sqrt(f, rm(), b),
        Op::FpRem => fp::rem(f, a, b),
        Op::FpRound => fp::round_to_integral(f, rm(), b),
        Op::FpMin => fp::min(f, a, b),
        Op::FpMax => fp::max(f, a, b),
        Op::FpEq => fp::eq(f, a, b).into(),
        Op::FpLt => fp::lt(f, a, b).into(),
        Op::FpLe => fp::le(f, a, b).into(),
        Op::FpIsNan => fp::is_nan(f, a).into(),
        Op::FpIsInf => fp::is_infinite(f, a).into(),
        Op::FpIsZero => fp::is_zero(f, a).into(),
        Op::FpIsNormal => fp::is_normal(f, a).into(),
        Op::FpIsSubnormal => fp::is_subnormal(f, a).into(),
        Op::FpIsNegative => fp::is_negative(f, a).into(),
        Op::FpIsPositive => fp::is_positive(f, a).into(),
        Op::FpConvert => fp::convert(f, result_format(shape), rm(), b),
        other => unreachable!("{other:?} is not an operator on floats"),
    }
}

/// The result on values of any sorts.
pub(crate) fn value(shape: Shape, args: &[Value]) -> Value {
    use Value::*;
    match (shape.op, args) {
        (Op::Eq, [a, b]) => Bool(a == b),
        (Op::Ite, [Bool(c), a, b]) => if *c { a } else { b }.clone(),
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::And, [Bool(a), Bool(b)]) => Bool(*a && *b),
        (Op::ConstArray, [Bv(element)]) => match shape.sort {
            Sort::Array { index, .. } => Array(Rc::new(ArrayValue::filled(index, element.clone()))),
            other => unreachable!("{other} is not an array sort"),
        },
        (Op::Select, [Array(array), Bv(index)]) => Bv(array.get(index).clone()),
        (Op::Store, [Array(array), Bv(index), Bv(element)]) => {
            let mut array = ArrayValue::clone(array);
            array.set(index.clone(), element.clone());
            Array(Rc::new(array))
        }
        (Op::BvToNat, [Bv(a)]) => Int(a.to_big().into()),
        (Op::IntToBv, [Int(a)]) => Bv(BitVec::from_int(shape.sort.bv_width(), a)),
        (_, [Bv(_)] | [Bv(_), Bv(_)]) if !matches!(shape.op, Op::FpFromBits) => {
            bit_vector(shape, args)
        }
        (_, [Int(_) | Real(_), ..]) if !matches!(shape.op, Op::StrFromCode | Op::StrFromInt) => {
            number(shape.op, args)
        }
        (_, [Str(_) | Re(_) | Int(_), ..] | []) => string(shape, args),
        _ => float(shape, args),
    }
}

fn bit_vector(shape: Shape, args: &[Value]) -> Value {
    use Value::{Bool, Bv};
    let width = shape.sort.bv_width();
    match (shape.op, args) {
        (Op::BvNot, [Bv(a)]) => Bv(a.not()),
        (Op::BvNeg, [Bv(a)]) => Bv(a.neg()),
        (Op::BvAnd, [Bv(a), Bv(b)]) => Bv(a.and(b)),
        (Op::BvOr, [Bv(a), Bv(b)]) => Bv(a.or(b)),
        (Op::BvXor, [Bv(a), Bv(b)]) => Bv(a.xor(b)),
        (Op::BvAdd, [Bv(a), Bv(b)]) => Bv(a.add(b)),
        (Op::BvMul, [Bv(a), Bv(b)]) => Bv(a.mul(b)),
        (Op::BvUdiv, [Bv(a), Bv(b)]) => Bv(a.udiv(b)),
        (Op::BvUrem, [Bv(a), Bv(b)]) => Bv(a.urem(b)),
        (Op::BvSdiv, [Bv(a), Bv(b)]) => Bv(a.sdiv(b)),
        (Op::BvSrem, [Bv(a), Bv(b)]) => Bv(a.srem(b)),
        (Op::BvSmod, [Bv(a), Bv(b)]) => Bv(a.smod(b)),
        (Op::BvShl, [Bv(a), Bv(b)]) => Bv(a.shl(b)),
        (Op::BvLshr, [Bv(a), Bv(b)]) => Bv(a.lshr(b)),
        (Op::BvAshr, [Bv(a), Bv(b)]) => Bv(a.ashr(b)),
        (Op::Ult, [Bv(a), Bv(b)]) => Bool(a.ult(b)),
        (Op::Slt, [Bv(a), Bv(b)]) => Bool(a.slt(b)),
        (Op::Concat, [Bv(a), Bv(b)]) => Bv(a.concat(b)),
        (Op::Extract, [Bv(a)]) => Bv(a.extract(shape.indices[0] as u16, width)),
        (Op::Zext, [Bv(a)]) => Bv(a.zext(width)),
        (Op::Sext, [Bv(a)]) => Bv(a.sext(width)),
        (other, _) => unreachable!("{other:?} is not an operator on bit-vectors"),
    }
}

fn number(op: Op, args: &[Value]) -> Value {
    use Value::{Bool, Int, Real};
    match (op, args) {
        (Op::Add, [Int(a), Int(b)]) => Int(a + b),
        (Op::Add, [Real(a), Real(b)]) => Real(a + b),
        (Op::Mul, [Int(a), Int(b)]) => Int(a * b),
        (Op::Mul, [Real(a), Real(b)]) => Real(a * b),
        (Op::Neg, [Int(a)]) => Int(-a),
        (Op::Neg, [Real(a)]) => Real(-a),
        (Op::Lt, [Int(a), Int(b)]) => Bool(a < b),
        (Op::Lt, [Real(a), Real(b)]) => Bool(a < b),
        (Op::Le, [Int(a), Int(b)]) => Bool(a <= b),
        (Op::Le, [Real(a), Real(b)]) => Bool(a <= b),
        (Op::IntDiv, [Int(a), Int(b)]) => Int(euclid(a, b).0),
        (Op::IntMod, [Int(a), Int(b)]) => Int(euclid(a, b).1),
        (Op::RealDiv, [Real(a), Real(b)]) => Real(if b.is_zero() {
            BigRational::zero()
        } else {
            a / b
        }),
        (Op::ToReal, [Int(a)]) => Real(BigRational::from_integer(a.clone())),
        (Op::ToInt, [Real(a)]) => Int(a.floor().to_integer()),
        (other, _) => unreachable!("{other:?} is not an operator on numbers"),
    }
}

/// Quotient and remainder, the remainder never negative.
fn euclid(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    if b.is_zero() {
        return (BigInt::zero(), a.clone());
    }
    let (quotient, rest) = a.div_mod_floor(b);
    if rest.is_negative() {
        (quotient + 1, rest - b)
    } else {
        (quotient, rest)
    }
}

fn string(shape: Shape, args: &[Value]) -> Value {
    use Value::{Bool, Int, Re, Str};
    let (string, language) = (|s: Vec<u32>| Str(s.into()), |r: Regex| Re(Rc::new(r)));
    match (shape.op, args) {
        (Op::StrConcat, [Str(a), Str(b)]) => string([&**a, &**b].concat()),
        (Op::StrLen, [Str(a)]) => Int(a.len().into()),
        (Op::StrAt, [Str(a), Int(i)]) => string(text::substr(a, i, &1.into()).to_vec()),
        (Op::StrSubstr, [Str(a), Int(i), Int(n)]) => string(text::substr(a, i, n).to_vec()),
        (Op::StrPrefixOf, [Str(a), Str(b)]) => Bool(b.starts_with(a)),
        (Op::StrSuffixOf, [Str(a), Str(b)]) => Bool(b.ends_with(a)),
        (Op::StrContains, [Str(a), Str(b)]) => Bool(text::find(a, b, 0).is_some()),
        (Op::StrIndexOf, [Str(a), Str(b), Int(i)]) => Int(text::index_of(a, b, i)),
        (Op::StrReplace, [Str(a), Str(b), Str(c)]) => string(text::replace(a, b, c)),
        (Op::StrReplaceAll, [Str(a), Str(b), Str(c)]) => string(text::replace_all(a, b, c)),
        (Op::StrReplaceRe, [Str(a), Re(r), Str(c)]) => string(r.replace(a, c)),
        (Op::StrReplaceReAll, [Str(a), Re(r), Str(c)]) => string(r.replace_all(a, c)),
        (Op::StrIsDigit, [Str(a)]) => Bool(matches!(**a, [0x30..=0x39])),
        (Op::StrToCode, [Str(a)]) => Int(match **a {
            [code] => code.into(),
            _ => (-1).into(),
        }),
        (Op::StrFromCode, [Int(a)]) => string(text::from_code(a)),
        (Op::StrToInt, [Str(a)]) => Int(text::to_int(a)),
        (Op::StrFromInt, [Int(a)]) => string(text::from_int(a)),
        (Op::StrLt, [Str(a), Str(b)]) => Bool(a < b),
        (Op::StrLe, [Str(a), Str(b)]) => Bool(a <= b),
        (Op::StrInRe, [Str(a), Re(r)]) => Bool(r.accepts(a)),
        (Op::ReNone, []) => language(Regex::None),
        (Op::ReAll, []) => language(Regex::all()),
        (Op::ReAllChar, []) => language(Regex::any_char()),
        (Op::ReFromStr, [Str(a)]) => language(Regex::literal(a)),
        (Op::ReRange, [Str(a), Str(b)]) => language(match (&**a, &**b) {
            (&[low], &[high]) if low <= high => Regex::Range(low, high),
            _ => Regex::None,
        }),
        (Op::ReConcat, [Re(a), Re(b)]) => Re(Regex::concat(a, b)),
        (Op::ReUnion, [Re(a), Re(b)]) => Re(Regex::union(a, b)),
        (Op::ReInter, [Re(a), Re(b)]) => Re(Regex::inter(a, b)),
        (Op::ReStar, [Re(a)]) => Re(Regex::star(a)),
        (Op::ReComp, [Re(a)]) => Re(Regex::complement(a)),
        (Op::ReLoop, [Re(a)]) => Re(Regex::repeat(a, shape.indices[0], shape.indices[1])),
        (other, _) => unreachable!("{other:?} is not an operator on strings"),
    }
}

fn float(shape: Shape, args: &[Value]) -> Value {
    use Value::{Bool, Bv, Fp, Real, Rm};
    match (shape.op, args) {
        (Op::FpFromBits, [Bv(a)]) => {
            let format = result_format(shape);
            Fp(format, fp::canonical(format, a.to_u128()))
        }
        (Op::FpToBits, [Fp(format, a)]) => Bv(BitVec::from_u128(format.width() as u16, *a)),
        (Op::FpFromSigned, [Rm(rm), Bv(a)]) => {
            let format = result_format(shape);
            Fp(format, fp::from_int(format, *rm, &a.to_int()))
        }
        (Op::FpFromUnsigned, [Rm(rm), Bv(a)]) => {
            let format = result_format(shape);
            Fp(format, fp::from_int(format, *rm, &a.to_big().into()))
        }
        (Op::FpToSigned, [Rm(rm), Fp(format, a)]) => {
            let width = shape.sort.bv_width();
            let value = fp::to_signed(*format, *rm, *a, width.into());
            Bv(BitVec::from_int(width, &value))
        }
        (Op::FpToUnsigned, [Rm(rm), Fp(format, a)]) => {
            let width = shape.sort.bv_width();
            let value = fp::to_unsigned(*format, *rm, *a, width.into());
            Bv(BitVec::from_big(width, &value))
        }
        (Op::FpFromReal, [Rm(rm), Real(a)]) => {
            let format = result_format(shape);
            Fp(format, fp::from_rational(format, *rm, a))
        }
        (Op::FpToReal, [Fp(format, a)]) => {
            Real(fp::to_rational(*format, *a).unwrap_or_else(BigRational::zero))
        }
        _ => {
            let packed = std::array::from_fn(|i| match args.get(i) {
                Some(Fp(_, bits)) => *bits,
                Some(Rm(rm)) => *rm as u128,
                _ => 0,
            });
            let result = float_to_float(shape, &packed);
            match shape.sort {
                Sort::Bool => Bool(result != 0),
                _ => Fp(result_format(shape), result),
            }
        }
    }
}
