//! Arguments, variables and files around a program, and tests that hold them.

use std::collections::BTreeSet;
use suite::RunDirectory;
use testkit::Scratch;

/// Two errors: one needs an option and a file that begins with it, the other a variable.
const PROGRAM: &str = r#"
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
long __ep_syscall(long, long, long, long, long, long, long);
int main(int argc, char **argv, char **envp) {
    char byte = 0;
    if (argc == 3 && argv[1][0] == '-') {
        long file = __ep_syscall(SYS_open, (long)argv[2], O_RDONLY, 0, 0, 0, 0);
        if (file >= 0)
            __ep_syscall(SYS_read, file, (long)&byte, 1, 0, 0, 0);
        assert(byte == 0 || byte != argv[1][1]);
    }
    assert(!envp[0] || strcmp(envp[0], "MODE=x") != 0);
    return argc;
}
"#;

fn run(options: &str) -> Scratch {
    let scratch = Scratch::with(&[("program.c", PROGRAM)]);
    let line = format!("run program.c --output out {options}");
    let ran = scratch.everypath(line.as_str());
    assert!(
        ran.status == Some(0) || ran.status == Some(1),
        "{}",
        ran.said()
    );
    scratch
}

fn tests(scratch: &Scratch) -> RunDirectory {
    RunDirectory::open(&scratch.path("out")).expect("the run wrote it")
}

#[test]
fn a_test_holds_the_command_line_the_files_and_the_variables() {
    let scratch = run("--sym-arg 2 --sym-files 1 1 --sym-env MODE=1 -- A");
    let run = tests(&scratch);
    let report = run.report.as_ref().expect("the run ended");
    let lines: BTreeSet<u32> = report.errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, BTreeSet::from([13, 15]));
    let failing = &report.errors.iter().find(|error| error.line == 13);
    let failing = failing.expect("an option that the file begins with");
    let test = run.test(&failing.test).expect("errors have tests");
    let names: Vec<&str> = test.case.inputs.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["arg00", "MODE", "A_data"]);
    let [program, option, file] = &test.case.args[..] else {
        panic!("{:?}", test.case.args);
    };
    assert_eq!((&program[..], &file[..]), (&b"program"[..], &b"A"[..]));
    assert_eq!(option[0], b'-');
    assert_eq!(option[1..], test.case.inputs[2].bytes);
    scratch.replays_natively("out");
}

#[test]
fn numbers_of_arguments_are_inputs_and_every_one_is_tried() {
    let scratch = run("--sym-args 0 2 1");
    let mut lengths: Vec<usize> = tests(&scratch)
        .tests
        .iter()
        .map(|test| test.case.args.len())
        .collect();
    lengths.sort_unstable();
    lengths.dedup();
    assert_eq!(lengths, [1, 2, 3]);
    scratch.replays_natively("out");
}

#[test]
fn options_are_understood_as_klee_spells_them() {
    let ours = run("--sym-args 1 1 2 --sym-stdin 1 --sym-files 1 1 -- A");
    let klees = run("-sym-stdin 1 -sym-stdout -- --sym-args 1 1 2 A -sym-files 1 1");
    let [ours, klees] = [ours, klees].map(|scratch| {
        let recipe = tests(&scratch).report.and_then(|report| report.program);
        let recipe = recipe.expect("a run says what it ran");
        (recipe.environment, recipe.stdin)
    });
    assert_eq!(ours, klees);
}

#[test]
fn an_executable_of_the_users_own_runs_on_tests() {
    let program = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    int c = WRONG + getchar();
    if (argc == 2 && argv[1][0] == 'x' && c == 'y')
        return 7;
    return 0;
}
"#;
    let scratch = Scratch::with(&[("program.c", program)]);
    let line = "run program.c -D WRONG=0 --output out --sym-arg 1 --sym-stdin 1";
    scratch.everypath(line).succeeds();
    scratch.clang(["-O2", "-DWRONG=0", "program.c", "-o", "program"]);
    let ran = scratch.everypath("replay out --binary program").succeeds();
    assert!(ran.stdout.contains("exit 7\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.ends_with("0 not as predicted\n"),
        "{}",
        ran.stdout
    );
    scratch.clang(["-O2", "-DWRONG=1", "program.c", "-o", "other"]);
    let other = scratch.everypath("replay out --binary other");
    assert_eq!(other.status, Some(1), "{}", other.said());
    assert!(
        other.stdout.contains("exit 0, predicted exit 7\n"),
        "{}",
        other.stdout
    );
}

#[test]
fn a_directory_of_the_host_can_be_read_and_not_written() {
    let program = r#"
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
long __ep_syscall(long, long, long, long, long, long, long);
int main(int argc, char **argv) {
    char byte = 0;
    long file = __ep_syscall(SYS_open, (long)argv[1], O_RDONLY, 0, 0, 0, 0);
    if (file < 0)
        return (int)-file;
    __ep_syscall(SYS_read, file, (long)&byte, 1, 0, 0, 0);
    long written = __ep_syscall(SYS_open, (long)argv[1], O_WRONLY, 0, 0, 0, 0);
    printf("%c %ld\n", byte, written);
    return 0;
}
"#;
    let scratch = Scratch::with(&[("program.c", program), ("data/text", "hello")]);
    let text = scratch
        .path("data/text")
        .canonicalize()
        .expect("it was written");
    let text = text.to_string_lossy();
    let line = [
        "run",
        "program.c",
        "--echo",
        "--host-dir",
        "data",
        "--",
        &text,
    ];
    let ran = scratch.everypath(&line).succeeds();
    assert!(ran.stdout.contains("h -30\n"), "{}", ran.stdout);
    let line = ["run", "program.c", "--json", "--", &text];
    let hidden = scratch.everypath(&line).succeeds().json();
    assert_eq!(hidden["ends"]["exit 2"], "1", "{hidden}");
}

#[test]
fn calls_fail_on_request_and_tests_say_which() {
    let program = r#"
#include <stdlib.h>
#include <sys/syscall.h>
long __ep_syscall(long, long, long, long, long, long, long);
int main(void) {
    char *room = malloc(2);
    if (!room)
        return 1;
    long count = __ep_syscall(SYS_read, 0, (long)room, 2, 0, 0, 0);
    return count < 0 ? 2 : 3 + (int)count;
}
"#;
    let scratch = Scratch::with(&[("program.c", program)]);
    let line = "run program.c --output out --json --max-fail 1";
    let run = scratch.everypath(line).succeeds().json();
    // No failure, malloc's, two errors of read, and one that reads less than there is.
    assert_eq!(run["paths"]["completed"], 5, "{run}");
    let names: Vec<String> = tests(&scratch)
        .tests
        .iter()
        .flat_map(|test| &test.case.inputs)
        .map(|input| input.name.clone())
        .collect();
    assert!(
        names
            .iter()
            .all(|name| name == "malloc_fail" || name == "read_fail")
    );
    let shown = scratch
        .everypath("replay out --native --json")
        .succeeds()
        .json();
    assert_eq!(shown["agreed"], 1, "{shown}");
    assert_eq!(shown["not_contradicted"], 4, "{shown}");
}

#[test]
fn peers_of_sockets_send_anything() {
    let program = r#"
#include <assert.h>
#include <sys/syscall.h>
long __ep_syscall(long, long, long, long, long, long, long);
int main(void) {
    char address[16] = {2}, bytes[2];
    long socket = __ep_syscall(SYS_socket, 2, 1, 0, 0, 0, 0);
    if (__ep_syscall(SYS_connect, socket, (long)address, 16, 0, 0, 0) < 0)
        return 1;
    long count = __ep_syscall(SYS_recvfrom, socket, (long)bytes, 2, 0, 0, 0);
    assert(count != 2 || bytes[1] != 'x');
    return 0;
}
"#;
    let scratch = Scratch::with(&[("program.c", program)]);
    let refused = scratch.everypath("run program.c --json").succeeds().json();
    assert_eq!(refused["paths"]["completed"], 1);
    let run = scratch
        .everypath("run program.c --json --sym-sockets 1 2")
        .json();
    assert_eq!(run["paths"]["completed"], 3, "{run}");
    assert_eq!(run["errors"][0]["kind"], "assert");
}

#[test]
fn what_is_not_modelled_is_refused_by_name() {
    let program = r#"
#include <sys/syscall.h>
long __ep_syscall(long, long, long, long, long, long, long);
int main(int argc, char **argv) {
    if (argv[1][0] == 'f')
        return (int)__ep_syscall(SYS_fork, 0, 0, 0, 0, 0, 0);
    return (int)-__ep_syscall(SYS_ptrace, 0, 0, 0, 0, 0, 0);
}
"#;
    let scratch = Scratch::with(&[("program.c", program)]);
    let ran = scratch.everypath("run program.c --json --sym-arg 1");
    let run = ran.json();
    assert_eq!(run["errors"][0]["kind"], "unsupported");
    assert_eq!(
        run["errors"][0]["message"],
        "not supported: the system call `fork`: there is one process"
    );
    assert_eq!(run["ends"]["exit 38"], "2", "{run}");
    assert_eq!(run["outcome"], "incomplete");
    let left_out = run["incomplete"].as_array().expect("something was");
    let not_modelled = |it: &&serde_json::Value| it["reason"] == "not-modelled";
    let ptrace = left_out.iter().find(not_modelled);
    assert_eq!(ptrace.expect("ptrace is none")["call"], "`ptrace`");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let scratch = Scratch::with(&[("a.c", "int main(void) { return 0; }")]);
    for (line, message) in [
        (
            "run a.c --sym-args 2 1 3",
            "error: --sym-args 2 1 3: the least number of arguments is above the greatest\n",
        ),
        (
            "run a.c --sym-files 27 1",
            "error: --sym-files 27: there can be at most 26 symbolic files, A to Z\n",
        ),
        (
            "run a.c --sym-files 1 100000",
            "error: a symbolic file of 100000 bytes is too large; the greatest is 65536\n",
        ),
        (
            "run a.c --sym-env MODE",
            "error: --sym-env MODE: say the name and the length of its value, for example HOME=8\n",
        ),
        (
            "run a.c --host-dir absent",
            "error: --host-dir absent: there is no such directory\n",
        ),
        (
            "run a.c -- --sym-args 1 x 3",
            "error: --sym-args is followed by numbers: --sym-args MIN MAX LEN\n",
        ),
        (
            "run a.c --sym-args 0 200 1",
            "error: there can be at most 100 symbolic arguments, and these are up to 200\n",
        ),
        (
            "run a.c --entry f --sym-arg 1",
            "error: arguments are given to `main`, and the program starts with `f`\n",
        ),
        (
            "run a.c --write-testcomp --sym-arg 1",
            "error: arguments, files and variables for the program cannot be used with \
             --write-testcomp\n",
        ),
    ] {
        assert_eq!(scratch.refusal(line), message);
    }
}

#[test]
fn the_example_of_the_book_divides_by_zero() {
    let book = std::fs::read_to_string(testkit::project("docs/c.md")).expect("it is there");
    let mut blocks = book.split("```");
    let program = blocks.nth(1).and_then(|it| it.strip_prefix("c\n"));
    let session = blocks.nth(1).expect("a session follows the program");
    let mut commands = session.lines().filter_map(|line| line.strip_prefix("$ "));
    let command = commands.next().expect("it has a command");
    let line = command.strip_prefix("everypath ").expect("it is ours");
    let scratch = Scratch::with(&[("ratio.c", program.expect("it is C"))]);
    let ran = scratch.everypath(format!("{line} --output out --json").as_str());
    let run = ran.json();
    assert_eq!(run["errors"].as_array().map(Vec::len), Some(1), "{run}");
    assert_eq!(run["errors"][0]["kind"], "division");
    let failing = run["errors"][0]["test"].as_str().expect("it has a test");
    let tests = tests(&scratch);
    let case = &tests.test(failing).expect("it was written").case;
    assert_eq!(case.args[1], b"A");
    assert_eq!(case.inputs.last().expect("there is a file").bytes, b"%0");
    scratch.replays_natively("out");
}
