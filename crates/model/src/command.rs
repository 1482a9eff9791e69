//! External functions that are commands: the arguments go to standard input as a
//! JSON list, the result comes from standard output as JSON.

use crate::command_line::CommandLine;
use crate::model::Function;
use crate::types::Type;
use crate::value::{from_json, to_json};
use crate::wait::{self, Silence};
use base::Stop;
use mixed::oracle::{Implementation, Refusal};
use serde_json::Value as Json;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use term::Value;

/// How long a command may take for one call.
const LIMIT: Duration = Duration::from_secs(10);

/// Bytes of an answer that are read.
const LONGEST_ANSWER: u64 = 1 << 20;

/// Characters of a wrong answer that are shown.
const SHOWN: usize = 60;

/// No file is the program of a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no program `{0}` to run")]
pub(crate) struct NoProgram(String);

/// Why a command gave no result.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("it does not start: {0}")]
    Start(io::Error),
    #[error("its answer is longer than {LONGEST_ANSWER} characters")]
    TooLong,
    #[error("its answer cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("it cannot be waited for: {0}")]
    Lost(io::Error),
    #[error("it ends with {0}")]
    Exit(ExitStatus),
    #[error("its answer is not UTF-8 text")]
    NotText,
    #[error("it answers `{0}`, which is not JSON")]
    NotJson(String),
    #[error("its answer: {0}")]
    Value(crate::value::ValueError),
    /// It did not answer in time, or the run was stopped.
    #[error("it did not answer")]
    Silent,
}

/// How the oracle runs a function that is a command.
pub(crate) fn implementation<'f>(
    function: &Function,
    command: &CommandLine,
    folders: &[PathBuf],
) -> Result<Implementation<'f>, NoProgram> {
    let call = Call {
        program: program(&command.program, folders)?,
        arguments: command.arguments.clone(),
        folder: match folders[0].as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folders[0].clone(),
        },
        parameters: function
            .parameters
            .iter()
            .map(|(_, ty)| ty.clone())
            .collect(),
        result: function.result.clone(),
    };
    let run = move |leaves: &[Value], stop: &Stop| {
        call.run(leaves, stop).map_err(|failed| match failed {
            // The oracle knows by itself whether the run was stopped.
            Failed::Silent => Refusal::TimedOut { limit: LIMIT },
            other => Refusal::Reason(other.to_string()),
        })
    };
    Ok(Implementation::Custom(Box::new(run)))
}

/// The file of a program: one beside the model goes before one of the same name
/// elsewhere.
fn program(name: &str, folders: &[PathBuf]) -> Result<PathBuf, NoProgram> {
    let folders = match name.contains('/') {
        true => &folders[..1],
        false => folders,
    };
    let mut files = folders.iter().map(|folder| folder.join(name));
    let found = files.find(|file| file.is_file());
    let found = found.and_then(|file| std::path::absolute(file).ok());
    found.ok_or_else(|| NoProgram(name.to_owned()))
}

/// What a call needs besides its arguments.
struct Call {
    program: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
    parameters: Vec<Type>,
    result: Type,
}

impl Call {
    fn run(&self, leaves: &[Value], stop: &Stop) -> Result<Value, Failed> {
        let (mut rest, mut values) = (leaves, Vec::new());
        for ty in &self.parameters {
            let (part, others) = rest.split_at(ty.size());
            values.push(to_json(ty, part));
            rest = others;
        }
        let output = self.answer(&format!("{}\n", Json::Array(values)), stop)?;
        let json: Json =
            serde_json::from_str(output.trim()).map_err(|_| Failed::NotJson(shortened(&output)))?;
        let mut leaves = from_json(&self.result, &json).map_err(Failed::Value)?;
        Ok(leaves.remove(0))
    }

    /// What the program prints when it reads the input.
    fn answer(&self, input: &str, stop: &Stop) -> Result<String, Failed> {
        let started = Command::new(&self.program)
            .args(&self.arguments)
            .current_dir(Path::new(&self.folder))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = started.map_err(Failed::Start)?;
        let answer = wait::receive(&exchange(&mut child, input), LIMIT, stop);
        let is_whole = matches!(&answer, Ok(Ok(bytes)) if bytes.len() as u64 <= LONGEST_ANSWER);
        if !is_whole {
            // It may have ended by itself in the meantime.
            let _ = child.kill();
        }
        let status = child.wait().map_err(Failed::Lost)?;
        match answer {
            Err(Silence::TimedOut | Silence::Stopped | Silence::Disconnected) => {
                Err(Failed::Silent)
            }
            Ok(Err(error)) => Err(Failed::Unreadable(error)),
            Ok(Ok(_)) if !is_whole => Err(Failed::TooLong),
            Ok(Ok(_)) if !status.success() => Err(Failed::Exit(status)),
            Ok(Ok(bytes)) => String::from_utf8(bytes).map_err(|_| Failed::NotText),
        }
    }
}

/// Gives a program its input and what it prints to whoever waits for it. Both ends
/// are served by threads of their own: a program that reads slowly is waited for no
/// longer than one that answers slowly.
fn exchange(child: &mut Child, input: &str) -> Receiver<io::Result<Vec<u8>>> {
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let stdout = child.stdout.take().expect("standard output is piped");
    let input = input.to_owned();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        // A program may answer without reading its input.
        let _ = stdin.write_all(input.as_bytes());
    });
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(LONGEST_ANSWER + 1).read_to_end(&mut bytes);
        // Once the time is over there is no receiver any more.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
