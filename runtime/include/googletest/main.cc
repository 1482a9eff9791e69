/* The `main` of a program of tests, unless it has its own. */
#include <gtest/gtest.h>

__attribute__((weak)) int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
