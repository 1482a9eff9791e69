//! What a method is called with beside its objects.
//!
//! A pointer to a structure is an object of a suite. Everything else is made here: numbers
//! are inputs, a pointer to numbers leads to memory of its own that is an input, a text ends
//! with a zero, a `void *` is a value to be passed on, a structure by value is an input as a
//! whole, a pointer to a pointer leads to room for one, and a result that is too large for a
//! register gets room.

use super::describe::{is_plain, pointed_structure};
use super::functions::own_functions_of_type;
use super::initialise::leads_to;
use super::layout::{Functions, LAST_TOKEN};
use super::lazy::lazy_mut;
use super::plan::Planning;
use super::{Calls, OtherMemory, Staged, shown_name};
use machine::{Allocator, Incomplete, InputKind, Machine, Region, Spot, State, Value, entry_input};
use program::{FunctionId, Kind, Passing, Program, Shape, TypeId};
use std::rc::Rc;

/// Characters of a text that a method takes, without the zero.
const TEXT: u64 = 4;

/// What a result that is too large for a register is called.
const RESULT: &str = "result";

/// One parameter of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parameter {
    /// A pointer to an object of this type.
    Object(String),
    /// A number.
    Number,
    /// A pointer to memory of so many bytes.
    Memory(u64),
    /// A pointer to a text.
    Text,
    /// A pointer to nobody knows what.
    Token,
    /// A pointer to a pointer, which is null.
    Place,
    /// A pointer to a pointer to nobody knows what.
    TokenPlace,
    /// A pointer to one of these functions.
    Function(Vec<FunctionId>),
    /// A structure of so many bytes, in memory.
    Copy(u64),
    /// Where a result of so many bytes goes.
    Result(u64),
}

/// The parameters of a function, in order.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn parameters_of(
    program: &Program,
    function: FunctionId,
) -> Result<Vec<Parameter>, ParameterError> {
    let function = &program.functions[function.index()];
    let name = &function.name;
    let parameters = &program.signatures[function.signature.index()].parameters;
    let source = function.source.map(|id| program.source.function(id));
    let own = source.map_or(&[][..], |source| &source.parameters);
    // The place for a result is none of the source's parameters.
    let is_result = |passing: &Passing| matches!(passing, Passing::StructReturn { .. });
    let results = parameters
        .iter()
        .filter(|it| is_result(&it.passing))
        .count();
    let has_pointers = parameters.iter().any(|it| it.kind == Kind::Ptr);
    if has_pointers && own.is_empty() && results < parameters.len() {
        return Err(ParameterError::NoDebugInformation(name.clone()));
    }
    if has_pointers && own.len() + results != parameters.len() {
        return Err(ParameterError::InPieces(name.clone()));
    }
    let mut told = own.iter();
    let mut found = Vec::new();
    for parameter in parameters {
        if let Passing::StructReturn { size } = parameter.passing {
            found.push(Parameter::Result(size));
            continue;
        }
        let own = told.next();
        found.push(match (parameter.kind, &parameter.passing) {
            (Kind::Ptr, Passing::ByValue { size, .. }) => {
                let id = own.and_then(|own| own.debug_type);
                if !id.is_some_and(|id| is_plain(program, id)) {
                    return Err(ParameterError::StructByValue(name.clone()));
                }
                Parameter::Copy(*size)
            }
            (Kind::Ptr, _) => {
                let id = own.and_then(|own| own.debug_type);
                let pointer = id.and_then(|id| pointer(program, id));
                pointer.ok_or_else(|| ParameterError::NotMade {
                    function: name.clone(),
                    parameter: own.map(|own| own.name.clone()).unwrap_or_default(),
                })?
            }
            _ => Parameter::Number,
        });
    }
    Ok(found)
}

/// Whether functions of two programs are called and return in the same way.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn are_alike(
    (one, function): (&Program, FunctionId),
    (other, counterpart): (&Program, FunctionId),
) -> Result<bool, ParameterError> {
    let results = |program: &Program, id: FunctionId| {
        let signature = program.functions[id.index()].signature;
        program.signatures[signature.index()].results.clone()
    };
    let taken = |program: &Program, id: FunctionId| {
        let signature = program.functions[id.index()].signature;
        let parameters = &program.signatures[signature.index()].parameters;
        let kinds = parameters.iter().map(|it| it.kind);
        let made = parameters_of(program, id)?.into_iter().map(|it| match it {
            // Which functions there are is no matter of the type.
            Parameter::Function(_) => Parameter::Function(Vec::new()),
            other => other,
        });
        Ok::<Vec<(Kind, Parameter)>, ParameterError>(kinds.zip(made).collect())
    };
    Ok(results(one, function) == results(other, counterpart)
        && taken(one, function)? == taken(other, counterpart)?)
}

/// The pointers to structures among a function's parameters: position and the
/// structure's name.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn staged_parameters(
    program: &Program,
    function: FunctionId,
) -> Result<Vec<(usize, String)>, ParameterError> {
    let all = parameters_of(program, function)?.into_iter().enumerate();
    let objects = all.filter_map(|(number, parameter)| match parameter {
        Parameter::Object(name) => Some((number, name)),
        _ => None,
    });
    Ok(objects.collect())
}

/// The texts among a function's parameters, by their numbers.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn text_parameters(
    program: &Program,
    function: FunctionId,
) -> Result<Vec<usize>, ParameterError> {
    let all = parameters_of(program, function)?.into_iter().enumerate();
    let texts = all.filter(|(_, parameter)| *parameter == Parameter::Text);
    Ok(texts.map(|(number, _)| number).collect())
}

/// Whether a function takes a pointer to a structure, whatever else it takes.
pub fn takes(program: &Program, function: FunctionId, structure: &str) -> bool {
    let source = program.functions[function.index()].source;
    let own = source.map(|id| &program.source.function(id).parameters);
    let mut types = own.into_iter().flatten().filter_map(|it| it.debug_type);
    types.any(|id| pointed_structure(&program.source, id).is_some_and(|it| it == structure))
}

/// What a pointer of this type is given.
fn pointer(program: &Program, id: TypeId) -> Option<Parameter> {
    let source = &program.source;
    if let Some(structure) = pointed_structure(source, id) {
        return Some(Parameter::Object(structure));
    }
    let own = source.debug_type(source.resolved(id));
    let (Shape::Pointer(to) | Shape::Reference(to)) = own.shape else {
        return None;
    };
    let Some(to) = to else {
        return Some(Parameter::Token);
    };
    let to = source.debug_type(source.resolved(to));
    match to.shape {
        Shape::Character { .. } if to.name == "char" => Some(Parameter::Text),
        Shape::Bool
        | Shape::Integer { .. }
        | Shape::Character { .. }
        | Shape::Float
        | Shape::Enum { .. } => Some(Parameter::Memory(to.bits.div_ceil(8))),
        Shape::Pointer(None) => Some(Parameter::TokenPlace),
        Shape::Pointer(Some(_)) => Some(Parameter::Place),
        Shape::Function { .. } => {
            let functions = own_functions_of_type(program, &own.name);
            (!functions.is_empty()).then_some(Parameter::Function(functions))
        }
        _ => None,
    }
}

impl Staged<'_> {
    /// A parameter that is no object, made.
    pub(super) fn made_parameter(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        (method, number): (FunctionId, usize),
        parameter: &Parameter,
    ) -> Result<Value, Planning> {
        let name = parameter_name(machine.program, method, number);
        let own = (&*name, number);
        match parameter {
            Parameter::Function(functions) => {
                let pointer = machine.input_value(state, &name, 64, InputKind::Unsigned)?;
                let term = pointer.term(&mut machine.store, 64);
                let functions = Functions::Known(functions.clone());
                let leads = leads_to(machine, &functions, term, false);
                machine.confine(state, leads)?;
                Ok(pointer)
            }
            Parameter::Object(_) | Parameter::Number => {
                let input = entry_input(machine.program, method, number)?;
                Ok(machine.input_value(state, &input.name, input.width, input.kind)?)
            }
            Parameter::Token => self.token(machine, state, &name),
            Parameter::Place => {
                // What else it could be is not looked at, and whoever relies on all of it
                // has to know.
                let function = shown_name(machine.program, method);
                let member = format!("*{name} of {function}").into();
                machine.incomplete(state, Incomplete::OnlyNull { member });
                let address = self.room(machine, state, own, 8)?;
                machine.store(state, Value::word(address), Kind::Ptr, Value::ZERO)?;
                Ok(Value::word(address))
            }
            Parameter::TokenPlace => {
                let token = self.token(machine, state, &name)?;
                let address = self.room(machine, state, own, 8)?;
                machine.store(state, Value::word(address), Kind::Ptr, token)?;
                Ok(Value::word(address))
            }
            Parameter::Memory(size) | Parameter::Copy(size) => {
                let (address, _) = self.filled(machine, state, own, *size)?;
                Ok(Value::word(address))
            }
            Parameter::Text => {
                if let Some(size) = self.text_room(number) {
                    let address = self.room(machine, state, own, size)?;
                    return Ok(Value::word(address));
                }
                let (address, last) = self.filled(machine, state, own, TEXT + 1)?;
                let is_set = machine.store.is_nonzero(last);
                let ends = machine.store.not(is_set);
                machine.confine(state, ends)?;
                Ok(Value::word(address))
            }
            Parameter::Result(size) => {
                let address = self.room(machine, state, (RESULT, number), *size)?;
                Ok(Value::word(address))
            }
        }
    }

    /// An input that stands for something that cannot be looked at.
    fn token(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        name: &str,
    ) -> Result<Value, Planning> {
        let token = machine.input_value(state, name, 64, InputKind::Unsigned)?;
        let term = token.term(&mut machine.store, 64);
        let last = machine.store.bv(64, LAST_TOKEN as u64);
        let known = machine.store.bv_ule(term, last);
        machine.confine(state, known)?;
        lazy_mut(state).add_token(&machine.store, term, name);
        Ok(token)
    }

    /// Memory that a parameter points to.
    fn room(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        (name, parameter): (&str, usize),
        size: u64,
    ) -> Result<u64, Planning> {
        let address = machine.allocate(state, size, Region::Heap(Allocator::Any))?;
        let memories = &mut state.marks.get_mut::<Calls>().memories;
        Rc::make_mut(memories).push(OtherMemory {
            name: name.to_owned(),
            parameter,
            address,
            size,
        });
        Ok(address)
    }

    /// Memory that is an input: its address and its last byte.
    fn filled(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: (&str, usize),
        size: u64,
    ) -> Result<(u64, term::Term), Planning> {
        let address = self.room(machine, state, own, size)?;
        let bytes = machine.input(state, own.0, size as usize, InputKind::Bytes)?;
        let spot = Spot::At(state.memory.id_of(address), 0);
        machine.write(state, spot, &bytes);
        let last = *bytes.last().expect("there is at least one byte");
        Ok((address, last))
    }
}

/// A parameter's name in the source, where each of them has one.
fn parameter_name(program: &Program, method: FunctionId, number: usize) -> String {
    let function = &program.functions[method.index()];
    let count = program.signatures[function.signature.index()]
        .parameters
        .len();
    let source = function.source.map(|id| program.source.function(id));
    let own = source.map_or(&[][..], |source| &source.parameters);
    let first = count - own.len().min(count);
    let own = number.checked_sub(first).and_then(|number| own.get(number));
    match own {
        Some(own) if !own.name.is_empty() => own.name.clone(),
        _ => format!("argument{number}"),
    }
}

/// Why the pointers of a function cannot be given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// An object with pointers is copied into the call.
    #[error("`{0}` takes a structure with pointers by value")]
    StructByValue(String),
    /// There are other parameters in the code than in the source.
    #[error("`{0}` takes or returns a structure by value, or a slice")]
    InPieces(String),
    /// Nothing tells where the pointers lead.
    #[error("the debug information does not tell the parameters of `{0}`; compile it with -g")]
    NoDebugInformation(String),
    /// A pointer leads to something that is not made.
    #[error("what the parameter `{parameter}` of `{function}` points to cannot be made")]
    NotMade {
        /// The function.
        function: String,
        /// Its parameter.
        parameter: String,
    },
}
