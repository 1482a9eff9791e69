//! What the program writes.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::Halt;
use crate::pointers::Access;
use crate::state::State;
use crate::value::Value;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_write" | "write" => write,
        _ => return None,
    })
}

/// Keeps the bytes with the path.
fn write(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let descriptor = m.concretize(state, call.arg(0), 32) as i32;
    let size = m.concretize(state, call.arg(2), 64);
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
