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
#![allow(unexpected_cfgs)]

#[cfg(feature = "macros")]
pub use everypath_macros::{Arbitrary, test};

use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::{MaybeUninit, size_of};
use core::ptr::null_mut;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;

#[cfg(everypath)]
unsafe extern "C" {
    fn ep_symbolic(object: *mut c_void, size: usize, name: *const c_char);
    fn ep_assume(condition: bool);
    fn ep_ignore() -> !;
    fn ep_choose(count: usize) -> usize;
    fn ep_range(low: c_int, high: c_int, name: *const c_char) -> c_int;
    fn ep_cover(label: *const c_char);
    fn __ep_regenerate(variable: *mut c_void, suite: *const c_char);
    fn __ep_assert_fail(
        condition: *const c_char,
        file: *const c_char,
        line: u32,
        function: *const c_char,
    ) -> !;
}

#[cfg(not(everypath))]
use saved::{
    __ep_assert_fail, __ep_regenerate, ep_assume, ep_choose, ep_cover, ep_ignore, ep_range,
    ep_symbolic,
};

/// How many elements collections have that [`any`] makes, at most.
pub const BOUND: usize = 4;

/// Types of which every pattern of bits is a value.
///
/// # Safety
///
/// That has to be so.
pub unsafe trait Plain: Copy {}

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
pub fn any_where<T: Arbitrary>(holds: impl FnOnce(&T) -> bool) -> T {
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
        const SURROGATES: core::ops::Range<u32> = 0xd800..0xe000;
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

impl<T: Arbitrary> Arbitrary for Box<T> {
    fn any() -> Self {
        Box::new(any())
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

tuples!((A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F));

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

/// Marks a place, or a condition at a place, as worth reaching.
#[macro_export]
macro_rules! cover {
    () => {
        $crate::cover(c"cover")
    };
    ($condition:expr $(, $message:expr)* $(,)?) => {
        if $condition {
            $crate::cover(c"cover")
        }
    };
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

/// What the functions do without Everypath: they give the values of a saved case.
#[cfg(not(everypath))]
pub mod saved {
    use super::{CStr, c_char, c_int, c_void};
    use std::cell::RefCell;
    use std::collections::VecDeque;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::path::Path;

    thread_local! {
        static CASE: RefCell<VecDeque<Vec<u8>>> = const { RefCell::new(VecDeque::new()) };
    }

    /// Unwinds out of a case whose inputs an assumption excludes.
    struct Excluded;

    /// Runs a test on each of its saved cases, the files of `tests/everypath/NAME` in the
    /// crate's directory.
    ///
    /// # Panics
    ///
    /// When the test does, or a file is no case.
    pub fn replay(crate_directory: &str, name: &str, test: impl Fn()) {
        let folder = Path::new(crate_directory).join("tests/everypath").join(name);
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = files.map(|file| file.path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "ktest")) {
            let bytes = std::fs::read(file).expect("a saved case can be read");
            let inputs = inputs(&bytes);
            let inputs = inputs.unwrap_or_else(|| panic!("{} is no case", file.display()));
            CASE.with(|case| *case.borrow_mut() = inputs);
            if let Err(payload) = catch_unwind(AssertUnwindSafe(&test))
                && !payload.is::<Excluded>()
            {
                eprintln!("the case is {}", file.display());
                resume_unwind(payload);
            }
        }
    }

    /// The inputs in a file in KLEE's format.
    fn inputs(bytes: &[u8]) -> Option<VecDeque<Vec<u8>>> {
        let mut file = Reader(bytes.strip_prefix(b"KTEST")?);
        let _version = file.number()?;
        for _ in 0..file.number()? {
            file.text()?;
        }
        let (_symbolic_arguments, _their_length) = (file.number()?, file.number()?);
        let count = file.number()?;
        let input = |_| {
            let _name = file.text()?;
            file.text()
        };
        (0..count).map(input).collect()
    }

    /// Numbers have four bytes, the most significant first; texts begin with their length.
    struct Reader<'a>(&'a [u8]);

    impl Reader<'_> {
        fn number(&mut self) -> Option<usize> {
            let (word, rest) = self.0.split_first_chunk::<4>()?;
            self.0 = rest;
            usize::try_from(u32::from_be_bytes(*word)).ok()
        }

        fn text(&mut self) -> Option<Vec<u8>> {
            let length = self.number()?;
            let (text, rest) = self.0.split_at_checked(length)?;
            self.0 = rest;
            Some(text.to_vec())
        }
    }

    /// The next input of the case at hand.
    fn next(size: usize) -> Vec<u8> {
        let next = CASE.with(|case| case.borrow_mut().pop_front());
        match next {
            Some(bytes) if bytes.len() == size => bytes,
            _ => panic!("the saved case is for another version of this test; save it again"),
        }
    }

    pub(super) unsafe fn ep_symbolic(object: *mut c_void, size: usize, _name: *const c_char) {
        let bytes = next(size);
        // SAFETY: the object has as many bytes.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), object.cast(), size) }
    }

    pub(super) unsafe fn ep_assume(condition: bool) {
        if !condition {
            // SAFETY: it can be called anywhere.
            unsafe { ep_ignore() }
        }
    }

    pub(super) unsafe fn ep_ignore() -> ! {
        resume_unwind(Box::new(Excluded))
    }

    pub(super) unsafe fn ep_choose(count: usize) -> usize {
        let mut word = [0; size_of::<usize>()];
        word.copy_from_slice(&next(size_of::<usize>()));
        let chosen = usize::from_ne_bytes(word);
        // SAFETY: it takes any truth value.
        unsafe { ep_assume(chosen < count) };
        chosen
    }

    pub(super) unsafe fn ep_range(low: c_int, high: c_int, _name: *const c_char) -> c_int {
        if high.checked_sub(low) == Some(1) {
            return low;
        }
        let mut word = [0; size_of::<c_int>()];
        word.copy_from_slice(&next(size_of::<c_int>()));
        let value = c_int::from_ne_bytes(word);
        // SAFETY: it takes any truth value.
        unsafe { ep_assume(low <= value && value < high) };
        value
    }

    pub(super) unsafe fn ep_cover(_label: *const c_char) {}

    pub(super) unsafe fn __ep_regenerate(_variable: *mut c_void, suite: *const c_char) {
        // SAFETY: the caller's text ends in zero.
        let suite = unsafe { CStr::from_ptr(suite) }.to_string_lossy();
        panic!("objects of {suite} are made by `everypath run` alone");
    }

    pub(super) unsafe fn __ep_assert_fail(
        _condition: *const c_char,
        _file: *const c_char,
        line: u32,
        _function: *const c_char,
    ) -> ! {
        panic!("everypath::check at line {line} does not hold");
    }
}
