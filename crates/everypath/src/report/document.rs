//! The document that a page shows, from the directory of a run.

use super::followed::Followed;
use crate::error::Error;
use crate::external;
use crate::output::quoted;
use crate::retrace::{Origin, report_of};
use ::report::document::{
    BranchCount, CorpusInput, Document, ErrorReport, FunctionCount, LineCount, SourceFile, Table,
    Test,
};
use base::{OneLine, Stop};
use machine::runtime::is_library;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use suite::lcov::Coverage;
use suite::{InputTypes, Profile, RunDirectory, RunReport, TestCase};

/// Inputs of a corpus that a page shows.
const MOST_INPUTS: usize = 2000;
/// Inputs of a test that a list of tests shows.
const MOST_VALUES: usize = 50;
/// Bytes of an input that a page shows.
const MOST_BYTES: usize = 400;

/// Everything that is known of a run that is over.
pub fn whole(name: &Path, directory: &RunDirectory, stop: &Stop) -> Result<Document, Error> {
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
        // What fuzzing keeps are inputs and no paths.
        Err(_) if run.fuzz.is_some() => {}
        Err(error) => notes.push(format!("The tests were not followed again: {error}.")),
    }
    if followed.is_whole() && followed.ends.len() < directory.tests.len() {
        notes.push(format!(
            "The tree and the counts are of {} of {} tests: following all would take too long.",
            followed.ends.len(),
            directory.tests.len()
        ));
    }
    let mut document = unfollowed(name, directory, run, &coverage, profile);
    document.files = files(run, &coverage, &followed);
    document.tests = tests(run, directory, &followed);
    document.errors = errors(name, run, directory, &followed);
    document.tree = followed.is_whole().then_some(followed.tree.tree);
    document.notes = notes;
    Ok(document)
}

/// The same without what following its tests would show, which is all there is of a run
/// that goes on.
pub fn unfollowed(
    name: &Path,
    directory: &RunDirectory,
    run: &RunReport,
    coverage: &Coverage,
    profile: Profile,
) -> Document {
    let followed = Followed::default();
    Document {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        title: title(run),
        directory: quoted(name),
        run: Some(run.clone()),
        model: None,
        live: None,
        files: files(run, coverage, &followed),
        tests: tests(run, directory, &followed),
        errors: errors(name, run, directory, &followed),
        tree: None,
        costs: profile.costs,
        calls: profile.calls,
        curve: profile.curve,
        tables: tables(&directory.path.join(external::TABLES)),
        corpus: corpus(directory),
        notes: Vec::new(),
    }
}

fn title(run: &RunReport) -> String {
    let Some(recipe) = &run.program else {
        let what = if run.fuzz.is_some() {
            "fuzzing"
        } else {
            "a run"
        };
        return what.to_owned();
    };
    let name = |path: &PathBuf| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let names: Vec<String> = recipe.files.iter().filter_map(name).take(3).collect();
    let more = if recipe.files.len() > 3 { ", …" } else { "" };
    let function = recipe.function.as_ref().map(|target| &target.name);
    let entry = match (recipe.method.as_ref().or(function), recipe.entry.as_str()) {
        (Some(tested), _) => format!(", {tested}"),
        (None, "main") => String::new(),
        (None, entry) => format!(", {entry}"),
    };
    format!("{}{more}{entry}", names.join(", "))
}

/// The source files, with how many tests go through what.
fn files(run: &RunReport, coverage: &Coverage, followed: &Followed) -> Vec<SourceFile> {
    let directory = run
        .program
        .as_ref()
        .map(|recipe| recipe.directory.as_path());
    // Fuzzing does not say where it was started.
    let directory = directory.or_else(|| common_folder(coverage));
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
            name: inner.unwrap_or(path.as_ref()).one_line().into_owned(),
            text: text(Path::new(path)),
            lines: lines.collect(),
            branches: branches.into_iter().map(|(_, branch)| branch).collect(),
            functions: functions.collect(),
            path: path.clone(),
        }
    });
    files.collect()
}

/// The innermost folder that all files are in.
fn common_folder(coverage: &Coverage) -> Option<&Path> {
    let own = coverage.files.keys().filter(|path| !is_library(path));
    let own: Vec<&Path> = own.map(Path::new).collect();
    let mut folders = own.first()?.ancestors().skip(1);
    folders.find(|folder| own.iter().all(|path| path.starts_with(folder)))
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
        inputs: brief(&test.case, &run.inputs),
        node,
    });
    tests.collect()
}

/// The first inputs of a test on one line.
pub fn brief(case: &TestCase, types: &InputTypes) -> String {
    if case.inputs.len() <= MOST_VALUES {
        return suite::brief(case, types);
    }
    let first = TestCase::new(case.inputs[..MOST_VALUES].to_vec());
    let more = case.inputs.len() - MOST_VALUES;
    format!("{} … and {more} more", suite::brief(&first, types))
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
    command_in(&std::fs::read_to_string(path).ok()?)
}

/// The command in the text of an error.
pub fn command_in(text: &str) -> Option<String> {
    let command = text.lines().rev().find_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("replay: ")
            .or(line.strip_prefix("unit test: "))
    });
    command.map(str::to_owned)
}

/// What was observed of functions outside the program, as far as it is kept.
fn tables(folder: &Path) -> Vec<Table> {
    let mut tables: Vec<Table> = files_of(folder)
        .iter()
        .filter_map(|path| {
            let function = path.file_stem()?.to_str()?;
            let text = std::fs::read_to_string(path).ok()?;
            Some(Table::read(function, &text, None))
        })
        .collect();
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// The inputs that fuzzing kept.
fn corpus(directory: &RunDirectory) -> Vec<CorpusInput> {
    let files = files_of(&directory.path.join("inputs"));
    let inputs = files.iter().take(MOST_INPUTS).filter_map(|path| {
        let bytes = std::fs::read(path).ok()?;
        let first = &bytes[..bytes.len().min(MOST_BYTES)];
        let name = path.strip_prefix(&directory.path).ok()?;
        Some(CorpusInput {
            name: name.one_line().into_owned(),
            size: bytes.len() as u64,
            text: base::escape::c_string(first),
        })
    });
    inputs.collect()
}

/// The files of a folder in the order of their names; none where there is no folder.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
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
