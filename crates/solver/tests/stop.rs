//! Queries that would take hours end soon after their stop token is set, and a
//! stop never makes an answer wrong.
//!
//! A token counts how often it is looked at after it was set. Work that unwinds
//! looks a handful of times, work that ignores it goes on; no clock is needed.

#[path = "support/formulas.rs"]
mod formulas;

use base::Cause;
use formulas::{Rng, Theory, formula};
use solver::{
    Answer, Backend, Bitblast, Config, Limits, PathCondition, Reason, Solver, Stop, Verdict, Z3,
};
use term::{Assignment, Sort, Store, Term};

/// Looks at a token that unwinding through all layers may take.
const UNWINDING: u64 = 12;

fn with_stop(stop: &Stop) -> Limits {
    Limits {
        stop: stop.clone(),
        ..Limits::default()
    }
}

fn solver_with(stop: &Stop) -> Solver {
    Solver::new(Config {
        limits: with_stop(stop),
        ..Config::default()
    })
}

/// `a * b = product`, neither factor being one.
fn factors(store: &mut Store, width: u16, product: u64) -> Vec<Term> {
    let [a, b] = ["a", "b"].map(|name| store.var(name, Sort::Bv(width)));
    let (wide_a, wide_b) = (store.zext(a, 2 * width), store.zext(b, 2 * width));
    let product = store.bv(2 * width, product);
    let result = store.bv_mul(wide_a, wide_b);
    let one = store.bv(width, 1);
    vec![
        store.eq(result, product),
        store.bv_ult(one, a),
        store.bv_ult(one, b),
    ]
}

/// The product of two primes of 32 bits, far from any power of two.
const SEMIPRIME: u64 = 2_860_486_313 * 3_267_000_013;

#[test]
fn factoring_a_semiprime_of_64_bits_ends_with_the_stop_in_either_sat_solver() {
    // The first looks are at gates, the next in batsat, the last in CaDiCaL.
    for looks in [0, 1, 5, 100, 4_000] {
        let mut store = Store::new();
        let query = factors(&mut store, 32, SEMIPRIME);
        let stop = Stop::after(looks);
        let answer = solver_with(&stop).check(&mut store, &query);
        assert!(
            matches!(answer, Answer::Unknown(Reason::Interrupted)),
            "after {looks} looks: {answer:?}"
        );
        assert!(stop.late() <= UNWINDING, "{} looks too many", stop.late());
    }
}

#[test]
fn a_multiplier_of_millions_of_gates_is_not_built_to_its_end() {
    for looks in [1, 2, 50] {
        let mut store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::Bv(2048)));
        let product = store.bv_mul(x, y);
        let query = [store.eq(product, z)];
        let stop = Stop::after(looks);
        let verdict = Bitblast::new().check(&mut store, &query, &with_stop(&stop));
        assert!(
            matches!(verdict, Verdict::Unknown(Reason::Interrupted)),
            "after {looks} looks: {verdict:?}"
        );
        assert!(stop.late() <= UNWINDING, "{} looks too many", stop.late());
    }
}

#[test]
fn a_multiplier_that_fits_no_memory_is_refused() {
    let mut store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::Bv(u16::MAX)));
    let product = store.bv_mul(x, y);
    let query = [store.eq(product, z)];
    let verdict = Bitblast::new().check(&mut store, &query, &Limits::default());
    assert!(matches!(verdict, Verdict::Unknown(Reason::Memory)));
}

/// Three cubes whose sum is 114: nobody knows whether there are any.
fn three_cubes(store: &mut Store) -> Term {
    let cubes = ["x", "y", "z"].map(|name| {
        let x = store.var(name, Sort::Int);
        let square = store.mul(x, x);
        store.mul(square, x)
    });
    let sum = store.add(cubes[0], cubes[1]);
    let sum = store.add(sum, cubes[2]);
    let wanted = store.int(114);
    store.eq(sum, wanted)
}

#[test]
fn z3_ends_with_the_stop_on_products_of_integers() {
    let mut store = Store::new();
    let query = [three_cubes(&mut store)];
    let stop = Stop::after(10);
    let verdict = Z3::fresh().check(&mut store, &query, &with_stop(&stop));
    assert!(
        matches!(verdict, Verdict::Unknown(Reason::Interrupted)),
        "{verdict:?}"
    );
    assert!(stop.late() <= UNWINDING, "{} looks too many", stop.late());
}

#[test]
fn a_token_that_is_set_beforehand_leaves_every_query_unknown_until_another_is_given() {
    let mut store = Store::new();
    let query = factors(&mut store, 8, 77);
    let stop = Stop::never();
    stop.set(Cause::Time);
    let mut backends: [Box<dyn Backend>; 3] = [
        Box::new(Bitblast::new()),
        Box::new(Z3::fresh()),
        Box::new(Z3::incremental()),
    ];
    for backend in &mut backends {
        let name = backend.name();
        let verdict = backend.check(&mut store, &query, &with_stop(&stop));
        assert!(matches!(verdict, Verdict::Unknown(Reason::Time)), "{name}");
        let verdict = backend.check(&mut store, &query, &Limits::default());
        assert!(matches!(verdict, Verdict::Sat(_)), "{name}: {verdict:?}");
    }
    let mut solver = solver_with(&stop);
    let answer = solver.check(&mut store, &query);
    assert!(matches!(answer, Answer::Unknown(Reason::Time)));
    let model = Assignment::new();
    let answer = solver.check_extended(&mut store, &PathCondition::new(), &model, query[0]);
    assert!(matches!(answer, Answer::Unknown(Reason::Time)));
    solver.set_stop(Stop::never());
    assert!(solver.check(&mut store, &query).is_sat());
}

#[test]
fn a_stop_at_any_moment_leaves_nothing_wrong_behind() {
    // No number has a square that ends in the bits 10.
    for (number, is_sat) in [(49, true), (2, false)] {
        for looks in (0..12).chain([40, 200]) {
            let mut store = Store::new();
            let x = store.var("x", Sort::Bv(96));
            let (square, number) = (store.bv_mul(x, x), store.bv(96, number));
            let sixteen = store.bv(96, 16);
            let query = [store.eq(square, number), store.bv_ult(x, sixteen)];
            let mut solver = solver_with(&Stop::after(looks));
            match solver.check(&mut store, &query) {
                Answer::Unknown(reason) => assert_eq!(reason, Reason::Interrupted),
                answer => assert_eq!(answer.is_sat(), is_sat),
            }
            solver.set_stop(Stop::never());
            let answer = solver.check(&mut store, &query);
            assert_eq!(answer.is_sat(), is_sat, "after {looks} looks");
            assert_eq!(answer.is_unsat(), !is_sat, "after {looks} looks");
        }
    }
}

#[test]
fn a_token_that_is_never_set_changes_no_answer() {
    for theory in [Theory::Bv, Theory::Array, Theory::Fp] {
        let answers = |stop: Stop| {
            let (mut store, mut rng) = (Store::new(), Rng::new(7));
            let mut solver = Solver::new(Config {
                limits: Limits {
                    conflicts: Some(2_000),
                    stop,
                    ..Limits::default()
                },
                ..Config::default()
            });
            let formulas = (0..30).map(|_| {
                let constraints = formula(&mut store, &mut rng, theory);
                format!("{:?}", solver.check(&mut store, &constraints))
            });
            formulas.collect::<Vec<String>>()
        };
        assert_eq!(answers(Stop::never()), answers(Stop::after(u64::MAX)));
    }
}

#[test]
fn a_budget_of_conflicts_holds_within_a_larger_one_and_without_any() {
    let mut store = Store::new();
    let query = factors(&mut store, 32, SEMIPRIME);
    let mut solver = Solver::new(Config {
        limits: Limits::default().tightened(Some(50)),
        ..Config::default()
    });
    for inner in [None, Some(1_000_000), Some(10), Some(0)] {
        let answer = solver.with_conflicts(inner, |solver| solver.check(&mut store, &query));
        assert!(
            matches!(answer, Answer::Unknown(Reason::Conflicts)),
            "within {inner:?}: {answer:?}"
        );
        assert_eq!(solver.limits().conflicts, Some(50));
    }
}
