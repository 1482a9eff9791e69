//! Whose code a function is: the program's own or a library's, as its source file says.

use program::{Function, Program};

/// Whose code a function is, as its source file says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The program's own.
    Program,
    /// Included by it: headers of the system, of Everypath and of frameworks for tests.
    Included,
    /// The standard library of C++ or Rust.
    Standard,
    /// The built-in C library, which a native program does not have.
    BuiltIn,
}

impl Origin {
    /// Whose each function of the program is. One of a standard library into which code of the
    /// program was inlined does what that does, and is the program's own.
    pub fn of_all(program: &Program) -> Vec<Origin> {
        let runs_own_code = program.running_code_of(|file| !is_library(file));
        let functions = program.functions.iter().zip(runs_own_code);
        let origin = |(function, runs_own_code)| match Origin::of(program, function) {
            Origin::Standard if runs_own_code => Origin::Program,
            origin => origin,
        };
        functions.map(origin).collect()
    }

    /// Whose a function is by its source file; one without is the program's own.
    fn of(program: &Program, function: &Function) -> Origin {
        let source = function.source.map(|id| program.source.function(id));
        let file = source.and_then(|it| it.file);
        match file.map(|id| program.source.file(id).path.as_str()) {
            Some(file) if is_standard_library(file) => Origin::Standard,
            Some(file) if is_built_in(file) => Origin::BuiltIn,
            Some(file) if is_library(file) => Origin::Included,
            _ => Origin::Program,
        }
    }
}

/// Where debug information says that the built-in library's files are.
pub const LIBRARY_DIRECTORY: &str = env!("EVERYPATH_LIBRARY_DIRECTORY");

/// Whether a source file belongs to a library, and not to the program: the built-in
/// one, what programs include of Everypath and of the system, Rust's own.
pub fn is_library(file: &str) -> bool {
    is_built_in(file)
        || file.ends_with("/include/everypath.h")
        || file.contains("/include/googletest/")
        || FRAMEWORKS.iter().any(|part| file.contains(part))
        || OWN_CRATES.iter().any(|folder| file.contains(folder))
        || file.starts_with("/usr/include/")
        || file.starts_with("/usr/lib/")
        || is_standard_library(file)
}

/// Whether a source file belongs to the standard library of C++ or Rust. What threads do
/// to each other in there is the program's doing: a lock is one of its types.
pub fn is_standard_library(file: &str) -> bool {
    let built_in = file.strip_prefix(LIBRARY_DIRECTORY);
    built_in.is_some_and(|file| file.starts_with("c++/"))
        || file.starts_with("/rustc/")
        || file.starts_with("/rust/deps/")
        || file.contains("/lib/rustlib/src/rust/library/")
        || RUST_LIBRARY.iter().any(|folder| file.contains(folder))
}

/// Parts of the names of files that belong to frameworks for tests, and to what listens to them.
const FRAMEWORKS: [&str; 5] = [
    "/include/frameworks/",
    "/doctest.h",
    "/doctest/parts/",
    "/catch_amalgamated.",
    "/catch2/",
];

/// Folders of the crates for marking inputs.
const OWN_CRATES: [&str; 6] = [
    "/rust/everypath/src/",
    "/rust/fuzz/",
    "/rust/kani/",
    "/rust/properties/",
    "/rust/proptest/",
    "/rust/quickcheck/",
];

/// Folders of Rust's standard library, as its own debug information names them.
const RUST_LIBRARY: [&str; 7] = [
    "library/alloc/src/",
    "library/compiler-builtins/",
    "library/core/src/",
    "library/panic_unwind/src/",
    "library/std/src/",
    "library/std_detect/src/",
    "library/unwind/src/",
];

/// Whether a source file belongs to the built-in C library, by the directory its debug
/// information names; there is no such directory on any machine.
pub fn is_built_in(file: &str) -> bool {
    file.starts_with(LIBRARY_DIRECTORY)
}
