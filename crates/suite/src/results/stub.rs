//! What a function without a body gives, as users and files write it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// What a function gives instead of being run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stub {
    /// A new input.
    Symbolic,
    /// Zero, or the null pointer.
    Zero,
    /// Minus one, or the null pointer.
    Fail,
    /// This number.
    Number(i64),
}

impl fmt::Display for Stub {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stub::Symbolic => out.write_str("symbolic"),
            Stub::Zero => out.write_str("zero"),
            Stub::Fail => out.write_str("fail"),
            Stub::Number(number) => number.fmt(out),
        }
    }
}

/// A text that says nothing about what a function gives.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not what a function can give: use symbolic, zero, fail or a number")]
pub struct UnknownStub(String);

impl FromStr for Stub {
    type Err = UnknownStub;

    fn from_str(text: &str) -> Result<Stub, UnknownStub> {
        Ok(match text {
            "symbolic" => Stub::Symbolic,
            "zero" => Stub::Zero,
            "fail" => Stub::Fail,
            number => Stub::Number(number.parse().map_err(|_| UnknownStub(text.to_owned()))?),
        })
    }
}

impl Serialize for Stub {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stub {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Stub, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Stub {
    fn schema_name() -> Cow<'static, str> {
        "Stub".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What a function gives instead of being run.",
            "type": "string",
            "pattern": "^(symbolic|zero|fail|-?[0-9]+)$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stub_is_read_back_from_its_text() {
        for stub in [Stub::Symbolic, Stub::Zero, Stub::Fail, Stub::Number(-7)] {
            assert_eq!(stub.to_string().parse(), Ok(stub));
        }
        assert_eq!("null".parse::<Stub>(), Err(UnknownStub("null".to_owned())));
    }
}
