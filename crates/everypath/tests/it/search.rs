//! Searches that cope with many paths, as a user meets them.

use serde_json::Value;
use std::path::{Path, PathBuf};
use testkit::{Scratch, project};

fn example(name: &str) -> PathBuf {
    project("examples/search").join(name)
}

fn run_file(file: &Path, options: &[&str]) -> (Scratch, Value) {
    let scratch = Scratch::new();
    let run = run_in(&scratch, file, options);
    (scratch, run)
}

fn run_text(program: &str, options: &[&str]) -> (Scratch, Value) {
    let scratch = Scratch::with(&[("program.c", program)]);
    let run = run_in(&scratch, Path::new("program.c"), options);
    (scratch, run)
}

fn run_in(scratch: &Scratch, file: &Path, options: &[&str]) -> Value {
    let file = file.to_string_lossy();
    let arguments = [&["run", &file, "--output", "out", "--json"][..], options].concat();
    scratch.everypath(&arguments).json()
}

fn number(run: &Value, pointer: &str) -> u64 {
    run.pointer(pointer).and_then(Value::as_u64).expect(pointer)
}

#[test]
fn looking_ahead_covers_the_same_with_a_fraction_of_the_paths() {
    let (_, all) = run_file(&example("ledger.c"), &[]);
    let (directory, fewer) = run_file(&example("ledger.c"), &["--look-ahead"]);
    assert_eq!(fewer["coverage"], all["coverage"]);
    assert_eq!(fewer["outcome"], "complete");
    assert_eq!(number(&all, "/paths/pruned"), 0);
    assert!(number(&fewer, "/paths/pruned") > 0);
    let (few, many) = (number(&fewer, "/tests"), number(&all, "/tests"));
    assert!(few * 40 < many, "{few} of {many}");
    directory.replays_natively("out");
}

#[test]
fn a_path_that_calls_too_deep_ends_and_is_counted() {
    let program = r#"
        #include <everypath.h>
        #include <stdio.h>
        static int digits(unsigned n) { return n < 10 ? 1 : 1 + digits(n / 10); }
        int main(void) {
            unsigned n;
            ep_symbolic(&n, sizeof n, "n");
            ep_assume(n < 100000);
            printf("%u\n", n);
            return digits(n);
        }"#;
    let (_, all) = run_text(program, &[]);
    assert_eq!(number(&all, "/paths/completed"), 5);
    assert_eq!(number(&all, "/paths/too_deep"), 0);
    // main, and two or three calls of digits; the library's calls do not count.
    let (_, bounded) = run_text(program, &["--max-call-depth", "3"]);
    assert_eq!(number(&bounded, "/paths/completed"), 2);
    assert_eq!(number(&bounded, "/paths/too_deep"), 1);
    assert_eq!(number(&bounded, "/paths/unfinished"), 1);
    assert_eq!(number(&bounded, "/tests"), 3);
    let output = Scratch::new().everypath(&["run", "none.c", "--max-call-depth", "0"]);
    assert_eq!(output.status, Some(2));
    let said = output.stderr;
    assert!(said.contains("0 is not in 1.."), "{said}");
}

/// Runs until the target is reached, which is an error, or as many as `most`.
fn runs_to_target(name: &str, search: &str, most: u64, forks: u64) -> (bool, u64, u64) {
    let (most, forks) = (most.to_string(), forks.to_string());
    let options = [
        &["--search", search, "--max-errors", "1", "--no-dump"][..],
        &["--max-tests", &most, "--max-forks", &forks],
    ];
    let (directory, run) = run_file(&example(name), &options.concat());
    let reached = number(&run, "/paths/errors") == 1;
    if reached {
        let test = run["errors"][0]["test"].as_str().expect("it has a test");
        directory.replays_natively(&format!("out/{test}"));
    }
    (reached, number(&run, "/tests"), number(&run, "/forks"))
}

#[test]
fn fitness_reaches_what_the_default_search_does_not_in_as_many_runs() {
    for (name, most) in [("counter.c", 260), ("published.c", 60), ("words.c", 160)] {
        let (reached, runs, forks) = runs_to_target(name, "fitness", most, 1_000_000);
        assert!(reached, "{name}: not in {runs} runs");
        let (reached, ..) = runs_to_target(name, "interleaved", runs, forks);
        assert!(!reached, "{name}: the default search does as well");
        let (reached, as_many, _) = runs_to_target(name, "dfs", runs, 1_000_000);
        assert_eq!((reached, as_many), (false, runs), "{name}: depth first");
    }
}

#[test]
fn fitness_looks_through_functions_that_only_say_yes_or_no() {
    let program = r#"
        #include <assert.h>
        #include <everypath.h>
        #include <stdbool.h>
        static int is_even_key(const char *word) {
            int same = 0;
            for (int i = 0; i < 24; i++)
                if (word[i] == 2 * i)
                    same++;
            return same == 24;
        }
        static bool is_key(const char *word) { return is_even_key(word) != 0; }
        int main(void) {
            char word[24];
            ep_symbolic(word, sizeof word, "word");
            if (!is_key(word))
                return 0;
            assert(0);
        }"#;
    let options = ["--search", "fitness", "--max-errors", "1", "--no-dump"];
    let options = [&options[..], &["--max-tests", "100"]].concat();
    let (_, run) = run_text(program, &options);
    assert_eq!(number(&run, "/paths/errors"), 1, "{run}");
}

#[test]
fn fitness_leaves_no_path_out() {
    let program = r#"
        #include <everypath.h>
        int main(void) {
            unsigned char x[5];
            ep_symbolic(x, sizeof x, "x");
            int sum = 0;
            for (int i = 0; i < 5; i++) {
                if (x[i] > 100)
                    sum += 1;
                else if (x[i] == 7)
                    sum += 3;
            }
            if (sum == 15)
                return 1;
            return sum == 4 ? 2 : 0;
        }"#;
    let (_, all) = run_text(program, &[]);
    let (directory, run) = run_text(program, &["--search", "fitness"]);
    assert_eq!(run["paths"], all["paths"]);
    assert_eq!(number(&run, "/paths/completed"), 243);
    directory.replays_natively("out");
}

/// The ends of a run's tests, without the number that comes from outside.
fn ends(run: &Value) -> Vec<&str> {
    let ends = run["ends"].as_object().expect("tests end");
    ends.keys().map(String::as_str).collect()
}

#[test]
fn each_way_through_selected_code_is_followed_once_and_the_border_revisited() {
    let options = ["--symbolic-only", "classify"];
    let (directory, run) = run_file(&example("border.c"), &options);
    assert_eq!(run["outcome"], "complete");
    assert_eq!(number(&run, "/paths/completed"), 4);
    assert!(number(&run, "/paths/revisited") >= 1, "{run}");
    let mut classes: Vec<u32> = ends(&run)
        .iter()
        .map(|end| end["exit ".len()..].parse::<u32>().expect("a status") / 2)
        .collect();
    classes.dedup();
    assert_eq!(classes, [1, 2, 3, 4]);
    directory.replays_natively("out");
}

#[test]
fn selected_code_ends_in_all_the_ways_in_which_it_ends_when_all_is_symbolic() {
    let program = r#"
        #include <everypath.h>
        #include <stdio.h>
        #include <string.h>
        static int vowels(const char *line) {
            int count = 0;
            for (; *line; line++)
                if (strchr("aeiou", *line))
                    count++;
            return count;
        }
        static int command(const char *line, unsigned char key) {
            if (strcmp(line, "go") == 0) {
                if (key == 9)
                    return 1;
                return 2;
            }
            if (line[0] == '#')
                return 3;
            switch (line[0] ^ key) {
            case 'x': return 4;
            case 'y': return 5;
            default: return 6;
            }
        }
        int main(void) {
            char line[5] = "";
            unsigned char key;
            ep_symbolic(&key, 1, "key");
            ep_assume(key != 0);
            fgets(line, sizeof line, stdin);
            if (vowels(line) > 3)
                return 0;
            return command(line, key);
        }"#;
    let (_, all) = run_text(program, &["--sym-stdin", "3"]);
    let options = ["--sym-stdin", "3", "--symbolic-only", "command"];
    let (directory, selected) = run_text(program, &options);
    assert_eq!(selected["outcome"], "complete");
    assert_eq!(ends(&selected), ends(&all));
    let (few, many) = (number(&selected, "/tests"), number(&all, "/tests"));
    assert!(few * 3 < many, "{few} of {many}");
    directory.replays_natively("out");
}

#[test]
fn code_is_selected_by_file_and_what_is_not_there_is_named() {
    let directory = Scratch::new();
    let main = "#include <everypath.h>\nint inner(int x);\nint main(void) { int x; \
                ep_symbolic(&x, sizeof x, \"x\"); if (x == 5) return 9; return inner(x); }";
    directory.write("main.c", main);
    let inner = "int inner(int x) { if (x == 7) return 1; return 2; }";
    directory.write("inner.c", inner);
    let run = |options: &[&str]| {
        let files = ["run", "main.c", "inner.c", "--json"];
        directory.everypath(&[&files[..], options].concat())
    };
    let output = run(&["--symbolic-only", "inner.c"]);
    let found: Value = output.json();
    assert_eq!(ends(&found), ["exit 1", "exit 2"]);
    let output = run(&["--symbolic-only", "inner,main"]);
    let found: Value = output.json();
    assert_eq!(ends(&found), ["exit 1", "exit 2", "exit 9"]);
    let output = run(&["--symbolic-only", "inner.c,outer.c"]);
    assert_eq!(output.status, Some(2));
    assert_eq!(
        output.stderr,
        "error: --symbolic-only: there is no function and no file `outer.c` in the program \
         (there is main, inner)\n"
    );
}

#[test]
fn what_loses_paths_is_refused_where_all_are_needed() {
    let directory = Scratch::new();
    directory.write("a.c", "int main(void) { return 0; }");
    let arguments = ["run", "a.c", "--look-ahead", "--complex", "dart"];
    let output = directory.everypath(&arguments);
    assert_eq!(output.status, Some(2));
    assert_eq!(
        output.stderr,
        "error: --look-ahead cannot be used with --complex dart\n"
    );
}
