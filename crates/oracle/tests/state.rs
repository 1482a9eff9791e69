//! Functions that keep state: found out by trying, and called in a path's own order.

mod common;

use common::{I32, declare, int, oracle_with};
use oracle::{Argument, CallLog, Failure, Impurity, Oracle, Pointee, Type};
use term::Value;

fn oracle() -> (Oracle<'static>, common::Native) {
    let (mut oracle, library) = oracle_with("state");
    for name in ["twice", "set"] {
        declare(&mut oracle, name, &[I32], I32);
    }
    for name in ["get", "number"] {
        declare(&mut oracle, name, &[], I32);
    }
    let pointer = Type::Pointer(Pointee::Mutable);
    declare(&mut oracle, "clear", &[pointer], Type::Void);
    (oracle, library)
}

fn probed(oracle: &mut Oracle<'_>, names: &[&str]) -> Option<Impurity> {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    oracle.probe(&names).expect("there is a process")
}

#[test]
fn a_few_calls_tell_mathematical_functions_from_others() {
    let (mut oracle, _library) = oracle();
    assert_eq!(probed(&mut oracle, &["twice", "clear"]), None);
    // Nobody sets what it gives.
    assert_eq!(probed(&mut oracle, &["get"]), None);
    let function = "set".to_owned();
    assert_eq!(
        probed(&mut oracle, &["get", "set"]),
        Some(Impurity::KeepsState { function })
    );
    let function = "number".to_owned();
    assert_eq!(
        probed(&mut oracle, &["number"]),
        Some(Impurity::TwoResults { function })
    );
}

#[test]
fn each_path_sees_the_state_of_its_own_calls() {
    let (mut oracle, _library) = oracle();
    let mut call = |log: &mut CallLog, name: &str, arguments: &[i64]| -> Option<Value> {
        let arguments = arguments.iter().map(|&it| Argument::Value(int(it)));
        let outcome = oracle.call_in_place(log, name, arguments.collect());
        outcome.expect("it returns").result
    };
    let mut common = CallLog::default();
    call(&mut common, "set", &[1]);
    let (mut left, mut right) = (common.clone(), common.clone());
    call(&mut left, "set", &[2]);
    assert_eq!(call(&mut right, "get", &[]), Some(int(1)));
    assert_eq!(call(&mut left, "get", &[]), Some(int(2)));
    call(&mut right, "set", &[3]);
    assert_eq!(call(&mut left, "get", &[]), Some(int(2)));
    assert_eq!(call(&mut right, "get", &[]), Some(int(3)));
    assert_eq!((left.len(), right.len()), (4, 4));
}

#[test]
fn a_function_that_gives_something_else_in_a_fresh_process_is_told() {
    let (mut oracle, _library) = oracle();
    let mut first = CallLog::default();
    let called = oracle.call_in_place(&mut first, "number", Vec::new());
    called.expect("it returns");
    let mut second = first.clone();
    let called = oracle.call_in_place(&mut first, "get", Vec::new());
    called.expect("it returns");
    let failure = oracle.call_in_place(&mut second, "get", Vec::new());
    assert_eq!(
        failure,
        Err(Failure::NotDeterministic {
            function: "number".to_owned(),
            call: "number()".to_owned(),
        })
    );
}
