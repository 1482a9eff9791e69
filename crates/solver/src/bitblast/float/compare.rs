//! Comparisons, on the packed fields.

use super::super::aig::{Aig, Lit};
use super::super::circuits;
use super::{Float, magnitude, mux};

/// IEEE equality: NaN equals nothing, the zeros equal each other.
pub fn eq(aig: &mut Aig, a: &Float, b: &Float) -> Lit {
    let identical = identical_unless_nan(aig, a, b);
    let zeros = aig.and(a.zero, b.zero);
    let equal = aig.or(identical, zeros);
    aig.and_all(&[equal, !a.nan, !b.nan])
}

/// SMT-LIB's `=`: NaN equals NaN, the zeros differ.
pub fn same(aig: &mut Aig, a: &Float, b: &Float) -> Lit {
    let identical = identical_unless_nan(aig, a, b);
    let neither = aig.and_all(&[identical, !a.nan, !b.nan]);
    let both = aig.and(a.nan, b.nan);
    aig.or(neither, both)
}

fn identical_unless_nan(aig: &mut Aig, a: &Float, b: &Float) -> Lit {
    let (x, y) = (magnitude(aig, a), magnitude(aig, b));
    let magnitudes = circuits::eq(aig, &x, &y);
    let signs = !aig.xor(a.sign, b.sign);
    aig.and(magnitudes, signs)
}

/// IEEE less-than: false when either side is NaN.
pub fn lt(aig: &mut Aig, a: &Float, b: &Float) -> Lit {
    let below = precedes(aig, a, b, Lit::FALSE);
    let zeros = aig.and(a.zero, b.zero);
    aig.and_all(&[below, !zeros, !a.nan, !b.nan])
}

/// IEEE less-or-equal: false when either side is NaN.
pub fn le(aig: &mut Aig, a: &Float, b: &Float) -> Lit {
    let not_above = precedes(aig, a, b, Lit::TRUE);
    let zeros = aig.and(a.zero, b.zero);
    let holds = aig.or(not_above, zeros);
    aig.and_all(&[holds, !a.nan, !b.nan])
}

/// The smaller of two; a NaN loses, and `-0` is smaller than `+0`.
pub fn min(aig: &mut Aig, a: &Float, b: &Float) -> Float {
    let first = precedes(aig, a, b, Lit::TRUE);
    winner(aig, first, a, b)
}

/// The larger of two; a NaN loses, and `+0` is larger than `-0`.
pub fn max(aig: &mut Aig, a: &Float, b: &Float) -> Float {
    let first = precedes(aig, a, b, Lit::TRUE);
    winner(aig, !first, a, b)
}

fn winner(aig: &mut Aig, a_wins: Lit, a: &Float, b: &Float) -> Float {
    let a_wins = aig.and(a_wins, !a.nan);
    let a_chosen = aig.or(a_wins, b.nan);
    mux(aig, a_chosen, a, b)
}

/// Whether `a` comes before `b`, or is `b` where `or_same` holds, in the order
/// in which `-0` comes before `+0` and NaN may be anywhere.
fn precedes(aig: &mut Aig, a: &Float, b: &Float, or_same: Lit) -> Lit {
    let (x, y) = (magnitude(aig, a), magnitude(aig, b));
    // Among negative numbers the order turns round: a is before b unless a's
    // magnitude is less than b's, or equal where that does not count.
    let or_equal = aig.xor(or_same, a.sign);
    let less = circuits::less(aig, &x, &y, or_equal);
    let alike = aig.xor(less, a.sign);
    let signs_differ = aig.xor(a.sign, b.sign);
    aig.mux(signs_differ, a.sign, alike)
}
