//! quickcheck's names for what Everypath does, so that properties written for it are explored:
//! an argument is any value, not a random one.
//!
//! This is compiled in the place of the crate that a project depends on. What is missing here
//! is missing by name: the project does not compile. Collections and strings have a greatest
//! length; the path on which they are longer says that it is left out.

#[path = "../properties/bounds.rs"]
mod bounds;

mod arbitrary;
mod tester;

pub use arbitrary::{Arbitrary, Gen, NoShrink, empty_shrinker, single_shrinker};
pub use tester::{QuickCheck, TestResult, Testable, quickcheck};

/// Functions that are tests: whatever their arguments are, what they give has to hold.
#[macro_export]
macro_rules! quickcheck {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident : $type:ty),* $(,)?) -> $result:ty
       $body:block)*) => { $(
        #[test]
        $(#[$meta])*
        fn $name() {
            fn property($($argument: $type),*) -> $result $body
            $crate::quickcheck(property as fn($($type),*) -> $result)
        }
    )* };
}
