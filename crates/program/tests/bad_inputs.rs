//! Inputs that cannot be loaded, each with the message its user gets.

mod support;

use std::path::PathBuf;

use program::{CompileOptions, LoadError, LoadOptions, load, verify};
use support::path;

#[test]
fn no_file_at_all() {
    let error = load(&[], &LoadOptions::default()).expect_err("there is nothing to load");
    let expected =
        "no program given: name at least one .c, .i, .cc, .cpp, .cxx, .rs, .ll, .bc, .o or .a file";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_file_that_is_not_there() {
    for name in ["absent.c", "absent.ll", "absent.bc"] {
        let error = load(&[name.into()], &LoadOptions::default()).expect_err("it is not there");
        assert_eq!(
            error.to_string(),
            format!("cannot read {name}: there is no such file")
        );
    }
}

#[test]
fn a_name_that_tells_nothing() {
    for name in ["program.py", "program"] {
        check(
            name,
            b"",
            "cannot tell what FILE is: the name should end in .c, .i, .cc, .cpp, .cxx, .rs, .ll, .bc, .o or .a",
        );
    }
}

#[test]
fn c_with_a_mistake() {
    check(
        "mistake.c",
        b"int f(void) {\n  return x;\n}\nint g(void) { return 1 }\n",
        "clang-22 could not compile FILE:\n\
         FILE:2:10: error: use of undeclared identifier 'x'\n    \
             2 |   return x;\n      \
               |          ^\n\
         FILE:4:23: error: expected ';' after return statement\n    \
             4 | int g(void) { return 1 }\n      \
               |                       ^\n      \
               |                       ;\n\
         2 errors generated.",
    );
}

fn compiled_by(clang: &str) -> LoadOptions {
    LoadOptions {
        compile: CompileOptions {
            clang: Some(clang.into()),
            ..CompileOptions::default()
        },
        ..LoadOptions::default()
    }
}

#[test]
fn no_compiler() {
    let options = compiled_by("/no/such/clang");
    let error = load(&[path("c/structs.c")], &options).expect_err("there is no compiler");
    assert_eq!(
        error.to_string(),
        "no clang found (tried /no/such/clang): install it, as with `apt-get install clang-22`"
    );
}

#[test]
fn a_program_that_is_no_longer_wanted() {
    let options = LoadOptions {
        stop: base::Stop::after(0),
        ..LoadOptions::default()
    };
    let error = load(&[path("c/structs.c")], &options).expect_err("it is stopped");
    assert!(error.is_stopped(), "{error}");
    assert_eq!(error.to_string(), "the compiler was stopped");
    assert_eq!(options.stop.late(), 1);
}

#[test]
fn a_compiler_that_says_nothing() {
    let options = compiled_by("false");
    let file = path("c/structs.c");
    let error = load(std::slice::from_ref(&file), &options).expect_err("it compiles nothing");
    let expected = format!(
        "false could not compile {}:\nit ended with exit status: 1 and said nothing",
        file.display()
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bitcode_that_is_none() {
    check(
        "object.bc",
        b"\x7fELF...",
        "FILE is not LLVM bitcode: make it with `clang -g -emit-llvm -c` \
         or `rustc --emit=llvm-bc`",
    );
}

#[test]
fn bitcode_cut_short() {
    let whole = std::fs::read(path("bitcode/llvm22.bc")).expect("it is there");
    check(
        "cut.bc",
        &whole[..whole.len() / 2],
        "FILE is damaged or cut short: Invalid bitcode signature; compile it again",
    );
}

#[test]
fn bitcode_cut_anywhere_is_an_error_and_no_crash() {
    let whole = std::fs::read(path("bitcode/llvm14.bc")).expect("it is there");
    for length in (4..whole.len()).step_by(61) {
        let error = error_of("cut.bc", &whole[..length]).1;
        assert!(
            matches!(error, LoadError::DamagedBitcode { .. }),
            "{length}: {error}"
        );
    }
}

#[test]
fn bitcode_of_a_newer_llvm() {
    let file = path("bitcode/newer.bc");
    let error =
        load(std::slice::from_ref(&file), &LoadOptions::default()).expect_err("it is too new");
    let LoadError::NewerBitcode { reader, .. } = &error else {
        panic!("{error}")
    };
    let expected = format!(
        "{} was written by an LLVM newer than {reader}, which reads it here: Incompatible epoch: \
         Bitcode '50' vs current: '0'; compile it with clang 22 or older",
        file.display()
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn text_with_a_mistake() {
    check(
        "mistake.ll",
        b"define i32 @f() {\n  ret i32 %x\n}\n",
        "FILE is not valid LLVM text:\n\
         FILE:2:11: error: use of undefined value '%x'\n  \
           ret i32 %x\n          \
                   ^",
    );
}

#[test]
fn text_that_breaks_a_rule() {
    let text =
        b"define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  \
                 br label %b\nb:\n  ret i32 %x\n}\n";
    let message = "FILE breaks the rules of LLVM's language:\n\
                   Instruction does not dominate all uses!\n  \
                     %x = add i32 1, 2\n  \
                     ret i32 %x";
    check("broken.ll", text, message);
    let (_directory, again) = written("broken.ll", text);
    let error = verify(std::slice::from_ref(&again)).expect_err("it is broken");
    assert_eq!(
        error.to_string(),
        message.replace("FILE", &again.display().to_string())
    );
}

#[test]
fn other_machines() {
    check(
        "small.ll",
        b"target datalayout = \"e-p:32:32\"\ntarget triple = \"i386-pc-linux-gnu\"\n",
        "FILE was compiled for i386-pc-linux-gnu, where addresses have 32 bits: compile it for a \
         64-bit little-endian machine, as with `--target=x86_64-linux-gnu`",
    );
    check(
        "big.ll",
        b"target datalayout = \"E-i64:64\"\ntarget triple = \"s390x-linux-gnu\"\n",
        "FILE was compiled for s390x-linux-gnu, which is big-endian: compile it for a \
         64-bit little-endian machine, as with `--target=x86_64-linux-gnu`",
    );
    check(
        "unknown.ll",
        b"target triple = \"mips-linux-gnu\"\n",
        "FILE was compiled for mips-linux-gnu, a machine that is not supported: compile it for a \
         64-bit little-endian machine, as with `--target=x86_64-linux-gnu`",
    );
}

#[test]
fn machines_that_fit() {
    for triple in [
        "x86_64-pc-linux-gnu",
        "aarch64-linux-gnu",
        "riscv64-linux-gnu",
        "",
    ] {
        let text = format!("target triple = \"{triple}\"\ndefine void @f() {{\n  ret void\n}}\n");
        let (_directory, file) = written("fits.ll", text.as_bytes());
        load(&[file], &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn files_that_do_not_fit_together() {
    let text = b"define void @f() {\n  ret void\n}\n";
    let (_one, first) = written("first.ll", text);
    let (_two, second) = written("second.ll", text);
    let other = b"target datalayout = \"e-i64:64\"\ntarget triple = \"aarch64-linux-gnu\"\n";
    let (_three, third) = written("third.ll", other);
    let message = |files: &[PathBuf]| {
        load(files, &LoadOptions::default())
            .expect_err("they do not fit")
            .to_string()
    };
    assert_eq!(
        message(&[first.clone(), second.clone()]),
        format!(
            "`f` is defined in {} and in a file before it: leave one of the files out, or make one \
             of the definitions static",
            second.display()
        )
    );
    assert_eq!(
        message(&[first, third.clone()]),
        format!(
            "cannot link {} with the files before it: they are for x86_64-unknown-linux-gnu, it \
             is for aarch64-linux-gnu",
            third.display()
        )
    );
}

/// Checks the message for a file of that name and content, `FILE` being its path.
fn check(name: &str, content: &[u8], expected: &str) {
    let (file, error) = error_of(name, content);
    assert_eq!(
        error.to_string(),
        expected.replace("FILE", &file.display().to_string())
    );
}

fn error_of(name: &str, content: &[u8]) -> (PathBuf, LoadError) {
    let (_directory, file) = written(name, content);
    let error = load(std::slice::from_ref(&file), &LoadOptions::default())
        .expect_err("it cannot be loaded");
    (file, error)
}

fn written(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("there is room for a temporary directory");
    let file = directory.path().join(name);
    std::fs::write(&file, content).expect("the directory is ours");
    (directory, file)
}
