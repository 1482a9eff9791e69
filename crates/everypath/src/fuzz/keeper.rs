//! What workers tell of fuzzing, written and shown as if it had been found here.

use super::corpus::Corpus;
use crate::live::LivePage;
use crate::ranges::{Entry, Keeper, Packed};
use crate::told::Told;
use ::fuzz::Candidate;
use ::report::document::Worker;
use engine::{Books, Outcome, Tally};
use explore::Limit;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use suite::Finding;

/// Nothing waits for a disk here: inputs are written as they come.
const LOOK_EVERY: Duration = Duration::from_secs(1);

impl engine::Observer for Corpus<'_> {
    fn note(&mut self, note: &str) {
        self.keep_note(note);
    }
}

impl Keeper for Corpus<'_> {
    fn before(&self) -> &Tally {
        &self.before
    }

    fn folder(&self) -> &Path {
        self.path()
    }

    fn take_open(&mut self) -> (BTreeMap<u64, Packed>, u64) {
        let waiting = std::mem::take(&mut self.waiting);
        let open: BTreeMap<u64, Packed> = (1..).zip(waiting.iter().map(Packed::new)).collect();
        let last = open.len() as u64;
        (open, last)
    }

    fn tell(&mut self, told: Told, _: &mut Books, _: Option<u64>) {
        self.keep(told.fuzzed);
    }

    fn tell_killer(&mut self, range: &Packed, finding: Finding, _: &mut Books) {
        let candidate: Option<Candidate> = range.unpack();
        let input = candidate.map(|candidate| candidate.input);
        self.keep_killer(input.unwrap_or_default(), finding);
    }

    fn commit(&mut self, _: Entry, _: &Tally) -> Instant {
        Instant::now() + LOOK_EVERY
    }

    fn show(&mut self, tally: &Tally, waiting: u64, workers: Vec<Worker>) -> Option<Outcome> {
        self.counts.waiting = waiting;
        self.show_all(tally, workers);
        if self.has_failed() {
            return Some(Outcome::Interrupted);
        }
        if self.has_enough_errors() {
            return Some(Outcome::Limit(Limit::Errors));
        }
        self.has_enough_runs()
            .then_some(Outcome::Limit(Limit::Tests))
    }

    fn page(&self) -> Option<&LivePage> {
        self.live.as_ref()
    }

    fn dump(&mut self, _: &[Packed], _: &Tally) {
        self.write_dump();
    }
}
