//! Systems under test: a process, a TCP socket, or a server that speaks HTTP.
//!
//! How a message looks is for the [`Codec`] of the model to say. What is no message is
//! passed on as it is; the runner decides what it means. What a process
//! writes to standard error is kept, and all processes that it started end with it.

mod link;
mod load;
mod processes;

use crate::codec::{Codec, Framing, Message};
use crate::command_line::{CommandError, CommandLine};
use crate::wait::{self, Silence};
use base::Stop;
use link::{Arrival, Link, Writer, connected, reading};
use load::Load;
use processes::Mark;
use serde_json::Value as Json;
use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Characters of a malformed line that are shown.
const SHOWN: usize = 200;

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
    #[error("`{0}` is not of the form tcp://HOST:PORT or http://HOST:PORT")]
    Address(String),
    /// It is no command.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// Reads `tcp://HOST:PORT`, `http://HOST:PORT`, or a command.
impl std::str::FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Source, SourceError> {
        let http = text
            .strip_prefix("http://")
            .map(|it| it.trim_end_matches('/'));
        let Some(address) = text.strip_prefix("tcp://").or(http) else {
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
        /// When it came.
        at: Instant,
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
    /// HTTP is spoken with a server.
    #[error("the model speaks HTTP, so the system is an address: http://HOST:PORT")]
    NoAddress,
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
    /// The codec has no way to send it.
    #[error("the message cannot be sent: {0}")]
    Codec(String),
    /// The run was stopped meanwhile.
    #[error("the run was stopped")]
    Stopped,
}

/// A system under test.
pub struct System {
    codec: Codec,
    link: Link,
    arrived: Receiver<Arrival>,
    /// The process that is the system, or that serves it.
    child: Option<Child>,
    connection: Option<TcpStream>,
    complaints: Complaints,
    mark: Mark,
    load: Load,
}

/// What a process writes to standard error, read by a thread of its own.
#[derive(Default)]
struct Complaints {
    text: Arc<Mutex<Vec<u8>>>,
    is_over: Option<Receiver<()>>,
}

/// How a system is started.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// Where it comes from.
    pub source: &'a Source,
    /// What serves the address, where that is started anew each time.
    pub server: Option<&'a CommandLine>,
    /// How its messages look.
    pub codec: &'a Codec,
    /// How much time a server has to come up.
    pub ready: Duration,
}

impl System {
    /// A fresh system.
    ///
    /// # Errors
    ///
    /// When it does not start, or the token is set before it did.
    pub fn start(launch: Launch<'_>, stop: &Stop) -> Result<System, StartError> {
        match launch.source {
            Source::Process(command) => System::process(command, launch.codec),
            Source::Tcp(address) => System::connection(address, launch, stop),
        }
    }

    fn process(command: &CommandLine, codec: &Codec) -> Result<System, StartError> {
        let framing = codec.framing();
        if framing == Framing::Connection {
            return Err(StartError::NoAddress);
        }
        let mark = Mark::new();
        let mut child = spawned(command, Stdio::piped, &mark)?;
        let writer = child.stdin.take().expect("standard input is piped");
        let reader = child.stdout.take().expect("standard output is piped");
        let errors = child.stderr.take().expect("standard error is piped");
        Ok(System {
            codec: codec.clone(),
            link: Link::Stream(Writer::new(writer)),
            arrived: reading(reader, framing),
            complaints: Complaints::from(errors),
            child: Some(child),
            connection: None,
            mark,
            load: Load::default(),
        })
    }

    fn connection(address: &str, launch: Launch<'_>, stop: &Stop) -> Result<System, StartError> {
        let failed = |error| StartError::Connection {
            address: address.to_owned(),
            error,
        };
        let mark = Mark::new();
        let server = launch.server;
        let server = server.map(|it| spawned(it, Stdio::null, &mark));
        let mut server = server.transpose()?;
        let errors = server.as_mut().and_then(|child| child.stderr.take());
        let (responses, arrived) = channel();
        // From here on, whatever was started ends with the system.
        let mut system = System {
            codec: launch.codec.clone(),
            link: Link::Requests {
                address: address.to_owned(),
                responses,
            },
            arrived,
            child: server,
            connection: None,
            complaints: errors.map(Complaints::from).unwrap_or_default(),
            mark,
            load: Load::default(),
        };
        let stream = connected(address, launch.ready, stop)?.map_err(failed)?;
        let framing = launch.codec.framing();
        if framing == Framing::Connection {
            return Ok(system);
        }
        let (reader, writer) = (
            stream.try_clone().map_err(failed)?,
            stream.try_clone().map_err(failed)?,
        );
        // Messages are short and each is waited for; a socket without the
        // option is slower and as good.
        let _ = stream.set_nodelay(true);
        system.link = Link::Stream(Writer::new(writer));
        system.arrived = reading(reader, framing);
        system.connection = Some(stream);
        Ok(system)
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
            values: values.to_vec(),
        };
        let address = match &self.link {
            Link::Stream(_) => "",
            Link::Requests { address, .. } => address,
        };
        let bytes = self.codec.encoded(&message, address);
        let bytes = bytes.map_err(SendError::Codec)?;
        self.load.begin(self.child.iter().map(Child::id));
        let error = match self.link.write(bytes, time, stop) {
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

    /// Waits for a message.
    pub fn receive(&mut self, time: Duration, stop: &Stop) -> Received {
        match wait::receive(&self.arrived, time, stop) {
            Ok((at, bytes)) => match self.codec.decoded(&bytes) {
                Some(Message { channel, values }) => Received::Message {
                    channel,
                    values,
                    at,
                },
                None => {
                    let text = String::from_utf8_lossy(&bytes);
                    Received::Malformed(text.trim().chars().take(SHOWN).collect())
                }
            },
            Err(Silence::TimedOut) => Received::Quiet,
            Err(Silence::Stopped) => Received::Stopped,
            Err(Silence::Disconnected) => {
                Received::Ended(self.exit_status().map_or(Ending::Closed, Ending::Exit))
            }
        }
    }

    /// How long the system had work since the last message was sent, or waited for a processor: so
    /// long it was not silent.
    pub fn worked(&self) -> Duration {
        let child = self.child.iter().map(Child::id);
        self.load.since(child.chain(self.mark.processes()))
    }

    /// The same, with the turns on a processor that it still waits for.
    pub fn worked_so_far(&self) -> Duration {
        let child = self.child.iter().map(Child::id);
        self.load.so_far(child.chain(self.mark.processes()))
    }

    /// How the process ended, if it is about to: a pipe is closed a moment before
    /// the process can be waited for.
    fn exit_status(&mut self) -> Option<ExitStatus> {
        self.exit_within(ENDING)
    }

    fn exit_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let child = self.child.as_mut()?;
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
        if let Link::Stream(writer) = &mut self.link {
            writer.close();
        }
        self.exit_within(time)
    }

    /// Ends the system, with all processes it started; gives what it wrote to standard
    /// error, as far as that is kept.
    pub fn end(&mut self) -> String {
        if let Some(mut child) = self.child.take() {
            self.mark.end(&mut child);
        }
        // The threads that read and write have copies of it.
        if let Some(stream) = &self.connection {
            let _ = stream.shutdown(Shutdown::Both);
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
            // A process of another user may hold the pipe open.
            let _ = is_over.recv_timeout(ENDING);
        }
        let bytes = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A process with these for its standard input and output.
fn spawned(
    command: &CommandLine,
    stream: impl Fn() -> Stdio,
    mark: &Mark,
) -> Result<Child, StartError> {
    let mut process = Command::new(&command.program);
    process
        .args(&command.arguments)
        .stdin(stream())
        .stdout(stream())
        .stderr(Stdio::piped());
    mark.put(&mut process);
    process.spawn().map_err(|error| StartError::Program {
        program: command.program.clone(),
        error,
    })
}
