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
