//! Stopping a query that runs for too long.
//!
//! Z3 is stopped by a call from another thread, while we are to stop when the
//! token is set or the query's memory is used up, and not all of Z3's procedures
//! watch over their memory. So a thread of the backend's own looks at both, a
//! hundred times a second, as long as there are queries; when there were none for
//! a while it sleeps until it is woken. To begin and to end a query then costs a
//! lock that is hardly ever contended.

use crate::backend::{Limits, Reason};
use base::Stop;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use z3_sys::{Z3_context, Z3_get_estimated_alloc_size, Z3_interrupt};

/// How often a running query is looked at.
const PERIOD: Duration = Duration::from_millis(10);
/// How many looks find no query before the thread goes to sleep.
const IDLE_LOOKS: u32 = 100;

/// Watches the queries of one backend.
#[derive(Default)]
pub(super) struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    query: Option<Query>,
    asleep: bool,
    over: bool,
}

struct Query {
    context: Running,
    stop: Stop,
    /// Bytes that all of Z3 may have in the end.
    memory: Option<u64>,
    stopped: Option<Reason>,
}

/// A context that is being used by the thread of the query.
struct Running(Z3_context);

// SAFETY: the watching thread only passes it to `Z3_interrupt`, which Z3 allows
// from any thread, and only while the query is noted and so the context alive.
unsafe impl Send for Running {}

impl Watch {
    /// Notes that a query begins in this context.
    pub fn begin(&mut self, context: Z3_context, limits: &Limits) {
        let memory = limits
            .memory
            .map(|bytes| allocated().saturating_add(bytes as u64));
        let mut state = self.shared.lock();
        state.query = Some(Query {
            context: Running(context),
            stop: limits.stop.clone(),
            memory,
            stopped: None,
        });
        let in_a_hurry = limits.stop.time_left().is_some_and(|time| time < PERIOD);
        if state.asleep || in_a_hurry {
            self.shared.wake.notify_one();
        }
        drop(state);
        if self.thread.is_none() {
            let shared = self.shared.clone();
            self.thread = Some(std::thread::spawn(move || shared.watch()));
        }
    }

    /// Notes that the query is over: why it was stopped, if it was. The
    /// context may go away after this.
    pub fn end(&mut self) -> Option<Reason> {
        let query = self.shared.lock().query.take();
        query.and_then(|query| query.stopped)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().over = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A watch that panicked has nothing left to stop.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// What the lock protects is whole at every point where a thread may fail.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        let mut state = self.lock();
        let mut idle = 0;
        while !state.over {
            let pause = match &mut state.query {
                Some(query) => {
                    idle = 0;
                    query.look()
                }
                None => {
                    idle += 1;
                    PERIOD
                }
            };
            state = if idle > IDLE_LOOKS {
                idle = 0;
                state.asleep = true;
                let mut woken = self
                    .wake
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                woken.asleep = false;
                woken
            } else {
                let woken = self.wake.wait_timeout(state, pause);
                woken.unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }
}

impl Query {
    /// Stops the query if it must be, and says when to look again. A call
    /// that comes before Z3 began to search has no effect, so it is repeated.
    fn look(&mut self) -> Duration {
        if self.stopped.is_none() {
            let too_large = || self.memory.is_some_and(|most| allocated() > most);
            self.stopped =
                Reason::of_stop(&self.stop).or_else(|| too_large().then_some(Reason::Memory));
        }
        if self.stopped.is_some() {
            // SAFETY: see `Running`.
            unsafe { Z3_interrupt(self.context.0) };
            return PERIOD;
        }
        self.stop
            .time_left()
            .map_or(PERIOD, |left| left.min(PERIOD))
    }
}

/// Bytes that all contexts of the process have.
fn allocated() -> u64 {
    // SAFETY: Z3 counts under a lock of its own.
    unsafe { Z3_get_estimated_alloc_size() }
}
