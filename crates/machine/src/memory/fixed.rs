//! Objects at addresses of the program's choice: registers of a device, or a mapping
//! where the program wants one.
//!
//! They lie anywhere in the slots of others, even next to null, so an address is looked up
//! here before its slot is.

use super::ObjectId;

/// The objects in the order of their addresses, and the dead as long as nothing is in
/// their place.
#[derive(Clone, Default)]
pub(super) struct Fixed {
    objects: Vec<Bounds>,
    /// How many there ever were.
    made: u32,
}

#[derive(Clone, Copy)]
struct Bounds {
    first: u64,
    last: u64,
    id: ObjectId,
}

impl Fixed {
    /// How many objects there ever were.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Adds an object with these bytes, none of which a living one has.
    pub fn insert(&mut self, first: u64, last: u64, id: ObjectId) {
        self.made += 1;
        self.objects
            .retain(|other| other.last < first || last < other.first);
        let at = self.objects.partition_point(|other| other.first < first);
        self.objects.insert(at, Bounds { first, last, id });
    }

    /// The object that an address is in or just behind.
    pub fn at(&self, address: u64) -> Option<ObjectId> {
        let after = self.objects.partition_point(|other| other.first <= address);
        let below = &self.objects[after.checked_sub(1)?];
        (address - below.first <= below.last - below.first + 1).then_some(below.id)
    }

    /// The objects with bytes from `first` to `last`.
    pub fn between(&self, first: u64, last: u64) -> impl Iterator<Item = ObjectId> {
        let from = self.objects.partition_point(|other| other.last < first);
        let meets = move |other: &&Bounds| other.first <= last;
        self.objects[from..]
            .iter()
            .take_while(meets)
            .map(|other| other.id)
    }

    /// Whether an object has bytes from `first` to `last`.
    pub fn meets(&self, first: u64, last: u64) -> bool {
        self.between(first, last).next().is_some()
    }
}
