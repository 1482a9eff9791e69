//! Rules for floating-point arithmetic and conversions.
//!
//! Only what holds for every value, NaN and the zeros among them, and for
//! every rounding mode, unless the rule names the mode.

use super::lift::lift_choice;
use super::pattern::{both_ways, sign, unary};
use super::{Rule, rules};
use crate::fp;
use crate::op::Op;
use crate::sort::{FpFormat, RoundingMode, Sort};
use crate::store::{Node, Store, Term};
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

pub(super) const FROM_BITS: &[Rule] = rules![from_own_bits, lift_choice];

pub(super) const TO_BITS: &[Rule] = rules![lift_choice];

pub(super) const ABS: &[Rule] = rules![abs_abs, abs_neg, lift_choice];

pub(super) const NEG: &[Rule] = rules![neg_neg, lift_choice];

pub(super) const ADD: &[Rule] = rules![of_nan, add_zero, order_operands, lift_choice];

pub(super) const MUL: &[Rule] = rules![
    of_nan,
    mul_one,
    mul_minus_one,
    negations_cancel,
    order_operands,
    lift_choice,
];

pub(super) const DIV: &[Rule] = rules![of_nan, div_power, negations_cancel, lift_choice];

pub(super) const FMA: &[Rule] = rules![fma_nan, fma_one, fma_negations, fma_order];

pub(super) const SQRT: &[Rule] = rules![of_nan, lift_choice];

pub(super) const REM: &[Rule] = rules![of_nan, rem_sign, lift_choice];

pub(super) const ROUND: &[Rule] = rules![of_nan, round_round, round_integer, lift_choice];

pub(super) const MIN_MAX: &[Rule] = rules![extreme_same, extreme_nan, order_extremes, lift_choice];

pub(super) const CONVERT: &[Rule] = rules![of_nan, convert_same, convert_widened, lift_choice];

pub(super) const FROM_SIGNED: &[Rule] = rules![from_nonnegative, from_sext, lift_choice];

pub(super) const FROM_UNSIGNED: &[Rule] = rules![from_zext, lift_choice];

pub(super) const TO_SIGNED: &[Rule] =
    rules![to_integer_of_widened, to_signed_of_integer, lift_choice];

pub(super) const TO_UNSIGNED: &[Rule] =
    rules![to_integer_of_widened, to_unsigned_of_integer, lift_choice];

pub(super) const TO_REAL: &[Rule] = rules![to_real_of_widened, lift_choice];

/// The format and packed bits of a constant.
#[inline]
pub(super) fn float(store: &Store, term: Term) -> Option<(FpFormat, u128)> {
    let Sort::Fp(format) = store.sort(term) else {
        return None;
    };
    match store.as_word(term) {
        Some(word) => Some((format, word.into())),
        None => match store.as_value(term)? {
            Value::Fp(_, bits) => Some((format, bits)),
            other => unreachable!("{other:?} is not a float"),
        },
    }
}

pub(super) fn is_nan(store: &Store, term: Term) -> bool {
    float(store, term).is_some_and(|(format, bits)| fp::is_nan(format, bits))
}

/// Whether the term is the constant with this value.
fn is_number(store: &Store, term: Term, value: i32) -> bool {
    float(store, term).is_some_and(|(format, bits)| {
        let value = fp::from_int(format, RoundingMode::NearestEven, &BigInt::from(value));
        bits == value
    })
}

/// The argument of a term whose first argument is a rounding mode.
pub(super) fn rounded(store: &Store, term: Term, op: Op) -> Option<Term> {
    let node = store.node(term);
    (node.op == op).then_some(node.slots[1])
}

/// What is converted to `term`, when its format is exactly included in that of `term`.
pub(super) fn widened(store: &Store, term: Term) -> Option<Term> {
    let x = rounded(store, term, Op::FpConvert)?;
    includes(store.format(term), store.format(x)).then_some(x)
}

fn includes(wide: FpFormat, narrow: FpFormat) -> bool {
    wide.eb >= narrow.eb && wide.sb >= narrow.sb
}

/// The bit-vector converted to `term`, when every value of it is converted exactly.
pub(super) fn exact_integer(store: &Store, term: Term) -> Option<(Op, Term)> {
    let node = store.node(term);
    let x = node.slots[1];
    let bits = match node.op {
        // A sign takes no place in the significand.
        Op::FpFromSigned => i32::from(store.width(x)) - 1,
        Op::FpFromUnsigned => i32::from(store.width(x)),
        _ => return None,
    };
    let format = store.format(term);
    let greatest_power = i32::from(store.width(x)) - 1;
    (bits <= i32::from(format.sb) && greatest_power <= format.bias()).then_some((node.op, x))
}

/// match: from_bits(to_bits(x))
/// result: x
fn from_own_bits(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::FpToBits)?;
    (store.sort(x) == node.sort).then_some(x)
}

/// match: abs(abs(x))
/// result: abs(x)
fn abs_abs(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[0];
    (store.op(x) == Op::FpAbs).then_some(x)
}

/// match: abs(-x)
/// result: abs(x)
fn abs_neg(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::FpNeg)?;
    Some(store.fp_abs(x))
}

/// match: -(-x)
/// result: x
fn neg_neg(store: &mut Store, node: &Node) -> Option<Term> {
    unary(store, node.slots[0], Op::FpNeg)
}

/// match: an operation with an argument NaN
/// result: NaN
fn of_nan(store: &mut Store, node: &Node) -> Option<Term> {
    let arity = node.op.arity()?;
    let format = result_format(node);
    node.slots[..arity]
        .iter()
        .any(|&arg| is_nan(store, arg))
        .then(|| store.fp(format, fp::nan(format)))
}

fn result_format(node: &Node) -> FpFormat {
    match node.sort {
        Sort::Fp(format) => format,
        other => unreachable!("{other} is not a floating-point sort"),
    }
}

/// match: x + -0; rounding toward negative infinity, x + +0; the mode a constant
/// result: x
fn add_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, a, b] = node.slots;
    let mode = store.as_word(rm)?;
    let format = result_format(node);
    let neutral = fp::zero(format, mode != RoundingMode::TowardNegative as u64);
    [(a, b), (b, a)]
        .into_iter()
        .find_map(|(x, zero)| (float(store, zero)?.1 == neutral).then_some(x))
}

/// match: x ∘ y, ∘ one of + *, y the older or x a constant
/// result: y ∘ x
fn order_operands(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, a, b] = node.slots;
    if !out_of_order(store, a, b) {
        return None;
    }
    let mut ordered = *node;
    ordered.slots = [rm, b, a];
    Some(store.make(ordered))
}

/// Whether the commutative normal form has them the other way round.
fn out_of_order(store: &Store, a: Term, b: Term) -> bool {
    (store.is_const(a), a) > (store.is_const(b), b)
}

/// match: x * 1
/// result: x
fn mul_one(store: &mut Store, node: &Node) -> Option<Term> {
    besides_factor(store, node, 1)
}

/// match: x * -1
/// result: -x
fn mul_minus_one(store: &mut Store, node: &Node) -> Option<Term> {
    let x = besides_factor(store, node, -1)?;
    Some(store.fp_neg(x))
}

/// The other factor of a product with this one.
fn besides_factor(store: &Store, node: &Node, factor: i32) -> Option<Term> {
    let [_, a, b] = node.slots;
    [(a, b), (b, a)]
        .into_iter()
        .find_map(|(x, c)| is_number(store, c, factor).then_some(x))
}

/// match: -x * -y; -x / -y
/// result: x * y; x / y
fn negations_cancel(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, a, b] = node.slots;
    let (x, y) = (unary(store, a, Op::FpNeg)?, unary(store, b, Op::FpNeg)?);
    let mut without = *node;
    without.slots = [rm, x, y];
    Some(store.make(without))
}

/// match: x / c, the inverse of c a float
/// result: x * (1 / c)
fn div_power(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, x, c] = node.slots;
    let (format, c) = float(store, c)?;
    let value = fp::to_rational(format, c)?;
    let one = fp::from_int(format, RoundingMode::NearestEven, &BigInt::one());
    let inverse = fp::div(format, RoundingMode::NearestEven, one, c);
    if fp::to_rational(format, inverse)? * value != BigRational::one() {
        return None;
    }
    let inverse = store.fp(format, inverse);
    Some(store.fp_mul(rm, x, inverse))
}

/// The arguments of a fused multiplication and addition.
fn fma_args(store: &Store, node: &Node) -> [Term; 4] {
    let args = store.list_items(node.slots[0]);
    args.try_into()
        .expect("a rounding mode, two factors and a summand")
}

/// match: x * y + z with an argument NaN
/// result: NaN
fn fma_nan(store: &mut Store, node: &Node) -> Option<Term> {
    let format = result_format(node);
    fma_args(store, node)
        .iter()
        .any(|&arg| is_nan(store, arg))
        .then(|| store.fp(format, fp::nan(format)))
}

/// match: x * 1 + z, rounded once
/// result: x + z
fn fma_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, a, b, z] = fma_args(store, node);
    [(a, b), (b, a)]
        .into_iter()
        .find_map(|(x, one)| is_number(store, one, 1).then(|| store.fp_add(rm, x, z)))
}

/// match: -x * -y + z, rounded once
/// result: x * y + z, rounded once
fn fma_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, a, b, z] = fma_args(store, node);
    let (x, y) = (unary(store, a, Op::FpNeg)?, unary(store, b, Op::FpNeg)?);
    Some(store.fp_fma(rm, x, y, z))
}

/// match: x * y + z, rounded once, y the older or x a constant
/// result: y * x + z, rounded once
fn fma_order(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, a, b, z] = fma_args(store, node);
    out_of_order(store, a, b).then(|| store.fp_fma(rm, b, a, z))
}

/// match: rem(x, -y); rem(x, abs(y))
/// result: rem(x, y)
fn rem_sign(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, divisor, _] = node.slots;
    let y = without_sign(store, divisor)?;
    Some(store.fp_rem(x, y))
}

/// What is negated or made positive.
pub(super) fn without_sign(store: &Store, term: Term) -> Option<Term> {
    unary(store, term, Op::FpNeg).or_else(|| unary(store, term, Op::FpAbs))
}

/// match: round(round(x)), whatever the modes
/// result: the inner round(x)
fn round_round(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[1];
    (store.op(x) == Op::FpRound).then_some(x)
}

/// match: round(x), x converted from an integer
/// result: x
fn round_integer(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[1];
    let format = result_format(node);
    // Otherwise the greatest float, which an integer may be rounded to, is none.
    let has_integers_only = i32::from(format.sb) - 1 <= format.bias();
    let integer = matches!(store.op(x), Op::FpFromSigned | Op::FpFromUnsigned);
    (integer && has_integers_only).then_some(x)
}

/// match: min(x, x); max(x, x)
/// result: x
fn extreme_same(_: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then_some(x)
}

/// match: min(x, NaN); max(x, NaN)
/// result: x
fn extreme_nan(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node)
        .into_iter()
        .find_map(|(x, nan)| is_nan(store, nan).then_some(x))
}

/// match: min(x, y) or max(x, y), y the older or x a constant
/// result: min(y, x) or max(y, x)
fn order_extremes(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    if !out_of_order(store, x, y) {
        return None;
    }
    let mut ordered = *node;
    ordered.slots.swap(0, 1);
    Some(store.make(ordered))
}

/// match: x converted to its own format
/// result: x
fn convert_same(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[1];
    (store.sort(x) == node.sort).then_some(x)
}

/// match: convert(convert(x)), the inner one exact
/// result: convert(x)
fn convert_widened(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, inner, _] = node.slots;
    let x = widened(store, inner)?;
    Some(store.fp_convert(rm, x, result_format(node)))
}

/// match: x converted to a float, signed, x never negative
/// result: x converted to a float, unsigned
fn from_nonnegative(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, x, _] = node.slots;
    (sign(store, x) == Some(false)).then(|| store.fp_from_unsigned(rm, x, result_format(node)))
}

/// match: sext(x) converted to a float, signed
/// result: x converted to a float, signed
fn from_sext(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, extended, _] = node.slots;
    let x = unary(store, extended, Op::Sext)?;
    Some(store.fp_from_signed(rm, x, result_format(node)))
}

/// match: zext(x) converted to a float, unsigned
/// result: x converted to a float, unsigned
fn from_zext(store: &mut Store, node: &Node) -> Option<Term> {
    let [rm, extended, _] = node.slots;
    let x = unary(store, extended, Op::Zext)?;
    Some(store.fp_from_unsigned(rm, x, result_format(node)))
}

/// match: x converted exactly to a wider format, then to an integer
/// result: x converted to an integer
fn to_integer_of_widened(store: &mut Store, node: &Node) -> Option<Term> {
    let x = widened(store, node.slots[1])?;
    let mut narrow = *node;
    narrow.slots[1] = x;
    Some(store.make(narrow))
}

/// match: an integer converted exactly to a float, then to a signed integer that has room for it
/// result: the integer, extended
fn to_signed_of_integer(store: &mut Store, node: &Node) -> Option<Term> {
    let (op, x) = exact_integer(store, node.slots[1])?;
    let (from, to) = (store.width(x), node.sort.bv_width());
    match op {
        Op::FpFromSigned if from <= to => Some(store.sext(x, to)),
        Op::FpFromUnsigned if from < to => Some(store.zext(x, to)),
        _ => None,
    }
}

/// match: an unsigned integer converted exactly to a float, then to one that has room for it
/// result: the integer, extended
fn to_unsigned_of_integer(store: &mut Store, node: &Node) -> Option<Term> {
    let (op, x) = exact_integer(store, node.slots[1])?;
    let to = node.sort.bv_width();
    (op == Op::FpFromUnsigned && store.width(x) <= to).then(|| store.zext(x, to))
}

/// match: x converted exactly to a wider format, then to a real
/// result: x converted to a real
fn to_real_of_widened(store: &mut Store, node: &Node) -> Option<Term> {
    let x = widened(store, node.slots[0])?;
    Some(store.fp_to_real(x))
}
