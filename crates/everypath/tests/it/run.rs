//! What `everypath run` writes and prints on request.

use std::fs;
use std::path::Path;
use testkit::{Finished, Scratch};

/// Runs the program in a directory of its own, tests going to `out` in it.
fn run(program: &str, arguments: &[&str]) -> (Scratch, Finished) {
    let scratch = Scratch::with(&[("program.c", program)]);
    let command = ["run", "program.c", "--output", "out"];
    let output = scratch.everypath(&[&command, arguments].concat());
    (scratch, output)
}

/// What is answered to each question of a file, and what the file says.
fn answers_and_status(file: &Path) -> (Vec<String>, Vec<String>) {
    let solved = Scratch::new()
        .everypath(&["solve", "--cross-check", &file.to_string_lossy()])
        .succeeds();
    let answers = solved.stdout.lines().map(str::to_owned).collect();
    let script = fs::read_to_string(file).expect("the file is there");
    let status = script.lines().filter_map(|line| {
        let rest = line.strip_prefix("(set-info :status ")?;
        Some(rest.trim_end_matches(')').to_owned())
    });
    (answers, status.collect())
}

#[test]
fn questions_are_written_as_smt_lib_with_their_answers() {
    let program = r#"
        #include <everypath.h>
        int main(void) {
            unsigned x, y;
            ep_symbolic(&x, sizeof x, "x");
            ep_symbolic(&y, sizeof y, "y");
            if (x * y == 0x12345677 && x > 1 && y > 1 && x < 0x10000)
                return 1;
            return 0;
        }"#;
    let (scratch, output) = run(program, &["--write-queries"]);
    assert!(output.success(), "{}", output.stderr);
    let (answers, status) = answers_and_status(&scratch.path("out/queries.smt2"));
    assert!(!answers.is_empty(), "a product needs a backend");
    assert_eq!(answers, status);
}

#[test]
fn a_test_comp_suite_is_written_on_request() {
    let program = r#"
        extern int __VERIFIER_nondet_int(void);
        extern unsigned char __VERIFIER_nondet_uchar(void);
        int main(void) {
            int i = __VERIFIER_nondet_int();
            if (i < 0)
                return 1;
            if (__VERIFIER_nondet_uchar() == 200)
                return 2;
            return 0;
        }"#;
    let (scratch, output) = run(program, &["--write-testcomp"]);
    assert!(output.success(), "{}", output.stderr);
    let suite = scratch.path("out/test-suite");
    let metadata = fs::read_to_string(suite.join("metadata.xml")).expect("it is written");
    assert!(metadata.contains("<programfile>program.c</programfile>"));
    assert!(metadata.contains("<entryfunction>main</entryfunction>"));
    let mut inputs: Vec<Vec<i64>> = Vec::new();
    for number in 1..=3 {
        let file = suite.join(format!("testcase-{number}.xml"));
        let xml = fs::read_to_string(file).expect("there is one for each path");
        let values = xml.lines().filter_map(|line| {
            let value = line.trim().strip_prefix("<input>")?;
            value.strip_suffix("</input>")?.parse().ok()
        });
        inputs.push(values.collect());
    }
    inputs.sort();
    assert!(matches!(&inputs[0][..], [i] if *i < 0), "{inputs:?}");
    let others: Vec<&Vec<i64>> = inputs[1..].iter().collect();
    assert!(others.iter().all(|test| test.len() == 2 && test[0] >= 0));
    assert_eq!(others.iter().filter(|test| test[1] == 200).count(), 1);
    assert!(!suite.join("testcase-4.xml").exists());
}

#[test]
fn what_the_program_prints_is_shown_on_request() {
    let program = r#"
        #include <everypath.h>
        #include <stdio.h>
        int main(void) {
            char c;
            ep_symbolic(&c, sizeof c, "c");
            puts(c == 'x' ? "cross" : "other");
            fputs("done\n", stderr);
            return 0;
        }"#;
    let (_scratch, silent) = run(program, &[]);
    assert!(!silent.stdout.contains("cross"));
    let (_scratch, echoed) = run(program, &["--echo"]);
    let printed = echoed.stdout;
    let mut lines: Vec<&str> = printed.lines().take(2).collect();
    lines.sort_unstable();
    assert_eq!(lines, ["cross", "other"]);
    assert_eq!(echoed.stderr.matches("done\n").count(), 2);
}

#[test]
fn an_error_says_how_it_is_replayed_and_that_works() {
    let program = r#"
        #include <assert.h>
        #include <everypath.h>
        int main(void) {
            int x;
            ep_symbolic(&x, sizeof x, "x");
            assert(x != 4711);
            return 0;
        }"#;
    let (scratch, output) = run(program, &[]);
    assert_eq!(output.status, Some(1));
    let said = output.stdout;
    let command = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("replay: everypath "));
    let command = command.expect("the command is named");
    let replayed = scratch.everypath(command).succeeds();
    assert!(
        replayed
            .stdout
            .starts_with("1 test replayed: 1 as predicted")
    );
}

#[test]
fn errors_in_functions_that_were_inlined_name_them() {
    let program = r#"
        #include <everypath.h>
        static inline __attribute__((always_inline)) int inverse(int x) {
            return 1000 / x;
        }
        int main(void) {
            int x;
            ep_symbolic(&x, sizeof x, "x");
            return inverse(x) == 4;
        }"#;
    let (_scratch, output) = run(program, &["-O1"]);
    let said = output.stdout;
    assert!(said.contains("in inverse (program.c:4)"), "{said}");
    assert!(said.contains("called from main (program.c:9)"), "{said}");
}

#[test]
fn coverage_has_functions_branches_and_lines() {
    let program = r#"#include <everypath.h>
int unused(int x) {
    return x;
}
int main(void) {
    int x = ep_range(-100, 100, "x");
    if (x > 5)
        return 1;
    if (x > 7)
        return 2;
    return 0;
}
"#;
    let (scratch, output) = run(program, &[]);
    assert!(output.success(), "{}", output.stderr);
    let info = fs::read_to_string(scratch.path("out/coverage.info"));
    let info = info.expect("the file is there");
    let from = info.find("FN:").expect("functions are listed");
    assert_eq!(
        &info[from..],
        "FN:2,unused\nFN:5,main\nFNDA:0,unused\nFNDA:1,main\nFNF:2\nFNH:1\n\
         BRDA:7,0,0,1\nBRDA:7,0,1,1\nBRDA:9,1,0,0\nBRDA:9,1,1,1\nBRF:4\nBRH:3\n\
         DA:3,0\nDA:6,1\nDA:7,1\nDA:8,1\nDA:9,1\nDA:10,0\nDA:11,1\nDA:12,1\n\
         LF:8\nLH:6\nend_of_record\n"
    );
}

#[test]
fn tests_hold_what_klee_prefer_cex_prefers_as_far_as_the_path_allows() {
    let text = r#"
#include "klee/klee.h"
int main(void) {
    unsigned char text[3];
    klee_make_symbolic(text, 3, "text");
    for (int i = 0; i < 3; i++)
        klee_prefer_cex(text, ('a' <= text[i]) & (text[i] <= 'z'));
    klee_prefer_cex(text, text[0] == 'k');
    klee_prefer_cex(text, text[0] == 'j');
    return text[1] < 10;
}
"#;
    let scratch = Scratch::with(&[("prefer.c", text)]);
    scratch.everypath("run prefer.c --output out").succeeds();
    let run = suite::RunDirectory::open(&scratch.path("out")).expect("the run wrote it");
    let inputs = run.tests.iter().map(|test| &test.case.inputs[0].bytes);
    let mut letters = 0;
    for bytes in inputs {
        assert_eq!(bytes[0], b'k');
        assert!(bytes[1] < 10 || bytes[1].is_ascii_lowercase());
        assert!(bytes[2].is_ascii_lowercase());
        letters += u32::from(bytes[1].is_ascii_lowercase());
    }
    assert_eq!(letters, 1);
}

#[test]
fn only_paths_that_cover_something_new_have_tests() {
    let text = r#"
#include <everypath.h>
int main(void) {
    unsigned char x[3];
    ep_symbolic(x, 3, "x");
    int odd = 0;
    for (int i = 0; i < 3; i++)
        if (x[i] & 1)
            odd++;
    ep_assert(odd != 3);
    return 0;
}
"#;
    let scratch = Scratch::with(&[("odd.c", text)]);
    let ran = scratch.everypath("run odd.c --only-covering-new --search dfs --json --output out");
    let report = ran.json();
    assert_eq!(report["paths"]["completed"], 7);
    assert_eq!(report["paths"]["errors"], 1);
    let tests = report["tests"].as_u64().expect("it is a number");
    assert!((2..7).contains(&tests), "{tests}");
    assert_eq!(
        report["coverage"]["lines"]["covered"],
        report["coverage"]["lines"]["total"]
    );
    let whole = scratch.everypath("run odd.c --output whole --json").json();
    assert_eq!(report["coverage"], whole["coverage"]);
}

#[test]
fn checks_are_for_what_is_compiled() {
    let scratch = Scratch::with(&[("a.ll", "define i32 @main() { ret i32 0 }")]);
    assert_eq!(
        scratch.refusal("run a.ll --check ub"),
        "error: --check is for C and C++ files, which the checks are compiled into; build a \
         project with `everypath build --check`\n"
    );
}

#[test]
fn a_preprocessed_file_is_c_and_its_lines_are_those_it_was_made_of() {
    let scratch = Scratch::with(&[(
        "task.i",
        "# 1 \"task.c\"\n\
         # 10 \"task.c\"\n\
         extern void *malloc(unsigned int size);\n\
         extern unsigned int __VERIFIER_nondet_uint(void);\n\
         int main(void) {\n\
         \x20   unsigned int size = __VERIFIER_nondet_uint();\n\
         \x20   if (size > 2) return 0;\n\
         \x20   char *text = malloc(size);\n\
         \x20   text[1] = 'a';\n\
         \x20   return 0;\n\
         }\n",
    )]);
    let report = scratch.everypath("run task.i -o out --json").json();
    let errors = report["errors"].as_array().expect("it is a list");
    let places = errors
        .iter()
        .map(|it| (&it["kind"], &it["file"], &it["line"]));
    for (kind, file, line) in places {
        assert_eq!((kind, line), (&"out-of-bounds-write".into(), &16.into()));
        assert!(file.as_str().is_some_and(|it| it.ends_with("task.c")));
    }
    assert_eq!(
        (errors.len(), &report["paths"]["completed"]),
        (2, &2.into())
    );
}
