//! A map from small numbers whose clones share what they do not change.
//!
//! Assignments are copied at every fork and changed at a few numbers that lie side by side.
//! A hash table would be copied as a whole then; here a clone copies a pointer for every
//! sixteen numbers, and a change the sixteen around it.

use std::rc::Rc;

const BITS: u32 = 4;
const SIZE: usize = 1 << BITS;

/// Values of neighbouring numbers.
type Chunk<T> = [Option<T>; SIZE];

/// A map from numbers to `T`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SharedMap<T> {
    /// The chunks that have values, ascending by the numbers in them without their last bits.
    chunks: Vec<(u32, Rc<Chunk<T>>)>,
}

impl<T> Default for SharedMap<T> {
    fn default() -> SharedMap<T> {
        SharedMap { chunks: Vec::new() }
    }
}

impl<T> SharedMap<T> {
    /// Where the chunk of this name is, or would be.
    #[inline]
    fn place(&self, name: u32) -> Result<usize, usize> {
        // Numbers are dense as a rule, and no chunk is missing before this one.
        match self.chunks.get(name as usize) {
            Some(&(there, _)) if there == name => Ok(name as usize),
            _ => self.chunks.binary_search_by_key(&name, |&(name, _)| name),
        }
    }

    #[inline]
    pub fn get(&self, key: u32) -> Option<&T> {
        let place = self.place(key >> BITS).ok()?;
        self.chunks[place].1[within(key)].as_ref()
    }

    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The numbers and their values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.chunks.iter().flat_map(|(name, chunk)| {
            let values = (0..).zip(chunk.iter());
            values.filter_map(move |(at, value)| Some((name << BITS | at, value.as_ref()?)))
        })
    }
}

impl<T: Clone> SharedMap<T> {
    /// The value of a number, to be changed in place.
    pub fn get_mut(&mut self, key: u32) -> Option<&mut T> {
        let place = self.place(key >> BITS).ok()?;
        Rc::make_mut(&mut self.chunks[place].1)[within(key)].as_mut()
    }

    pub fn insert(&mut self, key: u32, value: T) {
        let name = key >> BITS;
        let place = self.place(name).unwrap_or_else(|place| {
            let empty = Rc::new(std::array::from_fn(|_| None));
            self.chunks.insert(place, (name, empty));
            place
        });
        Rc::make_mut(&mut self.chunks[place].1)[within(key)] = Some(value);
    }
}

/// Where in its chunk a number is.
#[inline]
fn within(key: u32) -> usize {
    key as usize & (SIZE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn it_is_a_map_and_its_clones_keep_what_they_had() {
        let mut map = SharedMap::default();
        let mut expected = BTreeMap::new();
        assert!(map.is_empty());
        // Dense, sparse, and in no order.
        for key in (0..100).chain([u32::MAX, 5_000, 4_999, 17, 1 << 20]) {
            map.insert(key, key / 2);
            expected.insert(key, key / 2);
        }
        let before = map.clone();
        map.insert(17, 3);
        map.insert(200, 4);
        *map.get_mut(5_000).expect("it is there") += 1;
        assert_eq!(map.get_mut(5_001), None);
        let read: BTreeMap<u32, u32> = before.iter().map(|(key, &value)| (key, value)).collect();
        assert_eq!(read, expected);
        assert!(before.iter().map(|(key, _)| key).is_sorted());
        assert_eq!((before.get(17), before.get(200)), (Some(&8), None));
        assert_eq!((map.get(17), map.get(200)), (Some(&3), Some(&4)));
        assert_eq!((map.get(5_000), map.get(101)), (Some(&2_501), None));
        assert_ne!(map, before);
        assert_eq!(before, before.clone());
    }
}
