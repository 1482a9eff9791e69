//! Random formulas of every theory: the chain, `bitblast` and Z3 agree, and
//! every assignment satisfies what it is said to.

#[path = "support/formulas.rs"]
mod formulas;

use formulas::{Rng, Theory, formula};
use solver::{Answer, Backend, Bitblast, Config, Limits, Solver, Verdict, Z3};
use term::{Evaluator, Sort, Store, Term};

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
    let mut rng = Rng::new(theory as u64 + 1);
    agree_on(count, decided, |store| formula(store, &mut rng, theory));
}

/// Gives `count` formulas to all solvers; at least `decided` in a hundred must be decided
/// by two of them.
#[track_caller]
fn agree_on(count: usize, decided: usize, mut formula: impl FnMut(&mut Store) -> Vec<Term>) {
    /// Formulas that share a store, and so terms, gates, clauses and caches.
    const TOGETHER: usize = 100;
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
            let constraints = formula(&mut store);
            let by_z3 = decide(&mut z3, &mut store, &constraints, &limits);
            let by_bits = decide(&mut bitblast, &mut store, &constraints, &limits);
            let by_chain = match chain.check(&mut store, &constraints) {
                Answer::Sat(model) => {
                    let holds = Evaluator::default().all_hold(&store, &model, &constraints);
                    assert!(holds, "chain: {}", script(&store, &constraints));
                    Some(true)
                }
                Answer::Unsat(core) => {
                    let core = decide(&mut bitblast, &mut store, &core, &limits);
                    assert_ne!(core, Some(true), "{}", script(&store, &constraints));
                    Some(false)
                }
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

/// Divisions by constants of a number that has bounds, compared with each other and with
/// what they are made of.
fn divisions_within_bounds(store: &mut Store, rng: &mut Rng) -> Vec<Term> {
    let width = 4 + rng.below(14) as u16;
    let x = store.var(&format!("x{width}"), Sort::Bv(width));
    let constant = |store: &mut Store, rng: &mut Rng| {
        let most = 1 << rng.below(width.into()).max(2);
        store.bv(width, 1 + rng.below(most) as u64)
    };
    let (low, high) = (constant(store, rng), constant(store, rng));
    let mut constraints = vec![store.bv_ult(x, high)];
    if rng.chance(40) {
        constraints.push(store.bv_ule(low, x));
    }
    let mut made = vec![x];
    for _ in 0..2 + rng.below(6) {
        let (of, c) = (rng.pick(&made), constant(store, rng));
        let next = match rng.below(6) {
            0 | 1 => store.bv_udiv(of, c),
            2 | 3 => store.bv_urem(of, c),
            4 => {
                let kept = 1 + rng.below(usize::from(width) - 1) as u16;
                let part = store.extract(of, 0, kept);
                store.zext(part, width)
            }
            _ => {
                let (quotient, rest) = (store.bv_udiv(of, c), store.bv_urem(of, c));
                let c = if rng.chance(70) {
                    c
                } else {
                    constant(store, rng)
                };
                let product = store.bv_mul(quotient, c);
                store.bv_add(product, rest)
            }
        };
        made.push(next);
    }
    for _ in 0..1 + rng.below(3) {
        let (a, b) = (rng.pick(&made), rng.pick(&made));
        let b = if rng.chance(50) {
            b
        } else {
            constant(store, rng)
        };
        let holds = match rng.below(2) {
            0 => store.eq(a, b),
            _ => store.bv_ult(a, b),
        };
        constraints.push(if rng.chance(50) {
            holds
        } else {
            store.not(holds)
        });
    }
    constraints
}

#[test]
fn all_agree_on_divisions_within_bounds() {
    let mut rng = Rng::new(31);
    agree_on(6_000, 99, |store| divisions_within_bounds(store, &mut rng));
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
