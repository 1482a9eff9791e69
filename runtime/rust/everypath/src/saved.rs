//! What the functions do without Everypath: they give the values of a saved case.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

thread_local! {
    static CASE: RefCell<VecDeque<Vec<u8>>> = const { RefCell::new(VecDeque::new()) };
}

/// Unwinds out of a case whose inputs an assumption excludes.
struct Excluded;

/// Runs a test on each of its saved cases, the files of `tests/everypath/NAME` in the
/// crate's directory. `attributes` are what those of the function say.
///
/// # Panics
///
/// When the test does, or a file is no case.
pub fn replay(crate_directory: &str, name: &str, attributes: &str, test: impl Fn()) {
    if attributes.contains(";ignored") {
        return;
    }
    let expected = attributes
        .split_once(";should_panic=")
        .map(|(_, text)| text);
    for file in cases(crate_directory, name) {
        let bytes = std::fs::read(&file).expect("a saved case can be read");
        let inputs = inputs(&bytes);
        let inputs = inputs.unwrap_or_else(|| panic!("{} is no case", file.display()));
        CASE.with(|case| *case.borrow_mut() = inputs);
        match (catch_unwind(AssertUnwindSafe(&test)), expected) {
            (Err(payload), _) if payload.is::<Excluded>() => {}
            (Err(payload), Some(text)) if said(&*payload).contains(text) => {}
            (Err(payload), _) => {
                eprintln!("the case is {}", file.display());
                resume_unwind(payload);
            }
            (Ok(()), Some(_)) => panic!("{} does not panic as it should", file.display()),
            (Ok(()), None) => {}
        }
    }
}

/// The files with the cases of a test, in order.
fn cases(crate_directory: &str, name: &str) -> Vec<PathBuf> {
    // Not every file system has a place for colons.
    let folder = name.replace("::", ".");
    let folder = Path::new(crate_directory)
        .join("tests/everypath")
        .join(folder);
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "ktest"));
    files.sort();
    files
}

/// What a panic says.
fn said(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied())
        .unwrap_or_default()
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

pub(super) unsafe fn __ep_old(_object: *const c_void) -> *mut c_void {
    panic!("what objects were before a method is known to `everypath stage` alone");
}

pub(super) unsafe fn __ep_assert_fail(
    _condition: *const c_char,
    _file: *const c_char,
    line: u32,
    _function: *const c_char,
) -> ! {
    panic!("everypath::check at line {line} does not hold");
}
