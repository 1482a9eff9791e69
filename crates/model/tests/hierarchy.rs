//! States in states mean what the flat automaton means that one would write by hand.

mod common;

use common::faults;
use mixed::Mixed;
use mixed::solver::Solver;
use model::execution::Executor;
use model::exploration::{Bounds, explore};
use model::{Model, check, format};

fn model(text: &str) -> Model {
    let checked = check(text, &[]);
    checked.unwrap_or_else(|faults| panic!("{faults:?}")).model
}

/// The states, and the transitions with where they lead.
fn shape(model: &Model) -> (Vec<String>, Vec<String>) {
    let automaton = &model.automata[0];
    let mut states = automaton.states.clone();
    states.sort();
    let own = model.transitions.iter().filter(|it| it.automaton == 0);
    let transitions = own.map(|it| {
        let (from, to) = (&automaton.states[it.from], &automaton.states[it.to]);
        format!("{}: {from} -> {to}", it.name)
    });
    (states, transitions.collect())
}

const PHONE: &str = "\
channel power, dial(Int), answer, hangUp, tone, off
automaton Phone {
    var number: Int
    initial dark
    start: dark -> on, power?
    state on {
        initial idle
        call: idle -> calling, dial?(number) where number > 0, tone!
        state calling {
            initial ringing
            taken: ringing -> talking, answer?
            late: talking -> ringing, power?
        }
        end: calling -> idle, hangUp?
    }
    stop: on -> dark when else, power?, off!
}
";

#[test]
fn an_outer_transition_leaves_every_state_inside_and_one_into_it_begins_inside() {
    let (states, transitions) = shape(&model(PHONE));
    assert_eq!(
        states,
        [
            "call.1",
            "dark",
            "idle",
            "ringing",
            "stop.idle.1",
            "stop.ringing.1",
            "stop.talking.1",
            "talking",
        ]
    );
    assert_eq!(
        transitions,
        [
            "start: dark -> idle",
            "call: idle -> call.1",
            "call.2: call.1 -> ringing",
            "taken: ringing -> talking",
            "late: talking -> ringing",
            "end.ringing: ringing -> idle",
            "end.talking: talking -> idle",
            "stop.idle: idle -> stop.idle.1",
            "stop.idle.2: stop.idle.1 -> dark",
            "stop.ringing: ringing -> stop.ringing.1",
            "stop.ringing.2: stop.ringing.1 -> dark",
            "stop.talking: talking -> stop.talking.1",
            "stop.talking.2: stop.talking.1 -> dark",
        ]
    );
}

#[test]
fn else_on_an_outer_transition_leaves_the_inner_ones_the_right_of_way() {
    let model = model(PHONE);
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    let bounds = Bounds {
        height: 6,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, None);
    let taken = |name: &str| tree.taken[model.transition(name).expect("it is there")] > 0;
    assert!(taken("stop.idle") && taken("stop.ringing") && taken("late"));
    // While talking, `late` takes every `power`.
    assert!(!taken("stop.talking"));
}

#[test]
fn limits_of_a_state_hold_for_those_inside() {
    let model = model(
        "channel go
         automaton A {
             clock x, y
             initial outer
             state outer while x <= 3 {
                 initial a while y <= 2
                 step: a -> b, go?
                 back: b -> a, go?
             }
         }",
    );
    let limits = model.automata[0].limits.iter();
    let count = limits.map(|limit| {
        let parts = limit.as_ref().map_or(0, |it| it.children().len());
        let is_both = limit
            .as_ref()
            .is_some_and(|it| it.children()[0].children().len() == 2);
        (parts, is_both)
    });
    assert_eq!(count.collect::<Vec<_>>(), [(2, true), (2, false)]);
}

#[test]
fn hierarchies_are_formatted_and_stay_as_they_are() {
    let flat: String = PHONE
        .lines()
        .map(|line| format!("{}\n", line.trim_start()))
        .collect();
    assert_eq!(format(&flat), PHONE);
    assert_eq!(format(PHONE), PHONE);
}

#[test]
fn what_is_no_hierarchy_is_said() {
    assert_eq!(
        faults(
            "automaton A {
                 initial a
                 state a {
                     x -> y, tau
                     y -> x, tau
                 }
                 state b {
                     initial x
                 }
                 state c {
                     initial c
                 }
             }"
        ),
        [
            "3:24: the state `a` has no initial state inside: write `initial STATE`",
            "11:30: `c` is in more than one state",
            "11:30: a state does not begin with itself",
        ]
    );
    assert_eq!(
        faults(
            "automaton A {\n    initial a\n    state a {\n        initial x\n        x -> x, tau\n"
        ),
        [
            "6:1: the state has no closing `}`",
            "6:1: the automaton has no closing `}`"
        ]
    );
}

const RADIO: &str = "\
channel power, louder, softer, tune(Int), seen, told
automaton Radio {
    var f: Int
    initial off
    start: off -> on, power?
    state on {
        region sound {
            initial quiet
            up: quiet -> loud, louder?
            down: loud -> quiet, softer?
            warn: loud -> loud, told!
        }
        region station {
            initial first
            next: first -> second, tune?(f) where f > 0
            fade: second -> first, softer?, seen!
        }
    }
    stop: on -> off when else, power?
}
";

#[test]
fn regions_are_the_flat_automaton_of_all_their_states_together() {
    let (states, mut transitions) = shape(&model(RADIO));
    assert_eq!(
        states,
        [
            "down.fade.1",
            "fade.1",
            "loud.first",
            "loud.second",
            "off",
            "quiet.first",
            "quiet.second",
        ]
    );
    transitions.sort();
    assert_eq!(
        transitions,
        [
            "down.fade.2: down.fade.1 -> quiet.first",
            "down.fade: loud.second -> down.fade.1",
            "down: loud.first -> quiet.first",
            "fade.2: fade.1 -> quiet.first",
            "fade: quiet.second -> fade.1",
            "next.loud.first: loud.first -> loud.second",
            "next.quiet.first: quiet.first -> quiet.second",
            "start: off -> quiet.first",
            "stop.loud.first: loud.first -> off",
            "stop.loud.second: loud.second -> off",
            "stop.quiet.first: quiet.first -> off",
            "stop.quiet.second: quiet.second -> off",
            "up.quiet.first: quiet.first -> loud.first",
            "up.quiet.second: quiet.second -> loud.second",
            "warn.loud.first: loud.first -> loud.first",
            "warn.loud.second: loud.second -> loud.second",
        ]
    );
}

#[test]
fn a_region_that_cannot_take_an_input_stays_as_it_is() {
    let text = "\
channel c(Int)
automaton A {
    var x: Int
    initial s
    state s {
        region left {
            initial a
            one: a -> b, c?(x) where x > 0
            b -> b, tau
        }
        region right {
            initial p
            two: p -> q, c?(x) where x < 5
            q -> q, tau
        }
    }
}
";
    let model = model(text);
    let transition = |name: &str| {
        let number = model.transition(name).expect("it is there");
        let transition = &model.transitions[number];
        model.automata[0].states[transition.to].clone()
    };
    assert_eq!(transition("one.a.p"), "b.p");
    assert_eq!(transition("two.a.p"), "a.q");
    assert_eq!(transition("one.two"), "b.q");
    for (text, expected) in [
        (text.to_owned(), [true, true, true]),
        (text.replace("x < 5", "x > 0"), [false, false, true]),
        (text.replace("x < 5", "x < 0"), [true, true, false]),
    ] {
        assert_eq!(
            taken_first(&text, ["one.a.p", "two.a.p", "one.two"]),
            expected
        );
    }
}

/// Which of these transitions can be the first.
fn taken_first(text: &str, names: [&str; 3]) -> [bool; 3] {
    let model = model(text);
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    let bounds = Bounds {
        height: 1,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, None);
    names.map(|name| tree.taken[model.transition(name).expect("it is there")] > 0)
}

#[test]
fn what_regions_cannot_do_is_said() {
    let text = "\
channel go, c(Int)
automaton A {
    var x, y: Int
    initial s
    state s {
        region left {
            initial a
            a -> b, go?
            b -> c, go?
            a -> a, c?(x)
        }
        region right {
            initial c
            c -> right, go?
            c -> c, c?(y)
        }
    }
}
";
    assert_eq!(
        faults(text),
        [
            "9:18: a transition does not lead from one region into another",
            "14:18: `right` is a region, not a state",
        ]
    );
    let right = text
        .replace("b -> c", "b -> a")
        .replace("c -> right", "c -> c");
    assert_eq!(
        faults(&right),
        [10, 15].map(|line| format!(
            "{line}:13: regions that take from one channel put what comes into the same variables"
        ))
    );
    let mixed = "channel go\nautomaton A {\n    initial s\n    state s {\n        initial a\n        \
                 region r {\n            initial b\n            b -> b, go?\n        }\n    }\n}\n";
    assert_eq!(
        faults(mixed),
        ["5:17: where a state has regions, all states in it are in one of them"]
    );
    let outside = "channel go\nautomaton A {\n    initial b\n    region r {\n        initial b\n        \
                   b -> b, go?\n    }\n}\n";
    assert_eq!(
        faults(outside),
        ["4:12: regions are parts of a state: `state on { region … }`"]
    );
    assert_eq!(format(RADIO), RADIO);
}
