//! Queries recorded from the symbolic execution of programs, with answers
//! that two other solvers agree on.

use solver::{Answer, Config, Limits, Solver};
use term::smtlib::{self, Command};
use term::{Evaluator, Store, Term};

const RECORDED: &str = include_str!("../../../tests/queries/recorded.smt2");

/// A recorded query: its name, constraints and known answer.
fn queries(store: &mut Store) -> Vec<(String, Vec<Term>, String)> {
    let parts = RECORDED.split("; == ").skip(1);
    parts
        .map(|part| {
            let (name, script) = part
                .split_once('\n')
                .expect("a title has a line of its own");
            let (mut constraints, mut status) = (Vec::new(), String::new());
            let script = smtlib::parse(store, script).expect("the recording is well-formed");
            for located in script.commands {
                match located.command {
                    Command::Assert { term, .. } => constraints.push(term),
                    Command::SetInfo(key, value) if key == "status" => status = value,
                    _ => {}
                }
            }
            (name.trim().to_owned(), constraints, status)
        })
        .collect()
}

#[test]
fn every_recorded_query_gets_its_recorded_answer() {
    let mut store = Store::new();
    let config = Config {
        limits: Limits {
            conflicts: Some(100_000),
            ..Limits::default()
        },
        ..Config::default()
    };
    let mut solver = Solver::new(config);
    let mut evaluator = Evaluator::default();
    let all = queries(&mut store);
    assert_eq!(all.len(), 1648);
    for (name, constraints, status) in all.iter().filter(|(_, _, status)| status != "unknown") {
        let word = match solver.check(&mut store, constraints) {
            Answer::Sat(model) => {
                assert!(evaluator.all_hold(&store, &model, constraints), "{name}");
                "sat".to_owned()
            }
            Answer::Unsat(_) => "unsat".to_owned(),
            Answer::Unknown(reason) => format!("unknown: {reason}"),
        };
        assert_eq!(&word, status, "{name}");
    }
    let undecided = all
        .iter()
        .filter(|(_, _, status)| status == "unknown")
        .count();
    assert_eq!(undecided, 1);
}

#[test]
fn the_cores_of_recorded_queries_are_contradictions_themselves() {
    let mut store = Store::new();
    let mut solver = Solver::default();
    let all = queries(&mut store);
    for (name, constraints, _) in all.iter().filter(|(_, _, status)| status == "unsat") {
        let Answer::Unsat(core) = solver.check(&mut store, constraints) else {
            panic!("{name} is a contradiction");
        };
        let parts: Vec<Term> = constraints
            .iter()
            .flat_map(|&constraint| term::conjuncts(&store, constraint))
            .collect();
        assert!(core.iter().all(|term| parts.contains(term)), "{name}");
        // A solver that remembers nothing has to find the contradiction again.
        assert!(
            Solver::default().check(&mut store, &core).is_unsat(),
            "{name}"
        );
    }
}
