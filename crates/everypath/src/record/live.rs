//! What a recorder shows of a run that goes on, and does for whoever watches it.

use super::Recorder;
use crate::error::Error;
use crate::live::{LivePage, Snapshot, so_far};
use crate::ranges::Packed;
use ::report::document::Worker;
use engine::{Range, Tally};
use std::path::PathBuf;
use suite::lcov::Coverage;
use suite::{End, Finding, OutputDirectory, Profile, Recipe, RunReport, TestCase, TestName};

/// The page, and what the run says of itself from the start.
pub(super) struct Watched {
    pub page: LivePage,
    pub recipe: Recipe,
}

impl Recorder<'_> {
    /// Shows the run on this page from now on.
    pub fn go_live(&mut self, recipe: Recipe, mut page: LivePage) {
        page.show_run(self.directory.path(), &recipe);
        self.watched = Some(Watched { page, recipe });
    }

    /// Gives the page back, for the next run.
    pub fn take_page(&mut self) -> Option<LivePage> {
        self.watched.take().map(|watched| watched.page)
    }

    /// Gives pages that are open the report of the run.
    pub fn end_live(&mut self) -> Result<(), Error> {
        match self.watched.take() {
            Some(watched) => watched.page.finish(),
            None => Ok(()),
        }
    }

    pub(super) fn tell_page(&mut self, name: &TestName, case: &TestCase, end: Option<End>) {
        if let Some(watched) = &mut self.watched {
            watched.page.tell_test(name.as_str(), case, end);
        }
    }

    pub(super) fn tell_page_of_error(&self, finding: &Finding, text: &str) {
        if let Some(watched) = &self.watched {
            watched.page.tell_error(finding, text);
        }
    }

    /// Waits while the page says so.
    pub(super) fn hold(&self) {
        if let Some(watched) = &self.watched {
            watched.page.link.hold();
        }
    }

    /// Whether pages are to hear how far the run is.
    pub(super) fn is_publishing_due(&self) -> bool {
        let watched = self.watched.as_ref();
        watched.is_some_and(|watched| watched.page.link.is_due())
    }

    /// Tells pages how far the run is.
    pub(super) fn publish(&mut self, tally: &Tally, waiting: u64, workers: Vec<Worker>) {
        let Some(mut watched) = self.watched.take() else {
            return;
        };
        let (run, coverage) = self.so_far(&watched.recipe, tally);
        watched.page.publish(Snapshot {
            run,
            coverage,
            curve: self.curve.samples(),
            costs: &tally.costs,
            calls: &tally.calls,
            waiting,
            workers,
        });
        self.watched = Some(watched);
    }

    pub(super) fn write_dump(
        &self,
        path: PathBuf,
        open: &[Packed],
        mut run: RunReport,
        coverage: &Coverage,
        tally: &Tally,
    ) -> Result<PathBuf, Error> {
        let mut dump = OutputDirectory::create_at(&path)?;
        for range in open.iter().filter_map(Packed::unpack::<Range>) {
            dump.write_test(&range.case(), None)?;
        }
        dump.write_coverage(&coverage.to_info("everypath"))?;
        dump.write_profile(&Profile {
            costs: tally.costs.clone(),
            calls: tally.calls.clone(),
            curve: self.curve.samples().to_vec(),
        })?;
        run.tests = dump.test_count();
        run.inputs.merge(dump.input_types());
        dump.write_run(&run)?;
        Ok(path)
    }

    /// What the run says of itself so far, and what it covered.
    pub(super) fn so_far(&self, recipe: &Recipe, tally: &Tally) -> (RunReport, Coverage) {
        let begun = RunReport::begun(recipe.clone());
        let (mut run, coverage) = so_far(self.program, begun, tally, self.started);
        run.tests = self.directory.test_count();
        run.inputs.merge(self.directory.input_types());
        (run, coverage)
    }
}
