//! The external functions of a model, declared to the oracle that runs them.

use crate::model::{Function, Model, Run};
use crate::types::Type;
use crate::value::{from_json, to_json};
use mixed::oracle::{Failure, Implementation, Oracle, Parameter, Refusal, Signature, Stop};
use serde_json::Value as Json;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use term::{Store, Value};

/// How long a command may take for one call.
const COMMAND_LIMIT: Duration = Duration::from_secs(10);

/// How often it is asked meanwhile whether anybody still waits.
const NAP: Duration = Duration::from_millis(20);

/// Characters of an answer that are read.
const LONGEST_ANSWER: u64 = 1 << 20;

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
/// looked for there, commands that are bare names in the others too. Gives the
/// functions that cannot be declared, and why.
pub fn declare<'m>(
    model: &'m Model,
    folders: &[PathBuf],
    oracle: &mut Oracle<'_>,
) -> Vec<(&'m Function, Failure)> {
    let functions = model.functions.iter();
    functions
        .filter_map(|function| {
            let declared = declare_one(function, folders, oracle);
            declared.err().map(|failure| (function, failure))
        })
        .collect()
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
    let run = move |leaves: &[Value], stop: &Stop| {
        let (mut rest, mut values) = (leaves, Vec::new());
        for ty in &types {
            let (part, others) = rest.split_at(ty.size());
            values.push(to_json(ty, part));
            rest = others;
        }
        let input = Json::Array(values).to_string();
        let output = answer_of(&program, &arguments, &folder, &input, stop)?;
        let json: Json = serde_json::from_str(output.trim()).map_err(|_| {
            let output = shortened(&output);
            Refusal::Reason(format!("it answers `{output}`, which is not JSON"))
        })?;
        let leaves = from_json(&result, &json)
            .map_err(|reason| Refusal::Reason(format!("its answer: {reason}")))?;
        Ok(leaves[0].clone())
    };
    Ok(Implementation::Custom(Box::new(run)))
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
    stop: &Stop,
) -> Result<String, Refusal> {
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
    let refused = |reason: String| Err(Refusal::Reason(reason));
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return refused(format!("it does not start: {error}")),
    };
    let mut stdin = child.stdin.take().expect("it was piped");
    let stdout = child.stdout.take().expect("it was piped");
    let input = format!("{input}\n");
    let (sender, receiver) = mpsc::channel();
    // A program that reads slowly is waited for no longer than one that answers
    // slowly, so both ends are served beside this thread.
    std::thread::spawn(move || {
        // A program that does not read its input is no reason to stop; what it
        // answers is.
        let _ = stdin.write_all(input.as_bytes());
    });
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(LONGEST_ANSWER + 1).read_to_end(&mut bytes);
        // Nobody listens any more once the time is over.
        let _ = sender.send(read.map(|_| bytes));
    });
    let answer = wait_for(&receiver, stop);
    let is_long = matches!(&answer, Some(Ok(bytes)) if bytes.len() as u64 > LONGEST_ANSWER);
    if answer.is_none() || is_long {
        // It may have ended by itself in the meantime.
        let _ = child.kill();
    }
    let status = match child.wait() {
        Ok(status) => status,
        Err(error) => return refused(error.to_string()),
    };
    match answer {
        None => Err(Refusal::TimedOut {
            limit: COMMAND_LIMIT,
        }),
        Some(Ok(_)) if is_long => refused(format!(
            "its answer is longer than {LONGEST_ANSWER} characters"
        )),
        Some(Err(error)) => refused(format!("its answer cannot be read: {error}")),
        Some(Ok(_)) if !status.success() => refused(format!("it ends with {status}")),
        Some(Ok(bytes)) => {
            String::from_utf8(bytes).or_else(|_| refused("its answer is not UTF-8 text".to_owned()))
        }
    }
}

/// What arrives in time and before anybody wants to stop.
fn wait_for<T>(receiver: &mpsc::Receiver<T>, stop: &Stop) -> Option<T> {
    let naps = COMMAND_LIMIT.as_millis() / NAP.as_millis();
    for _ in 0..naps {
        match receiver.recv_timeout(NAP) {
            Ok(answer) => return Some(answer),
            Err(_) if stop.is_set() => return None,
            Err(_) => {}
        }
    }
    None
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
