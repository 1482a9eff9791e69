//! The first call: what a program gets when it starts.

use crate::error::StartError;
use crate::machine::Machine;
use crate::memory::Region;
use crate::outcome::{End, Halt};
use crate::state::{Frame, InputKind, State};
use crate::value::Value;
use program::{FunctionId, Kind, Passing, Program, Shape, Source, TypeId};

/// What a program finds as its own name.
const NAME: &[u8] = b"program\0";
const POINTER: u64 = 8;

impl Machine<'_> {
    /// The frame of the entry function: `main` gets its name as the only
    /// argument, any other function inputs for its parameters.
    pub(crate) fn entry(
        &mut self,
        state: &mut State,
        entry: FunctionId,
    ) -> Result<Frame, StartError> {
        let function = &self.program.functions[entry.index()];
        let parameters = &self.program.signatures[function.signature.index()].parameters;
        let values = if function.name == "main" {
            self.command_line(state)?
        } else {
            self.inputs_for(state, entry)?
        };
        let mut frame = self.frame(entry);
        let body = self.body(entry);
        let body = body.ok_or_else(|| StartError::NoBody(function.name.clone()))?;
        for (i, value) in values.into_iter().enumerate().take(parameters.len()) {
            frame.registers[body.parameter(i).index()] = value;
        }
        Ok(frame)
    }

    /// `argc`, `argv` and `envp`. They are globals in all but name: they live
    /// as long as the program.
    fn command_line(&mut self, state: &mut State) -> Result<Vec<Value>, StartError> {
        let mut room = |size| {
            let address = state.memory.allocate(size, Region::Global, 0, 0);
            address.ok_or(StartError::TooManyGlobals)
        };
        let (name, arguments, environment) =
            (room(NAME.len() as u64)?, room(2 * POINTER)?, room(POINTER)?);
        for (i, &byte) in NAME.iter().enumerate() {
            state.memory.store(name + i as u64, 1, byte.into());
        }
        state.memory.store(arguments, POINTER as usize, name);
        Ok([1, arguments, environment].map(Value::word).to_vec())
    }

    fn inputs_for(
        &mut self,
        state: &mut State,
        entry: FunctionId,
    ) -> Result<Vec<Value>, StartError> {
        let inputs = entry_inputs(self.program, entry)?;
        let values = inputs.iter().map(|input| {
            let value = self.input_value(state, &input.name, input.width, input.kind);
            value.map_err(|stop| match stop {
                Halt::End(End::Error(_, message)) => StartError::InputRefused(message),
                Halt::End(_) | Halt::Yield => StartError::NoInput(input.name.clone()),
            })
        });
        values.collect()
    }
}

/// An input that the machine makes for a parameter of the entry function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryInput {
    /// The parameter's name, or `argument0` where it has none.
    pub name: String,
    /// Bits of the parameter; the input has as many bytes as they need.
    pub width: u16,
    /// What its bytes are.
    pub kind: InputKind,
}

/// The inputs for the parameters of an entry function that is not `main`, in
/// order.
///
/// # Errors
///
/// When a parameter is a pointer: what it points to is nobody's to guess.
pub fn entry_inputs(program: &Program, entry: FunctionId) -> Result<Vec<EntryInput>, StartError> {
    let function = &program.functions[entry.index()];
    let parameters = &program.signatures[function.signature.index()].parameters;
    let numbers = 0..parameters.len();
    numbers.map(|i| entry_input(program, entry, i)).collect()
}

/// The input for one parameter.
///
/// # Errors
///
/// When the parameter is a pointer.
pub fn entry_input(
    program: &Program,
    entry: FunctionId,
    i: usize,
) -> Result<EntryInput, StartError> {
    let function = &program.functions[entry.index()];
    let parameters = &program.signatures[function.signature.index()].parameters;
    let parameter = &parameters[i];
    let source = function.source.map(|id| program.source.function(id));
    let names = source.map_or(&[][..], |source| &source.parameters);
    // Where an object is passed in several pieces, the names do not tell which.
    let own = names.get(i).filter(|_| names.len() == parameters.len());
    let debug_type = own.and_then(|own| own.debug_type);
    let is_signed = debug_type.is_some_and(|id| is_signed_type(&program.source, id));
    let name = match own {
        Some(own) if !own.name.is_empty() => own.name.clone(),
        _ => format!("argument{i}"),
    };
    let kind = match parameter.kind {
        Kind::Float(_) => InputKind::Float,
        Kind::Int(_) if is_signed => InputKind::Signed,
        Kind::Int(_) => InputKind::Unsigned,
        Kind::Ptr
            if matches!(
                parameter.passing,
                Passing::ByValue { .. } | Passing::StructReturn { .. }
            ) =>
        {
            return Err(StartError::StructByValue(function.name.clone()));
        }
        Kind::Ptr => {
            return Err(StartError::PointerParameter {
                function: function.name.clone(),
                parameter: name,
            });
        }
    };
    let width = parameter.kind.bits() as u16;
    Ok(EntryInput { name, width, kind })
}

fn is_signed_type(source: &Source, id: TypeId) -> bool {
    let resolved = source.debug_type(source.resolved(id));
    matches!(
        resolved.shape,
        Shape::Integer { signed: true } | Shape::Character { signed: true }
    )
}
