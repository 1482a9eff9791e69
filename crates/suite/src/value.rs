//! Bytes read as the values a person or another tool expects.

use crate::InputKind;
use serde_json::json;
use std::fmt;

/// One element of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Bool(bool),
    Signed(i128),
    Unsigned(u128),
    Single(f32),
    Double(f64),
    Address(u128),
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(out, "{value}"),
            Value::Signed(value) => write!(out, "{value}"),
            Value::Unsigned(value) => write!(out, "{value}"),
            Value::Single(value) => write!(out, "{value:?}"),
            Value::Double(value) => write!(out, "{value:?}"),
            Value::Address(value) => write!(out, "{value:#x}"),
        }
    }
}

impl Value {
    /// A JSON number where one is exact, else a text.
    pub(crate) fn json(self) -> serde_json::Value {
        match self {
            Value::Bool(value) => json!(value),
            Value::Signed(value) => {
                i64::try_from(value).map_or_else(|_| json!(self.to_string()), |small| json!(small))
            }
            Value::Unsigned(value) => {
                u64::try_from(value).map_or_else(|_| json!(self.to_string()), |small| json!(small))
            }
            Value::Single(value) if value.is_finite() => json!(f64::from(value)),
            Value::Double(value) if value.is_finite() => json!(value),
            Value::Single(_) | Value::Double(_) | Value::Address(_) => json!(self.to_string()),
        }
    }
}

/// The elements of an input, first to last.
pub(crate) fn elements(kind: InputKind, bytes: &[u8]) -> Vec<Value> {
    bytes
        .chunks_exact(kind.element_size())
        .map(|element| read(kind, element))
        .collect()
}

fn read(kind: InputKind, element: &[u8]) -> Value {
    match kind {
        InputKind::Bool => Value::Bool(element[0] != 0),
        InputKind::Char | InputKind::Signed(_) => Value::Signed(signed(element)),
        InputKind::Unsigned(_) | InputKind::Bytes => Value::Unsigned(unsigned(element)),
        InputKind::Pointer(_) => Value::Address(unsigned(element)),
        InputKind::Float(_) => match *element {
            [a, b, c, d] => Value::Single(f32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => Value::Double(f64::from_le_bytes([a, b, c, d, e, f, g, h])),
            _ => Value::Unsigned(unsigned(element)),
        },
    }
}

/// A little-endian unsigned integer of at most 16 bytes.
pub(crate) fn unsigned(bytes: &[u8]) -> u128 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| (number << 8) | u128::from(*byte))
}

/// A little-endian two's complement integer of at most 16 bytes.
pub(crate) fn signed(bytes: &[u8]) -> i128 {
    let unused = 128 - 8 * bytes.len().clamp(1, 16) as u32;
    ((unsigned(bytes) << unused) as i128) >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_width_keep_their_sign() {
        assert_eq!(signed(&[0xff]), -1);
        assert_eq!(signed(&[0xff, 0x7f]), 32767);
        assert_eq!(signed(&[0, 0, 0x80]), -8_388_608);
        assert_eq!(signed(&i128::MIN.to_le_bytes()), i128::MIN);
        assert_eq!(unsigned(&u128::MAX.to_le_bytes()), u128::MAX);
        assert_eq!(signed(&[]), 0);
    }
}
