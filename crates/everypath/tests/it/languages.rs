//! The pages on C++ and Rust begin with an example each: it does what the page says. Programs of
//! several files, and frameworks for tests that the program brings with it.

use testkit::Scratch;

/// Runs the first program of a page by the command under it; gives what was reported.
fn first_example(page: &str, language: &str) -> serde_json::Value {
    let path = testkit::project("docs").join(page);
    let book = std::fs::read_to_string(path).expect("it is there");
    let mut blocks = book.split("```");
    let program = blocks.nth(1).and_then(|it| it.strip_prefix(language));
    let command = blocks.nth(1).expect("a command follows the program").trim();
    let line = command.strip_prefix("sh\neverypath ").expect("it is ours");
    let file = line.strip_prefix("run ").expect("it is run");
    let scratch = Scratch::with(&[(file, program.expect("it is of that language").trim_start())]);
    scratch.everypath(format!("{line} --json").as_str()).json()
}

#[test]
fn the_example_of_the_page_on_rust_overflows() {
    let run = first_example("rust.md", "rust\n");
    let errors = run["errors"].as_array().expect("there is a list");
    assert_eq!(errors.len(), 1, "{run}");
    assert_eq!(
        (&errors[0]["kind"], &errors[0]["line"]),
        (&"panic".into(), &4.into())
    );
    assert_eq!(errors[0]["message"], "attempt to add with overflow");
}

#[test]
fn the_example_of_the_page_on_cpp_throws() {
    let run = first_example("cpp.md", "cpp\n");
    let errors = run["errors"].as_array().expect("there is a list");
    assert!(!errors.is_empty(), "{run}");
    for error in errors {
        let place = (&error["kind"], &error["line"]);
        assert_eq!(place, (&"uncaught-exception".into(), &7.into()), "{error}");
    }
}

#[test]
fn objects_of_several_files_are_initialised_in_the_order_of_the_files() {
    let scratch = Scratch::with(&[
        (
            "order.h",
            "#include <string>\n\
             inline std::string &order() { static std::string all; return all; }\n\
             struct Mark { explicit Mark(const char *name) { order() += name; } };\n",
        ),
        (
            "first.cpp",
            "#include \"order.h\"\n\
             extern int second;\n\
             int first = second + 1;\n\
             Mark first_mark(\"f\");\n\
             __attribute__((init_priority(200))) Mark early(\"2\");\n\
             inline Mark of_all(\"i\");\n",
        ),
        (
            "second.cpp",
            "#include \"order.h\"\n\
             #include <cstdio>\n\
             #include <everypath.h>\n\
             extern int first;\n\
             int seven() { return 7; }\n\
             int second = seven();\n\
             Mark second_mark(\"s\");\n\
             __attribute__((init_priority(150))) Mark earlier(\"1\");\n\
             int main() {\n    \
                 puts(order().c_str());\n    \
                 ep_assert(order() == ORDER && first == FIRST);\n    \
                 return ep::any<bool>(\"is_more\");\n\
             }\n",
        ),
    ]);
    // An initialiser that runs too early finds zero.
    for (files, order, first) in [
        ("first.cpp second.cpp", "12ifs", 1),
        ("second.cpp first.cpp", "12sif", 8),
    ] {
        let defined = format!("-D ORDER=\"{order}\" -D FIRST={first}");
        let line = format!("run {files} {defined} --output {order} --json");
        let run = scratch.everypath(line.as_str()).json();
        assert_eq!(run["paths"]["completed"], 1, "{files}: {run:#}");
        let line = format!("replay {order} --native");
        let replayed = scratch.everypath(line.as_str()).succeeds();
        let verdict = "1 test replayed: 1 as predicted";
        assert!(
            replayed.stdout.contains(verdict),
            "{files}: {}",
            replayed.said()
        );
    }
}

/// As much of doctest's interface as a listener meets, and a loop over two tests.
const DOCTEST: &str = r#"
#pragma once
#include <exception>
#include <string>
namespace doctest {
namespace assertType { enum Enum { is_warn = 1, is_check = 2, is_require = 4 }; }
struct String { std::string all; const char *c_str() const { return all.c_str(); } };
struct ContextOptions { unsigned first = 0, last = ~0u; };
struct TestCaseData {
    String m_file; unsigned m_line; bool m_may_fail, m_should_fail; int m_expected_failures;
    void (*body)();
};
struct TestCaseException { String error_string; bool is_crash; };
struct AssertData { assertType::Enum m_at; const char *m_file; int m_line; const char *m_expr; bool m_failed; };
struct MessageData { String m_string; const char *m_file; int m_line; assertType::Enum m_severity; };
struct TestRunStats {};
struct CurrentTestCaseStats {};
struct QueryData {};
struct SubcaseSignature {};
struct IReporter {
    virtual void report_query(const QueryData &) = 0;
    virtual void test_run_start() = 0;
    virtual void test_run_end(const TestRunStats &) = 0;
    virtual void test_case_start(const TestCaseData &) = 0;
    virtual void test_case_reenter(const TestCaseData &) = 0;
    virtual void test_case_end(const CurrentTestCaseStats &) = 0;
    virtual void test_case_exception(const TestCaseException &) = 0;
    virtual void subcase_start(const SubcaseSignature &) = 0;
    virtual void subcase_end() = 0;
    virtual void log_assert(const AssertData &) = 0;
    virtual void log_message(const MessageData &) = 0;
    virtual void test_case_skipped(const TestCaseData &) = 0;
};
inline ContextOptions options;
inline IReporter *(*listener)(const ContextOptions &);
inline IReporter *listening;
template <class T> int registerReporter(const char *, int, bool) {
    listener = [](const ContextOptions &options) -> IReporter * { return new T(options); };
    return 0;
}
inline void checked(bool holds, const char *expression, const char *file, int line) {
    if (!holds)
        listening->log_assert({assertType::is_check, file, line, expression, true});
}
inline int run(TestCaseData *tests, unsigned count) {
    listening = listener(options);
    listening->test_run_start();
    for (unsigned number = 1; number <= count; number++) {
        if (options.first > number || options.last < number)
            continue;
        listening->test_case_start(tests[number - 1]);
        try {
            tests[number - 1].body();
        } catch (const std::exception &thrown) {
            listening->test_case_exception({{thrown.what()}, false});
        }
        listening->test_case_end({});
    }
    listening->test_run_end({});
    return 0;
}
} // namespace doctest
#define CHECK(...) doctest::checked(__VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__)
"#;

#[test]
fn a_check_of_doctest_that_fails_is_an_error_where_it_stands() {
    let scratch = Scratch::with(&[
        ("doctest.h", DOCTEST),
        (
            "tests.cpp",
            r#"#include "doctest.h"
#include <everypath.h>
#include <stdexcept>
static void halves() {
    int x = ep::any<int>("x");
    CHECK(x / 2 * 2 != 12);
}
static void throws() {
    if (ep::any<bool>("is_wrong"))
        throw std::runtime_error("not this one");
}
static void may_fail() { CHECK(ep::any<bool>("holds")); }
int main() {
    doctest::TestCaseData tests[] = {
        {{__FILE__}, 4, false, false, 0, halves},
        {{__FILE__}, 8, false, false, 0, throws},
        {{__FILE__}, 12, true, false, 0, may_fail},
    };
    return doctest::run(tests, 3);
}
"#,
        ),
    ]);
    let run = scratch
        .everypath("run tests.cpp --doctest --output out --json")
        .json();
    let errors = run["errors"].as_array().expect("there is a list");
    let mut found: Vec<String> = (errors.iter())
        .map(|it| format!("{} {} {}", it["kind"], it["line"], it["message"]))
        .collect();
    found.sort();
    assert_eq!(found.len(), 2, "{run:#}");
    assert_eq!(
        found[1],
        "\"assert\" 6 \"assertion `x / 2 * 2 != 12` failed\""
    );
    assert!(found[0].contains("not this one"), "{run:#}");
    // Each path has one test case, and a number that none has is no path.
    assert_eq!(run["paths"]["completed"], 4, "{run:#}");
    let replayed = scratch.everypath("replay out --native").succeeds();
    assert!(
        replayed.stdout.contains("6 tests replayed: 6 as predicted"),
        "{}",
        replayed.said()
    );
}

/// As much of Catch2's interface as a listener meets, and a loop over the tests that it leaves.
const CATCH2: &str = r#"
#pragma once
#include <string>
#include <vector>
namespace Catch {
struct SourceLineInfo { const char *file; unsigned long line; };
struct TestCaseInfo {
    bool is_hidden, may_fail;
    bool isHidden() const { return is_hidden; }
    bool okToFail() const { return may_fail; }
    bool expectedToFail() const { return false; }
};
struct TestCaseHandle {
    const TestCaseInfo *info;
    void (*invoke)();
    const TestCaseInfo &getTestCaseInfo() const { return *info; }
};
struct TestSpec {};
struct IConfig {
    TestSpec spec;
    bool hasTestFilters() const { return false; }
    const TestSpec &testSpec() const { return spec; }
};
struct AssertionResult {
    bool holds;
    const char *expression;
    SourceLineInfo place;
    bool isOk() const { return holds; }
    bool hasExpression() const { return true; }
    std::string getExpression() const { return expression; }
    const char *getMessage() const { return ""; }
    SourceLineInfo getSourceInfo() const { return place; }
};
struct AssertionStats { AssertionResult assertionResult; };
struct EventListenerBase {
    explicit EventListenerBase(const IConfig *) {}
    virtual ~EventListenerBase() = default;
    virtual void testCaseStarting(const TestCaseInfo &) {}
    virtual void assertionEnded(const AssertionStats &) {}
};
using Tests = std::vector<TestCaseHandle>;
inline Tests tests;
inline const Tests &getAllTestCasesSorted(const IConfig &) { return tests; }
inline Tests filterTests(const Tests &all, const TestSpec &, const IConfig &) { return all; }
inline EventListenerBase *(*listener)(const IConfig *);
inline EventListenerBase *listening;
inline void checked(bool holds, const char *expression, const char *file, int line) {
    listening->assertionEnded({{holds, expression, {file, (unsigned long)line}}});
}
inline int run() {
    const IConfig config;
    listening = listener(&config);
    for (const TestCaseHandle &test : tests) {
        if (!test.info->isHidden()) {
            listening->testCaseStarting(*test.info);
            test.invoke();
        }
    }
    return 0;
}
} // namespace Catch
#define CATCH_REGISTER_LISTENER(T) \
    const int registered = (Catch::listener = [](const Catch::IConfig *config) \
        -> Catch::EventListenerBase * { return new T(config); }, 0);
#define CHECK(...) Catch::checked(__VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__)
"#;

#[test]
fn each_path_runs_one_test_case_of_catch2() {
    let scratch = Scratch::with(&[
        ("catch_amalgamated.hpp", CATCH2),
        (
            "tests.cpp",
            r#"#include "catch_amalgamated.hpp"
#include <everypath.h>
#include <random>
static void halves() {
    unsigned char x = ep::any<unsigned char>("x");
    CHECK(x / 2 * 2 != 12);
}
static void allowed() { CHECK(false); }
static void signs() {
    signed char x = ep::any<signed char>("x");
    if (x < 0) CHECK(-x > 0); else CHECK(x >= 0);
}
int main(int argc, char **) {
    // As Catch2 has it: a seed is made, and another may be given.
    unsigned seed = std::random_device()();
    if (argc == 3) seed = 1;
    const Catch::TestCaseInfo plain = {false, false}, may_fail = {false, true};
    const Catch::TestCaseInfo hidden = {true, false};
    Catch::tests = {{&plain, halves}, {&hidden, allowed}, {&may_fail, allowed}, {&plain, signs}};
    return seed == 1 ? Catch::run() : 7;
}
"#,
        ),
    ]);
    let run = scratch
        .everypath("run tests.cpp --catch2 --output out --json")
        .json();
    let errors = run["errors"].as_array().expect("there is a list");
    assert_eq!(errors.len(), 1, "{run:#}");
    assert_eq!(
        (&errors[0]["line"], &errors[0]["message"]),
        (&6.into(), &"assertion `x / 2 * 2 != 12` failed".into())
    );
    // One of the halves, one that may fail, and two of the signs.
    assert_eq!(run["paths"]["completed"], 4, "{run:#}");
    // Random bytes are those of the test natively, too.
    let replayed = scratch.everypath("replay out --native").succeeds();
    assert!(
        replayed.stdout.contains("5 tests replayed: 5 as predicted"),
        "{}",
        replayed.said()
    );
}

#[test]
fn a_framework_that_is_not_there_is_told_of() {
    let scratch = Scratch::with(&[("tests.cpp", "int main() { return 0; }\n")]);
    let refusal = scratch.refusal("run tests.cpp --catch2");
    assert!(
        refusal.contains("the headers of Catch2 3 are neither beside"),
        "{refusal}"
    );
    let refusal = scratch.refusal("run tests.cpp --doctest");
    assert!(
        refusal.contains("doctest.h is neither beside the files"),
        "{refusal}"
    );
}
