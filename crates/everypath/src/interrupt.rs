//! Ctrl-C: the first ends the run in order, the second at once.

use std::sync::atomic::{AtomicBool, Ordering};

static RAISED: AtomicBool = AtomicBool::new(false);

/// Listens from now on.
pub fn listen() -> Result<(), String> {
    ctrlc::set_handler(|| {
        if RAISED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(|error| format!("error: cannot listen for Ctrl-C: {error}"))
}

/// Whether Ctrl-C was pressed.
pub fn raised() -> bool {
    RAISED.load(Ordering::Relaxed)
}
