//! The entry of a fuzz target: it is given any bytes, up to a length.

use core::ptr::null;

unsafe extern "C" {
    fn LLVMFuzzerInitialize(count: *const isize, arguments: *const *const *const u8) -> isize;
}

unsafe extern "C-unwind" {
    // Its two sides are Rust, and agree on what a slice is.
    #[allow(improper_ctypes)]
    fn rust_fuzzer_test_input(bytes: &[u8]) -> i32;
}

/// The greatest length.
const MOST: usize = match usize::from_str_radix(env!("EVERYPATH_MOST_BYTES"), 10) {
    Ok(most) => most,
    Err(_) => panic!("the greatest length is a number"),
};

#[unsafe(export_name = "everypath_test.fuzz")]
extern "C-unwind" fn entry() {
    // SAFETY: it looks at no arguments.
    unsafe { LLVMFuzzerInitialize(null(), null()) };
    // The hook that it set would abort, and a panic says more.
    drop(std::panic::take_hook());
    let bytes = everypath::any_bytes(MOST);
    // SAFETY: it takes any bytes.
    unsafe { rust_fuzzer_test_input(&bytes) };
}
