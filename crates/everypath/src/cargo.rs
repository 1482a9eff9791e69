//! `everypath cargo`, which `cargo everypath` runs: the tests of a crate that are marked
//! for Everypath, each explored.
//!
//! Cargo compiles the crate and what it depends on, with flags that leave bitcode beside
//! the machine code, into a directory of its own. Each function that an attribute marked
//! is an entry of the program that comes of it.

use crate::Outcome;
use crate::error::Error;
use crate::scratch::Scratch;
use base::Stop;
use engine::{Observer, Options, PathEnd, Session, Start};
use machine::End;
use program::toolchain::{CommandLine, Rustc};
use program::{CompileOptions, FunctionId, Program};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use suite::{Finding, PathCounts, Recipe, TestCase, ktest};

/// Explores the tests of a Rust crate: functions marked with #[everypath::test], and
/// harnesses written for Kani.
///
/// Run it in the directory of a crate or a workspace, most easily as `cargo everypath
/// test`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo everypath test                    every test of the workspace
  cargo everypath test round_trip         those whose name has this in it
  cargo everypath test --max-time 60 --save

Saved cases go to tests/everypath, where plain `cargo test` runs them.

Exit status: 0 no test fails; 1 one does; 2 the crate could not be compiled.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Explores the tests.
    Test(TestArguments),
}

#[derive(clap::Args)]
struct TestArguments {
    /// Only tests whose name has this in it.
    name: Option<String>,
    /// Only this package of the workspace.
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// Features to compile with, separated by commas.
    #[arg(short = 'F', long)]
    features: Option<String>,
    /// Compiles without the default features.
    #[arg(long)]
    no_default_features: bool,
    /// Explores each test for at most so many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = crate::solve::seconds)]
    max_time: Duration,
    /// Saves the cases of errors, or one of each path of a test without, in
    /// tests/everypath.
    #[arg(long)]
    save: bool,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t = Format::Pretty)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// As `cargo test` does.
    Pretty,
    /// One JSON object.
    Json,
}

/// What the names of entries begin with; the attributes of the crate give them.
const ENTRY: &str = "everypath_test.";

/// Runs the command; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let Command::Test(arguments) = &arguments.command;
    let scratch = Scratch::new()?;
    let headers = scratch.headers()?;
    let built = build(arguments, &headers, scratch.path(), stop)?;
    let mut results = Vec::new();
    for target in &built.targets {
        results.extend(explore(arguments, target, &built.libraries, stop)?);
    }
    let fails = results.iter().any(|result| !result.errors.is_empty());
    crate::output::say(&match arguments.format {
        Format::Pretty => listing(&results),
        Format::Json => {
            let report = Report {
                schema: suite::SCHEMA,
                tests: &results,
            };
            serde_json::to_string_pretty(&report).expect("results are plain data")
        }
    })?;
    Ok(match fails {
        true => Outcome::Found,
        false => Outcome::Clean,
    })
}

#[derive(Serialize)]
struct Report<'a> {
    schema: u64,
    tests: &'a [TestResult],
}

/// What came of a test.
#[derive(Serialize)]
struct TestResult {
    name: String,
    target: String,
    /// Whether every path was followed to its end.
    complete: bool,
    paths: PathCounts,
    errors: Vec<Finding>,
    notes: Vec<String>,
}

/// What cargo compiled.
struct Built {
    targets: Vec<Target>,
    /// What they depend on, and Rust's own library.
    libraries: Vec<PathBuf>,
}

/// Something with tests in it.
struct Target {
    name: String,
    bitcode: PathBuf,
    /// The directory of its package.
    directory: PathBuf,
}

/// What cargo says of what it makes, as far as it matters here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<MessageTarget>,
    profile: Option<Profile>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct MessageTarget {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

fn build(
    arguments: &TestArguments,
    headers: &Path,
    scratch: &Path,
    stop: &Stop,
) -> Result<Built, Error> {
    let options = CompileOptions {
        headers: Some(headers.to_owned()),
        ..CompileOptions::default()
    };
    let rustc = Rustc::find(&options)?;
    // Crates that use Kani do not name it as a dependency: its own compiler provides it.
    let kani = rustc.kani(scratch, stop)?;
    // Nothing runs natively, so that what only the machine has may be missing.
    let flags = "--cfg everypath --cfg kani -Ccodegen-units=1 -Cembed-bitcode=yes -Cdebuginfo=2 \
                 --emit=llvm-bc -Zshare-generics=no -Clink-arg=-Wl,--unresolved-symbols=ignore-all";
    let mut flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    flags.extend(["--extern".to_owned(), format!("kani={}", kani.display())]);
    flags.extend(["-L".to_owned(), scratch.display().to_string()]);
    let mut cargo = CommandLine::new("cargo")
        .args([
            "test",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ])
        // With a target given, flags are not for build scripts and macros.
        .args([
            "--target",
            &rustc.host(stop)?,
            "--target-dir",
            "target/everypath",
        ]);
    if let Some(package) = &arguments.package {
        cargo = cargo.args(["--package", package]);
    }
    if let Some(features) = &arguments.features {
        cargo = cargo.args(["--features", features]);
    }
    if arguments.no_default_features {
        cargo = cargo.arg("--no-default-features");
    }
    let cargo = cargo
        // Flags may have spaces in them, and are separated by what no text has.
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_INCREMENTAL", "0");
    let said = cargo.output("compile the crate", stop)?;
    let mut targets = Vec::new();
    let mut libraries = Vec::new();
    for line in said.lines() {
        let Ok(message) = serde_json::from_str::<Message>(line) else {
            continue;
        };
        if message.reason != "compiler-artifact" {
            continue;
        }
        let is_rlib = |file: &&PathBuf| file.extension().is_some_and(|it| it == "rlib");
        libraries.extend(message.filenames.iter().filter(is_rlib).cloned());
        let is_test = message.profile.is_some_and(|profile| profile.test);
        if let (true, Some(executable), Some(target)) =
            (is_test, message.executable, message.target)
        {
            let manifest = message.manifest_path.unwrap_or_default();
            targets.push(Target {
                name: target.name,
                bitcode: executable.with_extension("bc"),
                directory: manifest.parent().unwrap_or(Path::new(".")).to_owned(),
            });
        }
    }
    libraries.extend([kani.with_file_name("libeverypath.rlib"), kani]);
    libraries.extend(rustc.archives(stop)?);
    Ok(Built { targets, libraries })
}

/// Explores the tests of a target that are asked for.
fn explore(
    arguments: &TestArguments,
    target: &Target,
    libraries: &[PathBuf],
    stop: &Stop,
) -> Result<Vec<TestResult>, Error> {
    let files = std::iter::once(&target.bitcode).chain(libraries);
    let recipe = Recipe::of_files(files);
    let session = Session::new(recipe.clone(), options(&recipe, arguments, stop)?);
    let explained = |error| crate::run::explained(error, None);
    let program = session.load().map_err(explained)?;
    let mut results = Vec::new();
    for (entry, name) in entries(&program) {
        let is_wanted = arguments.name.as_deref().is_none_or(|it| name.contains(it));
        if !is_wanted {
            continue;
        }
        let recipe = Recipe {
            entry: program.functions[entry.index()].name.clone(),
            ..recipe.clone()
        };
        let session = Session::new(recipe.clone(), options(&recipe, arguments, stop)?);
        let prepared = session.prepare(&program, Start::Function(entry));
        let mut prepared =
            prepared.map_err(|error| crate::run::explained(error, Some(&program)))?;
        let mut cases = Cases::default();
        let report = prepared.run(&mut cases);
        let report = report.map_err(|error| crate::run::explained(error, Some(&program)))?;
        if arguments.save {
            cases.save(&target.directory.join("tests/everypath").join(&name))?;
        }
        results.push(TestResult {
            name,
            target: target.name.clone(),
            complete: report.outcome == suite::Outcome::Complete,
            paths: report.paths,
            errors: report.errors,
            notes: cases.notes,
        });
    }
    Ok(results)
}

fn options(
    recipe: &Recipe,
    arguments: &TestArguments,
    stop: &Stop,
) -> Result<Options<'static>, Error> {
    let stop = stop.limited(Some(arguments.max_time), None);
    Ok(Options {
        libraries: crate::libraries::installed(recipe, &stop)?,
        machine: machine::Options {
            stop,
            ..machine::Options::default()
        },
        ..Options::default()
    })
}

/// The entries of a program with the names of the functions they stand for, in order.
fn entries(program: &Program) -> Vec<(FunctionId, String)> {
    let functions = program.functions.iter().enumerate();
    let mut entries: Vec<(FunctionId, String)> = functions
        .filter_map(|(number, function)| {
            let rest = function.name.strip_prefix(ENTRY)?;
            let (name, _line) = rest.rsplit_once('.')?;
            function.body.as_ref()?;
            Some((FunctionId::from_index(number), name.to_owned()))
        })
        .collect();
    entries.sort_by(|a, b| a.1.cmp(&b.1));
    entries
}

/// The cases of a test as its paths end.
#[derive(Default)]
struct Cases {
    completed: Vec<TestCase>,
    failed: Vec<TestCase>,
    notes: Vec<String>,
}

impl Observer for Cases {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        match end {
            End::Exit(_) => self.completed.push(path.case().clone()),
            End::Error(..) => self.failed.push(path.case().clone()),
            End::Ignored | End::TooDeep | End::Unknown => {}
        }
    }

    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }
}

impl Cases {
    fn save(&self, folder: &Path) -> Result<(), Error> {
        let cases = match self.failed.is_empty() {
            true => &self.completed,
            false => &self.failed,
        };
        let writing = |source| Error::Write {
            path: folder.to_owned(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(writing)?;
        for (number, case) in cases.iter().enumerate() {
            ktest::write(&folder.join(format!("case{:06}.ktest", number + 1)), case)?;
        }
        Ok(())
    }
}

/// The results as `cargo test` shows them.
fn listing(results: &[TestResult]) -> String {
    let number = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let mut text = format!("running {}\n", number(results.len(), "test"));
    for result in results {
        let verdict = match (result.errors.is_empty(), result.complete) {
            (false, _) => "FAILED",
            (true, true) => "ok",
            (true, false) => "ok so far",
        };
        let paths = result.paths.completed + result.paths.errors;
        let paths = number(paths as usize, "path");
        text += &format!("test {} ... {verdict} ({paths})\n", result.name);
    }
    let failed: Vec<&TestResult> = results.iter().filter(|it| !it.errors.is_empty()).collect();
    if !failed.is_empty() {
        text += "\nfailures:\n";
    }
    for result in &failed {
        text += &format!("\n---- {} ----\n", result.name);
        for error in &result.errors {
            text += &format!("{}:{}: {}\n", error.file, error.line, error.message);
        }
    }
    let result = if failed.is_empty() { "ok" } else { "FAILED" };
    text + &format!(
        "\ntest result: {result}. {} passed; {} failed",
        results.len() - failed.len(),
        failed.len()
    )
}
