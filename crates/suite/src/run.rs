//! Reading what a run has written, also when it was killed while writing.
//!
//! A file that a kill has torn is not an error: it is set aside and named, and
//! the whole tests are there to be used.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::file;
use crate::ktest;
use crate::{InputTypes, SuiteError, TestCase};

pub(crate) const RUN_JSON: &str = "run.json";

/// A directory a run has written, opened for reading.
#[derive(Debug)]
pub struct RunDirectory {
    /// The directory itself, links followed.
    pub path: PathBuf,
    /// The whole tests, in the order of their numbers.
    pub tests: Vec<StoredTest>,
    /// The test files that are not whole, in the order of their names.
    pub torn: Vec<TornFile>,
    /// The types the run knew of its inputs.
    pub types: InputTypes,
    /// What `run.json` says; none when the run was killed before its end.
    pub run: Option<Value>,
}

/// A whole test of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTest {
    /// Its name, `test000001`.
    pub name: String,
    /// Its `.ktest` file.
    pub path: PathBuf,
    /// What is in it, with the types the run knew.
    pub case: TestCase,
    /// The text of the error it ends in, if it ends in one.
    pub error: Option<PathBuf>,
}

/// A test file that was torn by a kill, or is no test at all.
#[derive(Debug)]
pub struct TornFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: SuiteError,
}

impl RunDirectory {
    /// Reads a directory such as `everypath-out-3` or the link `everypath-last`.
    pub fn open(path: &Path) -> Result<RunDirectory, SuiteError> {
        let unreadable = |source| SuiteError::Read {
            path: path.to_path_buf(),
            source,
        };
        if !path.is_dir() {
            return Err(SuiteError::NoDirectory {
                path: path.to_path_buf(),
            });
        }
        let path = fs::canonicalize(path).map_err(unreadable)?;
        let mut names = Vec::new();
        for entry in fs::read_dir(&path).map_err(unreadable)? {
            names.push(
                entry
                    .map_err(unreadable)?
                    .file_name()
                    .to_string_lossy()
                    .into_owned(),
            );
        }
        names.sort();
        let is_run = names
            .iter()
            .any(|name| name == RUN_JSON || name == "messages.log");
        if !is_run && !names.iter().any(|name| test_name(name).is_some()) {
            return Err(SuiteError::NotARun { path });
        }
        let run = read_run(&path, &names)?;
        let types = types_of(&path, run.as_ref())?;
        let mut directory = RunDirectory {
            path,
            tests: Vec::new(),
            torn: Vec::new(),
            types,
            run,
        };
        for name in names.iter().filter_map(|name| test_name(name)) {
            directory.read_test(name, &names);
        }
        // By length first: test1000000 comes after test999999.
        directory
            .tests
            .sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
        Ok(directory)
    }

    /// The test with this name, with or without `.ktest`.
    pub fn test(&self, name: &str) -> Option<&StoredTest> {
        let name = name.strip_suffix(".ktest").unwrap_or(name);
        self.tests.iter().find(|test| test.name == name)
    }

    fn read_test(&mut self, name: &str, names: &[String]) {
        let path = self.path.join(format!("{name}.ktest"));
        match ktest::read(&path) {
            Err(reason) => self.torn.push(TornFile { path, reason }),
            Ok(mut case) => {
                for input in &mut case.inputs {
                    input.kind = self.types.kind_of(input);
                }
                let error = error_of(name, names).map(|error| self.path.join(error));
                self.tests.push(StoredTest {
                    name: name.to_string(),
                    path,
                    case,
                    error,
                });
            }
        }
    }
}

/// The test's name, when this is the name of a finished test's file.
fn test_name(file: &str) -> Option<&str> {
    let name = file.strip_suffix(".ktest")?;
    let is_ours = !name.starts_with(file::TEMPORARY) && !name.is_empty();
    is_ours.then_some(name)
}

/// The first `.err` file of a test; `names` is sorted.
fn error_of<'a>(test: &str, names: &'a [String]) -> Option<&'a String> {
    let prefix = format!("{test}.");
    let start = names.partition_point(|name| name.as_str() < prefix.as_str());
    names[start..]
        .iter()
        .take_while(|name| name.starts_with(&prefix))
        .find(|name| name.ends_with(".err"))
}

fn read_run(path: &Path, names: &[String]) -> Result<Option<Value>, SuiteError> {
    if !names.iter().any(|name| name == RUN_JSON) {
        return Ok(None);
    }
    let path = path.join(RUN_JSON);
    let bytes = file::read(&path)?;
    match serde_json::from_slice(&bytes) {
        Ok(run) => Ok(Some(run)),
        Err(source) => Err(SuiteError::RunJson { path, source }),
    }
}

fn types_of(path: &Path, run: Option<&Value>) -> Result<InputTypes, SuiteError> {
    match run.and_then(|run| run.get("inputs")) {
        None => Ok(InputTypes::default()),
        Some(types) => {
            serde_json::from_value(types.clone()).map_err(|source| SuiteError::RunJson {
                path: path.join(RUN_JSON),
                source,
            })
        }
    }
}
