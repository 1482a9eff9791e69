//! Goals beyond transitions: pairs of data, sequences, and walks until a condition holds.

use mixed::Mixed;
use mixed::solver::Solver;
use model::condition::{cover, data_pairs};
use model::execution::{Executor, Move};
use model::exploration::{Bounds, explore};
use model::goal::{Coverage, Goal, goals, purpose};
use model::mutation::{Grounds, mutants, strengthen};
use model::testcase::{Data, TestCase};
use model::until::Until;
use model::walk::walk;
use model::{Model, check};
use std::convert::Infallible;

const GATE: &str = "
    channel card(Int, Bool), open, shut
    automaton Gate {
        var age: Int
        var member: Bool
        initial idle
        grown: idle -> idle, card?(age, member) where age >= 18 or member, open!
        young: idle -> idle when else, card?(age, member), shut!
    }";

const TURNSTILE: &str = "
    channel coin(Int), push, light, alarm
    automaton Turnstile {
        var value: Int
        initial locked
        pay: locked -> opened, coin?(value) where value >= 5
        light: opened -> unlocked, light!
        pass: unlocked -> locked, push?
        force: locked -> angry, push?
        alarm: angry -> locked, alarm!
    }";

fn checked(text: &str) -> Model {
    let checked = check(text, &[]);
    checked.unwrap_or_else(|faults| panic!("{faults:?}")).model
}

fn keep(_: &TestCase) -> Result<(), Infallible> {
    Ok(())
}

#[test]
fn classes_of_values_are_tested_two_by_two() {
    let model = checked(GATE);
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    let bounds = Bounds {
        height: 6,
        inclusion: true,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, None);
    let goals = data_pairs(&model);
    assert_eq!(goals.len(), 12);
    let (mut tests, mut data) = (Vec::new(), Data::new(0));
    let missed = cover(&mut executor, &goals, &tree, &mut tests, &mut data, keep);
    let missed = missed.unwrap_or_else(|never| match never {});
    let missed = missed
        .iter()
        .map(|it| format!("{}: {}", it.goal, it.reason));
    let mut missed: Vec<String> = missed.collect();
    missed.sort();
    // Three classes of ages with two of members. Who is young and no member is not let in, and
    // nobody else is sent away.
    assert_eq!(
        missed,
        [
            "grown: age < 18 and member = false: infeasible",
            "young: age < 18 and member = true: infeasible",
            "young: age = 18 and member = false: infeasible",
            "young: age = 18 and member = true: infeasible",
            "young: age > 18 and member = false: infeasible",
            "young: age > 18 and member = true: infeasible",
        ]
    );
}

#[test]
fn a_walk_goes_on_until_its_condition_holds() {
    let model = checked(TURNSTILE);
    let goals = goals(&model, &Coverage::Transitions).expect("it has transitions");
    let walked = |until: &str| {
        let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
        let until: Until = until.parse().expect("it is a condition");
        let tests = walk(&mut executor, &until, &goals, &mut Data::new(0), keep);
        let tests = tests.unwrap_or_else(|never| match never {});
        assert_eq!(tests.len(), 1);
        let steps = tests[0].steps.iter().filter(|it| it.step.is_some());
        (tests[0].goals.len(), steps.count())
    };
    let (covered, steps) = walked("edge_coverage(100)");
    assert_eq!(covered, 5);
    assert!(steps < 40, "{steps}");
    let (_, steps) = walked("length(30) && vertex_coverage(100)");
    assert!((30..=32).contains(&steps), "{steps}");
}

#[test]
fn a_purpose_has_alternatives_and_exceptions() {
    let model = checked(TURNSTILE);
    let fulfils = |text: &str, path: &[&str]| {
        let coverage: Coverage = format!("purpose:{text}").parse().expect("it is one");
        let purpose = purpose(&model, &coverage).expect("it has these names");
        let path = path.iter().map(|name| Move {
            first: model.transition(name).expect("it is one of the model"),
            second: None,
        });
        let path: Vec<Move> = path.collect();
        purpose.expect("it is one").is_fulfilled_by(&path)
    };
    let path = ["force", "alarm", "pay", "light", "pass"];
    for (text, expected) in [
        ("pay,light,pass", true),
        ("pay,pass", false),
        ("pay,*,pass", true),
        ("force,*,light|pass", true),
        ("force,*!pay,pass", false),
        ("alarm|pass", true),
        ("pay,light", false),
    ] {
        assert_eq!(fulfils(text, &path), expected, "{text}");
    }
    let unknown = "purpose:pay|jump".parse().expect("it is read");
    assert!(goals(&model, &unknown).is_err());
    assert_eq!(
        goals(&model, &Coverage::Transition("pay".to_owned())),
        Ok(vec![Goal::Transition(0)])
    );
}

#[test]
fn a_choice_that_is_never_made_is_no_fault() {
    let model = checked(
        "channel go, a, b, stop
         automaton Chooser {
             initial idle
             go: idle -> choosing, go?
             left: choosing -> idle, a!
             right: choosing -> idle, b!
             stop: idle -> stopped, stop?
             last: stopped -> idle, b!
         }",
    );
    let mut mutants = mutants(&model);
    mutants.retain(|mutant| mutant.fault.ends_with("is never taken"));
    assert_eq!(mutants.len(), 5);
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    let bounds = Bounds {
        height: 4,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, None);
    let grounds = Grounds {
        trees: &[&tree],
        further: &bounds,
    };
    let mut data = Data::new(1);
    let found = strengthen(
        &mut executor,
        &mutants,
        &grounds,
        &mut Vec::new(),
        &mut data,
        keep,
    );
    // `left` and `right` stand in for each other. A system that does not take `go` is silent
    // where the model has it answer, whichever answer that is.
    let found = found.unwrap_or_else(|never| match never {});
    assert_eq!((found.equivalent, found.killed), (2, 3));
}

/// A program that forgets to go back mostly takes the next order all the same.
const STORE: &str = "
    channel open(Int), put(Int), close, ok(Int), unknown(Int), closed
    automaton Store {
        var n, x: Int
        initial idle
        open: idle -> using, open?(n), ok!(n)
        stray: idle -> idle, put?(x), unknown!(x)
        put: using -> using, put?(x), ok!(x)
        close: using -> leaving, close?
        done: leaving -> idle, closed!
    }";

#[test]
fn a_wrong_state_takes_the_inputs_of_the_right_one_where_it_has_none() {
    let model = checked(STORE);
    let inputs = |fault: &str| -> Option<usize> {
        let mutants = mutants(&model);
        let mutant = mutants.iter().find(|it| it.fault == fault)?;
        Some(mutant.model.transitions.len() - model.transitions.len())
    };
    // Using takes `open` as idle does, since both take `put`; in leaving nothing is taken.
    assert_eq!(inputs("done: leads to using"), Some(1));
    assert_eq!(inputs("done: leads to leaving"), Some(0));
}

#[test]
fn a_wrong_state_is_told_by_what_both_take() {
    let model = checked(STORE);
    let mut mutants = mutants(&model);
    mutants.retain(|it| it.fault == "done: leads to using");
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    let bounds = Bounds::default();
    let tree = explore(&mut executor, &bounds, None);
    let (grounds, mut tests) = (
        Grounds {
            trees: &[&tree],
            further: &bounds,
        },
        Vec::new(),
    );
    let mut data = Data::new(1);
    let found = strengthen(
        &mut executor,
        &mutants,
        &grounds,
        &mut tests,
        &mut data,
        keep,
    );
    assert_eq!(found.map(|it| it.killed), Ok(1));
}
