//! What tests have to know of the objects they build and look at: what they are called in the
//! program, how large they are, and where in them things are.

use super::Staged;
use super::containers::Extent;
use super::layout::{Pointee, Slot, SlotKind, TagValue};
use program::{GlobalId, Program};
use std::ops::Range;

impl Staged<'_> {
    /// Bytes of an object of a type, if there are such objects.
    pub fn object_size(&self, type_name: &str) -> Option<u64> {
        Some(self.layouts.borrow_mut().get(type_name)?.size)
    }

    /// The type that an object of a suite is to the program: `Packet` of `Packet(data=2)`.
    pub fn type_of(&self, form: &str) -> String {
        self.layouts.borrow().kinds(form).swap_remove(0)
    }

    /// Whether objects of a suite that are called so take more memory than their type says.
    pub fn is_longer(&self, form: &str) -> bool {
        let layout = self.layouts.borrow_mut().get(form);
        layout.is_some_and(|layout| layout.tail.is_some() || layout.behind.is_some())
    }

    /// Whether a field lies behind the object, where it has no name.
    pub fn is_behind(&self, type_name: &str, path: &str) -> bool {
        let layout = self.layouts.borrow_mut().get(type_name);
        layout.is_some_and(|layout| {
            let slot = layout.slots.iter().find(|slot| slot.path == path);
            slot.zip(layout.behind)
                .is_some_and(|(slot, start)| slot.bit >= 8 * start)
        })
    }

    /// Whether a pointer's type says all of what it leads to: not if that is an object of
    /// a class that is derived from the type's, or around it.
    pub fn is_whole(&self, type_name: &str, path: &str, there: &str) -> bool {
        let mut layouts = self.layouts.borrow_mut();
        let (Some(layout), Some(there)) = (layouts.get(type_name), layouts.get(there)) else {
            return false;
        };
        let slot = layout.slots.iter().find(|slot| slot.path == path);
        match slot.map(|slot| &slot.kind) {
            _ if slot.is_some_and(|slot| slot.leads_elsewhere) => false,
            Some(SlotKind::Pointer(Pointee::Object(to))) => {
                there.is_a(to) || there.element() == Some(to)
            }
            _ => true,
        }
    }

    /// The pointers to virtual functions in an object: where they are in it, and the variable
    /// that they lead to, so many bytes into it.
    pub fn vtables(&self, program: &Program, type_name: &str) -> Vec<(u64, String, u64)> {
        let layout = self.layouts.borrow_mut().get(type_name);
        let tables = layout.as_ref().map_or(&[][..], |layout| &layout.vtables);
        let name = |id: GlobalId| program.globals[id.index()].name.clone();
        let tables = tables.iter();
        tables
            .map(|it| (it.offset, name(it.global), it.within))
            .collect()
    }

    /// The bytes of an object that tell which variants of enums there are.
    pub fn tags(&self, type_name: &str) -> Vec<(Range<usize>, u64)> {
        let layout = self.layouts.borrow_mut().get(type_name);
        let tags = layout.as_ref().map_or(&[][..], |layout| &layout.tags);
        let tags = tags.iter().filter(|tag| tag.is_whole());
        let tags = tags.filter_map(|tag| match tag.says {
            TagValue::Is(value) => Some((tag.bytes(), value)),
            TagValue::IsNot(_) | TagValue::Within(_) => None,
        });
        tags.collect()
    }

    /// What an array in a suite holds, if an object that is called so is one.
    pub fn element_of(&self, type_name: &str) -> Option<String> {
        let layout = self.layouts.borrow_mut().get(type_name)?;
        layout.element().map(str::to_owned)
    }

    /// The members of a type that are texts of the standard library of C++.
    pub fn texts(&self, type_name: &str) -> Vec<String> {
        let layout = self.layouts.borrow_mut().get(type_name);
        let texts = layout.as_ref().map_or(&[][..], |layout| &layout.texts);
        texts.iter().map(|text| text.path.clone()).collect()
    }

    /// The members of a type that are a `std::vector`, and the path of the pointer to the first
    /// element of each.
    pub fn vectors(&self, type_name: &str) -> Vec<(String, String)> {
        let layout = self.layouts.borrow_mut().get(type_name);
        let Some(layout) = layout else {
            return Vec::new();
        };
        let spans = layout.spans.iter();
        let spans = spans.filter(|span| matches!(span.room, Extent::End(_)));
        spans
            .map(|span| (span.path.clone(), layout.slots[span.begin].path.clone()))
            .collect()
    }

    /// The byte of an object that a member begins at.
    pub fn member_start(&self, type_name: &str, path: &str) -> Option<usize> {
        let layout = self.layouts.borrow_mut().get(type_name)?;
        let is_inside = |slot: &&Slot| {
            let rest = slot.path.strip_prefix(path);
            rest.is_some_and(|rest| rest.starts_with(['.', '[']))
        };
        let first = layout
            .slots
            .iter()
            .filter(is_inside)
            .map(|slot| slot.bit)
            .min()?;
        Some((first / 8) as usize)
    }

    /// Whether a field of a type is a pointer.
    pub fn is_pointer(&self, type_name: &str, path: &str) -> bool {
        let layout = self.layouts.borrow_mut().get(type_name);
        let slots = layout.as_ref().map_or(&[][..], |layout| &layout.slots);
        let slot = slots.iter().find(|slot| slot.path == path);
        slot.is_some_and(|slot| matches!(slot.kind, SlotKind::Pointer(_)))
    }

    /// Where in an object of a type a field is, if it takes whole bytes.
    pub fn field_bytes(&self, type_name: &str, path: &str) -> Option<Range<usize>> {
        let layout = self.layouts.borrow_mut().get(type_name)?;
        let slot = layout.slots.iter().find(|slot| slot.path == path)?;
        let is_whole = slot.bit.is_multiple_of(8) && slot.bits.is_multiple_of(8);
        let (first, last) = (slot.bit / 8, (slot.bit + slot.bits) / 8);
        is_whole.then_some(first as usize..last as usize)
    }
}
