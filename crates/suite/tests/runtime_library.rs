//! The C library of `runtime/libc`, compared with the system's.
//!
//! The library is compiled natively with undefined behaviour trapped, all its
//! symbols get a prefix, and a driver of `runtime/tests` calls both libraries on
//! the same random inputs.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{c_files, clang, run, runtime};

/// How the library is compiled for the programs under test.
const FLAGS: &[&str] = &[
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-ffreestanding",
    "-fno-builtin",
];

/// What the library may leave to the machine.
const PRIMITIVES: &[&str] = &[
    "__ep_abort",
    "__ep_apart",
    "__ep_argument",
    "__ep_assert_fail",
    "__ep_before",
    "__ep_catches",
    "__ep_example",
    "__ep_exit",
    "__ep_hold",
    "__ep_is_for_standard_library",
    "__ep_is_inside",
    "__ep_is_open",
    "__ep_is_result_read",
    "__ep_may_hold",
    "__ep_next_clause",
    "__ep_read",
    "__ep_sem_timedwait",
    "__ep_sem_trywait",
    "__ep_sem_wait",
    "__ep_syscall",
    "__ep_uncaught",
    "__ep_unsupported",
    "__ep_unwind",
    "__ep_write",
    "calloc",
    "free",
    "malloc",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "realloc",
    "sem_init",
];

/// What musl does and this library has other names for.
const OF_MUSL: &[&str] = &[
    "__pthread_once_full",
    "alphasort",
    "fstatvfs",
    "getrlimit",
    "kill",
    "mbrtowc",
    "mkostemp",
    "mkstemp",
    "mkstemps",
    "raise",
    "readdir",
    "scandir",
    "sched_getaffinity",
    "sigprocmask",
    "sigsuspend",
    "statvfs",
    "versionsort",
    "wcrtomb",
    "wcslen",
];

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

/// The whole library as one object file.
fn library(folder: &Path, extra: &[&str]) -> PathBuf {
    run(clang()
        .current_dir(folder)
        .args(FLAGS)
        .args(extra)
        .arg("-c")
        .args(c_files("libc")));
    let mut objects: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the temporary folder can be read")
        .map(|entry| entry.expect("the temporary folder can be read").path())
        .collect();
    objects.sort();
    let library = folder.join("library.o");
    run(Command::new("ld")
        .arg("-r")
        .args(objects)
        .arg("-o")
        .arg(&library));
    library
}

/// Runs a driver and returns how many comparisons it made.
fn compare(driver: &str) -> u64 {
    let folder = folder();
    let trap = ["-fsanitize=undefined", "-fsanitize-trap=undefined"];
    let library = library(folder.path(), &trap);
    run(Command::new("objcopy")
        .arg("--prefix-symbols=ours_")
        .arg(&library));
    let program = folder.path().join("driver");
    run(clang()
        // Formats made at random and pointers compared on purpose.
        .args(["-O1", "-g", "-w", "-fno-builtin"])
        .arg(runtime("tests").join(driver))
        .arg(&library)
        .arg("-o")
        .arg(&program));
    let printed = String::from_utf8_lossy(&run(&mut Command::new(&program)).stdout).into_owned();
    let checks = printed.strip_suffix(" checks, 0 failures\n");
    checks
        .and_then(|checks| checks.parse().ok())
        .unwrap_or_else(|| panic!("{printed}"))
}

#[test]
fn every_file_compiles_to_bitcode_without_a_warning() {
    let folder = folder();
    for file in c_files("libc") {
        let bitcode = folder.path().join("file.bc");
        run(clang()
            .args(FLAGS)
            .args(["-emit-llvm", "-c"])
            .arg(&file)
            .arg("-o")
            .arg(&bitcode));
        let bytes = std::fs::read(&bitcode).expect("clang has written the file");
        assert!(bytes.starts_with(b"BC\xc0\xde"), "{}", file.display());
    }
}

#[test]
fn the_library_leaves_nothing_but_the_primitives_to_the_machine() {
    let folder = folder();
    let library = library(folder.path(), &[]);
    let output = run(Command::new("nm")
        .args(["--undefined-only", "--format=just-symbols"])
        .arg(library));
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut names: Vec<&str> = names.lines().collect();
    names.sort_unstable();
    names.retain(|name| !OF_MUSL.contains(name));
    assert_eq!(names, PRIMITIVES);
}

#[test]
fn the_prototypes_are_those_of_the_systems_headers() {
    let headers = [
        ("string.c", &["string.h"][..]),
        ("strings.c", &["strings.h", "string.h"]),
        ("strerror.c", &["string.h"]),
        ("ctype.c", &["ctype.h"]),
        ("qsort.c", &["stdlib.h"]),
        ("rand.c", &["stdlib.h"]),
        ("exit.c", &["stdlib.h", "unistd.h"]),
        ("strtod.c", &["stdlib.h"]),
        ("assert.c", &["assert.h"]),
        ("wide_numbers.c", &["stddef.h"]),
    ];
    for (file, headers) in headers {
        let mut compile = clang();
        compile.args([
            "-D_GNU_SOURCE",
            "-D__NO_CTYPE",
            "-fno-builtin",
            "-fsyntax-only",
            "-w",
        ]);
        for header in headers {
            compile.args(["-include", header]);
        }
        run(compile.arg(runtime("libc").join(file)));
    }
}

#[test]
fn string_functions_agree_with_glibc() {
    assert!(compare("string.c") > 1_000_000);
}

#[test]
fn character_functions_and_their_tables_agree_with_glibc() {
    assert!(compare("ctype.c") > 5_000);
}

#[test]
fn integers_sorting_random_numbers_and_exit_agree_with_glibc() {
    assert!(compare("stdlib.c") > 1_000_000);
}

#[test]
fn floating_point_numbers_are_read_as_glibc_reads_them() {
    assert!(compare("strtod.c") > 400_000);
}

#[test]
fn formatted_output_agrees_with_glibc_digit_for_digit() {
    assert!(compare("printf.c") > 300_000);
}

#[test]
fn streams_and_formatted_input_agree_with_glibc() {
    assert!(compare("stdio.c") > 1_000_000);
}

#[test]
fn files_and_memory_as_streams_agree_with_glibc() {
    assert!(compare("streams.c") > 10_000);
}

#[test]
fn options_of_command_lines_agree_with_glibc() {
    assert!(compare("getopt.c") > 100_000);
}
