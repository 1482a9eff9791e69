//! Properties of models whose states are few, against a search through all of them, one by one.

use mixed::Mixed;
use mixed::solver::Solver;
use model::execution::Executor;
use model::exploration::Bounds;
use model::property::{Answer, Property, search};
use model::testcase::Data;
use model::{Model, check, condition_on};
use std::collections::BTreeSet;

/// What comes of looking for a state where the condition does not hold, and how many steps lead
/// there.
fn violation(text: &str, condition: &str) -> Result<Option<usize>, String> {
    let checked = check(text, &[]);
    let model = checked.unwrap_or_else(|faults| panic!("{faults:?}")).model;
    let property = Property::Violated {
        at: Vec::new(),
        condition: condition_on(text, &[], condition).expect("it is a condition"),
    };
    asked(&model, &property)
}

/// What comes of a search: how many steps lead there.
fn asked(model: &Model, property: &Property) -> Result<Option<usize>, String> {
    let mut executor = Executor::new(model, Mixed::from(Solver::default()));
    let bounds = Bounds {
        height: 8,
        states: 100,
        ..Bounds::default()
    };
    match search(&mut executor, &bounds, property, &mut Data::new(0)).0 {
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
        Err("not found in 9 states; no path of up to 8 steps leads there".to_owned())
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

/// Where the states are and the condition holds, if one is given: the number of steps there.
fn way(text: &str, states: &[&str], condition: Option<&str>) -> Result<Option<usize>, String> {
    let model = check(text, &[]).unwrap_or_else(|faults| panic!("{faults:?}"));
    let at = states.iter().flat_map(|it| model.model.states_named(it));
    let property = Property::Reachable {
        at: at.collect(),
        condition: condition.map(|it| condition_on(text, &[], it).expect("it is a condition")),
    };
    asked(&model.model, &property)
}

fn deadlock(text: &str) -> Result<Option<usize>, String> {
    let model = check(text, &[]).unwrap_or_else(|faults| panic!("{faults:?}"));
    asked(&model.model, &Property::Deadlock)
}

const BUFFER: &str = "
    channel first(Int), second(Int), take, got(who: Int, value: Int)
    channel slot(who: Int, value: Int)
    automaton One {
        var v: Int
        initial idle
        make1: idle -> full, first?(v) where v >= 0
        put1: full -> idle, slot!(1, v)
    }
    automaton Two {
        var v: Int
        initial idle
        make2: idle -> full, second?(v) where v >= 0
        put2: full -> idle, slot!(2, v)
    }
    automaton Buffer {
        var items, owners: List<Int, 3>
        var w, x, count: Int
        initial open
        put: open -> open when count < 3, slot?(w, x), items := append(items, x),
            owners := append(owners, w), count := count + 1
        ask: open -> giving when count > 0, take?
        give: giving -> open, got!(owners[0], items[0]), items := rest(items),
            owners := rest(owners), count := count - 1
    }";

#[test]
fn a_buffer_with_two_producers_keeps_what_it_is_given() {
    assert_eq!(
        violation(BUFFER, "count <= 3 and count = length(items)"),
        Ok(None)
    );
    assert_eq!(
        violation(BUFFER, "length(items) > 0 implies items[0] >= 0"),
        Ok(None)
    );
    assert_eq!(violation(BUFFER, "count <= 2"), Ok(Some(6)));
    assert_eq!(violation(BUFFER, "One.v < 7 or count = 0"), Ok(Some(2)));
    assert_eq!(deadlock(BUFFER), Ok(None));
    assert_eq!(
        way(BUFFER, &["One.full", "Two.full", "giving"], None),
        Ok(Some(5))
    );
    assert_eq!(way(BUFFER, &["giving"], Some("count = 0")), Ok(None));
}

const LIFT: &str = "
    const TOP = 3
    enum Direction { up, down, none }
    channel call(floor: Int), door(open: Bool), at(floor: Int), obstruct
    automaton Lift {
        var floor, f: Int
        var wanted: Bool[4]
        var dir: Direction = none
        initial idle
        c: idle -> idle, call?(f) where 0 <= f and f <= TOP, wanted[f] := true
        here: idle -> opened when wanted[floor], door!(true), wanted[floor] := false
        goUp: idle -> moving when not wanted[floor] and (wanted[1] and floor < 1 or
            wanted[2] and floor < 2 or wanted[3] and floor < 3), tau, dir := up
        goDown: idle -> moving when not wanted[floor] and (wanted[0] and floor > 0 or
            wanted[1] and floor > 1 or wanted[2] and floor > 2), tau, dir := down
        stepUp: moving -> idle when dir = up, at!(floor + 1), floor := floor + 1
        stepDown: moving -> idle when dir = down, at!(floor - 1), floor := floor - 1
        close: opened -> idle, door!(false), dir := none
        block: opened -> stuck, obstruct?
        free: stuck -> idle when floor = TOP, door!(false)
    }";

#[test]
fn a_lift_stays_between_its_floors_and_may_get_stuck() {
    assert_eq!(violation(LIFT, "0 <= floor and floor <= TOP"), Ok(None));
    assert_eq!(violation(LIFT, "floor < TOP"), Ok(Some(7)));
    assert_eq!(way(LIFT, &["moving"], Some("dir = none")), Ok(None));
    let all = "wanted[0] and wanted[1] and wanted[2] and wanted[3] and floor = 2";
    assert_eq!(way(LIFT, &[], Some(all)), Ok(Some(8)));
    assert_eq!(deadlock(LIFT), Ok(Some(3)));
}

const COMMIT: &str = "
    channel begin, decided(ok: Bool), timeout, done(who: Int, ok: Bool)
    channel prepare1 queue 1 lossy, prepare2 queue 1 lossy, prepare3 queue 1 lossy
    channel vote(yes: Bool) queue 3 lossy
    channel tell1(Bool) queue 1, tell2(Bool) queue 1, tell3(Bool) queue 1
    automaton Coordinator {
        var yes, votes: Int
        var y, result: Bool
        initial idle
        start: idle -> send1, begin?
        s1: send1 -> send2, prepare1!
        s2: send2 -> send3, prepare2!
        s3: send3 -> waiting, prepare3!
        v: waiting -> counting, vote?(y), votes := votes + 1,
            yes := yes + (if y then 1 else 0)
        more: counting -> waiting when votes < 3, tau
        all: counting -> tell when votes = 3, tau, result := yes = 3
        late: waiting -> tell, timeout?, result := false
        t1: tell -> told1, tell1!(result)
        t2: told1 -> told2, tell2!(result)
        t3: told2 -> told3, tell3!(result)
        o: told3 -> over, decided!(result)
        state over
    }
    automaton Participant(id: Int, prepare: channel, tell: channel) {
        var ok, mine: Bool
        initial ready
        p: ready -> voting, prepare?, mine := any
        v: voting -> prepared, vote!(mine)
        t: prepared -> finished, tell?(ok)
        early: ready -> finished, tell?(ok)
        d: finished -> ended, done!(id, ok)
        state ended
    }
    instance p1 = Participant(1, prepare1, tell1), p2 = Participant(2, prepare2, tell2),
        p3 = Participant(3, prepare3, tell3)";

#[test]
fn two_phases_commit_what_all_agree_to() {
    assert_eq!(
        violation(COMMIT, "result implies yes = 3 and votes = 3"),
        Ok(None)
    );
    assert_eq!(
        violation(COMMIT, "p1.ok implies p1.mine and p2.mine and p3.mine"),
        Ok(None)
    );
    let found = violation(COMMIT, "not result");
    assert!(matches!(found, Ok(Some(_))), "{found:?}");
    let found = way(COMMIT, &["p1.ended", "p2.ended", "p3.ended"], Some("p1.ok"));
    assert!(matches!(found, Ok(Some(_))), "{found:?}");
    assert_eq!(
        way(COMMIT, &["p1.ended"], Some("p1.ok and not result")),
        Ok(None)
    );
    // The requests may all be lost; then only the timeout goes on.
    assert_eq!(deadlock(COMMIT), Ok(None));
    let patient = COMMIT.replace("late: waiting -> tell, timeout?, result := false", "");
    let found = deadlock(&patient);
    assert!(matches!(found, Ok(Some(_))), "{found:?}");
}

#[test]
fn variables_that_several_automata_have_are_asked_for_by_automaton() {
    let faults = condition_on(BUFFER, &[], "v > 0").expect_err("it has two meanings");
    let told: Vec<&str> = faults.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(told, ["several automata have a `v`: write One.v or Two.v"]);
    assert!(condition_on(BUFFER, &[], "One.v = Two.v").is_ok());
}
