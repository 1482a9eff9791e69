//! `everypath solve` as a user meets it: what is typed, what is shown, and the
//! exit status.

use std::io::Write;
use std::process::Stdio;
use testkit::{Finished, command, project};

/// Runs `everypath solve` with these arguments at the top of the project.
fn solve(arguments: &[&str], input: &str) -> Finished {
    let mut child = command(&project(""), "solve")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built");
    child
        .stdin
        .take()
        .expect("standard input is piped")
        .write_all(input.as_bytes())
        .expect("the child reads its input");
    child.wait_with_output().expect("the child ends").into()
}

/// What a script on standard input prints, with status 0 and no complaint.
#[track_caller]
fn prints(script: &str, expected: &str) {
    let output = solve(&["-"], script);
    assert_eq!(output.stderr, "");
    assert_eq!(output.stdout, expected);
    assert_eq!(output.status, Some(0));
}

/// The whole message that a script on standard input gets, with status 2 and
/// nothing printed.
#[track_caller]
fn refuses(script: &str, expected: &str) {
    let output = solve(&["-"], script);
    assert_eq!(output.stderr, expected);
    assert_eq!(output.stdout, "");
    assert_eq!(output.status, Some(2));
}

#[test]
fn the_readme_example_answers_as_the_readme_says() {
    let output = solve(&["tests/solve/overflow.smt2"], "");
    let shown = output.stdout;
    assert!(shown.starts_with("sat\n((low #x"), "{shown}");
    let readme = include_str!("../../../../README.md");
    assert!(readme.contains(&shown), "README.md does not show:\n{shown}");
    let script = include_str!("../../../../tests/solve/overflow.smt2");
    assert!(
        readme.contains(script),
        "README.md does not show the script"
    );
}

#[test]
fn a_model_defines_what_was_declared() {
    prints(
        "(declare-const x (_ BitVec 8)) (declare-fun f ((_ BitVec 8)) Bool)
         (assert (= (bvadd x #x01) #x2b)) (assert (f #x07)) (assert (not (f #x08)))
         (check-sat) (get-model)",
        "sat\n(\n  (define-fun x () (_ BitVec 8) #x2a)\n  \
         (define-fun f ((x!0 (_ BitVec 8))) Bool \
         (ite (= x!0 #x08) false (ite (= x!0 #x07) true false)))\n)\n",
    );
}

#[test]
fn a_function_of_several_parameters_is_a_choice_between_conjunctions() {
    let script = "(declare-fun f (Bool (_ BitVec 4)) (_ BitVec 4))
         (assert (= (f true #x7) #x3)) (check-sat) (get-model)";
    prints(
        script,
        "sat\n(\n  (define-fun f ((x!0 Bool) (x!1 (_ BitVec 4))) (_ BitVec 4) \
         (ite (and (= x!0 true) (= x!1 #x7)) #x3 #x0))\n)\n",
    );
    let output = solve(&["--json", "-"], script);
    let json: serde_json::Value = serde_json::from_str(&output.stdout).expect("it is JSON");
    assert_eq!(
        json["files"][0]["answers"][0]["functions"],
        serde_json::json!({"f": {
            "table": [{"arguments": ["true", "#x7"], "result": "#x3"}],
            "default": "#x0",
        }})
    );
}

#[test]
fn functions_of_five_parameters_are_decided() {
    prints(
        "(declare-fun f (Bool Bool Bool Bool Bool) (_ BitVec 8))
         (declare-const p Bool)
         (assert (= (f p p p p p) #x05)) (assert (not (= (f p true p p p) #x05))) (check-sat)",
        "sat\n",
    );
}

#[test]
fn an_option_that_is_not_known_is_unsupported() {
    prints(
        "(set-option :produce-models true) (set-option :frobnicate 7)
         (set-option :produce-proofs true) (set-option :print-success true)
         (set-logic QF_BV) (declare-const x Bool) (assert x) (push 1) (check-sat)
         (set-option :print-success maybe) (pop 1) (echo \"done\")",
        "unsupported\nunsupported\nsuccess\nsuccess\nsuccess\nsuccess\nsuccess\nsat\n\
         unsupported\nsuccess\ndone\n",
    );
}

#[test]
fn there_is_a_model_only_of_what_was_checked() {
    let missing = "(error \"there is no model: the last answer was not sat\")\n";
    prints(
        "(declare-const x Bool) (check-sat) (assert (not x)) (get-model)
         (check-sat) (push) (get-model)",
        &format!("sat\n{missing}sat\n{missing}"),
    );
}

#[test]
fn global_declarations_outlive_their_scope() {
    prints(
        "(set-option :global-declarations true) (push 1) (declare-const x Bool) (pop 1)
         (check-sat) (get-model) (reset-assertions) (assert x) (check-sat) (get-model)",
        "sat\n(\n  (define-fun x () Bool false)\n)\n\
         sat\n(\n  (define-fun x () Bool true)\n)\n",
    );
}

#[test]
fn values_are_those_of_any_term() {
    prints(
        "(declare-const x (_ BitVec 8)) (assert (= x #x10)) (check-sat)
         (get-value (x (bvadd x #x01) (bvult x #x02)))",
        "sat\n((x #x10) ((bvadd x #x01) #x11) ((bvult x #x02) false))\n",
    );
}

#[test]
fn a_core_names_the_assertions_that_exclude_each_other() {
    prints(
        "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8))
         (assert (! (bvult x #x05) :named small)) (assert (! (bvult y x) :named other))
         (assert (! (bvugt x #x09) :named large)) (check-sat) (get-unsat-core)",
        "unsat\n(small large)\n",
    );
}

#[test]
fn a_scope_forgets_what_it_declared() {
    prints(
        "(push 1) (declare-const x Bool) (assert x) (check-sat) (pop 1)
         (declare-const y Bool) (check-sat) (get-model) (echo \"done\")",
        "sat\nsat\n(\n  (define-fun y () Bool false)\n)\ndone\n",
    );
}

#[test]
fn malformed_scripts_are_refused_with_the_place() {
    refuses(
        "(declare-const x (_ BitVec 8))\n(assert (bvult x #x005))",
        "error: standard input:2:9: `bvult` does not take (_ BitVec 8) and (_ BitVec 12)\n  |\n\
         2 | (assert (bvult x #x005))\n  |         ^\n",
    );
    refuses(
        "(assert (and true x))",
        "error: standard input:1:19: unknown symbol `x`\n  |\n\
         1 | (assert (and true x))\n  |                   ^\n",
    );
}

#[test]
fn a_missing_file_is_named() {
    let output = solve(&["no/such/file.smt2"], "");
    let message = output.stderr;
    assert!(
        message.contains("cannot read no/such/file.smt2"),
        "{message}"
    );
    assert_eq!(output.status, Some(2));
}

#[test]
fn an_answer_against_the_declared_status_is_status_1() {
    let output = solve(&["-"], "(set-info :status unsat)\n(check-sat)");
    assert_eq!(
        output.stderr,
        "standard input:2: the answer is sat, but the file says unsat\n"
    );
    assert_eq!(output.status, Some(1));
}

#[test]
fn unknown_says_why_on_standard_error() {
    let script = "(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64))
        (assert (= (bvmul x y) (_ bv18446743979220271189 64)))
        (assert (bvult x (_ bv4294967296 64))) (assert (bvult y (_ bv4294967296 64)))
        (check-sat)";
    let output = solve(&["--conflict-limit", "10", "-"], script);
    assert_eq!(output.stdout, "unknown\n");
    assert!(output.stderr.contains(":4: unknown: "));
    assert_eq!(output.status, Some(0));
}

#[test]
fn json_is_one_object_with_answers_and_statistics() {
    let script = "(declare-const x (_ BitVec 8)) (assert (= x #x05)) (check-sat)
        (assert (= x #x06)) (check-sat)";
    let output = solve(&["--json", "--cross-check", "-"], script);
    let object: serde_json::Value = output.json();
    assert_eq!(object["schema"], 1);
    let answers = &object["files"][0]["answers"];
    assert_eq!(answers[0]["answer"], "sat");
    assert_eq!(answers[0]["model"]["x"], "#x05");
    assert_eq!(answers[1]["answer"], "unsat");
    assert_eq!(object["solver"]["queries"], 2);
}
