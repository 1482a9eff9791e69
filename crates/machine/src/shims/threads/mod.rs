//! Threads of POSIX and of C: making them, waiting for their end, and what each has of
//! its own. What they wait for is in files of its own.
//!
//! The functions of C11 (`thrd_…`, `mtx_…`) are those of POSIX under other names and with
//! other numbers for failures, as in every C library.

mod barrier;
mod cancel;
mod condition;
mod lock;
mod own;
mod semaphore;

pub(crate) use lock::{begin_alone, end_alone, leave_robust};

use crate::kernel::errno::{EBUSY, EINVAL};
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error};
use crate::scheduling::Operation;
use crate::shims::kernel::time::pass_until;
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::threads::{Status, ThreadId, Wait};
use crate::value::Value;
use program::Kind;

/// Where `pthread_attr_t` says that nobody waits for the thread's end.
const DETACHED: i64 = 24;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "pthread_create" => create,
        "thrd_create" => create_c11,
        "pthread_join" => join,
        "pthread_tryjoin_np" => try_join,
        "pthread_timedjoin_np" => join_until::<2, TIME_OVER>,
        "pthread_clockjoin_np" => join_until::<3, TIME_OVER>,
        "thrd_join" => join_c11,
        "pthread_detach" | "thrd_detach" => detach,
        "pthread_exit" | "thrd_exit" => exit,
        "pthread_self" | "thrd_current" => current,
        "pthread_equal" | "thrd_equal" => equal,
        "pthread_yield" | "sched_yield" | "thrd_yield" => give_way,
        "__ep_before" => before,
        "__VERIFIER_atomic_begin" => lock::atomic_begin,
        "__VERIFIER_atomic_end" => lock::atomic_end,
        _ => {
            return lock::find(name)
                .or_else(|| condition::find(name))
                .or_else(|| barrier::find(name))
                .or_else(|| cancel::find(name))
                .or_else(|| semaphore::find(name))
                .or_else(|| own::find(name));
        }
    })
}

/// What a function gives that succeeds.
const DONE: Returned = Returned::Value(Value::ZERO);

fn number(number: i32) -> Returned {
    Returned::Value(Value::word(number as u32 as u64))
}

/// `ETIMEDOUT`.
const TIME_OVER: i32 = 110;
/// What C11 calls that.
const C11_TIME_OVER: i32 = 4;
/// What C11 calls any other failure.
const C11_ERROR: i32 = 2;

/// Until when a thread waits.
#[derive(Clone, Copy)]
struct Limit {
    /// Where the program says so.
    time: Value,
    /// What the call gives when it was in vain.
    failure: i32,
    /// What it gives when that is no time.
    no_time: i32,
}

impl Limit {
    /// The time that the argument of this number points to; functions have it in different places.
    fn until(call: &Invocation<'_>, argument: usize, failure: i32) -> Option<Limit> {
        let no_time = match failure {
            TIME_OVER => EINVAL.0,
            C11_TIME_OVER => C11_ERROR,
            failure => failure - 2,
        };
        Some(Limit {
            time: call.arg(argument),
            failure,
            no_time,
        })
    }

    /// Whether it is a time at all, as far as no input decides that.
    fn is_time(self, m: &mut Machine<'_>, state: &mut State) -> Result<bool, Halt> {
        const SECOND: u64 = 1_000_000_000;
        let fraction = m.offset(self.time, 8);
        let fraction = m.load(state, fraction, Kind::Int(64))?.as_word();
        Ok(fraction.is_none_or(|nanoseconds| nanoseconds < SECOND))
    }

    /// The running thread has waited in vain.
    fn is_over(self, m: &mut Machine<'_>, state: &mut State) -> Result<Returned, Halt> {
        let threads = state.threads_mut();
        threads.take_chosen();
        threads.current().status = Status::Ready;
        pass_until(m, state, self.time)?;
        Ok(number(self.failure))
    }
}

/// The running thread waits, or has waited in vain for as long as it does.
fn wait_until(
    m: &mut Machine<'_>,
    state: &mut State,
    limit: Option<Limit>,
    wait: impl FnOnce(bool) -> Wait,
) -> Result<Returned, Halt> {
    let has_waited = matches!(state.threads_mut().current().status, Status::Waiting(_));
    match limit {
        Some(limit) if has_waited => limit.is_over(m, state),
        Some(limit) if !limit.is_time(m, state)? => Ok(number(limit.no_time)),
        _ => m.wait(state, wait(limit.is_some())),
    }
}

/// The name that the program has for a thread, which is not null.
fn handle(id: ThreadId) -> u64 {
    id as u64 + 1
}

/// The thread that the program has this name for.
fn thread_of(
    m: &mut Machine<'_>,
    state: &mut State,
    handle: Value,
    what: &str,
) -> Result<ThreadId, Halt> {
    let handle = m.concretize(state, handle, 64);
    let id = handle.wrapping_sub(1) as ThreadId;
    match state.threads_mut().get(id) {
        Some(_) => Ok(id),
        None => error(
            ErrorKind::BadCall,
            format!("{what} of {handle:#x}, which is no thread"),
        ),
    }
}

fn create(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let attributes = m.concretize(state, call.arg(1), 64);
    let is_detached = match attributes {
        0 => false,
        at => {
            let detached = m.offset(Value::word(at), DETACHED);
            let detached = m.load(state, detached, Kind::Int(32))?;
            m.concretize(state, detached, 32) != 0
        }
    };
    spawn(
        m,
        state,
        [call.arg(0), call.arg(2), call.arg(3)],
        is_detached,
    )
}

fn create_c11(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    spawn(m, state, [call.arg(0), call.arg(1), call.arg(2)], false)
}

fn spawn(
    m: &mut Machine<'_>,
    state: &mut State,
    [name, function, argument]: [Value; 3],
    is_detached: bool,
) -> Result<Returned, Halt> {
    m.scheduling_point(state, Operation::of(Shared::Numbers))?;
    let function = m.callee(state, function)?;
    let Some(body) = m.body(function) else {
        return error(
            ErrorKind::BadCall,
            "a thread is to run a function that has no body",
        );
    };
    let (parameters, first) = (body.parameters, body.parameter(0));
    let mut frame = m.frame(function);
    if parameters > 0 {
        frame.registers[first.index()] = argument;
    }
    // The name is there before the thread is.
    let id = state.thread_count();
    m.store(state, name, Kind::Int(64), Value::word(handle(id)))?;
    let id = state.spawn(frame);
    state.touch(Shared::Thread(id), true);
    if let Some(thread) = state.threads_mut().get(id) {
        thread.is_detached = is_detached;
    }
    Ok(DONE)
}

fn join(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    join_as(m, state, call, Kind::Ptr, None)
}

fn join_until<const TIME: usize, const FAILURE: i32>(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    join_as(m, state, call, Kind::Ptr, Limit::until(call, TIME, FAILURE))
}

fn try_join(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let other = thread_of(m, state, call.arg(0), "a join")?;
    m.scheduling_point(state, Operation::of(Shared::Thread(other)))?;
    let is_timed = false;
    if state
        .threads_mut()
        .has_to_wait(Wait::End { other, is_timed })
    {
        return Ok(number(EBUSY.0));
    }
    joined(m, state, other, call, Kind::Ptr)
}

fn join_c11(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    join_as(m, state, call, Kind::Int(32), None)
}

fn join_as(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    kind: Kind,
    limit: Option<Limit>,
) -> Result<Returned, Halt> {
    let other = thread_of(m, state, call.arg(0), "a join")?;
    let is_timed = false;
    let waits = state
        .threads_mut()
        .has_to_wait(Wait::End { other, is_timed });
    let operation = Operation::of(Shared::Thread(other)).waiting(waits);
    m.scheduling_point(state, operation)?;
    m.leave_if_cancelled(state)?;
    let threads = state.threads_mut();
    if other == threads.running() {
        // glibc says so by its result.
        return error(ErrorKind::LockMisuse, "a thread waits for its own end");
    }
    if waits && !threads.get(other).is_some_and(|it| it.is_detached) {
        return wait_until(m, state, limit, |is_timed| Wait::End { other, is_timed });
    }
    joined(m, state, other, call, kind)
}

/// The thread has ended, and whoever waited for that has its result.
fn joined(
    m: &mut Machine<'_>,
    state: &mut State,
    other: ThreadId,
    call: &Invocation<'_>,
    kind: Kind,
) -> Result<Returned, Halt> {
    let threads = state.threads_mut();
    let thread = threads.get(other).expect("it was just found");
    let misuse = |what: &str| error(ErrorKind::LockMisuse, format!("a join of a thread {what}"));
    if thread.is_detached {
        return misuse("that was detached");
    }
    match thread.status {
        Status::Ready | Status::Waiting(_) => unreachable!("it has ended"),
        Status::Joined => misuse("that was joined before"),
        Status::Finished(result) => {
            thread.status = Status::Joined;
            let clock = thread.clock.clone();
            threads.acquire(&clock);
            threads.current().status = Status::Ready;
            let place = m.concretize(state, call.arg(1), 64);
            if place != 0 {
                let result = match kind {
                    Kind::Ptr => result,
                    _ => status_of(m, result),
                };
                m.store(state, Value::word(place), kind, result)?;
            }
            Ok(DONE)
        }
    }
}

/// The result of a thread that gives an `int`.
fn status_of(m: &mut Machine<'_>, result: Value) -> Value {
    match result.as_term() {
        Some(term) => {
            let status = m.store.extract(term, 0, 32);
            Value::of(&m.store, status)
        }
        None => Value::word(result.as_word().unwrap_or_default() & 0xffff_ffff),
    }
}

fn detach(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let other = thread_of(m, state, call.arg(0), "a detachment")?;
    state.touch(Shared::Thread(other), true);
    let thread = state.threads_mut().get(other).expect("it was just found");
    if thread.is_detached || thread.status == Status::Joined {
        return error(
            ErrorKind::LockMisuse,
            "a detachment of a thread that nobody can join any more",
        );
    }
    thread.is_detached = true;
    Ok(DONE)
}

fn exit(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    cancel::exit_thread(m, state, call.arg(0))
}

fn current(_: &mut Machine<'_>, state: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    let id = state.threads_mut().running();
    Ok(Returned::Value(Value::word(handle(id))))
}

fn equal(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let [a, b] = [0, 1].map(|i| m.concretize(state, call.arg(i), 64));
    Ok(number((a == b).into()))
}

/// The C library is about to do something with what is at an address.
fn before(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    m.scheduling_point(state, Operation::on(at))?;
    Ok(Returned::Nothing)
}

/// Another thread runs, if there is one that can.
fn give_way(m: &mut Machine<'_>, state: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    let running = state.threads_mut().running();
    m.scheduling_point(state, Operation::of(Shared::Thread(running)))?;
    Ok(DONE)
}
