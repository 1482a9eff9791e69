//! `operator new` and `operator delete`, in all their forms.
//!
//! A program may define some of them itself. The forms for arrays and those that do not
//! throw are then expressed by the program's own, as the standard has it. Memory is given
//! back by the counterpart of what it came from, or that is an error.

use super::alloc::{self, Request};
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::memory::Allocator;
use crate::outcome::{ErrorKind, Halt, error};
use crate::state::State;
use crate::value::Value;
use program::FunctionId;

/// What the runtime's C++ does where there is no memory: it calls the handler that the
/// program set, or throws.
const FAILED: &str = "__ep_new_failed";

pub(super) fn find(name: &str) -> Option<Shim> {
    match name {
        "__ep_new" => Some(allocate),
        _ if Form::of_new(name).is_some() => Some(new),
        _ if Form::of_delete(name).is_some() => Some(delete),
        _ => None,
    }
}

/// Which of the forms an operator is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Form {
    array: bool,
    /// Takes the size of what is deleted.
    sized: bool,
    aligned: bool,
    nothrow: bool,
}

impl Form {
    fn of_new(name: &str) -> Option<Form> {
        let rest = name.strip_prefix("_Zn")?;
        let (array, rest) = match rest.strip_prefix('w') {
            Some(rest) => (false, rest),
            None => (true, rest.strip_prefix('a')?),
        };
        Form::tail(array, false, rest.strip_prefix('m')?)
    }

    fn of_delete(name: &str) -> Option<Form> {
        let rest = name.strip_prefix("_Zd")?;
        let (array, rest) = match rest.strip_prefix('l') {
            Some(rest) => (false, rest),
            None => (true, rest.strip_prefix('a')?),
        };
        let rest = rest.strip_prefix("Pv")?;
        match rest.strip_prefix('m') {
            Some(rest) => Form::tail(array, true, rest),
            None => Form::tail(array, false, rest),
        }
    }

    fn tail(array: bool, sized: bool, rest: &str) -> Option<Form> {
        let (aligned, rest) = match rest.strip_prefix("St11align_val_t") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let nothrow = match rest {
            "" => false,
            "RKSt9nothrow_t" => true,
            _ => return None,
        };
        Some(Form {
            array,
            sized,
            aligned,
            nothrow,
        })
    }

    fn new_name(self) -> String {
        let letter = if self.array { 'a' } else { 'w' };
        format!("_Zn{letter}m{}", self.tail_name())
    }

    fn delete_name(self) -> String {
        let letter = if self.array { 'a' } else { 'l' };
        let size = if self.sized { "m" } else { "" };
        format!("_Zd{letter}Pv{size}{}", self.tail_name())
    }

    fn tail_name(self) -> String {
        let align = if self.aligned { "St11align_val_t" } else { "" };
        let nothrow = if self.nothrow { "RKSt9nothrow_t" } else { "" };
        format!("{align}{nothrow}")
    }

    /// The forms that this one is expressed by, the nearest first.
    fn simpler(self) -> impl Iterator<Item = Form> {
        let plain = Form {
            nothrow: false,
            sized: false,
            ..self
        };
        let scalar = Form {
            array: false,
            ..plain
        };
        [plain, scalar].into_iter().filter(move |&it| it != self)
    }

    fn allocator(self) -> Allocator {
        match self.array {
            true => Allocator::NewArray,
            false => Allocator::New,
        }
    }
}

fn new(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let form = Form::of_new(called(m, call)).expect("the name was looked up before");
    if let Some((function, aligned)) = own(m, form.simpler().map(|it| (it.new_name(), it.aligned)))
    {
        let count = 1 + usize::from(aligned);
        return enter(
            m,
            state,
            function,
            &call.args[..count.min(call.args.len())],
            call,
        );
    }
    let again = m
        .program
        .function(FAILED)
        .filter(|&it| m.body(it).is_some());
    let may_fail = form.nothrow || again.is_some();
    let alignment = match form.aligned {
        true => m.concretize(state, call.arg(1), 64),
        false => 1,
    };
    let request = Request {
        bytes: call.arg(0),
        alignment,
        allocator: form.allocator(),
        may_fail,
    };
    let made = alloc::allocate(m, state, &request)?;
    match (made, again) {
        (Value::ZERO, _) if form.nothrow => Ok(Returned::Value(Value::ZERO)),
        (Value::ZERO, Some(again)) => {
            let args = [call.arg(0), Value::word(form.array.into())];
            enter(m, state, again, &args, call)
        }
        // Nothing in the program could catch it.
        (Value::ZERO, None) => error(
            ErrorKind::UncaughtException,
            "uncaught exception of type std::bad_alloc: std::bad_alloc",
        ),
        (made, _) => Ok(Returned::Value(made)),
    }
}

/// `void *__ep_new(size_t size, int array)`: memory of `new`, or null.
fn allocate(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let allocator = match call.arg(1) {
        Value::ZERO => Allocator::New,
        _ => Allocator::NewArray,
    };
    let request = Request {
        bytes: call.arg(0),
        alignment: 1,
        allocator,
        may_fail: true,
    };
    alloc::allocate(m, state, &request).map(Returned::Value)
}

fn delete(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let form = Form::of_delete(called(m, call)).expect("the name was looked up before");
    if let Some((function, aligned)) =
        own(m, form.simpler().map(|it| (it.delete_name(), it.aligned)))
    {
        let mut args = vec![call.arg(0)];
        if aligned {
            args.push(call.arg(1 + usize::from(form.sized)));
        }
        return enter(m, state, function, &args, call);
    }
    alloc::release(m, state, call.arg(0), form.allocator())
}

fn called<'p>(m: &Machine<'p>, call: &Invocation<'_>) -> &'p str {
    &m.program.functions[call.function.index()].name
}

/// The first of these that the program defines.
fn own(
    m: &Machine<'_>,
    mut names: impl Iterator<Item = (String, bool)>,
) -> Option<(FunctionId, bool)> {
    names.find_map(|(name, aligned)| {
        let function = m.program.function(&name)?;
        m.body(function).map(|_| (function, aligned))
    })
}

/// Calls a function of the program in the place of the shim.
fn enter(
    m: &mut Machine<'_>,
    state: &mut State,
    function: FunctionId,
    args: &[Value],
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let signature = m.program.functions[function.index()].signature;
    state.frame.pc += 1;
    m.enter(state, function, args, call.dst, signature)?;
    Ok(Returned::Elsewhere)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_are_told_by_their_names_and_named_again() {
        for name in ["_Znwm", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_t"] {
            let form = Form::of_new(name).expect("it is a form");
            assert_eq!(form.new_name(), name);
        }
        for name in [
            "_ZdlPv",
            "_ZdaPvm",
            "_ZdaPvmSt11align_val_t",
            "_ZdlPvRKSt9nothrow_t",
        ] {
            let form = Form::of_delete(name).expect("it is a form");
            assert_eq!(form.delete_name(), name);
        }
        // Placement forms allocate nothing and are no functions of a library.
        assert_eq!(Form::of_new("_ZnwmPv"), None);
        assert_eq!(Form::of_delete("_ZdlPvS_"), None);
    }
}
