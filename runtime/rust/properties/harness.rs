//! What runs the `#[test]` functions of a crate in the place of Rust's own runner: one of them,
//! in the main thread, so that its paths are nobody else's.
//!
//! The first argument is the test's name, or asks for all names.

#![feature(test)]

extern crate test;

use std::ffi::{CString, c_char, c_void};
use test::{ShouldPanic, TestDesc, TestDescAndFn, TestFn};

unsafe extern "C" {
    fn ep_symbolic(object: *mut c_void, size: usize, name: *const c_char);
}

/// What the compiler calls with the tests of a crate.
pub fn run(tests: &[&TestDescAndFn]) {
    match std::env::args().nth(1).as_deref() {
        Some("--list") => tests.iter().for_each(|it| tell(&it.desc)),
        Some(name) => tests
            .iter()
            .filter(|it| it.desc.name.as_slice() == name)
            .for_each(|it| run_one(it)),
        None => {}
    }
}

/// Tells of a test by an input that has its name and what its attributes say, as the names of
/// entries do.
fn tell(test: &TestDesc) {
    let ignored = if test.ignore { ";ignored" } else { "" };
    // The text that is expected comes last, for it may have any sign in it.
    let should_panic = match test.should_panic {
        ShouldPanic::No => String::new(),
        ShouldPanic::Yes => ";should_panic=".to_owned(),
        ShouldPanic::YesWithMessage(text) => format!(";should_panic={text}"),
    };
    let name = test.name.as_slice();
    let told = CString::new(format!("{name}{ignored}{should_panic}")).unwrap_or_default();
    let mut nothing = 0u8;
    // SAFETY: there is room for a byte, and the name ends in zero.
    unsafe { ep_symbolic((&raw mut nothing).cast(), 1, told.as_ptr()) };
}

fn run_one(test: &TestDescAndFn) {
    if let TestFn::StaticTestFn(body) = &test.testfn
        && let Err(message) = body()
    {
        panic!("{message}");
    }
}
