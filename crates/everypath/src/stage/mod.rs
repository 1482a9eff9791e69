//! `everypath stage`: an invariant explored once, and methods tested with what
//! it found.

mod build;
mod class;
mod diff;
mod fingerprint;
mod first;
mod method;
mod shapes;
mod show;
mod suites;

pub use build::{FirstStage, resume};
pub use method::{objects_at_once, objects_of_suites, options, run_at_once};
pub use suites::reader;

use crate::Outcome;
use crate::error::Error;
use crate::path_range;
use crate::run;
use crate::unit_test::Framework;
use base::Stop;
use engine::PathRange;
use engine::policy::staged::structure_called;
use program::Program;
use staged::{BoundError, Bounds};
use std::path::PathBuf;

/// Tests methods on all valid objects, which are found once from an invariant.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Stage,
}

#[derive(clap::Subcommand)]
enum Stage {
    /// Tests all methods of a structure on all its valid objects.
    #[command(after_help = "Example:
  everypath stage test tree.c --object SearchTree --invariant repOk --max Node=4")]
    Test(Box<TestArguments>),
    /// Compares two versions of methods on all valid objects.
    #[command(
        after_help = "The first file is the old version, the second the new one; files after them
belong to both. A difference is in what a method returns, what it leaves in its objects,
whether it ends in an error, or what it writes.

Exit status: 0 the versions behave alike; 1 they differ; 2 they could not be compared.

Examples:
  everypath stage diff old.c new.c --object SearchTree --invariant repOk --max Node=4
  everypath stage diff old.c new.c --object SearchTree --invariant repOk --max Node=4 --method add"
    )]
    Diff(Box<ClassArguments>),
    /// Writes the objects that satisfy an invariant, or the shapes of a grammar's words, to a
    /// suite.
    #[command(after_help = "Examples:
  everypath stage build tree.c --object SearchTree --invariant repOk --max Node=4 -o tree.stage
  everypath stage build --grammar calc.bnf --max-length 7 -o calc.stage")]
    // What it writes is its suite.
    #[command(mut_arg("output", |output| output.short(None)))]
    Build(Box<BuildArguments>),
    /// Lists every object that satisfies an invariant, with all concrete values.
    #[command(after_help = "Example:
  everypath stage enumerate tree.c --object SearchTree --invariant repOk --max Node=3 \
      --values 0..3 -o all.stage")]
    #[command(mut_arg("output", |output| output.short(None)))]
    Enumerate(Box<EnumerateArguments>),
    /// Shows the objects of a suite.
    #[command(after_help = "Examples:
  everypath stage show tree.stage
  everypath stage show tree.stage --svg trees.svg
  everypath stage show tree.stage -o trees")]
    Show(ShowArguments),
    /// Tests a method with the objects of suites.
    #[command(after_help = "Examples:
  everypath stage run tree.c --method add --input tree.stage
  everypath stage run tree.c --method isEqual --input tree.stage --input tree.stage")]
    Run(Box<SecondArguments>),
}

#[derive(clap::Args)]
pub struct BuildArguments {
    /// The structure to find objects of.
    #[arg(long, value_name = "TYPE", required_unless_present = "grammar")]
    object: Option<String>,
    /// The function that tells whether an object is valid.
    #[arg(long, value_name = "FUNCTION", required_unless_present = "grammar")]
    invariant: Option<String>,
    /// The most bytes of the words of --grammar.
    #[arg(long, value_name = "N")]
    max_length: Option<usize>,
    /// The file for the suite.
    #[arg(short = 'o', long = "suite", value_name = "FILE")]
    suite: PathBuf,
    #[command(flatten)]
    pub run: run::Arguments,
}

#[derive(clap::Args)]
struct ClassArguments {
    /// The structure whose methods are tested: all functions that take a pointer to it, or
    /// those given with --method, with commas between.
    #[arg(long, value_name = "TYPE")]
    object: String,
    /// The function that tells whether an object is valid.
    #[arg(long, value_name = "FUNCTION")]
    invariant: String,
    /// The file for the suite, which is reused as long as it fits [default: TYPE.stage].
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    #[command(flatten)]
    run: run::Arguments,
}

#[derive(clap::Args)]
struct TestArguments {
    #[command(flatten)]
    class: ClassArguments,
    /// The most tests of each method in the file of unit tests.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    unit_tests: usize,
    /// What runs the unit tests of C++.
    #[arg(long, value_enum, default_value = "plain")]
    framework: Framework,
}

#[derive(clap::Args)]
struct EnumerateArguments {
    /// The values of numbers that have no --range of their own.
    #[arg(long, value_name = "LOW..HIGH")]
    values: String,
    #[command(flatten)]
    build: BuildArguments,
}

#[derive(clap::Args)]
struct ShowArguments {
    /// The suite.
    #[arg(value_name = "SUITE")]
    suite: PathBuf,
    /// Writes the objects as a DOT graph.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Draws the objects, with their conditions, as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draws each object in files of its own, as DOT and as SVG.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct SecondArguments {
    /// A suite for each pointer that the method takes, in order.
    #[arg(long, value_name = "SUITE", required = true)]
    input: Vec<PathBuf>,
    /// Builds the suites again first, within their own bounds.
    #[arg(long)]
    rebuild: bool,
    #[command(flatten)]
    pub run: run::Arguments,
}

/// A stage that other processes take part in.
pub enum ExploredStage {
    First(FirstStage),
    Second(Box<SecondArguments>),
}

impl Arguments {
    /// Lets a stage that other processes take part in know what they read again.
    pub fn remember(&mut self, words: Vec<String>) {
        match &mut self.command {
            Stage::Build(arguments) => arguments.run.words = words,
            Stage::Enumerate(arguments) => arguments.build.run.words = words,
            Stage::Run(arguments) => {
                arguments.run.words = words;
                arguments.run.suites.clone_from(&arguments.input);
            }
            Stage::Test(_) | Stage::Diff(_) | Stage::Show(_) => {}
        }
    }

    /// What such a stage explores; none for another one.
    pub fn into_explored(self) -> Option<ExploredStage> {
        match self.command {
            Stage::Build(arguments) => Some(ExploredStage::First((*arguments).into())),
            Stage::Enumerate(arguments) => Some(ExploredStage::First((*arguments).into())),
            Stage::Run(arguments) => Some(ExploredStage::Second(arguments)),
            Stage::Test(_) | Stage::Diff(_) | Stage::Show(_) => None,
        }
    }
}

/// A method to test, and what has to hold before and after it.
#[derive(clap::Args)]
pub struct MethodArguments {
    /// A method to test instead of a program: its pointers point to symbolic objects,
    /// and its other parameters are inputs.
    #[arg(long, value_name = "FUNCTION")]
    pub method: Option<String>,
    /// A function that must hold for the objects before and after the method; it takes
    /// one of them or several.
    #[arg(long, value_name = "FUNCTION")]
    requires: Vec<String>,
    /// A function that must hold after the method; it takes the arguments and the
    /// result.
    #[arg(long, value_name = "FUNCTION")]
    post: Option<String>,
    /// Methods that may free the objects they are given, of which nothing has to hold then.
    #[arg(long, value_name = "FUNCTION", value_delimiter = ',')]
    frees: Vec<String>,
    /// A method that may keep the objects it is given beside the first; nothing has to hold of
    /// them then.
    #[arg(long, value_name = "FUNCTION", value_delimiter = ',')]
    keeps: Vec<String>,
    /// Has an argument be the object of an earlier one too, where their types allow it.
    #[arg(long)]
    may_alias: bool,
    /// Does not check --requires again after the method.
    #[arg(long)]
    trust_method: bool,
    /// The most objects of a type, Node=4, the most that a field can point to,
    /// Node.left=2, or the most elements of arrays, 'Slot[]=4' or 'Table.slots[]=4'.
    #[arg(long, value_name = "BOUND")]
    max: Vec<String>,
    /// The range of a number in an object, Node.data=0..9; or the paths from one input's
    /// on up to another's and without it, FROM.ktest..TO.ktest.
    #[arg(long, value_name = "BOUND")]
    range: Vec<String>,
    /// The field that tells how many elements a pointer leads to, Table.slots=cap or
    /// Table.slots=mask+1.
    #[arg(long, value_name = "BOUND")]
    length: Vec<String>,
    /// What a `void *` leads to, 'Node.value=int*'.
    #[arg(long = "type", value_name = "TYPE")]
    pointee: Vec<String>,
    /// What lies behind each object of a type, in the memory allocated for it: 'Node=char[8]'.
    #[arg(long, value_name = "BOUND")]
    behind: Vec<String>,
    /// The most instructions of an invariant on one path.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub invariant_budget: u64,
    /// The most instructions of the method on one path; what takes longer is an error.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub method_budget: u64,
}

impl MethodArguments {
    /// Refuses what makes sense with another flag only.
    pub fn refuse(&self, missing: &str) -> Result<(), Error> {
        let given = [
            ("--requires", self.requires.is_empty()),
            ("--post", self.post.is_none()),
            ("--frees", self.frees.is_empty()),
            ("--keeps", self.keeps.is_empty()),
            ("--may-alias", !self.may_alias),
            ("--trust-method", !self.trust_method),
            ("--max", self.max.is_empty()),
            ("--range", self.range.iter().all(|it| is_of_paths(it))),
            ("--length", self.length.is_empty()),
            ("--type", self.pointee.is_empty()),
            ("--behind", self.behind.is_empty()),
        ];
        match given.iter().find(|(_, absent)| !absent) {
            Some((flag, _)) => Err(Error::Usage(format!("{flag} needs {missing}"))),
            None => Ok(()),
        }
    }

    /// The paths between two inputs, if the user wants only those.
    pub fn path_range(&self) -> Result<Option<PathRange>, Error> {
        let texts: Vec<&String> = self.range.iter().filter(|it| is_of_paths(it)).collect();
        match texts[..] {
            [] => Ok(None),
            [text] => path_range::read(text).map(Some),
            _ => Err(Error::Usage("give one --range of paths".to_owned())),
        }
    }

    /// Whether any objects are bounded.
    fn has_bounds(&self) -> bool {
        let all = [
            &self.max,
            &self.range,
            &self.length,
            &self.pointee,
            &self.behind,
        ];
        all.iter().any(|texts| !texts.is_empty())
    }

    fn bounds(&self, program: &Program) -> Result<Bounds, Error> {
        type Add = fn(&mut Bounds, &str) -> Result<(), BoundError>;
        let all: [(&str, &[String], Add); 5] = [
            ("--max", &self.max, Bounds::add_max),
            ("--range", &self.range, Bounds::add_range),
            ("--length", &self.length, Bounds::add_length),
            ("--type", &self.pointee, Bounds::add_type),
            ("--behind", &self.behind, Bounds::add_behind),
        ];
        let mut bounds = Bounds::default();
        for (flag, texts, add) in all {
            for text in texts {
                let added = add(&mut bounds, &with_own_name(program, text));
                added.map_err(|error| Error::Usage(format!("{flag}: {error}")))?;
            }
        }
        Ok(bounds)
    }
}

/// A bound, or the name of a structure, with the structure's own name for another that it
/// goes by.
fn with_own_name(program: &Program, text: &str) -> String {
    let mut depth = 0_usize;
    let mut before = ' ';
    let end = text.find(|sign| {
        match sign {
            '<' => depth += 1,
            // An arrow tells what a function returns.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = sign;
        depth == 0 && matches!(sign, '.' | '[' | '=' | '*')
    });
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    match structure_called(program, name) {
        Some(own) => own + rest,
        None => text.to_owned(),
    }
}

/// Whether a range is one of paths: those of numbers name a field first.
fn is_of_paths(range: &str) -> bool {
    !range.contains('=')
}

/// Runs one of the stages; an error is one message for the user.
pub fn run(arguments: Arguments, stop: &Stop) -> Result<Outcome, Error> {
    match arguments.command {
        Stage::Test(arguments) => class::test(&arguments, stop),
        Stage::Diff(arguments) => diff::diff(&arguments, stop),
        Stage::Build(arguments) => match arguments.run.input.has_grammar() {
            true => shapes::build(&arguments, stop),
            false => build::build(&(*arguments).into(), stop),
        },
        Stage::Enumerate(arguments) => build::build(&(*arguments).into(), stop),
        Stage::Show(arguments) => show::show(&arguments),
        Stage::Run(arguments) => method::second(&arguments, stop),
    }
}
