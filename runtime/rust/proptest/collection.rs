//! Collections.

use crate::bounds::any_length;
use crate::strategy::Strategy;
use crate::test_runner::Config;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::Hash;
use std::ops::{Add, Range, RangeInclusive, RangeTo, RangeToInclusive};

/// How many elements there are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SizeRange(Range<usize>);

pub fn size_range(from: impl Into<SizeRange>) -> SizeRange {
    from.into()
}

impl SizeRange {
    pub fn new(range: RangeInclusive<usize>) -> Self {
        range.into()
    }

    pub fn with<X>(self, and: X) -> (Self, X) {
        (self, and)
    }

    pub fn lift<X: Default>(self) -> (Self, X) {
        self.with(X::default())
    }

    pub fn start(&self) -> usize {
        self.0.start
    }

    pub fn start_end_incl(&self) -> (usize, usize) {
        (self.start(), self.end_incl())
    }

    pub fn end_incl(&self) -> usize {
        self.0.end - 1
    }

    pub fn end_excl(&self) -> usize {
        self.0.end
    }

    /// Any number of elements, a known one on each path. Beyond the bound there is one path,
    /// which is left out.
    pub(crate) fn any(&self) -> usize {
        assert!(
            !self.0.is_empty(),
            "Invalid use of empty size range {:?}.",
            self.0
        );
        let (least, most) = self.start_end_incl();
        any_length(least, most)
    }
}

impl Default for SizeRange {
    fn default() -> Self {
        size_range(0..Config::default().max_default_size_range)
    }
}

impl From<Range<usize>> for SizeRange {
    fn from(range: Range<usize>) -> Self {
        SizeRange(range)
    }
}

impl From<(usize, usize)> for SizeRange {
    fn from((low, high): (usize, usize)) -> Self {
        SizeRange(low..high)
    }
}

impl From<usize> for SizeRange {
    fn from(exact: usize) -> Self {
        size_range(exact..=exact)
    }
}

impl From<RangeTo<usize>> for SizeRange {
    fn from(range: RangeTo<usize>) -> Self {
        SizeRange(0..range.end)
    }
}

impl From<RangeInclusive<usize>> for SizeRange {
    fn from(range: RangeInclusive<usize>) -> Self {
        SizeRange(*range.start()..range.end().saturating_add(1))
    }
}

impl From<RangeToInclusive<usize>> for SizeRange {
    fn from(range: RangeToInclusive<usize>) -> Self {
        size_range(0..=range.end)
    }
}

impl From<SizeRange> for Range<usize> {
    fn from(range: SizeRange) -> Self {
        range.0
    }
}

impl Add<usize> for SizeRange {
    type Output = SizeRange;

    fn add(self, more: usize) -> SizeRange {
        SizeRange(self.0.start + more..self.0.end + more)
    }
}

/// See [`vec()`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct VecStrategy<S> {
    element: S,
    size: SizeRange,
}

/// Any vector of so many elements.
pub fn vec<S: Strategy>(element: S, size: impl Into<SizeRange>) -> VecStrategy<S> {
    VecStrategy {
        element,
        size: size.into(),
    }
}

impl<S: Strategy> Strategy for VecStrategy<S> {
    type Value = Vec<S::Value>;
    tree!();

    fn __any(&self) -> Self::Value {
        (0..self.size.any()).map(|_| self.element.__any()).collect()
    }
}

/// A vector of strategies gives vectors with an element of each.
impl<S: Strategy> Strategy for Vec<S> {
    type Value = Vec<S::Value>;
    tree!();

    fn __any(&self) -> Self::Value {
        self.iter().map(Strategy::__any).collect()
    }
}

/// Collections that are made of a vector. Of sets and maps the least number of elements is that
/// of different ones.
macro_rules! made_of_vectors {
    ($($function:ident $strategy:ident $type:ident<$($element:ident: $kind:ident),*> $key:ident [$($bound:path),*])*) => { $(
        #[doc = concat!("See [`", stringify!($function), "`].")]
        #[must_use = "strategies do nothing unless used"]
        #[allow(unused_parens)]
        #[derive(Clone, Debug)]
        pub struct $strategy<$($kind),*>(VecStrategy<($($kind),*)>);

        pub fn $function<$($kind: Strategy),*>(
            $($element: $kind,)*
            size: impl Into<SizeRange>,
        ) -> $strategy<$($kind),*>
        where
            $key::Value: Sized $(+ $bound)*,
        {
            $strategy(vec(($($element),*), size))
        }

        impl<$($kind: Strategy),*> Strategy for $strategy<$($kind),*>
        where
            $key::Value: Sized $(+ $bound)*,
        {
            type Value = $type<$($kind::Value),*>;
            tree!();

            fn __any(&self) -> Self::Value {
                let value: Self::Value = self.0.__any().into_iter().collect();
                everypath::assume(value.len() >= self.0.size.start());
                value
            }
        }
    )* };
}

made_of_vectors! {
    vec_deque VecDequeStrategy VecDeque<element: T> T []
    linked_list LinkedListStrategy LinkedList<element: T> T []
    binary_heap BinaryHeapStrategy BinaryHeap<element: T> T [Ord]
    hash_set HashSetStrategy HashSet<element: T> T [Hash, Eq]
    btree_set BTreeSetStrategy BTreeSet<element: T> T [Ord]
    hash_map HashMapStrategy HashMap<key: K, value: V> K [Hash, Eq]
    btree_map BTreeMapStrategy BTreeMap<key: K, value: V> K [Ord]
}
