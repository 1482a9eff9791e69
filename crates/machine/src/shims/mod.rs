//! Functions the program calls and does not define, one file a subject.
//!
//! The interpreter knows no library; it asks here for a function's name. Most
//! of the C library is C, linked into the program; what stands here must not
//! fork (allocation), talks to the outside (output, exit), or marks inputs.

mod alloc;
mod fenv;
mod format;
mod jump;
mod kernel;
mod klee;
mod math;
mod new;
mod process;
mod rust;
mod scopes;
mod shown;
mod streams;
mod symbolic;
mod threads;
mod ubsan;
mod unwind;
mod verifier;

pub(crate) use kernel::{NOBODY_SENDS, after_return, wait_for_ring};
pub(crate) use klee::{aliased, forbids_forks};
pub(crate) use rust::yields;
pub(crate) use threads::{begin_alone, end_alone, leave_robust};
pub(crate) use ubsan::trapped;

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::Halt;
use crate::state::State;
use crate::value::Value;

/// Which parameters of a function are sizes, of 64 bits whatever the program declares.
pub(crate) fn sizes_of(name: &str) -> &'static [usize] {
    match name {
        "malloc" | "ep_choose" | "klee_choose" => &[0],
        "calloc" | "aligned_alloc" | "memalign" => &[0, 1],
        "posix_memalign" => &[1, 2],
        "realloc" | "ep_symbolic" | "klee_make_symbolic" => &[1],
        "klee_check_memory_access" | "__VERIFIER_nondet_memory" => &[1],
        _ => &[],
    }
}

/// The shim of this name.
pub(crate) fn find(name: &str) -> Option<Shim> {
    alloc::find(name)
        .or_else(|| new::find(name))
        .or_else(|| symbolic::find(name))
        .or_else(|| klee::find(name))
        .or_else(|| verifier::find(name))
        .or_else(|| process::find(name))
        .or_else(|| shown::find(name))
        .or_else(|| kernel::find(name))
        .or_else(|| fenv::find(name))
        .or_else(|| format::find(name))
        .or_else(|| rust::find(name))
        .or_else(|| jump::find(name))
        .or_else(|| ubsan::find(name))
        .or_else(|| threads::find(name))
        .or_else(|| unwind::find(name))
        .or_else(|| scopes::find(name))
        .or_else(|| math::is_known(name).then_some(call_math as Shim))
}

/// Whether what a function does to the whole program is said where it is done, or is
/// nothing that another thread could notice.
pub(crate) fn keeps_to_its_thread(name: &str) -> bool {
    let found = threads::find(name)
        .or_else(|| alloc::find(name))
        .or_else(|| new::find(name))
        .or_else(|| symbolic::find(name))
        .or_else(|| verifier::find(name))
        .or_else(|| format::find(name))
        .or_else(|| ubsan::find(name))
        .or_else(|| scopes::find(name));
    found.is_some() || math::is_known(name) || name == "__ep_is_for_standard_library"
}

fn call_math(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
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
    ///
    /// # Errors
    ///
    /// When the memory cannot be read.
    pub fn string(&mut self, state: &mut State, address: Value) -> Result<String, Halt> {
        const LONGEST: u64 = 1 << 16;
        let start = self.concretize(state, address, 64);
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
