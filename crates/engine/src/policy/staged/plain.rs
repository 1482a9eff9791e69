//! Types without pointers, and the values that they have.

use super::describe::taken_apart;
use super::layout::{SlotKind, Tag, TagValue};
use program::{Program, Shape, Source, TypeId, Variant};

/// Whether there are no pointers in a type.
pub(crate) fn is_plain(program: &Program, id: TypeId) -> bool {
    let taken = taken_apart(program, "", id);
    taken.is_ok_and(|layout| {
        let mut slots = layout.slots.iter();
        !layout.is_polymorphic()
            && layout.open.is_empty()
            && layout.texts.is_empty()
            && !slots.any(|slot| matches!(slot.kind, SlotKind::Pointer(_)))
    })
}

/// What tells which of several contents there is, if a type is a choice between some without
/// pointers, as `Option<u32>` is.
pub(crate) fn plain_choice(program: &Program, id: TypeId) -> Option<Tag> {
    let source = &program.source;
    let Shape::Variants {
        tag: Some(tag),
        variants,
    } = &source.debug_type(source.resolved(id)).shape
    else {
        return None;
    };
    let value = |variant: &Variant| {
        let is_plain = is_plain(program, variant.field.debug_type?);
        let value = variant.tag? as u64 & u64::MAX >> (64 - tag.bits.clamp(1, 64));
        is_plain.then_some((value, value))
    };
    let values: Option<Vec<(u64, u64)>> = variants.iter().map(value).collect();
    Some(Tag {
        bit: tag.offset,
        bits: tag.bits,
        says: TagValue::Within(values?),
    })
}

/// The values of a type of Rust that has not all that there is room for: enums without contents,
/// characters, and numbers that are never zero.
pub(super) fn values(source: &Source, id: TypeId) -> Option<Vec<(u64, u64)>> {
    let it = source.debug_type(source.resolved(id));
    let all = u64::MAX >> (64 - it.bits.clamp(1, 64));
    match &it.shape {
        Shape::Enum {
            underlying: Some(underlying),
            enumerators,
        } => {
            let underlying = &source.debug_type(source.resolved(*underlying)).name;
            // Elsewhere an enum may have any number of its type.
            let width = underlying.strip_prefix(['u', 'i']);
            let is_rust = width.is_some_and(|it| it == "size" || it.parse::<u32>().is_ok());
            let known = enumerators.iter().map(|it| it.value as u64 & all);
            is_rust.then(|| known.map(|value| (value, value)).collect())
        }
        Shape::Character { .. } if it.bits == 32 && it.name == "char" => {
            Some(vec![(0, 0xd7ff), (0xe000, 0x10_ffff)])
        }
        Shape::Struct(_) if it.bits <= 64 && it.name.starts_with("NonZero<") => {
            Some(vec![(1, all)])
        }
        _ => None,
    }
}
