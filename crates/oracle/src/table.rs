//! What has been observed of a function: every pair of arguments and result.
//!
//! A [`FunctionTable`] holds each list of arguments once, in the order they
//! came, and never two results for one. On disk it is a CSV file that a person
//! can read and edit; see [`FunctionTable::load`].

mod file;

pub use file::{Column, TableError, TableProblem};

use crate::cell;
use crate::signature::Signature;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;
use term::Value;

/// The observed pairs of one function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionTable {
    signature: Signature,
    pairs: IndexMap<Vec<Value>, Value, FxBuildHasher>,
}

impl FunctionTable {
    /// A table without pairs; none for a function with pointers or without result.
    pub fn new(signature: Signature) -> Option<FunctionTable> {
        signature.is_tabular().then(|| FunctionTable {
            signature,
            pairs: IndexMap::default(),
        })
    }

    /// The function it is about.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The result observed for these arguments.
    #[inline]
    pub fn get(&self, arguments: &[Value]) -> Option<&Value> {
        self.pairs.get(arguments)
    }

    /// Adds a pair; a pair that is there already changes nothing.
    pub fn insert(&mut self, arguments: Vec<Value>, result: Value) -> Result<(), InsertError> {
        self.check_sorts(&arguments, &result)?;
        match self.pairs.entry(arguments) {
            Entry::Occupied(entry) if *entry.get() != result => Err(InsertError::Contradiction {
                call: call(&self.signature, entry.key()),
                known: cell::print(self.signature.result, entry.get()),
                new: cell::print(self.signature.result, &result),
            }),
            Entry::Occupied(_) => Ok(()),
            Entry::Vacant(entry) => {
                entry.insert(result);
                Ok(())
            }
        }
    }

    fn check_sorts(&self, arguments: &[Value], result: &Value) -> Result<(), InsertError> {
        let kinds = self.signature.parameters.iter().map(|p| p.kind);
        let kinds = kinds.chain([self.signature.result]);
        let sorts = arguments.iter().chain([result]).map(Value::sort);
        if kinds.map(|kind| kind.sort()).eq(sorts.map(Some)) {
            Ok(())
        } else {
            let signature = self.signature.to_string();
            Err(InsertError::Sorts { signature })
        }
    }

    /// The pairs in the order they came.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[Value], &Value)> {
        self.pairs
            .iter()
            .map(|(arguments, result)| (&arguments[..], result))
    }

    /// The pair that came as this one, counted from zero.
    pub fn row(&self, number: usize) -> Option<(&[Value], &Value)> {
        let (arguments, result) = self.pairs.get_index(number)?;
        Some((arguments, result))
    }

    /// Which of the pairs has these arguments.
    pub fn position(&self, arguments: &[Value]) -> Option<usize> {
        self.pairs.get_index_of(arguments)
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// The call as messages show it: `hash(3, 0.5)`.
pub(crate) fn call(signature: &Signature, arguments: &[Value]) -> String {
    let cells = signature.parameters.iter().zip(arguments);
    let cells: Vec<String> = cells
        .map(|(parameter, value)| match value {
            Value::Str(_) => format!("\"{}\"", cell::print(parameter.kind, value)),
            _ => cell::print(parameter.kind, value),
        })
        .collect();
    format!("{}({})", signature.name, cells.join(", "))
}

/// Why a pair does not go into a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InsertError {
    /// The table has another result for these arguments.
    #[error("{call} cannot be both {known} and {new}")]
    Contradiction {
        /// The call, with its arguments.
        call: String,
        /// The result in the table.
        known: String,
        /// The other result.
        new: String,
    },
    /// The values are not of the function's types.
    #[error("the values are not of the types of `{signature}`")]
    Sorts {
        /// The function.
        signature: String,
    },
}
