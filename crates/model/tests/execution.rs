//! Symbolic execution: which states there are, and which transitions are taken.

use explore::Strategy as Order;
use mixed::oracle::{Implementation, Oracle, Signature, Type};
use mixed::solver::Solver;
use mixed::{Config, Mixed, Strategy};
use model::execution::Executor;
use model::exploration::{Bounds, End, Tree, explore, untaken};
use model::goal::{Coverage, Tracker, goals};
use model::observer::{Allowed, Observer};
use model::results::{Missed, Untaken};
use model::testcase::{Data, TestCase, TestEvent, missed, test_cases, ttcn};
use model::{Model, check};
use num_bigint::BigInt;
use std::convert::Infallible;
use term::Value;

fn model(text: &str) -> Model {
    check(text, &[])
        .unwrap_or_else(|faults| panic!("{faults:?}"))
        .model
}

fn declared(model: &Model, oracle: &mut Oracle<'_>) {
    let refused = model::functions::declare(model, &["".into()], oracle);
    assert!(refused.is_empty(), "{refused:?}");
}

fn executor(model: &Model) -> Executor<'_, 'static> {
    let mut oracle = Oracle::new();
    declared(model, &mut oracle);
    Executor::new(
        model,
        Mixed::new(Config::default(), Solver::default(), oracle),
    )
}

fn tree(model: &Model, height: usize) -> Tree {
    let bounds = Bounds {
        height,
        ..Bounds::default()
    };
    explore(&mut executor(model), &bounds, None)
}

fn tests_of(executor: &mut Executor<'_, '_>, tree: &Tree, goals: &Tracker) -> Vec<TestCase> {
    let made = test_cases(executor, tree, goals, &mut Data::new(0), |_| {
        Ok::<_, Infallible>(())
    });
    made.expect("keeping them does not fail")
}

/// The names of the transitions that are taken.
fn taken(model: &Model, tree: &Tree) -> Vec<String> {
    let numbers = (0..model.transitions.len()).filter(|&number| tree.taken[number] > 0);
    numbers
        .map(|number| model.transitions[number].name.clone())
        .collect()
}

#[test]
fn every_type_can_be_received_computed_with_and_compared() {
    let model = model(
        "enum E { a, b, c }
         record R { e: E, n: Int[2] }
         channel in(b: Bool, i: Int, s: Int<8>, u: UInt<8>, r: Real, f: Float, t: String, x: R)
         automaton A {
             var b: Bool, i: Int, s: Int<8>, u: UInt<8>, r: Real, f: Float, t: String, x: R
             initial q
             got: q -> p, in?(b, i, s, u, r, f, t, x) where i >= 0 and i < 2
             all: p -> q when b and s + 1 < -100 and u > 200 and r / 2 = 0.25 and f > 1.5
                 and t = \"ab\" + \"c\" and x.e = c and x.n[i] = 7 and x.n[1 - i] = 8, tau
             wraps: p -> q when s > 100 and s + 100 < 0, tau
             never: p -> q when u < 0, tau
             text: p -> q when length(t) = 3 and startsWith(t, \"x\") and not contains(t, \"xx\"), tau
             chosen: p -> q when (if b then i else -i) < 0, tau
             rounded: p -> q when int(r) = 3 and r > 3.5 and real(i) < r, tau
         }",
    );
    let tree = tree(&model, 2);
    assert_eq!(
        taken(&model, &tree),
        ["got", "all", "wraps", "text", "chosen", "rounded"]
    );
    assert_eq!(
        untaken(&mut executor(&model), &tree),
        [Untaken {
            transition: "never".to_owned(),
            reason: "infeasible: no values of the variables allow it".to_owned()
        }]
    );
}

#[test]
fn an_index_outside_its_array_takes_no_transition() {
    let model = model(
        "channel in(Int)
         automaton A {
             var i: Int, v: Int[2] = [5, 6]
             initial q
             got: q -> p, in?(i)
             first: p -> q when v[i] = 5, tau
             outside: p -> q when v[i] = 0, tau
             guarded: p -> q when i > 1 or v[i] = 6, tau
             write: p -> q, tau, v[i] := 9
         }",
    );
    let tree = tree(&model, 2);
    assert_eq!(taken(&model, &tree), ["got", "first", "guarded", "write"]);
}

#[test]
fn automata_meet_on_shared_channels() {
    let model = model(
        "channel send(Int), meet(Int), back(Int)
         automaton Left {
             var x: Int
             initial a
             in: a -> b, send?(x)
             pass: b -> a, meet!(x + 1)
         }
         automaton Right {
             var y: Int
             initial c
             take: c -> d, meet?(y) where y > 10
             out: d -> c, back!(y)
         }",
    );
    let mut executor = executor(&model);
    let mut observer = Observer::new(&mut executor);
    let int = |number: i64| Value::Int(BigInt::from(number));
    let channel = |name: &str| model.channel(name).expect("it is declared");
    assert_eq!(
        observer.input(&mut executor, channel("send"), &[int(10)]),
        Allowed::Yes
    );
    let expected = observer.expected(&mut executor);
    let texts: Vec<String> = expected.iter().map(|it| it.text(&model)).collect();
    assert_eq!(texts, ["back(11)"]);
    assert_eq!(
        observer.output(&mut executor, channel("back"), &[int(12)]),
        Allowed::No
    );
    assert_eq!(
        observer.output(&mut executor, channel("back"), &[int(11)]),
        Allowed::Yes
    );
    assert_eq!(observer.quiescence(&mut executor), Allowed::Yes);
    // Nine and one are no more than ten: nobody meets, and nothing comes.
    assert_eq!(
        observer.input(&mut executor, channel("send"), &[int(9)]),
        Allowed::Yes
    );
    assert_eq!(observer.quiescence(&mut executor), Allowed::Yes);
    assert_eq!(observer.expected(&mut executor), []);
}

#[test]
fn what_the_model_leaves_open_is_a_condition_on_the_output() {
    let model = model(
        "channel ask(Int), answer(Int)
         automaton A {
             var low, any_of: Int
             initial a
             asked: a -> b, ask?(low), any_of := any
             said: b -> a when any_of > low and any_of < low + 3, answer!(any_of)
         }",
    );
    let mut run = executor(&model);
    let mut tracker = Tracker::new(goals(&model, &Coverage::Transitions).expect("it has them"));
    let tree = explore(&mut run, &Bounds::default(), Some(&mut tracker));
    let tests = tests_of(&mut run, &tree, &tracker);
    let [test] = &tests[..] else {
        panic!("one test does");
    };
    let conditions: Vec<bool> = test
        .steps
        .iter()
        .map(|step| matches!(&step.event, TestEvent::Output { open: Some(_), .. }))
        .collect();
    assert_eq!(conditions, [false, true]);
    let mut observer = Observer::new(&mut run);
    let int = |number: i64| Value::Int(BigInt::from(number));
    assert_eq!(observer.input(&mut run, 0, &[int(5)]), Allowed::Yes);
    assert_eq!(observer.output(&mut run, 1, &[int(8)]), Allowed::No);
    assert_eq!(observer.output(&mut run, 1, &[int(7)]), Allowed::Yes);
}

#[test]
fn a_test_says_which_verdict_every_other_answer_gets() {
    let model = model(
        "channel ask(Int), yes(Int), no(Int), late()
         automaton A {
             var x: Int
             initial q
             state end
             ask: q -> asked, ask?(x) where x >= 5
             yes: asked -> end, yes!(x)
             no: asked -> end when x > 3, no!(x + 1)
             never: asked -> end when x > 3 and x < 4, late!()
             wait: asked -> waiting, tau
             more: waiting -> end, ask?(x)
         }",
    );
    let mut run = executor(&model);
    let coverage = Coverage::Transition("yes".to_owned());
    let mut tracker = Tracker::new(goals(&model, &coverage).expect("it has it"));
    let tree = explore(&mut run, &Bounds::default(), Some(&mut tracker));
    let tests = tests_of(&mut run, &tree, &tracker);
    let [test] = &tests[..] else {
        panic!("one path is enough: {tests:?}");
    };
    let module = ttcn::module(&model, &tests);
    let alternatives = "// covers yes
testcase test001() runs on Tester {
  sut.send(Message_ask:{ 39 });
  quiescence.start;
  alt {
    [] sut.receive(Message_yes:{ 39 }) { quiescence.stop; }
    // no(40)
    [] sut.receive(Message_no:?) { setverdict(inconc); stop; }
    [] sut.receive { setverdict(fail); stop; }
    [] quiescence.timeout { setverdict(inconc); stop; }
  }
  setverdict(pass);
}
";
    assert!(module.contains(alternatives), "{module}");
    let text = serde_json::to_string(&test.to_file(&model)).expect("it is JSON");
    let file = serde_json::from_str(&text).expect("what was written is read");
    assert_eq!(TestCase::from_file(&model, &file).as_ref(), Ok(test));
}

#[test]
fn a_state_that_an_earlier_one_covers_closes_a_loop() {
    let text = "channel in(Int)
         automaton A {
             var x, n: Int
             initial q
             got: q -> p, in?(x)
             more: p -> q when x > n, tau
             less: p -> q when x <= n, tau
         }";
    let model = model(text);
    let bounds = Bounds {
        height: 1000,
        inclusion: true,
        ..Bounds::default()
    };
    let tree = explore(&mut executor(&model), &bounds, None);
    assert_eq!(tree.end, End::Complete);
    assert!(tree.nodes.len() < 20, "{}", tree.nodes.len());
    assert_eq!(tree.covered(), 3);
}

#[test]
fn goals_that_no_path_reaches_are_listed_with_the_reason() {
    let model = model(
        "channel in(Int)
         automaton A {
             var x: Int
             initial q
             got: q -> p, in?(x)
             never: p -> q when x > 3 and x < 4, tau
             back: p -> q when x > 3, tau
         }",
    );
    let mut run = executor(&model);
    let mut tracker = Tracker::new(goals(&model, &Coverage::Transitions).expect("it has them"));
    let bounds = Bounds {
        inclusion: true,
        ..Bounds::default()
    };
    let tree = explore(&mut run, &bounds, Some(&mut tracker));
    let tests = tests_of(&mut run, &tree, &tracker);
    assert_eq!(
        missed(&model, &tree, &tracker, &tests),
        [Missed {
            goal: "never".to_owned(),
            reason: "infeasible".to_owned()
        }]
    );
}

#[test]
fn tables_alone_decide_functions_that_nobody_can_run() {
    let model = model(
        "channel in(Int)
         function F(Int): Int { table { 3 -> 30, 4 -> 40 } }
         automaton A {
             var x: Int
             initial q
             got: q -> p, in?(x)
             known: p -> q when F(x) > 35, tau
             unknown: p -> q when F(x) > 45, tau
         }",
    );
    let tree = tree(&model, 2);
    assert_eq!(taken(&model, &tree), ["got", "known"]);
    let reasons = untaken(&mut executor(&model), &tree);
    assert_eq!(reasons[0].transition, "unknown");
    assert!(reasons[0].reason.starts_with("unknown: "), "{reasons:?}");
}

/// The functions of the published case, by formulas in the place of C.
#[test]
fn the_strategy_of_tables_extends_them_as_published() {
    let model = model(
        "channel in(Int, Int)
         function INTGR(Int, Int): Int { table { (123, 96) -> 228, (148, 141) -> 300 } }
         function RISE(Int): Int { table { 202 -> 70, 300 -> 242 } }
         automaton A {
             var a, b, i, r: Int
             initial q
             got: q -> p, in?(a, b), i := INTGR(a, b), r := RISE(i)
             steep: p -> q when r > 100, tau
             flat: p -> q when i > 200 and r <= 100, tau
         }",
    );
    for (tries, expected) in [(0, &["got", "steep"][..]), (1, &["got", "steep", "flat"])] {
        let mut oracle = Oracle::new();
        declared(&model, &mut oracle);
        let number = |value: &Value| match value {
            Value::Int(number) => number.clone(),
            _ => unreachable!("it takes integers"),
        };
        let int = Type::Int;
        let sum = Signature::new("INTGR", &[("x1", int), ("x2", int)], int);
        let add =
            Implementation::custom(move |x| Ok(Value::Int(number(&x[0]) + number(&x[1]) + 9)));
        oracle.declare(sum, add).expect("it has the same types");
        let rise = Signature::new("RISE", &[("x1", int)], int);
        let parabola = Implementation::custom(move |x| {
            let over = number(&x[0]) - 131;
            Ok(Value::Int(BigInt::from(97) * &over * over / (97 * 97)))
        });
        oracle
            .declare(rise, parabola)
            .expect("it has the same types");
        let config = Config {
            strategy: Strategy::Table,
            max_tries: tries,
            ..Config::default()
        };
        let mut run = Executor::new(&model, Mixed::new(config, Solver::default(), oracle));
        let bounds = Bounds {
            height: 2,
            ..Bounds::default()
        };
        let tree = explore(&mut run, &bounds, None);
        assert_eq!(taken(&model, &tree), expected, "{tries} tries");
        // The row is the one that follows from what INTGR is known to give.
        let rows = run.mixed.oracle().table("RISE").expect("it has a table");
        let known = rows.get(&[Value::Int(228.into())]);
        assert_eq!(known.is_some(), tries > 0);
    }
}

#[test]
fn a_value_that_doubles_its_digits_at_every_step_is_stopped() {
    let model = model(
        "channel in(Int), say(String)
         automaton A {
             var x, y: Int = 2, s: String = \"ab\"
             initial q
             square: q -> q when y = 2, tau, x := x * x
             twice: q -> q when y = 2, tau, s := s + s
             got: q -> p, in?(y)
             again: p -> p when y > 1, tau, y := y * y
         }",
    );
    let bounds = Bounds {
        height: 60,
        strategy: Order::Dfs,
        states: 2000,
        ..Bounds::default()
    };
    let tree = explore(&mut executor(&model), &bounds, None);
    let reason = untaken(&mut executor(&model), &tree);
    assert_eq!(reason, []);
    assert!(tree.unknown > 0);
}
