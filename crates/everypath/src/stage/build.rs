//! `everypath stage build` and `stage enumerate`: stage one, written to a suite.

use super::first::{Part, Sharing, first_stage, staging_of};
use super::method::{load, session};
use super::suites::{function, must_take, write_suite};
use super::{BuildArguments, EnumerateArguments, with_own_name};
use crate::Outcome;
use crate::error::Error;
use crate::live::LivePage;
use crate::output::{say, say_json};
use crate::ranges::journal::Interrupted;
use base::{OneLine, Stop};
use engine::Start;
use engine::policy::staged::unbounded_types;
use program::Program;
use staged::Header;
use std::path::Path;
use std::time::Instant;
use suite::{ObjectCounts, StageReport};

/// Which objects are looked for.
pub struct FirstStage {
    pub arguments: Box<BuildArguments>,
    /// The values that numbers have, if one object of each is wanted.
    pub values: Option<String>,
}

impl From<BuildArguments> for FirstStage {
    fn from(arguments: BuildArguments) -> FirstStage {
        FirstStage {
            arguments: Box::new(arguments),
            values: None,
        }
    }
}

impl From<EnumerateArguments> for FirstStage {
    fn from(arguments: EnumerateArguments) -> FirstStage {
        FirstStage {
            values: Some(arguments.values),
            ..arguments.build.into()
        }
    }
}

impl FirstStage {
    /// What the suite says of itself before it is built.
    fn header(&self, program: &Program) -> Result<Header, Error> {
        let run = &self.arguments.run;
        let object = self.arguments.object.as_deref().unwrap_or_default();
        let object = with_own_name(program, object);
        let mut bounds = run.staged.bounds(program)?;
        if let Some(values) = &self.values {
            let added = bounds.enumerate(values);
            added.map_err(|error| Error::Usage(format!("--values: {error}")))?;
            let unbounded = unbounded_types(program, &object, &bounds)?;
            if let Some(first) = unbounded.first()
                && !run.is_limited()
            {
                return Err(Error::Usage(format!(
                    "there is no end to objects with any number of {}; bound them with --max {first}=3",
                    unbounded.join(" and ")
                )));
            }
        }
        Ok(Header {
            object,
            invariant: self.arguments.invariant.clone().unwrap_or_default(),
            bounds,
            ..Header::default()
        })
    }

    /// Where its paths begin.
    pub fn start(&self, program: &Program) -> Result<Start, Error> {
        let header = self.header(program)?;
        let invariant = function(program, &header.invariant)?;
        must_take(program, invariant, &header.object)?;
        let budget = self.arguments.run.staged.invariant_budget;
        Ok(Start::Objects(staging_of(&header, invariant, budget)))
    }
}

/// Looks for valid objects.
pub fn build(stage: &FirstStage, stop: &Stop) -> Result<Outcome, Error> {
    let run = &stage.arguments.run;
    if run.input.has_grammar() || stage.arguments.max_length.is_some() {
        return Err(Error::Usage(
            "--grammar and --max-length are for `stage build` without an invariant".to_owned(),
        ));
    }
    if run.staged.method.is_some() || run.staged.post.is_some() || !run.staged.requires.is_empty() {
        return Err(Error::Usage(
            "a suite is of an invariant alone; name a method with `stage run`".to_owned(),
        ));
    }
    let program = load(run, &session(run, stop)?, stop)?;
    let part = Part::beside(&stage.arguments.suite)?;
    look(stage, &program, part, None, stop)
}

/// Goes on looking where that was interrupted.
pub fn resume(
    stage: &FirstStage,
    program: &Program,
    (part, interrupted): (&Path, &Interrupted),
    stop: &Stop,
) -> Result<Outcome, Error> {
    look(
        stage,
        program,
        Part::resumed(part)?,
        Some(interrupted),
        stop,
    )
}

fn look(
    stage: &FirstStage,
    program: &Program,
    part: Part,
    interrupted: Option<&Interrupted>,
    stop: &Stop,
) -> Result<Outcome, Error> {
    let started = Instant::now();
    let BuildArguments { suite, run, .. } = &*stage.arguments;
    let header = stage.header(program)?;
    let mut page = run.live.page_of_file(suite, stop)?;
    let sharing = Sharing { part, interrupted };
    let built = first_stage(run, stop, program, header, &mut page, Some(sharing))?;
    page.map_or(Ok(()), LivePage::finish_as_shown)?;
    write_suite(suite, &built.suite)?;
    for failure in &built.failures {
        eprintln!("{failure}");
    }
    if let Some(part) = built.part {
        part.leave(built.is_over)?;
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
        suite: suite.clone(),
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
        report.suite.one_line(),
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
