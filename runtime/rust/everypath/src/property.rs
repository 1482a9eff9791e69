//! Properties in the manner of proptest, and values made by the crate `arbitrary`.

use crate::{Arbitrary, any, assume};
use core::ops::{Range, RangeInclusive};

/// What [`property!`](crate::property) takes after `in`.
pub trait Strategy {
    /// What it gives.
    type Value;

    /// Any value that it may give.
    fn any_value(self) -> Self::Value;
}

impl<T: Arbitrary + PartialOrd> Strategy for Range<T> {
    type Value = T;

    fn any_value(self) -> T {
        let value: T = any();
        // One condition: to be within is no choice between paths.
        assume((self.start <= value) & (value < self.end));
        value
    }
}

impl<T: Arbitrary + PartialOrd> Strategy for RangeInclusive<T> {
    type Value = T;

    fn any_value(self) -> T {
        let value: T = any();
        assume((*self.start() <= value) & (value <= *self.end()));
        value
    }
}

/// A property that holds for any values: `property!(|(a in 0..10, b: u8)| assert!(…))`.
#[macro_export]
macro_rules! property {
    (|($($variables:tt)*)| $body:expr) => {{
        $crate::__variables!($($variables)*);
        $body
    }};
}

/// A variable for each that is named.
#[doc(hidden)]
#[macro_export]
macro_rules! __variables {
    () => {};
    ($name:ident in $values:expr $(, $($rest:tt)*)?) => {
        let $name = $crate::property::Strategy::any_value($values);
        $crate::__variables!($($($rest)*)?);
    };
    ($name:ident : $kind:ty $(, $($rest:tt)*)?) => {
        let $name: $kind = $crate::any();
        $crate::__variables!($($($rest)*)?);
    };
}

/// Any value that the crate `arbitrary` makes of at most so many bytes.
#[cfg(feature = "arbitrary")]
pub fn any_arbitrary<T: for<'a> arbitrary::Arbitrary<'a>>(bytes: usize) -> T {
    let bytes = crate::any_bytes(bytes);
    match T::arbitrary(&mut arbitrary::Unstructured::new(&bytes)) {
        Ok(value) => value,
        Err(_) => crate::ignore(),
    }
}
