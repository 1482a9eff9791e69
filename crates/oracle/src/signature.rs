//! What external functions take and give back.
//!
//! One [`Type`] serves C functions and the functions of models: the sorts of
//! `term` that tables can hold, with the signedness C adds to bit-vectors, and
//! pointers to bytes. Which of them native code can be called with is the
//! question of [`Type::is_native`].

use std::fmt;
use std::str::FromStr;
use term::{FpFormat, MAX_WIDTH, Sort};

/// The type of a parameter or of a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No value at all, as a result.
    Void,
    /// Truth values; C's `bool`.
    Bool,
    /// Two's complement integers of this many bits.
    Signed(u16),
    /// Unsigned integers of this many bits.
    Unsigned(u16),
    /// IEEE numbers of this format.
    Float(FpFormat),
    /// The integers without bounds.
    Int,
    /// The rational numbers.
    Real,
    /// Strings of code points.
    String,
    /// The address of bytes.
    Pointer(Pointee),
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pointee {
    /// A NUL-terminated string that is only read.
    Text,
    /// An array that is only read.
    Const,
    /// An array that may be changed.
    Mutable,
}

impl Type {
    /// C's `float`.
    pub const FLOAT: Type = Type::Float(FpFormat::SINGLE);
    /// C's `double`.
    pub const DOUBLE: Type = Type::Float(FpFormat::DOUBLE);
    /// C's `long double` on x86.
    pub const LONG_DOUBLE: Type = Type::Float(FpFormat::X87);

    /// The sort of the values of this type; none for pointers and `void`.
    pub fn sort(self) -> Option<Sort> {
        match self {
            Type::Void | Type::Pointer(_) => None,
            Type::Bool => Some(Sort::Bool),
            Type::Signed(width) | Type::Unsigned(width) => Some(Sort::Bv(width)),
            Type::Float(format) => Some(Sort::Fp(format)),
            Type::Int => Some(Sort::Int),
            Type::Real => Some(Sort::Real),
            Type::String => Some(Sort::String),
        }
    }

    /// The type that holds the values of a sort; bit-vectors count as signed.
    pub fn of_sort(sort: Sort) -> Option<Type> {
        match sort {
            Sort::Bool => Some(Type::Bool),
            Sort::Bv(width) => Some(Type::Signed(width)),
            Sort::Fp(format) => Some(Type::Float(format)),
            Sort::Int => Some(Type::Int),
            Sort::Real => Some(Type::Real),
            Sort::String => Some(Type::String),
            Sort::RoundingMode | Sort::Array { .. } | Sort::RegLan => None,
        }
    }
}

/// Prints the name that tables and messages use: `i32`, `double`, `const char*`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Type::Void => f.write_str("void"),
            Type::Bool => f.write_str("Bool"),
            Type::Signed(width) => write!(f, "i{width}"),
            Type::Unsigned(width) => write!(f, "u{width}"),
            Type::FLOAT => f.write_str("float"),
            Type::DOUBLE => f.write_str("double"),
            Type::LONG_DOUBLE => f.write_str("long double"),
            Type::Float(FpFormat { eb, sb }) => write!(f, "fp{eb}.{sb}"),
            Type::Int => f.write_str("Int"),
            Type::Real => f.write_str("Real"),
            Type::String => f.write_str("String"),
            Type::Pointer(Pointee::Text) => f.write_str("const char*"),
            Type::Pointer(Pointee::Const) => f.write_str("const void*"),
            Type::Pointer(Pointee::Mutable) => f.write_str("void*"),
        }
    }
}

/// A type's name that is none of those [`Type`] prints.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a type: use i8, i16, i32, i64 or u8, u16, u32, u64 for machine integers, \
     float, double, Bool, Int, Real or String"
)]
pub struct UnknownType(pub String);

/// Reads what [`Type`]'s `Display` prints for types that have values.
impl FromStr for Type {
    type Err = UnknownType;

    fn from_str(text: &str) -> Result<Type, UnknownType> {
        let named = match text {
            "Bool" => Some(Type::Bool),
            "float" => Some(Type::FLOAT),
            "double" => Some(Type::DOUBLE),
            "long double" => Some(Type::LONG_DOUBLE),
            "Int" => Some(Type::Int),
            "Real" => Some(Type::Real),
            "String" => Some(Type::String),
            _ => sized(text),
        };
        named.ok_or_else(|| UnknownType(text.to_owned()))
    }
}

fn sized(text: &str) -> Option<Type> {
    if let Some(format) = text.strip_prefix("fp") {
        let (eb, sb) = format.split_once('.')?;
        return FpFormat::new(eb.parse().ok()?, sb.parse().ok()?).map(Type::Float);
    }
    let width = |digits: &str| {
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        let width: u16 = digits.parse().ok().filter(|_| plain)?;
        (1..=MAX_WIDTH).contains(&width).then_some(width)
    };
    match text.split_at_checked(1)? {
        ("i", digits) => width(digits).map(Type::Signed),
        ("u", digits) => width(digits).map(Type::Unsigned),
        _ => None,
    }
}

/// One parameter of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parameter {
    /// Its name in tables and messages.
    pub name: String,
    /// What it takes.
    pub kind: Type,
}

/// A function's name, parameters and result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// The symbol, or whatever the front end calls the function.
    pub name: String,
    /// What it takes, in order.
    pub parameters: Vec<Parameter>,
    /// What it gives back.
    pub result: Type,
}

impl Signature {
    /// The signature with these parameters, given as pairs of name and type.
    pub fn new(name: &str, parameters: &[(&str, Type)], result: Type) -> Signature {
        let parameters = parameters.iter().map(|&(name, kind)| Parameter {
            name: name.to_owned(),
            kind,
        });
        Signature {
            name: name.to_owned(),
            parameters: parameters.collect(),
            result,
        }
    }

    /// Whether all of it has values, so that a table can hold the function.
    pub fn is_tabular(&self) -> bool {
        let has_values = |kind: Type| kind.sort().is_some();
        has_values(self.result) && self.parameters.iter().all(|p| has_values(p.kind))
    }

    /// Whether both take and give the same, whatever the parameters are called.
    pub fn same_types(&self, other: &Signature) -> bool {
        let kinds = |signature: &Signature| -> Vec<Type> {
            signature.parameters.iter().map(|p| p.kind).collect()
        };
        self.result == other.result && kinds(self) == kinds(other)
    }
}

/// Prints it as C declares it: `double atan2(double y, double x)`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}(", self.result, self.name)?;
        for (index, parameter) in self.parameters.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{} {}", parameter.kind, parameter.name)?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_with_values_is_read_back_from_its_name() {
        let formats = [FpFormat::HALF, FpFormat::QUAD].map(Type::Float);
        let machine = [1, 8, 16, 32, 64, 128].map(|w| [Type::Signed(w), Type::Unsigned(w)]);
        let others = [
            Type::Bool,
            Type::FLOAT,
            Type::DOUBLE,
            Type::LONG_DOUBLE,
            Type::Int,
            Type::Real,
            Type::String,
        ];
        let all = formats.iter().chain(machine.as_flattened()).chain(&others);
        for &kind in all {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        for name in [
            "int", "i", "i0", "i+8", "u5000", "fp5", "fp1.1", "void", "", "é",
        ] {
            assert_eq!(name.parse::<Type>(), Err(UnknownType(name.into())));
        }
    }

    #[test]
    fn a_signature_reads_as_in_c() {
        let pointer = Type::Pointer(Pointee::Mutable);
        let modf = Signature::new(
            "modf",
            &[("x", Type::DOUBLE), ("whole", pointer)],
            Type::DOUBLE,
        );
        assert_eq!(modf.to_string(), "double modf(double x, void* whole)");
    }
}
