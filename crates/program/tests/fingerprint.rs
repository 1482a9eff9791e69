//! The fingerprint of a function changes with what it does, and with nothing else.

use program::{Function, LoadOptions, fingerprint, load};

const PROGRAM: &str = "
static const int table[3] = {2, 3, 5};
static int step(int x) { return x + table[x % 3]; }
int walk(int from, int steps) {
    int at = from;
    for (int i = 0; i < steps; i++) at = step(at);
    return at;
}
";

/// The fingerprint of `function` in a C program.
fn of(text: &str, function: &str, is_outside: impl Fn(&Function) -> bool) -> [u8; 32] {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).expect("the directory is writable");
    let options = LoadOptions {
        promote: true,
        ..LoadOptions::default()
    };
    let program = load(&[file], &options).expect("the program compiles");
    let id = program.function(function).expect("the function is there");
    fingerprint(&program, id, is_outside)
}

fn walk(text: &str) -> [u8; 32] {
    of(text, "walk", |_| false)
}

#[test]
fn names_places_and_unrelated_code_change_nothing() {
    let renamed = PROGRAM
        .replace("table", "primes")
        .replace("step(", "hop(")
        .replace("from", "start")
        .replace("steps", "count");
    let unrelated = "struct Other { char c; };\nconst char *text = \"a\";\n\
                     int other(long a, struct Other *b) { return b->c + (int) a; }\n";
    let expected = walk(PROGRAM);
    for (what, text) in [
        ("other names", renamed),
        (
            "other lines",
            PROGRAM.replace("{ return", "{\n\n/* */ return"),
        ),
        ("code before it", format!("{unrelated}{PROGRAM}")),
        ("code after it", format!("{PROGRAM}{unrelated}")),
    ] {
        assert_eq!(walk(&text), expected, "{what}");
    }
}

#[test]
fn everything_the_function_does_counts() {
    let expected = walk(PROGRAM);
    for (what, from, to) in [
        ("its own code", "i < steps", "i <= steps"),
        ("a constant", "int i = 0", "int i = 1"),
        ("a type", "int walk(int from", "int walk(short from"),
        ("a function it calls", "x + table", "x - table"),
        ("data of a function it calls", "{2, 3, 5}", "{2, 3, 7}"),
        (
            "whether data can be written",
            "static const int",
            "static int",
        ),
    ] {
        assert_ne!(walk(&PROGRAM.replace(from, to)), expected, "{what}");
    }
}

#[test]
fn functions_from_outside_are_known_by_name() {
    let outside = |function: &Function| function.name == "step";
    let expected = of(PROGRAM, "walk", outside);
    let other_code = PROGRAM.replace("x + table", "x - table");
    assert_eq!(of(&other_code, "walk", outside), expected);
    let declared = "int hop(int x);\nint walk(int x) { return hop(x); }\n";
    assert_ne!(walk(declared), walk(&declared.replace("hop", "skip")));
}
