//! Rules for the arithmetic of integers and reals.
//!
//! Constants are rationals here, those of integers with denominator one.

use super::lift::lift_choice;
use super::pattern::{binary, both_ways, opposite, unary};
use super::{Rule, rules};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Store, Term};
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

pub(super) const ADD: &[Rule] = rules![
    add_zero,
    add_constants,
    add_opposites,
    add_cancels,
    add_moves_constant,
    lift_choice,
];

pub(super) const MUL: &[Rule] = rules![
    mul_zero,
    mul_one,
    mul_minus_one,
    mul_constants,
    mul_negation_constant,
    mul_sum_constant,
    mul_negations,
    lift_choice,
];

pub(super) const NEG: &[Rule] =
    rules![neg_neg, neg_sum_constant, neg_product_constant, lift_choice];

pub(super) const INT_DIV: &[Rule] = rules![div_zero, div_one, div_minus_one, lift_choice];

pub(super) const INT_MOD: &[Rule] = rules![mod_zero, mod_unit, mod_negative, mod_mod, lift_choice];

pub(super) const REAL_DIV: &[Rule] = rules![real_div_constant, lift_choice];

pub(super) const TO_INT: &[Rule] = rules![to_int_of_integer, lift_choice];

pub(super) const BV_TO_NAT: &[Rule] = rules![natural_of_zext, natural_of_integer, lift_choice];

pub(super) const INT_TO_BV: &[Rule] = rules![bits_of_natural, lift_choice];

/// The value of a numeric constant.
pub(super) fn number(store: &Store, term: Term) -> Option<BigRational> {
    match store.as_value(term)? {
        Value::Int(value) => Some(BigRational::from_integer(value)),
        Value::Real(value) => Some(value),
        other => unreachable!("{other:?} is not a number"),
    }
}

/// The constant of this sort; of integers, the value must be one.
pub(super) fn constant(store: &mut Store, sort: Sort, value: BigRational) -> Term {
    match sort {
        Sort::Int => store.int(value.to_integer()),
        Sort::Real => store.real(value),
        other => unreachable!("{other} has no numbers"),
    }
}

/// The other argument and the constant, of a binary term that has one last.
pub(super) fn with_number(store: &Store, term: Term, op: Op) -> Option<(Term, BigRational)> {
    let (x, c) = binary(store, term, op)?;
    Some((x, number(store, c)?))
}

/// match: x + 0
/// result: x
fn add_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    number(store, c)?.is_zero().then_some(x)
}

/// match: (x + c1) + c2
/// result: x + (c1 + c2)
fn add_constants(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, c2, _] = node.slots;
    let c2 = number(store, c2)?;
    let (x, c1) = with_number(store, sum, Op::Add)?;
    let c = constant(store, node.sort, c1 + c2);
    Some(store.add(x, c))
}

/// match: x + -x
/// result: 0
fn add_opposites(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    opposite(store, Op::Neg, x, y).then(|| constant(store, node.sort, BigRational::zero()))
}

/// match: (x + y) + -x
/// result: y
fn add_cancels(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(sum, z)| {
        let (x, y) = binary(store, sum, Op::Add)?;
        if opposite(store, Op::Neg, x, z) {
            Some(y)
        } else if opposite(store, Op::Neg, y, z) {
            Some(x)
        } else {
            None
        }
    })
}

/// match: (x + c) + y
/// result: (x + y) + c
fn add_moves_constant(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(sum, y)| {
        let (x, c) = binary(store, sum, Op::Add)?;
        if !store.is_const(c) || store.is_const(y) {
            return None;
        }
        let inner = store.add(x, y);
        Some(store.add(inner, c))
    })
}

/// match: x * 0
/// result: 0
fn mul_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let c = node.slots[1];
    number(store, c)?.is_zero().then_some(c)
}

/// match: x * 1
/// result: x
fn mul_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    number(store, c)?.is_one().then_some(x)
}

/// match: x * -1
/// result: -x
fn mul_minus_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    (-number(store, c)?).is_one().then(|| store.neg(x))
}

/// match: (x * c1) * c2
/// result: x * (c1 * c2)
fn mul_constants(store: &mut Store, node: &Node) -> Option<Term> {
    let [product, c2, _] = node.slots;
    let c2 = number(store, c2)?;
    let (x, c1) = with_number(store, product, Op::Mul)?;
    let c = constant(store, node.sort, c1 * c2);
    Some(store.mul(x, c))
}

/// match: -x * c
/// result: x * -c
fn mul_negation_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [minus, c, _] = node.slots;
    let x = unary(store, minus, Op::Neg)?;
    let c = number(store, c)?;
    let c = constant(store, node.sort, -c);
    Some(store.mul(x, c))
}

/// match: (x + c1) * c2
/// result: x * c2 + c1 * c2
fn mul_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, factor, _] = node.slots;
    let c2 = number(store, factor)?;
    let (x, c1) = with_number(store, sum, Op::Add)?;
    let product = store.mul(x, factor);
    let c = constant(store, node.sort, c1 * c2);
    Some(store.add(product, c))
}

/// match: -x * -y
/// result: x * y
fn mul_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::Neg)?, unary(store, b, Op::Neg)?);
    Some(store.mul(x, y))
}

/// match: -(-x)
/// result: x
fn neg_neg(store: &mut Store, node: &Node) -> Option<Term> {
    unary(store, node.slots[0], Op::Neg)
}

/// match: -(x + c)
/// result: -x + -c
fn neg_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = with_number(store, node.slots[0], Op::Add)?;
    let minus = store.neg(x);
    let c = constant(store, node.sort, -c);
    Some(store.add(minus, c))
}

/// match: -(x * c)
/// result: x * -c
fn neg_product_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, c) = with_number(store, node.slots[0], Op::Mul)?;
    let c = constant(store, node.sort, -c);
    Some(store.mul(x, c))
}

/// match: x div 0
/// result: 0
fn div_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let zero = node.slots[1];
    number(store, zero)?.is_zero().then_some(zero)
}

/// match: x div 1
/// result: x
fn div_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    number(store, c)?.is_one().then_some(x)
}

/// match: x div -1
/// result: -x
fn div_minus_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    (-number(store, c)?).is_one().then(|| store.neg(x))
}

/// match: x mod 0
/// result: x
fn mod_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    number(store, c)?.is_zero().then_some(x)
}

/// match: x mod 1; x mod -1
/// result: 0
fn mod_unit(store: &mut Store, node: &Node) -> Option<Term> {
    let unit = number(store, node.slots[1])?.abs().is_one();
    unit.then(|| store.int(0))
}

/// match: x mod -c
/// result: x mod c
fn mod_negative(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, c, _] = node.slots;
    let c = number(store, c).filter(Signed::is_negative)?;
    let c = constant(store, Sort::Int, -c);
    Some(store.int_mod(x, c))
}

/// match: (x mod c) mod c
/// result: x mod c
fn mod_mod(store: &mut Store, node: &Node) -> Option<Term> {
    let [inner, c, _] = node.slots;
    let (_, also) = binary(store, inner, Op::IntMod)?;
    (c == also && store.is_const(c)).then_some(inner)
}

/// match: x / c
/// result: x * (1 / c), or 0 when c is zero
fn real_div_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, divisor, _] = node.slots;
    let c = number(store, divisor)?;
    if c.is_zero() {
        return Some(divisor);
    }
    let inverse = store.real(c.recip());
    Some(store.mul(x, inverse))
}

/// match: to_int(to_real(x))
/// result: x
fn to_int_of_integer(store: &mut Store, node: &Node) -> Option<Term> {
    unary(store, node.slots[0], Op::ToReal)
}

/// match: nat(zext(x))
/// result: nat(x)
fn natural_of_zext(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::Zext)?;
    Some(store.bv_to_nat(x))
}

/// match: nat(int_to_bv(x))
/// result: x mod 2^w
fn natural_of_integer(store: &mut Store, node: &Node) -> Option<Term> {
    let bits = node.slots[0];
    let x = unary(store, bits, Op::IntToBv)?;
    let modulus = store.int(BigInt::one() << store.width(bits));
    Some(store.int_mod(x, modulus))
}

/// match: int_to_bv(nat(x))
/// result: x, extended or cut to the width
fn bits_of_natural(store: &mut Store, node: &Node) -> Option<Term> {
    let x = unary(store, node.slots[0], Op::BvToNat)?;
    let width = node.sort.bv_width();
    Some(if width < store.width(x) {
        store.extract(x, 0, width)
    } else {
        store.zext(x, width)
    })
}
