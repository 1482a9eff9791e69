//! Ending the program, and what it asks of its process.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{End, ErrorKind, Halt, error, unsupported};
use crate::state::State;
use crate::value::Value;
use program::{Address, Base, FunctionId};

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_exit" | "_exit" | "_Exit" | "exit" => exit,
        "abort" | "__ep_abort" => abort,
        "__assert_fail" | "__ep_assert_fail" => assert_fail,
        "__ep_unsupported" => not_supported,
        "__ep_example" => example,
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

/// The argument as the path's model has it; nothing is assumed about it.
fn example(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let word = m.example(state, call.arg(0), 64);
    Ok(Returned::Value(Value::word(word)))
}

/// Whether the C library was called by the standard library of C++ or Rust.
fn is_for_standard_library(
    m: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let is_of_c = |it: &FunctionId| m.is_library(*it) && !m.is_standard_library(*it);
    let links = std::iter::successors(state.callers.as_ref(), |it| it.callers.as_ref());
    let mut callers = links.map(|it| FunctionId(it.frame.function));
    let caller = callers.find(|it| !is_of_c(it));
    let is_standard = caller.is_some_and(|it| m.is_standard_library(it));
    Ok(Returned::Value(Value::word(is_standard.into())))
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
    let stack = state.stack();
    let own = stack
        .iter()
        .take_while(|(function, _)| m.is_library(*function));
    let called = own
        .last()
        .map(|(function, _)| &m.program.functions[function.index()].name);
    let called = called.map_or("a copy", String::as_str);
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
