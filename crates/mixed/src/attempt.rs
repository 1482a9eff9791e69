//! One solution of the simple part, taken as far as it goes.

use crate::check::{Mixed, Query};
use rustc_hash::FxHashMap;
use solver::Answer;
use term::{Assignment, Store, Term, Value};

/// What became of a solution.
pub(crate) enum Attempt {
    /// It leads to this one, which real calls confirmed.
    Found(Assignment),
    /// It does not, with these equations between arguments and what the
    /// functions were run on.
    Failed(Vec<Term>),
}

impl Mixed<'_> {
    /// Runs the functions on the solution, puts what they give in their place,
    /// and solves the query again with their arguments fixed.
    pub(crate) fn attempt(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        solution: &Assignment,
    ) -> Attempt {
        if self.confirmed(store, query.all, solution) {
            return Attempt::Found(solution.clone());
        }
        let Some(ran) = self.run_functions(store, &query.complex, solution) else {
            return Attempt::Failed(Vec::new());
        };
        let mut constraints = query.simple.clone();
        constraints.extend(term::substitute(store, &query.complex, &ran.results));
        if self.config.hold_arguments {
            constraints.extend_from_slice(&ran.fixed);
        }
        let effort = self.effort(store, &constraints);
        let answer = self
            .solver
            .with_conflicts(effort, |solver| solver.check(store, &constraints));
        if let Answer::Sat(model) = answer {
            let mut found = solution.clone();
            for variable in term::free_variables(store, &constraints) {
                let value = model.get(variable).cloned();
                let default = || Value::default_of(store.variable_sort(variable));
                found.set(variable, value.unwrap_or_else(default));
            }
            if !self.config.hold_arguments || self.confirmed(store, query.all, &found) {
                return Attempt::Found(found);
            }
        }
        Attempt::Failed(ran.fixed)
    }

    /// Whether all constraints hold with real calls, none of which failed.
    pub(crate) fn confirmed(
        &mut self,
        store: &Store,
        constraints: &[Term],
        model: &Assignment,
    ) -> bool {
        self.calls.take_failure();
        let mut evaluation = self.under(store, model);
        let holds = constraints.iter().all(|&term| evaluation.holds(term));
        holds && self.calls.take_failure().is_none()
    }

    /// Runs the functions in the terms under the solution, the inner before the
    /// outer; none when one of them has no result there.
    fn run_functions(
        &mut self,
        store: &mut Store,
        terms: &[Term],
        solution: &Assignment,
    ) -> Option<Ran> {
        self.calls.take_failure();
        let applications = self.calls.applications(store, terms);
        let mut results: FxHashMap<Term, Term> = FxHashMap::default();
        let mut fixed = Vec::new();
        for application in applications {
            let arguments: Vec<Term> = store.args(application).to_vec();
            let mut evaluation = self.under(store, solution);
            let result = evaluation.value(application);
            let values: Vec<Value> = arguments.iter().map(|&a| evaluation.value(a)).collect();
            let arguments = term::substitute(store, &arguments, &results);
            for (argument, value) in arguments.into_iter().zip(values) {
                let value = store.value(value);
                fixed.push(store.eq(argument, value));
            }
            let result = store.value(result);
            results.insert(application, result);
        }
        fixed.retain(|&equation| store.as_bool(equation) != Some(true));
        match self.calls.take_failure() {
            None => Some(Ran { results, fixed }),
            Some(_) => None,
        }
    }
}

/// Functions that were run.
struct Ran {
    /// By application, what it gave.
    results: FxHashMap<Term, Term>,
    /// Equations between arguments and what they were.
    fixed: Vec<Term>,
}
