//! What a system call reads from and writes to program memory.
//!
//! Memory that a call must not touch is an error of the program, as it is for any
//! access, where the system would answer EFAULT.

use super::{Answer, Break};
use crate::kernel::bytes::{Byte, terms};
use crate::kernel::errno::{ENAMETOOLONG, Errno};
use crate::machine::Machine;
use crate::outcome::ErrorKind;
use crate::pointers::{Access, Spot};
use crate::state::State;
use crate::value::Value;
use term::Term;

/// The longest path, with the zero that ends it.
const PATH_MAX: u64 = 4096;

/// The arguments of a system call, 64 bits each.
pub(super) struct Args(pub [Value; 6]);

impl Args {
    /// Lets a transfer be of one byte, if it is of more.
    pub fn shorten(&mut self) {
        if self.0[2].as_word().is_none_or(|count| count > 1) {
            self.0[2] = Value::word(1);
        }
    }

    pub fn value(&self, i: usize) -> Value {
        self.0[i]
    }

    /// An argument that has to be a number; a symbolic one is forked over its values.
    pub fn word(&self, m: &mut Machine<'_>, state: &mut State, i: usize) -> u64 {
        m.concretize(state, self.0[i], 64)
    }

    /// The same of an `int`.
    pub fn int(&self, m: &mut Machine<'_>, state: &mut State, i: usize) -> i32 {
        self.word(m, state, i) as i32
    }

    /// Whether an argument is the null pointer.
    pub fn is_null(&self, m: &mut Machine<'_>, state: &mut State, i: usize) -> bool {
        match self.0[i].as_word() {
            Some(word) => word == 0,
            None => {
                let term = self.0[i].term(&mut m.store, 64);
                let null = m.store.bv(64, 0);
                let is_null = m.store.eq(term, null);
                decide(m, state, is_null)
            }
        }
    }
}

pub(super) fn number(number: u64) -> Answer {
    Ok(Value::word(number))
}

pub(super) const DONE: Answer = Ok(Value::ZERO);

pub(super) fn fail<T>(errno: Errno) -> Result<T, Break> {
    Err(Break::Errno(errno))
}

/// Whether the condition holds on the path, which forks where both can be. The other
/// state makes the call again.
pub(super) fn decide(m: &mut Machine<'_>, state: &mut State, condition: Term) -> bool {
    let (truth, other) = m.split(state, condition);
    m.successors.running.extend(other);
    truth
}

/// Room for so many bytes that a call is about to write; none for no bytes. All forks
/// over an address are behind a call that has this.
pub(super) fn room(
    m: &mut Machine<'_>,
    state: &mut State,
    address: Value,
    size: usize,
) -> Result<Option<Spot>, Break> {
    match size {
        0 => Ok(None),
        _ => {
            let spot = m.resolve_access(state, address, size as u64, Access::Write)?;
            Ok(Some(spot))
        }
    }
}

/// Fills room that was found before.
pub(super) fn fill(m: &mut Machine<'_>, state: &mut State, room: Option<Spot>, bytes: &[Byte]) {
    if let Some(spot) = room {
        let terms = terms(&mut m.store, bytes);
        m.write(state, spot, &terms);
    }
}

/// Writes numbers that make up a structure.
pub(super) fn put(
    m: &mut Machine<'_>,
    state: &mut State,
    address: Value,
    bytes: &[u8],
) -> Result<(), Break> {
    let room = room(m, state, address, bytes.len())?;
    fill(m, state, room, &crate::kernel::bytes::known(bytes));
    Ok(())
}

/// Bytes of program memory.
pub(super) fn get(
    m: &mut Machine<'_>,
    state: &mut State,
    address: Value,
    size: usize,
) -> Result<Vec<Byte>, Break> {
    if size == 0 {
        return Ok(Vec::new());
    }
    let spot = m.resolve_access(state, address, size as u64, Access::Read)?;
    let terms = m.read(state, spot, size);
    Ok(terms
        .into_iter()
        .map(|term| Byte::of(&m.store, term))
        .collect())
}

/// Numbers of eight bytes each; symbolic ones are forked over.
pub(super) fn get_words(
    m: &mut Machine<'_>,
    state: &mut State,
    address: Value,
    count: usize,
) -> Result<Vec<u64>, Break> {
    let mut words = Vec::with_capacity(count);
    for i in 0..count {
        words.push(get_number(m, state, address, 8 * i as u64, 8)?);
    }
    Ok(words)
}

/// A number of so many bytes at an offset from an address; a symbolic one is forked over.
pub(super) fn get_number(
    m: &mut Machine<'_>,
    state: &mut State,
    address: Value,
    offset: u64,
    bytes: u32,
) -> Result<u64, Break> {
    let address = m.offset(address, offset as i64);
    let width = 8 * bytes as u16;
    let value = m.load(state, address, program::Kind::Int(width))?;
    Ok(m.concretize(state, value, width))
}

/// The string at an address, up to a zero that is surely there and without it; zeros
/// before that are those of symbolic bytes.
pub(super) fn string(
    m: &mut Machine<'_>,
    state: &mut State,
    address: Value,
) -> Result<Vec<Byte>, Break> {
    let start = m.concretize(state, address, 64);
    let spot = m.resolve_access(state, Value::word(start), 1, Access::Read)?;
    let (Spot::At(id, at), size) = (spot, object_size(state, spot)) else {
        unreachable!("the address is a number");
    };
    let most = (size - at as u64).min(PATH_MAX) as usize;
    let terms = m.read(state, Spot::At(id, at), most);
    let bytes: Vec<Byte> = terms
        .into_iter()
        .map(|term| Byte::of(&m.store, term))
        .collect();
    if let Some(end) = bytes.iter().position(|&byte| byte == Byte::Known(0)) {
        return Ok(bytes[..end].to_vec());
    }
    if most as u64 == PATH_MAX {
        return fail(ENAMETOOLONG);
    }
    let mut ends = m.store.bool(false);
    for &byte in &bytes {
        let is_zero = is(m, byte, 0);
        ends = m.store.or(ends, is_zero);
    }
    let message = format!("read of a string that does not end in an object of {size} bytes");
    m.require(state, ends, ErrorKind::OutOfBoundsRead, &message)?;
    Ok(bytes)
}

fn object_size(state: &mut State, spot: Spot) -> u64 {
    let (Spot::At(id, _) | Spot::Somewhere(id, _)) = spot;
    state.memory.object(id).map_or(0, |object| object.size)
}

/// The condition that a byte has this value.
pub(super) fn is(m: &mut Machine<'_>, byte: Byte, value: u8) -> Term {
    match byte {
        Byte::Known(known) => m.store.bool(known == value),
        Byte::Open(term) => {
            let value = m.store.bv(8, value.into());
            m.store.eq(term, value)
        }
    }
}

/// A structure being laid out.
#[derive(Default)]
pub(super) struct Layout(pub Vec<u8>);

impl Layout {
    pub fn u16(mut self, number: u16) -> Layout {
        self.0.extend(number.to_le_bytes());
        self
    }

    pub fn u32(mut self, number: u32) -> Layout {
        self.0.extend(number.to_le_bytes());
        self
    }

    pub fn u64(mut self, number: u64) -> Layout {
        self.0.extend(number.to_le_bytes());
        self
    }

    pub fn i64(self, number: i64) -> Layout {
        self.u64(number as u64)
    }

    pub fn zeros(mut self, count: usize) -> Layout {
        self.0.resize(self.0.len() + count, 0);
        self
    }
}
