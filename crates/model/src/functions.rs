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

/// The libraries that the model's functions are in, each once, as the model
/// names them.
pub fn libraries(model: &Model) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for function in &model.functions {
        if let Run::Native {
            library: Some(library),
            ..
        } = &function.run
            && !found.contains(library)
        {
            found.push(library.clone());
        }
    }
    found
}

/// Makes the functions of a model known to an oracle that has loaded the
/// libraries. Files and commands are looked for beside the model, in `folder`.
pub fn declare(model: &Model, folder: &Path, oracle: &mut Oracle<'_>) -> Result<(), Failure> {
    for function in &model.functions {
        let implementation = match &function.run {
            Run::Native { .. } => Implementation::Native,
            Run::Table => Implementation::Table,
            Run::Command(command) => by_command(function, command, folder),
        };
        oracle.declare(signature(function), implementation)?;
        for file in &function.files {
            let loaded = oracle.load_table_of(known_as(function), &folder.join(file));
            loaded.map_err(Failure::Table)?;
        }
        for (arguments, result) in &function.rows {
            let observed = oracle.observe(known_as(function), arguments.clone(), result.clone());
            observed.map_err(|error| Failure::Refused {
                call: function.name.clone(),
                reason: format!("the table in the model: {error}"),
            })?;
        }
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

fn by_command<'f>(function: &Function, command: &str, folder: &Path) -> Implementation<'f> {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let types: Vec<Type> = function
        .parameters
        .iter()
        .map(|(_, ty)| ty.clone())
        .collect();
    let (result, folder) = (function.result.clone(), folder.to_owned());
    Implementation::custom(move |leaves: &[Value]| {
        let (mut rest, mut arguments) = (leaves, Vec::new());
        for ty in &types {
            let (part, others) = rest.split_at(ty.size());
            arguments.push(to_json(ty, part));
            rest = others;
        }
        let output = answer_of(&words, &folder, &Json::Array(arguments).to_string())?;
        let json: Json = serde_json::from_str(output.trim())
            .map_err(|_| format!("it answers `{}`, which is not JSON", shortened(&output)))?;
        let leaves = from_json(&result, &json).map_err(|reason| format!("its answer: {reason}"))?;
        Ok(leaves[0].clone())
    })
}

/// What a command prints when it reads the input.
fn answer_of(words: &[String], folder: &Path, input: &str) -> Result<String, String> {
    let program = words.first().ok_or("the command is empty")?;
    // A program beside the model goes before one of the same name elsewhere.
    let beside: PathBuf = folder.join(program);
    let program = if beside.is_file() {
        beside
    } else {
        program.into()
    };
    let program = std::path::absolute(&program)
        .ok()
        .filter(|path| path.is_file())
        .unwrap_or(program);
    let started = Command::new(&program)
        .args(&words[1..])
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
