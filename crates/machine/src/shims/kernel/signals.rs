//! Signals as system calls: what happens for them, which are blocked, sending them and waiting
//! for them. How they come to threads is in `delivery`, and what sends them by the clock in
//! `timers`.

use super::delivery::{
    bit, blocked_now, deliverable, information, leave_handlers, raise, send, sent, take,
};
use super::process::PROCESS;
use super::timers;
use super::user::{Args, DONE, Layout, fail, get_number, get_words, number, put, room};
use super::{Answer, Break};
use crate::kernel::clock::SECOND;
use crate::kernel::errno::{EAGAIN, EINTR, EINVAL, EPERM, ESRCH};
use crate::kernel::signals::{Action, Pending, SIGNALS, set_of};
use crate::machine::Machine;
use crate::outcome::unsupported;
use crate::pointers::Spot;
use crate::state::State;
use crate::threads::{ThreadId, Wait};
use std::rc::Rc;

pub(super) const SIGPIPE: u32 = 13;
const SIGKILL: u32 = 9;
const SIGSTOP: u32 = 19;
const SIG_IGN: u64 = 1;
/// How often timers may ring in vain while a program waits.
const MOST_RINGS: u32 = 1000;

/// Waits for so many nanoseconds, or for ever, or until a signal comes; how long that
/// was.
pub(super) fn wait(
    m: &mut Machine<'_>,
    state: &mut State,
    most: Option<u64>,
) -> Result<u64, Break> {
    let mut waited = 0;
    for _ in 0..MOST_RINGS {
        if deliverable(state).is_some() {
            return Ok(waited);
        }
        let left = most.map(|most| most - waited);
        let now = state.kernel.clock.nanoseconds;
        let ring = state.kernel.signals.next_ring();
        let ring = ring.map(|at| at.saturating_sub(now));
        let ring = ring.filter(|&ring| left.is_none_or(|left| ring <= left));
        let Some(time) = ring.or(left) else {
            return Ok(unsupported(NOBODY_SENDS)?);
        };
        Rc::make_mut(&mut state.kernel).clock.pass(time);
        waited += time;
        if ring.is_none() {
            return Ok(waited);
        }
        timers::ring(m, state)?;
    }
    Ok(unsupported(
        "waiting while a timer rings that nobody hears",
    )?)
}

/// Why a path ends that waits for a signal.
pub(crate) const NOBODY_SENDS: &str = "waiting for a signal that nobody sends";

/// Waits for a signal without a time limit: time passes until a timer rings, or other threads
/// run.
fn wait_for_signal(m: &mut Machine<'_>, state: &mut State) -> Result<(), Break> {
    if state.is_threaded && state.kernel.signals.next_ring().is_none() {
        m.wait(state, Wait::Interrupt)?;
        return Err(Break::Elsewhere);
    }
    wait(m, state, None).map(|_| ())
}

pub(super) fn pause(m: &mut Machine<'_>, state: &mut State, _: &Args) -> Answer {
    while deliverable(state).is_none() {
        wait_for_signal(m, state)?;
    }
    fail(EINTR)
}

pub(super) fn rt_sigsuspend(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let mask = get_number(m, state, args.value(0), 0, 8)?;
    leave_handlers(state);
    let own = &mut Rc::make_mut(&mut state.kernel).signals.own;
    // The handler runs with the mask that was asked for, and the old one is back after it.
    own.suspended.get_or_insert(own.blocked);
    own.blocked = mask & !(bit(SIGKILL) | bit(SIGSTOP));
    while deliverable(state).is_none() {
        wait_for_signal(m, state)?;
    }
    fail(EINTR)
}

/// Waits for one of several signals, which no handler sees then.
pub(super) fn rt_sigtimedwait(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let set = get_number(m, state, args.value(0), 0, 8)?;
    let set = set & !(bit(SIGKILL) | bit(SIGSTOP));
    let limit = match args.is_null(m, state, 2) {
        true => None,
        false => {
            let words = get_words(m, state, args.value(2), 2)?;
            if (words[0] as i64) < 0 || words[1] >= SECOND {
                return fail(EINVAL);
            }
            Some(words[0].saturating_mul(SECOND).saturating_add(words[1]))
        }
    };
    let place: Option<Spot> = match args.is_null(m, state, 1) {
        true => None,
        false => room(m, state, args.value(1), 128)?,
    };
    let found = await_one(m, state, set, limit);
    if !matches!(found, Err(Break::Elsewhere)) {
        Rc::make_mut(&mut state.kernel).signals.own.awaited = 0;
    }
    let found = found?;
    let layout = information(state, found);
    super::user::fill(m, state, place, &crate::kernel::bytes::known(&layout));
    number(found.signal.into())
}

fn await_one(
    m: &mut Machine<'_>,
    state: &mut State,
    set: u64,
    limit: Option<u64>,
) -> Result<Pending, Break> {
    let mut left = limit;
    for _ in 0..MOST_RINGS {
        if let Some(found) = take(state, set) {
            return Ok(found);
        }
        if deliverable(state).is_some() {
            return fail(EINTR);
        }
        if left == Some(0) {
            return fail(EAGAIN);
        }
        Rc::make_mut(&mut state.kernel).signals.own.awaited = set;
        let now = state.kernel.clock.nanoseconds;
        let ring = state.kernel.signals.next_ring();
        let ring = ring.map(|at| at.saturating_sub(now));
        let ring = ring.filter(|&ring| left.is_none_or(|left| ring <= left));
        if left.is_none() && ring.is_none() {
            wait_for_signal(m, state)?;
        }
        let time = ring.or(left).unwrap_or_default();
        Rc::make_mut(&mut state.kernel).clock.pass(time);
        left = left.map(|left| left - time);
        timers::ring(m, state)?;
    }
    Ok(unsupported(
        "waiting while a timer rings that nobody hears",
    )?)
}

fn valid(signal: i32) -> Result<u32, Break> {
    match u32::try_from(signal) {
        Ok(signal @ 1..SIGNALS) => Ok(signal),
        _ => fail(EINVAL),
    }
}

pub(super) fn rt_sigaction(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let signal = args.int(m, state, 0);
    let signal = valid(signal)?;
    let new = match args.is_null(m, state, 1) {
        true => None,
        false => {
            let address = args.value(1);
            let mut words = [0; 4];
            for (i, word) in words.iter_mut().enumerate() {
                *word = get_number(m, state, address, 8 * i as u64, 8)?;
            }
            let [handler, flags, restorer, mask] = words;
            Some(Action {
                handler,
                flags,
                restorer,
                mask,
            })
        }
    };
    if new.is_some() && matches!(signal, SIGKILL | SIGSTOP) {
        return fail(EINVAL);
    }
    if !args.is_null(m, state, 2) {
        let old = state.kernel.signals.action(signal);
        let layout = Layout::default().u64(old.handler).u64(old.flags);
        let layout = layout.u64(old.restorer).u64(old.mask);
        put(m, state, args.value(2), &layout.0)?;
    }
    if let Some(action) = new {
        let signals = &mut Rc::make_mut(&mut state.kernel).signals;
        signals.set_action(signal, action);
        // What waits of a signal that is ignored from now on is forgotten.
        if action.handler == SIG_IGN {
            signals.pending.retain(|it| it.signal != signal);
            signals.own.pending.retain(|it| it.signal != signal);
        }
    }
    DONE
}

pub(super) fn rt_sigprocmask(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let how = args.int(m, state, 0);
    leave_handlers(state);
    let before = state.kernel.signals.own.blocked;
    let mut after = before;
    if !args.is_null(m, state, 1) {
        let set = get_number(m, state, args.value(1), 0, 8)?;
        after = match how {
            0 => before | set,
            1 => before & !set,
            2 => set,
            _ => return fail(EINVAL),
        };
    }
    if !args.is_null(m, state, 2) {
        put(m, state, args.value(2), &before.to_le_bytes())?;
    }
    let never = bit(SIGKILL) | bit(SIGSTOP);
    Rc::make_mut(&mut state.kernel).signals.own.blocked = after & !never;
    DONE
}

pub(super) fn rt_sigpending(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let signals = &state.kernel.signals;
    let pending = set_of(&signals.pending) | set_of(&signals.own.pending);
    let pending = pending & blocked_now(state);
    put(m, state, args.value(0), &pending.to_le_bytes())?;
    DONE
}

pub(super) fn kill(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let process = args.int(m, state, 0);
    let signal = args.int(m, state, 1);
    is_own_process(process)?;
    if signal != 0 {
        raise(m, state, valid(signal)?)?;
    }
    DONE
}

/// Signals go to this process only: there is no other.
fn is_own_process(process: i32) -> Result<(), Break> {
    let own = PROCESS as i32;
    match [own, 0, -own].contains(&process) {
        true => Ok(()),
        // Of those that it may send signals to, it is the only one, and Linux leaves it out.
        false => fail(ESRCH),
    }
}

/// The thread that the system has this number for.
pub(super) fn thread_of(state: &State, number: i32) -> Option<ThreadId> {
    let id = number.checked_sub(PROCESS as i32)?;
    let id = usize::try_from(id).ok()?;
    let lives = match &state.threads {
        Some(threads) => threads.has(id) && threads.lives(id),
        None => id == 0,
    };
    lives.then_some(id)
}

pub(super) fn tkill(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let thread = args.int(m, state, 0);
    let signal = args.int(m, state, 1);
    to_thread(m, state, thread, signal)
}

pub(super) fn tgkill(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (process, thread) = (args.int(m, state, 0), args.int(m, state, 1));
    let signal = args.int(m, state, 2);
    match process == PROCESS as i32 {
        true => to_thread(m, state, thread, signal),
        false => fail(ESRCH),
    }
}

fn to_thread(m: &mut Machine<'_>, state: &mut State, thread: i32, signal: i32) -> Answer {
    const SI_TKILL: i32 = -6;
    if thread <= 0 {
        return fail(EINVAL);
    }
    let Some(thread) = thread_of(state, thread) else {
        return fail(ESRCH);
    };
    if signal != 0 {
        let new = Pending {
            code: SI_TKILL,
            ..sent(valid(signal)?)
        };
        send(m, state, Some(thread), new)?;
    }
    DONE
}

/// What is sent with a signal, which the sender says as `siginfo_t` has it.
fn with_information(
    m: &mut Machine<'_>,
    state: &mut State,
    signal: i32,
    information: crate::value::Value,
) -> Result<Option<Pending>, Break> {
    let code = get_number(m, state, information, 8, 4)? as u32;
    let value = get_number(m, state, information, 24, 8)?;
    // Signals of the system itself can only be sent by it.
    if code.cast_signed() >= 0 {
        return fail(EPERM);
    }
    match signal {
        0 => Ok(None),
        signal => Ok(Some(Pending {
            signal: valid(signal)?,
            code: code.cast_signed(),
            value,
            timer: None,
        })),
    }
}

pub(super) fn rt_sigqueueinfo(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (process, signal) = (args.int(m, state, 0), args.int(m, state, 1));
    let new = with_information(m, state, signal, args.value(2))?;
    if process != PROCESS as i32 {
        return fail(ESRCH);
    }
    if let Some(new) = new {
        send(m, state, None, new)?;
    }
    DONE
}

pub(super) fn rt_tgsigqueueinfo(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (process, thread) = (args.int(m, state, 0), args.int(m, state, 1));
    let signal = args.int(m, state, 2);
    let new = with_information(m, state, signal, args.value(3))?;
    let thread = thread_of(state, thread).filter(|_| process == PROCESS as i32);
    let Some(thread) = thread else {
        return fail(ESRCH);
    };
    if let Some(new) = new {
        send(m, state, Some(thread), new)?;
    }
    DONE
}

/// There is no other stack than the one.
pub(super) fn sigaltstack(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const DISABLED: u32 = 2;
    if !args.is_null(m, state, 1) {
        let layout = Layout::default().u64(0).u32(DISABLED).u32(0).u64(0);
        let place: Option<Spot> = room(m, state, args.value(1), layout.0.len())?;
        super::user::fill(m, state, place, &crate::kernel::bytes::known(&layout.0));
    }
    DONE
}
