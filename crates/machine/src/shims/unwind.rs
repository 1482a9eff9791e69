//! What the unwinder of the runtime asks of the machine: the landing pads on the stack,
//! and to go to one of them. And the end of a program that nobody caught an exception of.

use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error};
use crate::state::State;
use crate::unwind::{ClauseKind, SearchedClause};
use crate::value::Value;
use program::Kind;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_next_clause" => next_clause,
        "__ep_unwind" => unwind,
        "__ep_uncaught" => uncaught,
        "__ep_terminate" => terminate,
        _ => return None,
    })
}

/// `int __ep_next_clause(struct ep_clause *at)`: moves on to the next clause, and gives
/// its kind, or 0 at the end.
fn next_clause(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let at = m.concretize(state, call.arg(0), 64);
    let word = Kind::Int(64);
    let frame = m.load(state, Value::word(at), word)?;
    let number = m.load(state, Value::word(at + 8), word)?;
    let (frame, number) = (
        m.concretize(state, frame, 64),
        m.concretize(state, number, 64),
    );
    let Some(clause) = m.next_clause(state, frame, number) else {
        return Ok(Returned::Value(Value::ZERO));
    };
    let SearchedClause {
        frame,
        number,
        kind,
    } = clause;
    let (code, type_info) = match kind {
        ClauseKind::Catch { type_info } => (1, type_info),
        ClauseKind::FilterType { type_info } => (2, type_info),
        ClauseKind::FilterEnd => (3, 0),
    };
    for (i, field) in [frame, number, type_info, kind.selector()]
        .into_iter()
        .enumerate()
    {
        m.store(
            state,
            Value::word(at + 8 * i as u64),
            word,
            Value::word(field),
        )?;
    }
    Ok(Returned::Value(Value::word(code)))
}

fn unwind(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    m.unwind(state, call.arg(0))?;
    Ok(Returned::Elsewhere)
}

fn uncaught(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    m.uncaught(state, call.arg(0))?;
    Ok(Returned::Nothing)
}

/// `void __ep_terminate(const char *type, const char *what)`: the default handler of
/// `std::terminate`. Without a type no exception was the reason.
fn terminate(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let text = |m: &mut Machine<'_>, state: &mut State, at: Value| match at {
        Value::ZERO => Ok(None),
        at => m.string(state, at).map(Some),
    };
    let Some(name) = text(m, state, call.arg(0))? else {
        return error(ErrorKind::Abort, "std::terminate was called");
    };
    let name = demangled_type(&name);
    error(
        ErrorKind::UncaughtException,
        match text(m, state, call.arg(1))? {
            Some(what) => format!("uncaught exception of type {name}: {what}"),
            None => format!("uncaught exception of type {name}"),
        },
    )
}

/// A type as C++ writes it, from the name that `typeid` gives.
fn demangled_type(name: &str) -> String {
    const PREFIX: &str = "typeinfo name for ";
    let symbol = cpp_demangle::Symbol::new(format!("_ZTS{name}"));
    let demangled = symbol.ok().map(|symbol| symbol.to_string());
    let type_name = demangled.as_deref().and_then(|it| it.strip_prefix(PREFIX));
    type_name.unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::demangled_type;

    #[test]
    fn the_type_of_an_exception_is_shown_as_c_plus_plus_writes_it() {
        assert_eq!(demangled_type("St13runtime_error"), "std::runtime_error");
        assert_eq!(demangled_type("i"), "int");
        assert_eq!(demangled_type("N3app5ErrorE"), "app::Error");
        assert_eq!(demangled_type("?"), "?");
    }
}
