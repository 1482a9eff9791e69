//! `ep_old`: what objects were before the method, for what has to hold after it.
//!
//! The bytes of an object before the method are its inputs, so that nothing has to be kept
//! while the method runs: a copy is made of them when somebody asks. Pointers between copies
//! lead to copies. One that nobody has looked at leads, once somebody does, to the object
//! itself, which the method has not changed either.

use super::initialise::put_vtables;
use super::layout::{Pointee, SlotKind};
use super::lazy::{LazyObject, LazyObjects, lazy_mut, objects};
use super::regenerate::spot_of;
use super::{Calls, Role, Staged};
use machine::{Allocator, Halt, Machine, Region, Returned, State, Value, unsupported};
use program::Kind;
use std::rc::Rc;

/// The function that headers call for `ep_old`.
pub const FUNCTION: &str = "__ep_old";

impl Staged<'_> {
    /// Where the copy is of what a pointer leads to.
    pub(super) fn old(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        pointer: Value,
    ) -> Result<Returned, Halt> {
        let calls = state.marks.get::<Calls>();
        if !calls.is_some_and(|calls| calls.role == Role::Postcondition) {
            return unsupported("`ep_old` outside of what has to hold after a method");
        }
        let Some(address) = pointer.as_word() else {
            return unsupported("`ep_old` of a symbolic address");
        };
        if address == 0 {
            return Ok(Returned::Value(pointer));
        }
        if objects(state).copies.is_empty() {
            self.copy_objects(machine, state)?;
        }
        match objects(state).copy_of(address) {
            Some(copy) => Ok(Returned::Value(Value::word(copy))),
            None => unsupported("`ep_old` of what the method was not given"),
        }
    }

    fn copy_objects(&self, machine: &mut Machine<'_>, state: &mut State) -> Result<(), Halt> {
        let all = objects(state).objects.clone();
        let mut copies = Vec::new();
        for object in all.iter() {
            let size = object.layout.size;
            copies.push(machine.allocate(state, size, Region::Heap(Allocator::Any))?);
        }
        lazy_mut(state).copies = Rc::new(copies);
        for (number, object) in all.iter().enumerate() {
            self.copy_object(machine, state, number, object)?;
        }
        Ok(())
    }

    fn copy_object(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        number: usize,
        object: &LazyObject,
    ) -> Result<(), Halt> {
        let copy = objects(state).copies[number];
        if object.bytes.is_empty() {
            return Ok(());
        }
        let spot = spot_of(state, copy).expect("there is room for it");
        machine.write(state, spot, &object.bytes);
        put_vtables(machine, state, &object.layout, copy)?;
        for slot in &object.layout.slots {
            let SlotKind::Pointer(Pointee::Object(_)) = slot.kind else {
                continue;
            };
            let term = (object.layout).term(&mut machine.store, slot, &object.bytes);
            let Some(&decided) = objects(state).decided.get(&term) else {
                continue;
            };
            let target = objects(state).copy_of(decided).unwrap_or(decided);
            let place = Value::word(copy + slot.bit / 8);
            machine.store(state, place, Kind::Ptr, Value::word(target))?;
        }
        Ok(())
    }
}

impl LazyObjects {
    /// Where the copy is of what an address leads to. Objects that were met after the copies
    /// were made are as they were, and so are copies.
    fn copy_of(&self, address: u64) -> Option<u64> {
        let mut copies = self.copies.iter().zip(self.objects.iter());
        if copies.any(|(&copy, it)| (copy..=copy + it.layout.size).contains(&address)) {
            return Some(address);
        }
        let mut all = self.objects.iter().enumerate();
        all.find_map(|(number, object)| {
            let is_end =
                object.layout.element().is_some() && address == object.address + object.layout.size;
            let offset = match is_end {
                true => object.layout.size,
                false => object.offset_of(address)?,
            };
            let copy = self.copies.get(number).copied();
            Some(copy.unwrap_or(object.address) + offset)
        })
    }
}
