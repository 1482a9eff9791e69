//! Where a pointer may lead when it is first looked at: into what there is, or into
//! something new.
//!
//! A pointer to a `T` leads to a whole `T`, to one inside of another object (an embedded
//! list head, an element of an array), or to a new region: one `T`, an array of them, or
//! an object that has a `T` inside and was bounded, as the items that a `list_head` links
//! are. Everything else about the choice (which objects exist, what the solution says) is
//! the business of lazy initialisation.

use super::containers::{CHARACTER, Owners, Span, Text};
use super::layout::{Layout, LayoutError, Part, Pointee, Slot, SlotKind, Tag, Tail, Vtable};
use super::layouts::Layouts;
use super::linked::Linked;
use staged::{Bounds, Length};
use std::ops::Range;
use std::rc::Rc;

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
            let regions = (least..=most).flat_map(|count| {
                let forms = self.array_forms(to, count, bounds).into_iter();
                forms.map(move |type_name| Fresh {
                    type_name,
                    offset: 0,
                    length: length.map(|_| count),
                })
            });
            return regions.collect();
        }
        let at = |type_name: String, offset: u64| Fresh {
            type_name,
            offset,
            length: None,
        };
        let is_bounded = |name: &str| bounds.types().any(|it| it == name);
        let own = self.forms(to, bounds).into_iter();
        let own: Vec<Fresh> = own
            .map(|it| at(it.clone(), self.offset_in(&it, to)))
            .collect();
        let is_own = |name: &str| own.iter().any(|it| it.type_name == name);
        let mut regions = Vec::new();
        let around = self.all();
        let around = around.filter(|it| is_bounded(&it.name) && !is_own(&it.name));
        let mut around: Vec<_> = around.filter(|it| !it.is_abstract).collect();
        around.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        for layout in around {
            let parts = layout.parts.iter().filter(|part| part.type_name == to);
            let forms = self.forms(&layout.name, bounds);
            for part in parts {
                regions.extend(forms.iter().map(|form| at(form.clone(), part.offset)));
            }
            if let Some(tail) = layout.tail.as_ref().filter(|tail| tail.element == to) {
                let most = most_at_end(&layout.name, tail, bounds).unwrap_or(0);
                let size = self.all().find(|it| it.name == to).map_or(0, |it| it.size);
                regions.extend((1..=most).flat_map(|count| {
                    let form = tail.name_with(&layout.name, count);
                    let offsets = (0..count).map(|number| tail.offset + number * size);
                    let fresh = offsets.map(|offset| at(form.clone(), offset));
                    fresh.collect::<Vec<Fresh>>()
                }));
            }
        }
        // Arrays are regions of their own: one that another pointer got is not this one's.
        let is_inside = |layout: &Layout| {
            layout.element().is_none() && layout.parts.iter().any(|it| it.type_name == to)
        };
        match self.is_structure(to) {
            true if regions.is_empty() || own.iter().any(|it| self.is_bounded(it, bounds)) => {
                regions.splice(0..0, own);
            }
            true => {}
            // A pointer to a pointer leads to those there are, if there can be some.
            false if regions.is_empty() && !self.all().any(|it| is_inside(it)) => {
                regions.extend(
                    self.array_forms(to, 1, bounds)
                        .into_iter()
                        .map(|it| at(it, 0)),
                );
            }
            false => {}
        }
        regions
    }

    /// How far into objects of a type there is one of another.
    fn offset_in(&self, form: &str, to: &str) -> u64 {
        let layout = self.all().find(|it| it.name == form);
        let parts = layout.map_or(&[][..], |it| &it.parts);
        let part = parts.iter().find(|part| part.type_name == to);
        part.map_or(0, |part| part.offset)
    }

    /// Whether there is a bound for the number of such regions.
    fn is_bounded(&self, fresh: &Fresh, bounds: &Bounds) -> bool {
        let kinds = self.kinds(&fresh.type_name);
        let mut kinds = kinds.iter();
        kinds.any(|kind| bounds.most_objects(kind) < usize::MAX)
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
            let shared = layout.shared.iter().map(|shared| &shared.type_name);
            let free = shared.filter(|it| bounds.most_objects(it) == usize::MAX);
            found.extend(free.filter(|it| self.is_structure(it)).cloned());
            for (at, slot) in layout.slots.iter().enumerate() {
                let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind else {
                    continue;
                };
                let is_bounded = bounds.most_targets(&layout.name, &slot.path) < usize::MAX;
                if is_bounded || layout.is_link(at) {
                    continue;
                }
                let fresh = self.fresh(layout, slot, to, bounds).into_iter();
                let free = fresh.filter(|it| !self.is_bounded(it, bounds));
                let types = free.filter_map(|it| self.kinds(&it.type_name).first().cloned());
                found.extend(types.filter(|it| self.is_structure(it)));
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
                    return Err(unknown_length(&layout.name, &slot.path, to));
                }
            }
            for span in &layout.spans {
                if most_in_span(layout, span, bounds).is_none() {
                    return Err(unknown_length(&layout.name, &span.path, &span.element));
                }
            }
            for linked in &layout.linked {
                if most_in_linked(layout, linked, bounds).is_none() {
                    return Err(unknown_length(&layout.name, &linked.path, &linked.element));
                }
            }
            for text in &layout.texts {
                let Some(most) = most_in_text(layout, text, bounds) else {
                    return Err(unknown_length(&layout.name, &text.path, CHARACTER));
                };
                let longer = self.longer(&layout.name);
                let may_be_long = layout.element().is_some()
                    || layout.texts.iter().any(|text| text.is_long)
                    || longer.iter().any(|(path, _)| *path == text.path);
                if most > text.room && !may_be_long {
                    return Err(LayoutError::LongText {
                        member: format!("{}.{}", layout.name, text.path),
                        most: text.room,
                    });
                }
            }
            if let Some(tail) = layout.tail.as_ref().filter(|it| it.count.is_none())
                && most_at_end(&layout.name, tail, bounds).is_none()
            {
                return Err(unknown_length(&layout.name, &tail.path, &tail.element));
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
                return Err(unknown_length(owner, path, to));
            }
        }
        Ok(())
    }
}

fn unknown_length(owner: &str, path: &str, element: &str) -> LayoutError {
    LayoutError::AnyLength {
        pointer: format!("{owner}.{path}"),
        element: element.to_owned(),
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
    most_told(owner, path, to, bounds)
}

/// The most elements of a container, if it is known.
pub(crate) fn most_in_span(owner: &Layout, span: &Span, bounds: &Bounds) -> Option<usize> {
    let (own_type, _) = owner.key(&owner.slots[span.begin]);
    let path = owner.path_in_element(&span.path);
    bounds.most_elements(own_type, path, &span.element)
}

/// The most elements of a container of nodes, if it is known.
pub(crate) fn most_in_linked(owner: &Layout, linked: &Linked, bounds: &Bounds) -> Option<usize> {
    let (own_type, _) = owner.key(&owner.slots[linked.pointers[0]]);
    let path = owner.path_in_element(&linked.path);
    bounds.most_elements(own_type, path, &linked.element)
}

/// The most characters of a text, if it is known.
pub(crate) fn most_in_text(owner: &Layout, text: &Text, bounds: &Bounds) -> Option<u64> {
    let (own_type, _) = owner.key(&owner.slots[text.first]);
    let path = owner.path_in_element(&text.path);
    let most = bounds.most_elements(own_type, path, CHARACTER);
    most.map(|most| most as u64)
}

/// The most elements of the array that a structure ends in, if it is known.
pub(crate) fn most_at_end(owner: &str, tail: &Tail, bounds: &Bounds) -> Option<u64> {
    let most = most_told(owner, &tail.path, &tail.element, bounds);
    most.map(|most| most as u64)
}

fn most_told(owner: &str, path: &str, to: &str, bounds: &Bounds) -> Option<usize> {
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
    let is_in_container = owner.spans.iter().any(|span| {
        let at = owner.slots.iter().position(|it| it.bit == slot.bit);
        at.is_some_and(|at| span.has(at))
    });
    let (owner, path) = owner.key(slot);
    to == CHARACTER && !is_in_container && bounds.length(owner, path).is_none()
}

/// So many elements in a row, unless there would be too much in them: each of its own form,
/// or all of one.
pub(crate) fn array(
    name: &str,
    elements: &[Rc<Layout>],
    count: u64,
    most_slots: usize,
) -> Option<Layout> {
    let first = elements.first()?;
    let is_made = |it: &Rc<Layout>| !it.is_abstract && it.tail.is_none();
    if !elements.iter().all(is_made) {
        return None;
    }
    let mut layout = Layout {
        name: name.to_owned(),
        kinds: vec![name.to_owned()],
        element: Some(first.kinds[0].clone()),
        open: first.open.clone(),
        ..Layout::default()
    };
    match elements {
        [only] => append(&mut layout, only, "", 0..count, most_slots)?,
        _ if elements.len() as u64 != count => return None,
        _ => {
            for (element, number) in elements.iter().zip(0..) {
                append(&mut layout, element, "", number..number + 1, most_slots)?;
            }
        }
    }
    layout.size = first.size * count;
    Some(layout)
}

/// A structure with so many elements at its end, unless there would be too much in them.
pub(crate) fn with_tail(
    whole: &Layout,
    element: &Layout,
    count: u64,
    most_slots: usize,
) -> Option<Layout> {
    let mut layout = whole.clone();
    let tail = layout.tail.as_mut()?;
    tail.count = Some(count);
    let Tail {
        path,
        offset,
        pointee,
        ..
    } = tail.clone();
    layout.name = tail.name_with(&whole.name, count);
    layout.size = offset;
    append(&mut layout, element, &path, 0..count, most_slots)?;
    if let Some(pointee) = pointee {
        let own = layout.slots.iter_mut().skip(whole.slots.len());
        for slot in own.filter(|slot| slot.is_pointer()) {
            slot.lead_to(&pointee);
        }
    }
    // The last of the fixed members may be followed by padding that the array is in.
    layout.size = whole.size.max(offset + element.size * count);
    Some(layout)
}

/// The member that what lies behind a structure is called by.
const BEHIND: &str = "behind";

/// A structure with so many elements behind it, which its type does not tell of, unless there
/// would be too much in them.
pub(crate) fn with_behind(
    whole: Layout,
    element: &Layout,
    count: u64,
    most_slots: usize,
) -> Option<Layout> {
    let mut layout = whole;
    if layout.tail.is_some() || !layout.size.is_multiple_of(element.size.max(1)) {
        return None;
    }
    append(&mut layout, element, BEHIND, 0..count, most_slots)?;
    layout.behind = Some(layout.size);
    layout.size += element.size * count;
    Some(layout)
}

/// Adds elements to a layout at its end.
fn append(
    layout: &mut Layout,
    element: &Layout,
    path: &str,
    numbers: Range<u64>,
    most_slots: usize,
) -> Option<()> {
    let count = (numbers.end - numbers.start) as usize;
    let slots = count.checked_mul(element.slots.len())?;
    if slots > most_slots || element.size == 0 {
        return None;
    }
    for number in numbers {
        let start = layout.size + number * element.size;
        let inside = |inner: &str| match inner.is_empty() || inner.starts_with('[') {
            true => format!("{path}[{number}]{inner}"),
            false => format!("{path}[{number}].{inner}"),
        };
        layout.parts.push(Part {
            offset: start,
            type_name: element.kinds[0].clone(),
        });
        layout.tags.extend(element.tags.iter().map(|tag| Tag {
            bit: 8 * start + tag.bit,
            ..tag.clone()
        }));
        layout.parts.extend(element.parts.iter().map(|part| Part {
            offset: start + part.offset,
            ..part.clone()
        }));
        let before = layout.slots.len();
        let spans = element.spans.iter();
        layout
            .spans
            .extend(spans.map(|span| span.moved(before, inside(&span.path))));
        let shared = element.shared.iter();
        layout
            .shared
            .extend(shared.map(|it| it.moved(before, inside(&it.path))));
        let linked = element.linked.iter();
        layout
            .linked
            .extend(linked.map(|it| it.moved(before, start, inside(&it.path))));
        layout.texts.extend(element.texts.iter().map(|text| Text {
            path: inside(&text.path),
            first: before + text.first,
            ..text.clone()
        }));
        layout.owners.extend(element.owners.iter().map(|it| Owners {
            strong: before + it.strong,
            weak: before + it.weak,
        }));
        layout
            .vtables
            .extend(element.vtables.iter().map(|it| Vtable {
                offset: start + it.offset,
                ..it.clone()
            }));
        layout.slots.extend(element.slots.iter().map(|slot| Slot {
            path: inside(&slot.path),
            bit: 8 * start + slot.bit,
            ..slot.clone()
        }));
    }
    Some(())
}
