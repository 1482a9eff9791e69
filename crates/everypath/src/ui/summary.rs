//! What is said of a run at its end: a few rows, in which what did not happen is left out.

use super::style::row;
use crate::external;
use base::OneLine;
use std::fmt::Write;
use std::path::Path;
use suite::{CoverageSummary, ObjectCounts, PathCounts, RunReport};

/// What is said of the run of a program whose tests are there.
pub fn of_run(report: &RunReport, directory: &Path) -> String {
    let mut text = row("paths", &paths(&report.paths));
    for (count, meaning) in [
        (
            report.paths.too_deep,
            "of the unfinished paths went deeper than --max-call-depth",
        ),
        (
            report.paths.pruned,
            "paths pruned, from which no uncovered branch can be reached",
        ),
        (
            report.paths.revisited,
            "paths run again with other values at the border of the selected code",
        ),
    ] {
        if count > 0 {
            text += &row("", &format!("{count} {meaning}"));
        }
    }
    if let Some(stage) = &report.stage {
        let ObjectCounts { valid, explored } = stage.objects;
        let valid = format!("{valid} of {explored} explored paths are of valid objects");
        text += &row("objects", &valid);
        let cut_off = report.paths.unfinished + report.paths.unknown;
        if cut_off > 0 {
            let _ = writeln!(
                text,
                "a limit was reached, and {cut_off} paths were not followed to their end: \
                 there may be more"
            );
        }
    }
    text += &coverage(&report.coverage);
    let solver = &report.solver;
    let mut asked = counted(&[
        (solver.queries, "queries"),
        (solver.backend_calls, "to a backend"),
        (solver.unknown, "unknown"),
    ]);
    let _ = write!(
        asked,
        "; {} instructions, {} forks",
        report.instructions, report.forks
    );
    text += &row("solver", &asked);
    if let Some(external) = &report.external {
        text += &external::summary(external);
    }
    text += &external::left_out(report);
    let tests = format!(
        "{} in {}, {}; {:.2} s",
        report.tests,
        directory.one_line(),
        report.outcome,
        report.seconds
    );
    text + &row("tests", &tests)
}

/// What is said of fuzzing whose inputs are there.
pub fn of_fuzzing(report: &RunReport, directory: &Path) -> String {
    let mut text = String::new();
    if let Some(fuzz) = &report.fuzz {
        let paths = &report.paths;
        let ends = counted(&[
            (paths.completed, "completed"),
            (paths.errors, "with errors"),
            (paths.unfinished, "not followed to their end"),
        ]);
        let (runs, generations) = (fuzz.runs, fuzz.generations);
        text += &row(
            "runs",
            &format!("{runs} in {generations} generations: {ends}"),
        );
        let solved = counted(&[
            (fuzz.flips, "conditions flipped"),
            (fuzz.solved, "solved"),
            (fuzz.divergences, "runs left their path"),
            (report.solver.queries, "queries"),
        ]);
        text += &row("solver", &solved);
    }
    text += &coverage(&report.coverage);
    text += &external::left_out(report);
    let inputs = format!(
        "{}, and {} errors, in {}, {}; {:.2} s",
        report.tests,
        report.errors.len(),
        directory.one_line(),
        report.outcome,
        report.seconds,
    );
    text + &row("inputs", &inputs)
}

/// What of the program's source was reached.
fn coverage(coverage: &CoverageSummary) -> String {
    let (lines, branches) = (coverage.lines, coverage.branches);
    let text = format!(
        "{} of {} lines, {} of {} branches",
        lines.covered, lines.total, branches.covered, branches.total,
    );
    row("coverage", &text)
}

fn paths(paths: &PathCounts) -> String {
    let ends = counted(&[
        (paths.completed, "completed"),
        (paths.errors, "with errors"),
        (paths.ignored, "ignored"),
        (paths.unfinished, "unfinished"),
        (paths.unknown, "unknown"),
    ]);
    format!("{}: {ends}", paths.total())
}

/// The first count, and the others that are not zero.
fn counted(counts: &[(u64, &str)]) -> String {
    let shown = counts.iter().enumerate();
    let shown = shown.filter(|&(at, &(count, _))| at == 0 || count > 0);
    let texts = shown.map(|(_, (count, meaning))| format!("{count} {meaning}"));
    texts.collect::<Vec<_>>().join(", ")
}
