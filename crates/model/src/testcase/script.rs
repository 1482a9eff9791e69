//! A test as a Python script that needs nothing else, and as a sequence chart.
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
const SCRIPT: &str = include_str!("script.py");

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

impl TestCase {
    /// The test as a Python script.
    ///
    /// # Errors
    ///
    /// When its messages are no lines.
    pub fn to_python(&self, model: &Model) -> Result<String, ScriptError> {
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
                TestEvent::Input { channel, values } => json!({"send": line(*channel, values)?}),
                TestEvent::Output {
                    channel,
                    values,
                    condition,
                    otherwise,
                } => json!({
                    "expect": line(*channel, values)?,
                    "open": condition.is_some() || !otherwise.outputs.is_empty(),
                    "silence": otherwise.silence,
                }),
                TestEvent::Silence { otherwise } => json!({
                    "expect": null,
                    "open": !otherwise.is_empty(),
                    "silence": true,
                }),
            });
        }
        let steps: Vec<String> = steps.iter().map(|step| format!("    {step},\n")).collect();
        // JSON's own words are none of Python's.
        let steps = format!(
            "[\n{}]",
            steps.concat().trim_end_matches(",\n").to_owned() + "\n"
        );
        let steps = steps.replace('\\', "\\\\").replace("'''", "\\'\\'\\'");
        let goals = self.goals.join("; ").replace(['\n', '\\'], " ");
        let script = SCRIPT.replace("@NAME@", &self.name);
        Ok(script.replace("@GOALS@", &goals).replace("@STEPS@", &steps))
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
