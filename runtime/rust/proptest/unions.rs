//! Strategies that give what one of several gives.

use crate::bounds::one_of;
use crate::strategy::Strategy;
use std::fmt;
use std::sync::Arc;

/// A strategy and how likely it is.
pub type W<T> = (u32, T);
/// The same, shared.
pub type WA<T> = (u32, Arc<T>);

/// Any value of any of several strategies.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct Union<S> {
    options: Vec<W<S>>,
}

impl<S: Strategy> Union<S> {
    pub fn new(options: impl IntoIterator<Item = S>) -> Self {
        Union::new_weighted(options.into_iter().map(|it| (1, it)).collect())
    }

    pub fn new_weighted(options: Vec<W<S>>) -> Self {
        assert!(!options.is_empty(), "Union requires at least one option");
        assert!(
            options.iter().all(|it| it.0 > 0),
            "Union option has a weight of 0"
        );
        Union { options }
    }

    pub fn or(mut self, other: S) -> Self {
        self.options.push((1, other));
        self
    }
}

impl<S: Strategy> Strategy for Union<S> {
    type Value = S::Value;
    tree!();

    fn __any(&self) -> S::Value {
        self.options[one_of(self.options.len())].1.__any()
    }
}

/// What `prop_oneof!` makes: any value of any of several strategies of different types.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct OneOf<T>(pub T);

/// Strategies of which there is a last one.
#[doc(hidden)]
pub trait Options: fmt::Debug {
    type Value: fmt::Debug;

    /// How many of them have a weight.
    fn count(&self) -> usize;
    /// Any value of the one that has so many before it.
    fn any_of(&self, number: usize) -> Self::Value;
}

impl<S: Strategy> Options for (u32, S) {
    type Value = S::Value;

    fn count(&self) -> usize {
        usize::from(self.0 > 0)
    }

    fn any_of(&self, _: usize) -> S::Value {
        self.1.__any()
    }
}

impl<S: Strategy, R: Options<Value = S::Value>> Options for (u32, S, R) {
    type Value = S::Value;

    fn count(&self) -> usize {
        usize::from(self.0 > 0) + self.2.count()
    }

    fn any_of(&self, number: usize) -> S::Value {
        match (self.0 > 0, number) {
            (true, 0) => self.1.__any(),
            (true, _) => self.2.any_of(number - 1),
            (false, _) => self.2.any_of(number),
        }
    }
}

impl<T: Options> Strategy for OneOf<T> {
    type Value = T::Value;
    tree!();

    fn __any(&self) -> T::Value {
        let count = self.0.count();
        assert!(count > 0, "prop_oneof! has no option with a weight");
        self.0.any_of(one_of(count))
    }
}

/// The same, as derived strategies have it.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Copy, Debug)]
pub struct TupleUnion<T>(T);

impl<T> TupleUnion<T> {
    pub fn new(options: T) -> Self {
        TupleUnion(options)
    }
}

macro_rules! tuple_unions {
    ($(($($name:ident $index:tt)*))*) => { $(
        impl<V: fmt::Debug, $($name: Strategy<Value = V>),*> Strategy
            for TupleUnion<($(WA<$name>,)*)>
        {
            type Value = V;
            tree!();

            fn __any(&self) -> V {
                // Some may be there with a weight of none.
                let weights = [$(self.0.$index.0),*];
                let possible = weights.iter().filter(|it| **it > 0).count();
                assert!(possible > 0, "TupleUnion has no option with a weight");
                let wanted = one_of(possible);
                let mut before = 0;
                $(
                    if self.0.$index.0 > 0 {
                        if wanted == before {
                            return self.0.$index.1.__any();
                        }
                        before += 1;
                    }
                )*
                unreachable!("one of {before} is the one that is wanted")
            }
        }
    )* };
}

tuple_unions! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
}
