//! Test cases: a small set of paths that reaches the goals, each with concrete
//! inputs and conditions on the outputs.
//!
//! [`test_cases`] chooses the paths and makes the tests, one after the other, so
//! that a finished test can be kept before the next is begun. A test is stored as
//! JSON ([`TestFile`]), and exported as a TTCN-3 module, a script or a sequence chart.

mod boundary;
mod data;
mod file;
mod generate;
mod interval;
mod script;
mod timing;
pub mod ttcn;

pub use data::Data;
pub use file::{PayloadError, StepError, TestError, TestFile};
pub use generate::{missed, test_cases, traced};
pub use script::ScriptError;
pub use timing::Timing;

pub(crate) use boundary::{Boundaries, TakenInput, beside};
pub(crate) use file::leaves;
pub(crate) use generate::{made, without_reaction};

use crate::execution::Move;
use crate::model::Model;
use crate::output::{Open, Output};
use crate::render::{payload_text, step_name};
use term::Value;

/// A test case.
#[derive(Clone, PartialEq, Debug)]
pub struct TestCase {
    /// Its name.
    pub name: String,
    /// The goals it is there for.
    pub goals: Vec<String>,
    /// Its steps.
    pub steps: Vec<TestStep>,
}

impl TestCase {
    /// Its steps as traces show them.
    pub fn lines(&self, model: &Model) -> Vec<String> {
        let shown = |channel: usize, sign: char, values: &[Value]| {
            let it = &model.channels[channel];
            format!("{}{sign}({})", it.name, payload_text(&it.payload, values))
        };
        let lines = self.steps.iter().map(|step| match &step.event {
            TestEvent::Internal => {
                let name = step.step.map(|step| step_name(model, step));
                format!("tau ({})", name.unwrap_or_default())
            }
            TestEvent::Input { channel, values } => shown(*channel, '?', values),
            TestEvent::Output {
                channel, values, ..
            } => shown(*channel, '!', values),
            TestEvent::Silence { .. } => "silence".to_owned(),
        });
        lines.collect()
    }
}

/// A step of a test case.
#[derive(Clone, PartialEq, Debug)]
pub struct TestStep {
    /// The transitions the model takes; none for a silence.
    pub step: Option<Move>,
    /// What tester and system exchange.
    pub event: TestEvent,
}

/// What tester and system exchange.
#[derive(Clone, PartialEq, Debug)]
pub enum TestEvent {
    /// Nothing.
    Internal,
    /// The tester sends this.
    Input {
        /// The channel's number.
        channel: usize,
        /// The leaves of the values.
        values: Vec<Value>,
    },
    /// The system should send this.
    Output {
        /// The channel's number.
        channel: usize,
        /// The leaves of the values, as the model predicts them.
        values: Vec<Value>,
        /// What else they may be; none where only these values will do.
        open: Option<Open>,
        /// What may come instead.
        otherwise: Otherwise,
    },
    /// The system should send nothing, which tells where it is.
    Silence {
        /// What may come instead.
        otherwise: Otherwise,
    },
}

/// What the model allows a system to do instead of what a test expects. The test is
/// then inconclusive; everything else is a failure.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Otherwise {
    /// Other outputs.
    pub outputs: Vec<Output>,
    /// Outputs that may have been under way when the inputs before were sent.
    pub late: Vec<Output>,
    /// Whether it may be silent.
    pub silence: bool,
}

impl Otherwise {
    /// All outputs that are no failure.
    pub fn all(&self) -> impl Iterator<Item = &Output> {
        self.outputs.iter().chain(&self.late)
    }

    /// Whether there are any.
    pub fn is_open(&self) -> bool {
        self.all().next().is_some()
    }
}

/// Whether the next thing that anybody notices is an output.
pub(crate) fn is_answered(steps: &[TestStep]) -> bool {
    let noticed = steps.iter().map(|step| &step.event);
    let mut noticed = noticed.filter(|event| !matches!(event, TestEvent::Internal));
    matches!(noticed.next(), Some(TestEvent::Output { .. }))
}
