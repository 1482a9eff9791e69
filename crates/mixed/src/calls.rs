//! Real calls while terms are evaluated.
//!
//! A run that crashes or hangs costs many times what another does, and a search
//! would gladly make thousands of them. A function that fails too often is given
//! up for the query at hand, and the query with it.

use oracle::{Accident, Failure, Oracle};
use rustc_hash::FxHashMap;
use solver::Reason;
use term::{Function, Functions, Store, Term, Value};

/// Failed runs of one function that a query may cost.
const FAILURES: u32 = 32;

/// As many failed runs one that does not come back counts for.
const HANG: u32 = 16;

/// What failed runs of a function cost.
#[derive(Default)]
struct Cost {
    /// Failed runs that were counted, of all there were so far.
    counted: u64,
    /// For the query at hand.
    spent: u32,
    /// Rows of its table when it was given up last.
    given_up: Option<usize>,
}

/// The external functions as evaluation calls them.
pub(crate) struct Calls<'f> {
    pub oracle: Oracle<'f>,
    /// By the function's number: whether the oracle knows it, once looked up.
    external: Vec<Option<bool>>,
    /// Why a call had no result, until somebody takes it.
    failure: Option<Failure>,
    /// By function.
    costs: FxHashMap<String, Cost>,
    /// The first failed run for the query at hand.
    accident: Option<Failure>,
    /// The query at hand costs too much.
    too_expensive: bool,
}

impl<'f> Calls<'f> {
    pub fn new(oracle: Oracle<'f>) -> Calls<'f> {
        Calls {
            oracle,
            external: Vec::new(),
            failure: None,
            costs: FxHashMap::default(),
            accident: None,
            too_expensive: false,
        }
    }

    /// Begins a query, or ends one: what failed before is forgiven.
    pub fn forgive(&mut self) {
        (self.accident, self.too_expensive) = (None, false);
        for cost in self.costs.values_mut() {
            cost.spent = 0;
        }
    }

    /// Whether no more should be done about the query at hand.
    pub fn is_over(&self) -> bool {
        self.too_expensive || self.oracle.stop().is_set()
    }

    /// Why the query at hand was not decided, if that is due to a stop or to the
    /// functions.
    pub fn trouble(&self) -> Option<Reason> {
        let accident = self.accident.as_ref();
        Reason::of_stop(self.oracle.stop())
            .or_else(|| accident.map(|failure| Reason::Function(failure.to_string())))
    }

    /// What a function gives.
    pub fn run(&mut self, function: &str, arguments: &[Value]) -> Option<Value> {
        if self.too_expensive {
            let known = self.oracle.table(function)?.get(arguments).cloned();
            if known.is_none() {
                self.failure = self.failure.take().or_else(|| self.accident.clone());
            }
            return known;
        }
        match self.oracle.call(function, arguments) {
            Ok(value) => Some(value),
            Err(failure) => {
                self.count(function, &failure);
                self.failure.get_or_insert(failure);
                None
            }
        }
    }

    fn count(&mut self, function: &str, failure: &Failure) {
        let runs = self.oracle.statistics(function).map_or(0, |s| s.in_vain);
        let rows = self.oracle.table(function).map_or(0, |table| table.len());
        let cost = self.costs.entry(function.to_owned()).or_default();
        if std::mem::replace(&mut cost.counted, runs) == runs {
            return;
        }
        self.accident.get_or_insert_with(|| failure.clone());
        let hangs = matches!(
            failure,
            Failure::Accident {
                accident: Accident::TimedOut { .. },
                ..
            }
        );
        cost.spent += if hangs { HANG } else { 1 };
        // One that has given nothing since it was given up gets one more chance.
        if cost.spent >= FAILURES || cost.given_up == Some(rows) {
            cost.given_up = Some(rows);
            self.too_expensive = true;
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

    /// Why a call since the last query had no result.
    pub fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }
}

impl Functions for Calls<'_> {
    fn call(&mut self, store: &Store, function: Function, arguments: &[Value]) -> Option<Value> {
        if !self.is_external(store, function) {
            return None;
        }
        self.run(&store.signature(function).name, arguments)
    }
}
