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
