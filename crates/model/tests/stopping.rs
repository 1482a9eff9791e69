//! Everything that takes long ends soon after its stop token is set, with what is
//! finished. The tokens here are set after a number of questions, and count those
//! that are asked afterwards, so that no test needs a clock.

use base::Stop;
use mixed::oracle::Oracle;
use mixed::solver::Solver;
use mixed::{Config, Mixed};
use model::execution::Executor;
use model::exploration::{Bounds, End, Fate, Tree, explore};
use model::goal::{Coverage, Tracker, goals};
use model::observer::{Allowed, Observer};
use model::results::Missed;
use model::runner::{OnlinePlan, Tested, Time, Verdict, run_online, run_test};
use model::testcase::{Data, TestCase, missed, test_cases};
use model::{Model, Undecided, check};
use std::convert::Infallible;
use std::time::Duration;
use term::Value;

/// After how many questions tokens are set: at once, in the middle of something, late.
const MOMENTS: [u64; 4] = [0, 1, 10, 100];

/// How often a token may be asked after it is set: once for each level of calls that
/// gives up, and not once for each unit of work that is left.
const UNWINDING: u64 = 20;

/// Longer than anybody waits, so that only the token ends the waiting.
const NEVER: Duration = Duration::from_secs(3600);

/// Two counters that nothing bounds: at every height there are more states.
const ENDLESS: &str = "
    channel in(Int), out(Int)
    function F(Int): Int { command \"sleep 1000\" }
    automaton A {
        var x, y: Int
        initial q
        more: q -> q, in?(x) where x > y, y := y + x
        less: q -> q, in?(x) where x < y, y := y - x
        say: q -> q when y > 100, out!(y)
        call: q -> p when F(y) = 7, tau
        back: p -> q, tau
    }";

fn model(text: &str) -> Model {
    check(text, &[])
        .unwrap_or_else(|faults| panic!("{faults:?}"))
        .model
}

fn executor(model: &Model) -> Executor<'_, 'static> {
    let mut oracle = Oracle::new();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = std::iter::once("".into())
        .chain(std::env::split_paths(&path))
        .collect();
    let refused = model::functions::declare(model, &folders, &mut oracle);
    assert!(refused.is_empty(), "{refused:?}");
    let mixed = Mixed::new(Config::default(), Solver::default(), oracle);
    Executor::new(model, mixed)
}

fn check_late(stop: &Stop, what: &str) {
    let late = stop.late();
    assert!(stop.cause().is_some(), "{what} ended by itself");
    assert!(late <= UNWINDING, "{what} was asked {late} times too often");
}

/// A tree with many paths, and the goals it reaches.
fn explored(run: &mut Executor<'_, '_>) -> (Tree, Tracker) {
    let bounds = Bounds {
        height: 6,
        ..Bounds::default()
    };
    let coverage = goals(run.model, &Coverage::Pairs).expect("it has pairs");
    let mut tracker = Tracker::new(coverage);
    let tree = explore(run, &bounds, Some(&mut tracker));
    (tree, tracker)
}

#[test]
fn an_exploration_stops_with_the_tree_so_far() {
    let model = model(&ENDLESS.replace("when F(y) = 7", "when y = 7"));
    for moment in MOMENTS {
        for inclusion in [false, true] {
            let mut run = executor(&model);
            let stop = Stop::after(moment);
            run.set_stop(&stop);
            let bounds = Bounds {
                height: 1000,
                states: usize::MAX,
                inclusion,
                ..Bounds::default()
            };
            let tree = explore(&mut run, &bounds, None);
            check_late(&stop, &format!("inclusion {inclusion}, {moment}"));
            assert_eq!((tree.end, tree.unknown), (End::Stopped, 0));
            // What was being expanded is not taken for finished.
            assert!(tree.nodes.iter().any(|node| node.fate == Fate::Waiting));
        }
    }
}

#[test]
fn a_command_that_hangs_does_not_hold_up_an_exploration() {
    let model = model(ENDLESS);
    let mut run = executor(&model);
    let stop = Stop::after(40);
    run.set_stop(&stop);
    let tree = explore(&mut run, &Bounds::default(), None);
    check_late(&stop, "a command");
    assert_eq!((tree.end, tree.unknown), (End::Stopped, 0));
}

#[test]
fn tests_made_before_the_stop_are_kept() {
    let model = model(&ENDLESS.replace("when F(y) = 7", "when y = 7"));
    let mut most = 0;
    for moment in [0, 1, 10, 100, 1000, 10_000] {
        let mut run = executor(&model);
        let (tree, tracker) = explored(&mut run);
        let stop = Stop::after(moment);
        run.set_stop(&stop);
        let mut kept: Vec<TestCase> = Vec::new();
        let made = test_cases(&mut run, &tree, &tracker, &mut Data::new(0), |test| {
            kept.push(test.clone());
            Ok::<_, Infallible>(())
        });
        let made = made.expect("keeping them does not fail");
        assert_eq!(made, kept);
        assert!(stop.late() <= UNWINDING, "{moment}: {}", stop.late());
        most = most.max(made.len());
        // A goal without a test is not reported as covered.
        let tested: usize = made.iter().map(|test| test.goals.len()).sum();
        let missed: Vec<Missed> = missed(&model, &tree, &tracker, &made);
        assert_eq!(tested + missed.len(), tracker.goals.len(), "{moment}");
    }
    assert!(most > 1, "{most}");
}

#[test]
fn goals_are_ruled_out_no_longer_than_the_token_allows() {
    let model = model(&ENDLESS.replace("when F(y) = 7", "when y > 7 and y < 7"));
    for moment in [0, 1, 2] {
        let mut run = executor(&model);
        let stop = Stop::after(moment);
        run.set_stop(&stop);
        let coverage = goals(&model, &Coverage::Pairs).expect("it has pairs");
        let mut tracker = Tracker::new(coverage);
        tracker.rule_out(&mut run);
        check_late(&stop, "ruling out");
        assert!(!tracker.is_done());
    }
}

#[test]
fn what_an_observer_did_not_finish_is_unknown() {
    // After `go` the model can be in as many states as it likes without being seen.
    let model = model(
        "channel go, out(Int)
         automaton A {
             var x: Int
             initial q
             go: q -> p, go?
             count: p -> p, tau, x := x + 1
             out: p -> p when x < 0, out!(x)
         }",
    );
    for moment in MOMENTS {
        let mut run = executor(&model);
        let mut observer = Observer::new(&mut run);
        let stop = Stop::after(moment);
        run.set_stop(&stop);
        let go = model.channel("go").expect("it is declared");
        let out = model.channel("out").expect("it is declared");
        observer.input(&mut run, go, &[]);
        let allowed = observer.output(&mut run, out, &[Value::Int(1.into())]);
        assert_eq!(allowed, Allowed::Unknown(Undecided::Stopped), "{moment}");
        check_late(&stop, &format!("an observer, {moment}"));
    }
}

/// A test that waits for an output, and a system that reads all and says nothing.
fn silent() -> (Model, Tested) {
    let text = "channel in, out
         automaton A {
             initial q
             in: q -> p, in?
             out: p -> q, out!
         }";
    let tested = Tested {
        server: None,
        source: "sleep 1000".parse().expect("it is a command"),
        timeout: NEVER,
        ready: Duration::ZERO,
        is_strict: false,
        time: Time::Simulated,
    };
    (model(text), tested)
}

#[test]
fn a_test_does_not_wait_for_a_system_after_the_stop() {
    let (model, tested) = silent();
    for moment in MOMENTS {
        let mut run = executor(&model);
        let coverage = goals(&model, &Coverage::Transitions).expect("it has transitions");
        let mut tracker = Tracker::new(coverage);
        let tree = explore(&mut run, &Bounds::default(), Some(&mut tracker));
        let tests = test_cases(&mut run, &tree, &tracker, &mut Data::new(0), |_| {
            Ok::<_, Infallible>(())
        });
        let tests = tests.expect("keeping them does not fail");
        let stop = Stop::after(moment);
        run.set_stop(&stop);
        for test in &tests {
            let report = run_test(&mut run, test, &tested);
            let told = (report.verdict, report.reason.as_str());
            assert_eq!(told, (Verdict::Inconclusive, "the run was stopped"));
        }
        check_late(&stop, &format!("a test, {moment}"));
    }
}

#[test]
fn online_testing_does_not_wait_for_a_system_after_the_stop() {
    let (model, tested) = silent();
    for moment in MOMENTS {
        let mut run = executor(&model);
        let stop = Stop::after(moment);
        run.set_stop(&stop);
        let report = run_online(&mut run, &tested, &online(1000, 0));
        let told = (report.verdict, report.reason.as_str());
        assert_eq!(told, (Verdict::Inconclusive, "the run was stopped"));
        check_late(&stop, &format!("online, {moment}"));
    }
}

/// So many messages, and nothing else that is wanted of them.
fn online(messages: usize, seed: u64) -> OnlinePlan {
    OnlinePlan {
        messages,
        seed,
        until: None,
        purpose: None,
    }
}
