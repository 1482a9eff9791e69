//! What a run writes down and shows: tests, errors, coverage, the summary.

mod live;
mod objects;

pub use objects::Objects;

use crate::error::Error;
use crate::finding::Diagnosis;
use crate::ranges::{Entry, Handover, Journal, Numbers, Packed};
use crate::told::{Remark, Told};
use crate::ui::progress::Progress as ProgressLine;
use crate::ui::summary;
use crate::{external, testcomp, unit_test};
use ::report::document::Worker;
use engine::policy::staged::Staged;
use engine::report::coverage;
use engine::{Books, Observer, OpenRanges, Outcome, PathEnd, Progress, Tally};
use explore::Limit;
use machine::runtime::is_library;
use machine::{End, Machine, State};
use program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use suite::{
    Batch, Curve, Finding, OutputDirectory, Profile, RunReport, Sample, TestCase, TestName,
};

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
    numbers: Numbers,
    /// What was counted before the exploration at hand.
    before: Tally,
    /// When the exploration is to be given away, by time and by memory.
    handover: Handover,
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
            numbers: Numbers::default(),
            before: Tally::default(),
            handover: Handover::default(),
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

    /// Writes the tests of paths that were told, and enters them in the books; no more than
    /// there may be.
    pub fn tell(&mut self, told: Told, books: &mut Books, most: Option<u64>) {
        let before = books.tests;
        let room = most.map_or(u64::MAX, |most| most.saturating_sub(before));
        if told.tests.len() <= room && !self.looks_at_each_test() {
            books.enter_batch(&told.tests);
            if let Err(error) = self.directory.write_batch(told.tests) {
                self.fail(error);
            }
        } else {
            self.write_each(&told.tests, books, room);
        }
        for (number, remark) in told.remarks.into_iter().filter(|(it, _)| *it <= room) {
            self.remark(&TestName::new(before + number), remark, books);
        }
    }

    /// Whether somebody wants to know every test, not only that it is kept.
    fn looks_at_each_test(&self) -> bool {
        self.watched.is_some() || self.wanted.testcomp.is_some()
    }

    fn write_each(&mut self, batch: &Batch, books: &mut Books, room: u64) {
        let tests = match batch.unpack() {
            Ok(tests) => tests,
            Err(error) => return self.fail(error),
        };
        for (mut case, end) in tests.into_iter().zip(0..room).map(|(test, _)| test) {
            batch.inputs().annotate(&mut case);
            books.enter(&case, end);
            self.write_case(&case, end);
        }
    }

    fn remark(&mut self, name: &TestName, remark: Remark, books: &mut Books) {
        self.progress.suspend(|| {
            // Who closed the pipe does not want to see more.
            let _ = std::io::stdout().write_all(&remark.output[0]);
            let _ = std::io::stderr().write_all(&remark.output[1]);
        });
        let Some(mut error) = remark.error else {
            return;
        };
        error.finding.test = name.as_str().to_owned();
        books.errors.push(error.finding.clone());
        match &remark.objects {
            Some(objects) => self.describe(objects, &mut error),
            None => self.say_how_to_replay(&mut error),
        }
        self.keep_error(name, error);
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

    /// Keeps a journal from now on, and gives the exploration away when that is due.
    pub fn keep_journal(&mut self, mut journal: Journal, handover: Handover) {
        self.numbers = journal.replace_open();
        self.journal = Some(journal);
        self.handover = handover;
    }

    /// Goes on with a run that was interrupted: what it counted, and the errors it found.
    pub fn go_on(&mut self, before: Tally, errors: Vec<(Finding, String)>) {
        self.before = before;
        self.errors = errors;
    }

    /// What was counted before the exploration at hand.
    pub fn before(&self) -> &Tally {
        &self.before
    }

    /// Where the run writes.
    pub fn folder(&self) -> &Path {
        self.directory.path()
    }

    /// The ranges that are open, which the coordinator keeps from now on, and the last
    /// number of one.
    pub fn take_open(&mut self) -> (BTreeMap<u64, Packed>, u64) {
        self.journal
            .as_mut()
            .map(Journal::take_open)
            .unwrap_or_default()
    }

    /// Puts on disk how far the run is; when to do so again.
    pub fn commit(&mut self, entry: Entry, tally: &Tally) -> Instant {
        let begun = Instant::now();
        let Some(journal) = &mut self.journal else {
            return begun;
        };
        let is_first = !journal.has_begun();
        let findings: Vec<Finding> = self.errors.iter().map(|(it, _)| it.clone()).collect();
        let tests = (self.directory.test_count(), self.directory.input_types());
        let records = journal.records(entry, tally, tests, &findings);
        let mut written = Ok(());
        if is_first {
            written = self.directory.write_program(&self.program.bitcode);
        }
        let written = written.and_then(|()| self.directory.write_journal(records));
        let due = journal.written(begun);
        if let Err(failure) = written {
            self.fail(failure);
        }
        due
    }

    /// Shows how far a run in several processes is; how it ends, if it does so now.
    pub fn show(&mut self, tally: &Tally, waiting: u64, workers: Vec<Worker>) -> Option<Outcome> {
        let working = workers.iter().filter(|it| it.state == Worker::BUSY).count();
        let counts = &tally.counts;
        let seconds = self.started.elapsed().as_secs_f64();
        let covered: u32 = tally.covered.iter().map(|byte| byte.count_ones()).sum();
        if self.curve.is_due(seconds) {
            self.curve.add(Sample {
                seconds,
                paths: counts.completed + counts.errors,
                errors: counts.errors,
                covered: covered.into(),
                waiting,
            });
        }
        if self.is_publishing_due() {
            self.publish(tally, waiting, workers);
        }
        let program = self.program;
        let of_program = |bits: &[u8]| {
            let mut reached = machine::Coverage::new(program);
            reached.absorb(bits);
            coverage(program, &reached).1
        };
        self.progress.show(|elapsed| {
            let lines = of_program(&tally.covered).lines.percent();
            format!(
                "{} paths done, {} errors, {waiting} waiting, {lines:.0} % of lines, \
                 {} queries, {working} workers, {:.1} M instructions/s",
                counts.completed + counts.errors,
                counts.errors,
                tally.solver.queries,
                counts.instructions as f64 / elapsed.as_secs_f64() / 1e6,
            )
        });
        if self.failure.is_some() {
            return Some(Outcome::Interrupted);
        }
        if self.wanted.until_covered && self.checked_at != u64::from(covered) {
            self.checked_at = covered.into();
            let is_whole = of_program(&tally.covered).is_whole();
            return is_whole.then_some(Outcome::Limit(Limit::Covered));
        }
        None
    }

    /// Whether objects are made for a method.
    fn is_staged(&self) -> bool {
        !self.staged.staging().arguments.is_empty()
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
                "{} paths done, {} errors, {waiting} waiting, {:.0} % of lines, \
                 {} queries, solver {:.0} %, {:.1} M instructions/s",
                counts.completed + counts.errors,
                counts.errors,
                covered.lines.percent(),
                machine.mixed.solver().statistics().queries,
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
        let is_due = self.journal.is_some() && self.handover.is_due(is_busy);
        is_due.then_some(Outcome::GivenAway)
    }

    fn wants_ranges(&mut self) -> bool {
        let journal = self.journal.as_ref();
        journal.is_some_and(|journal| journal.is_due() || self.wants_dump())
    }

    fn ranges(&mut self, change: OpenRanges, progress: &Progress<'_, '_>) {
        let Some(journal) = &mut self.journal else {
            return;
        };
        let entry = journal.entry(change, &mut self.numbers);
        let tally = self.tally(progress);
        self.commit(entry, &tally);
        if self.wants_dump() {
            let open = self.journal.as_ref().map(Journal::open).unwrap_or_default();
            self.dump(&open, &tally);
        }
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
