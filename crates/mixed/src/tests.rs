//! The published cases, on terms.

use crate::{Config, Heuristic, Mixed, Strategy};
use oracle::{Implementation, Oracle, Signature, Type};
use solver::{Answer, PathCondition, Reason, Solver, Stop};
use std::cell::Cell;
use std::rc::Rc;
use term::{Assignment, BitVec, FpFormat, Function, Sort, Store, Term, Value};

/// A function from 32-bit numbers to 32-bit numbers.
fn declare(
    oracle: &mut Oracle<'static>,
    store: &mut Store,
    name: &str,
    run: impl Fn(i32) -> i32 + 'static,
) -> Function {
    let int = Type::of_sort(Sort::Bv(32)).expect("it can be passed");
    let run = Implementation::custom(move |arguments| match &arguments[0] {
        Value::Bv(x) => {
            let word = x.to_u64().expect("it fits") as u32 as i32;
            Ok(Value::Bv(BitVec::from_u64(32, run(word) as u32 as u64)))
        }
        other => Err(format!("{other:?} is no number")),
    });
    let signature = Signature::new(name, &[("x", int)], int);
    oracle.declare(signature, run).expect("it can be declared");
    store.function(term::Signature {
        name: name.to_owned(),
        parameters: vec![Sort::Bv(32)],
        result: Sort::Bv(32),
    })
}

fn hash(x: i32) -> i32 {
    if (0..=10).contains(&x) { 10 * x } else { 0 }
}

fn with(heuristics: &[Heuristic]) -> Config {
    Config {
        heuristics: heuristics.to_vec(),
        ..Config::default()
    }
}

/// Adds constraints one after the other, as a path does; whether each could be.
fn follow(mixed: &mut Mixed<'_>, store: &mut Store, constraints: &[Term]) -> Option<Assignment> {
    let mut path = PathCondition::new();
    let mut model = Assignment::new();
    for &constraint in constraints {
        match mixed.check_extended(store, &path, &model, constraint) {
            Answer::Sat(next) => model = next,
            Answer::Unsat(_) | Answer::Unknown(_) => return None,
        }
        mixed.add(store, &mut path, constraint);
        assert!(mixed.under(store, &model).holds(constraint));
    }
    Some(model)
}

struct HashCase {
    store: Store,
    oracle: Oracle<'static>,
    x: Term,
    y: Term,
    hash_of_x: Term,
}

fn hash_case() -> HashCase {
    let (mut store, mut oracle) = (Store::new(), Oracle::new());
    let function = declare(&mut oracle, &mut store, "hash", hash);
    let (x, y) = (store.var("x", Sort::Bv(32)), store.var("y", Sort::Bv(32)));
    let hash_of_x = store.apply(function, &[x]);
    HashCase {
        store,
        oracle,
        x,
        y,
        hash_of_x,
    }
}

fn above(store: &mut Store, term: Term, limit: u64) -> Term {
    let limit = store.bv(32, limit);
    store.bv_slt(limit, term)
}

#[test]
fn the_simple_part_may_be_solved_again_when_more_is_known() {
    let mut case = hash_case();
    let store = &mut case.store;
    let constraints = [
        above(store, case.x, 0),
        store.eq(case.y, case.hash_of_x),
        above(store, case.x, 3),
        above(store, case.y, 10),
    ];
    let mut mixed = Mixed::new(with(&[]), Solver::default(), case.oracle);
    assert!(follow(&mut mixed, store, &constraints).is_some());
}

#[test]
fn a_first_solution_that_misses_is_helped_by_each_heuristic() {
    for heuristic in [
        None,
        Some(Heuristic::Incremental),
        Some(Heuristic::Partition),
        Some(Heuristic::Search),
    ] {
        let mut case = hash_case();
        let store = &mut case.store;
        let constraints = [
            above(store, case.x, 0),
            store.eq(case.y, case.hash_of_x),
            above(store, case.y, 10),
        ];
        let mut config = with(&heuristic.into_iter().collect::<Vec<_>>());
        let above_three = |store: &mut Store, arguments: &[Term]| {
            let three = store.bv(32, 3);
            store.bv_slt(three, arguments[0])
        };
        config
            .partitions
            .insert("hash".to_owned(), vec![Rc::new(above_three)]);
        let mut mixed = Mixed::new(config, Solver::default(), case.oracle);
        let found = follow(&mut mixed, store, &constraints);
        assert_eq!(found.is_some(), heuristic.is_some(), "{heuristic:?}");
    }
}

#[test]
fn without_fixed_arguments_a_path_would_be_found_that_is_none() {
    for hold in [true, false] {
        let (mut store, mut oracle) = (Store::new(), Oracle::new());
        let square = declare(&mut oracle, &mut store, "square", |x| {
            i64::from(x).saturating_mul(x.into()).min(i32::MAX.into()) as i32
        });
        let (x, y) = (store.var("x", Sort::Bv(32)), store.var("y", Sort::Bv(32)));
        let square_of_x = store.apply(square, &[x]);
        let negative = store.bv(32, u32::MAX.into());
        let constraints = [
            store.bv_slt(negative, x),
            store.bv_slt(y, x),
            store.eq(y, square_of_x),
        ];
        let config = Config {
            hold_arguments: hold,
            ..with(&[])
        };
        let mut mixed = Mixed::new(config, Solver::default(), oracle);
        let mut path = PathCondition::new();
        mixed.add(&store, &mut path, constraints[0]);
        mixed.add(&store, &mut path, constraints[1]);
        let Answer::Sat(model) = mixed.check_path(&mut store, &path) else {
            panic!("it is easily satisfied");
        };
        let answer = mixed.check_extended(&mut store, &path, &model, constraints[2]);
        assert_eq!(answer.is_sat(), !hold);
    }
}

#[test]
fn a_condition_that_no_function_could_satisfy_is_refuted() {
    let mut case = hash_case();
    let store = &mut case.store;
    let (large, five) = (above(store, case.hash_of_x, 5), store.bv(32, 5));
    let small = store.bv_slt(case.hash_of_x, five);
    let mut mixed = Mixed::new(Config::default(), Solver::default(), case.oracle);
    let mut path = PathCondition::new();
    mixed.add(store, &mut path, large);
    let answer = mixed.check_extended(store, &path, &Assignment::new(), small);
    assert!(answer.is_unsat());
    assert_eq!(mixed.statistics().no, 1);
}

#[test]
fn classic_symbolic_execution_gives_up() {
    let mut case = hash_case();
    let store = &mut case.store;
    let same = store.eq(case.y, case.hash_of_x);
    let config = Config {
        strategy: Strategy::Classic,
        ..Config::default()
    };
    let mut mixed = Mixed::new(config, Solver::default(), case.oracle);
    let answer = mixed.check_extended(store, &PathCondition::new(), &Assignment::new(), same);
    assert!(matches!(answer, Answer::Unknown(_)));
    assert_eq!(mixed.statistics().unknown, 1);
}

#[test]
fn nested_calls_are_run_from_the_inside_out() {
    let (mut store, mut oracle) = (Store::new(), Oracle::new());
    let f = declare(&mut oracle, &mut store, "f", |x| x.wrapping_mul(3) ^ 5);
    let g = declare(&mut oracle, &mut store, "g", |x| x.wrapping_add(100) / 2);
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let inner = store.apply(f, &[x]);
    let outer = store.apply(g, &[inner]);
    let constraint = store.eq(y, outer);
    let mut mixed = Mixed::new(with(&[]), Solver::default(), oracle);
    assert!(follow(&mut mixed, &mut store, &[constraint]).is_some());
}

/// A double made of eight input bytes, as a program's inputs are.
fn double_of_bytes(store: &mut Store, name: &str) -> Term {
    let bytes: Vec<Term> = (0..8)
        .map(|i| store.var(&format!("{name}[{i}]"), Sort::Bv(8)))
        .collect();
    let whole = bytes
        .into_iter()
        .reduce(|low, high| store.concat(high, low));
    store.fp_from_bits(FpFormat::DOUBLE, whole.expect("there are eight"))
}

#[test]
fn search_walks_doubles_to_where_a_sine_is_wanted() {
    for seed in 0..20 {
        let (mut store, mut oracle) = (Store::new(), Oracle::new());
        let double = Type::of_sort(Sort::Fp(FpFormat::DOUBLE)).expect("it can be passed");
        let sine = Implementation::custom(|arguments| match &arguments[0] {
            Value::Fp(format, bits) => {
                let sine = f64::from_bits(*bits as u64).sin();
                Ok(Value::Fp(*format, sine.to_bits().into()))
            }
            other => Err(format!("{other:?} is no number")),
        });
        let signature = Signature::new("sin", &[("x", double)], double);
        oracle.declare(signature, sine).expect("it can be declared");
        let function = store.function(term::Signature {
            name: "sin".to_owned(),
            parameters: vec![Sort::Fp(FpFormat::DOUBLE)],
            result: Sort::Fp(FpFormat::DOUBLE),
        });
        let x = double_of_bytes(&mut store, "x");
        let y = double_of_bytes(&mut store, "y");
        let (of_x, of_y) = (store.apply(function, &[x]), store.apply(function, &[y]));
        let constant =
            |store: &mut Store, value: f64| store.fp(FpFormat::DOUBLE, value.to_bits().into());
        let (half, ten, eleven) = (
            constant(&mut store, 0.5),
            constant(&mut store, 10.0),
            constant(&mut store, 11.0),
        );
        let constraints = [
            store.fp_lt(ten, x),
            store.fp_lt(x, eleven),
            store.fp_lt(of_x, of_y),
            store.fp_lt(half, of_y),
            store.fp_lt(y, of_x),
        ];
        let config = Config {
            seed,
            ..with(&[Heuristic::Search])
        };
        let mut mixed = Mixed::new(config, Solver::default(), oracle);
        let found = follow(&mut mixed, &mut store, &constraints);
        assert!(found.is_some(), "seed {seed}");
    }
}

/// `hash` has no inverse to solve for, and its table is all there is until it may
/// be run.
#[test]
fn tables_are_believed_and_extended_no_more_often_than_allowed() {
    for (tries, expected) in [(0, None), (1, Some(1))] {
        let mut store = Store::new();
        let mut oracle = Oracle::new();
        let function = declare(&mut oracle, &mut store, "hash", hash);
        let x = store.var("x", Sort::Bv(32));
        let (of_x, forty, three) = (
            store.apply(function, &[x]),
            store.bv(32, 40),
            store.bv(32, 3),
        );
        let config = Config {
            strategy: Strategy::Table,
            max_tries: tries,
            ..Config::default()
        };
        let mut mixed = Mixed::new(config, Solver::default(), oracle);
        let row = |n: u64| Value::Bv(BitVec::from_u64(32, n));
        let observed = mixed.oracle_mut().observe("hash", vec![row(4)], row(40));
        observed.expect("it is a row of its types");
        // The row that is there answers this query without a call.
        let is_forty = store.eq(of_x, forty);
        let model = follow(&mut mixed, &mut store, &[is_forty]).expect("the table says so");
        let variable = store.as_variable(x).expect("it is a variable");
        assert_eq!(model.get(variable), Some(&row(4)));
        assert_eq!(mixed.statistics().tries(), 0);
        // None does for this one; any other argument below four will do.
        let (small, other) = (store.bv_ult(x, three), store.not(is_forty));
        let found = follow(&mut mixed, &mut store, &[small, other]);
        assert_eq!(found.map(|_| mixed.statistics().tries()), expected);
    }
}

#[test]
fn a_search_walks_through_integers_without_bounds() {
    let mut store = Store::new();
    let mut oracle = Oracle::new();
    let square = Implementation::custom(|arguments| match &arguments[0] {
        Value::Int(x) => Ok(Value::Int(x * x)),
        other => Err(format!("{other:?} is no integer")),
    });
    let signature = Signature::new("square", &[("x", Type::Int)], Type::Int);
    oracle
        .declare(signature, square)
        .expect("it can be declared");
    let function = store.function(term::Signature {
        name: "square".to_owned(),
        parameters: vec![Sort::Int],
        result: Sort::Int,
    });
    let x = store.var("x", Sort::Int);
    let of_x = store.apply(function, &[x]);
    let (low, high) = (store.int(1000), store.int(1050));
    let between = [store.lt(low, of_x), store.lt(of_x, high)];
    let mut mixed = Mixed::new(with(&[Heuristic::Search]), Solver::default(), oracle);
    let model = follow(&mut mixed, &mut store, &between).expect("32 squared is 1024");
    let found = mixed.under(&store, &model).value(of_x);
    assert_eq!(found, Value::Int(1024.into()));
}

#[test]
fn that_an_order_is_broken_nowhere_is_seen_place_by_place() {
    let mut store = Store::new();
    let mut mixed = Mixed::from(Solver::default());
    let x: Vec<Term> = (0..14)
        .map(|i| store.var(&format!("x{i}"), Sort::Bv(32)))
        .collect();
    // A heap: each is at least its parent; so it is at least its parent's parent.
    let mut path = PathCondition::new();
    for i in 1..x.len() {
        let ordered = store.bv_sle(x[(i - 1) / 2], x[i]);
        mixed.add(&store, &mut path, ordered);
    }
    let mut all = store.bool(true);
    for i in 3..x.len() {
        let ordered = store.bv_sle(x[((i - 1) / 2 - 1) / 2], x[i]);
        all = store.and(all, ordered);
    }
    let broken = store.not(all);
    let answer = mixed.check_extended(&mut store, &path, &Assignment::new(), broken);
    assert!(matches!(answer, Answer::Unsat(_)), "{answer:?}");
    // With a descent allowed somewhere, there is a place.
    let descends = store.bv_slt(x[13], x[12]);
    let neither = store.and(all, descends);
    let one_of_them = store.not(neither);
    let answer = mixed.check_extended(&mut store, &path, &Assignment::new(), one_of_them);
    let Answer::Sat(model) = answer else {
        panic!("{answer:?}");
    };
    assert!(mixed.under(&store, &model).holds(one_of_them));
    assert_eq!(mixed.statistics().queries, 0, "no search was needed");
}

/// A function of integers that refuses what `run` has nothing for, the term of its
/// result for `x`, and how often it was run.
fn partial(
    run: impl Fn(i64) -> Option<i64> + 'static,
) -> (Store, Oracle<'static>, Term, Term, Rc<Cell<u32>>) {
    let (mut store, mut oracle) = (Store::new(), Oracle::new());
    let runs = Rc::new(Cell::new(0));
    let counted = runs.clone();
    let run = Implementation::custom(move |arguments| {
        counted.set(counted.get() + 1);
        let Value::Int(x) = &arguments[0] else {
            return Err("it takes an integer".to_owned());
        };
        let result = i64::try_from(x.clone()).ok().and_then(&run);
        result.map(|y| Value::Int(y.into())).ok_or("no".to_owned())
    });
    let signature = Signature::new("f", &[("x", Type::Int)], Type::Int);
    oracle.declare(signature, run).expect("it can be declared");
    let function = store.function(term::Signature {
        name: "f".to_owned(),
        parameters: vec![Sort::Int],
        result: Sort::Int,
    });
    let x = store.var("x", Sort::Int);
    let of_x = store.apply(function, &[x]);
    (store, oracle, x, of_x, runs)
}

fn why(answer: &Answer) -> Option<Reason> {
    match answer {
        Answer::Unknown(reason) => Some(reason.clone()),
        Answer::Sat(_) | Answer::Unsat(_) => None,
    }
}

#[test]
fn a_function_that_only_fails_is_given_up_with_what_it_says() {
    let (mut store, oracle, _, of_x, runs) = partial(|_| None);
    let mut mixed = Mixed::new(Config::default(), Solver::default(), oracle);
    let mut asked = Vec::new();
    for limit in [5, 6, 5] {
        let limit = store.int(limit);
        let large = store.lt(limit, of_x);
        let nothing = Assignment::new();
        let path = PathCondition::new();
        let answer = mixed.check_with_calls(&mut store, &path, &nothing, large, &[]);
        asked.push((why(&answer), runs.get()));
    }
    let reason = |x: &str| Some(Reason::Function(format!("f({x}): no")));
    assert_eq!(asked[0], (reason("0"), 32));
    // One more chance for another query, none for the same one again.
    assert_eq!(asked[1].1, 33);
    assert_eq!(asked[2], (reason("0"), 33));
}

#[test]
fn a_function_that_fails_now_and_then_is_searched_all_the_same() {
    let (mut store, oracle, _, of_x, _) = partial(|x| (x <= 5).then(|| x.wrapping_mul(x)));
    let mut mixed = Mixed::new(Config::default(), Solver::default(), oracle);
    let limit = store.int(1_000_000);
    let large = store.lt(limit, of_x);
    assert!(follow(&mut mixed, &mut store, &[large]).is_some());
}

/// Looks at a stop token that unwinding through all layers may take.
const UNWINDING: u64 = 32;

#[test]
fn a_search_ends_soon_after_the_stop_and_gives_nothing_up_for_it() {
    for looks in [0, 1, 10, 100, 1_000] {
        let (mut store, oracle, x, of_x, runs) = partial(|x| Some(x & 1));
        let mut mixed = Mixed::new(Config::default(), Solver::default(), oracle);
        let stop = Stop::after(looks);
        mixed.set_stop(stop.clone());
        let (two, limit) = (store.int(2), store.int(-7));
        let (never, small) = (store.eq(of_x, two), store.lt(x, limit));
        let (mut path, nothing) = (PathCondition::new(), Assignment::new());
        mixed.add(&store, &mut path, small);
        let answer = mixed.check_extended(&mut store, &path, &nothing, never);
        assert_eq!(why(&answer), Some(Reason::Interrupted), "{looks}");
        assert!(stop.late() <= UNWINDING, "{} looks too many", stop.late());
        assert!(u64::from(runs.get()) <= looks);
        // Had the query been given up, the function would not be run again.
        let before = runs.get();
        mixed.set_stop(Stop::never());
        mixed.check_extended(&mut store, &path, &nothing, never);
        assert!(runs.get() > before);
    }
}

/// A circle, and a line that does not meet it: no floats satisfy both.
fn circle_and_line(store: &mut Store) -> [Term; 2] {
    let double = |store: &mut Store, x: f64| store.fp(FpFormat::DOUBLE, x.to_bits().into());
    let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Fp(FpFormat::DOUBLE)));
    let nearest = store.rounding(term::RoundingMode::NearestEven);
    let (xx, yy) = (store.fp_mul(nearest, x, x), store.fp_mul(nearest, y, y));
    let (square, sum) = (store.fp_add(nearest, xx, yy), store.fp_add(nearest, x, y));
    let (one, three) = (double(store, 1.0), double(store, 3.0));
    [store.fp_eq(square, one), store.fp_eq(sum, three)]
}

#[test]
fn a_search_for_floats_that_are_not_there_ends_soon_after_the_stop() {
    for looks in [0, 1, 20, 500, 5_000] {
        let mut store = Store::new();
        let [circle, line] = circle_and_line(&mut store);
        let stop = Stop::after(looks);
        let mut mixed = Mixed::from(Solver::default());
        mixed.set_stop(stop.clone());
        let mut path = PathCondition::new();
        mixed.add(&store, &mut path, circle);
        let mut model = Assignment::new();
        for name in ["x", "y"] {
            let variable = store.var(name, Sort::Fp(FpFormat::DOUBLE));
            let variable = store.as_variable(variable).expect("it is a variable");
            let one_or_zero = f64::from(u8::from(name == "x"));
            let value = Value::Fp(FpFormat::DOUBLE, one_or_zero.to_bits().into());
            model.set(variable, value);
        }
        let answer = mixed.check_extended(&mut store, &path, &model, line);
        assert_eq!(why(&answer), Some(Reason::Interrupted), "{looks}");
        assert!(stop.late() <= UNWINDING, "{} looks too many", stop.late());
    }
}

#[test]
fn an_outer_budget_of_conflicts_is_not_loosened_on_the_way() {
    let mut store = Store::new();
    let [a, b] = ["a", "b"].map(|name| {
        let half = store.var(name, Sort::Bv(32));
        store.zext(half, 64)
    });
    // The product of two primes of 32 bits, far from any power of two: hours for a SAT solver.
    let product = store.bv(64, 2_860_486_313 * 3_267_000_013);
    let result = store.bv_mul(a, b);
    let factors = store.eq(result, product);
    let solver = Solver::new(solver::Config {
        limits: solver::Limits::default().tightened(Some(20)),
        ..solver::Config::default()
    });
    let mut mixed = Mixed::from(solver);
    let (path, nothing) = (PathCondition::new(), Assignment::new());
    let answer = mixed.check_extended(&mut store, &path, &nothing, factors);
    assert_eq!(why(&answer), Some(Reason::Conflicts));
}
