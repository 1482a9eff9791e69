//! As much of HTTP as the page of a run needs: one request on a connection, and its answer.

use crate::page;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// No request of a browser is longer.
const LONGEST: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
/// How long somebody may take to ask, and to take the answer.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    Get,
    Post,
}

#[derive(PartialEq, Eq, Debug)]
pub struct Request {
    pub method: Method,
    pub path: String,
    /// Empty where there is none.
    pub host: String,
    pub origin: Option<String>,
}

impl Request {
    /// Reads a request; none where it is not one, or not one that can be answered.
    pub fn read(stream: &mut TcpStream) -> io::Result<Option<Request>> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            let count = stream.read(&mut chunk)?;
            bytes.extend_from_slice(&chunk[..count]);
            match Request::parse(&bytes) {
                Parsed::Whole(request) => return Ok(Some(request)),
                Parsed::Part if count > 0 && bytes.len() < LONGEST => {}
                Parsed::Part | Parsed::Wrong => return Ok(None),
            }
        }
    }

    fn parse(bytes: &[u8]) -> Parsed {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        match parsed.parse(bytes) {
            Ok(httparse::Status::Complete(_)) => {}
            Ok(httparse::Status::Partial) => return Parsed::Part,
            Err(_) => return Parsed::Wrong,
        }
        let method = match parsed.method {
            Some("GET") => Method::Get,
            Some("POST") => Method::Post,
            _ => return Parsed::Wrong,
        };
        // A header that is there twice has no one meaning.
        let value = |name: &str| -> Result<Option<String>, ()> {
            let mut values =
                (parsed.headers.iter()).filter(|it| it.name.eq_ignore_ascii_case(name));
            match (values.next(), values.next()) {
                (Some(one), None) => match std::str::from_utf8(one.value) {
                    Ok(text) => Ok(Some(text.to_owned())),
                    Err(_) => Err(()),
                },
                (None, _) => Ok(None),
                (Some(_), Some(_)) => Err(()),
            }
        };
        match (value("host"), value("origin")) {
            (Ok(host), Ok(origin)) => Parsed::Whole(Request {
                method,
                path: parsed.path.unwrap_or_default().to_owned(),
                host: host.unwrap_or_default(),
                origin,
            }),
            _ => Parsed::Wrong,
        }
    }
}

enum Parsed {
    Whole(Request),
    /// More is to come.
    Part,
    Wrong,
}

/// An answer.
pub struct Response {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Response {
    pub fn html(page: &str) -> Response {
        Response {
            status: 200,
            kind: "text/html; charset=utf-8",
            body: page.as_bytes().to_vec(),
        }
    }

    pub fn json(body: Vec<u8>) -> Response {
        Response {
            status: 200,
            kind: "application/json",
            body,
        }
    }

    pub fn text(status: u16, text: &str) -> Response {
        Response {
            status,
            kind: "text/plain; charset=utf-8",
            body: format!("{text}\n").into_bytes(),
        }
    }

    pub fn nothing() -> Response {
        Response {
            status: 204,
            kind: "text/plain; charset=utf-8",
            body: Vec::new(),
        }
    }

    pub fn write(&self, stream: &mut TcpStream) -> io::Result<()> {
        let head = format!(
            "{}Content-Length: {}\r\n\r\n",
            head(self.status, self.kind),
            self.body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(&self.body)?;
        stream.flush()
    }
}

/// Begins an answer to which events are added as they happen.
pub fn begin_events(stream: &mut TcpStream) -> io::Result<()> {
    let head = format!("{}\r\n", head(200, "text/event-stream"));
    stream.write_all(head.as_bytes())
}

/// The first lines of every answer: nothing is kept, and no other page may show it.
fn head(status: u16, kind: &str) -> String {
    let reason = match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        _ => "Not Found",
    };
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nCache-Control: no-store\r\n\
         Content-Security-Policy: {}; frame-ancestors 'none'\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n",
        page::policy(true)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<Request> {
        match Request::parse(text.as_bytes()) {
            Parsed::Whole(request) => Some(request),
            Parsed::Part | Parsed::Wrong => None,
        }
    }

    #[test]
    fn a_request_says_what_it_wants_of_whom_and_from_where() {
        assert_eq!(
            parsed("POST /t/stop HTTP/1.1\r\nhost: a:1\r\nOrigin: http://b\r\n\r\n"),
            Some(Request {
                method: Method::Post,
                path: "/t/stop".to_owned(),
                host: "a:1".to_owned(),
                origin: Some("http://b".to_owned()),
            })
        );
    }

    #[test]
    fn a_header_that_is_there_twice_is_refused() {
        assert_eq!(parsed("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), None);
    }

    #[test]
    fn what_is_no_request_is_none() {
        for text in [
            "",
            "GET /",
            "\0\0\0\0",
            "DELETE / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\n: x\r\n\r\n",
        ] {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }
}
