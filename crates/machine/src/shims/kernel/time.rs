//! Time: a clock that goes on a little whenever somebody looks, so that loops that wait
//! for it end and every execution sees the same; or any time, where that is asked for.

use super::process::PROCESS as PROCESS_NUMBER;
use super::user::{Args, DONE, Layout, fail, get_words, number, put, room};
use super::{Answer, Break, signals};
use crate::kernel::clock::{SECOND, START};
use crate::kernel::errno::{EFAULT, EINTR, EINVAL};
use crate::machine::Machine;
use crate::outcome::Halt;
use crate::pointers::Spot;
use crate::state::{InputKind, State};
use crate::value::Value;
use program::Kind;
use std::rc::Rc;
use term::Term;

/// How much time a look at the clock takes.
const LOOK: u64 = 1_000;
/// Clock ticks in a second, as `times` counts.
const TICKS: u64 = 100;

/// Seconds and a fraction, as two numbers of eight bytes.
fn put_time(
    m: &mut Machine<'_>,
    state: &mut State,
    spot: Option<Spot>,
    seconds: Value,
    fraction: u64,
) {
    if let Some(spot) = spot {
        let seconds = seconds.term(&mut m.store, 64);
        let fraction = m.store.bv(64, fraction);
        let whole = m.store.concat(fraction, seconds);
        let bytes: Vec<Term> = (0..16).map(|i| m.store.extract(whole, 8 * i, 8)).collect();
        m.write(state, spot, &bytes);
    }
}

/// The seconds of a look at the clock and the nanoseconds beyond. A symbolic clock does
/// not go back.
fn look(m: &mut Machine<'_>, state: &mut State) -> Result<(Value, u64), Break> {
    /// Later than any date that programs are made for, and far from an overflow.
    const END: u64 = 1 << 40;
    let kernel = Rc::make_mut(&mut state.kernel);
    kernel.clock.pass(LOOK);
    let now = kernel.clock.now();
    if !m.options.environment.symbolic_time {
        return Ok((Value::word(now.seconds as u64), now.nanoseconds as u64));
    }
    let seen = kernel.clock.seen;
    let value = m.input_value(state, "time", 64, InputKind::Signed)?;
    let term = value.term(&mut m.store, 64);
    let (least, most) = (
        seen.unwrap_or_else(|| m.store.bv(64, 0)),
        m.store.bv(64, END),
    );
    let (above, below) = (m.store.bv_ule(least, term), m.store.bv_ult(term, most));
    let inside = m.store.and(above, below);
    m.confine(state, inside)?;
    Rc::make_mut(&mut state.kernel).clock.seen = Some(term);
    Ok((value, 0))
}

/// The time that a thread waited for is over: it is that time now, or later. A time that
/// depends on the input is left alone.
pub(in crate::shims) fn pass_until(
    m: &mut Machine<'_>,
    state: &mut State,
    time: Value,
) -> Result<(), Halt> {
    if let Some(time) = known_time(m, state, time)? {
        let clock = &mut Rc::make_mut(&mut state.kernel).clock;
        clock.pass(time.saturating_sub(clock.nanoseconds));
    }
    Ok(())
}

/// The time for which a thread waited is over.
pub(super) fn pass_for(m: &mut Machine<'_>, state: &mut State, time: Value) -> Result<(), Halt> {
    if let Some(time) = known_time(m, state, time)? {
        Rc::make_mut(&mut state.kernel).clock.pass(time);
    }
    Ok(())
}

/// The nanoseconds of a `struct timespec`, if no input decides them.
fn known_time(m: &mut Machine<'_>, state: &mut State, at: Value) -> Result<Option<u64>, Halt> {
    let fraction = m.offset(at, 8);
    let seconds = m.load(state, at, Kind::Int(64))?.as_word();
    let fraction = m.load(state, fraction, Kind::Int(64))?.as_word();
    let whole = seconds.zip(fraction);
    Ok(whole.map(|(seconds, rest)| seconds.saturating_mul(SECOND).saturating_add(rest)))
}

/// The number of a clock that there is.
fn clock(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Result<i32, Break> {
    let clock = args.int(m, state, 0);
    match clock {
        0..=11 => Ok(clock),
        ..0 => clock_of_process(state, clock),
        _ => fail(EINVAL),
    }
}

/// The clock of a process or a thread by its number, which stands above three bits, inverted.
fn clock_of_process(state: &State, clock: i32) -> Result<i32, Break> {
    /// Of the time that a scheduler counts; this bit says that it is a thread's.
    const SCHEDULED: i32 = 2;
    const OF_THREAD: i32 = 4;
    let (number, kind) = (!(clock >> 3), clock & 7);
    let is_there = match kind & OF_THREAD {
        0 => number == 0 || number == PROCESS_NUMBER as i32,
        _ => number == 0 || signals::thread_of(state, number).is_some(),
    };
    match kind {
        _ if !is_there => fail(EINVAL),
        SCHEDULED => Ok(PROCESS),
        6 => Ok(THREAD),
        _ => fail(EINVAL),
    }
}

/// The clocks of the process and of the running thread.
const PROCESS: i32 = 2;
const THREAD: i32 = 3;

pub(super) fn clock_gettime(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let clock = clock(m, state, args)?;
    let room = room(m, state, args.value(1), 16)?;
    let (seconds, nanoseconds) = look(m, state)?;
    match clock {
        PROCESS | THREAD => {
            let running = state.kernel.clock.running();
            let seconds = Value::word(running / SECOND);
            put_time(m, state, room, seconds, running % SECOND);
        }
        _ => put_time(m, state, room, seconds, nanoseconds),
    }
    DONE
}

pub(super) fn clock_getres(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    clock(m, state, args)?;
    if !args.is_null(m, state, 1) {
        put(m, state, args.value(1), &Layout::default().u64(0).u64(1).0)?;
    }
    DONE
}

pub(super) fn gettimeofday(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    if args.is_null(m, state, 0) {
        return DONE;
    }
    let room = room(m, state, args.value(0), 16)?;
    let (seconds, nanoseconds) = look(m, state)?;
    put_time(m, state, room, seconds, nanoseconds / 1000);
    DONE
}

pub(super) fn time(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let room = match args.is_null(m, state, 0) {
        true => None,
        false => room(m, state, args.value(0), 8)?,
    };
    let (seconds, _) = look(m, state)?;
    if let Some(spot) = room {
        let term = seconds.term(&mut m.store, 64);
        let bytes: Vec<Term> = (0..8).map(|i| m.store.extract(term, 8 * i, 8)).collect();
        m.write(state, spot, &bytes);
    }
    Ok(seconds)
}

pub(super) fn nanosleep(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    sleep(m, state, args, 0, false)
}

pub(super) fn clock_nanosleep(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    clock(m, state, args)?;
    let until = args.word(m, state, 1) & 1 != 0;
    sleep(m, state, args, 2, until)
}

/// Lets time pass, up to an alarm if one comes earlier.
fn sleep(
    m: &mut Machine<'_>,
    state: &mut State,
    args: &Args,
    request: usize,
    until: bool,
) -> Answer {
    if args.is_null(m, state, request) {
        return fail(EFAULT);
    }
    let words = get_words(m, state, args.value(request), 2)?;
    let (seconds, nanoseconds) = (words[0], words[1]);
    if seconds as i64 == i64::MIN || (seconds as i64) < 0 || nanoseconds >= SECOND {
        return fail(EINVAL);
    }
    let asked = seconds.saturating_mul(SECOND).saturating_add(nanoseconds);
    let asked = match until {
        true => asked.saturating_sub(state.kernel.clock.nanoseconds),
        false => asked,
    };
    let wants_rest = !until && !args.is_null(m, state, request + 1);
    let place = match wants_rest {
        true => room(m, state, args.value(request + 1), 16)?,
        false => None,
    };
    let slept = signals::wait(m, state, Some(asked))?;
    if slept < asked {
        let rest = asked - slept;
        put_time(m, state, place, Value::word(rest / SECOND), rest % SECOND);
        return fail(EINTR);
    }
    DONE
}

pub(super) fn times(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let ticks = state.kernel.clock.running() / (SECOND / TICKS);
    if !args.is_null(m, state, 0) {
        let layout = Layout::default().u64(ticks).zeros(24);
        put(m, state, args.value(0), &layout.0)?;
    }
    Rc::make_mut(&mut state.kernel).clock.pass(LOOK);
    number(START / (SECOND / TICKS) + ticks)
}

pub(super) fn getrusage(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let running = state.kernel.clock.running();
    let layout = Layout::default().u64(running / SECOND);
    let layout = layout.u64(running % SECOND / 1000).zeros(128);
    put(m, state, args.value(1), &layout.0)?;
    Rc::make_mut(&mut state.kernel).clock.pass(LOOK);
    DONE
}
