//! Questions recorded from symbolic execution: those in `tests/queries`, and
//! those that a run has written.

use std::path::Path;
use term::Store;
use term::Term;
use term::smtlib::{self, Command};

/// The questions of one program, in the order in which they were asked.
pub struct Recording {
    /// The program's name.
    pub program: String,
    /// The terms of all its questions.
    pub store: Store,
    /// The questions.
    pub questions: Vec<Question>,
}

/// One recorded question.
pub struct Question {
    /// Its number within the program.
    pub name: String,
    /// The constraints.
    pub constraints: Vec<Term>,
    /// `sat`, `unsat` or `unknown`.
    pub status: String,
}

/// All recordings.
pub fn recordings() -> Result<Vec<Recording>, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/queries/recorded.smt2");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut recordings: Vec<Recording> = Vec::new();
    for part in text.split("; == ").skip(1) {
        let (title, script) = part.split_once('\n').unwrap_or((part, ""));
        let (program, name) = title.trim().split_once('/').unwrap_or((title, ""));
        if recordings.last().is_none_or(|last| last.program != program) {
            recordings.push(Recording {
                program: program.to_owned(),
                store: Store::new(),
                questions: Vec::new(),
            });
        }
        let recording = recordings.last_mut().expect("one was just pushed");
        let question = question(&mut recording.store, name, script)
            .map_err(|error| format!("{title}: {error}"))?;
        recording.questions.push(question);
    }
    Ok(recordings)
}

/// The questions that a run has written, each ended by `(reset)`. One that was
/// given up at first and asked again with more effort is there once.
pub fn recording(program: &str, text: &str) -> Result<Recording, String> {
    let mut recording = Recording {
        program: program.to_owned(),
        store: Store::new(),
        questions: Vec::new(),
    };
    let scripts = text.split("(reset)").filter(|part| !part.trim().is_empty());
    for (number, script) in scripts.enumerate() {
        let name = number.to_string();
        let question = question(&mut recording.store, &name, script)
            .map_err(|error| format!("{program}/{name}: {error}"))?;
        let mut before = recording.questions.iter_mut();
        match before.find(|before| before.constraints == question.constraints) {
            Some(before) => before.status = question.status,
            None => recording.questions.push(question),
        }
    }
    Ok(recording)
}

fn question(store: &mut Store, name: &str, script: &str) -> Result<Question, smtlib::ParseError> {
    let mut question = Question {
        name: name.to_owned(),
        constraints: Vec::new(),
        status: String::new(),
    };
    for located in smtlib::parse(store, script)?.commands {
        match located.command {
            Command::Assert { term, .. } => question.constraints.push(term),
            Command::SetInfo(key, value) if key == "status" => question.status = value,
            _ => {}
        }
    }
    Ok(question)
}
