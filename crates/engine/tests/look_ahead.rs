//! Looking ahead drops paths, and none that covers what no test covers.

use engine::policy::follow::Recording;
use engine::{Counts, Observer, Outcome, Plan, Ready, Replay, Start, Steps};
use machine::{Coverage, End, Machine, Options, State};
use mixed::Mixed;
use program::{EdgeId, FunctionId, LoadOptions, Program};
use solver::Solver;
use std::collections::BTreeSet;

/// Keeps the inputs of paths that ended in a test.
#[derive(Default)]
struct Tests(Vec<Recording>);

impl Observer for Tests {
    fn ended(&mut self, machine: &mut Machine<'_>, state: &State, end: &End) {
        if !matches!(end, End::Exit(_) | End::Error(..)) {
            return;
        }
        let mut evaluation = machine.mixed.under(&machine.store, &state.model);
        let inputs = state.inputs.all().into_iter().map(|input| {
            let bytes = input.bytes.iter().map(|&b| evaluation.word(b) as u8);
            (input.name.to_string(), bytes.collect())
        });
        self.0.push(inputs.collect());
    }

    fn unfinished(&mut self, _: &mut Machine<'_>, _: &State) {}

    fn note(&mut self, _: &str) {}

    fn progress(&mut self, _: &Machine<'_>, _: &Counts, _: usize) -> Option<Outcome> {
        None
    }
}

fn load(text: &str) -> Program {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).expect("the directory is writable");
    for (name, text) in machine::runtime::HEADERS {
        let header = directory.path().join(name);
        std::fs::create_dir_all(header.parent().expect("it has one")).expect("it is writable");
        std::fs::write(header, text).expect("it is writable");
    }
    let options = LoadOptions {
        promote: true,
        compile: program::CompileOptions {
            headers: Some(directory.path().to_owned()),
            ..program::CompileOptions::default()
        },
        ..LoadOptions::default()
    };
    program::load(&[file], &options).unwrap_or_else(|error| panic!("{error}"))
}

/// What of the program's functions is covered.
fn covered(program: &Program, coverage: &Coverage) -> BTreeSet<(String, usize)> {
    let mut all = BTreeSet::new();
    for (number, function) in program.functions.iter().enumerate() {
        let Some(body) = &function.body else {
            continue;
        };
        let id = FunctionId::from_index(number);
        let edges = (0..body.edges.len()).filter(|&e| coverage.followed(id, EdgeId::from_index(e)));
        all.extend(edges.map(|edge| (function.name.clone(), edge)));
        if coverage.entered(id) {
            all.insert((function.name.clone(), usize::MAX));
        }
    }
    all
}

/// An exploration, and its tests replayed.
struct Explored {
    /// What it covered.
    reached: BTreeSet<(String, usize)>,
    /// What its tests cover.
    replayed: BTreeSet<(String, usize)>,
    tests: usize,
    pruned: u64,
}

fn explored(program: &Program, look_ahead: bool, strategy: &str) -> Explored {
    let main = program.function("main").expect("it has one");
    let plan = Plan {
        look_ahead,
        strategy: strategy.parse().expect("there is such a strategy"),
        ..Plan::default()
    };
    let steps = Steps::new(Start::Function(main), plan);
    let mixed = Mixed::from(Solver::default());
    let mut ready = Ready::new(program, mixed, Options::default(), steps).expect("it is small");
    let mut tests = Tests::default();
    let (outcome, counts) = ready.explore(&mut tests);
    assert_eq!(outcome, Outcome::Complete);
    let mut replay =
        Replay::new(program, main, Solver::default(), Options::default()).expect("it is small");
    let mut replayed = BTreeSet::new();
    for recording in &tests.0 {
        let ran = replay.run(recording.clone(), u64::MAX);
        replayed.extend(covered(program, &ran.coverage));
    }
    Explored {
        reached: covered(program, &ready.machine.coverage),
        replayed,
        tests: tests.0.len(),
        pruned: counts.pruned,
    }
}

#[test]
fn what_is_covered_is_covered_by_the_tests_that_are_left() {
    let ledger = include_str!("../../../examples/search/ledger.c");
    let ledger = &ledger.replace("ENTRIES = 4", "ENTRIES = 3");
    let maze = include_str!("../../../examples/maze.c");
    let through_pointers = r#"
        #include <everypath.h>
        static int low(int x) { return x < 10 ? 1 : 2; }
        static int high(int x) { if (x == 77) return 3; return 4; }
        static int (*const table[2])(int) = {low, high};
        static int deep(int n, int x) { return n ? deep(n - 1, x) : table[x & 1](x); }
        int main(void) {
            int x, y;
            ep_symbolic(&x, sizeof x, "x");
            ep_symbolic(&y, sizeof y, "y");
            int sum = 0;
            for (int i = 0; i < 4; i++)
                if (y >> i & 1)
                    sum++;
            ep_assume(x > 5 && x < 100);
            return sum + deep(3, x);
        }"#;
    for text in [ledger, maze, through_pointers] {
        let program = load(text);
        for strategy in ["dfs", "bfs", "random-path", "interleaved"] {
            let all = explored(&program, false, strategy);
            let fewer = explored(&program, true, strategy);
            assert_eq!(all.pruned, 0, "{strategy}");
            assert_eq!(fewer.reached, all.reached, "{strategy}");
            // What only paths reach that an assumption drops is in no test.
            assert_eq!(fewer.replayed, all.replayed, "{strategy}");
            assert!(fewer.tests <= all.tests, "{} of {}", fewer.tests, all.tests);
        }
    }
}
