//! The line between a worker and its coordinator.

use super::protocol::{FromWorker, Packed, ToWorker, receive, send};
use base::{Cause, Stop};
use engine::News;
use serde::de::DeserializeOwned;
use std::io::{self, BufWriter, Stdin, Stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How often a worker tells how far it is, unless telling takes long.
const TELL_EVERY: Duration = Duration::from_millis(300);
/// How much longer a worker works than it tells.
const WORK_TO_TELL: u32 = 20;
/// How often it looks how much memory it has.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What a worker is asked while it is busy.
#[derive(Default)]
struct Asked {
    /// Others want some of the work.
    to_give: AtomicBool,
    to_pause: AtomicBool,
}

/// Hears what the coordinator wants, and tells it what happens.
pub struct Line {
    output: BufWriter<Stdout>,
    messages: Receiver<ToWorker>,
    asked: Arc<Asked>,
    /// Set when the coordinator says that it is over, or is gone.
    stop: Stop,
    /// How much memory the worker may have.
    memory: Option<u64>,
    looked: Instant,
    is_full: bool,
    careful: bool,
    /// What others came to know, and this one does not know yet.
    news: Option<News>,
    /// When to tell again.
    due: Instant,
    failure: Option<io::Error>,
}

impl Line {
    pub fn new(input: Stdin, output: BufWriter<Stdout>, stop: Stop, memory: Option<u64>) -> Line {
        let asked = Arc::new(Asked::default());
        Line {
            output,
            messages: listen(input, stop.clone(), asked.clone()),
            asked,
            stop,
            memory,
            looked: Instant::now(),
            is_full: false,
            careful: false,
            news: None,
            due: Instant::now(),
            failure: None,
        }
    }

    /// Waits for work; none when there is no more.
    pub fn next_work<R: DeserializeOwned>(&mut self) -> Option<Vec<R>> {
        // Who looked for news may have met the message that it is over.
        while !self.stop.is_set() {
            match self.messages.recv().ok()? {
                ToWorker::Work { ranges, careful } => {
                    self.careful = careful;
                    self.asked.to_give.store(false, Relaxed);
                    self.due = Instant::now() + TELL_EVERY;
                    return ranges.iter().map(Packed::unpack).collect();
                }
                ToWorker::News(news) => self.hear(news),
                ToWorker::Begin { .. } | ToWorker::Give | ToWorker::Pause | ToWorker::Resume => {}
                ToWorker::Stop => return None,
            }
        }
        None
    }

    /// Whether one of the paths at hand may kill the worker.
    pub fn is_careful(&self) -> bool {
        self.careful
    }

    /// Keeps what others came to know until it is asked for.
    fn hear(&mut self, news: News) {
        let known = self.news.get_or_insert_default();
        known.covered = news.covered;
        known.contradictions.extend(news.contradictions);
    }

    /// What others came to know since the last time.
    pub fn take_news(&mut self) -> Option<News> {
        while let Ok(message) = self.messages.try_recv() {
            if let ToWorker::News(news) = message {
                self.hear(news);
            }
        }
        self.news.take()
    }

    /// Tells the coordinator; a worker that nobody hears stops.
    pub fn send(&mut self, message: &FromWorker) {
        let begun = Instant::now();
        if let Err(failure) = send(&mut self.output, message) {
            self.failure.get_or_insert(failure);
            self.stop.set(Cause::Interrupt);
        }
        let rest = (begun.elapsed() * WORK_TO_TELL).max(TELL_EVERY);
        self.due = Instant::now() + rest;
    }

    /// Whether it is time to tell how far the work is.
    pub fn is_due(&self) -> bool {
        self.careful || Instant::now() >= self.due
    }

    /// Whether others want some of the work.
    pub fn takes_gifts(&self) -> bool {
        self.asked.to_give.swap(false, Relaxed)
    }

    /// Waits as long as the coordinator wants that.
    pub fn hold(&self) {
        while self.asked.to_pause.load(Relaxed) && !self.stop.is_set() {
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Whether the process has more memory than it may, and has to leave.
    pub fn looks_full(&mut self) -> bool {
        if let Some(most) = self.memory
            && self.looked.elapsed() >= LOOK_EVERY
        {
            self.looked = Instant::now();
            self.is_full = base::memory_in_use() > most;
        }
        self.is_full
    }

    /// Whether it was found so.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Why the coordinator could not be told, if it could not.
    pub fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
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
