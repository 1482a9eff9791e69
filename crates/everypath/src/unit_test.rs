//! A program that builds the objects of a path, calls the method on them and checks what has
//! to hold: the error, without Everypath.

mod assertions;
mod build;
mod c;
mod class;
mod containers;
mod rust;

pub use class::{ClassTest, Framework, class_file};

use base::ErrorKind;
use engine::policy::staged::{Effect, Staged};
use program::CompileOptions;
use program::toolchain::{CommandLine, UnitTestBuild};
use program::{FunctionId, Program};
use staged::ObjectGraph;
use std::path::{Path, PathBuf};
use suite::{Input, TestCase};

/// What the program under test is made of.
pub struct Sources<'a> {
    /// Its files.
    pub files: &'a [PathBuf],
    /// Directories of headers.
    pub include: &'a [PathBuf],
    /// Macros to define.
    pub define: &'a [String],
    /// The language standard.
    pub std: Option<&'a str>,
}

/// A test as a file, and how to compile it.
pub struct UnitTest {
    /// `c`, `cpp` or `rs`.
    pub extension: &'static str,
    pub text: String,
    /// The program's files that the test does not include.
    others: Vec<PathBuf>,
    options: CompileOptions,
    /// Whether it needs what programs include of Everypath, and the runtime.
    needs_runtime: bool,
    /// Whether the error shows only when the compiler adds checks.
    needs_sanitizers: bool,
    /// What the compiler is told beside.
    further: &'static [&'static str],
}

/// A call of the method that a test makes again.
pub struct Execution<'a> {
    /// The error it ends in, if it does.
    pub error: Option<ErrorKind>,
    /// What comes of it, if it ends well.
    pub effect: Option<&'a Effect>,
    /// The objects the method is called with.
    pub graphs: &'a [ObjectGraph],
    /// Its other arguments.
    pub case: &'a TestCase,
    /// The name of the function at an address of the machine's.
    pub function_at: &'a dyn Fn(u64) -> Option<String>,
}

impl Execution<'_> {
    /// The arguments that are no objects; those have numbered names.
    fn inputs(&self) -> impl Iterator<Item = &Input> {
        let inputs = self.case.inputs.iter();
        inputs.filter(|input| !input.name.contains('#'))
    }

    /// How a test names the object that an argument leads to.
    fn root(&self, argument: usize) -> String {
        let graph = self.graphs.get(argument);
        object(graph.and_then(|graph| graph.same_as).unwrap_or(argument), 0)
    }

    /// Whether the method frees the object of an argument.
    fn has_freed(&self, argument: usize) -> bool {
        let same = self.graphs.get(argument).and_then(|graph| graph.same_as);
        let argument = same.unwrap_or(argument);
        let after = self.effect.and_then(|effect| effect.after.get(argument));
        after.is_some_and(|after| after.graph.objects.is_empty())
    }
}

impl UnitTest {
    /// What it is compiled with, to be put into its folder.
    pub fn runtime(&self, folder: &Path) -> Vec<(PathBuf, &'static str)> {
        if !self.needs_runtime {
            return Vec::new();
        }
        let include = folder.join("include");
        let headers = machine::runtime::HEADERS.iter();
        let headers = headers.map(|(name, text)| (include.join(name), *text));
        let replay = (folder.join("replay.c"), machine::runtime::REPLAY);
        headers.chain([replay]).collect()
    }

    /// How a person compiles the test, once it is written to this path. What it needs
    /// of Everypath is in the same folder.
    pub fn command(&self, path: &Path) -> CommandLine {
        let beside = |name| path.with_file_name(name);
        let headers = self.needs_runtime.then(|| beside("include"));
        let runtime = self.needs_runtime.then(|| beside("replay.c"));
        let build = UnitTestBuild {
            test: path,
            others: &self.others,
            options: &CompileOptions {
                headers,
                ..self.options.clone()
            },
            runtime: runtime.as_deref(),
            sanitize: self.needs_sanitizers,
        };
        build.command().args(self.further.iter().copied())
    }
}

/// The test, if the program is C and C++ as a whole, or one file of Rust.
pub fn write(
    program: &Program,
    sources: &Sources<'_>,
    staged: &Staged<'_>,
    execution: &Execution<'_>,
) -> Option<UnitTest> {
    let is_rust = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "rs");
    if sources.files.iter().all(is_rust) {
        return rust::write(program, sources, staged, execution);
    }
    c::write(program, sources, staged, execution)
}

/// Whether the program includes what needs the runtime.
fn needs_runtime(program: &Program) -> bool {
    program.source.files.iter().any(|file| {
        let path = &file.path;
        path.ends_with("/include/everypath.h") || path.ends_with("/include/klee/klee.h")
    })
}

/// Whether an error of this kind may go unnoticed natively unless the compiler adds
/// checks.
fn needs_sanitizers(kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::OutOfBoundsRead
        | ErrorKind::OutOfBoundsWrite
        | ErrorKind::NullDereference
        | ErrorKind::UseAfterFree
        | ErrorKind::UseAfterReturn
        | ErrorKind::UseAfterScope
        | ErrorKind::DoubleFree
        | ErrorKind::InvalidFree
        | ErrorKind::WriteToConstant
        | ErrorKind::Division
        | ErrorKind::Shift
        | ErrorKind::IndexOutOfBounds
        | ErrorKind::Misaligned
        | ErrorKind::Overlap
        | ErrorKind::Format
        | ErrorKind::SignedOverflow
        | ErrorKind::UnsignedOverflow
        | ErrorKind::PointerOverflow
        | ErrorKind::InvalidValue
        | ErrorKind::FloatCast
        | ErrorKind::LossyConversion
        | ErrorKind::MissingReturn
        | ErrorKind::NullArgument
        | ErrorKind::VlaBound
        | ErrorKind::Unreachable
        | ErrorKind::Leak
        | ErrorKind::BadCall => true,
        ErrorKind::Assert
        | ErrorKind::Abort
        | ErrorKind::UncaughtException
        | ErrorKind::Panic
        | ErrorKind::Uninitialised
        | ErrorKind::StackOverflow
        | ErrorKind::NativeCrash
        | ErrorKind::DataRace
        | ErrorKind::Deadlock
        | ErrorKind::LostWakeUp
        | ErrorKind::LockMisuse
        | ErrorKind::Invariant
        | ErrorKind::Postcondition
        | ErrorKind::Endless
        | ErrorKind::OtherInputs
        | ErrorKind::Unsupported
        | ErrorKind::Internal => false,
    }
}

/// Seconds after which a test of what does not end is ended.
const ENDLESS_SECONDS: u32 = 2;

/// How many parameters a function has in the source.
fn parameters(program: &Program, function: FunctionId) -> usize {
    let function = &program.functions[function.index()];
    let source = function.source.map(|id| program.source.function(id));
    let registers = &program.signatures[function.signature.index()].parameters;
    source.map_or(registers.len(), |source| source.parameters.len())
}

fn object(graph: usize, number: usize) -> String {
    format!("object{graph}_{number}")
}
