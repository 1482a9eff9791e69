// run: --gtest
/* Each TEST on every value; one expectation does not hold for one of them. */
#include <everypath.h>
#include <gtest/gtest.h>
#include <stdexcept>

static int half(int x) {
    if (x < 0)
        throw std::invalid_argument("negative");
    return x == 1000 ? 0 : x / 2;
}

class Halves : public testing::Test {
  protected:
    void SetUp() override { x = ep::any<int>("x"); }
    int x;
};

TEST_F(Halves, AreHalves) {
    ep_assume(x >= 0);
    EXPECT_LE(x - 2 * half(x), 1) << "for " << x;
}

TEST_F(Halves, OfNegativeNumbersThrow) {
    if (x < 0)
        EXPECT_THROW(half(x), std::invalid_argument);
    else
        EXPECT_NO_THROW(half(x));
}

TEST(Any, BoolIsOneOfTwo) {
    EXPECT_TRUE(ep::any<bool>() || true);
}
