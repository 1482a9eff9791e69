//! `everypath explain`: the path of a test as a story, branch by branch.

use crate::Outcome;
use crate::error::Error;
use crate::output::{say, say_json};
use crate::retrace::Origin;
use base::{OneLine, Stop};
use engine::Traced;
use engine::report::{Conditions, place};
use machine::Machine;
use program::{FunctionId, Program};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::RunDirectory;

/// Values that are told beside a branch.
const MOST_VALUES: usize = 8;

/// Tells the path of a test: each branch it took, with the source line, the values that
/// decided it and the condition.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath explain everypath-last test000007
  everypath explain everypath-out-3 test000001 --json

Conditions are over the test's inputs. Branches that no input decides are not told.

Exit status: 0 the path was told; 2 there is no such test, or its program is gone.")]
pub struct Arguments {
    /// A directory that everypath run has written.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The name of a test in it.
    #[arg(value_name = "TEST")]
    test: String,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Tells the path; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let directory = RunDirectory::open(&arguments.directory)?;
    let test = directory.test(&arguments.test).ok_or_else(|| {
        Error::Usage(format!(
            "there is no test {} in {}; everypath tests lists them",
            arguments.test,
            arguments.directory.one_line()
        ))
    })?;
    let origin = Origin::of(&directory, stop)?;
    let mut retrace = origin.retrace(stop)?;
    let traced = retrace.trace(&test.case);
    let decisions = decisions(&origin.program, retrace.replay.machine(), &traced);
    let types = directory.types();
    let end = test
        .end
        .map_or("a limit stopped this path".to_owned(), |end| {
            end.to_string()
        });
    let story = Story {
        schema: suite::SCHEMA,
        test: &test.name,
        inputs: suite::brief(&test.case, &types),
        decisions,
        end,
    };
    match arguments.json {
        true => say_json(&story)?,
        false => say(story.text().trim_end())?,
    }
    Ok(Outcome::Clean)
}

/// The branches that inputs decided, in order.
fn decisions(program: &Program, machine: &mut Machine<'_>, traced: &Traced) -> Vec<Decision> {
    let Some(state) = &traced.state else {
        return Vec::new();
    };
    let mut conditions = Conditions::default();
    conditions.learn(machine, state);
    let store = &mut machine.store;
    let decisions = traced.steps().iter().map(|step| {
        let (function, pc) = step.location();
        let place = place(program, FunctionId(function), pc);
        let values = conditions.values(store, state, step.condition());
        let values = values.into_iter();
        Decision {
            function: place.function,
            file: place.path,
            line: place.line,
            condition: conditions.text(store, step.condition()).to_owned(),
            values: values
                .map(|(name, value)| DecidingValue { name, value })
                .collect(),
        }
    });
    decisions.collect()
}

/// What `explain --json` prints.
#[derive(Serialize)]
struct Story<'a> {
    schema: u64,
    test: &'a str,
    inputs: String,
    /// The branches that inputs decided, in order.
    decisions: Vec<Decision>,
    end: String,
}

#[derive(Serialize)]
struct Decision {
    function: String,
    file: String,
    line: u32,
    /// What holds because the branch went this way.
    condition: String,
    /// The values of the test that made it go this way.
    values: Vec<DecidingValue>,
}

/// A number of an input that a branch depends on.
#[derive(Serialize)]
struct DecidingValue {
    /// As in the source, `request.length`.
    name: String,
    value: String,
}

impl Story<'_> {
    fn text(&self) -> String {
        let mut text = format!("{} with {}\n", self.test, self.inputs);
        let mut sources = Sources::default();
        let mut function = "";
        for decision in &self.decisions {
            if decision.function != function {
                function = &decision.function;
                let _ = writeln!(text, "in {function} ({})", decision.file.one_line());
            }
            let source = sources.line(&decision.file, decision.line);
            let _ = writeln!(text, "{:>6} | {}", decision.line, source.trim());
            let _ = writeln!(text, "       |   {}", decision.reason());
        }
        let _ = writeln!(text, "ends in {}", self.end);
        base::escape::visible(&text).into_owned()
    }
}

impl Decision {
    /// The values and what follows from them; parts of a long condition have lines of
    /// their own.
    fn reason(&self) -> String {
        let first = self.values.iter().take(MOST_VALUES);
        let first = first.map(|it| format!("{} = {}", it.name, it.value));
        let mut values: Vec<String> = first.collect();
        let more = self.values.len().saturating_sub(MOST_VALUES);
        if more > 0 {
            values.push(format!("and {more} more"));
        }
        let (parts, condition) = match self.condition.rsplit_once('\n') {
            Some((parts, condition)) => (parts, condition),
            None => ("", self.condition.as_str()),
        };
        let parts = parts.lines().map(|part| format!("{part}\n       |   "));
        let separator = if values.is_empty() { "" } else { ", " };
        parts.collect::<String>() + &values.join(", ") + separator + "so " + condition
    }
}

/// Source files, each read once.
#[derive(Default)]
struct Sources(HashMap<String, String>);

impl Sources {
    fn line(&mut self, file: &str, line: u32) -> String {
        let text = self.0.entry(file.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(Path::new(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let found = (line as usize)
            .checked_sub(1)
            .and_then(|at| text.lines().nth(at));
        found.unwrap_or_default().to_owned()
    }
}
