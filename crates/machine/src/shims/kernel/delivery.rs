//! How signals come to threads.
//!
//! A handler is a call on the stack: the system call that lets the signal through has
//! its result already when the handler runs, and the program goes on after it when the
//! handler returns. A signal that is blocked when it comes is delivered when the system
//! call, or the handler, that unblocks it is over.
//!
//! A signal to the process is the main thread's if that does not block it, and otherwise some
//! other's, as on Linux. In a thread that does not run the handler comes before the operation
//! that the thread stands at, and is the first that it does in its next turn.

use super::process::{PROCESS, USER_NUMBER};
use super::user::Layout;
use super::{Break, timers};
use crate::incomplete::Incomplete;
use crate::kernel::signals::{
    Action, Handler, Interrupted, Interruption, OwnSignals, Pending, queue, set_of, take_lowest,
};
use crate::machine::{Invocation, Machine, Returned};
use crate::memory::Region;
use crate::outcome::{ErrorKind, Halt, error, unsupported};
use crate::state::{Caller, State};
use crate::threads::{Status, ThreadId, Wait};
use crate::value::Value;
use program::Reg;
use std::rc::Rc;

const SIGABRT: u32 = 6;
const SIGKILL: u32 = 9;
/// Signals that nothing happens for by default.
const HARMLESS: [u32; 4] = [17, 18, 23, 28];
const STOPPING: [u32; 4] = [19, 20, 21, 22];

const SIG_DFL: u64 = 0;
const SIG_IGN: u64 = 1;
const SA_SIGINFO: u64 = 4;
const SA_RESTART: u64 = 0x1000_0000;
const SA_NODEFER: u64 = 0x4000_0000;
const SA_RESETHAND: u64 = 0x8000_0000;

pub(super) fn bit(signal: u32) -> u64 {
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

/// A signal that the process sends itself.
pub(super) fn sent(signal: u32) -> Pending {
    Pending {
        signal,
        code: 0,
        value: 0,
        timer: None,
    }
}

/// Sends the process a signal; it is delivered when the system call returns.
pub(super) fn raise(m: &mut Machine<'_>, state: &mut State, signal: u32) -> Result<(), Break> {
    send(m, state, None, sent(signal))
}

/// Sends the running thread a signal, for what it does.
pub(super) fn raise_here(m: &mut Machine<'_>, state: &mut State, signal: u32) -> Result<(), Break> {
    let here = running(state);
    send(m, state, Some(here), sent(signal))
}

/// Sends a signal to a thread, or to the process.
pub(super) fn send(
    m: &mut Machine<'_>,
    state: &mut State,
    to: Option<ThreadId>,
    new: Pending,
) -> Result<(), Break> {
    let signal = new.signal;
    let target = to.or_else(|| first_to_take(state, signal));
    let is_blocked = match target {
        Some(id) => blocks(state, id, signal),
        None => true,
    };
    let handler = state.kernel.signals.action(signal).handler;
    // A signal that is blocked is never ignored: somebody may wait for it.
    if (!is_blocked || is_awaited(state, target, signal)) || signal == SIGKILL {
        match handler {
            _ if is_awaited(state, target, signal) => {}
            SIG_IGN if signal != SIGKILL => return Ok(()),
            SIG_DFL if HARMLESS.contains(&signal) => return Ok(()),
            SIG_DFL if STOPPING.contains(&signal) => {
                let name = signal_name(signal);
                return Ok(unsupported(format!("{name}, which stops the process"))?);
            }
            SIG_DFL | SIG_IGN => return Ok(die(signal)?),
            _ => {}
        }
    }
    let running = running(state);
    match target {
        None => {
            let signals = &mut Rc::make_mut(&mut state.kernel).signals;
            queue(&mut signals.pending, new);
        }
        Some(id) if id == running => {
            let signals = &mut Rc::make_mut(&mut state.kernel).signals;
            queue(&mut signals.own.pending, new);
        }
        Some(id) => {
            let thread = state.threads_mut().get(id).expect("it was chosen");
            queue(&mut thread.signals.pending, new);
            interrupt(m, state, id)?;
        }
    }
    Ok(())
}

fn running(state: &State) -> ThreadId {
    state.threads.as_ref().map_or(0, |it| it.running())
}

/// The thread that a signal to the process comes to.
fn first_to_take(state: &State, signal: u32) -> Option<ThreadId> {
    let threads = state.thread_count();
    let lives = |&id: &ThreadId| match &state.threads {
        None => true,
        Some(threads) => threads.lives(id),
    };
    let takes = |&id: &ThreadId| !blocks(state, id, signal) || is_awaited(state, Some(id), signal);
    (0..threads).filter(lives).find(takes)
}

fn own_of(state: &State, id: ThreadId) -> &OwnSignals {
    match &state.threads {
        Some(threads) if threads.running() != id => threads.signals_of(id),
        _ => &state.kernel.signals.own,
    }
}

fn blocks(state: &State, id: ThreadId, signal: u32) -> bool {
    let blocked = match id == running(state) {
        true => blocked_now(state),
        false => own_of(state, id).blocked,
    };
    blocked & bit(signal) != 0 && signal != SIGKILL
}

fn is_awaited(state: &State, id: Option<ThreadId>, signal: u32) -> bool {
    id.is_some_and(|id| own_of(state, id).awaited & bit(signal) != 0)
}

/// Another thread has got a signal: a handler is put on its stack, and a call that waits for
/// signals is made again.
fn interrupt(m: &mut Machine<'_>, state: &mut State, id: ThreadId) -> Result<(), Halt> {
    let sender = running(state);
    state.visit(id);
    let done = interrupt_here(m, state);
    state.visit(sender);
    done
}

/// All threads wait: lets the time pass until a timer rings that has a handler, if one does.
/// Whether a thread may go on by that; without a handler the process would end as it stands.
pub(crate) fn wait_for_ring(m: &mut Machine<'_>, state: &mut State) -> Result<bool, Halt> {
    let signals = &state.kernel.signals;
    let timers = signals.timers.iter().flatten();
    let is_handled = |signal: u32| signals.action(signal).handler > SIG_IGN;
    let handled = timers.filter(|it| it.at != 0 && it.signal.is_some_and(is_handled));
    let Some(at) = handled.map(|it| it.at).min() else {
        return Ok(false);
    };
    let clock = &mut Rc::make_mut(&mut state.kernel).clock;
    clock.pass(at.saturating_sub(clock.nanoseconds));
    timers::ring(m, state).map_err(of_ring)?;
    let is_for_it = deliverable(state).is_some();
    if is_for_it {
        interrupt_here(m, state)?;
    }
    let threads = state.threads_mut();
    let running = threads.running();
    Ok(threads.is_enabled(running) || !threads.others().is_empty())
}

fn interrupt_here(m: &mut Machine<'_>, state: &mut State) -> Result<(), Halt> {
    let at = state.location();
    let thread = state.threads_mut().current();
    let (status, stands_at) = (thread.status, thread.stands_at);
    // What was blocked by a handler that was left by `longjmp` is known when the thread runs.
    while let Some(signal) = deliverable(state) {
        let flags = state.kernel.signals.action(signal).flags;
        let before = state.kernel.signals.own.handlers.len();
        enter_handler(m, state, signal)?;
        let how = match flags & SA_RESTART {
            0 => Interruption::Fails,
            _ => Interruption::Restarts,
        };
        let own = &mut Rc::make_mut(&mut state.kernel).signals.own;
        if own.handlers.len() > before {
            own.handlers[before].interrupted = Some(Interrupted {
                at,
                status,
                stands_at,
                how,
            });
            state.threads_mut().current().status = Status::Ready;
            if let Status::Waiting(_) = status {
                // A thread that has to wait is not preempted before, where the handler would
                // run and the wait begin after it.
                let most = m.options.preemptions.into();
                m.incomplete(state, Incomplete::Preemptions { most });
            }
        }
    }
    let awaited = state.kernel.signals.own.awaited;
    let pending = &state.kernel.signals.own.pending;
    if set_of(pending) & awaited != 0 {
        let thread = state.threads_mut().current();
        if let Status::Waiting(Wait::Interrupt) = thread.status {
            thread.status = Status::Waiting(Wait::Again);
        }
    }
    Ok(())
}

/// The end of a process that does not handle a signal.
pub(super) fn die<T>(signal: u32) -> Result<T, Halt> {
    let message = match signal {
        SIGABRT => "abort was called".to_owned(),
        _ => format!("the program was ended by {}", signal_name(signal)),
    };
    error(ErrorKind::Abort, message)
}

/// What is blocked, also by handlers that run.
pub(super) fn blocked_now(state: &State) -> u64 {
    let own = &state.kernel.signals.own;
    let mut handlers = own.handlers.iter();
    let first_over = handlers.find(|handler| !is_running(state, &handler.caller));
    first_over.map_or(own.blocked, |handler| handler.blocked)
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

/// Forgets handlers that have returned, or were left by `longjmp`; what the first of them had
/// interrupted.
pub(super) fn leave_handlers(state: &mut State) -> Option<Interrupted> {
    let blocked = blocked_now(state);
    let handlers = &state.kernel.signals.own.handlers;
    let running = handlers
        .iter()
        .take_while(|handler| is_running(state, &handler.caller));
    let running = running.count();
    if running == handlers.len() {
        return None;
    }
    let own = &mut Rc::make_mut(&mut state.kernel).signals.own;
    let interrupted = own.handlers[running].interrupted;
    own.handlers.truncate(running);
    own.blocked = blocked;
    interrupted
}

/// Whether a signal waits that is not blocked.
pub(super) fn deliverable(state: &State) -> Option<u32> {
    let signals = &state.kernel.signals;
    if signals.own.pending.is_empty() && signals.pending.is_empty() {
        return None;
    }
    let open = !blocked_now(state);
    let own = set_of(&signals.own.pending) & open;
    let all = set_of(&signals.pending) & open;
    let first = if own != 0 { own } else { all };
    (first != 0).then(|| first.trailing_zeros() + 1)
}

/// Takes a signal of a set that waits for the running thread, or for the process.
pub(super) fn take(state: &mut State, set: u64) -> Option<Pending> {
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    let taken = take_lowest(&mut signals.own.pending, set);
    let taken = taken.or_else(|| take_lowest(&mut signals.pending, set));
    if let Some(timer) = taken.and_then(|it| it.timer) {
        timers::told(state, timer);
    }
    taken
}

/// Lets handlers run for signals that wait: the system call has this result and is over.
pub(super) fn deliver(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    result: Value,
) -> Result<Returned, Halt> {
    timers::ring(m, state).map_err(of_ring)?;
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

/// To send a signal does not fail, and never waits.
fn of_ring(it: Break) -> Halt {
    match it {
        Break::Halt(halt) => halt,
        Break::Errno(_) | Break::Elsewhere => Halt::Yield,
    }
}

/// A call returned while a handler was running; if it was the handler's, what it blocked
/// comes through now, and what it interrupted goes on.
pub(crate) fn after_return(m: &mut Machine<'_>, state: &mut State) -> Result<(), Halt> {
    let interrupted = leave_handlers(state);
    let here = state.location();
    if let Some(it) = interrupted.filter(|it| it.at == here) {
        return go_on(m, state, it);
    }
    while let Some(signal) = deliverable(state) {
        enter_handler(m, state, signal)?;
    }
    Ok(())
}

/// The handler has returned to where another thread's signal found the thread.
fn go_on(m: &mut Machine<'_>, state: &mut State, it: Interrupted) -> Result<(), Halt> {
    let thread = state.threads_mut().current();
    thread.stands_at = it.stands_at;
    let Status::Waiting(wait) = it.status else {
        return Ok(());
    };
    match wait {
        // As if by a spurious wake-up, which every such wait has to bear.
        Wait::Signal { lock, .. } => {
            let in_time = true;
            thread.status = Status::Waiting(Wait::Back { lock, in_time });
        }
        Wait::Semaphore { .. } | Wait::System | Wait::Interrupt | Wait::WakeUp { .. } => {
            Rc::make_mut(&mut state.kernel).signals.own.interruption = Some(it.how);
            return Ok(());
        }
        _ => thread.status = it.status,
    }
    m.run_another(state).map(|_| ())
}

/// Enters the handler of a signal that waits.
fn enter_handler(m: &mut Machine<'_>, state: &mut State, signal: u32) -> Result<(), Halt> {
    let pending = take(state, bit(signal)).unwrap_or(sent(signal));
    run_handler(m, state, pending)
}

fn run_handler(m: &mut Machine<'_>, state: &mut State, pending: Pending) -> Result<(), Halt> {
    let signal = pending.signal;
    let action = state.kernel.signals.action(signal);
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
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
        let layout = information(state, pending);
        let address = m.allocate(state, layout.len() as u64, Region::Stack)?;
        for (i, &byte) in layout.iter().enumerate() {
            state.memory.store(address + i as u64, 1, byte.into());
        }
        details = Some(state.memory.id_of(address));
        arguments.extend([Value::word(address), Value::ZERO]);
    }
    let body = m.body(function).map_or(0, |body| body.parameters as usize);
    arguments.truncate(body);
    let signature = m.program.functions[function.index()].signature;
    m.enter(state, function, &arguments, Reg::NONE, signature)?;
    state.frame.locals.extend(details);
    let caller = state.callers.clone().expect("the handler was called");
    let own = &mut Rc::make_mut(&mut state.kernel).signals.own;
    let blocked = own.suspended.take().unwrap_or(own.blocked);
    own.handlers.push(Handler {
        caller,
        blocked,
        interrupted: None,
    });
    own.blocked |= action.mask;
    if action.flags & SA_NODEFER == 0 {
        own.blocked |= bit(signal);
    }
    Ok(())
}

/// What is told of a signal, as `siginfo_t` has it.
pub(super) fn information(state: &State, pending: Pending) -> Vec<u8> {
    const SIZE: usize = 128;
    let layout = Layout::default().u32(pending.signal).u32(0);
    let layout = layout.u32(pending.code.cast_unsigned()).u32(0);
    let layout = match pending.timer {
        Some(timer) => {
            let known = state.kernel.signals.timers.get(timer).copied().flatten();
            layout
                .u32(timer as u32)
                .u32(known.map_or(0, |timer| timer.told))
        }
        None => layout.u32(PROCESS as u32).u32(USER_NUMBER),
    };
    let mut bytes = layout.u64(pending.value).0;
    bytes.resize(SIZE, 0);
    bytes
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
    run_handler(m, state, sent(SIGABRT))?;
    let signals = &mut Rc::make_mut(&mut state.kernel).signals;
    signals.set_action(SIGABRT, Action::default());
    Ok(Returned::Elsewhere)
}
