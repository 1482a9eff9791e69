// run: --gtest
#include <gtest/gtest.h>

TEST(Texts, NullIsNoText) {
    const char *none = nullptr;
    EXPECT_STREQ(nullptr, none);
    EXPECT_STRNE("", none);
    EXPECT_STREQ("text", "text");
}
