//! `everypath model check-log`: a recorded log against a model.

use super::load::{ModelArguments, SolvingArguments, load, text_of};
use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use crate::solve::seconds;
use ::model::execution::Executor;
use ::model::runner::{Verdict, check_log};
use base::{OneLine, Stop};
use std::path::PathBuf;
use std::time::Duration;

/// Checks a recorded log against a model.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model check-log grid.iosts recorded.jsonl

A line of the log is a message, {\"channel\": \"out\", \"values\": [\"ok\", 30]}, or
{\"silence\": true} where the system waited for an input. The log begins where the
model begins.

Exit status: 0 the model allows what the log says; 1 it does not, or that was not
decided; 2 nothing could be checked.")]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// The log.
    #[arg(value_name = "LOG")]
    log: PathBuf,
    #[command(flatten)]
    solving: SolvingArguments,
    /// Fails a log with a line that is no message; else such lines are passed over.
    #[arg(long)]
    strict: bool,
    /// Stops after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let stop = stop.within(arguments.max_time);
    let (model, _) = load(&arguments.model)?;
    let text = text_of(&arguments.log)?;
    let solving = &arguments.solving;
    let (mixed, kept) = solving.start(&arguments.model.file, &model, &stop)?;
    let mut executor = Executor::new(&model, mixed);
    executor.set_stop(&stop);
    let name = arguments.log.one_line().into_owned();
    let (report, messages) = check_log(&mut executor, &name, &text, arguments.strict)
        .map_err(|(line, error)| Error::content(format!("{name}:{line}"), error))?;
    kept.save(&mut executor.mixed)?;
    if arguments.json {
        say_json(&report.to_result(&model))?;
    } else {
        let messages = match messages {
            1 => "1 message".to_owned(),
            number => format!("{number} messages"),
        };
        match report.verdict {
            Verdict::Pass => say(&format!("{name}: pass: {messages}"))?,
            verdict => say(&format!("{name}: {verdict}: {}", report.reason))?,
        }
        if !report.log.is_empty() {
            eprintln!("note: {} lines are no messages", report.log.len());
        }
    }
    Ok(match report.verdict {
        Verdict::Pass => Outcome::Clean,
        Verdict::Fail | Verdict::Inconclusive => Outcome::Found,
    })
}
