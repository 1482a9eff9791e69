//! The native replay runtime: a program compiled with `runtime/replay/replay.c`
//! gets the inputs of a test that this crate wrote, and says where it diverges.

mod common;

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use common::{clang, run, runtime};
use suite::{Input, TestCase, ktest};

const SIGABRT: i32 = 6;
const SIGSEGV: i32 = 11;

/// A program compiled with the replay runtime.
struct Program {
    folder: tempfile::TempDir,
}

impl Program {
    /// Compiles a `main` with this body.
    fn with_main(body: &str) -> Program {
        Program::new(&format!(
            "#include <everypath.h>\n#include <klee/klee.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
             int main(void) {{\n{body}\nreturn 0;\n}}\n"
        ))
    }

    fn new(source: &str) -> Program {
        Program::with_flags(&[], source)
    }

    fn with_flags(flags: &[&str], source: &str) -> Program {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let file = folder.path().join("program.c");
        std::fs::write(&file, source).expect("the temporary folder takes files");
        run(clang()
            .args(["-O1", "-Wall", "-Wextra", "-Werror"])
            .args(flags)
            .arg("-I")
            .arg(runtime("include"))
            .arg(&file)
            .arg(runtime("replay/replay.c"))
            .arg("-o")
            .arg(folder.path().join("program")));
        Program { folder }
    }

    fn test_file(&self) -> PathBuf {
        self.folder.path().join("test.ktest")
    }

    fn replay(&self, inputs: Vec<Input>) -> Output {
        ktest::write(&self.test_file(), &TestCase::new(inputs)).expect("the folder takes files");
        self.run_with(&self.test_file())
    }

    fn run_with(&self, test: &PathBuf) -> Output {
        let mut command = Command::new(self.folder.path().join("program"));
        command
            .env("EVERYPATH_KTEST", test)
            .output()
            .expect("the program was compiled")
    }

    /// Replays and checks all there is to see.
    fn check(&self, inputs: Vec<Input>, stdout: &str, stderr: &str, status: i32) {
        let output = self.replay(inputs);
        assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
        // As a shell shows them: a signal is 128 and its number.
        let shown = output
            .status
            .code()
            .or(output.status.signal().map(|signal| 128 + signal));
        assert_eq!(shown, Some(status));
    }
}

fn int(name: &str, value: i32) -> Input {
    Input::new(name, value.to_le_bytes())
}

#[test]
fn recorded_values_are_fed_in_order() {
    let program = Program::with_main(
        "int x, y; char s[4];
         ep_symbolic(&x, sizeof x, \"x\");
         klee_make_symbolic(&y, sizeof y, \"x\");
         ep_symbolic(s, sizeof s, 0);
         printf(\"%d %d %s %zu %d %d %d\\n\", x, y, s, ep_choose(5), ep_range(-2, 3, \"r\"),
                ep_range(7, 8, \"one value\"), (int)klee_choose(9));
         ep_assume(x < 0); klee_assume(y > 0); ep_assert(x != y); ep_cover(\"here\");
         printf(\"%d %u %u\\n\", ep_is_symbolic((uintptr_t)x), klee_is_symbolic((uintptr_t)x), klee_is_replay());
         return 5;",
    );
    let inputs = vec![
        int("x", -1),
        int("x", 2),
        Input::new("unnamed", *b"abc\0"),
        Input::new("ep_choose", 4u64.to_le_bytes()),
        int("r", -2),
        Input::new("klee_choose", 8u64.to_le_bytes()),
    ];
    program.check(inputs, "-1 2 abc 4 -2 7 8\n0 0 1\n", "", 5);
}

#[test]
fn every_nondet_function_returns_what_was_recorded() {
    let program = Program::new(
        "#include <stdio.h>
         #include <stddef.h>
         _Bool __VERIFIER_nondet_bool(void); char __VERIFIER_nondet_char(void);
         unsigned char __VERIFIER_nondet_uchar(void); short __VERIFIER_nondet_short(void);
         unsigned short __VERIFIER_nondet_ushort(void); int __VERIFIER_nondet_int(void);
         unsigned __VERIFIER_nondet_uint(void); long __VERIFIER_nondet_long(void);
         unsigned long __VERIFIER_nondet_ulong(void); long long __VERIFIER_nondet_longlong(void);
         unsigned long long __VERIFIER_nondet_ulonglong(void); float __VERIFIER_nondet_float(void);
         double __VERIFIER_nondet_double(void); size_t __VERIFIER_nondet_size_t(void);
         void *__VERIFIER_nondet_pointer(void); __int128 __VERIFIER_nondet_int128(void);
         unsigned __int128 __VERIFIER_nondet_uint128(void);
         void __VERIFIER_nondet_memory(void *, size_t); void __VERIFIER_assume(int);
         int main(void) {
             char bytes[3];
             printf(\"%d\", __VERIFIER_nondet_bool());
             printf(\" %d\", __VERIFIER_nondet_char());
             printf(\" %d\", __VERIFIER_nondet_uchar());
             printf(\" %d\", __VERIFIER_nondet_short());
             printf(\" %d\", __VERIFIER_nondet_ushort());
             printf(\" %d\", __VERIFIER_nondet_int());
             printf(\" %u\", __VERIFIER_nondet_uint());
             printf(\" %ld\", __VERIFIER_nondet_long());
             printf(\" %lu\", __VERIFIER_nondet_ulong());
             printf(\" %lld\", __VERIFIER_nondet_longlong());
             printf(\" %llu\", __VERIFIER_nondet_ulonglong());
             printf(\" %g\", __VERIFIER_nondet_float());
             printf(\" %g\", __VERIFIER_nondet_double());
             printf(\" %zu\", __VERIFIER_nondet_size_t());
             printf(\" %p\", __VERIFIER_nondet_pointer());
             printf(\" %lld\", (long long)__VERIFIER_nondet_int128());
             printf(\" %llx\", (unsigned long long)(__VERIFIER_nondet_uint128() >> 64));
             __VERIFIER_nondet_memory(bytes, 3);
             __VERIFIER_assume(bytes[2] == 'z');
             printf(\" %.3s\\n\", bytes);
         }",
    );
    let nondet =
        |suffix: &str, bytes: &[u8]| Input::new(format!("__VERIFIER_nondet_{suffix}"), bytes);
    let inputs = vec![
        nondet("bool", &[2]),
        nondet("char", &[0xff]),
        nondet("uchar", &[0xff]),
        nondet("short", &(-2i16).to_le_bytes()),
        nondet("ushort", &[0xff; 2]),
        nondet("int", &(-3i32).to_le_bytes()),
        nondet("uint", &[0xff; 4]),
        nondet("long", &(-4i64).to_le_bytes()),
        nondet("ulong", &[0xff; 8]),
        nondet("longlong", &(-5i64).to_le_bytes()),
        nondet("ulonglong", &7u64.to_le_bytes()),
        nondet("float", &0.5f32.to_le_bytes()),
        nondet("double", &(-0.25f64).to_le_bytes()),
        nondet("size_t", &8u64.to_le_bytes()),
        nondet("pointer", &0x1000u64.to_le_bytes()),
        nondet("int128", &(-6i128).to_le_bytes()),
        nondet("uint128", &(0xabu128 << 64).to_le_bytes()),
        nondet("memory", b"xyz"),
    ];
    let expected = "1 -1 255 -2 65535 -3 4294967295 -4 18446744073709551615 -5 7 0.5 -0.25 8 0x1000 \
                    -6 ab xyz\n";
    program.check(inputs, expected, "", 0);
}

#[test]
fn another_input_than_was_recorded_is_a_divergence() {
    let program = Program::with_main(
        "int x, y; puts(\"start\");
         klee_make_symbolic(&x, sizeof x, \"x\");
         if (x) { klee_make_symbolic(&y, sizeof y, \"y\"); puts(\"end\"); }",
    );
    let says = |text: &str| format!("everypath replay: divergence: {text}\n");
    program.check(
        vec![int("z", 0)],
        "start\n",
        &says("input 1 is `z` of 4 bytes, and the program asks for `x` of 4"),
        97,
    );
    program.check(
        vec![Input::new("x", [1, 0])],
        "start\n",
        &says("input 1 is `x` of 2 bytes, and the program asks for `x` of 4"),
        97,
    );
    program.check(
        vec![int("x", 1)],
        "start\n",
        &says("the program asks for input 2, `y` of 4 bytes, and the test has 1"),
        94,
    );
    program.check(
        vec![int("x", 0), int("y", 0)],
        "start\n",
        &says("the program ended without asking for input 2, `y`"),
        97,
    );
    program.check(vec![int("x", 1), int("y", 0)], "start\nend\n", "", 0);
    program.check(vec![int("model_version", 1), int("x", 0)], "start\n", "", 0);
}

#[test]
fn a_failed_assumption_and_an_ignored_path_have_their_own_status() {
    let program = Program::with_main(
        "switch (klee_int(\"n\")) {
         case 0: ep_assume(false); break;
         case 1: klee_assume(0); break;
         case 2: ep_ignore();
         case 3: klee_silent_exit(4);
         case 4: return ep_range(0, 2, \"r\");
         }",
    );
    let assumption = "everypath replay: an assumption does not hold\n";
    program.check(vec![int("n", 0)], "", assumption, 98);
    program.check(vec![int("n", 1)], "", assumption, 98);
    program.check(vec![int("n", 4), int("r", 2)], "", assumption, 98);
    program.check(
        vec![int("n", 2)],
        "",
        "everypath replay: the path is ignored\n",
        99,
    );
    program.check(
        vec![int("n", 3)],
        "",
        "everypath replay: the path is ignored (klee_silent_exit with 4)\n",
        99,
    );
}

#[test]
fn errors_of_the_program_print_a_line_and_abort() {
    let program = Program::new(
        "#include <everypath.h>
         #include <klee/klee.h>
         void reach_error(void);
         void __VERIFIER_error(void);
         void __VERIFIER_assert(int);
         int main(void) {
             switch (klee_int(\"n\")) {
             case 0: ep_assert(1 == 2); break;
             case 1: klee_assert(1 == 3); break;
             case 2: klee_report_error(\"f.c\", 9, \"bad\", \"user\");
             case 3: klee_abort();
             case 4: reach_error(); break;
             case 5: __VERIFIER_error(); break;
             case 6: __VERIFIER_assert(0); break;
             case 7: return klee_range(3, 3, \"empty\");
             }
         }",
    );
    let file = program.folder.path().join("program.c");
    let place = |line: u32| format!("{}:{line}: ", file.display());
    let errors = [
        place(8) + "main: assertion `1 == 2' failed",
        // KLEE's macro names the whole signature.
        place(9) + "int main(void): assertion `1 == 3' failed",
        "f.c:9: bad (user)".to_string(),
        "klee_abort was called".to_string(),
        "reach_error was called".to_string(),
        "__VERIFIER_error was called".to_string(),
        "a __VERIFIER_assert does not hold".to_string(),
        "the range from 3 to 3 is empty".to_string(),
    ];
    for (number, error) in (0..).zip(errors) {
        let stderr = format!("everypath replay: error: {error}\n");
        program.check(vec![int("n", number)], "", &stderr, 128 + SIGABRT);
    }
}

#[test]
fn functions_a_program_brings_itself_are_used() {
    let program = Program::new(
        "#include <stdio.h>
         #include <stdlib.h>
         extern int __VERIFIER_nondet_int(void);
         void reach_error(void) { puts(\"mine\"); exit(3); }
         void __VERIFIER_assert(int condition) { if (!condition) reach_error(); }
         int main(void) { __VERIFIER_assert(__VERIFIER_nondet_int()); }",
    );
    program.check(vec![int("__VERIFIER_nondet_int", 0)], "mine\n", "", 3);
    program.check(vec![int("__VERIFIER_nondet_int", 1)], "", "", 0);
}

#[test]
fn a_test_that_cannot_be_read_is_named() {
    let program = Program::with_main("return klee_int(\"n\");");
    let check = |output: Output, stderr: &str| {
        assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
        assert_eq!(output.status.code(), Some(96));
    };
    let mut bare = Command::new(program.folder.path().join("program"));
    check(
        bare.env_remove("EVERYPATH_KTEST")
            .output()
            .expect("the program was compiled"),
        "everypath replay: the program asks for `n` and there is no test; set EVERYPATH_KTEST to one\n",
    );
    let file = program.test_file();
    let path = file.display();
    check(
        program.run_with(&file),
        &format!("everypath replay: cannot open {path}: No such file or directory\n"),
    );
    let whole = ktest::encode(&TestCase::new(vec![int("n", 1)]));
    for length in 0..whole.len() {
        std::fs::write(&file, &whole[..length]).expect("the folder takes files");
        let output = program.run_with(&file);
        assert_eq!(output.status.code(), Some(96), "{length} bytes");
    }
    std::fs::write(&file, b"KTEST\0\0\0\x09").expect("the folder takes files");
    check(
        program.run_with(&file),
        &format!("everypath replay: {path} has version 9, only 1 to 3 are known\n"),
    );
}

#[test]
fn coverage_is_kept_when_the_program_dies() {
    let program = Program::with_flags(
        &["-fprofile-instr-generate", "-fcoverage-mapping"],
        "#include <assert.h>
         #include <everypath.h>
         #include <signal.h>
         int main(void) {
             int n;
             ep_symbolic(&n, sizeof n, \"n\");
             assert(n != 0);
             ep_assert(n != 1);
             ep_assume(n != 2);
             if (n == 3) raise(SIGSEGV);
             return n;
         }",
    );
    for number in 0..5 {
        let profile = program.folder.path().join(format!("{number}.profraw"));
        ktest::write(&program.test_file(), &TestCase::new(vec![int("n", number)]))
            .expect("the folder takes files");
        let output = Command::new(program.folder.path().join("program"))
            .env("EVERYPATH_KTEST", program.test_file())
            .env("LLVM_PROFILE_FILE", &profile)
            .output()
            .expect("the program was compiled");
        let expected = [Err(SIGABRT), Err(SIGABRT), Ok(98), Err(SIGSEGV), Ok(4)];
        let seen = output
            .status
            .code()
            .ok_or(output.status.signal().unwrap_or(0));
        assert_eq!(seen, expected[number as usize]);
        assert!(profile.exists(), "input {number}: {seen:?}");
    }
}

#[test]
fn the_headers_are_plain_c_and_plain_cxx() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("user.c");
    std::fs::write(
        &file,
        "#include <everypath.h>
         #include <klee/klee.h>
         #include <assert.h>
         #include <string.h>
         int user(int *p) {
             int x;
             ep_symbolic(&x, sizeof x, \"x\");
             ep_assume(p);
             ep_assert(x > 0);
             klee_assert(x > 1);
             assert(x > 2);
             return ep_is_symbolic((uintptr_t)x) ? (int)klee_is_replay() : ep_range(1, x, \"r\");
         }
",
    )
    .expect("the temporary folder takes files");
    let standards = [
        ("c", &["c89", "c99", "c11", "c17", "c23"]),
        ("c++", &["c++98", "c++11", "c++17", "c++20", "c++23"]),
    ];
    for (language, versions) in standards {
        for version in versions {
            run(clang()
                .args([
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-fsyntax-only",
                    "-x",
                    language,
                ])
                .arg(format!("-std={version}"))
                .arg("-I")
                .arg(runtime("include"))
                .arg(&file));
        }
    }
}
