//! Messages between the two processes, as lists of words.
//!
//! | request | then |
//! | --- | --- |
//! | [`HELLO`] | what the sandbox allows: a word of bits, where it may write |
//! | [`LOAD`] | the library's path |
//! | [`BIND`] | a number for the function, where to look for it, its name, its result, its parameters |
//! | [`CALL`] | the function's number, how many calls, a word for each argument of each |
//! | [`PERFORM`] | the function's number, for each argument a word or an access and bytes |
//! | [`MEMORY`] | |
//!
//! A response is [`DONE`] and the results, or says why there are none.

use crate::signature::{Pointee, Type};

pub(crate) const HELLO: u64 = 1;
pub(crate) const LOAD: u64 = 2;
pub(crate) const BIND: u64 = 3;
pub(crate) const CALL: u64 = 4;
pub(crate) const PERFORM: u64 = 5;
/// Asks for a hash of what the given libraries keep in memory.
pub(crate) const MEMORY: u64 = 6;

/// The sandbox allows the network.
pub(crate) const ALLOW_NETWORK: u64 = 1;
/// The sandbox allows new processes.
pub(crate) const ALLOW_PROCESSES: u64 = 2;

/// A function is looked for in the given libraries and those of the system.
pub(crate) const EVERYWHERE: u64 = 0;
/// A function is looked for in the given libraries alone.
pub(crate) const GIVEN_ONLY: u64 = 1;

/// It worked; results follow.
pub(crate) const DONE: u64 = 1;
/// It did not work; a text follows.
pub(crate) const REFUSED: u64 = 2;
/// An array was overrun; its parameter's index follows.
pub(crate) const OVERRUN: u64 = 3;
/// The request did not arrive whole.
pub(crate) const GARBLED: u64 = 4;

/// What native code may do with the bytes behind a pointer.
pub(crate) const ACCESS_NULL: u64 = 0;
pub(crate) const ACCESS_READ: u64 = 1;
pub(crate) const ACCESS_WRITE: u64 = 2;

/// How a value is passed to native code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passed {
    Void,
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
    Pointer,
}

impl Passed {
    const ALL: [Passed; 12] = [
        Passed::Void,
        Passed::U8,
        Passed::I8,
        Passed::U16,
        Passed::I16,
        Passed::U32,
        Passed::I32,
        Passed::U64,
        Passed::I64,
        Passed::F32,
        Passed::F64,
        Passed::Pointer,
    ];

    /// How a value of this type is passed, if it can be.
    pub(crate) fn of(kind: Type) -> Option<Passed> {
        Some(match kind {
            Type::Void => Passed::Void,
            Type::Bool | Type::Unsigned(8) => Passed::U8,
            Type::Signed(8) => Passed::I8,
            Type::Unsigned(16) => Passed::U16,
            Type::Signed(16) => Passed::I16,
            Type::Unsigned(32) => Passed::U32,
            Type::Signed(32) => Passed::I32,
            Type::Unsigned(64) => Passed::U64,
            Type::Signed(64) | Type::Int => Passed::I64,
            Type::FLOAT => Passed::F32,
            Type::DOUBLE | Type::Real => Passed::F64,
            Type::Pointer(Pointee::Text | Pointee::Const | Pointee::Mutable) => Passed::Pointer,
            Type::Signed(_) | Type::Unsigned(_) | Type::Float(_) | Type::String => return None,
        })
    }

    pub(crate) fn code(self) -> u64 {
        self as u64
    }

    pub(crate) fn from_code(code: u64) -> Option<Passed> {
        let index = usize::try_from(code).ok()?;
        Passed::ALL.get(index).copied()
    }
}

/// Appends bytes to a message: how many, then they, in whole words.
pub(crate) fn put_bytes(message: &mut Vec<u64>, bytes: &[u8]) {
    message.push(bytes.len() as u64);
    message.extend(bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    }));
}

/// How many words [`put_bytes`] appends.
pub(crate) fn words_of_bytes(length: usize) -> usize {
    1 + length.div_ceil(8)
}

/// Reads a message from its beginning to its end; `None` where it is too short.
pub(crate) struct Reader<'a>(pub(crate) &'a [u64]);

impl<'a> Reader<'a> {
    pub(crate) fn word(&mut self) -> Option<u64> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub(crate) fn words(&mut self, count: usize) -> Option<&'a [u64]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn rest(&mut self) -> &'a [u64] {
        std::mem::take(&mut self.0)
    }

    pub(crate) fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.word()?).ok()?;
        let words = self.words(length.div_ceil(8))?;
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.truncate(length);
        Some(bytes)
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        Some(String::from_utf8_lossy(&self.bytes()?).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_out_as_they_went_in() {
        for length in 0..20 {
            let bytes: Vec<u8> = (1..=length).collect();
            let mut message = vec![42];
            put_bytes(&mut message, &bytes);
            assert_eq!(message.len(), 1 + words_of_bytes(bytes.len()));
            let mut reader = Reader(&message);
            assert_eq!(reader.word(), Some(42));
            assert_eq!(reader.bytes(), Some(bytes));
            assert_eq!(reader.word(), None);
        }
        assert_eq!(Reader(&[u64::MAX, 0]).bytes(), None);
        assert_eq!(Reader(&[9, 0]).bytes(), None);
    }

    #[test]
    fn every_way_of_passing_is_read_back_from_its_code() {
        for passed in Passed::ALL {
            assert_eq!(Passed::from_code(passed.code()), Some(passed));
        }
        assert_eq!(Passed::from_code(12), None);
    }
}
