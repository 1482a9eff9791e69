//! Systems under test: a process that speaks JSON lines, or a TCP socket.
//!
//! A message is one line, `{"channel": "out", "values": ["ok", 30]}`. What is no
//! such line is passed on as it is; the runner decides what it means. What a process
//! writes to standard error is kept, and all processes that it started end with it:
//! they share a process group of their own.
//!
//! Everything that may block, connecting, reading and writing, is done by threads of
//! its own, and waited for no longer than the stop token allows.

use crate::command_line::{CommandError, CommandLine};
use crate::wait::{self, Silence};
use base::Stop;
use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Lines longer than this are no messages.
const LINE: u64 = 1 << 20;

/// Characters of a malformed line that are shown.
const SHOWN: usize = 200;

/// How long each address of a name is tried.
const CONNECTING: Duration = Duration::from_secs(5);

/// How often a server that is not there yet is tried again.
const AGAIN: Duration = Duration::from_millis(50);

/// Bytes of standard error that are kept, the last ones.
const KEPT: usize = 1 << 16;

/// How long the end of a process is waited for whose pipe is closed already.
const ENDING: Duration = Duration::from_secs(1);

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

impl Ending {
    /// Whether it is the end of a system that went wrong: by a signal, or with a status
    /// that says so, as after an uncaught exception.
    pub fn is_crash(&self) -> bool {
        matches!(self, Ending::Exit(status) if !status.success())
    }
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
    complaints: Complaints,
}

/// What a process writes to standard error, read by a thread of its own.
#[derive(Default)]
struct Complaints {
    text: Arc<Mutex<Vec<u8>>>,
    is_over: Option<Receiver<()>>,
}

/// What carries the messages.
enum Carrier {
    Process(Child),
    Connection(TcpStream),
}

/// Writes lines in a thread of its own, since a system that does not read them
/// would block whoever writes.
struct Writer {
    /// None once there is nothing more to write.
    lines: Option<Sender<String>>,
    written: Receiver<io::Result<()>>,
}

impl System {
    /// A fresh system; a server has so much time to come up.
    ///
    /// # Errors
    ///
    /// When it does not start, or the token is set before it did.
    pub fn start(source: &Source, ready: Duration, stop: &Stop) -> Result<System, StartError> {
        match source {
            Source::Process(command) => {
                let spawned = Command::new(&command.program)
                    .args(&command.arguments)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .process_group(0)
                    .spawn();
                let mut child = spawned.map_err(|error| StartError::Program {
                    program: command.program.clone(),
                    error,
                })?;
                let writer = child.stdin.take().expect("standard input is piped");
                let reader = child.stdout.take().expect("standard output is piped");
                let errors = child.stderr.take().expect("standard error is piped");
                Ok(System {
                    writer: Writer::new(writer),
                    lines: reading(reader),
                    complaints: Complaints::from(errors),
                    carrier: Carrier::Process(child),
                })
            }
            Source::Tcp(address) => {
                let failed = |error| StartError::Connection {
                    address: address.clone(),
                    error,
                };
                let stream = connected(address, ready, stop)?.map_err(failed)?;
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
                    complaints: Complaints::default(),
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
        self.exit_within(ENDING)
    }

    fn exit_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let Carrier::Process(child) = &mut self.carrier else {
            return None;
        };
        let deadline = Instant::now() + time;
        loop {
            if let Ok(Some(status)) = child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Tells the system that there are no more inputs; gives how its process ended, if
    /// it did within the time.
    pub fn close(&mut self, time: Duration) -> Option<ExitStatus> {
        self.writer.close();
        self.exit_within(time)
    }

    /// Ends the system, with all processes it started; gives what it wrote to standard
    /// error, as far as that is kept.
    pub fn end(&mut self) -> String {
        match &mut self.carrier {
            Carrier::Process(child) => {
                // It may have ended by itself, and others of its group not.
                if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                    let _ = kill_process_group(group, Signal::KILL);
                }
                let _ = child.kill();
                let _ = child.wait();
            }
            // The threads that read and write have copies of it.
            Carrier::Connection(stream) => {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
        self.complaints.text()
    }
}

impl Drop for System {
    fn drop(&mut self) {
        self.end();
    }
}

impl Complaints {
    fn from(mut reader: impl Read + Send + 'static) -> Complaints {
        let text = Arc::new(Mutex::new(Vec::new()));
        let (sender, is_over) = channel();
        let kept = Arc::clone(&text);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&bytes[..length]);
                let beyond = kept.len().saturating_sub(KEPT);
                kept.drain(..beyond);
            }
            // Nobody may be waiting for it.
            let _ = sender.send(());
        });
        Complaints {
            text,
            is_over: Some(is_over),
        }
    }

    /// What was written, all of it once the process has ended.
    fn text(&mut self) -> String {
        if let Some(is_over) = self.is_over.take() {
            // A process that left the group may hold the pipe open.
            let _ = is_over.recv_timeout(ENDING);
        }
        let bytes = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
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
        Writer {
            lines: Some(lines),
            written,
        }
    }

    /// Closes the system's input once everything is written.
    fn close(&mut self) {
        self.lines = None;
    }

    /// How writing went.
    fn write(&self, line: String, time: Duration, stop: &Stop) -> Result<io::Result<()>, Silence> {
        let lines = self.lines.as_ref().ok_or(Silence::Disconnected)?;
        lines.send(line).map_err(|_| Silence::Disconnected)?;
        wait::receive(&self.written, time, stop)
    }
}

/// A connection to the first address of the name that answers. Looking the name up
/// and connecting block, each for longer than anybody who stopped the run waits.
fn connected(
    address: &str,
    ready: Duration,
    stop: &Stop,
) -> Result<io::Result<TcpStream>, StartError> {
    let started = Instant::now();
    loop {
        let (sender, receiver) = channel();
        let name = address.to_owned();
        std::thread::spawn(move || {
            // Once the run is stopped there is no receiver any more.
            let _ = sender.send(connect(&name));
        });
        let connected = match wait::receive(&receiver, Duration::MAX, stop) {
            Ok(connected) => connected,
            Err(Silence::Stopped) => return Err(StartError::Stopped),
            Err(Silence::TimedOut | Silence::Disconnected) => Err(io::ErrorKind::TimedOut.into()),
        };
        if connected.is_ok() || started.elapsed() >= ready {
            return Ok(connected);
        }
        std::thread::sleep(AGAIN);
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
