//! IEEE 754 arithmetic as the standard's text defines it, on exact rationals.
//!
//! This exists to be obviously right, not fast: a result is the exact rational,
//! rounded by looking for its neighbours among the values of the format. It
//! shares no code with `term::fp`, which is checked against it, and so may be
//! the circuits a solver builds. To include it in a test of another crate, which
//! needs `num-bigint`, `num-integer`, `num-rational` and `num-traits` for it:
//!
//! ```text
//! #[path = "../../term/tests/support/fp_reference.rs"]
//! mod fp_reference;
//! ```
//!
//! Section numbers are those of IEEE 754-2019.

#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(
    clippy::wrong_self_convention,
    reason = "methods have the names of the functions they define"
)]

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use term::{FpFormat, RoundingMode};

/// The arithmetic of one format.
pub struct Reference {
    format: FpFormat,
    /// The number of every finite positive pattern, if they are few.
    numbers: Vec<BigRational>,
}

impl Reference {
    /// The arithmetic of this format.
    pub fn new(format: FpFormat) -> Reference {
        let mut reference = Reference {
            format,
            numbers: Vec::new(),
        };
        if format.width() <= 12 {
            let finite = 0..reference.infinity(false);
            reference.numbers = finite.map(|a| reference.compute_number(a)).collect();
        }
        reference
    }

    /// The format computed in.
    pub fn format(&self) -> FpFormat {
        self.format
    }

    /// Bits of the significand without the hidden one.
    fn stored(&self) -> u32 {
        u32::from(self.format.sb) - 1
    }

    /// The largest exponent, 3.3.
    fn emax(&self) -> i64 {
        (1 << (self.format.eb - 1)) - 1
    }

    fn sign_bit(&self) -> u128 {
        1 << (self.format.eb as u32 + self.stored())
    }

    fn fields(&self, a: u128) -> (bool, u128, u128) {
        let exponent = (a >> self.stored()) & ((1 << self.format.eb) - 1);
        let significand = a & ((1 << self.stored()) - 1);
        (a & self.sign_bit() != 0, exponent, significand)
    }

    fn sign(&self, a: u128) -> bool {
        self.fields(a).0
    }

    fn pack(&self, negative: bool, magnitude: u128) -> u128 {
        magnitude | if negative { self.sign_bit() } else { 0 }
    }

    /// The NaN.
    pub fn nan(&self) -> u128 {
        self.infinity(false) + (1 << (self.stored() - 1))
    }

    /// The infinity of this sign.
    pub fn infinity(&self, negative: bool) -> u128 {
        self.pack(negative, ((1 << self.format.eb) - 1) << self.stored())
    }

    /// The zero of this sign.
    pub fn zero(&self, negative: bool) -> u128 {
        self.pack(negative, 0)
    }

    /// Any NaN as the NaN, anything else as it is.
    pub fn canonical(&self, a: u128) -> u128 {
        if self.is_nan(a) { self.nan() } else { a }
    }

    /// 5.7.2 isNaN.
    pub fn is_nan(&self, a: u128) -> bool {
        let (_, exponent, significand) = self.fields(a);
        exponent == (1 << self.format.eb) - 1 && significand != 0
    }

    /// 5.7.2 isInfinite.
    pub fn is_infinite(&self, a: u128) -> bool {
        let (_, exponent, significand) = self.fields(a);
        exponent == (1 << self.format.eb) - 1 && significand == 0
    }

    /// 5.7.2 isZero.
    pub fn is_zero(&self, a: u128) -> bool {
        let (_, exponent, significand) = self.fields(a);
        exponent == 0 && significand == 0
    }

    /// 5.7.2 isSubnormal.
    pub fn is_subnormal(&self, a: u128) -> bool {
        let (_, exponent, significand) = self.fields(a);
        exponent == 0 && significand != 0
    }

    /// 5.7.2 isNormal.
    pub fn is_normal(&self, a: u128) -> bool {
        let (_, exponent, _) = self.fields(a);
        exponent != 0 && exponent != (1 << self.format.eb) - 1
    }

    /// SMT-LIB's `fp.isNegative`.
    pub fn is_negative(&self, a: u128) -> bool {
        self.sign(a) && !self.is_nan(a)
    }

    /// SMT-LIB's `fp.isPositive`.
    pub fn is_positive(&self, a: u128) -> bool {
        !self.sign(a) && !self.is_nan(a)
    }

    /// The number `a` is, 3.4; `None` for NaN and the infinities.
    pub fn to_rational(&self, a: u128) -> Option<BigRational> {
        if self.is_nan(a) || self.is_infinite(a) {
            return None;
        }
        let magnitude = self.number(a & (self.sign_bit() - 1));
        Some(if self.sign(a) { -magnitude } else { magnitude })
    }

    /// The number of a positive finite pattern.
    fn number(&self, magnitude: u128) -> BigRational {
        let known = usize::try_from(magnitude).ok();
        match known.and_then(|index| self.numbers.get(index)) {
            Some(number) => number.clone(),
            None => self.compute_number(magnitude),
        }
    }

    fn compute_number(&self, magnitude: u128) -> BigRational {
        let (_, exponent, significand) = self.fields(magnitude);
        let (hidden, exponent) = match exponent {
            0 => (0, 1 - self.emax()),
            _ => (1u128 << self.stored(), exponent as i64 - self.emax()),
        };
        scaled(hidden + significand, exponent - i64::from(self.stored()))
    }

    /// 4.3: rounds the magnitude of which `exact` tells how it compares to a
    /// given one; a magnitude that rounds to zero keeps its sign.
    fn round_magnitude(
        &self,
        rm: RoundingMode,
        negative: bool,
        exact: impl Fn(&BigRational) -> Ordering,
    ) -> u128 {
        // Positive patterns are in the order of their numbers: the neighbours are
        // the last pattern whose number is not above, and the one after it.
        let infinity = self.infinity(false);
        let (mut below, mut above) = (0, infinity);
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            match exact(&self.number(middle)) {
                Ordering::Less => above = middle,
                Ordering::Equal | Ordering::Greater => below = middle,
            }
        }
        let lower = self.number(below);
        if exact(&lower) == Ordering::Equal {
            return self.pack(negative, below);
        }
        // What 4.3.1 gives as the least magnitude rounded to infinity is half-way
        // to where the next number would be if exponents had no bound.
        let upper = if above == infinity {
            scaled(1, self.emax() + 1)
        } else {
            self.number(above)
        };
        let half_way = exact(&((lower + upper) / BigInt::from(2)));
        let magnitude = match (rm, half_way) {
            (RoundingMode::TowardZero, _) => below,
            (RoundingMode::TowardPositive, _) if negative => below,
            (RoundingMode::TowardPositive, _) => above,
            (RoundingMode::TowardNegative, _) if negative => above,
            (RoundingMode::TowardNegative, _) => below,
            (_, Ordering::Less) => below,
            (_, Ordering::Greater) => above,
            (RoundingMode::NearestAway, Ordering::Equal) => above,
            (RoundingMode::NearestEven, Ordering::Equal) if above == infinity => above,
            (RoundingMode::NearestEven, Ordering::Equal) if below % 2 == 0 => below,
            (RoundingMode::NearestEven, Ordering::Equal) => above,
        };
        self.pack(negative, magnitude)
    }

    /// Rounds a number, of which an exact zero gets the given sign.
    fn round(&self, rm: RoundingMode, exact: &BigRational, zero_negative: bool) -> u128 {
        if exact.is_zero() {
            return self.zero(zero_negative);
        }
        let magnitude = exact.abs();
        self.round_magnitude(rm, exact.is_negative(), |number| magnitude.cmp(number))
    }

    /// 5.4.1 addition.
    pub fn add(&self, rm: RoundingMode, a: u128, b: u128) -> u128 {
        match (self.to_rational(a), self.to_rational(b)) {
            (Some(x), Some(y)) => self.round(rm, &(x + y), self.sum_zero_sign(rm, a, b)),
            _ if self.is_nan(a) || self.is_nan(b) => self.nan(),
            (None, None) if self.sign(a) != self.sign(b) => self.nan(),
            (None, _) => a,
            (_, None) => b,
        }
    }

    /// 6.3: the sign of a sum that is exactly zero.
    fn sum_zero_sign(&self, rm: RoundingMode, a: u128, b: u128) -> bool {
        if self.sign(a) == self.sign(b) {
            self.sign(a)
        } else {
            rm == RoundingMode::TowardNegative
        }
    }

    /// 5.4.1 subtraction.
    pub fn sub(&self, rm: RoundingMode, a: u128, b: u128) -> u128 {
        self.add(rm, a, self.neg(b))
    }

    /// 5.4.1 multiplication.
    pub fn mul(&self, rm: RoundingMode, a: u128, b: u128) -> u128 {
        let negative = self.sign(a) != self.sign(b);
        match (self.to_rational(a), self.to_rational(b)) {
            (Some(x), Some(y)) => self.round(rm, &(x * y), negative),
            _ if self.is_nan(a) || self.is_nan(b) => self.nan(),
            _ if self.is_zero(a) || self.is_zero(b) => self.nan(),
            _ => self.infinity(negative),
        }
    }

    /// 5.4.1 division.
    pub fn div(&self, rm: RoundingMode, a: u128, b: u128) -> u128 {
        let negative = self.sign(a) != self.sign(b);
        match (self.to_rational(a), self.to_rational(b)) {
            _ if self.is_nan(a) || self.is_nan(b) => self.nan(),
            (None, None) => self.nan(),
            (None, Some(_)) => self.infinity(negative),
            (Some(_), None) => self.zero(negative),
            (Some(x), Some(y)) if x.is_zero() && y.is_zero() => self.nan(),
            (Some(_), Some(y)) if y.is_zero() => self.infinity(negative),
            (Some(x), Some(y)) => self.round(rm, &(x / y), negative),
        }
    }

    /// 5.4.1 fusedMultiplyAdd.
    pub fn fma(&self, rm: RoundingMode, a: u128, b: u128, c: u128) -> u128 {
        let product_sign = self.zero(self.sign(a) != self.sign(b));
        match (
            self.to_rational(a),
            self.to_rational(b),
            self.to_rational(c),
        ) {
            (Some(x), Some(y), Some(z)) => {
                let zero_negative = self.sum_zero_sign(rm, product_sign, c);
                self.round(rm, &(x * y + z), zero_negative)
            }
            (Some(_), Some(_), None) => self.canonical(c),
            // The product is infinite or invalid, and so is exact without rounding.
            _ => self.add(rm, self.mul(rm, a, b), c),
        }
    }

    /// 5.4.1 squareRoot.
    pub fn sqrt(&self, rm: RoundingMode, a: u128) -> u128 {
        match self.to_rational(a) {
            Some(x) if x.is_zero() => a,
            Some(x) if x.is_negative() => self.nan(),
            Some(x) => self.round_magnitude(rm, false, |root| x.cmp(&(root * root))),
            None if self.is_nan(a) || self.sign(a) => self.nan(),
            None => a,
        }
    }

    /// 5.3.1 remainder.
    pub fn rem(&self, a: u128, b: u128) -> u128 {
        match (self.to_rational(a), self.to_rational(b)) {
            _ if self.is_nan(a) || self.is_nan(b) => self.nan(),
            (None, _) => self.nan(),
            (_, Some(y)) if y.is_zero() => self.nan(),
            (_, None) => a,
            (Some(x), Some(y)) => {
                let n = integral(RoundingMode::NearestEven, &(&x / &y));
                let remainder = x - y * n;
                self.round(RoundingMode::TowardZero, &remainder, self.sign(a))
            }
        }
    }

    /// 5.3.1 roundToIntegral.
    pub fn round_to_integral(&self, rm: RoundingMode, a: u128) -> u128 {
        match self.to_rational(a) {
            None => self.canonical(a),
            Some(x) => {
                let integer = BigRational::from_integer(integral(rm, &x));
                self.round(rm, &integer, self.sign(a))
            }
        }
    }

    /// SMT-LIB's `fp.min`, choosing `-0` of two zeros.
    pub fn min(&self, a: u128, b: u128) -> u128 {
        if self.is_zero(a) && self.is_zero(b) {
            return self.zero(self.sign(a) || self.sign(b));
        }
        if self.is_nan(a) || self.lt(b, a) {
            self.canonical(b)
        } else {
            a
        }
    }

    /// SMT-LIB's `fp.max`, choosing `+0` of two zeros.
    pub fn max(&self, a: u128, b: u128) -> u128 {
        if self.is_zero(a) && self.is_zero(b) {
            return self.zero(self.sign(a) && self.sign(b));
        }
        if self.is_nan(a) || self.lt(a, b) {
            self.canonical(b)
        } else {
            a
        }
    }

    /// SMT-LIB's `fp.abs`.
    pub fn abs(&self, a: u128) -> u128 {
        self.canonical(if self.sign(a) { a - self.sign_bit() } else { a })
    }

    /// SMT-LIB's `fp.neg`.
    pub fn neg(&self, a: u128) -> u128 {
        self.canonical(if self.sign(a) {
            a - self.sign_bit()
        } else {
            a + self.sign_bit()
        })
    }

    /// 5.11: how two compare, unless they are unordered.
    fn compare(&self, a: u128, b: u128) -> Option<Ordering> {
        let infinity = |x| if self.sign(x) { -1 } else { 1 };
        match (self.to_rational(a), self.to_rational(b)) {
            _ if self.is_nan(a) || self.is_nan(b) => None,
            (Some(x), Some(y)) => Some(x.cmp(&y)),
            (None, None) => Some(infinity(a).cmp(&infinity(b))),
            (None, Some(_)) => Some(infinity(a).cmp(&0)),
            (Some(_), None) => Some(0.cmp(&infinity(b))),
        }
    }

    /// 5.11 compareQuietEqual.
    pub fn eq(&self, a: u128, b: u128) -> bool {
        self.compare(a, b) == Some(Ordering::Equal)
    }

    /// 5.11 compareQuietLess.
    pub fn lt(&self, a: u128, b: u128) -> bool {
        self.compare(a, b) == Some(Ordering::Less)
    }

    /// 5.11 compareQuietLessEqual.
    pub fn le(&self, a: u128, b: u128) -> bool {
        matches!(self.compare(a, b), Some(Ordering::Less | Ordering::Equal))
    }

    /// 5.4.2 convertFormat, from this format to another.
    pub fn convert(&self, to: &Reference, rm: RoundingMode, a: u128) -> u128 {
        match self.to_rational(a) {
            Some(x) => to.round(rm, &x, self.sign(a)),
            None if self.is_nan(a) => to.nan(),
            None => to.infinity(self.sign(a)),
        }
    }

    /// 5.4.1 convertFromInt.
    pub fn from_int(&self, rm: RoundingMode, value: &BigInt) -> u128 {
        self.from_rational(rm, &BigRational::from_integer(value.clone()))
    }

    /// SMT-LIB's `to_fp` of a real.
    pub fn from_rational(&self, rm: RoundingMode, value: &BigRational) -> u128 {
        self.round(rm, value, false)
    }

    /// 5.8, without a bound on the integer.
    pub fn to_int(&self, rm: RoundingMode, a: u128) -> Option<BigInt> {
        Some(integral(rm, &self.to_rational(a)?))
    }

    /// 5.8 to an unsigned integer; out of range gives the nearest in it, NaN 0.
    pub fn to_unsigned(&self, rm: RoundingMode, a: u128, width: u32) -> BigUint {
        let high = (BigInt::one() << width) - 1;
        let result = self.to_int_between(rm, a, BigInt::zero(), high);
        result.to_biguint().expect("zero is the lower bound")
    }

    /// 5.8 to a signed integer; out of range gives the nearest in it, NaN 0.
    pub fn to_signed(&self, rm: RoundingMode, a: u128, width: u32) -> BigInt {
        let half = BigInt::one() << (width - 1);
        self.to_int_between(rm, a, -&half, half - 1)
    }

    fn to_int_between(&self, rm: RoundingMode, a: u128, low: BigInt, high: BigInt) -> BigInt {
        match self.to_int(rm, a) {
            Some(integer) if integer < low => low,
            Some(integer) if integer > high => high,
            Some(integer) => integer,
            None if self.is_nan(a) => BigInt::zero(),
            None if self.sign(a) => low,
            None => high,
        }
    }
}

/// `significand * 2^exponent`.
fn scaled(significand: u128, exponent: i64) -> BigRational {
    if significand == 0 {
        return BigRational::zero();
    }
    // With an odd significand the fraction is in lowest terms as it is.
    let zeros = significand.trailing_zeros();
    let odd = BigInt::from(significand >> zeros);
    let exponent = exponent + i64::from(zeros);
    if exponent < 0 {
        BigRational::new_raw(odd, BigInt::one() << -exponent)
    } else {
        BigRational::from_integer(odd << exponent)
    }
}

/// 5.9: the integer that `x` rounds to.
fn integral(rm: RoundingMode, x: &BigRational) -> BigInt {
    let floor = x.numer().div_floor(x.denom());
    if x.is_integer() {
        return floor;
    }
    let ceiling = &floor + 1;
    let half = BigRational::new(BigInt::one(), BigInt::from(2));
    let to_half = (x - BigRational::from_integer(floor.clone())).cmp(&half);
    match (rm, to_half) {
        (RoundingMode::TowardNegative, _) => floor,
        (RoundingMode::TowardPositive, _) => ceiling,
        (RoundingMode::TowardZero, _) if x.is_negative() => ceiling,
        (RoundingMode::TowardZero, _) => floor,
        (_, Ordering::Less) => floor,
        (_, Ordering::Greater) => ceiling,
        (RoundingMode::NearestAway, Ordering::Equal) if x.is_negative() => floor,
        (RoundingMode::NearestAway, Ordering::Equal) => ceiling,
        (RoundingMode::NearestEven, Ordering::Equal) if floor.is_even() => floor,
        (RoundingMode::NearestEven, Ordering::Equal) => ceiling,
    }
}
