//! Other solutions of the simple part, when the first led nowhere.

use crate::attempt::Attempt;
use crate::check::{Mixed, Query};
use crate::config::Heuristic;
use crate::number::{Kind, Number, numbers, ordered};
use rustc_hash::FxHashSet;
use solver::Answer;
use term::{Assignment, FpFormat, Op, Store, Term, Value, Variable};

impl Mixed<'_> {
    /// Lets the heuristics try, one after the other; `fixed` is what the first
    /// solution fixed.
    pub(crate) fn heuristics(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        first: &Assignment,
        fixed: Vec<Term>,
    ) -> Option<Assignment> {
        for heuristic in self.config.heuristics.clone() {
            if self.calls.is_over() {
                return None;
            }
            let found = match heuristic {
                Heuristic::Incremental => self.incremental(store, query, fixed.clone()),
                Heuristic::Partition => self.partition(store, query),
                Heuristic::Random => self.random(store, query, first),
                Heuristic::Residual => self.residual(store, query, first),
                Heuristic::Search => self.walk(store, query, first),
            };
            if found.is_some() {
                self.statistics.heuristic_mut(heuristic).yes += 1;
                return found;
            }
        }
        None
    }

    fn attempt_for(
        &mut self,
        heuristic: Heuristic,
        store: &mut Store,
        query: &Query<'_>,
        solution: &Assignment,
    ) -> Attempt {
        self.statistics.heuristic_mut(heuristic).tries += 1;
        self.attempt(store, query, solution)
    }

    /// Excludes what was tried and solves for another solution.
    fn incremental(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        mut fixed: Vec<Term>,
    ) -> Option<Assignment> {
        let mut constraints = query.simple.clone();
        for _ in 0..self.config.max_tries {
            if fixed.is_empty() || self.calls.is_over() {
                return None;
            }
            let tried = store.and_all(fixed);
            constraints.push(store.not(tried));
            let effort = self.effort(store, &constraints);
            let answer = self
                .solver
                .with_conflicts(effort, |solver| solver.check(store, &constraints));
            let Answer::Sat(mut solution) = answer else {
                return None;
            };
            self.shrink(store, &constraints, None, &mut solution);
            match self.attempt_for(Heuristic::Incremental, store, query, &solution) {
                Attempt::Found(found) => return Some(found),
                Attempt::Failed(again) => fixed = again,
            }
        }
        None
    }

    /// Adds the constraints that the user divides arguments by.
    fn partition(&mut self, store: &mut Store, query: &Query<'_>) -> Option<Assignment> {
        let applications = self.calls.applications(store, &query.complex);
        let mut parts = Vec::new();
        for application in applications {
            let function = store
                .as_function(application)
                .expect("it is an application");
            let name = store.signature(function).name.clone();
            let arguments: Vec<Term> = store.args(application).to_vec();
            for partition in self.config.partitions.get(&name).into_iter().flatten() {
                parts.push(partition(store, &arguments));
            }
        }
        for part in parts.into_iter().take(self.config.max_tries as usize) {
            if self.calls.is_over() {
                return None;
            }
            let simple: Vec<Term> = query.simple.iter().copied().chain([part]).collect();
            // An argument may be the result of another function: then the part
            // is complex too, and what is found has to satisfy it.
            let effort = self.effort(store, &simple);
            let answer = self
                .solver
                .with_conflicts(effort, |solver| solver.check(store, &simple));
            let Answer::Sat(mut solution) = answer else {
                continue;
            };
            self.shrink(store, &simple, None, &mut solution);
            let attempt = self.attempt_for(Heuristic::Partition, store, query, &solution);
            if let Attempt::Found(found) = attempt {
                return Some(found);
            }
        }
        None
    }

    /// Random values for what the simple part leaves free, within what it shows
    /// of the rest.
    fn random(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        first: &Assignment,
    ) -> Option<Assignment> {
        let numbers = numbers(store, query.all);
        let interesting = constants(store, query.all);
        for _ in 0..self.config.max_tries {
            if self.calls.is_over() {
                return None;
            }
            let mut solution = first.clone();
            for number in &numbers {
                if self.calls.is_over() {
                    return None;
                }
                let before = number.place(&solution);
                let place = self.random_place(number, &interesting);
                number.set(&mut solution, place);
                let mut evaluation = self.evaluator.under(store, &solution);
                if !query.simple.iter().all(|&term| evaluation.holds(term)) {
                    number.set(&mut solution, before);
                }
            }
            let attempt = self.attempt_for(Heuristic::Random, store, query, &solution);
            if let Attempt::Found(found) = attempt {
                return Some(found);
            }
        }
        None
    }

    /// A place to try: half the time one that tends to matter.
    pub(crate) fn random_place(&mut self, number: &Number, interesting: &[Value]) -> i128 {
        let (first, last) = number.range();
        match self.random.below(4) {
            0 => {
                let special = specials(number.kind);
                special[self.random.below(special.len())]
            }
            1 if !interesting.is_empty() => {
                let value = &interesting[self.random.below(interesting.len())];
                number.place_of(value) + self.random.between(-1, 1)
            }
            2 => {
                // Any order of magnitude is as likely as another.
                let most = (last - first) as u128;
                let bits = self.random.below(most.ilog2() as usize + 1) as u32;
                let size = self
                    .random
                    .between(0, (1i128 << bits) - 1 + (1i128 << bits));
                if self.random.below(2) == 0 {
                    size
                } else {
                    -size
                }
            }
            _ if matches!(number.kind, Kind::Float(FpFormat::DOUBLE) | Kind::Real) => {
                // Floats are dense near zero, and programs compute elsewhere.
                let size = [1.0, 10.0, 100.0, 1e4, 1e6, 1e9][self.random.below(6)];
                let fraction = self.random.next() as f64 / u64::MAX as f64;
                ordered(FpFormat::DOUBLE, ((2.0 * fraction - 1.0) * size).to_bits())
            }
            _ => self.random.between(first, last),
        }
    }

    /// The values last found, for what the simple part leaves free and for
    /// everything if it holds then.
    fn residual(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        first: &Assignment,
    ) -> Option<Assignment> {
        let bound: FxHashSet<Variable> = term::free_variables(store, &query.simple)
            .into_iter()
            .collect();
        let all = term::free_variables(store, query.all);
        let mut free = first.clone();
        let mut whole = first.clone();
        for variable in all {
            let Some(value) = self.last.get(variable) else {
                continue;
            };
            whole.set(variable, value.clone());
            if !bound.contains(&variable) {
                free.set(variable, value.clone());
            }
        }
        for solution in [whole, free] {
            if !self.evaluator.all_hold(store, &solution, &query.simple) {
                continue;
            }
            let attempt = self.attempt_for(Heuristic::Residual, store, query, &solution);
            if let Attempt::Found(found) = attempt {
                return Some(found);
            }
        }
        None
    }

    /// Searches from every solution at hand.
    fn walk(
        &mut self,
        store: &mut Store,
        query: &Query<'_>,
        first: &Assignment,
    ) -> Option<Assignment> {
        self.statistics.heuristic_mut(Heuristic::Search).tries += 1;
        let starts = [first.clone(), self.last.clone()];
        self.search(store, query.all, &starts, self.config.search_budget)
    }
}

/// The constants in the terms that a search can put numbers at.
pub(crate) fn constants(store: &Store, terms: &[Term]) -> Vec<Value> {
    let order = term::post_order(store, terms);
    let values = order
        .into_iter()
        .filter(|&term| store.op(term) == Op::Const)
        .filter(|&term| crate::distance::has_line(store.sort(term)))
        .filter_map(|term| store.as_value(term));
    let mut values: Vec<Value> = values.collect();
    values.truncate(64);
    values
}

/// Places at which programs tend to change their ways.
fn specials(kind: Kind) -> Vec<i128> {
    match kind {
        Kind::Bool => vec![0, 1],
        Kind::Float(format) => {
            let fraction = u32::from(format.sb) - 1;
            let bias = i128::from(format.bias());
            let power = |exponent: i128| (bias + exponent) << fraction;
            let largest = ((1i128 << format.eb) - 1) << fraction;
            let mut places = vec![0, 1, largest - 1, largest, 1 << fraction];
            places.extend([0, 1, 2, 3, 10, -1, -10].map(power));
            let negative: Vec<i128> = places.iter().map(|place| -1 - place).collect();
            places.extend(negative);
            places
        }
        Kind::Bits(width) => powers(width.into()),
        Kind::Int => powers(64),
        Kind::Real => specials(Kind::Float(FpFormat::DOUBLE)),
    }
}

fn powers(bits: u32) -> Vec<i128> {
    let mut places = vec![0, 1, 2, 3, 10, -1, -2, -10];
    for bit in 2..bits {
        let power = 1i128 << bit;
        places.extend([power, power - 1, -power]);
    }
    places
}
