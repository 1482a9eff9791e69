//! What global variables hold at the start: bytes, and addresses over them.

use super::ModuleLowering;
use crate::ids::FunctionId;
use crate::layout::{Lowered, Piece};
use crate::llvm::{TypeKind, Value, ValueKind};
use crate::program::{Address, Base, Constant, Initializer, Relocation, Structor};

impl<'m> ModuleLowering<'m> {
    pub(super) fn initializer(&mut self, value: Value<'m>) -> Initializer {
        let mut image = Initializer::default();
        if let Err(message) = self.write(&mut image, 0, value) {
            image.unsupported = Some(self.message(message));
        }
        let used = image
            .bytes
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1);
        image.bytes.truncate(used);
        image
            .relocations
            .sort_by_key(|relocation| relocation.offset);
        image
    }

    fn write(&mut self, image: &mut Initializer, offset: u64, value: Value<'m>) -> Lowered<()> {
        if value.is_zero() || matches!(value.kind(), ValueKind::Undef | ValueKind::Poison) {
            return Ok(());
        }
        match value.value_type().kind() {
            TypeKind::Struct => {
                for index in 0..value.value_type().fields().len() as u32 {
                    let inner = self.layouts.field_offset(value.value_type(), index)?;
                    self.write_element(image, offset + inner, value, index)?;
                }
                Ok(())
            }
            TypeKind::Array { element, length } => {
                let step = self.layouts.size(element)?;
                match value
                    .data_bytes()
                    .filter(|data| data.len() as u64 == step * length)
                {
                    Some(data) => put(image, offset, data),
                    None => {
                        for index in 0..length as u32 {
                            let place = offset + u64::from(index) * step;
                            self.write_element(image, place, value, index)?;
                        }
                    }
                }
                Ok(())
            }
            TypeKind::Vector { .. } => self.write_vector(image, offset, value),
            TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Pointer { .. }
            | TypeKind::Void
            | TypeKind::Function
            | TypeKind::Other => self.write_scalar(image, offset, value),
        }
    }

    fn write_element(
        &mut self,
        image: &mut Initializer,
        offset: u64,
        value: Value<'m>,
        index: u32,
    ) -> Lowered<()> {
        let element = value.element(index).ok_or_else(|| not_folded(value))?;
        self.write(image, offset, element)
    }

    fn write_vector(
        &mut self,
        image: &mut Initializer,
        offset: u64,
        value: Value<'m>,
    ) -> Lowered<()> {
        let parts = self.layouts.parts(value.value_type())?;
        for (index, piece) in (0..).zip(&parts.pieces) {
            match *piece {
                Piece::Scalar { offset: inner, .. } => {
                    self.write_element(image, offset + inner, value, index)?;
                }
                Piece::Packed {
                    element,
                    count,
                    offset: inner,
                    ..
                } => {
                    for index in 0..count {
                        let scalar = value.element(index).ok_or_else(|| not_folded(value))?;
                        let number = match self.fold(scalar)? {
                            Some(Constant::Undef | Constant::Poison) => 0,
                            Some(constant) => constant.as_u64().ok_or_else(|| not_folded(value))?,
                            None => return Err(not_folded(value)),
                        };
                        let first = u64::from(index) * u64::from(element.bits());
                        put_bits(image, (offset + inner) * 8 + first, element.bits(), number);
                    }
                }
            }
        }
        Ok(())
    }

    fn write_scalar(
        &mut self,
        image: &mut Initializer,
        offset: u64,
        value: Value<'m>,
    ) -> Lowered<()> {
        let kind = self.layouts.scalar(value.value_type())?;
        match self.fold(value)?.ok_or_else(|| not_folded(value))? {
            Constant::Null | Constant::Undef | Constant::Poison => {}
            Constant::Bits(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                put(image, offset, &bytes[..kind.bytes() as usize]);
            }
            value @ (Constant::Address(_) | Constant::Difference { .. }) => {
                image.relocations.push(Relocation {
                    offset,
                    bytes: kind.bytes(),
                    value,
                });
            }
        }
        Ok(())
    }

    /// The functions of `llvm.global_ctors` and its like.
    pub(super) fn structors(&mut self, list: &str) -> Vec<Structor> {
        let Some(entries) = self.module.global(list).and_then(Value::initializer) else {
            return Vec::new();
        };
        (0..entries.operand_count())
            .filter_map(|index| self.structor(entries.element(index)?))
            .collect()
    }

    fn structor(&mut self, entry: Value<'m>) -> Option<Structor> {
        let priority = entry
            .element(0)
            .filter(|priority| priority.kind() == ValueKind::Int)?;
        let priority = priority.constant_words()[0] as u32;
        let function = self.function_behind(entry.element(1)?)?;
        Some(Structor { priority, function })
    }

    /// The functions that variables put into a section from which the loader calls them, which
    /// is how Rust has constructors. A number behind its name is a priority.
    pub(super) fn structors_of_section(&mut self, section: &str) -> Vec<Structor> {
        const LAST: u32 = 65_535;
        let mut structors = Vec::new();
        for global in self.module.globals() {
            let Some(place) = global.section() else {
                continue;
            };
            let priority = match place.strip_prefix(section) {
                Some("") => Some(LAST),
                Some(rest) => rest.strip_prefix('.').and_then(|rest| rest.parse().ok()),
                None => None,
            };
            let (Some(priority), Some(value)) = (priority, global.initializer()) else {
                continue;
            };
            let mut open = vec![value];
            while let Some(value) = open.pop() {
                match self.function_behind(value) {
                    Some(function) => structors.push(Structor { priority, function }),
                    // The first of several comes next.
                    None => open.extend(
                        (0..value.operand_count())
                            .rev()
                            .filter_map(|index| value.element(index)),
                    ),
                }
            }
        }
        structors
    }

    fn function_behind(&mut self, pointer: Value<'m>) -> Option<FunctionId> {
        match self.fold(pointer) {
            Ok(Some(Constant::Address(Address {
                base: Base::Function(id),
                offset: 0,
            }))) => Some(id),
            Ok(_) | Err(_) => None,
        }
    }
}

fn put(image: &mut Initializer, offset: u64, bytes: &[u8]) {
    let start = offset as usize;
    let end = start + bytes.len();
    if image.bytes.len() < end {
        image.bytes.resize(end, 0);
    }
    image.bytes[start..end].copy_from_slice(bytes);
}

fn put_bits(image: &mut Initializer, first: u64, width: u32, value: u64) {
    for bit in (0..u64::from(width.min(64))).filter(|bit| value >> bit & 1 == 1) {
        let (byte, shift) = ((first + bit) / 8, (first + bit) % 8);
        let old = image.bytes.get(byte as usize).copied().unwrap_or(0);
        put(image, byte, &[old | 1 << shift]);
    }
}

fn not_folded(value: Value<'_>) -> String {
    format!("the constant {}", value.text())
}
