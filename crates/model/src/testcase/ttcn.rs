//! Tests in the manner of TTCN-3, for people to read.

use super::{TestCase, TestEvent};
use crate::model::Model;
use crate::render::{payload_text, step_name};
use std::fmt::Write;

impl TestCase {
    /// The test as a TTCN-3 test case.
    pub fn to_ttcn(&self, model: &Model) -> String {
        let mut text = format!("testcase {}() runs on Tester {{\n", self.name);
        let _ = writeln!(text, "  // covers {}", self.goals.join("; "));
        for step in &self.steps {
            match &step.event {
                TestEvent::Internal => {
                    let names = step.step.map(|step| step_name(model, step));
                    let _ = writeln!(text, "  // the system: {}", names.unwrap_or_default());
                }
                TestEvent::Input { channel, values } => {
                    let it = &model.channels[*channel];
                    let values = payload_text(&it.payload, values);
                    let _ = writeln!(text, "  {}.send({values});", it.name);
                }
                TestEvent::Output {
                    channel,
                    values,
                    condition,
                    otherwise,
                } => {
                    let it = &model.channels[*channel];
                    let expected = match condition {
                        Some(condition) => condition.clone(),
                        None => format!("({})", payload_text(&it.payload, values)),
                    };
                    let _ = writeln!(text, "  alt {{\n    [] {}.receive{expected} {{ }}", it.name);
                    for output in &otherwise.outputs {
                        let output = output.replacen('(', ".receive(", 1);
                        let _ = writeln!(text, "    [] {output} {{ setverdict(inconc); }}");
                    }
                    let silence = if otherwise.silence { "inconc" } else { "fail" };
                    let _ = writeln!(
                        text,
                        "    [] any port.receive {{ setverdict(fail); }}\n    \
                         [] quiescence.timeout {{ setverdict({silence}); }}\n  }}"
                    );
                }
                TestEvent::Silence { otherwise } => {
                    text.push_str("  alt {\n    [] quiescence.timeout { }\n");
                    for output in otherwise {
                        let output = output.replacen('(', ".receive(", 1);
                        let _ = writeln!(text, "    [] {output} {{ setverdict(inconc); }}");
                    }
                    text.push_str("    [] any port.receive { setverdict(fail); }\n  }\n");
                }
            }
        }
        text.push_str("  setverdict(pass);\n}\n");
        text
    }
}
