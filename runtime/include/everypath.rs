//! Marking inputs and stating properties for Everypath, in Rust.
//!
//! ```ignore
//! #![no_main]
//!
//! #[unsafe(no_mangle)]
//! pub extern "C" fn main() -> i32 {
//!     let stack: &mut Stack = everypath::regenerate(c"stack.stage");
//!     let value: i32 = everypath::symbolic(c"value");
//!     stack.push(value);
//!     everypath::check(stack.rep_ok());
//!     0
//! }
//! ```
//!
//! `everypath run` gives the crate to files that mention it; `everypath.h` says more
//! about each function.
#![no_std]

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::{MaybeUninit, size_of};
use core::ptr::null_mut;

unsafe extern "C" {
    fn ep_symbolic(object: *mut c_void, size: usize, name: *const c_char);
    fn ep_assume(condition: bool);
    fn ep_ignore() -> !;
    fn ep_choose(count: usize) -> usize;
    fn ep_range(low: c_int, high: c_int, name: *const c_char) -> c_int;
    fn __ep_regenerate(variable: *mut c_void, suite: *const c_char);
    fn __ep_assert_fail(
        condition: *const c_char,
        file: *const c_char,
        line: u32,
        function: *const c_char,
    ) -> !;
}

/// Types of which every pattern of bits is a value.
///
/// # Safety
///
/// That has to be so.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($name:ty)*) => { $(unsafe impl Plain for $name {})* };
}

plain!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// Any value: an input of the program.
#[inline(always)]
pub fn symbolic<T: Plain>(name: &CStr) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: there is room for a value, and whatever is put there is one.
    unsafe {
        ep_symbolic(value.as_mut_ptr().cast(), size_of::<T>(), name.as_ptr());
        value.assume_init()
    }
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
