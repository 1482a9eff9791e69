//! What a run writes down and shows: tests, errors, coverage, the summary.

mod keeper;
mod live;
mod objects;

pub use objects::Objects;

use crate::error::Error;
use crate::finding::Diagnosis;
use crate::ranges::{Journal, Keeper};
use crate::ui::progress::Progress as ProgressLine;
use crate::ui::summary;
use crate::{external, testcomp, unit_test};
use engine::policy::staged::Staged;
use engine::report::coverage;
use engine::{Observer, OpenRanges, Outcome, PathEnd, Progress, Tally};
use explore::Limit;
use machine::{End, Machine, State};
use program::Program;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write as _;
use std::rc::Rc;
use std::time::{Duration, Instant};
use suite::{Curve, Finding, OutputDirectory, Profile, RunReport, Sample, TestCase, TestName};

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
    /// So many tests of the class that a method is of.
    pub class_tests: Option<usize>,
}

/// Writes tests as paths end.
pub struct Recorder<'p> {
    program: &'p Program,
    directory: OutputDirectory,
    wanted: Wanted<'p>,
    staged: Rc<Staged<'p>>,
    notes: Vec<String>,
    queries: Option<File>,
    errors: Vec<(Finding, String)>,
    /// What it takes to go on after a kill, where paths can be told as ranges.
    journal: Option<Journal>,
    /// What was counted before the exploration at hand.
    before: Tally,
    /// The first thing that could not be written.
    failure: Option<Error>,
    progress: ProgressLine,
    started: Instant,
    /// How far the run was, time after time.
    curve: Curve,
    /// The page of the run, where it is watched.
    watched: Option<live::Watched>,
    /// How much was covered when it was last checked whether everything is: the
    /// check walks over the whole program.
    checked_at: u64,
    /// The tests of the class that the method is of.
    class_tests: Vec<unit_test::ClassTest>,
    /// Paths that are none of them.
    left_out: u64,
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
            journal: None,
            before: Tally::default(),
            failure: None,
            progress: ProgressLine::new(started, time_limit),
            started,
            curve: Curve::default(),
            watched: None,
            checked_at: 0,
            class_tests: Vec::new(),
            left_out: 0,
        })
    }

    fn fail(&mut self, error: impl Into<Error>) {
        self.failure.get_or_insert(error.into());
    }

    fn write_case(&mut self, case: &TestCase, end: Option<suite::End>) {
        let has_error = matches!(end, Some(suite::End::Error(_)));
        let name = self.directory.write_test(case, end);
        if let Ok(name) = &name {
            self.tell_page(name, case, end);
        }
        let written = name.and_then(|name| match self.wanted.testcomp {
            Some(_) => self.directory.write_testcomp_test(&name, case, has_error),
            None => Ok(()),
        });
        if let Err(error) = written {
            self.fail(error);
        }
    }

    fn keep_error(&mut self, name: &TestName, error: Diagnosis) {
        let (kind, text) = (error.finding.kind.name(), error.text());
        if let Err(failure) = self.directory.write_error(name, kind, &text) {
            self.fail(failure);
        }
        self.tell_page_of_error(&error.finding, &text);
        self.errors.push((error.finding, text));
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
    pub fn finish(
        &mut self,
        machine: &mut Machine<'_>,
        tally: &Tally,
        report: &RunReport,
    ) -> Result<(), Error> {
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
            costs: tally.costs.clone(),
            calls: tally.calls.clone(),
            curve: curve.into_samples(),
        })?;
        self.write_tables(machine)?;
        self.directory.write_run(report)?;
        if report.outcome.is_over() {
            self.directory.remove_journal()?;
        }
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// Keeps what was observed of functions outside the program, for the report.
    fn write_tables(&mut self, machine: &Machine<'_>) -> Result<(), Error> {
        let oracle = machine.mixed.oracle();
        match oracle.has_observations() {
            true => Ok(oracle.save_tables(&self.directory.path().join(external::TABLES))?),
            false => Ok(()),
        }
    }

    /// What a person is shown at the end.
    pub fn summary(&self, report: &RunReport) -> String {
        let mut text = String::new();
        let mut shown = BTreeSet::new();
        for (finding, error) in &self.errors {
            // Many inputs may lead to one error; the first is shown.
            if shown.insert(finding.identity()) {
                text += error;
                text.push('\n');
            }
        }
        text + summary::of_run(report, self.directory.path()).trim_end()
    }

    /// Keeps this journal from now on, and gives the exploration away when it says so.
    pub fn keep_journal(&mut self, journal: Option<Journal>) {
        self.journal = journal;
    }

    /// Goes on with a run that was interrupted: what it counted, and the errors it found.
    pub fn go_on(&mut self, before: Tally, errors: Vec<(Finding, String)>) {
        self.before = before;
        self.errors = errors;
    }

    /// Whether objects are made for a method.
    fn is_staged(&self) -> bool {
        self.staged.staging().makes_calls()
    }
}

impl Recorder<'_> {
    /// What was counted in all, with an exploration that is this far.
    fn tally(&self, progress: &Progress<'_, '_>) -> Tally {
        let mut tally = self.before.clone();
        tally.add(&Tally::of(progress.machine, progress.counts));
        tally
    }

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
        let case = path.case().clone();
        self.write_case(&case, engine::report::end(end));
        self.keep_class_test(path, end);
        if let End::Error(kind, message) = end {
            let mut error = Diagnosis::at(self.program, path.state, *kind, message);
            error.finding.test = name.as_str().to_owned();
            let objects = Objects::of(self.program, &self.staged, path);
            self.describe(&objects, &mut error);
            self.keep_error(&name, error);
        }
    }

    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    fn unfinished(&mut self, path: &mut PathEnd<'_, '_>) {
        if path.test.is_some() {
            let case = path.case().clone();
            self.write_case(&case, None);
        }
    }

    fn progress(&mut self, progress: &Progress<'_, '_>) -> Option<Outcome> {
        let &Progress {
            machine,
            counts,
            waiting,
            has_seeds,
        } = progress;
        let seconds = self.started.elapsed().as_secs_f64();
        if self.curve.is_due(seconds) {
            self.curve.add(progress.sample(seconds));
        }
        self.progress.show(|elapsed| {
            let seconds = elapsed.as_secs_f64();
            let solver = machine.mixed.solver().statistics().time.as_secs_f64();
            let (_, covered) = coverage(self.program, &machine.coverage);
            format!(
                "{} paths, {:.0} % of lines, {} queries, {} errors, {waiting} waiting, \
                 solver {:.0} %, {:.1} M instructions/s",
                counts.completed + counts.errors,
                covered.lines.percent(),
                machine.mixed.solver().statistics().queries,
                counts.errors,
                solver / seconds * 100.0,
                counts.instructions as f64 / seconds / 1e6,
            )
        });
        if self.is_publishing_due() {
            self.publish(&self.tally(progress), waiting as u64, Vec::new());
        }
        self.hold();
        if self.journal.is_none() && self.wants_dump() {
            self.dump(&[], &self.tally(progress));
        }
        if self.failure.is_some() || self.staged.refusal().is_some() {
            return Some(Outcome::Interrupted);
        }
        if self.wanted.until_covered && self.is_covered(machine) {
            return Some(Outcome::Limit(Limit::Covered));
        }
        // Workers know no seeds, and what is one path cannot be shared.
        let is_busy = has_seeds || waiting < 2;
        let journal = self.journal.as_mut();
        let gives_away = journal.is_some_and(|journal| journal.gives_away(is_busy));
        gives_away.then_some(Outcome::GivenAway)
    }

    fn wants_ranges(&mut self) -> bool {
        let journal = self.journal.as_ref();
        journal.is_some_and(|journal| journal.is_due() || self.wants_dump())
    }

    fn ranges(&mut self, change: OpenRanges, progress: &Progress<'_, '_>) {
        let Some(journal) = &mut self.journal else {
            return;
        };
        let entry = journal.entry(change);
        let tally = self.tally(progress);
        self.commit(entry, &tally);
        if self.wants_dump() {
            let open = self.journal.as_ref().map(Journal::open).unwrap_or_default();
            self.dump(&open, &tally);
        }
    }
}
