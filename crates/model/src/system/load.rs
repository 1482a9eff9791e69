//! How long a system had work to do.
//!
//! Silence is judged by the clock, but a system that computes, or waits for a processor on a busy
//! machine, is not waiting for its environment. Linux counts both for each thread. Where it does
//! not say, a system is taken to be idle.

use rustc_hash::FxHashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long each thread had work when it was last looked at, and when that was.
#[derive(Default)]
pub(super) struct Load {
    before: FxHashMap<String, Work>,
    begun: Option<Instant>,
}

/// The work of a thread.
#[derive(Clone, Copy, Default)]
struct Work {
    /// How long it has been on a processor or waited for one, up to its last turn.
    done: Duration,
    /// Whether it has something to do now, so that it has been waiting for a processor or on one
    /// since: Linux counts a turn when it begins, and the next may be seconds away.
    is_ready: bool,
}

impl Load {
    /// What counts begins now, for the threads of these processes and those of the tester that
    /// carry messages.
    pub fn begin(&mut self, processes: impl Iterator<Item = u32>) {
        self.before = work(processes);
        self.begun = Some(Instant::now());
    }

    /// How long threads of these processes had work since then, all together; those that were not
    /// there then, since they began.
    pub fn since(&self, processes: impl Iterator<Item = u32>) -> Duration {
        self.each(processes).map(|(done, _)| done).sum()
    }

    /// The same, with the turns that threads wait for at the moment: one that has something to do may
    /// have had it all the time.
    pub fn so_far(&self, processes: impl Iterator<Item = u32>) -> Duration {
        let elapsed = self.begun.map(|it| it.elapsed()).unwrap_or_default();
        let each = self.each(processes).map(|(done, is_ready)| match is_ready {
            true => done.max(elapsed),
            false => done,
        });
        each.sum()
    }

    /// By thread: how long it had work since then, and whether it still has.
    fn each(
        &self,
        processes: impl Iterator<Item = u32>,
    ) -> impl Iterator<Item = (Duration, bool)> + '_ {
        work(processes).into_iter().map(|(thread, now)| {
            let before = self.before.get(&thread).copied().unwrap_or_default();
            (now.done.saturating_sub(before.done), now.is_ready)
        })
    }
}

/// The work of each thread. What the tester's own threads do is not the system's work, but they may
/// keep its messages waiting.
fn work(processes: impl Iterator<Item = u32>) -> FxHashMap<String, Work> {
    let own = std::process::id();
    let asking = fs::read_link("/proc/thread-self").unwrap_or_default();
    let mut found = FxHashMap::default();
    for process in processes.chain([own]) {
        let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
            continue;
        };
        for thread in threads.flatten() {
            // Whoever asks computes meanwhile, which keeps no message waiting.
            if process == own && asking.file_name() == Some(&thread.file_name()) {
                continue;
            }
            let counts = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
            // Nanoseconds on a processor, nanoseconds waiting for one, turns.
            let mut counts = counts.split(' ').map_while(|it| it.parse::<u64>().ok());
            let (Some(ran), Some(waited)) = (counts.next(), counts.next()) else {
                continue;
            };
            let worked = if process == own {
                waited
            } else {
                ran.saturating_add(waited)
            };
            if let Ok(name) = thread.file_name().into_string() {
                let done = Duration::from_nanos(worked);
                let is_ready = process != own && is_ready(&thread.path());
                found.insert(name, Work { done, is_ready });
            }
        }
    }
    found
}

/// Whether a thread is on a processor or waits for one.
fn is_ready(thread: &Path) -> bool {
    let status = fs::read_to_string(thread.join("stat")).unwrap_or_default();
    // The name before it may have brackets in it.
    let state = status.rsplit_once(") ").map(|(_, rest)| rest);
    state.is_some_and(|rest| rest.starts_with('R'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_that_computes_has_work_and_one_that_waits_has_none() {
        let script = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; echo; read line";
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let (id, mut load) = (child.id(), Load::default());
        let mut output = child.stdout.take().expect("it is piped");
        let mut line = [0; 1];
        output.read_exact(&mut line).expect("it writes a line");
        assert!(!load.since([id].into_iter()).is_zero());
        // It may still be on its way to the next line of its input.
        loop {
            load.begin([id].into_iter());
            std::thread::sleep(Duration::from_millis(20));
            if load.since([id].into_iter()).is_zero() {
                break;
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }

    #[test]
    fn a_process_that_has_something_to_do_has_had_it_all_the_time() {
        let mut child = Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .expect("there is a shell");
        let (id, mut load) = (child.id(), Load::default());
        let while_it_loops = Duration::from_millis(30);
        // It may still be starting, but then it loops, however seldom it gets a turn.
        loop {
            load.begin([id].into_iter());
            std::thread::sleep(while_it_loops);
            if load.so_far([id].into_iter()) >= while_it_loops {
                break;
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}
