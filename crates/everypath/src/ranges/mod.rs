//! Ranges as the unit of work: all cores, going on after a kill, bounded memory.
//!
//! A run begins in one process. What it has open is in its journal at all times
//! ([`journal`]); when it takes long, or much memory, it gives its open ranges to worker
//! processes ([`coordinator`], [`worker`]), and a run that was killed goes on with those of
//! its journal ([`resume`]).

mod coordinator;
mod journal;
mod pool;
mod protocol;
pub mod resume;
pub mod worker;

pub use journal::{Entry, Journal, Numbers};
pub use protocol::Packed;

use crate::error::Error;
use crate::record::Recorder;
use crate::run::{self, Arguments};
use base::{Stop, memory_in_use};
use coordinator::Coordinator;
use engine::{Books, Outcome, Prepared, Range, Tally};
use pool::{Job, Pool};
use program::Program;
use std::time::{Duration, Instant};

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
    /// Whether it is time.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        if self.at.is_some_and(|at| now >= at) {
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

/// How many processes a run may have, and how much memory they may take together.
struct Means {
    workers: usize,
    memory: u64,
}

impl Means {
    fn of(arguments: &Arguments) -> Means {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let asked = arguments.max_memory.map(|mib| mib << 20);
        Means {
            workers: arguments.workers.map_or(cores, usize::from),
            memory: asked.unwrap_or_else(|| memory_of_the_machine() / 4 * 3),
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

/// Lets the recorder keep a journal and hand over, where the paths can be told as ranges.
pub fn prepare(
    arguments: &Arguments,
    prepared: &Prepared<'_>,
    recorder: &mut Recorder<'_>,
    journal: Option<Journal>,
) {
    let here = std::env::current_dir().ok();
    let Some(here) = here.filter(|_| has_ranges(arguments, prepared)) else {
        return;
    };
    let journal = journal.unwrap_or_else(|| Journal::new(arguments.words.clone(), here));
    recorder.keep_journal(journal, handover(arguments));
}

/// Whether the run can be told as ranges. Queries are written by the process that makes
/// them, and what is new is only known to one that sees all paths.
fn has_ranges(arguments: &Arguments, prepared: &Prepared<'_>) -> bool {
    let is_text = !arguments.words.is_empty();
    let of_one_process =
        arguments.write_queries || arguments.only_covering_new || arguments.function.all();
    prepared.has_ranges() && is_text && !of_one_process
}

fn handover(arguments: &Arguments) -> Handover {
    let means = Means::of(arguments);
    let alone = match arguments.workers {
        Some(_) => ALONE_BY_REQUEST,
        None => ALONE,
    };
    let several = means.workers > 1 && !arguments.stats;
    Handover {
        at: several.then(|| Instant::now() + alone),
        memory: Some(means.memory),
        ..Handover::default()
    }
}

/// Follows the paths of these ranges, or all, in this process and then in others.
pub fn explore(
    arguments: &Arguments,
    program: &Program,
    prepared: &mut Prepared<'_>,
    recorder: &mut Recorder<'_>,
    books: &mut Books,
    ranges: Option<Vec<Range>>,
) -> Result<(Outcome, Tally), Error> {
    let explored = prepared.explore(ranges, books, recorder);
    let (outcome, own) = explored.map_err(|error| run::explained(error, Some(program)))?;
    let mut tally = recorder.before().clone();
    tally.add(&own);
    if outcome != Outcome::GivenAway {
        return Ok((outcome, tally));
    }
    prepared.forget_terms();
    let stop: Stop = prepared.machine().options.stop.clone();
    let means = Means::of(arguments);
    let own = memory_in_use();
    let left = means.memory.saturating_sub(own).max(means.memory / 4);
    let job = Job {
        words: arguments.words.clone(),
        directory: std::env::current_dir().map_err(Error::Serve)?,
        program: program.bitcode.clone(),
        memory: Some(left / means.workers as u64),
    };
    let pool = Pool::new(means.workers, job);
    let limits = run::limits(arguments);
    Coordinator::new(recorder, books, tally, pool, (limits, stop)).run()
}
