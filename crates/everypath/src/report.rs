//! What a run writes down and shows: tests, errors, coverage, the summary.

use crate::diagnostic;
use machine::{Counts, End, ErrorKind, InputKind, Machine, Observer, Outcome, State};
use program::{BlockId, Body, EdgeId, FunctionId, Inst, Program};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};
use suite::{Input, OutputDirectory, TestCase};

/// Writes tests as paths end.
pub struct Recorder<'p> {
    program: &'p Program,
    directory: OutputDirectory,
    dump: bool,
    started: Instant,
    errors: Vec<Finding>,
    ends: crate::replay::Ends,
    /// The first thing that could not be written.
    failure: Option<String>,
    drawn: Option<Instant>,
    draws: bool,
}

/// An error of the program.
struct Finding {
    kind: ErrorKind,
    message: String,
    function: String,
    file: String,
    line: u32,
    column: u32,
    stack: Vec<String>,
    inputs: String,
    test: String,
}

impl<'p> Recorder<'p> {
    pub fn new(
        program: &'p Program,
        directory: OutputDirectory,
        dump: bool,
        started: Instant,
    ) -> Recorder<'p> {
        Recorder {
            program,
            directory,
            dump,
            started,
            errors: Vec::new(),
            ends: crate::replay::Ends::default(),
            failure: None,
            drawn: None,
            draws: std::io::stderr().is_terminal(),
        }
    }

    fn case(machine: &mut Machine<'_>, state: &State) -> TestCase {
        let mut evaluator = term::Evaluator::default();
        let mut evaluation = evaluator.under(&machine.store, &state.model);
        let inputs = state.inputs.all().into_iter().map(|input| {
            let bytes: Vec<u8> = input
                .bytes
                .iter()
                .map(|&byte| evaluation.word(byte) as u8)
                .collect();
            let size = bytes.len() as u8;
            let made = Input::new(&*input.name, bytes);
            match input.kind {
                InputKind::Bytes => made,
                InputKind::Signed => made.with_kind(suite::InputKind::Signed(size)),
                InputKind::Unsigned => made.with_kind(suite::InputKind::Unsigned(size)),
                InputKind::Float => made.with_kind(suite::InputKind::Float(size)),
            }
        });
        TestCase::new(inputs.collect())
    }

    fn write(&mut self, case: &TestCase) -> String {
        match self.directory.write_test(case) {
            Ok(name) => name.as_str().to_owned(),
            Err(error) => {
                self.failure
                    .get_or_insert_with(|| format!("error: {error}"));
                String::new()
            }
        }
    }

    fn finding(&self, state: &State, kind: ErrorKind, message: &str) -> Finding {
        let places: Vec<(String, String, u32, u32)> = state
            .stack()
            .into_iter()
            .map(|(function, pc)| self.place(function, pc))
            .collect();
        // The innermost place with a line is where a person looks first, and
        // the library is not theirs.
        let own = places
            .iter()
            .find(|(_, file, line, _)| *line > 0 && !is_library(file));
        let (function, file, line, column) = own.or(places.first()).cloned().unwrap_or_default();
        Finding {
            kind,
            message: message.to_owned(),
            function,
            file,
            line,
            column,
            stack: places
                .iter()
                .map(|(function, file, line, _)| format!("{function} ({file}:{line})"))
                .collect(),
            inputs: String::new(),
            test: String::new(),
        }
    }

    fn place(&self, function: FunctionId, pc: u32) -> (String, String, u32, u32) {
        let source = &self.program.source;
        let called = &self.program.functions[function.index()];
        let name = called.source.map(|id| source.function(id).name.clone());
        let name = name.unwrap_or_else(|| called.name.clone());
        let location = called
            .body
            .as_ref()
            .map(|body| source.location(body.locations[pc as usize]));
        match location {
            Some(location) => {
                let file = location.file.map(|id| source.file(id).name.clone());
                (
                    name,
                    file.unwrap_or_default(),
                    location.line,
                    location.column,
                )
            }
            None => (name, String::new(), 0, 0),
        }
    }

    /// Writes what is left and gives the run's object; `recipe` says how the
    /// program is compiled.
    pub fn finish(
        &mut self,
        machine: &mut Machine<'_>,
        outcome: Outcome,
        counts: Counts,
        recipe: Json,
    ) -> Result<Json, String> {
        self.clear_line();
        for note in machine.take_notes() {
            let _ = self.directory.log(&note);
            eprintln!("note: {note}");
        }
        let (info, totals) = coverage(self.program, &machine.coverage);
        let statistics = machine.solver.statistics();
        let errors: Vec<Json> = self
            .errors
            .iter()
            .map(|e| {
                json!({"kind": e.kind.name(), "message": e.message, "function": e.function,
                       "file": e.file, "line": e.line, "test": e.test})
            })
            .collect();
        let run = json!({
            "schema": 1,
            "outcome": match outcome {
                Outcome::Complete => "complete",
                Outcome::Limit(_) => "limit",
                Outcome::Interrupted => "interrupted",
            },
            "paths": {"completed": counts.completed, "errors": counts.errors,
                      "ignored": counts.ignored, "infeasible": 0,
                      "unknown": counts.unknown, "unfinished": counts.unfinished},
            "tests": self.directory.test_count(),
            "errors": errors,
            "program": recipe,
            "ends": self.ends.to_json(),
            "coverage": {"lines": {"covered": totals.lines.0, "total": totals.lines.1},
                         "branches": {"covered": totals.branches.0, "total": totals.branches.1}},
            "instructions": counts.instructions,
            "forks": machine.forks,
            "solver": {"queries": statistics.questions,
                       "backend_calls": statistics.backend_calls(),
                       "unknown": statistics.unknown,
                       "seconds": statistics.time.as_secs_f64()},
            "seconds": self.started.elapsed().as_secs_f64(),
            "peak_memory_bytes": peak_memory(),
        });
        let written = self.directory.write_coverage(&info.to_info("everypath"));
        let written = written.and_then(|()| self.directory.write_run(&run));
        if let Err(error) = written {
            return Err(format!("error: {error}"));
        }
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(run),
        }
    }

    /// What a person is shown at the end.
    pub fn summary(&self, run: &Json) -> String {
        let mut text = String::new();
        let mut shown = BTreeSet::new();
        for error in &self.errors {
            // Many inputs may lead to one error; the first is shown.
            if shown.insert((error.file.clone(), error.line, error.kind.name())) {
                text += &self.diagnostic(error);
                text.push('\n');
            }
        }
        let number = |path: &str| run.pointer(path).and_then(Json::as_u64).unwrap_or(0);
        let _ = writeln!(
            text,
            "{} paths: {} completed, {} with errors, {} ignored, {} unfinished, {} unknown",
            number("/paths/completed")
                + number("/paths/errors")
                + number("/paths/ignored")
                + number("/paths/unfinished")
                + number("/paths/unknown"),
            number("/paths/completed"),
            number("/paths/errors"),
            number("/paths/ignored"),
            number("/paths/unfinished"),
            number("/paths/unknown"),
        );
        let _ = writeln!(
            text,
            "{} instructions, {} forks, {} questions to the solver ({} to a backend, {} unknown)",
            number("/instructions"),
            number("/forks"),
            number("/solver/queries"),
            number("/solver/backend_calls"),
            number("/solver/unknown"),
        );
        let _ = writeln!(
            text,
            "{} of {} lines and {} of {} branches covered",
            number("/coverage/lines/covered"),
            number("/coverage/lines/total"),
            number("/coverage/branches/covered"),
            number("/coverage/branches/total"),
        );
        let _ = write!(
            text,
            "{} tests in {}, {}; {:.2} s",
            number("/tests"),
            self.directory.path().display(),
            run["outcome"].as_str().unwrap_or_default(),
            run["seconds"].as_f64().unwrap_or_default(),
        );
        text
    }

    fn diagnostic(&self, error: &Finding) -> String {
        let message = format!("{}: {}", error.kind.name(), error.message);
        let source = std::fs::read_to_string(&error.file).unwrap_or_default();
        let mut text = if error.line > 0 {
            let column = error.column.max(1);
            diagnostic::at_place(&error.file, &source, error.line, column, &message)
        } else {
            format!("error: {message}, in {}", error.function)
        };
        for (depth, place) in error.stack.iter().enumerate() {
            let _ = write!(
                text,
                "\n  {} {place}",
                if depth == 0 { "in" } else { "called from" }
            );
        }
        if !error.inputs.is_empty() {
            let indented = error.inputs.trim_end().replace('\n', "\n    ");
            let _ = write!(text, "\n  input ({}):\n    {indented}", error.test);
        }
        text + "\n"
    }

    fn clear_line(&mut self) {
        if self.drawn.take().is_some() && self.draws {
            eprint!("\r\x1b[K");
        }
    }
}

fn is_library(file: &str) -> bool {
    file.starts_with("runtime/libc/") || file.contains("/runtime/libc/")
}

impl Observer for Recorder<'_> {
    fn ended(&mut self, machine: &mut Machine<'_>, state: &State, end: &End) {
        match end {
            End::Ignored => {}
            End::Exit(_) => {
                let case = Recorder::case(machine, state);
                self.write(&case);
                self.ends.note(self.directory.test_count(), end);
            }
            End::Error(kind, message) => {
                let case = Recorder::case(machine, state);
                let mut finding = self.finding(state, *kind, message);
                finding.test = self.write(&case);
                self.ends.note(self.directory.test_count(), end);
                finding.inputs = suite::render(&case, &suite::InputTypes::default());
                let text = self.diagnostic(&finding);
                let name = suite::TestName::new(self.directory.test_count());
                if let Err(error) = self.directory.write_error(&name, kind.name(), &text) {
                    self.failure
                        .get_or_insert_with(|| format!("error: {error}"));
                }
                self.errors.push(finding);
            }
        }
    }

    fn unfinished(&mut self, machine: &mut Machine<'_>, state: &State) {
        if self.dump {
            let case = Recorder::case(machine, state);
            self.write(&case);
        }
    }

    fn progress(&mut self, machine: &Machine<'_>, counts: &Counts, waiting: usize) -> bool {
        const EVERY: Duration = Duration::from_millis(250);
        let due = match self.drawn {
            None => self.started.elapsed() > Duration::from_secs(1),
            Some(last) => last.elapsed() > EVERY,
        };
        if due && self.draws {
            let seconds = self.started.elapsed().as_secs_f64();
            let share = machine.solver.statistics().time.as_secs_f64() / seconds * 100.0;
            eprint!(
                "\r\x1b[K{} paths done, {} errors, {waiting} waiting, solver {share:.0} %, {:.1} M instructions/s",
                counts.completed + counts.errors,
                counts.errors,
                counts.instructions as f64 / seconds / 1e6,
            );
            let _ = std::io::stderr().flush();
            self.drawn = Some(Instant::now());
        }
        self.failure.is_some() || crate::interrupt::raised()
    }
}

/// Covered and total.
struct Totals {
    lines: (u64, u64),
    branches: (u64, u64),
}

/// Line and branch coverage of the program's own files.
fn coverage(program: &Program, reached: &machine::Coverage) -> (suite::lcov::Coverage, Totals) {
    let mut info = suite::lcov::Coverage::default();
    let mut totals = Totals {
        lines: (0, 0),
        branches: (0, 0),
    };
    for (number, function) in program.functions.iter().enumerate() {
        let id = FunctionId::from_index(number);
        let Some(body) = &function.body else {
            continue;
        };
        let covered = covered_lines(program, body, id, reached);
        for line in &body.lines {
            let file = program.source.file(line.file);
            if is_library(&file.name) {
                continue;
            }
            let entry = info.files.entry(file.path.clone()).or_default();
            let count = entry.lines.entry(line.line).or_default();
            *count = (*count).max(u64::from(covered.contains(&(line.file.0, line.line))));
        }
        for branching in &body.branches {
            let location = program.source.location(branching.location);
            let Some(file) = location.file.map(|id| program.source.file(id)) else {
                continue;
            };
            if is_library(&file.name) || location.line == 0 {
                continue;
            }
            totals.branches.1 += branching.edges.len() as u64;
            let followed = |&&edge: &&EdgeId| reached.followed(id, edge);
            totals.branches.0 += branching.edges.iter().filter(followed).count() as u64;
        }
    }
    for file in info.files.values() {
        totals.lines.1 += file.lines.len() as u64;
        totals.lines.0 += file.lines.values().filter(|&&count| count > 0).count() as u64;
    }
    (info, totals)
}

/// The lines of the blocks that were entered.
fn covered_lines(
    program: &Program,
    body: &Body,
    id: FunctionId,
    reached: &machine::Coverage,
) -> BTreeSet<(u32, u32)> {
    let mut lines = BTreeSet::new();
    for (number, block) in body.blocks.iter().enumerate() {
        debug_assert_eq!(body.block_of(block.start), BlockId::from_index(number));
        if !reached.block(id, number) {
            continue;
        }
        for &location in &body.locations[block.start as usize..block.end as usize] {
            let location = program.source.location(location);
            lines.extend(location.file.map(|file| (file.0, location.line)));
        }
    }
    lines
}

/// Functions without a body or a shim that code reachable from the entry calls.
pub fn undefined_functions(program: &Program, entry: FunctionId) -> Vec<String> {
    let mut missing = BTreeMap::new();
    let mut met = BTreeSet::from([entry]);
    let mut stack = vec![entry];
    while let Some(id) = stack.pop() {
        let function = &program.functions[id.index()];
        let Some(body) = &function.body else {
            if !machine::provides(&function.name) {
                missing.insert(function.name.clone(), ());
            }
            continue;
        };
        for inst in &body.code {
            if let Inst::Call { function, .. } = *inst
                && met.insert(function)
            {
                stack.push(function);
            }
        }
    }
    missing.into_keys().collect()
}

/// The most memory the process has had.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| {
        rest.trim()
            .trim_end_matches(" kB")
            .trim()
            .parse::<u64>()
            .ok()
    });
    kib.unwrap_or(0) * 1024
}
