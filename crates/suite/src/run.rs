//! Reading what a run has written, also when it was killed while writing.
//!
//! A file that a kill has torn is not an error: it is set aside and named, and
//! the whole tests are there to be used.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::archive;
use crate::file;
use crate::ktest;
use crate::lcov;
use crate::{End, InputTypes, RunReport, SCHEMA, SuiteError, TestCase};

pub(crate) const RUN_JSON: &str = "run.json";
pub(crate) const COVERAGE: &str = "coverage.info";

/// A directory a run has written, opened for reading.
#[derive(Debug)]
pub struct RunDirectory {
    /// The directory itself, links followed.
    pub path: PathBuf,
    /// The whole tests, in the order of their numbers.
    pub tests: Vec<StoredTest>,
    /// The test files that are not whole, in the order of their names.
    pub torn: Vec<TornFile>,
    /// What the run found; none when it was killed before its end.
    pub report: Option<RunReport>,
}

/// A whole test of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTest {
    /// Its name, `test000001`.
    pub name: String,
    /// Its `.ktest` file; a test of an archive has none there.
    pub path: PathBuf,
    /// What is in it, with the types the run knew.
    pub case: TestCase,
    /// How it ends, if the run followed its path to the end.
    pub end: Option<End>,
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
        let has_archive = names.iter().any(|name| name == archive::TESTS);
        if !is_run && !has_archive && !names.iter().any(|name| test_name(name).is_some()) {
            return Err(SuiteError::NotARun { path });
        }
        let report = match names.iter().any(|name| name == RUN_JSON) {
            true => Some(RunReport::read(&path.join(RUN_JSON))?),
            false => None,
        };
        let mut directory = RunDirectory {
            path,
            tests: Vec::new(),
            torn: Vec::new(),
            report,
        };
        let types = directory.types();
        if has_archive {
            directory.read_archive(&names, &types)?;
        }
        let archived: BTreeSet<String> = directory.tests.iter().map(|t| t.name.clone()).collect();
        let files = names.iter().filter_map(|name| test_name(name));
        for name in files.filter(|&name| !archived.contains(name)) {
            directory.read_file(name, &names, &types);
        }
        // By length first: test1000000 comes after test999999.
        directory
            .tests
            .sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
        Ok(directory)
    }

    /// The types the run knew of its inputs.
    pub fn types(&self) -> InputTypes {
        let report = self.report.as_ref();
        report
            .map(|report| report.inputs.clone())
            .unwrap_or_default()
    }

    /// What of the source was reached; nothing is known of it where the run was killed
    /// before it wrote `coverage.info`.
    ///
    /// # Errors
    ///
    /// When the file is there and cannot be read.
    pub fn coverage(&self) -> Result<Option<lcov::Coverage>, SuiteError> {
        let path = self.path.join(COVERAGE);
        if !path.is_file() {
            return Ok(None);
        }
        let info = String::from_utf8_lossy(&file::read(&path)?).into_owned();
        match lcov::Coverage::parse(&info) {
            Ok(coverage) => Ok(Some(coverage)),
            Err(source) => Err(SuiteError::Coverage { path, source }),
        }
    }

    /// The test with this name, with or without `.ktest`.
    pub fn test(&self, name: &str) -> Option<&StoredTest> {
        let name = name.strip_suffix(".ktest").unwrap_or(name);
        self.tests.iter().find(|test| test.name == name)
    }

    fn read_archive(&mut self, names: &[String], types: &InputTypes) -> Result<(), SuiteError> {
        let path = self.path.join(archive::TESTS);
        let (tests, wrong) = archive::read(&path)?;
        for test in tests {
            self.add(test.name.as_str(), test.case, test.end, names, types);
        }
        self.torn
            .extend(wrong.map(|reason| TornFile { path, reason }));
        Ok(())
    }

    fn read_file(&mut self, name: &str, names: &[String], types: &InputTypes) {
        let path = self.path.join(format!("{name}.ktest"));
        match ktest::read(&path) {
            Err(reason) => self.torn.push(TornFile { path, reason }),
            Ok(case) => self.add(name, case, None, names, types),
        }
    }

    fn add(
        &mut self,
        name: &str,
        mut case: TestCase,
        end: Option<End>,
        names: &[String],
        types: &InputTypes,
    ) {
        for input in &mut case.inputs {
            input.kind = types.kind_of(input);
        }
        let reported = self.report.as_ref().and_then(|report| report.ends.of(name));
        self.tests.push(StoredTest {
            name: name.to_string(),
            path: self.path.join(format!("{name}.ktest")),
            case,
            end: end.or(reported),
            error: error_of(name, names).map(|error| self.path.join(error)),
        });
    }
}

/// Whether there is a test at a path such as `everypath-last/test000001.ktest`: a file,
/// or one of the tests in the archive beside it.
pub fn is_test(path: &Path) -> bool {
    path.is_file() || archived(path).is_ok_and(|test| test.is_some())
}

/// The test at a path such as `everypath-last/test000001.ktest`: of the file, or of the
/// archive beside it.
///
/// # Errors
///
/// When there is no such test, or it is not whole.
pub fn read_test(path: &Path) -> Result<TestCase, SuiteError> {
    match path.is_file() {
        true => ktest::read(path),
        // Without a file and without an archive, the file is what is missing.
        false => match archived(path)? {
            Some(case) => Ok(case),
            None => ktest::read(path),
        },
    }
}

fn archived(path: &Path) -> Result<Option<TestCase>, SuiteError> {
    let archive = path.with_file_name(archive::TESTS);
    let name = path.file_name().and_then(|name| test_name(name.to_str()?));
    match name {
        Some(name) if archive.is_file() => Ok(archive::find(&archive, name)?.map(|test| test.case)),
        _ => Ok(None),
    }
}

/// The test's name, when this is the name of a finished test's file.
fn test_name(file: &str) -> Option<&str> {
    let name = file.strip_suffix(".ktest")?;
    let is_ours = !name.starts_with(base::files::TEMPORARY) && !name.is_empty();
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

impl RunReport {
    /// Reads a `run.json`.
    pub fn read(path: &Path) -> Result<RunReport, SuiteError> {
        let wrong = |source| SuiteError::RunJson {
            path: path.to_path_buf(),
            source,
        };
        // The schema comes first: what else is in a file of another one may be
        // anything, and a complaint about a field would lead astray.
        #[derive(Deserialize)]
        struct Version {
            schema: u64,
        }
        let bytes = file::read(path)?;
        let Version { schema } = serde_json::from_slice(&bytes).map_err(wrong)?;
        if schema != SCHEMA {
            return Err(SuiteError::Schema {
                path: path.to_path_buf(),
                found: schema,
            });
        }
        serde_json::from_slice(&bytes).map_err(wrong)
    }
}
