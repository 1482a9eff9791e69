//! What rewriting said of parts of a number, said of the number again.
//!
//! A comparison of an `int` with a constant is decided byte by byte where that is cheaper:
//! it equals a number if each of its bytes does, and its sign is that of its last byte. The
//! solver likes it that way, a reader does not.

use rustc_hash::{FxHashMap, FxHashSet};
use term::{BitVec, Op, Store, Term, Value, conjuncts, post_order};

/// The same condition over whole numbers, as far as possible.
pub(super) fn over_whole_numbers(store: &mut Store, condition: Term) -> Term {
    let order = post_order(store, &[condition]);
    // Only the outermost conjunction has all the parts.
    let is_and = |term: &Term| store.op(*term) == Op::And;
    let inner = order.iter().filter(|term| is_and(term));
    let inner = inner.flat_map(|&term| store.args(term).iter().copied());
    let inner: FxHashSet<Term> = inner.filter(is_and).collect();
    let mut results: FxHashMap<Term, Term> = FxHashMap::default();
    for term in order {
        let args: Vec<Term> = store.args(term).iter().map(|arg| results[arg]).collect();
        let same = match args == store.args(term) {
            true => term,
            false => store.with_args(term, &args),
        };
        let whole = match store.op(same) {
            Op::And if inner.contains(&term) => None,
            Op::And => joined(store, same),
            Op::Ult | Op::Slt => compared(store, same),
            _ => None,
        };
        results.insert(term, whole.unwrap_or(same));
    }
    results[&condition]
}

/// The number that a term is a part of, where the part begins, and how wide it is.
fn part(store: &Store, term: Term) -> Option<(Term, u16, u16)> {
    let &[number] = store.args(term) else {
        return None;
    };
    let is_part =
        store.op(term) == Op::Extract && matches!(store.op(number), Op::Var | Op::FpToBits);
    is_part.then(|| (number, store.indices(term)[0] as u16, store.width(term)))
}

fn constant(store: &Store, term: Term) -> Option<BitVec> {
    match store.as_value(term)? {
        Value::Bv(bits) => Some(bits),
        _ => None,
    }
}

/// A conjunction in which parts of a number that lie side by side equal constants says what
/// the number, or a larger part of it, is.
fn joined(store: &mut Store, conjunction: Term) -> Option<Term> {
    let parts = conjuncts(store, conjunction);
    let mut known: FxHashMap<Term, Vec<Piece>> = FxHashMap::default();
    for (at, &conjunct) in parts.iter().enumerate() {
        if let Some((number, low, value)) = fixed(store, conjunct) {
            let places = vec![at];
            let piece = Piece { low, value, places };
            known.entry(number).or_default().push(piece);
        }
    }
    let mut replaced: FxHashMap<usize, Option<Term>> = FxHashMap::default();
    for (number, pieces) in known {
        for piece in side_by_side(pieces) {
            let part = store.extract(number, piece.low, piece.value.width());
            let value = store.value(Value::Bv(piece.value));
            let equal = store.eq(part, value);
            replaced.extend(piece.places.iter().map(|at| (*at, None)));
            let first = piece.places.iter().min();
            replaced.extend(first.map(|at| (*at, Some(equal))));
        }
    }
    if replaced.is_empty() {
        return None;
    }
    let kept = parts.iter().enumerate();
    let kept = kept.filter_map(|(at, &part)| replaced.get(&at).copied().unwrap_or(Some(part)));
    let kept: Vec<Term> = kept.collect();
    Some(store.and_all(kept))
}

/// Bits of a number whose value is known.
struct Piece {
    low: u16,
    value: BitVec,
    /// The conjuncts that say so.
    places: Vec<usize>,
}

/// The part of a number that a conjunct gives a value, and the value.
fn fixed(store: &Store, conjunct: Term) -> Option<(Term, u16, BitVec)> {
    let (Op::Eq, &[a, b]) = (store.op(conjunct), store.args(conjunct)) else {
        return None;
    };
    let (place, value) = match constant(store, b) {
        Some(value) => (a, value),
        None => (b, constant(store, a)?),
    };
    let (number, low, _) = part(store, place)?;
    Some((number, low, value))
}

/// Pieces of one number put together where they lie side by side; what has no neighbour is
/// left out.
fn side_by_side(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.sort_by_key(|piece| piece.low);
    let mut joined: Vec<Piece> = Vec::new();
    for piece in pieces {
        match joined.last_mut() {
            Some(last) if last.low + last.value.width() == piece.low => {
                last.value = piece.value.concat(&last.value);
                last.places.extend(piece.places);
            }
            _ => joined.push(piece),
        }
    }
    joined.retain(|piece| piece.places.len() > 1);
    joined
}

/// The upper part of a number compares with a constant as the number does with the
/// constant moved up.
fn compared(store: &mut Store, comparison: Term) -> Option<Term> {
    let &[a, b] = store.args(comparison) else {
        return None;
    };
    let is_signed = store.op(comparison) == Op::Slt;
    let (upper, bound, is_below) = match constant(store, b) {
        Some(bound) => (a, bound, true),
        None => (b, constant(store, a)?, false),
    };
    let (number, low, width) = part(store, upper)?;
    if store.op(number) != Op::Var || low == 0 || low + width != store.width(number) {
        return None;
    }
    // Below the bound is below all that begin with it; above it, above all of them.
    let rest = if is_below {
        BitVec::zero(low)
    } else {
        BitVec::ones(low)
    };
    let bound = store.value(Value::Bv(bound.concat(&rest)));
    let (a, b) = if is_below {
        (number, bound)
    } else {
        (bound, number)
    };
    let whole = match is_signed {
        true => store.bv_slt(a, b),
        false => store.bv_ult(a, b),
    };
    (whole != comparison).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    #[test]
    fn what_is_said_of_all_bytes_is_said_of_the_number() {
        let store = &mut Store::new();
        let x = store.var("x", Sort::Bv(32));
        let bytes: Vec<Term> = (0..4).map(|at| store.extract(x, 8 * at, 8)).collect();
        let [low, high] = [0xfe, 0xff].map(|byte| store.bv(8, byte));
        let values = [low, high, high, high];
        let mut equal = Vec::new();
        for (&byte, value) in bytes.iter().zip(values) {
            equal.push(store.eq(byte, value));
        }
        let all = store.and_all(equal.clone());
        let minus_two = store.bv(32, 0xffff_fffe);
        let whole = store.eq(x, minus_two);
        assert_eq!(over_whole_numbers(store, all), whole);
        let (not_all, not_whole) = (store.not(all), store.not(whole));
        assert_eq!(over_whole_numbers(store, not_all), not_whole);
        let three = store.and_all(equal[1..].to_vec());
        let (upper, ones) = (store.extract(x, 8, 24), store.bv(24, 0x00ff_ffff));
        let upper = store.eq(upper, ones);
        assert_eq!(over_whole_numbers(store, three), upper);
        let apart = store.and(equal[0], equal[2]);
        assert_eq!(over_whole_numbers(store, apart), apart);
    }

    #[test]
    fn the_last_byte_compares_as_the_number_does() {
        let store = &mut Store::new();
        let x = store.var("x", Sort::Bv(32));
        let last = store.extract(x, 24, 8);
        let bounds = [(0, 0, 0x00ff_ffff), (5, 0x0500_0000, 0x05ff_ffff)];
        for (bound, below, above) in bounds {
            let bound = store.bv(8, bound);
            let [below, above] = [below, above].map(|bound| store.bv(32, bound));
            let less = store.bv_slt(last, bound);
            let whole = store.bv_slt(x, below);
            assert_eq!(over_whole_numbers(store, less), whole);
            let greater = store.bv_slt(bound, last);
            let whole = store.bv_slt(above, x);
            assert_eq!(over_whole_numbers(store, greater), whole);
        }
        let middle = store.extract(x, 16, 8);
        let zero = store.bv(8, 0);
        let less = store.bv_slt(middle, zero);
        assert_eq!(over_whole_numbers(store, less), less);
    }
}
