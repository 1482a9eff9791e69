//! Reading a model, and making its functions run.

use crate::diagnostic;
use crate::error::Error;
use crate::external::{self, SandboxArguments};
use crate::scratch::Scratch;
use ::model::{Checked, Fault, Location, Model, Run};
use base::{OneLine, Stop};
use mixed::oracle::{Note, Oracle};
use mixed::{Config, Mixed, Strategy};
use program::CompileOptions;
use program::toolchain::Clang;
use serde::Serialize;
use solver::Solver;
use std::path::{Path, PathBuf};

/// Which model, and with what parameters.
#[derive(clap::Args)]
pub struct ModelArguments {
    /// The model.
    #[arg(id = "model", value_name = "FILE")]
    pub file: PathBuf,
    /// A value for a parameter of the model.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub settings: Vec<(String, String)>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err("write NAME=VALUE".to_owned()),
    }
}

/// How conditions with external functions are decided.
#[derive(clap::Args)]
pub struct SolvingArguments {
    /// How conditions with external functions are decided: classic, table or
    /// mixed, which is the default and tries tables first.
    #[arg(long, value_name = "STRATEGY", value_parser = strategy)]
    complex: Option<Strategy>,
    /// How often the tables of functions may be extended, or a heuristic may
    /// try, for one condition; without --complex, it chooses the strategy `table`.
    #[arg(long, value_name = "N")]
    pub tries: Option<u32>,
    /// A shared library with external functions, beside those the model names.
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,
    #[command(flatten)]
    sandbox: SandboxArguments,
    /// A directory with recorded results of functions, a NAME.csv each; new results
    /// are added to them.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// The seed of random choices; equal seeds give equal results.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

fn strategy(text: &str) -> Result<Strategy, String> {
    match text.parse()? {
        Strategy::Exe | Strategy::Dart => Err(format!(
            "`{text}` is for programs; for models there are classic, mixed and table"
        )),
        chosen => Ok(chosen),
    }
}

/// The model of a file; warnings go to standard error.
pub fn load(arguments: &ModelArguments) -> Result<(Model, String), Error> {
    let (checked, text) = read(arguments)?;
    let name = arguments.file.one_line().into_owned();
    for warning in &checked.warnings {
        eprintln!("{}", told("warning", &name, &text, warning));
    }
    Ok((checked.model, text))
}

pub fn read(arguments: &ModelArguments) -> Result<(Checked, String), Error> {
    let text = text_of(&arguments.file)?;
    let name = arguments.file.one_line().into_owned();
    let checked = ::model::check(&text, &arguments.settings)
        .map_err(|faults| told_all(&name, &text, &faults))?;
    Ok((checked, text))
}

pub fn text_of(file: &Path) -> Result<String, Error> {
    let bytes = std::fs::read(file).map_err(Error::reading(file))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::content(file.one_line(), format!("byte {at} is not UTF-8 text"))
    })
}

pub fn told(label: &str, name: &str, text: &str, fault: &Fault) -> String {
    let Location { line, column } = fault.span.location(text);
    diagnostic::labelled(label, name, text, line, column, &fault.message)
}

pub fn told_all(name: &str, text: &str, faults: &[Fault]) -> Error {
    let messages = faults.iter().map(|fault| told("error", name, text, fault));
    let messages: Vec<String> = messages.collect();
    Error::Diagnostics(messages.join("\n"))
}

/// What runs the functions of a model until the token is set, with their tables, and
/// the directory where libraries were compiled, which has to outlive it. An error
/// has a message for every function that cannot be run.
pub fn functions(
    file: &Path,
    model: &Model,
    load: &[PathBuf],
    sandbox: &SandboxArguments,
    stop: &Stop,
) -> Result<(Oracle<'static>, Scratch), Error> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let scratch = Scratch::new()?;
    let mut oracle = sandbox.oracle(load)?;
    oracle.set_stop(stop.clone());
    let (mut missing, mut messages) = (Vec::new(), Vec::new());
    let users = ::model::functions::libraries(model);
    for (number, (library, function)) in users.into_iter().enumerate() {
        let loaded = library_file(folder, library, &scratch, number, stop)
            .and_then(|library| Ok(external::load_library(&mut oracle, &library)?));
        if let Err(error) = loaded {
            missing.push(library);
            messages.push(at_location(file, function.run_location, &error.to_string()));
        }
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let elsewhere = std::env::split_paths(&path);
    let folders: Vec<PathBuf> = [folder.to_owned()].into_iter().chain(elsewhere).collect();
    for error in ::model::functions::declare(model, &folders, &mut oracle) {
        // A missing library was reported already; that it lacks the symbol is no news.
        let is_in_missing = matches!(&error.function.run,
            Run::Native { library: Some(library), .. } if missing.contains(&library.as_str()));
        if !is_in_missing {
            messages.push(at_location(file, error.location, &error.to_string()));
        }
    }
    match messages.is_empty() {
        true => Ok((oracle, scratch)),
        false => Err(Error::Diagnostics(messages.join("\n"))),
    }
}

/// A message about a location in the model.
fn at_location(file: &Path, location: Location, message: &str) -> String {
    let Location { line, column } = location;
    let source = text_of(file).unwrap_or_default();
    // What a compiler says at length goes below the line of the model.
    let (first, rest) = message.split_once('\n').unwrap_or((message, ""));
    let name = file.one_line().into_owned();
    let told = diagnostic::at_place(&name, &source, line, column, first);
    format!("{told}\n{rest}").trim_end().to_owned()
}

/// The directory where libraries were compiled, which has to outlive the functions
/// in them, and where their tables go in the end.
pub struct Kept {
    tables: Option<PathBuf>,
    _scratch: Scratch,
}

impl SolvingArguments {
    /// What decides conditions, with the model's functions, until the token is set.
    pub fn start(
        &self,
        file: &Path,
        model: &Model,
        stop: &Stop,
    ) -> Result<(Mixed<'static>, Kept), Error> {
        let (mut oracle, scratch) = functions(file, model, &self.load, &self.sandbox, stop)?;
        if let Some(folder) = &self.tables {
            external::load_tables(&mut oracle, folder)?;
        }
        let default = Config::default();
        let strategy = match (self.complex, self.tries) {
            (Some(chosen), _) => chosen,
            (None, Some(_)) => Strategy::Table,
            (None, None) => default.strategy,
        };
        let config = Config {
            strategy,
            max_tries: self.tries.unwrap_or(default.max_tries),
            seed: self.seed,
            ..default
        };
        let kept = Kept {
            tables: self.tables.clone(),
            _scratch: scratch,
        };
        Ok((Mixed::new(config, Solver::default(), oracle), kept))
    }
}

impl Kept {
    /// Tells what happened to functions, and writes what was observed to the tables
    /// if the user wants them kept.
    pub fn save(&self, mixed: &mut Mixed<'_>) -> Result<(), Error> {
        tell_notes(&mixed.oracle_mut().take_notes());
        match &self.tables {
            Some(folder) => Ok(mixed.oracle().save_tables(folder)?),
            None => Ok(()),
        }
    }
}

/// Tells the first accident of every function, and how many others there were.
fn tell_notes(notes: &[Note]) {
    let mut told: Vec<&str> = Vec::new();
    for note in notes {
        if told.contains(&note.function.as_str()) {
            continue;
        }
        told.push(&note.function);
        let others = notes.iter().filter(|n| n.function == note.function).count() - 1;
        match others {
            0 => eprintln!("note: {note}"),
            _ => eprintln!("note: {note} ({others} more accidents of this function)"),
        }
    }
}

/// The library as the model names it: one beside the model, what clang makes of a C
/// file there, or a name that the system knows.
fn library_file(
    folder: &Path,
    library: &str,
    scratch: &Scratch,
    number: usize,
    stop: &Stop,
) -> Result<PathBuf, Error> {
    let file = folder.join(library);
    let is_source = library.ends_with(".c");
    if !library.contains('/') && !is_source && !file.exists() {
        return Ok(PathBuf::from(library));
    }
    if !file.is_file() {
        return Err(Error::Usage(format!(
            "there is no library {}",
            file.one_line()
        )));
    }
    if !is_source {
        return Ok(file);
    }
    let library = scratch.path().join(format!("library{number}.so"));
    let options = CompileOptions::default();
    let command = Clang::find(&options)?.shared_library(&file, &library);
    command.run(&format!("compile {}", file.one_line()), stop)?;
    Ok(library)
}

/// Writes a file, and the folders it is in.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| base::files::write_whole(path, text.as_bytes()))
        .map_err(Error::writing(path))
}

/// Writes a file of JSON that people may read and edit.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(value);
    let text = text.map_err(|error| Error::writing(path)(error.into()))?;
    write(path, &(text + "\n"))
}
