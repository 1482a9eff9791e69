/* For `everypath run --catch2`: each path runs one test case, and the first check that fails is
 * an error there. Catch2 runs the tests as it always does; this listens. */
#include <everypath.h>

#if __has_include(<catch_amalgamated.hpp>)
#include <catch_amalgamated.hpp>
#elif __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#error "the headers of Catch2 3 are neither beside the files of the program nor in a folder given with -I"
#endif

#include <vector>

namespace {

using Tests = std::vector<Catch::TestCaseHandle>;

/* Those that would be run. */
Tests wanted(const Tests &tests, const Catch::IConfig &config) {
    if (config.hasTestFilters()) {
        return Catch::filterTests(tests, config.testSpec(), config);
    }
    Tests shown;
    for (const Catch::TestCaseHandle &test : tests) {
        if (!test.getTestCaseInfo().isHidden()) {
            shown.push_back(test);
        }
    }
    return shown;
}

/* Leaves one test case in the list that Catch2 goes through next. Which one is an input. */
void choose(const Catch::IConfig &config) {
    Tests &tests = const_cast<Tests &>(Catch::getAllTestCasesSorted(config));
    const Tests all = wanted(tests, config);
    if (all.size() < 2) {
        return;
    }
    unsigned number;
    ep_symbolic(&number, sizeof number, "test case");
    ep_assume(number < all.size());
    for (unsigned i = 0; i < all.size(); i++) {
        if (i == number) {
            tests.assign(1, all[i]);
        }
    }
}

class Listener : public Catch::EventListenerBase {
    bool may_fail = false;

  public:
    explicit Listener(const Catch::IConfig *config) : EventListenerBase(config) { choose(*config); }

    void testCaseStarting(const Catch::TestCaseInfo &test) override {
        may_fail = test.okToFail() || test.expectedToFail();
    }

    void assertionEnded(const Catch::AssertionStats &stats) override {
        const Catch::AssertionResult &check = stats.assertionResult;
        if (check.isOk() || may_fail) {
            return;
        }
        const auto what = check.hasExpression() ? check.getExpression()
                                                : static_cast<std::string>(check.getMessage());
        const auto place = check.getSourceInfo();
        __ep_assert_fail(what.c_str(), place.file, static_cast<unsigned>(place.line), "");
    }
};

CATCH_REGISTER_LISTENER(Listener)

} // namespace
