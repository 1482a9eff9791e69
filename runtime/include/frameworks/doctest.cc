/* For `everypath run --doctest`: each path runs one test case, and the first check that fails is
 * an error there. doctest runs the tests as it always does; this listens. */
#include <everypath.h>

#if __has_include(<doctest/doctest.h>)
#include <doctest/doctest.h>
#elif __has_include(<doctest.h>)
#include <doctest.h>
#else
#error "doctest.h is neither beside the files of the program nor in a folder given with -I"
#endif

namespace {

/* Texts of doctest are its own strings in some versions. */
const char *text(const char *text) {
    return text;
}
const char *text(const doctest::String &text) {
    return text.c_str();
}

class Listener : public doctest::IReporter {
    doctest::ContextOptions &options;
    const doctest::TestCaseData *test = nullptr;

    bool may_fail() const {
        return test && (test->m_may_fail || test->m_should_fail || test->m_expected_failures);
    }

    void fail(const char *what, const char *file, unsigned line) const {
        if (!may_fail()) {
            __ep_assert_fail(what, file, line, "");
        }
    }

  public:
    /* The options are those of the context that runs, which are there to be changed. */
    explicit Listener(const doctest::ContextOptions &in)
        : options(const_cast<doctest::ContextOptions &>(in)) {}

    /* Which test case is run is an input: the loop over all of them decides it one by one. */
    void test_run_start() override {
        const bool is_chosen = options.first != 0 || options.last + 1 != 0;
        if (!is_chosen) {
            unsigned number;
            ep_symbolic(&number, sizeof number, "test case");
            ep_assume(number != 0);
            options.first = options.last = number;
        }
    }

    /* A number that no test case has. */
    void test_run_end(const doctest::TestRunStats &) override {
        if (!test) {
            ep_ignore();
        }
    }

    void test_case_start(const doctest::TestCaseData &started) override { test = &started; }
    void test_case_reenter(const doctest::TestCaseData &) override {}
    void test_case_end(const doctest::CurrentTestCaseStats &) override {}

    void test_case_exception(const doctest::TestCaseException &thrown) override {
        fail(text(thrown.error_string), test ? text(test->m_file) : "", test ? test->m_line : 0);
    }

    void log_assert(const doctest::AssertData &check) override {
        if (check.m_failed && !(check.m_at & doctest::assertType::is_warn)) {
            fail(text(check.m_expr), text(check.m_file), check.m_line);
        }
    }

    void log_message(const doctest::MessageData &message) override {
        if (!(message.m_severity & doctest::assertType::is_warn)) {
            fail(text(message.m_string), text(message.m_file), message.m_line);
        }
    }

    void report_query(const doctest::QueryData &) override {}
    void subcase_start(const doctest::SubcaseSignature &) override {}
    void subcase_end() override {}
    void test_case_skipped(const doctest::TestCaseData &) override {}
};

const int registered = doctest::registerReporter<Listener>("everypath", 0, false);

} // namespace
