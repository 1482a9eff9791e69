//! How far rewriting may go for one construction.
//!
//! Rules build terms, and building terms applies rules. That ends, but how
//! deep it goes before it does depends on the term, and terms may be a million
//! levels deep. Here the depth, and the work, are cut off: beyond, nodes are
//! taken as they are, which is always sound.

use std::cell::Cell;

/// How many constructions may be under way inside each other.
const DEEPEST: u32 = 128;

/// How many constructions one outermost construction may cause.
const MOST: u32 = 2_000;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// A construction under way; dropped when it is done.
pub(super) struct Nesting(());

impl Nesting {
    /// Begins a construction, unless the limits are reached.
    #[inline]
    pub fn deeper() -> Option<Nesting> {
        let depth = DEPTH.get();
        let count = if depth == 0 { 0 } else { COUNT.get() + 1 };
        if depth == DEEPEST || count == MOST {
            return None;
        }
        COUNT.set(count);
        DEPTH.set(depth + 1);
        Some(Nesting(()))
    }
}

impl Drop for Nesting {
    #[inline]
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}
