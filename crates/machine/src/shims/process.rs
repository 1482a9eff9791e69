//! Ending the program, and what it asks of its process.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{End, ErrorKind, Halt, error, unsupported};
use crate::state::{Caller, State};
use crate::value::Value;
use program::{Address, Base, FunctionId};

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_exit" | "_exit" | "_Exit" | "exit" => exit,
        "abort" | "__ep_abort" => abort,
        "__assert_fail" | "__ep_assert_fail" => assert_fail,
        "__ep_unsupported" => not_supported,
        "__ep_apart" => apart,
        "__ep_is_for_standard_library" => is_for_standard_library,
        "__stack_chk_fail" => smashed,
        "getauxval" | "__getauxval" => no_such_word,
        "dlsym" => find_symbol,
        "atexit" | "__cxa_atexit" => at_exit,
        _ => return None,
    })
}

fn exit(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    // `_exit` runs no destructors; `exit` does, after the handlers that the
    // library's own runs before it comes here.
    let functions = &m.program.functions;
    let called = &functions[call.function.index()].name;
    let caller = &functions[state.function().index()].name;
    if called == "exit" || caller == "exit" {
        return m.leave(state, call.arg(0));
    }
    m.end(state, call.arg(0))
}

fn abort(m: &mut Machine<'_>, state: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    let mut stack = state.stack().into_iter();
    if stack.any(|(function, _)| m.image.is_assumption(function)) {
        return Err(Halt::End(End::Ignored));
    }
    super::kernel::abort(m, state)
}

fn assert_fail(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let expression = m.string(state, call.arg(0))?;
    error(
        ErrorKind::Assert,
        format!("assertion `{expression}` failed"),
    )
}

/// The library met something it does not do.
fn not_supported(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let what = m.string(state, call.arg(0))?;
    unsupported(what)
}

/// Whether the C library was called by the standard library of C++ or Rust.
fn is_for_standard_library(
    m: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let caller = call_of_c_library(m, state);
    let is_standard = caller.is_some_and(|(it, _)| m.is_standard_library(it));
    Ok(Returned::Value(Value::word(is_standard.into())))
}

/// Where the innermost function that is not of the C library calls it.
pub(super) fn call_of_c_library(m: &Machine<'_>, state: &State) -> Option<(FunctionId, u32)> {
    let is_of_c = |it: FunctionId| m.is_library(it) && !m.is_standard_library(it);
    let callers = std::iter::successors(state.callers.as_deref(), |it| it.callers.as_deref());
    callers.map(Caller::call).find(|(it, _)| !is_of_c(*it))
}

/// What the program called of the library that runs.
pub(super) fn called_of_library<'p>(m: &Machine<'p>, state: &State) -> Option<&'p str> {
    let stack = state.stack();
    let own = stack.iter().take_while(|(it, _)| m.is_library(*it));
    let (called, _) = own.last()?;
    Some(&m.program.functions[called.index()].name)
}

/// A function of the library copies so many bytes between places that must not overlap. To
/// copy something onto itself does no harm.
fn apart(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let [to, from, count] = [0, 1, 2].map(|i| call.arg(i).as_word());
    let (Some(to), Some(from), Some(count)) = (to, from, count) else {
        return Ok(Returned::Nothing);
    };
    if to == from || to.abs_diff(from) >= count {
        return Ok(Returned::Nothing);
    }
    let called = called_of_library(m, state).unwrap_or("a copy");
    let message = format!("{called} of {count} bytes between places that overlap");
    error(ErrorKind::Overlap, message)
}

fn smashed(_: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    error(
        ErrorKind::Abort,
        "the stack protector found the stack overwritten",
    )
}

/// What the kernel leaves for a program beside its arguments: nothing.
fn no_such_word(_: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    Ok(Returned::Value(Value::ZERO))
}

/// Without a library whose `exit` runs them, handlers are not run.
fn at_exit(m: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    m.note("functions registered to run at exit were not run");
    Ok(Returned::Value(Value::ZERO))
}

/// Where a function of the program is, by its name; null if there is none.
fn find_symbol(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let name = m.string(state, call.arg(1))?;
    let place = |id| Address {
        base: Base::Function(id),
        offset: 0,
    };
    let function = m.program.function(&name);
    let function = function.filter(|&id| m.body(id).is_some());
    let address = function.map_or(0, |id| m.image.address(place(id)));
    Ok(Returned::Value(Value::word(address)))
}
