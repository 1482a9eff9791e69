//! Functions outside the program: how they are run and what is said of them.

use crate::error::Error;
use machine::{ExternalOptions, Machine};
use mixed::oracle::{Failure, HelperCommand, Oracle, Pattern};
use mixed::{Config, Heuristic, Mixed, Strategy};
use program::Program;
use solver::Solver;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::{ExternalSummary, FunctionSummary};

/// The hidden command that runs native functions for another process.
pub const SERVE: &str = "serve-native-functions";

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
    /// A shared library with external functions.
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,
    /// A directory with recorded results of functions, a NAME.csv each; new results
    /// are added to them.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Solves again without holding arguments to what functions were run on,
    /// which gives wrong answers.
    #[arg(long, hide = true)]
    loose_arguments: bool,
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

impl ExternalArguments {
    /// Decides conditions as the user says, with a solver for the simple ones.
    pub fn mixed<'p>(&self, solver: Solver, seed: u64) -> Result<Mixed<'p>, Error> {
        let mut oracle = oracle(&self.load)?;
        match &self.tables {
            Some(folder) if folder.is_dir() => {
                oracle.load_tables(folder)?;
            }
            Some(file) if file.exists() => {
                let file = file.display();
                return Err(Error::Usage(format!(
                    "--tables {file}: it is not a directory"
                )));
            }
            Some(_) | None => {}
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
        let patterns = |names: &[String]| names.iter().cloned().map(Pattern::new).collect();
        ExternalOptions {
            concrete: patterns(&self.concrete),
            pure: patterns(&self.pure),
            ..ExternalOptions::default()
        }
    }

    /// Refuses names that no function of the program has.
    pub fn check(&self, program: &Program) -> Result<(), Error> {
        for (flag, names) in [("--concrete", &self.concrete), ("--pure", &self.pure)] {
            for name in names {
                let pattern = Pattern::new(name.clone());
                let mut functions = program.functions.iter();
                if !functions.any(|function| pattern.matches(&function.name)) {
                    return Err(Error::Usage(format!(
                        "{flag} {name}: the program neither defines nor calls such a function"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The libraries to look for functions in.
    pub fn libraries(&self) -> &[PathBuf] {
        &self.load
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

/// Functions of these libraries and of the system, run by another process of
/// this program.
pub fn oracle<'p>(libraries: &[PathBuf]) -> Result<Oracle<'p>, Error> {
    let mut oracle = Oracle::new();
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
