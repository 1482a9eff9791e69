//! Reading a model, and making its functions run.

use crate::clang::Clang;
use crate::diagnostic;
use crate::external;
use crate::scratch::Scratch;
use ::model::{Checked, Fault, Function, Model};
use mixed::oracle::Oracle;
use mixed::{Config, Mixed, Strategy};
use solver::Solver;
use std::path::{Path, PathBuf};

/// Which model, and with what parameters.
#[derive(clap::Args)]
pub struct ModelArguments {
    /// The model.
    #[arg(value_name = "FILE")]
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
    /// A library to look for functions in, beside those the model names.
    #[arg(long, value_name = "FILE")]
    load: Vec<PathBuf>,
    /// A directory with tables of what functions give, NAME.csv each; what is
    /// observed is added to them.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// What random choices depend on.
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
pub fn load(arguments: &ModelArguments) -> Result<(Model, String), String> {
    let (checked, text) = read(arguments)?;
    let name = arguments.file.display().to_string();
    for warning in &checked.warnings {
        eprintln!(
            "{}",
            told(&name, &text, warning).replacen("error:", "warning:", 1)
        );
    }
    Ok((checked.model, text))
}

pub fn read(arguments: &ModelArguments) -> Result<(Checked, String), String> {
    let text = text_of(&arguments.file)?;
    let name = arguments.file.display().to_string();
    let checked = ::model::check(&text, &arguments.settings)
        .map_err(|faults| told_all(&name, &text, &faults))?;
    Ok((checked, text))
}

pub fn text_of(file: &Path) -> Result<String, String> {
    let bytes = std::fs::read(file)
        .map_err(|error| format!("error: cannot read {}: {error}", file.display()))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("error: {}: byte {at} is not UTF-8 text", file.display())
    })
}

pub fn told(name: &str, text: &str, fault: &Fault) -> String {
    let (line, column) = fault.span.place(text);
    diagnostic::at_place(name, text, line, column, &fault.message)
}

pub fn told_all(name: &str, text: &str, faults: &[Fault]) -> String {
    let messages: Vec<String> = faults.iter().map(|fault| told(name, text, fault)).collect();
    messages.join("\n")
}

/// What runs the functions of a model, with their tables, and the directory where
/// libraries were compiled, which has to outlive it.
pub fn functions(
    file: &Path,
    model: &Model,
    load: &[PathBuf],
) -> Result<(Oracle<'static>, Scratch), String> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let scratch = Scratch::new()?;
    let mut libraries = load.to_vec();
    let users = ::model::functions::libraries(model);
    for (number, (library, function)) in users.into_iter().enumerate() {
        let beside = folder.join(library);
        let is_name = !library.contains('/') && !library.ends_with(".c");
        if is_name && !beside.exists() {
            libraries.push(PathBuf::from(library));
            continue;
        }
        if !beside.is_file() {
            let message = format!("there is no library {}", beside.display());
            return Err(at_function(file, function, &message));
        }
        libraries.push(library_file(&beside, &scratch, number)?);
    }
    let mut oracle = external::oracle(&libraries)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let elsewhere = std::env::split_paths(&path);
    let folders: Vec<PathBuf> = [folder.to_owned()].into_iter().chain(elsewhere).collect();
    ::model::functions::declare(model, &folders, &mut oracle)
        .map_err(|(function, failure)| at_function(file, function, &failure.to_string()))?;
    Ok((oracle, scratch))
}

/// A message about a function of the model.
fn at_function(file: &Path, function: &Function, message: &str) -> String {
    let (line, column) = function.place;
    let source = text_of(file).unwrap_or_default();
    diagnostic::at_place(&file.display().to_string(), &source, line, column, message)
}

/// What has to outlive what decides conditions: the directory where libraries were
/// compiled; and where its tables go in the end.
pub struct Kept {
    tables: Option<PathBuf>,
    _scratch: Scratch,
}

impl SolvingArguments {
    /// What decides conditions, with the model's functions.
    pub fn start(&self, file: &Path, model: &Model) -> Result<(Mixed<'static>, Kept), String> {
        let (mut oracle, scratch) = functions(file, model, &self.load)?;
        match &self.tables {
            Some(folder) if folder.is_dir() => {
                let loaded = oracle.load_tables(folder);
                loaded.map_err(|error| format!("error: {error}"))?;
            }
            Some(file) if file.exists() => {
                let file = file.display();
                return Err(format!("error: --tables {file}: it is not a directory"));
            }
            Some(_) | None => {}
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
    /// Writes what was observed to the tables, if the user wants them kept.
    pub fn save(&self, mixed: &Mixed<'_>) -> Result<(), String> {
        match &self.tables {
            Some(folder) => {
                let saved = mixed.oracle().save_tables(folder);
                saved.map_err(|error| format!("error: {error}"))
            }
            None => Ok(()),
        }
    }
}

/// The library itself, or what clang makes of its C file.
fn library_file(file: &Path, scratch: &Scratch, number: usize) -> Result<PathBuf, String> {
    if file.extension().is_none_or(|extension| extension != "c") {
        return Ok(file.to_owned());
    }
    let library = scratch.path().join(format!("library{number}.so"));
    let words = ["-O1", "-fPIC", "-shared", "-o"].map(str::to_owned);
    let files = [library.as_path(), file].map(|path| path.to_string_lossy().into_owned());
    let arguments: Vec<String> = words
        .into_iter()
        .chain(files)
        .chain(["-lm".to_owned()])
        .collect();
    Clang::find(Path::new("."))?.run(&arguments, &format!("compile {}", file.display()))?;
    Ok(library)
}

/// Writes a file, and the folders it is in.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, text))
        .map_err(|error| format!("error: cannot write {}: {error}", path.display()))
}
