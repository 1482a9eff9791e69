//! Hands ranges to workers, and takes back tests, coverage, errors and the ranges they did
//! not get to.
//!
//! Every range is at one place: in the queue, or with the worker that took it. A worker
//! tells now and then what it finished and what it has open; both count from that moment
//! on. If it dies, what it had open goes back to the queue. Whoever had a worker that died
//! is suspect: it is tried alone and carefully, and if workers die of it again and again it
//! is an error of ours, reported with its input.

use super::journal::Entry;
use super::keeper::Keeper;
use super::pool::{Event, Pool, WorkerId};
use super::protocol::{FromWorker, Next, Packed, Progress, ToWorker};
use super::queue::{Queue, Work};
use crate::error::Error;
use ::report::document::Worker;
use base::Stop;
use engine::{Books, News, Outcome, Tally};
use explore::{Limits, Spent};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};
use suite::{ErrorKind, Finding};

/// How long the coordinator waits before it looks at limits again.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long workers may take to end once they are told.
const GRACE: Duration = Duration::from_millis(900);
/// Ranges that one worker is given at a time at most.
const MOST: usize = 4096;
/// How often workers may die of a range.
const DEATHS: u8 = 2;
/// How often workers hear what others reached.
const NEWS_EVERY: Duration = Duration::from_secs(1);

/// A worker, as the coordinator sees it.
#[derive(Default)]
struct Seat {
    /// The ranges it has open, by its own numbers; those it was given, before it tells.
    open: HashMap<u64, Work>,
    given: Vec<Work>,
    /// What it counted so far.
    tally: Tally,
    waiting: u64,
    state: SeatState,
    asked_to_give: bool,
    careful: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum SeatState {
    /// It reads the program.
    #[default]
    Starting,
    Idle,
    Busy,
    /// It was told to end, or ends by itself.
    Leaving,
}

/// A run in several processes.
pub struct Coordinator<'c> {
    keeper: &'c mut dyn Keeper,
    books: &'c mut Books,
    /// What was counted before, and by workers that are gone.
    before: Tally,
    limits: Limits,
    stop: Stop,
    pool: Pool,
    seats: BTreeMap<WorkerId, Seat>,
    queue: Queue,
    last_number: u64,
    entry: Entry,
    due: Instant,
    news_at: Instant,
    covered: Vec<u8>,
    /// Contradictions that workers found and others have not heard of.
    found: Vec<(WorkerId, Vec<u8>)>,
    paused: bool,
}

impl<'c> Coordinator<'c> {
    /// A run that goes on with the ranges that the keeper has open.
    pub fn new(
        keeper: &'c mut dyn Keeper,
        books: &'c mut Books,
        before: Tally,
        pool: Pool,
        (limits, stop): (Limits, Stop),
    ) -> Coordinator<'c> {
        let (open, last_number) = keeper.take_open();
        let mut queue = Queue::new(keeper.folder());
        for (number, range) in open {
            queue.push(Work {
                number,
                range,
                deaths: 0,
            });
        }
        Coordinator {
            keeper,
            books,
            before,
            limits,
            stop,
            pool,
            seats: BTreeMap::new(),
            queue,
            last_number,
            entry: Entry::default(),
            due: Instant::now(),
            news_at: Instant::now(),
            covered: Vec::new(),
            found: Vec::new(),
            paused: false,
        }
    }

    /// Works until nothing is open or a limit is reached; how it ended, and what was
    /// counted in all.
    ///
    /// # Errors
    ///
    /// When no worker can work.
    pub fn run(mut self) -> Result<(Outcome, Tally), Error> {
        let outcome = loop {
            self.staff()?;
            self.assign()?;
            match self.pool.next(LOOK_EVERY) {
                Some((worker, Event::Said(message))) => self.hear(worker, message)?,
                Some((worker, Event::Gone(how))) => self.lose(worker, &how),
                None => {}
            }
            self.spread_news();
            self.obey();
            if self.queue.is_empty() && self.seats.values().all(|seat| seat.is_empty()) {
                break Outcome::Complete;
            }
            if let Some(outcome) = self.limit() {
                break outcome;
            }
            if Instant::now() >= self.due {
                self.commit();
            }
        };
        self.commit();
        self.end(outcome);
        let tally = self.tally();
        Ok((outcome, tally))
    }

    /// Keeps as many workers as there should be, as long as there is work for them.
    fn staff(&mut self) -> Result<(), Error> {
        while self.seats.len() < self.pool.size() {
            let worker = self.pool.start()?;
            self.seats.insert(worker, Seat::default());
            if self.paused {
                self.pool.tell(worker, &ToWorker::Pause);
            }
        }
        Ok(())
    }

    /// Gives work to those that have none, and asks others for some if there is none left.
    fn assign(&mut self) -> Result<(), Error> {
        let idle = |seat: &Seat| seat.state == SeatState::Idle;
        let idle: Vec<WorkerId> = (self.seats.iter())
            .filter_map(|(&worker, seat)| idle(seat).then_some(worker))
            .collect();
        let share = (self.queue.len().div_ceil(self.pool.size())).min(MOST);
        for &worker in &idle {
            let work = self.queue.take(share).map_err(Error::Serve)?;
            if work.is_empty() {
                break;
            }
            let careful = work.iter().any(|work| work.deaths > 0);
            let ranges = work.iter().map(|work| work.range.clone()).collect();
            let seat = self.seats.get_mut(&worker).expect("it has a seat");
            seat.state = SeatState::Busy;
            seat.careful = careful;
            seat.given = work;
            self.pool.tell(worker, &ToWorker::Work { ranges, careful });
        }
        let hungry = self.queue.is_empty()
            && (self.seats.values()).any(|seat| seat.state == SeatState::Idle);
        if hungry {
            self.ask_for_work();
        }
        Ok(())
    }

    /// Asks the one who has most.
    fn ask_for_work(&mut self) {
        let asked = self.seats.values().any(|seat| seat.asked_to_give);
        let rich = (self.seats.iter_mut())
            .filter(|(_, seat)| seat.state == SeatState::Busy && !seat.careful)
            .max_by_key(|(_, seat)| seat.waiting);
        if let Some((&worker, seat)) = rich
            && !asked
        {
            seat.asked_to_give = true;
            self.pool.tell(worker, &ToWorker::Give);
        }
    }

    fn hear(&mut self, worker: WorkerId, message: FromWorker) -> Result<(), Error> {
        let Some(seat) = self.seats.get_mut(&worker) else {
            return Ok(());
        };
        match message {
            FromWorker::Ready => seat.state = SeatState::Idle,
            FromWorker::Refused(reason) => return Err(Error::Worker(reason)),
            FromWorker::Progress(progress) => self.note(worker, *progress),
            FromWorker::Unfinished { told, tally } => {
                seat.tally = *tally;
                self.keeper.tell(*told, self.books, None);
            }
        }
        Ok(())
    }

    /// What a worker finished, and what it has open now.
    fn note(&mut self, worker: WorkerId, progress: Progress) {
        let seat = self.seats.get_mut(&worker).expect("it was looked up");
        let most = self.limits.tests;
        self.keeper.tell(progress.told, self.books, most);
        for note in progress.notes {
            self.keeper.note(&note);
        }
        let deaths = u8::from(seat.careful);
        // From the first time on it knows what it was given under numbers of its own.
        let given = std::mem::take(&mut seat.given);
        self.entry
            .closed
            .extend(given.iter().map(|work| work.number));
        for number in &progress.closed {
            if let Some(work) = seat.open.remove(number) {
                self.entry.closed.push(work.number);
            }
        }
        let mut open = |range: Packed, deaths: u8| {
            self.last_number += 1;
            self.entry.opened.push((self.last_number, range.clone()));
            Work {
                number: self.last_number,
                range,
                deaths,
            }
        };
        for (number, range) in progress.opened {
            seat.open.insert(number, open(range, deaths));
        }
        let gifts: Vec<Work> = (progress.given.into_iter())
            .map(|range| open(range, deaths))
            .collect();
        gifts.into_iter().for_each(|work| self.queue.push(work));
        let found = progress.contradictions.into_iter();
        self.found.extend(found.map(|it| (worker, it)));
        seat.tally = progress.tally;
        seat.waiting = progress.waiting;
        seat.asked_to_give = false;
        match progress.next {
            Next::Works => {}
            Next::Waits => {
                self.entry
                    .closed
                    .extend(seat.open.drain().map(|(_, work)| work.number));
                if seat.state == SeatState::Busy {
                    seat.state = SeatState::Idle;
                }
            }
            Next::Leaves => {
                seat.state = SeatState::Leaving;
                for (_, work) in seat.open.drain() {
                    self.queue.push(work);
                }
            }
        }
    }

    /// A worker is gone. What it had open is for others.
    fn lose(&mut self, worker: WorkerId, how: &str) {
        let Some(mut seat) = self.seats.remove(&worker) else {
            return;
        };
        self.before.add(&seat.tally);
        let had = seat
            .given
            .drain(..)
            .chain(seat.open.drain().map(|(_, work)| work));
        let had: Vec<Work> = had.collect();
        let alone = had.len() == 1;
        for work in had {
            let deaths = work.deaths + 1;
            match alone && deaths > DEATHS {
                true => self.report_killer(&work, how),
                false => self.queue.push(Work { deaths, ..work }),
            }
        }
    }

    /// Workers die of this range: that is an error of the tool.
    fn report_killer(&mut self, work: &Work, how: &str) {
        self.entry.closed.push(work.number);
        self.before.counts.errors += 1;
        let message = format!("{} worker processes died on this path: {how}", DEATHS + 1);
        let finding = Finding {
            kind: ErrorKind::Internal,
            message,
            function: String::new(),
            file: String::new(),
            line: 0,
            test: String::new(),
            times: None,
        };
        self.keeper.tell_killer(&work.range, finding, self.books);
    }

    /// Tells workers what others came to know, now and then.
    fn spread_news(&mut self) {
        if self.news_at.elapsed() < NEWS_EVERY {
            return;
        }
        self.news_at = Instant::now();
        let found = std::mem::take(&mut self.found);
        let covered = self.tally().covered;
        if covered == self.covered && found.is_empty() {
            return;
        }
        self.covered.clone_from(&covered);
        let seats = self.seats.iter();
        let busy = seats.filter(|(_, seat)| seat.state == SeatState::Busy);
        for (&worker, _) in busy {
            let elsewhere = found.iter().filter(|(finder, _)| *finder != worker);
            let contradictions = elsewhere.map(|(_, contradiction)| contradiction.clone());
            let news = News {
                covered: covered.clone(),
                contradictions: contradictions.collect(),
            };
            self.pool.tell(worker, &ToWorker::News(news));
        }
    }

    /// Does what whoever watches the run asks for: to wait, to go on, to write down how
    /// far it is.
    fn obey(&mut self) {
        let paused = self.keeper.is_paused();
        if paused != self.paused {
            self.paused = paused;
            let message = if paused {
                ToWorker::Pause
            } else {
                ToWorker::Resume
            };
            for &worker in self.seats.keys() {
                self.pool.tell(worker, &message);
            }
        }
        if self.keeper.wants_dump() {
            self.commit();
            let with_workers = self.seats.values();
            let with_workers = with_workers.flat_map(|seat| seat.open.values().chain(&seat.given));
            let mut open: Vec<Packed> = with_workers.map(|work| work.range.clone()).collect();
            // What cannot be read now is in the journal.
            open.extend(self.queue.ranges().unwrap_or_default());
            let tally = self.tally();
            self.keeper.dump(&open, &tally);
        }
    }

    /// What was counted so far, by all.
    fn tally(&self) -> Tally {
        let mut tally = self.before.clone();
        for seat in self.seats.values() {
            tally.add(&seat.tally);
        }
        tally
    }

    /// How the run ends, if it does so now.
    fn limit(&mut self) -> Option<Outcome> {
        if self.stop.is_set() {
            return self.stop.cause().map(Outcome::from);
        }
        let waiting: u64 = self.seats.values().map(|seat| seat.waiting).sum();
        let tally = self.tally();
        let spent = Spent {
            instructions: tally.counts.instructions,
            forks: tally.forks,
            tests: self.books.tests,
            errors: tally.counts.errors,
            states: waiting + self.queue.len() as u64,
        };
        let workers = self.seats.iter();
        let workers: Vec<Worker> = workers.map(|(&number, seat)| seat.shown(number)).collect();
        let shown = self.keeper.show(&tally, spent.states, workers);
        let limit = self.limits.reached(&spent).map(Outcome::Limit);
        limit.or(shown)
    }

    /// Puts what is finished and what is open on disk.
    fn commit(&mut self) {
        let entry = std::mem::take(&mut self.entry);
        let tally = self.tally();
        self.due = self.keeper.commit(entry, &tally);
    }

    /// Ends the workers, with tests of what they did not finish.
    fn end(&mut self, outcome: Outcome) {
        for &worker in self.seats.keys() {
            self.pool.tell(worker, &ToWorker::Stop);
        }
        let until = Instant::now() + GRACE;
        while outcome != Outcome::Complete && !self.seats.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            match self.pool.next(left) {
                Some((worker, Event::Said(message))) => {
                    // What is still finished now is not in the journal; it is found again.
                    let _ = self.hear(worker, message);
                }
                Some((worker, Event::Gone(_))) => {
                    if let Some(seat) = self.seats.remove(&worker) {
                        self.before.add(&seat.tally);
                    }
                }
                None => break,
            }
        }
        self.before.counts.unfinished += self.queue.len() as u64;
        self.pool.end();
    }
}

impl Seat {
    /// The worker, for people.
    fn shown(&self, number: WorkerId) -> Worker {
        let state = match self.state {
            SeatState::Starting => "starting",
            SeatState::Idle => "idle",
            SeatState::Busy => Worker::BUSY,
            SeatState::Leaving => "leaving",
        };
        let counts = &self.tally.counts;
        Worker {
            number,
            state: state.to_owned(),
            paths: counts.completed + counts.errors,
            waiting: self.waiting,
        }
    }

    /// Whether nothing is left to it.
    fn is_empty(&self) -> bool {
        self.open.is_empty() && self.given.is_empty() && self.state != SeatState::Busy
    }
}
