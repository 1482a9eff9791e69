//! A recorded log against the model, for systems that cannot be driven.
//!
//! A log has a message on every line, as systems exchange them: `{"channel": "pin",
//! "values": [1]}`. Whether it is an input or an output the model says; where a channel
//! is both, the line does: `{"input": "c", "values": []}` or `"output"`. A line
//! `{"silence": true}` says that the system waited for an input.

use super::session::{Ended, judge};
use super::timing::{mistimed, overdue};
use super::{Report, verdict};
use crate::execution::Executor;
use crate::model::{Action, Model};
use crate::observer::{Allowed, Observer};
use crate::output::either;
use crate::render::payload_text;
use crate::testcase::leaves;
use num_rational::BigRational;
use serde::Deserialize;
use serde_json::Value as Json;
use std::time::Instant;
use term::Value;

/// A line of a log that cannot be read as one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LogError {
    /// It may be an input or an output.
    #[error(
        "`{0}` is an input and an output of the model; write \"input\" or \"output\" for \"channel\""
    )]
    Direction(String),
}

#[derive(Deserialize)]
struct Line {
    channel: Option<String>,
    input: Option<String>,
    output: Option<String>,
    #[serde(default)]
    values: Vec<Json>,
    #[serde(default)]
    silence: bool,
}

/// What the model says of a log, which begins where the model does; and how many of its
/// lines are messages. Lines that are none are kept aside, or a failure where `is_strict`.
///
/// # Errors
///
/// When a line is ambiguous, with its number.
pub fn check_log(
    executor: &mut Executor<'_, '_>,
    name: &str,
    text: &str,
    is_strict: bool,
) -> Result<(Report, usize), (usize, LogError)> {
    let started = Instant::now();
    let mut reading = Reading {
        observer: Observer::new(executor),
        executor,
        trace: Vec::new(),
        log: Vec::new(),
        is_strict,
        now: BigRational::default(),
        waited: None,
    };
    let mut ended = Ok(());
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        ended = reading.line(line).map_err(|error| (number + 1, error))?;
        if let Err(end) = ended {
            ended = Err(end.at(number + 1));
            break;
        }
    }
    let messages = reading.trace.len();
    let (verdict, reason, diverged) = verdict(ended);
    let taken = reading.observer.taken.iter();
    let report = Report {
        name: name.to_owned(),
        verdict,
        reason,
        diverged,
        time: started.elapsed(),
        taken: taken.map(|&count| count > 0).collect(),
        trace: reading.trace,
        log: reading.log,
        stderr: String::new(),
    };
    Ok((report, messages))
}

struct Reading<'a, 'm, 'f> {
    executor: &'a mut Executor<'m, 'f>,
    observer: Observer,
    trace: Vec<String>,
    log: Vec<String>,
    is_strict: bool,
    /// The time that has passed, where the model has clocks.
    now: BigRational,
    /// What was known before the delays since the last message.
    waited: Option<Observer>,
}

impl Reading<'_, '_, '_> {
    fn line(&mut self, text: &str) -> Result<Result<(), Ended>, LogError> {
        let Ok(line) = serde_json::from_str::<Line>(text) else {
            return Ok(self.no_message(text));
        };
        let values = &line.values;
        Ok(match (&line.channel, &line.input, &line.output) {
            (None, None, None) if line.silence => self.silence(),
            (None, Some(channel), None) => self.input(channel, values),
            (None, None, Some(channel)) => self.output(channel, values),
            (Some(channel), None, None) => match directions(self.executor.model, channel) {
                (true, true) => return Err(LogError::Direction(channel.clone())),
                (true, false) => self.input(channel, values),
                (false, _) => self.output(channel, values),
            },
            _ => self.no_message(text),
        })
    }

    fn no_message(&mut self, text: &str) -> Result<(), Ended> {
        if self.is_strict {
            return Err(Ended::Failed(format!("`{text}` is no message")));
        }
        self.log.push(text.to_owned());
        Ok(())
    }

    fn input(&mut self, name: &str, values: &[Json]) -> Result<(), Ended> {
        let model = self.executor.model;
        let unclear = |reason: String| Err(Ended::Unclear(reason));
        let Some(channel) = model.channel(name) else {
            return unclear(format!("the model has no channel `{name}`"));
        };
        let values = match leaves(model, channel, values) {
            Ok(values) => values,
            Err(error) => return unclear(error.to_string()),
        };
        let text = payload_text(&model.channels[channel].payload, &values);
        self.trace.push(format!("{name}?({text})"));
        let is_delay = Some(channel) == model.time;
        match &values[..] {
            [Value::Real(time)] if is_delay => {
                self.now += time;
                self.waited.get_or_insert_with(|| self.observer.clone());
            }
            _ => self.waited = None,
        }
        match self.observer.input(self.executor, channel, &values) {
            Allowed::Yes => Ok(()),
            Allowed::No if is_delay => {
                let reason = overdue(self.executor, &mut self.observer, &self.now);
                Err(Ended::Failed(reason))
            }
            Allowed::No => unclear(format!("the model has no input {name}({text}) here")),
            Allowed::Unknown(reason) => Err(reason.into()),
        }
    }

    fn output(&mut self, name: &str, values: &[Json]) -> Result<(), Ended> {
        let (executor, observer) = (&mut *self.executor, &mut self.observer);
        let before = self.waited.take().unwrap_or_else(|| observer.clone());
        let judged = judge(executor, observer, name, values, &mut self.trace);
        judged.map(|_| ()).map_err(|ended| match ended {
            Ended::Failed(reason) if executor.model.time.is_some() => {
                let came = (self.now.clone(), self.now.clone());
                let mistimed = mistimed(executor, &before, &came, name, values);
                Ended::Failed(mistimed.unwrap_or(reason))
            }
            other => other,
        })
    }

    fn silence(&mut self) -> Result<(), Ended> {
        self.trace.push("silence".to_owned());
        match self.observer.silence(self.executor) {
            Allowed::Yes => Ok(()),
            Allowed::No => {
                let expected = self.observer.expected(self.executor);
                let expected = either(self.executor.model, &expected);
                let reason = format!("the system is silent; the model expects {expected}");
                Err(Ended::Failed(reason))
            }
            Allowed::Unknown(reason) => Err(reason.into()),
        }
    }
}

/// Whether the environment sends on this channel, and whether the system does.
fn directions(model: &Model, name: &str) -> (bool, bool) {
    let uses = |input: bool| {
        model.transitions.iter().any(|transition| {
            let (channel, receives) = match transition.action {
                Action::Input { channel, .. } => (channel, true),
                Action::Output { channel, .. } => (channel, false),
                Action::Internal => return false,
            };
            receives == input && model.channels[channel].name == name
        })
    };
    (uses(true), uses(false))
}
