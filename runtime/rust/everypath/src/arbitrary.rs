//! Types that there can be any value of.

use crate::{assume, choose, symbolic};
use core::marker::{PhantomData, PhantomPinned};
use core::num::{NonZero, Saturating, Wrapping};
use core::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many elements collections have that [`any`] makes, at most.
pub const BOUND: usize = 4;

/// Types of which every pattern of bits is a value.
///
/// # Safety
///
/// That has to be so.
pub unsafe trait Plain: Copy {}

/// Types that there can be any value of.
pub trait Arbitrary: Sized {
    /// Any value: an input of the program.
    fn any() -> Self;
}

/// Any value: an input of the program. Collections have up to [`BOUND`] elements.
#[inline(always)]
pub fn any<T: Arbitrary>() -> T {
    T::any()
}

/// Any value for which the condition holds.
pub fn any_where<T: Arbitrary, F: FnOnce(&T) -> bool>(holds: F) -> T {
    let value = any();
    assume(holds(&value));
    value
}

/// Any vector of at most so many elements.
pub fn any_vec<T: Arbitrary>(most: usize) -> Vec<T> {
    let length = choose(most + 1);
    // One path for each length, so that memory has a known size on each.
    let mut vector = Vec::new();
    while vector.len() < length {
        vector.push(any());
    }
    vector
}

/// Any text of at most so many characters.
#[inline]
pub fn any_string(most: usize) -> String {
    any_vec::<char>(most).into_iter().collect()
}

macro_rules! plain {
    ($($name:ty)*) => { $(
        unsafe impl Plain for $name {}
        impl Arbitrary for $name {
            #[inline(always)]
            fn any() -> Self {
                symbolic(c"any")
            }
        }
    )* };
}

plain!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

macro_rules! nonzero {
    ($($name:ty)*) => { $(
        impl Arbitrary for NonZero<$name> {
            #[inline]
            fn any() -> Self {
                let number: $name = any();
                assume(number != 0);
                match NonZero::new(number) {
                    Some(number) => number,
                    None => crate::ignore(),
                }
            }
        }
    )* };
}

nonzero!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl Arbitrary for bool {
    #[inline]
    fn any() -> Self {
        let byte: u8 = symbolic(c"any");
        assume(byte < 2);
        byte == 1
    }
}

impl Arbitrary for char {
    #[inline]
    fn any() -> Self {
        const SURROGATES: Range<u32> = 0xd800..0xe000;
        let number: u32 = symbolic(c"any");
        // One condition: characters are no choice between paths.
        assume((number <= char::MAX as u32) & !SURROGATES.contains(&number));
        // SAFETY: those are all conditions there are.
        unsafe { char::from_u32_unchecked(number) }
    }
}

impl Arbitrary for () {
    #[inline]
    fn any() -> Self {}
}

impl<T: ?Sized> Arbitrary for PhantomData<T> {
    #[inline]
    fn any() -> Self {
        PhantomData
    }
}

impl Arbitrary for PhantomPinned {
    #[inline]
    fn any() -> Self {
        PhantomPinned
    }
}

impl Arbitrary for core::cmp::Ordering {
    fn any() -> Self {
        match choose(3) {
            0 => Self::Less,
            1 => Self::Equal,
            _ => Self::Greater,
        }
    }
}

impl Arbitrary for Duration {
    fn any() -> Self {
        let (seconds, nanoseconds) = any();
        assume(nanoseconds < 1_000_000_000);
        Duration::new(seconds, nanoseconds)
    }
}

impl<T: Arbitrary, const N: usize> Arbitrary for [T; N] {
    fn any() -> Self {
        core::array::from_fn(|_| any())
    }
}

impl<T: Arbitrary> Arbitrary for Option<T> {
    fn any() -> Self {
        any::<bool>().then(any)
    }
}

impl<T: Arbitrary, E: Arbitrary> Arbitrary for Result<T, E> {
    fn any() -> Self {
        if any() { Ok(any()) } else { Err(any()) }
    }
}

impl<T: Arbitrary> Arbitrary for Range<T> {
    fn any() -> Self {
        any()..any()
    }
}

impl<T: Arbitrary> Arbitrary for RangeInclusive<T> {
    fn any() -> Self {
        any()..=any()
    }
}

impl<T: Arbitrary> Arbitrary for RangeFrom<T> {
    fn any() -> Self {
        any()..
    }
}

impl<T: Arbitrary> Arbitrary for RangeTo<T> {
    fn any() -> Self {
        ..any()
    }
}

impl<T: Arbitrary> Arbitrary for RangeToInclusive<T> {
    fn any() -> Self {
        ..=any()
    }
}

impl<T: Arbitrary> Arbitrary for Bound<T> {
    fn any() -> Self {
        match choose(3) {
            0 => Bound::Included(any()),
            1 => Bound::Excluded(any()),
            _ => Bound::Unbounded,
        }
    }
}

impl<T: Arbitrary> Arbitrary for Wrapping<T> {
    fn any() -> Self {
        Wrapping(any())
    }
}

impl<T: Arbitrary> Arbitrary for Saturating<T> {
    fn any() -> Self {
        Saturating(any())
    }
}

macro_rules! holders {
    ($($name:ident)*) => { $(
        impl<T: Arbitrary> Arbitrary for $name<T> {
            fn any() -> Self {
                $name::new(any())
            }
        }
    )* };
}

holders!(Box Rc Arc Cell RefCell Mutex);

impl<T: Arbitrary> Arbitrary for Box<[T]> {
    fn any() -> Self {
        any_vec(BOUND).into()
    }
}

impl Arbitrary for Box<str> {
    fn any() -> Self {
        any_string(BOUND).into()
    }
}

impl<T: Arbitrary> Arbitrary for Vec<T> {
    fn any() -> Self {
        any_vec(BOUND)
    }
}

impl<T: Arbitrary> Arbitrary for VecDeque<T> {
    fn any() -> Self {
        any_vec(BOUND).into()
    }
}

impl Arbitrary for String {
    #[inline]
    fn any() -> Self {
        any_string(BOUND)
    }
}

impl<K: Arbitrary + Ord, V: Arbitrary> Arbitrary for BTreeMap<K, V> {
    fn any() -> Self {
        any_vec(BOUND).into_iter().collect()
    }
}

impl<T: Arbitrary + Ord> Arbitrary for BTreeSet<T> {
    fn any() -> Self {
        any_vec(BOUND).into_iter().collect()
    }
}

impl<K: Arbitrary + Hash + Eq, V: Arbitrary> Arbitrary for HashMap<K, V> {
    fn any() -> Self {
        any_vec(BOUND).into_iter().collect()
    }
}

impl<T: Arbitrary + Hash + Eq> Arbitrary for HashSet<T> {
    fn any() -> Self {
        any_vec(BOUND).into_iter().collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => { $(
        impl<$($name: Arbitrary),*> Arbitrary for ($($name,)*) {
            fn any() -> Self {
                ($(any::<$name>(),)*)
            }
        }
    )* };
}

tuples!(
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
    (A B C D E F G H I) (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
);
