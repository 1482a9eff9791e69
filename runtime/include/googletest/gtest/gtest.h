/* GoogleTest's interface for `everypath run --gtest`: each path runs one TEST, and the
 * first expectation that does not hold is an error there.
 *
 * Tests with parameters, death tests and matchers are not here. */
#ifndef EVERYPATH_GTEST_H
#define EVERYPATH_GTEST_H

#include <cmath>
#include <cstring>
#include <everypath.h>
#include <exception>

namespace testing {

class Test {
  public:
    virtual ~Test() {}
    void Run() {
        SetUp();
        TestBody();
        TearDown();
    }

  protected:
    virtual void SetUp() {}
    virtual void TearDown() {}

  private:
    virtual void TestBody() = 0;
};

namespace internal {

/* The tests of all files, in the order in which they are made. */
struct Registered {
    Test *(*make)();
    Registered *next;
    inline static Registered *first = nullptr;
    inline static Registered **last = &first;
    inline static std::size_t count = 0;

    explicit Registered(Test *(*make)()) : make(make), next(nullptr) {
        *last = this;
        last = &next;
        count++;
    }
};

template <class T> Test *make() {
    return new T;
}

/* Ends the path once what is streamed to it has been. */
class Failure {
    const char *condition, *file;
    unsigned line;

  public:
    Failure(const char *condition, const char *file, unsigned line)
        : condition(condition), file(file), line(line) {}
    template <class T> const Failure &operator<<(const T &) const { return *this; }
    ~Failure() { __ep_assert_fail(condition, file, line, ""); }
};

inline bool almost(double a, double b, double ulps, double epsilon) {
    double larger = std::fmax(std::fabs(a), std::fabs(b));
    return a == b || std::fabs(a - b) <= ulps * epsilon * larger;
}

template <class Statement> bool throws_anything(Statement statement) {
    try {
        statement();
    } catch (...) {
        return true;
    }
    return false;
}

template <class Type, class Statement> bool throws(Statement statement) {
    try {
        statement();
    } catch (const Type &) {
        return true;
    } catch (...) {
    }
    return false;
}

/* A null pointer is a text that only a null pointer equals. */
inline bool same_text(const char *a, const char *b) {
    return a && b ? std::strcmp(a, b) == 0 : a == b;
}

} // namespace internal

inline void InitGoogleTest(int *, char **) {}
inline void InitGoogleTest() {}

} // namespace testing

/* One path for each test, so that which one it is is known on each. */
inline int RUN_ALL_TESTS() {
    using testing::internal::Registered;
    if (!Registered::first)
        return 0;
    std::size_t chosen = ep_choose(Registered::count), number = 0;
    Registered *registered = Registered::first;
    while (number < chosen) {
        number++;
        registered = registered->next;
    }
    testing::Test *test = registered->make();
    test->Run();
    delete test;
    return 0;
}

#define EP_GTEST_(suite, name, base)                                                               \
    class suite##_##name##_Test : public base {                                                    \
        void TestBody() override;                                                                  \
    };                                                                                             \
    static ::testing::internal::Registered suite##_##name##_registered(                            \
        ::testing::internal::make<suite##_##name##_Test>);                                         \
    void suite##_##name##_Test::TestBody()

#define TEST(suite, name) EP_GTEST_(suite, name, ::testing::Test)
#define TEST_F(fixture, name) EP_GTEST_(fixture, name, fixture)

/* A statement that takes `<<`, and has no `if` that an `else` could belong to. */
#define EP_EXPECT_(text, condition)                                                                \
    switch (0)                                                                                     \
    case 0:                                                                                        \
    default:                                                                                       \
        if (condition)                                                                             \
            ;                                                                                      \
        else                                                                                       \
            ::testing::internal::Failure(text, __FILE__, __LINE__)

#define EXPECT_TRUE(x) EP_EXPECT_("EXPECT_TRUE(" #x ")", (x))
#define EXPECT_FALSE(x) EP_EXPECT_("EXPECT_FALSE(" #x ")", !(x))
#define EXPECT_EQ(a, b) EP_EXPECT_("EXPECT_EQ(" #a ", " #b ")", (a) == (b))
#define EXPECT_NE(a, b) EP_EXPECT_("EXPECT_NE(" #a ", " #b ")", (a) != (b))
#define EXPECT_LT(a, b) EP_EXPECT_("EXPECT_LT(" #a ", " #b ")", (a) < (b))
#define EXPECT_LE(a, b) EP_EXPECT_("EXPECT_LE(" #a ", " #b ")", (a) <= (b))
#define EXPECT_GT(a, b) EP_EXPECT_("EXPECT_GT(" #a ", " #b ")", (a) > (b))
#define EXPECT_GE(a, b) EP_EXPECT_("EXPECT_GE(" #a ", " #b ")", (a) >= (b))
#define EXPECT_STREQ(a, b)                                                                         \
    EP_EXPECT_("EXPECT_STREQ(" #a ", " #b ")", ::testing::internal::same_text(a, b))
#define EXPECT_STRNE(a, b)                                                                         \
    EP_EXPECT_("EXPECT_STRNE(" #a ", " #b ")", !::testing::internal::same_text(a, b))
#define EXPECT_NEAR(a, b, most)                                                                    \
    EP_EXPECT_("EXPECT_NEAR(" #a ", " #b ", " #most ")", std::fabs((a) - (b)) <= (most))
#define EXPECT_DOUBLE_EQ(a, b)                                                                     \
    EP_EXPECT_("EXPECT_DOUBLE_EQ(" #a ", " #b ")",                                                 \
               ::testing::internal::almost(a, b, 4, __DBL_EPSILON__))
#define EXPECT_FLOAT_EQ(a, b)                                                                      \
    EP_EXPECT_("EXPECT_FLOAT_EQ(" #a ", " #b ")",                                                  \
               ::testing::internal::almost(a, b, 4, __FLT_EPSILON__))
#define EXPECT_THROW(statement, type)                                                              \
    EP_EXPECT_("EXPECT_THROW(" #statement ", " #type ")",                                          \
               ::testing::internal::throws<type>([&] { statement; }))
#define EXPECT_ANY_THROW(statement)                                                                \
    EP_EXPECT_("EXPECT_ANY_THROW(" #statement ")",                                                 \
               ::testing::internal::throws_anything([&] { statement; }))
#define EXPECT_NO_THROW(statement)                                                                 \
    EP_EXPECT_("EXPECT_NO_THROW(" #statement ")",                                                  \
               !::testing::internal::throws_anything([&] { statement; }))

#define ASSERT_TRUE EXPECT_TRUE
#define ASSERT_FALSE EXPECT_FALSE
#define ASSERT_EQ EXPECT_EQ
#define ASSERT_NE EXPECT_NE
#define ASSERT_LT EXPECT_LT
#define ASSERT_LE EXPECT_LE
#define ASSERT_GT EXPECT_GT
#define ASSERT_GE EXPECT_GE
#define ASSERT_STREQ EXPECT_STREQ
#define ASSERT_STRNE EXPECT_STRNE
#define ASSERT_NEAR EXPECT_NEAR
#define ASSERT_DOUBLE_EQ EXPECT_DOUBLE_EQ
#define ASSERT_FLOAT_EQ EXPECT_FLOAT_EQ
#define ASSERT_THROW EXPECT_THROW
#define ASSERT_ANY_THROW EXPECT_ANY_THROW
#define ASSERT_NO_THROW EXPECT_NO_THROW

#define FAIL() EP_EXPECT_("FAIL()", false)
#define ADD_FAILURE() EP_EXPECT_("ADD_FAILURE()", false)
#define SUCCEED() static_cast<void>(0)
#define GTEST_SKIP() return static_cast<void>(0)

#endif
