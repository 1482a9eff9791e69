//! The IEEE remainder: `x - n * y` for the integer `n` nearest to `x / y`.

use super::super::aig::{Aig, Lit};
use super::super::circuits;
use super::bounded::Bounded;
use super::round::{LeadingZeros, Rounding, Unrounded, round};
use super::{Float, mux};
use term::{FpFormat, RoundingMode};

/// About how many gates [`rem`] takes in this format, which is thirty thousand
/// for `float` but half a million for `double`.
pub fn rem_cost(f: FpFormat) -> usize {
    let steps = (1 << f.eb) + usize::from(f.sb);
    steps * (usize::from(f.sb) + 1) * 4
}

/// The remainder of `x / y` with the quotient rounded to the nearest integer,
/// ties to even; a zero takes the sign of `x`.
pub fn rem(aig: &mut Aig, x: &Float, y: &Float) -> Float {
    let (x_scale, dividend) = x.normalised(aig);
    let (y_scale, divisor) = y.normalised(aig);
    let distance = x_scale.minus(aig, &y_scale);
    let behind = distance.is_negative();
    let division = long_division(aig, &dividend, &divisor, &distance);

    // From here on in halves of the divisor's last place, which gives the
    // dividend a place also where its scale is the one below the divisor's.
    let doubled = [&[Lit::FALSE], &division.remainder[..]].concat();
    let dividend = circuits::zext(&dividend, doubled.len());
    let remainder = circuits::mux(aig, behind, &dividend, &doubled);
    let odd = aig.and(division.odd, !behind);
    let half = circuits::zext(&divisor, doubled.len());
    let up = circuits::less(aig, &half, &remainder, odd);
    let whole = [&[Lit::FALSE], &divisor[..]].concat();
    let negated = circuits::sub(aig, &whole, &remainder);
    let remainder = circuits::mux(aig, up, &negated, &remainder);

    let exact = Unrounded {
        sign: aig.xor(x.sign, up),
        zero: circuits::is_zero(aig, &remainder),
        room: y_scale.plus_constant(aig, -1),
        leading_zeros: LeadingZeros {
            usual: x.sb(),
            unusual: Lit::FALSE,
            most: x.sb(),
        },
        significand: remainder,
        sticky: Lit::FALSE,
    };
    // A remainder is never inexact: any mode will do.
    let rm = Rounding::constant(RoundingMode::TowardZero);
    let rounded = round(aig, x.format(), rm, exact);

    let just_behind = aig.and_all(&distance.bits);
    let far_behind = aig.and(behind, !just_behind);
    let unchanged = aig.or_all(&[far_behind, y.inf, x.zero]);
    let remainder = mux(aig, unchanged, x, &rounded);
    let nan = aig.or_all(&[x.nan, y.nan, x.inf, y.zero]);
    Float {
        inf: Lit::FALSE,
        ..remainder
    }
    .or_special(aig, nan, Lit::FALSE, Lit::FALSE)
}

/// What is left of a division of integers.
struct Division {
    remainder: Vec<Lit>,
    /// The quotient is odd.
    odd: Lit,
}

impl Division {
    /// The remainder and parity of twice the dividend.
    fn doubled(&self, aig: &mut Aig, divisor: &[Lit]) -> Division {
        let twice = [&[Lit::FALSE], &self.remainder[..]].concat();
        Division::step(aig, &twice, divisor)
    }

    /// Divides what is less than twice the divisor.
    fn step(aig: &mut Aig, dividend: &[Lit], divisor: &[Lit]) -> Division {
        let width = divisor.len();
        let subtrahend = circuits::zext(divisor, dividend.len());
        let (difference, fits) = circuits::sub_with_no_borrow(aig, dividend, &subtrahend);
        Division {
            remainder: circuits::mux(aig, fits, &difference[..width], &dividend[..width]),
            odd: fits,
        }
    }
}

/// Divides `dividend · 2^distance`, where the distance is not negative.
///
/// One step doubles. The steps come in blocks of a power of two, each of them
/// taken or passed by as a bit of the distance says, so that a distance that
/// is known leaves just its own steps.
fn long_division(aig: &mut Aig, dividend: &[Lit], divisor: &[Lit], distance: &Bounded) -> Division {
    let start = Division::step(aig, dividend, divisor);
    let greatest = distance.high.max(0) as usize;
    let blocks = (greatest + 1).ilog2() as usize;
    let surplus = greatest + 1 - (1 << blocks);
    let bits = circuits::zext(distance.magnitude_bits(), blocks + 1);

    // Distances that need one bit more than there are blocks lose their surplus
    // first.
    let passes = bits[blocks];
    let after = block(aig, passes, surplus, &start, divisor);
    let lowered = circuits::constant(blocks + 1, &surplus.into());
    let lowered = circuits::sub(aig, &bits, &lowered);
    let bits = circuits::mux(aig, passes, &lowered, &bits);

    (0..blocks).rev().fold(after, |division, index| {
        block(aig, bits[index], 1 << index, &division, divisor)
    })
}

fn block(aig: &mut Aig, taken: Lit, steps: usize, from: &Division, divisor: &[Lit]) -> Division {
    if taken == Lit::FALSE || steps == 0 {
        return Division {
            remainder: from.remainder.clone(),
            odd: from.odd,
        };
    }
    let mut through = from.doubled(aig, divisor);
    for _ in 1..steps {
        through = through.doubled(aig, divisor);
    }
    Division {
        remainder: circuits::mux(aig, taken, &through.remainder, &from.remainder),
        odd: aig.mux(taken, through.odd, from.odd),
    }
}
