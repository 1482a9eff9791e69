//! Tests in other forms: a script finds the fault that the test is there for by itself.

use mixed::Mixed;
use mixed::solver::Solver;
use model::execution::Executor;
use model::exploration::{Bounds, explore};
use model::goal::{Coverage, Tracker, goals};
use model::testcase::{Data, ScriptError, TestCase, Timing, test_cases, ttcn};
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
    let mut tests = tests_of(model);
    assert_eq!(tests.len(), 1);
    tests.remove(0)
}

/// Tests that take every transition.
fn tests_of(model: &Model) -> Vec<TestCase> {
    let mut executor = Executor::new(model, Mixed::from(Solver::default()));
    let coverage = goals(model, &Coverage::Transitions).expect("it has transitions");
    let mut tracker = Tracker::new(coverage);
    let bounds = Bounds {
        height: 3,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, Some(&mut tracker));
    let mut data = Data::new(0);
    let keep = |_: &TestCase| Ok::<(), Infallible>(());
    let made = test_cases(&mut executor, &tree, &tracker, &mut data, keep);
    made.unwrap_or_else(|never| match never {})
}

/// The exit status and the output of a script against a system that is so much off.
fn run(shell: &str, script: &str, system: &str, wrong: i32) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("there is room for files");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("there is room for files");
    };
    write("script", script);
    write("system.py", &system.replace("WRONG", &wrong.to_string()));
    let output = Command::new(shell)
        .args(["script", "--timeout", "20", "python3", "system.py"])
        .current_dir(folder.path())
        .output()
        .expect("the shell is there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text)
}

#[test]
fn a_script_passes_a_right_system_and_fails_a_wrong_one() {
    for (codec, system) in [("", JSON_SYSTEM), (LINES, LINES_SYSTEM)] {
        let model = checked(&format!("{ADDER}{codec}"));
        let test = test_of(&model);
        let scripts = [
            ("python3", test.to_python(&model, &Timing::default())),
            ("bash", test.to_shell(&model, &Timing::default())),
        ];
        for (shell, script) in scripts {
            let script = script.expect("messages are lines");
            let right = (Some(0), "test001: pass\n".to_owned());
            assert_eq!(run(shell, &script, system, 0), right, "{shell}");
            let (status, text) = run(shell, &script, system, 1);
            assert_eq!(status, Some(1), "{text}");
            assert!(text.starts_with("test001: fail: "), "{text}");
        }
    }
    let model = checked(&format!(
        "{ADDER}\ncodec http {{ add = \"POST /add/{{}}\", sum = 200 }}"
    ));
    let test = test_of(&model);
    assert_eq!(
        test.to_python(&model, &Timing::default()),
        Err(ScriptError::Codec)
    );
    assert_eq!(
        test.to_shell(&model, &Timing::default()),
        Err(ScriptError::Codec)
    );
}

/// A clock that ticks as it likes, and can be stopped.
const TICKING: &str = "
    channel tick, stop, stopped
    automaton Clock {
        initial on
        tick: on -> on, tick!
        stop: on -> stopping, stop?
        end: stopping -> on, stopped!
    }";

/// It has ticked before it reads that it should stop.
const TICKING_SYSTEM: &str = "
import sys
say = lambda name: print('{\"channel\": \"' + name + '\", \"values\": []}', flush=True)
say('tick')
sys.stdin.readline()
say('stopped')
";

#[test]
fn a_script_does_not_blame_a_system_for_what_was_under_way() {
    let model = checked(TICKING);
    let mut tests = tests_of(&model);
    tests.retain(|test| test.lines(&model) == ["stop?()", "stopped!()"]);
    let test = tests.pop().expect("it is stopped once");
    for (shell, script) in [
        ("python3", test.to_python(&model, &Timing::default())),
        ("bash", test.to_shell(&model, &Timing::default())),
    ] {
        let script = script.expect("messages are lines");
        let (status, text) = run(shell, &script, TICKING_SYSTEM, 0);
        assert_eq!(status, Some(2), "{text}{script}");
    }
    let module = ttcn::module(&model, &[test]);
    let late = "// tick()\n    [] sut.receive(Message_tick:?) { setverdict(inconc); stop; }";
    assert!(module.contains(late), "{module}");
}

#[test]
fn a_module_of_ttcn_declares_all_that_its_tests_use() {
    let model = checked(
        "enum Colour { red, port }
         record Sale { slot: Int, price: Real }
         channel sell(Sale, Colour[2]), log(note: String), sold(Real, Bool)
         automaton A {
             var s: Sale
             var c: Colour[2]
             initial a
             sell: a -> b, sell?(s, c) where s.price = 2.5 and c[0] = port
             b -> a, sold!(s.price / 3.0, true), log!(\"a \\\"b\\\"\\n\")
         }",
    );
    let module = ttcn::module(&model, &[test_of(&model)]);
    for line in [
        "type enumerated Type_Colour { red, port_ }",
        "type record Type_Sale { integer slot, float price }",
        "type record Message_sell { Type_Sale value1, record length(2) of Type_Colour value2 }",
        "type record Message_log { universal charstring note }",
        "type port SystemPort message { inout Message_sell, Message_log, Message_sold }",
        "(0.8333333323333334 .. 0.8333333343333333), true",
        "Message_log:{ \"a \"\"b\"\"\" & char(0, 0, 0, 10) }",
        "  execute(test001());",
    ] {
        assert!(module.contains(line), "{line}\n{module}");
    }
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
