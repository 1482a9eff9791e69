//! `fenv.h`: arithmetic rounds to nearest, and nobody records its exceptions.
//!
//! What asks for anything else ends its path by name; what changes nothing that could be
//! asked for succeeds.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{Halt, unsupported};
use crate::state::State;
use crate::value::Value;

/// The rounding modes of x86, as `fenv.h` has them.
const TO_NEAREST: u64 = 0;
const OTHERS: [u64; 3] = [0x400, 0x800, 0xc00];

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "fesetround" => set_rounding,
        "fegetround" | "feclearexcept" | "fesetenv" | "fegetenv" | "feholdexcept" => nothing,
        "feraiseexcept" | "feupdateenv" | "fesetexceptflag" => nothing,
        "fetestexcept" | "fegetexceptflag" => test_exceptions,
        "feenableexcept" => enable_exceptions,
        _ => return None,
    })
}

fn set_rounding(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    const FAILED: u64 = 1;
    match m.concretize(state, call.arg(0), 32) {
        TO_NEAREST => Ok(Returned::Value(Value::ZERO)),
        mode if OTHERS.contains(&mode) => {
            unsupported("fesetround with another mode than FE_TONEAREST")
        }
        _ => Ok(Returned::Value(Value::word(FAILED))),
    }
}

fn nothing(_: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    Ok(Returned::Value(Value::ZERO))
}

/// The C library asks only to hide from the program what its own arithmetic raised.
fn test_exceptions(
    m: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    match m.is_library(state.function()) {
        true => Ok(Returned::Value(Value::ZERO)),
        false => unsupported("fetestexcept: floating-point exceptions are not recorded"),
    }
}

fn enable_exceptions(
    _: &mut Machine<'_>,
    _: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    unsupported("feenableexcept: floating-point exceptions that end the program")
}
