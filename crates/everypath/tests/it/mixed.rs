//! Conditions with external functions: the published cases in `examples/mixed`,
//! native libraries, tables, and functions with effects.

use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::{Finished, Scratch, project};

/// The ends of hash.c and hash_inner.c.
const NOT_POSITIVE: &str = "exit 0";
const S0_S3: &str = "exit 5";
const S1_S3: &str = "exit 6";
const S0_S4: &str = "exit 9";
const S1_S4: &str = "exit 10";

#[test]
fn mixed_solving_covers_every_path_of_the_hash_example() {
    let run = Run::of_example("hash.c", &[]);
    run.ends_with(&[NOT_POSITIVE, S0_S3, S1_S3, S0_S4, S1_S4]);
    assert_eq!(run.unknown_paths(), 0);
    run.replays();
}

#[test]
fn exe_keeps_the_first_x_of_the_hash_example_and_never_reaches_s3() {
    let run = Run::of_example("hash.c", &["--complex", "exe"]);
    run.ends_with(&[NOT_POSITIVE, S0_S4, S1_S4]);
    assert_eq!(run.json["external"]["queries"], 0);
    let reasons = run.json["incomplete"].as_array().expect("a list");
    assert!(!reasons.is_empty(), "{}", run.said);
    for reason in reasons {
        assert_eq!(reason["reason"], "concretized");
        assert_eq!(reason["function"], "hash");
        assert_eq!(reason["what"], "its argument `x`");
    }
    run.replays();
}

#[test]
fn dart_covers_every_statement_of_the_hash_example_and_not_every_path() {
    let arguments = ["--complex", "dart", "--max-tries", "0"];
    let run = Run::of_example("hash.c", &arguments);
    run.ends_with(&[NOT_POSITIVE, S0_S3, S1_S3, S1_S4]);
    assert_eq!(run.json["external"]["divergences"], 1);
    run.replays();
}

#[test]
fn tables_decide_what_their_rows_say_and_a_few_more_rows_say_more() {
    let run = Run::of_example("hash.c", &["--complex", "table", "--max-tries", "0"]);
    run.ends_with(&[NOT_POSITIVE, S0_S4, S1_S4]);
    assert_eq!(run.unknown_paths(), 2);
    run.replays();
    let run = Run::of_example("hash.c", &["--complex", "table"]);
    run.ends_with(&[NOT_POSITIVE, S0_S3, S1_S3, S0_S4, S1_S4]);
    assert_eq!(run.unknown_paths(), 0);
    run.replays();
}

#[test]
fn dart_follows_every_path_of_a_program_without_external_functions() {
    let run = Run::of_example("../sort.c", &["--complex", "dart"]);
    assert_eq!(run.json["paths"]["completed"], 120);
    assert_eq!(run.json["external"]["divergences"], 0);
    let run = Run::of_example("../maze.c", &["--complex", "dart"]);
    let forking = Run::of_example("../maze.c", &[]);
    assert_eq!(run.json["paths"], forking.json["paths"]);
}

#[test]
fn classic_gives_up_on_hash_and_counts_what_it_does_not_know() {
    let run = Run::of_example("hash.c", &["--complex", "classic"]);
    // The way a path's model goes needs no answer.
    run.ends_with(&[NOT_POSITIVE, S1_S4]);
    assert_eq!(run.unknown_paths(), 2);
    let external = &run.json["external"];
    assert_eq!(external["unknown"], external["queries"]);
    assert_eq!(external["yes"], 0);
    run.replays();
}

#[test]
fn one_solution_is_not_enough_for_the_inner_condition() {
    let run = Run::of_example("hash_inner.c", &["--heuristics", "none", "--search", "dfs"]);
    run.ends_with(&[NOT_POSITIVE, S1_S3, S0_S4, S1_S4]);
    assert_eq!(run.unknown_paths(), 1);
    run.replays();
}

#[test]
fn each_of_three_heuristics_alone_solves_the_inner_condition() {
    for heuristic in ["incremental", "partition", "search"] {
        for search in ["dfs", "interleaved"] {
            let arguments = ["--heuristics", heuristic, "--search", search];
            let run = Run::of_example("hash_inner.c", &arguments);
            run.ends_with(&[NOT_POSITIVE, S0_S3, S1_S3, S0_S4, S1_S4]);
            assert_eq!(run.unknown_paths(), 0, "{heuristic}");
            assert_eq!(run.json["external"]["heuristics"][heuristic]["yes"], 1);
            run.replays();
        }
    }
}

#[test]
fn no_integer_is_greater_than_its_square() {
    let run = Run::of_example("square.c", &[]);
    run.ends_with(&["exit 0"]);
    run.replays();
}

#[test]
fn a_path_that_does_not_exist_shows_when_arguments_are_not_held() {
    let run = Run::of_example("square.c", &["--loose-arguments"]);
    run.ends_with(&["exit 0", "exit 1"]);
}

#[test]
fn the_conflict_probe_is_covered_to_the_last_branch() {
    let limits = ["--until-covered", "--max-time", "600", "--no-dump"];
    let run = Run::of_example("conflict.c", &limits);
    let branches = &run.json["coverage"]["branches"];
    assert_eq!(branches["covered"], branches["total"], "{}", run.said);
    run.replays();
}

#[test]
fn the_autopilot_is_driven_over_its_limit_in_two_steps_and_in_five() {
    let folder = project("examples/mixed/autopilot");
    let entries = fs::read_dir(&folder).expect("the example is there");
    let names = entries.map(|entry| entry.expect("it can be read").file_name());
    let names = names.map(|name| name.into_string().expect("it is ASCII"));
    let mut files: Vec<String> = names.filter(|name| name.ends_with(".c")).collect();
    files.sort();
    for steps in ["STEPS=2", "STEPS=5"] {
        // One of the seeds with which five steps are found soon.
        let limits = [
            "--max-errors",
            "1",
            "--max-time",
            "600",
            "--no-dump",
            "--seed",
            "3",
        ];
        let mut arguments: Vec<&str> = files[1..].iter().map(String::as_str).collect();
        arguments.extend(["-D", steps]);
        arguments.extend(limits);
        let run = Run::of(&folder, Path::new(&files[0]), &arguments);
        let message = run.json["errors"][0]["message"].as_str();
        assert_eq!(
            message,
            Some("assertion `autopilot.jet_time <= JET_TIME_LIMIT` failed"),
            "{}",
            run.said
        );
        run.replays();
    }
}

#[test]
fn one_of_two_aborts_behind_a_cube_is_found_with_every_seed() {
    for seed in 0..100 {
        let run = Run::of_example("cube.c", &["--seed", &seed.to_string()]);
        run.ends_with(&["exit 0", "abort"]);
        let errors = run.json["errors"].as_array().expect("a list of errors");
        let lines: Vec<_> = errors.iter().map(|error| error["line"].as_u64()).collect();
        assert_eq!(lines, [Some(19)], "seed {seed}");
        if seed == 0 {
            run.replays();
        }
    }
}

#[test]
fn a_value_from_another_path_helps() {
    let with = |heuristics: &str| {
        let run = Run::of_example(
            "residual.c",
            &["--heuristics", heuristics, "--search", "dfs"],
        );
        run.replays();
        run
    };
    let without = with("none");
    without.ends_with(&["exit 1", "exit 2", "exit 4"]);
    assert_eq!(without.unknown_paths(), 1);
    let residual = with("residual");
    residual.ends_with(&["exit 1", "exit 2", "exit 3", "exit 4"]);
    assert_eq!(residual.unknown_paths(), 0);
    assert_eq!(
        residual.json["external"]["heuristics"]["residual"]["yes"],
        1
    );
}

#[test]
fn both_branches_of_the_bessel_example_are_covered_with_any_seed() {
    for seed in 0..10 {
        let run = Run::of_example("bessel.c", &["--seed", &seed.to_string()]);
        run.ends_with(&["exit 0", "exit 1"]);
        assert_eq!(run.unknown_paths(), 0, "seed {seed}");
        if seed == 0 {
            run.replays();
        }
    }
}

#[test]
fn the_run_says_which_functions_were_called_and_how_conditions_were_decided() {
    let run = Run::of_example("hash_inner.c", &["--heuristics", "incremental"]);
    let external = &run.json["external"];
    assert_eq!(external["strategy"], "mixed");
    let number = |value: &Json| value.as_u64().unwrap_or_else(|| panic!("{external:#}"));
    let [hash] = &external["functions"].as_array().expect("a list")[..] else {
        panic!("there is one function: {external:#}");
    };
    assert_eq!(hash["function"], "hash");
    assert_eq!(hash["failures"], 0);
    assert!(number(&hash["runs"]) > 0);
    assert_eq!(
        number(&hash["calls"]),
        number(&hash["runs"]) + number(&hash["from_table"])
    );
    assert_eq!(
        number(&external["queries"]),
        number(&external["yes"]) + number(&external["no"]) + number(&external["unknown"])
    );
    let heuristics = external["heuristics"].as_object().expect("an object");
    let yes: u64 = heuristics.values().map(|tally| number(&tally["yes"])).sum();
    assert_eq!(yes, number(&external["yes"]));
    let names: BTreeSet<&str> = heuristics.keys().map(String::as_str).collect();
    let known = "first incremental partition random residual search table";
    assert_eq!(names, known.split(' ').collect());
    let told = format!(
        "external function hash: {} calls, {} runs\n",
        hash["calls"], hash["runs"]
    );
    assert!(run.said.contains(&told), "{}", run.said);
}

#[test]
fn a_wildcard_takes_the_functions_that_can_be_run_and_leaves_the_others() {
    let files = Scratch::new();
    files.write(
        "program.c",
        r#"#include <everypath.h>
           int hash(int x) { return 10 * x; }
           int hash_of(const int *x) { return hash(*x); }
           int main(void) {
               int x;
               ep_symbolic(&x, sizeof x, "x");
               if (hash_of(&x) == 40)
                   return 1;
               return 0;
           }"#,
    );
    let run = run_in(&files, &["--concrete", "h?sh*"]);
    run.ends_with(&["exit 0", "exit 1"]);
    assert_eq!(run.function_names(), ["hash"]);
    run.replays();
}

#[test]
fn functions_of_a_library_take_and_give_numbers() {
    let files = with_library(
        "int twist(int x) { return (x ^ 0x55) * 3; }
         double wave(double x) { return x * x - 2.0; }",
    );
    files.write(
        "program.c",
        r#"#include <everypath.h>
           int twist(int x);
           double wave(double x);
           int main(void) {
               int x;
               double d;
               ep_symbolic(&x, sizeof x, "x");
               ep_symbolic(&d, sizeof d, "d");
               int met = 0;
               if (twist(x) == 300)
                   met |= 1;
               if (wave(d) > 7.0)
                   met |= 2;
               return met;
           }"#,
    );
    for library in ["libfoo.so", "./libfoo.so"] {
        let run = run_in(&files, &["--load", library]);
        run.ends_with(&["exit 0", "exit 1", "exit 2", "exit 3"]);
        assert_eq!(run.function_names(), ["twist", "wave"]);
        run.replays();
    }
}

#[test]
fn functions_of_a_library_read_and_write_arrays_of_the_program() {
    let files = with_library(
        "void shout(char *to, const char *from) {
             for (; *from; from++)
                 *to++ = *from >= 'a' && *from <= 'z' ? *from - 32 : *from;
             *to = 0;
         }",
    );
    files.write(
        "program.c",
        r#"#include <everypath.h>
           #include <string.h>
           void shout(char *to, const char *from);
           int main(void) {
               char c;
               ep_symbolic(&c, sizeof c, "c");
               char from[4] = "abc", to[8] = "-------";
               if (c == 'q')
                   from[1] = c;
               shout(to, from);
               if (strcmp(to, "ABC") == 0 && strcmp(to + 4, "---") == 0)
                   return 1;
               return strcmp(to, "AQC") == 0 && strcmp(from, "aqc") == 0 ? 2 : 3;
           }"#,
    );
    let run = run_in(&files, &["--load", "libfoo.so"]);
    run.ends_with(&["exit 1", "exit 2"]);
    run.replays();
}

#[test]
fn a_crash_in_a_library_is_an_error_of_its_own_path_only() {
    let (_files, run) = with_accident("*(volatile int *)0 = 1");
    run.ends_with(&["exit 40", "exit 41", "native-crash"]);
    let error = &run.json["errors"][0];
    assert_eq!(error["line"], 7);
    assert_eq!(
        error["message"],
        "delicate(7) crashed with SIGSEGV (invalid memory access)"
    );
    assert_eq!(run.json["external"]["functions"][0]["failures"], 1);
    run.replays();
}

#[test]
fn a_library_that_hangs_leaves_its_own_path_unknown() {
    let (_files, run) = with_accident("pause()");
    run.ends_with(&["exit 40", "exit 41"]);
    assert_eq!(run.unknown_paths(), 1);
    let reasons = run.json["incomplete"].as_array().expect("a list");
    let mut reasons = reasons.iter();
    let hung = reasons.find(|it| it["reason"] == "timed-out");
    let hung = hung.unwrap_or_else(|| panic!("it hangs: {}", run.said));
    assert_eq!(hung["function"], "delicate");
    assert_eq!(hung["line"], 7);
}

/// Runs a program with a native function that does `mishap` when given 7.
fn with_accident(mishap: &str) -> (Scratch, Run) {
    let files = with_library(&format!(
        "int pause(void);
         int delicate(int x) {{
             if (x == 7)
                 {mishap};
             return x + 1;
         }}"
    ));
    files.write(
        "program.c",
        r#"#include <everypath.h>
int delicate(int x);
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x == 7)
        return delicate(x);
    if (delicate(x) == 4)
        return 40;
    return 41;
}"#,
    );
    let run = run_in(&files, &["--load", "libfoo.so"]);
    (files, run)
}

#[test]
fn tables_keep_what_was_observed_and_are_believed() {
    let files = with_library("int twist(int x) { return (x ^ 0x55) * 3; }");
    files.write(
        "program.c",
        r#"#include <everypath.h>
           int twist(int x);
           int main(void) {
               int x;
               ep_symbolic(&x, sizeof x, "x");
               if (twist(x) == 300)
                   return 1;
               return 0;
           }"#,
    );
    let arguments = ["--load", "libfoo.so", "--tables", "tables"];
    let run = run_in(&files, &arguments);
    run.ends_with(&["exit 0", "exit 1"]);
    let table = files.read("tables/twist.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows[1], "i32,i32");
    assert!(rows.contains(&"0,255") && rows.contains(&"49,300"));
    let function = &run.json["external"]["functions"][0];
    assert_eq!(function["runs"].as_u64(), Some(rows.len() as u64 - 2));

    let again = run_in(&files, &arguments);
    again.ends_with(&["exit 0", "exit 1"]);
    assert_eq!(again.json["external"]["functions"][0]["runs"], 0);
    assert_eq!(files.read("tables/twist.csv"), table);

    files.write(
        "tables/twist.csv",
        format!("{}\n{}\n0,300\n", rows[0], rows[1]),
    );
    let edited = run_in(&files, &arguments);
    edited.ends_with(&["exit 0", "exit 1"]);
    assert!(edited.has_test_with([0; 4], "exit 1"), "{:#}", edited.json);
}

#[test]
fn a_function_with_effects_that_is_said_to_be_pure_is_solved_for() {
    let files = Scratch::new();
    files.write(
        "program.c",
        r#"#include <everypath.h>
           #include <unistd.h>
           int main(void) {
               unsigned x;
               ep_symbolic(&x, sizeof x, "x");
               ep_assume(x < 2);
               usleep(x);
               if (x == 1)
                   return 1;
               return 0;
           }"#,
    );
    let run = run_in(&files, &["--pure", "usleep"]);
    run.ends_with(&["exit 0", "exit 1"]);
    assert!(!run.said.contains("has effects"), "{}", run.said);
    run.replays();
}

/// With `libfoo.so`, compiled from this.
fn with_library(source: &str) -> Scratch {
    let scratch = Scratch::with(&[("foo.c", source)]);
    scratch.clang(["-shared", "-fPIC", "-O1", "-o", "libfoo.so", "foo.c"]);
    scratch
}

/// Runs `program.c` of a folder.
fn run_in(scratch: &Scratch, arguments: &[&str]) -> Run {
    Run::of(scratch.folder(), Path::new("program.c"), arguments)
}

/// What came of running a program.
struct Run {
    output: Scratch,
    json: Json,
    /// What was printed, notes first.
    said: String,
}

impl Run {
    fn of_example(name: &str, arguments: &[&str]) -> Run {
        let examples = project("examples/mixed");
        Run::of(&examples, &examples.join(name), arguments)
    }

    fn of(folder: &Path, program: &Path, arguments: &[&str]) -> Run {
        let output = Scratch::new();
        let tests = output.path("out");
        let command = [
            OsStr::new("run"),
            program.as_ref(),
            "--output".as_ref(),
            tests.as_ref(),
        ];
        let ran = Finished::of(testkit::command(folder, &command).args(arguments));
        let said = ran.said();
        assert!(matches!(ran.status, Some(0 | 1)), "{said}");
        let json = serde_json::from_str(&output.read("out/run.json"));
        let json = json.expect("run.json is JSON");
        Run { output, json, said }
    }

    fn tests(&self) -> PathBuf {
        self.output.path("out")
    }

    /// Checks the set of ends that paths have.
    fn ends_with(&self, expected: &[&str]) {
        let ends = self.json["ends"].as_object().expect("an object");
        let ends: BTreeSet<&str> = ends.keys().map(String::as_str).collect();
        let expected: BTreeSet<&str> = expected.iter().copied().collect();
        assert_eq!(ends, expected, "{}", self.said);
        // Nothing is called complete that has left something out, and the reverse.
        let reasons = self.json["incomplete"].as_array().expect("a list");
        let outcome = match reasons.is_empty() {
            true => "complete",
            false => "incomplete",
        };
        assert_eq!(self.json["outcome"], outcome, "{}", self.said);
        if self.unknown_paths() > 0 || expected.contains("unsupported") {
            assert_eq!(outcome, "incomplete", "{}", self.said);
        }
    }

    fn unknown_paths(&self) -> u64 {
        let unknown = self.json["paths"]["unknown"].as_u64();
        unknown.expect("a number")
    }

    fn function_names(&self) -> Vec<&str> {
        let functions = self.json["external"]["functions"].as_array();
        let names = functions.expect("a list").iter();
        names.filter_map(|one| one["function"].as_str()).collect()
    }

    /// Whether the test of a path with that end, the only one, has this input.
    fn has_test_with(&self, input: [u8; 4], end: &str) -> bool {
        let number: u32 = self.json["ends"][end]
            .as_str()
            .and_then(|tests| tests.parse().ok())
            .expect("one test ends so");
        let test = fs::read(self.tests().join(format!("test{number:06}.ktest")));
        test.expect("the test was written").ends_with(&input)
    }

    /// Checks that every test does in the real program what was predicted.
    fn replays(&self) {
        self.output.everypath("replay out --native").succeeds();
    }
}
