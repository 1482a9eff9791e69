//! A query that is a disjunction, decided one disjunct after the other. That an
//! array is sorted everywhere is hard to prove at once, and easy at each index.

use crate::check::Mixed;
use solver::{Answer, PathCondition};
use term::{Assignment, Op, Store, Term};

/// Beyond this many disjuncts the query as a whole is the better one.
const MOST_CASES: usize = 64;

impl Mixed<'_> {
    /// The answer to a query of [several](are_several) cases, if each of them is
    /// easy to decide.
    pub(crate) fn case_by_case(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        query: Term,
    ) -> Option<Answer> {
        let conflicts = Some(self.config.conflicts_before_search);
        for part in refused(store, query) {
            let case = store.not(part);
            let answer = self.solver.with_conflicts(conflicts, |solver| {
                solver.check_extended(store, path, model, case)
            });
            match answer {
                Answer::Sat(found) => return Some(Answer::Sat(found)),
                Answer::Unsat(_) => {}
                Answer::Unknown(_) => return None,
            }
        }
        Some(Answer::Unsat(self.relevant(store, path, query)))
    }
}

/// Whether a query is a disjunction of a few cases.
pub(crate) fn are_several(store: &Store, query: Term) -> bool {
    let parts = refused(store, query);
    (2..=MOST_CASES).contains(&parts.len())
}

/// The negated disjuncts of a query; terms have `not (and ..)` for `or`.
fn refused(store: &Store, query: Term) -> Vec<Term> {
    match (store.op(query), store.args(query)) {
        (Op::Not, &[all]) => term::conjuncts(store, all),
        _ => Vec::new(),
    }
}
