//! A command that is still at work.

use crate::Finished;
use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long to sleep before looking again whether something has happened. It decides
/// only how soon a test goes on, never whether it passes.
const PAUSE: Duration = Duration::from_millis(10);

/// Hundredths of a second on a processor after which a command has begun its work.
const BUSY_TICKS: u64 = 40;

/// A command that was started. It is killed if the test fails before it ends.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Stream,
    stderr: Stream,
}

impl Running {
    /// Starts the command with nothing on its standard input.
    #[track_caller]
    pub fn start(command: &mut Command) -> Running {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) => panic!("{command:?}: {error}"),
        };
        let stdout = child.stdout.take().expect("standard output is piped");
        let stderr = child.stderr.take().expect("standard error is piped");
        Running {
            child,
            stdout: Stream::of(stdout),
            stderr: Stream::of(stderr),
        }
    }

    /// What it has printed on standard output so far.
    pub fn printed(&self) -> String {
        self.stdout.text()
    }

    /// What it has printed on standard error so far.
    pub fn complained(&self) -> String {
        self.stderr.text()
    }

    /// Waits until this holds. A command that ends before has failed.
    #[track_caller]
    pub fn until(&mut self, holds: impl Fn(&Running) -> bool) {
        while !holds(self) {
            let ended = self.child.try_wait().expect("it is our child");
            if let Some(status) = ended
                && !holds(self)
            {
                let said = self.stderr.text() + &self.stdout.text();
                panic!("it ended too early, {status}:\n{said}");
            }
            thread::sleep(PAUSE);
        }
    }

    /// Waits until it listens to Ctrl-C and has been at work for a while, measured by
    /// what the processor did for it rather than by the clock.
    #[track_caller]
    pub fn until_busy(&mut self) {
        let id = self.child.id();
        self.until(|_| listens_to_interrupts(id) && ticks(id) >= BUSY_TICKS);
    }

    /// Sends what Ctrl-C sends, and gives what the command left when it ended.
    #[track_caller]
    pub fn interrupt(self) -> Finished {
        self.signal("INT");
        self.finish()
    }

    /// Sends the signal of this name, without `SIG`.
    #[track_caller]
    pub fn signal(&self, name: &str) {
        // The shell has a `kill` of its own where the system has none.
        let kill = Command::new("sh")
            .args(["-c", "kill -$1 $0", &self.child.id().to_string(), name])
            .status();
        assert!(kill.expect("there is a shell").success());
    }

    /// Ends the command as a crash of the machine would.
    pub fn kill(mut self) -> Finished {
        self.child.kill().expect("it is our child");
        self.finish()
    }

    /// Waits until the command ends by itself.
    pub fn finish(mut self) -> Finished {
        let status = self.child.wait().expect("it is our child");
        Finished {
            status: status.code(),
            stdout: self.stdout.whole(),
            stderr: self.stderr.whole(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself meanwhile.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a process handles the signal of Ctrl-C itself.
fn listens_to_interrupts(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is signal 1; that of Ctrl-C is 2.
    caught.is_some_and(|mask| mask & 0b10 != 0)
}

/// How long the processor worked for a process and its threads.
fn ticks(id: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may have blanks in it.
    let (_, fields) = stat.rsplit_once(") ").unwrap_or_default();
    let user = fields.split(' ').nth(11);
    user.and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}

/// One of its two texts. A thread reads it, so that a command that says much is not
/// held up.
#[derive(Debug)]
struct Stream {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Stream {
    fn of(mut pipe: impl Read + Send + 'static) -> Stream {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut piece = [0; 4096];
            // An error here is the end of the pipe, too.
            while let Ok(length @ 1..) = pipe.read(&mut piece) {
                let mut bytes = shared.lock().expect("no reader panics");
                bytes.extend_from_slice(&piece[..length]);
            }
        });
        Stream {
            bytes,
            reader: Some(reader),
        }
    }

    fn text(&self) -> String {
        let bytes = self.bytes.lock().expect("no reader panics");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The text up to the end of the pipe.
    fn whole(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            reader.join().expect("no reader panics");
        }
        self.text()
    }
}
