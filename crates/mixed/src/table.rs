//! Satisfiability up to function summaries: SolveTab.
//!
//! The applications in a condition become variables, each with the *summary* that
//! the arguments and the variable are one of the rows of the function's table.
//! Where no rows fit, the solver looks for inputs that no table has yet, first
//! for ones that follow from rows of the functions they depend on; the functions
//! are run on them, the tables grow, and the condition is tried again. (Boudhiba,
//! Gaston, Le Gall, Prevosto: Symbolic execution of transition systems with
//! function summaries, TAP 2017.)

use crate::check::{Mixed, Query};
use crate::config::Strategy;
use oracle::Failure;
use rustc_hash::FxHashMap;
use solver::{Answer, PathCondition, Reason};
use term::{Assignment, Store, Term, Value};

/// Rows that a summary is quick with.
const SMALL: usize = 256;

/// A call: a function applied to arguments, and the variable of its result.
struct Call {
    function: String,
    arguments: Vec<Term>,
    result: Term,
}

impl Mixed<'_> {
    /// Whether `query` can hold on a path that `model` satisfies while each of
    /// these applications has a result, whether or not a condition speaks of it.
    pub fn check_with_calls(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        query: Term,
        calls: &[Term],
    ) -> Answer {
        self.calls.forgive();
        let answer = self.decide_with_calls(store, path, model, query, calls);
        self.calls.forgive();
        answer
    }

    fn decide_with_calls(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        query: Term,
        calls: &[Term],
    ) -> Answer {
        let mut constraints: Vec<Term> = path.constraints().collect();
        constraints.extend(term::conjuncts(store, query));
        let divided = self.divide(store, &constraints);
        let terms: Vec<Term> = divided.complex.iter().chain(calls).copied().collect();
        let only = self.only_tables(store, &terms);
        let tables = match self.config.strategy {
            Strategy::Table => true,
            // Rows that are there or a few calls away cost less than a search.
            Strategy::Mixed => self.tables_are_small(store, &terms),
            Strategy::Classic | Strategy::Exe | Strategy::Dart => false,
        };
        if !terms.is_empty() && (tables || only) {
            let answer = self.decide_by_tables(store, &divided, calls, model);
            let is_last = only || self.config.strategy == Strategy::Table || self.calls.is_over();
            if is_last || !matches!(answer, Answer::Unknown(_)) {
                return self.counted(answer);
            }
        }
        let answer = self.extended(store, path, model, query);
        let Answer::Sat(found) = &answer else {
            return answer;
        };
        self.take_failure();
        let mut evaluation = self.under(store, found);
        for &call in calls {
            evaluation.value(call);
        }
        match self.take_failure() {
            None => answer,
            Some(Failure::Stopped { .. }) => {
                let reason = Reason::of_stop(self.solver.stop());
                Answer::Unknown(reason.unwrap_or(Reason::Interrupted))
            }
            Some(failure) => Answer::Unknown(Reason::Function(failure.to_string())),
        }
    }

    /// Whether the query is one for summaries: the user says so, or a function
    /// in it has nothing but its table.
    pub(crate) fn believes_tables(&mut self, store: &Store, query: &Query<'_>) -> bool {
        self.config.strategy == Strategy::Table || self.only_tables(store, &query.complex)
    }

    fn only_tables(&mut self, store: &Store, terms: &[Term]) -> bool {
        let applications = self.calls.applications(store, terms);
        applications.into_iter().any(|application| {
            let function = store
                .as_function(application)
                .expect("it is an application");
            !self.calls.oracle.can_run(&store.signature(function).name)
        })
    }

    fn tables_are_small(&mut self, store: &Store, terms: &[Term]) -> bool {
        let applications = self.calls.applications(store, terms);
        applications.into_iter().all(|application| {
            let function = store
                .as_function(application)
                .expect("it is an application");
            let table = self.calls.oracle.table(&store.signature(function).name);
            table.is_some_and(|table| table.len() <= SMALL)
        })
    }

    /// Decides a query by the tables, which grow at most as often as the user
    /// allows. A "no" is a proof for any functions, as ever: that the tables have
    /// no solution is "unknown".
    pub(crate) fn decide_by_tables(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        calls: &[Term],
        near: &Assignment,
    ) -> Answer {
        let terms: Vec<Term> = query.all.iter().chain(calls).copied().collect();
        let applications = self.calls.applications(store, &terms);
        let (condition, calls) = self.without_calls(store, query.all, &applications);
        let found = self.solve_by_tables(store, &condition, &calls);
        if let Some(found) = found
            && self.confirmed(store, query.all, &found)
        {
            self.statistics.table.yes += 1;
            return Answer::Sat(self.merged(store, &terms, near, &found));
        }
        let effort = self.effort(store, &condition);
        let free = self
            .solver
            .with_conflicts(effort, |solver| solver.check(store, query.all));
        if free.is_unsat() {
            return free;
        }
        let no_rows = || Reason::Function("no rows of the functions' tables fit".to_owned());
        Answer::Unknown(self.calls.trouble().unwrap_or_else(no_rows))
    }

    /// The constraints with variables in the place of applications, and the calls.
    fn without_calls(
        &mut self,
        store: &mut Store,
        constraints: &[Term],
        applications: &[Term],
    ) -> (Vec<Term>, Vec<Call>) {
        let mut results: FxHashMap<Term, Term> = FxHashMap::default();
        let mut calls = Vec::new();
        for &application in applications {
            let function = store
                .as_function(application)
                .expect("it is an application");
            let function = store.signature(function).name.clone();
            let arguments = store.args(application).to_vec();
            let arguments = term::substitute(store, &arguments, &results);
            let sort = store.sort(application);
            let known = self.results.get(&application).copied();
            let result = known.unwrap_or_else(|| store.fresh_var(&function, sort));
            self.results.insert(application, result);
            results.insert(application, result);
            calls.push(Call {
                function,
                arguments,
                result,
            });
        }
        (term::substitute(store, constraints, &results), calls)
    }

    /// The published algorithm.
    fn solve_by_tables(
        &mut self,
        store: &mut Store,
        condition: &[Term],
        calls: &[Call],
    ) -> Option<Assignment> {
        let mut tries = self.config.max_tries;
        loop {
            let summaries = self.summaries(store, calls);
            if let Some(found) = self.solution(store, condition, &summaries) {
                return Some(found);
            }
            if tries == 0 || self.calls.is_over() {
                return None;
            }
            tries -= 1;
            let new = self.no_correspondence(store, calls);
            let mut wanted = self.dependencies(store, calls);
            wanted.push(new);
            let inputs = self.solution(store, condition, &wanted);
            let inputs = match inputs {
                Some(inputs) => inputs,
                None => self.solution(store, condition, &[new])?,
            };
            self.statistics.table.tries += 1;
            if !self.extend_tables(store, calls, &inputs) {
                return None;
            }
        }
    }

    fn solution(
        &mut self,
        store: &mut Store,
        condition: &[Term],
        further: &[Term],
    ) -> Option<Assignment> {
        let constraints: Vec<Term> = condition.iter().chain(further).copied().collect();
        let effort = self.effort(store, &constraints);
        match self
            .solver
            .with_conflicts(effort, |solver| solver.check(store, &constraints))
        {
            Answer::Sat(found) => Some(found),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }

    /// `Sums`: each call is one of the rows of its function's table. A stop leaves
    /// rows out, here and below; the solver decides nothing about them then.
    fn summaries(&mut self, store: &mut Store, calls: &[Call]) -> Vec<Term> {
        let stop = self.solver.stop();
        let rows = |call: &Call| self.rows(call);
        let mut summaries = Vec::new();
        for call in calls {
            let mut any = Vec::new();
            for (arguments, result) in rows(call) {
                if stop.is_set() {
                    break;
                }
                let equations = equations(store, &call.arguments, arguments);
                let result = store.value(result);
                let same = store.eq(call.result, result);
                any.push(store.and_all(equations.into_iter().chain([same])));
            }
            summaries.push(store.or_all(any));
        }
        summaries
    }

    /// `NoCorres`: the arguments of some call are in no row of its table.
    fn no_correspondence(&mut self, store: &mut Store, calls: &[Call]) -> Term {
        let mut any = Vec::new();
        for call in calls {
            let mut all = Vec::new();
            for (arguments, _) in self.rows(call) {
                if self.solver.stop().is_set() {
                    break;
                }
                let equations = equations(store, &call.arguments, arguments);
                let same = store.and_all(equations);
                all.push(store.not(same));
            }
            any.push(store.and_all(all));
        }
        store.or_all(any)
    }

    /// `Dep`: where the arguments of a call depend on the result of another, that
    /// result is one the other's table has.
    fn dependencies(&mut self, store: &mut Store, calls: &[Call]) -> Vec<Term> {
        let mut all = Vec::new();
        for call in calls {
            let variables = term::free_variables(store, &call.arguments);
            for other in calls {
                let result = store.as_variable(other.result);
                if !result.is_some_and(|result| variables.contains(&result)) {
                    continue;
                }
                let mut any = Vec::new();
                for (_, result) in self.rows(other) {
                    if self.solver.stop().is_set() {
                        break;
                    }
                    let result = store.value(result);
                    any.push(store.eq(other.result, result));
                }
                all.push(store.or_all(any));
            }
        }
        all
    }

    /// Runs every call on what the inputs give its arguments; whether that made a
    /// table grow.
    fn extend_tables(&mut self, store: &Store, calls: &[Call], inputs: &Assignment) -> bool {
        let mut grown = false;
        for call in calls {
            let mut evaluation = self.evaluator.under(store, inputs);
            let arguments = call.arguments.iter();
            let arguments: Vec<Value> = arguments.map(|&term| evaluation.value(term)).collect();
            let table = self.calls.oracle.table(&call.function);
            let known = table.is_some_and(|table| table.get(&arguments).is_some());
            if !known {
                // A function that has no result there leaves its table as it is.
                grown |= self.calls.run(&call.function, &arguments).is_some();
            }
        }
        grown
    }

    fn rows(&self, call: &Call) -> Vec<(Vec<Value>, Value)> {
        let table = self.calls.oracle.table(&call.function);
        let rows = table.into_iter().flat_map(|table| table.iter());
        rows.map(|(arguments, result)| (arguments.to_vec(), result.clone()))
            .collect()
    }
}

fn equations(store: &mut Store, terms: &[Term], values: Vec<Value>) -> Vec<Term> {
    let pairs = terms.iter().zip(values);
    pairs
        .map(|(&term, value)| {
            let value = store.value(value);
            store.eq(term, value)
        })
        .collect()
}
