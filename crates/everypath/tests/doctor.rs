//! `everypath doctor` as a user meets it.

use std::process::Command;

#[test]
fn where_everything_is_installed_the_doctor_is_content() {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .arg("doctor")
        .output()
        .expect("the binary was built");
    let text = String::from_utf8_lossy(&output.stdout);
    for name in [
        "clang",
        "C library",
        "rustc (programs in Rust)",
        "LLVM",
        "Z3",
    ] {
        let line = format!("ok       {name}: ");
        assert!(text.contains(&line), "{name} is not ok:\n{text}");
    }
    assert_eq!(output.stderr, b"");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn without_clang_the_doctor_says_how_to_get_it() {
    let nothing = tempfile::tempdir().expect("there is room for a directory");
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .arg("doctor")
        .env("PATH", nothing.path())
        .output()
        .expect("the binary was built");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("missing  clang: neither clang-22 nor clang is on the PATH\n"),
        "{text}"
    );
    for system in ["Debian", "Fedora", "Arch", "macOS"] {
        assert!(text.contains(&format!("\n  {system} ")), "{text}");
    }
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: something that is needed is missing\n"
    );
    assert_eq!(output.status.code(), Some(2));
}
