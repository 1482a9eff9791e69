//! Tests in other forms: a script finds the fault that the test is there for by itself.

use mixed::Mixed;
use mixed::solver::Solver;
use model::execution::Executor;
use model::exploration::{Bounds, explore};
use model::goal::{Coverage, Tracker, goals};
use model::testcase::{Data, ScriptError, TestCase, test_cases};
use model::{Model, check};
use std::convert::Infallible;
use std::process::Command;

const ADDER: &str = "
    channel add(Int), sum(total: Int)
    automaton Adder {
        var x, total: Int
        initial idle
        take: idle -> busy, add?(x), total := total + x
        give: busy -> idle, sum!(total)
    }";

const JSON_SYSTEM: &str = "
import json, sys
total = 0
for line in sys.stdin:
    total += json.loads(line)['values'][0] + WRONG
    print(json.dumps({'channel': 'sum', 'values': [total]}), flush=True)
";

const LINES: &str = "\ncodec lines { add = \"+ '''{}\", sum = \"= {}\" }";

const LINES_SYSTEM: &str = "
import sys
total = 0
for line in sys.stdin:
    total += int(line[5:]) + WRONG
    print(f'= {total}', flush=True)
";

fn checked(text: &str) -> Model {
    let checked = check(text, &[]);
    checked.unwrap_or_else(|faults| panic!("{faults:?}")).model
}

/// The one test that takes every transition.
fn test_of(model: &Model) -> TestCase {
    let mut executor = Executor::new(model, Mixed::from(Solver::default()));
    let coverage = goals(model, &Coverage::Transitions).expect("it has transitions");
    let mut tracker = Tracker::new(coverage);
    let bounds = Bounds {
        height: 2,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, Some(&mut tracker));
    let mut data = Data::new(0);
    let keep = |_: &TestCase| Ok::<(), Infallible>(());
    let made = test_cases(&mut executor, &tree, &tracker, &mut data, keep);
    let mut tests = made.unwrap_or_else(|never| match never {});
    assert_eq!(tests.len(), 1);
    tests.remove(0)
}

/// The exit status and the output of a script against a system that is so much off.
fn run(script: &str, system: &str, wrong: i32) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("there is room for files");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("there is room for files");
    };
    write("test.py", script);
    write("system.py", &system.replace("WRONG", &wrong.to_string()));
    let output = Command::new("python3")
        .args(["test.py", "--timeout", "20", "python3", "system.py"])
        .current_dir(folder.path())
        .output()
        .expect("Python is there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text)
}

#[test]
fn a_script_passes_a_right_system_and_fails_a_wrong_one() {
    for (codec, system) in [("", JSON_SYSTEM), (LINES, LINES_SYSTEM)] {
        let model = checked(&format!("{ADDER}{codec}"));
        let script = test_of(&model)
            .to_python(&model)
            .expect("messages are lines");
        let right = (Some(0), "test001: pass\n".to_owned());
        assert_eq!(run(&script, system, 0), right);
        let (status, text) = run(&script, system, 1);
        assert_eq!(status, Some(1), "{text}");
        assert!(text.starts_with("test001: fail: "), "{text}");
    }
    let model = checked(&format!(
        "{ADDER}\ncodec http {{ add = \"POST /add/{{}}\", sum = 200 }}"
    ));
    let refused = test_of(&model).to_python(&model);
    assert_eq!(refused, Err(ScriptError::Codec));
}

#[test]
fn a_chart_shows_who_sends_what() {
    let model = checked(ADDER);
    let test = test_of(&model);
    let lines = test.lines(&model);
    let expected = format!(
        "sequenceDiagram\n    participant Tester\n    participant System\n    \
         Tester->>System: {}\n    System->>Tester: {}\n",
        lines[0].replace('?', ""),
        lines[1].replace('!', "")
    );
    assert_eq!(test.to_chart(&model), expected);
}
