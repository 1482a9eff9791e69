//! How long a system had work to do.
//!
//! Silence is judged by the clock, but a system that computes, or waits for a processor on a busy
//! machine, is not waiting for its environment. Linux counts both for each thread. Where it does
//! not say, a system is taken to be idle.

use rustc_hash::FxHashMap;
use std::fs;
use std::time::Duration;

/// How long each thread had work when it was last looked at.
#[derive(Default)]
pub(super) struct Load {
    before: FxHashMap<String, Duration>,
}

impl Load {
    /// What counts begins now, for the threads of these processes and those of the tester that
    /// carry messages.
    pub fn begin(&mut self, processes: impl Iterator<Item = u32>) {
        self.before = work(processes);
    }

    /// How long threads of these processes had work since then, all together; those that were not
    /// there then, since they began.
    pub fn since(&self, processes: impl Iterator<Item = u32>) -> Duration {
        let worked = work(processes).into_iter().map(|(thread, now)| {
            let before = self.before.get(&thread).copied().unwrap_or_default();
            now.saturating_sub(before)
        });
        worked.sum()
    }
}

/// By thread: how long it has been on a processor or waited for one. What the tester's own
/// threads do is not the system's work, but they may keep its messages waiting.
fn work(processes: impl Iterator<Item = u32>) -> FxHashMap<String, Duration> {
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
                found.insert(name, Duration::from_nanos(worked));
            }
        }
    }
    found
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
}
