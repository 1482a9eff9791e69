//! The macros.

use crate::strategy::Strategy;
use crate::test_runner::{TestCaseError, TestCaseResult};
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicPtr, Ordering};

/// How a strategy that gives its value at once gives it as a tree.
macro_rules! tree {
    () => {
        type Tree = $crate::strategy::Chosen<Self::Value>;

        fn new_tree(
            &self,
            _: &mut $crate::test_runner::TestRunner,
        ) -> $crate::strategy::NewTree<Self> {
            Ok($crate::strategy::Chosen::new(self.__any()))
        }
    };
}

/// The name of the argument whose value is made, for tests to show.
static NAME: AtomicPtr<c_char> = AtomicPtr::new(c"any".as_ptr().cast_mut());

/// Any value of a type without invalid ones.
pub(crate) fn input<T: everypath::Plain>() -> T {
    // SAFETY: whatever is put there ends in zero and is there for ever.
    everypath::symbolic(unsafe { CStr::from_ptr(NAME.load(Ordering::Relaxed)) })
}

/// A strategy whose inputs have a name; the text ends in zero.
#[derive(Clone, Debug)]
pub struct Named<S>(pub S, pub &'static str);

impl<S: Strategy> Strategy for Named<S> {
    type Value = S::Value;
    tree!();

    fn __any(&self) -> S::Value {
        let outer = NAME.swap(self.1.as_ptr().cast_mut().cast(), Ordering::Relaxed);
        let value = self.0.__any();
        NAME.store(outer, Ordering::Relaxed);
        value
    }
}

/// Runs a property on any values of a strategy.
#[track_caller]
pub fn run<S: Strategy>(strategy: S, property: impl FnOnce(S::Value) -> TestCaseResult) {
    conclude(property(strategy.__any()));
}

/// What a property gives is an error, or no case of it.
#[track_caller]
pub(crate) fn conclude(result: TestCaseResult) {
    match result {
        Ok(()) => {}
        Err(TestCaseError::Reject(_)) => everypath::ignore(),
        Err(TestCaseError::Fail(reason)) => panic!("{reason}"),
    }
}

/// Goes on only where the condition holds.
pub fn assume(condition: bool) {
    everypath::assume(condition);
}

/// Functions that are explored, or a closure.
#[macro_export]
macro_rules! proptest {
    () => {};
    (#![proptest_config($config:expr)] $($functions:tt)*) => {
        $crate::__functions! { ($config) $($functions)* }
    };
    (|($($arguments:tt)*)| $body:expr) => {
        $crate::__property!(($crate::test_runner::Config::default()) [] ($($arguments)*) $body)
    };
    (move |($($arguments:tt)*)| $body:expr) => {
        $crate::__property!(($crate::test_runner::Config::default()) [move] ($($arguments)*) $body)
    };
    ($(#[$meta:meta])* fn $($functions:tt)*) => {
        $crate::__functions! {
            ($crate::test_runner::Config::default()) $(#[$meta])* fn $($functions)*
        }
    };
    ($config:expr, |($($arguments:tt)*)| $body:expr) => {
        $crate::__property!(($config) [] ($($arguments)*) $body)
    };
    ($config:expr, move |($($arguments:tt)*)| $body:expr) => {
        $crate::__property!(($config) [move] ($($arguments)*) $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __functions {
    (($config:expr) $($(#[$meta:meta])* fn $name:ident($($arguments:tt)*) $body:block)*) => { $(
        #[$crate::__case($crate)]
        $(#[$meta])*
        fn $name() {
            $crate::__property!(($config) [] ($($arguments)*) $body)
        }
    )* };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __property {
    (($config:expr) $how:tt ($($arguments:tt)*) $body:expr) => {{
        // Numbers of cases, seeds and files with failures mean nothing here.
        let _ = $config;
        $crate::__inputs!(__run ($how $body) () ($crate::strategy::Just(())) $($arguments)*)
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __run {
    (([$($how:tt)*] $body:expr) $pattern:tt $strategy:tt) => {
        $crate::sugar::run($strategy, $($how)* |$pattern| {
            let (): () = $body;
            ::core::result::Result::Ok(())
        })
    };
}

/// Calls a macro with one pattern and one strategy for all arguments: pairs of pairs.
#[doc(hidden)]
#[macro_export]
macro_rules! __inputs {
    ($then:ident $context:tt $pattern:tt $strategy:tt) => {
        $crate::$then!($context $pattern $strategy)
    };
    ($then:ident $context:tt $pattern:tt $strategy:tt
     $name:pat in $values:expr $(, $($rest:tt)*)?) => {
        $crate::__inputs!(
            $then $context
            ($pattern, $name)
            ($strategy, $crate::sugar::Named($values, ::core::concat!(::core::stringify!($name), "\0")))
            $($($rest)*)?
        )
    };
    ($then:ident $context:tt $pattern:tt $strategy:tt
     mut $name:ident : $type:ty $(, $($rest:tt)*)?) => {
        $crate::__inputs!(
            $then $context $pattern $strategy
            mut $name in $crate::arbitrary::any::<$type>() $(, $($rest)*)?
        )
    };
    ($then:ident $context:tt $pattern:tt $strategy:tt
     $name:tt : $type:ty $(, $($rest:tt)*)?) => {
        $crate::__inputs!(
            $then $context $pattern $strategy
            $name in $crate::arbitrary::any::<$type>() $(, $($rest)*)?
        )
    };
}

/// A function that gives a strategy.
#[macro_export]
macro_rules! prop_compose {
    ($(#[$meta:meta])* $visible:vis $([$($modifiers:tt)*])? fn $name:ident $parameters:tt
     ($($arguments:tt)*) -> $type:ty $body:block) => {
        #[must_use = "strategies do nothing unless used"]
        $(#[$meta])*
        $visible $($($modifiers)*)? fn $name $parameters
            -> impl $crate::strategy::Strategy<Value = $type>
        {
            $crate::__inputs!(__map ($body) () ($crate::strategy::Just(())) $($arguments)*)
        }
    };
    ($(#[$meta:meta])* $visible:vis $([$($modifiers:tt)*])? fn $name:ident $parameters:tt
     ($($arguments:tt)*) ($($more:tt)*) -> $type:ty $body:block) => {
        #[must_use = "strategies do nothing unless used"]
        $(#[$meta])*
        $visible $($($modifiers)*)? fn $name $parameters
            -> impl $crate::strategy::Strategy<Value = $type>
        {
            $crate::__inputs!(
                __flat_map (($($more)*) $body) () ($crate::strategy::Just(())) $($arguments)*
            )
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __map {
    (($body:expr) $pattern:tt $strategy:tt) => {
        $crate::strategy::Strategy::prop_map($strategy, move |$pattern| $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __flat_map {
    ((($($more:tt)*) $body:expr) $pattern:tt $strategy:tt) => {
        $crate::strategy::Strategy::prop_map(
            $crate::strategy::Strategy::prop_flat_map($strategy, move |$pattern| {
                $crate::__inputs!(__second () () ($crate::strategy::Just(())) $($more)*)
            }),
            $crate::__inputs!(__closure ($body) () (()) $($more)*),
        )
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __second {
    ($context:tt $pattern:tt $strategy:tt) => {
        $strategy
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __closure {
    (($body:expr) $pattern:tt $strategy:tt) => {
        move |$pattern| $body
    };
}

/// Any value of any of several strategies; of how likely each is, only whether it can be.
#[macro_export]
macro_rules! prop_oneof {
    ($($weight:expr => $item:expr),+ $(,)?) => {
        $crate::strategy::OneOf($crate::__options!($($weight, $item;)+))
    };
    ($($item:expr),+ $(,)?) => {
        $crate::strategy::OneOf($crate::__options!($(1, $item;)+))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __options {
    ($weight:expr, $item:expr;) => {
        ($weight, $item)
    };
    ($weight:expr, $item:expr; $($rest:tt)+) => {
        ($weight, $item, $crate::__options!($($rest)+))
    };
}

/// Goes on only with values for which the condition holds.
#[macro_export]
macro_rules! prop_assume {
    ($condition:expr $(, $($message:tt)*)?) => {
        $crate::sugar::assume($condition)
    };
}

/// Panics, where the original gives an error to whoever called: that is at the line at fault,
/// and what the message shows of the values is one example.
#[macro_export]
macro_rules! prop_assert {
    ($condition:expr $(,)?) => {
        $crate::prop_assert!($condition, "assertion failed: {}", ::core::stringify!($condition))
    };
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            ::core::panic!($($message)+)
        }
    };
}

/// Panics where two values differ.
#[macro_export]
macro_rules! prop_assert_eq {
    ($left:expr, $right:expr $(,)?) => {
        $crate::__compare!(==, $left, $right, "")
    };
    ($left:expr, $right:expr, $($message:tt)+) => {
        $crate::__compare!(==, $left, $right, $($message)+)
    };
}

/// Panics where two values are the same.
#[macro_export]
macro_rules! prop_assert_ne {
    ($left:expr, $right:expr $(,)?) => {
        $crate::__compare!(!=, $left, $right, "")
    };
    ($left:expr, $right:expr, $($message:tt)+) => {
        $crate::__compare!(!=, $left, $right, $($message)+)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __compare {
    ($sign:tt, $left:expr, $right:expr, $($message:tt)+) => {{
        let left = $left;
        let right = $right;
        if !(left $sign right) {
            ::core::panic!(
                "assertion failed: `(left {} right)`\n  left: `{:?}`,\n right: `{:?}`{}{}",
                ::core::stringify!($sign),
                left,
                right,
                if ::core::stringify!($($message)+) == "\"\"" { "" } else { ": " },
                ::core::format_args!($($message)+)
            )
        }
    }};
}
