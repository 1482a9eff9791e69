//! Finding out what is marked as an input: the variable that the bytes belong to, or that
//! points to them.

use crate::machine::Machine;
use crate::state::{Frame, State};
use program::{FunctionId, Place, Shape, Source, TypeId};

/// Calls that are looked through for the variable, innermost first: programs mark their
/// inputs in functions of their own.
const MOST_CALLS: usize = 4;

impl Machine<'_> {
    /// Notes what is marked as an input, if that can be told.
    pub(crate) fn note_input(&mut self, state: &mut State, name: &str, address: u64, size: u64) {
        if !self.input_types.is_full()
            && let Some(of) = self.marked_type(state, address, size)
        {
            self.input_types.note(name, of, size);
        }
    }

    fn marked_type(&self, state: &mut State, address: u64, size: u64) -> Option<TypeId> {
        let callers = std::iter::successors(state.callers.clone(), |it| it.callers.clone());
        let callers: Vec<_> = callers.take(MOST_CALLS - 1).collect();
        let State { frame, memory, .. } = state;
        let mut frames = std::iter::once(&*frame).chain(callers.iter().map(|it| &it.frame));
        let mut pointer_at = |address| memory.load(address, 8);
        frames
            .find_map(|frame| self.variable_type(frame, &mut pointer_at, address, size))
            .or_else(|| self.global_type(address, size))
    }

    /// The type of what is at the address, by the variables of a call.
    fn variable_type(
        &self,
        frame: &Frame,
        pointer_at: &mut dyn FnMut(u64) -> Option<u64>,
        address: u64,
        size: u64,
    ) -> Option<TypeId> {
        let source = &self.program.source;
        let body = self.body(FunctionId(frame.function))?;
        body.variables.iter().find_map(|variable| {
            let of = variable.debug_type?;
            let (Place::Memory(reg) | Place::Value(reg)) = variable.place;
            let word = frame.registers[reg.index()].as_word()?;
            let (Shape::Pointer(to) | Shape::Reference(to)) =
                source.debug_type(source.resolved(of)).shape
            else {
                let is_in_memory = matches!(variable.place, Place::Memory(_));
                let offset = address.checked_sub(word).filter(|_| is_in_memory)?;
                return part(source, of, offset, size);
            };
            let pointer = match variable.place {
                Place::Memory(_) if word == address => return part(source, of, 0, size),
                Place::Memory(_) => pointer_at(word)?,
                Place::Value(_) => word,
            };
            to.filter(|_| pointer == address)
                .filter(|&to| is_made_of(source, to, size))
        })
    }

    fn global_type(&self, address: u64, size: u64) -> Option<TypeId> {
        let (number, offset) = self.image.global_before(address)?;
        let global = self.program.globals[number].source.as_ref()?;
        part(&self.program.source, global.debug_type?, offset, size)
    }
}

/// The type of this part of an object, or of its elements.
fn part(source: &Source, of: TypeId, offset: u64, size: u64) -> Option<TypeId> {
    let whole = source.debug_type(source.resolved(of));
    if offset == 0 && whole.bits == 8 * size {
        return Some(of);
    }
    if offset.checked_add(size)? > whole.bits / 8 {
        return None;
    }
    match &whole.shape {
        Shape::Array { element, .. } => {
            let element = (*element)?;
            let stride = source.debug_type(source.resolved(element)).bits / 8;
            let inner = offset.checked_rem(stride)?;
            match inner == 0 && is_made_of(source, element, size) {
                true => Some(element),
                false => part(source, element, inner, size),
            }
        }
        Shape::Struct(fields) | Shape::Class(fields) | Shape::Union(fields) => {
            let mut inside = fields.iter().filter(|field| !field.bit_field);
            inside.find_map(|field| {
                let inner = offset.checked_sub(field.offset / 8)?;
                part(source, field.debug_type?, inner, size)
            })
        }
        _ => None,
    }
}

/// Whether so many bytes are one or several of a type.
fn is_made_of(source: &Source, of: TypeId, size: u64) -> bool {
    let bytes = source.debug_type(source.resolved(of)).bits / 8;
    bytes > 0 && size > 0 && size.is_multiple_of(bytes)
}
