//! Models with clocks against systems, in simulated time and for real. What is for real is
//! early or late by so much that no load of the machine changes it.

use testkit::{Scratch, project};

/// The verdicts of all tests, each once.
fn verdicts(scratch: &Scratch, command: &str, system: &str) -> Vec<String> {
    let words = command.split_whitespace();
    let words: Vec<&str> = words.chain(["--json", "--sut", system]).collect();
    let output = scratch.everypath(&words).json();
    let tests = output["tests"].as_array().expect("it is a list").iter();
    let mut found: Vec<String> = tests
        .map(|test| test["verdict"].as_str().unwrap_or_default().to_owned())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The light of a staircase with systems, each by its name and what its source has instead of
/// something; and where its model is.
fn lamp(systems: &[(&str, &str, &str)]) -> (Scratch, String) {
    let scratch = Scratch::new();
    let folder = project("examples/model/systems");
    let source = std::fs::read_to_string(folder.join("lamp.c")).expect("it is there");
    let include = format!("-I{}", folder.display());
    for (name, right, wrong) in systems {
        let file = format!("{name}.c");
        scratch.write(&file, source.replacen(right, wrong, 1));
        scratch.clang(["-o", name, &include, &file]);
    }
    let model = project("examples/model/lamp.iosts");
    (scratch, model.display().to_string())
}

#[test]
fn the_lamp_passes_in_simulated_time_and_its_mutant_fails() {
    let (scratch, model) = lamp(&[("right", "", ""), ("wrong", "#ifndef MUTANT", "#if 0")]);
    let made = scratch.everypath(&format!("model test {model} -o tests --json"));
    assert_eq!(made.json()["missed"], serde_json::json!([]));
    let run = |system: &str, timeout: &str| {
        let sut = format!("{}/{system} simulated", scratch.folder().display());
        let command = format!("model run {model} --tests tests --simulated --timeout {timeout}");
        verdicts(&scratch, &command, &sut)
    };
    assert_eq!(run("right", "5"), ["pass"]);
    assert!(run("wrong", "0.5").contains(&"fail".to_owned()));
}

/// A deadline that an input before it does not move: the light is off after ten seconds, though
/// the button was pressed a moment ago.
#[test]
fn silence_at_a_deadline_fails_although_an_input_came_before() {
    let (scratch, model) = lamp(&[("wrong", "LONGEST = 10", "LONGEST = 11")]);
    let step = |transition: &str, event: &str, value: &str| {
        format!(r#"{{"transition": "{transition}", {event}, "values": [{value}]}}"#)
    };
    let press = |transition: &str| step(transition, r#""input": "press""#, "");
    let light = |transition: &str, on: &str| step(transition, r#""output": "light""#, on);
    let delay = step("time.delay", r#""input": "delay""#, "2.5");
    let mut steps = vec![press("on"), light("on.2", "true")];
    for _ in 0..3 {
        steps.extend([delay.clone(), press("more")]);
    }
    steps.extend([delay, light("off", "false")]);
    let steps = steps.join(", ");
    scratch.write(
        "tests/test001.json",
        format!(r#"{{"schema": 2, "name": "test001", "steps": [{steps}]}}"#),
    );
    let sut = format!("{}/wrong simulated", scratch.folder().display());
    let command = format!("model run {model} --tests tests --simulated --timeout 0.5");
    assert_eq!(verdicts(&scratch, &command, &sut), ["fail"]);
}

const ALARM: &str = "\
channel start, stop, power, first, second, backup
automaton Alarm {
    clock c
    initial idle
    go: idle -> busy, start?, c := 0
    one: busy -> middle, first!
    two: middle -> idle, second!
    halt: middle -> held, stop?
    fail: held -> out, power?
    back: out -> idle, backup!
}
";

/// The system sends its second output before it looks at its inputs, and hears `stop` when it is
/// idle again, of which the model says nothing.
#[test]
fn an_output_that_crossed_two_inputs_is_no_failure_in_time() {
    let system = "say() { echo \"{\\\"channel\\\": \\\"$1\\\", \\\"values\\\": []}\"; }
        read line; say first; sleep 1; say second; cat > /dev/null";
    let step = |transition: &str, kind: &str, channel: &str| {
        format!(r#"{{"transition": "{transition}", "{kind}": "{channel}", "values": []}}"#)
    };
    let steps = [
        step("go", "input", "start"),
        step("one", "output", "first"),
        step("halt", "input", "stop"),
        step("fail", "input", "power"),
        step("back", "output", "backup"),
    ];
    let test = format!(
        r#"{{"schema": 2, "name": "test001", "steps": [{}]}}"#,
        steps.join(", ")
    );
    let files = [
        ("model.iosts", ALARM),
        ("system.sh", system),
        ("tests/test001.json", &test),
    ];
    let scratch = Scratch::with(&files);
    let command = "model run model.iosts --tests tests --simulated --timeout 5";
    assert_eq!(
        verdicts(&scratch, command, "sh system.sh"),
        ["inconclusive"]
    );
}

const ANSWERING: &str = "\
channel ask, answer
automaton A {
    clock x
    initial idle
    state busy while x <= LATEST
    asked: idle -> busy, ask?, x := 0
    answered: busy -> idle when x >= EARLIEST, answer!
}
";

#[test]
fn an_answer_that_comes_too_early_or_not_in_time_fails_in_real_time() {
    let answer = "read line; echo '{\"channel\": \"answer\", \"values\": []}'; sleep 1";
    for (earliest, latest, system, expected) in [
        ("0", "60", answer, "pass"),
        ("50", "60", answer, "fail"),
        ("0", "0.2", "read line; sleep 60", "fail"),
    ] {
        let text = ANSWERING
            .replace("EARLIEST", earliest)
            .replace("LATEST", latest);
        let scratch = Scratch::with(&[("a.iosts", &text), ("system.sh", system)]);
        let purpose = "--online --cover purpose:asked,*,answered --steps 6 --timeout 2";
        let command = format!("model run a.iosts {purpose}");
        let found = verdicts(&scratch, &command, "sh system.sh");
        assert_eq!(found, [expected], "{earliest} {latest} {system}");
    }
}

/// In one delay of a minute, an answer after a second looks like one after a minute.
#[test]
fn an_answer_that_comes_too_early_in_a_long_simulated_delay_fails() {
    let text = ANSWERING.replace("EARLIEST", "60").replace("LATEST", "60");
    let step = |transition: &str, event: &str, values: &str| {
        format!(r#"{{"transition": "{transition}", {event}, "values": [{values}]}}"#)
    };
    let steps = [
        step("asked", r#""input": "ask""#, ""),
        step("time.delay", r#""input": "delay""#, "60"),
        step("answered", r#""output": "answer""#, ""),
    ];
    let test = format!(
        r#"{{"schema": 2, "name": "test001", "steps": [{}]}}"#,
        steps.join(", ")
    );
    let answer = "echo '{\"channel\": \"answer\", \"values\": []}'; cat > /dev/null";
    // What they read is the question, and then delays.
    for (system, expected) in [
        (format!("read a; read b; read c; {answer}"), "pass"),
        (format!("read a; read b; {answer}"), "fail"),
    ] {
        let files = [
            ("a.iosts", text.as_str()),
            ("system.sh", &system),
            ("tests/test001.json", &test),
        ];
        let scratch = Scratch::with(&files);
        let command = "model run a.iosts --tests tests --simulated --timeout 5";
        assert_eq!(verdicts(&scratch, command, "sh system.sh"), [expected]);
    }
}

#[test]
fn a_deadlock_is_where_nothing_can_happen_at_any_time() {
    let waiting = ANSWERING.replace("EARLIEST", "3").replace("LATEST", "5");
    let late = ANSWERING.replace("EARLIEST", "6").replace("LATEST", "5");
    let unlimited = waiting.replace("    state busy while x <= 5\n", "");
    let missed = unlimited.replace("x >= 3", "x > 2 and x < 3");
    for (text, expected) in [
        (waiting, "no deadlock"),
        (late, "deadlock: nothing can happen after this path"),
        (unlimited, "no deadlock"),
        (missed, "deadlock: nothing can happen after this path"),
    ] {
        let scratch = Scratch::with(&[("a.iosts", &text)]);
        let checked = scratch.everypath("model check-property a.iosts --deadlock");
        assert_eq!(checked.stdout.lines().next(), Some(expected), "{text}");
    }
}

#[test]
fn a_right_output_at_the_wrong_time_is_said_to_be_early_or_late() {
    let text = ANSWERING.replace("EARLIEST", "3").replace("LATEST", "5");
    let unlimited = text.replace("    state busy while x <= 5\n", "");
    let unlimited = unlimited.replace("x >= 3", "x >= 3 and x <= 5");
    let scratch = Scratch::with(&[("a.iosts", &text), ("unlimited.iosts", &unlimited)]);
    let delay = |seconds: &str| format!("{{\"channel\": \"delay\", \"values\": [{seconds}]}}\n");
    let (ask, answer) = ("{\"channel\": \"ask\"}\n", "{\"channel\": \"answer\"}\n");
    for (model, log, expected) in [
        (
            "a",
            format!("{}{ask}{}{answer}", delay("1"), delay("2.5")),
            "line 4: answer() came at 3.5 s, too early; the model expects it between 4 and 6 s",
        ),
        (
            "a",
            format!("{ask}{answer}"),
            "line 2: answer() came at 0 s, too early; the model expects it between 3 and 5 s",
        ),
        (
            "unlimited",
            format!("{ask}{}{}{answer}", delay("2"), delay("3.25")),
            "line 4: answer() came at 5.25 s, too late; the model expects it between 3 and 5 s",
        ),
        (
            "a",
            format!("{ask}{}", delay("5.5")),
            "line 2: nothing came until 5.5 s; the model expects answer() by 5 s",
        ),
        (
            "a",
            format!("{ask}{}{answer}{answer}", delay("4")),
            "line 4: answer() came; the model expects nothing",
        ),
    ] {
        scratch.write("log", &log);
        let checked = scratch.everypath(&format!("model check-log {model}.iosts log"));
        let first = checked.stdout.lines().next().unwrap_or_default();
        assert_eq!(first, format!("log: fail: {expected}"), "{log}");
    }
}

#[test]
fn scripts_of_the_lamp_pass_it_and_fail_its_mutant() {
    let (scratch, model) = lamp(&[("right", "", ""), ("wrong", "#ifndef MUTANT", "#if 0")]);
    let made = scratch.everypath(&format!(
        "model test {model} --export python,shell -o tests --json"
    ));
    let count = made.json()["tests"].as_u64().expect("it is a number");
    for (shell, extension) in [("python3", "py"), ("bash", "sh")] {
        let mut statuses = [Vec::new(), Vec::new()];
        for number in 1..=count {
            for (system, statuses) in ["./right", "./wrong"].into_iter().zip(&mut statuses) {
                let script = format!("tests/test{number:03}.{extension}");
                let ran = std::process::Command::new(shell)
                    .args([
                        &script,
                        "--simulated",
                        "--timeout",
                        "5",
                        system,
                        "simulated",
                    ])
                    .current_dir(scratch.folder())
                    .output()
                    .expect("the shell is there");
                statuses.push((
                    ran.status.code(),
                    String::from_utf8_lossy(&ran.stdout).into_owned(),
                ));
            }
        }
        let [right, wrong] = statuses;
        assert!(
            right.iter().all(|(status, _)| *status == Some(0)),
            "{right:?}"
        );
        assert!(
            wrong.iter().any(|(status, _)| *status == Some(1)),
            "{wrong:?}"
        );
    }
}
