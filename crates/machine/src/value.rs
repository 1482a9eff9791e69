//! What a register holds: a concrete word, until it must be a term.

use program::{FloatKind, Kind};
use term::{BitVec, FpFormat, Store, Term};

/// The contents of a register.
///
/// A value of at most 64 bits is a word while it is concrete. A symbolic value,
/// and any value wider than 64 bits, is a bit-vector term of the register's
/// width; the word then means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    word: u64,
    term: Option<Term>,
}

impl Value {
    /// Zero.
    pub const ZERO: Value = Value::word(0);

    /// A concrete value of at most 64 bits.
    #[inline]
    pub const fn word(word: u64) -> Value {
        Value { word, term: None }
    }

    /// Zero of any width.
    pub fn zero(store: &mut Store, width: u16) -> Value {
        match width {
            0..=64 => Value::ZERO,
            _ => Value::from_bits(store, BitVec::zero(width)),
        }
    }

    /// The value of a bit-vector term: a word if it is a constant that fits one.
    pub fn of(store: &Store, term: Term) -> Value {
        match store.as_word(term) {
            Some(word) => Value::word(word),
            None => Value {
                word: 0,
                term: Some(term),
            },
        }
    }

    /// The truth value of a Boolean term, as one bit.
    pub fn of_bool(store: &mut Store, term: Term) -> Value {
        match store.as_bool(term) {
            Some(truth) => Value::word(truth.into()),
            None => {
                let bit = store.bool_to_bv(term, 1);
                Value::of(store, bit)
            }
        }
    }

    /// The concrete word, if it is one.
    #[inline]
    pub fn as_word(self) -> Option<u64> {
        match self.term {
            None => Some(self.word),
            Some(_) => None,
        }
    }

    /// The term, if it is not a plain word.
    #[inline]
    pub fn as_term(self) -> Option<Term> {
        self.term
    }

    /// The value as a bit-vector term of this width.
    pub fn term(self, store: &mut Store, width: u16) -> Term {
        match self.term {
            Some(term) => {
                debug_assert_eq!(store.width(term), width);
                term
            }
            None => store.bv(width, self.word),
        }
    }

    /// The value, of one bit, as a Boolean term.
    pub fn condition(self, store: &mut Store) -> Term {
        match self.term {
            Some(term) => store.is_nonzero(term),
            None => store.bool(self.word != 0),
        }
    }

    /// The bits of a wide concrete value.
    pub fn from_bits(store: &mut Store, bits: BitVec) -> Value {
        let term = store.bv_value(bits);
        Value::of(store, term)
    }

    /// The concrete bits, if it is concrete.
    pub fn as_bits(self, store: &Store, width: u16) -> Option<BitVec> {
        match self.term {
            None => Some(BitVec::from_u64(width, self.word)),
            Some(term) => match store.as_value(term) {
                Some(term::Value::Bv(bits)) => Some(bits),
                _ => None,
            },
        }
    }
}

/// Where a value comes from that nothing determines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Indeterminate {
    /// Memory that nothing was written to.
    Memory,
    /// A shift of a number of this width by so much or more.
    Shift(u16),
}

/// The width of a kind of value, in bits.
#[inline]
pub fn width(kind: Kind) -> u16 {
    kind.bits() as u16
}

/// The lowest `width` bits, at most 64.
#[inline]
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The lowest `width` bits read as a two's complement number.
#[inline]
pub(crate) fn signed(word: u64, width: u32) -> i64 {
    ((word << (64 - width)) as i64) >> (64 - width)
}

/// The IEEE format whose values a kind of float has.
pub(crate) fn format(kind: FloatKind) -> FpFormat {
    match kind {
        FloatKind::Half => FpFormat::HALF,
        FloatKind::BFloat => FpFormat { eb: 8, sb: 8 },
        FloatKind::Single => FpFormat::SINGLE,
        FloatKind::Double => FpFormat::DOUBLE,
        FloatKind::X87 => FpFormat::X87,
        FloatKind::Quad => FpFormat::QUAD,
    }
}
