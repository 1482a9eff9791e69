//! Floating-point arithmetic as x86-64 does it, on words and on terms.
//!
//! Registers hold floats as their bits. Numbers follow IEEE 754, rounded to
//! nearest even. What the standard and LLVM leave open is taken from the code
//! clang makes for x86-64, so that a native replay sees the same bits:
//!
//! * The NaN an operation gives is its first NaN operand made quiet, of the x87
//!   unit the one with the greater fraction; where none is NaN, the negative
//!   quiet NaN without payload. Conversions between formats keep the sign and
//!   the upper bits of the payload.
//! * A float that does not fit the integer it is converted to, poison to LLVM,
//!   gives what the instructions give: the conversion happens in a signed
//!   integer of 32 bits, or of 64 where the target has more than 32 or is
//!   unsigned and has 32, in which "does not fit" is the least number; the
//!   result is cut to its width. An unsigned integer of 64 bits takes the
//!   numbers from -2^63 up to 2^64, and is 2^63 for the rest; from an x87 float
//!   it is 0 for what is above. That unit converts in 16 bits, too. Wider integers
//!   saturate, and NaN gives 0: there a library function decides, not an
//!   instruction.
//! * A `bfloat` is made from an integer by way of `float`.
//! * The patterns that the x87 unit never makes but memory can hold are what the
//!   unit takes them for: a pseudo-denormal is the number it spells; unnormals,
//!   pseudo-infinities and pseudo-NaNs are invalid operands, unordered and giving
//!   the default NaN. Loads, stores and signs leave them as they are.
//!
//! Floating-point exceptions, rounding modes and `errno` are not modelled.

pub(crate) mod functions;
pub(crate) mod library;
pub(crate) mod parts;
mod terms;
#[cfg(test)]
pub(crate) mod tests;
mod views;

use crate::value::{Value, format, mask, signed};
use program::{CastOp, FloatKind, FloatOp, FloatPredicate, Kind};
use term::{FpFormat, RoundingMode, fp};
pub(crate) use terms::cast_term;

/// How the top bit of an integer is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Signed,
    Unsigned,
}

/// The words of at most three values, if all are words.
#[inline]
pub(crate) fn words(args: &[Value]) -> Option<[u64; 3]> {
    let mut words = [0; 3];
    for (word, arg) in words.iter_mut().zip(args) {
        *word = arg.as_word()?;
    }
    Some(words)
}

/// The result on words; none for formats wider than 64 bits.
#[inline]
pub(crate) fn binary(op: FloatOp, kind: FloatKind, a: u64, b: u64) -> Option<u64> {
    match kind {
        FloatKind::Single => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let result = match op {
                FloatOp::Add => x + y,
                FloatOp::Sub => x - y,
                FloatOp::Mul => x * y,
                FloatOp::Div => x / y,
                FloatOp::Rem => x % y,
            };
            Some(number_or_nan(
                kind,
                result.is_nan(),
                result.to_bits().into(),
                &[a, b],
            ))
        }
        FloatKind::Double => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            let result = match op {
                FloatOp::Add => x + y,
                FloatOp::Sub => x - y,
                FloatOp::Mul => x * y,
                FloatOp::Div => x / y,
                FloatOp::Rem => x % y,
            };
            Some(number_or_nan(
                kind,
                result.is_nan(),
                result.to_bits(),
                &[a, b],
            ))
        }
        FloatKind::Half | FloatKind::BFloat => {
            // A `float` has more than twice their precision: rounding to it
            // first changes nothing.
            let single = FloatKind::Single;
            let (a, b) = (convert(kind, single, a), convert(kind, single, b));
            Some(convert(single, kind, binary(op, single, a, b)?))
        }
        FloatKind::X87 | FloatKind::Quad => None,
    }
}

/// Whether the comparison holds; none for formats wider than 64 bits.
#[inline]
pub(crate) fn compare(predicate: FloatPredicate, kind: FloatKind, a: u64, b: u64) -> Option<bool> {
    let (x, y) = (as_double(kind, a)?, as_double(kind, b)?);
    let unordered = x.is_nan() || y.is_nan();
    Some(match predicate {
        FloatPredicate::False => false,
        FloatPredicate::Oeq => x == y,
        FloatPredicate::Ogt => x > y,
        FloatPredicate::Oge => x >= y,
        FloatPredicate::Olt => x < y,
        FloatPredicate::Ole => x <= y,
        FloatPredicate::One => !unordered && x != y,
        FloatPredicate::Ord => !unordered,
        FloatPredicate::Uno => unordered,
        FloatPredicate::Ueq => unordered || x == y,
        FloatPredicate::Ugt => unordered || x > y,
        FloatPredicate::Uge => unordered || x >= y,
        FloatPredicate::Ult => unordered || x < y,
        FloatPredicate::Ule => unordered || x <= y,
        FloatPredicate::Une => x != y,
        FloatPredicate::True => true,
    })
}

/// A conversion from or to a float, between kinds of at most 64 bits; none for
/// conversions between integers.
#[inline]
pub(crate) fn cast(op: CastOp, from: Kind, to: Kind, word: u64) -> Option<u64> {
    match op {
        CastOp::FloatTrunc | CastOp::FloatExt => {
            Some(convert(float_kind(from), float_kind(to), word))
        }
        CastOp::FloatToSigned => {
            let value = as_double(float_kind(from), word)?;
            Some(to_signed(value, to.bits()))
        }
        CastOp::FloatToUnsigned => {
            let value = as_double(float_kind(from), word)?;
            Some(to_unsigned(value, to.bits()))
        }
        CastOp::SignedToFloat => {
            let value = signed(word, from.bits());
            Some(from_integer(float_kind(to), value as f32, value as f64))
        }
        CastOp::UnsignedToFloat => Some(from_integer(float_kind(to), word as f32, word as f64)),
        CastOp::Trunc
        | CastOp::ZExt
        | CastOp::SExt
        | CastOp::PtrToInt
        | CastOp::IntToPtr
        | CastOp::Bits => None,
    }
}

/// The format of a kind that is one.
pub(crate) fn float_kind(kind: Kind) -> FloatKind {
    match kind {
        Kind::Float(kind) => kind,
        Kind::Int(_) | Kind::Ptr => unreachable!("the operand is a float, as the program says"),
    }
}

/// The number as a `double`, which has all numbers of the narrower formats.
#[inline]
pub(crate) fn as_double(kind: FloatKind, word: u64) -> Option<f64> {
    match kind {
        FloatKind::Single => Some(f32::from_bits(word as u32).into()),
        FloatKind::Double => Some(f64::from_bits(word)),
        FloatKind::Half | FloatKind::BFloat => {
            Some(f64::from_bits(convert(kind, FloatKind::Double, word)))
        }
        FloatKind::X87 | FloatKind::Quad => None,
    }
}

/// The word in another format of at most 64 bits.
#[inline]
fn convert(from: FloatKind, to: FloatKind, word: u64) -> u64 {
    match (from, to) {
        _ if from == to => return word,
        (FloatKind::Single, FloatKind::Double) => {
            let single = f32::from_bits(word as u32);
            if !single.is_nan() {
                return f64::from(single).to_bits();
            }
        }
        (FloatKind::Double, FloatKind::Single) => {
            let double = f64::from_bits(word);
            if !double.is_nan() {
                return (double as f32).to_bits().into();
            }
        }
        _ => {}
    }
    convert_slowly(from, to, word)
}

fn convert_slowly(from: FloatKind, to: FloatKind, word: u64) -> u64 {
    if is_nan(from, word) {
        return convert_nan(from, to, word);
    }
    fp::convert(
        format(from),
        format(to),
        RoundingMode::NearestEven,
        word.into(),
    ) as u64
}

/// An integer, already rounded to both formats.
fn from_integer(to: FloatKind, single: f32, double: f64) -> u64 {
    match to {
        FloatKind::Double => double.to_bits(),
        // An integer that fits a half at all fits a `float` exactly.
        FloatKind::Single | FloatKind::Half | FloatKind::BFloat => {
            convert(FloatKind::Single, to, single.to_bits().into())
        }
        FloatKind::X87 | FloatKind::Quad => {
            unreachable!("formats wider than a word are handled as terms")
        }
    }
}

/// How wide the signed integer is in which the instructions for a target of
/// this width compute.
fn conversion_width(width: u32, sign: Sign) -> u32 {
    if width < 32 || (width == 32 && sign == Sign::Signed) {
        32
    } else {
        64
    }
}

/// Towards zero to a signed integer of at most 64 bits.
pub(crate) fn to_signed(value: f64, width: u32) -> u64 {
    indefinite(value, conversion_width(width, Sign::Signed)) as u64 & mask(width)
}

fn to_unsigned(value: f64, width: u32) -> u64 {
    // Beyond the signed numbers only a full word differs.
    let middle = (1u64 << 63) as f64;
    if width == 64 && (middle..2.0 * middle).contains(&value) {
        return value as u64;
    }
    indefinite(value, conversion_width(width, Sign::Unsigned)) as u64 & mask(width)
}

/// Towards zero to a signed integer of 32 or 64 bits; the least one if the
/// number does not fit.
fn indefinite(value: f64, width: u32) -> i64 {
    let least = i64::MIN >> (64 - width);
    // The conversion saturates far outside of both widths.
    let whole = value as i128;
    let fits = !value.is_nan() && whole == i128::from(signed(whole as u64, width));
    if fits { whole as i64 } else { least }
}

/// Whether the word is a NaN.
#[inline]
pub(crate) fn is_nan(kind: FloatKind, word: u64) -> bool {
    fp::is_nan(format(kind), word.into())
}

/// The result of an operation on these operands, of which this is the word if
/// it is a number.
#[inline]
fn number_or_nan(kind: FloatKind, nan: bool, word: u64, operands: &[u64]) -> u64 {
    if nan { nan_of(kind, operands) } else { word }
}

/// The NaN that an operation on these operands gives.
#[cold]
fn nan_of(kind: FloatKind, operands: &[u64]) -> u64 {
    match operands.iter().find(|&&word| is_nan(kind, word)) {
        Some(&word) => word | nan_pattern(format(kind)) as u64,
        None => default_nan(kind) as u64,
    }
}

/// A NaN in another format.
fn convert_nan(from: FloatKind, to: FloatKind, word: u64) -> u64 {
    let (from, to_format) = (format(from), format(to));
    // By way of the top of the word, where the payload's upper bits stay.
    let payload = u128::from(word) << (129 - u32::from(from.sb));
    let kept = payload >> (129 - u32::from(to_format.sb));
    let negative = u128::from(word) >> (from.width() - 1) & 1 != 0;
    (fp::zero(to_format, negative) | kept | nan_pattern(to_format)) as u64
}

/// The bits that are set in every quiet NaN: the exponent and the quiet bit.
fn nan_pattern(format: FpFormat) -> u128 {
    fp::nan(format)
}

/// The packed pattern of the NaN that an operation on numbers gives.
fn default_nan(kind: FloatKind) -> u128 {
    fp::zero(format(kind), true) | nan_pattern(format(kind))
}
