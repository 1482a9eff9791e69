//! Properties of models whose states are few, against a search through all of them, one by one.

use mixed::Mixed;
use mixed::solver::Solver;
use model::execution::Executor;
use model::exploration::Bounds;
use model::property::{Answer, Property, search};
use model::testcase::Data;
use model::{check, condition_on};
use std::collections::BTreeSet;

/// What comes of looking for a state where the condition does not hold, and how many steps lead
/// there.
fn violation(text: &str, condition: &str) -> Result<Option<usize>, String> {
    let checked = check(text, &[]);
    let model = checked.unwrap_or_else(|faults| panic!("{faults:?}")).model;
    let property = Property::Violated {
        at: None,
        condition: condition_on(text, &[], condition).expect("it is a condition"),
    };
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    let bounds = Bounds {
        height: 8,
        states: 100,
        ..Bounds::default()
    };
    match search(&mut executor, &bounds, &property, &mut Data::new(0)).0 {
        Answer::Found(test) => Ok(Some(
            test.steps.iter().filter(|it| it.step.is_some()).count(),
        )),
        Answer::Never => Ok(None),
        Answer::Unknown(reason) => Err(reason),
    }
}

#[test]
fn a_counter_modulo_a_number_has_the_values_that_it_has() {
    let text = "
        channel step(Int), state(Int)
        automaton A {
            var x, n: Int
            initial idle
            take: idle -> busy, step?(x) where x mod 3 = 0
            show: busy -> idle, state!(n), n := (n * n + x + 1) mod 18
        }";
    // Inputs are multiples of three, so only their remainder counts.
    let mut reached = BTreeSet::from([0]);
    loop {
        let next = reached
            .iter()
            .flat_map(|n| (0..18).step_by(3).map(move |x| (n * n + x + 1) % 18));
        let all: BTreeSet<i32> = reached.iter().copied().chain(next).collect();
        if all == reached {
            break;
        }
        reached = all;
    }
    assert!(reached.len() < 18);
    for value in 0..18 {
        let found = violation(text, &format!("n != {value}"));
        assert_eq!(
            found.map(|path| path.is_some()),
            Ok(reached.contains(&value)),
            "{value}"
        );
    }
    assert_eq!(violation(text, "0 <= n and n < 18"), Ok(None));
}

#[test]
fn the_shortest_path_to_a_far_value_is_found() {
    let text = "
        channel tick
        automaton A {
            var n: Int
            initial a
            t: a -> a, tick?, n := (n * n + 1) mod 97
        }";
    let (mut n, mut steps) = (0, 0);
    let mut first = std::collections::BTreeMap::new();
    while !first.contains_key(&n) {
        first.insert(n, steps);
        (n, steps) = ((n * n + 1) % 97, steps + 1);
    }
    for value in (0..97).step_by(6) {
        let found = violation(text, &format!("n != {value}"));
        assert_eq!(found, Ok(first.get(&value).copied()), "{value}");
    }
}

#[test]
fn a_counter_without_end_has_bounds() {
    let text = "
        channel tick
        automaton A {
            var n: Int
            initial a
            t: a -> a, tick?, n := n + 1
        }";
    assert_eq!(violation(text, "n >= 0"), Ok(None));
    assert_eq!(violation(text, "n < 40"), Ok(Some(40)));
    assert_eq!(
        violation(text, "n < 4000"),
        Err("a bound was reached".to_owned())
    );
}

#[test]
fn values_that_are_not_read_again_do_not_count() {
    let text = "
        channel put(Int), got
        automaton A {
            var x: Int
            var full: Bool
            initial a
            take: a -> b, put?(x), full := x > 10
            give: b -> a when x > 10, got!, full := false
            skip: b -> a when x <= 10, tau
        }";
    assert_eq!(
        violation(text, "x >= 0").map(|path| path.is_some()),
        Ok(true)
    );
    assert_eq!(violation(text, "full implies x > 10"), Ok(None));
}
