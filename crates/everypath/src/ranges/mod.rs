//! Ranges as the unit of work: all cores, going on after a kill, bounded memory.
//!
//! A run begins in one process. What it has open is in its journal at all times
//! ([`journal`]); when it takes long, or much memory, it gives its open ranges to worker
//! processes ([`coordinator`]), and a run that was killed goes on with those of its journal.

mod coordinator;
mod handover;
pub mod journal;
mod keeper;
mod line;
mod pool;
pub mod protocol;
mod queue;

pub use handover::Handover;
pub use journal::{Entry, Finished, Journal};
pub use keeper::Keeper;
pub use line::Line;
pub use protocol::Packed;

use crate::error::Error;
use crate::session_error::explained;
use base::{Stop, memory_in_use};
use coordinator::Coordinator;
use engine::{Books, Outcome, Prepared, Range, Tally};
use explore::Limits;
use pool::{Job, Pool};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use suite::Recipe;

/// How long a run stays in one process, unless workers are asked for: to start them takes a
/// while too, and most runs are over by then.
const ALONE: Duration = Duration::from_secs(2);
/// The same if they are.
const ALONE_BY_REQUEST: Duration = Duration::from_millis(100);
/// How many processes a run may have, and what they are started with.
pub struct Means {
    /// The command line, without the name of the binary.
    pub words: Vec<String>,
    /// The files that it names and that decide which paths there are, beside the program.
    pub files: Vec<PathBuf>,
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

    /// When a run is given to workers.
    pub fn handover(&self) -> Handover {
        let alone = match self.workers {
            Some(_) => ALONE_BY_REQUEST,
            None => ALONE,
        };
        let several = self.workers() > 1 && !self.stays;
        Handover::new(several.then_some(alone), Some(self.memory()))
    }

    /// What the decisions of ranges belong to: the program, the command line and the files
    /// that it names. Where any of them is another, a range means nothing.
    pub fn fingerprint(&self, bitcode: &[u8]) -> String {
        let mut hash = Sha256::new();
        let files = self
            .files
            .iter()
            .map(|file| std::fs::read(file).unwrap_or_default());
        let words = self.words.iter().map(|word| word.clone().into_bytes());
        for part in words.chain(files) {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        hash.update(bitcode);
        hex::encode(hash.finalize())
    }

    /// The workers, before the first is started.
    fn pool(&self, recipe: Recipe, bitcode: &[u8]) -> Result<Pool, Error> {
        let most = self.memory();
        // A worker that is full takes some more to tell what it leaves open, and this process
        // to keep it.
        let reserve = most / 8;
        let left = most.saturating_sub(memory_in_use() + reserve).max(most / 4);
        let job = Job {
            words: self.words.clone(),
            directory: std::env::current_dir().map_err(Error::Serve)?,
            recipe,
            fingerprint: self.fingerprint(bitcode),
            program: bitcode.to_vec(),
            // Those behind a socket are on machines of their own.
            memory: (self.socket.is_none()).then(|| left / self.workers() as u64),
            socket: self.socket.clone(),
        };
        Ok(Pool::new(self.workers(), job))
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

/// The journal of an exploration that begins now, or goes on with this one, and is handed
/// over in time; none where nobody knows where it was typed.
pub fn journal(means: &Means, bitcode: &[u8], interrupted: Option<Journal>) -> Option<Journal> {
    let here = std::env::current_dir().ok()?;
    let new = || Journal::new(means.words.clone(), here, means.fingerprint(bitcode));
    let mut journal = interrupted.unwrap_or_else(new);
    journal.begin(means.handover());
    Some(journal)
}

/// Follows every path of these ranges, or all if there are none, here and then in other
/// processes if it takes long; how that ended, and what was counted in all.
///
/// # Errors
///
/// When paths cannot be followed, or no worker can work.
pub fn follow(
    means: &Means,
    prepared: &mut Prepared<'_>,
    ranges: Option<Vec<Range>>,
    books: &mut Books,
    limits: Limits,
    keeper: &mut dyn Keeper,
) -> Result<(Outcome, Tally), Error> {
    let program = prepared.machine().program;
    let explored = prepared.explore(ranges, books, keeper);
    let (outcome, own) = explored.map_err(|error| explained(error, Some(program)))?;
    let mut tally = keeper.before().clone();
    tally.add(&own);
    if outcome != Outcome::GivenAway {
        return Ok((outcome, tally));
    }
    prepared.forget_terms();
    let stop = prepared.machine().options.stop.clone();
    let begun = Instant::now();
    let what = (prepared.recipe(), &program.bitcode[..]);
    let ended = hand_over(means, what, (books, tally), (limits, stop), keeper);
    prepared.count_exploration(begun.elapsed());
    ended
}

/// Explores the ranges that the keeper has open in other processes; how that ended, and
/// what was counted in all.
///
/// # Errors
///
/// When no worker can work.
pub fn hand_over(
    means: &Means,
    (recipe, bitcode): (Recipe, &[u8]),
    (books, before): (&mut Books, Tally),
    (limits, stop): (Limits, Stop),
    keeper: &mut dyn Keeper,
) -> Result<(Outcome, Tally), Error> {
    let pool = means.pool(recipe, bitcode)?;
    Coordinator::new(keeper, books, before, pool, (limits, stop)).run()
}
