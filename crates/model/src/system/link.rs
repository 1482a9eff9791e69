//! Bytes to and from a system.
//!
//! Everything that may block, connecting, reading and writing, is done by threads of
//! its own, and waited for no longer than the stop token allows.

use super::StartError;
use crate::codec::Framing;
use crate::wait::{self, Silence};
use base::Stop;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How long a server may take to answer a request before its connection is given up.
const ANSWERING: Duration = Duration::from_secs(60);

/// Lines longer than this are no messages.
const LINE: u64 = 1 << 20;

/// How long each address of a name is tried.
const CONNECTING: Duration = Duration::from_secs(5);

/// How often a server that is not there yet is tried again.
const AGAIN: Duration = Duration::from_millis(50);

/// What came from a system, as far as the framing tells a message, and when.
pub(super) type Arrival = (Instant, Vec<u8>);

/// The way to a system.
pub(super) enum Link {
    /// A stream of bytes.
    Stream(Writer),
    /// A connection to this address for each message; what comes back goes there.
    Requests {
        address: String,
        responses: Sender<Arrival>,
    },
}

/// Writes messages in a thread of its own, since a system that does not read them
/// would block whoever writes.
pub(super) struct Writer {
    /// None once there is nothing more to write.
    messages: Option<Sender<Vec<u8>>>,
    written: Receiver<io::Result<()>>,
}

impl Link {
    /// How writing went.
    pub fn write(
        &self,
        bytes: Vec<u8>,
        time: Duration,
        stop: &Stop,
    ) -> Result<io::Result<()>, Silence> {
        match self {
            Link::Stream(writer) => writer.write(bytes, time, stop),
            Link::Requests { address, responses } => {
                let (done, written) = channel();
                let (address, responses) = (address.clone(), responses.clone());
                std::thread::spawn(move || exchange(&address, &bytes, &done, &responses));
                wait::receive(&written, time, stop)
            }
        }
    }
}

/// Sends a request on a connection of its own and passes on what comes back. Nobody may be
/// waiting for either any more.
fn exchange(
    address: &str,
    request: &[u8],
    done: &Sender<io::Result<()>>,
    responses: &Sender<Arrival>,
) {
    let connected = connect(address).and_then(|mut stream| {
        stream.set_read_timeout(Some(ANSWERING))?;
        stream.write_all(request)?;
        Ok(stream)
    });
    let stream = match connected {
        Ok(stream) => stream,
        Err(error) => {
            let _ = done.send(Err(error));
            return;
        }
    };
    let _ = done.send(Ok(()));
    let mut response = Vec::new();
    // A response that breaks off is no message.
    let _ = stream.take(LINE).read_to_end(&mut response);
    if !response.is_empty() {
        let _ = responses.send((Instant::now(), response));
    }
}

impl Writer {
    pub fn new(mut to: impl Write + Send + 'static) -> Writer {
        let (messages, taken) = channel::<Vec<u8>>();
        let (done, written) = channel();
        std::thread::spawn(move || {
            for bytes in taken {
                let result = to.write_all(&bytes).and_then(|()| to.flush());
                if done.send(result).is_err() {
                    return;
                }
            }
        });
        Writer {
            messages: Some(messages),
            written,
        }
    }

    /// Closes the system's input once everything is written.
    pub fn close(&mut self) {
        self.messages = None;
    }

    fn write(
        &self,
        bytes: Vec<u8>,
        time: Duration,
        stop: &Stop,
    ) -> Result<io::Result<()>, Silence> {
        let messages = self.messages.as_ref().ok_or(Silence::Disconnected)?;
        messages.send(bytes).map_err(|_| Silence::Disconnected)?;
        wait::receive(&self.written, time, stop)
    }
}

/// A connection to the first address of the name that answers. Looking the name up
/// and connecting block, each for longer than anybody who stopped the run waits.
pub(super) fn connected(
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

/// The messages that come from a system, read by a thread of its own.
pub(super) fn reading(reader: impl Read + Send + 'static, framing: Framing) -> Receiver<Arrival> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        while let Some(bytes) = next_message(&mut reader, framing) {
            if !bytes.is_empty() && sender.send((Instant::now(), bytes)).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The next message of a stream; none when it is over.
fn next_message(reader: &mut impl BufRead, framing: Framing) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    match framing {
        Framing::Lines => {
            let length = reader.take(LINE).read_until(b'\n', &mut bytes).ok()?;
            while let Some(b'\n' | b'\r') = bytes.last() {
                bytes.pop();
            }
            (length > 0).then_some(bytes)
        }
        Framing::Length(size) => {
            let mut digits = vec![0; size];
            reader.read_exact(&mut digits).ok()?;
            let length = digits
                .iter()
                .fold(0, |sum: u64, &digit| sum << 8 | u64::from(digit));
            // What is longer than any message is cut, and no message then.
            reader.take(length.min(LINE)).read_to_end(&mut bytes).ok()?;
            Some(bytes)
        }
        Framing::Connection => {
            reader.take(LINE).read_to_end(&mut bytes).ok()?;
            (!bytes.is_empty()).then_some(bytes)
        }
    }
}
