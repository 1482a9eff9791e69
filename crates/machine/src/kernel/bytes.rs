//! Bytes outside program memory: names and contents of files, what is in a pipe.
//!
//! A byte is a number until something symbolic is written; then it is a term. Contents
//! are kept in blocks, so that a path that writes one byte after a fork copies a block
//! and not the file.

use std::rc::Rc;
use term::{Store, Term};

/// A byte that the kernel keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Byte {
    Known(u8),
    Open(Term),
}

impl Byte {
    /// The byte that an eight-bit term stands for.
    pub fn of(store: &Store, term: Term) -> Byte {
        match store.as_word(term) {
            Some(word) => Byte::Known(word as u8),
            None => Byte::Open(term),
        }
    }

    pub fn term(self, store: &mut Store) -> Term {
        match self {
            Byte::Known(byte) => store.bv(8, byte.into()),
            Byte::Open(term) => term,
        }
    }
}

/// The terms of bytes, as program memory takes them.
pub(crate) fn terms(store: &mut Store, bytes: &[Byte]) -> Vec<Term> {
    bytes.iter().map(|byte| byte.term(store)).collect()
}

/// Bytes that are numbers.
pub(crate) fn known(bytes: &[u8]) -> Vec<Byte> {
    bytes.iter().copied().map(Byte::Known).collect()
}

const BLOCK: usize = 512;

/// The contents of a file. What nobody wrote before the end is zero.
#[derive(Clone, Default, Debug)]
pub(crate) struct Contents {
    blocks: Vec<Option<Rc<Vec<Byte>>>>,
    size: usize,
}

impl Contents {
    pub fn of(bytes: &[Byte]) -> Contents {
        let mut contents = Contents::default();
        contents.write(0, bytes);
        contents
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Up to `count` bytes from an offset; fewer at the end.
    pub fn read(&self, from: usize, count: usize) -> Vec<Byte> {
        let upto = from.saturating_add(count).min(self.size);
        (from..upto).map(|at| self.byte(at)).collect()
    }

    fn byte(&self, at: usize) -> Byte {
        let block = self.blocks.get(at / BLOCK).and_then(Option::as_ref);
        block.map_or(Byte::Known(0), |block| block[at % BLOCK])
    }

    /// Puts bytes at an offset, which may be past the end.
    pub fn write(&mut self, from: usize, bytes: &[Byte]) {
        if bytes.is_empty() {
            return;
        }
        self.resize(self.size.max(from + bytes.len()));
        for (i, &byte) in bytes.iter().enumerate() {
            let at = from + i;
            let block =
                self.blocks[at / BLOCK].get_or_insert_with(|| Rc::new(vec![Byte::Known(0); BLOCK]));
            Rc::make_mut(block)[at % BLOCK] = byte;
        }
    }

    /// Cuts the end off, or adds zeros there.
    pub fn resize(&mut self, size: usize) {
        self.blocks.resize(size.div_ceil(BLOCK), None);
        // What is cut off must not come back when the file grows again.
        if size < self.size
            && !size.is_multiple_of(BLOCK)
            && let Some(Some(last)) = self.blocks.last_mut()
        {
            Rc::make_mut(last)[size % BLOCK..].fill(Byte::Known(0));
        }
        self.size = size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_off_is_zero_when_the_file_grows_again() {
        let mut contents = Contents::of(&known(b"abcdef"));
        contents.resize(2);
        contents.resize(4);
        assert_eq!(contents.read(0, 9), known(b"ab\0\0"));
    }

    #[test]
    fn a_write_past_the_end_leaves_zeros_before_it() {
        let mut contents = Contents::of(&known(b"a"));
        contents.write(3 * BLOCK, &known(b"z"));
        assert_eq!(contents.size(), 3 * BLOCK + 1);
        assert_eq!(contents.read(0, 2), known(b"a\0"));
        assert_eq!(contents.read(2 * BLOCK, 1), known(b"\0"));
        assert_eq!(contents.read(3 * BLOCK, 5), known(b"z"));
    }

    #[test]
    fn a_copy_keeps_what_the_other_overwrites() {
        let before = Contents::of(&known(b"same"));
        let mut after = before.clone();
        after.write(0, &known(b"g"));
        assert_eq!(before.read(0, 4), known(b"same"));
        assert_eq!(after.read(0, 4), known(b"game"));
    }
}
