//! Lists that grow at one end and share what they have in common.
//!
//! Paths carry what happened to them: inputs, output, calls, decisions. A path that forks
//! has the same past as its sibling, so a clone is one pointer.

use std::iter::successors;
use std::rc::Rc;

/// A list; a clone shares all that is there and grows on its own.
#[derive(Debug)]
pub struct List<T> {
    last: Option<Rc<Link<T>>>,
}

#[derive(Debug)]
struct Link<T> {
    item: T,
    /// How many items there are up to this one.
    number: usize,
    before: Option<Rc<Link<T>>>,
}

impl<T> List<T> {
    /// Adds an item.
    pub fn push(&mut self, item: T) {
        let number = self.len() + 1;
        let before = self.last.take();
        self.last = Some(Rc::new(Link {
            item,
            number,
            before,
        }));
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.number)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The item that was added last.
    pub fn last(&self) -> Option<&T> {
        self.backwards().next()
    }

    /// The items, last to first.
    pub fn backwards(&self) -> impl Iterator<Item = &T> {
        self.links().map(|link| &link.item)
    }

    /// The items, first to last.
    pub fn forwards(&self) -> impl DoubleEndedIterator<Item = &T> {
        let items: Vec<&T> = self.backwards().collect();
        items.into_iter().rev()
    }

    /// The list as it was after each item beyond the first so many.
    pub fn growing(&self, number: usize) -> impl Iterator<Item = List<T>> {
        let links = self.links().take_while(|link| link.number > number);
        let links: Vec<&Rc<Link<T>>> = links.collect();
        links.into_iter().rev().map(|link| List {
            last: Some(link.clone()),
        })
    }

    /// Whether the other list grew from this one. Only items that both share count.
    pub fn begins(&self, other: &List<T>) -> bool {
        let Some(last) = &self.last else {
            return true;
        };
        let mut at = other.links().skip_while(|link| link.number > last.number);
        at.next().is_some_and(|link| Rc::ptr_eq(link, last))
    }

    fn links(&self) -> impl Iterator<Item = &Rc<Link<T>>> {
        successors(self.last.as_ref(), |link| link.before.as_ref())
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        List {
            last: self.last.clone(),
        }
    }
}

impl<T> Default for List<T> {
    fn default() -> List<T> {
        List { last: None }
    }
}

impl<T> Drop for Link<T> {
    /// A long list is taken down link by link, not by recursion.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut link) => next = link.before.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_their_past_and_grow_on_their_own() {
        let mut one = List::default();
        one.push(1);
        let common = one.clone();
        let mut other = one.clone();
        one.push(2);
        other.push(3);
        assert!(one.forwards().eq(&[1, 2]));
        assert!(other.backwards().eq(&[3, 1]));
        assert!(common.begins(&one) && common.begins(&other) && !one.begins(&other));
        let lengths: Vec<usize> = other.growing(0).map(|list| list.len()).collect();
        assert_eq!(lengths, [1, 2]);
    }

    #[test]
    fn a_long_list_is_dropped_without_a_deep_stack() {
        let mut list = List::default();
        for number in 0..1_000_000 {
            list.push(number);
        }
        assert_eq!(list.last(), Some(&999_999));
    }
}
