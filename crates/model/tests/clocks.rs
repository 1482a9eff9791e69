//! Clocks: which delays and outputs a model allows, against a search through all states at
//! every half of a unit of time.

mod common;

use common::faults;
use mixed::Mixed;
use mixed::solver::Solver;
use model::execution::Executor;
use model::exploration::{Bounds, explore};
use model::mutation::{Grounds, mutants, strengthen};
use model::observer::{Allowed, Observer};
use model::testcase::{Data, TestCase};
use model::{Model, check};
use num_rational::BigRational;
use std::collections::BTreeSet;
use term::Value;

fn model(text: &str) -> Model {
    let checked = check(text, &[]);
    checked.unwrap_or_else(|faults| panic!("{faults:?}")).model
}

fn executor(model: &Model) -> Executor<'_, 'static> {
    Executor::new(model, Mixed::from(Solver::default()))
}

const OVEN: &str = "
    channel go, done, burnt
    automaton Oven {
        clock x, total
        initial idle
        state baking while x <= 4, cooling while x <= 2
        start: idle -> baking, go?, x := 0, total := 0
        early: baking -> idle when x >= 1 and x <= 3, done!
        inner: baking -> cooling when x >= 2, tau, x := 0
        slow: cooling -> idle when x >= 1 and total < 5, burnt!
    }";

/// What happens to the oven.
#[derive(Clone, Copy, Debug)]
enum Event {
    Go,
    Done,
    Burnt,
    /// Halves of a unit of time.
    Delay(u32),
}

/// A state of the oven with its clocks, in halves.
type Concrete = (&'static str, u32, u32);

/// The states after the internal step, which takes no time.
fn closed(states: BTreeSet<Concrete>) -> BTreeSet<Concrete> {
    let inner = states
        .iter()
        .filter(|(state, x, _)| *state == "baking" && *x >= 4)
        .map(|&(_, _, total)| ("cooling", 0, total));
    states.iter().copied().chain(inner.clone()).collect()
}

/// The states after an event, by trying every half of a unit.
fn after(states: &BTreeSet<Concrete>, event: Event) -> BTreeSet<Concrete> {
    let on = |name: &'static str, fits: fn(u32, u32) -> bool| {
        let there = states
            .iter()
            .filter(move |it| it.0 == name && fits(it.1, it.2));
        there.copied()
    };
    match event {
        Event::Go => on("idle", |_, _| true).map(|_| ("baking", 0, 0)).collect(),
        Event::Done => on("baking", |x, _| (2..=6).contains(&x))
            .map(|(_, x, total)| ("idle", x, total))
            .collect(),
        Event::Burnt => on("cooling", |x, total| x >= 2 && total < 10)
            .map(|(_, x, total)| ("idle", x, total))
            .collect(),
        Event::Delay(halves) => {
            let mut now = closed(states.clone());
            for _ in 0..halves {
                let later = now
                    .iter()
                    .map(|&(state, x, total)| (state, x + 1, total + 1));
                let later = later.filter(|&(state, x, _)| match state {
                    "baking" => x <= 8,
                    "cooling" => x <= 4,
                    _ => true,
                });
                now = closed(later.collect());
            }
            now
        }
    }
}

fn observe(
    model: &Model,
    executor: &mut Executor<'_, '_>,
    observer: &mut Observer,
    event: Event,
) -> Allowed {
    let channel = |name: &str| model.channel(name).expect("the model has it");
    match event {
        Event::Go => observer.input(executor, channel("go"), &[]),
        Event::Done => observer.output(executor, channel("done"), &[]),
        Event::Burnt => observer.output(executor, channel("burnt"), &[]),
        Event::Delay(halves) => {
            let time = BigRational::new(halves.into(), 2.into());
            observer.input(executor, channel("delay"), &[Value::Real(time)])
        }
    }
}

#[test]
fn delays_and_outputs_are_allowed_as_a_search_through_all_times_says() {
    let model = model(OVEN);
    let mut executor = executor(&model);
    let mut random = base::Random::new(7);
    let (mut allowed, mut refused) = (0, 0);
    for _ in 0..60 {
        let mut states = closed(BTreeSet::from([("idle", 0, 0)]));
        let mut observer = Observer::new(&mut executor);
        for _ in 0..8 {
            let event = match random.below(5) {
                0 => Event::Go,
                1 => Event::Done,
                2 => Event::Burnt,
                _ => Event::Delay(1 + random.below(6) as u32),
            };
            let expected = closed(after(&states, event));
            let said = observe(&model, &mut executor, &mut observer, event);
            match expected.is_empty() {
                true => {
                    assert_eq!(said, Allowed::No, "{event:?} in {states:?}");
                    refused += 1;
                }
                false => {
                    assert_eq!(said, Allowed::Yes, "{event:?} in {states:?}");
                    allowed += 1;
                    states = expected;
                }
            }
        }
    }
    assert!(allowed > 100 && refused > 100, "{allowed} {refused}");
}

#[test]
fn a_time_that_is_known_within_bounds_is_narrowed_by_what_follows() {
    let model = model(OVEN);
    let mut executor = executor(&model);
    let tenths = |number: i64| BigRational::new(number.into(), 10.into());
    let (go, done) = (model.channel("go"), model.channel("done"));
    let (go, done) = (go.expect("it is there"), done.expect("it is there"));
    // `done` comes between 1 and 3 after `go`, which was at 0.
    for (earliest, latest, expected) in [
        (8, 9, Allowed::No),
        (9, 11, Allowed::Yes),
        (29, 31, Allowed::Yes),
        (31, 33, Allowed::No),
    ] {
        let mut observer = Observer::new(&mut executor);
        assert_eq!(observer.input(&mut executor, go, &[]), Allowed::Yes);
        let passed = observer.advance(&mut executor, &tenths(earliest), &tenths(latest));
        assert_eq!(passed, Allowed::Yes);
        let said = observer.output(&mut executor, done, &[]);
        assert_eq!(said, expected, "between {earliest} and {latest} tenths");
    }
    // Without a message, baking and cooling end by 6.
    let mut observer = Observer::new(&mut executor);
    observer.input(&mut executor, go, &[]);
    let late = observer.advance(&mut executor, &tenths(61), &tenths(62));
    assert_eq!(late, Allowed::No);
}

#[test]
fn silence_is_allowed_as_long_as_there_is_time() {
    let model = model(
        "channel go, done, now
         automaton A {
             clock x
             initial idle
             state timed while x <= 4
             start: idle -> timed, go?, x := 0
             finish: timed -> due when x >= 1, done!
             say: due -> idle, now!
         }",
    );
    let mut executor = executor(&model);
    let mut observer = Observer::new(&mut executor);
    let channel = |name: &str| model.channel(name).expect("the model has it");
    observer.input(&mut executor, channel("go"), &[]);
    assert_eq!(observer.quiescence(&mut executor), Allowed::Yes);
    let four = BigRational::from_integer(4.into());
    assert_eq!(observer.delay(&mut executor, &four), Allowed::Yes);
    assert_eq!(observer.quiescence(&mut executor), Allowed::No);
    assert_eq!(
        observer.output(&mut executor, channel("done"), &[]),
        Allowed::Yes
    );
    // Nothing gives `now` time, so it has to come.
    assert_eq!(observer.quiescence(&mut executor), Allowed::No);
}

#[test]
fn the_tree_lets_time_pass_once_between_two_transitions() {
    let model = model(OVEN);
    let mut executor = executor(&model);
    let bounds = Bounds {
        height: 6,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, None);
    assert_eq!(tree.coverage(), 100.0);
    let delay = model.transition("time.delay");
    for node in tree.nodes.iter().filter(|node| node.parent.is_some()) {
        let step = |number: usize| tree.nodes[number].step.as_ref().map(|(step, _)| step.first);
        let before = node.parent.and_then(step);
        assert!(before != delay || node.step.as_ref().map(|(it, _)| it.first) != delay);
    }
}

#[test]
fn what_clocks_cannot_be_is_said() {
    assert_eq!(
        faults(
            "channel delay(Real)
             automaton A {
                 clock x
                 var y: Int
                 initial a while x <= y and x >= 2
                 state b while y <= 3
                 state c while x < 2.5, d while x <= x + 1
                 go: a -> b when x = 3, delay!(x)
                 b -> c, tau
                 c -> d, tau, x := 0
             }"
        ),
        [
            "1:9: where there are clocks, `delay` is the channel on which time passes; call this one otherwise",
            "5:34: `while` says how large clocks may become: `x <= 5`, `x < limit`, or several of these with `and`",
            "6:32: `while` says how large clocks may become: `x <= 5`, `x < limit`, or several of these with `and`",
            "7:49: `while` says how large clocks may become: `x <= 5`, `x < limit`, or several of these with `and`",
        ]
    );
}

#[test]
fn faults_are_found_though_the_system_chooses_when_it_answers() {
    let model = model(
        "channel take(Int), paid(Int), refused(Int)
         automaton Account {
             var x: Int
             var balance: Int = 100
             clock t
             initial idle
             state busy while t <= 10
             take: idle -> busy, take?(x) where x > 0, t := 0
             pay: busy -> idle when x <= balance, paid!(x), balance := balance - x
             refuse: busy -> idle when x > balance and t <= 2, refused!(x)
         }",
    );
    let wanted = [
        "pay: x <= balance becomes x < balance",
        "pay: the assignment to balance is left out",
    ];
    let mut mutants = mutants(&model);
    mutants.retain(|mutant| wanted.contains(&&mutant.fault[..]));
    assert_eq!(mutants.len(), wanted.len());
    let mut executor = executor(&model);
    let bounds = Bounds {
        height: 2,
        ..Bounds::default()
    };
    let tree = explore(&mut executor, &bounds, None);
    let grounds = Grounds {
        trees: &[&tree],
        further: &bounds,
    };
    let mut data = Data::new(1);
    let keep = |_: &TestCase| Ok::<(), ()>(());
    let found = strengthen(
        &mut executor,
        &mutants,
        &grounds,
        &mut Vec::new(),
        &mut data,
        keep,
    );
    assert_eq!(found.map(|it| it.killed), Ok(wanted.len()));
}
