//! What the program writes and reads.

use super::{Invocation, Returned, Shim};
use crate::machine::Machine;
use crate::outcome::Stop;
use crate::pointers::Access;
use crate::state::State;
use crate::value::Value;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_write" | "write" => write,
        "__ep_read" | "read" => read,
        _ => return None,
    })
}

/// Keeps the bytes with the path.
fn write(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Stop> {
    let descriptor = m.pin(state, call.arg(0), 32) as i32;
    let size = m.pin(state, call.arg(2), 64);
    if size > 0 {
        let spot = m.resolve_access(state, call.arg(1), size, Access::Read)?;
        let terms = m.read(state, spot, size as usize);
        for &term in &terms {
            m.must_be_initialised_term(term, "output")?;
        }
        state.output.push(&m.store, descriptor, terms);
    }
    Ok(Returned::Value(Value::word(size)))
}

/// Standard input is what a run was given, and empty where it was given nothing.
fn read(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Stop> {
    let descriptor = m.pin(state, call.arg(0), 32) as i32;
    if !m.is_fed() || descriptor != 0 {
        return Ok(Returned::Value(Value::ZERO));
    }
    let size = m.pin(state, call.arg(2), 64);
    let count = m.read_fed(state, call.arg(1), size)?;
    Ok(Returned::Value(Value::word(count)))
}
