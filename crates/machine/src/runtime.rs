//! What is linked into programs and what they include, built in.

/// The C library: a name and bitcode for each part.
pub const LIBRARY: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Whether a source file is one of the library.
pub fn is_library(file: &str) -> bool {
    file.starts_with("runtime/libc/") || file.contains("/runtime/libc/")
}

/// The headers for marking inputs: a path to include them by, and the text.
pub const HEADERS: &[(&str, &str)] = &[
    (
        "everypath.h",
        include_str!("../../../runtime/include/everypath.h"),
    ),
    (
        "klee/klee.h",
        include_str!("../../../runtime/include/klee/klee.h"),
    ),
];

/// The runtime that feeds recorded inputs to the real program, as C.
pub const REPLAY: &str = include_str!("../../../runtime/replay/replay.c");
