//! Outputs that the model allows. They are compared as values; text is made of them in one
//! place, for people alone.

use crate::execution::Executor;
use crate::model::Model;
use crate::render::{message_text, open_values};
use serde::{Deserialize, Serialize};
use std::fmt;
use term::{Term, Value};

/// An output that the model allows.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// The channel's number.
    pub channel: usize,
    /// What goes through it.
    pub payload: Payload,
}

/// What an output carries.
#[derive(Clone, PartialEq, Debug)]
pub enum Payload {
    /// The leaves of these values.
    Values(Vec<Value>),
    /// Values that the model leaves open.
    Open(Open),
}

/// Values that the model leaves open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Open {
    /// The values, as terms over what is open.
    pub values: String,
    /// What holds of them; none where any will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.condition {
            Some(condition) => write!(f, "({}) where {condition}", self.values),
            None => write!(f, "({}) for any values", self.values),
        }
    }
}

impl Payload {
    /// What these terms are under the conditions of a path.
    pub(crate) fn of(executor: &mut Executor<'_, '_>, terms: &[Term], path: &[Term]) -> Payload {
        let known = terms.iter().map(|&term| executor.store.as_value(term));
        if let Some(values) = known.collect::<Option<Vec<Value>>>() {
            return Payload::Values(values);
        }
        let (values, conditions) = open_values(&mut executor.store, terms, path);
        Payload::Open(Open {
            values,
            condition: Some(conditions).filter(|it| !it.is_empty()),
        })
    }
}

impl Output {
    /// Whether this message is one of those that it stands for. Of values that are open it is
    /// said of each, since what holds of them is known for people alone.
    pub(crate) fn may_be(&self, channel: usize, values: &[Value]) -> bool {
        self.channel == channel
            && match &self.payload {
                Payload::Values(own) => own == values,
                Payload::Open(_) => true,
            }
    }

    /// The output for people.
    pub fn text(&self, model: &Model) -> String {
        match &self.payload {
            Payload::Values(values) => message_text(model, self.channel, values),
            Payload::Open(open) => format!("{}{open}", model.channels[self.channel].name),
        }
    }
}

/// Several outputs for people, one of which should come.
pub(crate) fn either(model: &Model, outputs: &[Output]) -> String {
    let texts: Vec<String> = outputs.iter().map(|output| output.text(model)).collect();
    texts.join(" or ")
}
