//! One file of tests for a class: a function for each path of each method, which builds the
//! objects, calls the method and asserts what came of it.
//!
//! C and C++ get a `main` that runs each test in a process of its own, so that one that
//! crashes takes no other with it, or the tests of GoogleTest; Rust gets `#[test]`s.

use super::assertions::DEFINITIONS;
use super::c::{Frame, Language, Writer, defining_file};
use super::{Execution, Sources, UnitTest, needs_sanitizers, rust};
use base::ErrorKind;
use engine::policy::staged::Staged;
use program::{FunctionId, Program};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A test of one path.
pub struct ClassTest {
    pub(super) name: String,
    pub(super) body: String,
    error: Option<ErrorKind>,
}

/// What runs the tests of C++.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Framework {
    /// Nothing but the file itself.
    Plain,
    /// GoogleTest, for C++.
    Googletest,
}

impl ClassTest {
    /// The test of one path of a method, if the program is C and C++ as a whole, or one
    /// file of Rust.
    pub fn new(
        program: &Program,
        sources: &Sources<'_>,
        staged: &Staged<'_>,
        execution: &Execution<'_>,
        name: &str,
    ) -> Option<ClassTest> {
        let method = staged.staging().method?;
        let body = match Language::of(sources.files) {
            Some(language) => {
                let frame = Frame {
                    program,
                    language,
                    included: defining_file(program, sources.files, method)?,
                };
                Writer { frame, staged }.body(staged.staging(), method, execution)?
            }
            None => rust::body(program, sources, staged, execution)?,
        };
        let plain = name.chars().map(|sign| match sign.is_ascii_alphanumeric() {
            true => sign,
            false => '_',
        });
        Some(ClassTest {
            name: plain.collect(),
            body,
            error: execution.error,
        })
    }
}

/// The file of all tests of a class. `functions` are its methods and what has to hold, the
/// first of which tells the file that is included.
pub fn class_file(
    program: &Program,
    sources: &Sources<'_>,
    class: &str,
    functions: &[FunctionId],
    tests: &mut [ClassTest],
    framework: Framework,
) -> Option<UnitTest> {
    tell_apart(tests);
    let errors: Vec<ErrorKind> = tests.iter().filter_map(|test| test.error).collect();
    let sanitize = errors.iter().any(|&error| needs_sanitizers(error));
    let Some(language) = Language::of(sources.files) else {
        return rust::class_file(sources, tests);
    };
    let frame = Frame {
        program,
        language,
        included: defining_file(program, sources.files, *functions.first()?)?,
    };
    let mut code = frame.prelude(sources, functions);
    code += match framework {
        Framework::Plain => PLAIN_HEADERS,
        Framework::Googletest => "#include <gtest/gtest.h>\n#define CHECK ASSERT_TRUE\n",
    };
    code += DEFINITIONS;
    if sanitize {
        code += &frame.sanitizer_options();
    }
    let class: String = class.chars().filter(char::is_ascii_alphanumeric).collect();
    for test in &*tests {
        let ClassTest { name, body, error } = test;
        let about = error.map_or_else(String::new, |error| format!(" /* {error} */"));
        let _ = match framework {
            Framework::Plain => write!(code, "\nstatic void {name}(void) {{{about}\n{body}}}\n"),
            Framework::Googletest => write!(code, "\nTEST({class}, {name}) {{{about}\n{body}}}\n"),
        };
    }
    if framework == Framework::Plain {
        code += &runner(tests);
    }
    Some(UnitTest {
        extension: language.extension(),
        text: code,
        others: frame.other_files(sources),
        options: frame.compile_options(sources),
        needs_runtime: super::needs_runtime(program),
        needs_sanitizers: sanitize,
        further: match framework {
            Framework::Plain => language.checks(),
            Framework::Googletest => &[
                "-D_GLIBCXX_ASSERTIONS",
                "-lgtest",
                "-lgtest_main",
                "-pthread",
            ],
        },
    })
}

/// Gives tests of overloaded methods names of their own.
fn tell_apart(tests: &mut [ClassTest]) {
    let mut named = BTreeSet::new();
    for test in tests {
        while !named.insert(test.name.clone()) {
            test.name.push('x');
        }
    }
}

const PLAIN_HEADERS: &str = "#include <sys/wait.h>\n#include <unistd.h>\n";

/// A `main` that runs the tests that it is given by name, or all.
fn runner(tests: &[ClassTest]) -> String {
    let mut code = String::from(
        "\nstatic const struct {\n    const char *name;\n    void (*run)(void);\n} tests[] = {\n",
    );
    for test in tests {
        let _ = writeln!(code, "    {{\"{0}\", {0}}},", test.name);
    }
    code += "};

int main(int count, char **names) {
    int failed = 0;
    for (size_t at = 0; at < sizeof tests / sizeof *tests; at++) {
        int wanted = count < 2;
        for (int i = 1; i < count; i++)
            wanted |= strcmp(names[i], tests[at].name) == 0;
        if (!wanted)
            continue;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            tests[at].run();
            exit(0);
        }
        int status = 1;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
            printf(\"FAILED %s\\n\", tests[at].name);
            failed++;
        }
    }
    printf(\"%d failed\\n\", failed);
    return failed > 0;
}
";
    code
}
