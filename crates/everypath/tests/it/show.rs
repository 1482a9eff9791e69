//! `everypath show` as a user meets it.

use serde_json::{Value, json};
use std::fs;
use testkit::Scratch;

const PROGRAM: &str = r#"
#include <everypath.h>
int main(void) {
    int age = 0;
    char name[3];
    ep_symbolic(&age, sizeof age, "age");
    ep_symbolic(name, sizeof name, "name");
    ep_assume(age == -2 && name[0] == 'J' && name[1] == 'o' && name[2] == 0);
    return 4;
}
"#;

/// A directory in which the program was run.
fn run() -> Scratch {
    let directory = Scratch::new();
    directory.write("program.c", PROGRAM);
    let output = directory.everypath(&["run", "program.c"]);
    let errors = output.stderr;
    assert_eq!(output.status, Some(0), "{errors}");
    directory
}

#[track_caller]
fn refuses(directory: &Scratch, test: &str, expected: &str) {
    assert_eq!(directory.refusal(&["show", test]), expected);
}

#[test]
fn a_test_is_shown_by_its_name_its_directory_and_its_file() {
    let directory = run();
    let names = [
        "test000001",
        "everypath-out-0/test000001",
        "everypath-last/test000001.ktest",
    ];
    for name in names {
        let output = directory.everypath(&["show", name]);
        assert_eq!(
            output.stdout,
            "input 1: age, i32\n  value  -2\n  hex    fe ff ff ff\n\
             input 2: name, array of 3 char\n  text   \"Jo\\0\"\n  hex    4a 6f 00\n\
             ends in exit 4\n"
        );
        assert_eq!(output.stderr, "");
        assert_eq!(output.status, Some(0));
    }
}

#[test]
fn a_test_is_shown_as_json() {
    let directory = run();
    let output = directory.everypath(&["show", "--json", "test000001"]);
    let shown: Value = output.json();
    assert_eq!(shown["test"], "test000001");
    assert_eq!(shown["file"], "everypath-last/test000001.ktest");
    assert_eq!(shown["end"], "exit 4");
    assert_eq!(shown["inputs"][0]["name"], "age");
    assert_eq!(shown["inputs"][0]["value"], -2);
    assert_eq!(shown["inputs"][1]["text"], json!("Jo\\0"));
    assert_eq!(output.status, Some(0));
}

const STRUCTURES: &str = r#"
#include <everypath.h>
#include <stdlib.h>
enum color { RED, GREEN = 7 };
struct point { short x, y; };
struct shape {
    struct point at[2];
    char name[4];
    enum color color;
    unsigned low : 3, high : 5;
    struct shape *next;
};
struct point origin;
static void mark(void *object, size_t size, const char *name) { ep_symbolic(object, size, name); }
int main(void) {
    struct shape shape;
    struct point *made = malloc(2 * sizeof *made);
    ep_symbolic(&shape, sizeof shape, "shape");
    ep_symbolic(made, 2 * sizeof *made, "made");
    mark(&origin, sizeof origin, "origin");
    mark(&shape.color, sizeof shape.color, "color");
    ep_assume(shape.at[0].x == -1 && shape.at[0].y == 2 && shape.at[1].x == 3 && shape.at[1].y == 4);
    ep_assume(shape.name[0] == '<' && shape.name[1] == 0 && shape.name[2] == 0 && shape.name[3] == 0);
    ep_assume(shape.color == GREEN && shape.low == 5 && shape.high == 17 && !shape.next);
    ep_assume(made[0].x == 1 && made[0].y == 2 && made[1].x == 3 && made[1].y == 4);
    ep_assume(origin.x == 0 && origin.y == -9);
    free(made);
    return 0;
}
"#;

#[test]
fn an_input_is_shown_by_the_fields_that_its_type_has() {
    let directory = Scratch::new();
    directory.write("program.c", STRUCTURES);
    let output = directory.everypath(&["run", "program.c"]);
    assert_eq!(output.status, Some(0), "{}", output.stderr);
    let shown = directory.everypath(&["show", "test000001"]).stdout;
    let without_bytes: Vec<&str> = shown
        .lines()
        .filter(|line| !line.starts_with("  hex"))
        .collect();
    let at = "[{x = -1, y = 2}, {x = 3, y = 4}]";
    assert_eq!(
        without_bytes,
        [
            "input 1: shape, struct shape",
            &format!("  at     {at}"),
            "  name   \"<\\0\\0\\0\"",
            "  color  RED",
            "  low    5",
            "  high   17",
            "  next   0x0",
            "input 2: made, array of 2 struct point",
            "  value  [{x = 1, y = 2}, {x = 3, y = 4}]",
            "input 3: origin, struct point",
            "  x      0",
            "  y      -9",
            "input 4: color, enum color",
            "  value  GREEN",
            "ends in exit 0",
        ]
    );
    let told = directory.everypath(&["explain", "everypath-last", "test000001"]);
    let first = told.stdout.lines().next().unwrap_or_default().to_owned();
    assert!(
        first.contains("origin={x = 0, y = -9} color=GREEN"),
        "{first}"
    );
    let json = directory
        .everypath(&["show", "--json", "test000001"])
        .json();
    assert_eq!(json["inputs"][0]["type"], "struct shape");
    assert_eq!(json["inputs"][0]["value"]["at"][1], json!({"x": 3, "y": 4}));
    assert_eq!(json["inputs"][3]["value"], "GREEN");
}

#[test]
fn a_file_of_klee_is_shown_without_a_run() {
    let directory = Scratch::new();
    let case = suite::TestCase::new(vec![suite::Input::new("n", [5])]);
    let file = directory.path("other.ktest");
    fs::write(&file, suite::ktest::encode(&case)).expect("the directory is writable");
    let output = directory.everypath(&["show", "other.ktest"]);
    assert_eq!(
        output.stdout,
        "input 1: n, 1 byte\n  int    5\n  uint   5\n  text   \"\\005\"\n  hex    05\n"
    );
}

#[test]
fn a_test_that_is_not_there_is_named_with_the_places_tried() {
    let directory = Scratch::new();
    refuses(
        &directory,
        "test000009",
        "error: there is no test test000009 (tried test000009, test000009.ktest, \
         everypath-last/test000009.ktest); everypath run writes tests\n",
    );
}

#[test]
fn a_file_that_is_no_test_is_refused() {
    let directory = Scratch::new();
    directory.write("a.ktest", "hello");
    let output = directory.everypath(&["show", "a.ktest"]);
    let message = output.stderr;
    assert!(message.starts_with("error: a.ktest: "), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert_eq!(output.status, Some(2));
}
