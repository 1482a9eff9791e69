//! What a process does about signals.

use crate::state::Caller;
use std::rc::Rc;

/// One more than the greatest signal.
pub(crate) const SIGNALS: u32 = 65;

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
    pub(crate) blocked: u64,
    pub(crate) pending: u64,
    /// Handlers that may be running: where each returns to and what was blocked before.
    /// The frames are held, so that no other can be taken for them.
    pub(crate) handlers: Vec<(Rc<Caller>, u64)>,
    /// What was blocked before `sigsuspend`, whose own mask holds until a handler runs.
    pub(crate) suspended: Option<u64>,
    pub(crate) alarm: Alarm,
}

/// Nanoseconds until the alarm rings, and between its rings after that; 0 for never.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Alarm {
    pub(crate) left: u64,
    pub(crate) interval: u64,
}

impl Signals {
    pub fn new() -> Signals {
        Signals {
            actions: vec![Action::default(); SIGNALS as usize].into(),
            blocked: 0,
            pending: 0,
            handlers: Vec::new(),
            suspended: None,
            alarm: Alarm::default(),
        }
    }

    pub fn is_handling(&self) -> bool {
        !self.handlers.is_empty()
    }

    pub fn action(&self, signal: u32) -> Action {
        self.actions[signal as usize]
    }

    pub fn set_action(&mut self, signal: u32, action: Action) {
        let mut actions = self.actions.to_vec();
        actions[signal as usize] = action;
        self.actions = actions.into();
    }
}
