//! Wherever the stop token is set, a session ends with what is finished, and asks the
//! token only a few times more on its way out. No clock is looked at.

use base::{Cause, Stop, Stopped};
use engine::policy::generational::Marked;
use engine::{Compilation, Observer, Options, PathEnd, Session, Start};
use machine::{Continuation, End, Language};
use mixed::oracle::Oracle;
use mixed::{Config, Mixed, Strategy};
use program::Program;
use solver::{ByteValues, Solver};
use suite::{Outcome, Recipe};
use term::{Store, Term};

/// How often the token may be asked after it was set: once or twice on each floor that
/// the work unwinds through.
const UNWINDING: u64 = 40;

/// The product of two primes of 32 bits: no query about its factors ends soon.
const SEMIPRIME: &str = r#"
    #include <everypath.h>
    int main(void) {
        unsigned long x, y;
        ep_symbolic(&x, sizeof x, "x");
        ep_symbolic(&y, sizeof y, "y");
        ep_assume(x > 1 && y > 1 && x < 1ul << 32 && y < 1ul << 32);
        if (x * y == 9345208821757322069ul)
            return 1;
        return 0;
    }"#;

/// Forks at every turn of a loop that does not end.
const FORKS: &str = r#"
    #include <everypath.h>
    int main(void) {
        unsigned sum = 0;
        for (;;) {
            unsigned char c;
            ep_symbolic(&c, 1, "c");
            if (c > 7)
                sum += c;
        }
    }"#;

/// Computes without an end and without a symbolic branch.
const SPINS: &str = "int main(void) { for (volatile unsigned i = 0;; i++); }";

/// Counts the tests it hears of.
#[derive(Default)]
struct Heard(u64);

impl Observer for Heard {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, _: &End) {
        self.0 += u64::from(path.test.is_some());
    }

    fn unfinished(&mut self, path: &mut PathEnd<'_, '_>) {
        self.0 += u64::from(path.test.is_some());
    }
}

fn compiled(text: &str) -> (Recipe, Program) {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).expect("the directory is writable");
    let recipe = Recipe::of_files([file]);
    let program = engine::compile(&recipe, &Compilation::default()).expect("it compiles");
    (recipe, program)
}

/// Everything holds the token.
fn options<'s>(stop: &Stop, strategy: Strategy) -> Options<'s> {
    let limits = solver::Limits {
        stop: stop.clone(),
        ..solver::Limits::default()
    };
    let solver = Solver::new(solver::Config {
        limits,
        ..solver::Config::default()
    });
    let config = Config {
        strategy,
        ..Config::default()
    };
    Options {
        machine: machine::Options {
            stop: stop.clone(),
            ..machine::Options::default()
        },
        mixed: Mixed::new(config, solver, Oracle::new()),
        ..Options::default()
    }
}

/// Explores with a token that is set after so many looks at it.
#[track_caller]
fn check(text: &str, strategy: Strategy, search: &str, looks: u64) {
    let (recipe, program) = compiled(text);
    let stop = Stop::after(looks);
    let mut options = options(&stop, strategy);
    options.plan.strategy = search.parse().expect("there is such a search");
    let main = program.function("main").expect("there is one");
    let session = Session::new(recipe, options);
    let mut prepared = session
        .prepare(&program, Start::Function(main))
        .expect("it begins");
    let mut heard = Heard::default();
    let report = prepared.run(&mut heard).expect("there is a report");
    let late = stop.late();
    assert_eq!(
        report.outcome,
        Outcome::Limit,
        "{search} after {looks} looks"
    );
    assert!(
        late <= UNWINDING,
        "{search}: {late} looks after the stop at {looks}"
    );
    assert_eq!(report.tests, heard.0, "every test was told");
}

#[test]
fn a_query_that_does_not_end_is_given_up() {
    for looks in [1, 10, 100, 1000] {
        check(SEMIPRIME, Strategy::Mixed, "interleaved", looks);
        check(SEMIPRIME, Strategy::Dart, "dfs", looks);
    }
}

#[test]
fn a_loop_that_forks_without_end_is_left() {
    for search in ["dfs", "bfs", "interleaved", "fitness"] {
        for looks in [1, 30, 700] {
            check(FORKS, Strategy::Mixed, search, looks);
        }
    }
    check(FORKS, Strategy::Dart, "dfs", 100);
}

#[test]
fn a_loop_that_only_computes_is_left() {
    for strategy in [Strategy::Mixed, Strategy::Dart] {
        check(SPINS, strategy, "dfs", 20);
    }
}

/// Words begin with two factors of a semiprime: whether there is one more byte is a query
/// that does not end soon.
struct Factors;

impl Language for Factors {
    fn next(
        &mut self,
        store: &mut Store,
        bytes: &[Term],
        _: &[ByteValues],
        stop: &Stop,
    ) -> Result<Continuation, Stopped> {
        stop.check()?;
        let [x, y] = [&bytes[..4], &bytes[4..8]].map(|bytes| {
            let bytes = bytes.iter().copied();
            let number = bytes.reduce(|low, high| store.concat(high, low));
            store.zext(number.expect("there are four"), 64)
        });
        let (product, one) = (store.bv_mul(x, y), store.bv(64, 1));
        let semiprime = store.bv(64, 9345208821757322069);
        let equal = store.eq(product, semiprime);
        let (above_x, above_y) = (store.bv_ult(one, x), store.bv_ult(one, y));
        let above = store.and(above_x, above_y);
        Ok(Continuation {
            more: store.and(equal, above),
            end: store.bool(false),
        })
    }

    fn complete(&self, _: &[u8], _: bool, stop: &Stop) -> Result<Option<Vec<u8>>, Stopped> {
        stop.check().map(|()| None)
    }
}

#[test]
fn a_language_that_is_hard_to_decide_is_no_error_of_a_stopped_run() {
    let (mut recipe, program) =
        compiled("#include <stdio.h>\nint main(void) { return getchar() == 'a'; }");
    recipe.stdin = Some(8);
    let main = program.function("main").expect("there is one");
    for looks in [0, 1, 3, 10, 100, 1000] {
        let stop = Stop::after(looks);
        let options = Options {
            language: Some(Box::new(Factors)),
            ..options(&stop, Strategy::Mixed)
        };
        let session = Session::new(recipe.clone(), options);
        let start = Start::Function(main);
        let mut prepared = session.prepare(&program, start).expect("it begins");
        let report = prepared.run(&mut ()).expect("there is a report");
        assert_eq!(report.outcome, Outcome::Limit, "after {looks} looks");
        assert!(
            report.errors.is_empty(),
            "after {looks} looks: {:?}",
            report.errors
        );
        assert_eq!((report.paths.unfinished, report.paths.errors), (1, 0));
        let late = stop.late();
        assert!(late <= UNWINDING, "{late} looks after the stop at {looks}");
    }
}

#[test]
fn a_run_on_a_given_input_is_left() {
    let (recipe, program) = compiled(SPINS);
    let stop = Stop::after(20);
    let session = Session::new(recipe, options(&stop, Strategy::Mixed));
    let mut tracer = session.tracer(&program).expect("it begins");
    let traced = tracer.trace(b"", Marked::Bytes { most: 4 }, u64::MAX);
    assert_eq!(traced.end, None);
    assert!(stop.late() <= UNWINDING, "{}", stop.late());
}

#[test]
fn a_token_that_is_set_before_leaves_one_unfinished_path() {
    let (recipe, program) = compiled(FORKS);
    let stop = Stop::never();
    stop.set(Cause::Interrupt);
    let main = program.function("main").expect("there is one");
    let session = Session::new(recipe, options(&stop, Strategy::Mixed));
    let start = Start::Function(main);
    let mut prepared = session.prepare(&program, start).expect("it begins");
    let report = prepared.run(&mut ()).expect("there is a report");
    assert_eq!(report.outcome, Outcome::Interrupted);
    assert_eq!((report.tests, report.paths.unfinished), (1, 1));
}
