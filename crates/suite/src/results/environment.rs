//! What is around a program: arguments, variables, files.

use crate::{Input, TestCase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How the names of inputs end that say whether a system call fails.
const FAILURE: &str = "_fail";
/// The input that is what the device of random bytes gives.
const RANDOM: &str = "urandom";

/// What the program finds around it, beside its standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Environment {
    /// The arguments after the program's name.
    pub arguments: Vec<Argument>,
    /// Environment variables with symbolic values.
    pub variables: Vec<Variable>,
    /// The symbolic files `A`, `B` and so on in the current directory.
    pub files: SymbolicFiles,
    /// Directories of the host that the program may read; absolute in reports.
    pub host: Vec<PathBuf>,
    /// Whether the clock shows any time.
    pub symbolic_time: bool,
    /// Symbolic peers of the program's sockets.
    pub sockets: SymbolicFiles,
    /// System calls on a path that may fail although nothing is wrong.
    pub failures: u32,
}

/// Arguments of the program's command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// This one.
    Concrete(String),
    /// One of at most so many characters.
    Symbolic(usize),
    /// From `min` to `max` of at most `length` characters each.
    Several {
        /// The least number of them.
        min: u32,
        /// The greatest.
        max: u32,
        /// The greatest length of each.
        length: usize,
    },
}

/// An environment variable with a symbolic value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The greatest length of its value.
    pub length: usize,
}

/// Symbolic files, or peers of sockets, of one greatest size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SymbolicFiles {
    /// How many there are.
    pub number: u8,
    /// The most bytes that each may have.
    pub length: usize,
}

impl Environment {
    /// Whether a test is about something that the real system cannot be made to do: peers
    /// of sockets, calls that fail.
    pub fn is_only_modelled(&self, case: &TestCase) -> bool {
        let fails = |input: &Input| {
            input.name.ends_with(FAILURE) && input.bytes.iter().any(|&byte| byte != 0)
        };
        self.sockets.number > 0 || self.failures > 0 && case.inputs.iter().any(fails)
    }

    /// Whether a test has bytes of `/dev/urandom`, where the real one gives others to whoever
    /// does not read them itself.
    pub fn has_random_device(case: &TestCase) -> bool {
        case.inputs.iter().any(|input| input.name == RANDOM)
    }

    /// The names of the symbolic files.
    pub fn file_names(&self) -> impl Iterator<Item = String> {
        let number = usize::from(self.files.number);
        ('A'..='Z').take(number).map(String::from)
    }
}
