//! Copying and filling memory.
//!
//! A range is checked as a whole before anything is written. Concrete bytes
//! move eight at a time; symbolic ones move as their terms. A symbolic number
//! of bytes is first held to what the objects have room for, which is one
//! error and not one for each number that is too large, and then forked over.

use crate::machine::Machine;
use crate::memory::{Object, ObjectId};
use crate::outcome::{ErrorKind, Halt, error};
use crate::pointers::{Access, Spot};
use crate::state::State;
use crate::value::Value;
use term::{Store, Term};

/// Bytes moved at once.
const WORD: usize = 8;

/// Whether the places that bytes are copied between may overlap. To copy something onto
/// itself is what compilers make of assignments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlap {
    Allowed,
    Wrong,
}

impl Machine<'_> {
    /// Copies `count` bytes between ranges that may overlap.
    pub(super) fn copy_bytes(
        &mut self,
        state: &mut State,
        to: Value,
        from: Value,
        count: Value,
        overlap: Overlap,
    ) -> Result<(), Halt> {
        let ranges = [(from, Access::Read), (to, Access::Write)];
        let n = self.byte_count(state, count, &ranges)?;
        if n == 0 {
            return Ok(());
        }
        let source = self.resolve_access(state, from, n, Access::Read)?;
        let target = self.resolve_access(state, to, n, Access::Write)?;
        if let (Spot::At(source, at), Spot::At(target, start)) = (source, target) {
            let is_apart = source != target || at == start || at.abs_diff(start) as u64 >= n;
            if overlap == Overlap::Wrong && !is_apart {
                let message = format!("memcpy of {n} bytes between places that overlap");
                return error(ErrorKind::Overlap, message);
            }
            let bytes = Bytes::read(&mut self.store, object(state, source), at, n as usize);
            bytes.write(&mut self.store, object_mut(state, target), start);
            return Ok(());
        }
        let bytes = self.read(state, source, n as usize);
        self.write(state, target, &bytes);
        Ok(())
    }

    /// Makes `count` bytes this one.
    pub(super) fn fill_bytes(
        &mut self,
        state: &mut State,
        to: Value,
        byte: Value,
        count: Value,
    ) -> Result<(), Halt> {
        let n = self.byte_count(state, count, &[(to, Access::Write)])?;
        if n == 0 {
            return Ok(());
        }
        let target = self.resolve_access(state, to, n, Access::Write)?;
        if let (Spot::At(target, start), Some(byte)) = (target, byte.as_word()) {
            let bytes = Bytes {
                concrete: vec![byte as u8; n as usize],
                symbolic: Vec::new(),
            };
            bytes.write(&mut self.store, object_mut(state, target), start);
            return Ok(());
        }
        let byte = byte.term(&mut self.store, 8);
        self.write(state, target, &vec![byte; n as usize]);
        Ok(())
    }

    /// The number of bytes on this path, as far as the ranges have room for it.
    fn byte_count(
        &mut self,
        state: &mut State,
        count: Value,
        ranges: &[(Value, Access)],
    ) -> Result<u64, Halt> {
        let Some(term) = count.as_term() else {
            return Ok(count.as_word().expect("what is no term is a word"));
        };
        let width = self.store.width(term);
        let some = self.store.is_nonzero(term);
        let (some, other) = self.split(state, some);
        self.successors.running.extend(other);
        if !some {
            // Nothing is touched, wherever the pointers point.
            return Ok(0);
        }
        let wide = self.store.zext(term, 64);
        for &(address, access) in ranges {
            self.require_room(state, address, wide, access)?;
        }
        Ok(self.concretize(state, count, width))
    }

    /// Ends paths on which more than the rest of the object at `address` would
    /// be touched.
    fn require_room(
        &mut self,
        state: &mut State,
        address: Value,
        count: Term,
        access: Access,
    ) -> Result<(), Halt> {
        let id = match self.resolve_access(state, address, 1, access)? {
            Spot::At(id, _) | Spot::Somewhere(id, _) => id,
        };
        let (base, size) = (object(state, id).base, object(state, id).size);
        let end = self.store.bv(64, base + size);
        let address = address.term(&mut self.store, 64);
        let room = self.store.bv_sub(end, address);
        let fits = self.store.bv_ule(count, room);
        let (kind, verb) = match access {
            Access::Read => (ErrorKind::OutOfBoundsRead, "read"),
            Access::Write => (ErrorKind::OutOfBoundsWrite, "write"),
        };
        let message = format!(
            "{verb} of a symbolic number of bytes past the end of an object of {size} bytes"
        );
        self.require(state, fits, kind, &message)
    }
}

fn object(state: &mut State, id: ObjectId) -> &Object {
    state.memory.object(id).expect("it was resolved")
}

fn object_mut(state: &mut State, id: ObjectId) -> &mut Object {
    state.memory.object_mut(id).expect("it was resolved")
}

/// The contents of a range.
struct Bytes {
    /// All bytes; where one is symbolic, its place.
    concrete: Vec<u8>,
    /// The symbolic ones and where they are.
    symbolic: Vec<(usize, Term)>,
}

impl Bytes {
    fn read(store: &mut Store, object: &Object, at: usize, n: usize) -> Bytes {
        let mut concrete = Vec::with_capacity(n);
        let mut symbolic = Vec::new();
        while concrete.len() < n {
            let done = concrete.len();
            let length = WORD.min(n - done);
            match object.word(at + done, length) {
                Some(word) => concrete.extend_from_slice(&word.to_le_bytes()[..length]),
                None => {
                    for i in done..done + length {
                        let byte = object.byte(store, at + i);
                        symbolic.extend(byte.err().map(|term| (i, term)));
                        concrete.push(byte.unwrap_or(0));
                    }
                }
            }
        }
        Bytes { concrete, symbolic }
    }

    fn write(&self, store: &mut Store, object: &mut Object, at: usize) {
        for (chunk, bytes) in self.concrete.chunks(WORD).enumerate() {
            let mut word = [0; WORD];
            word[..bytes.len()].copy_from_slice(bytes);
            let start = at + WORD * chunk;
            if object.set_word(start, bytes.len(), u64::from_le_bytes(word)) {
                continue;
            }
            // An object that is an array term takes bytes one by one.
            for (i, &byte) in bytes.iter().enumerate() {
                let byte = store.bv(8, byte.into());
                object.set_byte(store, start + i, byte);
            }
        }
        for &(i, term) in &self.symbolic {
            object.set_byte(store, at + i, term);
        }
    }
}
