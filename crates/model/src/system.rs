//! Systems under test: a process that speaks JSON lines, or a TCP socket.
//!
//! A message is one line, `{"channel": "out", "values": ["ok", 30]}`. What is no
//! such line is passed on as it is; the runner decides what it means.
//!
//! Everything that may block, connecting, reading and writing, is done by threads of
//! its own, and waited for no longer than the stop token allows.

use crate::command_line::{CommandError, CommandLine};
use crate::wait::{self, Silence};
use base::Stop;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Lines longer than this are no messages.
const LINE: u64 = 1 << 20;

/// Characters of a malformed line that are shown.
const SHOWN: usize = 200;

/// How long each address of a name is tried.
const CONNECTING: Duration = Duration::from_secs(5);

/// Where systems come from: each test gets a fresh one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A program and its arguments.
    Process(CommandLine),
    /// A host and a port.
    Tcp(String),
}

/// Why a text names no system.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SourceError {
    /// It is no address.
    #[error("`{0}` is not of the form tcp://HOST:PORT")]
    Address(String),
    /// It is no command.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// Reads `tcp://HOST:PORT`, or a command.
impl std::str::FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Source, SourceError> {
        let Some(address) = text.strip_prefix("tcp://") else {
            return Ok(Source::Process(text.parse()?));
        };
        let port = address
            .rsplit_once(':')
            .filter(|(host, _)| !host.is_empty());
        match port.map(|(_, port)| port.parse::<u16>()) {
            Some(Ok(_)) => Ok(Source::Tcp(address.to_owned())),
            Some(Err(_)) | None => Err(SourceError::Address(text.to_owned())),
        }
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
    Malformed(String),
    /// Nothing, for as long as was waited.
    Quiet,
    /// The end, and how it came.
    Ended(Ending),
    /// Nothing before the run was stopped.
    Stopped,
}

/// How a system ended.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Ending {
    /// The process ended.
    #[error("the system ended with {0}")]
    Exit(ExitStatus),
    /// The connection or the pipe was closed.
    #[error("the system closed its output")]
    Closed,
}

/// Why there is no system to test.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program does not run.
    #[error("`{program}` does not start: {error}")]
    Program {
        /// The program.
        program: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// Nobody answers at the address.
    #[error("there is no connection to {address}: {error}")]
    Connection {
        /// The address.
        address: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// The run was stopped meanwhile.
    #[error("the run was stopped")]
    Stopped,
}

/// Why a message did not reach the system.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// It is not there any more.
    #[error(transparent)]
    Ended(Ending),
    /// It reads no more.
    #[error("the system does not read any more: {0}")]
    Closed(io::Error),
    /// It does not read in time.
    #[error("the system does not read within {0:?}")]
    Slow(Duration),
    /// The run was stopped meanwhile.
    #[error("the run was stopped")]
    Stopped,
}

/// A message as a line of JSON.
#[derive(Serialize, Deserialize)]
struct Message {
    channel: String,
    #[serde(default)]
    values: Option<Vec<Json>>,
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
/// would block whoever writes.
struct Writer {
    lines: Sender<String>,
    written: Receiver<io::Result<()>>,
}

impl System {
    /// A fresh system.
    ///
    /// # Errors
    ///
    /// When it does not start, or the token is set before it did.
    pub fn start(source: &Source, stop: &Stop) -> Result<System, StartError> {
        match source {
            Source::Process(command) => {
                let spawned = Command::new(&command.program)
                    .args(&command.arguments)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null())
                    .spawn();
                let mut child = spawned.map_err(|error| StartError::Program {
                    program: command.program.clone(),
                    error,
                })?;
                let writer = child.stdin.take().expect("standard input is piped");
                let reader = child.stdout.take().expect("standard output is piped");
                Ok(System {
                    writer: Writer::new(writer),
                    lines: reading(reader),
                    carrier: Carrier::Process(child),
                })
            }
            Source::Tcp(address) => {
                let failed = |error| StartError::Connection {
                    address: address.clone(),
                    error,
                };
                let stream = connected(address, stop)?.map_err(failed)?;
                let (reader, writer) = (
                    stream.try_clone().map_err(failed)?,
                    stream.try_clone().map_err(failed)?,
                );
                // Messages are short and each is waited for; a socket without the
                // option is slower and as good.
                let _ = stream.set_nodelay(true);
                Ok(System {
                    writer: Writer::new(writer),
                    lines: reading(reader),
                    carrier: Carrier::Connection(stream),
                })
            }
        }
    }

    /// Sends a message.
    ///
    /// # Errors
    ///
    /// When the system is gone, or does not read within the time.
    pub fn send(
        &mut self,
        channel: &str,
        values: &[Json],
        time: Duration,
        stop: &Stop,
    ) -> Result<(), SendError> {
        let message = Message {
            channel: channel.to_owned(),
            values: Some(values.to_vec()),
        };
        let line = serde_json::to_string(&message).expect("names and JSON values are JSON");
        let error = match self.writer.write(line + "\n", time, stop) {
            Ok(Ok(())) => return Ok(()),
            Err(Silence::TimedOut) => return Err(SendError::Slow(time)),
            Err(Silence::Stopped) => return Err(SendError::Stopped),
            Ok(Err(error)) => error,
            Err(Silence::Disconnected) => io::ErrorKind::BrokenPipe.into(),
        };
        Err(match self.exit_status() {
            Some(status) => SendError::Ended(Ending::Exit(status)),
            None => SendError::Closed(error),
        })
    }

    /// Waits for a line.
    pub fn receive(&mut self, time: Duration, stop: &Stop) -> Received {
        match wait::receive(&self.lines, time, stop) {
            Ok(line) => parsed(&line),
            Err(Silence::TimedOut) => Received::Quiet,
            Err(Silence::Stopped) => Received::Stopped,
            Err(Silence::Disconnected) => {
                Received::Ended(self.exit_status().map_or(Ending::Closed, Ending::Exit))
            }
        }
    }

    /// How the process ended, if it is about to: a pipe is closed a moment before
    /// the process can be waited for.
    fn exit_status(&mut self) -> Option<ExitStatus> {
        let Carrier::Process(child) = &mut self.carrier else {
            return None;
        };
        for _ in 0..20 {
            if let Ok(Some(status)) = child.try_wait() {
                return Some(status);
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

    /// How writing went.
    fn write(&self, line: String, time: Duration, stop: &Stop) -> Result<io::Result<()>, Silence> {
        let sent = self.lines.send(line);
        sent.map_err(|_| Silence::Disconnected)?;
        wait::receive(&self.written, time, stop)
    }
}

/// A connection to the first address of the name that answers. Looking the name up
/// and connecting block, each for longer than anybody who stopped the run waits.
fn connected(address: &str, stop: &Stop) -> Result<io::Result<TcpStream>, StartError> {
    let (sender, receiver) = channel();
    let address = address.to_owned();
    std::thread::spawn(move || {
        // Once the run is stopped there is no receiver any more.
        let _ = sender.send(connect(&address));
    });
    match wait::receive(&receiver, Duration::MAX, stop) {
        Ok(connected) => Ok(connected),
        Err(Silence::Stopped) => Err(StartError::Stopped),
        Err(Silence::TimedOut | Silence::Disconnected) => Ok(Err(io::ErrorKind::TimedOut.into())),
    }
}

fn connect(address: &str) -> io::Result<TcpStream> {
    let mut failure = io::Error::other("the name stands for no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECTING) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// The lines that come from a system, read by a thread of its own.
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
    match serde_json::from_str::<Message>(line) {
        Ok(message) => Received::Message {
            channel: message.channel,
            values: message.values.unwrap_or_default(),
        },
        Err(_) => Received::Malformed(line.chars().take(SHOWN).collect()),
    }
}
