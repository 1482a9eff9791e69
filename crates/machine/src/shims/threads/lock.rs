//! Mutexes of all kinds, read-write locks and spin locks.
//!
//! Who holds a lock is kept beside the state, by the lock's address; the lock itself
//! holds its kind where glibc's initialisers put it.

use super::{C11_TIME_OVER, DONE, Limit, TIME_OVER, number, wait_until};
use crate::kernel::errno::{EBUSY, EINVAL, EPERM};
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error};
use crate::pointers::Access;
use crate::scheduling::Operation;
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::threads::{Left, Lock, Status, Wait};
use crate::value::Value;
use program::Kind;

/// Where a mutex says what kind it is.
const KIND: i64 = 16;
const RECURSIVE: u64 = 1;
const CHECKED: u64 = 2;
const KINDS: u64 = 3;
/// A mutex that says so when its owner has ended.
const ROBUST: u64 = 4;
/// What else attributes say and `runtime/libc` asks for: the protocol, and its priority.
const KEPT: u64 = 0x00ff_0300 | ROBUST | KINDS;
/// `EOWNERDEAD`: the thread has the lock, and its last owner ended with it.
const OWNER_DEAD: i32 = 130;
/// `ENOTRECOVERABLE`: nobody has made good what that owner left.
const NOT_RECOVERABLE: i32 = 131;
/// What glibc writes there when a mutex is destroyed. A variable that is made anew, as C++ makes
/// its mutexes, is none of that any more, whether or not somebody calls `pthread_mutex_init`.
const DESTROYED: u64 = 0xffff_ffff;
/// `EDEADLK`.
const WOULD_DEADLOCK: i32 = 35;
/// What C11 calls a recursive mutex, and a failure to lock at once.
const C11_RECURSIVE: u64 = 1;
const C11_BUSY: i32 = 1;
/// Not an address of any lock: the one that atomic sections hold.
const ATOMIC_SECTION: u64 = 1;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "pthread_mutex_init" => init_mutex,
        "mtx_init" => init_mutex_c11,
        "pthread_rwlock_init" | "pthread_spin_init" => init,
        "pthread_mutex_consistent" => make_consistent,
        "pthread_mutex_destroy" | "mtx_destroy" => destroy_mutex,
        "pthread_rwlock_destroy" | "pthread_spin_destroy" => destroy,
        "pthread_mutex_lock" | "mtx_lock" => lock,
        "pthread_mutex_timedlock" => lock_until::<1, TIME_OVER>,
        "pthread_mutex_clocklock" => lock_until::<2, TIME_OVER>,
        "mtx_timedlock" => lock_until::<1, C11_TIME_OVER>,
        "pthread_rwlock_wrlock" | "pthread_spin_lock" => lock_simple,
        "pthread_rwlock_timedwrlock" => lock_simple_until::<1, TIME_OVER>,
        "pthread_rwlock_clockwrlock" => lock_simple_until::<2, TIME_OVER>,
        "pthread_mutex_trylock" => try_lock,
        "mtx_trylock" => try_lock_c11,
        "pthread_rwlock_trywrlock" | "pthread_spin_trylock" => try_lock_simple,
        "pthread_rwlock_rdlock" => share,
        "pthread_rwlock_timedrdlock" => share_until::<1, TIME_OVER>,
        "pthread_rwlock_clockrdlock" => share_until::<2, TIME_OVER>,
        "pthread_rwlock_tryrdlock" => try_share,
        "pthread_mutex_unlock" | "mtx_unlock" | "pthread_rwlock_unlock" | "pthread_spin_unlock" => {
            unlock
        }
        _ => return None,
    })
}

fn place(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<u64, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    match at {
        0 => error(ErrorKind::NullDereference, "a lock at the null pointer"),
        at => match m.check_access(state, at, 1, Access::Read) {
            Ok(_) => Ok(at),
            Err((kind, message)) => error(kind, format!("{message}, a lock")),
        },
    }
}

fn init_mutex(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let kind = match m.concretize(state, call.arg(1), 64) {
        0 => 0,
        attributes => {
            let kind = m.load(state, Value::word(attributes), Kind::Int(32))?;
            m.concretize(state, kind, 32) & KEPT
        }
    };
    init_as(m, state, call, kind)
}

fn init_mutex_c11(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let kind = m.concretize(state, call.arg(1), 32) & C11_RECURSIVE;
    init_as(m, state, call, kind)
}

fn init_as(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    kind: u64,
) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    let place = m.offset(Value::word(at), KIND);
    m.store(state, place, Kind::Int(32), Value::word(kind))?;
    init(m, state, call)
}

fn init(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    state.touch(Shared::At(at), true);
    state.threads_mut().locks.insert(at, Lock::default());
    Ok(DONE)
}

fn destroy_mutex(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let done = destroy(m, state, call)?;
    let at = place(m, state, call)?;
    // Not an access of the program's: no race is looked for.
    state
        .memory
        .store(at.wrapping_add_signed(KIND), 4, DESTROYED);
    Ok(done)
}

/// Whether the mutex was not destroyed before.
fn must_live(state: &mut State, at: u64) -> Result<(), Halt> {
    match state.memory.load(at.wrapping_add_signed(KIND), 4) {
        Some(DESTROYED) => error(
            ErrorKind::LockMisuse,
            "a lock is taken that was destroyed before",
        ),
        _ => Ok(()),
    }
}

fn destroy(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    state.touch(Shared::At(at), true);
    let known = state.threads_mut().locks.remove(&at);
    match known {
        Some(lock) if lock.owner.is_some() || !lock.readers.is_empty() => error(
            ErrorKind::LockMisuse,
            "a lock is destroyed while a thread holds it",
        ),
        _ => Ok(DONE),
    }
}

fn kind_of(m: &mut Machine<'_>, state: &mut State, at: u64) -> Result<u64, Halt> {
    let place = m.offset(Value::word(at), KIND);
    let kind = m.load(state, place, Kind::Int(32))?;
    Ok(m.concretize(state, kind, 32) & KINDS)
}

fn lock(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    lock_as(m, state, call, None)
}

fn lock_until<const TIME: usize, const FAILURE: i32>(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    lock_as(m, state, call, Limit::until(call, TIME, FAILURE))
}

fn lock_as(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    limit: Option<Limit>,
) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    let waits = has_to_wait(state, at);
    m.scheduling_point(state, Operation::on(at).waiting(waits))?;
    must_live(state, at)?;
    let threads = state.threads_mut();
    let running = threads.running();
    let held = threads.locks.entry(at).or_default();
    if held.owner == Some(running) {
        return match kind_of(m, state, at)? {
            RECURSIVE => {
                let lock = state.threads_mut().locks.entry(at).or_default();
                lock.depth += 1;
                Ok(DONE)
            }
            CHECKED => Ok(number(WOULD_DEADLOCK)),
            // It waits for nothing, but not for ever.
            _ if limit.is_some() => take(m, state, at, limit),
            _ => error(
                ErrorKind::Deadlock,
                "a thread waits for a lock that it holds itself",
            ),
        };
    }
    if held.left == Left::Unrecoverable {
        return Ok(number(NOT_RECOVERABLE));
    }
    take(m, state, at, limit)
}

fn has_to_wait(state: &mut State, lock: u64) -> bool {
    let is_timed = false;
    state
        .threads_mut()
        .has_to_wait(Wait::Lock { lock, is_timed })
}

fn lock_simple(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    lock_simple_as(m, state, call, None)
}

fn lock_simple_until<const TIME: usize, const FAILURE: i32>(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    lock_simple_as(m, state, call, Limit::until(call, TIME, FAILURE))
}

fn lock_simple_as(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    limit: Option<Limit>,
) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    let waits = has_to_wait(state, at);
    m.scheduling_point(state, Operation::on(at).waiting(waits))?;
    let threads = state.threads_mut();
    let running = threads.running();
    let held = threads.locks.entry(at).or_default();
    if held.owner == Some(running) || held.readers.contains(&running) {
        return error(
            ErrorKind::Deadlock,
            "a thread waits for a lock that it holds itself",
        );
    }
    take(m, state, at, limit)
}

/// Holds the lock alone, or waits until that can be.
fn take(
    m: &mut Machine<'_>,
    state: &mut State,
    lock: u64,
    limit: Option<Limit>,
) -> Result<Returned, Halt> {
    if acquire(state, lock) {
        return Ok(after_owner(state, lock));
    }
    wait_until(m, state, limit, |is_timed| Wait::Lock { lock, is_timed })
}

/// What is told to a thread that has taken a lock: whether its last owner ended with it.
fn after_owner(state: &mut State, lock: u64) -> Returned {
    let lock = state.threads_mut().locks.entry(lock).or_default();
    match lock.left {
        Left::Inconsistent => number(OWNER_DEAD),
        Left::Free | Left::Unrecoverable => DONE,
    }
}

/// The running thread ends: robust mutexes that it holds say so to their next owners.
pub(crate) fn leave_robust(state: &mut State) {
    let threads = state.threads_mut();
    let running = threads.running();
    let held = threads.locks.iter();
    let held = held.filter(|(_, lock)| lock.owner == Some(running));
    let held: Vec<u64> = held.map(|(&at, _)| at).collect();
    for at in held {
        let kind = state.memory.load(at.wrapping_add_signed(KIND), 4);
        if kind.is_some_and(|kind| kind != DESTROYED && kind & ROBUST != 0) {
            release(state, at);
            let lock = state.threads_mut().locks.entry(at).or_default();
            lock.left = Left::Inconsistent;
            state.touch(Shared::At(at), true);
        }
    }
}

fn make_consistent(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    let threads = state.threads_mut();
    let running = threads.running();
    let lock = threads.locks.entry(at).or_default();
    if lock.owner != Some(running) || lock.left != Left::Inconsistent {
        return Ok(number(EINVAL.0));
    }
    lock.left = Left::Free;
    Ok(DONE)
}

/// Takes the lock if it is free; whether it was.
pub(super) fn acquire(state: &mut State, at: u64) -> bool {
    let threads = state.threads_mut();
    let running = threads.running();
    let lock = threads.locks.entry(at).or_default();
    if lock.owner.is_some() || !lock.readers.is_empty() {
        return false;
    }
    lock.owner = Some(running);
    lock.depth = 1;
    let clock = lock.clock.clone();
    threads.acquire(&clock);
    threads.current().status = Status::Ready;
    true
}

/// Lets go of a lock that the running thread holds alone.
pub(super) fn release(state: &mut State, at: u64) {
    let threads = state.threads_mut();
    let mut lock = threads.locks.remove(&at).unwrap_or_default();
    threads.release(&mut lock.clock);
    lock.owner = None;
    lock.depth = 0;
    threads.locks.insert(at, lock);
}

fn try_lock(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    try_as(m, state, call, EBUSY.0)
}

fn try_lock_c11(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    try_as(m, state, call, C11_BUSY)
}

fn try_as(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    busy: i32,
) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    m.scheduling_point(state, Operation::on(at))?;
    must_live(state, at)?;
    let threads = state.threads_mut();
    let running = threads.running();
    let is_ours = threads.locks.entry(at).or_default().owner == Some(running);
    if is_ours && kind_of(m, state, at)? == RECURSIVE {
        state.threads_mut().locks.entry(at).or_default().depth += 1;
        return Ok(DONE);
    }
    if state.threads_mut().locks.entry(at).or_default().left == Left::Unrecoverable {
        return Ok(number(NOT_RECOVERABLE));
    }
    match acquire(state, at) {
        true => Ok(after_owner(state, at)),
        false => Ok(number(busy)),
    }
}

fn try_lock_simple(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    m.scheduling_point(state, Operation::on(at))?;
    match acquire(state, at) {
        true => Ok(DONE),
        false => Ok(number(EBUSY.0)),
    }
}

fn share(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    share_as(m, state, call, None)
}

fn share_until<const TIME: usize, const FAILURE: i32>(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    share_as(m, state, call, Limit::until(call, TIME, FAILURE))
}

fn share_as(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    limit: Option<Limit>,
) -> Result<Returned, Halt> {
    let lock = place(m, state, call)?;
    let is_timed = false;
    let waits = state
        .threads_mut()
        .has_to_wait(Wait::Share { lock, is_timed });
    m.scheduling_point(state, Operation::on(lock).waiting(waits))?;
    let threads = state.threads_mut();
    let running = threads.running();
    if threads.locks.entry(lock).or_default().owner == Some(running) {
        return error(
            ErrorKind::Deadlock,
            "a thread waits to read what it holds to write",
        );
    }
    if acquire_shared(state, lock) {
        return Ok(DONE);
    }
    wait_until(m, state, limit, |is_timed| Wait::Share { lock, is_timed })
}

fn try_share(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    m.scheduling_point(state, Operation::on(at))?;
    match acquire_shared(state, at) {
        true => Ok(DONE),
        false => Ok(number(EBUSY.0)),
    }
}

fn acquire_shared(state: &mut State, at: u64) -> bool {
    let threads = state.threads_mut();
    let running = threads.running();
    let lock = threads.locks.entry(at).or_default();
    if lock.owner.is_some() {
        return false;
    }
    lock.readers.push(running);
    let clock = lock.clock.clone();
    threads.acquire(&clock);
    threads.current().status = Status::Ready;
    true
}

fn unlock(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let at = place(m, state, call)?;
    m.scheduling_point(state, Operation::on(at))?;
    let threads = state.threads_mut();
    let running = threads.running();
    let lock = threads.locks.entry(at).or_default();
    if let Some(reader) = lock.readers.iter().position(|&reader| reader == running) {
        lock.readers.remove(reader);
        let mut clock = std::mem::take(&mut lock.clock);
        threads.release(&mut clock);
        threads.locks.entry(at).or_default().clock = clock;
        return Ok(DONE);
    }
    if lock.owner == Some(running) {
        lock.depth -= 1;
        if lock.depth == 0 {
            if lock.left == Left::Inconsistent {
                lock.left = Left::Unrecoverable;
            }
            release(state, at);
        }
        return Ok(DONE);
    }
    let is_locked = lock.owner.is_some() || !lock.readers.is_empty();
    // A checked mutex tells the program, a recursive one as well.
    if let CHECKED | RECURSIVE = kind_of(m, state, at).unwrap_or_default() {
        return Ok(number(EPERM.0));
    }
    let what = match is_locked {
        true => "that another thread holds",
        false => "that nobody holds",
    };
    error(ErrorKind::LockMisuse, format!("an unlock of a lock {what}"))
}

/// From here to [`atomic_end`] no other thread runs.
pub(super) fn atomic_begin(
    m: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    begin_alone(m, state)
}

/// Lets no other thread run from here on, or waits for one that runs alone.
pub(crate) fn begin_alone(m: &mut Machine<'_>, state: &mut State) -> Result<Returned, Halt> {
    let waits = has_to_wait(state, ATOMIC_SECTION);
    m.scheduling_point(state, Operation::on(ATOMIC_SECTION).waiting(waits))?;
    if state.threads_mut().is_alone {
        return Ok(Returned::Nothing);
    }
    match acquire(state, ATOMIC_SECTION) {
        true => {
            state.threads_mut().is_alone = true;
            Ok(Returned::Nothing)
        }
        false => wait_until(m, state, None, |is_timed| Wait::Lock {
            lock: ATOMIC_SECTION,
            is_timed,
        }),
    }
}

pub(super) fn atomic_end(
    _: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    end_alone(state);
    Ok(Returned::Nothing)
}

/// Lets the other threads run again.
pub(crate) fn end_alone(state: &mut State) {
    state.threads_mut().is_alone = false;
    release(state, ATOMIC_SECTION);
}
