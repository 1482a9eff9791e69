//! Functions that models compute, and operations on texts, against what Rust computes.

mod common;

use common::faults;
use mixed::oracle::Oracle;
use mixed::solver::Solver;
use mixed::{Config, Mixed};
use model::check;
use model::execution::Executor;
use model::exploration::{Bounds, explore};

/// Whether the transition `hit` can be taken; none where that is not decided.
fn is_possible(declarations: &str, guard: &str) -> Option<bool> {
    let text = format!(
        "{declarations}
         channel in(Int, String)
         automaton A {{
             var n: Int
             var s: String
             initial start
             state end
             take: start -> given, in?(n, s)
             hit: given -> end when {guard}, tau
         }}"
    );
    let checked = check(&text, &[]).unwrap_or_else(|faults| panic!("{guard}: {faults:?}"));
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
