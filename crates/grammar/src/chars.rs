//! Sets of characters, and their spelling in bytes.
//!
//! A set stands for characters, which are spelled in UTF-8, or for single bytes
//! where a grammar speaks of bytes (HAMPI's language, `\x80` in a set).

use crate::letters::{BYTES, Letter, LetterSet};

/// The greatest code point.
const LAST: u32 = 0x10ffff;

/// A set of characters or of bytes, as ranges that neither touch nor overlap.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CharSet {
    ranges: Vec<(u32, u32)>,
    bytes: bool,
}

impl CharSet {
    /// The characters of these ranges, both ends included; surrogates, which
    /// are no characters, are left out.
    pub fn chars(ranges: impl IntoIterator<Item = (u32, u32)>) -> CharSet {
        let split = ranges
            .into_iter()
            .flat_map(|(low, high)| [(low, high.min(0xd7ff)), (low.max(0xe000), high.min(LAST))]);
        CharSet {
            ranges: joined(split.collect()),
            bytes: false,
        }
        .plain()
    }

    /// The bytes of these ranges, both ends included.
    pub fn bytes(ranges: impl IntoIterator<Item = (u8, u8)>) -> CharSet {
        let wide = ranges.into_iter();
        let wide = wide.map(|(low, high)| (u32::from(low), u32::from(high)));
        CharSet {
            ranges: joined(wide.collect()),
            bytes: true,
        }
        .plain()
    }

    /// A set of ASCII is the same whether of characters or bytes.
    fn plain(mut self) -> CharSet {
        self.bytes &= self.ranges.last().is_some_and(|&(_, high)| high >= 0x80);
        self
    }

    /// The characters (or bytes) that are not in the set.
    pub fn complement(&self) -> CharSet {
        let last = if self.bytes { 0xff } else { LAST };
        let mut ranges = Vec::new();
        let mut next = 0;
        for &(low, high) in &self.ranges {
            if low > next {
                ranges.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= last {
            ranges.push((next, last));
        }
        if self.bytes {
            CharSet {
                ranges,
                bytes: true,
            }
            .plain()
        } else {
            CharSet::chars(ranges)
        }
    }

    /// The characters of either set; nothing where one has bytes and the other
    /// characters that are not ASCII.
    pub fn union(&self, other: &CharSet) -> Option<CharSet> {
        let wide = |set: &CharSet| !set.bytes && set.ranges.iter().any(|&(_, high)| high >= 0x80);
        let mixed = self.bytes && wide(other) || other.bytes && wide(self);
        (!mixed).then(|| CharSet {
            ranges: joined([&self.ranges[..], &other.ranges[..]].concat()),
            bytes: self.bytes || other.bytes,
        })
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Whether the set is of bytes that are not ASCII.
    pub fn is_bytes(&self) -> bool {
        self.bytes
    }

    /// How many characters there are.
    pub fn len(&self) -> usize {
        let sizes = self.ranges.iter().map(|&(low, high)| high - low + 1);
        sizes.sum::<u32>() as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The ways to spell a member: each a sequence of sets of bytes.
    pub fn spellings(&self) -> Vec<Vec<LetterSet>> {
        let ranges = self.ranges.iter();
        if self.bytes {
            let members = ranges.flat_map(|&(low, high)| low as Letter..=high as Letter);
            return vec![vec![LetterSet::of(BYTES, members)]];
        }
        let mut single = LetterSet::none(BYTES);
        let mut sequences = Vec::new();
        for &(low, high) in ranges {
            for byte in low..=high.min(0x7f) {
                single.insert(byte as Letter);
            }
            for (first, last) in [(0x80, 0x7ff), (0x800, 0xffff), (0x10000, LAST)] {
                let (low, high) = (low.max(first), high.min(last));
                if low <= high {
                    split(low, high, &mut sequences);
                }
            }
        }
        let mut all = Vec::new();
        if !single.is_empty() {
            all.push(vec![single]);
        }
        all.extend(sequences);
        all
    }
}

/// Sorted, empty ranges dropped, neighbours joined.
fn joined(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.retain(|(low, high)| low <= high);
    ranges.sort_unstable();
    let mut result: Vec<(u32, u32)> = Vec::new();
    for (low, high) in ranges {
        match result.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => result.push((low, high)),
        }
    }
    result
}

/// Divides a range of characters whose spellings have one length into ranges
/// whose bytes vary independently.
fn split(low: u32, high: u32, sequences: &mut Vec<Vec<LetterSet>>) {
    let (a, b) = (spell(low), spell(high));
    let mut waiting = vec![(low, high)];
    while let Some((low, high)) = waiting.pop() {
        let cut = (1..a.len() as u32).map(|tail| (1u32 << (6 * tail)) - 1);
        let cut = cut.rev().find_map(|mask| {
            if low & !mask == high & !mask {
                None
            } else if low & mask != 0 {
                Some(low | mask)
            } else if high & mask != mask {
                Some((high & !mask) - 1)
            } else {
                None
            }
        });
        match cut {
            // Both halves are smaller, and the lower one comes out first.
            Some(cut) => waiting.extend([(cut + 1, high), (low, cut)]),
            None => {
                let bytes = spell(low).into_iter().zip(spell(high));
                let sets =
                    bytes.map(|(a, b)| LetterSet::of(BYTES, Letter::from(a)..=Letter::from(b)));
                sequences.push(sets.collect());
            }
        }
    }
    debug_assert_eq!(a.len(), b.len());
}

fn spell(code: u32) -> Vec<u8> {
    let c = char::from_u32(code).expect("surrogates are in no range");
    c.encode_utf8(&mut [0; 4]).as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(set: &CharSet, bytes: &[u8]) -> usize {
        let matches = |sequence: &&Vec<LetterSet>| {
            sequence.len() == bytes.len()
                && sequence
                    .iter()
                    .zip(bytes)
                    .all(|(s, &b)| s.contains(b.into()))
        };
        set.spellings().iter().filter(matches).count()
    }

    #[test]
    fn every_character_of_a_range_is_spelled_in_one_way_and_no_other_is() {
        for (low, high) in [
            (0x61, 0x7a),
            (0, LAST),
            (0x7f, 0x801),
            (0x3b1, 0x3c9),
            (0x800, 0x10001),
            (0xff00, 0x1_2345),
            (0xd7ff, 0xe000),
        ] {
            let set = CharSet::chars([(low, high)]);
            let codes = (0..=LAST).step_by(97).chain([low, high, low + 1, high - 1]);
            for c in codes.filter_map(char::from_u32) {
                let inside = (low..=high).contains(&u32::from(c));
                let count = spelled(&set, c.encode_utf8(&mut [0; 4]).as_bytes());
                assert_eq!(count, usize::from(inside), "{c:?} in {low:x}..{high:x}");
            }
        }
    }

    #[test]
    fn the_complement_of_the_complement_is_the_set() {
        let set = CharSet::chars([(0x22, 0x22), (0x5c, 0x5c), (0, 0x1f)]);
        assert_eq!(set.complement().complement(), set);
        let bytes = CharSet::bytes([(0x80, 0xff)]);
        assert_eq!(bytes.complement(), CharSet::chars([(0, 0x7f)]));
    }
}
