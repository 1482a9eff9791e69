//! What a run knows of its inputs, by name.

use crate::{Input, InputKind, InputType, TestCase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The types of inputs, by name.
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
