//! What a run writes down and shows: tests, errors, coverage, the summary.

mod objects;

use crate::coverage;
use crate::error::Error;
use crate::finding::Finding;
use crate::{external, testcomp, unit_test};
use engine::policy::staged::{Staged, has_valid_objects, objects_input};
use engine::{Counts, Observer, Outcome};
use explore::Limit;
use machine::runtime::is_library;
use machine::{End, ErrorKind, InputKind, Machine, State};
use program::{FunctionId, Inst, Program};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs::File;
use std::io::{IsTerminal, Write as _};
use std::rc::Rc;
use std::time::{Duration, Instant};
use suite::{Input, OutputDirectory, TestCase};

/// What is written and shown beside the tests of paths that ended.
pub struct Wanted<'a> {
    /// Tests of paths that a limit stopped.
    pub unfinished: bool,
    /// What the program writes.
    pub echo: bool,
    /// The solver's questions.
    pub queries: bool,
    /// No more than it takes to cover everything.
    pub until_covered: bool,
    /// A Test-Comp suite of this program.
    pub testcomp: Option<testcomp::Metadata<'a>>,
    /// What the program is made of, for unit tests of methods.
    pub sources: unit_test::Sources<'a>,
}

/// Writes tests as paths end.
pub struct Recorder<'p> {
    program: &'p Program,
    directory: OutputDirectory,
    wanted: Wanted<'p>,
    staged: Rc<Staged<'p>>,
    notes: Vec<String>,
    queries: Option<File>,
    started: Instant,
    errors: Vec<Finding>,
    ends: crate::replay::Ends,
    /// The first thing that could not be written.
    failure: Option<Error>,
    drawn: Option<Instant>,
    draws: bool,
    /// How much was reached when was last looked whether everything is covered.
    looked_at: u64,
    /// Paths that ended, and those of them whose objects satisfied what was
    /// required.
    explored: u64,
    valid: u64,
    /// How long the exploration took.
    pub exploring: Duration,
}

impl<'p> Recorder<'p> {
    pub fn new(
        program: &'p Program,
        mut directory: OutputDirectory,
        wanted: Wanted<'p>,
        staged: Rc<Staged<'p>>,
        started: Instant,
    ) -> Result<Recorder<'p>, Error> {
        if let Some(metadata) = &wanted.testcomp {
            directory.write_testcomp_metadata(&metadata.read()?)?;
        }
        let queries = match wanted.queries {
            true => Some(directory.create("queries.smt2")),
            false => None,
        };
        Ok(Recorder {
            program,
            directory,
            wanted,
            staged,
            notes: Vec::new(),
            queries: queries.transpose()?,
            started,
            errors: Vec::new(),
            ends: crate::replay::Ends::default(),
            failure: None,
            drawn: None,
            looked_at: 0,
            draws: std::io::stderr().is_terminal(),
            explored: 0,
            valid: 0,
            exploring: Duration::ZERO,
        })
    }

    fn case(machine: &mut Machine<'_>, state: &State) -> TestCase {
        let own = state.inputs.all().into_iter();
        let own = own.filter(|input| input.kind != InputKind::Part);
        let inputs = own.map(|input| {
            if let InputKind::Objects(argument) = input.kind {
                let objects = objects_input(&machine.store, state, argument);
                return Input::new(&*input.name, objects);
            }
            let mut evaluation = machine.mixed.under(&machine.store, &state.model);
            let bytes: Vec<u8> = input
                .bytes
                .iter()
                .map(|&byte| evaluation.word(byte) as u8)
                .collect();
            let size = bytes.len() as u8;
            let made = Input::new(&*input.name, bytes);
            match input.kind {
                // A long double has no name in the suite's formats.
                InputKind::Float if !matches!(size, 4 | 8) => made,
                InputKind::Bytes | InputKind::Objects(_) | InputKind::Part => made,
                InputKind::Signed => made.with_kind(suite::InputKind::Signed(size)),
                InputKind::Unsigned => made.with_kind(suite::InputKind::Unsigned(size)),
                InputKind::Float => made.with_kind(suite::InputKind::Float(size)),
            }
        });
        let mut inputs: Vec<Input> = inputs.collect();
        // The last, since it is not asked for like others.
        let stdin = state.stdin.whole();
        inputs.extend(stdin.map(|bytes| Input::new(machine::STDIN, bytes)));
        TestCase::new(inputs)
    }

    /// Writes a test; an empty name says that it could not be written, which
    /// ends the run.
    fn write(&mut self, case: &TestCase, has_error: bool) -> String {
        let written = self.directory.write_test(case).and_then(|name| {
            if self.wanted.testcomp.is_some() {
                self.directory.write_testcomp_test(&name, case, has_error)?;
            }
            Ok(name.as_str().to_owned())
        });
        written.unwrap_or_else(|error| {
            self.fail(error);
            String::new()
        })
    }

    fn fail(&mut self, error: impl Into<Error>) {
        self.failure.get_or_insert(error.into());
    }

    /// Writes the questions that came up since the last call.
    fn write_queries(&mut self, machine: &mut Machine<'_>) {
        let Some(file) = &mut self.queries else {
            return;
        };
        for script in machine.mixed.solver_mut().take_recorded() {
            if let Err(error) = writeln!(file, "{script}(reset)") {
                let path = self.directory.path().join("queries.smt2");
                self.fail(Error::writing(&path)(error));
                return;
            }
        }
    }

    /// Prints what the program wrote on a path.
    fn echo(&mut self, state: &State) {
        if !self.wanted.echo {
            return;
        }
        // Who closed the pipe does not want to see more.
        let _ = std::io::stdout().write_all(&state.output.written(1));
        let _ = std::io::stderr().write_all(&state.output.written(2));
    }

    /// Writes a file beside the tests.
    fn write_beside(&mut self, name: &str, text: &str) {
        if let Err(error) = self.directory.write_file(name, text.into()) {
            self.fail(error);
        }
    }

    fn finding(&self, state: &State, kind: ErrorKind, message: &str) -> Finding {
        Finding::at(self.program, state, kind, message)
    }

    /// Writes what is left and gives the run's object; `recipe` says how the
    /// program is compiled.
    pub fn finish(
        &mut self,
        machine: &mut Machine<'_>,
        outcome: Outcome,
        counts: Counts,
        recipe: Json,
    ) -> Result<Json, Error> {
        self.clear_line();
        if let Some(refusal) = self.staged.refusal() {
            return Err(Error::Program(refusal.to_owned()));
        }
        let told = machine.mixed.oracle_mut().take_notes();
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(told.iter().map(ToString::to_string));
        for note in notes {
            let _ = self.directory.log(&note);
            eprintln!("note: {note}");
        }
        self.write_queries(machine);
        let (info, totals) = coverage::of(self.program, &machine.coverage);
        let statistics = machine.mixed.solver().statistics();
        let errors: Vec<Json> = self
            .errors
            .iter()
            .map(|e| {
                json!({"kind": e.kind.name(), "message": e.message, "function": e.function,
                       "file": e.file, "line": e.line, "test": e.test})
            })
            .collect();
        let mut run = json!({
            "schema": 1,
            "outcome": match outcome {
                Outcome::Complete => "complete",
                Outcome::Limit(_) => "limit",
                Outcome::Interrupted => "interrupted",
            },
            "paths": {"completed": counts.completed, "errors": counts.errors,
                      "ignored": counts.ignored, "infeasible": counts.infeasible,
                      "unknown": counts.unknown, "unfinished": counts.unfinished,
                      "too_deep": counts.too_deep, "pruned": counts.pruned,
                      "revisited": counts.revisited},
            "tests": self.directory.test_count(),
            "errors": errors,
            "program": recipe,
            "ends": self.ends.to_json(),
            "coverage": {"lines": {"covered": totals.lines.0, "total": totals.lines.1},
                         "branches": {"covered": totals.branches.0, "total": totals.branches.1}},
            "instructions": counts.instructions,
            "forks": machine.forks,
            "solver": {"queries": statistics.queries,
                       "backend_calls": statistics.backend_calls(),
                       "unknown": statistics.unknown,
                       "seconds": statistics.time.as_secs_f64()},
            "external": external::to_json(machine, counts.divergences),
            "seconds": self.started.elapsed().as_secs_f64(),
            "peak_memory_bytes": peak_memory(),
        });
        if self.is_staged() {
            run["stage"] = json!({"valid": self.valid, "explored": self.explored,
                                  "exploration_seconds": self.exploring.as_secs_f64()});
        }
        let written = self.directory.write_coverage(&info.to_info("everypath"));
        written.and_then(|()| self.directory.write_run(&run))?;
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
                text += &error.diagnostic();
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
        for (name, said) in [
            (
                "too_deep",
                "of the unfinished paths went deeper than --max-call-depth",
            ),
            (
                "pruned",
                "paths pruned, from which no uncovered branch can be reached",
            ),
            (
                "revisited",
                "paths run again with other values at the border of the selected code",
            ),
        ] {
            let count = number(&format!("/paths/{name}"));
            if count > 0 {
                let _ = writeln!(text, "{count} {said}");
            }
        }
        if run["stage"].is_object() {
            let _ = writeln!(
                text,
                "{} of {} explored paths are of valid objects",
                number("/stage/valid"),
                number("/stage/explored"),
            );
            let cut_off = number("/paths/unfinished") + number("/paths/unknown");
            if cut_off > 0 {
                let _ = writeln!(
                    text,
                    "a limit was reached, and {cut_off} paths were not followed to their end: \
                     there may be more"
                );
            }
        }
        let _ = writeln!(
            text,
            "{} instructions, {} forks, {} questions to the solver ({} to a backend, {} unknown)",
            number("/instructions"),
            number("/forks"),
            number("/solver/queries"),
            number("/solver/backend_calls"),
            number("/solver/unknown"),
        );
        text += &external::summary(&run["external"]);
        text += &coverage::summary(run);
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

    /// Whether objects are made for a method.
    fn is_staged(&self) -> bool {
        !self.staged.staging().arguments.is_empty()
    }

    fn clear_line(&mut self) {
        if self.drawn.take().is_some() && self.draws {
            eprint!("\r\x1b[K");
        }
    }
}

impl Recorder<'_> {
    /// Whether every line and every way out of a branch has been reached.
    fn is_covered(&mut self, machine: &Machine<'_>) -> bool {
        if self.looked_at == machine.coverage.count {
            return false;
        }
        self.looked_at = machine.coverage.count;
        let (_, totals) = coverage::of(self.program, &machine.coverage);
        totals.lines.0 == totals.lines.1 && totals.branches.0 == totals.branches.1
    }
}

impl Observer for Recorder<'_> {
    fn ended(&mut self, machine: &mut Machine<'_>, state: &State, end: &End) {
        self.write_queries(machine);
        self.explored += 1;
        self.valid += u64::from(has_valid_objects(state));
        if !matches!(end, End::Ignored | End::TooDeep) {
            self.echo(state);
        }
        match end {
            End::Ignored | End::TooDeep => {}
            End::Exit(_) => {
                let case = Recorder::case(machine, state);
                self.write(&case, false);
                self.ends.note(self.directory.test_count(), end);
            }
            End::Error(kind, message) => {
                let case = Recorder::case(machine, state);
                let mut finding = self.finding(state, *kind, message);
                finding.test = self.write(&case, true);
                self.ends.note(self.directory.test_count(), end);
                self.describe(machine, state, &case, &mut finding);
                let text = finding.diagnostic();
                let name = suite::TestName::new(self.directory.test_count());
                if let Err(error) = self.directory.write_error(&name, kind.name(), &text) {
                    self.fail(error);
                }
                self.errors.push(finding);
            }
        }
    }

    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    fn unfinished(&mut self, machine: &mut Machine<'_>, state: &State) {
        if self.wanted.unfinished {
            let case = Recorder::case(machine, state);
            self.write(&case, false);
        }
    }

    fn progress(
        &mut self,
        machine: &Machine<'_>,
        counts: &Counts,
        waiting: usize,
    ) -> Option<Outcome> {
        const EVERY: Duration = Duration::from_millis(250);
        let due = match self.drawn {
            None => self.started.elapsed() > Duration::from_secs(1),
            Some(last) => last.elapsed() > EVERY,
        };
        if due && self.draws {
            let seconds = self.started.elapsed().as_secs_f64();
            let share = machine.mixed.solver().statistics().time.as_secs_f64() / seconds * 100.0;
            let (_, totals) = coverage::of(self.program, &machine.coverage);
            let lines = totals.lines.0 as f64 / totals.lines.1.max(1) as f64 * 100.0;
            eprint!(
                "\r\x1b[K{} paths done, {} errors, {waiting} waiting, {lines:.0} % of lines, \
                 solver {share:.0} %, {:.1} M instructions/s",
                counts.completed + counts.errors,
                counts.errors,
                counts.instructions as f64 / seconds / 1e6,
            );
            let _ = std::io::stderr().flush();
            self.drawn = Some(Instant::now());
        }
        let refused = self.failure.is_some() || self.staged.refusal().is_some();
        if refused || crate::interrupt::raised() {
            return Some(Outcome::Interrupted);
        }
        let covered = self.wanted.until_covered && self.is_covered(machine);
        covered.then_some(Outcome::Limit(Limit::Covered))
    }
}

/// The program's own functions, for a person who looks for one.
pub fn entries(program: &Program) -> String {
    const MOST: usize = 8;
    let own = program.functions.iter().filter(|function| {
        let source = function.source.map(|id| program.source.function(id));
        let file = source.and_then(|source| source.file);
        let library = file.is_some_and(|id| is_library(&program.source.file(id).path));
        function.body.is_some() && !library
    });
    let mut names: Vec<&str> = own.map(|function| &*function.name).take(MOST + 1).collect();
    if names.len() > MOST {
        names[MOST] = "…";
    }
    match &names[..] {
        [] => String::new(),
        names => format!(" (there is {})", names.join(", ")),
    }
}

/// Functions the machine cannot call that code reachable from the entry calls.
pub fn undefined_functions(
    program: &Program,
    machine: &Machine<'_>,
    entry: FunctionId,
) -> Vec<String> {
    let mut missing = BTreeMap::new();
    let mut met = BTreeSet::from([entry]);
    let mut stack = vec![entry];
    while let Some(id) = stack.pop() {
        let function = &program.functions[id.index()];
        let Some(body) = &function.body else {
            if !machine.can_call(id) {
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
pub fn peak_memory() -> u64 {
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
