//! When an exploration in one process is given to others.

use base::memory_in_use;
use std::time::{Duration, Instant};

/// How often the memory of the process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// When that is: at a time, or when the process has more memory than it may.
pub struct Handover {
    at: Option<Instant>,
    memory: Option<u64>,
    looked: Instant,
}

impl Default for Handover {
    fn default() -> Handover {
        Handover::new(None, None)
    }
}

impl Handover {
    /// After this time, if any, or above so much memory.
    pub fn new(after: Option<Duration>, memory: Option<u64>) -> Handover {
        let now = Instant::now();
        Handover {
            at: after.map(|after| now + after),
            memory,
            looked: now,
        }
    }

    /// Whether it is time; a busy process is left alone as long as it has memory.
    pub fn is_due(&mut self, busy: bool) -> bool {
        let now = Instant::now();
        if !busy && self.at.is_some_and(|at| now >= at) {
            return true;
        }
        let Some(most) = self.memory else {
            return false;
        };
        if now.duration_since(self.looked) < LOOK_EVERY {
            return false;
        }
        self.looked = now;
        memory_in_use() > most
    }
}
