//! How messages look on the wire, as the model file says it.
//!
//! Without a `codec` a message is a line of JSON. With one, a real system can be tested that
//! speaks otherwise: lines of text with values in them ([`lines`]), binary frames with their
//! length before them ([`frames`]), or HTTP with JSON bodies ([`http`]). A codec only
//! translates; which bytes belong together is for [`crate::system`], which needs to know no
//! more than the [`Framing`].

mod frames;
mod http;
mod lines;

use crate::types::Type;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

pub use frames::{Frame, FrameError};
pub use http::{Exchange, Response};
pub use lines::{Line, Template, TemplateError};

/// How messages look on the wire.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Codec {
    /// Each is a line of JSON.
    #[default]
    Json,
    /// Each is a line of text.
    Lines(Vec<Line>),
    /// Each is a frame with so many bytes of length before it.
    Frames(usize, Vec<Frame>),
    /// Inputs are requests, outputs are responses.
    Http(Vec<Exchange>),
}

/// Which bytes of a stream are one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framing {
    /// A line.
    Lines,
    /// As many as the number before them says, which has so many bytes.
    Length(usize),
    /// All that come before the connection is closed.
    Connection,
}

/// A channel as codecs know it.
#[derive(Clone, PartialEq, Debug)]
pub struct Carried {
    /// The channel's name.
    pub channel: String,
    /// Names and types of what goes through it.
    pub payload: Vec<(String, Type)>,
}

/// A message: the channel's name and what goes through it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// The channel's name.
    pub channel: String,
    /// The values; a line of JSON may leave them out.
    #[serde(default, deserialize_with = "or_none")]
    pub values: Vec<Json>,
}

fn or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Json>, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

impl Codec {
    /// Which bytes are one message.
    pub fn framing(&self) -> Framing {
        match self {
            Codec::Json | Codec::Lines(_) => Framing::Lines,
            Codec::Frames(length, _) => Framing::Length(*length),
            Codec::Http(_) => Framing::Connection,
        }
    }

    /// The bytes of a message to a system at this address, framing included.
    ///
    /// # Errors
    ///
    /// Says why the message cannot be sent so.
    pub fn encoded(&self, message: &Message, address: &str) -> Result<Vec<u8>, String> {
        let unknown = || format!("the codec does not say how `{}` is sent", message.channel);
        match self {
            Codec::Json => {
                let line = serde_json::to_string(message).expect("names and JSON values are JSON");
                Ok((line + "\n").into_bytes())
            }
            Codec::Lines(lines) => {
                let mut lines = lines.iter();
                let line = lines.find(|line| line.carried.channel == message.channel);
                line.ok_or_else(unknown)?.encoded(&message.values)
            }
            Codec::Frames(length, frames) => {
                let mut frames = frames.iter();
                let frame = frames.find(|frame| frame.carried.channel == message.channel);
                frame.ok_or_else(unknown)?.encoded(&message.values, *length)
            }
            Codec::Http(exchanges) => {
                let mut exchanges = exchanges.iter();
                let request = exchanges.find_map(|it| it.request(message, address));
                request.ok_or_else(unknown)?
            }
        }
    }

    /// The message that these bytes are; none if they are no message.
    pub fn decoded(&self, bytes: &[u8]) -> Option<Message> {
        match self {
            Codec::Json => serde_json::from_slice(bytes).ok(),
            Codec::Lines(lines) => {
                let text = std::str::from_utf8(bytes).ok()?;
                lines.iter().find_map(|line| line.decoded(text))
            }
            Codec::Frames(_, frames) => frames.iter().find_map(|frame| frame.decoded(bytes)),
            Codec::Http(exchanges) => {
                let response = Response::parsed(bytes)?;
                exchanges.iter().find_map(|it| it.decoded(&response))
            }
        }
    }
}
