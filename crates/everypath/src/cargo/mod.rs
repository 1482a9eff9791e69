//! `everypath cargo`, which `cargo everypath` runs: the tests of a crate that are marked
//! for Everypath, harnesses for Kani, properties for proptest and quickcheck, and fuzz targets, each explored.
//!
//! Cargo compiles the crate and what it depends on ([`build`]), with flags that leave
//! bitcode beside the machine code, into a directory of its own. Each function that an
//! attribute marked is an entry of the program that comes of it ([`explore`]).

mod build;
mod entry;
mod explore;
mod listing;
mod ordinary;
mod rustc;

pub use rustc::in_its_place;

use crate::Outcome;
use crate::error::Error;
use crate::scratch::Scratch;
use base::Stop;
use build::Built;
use explore::{TestResult, Verdict};
use listing::Listing;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Explores the tests of a Rust crate: functions marked with #[everypath::test], harnesses
/// written for Kani, properties written for proptest and quickcheck, and fuzz targets.
///
/// Run it in the directory of a crate or a workspace, most easily as `cargo everypath
/// test`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo everypath test                    every test of the workspace
  cargo everypath test round_trip         those whose name has this in it
  cargo everypath test --max-time 60 --save
  cargo everypath test --proptest         the properties of proptest too
  cargo everypath test --quickcheck       the same for quickcheck
  cargo everypath fuzz parse --max-len 6  the target `parse` of fuzz/Cargo.toml

Saved cases go to tests/everypath, where plain `cargo test` runs them, and those of fuzz
targets to fuzz/corpus and fuzz/artifacts.

Exit status: 0 no test fails; 1 one does; 2 the crate could not be compiled.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Explores the tests.
    Test(TestArguments),
    /// Explores the targets of `fuzz_target!`, without libFuzzer.
    Fuzz(FuzzArguments),
}

#[derive(clap::Args)]
struct TestArguments {
    /// Only tests whose name has this in it.
    name: Option<String>,
    /// Only the test that has just this name.
    #[arg(long, requires = "name")]
    exact: bool,
    /// Only this package of the workspace.
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// Explores properties of proptest and quickcheck too, for any values: those of `proptest!`
    /// and `quickcheck!`, and tests that call them.
    #[arg(long, visible_alias = "quickcheck")]
    proptest: bool,
    /// Gives properties collections and strings of at most so many elements, and values that
    /// are nested as deep.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "proptest")]
    max_size: usize,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(clap::Args)]
struct FuzzArguments {
    /// Only the target of this name.
    name: Option<String>,
    /// Gives targets at most so many bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 4)]
    max_len: usize,
    /// The directory of the crate with the targets, as cargo-fuzz makes it.
    #[arg(long, value_name = "DIRECTORY", default_value = "fuzz")]
    fuzz_dir: PathBuf,
    #[command(flatten)]
    common: CommonArguments,
}

/// What is compiled, and how far it is explored.
#[derive(clap::Args)]
struct CommonArguments {
    /// Features to compile with, separated by commas.
    #[arg(short = 'F', long)]
    features: Option<String>,
    /// Compiles with all features.
    #[arg(long)]
    all_features: bool,
    /// Compiles without the default features.
    #[arg(long)]
    no_default_features: bool,
    /// Explores each test for at most so many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = crate::solve::seconds)]
    max_time: Duration,
    /// Stops a test after so many errors.
    #[arg(long, value_name = "N")]
    max_errors: Option<u64>,
    /// Stops a test after so many paths.
    #[arg(long, value_name = "N")]
    max_paths: Option<u64>,
    /// Saves the cases of errors, or one of each path of a test without.
    #[arg(long)]
    save: bool,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t = Format::Pretty)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// As `cargo test` does.
    Pretty,
    /// One JSON object.
    Json,
}

/// Runs the command; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let scratch = Scratch::new()?;
    match &arguments.command {
        Command::Test(arguments) => {
            let built = build::tests(arguments, &scratch, stop)?;
            let is_wanted = |name: &str| match &arguments.name {
                Some(wanted) if arguments.exact => name == wanted,
                Some(part) => name.contains(part.as_str()),
                None => true,
            };
            explore_all(&arguments.common, &built, &is_wanted, stop)
        }
        Command::Fuzz(arguments) => {
            let built = build::fuzz_targets(arguments, &scratch, stop)?;
            explore_all(&arguments.common, &built, &|_| true, stop)
        }
    }
}

/// The results of all tests, for other programs.
#[derive(Serialize)]
struct Report<'a> {
    schema: u64,
    tests: &'a [TestResult],
}

fn explore_all(
    arguments: &CommonArguments,
    built: &Built,
    is_wanted: &dyn Fn(&str) -> bool,
    stop: &Stop,
) -> Result<Outcome, Error> {
    let mut results = Vec::new();
    for target in &built.targets {
        let mut listing = (arguments.format == Format::Pretty).then(Listing::default);
        let tests = explore::Tests::of(target, built, arguments, stop)?;
        let all = tests.all(arguments, stop)?;
        let (wanted, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it| is_wanted(&it.name));
        if let Some(listing) = &mut listing {
            listing.begin(&target.shown, wanted.len(), others.len())?;
        }
        let mut of_target = Vec::new();
        for test in &wanted {
            if stop.is_set() {
                return Err(Error::Stopped {
                    why: crate::interrupt::because(stop),
                    what: "every test was explored".to_owned(),
                });
            }
            let result = tests.explore(test, arguments, stop)?;
            if let Some(listing) = &listing {
                listing.test(&result)?;
            }
            of_target.push(result);
        }
        if let Some(listing) = &listing {
            listing.end(&of_target)?;
        }
        results.extend(of_target);
    }
    if arguments.format == Format::Json {
        crate::output::say_json(&Report {
            schema: suite::SCHEMA,
            tests: &results,
        })?;
    }
    Ok(
        match results.iter().any(|it| it.verdict == Verdict::Failed) {
            true => Outcome::Found,
            false => Outcome::Clean,
        },
    )
}
