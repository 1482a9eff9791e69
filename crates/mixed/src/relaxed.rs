//! Conditions with what is expensive to compute left open.
//!
//! Where floats are computed with, or an external function is called, anything may
//! come out: a fresh variable stands for the result. What cannot hold even then
//! cannot hold, and a solver sees that quickly. Much of what a program tests about
//! numbers it has tested before, in other words; this is what finds that out.

use crate::calls::Calls;
use crate::complex::computes_floats;
use term::{Op, Store, Substitution, Term};

/// By term, what is left of it.
pub(crate) struct Relaxed {
    parts: Substitution,
}

impl Default for Relaxed {
    fn default() -> Relaxed {
        Relaxed {
            parts: Substitution::new(&Default::default()),
        }
    }
}

impl Relaxed {
    /// The term with variables for what is expensive.
    pub fn of(&mut self, store: &mut Store, calls: &mut Calls<'_>, root: Term) -> Term {
        self.parts.apply_or(store, root, |store, term| {
            let open = is_open(store, calls, term);
            open.then(|| store.fresh_var("open", store.sort(term)))
        })
    }
}

fn is_open(store: &Store, calls: &mut Calls<'_>, term: Term) -> bool {
    match store.op(term) {
        Op::Apply => {
            let function = store.as_function(term).expect("it is an application");
            calls.is_external(store, function)
        }
        op => computes_floats(op),
    }
}
