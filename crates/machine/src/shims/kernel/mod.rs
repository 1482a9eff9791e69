//! The system below a program: its files, descriptors, memory, time, signals.
//!
//! What it keeps is data of the path ([`Kernel`](crate::kernel::Kernel)). The C library comes here by one function, `__ep_syscall`, with the numbers
//! of Linux on x86-64, and by `__ep_read` and `__ep_write`, which its streams use. A call
//! that forks is made again by the other state: a function here changes nothing before
//! it has decided everything.

mod calls;
mod delivery;
mod descriptors;
mod events;
pub(super) mod faults;
mod files;
mod futex;
mod host;
mod memory;
mod names;
mod paths;
mod pipes;
mod process;
mod signals;
mod sockets;
pub(super) mod time;
mod timers;
mod transfer;
mod user;

use crate::arith::resize;
use crate::incomplete::Incomplete;
use crate::kernel::errno::{EINTR, ENOSYS, Errno};
use crate::kernel::signals::Interruption;
use crate::kernel::tree::Kind;
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::Halt;
use crate::scheduling::Operation;
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::value::{Value, width};
pub(crate) use delivery::{abort, after_return, wait_for_ring};
use faults::Fault;
pub(crate) use signals::NOBODY_SENDS;
use std::rc::Rc;
use user::Args;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_syscall" => syscall,
        "__ep_read" => library_read,
        "__ep_write" => library_write,
        _ => return None,
    })
}

/// Why a system call has no result.
pub(crate) enum Break {
    /// It failed.
    Errno(Errno),
    /// The path does not go on here.
    Halt(Halt),
    /// Another thread runs now, and the call is made again.
    Elsewhere,
}

impl From<Halt> for Break {
    fn from(halt: Halt) -> Break {
        Break::Halt(halt)
    }
}

impl From<Errno> for Break {
    fn from(errno: Errno) -> Break {
        Break::Errno(errno)
    }
}

type Answer = Result<Value, Break>;
type Handler = fn(&mut Machine<'_>, &mut State, &Args) -> Answer;

/// `long __ep_syscall(long number, long, long, long, long, long, long)`
fn syscall(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let given: Vec<Value> = (0..7).map(|i| argument(m, call, i)).collect();
    let number = m.concretize(state, given[0], 64);
    let args = Args(std::array::from_fn(|i| given[i + 1]));
    let Some(handler) = calls::handler(number) else {
        let call = calls::name(number).into();
        m.incomplete(state, Incomplete::NotModelled { call });
        let result = result_of(user::fail(ENOSYS))?;
        return Ok(Returned::Value(result));
    };
    let name = calls::name_of(number).unwrap_or_default();
    if state.is_threaded && is_noticed(m, state, name, &args) {
        let shared = shared_by(m, state, name, &args);
        m.scheduling_point(state, Operation::of(shared))?;
        if m.is_cancellation_point(state) {
            m.leave_if_cancelled(state)?;
        }
    } else if m.is_cancellation_point(state) {
        m.cancellation_point(state)?;
    }
    perform(m, state, call, name, args, handler)
}

/// Whether a call is one by which threads talk to each other.
fn is_noticed(m: &mut Machine<'_>, state: &mut State, name: &str, args: &Args) -> bool {
    match name {
        "poll" | "ppoll" | "epoll_wait" | "epoll_pwait" => true,
        "kill" | "rt_sigqueueinfo" | "rt_sigtimedwait" | "rt_sigsuspend" | "pause" => true,
        "tkill" => {
            let number = args.int(m, state, 0);
            let running = state.threads_mut().running();
            signals::thread_of(state, number).is_some_and(|it| it != running)
        }
        "read" | "write" => {
            let descriptor = args.int(m, state, 0);
            let file = state.kernel.file(descriptor);
            let node = file.map(|file| &state.kernel.tree.get(file.node).kind);
            matches!(node, Ok(Kind::Pipe(_) | Kind::Event(_)))
        }
        _ => false,
    }
}

/// What others notice a call by.
fn shared_by(m: &mut Machine<'_>, state: &mut State, name: &str, args: &Args) -> Shared {
    match name {
        "tkill" => {
            let number = args.int(m, state, 0);
            signals::thread_of(state, number).map_or(Shared::System, Shared::Thread)
        }
        // It may come to any thread.
        "kill" | "rt_sigqueueinfo" => Shared::Somewhere,
        _ => Shared::System,
    }
}

/// Calls after which another thread may have something to read, or room to write.
const WAKING: [&str; 14] = [
    "read",
    "readv",
    "recvfrom",
    "write",
    "writev",
    "sendto",
    "sendfile",
    "close",
    "dup2",
    "dup3",
    "shutdown",
    "connect",
    "timerfd_settime",
    "epoll_ctl",
];

/// Calls that go on after a handler which says so.
const RESTARTED: [&str; 12] = [
    "accept", "accept4", "connect", "futex", "read", "readv", "recvfrom", "recvmsg", "sendto",
    "sendmsg", "write", "writev",
];

/// What a handler means for the call that the running thread was in, told once.
pub(in crate::shims) fn interruption(state: &mut State) -> Option<Interruption> {
    state.kernel.signals.own.interruption?;
    Rc::make_mut(&mut state.kernel)
        .signals
        .own
        .interruption
        .take()
}

/// Makes a system call, which may be one that fails on request.
fn perform(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    name: &str,
    mut args: Args,
    handler: Handler,
) -> Result<Returned, Halt> {
    if state.is_threaded {
        state.threads_mut().resume_call();
        if let Some(how) = interruption(state)
            && !(how == Interruption::Restarts && RESTARTED.contains(&name))
        {
            return delivery::deliver(m, state, call, result_of(user::fail(EINTR))?);
        }
    }
    let fault = faults::decide(m, state, name)?;
    if fault == Some(Fault::Short) {
        args.shorten();
    }
    let answer = match fault {
        Some(Fault::Errno(errno)) => user::fail(errno),
        Some(Fault::Short) | None => handler(m, state, &args),
    };
    if let Err(Break::Elsewhere) = answer {
        return Ok(Returned::Elsewhere);
    }
    let result = result_of(answer)?;
    if state.is_threaded && WAKING.contains(&name) {
        state.threads_mut().wake_for_system();
    }
    faults::decided(state, fault);
    delivery::deliver(m, state, call, result)
}

/// An argument as 64 bits, whatever the call passes.
fn argument(m: &mut Machine<'_>, call: &Invocation<'_>, i: usize) -> Value {
    let parameters = &m.program.signatures[call.signature.index()].parameters;
    let value = call.arg(i);
    match parameters.get(i).map(|parameter| width(parameter.kind)) {
        Some(given) if given < 64 => {
            let term = value.term(&mut m.store, given);
            let wide = m.store.sext(term, 64);
            Value::of(&m.store, wide)
        }
        Some(given) if given > 64 => {
            let term = value.term(&mut m.store, given);
            let narrow = resize(&mut m.store, term, 64);
            Value::of(&m.store, narrow)
        }
        Some(_) | None => value,
    }
}

/// The result that the C library sees: what came of the call, or a negative error.
fn result_of(answer: Answer) -> Result<Value, Halt> {
    match answer {
        Ok(value) => Ok(value),
        Err(Break::Errno(Errno(number))) => Ok(Value::word(-i64::from(number) as u64)),
        Err(Break::Halt(halt)) => Err(halt),
        Err(Break::Elsewhere) => unreachable!("whoever performs the call has looked"),
    }
}

fn three(m: &mut Machine<'_>, call: &Invocation<'_>) -> Args {
    Args(std::array::from_fn(|i| match i {
        0..3 => argument(m, call, i),
        _ => Value::ZERO,
    }))
}

fn library_read(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let args = three(m, call);
    perform(m, state, call, "read", args, transfer::read_a_byte)
}

fn library_write(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let args = three(m, call);
    perform(m, state, call, "write", args, transfer::write)
}
