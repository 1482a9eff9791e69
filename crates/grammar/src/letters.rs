//! Sets of letters: bytes or tokens, by number.

/// A letter of an alphabet: a byte's value, or a token's number.
pub type Letter = u16;

/// How many letters an alphabet of bytes has.
pub const BYTES: usize = 256;

/// A set of letters of one alphabet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LetterSet(Box<[u64]>);

impl LetterSet {
    /// No letter of an alphabet of this size.
    pub fn none(letters: usize) -> LetterSet {
        LetterSet(vec![0; letters.div_ceil(64)].into())
    }

    /// Every letter of an alphabet of this size.
    pub fn all(letters: usize) -> LetterSet {
        LetterSet::none(letters).with(0..letters)
    }

    /// These letters of an alphabet of this size.
    pub fn of(letters: usize, members: impl IntoIterator<Item = Letter>) -> LetterSet {
        LetterSet::none(letters).with(members.into_iter().map(usize::from))
    }

    fn with(mut self, members: impl IntoIterator<Item = usize>) -> LetterSet {
        for member in members {
            self.0[member / 64] |= 1 << (member % 64);
        }
        self
    }

    /// Adds a letter.
    pub fn insert(&mut self, letter: Letter) {
        self.0[usize::from(letter) / 64] |= 1 << (letter % 64);
    }

    /// Whether the letter is in the set.
    pub fn contains(&self, letter: Letter) -> bool {
        let word = self.0.get(usize::from(letter) / 64);
        word.is_some_and(|word| word >> (letter % 64) & 1 == 1)
    }

    /// How many letters are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no letter is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether the sets share a letter.
    pub fn meets(&self, other: &LetterSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether every letter of this set is in the other.
    pub fn within(&self, other: &LetterSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The letters in both.
    pub fn and(&self, other: &LetterSet) -> LetterSet {
        LetterSet(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// The letters of this set that are not in the other.
    pub fn without(&self, other: &LetterSet) -> LetterSet {
        LetterSet(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    /// The letters, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Letter> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(at, &word)| {
            let bits = (0..64u16).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| at as u16 * 64 + bit)
        })
    }

    /// The least letter.
    pub fn first(&self) -> Option<Letter> {
        self.iter().next()
    }

    /// The letters as ranges, both ends included, ascending.
    pub fn ranges(&self) -> Vec<(Letter, Letter)> {
        let mut ranges: Vec<(Letter, Letter)> = Vec::new();
        for letter in self.iter() {
            match ranges.last_mut() {
                Some((_, high)) if *high + 1 == letter => *high = letter,
                _ => ranges.push((letter, letter)),
            }
        }
        ranges
    }
}

/// The coarsest division of the alphabet in which every set is a union of parts.
pub fn atoms(letters: usize, sets: &[LetterSet]) -> Vec<LetterSet> {
    let mut parts = vec![LetterSet::all(letters)];
    for set in sets {
        let mut finer = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            let halves = [part.and(set), part.without(set)];
            finer.extend(halves.into_iter().filter(|half| !half.is_empty()));
        }
        parts = finer;
    }
    parts.sort_by_key(LetterSet::first);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_divide_the_alphabet_so_that_every_set_is_a_union_of_them() {
        let sets = [LetterSet::of(6, [0, 1, 2]), LetterSet::of(6, [2, 3])];
        let expected = [vec![0, 1], vec![2], vec![3], vec![4, 5]];
        let found = atoms(6, &sets);
        let found: Vec<Vec<Letter>> = found.iter().map(|set| set.iter().collect()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn ranges_join_neighbours() {
        let set = LetterSet::of(BYTES, [0, 1, 2, 5, 255]);
        assert_eq!(set.ranges(), [(0, 2), (5, 5), (255, 255)]);
    }
}
