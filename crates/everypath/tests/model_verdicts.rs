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

    /// `test: verdict: reason` of every test.
    fn verdicts(&self, sut: &str, arguments: &[&str]) -> Vec<String> {
        let run = ["run", "model.iosts", "--sut", sut, "--json"];
        let (out, err) = self.everypath(&[&run, arguments].concat());
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
    bench.everypath(&["test", "model.iosts", "-o", "tests"]);
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
        "error: tests/test001.json: the schema 99 is not known; there is 1"
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
    bench.everypath(&["test", "model.iosts", "-o", "tests"]);
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
    assert_eq!(
        ttcn.expect("it was written"),
        "testcase test001() runs on Tester {
  // covers p
  go.send();
  alt {
    [] a.receive(any) where any > 0 and any <= 9 and any > 5 { }
    [] a.receive(any) where any > 0 and any <= 9 { setverdict(inconc); }
    [] any port.receive { setverdict(fail); }
    [] quiescence.timeout { setverdict(inconc); }
  }
  alt {
    [] b.receive() { }
    [] any port.receive { setverdict(fail); }
    [] quiescence.timeout { setverdict(fail); }
  }
  setverdict(pass);
}

"
    );
}
