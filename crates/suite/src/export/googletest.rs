//! Tests for GoogleTest.

use super::c::calls;
use super::{Expected, ExportedTest};
use base::escape::c_string;
use std::fmt::Write;

/// One C++ file with a `TEST` for each.
pub fn googletest(tests: &[ExportedTest]) -> String {
    let mut code = String::from(
        "// A test for each path, made by everypath export. `make check` runs them.\n\
         #include \"everypath_tests.h\"\n\
         #include <gtest/gtest.h>\n",
    );
    for test in tests {
        let _ = write!(
            code,
            "\n// {}\nTEST(Everypath, {}) {{\n{}",
            test.about,
            test.name,
            calls(test)
        );
        let about = c_string(test.about.as_bytes());
        code += &match test.expected {
            Expected::Exit(status) => format!("    EXPECT_EQ(ep_test_run(), {status});\n}}\n"),
            // A status from 256 on is a signal.
            Expected::NoCrash => format!("    EXPECT_LT(ep_test_run(), 256) << \"{about}\";\n}}\n"),
            Expected::Anything => "    ep_test_run();\n}\n".to_owned(),
        };
    }
    code
}
