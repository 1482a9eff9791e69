//! Rounding: where every operation's exact result becomes a value of a format.

use super::super::aig::{Aig, Lit};
use super::super::circuits;
use super::Float;
use super::bounded::Bounded;
use term::{FpFormat, RoundingMode};

/// A rounding mode: one literal for each direction, at most one of which
/// holds; none means toward zero.
#[derive(Clone, Copy, Debug)]
pub struct Rounding {
    nearest_even: Lit,
    nearest_away: Lit,
    toward_positive: Lit,
    toward_negative: Lit,
}

impl Rounding {
    /// The constant mode.
    pub fn constant(mode: RoundingMode) -> Rounding {
        let is = |other| Lit::constant(mode == other);
        Rounding {
            nearest_even: is(RoundingMode::NearestEven),
            nearest_away: is(RoundingMode::NearestAway),
            toward_positive: is(RoundingMode::TowardPositive),
            toward_negative: is(RoundingMode::TowardNegative),
        }
    }

    /// The mode whose number the three bits spell; numbers past the last one
    /// mean toward zero, as it does.
    pub fn symbolic(aig: &mut Aig, bits: &[Lit; 3]) -> Rounding {
        let [low, high, beyond] = *bits;
        let mut is = |low, high| aig.and_all(&[low, high, !beyond]);
        Rounding {
            nearest_even: is(!low, !high),
            nearest_away: is(low, !high),
            toward_positive: is(!low, high),
            toward_negative: is(low, high),
        }
    }

    /// The sign of an exact zero that is the sum of two opposite numbers.
    pub(super) fn sign_of_cancellation(self) -> Lit {
        self.toward_negative
    }

    /// Whether to round away from zero, given the last kept bit, the first one
    /// cut off, and whether any after it is set.
    pub(super) fn up(self, aig: &mut Aig, sign: Lit, last: Lit, guard: Lit, sticky: Lit) -> Lit {
        let directed = aig.mux(sign, self.toward_negative, self.toward_positive);
        let inexact = aig.or(guard, sticky);
        let by_direction = aig.and(directed, inexact);
        let above_tie_or_odd = aig.or(sticky, last);
        let to_even = aig.and(self.nearest_even, above_tie_or_odd);
        let nearest = aig.or(to_even, self.nearest_away);
        let by_distance = aig.and(nearest, guard);
        aig.or(by_direction, by_distance)
    }

    /// Whether a magnitude past the greatest finite one becomes infinite.
    fn overflows_to_infinity(self, aig: &mut Aig, sign: Lit) -> Lit {
        let directed = aig.mux(sign, self.toward_negative, self.toward_positive);
        aig.or_all(&[self.nearest_even, self.nearest_away, directed])
    }
}

/// An exact result, not yet of any format.
pub struct Unrounded {
    pub sign: Lit,
    /// The result is zero. Its significand is then zero too.
    pub zero: Lit,
    /// The biased exponent that the top bit of the significand has, less one:
    /// how far the significand may still be shifted left before the result
    /// would be subnormal anyway.
    pub room: Bounded,
    pub significand: Vec<Lit>,
    /// Whether there are ones below the significand. If so, the significand is
    /// wide enough to be rounded after its leading zeros are shifted out.
    pub sticky: Lit,
    pub leading_zeros: LeadingZeros,
}

/// How many zeros a significand that is not zero may start with.
pub struct LeadingZeros {
    /// Unless `unusual` holds, or there is no room to shift them out.
    pub usual: usize,
    pub unusual: Lit,
    /// In any case where there may be room for as many.
    pub most: usize,
}

impl LeadingZeros {
    pub const NONE: LeadingZeros = LeadingZeros {
        usual: 0,
        unusual: Lit::FALSE,
        most: 0,
    };

    /// By how much they may have to be shifted out.
    fn to_shift(&self, room: &Bounded) -> usize {
        let zeros = if self.unusual == Lit::FALSE {
            self.usual
        } else {
            self.most
        };
        zeros.min(room.high.max(0) as usize)
    }

    /// Whether there always is room to shift all of them out.
    fn have_room(&self, room: &Bounded) -> bool {
        room.low >= self.most as i64
    }
}

/// The value of the format that the mode chooses for the exact result.
pub fn round(aig: &mut Aig, f: FpFormat, rm: Rounding, exact: Unrounded) -> Float {
    let sb = usize::from(f.sb);
    let (sign, zero) = (exact.sign, exact.zero);
    let (low, high) = (exact.room.low, exact.room.high);
    let too_small = exact.room.is_negative();
    let most_shift = exact.leading_zeros.to_shift(&exact.room);
    let never_subnormal = exact.leading_zeros.have_room(&exact.room);

    let mut kept = shift_left(aig, sb + 1, &exact, most_shift);
    if low < 0 {
        kept.shift_right(aig, &exact.room);
    }

    let guard = kept.significand[0];
    let fraction = &kept.significand[1..sb];
    let hidden = if never_subnormal {
        !zero
    } else {
        kept.significand[sb]
    };
    let up = rm.up(aig, sign, kept.significand[1], guard, kept.sticky);
    let (fraction, carry) = circuits::increment(aig, fraction, up);

    // What room is left is the exponent less one; the hidden bit adds that one,
    // and a subnormal number has neither room nor hidden bit.
    let no_room = aig.or(too_small, zero);
    let greatest = high + 1 + i64::from(up != Lit::FALSE);
    let width = exponent_width(greatest).max(usize::from(f.eb));
    let room = circuits::and_bit(aig, kept.room.magnitude_bits(), !no_room);
    let room = circuits::zext(&room, width);
    let (lowest, exponent_carry) = circuits::full_adder(aig, room[0], hidden, carry);
    let (rest, _) = circuits::increment(aig, &room[1..], exponent_carry);
    let exponent = [&[lowest], &rest[..]].concat();

    let (exponent, beyond) = exponent.split_at(usize::from(f.eb));
    let greatest_finite = (1 << f.eb) - 2;
    let overflow = if greatest > greatest_finite {
        let just = aig.and_all(exponent);
        let far = aig.or_all(beyond);
        aig.or(just, far)
    } else {
        Lit::FALSE
    };
    let hidden = aig.or(hidden, carry);
    let blank = circuits::is_zero(aig, &fraction);
    let zero = if never_subnormal {
        zero
    } else {
        aig.and(!hidden, blank)
    };
    let subnormal = if never_subnormal {
        Lit::FALSE
    } else {
        aig.and(!hidden, !blank)
    };
    let float = Float {
        nan: Lit::FALSE,
        inf: Lit::FALSE,
        zero,
        subnormal,
        sign,
        exponent: exponent.to_vec(),
        significand: [&fraction[..], &[hidden]].concat(),
        encodes_specials: true,
        least_scale: (low - most_shift as i64 + 1).clamp(1, greatest_finite),
        greatest_scale: greatest.clamp(1, greatest_finite),
    };
    saturated(aig, rm, overflow, float)
}

fn exponent_width(greatest: i64) -> usize {
    (64 - greatest.max(0).leading_zeros()) as usize
}

/// The value, but where it overflows the greatest finite one or the infinity.
fn saturated(aig: &mut Aig, rm: Rounding, overflow: Lit, a: Float) -> Float {
    if overflow == Lit::FALSE {
        return a;
    }
    let to_infinity = rm.overflows_to_infinity(aig, a.sign);
    let inf = aig.and(overflow, to_infinity);
    let greatest = aig.and(overflow, !to_infinity);
    let mut exponent = circuits::or_bit(aig, &a.exponent, greatest);
    exponent[0] = aig.and(a.exponent[0], !greatest);
    let mut significand = circuits::or_bit(aig, a.fraction(), greatest);
    significand.push(a.hidden());
    Float {
        inf,
        exponent,
        significand,
        encodes_specials: false,
        ..a
    }
}

/// A significand on its way to the width at which it is rounded.
struct Kept {
    significand: Vec<Lit>,
    sticky: Lit,
    room: Bounded,
}

impl Kept {
    /// Cuts the significand to its top `width` bits.
    fn narrow(&mut self, aig: &mut Aig, width: usize) {
        if self.significand.len() > width {
            let rest = self.significand.split_off(self.significand.len() - width);
            let lost = std::mem::replace(&mut self.significand, rest);
            let lost = aig.or_all(&lost);
            self.sticky = aig.or(self.sticky, lost);
        }
    }

    /// Shifts a result that is too small to where the format's smallest number
    /// lies.
    fn shift_right(&mut self, aig: &mut Aig, room: &Bounded) {
        let missing = Bounded::constant(0).minus(aig, room);
        let amount = circuits::and_bit(aig, missing.magnitude_bits(), room.is_negative());
        let (shifted, lost) = circuits::lshr_sticky(aig, &self.significand, &amount);
        self.significand = shifted;
        self.sticky = aig.or(self.sticky, lost);
    }
}

/// Shifts the leading zeros out as far as there is room, by at most
/// `most_shift`, and cuts the significand to `width` bits. Bits that can no
/// longer reach the kept ones are dropped on the way.
fn shift_left(aig: &mut Aig, width: usize, exact: &Unrounded, most_shift: usize) -> Kept {
    let stages = (usize::BITS - most_shift.leading_zeros()) as usize;
    let mut kept = Kept {
        significand: padded_below(&exact.significand, width),
        sticky: exact.sticky,
        room: exact.room.clone(),
    };
    if stages == 0 {
        kept.narrow(aig, width);
        return kept;
    }

    // The distance is the smaller of the leading zeros and the room. Its bits
    // are found from the highest down: as long as they are those of the room,
    // the next one may not exceed the room's; once smaller, they are free.
    let room = circuits::and_bit(aig, exact.room.magnitude_bits(), !exact.room.is_negative());
    let room = circuits::zext(&room, room.len().max(stages));
    let unlimited = exact.leading_zeros.have_room(&exact.room);
    let mut free = if unlimited {
        Lit::TRUE
    } else {
        aig.or_all(&room[stages..])
    };
    let mut distance = vec![Lit::FALSE; stages];
    for stage in (0..stages).rev() {
        let step = 1 << stage;
        kept.narrow(aig, width + 2 * step - 1);
        let bits = &kept.significand;
        let mut empty = !aig.or_all(&bits[bits.len() - step..]);
        if step > exact.leading_zeros.usual {
            empty = aig.and(empty, exact.leading_zeros.unusual);
        }
        let allowed = aig.or(free, room[stage]);
        let chosen = aig.and(empty, allowed);
        let less = aig.and(room[stage], !empty);
        free = aig.or(free, less);
        let mut moved = vec![Lit::FALSE; step];
        moved.extend_from_slice(&bits[..bits.len() - step]);
        kept.significand = circuits::mux(aig, chosen, &moved, bits);
        distance[stage] = chosen;
    }
    kept.narrow(aig, width);
    let distance = Bounded::unsigned(&distance, 0, most_shift as i64);
    kept.room = exact
        .room
        .minus(aig, &distance)
        .within(0, exact.room.high.max(0));
    kept
}

fn padded_below(significand: &[Lit], width: usize) -> Vec<Lit> {
    let padding = width.saturating_sub(significand.len());
    [&vec![Lit::FALSE; padding][..], significand].concat()
}
