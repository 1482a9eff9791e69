//! Rooted graphs of objects, as a person draws them.

use crate::bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Objects and where their pointers lead; the first is the root.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ObjectGraph {
    /// The objects, in the order in which they were met.
    pub objects: Vec<Object>,
    /// The argument whose objects these are, if they are no others; then there are none here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
}

/// One object.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Object {
    /// The name of its type.
    pub type_name: String,
    /// Its fields that are not themselves structures or arrays, by their path:
    /// `data`, `position.x`, `slots[3]`.
    pub fields: Vec<(String, Field)>,
}

/// What a field holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Field {
    /// A whole number.
    Number(i128),
    /// A floating-point number.
    Float(f64),
    /// The null pointer.
    Null,
    /// A pointer to the object of this number.
    To(usize),
    /// So many bytes into the object of this number: a pointer to a part of it, or a
    /// number that has a pointer in its upper bits. Addresses themselves are never
    /// kept, for they are others in every run.
    Inside(usize, u64),
    /// A pointer to the function of this name.
    Function(String),
    /// A pointer to what is none of the objects, or no longer.
    Elsewhere,
    /// Nobody has looked at it: it may be anything.
    Untouched,
    /// One of these bytes, in a text of which a grammar tells the shape.
    OneOf(Bytes),
}

impl Object {
    /// The field of that path; one that is not mentioned is untouched.
    pub fn field(&self, path: &str) -> &Field {
        let found = self.fields.iter().find(|(name, _)| name == path);
        found.map_or(&Field::Untouched, |(_, field)| field)
    }
}

impl Field {
    /// A pointer so many bytes into an object.
    pub fn at(object: usize, offset: u64) -> Field {
        match offset {
            0 => Field::To(object),
            _ => Field::Inside(object, offset),
        }
    }

    /// The object that an address is in, and how far, if it is one.
    pub fn place(&self) -> Option<(usize, u64)> {
        match *self {
            Field::To(object) => Some((object, 0)),
            Field::Inside(object, offset) => Some((object, offset)),
            Field::Number(_)
            | Field::Float(_)
            | Field::Null
            | Field::Function(_)
            | Field::Elsewhere
            | Field::Untouched
            | Field::OneOf(_) => None,
        }
    }

    /// The value as a person writes it.
    pub fn text(&self) -> String {
        match self {
            Field::Number(number) => number.to_string(),
            Field::Float(number) => format!("{number:?}"),
            Field::Null => "null".to_owned(),
            Field::To(object) => format!("@{object}"),
            Field::Inside(object, offset) => format!("@{object}+{offset}"),
            Field::Function(name) => format!("&{name}"),
            Field::Elsewhere => "elsewhere".to_owned(),
            Field::Untouched => "?".to_owned(),
            Field::OneOf(bytes) => bytes.to_string(),
        }
    }
}

impl ObjectGraph {
    /// A line for each object.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(other) = self.same_as {
            let _ = writeln!(text, "the objects of argument {other}");
        }
        for (number, object) in self.objects.iter().enumerate() {
            let fields = object.fields.iter();
            let fields: Vec<String> = fields
                .map(|(name, field)| format!("{name} = {}", field.text()))
                .collect();
            let _ = writeln!(
                text,
                "@{number} {} {{ {} }}",
                object.type_name,
                fields.join(", ")
            );
        }
        text
    }
}
