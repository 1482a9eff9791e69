//! External functions of models that misbehave, and models whose parameters change
//! what functions take.

use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.arg("model").args(arguments);
    command
}

fn everypath(arguments: &[&str]) -> Output {
    command(arguments).output().expect("everypath starts")
}

/// A model with one function, bound so, and two guards about it; `f.c` holds this.
fn one_function(binding: &str, code: &str) -> (TempDir, String) {
    let folder = TempDir::new().expect("there is room");
    let text = format!(
        "channel a(Int), o(Int)
function F(x: Int): Int {{ {binding} }}
automaton A {{
    var n: Int
    initial i
    state e
    t: i -> u, a?(n)
    g: u -> e when F(n) > 6, o!(n)
    h: u -> e when F(n) < 6, o!(n)
}}"
    );
    let file = folder.path().join("f.iosts");
    fs::write(&file, text).expect("there is room");
    fs::write(folder.path().join("f.c"), code).expect("there is room");
    let file = file.to_string_lossy().into_owned();
    (folder, file)
}

/// How exploring ends, and what it says of the transitions that are not taken.
fn explored(output: &Output) -> (String, Vec<(String, String)>) {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary: Json = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
    let untaken = summary["untaken"].as_array().expect("it lists them").iter();
    let untaken = untaken.map(|entry| (text(&entry["transition"]), text(&entry["reason"])));
    (text(&summary["outcome"]), untaken.collect())
}

const HANGS: &str = "#include <stdint.h>
#include <stdio.h>
int64_t F(int64_t x) { fclose(fopen(STARTED, \"w\")); for (;;); }";

#[test]
fn the_time_is_over_while_a_function_runs_too() {
    for binding in ["native \"f.c\"", "command \"sleep 1000\""] {
        let code = HANGS.replace("STARTED", "\"/dev/null\"");
        let (_folder, file) = one_function(binding, &code);
        let output = everypath(&["explore", &file, "--max-time", "1", "--json"]);
        assert_eq!(explored(&output).0, "stopped", "{binding}");
    }
}

#[test]
fn the_time_is_over_while_a_solver_thinks_too() {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("powers.iosts");
    let text = "channel a(Int, Int, Int)
automaton A {
    var x, y, z: Int
    initial i
    state e
    t: i -> u, a?(x, y, z)
    powers: u -> e when x > 0 and y > 0 and z > 0 and x*x*x*x*x + y*y*y*y*y = z*z*z*z*z, tau
}";
    fs::write(&file, text).expect("there is room");
    let file = file.to_string_lossy();
    let output = everypath(&["explore", &file, "--max-time", "1", "--json"]);
    assert_eq!(explored(&output).0, "stopped");
    let tests = folder.path().join("tests");
    let tests = tests.to_string_lossy();
    let output = everypath(&["test", &file, "--max-time", "1", "-o", &tests]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("\nnot covered: powers: "), "{told}");
}

#[test]
fn ctrl_c_ends_the_run_while_a_function_runs() {
    let (folder, file) = one_function("native \"f.c\"", "");
    let started = folder.path().join("started");
    let name = format!("{:?}", started.to_string_lossy());
    fs::write(folder.path().join("f.c"), HANGS.replace("STARTED", &name)).expect("there is room");
    let writable = folder.path().to_string_lossy();
    let run = command(&["explore", &file, "--json", "--allow-write", &writable])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("everypath starts");
    wait_for(&started);
    interrupt(&run);
    let output = run.wait_with_output().expect("it ends");
    assert_eq!(explored(&output).0, "stopped");
}

fn wait_for(file: &Path) {
    while !file.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn interrupt(run: &Child) {
    // The shell has a `kill` of its own where the system has none.
    let kill = Command::new("sh")
        .args(["-c", "kill -INT $0", &run.id().to_string()])
        .status();
    assert!(kill.expect("there is a shell").success());
}

#[test]
fn what_a_function_failed_with_is_why_nobody_knows() {
    let crash = "#include <stdint.h>\n#include <stdlib.h>\nint64_t F(int64_t x) { abort(); }";
    let cases = [
        ("native \"f.c\"", "F(0) crashed with SIGABRT (abort)"),
        ("command \"false\"", "F(0): it ends with exit status: 1"),
        (
            "command \"echo no\"",
            "F(0): it answers `no`, which is not JSON",
        ),
        (
            "command \"yes\"",
            "F(0): its answer is longer than 1048576 characters",
        ),
    ];
    for (binding, reason) in cases {
        let (_folder, file) = one_function(binding, crash);
        let output = everypath(&["explore", &file, "--json"]);
        let (outcome, untaken) = explored(&output);
        assert_eq!(outcome, "complete");
        assert_eq!(
            untaken[0],
            ("g".to_owned(), format!("unknown: {reason}")),
            "{binding}"
        );
        let notes = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected = match binding.starts_with("native") {
            true => {
                "note: F(0) crashed with SIGABRT (abort); a second try in a fresh process failed \
                 too, so the call has no result (32 more accidents of this function)\n"
            }
            false => "",
        };
        assert_eq!(notes, expected, "{binding}");
    }
}

#[test]
fn every_function_without_its_code_is_said_with_its_place() {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("m.iosts");
    fs::write(
        &file,
        "function F(Int): Int { native \"bad.c\" }
function G(Int): Int { native \"libnone-such.so\" }
function H(Int): Int { native \"libnone-such.so\" }
function I(Int): Int { native \"good.c\" missing }
function J(Int): Int { native \"none.c\" }
function K(Int): Int { command \"none-such\" }
automaton A {
    initial a
    a -> a when F(G(H(I(J(K(1)))))) > 0, tau
}
",
    )
    .expect("there is room");
    fs::write(folder.path().join("bad.c"), "int F(int x) { return y; }\n").expect("there is room");
    fs::write(folder.path().join("good.c"), "int x;\n").expect("there is room");
    let name = file.to_string_lossy();
    let output = everypath(&["check", &name]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let messages: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("error: "))
        .map(|line| {
            line.strip_prefix(&format!("error: {name}:"))
                .unwrap_or(line)
        })
        .collect();
    let bad = folder.path().join("bad.c").display().to_string();
    let none = folder.path().join("none.c").display().to_string();
    assert_eq!(messages.len(), 5, "{text}");
    assert!(
        messages[0].starts_with("1:24: ")
            && messages[0].ends_with(&format!("could not compile {bad}:"))
    );
    assert!(messages[1].starts_with("2:24: the library libnone-such.so does not load: "));
    assert_eq!(messages[2], format!("5:24: there is no library {none}"));
    assert!(messages[3].starts_with("4:24: there is no function `missing` in "));
    assert_eq!(
        messages[4],
        "6:24: K: there is no program `none-such` to run"
    );
    let shown = "\n1 | function F(Int): Int { native \"bad.c\" }\n";
    assert!(text.contains(&format!("{shown}  |{}^\n", " ".repeat(24))));
    assert!(text.contains("use of undeclared identifier 'y'"), "{text}");
}

#[test]
fn the_grid_works_with_as_many_measurements_as_the_user_sets() {
    let grid = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/model/grid.iosts");
    let grid = grid.to_string_lossy();
    let output = everypath(&["explore", &grid, "--set", "N=4", "--height", "11", "--json"]);
    assert_eq!(explored(&output), ("complete".to_owned(), Vec::new()));
    let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
    let warnings: Vec<&str> = warnings
        .lines()
        .filter(|line| line.starts_with("warning: "))
        .map(|line| {
            line.split_once("grid.iosts:")
                .map_or(line, |(_, rest)| rest)
        })
        .collect();
    let message = "the row is left out: with these parameters, `INTGR` takes Int[4]";
    assert_eq!(
        warnings,
        [format!("17:10: {message}"), format!("18:10: {message}")]
    );
}

#[test]
fn a_value_that_growing_tables_do_not_come_upon_is_found_by_search() {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("sensor.iosts");
    let text = "channel raw(Int), alarm
function GAIN(raw: Int): Int { native \"sensor.c\" }
automaton Sensor {
    var x: Int
    initial waiting
    read: waiting -> reading, raw?(x)
    alarm: reading -> waiting when GAIN(x) = 70013, alarm!
    calm: reading -> waiting when GAIN(x) != 70013, tau
}
";
    let code = "long GAIN(long raw) { return 7 * raw + 13; }";
    fs::write(&file, text).expect("there is room");
    fs::write(folder.path().join("sensor.c"), code).expect("there is room");
    let file = file.to_string_lossy();
    let explore = ["explore", &*file, "--height", "2", "--json"];
    let tables = everypath(&[&explore[..], &["--tries", "196"]].concat());
    let reason = "unknown: no rows of the functions' tables fit";
    assert_eq!(
        explored(&tables).1,
        [("alarm".to_owned(), reason.to_owned())]
    );
    assert_eq!(explored(&everypath(&explore)).1, []);
}
