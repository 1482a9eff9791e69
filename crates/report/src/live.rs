//! The page of a run while it goes on, for the browser of whoever started the run.
//!
//! The source of the program is on that page, and its buttons stop the run, so nobody else
//! may have it: not another user of the machine, and not the page of a stranger in the same
//! browser. The server listens on loopback alone, every address has a random token in it,
//! and a request has to name this very server as its `Host` (or the name of a stranger's
//! page could be made to lead here) and, if it says where it comes from, as its `Origin`.
//! The server serves no files: what it sends is the [`Document`] that it is given.
//!
//! There are three addresses to read, none of which takes parameters, and four buttons.
//! That is less than a server library brings, so this is `std` and `httparse`: each
//! connection is one request on a thread of its own.

mod http;

use crate::document::{Document, Live, Phase};
use base::{Cause, Stop};
use data_encoding::HEXLOWER;
use http::{Method, Request, Response};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Connections at one time; a browser has six.
const MOST_CONNECTIONS: usize = 64;
/// How often a page hears something, so that one that is gone is noticed.
const PING: Duration = Duration::from_secs(5);
/// How long pages may take to fetch the last document. One that has it hangs up, so only a
/// page that is asleep takes as long.
const FAREWELL: Duration = Duration::from_secs(20);
/// The same where the run has to end at once.
const SHORT_FAREWELL: Duration = Duration::from_millis(500);

/// Makes the whole document of a run that is this far.
pub type MakeDocument = dyn Fn(Live) -> Document + Send + Sync;

/// Serves the page of a run.
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
}

struct Shared {
    token: String,
    port: u16,
    make_document: Box<MakeDocument>,
    stop: Stop,
    connections: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    live: Live,
    /// How often `live` has changed.
    number: u64,
    paused: bool,
    dump_wanted: bool,
    /// Whether the stop button was pressed.
    stopped_here: bool,
    /// Pages that listen to events.
    listeners: usize,
    /// The document of the run that is over.
    last: Option<Box<Document>>,
    is_closed: bool,
}

impl Server {
    /// Listens on a free port of loopback. The stop button sets the token.
    ///
    /// # Errors
    ///
    /// When there is no port, or no randomness.
    pub fn start(live: Live, stop: Stop, make_document: Box<MakeDocument>) -> io::Result<Server> {
        let mut token = [0; 16];
        getrandom::fill(&mut token).map_err(io::Error::other)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            token: HEXLOWER.encode(&token),
            port: address.port(),
            make_document,
            stop,
            connections: AtomicUsize::new(0),
            state: Mutex::new(State {
                live,
                number: 0,
                paused: false,
                dump_wanted: false,
                stopped_here: false,
                listeners: 0,
                last: None,
                is_closed: false,
            }),
            changed: Condvar::new(),
        });
        let served = shared.clone();
        let thread = thread::Builder::new().name("live".to_owned());
        thread.spawn(move || accept(&listener, &served))?;
        Ok(Server { shared, address })
    }

    /// The address of the page, with its token.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.shared.token)
    }

    /// Shows how far the run is.
    pub fn publish(&self, live: Live) {
        let mut state = self.shared.lock();
        state.live = live;
        self.shared.announce(&mut state);
    }

    /// What was published last.
    pub fn shown(&self) -> Live {
        self.shared.lock().live.clone()
    }

    /// Whether the run is to wait.
    pub fn is_paused(&self) -> bool {
        self.shared.lock().paused
    }

    /// Whether somebody wants to have on disk how far the run is.
    pub fn wants_dump(&self) -> bool {
        self.shared.lock().dump_wanted
    }

    /// The same, for whoever is about to do so.
    pub fn take_dump(&self) -> bool {
        std::mem::take(&mut self.shared.lock().dump_wanted)
    }

    /// Waits until something changes, but not longer than this.
    pub fn wait(&self, time: Duration) {
        let state = self.shared.lock();
        let _ = self.shared.changed.wait_timeout(state, time);
    }

    /// Whether a page is open.
    pub fn is_watched(&self) -> bool {
        self.shared.lock().listeners > 0
    }

    /// Whether a limit or Ctrl-C ended the run: nothing may hold up the end of the process
    /// then. Whoever pressed the stop button waits for the last document instead.
    pub fn must_end_at_once(&self) -> bool {
        self.shared.stop.cause().is_some() && !self.shared.lock().stopped_here
    }

    /// Gives pages that are open the document of the run that is over, and ends.
    pub fn finish(self, document: Document) {
        let patience = match self.must_end_at_once() {
            true => SHORT_FAREWELL,
            false => FAREWELL,
        };
        let mut state = self.shared.lock();
        state.last = Some(Box::new(document));
        self.shared.announce(&mut state);
        let until = Instant::now() + patience;
        while state.listeners > 0 && Instant::now() < until {
            let left = until.saturating_duration_since(Instant::now());
            state = match self.shared.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        self.shared.announce(&mut state);
        drop(state);
        // The thread waits for a connection, and looks after it whether to go on.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done where this could be poisoned.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn announce(&self, state: &mut State) {
        state.number += 1;
        state.live.phase = match () {
            () if state.last.is_some() => Phase::Over,
            () if self.stop.cause().is_some() => Phase::Stopping,
            () if state.paused => Phase::Paused,
            () => Phase::Running,
        };
        self.changed.notify_all();
    }

    /// The document at hand.
    fn document(&self) -> Document {
        let state = self.lock();
        match &state.last {
            Some(last) => Document::clone(last),
            None => {
                let live = state.live.clone();
                // Whoever makes it may read many tests; buttons are not to wait for that.
                drop(state);
                (self.make_document)(live)
            }
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.lock().is_closed {
            return;
        }
        let Ok(stream) = stream else { continue };
        if shared.connections.fetch_add(1, Relaxed) >= MOST_CONNECTIONS {
            shared.connections.fetch_sub(1, Relaxed);
            continue;
        }
        let served = shared.clone();
        let spawned = thread::Builder::new().spawn(move || {
            // Who hangs up does not want an answer.
            let _ = answer(stream, &served);
            served.connections.fetch_sub(1, Relaxed);
        });
        if spawned.is_err() {
            shared.connections.fetch_sub(1, Relaxed);
        }
    }
}

fn answer(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let Some(request) = Request::read(&mut stream)? else {
        return Response::text(400, "This is no request.").write(&mut stream);
    };
    let page = match shared.admit(&request) {
        Ok(page) => page,
        Err(refusal) => return refusal.write(&mut stream),
    };
    match (request.method, page) {
        (Method::Get, "") => Response::html(&crate::page(&shared.document())).write(&mut stream),
        (Method::Get, "document") => {
            let json = serde_json::to_vec(&shared.document())?;
            Response::json(json).write(&mut stream)
        }
        (Method::Get, "events") => tell_events(stream, shared),
        (Method::Post, button) => shared.press(button).write(&mut stream),
        (Method::Get, _) => Response::text(404, "There is nothing here.").write(&mut stream),
    }
}

impl Shared {
    /// What comes after the token in a request that may be answered.
    fn admit<'r>(&self, request: &'r Request) -> Result<&'r str, Response> {
        let refused = |why| Err(Response::text(403, why));
        let names = [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ];
        if !names.contains(&request.host) {
            return refused("This server has another name.");
        }
        let is_own = |origin: &str| {
            let host = origin.strip_prefix("http://");
            host.is_some_and(|host| names.iter().any(|name| name == host))
        };
        match &request.origin {
            Some(origin) if !is_own(origin) => return refused("Other pages have no access."),
            None if request.method == Method::Post => return refused("Only the page has buttons."),
            _ => {}
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        match path.split_once('/') {
            Some((token, page)) if same(token, &self.token) => Ok(page),
            _ => refused("The token is missing or wrong: take the address that the run printed."),
        }
    }

    fn press(&self, button: &str) -> Response {
        let mut state = self.lock();
        match button {
            "pause" => state.paused = true,
            "resume" => state.paused = false,
            "dump" => state.dump_wanted = true,
            "stop" => {
                state.stopped_here |= self.stop.cause().is_none();
                self.stop.set(Cause::Interrupt);
            }
            _ => return Response::text(404, "There is no such button."),
        }
        self.announce(&mut state);
        Response::nothing()
    }
}

/// Compares in a time that does not tell how much is equal.
fn same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Tells how far the run is until the page is gone, or has the document of the run that is
/// over: it hangs up when it has.
fn tell_events(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    http::begin_events(&mut stream)?;
    shared.lock().listeners += 1;
    let told = tell(&mut stream, shared).and_then(|()| until_gone(&mut stream));
    shared.lock().listeners -= 1;
    shared.changed.notify_all();
    told
}

/// Waits until nobody is at the other end.
fn until_gone(stream: &mut TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(FAREWELL))?;
    while stream.read(&mut [0; 64])? > 0 {}
    Ok(())
}

/// Tells how far the run is until it is over.
fn tell(stream: &mut TcpStream, shared: &Shared) -> io::Result<()> {
    let mut told = None;
    loop {
        let mut state = shared.lock();
        if told == Some(state.number) {
            (state, _) = shared
                .changed
                .wait_timeout(state, PING)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed && state.last.is_none() {
            return Ok(());
        }
        let is_over = state.last.is_some();
        let event = match told == Some(state.number) {
            true => ":\n\n".to_owned(),
            false => {
                told = Some(state.number);
                // JSON has no line breaks, which would end the event.
                format!("data: {}\n\n", serde_json::to_string(&state.live)?)
            }
        };
        drop(state);
        stream.write_all(event.as_bytes())?;
        stream.flush()?;
        if is_over {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(stop: &Stop) -> Server {
        let live = Live {
            phase: Phase::Running,
            run: None,
            curve: Vec::new(),
            costs: Vec::new(),
            waiting: 0,
            workers: Vec::new(),
            time_left: None,
            dumps: Vec::new(),
        };
        let started = Server::start(live, stop.clone(), Box::new(|_| unreachable!()));
        started.expect("there is a port")
    }

    #[test]
    fn only_who_pressed_the_button_is_waited_for_after_a_stop() {
        let pressed = server(&Stop::never());
        assert!(!pressed.must_end_at_once());
        pressed.shared.press("stop");
        assert!(pressed.shared.stop.cause().is_some());
        assert!(!pressed.must_end_at_once());
        pressed.shared.press("stop");
        assert!(!pressed.must_end_at_once());

        let stop = Stop::never();
        let interrupted = server(&stop);
        stop.set(Cause::Interrupt);
        assert!(interrupted.must_end_at_once());
        // It is too late for the button.
        interrupted.shared.press("stop");
        assert!(interrupted.must_end_at_once());
    }
}
