//! Values as text: the cells of a table and the arguments in a message.
//!
//! What [`print`] writes, [`parse`] reads back to the same value, bit for bit;
//! people may also write hexadecimal numbers, fractions and decimals.

use crate::signature::Type;
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{Num, Zero};
use std::fmt::Write;
use term::{BitVec, FpFormat, RoundingMode, Value, fp};

/// The value of a parameter of this type; the sorts must agree.
pub(crate) fn print(kind: Type, value: &Value) -> String {
    match (kind, value) {
        (Type::Signed(_), Value::Bv(bits)) => bits.to_int().to_string(),
        (_, Value::Bv(bits)) => bits.to_big().to_string(),
        (_, Value::Bool(truth)) => truth.to_string(),
        (_, Value::Fp(format, bits)) => float(*format, *bits),
        (_, Value::Int(number)) => number.to_string(),
        (_, Value::Real(number)) => number.to_string(),
        (_, Value::Str(text)) => string(text),
        (_, Value::Rm(_) | Value::Array(_) | Value::Re(_)) => format!("{value:?}"),
    }
}

fn float(format: FpFormat, bits: u128) -> String {
    if fp::is_nan(format, bits) {
        return "nan".into();
    }
    if fp::is_infinite(format, bits) {
        let negative = fp::is_negative(format, bits);
        return if negative { "-inf" } else { "inf" }.into();
    }
    fp::to_decimal(format, bits)
}

/// Printable characters stand for themselves; the rest is `\u{...}`, and so is
/// the backslash.
fn string(text: &[u32]) -> String {
    let mut cell = String::new();
    for &code in text {
        match char::from_u32(code) {
            Some(c) if !c.is_control() && c != '\\' => cell.push(c),
            _ => write!(cell, "\\u{{{code:x}}}").expect("strings take all text"),
        }
    }
    cell
}

/// The value of this type that the text says, or what is wrong with the text.
pub(crate) fn parse(kind: Type, text: &str) -> Result<Value, String> {
    if kind == Type::String {
        return parse_string(text);
    }
    let text = text.trim();
    match kind {
        Type::Bool => match text {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(format!("`{text}` is neither true nor false")),
        },
        Type::Signed(width) => parse_machine_integer(kind, width, text),
        Type::Unsigned(width) => parse_machine_integer(kind, width, text),
        Type::Float(format) => parse_float(kind, format, text),
        Type::Int => parse_integer(text)
            .map(Value::Int)
            .ok_or_else(|| format!("`{text}` is not an integer")),
        Type::Real => parse_rational(text)
            .map(Value::Real)
            .ok_or_else(|| format!("`{text}` is not a number such as 2, 0.5 or 1/3")),
        Type::Void | Type::Pointer(_) | Type::String => Err(format!("{kind} has no values")),
    }
}

fn parse_machine_integer(kind: Type, width: u16, text: &str) -> Result<Value, String> {
    let number = parse_integer(text).ok_or_else(|| format!("`{text}` is not an integer"))?;
    let bits = BitVec::from_int(width, &number);
    let back = match kind {
        Type::Signed(_) => bits.to_int(),
        _ => BigInt::from(bits.to_big()),
    };
    if back != number {
        return Err(format!("{text} does not fit {kind}"));
    }
    Ok(Value::Bv(bits))
}

/// The sign of a number's text, and the rest.
fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn parse_integer(text: &str) -> Option<BigInt> {
    let (negative, digits) = split_sign(text);
    let (radix, digits) = match digits.strip_prefix("0x") {
        Some(digits) => (16, digits),
        None => (10, digits),
    };
    let magnitude = digits_to_number(digits, radix)?;
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    Some(BigInt::from_biguint(sign, magnitude))
}

/// A number of digits alone: no sign, no separators.
fn digits_to_number(digits: &str, radix: u32) -> Option<BigUint> {
    let plain = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    BigUint::from_str_radix(digits, radix)
        .ok()
        .filter(|_| plain)
}

fn parse_float(kind: Type, format: FpFormat, text: &str) -> Result<Value, String> {
    let (negative, magnitude) = split_sign(text);
    let bits = match magnitude {
        "nan" | "NaN" => fp::nan(format),
        "inf" | "oo" => fp::infinity(format, negative),
        _ => {
            let number = parse_number(magnitude)
                .ok_or_else(|| format!("`{text}` is not a number of type {kind}"))?;
            let bits = fp::from_rational(format, RoundingMode::NearestEven, &number);
            if fp::is_infinite(format, bits) {
                return Err(format!("{text} is beyond the range of {kind}; write inf"));
            }
            bits | fp::zero(format, negative)
        }
    };
    Ok(Value::Fp(format, bits))
}

fn parse_rational(text: &str) -> Option<BigRational> {
    let (negative, magnitude) = split_sign(text);
    let number = match magnitude.split_once('/') {
        Some((numerator, denominator)) => {
            let denominator = digits_to_number(denominator.trim(), 10)?;
            if denominator.is_zero() {
                return None;
            }
            let numerator = digits_to_number(numerator.trim(), 10)?;
            BigRational::new(numerator.into(), denominator.into())
        }
        None => parse_number(magnitude)?,
    };
    Some(if negative { -number } else { number })
}

/// A decimal (`12.5e-3`) or a hexadecimal number as C's `%a` writes it, without
/// sign.
fn parse_number(text: &str) -> Option<BigRational> {
    let (radix, base, text, mark) = match text.strip_prefix("0x") {
        Some(digits) => (16, 2u32, digits, 'p'),
        None => (10, 10u32, text, 'e'),
    };
    let lower = text.to_ascii_lowercase();
    let (digits, exponent) = lower.split_once(mark).unwrap_or((&lower, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let significand = digits_to_number(&format!("{whole}{fraction}"), radix)?;
    if exponent.starts_with("+-") {
        return None;
    }
    let exponent: i64 = exponent.parse().ok()?;
    // No format's exponent goes beyond six digits, and a number with more would
    // take the memory of them all.
    if exponent.abs() > 1_000_000 {
        return None;
    }
    let places = if base == 2 { 4 } else { 1 } * fraction.len() as i64;
    let scale = |power: i64| BigInt::from(base).pow(power.unsigned_abs() as u32);
    let significand = BigInt::from(significand);
    Some(match exponent - places {
        power if power < 0 => BigRational::new(significand, scale(power)),
        power => BigRational::from_integer(significand * scale(power)),
    })
}

fn parse_string(text: &str) -> Result<Value, String> {
    let mut codes = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (code, length) = match rest.strip_prefix("\\u{") {
            Some(escape) => {
                let (digits, _) = escape
                    .split_once('}')
                    .ok_or_else(|| format!("the \\u{{ in `{text}` has no end"))?;
                let code = u32::from_str_radix(digits, 16)
                    .map_err(|_| format!("`{digits}` in \\u{{{digits}}} is not hexadecimal"))?;
                (code, digits.len() + "\\u{}".len())
            }
            None => (u32::from(c), c.len_utf8()),
        };
        if code >= 0x30000 {
            return Err(format!(
                "strings have no character {code:x}; the last is 2ffff"
            ));
        }
        codes.push(code);
        rest = &rest[length..];
    }
    Ok(Value::Str(codes.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: Type, text: &str) -> String {
        parse(kind, text).map_or_else(|error| error, |value| print(kind, &value))
    }

    #[test]
    fn people_may_write_numbers_in_several_ways() {
        assert_eq!(read(Type::Signed(8), " -0x80 "), "-128");
        assert_eq!(
            read(Type::Unsigned(64), "0xffffffffffffffff"),
            "18446744073709551615"
        );
        assert_eq!(read(Type::DOUBLE, "1e3"), "1000.0");
        assert_eq!(read(Type::DOUBLE, "0x1.8p1"), "3.0");
        assert_eq!(read(Type::DOUBLE, "-0"), "-0.0");
        assert_eq!(read(Type::DOUBLE, ".5"), "0.5");
        assert_eq!(read(Type::FLOAT, "+inf"), "inf");
        assert_eq!(read(Type::Real, "0.25"), "1/4");
        assert_eq!(read(Type::Real, "-6/4"), "-3/2");
        assert_eq!(read(Type::Real, "7"), "7");
        assert_eq!(
            read(Type::Int, "-123456789012345678901234567890"),
            "-123456789012345678901234567890"
        );
        assert_eq!(read(Type::String, "a\\u{1F600}\\n"), "a😀\\u{5c}n");
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(read(Type::Unsigned(8), "256"), "256 does not fit u8");
        assert_eq!(read(Type::Unsigned(8), "-1"), "-1 does not fit u8");
        assert_eq!(read(Type::Signed(32), "1.5"), "`1.5` is not an integer");
        assert_eq!(read(Type::Signed(32), "--1"), "`--1` is not an integer");
        assert_eq!(read(Type::Signed(32), "1_0"), "`1_0` is not an integer");
        assert_eq!(read(Type::Signed(32), ""), "`` is not an integer");
        assert_eq!(
            read(Type::DOUBLE, "abc"),
            "`abc` is not a number of type double"
        );
        assert_eq!(
            read(Type::DOUBLE, "."),
            "`.` is not a number of type double"
        );
        assert_eq!(
            read(Type::DOUBLE, "1e9999999999"),
            "`1e9999999999` is not a number of type double"
        );
        assert_eq!(
            read(Type::FLOAT, "1e39"),
            "1e39 is beyond the range of float; write inf"
        );
        assert_eq!(read(Type::Bool, "yes"), "`yes` is neither true nor false");
        assert_eq!(
            read(Type::Real, "1/0"),
            "`1/0` is not a number such as 2, 0.5 or 1/3"
        );
        assert_eq!(
            read(Type::String, "\\u{30000}"),
            "strings have no character 30000; the last is 2ffff"
        );
        assert_eq!(
            read(Type::String, "\\u{41"),
            "the \\u{ in `\\u{41` has no end"
        );
    }
}
