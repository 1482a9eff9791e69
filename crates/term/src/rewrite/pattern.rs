//! What rules ask of terms.
//!
//! None of these builds a term, and each looks at a bounded number of nodes
//! or walks down a path whose widths shrink, so a rule that does not apply
//! costs a few loads.

use crate::bits::BitVec;
use crate::facts::Facts;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Store, Term};
use crate::value::Value;

/// The two arguments both ways round, for operators that commute.
#[inline]
pub(super) fn both_ways(node: &Node) -> [(Term, Term); 2] {
    let [a, b, _] = node.slots;
    [(a, b), (b, a)]
}

/// The argument of a unary term of this operator.
#[inline]
pub(super) fn unary(store: &Store, term: Term, op: Op) -> Option<Term> {
    let node = store.node(term);
    (node.op == op).then_some(node.slots[0])
}

/// The arguments of a binary term of this operator.
#[inline]
pub(super) fn binary(store: &Store, term: Term, op: Op) -> Option<(Term, Term)> {
    let node = store.node(term);
    (node.op == op).then_some((node.slots[0], node.slots[1]))
}

/// The condition and the branches of a choice.
#[inline]
pub(super) fn choice(store: &Store, term: Term) -> Option<(Term, Term, Term)> {
    let node = store.node(term);
    let [condition, then, otherwise] = node.slots;
    (node.op == Op::Ite).then_some((condition, then, otherwise))
}

/// A choice between two constants.
#[inline]
pub(super) fn constant_choice(store: &Store, term: Term) -> Option<(Term, Term, Term)> {
    choice(store, term)
        .filter(|&(_, then, otherwise)| store.is_const(then) && store.is_const(otherwise))
}

/// The argument and the lowest bit of an extraction.
#[inline]
pub(super) fn extraction(store: &Store, term: Term) -> Option<(Term, u16)> {
    binary(store, term, Op::Extract).map(|(of, low)| (of, low.0 as u16))
}

/// The value of a bit-vector constant. Allocates only for widths above 64.
#[inline]
pub(super) fn bits(store: &Store, term: Term) -> Option<BitVec> {
    if !store.is_const(term) {
        return None;
    }
    match (store.sort(term), store.as_word(term)) {
        (Sort::Bv(width), Some(word)) => Some(BitVec::from_u64(width, word)),
        _ => wide_bits(store, term),
    }
}

#[cold]
fn wide_bits(store: &Store, term: Term) -> Option<BitVec> {
    match store.as_value(term)? {
        Value::Bv(bits) => Some(bits),
        _ => None,
    }
}

/// The other argument and the constant, of a binary term that has one last.
#[inline]
pub(super) fn with_constant(store: &Store, term: Term, op: Op) -> Option<(Term, BitVec)> {
    let (a, b) = binary(store, term, op)?;
    Some((a, bits(store, b)?))
}

/// Whether one of the two is `op` of the other: each other's negation or complement.
#[inline]
pub(super) fn opposite(store: &Store, op: Op, a: Term, b: Term) -> bool {
    unary(store, a, op) == Some(b) || unary(store, b, op) == Some(a)
}

/// The fixed bits and interval of a bit-vector of at most 64 bits.
#[inline]
pub(super) fn known(store: &Store, term: Term) -> Option<&Facts> {
    (1..=64)
        .contains(&store.width(term))
        .then(|| store.facts(term))
}

#[inline]
pub(super) fn is_zero(store: &Store, term: Term) -> bool {
    bits(store, term).is_some_and(|c| c.is_zero())
}

#[inline]
pub(super) fn is_ones(store: &Store, term: Term) -> bool {
    bits(store, term).is_some_and(|c| c.is_ones())
}

#[inline]
pub(super) fn is_one(store: &Store, term: Term) -> bool {
    bits(store, term).is_some_and(|c| c.to_u64() == Some(1))
}

/// The place of the only one among the bits.
pub(super) fn single_bit(c: &BitVec) -> Option<u16> {
    run_of_ones(c)
        .filter(|&(_, length)| length == 1)
        .map(|(low, _)| low)
}

/// The lowest bit and the length of the ones, when they are all adjacent.
pub(super) fn run_of_ones(c: &BitVec) -> Option<(u16, u16)> {
    let (low, length) = if c.width() <= 64 {
        let word = c.to_u64().expect("it is at most 64 bits wide");
        let low = word.checked_shr(word.trailing_zeros())?;
        let length = low.trailing_ones();
        (low.count_ones() == length).then_some((word.trailing_zeros(), length))?
    } else {
        let big = c.to_big();
        let low = big.trailing_zeros()?;
        let length = big.count_ones();
        (big.bits() == low + length).then_some((low as u32, length as u32))?
    };
    Some((low as u16, length as u16))
}

/// The least signed value.
pub(super) fn is_signed_min(c: &BitVec) -> bool {
    single_bit(c) == Some(c.width() - 1)
}

/// The greatest signed value.
pub(super) fn is_signed_max(c: &BitVec) -> bool {
    is_signed_min(&c.not())
}

pub(super) fn one(width: u16) -> BitVec {
    BitVec::from_u64(width, 1)
}

/// The term widened by this kind of extension.
pub(super) fn extend(store: &mut Store, op: Op, term: Term, width: u16) -> Term {
    match op {
        Op::Zext => store.zext(term, width),
        Op::Sext => store.sext(term, width),
        other => unreachable!("{other:?} is no extension"),
    }
}

/// The lowest `from` bits, when this kind of extension makes the constant of them.
pub(super) fn extended_from(op: Op, c: &BitVec, from: u16) -> Option<BitVec> {
    let low = c.extract(0, from);
    let extended = match op {
        Op::Zext => low.zext(c.width()),
        Op::Sext => low.sext(c.width()),
        other => unreachable!("{other:?} is no extension"),
    };
    (extended == *c).then_some(low)
}

/// The sign bit, when it is the same whatever the variables are.
pub(super) fn sign(store: &Store, mut term: Term) -> Option<bool> {
    if let Some(facts) = known(store, term) {
        let sign = 1 << (store.width(term) - 1);
        return match (facts.zeros & sign != 0, facts.ones & sign != 0) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        };
    }
    loop {
        let node = store.node(term);
        let inner = node.slots[0];
        match node.op {
            Op::Const => return Some(bits(store, term)?.sign()),
            Op::Zext if store.width(inner) < store.width(term) => return Some(false),
            Op::Concat | Op::Sext if store.width(inner) <= 64 => return sign(store, inner),
            Op::Concat | Op::Sext => term = inner,
            _ => return None,
        }
    }
}

/// How many of the lowest bits are zero whatever the variables are.
pub(super) fn trailing_zeros(store: &Store, term: Term) -> u16 {
    let width = store.width(term);
    if let Some(facts) = known(store, term) {
        return (facts.zeros.trailing_ones() as u16).min(width);
    }
    match binary(store, term, Op::Concat) {
        Some((_, low)) if is_zero(store, low) => store.width(low),
        _ => 0,
    }
}

/// How many of the highest bits are zero whatever the variables are.
pub(super) fn leading_zeros(store: &Store, term: Term) -> u16 {
    let width = store.width(term);
    if let Some(facts) = known(store, term) {
        return (facts.zeros.leading_ones() as u16).saturating_sub(64 - width);
    }
    match unary(store, term, Op::Zext) {
        Some(inner) => width - store.width(inner),
        None => 0,
    }
}

/// Whether no bit can be one in both terms.
pub(super) fn share_no_bits(store: &Store, a: Term, b: Term) -> bool {
    match (known(store, a), known(store, b)) {
        (Some(a), Some(b)) => a.zeros | b.zeros == u64::MAX,
        _ => false,
    }
}

/// Whether two bit-vectors differ whatever the variables are.
pub(super) fn distinct(store: &Store, a: Term, b: Term) -> bool {
    if a == b {
        return false;
    }
    if store.is_const(a) && store.is_const(b) {
        return true;
    }
    if let (Some(a), Some(b)) = (known(store, a), known(store, b))
        && a.equals(b) == Some(false)
    {
        return true;
    }
    opposite(store, Op::BvNot, a, b) || offsets_differ(store, a, b)
}

/// Whether the terms are one term plus different constants.
fn offsets_differ(store: &Store, a: Term, b: Term) -> bool {
    if !has_offset(store, a) && !has_offset(store, b) {
        return false;
    }
    let (a, b) = (Offset::of(store, a), Offset::of(store, b));
    a.base == b.base && a.shift == b.shift && a.by != b.by
}

#[inline]
fn has_offset(store: &Store, term: Term) -> bool {
    matches!(store.op(term), Op::BvAdd | Op::Concat | Op::Zext)
}

/// A term as `(base << shift) + by`, `base` being widened with zeros.
struct Offset {
    base: Term,
    shift: u16,
    by: BitVec,
}

impl Offset {
    fn of(store: &Store, term: Term) -> Offset {
        let width = store.width(term);
        let (term, mut by) = match with_constant(store, term, Op::BvAdd) {
            Some((rest, by)) => (rest, by),
            None => (term, BitVec::zero(width)),
        };
        let narrow = unary(store, term, Op::Zext).unwrap_or(term);
        match with_constant(store, narrow, Op::Concat) {
            Some((base, low)) => {
                by = by.add(&low.zext(width));
                let shift = low.width();
                Offset { base, shift, by }
            }
            None => Offset {
                base: term,
                shift: 0,
                by,
            },
        }
    }
}

/// Where the lower part of a concatenation or extension ends.
pub(super) fn boundary(store: &Store, term: Term) -> Option<u16> {
    let node = store.node(term);
    match node.op {
        Op::Concat => Some(store.width(node.slots[1])),
        Op::Zext => Some(store.width(node.slots[0])).filter(|&at| at < store.width(term)),
        _ => None,
    }
}

/// Whether cutting the term above its lowest `at` bits takes no new
/// extraction: the cut falls between the parts it is made of.
pub(super) fn splits_at(store: &Store, mut term: Term, mut at: u16) -> bool {
    loop {
        let node = store.node(term);
        let [a, b, _] = node.slots;
        match node.op {
            Op::Const => return true,
            Op::Zext if at >= store.width(a) => return true,
            Op::Zext => term = a,
            Op::Sext if at < store.width(a) => term = a,
            Op::Concat if at == store.width(b) => return true,
            Op::Concat if at < store.width(b) => term = b,
            Op::Concat => {
                at -= store.width(b);
                term = a;
            }
            _ => return constant_choice(store, term).is_some(),
        }
    }
}
