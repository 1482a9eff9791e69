//! What the program reads.

use super::{Invocation, Returned, Shim};
use crate::machine::Machine;
use crate::outcome::Stop;
use crate::pointers::Access;
use crate::state::State;
use crate::value::Value;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_read" => read_one,
        "read" => read_all,
        _ => return None,
    })
}

/// The library reads until it has what it wants, so that a byte at a time will
/// do: whether there is a next one matters when somebody wants it.
fn read_one(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Stop> {
    read(m, state, call, 1)
}

/// The program gets as much as it would get from a file.
fn read_all(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Stop> {
    read(m, state, call, u64::MAX)
}

/// Other descriptors than that of standard input are empty.
fn read(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    most: u64,
) -> Result<Returned, Stop> {
    let descriptor = m.pin(state, call.arg(0), 32) as i32;
    let count = m.pin(state, call.arg(2), 64).min(most);
    if descriptor != 0 || count == 0 {
        return Ok(Returned::Value(Value::ZERO));
    }
    let bytes = match m.is_fed() {
        true => m.next_fed(state, count),
        false => m.next_stdin(state, count)?,
    };
    if !bytes.is_empty() {
        // A state that forks over the address executes the call again, so that
        // nothing is taken before.
        let spot = m.resolve_access(state, call.arg(1), bytes.len() as u64, Access::Write)?;
        m.write(state, spot, &bytes);
        state.stdin.take(bytes.len());
    }
    Ok(Returned::Value(Value::word(bytes.len() as u64)))
}
