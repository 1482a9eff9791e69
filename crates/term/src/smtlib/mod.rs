//! SMT-LIB 2.6 scripts as commands on terms.
//!
//! The reader takes quantifier-free problems over bit-vectors, arrays of them,
//! floating point, integers, reals, strings, regular languages and
//! uninterpreted functions. Definitions are expanded. What it does not know it
//! refuses by name and place. Text of any size and depth is read without
//! recursion.
//!
//! Where SMT-LIB leaves a result open (`(div x 0)`, `fp.to_sbv` of NaN …) and
//! our operators fix it, the term applies a function nobody else uses (its
//! name begins with `@`) in those cases, so that an answer to the terms is an
//! answer to the script.
//!
//! ```
//! use term::{Store, smtlib};
//!
//! let mut store = Store::new();
//! let text = "(declare-const x (_ BitVec 8))\n(assert (bvult x #x10))\n(check-sat)";
//! let script = smtlib::parse(&mut store, text).unwrap();
//! assert_eq!(script.commands.len(), 3);
//!
//! let error = smtlib::parse(&mut store, "(assert\n (and true x))").unwrap_err();
//! assert_eq!(error.to_string(), "2:12: unknown symbol `x`");
//! ```

mod apply;
mod builtin;
mod commands;
mod floats;
mod indexed;
mod lexer;
mod literals;
mod numbers;
pub(crate) mod partial;
mod scope;
mod sorts;
mod terms;

use crate::store::{Function, Store, Term, Variable};
use crate::typing::LanguageDepths;
use lexer::{Fault, Lexer};
use scope::Scope;

/// What a script says, command by command.
#[derive(Clone, PartialEq, Debug)]
pub struct Script {
    /// The commands, up to `exit` if there is one.
    pub commands: Vec<Located>,
}

/// A command and where its parenthesis opens.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// The line, from one.
    pub line: u32,
    /// The column, in characters from one.
    pub column: u32,
    /// The command.
    pub command: Command,
}

/// A command of a script, its terms built.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `set-logic`, with the logic's name.
    SetLogic(String),
    /// `set-option`, with the keyword without its colon and the value.
    SetOption(String, String),
    /// `set-info`, with the keyword without its colon and the value.
    SetInfo(String, String),
    /// `declare-const`, or `declare-fun` without parameters.
    DeclareVariable(Variable),
    /// `declare-fun` with parameters.
    DeclareFunction(Function),
    /// `define-fun`, `define-const` or `define-sort`, with the defined name;
    /// the terms that use it hold the definition.
    Define(String),
    /// `assert`.
    Assert {
        /// What holds from here on.
        term: Term,
        /// The name given by `:named`.
        name: Option<String>,
    },
    /// `check-sat`.
    CheckSat,
    /// `check-sat-assuming`.
    CheckSatAssuming(Vec<Term>),
    /// `get-model`.
    GetModel,
    /// `get-value`, each term with its text.
    GetValue(Vec<(String, Term)>),
    /// `get-unsat-core`.
    GetUnsatCore,
    /// `push`, by so many levels.
    Push(u32),
    /// `pop`, by so many levels.
    Pop(u32),
    /// `echo`.
    Echo(String),
    /// `reset`.
    Reset,
    /// `reset-assertions`.
    ResetAssertions,
    /// `exit`.
    Exit,
    /// `get-info`, with the keyword without its colon.
    GetInfo(String),
    /// `get-option`, with the keyword without its colon.
    GetOption(String),
    /// A command that is well-formed but has no meaning here, by name.
    Unsupported(String),
}

/// Why a text is not a script this reader takes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// The line, from one.
    pub line: u32,
    /// The column, in characters from one.
    pub column: u32,
    /// What is wrong there.
    pub message: String,
}

/// The commands of `text`, their terms built in `store`.
pub fn parse(store: &mut Store, text: &str) -> Result<Script, ParseError> {
    let mut reader = Reader {
        store,
        lexer: Lexer::new(text),
        scope: Scope::default(),
        numerals_are_real: false,
        depths: LanguageDepths::default(),
        command: 0,
        frames: Vec::new(),
        operands: Vec::new(),
        arguments: Vec::new(),
        names: Vec::new(),
        locals: Vec::new(),
        assertion_name: None,
    };
    reader.script().map_err(|Fault { at, message }| {
        let (line, column) = lexer::line_and_column(text, at);
        ParseError {
            line,
            column,
            message: message.into_owned(),
        }
    })
}

/// Whether the symbol means something in one of the theories.
pub(crate) fn is_theory_symbol(name: &str) -> bool {
    builtin::find(name).is_some() || indexed::is_indexed(name)
}

/// Whether the word is no symbol unless quoted.
pub(crate) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "_" | "!"
            | "as"
            | "let"
            | "exists"
            | "forall"
            | "match"
            | "par"
            | "BINARY"
            | "DECIMAL"
            | "HEXADECIMAL"
            | "NUMERAL"
            | "STRING"
    ) || is_command(word)
}

fn is_command(word: &str) -> bool {
    ["declare-", "define-", "get-", "set-", "check-sat", "reset"]
        .iter()
        .any(|prefix| word.starts_with(prefix))
        || matches!(word, "assert" | "echo" | "exit" | "pop" | "push")
}

/// A script being read.
struct Reader<'a, 's> {
    store: &'s mut Store,
    lexer: Lexer<'a>,
    scope: Scope<'a>,
    /// Whether `1` is a real number, as in the logics of reals alone.
    numerals_are_real: bool,
    depths: LanguageDepths,
    /// Where the command being read opens.
    command: usize,
    /// What is open around the term being read, the innermost last.
    frames: Vec<terms::Frame>,
    operands: Vec<terms::Operand>,
    /// The arguments of the application being built; kept for its space.
    arguments: Vec<Term>,
    /// The names being bound by `let`s that still read their bindings.
    names: Vec<&'a str>,
    /// What the names bound by `let`s meant before.
    locals: Vec<(&'a str, Option<scope::Meaning>)>,
    /// The name given to the outermost term.
    assertion_name: Option<&'a str>,
}
