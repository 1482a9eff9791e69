//! `everypath model explore`: the tree of symbolic states.

use super::live::ModelPage;
use super::load::{ModelArguments, SolvingArguments, load, write, write_json};
use super::page::{Shown, tables, write_page};
use crate::Outcome;
use crate::error::Error;
use crate::live::LiveArguments;
use crate::output::{say, say_json};
use crate::solve::seconds;
use ::model::execution::Executor;
use ::model::exploration::{self, Bounds, Tree};
use ::model::results::{Covered, Explored, SCHEMA, SolverWork, TableGrowth, TransitionCoverage};
use ::model::{picture, render};
use ::report::document::Missed;
use base::{OneLine, Stop};
use explore::Strategy;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Builds the tree of symbolic states.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model explore grid.iosts --height 15
  everypath model explore grid.iosts --height 15 --tries 196 -o out/

With -o, out/report.html shows it all; out/tree.json and out/tree.dot hold the
tree, out/model.svg the automata with the transitions that were taken,
out/tables/ what was observed of external functions.

Exit status: 0 the tree was built; 2 it could not be.")]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    bounds: BoundArguments,
    #[command(flatten)]
    solving: SolvingArguments,
    /// Where the tree goes.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    live: LiveArguments,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// How far to explore.
#[derive(clap::Args)]
pub struct BoundArguments {
    /// Steps along one path: 20, 100 for tests of models that are too large to be
    /// explored breadth first, and any number for properties.
    #[arg(long, value_name = "N")]
    height: Option<usize>,
    /// States in the tree.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_states: usize,
    /// Stops after this many seconds, with what is finished by then.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub max_time: Option<Duration>,
    /// Does not expand states that an earlier state covers.
    #[arg(long)]
    inclusion: bool,
    /// How the next state is chosen: dfs, bfs, coverage-new, random-path, …
    #[arg(long, value_parser = |s: &str| s.parse::<Strategy>())]
    search: Option<Strategy>,
}

impl BoundArguments {
    pub fn bounds(&self, default: Strategy, seed: u64) -> Bounds {
        Bounds {
            height: self.height.unwrap_or(match default {
                Strategy::CoverageNew => 100,
                _ => 20,
            }),
            states: self.max_states,
            inclusion: self.inclusion,
            strategy: self.search.unwrap_or(default),
            seed,
        }
    }

    /// Paths of any length, unless the user says how long.
    pub fn unlimited(&self, seed: u64) -> Bounds {
        Bounds {
            height: self.height.unwrap_or(usize::MAX),
            ..self.bounds(Strategy::Bfs, seed)
        }
    }

    /// The command's token, and the time limit.
    pub fn stop(&self, stop: &Stop) -> Stop {
        stop.within(self.max_time)
    }
}

pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let started = Instant::now();
    let stop = arguments.bounds.stop(stop);
    let (model, _) = load(&arguments.model)?;
    let solving = &arguments.solving;
    let (mixed, kept) = solving.start(&arguments.model.file, &model, &stop)?;
    let before = ::model::functions::rows(&model, mixed.oracle());
    let mut executor = Executor::new(&model, mixed);
    let tables_before = tables(&model, &executor);
    executor.set_stop(&stop);
    let bounds = arguments.bounds.bounds(Strategy::Bfs, solving.seed);
    let folder = arguments.output.clone().unwrap_or_default();
    let file = &arguments.model.file;
    let is_wanted = arguments.live.live;
    let mut live = ModelPage::start(is_wanted, file, &folder, &executor, &stop)?;
    let tree = live.explore(&mut executor, &bounds, None);
    let explored = result(&mut executor, &tree, &before, started);
    let missed = explored.untaken.iter().map(|untaken| Missed {
        goal: untaken.transition.clone(),
        reason: untaken.reason.clone(),
    });
    let shown = Shown {
        taken: tree.taken.iter().map(|&times| times > 0).collect(),
        tree: Some(&tree),
        missed: missed.collect(),
        tables_before,
        seconds: explored.seconds,
        ..Shown::of(file.one_line().into_owned(), &executor)
    };
    if let Some(folder) = &arguments.output {
        write_tree(&executor, &tree, folder)?;
        write_page(&executor, folder, shown.clone())?;
    }
    kept.save(&mut executor.mixed)?;
    match arguments.json {
        true => say_json(&explored)?,
        false => say(&summary(&explored))?,
    }
    live.finish(&executor, shown)?;
    Ok(Outcome::Clean)
}

fn write_tree(executor: &Executor<'_, '_>, tree: &Tree, folder: &Path) -> Result<(), Error> {
    write_json(
        &folder.join("tree.json"),
        &render::tree_file(executor, tree),
    )?;
    write(&folder.join("tree.dot"), &picture::tree_dot(executor, tree))?;
    let is_taken = |number: usize| tree.taken[number] > 0;
    write(
        &folder.join("model.svg"),
        &picture::coverage_svg(executor.model, is_taken),
    )?;
    let oracle = executor.mixed.oracle();
    Ok(oracle.save_tables(&folder.join("tables"))?)
}

fn result(
    executor: &mut Executor<'_, '_>,
    tree: &Tree,
    before: &[(String, usize)],
    started: Instant,
) -> Explored {
    let untaken = exploration::untaken(executor, tree);
    let (model, mixed) = (executor.model, &executor.mixed);
    let after = ::model::functions::rows(model, mixed.oracle());
    let tables = after.into_iter().zip(before);
    let solver = mixed.solver().statistics();
    Explored {
        schema: SCHEMA,
        outcome: tree.end,
        states: tree.nodes.len(),
        height: tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0),
        infeasible: tree.infeasible,
        unknown: tree.unknown,
        coverage: TransitionCoverage {
            transitions: Covered {
                covered: tree.covered(),
                total: tree.taken.len(),
            },
        },
        percent: tree.coverage(),
        untaken,
        tables: tables
            .map(|((function, after), (_, before))| TableGrowth {
                function,
                before: *before,
                after,
            })
            .collect(),
        strategy: mixed.config().strategy.name().to_owned(),
        tries: mixed.statistics().tries(),
        solver: SolverWork {
            queries: solver.queries,
            backend_calls: solver.backend_calls(),
        },
        seconds: started.elapsed().as_secs_f64(),
    }
}

fn summary(explored: &Explored) -> String {
    let Covered { covered, total } = explored.coverage.transitions;
    let mut text = format!(
        "{} states, height {} ({})\n{covered} of {total} transitions ({:.1}%), {} steps infeasible, \
         {} unknown",
        explored.states,
        explored.height,
        explored.outcome,
        explored.percent,
        explored.infeasible,
        explored.unknown
    );
    let mut line = |line: std::fmt::Arguments<'_>| {
        write!(text, "\n{line}").expect("writing to a string does not fail");
    };
    for untaken in &explored.untaken {
        line(format_args!(
            "not taken: {}: {}",
            untaken.transition, untaken.reason
        ));
    }
    for table in &explored.tables {
        line(format_args!(
            "table {}: {} rows, {} before",
            table.function, table.after, table.before
        ));
    }
    if explored.tries > 0 {
        line(format_args!(
            "{} tries ({})",
            explored.tries, explored.strategy
        ));
    }
    text
}
