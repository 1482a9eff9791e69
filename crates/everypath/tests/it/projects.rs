//! Whole projects: built by compilers that keep bitcode, run from what was linked, and
//! compiled file by file as a build system says.

use std::path::Path;
use std::process::Command;
use testkit::{Finished, Scratch};

const CC: &str = env!("CARGO_BIN_EXE_everypath-cc");

/// A program of two archives and an object, in a folder with a blank in its name. The
/// error needs the flags of the makefile: LIMIT is nowhere else.
const MAKEFILE: &str = "\
CC = gcc -std=gnu11
CFLAGS = -O2 -Wall -Werror -ffunction-sections -flto -I'include dir' -DLIMIT=3
all: tool libparts.so
tool: main.o libscale.a
\t$(CC) $(CFLAGS) -Wl,--gc-sections -o $@ main.o -L. -lscale
libscale.a: scale.o unused.o
\tar rcs $@ scale.o unused.o
libparts.so: scale.c
\t$(CC) $(CFLAGS) -shared -fPIC -o $@ scale.c
%.o: %.c
\t$(CC) $(CFLAGS) -MMD -c -o $@ $<
";

const FILES: [(&str, &str); 5] = [
    ("my project/Makefile", MAKEFILE),
    (
        "my project/main.c",
        r#"
#include "scale.h"
#include <stdio.h>
__attribute__((weak)) int offset(void) { return 100; }
int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    printf("%d\n", scale(argv[1][0]));
    return offset();
}
"#,
    ),
    (
        "my project/scale.c",
        r#"#include "scale.h"
#include <stdlib.h>
int offset(void) { return 1; }
int scale(int letter) {
    if (letter == 'x' + LIMIT)
        abort();
    return letter * LIMIT;
}
"#,
    ),
    (
        "my project/include dir/scale.h",
        "int scale(int letter);\nint offset(void);\n",
    ),
    (
        "my project/unused.c",
        "int elsewhere(void);\nint unused(void) { return elsewhere(); }\n",
    ),
];

fn in_project(scratch: &Scratch, line: &[&str]) -> Finished {
    testkit::everypath(&scratch.path("my project"), line)
}

#[test]
fn a_project_is_built_run_and_replayed() {
    let scratch = Scratch::with(&FILES);
    let built = in_project(&scratch, &["build", "--", "make"]).succeeds();
    let (_, summary) = built
        .stdout
        .split_once("these can be given")
        .expect("a summary comes after what make says");
    assert_eq!(
        summary,
        " to `everypath run`:\n  libparts.so  1 module\n  libscale.a  2 modules\n  \
         tool  2 modules\n"
    );
    let ran = in_project(
        &scratch,
        &["run", "./tool", "--sym-args", "0", "1", "1", "--json"],
    );
    let report = ran.json();
    assert_eq!(report["outcome"], "complete", "{report}");
    let errors = report["errors"].as_array().expect("there is a list");
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (&errors[0]["kind"], &errors[0]["line"]),
        (&"abort".into(), &6.into())
    );
    // The strong definition of the archive won over the weak one, as in the real program.
    let replayed = in_project(
        &scratch,
        &["replay", "--binary", "./tool", "everypath-last"],
    );
    assert!(
        replayed.success() && replayed.stdout.ends_with("0 not as predicted\n"),
        "{}",
        replayed.said()
    );
    let native = in_project(
        &scratch,
        &["replay", "everypath-last", "--native", "--json"],
    );
    let native = native.json();
    assert_eq!(native["agreed"], native["tests"], "{native}");
}

#[test]
fn what_a_program_takes_from_a_shared_library_is_found_where_it_says() {
    let scratch = Scratch::with(&[
        (
            "half.c",
            "static int ready;\n\
             __attribute__((constructor)) static void prepare(void) { ready = 1; }\n\
             int half(int x) { return ready ? x / 2 : x; }\n",
        ),
        (
            "main.c",
            "int half(int);\nint main(int n, char **a) { return n > 1 ? half(a[1][0]) : half(8); }\n",
        ),
    ]);
    compile(
        &scratch,
        &["-shared", "-fPIC", "half.c", "-o", "libhalf.so"],
    );
    compile(
        &scratch,
        &[
            "main.c",
            "-L.",
            "-lhalf",
            "-Wl,-rpath,$ORIGIN",
            "-o",
            "tool",
        ],
    );
    let ran = scratch.everypath("run ./tool --json --output out");
    assert_eq!(ran.json()["paths"]["completed"], 1, "{}", ran.said());
    scratch.replays_natively("out");
    let listed = scratch.everypath("replay out").stdout;
    assert!(listed.starts_with("test000001  exit 4\n"), "{listed}");
}

fn compile(scratch: &Scratch, arguments: &[&str]) -> Finished {
    let mut command = Command::new(CC);
    command.current_dir(scratch.folder()).args(arguments);
    Finished::of(&mut command).succeeds()
}

#[test]
fn the_compiler_is_clang_to_whoever_probes_it() {
    let scratch = Scratch::with(&[
        ("a.c", "int a(void) { return A; }\n"),
        ("b.c", "int a(void); int main(void) { return a(); }\n"),
        (
            "c.s",
            ".globl c\nc:\n\tret\n.section .note.GNU-stack,\"\",@progbits\n",
        ),
        ("flags", "-DA=0 -c \"a.c\" b.c"),
    ]);
    // Several files at once, from a response file; then objects, a source and assembly.
    let quiet = compile(&scratch, &["-Werror", "@flags"]);
    assert_eq!(quiet.said(), "");
    let quiet = compile(
        &scratch,
        &["-Werror", "-O0", "a.o", "b.c", "c.s", "-o", "tool"],
    );
    assert_eq!(quiet.said(), "");
    let ran = scratch.everypath("run ./tool --json");
    assert_eq!(ran.json()["outcome"], "complete", "{}", ran.said());
    // What people and scripts read is free of what we keep.
    assert!(
        !compile(&scratch, &["-DA=1", "-S", "a.c", "-o", "-"])
            .stdout
            .contains("llvmbc")
    );
    assert_eq!(
        compile(&scratch, &["-DA=1", "-MM", "a.c"]).stdout,
        "a.o: a.c\n"
    );
    assert!(compile(&scratch, &["--version"]).stdout.contains("clang"));
    compile(&scratch, &["-DA=1", "-fsyntax-only", "a.c"]);
    let mut wrong = Command::new(CC);
    let wrong = Finished::of(wrong.current_dir(scratch.folder()).args(["-c", "absent.c"]));
    assert_eq!(wrong.status, Some(1));
}

#[test]
fn what_was_built_without_bitcode_is_refused_with_what_to_do() {
    let scratch = Scratch::with(&[("a.c", "int main(void) { return 0; }\n")]);
    scratch.clang(["a.c", "-o", "tool"]);
    assert_eq!(
        scratch.refusal("run ./tool"),
        "error: ./tool is machine code without the bitcode it was made from: build it with \
         `everypath build -- make`, or whatever builds it\n"
    );
    assert_eq!(
        scratch.everypath("build -- false").refusal(),
        "error: false ended with exit status: 1\n"
    );
    let nothing = scratch.everypath("build true").succeeds();
    assert_eq!(nothing.stdout, "nothing was linked\n");
}

/// Two targets, each with a file of its own that includes a header by a path relative to
/// the build directory.
fn commands(folder: &Path) -> String {
    let build = folder.join("out of tree");
    let entry = |file: &str, target: &str, flags: &str| {
        serde_json::json!({
            "directory": build,
            "command": format!(
                "ccache /usr/bin/cc {flags} -I'../my include' -Werror -flto -MD -MF x.d \
                 -o CMakeFiles/{target}.dir/{file}.o -c ../src/{file}"
            ),
            "file": format!("../src/{file}"),
        })
    };
    let entries = [
        entry("main.c", "tool", "-DBASE=10"),
        entry("part.c", "tool", "-DBASE=20"),
        entry("main2.c", "other", ""),
    ];
    serde_json::to_string(&entries).expect("it is JSON")
}

#[test]
fn files_are_compiled_as_the_build_system_says() {
    let scratch = Scratch::with(&[
        (
            "src/main.c",
            "#include <p.h>\nint main(void) { int unused; return part() - BASE; }\n",
        ),
        (
            "src/part.c",
            "#include <p.h>\nint part(void) { return BASE; }\n",
        ),
        ("src/main2.c", "int main(void) { return 77; }\n"),
        ("my include/p.h", "int part(void);\n"),
        ("out of tree/keep", ""),
        (
            "driver.c",
            "int part(void);\nint main(void) { return part() + 1; }\n",
        ),
    ]);
    let text = commands(scratch.folder());
    scratch.write("out of tree/compile_commands.json", text);
    let status = |line: &[&str]| {
        scratch.everypath(line).succeeds();
        scratch.replays_natively("everypath-last");
        let listed = scratch.everypath("replay").stdout;
        listed.lines().next().expect("one test").to_owned()
    };
    let build = ["run", "-p", "out of tree"];
    let line = [&build[..], &["--whole-target", "src/main.c"]].concat();
    assert_eq!(status(&line), "test000001  exit 10");
    let line = [&build[..], &["src/part.c", "driver.c"]].concat();
    assert_eq!(status(&line), "test000001  exit 21");
}

#[test]
fn a_file_that_the_build_does_not_compile_is_named() {
    let scratch = Scratch::with(&[("a.c", "int main(void) { return 0; }\n")]);
    assert_eq!(
        scratch.refusal("run -p build a.c"),
        "error: there is no build/compile_commands.json; cmake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, \
         meson always, and `bear -- make` for other builds\n"
    );
    scratch.write("compile_commands.json", "[]");
    assert_eq!(
        scratch.refusal("run -p . a.c"),
        "error: ./compile_commands.json has no command for a.c\n"
    );
    scratch.write("compile_commands.json", "[{]");
    assert_eq!(
        scratch.refusal("run -p . a.c"),
        "error: ./compile_commands.json: key must be a string at line 1 column 3\n"
    );
}

#[test]
fn checks_are_compiled_into_a_whole_project() {
    let scratch = Scratch::with(&[
        ("Makefile", "tool: tool.c\n\t$(CC) -O1 -o $@ tool.c\n"),
        (
            "tool.c",
            "int main(int argc, char **argv) {\n\
             int n = argc > 1 ? argv[1][0] : 0;\n\
             return (n << 24) + 0x7000000 < 0;\n}\n",
        ),
    ]);
    let built = ["build", "--check", "shift,overflow", "--", "make"];
    scratch.everypath(&built).succeeds();
    let ran = scratch.everypath("run ./tool --sym-arg 1 --json --output out");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let report = ran.json();
    let errors = report["errors"].as_array().expect("there are errors");
    let mut kinds: Vec<_> = errors.iter().map(|it| it["kind"].as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, [Some("shift"), Some("signed-overflow")]);
    assert!(errors.iter().all(|it| it["line"] == 3));
    let line = "replay --binary ./tool out";
    assert!(scratch.everypath(line).success());
}
