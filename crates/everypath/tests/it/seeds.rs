//! Inputs that a user has already: followed first, explored around, and measured.

use serde_json::Value as Json;
use testkit::Scratch;

/// An error behind a checksum.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned hash = 5381;
    int length = 0, c;
    while ((c = getchar()) != EOF) {
        hash = (hash ^ c) * 16777619u;
        hash ^= hash >> 13;
        length++;
    }
    if (length == 9 && hash == HASH)
        abort();
    return length;
}
"#;

/// The checksum of the program.
fn hash(text: &str) -> u32 {
    let mut hash = 5381u32;
    for byte in text.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
        hash ^= hash >> 13;
    }
    hash
}

/// What the tests of a run have for standard input, as texts.
fn inputs(scratch: &Scratch, run: &str) -> Vec<String> {
    let listed = scratch.everypath(&format!("tests {run} --json")).json();
    let tests = listed["tests"].as_array().expect("there are tests");
    let text = |test: &Json| test["inputs"].as_str().expect("a line").to_owned();
    tests.iter().map(text).collect()
}

#[test]
fn seeds_come_first_and_open_what_no_solver_does() {
    let program = PROGRAM.replace("HASH", &hash("everypath").to_string());
    let scratch = Scratch::with(&[
        ("program.c", &program),
        ("corpus/a", "everypath"),
        ("corpus/b", "abc"),
    ]);
    let line = "run program.c --sym-stdin 9 --seed-dir corpus --max-tests 2 --no-dump --output seeded --json";
    let report = scratch.everypath(line).json();
    let mut found = inputs(&scratch, "seeded");
    found.sort();
    assert!(
        found[0].contains("abc") && found[1].contains("everypath"),
        "{found:?}"
    );
    assert_eq!(report["errors"][0]["kind"], "abort");
    scratch.replays_natively("seeded");
}

#[test]
fn around_seeds_everything_else_is_explored() {
    let program = r#"
#include <everypath.h>
int main(void) {
    unsigned char v[3];
    ep_symbolic(v, sizeof v, "v");
    ep_assume(v[0] < 100);
    int n = 0;
    for (int i = 0; i < 3; i++)
        n = n * 3 + (v[i] > 50) + (v[i] > 90);
    return n;
}
"#;
    let scratch = Scratch::with(&[("program.c", program)]);
    let plain = scratch
        .everypath("run program.c --output plain --json")
        .json();
    // A run's tests are seeds too.
    let line = "run program.c --seed-dir plain --output again --json";
    let again = scratch.everypath(line).json();
    for key in ["outcome", "paths", "coverage"] {
        assert_eq!(again[key], plain[key], "{key}");
    }
    let ends = |report: &Json| report["ends"].as_object().map(serde_json::Map::len);
    assert_eq!(ends(&again), ends(&plain));
    // Only what the assumption excludes has no seed.
    assert_eq!(again["solver"]["queries"], 1);
}

#[test]
fn fuzz_takes_the_same_seeds() {
    let program = PROGRAM.replace("HASH", &hash("everypath").to_string());
    let scratch = Scratch::with(&[("program.c", &program), ("corpus/a", "everypath")]);
    let line = "fuzz program.c --seed-dir corpus --max-runs 1 --out fuzzed --json";
    let report = scratch.everypath(line).json();
    assert_eq!(report["errors"][0]["kind"], "abort");
}

#[test]
fn a_corpus_is_measured() {
    let program = r#"
#include <stdio.h>
int main(void) {
    switch (getchar()) {
    case 'a':
        return 1;
    case 'b':
        return 2;
    default:
        return 0;
    }
}
"#;
    let scratch = Scratch::with(&[("program.c", program), ("corpus/a", "a"), ("corpus/x", "x")]);
    let run = scratch
        .everypath("run program.c --sym-stdin 1 --json")
        .json();
    let own = scratch.everypath("cover --json").json();
    assert_eq!(own["coverage"], run["coverage"]);
    let corpus = scratch
        .everypath("cover corpus --lcov corpus.info --json")
        .json();
    assert_eq!(corpus["tests"], 2);
    let lines = |report: &Json| report["coverage"]["lines"]["covered"].as_u64();
    assert_eq!(
        lines(&corpus),
        lines(&run).map(|all| all - 1),
        "case 'b' is missing"
    );
    assert!(scratch.read("corpus.info").contains("end_of_record"));
    let said = scratch.everypath("cover corpus").succeeds().said();
    assert!(said.contains("2 tests: "), "{said}");
}

#[test]
fn seeds_that_cannot_be_used_are_refused() {
    let scratch = Scratch::with(&[
        ("program.c", "int main(void) { return 0; }"),
        ("corpus/a", "four"),
        ("broken.ktest", "KTES"),
    ]);
    let refused = |line: &str, message: &str| {
        let said = scratch.refusal(line);
        assert!(said.contains(message), "{said}");
    };
    refused("run program.c --seed-dir corpus", "add --sym-stdin 4");
    refused(
        "run program.c --seed-dir nowhere",
        "cannot read the seed nowhere",
    );
    refused("run program.c --seed-dir broken.ktest", "broken.ktest");
    refused("cover corpus", "everypath-last");
}

/// Branches, a switch, values that must be numbers, and standard input of any length.
const ORDERED: &str = r#"
#include <everypath.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned h = 17;
static void at(unsigned block) { h = h * 16777619u ^ block; }
int main(void) {
    unsigned char v[2];
    static char table[4];
    ep_symbolic(v, sizeof v, "v");
    at(v[0] > 40 ? 1 : 2);
    switch (v[0] % 7) {
    case 3: at(3); break;
    case 1: at(4); break;
    case 5: case 6: at(5); break;
    default: at(6);
    }
    ep_assume(v[1] < 4);
    char *buffer = malloc(v[1] + 1);
    for (int i = 0; i < v[1]; i++)
        at(10);
    free(buffer);
    table[v[1]] = 1;
    int c;
    while ((c = getchar()) != EOF)
        at(c == 'x' ? 7 : c < 'a' ? 8 : 9);
    exit((int)(h & 0x7fffffff));
}
"#;

#[test]
fn ranges_between_inputs_share_nothing_and_leave_nothing_out() {
    let scratch = Scratch::with(&[("program.c", ORDERED)]);
    let ends = |report: &Json| {
        let ends = report["ends"].as_object().expect("there are ends");
        ends.keys().cloned().collect::<Vec<_>>()
    };
    let line = "run program.c --sym-stdin 2 --workers 1 --write-ktest --output whole --json";
    let whole = ends(&scratch.everypath(line).json());
    assert!(whole.len() > 100);
    let tests = scratch.names("whole");
    let tests: Vec<&String> = tests.iter().filter(|it| it.ends_with(".ktest")).collect();
    for number in [0, 7, 40, tests.len() - 1] {
        let bound = format!("whole/{}", tests[number]);
        let mut both = Vec::new();
        for range in [format!("..{bound}"), format!("{bound}..")] {
            let output = format!("part-{number}-{}", both.len());
            let line =
                format!("run program.c --sym-stdin 2 --range {range} --output {output} --json");
            let report = scratch.everypath(&line).json();
            assert_eq!(report["outcome"], "complete");
            both.extend(ends(&report));
        }
        both.sort();
        let mut whole = whole.clone();
        whole.sort();
        assert_eq!(both, whole, "around {bound}");
    }
    let bound = format!("whole/{}", tests[7]);
    let empty = scratch.everypath(&format!(
        "run program.c --sym-stdin 2 --range {bound}..{bound}"
    ));
    assert_eq!(empty.status, Some(1));
    assert!(empty.stderr.contains("there is no path in the range"));
    let nothing = "run program.c --range whole";
    assert!(
        scratch
            .refusal(nothing)
            .contains("write FROM.ktest..TO.ktest")
    );
}
