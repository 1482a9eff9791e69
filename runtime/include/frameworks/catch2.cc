/* For `everypath run --catch2`: the first check that fails is an error on its path. Catch2 runs
 * the tests as it always does; this listens. */
#include <everypath.h>

#if __has_include(<catch_amalgamated.hpp>)
#include <catch_amalgamated.hpp>
#elif __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#error "the headers of Catch2 3 are neither beside the files of the program nor in a folder given with -I"
#endif

namespace {

class Listener : public Catch::EventListenerBase {
    bool may_fail = false;

  public:
    using EventListenerBase::EventListenerBase;

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
