//! Rules that compare and classify floats.

use super::equality::eq_same;
use super::float::{exact_integer, float, is_nan, rounded, widened, without_sign};
use super::lift::{lift_choice, lift_two_choices};
use super::pattern::{bits, unary};
use super::{Rule, rules};
use crate::fp;
use crate::op::Op;
use crate::sort::{FpFormat, RoundingMode};
use crate::store::{Node, Store, Term};

pub(super) const EQ: &[Rule] = rules![
    compare_nan,
    compare_same,
    eq_zero,
    eq_nonzero,
    compare_negations,
    compare_negation_constant,
    compare_widened,
    compare_widened_constant,
    compare_integers,
    lift_choice,
    lift_two_choices,
];

pub(super) const LT: &[Rule] = rules![
    compare_nan,
    lt_same,
    lt_beyond,
    lt_abs,
    compare_negations,
    compare_negation_constant,
    compare_widened,
    compare_widened_constant,
    compare_integers,
    lift_choice,
    lift_two_choices,
];

pub(super) const LE: &[Rule] = rules![
    compare_nan,
    compare_same,
    le_infinite,
    le_abs,
    compare_negations,
    compare_negation_constant,
    compare_widened,
    compare_widened_constant,
    compare_integers,
    lift_choice,
    lift_two_choices,
];

pub(super) const IS_NAN: &[Rule] = rules![
    class_of_signed,
    class_of_widened,
    is_nan_of_integer,
    is_nan_of_round,
    lift_choice,
];

pub(super) const IS_INFINITE_ZERO: &[Rule] = rules![class_of_signed, class_of_widened, lift_choice];

pub(super) const IS_NORMAL_SUBNORMAL: &[Rule] = rules![class_of_signed, lift_choice];

pub(super) const IS_NEGATIVE_POSITIVE: &[Rule] =
    rules![sign_of_neg, sign_of_abs, class_of_widened, lift_choice];

pub(super) const EQUALITY: &[Rule] = rules![
    eq_same,
    eq_negations,
    eq_negation_constant,
    eq_from_bits_constant,
    lift_choice,
    lift_two_choices,
];

/// match: x ⋈ NaN, ⋈ one of = < ≤
/// result: false
fn compare_nan(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (is_nan(store, x) || is_nan(store, y)).then(|| store.bool(false))
}

/// match: x = x; x ≤ x
/// result: ¬is_nan(x)
fn compare_same(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then(|| is_not_nan(store, x))
}

fn is_not_nan(store: &mut Store, x: Term) -> Term {
    let nan = store.fp_is_nan(x);
    store.not(nan)
}

/// match: x < x
/// result: false
fn lt_same(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then(|| store.bool(false))
}

/// match: x = 0, as floats
/// result: is_zero(x)
fn eq_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let (format, c) = float(store, c)?;
    fp::is_zero(format, c).then(|| store.fp_is_zero(x))
}

/// match: x = c, as floats, c neither zero nor NaN
/// result: x is c
fn eq_nonzero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let (format, value) = float(store, c)?;
    let plain = !fp::is_zero(format, value) && !fp::is_nan(format, value);
    plain.then(|| store.eq(x, c))
}

/// match: x < -∞; +∞ < x
/// result: false
fn lt_beyond(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (is_infinity(store, x, false) || is_infinity(store, y, true)).then(|| store.bool(false))
}

fn is_infinity(store: &Store, term: Term, negative: bool) -> bool {
    float(store, term).is_some_and(|(format, bits)| bits == fp::infinity(format, negative))
}

/// match: -∞ ≤ x or x ≤ +∞; +∞ ≤ x or x ≤ -∞
/// result: ¬is_nan(x); x is that infinity
fn le_infinite(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    if is_infinity(store, a, true) {
        Some(is_not_nan(store, b))
    } else if is_infinity(store, b, false) {
        Some(is_not_nan(store, a))
    } else if is_infinity(store, a, false) || is_infinity(store, b, true) {
        Some(store.eq(a, b))
    } else {
        None
    }
}

/// match: abs(x) < c, c not positive
/// result: false
fn lt_abs(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    (store.op(a) == Op::FpAbs && is_not_positive(store, c)).then(|| store.bool(false))
}

/// match: c ≤ abs(x), c not positive
/// result: ¬is_nan(x)
fn le_abs(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, a, _] = node.slots;
    let x = unary(store, a, Op::FpAbs)?;
    is_not_positive(store, c).then(|| is_not_nan(store, x))
}

fn is_not_positive(store: &Store, c: Term) -> bool {
    float(store, c).is_some_and(|(format, c)| fp::le(format, c, fp::zero(format, false)))
}

/// match: -x ⋈ -y, ⋈ one of = < ≤
/// result: y ⋈ x
fn compare_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::FpNeg)?, unary(store, b, Op::FpNeg)?);
    Some(compare(store, node, y, x))
}

fn compare(store: &mut Store, node: &Node, x: Term, y: Term) -> Term {
    let mut compared = *node;
    compared.slots[..2].copy_from_slice(&[x, y]);
    store.make(compared)
}

/// match: -x ⋈ c or c ⋈ -x, ⋈ one of = < ≤
/// result: -c ⋈ x or x ⋈ -c
fn compare_negation_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    if let Some(x) = unary(store, a, Op::FpNeg) {
        let c = negated(store, b)?;
        return Some(compare(store, node, c, x));
    }
    let x = unary(store, b, Op::FpNeg)?;
    let c = negated(store, a)?;
    Some(compare(store, node, x, c))
}

/// The negation of a constant.
fn negated(store: &mut Store, c: Term) -> Option<Term> {
    let (format, c) = float(store, c)?;
    Some(store.fp(format, fp::neg(format, c)))
}

/// match: convert(x) ⋈ convert(y), ⋈ one of = < ≤, from one format exactly to another
/// result: x ⋈ y
fn compare_widened(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (widened(store, a)?, widened(store, b)?);
    (store.sort(x) == store.sort(y)).then(|| compare(store, node, x, y))
}

/// match: convert(x) ⋈ c or c ⋈ convert(x), ⋈ one of = < ≤, exact and c in the format of x
/// result: x ⋈ c or c ⋈ x
fn compare_widened_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    if let Some(x) = widened(store, a) {
        let c = narrowed(store, b, store.format(x))?;
        return Some(compare(store, node, x, c));
    }
    let x = widened(store, b)?;
    let c = narrowed(store, a, store.format(x))?;
    Some(compare(store, node, c, x))
}

/// The constant in another format, when it has exactly that value.
fn narrowed(store: &mut Store, c: Term, to: FpFormat) -> Option<Term> {
    let (from, c) = float(store, c)?;
    let narrow = fp::convert(from, to, RoundingMode::NearestEven, c);
    let back = fp::convert(to, from, RoundingMode::NearestEven, narrow);
    (back == c).then(|| store.fp(to, narrow))
}

/// match: x ⋈ y, ⋈ one of = < ≤, both exactly converted from integers of one signedness
/// result: the comparison of the integers
fn compare_integers(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (op, x) = exact_integer(store, a)?;
    let (also, y) = exact_integer(store, b)?;
    if op != also {
        return None;
    }
    let width = store.width(x).max(store.width(y));
    let signed = op == Op::FpFromSigned;
    let mut extend = |x| {
        if signed {
            store.sext(x, width)
        } else {
            store.zext(x, width)
        }
    };
    let (x, y) = (extend(x), extend(y));
    Some(match (node.op, signed) {
        (Op::FpEq, _) => store.eq(x, y),
        (Op::FpLt, true) => store.bv_slt(x, y),
        (Op::FpLt, false) => store.bv_ult(x, y),
        (Op::FpLe, true) => store.bv_sle(x, y),
        (Op::FpLe, false) => store.bv_ule(x, y),
        (other, _) => unreachable!("{other:?} does not compare floats"),
    })
}

/// match: is_nan, is_infinite, is_zero, is_normal or is_subnormal of -x or abs(x)
/// result: the same of x
fn class_of_signed(store: &mut Store, node: &Node) -> Option<Term> {
    let x = without_sign(store, node.slots[0])?;
    Some(classify(store, node, x))
}

fn classify(store: &mut Store, node: &Node, x: Term) -> Term {
    let mut of_inner = *node;
    of_inner.slots[0] = x;
    store.make(of_inner)
}

/// match: is_nan, is_infinite, is_zero, is_negative or is_positive of x converted exactly
/// result: the same of x
fn class_of_widened(store: &mut Store, node: &Node) -> Option<Term> {
    let x = widened(store, node.slots[0])?;
    Some(classify(store, node, x))
}

/// match: is_nan of a converted integer
/// result: false
fn is_nan_of_integer(store: &mut Store, node: &Node) -> Option<Term> {
    let integer = matches!(
        store.op(node.slots[0]),
        Op::FpFromSigned | Op::FpFromUnsigned
    );
    integer.then(|| store.bool(false))
}

/// match: is_nan(round(x))
/// result: is_nan(x)
fn is_nan_of_round(store: &mut Store, node: &Node) -> Option<Term> {
    let x = rounded(store, node.slots[0], Op::FpRound)?;
    Some(store.fp_is_nan(x))
}

/// match: is_negative(-x); is_positive(-x)
/// result: is_positive(x); is_negative(x)
fn sign_of_neg(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::FpNeg)?;
    Some(match node.op {
        Op::FpIsNegative => store.fp_is_positive(x),
        Op::FpIsPositive => store.fp_is_negative(x),
        other => unreachable!("{other:?} does not ask for the sign"),
    })
}

/// match: is_negative(abs(x)); is_positive(abs(x))
/// result: false; ¬is_nan(x)
fn sign_of_abs(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::FpAbs)?;
    Some(match node.op {
        Op::FpIsNegative => store.bool(false),
        Op::FpIsPositive => is_not_nan(store, x),
        other => unreachable!("{other:?} does not ask for the sign"),
    })
}

/// match: -x is -y
/// result: x is y
fn eq_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::FpNeg)?, unary(store, b, Op::FpNeg)?);
    Some(store.eq(x, y))
}

/// match: -x is c
/// result: x is -c
fn eq_negation_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::FpNeg)?;
    let c = negated(store, c)?;
    Some(store.eq(x, c))
}

/// match: from_bits(x) is c, c not NaN
/// result: x = the bits of c
fn eq_from_bits_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::FpFromBits)?;
    let (format, pattern) = float(store, c)?;
    if fp::is_nan(format, pattern) {
        return None;
    }
    let pattern = store.fp_to_bits(c);
    Some(store.eq(x, pattern))
}

/// match: to_bits(x) = to_bits(y), of one format
/// result: x is y
pub(super) fn eq_to_bits(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (
        unary(store, a, Op::FpToBits)?,
        unary(store, b, Op::FpToBits)?,
    );
    (store.sort(x) == store.sort(y)).then(|| store.eq(x, y))
}

/// match: to_bits(x) = c
/// result: x is the float with those bits, or false when c is a NaN that is never produced
pub(super) fn eq_to_bits_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::FpToBits)?;
    let format = store.format(x);
    let pattern = bits(store, c)?.to_u128();
    if fp::canonical(format, pattern) != pattern {
        return Some(store.bool(false));
    }
    let value = store.fp(format, pattern);
    Some(store.eq(x, value))
}
