//! Whole C and C++ programs: nothing in them is unsupported at any level of
//! optimisation, and what the program made of them computes is what the
//! compiled one does. Vector widths and variadic calls are those of x86-64.

#![cfg(target_arch = "x86_64")]

mod support;

use std::path::Path;
use std::process::Command;

use program::{CompileOptions, LoadOptions, OptLevel, Program, load};
use support::interpreter::Interpreter;
use support::{loaded, loaded_text, path};

const LEVELS: [OptLevel; 4] = [
    OptLevel::None,
    OptLevel::Less,
    OptLevel::Default,
    OptLevel::Aggressive,
];

#[test]
fn structs_mean_what_they_mean_natively() {
    check("c/structs.c", &[]);
}

#[test]
fn control_means_what_it_means_natively() {
    check("c/control.c", &[]);
}

#[test]
fn numbers_mean_what_they_mean_natively() {
    check("c/numbers.c", &[]);
}

#[test]
fn memory_means_what_it_means_natively() {
    check("c/memory.c", &["-fno-builtin-strlen"]);
}

#[test]
fn vectors_mean_what_they_mean_natively() {
    check("c/vectors.c", &[]);
}

#[test]
fn masked_vectors_mean_what_they_mean_natively() {
    check(
        "c/vectors.c",
        &["-march=x86-64-v4", "-mprefer-vector-width=512"],
    );
}

#[test]
fn atomics_mean_what_they_mean_natively() {
    check("c/atomics.c", &[]);
}

#[test]
fn classes_mean_what_they_mean_natively() {
    check("c/classes.cpp", &["-fno-threadsafe-statics"]);
}

#[test]
fn programs_that_use_the_library_have_nothing_unsupported() {
    for opt_level in LEVELS {
        let options = at(CompileOptions {
            opt_level,
            ..CompileOptions::default()
        });
        assert_supported(&loaded("c/library.c", &options));
        assert_supported(&loaded("c/exceptions.cpp", &options));
    }
}

#[test]
fn several_files_become_one_program() {
    let directory = tempfile::tempdir().expect("there is room for a temporary directory");
    let write = |name: &str, text: &str| {
        let file = directory.path().join(name);
        std::fs::write(&file, text).expect("the directory is ours");
        file
    };
    let files = [
        write(
            "a.c",
            "int helper(int); int shared = 4; unsigned long long run(void) { return helper(3); }",
        ),
        write(
            "b.cc",
            "extern \"C\" { extern int shared; int helper(int x) { return x * shared; } }",
        ),
        write("c.ll", "define i32 @unused() {\n  ret i32 1\n}\n"),
    ];
    let program = load(&files, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Interpreter::new(&program).run("run"), 12);
    assert!(program.function("unused").is_some());
}

#[test]
fn options_reach_the_compiler() {
    let directory = tempfile::tempdir().expect("there is room for a temporary directory");
    std::fs::write(directory.path().join("ours.h"), "#define OURS 5\n").expect("it is ours");
    let options = at(CompileOptions {
        headers: Some(directory.path().to_owned()),
        defines: vec!["GIVEN=7".into()],
        std: Some("c99".into()),
        cc_args: vec!["-Wall".into()],
        ..CompileOptions::default()
    });
    let text = "#include <ours.h>\n
        unsigned long long run(void) { int unused; return OURS * 100 + GIVEN + __STDC_VERSION__ / 100; }";
    let program = loaded_text("c", text, &options);
    assert_eq!(Interpreter::new(&program).run("run"), 500 + 7 + 1999);
    assert_eq!(program.warnings.len(), 1);
    assert!(
        program.warnings[0].contains("unused variable 'unused'"),
        "{:?}",
        program.warnings
    );
}

fn at(compile: CompileOptions) -> LoadOptions {
    LoadOptions {
        compile,
        ..LoadOptions::default()
    }
}

/// Runs a program beside the tests at every level, and natively.
fn check(name: &str, cc_args: &[&str]) {
    let expected = native(&path(name));
    for opt_level in LEVELS {
        for promote in [false, true] {
            let cc_args = cc_args.iter().map(|&argument| argument.into()).collect();
            let compile = CompileOptions {
                opt_level,
                cc_args,
                ..CompileOptions::default()
            };
            let options = LoadOptions {
                promote,
                ..at(compile)
            };
            let program = loaded(name, &options);
            assert_supported(&program);
            let actual = Interpreter::new(&program).run("run");
            assert_eq!(
                actual, expected,
                "{name} at {opt_level:?}, promote: {promote}"
            );
        }
    }
}

fn native(file: &Path) -> u64 {
    let directory = tempfile::tempdir().expect("there is room for a temporary directory");
    let executable = directory.path().join("native");
    let run = |command: &mut Command| {
        let output = command
            .output()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let mut compiler = Command::new("clang-22");
    compiler
        .args(["-O0", "-w", "-lstdc++"])
        .arg(file)
        .arg(path("c/native/main.c"));
    run(compiler.arg("-o").arg(&executable));
    run(&mut Command::new(&executable))
        .trim()
        .parse()
        .expect("it prints a number")
}

fn assert_supported(program: &Program) {
    let names: Vec<&str> = program.unsupported().map(|(_, _, text)| text).collect();
    assert_eq!(names, Vec::<&str>::new());
    for global in &program.globals {
        let unknown = global
            .initializer
            .as_ref()
            .and_then(|initializer| initializer.unsupported);
        assert_eq!(unknown, None, "{}", global.name);
    }
}
