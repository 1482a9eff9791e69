//! Where a pointer may lead when it is first looked at: into what there is, or into
//! something new.
//!
//! A pointer to a `T` leads to a whole `T`, to one inside of another object (an embedded
//! list head, an element of an array), or to a new region: one `T`, an array of them, or
//! an object that has a `T` inside and was bounded, as the items that a `list_head` links
//! are. Everything else about the choice (which objects exist, what the solution says) is
//! the business of lazy initialisation.

use super::layout::{Layout, LayoutError, Layouts, Part, Pointee, Slot, SlotKind};
use staged::{Bounds, Length};

/// A new region that a pointer may lead into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fresh {
    /// The type of the region.
    pub type_name: String,
    /// How far into it the pointer leads.
    pub offset: u64,
    /// How many elements it has, if a field beside the pointer has to say the same.
    pub length: Option<u64>,
}

/// What C makes strings of.
const CHARACTER: &str = "char";

impl Layouts {
    /// The new regions that a pointer of an object may lead into.
    pub fn fresh(&self, owner: &Layout, slot: &Slot, to: &str, bounds: &Bounds) -> Vec<Fresh> {
        let (own_type, path) = owner.key(slot);
        let length = bounds.length(own_type, path);
        if let Some(most) = most_elements(owner, slot, to, bounds) {
            let least = match (length, slot.never_null) {
                (Some(_), true) => 0,
                _ => 1,
            };
            // A string has one character more than can be seen.
            let most = most as u64 + u64::from(is_string(owner, slot, to, bounds));
            let regions = (least..=most).map(|count| Fresh {
                type_name: format!("{to}[{count}]"),
                offset: 0,
                length: length.map(|_| count),
            });
            return regions.collect();
        }
        let alone = |type_name: String| Fresh {
            type_name,
            offset: 0,
            length: None,
        };
        let is_bounded = |name: &str| bounds.types().any(|it| it == name);
        let mut regions = Vec::new();
        let mut layouts: Vec<_> = self.all().filter(|it| is_bounded(&it.name)).collect();
        layouts.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        for layout in layouts {
            let parts = layout.parts.iter().filter(|part| part.type_name == to);
            regions.extend(parts.map(|part| Fresh {
                offset: part.offset,
                ..alone(layout.name.clone())
            }));
        }
        // Arrays are regions of their own: one that another pointer got is not this one's.
        let is_inside = |layout: &Layout| {
            layout.element().is_none() && layout.parts.iter().any(|it| it.type_name == to)
        };
        match self.is_structure(to) {
            true if regions.is_empty() || is_bounded(to) => regions.insert(0, alone(to.to_owned())),
            true => {}
            // A pointer to a pointer leads to those there are, if there can be some.
            false if regions.is_empty() && !self.all().any(|it| is_inside(it)) => {
                regions.push(alone(format!("{to}[1]")));
            }
            false => {}
        }
        regions
    }

    /// Whether several pointers may lead to one thing of this type.
    pub fn is_shared(&self, name: &str) -> bool {
        name.ends_with('*') || self.is_structure(name)
    }

    fn is_structure(&self, name: &str) -> bool {
        let found = self.all().find(|it| it.name == name);
        found.is_some_and(|layout| {
            layout.element().is_none() && layout.slots.iter().all(|slot| !slot.path.is_empty())
        })
    }

    /// The structures of which there may be any number: a pointer leads to them that has
    /// no bound, and they have none.
    pub fn unbounded(&self, bounds: &Bounds) -> Vec<String> {
        let mut found = Vec::new();
        for layout in self.all() {
            for slot in &layout.slots {
                let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind else {
                    continue;
                };
                if bounds.most_targets(&layout.name, &slot.path) < usize::MAX {
                    continue;
                }
                let fresh = self.fresh(layout, slot, to, bounds).into_iter();
                let structures = fresh.filter(|it| self.is_structure(&it.type_name));
                let free = structures.filter(|it| bounds.most_objects(&it.type_name) == usize::MAX);
                found.extend(free.map(|it| it.type_name));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether it is known how long arrays and strings may be.
    pub fn check_lengths(&self, bounds: &Bounds) -> Result<(), LayoutError> {
        for layout in self.all() {
            for slot in &layout.slots {
                if let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind
                    && is_string(layout, slot, to, bounds)
                    && most_elements(layout, slot, to, bounds).is_none()
                {
                    return Err(LayoutError::AnyLength {
                        pointer: format!("{}.{}", layout.name, slot.path),
                        element: to.clone(),
                    });
                }
            }
        }
        for (owner, path, length) in bounds.lengths() {
            let Some(layout) = self.all().find(|it| it.name == owner) else {
                continue;
            };
            let field = format!("{owner}.{}", length.field);
            let number = layout.slots.iter().find(|slot| slot.path == length.field);
            let is_number =
                |slot: &Slot| matches!(slot.kind, SlotKind::Signed | SlotKind::Unsigned);
            if !number.is_some_and(is_number) {
                return Err(LayoutError::NoLength(field));
            }
            let Some(slot) = layout.slots.iter().find(|slot| slot.path == path) else {
                continue;
            };
            if let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind
                && most_elements(layout, slot, to, bounds).is_none()
            {
                return Err(LayoutError::AnyLength {
                    pointer: format!("{owner}.{path}"),
                    element: to.clone(),
                });
            }
        }
        Ok(())
    }
}

/// The most elements of the arrays that a pointer leads to, if it does to arrays.
pub(crate) fn most_elements(
    owner: &Layout,
    slot: &Slot,
    to: &str,
    bounds: &Bounds,
) -> Option<usize> {
    let (owner, path) = owner.key(slot);
    let most = bounds.most_elements(owner, path, to);
    most.or_else(|| {
        let Length { field, more } = bounds.length(owner, path)?;
        let range = bounds.range(owner, field)?;
        usize::try_from(range.high)
            .ok()?
            .checked_add(*more as usize)
    })
}

/// Whether a pointer leads to strings: characters whose number nobody tells, so that the
/// last has to be zero.
pub(crate) fn is_string(owner: &Layout, slot: &Slot, to: &str, bounds: &Bounds) -> bool {
    let (owner, path) = owner.key(slot);
    to == CHARACTER && bounds.length(owner, path).is_none()
}

/// So many elements in a row, unless there would be too much in them.
pub(crate) fn array(element: &Layout, count: u64, most_slots: usize) -> Option<Layout> {
    let slots = (count as usize).checked_mul(element.slots.len())?;
    if slots > most_slots || element.size == 0 {
        return None;
    }
    let mut layout = Layout {
        name: format!("{}[{count}]", element.name),
        size: element.size * count,
        slots: Vec::with_capacity(slots),
        parts: Vec::new(),
    };
    for number in 0..count {
        let start = number * element.size;
        layout.parts.push(Part {
            offset: start,
            type_name: element.name.clone(),
        });
        layout.parts.extend(element.parts.iter().map(|part| Part {
            offset: start + part.offset,
            ..part.clone()
        }));
        layout.slots.extend(element.slots.iter().map(|slot| {
            let path = match slot.path.is_empty() {
                true => format!("[{number}]"),
                false => format!("[{number}].{}", slot.path),
            };
            Slot {
                path,
                bit: 8 * start + slot.bit,
                ..slot.clone()
            }
        }));
    }
    Some(layout)
}
