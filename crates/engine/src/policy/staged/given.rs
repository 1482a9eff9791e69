//! What a method is called with beside its objects, made.
//!
//! A pointer to a structure is an object of a suite. Everything else is made here: numbers
//! are inputs, a pointer to numbers leads to memory of its own that is an input, a text ends
//! with a zero, a `void *` is a value to be passed on, a structure by value is an input as a
//! whole, a pointer to a pointer leads to room for one, and a result that is too large for a
//! register gets room.

use super::containers::{pointed, slice};
use super::describe::taken_apart;
use super::initialise::leads_to;
use super::layout::{Functions, LAST_TOKEN, SlotKind};
use super::lazy::lazy_mut;
use super::lengths::is_utf8;
use super::parameters::{Parameter, parameters_of};
use super::plain::plain_choice;
use super::plan::Planning;
use super::{Calls, OtherMemory, Staged, shown_name};
use machine::{Allocator, Incomplete, InputKind, Machine, Region, Spot, State, Value, entry_input};
use program::{FunctionId, Kind, Program, SourceParameter};
use std::rc::Rc;
use term::{Store, Term};

/// Characters of a text that a method takes, without the zero, and elements of a slice.
const TEXT: u64 = 4;

/// Bytes of a `std::string` of libc++.
const STRING: u64 = 24;

/// What a result that is too large for a register is called.
const RESULT: &str = "result";

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
            Parameter::Object(_) | Parameter::Plain(..) | Parameter::Number => {
                let input = entry_input(machine.program, method, number)?;
                let value = machine.input_value(state, &name, input.width, input.kind)?;
                confine_members(machine, state, (method, number), &last_input(state))?;
                Ok(value)
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
                let (address, bytes) = self.filled(machine, state, own, *size)?;
                confine_members(machine, state, (method, number), &bytes)?;
                Ok(Value::word(address))
            }
            Parameter::Part { size, at } => {
                if *at == 0 {
                    let whole = machine.input(state, &name, *size as usize, InputKind::Bytes)?;
                    confine_members(machine, state, (method, number), &whole)?;
                }
                let bits = register(machine.program, method, number).bits() as u16;
                let whole = last_input(state);
                let own = whole[*at as usize..].iter().copied();
                let own = own.reduce(|low, high| machine.store.concat(high, low));
                let own = own.expect("a register has at least one byte");
                // What there is no room for in the structure is not told.
                let all = machine.store.zext(own, machine.store.width(own).max(bits));
                let term = machine.store.extract(all, 0, bits);
                Ok(Value::of(&machine.store, term))
            }
            Parameter::String => {
                let (address, bytes) = self.filled(machine, state, own, STRING)?;
                let is_text = is_short_text(&mut machine.store, &bytes);
                machine.confine(state, is_text)?;
                Ok(Value::word(address))
            }
            Parameter::Slice { element, .. } => {
                let (address, _) = self.filled(machine, state, own, TEXT * element)?;
                Ok(Value::word(address))
            }
            Parameter::Count => {
                let bytes = last_input(state);
                let count = machine.input_value(state, &name, 64, InputKind::Unsigned)?;
                let term = count.term(&mut machine.store, 64);
                let most = machine.store.bv(64, TEXT);
                let within = machine.store.bv_ule(term, most);
                machine.confine(state, within)?;
                if bytes.len() as u64 == TEXT && is_text_slice(machine.program, method, number) {
                    let is_text = is_utf8(&mut machine.store, &bytes, term);
                    machine.confine(state, is_text)?;
                }
                Ok(count)
            }
            Parameter::Text => {
                if let Some(size) = self.text_room(number) {
                    let address = self.room(machine, state, own, size)?;
                    return Ok(Value::word(address));
                }
                let (address, bytes) = self.filled(machine, state, own, TEXT + 1)?;
                let is_set = machine.store.is_nonzero(bytes[TEXT as usize]);
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

    /// Memory that is an input: its address and its bytes.
    fn filled(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: (&str, usize),
        size: u64,
    ) -> Result<(u64, Vec<Term>), Planning> {
        let address = self.room(machine, state, own, size)?;
        let bytes = machine.input(state, own.0, size as usize, InputKind::Bytes)?;
        let spot = Spot::At(state.memory.id_of(address), 0);
        machine.write(state, spot, &bytes);
        Ok((address, bytes))
    }
}

/// The bytes of the input that was made last.
fn last_input(state: &State) -> Rc<[Term]> {
    let all = state.inputs.all();
    all.last()
        .map_or_else(Rc::default, |input| input.bytes.clone())
}

/// Has truth values, and what else has not all values that there is room for, in what a parameter
/// is, or leads to, be such.
fn confine_members(
    machine: &mut Machine<'_>,
    state: &mut State,
    (method, number): (FunctionId, usize),
    bytes: &[Term],
) -> Result<(), Planning> {
    let program = machine.program;
    let Some(id) = source_parameter(program, method, number).and_then(|own| own.debug_type) else {
        return Ok(());
    };
    let id = pointed(&program.source, id).unwrap_or(id);
    let Ok(layout) = taken_apart(program, "", id) else {
        return Ok(());
    };
    if layout.size != bytes.len() as u64 {
        return Ok(());
    }
    for slot in layout.slots.iter().filter(|it| it.kind == SlotKind::Truth) {
        let term = layout.term(&mut machine.store, slot, bytes);
        let one = machine.store.bv(slot.bits as u16, 1);
        let is_truth = machine.store.bv_ule(term, one);
        machine.confine(state, is_truth)?;
    }
    for tag in layout.tags.iter().chain(&plain_choice(program, id)) {
        let is_value = tag.condition(&mut machine.store, bytes);
        machine.confine(state, is_value)?;
    }
    Ok(())
}

/// Whether the bytes of a `std::string` are of one that is short and has its text inside.
fn is_short_text(store: &mut Store, bytes: &[Term]) -> Term {
    let is_long = store.extract(bytes[0], 0, 1);
    let is_long = store.is_nonzero(is_long);
    let length = store.extract(bytes[0], 1, 7);
    let most = store.bv(7, TEXT);
    let (is_short, fits) = (store.not(is_long), store.bv_ule(length, most));
    let mut holds = store.and(is_short, fits);
    for at in 0..=TEXT {
        let here = store.bv(7, at);
        let ends = store.eq(length, here);
        let is_set = store.is_nonzero(bytes[1 + at as usize]);
        let is_zero = store.not(is_set);
        let ended = store.implies(ends, is_zero);
        holds = store.and(holds, ended);
    }
    holds
}

/// What a parameter's register holds.
fn register(program: &Program, method: FunctionId, number: usize) -> Kind {
    let signature = program.functions[method.index()].signature;
    program.signatures[signature.index()].parameters[number].kind
}

/// The parameter of the source that one of the registers belongs to, where each of them does to
/// one.
fn source_parameter(
    program: &Program,
    method: FunctionId,
    number: usize,
) -> Option<&SourceParameter> {
    let source = program.functions[method.index()].source?;
    let own = &program.source.function(source).parameters;
    let all = parameters_of(program, method).ok()?;
    let begun = all.iter().take(number + 1).filter(|it| it.is_first());
    own.get(begun.count().checked_sub(1)?)
}

/// Whether the slice of a register is a text.
fn is_text_slice(program: &Program, method: FunctionId, number: usize) -> bool {
    let own = source_parameter(program, method, number).and_then(|own| own.debug_type);
    own.and_then(|id| slice(&program.source, id))
        .is_some_and(|(_, is_text)| is_text)
}

/// A parameter's name in the source, where each of them has one.
fn parameter_name(program: &Program, method: FunctionId, number: usize) -> String {
    match source_parameter(program, method, number) {
        Some(own) if !own.name.is_empty() => own.name.clone(),
        _ => format!("argument{number}"),
    }
}
