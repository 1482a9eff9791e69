//! How long the machine kept a system from running.
//!
//! Silence is judged by the clock, and on a busy machine a system that has everything it needs
//! for its answer may still wait for a processor. Linux counts that time for each thread. Where
//! it does not say, nothing is known to have been held back.

use rustc_hash::FxHashMap;
use std::fs;
use std::time::Duration;

/// What each thread had waited for a processor when it was last looked at.
#[derive(Default)]
pub(super) struct Load {
    before: FxHashMap<String, Duration>,
}

impl Load {
    /// What counts begins now, for the threads of these processes and those of the tester that
    /// carry messages.
    pub fn begin(&mut self, processes: impl Iterator<Item = u32>) {
        self.before = delays(processes);
    }

    /// How long threads of these processes were kept waiting since then, all together; those
    /// that were not there then, since they began.
    pub fn held_back(&self, processes: impl Iterator<Item = u32>) -> Duration {
        let waited = delays(processes).into_iter().map(|(thread, now)| {
            let before = self.before.get(&thread).copied().unwrap_or_default();
            now.saturating_sub(before)
        });
        waited.sum()
    }
}

/// By thread: how long it has waited for a processor.
fn delays(processes: impl Iterator<Item = u32>) -> FxHashMap<String, Duration> {
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
            let waited = counts.split(' ').nth(1).and_then(|it| it.parse().ok());
            if let (Some(waited), Ok(name)) = (waited, thread.file_name().into_string()) {
                found.insert(name, Duration::from_nanos(waited));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn more_work_than_processors_holds_somebody_back() {
        let spin = || {
            let mut shell = Command::new("sh");
            shell.args(["-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"]);
            shell.spawn().expect("there is a shell")
        };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let mut children: Vec<_> = (0..3 * processors).map(|_| spin()).collect();
        let ids: Vec<u32> = children.iter().map(std::process::Child::id).collect();
        let mut load = Load::default();
        load.begin(ids.iter().copied());
        let mut held_back = Duration::ZERO;
        while held_back.is_zero()
            && children
                .iter_mut()
                .any(|it| matches!(it.try_wait(), Ok(None)))
        {
            std::thread::yield_now();
            held_back = load.held_back(ids.iter().copied());
        }
        for child in &mut children {
            let _ = child.kill();
            let _ = child.wait();
        }
        assert!(!held_back.is_zero());
        load.begin(std::iter::empty());
        assert_eq!(load.held_back(ids.into_iter()), Duration::ZERO);
    }
}
