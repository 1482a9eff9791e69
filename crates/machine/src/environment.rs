//! What a program finds around it when it starts: arguments, variables, files.

use std::path::PathBuf;

/// The program's name, as it finds it.
pub const PROGRAM_NAME: &str = "program";

/// What is around a program; by default nothing but its name.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The arguments after the program's name.
    pub arguments: Vec<Argument>,
    /// The environment variables.
    pub variables: Vec<Variable>,
    /// The most bytes that a symbolic standard input may have; without, it is empty.
    pub stdin: Option<usize>,
    /// Symbolic files in the current directory: a name and the most bytes.
    pub files: Vec<(String, usize)>,
    /// Directories of the host that the program may read.
    pub host: Vec<PathBuf>,
    /// Whether the clock shows any time.
    pub symbolic_time: bool,
    /// Peers that sockets are connected to, and the most bytes that each sends.
    pub sockets: (u8, usize),
    /// System calls on a path that may fail although nothing is wrong.
    pub failures: u32,
}

/// Arguments of the program's command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// This one.
    Concrete(Vec<u8>),
    /// One of at most so many characters.
    Symbolic(usize),
    /// Several of at most `length` characters each.
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The greatest length of its value.
    pub length: usize,
}
