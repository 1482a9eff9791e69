//! What the crates have in common that take the place of proptest and quickcheck: choices that
//! are known on each path, and how far a value may go.

use std::ffi::{CString, c_char};

unsafe extern "C" {
    fn everypath_most_elements() -> usize;
    fn __ep_unsupported(what: *const c_char) -> !;
}

/// Any number below `count`, a known one on each path.
pub(crate) fn one_of(count: usize) -> usize {
    if count <= 1 {
        return 0;
    }
    let chosen = everypath::choose(count);
    let mut number = 0;
    while number < chosen {
        number += 1;
    }
    number
}

/// How many elements collections and strings have at most, unless they must have more.
pub(crate) fn most_elements() -> usize {
    // SAFETY: it gives a number.
    unsafe { everypath_most_elements() }
}

/// Ends the path: it is not explored, and the run says so.
pub(crate) fn left_out(what: &str) -> ! {
    let what = CString::new(what).unwrap_or_default();
    // SAFETY: the text ends in zero.
    unsafe { __ep_unsupported(what.as_ptr()) }
}

/// Any number of elements from `least` to `most`, a known one on each path. Beyond the bound
/// there is one path, which is left out.
pub(crate) fn any_length(least: usize, most: usize) -> usize {
    let bound = most.min(least.max(most_elements()));
    let lengths = bound - least + 1;
    let chosen = one_of(if bound < most { lengths + 1 } else { lengths });
    if chosen == lengths {
        left_out(&format!(
            "collections and strings of more than {bound} elements"
        ));
    }
    least + chosen
}
