//! Functions outside the program: how they are run and what is said of them.

use crate::error::Error;
use base::OneLine;
use machine::runtime::is_library;
use machine::{ExternalOptions, Machine};
use mixed::oracle::{Failure, HelperCommand, Oracle, Pattern, Sandbox};
use mixed::{Config, Heuristic, Mixed, Strategy};
use program::Program;
use solver::Solver;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::{
    ExternalSummary, FunctionSummary, IncompleteReason, Recipe, RunReport, Stub, UnknownStub,
};

/// The hidden command that runs native functions for another process.
pub const SERVE: &str = "serve-native-functions";

/// The folder of a run's directory with what was observed of functions outside the
/// program.
pub const TABLES: &str = "tables";

/// What the user says of functions outside the program.
#[derive(clap::Args)]
pub struct ExternalArguments {
    /// How to solve conditions with external functions: classic, exe, dart, mixed or
    /// table.
    #[arg(long, value_name = "STRATEGY", default_value = "mixed", value_parser = |s: &str| s.parse::<Strategy>())]
    pub complex: Strategy,
    /// The heuristics of mixed solving, in order and separated by commas: incremental,
    /// partition, random, residual, search; or none.
    #[arg(long, value_name = "LIST", value_parser = heuristics)]
    heuristics: Option<Heuristics>,
    /// How often each heuristic may try for one condition.
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_tries: u32,
    /// A function to run concretely and not to explore; * and ? match any characters.
    #[arg(long, value_name = "NAME")]
    concrete: Vec<String>,
    /// An external function to be taken as free of side effects.
    #[arg(long, value_name = "NAME")]
    pure: Vec<String>,
    /// What a function without a body gives: symbolic (a new input), zero, fail (-1 or
    /// NULL) or a number; or what a variable that nothing defines holds at the start.
    #[arg(long, value_name = "NAME=WHAT", value_parser = stub)]
    stub: Vec<(String, Stub)>,
    /// A shared library with external functions.
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,
    #[command(flatten)]
    sandbox: SandboxArguments,
    /// A directory with recorded results of functions, a NAME.csv each; new results
    /// are added to them.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Solves again without holding arguments to what functions were run on,
    /// which gives wrong answers.
    #[arg(long, hide = true)]
    loose_arguments: bool,
}

/// What native functions may do, beyond computing and reading files.
#[derive(clap::Args)]
pub struct SandboxArguments {
    /// Lets native functions use the network.
    #[arg(long)]
    allow_network: bool,
    /// Lets native functions write to a directory.
    #[arg(long, value_name = "DIR")]
    allow_write: Vec<PathBuf>,
    /// Lets native functions start processes.
    #[arg(long)]
    allow_processes: bool,
}

impl SandboxArguments {
    fn sandbox(&self) -> Result<Sandbox, Error> {
        let mut write = Vec::new();
        for folder in &self.allow_write {
            write.push(folder.canonicalize().map_err(Error::reading(folder))?);
        }
        Ok(Sandbox {
            network: self.allow_network,
            processes: self.allow_processes,
            write,
        })
    }

    /// Functions of these libraries and of the system, run by another process of this
    /// program, in the sandbox.
    pub fn oracle<'p>(&self, libraries: &[PathBuf]) -> Result<Oracle<'p>, Error> {
        oracle(libraries, self.sandbox()?)
    }
}

fn stub(text: &str) -> Result<(String, Stub), String> {
    let (name, what) = text
        .split_once('=')
        .ok_or("write NAME=symbolic, NAME=zero, NAME=fail or NAME=NUMBER")?;
    let stub: Stub = what
        .parse()
        .map_err(|error: UnknownStub| error.to_string())?;
    Ok((name.to_owned(), stub))
}

/// Heuristics in the user's order.
#[derive(Clone)]
struct Heuristics(Vec<Heuristic>);

fn heuristics(text: &str) -> Result<Heuristics, String> {
    if text == "none" {
        return Ok(Heuristics(Vec::new()));
    }
    let all: Result<Vec<Heuristic>, String> = text.split(',').map(str::parse).collect();
    all.map(Heuristics)
}

/// Reads the tables of functions in the folder, which may still have to be made.
pub fn load_tables(oracle: &mut Oracle, folder: &Path) -> Result<(), Error> {
    if folder.is_dir() {
        oracle.load_tables(folder)?;
    } else if folder.exists() {
        let file = folder.one_line();
        return Err(Error::Usage(format!(
            "--tables {file}: it is not a directory"
        )));
    }
    Ok(())
}

impl ExternalArguments {
    /// Decides conditions as the user says, with a solver for the simple ones.
    pub fn mixed<'p>(&self, solver: Solver, seed: u64) -> Result<Mixed<'p>, Error> {
        let mut oracle = self.sandbox.oracle(&self.load)?;
        if let Some(folder) = &self.tables {
            load_tables(&mut oracle, folder)?;
        }
        let default = Config::default();
        let heuristics = self.heuristics.clone();
        let config = Config {
            strategy: self.complex,
            heuristics: heuristics.map_or(default.heuristics, |chosen| chosen.0),
            max_tries: self.max_tries,
            hold_arguments: !self.loose_arguments,
            seed,
            ..Config::default()
        };
        Ok(Mixed::new(config, solver, oracle))
    }

    /// Which functions are external.
    pub fn options(&self) -> ExternalOptions {
        options(&self.recipe(Recipe::default()))
    }

    /// The recipe with what is said of functions outside the program.
    pub fn recipe(&self, recipe: Recipe) -> Recipe {
        Recipe {
            libraries: self.load.clone(),
            concrete: self.concrete.clone(),
            pure: self.pure.clone(),
            stubs: self.stub.iter().cloned().collect(),
            ..recipe
        }
    }

    /// Refuses names that no function of the program has.
    pub fn check(&self, program: &Program) -> Result<(), Error> {
        let stubs: Vec<String> = self.stub.iter().map(|(name, _)| name.clone()).collect();
        for (flag, names) in [
            ("--concrete", &self.concrete),
            ("--pure", &self.pure),
            ("--stub", &stubs),
        ] {
            for name in names {
                let pattern = Pattern::new(name.clone());
                let mut functions = program.functions.iter();
                let is_variable = flag == "--stub" && program.global(name).is_some();
                if !is_variable && !functions.any(|function| pattern.matches(&function.name)) {
                    return Err(Error::Usage(format!(
                        "{flag} {name}: the program neither defines nor calls such a function"
                    )));
                }
            }
        }
        for name in &stubs {
            let variable = program.global(name);
            if variable.is_some_and(|id| program.globals[id.index()].initializer.is_some()) {
                return Err(Error::Usage(format!(
                    "--stub {name}: the program defines the variable"
                )));
            }
            let function = program
                .function(name)
                .map(|id| &program.functions[id.index()]);
            let source = function.and_then(|function| function.source);
            let file = source.and_then(|id| program.source.function(id).file);
            let is_own = file.is_none_or(|id| !is_library(&program.source.file(id).path));
            if is_own && function.is_some_and(|function| function.body.is_some()) {
                return Err(Error::Usage(format!(
                    "--stub {name}: the program defines the function, and it is followed"
                )));
            }
        }
        Ok(())
    }

    /// Writes what was observed to the tables.
    pub fn save(&self, machine: &Machine<'_>) -> Result<(), Error> {
        let Some(folder) = &self.tables else {
            return Ok(());
        };
        std::fs::create_dir_all(folder).map_err(Error::writing(folder))?;
        Ok(machine.mixed.oracle().save_tables(folder)?)
    }
}

/// Which functions of a recipe are external.
pub fn options(recipe: &Recipe) -> ExternalOptions {
    let patterns = |names: &[String]| names.iter().cloned().map(Pattern::new).collect();
    let stubs = recipe.stubs.iter().map(|(name, stub)| {
        let stub = match *stub {
            Stub::Symbolic => machine::Stub::Symbolic,
            Stub::Zero => machine::Stub::Zero,
            Stub::Fail => machine::Stub::Fail,
            Stub::Number(number) => machine::Stub::Number(number),
        };
        (name.clone(), stub)
    });
    ExternalOptions {
        concrete: patterns(&recipe.concrete),
        pure: patterns(&recipe.pure),
        stubs: stubs.collect(),
        ..ExternalOptions::default()
    }
}

/// Functions of these libraries and of the system, run by another process of
/// this program, in the sandbox.
pub fn oracle<'p>(libraries: &[PathBuf], sandbox: Sandbox) -> Result<Oracle<'p>, Error> {
    let mut oracle = Oracle::new();
    oracle.set_sandbox(sandbox);
    let program = std::env::current_exe()
        .map_err(|error| Error::Tool(format!("cannot find this program's own file: {error}")))?;
    oracle.set_helper(HelperCommand {
        program,
        arguments: vec![SERVE.into()],
    });
    for library in libraries {
        load_library(&mut oracle, library)?;
    }
    Ok(oracle)
}

/// Loads a library; a name alone that is not here is for the system to find.
pub fn load_library(oracle: &mut Oracle<'_>, library: &Path) -> Result<(), Failure> {
    let here = Path::new(".").join(library);
    let is_name = library.components().count() == 1;
    match is_name && here.exists() {
        true => oracle.load_library(&here),
        false => oracle.load_library(library),
    }
}

/// What a person is told of what was left out; nothing where nothing was.
pub fn left_out(report: &RunReport) -> String {
    let mut text = String::new();
    let mut advised = BTreeSet::new();
    for left_out in &report.incomplete {
        let _ = writeln!(text, "not complete: {left_out}");
        match &left_out.reason {
            IncompleteReason::MissingFunction { function } if advised.insert(function) => {
                let _ = writeln!(
                    text,
                    "  add --stub {function}=symbolic, --concrete {function} to run the host's, \
                     a file that defines it, or --load with a library that has it"
                );
            }
            IncompleteReason::MissingVariable { variable } if advised.insert(variable) => {
                let _ = writeln!(
                    text,
                    "  add a file that defines it, --stub {variable}=symbolic, or --stub \
                     {variable}=zero"
                );
            }
            IncompleteReason::TakenForPure { function } if advised.insert(function) => {
                let _ = writeln!(
                    text,
                    "  add --pure {function} if it always returns, the same for the same"
                );
            }
            _ => {}
        }
    }
    text
}

/// What a person is told of external functions; nothing where there are none.
pub fn summary(external: &ExternalSummary) -> String {
    if external.functions.is_empty() && external.queries + external.divergences == 0 {
        return String::new();
    }
    let mut text = String::new();
    for function in &external.functions {
        let FunctionSummary {
            function: name,
            calls,
            runs,
            failures,
            ..
        } = function;
        let _ = write!(text, "external function {name}: {calls} calls, {runs} runs");
        if *failures > 0 {
            let _ = write!(text, ", {failures} without a result");
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "{} conditions beyond the solver ({}): {} yes, {} no, {} unknown",
        external.queries, external.strategy, external.yes, external.no, external.unknown
    );
    if external.divergences > 0 {
        let _ = writeln!(
            text,
            "{} runs left the path their inputs were solved for",
            external.divergences
        );
    }
    text
}
