//! Stage one: an invariant explored, and the objects that satisfy it kept.
//!
//! Until the suite is written whole, what it takes to go on after a kill is in a directory
//! beside it, the [`Part`].

use super::fingerprint;
use super::method::session;
use super::suites::{function, must_take, write_suite};
use crate::error::Error;
use crate::live::{LivePage, Snapshot};
use crate::ranges::journal::Interrupted;
use crate::ranges::{self, Entry, Finished, Journal, Keeper, Packed};
use crate::session_error;
use crate::told::{Found, Told};
use crate::ui::progress::Progress as ProgressLine;
use crate::{live, room, run};
use ::report::document::Worker;
use base::{OneLine, Stop};
use engine::policy::staged::{StagedArgument, Staging};
use engine::{
    Books, Observer, OpenRanges, Outcome as Explored, PathEnd, Prepared, Progress, Start, Tally,
};
use machine::End;
use program::{FunctionId, Program};
use staged::{Header, Solution, Suite};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;
use suite::{
    Curve, Finding, Incomplete, InputTypes, OutputDirectory, Recipe, RunReport, SuiteError,
};

/// What came of exploring an invariant.
pub struct Built {
    pub suite: Suite,
    pub explored: u64,
    /// Paths that were not followed to their end.
    pub cut_off: u64,
    /// What else was left out.
    pub incomplete: Vec<Incomplete>,
    pub queries: u64,
    pub seconds: f64,
    /// Errors of the invariant itself.
    pub failures: Vec<String>,
    /// Whether nothing is left to go on with.
    pub is_over: bool,
    pub part: Option<Part>,
}

/// How an invariant is explored in other processes too, and after a kill.
pub struct Sharing<'a> {
    pub part: Part,
    /// What was found before.
    pub interrupted: Option<&'a Interrupted>,
}

/// The directory of a suite that is not whole yet. It is made when there is something to
/// put into it.
pub struct Part {
    path: PathBuf,
    directory: Option<OutputDirectory>,
}

impl Part {
    /// That of a suite in this file. What another build has left there is taken away,
    /// unless it goes on.
    pub fn beside(suite: &Path) -> Result<Part, Error> {
        let mut path = suite.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        if path.is_dir() {
            drop(OutputDirectory::take_up(&path)?);
            eprintln!(
                "note: {}: what an interrupted build has left is taken away; `everypath run --resume` would have gone on with it",
                path.one_line()
            );
            std::fs::remove_dir_all(&path).map_err(Error::writing(&path))?;
        }
        Ok(Part {
            path,
            directory: None,
        })
    }

    /// One that is there.
    pub fn resumed(path: &Path) -> Result<Part, Error> {
        Ok(Part {
            path: path.to_owned(),
            directory: Some(OutputDirectory::take_up(path)?),
        })
    }

    /// Takes the directory away, or says how to go on with it.
    pub fn leave(self, is_over: bool) -> Result<(), Error> {
        let Some(mut directory) = self.directory else {
            return Ok(());
        };
        if is_over {
            // Records may still be on their way to the journal; none comes after this.
            directory.remove_journal()?;
            return std::fs::remove_dir_all(&self.path).map_err(Error::writing(&self.path));
        }
        eprintln!(
            "note: go on with `everypath run --resume {}`",
            self.path.one_line()
        );
        Ok(())
    }

    fn write(
        &mut self,
        program: &Program,
        recipe: &Recipe,
        stop: &Stop,
        records: Vec<Vec<u8>>,
    ) -> Result<(), SuiteError> {
        let directory = match &mut self.directory {
            Some(directory) => directory,
            None => {
                let mut directory = OutputDirectory::create_at(&self.path)?;
                directory.ask_for_room(room::wait(stop));
                directory.write_begun(recipe.clone())?;
                directory.write_program(&program.bitcode)?;
                self.directory.insert(directory)
            }
        };
        directory.write_journal(records)
    }
}

/// The objects of a header, looked for.
pub fn staging_of(header: &Header, invariant: FunctionId, budget: u64) -> Staging {
    Staging {
        arguments: vec![StagedArgument {
            type_name: header.object.clone(),
            invariant,
            bounds: Rc::new(header.bounds.clone()),
            suite: String::new(),
            solutions: None,
        }],
        invariant_budget: Some(budget),
        ..Staging::default()
    }
}

/// Looks for the objects that satisfy the header's invariant in its bounds.
pub fn first_stage(
    arguments: &run::Arguments,
    stop: &Stop,
    program: &Program,
    mut header: Header,
    page: &mut Option<LivePage>,
    sharing: Option<Sharing<'_>>,
) -> Result<Built, Error> {
    arguments.refuse_for_objects()?;
    let invariant = function(program, &header.invariant)?;
    must_take(program, invariant, &header.object)?;
    header.code = Some(fingerprint::of(program, invariant));
    let staging = staging_of(&header, invariant, arguments.staged.invariant_budget);
    let session = session(arguments, stop)?;
    let mut prepared = session
        .prepare(program, Start::Objects(staging))
        .map_err(|error| session_error::explained(error, Some(program)))?;
    let started = Instant::now();
    let mut collector = Collector::new(program, &mut prepared, arguments, started);
    collector.watched = page.take().map(|page| Watched {
        page,
        header: header.clone(),
        curve: Curve::default(),
    });
    let mut open = None;
    if let Some(Sharing { part, interrupted }) = sharing {
        open = collector.share(part, interrupted, arguments, &prepared)?;
    }
    let (means, limits) = (arguments.means(), run::limits(arguments));
    let mut books = Books::default();
    let followed = ranges::follow(
        &means,
        &mut prepared,
        open,
        &mut books,
        limits,
        &mut collector,
    );
    collector.progress.clear();
    *page = collector.watched.take().map(|watched| watched.page);
    let (outcome, tally) = followed?;
    if let Some(failure) = collector.failure {
        return Err(failure);
    }
    let report = prepared.report(outcome, books, &tally);
    let cut_off = report.paths.unfinished + report.paths.unknown;
    header.complete = report.outcome == suite::Outcome::Complete && cut_off == 0;
    let found = collector.found.in_order(collector.is_shared);
    Ok(Built {
        suite: Suite {
            header,
            solutions: found.solutions,
        },
        explored: report.stage.map_or(0, |stage| stage.objects.explored),
        cut_off,
        queries: report.solver.queries,
        incomplete: report.incomplete,
        seconds: started.elapsed().as_secs_f64(),
        failures: found.failures,
        is_over: report.outcome.is_over(),
        part: collector.part,
    })
}

/// Keeps the objects of paths on which the invariant held.
struct Collector<'p> {
    program: &'p Program,
    recipe: Recipe,
    stop: Stop,
    found: Found,
    /// How many of them the journal has, and how many errors.
    written: (usize, usize),
    /// Whether they come from several processes, in no order.
    is_shared: bool,
    journal: Option<Journal>,
    before: Tally,
    part: Option<Part>,
    /// The first thing that could not be written.
    failure: Option<Error>,
    started: Instant,
    progress: ProgressLine,
    watched: Option<Watched>,
}

impl<'p> Collector<'p> {
    fn new(
        program: &'p Program,
        prepared: &mut Prepared<'_>,
        arguments: &run::Arguments,
        started: Instant,
    ) -> Collector<'p> {
        Collector {
            program,
            recipe: prepared.recipe(),
            stop: prepared.machine().options.stop.clone(),
            found: Found::default(),
            written: (0, 0),
            is_shared: false,
            journal: None,
            before: Tally::default(),
            part: None,
            failure: None,
            started,
            progress: ProgressLine::new(started, arguments.max_time),
            watched: None,
        }
    }

    /// Lets others take part, and goes on with what they had open; none for all.
    fn share(
        &mut self,
        mut part: Part,
        interrupted: Option<&Interrupted>,
        arguments: &run::Arguments,
        prepared: &Prepared<'_>,
    ) -> Result<Option<Vec<engine::Range>>, Error> {
        let mut journal = None;
        let mut open = None;
        if let Some(run) = interrupted {
            let mut resumed = Journal::resumed(run);
            if let Some(directory) = &mut part.directory {
                directory.replace_journal(&resumed.first_records(run))?;
            }
            open = Some(run.ranges(&part.path)?);
            journal = Some(resumed);
            self.found = run.objects.clone();
            self.written = self.found.counts();
            self.before = run.tally.clone();
            self.is_shared = true;
        }
        if arguments.has_ranges(prepared) {
            self.journal = ranges::journal(&arguments.means(), &self.program.bitcode, journal);
            self.part = Some(part);
        }
        Ok(open)
    }

    /// What was counted in all, with an exploration that is this far.
    fn tally(&self, progress: &Progress<'_, '_>) -> Tally {
        let mut tally = self.before.clone();
        tally.add(&Tally::of(progress.machine, progress.counts));
        tally
    }

    /// Shows how far it is.
    fn draw(&mut self, explored: u64, waiting: u64) {
        self.progress.show(|_| {
            let valid = self.found.solutions.len();
            format!("{valid} valid of {explored} paths done, {waiting} waiting")
        });
    }

    /// Tells pages how far it is.
    fn publish(&mut self, tally: &Tally, waiting: u64, workers: Vec<Worker>) {
        let Some(watched) = &mut self.watched else {
            return;
        };
        let begun = RunReport::begun(self.recipe.clone());
        let (run, coverage) = live::so_far(self.program, begun, tally, self.started);
        watched.page.publish(Snapshot {
            run,
            coverage,
            curve: watched.curve.samples(),
            costs: &tally.costs,
            calls: &tally.calls,
            waiting,
            workers,
        });
    }

    fn is_publishing_due(&self) -> bool {
        let watched = self.watched.as_ref();
        watched.is_some_and(|watched| watched.page.link.is_due())
    }
}

/// The page on which the exploration is shown, and what it says from the start.
struct Watched {
    page: LivePage,
    header: Header,
    curve: Curve,
}

impl Watched {
    /// Writes what was found so far to a suite of its own.
    fn dump(&mut self, solutions: &[Solution]) {
        let suite = Suite {
            header: self.header.clone(),
            solutions: solutions.to_vec(),
        };
        let path = self.page.next_dump();
        let written = write_suite(&path, &suite);
        self.page.dumped(written.map(|()| path));
    }
}

impl Observer for Collector<'_> {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        self.found.ended(path, end);
    }

    fn note(&mut self, note: &str) {
        self.progress.clear();
        eprintln!("note: {note}");
    }

    fn progress(&mut self, progress: &Progress<'_, '_>) -> Option<Explored> {
        let waiting = progress.waiting as u64;
        self.draw(progress.counts.explored(), waiting);
        let seconds = self.started.elapsed().as_secs_f64();
        if let Some(watched) = &mut self.watched
            && watched.curve.is_due(seconds)
        {
            watched.curve.add(progress.sample(seconds));
        }
        if self.is_publishing_due() {
            self.publish(&self.tally(progress), waiting, Vec::new());
        }
        if let Some(watched) = &mut self.watched {
            watched.page.link.hold();
            if watched.page.wants_dump() {
                watched.dump(&self.found.solutions);
            }
        }
        if self.failure.is_some() {
            return Some(Explored::Interrupted);
        }
        let journal = self.journal.as_mut();
        let gives_away = journal.is_some_and(|journal| journal.gives_away(waiting < 2));
        gives_away.then_some(Explored::GivenAway)
    }

    fn wants_ranges(&mut self) -> bool {
        self.journal.as_ref().is_some_and(Journal::is_due)
    }

    fn ranges(&mut self, change: OpenRanges, progress: &Progress<'_, '_>) {
        if let Some(journal) = &mut self.journal {
            let entry = journal.entry(change);
            let tally = self.tally(progress);
            self.commit(entry, &tally);
        }
    }
}

impl Keeper for Collector<'_> {
    fn before(&self) -> &Tally {
        &self.before
    }

    fn folder(&self) -> &Path {
        let part = self.part.as_ref().and_then(|part| part.path.parent());
        part.filter(|it| !it.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
    }

    fn take_open(&mut self) -> (BTreeMap<u64, Packed>, u64) {
        let journal = self.journal.as_mut();
        journal.map(Journal::take_open).unwrap_or_default()
    }

    fn tell(&mut self, told: Told, _: &mut Books, _: Option<u64>) {
        self.is_shared = true;
        self.found.add(told.objects);
    }

    fn tell_killer(&mut self, _: &Packed, finding: Finding, _: &mut Books) {
        let (kind, message) = (finding.kind, finding.message);
        self.found
            .failures
            .push(format!("error: {kind}: {message}"));
    }

    fn commit(&mut self, entry: Entry, tally: &Tally) -> Instant {
        let begun = Instant::now();
        let (Some(journal), Some(part)) = (&mut self.journal, &mut self.part) else {
            return begun;
        };
        let finished = Finished {
            tests: 0,
            inputs: &InputTypes::default(),
            errors: &[],
            objects: self.found.since(self.written),
        };
        self.written = self.found.counts();
        let records = journal.records(entry, tally, finished);
        let written = part.write(self.program, &self.recipe, &self.stop, records);
        let due = journal.written(begun);
        if let Err(error) = written {
            self.failure.get_or_insert(error.into());
        }
        due
    }

    fn show(&mut self, tally: &Tally, waiting: u64, workers: Vec<Worker>) -> Option<Explored> {
        self.draw(tally.counts.explored(), waiting);
        let seconds = self.started.elapsed().as_secs_f64();
        if let Some(watched) = &mut self.watched
            && watched.curve.is_due(seconds)
        {
            watched.curve.add(tally.sample(seconds, waiting));
        }
        if self.is_publishing_due() {
            self.publish(tally, waiting, workers);
        }
        self.failure.is_some().then_some(Explored::Interrupted)
    }

    fn page(&self) -> Option<&LivePage> {
        self.watched.as_ref().map(|watched| &watched.page)
    }

    fn dump(&mut self, _: &[Packed], _: &Tally) {
        if let Some(watched) = &mut self.watched {
            watched.dump(&self.found.solutions);
        }
    }
}
