//! The published cases of mixed concrete-symbolic solving, reproduced.
//!
//! One table, a row for each case and strategy, and below it each expectation
//! with its verdict. Where a case is run with many seeds its row holds the
//! medians, except for the conflict probe, which has a row for each seed.

use crate::Report;
use crate::workshop::{Run, Workshop};
use std::collections::BTreeSet;
use std::path::PathBuf;
use suite::{End, ErrorKind, Outcome};

/// A program of `examples/mixed`, how it is run, and what must come of it.
struct Case {
    name: &'static str,
    strategy: &'static str,
    arguments: &'static [&'static str],
    /// How many seeds it is run with.
    seeds: usize,
    /// What is expected, in words.
    claim: &'static str,
    /// The different ends of its paths, all of them.
    ends: &'static [End],
    /// Paths whose condition nothing decides, where that is fixed.
    unknown: Option<u64>,
    divergences: u64,
    /// The heuristic that finds the one solution there is to find.
    solved_by: Option<&'static str>,
    /// The lines of the errors.
    errors: &'static [u32],
}

/// The ends of hash.c and hash_inner.c.
const NOT_POSITIVE: End = End::Exit(0);
const S0_S3: End = End::Exit(5);
const S1_S3: End = End::Exit(6);
const S0_S4: End = End::Exit(9);
const S1_S4: End = End::Exit(10);

const HASH_PATHS: &[End] = &[NOT_POSITIVE, S0_S3, S1_S3, S0_S4, S1_S4];
const ONE_ANSWER: &[&str] = &["--heuristics", "none", "--search", "dfs"];

const CASES: [Case; 14] = [
    Case {
        unknown: Some(0),
        claim: "covers S0S3, S0S4, S1S3 and S1S4",
        ..Case::new("hash", "mixed", &[], HASH_PATHS)
    },
    Case {
        claim: "never reaches S3",
        ..Case::new(
            "hash",
            "exe",
            &["--complex", "exe"],
            &[NOT_POSITIVE, S0_S4, S1_S4],
        )
    },
    Case {
        divergences: 1,
        claim: "executes every statement, not the path S0S4, and diverges once",
        ..Case::new(
            "hash",
            "dart",
            &["--complex", "dart", "--max-tries", "0"],
            &[NOT_POSITIVE, S0_S3, S1_S3, S1_S4],
        )
    },
    Case {
        unknown: Some(2),
        claim: "gives up on hash, and says so",
        ..Case::new(
            "hash",
            "classic",
            &["--complex", "classic"],
            &[NOT_POSITIVE, S1_S4],
        )
    },
    Case {
        unknown: Some(1),
        claim: "misses S0S3",
        ..Case::new(
            "hash_inner",
            "mixed alone",
            ONE_ANSWER,
            &[NOT_POSITIVE, S1_S3, S0_S4, S1_S4],
        )
    },
    Case::inner("incremental", &["--heuristics", "incremental"]),
    Case::inner("partition", &["--heuristics", "partition"]),
    Case::inner("search", &["--heuristics", "search"]),
    Case {
        claim: "never takes the path that does not exist",
        ..Case::new("square", "mixed", &[], &[End::Exit(0)])
    },
    Case {
        claim: "takes it when arguments are not held",
        ..Case::new(
            "square",
            "loose arguments",
            &["--loose-arguments"],
            &[End::Exit(0), End::Exit(1)],
        )
    },
    Case {
        seeds: 100,
        errors: &[19],
        claim: "finds the one abort that can be reached, with every seed",
        ..Case::new(
            "cube",
            "mixed",
            &[],
            &[End::Exit(0), End::Error(ErrorKind::Abort)],
        )
    },
    Case {
        unknown: Some(1),
        claim: "misses the branch of identityF",
        ..Case::new(
            "residual",
            "mixed alone",
            ONE_ANSWER,
            &[End::Exit(1), End::Exit(2), End::Exit(4)],
        )
    },
    Case {
        unknown: Some(0),
        solved_by: Some("residual"),
        claim: "takes the branch of identityF",
        ..Case::new(
            "residual",
            "residual",
            &["--heuristics", "residual", "--search", "dfs"],
            &[End::Exit(1), End::Exit(2), End::Exit(3), End::Exit(4)],
        )
    },
    Case {
        seeds: 10,
        unknown: Some(0),
        claim: "takes both branches, with every seed",
        ..Case::new("bessel", "mixed", &[], &[End::Exit(0), End::Exit(1)])
    },
];

impl Case {
    const fn new(
        name: &'static str,
        strategy: &'static str,
        arguments: &'static [&'static str],
        ends: &'static [End],
    ) -> Case {
        Case {
            name,
            strategy,
            arguments,
            seeds: 1,
            claim: "",
            ends,
            unknown: None,
            divergences: 0,
            solved_by: None,
            errors: &[],
        }
    }

    /// The inner condition, with the heuristic of that name alone.
    const fn inner(heuristic: &'static str, arguments: &'static [&'static str]) -> Case {
        Case {
            unknown: Some(0),
            solved_by: Some(heuristic),
            claim: "finds S0S3",
            ..Case::new("hash_inner", heuristic, arguments, HASH_PATHS)
        }
    }

    fn run(&self, workshop: &Workshop, seed: usize) -> Result<Run, String> {
        let program = workshop.examples.join(format!("{}.c", self.name));
        let seed = seed.to_string();
        let arguments = [self.arguments, &["--seed", &seed]].concat();
        workshop.run(&[program], &arguments)
    }

    /// In what a run differs from what is expected.
    fn faults(&self, run: &Run) -> Vec<String> {
        let mut faults = Vec::new();
        let report = &run.report;
        let expected: BTreeSet<End> = self.ends.iter().copied().collect();
        if run.ends() != expected {
            let (ends, expected) = (listed(&run.ends()), listed(&expected));
            faults.push(format!("it ends in {ends}, not {expected}"));
        }
        // A concretized argument makes a run incomplete by nature; a limit does not.
        if !matches!(report.outcome, Outcome::Complete | Outcome::Incomplete) {
            faults.push("it was not explored to the end".to_owned());
        }
        let lines: Vec<u32> = report.errors.iter().map(|error| error.line).collect();
        if lines != self.errors {
            faults.push(format!("errors in lines {lines:?}, not {:?}", self.errors));
        }
        let mut must = |what: &str, is: u64, should: u64| {
            if is != should {
                faults.push(format!("{what}: {is}, not {should}"));
            }
        };
        let external = report.external.clone().unwrap_or_default();
        must("divergences", external.divergences, self.divergences);
        if let Some(unknown) = self.unknown {
            must("unknown paths", report.paths.unknown, unknown);
        }
        if let Some(name) = self.solved_by {
            let tries = external.heuristics.get(name).copied();
            let solved = tries.unwrap_or_default().yes;
            must(&format!("solved by {name}"), solved, 1);
        }
        faults
    }
}

fn listed(ends: &BTreeSet<End>) -> String {
    let ends: Vec<String> = ends.iter().map(End::to_string).collect();
    ends.join(", ")
}

/// Runs everything; an error is one message.
pub fn report() -> Result<Report, String> {
    let mut report = Report::default();
    let workshop = Workshop::new()?;
    let mut verdicts = Vec::new();
    report.line(&header());
    for case in &CASES {
        verdicts.push(try_case(&mut report, &workshop, case)?);
    }
    let covered = conflict(&mut report, &workshop)?;
    let mut times = Vec::new();
    for steps in AUTOPILOT_STEPS {
        times.push(autopilot(&mut report, &workshop, steps)?);
    }
    report.line("");
    for (claim, faults) in &verdicts {
        report.expect(claim, faults);
    }
    report.demand(
        &format!("conflict: seeds of {CONFLICT_SEEDS} that cover every branch"),
        covered as f64,
        CONFLICT_LEAST,
    );
    for (steps, seconds) in AUTOPILOT_STEPS.iter().zip(times) {
        let what = format!("autopilot: median seconds to the error in {steps} steps");
        report.demand_at_most(&what, seconds, AUTOPILOT_SECONDS as f64);
    }
    Ok(report)
}

/// What is claimed of the case, and what speaks against it.
fn try_case(
    report: &mut Report,
    workshop: &Workshop,
    case: &Case,
) -> Result<(String, Vec<String>), String> {
    let mut runs = Vec::new();
    let mut all_faults = Vec::new();
    for seed in 0..case.seeds {
        let run = case.run(workshop, seed)?;
        let faults = case.faults(&run);
        all_faults.extend(faults.iter().map(|fault| format!("seed {seed}: {fault}")));
        runs.push(run);
    }
    let name = match case.seeds {
        1 => case.name.to_owned(),
        seeds => format!("{}, {seeds} seeds", case.name),
    };
    report.line(&row(&name, case.strategy, &runs));
    let claim = format!("{}: {} {}", case.name, case.strategy, case.claim);
    Ok((claim, all_faults))
}

/// The conflict probe's seeds, how many of them must do, and the time for each.
const CONFLICT_SEEDS: usize = 20;
const CONFLICT_LEAST: f64 = 19.0;
const CONFLICT_TIME: &str = "60";

/// How many seeds take every branch of the conflict probe. Every one is
/// feasible: the program compiled natively takes both sides of each within three
/// million random inputs.
fn conflict(report: &mut Report, workshop: &Workshop) -> Result<usize, String> {
    let program = workshop.examples.join("conflict.c");
    let mut whole = 0;
    for seed in 0..CONFLICT_SEEDS {
        let seed = seed.to_string();
        let limits = ["--max-time", CONFLICT_TIME, "--until-covered", "--no-dump"];
        let run = workshop.run(&[&program], &[&limits[..], &["--seed", &seed]].concat())?;
        let name = format!("conflict, seed {seed}");
        report.line(&row(&name, "mixed", std::slice::from_ref(&run)));
        let branches = run.branches();
        if branches.is_whole() {
            whole += 1;
        } else {
            let lines = missed_lines(&run.read("coverage.info")?);
            let missed = branches.total - branches.covered;
            report.line(&format!("  missed: {missed} branches; lines: {lines}"));
        }
    }
    Ok(whole)
}

/// The lines of a tracefile that nothing reached, as `268 292-294`.
fn missed_lines(info: &str) -> String {
    let lines = info.lines().filter_map(|line| line.strip_prefix("DA:"));
    let missed = lines.filter_map(|line| line.strip_suffix(",0"));
    let missed: Vec<u32> = missed.filter_map(|line| line.parse().ok()).collect();
    let ranges = missed.chunk_by(|before, after| before + 1 == *after);
    let names = ranges.map(|range| match range {
        [only] => only.to_string(),
        _ => format!("{}-{}", range[0], range[range.len() - 1]),
    });
    names.collect::<Vec<String>>().join(" ")
}

/// The lengths of the sequences that are looked for in the autopilot, and the processor time
/// in which each is to be found. What a search comes upon first is a matter of its seed, so
/// that the median of several counts.
const AUTOPILOT_STEPS: [u32; 2] = [2, 5];
const AUTOPILOT_SECONDS: u64 = 20;
const AUTOPILOT_SEEDS: usize = 5;

/// The median of the seconds until the jets have fired too long; infinite where they never do.
fn autopilot(report: &mut Report, workshop: &Workshop, steps: u32) -> Result<f64, String> {
    let files = autopilot_files(workshop)?;
    let define = format!("STEPS={steps}");
    let limits = ["--max-errors", "1", "--no-dump", "--workers", "1"];
    let (mut runs, mut times) = (Vec::new(), Vec::new());
    for seed in 0..AUTOPILOT_SEEDS {
        let seed = seed.to_string();
        let arguments = [&["-D", &define, "--seed", &seed], &limits[..]].concat();
        let run = workshop.run_within(AUTOPILOT_SECONDS, &files, &arguments)?;
        // The program's own assertion names what must not happen.
        let mut errors = run.report.errors.iter();
        let found = errors.any(|error| error.message.contains("jet_time"));
        times.push(if found { run.seconds } else { f64::INFINITY });
        runs.push(run);
    }
    let name = format!("autopilot, {steps} steps, {AUTOPILOT_SEEDS} seeds");
    report.line(&row(&name, "mixed", &runs));
    times.sort_unstable_by(f64::total_cmp);
    Ok(times[AUTOPILOT_SEEDS / 2])
}

fn autopilot_files(workshop: &Workshop) -> Result<Vec<PathBuf>, String> {
    let folder = workshop.examples.join("autopilot");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    Ok(files)
}

fn header() -> String {
    format!(
        "{:<22}{:<17}{:>7}{:>10}{:>7}{:>8}{:>14}{:>10}",
        "case", "strategy", "paths", "branches", "tests", "tries", "native calls", "seconds"
    )
}

/// A row of the table: the medians of the runs.
fn row(case: &str, strategy: &str, runs: &[Run]) -> String {
    let median = |figure: fn(&Run) -> u64| {
        let mut figures: Vec<u64> = runs.iter().map(figure).collect();
        figures.sort_unstable();
        figures[figures.len() / 2]
    };
    let covered = median(|run| run.branches().covered);
    let branches = format!("{covered}/{}", median(|run| run.branches().total));
    format!(
        "{case:<22}{strategy:<17}{:>7}{branches:>10}{:>7}{:>8}{:>14}{:>10.2}",
        median(Run::paths),
        median(|run| run.report.tests),
        median(Run::tries),
        median(Run::native_calls),
        median(|run| (run.seconds * 1e3) as u64) as f64 / 1e3,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use suite::RunReport;

    /// A report with what matters to a case.
    fn run(ends: &[End], outcome: &str, lines: &[u32], unknown: u64, external: [u64; 2]) -> Run {
        let [divergences, solved] = external;
        let errors: Vec<_> = lines
            .iter()
            .map(|line| {
                json!({"kind": "abort", "message": "", "function": "main", "file": "a.c",
                       "line": line, "test": "test000001"})
            })
            .collect();
        let share = json!({"covered": 0, "total": 0});
        let report = json!({
            "schema": suite::SCHEMA, "outcome": outcome, "tests": ends.len(), "errors": errors,
            "paths": {"completed": 0, "errors": 0, "ignored": 0, "infeasible": 0,
                      "unknown": unknown, "unfinished": 0},
            "coverage": {"lines": share, "branches": share}, "instructions": 0, "forks": 0,
            "solver": {"queries": 0, "backend_calls": 0, "unknown": 0, "seconds": 0.0},
            "external": {"strategy": "mixed", "functions": [], "queries": 0, "yes": 0, "no": 0,
                         "unknown": 0, "divergences": divergences,
                         "heuristics": {"search": {"tries": 1, "yes": solved}}},
            "seconds": 0.0, "peak_memory_bytes": 0,
        });
        let mut report: RunReport = serde_json::from_value(report).expect("it is a report");
        for (test, &end) in (1..).zip(ends) {
            report.ends.note(test, end);
        }
        Run::reporting(report)
    }

    #[test]
    fn each_difference_from_what_is_expected_is_a_fault() {
        let case = Case::inner("search", &[]);
        let expected = run(HASH_PATHS, "complete", &[], 0, [0, 1]);
        assert_eq!(case.faults(&expected), [""; 0]);
        let faults = [
            "it ends in exit 0, not exit 0, exit 5, exit 6, exit 9, exit 10",
            "it was not explored to the end",
            "errors in lines [7], not []",
            "divergences: 1, not 0",
            "unknown paths: 2, not 0",
            "solved by search: 0, not 1",
        ];
        let other = run(&[NOT_POSITIVE], "limit", &[7], 2, [1, 0]);
        assert_eq!(case.faults(&other), faults);
    }

    #[test]
    fn lines_that_nothing_reached_are_named_with_neighbours_together() {
        let info = "DA:3,1\nDA:4,0\nDA:10,0\nDA:11,0\nDA:12,0\nDA:14,2\nLF:6\n";
        assert_eq!(missed_lines(info), "4 10-12");
        assert_eq!(missed_lines("DA:3,1\n"), "");
    }
}
