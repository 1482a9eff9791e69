//! `--function` and `--all-functions`: functions as programs under test, without a driver
//! of the user's.

use crate::Outcome;
use crate::error::Error;
use crate::live::LivePage;
use crate::output::{say, say_json};
use crate::run::{self, Arguments, Begun};
use crate::session_error;
use base::{OneLine, Stop};
use engine::function_target::{driver, driver_name, own_functions};
use engine::{Options, Session, Start};
use program::{FunctionId, Program};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use suite::{ArgumentBounds, Finding, FunctionTarget, OutputDirectory, Recipe, RunReport};

/// Which functions are tested, and what their arguments are made of.
#[derive(clap::Args)]
pub struct FunctionArguments {
    /// Tests a function instead of a program: its arguments are made from their types,
    /// and pointers lead to symbolic objects.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["entry", "method"])]
    function: Option<String>,
    /// Tests every function of the program so, and prints a table.
    #[arg(long, conflicts_with_all = [
        "function", "entry", "method", "echo", "write_testcomp", "stats", "grammar",
    ])]
    all_functions: bool,
    /// With --all-functions, the seconds for each function.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::solve::seconds)]
    function_time: Duration,
    /// With --function, how many elements a pointer to numbers points to.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1024))]
    array_length: u64,
    /// With --function, how many bytes a text or an untyped pointer has; texts end with a
    /// zero.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1024))]
    string_length: u64,
    /// With --function, how many objects of a structure pointers in objects may lead to.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=16))]
    objects: u64,
    /// With --function, lets pointers be null that are arguments or lead to functions.
    #[arg(long)]
    null_arguments: bool,
}

impl FunctionArguments {
    /// Whether every function is tested.
    pub fn all(&self) -> bool {
        self.all_functions
    }

    /// The recipe for the function that was asked for, if one was.
    pub fn recipe(&self, recipe: Recipe) -> Recipe {
        match &self.function {
            Some(name) => self.recipe_of(recipe, name),
            None => recipe,
        }
    }

    fn recipe_of(&self, recipe: Recipe, name: &str) -> Recipe {
        Recipe {
            entry: driver_name(name),
            function: Some(FunctionTarget {
                name: name.to_owned(),
                bounds: self.bounds(),
            }),
            ..recipe
        }
    }

    fn bounds(&self) -> ArgumentBounds {
        ArgumentBounds {
            elements: self.array_length,
            string: self.string_length,
            objects: self.objects,
            null_arguments: self.null_arguments,
        }
    }
}

/// What a driver leaves out of the arguments it makes.
pub fn notes(recipe: &Recipe, program: &Program) -> Vec<String> {
    let Some(target) = &recipe.function else {
        return Vec::new();
    };
    let notes = driver(program, target).map(|driver| driver.notes);
    let notes = notes.unwrap_or_default().into_iter();
    notes
        .map(|note| format!("{}: {note}", target.name))
        .collect()
}

/// What `--json` prints.
#[derive(Serialize)]
struct Table<'a> {
    schema: u64,
    functions: &'a [Row],
}

/// One line of the table.
#[derive(Serialize)]
pub struct Row {
    pub function: String,
    #[serde(flatten)]
    pub tested: Tested,
}

/// What came of a function.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Tested {
    /// It was called.
    Called {
        /// Where its tests are.
        directory: PathBuf,
        report: Box<RunReport>,
    },
    /// It was not, for this reason.
    Not { not_tested: String },
}

/// Tests every function for its share of the time, and prints what came of it.
pub fn run_all(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    // The whole of it has a limit too, and the last function gets what is left.
    let stop = stop.limited(arguments.max_time, None);
    let recipe = run::recipe(arguments)?;
    crate::untrusted::examine(&recipe.files, &stop)?;
    let options = Options {
        whole: true,
        every_function: Some(arguments.function.bounds()),
        ..run::options(arguments, &stop, None)?
    };
    let session = Session::new(recipe.clone(), options);
    let program = session
        .load()
        .map_err(|error| session_error::explained(error, None))?;
    arguments.external.check(&program)?;
    let names: Vec<&str> = own_functions(&program).map(|it| &*it.name).collect();
    if names.is_empty() {
        return Err(Error::Program(
            "the program has no functions of its own but main".to_owned(),
        ));
    }
    let directory = run::output_directory(arguments)?;
    let mut page = arguments.live.page(directory.path(), &stop)?;
    let mut rows = Vec::new();
    for name in names {
        let recipe = arguments.function.recipe_of(recipe.clone(), name);
        let tested = match program.function(&recipe.entry) {
            None => Tested::Not {
                not_tested: why_not(&program, &recipe),
            },
            Some(_) if stop.is_set() => Tested::Not {
                not_tested: "the time was over".to_owned(),
            },
            Some(entry) => {
                let place = directory.path().join(name);
                let target = (&program, entry);
                let report = test(arguments, recipe, target, &place, &stop, &mut page)?;
                Tested::Called {
                    directory: place,
                    report: Box::new(report),
                }
            }
        };
        rows.push(Row {
            function: name.to_owned(),
            tested,
        });
    }
    let outcome = tell(arguments, &rows, directory.path())?;
    page.map_or(Ok(()), LivePage::finish_as_shown)?;
    Ok(outcome)
}

/// Why a function has no driver.
fn why_not(program: &Program, recipe: &Recipe) -> String {
    let target = recipe.function.as_ref().expect("it is about a function");
    match driver(program, target) {
        Err(error) => error.to_string(),
        Ok(_) => "it was not linked".to_owned(),
    }
}

/// Tests one function; tests and report go to a directory of its own.
fn test(
    arguments: &Arguments,
    recipe: Recipe,
    (program, entry): (&Program, FunctionId),
    place: &Path,
    stop: &Stop,
    page: &mut Option<LivePage>,
) -> Result<RunReport, Error> {
    let limit = arguments.function.function_time;
    let stop = stop.limited(Some(limit), None);
    let session = Session::new(recipe, run::options(arguments, &stop, None)?);
    let mut prepared = session
        .prepare(program, Start::Function(entry))
        .map_err(|error| session_error::explained(error, Some(program)))?;
    let begun = Begun::new(OutputDirectory::create_at(place)?);
    let live = page.take();
    let (mut recorder, report) =
        run::record(arguments, &mut prepared, program, begun, Some(limit), live)?;
    *page = recorder.take_page();
    note_on_page(page.as_ref(), place, &report);
    Ok(report)
}

/// Says on the page of several runs what came of one.
pub fn note_on_page(page: Option<&LivePage>, place: &Path, report: &RunReport) {
    if let Some(page) = page {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let (paths, errors) = (report.paths.total(), report.paths.errors);
        let outcome = report.outcome;
        page.note(format!(
            "{name}: {paths} paths, {errors} with errors, {outcome}"
        ));
    }
}

/// Prints the table.
pub fn tell(arguments: &Arguments, rows: &[Row], directory: &Path) -> Result<Outcome, Error> {
    let errors = errors(rows);
    match arguments.json {
        true => say_rows_as_json(rows)?,
        false => say(&shown(rows, directory))?,
    }
    crate::finding::outcome(&errors)
}

/// Prints the table as one JSON object.
pub fn say_rows_as_json(rows: &[Row]) -> Result<(), Error> {
    say_json(&Table {
        schema: suite::SCHEMA,
        functions: rows,
    })
}

fn errors(rows: &[Row]) -> Vec<Finding> {
    let reports = rows.iter().filter_map(|row| match &row.tested {
        Tested::Called { report, .. } => Some(report),
        Tested::Not { .. } => None,
    });
    reports.flat_map(|it| it.errors.iter().cloned()).collect()
}

/// The table as a person reads it: a line for each function, then each error once.
fn shown(rows: &[Row], directory: &Path) -> String {
    let widest = rows.iter().map(|row| row.function.chars().count()).max();
    let width = widest.unwrap_or(0).clamp(8, 40);
    let mut text = format!(
        "{:width$}  {:>6}  {:>6}  {:>6}  {:>7}  outcome\n",
        "function", "paths", "tests", "errors", "seconds"
    );
    let mut errors = String::new();
    let mut told = BTreeSet::new();
    for Row { function, tested } in rows {
        let report = match tested {
            Tested::Called { report, .. } => report,
            Tested::Not { not_tested } => {
                let _ = writeln!(text, "{function:width$}  not tested: {not_tested}");
                continue;
            }
        };
        let _ = writeln!(
            text,
            "{function:width$}  {:>6}  {:>6}  {:>6}  {:>7.1}  {}",
            report.paths.total(),
            report.tests,
            report.paths.errors,
            report.seconds,
            report.outcome
        );
        for error in &report.errors {
            if told.insert(error.identity()) {
                let _ = writeln!(
                    errors,
                    "{}:{}: {}: {} ({function}, {})",
                    error.file.one_line(),
                    error.line,
                    error.kind,
                    error.message,
                    error.test
                );
            }
        }
    }
    let _ = write!(
        text,
        "{errors}tests of each function are in a directory of its name in {}",
        directory.one_line()
    );
    text
}
