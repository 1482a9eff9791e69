//! Loads and stores that are not plain: symbolic bytes, symbolic addresses,
//! and every way in which an access can be wrong.

use crate::machine::Machine;
use crate::memory::{INDEX_WIDTH, ObjectId, Place, Region, id_of};
use crate::outcome::{ErrorKind, Stop, error};
use crate::state::State;
use crate::value::{Value, mask, width as width_of};
use program::Kind;
use term::Term;

/// Whether an access reads or writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// Where in an object an access goes.
#[derive(Clone, Copy)]
pub(crate) enum Spot {
    At(ObjectId, usize),
    /// At the index that the 32-bit term gives, which is in bounds.
    Somewhere(ObjectId, Term),
}

/// Objects tried for a symbolic address before the rest is given up.
const MOST_OBJECTS: usize = 64;

impl Machine<'_> {
    pub(crate) fn offset(&mut self, base: Value, offset: i64) -> Value {
        let base = base.term(&mut self.store, 64);
        let offset = self.store.bv(64, offset as u64);
        let sum = self.store.bv_add(base, offset);
        Value::of(&self.store, sum)
    }

    pub(crate) fn index(&mut self, base: Value, index: Value, width: u16, scale: i64) -> Value {
        let base = base.term(&mut self.store, 64);
        let index = index.term(&mut self.store, width);
        let index = self.store.sext(index, 64);
        let scale = self.store.bv(64, scale as u64);
        let distance = self.store.bv_mul(index, scale);
        let sum = self.store.bv_add(base, distance);
        Value::of(&self.store, sum)
    }

    /// The value at an address.
    pub(crate) fn load(
        &mut self,
        state: &mut State,
        address: Value,
        kind: Kind,
    ) -> Result<Value, Stop> {
        let n = kind.bytes() as usize;
        let spot = self.resolve_access(state, address, n as u64, Access::Read)?;
        let bytes = self.read(state, spot, n);
        let whole = bytes
            .into_iter()
            .reduce(|low, high| self.store.concat(high, low))
            .expect("a value has at least one byte");
        let value = self.store.extract(whole, 0, width_of(kind));
        Ok(Value::of(&self.store, value))
    }

    /// Puts a value at an address.
    pub(crate) fn store(
        &mut self,
        state: &mut State,
        address: Value,
        kind: Kind,
        value: Value,
    ) -> Result<(), Stop> {
        let n = kind.bytes() as usize;
        let spot = self.resolve_access(state, address, n as u64, Access::Write)?;
        let term = value.term(&mut self.store, width_of(kind));
        let whole = self.store.zext(term, 8 * n as u16);
        let bytes: Vec<Term> = (0..n)
            .map(|i| self.store.extract(whole, 8 * i as u16, 8))
            .collect();
        self.write(state, spot, &bytes);
        Ok(())
    }

    /// `n` bytes as terms, the first first.
    pub(crate) fn read(&mut self, state: &mut State, spot: Spot, n: usize) -> Vec<Term> {
        match spot {
            Spot::At(id, at) => {
                let object = state.memory.object(id).expect("it was resolved");
                (at..at + n)
                    .map(|at| match object.byte(&mut self.store, at) {
                        Ok(byte) => self.store.bv(8, byte.into()),
                        Err(term) => term,
                    })
                    .collect()
            }
            Spot::Somewhere(id, index) => {
                let object = state.memory.object_mut(id).expect("it was resolved");
                let array = object.array(&mut self.store);
                (0..n as u64)
                    .map(|i| {
                        let offset = self.store.bv(INDEX_WIDTH, i);
                        let at = self.store.bv_add(index, offset);
                        self.store.select(array, at)
                    })
                    .collect()
            }
        }
    }

    /// Puts bytes, the first first.
    pub(crate) fn write(&mut self, state: &mut State, spot: Spot, bytes: &[Term]) {
        match spot {
            Spot::At(id, at) => {
                let object = state.memory.object_mut(id).expect("it was resolved");
                for (i, &byte) in bytes.iter().enumerate() {
                    object.set_byte(&mut self.store, at + i, byte);
                }
            }
            Spot::Somewhere(id, index) => {
                let object = state.memory.object_mut(id).expect("it was resolved");
                let mut array = object.array(&mut self.store);
                for (i, &byte) in bytes.iter().enumerate() {
                    let offset = self.store.bv(INDEX_WIDTH, i as u64);
                    let at = self.store.bv_add(index, offset);
                    array = self.store.store(array, at, byte);
                }
                object.set_array(&self.store, array);
            }
        }
    }

    /// Where an access of `n` bytes goes; a symbolic address is narrowed to
    /// one object, and the path is forked for the others and for errors.
    pub(crate) fn resolve_access(
        &mut self,
        state: &mut State,
        address: Value,
        n: u64,
        access: Access,
    ) -> Result<Spot, Stop> {
        let Some(term) = address.as_term() else {
            let word = address.as_word().expect("what is no term is a word");
            return match self.check_access(state, word, n, access) {
                Ok((id, at)) => Ok(Spot::At(id, at)),
                Err((kind, message)) => error(kind, message),
            };
        };
        let word = self.evaluator.under(&self.store, &state.model).word(term);
        match self.check_access(state, word, n, access) {
            Ok((id, _)) => self.resolve_in(state, term, id, n),
            Err((kind, message)) => self.resolve_elsewhere(state, term, n, access, kind, message),
        }
    }

    /// The model's address is good: stays in its object, and forks the rest.
    fn resolve_in(
        &mut self,
        state: &mut State,
        address: Term,
        id: ObjectId,
        n: u64,
    ) -> Result<Spot, Stop> {
        let object = state.memory.object(id).expect("it was checked");
        let (base, last) = (object.base, object.size - n);
        let inside = self.inside(address, base, last);
        let (_, other) = self.split(state, inside);
        // The other state executes the access again, on other objects.
        self.forked.extend(other);
        let index = self.store.extract(address, 0, INDEX_WIDTH);
        Ok(match self.store.as_word(index) {
            Some(at) => Spot::At(id, at as usize),
            None => Spot::Somewhere(id, index),
        })
    }

    /// Whether `address` lies at most `last` bytes after `base`.
    fn inside(&mut self, address: Term, base: u64, last: u64) -> Term {
        let base = self.store.bv(64, base);
        let offset = self.store.bv_sub(address, base);
        let last = self.store.bv(64, last);
        self.store.bv_ule(offset, last)
    }

    /// The model's address is bad: looks for an object in which the access
    /// could be good, forks for it, and ends this path with the error.
    fn resolve_elsewhere(
        &mut self,
        state: &mut State,
        address: Term,
        n: u64,
        access: Access,
        kind: ErrorKind,
        message: String,
    ) -> Result<Spot, Stop> {
        let facts = *self.store.facts(address);
        let candidates = state.memory.living(facts.min, facts.max);
        if candidates.len() > MOST_OBJECTS {
            self.note(format!(
                "a symbolic pointer may point to any of {} objects; the first {MOST_OBJECTS} were tried",
                candidates.len()
            ));
        }
        for id in candidates.into_iter().take(MOST_OBJECTS) {
            let object = state.memory.object(id).expect("it lives");
            let writable = !matches!(object.region, Region::Constant | Region::Function);
            if object.size < n || (access == Access::Write && !writable) {
                continue;
            }
            let (base, last) = (object.base, object.size - n);
            let inside = self.inside(address, base, last);
            let (holds, other) = self.split(state, inside);
            debug_assert!(!holds, "the model's address is in no object");
            if let Some(good) = other {
                // It meets the other objects itself when it gets there.
                self.forked.push(good);
                break;
            }
        }
        error(kind, message)
    }

    /// The object and offset of a concrete access, or what is wrong with it.
    pub(crate) fn check_access(
        &mut self,
        state: &mut State,
        address: u64,
        n: u64,
        access: Access,
    ) -> Result<(ObjectId, usize), (ErrorKind, String)> {
        let verb = match access {
            Access::Read => "read",
            Access::Write => "write",
        };
        let (id, offset) = match state.memory.place(address) {
            Place::In(id, offset) => (id, offset),
            Place::Dead(death) => {
                let (kind, what) = match death.region {
                    Region::Stack => (ErrorKind::UseAfterReturn, "a local variable that is gone"),
                    _ => (ErrorKind::UseAfterFree, "memory that was freed"),
                };
                return Err((kind, format!("{verb} of {n} bytes in {what}")));
            }
            Place::Nothing if id_of(address) == 0 => {
                let message = match address {
                    0 => format!("{verb} of {n} bytes through a null pointer"),
                    _ => format!("{verb} of {n} bytes at {address:#x}, near the null pointer"),
                };
                return Err((ErrorKind::Null, message));
            }
            Place::Nothing => {
                let message = format!("{verb} of {n} bytes at {address:#x}, where nothing is");
                return Err((out_of_bounds(access), message));
            }
        };
        let object = state.memory.object(id).expect("it lives");
        if object.region == Region::Function {
            let message = format!("{verb} of {n} bytes in the code of a function");
            return Err((out_of_bounds(access), message));
        }
        if offset.saturating_add(n) > object.size {
            let message = describe_overrun(verb, n, offset, object.size);
            return Err((out_of_bounds(access), message));
        }
        if access == Access::Write && object.region == Region::Constant {
            return Err((
                ErrorKind::WriteToConstant,
                format!("write of {n} bytes to constant memory"),
            ));
        }
        Ok((id, offset as usize))
    }
}

fn out_of_bounds(access: Access) -> ErrorKind {
    match access {
        Access::Read => ErrorKind::OutOfBoundsRead,
        Access::Write => ErrorKind::OutOfBoundsWrite,
    }
}

fn describe_overrun(verb: &str, n: u64, offset: u64, size: u64) -> String {
    // An offset in the upper half is one below the object that follows.
    if offset > mask(31) {
        let below = (1u64 << 32) - offset;
        return format!("{verb} of {n} bytes, {below} bytes before an object");
    }
    format!("{verb} of {n} bytes at offset {offset} of an object of {size} bytes")
}
