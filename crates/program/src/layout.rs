//! How values lie in registers and in memory.
//!
//! A value of any type becomes a list of scalars. In memory each scalar has an
//! offset; only vectors of elements that are no whole bytes are stored as one
//! run of bits. Types without a representation are refused here, by name, so
//! nothing behind this module has to think of them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::llvm::{Layout, Type, TypeKind};
use crate::ops::{Align, Kind, MAX_WIDTH};

/// Either what was asked for, or why it has no representation.
pub(crate) type Lowered<T> = Result<T, String>;

/// The most registers one value may take.
const MAX_PARTS: u64 = 1 << 16;

/// A part of a value in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// One scalar.
    Scalar { kind: Kind, offset: u64 },
    /// The elements of a vector, bit after bit, as one integer of `width` bits.
    Packed {
        element: Kind,
        count: u32,
        width: u16,
        offset: u64,
    },
}

/// A value of some type, taken apart.
#[derive(Debug)]
pub(crate) struct Parts {
    /// In registers.
    pub kinds: Vec<Kind>,
    /// In memory, in the same order.
    pub pieces: Vec<Piece>,
}

/// Sizes and parts of types, remembered.
pub(crate) struct Layouts<'m> {
    target: Layout<'m>,
    parts: FxHashMap<Type<'m>, Lowered<Rc<Parts>>>,
    sizes: FxHashMap<Type<'m>, Lowered<u64>>,
}

impl<'m> Layouts<'m> {
    pub(crate) fn new(target: Layout<'m>) -> Self {
        Self {
            target,
            parts: FxHashMap::default(),
            sizes: FxHashMap::default(),
        }
    }

    /// A value of the type, taken apart.
    pub(crate) fn parts(&mut self, whole: Type<'m>) -> Lowered<Rc<Parts>> {
        if let Some(known) = self.parts.get(&whole) {
            return known.clone();
        }
        let mut parts = Parts {
            kinds: Vec::new(),
            pieces: Vec::new(),
        };
        let result = self.append(whole, 0, &mut parts).map(|()| Rc::new(parts));
        self.parts.insert(whole, result.clone());
        result
    }

    /// What registers hold for a value of the type.
    pub(crate) fn count(&mut self, whole: Type<'m>) -> Lowered<usize> {
        Ok(self.parts(whole)?.kinds.len())
    }

    /// The kind of a type that is a single scalar.
    pub(crate) fn scalar(&mut self, scalar: Type<'m>) -> Lowered<Kind> {
        match self.parts(scalar)?.kinds.as_slice() {
            [kind] => Ok(*kind),
            _ => Err(format!(
                "a value of type {} where one number is expected",
                scalar.text()
            )),
        }
    }

    /// Bytes from one element of an array of the type to the next.
    pub(crate) fn size(&mut self, sized: Type<'m>) -> Lowered<u64> {
        if let Some(known) = self.sizes.get(&sized) {
            return known.clone();
        }
        let size = self.fixed(sized).map(|()| self.target.size(sized));
        self.sizes.insert(sized, size.clone());
        size
    }

    pub(crate) fn align(&mut self, sized: Type<'m>) -> Lowered<Align> {
        self.size(sized)?;
        Ok(Align::from_bytes(self.target.align(sized)))
    }

    /// Bytes from a struct's start to one of its fields.
    pub(crate) fn field_offset(&mut self, structure: Type<'m>, field: u32) -> Lowered<u64> {
        self.size(structure)?;
        Ok(self.target.field_offset(structure, field))
    }

    fn append(&mut self, whole: Type<'m>, offset: u64, parts: &mut Parts) -> Lowered<()> {
        match whole.kind() {
            TypeKind::Void => Ok(()),
            TypeKind::Struct => {
                for (index, field) in (0..).zip(whole.fields()) {
                    let inner = self.field_offset(whole, index)?;
                    self.append(field, offset + inner, parts)?;
                }
                Ok(())
            }
            TypeKind::Array { element, length } => {
                let step = self.size(element)?;
                let inner = self.count(element)? as u64;
                check_count(whole, length.saturating_mul(inner))?;
                (0..length).try_for_each(|index| self.append(element, offset + index * step, parts))
            }
            TypeKind::Vector { element, length } => {
                let kind = self.scalar(element)?;
                check_count(whole, u64::from(length))?;
                parts.kinds.extend((0..length).map(|_| kind));
                if kind.bits() % 8 == 0 {
                    let step = u64::from(kind.bytes());
                    let piece = |index| Piece::Scalar {
                        kind,
                        offset: offset + index * step,
                    };
                    parts.pieces.extend((0..u64::from(length)).map(piece));
                    return Ok(());
                }
                let width = u16::try_from(kind.bits() * length).unwrap_or(u16::MAX);
                if width > MAX_WIDTH {
                    return Err(format!("a vector of type {}", whole.text()));
                }
                parts.pieces.push(Piece::Packed {
                    element: kind,
                    count: length,
                    width,
                    offset,
                });
                Ok(())
            }
            TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Other => {
                let kind = scalar_kind(whole)?;
                parts.kinds.push(kind);
                parts.pieces.push(Piece::Scalar { kind, offset });
                Ok(())
            }
        }
    }

    /// Refuses types whose size is not a number known now.
    fn fixed(&mut self, sized: Type<'m>) -> Lowered<()> {
        if !sized.is_sized() {
            return Err(format!("the size of type {}", sized.text()));
        }
        match sized.kind() {
            TypeKind::Struct => sized
                .fields()
                .into_iter()
                .try_for_each(|field| self.size(field).map(drop)),
            TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => {
                self.size(element).map(drop)
            }
            TypeKind::Void | TypeKind::Function | TypeKind::Other => {
                Err(format!("the size of type {}", sized.text()))
            }
            TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Pointer { .. } => Ok(()),
        }
    }
}

fn scalar_kind(scalar: Type<'_>) -> Lowered<Kind> {
    match scalar.kind() {
        TypeKind::Int(width) if width <= u32::from(MAX_WIDTH) => Ok(Kind::Int(width as u16)),
        TypeKind::Float(kind) => Ok(Kind::Float(kind)),
        TypeKind::Pointer { address_space: 0 } => Ok(Kind::Ptr),
        TypeKind::Pointer { address_space } => {
            Err(format!("a pointer to address space {address_space}"))
        }
        TypeKind::Void
        | TypeKind::Int(_)
        | TypeKind::Struct
        | TypeKind::Array { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Function
        | TypeKind::Other => Err(format!("a value of type {}", scalar.text())),
    }
}

fn check_count(whole: Type<'_>, count: u64) -> Lowered<()> {
    if count <= MAX_PARTS {
        return Ok(());
    }
    Err(format!("a value of type {} in one register", whole.text()))
}
