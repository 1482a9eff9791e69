//! The external functions of a model, declared to the oracle that runs them.

use crate::model::{Function, Model, Run};
use crate::types::Type;
use crate::value::{from_json, to_json};
use mixed::oracle::{Failure, Implementation, Oracle, Parameter, Signature};
use serde_json::Value as Json;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use term::{Store, Value};

/// How long a command may take for one call.
const COMMAND_LIMIT: Duration = Duration::from_secs(10);

/// The name that terms and tables use for a function: its symbol where it has one.
fn known_as(function: &Function) -> &str {
    match &function.run {
        Run::Native { symbol, .. } => symbol,
        Run::Table | Run::Command(_) => &function.name,
    }
}

/// The function as terms apply it.
pub(crate) fn symbol(store: &mut Store, function: &Function) -> term::Function {
    let leaves = function.parameters.iter().flat_map(|(_, ty)| ty.leaves());
    let parameters = leaves.map(|leaf| leaf.sort()).collect();
    store.function(term::Signature {
        name: known_as(function).to_owned(),
        parameters,
        result: function.result.sort(),
    })
}

/// The function as the oracle knows it: arrays and records are passed element by
/// element.
fn signature(function: &Function) -> Signature {
    let parameters = function.parameters.iter().flat_map(|(name, ty)| {
        let names = ty.leaf_names(name).into_iter();
        names.zip(ty.leaves()).map(|(name, leaf)| Parameter {
            name,
            kind: leaf.external(),
        })
    });
    Signature {
        name: known_as(function).to_owned(),
        parameters: parameters.collect(),
        result: function.result.external(),
    }
}

/// The libraries that the model's functions are in, as the model names them, each
/// with the first function that is there.
pub fn libraries(model: &Model) -> Vec<(&str, &Function)> {
    let mut found: Vec<(&str, &Function)> = Vec::new();
    for function in &model.functions {
        if let Run::Native {
            library: Some(library),
            ..
        } = &function.run
            && !found.iter().any(|(known, _)| known == library)
        {
            found.push((library, function));
        }
    }
    found
}

/// Makes the functions of a model known to an oracle that has loaded the
/// libraries. The model is in the first of the folders: its files and commands are
/// looked for there, commands that are bare names in the others too. An error says
/// which function it is about.
pub fn declare<'m>(
    model: &'m Model,
    folders: &[PathBuf],
    oracle: &mut Oracle<'_>,
) -> Result<(), (&'m Function, Failure)> {
    for function in &model.functions {
        declare_one(function, folders, oracle).map_err(|failure| (function, failure))?;
    }
    Ok(())
}

fn declare_one(
    function: &Function,
    folders: &[PathBuf],
    oracle: &mut Oracle<'_>,
) -> Result<(), Failure> {
    let refused = |reason: String| Failure::Refused {
        call: function.name.clone(),
        reason,
    };
    let implementation = match &function.run {
        Run::Native { .. } => Implementation::Native,
        Run::Table => Implementation::Table,
        Run::Command(words) => by_command(function, words, folders).map_err(refused)?,
    };
    oracle.declare(signature(function), implementation)?;
    for file in &function.files {
        let loaded = oracle.load_table_of(known_as(function), &folders[0].join(file));
        loaded.map_err(Failure::Table)?;
    }
    for (arguments, result) in &function.rows {
        let observed = oracle.observe(known_as(function), arguments.clone(), result.clone());
        observed.map_err(|error| refused(format!("the table in the model: {error}")))?;
    }
    Ok(())
}

/// How many rows the tables of the model's functions have, by name.
pub fn rows(model: &Model, oracle: &Oracle<'_>) -> Vec<(String, usize)> {
    let count = |function: &Function| oracle.table(known_as(function)).map_or(0, |t| t.len());
    let functions = model.functions.iter();
    functions
        .map(|function| (function.name.clone(), count(function)))
        .collect()
}

/// The table of a function as CSV.
pub fn table_text(function: &Function, oracle: &Oracle<'_>) -> String {
    let table = oracle.table(known_as(function));
    table.map(|table| table.to_csv()).unwrap_or_default()
}

fn by_command<'f>(
    function: &Function,
    words: &[String],
    folders: &[PathBuf],
) -> Result<Implementation<'f>, String> {
    let program = program(&words[0], folders)?;
    let arguments = words[1..].to_vec();
    let types: Vec<Type> = function
        .parameters
        .iter()
        .map(|(_, ty)| ty.clone())
        .collect();
    let (result, folder) = (function.result.clone(), folders[0].clone());
    Ok(Implementation::custom(move |leaves: &[Value]| {
        let (mut rest, mut values) = (leaves, Vec::new());
        for ty in &types {
            let (part, others) = rest.split_at(ty.size());
            values.push(to_json(ty, part));
            rest = others;
        }
        let input = Json::Array(values).to_string();
        let output = answer_of(&program, &arguments, &folder, &input)?;
        let json: Json = serde_json::from_str(output.trim())
            .map_err(|_| format!("it answers `{}`, which is not JSON", shortened(&output)))?;
        let leaves = from_json(&result, &json).map_err(|reason| format!("its answer: {reason}"))?;
        Ok(leaves[0].clone())
    }))
}

/// The file of a program: one beside the model goes before one of the same name
/// elsewhere.
fn program(name: &str, folders: &[PathBuf]) -> Result<PathBuf, String> {
    let folders = match name.contains('/') {
        true => &folders[..1],
        false => folders,
    };
    let mut files = folders.iter().map(|folder| folder.join(name));
    let found = files.find(|file| file.is_file());
    let found = found.and_then(|file| std::path::absolute(file).ok());
    found.ok_or_else(|| format!("there is no program `{name}` to run"))
}

/// What a program prints when it reads the input.
fn answer_of(
    program: &Path,
    arguments: &[String],
    folder: &Path,
    input: &str,
) -> Result<String, String> {
    let started = Command::new(program)
        .args(arguments)
        .current_dir(if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.map_err(|error| format!("it does not start: {error}"))?;
    let mut stdin = child.stdin.take().expect("it was piped");
    let mut stdout = child.stdout.take().expect("it was piped");
    // A program that does not read its input is no reason to stop; what it
    // answers is.
    let _ = writeln!(stdin, "{input}");
    drop(stdin);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = stdout.read_to_string(&mut text).map(|_| text);
        // Nobody listens any more once the time is over.
        let _ = sender.send(read);
    });
    let answer = receiver.recv_timeout(COMMAND_LIMIT);
    if answer.is_err() {
        // It may have ended by itself in the meantime.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    match answer {
        Err(_) => Err(format!("it does not answer within {COMMAND_LIMIT:?}")),
        Ok(Err(error)) => Err(format!("its answer cannot be read: {error}")),
        Ok(Ok(_)) if !status.success() => Err(format!("it ends with {status}")),
        Ok(Ok(text)) => Ok(text),
    }
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
