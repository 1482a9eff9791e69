//! `everypath worker`: explores ranges for a coordinator.
//!
//! A worker keeps nothing that matters: what it told is the coordinator's, and what it did
//! not tell is explored again by another if it dies.

use crate::error::Error;
use crate::explored::Explored;
use crate::ranges::protocol::{
    FromWorker, Next, Packed, Progress, ToWorker, VERSION, receive, send,
};
use crate::told::Gathered;
use crate::{Outcome, run};
use base::{Cause, Stop};
use engine::policy::staged::Staged;
use engine::{Books, Counts, News, Observer, OpenRanges, PathEnd, Prepared, Range, Session, Tally};
use explore::Limits;
use machine::End;
use program::Program;
use std::io::{self, BufWriter, Stdin, Stdout};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use suite::Recipe;

/// How often a worker tells how far it is, unless telling takes long.
const TELL_EVERY: Duration = Duration::from_millis(300);
/// How much longer a worker works than it tells.
const WORK_TO_TELL: u32 = 20;
/// How often it looks how much memory it has.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Works until the coordinator says that it is over, or is gone.
pub fn serve() -> Result<Outcome, Error> {
    let mut input = io::stdin();
    let first = receive(&mut input).map_err(Error::Serve)?;
    let Some(ToWorker::Begin {
        version,
        words,
        directory,
        recipe,
        program,
        memory,
    }) = first
    else {
        return Err(Error::Usage(
            "everypath worker is started by a run, and talks to it".to_owned(),
        ));
    };
    let mut output = BufWriter::new(io::stdout());
    let outcome = match version {
        VERSION => {
            // On another machine it need not be there.
            let _ = std::env::set_current_dir(directory);
            work(input, &mut output, &words, *recipe, &program, memory)
        }
        other => Err(Error::Usage(format!(
            "the coordinator speaks version {other} of the protocol, and this worker {VERSION}"
        ))),
    };
    if let Err(error) = &outcome {
        // If nobody listens any more, nobody needs the reason.
        let _ = send(&mut output, &FromWorker::Refused(error.to_string()));
    }
    outcome.map(|()| Outcome::Clean)
}

fn work(
    input: Stdin,
    output: &mut BufWriter<Stdout>,
    words: &[String],
    recipe: Recipe,
    bitcode: &[u8],
    memory: Option<u64>,
) -> Result<(), Error> {
    let explored = Explored::read(words)?;
    let arguments = explored.arguments();
    let stop = Stop::never();
    let asked = Arc::new(Asked::default());
    let messages = listen(input, stop.clone(), asked.clone());
    let language = arguments.input.language()?;
    let mut options = explored.options(&stop, language.as_ref())?;
    // Limits are the coordinator's, but for that of each path.
    options.machine.stop = stop.clone();
    options.mixed.set_stop(stop.clone());
    options.plan.limits = Limits {
        depth: options.plan.limits.depth,
        ..Limits::default()
    };
    let session = Session::new(recipe, options);
    let program = program::reload(bitcode).map_err(|error| Error::Compile(error.into()))?;
    let start = explored.start(&program, &session.recipe().entry)?;
    let explained = |error| run::explained(error, None);
    let prepared = session.prepare(&program, start);
    let mut prepared = prepared.map_err(explained)?;
    send(output, &FromWorker::Ready).map_err(Error::Serve)?;
    let mut teller = Teller {
        program: &program,
        staged: prepared.staged().clone(),
        output,
        asked,
        stop: stop.clone(),
        echo: arguments.echo,
        memory,
        looked: Instant::now(),
        is_full: false,
        careful: false,
        news: None,
        contradictions: Vec::new(),
        messages,
        told: Gathered::default(),
        unfinished: Gathered::default(),
        notes: Vec::new(),
        counts: Counts::default(),
        due: Instant::now(),
        failure: None,
    };
    while let Some(ranges) = teller.next_work() {
        teller.explore(&mut prepared, ranges).map_err(explained)?;
        if let Some(failure) = teller.failure.take() {
            return Err(Error::Serve(failure));
        }
        if teller.is_full {
            return Ok(());
        }
    }
    Ok(())
}

/// What a worker is asked while it is busy.
#[derive(Default)]
struct Asked {
    /// Others want some of the work.
    to_give: AtomicBool,
    to_pause: AtomicBool,
}

/// Reads messages as they come: some are wanted while the worker is busy.
fn listen(mut input: Stdin, stop: Stop, asked: Arc<Asked>) -> Receiver<ToWorker> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        loop {
            match receive(&mut input) {
                Ok(Some(ToWorker::Give)) => asked.to_give.store(true, Relaxed),
                Ok(Some(ToWorker::Pause)) => asked.to_pause.store(true, Relaxed),
                Ok(Some(ToWorker::Resume)) => asked.to_pause.store(false, Relaxed),
                Ok(Some(message)) => {
                    if let ToWorker::Stop = message {
                        stop.set(Cause::Interrupt);
                    }
                    if sender.send(message).is_err() {
                        return;
                    }
                }
                // Without a coordinator there is nobody to work for.
                Ok(None) | Err(_) => {
                    stop.set(Cause::Interrupt);
                    return;
                }
            }
        }
    });
    receiver
}

/// Tells the coordinator what happens.
struct Teller<'p, 'o> {
    program: &'p Program,
    staged: Rc<Staged<'p>>,
    output: &'o mut BufWriter<Stdout>,
    messages: Receiver<ToWorker>,
    asked: Arc<Asked>,
    stop: Stop,
    echo: bool,
    memory: Option<u64>,
    looked: Instant,
    is_full: bool,
    careful: bool,
    /// What others came to know, and the machine does not know yet.
    news: Option<News>,
    /// What this one found out, and others do not know yet.
    contradictions: Vec<Vec<u8>>,
    told: Gathered,
    unfinished: Gathered,
    notes: Vec<String>,
    /// What was counted before the ranges at hand.
    counts: Counts,
    /// When to tell again.
    due: Instant,
    failure: Option<io::Error>,
}

impl Teller<'_, '_> {
    /// Waits for work; none when there is no more.
    fn next_work(&mut self) -> Option<Vec<Range>> {
        loop {
            match self.messages.recv().ok()? {
                ToWorker::Work { ranges, careful } => {
                    self.careful = careful;
                    return ranges.iter().map(Packed::unpack).collect();
                }
                ToWorker::News(news) => self.hear(news),
                ToWorker::Begin { .. } | ToWorker::Give | ToWorker::Pause | ToWorker::Resume => {}
                ToWorker::Stop => return None,
            }
        }
    }

    /// Keeps what others came to know until the machine asks for it.
    fn hear(&mut self, news: News) {
        let known = self.news.get_or_insert_default();
        known.covered = news.covered;
        known.contradictions.extend(news.contradictions);
    }

    fn explore(
        &mut self,
        prepared: &mut Prepared<'_>,
        ranges: Vec<Range>,
    ) -> Result<(), engine::SessionError> {
        self.asked.to_give.store(false, Relaxed);
        self.due = Instant::now() + TELL_EVERY;
        prepared.look_every(if self.careful { Some(1) } else { None });
        let (outcome, tally) = prepared.explore(Some(ranges), &mut Books::default(), self)?;
        let mut counts = self.counts;
        counts.add(&tally.counts);
        self.counts = counts;
        let tally = Tally { counts, ..tally };
        if outcome == engine::Outcome::Complete {
            let nothing = OpenRanges::default();
            self.tell(nothing, tally, 0, Next::Waits);
        } else if !self.is_full {
            let unfinished = FromWorker::Unfinished {
                told: self.unfinished.take(),
                tally: Box::new(tally),
            };
            self.send(&unfinished);
        }
        Ok(())
    }

    fn tell(&mut self, change: OpenRanges, tally: Tally, waiting: u64, next: Next) {
        let begun = Instant::now();
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
        self.send(&FromWorker::Progress(Box::new(progress)));
        let rest = (begun.elapsed() * WORK_TO_TELL).max(TELL_EVERY);
        self.due = Instant::now() + rest;
    }

    fn send(&mut self, message: &FromWorker) {
        if let Err(failure) = send(self.output, message) {
            self.failure.get_or_insert(failure);
            self.stop.set(Cause::Interrupt);
        }
    }

    /// Whether the process has more memory than it may.
    fn looks_full(&mut self) -> bool {
        let Some(most) = self.memory else {
            return false;
        };
        if self.looked.elapsed() < LOOK_EVERY {
            return false;
        }
        self.looked = Instant::now();
        base::memory_in_use() > most
    }
}

impl Observer for Teller<'_, '_> {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        if path.test.is_some() {
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
        self.careful || Instant::now() >= self.due
    }

    fn wants_gift(&mut self) -> bool {
        self.asked.to_give.swap(false, Relaxed)
    }

    fn ranges(&mut self, change: OpenRanges, progress: &engine::Progress<'_, '_>) {
        let mut counts = self.counts;
        counts.add(progress.counts);
        let tally = Tally::of(progress.machine, &counts);
        let next = match self.is_full {
            true => Next::Leaves,
            false => Next::Works,
        };
        self.tell(change, tally, progress.waiting as u64, next);
    }

    fn news(&mut self) -> Option<News> {
        while let Ok(message) = self.messages.try_recv() {
            if let ToWorker::News(news) = message {
                self.hear(news);
            }
        }
        self.news.take()
    }

    fn has_others(&self) -> bool {
        true
    }

    fn found_out(&mut self, contradictions: Vec<Vec<u8>>) {
        self.contradictions = contradictions;
    }

    fn progress(&mut self, _: &engine::Progress<'_, '_>) -> Option<engine::Outcome> {
        while self.asked.to_pause.load(Relaxed) && !self.stop.is_set() {
            std::thread::sleep(LOOK_EVERY);
        }
        self.is_full = self.looks_full();
        self.is_full.then_some(engine::Outcome::GivenAway)
    }
}
