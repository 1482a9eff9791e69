//! Shifters by a symbolic amount, in stages of a power of two each.

use super::super::aig::{Aig, Lit};
use super::{mux, sign};

/// `a` shifted left; zero when the amount is the width or more. The amount may
/// have any width.
pub fn shl(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
    let reversed: Vec<Lit> = a.iter().rev().copied().collect();
    let mut shifted = lshr(aig, &reversed, amount);
    shifted.reverse();
    shifted
}

/// `a` shifted right, filled with zeros. The amount may have any width.
pub fn lshr(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
    shift_right(aig, a, amount, Lit::FALSE).0
}

/// `a` shifted right, filled with its sign. The amount may have any width.
pub fn ashr(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
    shift_right(aig, a, amount, sign(a)).0
}

/// `a` shifted right, filled with zeros, and whether any one was shifted out.
pub fn lshr_sticky(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> (Vec<Lit>, Lit) {
    let (shifted, sticky) = shift_right(aig, a, amount, Lit::FALSE);
    (shifted, aig.or_all(&sticky))
}

/// `a` shifted right, and for each stage whether it shifted out a one.
fn shift_right(aig: &mut Aig, a: &[Lit], amount: &[Lit], fill: Lit) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len();
    let stages = bits_to_count_below(width).min(amount.len());
    let (low, high) = amount.split_at(stages);
    let beyond = aig.or_all(high);
    let mut lost = Vec::new();
    let mut bits = a.to_vec();
    // Where the stages together can empty the vector, an amount too large for
    // them need only set them all.
    let saturates = width < 1 << stages;
    for (stage, &bit) in low.iter().enumerate().rev() {
        let chosen = if saturates { aig.or(bit, beyond) } else { bit };
        bits = stage_right(aig, &bits, chosen, 1 << stage, fill, &mut lost);
    }
    if !saturates {
        bits = stage_right(aig, &bits, beyond, width, fill, &mut lost);
    }
    (bits, lost)
}

fn stage_right(
    aig: &mut Aig,
    bits: &[Lit],
    chosen: Lit,
    distance: usize,
    fill: Lit,
    lost: &mut Vec<Lit>,
) -> Vec<Lit> {
    let distance = distance.min(bits.len());
    if chosen != Lit::FALSE {
        let any = aig.or_all(&bits[..distance]);
        lost.push(aig.and(chosen, any));
    }
    let mut moved = bits[distance..].to_vec();
    moved.resize(bits.len(), fill);
    mux(aig, chosen, &moved, bits)
}

/// `a` shifted left until its top bit is set, and the distance. For zero, the
/// distance is all ones.
pub fn normalise(aig: &mut Aig, a: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let stages = bits_to_count_below(a.len());
    let mut bits = a.to_vec();
    let mut distance = vec![Lit::FALSE; stages];
    for stage in (0..stages).rev() {
        let step = 1 << stage;
        let empty = !aig.or_all(&bits[bits.len() - step..]);
        let mut moved = vec![Lit::FALSE; step];
        moved.extend_from_slice(&bits[..bits.len() - step]);
        bits = mux(aig, empty, &moved, &bits);
        distance[stage] = empty;
    }
    (bits, distance)
}

/// How many bits the numbers below `bound` take.
fn bits_to_count_below(bound: usize) -> usize {
    (usize::BITS - bound.saturating_sub(1).leading_zeros()) as usize
}
