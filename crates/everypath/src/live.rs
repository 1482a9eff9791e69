//! `--live`: the page of a run in the browser while the run goes on.
//!
//! Whoever explores publishes how far it is a few times a second, waits while the page says
//! so, and writes a dump when it is asked to. The documents of the page are made on the
//! server's threads, from what was published last and the newest tests: a run may have written
//! gigabytes of them, which nobody can read again every other second.

mod follower;

use crate::error::Error;
use crate::output::quoted;
use crate::report::{document, open};
use ::report::document::{Document, ErrorReport, Live, Phase, Test, Tree, Worker};
use ::report::live::{MakeDocument, Server};
use base::{OneLine, Stop};
use engine::Tally;
use follower::Follower;
use program::Program;
use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use suite::lcov::Coverage;
use suite::{
    CallCosts, End, Finding, InputTypes, LineCost, Profile, Recipe, RunDirectory, RunReport,
    Sample, TestCase,
};

/// How often pages hear how far a run is.
const EVERY: Duration = Duration::from_millis(250);
/// How long a paused run sleeps before it looks at its stop token.
const NAP: Duration = Duration::from_millis(50);
/// Lines that are shown as expensive while a run goes on.
const MOST_COSTS: usize = 20;
/// Errors that are shown while a run goes on, each once.
const MOST_ERRORS: usize = 100;
/// Tests that are shown while a run goes on, in the list and in the tree: the first.
const MOST_TESTS: usize = 5000;
/// Tests with errors that are shown after those.
const MOST_FAILING: usize = 1000;
/// How long the tests of a run that ended by itself, or by the stop button, are followed for
/// the pages that are open.
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
    /// The page of what writes this directory, if it is wanted. The stop button sets the
    /// token.
    pub fn page(self, directory: &Path, stop: &Stop) -> Result<Option<LivePage>, Error> {
        match self.live {
            true => LivePage::start(directory, stop).map(Some),
            false => Ok(None),
        }
    }

    /// The same of work that writes one file.
    pub fn page_of_file(self, file: &Path, stop: &Stop) -> Result<Option<LivePage>, Error> {
        let mut page = self.page(file, stop)?;
        if let Some(page) = &mut page {
            page.is_of_file = true;
        }
        Ok(page)
    }
}

/// How far a run is.
pub struct Snapshot<'a> {
    pub run: RunReport,
    pub coverage: Coverage,
    pub curve: &'a [Sample],
    pub costs: &'a [LineCost],
    pub calls: &'a CallCosts,
    pub waiting: u64,
    pub workers: Vec<Worker>,
}

/// What a run says of itself so far that was begun so, and what it covered. Pages are told
/// of errors as they are found.
pub fn so_far(
    program: &Program,
    begun: RunReport,
    tally: &Tally,
    started: Instant,
) -> (RunReport, Coverage) {
    let mut reached = machine::Coverage::new(program);
    reached.absorb(&tally.covered);
    let (info, summary) = engine::report::coverage(program, &reached);
    let run = RunReport {
        paths: engine::report::paths(&tally.counts),
        coverage: summary,
        instructions: tally.counts.instructions,
        forks: tally.forks,
        solver: tally.solver,
        external: tally.external.clone(),
        seconds: started.elapsed().as_secs_f64(),
        peak_memory_bytes: engine::report::peak_memory(),
        inputs: tally.inputs.clone(),
        ..begun
    };
    (run, info)
}

/// What documents are made of, beside the last snapshot.
#[derive(Default)]
struct Known {
    /// The directory of the run.
    directory: PathBuf,
    /// What was done before the run at hand.
    notes: Vec<String>,
    coverage: Coverage,
    calls: CallCosts,
    /// What inputs are, as far as is known.
    types: InputTypes,
    tests: Vec<Test>,
    /// The tree of tests that were followed, and where in it they end.
    tree: Option<Tree>,
    nodes: HashMap<String, u32>,
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

    /// Whether somebody wants to have on disk how far the work is, for whoever is about to
    /// do so.
    pub fn take_dump(&self) -> bool {
        self.server.take_dump()
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
    is_of_file: bool,
    /// Who makes the tree, where the tests can be followed.
    follower: Option<Follower>,
}

impl LivePage {
    /// Serves the page of the run that writes this directory, and says where. The stop
    /// button sets the token.
    pub fn start(directory: &Path, stop: &Stop) -> Result<LivePage, Error> {
        let known = Arc::new(Mutex::new(Known {
            directory: directory.to_owned(),
            ..Known::default()
        }));
        let shared = known.clone();
        let make = move |live: Live| document_of(&lock(&shared), live);
        Ok(LivePage {
            link: Link::start(stop, Box::new(make))?,
            known,
            directory: directory.to_owned(),
            dumps: Vec::new(),
            is_of_file: false,
            follower: None,
        })
    }

    /// Shows the run of this program, which writes this directory: the first, or the next of
    /// several. The errors of all of them stay.
    pub fn show_run(&mut self, directory: &Path, recipe: &Recipe) {
        directory.clone_into(&mut self.directory);
        self.is_of_file = false;
        let mut known = lock(&self.known);
        let (notes, errors) = (
            std::mem::take(&mut known.notes),
            std::mem::take(&mut known.errors),
        );
        *known = Known {
            directory: directory.to_owned(),
            notes,
            errors,
            ..Known::default()
        };
        self.follower = Some(Follower::new(recipe.clone()));
    }

    /// Notes what came of one of several runs.
    pub fn note(&self, note: String) {
        lock(&self.known).notes.push(note);
    }

    /// Shows how far the run is.
    pub fn publish(&mut self, snapshot: Snapshot<'_>) {
        let Snapshot {
            run,
            coverage,
            curve,
            costs,
            calls,
            waiting,
            workers,
        } = snapshot;
        let mut known = lock(&self.known);
        known.coverage = coverage;
        known.calls.clone_from(calls);
        known.types.clone_from(&run.inputs);
        drop(known);
        if let Some(follower) = &mut self.follower
            && self.link.server.is_watched()
        {
            follower.begin(&self.known);
        }
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

    /// Shows a test that was written, if there is room for it.
    pub fn tell_test(&mut self, name: &str, case: &TestCase, end: Option<End>) {
        let mut known = lock(&self.known);
        let room = match end {
            Some(End::Error(_)) => MOST_TESTS + MOST_FAILING,
            Some(End::Exit(_)) | None => MOST_TESTS,
        };
        if known.tests.len() >= room {
            return;
        }
        if let Some(follower) = &self.follower {
            follower.take(name, case);
        }
        let test = Test {
            name: name.to_owned(),
            end: end.map(|end| end.to_string()),
            inputs: document::brief(case, &known.types),
            node: None,
        };
        known.tests.push(test);
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
        let name = format!("dump-{}", self.dumps.len() + 1);
        match self.is_of_file {
            true => {
                let mut path = self.directory.clone().into_os_string();
                path.push(format!(".{name}"));
                path.into()
            }
            false => self.directory.join(name),
        }
    }

    /// Says what became of the dump that was asked for.
    pub fn dumped(&mut self, written: Result<PathBuf, Error>) {
        self.link.server.take_dump();
        self.dumps.push(match written {
            Ok(path) => path.one_line().into_owned(),
            Err(error) => error.to_string(),
        });
        // The page is told at once.
        self.link.next = Instant::now();
    }

    /// Gives pages that are open the report of the run, which is over. There is no time to
    /// follow its tests where a limit or Ctrl-C ended it: pages keep what they were shown.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.link.server.must_end_at_once() {
            let report = format!("everypath report {}", quoted(&self.directory));
            self.note(format!(
                "The run was stopped, and this is what was shown last: all of it is in `{report}`."
            ));
            let shown = self.link.server.shown();
            let report = RunReport::read(&self.directory.join("run.json")).ok();
            return self.finish_with(Live {
                run: report.or(shown.run),
                ..shown
            });
        }
        // The report has the whole tree; nobody waits for this one any more.
        self.follower = None;
        self.link.finish(|| {
            // The run's own token is set where the page or a limit ended the run.
            let stop = Stop::new(Some(LAST_WORDS), None);
            let directory = RunDirectory::open(&self.directory)?;
            document::whole(&self.directory, &directory, &stop)
        })
    }

    /// Gives pages that are open what was shown last, where several runs are over or one
    /// that leaves no directory.
    pub fn finish_as_shown(self) -> Result<(), Error> {
        let last = self.link.server.shown();
        self.finish_with(last)
    }

    /// Gives pages that are open what is known, as that of a run that is over.
    fn finish_with(self, last: Live) -> Result<(), Error> {
        let known = self.known;
        self.link.finish(|| {
            Ok(Document {
                live: None,
                ..document_of(&lock(&known), last)
            })
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
fn document_of(known: &Known, live: Live) -> Document {
    let path = &known.directory;
    let run = live.run.clone().unwrap_or_else(RunReport::unknown);
    let profile = Profile {
        costs: live.costs.clone(),
        calls: known.calls.clone(),
        curve: live.curve.clone(),
    };
    let without_tests = RunDirectory {
        path: path.to_owned(),
        tests: Vec::new(),
        torn: Vec::new(),
        report: None,
    };
    let tests = known.tests.iter().map(|test| Test {
        node: known.nodes.get(&test.name).copied(),
        ..test.clone()
    });
    Document {
        tests: tests.collect(),
        tree: known.tree.clone(),
        notes: known.notes.clone(),
        errors: known.errors.clone(),
        live: Some(live),
        ..document::unfollowed(path, &without_tests, &run, &known.coverage, profile)
    }
}
