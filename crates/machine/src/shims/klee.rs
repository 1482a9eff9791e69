//! KLEE's functions beyond inputs and assumptions: what a test should look like if it can,
//! which function a name stands for, whether a path forks, and what to tell the user.
//!
//! What they change is kept with the path that called them.

use crate::incomplete::Incomplete;
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::outcome::{ErrorKind, Halt, error, unsupported};
use crate::state::State;
use crate::value::width;
use mixed::solver::Answer;
use program::FunctionId;
use std::rc::Rc;
use term::Term;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "klee_prefer_cex" | "klee_posix_prefer_cex" => prefer,
        "klee_set_forking" => set_forking,
        "klee_alias_function" => alias,
        "klee_alias_function_undo" => undo_alias,
        "klee_open_merge" | "klee_close_merge" | "klee_merge" => merge,
        "klee_mark_global" => mark_global,
        "klee_define_fixed_object" => fixed_object,
        "klee_print_expr" => print_expression,
        "klee_print_range" => print_range,
        "klee_stack_trace" => stack_trace,
        _ => return None,
    })
}

/// What these functions changed on a path.
#[derive(Clone, Default)]
struct Called {
    preferences: Vec<Term>,
    forbids_forks: bool,
    aliases: Vec<(FunctionId, FunctionId)>,
}

impl Machine<'_> {
    /// Gives the path the inputs that it prefers, one preference after the other, each only
    /// if those before it still hold. What the solver does not decide is not preferred.
    pub(crate) fn prefer_inputs(&mut self, state: &mut State) {
        let Some(called) = state.marks.get::<Called>() else {
            return;
        };
        let mut all = self.store.bool(true);
        for preference in called.preferences.clone() {
            let with = self.store.and(all, preference);
            let answer = {
                let (path, model) = (&state.path, &state.model);
                if self.mixed.under(&self.store, model).holds(with) {
                    all = with;
                    continue;
                }
                self.mixed
                    .check_extended(&mut self.store, path, model, with)
            };
            if let Answer::Sat(model) = answer {
                state.model = Rc::new(model);
                all = with;
            }
        }
    }
}

/// Whether the path follows its model where it could fork.
pub(crate) fn forbids_forks(state: &State) -> bool {
    let called = state.marks.get::<Called>();
    called.is_some_and(|called| called.forbids_forks)
}

/// The function that is called where the program calls this one.
#[inline]
pub(crate) fn aliased(state: &State, function: FunctionId) -> FunctionId {
    let Some(called) = state.marks.get::<Called>() else {
        return function;
    };
    let alias = called.aliases.iter().find(|(from, _)| *from == function);
    alias.map_or(function, |&(_, to)| to)
}

fn prefer(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let condition = call.arg(1).term(&mut m.store, 64);
    let condition = m.store.is_nonzero(condition);
    if m.store.as_bool(condition).is_none() {
        state.marks.get_mut::<Called>().preferences.push(condition);
    }
    Ok(Returned::Nothing)
}

fn set_forking(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let enabled = m.concretize(state, call.arg(0), 32) != 0;
    if !enabled {
        // Whatever is decided until forking is allowed again is decided one way only.
        let (function, what) = ("klee_set_forking".into(), "conditions after it".into());
        m.incomplete(state, Incomplete::Concretized { function, what });
    }
    state.marks.get_mut::<Called>().forbids_forks = !enabled;
    Ok(Returned::Nothing)
}

fn alias(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let (from, to) = (m.string(state, call.arg(0))?, m.string(state, call.arg(1))?);
    let Some(target) = m.program.function(&to) else {
        let message = format!("klee_alias_function: there is no function `{to}`");
        return error(ErrorKind::BadCall, message);
    };
    // What nobody calls and nobody defines needs no other name.
    if let Some(function) = m.program.function(&from) {
        let aliases = &mut state.marks.get_mut::<Called>().aliases;
        aliases.retain(|(from, _)| *from != function);
        aliases.push((function, target));
    }
    Ok(Returned::Nothing)
}

fn undo_alias(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let name = m.string(state, call.arg(0))?;
    let function = m.program.function(&name);
    let aliases = &mut state.marks.get_mut::<Called>().aliases;
    aliases.retain(|(from, _)| Some(*from) != function);
    Ok(Returned::Nothing)
}

/// Paths are not merged, which changes how many there are and nothing that they do.
fn merge(m: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    m.note(
        "paths between klee_open_merge and klee_close_merge are followed one by one: \
         they are not merged",
    );
    Ok(Returned::Nothing)
}

/// What is marked is shared between the processes of a program, and there is one.
fn mark_global(_: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    Ok(Returned::Nothing)
}

fn fixed_object(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let address = m.concretize(state, call.arg(0), 64);
    let size = m.concretize(state, call.arg(1), 64);
    match state.memory.allocate_at(address, size) {
        Some(_) => Ok(Returned::Nothing),
        None => unsupported(format!(
            "klee_define_fixed_object: {size} bytes at {address:#x}, where another object is"
        )),
    }
}

fn print_expression(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let text = m.string(state, call.arg(0))?;
    let kinds = &m.program.signatures[call.signature.index()].parameters;
    let mut shown = Vec::new();
    for (&value, parameter) in call.args.iter().zip(kinds).skip(1) {
        let term = value.term(&mut m.store, width(parameter.kind));
        shown.push(term::print::infix::term(&m.store, term));
    }
    m.note(format!("{text}: {}", shown.join(", ")));
    Ok(Returned::Nothing)
}

fn print_range(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let text = m.string(state, call.arg(0))?;
    let term = call.arg(1).term(&mut m.store, 32);
    let shown = term::print::infix::term(&m.store, term);
    let example = m.example(state, call.arg(1), 32) as i32;
    m.note(format!("{text}: {shown}, for example {example}"));
    Ok(Returned::Nothing)
}

fn stack_trace(
    m: &mut Machine<'_>,
    state: &mut State,
    _: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let stack = state.stack().into_iter();
    let names = stack.map(|(function, _)| m.program.functions[function.index()].name.as_str());
    let names: Vec<&str> = names.collect();
    let trace = names.join(", called from ");
    m.note(format!("klee_stack_trace: {trace}"));
    Ok(Returned::Nothing)
}
