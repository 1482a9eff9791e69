//! Rules for numbers that are taken apart into digits and put together again.
//!
//! A program that prints a number divides it by ten again and again, and one that
//! reads it multiplies. That both undo each other takes a SAT solver as many conflicts as
//! there are numbers; by these rules it is seen when the terms are made.
//!
//! The normal form of a digit is `(x / a) % c`: quotients of remainders become remainders
//! of quotients. A sum of neighbouring digits, each times the weight of its place, is one
//! number again. Constants of at most 64 bits only.

use super::arith::{factor, factor_free};
use super::pattern::{binary, bits, both_ways, extraction, known, unary};
use crate::bits::BitVec;
use crate::op::Op;
use crate::store::{Node, Store, Term};
use crate::value::Value;

/// More elements than this are not looked at for a pattern.
const MOST_ELEMENTS: u64 = 256;

/// match: x / c = k, c not zero
/// result: ¬(x < k * c) ∧ x < k * c + c, without what always holds
pub(super) fn eq_quotient(store: &mut Store, node: &Node) -> Option<Term> {
    let [quotient, k, _] = node.slots;
    let (x, c) = by_constant(store, quotient, Op::BvUdiv)?;
    let k = store.as_word(k)?;
    let Some(least) = k.checked_mul(c).filter(|&least| fits(store, x, least)) else {
        return Some(store.bool(false));
    };
    let below = below(store, x, least);
    let above = least.checked_add(c);
    let inside = match above.filter(|&above| fits(store, x, above)) {
        Some(above) => self::below(store, x, above),
        None => store.bool(true),
    };
    let not_below = store.not(below);
    Some(store.and(not_below, inside))
}

/// match: x / c < k, c not zero
/// result: x < k * c, or true when the product does not fit
pub(super) fn ult_quotient(store: &mut Store, node: &Node) -> Option<Term> {
    let [quotient, k, _] = node.slots;
    let (x, c) = by_constant(store, quotient, Op::BvUdiv)?;
    let k = store.as_word(k)?;
    match k.checked_mul(c).filter(|&end| fits(store, x, end)) {
        Some(end) => Some(below(store, x, end)),
        None => Some(store.bool(true)),
    }
}

/// match: x % c = x, c not zero
/// result: x < c
pub(super) fn eq_remainder(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(rest, x)| {
        let (of, c) = by_constant(store, rest, Op::BvUrem)?;
        (of == x).then(|| below(store, x, c))
    })
}

/// match: (x % n) / c, c a divisor of n
/// result: (x / c) % (n / c)
pub(super) fn udiv_remainder(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, n, c) = of_remainder(store, node)?;
    let width = node.sort.bv_width();
    let (c, rest) = (store.bv(width, c), store.bv(width, n / c));
    let quotient = store.bv_udiv(x, c);
    Some(store.bv_urem(quotient, rest))
}

/// match: (x % n) % c, c a divisor of n
/// result: x % c
pub(super) fn urem_remainder(store: &mut Store, node: &Node) -> Option<Term> {
    let (x, _, c) = of_remainder(store, node)?;
    let c = store.bv(node.sort.bv_width(), c);
    Some(store.bv_urem(x, c))
}

/// The number, the divisor of the remainder that is divided, and one of its divisors.
fn of_remainder(store: &Store, node: &Node) -> Option<(Term, u64, u64)> {
    let [rest, c, _] = node.slots;
    let c = store.as_word(c).filter(|&c| c != 0)?;
    let (x, n) = by_constant(store, rest, Op::BvUrem)?;
    (n % c == 0).then_some((x, n, c))
}

/// match: x[w-1:0] / c or x[w-1:0] % c, c not zero, x never having other bits
/// result: (x / c)[w-1:0], likewise
pub(super) fn divide_extraction(store: &mut Store, node: &Node) -> Option<Term> {
    let [part, c, _] = node.slots;
    let c = store.as_word(c).filter(|&c| c != 0)?;
    known(store, part)?;
    let x = all_that_is_extracted(store, part)?;
    let c = store.bv(store.width(x), c);
    let result = match node.op {
        Op::BvUdiv => store.bv_udiv(x, c),
        Op::BvUrem => store.bv_urem(x, c),
        other => unreachable!("{other:?} is no unsigned division"),
    };
    Some(store.extract(result, 0, node.sort.bv_width()))
}

/// match: zext(x[w-1:0]), x never having other bits
/// result: x, widened or cut to the width
pub(super) fn zext_extraction(store: &mut Store, node: &Node) -> Option<Term> {
    let x = all_that_is_extracted(store, node.slots[0])?;
    let width = node.sort.bv_width();
    Some(match store.width(x) <= width {
        true => store.zext(x, width),
        false => store.extract(x, 0, width),
    })
}

/// The term of whose low bits this is an extraction, when its other bits are always zero.
fn all_that_is_extracted(store: &Store, part: Term) -> Option<Term> {
    let (x, low) = extraction(store, part)?;
    let fits = low == 0 && known(store, x)?.max >> store.width(part) == 0;
    fits.then_some(x)
}

/// match: zext(x + c), the sum never wrapping
/// result: zext(x) + zext(c)
pub(super) fn zext_sum(store: &mut Store, node: &Node) -> Option<Term> {
    let (sum, width) = (node.slots[0], node.sort.bv_width());
    let (x, c) = sum_that_fits(store, sum)?;
    let wide = store.zext(x, width);
    let c = store.bv(width, c);
    Some(store.bv_add(wide, c))
}

/// match: x + c1 < c2, unsigned, the sum never wrapping
/// result: x < c2 - c1, or false when c2 is not above c1
pub(super) fn ult_sum(store: &mut Store, node: &Node) -> Option<Term> {
    let [sum, end, _] = node.slots;
    let end = store.as_word(end)?;
    let (x, c) = sum_that_fits(store, sum)?;
    Some(below(store, x, end.saturating_sub(c)))
}

/// The term and the constant of a sum that is never above the greatest number.
fn sum_that_fits(store: &Store, sum: Term) -> Option<(Term, u64)> {
    let (x, c) = binary(store, sum, Op::BvAdd)?;
    let c = store.as_word(c)?;
    let most = known(store, x)?.max.checked_add(c)?;
    fits(store, x, most).then_some((x, c))
}

/// match: concat(c, x) + k, or zext of it, k being minus what c stands for there
/// result: zext(x)
pub(super) fn add_high_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [a, k, _] = node.slots;
    let width = node.sort.bv_width();
    let k = bits(store, k)?;
    let inner = unary(store, a, Op::Zext).unwrap_or(a);
    let (high, x) = binary(store, inner, Op::Concat)?;
    let by = BitVec::from_u64(width, u64::from(store.width(x)));
    let high = bits(store, high)?.zext(width).shl(&by);
    (high.add(&k).is_zero()).then(|| store.zext(x, width))
}

/// match: (y / b) * (b * m) + (y % b) * m; ((y / b) % c) * (b * m) + (y % b) * m
/// result: y * m; (y % (b * c)) * m
///
/// The two may be anywhere in a sum of a few terms, and all of them the low bits of wider
/// ones or widened.
pub(super) fn add_digits(store: &mut Store, node: &Node) -> Option<Term> {
    both_ways(node).into_iter().find_map(|(a, b)| {
        if let Some(whole) = joined(store, a, b) {
            return Some(whole);
        }
        let (x, y) = binary(store, a, Op::BvAdd)?;
        [(x, y), (y, x)].into_iter().find_map(|(x, y)| {
            let whole = joined(store, x, b).or_else(|| joined(store, b, x))?;
            Some(store.bv_add(whole, y))
        })
    })
}

/// The sum of two neighbouring digits, the higher one first.
fn joined(store: &mut Store, high: Term, low: Term) -> Option<Term> {
    if let (Some(a), Some(b)) = (unary(store, high, Op::Zext), unary(store, low, Op::Zext))
        && store.sort(a) == store.sort(b)
        && let (Some(a), Some(b)) = (known(store, a), known(store, b))
        && let Some(most) = a.max.checked_add(b.max)
    {
        let (a, b) = (store.args(high)[0], store.args(low)[0]);
        if fits(store, a, most)
            && let Some(whole) = joined(store, a, b)
        {
            return Some(store.zext(whole, store.width(high)));
        }
    }
    let weight = factor(store, low).to_u64()?;
    let (low, high, times) = (
        factor_free(store, low),
        factor_free(store, high),
        factor(store, high).to_u64()?,
    );
    let ((digit, around), (quotient, also)) = (unwrapped(store, low), unwrapped(store, high));
    if around != also || store.sort(digit) != store.sort(quotient) {
        return None;
    }
    let (y, base) = by_constant(store, digit, Op::BvUrem)?;
    known(store, low)?;
    let outer = store.width(low);
    let product = weight.wrapping_mul(base) & (u64::MAX >> (64 - outer));
    if product != times {
        return None;
    }
    let whole = whole(store, quotient, y, base)?;
    let whole = match around {
        None => whole,
        Some(Op::Zext) => store.zext(whole, outer),
        Some(_) => store.extract(whole, 0, outer),
    };
    let weight = store.bv(outer, weight);
    Some(store.bv_mul(whole, weight))
}

/// What is widened or cut off at the top, and by what.
fn unwrapped(store: &Store, term: Term) -> (Term, Option<Op>) {
    if let Some(inner) = unary(store, term, Op::Zext) {
        return (inner, Some(Op::Zext));
    }
    match extraction(store, term) {
        Some((inner, 0)) => (inner, Some(Op::Extract)),
        _ => (term, None),
    }
}

/// What has `y % base` as its last digit and `quotient` before it, if that is a quotient of
/// `y` or its last digits.
fn whole(store: &mut Store, quotient: Term, y: Term, base: u64) -> Option<Term> {
    if is_quotient(store, quotient, y, base) {
        return Some(y);
    }
    let (above, c) = by_constant(store, quotient, Op::BvUrem)?;
    if !is_quotient(store, above, y, base) {
        return None;
    }
    match c.checked_mul(base).filter(|&end| fits(store, y, end)) {
        Some(end) => {
            let end = store.bv(store.width(y), end);
            Some(store.bv_urem(y, end))
        }
        // All quotients are below `c`.
        None => Some(y),
    }
}

/// Whether the quotient is `y / base`, as it is written where `y` is a quotient itself.
fn is_quotient(store: &Store, quotient: Term, y: Term, base: u64) -> bool {
    let Some((x, divisor)) = by_constant(store, quotient, Op::BvUdiv) else {
        return false;
    };
    if x == y {
        return divisor == base;
    }
    by_constant(store, y, Op::BvUdiv)
        .is_some_and(|(of, by)| of == x && by.checked_mul(base) == Some(divisor))
}

/// match: select(k, s * j + p), k a constant whose elements from p on, s apart, count up:
///        each number m times, and after r numbers from the first one again
/// result: k[p] + (j / m) % r
pub(super) fn select_counting(store: &mut Store, node: &Node) -> Option<Term> {
    let [array, index, _] = node.slots;
    let (base, first) = match binary(store, index, Op::BvAdd) {
        Some((base, offset)) if store.is_const(offset) => (base, store.as_word(offset)?),
        _ => (index, 0),
    };
    let facts = *known(store, base)?;
    let step = facts.zeros.trailing_ones().min(63);
    let last = facts.max >> step;
    let ends = first.checked_add(facts.max)?;
    if last == 0 || last >= MOST_ELEMENTS || !fits(store, index, ends) {
        return None;
    }
    let count = {
        let Some(Value::Array(table)) = store.as_value(array) else {
            return None;
        };
        let width = store.width(index);
        let element = |j: u64| {
            let at = BitVec::from_u64(width, first + (j << step));
            table.get(&at).to_u64()
        };
        Counting::of(last, element)?
    };
    let (width, result) = (store.width(index), node.sort.bv_width());
    let constant = |store: &mut Store, c: u64| store.bv(width, c);
    let shift = constant(store, u64::from(step));
    let mut number = store.bv_lshr(base, shift);
    if count.each > 1 {
        let each = constant(store, count.each);
        number = store.bv_udiv(number, each);
    }
    if let Some(again) = count.again {
        let again = constant(store, again);
        number = store.bv_urem(number, again);
    }
    let number = match width >= result {
        true => store.extract(number, 0, result),
        false => store.zext(number, result),
    };
    let from = store.bv(result, count.from);
    Some(store.bv_add(number, from))
}

/// Elements that count up from a number: each so often, and from the first again after so many.
struct Counting {
    from: u64,
    each: u64,
    again: Option<u64>,
}

impl Counting {
    fn of(last: u64, element: impl Fn(u64) -> Option<u64>) -> Option<Counting> {
        let from = element(0)?;
        let each = (1..=last).find(|&j| element(j) != Some(from))?;
        let number = |j: u64| element(j)?.checked_sub(from);
        let again = (1..=last).find(|&j| number(j) != Some(j / each));
        let again = match again {
            // It starts anew only where a number ends.
            Some(j) if j % each == 0 => Some(j / each),
            Some(_) => return None,
            None => None,
        };
        let counts = |j| {
            let turn = j / each;
            number(j) == Some(again.map_or(turn, |again| turn % again))
        };
        (1..=last)
            .all(counts)
            .then_some(Counting { from, each, again })
    }
}

/// The other argument and the divisor, of a division by a constant that is not zero.
fn by_constant(store: &Store, term: Term, op: Op) -> Option<(Term, u64)> {
    let (x, c) = binary(store, term, op)?;
    known(store, x)?;
    let c = store.as_word(c).filter(|&c| c != 0)?;
    Some((x, c))
}

/// Whether the number is one of the width of the term.
fn fits(store: &Store, like: Term, number: u64) -> bool {
    number <= u64::MAX >> (64 - store.width(like))
}

fn below(store: &mut Store, x: Term, end: u64) -> Term {
    let end = store.bv(store.width(x), end);
    store.bv_ult(x, end)
}
