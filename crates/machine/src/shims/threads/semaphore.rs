//! Semaphores without a name.

use super::{DONE, Limit, wait_until};
use crate::kernel::signals::Interruption;
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::Halt;
use crate::scheduling::Operation;
use crate::shims::kernel::interruption;
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::threads::{Lock, Status, Wait};
use crate::value::Value;
use program::Kind;

/// For the C library: a handler came between.
const INTERRUPTED: i32 = -2;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "sem_init" => init,
        "sem_destroy" => destroy,
        "__ep_sem_wait" => wait,
        "__ep_sem_timedwait" => wait_for_a_time,
        "__ep_sem_trywait" => try_wait,
        "sem_post" => post,
        "sem_getvalue" => value,
        _ => return None,
    })
}

fn init(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    state.touch(Shared::At(at), true);
    let count = m.concretize(state, call.arg(2), 32);
    let semaphore = Lock {
        count,
        ..Lock::default()
    };
    state.threads_mut().locks.insert(at, semaphore);
    Ok(DONE)
}

fn destroy(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    state.touch(Shared::At(at), true);
    state.threads_mut().locks.remove(&at);
    Ok(DONE)
}

fn wait(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    wait_as(m, state, call, None)
}

fn wait_for_a_time(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    // The C library sets `errno`.
    wait_as(m, state, call, Limit::until(call, 1, -1))
}

fn wait_as(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    limit: Option<Limit>,
) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    if let Some(how) = interruption(state)
        && (how == Interruption::Fails || limit.is_some())
    {
        return Ok(super::number(INTERRUPTED));
    }
    let is_timed = false;
    let waits = state
        .threads_mut()
        .has_to_wait(Wait::Semaphore { at, is_timed });
    m.scheduling_point(state, Operation::on(at).waiting(waits))?;
    m.leave_if_cancelled(state)?;
    if take(state, at) {
        return Ok(DONE);
    }
    wait_until(m, state, limit, |is_timed| Wait::Semaphore { at, is_timed })
}

fn try_wait(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    m.scheduling_point(state, Operation::on(at))?;
    if take(state, at) {
        return Ok(DONE);
    }
    // The C library sets `errno`.
    Ok(super::number(-1))
}

/// Counts down, if there is something to count.
fn take(state: &mut State, at: u64) -> bool {
    let threads = state.threads_mut();
    let semaphore = threads.locks.entry(at).or_default();
    if semaphore.count == 0 {
        return false;
    }
    semaphore.count -= 1;
    let clock = semaphore.clock.clone();
    threads.acquire(&clock);
    threads.current().status = Status::Ready;
    true
}

fn post(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    m.scheduling_point(state, Operation::on(at))?;
    let threads = state.threads_mut();
    let mut semaphore = threads.locks.remove(&at).unwrap_or_default();
    semaphore.count += 1;
    threads.release(&mut semaphore.clock);
    threads.locks.insert(at, semaphore);
    Ok(DONE)
}

fn value(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    state.touch(Shared::At(at), false);
    let count = state.threads_mut().locks.entry(at).or_default().count;
    m.store(state, call.arg(1), Kind::Int(32), Value::word(count))?;
    Ok(DONE)
}
