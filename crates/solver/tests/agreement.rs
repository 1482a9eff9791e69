//! Random formulas of every theory: the chain, `bitblast` and Z3 agree, and
//! every assignment satisfies what it is said to.

#[path = "support/formulas.rs"]
mod formulas;

use formulas::{Rng, Theory, formula};
use solver::{Answer, Backend, Bitblast, Config, Limits, Solver, Verdict, Z3};
use term::{Evaluator, Store, Term};

/// What a backend says, its assignment checked.
fn decide(
    backend: &mut dyn Backend,
    store: &mut Store,
    constraints: &[Term],
    limits: &Limits,
) -> Option<bool> {
    match backend.check(store, constraints, limits) {
        Verdict::Sat(model) => {
            let holds = Evaluator::default().all_hold(store, &model, constraints);
            assert!(holds, "{}: {}", backend.name(), script(store, constraints));
            Some(true)
        }
        Verdict::Unsat(core) => {
            assert!(core.iter().all(|term| constraints.contains(term)));
            Some(false)
        }
        Verdict::Unknown(_) => None,
    }
}

fn script(store: &Store, constraints: &[Term]) -> String {
    term::print::smtlib::script(store, constraints)
}

/// Gives `count` formulas of the theory to all solvers; at least `decided` in a
/// hundred must be decided by two of them.
#[track_caller]
fn agree(theory: Theory, count: usize, decided: usize) {
    /// Formulas that share a store, and so terms, gates, clauses and caches.
    const TOGETHER: usize = 100;
    let mut rng = Rng::new(theory as u64 + 1);
    let limits = Limits {
        conflicts: Some(20_000),
        ..Limits::default()
    };
    let mut compared = 0;
    for _ in 0..count.div_ceil(TOGETHER) {
        let mut store = Store::new();
        let (mut bitblast, mut z3) = (Bitblast::new(), Z3::fresh());
        let mut chain = Solver::new(Config {
            limits: limits.clone(),
            ..Config::default()
        });
        for _ in 0..TOGETHER {
            let constraints = formula(&mut store, &mut rng, theory);
            let by_z3 = decide(&mut z3, &mut store, &constraints, &limits);
            let by_bits = decide(&mut bitblast, &mut store, &constraints, &limits);
            let by_chain = match chain.check(&mut store, &constraints) {
                Answer::Sat(model) => {
                    let holds = Evaluator::default().all_hold(&store, &model, &constraints);
                    assert!(holds, "chain: {}", script(&store, &constraints));
                    Some(true)
                }
                Answer::Unsat(_) => Some(false),
                Answer::Unknown(_) => None,
            };
            let answers: Vec<bool> = [by_z3, by_bits, by_chain].into_iter().flatten().collect();
            assert!(
                answers.windows(2).all(|pair| pair[0] == pair[1]),
                "z3 {by_z3:?}, bitblast {by_bits:?}, chain {by_chain:?} on\n{}",
                script(&store, &constraints)
            );
            compared += usize::from(answers.len() >= 2);
        }
    }
    let total = count.div_ceil(TOGETHER) * TOGETHER;
    assert!(
        compared * 100 >= decided * total,
        "only {compared} of {total} were compared"
    );
}

#[test]
fn all_agree_on_bit_vectors() {
    agree(Theory::Bv, 30_000, 99);
}

#[test]
fn all_agree_on_wide_bit_vectors() {
    agree(Theory::BvWide, 2_000, 95);
}

#[test]
fn all_agree_on_arrays() {
    agree(Theory::Array, 4_000, 95);
}

#[test]
fn all_agree_on_floats() {
    agree(Theory::Fp, 400, 90);
}

#[test]
fn all_agree_on_floats_and_bit_vectors() {
    agree(Theory::FpBv, 200, 90);
}

#[test]
fn all_agree_on_functions() {
    agree(Theory::Uf, 12_000, 95);
}

#[test]
fn all_agree_on_integers() {
    agree(Theory::Int, 1_200, 80);
}

#[test]
fn all_agree_on_reals() {
    agree(Theory::Real, 400, 80);
}

#[test]
fn all_agree_on_strings() {
    agree(Theory::String, 100, 50);
}

#[test]
fn all_agree_on_all_theories_mixed() {
    agree(Theory::Mixed, 200, 80);
}
