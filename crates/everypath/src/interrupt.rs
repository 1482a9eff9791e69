//! Signals that ask a command to end: Ctrl-C, SIGTERM (of `kill`, `timeout` and build
//! servers) and SIGHUP (the terminal is gone).
//!
//! The first sets the command's stop token, so that the command ends in order with what
//! is finished; the second ends the process at once.
//!
//! SIGXCPU, which tells of a limit of processor time (`ulimit -S -t`), is a time limit like
//! that of an option.

use crate::error::Error;
use base::{Cause, Stop};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU};
use signal_hook::iterator::Signals;
use std::process;
use std::thread;

/// Listens from now on. The token is set by signals alone; the command's limits
/// tighten it.
pub fn listen() -> Result<Stop, Error> {
    let mut signals = vec![SIGINT, SIGTERM, SIGXCPU];
    // Under nohup the command is to outlive its terminal.
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    let mut signals = Signals::new(signals).map_err(Error::Signals)?;
    let stop = Stop::never();
    let heard = stop.clone();
    let listening = move || {
        for signal in signals.forever() {
            // The system repeats it every second: the command still has to end in order.
            if signal == SIGXCPU {
                heard.set(Cause::Time);
                continue;
            }
            if heard.cause().is_some() {
                // What a shell expects of a process that a signal ended.
                process::exit(128 + signal);
            }
            heard.set(Cause::Interrupt);
        }
    };
    let thread = thread::Builder::new().name("signals".to_owned());
    thread.spawn(listening).map_err(Error::Signals)?;
    Ok(stop)
}

/// Whether whoever started the process has it ignore the signal, as Linux tells.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is signal 1.
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// What to tell the user of a stop.
pub fn because(stop: &Stop) -> &'static str {
    match stop.cause() {
        Some(Cause::Time) => "the time limit was reached",
        Some(Cause::Memory) => "the memory limit was reached",
        Some(Cause::Interrupt | Cause::Count) | None => "interrupted",
    }
}
