//! Systems under test: a process that speaks JSON lines, or a TCP socket.
//!
//! A message is one line, `{"channel": "out", "values": ["ok", 30]}`. What is no
//! such line is passed on as it is; the runner decides what it means.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Lines longer than this are no messages.
const LINE: u64 = 1 << 20;

/// How long each address of a name is tried.
const CONNECTING: Duration = Duration::from_secs(5);

/// Where systems come from: each test gets a fresh one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A program and its arguments.
    Process(Vec<String>),
    /// A host and a port.
    Tcp(String),
}

/// Reads `tcp://HOST:PORT`, or a command.
impl std::str::FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Source, String> {
        if let Some(address) = text.strip_prefix("tcp://") {
            let port = address
                .rsplit_once(':')
                .filter(|(host, _)| !host.is_empty());
            return match port.map(|(_, port)| port.parse::<u16>()) {
                Some(Ok(_)) => Ok(Source::Tcp(address.to_owned())),
                _ => Err(format!("`{text}` is not of the form tcp://HOST:PORT")),
            };
        }
        words(text).map(Source::Process)
    }
}

/// The words of a command, of which there is at least one; quotes and backslashes
/// mean what they mean to a shell.
pub(crate) fn words(command: &str) -> Result<Vec<String>, String> {
    match shlex::split(command) {
        Some(words) if words.is_empty() => Err("the command is empty".to_owned()),
        Some(words) => Ok(words),
        None => Err(format!(
            "the command `{command}` has a quote that is not closed"
        )),
    }
}

/// What came from a system.
#[derive(Clone, PartialEq, Debug)]
pub enum Received {
    /// A message.
    Message {
        /// The channel.
        channel: String,
        /// The values.
        values: Vec<Json>,
    },
    /// A line that is no message.
    Nonsense(String),
    /// Nothing, for as long as was waited.
    Quiet,
    /// The end, and how it came.
    Ended(String),
}

/// A system under test.
pub struct System {
    writer: Writer,
    lines: Receiver<String>,
    carrier: Carrier,
}

/// What carries the messages.
enum Carrier {
    Process(Child),
    Connection(TcpStream),
}

/// Writes lines in a thread of its own, since a system that does not read them
/// would stop whoever writes.
struct Writer {
    lines: Sender<String>,
    written: Receiver<std::io::Result<()>>,
}

impl System {
    /// A fresh system; an error says why there is none.
    pub fn start(source: &Source) -> Result<System, String> {
        match source {
            Source::Process(words) => {
                let mut child = Command::new(&words[0])
                    .args(&words[1..])
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null())
                    .spawn()
                    .map_err(|error| format!("`{}` does not start: {error}", words[0]))?;
                let writer = child.stdin.take().expect("it was piped");
                let reader = child.stdout.take().expect("it was piped");
                Ok(System {
                    writer: Writer::new(writer),
                    lines: reading(reader),
                    carrier: Carrier::Process(child),
                })
            }
            Source::Tcp(address) => {
                let stream = connected(address)
                    .map_err(|error| format!("there is no connection to {address}: {error}"))?;
                let copy = || stream.try_clone().map_err(|error| error.to_string());
                let (reader, writer) = (copy()?, copy()?);
                // Messages are short and each is waited for.
                let _ = stream.set_nodelay(true);
                Ok(System {
                    writer: Writer::new(writer),
                    lines: reading(reader),
                    carrier: Carrier::Connection(stream),
                })
            }
        }
    }

    /// Sends a message; an error says that the system hears nothing any more, or
    /// takes longer than `patience` to read.
    pub fn send(
        &mut self,
        channel: &str,
        values: &[Json],
        patience: Duration,
    ) -> Result<(), String> {
        let line = json!({"channel": channel, "values": values});
        let error = match self.writer.write(format!("{line}\n"), patience) {
            Some(Ok(())) => return Ok(()),
            Some(Err(error)) => error.to_string(),
            None => return Err(format!("the system does not read within {patience:?}")),
        };
        Err(match self.ended() {
            Some(how) => how,
            None => format!("the system hears nothing any more: {error}"),
        })
    }

    /// Waits for a line.
    pub fn receive(&mut self, patience: Duration) -> Received {
        match self.lines.recv_timeout(patience) {
            Ok(line) => parsed(&line),
            Err(RecvTimeoutError::Timeout) => Received::Quiet,
            Err(RecvTimeoutError::Disconnected) => {
                let how = self
                    .ended()
                    .unwrap_or_else(|| "the system closed its output".to_owned());
                Received::Ended(how)
            }
        }
    }

    /// How the process ended, if it is about to.
    fn ended(&mut self) -> Option<String> {
        let Carrier::Process(child) = &mut self.carrier else {
            return None;
        };
        for _ in 0..20 {
            if let Ok(Some(status)) = child.try_wait() {
                return Some(format!("the system ended with {status}"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl Drop for System {
    fn drop(&mut self) {
        // It may have ended by itself; either way it is gone afterwards.
        match &mut self.carrier {
            Carrier::Process(child) => {
                let _ = child.kill();
                let _ = child.wait();
            }
            // The threads that read and write have copies of it.
            Carrier::Connection(stream) => {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }
}

impl Writer {
    fn new(mut to: impl Write + Send + 'static) -> Writer {
        let (lines, taken) = channel::<String>();
        let (done, written) = channel();
        std::thread::spawn(move || {
            for line in taken {
                let result = to.write_all(line.as_bytes()).and_then(|()| to.flush());
                if done.send(result).is_err() {
                    return;
                }
            }
        });
        Writer { lines, written }
    }

    /// How writing went; none if it takes too long.
    fn write(&self, line: String, patience: Duration) -> Option<std::io::Result<()>> {
        let gone = || Some(Err(std::io::ErrorKind::BrokenPipe.into()));
        if self.lines.send(line).is_err() {
            return gone();
        }
        match self.written.recv_timeout(patience) {
            Ok(result) => Some(result),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => gone(),
        }
    }
}

/// A connection to the first of the address's places that answers.
fn connected(address: &str) -> std::io::Result<TcpStream> {
    let mut failure = std::io::Error::other("the name stands for no address");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECTING) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn reading(reader: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        loop {
            let mut bytes = Vec::new();
            let read = reader.by_ref().take(LINE).read_until(b'\n', &mut bytes);
            let whole = read.is_ok_and(|length| length > 0);
            let line = String::from_utf8_lossy(&bytes).trim().to_owned();
            if !whole || !line.is_empty() && sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn parsed(line: &str) -> Received {
    let json: Option<Json> = serde_json::from_str(line).ok();
    let message = json.and_then(|json| {
        let values = match &json["values"] {
            Json::Null => Vec::new(),
            Json::Array(values) => values.clone(),
            _ => return None,
        };
        Some(Received::Message {
            channel: json["channel"].as_str()?.to_owned(),
            values,
        })
    });
    message.unwrap_or_else(|| Received::Nonsense(line.chars().take(200).collect()))
}
