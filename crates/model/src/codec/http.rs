//! HTTP with JSON: inputs are requests, outputs are responses.
//!
//! `pin = "POST /cards/{}/pin"` sends a request; the values that have no place in its path are
//! the fields of a JSON object in its body. `refused = 403` is a response with that status, whose
//! body is a JSON object with the values by their names.

use super::{Carried, Message, Template};
use serde_json::{Map, Value as Json};

/// How a channel is carried.
#[derive(Clone, PartialEq, Debug)]
pub enum Exchange {
    /// As a request.
    Request {
        /// The channel.
        carried: Carried,
        /// The method: `POST`.
        method: String,
        /// The path, with places for the first values.
        path: Template,
    },
    /// As a response with this status.
    Response {
        /// The channel.
        carried: Carried,
        /// The status: 200.
        status: u16,
    },
}

/// A response as it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    status: u16,
    body: Vec<u8>,
}

impl Exchange {
    /// The bytes of the request that a message is; none if it is none.
    pub(super) fn request(&self, message: &Message, host: &str) -> Option<Result<Vec<u8>, String>> {
        let Exchange::Request {
            carried,
            method,
            path,
        } = self
        else {
            return None;
        };
        if carried.channel != message.channel {
            return None;
        }
        let (in_path, in_body) = message
            .values
            .split_at(path.places().min(message.values.len()));
        let quoted: Vec<Json> = in_path.iter().map(quoted).collect();
        let names = carried.payload[in_path.len()..].iter();
        let fields = names.zip(in_body);
        let fields: Map<String, Json> = fields
            .map(|((name, _), value)| (name.clone(), value.clone()))
            .collect();
        let body = match fields.is_empty() {
            true => String::new(),
            false => Json::Object(fields).to_string(),
        };
        let path = path.filled(&quoted);
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAccept: \
             application/json\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        Some(Ok((head + &body).into_bytes()))
    }

    /// The message that a response is; none if it is none of this channel.
    pub(super) fn decoded(&self, response: &Response) -> Option<Message> {
        let Exchange::Response { carried, status } = self else {
            return None;
        };
        if *status != response.status {
            return None;
        }
        let mut values = Vec::new();
        if !carried.payload.is_empty() {
            let body: Map<String, Json> = serde_json::from_slice(&response.body).ok()?;
            for (name, _) in &carried.payload {
                values.push(body.get(name)?.clone());
            }
        }
        Some(Message {
            channel: carried.channel.clone(),
            values,
        })
    }
}

impl Response {
    /// The response that these bytes are, all that came before the connection was closed.
    pub fn parsed(bytes: &[u8]) -> Option<Response> {
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let mut first = lines.next()?.split(' ');
        first
            .next()
            .filter(|version| version.starts_with("HTTP/1."))?;
        let status = first.next()?.parse().ok()?;
        let body = &bytes[end + 4..];
        let is_chunked = lines.clone().any(|line| {
            let line = line.to_ascii_lowercase();
            line.starts_with("transfer-encoding:") && line.contains("chunked")
        });
        let body = match is_chunked {
            true => unchunked(body)?,
            false => body.to_vec(),
        };
        Some(Response { status, body })
    }
}

/// A body that came in chunks, each with its length in hexadecimal digits before it.
fn unchunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|it| it == b"\r\n")?;
        let size = std::str::from_utf8(&rest[..end]).ok()?;
        let size = usize::from_str_radix(size.split(';').next()?.trim(), 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend(rest.get(end + 2..(end + 2).checked_add(size)?)?);
        rest = rest.get(end + size + 4..)?;
    }
}

/// A value as a path has it, with what means something there escaped.
fn quoted(value: &Json) -> Json {
    let text = match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut quoted = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                quoted.push(char::from(byte));
            }
            _ => quoted += &format!("%{byte:02X}"),
        }
    }
    Json::String(quoted)
}
