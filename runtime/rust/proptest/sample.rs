//! Choices from what is there.

use crate::bounds::one_of;
use crate::collection::SizeRange;
use crate::strategy::Strategy;
use crate::sugar::input;
use std::borrow::Cow;
use std::fmt;
use std::mem::{needs_drop, size_of};

/// See [`select`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct Select<T: Clone + 'static>(Cow<'static, [T]>);

/// Any of these values.
pub fn select<T: Clone + fmt::Debug + 'static>(values: impl Into<Cow<'static, [T]>>) -> Select<T> {
    let values = values.into();
    assert!(!values.is_empty(), "there is nothing to select from");
    Select(values)
}

impl<T: Clone + fmt::Debug + 'static> Strategy for Select<T> {
    type Value = T;
    tree!();

    fn __any(&self) -> T {
        let number = match size_of::<T>() <= 8 && !needs_drop::<T>() && self.0.len() > 1 {
            // A table that is read at any index is no choice between paths.
            true => everypath::choose(self.0.len()),
            false => one_of(self.0.len()),
        };
        self.0[number].clone()
    }
}

/// See [`subsequence`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct Subsequence<T: Clone + 'static> {
    values: Cow<'static, [T]>,
    size: SizeRange,
}

/// So many of these values, in their order.
pub fn subsequence<T: Clone + 'static>(
    values: impl Into<Cow<'static, [T]>>,
    size: impl Into<SizeRange>,
) -> Subsequence<T> {
    let (values, size) = (values.into(), size.into());
    assert!(
        size.end_incl() <= values.len(),
        "there are not so many values"
    );
    Subsequence { values, size }
}

impl<T: Clone + fmt::Debug + 'static> Strategy for Subsequence<T> {
    type Value = Vec<T>;
    tree!();

    fn __any(&self) -> Vec<T> {
        let (least, most) = self.size.start_end_incl();
        let wanted = least + one_of(most - least + 1);
        let mut chosen = Vec::new();
        for (number, value) in self.values.iter().enumerate() {
            let (missing, left) = (wanted - chosen.len(), self.values.len() - number);
            if missing > 0 && (missing == left || one_of(2) == 1) {
                chosen.push(value.clone());
            }
        }
        chosen
    }
}

/// An index into a collection that is made later.
#[derive(Clone, Copy, Debug)]
pub struct Index(usize);

impl Index {
    pub fn index(&self, size: usize) -> usize {
        assert!(size > 0, "Attempt to use `Index` with 0-size collection");
        // The whole range of numbers is divided evenly, so that one index means the same
        // part of collections of different sizes.
        ((size as u128 * self.0 as u128) >> usize::BITS) as usize
    }

    pub fn get<'a, T>(&self, slice: &'a [T]) -> &'a T {
        &slice[self.index(slice.len())]
    }

    pub fn get_mut<'a, T>(&self, slice: &'a mut [T]) -> &'a mut T {
        let index = self.index(slice.len());
        &mut slice[index]
    }
}

impl AsRef<Index> for Index {
    fn as_ref(&self) -> &Index {
        self
    }
}

/// Any index.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug, Default)]
pub struct IndexStrategy(());

impl Strategy for IndexStrategy {
    type Value = Index;
    tree!();

    fn __any(&self) -> Index {
        Index(input())
    }
}

/// Something that selects from an iterator that is made later.
#[derive(Clone, Debug)]
pub struct Selector(());

impl Selector {
    pub fn select<T: IntoIterator>(&self, items: T) -> T::Item {
        self.try_select(items).expect("select from empty iterator")
    }

    pub fn try_select<T: IntoIterator>(&self, items: T) -> Option<T::Item> {
        let mut items: Vec<T::Item> = items.into_iter().collect();
        (!items.is_empty()).then(|| items.swap_remove(one_of(items.len())))
    }
}

/// Any selector.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug, Default)]
pub struct SelectorStrategy(());

impl Strategy for SelectorStrategy {
    type Value = Selector;
    tree!();

    fn __any(&self) -> Selector {
        Selector(())
    }
}
