//! Pointers that share an object on a path: both of their parts are decided at once, and the
//! block counts those that are known.

use super::Staged;
use super::following::followed;
use super::initialise::set_model;
use super::layout::Slot;
use super::lazy::{LazyObject, lazy_mut, objects};
use super::shared::{Block, POINTER, Shared};
use machine::{Halt, Machine, State};
use std::rc::Rc;

const OWNERS: &str = "__shared_owners_";
const WEAK_OWNERS: &str = "__shared_weak_owners_";
/// The most owners of what is shared: few enough for any program to add some.
const MOST_OWNERS: i64 = u32::MAX as i64;

/// Where a pointer that shares an object may lead.
#[derive(Clone)]
enum Sharing {
    Nowhere,
    Existing(usize, Block),
    New(Block),
    Followed,
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
                    self.decide(machine, state, &own, &own.layout.slots[slot], 0);
                }
                return Ok(());
            }
            Sharing::Followed => return self.follow_shared(machine, state, &own, object, shared),
            Sharing::Existing(number, block) => (block, *number),
            Sharing::New(block) => {
                let layout = self.layout(&block.name);
                let number = self.free_object(machine, state, own.argument, layout)?;
                if block.inside.is_none() {
                    let layout = self.layout(&shared.type_name);
                    let element = self.free_object(machine, state, own.argument, layout)?;
                    let address = objects(state).address(element);
                    let there = objects(state).objects[number].clone();
                    let slot = slot_of(&there, POINTER);
                    self.decide(machine, state, &there, slot, address);
                }
                (block, number)
            }
        };
        let there = objects(state).objects[number].clone();
        let Some(address) = shared_address(machine, state, &there, block) else {
            return Ok(());
        };
        let slots = &own.layout.slots;
        self.decide(machine, state, &own, &slots[shared.block], there.address);
        self.decide(machine, state, &own, &slots[shared.object], address);
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
            if !objects(state).decided.contains(&term) {
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
