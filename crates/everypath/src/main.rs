//! The command line of Everypath: the only crate that prints, reads flags and
//! decides exit statuses.
//!
//! Exit status: 0 ran and found nothing wrong; 1 ran and found something
//! wrong; 2 could not run, with a message that says why.

mod coverage;
mod diagnostic;
mod doctor;
mod error;
mod external;
mod finding;
mod fuzz;
mod grammar;
mod hampi;
mod input;
mod interrupt;
mod model;
mod output;
mod replay;
mod report;
mod results;
mod run;
mod scratch;
mod show;
mod solve;
mod source;
mod stage;
mod testcomp;
mod ui;
mod unit_test;

use clap::{Parser, Subcommand};
use error::Error;
use std::process::ExitCode;

/// Runs programs, models and constraints on every input at once.
#[derive(Parser)]
#[command(name = "everypath", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a program on every input at once.
    Run(Box<run::Arguments>),
    /// Explores an invariant once and tests methods with what it found.
    Stage(stage::Arguments),
    /// Runs generated tests in the real program.
    Replay(replay::Arguments),
    /// Shows the inputs of a test.
    Show(show::Arguments),
    /// Decides the constraints of SMT-LIB and HAMPI files.
    Solve(solve::Arguments),
    /// Runs a program on one input after the other, each made from those before.
    Fuzz(Box<fuzz::Arguments>),
    /// Checks, samples, counts and intersects grammars.
    Grammar(grammar::Arguments),
    /// Checks, explores and tests models of reactive systems.
    Model(Box<model::Arguments>),
    /// Says what is installed, what is missing and how to get it.
    Doctor(doctor::Arguments),
    /// Runs native functions for another process.
    #[command(name = external::SERVE, hide = true)]
    ServeNativeFunctions,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Command::Run(arguments) => interrupt::listen().and_then(|_| run::run(&arguments)),
        Command::Stage(arguments) => interrupt::listen().and_then(|_| stage::run(&arguments)),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Solve(arguments) => {
            interrupt::listen().and_then(|stop| solve::run(&arguments, &stop))
        }
        Command::Fuzz(arguments) => interrupt::listen().and_then(|_| fuzz::run(&arguments)),
        Command::Grammar(arguments) => {
            interrupt::listen().and_then(|stop| grammar::run(&arguments, &stop))
        }
        Command::Model(arguments) => model::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::ServeNativeFunctions => mixed::oracle::serve()
            .map(|()| Outcome::Clean)
            .map_err(Error::Serve),
    };
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Err(error) => {
            // Rendered diagnostics have a label each.
            match &error {
                Error::Diagnostics(text) => eprintln!("{text}"),
                error => eprintln!("error: {error}"),
            }
            ExitCode::from(2)
        }
    }
}

/// How a command that ran ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Nothing is wrong with what it was given.
    Clean,
    /// Something is, and it was reported.
    Found,
}
