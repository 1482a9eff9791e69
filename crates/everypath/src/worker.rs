//! `everypath worker`: explores ranges for a coordinator.
//!
//! A worker keeps nothing that matters: what it told is the coordinator's, and what it did
//! not tell is explored again by another if it dies.

use crate::error::Error;
use crate::explored::{self, Explored};
use crate::ranges::protocol::{
    FromWorker, Next, Packed, Progress, ToWorker, VERSION, receive, send,
};
use crate::ranges::{Line, Means};
use crate::told::Gathered;
use crate::{Command, Outcome, fuzz, session_error};
use base::Stop;
use engine::policy::staged::Staged;
use engine::{Books, Counts, News, Observer, OpenRanges, PathEnd, Prepared, Range, Session, Tally};
use explore::Limits;
use machine::End;
use program::Program;
use std::io::{self, BufWriter, Stdin};
use std::rc::Rc;
use suite::Recipe;

/// Works until the coordinator says that it is over, or is gone.
pub fn serve() -> Result<Outcome, Error> {
    let mut input = io::stdin();
    let first = receive(&mut input).map_err(Error::Serve)?;
    let Some(ToWorker::Begin {
        version,
        words,
        directory,
        recipe,
        fingerprint,
        program,
        memory,
    }) = first
    else {
        return Err(Error::Usage(
            "everypath worker is started by a run, and talks to it".to_owned(),
        ));
    };
    let outcome = match version {
        VERSION => {
            // On another machine it need not be there.
            let _ = std::env::set_current_dir(directory);
            let what = (*recipe, &program[..], &*fingerprint);
            work(input, &words, what, memory)
        }
        other => Err(Error::Usage(format!(
            "the coordinator speaks version {other} of the protocol, and this worker {VERSION}"
        ))),
    };
    if let Err(error) = &outcome {
        // If nobody listens any more, nobody needs the reason.
        let _ = send(&mut io::stdout(), &FromWorker::Refused(error.to_string()));
    }
    outcome.map(|()| Outcome::Clean)
}

fn work(
    input: Stdin,
    words: &[String],
    (recipe, bitcode, fingerprint): (Recipe, &[u8], &str),
    memory: Option<u64>,
) -> Result<(), Error> {
    let command = explored::command(words)?;
    let stop = Stop::never();
    let output = BufWriter::new(io::stdout());
    let mut line = Line::new(input, output, stop.clone(), memory);
    let program = program::reload(bitcode).map_err(|error| Error::Compile(error.into()))?;
    let what = (recipe, &program);
    let must_be_ours = |means: Means| match means.fingerprint(bitcode) == fingerprint {
        true => Ok(()),
        false => Err(Error::Usage(
            "a file that the run reads is another one for this worker".to_owned(),
        )),
    };
    match command {
        Command::Fuzz(arguments) => {
            must_be_ours(arguments.means())?;
            fuzz::serve(&arguments, what, &stop, &mut line)?;
        }
        command => {
            let explored = Explored::of(command)?;
            must_be_ours(explored.arguments().means())?;
            follow(&explored, what, &stop, &mut line)?;
        }
    }
    line.take_failure()
        .map_or(Ok(()), |it| Err(Error::Serve(it)))
}

/// Follows paths.
fn follow(
    explored: &Explored,
    (recipe, program): (Recipe, &Program),
    stop: &Stop,
    line: &mut Line,
) -> Result<(), Error> {
    let arguments = explored.arguments();
    let language = arguments.input.language()?;
    let mut options = explored.options(stop, language.as_ref())?;
    // Limits are the coordinator's, but for that of each path.
    options.machine.stop = stop.clone();
    options.mixed.set_stop(stop.clone());
    options.plan.limits = Limits {
        depth: options.plan.limits.depth,
        ..Limits::default()
    };
    let session = Session::new(recipe, options);
    let start = explored.start(program, &session.recipe().entry)?;
    let explained = |error| session_error::explained(error, None);
    let prepared = session.prepare(program, start);
    let mut prepared = prepared.map_err(explained)?;
    line.send(&FromWorker::Ready);
    let mut teller = Teller {
        program,
        staged: prepared.staged().clone(),
        line,
        echo: arguments.echo,
        contradictions: Vec::new(),
        told: Gathered::default(),
        unfinished: Gathered::default(),
        notes: Vec::new(),
        counts: Counts::default(),
    };
    while let Some(ranges) = teller.line.next_work() {
        teller.explore(&mut prepared, ranges).map_err(explained)?;
        if teller.line.is_full() {
            break;
        }
    }
    Ok(())
}

/// Tells the coordinator what happens on paths.
struct Teller<'p, 'l> {
    program: &'p Program,
    staged: Rc<Staged<'p>>,
    line: &'l mut Line,
    echo: bool,
    /// What this one found out, and others do not know yet.
    contradictions: Vec<Vec<u8>>,
    told: Gathered,
    unfinished: Gathered,
    notes: Vec<String>,
    /// What was counted before the ranges at hand.
    counts: Counts,
}

impl Teller<'_, '_> {
    fn explore(
        &mut self,
        prepared: &mut Prepared<'_>,
        ranges: Vec<Range>,
    ) -> Result<(), engine::SessionError> {
        prepared.look_every(self.line.is_careful().then_some(1));
        let (outcome, tally) = prepared.explore(Some(ranges), &mut Books::default(), self)?;
        let mut counts = self.counts;
        counts.add(&tally.counts);
        self.counts = counts;
        let tally = Tally { counts, ..tally };
        if outcome == engine::Outcome::Complete {
            let nothing = OpenRanges::default();
            self.tell(nothing, tally, 0, Next::Waits);
        } else if !self.line.is_full() {
            let unfinished = FromWorker::Unfinished {
                told: Box::new(self.unfinished.take()),
                tally: Box::new(tally),
            };
            self.line.send(&unfinished);
        }
        Ok(())
    }

    fn tell(&mut self, change: OpenRanges, tally: Tally, waiting: u64, next: Next) {
        let opened = change.opened.iter();
        let progress = Progress {
            told: self.told.take(),
            opened: opened.map(|(n, range)| (*n, Packed::new(range))).collect(),
            closed: change.closed,
            given: change.given.iter().map(Packed::new).collect(),
            tally,
            contradictions: std::mem::take(&mut self.contradictions),
            waiting,
            notes: std::mem::take(&mut self.notes),
            next,
        };
        self.line.send(&FromWorker::Progress(Box::new(progress)));
    }
}

impl Observer for Teller<'_, '_> {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        if self.staged.staging().seeks_objects() {
            self.told.ended_with_objects(path, end);
        } else if path.test.is_some() {
            let about = (self.program, &*self.staged);
            self.told.ended(about, path, end, self.echo);
        }
    }

    fn unfinished(&mut self, path: &mut PathEnd<'_, '_>) {
        if path.test.is_some() {
            self.unfinished.unfinished(path);
        }
    }

    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    fn wants_ranges(&mut self) -> bool {
        self.line.is_due()
    }

    fn wants_gift(&mut self) -> bool {
        self.line.takes_gifts()
    }

    fn ranges(&mut self, change: OpenRanges, progress: &engine::Progress<'_, '_>) {
        let mut counts = self.counts;
        counts.add(progress.counts);
        let tally = Tally::of(progress.machine, &counts);
        let next = match self.line.is_full() {
            true => Next::Leaves,
            false => Next::Works,
        };
        self.tell(change, tally, progress.waiting as u64, next);
    }

    fn news(&mut self) -> Option<News> {
        self.line.take_news()
    }

    fn has_others(&self) -> bool {
        true
    }

    fn found_out(&mut self, contradictions: Vec<Vec<u8>>) {
        self.contradictions = contradictions;
    }

    fn progress(&mut self, _: &engine::Progress<'_, '_>) -> Option<engine::Outcome> {
        self.line.hold();
        let is_full = self.line.looks_full();
        is_full.then_some(engine::Outcome::GivenAway)
    }
}
