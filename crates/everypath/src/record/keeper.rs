//! What workers tell of a run, written and shown as if it had been found here.

use super::Recorder;
use crate::live::LivePage;
use crate::ranges::{Entry, Finished, Keeper, Packed};
use crate::told::{Found, Remark, Told};
use ::report::document::Worker;
use engine::report::coverage;
use engine::{Books, Outcome, Range, Tally};
use explore::Limit;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;
use suite::{Batch, Finding, TestName};

impl Keeper for Recorder<'_> {
    fn before(&self) -> &Tally {
        &self.before
    }

    fn folder(&self) -> &Path {
        self.directory.path()
    }

    fn take_open(&mut self) -> (BTreeMap<u64, Packed>, u64) {
        let journal = self.journal.as_mut();
        journal.map(|it| it.take_open()).unwrap_or_default()
    }

    fn tell(&mut self, told: Told, books: &mut Books, most: Option<u64>) {
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

    fn tell_killer(&mut self, range: &Packed, finding: Finding, books: &mut Books) {
        let range: Option<Range> = range.unpack();
        let case = range.map(|range| range.case()).unwrap_or_default();
        self.tell(Told::of_the_tool(&case, finding), books, None);
    }

    fn commit(&mut self, entry: Entry, tally: &Tally) -> Instant {
        let begun = Instant::now();
        let Some(journal) = &mut self.journal else {
            return begun;
        };
        let is_first = !journal.has_begun();
        let findings: Vec<Finding> = self.errors.iter().map(|(it, _)| it.clone()).collect();
        let finished = Finished {
            tests: self.directory.test_count(),
            inputs: self.directory.input_types(),
            errors: &findings,
            objects: Found::default(),
        };
        let records = journal.records(entry, tally, finished);
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

    fn show(&mut self, tally: &Tally, waiting: u64, workers: Vec<Worker>) -> Option<Outcome> {
        let working = workers.iter().filter(|it| it.state == Worker::BUSY).count();
        let counts = &tally.counts;
        let seconds = self.started.elapsed().as_secs_f64();
        let now = tally.sample(seconds, waiting);
        if self.curve.is_due(seconds) {
            self.curve.add(now);
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
                "{} paths, {lines:.0} % of lines, {} queries, {working} workers, \
                 {} errors, {waiting} waiting, {:.1} M instructions/s",
                counts.completed + counts.errors,
                tally.solver.queries,
                counts.errors,
                counts.instructions as f64 / elapsed.as_secs_f64() / 1e6,
            )
        });
        if self.failure.is_some() {
            return Some(Outcome::Interrupted);
        }
        if self.wanted.until_covered && self.checked_at != now.covered {
            self.checked_at = now.covered;
            let is_whole = of_program(&tally.covered).is_whole();
            return is_whole.then_some(Outcome::Limit(Limit::Covered));
        }
        None
    }

    fn page(&self) -> Option<&LivePage> {
        self.watched.as_ref().map(|watched| &watched.page)
    }

    fn dump(&mut self, open: &[Packed], tally: &Tally) {
        let Some(mut watched) = self.watched.take() else {
            return;
        };
        let (run, coverage) = self.so_far(&watched.recipe, tally);
        let written = self.write_dump(watched.page.next_dump(), open, run, &coverage, tally);
        watched.page.dumped(written);
        self.watched = Some(watched);
    }
}

impl Recorder<'_> {
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
}
