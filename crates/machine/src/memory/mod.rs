//! Program memory: objects with bounds and a life, at addresses that never
//! run into each other ([`layout`]).
//!
//! Numbers of stack and heap objects are handed out in turn and used again only
//! after all the others, so that a stale pointer meets a dead object and not a
//! new one. Objects at addresses of the program's choice ([`fixed`]) are outside this order.

mod fixed;
mod layout;
mod object;
mod radix;

use fixed::Fixed;
use layout::{Layout, Site};
pub(crate) use object::INDEX_WIDTH;
pub use object::{Allocator, Object, Region};
pub(crate) use radix::{CAPACITY, Radix};
use std::ops::Range;
use std::rc::Rc;

/// The greatest size of one object.
pub const MAX_OBJECT: u64 = 1 << 32;
/// More memory than systems promise one process: what is larger is never there. Between this
/// and [`MAX_OBJECT`] it depends on the system.
pub const MAX_MEMORY: u64 = 1 << 38;
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
    layout: Layout,
    /// Where the next global goes.
    next_global: ObjectId,
    /// Where the next object goes, if there is room.
    next: ObjectId,
    /// The first number that may be used again.
    reusable: ObjectId,
    /// Objects where the program wants them. Hardly any program has one, and the others pay
    /// a comparison with null for it.
    fixed: Option<Rc<Fixed>>,
}

#[derive(Clone)]
enum Entry {
    Alive(Rc<Object>),
    /// One of the further slots of the living object of this number.
    Part(ObjectId),
    /// A local variable outside of its block.
    Asleep(Rc<Object>),
    Dead(Death),
}

/// How an object ended, for messages about pointers to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Death {
    /// Where it had lived.
    pub region: Region,
    /// The instruction that had made it.
    pub site: u32,
    /// Where it had begun.
    pub base: u64,
    /// Whether it is a local variable of a function that still runs.
    pub is_asleep: bool,
}

impl Death {
    fn of(object: &Object, is_asleep: bool) -> Death {
        Death {
            region: object.region,
            site: object.site,
            base: object.base,
            is_asleep,
        }
    }
}

/// What there is under a number.
pub enum Found<'m> {
    /// A living object.
    Alive(&'m Object),
    /// One that no longer lives.
    Dead(Death),
    /// None that ever was.
    Nothing,
}

/// What an address points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Into a living object or near it, at this distance from its beginning, which may
    /// be past its end.
    In(ObjectId, i64),
    /// Into an object that no longer lives.
    Dead(Death),
    /// At nothing that ever was.
    Nothing,
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
            fixed: self.fixed.clone(),
            ..*self
        }
    }
}

impl Memory {
    /// Memory with room for globals of these sizes.
    pub fn for_globals(sizes: impl Iterator<Item = u64> + Clone) -> Memory {
        let layout = Layout::for_globals(sizes);
        let far = layout.far().start;
        Memory {
            tree: Radix::new(),
            hot: Default::default(),
            layout,
            next_global: layout.near().start,
            next: far,
            reusable: far,
            fixed: None,
        }
    }

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

    /// A new global, and its number.
    pub fn allocate_global(&mut self, size: u64, alignment: u64) -> Option<(ObjectId, u64)> {
        let site = self.layout.site(self.next_global, size, alignment);
        let beyond = self.next_global + site.slots;
        if !self.layout.is_near(size) || beyond > self.layout.near().end {
            return self.allocate(size, alignment, Region::Global, 0);
        }
        let id = std::mem::replace(&mut self.next_global, beyond);
        self.put(id, site, Object::new(site.address, size, Region::Global, 0));
        Some((id, site.address))
    }

    /// A new object of zeros: its number and address; none when there is no room left.
    pub fn allocate(
        &mut self,
        size: u64,
        alignment: u64,
        region: Region,
        made_at: u32,
    ) -> Option<(ObjectId, u64)> {
        let (id, site) = self.free_site(size, alignment)?;
        self.put(id, site, Object::new(site.address, size, region, made_at));
        Some((id, site.address))
    }

    /// A new global of zeros at an address of the program's choice; none when something
    /// else is there.
    pub fn allocate_at(&mut self, address: u64, size: u64) -> Option<ObjectId> {
        let last = address.checked_add(size.checked_sub(1)?)?;
        if size > MAX_OBJECT || self.is_in_use(address, last) {
            return None;
        }
        let fixed = Rc::make_mut(self.fixed.get_or_insert_default());
        let id = self.layout.beyond() + fixed.made();
        if id >= CAPACITY {
            return None;
        }
        fixed.insert(address, last, id);
        let object = Object::new(address, size, Region::Global, 0);
        self.tree.replace(id, Some(Entry::Alive(Rc::new(object))));
        Some(id)
    }

    /// Whether a byte from `first` to `last` belongs to a living object.
    fn is_in_use(&mut self, first: u64, last: u64) -> bool {
        self.living(first, last).into_iter().any(|id| {
            self.object(id)
                .is_some_and(|there| first < there.base + there.size && there.base <= last)
        })
    }

    fn put(&mut self, id: ObjectId, site: Site, object: Object) {
        for further in 1..site.slots {
            self.tree.replace(id + further, Some(Entry::Part(id)));
        }
        self.evict(id);
        self.hot[id as usize % HOT] = Some((id, Rc::new(object)));
    }

    /// The next place with room for an object. Round and round rather than the lowest: a
    /// number that was just given back would make a stale pointer look good.
    fn free_site(&mut self, size: u64, alignment: u64) -> Option<(ObjectId, Site)> {
        let Range { end, .. } = self.layout.far();
        for _ in self.reusable..end {
            let id = self.next;
            let site = self.layout.site(id, size, alignment);
            if id + site.slots > end {
                self.next = self.reusable;
                continue;
            }
            let last = site.address.saturating_add(size);
            let fixed = self.fixed.as_ref();
            match (id..id + site.slots).rfind(|&id| self.is_taken(id)) {
                Some(taken) => self.next = taken + 1,
                None if fixed.is_some_and(|fixed| fixed.meets(site.address, last)) => {
                    self.next = id + 1;
                }
                None => {
                    self.next = id + site.slots;
                    return Some((id, site));
                }
            }
        }
        None
    }

    fn is_taken(&self, id: ObjectId) -> bool {
        let hot = &self.hot[id as usize % HOT];
        hot.as_ref().is_some_and(|(hot, _)| *hot == id)
            || matches!(
                self.tree.get(id),
                Some(Entry::Alive(_) | Entry::Part(_) | Entry::Asleep(_))
            )
    }

    /// Ends the block of a local variable. What it held stays, as it does natively.
    pub fn put_to_sleep(&mut self, id: ObjectId) {
        self.evict(id);
        if let Some(Entry::Alive(object)) = self.tree.get(id) {
            let object = object.clone();
            self.tree.replace(id, Some(Entry::Asleep(object)));
        }
    }

    /// Begins the block again; nothing to do for what is alive.
    pub fn wake(&mut self, id: ObjectId) {
        if let Some(Entry::Asleep(object)) = self.tree.get(id) {
            let object = object.clone();
            self.tree.replace(id, Some(Entry::Alive(object)));
        }
    }

    /// Ends an object's life.
    pub fn release(&mut self, id: ObjectId) {
        if self.object(id).is_none() {
            self.wake(id);
        }
        let Some(object) = self.object(id) else {
            return;
        };
        let death = Death::of(object, false);
        // The dead stay in the tree: a use after free is told from a wild pointer.
        self.hot[id as usize % HOT] = None;
        self.tree.replace(id, Some(Entry::Dead(death)));
        let mut further = id + 1;
        while let Some(Entry::Part(first)) = self.tree.get(further)
            && *first == id
        {
            self.tree.replace(further, Some(Entry::Dead(death)));
            further += 1;
        }
    }

    /// The number of the object that an address is in or near; if there is none, one
    /// that no object has.
    #[inline]
    pub fn id_of(&self, address: u64) -> ObjectId {
        if let Some(fixed) = &self.fixed
            && let Some(id) = fixed.at(address)
        {
            return id;
        }
        let slot = self.layout.slot(address);
        match self.tree.get(slot) {
            Some(Entry::Part(first)) => *first,
            _ => slot,
        }
    }

    /// What there is under a number.
    pub fn find(&self, id: ObjectId) -> Found<'_> {
        if let Some((hot, object)) = &self.hot[id as usize % HOT]
            && *hot == id
        {
            return Found::Alive(object);
        }
        match self.tree.get(id) {
            Some(Entry::Alive(object)) => Found::Alive(object),
            Some(Entry::Asleep(object)) => Found::Dead(Death::of(object, true)),
            Some(Entry::Dead(death)) => Found::Dead(*death),
            Some(Entry::Part(_)) | None => Found::Nothing,
        }
    }

    /// What the address points at.
    pub fn place(&self, address: u64) -> Place {
        let id = self.id_of(address);
        match self.find(id) {
            Found::Alive(object) => Place::In(id, address.wrapping_sub(object.base) as i64),
            Found::Dead(death) => Place::Dead(death),
            Found::Nothing => Place::Nothing,
        }
    }

    /// Whether the address is one of an object, or of one that lives no longer.
    pub fn knows(&self, address: u64) -> bool {
        match self.find(self.id_of(address)) {
            Found::Alive(object) => address.wrapping_sub(object.base) <= object.size,
            Found::Dead(death) => address >= death.base,
            Found::Nothing => false,
        }
    }

    /// Whether the address is what comes of computing with null.
    pub fn is_near_null(&self, address: u64) -> bool {
        address.wrapping_add(self.null_page()) < 2 * self.null_page()
    }

    /// Below this address there is nothing.
    pub fn null_page(&self) -> u64 {
        self.layout.null_page()
    }

    /// The living objects that may overlap the addresses from `min` to `max`, in order;
    /// those at addresses of the program's choice come last.
    pub fn living(&mut self, min: u64, max: u64) -> Vec<ObjectId> {
        // Hot objects are not in the tree.
        self.settle();
        let (slot, last) = (self.layout.slot(min), self.layout.slot(max));
        let first = match self.tree.get(slot) {
            Some(Entry::Part(first)) => *first,
            _ => slot,
        };
        let mut found = Vec::new();
        self.tree.visit(first, last, &mut |id, entry| {
            if matches!(entry, Entry::Alive(_)) {
                found.push(id);
            }
        });
        if let Some(fixed) = &self.fixed {
            let lives = |id: &ObjectId| matches!(self.tree.get(*id), Some(Entry::Alive(_)));
            found.extend(fixed.between(min, max).filter(lives));
        }
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

    /// The object that an address is in or near.
    #[inline]
    fn heat_at(&mut self, address: u64) -> Option<&mut Rc<Object>> {
        if self.fixed.is_some() {
            return self.heat(self.id_of(address));
        }
        let slot = self.layout.slot(address);
        let at = slot as usize % HOT;
        if matches!(&self.hot[at], Some((hot, _)) if *hot == slot) {
            return self.hot[at].as_mut().map(|(_, object)| object);
        }
        let id = self.id_of(address);
        self.heat(id)
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
        let object = self.heat_at(address)?;
        let offset = address.wrapping_sub(object.base);
        if offset.saturating_add(n as u64) > object.size {
            return None;
        }
        object.word(offset as usize, n)
    }

    /// Puts a concrete number into the `n` bytes at `address`; whether it
    /// could, which is only so for a plain write.
    #[inline]
    pub fn store(&mut self, address: u64, n: usize, word: u64) -> bool {
        let Some(object) = self.heat_at(address) else {
            return false;
        };
        let offset = address.wrapping_sub(object.base);
        if offset.saturating_add(n as u64) > object.size
            || matches!(object.region, Region::Constant | Region::Function)
        {
            return false;
        }
        Rc::make_mut(object).set_word(offset as usize, n, word)
    }
}
