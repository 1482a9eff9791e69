//! Conjunctions of comparisons: what two of them leave together.

use super::compare::compare;
use super::pattern::{binary, both_ways, unary};
use crate::bits::mask;
use crate::op::Op;
use crate::store::{Node, Store, Term};

/// match: l(x) ∧ r(x), each bounding x by constants in one order
/// result: false, x = c, or the one that implies the other
pub(super) fn and_ranges(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    [Op::Ult, Op::Slt].into_iter().find_map(|order| {
        let (p, q) = (Range::of(store, a, order)?, Range::of(store, b, order)?);
        if p.term != q.term {
            return None;
        }
        let (low, high) = (p.low.max(q.low), p.high.min(q.high));
        if low > high {
            Some(store.bool(false))
        } else if (low, high) == (p.low, p.high) {
            Some(a)
        } else if (low, high) == (q.low, q.high) {
            Some(b)
        } else if low == high {
            let only = store.bv(store.width(p.term), low ^ p.bias);
            Some(store.eq(p.term, only))
        } else {
            None
        }
    })
}

/// match: x ≠ c ∧ r(x), r bounding x by constants, c outside or at the end
/// result: r(x) without c
pub(super) fn and_hole(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(hole, bound)| {
        let (x, c) = binary(store, unary(store, hole, Op::Not)?, Op::Eq)?;
        let c = store.as_word(c)?;
        [Op::Ult, Op::Slt].into_iter().find_map(|order| {
            let range = Range::of(store, bound, order).filter(|range| range.term == x)?;
            let at = c ^ range.bias;
            if at < range.low || at > range.high {
                Some(bound)
            } else if at == range.low && at < range.high && range.high == range.greatest {
                let above = compare_word(store, order, x, (at + 1) ^ range.bias);
                Some(store.not(above))
            } else if at == range.high && at > range.low && range.low == 0 {
                Some(compare_word(store, order, x, at ^ range.bias))
            } else {
                None
            }
        })
    })
}

fn compare_word(store: &mut Store, order: Op, x: Term, word: u64) -> Term {
    let bound = store.bv(store.width(x), word);
    compare(store, order, x, bound)
}

/// The values a comparison with a constant leaves a term of at most 64 bits:
/// those between `low` and `high`, with the sign bit flipped (the `bias`) when
/// the order is the signed one.
struct Range {
    term: Term,
    low: u64,
    high: u64,
    bias: u64,
    /// The greatest value the width has.
    greatest: u64,
}

impl Range {
    fn of(store: &Store, literal: Term, order: Op) -> Option<Range> {
        let inner = unary(store, literal, Op::Not);
        let (holds, atom) = (inner.is_none(), inner.unwrap_or(literal));
        let node = store.node(atom);
        let [term, c, _] = node.slots;
        if !matches!(node.op, Op::Eq | Op::Ult | Op::Slt) {
            return None;
        }
        let width = store.width(term);
        let c = store.as_word(c).filter(|_| width > 0)?;
        let bias = if order == Op::Slt {
            1 << (width - 1)
        } else {
            0
        };
        let (at, greatest) = (c ^ bias, mask(u32::from(width)));
        let (low, high) = match (node.op, holds) {
            (Op::Eq, true) => (at, at),
            (Op::Eq, false) => return None,
            (op, _) if op != order => return None,
            (_, true) => (0, at.checked_sub(1)?),
            (_, false) => (at, greatest),
        };
        Some(Range {
            term,
            low,
            high,
            bias,
            greatest,
        })
    }
}

/// match: l(x, y) ∧ r(x, y), each comparing or equating x and y in one order
/// result: the comparison both leave, or false
pub(super) fn and_orders(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (p, q) = (Relation::of(store, a)?, Relation::of(store, b)?);
    let order = match (p.order, q.order) {
        (Op::Eq, order) | (order, Op::Eq) => order,
        (first, second) if first == second => first,
        _ => return None,
    };
    let q = if (p.x, p.y) == (q.x, q.y) {
        q
    } else if (p.x, p.y) == (q.y, q.x) {
        q.swapped()
    } else {
        return None;
    };
    let both = p.allowed & q.allowed;
    let less = |store: &mut Store, x, y| match order {
        Op::Le => {
            let at_least = store.le(y, x);
            store.not(at_least)
        }
        order => compare(store, order, x, y),
    };
    Some(match both {
        0 => store.bool(false),
        LESS => less(store, p.x, p.y),
        EQUAL => store.eq(p.x, p.y),
        MORE => less(store, p.y, p.x),
        _ if both == p.allowed => a,
        _ if both == q.allowed => b,
        _ => unreachable!("two different pairs of three have one in common"),
    })
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const MORE: u8 = 4;

/// A literal as the set of outcomes it allows when `x` is compared with `y`.
struct Relation {
    order: Op,
    x: Term,
    y: Term,
    allowed: u8,
}

impl Relation {
    fn of(store: &Store, literal: Term) -> Option<Relation> {
        let inner = unary(store, literal, Op::Not);
        let node = store.node(inner.unwrap_or(literal));
        let [x, y, _] = node.slots;
        let allowed = match node.op {
            Op::Eq => EQUAL,
            Op::Ult | Op::Slt => LESS,
            Op::Le => LESS | EQUAL,
            _ => return None,
        };
        Some(Relation {
            order: node.op,
            x,
            y,
            allowed: if inner.is_some() {
                allowed ^ (LESS | EQUAL | MORE)
            } else {
                allowed
            },
        })
    }

    fn swapped(self) -> Relation {
        let flipped =
            (self.allowed & LESS) << 2 | self.allowed & EQUAL | (self.allowed & MORE) >> 2;
        Relation {
            x: self.y,
            y: self.x,
            allowed: flipped,
            ..self
        }
    }
}
