//! Barriers: so many threads wait until all of them are there.

use super::{DONE, number};
use crate::kernel::errno::EINVAL;
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error};
use crate::scheduling::Operation;
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::threads::{Barrier, Status, Wait};

/// What one of the threads gets, `PTHREAD_BARRIER_SERIAL_THREAD`.
const LAST: i32 = -1;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "pthread_barrier_init" => init,
        "pthread_barrier_destroy" => destroy,
        "pthread_barrier_wait" => wait,
        _ => return None,
    })
}

fn init(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    let size = m.concretize(state, call.arg(2), 32);
    state.touch(Shared::At(at), true);
    if size == 0 {
        return Ok(number(EINVAL.0));
    }
    let barrier = Barrier {
        size,
        ..Barrier::default()
    };
    state.threads_mut().barriers.insert(at, barrier);
    Ok(DONE)
}

fn destroy(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    state.touch(Shared::At(at), true);
    match state.threads_mut().barriers.remove(&at) {
        Some(barrier) if !barrier.waiting.is_empty() => error(
            ErrorKind::LockMisuse,
            "a barrier is destroyed while a thread waits at it",
        ),
        _ => Ok(DONE),
    }
}

fn wait(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    let threads = state.threads_mut();
    if let Status::Waiting(Wait::Open { is_last }) = threads.current().status {
        threads.take_chosen();
        threads.touch(Shared::At(at), true);
        threads.current().status = Status::Ready;
        return Ok(number(if is_last { LAST } else { 0 }));
    }
    m.scheduling_point(state, Operation::on(at))?;
    let threads = state.threads_mut();
    let running = threads.running();
    let Some(mut barrier) = threads.barriers.remove(&at) else {
        return error(ErrorKind::LockMisuse, "a wait at a barrier that is none");
    };
    barrier.waiting.push(running);
    threads.release(&mut barrier.clock);
    let is_whole = barrier.waiting.len() as u64 >= barrier.size;
    if !is_whole {
        threads.barriers.insert(at, barrier);
        return m.wait(state, Wait::Barrier(at));
    }
    let clock = std::mem::take(&mut barrier.clock);
    for id in std::mem::take(&mut barrier.waiting) {
        if let Some(thread) = threads.get(id) {
            thread.clock.join(&clock);
            if id != running {
                thread.status = Status::Waiting(Wait::Open { is_last: false });
            }
        }
    }
    threads.barriers.insert(at, barrier);
    Ok(number(LAST))
}
