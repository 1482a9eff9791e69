//! Fuzzing for a coordinator: inputs that wait are the ranges, and each stands for all that
//! follow from it.

use crate::ranges::Line;
use crate::ranges::protocol::{FromWorker, Next, Packed, Progress};
use crate::told::{Fuzzed, Told};
use ::fuzz::{
    Begin, Candidate, Counts, Ended, Level, Memory, Observer, OpenCandidates, Outcome, Run,
    Settings, fuzz,
};
use engine::Tally;
use engine::policy::generational::Tracer;
use machine::Machine;
use program::Program;

/// Expands inputs until the coordinator says that it is over, or is gone.
pub fn work(
    program: &Program,
    tracer: &mut Tracer<'_>,
    level: &mut Level<'_>,
    settings: &Settings,
    line: &mut Line,
) {
    line.send(&FromWorker::Ready);
    let mut teller = Teller {
        program,
        line,
        before: Counts::default(),
        told: Counts::default(),
        fuzzed: Fuzzed::default(),
    };
    let mut memory = Memory::default();
    while let Some(candidates) = teller.line.next_work::<Candidate>() {
        let begin = Begin::Candidates(candidates);
        let ended = fuzz(tracer, level, begin, settings, &mut memory, &mut teller);
        teller.end(tracer, &ended);
        if teller.line.is_full() {
            break;
        }
    }
}

/// Tells the coordinator what happens in runs.
struct Teller<'p, 'l> {
    program: &'p Program,
    line: &'l mut Line,
    /// What was done before the inputs at hand, and what of all that was told.
    before: Counts,
    told: Counts,
    fuzzed: Fuzzed,
}

impl Teller<'_, '_> {
    /// What was done since the last time.
    fn take_told(&mut self, counts: &Counts) -> Told {
        let mut all = self.before;
        all.add(counts);
        let counts = all.since(&self.told);
        self.told = all;
        Told {
            fuzzed: Fuzzed {
                counts,
                ..std::mem::take(&mut self.fuzzed)
            },
            ..Told::default()
        }
    }

    fn tell(
        &mut self,
        change: &OpenCandidates,
        machine: &Machine<'_>,
        counts: &Counts,
        next: Next,
    ) {
        let opened = change.opened.iter();
        let progress = Progress {
            told: self.take_told(counts),
            opened: opened.map(|(n, it)| (*n, Packed::new(it))).collect(),
            closed: change.closed.clone(),
            given: change.given.iter().map(Packed::new).collect(),
            tally: Tally::of(machine, &engine::Counts::default()),
            contradictions: Vec::new(),
            waiting: counts.waiting,
            notes: Vec::new(),
            next,
        };
        self.line.send(&FromWorker::Progress(Box::new(progress)));
    }

    /// The inputs at hand are expanded, or there is a reason to stop.
    fn end(&mut self, tracer: &mut Tracer<'_>, ended: &Ended) {
        if ended.outcome == Outcome::Complete {
            let nothing = OpenCandidates::default();
            self.tell(&nothing, &tracer.machine, &ended.counts, Next::Waits);
        } else if !self.line.is_full() {
            let told = self.take_told(&ended.counts);
            let tally = Tally::of(&tracer.machine, &engine::Counts::default());
            self.line.send(&FromWorker::Unfinished {
                told: Box::new(told),
                tally: Box::new(tally),
            });
        }
        self.before.add(&ended.counts);
    }
}

impl Observer for Teller<'_, '_> {
    fn ran(&mut self, machine: &mut Machine<'_>, run: &Run<'_>) {
        self.fuzzed.ran(self.program, machine, run);
        if let Some(news) = self.line.take_news() {
            machine.coverage.absorb(&news.covered);
        }
    }

    fn stops(&mut self, _: &Machine<'_>, _: &Counts) -> bool {
        self.line.hold();
        self.line.is_full()
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn wants_open(&mut self) -> bool {
        self.line.looks_full() || self.line.is_due()
    }

    fn wants_gift(&mut self) -> bool {
        self.line.takes_gifts()
    }

    fn open(&mut self, change: OpenCandidates, machine: &Machine<'_>, counts: &Counts) {
        let next = match self.line.is_full() {
            true => Next::Leaves,
            false => Next::Works,
        };
        self.tell(&change, machine, counts, next);
    }
}
