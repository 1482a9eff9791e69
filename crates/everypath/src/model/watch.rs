//! The end of the time, or Ctrl-C, while a question is asked.
//!
//! A question to a solver may take longer than anybody waits. Somebody else has to
//! look at the clock meanwhile.

use crate::interrupt;
use solver::Interrupt;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the clock is looked at.
const NAP: Duration = Duration::from_millis(20);

/// Ends questions once the time is over, until it is dropped; those that are asked
/// afterwards have all the time again.
pub struct Watch {
    flag: Interrupt,
    over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Raises the flag of a solver when so much time has gone by since `started`.
    pub fn start(flag: Interrupt, started: Instant, limit: Option<Duration>) -> Watch {
        let (over, is_over) = channel();
        let raised = flag.clone();
        let thread = std::thread::spawn(move || {
            while is_over.recv_timeout(NAP) == Err(RecvTimeoutError::Timeout) {
                if interrupt::raised() || limit.is_some_and(|limit| started.elapsed() >= limit) {
                    raised.raise();
                }
            }
        });
        Watch {
            flag,
            over: Some(over),
            thread: Some(thread),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread ends when nobody can tell it anything any more.
        self.over = None;
        if let Some(thread) = self.thread.take() {
            thread.join().expect("looking at the clock does not panic");
        }
        self.flag.clear();
    }
}
