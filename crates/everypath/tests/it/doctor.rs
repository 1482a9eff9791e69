//! `everypath doctor` as a user meets it.

use testkit::{Finished, Scratch, command};

#[test]
fn where_everything_is_installed_the_doctor_is_content() {
    let output = Scratch::new().everypath("doctor");
    let text = output.stdout;
    for name in [
        "clang",
        "C library",
        "rustc (programs in Rust)",
        "LLVM",
        "Z3",
        "sandbox (native functions)",
    ] {
        let line = format!("ok       {name}: ");
        assert!(text.contains(&line), "{name} is not ok:\n{text}");
    }
    // Each language has a line, whether or not it is ready.
    for name in [
        "the C library for programs under test",
        "the C++ library for programs under test",
        "cargo everypath (crates in Rust)",
    ] {
        assert!(text.contains(&format!(" {name}: ")), "{text}");
    }
    assert_eq!(output.stderr, "");
    assert_eq!(output.status, Some(0));
}

#[test]
fn the_doctor_says_where_cargo_looks_for_its_command() {
    let folder = Scratch::new();
    let said = |folder: &Scratch| {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", folder.folder().display());
        Finished::of(command(folder.folder(), "doctor").env("PATH", path)).stdout
    };
    folder.write("cargo-everypath", "");
    let text = said(&folder);
    assert!(
        text.contains("ok       cargo everypath (crates in Rust): cargo "),
        "{text}"
    );
}

#[test]
fn without_clang_the_doctor_says_how_to_get_it() {
    let nothing = Scratch::new();
    let output = Finished::of(command(nothing.folder(), "doctor").env("PATH", nothing.folder()));
    let text = output.stdout;
    assert!(
        text.contains("missing  clang: neither clang-22 nor clang is on the PATH\n"),
        "{text}"
    );
    for system in ["Debian", "Fedora", "Arch", "macOS"] {
        assert!(text.contains(&format!("\n  {system} ")), "{text}");
    }
    assert_eq!(
        output.stderr,
        "error: something that is needed is missing\n"
    );
    assert_eq!(output.status, Some(2));
}
