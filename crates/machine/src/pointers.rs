//! Loads and stores that are not plain: symbolic bytes, symbolic addresses,
//! and every way in which an access can be wrong.

use crate::incomplete::Incomplete;
use crate::machine::Machine;
use crate::memory::{Found, INDEX_WIDTH, ObjectId, Place, Region};
use crate::outcome::{ErrorKind, Halt, error, unsupported};
use crate::state::State;
use crate::value::{Value, width as width_of};
use program::Kind;
use term::{Op, Term, choices};

/// Whether an access reads or writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

impl Access {
    /// What messages call it.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
        }
    }
}

/// Where in an object an access goes.
#[derive(Clone, Copy)]
pub enum Spot {
    /// At this offset.
    At(ObjectId, usize),
    /// At the index that the 32-bit term gives, which is in bounds.
    Somewhere(ObjectId, Term),
}

/// Objects tried for a symbolic address before the rest is given up.
const MOST_OBJECTS: usize = 1024;
/// How far from an object an address may be and still be meant for it.
const NEAR: i64 = 1 << 16;

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
    ///
    /// # Errors
    ///
    /// When the access is wrong, or the path forked and another state goes on.
    pub fn load(&mut self, state: &mut State, address: Value, kind: Kind) -> Result<Value, Halt> {
        let n = kind.bytes() as usize;
        let spot = self.resolve_access(state, address, n as u64, Access::Read)?;
        let spot = self.told_apart(state, spot);
        let bytes = self.read(state, spot, n);
        let whole = bytes
            .into_iter()
            .reduce(|low, high| self.store.concat(high, low))
            .expect("a value has at least one byte");
        let value = self.store.extract(whole, 0, width_of(kind));
        // Lazy initialisation (Khurshid, Păsăreanu, Visser 2003): a pointer of an object
        // that nobody has looked at is decided now, when it is first loaded.
        let policy = self.policy.clone();
        if let Some(address) = policy.loaded(self, state, value)? {
            // Whoever loads it again finds a plain word.
            let word = address.as_word().expect("it was decided");
            let bytes = word.to_le_bytes().map(|byte| self.store.bv(8, byte.into()));
            self.write(state, spot, &bytes[..n]);
            return Ok(address);
        }
        Ok(Value::of(&self.store, value))
    }

    /// Puts a value at an address.
    ///
    /// # Errors
    ///
    /// When the access is wrong, or the path forked and another state goes on.
    pub fn store(
        &mut self,
        state: &mut State,
        address: Value,
        kind: Kind,
        value: Value,
    ) -> Result<(), Halt> {
        let n = kind.bytes() as usize;
        let spot = self.resolve_access(state, address, n as u64, Access::Write)?;
        let spot = self.told_apart(state, spot);
        let term = value.term(&mut self.store, width_of(kind));
        let whole = self.store.zext(term, 8 * n as u16);
        let bytes: Vec<Term> = (0..n)
            .map(|i| self.store.extract(whole, 8 * i as u16, 8))
            .collect();
        self.write(state, spot, &bytes);
        Ok(())
    }

    /// One offset of an access to an object whose accesses the policy wants told apart;
    /// the others are forked.
    fn told_apart(&mut self, state: &mut State, spot: Spot) -> Spot {
        let Spot::Somewhere(id, index) = spot else {
            return spot;
        };
        let base = state.memory.object(id).map_or(0, |object| object.base);
        match self.policy.tells_offsets_apart(state, base) {
            true => Spot::At(id, self.one_offset(state, index)),
            false => spot,
        }
    }

    /// One of the offsets that an access may have; the path is forked for the others.
    fn one_offset(&mut self, state: &mut State, index: Term) -> usize {
        let at = self.word(state, index);
        let constant = self.store.bv(INDEX_WIDTH, at);
        let here = self.store.eq(index, constant);
        let (_, other) = self.split(state, here);
        // The other state executes the access again, at another offset.
        self.successors.running.extend(other);
        at as usize
    }

    /// One of the addresses of an atomic access, where threads order themselves by what is
    /// there; the path is forked for the others.
    ///
    /// # Errors
    ///
    /// When the access is wrong.
    pub(crate) fn one_place(
        &mut self,
        state: &mut State,
        address: Value,
        kind: Kind,
        access: Access,
    ) -> Result<Value, Halt> {
        if !state.is_threaded || address.as_word().is_some() {
            return Ok(address);
        }
        let (id, at) = match self.resolve(state, address, kind.bytes().into(), access)? {
            Spot::At(id, at) => (id, at),
            Spot::Somewhere(id, index) => (id, self.one_offset(state, index)),
        };
        let object = state.memory.object(id).expect("it was resolved");
        Ok(Value::word(object.base + at as u64))
    }

    /// `n` bytes as terms, the first first.
    pub fn read(&mut self, state: &mut State, spot: Spot, n: usize) -> Vec<Term> {
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
    pub fn write(&mut self, state: &mut State, spot: Spot, bytes: &[Term]) {
        match spot {
            Spot::At(id, at) => {
                let object = state.memory.object_mut(id).expect("it was resolved");
                for (i, &byte) in bytes.iter().enumerate() {
                    object.set_byte(&mut self.store, at + i, byte);
                }
            }
            Spot::Somewhere(id, index) => {
                let object = state.memory.object_mut(id).expect("it was resolved");
                // Which byte changes is the solver's to say: from here on the object is
                // what the term says.
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
    ///
    /// # Errors
    ///
    /// When the access is wrong.
    pub fn resolve_access(
        &mut self,
        state: &mut State,
        address: Value,
        n: u64,
        access: Access,
    ) -> Result<Spot, Halt> {
        let spot = self.resolve(state, address, n, access)?;
        if state.is_threaded {
            self.note_access(state, spot, n, access)?;
        }
        Ok(spot)
    }

    fn resolve(
        &mut self,
        state: &mut State,
        address: Value,
        n: u64,
        access: Access,
    ) -> Result<Spot, Halt> {
        let Some(term) = address.as_term() else {
            let word = address.as_word().expect("what is no term is a word");
            return match self.check_access(state, word, n, access) {
                Ok((id, at)) => Ok(Spot::At(id, at)),
                Err((kind, message)) => error(kind, message),
            };
        };
        self.must_be_determined_term(state, term, "an address")?;
        let word = self.word(state, term);
        let owner = self.owner(state, term);
        let id = owner.unwrap_or_else(|| state.memory.id_of(word));
        match self.check_in(state, id, word, n, access) {
            Ok((id, _)) => self.resolve_in(state, term, id, n),
            Err(wrong) => {
                if let Some(what) = self.policy.opaque(self, state, term) {
                    let verb = access.verb();
                    return unsupported(format!("a {verb} of {what}, of which no type is given"));
                }
                self.resolve_elsewhere(state, term, owner, n, access, wrong)
            }
        }
    }

    /// The object that a symbolic address was computed from, as far as its term
    /// tells: a known address plus what is symbolic. Such an address is wrong in
    /// every other object, even where it meets one.
    fn owner(&self, state: &mut State, address: Term) -> Option<ObjectId> {
        // Addresses are sums of one base and offsets. The constants of the sum are the
        // base and what is near it, if offsets are small.
        let mut sum = 0u64;
        let mut rest = vec![address];
        while let Some(term) = rest.pop() {
            match self.store.as_word(term) {
                Some(word) => sum = sum.wrapping_add(word),
                None if self.store.op(term) == Op::BvAdd => rest.extend(self.store.args(term)),
                None => {}
            }
        }
        let near = match state.memory.place(sum) {
            Place::In(id, distance) => {
                let size = state.memory.object(id).map_or(0, |object| object.size);
                (-NEAR..=size as i64 + NEAR).contains(&distance)
            }
            Place::Dead(_) => true,
            Place::Nothing => false,
        };
        near.then(|| state.memory.id_of(sum))
    }

    /// The model's address is good: stays in its object, and forks the rest.
    fn resolve_in(
        &mut self,
        state: &mut State,
        address: Term,
        id: ObjectId,
        n: u64,
    ) -> Result<Spot, Halt> {
        let object = state.memory.object(id).expect("it was checked");
        let (base, last) = (object.base, object.size - n);
        // A pointer that was chosen among objects leads into this one in one way at most:
        // an equality, and a plain offset, spare what follows a read at a symbolic index.
        let only = self.only_choice(address, base, last);
        let inside = match only {
            Some(only) => {
                let only = self.store.bv(64, only);
                self.store.eq(address, only)
            }
            // One condition for both bounds: an unsigned difference that is small enough.
            None => self.inside(address, base, last),
        };
        let (_, other) = self.split(state, inside);
        // The other state executes the access again, on other objects.
        self.successors.running.extend(other);
        if let Some(only) = only {
            return Ok(Spot::At(id, (only - base) as usize));
        }
        let start = self.store.bv(64, base);
        let offset = self.store.bv_sub(address, start);
        let index = self.store.extract(offset, 0, INDEX_WIDTH);
        Ok(match self.store.as_word(index) {
            Some(at) => Spot::At(id, at as usize),
            None => Spot::Somewhere(id, index),
        })
    }

    /// The only one at most `last` bytes after `base` of the addresses that `address`
    /// chooses among.
    fn only_choice(&self, address: Term, base: u64, last: u64) -> Option<u64> {
        let mut inside = choices(&self.store, address)?
            .into_iter()
            .filter(|choice| choice.wrapping_sub(base) <= last);
        let only = inside.next()?;
        inside.next().is_none().then_some(only)
    }

    /// Whether `address` lies at most `last` bytes after `base`.
    fn inside(&mut self, address: Term, base: u64, last: u64) -> Term {
        let base = self.store.bv(64, base);
        let offset = self.store.bv_sub(address, base);
        let last = self.store.bv(64, last);
        self.store.bv_ule(offset, last)
    }

    /// The model's address is bad: looks for the objects in which the access
    /// could be good, forks for each, and ends this path with the error.
    fn resolve_elsewhere(
        &mut self,
        state: &mut State,
        address: Term,
        owner: Option<ObjectId>,
        n: u64,
        access: Access,
        (kind, message): (ErrorKind, String),
    ) -> Result<Spot, Halt> {
        let candidates = match owner {
            Some(id) => state.memory.object(id).map(|_| id).into_iter().collect(),
            // Known bits and bounds of the term leave few objects without a query.
            None => {
                let facts = *self.store.facts(address);
                state.memory.living(facts.min, facts.max)
            }
        };
        if candidates.len() > MOST_OBJECTS {
            let tried = MOST_OBJECTS as u64;
            self.incomplete(state, Incomplete::UntriedObjects { tried });
        }
        for id in candidates.into_iter().take(MOST_OBJECTS) {
            let object = state.memory.object(id).expect("it lives");
            let usable = match object.region {
                Region::Function | Region::Undefined => false,
                Region::Constant => access == Access::Read,
                Region::Global | Region::Stack | Region::Heap(_) => true,
            };
            if object.size < n || !usable {
                continue;
            }
            let (base, last) = (object.base, object.size - n);
            let inside = self.inside(address, base, last);
            // Each split takes the object away from this state, so that what is left at
            // the end is in none of them, and its error is one that can happen.
            let (holds, other) = self.split(state, inside);
            debug_assert!(!holds, "the model's address is in no object");
            self.successors.running.extend(other);
        }
        if owner.is_none() {
            // Null is an error of its own: one does not hide behind the other.
            let last = state.memory.null_page() - 1;
            let near_null = self.inside(address, 0, last);
            let (_, other) = self.split(state, near_null);
            self.successors.running.extend(other);
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
        let id = state.memory.id_of(address);
        self.check_in(state, id, address, n, access)
    }

    /// The same for an access that is meant for the object of this number.
    fn check_in(
        &mut self,
        state: &mut State,
        id: ObjectId,
        address: u64,
        n: u64,
        access: Access,
    ) -> Result<(ObjectId, usize), (ErrorKind, String)> {
        let verb = access.verb();
        let object = match state.memory.find(id) {
            Found::Alive(object) => object,
            Found::Dead(death) => {
                let (kind, what) = match death.region {
                    Region::Stack if death.is_asleep => (
                        ErrorKind::UseAfterScope,
                        "a local variable whose block has ended",
                    ),
                    Region::Stack => (ErrorKind::UseAfterReturn, "a local variable that is gone"),
                    _ => (ErrorKind::UseAfterFree, "memory that was freed"),
                };
                return Err((kind, format!("{verb} of {n} bytes in {what}")));
            }
            Found::Nothing if state.memory.is_near_null(address) => {
                let message = match address {
                    0 => format!("{verb} of {n} bytes through a null pointer"),
                    _ => format!("{verb} of {n} bytes at {address:#x}, near the null pointer"),
                };
                return Err((ErrorKind::NullDereference, message));
            }
            Found::Nothing => {
                let message = format!("{verb} of {n} bytes at {address:#x}, where nothing is");
                return Err((out_of_bounds(access), message));
            }
        };
        if object.region == Region::Function {
            let message = format!("{verb} of {n} bytes in the code of a function");
            return Err((out_of_bounds(access), message));
        }
        if object.region == Region::Undefined {
            let base = object.base;
            return Err(self.undefined(state, base, access));
        }
        let offset = address.wrapping_sub(object.base);
        if offset.saturating_add(n) > object.size {
            let message = describe_overrun(verb, n, offset as i64, object.size);
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

fn describe_overrun(verb: &str, n: u64, offset: i64, size: u64) -> String {
    if offset < 0 {
        let below = offset.unsigned_abs();
        return format!("{verb} of {n} bytes, {below} bytes before an object of {size} bytes");
    }
    format!("{verb} of {n} bytes at offset {offset} of an object of {size} bytes")
}
