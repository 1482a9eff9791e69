//! A test as a script that needs nothing else, for Python or for bash, and as a sequence chart.
//!
//! A script knows its test and not the model. What a test leaves open it cannot judge, and says
//! "inconclusive" there; a failure is one for the model too.

use super::{TestCase, TestEvent};
use crate::codec::{Codec, Message};
use crate::model::Model;
use crate::render::{payload_json, payload_text};
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
    /// Scripts know no clocks.
    #[error("scripts are for models without clocks")]
    Clocks,
    /// A message has no line.
    #[error("a message has no line: {0}")]
    Message(String),
}

/// A step of a script.
enum Exchange {
    /// The tester sends this line.
    Send(String),
    /// The system should send a line, or nothing.
    Expect {
        line: Option<String>,
        /// Whether the model allows other lines.
        is_open: bool,
        /// Whether it allows silence.
        silence: bool,
    },
}

impl TestCase {
    /// The test as a Python script.
    ///
    /// # Errors
    ///
    /// When its messages are no lines.
    pub fn to_python(&self, model: &Model) -> Result<String, ScriptError> {
        let steps = self.exchanges(model)?.into_iter().map(|step| match step {
            Exchange::Send(line) => json!({"send": line}),
            Exchange::Expect {
                line,
                is_open,
                silence,
            } => json!({"expect": line, "open": is_open, "silence": silence}),
        });
        let steps: Vec<String> = steps.map(|step| format!("    {step}")).collect();
        // JSON's own words are none of Python's.
        let steps = format!("[\n{}\n]", steps.join(",\n"));
        let steps = steps.replace('\\', "\\\\").replace("'''", "\\'\\'\\'");
        Ok(self.filled(PYTHON, &steps))
    }

    /// The test as a script for bash.
    ///
    /// # Errors
    ///
    /// When its messages are no lines.
    pub fn to_shell(&self, model: &Model) -> Result<String, ScriptError> {
        let quoted = |line: &str| format!("'{}'", line.replace('\'', "'\\''"));
        let steps = self.exchanges(model)?.into_iter().map(|step| match step {
            Exchange::Send(line) => format!("send {}", quoted(&line)),
            Exchange::Expect {
                line,
                is_open,
                silence,
            } => {
                let line = quoted(&line.unwrap_or_default());
                format!("expect {line} {is_open} {silence}")
            }
        });
        let steps: Vec<String> = steps.collect();
        Ok(self.filled(SHELL, &steps.join("\n")))
    }

    fn filled(&self, script: &str, steps: &str) -> String {
        let goals = self.goals.join("; ").replace(['\n', '\\'], " ");
        let script = script.replace("@NAME@", &self.name);
        script.replace("@GOALS@", &goals).replace("@STEPS@", steps)
    }

    /// The lines that go to the system and come from it.
    fn exchanges(&self, model: &Model) -> Result<Vec<Exchange>, ScriptError> {
        if model.time.is_some() {
            return Err(ScriptError::Clocks);
        }
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
        for step in &self.steps {
            steps.push(match &step.event {
                TestEvent::Internal => continue,
                TestEvent::Input { channel, values } => Exchange::Send(line(*channel, values)?),
                TestEvent::Output {
                    channel,
                    values,
                    condition,
                    otherwise,
                } => Exchange::Expect {
                    line: Some(line(*channel, values)?),
                    is_open: condition.is_some() || !otherwise.outputs.is_empty(),
                    silence: otherwise.silence,
                },
                TestEvent::Silence { otherwise } => Exchange::Expect {
                    line: None,
                    is_open: !otherwise.is_empty(),
                    silence: true,
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
