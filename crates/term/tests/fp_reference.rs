//! `term::fp` against the standard's definition and against the hardware.
//!
//! Formats small enough to list are checked on every operand in every rounding
//! mode; the formats people use are checked on samples that lean to the edges.
//! The machine's own arithmetic is a second judge for `float` and `double`, and
//! it judges the general path, not the shortcut through itself.

#[path = "support/fp_reference.rs"]
mod fp_reference;

use base::Random;
use fp_reference::Reference;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use term::fp::{self, general};
use term::{FpFormat, RoundingMode};

/// Formats whose every value, and pair of values, can be tried. The last two
/// have integers they round to but cannot hold, and the fewest bits there are.
const SMALL: [FpFormat; 4] = [
    FpFormat { eb: 3, sb: 4 },
    FpFormat { eb: 4, sb: 3 },
    FpFormat { eb: 2, sb: 5 },
    FpFormat { eb: 2, sb: 2 },
];

/// Formats people use, and two at the ends of what a format may be.
const LARGE: [FpFormat; 7] = [
    FpFormat::HALF,
    FpFormat::SINGLE,
    FpFormat::DOUBLE,
    FpFormat::X87,
    FpFormat::QUAD,
    FpFormat { eb: 7, sb: 62 },
    FpFormat { eb: 5, sb: 113 },
];

fn patterns(f: FpFormat) -> std::ops::Range<u128> {
    0..1 << f.width()
}

fn pairs(f: FpFormat) -> impl Iterator<Item = (u128, u128)> {
    patterns(f).flat_map(move |a| patterns(f).map(move |b| (a, b)))
}

/// A fixed sequence of numbers without a visible pattern.
struct Sequence(Random);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound as usize) as u64
    }

    fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A value of the format, often close to an edge of it or to `other`.
    fn value(&mut self, f: FpFormat, other: u128) -> u128 {
        let stored = u32::from(f.sb) - 1;
        let sign = u128::from(self.below(2)) << (f.width() - 1);
        let infinity = fp::infinity(f, false);
        let one = (f.bias() as u128) << stored;
        let nearby = u128::from(self.below(4));
        let magnitude = match self.below(12) {
            0 => nearby,
            1 => (1 << stored) - 2 + nearby,
            2 => infinity - 2 + nearby.min(3),
            3 => one - 2 + nearby,
            // Few bits, which make ties.
            4 | 5 => {
                let exponent = one + (u128::from(self.below(2 * u64::from(f.sb))) << stored);
                exponent.min(infinity) | u128::from(self.below(8)) << stored.saturating_sub(3)
            }
            // Close to the other operand, which cancels.
            6 => (other & (infinity | (infinity - 1))).wrapping_add(nearby),
            // An exponent around that of the other, which overlaps or just does not.
            7 | 8 => {
                let reach = u64::from(f.sb) + 3;
                let delta = u128::from(self.below(reach)) << stored;
                let exponent = other & infinity;
                let exponent = if self.below(2) == 0 {
                    exponent.saturating_sub(delta)
                } else {
                    (exponent + delta).min(infinity)
                };
                exponent | self.bits() & ((1 << stored) - 1)
            }
            // An exponent around zero.
            9 => {
                let exponent = one - (u128::from(self.below(f.bias() as u64)).min(200) << stored);
                exponent | self.bits() & ((1 << stored) - 1)
            }
            _ => self.bits(),
        };
        sign | magnitude & ((1 << (f.width() - 1)) - 1)
    }

    fn mode(&mut self) -> RoundingMode {
        RoundingMode::ALL[self.below(5) as usize]
    }
}

/// Fails with everything needed to try the case again.
#[track_caller]
fn same<T: PartialEq + std::fmt::Debug>(ours: T, theirs: T, case: impl std::fmt::Debug) {
    assert!(
        ours == theirs,
        "{case:x?}: computed {ours:x?}, expected {theirs:x?}"
    );
}

#[test]
fn every_value_has_the_class_and_number_of_the_definition() {
    for f in SMALL {
        let reference = Reference::new(f);
        assert_eq!(fp::nan(f), reference.nan());
        for negative in [false, true] {
            assert_eq!(fp::infinity(f, negative), reference.infinity(negative));
            assert_eq!(fp::zero(f, negative), reference.zero(negative));
        }
        for a in patterns(f) {
            let case = (f, a);
            same(fp::canonical(f, a), reference.canonical(a), case);
            same(fp::is_nan(f, a), reference.is_nan(a), case);
            same(fp::is_infinite(f, a), reference.is_infinite(a), case);
            same(fp::is_zero(f, a), reference.is_zero(a), case);
            same(fp::is_subnormal(f, a), reference.is_subnormal(a), case);
            same(fp::is_normal(f, a), reference.is_normal(a), case);
            same(fp::is_negative(f, a), reference.is_negative(a), case);
            same(fp::is_positive(f, a), reference.is_positive(a), case);
            same(fp::abs(f, a), reference.abs(a), case);
            same(fp::neg(f, a), reference.neg(a), case);
            same(fp::to_rational(f, a), reference.to_rational(a), case);
        }
    }
}

#[test]
fn comparison_and_remainder_follow_the_definition_on_every_pair() {
    for f in SMALL {
        let reference = Reference::new(f);
        for (a, b) in pairs(f) {
            let case = (f, a, b);
            same(fp::eq(f, a, b), reference.eq(a, b), case);
            same(fp::lt(f, a, b), reference.lt(a, b), case);
            same(fp::le(f, a, b), reference.le(a, b), case);
            same(fp::min(f, a, b), reference.min(a, b), case);
            same(fp::max(f, a, b), reference.max(a, b), case);
            same(fp::rem(f, a, b), reference.rem(a, b), case);
        }
    }
}

#[test]
fn arithmetic_follows_the_definition_on_every_pair_in_every_mode() {
    for f in SMALL {
        let reference = Reference::new(f);
        for rm in RoundingMode::ALL {
            for (a, b) in pairs(f) {
                let case = (f, rm, a, b);
                same(fp::add(f, rm, a, b), reference.add(rm, a, b), case);
                same(fp::sub(f, rm, a, b), reference.sub(rm, a, b), case);
                same(fp::mul(f, rm, a, b), reference.mul(rm, a, b), case);
                same(fp::div(f, rm, a, b), reference.div(rm, a, b), case);
            }
        }
    }
}

#[test]
fn roots_and_integral_values_follow_the_definition_in_every_mode() {
    for f in SMALL.into_iter().chain([FpFormat { eb: 5, sb: 7 }]) {
        let reference = Reference::new(f);
        for rm in RoundingMode::ALL {
            for a in patterns(f) {
                let case = (f, rm, a);
                same(fp::sqrt(f, rm, a), reference.sqrt(rm, a), case);
                let integral = fp::round_to_integral(f, rm, a);
                same(integral, reference.round_to_integral(rm, a), case);
            }
        }
    }
}

#[test]
fn fused_multiply_add_follows_the_definition() {
    for f in SMALL {
        let reference = Reference::new(f);
        let mut sequence = Sequence(Random::new(0x9e37_79b9));
        for _ in 0..100_000 {
            let [a, b, c] = [(); 3].map(|()| sequence.bits() & (patterns(f).end - 1));
            let rm = sequence.mode();
            let case = (f, rm, a, b, c);
            same(fp::fma(f, rm, a, b, c), reference.fma(rm, a, b, c), case);
        }
    }
}

#[test]
fn conversions_between_formats_follow_the_definition_in_every_mode() {
    for from in SMALL {
        for to in SMALL {
            let (source, target) = (Reference::new(from), Reference::new(to));
            for rm in RoundingMode::ALL {
                for a in patterns(from) {
                    let expected = source.convert(&target, rm, a);
                    same(fp::convert(from, to, rm, a), expected, (from, to, rm, a));
                }
            }
        }
    }
}

#[test]
fn conversions_to_integers_follow_the_definition_in_every_mode() {
    for f in SMALL {
        let reference = Reference::new(f);
        for rm in RoundingMode::ALL {
            for a in patterns(f) {
                same(fp::to_int(f, rm, a), reference.to_int(rm, a), (f, rm, a));
                for width in 1..=8 {
                    let case = (f, rm, a, width);
                    let unsigned = fp::to_unsigned(f, rm, a, width);
                    same(unsigned, reference.to_unsigned(rm, a, width), case);
                    let signed = fp::to_signed(f, rm, a, width);
                    same(signed, reference.to_signed(rm, a, width), case);
                }
            }
        }
    }
}

#[test]
fn conversions_from_integers_and_fractions_follow_the_definition_in_every_mode() {
    for f in SMALL {
        let reference = Reference::new(f);
        for rm in RoundingMode::ALL {
            for numerator in -300..=300 {
                let integer = BigInt::from(numerator);
                let expected = reference.from_int(rm, &integer);
                same(fp::from_int(f, rm, &integer), expected, (f, rm, numerator));
                for denominator in [3, 7, 16, 64, 100, 1 << 12] {
                    let fraction = BigRational::new(integer.clone(), denominator.into());
                    let expected = reference.from_rational(rm, &fraction);
                    let case = (f, rm, numerator, denominator);
                    same(fp::from_rational(f, rm, &fraction), expected, case);
                }
            }
        }
    }
}

#[test]
fn large_formats_follow_the_definition_on_a_sample() {
    let narrower = [FpFormat::HALF, FpFormat::SINGLE].map(Reference::new);
    for f in LARGE {
        let reference = Reference::new(f);
        let mut sequence = Sequence(Random::new(0xb529_7a4d));
        for _ in 0..200 {
            let a = sequence.value(f, 0);
            let b = sequence.value(f, a);
            let c = sequence.value(f, fp::mul(f, RoundingMode::NearestEven, a, b));
            let rm = sequence.mode();
            let case = (f, rm, a, b, c);
            same(fp::add(f, rm, a, b), reference.add(rm, a, b), case);
            same(fp::sub(f, rm, a, b), reference.sub(rm, a, b), case);
            same(fp::mul(f, rm, a, b), reference.mul(rm, a, b), case);
            same(fp::div(f, rm, a, b), reference.div(rm, a, b), case);
            same(fp::fma(f, rm, a, b, c), reference.fma(rm, a, b, c), case);
            // An addend that removes, all but a little, what the product loses.
            let product = reference.mul(RoundingMode::NearestEven, a, b);
            let error = reference.fma(RoundingMode::NearestEven, a, b, reference.neg(product));
            let c = reference.neg(error) ^ u128::from(sequence.below(3));
            let case = (f, rm, a, b, c);
            same(fp::fma(f, rm, a, b, c), reference.fma(rm, a, b, c), case);
            same(fp::sqrt(f, rm, a), reference.sqrt(rm, a), case);
            same(fp::rem(f, a, b), reference.rem(a, b), case);
            same(fp::lt(f, a, b), reference.lt(a, b), case);
            same(fp::to_int(f, rm, a), reference.to_int(rm, a), case);
            let integral = fp::round_to_integral(f, rm, a);
            same(integral, reference.round_to_integral(rm, a), case);
            for target in &narrower {
                let to = target.format();
                let expected = reference.convert(target, rm, a);
                same(fp::convert(f, to, rm, a), expected, (case, to));
            }
        }
    }
}

#[test]
fn an_addend_at_the_edge_of_the_product_decides_its_rounding() {
    for f in [FpFormat::DOUBLE, FpFormat::X87, FpFormat::QUAD] {
        let reference = Reference::new(f);
        let stored = u32::from(f.sb) - 1;
        let power = |exponent: i32| ((f.bias() + exponent) as u128) << stored;
        let factors = [0, 1, 1 << (stored - 1), (1 << stored) - 1].map(|x| power(0) | x);
        let precision = i32::from(f.sb);
        let edges = [-2, -1, 0, 1, 2].map(|edge| edge * precision);
        let exponents = edges.into_iter().flat_map(|edge| edge - 2..=edge + 2);
        for exponent in exponents {
            for (i, &a) in factors.iter().enumerate() {
                for &b in &factors[i..] {
                    for c in [power(exponent), fp::neg(f, power(exponent) + 1)] {
                        for c in [c, fp::neg(f, c)] {
                            for rm in RoundingMode::ALL {
                                let expected = reference.fma(rm, a, b, c);
                                same(fp::fma(f, rm, a, b, c), expected, (f, rm, a, b, c));
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn large_formats_round_integers_and_fractions_beyond_their_precision() {
    for f in LARGE {
        let reference = Reference::new(f);
        let mut sequence = Sequence(Random::new(0x1357));
        for _ in 0..1000 {
            // A power of two and a bit somewhere below it, up to just out of sight.
            let top = sequence.below(200);
            let small = BigInt::one() << sequence.below(top + 1);
            let large = BigInt::one() << top;
            let integer = match sequence.below(4) {
                0 => large + small,
                1 => large - small,
                2 => -large - small,
                _ => small - large,
            };
            let rm = sequence.mode();
            let expected = reference.from_int(rm, &integer);
            same(fp::from_int(f, rm, &integer), expected, (f, rm, &integer));

            let third = BigInt::from(3).pow(sequence.below(120) as u32);
            let scale = BigInt::one() << sequence.below(220);
            for fraction in [
                BigRational::new(integer.clone(), third.clone()),
                BigRational::new(integer.clone(), scale.clone()),
                BigRational::from_integer(integer.clone())
                    + BigRational::new(BigInt::one(), scale * third),
            ] {
                let expected = reference.from_rational(rm, &fraction);
                let case = (f, rm, &fraction);
                same(fp::from_rational(f, rm, &fraction), expected, case);
            }
        }
    }
}

/// The general path of every operation the hardware has, judged by it.
macro_rules! check_against_hardware {
    ($f:expr, $float:ty, $bits:ty, $samples:expr) => {
        let f: FpFormat = $f;
        let rm = RoundingMode::NearestEven;
        let mut sequence = Sequence(Random::new(0x1234_5678_9abc_def1));
        let mut b = 0;
        for _ in 0..$samples {
            let a = sequence.value(f, b);
            b = sequence.value(f, a);
            let float = |bits: u128| <$float>::from_bits(bits as $bits);
            let packed = |x: $float| fp::canonical(f, x.to_bits().into());
            let (x, y) = (float(a), float(b));
            let case = (f, a, b);

            same(general::add(f, rm, a, b), packed(x + y), case);
            same(general::sub(f, rm, a, b), packed(x - y), case);
            same(general::mul(f, rm, a, b), packed(x * y), case);
            same(general::div(f, rm, a, b), packed(x / y), case);
            same(general::sqrt(f, rm, a), packed(x.sqrt()), case);
            let c = sequence.value(f, packed(x * y));
            let fused = packed(x.mul_add(y, float(c)));
            same(general::fma(f, rm, a, b, c), fused, (f, a, b, c));

            same(fp::add(f, rm, a, b), packed(x + y), case);
            same(fp::sub(f, rm, a, b), packed(x - y), case);
            same(fp::mul(f, rm, a, b), packed(x * y), case);
            same(fp::div(f, rm, a, b), packed(x / y), case);
            same(fp::sqrt(f, rm, a), packed(x.sqrt()), case);
            same(fp::fma(f, rm, a, b, c), fused, (f, a, b, c));

            same(fp::eq(f, a, b), x == y, case);
            same(fp::lt(f, a, b), x < y, case);
            same(fp::le(f, a, b), x <= y, case);

            let integral = |rm| fp::round_to_integral(f, rm, a);
            let case = (f, a);
            same(
                integral(RoundingMode::NearestEven),
                packed(x.round_ties_even()),
                case,
            );
            same(integral(RoundingMode::NearestAway), packed(x.round()), case);
            same(
                integral(RoundingMode::TowardPositive),
                packed(x.ceil()),
                case,
            );
            same(
                integral(RoundingMode::TowardNegative),
                packed(x.floor()),
                case,
            );
            same(integral(RoundingMode::TowardZero), packed(x.trunc()), case);

            let truncate = RoundingMode::TowardZero;
            let unsigned = |width| fp::to_unsigned(f, truncate, a, width).to_u64();
            let signed = |width| fp::to_signed(f, truncate, a, width).to_i64();
            same(unsigned(32), Some((x as u32).into()), case);
            same(unsigned(64), Some(x as u64), case);
            same(signed(32), Some((x as i32).into()), case);
            same(signed(64), Some(x as i64), case);

            // Around a power of two, where integers tie between two floats.
            let near = 1u64 << sequence.below(64);
            for i in [
                sequence.next() >> sequence.below(64),
                near.wrapping_add(near >> sequence.below(64))
                    .wrapping_sub(sequence.below(3)),
            ] {
                let from = |value: BigInt| fp::from_int(f, rm, &value);
                same(from(i.into()), packed(i as $float), i);
                same(from((i as i64).into()), packed(i as i64 as $float), i);
                same(from((i as u32).into()), packed(i as u32 as $float), i);
                same(from((i as i32).into()), packed(i as i32 as $float), i);
            }
        }
    };
}

#[test]
fn single_precision_agrees_with_the_hardware() {
    check_against_hardware!(FpFormat::SINGLE, f32, u32, 200_000);
}

#[test]
fn double_precision_agrees_with_the_hardware() {
    check_against_hardware!(FpFormat::DOUBLE, f64, u64, 200_000);
}

#[test]
fn conversions_between_single_and_double_agree_with_the_hardware() {
    let (single, double) = (FpFormat::SINGLE, FpFormat::DOUBLE);
    let mut sequence = Sequence(Random::new(0xfeed));
    for _ in 0..200_000 {
        let rm = sequence.mode();
        let a = sequence.value(single, 0);
        let wide = f64::from(f32::from_bits(a as u32));
        let wide = fp::canonical(double, wide.to_bits().into());
        same(general::convert(single, double, rm, a), wide, a);
        same(fp::convert(single, double, rm, a), wide, a);

        // A double close to a single, half-way between two, or anything.
        let nudge = sequence.below(3) + (sequence.below(2) << 28);
        let b = match sequence.below(3) {
            0 => sequence.value(double, 0),
            _ => u128::from((wide as u64).wrapping_add(nudge).wrapping_sub(1)),
        };
        let rm = RoundingMode::NearestEven;
        let narrow = f64::from_bits(b as u64) as f32;
        let narrow = fp::canonical(single, narrow.to_bits().into());
        same(general::convert(double, single, rm, b), narrow, b);
        same(fp::convert(double, single, rm, b), narrow, b);
    }
}

#[test]
fn exponents_far_apart_change_a_sum_by_its_rounding_only() {
    for f in [FpFormat { eb: 20, sb: 108 }, FpFormat { eb: 20, sb: 24 }] {
        let one = fp::from_int(f, RoundingMode::NearestEven, &BigInt::one());
        let largest = fp::infinity(f, false) - 1;
        let minus_tiny = fp::zero(f, true) | 1;
        for rm in RoundingMode::ALL {
            let up = u128::from(rm == RoundingMode::TowardPositive);
            let down = u128::from(matches!(
                rm,
                RoundingMode::TowardNegative | RoundingMode::TowardZero
            ));
            assert_eq!(fp::add(f, rm, one, 1), one + up);
            assert_eq!(fp::add(f, rm, minus_tiny, one), one - down);
            assert_eq!(fp::add(f, rm, largest, minus_tiny), largest - down);
            assert_eq!(fp::fma(f, rm, one, one, 1), one + up);
            assert_eq!(fp::fma(f, rm, one, one, minus_tiny), one - down);
            assert_eq!(fp::fma(f, rm, 1, 1, one), one + up);
            assert_eq!(fp::fma(f, rm, 1, minus_tiny, one), one - down);
            assert_eq!(fp::fma(f, rm, 1, minus_tiny, largest), largest - down);
        }
    }
}

#[test]
fn exponents_far_apart_leave_a_remainder_that_makes_up_a_multiple() {
    let f = FpFormat { eb: 20, sb: 108 };
    let stored = u32::from(f.sb) - 1;
    let hidden = 1u128 << stored;
    let mut sequence = Sequence(Random::new(0xabcd));
    for _ in 0..20 {
        // Of patterns with one exponent the numbers are the significands, scaled.
        let divisor = sequence.bits() % hidden;
        let dividend = sequence.bits() % hidden;
        let gap = 1_000_000 - u128::from(sequence.below(1000));
        let a = (1 + gap) << stored | dividend;
        let b = 1 << stored | divisor;
        let result = fp::rem(f, a, b);
        let remainder = fp::to_rational(f, result).expect("both were finite")
            / fp::to_rational(f, 1).expect("finite");
        assert!(remainder.is_integer());
        let remainder = remainder.to_integer();

        let modulus = BigUint::from(hidden | divisor);
        let scale = BigUint::from(2u8).modpow(&gap.into(), &modulus);
        let exact = BigInt::from(scale * (hidden | dividend));
        let modulus = BigInt::from(modulus);
        assert!(((exact - &remainder) % &modulus).is_zero());
        assert!(remainder.magnitude() * 2u8 <= *modulus.magnitude());
    }
}

#[test]
fn every_nan_pattern_and_any_bits_above_the_format_are_understood() {
    let rm = RoundingMode::NearestEven;
    for f in [FpFormat::SINGLE, FpFormat::DOUBLE, FpFormat::X87] {
        let one = fp::from_int(f, rm, &BigInt::one());
        let two = fp::from_int(f, rm, &BigInt::from(2));
        let above = !0 << f.width();
        assert_eq!(fp::add(f, rm, one | above, one), two);
        assert_eq!(fp::canonical(f, one | above), one);
        assert_eq!(fp::neg(f, fp::neg(f, one | above)), one);
        assert!(fp::eq(f, one | above, one));
        for nan in [fp::infinity(f, true) + 1, fp::infinity(f, false) + 1, !0] {
            assert_eq!(fp::canonical(f, nan), fp::nan(f));
            assert_eq!(fp::add(f, rm, nan, one), fp::nan(f));
            assert_eq!(fp::fma(f, rm, one, one, nan), fp::nan(f));
            assert_eq!(fp::neg(f, nan), fp::nan(f));
            assert_eq!(fp::min(f, nan, one), one);
            assert_eq!(fp::max(f, one, nan), one);
            assert_eq!(fp::max(f, nan, nan), fp::nan(f));
            assert_eq!(fp::convert(f, FpFormat::HALF, rm, nan), 0x7e00);
            assert_eq!(fp::to_int(f, rm, nan), None);
        }
    }
}
