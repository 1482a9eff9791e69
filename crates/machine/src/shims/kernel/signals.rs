//! Signals that a process sends itself, and its alarm.
//!
//! A handler is a call on the stack: the system call that lets the signal through has
//! its result already when the handler runs, and the program goes on after it when the
//! handler returns. A signal that is blocked when it comes is delivered when the system
//! call, or the handler, that unblocks it is over. An alarm rings when the program waits:
//! time passes only then.

use super::process::PROCESS;
use super::user::{Args, DONE, Layout, fail, get_number, number, put, room};
use super::{Answer, Break};
use crate::kernel::errno::{EINTR, EINVAL, ESRCH};
use crate::kernel::signals::{Action, Alarm, SIGNALS};
use crate::machine::{Invocation, Machine, Returned};
use crate::memory::Region;
use crate::outcome::{ErrorKind, Halt, error, unsupported};
use crate::pointers::Spot;
use crate::state::{Caller, State};
use crate::value::Value;
use program::Reg;
use std::rc::Rc;

pub(super) const SIGPIPE: u32 = 13;
const SIGABRT: u32 = 6;
const SIGKILL: u32 = 9;
const SIGALRM: u32 = 14;
const SIGSTOP: u32 = 19;
/// Signals that nothing happens for by default.
const HARMLESS: [u32; 4] = [17, 18, 23, 28];
const STOPPING: [u32; 4] = [19, 20, 21, 22];

const SIG_DFL: u64 = 0;
const SIG_IGN: u64 = 1;
const SA_SIGINFO: u64 = 4;
const SA_NODEFER: u64 = 0x4000_0000;
const SA_RESETHAND: u64 = 0x8000_0000;
const MICROSECOND: u64 = 1_000;
const SECOND: u64 = 1_000_000_000;

fn bit(signal: u32) -> u64 {
    1 << (signal - 1)
}

fn signal_name(signal: u32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    match NAMES.get(signal as usize - 1) {
        Some(name) => format!("SIG{name}"),
        None => format!("signal {signal}"),
    }
}

/// Sends the process a signal; it is delivered when the system call returns.
pub(super) fn raise(_: &mut Machine<'_>, state: &mut State, signal: u32) -> Result<(), Break> {
    let signals = &state.kernel.signals;
    let handler = signals.action(signal).handler;
    let is_blocked = blocked_now(state) & bit(signal) != 0 && signal != SIGKILL;
    match handler {
        SIG_IGN if signal != SIGKILL => return Ok(()),
        SIG_DFL if HARMLESS.contains(&signal) => return Ok(()),
        SIG_DFL if is_blocked => {}
        SIG_DFL if STOPPING.contains(&signal) => {
            let name = signal_name(signal);
            return Ok(unsupported(format!("{name}, which stops the process"))?);
        }
        SIG_DFL => return Ok(die(signal)?),
        _ => {}
    }
    Rc::make_mut(&mut state.kernel).signals.pending |= bit(signal);
    Ok(())
}

/// The end of a process that does not handle a signal.
fn die<T>(signal: u32) -> Result<T, Halt> {
    let message = match signal {
        SIGABRT => "abort was called".to_owned(),
        _ => format!("the program was ended by {}", signal_name(signal)),
    };
    error(ErrorKind::Abort, message)
}

/// What is blocked, also by handlers that run.
fn blocked_now(state: &State) -> u64 {
    let handlers = &state.kernel.signals.handlers;
    let first_over = handlers
        .iter()
        .find(|(caller, _)| !is_running(state, caller));
    first_over.map_or(state.kernel.signals.blocked, |(_, before)| *before)
}

fn is_running(state: &State, handler: &Rc<Caller>) -> bool {
    let mut link = state.callers.as_ref();
    while let Some(caller) = link {
        if Rc::ptr_eq(caller, handler) {
            return true;
        }
        link = caller.callers.as_ref();
    }
    false
}

/// Forgets handlers that have returned, or were left by `longjmp`.
fn leave_handlers(state: &mut State) {
    let blocked = blocked_now(state);
    let handlers = &state.kernel.signals.handlers;
    let running = handlers
        .iter()
        .take_while(|(caller, _)| is_running(state, caller));
    let running = running.count();
    if running < handlers.len() {
        let signals = &mut Rc::make_mut(&mut state.kernel).signals;
        signals.handlers.truncate(running);
        signals.blocked = blocked;
    }
}

/// Whether a signal waits that is not blocked.
fn deliverable(state: &State) -> Option<u32> {
    let open = state.kernel.signals.pending & !blocked_now(state);
    (open != 0).then(|| open.trailing_zeros() + 1)
}

/// Lets handlers run for signals that wait: the system call has this result and is over.
pub(super) fn deliver(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    result: Value,
) -> Result<Returned, Halt> {
    if deliverable(state).is_none() {
        return Ok(Returned::Value(result));
    }
    leave_handlers(state);
    if call.dst != Reg::NONE {
        state.set(call.dst, result);
    }
    state.frame.pc += 1;
    while let Some(signal) = deliverable(state) {
        enter_handler(m, state, signal)?;
    }
    Ok(Returned::Elsewhere)
}

/// A call returned while a handler was running; if it was the handler's, what it blocked
/// comes through now.
pub(crate) fn after_return(m: &mut Machine<'_>, state: &mut State) -> Result<(), Halt> {
    leave_handlers(state);
    while let Some(signal) = deliverable(state) {
        enter_handler(m, state, signal)?;
    }
    Ok(())
}

fn enter_handler(m: &mut Machine<'_>, state: &mut State, signal: u32) -> Result<(), Halt> {
    let action = state.kernel.signals.action(signal);
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    signals.pending &= !bit(signal);
    match action.handler {
        SIG_DFL if HARMLESS.contains(&signal) => return Ok(()),
        SIG_DFL => return die(signal),
        SIG_IGN => return Ok(()),
        _ => {}
    }
    if action.flags & SA_RESETHAND != 0 {
        signals.set_action(signal, Action::default());
    }
    let function = m.callee(state, Value::word(action.handler))?;
    if m.body(function).is_none() {
        let name = &m.program.functions[function.index()].name;
        return unsupported(format!("`{name}` as the handler of a signal"));
    }
    let mut arguments = vec![Value::word(signal.into())];
    let mut details = None;
    if action.flags & SA_SIGINFO != 0 {
        const SIZE: u64 = 128;
        let address = m.allocate(state, SIZE, Region::Stack)?;
        state.memory.store(address, 4, signal.into());
        details = Some(state.memory.id_of(address));
        arguments.extend([Value::word(address), Value::ZERO]);
    }
    let body = m.body(function).map_or(0, |body| body.parameters as usize);
    arguments.truncate(body);
    let signature = m.program.functions[function.index()].signature;
    m.enter(state, function, &arguments, Reg::NONE, signature)?;
    state.frame.locals.extend(details);
    let caller = state.callers.clone().expect("the handler was called");
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    let before = signals.suspended.take().unwrap_or(signals.blocked);
    signals.handlers.push((caller, before));
    signals.blocked |= action.mask;
    if action.flags & SA_NODEFER == 0 {
        signals.blocked |= bit(signal);
    }
    Ok(())
}

/// `abort`: the handler of SIGABRT runs if there is one, and then the process ends
/// whatever it did.
pub(crate) fn abort(m: &mut Machine<'_>, state: &mut State) -> Result<Returned, Halt> {
    let action = state.kernel.signals.action(SIGABRT);
    if matches!(action.handler, SIG_DFL | SIG_IGN) {
        // A panic that may not unwind ends here, and says why.
        let mut stack = state.stack().into_iter();
        return match stack.any(|(function, _)| m.image.begins_panic(function)) {
            true => m.panicked(state),
            false => die(SIGABRT),
        };
    }
    // The call is made again when the handler has returned.
    enter_handler(m, state, SIGABRT)?;
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    signals.set_action(SIGABRT, Action::default());
    Ok(Returned::Elsewhere)
}

/// Waits for so many nanoseconds, or for ever, or until a signal comes; how long that
/// was.
pub(super) fn wait(
    m: &mut Machine<'_>,
    state: &mut State,
    most: Option<u64>,
) -> Result<u64, Break> {
    if deliverable(state).is_some() {
        return Ok(0);
    }
    let alarm = state.kernel.signals.alarm;
    let rings = alarm.left != 0 && most.is_none_or(|most| alarm.left <= most);
    let Some(waited) = (if rings { Some(alarm.left) } else { most }) else {
        return Ok(unsupported("waiting for a signal that nobody sends")?);
    };
    let kernel = Rc::make_mut(&mut state.kernel);
    kernel.clock.pass(waited);
    kernel.signals.alarm.left = match rings {
        true => alarm.interval,
        false => alarm.left.saturating_sub(waited),
    };
    if rings {
        raise(m, state, SIGALRM)?;
    }
    Ok(waited)
}

pub(super) fn pause(m: &mut Machine<'_>, state: &mut State, _: &Args) -> Answer {
    while deliverable(state).is_none() {
        wait(m, state, None)?;
    }
    fail(EINTR)
}

pub(super) fn rt_sigsuspend(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let mask = get_number(m, state, args.value(0), 0, 8)?;
    leave_handlers(state);
    let before = state.kernel.signals.blocked;
    Rc::make_mut(&mut state.kernel).signals.blocked = mask;
    while deliverable(state).is_none() {
        wait(m, state, None)?;
    }
    // The handler runs with the mask that was asked for, and the old one is back after it.
    Rc::make_mut(&mut state.kernel).signals.suspended = Some(before);
    fail(EINTR)
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
        Rc::make_mut(&mut state.kernel)
            .signals
            .set_action(signal, action);
    }
    DONE
}

pub(super) fn rt_sigprocmask(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let how = args.int(m, state, 0);
    leave_handlers(state);
    let before = state.kernel.signals.blocked;
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
    Rc::make_mut(&mut state.kernel).signals.blocked = after & !never;
    DONE
}

pub(super) fn rt_sigpending(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let pending = state.kernel.signals.pending & blocked_now(state);
    put(m, state, args.value(0), &pending.to_le_bytes())?;
    DONE
}

pub(super) fn kill(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let process = args.int(m, state, 0);
    let signal = args.int(m, state, 1);
    send(m, state, process, signal)
}

pub(super) fn tkill(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let thread = args.int(m, state, 0);
    let signal = args.int(m, state, 1);
    match thread {
        0 | -1 => fail(EINVAL),
        _ => send(m, state, thread, signal),
    }
}

pub(super) fn tgkill(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (process, thread) = (args.int(m, state, 0), args.int(m, state, 1));
    let signal = args.int(m, state, 2);
    match process == PROCESS as i32 {
        true => send(m, state, thread, signal),
        false => fail(ESRCH),
    }
}

/// Sends a signal to a process, which can only be this one.
fn send(m: &mut Machine<'_>, state: &mut State, process: i32, signal: i32) -> Answer {
    let own = PROCESS as i32;
    if ![own, 0, -1, -own].contains(&process) {
        return fail(ESRCH);
    }
    if signal != 0 {
        let signal = valid(signal)?;
        raise(m, state, signal)?;
    }
    DONE
}

pub(super) fn alarm(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let seconds = args.word(m, state, 0) & u64::from(u32::MAX);
    let new = Alarm {
        left: seconds * SECOND,
        interval: 0,
    };
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    let before = std::mem::replace(&mut signals.alarm, new);
    number(before.left.div_ceil(SECOND))
}

/// The layout of `struct itimerval`.
fn timer(alarm: Alarm) -> Vec<u8> {
    let time = |layout: Layout, time: u64| {
        let layout = layout.u64(time / SECOND);
        layout.u64(time % SECOND / MICROSECOND)
    };
    time(time(Layout::default(), alarm.interval), alarm.left).0
}

pub(super) fn setitimer(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const REAL: i32 = 0;
    if args.int(m, state, 0) != REAL {
        return Ok(unsupported("a timer that counts the time of the process")?);
    }
    let mut words = [0; 4];
    for (i, word) in words.iter_mut().enumerate() {
        *word = get_number(m, state, args.value(1), 8 * i as u64, 8)?;
    }
    let time = |seconds: u64, fraction: u64| {
        let fraction = fraction.saturating_mul(MICROSECOND);
        seconds.saturating_mul(SECOND).saturating_add(fraction)
    };
    let new = Alarm {
        interval: time(words[0], words[1]),
        left: time(words[2], words[3]),
    };
    if !args.is_null(m, state, 2) {
        let before = state.kernel.signals.alarm;
        put(m, state, args.value(2), &timer(before))?;
    }
    Rc::make_mut(&mut state.kernel).signals.alarm = new;
    DONE
}

pub(super) fn getitimer(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let alarm = match args.int(m, state, 0) {
        0 => state.kernel.signals.alarm,
        1 | 2 => Alarm::default(),
        _ => return fail(EINVAL),
    };
    put(m, state, args.value(1), &timer(alarm))?;
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
