//! Blocks of local variables, in code that says where they begin and end.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::Halt;
use crate::state::State;

pub(super) fn find(name: &str) -> Option<Shim> {
    if name == program::SCOPE_BEGINS {
        return Some(begins);
    }
    (name == program::SCOPE_ENDS).then_some(ends)
}

fn begins(_: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    if let Some(address) = call.arg(0).as_word() {
        let id = state.memory.id_of(address);
        state.memory.wake(id);
    }
    Ok(Returned::Nothing)
}

fn ends(_: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    if let Some(address) = call.arg(0).as_word() {
        let id = state.memory.id_of(address);
        state.memory.put_to_sleep(id);
    }
    Ok(Returned::Nothing)
}
