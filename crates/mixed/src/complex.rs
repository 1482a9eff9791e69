//! Which terms have external functions in them.

use crate::calls::Calls;
use term::{Op, Store, Term};

/// By term: whether floats are computed with somewhere in it.
#[derive(Default)]
pub(crate) struct Heaviness {
    known: Vec<bool>,
}

impl Heaviness {
    /// Whether any of the terms is heavy.
    pub fn of(&mut self, store: &Store, terms: &[Term]) -> bool {
        terms.iter().any(|&term| self.is_heavy(store, term))
    }

    fn is_heavy(&mut self, store: &Store, term: Term) -> bool {
        while self.known.len() <= term.number() {
            let next = store.term_at(self.known.len());
            let within = store.args(next).iter().any(|arg| self.known[arg.number()]);
            self.known.push(computes_floats(store.op(next)) || within);
        }
        self.known[term.number()]
    }
}

/// Whether the operator takes a circuit of many thousand gates.
pub(crate) fn computes_floats(op: Op) -> bool {
    matches!(
        op,
        Op::FpAdd | Op::FpMul | Op::FpDiv | Op::FpFma | Op::FpSqrt | Op::FpRem
    )
}

/// By term: whether an external function is applied somewhere in it.
#[derive(Default)]
pub(crate) struct Complexity {
    known: Vec<bool>,
}

impl Complexity {
    /// Whether the term has an external function in it.
    pub fn of(&mut self, store: &Store, calls: &mut Calls<'_>, term: Term) -> bool {
        // Arguments have smaller numbers than what they are arguments of.
        while self.known.len() <= term.number() {
            let next = store.term_at(self.known.len());
            let applies = match store.op(next) {
                Op::Apply => {
                    let function = store.as_function(next).expect("it is an application");
                    calls.is_external(store, function)
                }
                _ => false,
            };
            let within = store.args(next).iter().any(|arg| self.known[arg.number()]);
            self.known.push(applies || within);
        }
        self.known[term.number()]
    }
}
