//! What a run writes down and shows: tests, errors, coverage, the summary.

mod objects;

use crate::error::Error;
use crate::finding::Diagnosis;
use crate::ui::progress::Progress;
use crate::{coverage, external, results, testcomp, unit_test};
use engine::policy::staged::{Staged, has_valid_objects, objects_input};
use engine::{Counts, Observer, Outcome};
use explore::Limit;
use machine::runtime::is_library;
use machine::{End, ErrorKind, InputKind, Machine, State};
use program::{FunctionId, Inst, Program};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::File;
use std::io::Write as _;
use std::rc::Rc;
use std::time::{Duration, Instant};
use suite::{Ends, Input, ObjectCounts, OutputDirectory, Recipe, RunReport, TestCase};

/// What is written and shown beside the tests of paths that ended.
pub struct Wanted<'a> {
    /// Tests of paths that a limit stopped.
    pub unfinished: bool,
    /// What the program writes.
    pub echo: bool,
    /// The queries that reached a backend.
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
    errors: Vec<Diagnosis>,
    ends: Ends,
    /// The first thing that could not be written.
    failure: Option<Error>,
    progress: Progress,
    /// How much was covered when it was last checked whether everything is: the
    /// check walks over the whole program.
    checked_at: u64,
    /// Paths that ended, and those of them whose objects satisfied what was
    /// required.
    objects: ObjectCounts,
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
        time_limit: Option<Duration>,
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
            ends: Ends::default(),
            failure: None,
            progress: Progress::new(started, time_limit),
            checked_at: 0,
            objects: ObjectCounts::default(),
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

    /// Writes the queries that reached a backend since the last call.
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
        self.progress.suspend(|| {
            // Who closed the pipe does not want to see more.
            let _ = std::io::stdout().write_all(&state.output.written(1));
            let _ = std::io::stderr().write_all(&state.output.written(2));
        });
    }

    /// Writes a file beside the tests.
    fn write_beside(&mut self, name: &str, text: &str) {
        if let Err(error) = self.directory.write_file(name, text.into()) {
            self.fail(error);
        }
    }

    fn diagnosis(&self, state: &State, kind: ErrorKind, message: &str) -> Diagnosis {
        Diagnosis::at(self.program, state, kind, message)
    }

    /// Writes what is left and gives the report; `recipe` says how the program is
    /// compiled.
    pub fn finish(
        &mut self,
        machine: &mut Machine<'_>,
        outcome: Outcome,
        counts: Counts,
        recipe: Recipe,
    ) -> Result<RunReport, Error> {
        self.progress.clear();
        if let Some(refusal) = self.staged.refusal() {
            return Err(Error::Program(refusal));
        }
        let told = machine.mixed.oracle_mut().take_notes();
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(told.iter().map(ToString::to_string));
        for note in notes {
            let _ = self.directory.log(&note);
            eprintln!("note: {note}");
        }
        self.write_queries(machine);
        let (info, coverage) = coverage::of(self.program, &machine.coverage);
        let findings = self.errors.iter().map(|error| error.finding.clone());
        let report = RunReport {
            schema: suite::SCHEMA,
            outcome: match outcome {
                Outcome::Complete => suite::Outcome::Complete,
                Outcome::Limit(_) => suite::Outcome::Limit,
                Outcome::Interrupted => suite::Outcome::Interrupted,
            },
            paths: results::paths(&counts),
            tests: self.directory.test_count(),
            errors: findings.collect(),
            program: Some(recipe),
            ends: self.ends.clone(),
            coverage,
            instructions: counts.instructions,
            forks: machine.forks,
            solver: results::solver(machine.mixed.solver().statistics()),
            external: Some(external::report(machine, counts.divergences)),
            stage: self.is_staged().then_some(suite::StageSummary {
                objects: self.objects,
                exploration_seconds: self.exploring.as_secs_f64(),
            }),
            fuzz: None,
            seconds: self.started.elapsed().as_secs_f64(),
            peak_memory_bytes: results::peak_memory(),
            inputs: self.directory.input_types().clone(),
        };
        self.directory.write_coverage(&info.to_info("everypath"))?;
        self.directory.write_run(&report)?;
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(report),
        }
    }

    /// What a person is shown at the end.
    pub fn summary(&self, report: &RunReport) -> String {
        let mut text = String::new();
        let mut shown = BTreeSet::new();
        for error in &self.errors {
            // Many inputs may lead to one error; the first is shown.
            if shown.insert(error.finding.identity()) {
                text += &error.text();
                text.push('\n');
            }
        }
        let paths = &report.paths;
        let _ = writeln!(
            text,
            "{} paths: {} completed, {} with errors, {} ignored, {} unfinished, {} unknown",
            paths.total(),
            paths.completed,
            paths.errors,
            paths.ignored,
            paths.unfinished,
            paths.unknown,
        );
        for (count, meaning) in [
            (
                paths.too_deep,
                "of the unfinished paths went deeper than --max-call-depth",
            ),
            (
                paths.pruned,
                "paths pruned, from which no uncovered branch can be reached",
            ),
            (
                paths.revisited,
                "paths run again with other values at the border of the selected code",
            ),
        ] {
            if count > 0 {
                let _ = writeln!(text, "{count} {meaning}");
            }
        }
        if let Some(stage) = &report.stage {
            let ObjectCounts { valid, explored } = stage.objects;
            let _ = writeln!(
                text,
                "{valid} of {explored} explored paths are of valid objects"
            );
            let cut_off = paths.unfinished + paths.unknown;
            if cut_off > 0 {
                let _ = writeln!(
                    text,
                    "a limit was reached, and {cut_off} paths were not followed to their end: \
                     there may be more"
                );
            }
        }
        let solver = &report.solver;
        let _ = writeln!(
            text,
            "{} instructions, {} forks, {} queries to the solver ({} to a backend, {} unknown)",
            report.instructions, report.forks, solver.queries, solver.backend_calls, solver.unknown,
        );
        if let Some(external) = &report.external {
            text += &external::summary(external);
        }
        text += &coverage::summary(&report.coverage);
        let _ = write!(
            text,
            "{} tests in {}, {}; {:.2} s",
            report.tests,
            self.directory.path().display(),
            report.outcome,
            report.seconds,
        );
        text
    }

    /// Whether objects are made for a method.
    fn is_staged(&self) -> bool {
        !self.staged.staging().arguments.is_empty()
    }
}

impl Recorder<'_> {
    /// Whether every line and every successor of a branch has been reached.
    fn is_covered(&mut self, machine: &Machine<'_>) -> bool {
        if self.checked_at == machine.coverage.count {
            return false;
        }
        self.checked_at = machine.coverage.count;
        let (_, coverage) = coverage::of(self.program, &machine.coverage);
        coverage.is_whole()
    }
}

impl Observer for Recorder<'_> {
    fn ended(&mut self, machine: &mut Machine<'_>, state: &State, end: &End) {
        self.write_queries(machine);
        self.objects.explored += 1;
        self.objects.valid += u64::from(has_valid_objects(state));
        if !matches!(end, End::Ignored | End::TooDeep) {
            self.echo(state);
        }
        let Some(known) = results::end(end) else {
            return;
        };
        let case = Recorder::case(machine, state);
        let test = self.write(&case, matches!(end, End::Error(..)));
        self.ends.note(self.directory.test_count(), known);
        if let End::Error(kind, message) = end {
            let mut error = self.diagnosis(state, *kind, message);
            error.finding.test = test;
            self.describe(machine, state, &case, &mut error);
            let name = suite::TestName::new(self.directory.test_count());
            let kind = error.finding.kind.name();
            if let Err(failure) = self.directory.write_error(&name, kind, &error.text()) {
                self.fail(failure);
            }
            self.errors.push(error);
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
        self.progress.show(|elapsed| {
            let seconds = elapsed.as_secs_f64();
            let solver = machine.mixed.solver().statistics().time.as_secs_f64();
            let (_, coverage) = coverage::of(self.program, &machine.coverage);
            format!(
                "{} paths done, {} errors, {waiting} waiting, {:.0} % of lines, \
                 solver {:.0} %, {:.1} M instructions/s",
                counts.completed + counts.errors,
                counts.errors,
                coverage.lines.percent(),
                solver / seconds * 100.0,
                counts.instructions as f64 / seconds / 1e6,
            )
        });
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
    let mut missing = BTreeSet::new();
    let mut met = BTreeSet::from([entry]);
    let mut stack = vec![entry];
    while let Some(id) = stack.pop() {
        let function = &program.functions[id.index()];
        let Some(body) = &function.body else {
            if !machine.can_call(id) {
                missing.insert(function.name.clone());
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
    missing.into_iter().collect()
}
