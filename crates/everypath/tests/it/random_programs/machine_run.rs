//! The programs, run by the machine.

use super::Ended;
use engine::{Observer, Outcome, PathEnd, Plan, Progress, Ready, Start, Steps};
use explore::Limits;
use machine::{End, Options};
use mixed::Mixed;
use program::{CompileOptions, LoadOptions, OptLevel};
use solver::{Config, Solver};
use std::path::Path;
use term::{Assignment, BitVec, Evaluator, Store, Term, Value, Variable};

/// Runs a program without inputs.
pub fn concrete(file: &Path, level: OptLevel) -> Result<Ended, String> {
    let mut paths = paths_of_one_byte(file, level)?;
    match paths.pop() {
        Some(path) if paths.is_empty() => Ok(path.ended),
        _ => Err(format!("in the machine there are {} paths", paths.len())),
    }
}

/// A path, as it is for one of the bytes that take it.
pub struct PathOfByte {
    /// The byte.
    pub byte: usize,
    /// How it ends with that byte.
    pub ended: Ended,
    /// Which bytes its condition holds for.
    pub bytes: Vec<bool>,
    condition: Vec<Term>,
}

/// Runs a program that has one byte as its input, or none, on all of them at
/// once.
pub fn paths_of_one_byte(file: &Path, level: OptLevel) -> Result<Vec<PathOfByte>, String> {
    let options = LoadOptions {
        compile: CompileOptions {
            opt_level: level,
            cc_args: vec!["-w".to_owned()],
            ..CompileOptions::default()
        },
        promote: true,
        library: program::Library {
            parts: machine::runtime::LIBRARY,
            ..program::Library::default()
        },
        ..LoadOptions::default()
    };
    let program = program::load(&[file.to_owned()], &options).map_err(|error| error.to_string())?;
    let entry = program.function("main").ok_or("there is no main")?;
    let mixed = Mixed::from(Solver::new(Config::default()));
    let plan = Plan {
        limits: Limits {
            instructions: Some(200_000_000),
            ..Limits::default()
        },
        ..Plan::default()
    };
    let steps = Steps::new(Start::Function(entry), plan);
    let ready = Ready::new(&program, mixed, Options::default(), steps);
    let mut ready = ready.map_err(|error| error.to_string())?;
    let mut paths = Paths::default();
    let (outcome, counts) = ready.explore(&mut paths);
    if let Some(failure) = paths.failure {
        return Err(failure);
    }
    if outcome != Outcome::Complete || counts.unknown != 0 {
        return Err(format!(
            "in the machine it ended with {outcome:?}, {counts:?}"
        ));
    }
    if let Some(input) = paths.input {
        mark_bytes(&ready.machine.store, input, &mut paths.ended);
    }
    Ok(paths.ended)
}

/// Notes for each path which bytes take it.
fn mark_bytes(store: &Store, input: Variable, paths: &mut [PathOfByte]) {
    let mut evaluator = Evaluator::default();
    for byte in 0..256 {
        let mut assignment = Assignment::new();
        assignment.set(input, Value::Bv(BitVec::from_u64(8, byte)));
        let mut evaluation = evaluator.under(store, &assignment);
        for path in &mut *paths {
            let takes = path.condition.iter().all(|&term| evaluation.holds(term));
            path.bytes.push(takes);
        }
    }
}

/// Collects paths as they end.
#[derive(Default)]
struct Paths {
    input: Option<Variable>,
    ended: Vec<PathOfByte>,
    failure: Option<String>,
}

impl Observer for Paths {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        let (machine, state) = (&path.machine, path.state);
        let End::Exit(status) = *end else {
            self.failure = Some(format!("in the machine it ended with {end:?}"));
            return;
        };
        let mut byte = 0;
        if let Some(input) = state.inputs.all().first() {
            let mut evaluator = Evaluator::default();
            byte = evaluator
                .under(&machine.store, &state.model)
                .word(input.bytes[0]);
            self.input = machine.store.as_variable(input.bytes[0]);
        }
        self.ended.push(PathOfByte {
            byte: byte as usize,
            ended: Ended {
                printed: state.output.written(1),
                status: status & 0xff,
            },
            bytes: Vec::new(),
            condition: state.path.constraints().collect(),
        });
    }

    fn progress(&mut self, _: &Progress<'_, '_>) -> Option<Outcome> {
        self.failure.is_some().then_some(Outcome::Interrupted)
    }
}
