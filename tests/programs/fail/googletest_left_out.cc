// run: --gtest
/* Death tests and matchers are left out on their own paths, by name; other tests are explored. */
#include <cstdlib>
#include <everypath.h>
#include <gtest/gtest.h>

static testing::AssertionResult is_small(int x) {
    if (x < 100)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << x << " is large";
}

struct Ready : testing::Environment {
    static bool is_ready;
    void SetUp() override { is_ready = true; }
};
bool Ready::is_ready = false;
static testing::Environment *const ready = testing::AddGlobalTestEnvironment(new Ready);

TEST(Death, IsNotTried) {
    EXPECT_DEATH(std::abort(), "") << "of any kind";
}

TEST(Matchers, AreNotThere) {
    EXPECT_THAT(1, Eq(1));
}

TEST(Predicates, AreAsked) {
    SCOPED_TRACE("small");
    EXPECT_TRUE(Ready::is_ready);
    EXPECT_STRCASEEQ("Text", "tEXT");
    EXPECT_PRED1(is_small, ep::any<unsigned char>("x"));
}
