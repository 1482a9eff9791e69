//! Processes that a system starts, and their end.
//!
//! Most stay in the process group of the system. A daemon leaves it, and its parent too, but
//! keeps its environment: each system is given a variable there by which all that it started
//! are found again.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The name of the variable.
const VARIABLE: &str = "EVERYPATH_SYSTEM";

/// How often processes are looked for that others started in the meantime.
const ROUNDS: usize = 8;

/// What all processes of one system have in their environment.
pub(super) struct Mark(String);

impl Mark {
    /// One that no other system has.
    pub fn new() -> Mark {
        static SYSTEMS: AtomicUsize = AtomicUsize::new(0);
        let number = SYSTEMS.fetch_add(1, Ordering::Relaxed);
        Mark(format!("{}.{number}", std::process::id()))
    }

    /// Marks what the command will start, which has a process group of its own.
    pub fn put(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0).process_group(0);
    }

    /// Ends the child with all processes that it started.
    pub fn end(&self, child: &mut Child) {
        // It may have ended by itself, and others of its group not.
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
        for _ in 0..ROUNDS {
            let others = self.others();
            if others.is_empty() {
                break;
            }
            for process in others {
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }

    /// The numbers of the processes that have the mark.
    pub fn processes(&self) -> impl Iterator<Item = u32> {
        let numbers = self.others().into_iter();
        numbers.filter_map(|it| u32::try_from(it.as_raw_nonzero().get()).ok())
    }

    /// The processes that have the mark. Those of other users cannot be looked at, nor ended.
    fn others(&self) -> Vec<Pid> {
        let mark = format!("{VARIABLE}={}", self.0);
        let Ok(processes) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let numbers = processes.flatten().filter_map(|entry| {
            let name = entry.file_name();
            name.to_str()?.parse::<i32>().ok()
        });
        let marked = numbers.filter(|number| {
            let variables = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
            variables
                .split(|&byte| byte == 0)
                .any(|it| it == mark.as_bytes())
        });
        marked.filter_map(Pid::from_raw).collect()
    }
}
