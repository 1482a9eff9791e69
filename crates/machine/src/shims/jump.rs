//! `setjmp` and `longjmp`: a frame remembered, and gone back to.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error};
use crate::state::{Caller, JumpTarget, State};
use crate::value::Value;
use program::Reg;
use std::rc::Rc;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => set_jump,
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => long_jump,
        _ => return None,
    })
}

fn set_jump(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let buffer = m.concretize(state, call.arg(0), 64);
    let mut frame = state.frame.clone();
    frame.pc += 1;
    let target = JumpTarget {
        buffer,
        frame,
        callers: state.callers.clone(),
        height: state.height,
        dst: call.dst,
    };
    let jumps = Rc::make_mut(&mut state.jumps);
    jumps.retain(|jump| jump.buffer != buffer && jump.height <= state.height);
    jumps.push(target);
    Ok(Returned::Value(Value::ZERO))
}

fn long_jump(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let buffer = m.concretize(state, call.arg(0), 64);
    let value = match m.concretize(state, call.arg(1), 32) {
        0 => 1,
        value => value,
    };
    jump_to(m, state, buffer, value)
}

/// Goes back to the place that `setjmp` saved in a buffer, which returns this.
pub(super) fn jump_to(
    m: &mut Machine<'_>,
    state: &mut State,
    buffer: u64,
    value: u64,
) -> Result<Returned, Halt> {
    let found = state
        .jumps
        .iter()
        .find(|jump| jump.buffer == buffer)
        .cloned();
    let Some(target) = found.filter(|target| is_running(state, target)) else {
        return error(
            ErrorKind::BadCall,
            "longjmp to a place that setjmp did not save",
        );
    };
    // The frames in between end; the registers of the target are as they are
    // now in its frame, since C keeps changes made after `setjmp`.
    while state.height > target.height {
        m.release_locals(state);
        let link = state.callers.take().expect("a higher stack has callers");
        let mut caller = Rc::try_unwrap(link).unwrap_or_else(|shared| Caller::clone(&shared));
        state.frame = std::mem::take(&mut caller.frame);
        state.callers = caller.callers.take();
        state.height -= 1;
    }
    state.frame.pc = target.frame.pc;
    if target.dst != Reg::NONE {
        state.set(target.dst, Value::word(value));
    }
    Ok(Returned::Elsewhere)
}

/// Whether the call that saved the place has not returned: its link to its
/// caller is then still on the stack, at its height.
fn is_running(state: &State, target: &JumpTarget) -> bool {
    let Some(above) = state.height.checked_sub(target.height) else {
        return false;
    };
    let (mut function, mut link) = (state.frame.function, state.callers.as_ref());
    for _ in 0..above {
        let Some(caller) = link else { return false };
        (function, link) = (caller.frame.function, caller.callers.as_ref());
    }
    let same = match (link, &target.callers) {
        (None, None) => true,
        (Some(link), Some(saved)) => Rc::ptr_eq(link, saved),
        (None, Some(_)) | (Some(_), None) => false,
    };
    same && function == target.frame.function
}
