//! Rules for the two orders of bit-vectors.

use super::digits::{ult_quotient, ult_sum};
use super::lift::{lift_chain, lift_choice, lift_two_choices};
use super::pattern::{
    binary, bits, extend, extended_from, is_signed_max, is_signed_min, is_zero, known, one, sign,
    unary,
};
use super::{Rule, rules};
use crate::bits::BitVec;
use crate::op::Op;
use crate::store::{Node, Store, Term};

pub(super) const ULT: &[Rule] = rules![
    order_irreflexive,
    ult_decided,
    ult_zero,
    ult_constant_first,
    ult_least,
    ult_greatest,
    ult_half,
    order_bit,
    ult_zexts,
    ult_zext_constant,
    ult_sexts,
    ult_sext_constant,
    ult_remainder,
    ult_quotient,
    ult_sum,
    order_complements,
    order_complement_constant,
    order_high_parts,
    order_low_parts,
    order_concat_constant,
    lift_choice,
    lift_two_choices,
    lift_chain,
];

pub(super) const SLT: &[Rule] = rules![
    order_irreflexive,
    slt_same_signs,
    slt_different_signs,
    slt_constant_first,
    slt_never,
    slt_least,
    slt_greatest,
    order_bit,
    slt_zexts,
    slt_zext_constant,
    slt_sexts,
    slt_sext_constant,
    slt_sign_of_concat,
    slt_sign_of_complement,
    order_complements,
    order_complement_constant,
    order_high_parts,
    order_low_parts,
    order_concat_constant,
    lift_choice,
    lift_two_choices,
    lift_chain,
];

/// match: x < x
/// result: false
fn order_irreflexive(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then(|| store.bool(false))
}

/// match: x < y, unsigned, where the intervals of x and y decide
/// result: the truth value
fn ult_decided(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    let decided = known(store, x)?.less(known(store, y)?)?;
    Some(store.bool(decided))
}

/// match: x < 0, unsigned
/// result: false
fn ult_zero(store: &mut Store, node: &Node) -> Option<Term> {
    is_zero(store, node.slots[1]).then(|| store.bool(false))
}

/// match: c < x, unsigned
/// result: ¬(x < c + 1), or false when c is the greatest
fn ult_constant_first(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, x, _] = node.slots;
    let c = bits(store, c)?;
    if c.is_ones() {
        return Some(store.bool(false));
    }
    let next = store.bv_value(c.add(&one(c.width())));
    let below = store.bv_ult(x, next);
    Some(store.not(below))
}

/// match: x < c, unsigned, c one above the least x can be
/// result: x = c - 1
fn ult_least(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let c = bits(store, c)?;
    let least = known(store, x).map_or(0, |facts| facts.min);
    if c.to_u64()?.checked_sub(1)? != least {
        return None;
    }
    let least = store.bv(c.width(), least);
    Some(store.eq(x, least))
}

/// match: x < c, unsigned, c the greatest x can be
/// result: x ≠ c
fn ult_greatest(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let value = bits(store, c)?;
    let greatest = match known(store, x) {
        Some(facts) => value.to_u64() == Some(facts.max),
        None => value.is_ones(),
    };
    if !greatest {
        return None;
    }
    let same = store.eq(x, c);
    Some(store.not(same))
}

/// match: x < c, unsigned, c the least signed value
/// result: ¬(x < 0), signed
fn ult_half(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    if !is_signed_min(&bits(store, c)?) {
        return None;
    }
    let negative = is_negative(store, x);
    Some(store.not(negative))
}

fn is_negative(store: &mut Store, x: Term) -> Term {
    let zero = store.bv(store.width(x), 0);
    store.bv_slt(x, zero)
}

/// match: x < y, one bit, unsigned; signed
/// result: ¬(x = 1) ∧ y = 1; x = 1 ∧ ¬(y = 1)
fn order_bit(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    if store.width(x) != 1 {
        return None;
    }
    let (low, high) = match node.op {
        Op::Ult => (x, y),
        Op::Slt => (y, x),
        other => unreachable!("{other:?} is not an order of bit-vectors"),
    };
    let one = store.bv(1, 1);
    let (low, high) = (store.eq(low, one), store.eq(high, one));
    let not_low = store.not(low);
    Some(store.and(not_low, high))
}

/// What both arguments extend, the narrower of the two extended to the wider.
fn extended(store: &mut Store, node: &Node, op: Op) -> Option<(Term, Term)> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, op)?, unary(store, b, op)?);
    let width = store.width(x).max(store.width(y));
    Some((extend(store, op, x, width), extend(store, op, y, width)))
}

/// match: zext(x) < zext(y), unsigned
/// result: x < y, unsigned
fn ult_zexts(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, y) = extended(store, node, Op::Zext)?;
    Some(store.bv_ult(x, y))
}

/// match: zext(x) < c, unsigned
/// result: x < c, unsigned, or true when c is above every x
fn ult_zext_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::Zext)?;
    let c = bits(store, c)?;
    let Some(narrow) = extended_from(Op::Zext, &c, store.width(x)) else {
        return Some(store.bool(true));
    };
    let narrow = store.bv_value(narrow);
    Some(store.bv_ult(x, narrow))
}

/// match: sext(x) < sext(y), unsigned
/// result: x < y, unsigned
fn ult_sexts(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, y) = extended(store, node, Op::Sext)?;
    Some(store.bv_ult(x, y))
}

/// match: sext(x) < c, unsigned
/// result: x < c, unsigned, or ¬(x < 0), signed, when c is between the signed ranges of x
fn ult_sext_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::Sext)?;
    let c = bits(store, c)?;
    if let Some(narrow) = extended_from(Op::Sext, &c, store.width(x)) {
        let narrow = store.bv_value(narrow);
        return Some(store.bv_ult(x, narrow));
    }
    let negative = is_negative(store, x);
    Some(store.not(negative))
}

/// match: x % y < y, unsigned
/// result: y ≠ 0
fn ult_remainder(store: &mut Store, node: &Node) -> Option<Term> {
    let [rest, y, _] = node.slots;
    let (_, divisor) = binary(store, rest, Op::BvUrem)?;
    (divisor == y).then(|| store.is_nonzero(y))
}

pub(super) fn compare(store: &mut Store, op: Op, x: Term, y: Term) -> Term {
    match op {
        Op::Ult => store.bv_ult(x, y),
        Op::Slt => store.bv_slt(x, y),
        other => unreachable!("{other:?} is not an order of bit-vectors"),
    }
}

/// match: ~x < ~y
/// result: y < x
fn order_complements(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::BvNot)?, unary(store, b, Op::BvNot)?);
    Some(compare(store, node.op, y, x))
}

/// match: ~x < c
/// result: ~c < x
fn order_complement_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::BvNot)?;
    let c = bits(store, c)?.not();
    let c = store.bv_value(c);
    Some(compare(store, node.op, c, x))
}

/// match: concat(x, z) < concat(y, z)
/// result: x < y
fn order_high_parts(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, z) = binary(store, a, Op::Concat)?;
    let (y, also) = binary(store, b, Op::Concat)?;
    (z == also).then(|| compare(store, node.op, x, y))
}

/// match: concat(z, x) < concat(z, y), or with constants that begin alike
/// result: x < y, unsigned
fn order_low_parts(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (z, x) = binary(store, a, Op::Concat)?;
    let (also, y) = match (binary(store, b, Op::Concat), bits(store, b)) {
        (Some(parts), _) => parts,
        (None, Some(c)) => {
            let at = store.width(x);
            let high = bits(store, z).filter(|z| *z == c.extract(at, z.width()))?;
            let (high, low) = (store.bv_value(high), store.bv_value(c.extract(0, at)));
            (high, low)
        }
        (None, None) => return None,
    };
    (z == also).then(|| store.bv_ult(x, y))
}

/// match: concat(x, y) < c, where the low bits of c are zero or y is a constant
/// result: x < the high bits of c, or ¬(those < x) when y is less than the low bits
fn order_concat_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let (x, y) = binary(store, a, Op::Concat)?;
    let c = bits(store, c)?;
    let at = store.width(y);
    let low = c.extract(0, at);
    let or_equal = if low.is_zero() {
        false
    } else {
        bits(store, y)?.ult(&low)
    };
    let high = store.bv_value(c.extract(at, c.width() - at));
    if or_equal {
        let above = compare(store, node.op, high, x);
        return Some(store.not(above));
    }
    Some(compare(store, node.op, x, high))
}

/// match: x < y, signed, the signs known and the same
/// result: x < y, unsigned
fn slt_same_signs(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (sign(store, x)? == sign(store, y)?).then(|| store.bv_ult(x, y))
}

/// match: x < y, signed, the signs known and different
/// result: whether x is the negative one
fn slt_different_signs(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    let (x, y) = (sign(store, x)?, sign(store, y)?);
    (x != y).then(|| store.bool(x))
}

/// match: c < x, signed
/// result: ¬(x < c + 1), or false when c is the greatest
fn slt_constant_first(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, x, _] = node.slots;
    let c = bits(store, c)?;
    if is_signed_max(&c) {
        return Some(store.bool(false));
    }
    let next = store.bv_value(c.add(&one(c.width())));
    let below = store.bv_slt(x, next);
    Some(store.not(below))
}

/// match: x < c, signed, c the least value
/// result: false
fn slt_never(store: &mut Store, node: &Node) -> Option<Term> {
    is_signed_min(&bits(store, node.slots[1])?).then(|| store.bool(false))
}

/// match: x < c, signed, c one above the least value
/// result: x = c - 1
fn slt_least(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let c = bits(store, c)?;
    let before = c.add(&BitVec::ones(c.width()));
    if !is_signed_min(&before) {
        return None;
    }
    let least = store.bv_value(before);
    Some(store.eq(x, least))
}

/// match: x < c, signed, c the greatest value
/// result: x ≠ c
fn slt_greatest(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    if !is_signed_max(&bits(store, c)?) {
        return None;
    }
    let same = store.eq(x, c);
    Some(store.not(same))
}

/// match: zext(x) < zext(y), signed, both to a greater width
/// result: x < y, unsigned
fn slt_zexts(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    if !is_widened(store, a) || !is_widened(store, b) {
        return None;
    }
    let (x, y) = extended(store, node, Op::Zext)?;
    Some(store.bv_ult(x, y))
}

/// Whether zeros are put above the bits of some term.
fn is_widened(store: &Store, term: Term) -> bool {
    unary(store, term, Op::Zext).is_some_and(|x| store.width(x) < store.width(term))
}

/// match: zext(x) < c, signed, to a greater width
/// result: zext(x) < c, unsigned, or false when c is negative
fn slt_zext_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let c_is_negative = bits(store, c)?.sign();
    if !is_widened(store, a) {
        return None;
    }
    Some(if c_is_negative {
        store.bool(false)
    } else {
        store.bv_ult(a, c)
    })
}

/// match: sext(x) < sext(y), signed
/// result: x < y, signed
fn slt_sexts(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, y) = extended(store, node, Op::Sext)?;
    Some(store.bv_slt(x, y))
}

/// match: sext(x) < c, signed
/// result: x < c, signed, or whether c is positive when it is beyond every x
fn slt_sext_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::Sext)?;
    let c = bits(store, c)?;
    let Some(narrow) = extended_from(Op::Sext, &c, store.width(x)) else {
        return Some(store.bool(!c.sign()));
    };
    let narrow = store.bv_value(narrow);
    Some(store.bv_slt(x, narrow))
}

/// match: concat(x, y) < 0, signed
/// result: x < 0, signed
fn slt_sign_of_concat(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, zero, _] = node.slots;
    let (x, _) = binary(store, a, Op::Concat)?;
    is_zero(store, zero).then(|| is_negative(store, x))
}

/// match: ~x < 0, signed
/// result: ¬(x < 0), signed
fn slt_sign_of_complement(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, zero, _] = node.slots;
    let x = unary(store, a, Op::BvNot)?;
    if !is_zero(store, zero) {
        return None;
    }
    let negative = store.bv_slt(x, zero);
    Some(store.not(negative))
}
