//! What a path writes down of the turns that its threads take, for its test.
//!
//! A turn is counted in operations that the thread got past. A thread that has to wait for
//! a lock has not got past it: when it is its turn again it makes the call once more, which
//! the real program does not. A wait for a signal or at a barrier is begun, though, and what
//! the thread gives away by it is given away before others run.
//!
//! Where a standard library is part of the program, what it does is not counted: the machine
//! runs the library's code, and the real program runs the same code compiled, in which nobody
//! counts. Counted are the places where the program's own code goes over to it: each call and
//! each return. An operation in there is the last such place, and whoever is preempted at the
//! operation stands, for the count, before the place: between the two the thread does nothing
//! that others notice.

use super::{Status, ThreadId, Threads};
use base::{List, Schedule, TimeSlice};

/// A call or an instruction: function, position, and how deep the stack is there.
pub(crate) type Location = (u32, u32, u32);

/// The turns so far.
#[derive(Clone, Default)]
pub(crate) struct Turns {
    over: List<TimeSlice>,
    now: TimeSlice,
    woken: List<u32>,
    /// The operation that the running thread was last counted past.
    passed: Option<Location>,
}

impl Turns {
    /// How many are over.
    pub fn number(&self) -> usize {
        self.over.len()
    }

    /// The operations that the running thread got past in its turn.
    pub fn operations(&self) -> u32 {
        self.now.operations
    }

    /// How many threads were chosen to be woken.
    pub fn wakings(&self) -> usize {
        self.woken.len()
    }

    /// A signal woke one of several threads.
    pub fn wake(&mut self, thread: ThreadId) {
        self.woken.push(thread as u32);
    }

    /// What the running thread does here is begun, whoever runs next.
    pub fn begun(&mut self) {
        self.passed = None;
    }

    /// All of them.
    pub fn schedule(&self) -> Schedule {
        let slices = self.over.forwards().chain([&self.now]);
        Schedule {
            slices: slices.copied().collect(),
            woken: self.woken.forwards().copied().collect(),
        }
    }
}

impl Threads {
    /// The running thread has come to an operation.
    pub fn arrive(&mut self, here: Location) {
        let again = self.current().stands_at.take() == Some(here);
        self.turns.passed = (!again).then_some(here);
        self.turns.now.operations += u32::from(!again);
    }

    /// The running thread goes from the program's own code into a library, or may do so.
    pub fn call_out(&mut self) {
        self.turns.now.operations += 1;
        self.turns.passed = None;
        self.current().has_called_out = true;
    }

    /// The running thread has come to an operation that was counted when it called the library.
    pub fn arrive_in_library(&mut self, here: Location) {
        self.turns.passed = Some(here);
    }

    /// Whether the running thread comes to the operation for the first time.
    pub fn is_new(&self, here: Location) -> bool {
        self.threads[self.running].stands_at != Some(here)
    }

    /// The turn of the running thread, which stands here, is over, and another begins.
    pub(super) fn next_turn(&mut self, here: Location, next: ThreadId) {
        let is_before = self.turns.passed.take() == Some(here);
        self.turns.now.operations -= u32::from(is_before);
        self.current().stands_at = Some(here);
        // A call that was counted in a turn that is over is no beginning in another.
        self.current().has_called_out = false;
        let is_late = match self.threads[next].status {
            Status::Waiting(wait) => wait.is_timed() && !self.has_come(wait),
            _ => false,
        };
        let next = TimeSlice {
            thread: next as u32,
            operations: 0,
            is_late,
        };
        let over = std::mem::replace(&mut self.turns.now, next);
        self.turns.over.push(over);
    }
}
