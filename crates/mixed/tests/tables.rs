//! Tables of functions, small and large: what their rows say, no matter how many there are.

use base::{Random, Stop};
use mixed::oracle::{Implementation, Oracle, Signature, Type};
use mixed::solver::{Answer, PathCondition, Reason, Solver};
use mixed::{Config, Mixed, Strategy};
use term::{Assignment, Function, Sort, Store, Term, Value};

/// As many rows as make one disjunction of them hopeless.
const MANY: i64 = 100_000;

/// Queries to the solver that such a table may cost.
const FEW: u64 = 60;

/// How often a token may be looked at after it is set.
const UNWINDING: u64 = 20;

/// A function `f` of so many integers that has nothing but its table.
fn tabular(
    store: &mut Store,
    parameters: usize,
    rows: impl IntoIterator<Item = (Vec<i64>, i64)>,
) -> (Oracle<'static>, Function) {
    let mut oracle = Oracle::new();
    let names = [("x", Type::Int), ("y", Type::Int)];
    let signature = Signature::new("f", &names[..parameters], Type::Int);
    let declared = oracle.declare(signature, Implementation::Table);
    declared.expect("it can be declared");
    for (arguments, result) in rows {
        let arguments = arguments.into_iter().map(int).collect();
        let observed = oracle.observe("f", arguments, int(result));
        observed.expect("it is a row of its types");
    }
    let function = store.function(term::Signature {
        name: "f".to_owned(),
        parameters: vec![Sort::Int; parameters],
        result: Sort::Int,
    });
    (oracle, function)
}

fn int(number: i64) -> Value {
    Value::Int(number.into())
}

/// A permutation, so that every result has one argument and no order helps.
fn scattered() -> impl Iterator<Item = (Vec<i64>, i64)> {
    (0..MANY).map(|x| (vec![x], x * 7919 % MANY))
}

fn by_tables(oracle: Oracle<'static>, tries: u32) -> Mixed<'static> {
    let config = Config {
        strategy: Strategy::Table,
        max_tries: tries,
        ..Config::default()
    };
    Mixed::new(config, Solver::default(), oracle)
}

fn decide(mixed: &mut Mixed<'_>, store: &mut Store, condition: Term) -> Answer {
    let (path, nothing) = (PathCondition::new(), Assignment::new());
    mixed.check_extended(store, &path, &nothing, condition)
}

/// The conditions on `x` and `y` that the tests with many rows ask about, and whether
/// some row fits each.
fn questions(store: &mut Store, f: Function) -> Vec<(&'static str, Term, bool)> {
    let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
    let of_x = store.apply(f, &[x]);
    let twice = store.apply(f, &[of_x]);
    let (seven, some, beyond) = (store.int(7), store.int(12_345), store.int(MANY));
    let near = store.int(MANY + MANY / 2);
    let sum = store.add(x, y);
    let rest = store.int_mod(of_x, some);
    let next = store.add(x, seven);
    let moved = store.apply(f, &[next]);
    let (is_sum, is_above) = (store.eq(sum, near), store.lt(y, of_x));
    vec![
        ("one row by its result", store.eq(of_x, some), true),
        (
            "rows by what is computed of them",
            store.eq(rest, seven),
            true,
        ),
        (
            "rows and another variable",
            store.and(is_sum, is_above),
            true,
        ),
        ("a row for what another gives", store.eq(twice, some), true),
        ("a row beside a variable", store.eq(moved, some), true),
        ("no row", store.lt(beyond, of_x), false),
    ]
}

#[test]
fn many_rows_are_answered_with_few_queries() {
    let mut store = Store::new();
    let (oracle, f) = tabular(&mut store, 1, scattered());
    let mut mixed = by_tables(oracle, 0);
    for (what, condition, fits) in questions(&mut store, f) {
        let before = mixed.solver().statistics().queries;
        let answer = decide(&mut mixed, &mut store, condition);
        match &answer {
            Answer::Sat(model) => assert!(mixed.under(&store, model).holds(condition), "{what}"),
            Answer::Unknown(Reason::Function(why)) => {
                assert_eq!(why, "no rows of the functions' tables fit", "{what}");
            }
            other => panic!("{what}: {other:?}"),
        }
        assert_eq!(matches!(answer, Answer::Sat(_)), fits, "{what}");
        let queries = mixed.solver().statistics().queries - before;
        assert!(queries <= FEW, "{what}: {queries} queries");
    }
}

#[test]
fn many_rows_are_left_when_the_token_is_set() {
    let mut store = Store::new();
    let (oracle, f) = tabular(&mut store, 1, scattered());
    let mut mixed = by_tables(oracle, 10);
    for (what, condition, _) in questions(&mut store, f) {
        for moment in [0, 10, 1000, 50_000] {
            let stop = Stop::after(moment);
            mixed.set_stop(stop.clone());
            let answer = decide(&mut mixed, &mut store, condition);
            let late = stop.late();
            assert!(late <= UNWINDING, "{what}, {moment}: {late} looks too many");
            assert!(!matches!(answer, Answer::Unsat(_)), "{what}, {moment}");
        }
    }
}

#[test]
fn a_row_is_found_exactly_where_there_is_one() {
    let mut random = Random::new(3);
    for round in 0..12 {
        let mut store = Store::new();
        let mut rows: Vec<(Vec<i64>, i64)> = Vec::new();
        while rows.len() < 300 + random.below(300) {
            let arguments = vec![random.below(60) as i64 - 30, random.below(60) as i64];
            if rows.iter().all(|(known, _)| *known != arguments) {
                rows.push((arguments, random.below(2000) as i64 - 1000));
            }
        }
        let (oracle, f) = tabular(&mut store, 2, rows.clone());
        let mut mixed = by_tables(oracle, 0);
        let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
        let z = store.var("z", Sort::Int);
        let result = store.apply(f, &[x, y]);
        // z is between y and the result, and x + z is so much: not about a row alone.
        let wanted = random.below(2400) as i64 - 1200;
        let (sum, total) = (store.add(x, z), store.int(wanted));
        let parts = [store.eq(sum, total), store.lt(y, z), store.lt(z, result)];
        let condition = store.and_all(parts);
        let fits = rows.iter().any(|(arguments, result)| {
            let z = wanted - arguments[0];
            arguments[1] < z && z < *result
        });
        let answer = decide(&mut mixed, &mut store, condition);
        assert_eq!(matches!(answer, Answer::Sat(_)), fits, "round {round}");
    }
}

#[test]
fn new_arguments_are_found_beyond_many_known_ones() {
    let mut store = Store::new();
    let mut oracle = Oracle::new();
    let tenfold = Implementation::custom(|arguments| match &arguments[0] {
        Value::Int(x) => Ok(Value::Int(x * 10)),
        other => Err(format!("{other:?} is no integer")),
    });
    let signature = Signature::new("f", &[("x", Type::Int)], Type::Int);
    oracle
        .declare(signature, tenfold)
        .expect("it can be declared");
    for x in 0..MANY {
        let observed = oracle.observe("f", vec![int(x)], int(10 * x));
        observed.expect("it is a row of its types");
    }
    let f = store.function(term::Signature {
        name: "f".to_owned(),
        parameters: vec![Sort::Int],
        result: Sort::Int,
    });
    let x = store.var("x", Sort::Int);
    let of_x = store.apply(f, &[x]);
    let (zero, most) = (store.int(0), store.int(10 * MANY));
    let parts = [store.lt(zero, x), store.le(most, of_x)];
    let condition = store.and_all(parts);
    let mut mixed = by_tables(oracle, 1);
    let answer = decide(&mut mixed, &mut store, condition);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    assert_eq!(mixed.statistics().tries(), 1);
    let queries = mixed.solver().statistics().queries;
    assert!(queries <= FEW, "{queries} queries");
}
