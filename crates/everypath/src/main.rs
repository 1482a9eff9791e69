//! The command line of Everypath: the only crate that prints, reads flags and
//! decides exit statuses.
//!
//! Exit status: 0 ran and found nothing wrong; 1 ran and found something
//! wrong; 2 could not run, or met a mistake of its own, with a message that says why.

mod access;
mod build;
mod cargo;
mod check;
mod compile_commands;
mod cover;
mod coverage;
mod diagnostic;
mod diff;
mod doctor;
#[cfg(test)]
mod documented;
mod environment;
mod error;
mod explain;
mod explored;
mod export;
mod external;
mod finding;
mod functions;
mod fuzz;
mod grammar;
mod hampi;
mod init;
mod input;
mod interrupt;
mod libraries;
mod listing;
mod live;
mod minimize;
mod model;
mod output;
mod path_range;
mod ranges;
mod record;
mod replay;
mod report;
mod resume;
mod retrace;
mod room;
mod run;
mod scratch;
mod seeds;
mod session_error;
mod settings;
mod setup;
mod shell;
mod show;
mod solve;
mod source;
mod stage;
mod testcomp;
mod told;
mod ui;
mod unit_test;
mod untrusted;
mod worker;

use base::Stop;
use clap::{CommandFactory, Parser, Subcommand};
use error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// States are made of many small parts that are shared and let go again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs programs, models and constraints on every input at once.
#[derive(Parser)]
#[command(name = "everypath", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Explores every path of a program and writes a test for each.
    Run(Box<run::Arguments>),
    /// Tests methods on all valid objects, which are found once from an invariant.
    Stage(stage::Arguments),
    /// Builds a project so that its programs and libraries can be run.
    Build(build::Arguments),
    /// Runs generated tests in the real program.
    Replay(replay::Arguments),
    /// Shows the inputs of a test.
    Show(show::Arguments),
    /// Lists the tests of a run: how each ends, and its inputs.
    Tests(listing::Arguments),
    /// Writes one page that shows a run: errors, source, execution tree, tests, solver time.
    Report(report::Arguments),
    /// Tells the path of a test: each branch it took, with the source line and the condition.
    Explain(explain::Arguments),
    /// Compares two runs: paths, coverage, errors that are new and errors that are gone.
    Diff(diff::Arguments),
    /// Keeps a small set of tests with the same coverage and the same errors.
    Minimize(minimize::Arguments),
    /// Measures what tests cover: those of a run, or others for its program.
    Cover(cover::Arguments),
    /// Writes the tests and results of a run in the forms of other tools.
    Export(export::Arguments),
    /// Decides the constraints of SMT-LIB and HAMPI files.
    Solve(solve::Arguments),
    /// Fuzzes a program: inputs are made from the branches of earlier runs.
    Fuzz(Box<fuzz::Arguments>),
    /// Checks, samples, counts and intersects grammars.
    Grammar(grammar::Arguments),
    /// Checks, explores and tests models of reactive systems.
    Model(Box<model::Arguments>),
    /// Explores the tests of a Rust crate; also `cargo everypath`.
    Cargo(cargo::Arguments),
    /// Says what is installed, what is missing and how to get it.
    Doctor(doctor::Arguments),
    /// Builds the libraries that C and C++ programs are linked with.
    Setup(setup::Arguments),
    /// Writes an everypath.toml with every key and what it means, commented out.
    Init(init::Arguments),
    /// Prints what a shell needs to complete commands and flags.
    Completions(shell::CompletionArguments),
    /// Writes a manual page for each command.
    Man(shell::ManArguments),
    /// Explores ranges of a run for its coordinator.
    #[command(hide = true)]
    Worker,
    /// Runs native functions for another process.
    #[command(name = external::SERVE, hide = true)]
    ServeNativeFunctions,
    /// Reads an LLVM file for another process.
    #[command(name = untrusted::READ, hide = true)]
    ReadLlvmFile { file: PathBuf },
}

fn main() -> ExitCode {
    if let Some(status) = cargo::in_its_place() {
        return status;
    }
    trace();
    match command_line().and_then(run_command) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Err(error) => {
            // Rendered diagnostics have a label each.
            match &error {
                Error::Diagnostics(text) => output::complain(text),
                error => output::complain(&format!("error: {error}")),
            }
            ExitCode::from(2)
        }
    }
}

/// What the user typed, and what the project's settings add to it.
fn command_line() -> Result<Command, Error> {
    let words: Vec<_> = environment::with_two_dashes(std::env::args_os())
        .into_iter()
        .collect();
    let words = settings::applied(&Arguments::command(), words, Path::new("."))?;
    let mut command = Arguments::parse_from(&words).command;
    // The name of the program is not for other processes.
    let words = words[1..]
        .iter()
        .map(|word| word.to_str().map(str::to_owned));
    explored::remember(
        &mut command,
        words.collect::<Option<_>>().unwrap_or_default(),
    );
    Ok(command)
}

fn run_command(command: Command) -> Result<Outcome, Error> {
    let stop = match &command {
        // Nothing is lost when these end at once.
        Command::Show(_)
        | Command::Tests(_)
        | Command::Diff(_)
        | Command::Init(_)
        | Command::Completions(_)
        | Command::Man(_)
        | Command::Worker
        | Command::ServeNativeFunctions
        | Command::ReadLlvmFile { .. } => Stop::never(),
        _ => interrupt::listen()?,
    };
    match command {
        Command::Run(arguments) => match &arguments.resume {
            Some(directory) => resume::run(directory, &arguments, &stop),
            None => run::run(&arguments, &stop),
        },
        Command::Stage(arguments) => stage::run(arguments, &stop),
        Command::Build(arguments) => build::run(&arguments, &stop),
        Command::Replay(arguments) => replay::run(&arguments, &stop),
        Command::Show(arguments) => show::run(&arguments),
        Command::Tests(arguments) => listing::run(&arguments),
        Command::Report(arguments) => report::run(&arguments, &stop),
        Command::Explain(arguments) => explain::run(&arguments, &stop),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Minimize(arguments) => minimize::run(&arguments, &stop),
        Command::Cover(arguments) => cover::run(&arguments, &stop),
        Command::Export(arguments) => export::run(&arguments, &stop),
        Command::Solve(arguments) => solve::run(&arguments, &stop),
        Command::Fuzz(arguments) => fuzz::run(&arguments, &stop),
        Command::Grammar(arguments) => grammar::run(&arguments, &stop),
        Command::Model(arguments) => model::run(&arguments, &stop),
        Command::Cargo(arguments) => cargo::run(&arguments, &stop),
        Command::Doctor(arguments) => doctor::run(&arguments, &stop),
        Command::Setup(arguments) => setup::run(&arguments, &stop),
        Command::Init(arguments) => init::run(&arguments),
        Command::Completions(arguments) => shell::completions(&arguments),
        Command::Man(arguments) => shell::man(&arguments),
        Command::Worker => worker::serve(),
        Command::ServeNativeFunctions => mixed::oracle::serve()
            .map(|()| Outcome::Clean)
            .map_err(Error::Serve),
        Command::ReadLlvmFile { file } => untrusted::read(&file)
            .map(|()| Outcome::Clean)
            .map_err(Error::Serve),
    }
}

/// Writes what happens inside to standard error, if `RUST_LOG` asks for it: how long
/// `load`, `explore` and each `sat` took, and which link answered each query.
fn trace() {
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::from_default_env())
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(std::io::stderr)
        .init();
}

/// How a command that ran ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Nothing is wrong with what it was given.
    Clean,
    /// Something is, and it was reported.
    Found,
}
