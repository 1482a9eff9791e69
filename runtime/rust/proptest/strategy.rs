//! Strategies made of strategies.

use crate::bounds::{left_out, most_elements, one_of};
use crate::test_runner::{Reason, TestRng, TestRunner};
pub use crate::unions::{OneOf, Options, TupleUnion, Union, W, WA};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// What `new_tree` gives.
pub type NewTree<S> = Result<<S as Strategy>::Tree, Reason>;

/// Something that gives any of its values.
pub trait Strategy: fmt::Debug {
    /// The value, as a thing that could be made simpler.
    type Tree: ValueTree<Value = Self::Value>;
    /// What it gives.
    type Value: fmt::Debug;

    /// Any of its values.
    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self>;

    /// Any of its values; strategies of a project's own have `new_tree` alone.
    #[doc(hidden)]
    fn __any(&self) -> Self::Value {
        match self.new_tree(&mut TestRunner::default()) {
            Ok(tree) => tree.current(),
            Err(_) => everypath::ignore(),
        }
    }

    /// What a function makes of any value.
    fn prop_map<O: fmt::Debug, F: Fn(Self::Value) -> O>(self, fun: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map {
            source: self,
            fun: Arc::new(fun),
        }
    }

    /// Any value as another type.
    fn prop_map_into<O: fmt::Debug>(self) -> MapInto<Self, O>
    where
        Self: Sized,
        Self::Value: Into<O>,
    {
        MapInto {
            source: self,
            output: PhantomData,
        }
    }

    /// What a function makes of any value and any random numbers.
    fn prop_perturb<O: fmt::Debug, F: Fn(Self::Value, TestRng) -> O>(
        self,
        fun: F,
    ) -> Perturb<Self, F>
    where
        Self: Sized,
    {
        Perturb {
            source: self,
            fun: Arc::new(fun),
        }
    }

    /// Any value of the strategy that a function makes of any value.
    fn prop_flat_map<S: Strategy, F: Fn(Self::Value) -> S>(self, fun: F) -> Flatten<Map<Self, F>>
    where
        Self: Sized,
    {
        Flatten {
            source: self.prop_map(fun),
        }
    }

    /// The same.
    fn prop_ind_flat_map<S: Strategy, F: Fn(Self::Value) -> S>(
        self,
        fun: F,
    ) -> IndFlatten<Map<Self, F>>
    where
        Self: Sized,
    {
        Flatten {
            source: self.prop_map(fun),
        }
    }

    /// Any value, and any of the strategy that a function makes of it.
    fn prop_ind_flat_map2<S: Strategy, F: Fn(Self::Value) -> S>(
        self,
        fun: F,
    ) -> IndFlattenMap<Self, F>
    where
        Self: Sized,
        Self::Value: Clone,
    {
        IndFlattenMap {
            source: self,
            fun: Arc::new(fun),
        }
    }

    /// Any value for which the condition holds.
    fn prop_filter<R: Into<Reason>, F: Fn(&Self::Value) -> bool>(
        self,
        _whence: R,
        fun: F,
    ) -> Filter<Self, F>
    where
        Self: Sized,
    {
        Filter {
            source: self,
            fun: Arc::new(fun),
        }
    }

    /// What a function makes of any value, where it makes something of it.
    fn prop_filter_map<F: Fn(Self::Value) -> Option<O>, O: fmt::Debug>(
        self,
        _whence: impl Into<Reason>,
        fun: F,
    ) -> FilterMap<Self, F>
    where
        Self: Sized,
    {
        FilterMap {
            source: self,
            fun: Arc::new(fun),
        }
    }

    /// Any value of this or of the other.
    fn prop_union(self, other: Self) -> Union<Self>
    where
        Self: Sized,
    {
        Union::new([self, other])
    }

    /// Any value of this, or of what a function makes of it, to a depth.
    fn prop_recursive<
        R: Strategy<Value = Self::Value> + 'static,
        F: Fn(BoxedStrategy<Self::Value>) -> R,
    >(
        self,
        depth: u32,
        _desired_size: u32,
        _expected_branch_size: u32,
        recurse: F,
    ) -> Recursive<Self::Value, F>
    where
        Self: Sized + 'static,
    {
        Recursive {
            base: self.boxed(),
            depth,
            recurse: Arc::new(recurse),
        }
    }

    /// Any value in any order.
    fn prop_shuffle(self) -> Shuffle<Self>
    where
        Self: Sized,
        Self::Value: Shuffleable,
    {
        Shuffle(self)
    }

    /// The same under a type that tells nothing but what it gives.
    fn boxed(self) -> BoxedStrategy<Self::Value>
    where
        Self: Sized + 'static,
    {
        BoxedStrategy(Arc::new(move || self.__any()))
    }

    /// The same for several threads.
    fn sboxed(self) -> SBoxedStrategy<Self::Value>
    where
        Self: Sized + Send + Sync + 'static,
    {
        SBoxedStrategy(Arc::new(move || self.__any()))
    }

    /// The same: nothing is made simpler here.
    fn no_shrink(self) -> NoShrink<Self>
    where
        Self: Sized,
    {
        NoShrink(self)
    }
}

/// A value that could be made simpler. Inputs are found here, and need not be.
pub trait ValueTree {
    type Value: fmt::Debug;
    fn current(&self) -> Self::Value;
    fn simplify(&mut self) -> bool;
    fn complicate(&mut self) -> bool;
}

impl<T: ValueTree + ?Sized> ValueTree for Box<T> {
    type Value = T::Value;

    fn current(&self) -> T::Value {
        (**self).current()
    }

    fn simplify(&mut self) -> bool {
        (**self).simplify()
    }

    fn complicate(&mut self) -> bool {
        (**self).complicate()
    }
}

/// A value that there is once.
#[derive(Clone, Debug)]
pub struct Chosen<T>(RefCell<Option<T>>);

impl<T> Chosen<T> {
    pub(crate) fn new(value: T) -> Chosen<T> {
        Chosen(RefCell::new(Some(value)))
    }
}

impl<T: fmt::Debug> ValueTree for Chosen<T> {
    type Value = T;

    fn current(&self) -> T {
        match self.0.borrow_mut().take() {
            Some(value) => value,
            None => left_out("a value tree of proptest that is asked twice"),
        }
    }

    fn simplify(&mut self) -> bool {
        false
    }

    fn complicate(&mut self) -> bool {
        false
    }
}

/// Types whose contents are no matter of `Debug`.
macro_rules! opaque {
    ($($name:ident<$($parameter:ident),*>)*) => { $(
        impl<$($parameter),*> fmt::Debug for $name<$($parameter),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )* };
}

opaque! {
    Map<S, F> MapInto<S, O> Perturb<S, F> Filter<S, F> FilterMap<S, F> IndFlattenMap<S, F>
    Recursive<T, F> BoxedStrategy<T> SBoxedStrategy<T> LazyJust<T, F>
}

/// Strategies with a function, which copies of them share.
macro_rules! with_function {
    ($($name:ident of $method:literal)*) => { $(
        #[doc = concat!("See `Strategy::", $method, "`.")]
        #[must_use = "strategies do nothing unless used"]
        pub struct $name<S, F> {
            source: S,
            fun: Arc<F>,
        }

        impl<S: Clone, F> Clone for $name<S, F> {
            fn clone(&self) -> Self {
                $name { source: self.source.clone(), fun: self.fun.clone() }
            }
        }
    )* };
}

with_function! {
    Map of "prop_map"
    Perturb of "prop_perturb"
    Filter of "prop_filter"
    FilterMap of "prop_filter_map"
    IndFlattenMap of "prop_ind_flat_map2"
}

impl<S: Strategy, O: fmt::Debug, F: Fn(S::Value) -> O> Strategy for Map<S, F> {
    type Value = O;
    tree!();

    fn __any(&self) -> O {
        (self.fun)(self.source.__any())
    }
}

impl<S: Strategy, O: fmt::Debug, F: Fn(S::Value, TestRng) -> O> Strategy for Perturb<S, F> {
    type Value = O;
    tree!();

    fn __any(&self) -> O {
        (self.fun)(self.source.__any(), TestRng::any())
    }
}

impl<S: Strategy, F: Fn(&S::Value) -> bool> Strategy for Filter<S, F> {
    type Value = S::Value;
    tree!();

    fn __any(&self) -> S::Value {
        let value = self.source.__any();
        everypath::assume((self.fun)(&value));
        value
    }
}

impl<S: Strategy, O: fmt::Debug, F: Fn(S::Value) -> Option<O>> Strategy for FilterMap<S, F> {
    type Value = O;
    tree!();

    fn __any(&self) -> O {
        match (self.fun)(self.source.__any()) {
            Some(value) => value,
            None => everypath::ignore(),
        }
    }
}

impl<S: Strategy, T: Strategy, F: Fn(S::Value) -> T> Strategy for IndFlattenMap<S, F>
where
    S::Value: Clone,
{
    type Value = (S::Value, T::Value);
    tree!();

    fn __any(&self) -> Self::Value {
        let first = self.source.__any();
        let second = (self.fun)(first.clone()).__any();
        (first, second)
    }
}

/// See [`Strategy::prop_map_into`].
#[must_use = "strategies do nothing unless used"]
pub struct MapInto<S, O> {
    source: S,
    output: PhantomData<fn() -> O>,
}

impl<S: Clone, O> Clone for MapInto<S, O> {
    fn clone(&self) -> Self {
        MapInto {
            source: self.source.clone(),
            output: PhantomData,
        }
    }
}

impl<S: Strategy, O: fmt::Debug> Strategy for MapInto<S, O>
where
    S::Value: Into<O>,
{
    type Value = O;
    tree!();

    fn __any(&self) -> O {
        self.source.__any().into()
    }
}

/// See [`Strategy::prop_flat_map`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct Flatten<S> {
    source: S,
}

/// See [`Strategy::prop_ind_flat_map`].
pub type IndFlatten<S> = Flatten<S>;

impl<S> Flatten<S> {
    pub fn new(source: S) -> Self {
        Flatten { source }
    }
}

impl<S: Strategy> Strategy for Flatten<S>
where
    S::Value: Strategy,
{
    type Value = <S::Value as Strategy>::Value;
    tree!();

    fn __any(&self) -> Self::Value {
        self.source.__any().__any()
    }
}

/// One value.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Copy, Debug)]
pub struct Just<T: Clone + fmt::Debug>(pub T);

impl<T: Clone + fmt::Debug> Strategy for Just<T> {
    type Value = T;
    tree!();

    fn __any(&self) -> T {
        self.0.clone()
    }
}

/// What a function gives.
#[must_use = "strategies do nothing unless used"]
pub struct LazyJust<T, F> {
    function: F,
    output: PhantomData<fn() -> T>,
}

/// What a plain function gives.
pub type LazyJustFn<V> = LazyJust<V, fn() -> V>;

impl<T, F: Fn() -> T> LazyJust<T, F> {
    pub fn new(function: F) -> Self {
        LazyJust {
            function,
            output: PhantomData,
        }
    }
}

impl<T, F: Clone> Clone for LazyJust<T, F> {
    fn clone(&self) -> Self {
        LazyJust {
            function: self.function.clone(),
            output: PhantomData,
        }
    }
}

impl<T: fmt::Debug, F: Fn() -> T> Strategy for LazyJust<T, F> {
    type Value = T;
    tree!();

    fn __any(&self) -> T {
        (self.function)()
    }
}

impl<T: fmt::Debug> Strategy for fn() -> T {
    type Value = T;
    tree!();

    fn __any(&self) -> T {
        self()
    }
}

/// See [`Strategy::no_shrink`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct NoShrink<S>(S);

impl<S: Strategy> Strategy for NoShrink<S> {
    type Value = S::Value;
    tree!();

    fn __any(&self) -> S::Value {
        self.0.__any()
    }
}

/// See [`Strategy::boxed`].
#[must_use = "strategies do nothing unless used"]
pub struct BoxedStrategy<T>(Arc<dyn Fn() -> T>);

/// See [`Strategy::sboxed`].
#[must_use = "strategies do nothing unless used"]
pub struct SBoxedStrategy<T>(Arc<dyn Fn() -> T + Send + Sync>);

impl<T> Clone for BoxedStrategy<T> {
    fn clone(&self) -> Self {
        BoxedStrategy(self.0.clone())
    }
}

impl<T> Clone for SBoxedStrategy<T> {
    fn clone(&self) -> Self {
        SBoxedStrategy(self.0.clone())
    }
}

impl<T: fmt::Debug> Strategy for BoxedStrategy<T> {
    type Value = T;
    tree!();

    fn __any(&self) -> T {
        (self.0)()
    }

    fn boxed(self) -> BoxedStrategy<T>
    where
        Self: 'static,
    {
        self
    }
}

impl<T: fmt::Debug> Strategy for SBoxedStrategy<T> {
    type Value = T;
    tree!();

    fn __any(&self) -> T {
        (self.0)()
    }
}

/// Strategies behind a pointer are strategies.
macro_rules! pointers {
    ($($type:ty)*) => { $(
        impl<S: Strategy + ?Sized> Strategy for $type {
            type Tree = S::Tree;
            type Value = S::Value;

            fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
                (**self).new_tree(runner)
            }

            fn __any(&self) -> S::Value {
                (**self).__any()
            }
        }
    )* };
}

pointers!(&S &mut S Box<S> Rc<S> Arc<S>);

/// See [`Strategy::prop_recursive`].
#[must_use = "strategies do nothing unless used"]
pub struct Recursive<T, F> {
    base: BoxedStrategy<T>,
    depth: u32,
    recurse: Arc<F>,
}

impl<T, F> Clone for Recursive<T, F> {
    fn clone(&self) -> Self {
        Recursive {
            base: self.base.clone(),
            depth: self.depth,
            recurse: self.recurse.clone(),
        }
    }
}

impl<T: fmt::Debug + 'static, R, F> Strategy for Recursive<T, F>
where
    R: Strategy<Value = T> + 'static,
    F: Fn(BoxedStrategy<T>) -> R,
{
    type Value = T;
    tree!();

    fn __any(&self) -> T {
        let most = u32::try_from(most_elements()).unwrap_or(u32::MAX);
        let mut strategy = self.base.clone();
        if self.depth > most {
            let text = format!("values that are nested more than {most} deep");
            let deeper = LazyJust::new(move || left_out(&text)).boxed();
            strategy = strategy.prop_union(deeper).boxed();
        }
        for _ in 0..self.depth.min(most) {
            let deeper = (self.recurse)(strategy).boxed();
            strategy = self.base.clone().prop_union(deeper).boxed();
        }
        strategy.__any()
    }
}

/// See [`Strategy::prop_shuffle`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct Shuffle<S>(S);

/// Collections with an order.
pub trait Shuffleable {
    fn shuffle_len(&self) -> usize;
    fn shuffle_swap(&mut self, a: usize, b: usize);
}

macro_rules! shuffleable {
    ($($type:ty $(, $parameter:ident)?;)*) => { $(
        impl<T $(, const $parameter: usize)?> Shuffleable for $type {
            fn shuffle_len(&self) -> usize {
                self.len()
            }

            fn shuffle_swap(&mut self, a: usize, b: usize) {
                self.swap(a, b);
            }
        }
    )* };
}

shuffleable!([T]; Vec<T>; std::collections::VecDeque<T>; [T; N], N;);

impl<S: Strategy> Strategy for Shuffle<S>
where
    S::Value: Shuffleable,
{
    type Value = S::Value;
    tree!();

    fn __any(&self) -> S::Value {
        let mut value = self.0.__any();
        for last in (1..value.shuffle_len()).rev() {
            value.shuffle_swap(one_of(last + 1), last);
        }
        value
    }
}
