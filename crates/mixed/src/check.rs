//! The queries of front ends, from the cheapest attempt to the most expensive.

use crate::attempt::Attempt;
use crate::calls::Calls;
use crate::cases;
use crate::complex::{Complexity, Heaviness};
use crate::config::{Config, Heuristic, Partition, Strategy};
use crate::intervals;
use crate::number::numbers;
use crate::random::Random;
use crate::relaxed::Relaxed;
use crate::statistics::Statistics;
use oracle::{Failure, Oracle};
use rustc_hash::FxHashMap;
use solver::{Answer, PathCondition, Reason, Solver, Stop};
use term::{Assignment, Evaluation, Evaluator, Store, Term, Value};

/// How much is done about a query that computes with floats. Such queries
/// are expensive, and while there is other work they are better deferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// What costs next to nothing.
    Quick,
    /// A search that may evaluate the constraints so many times.
    Bounded(u32),
    /// Everything the configuration allows.
    Full,
}

/// Decides path conditions that may have external functions in them.
pub struct Mixed<'f> {
    pub(crate) config: Config,
    pub(crate) solver: Solver,
    pub(crate) calls: Calls<'f>,
    pub(crate) complexity: Complexity,
    heaviness: Heaviness,
    relaxed: Relaxed,
    pub(crate) evaluator: Evaluator,
    pub(crate) random: Random,
    pub(crate) statistics: Statistics,
    /// The value last found for each variable, on any path.
    pub(crate) last: Assignment,
    effort: Effort,
    /// Queries that nothing helped with, and why.
    given_up: FxHashMap<Box<[Term]>, Reason>,
    /// By application: the variable that stands for its result in summaries.
    pub(crate) results: FxHashMap<Term, Term>,
}

/// A solver alone decides what has no external functions in it.
impl From<Solver> for Mixed<'_> {
    fn from(solver: Solver) -> Self {
        Mixed::new(Config::default(), solver, Oracle::new())
    }
}

/// A query divided.
pub(crate) struct Query<'a> {
    /// All constraints.
    pub all: &'a [Term],
    /// Those without external functions.
    pub simple: Vec<Term>,
    /// Those with.
    pub complex: Vec<Term>,
}

impl<'f> Mixed<'f> {
    /// Decides with this solver and these functions. The solver's stop token ends
    /// calls of the functions too.
    pub fn new(config: Config, solver: Solver, mut oracle: Oracle<'f>) -> Mixed<'f> {
        oracle.set_stop(solver.stop().clone());
        Mixed {
            random: Random::new(config.seed),
            config,
            solver,
            calls: Calls::new(oracle),
            complexity: Complexity::default(),
            heaviness: Heaviness::default(),
            relaxed: Relaxed::default(),
            evaluator: Evaluator::default(),
            statistics: Statistics::default(),
            last: Assignment::new(),
            effort: Effort::Full,
            given_up: FxHashMap::default(),
            results: FxHashMap::default(),
        }
    }

    /// Divides the arguments of a function, for the heuristic of that name.
    pub fn set_partitions(&mut self, function: &str, partitions: Vec<Partition>) {
        let name = function.to_owned();
        self.config.partitions.insert(name, partitions);
    }

    /// Says how much is done from now on about queries that compute with
    /// floats; what was done before.
    pub fn set_effort(&mut self, effort: Effort) -> Effort {
        std::mem::replace(&mut self.effort, effort)
    }

    /// How much is done about such queries.
    pub fn current_effort(&self) -> Effort {
        self.effort
    }

    /// Forgets what it knows of queries, which a panic may have left half-known, and
    /// goes on with this effort. What functions were seen to do stays.
    pub fn forget(&mut self, effort: Effort) {
        self.solver.forget();
        self.complexity = Complexity::default();
        self.heaviness = Heaviness::default();
        self.relaxed = Relaxed::default();
        self.evaluator = Evaluator::default();
        self.given_up.clear();
        self.results.clear();
        self.effort = effort;
    }

    /// Ends queries and calls of functions early when this token is set; the queries
    /// are "unknown" then.
    pub fn set_stop(&mut self, stop: Stop) {
        self.solver.set_stop(stop.clone());
        self.calls.oracle.set_stop(stop);
    }

    /// How conditions are decided.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The solver of simple conditions.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The same, to be told things.
    pub fn solver_mut(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// The external functions.
    pub fn oracle(&self) -> &Oracle<'f> {
        &self.calls.oracle
    }

    /// The same, to be told things.
    pub fn oracle_mut(&mut self) -> &mut Oracle<'f> {
        &mut self.calls.oracle
    }

    /// How conditions with external functions were decided so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Evaluation under an assignment, with real calls.
    pub fn under<'a>(&'a mut self, store: &'a Store, model: &'a Assignment) -> Evaluation<'a> {
        self.evaluator.under_real(store, model, &mut self.calls)
    }

    /// Why a call made by an evaluation since the last time had no result;
    /// what was evaluated then is not to be believed.
    pub fn take_failure(&mut self) -> Option<Failure> {
        self.calls.take_failure()
    }

    /// Adds a constraint to a path condition.
    pub fn add(&mut self, store: &Store, path: &mut PathCondition, constraint: Term) {
        self.solver.add(store, path, constraint);
    }

    /// Whether the path condition can hold, and by which assignment.
    pub fn check_path(&mut self, store: &mut Store, path: &PathCondition) -> Answer {
        let constraints: Vec<Term> = path.constraints().collect();
        let query = self.divide(store, &constraints);
        if query.complex.is_empty() {
            return self.solver.check_path(store, path);
        }
        self.calls.forgive();
        let answer = self.decide(store, &query, &Assignment::new());
        self.calls.forgive();
        answer
    }

    /// Whether `query` can hold on a path that `model` satisfies: only the
    /// constraints that share variables with it are looked at, and an
    /// assignment changes `model` only there.
    pub fn check_extended(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        query: Term,
    ) -> Answer {
        if self.calls.oracle.functions().len() == 0 {
            return self.hard(store, path, model, query);
        }
        self.calls.forgive();
        let answer = self.extended(store, path, model, query);
        self.calls.forgive();
        answer
    }

    /// The same, as part of a query.
    pub(crate) fn extended(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        query: Term,
    ) -> Answer {
        let constraints = self.relevant(store, path, query);
        let divided = self.divide(store, &constraints);
        if !divided.complex.is_empty() {
            return self.decide(store, &divided, model);
        }
        let mut answer = self.hard(store, path, model, query);
        if let Answer::Sat(found) = &mut answer {
            self.shrink(store, &constraints, Some(model), found);
            self.remember(store, &constraints, found);
        }
        answer
    }

    /// A query without external functions. One that the solver does not decide in
    /// a few conflicts is searched for a while before it gets the full budget; one
    /// that computes with floats is searched before it is solved at all.
    fn hard(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        query: Term,
    ) -> Answer {
        let heavy = self.heaviness.of(store, &[query]);
        let effort = if heavy { self.effort } else { Effort::Full };
        let budgets = match effort {
            Effort::Full if !heavy => [Some(self.config.conflicts_before_search), None],
            Effort::Full => [Some(0), Some(self.config.float_conflicts)],
            Effort::Bounded(_) | Effort::Quick => {
                [Some(0), Some(self.config.conflicts_before_search / 10)]
            }
        };
        let solve = |mixed: &mut Mixed<'_>, store: &mut Store, budget: Option<u64>| {
            mixed.solver.with_conflicts(budget, |solver| {
                solver.check_extended(store, path, model, query)
            })
        };
        if !heavy && cases::are_several(store, query) {
            let answer = solve(self, store, Some(self.config.conflicts_before_search / 10));
            if !matches!(answer, Answer::Unknown(Reason::Conflicts)) {
                return answer;
            }
            if let Some(answer) = self.case_by_case(store, path, model, query) {
                return answer;
            }
        }
        let answer = solve(self, store, budgets[0]);
        if !matches!(answer, Answer::Unknown(Reason::Conflicts)) {
            return answer;
        }
        let constraints = self.relevant(store, path, query);
        if heavy && self.is_refuted(store, &constraints) {
            return self.counted(Answer::Unsat(constraints));
        }
        if effort == Effort::Quick {
            return answer;
        }
        let steps = match effort {
            Effort::Bounded(steps) => steps,
            Effort::Quick | Effort::Full => self.config.search_budget,
        };
        let found = self.counted_search(store, &constraints, model, steps);
        // Where the outer budget is the tighter one, solving again would only repeat.
        let [before, now] = budgets.map(|budget| self.solver.limits().tightened(budget).conflicts);
        let answer = match found {
            Some(found) => Answer::Sat(self.merged(store, &constraints, model, &found)),
            None if before == now => answer,
            None => solve(self, store, budgets[1]),
        };
        self.counted(answer)
    }

    /// The query and what on the path hangs together with it.
    pub(crate) fn relevant(
        &mut self,
        store: &Store,
        path: &PathCondition,
        query: Term,
    ) -> Vec<Term> {
        let mut constraints = self.solver.relevant(store, path, query);
        constraints.extend(term::conjuncts(store, query));
        constraints
    }

    /// Whether the last of the constraints cannot hold with the others, by how
    /// large floats can be, or whatever comes out where they are computed with.
    fn is_refuted(&mut self, store: &mut Store, constraints: &[Term]) -> bool {
        if intervals::refute(store, constraints) {
            return true;
        }
        let mut path = PathCondition::new();
        let mut last = None;
        for &constraint in constraints {
            let relaxed = self.relaxed.of(store, &mut self.calls, constraint);
            if let Some(before) = last.replace(relaxed) {
                self.solver.add(store, &mut path, before);
            }
        }
        let Some(last) = last else {
            return false;
        };
        let mut relevant = self.solver.relevant(store, &path, last);
        relevant.push(last);
        let conflicts = Some(self.config.conflicts_before_search / 10);
        self.solver
            .with_conflicts(conflicts, |solver| solver.check(store, &relevant))
            .is_unsat()
    }

    /// A search from an assignment, counted as a try of the heuristic.
    fn counted_search(
        &mut self,
        store: &Store,
        constraints: &[Term],
        near: &Assignment,
        steps: u32,
    ) -> Option<Assignment> {
        let found = self.search(store, constraints, std::slice::from_ref(near), steps);
        let tally = self.statistics.heuristic_mut(Heuristic::Search);
        tally.tries += 1;
        tally.yes += u64::from(found.is_some());
        found
    }

    /// The answer, counted.
    pub(crate) fn counted(&mut self, answer: Answer) -> Answer {
        self.statistics.queries += 1;
        match &answer {
            Answer::Sat(_) => self.statistics.yes += 1,
            Answer::Unsat(_) => self.statistics.no += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    /// Conflicts worth spending on one of many attempts.
    pub(crate) fn effort(&mut self, store: &Store, constraints: &[Term]) -> Option<u64> {
        Some(match self.heaviness.of(store, constraints) {
            true => self.config.conflicts_before_search / 10,
            false => self.config.conflicts_before_search,
        })
    }

    pub(crate) fn divide<'a>(&mut self, store: &Store, constraints: &'a [Term]) -> Query<'a> {
        let (complex, simple) = constraints
            .iter()
            .partition(|&&term| self.complexity.of(store, &mut self.calls, term));
        Query {
            all: constraints,
            simple,
            complex,
        }
    }

    /// Decides a query with external functions; `near` satisfies most of it.
    fn decide(&mut self, store: &mut Store, query: &Query<'_>, near: &Assignment) -> Answer {
        let unsupported = || Reason::Unsupported("external functions".to_owned());
        let mut key: Vec<Term> = query.all.to_vec();
        key.sort_unstable();
        if self.config.strategy == Strategy::Classic {
            return self.counted(Answer::Unknown(unsupported()));
        }
        if let Some(reason) = self.given_up.get(&key[..]) {
            let answer = Answer::Unknown(reason.clone());
            return self.counted(answer);
        }
        if self.believes_tables(store, query) {
            let answer = self.decide_by_tables(store, query, &[], near);
            return self.counted(answer);
        }
        // Functions that may give anything: if not even they help, nothing does.
        let heavy = self.heaviness.of(store, query.all);
        let conflicts = if heavy {
            0
        } else {
            self.config.conflicts_before_search
        };
        let free = self
            .solver
            .with_conflicts(Some(conflicts), |solver| solver.check(store, query.all));
        if matches!(free, Answer::Unsat(_)) {
            return self.counted(free);
        }
        if heavy && self.is_refuted(store, query.all) {
            return self.counted(Answer::Unsat(query.all.to_vec()));
        }
        let effort = if heavy { self.effort } else { Effort::Full };
        let found = match effort {
            Effort::Quick => return Answer::Unknown(unsupported()),
            Effort::Bounded(steps) if self.config.heuristics.contains(&Heuristic::Search) => {
                self.counted_search(store, query.all, near, steps)
            }
            Effort::Bounded(_) | Effort::Full => self.look_for(store, query, near),
        };
        let answer = match found {
            Some(found) => Answer::Sat(self.merged(store, query.all, near, &found)),
            None => {
                let reason = self.calls.trouble().unwrap_or_else(unsupported);
                // What a stop left open is no fact about the query.
                if effort == Effort::Full && !self.solver.stop().is_set() {
                    self.given_up.insert(key.into(), reason.clone());
                }
                Answer::Unknown(reason)
            }
        };
        self.counted(answer)
    }

    fn look_for(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        near: &Assignment,
    ) -> Option<Assignment> {
        let first = self.simple_solution(store, query, near)?;
        self.statistics.first.tries += 1;
        match self.attempt(store, query, &first) {
            Attempt::Found(found) => {
                self.statistics.first.yes += 1;
                Some(found)
            }
            Attempt::Failed(fixed) => self.heuristics(store, query, &first, fixed),
        }
    }

    /// A solution of the simple part: `near` itself where it is one.
    fn simple_solution(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        near: &Assignment,
    ) -> Option<Assignment> {
        let (mut path, mut broken) = (PathCondition::new(), Vec::new());
        for &constraint in &query.simple {
            match self.evaluator.under(store, near).holds(constraint) {
                true => self.solver.add(store, &mut path, constraint),
                false => broken.push(constraint),
            }
        }
        let mut solution = near.clone();
        let effort = self.effort(store, &query.simple);
        for constraint in broken {
            let answer = self.solver.with_conflicts(effort, |solver| {
                solver.check_extended(store, &path, &solution, constraint)
            });
            match answer {
                Answer::Sat(model) => solution = model,
                Answer::Unsat(_) | Answer::Unknown(_) => return None,
            }
            self.solver.add(store, &mut path, constraint);
        }
        self.shrink(store, &query.simple, Some(near), &mut solution);
        Some(solution)
    }

    /// Brings numbers that differ from those of `near` as close to zero as the
    /// constraints and a search by halves allow. Small numbers are where
    /// functions tend to be interesting, and what people like to read.
    pub(crate) fn shrink(
        &mut self,
        store: &Store,
        constraints: &[Term],
        near: Option<&Assignment>,
        solution: &mut Assignment,
    ) {
        for number in numbers(store, constraints) {
            // Every number tried so far is where the constraints hold.
            if self.solver.stop().is_set() {
                return;
            }
            let mut good = number.place(solution);
            if near.is_some_and(|near| number.place(near) == good) {
                continue;
            }
            let mut bad = if good < 0 { 1 } else { -1 };
            while (good - bad).abs() > 1 {
                let middle = bad + (good - bad) / 2;
                number.set(solution, middle);
                match self.evaluator.all_hold(store, solution, constraints) {
                    true => good = middle,
                    false => bad = middle,
                }
            }
            number.set(solution, good);
        }
    }

    /// `near` with the values that `found` gives to the variables of the
    /// constraints.
    pub(crate) fn merged(
        &mut self,
        store: &Store,
        constraints: &[Term],
        near: &Assignment,
        found: &Assignment,
    ) -> Assignment {
        let mut whole = near.clone();
        for variable in term::free_variables(store, constraints) {
            let value = found.get(variable).cloned();
            let value = value.unwrap_or_else(|| Value::default_of(store.variable_sort(variable)));
            whole.set(variable, value);
        }
        self.remember(store, constraints, &whole);
        whole
    }

    /// Keeps the values found for the variables of the constraints, for paths to
    /// come.
    fn remember(&mut self, store: &Store, constraints: &[Term], found: &Assignment) {
        for variable in term::free_variables(store, constraints) {
            if let Some(value) = found.get(variable) {
                self.last.set(variable, value.clone());
            }
        }
    }
}
