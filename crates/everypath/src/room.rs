//! A disk that is full: the run waits for room instead of losing what it found.

use base::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use suite::NoRoom;

/// How long until it is tried again.
const NAP: Duration = Duration::from_millis(200);

/// Waits until there is room, or work is to stop; says so once.
pub fn wait(stop: &Stop) -> NoRoom {
    let (stop, said) = (stop.clone(), AtomicBool::new(false));
    Arc::new(move || {
        if !said.swap(true, Relaxed) {
            eprintln!(
                "warning: the disk is full: the run waits until there is room; Ctrl-C ends it"
            );
        }
        std::thread::sleep(NAP);
        !stop.is_set()
    })
}
