//! What the C library asks about values that it shows to a person.
//!
//! Output that the program cannot read back shows an example of each value and decides
//! nothing. What the program learns of it all the same, how many bytes it was and whether a
//! string has an end, has to be right for every value.

use super::process::{call_of_c_library, called_of_library};
use super::symbolic::hold_value;
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::memory::Place;
use crate::outcome::Halt;
use crate::state::State;
use crate::value::Value;
use mixed::Effort;
use mixed::solver::Answer;
use program::Inst;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_example" => example,
        "__ep_may_hold" => may_hold,
        "__ep_is_inside" => is_inside,
        "__ep_is_result_read" => is_result_read,
        "__ep_hold" => hold,
        _ => return None,
    })
}

/// The argument as the path's model has it; nothing is assumed about it.
fn example(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let word = m.example(state, call.arg(0), 64);
    Ok(Returned::Value(Value::word(word)))
}

/// Whether the argument can be something else than zero on this path, as far as that is
/// cheap to say; nothing is assumed about it.
fn may_hold(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let value = call.arg(0).term(&mut m.store, 64);
    let holds = m.store.is_nonzero(value);
    let may = match m.store.as_bool(holds) {
        Some(truth) => truth,
        None => {
            m.holds(state, holds) || !matches!(m.ask(state, holds, Effort::Quick), Answer::Unsat(_))
        }
    };
    Ok(Returned::Value(Value::word(may.into())))
}

/// Whether there is a byte of an object at an address; of an open address it is believed.
fn is_inside(
    _: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let inside = call.arg(0).as_word().is_none_or(|address| {
        let Place::In(id, offset) = state.memory.place(address) else {
            return false;
        };
        let size = state.memory.object(id).map_or(0, |object| object.size);
        u64::try_from(offset).is_ok_and(|offset| offset < size)
    });
    Ok(Returned::Value(Value::word(inside.into())))
}

/// Whether the program looks at what the function of the library that it called returns.
fn is_result_read(
    m: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let is_read = call_of_c_library(m, state).is_some_and(|(function, pc)| {
        let body = m.program.functions[function.index()].body.as_ref();
        let inst = body.and_then(|body| body.code.get(pc as usize));
        !matches!(inst, Some(Inst::Call { is_read: false, .. }))
    });
    Ok(Returned::Value(Value::word(is_read.into())))
}

/// One value of a number whose length the program looks at; the others are not followed.
fn hold(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let function = called_of_library(m, state).unwrap_or("output").into();
    let what = "a number, the length of which it returns".into();
    Ok(hold_value(m, state, call, 64, (function, what)))
}
