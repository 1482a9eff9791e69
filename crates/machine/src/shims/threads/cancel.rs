//! Cancellation, and the handlers that clean up after a thread.
//!
//! A thread that is to be cancelled ends at its next cancellation point, or where it waits at
//! one, as if it had called `pthread_exit(PTHREAD_CANCELED)`. A thread that may be cancelled at
//! any time is cancelled at its next operation: between two operations it does nothing that
//! others notice.
//!
//! Handlers are as the headers of glibc have them: `pthread_cleanup_push` saves its place by
//! `setjmp` and registers that; who ends the thread jumps to the last place, where the
//! handler is called, and its end asks for the next. Those of C++ are destructors.

use super::{DONE, number, thread_of};
use crate::kernel::errno::{EINVAL, ESRCH};
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::Halt;
use crate::scheduling::Operation;
use crate::shims::jump::jump_to;
use crate::state::State;
use crate::threads::Status;
use crate::threads::sleep::Shared;
use crate::value::Value;
use program::{FunctionId, Kind};

/// `PTHREAD_CANCELED`, the result of a thread that was.
const CANCELED: Value = Value::word(u64::MAX);
/// Not an address: what threads that only wait for their cancellation look at.
const REQUESTS: u64 = 2;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "pthread_cancel" => cancel,
        "pthread_testcancel" => test_cancel,
        "pthread_setcancelstate" | "__pthread_setcancelstate" => set_state,
        "pthread_setcanceltype" => set_type,
        "__pthread_register_cancel" | "__pthread_register_cancel_defer" => register,
        "__pthread_unregister_cancel" | "__pthread_unregister_cancel_restore" => unregister,
        "__pthread_unwind_next" => unwind_next,
        _ => return None,
    })
}

/// Functions of the C library that are cancellation points and end in a system call.
const POINTS: [&str; 38] = [
    "accept",
    "accept4",
    "clock_nanosleep",
    "close",
    "connect",
    "creat",
    "epoll_wait",
    "fdatasync",
    "fsync",
    "msync",
    "nanosleep",
    "open",
    "open64",
    "openat",
    "openat64",
    "pause",
    "poll",
    "ppoll",
    "pread",
    "pread64",
    "pselect",
    "pwrite",
    "pwrite64",
    "read",
    "readv",
    "recv",
    "recvfrom",
    "recvmsg",
    "select",
    "send",
    "sendmsg",
    "sendto",
    "sigsuspend",
    "sleep",
    "sigwait",
    "usleep",
    "write",
    "writev",
];

impl Machine<'_> {
    /// Whether the running system call is one at which a program that cancels threads may
    /// find that it is cancelled: what counts is the function that the program's own code called.
    pub(crate) fn is_cancellation_point(&self, state: &State) -> bool {
        if !self.image.cancels_threads {
            return false;
        }
        let links = std::iter::successors(state.callers.as_deref(), |it| it.callers.as_deref());
        let callers = links.map(|it| FunctionId(it.frame.function));
        let stack = std::iter::once(state.function()).chain(callers);
        let of_library = stack.take_while(|it| self.is_library(*it));
        let called = of_library.last();
        let name = called.map(|it| self.program.functions[it.index()].name.as_str());
        name.is_some_and(|name| POINTS.contains(&name))
    }

    /// The running thread is at a cancellation point that is no operation on anything else.
    pub(crate) fn cancellation_point(&mut self, state: &mut State) -> Result<(), Halt> {
        let Some(running) = state.threads.as_ref().map(|it| it.running()) else {
            return Ok(());
        };
        let beginning = self.scheduling_point(state, Operation::of(Shared::Thread(running)))?;
        self.leave_if_cancelled(state)?;
        // A thread that does nothing but wait for its cancellation lets others run.
        match state.is_threaded && self.looks_at(state, REQUESTS, beginning) {
            true => Err(Halt::Yield),
            false => Ok(()),
        }
    }

    /// Ends the running thread if it is to be cancelled.
    pub(crate) fn leave_if_cancelled(&mut self, state: &mut State) -> Result<(), Halt> {
        let Some(running) = state.threads.as_ref().map(|it| it.running()) else {
            return Ok(());
        };
        let threads = state.threads_mut();
        if !threads.is_cancelled(running) {
            return Ok(());
        }
        threads.take_chosen();
        threads.current().status = Status::Ready;
        exit_thread(self, state, CANCELED)?;
        Err(Halt::Yield)
    }

    /// The same of a thread that may be cancelled at any time.
    pub(crate) fn leave_at_once(&mut self, state: &mut State) -> Result<(), Halt> {
        let threads = state.threads_mut();
        match threads.current().cancellation.is_asynchronous {
            true => self.leave_if_cancelled(state),
            false => Ok(()),
        }
    }
}

/// The running thread ends with this result when the handlers are done that clean up after it.
pub(super) fn exit_thread(
    m: &mut Machine<'_>,
    state: &mut State,
    result: Value,
) -> Result<Returned, Halt> {
    let thread = state.threads_mut().current();
    // A thread that ends is cancelled no more.
    thread.cancellation.is_disabled = true;
    thread.result = result;
    next_handler(m, state)
}

fn next_handler(m: &mut Machine<'_>, state: &mut State) -> Result<Returned, Halt> {
    let thread = state.threads_mut().current();
    let result = thread.result;
    match thread.cleanups.pop() {
        Some(buffer) => jump_to(m, state, buffer, 1),
        None => m.leave_thread(state, result),
    }
}

fn register(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let buffer = m.concretize(state, call.arg(0), 64);
    state.threads_mut().current().cleanups.push(buffer);
    Ok(Returned::Nothing)
}

fn unregister(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let buffer = m.concretize(state, call.arg(0), 64);
    let cleanups = &mut state.threads_mut().current().cleanups;
    // Those above it were left by `longjmp`.
    if let Some(place) = cleanups.iter().rposition(|&it| it == buffer) {
        cleanups.truncate(place);
    }
    Ok(Returned::Nothing)
}

fn unwind_next(
    m: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    next_handler(m, state)
}

fn cancel(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let other = thread_of(m, state, call.arg(0), "a cancellation")?;
    m.scheduling_point(state, Operation::of(Shared::Thread(other)))?;
    let threads = state.threads_mut();
    let is_self = other == threads.running();
    let thread = threads.get(other).expect("it was just found");
    if let Status::Joined = thread.status {
        return Ok(number(ESRCH.0));
    }
    thread.cancellation.is_requested = true;
    if is_self {
        m.leave_at_once(state)?;
    }
    Ok(DONE)
}

fn test_cancel(
    m: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    m.cancellation_point(state)?;
    Ok(Returned::Nothing)
}

/// Sets a choice of two, and tells what it was.
fn set(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    choice: fn(&mut State) -> &mut bool,
) -> Result<Returned, Halt> {
    let new = m.concretize(state, call.arg(0), 32);
    if new > 1 {
        return Ok(number(EINVAL.0));
    }
    let place = m.concretize(state, call.arg(1), 64);
    if place != 0 {
        let old = Value::word((*choice(state)).into());
        m.store(state, Value::word(place), Kind::Int(32), old)?;
    }
    *choice(state) = new == 1;
    m.leave_at_once(state)?;
    Ok(DONE)
}

fn set_state(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    set(m, state, call, |state| {
        &mut state.threads_mut().current().cancellation.is_disabled
    })
}

fn set_type(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    set(m, state, call, |state| {
        &mut state.threads_mut().current().cancellation.is_asynchronous
    })
}
