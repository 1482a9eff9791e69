//! Ctrl-C: the first sets the command's stop token, so that the command ends in
//! order with what is finished; the second ends the process at once.

use crate::error::Error;
use base::{Cause, Stop};

/// What a shell expects of a process that Ctrl-C ended: 128 and the signal's number.
const KILLED_BY_INTERRUPT: i32 = 130;

/// Listens from now on. The token is set by Ctrl-C alone; the command's limits
/// tighten it.
pub fn listen() -> Result<Stop, Error> {
    let stop = Stop::never();
    let heard = stop.clone();
    ctrlc::set_handler(move || {
        if heard.cause().is_some() {
            std::process::exit(KILLED_BY_INTERRUPT);
        }
        heard.set(Cause::Interrupt);
    })?;
    Ok(stop)
}

/// What to tell the user of a stop.
pub fn because(stop: &Stop) -> &'static str {
    match stop.cause() {
        Some(Cause::Time) => "the time limit was reached",
        Some(Cause::Memory) => "the memory limit was reached",
        Some(Cause::Interrupt | Cause::Count) | None => "interrupted",
    }
}
