//! SV-COMP's and Test-Comp's functions: `__VERIFIER_nondet_*` and friends.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error, unsupported};
use crate::pointers::Access;
use crate::state::{InputKind, State};
use crate::value::Value;
use program::{FloatKind, Kind};

pub(super) fn find(name: &str) -> Option<Shim> {
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(nondet);
    }
    Some(match name {
        "__VERIFIER_assume" => assume,
        "__VERIFIER_assert" => assert,
        "__VERIFIER_error" | "reach_error" => reach_error,
        _ => return None,
    })
}

/// Bits and kind of the type a nondet function gives.
fn nondet_kind(suffix: &str) -> Option<(u16, InputKind)> {
    use InputKind::{Float, Signed, Unsigned};
    Some(match suffix {
        "bool" | "_Bool" => (8, Unsigned),
        "char" | "schar" => (8, Signed),
        "uchar" | "unsigned_char" | "u8" => (8, Unsigned),
        "short" => (16, Signed),
        "ushort" | "unsigned_short" | "u16" => (16, Unsigned),
        "int" => (32, Signed),
        "uint" | "unsigned" | "unsigned_int" | "u32" | "U32" => (32, Unsigned),
        "long" | "longlong" | "loff_t" => (64, Signed),
        "ulong" | "ulonglong" | "unsigned_long" | "size_t" | "u64" | "sector_t" | "pthread_t" => {
            (64, Unsigned)
        }
        "pointer" | "pchar" | "charp" => (64, Unsigned),
        "int128" => (128, Signed),
        "uint128" => (128, Unsigned),
        "float" => (32, Float),
        "double" => (64, Float),
        _ => return None,
    })
}

/// Bits and kind of a result, for names that the competition's rules do not have.
fn any_of(results: &[Kind]) -> Option<(u16, InputKind)> {
    match *results {
        [Kind::Int(width)] => Some((width.next_multiple_of(8), InputKind::Unsigned)),
        [Kind::Ptr] => Some((64, InputKind::Unsigned)),
        [Kind::Float(FloatKind::Single)] => Some((32, InputKind::Float)),
        [Kind::Float(FloatKind::Double)] => Some((64, InputKind::Float)),
        _ => None,
    }
}

fn nondet(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let name = m.program.functions[call.function.index()].name.as_str();
    let suffix = name.strip_prefix("__VERIFIER_nondet_").unwrap_or(name);
    if suffix == "memory" {
        let size = m.concretize(state, call.arg(1), 64);
        if size > 0 {
            let spot = m.resolve_access(state, call.arg(0), size, Access::Write)?;
            let bytes = m.input(state, name, size as usize, InputKind::Bytes)?;
            m.write(state, spot, &bytes);
        }
        return Ok(Returned::Nothing);
    }
    let results = &m.program.signatures[call.signature.index()].results;
    let Some((bits, kind)) = nondet_kind(suffix).or_else(|| any_of(results)) else {
        return unsupported(format!("`{name}`, whose result is no number"));
    };
    let value = m.input_value(state, name, bits, kind)?;
    let wanted = results.first().map_or(bits, |kind| kind.bits() as u16);
    let mut term = value.term(&mut m.store, bits);
    if suffix == "bool" || suffix == "_Bool" {
        // A bool is 0 or 1, in whatever width it is passed.
        let one = m.store.bv(8, 1);
        let proper = m.store.bv_ule(term, one);
        m.confine(state, proper)?;
    }
    if wanted != bits {
        term = crate::arith::resize(&mut m.store, term, wanted);
    }
    Ok(Returned::Value(Value::of(&m.store, term)))
}

fn condition(m: &mut Machine<'_>, call: &Invocation<'_>) -> term::Term {
    let parameters = &m.program.signatures[call.signature.index()].parameters;
    let width = parameters.first().map_or(32, |p| p.kind.bits() as u16);
    let value = call.arg(0).term(&mut m.store, width);
    m.store.is_nonzero(value)
}

fn assume(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let condition = condition(m, call);
    m.only_if(state, condition)?;
    Ok(Returned::Nothing)
}

fn assert(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let condition = condition(m, call);
    m.require(
        state,
        condition,
        ErrorKind::Assert,
        "__VERIFIER_assert failed",
    )?;
    Ok(Returned::Nothing)
}

fn reach_error(_: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    error(ErrorKind::Assert, "an error location was reached")
}
