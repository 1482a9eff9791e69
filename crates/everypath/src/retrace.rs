//! The tests of a run in the machine again, long after the run.
//!
//! A test input is a compressed path: followed once more, without a query, it gives back
//! what the run did not write down, such as what each test covers and the conditions
//! that decided its branches.

use crate::error::Error;
use crate::external;
use crate::replay::{compilable, replayable};
use base::{OneLine, Stop};
use engine::policy::follow::Recording;
use engine::{Compilation, Replay, Replayed, Traced};
use machine::{ExternalOptions, Options};
use mixed::Mixed;
use mixed::oracle::Sandbox;
use program::Program;
use solver::Solver;
use suite::{Input, Recipe, RunDirectory, RunReport, Setting, TestCase};

/// Instructions after which a path is not followed further.
pub const INSTRUCTIONS: u64 = 500_000_000;

/// A run whose program can be had again.
pub struct Origin {
    pub recipe: Recipe,
    pub program: Program,
}

impl Origin {
    /// Compiles the program of a run as it was compiled for the run.
    pub fn of(directory: &RunDirectory, stop: &Stop) -> Result<Origin, Error> {
        let run_json = directory.path.join("run.json");
        let report = report_of(directory)?;
        let recipe =
            replayable(report).map_err(|reason| Error::content(run_json.one_line(), reason))?;
        for file in crate::replay::files_changed_since(recipe, &run_json) {
            eprintln!("note: {} has changed since the run", file.one_line());
        }
        Origin::compiled(recipe, stop)
    }

    /// The same of a program whose sources are known to be as they were.
    pub fn compiled(recipe: &Recipe, stop: &Stop) -> Result<Origin, Error> {
        let recipe = compilable(recipe).map_err(|reason| Error::Program(reason.to_string()))?;
        crate::untrusted::examine(&recipe.files, stop)?;
        let how = Compilation {
            libraries: crate::libraries::installed(recipe, stop)?,
            external: external::options(recipe).named(),
            stop: stop.clone(),
            ..Compilation::default()
        };
        Ok(Origin {
            program: engine::compile(recipe, &how)?,
            recipe: recipe.clone(),
        })
    }

    /// Makes ready to follow tests.
    pub fn retrace(&self, stop: &Stop) -> Result<Retrace<'_>, Error> {
        let external = external::options(&self.recipe);
        Ok(Retrace {
            recipe: &self.recipe,
            replay: replay(&self.program, &self.recipe, external, stop)?,
        })
    }
}

/// The report of a run, without which nothing is known of its tests.
pub fn report_of(directory: &RunDirectory) -> Result<&RunReport, Error> {
    directory.report.as_ref().ok_or_else(|| {
        Error::Program(format!(
            "there is no {}, which says what program the tests are for; \
             the run was killed before its end, or KLEE's: run the program again",
            directory.path.join("run.json").one_line()
        ))
    })
}

/// Follows tests, one after the other.
pub struct Retrace<'p> {
    recipe: &'p Recipe,
    pub replay: Replay<'p>,
}

impl Retrace<'_> {
    /// Where a test leads.
    pub fn follow(&mut self, case: &TestCase) -> Replayed {
        let inputs = recording(self.recipe, case);
        self.replay.run(inputs, INSTRUCTIONS)
    }

    /// The conditions that a test meets, and what it reaches.
    pub fn trace(&mut self, case: &TestCase) -> Traced {
        let inputs = recording(self.recipe, case);
        self.replay.trace(inputs, INSTRUCTIONS)
    }
}

/// The program made ready to be replayed as it was run.
pub fn replay<'p>(
    program: &'p Program,
    recipe: &Recipe,
    external: ExternalOptions,
    stop: &Stop,
) -> Result<Replay<'p>, Error> {
    let entry = program.function(&recipe.entry).ok_or_else(|| {
        let entry = &recipe.entry;
        Error::Program(format!("there is no function `{entry}` in the program"))
    })?;
    let options = Options {
        optimised: recipe.may_be_optimised(),
        environment: engine::environment(recipe),
        ignore_races: recipe.ignore_races,
        stop: stop.clone(),
        external,
        ..Options::default()
    };
    let oracle = external::oracle(&recipe.libraries, Sandbox::default())?;
    let mixed = Mixed::new(mixed::Config::default(), Solver::default(), oracle);
    Ok(Replay::new(program, entry, mixed, options)?)
}

/// The inputs of a test as the machine asks for them: streams are none of those that
/// the program asks for by itself.
pub fn recording(recipe: &Recipe, case: &TestCase) -> Recording {
    let own = Setting::of(recipe, case).own;
    let recorded = |input: &Input| (input.name.clone(), input.bytes.clone());
    let (inputs, streams) = case.inputs.split_at(own.end);
    let inputs: Recording = inputs.iter().map(recorded).collect();
    let inputs = inputs.with_streams(streams.iter().map(recorded));
    inputs.with_schedule(&case.schedule)
}
