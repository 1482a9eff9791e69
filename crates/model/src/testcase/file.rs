//! A test on disk: JSON with names for numbers, so that people can read and edit it.

use super::{Otherwise, TestCase, TestEvent, TestStep};
use crate::execution::Move;
use crate::model::{Model, requirements};
use crate::output::{Open, Output, Payload};
use crate::render::{payload_json, step_name};
use crate::value::{ValueError, from_json};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use term::Value;

/// The version of the format. The first had outputs as text.
const SCHEMA: u32 = 2;

/// A test as it is written to a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TestFile {
    /// The version of the format.
    #[serde(default = "schema")]
    schema: u32,
    name: String,
    #[serde(default)]
    goals: Vec<String>,
    /// The requirements of the transitions it takes; not read.
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    requirements: Vec<String>,
    steps: Vec<StepFile>,
    /// When each verdict is given, for whoever opens the file; not read.
    #[serde(default, skip_deserializing)]
    pass: String,
    #[serde(default, skip_deserializing)]
    fail: String,
    #[serde(default, skip_deserializing)]
    inconclusive: String,
}

fn schema() -> u32 {
    SCHEMA
}

/// A step of a test as it is written to a file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct StepFile {
    /// The transitions, with ` | ` between sender and receiver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transition: Option<String>,
    /// The channel of what the tester sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    /// The channel of what the system should send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    /// Whether the system should send nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    silence: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Json>>,
    /// What else the values may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open: Option<Open>,
    /// What `open` was before, as text.
    #[serde(default, skip_serializing)]
    condition: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inconclusive: Option<OtherwiseFile>,
}

/// What may come instead, as it is written to a file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct OtherwiseFile {
    #[serde(default)]
    outputs: Vec<OutputFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    late: Vec<OutputFile>,
    #[serde(default)]
    silence: bool,
}

/// An output as it is written to a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum OutputFile {
    Values {
        output: String,
        values: Vec<Json>,
    },
    Open {
        output: String,
        open: Open,
    },
    /// The first version wrote all of it as text.
    Text(String),
}

/// Why a file is no test of a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TestError {
    /// It was written by another version.
    #[error("the schema {0} is not known; there are 1 to {SCHEMA}")]
    Schema(u32),
    /// A step names what the model does not have.
    #[error("step {number}: {problem}")]
    Step {
        /// The step, counted from one.
        number: usize,
        /// What is wrong with it.
        problem: StepError,
    },
}

/// Why a step is none of a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StepError {
    /// It takes a transition that is not there.
    #[error("the model has no transition `{0}`")]
    Transition(String),
    /// It uses a channel that is not there.
    #[error("the model has no channel `{0}`")]
    Channel(String),
    /// It is several of input, output and silence at once.
    #[error("it is one of `input`, `output` and `silence`, not several")]
    SeveralKinds,
    /// It is no silence, and takes no transition.
    #[error("it has no `transition`")]
    NoTransition,
    /// The values are not those of the channel.
    #[error(transparent)]
    Payload(PayloadError),
}

/// Why values do not go through a channel.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PayloadError {
    /// There are too few or too many.
    #[error("`{channel}` has {expected} values, not {found}")]
    Count {
        /// The channel.
        channel: String,
        /// How many it has.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// One has another type.
    #[error("`{channel}`: {problem}")]
    Value {
        /// The channel.
        channel: String,
        /// What is wrong with the value.
        problem: ValueError,
    },
}

impl TestCase {
    /// The test as it is written to a file; [`TestCase::from_file`] is the reverse.
    pub fn to_file(&self, model: &Model) -> TestFile {
        let steps = self.steps.iter().map(|step| {
            let mut file = StepFile {
                transition: step.step.map(|step| step_name(model, step)),
                ..StepFile::default()
            };
            let payload = |channel: usize, values: &[Value]| {
                Some(payload_json(&model.channels[channel].payload, values))
            };
            let name = |channel: usize| model.channels[channel].name.clone();
            match &step.event {
                TestEvent::Internal => {}
                TestEvent::Input { channel, values } => {
                    file.input = Some(name(*channel));
                    file.values = payload(*channel, values);
                }
                TestEvent::Output {
                    channel,
                    values,
                    open,
                    otherwise,
                } => {
                    file.output = Some(name(*channel));
                    file.values = payload(*channel, values);
                    file.open = open.clone();
                    file.inconclusive = Some(otherwise_file(model, otherwise));
                }
                TestEvent::Silence { otherwise } => {
                    file.silence = true;
                    file.inconclusive = Some(otherwise_file(model, otherwise));
                }
            }
            file
        });
        TestFile {
            schema: SCHEMA,
            name: self.name.clone(),
            goals: self.goals.clone(),
            requirements: self.requirements(model),
            steps: steps.collect(),
            pass: "every output and every silence comes as its step says".to_owned(),
            fail: "an output or a silence that its step neither expects nor lists as \
                   inconclusive; or the system crashed, or took no more inputs"
                .to_owned(),
            inconclusive: "an output or a silence that its step lists as such".to_owned(),
        }
    }

    /// The requirements of the transitions that it takes.
    pub(super) fn requirements(&self, model: &Model) -> Vec<String> {
        let steps = self.steps.iter().filter_map(|step| step.step);
        requirements(model, steps.flat_map(Move::transitions))
    }

    /// The test that a file says.
    ///
    /// # Errors
    ///
    /// When the file is of another version, or of another model.
    pub fn from_file(model: &Model, file: &TestFile) -> Result<TestCase, TestError> {
        if file.schema == 0 || file.schema > SCHEMA {
            return Err(TestError::Schema(file.schema));
        }
        let mut steps = Vec::new();
        for (index, step) in file.steps.iter().enumerate() {
            let step = step_from_file(model, step).map_err(|problem| TestError::Step {
                number: index + 1,
                problem,
            })?;
            steps.push(step);
        }
        Ok(TestCase {
            name: file.name.clone(),
            goals: file.goals.clone(),
            steps,
        })
    }
}

fn step_from_file(model: &Model, file: &StepFile) -> Result<TestStep, StepError> {
    let transition = |name: &str| {
        let number = model.transition(name);
        number.ok_or_else(|| StepError::Transition(name.to_owned()))
    };
    let step = match &file.transition {
        None => None,
        Some(names) => {
            let (first, second) = match names.split_once(" | ") {
                Some((sender, receiver)) => (sender, Some(transition(receiver)?)),
                None => (&names[..], None),
            };
            let first = transition(first)?;
            Some(Move { first, second })
        }
    };
    if step.is_none() != file.silence {
        return Err(match file.silence {
            true => StepError::SeveralKinds,
            false => StepError::NoTransition,
        });
    }
    let payload = |name: &str| -> Result<(usize, Vec<Value>), StepError> {
        let channel = channel_named(model, name)?;
        let values = file.values.as_deref().unwrap_or_default();
        let values = leaves(model, channel, values).map_err(StepError::Payload)?;
        Ok((channel, values))
    };
    let otherwise = match &file.inconclusive {
        Some(otherwise) => otherwise_from_file(model, otherwise)?,
        None => Otherwise::default(),
    };
    let event = match (&file.input, &file.output, file.silence) {
        (Some(_), Some(_), _) | (Some(_), _, true) | (_, Some(_), true) => {
            return Err(StepError::SeveralKinds);
        }
        (None, None, true) => TestEvent::Silence { otherwise },
        (Some(name), None, false) => {
            let (channel, values) = payload(name)?;
            TestEvent::Input { channel, values }
        }
        (None, Some(name), false) => {
            let (channel, values) = payload(name)?;
            TestEvent::Output {
                channel,
                values,
                open: file.open.clone().or_else(|| {
                    let condition = file.condition.as_deref();
                    condition.map(open_as_text)
                }),
                otherwise,
            }
        }
        (None, None, false) => TestEvent::Internal,
    };
    Ok(TestStep { step, event })
}

fn otherwise_file(model: &Model, otherwise: &Otherwise) -> OtherwiseFile {
    let written = |output: &Output| {
        let it = &model.channels[output.channel];
        match &output.payload {
            Payload::Values(values) => OutputFile::Values {
                output: it.name.clone(),
                values: payload_json(&it.payload, values),
            },
            Payload::Open(open) => OutputFile::Open {
                output: it.name.clone(),
                open: open.clone(),
            },
        }
    };
    OtherwiseFile {
        outputs: otherwise.outputs.iter().map(written).collect(),
        late: otherwise.late.iter().map(written).collect(),
        silence: otherwise.silence,
    }
}

fn otherwise_from_file(model: &Model, file: &OtherwiseFile) -> Result<Otherwise, StepError> {
    let all = |files: &[OutputFile]| {
        let outputs = files.iter().map(|it| output_from_file(model, it));
        outputs.collect::<Result<Vec<Output>, StepError>>()
    };
    Ok(Otherwise {
        outputs: all(&file.outputs)?,
        late: all(&file.late)?,
        silence: file.silence,
    })
}

fn output_from_file(model: &Model, file: &OutputFile) -> Result<Output, StepError> {
    let name = match file {
        OutputFile::Values { output, .. } | OutputFile::Open { output, .. } => output,
        OutputFile::Text(text) => text.split('(').next().unwrap_or_default(),
    };
    let channel = channel_named(model, name)?;
    let payload = match file {
        OutputFile::Values { values, .. } => {
            Payload::Values(leaves(model, channel, values).map_err(StepError::Payload)?)
        }
        OutputFile::Open { open, .. } => Payload::Open(open.clone()),
        OutputFile::Text(text) => Payload::Open(open_as_text(&text[name.len()..])),
    };
    Ok(Output { channel, payload })
}

/// What a file of the first version says of values: text, which is not read, so that whatever
/// comes on the channel is one of them.
fn open_as_text(text: &str) -> Open {
    Open {
        values: text.to_owned(),
        condition: None,
    }
}

fn channel_named(model: &Model, name: &str) -> Result<usize, StepError> {
    let channel = model.channel(name);
    channel.ok_or_else(|| StepError::Channel(name.to_owned()))
}

/// The leaves of values that go through a channel.
///
/// # Errors
///
/// When they are not of the channel's types.
pub(crate) fn leaves(
    model: &Model,
    channel: usize,
    values: &[Json],
) -> Result<Vec<Value>, PayloadError> {
    let it = &model.channels[channel];
    if values.len() != it.payload.len() {
        return Err(PayloadError::Count {
            channel: it.name.clone(),
            expected: it.payload.len(),
            found: values.len(),
        });
    }
    let mut leaves = Vec::new();
    for (ty, value) in it.payload.iter().zip(values) {
        let value = from_json(ty, value).map_err(|problem| PayloadError::Value {
            channel: it.name.clone(),
            problem,
        })?;
        leaves.extend(value);
    }
    Ok(leaves)
}
