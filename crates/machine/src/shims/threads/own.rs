//! What each thread has of its own under a key.

use super::{DONE, number};
use crate::kernel::errno::EINVAL;
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::Halt;
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::value::Value;
use program::Kind;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "pthread_key_create" | "tss_create" => create,
        "pthread_key_delete" | "tss_delete" => delete,
        "pthread_getspecific" | "tss_get" => get,
        "pthread_setspecific" | "tss_set" => set,
        _ => return None,
    })
}

fn create(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let destructor = m.concretize(state, call.arg(1), 64);
    state.touch(Shared::Numbers, true);
    let keys = &mut state.threads_mut().keys;
    keys.push(Some(destructor));
    let key = keys.len() as u64 - 1;
    m.store(state, call.arg(0), Kind::Int(32), Value::word(key))?;
    Ok(DONE)
}

fn delete(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let key = m.concretize(state, call.arg(0), 32) as usize;
    state.touch(Shared::Numbers, true);
    match state.threads_mut().keys.get_mut(key) {
        Some(known @ Some(_)) => {
            *known = None;
            Ok(DONE)
        }
        _ => Ok(number(EINVAL.0)),
    }
}

fn get(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let key = m.concretize(state, call.arg(0), 32);
    let value = state.threads_mut().current().specific.get(&key).copied();
    Ok(Returned::Value(value.unwrap_or(Value::ZERO)))
}

fn set(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let key = m.concretize(state, call.arg(0), 32);
    let threads = state.threads_mut();
    match threads.keys.get(key as usize) {
        Some(Some(_)) => {
            threads.current().specific.insert(key, call.arg(1));
            Ok(DONE)
        }
        _ => Ok(number(EINVAL.0)),
    }
}
