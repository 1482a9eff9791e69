//! Waiting for a place in memory to change, which locks, channels and condition variables
//! of other languages than C are made of.
//!
//! As with condition variables there are no spurious wake-ups. What comes before what
//! follows from the atomic accesses around a call, and not from the call.

use super::user::{Args, DONE, fail, get_number, number};
use super::{Answer, Break, time};
use crate::kernel::errno::{EAGAIN, ENOSYS, ETIMEDOUT};
use crate::machine::Machine;
use crate::origin::Origin;
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::threads::{Status, ThreadId, Wait};
use program::{FunctionId, Kind};

/// What is asked for, without the flags beside it.
const OPERATION: u64 = 0x7f;
const WAIT: u64 = 0;
const WAKE: u64 = 1;
const WAIT_BITSET: u64 = 9;
const WAKE_BITSET: u64 = 10;

pub(super) fn futex(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    match args.word(m, state, 1) & OPERATION {
        WAIT | WAIT_BITSET => wait(m, state, args),
        WAKE | WAKE_BITSET => wake(m, state, args),
        _ => fail(ENOSYS),
    }
}

fn wait(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let place = args.word(m, state, 0);
    // The call is made again each time the thread is chosen.
    let threads = state.threads_mut();
    let status = threads.current().status;
    if let Status::Waiting(wait) = status {
        threads.take_chosen();
        threads.touch(Shared::At(place), true);
        threads.current().status = Status::Ready;
        if wait == Wait::Woken {
            return DONE;
        }
        match args.word(m, state, 1) & OPERATION {
            WAIT => time::pass_for(m, state, args.value(3))?,
            _ => time::pass_until(m, state, args.value(3))?,
        }
        return fail(ETIMEDOUT);
    }
    state.touch(Shared::At(place), true);
    let found = get_number(m, state, args.value(0), 0, 4)?;
    if found != args.word(m, state, 2) & u64::from(u32::MAX) {
        return fail(EAGAIN);
    }
    let is_timed = !args.is_null(m, state, 3) && !looks_again(m, state, args)?;
    m.wait(state, Wait::WakeUp { place, is_timed })?;
    Err(Break::Elsewhere)
}

/// Seconds after which the library of C++ looks again whether an atomic variable has changed,
/// where the program waits for that without a limit.
const LOOKS_AGAIN_AFTER: [u64; 2] = [2, 0];

/// Whether the program waits for ever, and a standard library does it a while at a time. A limit
/// of the program's own is never exactly that long, because looking at the clock takes time.
fn looks_again(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Result<bool, Break> {
    let is_relative = args.word(m, state, 1) & OPERATION == WAIT;
    if !is_relative || caller(m, state) != Some(Origin::Standard) {
        return Ok(false);
    }
    for (i, expected) in LOOKS_AGAIN_AFTER.into_iter().enumerate() {
        let address = m.offset(args.value(3), 8 * i as i64);
        let found = m.load(state, address, Kind::Int(64))?;
        if found.as_word() != Some(expected) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whose code made the system call, behind the built-in library's own.
fn caller(m: &Machine<'_>, state: &State) -> Option<Origin> {
    let callers = std::iter::successors(state.callers.as_deref(), |it| it.callers.as_deref());
    let callers = callers.map(|it| FunctionId(it.frame.function));
    let functions = std::iter::once(state.function()).chain(callers);
    let mut origins = functions.map(|function| m.image.origin(function));
    origins.find(|&origin| origin != Origin::BuiltIn)
}

fn wake(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let place = args.word(m, state, 0);
    let most = args.word(m, state, 2) & u64::from(u32::MAX);
    if let Some(woken) = state.threads_mut().current().woke.take() {
        return number(woken);
    }
    let is_here = |wait: Wait| matches!(wait, Wait::WakeUp { place: it, .. } if it == place);
    let waiting = state.threads_mut().waiting();
    let waiting = waiting.filter(|&(_, wait)| is_here(wait)).map(|(id, _)| id);
    let mut waiting: Vec<ThreadId> = waiting.collect();
    state.touch(Shared::At(place), true);
    let is_choice = most == 1 && waiting.len() > 1;
    if let Some(woken) = m.scheduled_waking(state, &waiting).filter(|_| is_choice) {
        waiting = vec![woken];
    }
    // Any of those that wait may be woken: a path for each.
    if is_choice {
        for other in waiting.split_off(1) {
            if let Some(mut fork) = m.fork_for_thread(state) {
                wake_up(&mut fork, other);
                fork.threads_mut().turns.wake(other);
                // The fork stands before this call.
                fork.threads_mut().current().woke = Some(1);
                m.fork(fork);
            }
        }
    }
    waiting.truncate(most as usize);
    for &id in &waiting {
        wake_up(state, id);
        if is_choice {
            state.threads_mut().turns.wake(id);
        }
    }
    number(waiting.len() as u64)
}

fn wake_up(state: &mut State, id: ThreadId) {
    if let Some(thread) = state.threads_mut().get(id) {
        thread.status = Status::Waiting(Wait::Woken);
    }
}
