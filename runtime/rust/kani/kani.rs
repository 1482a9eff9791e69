//! Kani's names for what Everypath does, so that harnesses written for it run here.
//!
//! Bounds of loops (`#[kani::unwind]`) and the choice of a solver are ignored: paths are
//! followed to their end. Harnesses that need stubs or contracts are left out by name.

pub use everypath::arbitrary::Arbitrary;
pub use everypath::{__explored, any, any_where, assume, block_on, choose, cover, ignore};
pub use everypath_macros::{
    KaniArbitrary as Arbitrary, ignored as ensures, ignored as loop_invariant, ignored as modifies,
    ignored as recursion, ignored as requires, ignored as solver, proof, proof_for_contract,
    should_panic, stub, stub as stub_verified, unwind,
};

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

/// Types that there can be any value of within a bound.
pub trait BoundedArbitrary: Sized {
    /// Any value of at most `N` elements.
    fn bounded_any<const N: usize>() -> Self;
}

impl<T: Arbitrary> BoundedArbitrary for Vec<T> {
    fn bounded_any<const N: usize>() -> Self {
        everypath::any_vec(N)
    }
}

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
