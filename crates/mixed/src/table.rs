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
pub(crate) const SMALL: usize = 256;

/// A call: a function applied to arguments, and the variable of its result.
pub(crate) struct Call {
    pub function: String,
    pub arguments: Vec<Term>,
    pub result: Term,
}

/// Whether a condition holds by rows of the tables.
pub(crate) enum Fit {
    /// It does, with these inputs.
    Found(Assignment),
    /// By no rows.
    None,
    /// Not all rows were tried.
    Unfinished,
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
        // Where rows are many, those that fitted before are the ones to try first.
        let again = match calls.iter().any(|call| self.is_large(call)) {
            true => self.rows_under(store, &condition, &calls, near),
            false => None,
        };
        let fit = match again {
            Some(found) => Fit::Found(found),
            None => self.solve_by_tables(store, &condition, &calls),
        };
        if let Fit::Found(found) = &fit
            && self.confirmed(store, query.all, found)
        {
            self.statistics.table.yes += 1;
            return Answer::Sat(self.merged(store, &terms, near, found));
        }
        let effort = self.effort(store, &condition);
        let free = self
            .solver
            .with_conflicts(effort, |solver| solver.check(store, query.all));
        if free.is_unsat() {
            return free;
        }
        let no_rows = match fit {
            Fit::Found(_) | Fit::None => "no rows of the functions' tables fit",
            Fit::Unfinished => "not all rows of the functions' tables were tried",
        };
        let no_rows = || Reason::Function(no_rows.to_owned());
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
    fn solve_by_tables(&mut self, store: &mut Store, condition: &[Term], calls: &[Call]) -> Fit {
        let mut tries = self.config.max_tries;
        loop {
            let fit = self.fit(store, condition, calls);
            if matches!(fit, Fit::Found(_)) || tries == 0 || self.calls.is_over() {
                return fit;
            }
            tries -= 1;
            let dependencies = self.dependencies(store, calls);
            let inputs = match self.new_inputs(store, condition, calls, dependencies) {
                Some(inputs) => Some(inputs),
                None => self.new_inputs(store, condition, calls, Vec::new()),
            };
            let Some(inputs) = inputs else {
                return fit;
            };
            self.statistics.table.tries += 1;
            if !self.extend_tables(store, calls, &inputs) {
                return fit;
            }
        }
    }

    pub(crate) fn solution(
        &mut self,
        store: &mut Store,
        condition: &[Term],
        further: &[Term],
    ) -> Option<Assignment> {
        let constraints: Vec<Term> = condition.iter().chain(further).copied().collect();
        match self.bounded_check(store, &constraints) {
            Answer::Sat(found) => Some(found),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }

    /// What the solver says with the effort that is worth one of many attempts.
    pub(crate) fn bounded_check(&mut self, store: &mut Store, constraints: &[Term]) -> Answer {
        let effort = self.effort(store, constraints);
        self.solver
            .with_conflicts(effort, |solver| solver.check(store, constraints))
    }

    /// `Sums`: each call is one of the rows of its function's table.
    fn fit(&mut self, store: &mut Store, condition: &[Term], calls: &[Call]) -> Fit {
        let (large, small): (Vec<&Call>, Vec<&Call>) =
            calls.iter().partition(|call| self.is_large(call));
        let mut constraints = condition.to_vec();
        for call in small {
            let rows: Vec<usize> = (0..self.row_count(call)).collect();
            constraints.push(self.summary(store, call, &rows));
        }
        self.fit_large(store, condition, constraints, &large)
    }

    /// The inputs under which `Sums` holds by rows that are known, if `near` is that
    /// already.
    fn rows_under(
        &mut self,
        store: &Store,
        condition: &[Term],
        calls: &[Call],
        near: &Assignment,
    ) -> Option<Assignment> {
        let mut found = near.clone();
        for call in calls {
            let arguments = self.arguments_under(store, call, &found);
            let table = self.calls.oracle.table(&call.function)?;
            let result = table.get(&arguments)?.clone();
            found.set(store.as_variable(call.result)?, result);
        }
        let holds = self.evaluator.all_hold(store, &found, condition);
        holds.then_some(found)
    }

    /// That a call is one of these rows. A stop leaves rows out; the solver decides
    /// nothing about them then.
    pub(crate) fn summary(&self, store: &mut Store, call: &Call, rows: &[usize]) -> Term {
        let mut any = Vec::new();
        for &number in rows {
            if self.solver.stop().is_set() {
                break;
            }
            let Some((arguments, result)) = self.row(call, number) else {
                continue;
            };
            let result = store.value(result.clone());
            let same = store.eq(call.result, result);
            let equations = equations(store, &call.arguments, arguments);
            any.push(store.and_all(equations.into_iter().chain([same])));
        }
        store.or_all(any)
    }

    /// Inputs under which the condition holds and the arguments of some call are in no
    /// row of its table (`NoCorres`).
    fn new_inputs(
        &mut self,
        store: &mut Store,
        condition: &[Term],
        calls: &[Call],
        mut wanted: Vec<Term>,
    ) -> Option<Assignment> {
        if calls.iter().any(|call| self.is_large(call)) {
            return self.inputs_beyond(store, condition, calls, wanted);
        }
        let mut any = Vec::new();
        for call in calls {
            let mut all = Vec::new();
            for number in 0..self.row_count(call) {
                if let Some((arguments, _)) = self.row(call, number) {
                    let same = equations(store, &call.arguments, arguments);
                    let same = store.and_all(same);
                    all.push(store.not(same));
                }
            }
            any.push(store.and_all(all));
        }
        wanted.push(store.or_all(any));
        self.solution(store, condition, &wanted)
    }

    /// `Dep`: where the arguments of a call depend on the result of another, that
    /// result is one the other's table has.
    fn dependencies(&mut self, store: &mut Store, calls: &[Call]) -> Vec<Term> {
        let mut all = Vec::new();
        for call in calls {
            let variables = term::free_variables(store, &call.arguments);
            for other in calls {
                let result = store.as_variable(other.result);
                if result.is_some_and(|result| variables.contains(&result)) {
                    all.push(self.some_result(store, other));
                }
            }
        }
        all
    }

    /// Runs every call on what the inputs give its arguments; whether that made a
    /// table grow.
    fn extend_tables(&mut self, store: &Store, calls: &[Call], inputs: &Assignment) -> bool {
        let mut grown = false;
        for call in calls {
            let arguments = self.arguments_under(store, call, inputs);
            let table = self.calls.oracle.table(&call.function);
            let known = table.is_some_and(|table| table.get(&arguments).is_some());
            if !known {
                // A function that has no result there leaves its table as it is.
                grown |= self.calls.run(&call.function, &arguments).is_some();
            }
        }
        grown
    }

    /// What the inputs give the arguments of a call.
    pub(crate) fn arguments_under(
        &mut self,
        store: &Store,
        call: &Call,
        inputs: &Assignment,
    ) -> Vec<Value> {
        let mut evaluation = self.evaluator.under(store, inputs);
        let arguments = call.arguments.iter();
        arguments.map(|&term| evaluation.value(term)).collect()
    }

    pub(crate) fn row(&self, call: &Call, number: usize) -> Option<(&[Value], &Value)> {
        self.calls.oracle.table(&call.function)?.row(number)
    }

    pub(crate) fn row_count(&self, call: &Call) -> usize {
        let table = self.calls.oracle.table(&call.function);
        table.map_or(0, |table| table.len())
    }

    fn is_large(&self, call: &Call) -> bool {
        self.row_count(call) > SMALL
    }
}

pub(crate) fn equations(store: &mut Store, terms: &[Term], values: &[Value]) -> Vec<Term> {
    let pairs = terms.iter().zip(values);
    pairs
        .map(|(&term, value)| {
            let value = store.value(value.clone());
            store.eq(term, value)
        })
        .collect()
}
