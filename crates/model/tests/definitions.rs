//! Functions that models compute, and operations on texts and collections, against what Rust
//! computes.

mod common;

use common::faults;
use mixed::oracle::Oracle;
use mixed::solver::Solver;
use mixed::{Config, Mixed};
use model::check;
use model::execution::Executor;
use model::exploration::{Bounds, explore};

/// Whether a guard on a number and a text can hold; none where that is not decided.
fn is_possible(declarations: &str, guard: &str) -> Option<bool> {
    can_hold(declarations, &[("n", "Int"), ("s", "String")], guard)
}

/// Whether a guard on inputs of these types can hold; none where that is not decided.
fn can_hold(declarations: &str, inputs: &[(&str, &str)], guard: &str) -> Option<bool> {
    let (names, types): (Vec<&str>, Vec<&str>) = inputs.iter().copied().unzip();
    let variables = inputs
        .iter()
        .map(|(name, ty)| format!("var {name}: {ty}\n"));
    let text = format!(
        "{declarations}
         channel in({})
         automaton A {{
             {}
             initial start
             state end
             take: start -> given, in?({})
             hit: given -> end when {guard}, tau
         }}",
        types.join(", "),
        variables.collect::<String>(),
        names.join(", ")
    );
    is_covered(&text)
}

/// Whether every transition can be taken; none where that is not decided.
fn is_covered(text: &str) -> Option<bool> {
    let checked = check(text, &[]).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    let mut oracle = Oracle::new();
    let refused = model::functions::declare(&checked.model, &["".into()], &mut oracle);
    assert!(refused.is_empty(), "{refused:?}");
    let mixed = Mixed::new(Config::default(), Solver::default(), oracle);
    let mut executor = Executor::new(&checked.model, mixed);
    let tree = explore(&mut executor, &Bounds::default(), None);
    let is_hit = tree.coverage() == 100.0;
    (is_hit || tree.unknown == 0).then_some(is_hit)
}

const FUNCTIONS: &str = "
    record Point { x: Int, y: Int }
    function square(x: Int): Int = x * x
    function distance(a: Point, b: Point): Int = square(a.x - b.x) + square(a.y - b.y)
    function mirrored(p: Point): Point = Point(p.y, p.x)
    function fib(n: Int): Int = if n < 2 then n else fib(n - 1) + fib(n - 2)
    function power(base: Int, n: Int): Int = if n <= 0 then 1 else base * power(base, n - 1)
    function isEven(n: Int): Bool = n = 0 or n != 1 and isEven(abs(n) - 2)
    const FIVE = fib(5)
    function isOdd(n: Int): Bool = if n <= 0 then false else not isOddBefore(n)
    function isOddBefore(n: Int): Bool = isOdd(n - 1)
    const ODD = isOdd(7)
";

#[test]
fn functions_compute_what_they_say() {
    for (guard, expected) in [
        ("square(n) = 49 and n < 0", true),
        ("square(n) = 50", false),
        ("distance(Point(n, 0), Point(0, 4)) = 25 and n > 0", true),
        ("mirrored(Point(n, 3)).x != 3", false),
        ("mirrored(mirrored(Point(n, 3))) = Point(n, 3)", true),
        ("FIVE = 5 and fib(10) = 55 and power(2, 10) = 1024", true),
        ("fib(10) = 54", false),
        ("ODD and isOdd(9) and not isOdd(10)", true),
        ("n > 0 and n < 6 and isOdd(n) and isOddBefore(n)", false),
        ("n > 2 and n < 6 and isOdd(n) and n != 5", true),
        ("n > 0 and n < 8 and fib(n) = 8", true),
        ("n > 4 and n < 9 and power(n, 3) = 343", true),
        ("n > 0 and n < 8 and isEven(n) and isEven(n + 1)", false),
    ] {
        assert_eq!(is_possible(FUNCTIONS, guard), Some(expected), "{guard}");
    }
}

#[test]
fn recursion_without_end_is_undecided_rather_than_endless() {
    let declarations = "function f(n: Int): Int = f(n + 1)";
    assert_eq!(is_possible(declarations, "f(n) = 3"), None);
    let constant = "function f(n: Int): Int = f(n + 1)\nconst X = f(1)\n\
                    automaton A { initial a a -> a, tau }";
    assert_eq!(
        faults(constant),
        [
            "2:11: the value must be known beforehand; it takes too many steps, or an external \
          function"
        ]
    );
}

#[test]
fn a_function_sees_its_parameters_alone() {
    let text = "\
function F(Int): Int { table { 1 -> 2 } }
record R { a: Int }
var shared: Int
function g(x: Int): Int = x + shared
function h(x: Int): Bool = x
function i(x: Int): Int = any
function j(x: Int): R = if x > 0 then j(x - 1) else R(1)
function k(x: Int): Int = if x > 0 then k(F(x)) else 0
function g(x: Int): Int = x
automaton A { initial a a -> a when later(1) > 0, tau }
";
    assert_eq!(
        faults(text),
        [
            "4:31: there is no variable, constant or value `shared` here",
            "5:28: it is an Int, and a Bool should be here",
            "6:27: a function gives one value; it cannot be `any`",
            "7:21: a function that applies itself gives one value, not a R",
            "8:27: a function that applies itself cannot call an external one",
            "9:10: there is another function `g` already",
            "10:37: there is no function `later`; declare it with `function later(…): …`",
        ]
    );
}

#[test]
fn texts_are_searched_changed_and_read_as_rust_does_it() {
    let line = "GET /items/42 HTTP/1.1";
    for (guard, expected) in [
        (
            r#"indexOf("abcabc", "ca") = 2"#,
            "abcabc".find("ca") == Some(2),
        ),
        (r#"indexOf("abc", "x") = -1"#, true),
        (
            r#"replace("a-b-c", "-", "+") = "a+b-c""#,
            "a-b-c".replacen('-', "+", 1) == "a+b-c",
        ),
        (
            r#"replaceAll("a-b-c", "-", "+") = "a+b+c""#,
            "a-b-c".replace('-', "+") == "a+b+c",
        ),
        (r#"charAt("abc", 1) = "b" and charAt("abc", 7) = """#, true),
        (
            r#"int("42") = 42 and int("-7") = -7 and int("007") = 7"#,
            true,
        ),
        (r#"int("4x") = 4 or true"#, false),
        (
            r#"text(42) = "42" and text(-7) = "-7" and text(0) = "0""#,
            true,
        ),
        (r#"text(n) = "-12" and n > 0"#, false),
        (r#"text(n) = "-12" and n < 0"#, true),
        (
            &format!(r#"matches("{line}", "(GET|POST) /[a-z]+/[0-9]+ HTTP/1\\.[01]")"#),
            true,
        ),
        (r#"matches("abc", "ab")"#, false),
        (
            r#"matches(s, "[a-c]{2,3}x*") and length(s) = 5 and endsWith(s, "cxx")"#,
            true,
        ),
        (r#"matches(s, "[a-c]{2,3}") and contains(s, "d")"#, false),
        (
            r#"matches(s, "(?i)yes") and s != "yes" and s != "YES""#,
            true,
        ),
    ] {
        assert_eq!(is_possible("", guard), Some(expected), "{guard}");
    }
}

#[test]
fn a_wrong_pattern_is_refused_where_it_stands() {
    let text = |pattern: &str| {
        format!(
            "channel c(String)\nautomaton A {{ var s: String initial a\n\
             a -> a, c?(s) where matches(s, {pattern}) }}"
        )
    };
    for (pattern, expected) in [
        (r#""(ab""#, "3:32: the pattern is wrong: unclosed group"),
        (
            r#""^a""#,
            "3:32: the pattern is wrong: it is about the whole text, so that ^, $ and \\b have no \
             place in it",
        ),
        (
            r#""a{1,2000}""#,
            "3:32: the pattern is wrong: it repeats something more than 1000 times",
        ),
        (
            "s",
            "3:32: the value must be known beforehand, but it has a variable in it",
        ),
    ] {
        assert_eq!(faults(&text(pattern)), [expected], "{pattern}");
    }
}

#[test]
fn functions_that_apply_each_other_are_known_before_values_need_them() {
    let text = "function f(n: Int): Int = if n <= 0 then 0 else g(n - 1)
const X = f(3)
function g(n: Int): Int = f(n) + 1
const Y = f(3)
function h(n: Int): Int[2] = [k(n), k(n)]
function k(n: Int): Int = h(n)[0]
automaton A { initial a a -> a, tau }";
    assert_eq!(
        faults(text),
        [
            "2:11: the value must be known beforehand, but it needs `g`, which is declared below",
            "5:21: a function that applies itself gives one value, not an Int[2]",
        ]
    );
}

const COLLECTIONS: &str = "
    enum Colour { red, green, blue }
    enum Shape { circle(radius: Int, name: String), square(side: Int, name: String), none }
";

/// What is written in brackets, as a collection.
const EMPTY: &str = "
    function list(): List<Int, 3> = []
    function set(): Set<Int, 3> = []
    function colours(): Set<Colour, 3> = [blue, red]
    function map(): Map<Int, Int, 2> = []
    function prices(): Map<String, Real, 2> = [\"tea\" -> 1.5, \"beer\" -> 3]
";

#[test]
fn collections_do_what_their_functions_say() {
    let declarations = format!("{COLLECTIONS}{EMPTY}");
    for (guard, expected) in [
        ("length(append(append(list(), n), 7)) = 2", true),
        ("append(append(list(), n), 7)[1] != 7", false),
        ("append(list(), n)[1] = 0", false),
        (
            "length(append(append(append(append(list(), 1), 2), 3), n)) >= 0",
            false,
        ),
        (
            "rest(append(append(list(), 1), n)) = append(list(), n)",
            true,
        ),
        (
            "rest(append(append(list(), 1), n)) != append(list(), n)",
            false,
        ),
        ("length(rest(list())) >= 0", false),
        ("contains(append(append(list(), 4), 6), n) and n > 4", true),
        ("contains(append(append(list(), 4), 6), n) and n > 6", false),
        ("contains(list(), 0)", false),
        ("indexOf(append(append(list(), 4), n), n) = 1", true),
        ("indexOf(append(append(list(), 4), n), n) < 0", false),
        (
            "insert(insert(set(), 3), n) = insert(insert(set(), n), 3)",
            true,
        ),
        (
            "insert(insert(set(), 3), n) != insert(insert(set(), n), 3)",
            false,
        ),
        ("length(insert(insert(set(), 3), n)) = 1 and n != 3", false),
        (
            "remove(insert(insert(set(), 3), n), n) != insert(set(), 3) and n != 3",
            false,
        ),
        ("length(remove(insert(insert(set(), 3), n), 3)) = 0", true),
        ("remove(set(), n) = set()", true),
        ("colours() = insert(insert(colours(), red), blue)", true),
        ("contains(colours(), green)", false),
        ("put(put(map(), 3, 30), n, 40)[3] = 40", true),
        ("put(put(map(), 3, 30), n, 40)[3] = 40 and n != 3", false),
        ("put(map(), 3, 30)[n] = 30", true),
        ("put(map(), 3, 30)[n] = 31", false),
        (
            "put(put(map(), 3, 30), n, 1) != put(put(map(), n, 1), 3, 30) and n != 3",
            false,
        ),
        (
            "remove(put(put(map(), 3, 30), n, 1), n) = put(map(), 3, 30) and n > 3",
            true,
        ),
        ("contains(remove(put(map(), n, 1), n), n)", false),
        ("length(put(put(put(map(), 1, 1), 2, 2), n, 3)) = 2", true),
        (
            "length(put(put(put(map(), 1, 1), 2, 2), n, 3)) = 2 and n > 2",
            false,
        ),
        ("prices()[\"beer\"] = 3 and prices()[s] < 3", true),
    ] {
        assert_eq!(is_possible(&declarations, guard), Some(expected), "{guard}");
    }
}

#[test]
fn an_input_is_one_that_collections_can_have() {
    let inputs = [
        ("l", "List<Int, 3>"),
        ("s", "Set<Int, 3>"),
        ("m", "Map<Int, Bool, 2>"),
    ];
    for (guard, expected) in [
        ("length(l) = 2 and l[0] = 4 and l[1] = 4", true),
        ("length(l) > 3 or length(l) < 0", false),
        ("length(l) = 1 and l[2] = 0", false),
        ("l != [] and length(l) = 0", false),
        ("l = [1, 2] and l[1] = 2", true),
        ("length(s) = 2 and contains(s, 4) and contains(s, 1)", true),
        ("length(s) = 1 and contains(s, 4) and contains(s, 1)", false),
        (
            "s != [4, 1] and length(s) = 2 and contains(s, 4) and contains(s, 1)",
            false,
        ),
        ("m[7] and length(m) = 2", true),
        ("m[7] and length(m) = 0", false),
        ("m = [2 -> true, 1 -> false] and m[1]", false),
        ("length(append(l, 1)) = 4", false),
    ] {
        assert_eq!(can_hold("", &inputs, guard), Some(expected), "{guard}");
    }
}

#[test]
fn a_value_with_data_has_its_own_and_no_other() {
    let inputs = [("a", "Shape"), ("n", "Int")];
    for (guard, expected) in [
        ("a = circle(3, \"c\") and a.radius = 3", true),
        (
            "a.kind = circle and a.radius = 3 and a.name = \"c\" and a != circle(3, \"c\")",
            false,
        ),
        ("a.kind = square and a.radius != 0", false),
        (
            "a.kind = square and a.name = \"x\" and a.side = n and n > 5",
            true,
        ),
        ("a = none and a.name != \"\"", false),
        ("a.kind = none and a != none", false),
        ("circle(n, \"\") = square(n, \"\")", false),
        ("none = a", true),
    ] {
        assert_eq!(
            can_hold(COLLECTIONS, &inputs, guard),
            Some(expected),
            "{guard}"
        );
    }
}

#[test]
fn an_element_of_a_list_can_be_changed_where_it_is() {
    for (guard, expected) in [
        ("l = [8, 2]", true),
        ("l = [1, 8]", true),
        ("length(l) != 2", false),
        ("l[0] = 1 and l[1] = 2", false),
    ] {
        let text = format!(
            "channel in(Int)
             automaton A {{
                 var l: List<Int, 3> = [1, 2]
                 var i: Int
                 initial start
                 state end
                 take: start -> given, in?(i)
                 set: given -> changed, tau, l[i] := 8
                 hit: changed -> end when {guard}, tau
             }}"
        );
        assert_eq!(is_covered(&text), Some(expected), "{guard}");
    }
}

#[test]
fn what_is_wrong_with_a_collection_is_said_where_it_stands() {
    let text = "\
enum Shape { circle(radius: Int), none, dot(radius: Bool) }
enum Form { ball(size: Int), flat }
channel c(List), d(Set<Bool, 2>), e(Map<Int, Int, 100>), f(List<Int, 2>)
automaton A {
    var l: List<Int, 2>, s: Set<Int, 2>, m: Map<Int, Int, 2>, b: Form
    initial a
    a -> a when append(3, 4) = 3 and s[0] = 1 and l.length = 2 and put(l, 1, 2) = l, f!([1, 2, 3])
    a -> a when length(4) = 2 and l = [1 -> 2] and m = [1] and insert(s) = s, tau, b := ball
    a -> a when Form(1) = b, tau, m[1] := 3, b := flat
}
";
    assert_eq!(
        faults(text),
        [
            "1:45: there is another field `radius` already",
            "3:11: say of what, and how many at most: List<Int, 4>",
            "3:24: a Bool has no order; sets and keys of maps are of numbers, texts and enumerations",
            "3:51: the number of elements must be between 1 and 64",
            "7:17: an Int has no `append`",
            "7:40: a Set<Int, 2> has no elements by number",
            "7:53: a List<Int, 2> has no fields",
            "7:68: a List<Int, 2> has no `put`",
            "7:89: 3 elements where 2 may be",
            "8:24: it is an Int, and a String should be here",
            "8:39: keys with values are for maps: `Map<Int, Bool, 4>`",
            "8:56: every key of a map has a value: `[1 -> 2, 3 -> 4]`",
            "8:64: `insert` takes 2 values, not 1",
            "8:89: `ball` has data: write `ball(size)`",
            "9:17: `Form` is one of ball, flat: write which",
            "9:35: sets and maps change by `insert`, `put` and `remove`",
        ]
    );
}

#[test]
fn collections_are_formatted_and_said_as_they_are_written() {
    let text = "\
enum Shape { circle(radius: Int, name: String), none }
channel c(List<Int<8>, 3>), d(Map<String, Shape, 2>[2])
function twice(l: List<Int, 4>, x: Int): List<Int, 4> = append(append(l, x), x)
automaton A {
    var m: Map<Int, Bool, 2> = [1 -> true, 2 -> x > 3]
    initial a
}
";
    assert_eq!(model::format(text), text);
}
