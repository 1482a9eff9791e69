//! The stack in Rust among `examples/staged`, run natively; those in C and C++ are
//! among the cases.

use std::env;
use std::process::Command;
use testkit::{Finished, Scratch, project};

#[test]
fn the_rust_stack_passes_its_own_tests() {
    let scratch = Scratch::new();
    let program = scratch.path("stack");
    let mut compile = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compile
        .args(["--edition", "2024", "--test", "-D", "warnings", "-o"])
        .arg(&program)
        .arg(project("examples/staged/stack.rs"));
    Finished::of(&mut compile).succeeds();
    Finished::of(&mut Command::new(program)).succeeds();
}
