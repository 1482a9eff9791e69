//! The one way to end long work early.
//!
//! A command makes a token from its limits and hands clones of it down. Whoever
//! works in units longer than a few microseconds asks the token before each, and
//! gives up with what is finished when it is set. A part of the work may get a
//! tighter token ([`Stop::within`]); it can never get a looser one, because a token
//! is set whenever the one it was made from is.
//!
//! The token counts how often it was looked at after it was set ([`Stop::late`]). Work
//! that unwinds looks a handful of times; work that ignores the answer looks on and
//! on. Tests set a token after a number of looks ([`Stop::after`]) and look at
//! that count, so that they need no clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often the memory of the process is looked at; looking takes microseconds.
const MEMORY_EVERY: Duration = Duration::from_millis(50);

/// Says when to give up. Clones are the same token.
#[derive(Clone, Debug)]
pub struct Stop(Arc<Token>);

/// Why work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The time is over.
    Time,
    /// The process has more memory than it may.
    Memory,
    /// Someone asked for it, by Ctrl-C or a button.
    Interrupt,
    /// As much was done as was wanted.
    Count,
}

/// Work was given up because its [`Stop`] token is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

#[derive(Debug)]
struct Token {
    /// A [`Cause`] by number, 0 while there is none.
    cause: AtomicU8,
    /// What this token tightens.
    parent: Option<Stop>,
    deadline: Option<Instant>,
    memory: Option<MemoryLimit>,
    /// How often it may still be looked at.
    looks: Option<AtomicU64>,
    late: AtomicU64,
}

#[derive(Debug)]
struct MemoryLimit {
    bytes: u64,
    started: Instant,
    /// Milliseconds after `started` when it was last looked at.
    looked: AtomicU64,
    exceeded: AtomicBool,
}

impl Default for Stop {
    fn default() -> Stop {
        Stop::never()
    }
}

impl Stop {
    /// A token that only [`Stop::set`] sets.
    pub fn never() -> Stop {
        Stop::new(None, None)
    }

    /// A token that is set when the time is over, or the process has more bytes of
    /// memory than this.
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Stop {
        Stop::from(Token::with_limits(time, memory))
    }

    /// A token that is set after so many looks, for tests.
    pub fn after(looks: u64) -> Stop {
        Stop::from(Token {
            looks: Some(AtomicU64::new(looks)),
            ..Token::running()
        })
    }

    /// A tighter token: it is set when this one is, and when so much time is over.
    pub fn within(&self, time: Option<Duration>) -> Stop {
        self.limited(time, None)
    }

    /// A tighter token: it is set when this one is, when so much time is over, and
    /// when the process has more bytes of memory than this.
    pub fn limited(&self, time: Option<Duration>, memory: Option<u64>) -> Stop {
        Stop::from(Token {
            parent: Some(self.clone()),
            ..Token::with_limits(time, memory)
        })
    }

    /// Stops all work that holds the token, or one made from it. The first cause
    /// stays.
    pub fn set(&self, cause: Cause) {
        let _ = self
            .0
            .cause
            .compare_exchange(0, cause.number(), Relaxed, Relaxed);
    }

    /// Whether to give up. Cheap enough to ask before every unit of work of a
    /// microsecond or more.
    #[inline]
    pub fn is_set(&self) -> bool {
        let set = self.0.cause.load(Relaxed) != 0 || self.0.becomes_set();
        if set {
            self.0.late.fetch_add(1, Relaxed);
        }
        set
    }

    /// The same for `?`.
    ///
    /// # Errors
    ///
    /// When the token is set.
    #[inline]
    pub fn check(&self) -> Result<(), Stopped> {
        match self.is_set() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    /// Why the token is set, if it is.
    pub fn cause(&self) -> Option<Cause> {
        self.0.becomes_set();
        Cause::of(self.0.cause.load(Relaxed))
    }

    /// How much of the time is left, if there is a limit.
    pub fn time_left(&self) -> Option<Duration> {
        let own = self
            .0
            .deadline
            .map(|it| it.saturating_duration_since(Instant::now()));
        let above = self.0.parent.as_ref().and_then(Stop::time_left);
        own.into_iter().chain(above).min()
    }

    /// How often this very token was looked at after it was set.
    pub fn late(&self) -> u64 {
        self.0.late.load(Relaxed)
    }
}

impl From<Token> for Stop {
    fn from(token: Token) -> Stop {
        Stop(Arc::new(token))
    }
}

impl Token {
    fn running() -> Token {
        Token {
            cause: AtomicU8::new(0),
            parent: None,
            deadline: None,
            memory: None,
            looks: None,
            late: AtomicU64::new(0),
        }
    }

    fn with_limits(time: Option<Duration>, memory: Option<u64>) -> Token {
        let now = Instant::now();
        Token {
            // A time too long to add is as good as none.
            deadline: time.and_then(|time| now.checked_add(time)),
            memory: memory.map(|bytes| MemoryLimit {
                bytes,
                started: now,
                looked: AtomicU64::new(0),
                exceeded: AtomicBool::new(false),
            }),
            ..Token::running()
        }
    }

    /// Looks at everything that sets the token beside [`Stop::set`].
    fn becomes_set(&self) -> bool {
        let cause = self.new_cause();
        if let Some(cause) = cause {
            let _ = self
                .cause
                .compare_exchange(0, cause.number(), Relaxed, Relaxed);
        }
        cause.is_some()
    }

    fn new_cause(&self) -> Option<Cause> {
        if let Some(parent) = &self.parent
            && parent.is_set()
        {
            return parent.cause();
        }
        if let Some(left) = &self.looks
            && left
                .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1))
                .is_err()
        {
            return Some(Cause::Count);
        }
        if self.deadline.is_none() && self.memory.is_none() {
            return None;
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Cause::Time);
        }
        let memory = self.memory.as_ref()?;
        memory.is_exceeded(now).then_some(Cause::Memory)
    }
}

impl MemoryLimit {
    fn is_exceeded(&self, now: Instant) -> bool {
        let elapsed = now.duration_since(self.started).as_millis() as u64;
        let due = self.looked.load(Relaxed) + MEMORY_EVERY.as_millis() as u64;
        if elapsed >= due {
            self.looked.store(elapsed, Relaxed);
            self.exceeded.store(memory_in_use() >= self.bytes, Relaxed);
        }
        self.exceeded.load(Relaxed)
    }
}

impl Cause {
    const ALL: [Cause; 4] = [Cause::Time, Cause::Memory, Cause::Interrupt, Cause::Count];

    fn number(self) -> u8 {
        self as u8 + 1
    }

    fn of(number: u8) -> Option<Cause> {
        Cause::ALL
            .into_iter()
            .find(|cause| cause.number() == number)
    }
}

/// Bytes of memory the process has, as far as the system tells.
pub fn memory_in_use() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_stays_set_for_its_first_cause() {
        let stop = Stop::never();
        assert!(!stop.is_set());
        stop.set(Cause::Interrupt);
        stop.set(Cause::Time);
        assert_eq!(stop.check(), Err(Stopped));
        assert_eq!(stop.cause(), Some(Cause::Interrupt));
    }

    #[test]
    fn a_tighter_token_is_set_with_the_one_it_was_made_from_and_not_the_reverse() {
        let stop = Stop::never();
        let (quick, patient) = (stop.within(Some(Duration::ZERO)), stop.within(None));
        assert_eq!(quick.cause(), Some(Cause::Time));
        assert!(!stop.is_set() && !patient.is_set());
        stop.set(Cause::Interrupt);
        assert!(patient.is_set());
        assert_eq!(patient.cause(), Some(Cause::Interrupt));
        assert_eq!(quick.time_left(), Some(Duration::ZERO));
    }

    #[test]
    fn looks_after_the_stop_are_counted() {
        let stop = Stop::after(2);
        let answers: Vec<bool> = (0..5).map(|_| stop.is_set()).collect();
        assert_eq!(answers, [false, false, true, true, true]);
        assert_eq!(stop.late(), 3);
    }

    #[test]
    fn too_much_memory_sets_the_token() {
        let stop = Stop::new(None, Some(1));
        while !stop.is_set() {
            std::thread::yield_now();
        }
        assert_eq!(stop.cause(), Some(Cause::Memory));
    }
}
