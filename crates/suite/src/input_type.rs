//! What an input is in the program's source: a number, or a structure of them.
//!
//! A kind says how to read bytes that are one number or many of the same sort. An object of
//! the program is more than that, and a person reading a test wants `{x = 1, y = -2}`. The
//! run finds the type in the debug information and writes it into `run.json`, so that a
//! test can be shown long after the program is gone. Files may say anything: a type
//! that does not fit the bytes at hand is not used, and what lies outside of them is `?`.

use crate::InputKind;
use crate::value::{self, Value};
use base::escape::c_string;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// What an input is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "the type of an input is neither a kind such as i32 nor a structure, an enumeration or an array"
)]
pub enum InputType {
    /// A number, or as many as the input has room for.
    Kind(InputKind),
    /// A `struct`, a `class` or a `union`.
    Structure(Structure),
    /// An `enum`.
    Enumeration(Enumeration),
    /// Several of the same, one after the other.
    Array(Array),
}

/// Several of the same, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Array {
    /// What each is.
    pub element: Box<InputType>,
    /// The size of each in bytes.
    pub stride: u64,
}

/// A `struct`, a `class` or a `union`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Structure {
    /// As the source has it, `struct point`.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its members, in order; those of a union begin at the same place.
    pub fields: Vec<Field>,
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    /// Its name; empty if it has none.
    pub name: String,
    /// Where it begins, in bits.
    pub offset: u64,
    /// How many bits it has.
    pub bits: u64,
    /// What it is.
    #[serde(rename = "type")]
    pub what: InputType,
    /// Whether it is a base class, whose members are members of the structure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub base: bool,
}

/// An `enum`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Enumeration {
    /// As the source has it, `enum color`.
    pub name: String,
    /// How its values are kept.
    pub kind: InputKind,
    /// The names of values, by their decimal text.
    pub names: BTreeMap<String, String>,
}

impl InputType {
    /// What it is called.
    pub(crate) fn name(&self, size: usize) -> String {
        match self {
            InputType::Kind(InputKind::Bytes) => match size {
                1 => "1 byte".to_owned(),
                _ => format!("{size} bytes"),
            },
            InputType::Kind(kind) => repeated(size, kind.element_size(), &kind.to_string()),
            InputType::Structure(structure) => structure.name.clone(),
            InputType::Enumeration(it) => it.name.clone(),
            InputType::Array(Array { element, stride }) => {
                let stride = *stride as usize;
                repeated(size, stride, &element.name(stride))
            }
        }
    }

    /// Whether so many bytes can be one of these.
    pub(crate) fn fits(&self, size: usize) -> bool {
        let is_multiple = |of: usize| of > 0 && size > 0 && size.is_multiple_of(of);
        match self {
            InputType::Kind(kind) => kind.is_sensible() && is_multiple(kind.element_size()),
            InputType::Structure(structure) => size as u64 == structure.size,
            InputType::Enumeration(it) => it.kind.is_sensible() && size == it.kind.element_size(),
            InputType::Array(Array { stride, .. }) => is_multiple(*stride as usize),
        }
    }

    /// The value that these bytes are.
    pub(crate) fn read(&self, bytes: &[u8]) -> Shown {
        if !self.fits(bytes.len()) {
            return Shown::Unreadable;
        }
        match self {
            InputType::Kind(kind @ (InputKind::Char | InputKind::Bytes)) => match (kind, bytes) {
                (InputKind::Char, &[byte]) => Shown::Character(byte),
                _ => Shown::Text(c_string(bytes)),
            },
            InputType::Kind(kind) => {
                let mut values = value::elements(*kind, bytes).into_iter().map(Shown::Value);
                match (values.next(), values.len()) {
                    (Some(only), 0) => only,
                    (first, _) => Shown::List(first.into_iter().chain(values).collect()),
                }
            }
            InputType::Structure(structure) => {
                let members = structure.members().into_iter();
                let fields = members.map(|member| {
                    let value = member.read(bytes);
                    (member.name, value)
                });
                Shown::Fields(fields.collect())
            }
            InputType::Enumeration(it) => {
                let value = value::elements(it.kind, bytes)[0];
                let name = it.names.get(&value.to_string());
                name.map_or(Shown::Value(value), |name| Shown::Name(name.clone()))
            }
            InputType::Array(Array { element, stride }) => {
                let elements = bytes.chunks_exact(*stride as usize);
                Shown::List(elements.map(|bytes| element.read(bytes)).collect())
            }
        }
    }
}

/// A value of the program, for people and as JSON.
#[derive(Debug, PartialEq)]
pub(crate) enum Shown {
    Value(Value),
    /// One character of C.
    Character(u8),
    /// Characters, as C writes them between quotes.
    Text(String),
    /// The name of a value of an enumeration.
    Name(String),
    List(Vec<Shown>),
    Fields(Vec<(String, Shown)>),
    Unreadable,
}

impl Shown {
    /// On one line, as debuggers print it.
    pub(crate) fn text(&self) -> String {
        match self {
            Shown::Value(value) => value.to_string(),
            Shown::Character(byte) => character(*byte).unwrap_or((*byte as i8).to_string()),
            Shown::Text(text) => format!("\"{text}\""),
            Shown::Name(name) => name.clone(),
            Shown::List(values) => {
                let values: Vec<String> = values.iter().map(Shown::text).collect();
                format!("[{}]", values.join(", "))
            }
            Shown::Fields(fields) => {
                let fields = fields.iter().map(|(name, value)| match name.as_str() {
                    "" => value.text(),
                    name => format!("{name} = {}", value.text()),
                });
                format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
            Shown::Unreadable => "?".to_owned(),
        }
    }

    /// The same for programs; a number that JSON readers would round is a text.
    pub(crate) fn json(&self) -> serde_json::Value {
        match self {
            Shown::Value(value) => value.json(),
            Shown::Character(byte) => json!(c_string(&[*byte])),
            Shown::Text(text) | Shown::Name(text) => json!(text),
            Shown::List(values) => values.iter().map(Shown::json).collect(),
            Shown::Fields(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), value.json()));
                serde_json::Value::Object(fields.collect())
            }
            Shown::Unreadable => serde_json::Value::Null,
        }
    }
}

/// A byte between single quotes, if it has a character; zero is better read as a number.
pub(crate) fn character(byte: u8) -> Option<String> {
    match byte {
        b'\'' => Some(r"'\''".to_owned()),
        b'"' => Some("'\"'".to_owned()),
        b' '..=b'~' | b'\n' | b'\t' | b'\r' => Some(format!("'{}'", c_string(&[byte]))),
        _ => None,
    }
}

fn repeated(size: usize, element: usize, name: &str) -> String {
    match size.checked_div(element) {
        None | Some(1) => name.to_owned(),
        Some(count) => format!("array of {count} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, offset: u64, bits: u64, what: InputType) -> Field {
        Field {
            name: name.to_owned(),
            offset,
            bits,
            what,
            base: false,
        }
    }

    fn kind(word: &str) -> InputType {
        InputType::Kind(word.parse().expect("it is a kind"))
    }

    fn structure(size: u64, fields: Vec<Field>) -> InputType {
        InputType::Structure(Structure {
            name: "struct s".to_owned(),
            size,
            fields,
        })
    }

    #[test]
    fn a_structure_is_shown_by_its_fields() {
        let point = structure(
            4,
            vec![
                field("x", 0, 16, kind("i16")),
                field("y", 16, 16, kind("u16")),
            ],
        );
        let shape = structure(
            12,
            vec![
                field("at", 0, 32, point.clone()),
                field("name", 32, 24, kind("char")),
                field("", 64, 32, kind("f32")),
            ],
        );
        let bytes = [255, 255, 255, 255, b'a', b'"', 0, 9, 0, 0, 0x80, 0x3f];
        let shown = shape.read(&bytes);
        assert_eq!(
            shown.text(),
            r#"{at = {x = -1, y = 65535}, name = "a\"\0", 1.0}"#
        );
        assert_eq!(
            shown.json(),
            json!({"at": {"x": -1, "y": 65535}, "name": "a\\\"\\0", "": 1.0})
        );
        let pair = InputType::Array(Array {
            element: Box::new(point),
            stride: 4,
        });
        let two = pair.read(&[1, 0, 2, 0, 3, 0, 4, 0]).text();
        assert_eq!(two, "[{x = 1, y = 2}, {x = 3, y = 4}]");
        assert_eq!(pair.name(8), "array of 2 struct s");
    }

    #[test]
    fn bit_fields_and_enumerations_have_their_values() {
        let color = InputType::Enumeration(Enumeration {
            name: "enum color".to_owned(),
            kind: InputKind::Unsigned(4),
            names: BTreeMap::from([("2".to_owned(), "GREEN".to_owned())]),
        });
        let flags = structure(
            4,
            vec![
                field("low", 0, 3, kind("i32")),
                field("high", 3, 7, kind("u32")),
                field("color", 10, 2, color.clone()),
            ],
        );
        let word: u32 = 0b111 | 100 << 3 | 2 << 10;
        assert_eq!(
            flags.read(&word.to_le_bytes()).text(),
            "{low = -1, high = 100, color = GREEN}"
        );
        assert_eq!(color.read(&[9, 0, 0, 0]).text(), "9");
    }

    #[test]
    fn a_type_that_does_not_fit_is_not_read() {
        let far = structure(4, vec![field("x", u64::MAX, u64::MAX, kind("i32"))]);
        assert_eq!(far.read(&[0; 4]).text(), "{x = ?}");
        assert_eq!(far.read(&[0; 5]), Shown::Unreadable);
        let none = InputType::Array(Array {
            element: Box::new(kind("i32")),
            stride: 0,
        });
        assert_eq!(none.read(&[0; 4]), Shown::Unreadable);
    }

    #[test]
    fn a_type_is_read_back_from_json() {
        let point = structure(4, vec![field("x", 0, 32, kind("i32"))]);
        let json = serde_json::to_value(&point).expect("it can be written");
        assert_eq!(
            json,
            json!({"name": "struct s", "size": 4,
                   "fields": [{"name": "x", "offset": 0, "bits": 32, "type": "i32"}]})
        );
        let back: InputType = serde_json::from_value(json).expect("it can be read");
        assert_eq!(back, point);
    }
}
