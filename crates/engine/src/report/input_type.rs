//! What inputs are in the source, as the typed results of `suite` have it.

use machine::Machine;
use program::{Shape, Source, TypeId};
use suite::{Array, Enumeration, Field, InputKind, InputType, InputTypes, Structure};

/// Members and elements of one type that are written down: a test has to be read by people.
const MOST_PARTS: usize = 2000;

/// What is known of the inputs that programs marked.
pub fn input_types(machine: &Machine<'_>) -> InputTypes {
    let source = &machine.program.source;
    let mut types = InputTypes::default();
    for (name, of, size) in machine.input_types.iter() {
        let mut parts = MOST_PARTS;
        if let Some(what) = several(source, of, 8 * size, &mut parts) {
            types.note_type(name, what);
        }
    }
    types
}

/// One value of the type or several, as many as there is room for.
fn several(source: &Source, of: TypeId, bits: u64, parts: &mut usize) -> Option<InputType> {
    let whole = source.debug_type(source.resolved(of));
    let own = whole.bits;
    let what = input_type(source, of, parts)?;
    match what {
        // One `unsigned char` is a number, several are text or raw bytes.
        InputType::Kind(InputKind::Unsigned(1))
            if own < bits && matches!(whole.shape, Shape::Character { .. }) =>
        {
            Some(InputType::Kind(InputKind::Bytes))
        }
        InputType::Kind(_) => Some(what),
        _ if own == bits => Some(what),
        _ => Some(InputType::Array(Array {
            element: Box::new(what),
            stride: own / 8,
        })),
    }
}

fn input_type(source: &Source, of: TypeId, parts: &mut usize) -> Option<InputType> {
    *parts = parts.checked_sub(1)?;
    let whole = source.debug_type(source.resolved(of));
    let name = || source.debug_type(of).name.clone();
    match &whole.shape {
        Shape::Array { element, .. } => several(source, (*element)?, whole.bits, parts),
        Shape::Struct(fields) | Shape::Class(fields) | Shape::Union(fields) => {
            let fields = fields.iter().map(|field| {
                let of = field.debug_type?;
                Some(Field {
                    name: match field.base_class {
                        true => source.debug_type(of).name.clone(),
                        false => field.name.clone(),
                    },
                    offset: field.offset,
                    bits: field.bits,
                    what: input_type(source, of, parts)?,
                    base: field.base_class,
                })
            });
            Some(InputType::Structure(Structure {
                fields: fields.collect::<Option<_>>()?,
                name: name(),
                size: whole.bits / 8,
            }))
        }
        Shape::Enum {
            underlying,
            enumerators,
        } => {
            let underlying = underlying.map(|id| &source.debug_type(source.resolved(id)).shape);
            let kind = match underlying.and_then(Shape::signed) {
                Some(true) => InputKind::Signed(bytes(whole.bits)?),
                _ => InputKind::Unsigned(bytes(whole.bits)?),
            };
            let names = enumerators.iter();
            Some(InputType::Enumeration(Enumeration {
                names: names
                    .map(|it| (it.value.to_string(), it.name.clone()))
                    .collect(),
                name: name(),
                kind,
            }))
        }
        shape => Some(InputType::Kind(kind(shape, whole.bits)?)),
    }
}

/// How to read a value that is not made of others.
fn kind(shape: &Shape, bits: u64) -> Option<InputKind> {
    let size = bytes(bits)?;
    Some(match shape {
        Shape::Bool if size == 1 => InputKind::Bool,
        Shape::Character { signed: true } if size == 1 => InputKind::Char,
        Shape::Float if matches!(size, 4 | 8) => InputKind::Float(size),
        Shape::Pointer(_) | Shape::Reference(_) => InputKind::Pointer(size),
        Shape::Integer { signed: true } | Shape::Character { signed: true } => {
            InputKind::Signed(size)
        }
        Shape::Integer { signed: false } | Shape::Character { signed: false } | Shape::Bool => {
            InputKind::Unsigned(size)
        }
        // A long double has no name in the suite's formats.
        _ => InputKind::Bytes,
    })
}

/// The size of a number in bytes, unless it is larger than any.
fn bytes(bits: u64) -> Option<u8> {
    let bytes = u8::try_from(bits / 8).ok()?;
    (1..=16).contains(&bytes).then_some(bytes)
}
