//! Types that there can be any value of.

use crate::array::UniformArrayStrategy;
use crate::char::CharStrategy;
use crate::collection::{self, SizeRange};
use crate::num;
use crate::option::{self, OptionStrategy, Probability};
use crate::result::{self, MaybeOk};
use crate::sample::{Index, IndexStrategy, Selector, SelectorStrategy};
use crate::strategy::{BoxedStrategy, Just, LazyJust, Map, Strategy};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

/// A type with a strategy of its own.
pub trait Arbitrary: Sized + fmt::Debug {
    /// What the strategy is made of.
    type Parameters: Default;
    /// The strategy.
    type Strategy: Strategy<Value = Self>;

    fn arbitrary_with(args: Self::Parameters) -> Self::Strategy;

    fn arbitrary() -> Self::Strategy {
        Self::arbitrary_with(Default::default())
    }
}

pub type StrategyFor<A> = <A as Arbitrary>::Strategy;
pub type ParamsFor<A> = <A as Arbitrary>::Parameters;

/// Any value of a type.
#[must_use = "strategies do nothing unless used"]
pub fn any<A: Arbitrary>() -> StrategyFor<A> {
    A::arbitrary()
}

/// Any value of a type, with parameters of its strategy.
#[must_use = "strategies do nothing unless used"]
pub fn any_with<A: Arbitrary>(args: ParamsFor<A>) -> StrategyFor<A> {
    A::arbitrary_with(args)
}

/// The same, with the strategy as a parameter.
#[must_use = "strategies do nothing unless used"]
pub fn arbitrary<A, S>() -> S
where
    S: Strategy<Value = A>,
    A: Arbitrary<Strategy = S>,
{
    A::arbitrary()
}

/// The same, with the strategy and its parameters as parameters.
#[must_use = "strategies do nothing unless used"]
pub fn arbitrary_with<A, S, P>(args: P) -> S
where
    P: Default,
    S: Strategy<Value = A>,
    A: Arbitrary<Strategy = S, Parameters = P>,
{
    A::arbitrary_with(args)
}

/// Types whose strategies have no parameters.
macro_rules! plain {
    ($($type:ty: $strategy:ty = $value:expr;)*) => { $(
        impl Arbitrary for $type {
            type Parameters = ();
            type Strategy = $strategy;

            fn arbitrary_with((): ()) -> $strategy {
                $value
            }
        }
    )* };
}

macro_rules! integers {
    ($($type:ident)*) => {
        plain!($($type: num::$type::Any = num::$type::ANY;)*);
        plain!($(NonZero<$type>: LazyJust<Self, fn() -> Self> = LazyJust::new(|| {
            NonZero::new(num::$type::ANY.__any()).unwrap_or_else(|| everypath::ignore())
        });)*);
    };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// What a plain function gives.
type Lazy<T> = LazyJust<T, fn() -> T>;

/// Any value of a type, at once.
fn value<A: Arbitrary>() -> A {
    any::<A>().__any()
}

plain! {
    bool: crate::bool::Any = crate::bool::ANY;
    char: CharStrategy<'static> = crate::char::any();
    // Neither infinite nor no number at all, as proptest has it.
    f32: num::f32::Any = num::f32::POSITIVE | num::f32::NEGATIVE | num::f32::ZERO
        | num::f32::SUBNORMAL | num::f32::NORMAL;
    f64: num::f64::Any = num::f64::POSITIVE | num::f64::NEGATIVE | num::f64::ZERO
        | num::f64::SUBNORMAL | num::f64::NORMAL;
    (): Just<()> = Just(());
    Index: IndexStrategy = IndexStrategy::default();
    Selector: SelectorStrategy = SelectorStrategy::default();
    Ordering: Lazy<Self> = Lazy::new(|| {
        [Ordering::Less, Ordering::Equal, Ordering::Greater][crate::bounds::one_of(3)]
    });
    Duration: Lazy<Self> = Lazy::new(|| {
        let nanoseconds: u32 = value();
        everypath::assume(nanoseconds < 1_000_000_000);
        Duration::new(value(), nanoseconds)
    });
    SystemTime: Lazy<Self> = Lazy::new(|| {
        let is_before: bool = value();
        let (epoch, by) = (SystemTime::UNIX_EPOCH, value());
        let time = if is_before { epoch.checked_sub(by) } else { epoch.checked_add(by) };
        time.unwrap_or_else(|| everypath::ignore())
    });
    Ipv4Addr: Lazy<Self> = Lazy::new(|| Ipv4Addr::from(value::<u32>()));
    Ipv6Addr: Lazy<Self> = Lazy::new(|| Ipv6Addr::from(value::<u128>()));
    IpAddr: Lazy<Self> = Lazy::new(|| match value() {
        true => IpAddr::V4(value()),
        false => IpAddr::V6(value()),
    });
    SocketAddrV4: Lazy<Self> = Lazy::new(|| SocketAddrV4::new(value(), value()));
    SocketAddrV6: Lazy<Self> = Lazy::new(|| {
        SocketAddrV6::new(value(), value(), value(), value())
    });
    SocketAddr: Lazy<Self> = Lazy::new(|| match value() {
        true => SocketAddr::V4(value()),
        false => SocketAddr::V6(value()),
    });
}

impl<T: ?Sized> Arbitrary for PhantomData<T> {
    type Parameters = ();
    type Strategy = Just<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        Just(PhantomData)
    }
}

#[cfg(feature = "std")]
mod texts {
    use super::*;
    use crate::string::{RegexGeneratorStrategy, StrategyFromRegex, StringParam};

    impl Arbitrary for String {
        type Parameters = StringParam;
        type Strategy = RegexGeneratorStrategy<String>;

        fn arbitrary_with(args: StringParam) -> Self::Strategy {
            String::from_regex(args.into())
        }
    }

    macro_rules! texts {
        ($($type:ty)*) => { $(
            impl Arbitrary for $type {
                type Parameters = StringParam;
                type Strategy = Map<RegexGeneratorStrategy<String>, fn(String) -> Self>;

                fn arbitrary_with(args: StringParam) -> Self::Strategy {
                    any_with::<String>(args).prop_map(Into::into)
                }
            }
        )* };
    }

    texts!(Box<str> Rc<str> Arc<str> Cow<'static, str>);
}

/// Types that hold a value of another.
macro_rules! holders {
    ($($type:ident by $make:expr;)*) => { $(
        impl<A: Arbitrary> Arbitrary for $type<A> {
            type Parameters = A::Parameters;
            type Strategy = Map<A::Strategy, fn(A) -> Self>;

            fn arbitrary_with(args: A::Parameters) -> Self::Strategy {
                any_with::<A>(args).prop_map($make)
            }
        }
    )* };
}

holders! {
    Box by Box::new;
    Rc by Rc::new;
    Arc by Arc::new;
    RefCell by RefCell::new;
    Mutex by Mutex::new;
    RwLock by RwLock::new;
    Wrapping by Wrapping;
    RangeFrom by |start| start..;
    RangeTo by |end| ..end;
    RangeToInclusive by |end| ..=end;
}

impl<A: Arbitrary + Copy> Arbitrary for Cell<A> {
    type Parameters = A::Parameters;
    type Strategy = Map<A::Strategy, fn(A) -> Self>;

    fn arbitrary_with(args: A::Parameters) -> Self::Strategy {
        any_with::<A>(args).prop_map(Cell::new)
    }
}

impl<A: Arbitrary + 'static> Arbitrary for Bound<A>
where
    A::Strategy: 'static,
{
    type Parameters = A::Parameters;
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with(args: A::Parameters) -> Self::Strategy {
        let inner = any_with::<A>(args);
        let bound = move || match crate::bounds::one_of(3) {
            0 => Bound::Included(inner.__any()),
            1 => Bound::Excluded(inner.__any()),
            _ => Bound::Unbounded,
        };
        LazyJust::new(bound).boxed()
    }
}

/// Ranges have their ends in order.
macro_rules! ranges {
    ($($type:ident by $make:expr;)*) => { $(
        impl<A: Arbitrary + PartialOrd> Arbitrary for $type<A> {
            type Parameters = (A::Parameters, A::Parameters);
            type Strategy = Map<(A::Strategy, A::Strategy), fn((A, A)) -> Self>;

            fn arbitrary_with((low, high): Self::Parameters) -> Self::Strategy {
                (any_with::<A>(low), any_with::<A>(high)).prop_map(|(low, high)| {
                    match low <= high {
                        true => $make(low, high),
                        false => $make(high, low),
                    }
                })
            }
        }
    )* };
}

ranges! {
    Range by |low, high| low..high;
    RangeInclusive by RangeInclusive::new;
}

impl<A: Arbitrary> Arbitrary for Option<A> {
    type Parameters = (Probability, A::Parameters);
    type Strategy = OptionStrategy<A::Strategy>;

    fn arbitrary_with((probability, args): Self::Parameters) -> Self::Strategy {
        option::weighted(probability, any_with::<A>(args))
    }
}

impl<A: Arbitrary, B: Arbitrary> Arbitrary for Result<A, B> {
    type Parameters = (Probability, A::Parameters, B::Parameters);
    type Strategy = MaybeOk<A::Strategy, B::Strategy>;

    fn arbitrary_with((probability, a, b): Self::Parameters) -> Self::Strategy {
        result::maybe_ok_weighted(probability, any_with::<A>(a), any_with::<B>(b))
    }
}

macro_rules! collections {
    ($($function:ident $strategy:ident $type:ident<$($kind:ident),*> $key:ident [$($bound:path),*];)*) => { $(
        impl<$($kind: Arbitrary),*> Arbitrary for $type<$($kind),*>
        where
            $key: Sized $(+ $bound)*,
        {
            type Parameters = (SizeRange, $($kind::Parameters),*);
            type Strategy = collection::$strategy<$($kind::Strategy),*>;

            #[allow(non_snake_case)]
            fn arbitrary_with((size, $($kind),*): Self::Parameters) -> Self::Strategy {
                collection::$function($(any_with::<$kind>($kind),)* size)
            }
        }
    )* };
}

collections! {
    vec VecStrategy Vec<A> A [];
    vec_deque VecDequeStrategy VecDeque<A> A [];
    linked_list LinkedListStrategy LinkedList<A> A [];
    binary_heap BinaryHeapStrategy BinaryHeap<A> A [Ord];
    hash_set HashSetStrategy HashSet<A> A [Hash, Eq];
    btree_set BTreeSetStrategy BTreeSet<A> A [Ord];
    hash_map HashMapStrategy HashMap<A, B> A [Hash, Eq];
    btree_map BTreeMapStrategy BTreeMap<A, B> A [Ord];
}

impl<A: Arbitrary> Arbitrary for Box<[A]> {
    type Parameters = (SizeRange, A::Parameters);
    type Strategy = Map<collection::VecStrategy<A::Strategy>, fn(Vec<A>) -> Self>;

    fn arbitrary_with(args: Self::Parameters) -> Self::Strategy {
        any_with::<Vec<A>>(args).prop_map(Vec::into_boxed_slice)
    }
}

impl<A: Arbitrary, const N: usize> Arbitrary for [A; N] {
    type Parameters = A::Parameters;
    type Strategy = UniformArrayStrategy<A::Strategy, [A; N]>;

    fn arbitrary_with(args: A::Parameters) -> Self::Strategy {
        UniformArrayStrategy::new(any_with::<A>(args))
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => { $(
        impl<$($name: Arbitrary),*> Arbitrary for ($($name,)*) {
            type Parameters = ($($name::Parameters,)*);
            type Strategy = ($($name::Strategy,)*);

            #[allow(non_snake_case)]
            fn arbitrary_with(($($name,)*): Self::Parameters) -> Self::Strategy {
                ($(any_with::<$name>($name),)*)
            }
        }
    )* };
}

tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
    (A B C D E F G H I) (A B C D E F G H I J)
}
