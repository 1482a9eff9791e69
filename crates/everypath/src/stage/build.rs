//! Stage one: an invariant explored, and the objects that satisfy it kept.

use super::fingerprint;
use super::method::{load, session};
use super::suites::{function, must_take, write_suite};
use super::{BuildArguments, with_own_name};
use crate::Outcome;
use crate::error::Error;
use crate::live::{LivePage, Snapshot};
use crate::output::{say, say_json};
use crate::run;
use crate::ui::progress::Progress as ProgressLine;
use base::Stop;
use engine::policy::staged::{
    StagedArgument, Staging, has_valid_objects, object_graph, unbounded_types, value_conditions,
};
use engine::{Observer, Outcome as Explored, PathEnd, Progress, Start, report};
use machine::{End, ErrorKind, Machine, State};
use program::Program;
use staged::{Header, Solution, Suite};
use std::rc::Rc;
use std::time::Instant;
use suite::{Curve, Incomplete, ObjectCounts, RunReport, StageReport};

/// Looks for valid objects; with values, for one of each.
pub fn build(
    arguments: &BuildArguments,
    values: Option<&str>,
    stop: &Stop,
) -> Result<Outcome, Error> {
    let run = &arguments.run;
    if run.staged.method.is_some() || run.staged.post.is_some() || !run.staged.requires.is_empty() {
        return Err(Error::Usage(
            "a suite is of an invariant alone; name a method with `stage run`".to_owned(),
        ));
    }
    let started = Instant::now();
    let program = load(run, &session(run, stop)?, stop)?;
    let object = with_own_name(&program, &arguments.object);
    let mut bounds = run.staged.bounds(&program)?;
    if let Some(values) = values {
        let added = bounds.enumerate(values);
        added.map_err(|error| Error::Usage(format!("--values: {error}")))?;
        let unbounded = unbounded_types(&program, &object, &bounds)?;
        if let Some(first) = unbounded.first()
            && !run.is_limited()
        {
            return Err(Error::Usage(format!(
                "there is no end to objects with any number of {}; bound them with --max {first}=3",
                unbounded.join(" and ")
            )));
        }
    }
    let header = Header {
        object,
        invariant: arguments.invariant.clone(),
        bounds,
        ..Header::default()
    };
    let mut page = run.live.page_of_file(&arguments.suite, stop)?;
    let built = first_stage(run, stop, &program, header, &mut page)?;
    page.map_or(Ok(()), LivePage::finish_as_shown)?;
    write_suite(&arguments.suite, &built.suite)?;
    for failure in &built.failures {
        eprintln!("{failure}");
    }
    let report = StageReport {
        schema: suite::SCHEMA,
        stage: ObjectCounts {
            valid: built.suite.solutions.len() as u64,
            explored: built.explored,
        },
        complete: built.suite.header.complete,
        incomplete: built.incomplete,
        cut_off: built.cut_off,
        errors: built.failures,
        queries: built.queries,
        seconds: started.elapsed().as_secs_f64(),
        exploration_seconds: built.seconds,
        suite: arguments.suite.clone(),
    };
    match run.json {
        true => say_json(&report)?,
        false => say(&summary(&report))?,
    }
    if report.stage.valid == 0 {
        eprintln!(
            "warning: there is no valid object in these bounds; nothing can be tested with the suite"
        );
        return Ok(Outcome::Found);
    }
    Ok(match report.errors.is_empty() {
        true => Outcome::Clean,
        false => Outcome::Found,
    })
}

fn summary(report: &StageReport) -> String {
    let ObjectCounts { valid, explored } = report.stage;
    let mut text = format!(
        "{valid} of {explored} explored paths are of valid objects; they are in {}; {:.2} s",
        report.suite.display(),
        report.seconds
    );
    if report.cut_off > 0 {
        text += &format!(
            "\na limit was reached, and {} paths were not followed to their end: there may be more",
            report.cut_off
        );
    }
    for reason in &report.incomplete {
        text += &format!("\nnot complete: {reason}");
    }
    text
}

/// What came of exploring an invariant.
pub struct Built {
    pub suite: Suite,
    explored: u64,
    /// Paths that were not followed to their end.
    cut_off: u64,
    /// What else was left out.
    incomplete: Vec<Incomplete>,
    queries: u64,
    seconds: f64,
    /// Errors of the invariant itself.
    pub failures: Vec<String>,
}

/// Looks for the objects that satisfy the header's invariant in its bounds.
pub fn first_stage(
    arguments: &run::Arguments,
    stop: &Stop,
    program: &Program,
    mut header: Header,
    page: &mut Option<LivePage>,
) -> Result<Built, Error> {
    arguments.refuse_for_objects()?;
    let invariant = function(program, &header.invariant)?;
    must_take(program, invariant, &header.object)?;
    header.code = Some(fingerprint::of(program, invariant));
    let staging = Staging {
        arguments: vec![StagedArgument {
            type_name: header.object.clone(),
            invariant,
            bounds: Rc::new(header.bounds.clone()),
            suite: String::new(),
            solutions: None,
        }],
        invariant_budget: Some(arguments.staged.invariant_budget),
        ..Staging::default()
    };
    let explained = |error| run::explained(error, Some(program));
    let session = session(arguments, stop)?;
    let mut prepared = session
        .prepare(program, Start::Objects(staging))
        .map_err(explained)?;
    let started = Instant::now();
    let mut collector = Collector {
        solutions: Vec::new(),
        explored: 0,
        failures: Vec::new(),
        progress: ProgressLine::new(started, arguments.max_time),
        watched: page.take().map(|page| Watched {
            page,
            begun: RunReport::begun(prepared.recipe()),
            header: header.clone(),
            curve: Curve::default(),
            started,
        }),
    };
    let explored = prepared.run(&mut collector);
    collector.progress.clear();
    *page = collector.watched.take().map(|watched| watched.page);
    let report = explored.map_err(explained)?;
    let cut_off = report.paths.unfinished + report.paths.unknown;
    header.complete = report.outcome == suite::Outcome::Complete && cut_off == 0;
    Ok(Built {
        suite: Suite {
            header,
            solutions: collector.solutions,
        },
        explored: collector.explored,
        cut_off,
        queries: report.solver.queries,
        incomplete: report.incomplete,
        seconds: started.elapsed().as_secs_f64(),
        failures: collector.failures,
    })
}

/// Keeps the objects of paths on which the invariant held.
struct Collector {
    solutions: Vec<Solution>,
    explored: u64,
    failures: Vec<String>,
    progress: ProgressLine,
    watched: Option<Watched>,
}

/// The page on which the exploration is shown, and what it says from the start.
struct Watched {
    page: LivePage,
    begun: RunReport,
    header: Header,
    curve: Curve,
    started: Instant,
}

impl Watched {
    /// Tells pages how far the exploration is, and does what their buttons say.
    fn show(&mut self, progress: &Progress<'_, '_>, solutions: &[Solution]) {
        let (machine, waiting) = (progress.machine, progress.waiting as u64);
        let seconds = self.started.elapsed().as_secs_f64();
        let counts = progress.counts;
        if self.curve.is_due(seconds) {
            self.curve.add(progress.sample(seconds));
        }
        if self.page.link.is_due() {
            let (coverage, summary) = report::coverage(machine.program, &machine.coverage);
            self.page.publish(Snapshot {
                run: RunReport {
                    paths: report::paths(counts),
                    coverage: summary,
                    instructions: counts.instructions,
                    forks: machine.forks,
                    solver: report::solver(machine),
                    seconds,
                    peak_memory_bytes: report::peak_memory(),
                    ..self.begun.clone()
                },
                coverage,
                curve: self.curve.samples(),
                costs: &report::costs(machine),
                calls: &report::call_costs(machine),
                waiting,
                workers: Vec::new(),
            });
        }
        self.page.link.hold();
        if self.page.wants_dump() {
            let suite = Suite {
                header: self.header.clone(),
                solutions: solutions.to_vec(),
            };
            let path = self.page.next_dump();
            let written = write_suite(&path, &suite);
            self.page.dumped(written.map(|()| path));
        }
    }
}

impl Collector {
    fn fail(&mut self, machine: &Machine<'_>, state: &State, kind: ErrorKind, message: &str) {
        let graph = object_graph(machine, state, 0).text();
        let graph = graph.trim_end().replace('\n', "\n  ");
        self.failures
            .push(format!("error: {kind}: {message}\n  {graph}"));
    }
}

impl Observer for Collector {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        let (machine, state) = (&mut *path.machine, path.state);
        self.explored += 1;
        match end {
            End::Exit(_) if has_valid_objects(state) => self.solutions.push(Solution {
                line: self.solutions.len() + 2,
                graph: object_graph(machine, state, 0),
                condition: value_conditions(&mut machine.store, state, 0),
            }),
            End::Ignored | End::TooDeep | End::Unknown => {}
            End::Exit(status) => {
                let message = format!("it ends the program, with status {status}");
                self.fail(machine, state, ErrorKind::Invariant, &message);
            }
            End::Error(kind, message) => self.fail(machine, state, *kind, message),
        }
    }

    fn note(&mut self, note: &str) {
        self.progress.clear();
        eprintln!("note: {note}");
    }

    fn progress(&mut self, progress: &Progress<'_, '_>) -> Option<Explored> {
        let waiting = progress.waiting;
        self.progress.show(|_| {
            let (valid, explored) = (self.solutions.len(), self.explored);
            format!("{valid} valid of {explored} paths done, {waiting} waiting")
        });
        if let Some(watched) = &mut self.watched {
            watched.show(progress, &self.solutions);
        }
        None
    }
}
