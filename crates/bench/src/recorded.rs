//! Queries recorded from symbolic execution: those in `tests/queries`, and
//! those that a run has written.

use std::path::Path;
use term::Store;
use term::Term;
use term::smtlib::{self, Command};

/// The queries of one program, in the order in which they were asked.
pub struct Recording {
    /// The program's name.
    pub program: String,
    /// The terms of all its queries.
    pub store: Store,
    /// The queries.
    pub queries: Vec<Query>,
}

/// One recorded query.
pub struct Query {
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
                queries: Vec::new(),
            });
        }
        let recording = recordings.last_mut().expect("one was just pushed");
        let query = query(&mut recording.store, name, script)
            .map_err(|error| format!("{title}: {error}"))?;
        recording.queries.push(query);
    }
    Ok(recordings)
}

/// The queries that a run has written, each ended by `(reset)`. One that was
/// given up at first and asked again with more effort is there once.
pub fn recording(program: &str, text: &str) -> Result<Recording, String> {
    let mut recording = Recording {
        program: program.to_owned(),
        store: Store::new(),
        queries: Vec::new(),
    };
    let scripts = text.split("(reset)").filter(|part| !part.trim().is_empty());
    for (number, script) in scripts.enumerate() {
        let name = number.to_string();
        let query = query(&mut recording.store, &name, script)
            .map_err(|error| format!("{program}/{name}: {error}"))?;
        let mut before = recording.queries.iter_mut();
        match before.find(|before| before.constraints == query.constraints) {
            Some(before) => before.status = query.status,
            None => recording.queries.push(query),
        }
    }
    Ok(recording)
}

fn query(store: &mut Store, name: &str, script: &str) -> Result<Query, smtlib::ParseError> {
    let mut query = Query {
        name: name.to_owned(),
        constraints: Vec::new(),
        status: String::new(),
    };
    for located in smtlib::parse(store, script)?.commands {
        match located.command {
            Command::Assert { term, .. } => query.constraints.push(term),
            Command::SetInfo(key, value) if key == "status" => query.status = value,
            _ => {}
        }
    }
    Ok(query)
}
