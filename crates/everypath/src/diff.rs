//! `everypath diff`: two runs held against each other.

use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use crate::retrace::report_of;
use base::OneLine;
use std::fmt::Write;
use std::path::PathBuf;
use suite::{Changed, Finding, RunDifference, RunDirectory, Share};

/// Compares two runs: paths, coverage, errors that are new and errors that are gone.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath diff everypath-out-0 everypath-out-1
  everypath diff baseline everypath-last --json

An error is the same in both runs if its kind, file, function and message are; its line
may have moved.

Exit status: 0 nothing got worse; 1 there is a new error, or a line is no longer covered;
2 the runs could not be compared.")]
pub struct Arguments {
    /// The directory of the first run.
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The directory of the second run.
    #[arg(value_name = "AFTER", default_value = "everypath-last")]
    after: PathBuf,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Compares the runs; an error is one message for the user.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let before = RunDirectory::open(&arguments.before)?;
    let after = RunDirectory::open(&arguments.after)?;
    let (covered, covers) = (before.coverage()?, after.coverage()?);
    let difference = RunDifference::between(
        (report_of(&before)?, covered.as_ref()),
        (report_of(&after)?, covers.as_ref()),
    );
    match arguments.json {
        true => say_json(&difference)?,
        false => say(summary(&difference).trim_end())?,
    }
    Ok(match difference.is_worse() {
        true => Outcome::Found,
        false => Outcome::Clean,
    })
}

fn summary(difference: &RunDifference) -> String {
    let mut text = String::new();
    let paths = &difference.paths;
    let share = |share: Share| format!("{} of {}", share.covered, share.total);
    let coverage = &difference.coverage;
    let (was, is) = (coverage.before, coverage.after);
    let rows = [
        ("outcome", of(difference.outcome, |it| it.to_string())),
        ("paths completed", of(*paths, |it| it.completed.to_string())),
        ("paths with errors", of(*paths, |it| it.errors.to_string())),
        (
            "paths unfinished",
            of(*paths, |it| it.unfinished.to_string()),
        ),
        ("paths unknown", of(*paths, |it| it.unknown.to_string())),
        ("tests", of(difference.tests, |it| it.to_string())),
        ("lines covered", (share(was.lines), share(is.lines))),
        (
            "branches covered",
            (share(was.branches), share(is.branches)),
        ),
    ];
    for (name, (before, after)) in rows {
        let mark = if before == after { " " } else { "*" };
        let _ = writeln!(text, "{mark} {name:<18} {before:>12} {after:>12}");
    }
    for (sign, errors) in [
        ("new", &difference.errors.new),
        ("gone", &difference.errors.gone),
    ] {
        for error in errors {
            let _ = writeln!(text, "{sign} error: {}", line_of(error));
        }
    }
    if difference.errors.kept > 0 {
        let _ = writeln!(text, "{} errors in both", difference.errors.kept);
    }
    for (file, lines) in &difference.lines {
        for (word, lines) in [("now", &lines.gained), ("no longer", &lines.lost)] {
            if !lines.is_empty() {
                let (file, lines) = (file.one_line(), ranges(lines));
                let _ = writeln!(text, "{file}: {word} covered: {lines}");
            }
        }
    }
    text
}

fn of<T>(both: Changed<T>, show: impl Fn(&T) -> String) -> (String, String) {
    (show(&both.before), show(&both.after))
}

fn line_of(error: &Finding) -> String {
    let place = match error.line {
        0 => error.function.clone(),
        line => format!("{}:{line}", error.file.one_line()),
    };
    format!(
        "{place}: {}: {} ({})",
        error.kind, error.message, error.test
    )
}

/// `3-5, 9`.
fn ranges(lines: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let ranges = ranges.iter().map(|&(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    ranges.collect::<Vec<String>>().join(", ")
}
