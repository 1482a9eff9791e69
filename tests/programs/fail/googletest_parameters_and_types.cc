// run: --gtest
// A test with parameters is there once for each value, and one for types once for each type.
#include <everypath.h>
#include <gtest/gtest.h>
#include <string>
#include <tuple>

class Small : public testing::TestWithParam<int> {
  protected:
    static void SetUpTestSuite() { limit = 3; }
    inline static int limit = 0;
};
TEST_P(Small, IsBelowTheLimit) {
    EXPECT_LT(GetParam(), limit); // error: assert
}
TEST_P(Small, AddsUp) {
    unsigned x = ep::any<unsigned>("x");
    EXPECT_EQ(x + GetParam() - x, static_cast<unsigned>(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(Listed, Small, testing::Values(1, 3));
INSTANTIATE_TEST_SUITE_P(Counted, Small, testing::Range(0, 2), [](const auto &) { return "n"; });

class Named : public testing::TestWithParam<std::tuple<bool, std::string>> {};
TEST_P(Named, IsNotTheLast) {
    auto [is_last, name] = GetParam();
    EXPECT_FALSE(is_last && name == "b"); // error: assert
}
INSTANTIATE_TEST_SUITE_P(All, Named, testing::Combine(testing::Bool(), testing::Values("a", "b")));

template <class T> class Number : public testing::Test {
  protected:
    T zero{};
};
using Numbers = testing::Types<int, unsigned char>;
TYPED_TEST_SUITE(Number, Numbers);
TYPED_TEST(Number, IsNotNegative) {
    EXPECT_GE(ep::any<TypeParam>("number"), this->zero); // error: assert
}

template <class T> class Sized : public testing::Test {};
TYPED_TEST_SUITE_P(Sized);
TYPED_TEST_P(Sized, IsAByteOrMore) {
    EXPECT_GE(sizeof(TypeParam), 1u);
}
TYPED_TEST_P(Sized, IsAWordOrLess) {
    EXPECT_LE(sizeof(TypeParam), 4u); // error: assert
}
REGISTER_TYPED_TEST_SUITE_P(Sized, IsAByteOrMore, IsAWordOrLess);
INSTANTIATE_TYPED_TEST_SUITE_P(Both, Sized, Numbers);
INSTANTIATE_TYPED_TEST_SUITE_P(One, Sized, long);
