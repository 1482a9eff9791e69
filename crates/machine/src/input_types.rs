//! What the inputs of a program are in its source.
//!
//! A program marks bytes as an input. Where they belong to a variable, or to what a variable
//! points to, the debug information says what they are, and a person can be shown a `struct
//! point` instead of eight bytes. Nothing here changes where a path goes.

use program::TypeId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Inputs whose types are noted: a program may make up a name for each.
const MOST_INPUTS: usize = 10_000;

/// The types of inputs. One name may have several.
#[derive(Default)]
pub struct InputTypes(BTreeSet<(Rc<str>, TypeId, u64)>);

impl InputTypes {
    /// The inputs by name, each with the type of its elements and its size in bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&str, TypeId, u64)> {
        self.0.iter().map(|(name, of, size)| (&**name, *of, *size))
    }

    /// Whether no more are noted.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MOST_INPUTS
    }

    pub(crate) fn note(&mut self, name: &str, of: TypeId, size: u64) {
        self.0.insert((name.into(), of, size));
    }
}
