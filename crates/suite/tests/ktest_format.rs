//! The `.ktest` format: what is written is read by others, what others write is
//! read, and what is broken is named.

mod common;

use proptest::prelude::*;
use serde_json::{Value, json};
use suite::ktest::{self, KtestError, Part};
use suite::{Input, InputKind, SuiteError, TestCase};

/// The third test of KLEE's first tutorial: the program `get_sign.bc`, one input
/// `a` of four bytes, -2147483648. Typed by hand from KLEE's `KTest.cpp`.
const KLEE_FILE: &[u8] = b"KTEST\
    \x00\x00\x00\x03\
    \x00\x00\x00\x01\
    \x00\x00\x00\x0bget_sign.bc\
    \x00\x00\x00\x00\
    \x00\x00\x00\x00\
    \x00\x00\x00\x01\
    \x00\x00\x00\x01a\
    \x00\x00\x00\x04\x00\x00\x00\x80";

fn klee_case() -> TestCase {
    TestCase {
        inputs: vec![Input::new("a", i32::MIN.to_le_bytes())],
        args: vec!["get_sign.bc".into()],
        ..TestCase::default()
    }
}

#[test]
fn a_file_of_klee_is_read() {
    assert_eq!(ktest::decode(KLEE_FILE), Ok(klee_case()));
}

#[test]
fn what_is_written_is_byte_for_byte_what_klee_writes() {
    assert_eq!(ktest::encode(&klee_case()), KLEE_FILE);
}

#[test]
fn version_one_has_no_numbers_on_symbolic_arguments() {
    let bytes = b"BOUT\n\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\
        \x00\x00\x00\x01x\x00\x00\x00\x02\x07\x08";
    assert_eq!(
        ktest::decode(bytes),
        Ok(TestCase::new(vec![Input::new("x", [7, 8])]))
    );
}

#[test]
fn version_two_keeps_the_numbers_on_symbolic_arguments() {
    let bytes = b"KTEST\x00\x00\x00\x02\x00\x00\x00\x00\
        \x00\x00\x00\x03\x00\x00\x00\x09\x00\x00\x00\x00";
    let case = TestCase {
        symbolic_args: 3,
        symbolic_arg_length: 9,
        ..TestCase::default()
    };
    assert_eq!(ktest::decode(bytes), Ok(case));
}

#[test]
fn a_schedule_comes_last_and_is_no_input() {
    let mut case = klee_case();
    case.schedule = "0:2 1:3! 0:1 >1".parse().expect("it is one");
    let bytes = ktest::encode(&case);
    assert!(bytes.ends_with(b"everypath_schedule\x00\x00\x00\x0f0:2 1:3! 0:1 >1"));
    assert_eq!(ktest::decode(&bytes), Ok(case));
    let wrong = bytes.strip_suffix(b">1").expect("it ends so");
    let wrong = [wrong, b"!!"].concat();
    let problem = ktest::decode(&wrong).expect_err("it is none");
    assert_eq!(
        problem.to_string(),
        "the schedule is none: `!!` is no turn of a thread"
    );
}

#[test]
fn an_input_without_a_name_is_written_as_unnamed() {
    let bytes = ktest::encode(&TestCase::new(vec![Input::new("", [1])]));
    assert_eq!(
        ktest::decode(&bytes),
        Ok(TestCase::new(vec![Input::new("unnamed", [1])]))
    );
}

#[test]
fn the_independent_reader_sees_what_was_written() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut case = TestCase::new(vec![
        Input::new("x", (-2i32).to_le_bytes()).with_kind(InputKind::INT),
        Input::new("größe", vec![0; 300]),
        Input::new("x", []),
    ]);
    case.args = vec!["prog".into(), "--größe".into()];
    case.symbolic_args = 1;
    case.symbolic_arg_length = 1 << 24;
    let paths = [
        folder.path().join("one.ktest"),
        folder.path().join("two.ktest"),
    ];
    ktest::write(&paths[0], &case).expect("the temporary folder takes files");
    ktest::write(&paths[1], &TestCase::default()).expect("the temporary folder takes files");

    let printed = common::python("ktest_reader.py", &paths);
    let read: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).expect("the reader prints JSON"))
        .collect();
    assert_eq!(
        read,
        [
            json!({"version": 3, "args": ["prog", "--größe"], "symbolic": [1, 1 << 24],
                   "inputs": [["x", "feffffff"], ["größe", "00".repeat(300)], ["x", ""]]}),
            json!({"version": 3, "args": [], "symbolic": [0, 0], "inputs": []}),
        ]
    );
}

#[test]
fn each_malformed_file_gets_its_message_with_the_place() {
    let whole = KLEE_FILE;
    let with = |offset: usize, byte: u8| {
        let mut bytes = whole.to_vec();
        bytes[offset] = byte;
        bytes
    };
    let check = |bytes: &[u8], expected: &str| {
        let error = ktest::decode(bytes).expect_err("the file is malformed");
        assert_eq!(error.to_string(), expected);
    };
    check(
        b"",
        "not a ktest file: it does not begin with KTEST (at byte 0)",
    );
    check(
        b"KTES",
        "not a ktest file: it does not begin with KTEST (at byte 0)",
    );
    check(
        &with(0, b'k'),
        "not a ktest file: it does not begin with KTEST (at byte 0)",
    );
    check(
        &with(8, 4),
        "ktest version 4 is not known, only 1 to 3 are (at byte 5)",
    );
    check(
        &with(8, 0),
        "ktest version 0 is not known, only 1 to 3 are (at byte 5)",
    );
    check(
        &whole[..7],
        "the file ends inside the version: 4 bytes wanted at byte 5, 2 there",
    );
    check(
        &whole[..9],
        "the file ends inside the number of arguments: 4 bytes wanted at byte 9, 0 there",
    );
    check(
        &whole[..20],
        "the file ends inside argument 1: 11 bytes wanted at byte 17, 3 there",
    );
    check(
        &whole[..30],
        "the file ends inside the numbers on symbolic arguments: 4 bytes wanted at byte 28, 2 there",
    );
    check(
        &whole[..38],
        "the file ends inside the number of inputs: 4 bytes wanted at byte 36, 2 there",
    );
    check(
        &whole[..44],
        "the file ends inside the name of input 1: 1 bytes wanted at byte 44, 0 there",
    );
    check(
        &whole[..52],
        "the file ends inside the bytes of input 1: 4 bytes wanted at byte 49, 3 there",
    );
    check(
        &with(40, 0xff),
        "the file ends inside the name of input 1: 4278190081 bytes wanted at byte 44, 9 there",
    );
    check(
        &with(44, 0xc3),
        "the name of input 1 is not UTF-8 (at byte 44)",
    );
    check(
        &[whole, b"!"].concat(),
        "1 bytes follow the last input (at byte 53)",
    );
}

#[test]
fn arguments_are_any_bytes() {
    let mut case = TestCase::new(Vec::new());
    case.args = vec![b"program".to_vec(), vec![0xff, 0xc3, 1]];
    assert_eq!(ktest::decode(&ktest::encode(&case)), Ok(case));
}

#[test]
fn every_prefix_of_a_file_is_told_from_a_whole_one() {
    for length in 0..KLEE_FILE.len() {
        let error = ktest::decode(&KLEE_FILE[..length]).expect_err("a part is not the whole");
        let expected = length < 5;
        assert_eq!(
            error == KtestError::NotKtest,
            expected,
            "{length} bytes: {error}"
        );
    }
}

#[test]
fn a_file_that_is_missing_or_malformed_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("test000001.ktest");
    let error = ktest::read(&path).expect_err("there is no file yet");
    assert_eq!(
        error.to_string(),
        format!(
            "cannot read {}: No such file or directory (os error 2)",
            path.display()
        )
    );
    std::fs::write(&path, &KLEE_FILE[..40]).expect("the temporary folder takes files");
    let error = ktest::read(&path).expect_err("the file is cut short");
    let SuiteError::Ktest {
        source: KtestError::Truncated { part, offset, .. },
        ..
    } = &error
    else {
        panic!("another error was expected than {error}");
    };
    assert_eq!((*part, *offset), (Part::InputName(1), 40));
}

#[test]
fn writing_leaves_nothing_but_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("a.ktest");
    ktest::write(&path, &TestCase::default()).expect("the temporary folder takes files");
    ktest::write(&path, &klee_case()).expect("a file may be replaced");
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the temporary folder can be read")
        .map(|entry| entry.expect("the temporary folder can be read").file_name())
        .collect();
    assert_eq!(names, ["a.ktest"]);
    assert_eq!(ktest::read(&path).expect("the file is whole"), klee_case());
}

fn any_case() -> impl Strategy<Value = TestCase> {
    let input = (".{1,8}", proptest::collection::vec(any::<u8>(), 0..40))
        .prop_map(|(name, bytes)| Input::new(name, bytes));
    let inputs = proptest::collection::vec(input, 0..6);
    let args = proptest::collection::vec(".{0,8}", 0..4);
    (inputs, args, any::<u32>(), any::<u32>()).prop_map(
        |(inputs, args, symbolic_args, symbolic_arg_length)| TestCase {
            inputs,
            args: args.into_iter().map(String::into_bytes).collect(),
            symbolic_args,
            symbolic_arg_length,
            ..TestCase::default()
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(case in any_case()) {
        prop_assert_eq!(ktest::decode(&ktest::encode(&case)), Ok(case));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(
        case in any_case(),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = ktest::encode(&case);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(read) = ktest::decode(&bytes) {
            prop_assert!(read.inputs.iter().map(|input| input.bytes.len()).sum::<usize>() <= bytes.len());
        }
    }
}
