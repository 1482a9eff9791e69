//! `everypath model`: models of reactive systems, from their text to verdicts.

mod check;
mod explore;
mod import;
mod live;
mod load;
mod log;
mod page;
mod property;
mod run;
mod test;

use crate::Outcome;
use crate::error::Error;
use base::Stop;

/// Works with models of reactive systems (.iosts).
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Checks a model and draws it.
    Check(check::Arguments),
    /// Sets indentation and spaces right.
    Fmt(check::FormatArguments),
    /// Builds the tree of symbolic states.
    Explore(explore::Arguments),
    /// Turns other formats into models.
    Import(import::Arguments),
    /// Makes test cases.
    Test(test::Arguments),
    /// Runs tests against a system.
    Run(run::Arguments),
    /// Checks a recorded log against a model.
    CheckLog(log::Arguments),
    /// Looks for deadlocks, broken invariants, and ways to a state.
    CheckProperty(property::Arguments),
}

/// Runs the command; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments, stop),
        Command::Fmt(arguments) => check::format(arguments),
        Command::Explore(arguments) => explore::run(arguments, stop),
        Command::Import(arguments) => import::run(arguments),
        Command::Test(arguments) => test::run(arguments, stop),
        Command::Run(arguments) => run::run(arguments, stop),
        Command::CheckLog(arguments) => log::run(arguments, stop),
        Command::CheckProperty(arguments) => property::run(arguments, stop),
    }
}
