//! Why a program, or a function of it, cannot be run at all. What goes wrong while it
//! runs is how a path ends, see [`End`](crate::End).

use mixed::oracle::Failure;

/// Why there is nothing to run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// There are more functions than addresses for them.
    #[error("the program has too many functions")]
    TooManyFunctions,
    /// There is no room for all global variables.
    #[error("the program has too many global variables")]
    TooManyGlobals,
    /// The program does not define the function.
    #[error("the function `{0}` has no body")]
    NoBody(String),
    /// A call has not as many arguments as the function has parameters.
    #[error("`{function}` takes {takes} arguments, and there are {given} for it")]
    Arguments {
        /// The function.
        function: String,
        /// How many parameters it has.
        takes: usize,
        /// How many arguments there are.
        given: usize,
    },
    /// The entry function takes or returns a structure by value.
    #[error("`{0}` takes or returns a structure by value; write a main that makes it")]
    StructByValue(String),
    /// A parameter of the entry function is a pointer; what it points to is nobody's
    /// to guess.
    #[error(
        "`{function}` has a parameter that is a pointer, `{parameter}`; write a main that \
         makes what it points to"
    )]
    PointerParameter {
        /// The entry function.
        function: String,
        /// Its parameter.
        parameter: String,
    },
    /// There is no input for a parameter of the entry function.
    #[error("there is no input `{0}`")]
    NoInput(String),
    /// The policy that gives inputs refuses one.
    #[error("{0}")]
    InputRefused(String),
    /// The policy ended the path before its first call.
    #[error("the first call could not be made")]
    FirstCall,
    /// A function is to be run concretely, and the oracle has no types for it.
    #[error("{}`{function}` cannot be run concretely: {reason}", prefix(annotation.as_ref()))]
    NotConcrete {
        /// Where the program says so, if not the user.
        annotation: Option<SourceLine>,
        /// The function.
        function: String,
        /// What of it is not supported.
        reason: String,
    },
    /// A function or variable is to be replaced by what it gives, and cannot give that.
    #[error("`{name}` cannot be replaced: {reason}")]
    NotReplaced {
        /// The function or variable.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// What `EP_PARTITION` says of a function is no partition.
    #[error(
        "{}the partition \"{text}\" of `{function}`: {reason}",
        prefix(Some(place))
    )]
    Partition {
        /// Where it stands.
        place: SourceLine,
        /// What stands there.
        text: String,
        /// The function it is for.
        function: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An external function cannot be had.
    #[error(transparent)]
    Function(#[from] Failure),
}

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct SourceLine {
    /// The file's name; empty where the compiler says none.
    pub file: String,
    /// The line, from 1; 0 where the compiler says none.
    pub line: u32,
}

/// What editors follow to the line.
fn prefix(place: Option<&SourceLine>) -> String {
    place.map_or_else(String::new, |at| format!("{}:{}: ", at.file, at.line))
}
