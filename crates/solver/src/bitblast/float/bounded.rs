//! Signed numbers with bounds known when the circuit is built.
//!
//! Exponents are small numbers that many operations add up. Knowing their
//! bounds makes every adder as wide as it needs to be, and lets rounding leave
//! out overflow or underflow where neither can occur.

use super::super::aig::{Aig, Lit};
use super::super::circuits;

/// A number in two's complement. The bounds hold wherever the number matters;
/// where it does not, it is any number.
#[derive(Clone, Debug)]
pub struct Bounded {
    pub bits: Vec<Lit>,
    pub low: i64,
    pub high: i64,
}

impl Bounded {
    /// The number that unsigned `bits` spell, between these bounds.
    pub fn unsigned(bits: &[Lit], low: i64, high: i64) -> Bounded {
        let bits = [bits, &[Lit::FALSE]].concat();
        Bounded { bits, low, high }.fitted()
    }

    /// The constant `value`.
    pub fn constant(value: i64) -> Bounded {
        let width = width_of(value);
        let bits = (0..width).map(|bit| Lit::constant(value >> bit & 1 == 1));
        Bounded {
            bits: bits.collect(),
            low: value,
            high: value,
        }
    }

    /// The same number, known to lie between these bounds too.
    pub fn within(mut self, low: i64, high: i64) -> Bounded {
        self.low = self.low.max(low);
        self.high = self.high.min(high);
        self.fitted()
    }

    pub fn plus(&self, aig: &mut Aig, other: &Bounded) -> Bounded {
        self.sum(aig, other, Lit::FALSE)
    }

    pub fn plus_constant(&self, aig: &mut Aig, value: i64) -> Bounded {
        self.plus(aig, &Bounded::constant(value))
    }

    pub fn minus(&self, aig: &mut Aig, other: &Bounded) -> Bounded {
        self.minus_with_borrow(aig, other, Lit::FALSE)
    }

    /// The difference, less one where `borrow` holds.
    pub fn minus_with_borrow(&self, aig: &mut Aig, other: &Bounded, borrow: Lit) -> Bounded {
        let complement = Bounded {
            bits: circuits::not(&other.bits),
            low: !other.high,
            high: !other.low,
        };
        self.sum(aig, &complement, !borrow)
    }

    /// The sum, plus one where `carry` holds.
    pub fn sum(&self, aig: &mut Aig, other: &Bounded, carry: Lit) -> Bounded {
        let low = self.low + other.low + i64::from(carry == Lit::TRUE);
        let high = self.high + other.high + i64::from(carry != Lit::FALSE);
        let width = width_between(low, high);
        let (a, b) = (self.extended(width), other.extended(width));
        let (bits, _) = circuits::add_with_carry(aig, &a, &b, carry);
        Bounded { bits, low, high }
    }

    /// The number, but `other` where `cond` holds.
    pub fn unless(&self, aig: &mut Aig, cond: Lit, other: &Bounded) -> Bounded {
        let low = self.low.min(other.low);
        let high = self.high.max(other.high);
        let width = width_between(low, high);
        let (a, b) = (self.extended(width), other.extended(width));
        let bits = circuits::mux(aig, cond, &b, &a);
        Bounded { bits, low, high }
    }

    /// The number without its lowest bit, rounding down.
    pub fn halved(mut self) -> Bounded {
        self.low >>= 1;
        self.high >>= 1;
        self.bits.remove(0);
        if self.bits.is_empty() {
            self.bits.push(Lit::FALSE);
        }
        self.fitted()
    }

    pub fn is_negative(&self) -> Lit {
        if self.low >= 0 {
            Lit::FALSE
        } else if self.high < 0 {
            Lit::TRUE
        } else {
            circuits::sign(&self.bits)
        }
    }

    /// The number where it is not negative, unsigned.
    pub fn magnitude_bits(&self) -> &[Lit] {
        &self.bits[..self.bits.len() - 1]
    }

    fn extended(&self, width: usize) -> Vec<Lit> {
        circuits::sext(&self.bits, width)
    }

    fn fitted(mut self) -> Bounded {
        self.bits = self.extended(width_between(self.low, self.high));
        self
    }
}

fn width_between(low: i64, high: i64) -> usize {
    width_of(low).max(width_of(high))
}

fn width_of(value: i64) -> usize {
    // The sign bit, and the bits that differ from it.
    65 - (value ^ (value >> 63)).leading_zeros() as usize
}
