//! What the tests of this folder share: libraries compiled from C, an oracle
//! with its helper process, and values.

// Each test file is a crate of its own and uses some of these.
#![allow(dead_code)]

use oracle::{HelperCommand, Implementation, Oracle, Signature, Type};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use term::{BitVec, FpFormat, Value};

pub const I32: Type = Type::Signed(32);

/// A library made from a file of `tests/c`.
pub struct Native {
    pub path: PathBuf,
    _folder: TempDir,
}

/// Compiles `tests/c/NAME.c` to a library.
pub fn compile(name: &str) -> Native {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let path = folder.path().join(format!("lib{name}.so"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/c")
        .join(format!("{name}.c"));
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let compiler = ["clang-22", "clang"]
        .into_iter()
        .find(is_there)
        .unwrap_or_else(|| {
            panic!("this test needs clang-22 or clang; `scripts/install-dependencies` installs it")
        });
    let output = Command::new(compiler)
        .args(["-O1", "-shared", "-fPIC", "-pthread", "-o"])
        .arg(&path)
        .arg(&source)
        .output()
        .expect("the compiler was just there");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", source.display());
    Native {
        path,
        _folder: folder,
    }
}

/// An oracle with a helper process and generous time.
pub fn oracle() -> Oracle<'static> {
    let mut oracle = Oracle::new();
    oracle.set_helper(HelperCommand {
        program: env!("CARGO_BIN_EXE_oracle-helper").into(),
        arguments: Vec::new(),
    });
    oracle.set_time_limit(Duration::from_secs(60));
    oracle
}

/// An oracle with the library of `tests/c/NAME.c`.
pub fn oracle_with(name: &str) -> (Oracle<'static>, Native) {
    let library = compile(name);
    let mut oracle = oracle();
    oracle
        .load_library(&library.path)
        .unwrap_or_else(|failure| panic!("{failure}"));
    (oracle, library)
}

/// Declares a native function with parameters called `a`, `b`, ….
pub fn declare(oracle: &mut Oracle, name: &str, parameters: &[Type], result: Type) {
    let signature = signature(name, parameters, result);
    oracle
        .declare(signature, Implementation::Native)
        .unwrap_or_else(|failure| panic!("{failure}"));
}

pub fn signature(name: &str, parameters: &[Type], result: Type) -> Signature {
    let names: Vec<String> = ('a'..='z').map(String::from).collect();
    let names = names.iter().map(String::as_str);
    let parameters: Vec<(&str, Type)> = names.zip(parameters.iter().copied()).collect();
    Signature::new(name, &parameters, result)
}

pub fn bits(width: u16, value: i64) -> Value {
    Value::Bv(BitVec::from_u64(width, value as u64))
}

pub fn int(value: i64) -> Value {
    bits(32, value)
}

pub fn double(value: f64) -> Value {
    let bits = u128::from(value.to_bits());
    Value::Fp(
        FpFormat::DOUBLE,
        term::fp::canonical(FpFormat::DOUBLE, bits),
    )
}

pub fn float(value: f32) -> Value {
    let bits = u128::from(value.to_bits());
    Value::Fp(
        FpFormat::SINGLE,
        term::fp::canonical(FpFormat::SINGLE, bits),
    )
}
