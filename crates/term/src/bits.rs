//! Bit-vector values of any width, with SMT-LIB's arithmetic.
//!
//! A value to 64 bits is one machine word; a wider one is a big integer. All
//! operations are total: division by zero and over-wide shifts have the
//! results SMT-LIB gives them.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// The mask of the lowest `width` bits of a word; `width` is at most 64.
#[inline]
pub(crate) fn mask(width: u32) -> u64 {
    debug_assert!(width <= 64);
    if width == 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// A word's lowest `width` bits read as a two's complement number.
#[inline]
pub(crate) fn to_signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}

/// A bit-vector value: its width and its bits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitVec {
    width: u16,
    bits: Bits,
}

/// `Word` exactly when the width is at most 64; the bits above the width are zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Bits {
    Word(u64),
    Wide(Box<BigUint>),
}

impl BitVec {
    /// The value of this width whose lowest bits are those of `bits`.
    #[inline]
    pub fn from_u64(width: u16, bits: u64) -> BitVec {
        debug_assert!(width > 0);
        let bits = if width <= 64 {
            Bits::Word(bits & mask(u32::from(width)))
        } else {
            Bits::Wide(Box::new(BigUint::from(bits)))
        };
        BitVec { width, bits }
    }

    /// The value of this width congruent to `value` modulo two to the width.
    pub fn from_big(width: u16, value: &BigUint) -> BitVec {
        if width <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            return BitVec::from_u64(width, low);
        }
        let bits = if value.bits() > u64::from(width) {
            value & modulus_mask(width)
        } else {
            value.clone()
        };
        BitVec {
            width,
            bits: Bits::Wide(Box::new(bits)),
        }
    }

    /// The two's complement value of this width congruent to `value`.
    pub fn from_int(width: u16, value: &BigInt) -> BitVec {
        let modulus = BigInt::one() << width;
        let wrapped = value.mod_floor(&modulus);
        BitVec::from_big(width, wrapped.magnitude())
    }

    /// All bits zero.
    pub fn zero(width: u16) -> BitVec {
        BitVec::from_u64(width, 0)
    }

    /// All bits one.
    pub fn ones(width: u16) -> BitVec {
        BitVec::zero(width).not()
    }

    /// The number of bits.
    #[inline]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// The unsigned value, when it fits a word.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Word(word) => Some(*word),
            Bits::Wide(big) => big.to_u64(),
        }
    }

    /// The unsigned value.
    pub fn to_big(&self) -> BigUint {
        match &self.bits {
            Bits::Word(word) => BigUint::from(*word),
            Bits::Wide(big) => (**big).clone(),
        }
    }

    /// The two's complement value.
    pub fn to_int(&self) -> BigInt {
        let unsigned = BigInt::from(self.to_big());
        if self.sign() {
            unsigned - (BigInt::one() << self.width)
        } else {
            unsigned
        }
    }

    /// The unsigned value in 128 bits; the width is at most 128.
    pub fn to_u128(&self) -> u128 {
        match &self.bits {
            Bits::Word(word) => u128::from(*word),
            Bits::Wide(big) => big
                .to_u128()
                .expect("a packed float takes at most 128 bits"),
        }
    }

    /// The value of this width with the bits of `bits`.
    pub fn from_u128(width: u16, bits: u128) -> BitVec {
        if width <= 64 {
            BitVec::from_u64(width, bits as u64)
        } else {
            BitVec::from_big(width, &BigUint::from(bits))
        }
    }

    /// The bit of weight two to the `index`.
    pub fn bit(&self, index: u16) -> bool {
        match &self.bits {
            Bits::Word(word) => word >> index & 1 == 1,
            Bits::Wide(big) => big.bit(u64::from(index)),
        }
    }

    /// The most significant bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Word(word) => *word == 0,
            Bits::Wide(big) => big.is_zero(),
        }
    }

    /// Whether all bits are one.
    pub fn is_ones(&self) -> bool {
        *self == BitVec::ones(self.width)
    }

    fn zip(
        &self,
        other: &BitVec,
        word: impl Fn(u64, u64) -> u64,
        big: impl Fn(&BigUint, &BigUint) -> BigUint,
    ) -> BitVec {
        debug_assert_eq!(self.width, other.width);
        match (&self.bits, &other.bits) {
            (Bits::Word(a), Bits::Word(b)) => BitVec::from_u64(self.width, word(*a, *b)),
            _ => BitVec::from_big(self.width, &big(&self.to_big(), &other.to_big())),
        }
    }

    /// Bitwise complement.
    #[allow(clippy::should_implement_trait)]
    pub fn not(&self) -> BitVec {
        match &self.bits {
            Bits::Word(word) => BitVec::from_u64(self.width, !word),
            Bits::Wide(big) => BitVec::from_big(self.width, &(modulus_mask(self.width) - &**big)),
        }
    }

    /// Two's complement negation.
    #[allow(clippy::should_implement_trait)]
    pub fn neg(&self) -> BitVec {
        self.not().add(&BitVec::from_u64(self.width, 1))
    }

    /// Bitwise and.
    pub fn and(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a & b, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a | b, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// Sum modulo two to the width.
    #[allow(clippy::should_implement_trait)]
    pub fn add(&self, other: &BitVec) -> BitVec {
        self.zip(other, u64::wrapping_add, |a, b| a + b)
    }

    /// Product modulo two to the width.
    #[allow(clippy::should_implement_trait)]
    pub fn mul(&self, other: &BitVec) -> BitVec {
        self.zip(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// Unsigned quotient; all ones when the divisor is zero.
    pub fn udiv(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            return BitVec::ones(self.width);
        }
        self.zip(other, |a, b| a / b, |a, b| a / b)
    }

    /// Unsigned remainder; the dividend when the divisor is zero.
    pub fn urem(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            return self.clone();
        }
        self.zip(other, |a, b| a % b, |a, b| a % b)
    }

    fn magnitude(&self) -> BitVec {
        if self.sign() {
            self.neg()
        } else {
            self.clone()
        }
    }

    fn negated_if(self, negative: bool) -> BitVec {
        if negative { self.neg() } else { self }
    }

    /// Signed quotient, truncated toward zero, by SMT-LIB's definition from `udiv`.
    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        self.magnitude()
            .udiv(&other.magnitude())
            .negated_if(self.sign() != other.sign())
    }

    /// Signed remainder with the dividend's sign, from `urem`.
    pub fn srem(&self, other: &BitVec) -> BitVec {
        self.magnitude()
            .urem(&other.magnitude())
            .negated_if(self.sign())
    }

    /// Signed remainder with the divisor's sign, from `urem`.
    pub fn smod(&self, other: &BitVec) -> BitVec {
        let rest = self.magnitude().urem(&other.magnitude());
        if rest.is_zero() {
            return rest;
        }
        match (self.sign(), other.sign()) {
            (false, false) => rest,
            (true, false) => rest.neg().add(other),
            (false, true) => rest.add(other),
            (true, true) => rest.neg(),
        }
    }

    /// The shift amount, when it is less than the width.
    fn amount(&self) -> Option<u64> {
        self.to_u64().filter(|&n| n < u64::from(self.width))
    }

    /// Shift left; zero when the amount reaches the width.
    #[allow(clippy::should_implement_trait)]
    pub fn shl(&self, by: &BitVec) -> BitVec {
        match (by.amount(), &self.bits) {
            (None, _) => BitVec::zero(self.width),
            (Some(n), Bits::Word(word)) => BitVec::from_u64(self.width, word << n),
            (Some(n), Bits::Wide(big)) => BitVec::from_big(self.width, &(&**big << n)),
        }
    }

    /// Logical shift right; zero when the amount reaches the width.
    pub fn lshr(&self, by: &BitVec) -> BitVec {
        match (by.amount(), &self.bits) {
            (None, _) => BitVec::zero(self.width),
            (Some(n), Bits::Word(word)) => BitVec::from_u64(self.width, word >> n),
            (Some(n), Bits::Wide(big)) => BitVec::from_big(self.width, &(&**big >> n)),
        }
    }

    /// Arithmetic shift right; copies of the sign when the amount reaches the width.
    pub fn ashr(&self, by: &BitVec) -> BitVec {
        if self.sign() {
            self.not().lshr(by).not()
        } else {
            self.lshr(by)
        }
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &BitVec) -> BitVec {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Bits::Word(a), Bits::Word(b)) if width <= 64 => {
                BitVec::from_u64(width, a << low.width | b)
            }
            _ => BitVec::from_big(width, &((self.to_big() << low.width) | low.to_big())),
        }
    }

    /// The `width` bits from bit `low` upward.
    pub fn extract(&self, low: u16, width: u16) -> BitVec {
        match &self.bits {
            Bits::Word(word) => BitVec::from_u64(width, word >> low),
            Bits::Wide(big) => BitVec::from_big(width, &(&**big >> low)),
        }
    }

    /// Widened with zeros.
    pub fn zext(&self, width: u16) -> BitVec {
        match &self.bits {
            Bits::Word(word) => BitVec::from_u64(width, *word),
            Bits::Wide(big) => BitVec::from_big(width, big),
        }
    }

    /// Widened with copies of the sign.
    pub fn sext(&self, width: u16) -> BitVec {
        if self.sign() {
            self.not().zext(width).not()
        } else {
            self.zext(width)
        }
    }

    /// Unsigned less than.
    pub fn ult(&self, other: &BitVec) -> bool {
        match (&self.bits, &other.bits) {
            (Bits::Word(a), Bits::Word(b)) => a < b,
            _ => self.to_big() < other.to_big(),
        }
    }

    /// Signed less than.
    pub fn slt(&self, other: &BitVec) -> bool {
        match (self.sign(), other.sign()) {
            (true, false) => true,
            (false, true) => false,
            _ => self.ult(other),
        }
    }
}

fn modulus_mask(width: u16) -> BigUint {
    (BigUint::one() << width) - 1u32
}

/// Prints `0x2a:8`: the bits in hexadecimal, then the width.
impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}:{}", self.to_big(), self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_values_compute_as_narrow_ones_do() {
        // Width 4 embedded in the top of width 68: (x << 64) behaves like x for
        // addition, comparison and bitwise operations.
        let up = |x: u64| BitVec::from_u64(68, x).shl(&BitVec::from_u64(68, 64));
        for a in 0..16 {
            for b in 0..16 {
                let (x, y) = (BitVec::from_u64(4, a), BitVec::from_u64(4, b));
                let raise = |v: &BitVec| up(v.to_u64().unwrap());
                assert_eq!(up(a).add(&up(b)), raise(&x.add(&y)));
                assert_eq!(up(a).xor(&up(b)), raise(&x.xor(&y)));
                assert_eq!(up(a).ult(&up(b)), x.ult(&y));
                assert_eq!(up(a).slt(&up(b)), x.slt(&y));
                assert_eq!(x.sext(68).slt(&y.sext(68)), x.slt(&y));
                assert_eq!(x.sext(68).mul(&y.sext(68)).extract(0, 4), x.mul(&y));
                assert_eq!(x.zext(68).udiv(&y.zext(68)).extract(0, 4), x.udiv(&y));
                assert_eq!(x.zext(68).urem(&y.zext(68)).extract(0, 4), x.urem(&y));
                assert_eq!(x.sext(68).smod(&y.sext(68)).extract(0, 4), x.smod(&y));
            }
        }
    }

    #[test]
    fn signed_division_truncates_and_its_remainders_take_their_signs() {
        let v = |n: i64| BitVec::from_int(8, &BigInt::from(n));
        assert_eq!(v(-7).sdiv(&v(2)), v(-3));
        assert_eq!(v(-7).srem(&v(2)), v(-1));
        assert_eq!(v(-7).smod(&v(2)), v(1));
        assert_eq!(v(7).smod(&v(-2)), v(-1));
        assert_eq!(v(-128).sdiv(&v(-1)), v(-128));
        assert_eq!(v(5).sdiv(&v(0)), v(-1));
        assert_eq!(v(-5).sdiv(&v(0)), v(1));
    }
}
