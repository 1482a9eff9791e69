//! What a path decided on its way, as bits.
//!
//! Where a path goes depends on the program, and on what the solver and the model at hand
//! answered: which way a condition goes, whether the other way is feasible, which value
//! comes first. Those answers are written down, a bit or two each, and which of two states
//! the path was where it forked. With them the path can be gone again elsewhere, exactly
//! and without a query ([`Machine::retrace`](crate::Machine::retrace)): the one form in
//! which a path leaves its process.
//!
//! Whoever answers a question of the machine asks [`State::recall`](crate::State::recall)
//! first and tells [`State::record`](crate::State::record) otherwise, so that writing and
//! reading cannot drift apart.

use base::List;
use std::rc::Rc;

/// The decisions of a path, shared with others up to where they parted.
#[derive(Clone, Default)]
pub struct Decisions {
    /// Whole words of bits.
    words: List<u64>,
    /// The bits after them.
    rest: u64,
    /// How many those are; fewer than 64.
    used: u32,
    /// Where they were made, mixed into one number.
    check: u64,
    mode: Mode,
}

/// Whether a path decides for itself.
#[derive(Clone, Default)]
enum Mode {
    /// It does.
    #[default]
    Decides,
    /// It decides as another did before: the bits, and how many were read.
    Retraces(Rc<Record>, u64),
    /// It is not the path that is retraced, and only comes to the end of its instruction.
    Left,
    /// The bits did not fit the program.
    Lost,
}

/// The decisions of a path, to be made again.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Record {
    /// The bits, the first of each word in its lowest.
    pub bits: Vec<u64>,
    /// How many there are.
    pub length: u64,
    /// Where they were made, mixed into one number.
    pub check: u64,
}

impl Decisions {
    /// The decisions as they are written down.
    pub fn record(&self) -> Record {
        let mut bits: Vec<u64> = self.words.forwards().copied().collect();
        if self.used > 0 {
            bits.push(self.rest);
        }
        Record {
            length: self.words.len() as u64 * 64 + u64::from(self.used),
            bits,
            check: self.check,
        }
    }

    /// Whether decisions of another are made again.
    pub fn is_retracing(&self) -> bool {
        matches!(self.mode, Mode::Retraces(..))
    }

    /// Leaves the path to the state that forked off here.
    pub(crate) fn leave(&mut self) {
        self.mode = Mode::Left;
    }

    /// The decisions do not fit the program.
    pub(crate) fn lose(&mut self) {
        self.mode = Mode::Lost;
    }

    /// Whether this is no path, but what is left over where the retraced one forked off.
    pub(crate) fn is_left(&self) -> bool {
        matches!(self.mode, Mode::Left)
    }

    /// Whether the decisions did not fit the program.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self.mode, Mode::Lost)
    }

    /// From here on decides as the record says. None has been made yet.
    pub(crate) fn retrace(&mut self, record: Rc<Record>) {
        debug_assert_eq!(self.record().length, 0);
        if record.length > 0 {
            self.mode = Mode::Retraces(record, 0);
        }
    }

    /// Adds bits, from 1 to 64, that were decided at an instruction of a function.
    pub(crate) fn push(&mut self, value: u64, count: u32, place: (u32, u32)) {
        let (function, pc) = place;
        let place = u64::from(function) << 32 | u64::from(pc);
        self.check =
            (self.check.rotate_left(5) ^ place ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.rest |= value << self.used;
        let room = 64 - self.used;
        if count < room {
            self.used += count;
            return;
        }
        self.words.push(self.rest);
        self.rest = value.checked_shr(room).unwrap_or(0);
        self.used = count - room;
    }

    /// The next bits of the record, if there is one.
    pub(crate) fn next(&mut self, count: u32) -> Option<u64> {
        let Mode::Retraces(record, at) = &mut self.mode else {
            return None;
        };
        if *at + u64::from(count) > record.length {
            self.mode = Mode::Lost;
            return None;
        }
        let (word, bit) = ((*at / 64) as usize, (*at % 64) as u32);
        let mut value = record.bits[word] >> bit;
        if bit + count > 64 {
            value |= record.bits[word + 1] << (64 - bit);
        }
        *at += u64::from(count);
        Some(value & (u64::MAX >> (64 - count)))
    }

    /// Decides for itself again after the last decision of the record, if all of them were
    /// made where they were made before.
    pub(crate) fn finish(&mut self) {
        let Mode::Retraces(record, at) = &self.mode else {
            return;
        };
        if *at == record.length {
            self.mode = match record.check == self.check {
                true => Mode::Decides,
                false => Mode::Lost,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    #[test]
    fn what_is_written_is_read_whatever_the_number_of_bits() {
        let mut random = Random::new(7);
        let mut written = Decisions::default();
        let mut all = Vec::new();
        for place in 0..2_000 {
            let count = 1 + random.below(64) as u32;
            let value = random.bits() & (u64::MAX >> (64 - count));
            written.push(value, count, (3, place));
            all.push((value, count));
        }
        let mut read = Decisions::default();
        read.retrace(Rc::new(written.record()));
        for (place, &(value, count)) in all.iter().enumerate() {
            assert_eq!(read.next(count), Some(value));
            read.push(value, count, (3, place as u32));
            read.finish();
        }
        assert!(!read.is_retracing() && !read.is_lost());
        assert_eq!(read.record(), written.record());
    }

    #[test]
    fn another_program_loses_the_path() {
        let mut written = Decisions::default();
        written.push(1, 1, (0, 1));
        written.push(0, 1, (0, 2));
        let mut read = Decisions::default();
        read.retrace(Rc::new(written.record()));
        for pc in [1, 3] {
            let value = read.next(1).expect("there are two");
            read.push(value, 1, (0, pc));
            read.finish();
        }
        assert!(read.is_lost());
    }
}
