//! Ranges as the unit of work: all cores, going on after a kill, bounded memory.
//!
//! A run begins in one process. What it has open is in its journal at all times
//! ([`journal`]); when it takes long, or much memory, it gives its open ranges to worker
//! processes ([`coordinator`]), and a run that was killed goes on with those of its journal.

mod coordinator;
pub mod journal;
mod pool;
pub mod protocol;
mod queue;

pub use journal::{Entry, Journal, Numbers};
pub use protocol::Packed;

use crate::error::Error;
use crate::record::Recorder;
use base::{Stop, memory_in_use};
use coordinator::Coordinator;
use engine::{Books, Outcome, Tally};
use explore::Limits;
use pool::{Job, Pool};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use suite::Recipe;

/// How long a run stays in one process, unless workers are asked for: to start them takes a
/// while too, and most runs are over by then.
const ALONE: Duration = Duration::from_secs(2);
/// The same if they are.
const ALONE_BY_REQUEST: Duration = Duration::from_millis(100);
/// How often the memory of the process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// When a run is given to workers.
pub struct Handover {
    at: Option<Instant>,
    /// How much memory the process may have.
    memory: Option<u64>,
    looked: Instant,
}

impl Default for Handover {
    fn default() -> Handover {
        Handover {
            at: None,
            memory: None,
            looked: Instant::now(),
        }
    }
}

impl Handover {
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

/// How many processes a run may have, and what they are started with.
pub struct Means {
    /// The command line, without the name of the binary.
    pub words: Vec<String>,
    /// How many processes are asked for.
    pub workers: Option<u16>,
    /// How much memory they may take together, if that is said.
    pub memory: Option<u64>,
    /// Whether the run stays in one process as long as it has memory.
    pub stays: bool,
    /// A socket that gives workers, instead of processes of this binary.
    pub socket: Option<PathBuf>,
}

impl Means {
    fn workers(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.workers.map_or(cores, usize::from)
    }

    fn memory(&self) -> u64 {
        let usual = || memory_of_the_machine() / 4 * 3;
        self.memory.unwrap_or_else(usual)
    }

    fn handover(&self) -> Handover {
        let alone = match self.workers {
            Some(_) => ALONE_BY_REQUEST,
            None => ALONE,
        };
        let several = self.workers() > 1 && !self.stays;
        Handover {
            at: several.then(|| Instant::now() + alone),
            memory: Some(self.memory()),
            ..Handover::default()
        }
    }
}

/// The memory of the machine, or what a container may take of it.
fn memory_of_the_machine() -> u64 {
    let information = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = information.lines().find_map(|line| {
        let kib = line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?;
        Some(kib.trim().parse::<u64>().ok()? << 10)
    });
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").unwrap_or_default();
    let group = group.trim().parse::<u64>().ok();
    total.into_iter().chain(group).min().unwrap_or(u64::MAX)
}

/// Lets the recorder keep a journal, this one or a new one, and hand over in time.
pub fn prepare(means: &Means, recorder: &mut Recorder<'_>, journal: Option<Journal>) {
    let Ok(here) = std::env::current_dir() else {
        return;
    };
    let journal = journal.unwrap_or_else(|| Journal::new(means.words.clone(), here));
    recorder.keep_journal(journal, means.handover());
}

/// Follows the paths of the ranges that the recorder has open in other processes; how that
/// ended, and what was counted in all.
///
/// # Errors
///
/// When no worker can work.
pub fn hand_over(
    means: &Means,
    (recipe, bitcode): (Recipe, &[u8]),
    recorder: &mut Recorder<'_>,
    books: &mut Books,
    before: Tally,
    (limits, stop): (Limits, Stop),
) -> Result<(Outcome, Tally), Error> {
    let most = means.memory();
    let left = most.saturating_sub(memory_in_use()).max(most / 4);
    let job = Job {
        words: means.words.clone(),
        directory: std::env::current_dir().map_err(Error::Serve)?,
        recipe,
        program: bitcode.to_vec(),
        // Those behind a socket are on machines of their own.
        memory: (means.socket.is_none()).then(|| left / means.workers() as u64),
        socket: means.socket.clone(),
    };
    let pool = Pool::new(means.workers(), job);
    Coordinator::new(recorder, books, before, pool, (limits, stop)).run()
}
