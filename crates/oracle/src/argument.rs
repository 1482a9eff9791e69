//! What a call with pointers takes and gives.

use crate::cell;
use crate::signature::{Pointee, Signature, Type};
use term::Value;

/// One argument of [`Oracle::perform`](crate::Oracle::perform).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A value, for a parameter that is no pointer.
    Value(Value),
    /// The bytes a pointer points to; text without its NUL.
    Bytes(Vec<u8>),
    /// The null pointer.
    Null,
}

impl Argument {
    /// The value, when it is one.
    pub fn value(&self) -> Option<Value> {
        match self {
            Argument::Value(value) => Some(value.clone()),
            Argument::Bytes(_) | Argument::Null => None,
        }
    }
}

/// What came of [`Oracle::perform`](crate::Oracle::perform).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The result; none of a `void` function.
    pub result: Option<Value>,
    /// For each argument: the bytes behind it after the call, where the function
    /// may have changed them.
    pub changed: Vec<Option<Vec<u8>>>,
}

/// What is wrong with the arguments, if anything.
pub(crate) fn mismatch(signature: &Signature, arguments: &[Argument]) -> Option<String> {
    if let Some(count) = count_mismatch(signature, arguments.len()) {
        return Some(count);
    }
    let pairs = signature.parameters.iter().zip(arguments);
    pairs.into_iter().find_map(|(parameter, argument)| {
        let fits = match argument {
            Argument::Value(value) => parameter.kind.sort() == Some(value.sort()),
            Argument::Bytes(_) | Argument::Null => matches!(parameter.kind, Type::Pointer(_)),
        };
        (!fits).then(|| match argument {
            Argument::Value(value) => sort_mismatch(&parameter.name, value),
            Argument::Bytes(_) | Argument::Null => {
                format!("its parameter `{}` is no pointer", parameter.name)
            }
        })
    })
}

/// What is wrong with the values, if anything.
pub(crate) fn value_mismatch(signature: &Signature, arguments: &[Value]) -> Option<String> {
    if let Some(count) = count_mismatch(signature, arguments.len()) {
        return Some(count);
    }
    let pairs = signature.parameters.iter().zip(arguments);
    pairs
        .into_iter()
        .find(|(parameter, value)| parameter.kind.sort() != Some(value.sort()))
        .map(|(parameter, value)| sort_mismatch(&parameter.name, value))
}

fn count_mismatch(signature: &Signature, found: usize) -> Option<String> {
    let expected = signature.parameters.len();
    (found != expected).then(|| format!("it takes {expected} arguments, not {found}"))
}

fn sort_mismatch(parameter: &str, value: &Value) -> String {
    let sort = value.sort();
    format!("its parameter `{parameter}` does not take a value of sort {sort}")
}

/// The call as messages show it: `find("abc", [4 bytes], null, 3)`.
pub(crate) fn call(signature: &Signature, arguments: &[Argument]) -> String {
    let cells = signature.parameters.iter().zip(arguments);
    let cells: Vec<String> = cells
        .map(|(parameter, argument)| match (argument, parameter.kind) {
            (Argument::Value(value), kind) => cell::print(kind, value),
            (Argument::Null, _) => "null".into(),
            (Argument::Bytes(text), Type::Pointer(Pointee::Text)) if text.len() <= 40 => {
                format!("\"{}\"", text.escape_ascii())
            }
            (Argument::Bytes(bytes), _) => format!("[{} bytes]", bytes.len()),
        })
        .collect();
    format!("{}({})", signature.name, cells.join(", "))
}
