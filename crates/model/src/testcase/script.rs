//! A test as a script that needs nothing else, for Python or for bash, and as a sequence chart.
//!
//! A script knows its test and not the model. What a test leaves open it cannot judge, and says
//! "inconclusive" there; a failure is one for the model too.

use super::timing::{SLACK, StepTiming, Timing};
use super::{TestCase, TestEvent, is_answered};
use crate::codec::{Codec, Message};
use crate::model::Model;
use crate::observer::Window;
use crate::render::{payload_json, payload_text};
use num_rational::BigRational;
use serde_json::json;
use std::fmt::Write;
use term::Value;

/// What all scripts have in common.
const PYTHON: &str = include_str!("script.py");
const SHELL: &str = include_str!("script.sh");

/// Why there is no script of a test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScriptError {
    /// Scripts read lines.
    #[error("scripts are for models without a codec, or with `codec lines`")]
    Codec,
    /// A message has no line.
    #[error("a message has no line: {0}")]
    Message(String),
}

/// A step of a script.
enum Exchange {
    /// The tester sends this line.
    Send(String),
    /// Time passes.
    Wait {
        millis: i64,
        /// What a system with simulated time is told.
        line: String,
        /// Whether nothing should come meanwhile.
        is_quiet: bool,
        /// Whether the model allows that something comes.
        is_open: bool,
    },
    /// The system should send a line, or nothing.
    Expect {
        line: Option<String>,
        /// Whether the model allows other lines, or leaves open when this one comes.
        is_open: bool,
        /// Whether it allows silence.
        silence: bool,
        /// How many milliseconds after earlier messages it may come.
        since: Vec<(usize, i64, Option<i64>)>,
    },
}

impl TestCase {
    /// The test as a Python script.
    ///
    /// # Errors
    ///
    /// When its messages are no lines.
    pub fn to_python(&self, model: &Model, timing: &Timing) -> Result<String, ScriptError> {
        let steps = self.exchanges(model, timing)?.into_iter();
        let steps = steps.map(|step| match step {
            Exchange::Send(line) => json!({"send": line}),
            Exchange::Wait {
                millis,
                line,
                is_quiet,
                is_open,
            } => json!({"wait": millis, "told": line, "quiet": is_quiet, "open": is_open}),
            Exchange::Expect {
                line,
                is_open,
                silence,
                since,
            } => {
                let mut step = json!({"expect": line, "open": is_open, "silence": silence});
                if !since.is_empty() {
                    step["since"] = json!(since);
                }
                step
            }
        });
        let steps: Vec<String> = steps.map(|step| format!("    {step}")).collect();
        // JSON's own words are none of Python's.
        let steps = format!("[\n{}\n]", steps.join(",\n"));
        let steps = steps.replace('\\', "\\\\").replace("'''", "\\'\\'\\'");
        Ok(self.filled(model, PYTHON, &steps))
    }

    /// The test as a script for bash.
    ///
    /// # Errors
    ///
    /// When its messages are no lines.
    pub fn to_shell(&self, model: &Model, timing: &Timing) -> Result<String, ScriptError> {
        let quoted = |line: &str| format!("'{}'", line.replace('\'', "'\\''"));
        let steps = self.exchanges(model, timing)?.into_iter();
        let steps = steps.map(|step| match step {
            Exchange::Send(line) => format!("send {}", quoted(&line)),
            Exchange::Wait {
                millis,
                line,
                is_quiet,
                is_open,
            } => format!("let_pass {millis} {} {is_quiet} {is_open}", quoted(&line)),
            Exchange::Expect {
                line,
                is_open,
                silence,
                since,
            } => {
                let line = quoted(&line.unwrap_or_default());
                let since = since.into_iter().map(|(number, from, to)| {
                    let to = to.map_or("-".to_owned(), |to| to.to_string());
                    format!(" {number} {from} {to}")
                });
                let since: String = since.collect();
                format!("expect {line} {is_open} {silence}{since}")
            }
        });
        let steps: Vec<String> = steps.collect();
        Ok(self.filled(model, SHELL, &steps.join("\n")))
    }

    fn filled(&self, model: &Model, script: &str, steps: &str) -> String {
        let goals = self.goals.join("; ").replace(['\n', '\\'], " ");
        let script = script.replace("@NAME@", &self.name);
        // Without clocks it does not matter when the tester sends.
        let slack = model.time.map_or(0, |_| SLACK);
        let script = script.replace("@SLACK@", &slack.to_string());
        script.replace("@GOALS@", &goals).replace("@STEPS@", steps)
    }

    /// The lines that go to the system and come from it.
    fn exchanges(&self, model: &Model, timing: &Timing) -> Result<Vec<Exchange>, ScriptError> {
        if !matches!(model.codec, Codec::Json | Codec::Lines(_)) {
            return Err(ScriptError::Codec);
        }
        let line = |channel: usize, values: &[Value]| {
            let message = Message {
                channel: model.channels[channel].name.clone(),
                values: payload_json(&model.channels[channel].payload, values),
            };
            let bytes = model.codec.encoded(&message, "");
            let bytes = bytes.map_err(ScriptError::Message)?;
            Ok(String::from_utf8_lossy(&bytes)
                .trim_end_matches('\n')
                .to_owned())
        };
        let mut steps = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            let timed = timing.steps.get(number).unwrap_or(&StepTiming::Unknown);
            steps.push(match &step.event {
                TestEvent::Internal => continue,
                TestEvent::Input { channel, values } if Some(*channel) == model.time => {
                    Exchange::Wait {
                        millis: values.first().map_or(0, millis),
                        // A codec need not say how a system is told of time.
                        line: line(*channel, values).unwrap_or_default(),
                        is_quiet: !is_answered(&self.steps[number + 1..]),
                        is_open: !matches!(timed, StepTiming::Delay { is_open: false }),
                    }
                }
                TestEvent::Input { channel, values } => Exchange::Send(line(*channel, values)?),
                TestEvent::Output {
                    channel,
                    values,
                    open,
                    otherwise,
                } => {
                    let line = Some(line(*channel, values)?);
                    let is_open = open.is_some() || otherwise.is_open();
                    match timed {
                        StepTiming::Output {
                            since,
                            is_open: is_later,
                            silence,
                        } => Exchange::Expect {
                            line,
                            is_open: is_open || *is_later,
                            silence: *silence,
                            since: since.iter().map(in_millis).collect(),
                        },
                        // Nothing is known about its time.
                        _ if model.time.is_some() => Exchange::Expect {
                            line,
                            is_open: true,
                            silence: true,
                            since: Vec::new(),
                        },
                        _ => Exchange::Expect {
                            line,
                            is_open,
                            silence: otherwise.silence,
                            since: Vec::new(),
                        },
                    }
                }
                TestEvent::Silence { otherwise } => Exchange::Expect {
                    line: None,
                    is_open: otherwise.is_open(),
                    silence: true,
                    since: Vec::new(),
                },
            });
        }
        Ok(steps)
    }

    /// The test as a sequence chart for Mermaid.
    pub fn to_chart(&self, model: &Model) -> String {
        let mut text =
            "sequenceDiagram\n    participant Tester\n    participant System\n".to_owned();
        for step in &self.steps {
            let message = |channel: usize, values: &[Value]| {
                let it = &model.channels[channel];
                let values = payload_text(&it.payload, values);
                // What ends a message in a chart.
                format!("{}({values})", it.name).replace(';', "#59;")
            };
            let line = match &step.event {
                TestEvent::Internal => continue,
                TestEvent::Input { channel, values } => {
                    format!("Tester->>System: {}", message(*channel, values))
                }
                TestEvent::Output {
                    channel, values, ..
                } => format!("System->>Tester: {}", message(*channel, values)),
                TestEvent::Silence { .. } => "Note over System: silence".to_owned(),
            };
            let _ = writeln!(text, "    {line}");
        }
        text
    }
}

/// A time in milliseconds.
fn millis(time: &Value) -> i64 {
    match time {
        Value::Real(seconds) => {
            let thousand = BigRational::from_integer(1000.into());
            let millis = (seconds * thousand).round().to_integer();
            i64::try_from(millis).unwrap_or(i64::MAX)
        }
        _ => 0,
    }
}

fn in_millis((number, window): &(usize, Window)) -> (usize, i64, Option<i64>) {
    let of = |time: &BigRational| millis(&Value::Real(time.clone()));
    (*number, of(&window.from), window.to.as_ref().map(of))
}
