//! Looks for wrong answers: random inputs, given to Everypath and to tools that others
//! wrote, until the time is over.
//!
//! `make sweep` runs every part for a few minutes, `make sweep SWEEP_MINUTES=60` for an
//! hour. A part is a file: it makes inputs from a seed, compares, and keeps each
//! disagreement, made as small as it gets, under `target/sweep/`. A run with the same
//! seed makes the same inputs. The exit status is 1 if anything was found.

mod command;
mod csmith;
mod grammars;
mod lines;
mod models;
mod natives;
mod programs;
mod smt;

use clap::{Parser, ValueEnum};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Compares Everypath with other tools on random inputs.
#[derive(Parser)]
struct Arguments {
    /// What to compare; everything if nothing is named.
    parts: Vec<Part>,
    /// How long, for all parts together.
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// What the random inputs depend on.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The binary that is tried; the one built beside this one if none is given.
    #[arg(long)]
    everypath: Option<PathBuf>,
    /// A Python that has the other solvers.
    #[arg(long, default_value = "target/sweep/venv/bin/python")]
    python: PathBuf,
    /// The compiler of native programs.
    #[arg(long, default_value = "clang-22")]
    clang: String,
    /// Where csmith's headers are.
    #[arg(long, default_value = "/usr/include/csmith")]
    csmith: String,
    /// Where disagreements are kept.
    #[arg(long, default_value = "target/sweep")]
    output: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Part {
    /// SMT-LIB scripts, against Z3, Bitwuzla and cvc5.
    Smt,
    /// Programs of csmith, with one variable any byte, against native code.
    Csmith,
    /// Programs that call functions with state, that crash or that hang, against native code.
    Natives,
    /// Models with small numbers, against an execution state by state.
    Models,
    /// Queries about strings, and words of grammars, against trying all short texts.
    Grammars,
}

/// What a part needs.
pub(crate) struct Sweep<'a> {
    everypath: &'a Path,
    python: &'a Path,
    clang: &'a str,
    csmith: &'a str,
    /// Where it keeps what it finds.
    output: PathBuf,
    seed: u64,
    until: Instant,
}

impl Sweep<'_> {
    /// What an input of a part is made from, by its number.
    fn seed_of(&self, number: u64) -> u64 {
        self.seed.wrapping_mul(1_000_003).wrapping_add(number)
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(message) => {
            eprintln!("sweep: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the parts, one after the other; how many disagreements there were.
fn run(arguments: &Arguments) -> Result<usize, String> {
    let everypath = match &arguments.everypath {
        Some(path) => path.clone(),
        None => {
            let own = std::env::current_exe().map_err(|error| error.to_string())?;
            own.with_file_name("everypath")
        }
    };
    // Programs are tried in directories of their own.
    let Ok(everypath) = everypath.canonicalize() else {
        let path = everypath.display();
        return Err(format!("there is no {path}; `make build` makes it"));
    };
    let parts = match arguments.parts.is_empty() {
        true => Part::value_variants(),
        false => &arguments.parts,
    };
    let whole = Duration::try_from_secs_f64(arguments.minutes * 60.0)
        .map_err(|error| format!("--minutes {}: {error}", arguments.minutes))?;
    let share = whole / parts.len() as u32;
    let mut found = 0;
    for part in parts {
        let name = format!("{part:?}").to_lowercase();
        let mut sweep = Sweep {
            everypath: &everypath,
            python: &arguments.python,
            clang: &arguments.clang,
            csmith: &arguments.csmith,
            output: arguments.output.join(&name),
            seed: arguments.seed,
            until: Instant::now() + share,
        };
        std::fs::create_dir_all(&sweep.output)
            .and_then(|()| sweep.output.canonicalize())
            .map(|path| sweep.output = path)
            .map_err(|error| format!("cannot make {}: {error}", sweep.output.display()))?;
        found += match part {
            Part::Smt => smt::run(&sweep)?,
            Part::Csmith => csmith::run(&sweep)?,
            Part::Natives => natives::run(&sweep)?,
            Part::Models => models::run(&sweep)?,
            Part::Grammars => grammars::run(&sweep)?,
        };
    }
    Ok(found)
}
