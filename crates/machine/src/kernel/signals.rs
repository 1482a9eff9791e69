//! What a process does about signals, and each of its threads.

use crate::state::Caller;
use crate::threads::schedule::Location;
use crate::threads::{Status, ThreadId};
use std::rc::Rc;

/// One more than the greatest signal.
pub(crate) const SIGNALS: u32 = 65;
/// The first that comes as often as it was sent.
const FIRST_QUEUED: u32 = 32;

/// What happens for a signal, as `struct kernel_sigaction` has it.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Action {
    pub(crate) handler: u64,
    pub(crate) flags: u64,
    pub(crate) restorer: u64,
    pub(crate) mask: u64,
}

/// What a process does about signals.
#[derive(Clone)]
pub(crate) struct Signals {
    pub(crate) actions: Rc<[Action]>,
    /// What was sent to the process when all its threads blocked it.
    pub(crate) pending: Vec<Pending>,
    /// What the running thread does about signals; that of the others is with them.
    pub(crate) own: OwnSignals,
    /// Timers by number, of which the first is the alarm; none where one was deleted.
    pub(crate) timers: Vec<Option<Timer>>,
}

/// What a thread does about signals.
#[derive(Clone, Default)]
pub(crate) struct OwnSignals {
    pub(crate) blocked: u64,
    pub(crate) pending: Vec<Pending>,
    /// Handlers that may be running.
    pub(crate) handlers: Vec<Handler>,
    /// What was blocked before `sigsuspend`, whose own mask holds until a handler runs.
    pub(crate) suspended: Option<u64>,
    /// The signals that it waits for by `sigwait`.
    pub(crate) awaited: u64,
    /// A handler has run while the thread was in a call that waits.
    pub(crate) interruption: Option<Interruption>,
}

/// A handler that may be running.
#[derive(Clone)]
pub(crate) struct Handler {
    /// Where it returns to. The frame is held, so that no other can be taken for it.
    pub(crate) caller: Rc<Caller>,
    /// What was blocked before.
    pub(crate) blocked: u64,
    /// What the thread was about when another thread sent the signal.
    pub(crate) interrupted: Option<Interrupted>,
}

/// What a thread was about when a handler came between.
#[derive(Clone, Copy)]
pub(crate) struct Interrupted {
    pub(crate) at: Location,
    pub(crate) status: Status,
    pub(crate) stands_at: Option<Location>,
    pub(crate) how: Interruption,
}

/// What a handler means for a call that it has interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interruption {
    /// It fails with `EINTR`.
    Fails,
    /// It goes on, as far as such calls can.
    Restarts,
}

/// A signal that was sent and not delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(crate) signal: u32,
    /// How it was sent, as `si_code` has it.
    pub(crate) code: i32,
    /// What was sent with it.
    pub(crate) value: u64,
    /// The timer that sent it.
    pub(crate) timer: Option<usize>,
}

impl Pending {
    pub(crate) fn bit(self) -> u64 {
        1 << (self.signal - 1)
    }
}

/// The signals among these, as a set.
pub(crate) fn set_of(pending: &[Pending]) -> u64 {
    pending.iter().fold(0, |set, it| set | it.bit())
}

/// One more signal waits. Ordinary ones come once, however often they were sent meanwhile.
pub(crate) fn queue(pending: &mut Vec<Pending>, new: Pending) -> bool {
    let is_there = pending.iter().any(|it| it.signal == new.signal);
    let comes = new.signal >= FIRST_QUEUED || !is_there;
    if comes {
        pending.push(new);
    }
    comes
}

/// Takes the first of the lowest signal of a set.
pub(crate) fn take_lowest(pending: &mut Vec<Pending>, set: u64) -> Option<Pending> {
    let numbered = pending.iter().enumerate();
    let asked = numbered.filter(|(_, it)| it.bit() & set != 0);
    let (at, _) = asked.min_by_key(|(at, it)| (it.signal, *at))?;
    Some(pending.remove(at))
}

/// What sends a signal when its time comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    pub(crate) signal: Option<u32>,
    pub(crate) code: i32,
    pub(crate) value: u64,
    pub(crate) thread: Option<ThreadId>,
    /// When it rings, in nanoseconds of the clock; 0 for never.
    pub(crate) at: u64,
    /// How long it is from ring to ring after that; 0 if it rings once.
    pub(crate) interval: u64,
    /// How often it rang while its signal waited.
    pub(crate) overrun: u32,
    /// The same when its signal was delivered last.
    pub(crate) told: u32,
}

/// The number of the alarm among the timers.
pub(crate) const ALARM: usize = 0;

impl Signals {
    pub fn new() -> Signals {
        const SIGALRM: u32 = 14;
        const SI_KERNEL: i32 = 128;
        Signals {
            actions: vec![Action::default(); SIGNALS as usize].into(),
            pending: Vec::new(),
            own: OwnSignals::default(),
            timers: vec![Some(Timer::new(Some(SIGALRM), SI_KERNEL, 0))],
        }
    }

    pub fn is_handling(&self) -> bool {
        !self.own.handlers.is_empty()
    }

    pub fn action(&self, signal: u32) -> Action {
        self.actions[signal as usize]
    }

    pub fn set_action(&mut self, signal: u32, action: Action) {
        let mut actions = self.actions.to_vec();
        actions[signal as usize] = action;
        self.actions = actions.into();
    }

    /// When the next timer rings.
    pub fn next_ring(&self) -> Option<u64> {
        let timers = self.timers.iter().flatten();
        timers.map(|it| it.at).filter(|&at| at != 0).min()
    }
}

impl Timer {
    pub fn new(signal: Option<u32>, code: i32, value: u64) -> Timer {
        Timer {
            signal,
            code,
            value,
            thread: None,
            at: 0,
            interval: 0,
            overrun: 0,
            told: 0,
        }
    }
}

impl OwnSignals {
    /// Whether it blocks nothing, waits for nothing and handles nothing.
    pub fn is_plain(&self) -> bool {
        self.blocked == 0
            && self.awaited == 0
            && self.pending.is_empty()
            && self.handlers.is_empty()
            && self.suspended.is_none()
            && self.interruption.is_none()
    }

    /// What a new thread starts with: the mask of the thread that makes it.
    pub fn of_new_thread(blocked: u64) -> OwnSignals {
        OwnSignals {
            blocked,
            ..OwnSignals::default()
        }
    }
}
