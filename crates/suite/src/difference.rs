//! Two runs held against each other: what a change to the program, or to how it is
//! explored, brought and took away.

use crate::lcov::Coverage;
use crate::{CoverageSummary, ErrorKind, Finding, Outcome, PathCounts, RunReport, SCHEMA};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How a second run differs from a first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunDifference {
    /// The number of this schema, [`SCHEMA`].
    pub schema: u64,
    /// Why each ended.
    pub outcome: Changed<Outcome>,
    /// The paths of each.
    pub paths: Changed<PathCounts>,
    /// How many tests each has.
    pub tests: Changed<u64>,
    /// What each covered.
    pub coverage: Changed<CoverageSummary>,
    /// Time each took.
    pub seconds: Changed<f64>,
    /// Errors that only one of them has.
    pub errors: ErrorChanges,
    /// Lines that only one of them covered, by file.
    pub lines: BTreeMap<String, LineChanges>,
}

/// A figure of both runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Changed<T> {
    /// In the first.
    pub before: T,
    /// In the second.
    pub after: T,
}

/// Errors, each once however many tests lead to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ErrorChanges {
    /// Those of the second run that the first does not have.
    pub new: Vec<Finding>,
    /// Those of the first that the second does not have.
    pub gone: Vec<Finding>,
    /// How many both have.
    pub kept: u64,
}

/// Lines of a file that only one run covered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineChanges {
    /// Covered by the second run alone.
    pub gained: Vec<u32>,
    /// Covered by the first alone, though the second has them.
    pub lost: Vec<u32>,
}

/// A run: its report and what it covered, if that is known.
type Run<'a> = (&'a RunReport, Option<&'a Coverage>);

impl RunDifference {
    /// What is different in the second.
    pub fn between((first, covered): Run<'_>, (second, covers): Run<'_>) -> RunDifference {
        RunDifference {
            schema: SCHEMA,
            outcome: Changed {
                before: first.outcome,
                after: second.outcome,
            },
            paths: Changed {
                before: first.paths,
                after: second.paths,
            },
            tests: Changed {
                before: first.tests,
                after: second.tests,
            },
            coverage: Changed {
                before: first.coverage,
                after: second.coverage,
            },
            seconds: Changed {
                before: first.seconds,
                after: second.seconds,
            },
            errors: ErrorChanges::between(&first.errors, &second.errors),
            lines: match (covered, covers) {
                (Some(before), Some(after)) => {
                    lines(&relative(first, before), &relative(second, after))
                }
                _ => BTreeMap::new(),
            },
        }
    }

    /// Whether the second run has an error that the first has not, or covers less.
    pub fn is_worse(&self) -> bool {
        !self.errors.new.is_empty() || self.lines.values().any(|file| !file.lost.is_empty())
    }
}

/// What makes an error the same one in two versions of a program. Lines are left out:
/// they move when something is written above them.
type Identity<'a> = (ErrorKind, &'a str, &'a str, &'a str);

fn identity(finding: &Finding) -> Identity<'_> {
    let name = Path::new(&finding.file).file_name();
    let name = name.and_then(|name| name.to_str()).unwrap_or_default();
    (finding.kind, name, &finding.function, &finding.message)
}

impl ErrorChanges {
    fn between(first: &[Finding], second: &[Finding]) -> ErrorChanges {
        let of = |findings: &[Finding], others: &[Finding]| -> Vec<Finding> {
            let others: BTreeSet<Identity<'_>> = others.iter().map(identity).collect();
            let mut seen = BTreeSet::new();
            let only = findings.iter().filter(|finding| {
                let identity = identity(finding);
                !others.contains(&identity) && seen.insert(identity)
            });
            only.cloned().collect()
        };
        let before: BTreeSet<Identity<'_>> = first.iter().map(identity).collect();
        let after: BTreeSet<Identity<'_>> = second.iter().map(identity).collect();
        ErrorChanges {
            new: of(second, first),
            gone: of(first, second),
            kept: before.intersection(&after).count() as u64,
        }
    }
}

/// The covered lines of each file, and all lines, by the path from where the run was
/// made: the same project may be checked out twice.
fn relative<'c>(report: &RunReport, coverage: &'c Coverage) -> BTreeMap<String, Lines<'c>> {
    let directory = report.program.as_ref().map(|recipe| &recipe.directory);
    let files = coverage.files.iter();
    let files = files.map(|(path, file)| {
        let inner = directory.and_then(|directory| Path::new(path).strip_prefix(directory).ok());
        let path = inner.map_or_else(
            || path.clone(),
            |inner| inner.to_string_lossy().into_owned(),
        );
        (path, &file.lines)
    });
    files.collect()
}

type Lines<'c> = &'c BTreeMap<u32, u64>;

fn lines(
    before: &BTreeMap<String, Lines<'_>>,
    after: &BTreeMap<String, Lines<'_>>,
) -> BTreeMap<String, LineChanges> {
    let mut changes = BTreeMap::new();
    for (path, after) in after {
        let Some(before) = before.get(path) else {
            continue;
        };
        let covered = |lines: &BTreeMap<u32, u64>, line: &u32| lines.get(line) > Some(&0);
        let only = |these: &BTreeMap<u32, u64>, those: &BTreeMap<u32, u64>| -> Vec<u32> {
            let lines = these.keys().filter(|line| covered(these, line));
            // A line that the other does not have is neither gained nor lost.
            let lines = lines.filter(|line| those.contains_key(line) && !covered(those, line));
            lines.copied().collect()
        };
        let change = LineChanges {
            gained: only(after, before),
            lost: only(before, after),
        };
        if change != LineChanges::default() {
            changes.insert(path.clone(), change);
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recipe;
    use crate::lcov::FileCoverage;

    fn finding(message: &str, line: u32) -> Finding {
        Finding {
            kind: ErrorKind::Assert,
            message: message.to_owned(),
            function: "f".to_owned(),
            file: "src/a.c".to_owned(),
            line,
            test: "test000001".to_owned(),
            times: None,
        }
    }

    fn run(directory: &str, errors: Vec<Finding>, lines: &[(u32, u64)]) -> (RunReport, Coverage) {
        let mut recipe = Recipe::of_files(["a.c"]);
        recipe.directory = directory.into();
        let report = RunReport {
            errors,
            ..RunReport::begun(recipe)
        };
        let file = FileCoverage {
            lines: lines.iter().copied().collect(),
            ..FileCoverage::default()
        };
        let mut coverage = Coverage::default();
        coverage.files.insert(format!("{directory}/a.c"), file);
        (report, coverage)
    }

    #[test]
    fn errors_are_the_same_though_their_lines_have_moved() {
        let (first, a) = run("/x", vec![finding("x > 0", 5), finding("old", 6)], &[]);
        let errors = vec![finding("x > 0", 8), finding("x > 0", 8), finding("new", 9)];
        let (second, b) = run("/y", errors, &[]);
        let difference = RunDifference::between((&first, Some(&a)), (&second, Some(&b)));
        assert_eq!(difference.errors.new, [finding("new", 9)]);
        assert_eq!(difference.errors.gone, [finding("old", 6)]);
        assert_eq!(difference.errors.kept, 1);
        assert!(difference.is_worse());
    }

    #[test]
    fn lines_are_compared_by_their_path_in_the_project() {
        let (first, a) = run("/x", Vec::new(), &[(1, 1), (2, 0), (3, 1), (4, 1)]);
        let (second, b) = run("/y", Vec::new(), &[(1, 1), (2, 1), (3, 0)]);
        let difference = RunDifference::between((&first, Some(&a)), (&second, Some(&b)));
        let expected = LineChanges {
            gained: vec![2],
            lost: vec![3],
        };
        assert_eq!(difference.lines["a.c"], expected);
    }
}
