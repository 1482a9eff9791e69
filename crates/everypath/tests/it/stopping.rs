//! Ctrl-C, or another signal to end, in the middle of the hardest thing each command can be given: it ends by
//! itself, and what was finished is whole and on disk. How soon is not measured here;
//! a command that does not stop at all is ended by the test command's own limit.

use std::process::Command;
use testkit::{Finished, Running, Scratch};

/// Interrupts a command in the middle of its work.
#[track_caller]
fn interrupted(scratch: &Scratch, line: &str) -> Finished {
    let mut running = scratch.start(line);
    running.until_busy();
    running.interrupt()
}

#[test]
fn fuzz_keeps_the_inputs_it_has_written() {
    // Every length and every letter is a path of its own: there is no end to it.
    let program = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned long letters = 0, hash = 0;
    for (int c; (c = getchar()) != EOF; hash = hash * 33 + c)
        if (c >= 'a' && c <= 'z')
            letters++;
    if (letters > 3 && hash == 1234567890123)
        abort();
    return 0;
}
"#;
    let scratch = Scratch::with(&[("letters.c", program)]);
    let mut running = scratch.start("fuzz letters.c --max-length 4000 --out out --json");
    running.until(|_| !scratch.names("out/inputs").is_empty());
    let finished = running.interrupt();
    assert_eq!(finished.json()["outcome"], "interrupted");
    assert_eq!(finished.status, Some(0), "{}", finished.said());
    assert!(!scratch.names("out/inputs").is_empty());
}

#[test]
fn model_explore_ends_while_its_solver_searches() {
    let model = "channel a(Int, Int, Int)
automaton A {
    var x, y, z: Int
    initial i
    state e
    t: i -> u, a?(x, y, z)
    powers: u -> e when x > 0 and y > 0 and z > 0 and x*x*x*x*x + y*y*y*y*y = z*z*z*z*z, tau
}\n";
    let line = "model explore powers.iosts --json";
    let scratch = Scratch::with(&[("powers.iosts", model)]);
    let finished = interrupted(&scratch, line);
    assert_eq!(finished.json()["outcome"], "stopped", "{}", finished.said());
}

/// Finding the factors takes longer than anybody waits.
const FACTORS: &str = r#"
#include <everypath.h>
#include <stdlib.h>
int main(void) {
    unsigned a, b;
    ep_symbolic(&a, sizeof a, "a");
    ep_symbolic(&b, sizeof b, "b");
    if ((unsigned long)a * b == 2860486313ul * 3267000013ul)
        abort();
    return 0;
}
"#;

#[test]
fn run_ends_while_its_solver_factors_a_semiprime() {
    let scratch = Scratch::with(&[("factors.c", FACTORS)]);
    let finished = interrupted(&scratch, "run factors.c --out out --json");
    assert_eq!(finished.json()["outcome"], "interrupted");
    let by_time = scratch.everypath("run factors.c --out timed --json --max-time 5");
    assert_eq!(by_time.json()["outcome"], "limit");
}

#[test]
fn whatever_asks_a_command_to_end_does_so_like_ctrl_c() {
    let scratch = Scratch::with(&[("factors.c", FACTORS)]);
    for signal in ["TERM", "HUP"] {
        let mut running = scratch.start(format!("run factors.c --out {signal} --json").as_str());
        running.until_busy();
        running.signal(signal);
        let finished = running.finish();
        assert_eq!(finished.json()["outcome"], "interrupted", "{signal}");
        assert_eq!(finished.status, Some(0), "{signal}: {}", finished.said());
    }
}

#[test]
fn a_limit_of_processor_time_is_a_time_limit() {
    let scratch = Scratch::with(&[("factors.c", FACTORS)]);
    let line = "run factors.c --out out --json --workers 1";
    let command = testkit::command(scratch.folder(), line);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -S -t 2 && exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(scratch.folder());
    let finished = Finished::of(&mut shell);
    assert_eq!(finished.status, Some(0), "{}", finished.said());
    assert_eq!(finished.json()["outcome"], "limit");
}

#[test]
fn a_command_under_nohup_does_not_hear_that_its_terminal_is_gone() {
    let scratch = Scratch::with(&[("factors.c", FACTORS)]);
    let command = testkit::command(scratch.folder(), "run factors.c --out out --json");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(scratch.folder());
    let mut running = Running::start(&mut shell);
    running.until_busy();
    running.signal("HUP");
    // Were the other one heard, this would be the second and end it at once.
    running.signal("TERM");
    let finished = running.finish();
    assert_eq!(finished.status, Some(0), "{}", finished.said());
    assert_eq!(finished.json()["outcome"], "interrupted");
}

#[test]
fn replay_ends_a_program_that_does_not_end_and_says_what_was_not_run() {
    let scratch = Scratch::with(&[("loop.c", "int main(void) { return 0; }\n")]);
    scratch.everypath("run loop.c --out out").succeeds();
    let mark = scratch.path("began");
    let program = format!(
        "#include <stdio.h>\n\
         int main(void) {{ fclose(fopen(\"{}\", \"w\")); for (volatile int i = 0;; i++); }}\n",
        mark.display()
    );
    scratch.write("loop.c", &program);
    let mut running = scratch.start("replay out --native --json");
    running.until(|_| mark.exists());
    let finished = running.interrupt();
    assert_eq!(finished.status, Some(0), "{}", finished.said());
    assert!(
        finished
            .stderr
            .ends_with("interrupted: 1 test was not replayed\n"),
        "{}",
        finished.stderr
    );
    let report = finished.json();
    assert_eq!(
        (&report["tests"], &report["not_run"]),
        (&0.into(), &1.into())
    );
}

#[test]
fn solve_answers_unknown_when_it_is_stopped() {
    let query = "(declare-const a (_ BitVec 64))
(declare-const b (_ BitVec 64))
(assert (= (bvmul a b) #x81b0d9e90cb12355))
(assert (bvult (_ bv1 64) a))
(assert (bvult a #x0000000100000000))
(assert (bvult (_ bv1 64) b))
(assert (bvult b #x0000000100000000))
(check-sat)
(check-sat)\n";
    let scratch = Scratch::with(&[("factors.smt2", query), ("next.smt2", query)]);
    let finished = interrupted(&scratch, "solve factors.smt2 next.smt2");
    assert_eq!(finished.stdout, "unknown\nunknown\n");
    assert!(
        finished
            .stderr
            .ends_with("interrupted: 1 files were not read\n"),
        "{}",
        finished.stderr
    );
}

#[test]
fn grammar_commands_say_what_a_stop_left_out() {
    let scratch = Scratch::with(&[("trees.bnf", "S ::= S S S | S S | 'a' | 'b'\n")]);
    for (command, undone) in [
        ("count trees.bnf", "anything was counted"),
        ("sample trees.bnf", "the words to draw from were counted"),
        (
            "intersect trees.bnf --without '[a-z]'",
            "the words of these languages were told apart",
        ),
    ] {
        assert_eq!(
            scratch.refusal(format!("grammar {command} --max-time 0").as_str()),
            format!(
                "error: the time limit was reached before {undone}; \
                 give a smaller --max-length\n"
            )
        );
    }
    // Every word has more derivations than there are atoms in the world.
    let line = "grammar count trees.bnf --max-length 500";
    let finished = interrupted(&scratch, line);
    assert!(
        finished.said().contains("interrupted"),
        "{}",
        finished.said()
    );
}

#[test]
fn stage_build_writes_the_objects_it_has_found() {
    let tree = r#"
#include <stdbool.h>
#include <stddef.h>
struct Node { int data; struct Node *left, *right; };
struct Tree { struct Node *root; int size; };
static bool isTree(const struct Node *node, const struct Node **seen, int *count) {
    if (node == NULL)
        return true;
    for (int i = 0; i < *count; i++)
        if (seen[i] == node)
            return false;
    seen[(*count)++] = node;
    return isTree(node->left, seen, count) && isTree(node->right, seen, count);
}
bool repOk(const struct Tree *tree) {
    const struct Node *seen[64];
    int count = 0;
    return isTree(tree->root, seen, &count) && tree->size == count;
}
int main(void) { return 0; }
"#;
    let scratch = Scratch::with(&[("tree.c", tree)]);
    let line = "stage build tree.c --object Tree --invariant repOk --max Node=40 -o tree.stage";
    let finished = interrupted(&scratch, line);
    assert_ne!(
        finished.status,
        None,
        "it ends by itself\n{}",
        finished.said()
    );
    let (suite, complaints) =
        staged::Suite::read(&scratch.read("tree.stage")).expect("the suite can be read");
    assert!(!suite.solutions.is_empty());
    assert!(complaints.is_empty());
}
