//! Verdicts on systems that are right in unusual ways, or wrong in ways that are
//! easily missed.

use serde_json::Value as Json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use tempfile::TempDir;

/// A model and a system in a folder of their own.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(model: &str, system: &str) -> Bench {
        let folder = TempDir::new().expect("there is room");
        fs::write(folder.path().join("model.iosts"), model).expect("there is room");
        fs::write(folder.path().join("system.sh"), system).expect("there is room");
        Bench { folder }
    }

    /// Runs `everypath model` in the folder; what it prints.
    fn everypath(&self, arguments: &[&str]) -> (String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
            .arg("model")
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("everypath starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
        (text(output.stdout), text(output.stderr))
    }

    /// `test: verdict: reason` of every test; one for each transition unless told otherwise.
    fn verdicts(&self, sut: &str, arguments: &[&str]) -> Vec<String> {
        let run = ["run", "model.iosts", "--sut", sut, "--json"];
        let chosen = ["--cover", "--tests", "--online"];
        let cover = match arguments.iter().any(|it| chosen.contains(it)) {
            true => &[][..],
            false => &["--cover", "transitions"],
        };
        let (out, err) = self.everypath(&[&run, cover, arguments].concat());
        let report: Json = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        let tests = report["tests"].as_array().expect("there is a list");
        let text = |test: &Json, field: &str| test[field].as_str().unwrap_or("?").to_owned();
        tests
            .iter()
            .map(|test| {
                let [name, verdict, reason] =
                    ["test", "verdict", "reason"].map(|field| text(test, field));
                format!("{name}: {verdict}: {reason}").trim_end().to_owned()
            })
            .collect()
    }
}

const ANSWERS: &str = "channel go(Int), stop(), a(Int)
automaton A {
    var x: Int
    initial s
    g: s -> t, go?(x) where x < 2
    o: t -> u when x > 0, a!(x)
    n: t -> u when x <= 0, tau
    st: u -> s, stop?()
}
";

/// Answers as the model has it; what else it does when it should be silent.
fn answering(otherwise: &str) -> String {
    format!(
        "while read line; do case \"$line\" in
*go*'[1]'*) echo '{{\"channel\": \"a\", \"values\": [1]}}' ;;
*) {otherwise} ;;
esac; done"
    )
}

#[test]
fn a_test_that_ends_without_an_output_waits_whether_one_comes() {
    let late = "sleep 0.4; echo '{\"channel\": \"a\", \"values\": [0]}'";
    let bench = Bench::new(ANSWERS, &answering(late));
    let verdicts = bench.verdicts("sh system.sh", &["--timeout", "2"]);
    assert!(
        verdicts.contains(&"test002: fail: a(0) came; the model expects nothing".to_owned()),
        "{verdicts:?}"
    );
    let bench = Bench::new(ANSWERS, &answering(":"));
    let verdicts = bench.verdicts("sh system.sh", &["--timeout", "2"]);
    assert_eq!(verdicts, ["test001: pass:", "test002: pass:"]);
    let ended = "inconclusive: the system ended with exit status: 0";
    let verdicts = bench.verdicts("true", &["--timeout", "2"]);
    assert_eq!(
        verdicts,
        [format!("test001: {ended}"), format!("test002: {ended}")]
    );
}

const EITHER: &str = "channel go, left, right, next, done(Int)
automaton A {
    initial idle
    go: idle -> choosing, go?
    l: choosing -> ready, left!
    r: choosing -> ready, right!
    next: ready -> working, next?
    done: working -> idle, done!(1)
}
";

#[test]
fn a_test_that_went_another_way_still_finds_what_the_model_does_not_allow() {
    let step = |transition: &str, kind: &str, channel: &str, values: &str| {
        format!(r#"{{"transition": "{transition}", "{kind}": "{channel}", "values": [{values}]}}"#)
    };
    let steps = [
        step("go", "input", "go", ""),
        step("l", "output", "left", ""),
        step("next", "input", "next", ""),
        step("done", "output", "done", "1"),
    ];
    let test = format!(
        r#"{{"schema": 2, "name": "test001", "steps": [{}]}}"#,
        steps.join(", ")
    );
    let way = "inconclusive: the model allows what the system did, but the test goes another way";
    for (value, expected) in [
        ("1", way),
        ("2", "fail: done(2) came; the model expects done(1)"),
    ] {
        let system = format!(
            "while read line; do case \"$line\" in
            *go*) echo '{{\"channel\": \"right\", \"values\": []}}' ;;
            *) echo '{{\"channel\": \"done\", \"values\": [{value}]}}' ;;
            esac; done"
        );
        let bench = Bench::new(EITHER, &system);
        let folder = bench.folder.path().join("tests");
        fs::create_dir(&folder).expect("there is room");
        fs::write(folder.join("test001.json"), &test).expect("there is room");
        let verdicts = bench.verdicts("sh system.sh", &["--tests", "tests", "--timeout", "2"]);
        assert_eq!(verdicts, [format!("test001: {expected}")]);
    }
}

#[test]
fn a_server_that_serves_one_client_at_a_time_is_let_go_after_each_test() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a client comes");
            let lines = BufReader::new(stream.try_clone().expect("it has a copy")).lines();
            for line in lines {
                let Ok(line) = line else {
                    break;
                };
                if line.contains("[1]") {
                    let _ = writeln!(stream, "{{\"channel\": \"a\", \"values\": [1]}}");
                }
            }
        }
    });
    let bench = Bench::new(ANSWERS, "");
    let verdicts = bench.verdicts(&format!("tcp://{address}"), &["--timeout", "2"]);
    assert_eq!(verdicts, ["test001: pass:", "test002: pass:"]);
}

#[test]
fn integers_of_any_size_are_read_as_they_are() {
    let model = "channel go(), a(Int)
automaton A { initial s  g: s -> t, go?()  o: t -> s, a!(18446744073709551617) }
";
    let system =
        "read line; echo '{\"channel\": \"a\", \"values\": [18446744073709551617]}'; sleep 9";
    let verdicts = Bench::new(model, system).verdicts("sh system.sh", &["--timeout", "5"]);
    assert_eq!(verdicts, ["test001: pass:"]);
    let system =
        "read line; echo '{\"channel\": \"a\", \"values\": [18446744073709551616]}'; sleep 9";
    let verdicts = Bench::new(model, system).verdicts("sh system.sh", &["--timeout", "5"]);
    let reason = "a(18446744073709551616) came; the model expects a(18446744073709551617)";
    assert_eq!(verdicts, [format!("test001: fail: {reason}")]);
}

#[test]
fn what_a_test_file_expects_counts() {
    let model = "channel go(Int), a(Int)
automaton A { var x: Int initial s  g: s -> t, go?(x) where x = 7  o: t -> s, a!(x) }
";
    let system = "read line; echo '{\"channel\": \"a\", \"values\": [7]}'; sleep 9";
    let bench = Bench::new(model, system);
    bench.everypath(&[
        "test",
        "model.iosts",
        "--cover",
        "transitions",
        "-o",
        "tests",
    ]);
    let file = bench.folder.path().join("tests/test001.json");
    let text = fs::read_to_string(&file).expect("it was written");
    let json: Json = serde_json::from_str(&text).expect("it is JSON");
    let run = ["--tests", "tests", "--timeout", "5"];
    assert_eq!(
        bench.verdicts("sh system.sh", &run),
        ["test001: pass:".to_owned()]
    );
    let mut edited = json.clone();
    edited["steps"][1]["values"][0] = 42.into();
    fs::write(&file, edited.to_string()).expect("there is room");
    assert_eq!(
        bench.verdicts("sh system.sh", &run),
        ["test001: fail: a(7) came; the test expects a(42)".to_owned()]
    );
    let mut edited = json;
    edited["schema"] = 99.into();
    fs::write(&file, edited.to_string()).expect("there is room");
    let run = [&["run", "model.iosts", "--sut", "true"], &run[..]].concat();
    let (_, err) = bench.everypath(&run);
    assert_eq!(
        err.trim_end(),
        "error: tests/test001.json: the schema 99 is not known; there are 1 to 2"
    );
}

#[test]
fn a_test_file_of_the_first_version_is_still_one() {
    let model = "channel go(Int), a(Int)
automaton A {
    var x, y: Int
    initial s
    g: s -> t, go?(x) where x = 7, y := any
    o: t -> s when y > x, a!(y)
    p: t -> s when x > 0, a!(x)
}
";
    let system = "read line; echo '{\"channel\": \"a\", \"values\": [8]}'; sleep 9";
    let bench = Bench::new(model, system);
    let test = ["test", "model.iosts", "--cover", "transition:o", "-o"];
    bench.everypath(&[&test[..], &["tests"]].concat());
    let file = bench.folder.path().join("tests/test001.json");
    let text = fs::read_to_string(&file).expect("it was written");
    let mut json: Json = serde_json::from_str(&text).expect("it is JSON");
    let open = serde_json::json!({"values": "any", "condition": "any > 7"});
    let beside = serde_json::json!({"output": "a", "values": [7]});
    assert_eq!(
        (&json["schema"], &json["steps"][1]["open"]),
        (&2.into(), &open),
        "{text}"
    );
    assert_eq!(json["steps"][1]["inconclusive"]["outputs"][0], beside);
    let run = ["--tests", "tests", "--timeout", "5"];
    let verdicts = bench.verdicts("sh system.sh", &run);
    assert_eq!(verdicts, ["test001: pass:"]);
    json["schema"] = 1.into();
    let step = json["steps"][1].as_object_mut().expect("it is a step");
    step.remove("open");
    step.insert("condition".to_owned(), "(any) where any > 7".into());
    step["inconclusive"]["outputs"] = serde_json::json!(["a(7)"]);
    fs::write(&file, json.to_string()).expect("there is room");
    assert_eq!(bench.verdicts("sh system.sh", &run), verdicts);
    json["steps"][1]["inconclusive"]["outputs"] = serde_json::json!(["b(7)"]);
    fs::write(&file, json.to_string()).expect("there is room");
    let run = [&["run", "model.iosts", "--sut", "true"], &run[..]].concat();
    let (_, err) = bench.everypath(&run);
    assert_eq!(
        err.trim_end(),
        "error: tests/test001.json: step 2: the model has no channel `b`"
    );
}

#[test]
fn an_output_that_was_under_way_when_the_input_was_sent_is_no_failure() {
    let model = "channel tick(), go(), done()
automaton A { initial s  t: s -> s, tick!()  g: s -> d, go?()  o: d -> s, done!() }
";
    // The tick is sent when the input is there already, and nobody can tell.
    let system = "read line; echo '{\"channel\": \"tick\", \"values\": []}'
echo '{\"channel\": \"done\", \"values\": []}'; sleep 9";
    let bench = Bench::new(model, system);
    let cover = ["--cover", "transition:g", "--timeout", "5"];
    let verdicts = bench.verdicts("sh system.sh", &cover);
    let reason = "the model allows what the system did, but the test goes another way";
    assert_eq!(verdicts, [format!("test001: inconclusive: {reason}")]);
    let wrong = "read line; echo '{\"channel\": \"done\", \"values\": []}'
echo '{\"channel\": \"done\", \"values\": []}'; sleep 9";
    let bench = Bench::new(model, wrong);
    let verdicts = bench.verdicts("sh system.sh", &cover);
    assert_eq!(
        verdicts,
        ["test001: fail: done() came; the model expects tick()"]
    );
}

/// A door that may jam when it is called, and then stays silent.
const DOOR: &str = "channel call(Int), reset(), opened(Int)
automaton Door {
    var f: Int
    initial closed
    call: closed -> deciding, call?(f) where 0 <= f and f < 9
    good: deciding -> opening, tau
    bad: deciding -> jammed, tau
    open: opening -> open, opened!(f)
    shut: open -> closed, reset?()
    unjam: jammed -> closed, reset?()
}
";

/// A door that never jams, takes its time, and opens so many floors too high.
fn slow_door(too_high: u8) -> String {
    format!(
        "while read line; do case \"$line\" in
*call*) f=${{line##*[}}; f=${{f%%]*}}; sleep 0.2
echo '{{\"channel\": \"opened\", \"values\": ['$((f + {too_high}))']}}' ;; esac; done"
    )
}

#[test]
fn an_output_may_cross_several_inputs() {
    let hurried = r#"{"name": "hurried", "steps": [
        {"transition": "call", "input": "call", "values": [3]}, {"transition": "bad"},
        {"transition": "unjam", "input": "reset"},
        {"transition": "call", "input": "call", "values": [4]}, {"transition": "good"},
        {"transition": "open", "output": "opened", "values": [4]}]}"#;
    let verdicts = |too_high: u8| {
        let bench = Bench::new(DOOR, &slow_door(too_high));
        let tests = bench.folder.path().join("tests");
        fs::create_dir(&tests).expect("there is room");
        fs::write(tests.join("test001.json"), hurried).expect("there is room");
        bench.verdicts("sh system.sh", &["--tests", "tests", "--timeout", "5"])
    };
    // It opens at 3 before it hears of the reset, which the model allows.
    let reason = "the model allows what the system did, but the test goes another way";
    assert_eq!(verdicts(0), [format!("hurried: inconclusive: {reason}")]);
    assert_eq!(
        verdicts(2),
        ["hurried: fail: opened(5) came; the model expects opened(4)"]
    );
}

#[test]
fn a_test_does_not_send_what_an_output_may_cross_where_silence_would_tell() {
    let bench = Bench::new(DOOR, &slow_door(0));
    let test = ["test", "model.iosts", "--cover", "transition:unjam"];
    bench.everypath(&[&test[..], &["-o", "tests"]].concat());
    let file = bench.folder.path().join("tests/test001.json");
    let text = fs::read_to_string(file).expect("it was written");
    let json: Json = serde_json::from_str(&text).expect("it is JSON");
    let wait = serde_json::json!({"silence": true,
        "inconclusive": {"outputs": [{"output": "opened", "values": json["steps"][0]["values"]}],
            "silence": false}});
    assert_eq!(json["steps"][2], wait, "{text}");
    // Whatever is tried, a right system does not fail.
    for run in [
        &["--tests", "tests"][..],
        &["--cover", "mutants"],
        &["--online", "--steps", "40"],
    ] {
        let verdicts = bench.verdicts("sh system.sh", &[run, &["--timeout", "0.6"]].concat());
        let failed = verdicts.iter().filter(|it| it.contains(": fail: "));
        assert_eq!(failed.count(), 0, "{verdicts:?}");
    }
}

#[test]
fn what_is_sent_wrongly_is_a_failure_with_its_reason() {
    for (message, reason) in [
        (
            "\"channel\": \"b\", \"values\": [1]",
            "the system sent [1] on `b`, which is no channel of the model",
        ),
        (
            "\"channel\": \"a\", \"values\": [true]",
            "the system sent [true]: `a`: true where an Int should be",
        ),
        (
            "\"channel\": \"a\", \"values\": [1, 1]",
            "the system sent [1,1]: `a` has 1 values, not 2",
        ),
        (
            "\"channel\": \"go\", \"values\": [1]",
            "go(1) came; the model expects a(1)",
        ),
    ] {
        let system = format!("read line; echo '{{{message}}}'; sleep 9");
        let bench = Bench::new(ANSWERS, &system);
        let verdicts = bench.verdicts("sh system.sh", &["--cover", "transition:o"]);
        assert_eq!(verdicts, [format!("test001: fail: {reason}")]);
    }
}

#[test]
fn a_system_that_keeps_talking_as_it_may_passes() {
    let model = "channel tick()\nautomaton A { initial s  t: s -> s, tick!() }\n";
    let system = "while echo '{\"channel\": \"tick\", \"values\": []}'; do :; done";
    let verdicts = Bench::new(model, system).verdicts("sh system.sh", &["--timeout", "5"]);
    assert_eq!(verdicts, ["test001: pass:"]);
}

#[test]
fn a_number_that_nobody_computed_is_exact() {
    let model = "channel go(), a(Real)
automaton A {
    var r: Real
    initial s
    g: s -> t, go?(), r := any
    o: t -> s when r > 1 and r < 2, a!(r)
}
";
    let says = |number: &str| {
        let system =
            format!("read line; echo '{{\"channel\": \"a\", \"values\": [{number}]}}'; sleep 9");
        Bench::new(model, &system).verdicts("sh system.sh", &["--timeout", "5"])
    };
    assert_eq!(says("1.5"), ["test001: pass:"]);
    let [said] = &says("2")[..] else {
        panic!("there is one test");
    };
    assert!(
        said.starts_with("test001: fail: a(2) came; the model expects a(any) where any > 1"),
        "{said}"
    );
}

#[test]
fn a_system_that_does_not_read_is_given_up() {
    let model = "channel go(String), a()
automaton A { var x: String initial s  g: s -> t, go?(x)  o: t -> s, a!() }
";
    let bench = Bench::new(model, "");
    bench.everypath(&[
        "test",
        "model.iosts",
        "--cover",
        "transitions",
        "-o",
        "tests",
    ]);
    let file = bench.folder.path().join("tests/test001.json");
    let text = fs::read_to_string(&file).expect("it was written");
    let mut json: Json = serde_json::from_str(&text).expect("it is JSON");
    json["steps"][0]["values"][0] = "x".repeat(1 << 20).into();
    fs::write(&file, json.to_string()).expect("there is room");
    assert_eq!(
        bench.verdicts("sleep 99", &["--tests", "tests", "--timeout", "1"]),
        ["test001: inconclusive: the system does not read within 1s"]
    );
}

#[test]
fn a_test_does_not_take_what_comes_later_for_what_must_come_now() {
    let model = "channel go(), a(Int), b(), c()
automaton A {
    var y: Int
    initial s
    g: s -> t, go?(), y := any
    o: t -> u when y > 0 and y < 10, a!(y)
    p: u -> s when y > 5, b!()
    q: u -> s when y <= 5, c!()
}
";
    let bench = Bench::new(model, "");
    bench.everypath(&[
        "test",
        "model.iosts",
        "--cover",
        "transition:p",
        "-o",
        "tests",
    ]);
    let ttcn = fs::read_to_string(bench.folder.path().join("tests/tests.ttcn"));
    let ttcn = ttcn.expect("it was written");
    let open = "    // a(any) where any > 0 and any <= 9
    [] sut.receive(Message_a:?) { setverdict(inconc); stop; }
    // a(any) where any > 0 and any <= 9 and any > 5
    [] sut.receive(Message_a:?) { setverdict(inconc); stop; }
    [] sut.receive { setverdict(fail); stop; }
    [] quiescence.timeout { setverdict(inconc); stop; }
";
    let closed = "    [] sut.receive(Message_b:{  }) { quiescence.stop; }
    [] sut.receive { setverdict(fail); stop; }
    [] quiescence.timeout { setverdict(fail); stop; }
";
    assert!(ttcn.contains(open) && ttcn.contains(closed), "{ttcn}");
}

#[test]
fn a_crash_after_the_last_output_is_a_failure() {
    let model = "channel go(), a()
automaton A { initial s  g: s -> t, go?()  o: t -> s, a!() }
";
    let answer = "read line; echo '{\"channel\": \"a\", \"values\": []}'";
    for dies in [
        // At once, and when its input is closed.
        format!("{answer}; kill -ABRT $$"),
        format!("{answer}; read line; kill -ABRT $$"),
    ] {
        let verdicts = Bench::new(model, &dies).verdicts("sh system.sh", &["--timeout", "5"]);
        let [said] = &verdicts[..] else {
            panic!("there is one test: {verdicts:?}");
        };
        assert!(
            said.starts_with("test001: fail: the system ended with signal: 6 (SIGABRT)"),
            "{said}"
        );
    }
    // A shell says by its status that what it ran was killed.
    let inner = format!("{answer}; read line; sh -c 'kill -SEGV $$'; exit $?");
    let verdicts = Bench::new(model, &inner).verdicts("sh system.sh", &["--timeout", "5"]);
    assert_eq!(
        verdicts,
        ["test001: fail: the system ended with exit status: 139 after the last step"]
    );
    let stays = format!("{answer}; read line; exit 1");
    let verdicts = Bench::new(model, &stays).verdicts("sh system.sh", &["--timeout", "5"]);
    assert_eq!(verdicts, ["test001: pass:"]);
}

/// After `go` the system may answer at once, and then a question gets 1, or be silent,
/// and then it gets 2.
const SILENCE: &str = "channel go(), ask(), c(), b(Int)
automaton A {
    initial s
    g: s -> t, go?()
    quick: t -> w, tau
    slow: t -> v, tau
    early: w -> w1, c!()
    first: w -> x, ask?()
    one: x -> s, b!(1)
    second: v -> y, ask?()
    two: y -> s, b!(2)
    again: w1 -> s, go?()
}
";

#[test]
fn silence_tells_where_the_system_is() {
    // Silent after `go`, so it took the slow way; yet it answers like the quick one.
    let says = |number: u8| {
        let system = format!(
            "while read line; do case \"$line\" in
*ask*) echo '{{\"channel\": \"b\", \"values\": [{number}]}}' ;; esac; done"
        );
        Bench::new(SILENCE, &system)
    };
    let cover = ["--cover", "transition:two", "--timeout", "1"];
    let verdicts = says(2).verdicts("sh system.sh", &cover);
    assert_eq!(verdicts, ["test001: pass:"]);
    let verdicts = says(1).verdicts("sh system.sh", &cover);
    assert_eq!(
        verdicts,
        ["test001: fail: b(1) came; the model expects b(2)"]
    );
    let bench = says(1);
    bench.everypath(&[
        "test",
        "model.iosts",
        "--cover",
        "transition:two",
        "-o",
        "tests",
    ]);
    let file = bench.folder.path().join("tests/test001.json");
    let text = fs::read_to_string(file).expect("it was written");
    let json: Json = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(json["steps"][2]["silence"], true, "{text}");
    let run = ["run", "model.iosts", "--sut", "sh system.sh", "--json"];
    let (out, _) = bench.everypath(&[&run[..], &["--tests", "tests"]].concat());
    let report: Json = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(
        report["tests"][0]["trace"],
        serde_json::json!(["go?()", "silence", "ask?()", "b!(1)"])
    );
}

#[test]
fn a_system_may_stay_in_a_cycle_of_internal_steps() {
    let model = "channel go(), ask(), a()
automaton A {
    initial s
    g: s -> t, go?()
    on: t -> u, tau
    back: u -> t, tau
    o: u -> s, a!()
}
";
    let bench = Bench::new(model, "while read line; do :; done");
    let cover = ["--cover", "transition:g", "--timeout", "0.5"];
    let verdicts = bench.verdicts("sh system.sh", &cover);
    assert!(
        verdicts.iter().all(|verdict| !verdict.contains("fail")),
        "{verdicts:?}"
    );
    let log = "{\"channel\": \"go\"}\n{\"silence\": true}\n";
    fs::write(bench.folder.path().join("log"), log).expect("there is room");
    let (out, _) = bench.everypath(&["check-log", "model.iosts", "log"]);
    assert_eq!(out, "log: pass: 2 messages\n");
}

#[test]
fn what_was_not_decided_does_not_excuse_what_is_plainly_wrong() {
    // Whether `hidden` can be taken is not known: its function has no result.
    let model = "channel go(Int), a(Int), b()
function F(x: Int): Int { command \"false\" }
automaton A {
    var x: Int
    initial s
    g: s -> t, go?(x) where x = 7
    right: t -> u, a!(x)
    hidden: t -> v when F(x) > 3, tau
    other: v -> u, a!(8)
    back: u -> s, b!()
}
";
    let log = |line: &str| {
        let bench = Bench::new(model, "");
        let text = format!("{{\"channel\": \"go\", \"values\": [7]}}\n{line}\n");
        fs::write(bench.folder.path().join("log"), text).expect("there is room");
        bench.everypath(&["check-log", "model.iosts", "log"]).0
    };
    assert_eq!(
        log("{\"channel\": \"a\", \"values\": [7]}"),
        "log: pass: 2 messages\n"
    );
    assert_eq!(
        log("{\"channel\": \"a\", \"values\": [9]}"),
        "log: fail: line 2: a(9) came; the model expects a(7)\n"
    );
    // Only the step that was not decided would allow it.
    let unknown = log("{\"channel\": \"a\", \"values\": [8]}");
    assert!(
        unknown.starts_with("log: inconclusive: line 2: "),
        "{unknown}"
    );
    let wrong =
        "log: fail: line 2: the system sent [] on `zzz`, which is no channel of the model\n";
    assert_eq!(log("{\"channel\": \"zzz\"}"), wrong);
}

#[test]
fn a_goal_is_infeasible_only_if_that_is_proved() {
    // The tables say nothing of NONCE, so nothing behind it was decided.
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/model");
    let handshake = example.join("handshake.iosts");
    let bench = Bench::new("", "");
    let explored = |arguments: &[&str]| -> Vec<String> {
        let (out, err) = bench.everypath(&[&["explore"], arguments, &["--json"]].concat());
        let json: Json = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        let untaken = json["untaken"].as_array().expect("there is a list");
        let text = |it: &Json| {
            let part = |field: &str| it[field].as_str().unwrap_or("?").to_owned();
            format!("{}: {}", part("transition"), part("reason"))
        };
        untaken.iter().map(text).collect()
    };
    let reasons = explored(&[&handshake.to_string_lossy(), "--tries", "0"]);
    assert_eq!(reasons.len(), 7, "{reasons:?}");
    assert!(
        reasons.iter().all(|reason| reason.contains(": unknown: ")),
        "{reasons:?}"
    );
    let squares = "channel a(), b()
automaton A {
    var x: Int = 1
    initial s
    t: s -> s, a?(), x := (x * x + 1) mod 97
    u: s -> s when x = 82, b!()
    never: s -> s when x > 96 and x < 1, b!()
}
";
    fs::write(bench.folder.path().join("model.iosts"), squares).expect("there is room");
    // 1, 2, 5, 26, 95, 5: 82 never comes, which needs the whole tree to be seen.
    assert_eq!(
        explored(&["model.iosts", "--height", "3"]),
        [
            "u: bound reached: its condition failed on the 3 paths tried",
            "never: infeasible: no values of the variables allow it"
        ]
    );
    assert_eq!(
        explored(&["model.iosts", "--inclusion"]),
        [
            "u: infeasible: its condition never holds",
            "never: infeasible: no values of the variables allow it"
        ]
    );
}

#[test]
fn what_is_no_message_is_kept_and_by_strict_a_failure() {
    let system = "echo starting; echo trouble >&2; read line
echo '{\"channel\": \"a\", \"values\": [1]}'; sleep 3";
    let bench = Bench::new(ANSWERS, system);
    let run = ["run", "model.iosts", "--sut", "sh system.sh", "--json"];
    let cover = ["--cover", "transition:o", "--timeout", "5"];
    let (out, _) = bench.everypath(&[&run[..], &cover, &["-o", "out"]].concat());
    let report: Json = serde_json::from_str(&out).expect("it is JSON");
    let test = &report["tests"][0];
    assert_eq!(
        (&test["verdict"], &test["log"], &test["stderr"]),
        (
            &"pass".into(),
            &serde_json::json!(["starting"]),
            &"trouble\n".into()
        )
    );
    let junit = fs::read_to_string(bench.folder.path().join("out/junit.xml"));
    let junit = junit.expect("it was written");
    assert!(junit.contains("no message: starting"), "{junit}");
    assert!(junit.contains("standard error: trouble"), "{junit}");
    let verdicts = bench.verdicts("sh system.sh", &[&cover[..], &["--strict"]].concat());
    assert_eq!(
        verdicts,
        ["test001: fail: the system sent what is no message: starting"]
    );
}

#[test]
fn a_system_that_starts_slowly_is_given_the_time_it_needs() {
    let system = "sleep 1; read line; echo '{\"channel\": \"a\", \"values\": [1]}'; sleep 3";
    let bench = Bench::new(ANSWERS, system);
    let cover = ["--cover", "transition:o", "--timeout", "0.3"];
    let verdicts = bench.verdicts("sh system.sh", &cover);
    assert_eq!(
        verdicts,
        ["test001: fail: nothing came within 300ms; the model expects a(1)"]
    );
    let verdicts = bench.verdicts("sh system.sh", &[&cover[..], &["--ready", "30"]].concat());
    assert_eq!(verdicts, ["test001: pass:"]);
    // A server that is not there yet is tried again.
    let free = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = free.local_addr().expect("it has an address");
    drop(free);
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        let listener = TcpListener::bind(address).expect("the port is free");
        let (mut stream, _) = listener.accept().expect("a client comes");
        let mut line = String::new();
        let copy = stream.try_clone().expect("it has a copy");
        BufReader::new(copy).read_line(&mut line).expect("it sends");
        let _ = writeln!(stream, "{{\"channel\": \"a\", \"values\": [1]}}");
        // Held until the tester lets go.
        let _ = BufReader::new(stream).read_line(&mut line);
    });
    let sut = format!("tcp://{address}");
    let verdicts = bench.verdicts(&sut, &["--cover", "transition:o", "--ready", "30"]);
    assert_eq!(verdicts, ["test001: pass:"]);
}

#[test]
fn no_process_outlives_a_test() {
    // A child, a grandchild, and a daemon that has left both its group and its parent.
    let system = "sleep 1000 & echo $! > child
sh -c 'sleep 1000 & echo $! > grandchild; wait' &
(setsid sh -c 'echo $$ > daemon; exec sleep 1000' &)
while [ ! -s child ] || [ ! -s grandchild ] || [ ! -s daemon ]; do sleep 0.02; done
read line; echo '{\"channel\": \"a\", \"values\": [1]}'; wait";
    let bench = Bench::new(ANSWERS, system);
    let verdicts = bench.verdicts(
        "sh system.sh",
        &["--cover", "transition:o", "--ready", "30"],
    );
    assert_eq!(verdicts, ["test001: pass:"]);
    for name in ["child", "grandchild", "daemon"] {
        let process = fs::read_to_string(bench.folder.path().join(name));
        let process = process.expect("it was written").trim().to_owned();
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        assert!(
            status.is_empty() || status.contains("State:\tZ"),
            "{name}: {status}"
        );
    }
}

#[test]
fn a_log_is_checked_line_by_line() {
    let bench = Bench::new(ANSWERS, "");
    let check = |log: &str, arguments: &[&str]| {
        fs::write(bench.folder.path().join("log"), log).expect("there is room");
        let check = ["check-log", "model.iosts", "log"];
        let (out, err) = bench.everypath(&[&check, arguments].concat());
        format!("{out}{err}").trim_end().to_owned()
    };
    let right = "{\"channel\": \"go\", \"values\": [1]}
{\"channel\": \"a\", \"values\": [1]}
{\"silence\": true}
{\"input\": \"stop\"}
";
    assert_eq!(check(right, &[]), "log: pass: 4 messages");
    let noisy = format!("hello\n{right}");
    let note = "note: 1 lines are no messages";
    assert_eq!(check(&noisy, &[]), format!("log: pass: 4 messages\n{note}"));
    assert_eq!(
        check(&noisy, &["--strict"]),
        "log: fail: line 1: `hello` is no message"
    );
    let silent = "{\"channel\": \"go\", \"values\": [1]}\n{\"silence\": true}\n";
    assert_eq!(
        check(silent, &[]),
        "log: fail: line 2: the system is silent; the model expects a(1)"
    );
    let unasked = "{\"channel\": \"stop\"}\n";
    assert_eq!(
        check(unasked, &[]),
        "log: inconclusive: line 1: the model has no input stop() here"
    );
}
