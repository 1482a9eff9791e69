//! `std::shared_ptr` and `std::weak_ptr` of libc++: a pointer to an object, and one to the
//! block that counts its owners.
//!
//! The block is what is made. Mostly the object is inside of it, as `std::make_shared` has it;
//! where the program never does that, the block leads to it. Both pointers are decided at once.

use super::Staged;
use super::containers::{find, pointed};
use super::describe::{kinds, type_name};
use super::following::followed;
use super::initialise::{decide, set_model};
use super::layout::{Layout, Slot};
use super::lazy::{LazyObject, lazy_mut, objects};
use super::vtables::vtable;
use machine::{Halt, Machine, State};
use program::{Program, TypeId};
use std::rc::Rc;

/// What a block is called that has the object inside.
const WITH_OBJECT: &str = "__shared_ptr_emplace<";
/// What a block is called that leads to the object.
const WITH_POINTER: &str = "__shared_ptr_pointer<";
/// The object in the one, and the pointer to it in the other.
pub(super) const ELEMENT: &str = "__elem_";
pub(super) const POINTER: &str = "__ptr_";
const OWNERS: &str = "__shared_owners_";
const WEAK_OWNERS: &str = "__shared_weak_owners_";
/// The most owners of what is shared: few enough for any program to add some.
const MOST_OWNERS: i64 = u32::MAX as i64;

/// A pointer that shares an object.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// The member.
    pub path: String,
    /// The slots of the pointer to the object and of that to the block.
    pub object: usize,
    pub block: usize,
    /// The type of the object.
    pub type_name: String,
    pub blocks: Vec<Block>,
    /// Whether it does not own the object.
    pub is_weak: bool,
}

/// A block that counts owners.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub name: String,
    /// Where the object is in it, if it is there.
    pub inside: Option<u64>,
}

/// Where a pointer that shares an object may lead.
#[derive(Clone)]
enum Sharing {
    Nowhere,
    Existing(usize, Block),
    New(Block),
    Followed,
}

impl Shared {
    /// The pointer that a structure is, if the program makes blocks that it can lead to; slots
    /// are the bits that they begin at.
    pub fn recognise(program: &Program, id: TypeId, path: &str, bit: u64) -> Option<Shared> {
        let source = &program.source;
        let it = source.debug_type(source.resolved(id));
        let is_weak = it.name.starts_with("weak_ptr<");
        if !is_weak && !it.name.starts_with("shared_ptr<") {
            return None;
        }
        let (object, block) = (
            find(source, id, POINTER)?.1,
            find(source, id, "__cntrl_")?.1,
        );
        let own = type_name(source, *it.arguments.first()?)?;
        let blocks = blocks(program, &own);
        (!blocks.is_empty()).then(|| Shared {
            path: path.to_owned(),
            object: (bit + object) as usize,
            block: (bit + block) as usize,
            type_name: own,
            blocks,
            is_weak,
        })
    }

    /// Says so of a structure that has been taken apart.
    pub fn add_to(self, layout: &mut Layout) {
        let slot = |bit: usize| layout.slots.iter().position(|it| it.bit == bit as u64);
        if let (Some(object), Some(block)) = (slot(self.object), slot(self.block)) {
            layout.slots[block].lead_to(&self.blocks[0].name);
            layout.shared.push(Shared {
                object,
                block,
                ..self
            });
        }
    }

    /// The same in an array, where its slots come so many later.
    pub fn moved(&self, slots: usize, path: String) -> Shared {
        Shared {
            path,
            object: self.object + slots,
            block: self.block + slots,
            ..self.clone()
        }
    }

    pub fn slots(&self) -> [usize; 2] {
        [self.block, self.object]
    }
}

/// The blocks of a program for objects of a type: those with the object inside, or else those
/// that lead to it. None if there are blocks for classes derived from the type, of which a
/// pointer would lead to some too.
fn blocks(program: &Program, own: &str) -> Vec<Block> {
    let source = &program.source;
    let types = (0..source.types.len()).map(TypeId::from_index);
    let mut with_object: Vec<Block> = Vec::new();
    let mut with_pointer: Vec<Block> = Vec::new();
    for id in types {
        let it = source.debug_type(id);
        if !is_block(&it.name) {
            continue;
        }
        let element = element_of(program, id);
        let leads_to = || pointed(source, find(source, id, POINTER)?.0);
        let Some(shared) = element.map(|(id, _)| id).or_else(leads_to) else {
            continue;
        };
        let Some(name) = type_name(source, shared) else {
            continue;
        };
        let mut counted = kinds(source, &name, shared).into_iter();
        if !counted.any(|kind| kind == own) || vtable(program, id, 0).is_none() {
            continue;
        }
        if name != own {
            return Vec::new();
        }
        let block = Block {
            name: it.name.clone(),
            inside: element.map(|(_, start)| start / 8),
        };
        match block.inside {
            Some(_) => with_object.push(block),
            None => with_pointer.push(block),
        }
    }
    let mut found = match with_object.is_empty() {
        true => with_pointer,
        false => with_object,
    };
    found.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    // One is like the other, and which of them it is nobody sees.
    found.truncate(1);
    found
}

/// The object in a block, and the bit that it begins at.
pub(super) fn element_of(program: &Program, block: TypeId) -> Option<(TypeId, u64)> {
    let source = &program.source;
    let it = source.debug_type(source.resolved(block));
    if !it.name.starts_with(WITH_OBJECT) {
        return None;
    }
    let (_, start) = find(source, block, "__storage_")?;
    Some((*it.arguments.first()?, start))
}

/// What the object in a block counts as.
pub(super) fn element_kinds(program: &Program, block: TypeId) -> Vec<String> {
    let source = &program.source;
    let own = element_of(program, block);
    let own = own.and_then(|(id, _)| Some((type_name(source, id)?, id)));
    own.map_or(Vec::new(), |(name, id)| kinds(source, &name, id))
}

/// Whether a structure is a block that counts owners, by its name.
pub(super) fn is_block(name: &str) -> bool {
    name.starts_with(WITH_OBJECT) || name.starts_with(WITH_POINTER)
}

/// Whether a slot of a block leads to its object.
pub(super) fn is_pointer_of_block(type_name: &str, path: &str) -> bool {
    type_name.starts_with(WITH_POINTER) && path == POINTER
}

impl Staged<'_> {
    /// Decides where both parts of a pointer lead, unless that was done.
    pub(super) fn decide_shared(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        object: usize,
        shared: &Shared,
    ) -> Result<(), Halt> {
        let place = (object, shared.block);
        if objects(state).linked.contains(&place) {
            return Ok(());
        }
        self.agree(machine, state, object, &shared.slots())?;
        let ways = self.sharings(state, object, shared);
        state.progress.depth += u64::from(ways.len() > 1);
        machine.go_each_way(state, ways.len(), |machine, path, number| {
            Rc::make_mut(&mut lazy_mut(path).linked).insert(place);
            self.share(machine, path, object, shared, &ways[number])
        })
    }

    fn sharings(&self, state: &State, object: usize, shared: &Shared) -> Vec<Sharing> {
        let lazy = objects(state);
        let argument = lazy.objects[object].argument;
        if lazy.follows() && followed(state).argument == argument {
            return vec![Sharing::Followed];
        }
        let bounds = self.bounds(argument);
        let mut ways = vec![Sharing::Nowhere];
        for number in lazy.of_argument(argument) {
            let name = &lazy.objects[number].layout.name;
            let block = shared.blocks.iter().find(|block| block.name == *name);
            ways.extend(block.map(|block| Sharing::Existing(number, block.clone())));
        }
        for block in &shared.blocks {
            let mut kinds = self.layouts.borrow().kinds(&block.name);
            kinds.push(shared.type_name.clone());
            let has_room = |kind: &String| lazy.count(argument, kind) < bounds.most_objects(kind);
            if kinds.iter().all(has_room) {
                ways.push(Sharing::New(block.clone()));
            }
        }
        ways
    }

    fn share(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        object: usize,
        shared: &Shared,
        sharing: &Sharing,
    ) -> Result<(), Halt> {
        let own = objects(state).objects[object].clone();
        let (block, number) = match sharing {
            Sharing::Nowhere => {
                for slot in shared.slots() {
                    decide(machine, state, &own, &own.layout.slots[slot], 0);
                }
                return Ok(());
            }
            Sharing::Followed => return self.follow_shared(machine, state, &own, object, shared),
            Sharing::Existing(number, block) => (block, *number),
            Sharing::New(block) => {
                let layout = self.layout(&block.name);
                let number = self.lazy_object(machine, state, own.argument, layout)?;
                self.fill_lazily(machine, state, number, false)?;
                if block.inside.is_none() {
                    let layout = self.layout(&shared.type_name);
                    let element = self.lazy_object(machine, state, own.argument, layout)?;
                    self.fill_lazily(machine, state, element, false)?;
                    let address = objects(state).address(element);
                    let there = objects(state).objects[number].clone();
                    let slot = slot_of(&there, POINTER);
                    decide(machine, state, &there, slot, address);
                }
                (block, number)
            }
        };
        let there = objects(state).objects[number].clone();
        let Some(address) = shared_address(machine, state, &there, block) else {
            return Ok(());
        };
        let slots = &own.layout.slots;
        decide(machine, state, &own, &slots[shared.block], there.address);
        decide(machine, state, &own, &slots[shared.object], address);
        let is_new = matches!(sharing, Sharing::New(_));
        self.count_sharers(machine, state, number, is_new)
    }

    /// Makes both pointers lead where the solution says that the path follows.
    fn follow_shared(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        object: usize,
        shared: &Shared,
    ) -> Result<(), Halt> {
        let mut addresses = [0; 2];
        for (slot, address) in shared.slots().into_iter().zip(&mut addresses) {
            let target = followed(state).target(object, &own.layout.slots[slot].path);
            *address = self.point(machine, state, (object, slot), &target)?;
        }
        let [block, address] = addresses;
        if block == 0 && address == 0 {
            return Ok(());
        }
        let mut all = objects(state).objects.iter();
        let number = all.position(|it| it.address == block);
        let known = number.and_then(|number| {
            let there = objects(state).objects[number].clone();
            let mut blocks = shared.blocks.iter();
            Some((
                number,
                blocks.find(|it| it.name == there.layout.name)?.clone(),
            ))
        });
        let why = "has a pointer that shares something else than its block counts owners of";
        let Some((number, block)) = known else {
            return Err(self.misfit(machine, state, why));
        };
        let there = objects(state).objects[number].clone();
        if block.inside.is_none() {
            let mut slots = there.layout.slots.iter();
            let slot = slots.position(|slot| slot.path == POINTER);
            let slot = slot.expect("such a block leads to its object");
            let term =
                there
                    .layout
                    .term(&mut machine.store, &there.layout.slots[slot], &there.bytes);
            if !objects(state).decided.contains_key(&term) {
                let target = followed(state).target(number, POINTER);
                self.point(machine, state, (number, slot), &target)?;
            }
        }
        match shared_address(machine, state, &there, &block) == Some(address) {
            true => self.count_sharers(machine, state, number, false),
            false => Err(self.misfit(machine, state, why)),
        }
    }

    /// Has a block count the pointers that lead to it. There may be more than can be reached
    /// from here, and nobody else may own what a weak pointer leads to.
    fn count_sharers(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        number: usize,
        is_new: bool,
    ) -> Result<(), Halt> {
        let block = objects(state).objects[number].clone();
        let (strong, weak) = sharers(machine, state, &block);
        // What is counted is one less than there are owners, and all of them are one more that
        // knows of the block.
        for (path, known) in [(OWNERS, strong - 1), (WEAK_OWNERS, weak)] {
            let slot = slot_of(&block, path);
            if is_new {
                // Nothing has been assumed of it yet.
                let first = (slot.bit / 8) as usize;
                let bytes = &block.bytes[first..first + 8];
                set_model(&machine.store, state, bytes, &known.to_le_bytes());
            }
            let enough = block.number_within(machine, slot, known, MOST_OWNERS);
            self.hold_to(machine, state, enough)?;
        }
        Ok(())
    }
}

/// How many pointers are known to own what a block is for, and how many to lead to it weakly.
fn sharers(machine: &mut Machine<'_>, state: &State, block: &LazyObject) -> (i64, i64) {
    let lazy = objects(state);
    let (mut strong, mut weak) = (0, 0);
    for own in lazy.objects.iter().filter(|own| !own.bytes.is_empty()) {
        for shared in &own.layout.shared {
            let slot = &own.layout.slots[shared.block];
            let term = own.layout.term(&mut machine.store, slot, &own.bytes);
            if lazy.decided.get(&term) == Some(&block.address) {
                match shared.is_weak {
                    true => weak += 1,
                    false => strong += 1,
                }
            }
        }
    }
    (strong, weak)
}

/// The object that a block is for.
fn shared_address(
    machine: &mut Machine<'_>,
    state: &State,
    there: &LazyObject,
    block: &Block,
) -> Option<u64> {
    if let Some(inside) = block.inside {
        return Some(there.address + inside);
    }
    let slot = slot_of(there, POINTER);
    let term = there.layout.term(&mut machine.store, slot, &there.bytes);
    objects(state).decided.get(&term).copied()
}

fn slot_of<'a>(object: &'a LazyObject, path: &str) -> &'a Slot {
    let slot = object.layout.slots.iter().find(|slot| slot.path == path);
    slot.expect("blocks have the members that their library gives them")
}
