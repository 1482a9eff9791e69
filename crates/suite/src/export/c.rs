//! Tests as one C program that prints the Test Anything Protocol.

use super::{Call, Expected, ExportedTest};
use base::escape::c_string;
use std::fmt::Write;

/// The program: a function for each test, and a `main` that calls them.
pub fn c(tests: &[ExportedTest]) -> String {
    let mut code = String::from(
        "/* A test for each path, made by everypath export. `make check` runs them. */\n\
         #include \"everypath_tests.h\"\n\
         #include <stdio.h>\n\n",
    );
    for test in tests {
        let _ = writeln!(code, "/* {} */", test.about);
        let _ = writeln!(code, "static int {}(void) {{", test.name);
        code += &calls(test);
        code += "    return ep_test_run();\n}\n\n";
    }
    code += "/* What has to come of a test that has no exit status. */\n\
             enum { NO_CRASH = -1, ANYTHING = -2 };\n\n\
             static const struct {\n    const char *name;\n    int (*run)(void);\n    \
             int expected;\n    const char *about;\n} tests[] = {\n";
    for test in tests {
        let expected = match test.expected {
            Expected::Exit(status) => status.to_string(),
            Expected::NoCrash => "NO_CRASH".to_owned(),
            Expected::Anything => "ANYTHING".to_owned(),
        };
        let (name, about) = (&test.name, c_string(test.about.as_bytes()));
        let _ = writeln!(code, "    {{\"{name}\", {name}, {expected}, \"{about}\"}},");
    }
    // An array needs an element in standard C, also where a run has no tests.
    code += "    {0},\n};\n\n\
             int main(void) {\n    \
             int failures = 0, count = (int)(sizeof tests / sizeof *tests) - 1;\n    \
             printf(\"1..%d\\n\", count);\n    \
             for (int i = 0; i < count; i++) {\n        \
             int end = tests[i].run(), expected = tests[i].expected;\n        \
             int passed = expected == ANYTHING || (expected == NO_CRASH ? end < 256 : end == expected);\n        \
             printf(\"%s %d - %s # %s\\n\", passed ? \"ok\" : \"not ok\", i + 1, tests[i].name, \
             tests[i].about);\n        \
             if (!passed)\n            \
             printf(\"  ended by %s %d\\n\", end < 256 ? \"exit status\" : \"signal\", end % 256);\n        \
             failures += !passed;\n    }\n    return failures > 0;\n}\n";
    code
}

/// The calls that describe a test, in C and in C++.
pub(super) fn calls(test: &ExportedTest) -> String {
    let mut code = String::from("    ep_test_begin();\n");
    for call in &test.calls {
        let bytes = |bytes: &[u8]| format!("\"{}\", {}", c_string(bytes), bytes.len());
        let name = |name: &str| format!("\"{}\"", c_string(name.as_bytes()));
        let _ = match call {
            Call::Bytes(of, it) => {
                writeln!(code, "    ep_test_bytes({}, {});", name(of), bytes(it))
            }
            Call::Int(of, size, it) => {
                writeln!(code, "    ep_test_int({}, {size}, {it}LL);", name(of))
            }
            Call::Float(of, size, it) => {
                writeln!(code, "    ep_test_float({}, {size}, {it:?});", name(of))
            }
            Call::Argument(it) => writeln!(code, "    ep_test_argument({});", bytes(it)),
            Call::Variable(of, it) => {
                writeln!(code, "    ep_test_variable({}, {});", name(of), bytes(it))
            }
            Call::File(of, it) => writeln!(code, "    ep_test_file({}, {});", name(of), bytes(it)),
            Call::Stdin(it) => writeln!(code, "    ep_test_stdin({});", bytes(it)),
        };
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_bytes_are_spelt_so_that_c_reads_them_back() {
        assert_eq!(
            calls(&super::super::tests::sample()[0]),
            "    ep_test_begin();\n    ep_test_int(\"x\", 4, -2LL);\n    \
             ep_test_float(\"f\", 4, 0.10000000149011612);\n    \
             ep_test_bytes(\"u\", \"\\377\\377\\377\\377\\377\\377\\377\\377\", 8);\n    \
             ep_test_bytes(\"text\", \"a\\\"\\\\\\0\\3771\", 6);\n    \
             ep_test_stdin(\"in\", 2);\n"
        );
    }
}
