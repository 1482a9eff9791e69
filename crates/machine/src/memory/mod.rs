//! Program memory: objects with bounds and a life, at addresses that never
//! run into each other.
//!
//! An address is an object's number times 2^32 plus an offset, so that finding
//! the object of a concrete pointer is a shift, and a pointer that leaves its
//! object points into nothing rather than into a neighbour. Numbers of stack
//! and heap objects are handed out in turn and used again only after all the
//! others, so that a stale pointer meets a dead object and not a new one.

mod object;
mod radix;

pub(crate) use object::INDEX_WIDTH;
pub use object::{Allocator, Object, Region};
pub(crate) use radix::{CAPACITY, Radix};
use std::rc::Rc;

/// Bits of an address below the object's number.
pub(crate) const OFFSET_BITS: u32 = 32;
/// The greatest size of one object.
pub const MAX_OBJECT: u64 = 1 << 31;
/// Recently used objects, kept out of the tree.
const HOT: usize = 16;

/// The number of an object.
pub type ObjectId = u32;

/// The objects of one state. Cloning it copies a few pointers.
pub struct Memory {
    tree: Radix<Entry>,
    /// Objects taken out of the tree while they are in use, by the low bits of
    /// their numbers: a hit costs a comparison, and a write to an object that
    /// no other state shares copies nothing.
    hot: [Option<(ObjectId, Rc<Object>)>; HOT],
    next: ObjectId,
    /// The first number that may be used again.
    reusable: ObjectId,
}

#[derive(Clone)]
enum Entry {
    Alive(Rc<Object>),
    Dead(Death),
}

/// How an object ended, for messages about pointers to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Death {
    /// Where it had lived.
    pub region: Region,
    /// The instruction that had made it.
    pub site: u32,
}

/// What an address points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Into a living object, at this offset; the offset may be past its end.
    In(ObjectId, u64),
    /// Into an object that no longer lives.
    Dead(Death),
    /// At nothing that ever was.
    Nothing,
}

/// The object number of an address.
#[inline]
pub fn id_of(address: u64) -> u64 {
    address >> OFFSET_BITS
}

/// The offset part of an address.
#[inline]
pub(crate) fn offset_of(address: u64) -> u64 {
    address & ((1 << OFFSET_BITS) - 1)
}

impl Clone for Memory {
    /// Shares every object; the hot ones are shared too, and stop being hot.
    fn clone(&self) -> Memory {
        let mut tree = self.tree.clone();
        for (id, object) in self.hot.iter().flatten() {
            tree.replace(*id, Some(Entry::Alive(object.clone())));
        }
        Memory {
            tree,
            hot: Default::default(),
            next: self.next,
            reusable: self.reusable,
        }
    }
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            tree: Radix::new(),
            hot: Default::default(),
            next: 1,
            reusable: 1,
        }
    }
}

impl Memory {
    /// Puts the hot objects back, so that a clone shares them and copies nothing.
    pub fn settle(&mut self) {
        for slot in &mut self.hot {
            if let Some((id, object)) = slot.take() {
                self.tree.replace(id, Some(Entry::Alive(object)));
            }
        }
    }

    /// From now on numbers below this are never used again.
    pub fn fix_all(&mut self) {
        self.reusable = self.next;
    }

    /// A new object; none when there is no number left.
    pub fn allocate(&mut self, size: u64, region: Region, site: u32, fill: u8) -> Option<u64> {
        let id = self.free_number()?;
        let base = u64::from(id) << OFFSET_BITS;
        let object = Object::new(base, size, region, site, fill);
        self.evict(id);
        self.hot[id as usize % HOT] = Some((id, Rc::new(object)));
        Some(base)
    }

    fn free_number(&mut self) -> Option<ObjectId> {
        // Round and round rather than the lowest: a number that was just given back would
        // make a stale pointer look good.
        let range = CAPACITY - self.reusable;
        for _ in 0..range {
            if self.next >= CAPACITY {
                self.next = self.reusable;
            }
            let id = self.next;
            self.next += 1;
            let hot = self.hot[id as usize % HOT]
                .as_ref()
                .is_some_and(|(h, _)| *h == id);
            if !hot && !matches!(self.tree.get(id), Some(Entry::Alive(_))) {
                return Some(id);
            }
        }
        None
    }

    /// Ends an object's life.
    pub fn release(&mut self, id: ObjectId) {
        let Some(object) = self.object(id) else {
            return;
        };
        let death = Death {
            region: object.region,
            site: object.site,
        };
        // The dead stay in the tree: a use after free is told from a wild pointer.
        self.hot[id as usize % HOT] = None;
        self.tree.replace(id, Some(Entry::Dead(death)));
    }

    /// What the address points at.
    pub fn place(&self, address: u64) -> Place {
        let Ok(id) = ObjectId::try_from(id_of(address)) else {
            return Place::Nothing;
        };
        if self.hot[id as usize % HOT]
            .as_ref()
            .is_some_and(|(hot, _)| *hot == id)
        {
            return Place::In(id, offset_of(address));
        }
        if id >= CAPACITY {
            return Place::Nothing;
        }
        match self.tree.get(id) {
            Some(Entry::Alive(_)) => Place::In(id, offset_of(address)),
            Some(Entry::Dead(death)) => Place::Dead(*death),
            None => Place::Nothing,
        }
    }

    /// The living objects that overlap the addresses from `min` to `max`, in order.
    pub fn living(&mut self, min: u64, max: u64) -> Vec<ObjectId> {
        // Hot objects are not in the tree.
        self.settle();
        let clamp = |address: u64| id_of(address).min(u64::from(CAPACITY) - 1) as ObjectId;
        let mut found = Vec::new();
        self.tree.visit(clamp(min), clamp(max), &mut |id, entry| {
            if matches!(entry, Entry::Alive(_)) {
                found.push(id);
            }
        });
        found
    }

    /// The living object with this number.
    #[inline]
    pub fn object(&mut self, id: ObjectId) -> Option<&Object> {
        self.heat(id).map(|object| &**object)
    }

    /// The living object with this number, to be changed; copies it first if
    /// another state shares it.
    #[inline]
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.heat(id).map(Rc::make_mut)
    }

    /// The object in its hot place, which it is moved to if need be.
    #[inline]
    fn heat(&mut self, id: ObjectId) -> Option<&mut Rc<Object>> {
        let at = id as usize % HOT;
        if !matches!(&self.hot[at], Some((hot, _)) if *hot == id) {
            self.fetch(id)?;
        }
        self.hot[at].as_mut().map(|(_, object)| object)
    }

    #[cold]
    fn fetch(&mut self, id: ObjectId) -> Option<()> {
        if id >= CAPACITY {
            return None;
        }
        if !matches!(self.tree.get(id), Some(Entry::Alive(_))) {
            return None;
        }
        self.evict(id);
        // Taken out and not copied: a second reference in the tree would have every
        // write copy the object.
        if let Some(Entry::Alive(object)) = self.tree.replace(id, None) {
            self.hot[id as usize % HOT] = Some((id, object));
        }
        Some(())
    }

    /// Makes room where `id` will be hot.
    fn evict(&mut self, id: ObjectId) {
        if let Some((other, object)) = self.hot[id as usize % HOT].take() {
            self.tree.replace(other, Some(Entry::Alive(object)));
        }
    }

    /// The concrete number in the `n` bytes at `address`; none when that is
    /// not a plain read of concrete bytes.
    #[inline]
    pub fn load(&mut self, address: u64, n: usize) -> Option<u64> {
        let id = ObjectId::try_from(id_of(address)).ok()?;
        let object = self.heat(id)?;
        let offset = offset_of(address);
        if offset + n as u64 > object.size {
            return None;
        }
        object.word(offset as usize, n)
    }

    /// Puts a concrete number into the `n` bytes at `address`; whether it
    /// could, which is only so for a plain write.
    #[inline]
    pub fn store(&mut self, address: u64, n: usize, word: u64) -> bool {
        let Ok(id) = ObjectId::try_from(id_of(address)) else {
            return false;
        };
        let Some(object) = self.heat(id) else {
            return false;
        };
        let offset = offset_of(address);
        if offset + n as u64 > object.size
            || matches!(object.region, Region::Constant | Region::Function)
        {
            return false;
        }
        Rc::make_mut(object).set_word(offset as usize, n, word)
    }
}
