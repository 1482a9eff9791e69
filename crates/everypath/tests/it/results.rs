//! What a run leaves, looked at with other commands and taken to other tools.

use serde_json::{Value as Json, json};
use std::process::Command;
use testkit::{Finished, Scratch, project};

/// Four paths, one of them with an error; the exit status says which.
const PROGRAM: &str = r#"
#include <everypath.h>
int divide(int a, int b) {
    return a / b;
}
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x < 0)
        return 1;
    if (x > 100)
        return 2;
    if (divide(6, x) == 3)
        return 3;
    return 4;
}
"#;

/// A folder in which the program was run.
fn run(program: &str, flags: &[&str]) -> Scratch {
    let scratch = Scratch::with(&[("program.c", program)]);
    let finished = scratch.everypath(&[&["run", "program.c"], flags].concat());
    assert!(finished.status < Some(2), "{}", finished.said());
    scratch
}

#[test]
fn tests_are_listed_with_their_ends_and_inputs() {
    let scratch = run(PROGRAM, &[]);
    let listed = scratch.everypath("tests --json").succeeds().json();
    let tests = listed["tests"].as_array().expect("they are listed");
    assert_eq!(tests.len(), 5);
    let ends: Vec<&Json> = tests.iter().map(|test| &test["end"]).collect();
    for end in ["exit 1", "exit 2", "exit 3", "exit 4", "division"] {
        assert!(ends.contains(&&json!(end)), "{ends:?}");
    }
    let listed = scratch.everypath("tests --errors").succeeds().stdout;
    assert!(
        listed.ends_with("  division at program.c:4  x=0\n"),
        "{listed}"
    );
    assert_eq!(listed.lines().count(), 1);
}

#[test]
fn a_change_of_the_program_shows_in_the_difference_of_its_runs() {
    let scratch = run(PROGRAM, &[]);
    // The error is gone, another is new, and a line is reached no longer.
    let changed = PROGRAM
        .replace("return a / b;", "return b ? a / b : 0;")
        .replace("if (x > 100)", "if (x > 100 && x < 50)")
        .replace("return 1;", "{ ep_assert(x != -7); return 1; }");
    scratch.write("program.c", changed);
    scratch.everypath("run program.c");
    let compared = scratch.everypath("diff everypath-out-0 everypath-out-1 --json");
    assert_eq!(compared.status, Some(1), "{}", compared.said());
    let difference = compared.json();
    assert_eq!(difference["errors"]["gone"][0]["kind"], "division");
    assert_eq!(difference["errors"]["new"][0]["kind"], "assert");
    assert_eq!(difference["errors"]["kept"], 0);
    assert_eq!(
        difference["lines"],
        json!({"program.c": {"gained": [], "lost": [12]}})
    );
    let text = scratch
        .everypath("diff everypath-out-0 everypath-out-1")
        .stdout;
    assert!(text.contains("new error: program.c:10: assert: "), "{text}");
    assert!(
        text.contains("program.c: no longer covered: 12\n"),
        "{text}"
    );
    let same = scratch
        .everypath("diff everypath-out-1 everypath-out-1")
        .succeeds();
    assert!(!same.stdout.contains('*'), "{}", same.stdout);
}

#[test]
fn few_tests_are_kept_that_cover_what_all_do() {
    let program = r#"
        #include <everypath.h>
        int main(void) {
            unsigned char bytes[4];
            int sum = 0;
            ep_symbolic(bytes, sizeof bytes, "bytes");
            for (int i = 0; i < 4; i++)
                if (bytes[i] > 7) sum++;
            return sum;
        }"#;
    let scratch = run(program, &[]);
    let kept = scratch
        .everypath("minimize --output few --json")
        .succeeds()
        .json();
    assert_eq!(kept["tests"], 16);
    let number = kept["kept"].as_array().map(Vec::len);
    assert!(number <= Some(2), "two paths take every branch: {kept}");
    // What is kept is a run like any other, and covers the same natively.
    let listed = scratch.everypath("tests few --json").succeeds().json();
    assert_eq!(listed["tests"].as_array().map(Vec::len), number);
    scratch.replays_natively("few");
}

#[test]
fn an_error_keeps_its_test() {
    let scratch = run(PROGRAM, &[]);
    scratch.everypath("minimize --output few").succeeds();
    let listed = scratch.everypath("tests few --errors").succeeds().stdout;
    assert!(listed.contains("division"), "{listed}");
}

/// What `make check` says in a folder.
fn check(scratch: &Scratch, folder: &str) -> Finished {
    let mut make = Command::new("make");
    Finished::of(make.arg("-C").arg(scratch.path(folder)).arg("check"))
}

/// Exports, and checks that only the test of the error fails, and no test once the
/// error is fixed.
#[track_caller]
fn guards_the_fix(form: &str, failing: &str) {
    let scratch = run(PROGRAM, &[]);
    scratch
        .everypath(&["export", "--as", form, "--output", "tests"])
        .succeeds();
    let before = check(&scratch, "tests");
    assert_eq!(before.status, Some(2), "{}", before.said());
    let said = before.said();
    assert_eq!(said.matches(failing).count(), 1, "{said}");
    scratch.write("program.c", PROGRAM.replace("a / b", "b ? a / b : 0"));
    check(&scratch, "tests").succeeds();
}

#[test]
fn tests_in_c_fail_until_the_error_is_fixed() {
    guards_the_fix("c", "not ok ");
}

#[test]
fn tests_in_rust_fail_until_the_error_is_fixed() {
    guards_the_fix("rust", "... FAILED");
}

#[test]
fn tests_for_googletest_fail_until_the_error_is_fixed() {
    let mut look = Command::new(testkit::CLANG);
    let header = look.args(["-E", "-include", "gtest/gtest.h", "-x", "c++", "/dev/null"]);
    if !Finished::of(header).success() {
        eprintln!("skipped: there is no GoogleTest; scripts/install-dependencies gets it");
        return;
    }
    guards_the_fix("googletest", " 1 FAILED TEST");
}

#[test]
fn tests_for_pytest_fail_until_the_error_is_fixed() {
    if !Finished::of(Command::new("python3").args(["-c", "import pytest"])).success() {
        eprintln!("skipped: there is no pytest; scripts/install-dependencies gets it");
        return;
    }
    guards_the_fix("pytest-ctypes", "FAILED test_program.py");
}

#[test]
fn exported_tests_bring_arguments_files_and_standard_input_along() {
    let program = r#"
        #include <stdio.h>
        int main(int argc, char **argv) {
            FILE *file = fopen("A", "r");
            if (argc == 2 && argv[1][0] == '-' && file && fgetc(file) == '%')
                if (getchar() == '!') return 7;
            return 0;
        }"#;
    let flags = [
        "--sym-args",
        "0",
        "1",
        "1",
        "--sym-files",
        "1",
        "1",
        "--sym-stdin",
        "1",
    ];
    let scratch = run(program, &flags);
    scratch.everypath("export --as c --output tests").succeeds();
    let text = scratch.read("tests/tests.c");
    assert!(text.contains("ep_test_stdin(\"!\", 1);"), "{text}");
    check(&scratch, "tests").succeeds();
}

#[test]
fn exported_tests_of_a_function_call_it() {
    let program = "double half(double x) { return x / 2; }
        static int sign(short a, double x) { return a > 3 ? half(x) > 1.0 : 5; }
        int keep(void) { return sign(1, 2.0); }";
    let scratch = run(program, &["--entry", "sign"]);
    scratch.everypath("export --as c --output tests").succeeds();
    check(&scratch, "tests").succeeds();
}

#[test]
fn raw_tests_are_the_bytes_of_their_inputs() {
    let scratch = run(PROGRAM, &[]);
    scratch.everypath("export --as raw --output raw").succeeds();
    let names = scratch.names("raw");
    assert_eq!(names.len(), 5);
    let input = std::fs::read(scratch.path("raw/test000001/inputs/00-x"));
    assert_eq!(input.map(|bytes| bytes.len()).ok(), Some(4));
    let message = scratch.refusal("export --as raw --output raw");
    assert_eq!(
        message,
        "error: the output directory raw is not empty; remove it or choose another\n"
    );
}

#[test]
fn results_go_to_build_servers_and_code_review() {
    let scratch = run(PROGRAM, &[]);
    let sarif = scratch.everypath("export --as sarif").succeeds().json();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "division");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "program.c");
    assert_eq!(place["region"]["startLine"], 4);
    let junit = scratch.everypath("export --as junit").succeeds().stdout;
    assert!(junit.contains("tests=\"5\" failures=\"1\""), "{junit}");
    scratch
        .everypath("export --as cobertura --output coverage.xml")
        .succeeds();
    let xml = scratch.read("coverage.xml");
    assert!(xml.contains("filename=\"program.c\""), "{xml}");
    let lcov = scratch.everypath("export --as lcov").succeeds().stdout;
    assert_eq!(lcov, scratch.read("everypath-last/coverage.info"));
}

#[test]
fn junit_holds_to_the_schema_that_jenkins_reads_it_with() {
    let scratch = run(PROGRAM, &[]);
    scratch
        .everypath("export --as junit --output junit.xml")
        .succeeds();
    holds_to(&scratch, "junit.xml", ["--schema", "junit-10.xsd"]);
}

#[test]
fn coverage_holds_to_the_definition_of_cobertura() {
    let scratch = run(PROGRAM, &[]);
    scratch
        .everypath("export --as cobertura --output coverage.xml")
        .succeeds();
    holds_to(&scratch, "coverage.xml", ["--dtdvalid", "coverage-04.dtd"]);
}

#[test]
fn sarif_holds_to_the_schema_of_the_standard() {
    let schema = std::fs::read_to_string(project(SCHEMAS).join("sarif-2.1.0.json"));
    // One pattern, of languages, has a bracket too many, which is no regular expression.
    let schema = schema.expect("it is there").replace("{2}]?$", "{2}$");
    let schema = serde_json::from_str(&schema).expect("it is JSON");
    let schema = jsonschema::validator_for(&schema).expect("it is a schema");
    // With an error, and without any.
    for program in [PROGRAM, "int main(void) { return 0; }"] {
        let scratch = run(program, &[]);
        let sarif = scratch.everypath("export --as sarif").succeeds().json();
        let problems: Vec<String> = schema
            .iter_errors(&sarif)
            .map(|problem| problem.to_string())
            .collect();
        assert_eq!(problems, [""; 0], "{sarif:#}");
    }
}

const SCHEMAS: &str = "crates/everypath/tests/schemas";

/// Whether a file of XML is what a schema says, as far as there is a tool to check it.
fn holds_to(scratch: &Scratch, file: &str, [how, schema]: [&str; 2]) {
    let mut xmllint = Command::new("xmllint");
    xmllint
        .args(["--noout", "--nonet", how])
        .arg(project(SCHEMAS).join(schema))
        .arg(scratch.path(file));
    match xmllint.output() {
        Ok(output) => {
            Finished::from(output).succeeds();
        }
        Err(_) => eprintln!("skipped: there is no xmllint; scripts/install-dependencies gets it"),
    }
}

#[test]
fn settings_are_read_from_the_project_and_written_with_every_key() {
    let scratch = Scratch::with(&[("program.c", PROGRAM)]);
    scratch.everypath("init program.c").succeeds();
    let finished = scratch.everypath("run --json");
    assert_eq!(finished.status, Some(1), "{}", finished.said());
    assert_eq!(finished.json()["tests"], 5);
    let message = scratch.refusal("init");
    assert_eq!(
        message,
        "error: there is an everypath.toml here already; remove it to have a new one\n"
    );
    scratch.write("everypath.toml", "[run]\nfile = \"program.c\"\n");
    assert_eq!(
        scratch.refusal("run program.c"),
        "error: everypath.toml: there is no key `file`; there is `files`\n"
    );
}

#[test]
fn shells_and_man_know_every_command() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = scratch.everypath(&["completions", shell]).succeeds().stdout;
        assert!(
            script.contains("minimize") && script.contains("max-time"),
            "{shell}"
        );
    }
    scratch.everypath("man pages").succeeds();
    let pages = scratch.names("pages");
    for page in ["everypath.1", "everypath-run.1", "everypath-export.1"] {
        assert!(pages.contains(&page.to_owned()), "{pages:?}");
    }
    assert!(scratch.read("pages/everypath-run.1").contains("max\\-time"));
}

#[test]
fn a_line_break_in_the_name_of_a_file_breaks_no_line() {
    let scratch = Scratch::new();
    let (file, out) = ("a\nb.c", "o\nut");
    // Nor does source that is not UTF-8 hide the place.
    let program = PROGRAM.replace("return a / b;", "return a / b; /* caf\u{e9} */");
    let program: Vec<u8> = program.chars().map(|c| c as u8).collect();
    scratch.write(file, program);
    let ran = scratch.everypath(&["run", file, "--output", out]);
    assert_eq!(ran.status, Some(1), "{}", ran.said());
    let told = ran.stdout;
    assert!(
        told.starts_with("error: a\\012b.c:4:14: division: "),
        "{told}"
    );
    assert!(
        told.contains("\n4 |     return a / b; /* caf\u{fffd} */\n"),
        "{told}"
    );
    assert!(told.contains("\n  in divide (a\\012b.c:4)\n"), "{told}");
    assert!(
        told.contains("\n  replay: everypath replay $'o\\nut/test"),
        "{told}"
    );
    assert!(told.contains(" in o\\012ut, complete"), "{told}");

    let said = |command: &[&str]| scratch.everypath(command).succeeds().stdout;
    let listed = said(&["tests", out, "--errors"]);
    assert!(
        listed.ends_with("  division at a\\012b.c:4  x=0\n"),
        "{listed}"
    );
    assert_eq!(listed.lines().count(), 1);
    let covered = said(&["cover", out]);
    assert_eq!(covered.lines().count(), 2, "{covered}");
    assert!(covered.contains("a\\012b.c  lines "), "{covered}");
    let failed = said(&["export", out, "--as", "junit"]);
    assert!(failed.contains("in divide (a\\012b.c:4)"), "{failed}");
    let cobertura = said(&["export", out, "--as", "cobertura"]);
    assert!(cobertura.contains(" filename=\"a\\012b.c\""), "{cobertura}");
    let info = said(&["export", out, "--as", "lcov"]);
    assert!(
        info.lines()
            .nth(1)
            .is_some_and(|it| it.ends_with("/a\\012b.c"))
    );
    // What is read back is the file that there is.
    said(&["report", out, "--html", "page.html"]);
    assert!(scratch.read("page.html").contains("return a / b;"));
    let refused = scratch.everypath(&["run", "no\nne.c"]);
    assert_eq!(
        refused.stderr,
        "error: cannot read no\\012ne.c: there is no such file\n"
    );
}
