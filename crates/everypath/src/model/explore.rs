//! `everypath model explore`: the tree of symbolic states.

use super::load::{ModelArguments, SolvingArguments, load, write};
use super::watch::Watch;
use crate::Outcome;
use crate::error::Error;
use crate::interrupt;
use crate::output::say;
use crate::solve::seconds;
use ::model::Model;
use ::model::execution::Executor;
use ::model::exploration::{self, Bounds, Tree};
use explore::Strategy;
use mixed::Mixed;
use mixed::oracle::Stop;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Builds the tree of symbolic states.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model explore grid.iosts --height 15
  everypath model explore grid.iosts --height 15 --tries 196 -o out/

With -o, out/tree.json and out/tree.dot hold the tree, out/model.svg the
automata with the transitions that were taken, out/tables/ what was observed of
external functions.

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
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// How far to explore.
#[derive(clap::Args)]
pub struct BoundArguments {
    /// Steps along one path.
    #[arg(long, value_name = "N", default_value_t = 20)]
    height: usize,
    /// States in the tree.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_states: usize,
    /// Stops after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Leaves states alone that an earlier state covers.
    #[arg(long)]
    inclusion: bool,
    /// How the next state is chosen: dfs, bfs, coverage-new, random-path, …
    #[arg(long, value_parser = |s: &str| s.parse::<Strategy>())]
    search: Option<Strategy>,
}

impl BoundArguments {
    pub fn bounds(&self, default: Strategy, seed: u64) -> Bounds {
        Bounds {
            height: self.height,
            states: self.max_states,
            inclusion: self.inclusion,
            strategy: self.search.unwrap_or(default),
            seed,
        }
    }

    /// Ends questions to the solver when it is time to stop.
    pub fn watch(&self, started: Instant, executor: &Executor<'_, '_>) -> Watch {
        Watch::start(executor.mixed.solver().interrupt(), started, self.max_time)
    }

    /// When to stop: the time is over, or Ctrl-C was pressed.
    pub fn stop(&self, started: Instant) -> Stop {
        let limit = self.max_time;
        Rc::new(move || {
            interrupt::raised() || limit.is_some_and(|limit| started.elapsed() >= limit)
        })
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    interrupt::listen()?;
    let started = Instant::now();
    let (model, _) = load(&arguments.model)?;
    let stop = arguments.bounds.stop(started);
    let solving = &arguments.solving;
    let (mixed, kept) = solving.start(&arguments.model.file, &model, &stop)?;
    let before = ::model::functions::rows(&model, mixed.oracle());
    let mut executor = Executor::new(&model, mixed);
    let bounds = arguments
        .bounds
        .bounds(Strategy::Bfs, arguments.solving.seed);
    let watch = arguments.bounds.watch(started, &executor);
    let tree = exploration::explore(&mut executor, &bounds, None, || stop());
    drop(watch);
    let seconds = started.elapsed().as_secs_f64();
    let summary = summary_json(&model, &tree, &executor.mixed, &before, seconds);
    if let Some(folder) = &arguments.output {
        let text = ::model::render::tree_json(&mut executor, &tree);
        write(&folder.join("tree.json"), &format!("{text:#}\n"))?;
        write(
            &folder.join("tree.dot"),
            &::model::render::tree_dot(&executor, &tree),
        )?;
        let taken = |number: usize| match tree.taken[number] {
            0 => ::model::draw::Mark::Missed,
            _ => ::model::draw::Mark::Taken,
        };
        write(
            &folder.join("model.svg"),
            &::model::draw::svg(&model, &taken),
        )?;
        let tables = folder.join("tables");
        executor.mixed.oracle().save_tables(&tables)?;
    }
    kept.save(&mut executor.mixed)?;
    match arguments.json {
        true => say(&format!("{summary:#}"))?,
        false => say(&summary_text(&summary))?,
    }
    Ok(Outcome::Clean)
}

fn summary_json(
    model: &Model,
    tree: &Tree,
    mixed: &Mixed<'_>,
    before: &[(String, usize)],
    seconds: f64,
) -> Json {
    let after = ::model::functions::rows(model, mixed.oracle());
    let tables: Vec<Json> = after
        .iter()
        .zip(before)
        .map(|((name, after), (_, before))| json!({"function": name, "before": before, "after": after}))
        .collect();
    let untaken: Vec<Json> = exploration::untaken(model, tree)
        .into_iter()
        .map(|(name, reason)| json!({"transition": name, "reason": reason}))
        .collect();
    let statistics = mixed.statistics();
    let height = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    json!({"schema": 1, "outcome": tree.end.name(), "states": tree.nodes.len(), "height": height,
        "infeasible": tree.infeasible, "unknown": tree.unknown,
        "coverage": {"transitions": {"covered": tree.covered(), "total": tree.taken.len()}},
        "percent": tree.coverage(), "untaken": untaken, "tables": tables,
        "strategy": mixed.config().strategy.name(), "tries": statistics.tries(),
        "solver": {"queries": mixed.solver().statistics().queries,
                   "backend_calls": mixed.solver().statistics().backend_calls()},
        "seconds": seconds})
}

fn summary_text(summary: &Json) -> String {
    let number = |field: &str| summary[field].as_u64().unwrap_or(0);
    let transitions = &summary["coverage"]["transitions"];
    let mut text = format!(
        "{} states, height {} ({})\n{} of {} transitions ({:.1}%), {} steps infeasible, {} unknown",
        number("states"),
        number("height"),
        summary["outcome"].as_str().unwrap_or_default(),
        transitions["covered"],
        transitions["total"],
        summary["percent"].as_f64().unwrap_or_default(),
        number("infeasible"),
        number("unknown")
    );
    for entry in summary["untaken"].as_array().into_iter().flatten() {
        let of = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
        text += &format!("\nnot taken: {}: {}", of("transition"), of("reason"));
    }
    for entry in summary["tables"].as_array().into_iter().flatten() {
        let name = entry["function"].as_str().unwrap_or_default();
        text += &format!(
            "\ntable {name}: {} rows, {} before",
            entry["after"], entry["before"]
        );
    }
    if number("tries") > 0 {
        let strategy = summary["strategy"].as_str().unwrap_or_default();
        text += &format!("\n{} tries ({strategy})", number("tries"));
    }
    text
}
