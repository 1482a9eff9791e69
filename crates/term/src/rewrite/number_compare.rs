//! Rules that compare integers and reals.

use super::equality::eq_same;
use super::lift::lift_choice;
use super::number::{constant, number, with_number};
use super::pattern::{binary, both_ways, unary};
use super::{Rule, rules, string};
use crate::bits::BitVec;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Store, Term};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

pub(super) const LT: &[Rule] = rules![lt_is_not_le];

pub(super) const LE: &[Rule] = rules![
    le_same,
    lift_choice,
    string::le_length_constant,
    le_natural_constant,
    le_real_constant,
    le_constant_real,
    le_sum_constant,
    le_constant_sum,
    le_negation_constant,
    le_constant_negation,
    le_product_constant,
    le_constant_product,
    le_constant_first,
    le_negations,
    le_shared,
    le_shared_whole,
    le_reals,
    le_naturals,
];

pub(super) const EQUALITY: &[Rule] = rules![
    eq_same,
    lift_choice,
    string::eq_length_zero,
    eq_natural_constant,
    eq_real_constant,
    eq_sum_constant,
    eq_negation_constant,
    eq_product_constant,
    eq_difference,
    eq_negations,
    eq_shared,
    eq_shared_whole,
    eq_reals,
    eq_naturals,
];

/// match: x < y
/// result: ¬(y ≤ x)
fn lt_is_not_le(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    let at_least = store.le(y, x);
    Some(store.not(at_least))
}

/// match: x ≤ x
/// result: true
fn le_same(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, y, _] = node.slots;
    (x == y).then(|| store.bool(true))
}

/// match: x + c1 ≤ c2
/// result: x ≤ c2 - c1
fn le_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, c2, _] = node.slots;
    let c2 = number(store, c2)?;
    let (x, c1) = with_number(store, sum, Op::Add)?;
    let c = constant(store, store.sort(x), c2 - c1);
    Some(store.le(x, c))
}

/// match: c1 ≤ x + c2
/// result: c1 - c2 ≤ x
fn le_constant_sum(store: &mut Store, node: &Node) -> Option<Term> {
    let [c1, sum, _] = node.slots;
    let c1 = number(store, c1)?;
    let (x, c2) = with_number(store, sum, Op::Add)?;
    let c = constant(store, store.sort(x), c1 - c2);
    Some(store.le(c, x))
}

/// match: -x ≤ c
/// result: -c ≤ x
fn le_negation_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [minus, c, _] = node.slots;
    let x = unary(store, minus, Op::Neg)?;
    let c = number(store, c)?;
    let c = constant(store, store.sort(x), -c);
    Some(store.le(c, x))
}

/// match: c ≤ -x
/// result: x ≤ -c
fn le_constant_negation(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, minus, _] = node.slots;
    let x = unary(store, minus, Op::Neg)?;
    let c = number(store, c)?;
    let c = constant(store, store.sort(x), -c);
    Some(store.le(x, c))
}

/// match: x * c1 ≤ c2, c1 not zero
/// result: x ≤ c2 / c1, or c2 / c1 ≤ x when c1 is negative; of integers, rounded inward
fn le_product_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [product, c2, _] = node.slots;
    let c2 = number(store, c2)?;
    let (x, c1) = with_number(store, product, Op::Mul)?;
    if c1.is_zero() {
        return None;
    }
    let quotient = c2 / &c1;
    Some(if c1.is_positive() {
        at_most(store, x, quotient)
    } else {
        at_least(store, x, quotient)
    })
}

/// match: c1 ≤ x * c2, c2 not zero
/// result: c1 / c2 ≤ x, or x ≤ c1 / c2 when c2 is negative; of integers, rounded inward
fn le_constant_product(store: &mut Store, node: &Node) -> Option<Term> {
    let [c1, product, _] = node.slots;
    let c1 = number(store, c1)?;
    let (x, c2) = with_number(store, product, Op::Mul)?;
    if c2.is_zero() {
        return None;
    }
    let quotient = c1 / &c2;
    Some(if c2.is_positive() {
        at_least(store, x, quotient)
    } else {
        at_most(store, x, quotient)
    })
}

/// `x ≤ bound`, whichever sort `x` has.
fn at_most(store: &mut Store, x: Term, bound: BigRational) -> Term {
    let sort = store.sort(x);
    let bound = if sort == Sort::Int {
        bound.floor()
    } else {
        bound
    };
    let bound = constant(store, sort, bound);
    store.le(x, bound)
}

/// `bound ≤ x`, whichever sort `x` has.
fn at_least(store: &mut Store, x: Term, bound: BigRational) -> Term {
    let sort = store.sort(x);
    let bound = if sort == Sort::Int {
        bound.ceil()
    } else {
        bound
    };
    let bound = constant(store, sort, bound);
    store.le(bound, x)
}

/// match: c ≤ x, integers
/// result: ¬(x ≤ c - 1)
fn le_constant_first(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, x, _] = node.slots;
    if store.sort(x) != Sort::Int {
        return None;
    }
    let before = number(store, c)? - BigRational::one();
    let before = constant(store, Sort::Int, before);
    let below = store.le(x, before);
    Some(store.not(below))
}

/// match: -x ≤ -y
/// result: y ≤ x
fn le_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::Neg)?, unary(store, b, Op::Neg)?);
    Some(store.le(y, x))
}

/// match: x + y ≤ x + z
/// result: y ≤ z
fn le_shared(store: &mut Store, node: &Node) -> Option<Term> {
    let (y, z) = without_shared(store, node)?;
    Some(store.le(y, z))
}

/// What two sums have besides one common operand.
fn without_shared(store: &Store, node: &Node) -> Option<(Term, Term)> {
    let [left, right, _] = node.slots;
    let (a, b) = binary(store, left, Op::Add)?;
    let (c, d) = binary(store, right, Op::Add)?;
    [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)]
        .into_iter()
        .find(|&(shared, _, also, _)| shared == also)
        .map(|(_, y, _, z)| (y, z))
}

/// match: x + y ≤ x; x ≤ x + y
/// result: y ≤ 0; 0 ≤ y
fn le_shared_whole(store: &mut Store, node: &Node) -> Option<Term> {
    let [left, right, _] = node.slots;
    let sort = store.sort(left);
    if let Some(y) = other_operand(store, left, right) {
        let zero = constant(store, sort, BigRational::zero());
        return Some(store.le(y, zero));
    }
    let y = other_operand(store, right, left)?;
    let zero = constant(store, sort, BigRational::zero());
    Some(store.le(zero, y))
}

/// What a sum has besides `x`.
fn other_operand(store: &Store, sum: Term, x: Term) -> Option<Term> {
    let (a, b) = binary(store, sum, Op::Add)?;
    if a == x {
        Some(b)
    } else if b == x {
        Some(a)
    } else {
        None
    }
}

/// match: to_real(x) ≤ to_real(y)
/// result: x ≤ y
fn le_reals(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::ToReal)?, unary(store, b, Op::ToReal)?);
    Some(store.le(x, y))
}

/// match: to_real(x) ≤ c
/// result: x ≤ the floor of c
fn le_real_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::ToReal)?;
    let c = number(store, c)?;
    Some(at_most(store, x, c))
}

/// match: c ≤ to_real(x)
/// result: the ceiling of c ≤ x
fn le_constant_real(store: &mut Store, node: &Node) -> Option<Term> {
    let [c, a, _] = node.slots;
    let x = unary(store, a, Op::ToReal)?;
    let c = number(store, c)?;
    Some(at_least(store, x, c))
}

/// match: nat(x) ≤ nat(y)
/// result: ¬(y < x), unsigned
fn le_naturals(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, y) = naturals(store, node)?;
    Some(store.bv_ule(x, y))
}

/// The bit-vectors of which both arguments are the unsigned values, of one width.
fn naturals(store: &mut Store, node: &Node) -> Option<(Term, Term)> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::BvToNat)?, unary(store, b, Op::BvToNat)?);
    let width = store.width(x).max(store.width(y));
    Some((store.zext(x, width), store.zext(y, width)))
}

/// match: nat(x) ≤ c
/// result: ¬(c < x), unsigned, or whether c is positive when it is no value of x
fn le_natural_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::BvToNat)?;
    let c = number(store, c)?;
    Some(match natural(&c, store.width(x)) {
        Some(c) => {
            let c = store.bv_value(c);
            store.bv_ule(x, c)
        }
        None => store.bool(c.is_positive()),
    })
}

/// The bit-vector of this width with this unsigned value.
fn natural(value: &BigRational, width: u16) -> Option<BitVec> {
    let fits = value.is_integer() && !value.is_negative();
    let magnitude = value.numer().magnitude();
    (fits && magnitude.bits() <= u64::from(width)).then(|| BitVec::from_big(width, magnitude))
}

/// match: nat(x) = nat(y)
/// result: x = y
fn eq_naturals(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, y) = naturals(store, node)?;
    Some(store.eq(x, y))
}

/// match: nat(x) = c
/// result: x = c, or false when c is no value of x
fn eq_natural_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::BvToNat)?;
    let c = number(store, c)?;
    Some(match natural(&c, store.width(x)) {
        Some(c) => {
            let c = store.bv_value(c);
            store.eq(x, c)
        }
        None => store.bool(false),
    })
}

/// match: to_real(x) = c
/// result: x = c, or false when c is no integer
fn eq_real_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, c, _] = node.slots;
    let x = unary(store, a, Op::ToReal)?;
    let c = number(store, c)?;
    if !c.is_integer() {
        return Some(store.bool(false));
    }
    let c = constant(store, Sort::Int, c);
    Some(store.eq(x, c))
}

/// match: x + c1 = c2
/// result: x = c2 - c1
fn eq_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, c2, _] = node.slots;
    let c2 = number(store, c2)?;
    let (x, c1) = with_number(store, sum, Op::Add)?;
    let c = constant(store, store.sort(x), c2 - c1);
    Some(store.eq(x, c))
}

/// match: -x = c
/// result: x = -c
fn eq_negation_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [minus, c, _] = node.slots;
    let x = unary(store, minus, Op::Neg)?;
    let c = number(store, c)?;
    let c = constant(store, store.sort(x), -c);
    Some(store.eq(x, c))
}

/// match: x * c1 = c2, c1 not zero
/// result: x = c2 / c1, or false when x is an integer and that is none
fn eq_product_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [product, c2, _] = node.slots;
    let c2 = number(store, c2)?;
    let (x, c1) = with_number(store, product, Op::Mul)?;
    if c1.is_zero() {
        return None;
    }
    let quotient = c2 / c1;
    let sort = store.sort(x);
    if sort == Sort::Int && !quotient.is_integer() {
        return Some(store.bool(false));
    }
    let quotient = constant(store, sort, quotient);
    Some(store.eq(x, quotient))
}

/// match: x + -y = 0
/// result: x = y
fn eq_difference(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, c, _] = node.slots;
    if !number(store, c)?.is_zero() {
        return None;
    }
    let (a, b) = binary(store, sum, Op::Add)?;
    [(a, b), (b, a)].into_iter().find_map(|(x, minus)| {
        let y = unary(store, minus, Op::Neg)?;
        Some(store.eq(x, y))
    })
}

/// match: -x = -y
/// result: x = y
fn eq_negations(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::Neg)?, unary(store, b, Op::Neg)?);
    Some(store.eq(x, y))
}

/// match: x + y = x + z
/// result: y = z
fn eq_shared(store: &mut Store, node: &Node) -> Option<Term> {
    let (y, z) = without_shared(store, node)?;
    Some(store.eq(y, z))
}

/// match: x + y = x
/// result: y = 0
fn eq_shared_whole(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(sum, x)| {
        let y = other_operand(store, sum, x)?;
        let zero = constant(store, store.sort(x), BigRational::zero());
        Some(store.eq(y, zero))
    })
}

/// match: to_real(x) = to_real(y)
/// result: x = y
fn eq_reals(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::ToReal)?, unary(store, b, Op::ToReal)?);
    Some(store.eq(x, y))
}
