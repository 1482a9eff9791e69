//! A persistent map from small numbers: cloning copies a pointer, a change
//! copies the few nodes on its way.

use std::rc::Rc;

/// So many that what a change copies are allocations an allocator has at hand.
const BITS: u32 = 5;
const FANOUT: usize = 1 << BITS;
const LEVELS: u32 = 5;
/// One more than the greatest key.
pub(crate) const CAPACITY: u32 = 1 << (BITS * LEVELS);

/// A map from numbers below [`CAPACITY`] to `T`.
#[derive(Clone)]
pub(crate) struct Radix<T> {
    root: Rc<Node<T>>,
}

#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "both are arrays as long as each other, and always behind an Rc"
)]
enum Node<T> {
    Inner([Option<Rc<Node<T>>>; FANOUT]),
    Leaf([Option<T>; FANOUT]),
}

impl<T: Clone> Radix<T> {
    pub fn new() -> Radix<T> {
        Radix {
            root: Rc::new(Node::empty(LEVELS - 1)),
        }
    }

    pub fn get(&self, key: u32) -> Option<&T> {
        let mut node = &self.root;
        for level in (0..LEVELS).rev() {
            let at = index(key, level);
            match &**node {
                Node::Inner(children) => node = children[at].as_ref()?,
                Node::Leaf(values) => return values[at].as_ref(),
            }
        }
        None
    }

    /// The value of a key, to be changed; copies what others share on the way to it.
    pub fn get_mut(&mut self, key: u32) -> Option<&mut T> {
        let mut node = &mut self.root;
        for level in (0..LEVELS).rev() {
            let at = index(key, level);
            match Rc::make_mut(node) {
                Node::Inner(children) => node = children[at].as_mut()?,
                Node::Leaf(values) => return values[at].as_mut(),
            }
        }
        None
    }

    /// Calls `each` for the entries from `min` to `max`, in order.
    pub fn visit<'a>(&'a self, min: u32, max: u32, each: &mut impl FnMut(u32, &'a T)) {
        self.root.visit(0, LEVELS - 1, min, max, each);
    }

    /// Puts a value in, or takes one out; gives what was there.
    pub fn replace(&mut self, key: u32, value: Option<T>) -> Option<T> {
        debug_assert!(key < CAPACITY);
        let mut node = &mut self.root;
        for level in (0..LEVELS).rev() {
            let at = index(key, level);
            match Rc::make_mut(node) {
                Node::Inner(children) => {
                    node = children[at].get_or_insert_with(|| Rc::new(Node::empty(level - 1)));
                }
                Node::Leaf(values) => return std::mem::replace(&mut values[at], value),
            }
        }
        unreachable!("the last level is made of leaves")
    }
}

impl<T> Node<T> {
    fn visit<'a>(
        &'a self,
        first: u32,
        level: u32,
        min: u32,
        max: u32,
        each: &mut impl FnMut(u32, &'a T),
    ) {
        for at in 0..FANOUT as u32 {
            let start = first + (at << (level * BITS));
            let end = start + ((1 << (level * BITS)) - 1);
            if end < min || start > max {
                continue;
            }
            match self {
                Node::Inner(children) => {
                    if let Some(child) = &children[at as usize] {
                        child.visit(start, level - 1, min, max, each);
                    }
                }
                Node::Leaf(values) => {
                    if let Some(value) = &values[at as usize] {
                        each(start, value);
                    }
                }
            }
        }
    }

    fn empty(level: u32) -> Node<T> {
        match level {
            0 => Node::Leaf(std::array::from_fn(|_| None)),
            _ => Node::Inner(std::array::from_fn(|_| None)),
        }
    }
}

fn index(key: u32, level: u32) -> usize {
    (key >> (level * BITS)) as usize & (FANOUT - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_what_was_there_when_the_other_changes() {
        let mut map = Radix::new();
        for key in (0..200_000).step_by(37) {
            map.replace(key, Some(key * 2));
        }
        let before = map.clone();
        assert_eq!(map.replace(37, Some(1)), Some(74));
        assert_eq!(map.replace(74, None), Some(148));
        assert_eq!((map.get(37), map.get(74)), (Some(&1), None));
        assert_eq!((before.get(37), before.get(74)), (Some(&74), Some(&148)));
        assert_eq!(before.get(38), None);
        assert_eq!(map.get(199_985), Some(&399_970));
    }
}
