//! What cannot be run, replayed or shown: one message that names the file and
//! says what to do, exit status 2, nothing on standard output and nothing left
//! behind.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::{Scratch, everypath, project};

const GOOD: &str = "int main(void) { return 0; }\n";

/// A whole test: one argument, `prog`, and one input, `x`, of four bytes.
const TEST: &[u8] = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x04prog\0\0\0\0\0\0\0\0\0\0\0\x01\
                      \0\0\0\x01x\0\0\0\x04\x01\x02\x03\x04";

#[test]
fn files_that_are_not_there() {
    let files = Files::new();
    for name in ["absent.c", "absent.ll", "absent.bc", "absent", "absent.py"] {
        files.refuses(
            &["run", name],
            &format!("error: cannot read {name}: there is no such file"),
        );
    }
    files.write("good.c", GOOD);
    files.refuses(
        &["run", "good.c", "absent.c"],
        "error: cannot read absent.c: there is no such file",
    );
}

#[test]
fn directories_instead_of_files() {
    let files = Files::new();
    for name in [".", "folder", "folder.c", "folder.ll", "folder.bc"] {
        fs::create_dir_all(files.path(name)).expect("the directory is ours");
        files.refuses(
            &["run", name],
            &format!("error: cannot read {name}: it is a directory; name the files in it"),
        );
    }
}

#[test]
fn names_that_tell_nothing() {
    let files = Files::new();
    for name in ["program", "program.py", "program.o", "program.C"] {
        files.write(name, GOOD);
        files.refuses(
            &["run", name],
            &format!(
                "error: cannot tell what {name} is: \
                 the name should end in .c, .i, .cc, .cpp, .cxx, .rs, .ll, .bc, .o or .a"
            ),
        );
    }
}

#[test]
fn mistakes_in_c_are_told_by_clang() {
    let files = Files::new();
    files.write("mistake.c", "int main(void) {\n  return x;\n}\n");
    files.refuses(
        &["run", "mistake.c"],
        "error: clang-22 could not compile mistake.c:\n\
         mistake.c:2:10: error: use of undeclared identifier 'x'\n    \
             2 |   return x;\n      \
               |          ^\n\
         1 error generated.",
    );
    files.write("include.c", "#include \"absent.h\"\n");
    files.refuses(
        &["run", "include.c"],
        "error: clang-22 could not compile include.c:\n\
         include.c:1:10: fatal error: 'absent.h' file not found\n    \
             1 | #include \"absent.h\"\n      \
               |          ^~~~~~~~~~\n\
         1 error generated.",
    );
}

#[test]
fn arguments_that_clang_does_not_know() {
    let files = Files::new();
    files.write("good.c", GOOD);
    files.refuses(
        &["run", "good.c", "--cc-arg", "-fnonsense"],
        "error: clang-22 could not compile good.c:\n\
         clang-22: error: unknown argument: '-fnonsense'",
    );
}

#[test]
fn files_with_nothing_in_them() {
    let files = Files::new();
    for name in ["empty.c", "empty.ll"] {
        files.write(name, "");
        files.refuses(
            &["run", name],
            "error: there is no function `main` in the program; name another with --entry, or test one with --function",
        );
    }
    files.write("empty.bc", "");
    files.refuses(
        &["run", "empty.bc"],
        "error: empty.bc is not LLVM bitcode: make it with `clang -g -emit-llvm -c` \
         or `rustc --emit=llvm-bc`",
    );
}

#[test]
fn files_with_anything_in_them() {
    let files = Files::new();
    let garbage = b"@\x01\xff";
    files.write("garbage.c", garbage);
    files.refuses(
        &["run", "garbage.c"],
        "error: clang-22 could not compile garbage.c:\n\
         garbage.c:1:1: error: expected identifier or '('\n    \
             1 | @<U+0001><FF>\n      \
               | ^\n\
         garbage.c:1:3: error: source file is not valid UTF-8\n    \
             1 | @<U+0001><FF>\n      \
               |          ^\n\
         2 errors generated.",
    );
    files.write("garbage.ll", garbage);
    files.refuses(
        &["run", "garbage.ll"],
        "error: garbage.ll is not valid LLVM text:\n\
         garbage.ll:1:1: error: expected top-level entity\n\
         @\u{fffd}\u{fffd}",
    );
    files.write("garbage.bc", garbage);
    files.refuses(
        &["run", "garbage.bc"],
        "error: garbage.bc is not LLVM bitcode: make it with `clang -g -emit-llvm -c` \
         or `rustc --emit=llvm-bc`",
    );
}

#[test]
fn bitcode_that_is_cut_short() {
    let files = Files::new();
    let whole = fs::read(bitcode("llvm22.bc")).expect("it is in the repository");
    files.write("cut.bc", &whole[..whole.len() / 2]);
    files.refuses(
        &["run", "cut.bc"],
        "error: cut.bc is damaged or cut short: Invalid bitcode signature; compile it again",
    );
}

#[test]
fn bitcode_of_a_newer_llvm() {
    let files = Files::new();
    fs::copy(bitcode("newer.bc"), files.path("newer.bc")).expect("it is in the repository");
    let message = files.message(&["run", "newer.bc"]);
    // The version is that of the LLVM that is installed.
    let rest = message
        .strip_prefix("error: newer.bc was written by an LLVM newer than 22.")
        .unwrap_or_else(|| panic!("{message}"));
    let (_, rest) = rest.split_once(',').unwrap_or_else(|| panic!("{message}"));
    assert_eq!(
        rest,
        " which reads it here: Incompatible epoch: Bitcode '50' vs current: '0'; \
         compile it with clang 22 or older\n"
    );
}

#[test]
fn programs_for_other_machines() {
    let files = Files::new();
    files.write("good.c", GOOD);
    for (target, triple, reason) in [
        (
            "i386-linux-gnu",
            "i386-unknown-linux-gnu",
            "where addresses have 32 bits",
        ),
        (
            "powerpc64-linux-gnu",
            "powerpc64-unknown-linux-gnu",
            "which is big-endian",
        ),
    ] {
        let name = format!("{target}.bc");
        files.compile(&[&format!("--target={target}"), "-o", &name, "good.c"]);
        files.refuses(
            &["run", &name],
            &format!(
                "error: {name} was compiled for {triple}, {reason}: compile it for a 64-bit \
                 little-endian machine, as with `--target=x86_64-linux-gnu`"
            ),
        );
        files.refuses(
            &["run", "good.c", "--cc-arg", &format!("--target={target}")],
            &format!(
                "error: good.c was compiled for {triple}, {reason}: compile it for a 64-bit \
                 little-endian machine, as with `--target=x86_64-linux-gnu`"
            ),
        );
    }
    files.compile(&["--target=aarch64-linux-gnu", "-o", "arm.bc", "good.c"]);
    files.refuses(
        &["run", "good.c", "arm.bc"],
        "error: cannot link arm.bc with the files before it: \
         they are for x86_64-pc-linux-gnu, it is for aarch64-unknown-linux-gnu",
    );
}

#[test]
fn definitions_in_two_files() {
    let files = Files::new();
    files.write("one.c", GOOD);
    files.write("two.c", GOOD);
    files.refuses(
        &["run", "one.c", "two.c"],
        "error: `main` is defined in two.c and in a file before it: \
         leave one of the files out, or make one of the definitions static",
    );
}

#[test]
fn entries_that_cannot_be_called() {
    let files = Files::new();
    files.write(
        "parts.c",
        "int f(int n, char *text) { return text[n]; }\nint g(void);\n",
    );
    files.refuses(
        &["run", "parts.c"],
        "error: there is no function `main` in the program; name another with --entry, or test one with --function (there is f)",
    );
    files.refuses(
        &["run", "parts.c", "--entry", "h"],
        "error: there is no function `h` in the program; name another with --entry, or test one with --function (there is f)",
    );
    files.refuses(
        &["run", "parts.c", "--entry", "f"],
        "error: `f` has a parameter that is a pointer, `text`; \
         write a main that makes what it points to",
    );
}

#[test]
fn option_values_that_there_are_not() {
    let files = Files::new();
    files.write("good.c", GOOD);
    files.refuses(
        &["run", "good.c", "--search", "nonsense"],
        "error: invalid value 'nonsense' for '--search <SEARCH>': there is no strategy \
         `nonsense`; choose one of dfs, bfs, random-path, random-state, coverage-new, depth, \
         instructions, interleaved, fitness\n\nFor more information, try '--help'.",
    );
    files.refuses(
        &["run", "good.c", "-O9"],
        "error: there is no -O9; use 0, 1, 2, 3, s or z",
    );
    files.refuses(
        &["run", "good.c", "--max-time", "soon"],
        "error: invalid value 'soon' for '--max-time <SECONDS>': `soon` is not a time; write 20, 20s, 5min or 1h\n\n\
         For more information, try '--help'.",
    );
    files.refuses(
        &["run", "good.c", "--max-tests", "many"],
        "error: invalid value 'many' for '--max-tests <N>': invalid digit found in string\n\n\
         For more information, try '--help'.",
    );
    files.refuses(
        &["run"],
        "error: which program? Name its files, as in everypath run program.c",
    );
}

#[test]
fn output_directories_that_cannot_be_made() {
    let files = Files::new();
    files.write("good.c", GOOD);
    // Below a file and in /proc not even root may make one.
    files.refuses(
        &["run", "good.c", "--output", "good.c/below"],
        "error: cannot create the output directory good.c/below: Not a directory (os error 20); \
         choose a directory you may write to",
    );
    files.refuses(
        &["run", "good.c", "--output", "/proc/everypath"],
        "error: cannot create the output directory /proc/everypath: No such file or directory \
         (os error 2); choose a directory you may write to",
    );
    files.refuses(
        &["run", "good.c", "--output", "."],
        "error: the output directory . is not empty; remove it or choose another",
    );
    let good = files.path("good.c");
    let proc = Path::new("/proc");
    assert_eq!(
        everypath(proc, &[OsStr::new("run"), good.as_ref()]).refusal(),
        "error: cannot create the output directory ./everypath-out-0: No such file or directory \
         (os error 2); choose a directory you may write to\n"
    );
}

#[test]
fn directories_that_hold_no_tests() {
    let files = Files::new();
    files.write("good.c", GOOD);
    fs::create_dir(files.path("folder")).expect("the directory is ours");
    let folder = fs::canonicalize(files.path("folder")).expect("it was just made");
    files.refuses(
        &["replay", "folder", "--native"],
        &format!(
            "error: {} holds neither tests nor a run.json; \
             give a directory that `everypath run` has written",
            folder.display()
        ),
    );
    files.refuses(
        &["replay", "nowhere"],
        "error: there is no directory nowhere; give one that `everypath run` has written",
    );
    files.refuses(
        &["replay", "good.c"],
        "error: there is no directory good.c; give one that `everypath run` has written",
    );
}

#[test]
fn tests_that_are_none() {
    let files = Files::new();
    files.refuses(
        &["show", "absent"],
        "error: there is no test absent (tried absent, absent.ktest, \
         everypath-last/absent.ktest); everypath run writes tests",
    );
    for (name, content) in [("empty.ktest", &b""[..]), ("other.ktest", b"other bytes")] {
        files.write(name, content);
        files.refuses(
            &["show", name],
            &format!("error: {name}: not a ktest file: it does not begin with KTEST (at byte 0)"),
        );
    }
    files.write("cut.ktest", &TEST[..TEST.len() - 2]);
    files.refuses(
        &["show", "cut.ktest"],
        "error: cut.ktest: the file ends inside the bytes of input 1: \
         4 bytes wanted at byte 42, 2 there",
    );
}

#[test]
fn every_beginning_of_a_test_is_refused() {
    let files = Files::new();
    for length in 0..TEST.len() {
        files.write("cut.ktest", &TEST[..length]);
        let message = files.message(&["show", "cut.ktest"]);
        assert!(message.starts_with("error: cut.ktest: "), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

/// A folder with the files a command gets to see.
struct Files(Scratch);

impl Files {
    fn new() -> Files {
        Files(Scratch::new())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        self.0.write(name, content);
    }

    /// Runs clang for bitcode.
    fn compile(&self, arguments: &[&str]) {
        self.0.clang([&["-emit-llvm", "-c"], arguments].concat());
    }

    /// Checks that the command ends with this message and nothing else.
    #[track_caller]
    fn refuses(&self, arguments: &[&str], message: &str) {
        assert_eq!(self.message(arguments), format!("{message}\n"));
    }

    #[track_caller]
    fn message(&self, arguments: &[&str]) -> String {
        self.0.refusal(arguments)
    }
}

/// A file of bitcode that the tests of `program` keep.
fn bitcode(name: &str) -> PathBuf {
    let tests = project("crates/program/tests/bitcode");
    tests.join(name)
}
