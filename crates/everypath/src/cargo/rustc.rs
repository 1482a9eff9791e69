//! What stands in the place of rustc while cargo compiles for us: rustc with more flags.
//!
//! `RUSTFLAGS` would take the place of what a project's own configuration says, and
//! `RUSTC_BOOTSTRAP` for all of a build would have build scripts believe that the compiler
//! is a nightly one.

use program::toolchain::{AS_WRITTEN, CommandLine};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Has the flags for crates of the program, one a line.
pub(super) const FLAGS: &str = "EVERYPATH_RUSTC_FLAGS";

/// Has those for crates of the project alone.
pub(super) const PROJECT_FLAGS: &str = "EVERYPATH_PROJECT_FLAGS";

/// Has those for what tests of the project are compiled to.
pub(super) const TEST_FLAGS: &str = "EVERYPATH_TEST_FLAGS";

/// Has the folder of the sources that take the place of crates for properties, where they do.
pub(super) const REPLACEMENTS: &str = "EVERYPATH_REPLACEMENTS";

/// Has the folder of the crates that those use.
pub(super) const OWN_CRATES: &str = "EVERYPATH_OWN_CRATES";

/// Runs rustc as cargo asks for, where cargo runs this process in its place.
pub fn in_its_place() -> Option<ExitCode> {
    let flags = env::var(FLAGS).ok()?;
    let mut words = env::args_os().skip(1);
    let rustc = words.next()?;
    let mut words: Vec<OsString> = words.collect();
    let is_for_the_program = is_for_the_program(&words);
    if let Some(folder) = env::var_os(REPLACEMENTS)
        && is_for_the_program
        && let Some(replaced) = REPLACED.iter().find(|it| it.is_compiled_by(&words))
    {
        words = match replaced.in_its_place(words, Path::new(&folder)) {
            Ok(words) => words,
            Err(message) => {
                eprintln!("error: {message}");
                return Some(ExitCode::from(2));
            }
        };
    }
    let mut command = CommandLine::new(&rustc.to_string_lossy());
    if is_for_the_program && !is_optimised(&words) {
        // What the profile says of assertions comes later, and holds.
        command = command.args(AS_WRITTEN);
    }
    command = command.args(&words);
    if is_for_the_program {
        command = command.args(flags.lines()).env("RUSTC_BOOTSTRAP", "1");
        if is_of_the_project(&words) {
            let is_test = words.iter().any(|word| word == "--test");
            for name in [PROJECT_FLAGS].iter().chain(is_test.then_some(&TEST_FLAGS)) {
                command = command.args(env::var(name).unwrap_or_default().lines());
            }
        }
    }
    let error = command.replace_process();
    eprintln!("error: {error}");
    Some(ExitCode::from(2))
}

/// Whether a crate of the program is compiled. Build scripts and macros are for this
/// machine, whose name is given for crates of the program alone, and a crate without a
/// name is a question about the compiler.
fn is_for_the_program(words: &[OsString]) -> bool {
    const QUESTION: &str = "___";
    let named = words.windows(2).find(|pair| pair[0] == "--crate-name");
    named.is_some_and(|pair| pair[1] != QUESTION) && words.iter().any(|word| word == "--target")
}

/// Whether the profile has a crate optimised: otherwise cargo says nothing of a level.
fn is_optimised(words: &[OsString]) -> bool {
    let level = |word: &OsString| {
        let word = word.to_str()?;
        let level = word.trim_start_matches("-C").strip_prefix("opt-level=")?;
        Some(level.to_owned())
    };
    words.iter().filter_map(level).any(|level| level != "0")
}

/// Whether a crate is somebody's own: of what comes from elsewhere cargo wants no warnings.
fn is_of_the_project(words: &[OsString]) -> bool {
    !words.iter().any(|word| word == "--cap-lints")
}

/// A crate that sources of ours take the place of.
struct Replaced {
    name: &'static str,
    /// The first minor version of 1 that has the names which ours has.
    first: u64,
}

const REPLACED: [Replaced; 2] = [
    // The library that it reads regular expressions with was another one before.
    Replaced {
        name: "proptest",
        first: 3,
    },
    Replaced {
        name: "quickcheck",
        first: 0,
    },
];

impl Replaced {
    /// Whether the crate is compiled, for others and not to be tested itself.
    fn is_compiled_by(&self, words: &[OsString]) -> bool {
        let is_package = env::var("CARGO_PKG_NAME").is_ok_and(|name| name == self.name);
        let mut pairs = words.windows(2);
        let is_library = pairs.any(|pair| pair[0] == "--crate-name" && pair[1] == self.name);
        is_package && is_library && !words.iter().any(|word| word == "--test")
    }

    /// The same command for our sources: other crates link with what comes of it as they would
    /// with the original.
    fn in_its_place(&self, words: Vec<OsString>, folder: &Path) -> Result<Vec<OsString>, String> {
        let Replaced { name, first } = self;
        let number = |name| {
            let text = env::var(name).unwrap_or_default();
            text.parse().unwrap_or(0u64)
        };
        let (major, minor) = (
            number("CARGO_PKG_VERSION_MAJOR"),
            number("CARGO_PKG_VERSION_MINOR"),
        );
        if major != 1 || minor < *first {
            return Err(format!(
                "properties are explored with {name} 1.{first} and later versions of 1, and the \
                 project uses {major}.{minor}: `cargo update -p {name}` may find a later one"
            ));
        }
        let ours = |word: OsString| match word.to_str() {
            Some(text) if text.ends_with(".rs") => folder.join(name).join("lib.rs").into(),
            Some(text) if text.starts_with("--edition=") => "--edition=2024".into(),
            _ => word,
        };
        let own = PathBuf::from(env::var_os(OWN_CRATES).unwrap_or_default());
        let linked = |name: &str, file: &str| -> OsString {
            let mut word = OsString::from(format!("{name}="));
            word.push(own.join(file));
            word
        };
        let mut words: Vec<OsString> = words.into_iter().map(ours).collect();
        for (name, file) in [
            ("everypath", "libeverypath.rlib"),
            ("everypath_macros", "libeverypath_macros.so"),
        ] {
            words.extend(["--extern".into(), linked(name, file)]);
        }
        // Which interface random numbers of proptest have.
        match minor {
            ..7 => words.extend(["--cfg".into(), "rand_before_0_9".into()]),
            7..12 => {}
            12.. => words.extend(["--cfg".into(), "rand_from_0_10".into()]),
        }
        Ok(words)
    }
}
