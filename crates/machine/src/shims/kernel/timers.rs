//! What sends signals when its time comes: the alarm, and timers that a program makes.
//!
//! Time passes when the program looks at the clock or waits; a timer rings at the end of the
//! system call in which its time has come.

use super::delivery::send;
use super::process::PROCESS;
use super::user::{Args, DONE, Layout, fail, get_number, get_words, number, put, room};
use super::{Answer, Break};
use crate::kernel::clock::SECOND;
use crate::kernel::errno::{EINVAL, ENOMEM};
use crate::kernel::signals::{ALARM, Pending, SIGNALS, Timer};
use crate::machine::Machine;
use crate::outcome::unsupported;
use crate::state::State;
use std::rc::Rc;

const MICROSECOND: u64 = 1_000;
/// How many timers a program may have.
const MOST: usize = 64;

/// Sends the signals of timers whose time has come.
pub(super) fn ring(m: &mut Machine<'_>, state: &mut State) -> Result<(), Break> {
    let now = state.kernel.clock.nanoseconds;
    while state.kernel.signals.next_ring().is_some_and(|at| at <= now) {
        let timers = state.kernel.signals.timers.iter();
        let mut numbered = timers.enumerate();
        let is_due = |timer: &Timer| timer.at != 0 && timer.at <= now;
        let due = numbered.find_map(|(id, timer)| Some((id, timer.filter(is_due)?)));
        let Some((id, timer)) = due else { break };
        ring_one(m, state, id, timer, now)?;
    }
    Ok(())
}

fn ring_one(
    m: &mut Machine<'_>,
    state: &mut State,
    id: usize,
    timer: Timer,
    now: u64,
) -> Result<(), Break> {
    let rings = match timer.interval {
        0 => 1,
        interval => (now - timer.at) / interval + 1,
    };
    let waits = timer.signal.is_some() && is_waiting(state, id);
    let missed = if waits { rings } else { rings - 1 };
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    if let Some(known) = &mut signals.timers[id] {
        known.at = match timer.interval {
            0 => 0,
            interval => timer.at + rings * interval,
        };
        known.overrun = known.overrun.saturating_add(missed as u32);
    }
    match timer.signal {
        Some(signal) if !waits => {
            let new = Pending {
                signal,
                code: timer.code,
                value: timer.value,
                timer: (id != ALARM).then_some(id),
            };
            send(m, state, timer.thread, new)
        }
        _ => Ok(()),
    }
}

/// Whether the timer's last signal was not delivered yet.
fn is_waiting(state: &State, id: usize) -> bool {
    let signals = &state.kernel.signals;
    let is_its = |it: &Pending| it.timer == Some(id);
    let there = signals.pending.iter().chain(&signals.own.pending);
    there.copied().any(|it| is_its(&it))
}

/// The timer's signal is delivered: how often it rang meanwhile is told from here on.
pub(super) fn told(state: &mut State, id: usize) {
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    if let Some(Some(timer)) = signals.timers.get_mut(id) {
        timer.told = std::mem::take(&mut timer.overrun);
    }
}

/// How much is left until it rings, which is never nothing while it is set.
fn left(state: &State, timer: &Timer) -> u64 {
    match timer.at {
        0 => 0,
        at => at.saturating_sub(state.kernel.clock.nanoseconds).max(1),
    }
}

fn alarm_of(state: &State) -> Timer {
    let alarm = state.kernel.signals.timers[ALARM];
    alarm.expect("the alarm is never deleted")
}

fn set(state: &mut State, id: usize, at: u64, interval: u64) {
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    if let Some(timer) = &mut signals.timers[id] {
        timer.at = at;
        timer.interval = interval;
        timer.overrun = 0;
    }
}

/// So many nanoseconds from now; never for none.
fn from_now(state: &State, left: u64) -> u64 {
    match left {
        0 => 0,
        left => state.kernel.clock.nanoseconds.saturating_add(left),
    }
}

pub(super) fn alarm(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let seconds = args.word(m, state, 0) & u64::from(u32::MAX);
    let before = left(state, &alarm_of(state));
    let at = from_now(state, seconds * SECOND);
    set(state, ALARM, at, 0);
    number(before.div_ceil(SECOND))
}

/// The layout of `struct itimerval`, or of `struct itimerspec` with another fraction.
fn layout(left: u64, interval: u64, fraction: u64) -> Vec<u8> {
    let time = |layout: Layout, time: u64| {
        let layout = layout.u64(time / SECOND);
        layout.u64(time % SECOND / fraction)
    };
    time(time(Layout::default(), interval), left).0
}

pub(super) fn setitimer(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const REAL: i32 = 0;
    match args.int(m, state, 0) {
        REAL => {}
        1 | 2 => return Ok(unsupported("a timer that counts the time of the process")?),
        _ => return fail(EINVAL),
    }
    let mut words = [0; 4];
    for (i, word) in words.iter_mut().enumerate() {
        *word = get_number(m, state, args.value(1), 8 * i as u64, 8)?;
    }
    if words[1] >= SECOND / MICROSECOND || words[3] >= SECOND / MICROSECOND {
        return fail(EINVAL);
    }
    let time = |seconds: u64, fraction: u64| {
        let fraction = fraction.saturating_mul(MICROSECOND);
        seconds.saturating_mul(SECOND).saturating_add(fraction)
    };
    if !args.is_null(m, state, 2) {
        let before = alarm_of(state);
        let layout = layout(left(state, &before), before.interval, MICROSECOND);
        put(m, state, args.value(2), &layout)?;
    }
    let at = from_now(state, time(words[2], words[3]));
    set(state, ALARM, at, time(words[0], words[1]));
    DONE
}

pub(super) fn getitimer(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (left, interval) = match args.int(m, state, 0) {
        0 => {
            let alarm = alarm_of(state);
            (left(state, &alarm), alarm.interval)
        }
        1 | 2 => (0, 0),
        _ => return fail(EINVAL),
    };
    put(
        m,
        state,
        args.value(1),
        &layout(left, interval, MICROSECOND),
    )?;
    DONE
}

/// `timer_create` of the system: what it sends, as `struct sigevent` has it, which is not null.
pub(super) fn timer_create(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const SIGNAL: u64 = 0;
    const NONE: u64 = 1;
    const THREAD_ID: u64 = 4;
    const SI_TIMER: i32 = -2;
    const SIGALRM: u64 = 14;
    match args.int(m, state, 0) {
        0 | 1 | 4..=7 | 11 => {}
        2 | 3 => return Ok(unsupported("a timer that counts the time of the process")?),
        _ => return fail(EINVAL),
    }
    let free = state.kernel.signals.timers.iter().position(Option::is_none);
    let id = free.unwrap_or(state.kernel.signals.timers.len());
    if id > MOST {
        return fail(ENOMEM);
    }
    let event = args.value(1);
    let [value, signal, notify, thread] = match args.is_null(m, state, 1) {
        true => [id as u64, SIGALRM, SIGNAL, 0],
        false => {
            let value = get_number(m, state, event, 0, 8)?;
            let signal = get_number(m, state, event, 8, 4)?;
            let notify = get_number(m, state, event, 12, 4)?;
            let thread = match notify {
                THREAD_ID => get_number(m, state, event, 16, 4)?,
                _ => 0,
            };
            [value, signal, notify, thread]
        }
    };
    let signal = match notify {
        NONE => None,
        SIGNAL | THREAD_ID => match u32::try_from(signal) {
            Ok(signal @ 1..SIGNALS) => Some(signal),
            _ => return fail(EINVAL),
        },
        _ => return fail(EINVAL),
    };
    let place = room(m, state, args.value(2), 4)?;
    let mut timer = Timer::new(signal, SI_TIMER, value);
    if notify == THREAD_ID {
        timer.thread = thread.checked_sub(PROCESS).map(|id| id as usize);
    }
    let timers = &mut Rc::make_mut(&mut state.kernel).signals.timers;
    match timers.get_mut(id) {
        Some(free) => *free = Some(timer),
        None => timers.push(Some(timer)),
    }
    let name = crate::kernel::bytes::known(&(id as u32).to_le_bytes());
    super::user::fill(m, state, place, &name);
    DONE
}

/// The timer that a call is about.
fn timer_of(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Result<(usize, Timer), Break> {
    let id = args.int(m, state, 0);
    let id = usize::try_from(id).unwrap_or(ALARM);
    match state.kernel.signals.timers.get(id) {
        Some(Some(timer)) if id != ALARM => Ok((id, *timer)),
        _ => fail(EINVAL),
    }
}

pub(super) fn timer_settime(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const ABSOLUTE: u64 = 1;
    let (id, before) = timer_of(m, state, args)?;
    if args.is_null(m, state, 2) {
        return fail(EINVAL);
    }
    let is_absolute = args.word(m, state, 1) & ABSOLUTE != 0;
    let words = get_words(m, state, args.value(2), 4)?;
    let is_time = |&seconds: &u64, &rest: &u64| (seconds as i64) >= 0 && rest < SECOND;
    if !is_time(&words[0], &words[1]) || !is_time(&words[2], &words[3]) {
        return fail(EINVAL);
    }
    let time = |at: usize| {
        words[at]
            .saturating_mul(SECOND)
            .saturating_add(words[at + 1])
    };
    if !args.is_null(m, state, 3) {
        let layout = layout(left(state, &before), before.interval, 1);
        put(m, state, args.value(3), &layout)?;
    }
    let at = match (time(2), is_absolute) {
        (0, _) => 0,
        (at, true) => at,
        (left, false) => from_now(state, left),
    };
    set(state, id, at, time(0));
    DONE
}

pub(super) fn timer_gettime(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (_, timer) = timer_of(m, state, args)?;
    let layout = layout(left(state, &timer), timer.interval, 1);
    put(m, state, args.value(1), &layout)?;
    DONE
}

pub(super) fn timer_getoverrun(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (_, timer) = timer_of(m, state, args)?;
    number(timer.told.into())
}

pub(super) fn timer_delete(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (id, _) = timer_of(m, state, args)?;
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    signals.timers[id] = None;
    signals.pending.retain(|it| it.timer != Some(id));
    signals.own.pending.retain(|it| it.timer != Some(id));
    debug_assert!(signals.timers[ALARM].is_some(), "the alarm stays");
    DONE
}
