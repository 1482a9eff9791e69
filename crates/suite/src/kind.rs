//! How to read an input's bytes.
//!
//! A `.ktest` file holds bytes without types. The run that made it often knows
//! more (the variable's debug information, the function that asked for the
//! value), and a person reading a test wants `-1`, not `ff ff ff ff`. A kind is
//! one short word, `i32`, so that a run's types fit in a small object of
//! `run.json`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Input, InputType, TestCase};

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
            "short" | "int" | "long" | "longlong" | "int128" | "loff_t" => {
                Some(InputKind::Signed(size))
            }
            "uchar" | "unsigned_char" | "ushort" | "uint" | "unsigned" | "ulong" | "ulonglong"
            | "uint128" | "size_t" | "sector_t" | "pthread_t" | "u8" | "u16" | "u32" | "U32" => {
                Some(InputKind::Unsigned(size))
            }
            "float" | "double" => Some(InputKind::Float(size)),
            "pointer" | "pchar" => Some(InputKind::Pointer(size)),
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

/// What a run knows of its inputs' types, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct InputTypes(BTreeMap<String, InputType>);

impl InputTypes {
    /// Notes how to read an input; a name used for two types means bytes.
    pub fn note(&mut self, name: &str, kind: InputKind) {
        self.note_type(name, InputType::Kind(kind));
    }

    /// The same of an input that is more than numbers.
    pub fn note_type(&mut self, name: &str, what: InputType) {
        match self.0.get_mut(name) {
            None => {
                self.0.insert(name.to_string(), what);
            }
            Some(known) if *known != what => *known = InputType::Kind(InputKind::Bytes),
            Some(_) => {}
        }
    }

    /// Notes the types that are known of the inputs of a test.
    pub fn note_all(&mut self, case: &TestCase) {
        for input in &case.inputs {
            if let Some(kind) = input.kind {
                self.note(&input.name, kind);
            }
        }
    }

    /// Notes what another run of the same program knows.
    pub fn merge(&mut self, other: &InputTypes) {
        for (name, what) in &other.0 {
            self.note_type(name, what.clone());
        }
    }

    /// Gives the inputs of a test the types that are known of them.
    pub fn annotate(&self, case: &mut TestCase) {
        for input in &mut case.inputs {
            input.kind = input.kind.or_else(|| match self.0.get(&input.name)? {
                InputType::Kind(kind) => Some(*kind),
                _ => None,
            });
        }
    }

    /// Whether no type is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What an input is: what it says itself, what the run knows, or what its name tells.
    ///
    /// A type that does not fit the input's length is not used.
    pub fn type_of(&self, input: &Input) -> Option<InputType> {
        let size = input.bytes.len();
        let known = self.0.get(&input.name);
        let what = match (input.kind, known) {
            // Names of values say more than the number that they are.
            (Some(kind), Some(InputType::Enumeration(it))) if it.kind == kind => known.cloned(),
            (Some(kind), _) => Some(InputType::Kind(kind)),
            (None, Some(known)) => Some(known.clone()),
            (None, None) => InputKind::of_nondet(&input.name, size).map(InputType::Kind),
        };
        what.filter(|what| what.fits(size))
    }

    /// The same where it is all numbers of one kind.
    pub fn kind_of(&self, input: &Input) -> Option<InputKind> {
        match self.type_of(input)? {
            InputType::Kind(kind) => Some(kind),
            InputType::Enumeration(it) => Some(it.kind),
            InputType::Structure(_) | InputType::Array(_) => None,
        }
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

    #[test]
    fn a_name_used_for_two_types_is_read_as_bytes() {
        let mut types = InputTypes::default();
        types.note("x", InputKind::INT);
        types.note("x", InputKind::INT);
        types.note("y", InputKind::INT);
        types.note("y", InputKind::Float(4));
        let kind = |name: &str| types.kind_of(&Input::new(name, [0; 4]));
        assert_eq!(kind("x"), Some(InputKind::INT));
        assert_eq!(kind("y"), Some(InputKind::Bytes));
    }

    #[test]
    fn the_name_of_a_nondet_function_tells_the_kind() {
        let types = InputTypes::default();
        let kind = |name: &str, size: usize| types.kind_of(&Input::new(name, vec![0; size]));
        assert_eq!(
            kind("__VERIFIER_nondet_uint", 4),
            Some(InputKind::Unsigned(4))
        );
        assert_eq!(
            kind("__VERIFIER_nondet_long", 8),
            Some(InputKind::Signed(8))
        );
        assert_eq!(
            kind("__VERIFIER_nondet_double", 8),
            Some(InputKind::Float(8))
        );
        assert_eq!(kind("__VERIFIER_nondet_bool", 1), Some(InputKind::Bool));
        assert_eq!(kind("__VERIFIER_nondet_memory", 8), None);
        assert_eq!(kind("x", 4), None);
    }

    #[test]
    fn a_kind_that_does_not_fit_the_length_is_not_used() {
        let types = InputTypes::default();
        let input = Input::new("x", vec![0; 6]).with_kind(InputKind::INT);
        assert_eq!(types.kind_of(&input), None);
    }
}
