//! Kani's names for what Everypath does, so that harnesses written for it run here.
//!
//! Bounds of loops (`#[kani::unwind]`) and the choice of a solver are ignored: paths are
//! followed to their end. Harnesses that need stubs or contracts are left out by name.

pub use everypath::arbitrary::Arbitrary;
pub use everypath::{
    __explored, any, any_where, assume, block_on, choose, cover as __cover, ignore,
};
pub use everypath_macros::{
    KaniArbitrary as Arbitrary, ignored as ensures, ignored as loop_decreases,
    ignored as loop_invariant, ignored as loop_modifies, ignored as modifies, ignored as recursion,
    ignored as requires, ignored as solver, ignored as unstable_feature, proof, proof_for_contract,
    should_panic, stub, stub as stub_verified, stub as use_stub_set, unwind,
};

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::CString;
use std::hash::Hash;

/// A condition that is worth reaching.
#[macro_export]
macro_rules! cover {
    ($($tokens:tt)*) => {
        $crate::__cover!($($tokens)*)
    };
}

/// The same, as a function.
pub fn cover(condition: bool, message: &'static str) {
    if condition {
        __cover(&CString::new(message).unwrap_or_default());
    }
}

/// Panics.
#[track_caller]
pub fn panic(message: &'static str) -> ! {
    panic!("{message}")
}

/// Panics where the condition does not hold.
#[track_caller]
pub fn assert(condition: bool, message: &'static str) {
    assert!(condition, "{message}");
}

/// Whether the second holds if the first does.
#[macro_export]
macro_rules! implies {
    ($premise:expr => $conclusion:expr) => {
        !($premise) || ($conclusion)
    };
}

/// Whether something holds for all numbers of a range: `forall!(|i in (0, n)| a[i] > 0)`.
#[macro_export]
macro_rules! forall {
    (|$number:ident in ($low:expr, $high:expr)| $holds:expr) => {
        ($low..$high).all(|$number| $holds)
    };
}

/// Whether something holds for one number of a range, at least.
#[macro_export]
macro_rules! exists {
    (|$number:ident in ($low:expr, $high:expr)| $holds:expr) => {
        ($low..$high).any(|$number| $holds)
    };
}

/// Types of which some values are meant not to be.
pub trait Invariant {
    /// Whether the value is meant to be.
    fn is_safe(&self) -> bool;
}

/// Types that there can be any value of within a bound.
pub trait BoundedArbitrary: Sized {
    /// Any value of at most `N` elements.
    fn bounded_any<const N: usize>() -> Self;
}

macro_rules! bounded {
    ($($name:ty, ($($generics:tt)*);)*) => { $(
        impl<$($generics)*> BoundedArbitrary for $name {
            fn bounded_any<const N: usize>() -> Self {
                everypath::any_vec(N).into_iter().collect()
            }
        }
    )* };
}

bounded!(
    Vec<T>, (T: Arbitrary);
    Box<[T]>, (T: Arbitrary);
    BTreeSet<T>, (T: Arbitrary + Ord);
    HashSet<T>, (T: Arbitrary + Hash + Eq);
    BTreeMap<K, V>, (K: Arbitrary + Ord, V: Arbitrary);
    HashMap<K, V>, (K: Arbitrary + Hash + Eq, V: Arbitrary);
);

impl BoundedArbitrary for String {
    fn bounded_any<const N: usize>() -> Self {
        everypath::any_string(N)
    }
}

/// Any value of at most `N` elements.
pub fn bounded_any<T: BoundedArbitrary, const N: usize>() -> T {
    T::bounded_any::<N>()
}

pub mod vec {
    use crate::Arbitrary;

    /// Any vector of at most `MAX` elements.
    pub fn any_vec<T: Arbitrary, const MAX: usize>() -> Vec<T> {
        everypath::any_vec(MAX)
    }

    /// Any vector of `N` elements.
    pub fn exact_vec<T: Arbitrary, const N: usize>() -> Vec<T> {
        Vec::from(everypath::any::<[T; N]>())
    }
}

pub mod slice {
    use core::ops::Range;

    /// Any part of an array.
    pub fn any_slice_of_array<T, const N: usize>(array: &[T; N]) -> &[T] {
        &array[any_range(N)]
    }

    /// Any part of an array, to change it.
    pub fn any_slice_of_array_mut<T, const N: usize>(array: &mut [T; N]) -> &mut [T] {
        &mut array[any_range(N)]
    }

    /// One path for each, so that addresses are known ones.
    fn any_range(length: usize) -> Range<usize> {
        let (chosen, elements) = (everypath::choose(length + 1), everypath::choose(length + 1));
        let mut start = 0;
        while start < chosen {
            start += 1;
        }
        everypath::assume(elements <= length - start);
        let mut end = start;
        while end - start < elements {
            end += 1;
        }
        start..end
    }
}
