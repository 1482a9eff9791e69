//! `everypath replay` as a user meets it: predictions and the real program.

use serde_json::Value;
use std::fs;
use testkit::{Scratch, project};

/// Five paths: two exit statuses, a failed assertion, a read out of bounds and
/// a division by zero.
const PROGRAM: &str = r#"
#include <assert.h>
#include <everypath.h>
#include <stdlib.h>
int table[4];
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x == 7)
        exit(3);
    assert(x != 8);
    if (x == 9)
        return table[x];
    if (x == 10)
        return x / (x - 10);
    return 0;
}
"#;

/// A directory in which a program was run.
fn run(program: &str, status: i32) -> Scratch {
    run_with(program, &[], status)
}

fn run_with(program: &str, options: &[&str], status: i32) -> Scratch {
    let directory = Scratch::new();
    directory.write("program.c", program);
    let output = directory.everypath(&[&["run", "program.c"], options].concat());
    let errors = output.stderr;
    assert_eq!(output.status, Some(status), "{errors}");
    directory
}

/// The object that a replay prints, and its exit status.
fn replay(directory: &Scratch, options: &[&str]) -> (Value, Option<i32>) {
    let arguments = [&["replay", "everypath-last", "--json"], options].concat();
    let output = directory.everypath(&arguments);
    (output.json(), output.status)
}

/// How many tests agree, are not contradicted, and diverge.
fn counts(shown: &Value) -> (u64, u64, usize) {
    let number = |name: &str| shown[name].as_u64().expect("it is a count");
    let divergences = shown["divergences"].as_array().expect("it is a list");
    (
        number("agreed"),
        number("not_contradicted"),
        divergences.len(),
    )
}

#[test]
fn every_test_ends_natively_as_the_run_predicted() {
    let directory = run(PROGRAM, 1);
    let (shown, status) = replay(&directory, &["--native"]);
    let (agreed, not_contradicted, divergences) = counts(&shown);
    // Whether the read out of bounds is noticed is up to the system.
    assert_eq!(agreed + not_contradicted, 5, "{shown}");
    assert!(agreed >= 4, "{shown}");
    assert_eq!(divergences, 0, "{shown}");
    assert_eq!(status, Some(0));
}

#[test]
fn sanitizers_see_every_error_that_was_predicted() {
    let directory = run(PROGRAM, 1);
    let (shown, status) = replay(&directory, &["--native", "--sanitize"]);
    assert_eq!(counts(&shown), (5, 0, 0), "{shown}");
    assert_eq!(status, Some(0));
}

#[test]
fn without_native_the_predictions_are_listed() {
    let directory = run(PROGRAM, 1);
    let output = directory.everypath(&["replay"]);
    let text = output.stdout;
    let (tests, last) = text.trim_end().rsplit_once('\n').expect("there are lines");
    assert_eq!(
        last,
        "5 tests to replay; --native runs them in the real program"
    );
    let mut ends: Vec<&str> = tests.lines().filter_map(|line| line.get(12..)).collect();
    ends.sort_unstable();
    assert_eq!(
        ends,
        [
            "assert",
            "division",
            "exit 0",
            "exit 3",
            "out-of-bounds-read"
        ]
    );
    assert_eq!(output.status, Some(0));
}

#[test]
fn a_program_that_does_something_else_diverges() {
    let directory = run(PROGRAM, 1);
    let file = directory.path("program.c");
    fs::write(&file, PROGRAM.replace("exit(3)", "exit(5)")).expect("the file is writable");
    // A file system's clock may not have moved since the run.
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    let written = fs::File::options().append(true).open(&file);
    written
        .and_then(|file| file.set_modified(later))
        .expect("its time can be set");
    let output = directory.everypath(&["replay", "--native"]);
    let text = output.stdout;
    let first = text.lines().next().expect("there are lines");
    let rest = first.strip_prefix("divergence: test00000");
    assert_eq!(
        rest.and_then(|rest| rest.get(1..)),
        Some(": predicted exit 3, happened exit 5"),
        "{text}"
    );
    assert!(text.contains("5 tests replayed: "), "{text}");
    assert!(text.contains(", 1 divergence; "), "{text}");
    let note = output.stderr;
    assert!(
        note.ends_with("program.c has changed since the run\n"),
        "{note}"
    );
    assert_eq!(output.status, Some(1));
}

#[test]
fn a_program_that_asks_for_other_inputs_diverges() {
    let directory = run(PROGRAM, 1);
    let file = directory.path("program.c");
    fs::write(&file, PROGRAM.replace("\"x\"", "\"y\"")).expect("the file is writable");
    let (shown, status) = replay(&directory, &["--native"]);
    assert_eq!(counts(&shown), (0, 0, 5), "{shown}");
    for divergence in shown["divergences"].as_array().expect("it is a list") {
        assert_eq!(divergence["happened"], "a request for other inputs");
        assert_eq!(
            divergence["said"],
            "divergence: input 1 is `x` of 4 bytes, and the program asks for `y` of 4"
        );
    }
    assert_eq!(status, Some(1));
}

#[test]
fn what_only_a_sanitizer_sees_is_a_divergence() {
    let overflow = r#"
#include <everypath.h>
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x == 2147483647);
    return x + 1 > 0;
}
"#;
    let directory = run(overflow, 0);
    let (shown, status) = replay(&directory, &["--native"]);
    assert_eq!((counts(&shown), status), ((1, 0, 0), Some(0)), "{shown}");
    let (shown, status) = replay(&directory, &["--native", "--sanitize"]);
    assert_eq!((counts(&shown), status), ((0, 0, 1), Some(1)), "{shown}");
    let said = shown["divergences"][0]["said"].as_str().unwrap_or_default();
    assert!(said.contains("signed integer overflow"), "{said}");
}

#[test]
fn one_test_is_replayed_by_its_name() {
    let directory = run(PROGRAM, 1);
    for name in [
        "test000002",
        "everypath-out-0/test000002",
        "everypath-last/test000002.ktest",
    ] {
        let output = directory.everypath(&["replay", name, "--native"]);
        let text = output.stdout;
        assert!(text.starts_with("1 test replayed: "), "{text}");
        assert_eq!(output.status, Some(0));
    }
}

#[test]
fn files_are_compiled_as_they_were_for_the_run() {
    let directory = Scratch::new();
    let write = |name: &str, text: &str| directory.write(name, text);
    write("include/limit.h", "int limit(void);\n");
    write(
        "limit.c",
        "#include \"limit.h\"\nint limit(void) { return LIMIT; }\n",
    );
    write(
        "main.c",
        "#include \"limit.h\"\n#include <everypath.h>\n#include <stdlib.h>\nint main(void) {\n    \
         if (ep_range(0, 100, \"x\") < limit())\n        exit(EXTRA);\n    return 1;\n}\n",
    );
    let options = [
        "run",
        "-I",
        "include",
        "-D",
        "LIMIT=50",
        "--cc-arg",
        "-DEXTRA=17",
        "--std",
        "c11",
        "-O",
        "1",
        "main.c",
        "limit.c",
    ];
    let output = directory.everypath(&options);
    let errors = output.stderr;
    assert_eq!(output.status, Some(0), "{errors}");
    // From elsewhere, too.
    let elsewhere = Scratch::new();
    let tests = directory.path("everypath-last").display().to_string();
    let output = elsewhere.everypath(&["replay", &tests, "--native"]);
    let text = output.stdout;
    let errors = output.stderr;
    assert!(
        text.starts_with("2 tests replayed: 2 as predicted, 0 not contradicted, 0 divergences; "),
        "{text}{errors}"
    );
    assert_eq!(output.status, Some(0));
}

#[test]
fn what_cannot_be_replayed_gets_one_message() {
    let directory = Scratch::new();
    let refuses = |arguments: &[&str], expected: &str| {
        let output = directory.everypath(arguments);
        let message = output.stderr;
        assert!(message.contains(expected), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(output.stdout, "");
        assert_eq!(output.status, Some(2));
    };
    refuses(&["replay"], "error: there is no directory everypath-last");
    refuses(
        &["replay", "nowhere", "--native"],
        "error: there is no directory nowhere",
    );
    refuses(&["replay", "."], "holds neither tests nor a run.json");
    let write = |name: &str, text: &str| {
        directory.write(name, text);
    };
    write("messages.log", "");
    refuses(
        &["replay", "."],
        "run.json, which says what program the tests are for",
    );
    let report = |more: &str| {
        format!(
            r#"{{"schema": 1, "outcome": "complete", "paths": {{"completed": 0, "errors": 0,
            "ignored": 0, "infeasible": 0, "unknown": 0, "unfinished": 0}}, "tests": 0,
            "errors": [], "coverage": {{"lines": {{"covered": 0, "total": 0}},
            "branches": {{"covered": 0, "total": 0}}}}, "instructions": 0, "forks": 0,
            "solver": {{"queries": 0, "backend_calls": 0, "unknown": 0, "seconds": 0.0}},
            "seconds": 0.0, "peak_memory_bytes": 0{more}}}"#
        )
    };
    write("run.json", &report(""));
    refuses(
        &["replay", ".", "--native"],
        "it does not say what program was run",
    );
    write("run.json", &report(", \"ends\": 3"));
    refuses(
        &["replay", "."],
        "expected an object that names the tests by their ends",
    );
    write("run.json", "{\"schema\": 2}");
    refuses(&["replay", "."], "run.json: it has schema 2");
    write("run.json", "{");
    refuses(&["replay", "."], "run.json: ");
}

#[test]
fn a_program_that_no_longer_compiles_gets_clangs_message() {
    let directory = run(PROGRAM, 1);
    let file = directory.path("program.c");
    fs::write(&file, "int main(void) { return nothing; }\n").expect("the file is writable");
    let output = directory.everypath(&["replay", "--native"]);
    let message = output.stderr;
    assert!(message.contains("could not compile "), "{message}");
    assert!(
        message.contains("undeclared identifier 'nothing'"),
        "{message}"
    );
    assert_eq!(output.status, Some(2));
}

/// How many tests had their branches compared, and how many differ.
fn branches(shown: &Value) -> (u64, u64) {
    let number = |name: &str| shown["branches"][name].as_u64().expect("it is a count");
    (number("compared"), number("differing"))
}

/// Runs the program and replays its tests, which take the predicted branches.
fn branches_agree(program: &str, options: &[&str], status: i32, tests: u64) {
    let directory = run_with(program, options, status);
    let (shown, status) = replay(&directory, &["--native"]);
    assert_eq!(counts(&shown).2, 0, "{shown}");
    assert_eq!(branches(&shown), (tests, 0), "{shown}");
    assert_eq!(status, Some(0));
}

/// What is written differs in nothing but where objects and functions are.
#[test]
fn addresses_that_a_program_writes_are_others_in_each_process() {
    const WRITES: &str = r#"
#include <everypath.h>
#include <stdio.h>
#include <stdlib.h>
static int shared;
int main(void) {
    char x, text[40];
    ep_symbolic(&x, 1, "x");
    char *block = malloc(8);
    printf("[%p] %20p|%-20p|\n", (void *)&shared, (void *)&x, (void *)(block + 3));
    free(block);
    sprintf(text, "%p %lx %lu", (void *)main, (unsigned long)block, (unsigned long)block);
    puts(text);
    printf("%s %#x %p\n", x ? "yes" : "no", 0x1234567, NULL);
    return 0;
}
"#;
    branches_agree(WRITES, &[], 0, 2);
}

#[test]
fn branches_are_compared_up_to_every_end() {
    branches_agree(PROGRAM, &[], 1, 5);
}

#[test]
fn with_sanitizers_only_ends_are_compared() {
    let directory = run(PROGRAM, 1);
    let (shown, _) = replay(&directory, &["--native", "--sanitize"]);
    assert_eq!(branches(&shown), (0, 0), "{shown}");
}

#[test]
fn programs_take_natively_the_branches_that_were_predicted() {
    let root = project("");
    for name in [
        "examples/sort.c",
        "tests/programs/pass/switch_shared_cases.c",
        "tests/programs/pass/setjmp_longjmp.c",
        "tests/programs/pass/goto_computed.c",
        "tests/programs/pass/varargs_structs.c",
        "tests/programs/fail/constructor_and_destructor.c",
        "tests/programs/fail/assert_in_callee.c",
        "tests/programs/fail/abort_is_an_error.c",
    ] {
        let directory = Scratch::new();
        let file = root.join(name);
        let output = directory.everypath(&["run", &file.display().to_string()]);
        assert_ne!(output.status, Some(2), "{name}");
        let (shown, status) = replay(&directory, &["--native"]);
        assert_eq!(counts(&shown).2, 0, "{name}: {shown}");
        assert_eq!(shown["branches"]["compared"], shown["tests"], "{name}");
        assert_eq!(shown["branches"]["differing"], 0, "{name}: {shown}");
        assert_eq!(status, Some(0), "{name}");
    }
}

#[test]
fn optimised_code_has_branches_too() {
    // A division by zero is undefined, and gone.
    branches_agree(PROGRAM, &["-O", "2"], 1, 4);
}

/// Stacks are where the system puts them, which the machine does not know.
const PLACE: &str = r#"
#include <everypath.h>
#include <stdint.h>
static int seen;
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if ((uintptr_t)&x >> 45)
        seen = 1;
    switch (x) {
    case 4:
        seen = 2;
    }
    return 0;
}
"#;

#[test]
fn a_branch_that_goes_another_way_is_shown_with_its_line() {
    let directory = run(PLACE, 0);
    let output = directory.everypath(&["replay", "--native"]);
    let text = output.stdout;
    let lines: Vec<&str> = text.lines().collect();
    let [first, first_place, second, second_place, last] = lines[..] else {
        panic!("{text}");
    };
    for (line, place) in [(first, first_place), (second, second_place)] {
        assert!(
            line.ends_with(": predicted exit 0, happened exit 0"),
            "{text}"
        );
        assert_eq!(
            place,
            "  program.c:8, in main: only the real program goes from here to program.c:9"
        );
    }
    assert!(last.contains(", 2 divergences; "), "{text}");
    assert_eq!(output.status, Some(1));
    let (shown, _) = replay(&directory, &["--native"]);
    assert_eq!(branches(&shown), (2, 2), "{shown}");
}

#[test]
fn the_machine_must_stand_by_its_prediction() {
    let directory = run(PROGRAM, 1);
    let file = directory.path("program.c");
    fs::write(&file, PROGRAM.replace("exit(3)", "exit(5)")).expect("the file is writable");
    let (shown, _) = replay(&directory, &["--native"]);
    let divergence = &shown["divergences"][0];
    assert_eq!(divergence["machine"], "exit 5", "{shown}");
    assert_eq!(divergence["branches"], Value::Null, "{shown}");
}

#[test]
fn the_order_in_which_the_library_compares_is_its_own() {
    let program = r#"
#include <everypath.h>
#include <stdlib.h>
static int comparisons;
static int order(int a, int b) {
    if (a < b)
        return -1;
    return a > b;
}
static int by_value(const void *a, const void *b) {
    if (++comparisons > 4)
        comparisons = 9;
    return order(*(const int *)a, *(const int *)b);
}
static int twice(int x) { return x > 2 ? 2 * x : x; }
static int (*const operations[])(int) = {twice};
int main(void) {
    int values[4];
    ep_symbolic(values, sizeof values, "values");
    ep_assume(values[0] < values[1] && values[2] < values[3]);
    int first = values[0];
    qsort(values, 4, sizeof *values, by_value);
    if (!bsearch(&first, values, 4, sizeof *values, by_value))
        return 1;
    return operations[0](values[0] == first);
}
"#;
    let directory = run(program, 0);
    let (shown, status) = replay(&directory, &["--native"]);
    assert_eq!(counts(&shown).2, 0, "{shown}");
    assert_eq!(shown["branches"]["compared"], shown["tests"], "{shown}");
    assert_eq!(status, Some(0));
}

#[test]
fn a_run_that_began_at_another_function_is_replayed_from_there() {
    let program = r#"
#include <everypath.h>
static int weigh(int apples, signed char pears, _Bool ripe, float each, double all, short rest) {
    if (apples < -5)
        return 1;
    if (pears < 0 && ripe)
        return 2;
    if (each > 3.5f || all < -1)
        return 3;
    ep_assert(rest != -7);
    return 4;
}
int main(void) { return weigh(1, 2, 1, 3, 4, 5); }
"#;
    let directory = run_with(program, &["--entry", "weigh"], 1);
    let (shown, status) = replay(&directory, &["--native"]);
    assert_eq!(counts(&shown).2, 0, "{shown}");
    assert_eq!(
        counts(&shown).0,
        shown["tests"].as_u64().unwrap_or(0),
        "{shown}"
    );
    assert_eq!(shown["branches"]["compared"], shown["tests"], "{shown}");
    assert_eq!(status, Some(0));
    let output = directory.everypath(&["replay", "--native", "--sanitize"]);
    let message = output.stderr;
    assert!(message.contains("leave out --sanitize"), "{message}");
    assert_eq!(output.status, Some(2));
}

#[test]
fn functions_that_the_library_calls_too_are_left_out() {
    let program = r#"
#include <everypath.h>
#include <stdio.h>
#include <stdlib.h>
static char room[1 << 20];
static size_t used;
void *malloc(size_t size) {
    void *object = room + used;
    used += size > 100 ? 4096 : 112;
    return object;
}
void free(void *object) {
    if (object)
        used += 0;
}
size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}
static int up(const void *a, const void *b) { return *(int *)a < *(int *)b ? -1 : 1; }
static int down(const void *a, const void *b) { return *(int *)a > *(int *)b ? -1 : 1; }
int main(void) {
    int values[] = {3, 1, 2, 5, 4};
    int (*order)(const void *, const void *) = ep_range(0, 9, "x") > 4 ? up : down;
    qsort(values, 5, sizeof *values, order);
    char *text = malloc(4);
    text[0] = 0;
    printf("%s %s\n", "hello", text);
    free(text);
    return values[0] == 1;
}
"#;
    branches_agree(program, &[], 0, 2);
}
