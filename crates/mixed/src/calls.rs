//! Real calls while terms are evaluated.

use oracle::{Failure, Oracle};
use term::{Function, Functions, Store, Term, Value};

/// The external functions as evaluation calls them.
pub(crate) struct Calls<'f> {
    pub oracle: Oracle<'f>,
    /// By the function's number: whether the oracle knows it, once asked.
    external: Vec<Option<bool>>,
    /// Why a call had no result, since this was last asked.
    failure: Option<Failure>,
}

impl<'f> Calls<'f> {
    pub fn new(oracle: Oracle<'f>) -> Calls<'f> {
        Calls {
            oracle,
            external: Vec::new(),
            failure: None,
        }
    }

    /// Whether the function is external.
    pub fn is_external(&mut self, store: &Store, function: Function) -> bool {
        let number = function.number();
        if self.external.len() <= number {
            self.external.resize(number + 1, None);
        }
        let oracle = &self.oracle;
        *self.external[number].get_or_insert_with(|| oracle.knows(&store.signature(function).name))
    }

    /// The applications of external functions in the terms, the inner before
    /// the outer.
    pub fn applications(&mut self, store: &Store, terms: &[Term]) -> Vec<Term> {
        let mut found = term::post_order(store, terms);
        found.retain(|&term| {
            let function = store.as_function(term);
            function.is_some_and(|function| self.is_external(store, function))
        });
        found.sort_unstable();
        found
    }

    /// Why a call since the last question had no result.
    pub fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }
}

impl Functions for Calls<'_> {
    fn call(&mut self, store: &Store, function: Function, arguments: &[Value]) -> Option<Value> {
        if !self.is_external(store, function) {
            return None;
        }
        match self.oracle.call(&store.signature(function).name, arguments) {
            Ok(value) => Some(value),
            Err(failure) => {
                self.failure.get_or_insert(failure);
                None
            }
        }
    }
}
