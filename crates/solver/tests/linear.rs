//! Queries about sums of numbers: decided by elimination, as Z3 decides them.

use base::Random;
use num_rational::BigRational;
use solver::{Answer, Backend, Config, Limits, Link, Solver, Verdict, Z3};
use term::{Evaluator, Sort, Store, Term};

/// A few inequalities, equations and alternatives between sums of three inputs.
fn query(store: &mut Store, rng: &mut Random, is_integer: bool) -> Vec<Term> {
    let sort = if is_integer { Sort::Int } else { Sort::Real };
    let mut constant = |store: &mut Store, rng: &mut Random, most: usize| {
        let number = rng.below(2 * most + 1) as i64 - most as i64;
        match is_integer {
            true => store.int(number),
            false => store.real(BigRational::new(number.into(), 2.into())),
        }
    };
    let inputs = ["x", "y", "z"].map(|name| store.var(name, sort));
    let mut atom = |store: &mut Store, rng: &mut Random| {
        let mut sum = constant(store, rng, 9);
        for _ in 0..1 + rng.below(3) {
            let factor = constant(store, rng, 3);
            let part = store.mul(inputs[rng.below(3)], factor);
            sum = store.add(sum, part);
        }
        let other = match rng.below(2) {
            0 => inputs[rng.below(3)],
            _ => constant(store, rng, 9),
        };
        let atom = match rng.below(5) {
            0 => store.eq(sum, other),
            1 | 2 => store.lt(sum, other),
            _ => store.le(other, sum),
        };
        match rng.below(3) {
            0 => store.not(atom),
            _ => atom,
        }
    };
    let mut constraints = Vec::new();
    for _ in 0..2 + rng.below(6) {
        let mut constraint = atom(store, rng);
        if rng.below(4) == 0 {
            let other = atom(store, rng);
            constraint = store.or(constraint, other);
        }
        if store.as_bool(constraint).is_none() {
            constraints.push(constraint);
        }
    }
    constraints
}

#[test]
fn elimination_decides_as_z3_does() {
    let mut rng = Random::new(11);
    let (mut answered, mut contradictions) = (0, 0);
    for round in 0..24 {
        let mut store = Store::new();
        let mut z3 = Z3::fresh();
        let mut chain = Solver::new(Config::default());
        for _ in 0..60 {
            let constraints = query(&mut store, &mut rng, round % 2 == 0);
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
                    contradictions += 1;
                    assert!(!expected, "{script}");
                    assert!(!by_z3(&mut store, &core), "{script}");
                }
                Answer::Unknown(reason) => panic!("{reason}: {script}"),
            }
        }
        answered += chain.statistics().link(Link::Linear).answered;
    }
    assert!(answered > 500, "{answered} queries were decided so");
    assert!(contradictions > 100, "{contradictions} were contradictions");
}

#[test]
fn moments_that_add_up_to_too_much_exclude_each_other() {
    let mut store = Store::new();
    let parts = ["a", "b", "c"].map(|name| store.var(name, Sort::Real));
    let real =
        |store: &mut Store, number: i64| store.real(BigRational::from_integer(number.into()));
    let one = real(&mut store, 1);
    let mut constraints: Vec<Term> = parts.map(|part| store.le(one, part)).to_vec();
    let ab = store.add(parts[0], parts[1]);
    let two = real(&mut store, 2);
    let both = store.lt(ab, two);
    constraints.push(both);
    let mut solver = Solver::new(Config::default());
    let Answer::Unsat(mut core) = solver.check(&mut store, &constraints) else {
        panic!("two of at least one are no less than two");
    };
    core.sort_unstable();
    let mut expected = vec![constraints[0], constraints[1], both];
    expected.sort_unstable();
    assert_eq!(core, expected);
    assert_eq!(solver.statistics().link(Link::Linear).answered, 1);
}
