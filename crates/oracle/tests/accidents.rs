//! Native code that crashes, hangs, leaves or scribbles costs one retry and a
//! warning, never the run.

mod common;

use common::{I32, compile, declare, double, int, oracle, oracle_with, signature};
use oracle::{
    Accident, Argument, Failure, HelperCommand, Implementation, Note, Oracle, Pointee, Sandbox,
    Stop, Type, known_signature,
};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use term::Value;

/// Calls the function around the input it cannot take, and says what it says.
fn survive(oracle: &mut Oracle, function: &str, accident: &Accident) -> String {
    declare(oracle, function, &[I32], I32);
    assert_eq!(oracle.call(function, &[int(12)]), Ok(int(13)));
    let failure = oracle.call(function, &[int(13)]);
    let call = format!("{function}(13)");
    let expected = Failure::Accident {
        call: call.clone(),
        accident: accident.clone(),
    };
    assert_eq!(failure, Err(expected.clone()));
    assert_eq!(
        oracle.take_notes(),
        [Note {
            function: function.into(),
            call,
            accident: accident.clone(),
            recovered: false,
        }]
    );
    assert_eq!(oracle.call(function, &[int(14)]), Ok(int(15)));
    // Remembered, not tried again.
    assert_eq!(oracle.call(function, &[int(13)]), failure);
    let statistics = oracle.statistics(function).expect("it is declared");
    assert_eq!((statistics.calls, statistics.from_table), (4, 0));
    assert_eq!(
        (statistics.runs, statistics.failures, statistics.restarts),
        (4, 2, 2)
    );
    expected.to_string()
}

#[test]
fn crashes_aborts_and_exits_cost_a_retry() {
    let (mut oracle, _library) = oracle_with("accidents");
    let signal = |signal| Accident::Crashed { signal };
    assert_eq!(
        survive(&mut oracle, "crash", &signal(libc::SIGSEGV)),
        "crash(13) crashed with SIGSEGV (invalid memory access)"
    );
    assert_eq!(
        survive(&mut oracle, "aborts", &signal(libc::SIGABRT)),
        "aborts(13) crashed with SIGABRT (abort)"
    );
    assert_eq!(
        survive(&mut oracle, "leaves", &Accident::Exited { status: 3 }),
        "leaves(13) ended the process with status 3"
    );
}

#[test]
fn a_hang_ends_when_nobody_waits_any_more() {
    let (mut oracle, _library) = oracle_with("accidents");
    declare(&mut oracle, "hangs", &[I32], I32);
    oracle.set_time_limit(Duration::from_secs(600));
    assert_eq!(oracle.call("hangs", &[int(12)]), Ok(int(13)));
    let stop = Stop::after(3);
    oracle.set_stop(stop.clone());
    let call = "hangs(13)".to_owned();
    assert_eq!(
        oracle.call("hangs", &[int(13)]),
        Err(Failure::Stopped { call })
    );
    assert_eq!(stop.late(), 1, "it stops at the first look after the stop");
    assert_eq!(oracle.take_notes(), []);
    // What is known stays known, and nothing else is run.
    assert_eq!(oracle.call("hangs", &[int(12)]), Ok(int(13)));
    let call = "hangs(14)".to_owned();
    assert_eq!(
        oracle.call("hangs", &[int(14)]),
        Err(Failure::Stopped { call })
    );
    oracle.set_stop(Stop::never());
    assert_eq!(oracle.call("hangs", &[int(14)]), Ok(int(15)));
}

#[test]
fn a_hang_ends_at_the_time_limit() {
    let (mut oracle, _library) = oracle_with("accidents");
    declare(&mut oracle, "hangs", &[I32], I32);
    let limit = Duration::from_millis(100);
    oracle.set_time_limit(limit);
    let failure = oracle.call("hangs", &[int(13)]);
    let accident = Accident::TimedOut { limit };
    let call = "hangs(13)".to_owned();
    assert_eq!(failure, Err(Failure::Accident { call, accident }));
    let notes: Vec<String> = oracle.take_notes().iter().map(Note::to_string).collect();
    assert_eq!(
        notes,
        ["hangs(13) did not return within 0.1 s; \
          a second try in a fresh process failed too, so the call has no result"]
    );
    oracle.set_time_limit(Duration::from_secs(60));
    assert_eq!(oracle.call("hangs", &[int(12)]), Ok(int(13)));
}

#[test]
fn a_stack_overflow_and_a_division_by_zero_are_crashes() {
    let (mut oracle, _library) = oracle_with("accidents");
    declare(&mut oracle, "recurses", &[I32], I32);
    declare(&mut oracle, "divides", &[I32], I32);
    let message = |answer: Result<Value, Failure>| answer.expect_err("it crashed").to_string();
    assert_eq!(
        message(oracle.call("recurses", &[int(1)])),
        "recurses(1) crashed with SIGSEGV (invalid memory access)"
    );
    assert_eq!(
        message(oracle.call("divides", &[int(0)])),
        "divides(0) crashed with SIGFPE (division by zero or overflow)"
    );
    assert_eq!(oracle.call("divides", &[int(7)]), Ok(int(14)));
    assert_eq!(oracle.call("recurses", &[int(0)]), Ok(int(0)));
}

#[test]
fn what_works_the_second_time_has_a_result_and_a_warning() {
    let (mut oracle, library) = oracle_with("accidents");
    let text = Type::Pointer(Pointee::Text);
    declare(&mut oracle, "fails_once", &[text], I32);
    let mark = library.path.with_extension("mark");
    let folder = library.path.parent().expect("it is in a folder");
    oracle.set_sandbox(Sandbox {
        write: vec![folder.to_owned()],
        ..Sandbox::default()
    });
    let name = mark.to_str().expect("temporary folders have plain names");
    let outcome = oracle.perform("fails_once", &[Argument::Bytes(name.into())]);
    assert_eq!(outcome.map(|o| o.result), Ok(Some(int(1))));
    let notes = oracle.take_notes();
    let [note] = &notes[..] else {
        panic!("there is one: {notes:?}")
    };
    assert!(note.recovered);
    let text = note.to_string();
    let end = "crashed with SIGABRT (abort); a second try in a fresh process succeeded";
    assert!(
        text.starts_with("fails_once(") && text.ends_with(end),
        "{text}"
    );
}

#[test]
fn a_batch_loses_only_the_calls_that_crash() {
    let (mut oracle, _library) = oracle_with("accidents");
    declare(&mut oracle, "crash", &[I32], I32);
    let calls: Vec<[Value; 1]> = (0..100).map(|x| [int(x)]).collect();
    let answers = oracle.call_batch("crash", &calls);
    for (x, answer) in (0..).zip(answers) {
        match x {
            13 => assert!(matches!(answer, Err(Failure::Accident { .. }))),
            _ => assert_eq!(answer, Ok(int(x + 1))),
        }
    }
    let statistics = oracle.statistics("crash").expect("it is declared");
    assert_eq!((statistics.calls, statistics.failures), (100, 1));
    assert_eq!(statistics.from_table, 0);
    assert_eq!(oracle.take_notes().len(), 1);
}

#[test]
fn writing_over_the_shared_memory_changes_no_result() {
    let (mut oracle, _library) = oracle_with("accidents");
    declare(&mut oracle, "overwrites_all", &[I32], I32);
    declare(&mut oracle, "harmless", &[I32], I32);
    for byte in [0, 255, 1, 128, -1, -2, -3, -4] {
        let answer = oracle.call("overwrites_all", &[int(byte)]);
        assert_eq!(answer, Ok(int(byte + 1)));
        for x in 0..50 {
            let x = 100 * byte + x;
            assert_eq!(oracle.call("harmless", &[int(x)]), Ok(int(3 * x)));
        }
    }
}

#[test]
fn a_thread_that_keeps_scribbling_is_ended_and_changes_no_result() {
    let (mut oracle, _library) = oracle_with("accidents");
    declare(&mut oracle, "leaves_a_scribbler", &[I32], I32);
    declare(&mut oracle, "harmless", &[I32], I32);
    oracle.set_time_limit(Duration::from_secs(1));
    for round in 0..5 {
        match oracle.call("leaves_a_scribbler", &[int(round)]) {
            Ok(value) => assert_eq!(value, int(round + 1)),
            Err(failure) => assert!(matches!(failure, Failure::Accident { .. }), "{failure}"),
        }
        // A call that fails is tried again in a process without the thread.
        for x in 0..20 {
            let x = 100 * round + x;
            assert_eq!(oracle.call("harmless", &[int(x)]), Ok(int(3 * x)));
        }
    }
}

#[test]
fn what_native_code_prints_goes_nowhere_and_the_terminal_is_not_its() {
    let (mut oracle, _library) = oracle_with("accidents");
    declare(&mut oracle, "shouts", &[I32], I32);
    declare(&mut oracle, "descriptors", &[], I32);
    declare(&mut oracle, "leads_its_session", &[], I32);
    assert_eq!(
        oracle.call("shouts", &[int(5)]),
        Ok(int(-1)),
        "end of input"
    );
    assert_eq!(oracle.call("descriptors", &[]), Ok(int(0)));
    assert_eq!(oracle.call("leads_its_session", &[]), Ok(int(1)));
}

#[test]
fn killing_the_helper_from_outside_costs_nothing_but_a_warning() {
    let (mut oracle, _library) = oracle_with("accidents");
    declare(&mut oracle, "harmless", &[I32], I32);
    let mut ids = Vec::new();
    for x in 0..3000 {
        if x % 1000 == 500 {
            let id = oracle.helper_id().expect("it runs");
            ids.push(id);
            let id = libc::pid_t::try_from(id).expect("it is a process");
            // SAFETY: the process is a child of ours that nobody waited for.
            unsafe { libc::kill(id, libc::SIGKILL) };
        }
        assert_eq!(oracle.call("harmless", &[int(x)]), Ok(int(3 * x)));
    }
    ids.push(oracle.helper_id().expect("it runs"));
    ids.dedup();
    assert_eq!(ids.len(), 4);
    let notes = oracle.take_notes();
    let killed = Accident::Crashed {
        signal: libc::SIGKILL,
    };
    assert_eq!(notes.len(), 3);
    assert!(
        notes
            .iter()
            .all(|note| note.recovered && note.accident == killed)
    );
}

#[test]
fn the_helper_dies_with_its_parent_even_while_native_code_hangs() {
    const VICTIM: &str = "ORACLE_TEST_VICTIM";
    if std::env::var_os(VICTIM).is_some() {
        let (mut oracle, _library) = oracle_with("accidents");
        declare(&mut oracle, "hangs", &[I32], I32);
        println!("helper {}", oracle.helper_id().expect("it runs"));
        let _ = oracle.call("hangs", &[int(13)]);
        return;
    }
    let name = "the_helper_dies_with_its_parent_even_while_native_code_hangs";
    let mut victim = Command::new(std::env::current_exe().expect("this is a program"))
        .args(["--exact", name, "--nocapture"])
        .env(VICTIM, "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be run again");
    let output = BufReader::new(victim.stdout.take().expect("it is piped"));
    let helper = output
        .lines()
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once("helper ")?.1.to_owned()))
        .expect("the victim says its helper");
    assert!(is_running(&helper));
    victim.kill().expect("it is our child");
    victim.wait().expect("it is our child");
    while is_running(&helper) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether there is such a process and it is not just waiting to be buried.
fn is_running(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
    status.is_ok_and(|line| !line.contains(") Z "))
}

#[test]
fn a_dropped_oracle_takes_its_helper_along() {
    let (oracle, _library) = oracle_with("accidents");
    let helper = oracle.helper_id().expect("it runs").to_string();
    assert!(is_running(&helper));
    drop(oracle);
    assert!(!is_running(&helper));
}

#[test]
fn libraries_that_do_not_load_are_named() {
    let mut oracle = oracle();
    let message = |loaded: Result<(), Failure>| loaded.expect_err("it cannot load").to_string();
    assert_eq!(
        message(oracle.load_library(Path::new("/no/such/libfoo.so"))),
        "the library /no/such/libfoo.so does not load: \
         cannot open shared object file: No such file or directory"
    );
    let crashing = compile("crashes_on_load");
    assert_eq!(
        message(oracle.load_library(&crashing.path)),
        format!(
            "the library {} does not load: its initialisation crashed with SIGABRT (abort)",
            crashing.path.display()
        )
    );
    let sine = known_signature("sin").expect("libm is known");
    assert_eq!(oracle.declare(sine, Implementation::Native), Ok(()));
    assert_eq!(oracle.call("sin", &[double(0.0)]), Ok(double(0.0)));
}

#[test]
fn a_missing_function_is_named_with_the_places_searched() {
    let mut oracle = oracle();
    let declared = oracle.declare(
        signature("no_such_thing", &[I32], I32),
        Implementation::Native,
    );
    assert_eq!(
        declared.expect_err("there is none").to_string(),
        "there is no function `no_such_thing` in libm.so.6, libc.so.6: \
         load the library that defines it"
    );
    assert!(!oracle.knows("no_such_thing"));
}

#[test]
fn a_helper_that_does_not_start_is_named() {
    let refuse = |program: &str, arguments: &[&str]| {
        let mut oracle = Oracle::new();
        oracle.set_helper(HelperCommand {
            program: program.into(),
            arguments: arguments.iter().map(Into::into).collect(),
        });
        let sine = known_signature("sin").expect("libm is known");
        let declared = oracle.declare(sine, Implementation::Native);
        declared.expect_err("it cannot start").to_string()
    };
    assert_eq!(
        refuse("/no/such/helper", &["serve"]),
        "the helper process for native functions does not start (/no/such/helper serve): \
         No such file or directory (os error 2)"
    );
    assert_eq!(
        refuse("/bin/sh", &["-c", "exit 5"]),
        "the helper process for native functions does not start (/bin/sh -c exit 5): \
         it ended the process with status 5"
    );
    let mut oracle = Oracle::new();
    let sine = known_signature("sin").expect("libm is known");
    let declared = oracle.declare(sine, Implementation::Native);
    assert_eq!(
        declared.expect_err("there is no helper").to_string(),
        "native functions cannot be called: no helper process was set up"
    );
}

#[test]
fn the_helper_started_by_hand_says_what_it_is_for() {
    let output = Command::new(env!("CARGO_BIN_EXE_oracle-helper"))
        .stdin(Stdio::null())
        .output()
        .expect("it can be run");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "oracle-helper: standard input is not memory shared by an oracle\n"
    );
}
