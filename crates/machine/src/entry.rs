//! The first call: what a program gets when it starts.

use crate::environment::{Argument, PROGRAM_NAME, Variable};
use crate::error::StartError;
use crate::machine::Machine;
use crate::memory::Region;
use crate::outcome::{End, Halt};
use crate::pointers::Spot;
use crate::state::{Frame, InputKind, Phase, State};
use crate::value::Value;
use program::{Address, Base, FunctionId, Kind, Passing, Program, Shape, Source, TypeId};
use std::rc::Rc;
use term::Term;

const POINTER: u64 = 8;
/// The input that says how many arguments there are, as KLEE names it.
const N_ARGS: &str = "n_args";

/// Where the C library keeps the environment, under whatever name.
const ENVIRON: [&str; 3] = ["environ", "__environ", "_environ"];

impl Machine<'_> {
    /// The frame of the entry function. `main` gets its arguments when it begins, any
    /// other function inputs for its parameters.
    pub(crate) fn entry(
        &mut self,
        state: &mut State,
        entry: FunctionId,
    ) -> Result<Frame, StartError> {
        let function = &self.program.functions[entry.index()];
        if function.name == "main" {
            return Ok(self.frame(entry));
        }
        let values = self.inputs_for(state, entry)?;
        Ok(self.frame_of(entry, &values))
    }

    /// A frame with as many of the values as the function has parameters.
    fn frame_of(&self, function: FunctionId, values: &[Value]) -> Frame {
        let body = self.body(function).expect("the entry has a body");
        let mut frame = self.frame(function);
        for (i, &value) in values.iter().enumerate().take(body.parameters as usize) {
            frame.registers[body.parameter(i).index()] = value;
        }
        frame
    }

    /// Gives `main` its arguments and lets the program run, if it is about to start. A
    /// state that forks over the number of arguments comes here again.
    pub(crate) fn begin(&mut self, state: &mut State) -> Result<(), Halt> {
        match state.phase {
            Phase::Starting(_) => {}
            Phase::Planned => return self.begin_calls(state),
            _ => return Ok(()),
        }
        let arguments = self.arguments_of_main(state)?;
        let variables = self.variables_of_main(state)?;
        self.make_variables_symbolic(state)?;
        let values = self.command_line(state, &arguments, &variables)?;
        // It is the first of those to come, and the last to run. Constructors get the same.
        for frame in Rc::make_mut(&mut state.upcoming) {
            *frame = self.frame_of(FunctionId(frame.function), &values);
        }
        state.phase = Phase::Running;
        self.start_upcoming(state)?;
        // Others that differ in the number of arguments wait for their turn.
        match self.successors.running.is_empty() {
            true => Ok(()),
            false => Err(Halt::Yield),
        }
    }

    /// Starts the first of the calls that are planned.
    ///
    /// # Errors
    ///
    /// When the path ends there.
    pub fn begin_calls(&mut self, state: &mut State) -> Result<(), Halt> {
        state.phase = Phase::Called;
        self.start_upcoming(state).map(drop)
    }

    /// The arguments after the program's name, each with the zero that ends it. All
    /// numbers of arguments come first: a state that forks over one of them has made
    /// no other input that it would make again.
    fn arguments_of_main(&mut self, state: &mut State) -> Result<Vec<Vec<Term>>, Halt> {
        let specified = self.options.environment.arguments.clone();
        let mut numbers = Vec::new();
        for argument in &specified {
            if let Argument::Several { min, max, .. } = *argument {
                let open = numbers.iter().filter(|(_, is_open)| *is_open).count();
                let is_open = min < max;
                let number = match is_open {
                    true => self.number_of_arguments(state, open, min, max)?,
                    false => min,
                };
                numbers.push((number, is_open));
            }
        }
        let mut numbers = numbers.into_iter().map(|(number, _)| number);
        let mut made = Vec::new();
        let mut symbolic = 0;
        for argument in specified {
            let (number, length) = match argument {
                Argument::Concrete(mut bytes) => {
                    bytes.push(0);
                    made.push(self.constant_bytes(&bytes));
                    continue;
                }
                Argument::Symbolic(length) => (1, length),
                Argument::Several { length, .. } => (numbers.next().unwrap_or(0), length),
            };
            for _ in 0..number {
                let name = format!("arg{symbolic:02}");
                symbolic += 1;
                made.push(self.symbolic_string(state, &name, length)?);
            }
        }
        Ok(made)
    }

    /// The number of arguments of a group, which is the open one of this place.
    fn number_of_arguments(
        &mut self,
        state: &mut State,
        place: usize,
        min: u32,
        max: u32,
    ) -> Result<u32, Halt> {
        let term = match state.inputs.all().get(place) {
            Some(made) => {
                let bytes = made.bytes.iter().copied();
                let whole = bytes.reduce(|low, high| self.store.concat(high, low));
                whole.expect("a number has four bytes")
            }
            None => {
                let value = self.input_value(state, N_ARGS, 32, InputKind::Signed)?;
                let term = value.term(&mut self.store, 32);
                let (low, high) = (self.store.bv(32, min.into()), self.store.bv(32, max.into()));
                let (above, below) = (self.store.bv_ule(low, term), self.store.bv_ule(term, high));
                let inside = self.store.and(above, below);
                self.confine(state, inside)?;
                term
            }
        };
        let value = Value::of(&self.store, term);
        Ok(self.concretize(state, value, 32) as u32)
    }

    /// A string of at most so many characters, of any bytes; the last is zero.
    fn symbolic_string(
        &mut self,
        state: &mut State,
        name: &str,
        length: usize,
    ) -> Result<Vec<Term>, Halt> {
        let mut bytes = self.input(state, name, length + 1, InputKind::Bytes)?;
        bytes[length] = self.store.bv(8, 0);
        Ok(bytes)
    }

    fn constant_bytes(&mut self, bytes: &[u8]) -> Vec<Term> {
        let byte = |&byte: &u8| self.store.bv(8, byte.into());
        bytes.iter().map(byte).collect()
    }

    /// The environment variables, `NAME=value` with the zero that ends it.
    fn variables_of_main(&mut self, state: &mut State) -> Result<Vec<Vec<Term>>, Halt> {
        let mut made = Vec::new();
        for Variable { name, length } in self.options.environment.variables.clone() {
            let mut text = self.constant_bytes(format!("{name}=").as_bytes());
            text.extend(self.symbolic_string(state, &name, length)?);
            made.push(text);
        }
        Ok(made)
    }

    /// `argc`, `argv` and `envp`. They are globals in all but name: they live
    /// as long as the program.
    fn command_line(
        &mut self,
        state: &mut State,
        arguments: &[Vec<Term>],
        variables: &[Vec<Term>],
    ) -> Result<[Value; 3], Halt> {
        let name = self.constant_bytes(format!("{PROGRAM_NAME}\0").as_bytes());
        let mut strings = vec![self.global_bytes(state, &name)?];
        for argument in arguments {
            strings.push(self.global_bytes(state, argument)?);
        }
        let mut environment = Vec::new();
        for variable in variables {
            environment.push(self.global_bytes(state, variable)?);
        }
        let argv = self.global_pointers(state, &strings)?;
        let envp = self.global_pointers(state, &environment)?;
        for name in ENVIRON {
            if let Some(global) = self.program.global(name) {
                let base = Base::Global(global);
                let at = self.image.address(Address { base, offset: 0 });
                state.memory.store(at, POINTER as usize, envp);
            }
        }
        Ok([strings.len() as u64, argv, envp].map(Value::word))
    }

    /// A new global of these bytes.
    fn global_bytes(&mut self, state: &mut State, bytes: &[Term]) -> Result<u64, Halt> {
        let address = self.allocate(state, bytes.len() as u64, Region::Global)?;
        self.write(state, Spot::At(state.memory.id_of(address), 0), bytes);
        Ok(address)
    }

    /// A new global of pointers, with null after the last.
    fn global_pointers(&mut self, state: &mut State, pointers: &[u64]) -> Result<u64, Halt> {
        let size = POINTER * (pointers.len() as u64 + 1);
        let address = self.allocate(state, size, Region::Global)?;
        for (i, &pointer) in pointers.iter().enumerate() {
            let at = address + POINTER * i as u64;
            state.memory.store(at, POINTER as usize, pointer);
        }
        Ok(address)
    }

    fn inputs_for(
        &mut self,
        state: &mut State,
        entry: FunctionId,
    ) -> Result<Vec<Value>, StartError> {
        let refused = |name: &str, halt| match halt {
            Halt::End(End::Error(_, message)) => StartError::InputRefused(message),
            Halt::End(_) | Halt::Yield => StartError::NoInput(name.to_owned()),
        };
        self.make_variables_symbolic(state)
            .map_err(|halt| refused("a variable", halt))?;
        let inputs = entry_inputs(self.program, entry)?;
        let values = inputs.iter().map(|input| {
            let value = self.input_value(state, &input.name, input.width, input.kind);
            value.map_err(|halt| refused(&input.name, halt))
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
