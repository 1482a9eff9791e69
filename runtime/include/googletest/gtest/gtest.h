/* GoogleTest's interface for `everypath run --gtest`: each path runs one TEST, and the
 * first expectation that does not hold is an error there. Tests with parameters and for several
 * types are there once for each of them.
 *
 * Death tests and matchers are not here: the path of a test that comes to one is left out, by
 * name. */
#ifndef EVERYPATH_GTEST_H
#define EVERYPATH_GTEST_H

#include <cmath>
#include <cstring>
#include <strings.h>
#include <everypath.h>
#include <exception>
#include <iterator>
#include <tuple>
#include <vector>

/* Ends the path: it is not explored, and the run says so. */
extern "C" [[noreturn]] void __ep_unsupported(const char *what);

namespace testing {

/* What a predicate gives that has something to say about it. */
class AssertionResult {
    bool success;

  public:
    explicit AssertionResult(bool success) : success(success) {}
    explicit operator bool() const { return success; }
    AssertionResult operator!() const { return AssertionResult(!success); }
    template <class T> AssertionResult &operator<<(const T &) { return *this; }
    const char *message() const { return ""; }
};
inline AssertionResult AssertionSuccess() {
    return AssertionResult(true);
}
inline AssertionResult AssertionFailure() {
    return AssertionResult(false);
}

class Test {
  public:
    static void SetUpTestSuite() {}
    static void TearDownTestSuite() {}
    /* The first failure ends its path. */
    static bool HasFailure() { return false; }
    static bool HasFatalFailure() { return false; }
    static bool HasNonfatalFailure() { return false; }
    template <class T> static void RecordProperty(const char *, const T &) {}
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
    Registered *next = nullptr;
    inline static Registered *first = nullptr;
    inline static Registered **last = &first;

    Registered() {
        *last = this;
        last = &next;
    }
    virtual std::size_t count() = 0;
    virtual void run(std::size_t number) = 0;
};

/* Fixtures may keep what is done before and after all tests to themselves. */
template <class T> struct Suite : T {
    static void begin() { T::SetUpTestSuite(); }
    static void end() { T::TearDownTestSuite(); }
};

template <class T> void run() {
    Suite<T>::begin();
    Test *test = new T;
    test->Run();
    delete test;
    Suite<T>::end();
}

/* One test. */
struct Single : Registered {
    void (*body)();
    explicit Single(void (*body)()) : body(body) {}
    std::size_t count() override { return 1; }
    void run(std::size_t) override { body(); }
};

template <template <class> class Test, class... Types> bool add_for_types(Types *...) {
    (new Single(run<Test<Types>>), ...);
    return true;
}

template <class Type, template <class> class... Tests> bool add_tests() {
    (new Single(run<Tests<Type>>), ...);
    return true;
}

} // namespace internal

/* The types that tests are made for. */
template <class... Ts> struct Types {
    template <template <class> class Test> static bool add() {
        return internal::add_for_types<Test>(static_cast<Ts *>(nullptr)...);
    }
};

namespace internal {

template <class T> struct TypesOf {
    using type = Types<T>;
};
template <class... Ts> struct TypesOf<Types<Ts...>> {
    using type = Types<Ts...>;
};

} // namespace internal

template <class T> class WithParamInterface {
  public:
    using ParamType = T;
    static const T &GetParam() { return *parameter; }
    inline static const T *parameter = nullptr;
    virtual ~WithParamInterface() {}
};
template <class T> class TestWithParam : public Test, public WithParamInterface<T> {};

namespace internal {

/* The tests of a fixture with parameters: each with each value. */
template <class Fixture> struct Parametrised : Registered {
    using T = typename Fixture::ParamType;
    std::vector<void (*)()> bodies;
    std::vector<std::vector<T> (*)()> generators;
    std::vector<T> values;

    static Parametrised &get() {
        static Parametrised *tests = new Parametrised;
        return *tests;
    }
    static bool add_test(void (*body)()) {
        get().bodies.push_back(body);
        return true;
    }
    static bool add_values(std::vector<T> (*generator)()) {
        get().generators.push_back(generator);
        return true;
    }
    std::size_t count() override {
        for (auto generator : generators)
            for (const T &value : generator())
                values.push_back(value);
        generators.clear();
        return bodies.size() * values.size();
    }
    void run(std::size_t number) override {
        const T value = values[number / bodies.size()];
        Fixture::parameter = &value;
        bodies[number % bodies.size()]();
        Fixture::parameter = nullptr;
    }
};

template <class First, class... Rest> const First &first_of(const First &first, const Rest &...) {
    return first;
}

/* What `Values` and its like give: a vector of whatever the fixture takes. */
template <class... Ts> struct ValueList {
    std::tuple<Ts...> values;
    template <class T> operator std::vector<T>() const {
        return std::apply(
            [](const auto &...value) { return std::vector<T>{static_cast<T>(value)...}; }, values);
    }
};

template <class Element> struct ElementList {
    std::vector<Element> elements;
    template <class T> operator std::vector<T>() const {
        return std::vector<T>(elements.begin(), elements.end());
    }
};

template <class... Generators> struct Combination {
    std::tuple<Generators...> generators;
    template <class... Ts> operator std::vector<std::tuple<Ts...>>() const {
        return all<Ts...>(std::index_sequence_for<Ts...>());
    }

  private:
    template <class... Ts, std::size_t... At>
    std::vector<std::tuple<Ts...>> all(std::index_sequence<At...>) const {
        std::tuple<std::vector<Ts>...> lists{std::vector<Ts>(std::get<At>(generators))...};
        std::size_t total = (std::get<At>(lists).size() * ... * 1);
        std::vector<std::tuple<Ts...>> combined;
        for (std::size_t number = 0; number < total; number++) {
            // The last changes first, as the digits of a number do.
            std::size_t at[sizeof...(Ts)], rest = number;
            const std::size_t sizes[] = {std::get<At>(lists).size()...};
            for (std::size_t digit = sizeof...(Ts); digit-- > 0; rest /= sizes[digit])
                at[digit] = rest % sizes[digit];
            combined.emplace_back(std::get<At>(lists)[at[At]]...);
        }
        return combined;
    }
};

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

inline bool same_letters(const char *a, const char *b) {
    return a && b ? strcasecmp(a, b) == 0 : a == b;
}

} // namespace internal

template <class... Ts> internal::ValueList<Ts...> Values(Ts... values) {
    return {std::make_tuple(values...)};
}
inline internal::ElementList<bool> Bool() {
    return {{false, true}};
}
template <class T, class Step = int>
internal::ElementList<T> Range(T first, T end, Step step = 1) {
    internal::ElementList<T> list;
    for (T value = first; value < end; value = static_cast<T>(value + step))
        list.elements.push_back(value);
    return list;
}
template <class Iterator>
internal::ElementList<typename std::iterator_traits<Iterator>::value_type>
ValuesIn(Iterator first, Iterator end) {
    return {{first, end}};
}
template <class Container> auto ValuesIn(const Container &values) {
    return ValuesIn(std::begin(values), std::end(values));
}
template <class... Generators>
internal::Combination<Generators...> Combine(const Generators &...generators) {
    return {{generators...}};
}

/* What is set up before all tests and taken down after them. */
class Environment {
  public:
    virtual ~Environment() {}
    virtual void SetUp() {}
    virtual void TearDown() {}
};

namespace internal {

inline std::vector<Environment *> &environments() {
    static std::vector<Environment *> *all = new std::vector<Environment *>;
    return *all;
}

} // namespace internal

inline Environment *AddGlobalTestEnvironment(Environment *environment) {
    internal::environments().push_back(environment);
    return environment;
}

inline void InitGoogleTest(int *, char **) {}
inline void InitGoogleTest() {}

} // namespace testing

/* One path for each test, so that which one it is is known on each. */
inline int RUN_ALL_TESTS() {
    using testing::internal::Registered;
    std::size_t count = 0;
    for (Registered *it = Registered::first; it; it = it->next)
        count += it->count();
    if (count == 0)
        return 0;
    std::size_t chosen = ep_choose(count), number = 0;
    while (number < chosen)
        number++;
    for (Registered *it = Registered::first; it; it = it->next) {
        if (number < it->count()) {
            auto &around = testing::internal::environments();
            for (auto environment : around)
                environment->SetUp();
            it->run(number);
            for (auto last = around.rbegin(); last != around.rend(); ++last)
                (*last)->TearDown();
            return 0;
        }
        number -= it->count();
    }
    return 0;
}

#define EP_GTEST_CLASS_(suite, name, base)                                                         \
    class suite##_##name##_Test : public base {                                                    \
        void TestBody() override;                                                                  \
    };
#define EP_GTEST_(suite, name, base)                                                               \
    EP_GTEST_CLASS_(suite, name, base)                                                             \
    static ::testing::internal::Single suite##_##name##_registered(                                \
        ::testing::internal::run<suite##_##name##_Test>);                                          \
    void suite##_##name##_Test::TestBody()

#define TEST(suite, name) EP_GTEST_(suite, name, ::testing::Test)
#define TEST_F(fixture, name) EP_GTEST_(fixture, name, fixture)

#define TEST_P(fixture, name)                                                                      \
    EP_GTEST_CLASS_(fixture, name, fixture)                                                        \
    [[maybe_unused]] static bool fixture##_##name##_registered =                                   \
        ::testing::internal::Parametrised<fixture>::add_test(                                      \
            ::testing::internal::run<fixture##_##name##_Test>);                                    \
    void fixture##_##name##_Test::TestBody()
/* What makes names of the values, the last argument, is not needed. */
#define INSTANTIATE_TEST_SUITE_P(prefix, fixture, ...)                                             \
    static std::vector<fixture::ParamType> fixture##_##prefix##_values() {                         \
        return ::testing::internal::first_of(__VA_ARGS__);                                         \
    }                                                                                              \
    [[maybe_unused]] static bool fixture##_##prefix##_registered =                                 \
        ::testing::internal::Parametrised<fixture>::add_values(fixture##_##prefix##_values)
#define INSTANTIATE_TEST_CASE_P INSTANTIATE_TEST_SUITE_P
#define GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(fixture)

#define EP_TYPED_CLASS_(suite, name)                                                               \
    template <class EpType> class name : public suite<EpType> {                                    \
        typedef suite<EpType> TestFixture;                                                         \
        typedef EpType TypeParam;                                                                  \
        void TestBody() override;                                                                  \
    };
#define TYPED_TEST_SUITE(suite, types, ...)                                                        \
    typedef ::testing::internal::TypesOf<types>::type suite##_types
#define TYPED_TEST_CASE TYPED_TEST_SUITE
#define TYPED_TEST(suite, name)                                                                    \
    EP_TYPED_CLASS_(suite, suite##_##name##_Test)                                                  \
    [[maybe_unused]] static bool suite##_##name##_registered =                                     \
        suite##_types::add<suite##_##name##_Test>();                                               \
    template <class EpType> void suite##_##name##_Test<EpType>::TestBody()

#define TYPED_TEST_SUITE_P(suite)                                                                  \
    namespace suite##_tests {}
#define TYPED_TEST_P(suite, name)                                                                  \
    namespace suite##_tests {                                                                      \
    EP_TYPED_CLASS_(suite, name)                                                                   \
    }                                                                                              \
    template <class EpType> void suite##_tests::name<EpType>::TestBody()
#define REGISTER_TYPED_TEST_SUITE_P(suite, ...)                                                    \
    namespace suite##_tests {                                                                      \
    template <class... Ts> bool add_all(::testing::Types<Ts...>) {                                 \
        return (::testing::internal::add_tests<Ts, __VA_ARGS__>() && ...);                         \
    }                                                                                              \
    }
#define INSTANTIATE_TYPED_TEST_SUITE_P(prefix, suite, types, ...)                                  \
    [[maybe_unused]] static bool suite##_##prefix##_registered =                                   \
        suite##_tests::add_all(::testing::internal::TypesOf<types>::type())

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

#define EXPECT_STRCASEEQ(a, b)                                                                     \
    EP_EXPECT_("EXPECT_STRCASEEQ(" #a ", " #b ")", ::testing::internal::same_letters(a, b))
#define EXPECT_STRCASENE(a, b)                                                                     \
    EP_EXPECT_("EXPECT_STRCASENE(" #a ", " #b ")", !::testing::internal::same_letters(a, b))
#define EXPECT_PRED1(predicate, a)                                                                 \
    EP_EXPECT_("EXPECT_PRED1(" #predicate ", " #a ")", (predicate)(a))
#define EXPECT_PRED2(predicate, a, b)                                                              \
    EP_EXPECT_("EXPECT_PRED2(" #predicate ", " #a ", " #b ")", (predicate)(a, b))
#define EXPECT_PRED3(predicate, a, b, c)                                                           \
    EP_EXPECT_("EXPECT_PRED3(" #predicate ", " #a ", " #b ", " #c ")", (predicate)(a, b, c))
#define ASSERT_STRCASEEQ EXPECT_STRCASEEQ
#define ASSERT_STRCASENE EXPECT_STRCASENE
#define ASSERT_PRED1 EXPECT_PRED1
#define ASSERT_PRED2 EXPECT_PRED2
#define ASSERT_PRED3 EXPECT_PRED3
/* The first failure ends its path. */
#define EXPECT_NO_FATAL_FAILURE(statement)                                                         \
    do {                                                                                           \
        statement;                                                                                 \
    } while (0)
#define ASSERT_NO_FATAL_FAILURE EXPECT_NO_FATAL_FAILURE

/* What a message would be preceded by. */
#define SCOPED_TRACE(message) static_cast<void>(message)
#define FRIEND_TEST(suite, name) friend class suite##_##name##_Test

/* Takes what is streamed to it. */
#define EP_LEFT_OUT_(what)                                                                         \
    switch (0)                                                                                     \
    case 0:                                                                                        \
    default:                                                                                       \
        if ((__ep_unsupported(what), true))                                                        \
            ;                                                                                      \
        else                                                                                       \
            ::testing::internal::Failure("", __FILE__, __LINE__)
#define EXPECT_DEATH(statement, matcher) EP_LEFT_OUT_("death tests (EXPECT_DEATH)")
#define ASSERT_DEATH(statement, matcher) EP_LEFT_OUT_("death tests (ASSERT_DEATH)")
#define EXPECT_DEATH_IF_SUPPORTED EXPECT_DEATH
#define ASSERT_DEATH_IF_SUPPORTED ASSERT_DEATH
#define EXPECT_DEBUG_DEATH(statement, matcher) EP_LEFT_OUT_("death tests (EXPECT_DEBUG_DEATH)")
#define ASSERT_DEBUG_DEATH(statement, matcher) EP_LEFT_OUT_("death tests (ASSERT_DEBUG_DEATH)")
#define EXPECT_EXIT(statement, predicate, matcher) EP_LEFT_OUT_("death tests (EXPECT_EXIT)")
#define ASSERT_EXIT(statement, predicate, matcher) EP_LEFT_OUT_("death tests (ASSERT_EXIT)")
#define EXPECT_THAT(value, matcher) EP_LEFT_OUT_("matchers (EXPECT_THAT)")
#define ASSERT_THAT(value, matcher) EP_LEFT_OUT_("matchers (ASSERT_THAT)")

#define FAIL() EP_EXPECT_("FAIL()", false)
#define ADD_FAILURE() EP_EXPECT_("ADD_FAILURE()", false)
#define SUCCEED() static_cast<void>(0)
#define GTEST_SKIP() return static_cast<void>(0)

#endif
