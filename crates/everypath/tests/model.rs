//! `everypath model` as a user meets it: the published case, tests against real
//! systems and their mutants, and systems that misbehave.

use serde_json::Value as Json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn everypath(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_everypath"))
        .arg("model")
        .args(arguments)
        .output()
        .expect("everypath starts")
}

fn json(arguments: &[&str]) -> Json {
    let output = everypath(&[arguments, &["--json"]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

fn example(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/model");
    folder.join(file).to_string_lossy().into_owned()
}

/// The message of a command that cannot run.
fn refusal(arguments: &[&str]) -> String {
    let output = everypath(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr)
        .expect("messages are text")
        .trim_end()
        .to_owned()
}

/// The published case: its first tables, or the second.
fn grid(tables: usize, arguments: &[&str]) -> Json {
    let folder = TempDir::new().expect("there is room");
    let mut text = fs::read_to_string(example("grid.iosts")).expect("it is there");
    if tables == 2 {
        text = text
            .replace(
                "(123, 96) -> 228,",
                "(0, 0) -> 0, (12, 18) -> 30, (123, 96) -> 228,",
            )
            .replace("202 -> 0.7,", "202 -> 0.7, 228 -> 0.97,");
    }
    let file = folder.path().join("grid.iosts");
    fs::write(&file, text).expect("there is room");
    fs::copy(example("grid.c"), folder.path().join("grid.c")).expect("it is there");
    let file = file.to_string_lossy();
    json(&[&["explore", &file, "--height", "15"], arguments].concat())
}

fn figures(summary: &Json) -> (u64, f64) {
    let states = summary["states"].as_u64().expect("it counts states");
    (
        states,
        summary["percent"].as_f64().expect("it says the coverage"),
    )
}

#[test]
fn the_published_case_has_the_published_figures() {
    assert_eq!(figures(&grid(1, &["--tries", "0"])), (16, 62.5));
    assert_eq!(figures(&grid(2, &["--tries", "0"])), (120, 100.0));
    let extended = grid(1, &["--tries", "196"]);
    assert_eq!(figures(&extended), (120, 100.0));
    assert!(extended["tries"].as_u64() <= Some(196));
    let default = grid(1, &[]);
    assert_eq!(figures(&default), (120, 100.0));
    assert!(default["tries"].as_u64() <= Some(10));
}

#[test]
fn the_functions_agree_with_the_published_rows() {
    // A row that contradicts what the function gives would go unnoticed in a
    // table, so the function is asked where the table has nothing.
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("rows.iosts");
    fs::copy(example("grid.c"), folder.path().join("grid.c")).expect("it is there");
    let text = "function INTGR(Int, Int): Int { native \"grid.c\" }
        function RISE(Int): Real { native \"grid.c\" }
        automaton A {
            initial q
            a: q -> q when INTGR(123, 96) = 228 and INTGR(148, 141) = 300, tau
            b: q -> q when INTGR(0, 0) = 0 and INTGR(12, 18) = 30, tau
            c: q -> q when RISE(202) = 0.7 and RISE(228) = 0.97 and RISE(300) = 2.42, tau
        }";
    fs::write(&file, text).expect("there is room");
    let summary = json(&["explore", &file.to_string_lossy(), "--height", "1"]);
    assert_eq!(figures(&summary), (4, 100.0));
}

/// A system of the examples, compiled.
fn system(folder: &Path, name: &str, mutant: bool) -> String {
    let program = folder.join(if mutant {
        format!("{name}-mutant")
    } else {
        name.to_owned()
    });
    let mut clang = Command::new("clang-22");
    if mutant {
        clang.arg("-DMUTANT");
    }
    let source = example(&format!("systems/{name}.c"));
    let compiled = clang
        .args(["-O1", "-o"])
        .arg(&program)
        .args([&source, "-lm"])
        .status();
    assert!(compiled.expect("clang starts").success());
    program.to_string_lossy().into_owned()
}

fn correct_passes_and_mutant_fails(name: &str) {
    let folder = TempDir::new().expect("there is room");
    let tests = folder.path().join("tests");
    let (tests, model) = (tests.to_string_lossy(), example(&format!("{name}.iosts")));
    let made = json(&["test", &model, "-o", &tests]);
    assert_eq!(made["missed"], Json::Array(Vec::new()));
    let run = |mutant: bool| {
        let system = system(folder.path(), name, mutant);
        json(&[
            "run",
            &model,
            "--tests",
            &tests,
            "--sut",
            &system,
            "--timeout",
            "5",
        ])
    };
    let right = run(false);
    assert_eq!(
        (right["pass"].clone(), right["fail"].clone()),
        (made["tests"].clone(), 0.into())
    );
    assert_eq!(right["inconclusive"], 0);
    // A mutant that falls silent is waited for, so it gets less time.
    let system = system(folder.path(), name, true);
    let wrong = json(&[
        "run",
        &model,
        "--tests",
        &tests,
        "--sut",
        &system,
        "--timeout",
        "0.5",
    ]);
    assert!(wrong["fail"].as_u64() > Some(0), "{wrong:#}");
}

#[test]
fn the_controller_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("grid");
}

#[test]
fn the_cash_machine_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("atm");
}

#[test]
fn the_crossing_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("crossing");
}

#[test]
fn the_handshake_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("handshake");
}

#[test]
fn the_vending_machine_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("vending");
}

#[test]
fn the_elevator_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("elevator");
}

#[test]
fn the_account_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("account");
}

#[test]
fn the_connection_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("connection");
}

#[test]
fn the_thermostat_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("thermostat");
}

#[test]
fn the_gate_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("gate");
}

#[test]
fn the_cruise_control_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("cruise");
}

#[test]
fn the_file_server_passes_and_its_mutant_fails() {
    correct_passes_and_mutant_fails("transfer");
}

#[test]
fn testing_on_the_fly_finds_a_mutant_too() {
    let folder = TempDir::new().expect("there is room");
    let model = example("vending.iosts");
    for (mutant, verdict) in [(false, "pass"), (true, "fail")] {
        let system = system(folder.path(), "vending", mutant);
        // A mutant that falls silent is waited for.
        let timeout = if mutant { "1" } else { "5" };
        let online = [
            "run",
            &model,
            "--online",
            "--steps",
            "40",
            "--timeout",
            timeout,
        ];
        let report = json(&[&online[..], &["--sut", &system]].concat());
        assert_eq!(report["tests"][0]["verdict"], verdict, "{report:#}");
    }
}

#[test]
fn online_a_purpose_is_gone_for_and_ends_the_test() {
    let folder = TempDir::new().expect("there is room");
    let (model, system) = (example("atm.iosts"), system(folder.path(), "atm", false));
    let run = |purpose: &str, steps: &str| {
        let online = [
            "run",
            &model,
            "--online",
            "--steps",
            steps,
            "--timeout",
            "5",
        ];
        let report = json(&[&online[..], &["--cover", purpose, "--sut", &system]].concat());
        report["tests"][0].clone()
    };
    let thief = run("purpose:wrong,*!right,thief", "40");
    assert_eq!(thief["verdict"], "pass", "{thief:#}");
    let trace = thief["trace"].as_array().expect("it is a list");
    assert_eq!(trace.last(), Some(&"swallowed!()".into()), "{thief:#}");
    let short = run("purpose:wrong,*,paid", "2");
    assert_eq!(short["verdict"], "inconclusive", "{short:#}");
    assert_eq!(
        short["reason"],
        "the purpose was not reached within 2 messages"
    );
}

const ECHO: &str = "channel ask(Int)
channel answer(Int)
automaton Echo {
    var x: Int
    initial idle
    asked: idle -> busy, ask?(x) where x = 1
    answered: busy -> idle, answer!(x + 1)
}
";

/// The verdict and the reason of the one test of a small model.
fn verdict_of(program: &str, timeout: &str) -> (String, String) {
    let folder = TempDir::new().expect("there is room");
    let model = folder.path().join("echo.iosts");
    fs::write(&model, ECHO).expect("there is room");
    let script = folder.path().join("system.sh");
    fs::write(&script, program).expect("there is room");
    let (model, script) = (model.to_string_lossy(), format!("sh {}", script.display()));
    let run = ["run", &model, "--sut", &script, "--timeout", timeout];
    let report = json(&[&run[..], &["--cover", "transitions"]].concat());
    let text = |field: &str| {
        report["tests"][0][field]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    (text("verdict"), text("reason"))
}

#[test]
fn a_system_that_crashes_errs_or_speaks_of_what_the_model_lacks_fails() {
    let answer = |text: &str| format!("read line\necho '{text}'\nsleep 3\n");
    for (program, timeout, verdict, reason) in [
        (
            answer(r#"{"channel": "answer", "values": [2]}"#),
            "5",
            "pass",
            "",
        ),
        (
            answer(r#"{"channel": "answer", "values": [3]}"#),
            "5",
            "fail",
            "answer(3) came; the model expects answer(2)",
        ),
        (
            answer("oops"),
            "0.5",
            "fail",
            "nothing came within 500ms; the model expects answer(2)",
        ),
        (
            answer(r#"{"channel": "other", "values": [3]}"#),
            "5",
            "fail",
            "the system sent [3] on `other`, which is no channel of the model",
        ),
        (
            answer(r#"{"channel": "answer", "values": ["x"]}"#),
            "5",
            "fail",
            "the system sent [\"x\"]: `answer`: `x` is not an Int",
        ),
        (
            answer(r#"{"channel": "answer", "values": [2, 2]}"#),
            "5",
            "fail",
            "the system sent [2,2]: `answer` has 1 values, not 2",
        ),
        (
            answer("{\"channel\": \"answer\", \"values\": [2]}'\necho 'oops"),
            "5",
            "pass",
            "",
        ),
        (
            answer(&[r#"{"channel": "answer", "values": [2]}"#; 2].join("'\necho '")),
            "5",
            "fail",
            "answer(2) came; the model expects nothing",
        ),
        (
            "read line\nexit 3\n".to_owned(),
            "5",
            "fail",
            "the system ended with exit status: 3",
        ),
        (
            "read line\nexit 0\n".to_owned(),
            "5",
            "inconclusive",
            "the system ended with exit status: 0",
        ),
        (
            "read line\nkill -SEGV $$\n".to_owned(),
            "5",
            "fail",
            "the system ended with signal: 11 (SIGSEGV)",
        ),
        (
            "read line\nsleep 3\n".to_owned(),
            "0.5",
            "fail",
            "nothing came within 500ms; the model expects answer(2)",
        ),
    ] {
        let (found, why) = verdict_of(&program, timeout);
        // Whether a core was dumped is up to the machine.
        let why = why.trim_end_matches(" (core dumped)").to_owned();
        assert_eq!(
            (found, why),
            (verdict.to_owned(), reason.to_owned()),
            "{program}"
        );
    }
}

#[test]
fn ctrl_c_ends_testing_on_the_fly_in_order() {
    let folder = TempDir::new().expect("there is room");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    fs::write(path("echo.iosts"), ECHO).expect("there is room");
    let system = "touch $1\nwhile read line; do n=${line##*[}; n=${n%%]*}
        echo '{\"channel\": \"answer\", \"values\": ['$((n + 1))']}'; done\n";
    fs::write(path("system.sh"), system).expect("there is room");
    let run = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["model", "run", &path("echo.iosts"), "--online", "--json"])
        .args(["--steps", "10000000", "-o", &path("report")])
        .arg("--sut")
        .arg(format!("sh {} {}", path("system.sh"), path("started")))
        .stdout(Stdio::piped())
        .spawn()
        .expect("everypath runs");
    while !Path::new(&path("started")).exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The shell has a `kill` of its own where the system has none.
    let kill = Command::new("sh")
        .args(["-c", "kill -INT $0", &run.id().to_string()])
        .status();
    assert!(kill.expect("there is a shell").success());
    let output = run.wait_with_output().expect("it ends");
    let report: Json = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        (
            &report["tests"][0]["verdict"],
            &report["tests"][0]["reason"]
        ),
        (&"inconclusive".into(), &"the run was stopped".into())
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(Path::new(&path("report/junit.xml")).exists());
}

#[test]
fn tests_of_an_earlier_run_do_not_stay_behind() {
    let folder = TempDir::new().expect("there is room");
    let tests = folder.path().join("tests");
    let (model, out) = (example("atm.iosts"), tests.to_string_lossy());
    fs::create_dir(&tests).expect("there is room");
    fs::write(tests.join("tester.json"), "mine").expect("there is room");
    for goals in ["pairs", "states"] {
        let made = json(&["test", &model, "--cover", goals, "-o", &out]);
        let entries = fs::read_dir(&tests).expect("it was made").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        let count = made["tests"].as_u64().expect("it is counted");
        let mut expected: Vec<String> = (1..=count).map(|n| format!("test{n:03}.json")).collect();
        expected.extend(["tester.json", "tests.ttcn"].map(str::to_owned));
        expected.insert(0, "report.html".to_owned());
        assert_eq!(names, expected, "{goals}");
    }
}

#[test]
fn a_library_that_is_not_beside_the_model_is_found_by_the_system() {
    let folder = TempDir::new().expect("there is room");
    let model = folder.path().join("root.iosts");
    let text = "channel a(Real), b(Real)\nfunction sqrt(x: Real): Real { native \"libm.so.6\" }\n\
                automaton M {\n    var x: Real\n    initial s\n    \
                s -> t, a?(x) where x > 1.0\n    t -> s, b!(sqrt(x))\n}\n";
    fs::write(&model, text).expect("there is room");
    let explored = json(&["explore", &model.to_string_lossy(), "--height", "2"]);
    assert_eq!(explored["percent"], 100.0, "{explored}");
}

#[test]
fn an_address_without_a_port_is_refused() {
    for sut in ["tcp://localhost", "tcp://:7000", "tcp://localhost:port"] {
        let model = example("atm.iosts");
        let said = refusal(&["run", &model, "--online", "--sut", sut]);
        let wrong = format!("`{sut}` is not of the form tcp://HOST:PORT");
        assert!(said.contains(&wrong), "{said}");
    }
}

#[test]
fn a_check_looks_at_tables_and_libraries_and_only_what_can_be_read_is_formatted() {
    let folder = TempDir::new().expect("there is room");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let model = path("f.iosts");
    let check = |function: &str| {
        let text = format!(
            "channel a(Int), b(Int)\nfunction F(x: Int): Int {{ {function} }}\nautomaton M {{\n    \
             var x: Int\n    initial s\n    s -> t, a?(x)\n    t -> s, b!(F(x))\n}}\n"
        );
        fs::write(&model, text).expect("there is room");
        refusal(&["check", &model])
    };
    fs::write(path("f.csv"), "x,result\nInt,Int\n1,2\n3,abc\n").expect("there is room");
    assert_eq!(
        check("table \"f.csv\""),
        format!(
            "error: {model}:2:33: {}:4: column 2 (result): `abc` is not an integer\n  |\n\
             2 | function F(x: Int): Int {{ table \"f.csv\" }}\n  |{}^",
            path("f.csv"),
            " ".repeat(33)
        )
    );
    fs::write(path("f.c"), "long G(long x) { return x; }\n").expect("there is room");
    let missing = check("native \"f.c\"");
    assert!(
        missing.starts_with(&format!("error: {model}:2:27: ")) && missing.contains("`F`"),
        "{missing}"
    );
    for (command, reason) in [
        (
            "absent-program -x",
            "F: there is no program `absent-program` to run",
        ),
        ("", "the command is empty"),
        (
            "sh -c 'echo",
            "the command `sh -c 'echo` has a quote that is not closed",
        ),
    ] {
        let said = check(&format!("command \"{command}\""));
        let first = said.lines().next().expect("there is a message");
        assert!(
            first.starts_with(&format!("error: {model}:2:")) && first.ends_with(reason),
            "{said}"
        );
    }
    fs::write(&model, "/* old */\nautomaton M {}\n").expect("there is room");
    let refused = refusal(&["fmt", &model]);
    assert!(
        refused.starts_with(&format!("error: {model}:1:1: ")),
        "{refused}"
    );
    let kept = fs::read_to_string(&model).expect("it is there");
    assert_eq!(kept, "/* old */\nautomaton M {}\n");
}

#[test]
fn a_system_behind_a_socket_is_tested_like_a_process() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there are ports");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut writer = stream.try_clone().expect("a socket can be shared");
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let message: Json = serde_json::from_str(&line).expect("it is JSON");
                let number = message["values"][0].as_i64().expect("it is a number");
                let answer = format!(
                    "{{\"channel\": \"answer\", \"values\": [{}]}}\n",
                    number + 1
                );
                writer
                    .write_all(answer.as_bytes())
                    .expect("the tester listens");
            }
        }
    });
    let folder = TempDir::new().expect("there is room");
    let model = folder.path().join("echo.iosts");
    fs::write(&model, ECHO).expect("there is room");
    let output = folder.path().join("report");
    let sut = format!("tcp://{address}");
    let (model, output) = (model.to_string_lossy(), output.to_string_lossy());
    let tests = folder.path().join("tests");
    let tests = tests.to_string_lossy();
    json(&["test", &model, "-o", &tests]);
    let report = json(&[
        "run", &model, "--tests", &tests, "--sut", &sut, "-o", &output,
    ]);
    assert_eq!((&report["pass"], &report["fail"]), (&5.into(), &0.into()));
    let page = fs::read_to_string(Path::new(&*output).join("report.html")).expect("it was written");
    for part in ["\"automata\":", "\"states\":", "\"verdict\":\"pass\""] {
        assert!(page.contains(part), "{part}");
    }
    let junit = fs::read_to_string(Path::new(&*output).join("junit.xml")).expect("it was written");
    assert!(junit.contains("<testsuite name=") && junit.contains("failures=\"0\""));
}

#[test]
fn a_function_may_be_a_command() {
    let folder = TempDir::new().expect("there is room");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("there is room");
        file.to_string_lossy().into_owned()
    };
    write(
        "the sum.sh",
        "tr -d '[]' | { IFS=, read a b; echo $((a + b)); }\n",
    );
    let model = write(
        "sum.iosts",
        "channel in(Int)
         function SUM(Int[2]): Int { command \"sh 'the sum.sh'\" }
         automaton A {
             var x: Int
             initial q
             got: q -> p, in?(x) where x > 0
             right: p -> q when SUM([x, 2]) = x + 2, tau
             never: p -> q when SUM([1, 2]) = 4, tau
         }",
    );
    let summary = json(&["explore", &model, "--height", "2", "--tries", "3"]);
    assert_eq!(summary["untaken"][0]["transition"], "never");
    assert_eq!(summary["coverage"]["transitions"]["covered"], 2);
}

#[test]
fn bad_models_get_clear_messages() {
    let folder = TempDir::new().expect("there is room");
    let write = |name: &str, text: &str| {
        let file: PathBuf = folder.path().join(name);
        fs::write(&file, text).expect("there is room");
        file.to_string_lossy().into_owned()
    };
    let automaton = "automaton A { var x: Int initial q q -> q when F(x) > 0, tau }";
    write("empty.c", "int present(int x) { return x; }\n");
    write("rows.csv", "x1,result\nInt,Int\n1,2\n3,true\n");
    write("types.csv", "x1,result\nInt,Real\n1,2\n");

    let model = write(
        "guard.iosts",
        "automaton A { initial q q -> q when missing > 0, tau }",
    );
    assert_eq!(
        refusal(&["check", &model]),
        format!(
            "error: {model}:1:37: there is no variable, constant or value `missing` here\n  |\n\
             1 | automaton A {{ initial q q -> q when missing > 0, tau }}\n  |{}^",
            " ".repeat(37)
        )
    );
    let model = write(
        "symbol.iosts",
        &format!("function F(Int): Int {{ native \"empty.c\" }}\n{automaton}"),
    );
    let message = refusal(&["explore", &model]);
    assert!(
        message.starts_with(&format!(
            "error: {model}:1:24: there is no function `F` in "
        )),
        "{message}"
    );
    let model = write(
        "library.iosts",
        &format!("function F(Int): Int {{ native \"absent.c\" }}\n{automaton}"),
    );
    let absent = folder.path().join("absent.c");
    assert_eq!(
        refusal(&["explore", &model]),
        format!(
            "error: {model}:1:24: there is no library {}\n  |\n\
             1 | function F(Int): Int {{ native \"absent.c\" }}\n  |{}^",
            absent.display(),
            " ".repeat(24)
        )
    );
    let model = write(
        "rows.iosts",
        &format!("function F(Int): Int {{ table \"rows.csv\" }}\n{automaton}"),
    );
    let message = refusal(&["explore", &model]);
    assert!(
        message.contains("rows.csv") && message.contains("`true` is not an integer"),
        "{message}"
    );
    let model = write(
        "types.iosts",
        &format!("function F(Int): Int {{ table \"types.csv\" }}\n{automaton}"),
    );
    let message = refusal(&["explore", &model]);
    assert!(message.contains("types.csv"), "{message}");
    assert_eq!(
        refusal(&[
            "test",
            &example("grid.iosts"),
            "--cover",
            "transition:absent"
        ]),
        "error: there is no transition `absent`; there are request, measure, high, normal, alarm, \
         reset, low, thanks"
    );
    let message = refusal(&["explore", &example("grid.iosts"), "--complex", "dart"]);
    assert!(
        message.contains("`dart` is for programs; for models there are classic, mixed and table"),
        "{message}"
    );
    let message = refusal(&["check", &example("absent.iosts")]);
    assert!(message.starts_with("error: cannot read "), "{message}");
    let tests = folder.path().join("tests");
    fs::create_dir(&tests).expect("there is room");
    let tests = tests.to_string_lossy();
    assert_eq!(
        refusal(&[
            "run",
            &example("grid.iosts"),
            "--tests",
            &tests,
            "--sut",
            "true"
        ]),
        format!("error: there are no tests in {tests}")
    );
    fs::write(
        Path::new(&*tests).join("a.json"),
        "{\"name\": \"a\", \"steps\": [{}]}",
    )
    .expect("there is room");
    assert_eq!(
        refusal(&[
            "run",
            &example("grid.iosts"),
            "--tests",
            &tests,
            "--sut",
            "true"
        ]),
        format!("error: {tests}/a.json: step 1: it has no `transition`")
    );
}

#[test]
fn pictures_and_trees_are_written_and_equal_runs_write_equal_files() {
    let folder = TempDir::new().expect("there is room");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let model = example("crossing.iosts");
    let checked = everypath(&[
        "check",
        &model,
        "--dot",
        &path("a.dot"),
        "--svg",
        &path("a.svg"),
    ]);
    assert_eq!(
        String::from_utf8_lossy(&checked.stdout),
        "automaton Controller: 6 states, 8 transitions, 3 variables\n\
         automaton Timer: 3 states, 4 transitions, 1 variables\n\
         parameter GREEN = 2\ninputs: car, tick\noutputs: light\nshared channels: start, expired\n"
    );
    let svg = fs::read_to_string(path("a.svg")).expect("it was written");
    assert_eq!(svg.matches("<rect").count(), 9);
    assert!(
        fs::read_to_string(path("a.dot"))
            .expect("it was written")
            .starts_with("digraph")
    );
    for out in ["one", "two"] {
        let output = everypath(&["explore", &model, "--height", "8", "-o", &path(out)]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let tree = |out: &str| {
        fs::read_to_string(folder.path().join(out).join("tree.json")).expect("it was written")
    };
    assert_eq!(tree("one"), tree("two"));
    assert!(tree("one").contains("\"transition\": \"begun | set\""));
}

#[test]
fn a_run_that_has_nobody_to_talk_to_is_inconclusive() {
    let report = json(&[
        "run",
        &example("elevator.iosts"),
        "--sut",
        "/nonexistent/system",
    ]);
    assert!(report["inconclusive"].as_u64() > Some(0));
    let reason = report["tests"][0]["reason"].as_str().unwrap_or_default();
    assert!(
        reason.starts_with("`/nonexistent/system` does not start: "),
        "{reason}"
    );
}
