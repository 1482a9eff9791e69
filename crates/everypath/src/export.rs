//! `everypath export`: a run's tests and results in the forms of other tools.

mod build;

use crate::Outcome;
use crate::error::Error;
use crate::output::{quoted, say};
use crate::retrace::report_of;
use crate::testcomp::Metadata;
use base::{OneLine, Stop};
use build::Framework;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use suite::export::{self, ExportedTest};
use suite::{End, JunitCase, JunitOutcome, RunDirectory, RunReport, StoredTest};

/// Writes the tests and results of a run in the forms of other tools.
#[derive(clap::Args)]
#[command(
    after_help = "Tests that need no Everypath any more, a directory each with a Makefile:
  c              one C program, which prints the Test Anything Protocol
  googletest     one C++ file for GoogleTest
  rust           one Rust file for rustc --test
  pytest-ctypes  one Python file for pytest, and a shared library
  raw            the bytes of every input as files, for fuzzers and scripts
  testcomp       a Test-Comp suite

Results, one file each, on standard output unless --output names one:
  junit          the tests and how they end, for build servers
  sarif          the errors, SARIF 2.1.0, for code review
  cobertura      coverage, for build servers
  lcov           coverage, for genhtml

A test of a path with an error fails until the error is fixed.

Examples:
  everypath export --as c --output tests && make -C tests check
  everypath export everypath-out-3 --as sarif --output results.sarif

Exit status: 0 everything was written; 2 it could not be."
)]
pub struct Arguments {
    /// A directory that everypath run has written.
    #[arg(value_name = "DIR", default_value = "everypath-last")]
    directory: PathBuf,
    /// The form.
    #[arg(long = "as", value_name = "FORM")]
    form: Form,
    /// The file or directory to write [default for directories: everypath-FORM].
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    C,
    Googletest,
    Rust,
    PytestCtypes,
    Raw,
    Testcomp,
    Junit,
    Sarif,
    Cobertura,
    Lcov,
}

/// Writes the export; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let directory = RunDirectory::open(&arguments.directory)?;
    for torn in &directory.torn {
        eprintln!("note: left out: {}", torn.reason);
    }
    let report = report_of(&directory)?;
    let text = match arguments.form {
        Form::Junit => junit(report, &directory.tests),
        Form::Sarif => {
            let replay = |test: &Path| format!("everypath replay {} --native", quoted(test));
            ::report::sarif::sarif(report, &arguments.directory, VERSION, &replay)
        }
        Form::Cobertura => cobertura(&directory, report)?,
        Form::Lcov => coverage(&directory)?.to_info("everypath"),
        _ => {
            write_directory(arguments, &directory, report, stop)?;
            return Ok(Outcome::Clean);
        }
    };
    match &arguments.output {
        None => say(text.trim_end())?,
        Some(path) => {
            base::files::write_whole(path, text.as_bytes()).map_err(Error::writing(path))?;
        }
    }
    Ok(Outcome::Clean)
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn coverage(directory: &RunDirectory) -> Result<suite::lcov::Coverage, Error> {
    let path = directory.path.join("coverage.info");
    let missing = || Error::content(path.one_line(), "it is missing; run the program again");
    directory.coverage()?.ok_or_else(missing)
}

fn cobertura(directory: &RunDirectory, report: &RunReport) -> Result<String, Error> {
    let source = report.program.as_ref().map(|recipe| &*recipe.directory);
    // The time of the run, so that two exports of one run are the same.
    let written = std::fs::metadata(directory.path.join("run.json"));
    let written = written.and_then(|data| data.modified()).ok();
    let since = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let millis = since.map_or(0, |since| since.as_millis() as u64);
    let source = source.unwrap_or(Path::new("."));
    Ok(::report::cobertura::cobertura(
        &coverage(directory)?,
        source,
        VERSION,
        millis,
    ))
}

fn junit(report: &RunReport, tests: &[StoredTest]) -> String {
    let types = &report.inputs;
    let cases = tests.iter().map(|test| JunitCase {
        name: test.name.clone(),
        outcome: outcome(report, test),
        time: Duration::ZERO,
        output: suite::render(&test.case, types),
        properties: Vec::new(),
    });
    suite::junit("everypath", &cases.collect::<Vec<_>>())
}

fn outcome(report: &RunReport, test: &StoredTest) -> JunitOutcome {
    let finding = report.errors.iter().find(|it| it.test == test.name);
    match (test.end, finding) {
        (_, Some(error)) => JunitOutcome::Failed(format!(
            "{}: {} in {} ({}:{})",
            error.kind,
            error.message,
            error.function,
            error.file.one_line(),
            error.line
        )),
        (Some(End::Error(kind)), None) => JunitOutcome::Failed(kind.to_string()),
        (Some(End::Exit(_)), None) => JunitOutcome::Passed,
        (None, None) => JunitOutcome::Skipped("a limit stopped this path".to_owned()),
    }
}

/// Writes a form that is several files, into a directory that is new or empty.
fn write_directory(
    arguments: &Arguments,
    directory: &RunDirectory,
    report: &RunReport,
    stop: &Stop,
) -> Result<(), Error> {
    let form = arguments.form;
    let name = form.to_possible_value().expect("no form is hidden");
    let default = || PathBuf::from(format!("everypath-{}", name.get_name()));
    let output = arguments.output.clone().unwrap_or_else(default);
    let tests = ExportedTest::of(report, &directory.tests);
    let framework = |file, text, framework| {
        let files = build::files(report, directory, framework, stop)?;
        let test = std::iter::once((String::from(file), String::into_bytes(text)));
        Ok::<_, Error>(test.chain(files).collect())
    };
    let files: Vec<(String, Vec<u8>)> = match form {
        Form::C => framework("tests.c", export::c(&tests), Framework::C)?,
        Form::Googletest => framework(
            "tests.cpp",
            export::googletest(&tests),
            Framework::Googletest,
        )?,
        Form::Rust => framework("tests.rs", export::rust(&tests), Framework::Rust)?,
        Form::PytestCtypes => {
            framework("test_program.py", export::pytest(&tests), Framework::Pytest)?
        }
        Form::Raw => export::raw(&tests),
        Form::Testcomp => testcomp(directory, report)?,
        Form::Junit | Form::Sarif | Form::Cobertura | Form::Lcov => Vec::new(),
    };
    write_files(&output, &files)?;
    say(&format!(
        "{} tests in {}{}",
        tests.len(),
        output.one_line(),
        match form {
            Form::Raw | Form::Testcomp => String::new(),
            _ => format!("; make -C {} check runs them", quoted(&output)),
        }
    ))
}

fn testcomp(directory: &RunDirectory, report: &RunReport) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let run_json = directory.path.join("run.json");
    let recipe = report.program.as_ref();
    let recipe = recipe.filter(|recipe| !recipe.files.is_empty());
    let recipe = recipe.ok_or_else(|| {
        Error::content(run_json.one_line(), "it does not say what program was run")
    })?;
    let metadata = Metadata {
        file: &recipe.files[0],
        entry: &recipe.entry,
    };
    let metadata = metadata.read()?.to_xml();
    let mut files = vec![("metadata.xml".to_owned(), metadata.into_bytes())];
    for (number, test) in (1..).zip(&directory.tests) {
        let is_error = matches!(test.end, Some(End::Error(_)));
        let xml = suite::testcomp::test_xml(&test.case, &report.inputs, is_error);
        files.push((format!("testcase-{number}.xml"), xml.into_bytes()));
    }
    Ok(files)
}

/// Writes files below a directory, which must hold nothing yet.
fn write_files(directory: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Error> {
    let writing = |path: &Path, source| Err(Error::writing(path)(source));
    if let Err(error) = std::fs::create_dir_all(directory) {
        return writing(directory, error);
    }
    let mut entries = std::fs::read_dir(directory).map_err(Error::reading(directory))?;
    if entries.next().is_some() {
        return Err(Error::Suite(suite::SuiteError::DirectoryInUse {
            path: directory.to_owned(),
        }));
    }
    for (name, bytes) in files {
        let path = directory.join(name);
        let parent = path.parent().unwrap_or(directory);
        let made = std::fs::create_dir_all(parent);
        if let Err(error) = made.and_then(|()| std::fs::write(&path, bytes)) {
            return writing(&path, error);
        }
    }
    Ok(())
}
