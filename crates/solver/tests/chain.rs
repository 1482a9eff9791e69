//! The solver as its users meet it: scripts in, answers out.

use solver::{Answer, Bitblast, Config, Limits, Link, PathCondition, Reason, Solver, Stop};
use solver::{Backend, Verdict};
use term::smtlib::{self, Command};
use term::{Assignment, Evaluator, Sort, Store, Term};

/// The answers to the script's `check-sat`s, one a line; an assignment must
/// satisfy what was asserted.
fn answers(solver: &mut Solver, store: &mut Store, script: &str) -> String {
    let script = smtlib::parse(store, script).expect("the test's script is well-formed");
    let mut scopes: Vec<Vec<Term>> = vec![Vec::new()];
    let mut lines = Vec::new();
    for located in script.commands {
        match located.command {
            Command::Assert { term, .. } => scopes.last_mut().unwrap().push(term),
            Command::Push(n) => scopes.extend((0..n).map(|_| Vec::new())),
            Command::Pop(n) => scopes.truncate(scopes.len() - n as usize),
            Command::CheckSat => {
                let asserted = scopes.concat();
                lines.push(match solver.check(store, &asserted) {
                    Answer::Sat(model) => {
                        assert!(Evaluator::default().all_hold(store, &model, &asserted));
                        "sat".to_owned()
                    }
                    Answer::Unsat(_) => "unsat".to_owned(),
                    Answer::Unknown(reason) => format!("unknown: {reason}"),
                });
            }
            _ => {}
        }
    }
    lines.join("\n")
}

#[track_caller]
fn check(script: &str, expected: &str) {
    let config = Config {
        cross_check: Some(|disagreement| panic!("{disagreement:?}")),
        ..Config::default()
    };
    let found = answers(&mut Solver::new(config), &mut Store::new(), script);
    assert_eq!(found, expected);
}

#[test]
fn bit_vectors_wrap_around() {
    check(
        "(declare-const x (_ BitVec 8))
         (assert (bvult (bvadd x #x01) x)) (check-sat)
         (assert (bvult x #xff)) (check-sat)",
        "sat\nunsat",
    );
}

#[test]
fn functions_have_any_number_of_parameters() {
    for parameters in 1..=9 {
        let sorts = "(_ BitVec 8) ".repeat(parameters);
        let rest = "y ".repeat(parameters - 1);
        check(
            &format!(
                "(declare-fun f ({sorts}) (_ BitVec 8))
                 (declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8))
                 (assert (= (f x {rest}) #x05)) (assert (= (f y {rest}) #x06)) (check-sat)
                 (assert (= x y)) (check-sat)"
            ),
            "sat\nunsat",
        );
    }
}

#[test]
fn queries_about_one_or_two_bytes_are_decided_by_trying_every_value() {
    // Squares are 0, 1, 2 or 4 modulo 7; two cubes make 4 modulo 9 in no way.
    let byte = "(declare-const x (_ BitVec 8)) (declare-const p Bool)
        (define-fun w () (_ BitVec 32) ((_ zero_extend 24) x))
        (assert (= p (= (bvurem (bvmul w w) #x00000007) #x00000003)))";
    let bytes = "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))
        (define-fun v () (_ BitVec 32) ((_ zero_extend 24) (select a #x00000000)))
        (define-fun w () (_ BitVec 32) ((_ zero_extend 24) (select a #x00000009)))
        (define-fun sum () (_ BitVec 32) (bvadd (bvmul v v v) (bvmul w w w)))";
    for (script, answer) in [
        (format!("{byte} (assert p) (check-sat)"), "unsat"),
        (
            format!("{byte} (assert (not p)) (assert (bvugt x #xf0)) (check-sat)"),
            "sat",
        ),
        (
            format!("{bytes} (assert (= (bvurem sum #x00000009) #x00000004)) (check-sat)"),
            "unsat",
        ),
        (
            format!("{bytes} (assert (= (bvurem sum #x00000009) #x00000007)) (check-sat)"),
            "sat",
        ),
    ] {
        let mut solver = Solver::default();
        assert_eq!(answers(&mut solver, &mut Store::new(), &script), answer);
        assert_eq!(solver.statistics().backend_calls(), 0, "{script}");
    }
}

#[test]
fn the_core_of_an_enumeration_leaves_out_what_refutes_nothing() {
    let mut store = Store::new();
    let script = "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 4))
        (assert (= (bvmul x x) #x02)) (assert (= (bvmul y y) ((_ extract 3 0) (bvmul x #x03))))";
    let script = smtlib::parse(&mut store, script).expect("it is well-formed");
    let asserted: Vec<Term> = script
        .commands
        .iter()
        .filter_map(|it| match it.command {
            Command::Assert { term, .. } => Some(term),
            _ => None,
        })
        .collect();
    let Answer::Unsat(core) = Solver::default().check(&mut store, &asserted) else {
        panic!("no square ends in two");
    };
    assert_eq!(core, asserted[..1]);
}

#[test]
fn scopes_take_back_what_they_asserted() {
    check(
        "(declare-const x (_ BitVec 8)) (assert (bvugt x #x10))
         (push 1) (assert (bvult x #x05)) (check-sat) (pop 1) (check-sat)",
        "unsat\nsat",
    );
}

#[test]
fn reads_of_equal_indices_agree() {
    check(
        "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
         (declare-const i (_ BitVec 8)) (declare-const j (_ BitVec 8))
         (assert (not (= (select a i) (select a j)))) (check-sat)
         (assert (= (bvadd i #x01) (bvadd j #x01))) (check-sat)",
        "sat\nunsat",
    );
}

#[test]
fn equal_arrays_have_equal_elements() {
    check(
        "(declare-const a (Array (_ BitVec 4) (_ BitVec 4)))
         (declare-const b (Array (_ BitVec 4) (_ BitVec 4)))
         (declare-const i (_ BitVec 4))
         (assert (= a (store b i #x3))) (check-sat)
         (assert (not (= (select a i) #x3))) (check-sat)",
        "sat\nunsat",
    );
}

#[test]
fn functions_take_equal_arguments_to_equal_results() {
    check(
        "(declare-fun f ((_ BitVec 8) Bool) (_ BitVec 8))
         (declare-const x (_ BitVec 8)) (declare-const p Bool)
         (assert (not (= (f x p) (f #x05 true)))) (check-sat)
         (assert (and p (= (bvmul x #x03) #x0f))) (check-sat)",
        "sat\nunsat",
    );
}

#[test]
fn floating_point_is_decided_exactly() {
    check(
        "(declare-const x Float16)
         (assert (fp.eq (fp.mul RNE x x) ((_ to_fp 5 11) RNE 3.0))) (check-sat)",
        "unsat",
    );
    check(
        "(declare-const x Float32)
         (assert (not (fp.isNaN x))) (assert (not (fp.isInfinite x)))
         (assert (fp.eq (fp.add RNE x ((_ to_fp 8 24) RNE 1.0)) x)) (check-sat)",
        "sat",
    );
    // Z3 would take minutes to confirm this one.
    let script = "(declare-const x Float64)
         (assert (fp.eq (fp.mul RNE x x) ((_ to_fp 11 53) RNE 2.0))) (check-sat)";
    let answer = answers(&mut Solver::default(), &mut Store::new(), script);
    assert_eq!(answer, "unsat");
}

#[test]
fn integers_reals_and_strings_go_to_z3() {
    check(
        "(declare-const n Int) (assert (= (* n n) 144)) (assert (< n 0)) (check-sat)
         (assert (> n (- 12))) (check-sat)",
        "sat\nunsat",
    );
    check(
        "(declare-const r Real) (assert (= (* 3.0 r) 1.0)) (check-sat)",
        "sat",
    );
    check(
        "(declare-const s String) (assert (= (str.len s) 3))
         (assert (str.in_re s (re.+ (str.to_re \"ab\")))) (check-sat)",
        "unsat",
    );
}

#[test]
fn what_smtlib_leaves_open_is_left_open() {
    // (div 1 0) may be anything, but is one thing.
    check(
        "(declare-const x Int) (assert (= x 0)) (assert (= (div 1 x) 7)) (check-sat)
         (assert (not (= (div 1 x) (div 1 0)))) (check-sat)",
        "sat\nunsat",
    );
}

#[test]
fn a_table_spelled_out_element_by_element_is_read_as_a_table() {
    let mut script = String::from(
        "(declare-const t (Array (_ BitVec 32) (_ BitVec 8))) (declare-const i (_ BitVec 32))",
    );
    for i in 0..64 {
        script += &format!(
            "(assert (= (select t (_ bv{i} 32)) (_ bv{} 8)))",
            i * i % 251
        );
    }
    script += "(assert (bvult i (_ bv64 32))) (assert (= (select t i) (_ bv144 8))) (check-sat)
               (assert (bvult i (_ bv12 32))) (check-sat)";
    check(&script, "sat\nunsat");
}

#[test]
fn a_core_names_only_constraints_that_exclude_each_other() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(32)));
    let square = store.bv_mul(x, x);
    let two = store.bv(32, 2);
    let impossible = store.eq(square, two);
    let other = store.bv_ult(x, y);
    let Answer::Unsat(core) = Solver::default().check(&mut store, &[other, impossible]) else {
        panic!("no square is two modulo a power of two");
    };
    assert_eq!(core, [impossible]);
}

#[test]
fn constraints_that_share_nothing_are_decided_apart() {
    let mut store = Store::new();
    let mut solver = Solver::default();
    let script = "
        (declare-const a (Array (_ BitVec 32) (_ BitVec 8)))
        (assert (bvult (select a #x00000000) #x05))
        (assert (bvugt (select a #x00000001) #xf0))
        (assert (= (bvmul (select a #x00000002) #x07) #x15))
        (check-sat)";
    assert_eq!(answers(&mut solver, &mut store, script), "sat");
    assert_eq!(solver.statistics().slices, 3);
}

#[test]
fn a_read_at_a_symbolic_index_joins_the_elements_of_its_array() {
    check(
        "(declare-const a (Array (_ BitVec 8) (_ BitVec 8))) (declare-const i (_ BitVec 8))
         (assert (= (select a #x00) #x01)) (assert (= (select a #x01) #x01))
         (assert (bvult i #x02)) (assert (= (select a i) #x02)) (check-sat)",
        "unsat",
    );
}

#[test]
fn a_query_on_a_path_changes_the_model_only_where_it_must() {
    let mut store = Store::new();
    let mut solver = Solver::default();
    let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(16)));
    let (seven, nine) = (store.bv(16, 7), store.bv(16, 9));
    let x_is_large = store.bv_ult(seven, x);
    let y_is_small = store.bv_ult(y, nine);
    let mut path = PathCondition::new();
    solver.add(&store, &mut path, x_is_large);
    solver.add(&store, &mut path, y_is_small);
    let Answer::Sat(model) = solver.check_path(&mut store, &path) else {
        panic!("the path is feasible");
    };
    let fork = path.clone();
    let query = store.eq(x, nine);
    let Answer::Sat(changed) = solver.check_extended(&mut store, &path, &model, query) else {
        panic!("x can be nine");
    };
    let [x_var, y_var] = [x, y].map(|term| store.as_variable(term).unwrap());
    assert_eq!(changed.get(y_var), model.get(y_var));
    assert_ne!(changed.get(x_var), None);
    solver.add(&store, &mut path, query);
    let all: Vec<Term> = path.constraints().collect();
    assert!(Evaluator::default().all_hold(&store, &changed, &all));
    assert_eq!(all.len(), 3);
    assert_eq!(fork.constraints().count(), 2);
}

#[test]
fn the_same_query_is_answered_from_memory() {
    let mut store = Store::new();
    let mut solver = Solver::default();
    let script = "(declare-const x (_ BitVec 32)) (declare-const y (_ BitVec 32))
        (assert (= (bvmul x y) #x075bcd15)) (assert (bvugt x #x00000001))
        (assert (bvult x y)) (check-sat) (check-sat)";
    answers(&mut solver, &mut store, script);
    assert_eq!(solver.statistics().link(Link::Exact).answered, 1);
    assert_eq!(solver.statistics().queries, 2);
}

/// A product of two primes, to be factored.
fn factoring(store: &mut Store) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(64)));
    let product = store.bv_mul(x, y);
    let semiprime = store.bv(64, 4_294_967_291 * 4_294_967_279);
    let limit = store.bv(64, 1 << 32);
    let one = store.bv(64, 1);
    vec![
        store.eq(product, semiprime),
        store.bv_ult(x, limit),
        store.bv_ult(y, limit),
        store.bv_ult(one, x),
        store.bv_ult(one, y),
    ]
}

#[track_caller]
fn gives_up(limits: Limits, expected: Reason) {
    let mut store = Store::new();
    let query = factoring(&mut store);
    match Bitblast::new().check(&mut store, &query, &limits) {
        Verdict::Unknown(reason) => assert_eq!(reason, expected),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_query_stops_at_its_limits() {
    gives_up(
        Limits {
            conflicts: Some(3000),
            ..Limits::default()
        },
        Reason::Conflicts,
    );
    gives_up(
        Limits {
            memory: Some(100_000),
            ..Limits::default()
        },
        Reason::Memory,
    );
    gives_up(
        Limits {
            stop: Stop::never().within(Some(std::time::Duration::from_millis(50))),
            ..Limits::default()
        },
        Reason::Time,
    );
}

#[test]
fn another_thread_stops_a_query() {
    let stop = Stop::never();
    let set = stop.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        set.set(base::Cause::Interrupt);
    });
    gives_up(
        Limits {
            stop,
            ..Limits::default()
        },
        Reason::Interrupted,
    );
    stopper
        .join()
        .expect("the thread only sleeps and sets the token");
}

#[test]
fn unknown_says_why() {
    let mut store = Store::new();
    let query = factoring(&mut store);
    let config = Config {
        limits: Limits {
            conflicts: Some(50),
            ..Limits::default()
        },
        ..Config::default()
    };
    match Solver::new(config).check(&mut store, &query) {
        Answer::Unknown(_) => {}
        other => panic!("fifty conflicts do not factor: {other:?}"),
    }
}

#[test]
fn equal_solvers_give_equal_answers() {
    let run = || -> (String, Vec<Assignment>) {
        let mut store = Store::new();
        let mut solver = Solver::default();
        let mut models = Vec::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(32)));
        for n in 1..40u64 {
            let (product, number) = (store.bv_mul(x, y), store.bv(32, n * 1_000_003));
            let (equal, less) = (store.eq(product, number), store.bv_ult(x, y));
            if let Answer::Sat(model) = solver.check(&mut store, &[equal, less]) {
                models.push(model);
            }
        }
        (format!("{}", store.len()), models)
    };
    assert_eq!(run(), run());
}

/// Rounds of a hash function over a number of 64 bits: sums, rotations and products.
fn hashed(store: &mut Store, key: Term) -> Term {
    let mut state = key;
    for round in 0..8 {
        let odd = store.bv(64, 0x9e37_79b9_7f4a_7c15 + 2 * round);
        let product = store.bv_mul(state, odd);
        let rotated = store.rotate_left(product, 23);
        state = store.bv_xor(rotated, key);
    }
    state
}

#[test]
fn hashes_of_equal_keys_are_equal_without_a_search() {
    let mut store = Store::new();
    let bytes = Sort::Array {
        index: 64,
        element: 8,
    };
    let mut key = |name: &str| {
        let array = store.var(name, bytes);
        let mut elements = Vec::new();
        for index in 0..8 {
            let index = store.bv(64, index);
            elements.push(store.select(array, index));
        }
        elements
    };
    let (a, b) = (key("a"), key("b"));
    let mut constraints: Vec<Term> = Vec::new();
    for (&a, &b) in a.iter().zip(&b) {
        constraints.push(store.eq(a, b));
    }
    let mut number = |bytes: &[Term]| {
        let whole = bytes[1..]
            .iter()
            .fold(bytes[0], |low, &high| store.concat(high, low));
        hashed(&mut store, whole)
    };
    let (a, b) = (number(&a), number(&b));
    let same = store.eq(a, b);
    let differ = store.not(same);
    let mut solver = Solver::new(Config {
        limits: Limits {
            conflicts: Some(100),
            ..Limits::default()
        },
        ..Config::default()
    });
    constraints.push(differ);
    let Answer::Unsat(core) = solver.check(&mut store, &constraints) else {
        panic!("the hashes are equal")
    };
    assert_eq!(core.len(), 9);
    // Without one byte they may differ.
    assert!(solver.check(&mut store, &constraints[1..]).is_sat());
}

#[test]
fn equal_elements_of_arrays_are_equal_at_any_index_that_means_them() {
    check(
        "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
         (declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
         (declare-const i (_ BitVec 8))
         (declare-const j (_ BitVec 8))
         (assert (= (select a #x00) (select b #x00)))
         (assert (= (bvmul (select a #x00) i) (bvmul (select b #x00) j)))
         (assert (distinct (select a i) (select b #x00)))
         (check-sat)
         (assert (= i j))
         (check-sat)
         (assert (= i #x00))
         (check-sat)",
        "sat\nsat\nunsat",
    );
}

/// A number below a hundred thousand as a program prints it: the last digit is cut to four
/// bits, because the program knows that it is small.
#[test]
fn digits_of_a_number_with_bounds_take_no_search() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let [ten, end, most] = [10, 100_000, 9_999].map(|c| store.bv(32, c));
    let bounds = [store.bv_ult(x, end), store.bv_ult(most, x)];
    let (mut read, mut place) = (store.bv(32, 0), 10_000);
    while place > 0 {
        let by = store.bv(32, place);
        let mut digit = store.bv_udiv(x, by);
        if place == 10_000 {
            let part = store.extract(digit, 0, 4);
            digit = store.zext(part, 32);
        }
        digit = store.bv_urem(digit, ten);
        let tens = store.bv_mul(read, ten);
        read = store.bv_add(tens, digit);
        place /= 10;
    }
    let same = store.eq(read, x);
    let differs = store.not(same);
    let mut solver = Solver::new(Config {
        limits: Limits {
            conflicts: Some(1),
            ..Limits::default()
        },
        ..Config::default()
    });
    let Answer::Unsat(core) = solver.check(&mut store, &[bounds[0], bounds[1], differs]) else {
        panic!("a number is what its digits spell");
    };
    assert!(core.contains(&differs));
    assert!(
        solver
            .check(&mut store, &[bounds[0], bounds[1], same])
            .is_sat()
    );
}
