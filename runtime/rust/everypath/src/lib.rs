//! Marking inputs and stating properties for Everypath, in Rust.
//!
//! ```ignore
//! fn main() {
//!     let text: [u8; 4] = everypath::any();
//!     if let Ok(text) = std::str::from_utf8(&text) {
//!         assert_eq!(unquote(&quote(text)), text);
//!     }
//! }
//! ```
//!
//! `everypath run` explores such a program. In a crate, functions marked with
//! `#[everypath::test]` are explored by `cargo everypath test`; plain `cargo test` runs
//! them on the cases that were saved in `tests/everypath`, with nothing else installed.

pub mod arbitrary;
pub mod property;
#[cfg(not(everypath))]
pub mod saved;

pub use crate::arbitrary::{Arbitrary, BOUND, Plain, any, any_string, any_vec, any_where};
#[cfg(feature = "macros")]
pub use everypath_macros::{Arbitrary, test};
#[cfg(feature = "arbitrary")]
pub use property::any_arbitrary;

use core::ffi::CStr;
#[cfg(everypath)]
use core::ffi::{c_char, c_int, c_void};
use core::mem::{MaybeUninit, size_of};
use core::pin::pin;
use core::ptr::null_mut;
use core::task::{Context, Poll, Waker};

#[cfg(everypath)]
unsafe extern "C" {
    fn ep_symbolic(object: *mut c_void, size: usize, name: *const c_char);
    fn ep_assume(condition: bool);
    fn ep_ignore() -> !;
    fn ep_choose(count: usize) -> usize;
    fn ep_range(low: c_int, high: c_int, name: *const c_char) -> c_int;
    fn ep_cover(label: *const c_char);
    fn __ep_regenerate(variable: *mut c_void, suite: *const c_char);
    fn __ep_old(object: *const c_void) -> *mut c_void;
    fn __ep_assert_fail(
        condition: *const c_char,
        file: *const c_char,
        line: u32,
        function: *const c_char,
    ) -> !;
}

#[cfg(not(everypath))]
use saved::{
    __ep_assert_fail, __ep_old, __ep_regenerate, ep_assume, ep_choose, ep_cover, ep_ignore, ep_range,
    ep_symbolic,
};

/// Any value, under a name that the tests show.
#[inline(always)]
pub fn symbolic<T: Plain>(name: &CStr) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: there is room for a value, and whatever is put there is one.
    unsafe {
        ep_symbolic(value.as_mut_ptr().cast(), size_of::<T>(), name.as_ptr());
        value.assume_init()
    }
}

/// Any bytes, at most so many: one input.
pub fn any_bytes(most: usize) -> Vec<u8> {
    let chosen = choose(most + 1);
    let mut length = 0;
    // One path for each length, so that memory has a known size on each.
    while length < chosen {
        length += 1;
    }
    let mut bytes = vec![0; length];
    if length > 0 {
        // SAFETY: there is room for as many bytes, and each may be anything.
        unsafe { ep_symbolic(bytes.as_mut_ptr().cast(), length, c"bytes".as_ptr()) };
    }
    bytes
}

/// Goes on only with inputs for which the condition holds.
#[inline(always)]
pub fn assume(condition: bool) {
    // SAFETY: it takes any truth value.
    unsafe { ep_assume(condition) }
}

/// Drops this path: it is counted as ignored and no test is written for it.
#[inline(always)]
pub fn ignore() -> ! {
    // SAFETY: it can be called anywhere.
    unsafe { ep_ignore() }
}

/// Any value below `count`.
#[inline(always)]
pub fn choose(count: usize) -> usize {
    // SAFETY: it takes any number.
    unsafe { ep_choose(count) }
}

/// Any value from `low` up to, not including, `high`.
#[inline(always)]
pub fn range(low: i32, high: i32, name: &CStr) -> i32 {
    // SAFETY: it takes any numbers, and the name ends in zero.
    unsafe { ep_range(low, high, name.as_ptr()) }
}

/// Marks a place as worth reaching.
#[inline(always)]
pub fn cover(label: &CStr) {
    // SAFETY: the label ends in zero.
    unsafe { ep_cover(label.as_ptr()) }
}

/// Marks a place, or a condition at a place, as worth reaching. Whoever gets there is told of by
/// the message, or by the condition as it is written.
#[macro_export]
macro_rules! cover {
    () => {
        $crate::cover(const { $crate::label(concat!("line ", line!(), "\0")) })
    };
    ($condition:expr $(,)?) => {
        $crate::cover!($condition, stringify!($condition))
    };
    ($condition:expr, $message:expr $(,)?) => {
        if $condition {
            $crate::cover(const { $crate::label(concat!($message, "\0")) })
        }
    };
}

/// The text of a label, which ends in zero.
#[doc(hidden)]
pub const fn label(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(label) => label,
        Err(_) => c"a label with a zero in it",
    }
}

/// An error on every path on which the condition does not hold.
#[inline(always)]
#[track_caller]
pub fn check(condition: bool) {
    if !condition {
        let line = core::panic::Location::caller().line();
        let (text, unknown) = (c"everypath::check".as_ptr(), c"".as_ptr());
        // SAFETY: all texts end in zero.
        unsafe { __ep_assert_fail(text, unknown, line, unknown) }
    }
}

/// A new object, any one of the suite, symbolic, with all that its invariant says.
/// It is nobody's: whoever wants it freed makes a `Box` of it, by `Box::from_raw`.
#[inline(always)]
pub fn regenerate<T>(suite: &CStr) -> &'static mut T {
    let mut object: *mut T = null_mut();
    let mut ep_regenerated_: *mut *mut T = &raw mut object;
    // SAFETY: the variable leads to a pointer, which leads to a new object then, that
    // nobody else knows.
    unsafe {
        __ep_regenerate((&raw mut ep_regenerated_).cast(), suite.as_ptr());
        &mut *object
    }
}

/// What an object of the method was before the method, with all that it led to: for a function
/// that has to hold after it.
#[inline(always)]
pub fn old<T>(object: &T) -> &T {
    // SAFETY: what it gives is a copy of the object that nobody changes.
    unsafe { &*__ep_old((&raw const *object).cast()).cast() }
}

/// Objects to choose from.
pub struct Pool<T, const COUNT: usize> {
    objects: [MaybeUninit<T>; COUNT],
    given: usize,
}

impl<T, const COUNT: usize> Default for Pool<T, COUNT> {
    #[inline(always)]
    fn default() -> Self {
        Pool {
            objects: [const { MaybeUninit::zeroed() }; COUNT],
            given: 0,
        }
    }
}

impl<T, const COUNT: usize> Pool<T, COUNT> {
    /// Null, or an object that was given before, or the next new one, whose numbers
    /// are inputs. So are its pointers: set them before use.
    #[inline(always)]
    pub fn get(&mut self) -> *mut T {
        let chosen = choose(self.given + if self.given < COUNT { 2 } else { 1 });
        let mut number = 0;
        // One path for each object, so that the address is a known one on each.
        while number < chosen {
            number += 1;
        }
        if number == 0 {
            return null_mut();
        }
        let object = self.objects[number - 1].as_mut_ptr();
        if number > self.given {
            // SAFETY: there is room for an object.
            unsafe { ep_symbolic(object.cast(), size_of::<T>(), c"pool".as_ptr()) };
            self.given += 1;
        }
        object
    }
}

/// Runs a future to its end, asking it again and again.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::yield_now();
    }
}

/// What a test may give: nothing, or a `Result` that has to be `Ok`.
pub trait Conclusion {
    /// Panics where the test failed.
    fn conclude(self);
}

impl Conclusion for () {
    fn conclude(self) {}
}

impl<T, E: core::fmt::Debug> Conclusion for Result<T, E> {
    #[track_caller]
    fn conclude(self) {
        if let Err(error) = self {
            panic!("the test gave an error: {error:?}");
        }
    }
}

/// What an attribute makes of a function: an entry whose name tells where the function is
/// and what its attributes say.
#[cfg(everypath)]
#[doc(hidden)]
#[macro_export]
macro_rules! __explored {
    ($attributes:literal, $name:ident, $call:expr, $($function:tt)*) => {
        #[allow(dead_code)]
        $($function)*
        const _: () = {
            // Functions within functions may have one name in a module: the line tells them apart.
            #[unsafe(export_name = concat!(
                "everypath_test.", module_path!(), "::", stringify!($name), ";line=", line!(),
                $attributes
            ))]
            extern "C-unwind" fn entry() {
                $crate::Conclusion::conclude($call)
            }
        };
    };
}

/// What an attribute makes of a function: a test on the cases that were saved.
#[cfg(not(everypath))]
#[doc(hidden)]
#[macro_export]
macro_rules! __explored {
    ($attributes:literal, $name:ident, $call:expr, $($function:tt)*) => {
        #[cfg(test)]
        #[test]
        fn $name() {
            $($function)*
            $crate::saved::replay(
                env!("CARGO_MANIFEST_DIR"),
                concat!(module_path!(), "::", stringify!($name)),
                $attributes,
                || $crate::Conclusion::conclude($call),
            );
        }
    };
}
