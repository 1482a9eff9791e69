//! Who the process is and what it may use.

use super::descriptors::MOST;

/// The user and group of the program and of its files.
pub(crate) const USER: u32 = 1000;

const UNLIMITED: u64 = u64::MAX;
const STACK: usize = 3;
pub(crate) const OPEN_FILES: usize = 7;

/// What a process may use: what it has set and how high it may.
#[derive(Clone, Debug)]
pub(crate) struct ResourceLimits {
    pub all: [(u64, u64); 16],
    /// How many descriptors there may be.
    pub files: usize,
}

impl ResourceLimits {
    pub fn new() -> ResourceLimits {
        let mut all = [(UNLIMITED, UNLIMITED); 16];
        all[STACK] = (8 << 20, UNLIMITED);
        all[OPEN_FILES] = (MOST as u64, 4096);
        ResourceLimits { all, files: MOST }
    }
}
