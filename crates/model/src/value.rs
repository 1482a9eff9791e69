//! Values as people and systems write them: text and JSON.
//!
//! Every value goes out in a form that reads back as the same value. JSON readers
//! differ in which numbers they take exactly, so what lies beyond is written as text.

use crate::types::{Record, Shape, Type};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use serde_json::{Map, Number, Value as Json, json};
use std::cmp::Ordering;
use term::{BitVec, FpFormat, Value, fp};

/// The leaves as models write them: `[1, 2]`, `Order(3, red)`.
pub fn to_text(ty: &Type, leaves: &[Value]) -> String {
    match ty {
        Type::Array(element, _) => {
            let parts = leaves.chunks(element.size());
            let parts: Vec<String> = parts.map(|part| to_text(element, part)).collect();
            format!("[{}]", parts.join(", "))
        }
        Type::Record(record) => record_text(record, leaves),
        Type::String => json_string(&leaves[0]).to_string(),
        _ => leaf_text(ty, &leaves[0]),
    }
}

fn record_text(record: &Record, leaves: &[Value]) -> String {
    let parts = record.split(leaves);
    let text = |field: usize| to_text(&record.fields[field].1, parts[field]);
    match &record.shape {
        Shape::Fields => {
            let fields: Vec<String> = (0..parts.len()).map(text).collect();
            format!("{}({})", record.name, fields.join(", "))
        }
        Shape::Variants(values) => {
            let number = as_index(&parts[0][0]);
            let own = number.and_then(|number| values.get(number));
            let fields: Vec<String> = own.into_iter().flatten().map(|&it| text(it)).collect();
            match fields.is_empty() {
                true => text(0),
                false => format!("{}({})", text(0), fields.join(", ")),
            }
        }
        Shape::List | Shape::Set | Shape::Map => {
            let entries = entries(record, leaves).into_iter().map(|entry| {
                let texts = entry.into_iter().map(|(ty, part)| to_text(ty, part));
                texts.collect::<Vec<String>>().join(" -> ")
            });
            format!("[{}]", entries.collect::<Vec<String>>().join(", "))
        }
    }
}

pub(crate) fn as_index(value: &Value) -> Option<usize> {
    match value {
        Value::Int(number) => number.to_usize(),
        _ => None,
    }
}

/// What a collection has: elements, or keys with their values.
pub(crate) fn entries<'r>(
    record: &'r Record,
    leaves: &'r [Value],
) -> Vec<Vec<(&'r Type, &'r [Value])>> {
    let parts = record.split(leaves);
    let length = as_index(&parts[0][0]).unwrap_or(0);
    let fields = record.fields.iter().zip(&parts).skip(1);
    let mut found = vec![Vec::new(); length.min(record.capacity())];
    for ((_, ty), part) in fields {
        let Type::Array(element, _) = ty else {
            continue;
        };
        for (entry, part) in found.iter_mut().zip(part.chunks(element.size())) {
            entry.push((&**element, part));
        }
    }
    found
}

/// Which of two values of a type with an order comes first.
pub(crate) fn order(ty: &Type, a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Real(a), Value::Real(b)) => a.cmp(b),
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::Bv(a), Value::Bv(b)) => match ty {
            Type::Bits { signed: true, .. } => a.to_int().cmp(&b.to_int()),
            _ => a.to_big().cmp(&b.to_big()),
        },
        _ => Ordering::Equal,
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
        (Type::Record(record), _) => record_to_json(record, leaves),
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

fn record_to_json(record: &Record, leaves: &[Value]) -> Json {
    let parts = record.split(leaves);
    let field = |number: usize| {
        let (name, ty) = &record.fields[number];
        (name.clone(), to_json(ty, parts[number]))
    };
    match &record.shape {
        Shape::Fields => Json::Object((0..parts.len()).map(field).collect()),
        Shape::Variants(values) => {
            let own = as_index(&parts[0][0]).and_then(|number| values.get(number));
            let own = own.into_iter().flatten().copied();
            Json::Object([0].into_iter().chain(own).map(field).collect())
        }
        Shape::List | Shape::Set => {
            let entries = entries(record, leaves).into_iter().flatten();
            entries.map(|(ty, part)| to_json(ty, part)).collect()
        }
        Shape::Map => {
            let entries = entries(record, leaves).into_iter();
            let entries = entries.filter_map(|entry| match &entry[..] {
                [(_, key), (ty, value)] => Some((key_text(entry[0].0, key), to_json(ty, value))),
                _ => None,
            });
            Json::Object(entries.collect())
        }
    }
}

/// A key of a map, as JSON has them.
fn key_text(ty: &Type, leaves: &[Value]) -> String {
    match json_string(&leaves[0]) {
        Json::String(text) => text,
        _ => leaf_text(ty, &leaves[0]),
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
    /// A list, a set or a map has too many elements.
    #[error("{found} elements where at most {most} may be")]
    TooMany {
        /// How many.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A set has an element twice.
    #[error("{0} is there twice")]
    Twice(String),
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
    /// Arrays, records and collections are not written as plain text.
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
        (Type::Record(record), _) => record_from_json(record, json).ok_or_else(wrong_kind)?,
        (Type::Bool, Json::Bool(truth)) => Ok(vec![Value::Bool(*truth)]),
        (Type::String, Json::String(text)) => {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            match codes.iter().all(|&code| code < 0x30000) {
                true => Ok(vec![Value::Str(codes.into())]),
                false => Err(ValueError::Character),
            }
        }
        (Type::Array(..) | Type::Bool | Type::String, _) => Err(wrong_kind()),
        (_, Json::String(text)) => from_text(ty, text),
        (_, Json::Number(number)) => from_text(ty, &number.to_string()),
        (_, Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_)) => Err(wrong_kind()),
    }
}

/// The leaves of a record; none if the JSON is of another kind.
fn record_from_json(record: &Record, json: &Json) -> Option<Result<Vec<Value>, ValueError>> {
    Some(match (&record.shape, json) {
        (Shape::Fields, Json::Object(object)) => {
            let all: Vec<usize> = (0..record.fields.len()).collect();
            fields_from_json(record, object, &all)
        }
        (Shape::Variants(values), Json::Object(object)) => {
            let kind = fields_from_json(record, object, &[0]);
            kind.and_then(|leaves| {
                let own = as_index(&leaves[0]).and_then(|number| values.get(number));
                let mut fields = vec![0];
                fields.extend(own.into_iter().flatten());
                fields_from_json(record, object, &fields)
            })
        }
        (Shape::List | Shape::Set, Json::Array(elements)) => {
            let elements = elements.iter().map(|element| {
                let ty = element_type(record, 1);
                Ok(vec![from_json(ty, element)?])
            });
            let elements: Result<Vec<_>, ValueError> = elements.collect();
            elements.and_then(|elements| collected(record, elements))
        }
        (Shape::Map, Json::Object(object)) => {
            let entries = object.iter().map(|(key, value)| {
                let key = from_text(element_type(record, 1), key)?;
                Ok(vec![key, from_json(element_type(record, 2), value)?])
            });
            let entries: Result<Vec<_>, ValueError> = entries.collect();
            entries.and_then(|entries| collected(record, entries))
        }
        _ => return None,
    })
}

/// The leaves of a record that has these fields; the others are what variables begin as.
fn fields_from_json(
    record: &Record,
    object: &Map<String, Json>,
    own: &[usize],
) -> Result<Vec<Value>, ValueError> {
    let mut leaves = Vec::new();
    for (number, (name, ty)) in record.fields.iter().enumerate() {
        if !own.contains(&number) {
            leaves.extend(ty.default_values());
            continue;
        }
        let field = object.get(name);
        let field = field.ok_or_else(|| ValueError::MissingField(name.clone()))?;
        leaves.extend(from_json(ty, field)?);
    }
    Ok(leaves)
}

fn element_type(record: &Record, field: usize) -> &Type {
    match &record.fields[field].1 {
        Type::Array(element, _) => element,
        other => other,
    }
}

/// The leaves of a collection of these entries.
fn collected(record: &Record, mut entries: Vec<Vec<Vec<Value>>>) -> Result<Vec<Value>, ValueError> {
    let (found, most) = (entries.len(), record.capacity());
    if found > most {
        return Err(ValueError::TooMany { found, most });
    }
    let ty = element_type(record, 1);
    if record.shape != Shape::List {
        entries.sort_by(|a, b| order(ty, &a[0][0], &b[0][0]));
        let mut pairs = entries.iter().zip(entries.iter().skip(1));
        if let Some((twice, _)) = pairs.find(|(a, b)| a[0] == b[0]) {
            return Err(ValueError::Twice(to_text(ty, &twice[0])));
        }
    }
    let mut leaves = vec![Value::Int(found.into())];
    for field in 1..record.fields.len() {
        for entry in &entries {
            leaves.extend(entry[field - 1].iter().cloned());
        }
        for _ in found..most {
            leaves.extend(element_type(record, field).default_values());
        }
    }
    Ok(leaves)
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

    #[test]
    fn collections_and_values_with_data_have_one_form_in_json() {
        let ty = |text: &str| {
            let model = format!(
                "enum Shape {{ circle(radius: Int, name: String), none }}
                 channel c({text})
                 automaton A {{ var x: {text}  initial a  a -> a, c?(x) }}"
            );
            let checked = crate::check(&model, &[]);
            let checked = checked.unwrap_or_else(|faults| panic!("{faults:?}"));
            checked.model.channels[0].payload[0].clone()
        };
        for (text, json, expected) in [
            ("List<Int, 3>", "[]", "[] []"),
            ("List<Int, 3>", "[2, 1]", "[2, 1] [2,1]"),
            (
                "List<Int, 1>",
                "[2, 1]",
                "2 elements where at most 1 may be",
            ),
            ("List<Int, 1>", "2", "2 where a List<Int, 1> should be"),
            ("Set<Int, 3>", "[2, -1]", "[-1, 2] [-1,2]"),
            ("Set<Int, 3>", "[2, 2]", "2 is there twice"),
            ("Set<String, 3>", r#"["b", "a"]"#, r#"["a", "b"] ["a","b"]"#),
            (
                "Map<Int, Bool, 2>",
                r#"{"10": true, "9": false}"#,
                r#"[9 -> false, 10 -> true] {"10":true,"9":false}"#,
            ),
            ("Map<Int, Bool, 2>", r#"{"x": true}"#, "`x` is not an Int"),
            ("Shape", r#"{"kind": "none"}"#, r#"none {"kind":"none"}"#),
            (
                "Shape",
                r#"{"kind": "circle", "radius": 3, "name": "a"}"#,
                r#"circle(3, "a") {"kind":"circle","name":"a","radius":3}"#,
            ),
            (
                "Shape",
                r#"{"kind": "circle", "radius": 3}"#,
                "the field `name` is missing",
            ),
            (
                "List<Shape, 2>",
                r#"[{"kind": "none"}]"#,
                r#"[none] [{"kind":"none"}]"#,
            ),
        ] {
            assert_eq!(through(&ty(text), json), expected, "{text}");
        }
    }
}
