//! Types that there can be any value of.

use crate::bounds::{any_length, one_of};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::hash::{BuildHasher, Hash};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How large values are.
pub struct Gen {
    size: usize,
}

impl Gen {
    pub fn new(size: usize) -> Gen {
        Gen { size }
    }

    /// Seeds mean nothing.
    pub fn from_size_and_seed(size: usize, _: u64) -> Gen {
        Gen { size }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Any element, a known one on each path.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[one_of(items.len())])
    }

    /// Any values, fewer than the size.
    fn several<T: Arbitrary>(&mut self) -> Vec<T> {
        let length = any_length(0, self.size.saturating_sub(1));
        (0..length).map(|_| T::arbitrary(self)).collect()
    }
}

pub fn empty_shrinker<A: 'static>() -> Box<dyn Iterator<Item = A>> {
    Box::new(std::iter::empty())
}

pub fn single_shrinker<A: 'static>(value: A) -> Box<dyn Iterator<Item = A>> {
    Box::new(std::iter::once(value))
}

/// Types that there can be any value of. Nothing is made smaller: a case that was found is as
/// small as its path allows.
pub trait Arbitrary: Clone + 'static {
    fn arbitrary(g: &mut Gen) -> Self;

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        empty_shrinker()
    }
}

/// A value that the original would not make smaller.
#[derive(Clone, Debug)]
pub struct NoShrink<A: Arbitrary>(A);

impl<A: Arbitrary> NoShrink<A> {
    pub fn into_inner(self) -> A {
        self.0
    }

    pub fn inner(&self) -> &A {
        &self.0
    }
}

impl<A: Arbitrary> AsRef<A> for NoShrink<A> {
    fn as_ref(&self) -> &A {
        &self.0
    }
}

impl<A: Arbitrary> Arbitrary for NoShrink<A> {
    fn arbitrary(g: &mut Gen) -> Self {
        NoShrink(A::arbitrary(g))
    }
}

macro_rules! as_ours {
    ($($name:ty)*) => { $(
        impl Arbitrary for $name {
            fn arbitrary(_: &mut Gen) -> Self {
                everypath::any()
            }
        }
    )* };
}

as_ours!(() bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 Duration);
as_ours!(NonZero<u8> NonZero<u16> NonZero<u32> NonZero<u64> NonZero<u128> NonZero<usize>);
as_ours!(NonZero<i8> NonZero<i16> NonZero<i32> NonZero<i64> NonZero<i128> NonZero<isize>);

impl<A: Arbitrary> Arbitrary for Option<A> {
    fn arbitrary(g: &mut Gen) -> Self {
        bool::arbitrary(g).then(|| A::arbitrary(g))
    }
}

impl<A: Arbitrary, B: Arbitrary> Arbitrary for Result<A, B> {
    fn arbitrary(g: &mut Gen) -> Self {
        match bool::arbitrary(g) {
            true => Ok(A::arbitrary(g)),
            false => Err(B::arbitrary(g)),
        }
    }
}

impl<A: Arbitrary, const N: usize> Arbitrary for [A; N] {
    fn arbitrary(g: &mut Gen) -> Self {
        std::array::from_fn(|_| A::arbitrary(g))
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => { $(
        impl<$($name: Arbitrary),*> Arbitrary for ($($name,)*) {
            fn arbitrary(g: &mut Gen) -> Self {
                ($($name::arbitrary(g),)*)
            }
        }
    )* };
}

tuples!((A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H));

macro_rules! collections {
    ($($name:ident $(: $bound:ident)*;)*) => { $(
        impl<A: Arbitrary $(+ $bound)*> Arbitrary for $name<A> {
            fn arbitrary(g: &mut Gen) -> Self {
                g.several().into_iter().collect()
            }
        }
    )* };
}

collections!(Vec; VecDeque; LinkedList; BinaryHeap: Ord; BTreeSet: Ord;);

impl<K: Arbitrary + Ord, V: Arbitrary> Arbitrary for BTreeMap<K, V> {
    fn arbitrary(g: &mut Gen) -> Self {
        g.several().into_iter().collect()
    }
}

impl<K, V, S> Arbitrary for HashMap<K, V, S>
where
    K: Arbitrary + Eq + Hash,
    V: Arbitrary,
    S: BuildHasher + Default + Clone + 'static,
{
    fn arbitrary(g: &mut Gen) -> Self {
        g.several().into_iter().collect()
    }
}

impl<A, S> Arbitrary for HashSet<A, S>
where
    A: Arbitrary + Eq + Hash,
    S: BuildHasher + Default + Clone + 'static,
{
    fn arbitrary(g: &mut Gen) -> Self {
        g.several().into_iter().collect()
    }
}

impl Arbitrary for String {
    fn arbitrary(g: &mut Gen) -> Self {
        g.several::<char>().into_iter().collect()
    }
}

impl Arbitrary for OsString {
    fn arbitrary(g: &mut Gen) -> Self {
        String::arbitrary(g).into()
    }
}

impl Arbitrary for PathBuf {
    fn arbitrary(g: &mut Gen) -> Self {
        String::arbitrary(g).into()
    }
}

impl Arbitrary for CString {
    fn arbitrary(g: &mut Gen) -> Self {
        let bytes: Vec<NonZero<u8>> = g.several();
        bytes.into()
    }
}

macro_rules! made_of {
    ($($name:ident $value:expr;)*) => { $(
        impl<A: Arbitrary> Arbitrary for $name<A> {
            fn arbitrary(g: &mut Gen) -> Self {
                let make: fn(&mut Gen) -> Self = $value;
                make(g)
            }
        }
    )* };
}

made_of! {
    Box |g| Box::new(A::arbitrary(g));
    Wrapping |g| Wrapping(A::arbitrary(g));
    RangeFrom |g| A::arbitrary(g)..;
    RangeTo |g| ..A::arbitrary(g);
    RangeToInclusive |g| ..=A::arbitrary(g);
    Range |g| A::arbitrary(g)..A::arbitrary(g);
    RangeInclusive |g| A::arbitrary(g)..=A::arbitrary(g);
    Bound |g| match one_of(3) {
        0 => Bound::Included(A::arbitrary(g)),
        1 => Bound::Excluded(A::arbitrary(g)),
        _ => Bound::Unbounded,
    };
}

impl<A: Arbitrary + Sync> Arbitrary for Arc<A> {
    fn arbitrary(g: &mut Gen) -> Self {
        Arc::new(A::arbitrary(g))
    }
}

impl Arbitrary for RangeFull {
    fn arbitrary(_: &mut Gen) -> Self {
        ..
    }
}

impl Arbitrary for SystemTime {
    fn arbitrary(g: &mut Gen) -> Self {
        let distance = Duration::from_nanos(u64::arbitrary(g));
        match bool::arbitrary(g) {
            true => SystemTime::UNIX_EPOCH + distance,
            false => SystemTime::UNIX_EPOCH - distance,
        }
    }
}

impl Arbitrary for Ipv4Addr {
    fn arbitrary(g: &mut Gen) -> Self {
        u32::arbitrary(g).into()
    }
}

impl Arbitrary for Ipv6Addr {
    fn arbitrary(g: &mut Gen) -> Self {
        u128::arbitrary(g).into()
    }
}

impl Arbitrary for IpAddr {
    fn arbitrary(g: &mut Gen) -> Self {
        match bool::arbitrary(g) {
            true => Ipv4Addr::arbitrary(g).into(),
            false => Ipv6Addr::arbitrary(g).into(),
        }
    }
}

impl Arbitrary for SocketAddrV4 {
    fn arbitrary(g: &mut Gen) -> Self {
        SocketAddrV4::new(Ipv4Addr::arbitrary(g), u16::arbitrary(g))
    }
}

impl Arbitrary for SocketAddrV6 {
    fn arbitrary(g: &mut Gen) -> Self {
        let address = Ipv6Addr::arbitrary(g);
        SocketAddrV6::new(
            address,
            u16::arbitrary(g),
            u32::arbitrary(g),
            u32::arbitrary(g),
        )
    }
}

impl Arbitrary for SocketAddr {
    fn arbitrary(g: &mut Gen) -> Self {
        SocketAddr::new(IpAddr::arbitrary(g), u16::arbitrary(g))
    }
}
