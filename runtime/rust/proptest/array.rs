//! Arrays.

use crate::strategy::Strategy;
use std::fmt;
use std::marker::PhantomData;

/// Arrays with any value of one strategy at each place.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Copy, Debug)]
pub struct UniformArrayStrategy<S, T> {
    element: S,
    array: PhantomData<fn() -> T>,
}

impl<S, T> UniformArrayStrategy<S, T> {
    pub fn new(element: S) -> Self {
        UniformArrayStrategy {
            element,
            array: PhantomData,
        }
    }
}

/// Any array of a length.
pub fn uniform<S: Strategy, const N: usize>(element: S) -> UniformArrayStrategy<S, [S::Value; N]> {
    UniformArrayStrategy::new(element)
}

impl<S: Strategy, const N: usize> Strategy for UniformArrayStrategy<S, [S::Value; N]>
where
    [S::Value; N]: fmt::Debug,
{
    type Value = [S::Value; N];
    tree!();

    fn __any(&self) -> Self::Value {
        std::array::from_fn(|_| self.element.__any())
    }
}

/// An array of strategies gives arrays with an element of each.
impl<S: Strategy, const N: usize> Strategy for [S; N] {
    type Value = [S::Value; N];
    tree!();

    fn __any(&self) -> Self::Value {
        std::array::from_fn(|index| self[index].__any())
    }
}

macro_rules! lengths {
    ($($name:ident $length:literal)*) => { $(
        #[doc = concat!("Any array of ", $length, ".")]
        pub fn $name<S: Strategy>(element: S) -> UniformArrayStrategy<S, [S::Value; $length]> {
            uniform(element)
        }
    )* };
}

lengths! {
    uniform1 1 uniform2 2 uniform3 3 uniform4 4 uniform5 5 uniform6 6 uniform7 7 uniform8 8
    uniform9 9 uniform10 10 uniform11 11 uniform12 12 uniform13 13 uniform14 14 uniform15 15
    uniform16 16 uniform17 17 uniform18 18 uniform19 19 uniform20 20 uniform21 21 uniform22 22
    uniform23 23 uniform24 24 uniform25 25 uniform26 26 uniform27 27 uniform28 28 uniform29 29
    uniform30 30 uniform31 31 uniform32 32
}
