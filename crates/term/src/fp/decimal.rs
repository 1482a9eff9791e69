//! Packed values as text for people.

use super::exact::{Finite, Unpacked, unpack};
use super::{canonical, convert, double, packed_double, single};
use crate::{FpFormat, RoundingMode};

/// A readable form of `a`: a decimal that rounds to it where a short one exists,
/// otherwise the number in hexadecimal as C's `%a` writes it.
pub fn to_decimal(f: FpFormat, a: u128) -> String {
    match unpack(f, a) {
        Unpacked::Nan => "NaN".into(),
        Unpacked::Infinite { negative } => if negative { "-oo" } else { "+oo" }.into(),
        Unpacked::Zero { negative } => if negative { "-0.0" } else { "0.0" }.into(),
        Unpacked::Finite(x) => match f {
            FpFormat::SINGLE => format!("{:?}", single(a)),
            FpFormat::DOUBLE => format!("{:?}", double(a)),
            _ if f.eb <= FpFormat::DOUBLE.eb && f.sb <= FpFormat::DOUBLE.sb => shortest(f, a),
            _ => exact_decimal(x).unwrap_or_else(|| hexadecimal(x)),
        },
    }
}

/// The decimal with the fewest digits that rounds to `a`, whose format must be
/// contained in double.
fn shortest(f: FpFormat, a: u128) -> String {
    let rm = RoundingMode::NearestEven;
    let value = double(convert(f, FpFormat::DOUBLE, rm, a));
    (0..17)
        .filter_map(|digits| format!("{value:.digits$e}").parse::<f64>().ok())
        .find(|&short| convert(FpFormat::DOUBLE, f, rm, packed_double(short)) == canonical(f, a))
        .map_or_else(|| format!("{value:?}"), |short| format!("{short:?}"))
}

/// All digits, if they are few.
fn exact_decimal(x: Finite) -> Option<String> {
    let zeros = x.significand.trailing_zeros();
    let odd = x.significand >> zeros;
    let exponent = x.exponent + i64::from(zeros);
    let sign = if x.negative { "-" } else { "" };
    let bits = i64::from(128 - odd.leading_zeros());
    if (0..=64 - bits).contains(&exponent) {
        return Some(format!("{sign}{}.0", odd << exponent));
    }
    // Below the point a binary fraction has as many decimal digits as binary
    // ones; with at most 20 of each, ten to that power times a fraction fits.
    if !(-20..0).contains(&exponent) || bits + exponent > 64 {
        return None;
    }
    let point = exponent.unsigned_abs() as u32;
    let whole = odd >> point;
    let fraction = (odd & ((1 << point) - 1)) * 5u128.pow(point);
    let digits = point as usize;
    Some(format!("{sign}{whole}.{fraction:0digits$}"))
}

/// The number as C's `%a` writes it.
fn hexadecimal(x: Finite) -> String {
    let sign = if x.negative { "-" } else { "" };
    let top = i64::from(127 - x.significand.leading_zeros());
    // The leading one drops out at the top.
    let fraction = format!("{:032x}", x.significand << 1 << (127 - top));
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}0x1{point}{fraction}p{:+}", x.exponent + top)
}

#[cfg(test)]
mod tests {
    use super::super::{from_rational, infinity, nan, zero};
    use super::*;
    use num_rational::BigRational;

    fn text(f: FpFormat, numerator: i64, denominator: i64) -> String {
        let value = BigRational::new(numerator.into(), denominator.into());
        to_decimal(f, from_rational(f, RoundingMode::NearestEven, &value))
    }

    #[test]
    fn values_that_are_no_numbers_have_their_names() {
        for f in [FpFormat::HALF, FpFormat::SINGLE, FpFormat::QUAD] {
            assert_eq!(to_decimal(f, nan(f)), "NaN");
            assert_eq!(to_decimal(f, infinity(f, false)), "+oo");
            assert_eq!(to_decimal(f, infinity(f, true)), "-oo");
            assert_eq!(to_decimal(f, zero(f, false)), "0.0");
            assert_eq!(to_decimal(f, zero(f, true)), "-0.0");
        }
    }

    #[test]
    fn numbers_that_fit_in_double_print_as_their_shortest_decimal() {
        assert_eq!(text(FpFormat::HALF, 1, 10), "0.1");
        assert_eq!(text(FpFormat::HALF, -1, 3), "-0.3333");
        assert_eq!(text(FpFormat::HALF, 65504, 1), "65500.0");
        assert_eq!(text(FpFormat::SINGLE, 1, 10), "0.1");
        assert_eq!(text(FpFormat::SINGLE, 16777216, 1), "16777216.0");
        assert_eq!(text(FpFormat::DOUBLE, 1, 3), "0.3333333333333333");
        assert_eq!(to_decimal(FpFormat::DOUBLE, 1), "5e-324");
    }

    #[test]
    fn every_half_is_what_its_decimal_rounds_to() {
        let (half, double) = (FpFormat::HALF, FpFormat::DOUBLE);
        for a in (0..0x7c00).chain(0x8000..0xfc00) {
            let number: f64 = to_decimal(half, a).parse().expect("it is a decimal");
            let back = convert(
                double,
                half,
                RoundingMode::NearestEven,
                packed_double(number),
            );
            assert_eq!(back, a);
        }
    }

    #[test]
    fn wider_numbers_print_exactly() {
        assert_eq!(text(FpFormat::X87, 3, 2), "1.5");
        assert_eq!(text(FpFormat::QUAD, -5, 8), "-0.625");
        assert_eq!(text(FpFormat::QUAD, 1, 1 << 20), "0.00000095367431640625");
        assert_eq!(text(FpFormat::QUAD, 1_000_000_007, 1), "1000000007.0");
        assert_eq!(text(FpFormat::QUAD, i64::MIN, 1), "-9223372036854775808.0");
        assert_eq!(text(FpFormat::X87, 1, 10), "0x1.999999999999999ap-4");
        assert_eq!(to_decimal(FpFormat::X87, 1), "0x1p-16445");
        assert_eq!(
            to_decimal(FpFormat::QUAD, zero(FpFormat::QUAD, true) | 3),
            "-0x1.8p-16493"
        );
    }
}
