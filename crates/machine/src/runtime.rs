//! What is linked into programs and what they include. All of it is part of the
//! binary, so that an installed one needs no other file.

pub use crate::origin::{LIBRARY_DIRECTORY, is_built_in, is_library, is_standard_library};

/// The C library: a name and bitcode for each part.
pub const LIBRARY: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The headers for marking inputs, and the crates for Rust: a path to include them
/// by, and the text.
pub const HEADERS: &[(&str, &str)] = &[
    (
        "everypath.h",
        include_str!("../../../runtime/include/everypath.h"),
    ),
    (
        "rust/everypath/src/arbitrary.rs",
        include_str!("../../../runtime/rust/everypath/src/arbitrary.rs"),
    ),
    (
        "rust/everypath/src/lib.rs",
        include_str!("../../../runtime/rust/everypath/src/lib.rs"),
    ),
    (
        "rust/everypath/src/property.rs",
        include_str!("../../../runtime/rust/everypath/src/property.rs"),
    ),
    (
        "rust/everypath/src/saved.rs",
        include_str!("../../../runtime/rust/everypath/src/saved.rs"),
    ),
    (
        "rust/everypath-macros/src/lib.rs",
        include_str!("../../../runtime/rust/everypath-macros/src/lib.rs"),
    ),
    (
        "rust/fuzz/fuzz.rs",
        include_str!("../../../runtime/rust/fuzz/fuzz.rs"),
    ),
    (
        "rust/kani/kani.rs",
        include_str!("../../../runtime/rust/kani/kani.rs"),
    ),
    (
        "rust/properties/bounds.rs",
        include_str!("../../../runtime/rust/properties/bounds.rs"),
    ),
    (
        "rust/properties/elements.rs",
        include_str!("../../../runtime/rust/properties/elements.rs"),
    ),
    (
        "rust/properties/harness.rs",
        include_str!("../../../runtime/rust/properties/harness.rs"),
    ),
    (
        "rust/proptest/arbitrary.rs",
        include_str!("../../../runtime/rust/proptest/arbitrary.rs"),
    ),
    (
        "rust/proptest/array.rs",
        include_str!("../../../runtime/rust/proptest/array.rs"),
    ),
    (
        "rust/proptest/bits.rs",
        include_str!("../../../runtime/rust/proptest/bits.rs"),
    ),
    (
        "rust/proptest/bool.rs",
        include_str!("../../../runtime/rust/proptest/bool.rs"),
    ),
    (
        "rust/proptest/char.rs",
        include_str!("../../../runtime/rust/proptest/char.rs"),
    ),
    (
        "rust/proptest/collection.rs",
        include_str!("../../../runtime/rust/proptest/collection.rs"),
    ),
    (
        "rust/proptest/lib.rs",
        include_str!("../../../runtime/rust/proptest/lib.rs"),
    ),
    (
        "rust/proptest/num.rs",
        include_str!("../../../runtime/rust/proptest/num.rs"),
    ),
    (
        "rust/proptest/option.rs",
        include_str!("../../../runtime/rust/proptest/option.rs"),
    ),
    (
        "rust/proptest/result.rs",
        include_str!("../../../runtime/rust/proptest/result.rs"),
    ),
    (
        "rust/proptest/sample.rs",
        include_str!("../../../runtime/rust/proptest/sample.rs"),
    ),
    (
        "rust/proptest/strategy.rs",
        include_str!("../../../runtime/rust/proptest/strategy.rs"),
    ),
    (
        "rust/proptest/string.rs",
        include_str!("../../../runtime/rust/proptest/string.rs"),
    ),
    (
        "rust/proptest/sugar.rs",
        include_str!("../../../runtime/rust/proptest/sugar.rs"),
    ),
    (
        "rust/proptest/test_runner.rs",
        include_str!("../../../runtime/rust/proptest/test_runner.rs"),
    ),
    (
        "rust/proptest/tuple.rs",
        include_str!("../../../runtime/rust/proptest/tuple.rs"),
    ),
    (
        "rust/proptest/unions.rs",
        include_str!("../../../runtime/rust/proptest/unions.rs"),
    ),
    (
        "rust/quickcheck/arbitrary.rs",
        include_str!("../../../runtime/rust/quickcheck/arbitrary.rs"),
    ),
    (
        "rust/quickcheck/lib.rs",
        include_str!("../../../runtime/rust/quickcheck/lib.rs"),
    ),
    (
        "rust/quickcheck/tester.rs",
        include_str!("../../../runtime/rust/quickcheck/tester.rs"),
    ),
    (
        "frameworks/catch2.cc",
        include_str!("../../../runtime/include/frameworks/catch2.cc"),
    ),
    (
        "frameworks/doctest.cc",
        include_str!("../../../runtime/include/frameworks/doctest.cc"),
    ),
    (
        "googletest/gtest/gtest.h",
        include_str!("../../../runtime/include/googletest/gtest/gtest.h"),
    ),
    (
        "googletest/main.cc",
        include_str!("../../../runtime/include/googletest/main.cc"),
    ),
    (
        "klee/klee.h",
        include_str!("../../../runtime/include/klee/klee.h"),
    ),
];

/// What takes the place of musl's own files when it is compiled for the machine: a name
/// and the text.
pub const MUSL: &[(&str, &str)] = &[
    (
        "atomic_arch.h",
        include_str!("../../../runtime/musl/atomic_arch.h"),
    ),
    ("glue.c", include_str!("../../../runtime/musl/glue.c")),
    (
        "pthread_arch.h",
        include_str!("../../../runtime/musl/pthread_arch.h"),
    ),
    (
        "syscall_arch.h",
        include_str!("../../../runtime/musl/syscall_arch.h"),
    ),
];

/// How libc++ is configured for programs under test, as a header.
pub const CPP_CONFIGURATION: &str = include_str!("../../../runtime/cxx/__config_site");

/// What takes the place of libc++abi's own handling of exceptions, as C++.
pub const CPP_HANDLERS: &str = include_str!("../../../runtime/cxx/personality.cpp");

/// Whether the machine itself does what a function of this name does, and whatever a
/// library has under that name is not wanted. Panics of Rust are those of its library,
/// where there is one.
pub fn is_provided(name: &str) -> bool {
    !crate::shims::yields(name) && crate::shims::find(name).is_some()
}

/// What exported tests are linked with: a name and the text.
pub const EXPORT: &[(&str, &str)] = &[
    (
        "everypath_tests.c",
        include_str!("../../../runtime/export/everypath_tests.c"),
    ),
    (
        "everypath_tests.h",
        include_str!("../../../runtime/export/everypath_tests.h"),
    ),
];

/// The runtime that feeds recorded inputs to the real program, as C.
pub const REPLAY: &str = include_str!("../../../runtime/replay/replay.c");

/// What makes its threads take turns, as C.
pub const REPLAY_THREADS: &str = include_str!("../../../runtime/replay/threads.c");

/// The functions in whose place [`REPLAY_THREADS`] has others, if the linker is told so.
pub fn wrapped_functions() -> impl Iterator<Item = &'static str> {
    let named = REPLAY_THREADS.split("__wrap_").skip(1);
    let named = named.filter_map(|rest| rest.split_once('(').map(|(name, _)| name));
    let is_name = |name: &&str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let mut known = std::collections::BTreeSet::new();
    named
        .filter(is_name)
        .filter(move |name| known.insert(*name))
}
