//! Functions without a body: nothing is refused before it matters, nothing of the host is
//! run unasked, and what native code does stays in its sandbox.

use serde_json::Value as Json;
use std::fs;
use testkit::{Finished, Scratch};

/// Runs `program.c` of a folder; its report, its status and all it said.
struct Run {
    json: Json,
    finished: Finished,
}

#[track_caller]
fn run(files: &Scratch, arguments: &[&str]) -> Run {
    let command = ["run", "program.c", "--output", "out"];
    let _ = fs::remove_dir_all(files.path("out"));
    let finished = files.everypath(&[&command[..], arguments].concat());
    assert!(
        matches!(finished.status, Some(0 | 1)),
        "{}",
        finished.said()
    );
    let json = serde_json::from_str(&files.read("out/run.json")).expect("run.json is JSON");
    Run { json, finished }
}

impl Run {
    fn ends(&self) -> Vec<&str> {
        let ends = self.json["ends"].as_object().expect("an object");
        let mut ends: Vec<&str> = ends.keys().map(String::as_str).collect();
        ends.sort_unstable();
        ends
    }

    fn reasons(&self) -> Vec<&Json> {
        let reasons = self.json["incomplete"].as_array().expect("a list");
        let is_complete = self.json["outcome"] == "complete";
        assert_eq!(reasons.is_empty(), is_complete, "{:#}", self.json);
        reasons.iter().collect()
    }

    #[track_caller]
    fn is_complete(&self) {
        assert_eq!(self.reasons(), [&Json::Null; 0], "{}", self.finished.said());
    }
}

fn program(text: &str) -> Scratch {
    Scratch::with(&[("program.c", text)])
}

/// The program, with `libfoo.so` compiled from the library.
fn with_library(library: &str, text: &str) -> Scratch {
    let scratch = Scratch::with(&[("foo.c", library), ("program.c", text)]);
    scratch.clang(["-shared", "-fPIC", "-O1", "-o", "libfoo.so", "foo.c"]);
    scratch
}

const MISSING: &str = r#"#include <everypath.h>
int absent(int x);
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    if (x != 7)
        return 0;
    if (absent(x) == 3)
        return 1;
    return 2;
}
"#;

#[test]
fn a_function_without_a_body_ends_the_paths_that_call_it_and_no_others() {
    let files = program(MISSING);
    let run = run(&files, &[]);
    assert_eq!(run.ends(), ["exit 0", "unsupported"]);
    assert_eq!(run.json["outcome"], "incomplete");
    let [missing] = run.reasons()[..] else {
        panic!("{}", run.finished.said())
    };
    assert_eq!(missing["reason"], "missing-function");
    assert_eq!(missing["function"], "absent");
    assert_eq!(
        (&missing["line"], &missing["times"]),
        (&8.into(), &1.into())
    );
    let said = run.finished.said();
    for part in [
        "not supported: a call of `absent`, which has no body",
        "not complete: program.c:8: `absent` has no body; 1 path ended at its call\n",
        "  add --stub absent=symbolic, --concrete absent to run the host's, a file that defines \
         it, or --load with a library that has it\n",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn a_stub_stands_in_for_a_function_and_its_tests_replay() {
    let files = program(MISSING);
    for (what, ends) in [
        ("symbolic", &["exit 0", "exit 1", "exit 2"][..]),
        ("zero", &["exit 0", "exit 2"]),
        ("fail", &["exit 0", "exit 2"]),
        ("3", &["exit 0", "exit 1"]),
    ] {
        let run = run(&files, &["--stub", &format!("absent={what}")]);
        assert_eq!(run.ends(), ends, "{what}");
        run.is_complete();
        files.everypath("replay out --native").succeeds();
    }
}

#[test]
fn stubs_that_cannot_be() {
    let files = program(
        "char *find(void); int own(void) { return 1; } \
         int main(void) { return find() ? own() : 2; }",
    );
    for (stub, message) in [
        (
            "absent=zero",
            "--stub absent: the program neither defines nor calls such a function",
        ),
        (
            "own=zero",
            "--stub own: the program defines the function, and it is followed",
        ),
        (
            "find=symbolic",
            "`find` cannot be replaced: its result is a pointer, which can only be zero",
        ),
    ] {
        let finished = files.everypath(&["run", "program.c", "--stub", stub]);
        assert_eq!(finished.status, Some(2));
        assert_eq!(finished.stderr, format!("error: {message}\n"));
    }
    let run = run(&files, &["--stub", "find=fail"]);
    assert_eq!(run.ends(), ["exit 2"]);
}

const UNDEFINED: &str = r#"#include <everypath.h>
extern int setting;
extern int table[];
int main(void) {
    int x = ep_range(0, 4, "x");
    if (x == 0)
        return &setting != 0 && &table[x] != &setting;
    if (x == 1)
        return setting == 3 ? 7 : 8;
    if (x == 2)
        setting = 5;
    return table[90 * x];
}
"#;

#[test]
fn a_variable_that_nothing_defines_ends_the_paths_that_use_it_and_no_others() {
    let files = program(UNDEFINED);
    let run = run(&files, &[]);
    assert_eq!(run.ends(), ["exit 1", "unsupported"]);
    assert_eq!(run.json["outcome"], "incomplete");
    let left_out: Vec<(&Json, &Json)> = run
        .reasons()
        .into_iter()
        .map(|reason| (&reason["variable"], &reason["line"]))
        .collect();
    let expected = [("setting", 9), ("setting", 11), ("table", 12)];
    let expected = expected.map(|(name, line)| (Json::from(name), Json::from(line)));
    for (name, line) in &expected {
        assert!(left_out.contains(&(name, line)), "{left_out:?}");
    }
    assert_eq!(left_out.len(), expected.len());
    let said = run.finished.said();
    for part in [
        "not supported: a read of `setting`, which nothing defines",
        "not supported: a write of `setting`, which nothing defines",
        "not supported: a read of `table`, which nothing defines",
        "not complete: program.c:9: nothing defines `setting`; 1 path ended where it is used\n  \
         add a file that defines it, --stub setting=symbolic, or --stub setting=zero\n",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn a_stub_says_what_a_variable_holds_and_its_tests_replay() {
    let text = "#include <everypath.h>
        extern int setting;
        static int at_start;
        __attribute__((constructor)) static void look(void) { at_start = setting; }
        int main(void) {
            int x = ep_range(0, 2, \"x\");
            if (at_start != setting)
                return 9;
            setting += x;
            if (setting == 3)
                return 7;
            if (setting == 0)
                return 6;
            return 8;
        }";
    let files = program(text);
    for (what, ends) in [
        ("symbolic", &["exit 6", "exit 7", "exit 8"][..]),
        ("zero", &["exit 6", "exit 8"]),
        ("3", &["exit 7", "exit 8"]),
    ] {
        let run = run(&files, &["--stub", &format!("setting={what}")]);
        assert_eq!(run.ends(), ends, "{what}");
        run.is_complete();
        files.everypath("replay out --native").succeeds();
    }
    for (text, stub, message) in [
        (
            "extern int it; int main(void) { return it; }",
            "it=fail",
            "`it` cannot be replaced: a variable cannot fail",
        ),
        (
            "extern int it[]; int main(void) { return it[0]; }",
            "it=zero",
            "`it` cannot be replaced: its declaration does not say how large it is",
        ),
        (
            "int it; int main(void) { return it; }",
            "it=zero",
            "--stub it: the program defines the variable",
        ),
    ] {
        let finished = program(text).everypath(&["run", "program.c", "--stub", stub]);
        assert_eq!(finished.status, Some(2));
        assert_eq!(finished.stderr, format!("error: {message}\n"));
    }
}

#[test]
fn functions_of_the_host_are_not_run_unasked() {
    let files = program(
        "int rmdir(const char *path);
         int main(void) { return rmdir(\"victim\") == 0; }",
    );
    fs::create_dir(files.path("victim")).expect("there is room");
    run(&files, &[]);
    assert!(files.path("victim").is_dir());
    // Not even by whoever asks: the sandbox does not let it write.
    run(&files, &["--concrete", "rmdir"]);
    assert!(files.path("victim").is_dir());
}

const COUNTER: &str = "static int kept; int setk(int k) { kept = k; return 0; } \
                       int getk(void) { return kept; }";

#[test]
fn functions_that_keep_state_are_called_in_each_paths_own_order() {
    let files = with_library(
        COUNTER,
        r#"#include <everypath.h>
        int setk(int k);
        int getk(void);
        int main(void) {
            int x;
            ep_symbolic(&x, sizeof x, "x");
            setk(1);
            if (x > 5)
                setk(2);
            else
                setk(3);
            if (x > 5)
                return getk() == 2 ? 10 : 11;
            return getk() == 3 ? 20 : 21;
        }"#,
    );
    for search in ["dfs", "bfs"] {
        let run = run(&files, &["--load", "libfoo.so", "--search", search]);
        assert_eq!(
            run.ends(),
            ["exit 10", "exit 20"],
            "{}",
            run.finished.said()
        );
        run.is_complete();
        files.everypath("replay out --native").succeeds();
    }
}

#[test]
fn a_function_that_keeps_state_is_run_with_one_argument_and_the_run_says_so() {
    let files = with_library(
        COUNTER,
        r#"#include <everypath.h>
int setk(int k);
int getk(void);
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    setk(x);
    return getk() == 77;
}"#,
    );
    let run = run(&files, &["--load", "libfoo.so"]);
    assert_eq!(run.ends(), ["exit 0"]);
    let [lost] = run.reasons()[..] else {
        panic!("{}", run.finished.said())
    };
    assert_eq!(lost["reason"], "concretized");
    assert_eq!(lost["function"], "setk");
    assert_eq!(lost["line"], 7);
    let told = "note: program.c:7: `setk` is called in each path's own order";
    assert!(
        run.finished.said().contains(told),
        "{}",
        run.finished.said()
    );
}

#[test]
fn a_function_that_is_not_deterministic_is_told_from_one_that_keeps_state() {
    let files = with_library(
        "#include <unistd.h>
         #include <sys/syscall.h>
         int dice(void) { unsigned x; syscall(SYS_getrandom, &x, 4, 0); return x >> 1; }",
        r#"#include <everypath.h>
        int dice(void);
        int main(void) {
            int x;
            ep_symbolic(&x, sizeof x, "x");
            int first = dice();
            if (x > 5)
                return dice() < 0;
            return dice() < 0 ? 2 : 3;
        }"#,
    );
    let run = run(&files, &["--load", "libfoo.so"]);
    let reasons = run.reasons();
    assert!(
        reasons.iter().any(|it| it["reason"] == "not-deterministic"),
        "{}",
        run.finished.said()
    );
}

#[test]
fn an_object_behind_a_pointer_that_was_concretized_is_named() {
    let files = with_library(
        "int sum(const unsigned char *all) { return all[0] + all[1]; }",
        r#"#include <everypath.h>
int sum(const unsigned char *all);
int main(void) {
    unsigned char all[2];
    ep_symbolic(all, sizeof all, "all");
    return sum(all) == 3;
}"#,
    );
    let run = run(&files, &["--load", "libfoo.so"]);
    let [lost] = run.reasons()[..] else {
        panic!("{}", run.finished.said())
    };
    assert_eq!(lost["reason"], "concretized");
    assert_eq!(lost["line"], 6);
    let what = lost["what"].as_str().expect("a text");
    assert!(what.starts_with("the object behind its argument"), "{what}");
}

const DELICATE: &str = "int delicate(int x) { if (x == 40) *(volatile int *)0 = 1; return x; }";

#[test]
fn a_native_crash_that_the_solver_comes_upon_is_an_error_with_a_test() {
    let files = with_library(
        DELICATE,
        r#"#include <everypath.h>
int delicate(int x);
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x > 0);
    return delicate(x) == x && x == 40;
}"#,
    );
    let run = run(&files, &["--load", "libfoo.so"]);
    assert_eq!(run.finished.status, Some(1), "{}", run.finished.said());
    let errors = run.json["errors"].as_array().expect("a list");
    assert_eq!(errors[0]["kind"], "native-crash");
    assert_eq!(
        errors[0]["message"],
        "delicate(40) crashed with SIGSEGV (invalid memory access)"
    );
    assert_eq!(errors[0]["line"], 7);
    files.everypath("replay out --native").succeeds();
}

#[test]
fn what_was_only_tried_is_not_called_complete() {
    let files = with_library(
        DELICATE,
        r#"#include <everypath.h>
int delicate(int x);
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    return delicate(x) == 7;
}"#,
    );
    let tried = run(&files, &["--load", "libfoo.so"]);
    assert_eq!(tried.json["outcome"], "incomplete");
    let reasons = tried.json["incomplete"].as_array().expect("a list");
    assert_eq!(reasons[0]["reason"], "taken-for-pure");
    assert_eq!(reasons[0]["line"], 6);
    let said = tried.finished.said();
    assert!(
        said.contains("  add --pure delicate if it always returns"),
        "{said}"
    );
    let promised = run(&files, &["--load", "libfoo.so", "--pure", "delicate"]);
    assert_eq!(promised.json["outcome"], "complete");
}

/// The result is needed by no condition, so that the solver never asks for it.
#[test]
fn a_native_function_runs_on_the_input_of_every_test() {
    let files = with_library(
        r#"int delicate(int x) {
            if (x == 40) *(volatile int *)0 = 1;
            while (x == 50) ;
            return x;
        }"#,
        r#"#include <everypath.h>
int delicate(int x);
int main(void) {
    int x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x > 0);
    int nothing = delicate(x) & 0;
    if (x == 40) return 40;
    if (x == 50) return 50;
    if (x > 38 && x < 42) return 39;
    return nothing;
}"#,
    );
    let run = run(&files, &["--load", "libfoo.so", "--pure", "delicate"]);
    let errors = run.json["errors"].as_array().expect("a list");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0]["kind"], "native-crash");
    assert_eq!(errors[0]["line"], 7);
    assert_eq!(run.json["outcome"], "incomplete");
    assert_eq!(run.json["incomplete"][0]["reason"], "timed-out");
    let ends = run.json["ends"].as_object().expect("tests have ends");
    let ends: Vec<&str> = ends.keys().map(String::as_str).collect();
    assert_eq!(ends, ["exit 0", "exit 39", "native-crash"]);
    files.everypath("replay out --native").succeeds();
}

#[test]
fn native_code_can_neither_write_nor_connect_nor_start_processes() {
    let files = with_library(
        r#"#include <fcntl.h>
        #include <signal.h>
        #include <stdlib.h>
        #include <sys/socket.h>
        #include <unistd.h>
        int writes(const char *path) { return open(path, O_WRONLY | O_CREAT, 0600) >= 0; }
        int scratch(void) { return open("mine", O_WRONLY | O_CREAT, 0600) >= 0; }
        int connects(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }
        int forks(void) { int p = fork(); if (p == 0) _exit(0); return p > 0; }
        int shell(void) { return system("true") == 0; }
        int signals(void) { return kill(getppid(), 0) == 0; }"#,
        "int writes(const char *), scratch(void), connects(void), forks(void), shell(void),
             signals(void);
         int main(void) {
             return writes(PATH) | scratch() << 1 | connects() << 2 | forks() << 3 | shell() << 4
                    | signals() << 5;
         }",
    );
    let path = files.path("written");
    let path = format!("PATH=\"{}\"", path.display());
    let ends = |more: &[&str]| {
        let arguments = ["--load", "libfoo.so", "-D", &path];
        let run = run(&files, &[&arguments[..], more].concat());
        run.ends().join(" ")
    };
    assert_eq!(ends(&[]), "exit 2");
    assert!(!files.path("written").exists());
    assert_eq!(ends(&["--allow-network"]), "exit 6");
    assert_eq!(ends(&["--allow-processes"]), "exit 26");
    let folder = files.folder().display().to_string();
    assert_eq!(ends(&["--allow-write", &folder]), "exit 3");
    assert!(files.path("written").exists());
}

#[test]
fn assumptions_that_contradict_each_other_are_a_mistake() {
    let files = program(
        r#"#include <everypath.h>
        int main(void) {
            int x;
            ep_symbolic(&x, sizeof x, "x");
            ep_assume(x > 5);
            ep_assume(x < 3);
            return x;
        }"#,
    );
    let run = run(&files, &[]);
    assert_eq!(run.finished.status, Some(1));
    assert_eq!(run.reasons()[0]["reason"], "no-path");
    let warning = "warning: the assumptions contradict each other: no input satisfies them\n";
    assert!(
        run.finished.stderr.contains(warning),
        "{}",
        run.finished.stderr
    );
}

#[test]
fn an_llvm_file_that_llvm_does_not_survive_is_refused() {
    let files = program("int main(void) { int a[4] = {1, 2, 3, 4}; return a[2]; }");
    files.clang(["-g", "-emit-llvm", "-c", "-o", "good.bc", "program.c"]);
    let good = fs::read(files.path("good.bc")).expect("it was made");
    let mut random = 12345u64;
    for number in 0..24 {
        let mut bytes = good.clone();
        for _ in 0..8 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
            let at = 16 + (random >> 33) as usize % (bytes.len() - 16);
            bytes[at] ^= (random >> 20) as u8 | 1;
        }
        let name = format!("bad{number}.bc");
        fs::write(files.path(&name), bytes).expect("there is room");
        let finished = files.everypath(&["run", &name, "--output", "out", "--max-forks", "9"]);
        // A status at all: no signal ended it.
        assert!(
            matches!(finished.status, Some(0..=2)),
            "{name}: {}",
            finished.said()
        );
        let _ = fs::remove_dir_all(files.path("out"));
    }
}
