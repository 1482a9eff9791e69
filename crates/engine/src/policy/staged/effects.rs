//! What a method did on a path that came to its end: what it returned, and what its objects
//! are now. Tests assert it, and two versions of a method are compared by it.

use super::layout::LAST_TOKEN;
use super::lazy::LazyObjects;
use super::{Staged, calls};
use machine::{Machine, State, mask, width};
use program::{FloatKind, Kind};
use staged::{Field, ObjectGraph};

/// What a method did.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// What it returned, where that can be told.
    pub returned: Option<MethodResult>,
    /// What can be reached from each argument afterwards.
    pub after: Vec<After>,
}

/// What a method returned.
#[derive(Clone, PartialEq, Debug)]
pub enum MethodResult {
    /// A number, null, or a value that was passed on.
    Value(Field),
    /// A pointer into one of the objects it was given.
    Into {
        /// The argument that the object is of.
        argument: usize,
        /// Its number among the objects of that argument.
        number: usize,
        /// How far into it.
        offset: u64,
    },
}

/// What can be reached from an argument when the method has returned.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct After {
    /// The objects.
    pub graph: ObjectGraph,
    /// For each of them, the number it had among the argument's objects before.
    pub given: Vec<Option<usize>>,
}

impl Staged<'_> {
    /// What the method did on a path that ended.
    pub fn effect(&self, machine: &mut Machine<'_>, state: &State) -> Effect {
        let arguments = 0..self.staging.arguments.len();
        Effect {
            returned: self.returned(machine, state),
            after: arguments
                .map(|argument| self.after(machine, state, argument))
                .collect(),
        }
    }

    fn returned(&self, machine: &mut Machine<'_>, state: &State) -> Option<MethodResult> {
        let method = &machine.program.functions[self.staging.method?.index()];
        let signature = &machine.program.signatures[method.signature.index()];
        let [kind] = signature.results[..] else {
            return None;
        };
        let is_signed = self.returns_signed(machine);
        let bits = width(kind);
        if bits > 64 {
            return None;
        }
        let term = calls(state).result?.term(&mut machine.store, bits);
        let word = machine.mixed.under(&machine.store, &state.model).word(term) & mask(bits.into());
        let unused = 64 - u32::from(bits);
        let value = match kind {
            Kind::Int(_) if is_signed => Field::Number(((word << unused) as i64 >> unused).into()),
            Kind::Int(_) => Field::Number(word.into()),
            Kind::Float(FloatKind::Single) => Field::Float(f32::from_bits(word as u32).into()),
            Kind::Float(FloatKind::Double) => Field::Float(f64::from_bits(word)),
            Kind::Float(_) => return None,
            Kind::Ptr if word == 0 => Field::Null,
            Kind::Ptr if i128::from(word) <= LAST_TOKEN => Field::Number(word.into()),
            Kind::Ptr => return into_given(state, word),
        };
        Some(MethodResult::Value(value))
    }

    /// Whether the method returns a number that may be negative.
    pub(super) fn returns_signed(&self, machine: &Machine<'_>) -> bool {
        let program = machine.program;
        let method = self.staging.method.map(|id| &program.functions[id.index()]);
        let function = method
            .and_then(|it| it.source)
            .map(|id| program.source.function(id));
        let returns = function.and_then(|it| it.returns);
        let returns = returns.map(|id| program.source.debug_type(program.source.resolved(id)));
        returns.is_some_and(|it| it.shape.signed() == Some(true))
    }
}

/// The place in the objects a path was given that an address leads to.
fn into_given(state: &State, address: u64) -> Option<MethodResult> {
    let lazy = state.marks.get::<LazyObjects>()?;
    let (at, offset) = (lazy.objects.iter().enumerate())
        .find_map(|(at, object)| Some((at, object.offset_of(address)?)))?;
    let argument = lazy.objects[at].argument;
    let number = lazy.of_argument(argument).position(|it| it == at)?;
    Some(MethodResult::Into {
        argument,
        number,
        offset,
    })
}
