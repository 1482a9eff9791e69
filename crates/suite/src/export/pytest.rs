//! Tests for pytest, which load the program as a shared library with ctypes.

use super::{Call, Expected, ExportedTest, byte_literal};
use std::fmt::Write;

/// One Python file with a function for each test.
pub fn pytest(tests: &[ExportedTest]) -> String {
    let mut code = String::from(PRELUDE);
    for test in tests {
        let _ = writeln!(code, "\n\ndef test_{}():", test.name);
        let _ = writeln!(code, "    # {}", test.about);
        code += "    program.ep_test_begin()\n";
        for call in &test.calls {
            let name = |name: &str| byte_literal(name.as_bytes());
            let bytes = |bytes: &[u8]| format!("{}, {}", byte_literal(bytes), bytes.len());
            let _ = match call {
                Call::Bytes(of, it) => {
                    writeln!(
                        code,
                        "    program.ep_test_bytes({}, {})",
                        name(of),
                        bytes(it)
                    )
                }
                Call::Int(of, size, it) => {
                    writeln!(code, "    program.ep_test_int({}, {size}, {it})", name(of))
                }
                Call::Float(of, size, it) => {
                    writeln!(
                        code,
                        "    program.ep_test_float({}, {size}, {it:?})",
                        name(of)
                    )
                }
                Call::Argument(it) => {
                    writeln!(code, "    program.ep_test_argument({})", bytes(it))
                }
                Call::Variable(of, it) => {
                    writeln!(
                        code,
                        "    program.ep_test_variable({}, {})",
                        name(of),
                        bytes(it)
                    )
                }
                Call::File(of, it) => {
                    writeln!(
                        code,
                        "    program.ep_test_file({}, {})",
                        name(of),
                        bytes(it)
                    )
                }
                Call::Stdin(it) => writeln!(code, "    program.ep_test_stdin({})", bytes(it)),
            };
        }
        code += &match test.expected {
            Expected::Exit(status) => format!("    assert program.ep_test_run() == {status}\n"),
            Expected::NoCrash => {
                "    assert program.ep_test_run() < 256  # not a signal\n".to_owned()
            }
            Expected::Anything => "    program.ep_test_run()\n".to_owned(),
        };
    }
    code
}

const PRELUDE: &str = r#""""A test for each path, made by everypath export. `make check` runs them."""

import ctypes
import pathlib

program = ctypes.CDLL(str(pathlib.Path(__file__).resolve().with_name("libtests.so")))

NAME, BYTES, SIZE = ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t
program.ep_test_bytes.argtypes = [NAME, BYTES, SIZE]
program.ep_test_int.argtypes = [NAME, SIZE, ctypes.c_longlong]
program.ep_test_float.argtypes = [NAME, SIZE, ctypes.c_double]
program.ep_test_argument.argtypes = [BYTES, SIZE]
program.ep_test_variable.argtypes = [NAME, BYTES, SIZE]
program.ep_test_file.argtypes = [NAME, BYTES, SIZE]
program.ep_test_stdin.argtypes = [BYTES, SIZE]
"#;
