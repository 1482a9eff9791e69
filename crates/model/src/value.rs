//! Values as people and systems write them: text and JSON.
//!
//! Every value goes out in a form that reads back as the same value. JSON readers
//! differ in which numbers they take exactly, so what lies beyond is written as text.

use crate::types::Type;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use serde_json::{Map, Number, Value as Json, json};
use term::{BitVec, FpFormat, Value, fp};

/// The leaves as models write them: `[1, 2]`, `Order(3, red)`.
pub fn to_text(ty: &Type, leaves: &[Value]) -> String {
    match ty {
        Type::Array(element, _) => {
            let parts = leaves.chunks(element.size());
            let parts: Vec<String> = parts.map(|part| to_text(element, part)).collect();
            format!("[{}]", parts.join(", "))
        }
        Type::Record(record) => {
            let mut rest = leaves;
            let mut parts = Vec::new();
            for (_, ty) in &record.fields {
                let (part, others) = rest.split_at(ty.size());
                parts.push(to_text(ty, part));
                rest = others;
            }
            format!("{}({})", record.name, parts.join(", "))
        }
        Type::String => json_string(&leaves[0]).to_string(),
        _ => leaf_text(ty, &leaves[0]),
    }
}

fn leaf_text(ty: &Type, value: &Value) -> String {
    match (ty, value) {
        (_, Value::Bool(truth)) => truth.to_string(),
        (Type::Enumeration(enumeration), Value::Int(number)) => {
            let name = number.to_usize().and_then(|n| enumeration.values.get(n));
            name.cloned().unwrap_or_else(|| number.to_string())
        }
        (_, Value::Int(number)) => number.to_string(),
        (Type::Bits { signed: true, .. }, Value::Bv(bits)) => bits.to_int().to_string(),
        (_, Value::Bv(bits)) => bits.to_big().to_string(),
        (_, Value::Real(number)) => rational_text(number),
        (_, Value::Fp(format, bits)) => float_text(*format, *bits),
        _ => format!("{value:?}"),
    }
}

fn float_text(format: FpFormat, bits: u128) -> String {
    if fp::is_nan(format, bits) {
        return "nan".to_owned();
    }
    if fp::is_infinite(format, bits) {
        let negative = fp::is_negative(format, bits);
        return if negative { "-inf" } else { "inf" }.to_owned();
    }
    fp::to_decimal(format, bits)
}

/// A decimal where it ends, a fraction where it does not.
fn rational_text(number: &BigRational) -> String {
    let mut denominator = number.denom().clone();
    let (mut twos, mut fives) = (0u32, 0u32);
    for (prime, count) in [(2, &mut twos), (5, &mut fives)] {
        while (&denominator % prime) == BigInt::from(0) && *count < 400 {
            denominator /= prime;
            *count += 1;
        }
    }
    if denominator != BigInt::from(1) {
        return number.to_string();
    }
    let places = twos.max(fives) as usize;
    let scaled =
        (number * BigRational::from_integer(BigInt::from(10).pow(places as u32))).to_integer();
    let digits = format!("{:0>width$}", scaled.abs().to_string(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if scaled.is_negative() { "-" } else { "" };
    match fraction {
        "" => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    }
}

fn json_string(value: &Value) -> Json {
    match value {
        Value::Str(codes) => {
            let text = codes
                .iter()
                .map(|&code| char::from_u32(code).unwrap_or('\u{fffd}'));
            Json::String(text.collect())
        }
        _ => Json::Null,
    }
}

/// The leaves as JSON: arrays as arrays, records as objects, enumerations as
/// names. Numbers beyond what JSON readers take are strings.
pub fn to_json(ty: &Type, leaves: &[Value]) -> Json {
    match (ty, &leaves[0]) {
        (Type::Array(element, _), _) => {
            let parts = leaves.chunks(element.size());
            parts.map(|part| to_json(element, part)).collect()
        }
        (Type::Record(record), _) => {
            let (mut rest, mut object) = (leaves, Map::new());
            for (name, ty) in &record.fields {
                let (part, others) = rest.split_at(ty.size());
                object.insert(name.clone(), to_json(ty, part));
                rest = others;
            }
            Json::Object(object)
        }
        (_, Value::Bool(truth)) => json!(truth),
        (Type::Enumeration(_), value) => json!(leaf_text(ty, value)),
        (_, value @ Value::Str(_)) => json_string(value),
        (_, Value::Fp(_, bits)) => {
            let number = Number::from_f64(f64::from_bits(*bits as u64));
            number.map_or_else(|| json!(leaf_text(ty, &leaves[0])), Json::Number)
        }
        (_, value) => {
            let text = leaf_text(ty, value);
            let exact = text.parse::<i64>().map(Number::from).ok();
            let near = || {
                // An integer read as a double may be another one.
                let number = text.parse::<f64>().ok().filter(|_| *ty == Type::Real)?;
                // A double that people write the same way says the same.
                (decimal_of(number) == decimal_signed(&text)).then(|| Number::from_f64(number))?
            };
            exact
                .or_else(near)
                .map_or_else(|| json!(text), Json::Number)
        }
    }
}

/// Why something is no value of a type.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ValueError {
    /// An array has another length.
    #[error("{found} elements where {expected} should be")]
    Length {
        /// Its length.
        found: usize,
        /// The type's.
        expected: usize,
    },
    /// A field of a record is not there.
    #[error("the field `{0}` is missing")]
    MissingField(String),
    /// A character that terms do not have.
    #[error("strings have no characters beyond 2ffff")]
    Character,
    /// JSON of another kind.
    #[error("{found} where {} should be", expected.with_article())]
    Kind {
        /// The JSON.
        found: String,
        /// The type.
        expected: Type,
    },
    /// A text that says no value of the type.
    #[error("`{text}` is not {}", expected.with_article())]
    Text {
        /// The text.
        text: String,
        /// The type.
        expected: Type,
    },
    /// A number that is too large for its bits.
    #[error("{number} does not fit {expected}")]
    Range {
        /// The number.
        number: BigInt,
        /// The type.
        expected: Type,
    },
    /// A name that the enumeration does not have.
    #[error("`{name}` is not {}: there are {}", expected.with_article(), known.join(", "))]
    Name {
        /// The name.
        name: String,
        /// The type.
        expected: Type,
        /// The names it has.
        known: Vec<String>,
    },
    /// Arrays and records are not written as plain text.
    #[error("write {} in the model", .0.with_article())]
    Structured(Type),
}

/// The leaves that JSON says.
///
/// # Errors
///
/// When it says no value of the type.
pub fn from_json(ty: &Type, json: &Json) -> Result<Vec<Value>, ValueError> {
    let wrong_kind = || ValueError::Kind {
        found: json.to_string(),
        expected: ty.clone(),
    };
    match (ty, json) {
        (Type::Array(element, length), Json::Array(parts)) => {
            if parts.len() != *length {
                return Err(ValueError::Length {
                    found: parts.len(),
                    expected: *length,
                });
            }
            let parts: Result<Vec<Vec<Value>>, ValueError> =
                parts.iter().map(|part| from_json(element, part)).collect();
            Ok(parts?.concat())
        }
        (Type::Record(record), Json::Object(object)) => {
            let mut leaves = Vec::new();
            for (name, ty) in &record.fields {
                let field = object
                    .get(name)
                    .ok_or_else(|| ValueError::MissingField(name.clone()))?;
                leaves.extend(from_json(ty, field)?);
            }
            Ok(leaves)
        }
        (Type::Bool, Json::Bool(truth)) => Ok(vec![Value::Bool(*truth)]),
        (Type::String, Json::String(text)) => {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            match codes.iter().all(|&code| code < 0x30000) {
                true => Ok(vec![Value::Str(codes.into())]),
                false => Err(ValueError::Character),
            }
        }
        (Type::Array(..) | Type::Record(_) | Type::Bool | Type::String, _) => Err(wrong_kind()),
        (_, Json::String(text)) => from_text(ty, text),
        (_, Json::Number(number)) => from_text(ty, &number.to_string()),
        (_, Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_)) => Err(wrong_kind()),
    }
}

/// The leaves of a value that is no array or record, from text.
///
/// # Errors
///
/// When the text says no value of the type.
pub fn from_text(ty: &Type, text: &str) -> Result<Vec<Value>, ValueError> {
    let wrong = || ValueError::Text {
        text: text.to_owned(),
        expected: ty.clone(),
    };
    let whole = |text: &str| {
        let number: Option<BigInt> = text.parse().ok();
        number.or_else(|| {
            decimal_signed(text)
                .filter(|n| n.is_integer())
                .map(|n| n.to_integer())
        })
    };
    let value = match ty {
        Type::Bool => Value::Bool(text.parse().map_err(|_| wrong())?),
        Type::Int => Value::Int(whole(text).ok_or_else(wrong)?),
        Type::Bits { width, signed } => {
            let number = whole(text).ok_or_else(wrong)?;
            let bits = BitVec::from_int(*width, &number);
            let back = match signed {
                true => bits.to_int(),
                false => BigInt::from(bits.to_big()),
            };
            if back != number {
                return Err(ValueError::Range {
                    number,
                    expected: ty.clone(),
                });
            }
            Value::Bv(bits)
        }
        Type::Real => {
            let fraction = || {
                let (top, bottom) = text.split_once('/')?;
                let (top, bottom): (BigInt, BigInt) = (top.parse().ok()?, bottom.parse().ok()?);
                (bottom != BigInt::from(0)).then(|| BigRational::new(top, bottom))
            };
            Value::Real(decimal_signed(text).or_else(fraction).ok_or_else(wrong)?)
        }
        Type::Float => {
            let number: f64 = text.parse().map_err(|_| wrong())?;
            let bits = fp::canonical(FpFormat::DOUBLE, u128::from(number.to_bits()));
            Value::Fp(FpFormat::DOUBLE, bits)
        }
        Type::String => Value::Str(text.chars().map(u32::from).collect()),
        Type::Enumeration(enumeration) => {
            let number = enumeration.values.iter().position(|value| value == text);
            let number = number.ok_or_else(|| ValueError::Name {
                name: text.to_owned(),
                expected: ty.clone(),
                known: enumeration.values.clone(),
            })?;
            Value::Int(number.into())
        }
        Type::Array(..) | Type::Record(_) => {
            return Err(ValueError::Structured(ty.clone()));
        }
    };
    Ok(vec![value])
}

/// The decimal with this text, exactly.
pub(crate) fn decimal(text: &str) -> Option<BigRational> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let number: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let power = exponent.checked_sub(fraction.len() as i64)?;
    // More digits than this are no number a person wrote.
    if power.abs() > 10_000 {
        return None;
    }
    let scale = BigInt::from(10).pow(power.unsigned_abs() as u32);
    Some(match power < 0 {
        true => BigRational::new(number, scale),
        false => BigRational::from_integer(number * scale),
    })
}

fn decimal_signed(text: &str) -> Option<BigRational> {
    match text.strip_prefix('-') {
        Some(digits) => decimal(digits).map(|number| -number),
        None => decimal(text),
    }
}

/// The number people write for a double.
fn decimal_of(number: f64) -> Option<BigRational> {
    let bits = u128::from(number.to_bits());
    number
        .is_finite()
        .then(|| decimal_signed(&fp::to_decimal(FpFormat::DOUBLE, bits)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(ty: &Type, json: &str) -> String {
        let json: Json = serde_json::from_str(json).expect("it is JSON");
        match from_json(ty, &json) {
            Ok(leaves) => {
                assert_eq!(from_json(ty, &to_json(ty, &leaves)), Ok(leaves.clone()));
                format!("{} {}", to_text(ty, &leaves), to_json(ty, &leaves))
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn values_go_through_json_unchanged() {
        let pair = Type::Array(Box::new(Type::Int), 2);
        let byte = Type::Bits {
            width: 8,
            signed: true,
        };
        for (ty, json, expected) in [
            (&Type::Real, "449.16", "449.16 449.16"),
            (&Type::Real, "-0.5", "-0.5 -0.5"),
            (&Type::Real, "\"1/3\"", "1/3 \"1/3\""),
            (&Type::Int, "-7", "-7 -7"),
            (&Type::Int, "7.0", "7 7"),
            (&Type::Int, "7.5", "`7.5` is not an Int"),
            (&pair, "[1, 2]", "[1, 2] [1,2]"),
            (&pair, "[1]", "1 elements where 2 should be"),
            (&byte, "-128", "-128 -128"),
            (&byte, "128", "128 does not fit Int<8>"),
            (&Type::String, "\"a\\n\"", "\"a\\n\" \"a\\n\""),
            (&Type::Bool, "1", "1 where a Bool should be"),
            (&Type::Float, "0.1", "0.1 0.1"),
            (&Type::Float, "\"inf\"", "inf \"inf\""),
        ] {
            assert_eq!(through(ty, json), expected);
        }
    }
}
