//! What a test case is: the inputs of one run, in the order they were asked for.

use crate::InputKind;
use base::Schedule;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One run's inputs, and the command line it was made for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCase {
    /// The inputs in the order the program asked for them.
    pub inputs: Vec<Input>,
    /// The program's name and its arguments, when the run had any.
    pub args: Vec<Vec<u8>>,
    /// KLEE's `symArgvs`: how many arguments were symbolic (0 in our own tests).
    pub symbolic_args: u32,
    /// KLEE's `symArgvLen`: the length of each symbolic argument.
    pub symbolic_arg_length: u32,
    /// The order in which the threads of the program took turns; empty if it had one.
    #[serde(default)]
    pub schedule: Schedule,
}

/// A named piece of input and the bytes it has in this test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The name given where the input was marked; several inputs may share one.
    pub name: String,
    /// The value, as it lies in the program's memory.
    pub bytes: Vec<u8>,
    /// How to read the bytes, when that is known.
    pub kind: Option<InputKind>,
}

impl TestCase {
    /// A test case with these inputs and no command line.
    pub fn new(inputs: Vec<Input>) -> TestCase {
        TestCase {
            inputs,
            ..TestCase::default()
        }
    }
}

impl Input {
    /// An input of unknown type.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Input {
        Input {
            name: name.into(),
            bytes: bytes.into(),
            kind: None,
        }
    }

    /// The same input with its type known.
    pub fn with_kind(self, kind: InputKind) -> Input {
        Input {
            kind: Some(kind),
            ..self
        }
    }
}

/// The name of a test, `test000001`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestName(String);

impl TestName {
    /// The name of the `number`th test of a run, counted from one.
    pub fn new(number: u64) -> TestName {
        TestName(format!("test{number:06}"))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TestName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
