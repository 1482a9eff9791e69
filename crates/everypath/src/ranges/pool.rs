//! Workers, and what they say.
//!
//! A worker is a process of this binary, or one that somebody else started, on another
//! machine perhaps, and connected to a socket here.

use super::protocol::{FromWorker, ToWorker, VERSION, receive, send};
use crate::error::Error;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use suite::Recipe;

/// A worker's number, used once.
pub type WorkerId = u64;

/// Something that happened to a worker.
pub enum Event {
    Said(FromWorker),
    /// It is gone, and how.
    Gone(String),
}

/// What workers are started with.
pub struct Job {
    /// The command line of the run, without the name of the binary.
    pub words: Vec<String>,
    pub directory: PathBuf,
    pub recipe: Recipe,
    pub fingerprint: String,
    pub program: Vec<u8>,
    /// The most memory that one worker may take.
    pub memory: Option<u64>,
    /// Where to connect to for a worker; they are processes of this binary otherwise.
    pub socket: Option<PathBuf>,
}

/// The workers of a run.
pub struct Pool {
    size: usize,
    job: Job,
    workers: BTreeMap<WorkerId, Worker>,
    last: WorkerId,
    events: Receiver<(WorkerId, Event)>,
    sender: Sender<(WorkerId, Event)>,
}

struct Worker {
    /// Its process, if it is one of ours.
    child: Option<Child>,
    input: Box<dyn Write>,
}

/// What a worker says.
type Output = Box<dyn Read + Send>;

impl Worker {
    /// A process of this binary.
    fn process() -> io::Result<(Output, Worker)> {
        // Ctrl-C is for the coordinator, which ends its workers in order.
        let mut child = Command::new(std::env::current_exe()?)
            .arg("worker")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().expect("it is a pipe");
        let output = child.stdout.take().expect("it is a pipe");
        let worker = Worker {
            child: Some(child),
            input: Box::new(input),
        };
        Ok((Box::new(output), worker))
    }

    /// One that is behind a socket: each connection is another.
    fn connected(socket: &Path) -> io::Result<(Output, Worker)> {
        let output = UnixStream::connect(socket)?;
        let worker = Worker {
            child: None,
            input: Box::new(output.try_clone()?),
        };
        Ok((Box::new(output), worker))
    }
}

impl Pool {
    /// Room for so many workers, none of which is started.
    pub fn new(size: usize, job: Job) -> Pool {
        let (sender, events) = channel();
        Pool {
            size,
            job,
            workers: BTreeMap::new(),
            last: 0,
            events,
            sender,
        }
    }

    /// How many workers there should be.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Starts a worker.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(&mut self) -> Result<WorkerId, Error> {
        let (mut output, worker) = match &self.job.socket {
            None => Worker::process().map_err(Error::Serve)?,
            Some(socket) => Worker::connected(socket).map_err(Error::reading(socket))?,
        };
        self.last += 1;
        let (id, sender) = (self.last, self.sender.clone());
        std::thread::spawn(move || {
            while let Ok(Some(message)) = receive(&mut output) {
                if sender.send((id, Event::Said(message))).is_err() {
                    return;
                }
            }
            let _ = sender.send((id, Event::Gone(String::new())));
        });
        self.workers.insert(id, worker);
        let begin = ToWorker::Begin {
            version: VERSION,
            words: self.job.words.clone(),
            directory: self.job.directory.clone(),
            recipe: Box::new(self.job.recipe.clone()),
            fingerprint: self.job.fingerprint.clone(),
            program: self.job.program.clone(),
            memory: self.job.memory,
        };
        self.tell(id, &begin);
        Ok(id)
    }

    /// Says something to a worker. One that does not listen any more is heard to be gone.
    pub fn tell(&mut self, worker: WorkerId, message: &ToWorker) {
        if let Some(worker) = self.workers.get_mut(&worker) {
            let _ = send(&mut worker.input, message);
        }
    }

    /// What happens next, if something does in time.
    pub fn next(&mut self, time: Duration) -> Option<(WorkerId, Event)> {
        let (worker, event) = self.events.recv_timeout(time).ok()?;
        let event = match event {
            Event::Gone(_) => Event::Gone(self.bury(worker)),
            said @ Event::Said(_) => said,
        };
        Some((worker, event))
    }

    /// How a process ended that says nothing more.
    fn bury(&mut self, worker: WorkerId) -> String {
        let Some(mut worker) = self.workers.remove(&worker) else {
            return "it was ended".to_owned();
        };
        let Some(child) = &mut worker.child else {
            return "its connection was closed".to_owned();
        };
        let _ = child.kill();
        match child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// Ends all workers, whatever they do.
    pub fn end(&mut self) {
        let workers: Vec<WorkerId> = self.workers.keys().copied().collect();
        for worker in workers {
            self.bury(worker);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.end();
    }
}
