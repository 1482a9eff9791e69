//! The types of models, and how their values lie side by side as terms.
//!
//! A value is a row of *leaves*, each of a sort that `term` knows: an array is
//! its elements one after the other, a record its fields. An enumeration is the
//! number of its value. So every array may be indexed by a term, whatever its
//! elements are, and every type goes through channels, tables and functions.
//!
//! Lists, sets, maps and enumerations with data are records too, of another [`Shape`]. Each of
//! their values has one row of leaves: what is not used has the value that variables begin as,
//! so that equal values are equal leaf by leaf.

use mixed::oracle;
use std::fmt;
use term::{FpFormat, Sort, Value};

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// Truth values.
    Bool,
    /// The integers.
    Int,
    /// Integers of so many bits; arithmetic wraps.
    Bits {
        /// How many.
        width: u16,
        /// Whether the first is a sign.
        signed: bool,
    },
    /// The real numbers.
    Real,
    /// IEEE doubles.
    Float,
    /// Strings.
    String,
    /// One of these names.
    Enumeration(std::rc::Rc<Enumeration>),
    /// So many values of one type.
    Array(Box<Type>, usize),
    /// Named values.
    Record(std::rc::Rc<Record>),
}

/// An enumeration's name and values.
#[derive(PartialEq, Eq, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<String>,
}

/// A record's name and fields.
#[derive(PartialEq, Eq, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its fields, in order.
    pub fields: Vec<(String, Type)>,
    /// What the fields are of.
    pub shape: Shape,
}

/// What the fields of a record are of.
#[derive(PartialEq, Eq, Debug)]
pub enum Shape {
    /// Values side by side.
    Fields,
    /// How many elements there are, and an array of them.
    List,
    /// A list whose elements are in order, and each there once.
    Set,
    /// How many keys there are, an array of them as that of a set, and one of their values.
    Map,
    /// Which value of an enumeration it is, and its data. By value: the fields it has.
    Variants(Vec<Vec<usize>>),
}

impl Record {
    /// How many elements a list, a set or a map has at most.
    pub fn capacity(&self) -> usize {
        match self.fields.get(1) {
            Some((_, Type::Array(_, length))) => *length,
            _ => 0,
        }
    }

    /// The names of the values, for an enumeration with data.
    pub fn variants(&self) -> &[String] {
        match (&self.shape, self.fields.first()) {
            (Shape::Variants(_), Some((_, Type::Enumeration(kind)))) => &kind.values,
            _ => &[],
        }
    }

    /// The leaves of each field.
    pub fn split<'l, T>(&self, mut leaves: &'l [T]) -> Vec<&'l [T]> {
        let mut parts = Vec::with_capacity(self.fields.len());
        for (_, ty) in &self.fields {
            let (part, rest) = leaves.split_at(ty.size());
            parts.push(part);
            leaves = rest;
        }
        parts
    }
}

impl Type {
    /// How many leaves a value has.
    pub fn size(&self) -> usize {
        match self {
            Type::Array(element, length) => element.size() * length,
            Type::Record(record) => record.fields.iter().map(|(_, ty)| ty.size()).sum(),
            _ => 1,
        }
    }

    /// The types of the leaves.
    pub fn leaves(&self) -> Vec<Type> {
        match self {
            Type::Array(element, length) => {
                let one = element.leaves();
                (0..*length).flat_map(|_| one.iter().cloned()).collect()
            }
            Type::Record(record) => {
                let fields = record.fields.iter();
                fields.flat_map(|(_, ty)| ty.leaves()).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// The names of the leaves of a value called `name`: `v[0].x`.
    pub fn leaf_names(&self, name: &str) -> Vec<String> {
        match self {
            Type::Array(element, length) => (0..*length)
                .flat_map(|index| element.leaf_names(&format!("{name}[{index}]")))
                .collect(),
            Type::Record(record) => {
                let fields = record.fields.iter();
                fields
                    .flat_map(|(field, ty)| ty.leaf_names(&format!("{name}.{field}")))
                    .collect()
            }
            _ => vec![name.to_owned()],
        }
    }

    /// The sort of a leaf.
    pub fn sort(&self) -> Sort {
        match self {
            Type::Bool => Sort::Bool,
            Type::Int | Type::Enumeration(_) => Sort::Int,
            Type::Bits { width, .. } => Sort::Bv(*width),
            Type::Real => Sort::Real,
            Type::Float => Sort::Fp(FpFormat::DOUBLE),
            Type::String => Sort::String,
            Type::Array(..) | Type::Record(_) => unreachable!("it is not a leaf"),
        }
    }

    /// What the oracle calls the type of a leaf.
    pub(crate) fn external(&self) -> oracle::Type {
        match self {
            Type::Bits {
                width,
                signed: false,
            } => oracle::Type::Unsigned(*width),
            _ => oracle::Type::of_sort(self.sort()).expect("tables hold every leaf"),
        }
    }

    /// The values variables have unless told.
    pub fn default_values(&self) -> Vec<Value> {
        let leaves = self.leaves();
        leaves
            .iter()
            .map(|leaf| Value::default_of(leaf.sort()))
            .collect()
    }

    /// The type with its article, for messages: `an Int`.
    pub fn with_article(&self) -> String {
        let name = self.to_string();
        match name.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) {
            true => format!("an {name}"),
            false => format!("a {name}"),
        }
    }

    /// Whether its values are in an order, so that sets of them are possible.
    pub fn is_ordered(&self) -> bool {
        matches!(
            self,
            Type::Int | Type::Bits { .. } | Type::Real | Type::String | Type::Enumeration(_)
        )
    }

    /// Whether it is a type that numbers are of.
    pub fn is_number(&self) -> bool {
        matches!(
            self,
            Type::Int | Type::Bits { .. } | Type::Real | Type::Float
        )
    }
}

/// Prints the type as models write it.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("Bool"),
            Type::Int => f.write_str("Int"),
            Type::Bits { width, signed } => {
                let name = if *signed { "Int" } else { "UInt" };
                write!(f, "{name}<{width}>")
            }
            Type::Real => f.write_str("Real"),
            Type::Float => f.write_str("Float"),
            Type::String => f.write_str("String"),
            Type::Enumeration(enumeration) => f.write_str(&enumeration.name),
            Type::Record(record) => f.write_str(&record.name),
            Type::Array(element, length) => {
                // `Int[2][3]` is two rows of three.
                let (mut inner, mut lengths) = (element.as_ref(), format!("[{length}]"));
                while let Type::Array(element, length) = inner {
                    lengths += &format!("[{length}]");
                    inner = element;
                }
                write!(f, "{inner}{lengths}")
            }
        }
    }
}
