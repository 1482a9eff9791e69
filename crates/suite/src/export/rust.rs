//! Tests for `rustc --test`.

use super::{Call, Expected, ExportedTest, byte_literal};
use std::fmt::Write;

/// One Rust file with a `#[test]` for each.
pub fn rust(tests: &[ExportedTest]) -> String {
    let mut code = String::from(PRELUDE);
    for test in tests {
        let _ = writeln!(code, "\n/// {}\n#[test]\nfn {}() {{", test.about, test.name);
        code += "    let _one_at_a_time = begin();\n";
        for call in &test.calls {
            let name = |name: &str| byte_literal(&[name.as_bytes(), b"\0"].concat());
            let _ = match call {
                Call::Bytes(of, it) => {
                    writeln!(code, "    bytes({}, {});", name(of), byte_literal(it))
                }
                Call::Int(of, size, it) => writeln!(code, "    int({}, {size}, {it});", name(of)),
                Call::Float(of, size, it) => {
                    writeln!(code, "    float({}, {size}, {it:?});", name(of))
                }
                Call::Argument(it) => writeln!(code, "    argument({});", byte_literal(it)),
                Call::Variable(of, it) => {
                    writeln!(code, "    variable({}, {});", name(of), byte_literal(it))
                }
                Call::File(of, it) => {
                    writeln!(code, "    file({}, {});", name(of), byte_literal(it))
                }
                Call::Stdin(it) => writeln!(code, "    stdin({});", byte_literal(it)),
            };
        }
        code += &match test.expected {
            Expected::Exit(status) => format!("    assert_eq!(run(), {status});\n}}\n"),
            // The text is an argument, for braces in it would be read as a format's.
            Expected::NoCrash => format!(
                "    assert!(run() < 256, \"{{}}\", \"{}\");\n}}\n",
                test.about.escape_default()
            ),
            Expected::Anything => "    run();\n}\n".to_owned(),
        };
    }
    code
}

const PRELUDE: &str = r#"//! A test for each path, made by everypath export. `make check` runs them.
#![allow(dead_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

mod runtime {
    unsafe extern "C" {
        pub fn ep_test_begin();
        pub fn ep_test_bytes(name: *const u8, bytes: *const u8, size: usize);
        pub fn ep_test_int(name: *const u8, size: usize, value: i64);
        pub fn ep_test_float(name: *const u8, size: usize, value: f64);
        pub fn ep_test_argument(bytes: *const u8, size: usize);
        pub fn ep_test_variable(name: *const u8, bytes: *const u8, size: usize);
        pub fn ep_test_file(name: *const u8, bytes: *const u8, size: usize);
        pub fn ep_test_stdin(bytes: *const u8, size: usize);
        pub fn ep_test_run() -> i32;
    }
}

/// The runtime describes one test at a time.
static ONE: Mutex<()> = Mutex::new(());

fn begin() -> MutexGuard<'static, ()> {
    let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    unsafe { runtime::ep_test_begin() };
    one
}

// Names end in a zero byte, as C's do.
fn bytes(name: &[u8], bytes: &[u8]) {
    unsafe { runtime::ep_test_bytes(name.as_ptr(), bytes.as_ptr(), bytes.len()) }
}
fn int(name: &[u8], size: usize, value: i64) {
    unsafe { runtime::ep_test_int(name.as_ptr(), size, value) }
}
fn float(name: &[u8], size: usize, value: f64) {
    unsafe { runtime::ep_test_float(name.as_ptr(), size, value) }
}
fn argument(bytes: &[u8]) {
    unsafe { runtime::ep_test_argument(bytes.as_ptr(), bytes.len()) }
}
fn variable(name: &[u8], bytes: &[u8]) {
    unsafe { runtime::ep_test_variable(name.as_ptr(), bytes.as_ptr(), bytes.len()) }
}
fn file(name: &[u8], bytes: &[u8]) {
    unsafe { runtime::ep_test_file(name.as_ptr(), bytes.as_ptr(), bytes.len()) }
}
fn stdin(bytes: &[u8]) {
    unsafe { runtime::ep_test_stdin(bytes.as_ptr(), bytes.len()) }
}
fn run() -> i32 {
    unsafe { runtime::ep_test_run() }
}
"#;
