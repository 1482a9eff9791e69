//! What waits in an exploration, and which ranges of the tree that is.

use crate::range::Range;
use machine::{Deferred, State};
use term::Store;

/// Something in the frontier.
pub(crate) struct Waiting {
    pub held: Held,
    /// The number under which it was told as an open range.
    number: Option<u64>,
}

/// What can wait.
pub(crate) enum Held {
    /// A state that goes on when it is chosen.
    Running(State),
    /// One that needs an input first.
    Deferred(State, Deferral),
    /// One that is not there: the range that it is made from when it is chosen.
    Range(Box<Range>),
}

/// What a deferred state waits for.
#[derive(Clone, Copy)]
pub(crate) struct Deferral {
    pub query: Deferred,
    /// How often no input was found.
    pub failures: u32,
    /// Whether it would have reached something new when it began to wait.
    pub promising: bool,
}

impl Deferral {
    pub fn new(query: Deferred) -> Deferral {
        Deferral {
            query,
            failures: 0,
            promising: false,
        }
    }
}

impl Waiting {
    pub fn new(held: Held) -> Waiting {
        Waiting { held, number: None }
    }

    /// Symbolic branches on the way to it.
    pub fn depth(&self) -> u64 {
        match &self.held {
            Held::Running(state) | Held::Deferred(state, _) => state.progress.depth,
            Held::Range(range) => range.depth(),
        }
    }

    fn range(&self, store: &Store) -> Range {
        match &self.held {
            Held::Running(state) | Held::Deferred(state, _) => Range::of(store, state),
            Held::Range(range) => (**range).clone(),
        }
    }
}

/// What changed among the ranges that are open. Ranges have numbers, each used once.
#[derive(Debug, Default)]
pub struct OpenRanges {
    /// The numbers of ranges that are open no more: their paths ended, or are in others.
    pub closed: Vec<u64>,
    /// Ranges that are open, and were not.
    pub opened: Vec<(u64, Range)>,
    /// Ranges that were given away: they are open, and not explored here.
    pub given: Vec<Range>,
    /// The last number.
    last: u64,
}

impl OpenRanges {
    /// Tells of a range, unless that was done before.
    pub(crate) fn note(&mut self, store: &Store, waiting: &mut Waiting) {
        if waiting.number.is_some() {
            return;
        }
        self.last += 1;
        waiting.number = Some(self.last);
        self.opened.push((self.last, waiting.range(store)));
    }

    /// Gives something away that waited.
    pub(crate) fn give(&mut self, store: &Store, waiting: Waiting) {
        self.given.push(waiting.range(store));
        self.closed.extend(waiting.number);
    }

    /// Takes something out of the frontier: its range is what comes of it from now on.
    pub(crate) fn close(&mut self, waiting: Waiting) -> Held {
        self.closed.extend(waiting.number);
        waiting.held
    }

    /// The changes since the last time.
    pub(crate) fn take(&mut self) -> OpenRanges {
        let rest = OpenRanges {
            last: self.last,
            ..OpenRanges::default()
        };
        std::mem::replace(self, rest)
    }
}
