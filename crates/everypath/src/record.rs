//! What a run writes down and shows: tests, errors, coverage, the summary.

mod objects;

use crate::error::Error;
use crate::finding::Diagnosis;
use crate::ui::progress::Progress as ProgressLine;
use crate::{external, testcomp, unit_test};
use engine::policy::staged::Staged;
use engine::report::{costs, coverage};
use engine::{Observer, Outcome, PathEnd, Progress};
use explore::Limit;
use machine::runtime::is_library;
use machine::{End, Machine, State};
use program::Program;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::File;
use std::io::Write as _;
use std::rc::Rc;
use std::time::{Duration, Instant};
use suite::{Curve, ObjectCounts, OutputDirectory, Profile, RunReport, Sample};

/// What is written and shown beside the tests of paths that ended.
pub struct Wanted<'a> {
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
    errors: Vec<Diagnosis>,
    /// The first thing that could not be written.
    failure: Option<Error>,
    progress: ProgressLine,
    started: Instant,
    /// How far the run was, time after time.
    curve: Curve,
    /// How much was covered when it was last checked whether everything is: the
    /// check walks over the whole program.
    checked_at: u64,
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
            errors: Vec::new(),
            failure: None,
            progress: ProgressLine::new(started, time_limit),
            started,
            curve: Curve::default(),
            checked_at: 0,
        })
    }

    /// Writes the test of a path.
    fn write(&mut self, path: &mut PathEnd<'_, '_>, end: Option<suite::End>) {
        let case = path.case();
        let has_error = matches!(end, Some(suite::End::Error(_)));
        let written =
            self.directory
                .write_test(case, end)
                .and_then(|name| match self.wanted.testcomp {
                    Some(_) => self.directory.write_testcomp_test(&name, case, has_error),
                    None => Ok(()),
                });
        if let Err(error) = written {
            self.fail(error);
        }
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

    /// Takes the progress away.
    pub fn clear(&mut self) {
        self.progress.clear();
    }

    /// Writes what is left beside the tests, and the report.
    ///
    /// # Errors
    ///
    /// The first thing that could not be written.
    pub fn finish(&mut self, machine: &mut Machine<'_>, report: &RunReport) -> Result<(), Error> {
        for note in std::mem::take(&mut self.notes) {
            let _ = self.directory.log(&note);
            eprintln!("note: {note}");
        }
        self.write_queries(machine);
        let (info, _) = coverage(self.program, &machine.coverage);
        self.directory.write_coverage(&info.to_info("everypath"))?;
        let mut curve = std::mem::take(&mut self.curve);
        curve.add(Sample {
            seconds: self.started.elapsed().as_secs_f64(),
            paths: report.paths.completed + report.paths.errors,
            errors: report.paths.errors,
            covered: machine.coverage.count,
            waiting: 0,
        });
        self.directory.write_profile(&Profile {
            costs: costs(machine),
            curve: curve.into_samples(),
        })?;
        self.directory.write_run(report)?;
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(()),
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
        text += &external::left_out(report);
        text += &crate::coverage::summary(&report.coverage);
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
        let (_, covered) = coverage(self.program, &machine.coverage);
        covered.is_whole()
    }
}

impl Observer for Recorder<'_> {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        self.write_queries(path.machine);
        let Some(name) = path.test.clone() else {
            return;
        };
        self.echo(path.state);
        self.write(path, engine::report::end(end));
        if let End::Error(kind, message) = end {
            let mut error = Diagnosis::at(self.program, path.state, *kind, message);
            error.finding.test = name.as_str().to_owned();
            self.describe(path, &mut error);
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

    fn unfinished(&mut self, path: &mut PathEnd<'_, '_>) {
        if path.test.is_some() {
            self.write(path, None);
        }
    }

    fn progress(&mut self, progress: &Progress<'_, '_>) -> Option<Outcome> {
        let &Progress {
            machine,
            counts,
            waiting,
        } = progress;
        let seconds = self.started.elapsed().as_secs_f64();
        if self.curve.is_due(seconds) {
            self.curve.add(Sample {
                seconds,
                paths: counts.completed + counts.errors,
                errors: counts.errors,
                covered: machine.coverage.count,
                waiting: waiting as u64,
            });
        }
        self.progress.show(|elapsed| {
            let seconds = elapsed.as_secs_f64();
            let solver = machine.mixed.solver().statistics().time.as_secs_f64();
            let (_, covered) = coverage(self.program, &machine.coverage);
            format!(
                "{} paths done, {} errors, {waiting} waiting, {:.0} % of lines, \
                 solver {:.0} %, {:.1} M instructions/s",
                counts.completed + counts.errors,
                counts.errors,
                covered.lines.percent(),
                solver / seconds * 100.0,
                counts.instructions as f64 / seconds / 1e6,
            )
        });
        if self.failure.is_some() || self.staged.refusal().is_some() {
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
