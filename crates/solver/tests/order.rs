//! Queries that only compare numbers: decided by their graph, as Z3 decides them.

use base::Random;
use solver::{Answer, Backend, Config, Limits, Link, Solver, Verdict, Z3};
use term::{Evaluator, Sort, Store, Term};

/// Comparisons of numbers of eight bits, each of two variables of four or of two
/// elements of an array, and of numbers of three bits, where there is little room.
fn query(store: &mut Store, rng: &mut Random) -> Vec<Term> {
    let (width, count) = if rng.below(2) == 0 { (8, 6) } else { (3, 5) };
    let in_array = rng.below(2) == 0;
    let mut sides = Vec::new();
    for number in 0..count {
        sides.push(if width == 3 {
            store.var(&format!("small{number}"), Sort::Bv(3))
        } else if in_array {
            let sort = Sort::Array {
                index: 8,
                element: 4,
            };
            let array = store.var("array", sort);
            let [low, high] = [2 * number, 2 * number + 1].map(|index| {
                let index = store.bv(8, index);
                store.select(array, index)
            });
            store.concat(high, low)
        } else {
            let high = store.var(&format!("high{number}"), Sort::Bv(4));
            let low = store.var(&format!("low{number}"), Sort::Bv(4));
            store.concat(high, low)
        });
    }
    for _ in 0..rng.below(3) {
        let constant = rng.below(1 << width) as u64;
        sides.push(store.bv(width, constant));
    }
    let signed = rng.below(2) == 0;
    let mut constraints = Vec::new();
    for _ in 0..2 + rng.below(9) {
        let a = sides[rng.below(sides.len())];
        let b = sides[rng.below(sides.len())];
        let atom = match rng.below(3) {
            0 => store.eq(a, b),
            _ if signed => store.bv_slt(a, b),
            _ => store.bv_ult(a, b),
        };
        let constraint = if rng.below(2) == 0 {
            atom
        } else {
            store.not(atom)
        };
        if store.as_bool(constraint).is_none() {
            constraints.push(constraint);
        }
    }
    constraints
}

#[test]
fn the_graph_of_comparisons_decides_as_z3_does() {
    let mut rng = Random::new(7);
    let mut answered = 0;
    for _ in 0..30 {
        let mut store = Store::new();
        let mut z3 = Z3::fresh();
        let mut chain = Solver::new(Config::default());
        for _ in 0..100 {
            let constraints = query(&mut store, &mut rng);
            let mut by_z3 = |store: &mut Store, constraints: &[Term]| {
                matches!(
                    z3.check(store, constraints, &Limits::default()),
                    Verdict::Sat(_)
                )
            };
            let expected = by_z3(&mut store, &constraints);
            let script = term::print::smtlib::script(&store, &constraints);
            match chain.check(&mut store, &constraints) {
                Answer::Sat(model) => {
                    assert!(expected, "{script}");
                    let holds = Evaluator::default().all_hold(&store, &model, &constraints);
                    assert!(holds, "{script}");
                }
                Answer::Unsat(core) => {
                    assert!(!expected, "{script}");
                    assert!(!by_z3(&mut store, &core), "{script}");
                }
                Answer::Unknown(reason) => panic!("{reason}: {script}"),
            }
        }
        answered += chain.statistics().link(Link::Order).answered;
    }
    assert!(
        answered > 1_000,
        "{answered} queries were decided by their graph"
    );
}

#[test]
fn a_circle_of_comparisons_is_its_own_contradiction() {
    let mut store = Store::new();
    let numbers: Vec<Term> = (0..5)
        .map(|number| store.var(&format!("n{number}"), Sort::Bv(32)))
        .collect();
    let mut constraints: Vec<Term> = numbers
        .windows(2)
        .map(|pair| store.bv_slt(pair[0], pair[1]))
        .collect();
    let unrelated = store.bv_slt(numbers[4], numbers[2]);
    constraints.push(unrelated);
    let mut solver = Solver::new(Config::default());
    let Answer::Unsat(mut core) = solver.check(&mut store, &constraints) else {
        panic!("the third is less than the fourth and the fifth, which is less than it");
    };
    core.sort_unstable();
    let mut expected = constraints[2..].to_vec();
    expected.sort_unstable();
    assert_eq!(core, expected);
    assert_eq!(solver.statistics().link(Link::Order).answered, 1);
}
