//! Rules for shifts.

use super::lift::lift_choice;
use super::pattern::{bits, constant_choice, is_ones, is_zero, known, sign, unary, with_constant};
use super::{Rule, rules};
use crate::op::Op;
use crate::store::{Node, Store, Term};

pub(super) const SHL: &[Rule] = rules![
    shift_by_zero,
    shift_of_zero,
    shift_out,
    shl_sum_constant,
    shl_constant,
    lift_choice,
    shift_by_choice,
];

pub(super) const LSHR: &[Rule] = rules![
    shift_by_zero,
    shift_of_zero,
    shift_out,
    lshr_constant,
    lshr_narrow,
    lift_choice,
    shift_by_choice,
];

pub(super) const ASHR: &[Rule] = rules![
    shift_by_zero,
    shift_of_zero,
    ashr_of_ones,
    ashr_nonnegative,
    ashr_out,
    ashr_constant,
    ashr_narrow,
    lift_choice,
    shift_by_choice,
];

/// match: x shifted by 0
/// result: x
fn shift_by_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, by, _] = node.slots;
    is_zero(store, by).then_some(x)
}

/// match: 0 shifted
/// result: 0
fn shift_of_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[0];
    is_zero(store, x).then_some(x)
}

/// Whether the amount is never less than the width.
fn shifts_out(store: &Store, node: &Node) -> bool {
    let by = node.slots[1];
    let width = u64::from(node.sort.bv_width());
    match (known(store, by), bits(store, by)) {
        (Some(facts), _) => facts.min >= width,
        (None, Some(by)) => by.to_u64().is_none_or(|by| by >= width),
        (None, None) => false,
    }
}

/// The constant amount, when it is less than the width and not zero.
fn amount(store: &Store, node: &Node) -> Option<u16> {
    let by = bits(store, node.slots[1])?.to_u64()?;
    (1..u64::from(node.sort.bv_width()))
        .contains(&by)
        .then_some(by as u16)
}

/// match: x << n or x >> n, logical, n never less than the width
/// result: 0
fn shift_out(store: &mut Store, node: &Node) -> Option<Term> {
    shifts_out(store, node).then(|| store.bv(node.sort.bv_width(), 0))
}

/// match: (x + c) << n
/// result: (x << n) + (c << n)
fn shl_sum_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, by, _] = node.slots;
    let n = bits(store, by)?;
    let (x, c) = with_constant(store, sum, Op::BvAdd)?;
    let shifted = store.bv_shl(x, by);
    let c = store.bv_value(c.shl(&n));
    Some(store.bv_add(shifted, c))
}

/// match: x << n, n a constant
/// result: concat(x[w-n-1:0], 0)
fn shl_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let n = amount(store, node)?;
    let kept = store.extract(node.slots[0], 0, node.sort.bv_width() - n);
    let zeros = store.bv(n, 0);
    Some(store.concat(kept, zeros))
}

/// match: x >> n, logical, n a constant
/// result: zext(x[w-1:n])
fn lshr_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (n, width) = (amount(store, node)?, node.sort.bv_width());
    let kept = store.extract(node.slots[0], n, width - n);
    Some(store.zext(kept, width))
}

/// match: zext(x) >> zext(y), logical, x and y of one width
/// result: zext(x >> y)
fn lshr_narrow(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::Zext)?, unary(store, b, Op::Zext)?);
    if store.width(x) != store.width(y) {
        return None;
    }
    let shifted = store.bv_lshr(x, y);
    Some(store.zext(shifted, node.sort.bv_width()))
}

/// match: all ones >> n, arithmetic
/// result: all ones
fn ashr_of_ones(store: &mut Store, node: &Node) -> Option<Term> {
    let x = node.slots[0];
    is_ones(store, x).then_some(x)
}

/// match: x >> n, arithmetic, x never negative
/// result: x >> n, logical
fn ashr_nonnegative(store: &mut Store, node: &Node) -> Option<Term> {
    let [x, by, _] = node.slots;
    (sign(store, x) == Some(false)).then(|| store.bv_lshr(x, by))
}

/// match: x >> n, arithmetic, n never less than the width
/// result: sext(x[w-1])
fn ashr_out(store: &mut Store, node: &Node) -> Option<Term> {
    if !shifts_out(store, node) {
        return None;
    }
    let width = node.sort.bv_width();
    let sign = store.extract(node.slots[0], width - 1, 1);
    Some(store.sext(sign, width))
}

/// match: x >> n, arithmetic, n a constant
/// result: sext(x[w-1:n])
fn ashr_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let (n, width) = (amount(store, node)?, node.sort.bv_width());
    let kept = store.extract(node.slots[0], n, width - n);
    Some(store.sext(kept, width))
}

/// match: sext(x) >> zext(y), arithmetic, x and y of one width
/// result: sext(x >> y)
fn ashr_narrow(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    let (x, y) = (unary(store, a, Op::Sext)?, unary(store, b, Op::Zext)?);
    if store.width(x) != store.width(y) {
        return None;
    }
    let shifted = store.bv_ashr(x, y);
    Some(store.sext(shifted, node.sort.bv_width()))
}

/// match: x shifted by ite(c, n, m), n and m constants
/// result: ite(c, x shifted by n, x shifted by m)
fn shift_by_choice(store: &mut Store, node: &Node) -> Option<Term> {
    let (condition, n, m) = constant_choice(store, node.slots[1])?;
    let mut by = |amount: Term| {
        let mut shift = *node;
        shift.slots[1] = amount;
        store.make(shift)
    };
    let (then, otherwise) = (by(n), by(m));
    Some(store.ite(condition, then, otherwise))
}
