//! `everypath report`: a run as one page.
//!
//! The run wrote down what cannot be had again; the rest comes from following its tests
//! once more. Where the program is gone or has no path to follow, the page says so and
//! shows what there is.

mod tree;

use crate::Outcome;
use crate::error::Error;
use crate::output::say;
use crate::retrace::{Origin, Retrace, report_of};
use ::report::document::{
    BranchCount, Document, ErrorReport, Frame, FunctionCount, LineCount, SourceFile, Test,
};
use base::Stop;
use engine::report::{SourceFrame, stack};
use machine::runtime::is_library;
use program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use suite::lcov::Coverage;
use suite::{Profile, RunDirectory, RunReport, StoredTest};
use tree::Grown;

/// Writes one page that shows a run: errors, source, execution tree, tests, solver time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath report
  everypath report everypath-out-3 --html run.html

The page needs no other file and no network. Tests are followed again to show what each
takes; a program that has changed since the run is noted.

Exit status: 0 the page was written; 2 it could not be.")]
pub struct Arguments {
    /// A directory that everypath run, fuzz or stage has written.
    #[arg(value_name = "DIR", default_value = "everypath-last")]
    directory: PathBuf,
    /// The page [default: report.html in the directory].
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Does not open the page on a desktop.
    #[arg(long)]
    no_open: bool,
}

/// Instructions after which no more tests are followed for a page.
const BUDGET: u64 = 20_000_000_000;

/// Writes the page; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let directory = RunDirectory::open(&arguments.directory)?;
    let document = document(&arguments.directory, &directory, stop)?;
    let default = directory.path.join("report.html");
    let path = arguments.html.as_ref().unwrap_or(&default);
    let page = ::report::page(&document);
    base::files::write_whole(path, page.as_bytes()).map_err(Error::writing(path))?;
    say(&path.display().to_string())?;
    if !arguments.no_open && std::io::stdout().is_terminal() {
        open(path);
    }
    Ok(Outcome::Clean)
}

/// Opens the page where there is a desktop to do it; elsewhere its name was printed.
fn open(path: &Path) {
    let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    if has_desktop {
        let mut opener = Command::new("xdg-open");
        let quiet = opener.stdout(Stdio::null()).stderr(Stdio::null());
        // A desktop without an opener has the name of the page all the same.
        let _ = quiet.arg(path).spawn();
    }
}

/// Everything that the page shows.
fn document(name: &Path, directory: &RunDirectory, stop: &Stop) -> Result<Document, Error> {
    let run = report_of(directory)?;
    let profile = Profile::read(&directory.path)?;
    let coverage = directory.coverage()?.unwrap_or_default();
    let mut notes = Vec::new();
    let torn = directory.torn.len();
    if torn > 0 {
        notes.push(format!(
            "{torn} test files were cut short by a kill and are left out."
        ));
    }
    let mut followed = Followed::default();
    match Origin::of(directory, stop) {
        Ok(origin) => {
            let mut retrace = origin.retrace(stop)?;
            followed.follow(&origin.program, &mut retrace, run, &directory.tests, stop);
        }
        Err(error) => notes.push(format!("The tests were not followed again: {error}.")),
    }
    if followed.is_whole() && followed.ends.len() < directory.tests.len() {
        notes.push(format!(
            "The tree and the counts are of {} of {} tests: following all would take too long.",
            followed.ends.len(),
            directory.tests.len()
        ));
    }
    Ok(Document {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        title: title(run),
        directory: name.display().to_string(),
        run: run.clone(),
        files: files(run, &coverage, &followed),
        tests: tests(run, directory, &followed),
        errors: errors(name, run, directory, &followed),
        tree: followed.is_whole().then(|| followed.tree.tree.clone()),
        costs: profile.costs,
        curve: profile.curve,
        notes,
    })
}

fn title(run: &RunReport) -> String {
    let Some(recipe) = &run.program else {
        return "a run".to_owned();
    };
    let name = |path: &PathBuf| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let names: Vec<String> = recipe.files.iter().filter_map(name).take(3).collect();
    let more = if recipe.files.len() > 3 { ", …" } else { "" };
    let entry = match (&recipe.method, recipe.entry.as_str()) {
        (Some(method), _) => format!(", {method}"),
        (None, "main") => String::new(),
        (None, entry) => format!(", {entry}"),
    };
    format!("{}{more}{entry}", names.join(", "))
}

/// What following tests again showed.
#[derive(Default)]
struct Followed {
    tree: Grown,
    /// The nodes of the tests that were followed, in their order.
    ends: Vec<u32>,
    /// For each test with an error, the calls it happened in.
    stacks: BTreeMap<usize, Vec<Frame>>,
    /// Tests through each line, branch successor and function, as coverage has them.
    lines: BTreeMap<(String, u32), u64>,
    branches: BTreeMap<(String, usize), u64>,
    functions: BTreeMap<(String, String), u64>,
}

impl Followed {
    /// Whether the program could be followed at all.
    fn is_whole(&self) -> bool {
        !self.ends.is_empty()
    }

    fn follow(
        &mut self,
        program: &Program,
        retrace: &mut Retrace<'_>,
        run: &RunReport,
        tests: &[StoredTest],
        stop: &Stop,
    ) {
        let failing: BTreeSet<&str> = run.errors.iter().map(|error| error.test.as_str()).collect();
        let mut instructions = 0;
        for (index, test) in tests.iter().enumerate() {
            if stop.is_set() || instructions > BUDGET {
                return;
            }
            let traced = retrace.trace(&test.case);
            let end = self.tree.add(program, retrace.replay.store(), &traced);
            self.ends.push(end);
            if let Some(state) = &traced.state {
                instructions += state.progress.instructions;
                if failing.contains(test.name.as_str()) {
                    let frames = stack(program, state).into_iter();
                    self.stacks.insert(index, frames.map(frame).collect());
                }
            }
            self.count(program, &traced.replayed.coverage);
        }
    }

    /// Adds a test to everything that it reached.
    fn count(&mut self, program: &Program, reached: &machine::Coverage) {
        let (coverage, _) = engine::report::coverage(program, reached);
        for (path, file) in coverage.files {
            for (line, _) in file.lines.into_iter().filter(|&(_, hits)| hits > 0) {
                *self.lines.entry((path.clone(), line)).or_default() += 1;
            }
            let taken = file.branches.iter().enumerate();
            for (at, _) in taken.filter(|(_, branch)| branch.taken > Some(0)) {
                *self.branches.entry((path.clone(), at)).or_default() += 1;
            }
            for function in file.functions.into_iter().filter(|it| it.hits > 0) {
                *self
                    .functions
                    .entry((path.clone(), function.name))
                    .or_default() += 1;
            }
        }
    }
}

fn frame(frame: SourceFrame) -> Frame {
    Frame {
        function: frame.function,
        file: frame.path,
        line: frame.line,
    }
}

/// The source files, with how many tests go through what.
fn files(run: &RunReport, coverage: &Coverage, followed: &Followed) -> Vec<SourceFile> {
    let directory = run
        .program
        .as_ref()
        .map(|recipe| recipe.directory.as_path());
    let own = coverage.files.iter().filter(|(path, _)| !is_library(path));
    let files = own.map(|(path, file)| {
        // Tests are counted where they were followed; before, there is covered and not.
        let counted = |covered: bool, count: Option<&u64>| match (covered, followed.is_whole()) {
            (false, _) => 0,
            (true, true) => count.copied().unwrap_or(0).max(1),
            (true, false) => 1,
        };
        let lines = file.lines.iter().map(|(&line, &hits)| LineCount {
            line,
            hits: counted(hits > 0, followed.lines.get(&(path.clone(), line))),
        });
        let mut branches: Vec<(u32, BranchCount)> = Vec::new();
        for (at, branch) in file.branches.iter().enumerate() {
            let taken = branch.taken > Some(0);
            let count = counted(taken, followed.branches.get(&(path.clone(), at)));
            match branches.last_mut() {
                Some((block, last)) if *block == branch.block && last.line == branch.line => {
                    last.taken.push(count);
                }
                _ => branches.push((
                    branch.block,
                    BranchCount {
                        line: branch.line,
                        taken: vec![count],
                    },
                )),
            }
        }
        let functions = file.functions.iter().map(|function| {
            let key = (path.clone(), function.name.clone());
            FunctionCount {
                name: function.name.clone(),
                line: function.line,
                hits: counted(function.hits > 0, followed.functions.get(&key)),
            }
        });
        let inner = directory.and_then(|directory| Path::new(path).strip_prefix(directory).ok());
        SourceFile {
            name: inner.map_or_else(|| path.clone(), |inner| inner.display().to_string()),
            text: text(Path::new(path)),
            lines: lines.collect(),
            branches: branches.into_iter().map(|(_, branch)| branch).collect(),
            functions: functions.collect(),
            path: path.clone(),
        }
    });
    files.collect()
}

/// The lines of a file. What is not UTF-8 is replaced, and so is what would steer a
/// terminal: this text is copied from the page.
fn text(path: &Path) -> Option<Vec<String>> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text
        .lines()
        .map(|line| base::escape::visible(line).into_owned());
    Some(lines.collect())
}

fn tests(run: &RunReport, directory: &RunDirectory, followed: &Followed) -> Vec<Test> {
    let nodes = followed.ends.iter().copied().map(Some);
    let nodes = nodes.chain(std::iter::repeat(None));
    let tests = directory.tests.iter().zip(nodes).map(|(test, node)| Test {
        name: test.name.clone(),
        end: test.end.map(|end| end.to_string()),
        inputs: suite::brief(&test.case, &run.inputs),
        node,
    });
    tests.collect()
}

fn errors(
    name: &Path,
    run: &RunReport,
    directory: &RunDirectory,
    followed: &Followed,
) -> Vec<ErrorReport> {
    let mut errors: Vec<ErrorReport> = Vec::new();
    let mut known = BTreeMap::new();
    for finding in &run.errors {
        if let Some(&at) = known.get(&finding.identity()) {
            let error: &mut ErrorReport = &mut errors[at];
            error.tests += finding.times.unwrap_or(1);
            continue;
        }
        known.insert(finding.identity(), errors.len());
        let position = directory
            .tests
            .iter()
            .position(|test| test.name == finding.test);
        let stored = position.map(|at| &directory.tests[at]);
        let path = name.join(&finding.test);
        let input = match stored {
            Some(test) => suite::render(&test.case, &run.inputs),
            // What fuzzing keeps is the input itself.
            None => std::fs::read(directory.path.join(&finding.test))
                .map(|bytes| base::escape::c_string(&bytes))
                .unwrap_or_default(),
        };
        let replay = match (stored, &run.program) {
            (Some(_), Some(recipe)) if recipe.method.is_none() => {
                format!("everypath replay {} --native", quoted(&path))
            }
            _ => again(directory, &finding.test).unwrap_or_default(),
        };
        let picture = directory.path.join(format!("{}.svg", finding.test));
        errors.push(ErrorReport {
            finding: finding.clone(),
            tests: finding.times.unwrap_or(1),
            stack: position
                .and_then(|at| followed.stacks.get(&at).cloned())
                .unwrap_or_default(),
            input,
            replay,
            pictures: std::fs::read_to_string(picture).into_iter().collect(),
        });
    }
    errors
}

/// The command that the text of an error ends with, after `replay:` or `unit test:`.
fn again(directory: &RunDirectory, test: &str) -> Option<String> {
    let stored = directory.test(test).and_then(|test| test.error.clone());
    let path = stored.unwrap_or_else(|| directory.path.join(format!("{test}.err")));
    let text = std::fs::read_to_string(path).ok()?;
    let command = text.lines().rev().find_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("replay: ")
            .or(line.strip_prefix("unit test: "))
    });
    command.map(str::to_owned)
}

/// A path as a word of the shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let quoted = shlex::try_quote(&text).map(|quoted| quoted.into_owned());
    quoted.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_the_files_and_the_entry() {
        let mut recipe = suite::Recipe::of_files(["/a/x.c", "y.c"]);
        recipe.entry = "f".to_owned();
        let report = serde_json::json!({
            "schema": 1, "outcome": "complete", "tests": 0, "errors": [], "program": recipe,
            "paths": {"completed": 0, "errors": 0, "ignored": 0, "infeasible": 0,
                      "unknown": 0, "unfinished": 0},
            "coverage": {"lines": {"covered": 0, "total": 0},
                         "branches": {"covered": 0, "total": 0}},
            "instructions": 0, "forks": 0, "seconds": 0.0, "peak_memory_bytes": 0,
            "solver": {"queries": 0, "backend_calls": 0, "unknown": 0, "seconds": 0.0},
        });
        let report: RunReport = serde_json::from_value(report).expect("it is a report");
        assert_eq!(title(&report), "x.c, y.c, f");
    }
}
