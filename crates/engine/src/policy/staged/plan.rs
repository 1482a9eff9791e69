//! The calls of a method and of what has to hold before and after it, planned one after the
//! other with the objects and inputs they get.

use super::lazy::objects;
use super::parameters::{Parameter, ParameterError};
use super::{Calls, Meaning, Role, Staged};
use machine::{End, Frame, Halt, Machine, Memory, Phase, StartError, State, Value};
use program::{FunctionId, Kind, Program};
use std::rc::Rc;

/// A call to make when the one before has returned.
#[derive(Clone)]
struct Planned {
    frame: Frame,
    meaning: Meaning,
}

impl From<Frame> for Planned {
    fn from(frame: Frame) -> Planned {
        Planned {
            frame,
            meaning: Meaning::default(),
        }
    }
}

impl Staged<'_> {
    /// A state about to make the first of the calls. Others may have split off from it.
    ///
    /// # Errors
    ///
    /// When functions and objects do not fit together.
    pub fn start(
        &self,
        machine: &mut Machine<'_>,
        memory: Memory,
    ) -> Result<(State, State), CallError> {
        for note in self.notes.take() {
            machine.note(note);
        }
        let begun = self.plan(machine, memory).and_then(|planned| {
            let mut first = planned.clone();
            machine.begin_calls(&mut first)?;
            Ok((planned, first))
        });
        begun.map_err(|stop| match stop {
            Planning::Wrong(error) => error,
            Planning::Stopped(Halt::End(End::Error(_, message))) => CallError::Ended(message),
            Planning::Stopped(_) => CallError::NoSolution,
        })
    }

    /// The state with all calls ahead of it.
    fn plan(&self, machine: &mut Machine<'_>, memory: Memory) -> Result<State, Planning> {
        let staging = &self.staging;
        let mut state = machine.state(memory);
        state.phase = Phase::Planned;
        let mut roots = Vec::new();
        for (number, argument) in staging.arguments.iter().enumerate() {
            // There is room for the largest; which it is, is decided when its turn comes.
            let forms = self.forms(argument).into_iter().map(|it| self.layout(&it));
            let layout = forms.max_by_key(|layout| layout.size);
            let layout = layout.unwrap_or_else(|| self.layout(&argument.type_name));
            let root = self.lazy_object(machine, &mut state, number, layout)?;
            roots.push(Value::word(objects(&state).address(root)));
        }
        let mut calls = Vec::new();
        let constructors = machine.program.constructors.iter();
        for structor in constructors.filter(|structor| machine.body(structor.function).is_some()) {
            calls.push(Planned::from(machine.frame(structor.function)));
        }
        for (number, argument) in staging.arguments.iter().enumerate() {
            let role = Role::Invariant(number);
            calls.push(predicate(
                machine,
                argument.invariant,
                &[roots[number]],
                role,
            )?);
        }
        for precondition in &staging.preconditions {
            let given = precondition.arguments.iter();
            let given: Vec<Value> = given.map(|&number| roots[number]).collect();
            let role = Role::Precondition;
            calls.push(predicate(machine, precondition.function, &given, role)?);
        }
        if let Some(method) = staging.method {
            let given = self.method_arguments(machine, &mut state, method, &roots)?;
            let mut call = Planned::from(machine.frame_with(method, &given)?);
            call.meaning.role = Role::Method;
            calls.push(call);
            let ensured = staging.arguments.iter().zip(&roots).enumerate();
            let ensured = ensured.filter(|(number, _)| staging.ensures(*number));
            for (number, (argument, &root)) in ensured {
                let role = Role::Ensured(number);
                calls.push(predicate(machine, argument.invariant, &[root], role)?);
            }
            if let Some(function) = staging.postcondition.filter(|_| !staging.ends) {
                calls.push(postcondition(machine, function, method, given)?);
            }
        }
        calls.reverse();
        let upcoming = calls.iter().map(|call| call.meaning).collect();
        state.marks.get_mut::<Calls>().upcoming = Rc::new(upcoming);
        state.upcoming = Rc::new(calls.into_iter().map(|call| call.frame).collect());
        Ok(state)
    }

    /// The staged objects for a method's pointers, in order, and inputs for its
    /// other parameters.
    fn method_arguments(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        method: FunctionId,
        roots: &[Value],
    ) -> Result<Vec<Value>, Planning> {
        let program = machine.program;
        let name = &program.functions[method.index()].name;
        let types = self.staging.types();
        let all = self.staging.parameters(program, method)?;
        let wanted = all.iter().filter_map(|parameter| match parameter {
            Parameter::Object(name) => Some(&**name),
            _ => None,
        });
        let wanted: Vec<&str> = wanted.collect();
        if types != wanted {
            return Err(Planning::Wrong(CallError::OtherObjects {
                method: name.clone(),
                wanted: listed(&wanted),
                given: listed(&types),
            }));
        }
        let mut roots = roots.iter();
        let mut values = Vec::new();
        for (number, parameter) in all.iter().enumerate() {
            match parameter {
                Parameter::Object(_) => values.extend(roots.next()),
                other => {
                    let place = (method, number);
                    values.push(self.made_parameter(machine, state, place, other)?);
                }
            }
        }
        Ok(values)
    }
}

/// A call of a function that tells whether something holds.
fn predicate(
    machine: &Machine<'_>,
    function: FunctionId,
    given: &[Value],
    role: Role,
) -> Result<Planned, CallError> {
    let name = &machine.program.functions[function.index()].name;
    let signature = machine.program.functions[function.index()].signature;
    let results = &machine.program.signatures[signature.index()].results;
    if !matches!(results[..], [Kind::Int(_)]) {
        return Err(CallError::NoTruthValue(name.clone()));
    }
    let mut call = Planned::from(machine.frame_with(function, given)?);
    call.meaning.role = role;
    Ok(call)
}

fn postcondition(
    machine: &Machine<'_>,
    function: FunctionId,
    method: FunctionId,
    mut given: Vec<Value>,
) -> Result<Planned, CallError> {
    let taken = parameters(machine.program, function);
    let called = machine.program.functions[method.index()].signature;
    let results = &machine.program.signatures[called.index()].results;
    let takes_result = taken == given.len() + 1 && results.len() == 1;
    if takes_result {
        given.push(Value::ZERO);
    }
    let mut call = predicate(machine, function, &given, Role::Postcondition)?;
    if takes_result {
        let name = &machine.program.functions[function.index()].name;
        let body = machine.body(function);
        let body = body.ok_or_else(|| StartError::NoBody(name.clone()))?;
        call.meaning.result = Some(body.parameter(taken - 1));
    }
    Ok(call)
}

fn parameters(program: &Program, function: FunctionId) -> usize {
    let signature = program.functions[function.index()].signature;
    program.signatures[signature.index()].parameters.len()
}

/// Why the calls of a method and its conditions cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CallError {
    /// A function cannot be called so.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The method's pointers are none to staged objects.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An invariant or a condition says neither yes nor no.
    #[error("`{0}` does not return a truth value")]
    NoTruthValue(String),
    /// The method is for objects of other types.
    #[error("`{method}` takes pointers to {wanted}, and the objects are of {given}")]
    OtherObjects {
        /// The method.
        method: String,
        /// The types it takes.
        wanted: String,
        /// The types there are.
        given: String,
    },
    /// The path ended with an error before its first call.
    #[error("{0}")]
    Ended(String),
    /// Every path was dropped before its first call.
    #[error("no solution of the suites fits this program")]
    NoSolution,
}

/// Why the calls could not be planned.
pub(super) enum Planning {
    Wrong(CallError),
    Stopped(Halt),
}

impl From<CallError> for Planning {
    fn from(error: CallError) -> Planning {
        Planning::Wrong(error)
    }
}

impl From<StartError> for Planning {
    fn from(error: StartError) -> Planning {
        Planning::Wrong(error.into())
    }
}

impl From<ParameterError> for Planning {
    fn from(error: ParameterError) -> Planning {
        Planning::Wrong(error.into())
    }
}

impl From<Halt> for Planning {
    fn from(stop: Halt) -> Planning {
        Planning::Stopped(stop)
    }
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        names => names.join(", "),
    }
}
