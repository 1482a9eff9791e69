//! How to read an input's bytes.
//!
//! A `.ktest` file holds bytes without types. The run that made it often knows
//! more (the variable's debug information, the function that asked for the
//! value), and a person reading a test wants `-1`, not `ff ff ff ff`. A kind is
//! one short word, `i32`, so that a run's types fit in a small object of
//! `run.json`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How to read the bytes of an input: as one element, or as an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub enum InputKind {
    /// One byte, false when zero.
    Bool,
    /// A C `char`: a signed byte, or text when there are several.
    Char,
    /// Two's complement integers of this many bytes each (at most 16).
    Signed(u8),
    /// Unsigned integers of this many bytes each (at most 16).
    Unsigned(u8),
    /// IEEE floating point of 4 or 8 bytes each.
    Float(u8),
    /// Addresses of this many bytes each.
    Pointer(u8),
    /// Bytes with no further meaning.
    Bytes,
}

impl InputKind {
    /// C's `int`.
    pub const INT: InputKind = InputKind::Signed(4);

    /// How many bytes one element takes.
    pub fn element_size(self) -> usize {
        match self {
            InputKind::Bool | InputKind::Char | InputKind::Bytes => 1,
            InputKind::Signed(size)
            | InputKind::Unsigned(size)
            | InputKind::Float(size)
            | InputKind::Pointer(size) => usize::from(size),
        }
    }

    /// The kind of value a `__VERIFIER_nondet_*` function returns, by its name.
    ///
    /// The size comes from the value itself, since C's `long` has two.
    pub fn of_nondet(function: &str, size: usize) -> Option<InputKind> {
        let size = u8::try_from(size)
            .ok()
            .filter(|size| (1..=16).contains(size))?;
        match function.strip_prefix("__VERIFIER_nondet_")? {
            "bool" | "_Bool" => Some(InputKind::Bool),
            "char" => Some(InputKind::Char),
            "schar" | "short" | "int" | "long" | "longlong" | "int128" | "loff_t" => {
                Some(InputKind::Signed(size))
            }
            "uchar" | "unsigned_char" | "ushort" | "unsigned_short" | "uint" | "unsigned"
            | "unsigned_int" | "ulong" | "unsigned_long" | "ulonglong" | "uint128" | "size_t"
            | "sector_t" | "pthread_t" | "u8" | "u16" | "u32" | "U32" | "u64" => {
                Some(InputKind::Unsigned(size))
            }
            "float" | "double" => Some(InputKind::Float(size)),
            "pointer" | "pchar" | "charp" | "const_char_pointer" => Some(InputKind::Pointer(size)),
            _ => None,
        }
    }

    /// Whether the sizes named by this kind are ones that can be read.
    pub(crate) fn is_sensible(self) -> bool {
        match self {
            InputKind::Bool | InputKind::Char | InputKind::Bytes => true,
            InputKind::Signed(size) | InputKind::Unsigned(size) => (1..=16).contains(&size),
            InputKind::Float(size) => size == 4 || size == 8,
            InputKind::Pointer(size) => size == 4 || size == 8,
        }
    }
}

impl fmt::Display for InputKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputKind::Bool => out.write_str("bool"),
            InputKind::Char => out.write_str("char"),
            InputKind::Bytes => out.write_str("bytes"),
            InputKind::Signed(size) => write!(out, "i{}", u32::from(*size) * 8),
            InputKind::Unsigned(size) => write!(out, "u{}", u32::from(*size) * 8),
            InputKind::Float(size) => write!(out, "f{}", u32::from(*size) * 8),
            InputKind::Pointer(size) => write!(out, "ptr{}", u32::from(*size) * 8),
        }
    }
}

/// A word that names no kind of input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a kind of input; kinds are bool, char, bytes, i8 to i128, u8 to u128, f32, f64, \
     ptr32, ptr64"
)]
pub struct UnknownKind(String);

impl FromStr for InputKind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<InputKind, UnknownKind> {
        let unknown = || UnknownKind(word.to_string());
        match word {
            "bool" => return Ok(InputKind::Bool),
            "char" => return Ok(InputKind::Char),
            "bytes" => return Ok(InputKind::Bytes),
            _ => {}
        }
        let digits = word
            .find(|letter: char| letter.is_ascii_digit())
            .ok_or_else(unknown)?;
        let (letters, bits) = word.split_at(digits);
        let bits: u8 = bits.parse().map_err(|_| unknown())?;
        if !bits.is_multiple_of(8) {
            return Err(unknown());
        }
        let kind = match letters {
            "i" => InputKind::Signed(bits / 8),
            "u" => InputKind::Unsigned(bits / 8),
            "f" => InputKind::Float(bits / 8),
            "ptr" => InputKind::Pointer(bits / 8),
            _ => return Err(unknown()),
        };
        if kind.is_sensible() {
            Ok(kind)
        } else {
            Err(unknown())
        }
    }
}

impl From<InputKind> for String {
    fn from(kind: InputKind) -> String {
        kind.to_string()
    }
}

impl TryFrom<String> for InputKind {
    type Error = UnknownKind;

    fn try_from(word: String) -> Result<InputKind, UnknownKind> {
        word.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back_from_its_word() {
        let words = [
            "bool", "char", "bytes", "i8", "i24", "i128", "u64", "f32", "f64", "ptr64",
        ];
        for word in words {
            let kind: InputKind = word.parse().expect("each word names a kind");
            assert_eq!(kind.to_string(), word);
        }
    }

    #[test]
    fn a_word_that_names_no_kind_is_refused() {
        for word in [
            "", "i", "i0", "i7", "i136", "f16", "int", "ptr", "x32", "i9999",
        ] {
            assert_eq!(
                word.parse::<InputKind>(),
                Err(UnknownKind(word.to_string())),
                "{word}"
            );
        }
    }
}
