//! `--live`: the page of a run in the browser while the run goes on.
//!
//! Whoever explores publishes how far it is a few times a second, waits while the page says
//! so, and writes a dump when it is asked to. The documents of the page are made on the
//! server's threads, from what was published last and the newest tests: a run may have written
//! gigabytes of them, which nobody can read again every other second.

use crate::error::Error;
use crate::report::{document, open};
use ::report::document::{Document, ErrorReport, Live, Phase, Test, Worker};
use ::report::live::{MakeDocument, Server};
use base::Stop;
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use suite::lcov::Coverage;
use suite::{End, Finding, LineCost, Profile, RunDirectory, RunReport, Sample, TestCase};

/// How often pages hear how far a run is.
const EVERY: Duration = Duration::from_millis(250);
/// How long a paused run sleeps before it looks at its stop token.
const NAP: Duration = Duration::from_millis(50);
/// Lines that are shown as expensive while a run goes on.
const MOST_COSTS: usize = 20;
/// Errors that are shown while a run goes on, each once.
const MOST_ERRORS: usize = 100;
/// Tests that are shown while a run goes on, the newest.
const MOST_TESTS: usize = 1000;
/// How long the tests of a run that is over are followed for the pages that are open.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Whether a run is to be seen while it goes on.
#[derive(clap::Args, Clone, Copy, Default)]
pub struct LiveArguments {
    /// Shows the run in the browser while it goes on, and lets it be paused and stopped
    /// there. The address is printed; only this machine can reach it.
    #[arg(long)]
    pub live: bool,
}

impl LiveArguments {
    /// Refuses the flag where there is no one run to look at.
    pub fn refuse(self, with: &str) -> Result<(), Error> {
        match self.live {
            true => Err(Error::Usage(format!("--live cannot be used with {with}"))),
            false => Ok(()),
        }
    }
}

/// How far a run is.
pub struct Snapshot<'a> {
    pub run: RunReport,
    pub coverage: Coverage,
    pub curve: &'a [Sample],
    pub costs: &'a [LineCost],
    pub waiting: u64,
    pub workers: Vec<Worker>,
}

/// What documents are made of, beside the last snapshot.
#[derive(Default)]
struct Known {
    coverage: Coverage,
    tests: VecDeque<Test>,
    errors: Vec<ErrorReport>,
}

/// A server of a page, and when to tell it something.
pub struct Link {
    server: Server,
    stop: Stop,
    next: Instant,
}

impl Link {
    /// Serves a page and says where. The stop button sets the token.
    pub fn start(stop: &Stop, make_document: Box<MakeDocument>) -> Result<Link, Error> {
        let server = Server::start(empty(), stop.clone(), make_document).map_err(Error::Live)?;
        let url = server.url();
        eprintln!("live: {url}");
        if std::io::stderr().is_terminal() {
            open(url.as_ref());
        }
        Ok(Link {
            server,
            stop: stop.clone(),
            next: Instant::now(),
        })
    }

    /// Whether it is time to publish.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Shows how far the work is.
    pub fn publish(&mut self, live: Live) {
        self.server.publish(Live {
            time_left: self.stop.time_left().map(|left| left.as_secs_f64()),
            ..live
        });
        self.next = Instant::now() + EVERY;
    }

    pub fn is_paused(&self) -> bool {
        self.server.is_paused() && self.stop.cause().is_none()
    }

    /// Waits while the page says so; a dump is not waited for.
    pub fn hold(&self) {
        while self.is_paused() && !self.server.wants_dump() {
            self.server.wait(NAP);
        }
    }

    /// Gives pages that are open the last document, which is made only if there are any.
    pub fn finish(self, document: impl FnOnce() -> Result<Document, Error>) -> Result<(), Error> {
        if self.server.is_watched() {
            self.server.finish(document()?);
        }
        Ok(())
    }
}

/// The page of a run that goes on.
pub struct LivePage {
    pub link: Link,
    known: Arc<Mutex<Known>>,
    directory: PathBuf,
    dumps: Vec<String>,
}

impl LivePage {
    /// Serves the page of the run that writes this directory, and says where. The stop
    /// button sets the token.
    pub fn start(directory: &Path, stop: &Stop) -> Result<LivePage, Error> {
        let known = Arc::new(Mutex::new(Known::default()));
        let (shared, path) = (known.clone(), directory.to_owned());
        let make = move |live: Live| document_of(&path, &lock(&shared), live);
        Ok(LivePage {
            link: Link::start(stop, Box::new(make))?,
            known,
            directory: directory.to_owned(),
            dumps: Vec::new(),
        })
    }

    /// Shows how far the run is.
    pub fn publish(&mut self, snapshot: Snapshot<'_>) {
        let Snapshot {
            run,
            coverage,
            curve,
            costs,
            waiting,
            workers,
        } = snapshot;
        lock(&self.known).coverage = coverage;
        self.link.publish(Live {
            run: Some(run),
            curve: curve.to_vec(),
            costs: costs.iter().take(MOST_COSTS).cloned().collect(),
            waiting,
            workers,
            dumps: self.dumps.clone(),
            ..empty()
        });
    }

    /// Shows a test that was written.
    pub fn tell_test(&self, name: &str, case: &TestCase, end: Option<End>) {
        let mut known = lock(&self.known);
        if known.tests.len() == MOST_TESTS {
            known.tests.pop_front();
        }
        known.tests.push_back(Test {
            name: name.to_owned(),
            end: end.map(|end| end.to_string()),
            inputs: document::brief(case, &suite::InputTypes::default()),
            node: None,
        });
    }

    /// Shows an error that was found, with what a person is told of it.
    pub fn tell_error(&self, finding: &Finding, text: &str) {
        let mut known = lock(&self.known);
        let same = |error: &&mut ErrorReport| error.finding.identity() == finding.identity();
        if let Some(error) = known.errors.iter_mut().find(same) {
            error.tests += 1;
        } else if known.errors.len() < MOST_ERRORS {
            known.errors.push(ErrorReport {
                finding: finding.clone(),
                tests: 1,
                stack: Vec::new(),
                input: text.to_owned(),
                replay: document::command_in(text).unwrap_or_default(),
                pictures: Vec::new(),
            });
        }
    }

    pub fn wants_dump(&self) -> bool {
        self.link.server.wants_dump()
    }

    /// Where the next dump goes.
    pub fn next_dump(&self) -> PathBuf {
        self.directory
            .join(format!("dump-{}", self.dumps.len() + 1))
    }

    /// Says what became of the dump that was asked for.
    pub fn dumped(&mut self, written: Result<PathBuf, Error>) {
        self.link.server.take_dump();
        self.dumps.push(match written {
            Ok(path) => path.display().to_string(),
            Err(error) => error.to_string(),
        });
        // The page is told at once.
        self.link.next = Instant::now();
    }

    /// Gives pages that are open the report of the run, which is over.
    pub fn finish(self) -> Result<(), Error> {
        self.link.finish(|| {
            // The run's own token is set where the page or a limit ended the run.
            let stop = Stop::new(Some(LAST_WORDS), None);
            let directory = RunDirectory::open(&self.directory)?;
            document::whole(&self.directory, &directory, &stop)
        })
    }
}

pub fn empty() -> Live {
    Live {
        phase: Phase::Running,
        run: None,
        curve: Vec::new(),
        costs: Vec::new(),
        waiting: 0,
        workers: Vec::new(),
        time_left: None,
        dumps: Vec::new(),
    }
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The document of a run that goes on.
fn document_of(path: &Path, known: &Known, live: Live) -> Document {
    let run = live.run.clone().unwrap_or_else(RunReport::unknown);
    let profile = Profile {
        costs: live.costs.clone(),
        curve: live.curve.clone(),
    };
    let without_tests = RunDirectory {
        path: path.to_owned(),
        tests: Vec::new(),
        torn: Vec::new(),
        report: None,
    };
    Document {
        tests: known.tests.iter().cloned().collect(),
        errors: known.errors.clone(),
        live: Some(live),
        ..document::unfollowed(path, &without_tests, &run, &known.coverage, profile)
    }
}
