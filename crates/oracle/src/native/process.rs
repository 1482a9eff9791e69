//! The helper process, seen from its parent: started, sent requests, and ended.

use super::shared::{Shared, Way};
use super::wire::{
    ALLOW_NETWORK, ALLOW_PROCESSES, DONE, GARBLED, HELLO, REFUSED, Reader, put_bytes,
};
use crate::failure::Accident;
use crate::sandbox::{Confinement, Sandbox};
use base::{OneLine, Stop};
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How the helper process is started: a program that calls [`serve`](crate::serve).
///
/// An embedding program names itself, with a hidden subcommand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelperCommand {
    /// The program.
    pub program: PathBuf,
    /// What it is given.
    pub arguments: Vec<OsString>,
}

impl fmt::Display for HelperCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.one_line())?;
        for argument in &self.arguments {
            write!(f, " {}", argument.one_line())?;
        }
        Ok(())
    }
}

/// A running helper process. Dropping it ends it.
pub(crate) struct Process {
    child: Child,
    shared: Shared,
    memory: File,
    sequence: u32,
    confinement: Confinement,
    /// Where it works and may write; gone with the process, so that a fresh process
    /// finds no files of an earlier one.
    scratch: TempDir,
}

/// What a request is about to cost.
pub(crate) struct Expected {
    /// The longest response, in words.
    pub(crate) words: usize,
    /// The calls it makes.
    pub(crate) calls: usize,
    /// The time for each.
    pub(crate) limit: Duration,
}

impl Expected {
    /// A request that is no call, and a short answer.
    pub(crate) fn errand() -> Expected {
        Expected {
            words: 0,
            calls: 1,
            limit: ERRAND_LIMIT,
        }
    }
}

impl Process {
    /// Starts the process, confined to the sandbox, and waits until it serves.
    pub(crate) fn start(
        command: &HelperCommand,
        sandbox: &Sandbox,
        stop: &Stop,
    ) -> Result<Process, String> {
        let scratch = tempfile::Builder::new()
            .prefix("everypath-native-")
            .tempdir();
        let scratch = scratch.map_err(|error| error.to_string())?;
        let (shared, memory) = Shared::create().map_err(|error| error.to_string())?;
        let input = memory.try_clone().map_err(|error| error.to_string())?;
        let child = Command::new(&command.program)
            .args(&command.arguments)
            .current_dir(scratch.path())
            .env("TMPDIR", scratch.path())
            .stdin(input)
            // What native code prints must not mix with what the parent prints.
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut process = Process {
            child,
            shared,
            memory,
            sequence: 0,
            confinement: Confinement::FilesOpen,
            scratch,
        };
        let hello = process.hello(sandbox);
        let mut response = Vec::new();
        process
            .exchange(&hello, &Expected::errand(), stop, &mut response)
            .map_err(|accident| format!("it {accident}"))?;
        let mut reader = Reader(&response);
        match (reader.word(), reader.word()) {
            (Some(DONE), Some(0)) => process.confinement = Confinement::FilesOpen,
            (Some(DONE), Some(1)) => process.confinement = Confinement::Partial,
            (Some(DONE), Some(2)) => process.confinement = Confinement::Full,
            (Some(REFUSED), _) => {
                let reason = Reader(&response[1..]).text().unwrap_or_default();
                return Err(format!("it cannot enter its sandbox: {reason}"));
            }
            _ => return Err("it answers nonsense".into()),
        }
        Ok(process)
    }

    fn hello(&self, sandbox: &Sandbox) -> Vec<u64> {
        let network = if sandbox.network { ALLOW_NETWORK } else { 0 };
        let processes = if sandbox.processes {
            ALLOW_PROCESSES
        } else {
            0
        };
        let mut hello = vec![HELLO, network | processes];
        let own = self.scratch.path();
        for path in [own]
            .into_iter()
            .chain(sandbox.write.iter().map(PathBuf::as_path))
        {
            put_bytes(&mut hello, path.as_os_str().as_bytes());
        }
        hello
    }

    /// How much of the sandbox holds it.
    pub(crate) fn confinement(&self) -> Confinement {
        self.confinement
    }

    /// The process's number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request and receives the response, unless it takes long and `stop` is
    /// set meanwhile. After an accident the process is of no more use.
    pub(crate) fn exchange(
        &mut self,
        request: &[u64],
        expected: &Expected,
        stop: &Stop,
        response: &mut Vec<u64>,
    ) -> Result<(), Accident> {
        let words = request.len().max(expected.words);
        self.shared
            .reserve(&self.memory, words)
            .map_err(|_| Accident::Damaged)?;
        self.sequence = self.sequence.wrapping_add(1);
        self.shared.send(Way::Request, self.sequence, request);
        if !self.shared.spin(Way::Response, self.sequence) {
            self.wait(expected, stop)?;
        }
        self.shared
            .receive(Way::Response, self.sequence, response)
            .map_err(|_| Accident::Damaged)?;
        match response.first() {
            None | Some(&GARBLED) => Err(Accident::Damaged),
            Some(_) => Ok(()),
        }
    }

    /// Sleeps until the response is there, looking now and then whether the
    /// process still lives and still gets on.
    fn wait(&mut self, expected: &Expected, stop: &Stop) -> Result<(), Accident> {
        let limit = expected.limit;
        let mut deadline = Instant::now() + limit;
        let mut done = 0;
        // No shorter than the system's tick, or setting the alarm costs more than
        // a short call.
        let mut nap = Duration::from_millis(4);
        loop {
            if self.shared.sleep(Way::Response, self.sequence, nap) {
                return Ok(());
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                // It may have died of something else after its answer.
                return match self.shared.has_arrived(Way::Response, self.sequence) {
                    true => Ok(()),
                    false => Err(accident(status)),
                };
            }
            let progress = self.shared.progress().min(expected.calls as u64);
            if progress > done {
                done = progress;
                deadline = Instant::now() + limit;
            }
            if stop.is_set() {
                return Err(Accident::Stopped);
            }
            if Instant::now() >= deadline {
                return Err(Accident::TimedOut { limit });
            }
            nap = (nap * 2).min(Duration::from_millis(16));
        }
    }
}

/// Long enough for a large program or library on a busy machine.
const ERRAND_LIMIT: Duration = Duration::from_secs(30);

fn accident(status: ExitStatus) -> Accident {
    match (status.signal(), status.code()) {
        (Some(signal), _) => Accident::Crashed { signal },
        (None, code) => Accident::Exited {
            status: code.unwrap_or_default(),
        },
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process leads a session of its own, in which everything is that it may
        // have started. Each fails only when there is nobody left to end.
        // SAFETY: the call takes numbers alone; the child was not waited for, so that
        // its number is nobody else's.
        unsafe { libc::kill(-(self.child.id() as libc::pid_t), libc::SIGKILL) };
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
