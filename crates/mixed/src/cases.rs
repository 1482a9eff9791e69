//! A question that asks whether one of several things can hold, one thing after the
//! other: that an order is broken nowhere is much work for a solver that is asked
//! about all places at once, and next to none for each place.

use crate::check::Mixed;
use solver::{Answer, PathCondition};
use term::{Assignment, Op, Store, Term};

/// Beyond this the question as a whole is the better one.
const MOST_CASES: usize = 64;

impl Mixed<'_> {
    /// The answer to a question of [several](are_several) cases, if each of them is
    /// easy to decide.
    pub(crate) fn case_by_case(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        question: Term,
    ) -> Option<Answer> {
        let patience = Some(self.config.patience);
        for part in refused(store, question) {
            let case = store.not(part);
            let answer = self.within(patience, |solver| {
                solver.check_extended(store, path, model, case)
            });
            match answer {
                Answer::Sat(found) => return Some(Answer::Sat(found)),
                Answer::Unsat(_) => {}
                Answer::Unknown(_) => return None,
            }
        }
        Some(Answer::Unsat(self.relevant(store, path, question)))
    }
}

/// Whether a question asks for one of several things.
pub(crate) fn are_several(store: &Store, question: Term) -> bool {
    let parts = refused(store, question);
    (2..=MOST_CASES).contains(&parts.len())
}

/// What a question asks to hold not all at once.
fn refused(store: &Store, question: Term) -> Vec<Term> {
    match (store.op(question), store.args(question)) {
        (Op::Not, &[all]) => term::conjuncts(store, all),
        _ => Vec::new(),
    }
}
