//! Every `run.json` holds to the published schema, whichever command wrote it.

use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use testkit::Scratch;

/// What a command says of a program, printed and in `run.json` alike, which the
/// schema allows; `output` is the flag that names the directory.
#[track_caller]
fn report(program: &str, arguments: &[&str], output: &str, status: i32) -> Json {
    let scratch = Scratch::with(&[("program.c", program)]);
    let finished = scratch.everypath(&[arguments, &[output, "out", "--json"]].concat());
    assert_eq!(finished.status, Some(status), "{}", finished.said());
    let written = scratch.read("out/run.json");
    let written: Json = serde_json::from_str(&written).expect("run.json is JSON");
    assert_eq!(written, finished.json());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/run.schema.json");
    let schema = fs::read(file).expect("the schema is published");
    let schema = serde_json::from_slice(&schema).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let problems: Vec<String> = validator
        .iter_errors(&written)
        .map(|problem| format!("{}: {problem}", problem.instance_path()))
        .collect();
    assert_eq!(problems, [""; 0], "{written:#}");
    written
}

#[test]
fn a_run_with_an_error_and_an_external_function() {
    let program = "double cos(double x);
        int half(int x) {
            if (x == 7) return 100 / (x - 7);
            return cos(x) > 0.5;
        }";
    let arguments = ["run", "program.c", "--entry", "half"];
    let written = report(program, &arguments, "--output", 1);
    assert_eq!(written["errors"][0]["kind"], "division");
    assert_eq!(written["program"]["entry"], "half");
    assert_eq!(written["external"]["functions"][0]["function"], "cos");
}

#[test]
fn a_run_that_a_limit_stopped() {
    let program = r#"
        #include <everypath.h>
        int main(void) {
            int n = 0;
            while (ep_range(0, 9, "x") != 3) n++;
            return n & 1;
        }"#;
    let arguments = ["run", "program.c", "--max-forks", "3"];
    let written = report(program, &arguments, "--output", 0);
    assert_eq!(written["outcome"], "limit");
}

#[test]
fn a_method_on_objects_of_its_invariant() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/staged");
    let program = format!("#include {:?}\n", examples.join("sorted_list.c"));
    let method = ["run", "program.c", "--method", "add", "--trust-method"];
    let bounds = ["--requires", "listRepOk", "--max", "Link=2"];
    let written = report(&program, &[&method[..], &bounds].concat(), "--output", 0);
    assert!(written["stage"]["valid"].as_u64() > Some(0), "{written:#}");
}

#[test]
fn fuzzing() {
    let program = "#include <stdio.h>
        int main(void) {
            if (getchar() == 'a') __builtin_trap();
            return 0;
        }";
    let arguments = ["fuzz", "program.c", "--max-length", "1"];
    let written = report(program, &arguments, "--out", 1);
    assert_eq!(written["errors"][0]["kind"], "abort");
    assert!(written["fuzz"]["runs"].as_u64() > Some(1), "{written:#}");
}
