//! Functions the program calls and does not define, one file a subject.
//!
//! The interpreter knows no library; it asks here for a function's name. Most
//! of the C library is C, linked into the program; what stands here must not
//! fork (allocation), talks to the outside (output, exit), or marks inputs.

mod alloc;
mod input;
mod jump;
mod math;
mod output;
mod process;
mod rust;
mod symbolic;
mod verifier;

use crate::machine::Machine;
use crate::outcome::Stop;
use crate::state::State;
use crate::value::Value;
use program::{FunctionId, Reg, SignatureId};

/// A function of the machine's own.
pub(crate) type Shim = fn(&mut Machine<'_>, &mut State, &Invocation<'_>) -> Result<Returned, Stop>;

/// A call of a shim.
pub(crate) struct Invocation<'a> {
    /// The function called.
    pub function: FunctionId,
    /// The shape of the call.
    pub signature: SignatureId,
    /// The arguments.
    pub args: &'a [Value],
    /// Where the result goes.
    pub dst: Reg,
}

impl Invocation<'_> {
    /// An argument; zero where the call has too few.
    pub fn arg(&self, index: usize) -> Value {
        self.args.get(index).copied().unwrap_or(Value::ZERO)
    }
}

/// What a shim gives back.
pub(crate) enum Returned {
    /// No result.
    Nothing,
    /// One result.
    Value(Value),
    /// The shim moved the state itself.
    Elsewhere,
}

/// The shim of this name.
pub(crate) fn find(name: &str) -> Option<Shim> {
    alloc::find(name)
        .or_else(|| symbolic::find(name))
        .or_else(|| verifier::find(name))
        .or_else(|| process::find(name))
        .or_else(|| input::find(name))
        .or_else(|| output::find(name))
        .or_else(|| rust::find(name))
        .or_else(|| jump::find(name))
        .or_else(|| math::is_known(name).then_some(call_math as Shim))
}

fn call_math(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Stop> {
    let name = machine.program.functions[call.function.index()]
        .name
        .as_str();
    let results = match math::call(machine, state, name, call.args) {
        Some(results) => results?,
        None => unreachable!("the name was looked up before"),
    };
    Ok(results
        .first()
        .map_or(Returned::Nothing, |&value| Returned::Value(value)))
}

impl Machine<'_> {
    /// The concrete C string at an address; what is symbolic in it is taken
    /// from the model.
    pub(crate) fn string(&mut self, state: &mut State, address: Value) -> Result<String, Stop> {
        const LONGEST: u64 = 1 << 16;
        let start = self.pin(state, address, 64);
        let mut bytes = Vec::new();
        for at in 0..LONGEST {
            let kind = program::Kind::Int(8);
            let byte = self.load(state, Value::word(start + at), kind)?;
            match self.example(state, byte, 8) {
                0 => break,
                byte => bytes.push(byte as u8),
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
