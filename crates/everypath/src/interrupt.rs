//! Ctrl-C: the first ends the run in order, the second at once.

use crate::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

static RAISED: AtomicBool = AtomicBool::new(false);

/// Listens from now on.
pub fn listen() -> Result<(), Error> {
    ctrlc::set_handler(|| {
        if RAISED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(Error::Interrupt)
}

/// Whether Ctrl-C was pressed.
pub fn raised() -> bool {
    RAISED.load(Ordering::Relaxed)
}
