//! proptest's names for what Everypath does, so that properties written for it are explored:
//! a strategy gives any of its values, not a random one.
//!
//! This is compiled in the place of the crate that a project depends on, with its features.
//! What is missing here is missing by name: the project does not compile. Collections and
//! strings have a greatest length; the path on which they are longer says that it is left out.

#[macro_use]
#[doc(hidden)]
pub mod sugar;

#[path = "../properties/bounds.rs"]
mod bounds;

pub mod arbitrary;
pub mod array;
pub mod bits;
pub mod bool;
pub mod char;
pub mod collection;
pub mod num;
pub mod option;
pub mod result;
pub mod sample;
pub mod strategy;
#[cfg(feature = "std")]
pub mod string;
pub mod test_runner;
pub mod tuple;
mod unions;

#[doc(hidden)]
pub use everypath::__explored;
#[doc(hidden)]
pub use everypath_macros::case as __case;
#[cfg(feature = "attr-macro")]
pub use proptest_macro::property_test;

/// What derived strategies name.
#[doc(hidden)]
pub mod std_facade {
    pub use std::boxed::Box;
    pub use std::fmt;
    pub use std::sync::Arc;
    pub use std::vec::Vec;
}

pub mod prelude {
    pub use crate::arbitrary::{Arbitrary, any, any_with};
    pub use crate::strategy::{BoxedStrategy, Just, SBoxedStrategy, Strategy};
    pub use crate::test_runner::Config as ProptestConfig;
    pub use crate::test_runner::{ProptestResultExt, TestCaseError};
    pub use crate::{
        prop_assert, prop_assert_eq, prop_assert_ne, prop_assume, prop_compose, prop_oneof,
        proptest,
    };
    #[cfg(not(rand_from_0_10))]
    pub use rand::{Rng, RngCore};
    #[cfg(rand_from_0_10)]
    pub use rand::{Rng, RngExt};

    pub mod prop {
        #[cfg(feature = "std")]
        pub use crate::string;
        pub use crate::{
            arbitrary, array, bits, bool, char, collection, num, option, result, sample, strategy,
            test_runner, tuple,
        };
    }
}
