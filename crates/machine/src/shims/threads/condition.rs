//! Condition variables.
//!
//! There are no spurious wake-ups: a program that needs them to go on is wrong, and one
//! that cannot bear them shows it with `while` in the place of `if` only.

use super::lock::{acquire, release};
use super::{C11_TIME_OVER, DONE, Limit, TIME_OVER};
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error};
use crate::scheduling::Operation;
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::threads::{Status, Wait};

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "pthread_cond_init" | "pthread_cond_destroy" | "cnd_init" | "cnd_destroy" => forget,
        "pthread_cond_wait" | "cnd_wait" => wait,
        "pthread_cond_timedwait" => wait_for_a_time::<2, TIME_OVER>,
        "pthread_cond_clockwait" => wait_for_a_time::<3, TIME_OVER>,
        "cnd_timedwait" => wait_for_a_time::<2, C11_TIME_OVER>,
        "pthread_cond_signal" | "cnd_signal" => signal,
        "pthread_cond_broadcast" | "cnd_broadcast" => broadcast,
        _ => return None,
    })
}

fn forget(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let condition = m.concretize(state, call.arg(0), 64);
    state.touch(Shared::At(condition), true);
    let threads = state.threads_mut();
    let waits = |wait: Wait| matches!(wait, Wait::Signal { condition: it, .. } if it == condition);
    if threads.waiting().any(|(_, wait)| waits(wait)) {
        return error(
            ErrorKind::LockMisuse,
            "a condition variable is destroyed while a thread waits for it",
        );
    }
    threads.conditions.remove(&condition);
    Ok(DONE)
}

fn wait(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    wait_as(m, state, call, None)
}

fn wait_for_a_time<const TIME: usize, const FAILURE: i32>(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    wait_as(m, state, call, Limit::until(call, TIME, FAILURE))
}

fn wait_as(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    limit: Option<Limit>,
) -> Result<Returned, Halt> {
    let [condition, lock] = [0, 1].map(|i| m.concretize(state, call.arg(i), 64));
    let threads = state.threads_mut();
    let running = threads.running();
    // The call is made again each time the thread is chosen.
    match threads.current().status {
        Status::Waiting(Wait::Back { in_time, .. }) => {
            threads.touch(Shared::At(condition), true);
            return back(m, state, lock, in_time, limit);
        }
        Status::Waiting(Wait::Signal { .. }) => {
            threads.touch(Shared::At(condition), true);
            // It ends with the lock in its hands, which is free when it is chosen for that.
            if threads.is_cancelled(running) && acquire(state, lock) {
                m.leave_if_cancelled(state)?;
            }
            return back(m, state, lock, false, limit);
        }
        _ => {}
    }
    m.scheduling_point(state, Operation::on(condition))?;
    m.leave_if_cancelled(state)?;
    state.touch(Shared::At(lock), true);
    let threads = state.threads_mut();
    if threads.locks.entry(lock).or_default().owner != Some(running) {
        return error(
            ErrorKind::LockMisuse,
            "a wait for a signal without holding the lock",
        );
    }
    if let Some(limit) = limit
        && !limit.is_time(m, state)?
    {
        return Ok(super::number(limit.no_time));
    }
    release(state, lock);
    let is_timed = limit.is_some();
    m.wait(
        state,
        Wait::Signal {
            condition,
            lock,
            is_timed,
        },
    )
}

/// The thread was woken, and needs its lock.
fn back(
    m: &mut Machine<'_>,
    state: &mut State,
    lock: u64,
    in_time: bool,
    limit: Option<Limit>,
) -> Result<Returned, Halt> {
    state.threads_mut().take_chosen();
    state.touch(Shared::At(lock), true);
    if !acquire(state, lock) {
        return m.wait(state, Wait::Back { lock, in_time });
    }
    match limit {
        Some(limit) if !in_time => limit.is_over(m, state),
        _ => Ok(DONE),
    }
}

fn signal(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let condition = m.concretize(state, call.arg(0), 64);
    m.scheduling_point(state, Operation::on(condition))?;
    let mut waiting = waiting_for(state, condition);
    let is_choice = waiting.len() > 1;
    if let Some(woken) = m.scheduled_waking(state, &waiting).filter(|_| is_choice) {
        waiting = vec![woken];
    }
    // Any of those that wait may be woken: a path for each.
    let Some(woken) = waiting.pop() else {
        unheard(state, condition);
        return Ok(DONE);
    };
    for other in waiting {
        let Some(mut fork) = m.fork_for_thread(state) else {
            continue;
        };
        wake(&mut fork, other);
        fork.threads_mut().turns.wake(other);
        // The fork is past this call.
        fork.frame.pc += 1;
        if call.dst != program::Reg::NONE {
            fork.set(call.dst, crate::value::Value::ZERO);
        }
        m.fork(fork);
    }
    wake(state, woken);
    if is_choice {
        state.threads_mut().turns.wake(woken);
    }
    Ok(DONE)
}

fn broadcast(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let condition = m.concretize(state, call.arg(0), 64);
    m.scheduling_point(state, Operation::on(condition))?;
    let waiting = waiting_for(state, condition);
    if waiting.is_empty() {
        unheard(state, condition);
    }
    for other in waiting {
        wake(state, other);
    }
    Ok(DONE)
}

fn waiting_for(state: &mut State, condition: u64) -> Vec<usize> {
    let waiting = state.threads_mut().waiting();
    let here = waiting
        .filter(|(_, wait)| matches!(wait, Wait::Signal { condition: it, .. } if *it == condition));
    here.map(|(id, _)| id).collect()
}

fn unheard(state: &mut State, condition: u64) {
    let known = state.threads_mut().conditions.entry(condition);
    known.or_default().unheard += 1;
}

fn wake(state: &mut State, id: usize) {
    let threads = state.threads_mut();
    let own = threads.current().clock.clone();
    let Some(thread) = threads.get(id) else {
        return;
    };
    if let Status::Waiting(Wait::Signal { lock, .. }) = thread.status {
        thread.status = Status::Waiting(Wait::Back {
            lock,
            in_time: true,
        });
        thread.clock.join(&own);
    }
}
