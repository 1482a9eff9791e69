//! Recorded inputs lead along their own path, and no query is made.

use engine::policy::follow::Recording;
use engine::{Replay, Replayed};
use machine::{End, ErrorKind, Options};
use program::{LoadOptions, Program};
use solver::Solver;

const PROGRAM: &str = r"
typedef unsigned long size_t;
void ep_symbolic(void *object, size_t size, const char *name);
void ep_assume(_Bool condition);
int ep_range(int low, int high, const char *name);
static int divide(int a, int b) { return a / b; }
int main(void) {
    int x;
    double y;
    ep_symbolic(&x, sizeof x, (char[]){'x', 0});
    ep_assume(x > 0);
    ep_symbolic(&y, sizeof y, (char[]){'y', 0});
    if (y * 2 > x)
        return ep_range(3, 9, (char[]){'z', 0});
    return divide(10, x - 7);
}
";

fn load() -> Program {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, PROGRAM).expect("the directory is writable");
    let options = LoadOptions {
        promote: true,
        ..LoadOptions::default()
    };
    program::load(&[file], &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Replays inputs, given by name and bytes, and checks that it was for free.
fn replay(program: &Program, inputs: &[(&str, &[u8])]) -> Replayed {
    let main = program.function("main").expect("it has one");
    let mut replay =
        Replay::new(program, main, Solver::default(), Options::default()).expect("it is small");
    let inputs = inputs
        .iter()
        .map(|&(name, bytes)| (name.to_owned(), bytes.to_owned()));
    let recording: Recording = inputs.collect();
    let first = replay.run(recording.clone(), u64::MAX);
    let second = replay.run(recording, u64::MAX);
    assert_eq!(first.end, second.end, "replays know nothing of each other");
    assert_eq!(replay.queries(), 0);
    first
}

fn numbers(x: i32, y: f64, z: i32) -> [(&'static str, Vec<u8>); 3] {
    [
        ("x", x.to_le_bytes().to_vec()),
        ("y", y.to_le_bytes().to_vec()),
        ("z", z.to_le_bytes().to_vec()),
    ]
}

fn end(program: &Program, inputs: &[(&str, Vec<u8>)]) -> End {
    let inputs: Vec<(&str, &[u8])> = inputs.iter().map(|(n, b)| (*n, &b[..])).collect();
    replay(program, &inputs).end.expect("the program ends")
}

#[test]
fn recorded_inputs_take_one_path_to_its_end() {
    let program = load();
    assert_eq!(end(&program, &numbers(3, 2.0, 5)), End::Exit(5));
    assert_eq!(end(&program, &numbers(9, 2.0, 0)[..2]), End::Exit(5));
    let zero = end(&program, &numbers(7, -1.0, 0)[..2]);
    assert!(
        matches!(zero, End::Error(ErrorKind::Division, _)),
        "{zero:?}"
    );
}

#[test]
fn only_code_on_the_path_is_covered() {
    let program = load();
    let divide = program.function("divide").expect("it has one");
    for (y, is_reached) in [(2.0f64, false), (1.0, true)] {
        let inputs = numbers(3, y, 4);
        let inputs: Vec<(&str, &[u8])> = inputs.iter().map(|(n, b)| (*n, &b[..])).collect();
        let coverage = replay(&program, &inputs).coverage;
        assert_eq!(coverage.entered(divide), is_reached);
    }
}

#[test]
fn an_assumption_that_does_not_hold_ends_the_path() {
    let program = load();
    assert_eq!(end(&program, &numbers(0, 2.0, 5)), End::Ignored);
}

#[test]
fn other_inputs_than_recorded_are_an_error_that_says_so() {
    let program = load();
    let says = |inputs: &[(&str, Vec<u8>)], expected: &str| {
        let end = end(&program, inputs);
        assert_eq!(end, End::Error(ErrorKind::OtherInputs, expected.to_owned()));
    };
    says(
        &numbers(3, 2.0, 5)[..2],
        "the program asks for input 3, `z` of 4 bytes, and 2 are recorded",
    );
    says(
        &numbers(3, 2.0, 5)[1..],
        "input 1 is `y` of 8 bytes, and the program asks for `x` of 4",
    );
}

#[test]
fn a_path_is_followed_as_far_as_it_may_be() {
    let program = load();
    let main = program.function("main").expect("it has one");
    let mut replay =
        Replay::new(&program, main, Solver::default(), Options::default()).expect("it is small");
    let replayed = replay.run(Recording::default(), 0);
    assert_eq!(replayed.end, None);
}
