//! How long things are: arrays whose length a field tells, strings, arrays at the end of
//! structures, and the memory of containers.

use super::Staged;
use super::containers::{CHARACTER, Extent, Span, Text};
use super::following::followed;
use super::initialise::set_model;
use super::layout::{Pointee, Slot, SlotKind, TagValue};
use super::lazy::{LazyObject, Target, objects};
use super::regions::{is_string, most_elements, most_in_span, most_in_text};
use machine::{Halt, Machine, State};
use term::{Store, Term};

/// The most owners of what is shared: few enough for any program to add some.
const MOST_OWNERS: i64 = u32::MAX as i64;

/// The memory that a container may have.
enum Room {
    /// What the solution says that the path follows.
    Followed,
    /// None.
    Null,
    /// A region that is called so, of which so many elements are in use where pointers tell.
    New(String, u64),
}

impl Staged<'_> {
    /// Holds the numbers of an object that tell how long arrays are to what arrays may
    /// be, whether or not somebody looks at the arrays.
    pub(super) fn bound_lengths(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        number: usize,
    ) -> Result<(), Halt> {
        let object = objects(state).objects[number].clone();
        let bounds = self.bounds(object.argument);
        for slot in &object.layout.slots {
            let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind else {
                continue;
            };
            let (owner, path) = object.layout.key(slot);
            let (Some(length), Some(most)) = (
                bounds.length(owner, path),
                most_elements(&object.layout, slot, to, &bounds),
            ) else {
                continue;
            };
            let Some(field) = object.layout.beside(slot, &length.field) else {
                continue;
            };
            let least = -(length.more as i64);
            let (low, high) = (least.max(0), most as i64 + least);
            let condition = object.number_within(machine, field, low, high);
            self.hold_to(machine, state, condition)?;
        }
        self.tie_tail(machine, state, &object)?;
        self.tie_tags(machine, state, &object)?;
        self.bound_spans(machine, state, &object)?;
        self.bound_linked(machine, state, &object)?;
        self.bound_texts(machine, state, &object)?;
        self.bound_owners(machine, state, &object)
    }

    /// Has enums be the variants that the object's form says.
    fn tie_tags(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
    ) -> Result<(), Halt> {
        for tag in own.layout.tags.iter().filter(|tag| tag.is_whole()) {
            if let TagValue::Is(value) = tag.says {
                let bytes = &own.bytes[tag.bytes()];
                set_model(&machine.store, state, bytes, &value.to_le_bytes());
            }
            let condition = tag.condition(&mut machine.store, &own.bytes);
            self.hold_to(machine, state, condition)?;
        }
        Ok(())
    }

    /// Has the field that tells how many elements a structure ends in say how many there are.
    fn tie_tail(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
    ) -> Result<(), Halt> {
        let bounds = self.bounds(own.argument);
        let Some(tail) = &own.layout.tail else {
            return Ok(());
        };
        let (Some(count), Some(length)) =
            (tail.count, bounds.length(&own.layout.kinds[0], &tail.path))
        else {
            return Ok(());
        };
        let mut slots = own.layout.slots.iter();
        let Some(field) = slots.find(|slot| slot.path == length.field) else {
            return Ok(());
        };
        let told = count as i64 - length.more as i64;
        let condition = own.number_within(machine, field, told, told);
        self.hold_to(machine, state, condition)
    }

    /// Has the field that tells the length of an array say how long it is, where there
    /// is such a field. There is no array of no elements.
    pub(super) fn tie_length(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        slot: &Slot,
        target: Option<usize>,
    ) -> Result<(), Halt> {
        let bounds = self.bounds(own.argument);
        let (owner, path) = own.layout.key(slot);
        let Some(length) = bounds.length(owner, path) else {
            return Ok(());
        };
        let Some(field) = own.layout.beside(slot, &length.field) else {
            return Ok(());
        };
        let count = match target {
            Some(number) => objects(state).objects[number].elements() as i64,
            None => 0,
        };
        let told = count - length.more as i64;
        let condition = own.number_within(machine, field, told, told);
        self.hold_to(machine, state, condition)
    }

    /// Has a new string end where its room ends, and not before: a shorter one is another
    /// region.
    pub(super) fn end_string(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        slot: &Slot,
        number: usize,
    ) -> Result<(), Halt> {
        let bounds = self.bounds(own.argument);
        let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind else {
            return Ok(());
        };
        let string = objects(state).objects[number].clone();
        if !is_string(&own.layout, slot, to, &bounds) || string.layout.element() != Some(to) {
            return Ok(());
        }
        let last = string.bytes.len() - 1;
        for (at, &byte) in string.bytes.iter().enumerate() {
            let is_set = machine.store.is_nonzero(byte);
            let condition = match at == last {
                true => machine.store.not(is_set),
                false => is_set,
            };
            self.hold_to(machine, state, condition)?;
        }
        Ok(())
    }

    /// Holds the numbers of containers to what they may be, whether or not somebody looks at
    /// their memory.
    fn bound_spans(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
    ) -> Result<(), Halt> {
        let bounds = self.bounds(own.argument);
        let slots = &own.layout.slots;
        for span in &own.layout.spans {
            let (Extent::Count(used), Extent::Count(room)) = (span.used, span.room) else {
                continue;
            };
            let most = most_in_span(&own.layout, span, &bounds).unwrap_or(0);
            let bounded = own.number_within(machine, &slots[room], 0, most as i64);
            self.hold_to(machine, state, bounded)?;
            let mut number = |slot: usize| {
                own.layout
                    .term(&mut machine.store, &slots[slot], &own.bytes)
            };
            let (count, all, start) = (number(used), number(room), span.start.map(number));
            if used != room {
                let fits = machine.store.bv_ule(count, all);
                self.hold_to(machine, state, fits)?;
            }
            if let Some(start) = start {
                let store = &mut machine.store;
                let is_behind = store.bv_ule(all, start);
                let is_inside = store.not(is_behind);
                let is_moved = store.is_nonzero(start);
                let is_first = store.not(is_moved);
                let fits = store.or(is_inside, is_first);
                self.hold_to(machine, state, fits)?;
            }
        }
        Ok(())
    }

    /// Has texts be no longer than they may, and those end that are inside of an object.
    fn bound_texts(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
    ) -> Result<(), Halt> {
        let bounds = self.bounds(own.argument);
        let slots = &own.layout.slots;
        for text in &own.layout.texts {
            let most = most_in_text(&own.layout, text, &bounds).unwrap_or(0);
            if text.is_long {
                self.bound_long_text(machine, state, own, text, most)?;
                continue;
            }
            let most = most.min(text.room);
            let is_here = own.number_within(machine, &slots[text.first], 0, 0);
            self.hold_to(machine, state, is_here)?;
            let length = &slots[text.length()];
            let bounded = own.number_within(machine, length, 0, most as i64);
            self.hold_to(machine, state, bounded)?;
            for at in 0..=most {
                let is_end = own.number_within(machine, length, at as i64, at as i64);
                let is_zero = own.number_within(machine, &slots[text.character(at)], 0, 0);
                let ends = machine.store.implies(is_end, is_zero);
                self.hold_to(machine, state, ends)?;
            }
        }
        Ok(())
    }

    /// Has a text that is elsewhere be longer than there is room for inside, and its memory be as
    /// much as its library takes.
    fn bound_long_text(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        text: &Text,
        most: u64,
    ) -> Result<(), Halt> {
        let slots = &own.layout.slots;
        let (bytes, least) = (Text::bytes_for(most), text.room + 1);
        if !objects(state).follows() {
            let first = (slots[text.first].bit / 8) as usize;
            let numbers = [bytes | 1, least].map(u64::to_le_bytes).concat();
            let place = &own.bytes[first..first + numbers.len()];
            set_model(&machine.store, state, place, &numbers);
        }
        let half = bytes / 2;
        for (slot, low, high) in [
            (text.first, 1, 1),
            (text.half(), half, half),
            (text.length(), least, most),
        ] {
            let bounded = own.number_within(machine, &slots[slot], low as i64, high as i64);
            self.hold_to(machine, state, bounded)?;
        }
        Ok(())
    }

    /// Has what is shared have an owner, and not so many that one more is too many.
    fn bound_owners(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
    ) -> Result<(), Halt> {
        let slots = &own.layout.slots;
        for owners in &own.layout.owners {
            for slot in [&slots[owners.strong], &slots[owners.weak]] {
                if !objects(state).follows() {
                    let first = (slot.bit / 8) as usize;
                    let bytes = &own.bytes[first..first + 8];
                    set_model(&machine.store, state, bytes, &1u64.to_le_bytes());
                }
                let owned = own.number_within(machine, slot, 1, MOST_OWNERS);
                self.hold_to(machine, state, owned)?;
            }
        }
        Ok(())
    }

    /// Has an object that a pointer more leads to have so many owners, where it counts them.
    /// There may be more than can be reached from here.
    pub(super) fn count_owners(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        number: usize,
    ) -> Result<(), Halt> {
        let own = objects(state).objects[number].clone();
        let known = objects(state).decided.iter();
        let known = known
            .filter(|&(_, &address)| address == own.address)
            .count();
        for owners in &own.layout.owners {
            let strong = &own.layout.slots[owners.strong];
            let enough = own.number_within(machine, strong, known as i64 + 1, MOST_OWNERS);
            self.hold_to(machine, state, enough)?;
        }
        Ok(())
    }

    /// Decides where the memory of a container is, which nobody has looked at yet: all of its
    /// pointers at once, for none of them means anything without the others.
    pub(super) fn decide_span(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        object: usize,
        span: &Span,
    ) -> Result<(), Halt> {
        self.agree(machine, state, object, &span.pointers())?;
        let rooms = self.rooms(state, object, span);
        if let [only] = &rooms[..] {
            return self.lay_span(machine, state, object, span, only);
        }
        state.progress.depth += 1;
        machine.go_each_way(state, rooms.len(), |machine, path, number| {
            self.lay_span(machine, path, object, span, &rooms[number])
        })
    }

    fn rooms(&self, state: &State, object: usize, span: &Span) -> Vec<Room> {
        let lazy = objects(state);
        let own = &lazy.objects[object];
        if lazy.follows() && followed(state).argument == own.argument {
            return vec![Room::Followed];
        }
        let bounds = self.bounds(own.argument);
        let most = most_in_span(&own.layout, span, &bounds).unwrap_or(0) as u64;
        let layouts = self.layouts.borrow();
        if let Extent::Half(_) = span.room {
            return vec![Room::New(
                format!("{CHARACTER}[{}]", Text::bytes_for(most)),
                0,
            )];
        }
        match span.used {
            Extent::Count(_) | Extent::Half(_) => {
                let forms =
                    (0..=most).flat_map(|room| layouts.array_forms(&span.element, room, &bounds));
                forms.map(|form| Room::New(form, 0)).collect()
            }
            Extent::End(_) => {
                let some = (1..=most).flat_map(|room| {
                    let forms = layouts
                        .array_forms(&span.element, room, &bounds)
                        .into_iter();
                    forms
                        .flat_map(move |form| (0..=room).map(move |it| Room::New(form.clone(), it)))
                });
                [Room::Null].into_iter().chain(some).collect()
            }
        }
    }

    /// Makes the pointers of a container lead to its memory.
    fn lay_span(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        object: usize,
        span: &Span,
        room: &Room,
    ) -> Result<(), Halt> {
        let own = objects(state).objects[object].clone();
        let slots = &own.layout.slots;
        let number = match room {
            Room::Followed => {
                let number = self.follow_span(machine, state, object, span)?;
                return self.tie_span(machine, state, &own, span, number);
            }
            Room::Null => None,
            Room::New(form, _) => {
                let layout = self.layout(form);
                let number = self.free_object(machine, state, own.argument, layout)?;
                Some(number)
            }
        };
        let start = number.map_or(0, |number| objects(state).address(number));
        let size = self.layout(&span.element).size;
        self.decide(machine, state, &own, &slots[span.begin], start);
        let all = number.map_or(0, |number| objects(state).objects[number].elements());
        let in_use = match room {
            Room::New(_, used) => *used,
            Room::Null | Room::Followed => 0,
        };
        for (extent, count) in [(span.used, in_use), (span.room, all)] {
            if let Extent::End(slot) = extent {
                self.decide(machine, state, &own, &slots[slot], start + count * size);
            }
        }
        self.tie_span(machine, state, &own, span, number)
    }

    /// Makes the pointers of a container lead where the solution says that the path follows:
    /// the object that they lead to.
    fn follow_span(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        object: usize,
        span: &Span,
    ) -> Result<Option<usize>, Halt> {
        let own = objects(state).objects[object].clone();
        let mut start = 0;
        for slot in span.pointers() {
            let target = followed(state).target(object, &own.layout.slots[slot].path);
            if let (true, Target::Null) = (own.layout.slots[slot].never_null, &target) {
                return Err(self.misfit(machine, state, "leaves the memory of a container open"));
            }
            start = self.point(machine, state, (object, slot), &target)?;
        }
        let mut all = objects(state).objects.iter();
        Ok(all.position(|it| it.address == start))
    }

    /// Has the numbers of a container tell how much memory it has, and its text be one.
    fn tie_span(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        span: &Span,
        number: Option<usize>,
    ) -> Result<(), Halt> {
        let slots = &own.layout.slots;
        let region = number.map(|number| objects(state).objects[number].clone());
        let all = region.as_ref().map_or(0, LazyObject::elements);
        if let Extent::Count(room) = span.room {
            let all = all as i64;
            let told = own.number_within(machine, &slots[room], all, all);
            self.hold_to(machine, state, told)?;
        }
        let (Some(region), Extent::Count(used)) = (region, span.used) else {
            return Ok(());
        };
        if let Extent::Half(half) = span.room {
            let told = (all / 2) as i64;
            let is_told = own.number_within(machine, &slots[half], told, told);
            self.hold_to(machine, state, is_told)?;
            for (at, &byte) in region.bytes.iter().enumerate() {
                let ends = own.number_within(machine, &slots[used], at as i64, at as i64);
                let is_set = machine.store.is_nonzero(byte);
                let is_zero = machine.store.not(is_set);
                let ended = machine.store.implies(ends, is_zero);
                self.hold_to(machine, state, ended)?;
            }
        }
        if !span.is_text {
            return Ok(());
        }
        let used = own
            .layout
            .term(&mut machine.store, &slots[used], &own.bytes);
        let is_text = is_utf8(&mut machine.store, &region.bytes, used);
        self.hold_to(machine, state, is_text)
    }
}

/// Whether the first so many bytes are UTF-8.
pub(super) fn is_utf8(store: &mut Store, bytes: &[Term], used: Term) -> Term {
    let width = store.width(used);
    // Whether the bytes before each place are.
    let mut before = vec![store.bool(true)];
    let mut holds = store.bool(false);
    for at in 0..=bytes.len() {
        let here = before[at];
        let count = store.bv(width, at as u64);
        let ends = store.eq(used, count);
        let ends = store.and(ends, here);
        holds = store.or(holds, ends);
        if at == bytes.len() {
            break;
        }
        let mut next = store.bool(false);
        for (length, forms) in CHARACTERS.iter().enumerate() {
            let Some(start) = (at + 1).checked_sub(length + 1) else {
                break;
            };
            for form in *forms {
                let mut is_one = before[start];
                for (&(low, high), &byte) in form.iter().zip(&bytes[start..]) {
                    let (low, high) = (store.bv(8, low), store.bv(8, high));
                    let (above, below) = (store.bv_ule(low, byte), store.bv_ule(byte, high));
                    let within = store.and(above, below);
                    is_one = store.and(is_one, within);
                }
                next = store.or(next, is_one);
            }
        }
        before.push(next);
    }
    holds
}

/// The bytes of the characters of one to four bytes, as the Unicode standard has them in its
/// table 3-7: nothing longer than needed, no surrogates, nothing beyond the last character.
const CHARACTERS: [&[&[(u64, u64)]]; 4] = [
    &[&[(0x00, 0x7f)]],
    &[&[(0xc2, 0xdf), TRAIL]],
    &[
        &[(0xe0, 0xe0), (0xa0, 0xbf), TRAIL],
        &[(0xe1, 0xec), TRAIL, TRAIL],
        &[(0xed, 0xed), (0x80, 0x9f), TRAIL],
        &[(0xee, 0xef), TRAIL, TRAIL],
    ],
    &[
        &[(0xf0, 0xf0), (0x90, 0xbf), TRAIL, TRAIL],
        &[(0xf1, 0xf3), TRAIL, TRAIL, TRAIL],
        &[(0xf4, 0xf4), (0x80, 0x8f), TRAIL, TRAIL],
    ],
];

const TRAIL: (u64, u64) = (0x80, 0xbf);
