//! Which rows of a large table fit a condition.
//!
//! A summary of a hundred thousand rows is no formula to give to a solver. So the rows
//! are first *sieved*: what the condition says of the values of one row alone is
//! evaluated, row by row. What is left is halved along one column after the other, as in
//! a k-d tree (Bentley, *Multidimensional binary search trees used for associative
//! searching*, 1975), and a half is dropped when the solver proves that nothing between
//! its least and its greatest values fits; the last few rows become a summary. No row is
//! dropped without an evaluation or a proof, so [`Fit::None`] is as good as with one
//! disjunction of all rows.

use crate::check::Mixed;
use crate::table::{Call, Fit, SMALL, equations};
use rustc_hash::FxHashSet;
use solver::Answer;
use std::cmp::Ordering;
use term::{Assignment, BitVec, Sort, Store, Term, Value, Variable};

/// Queries that the rows of one condition may cost.
const QUERIES: u32 = 512;

/// Solutions with known arguments that are excluded before others are given up.
const EXCLUSIONS: usize = 64;

/// A call and the rows it may be.
struct Candidates<'c> {
    call: &'c Call,
    rows: Vec<usize>,
}

/// What is known while rows are chosen.
struct RowSearch {
    /// The condition, and what was decided about rows so far.
    constraints: Vec<Term>,
    queries_left: u32,
}

impl Mixed<'_> {
    /// Whether the constraints, which `condition` is part of, hold with one row for each
    /// of these calls.
    pub(crate) fn fit_large(
        &mut self,
        store: &mut Store,
        condition: &[Term],
        mut constraints: Vec<Term>,
        calls: &[&Call],
    ) -> Fit {
        let mut open = Vec::new();
        for &call in calls {
            let rows = self.sieved(store, condition, call);
            match rows.len() > SMALL {
                true => open.push(Candidates { call, rows }),
                false => constraints.push(self.summary(store, call, &rows)),
            }
        }
        open.sort_by_key(|candidates| candidates.rows.len());
        let mut search = RowSearch {
            constraints,
            queries_left: QUERIES,
        };
        self.choose_rows(store, &mut search, &open)
    }

    /// The rows that do not contradict the condition by themselves.
    fn sieved(&mut self, store: &Store, condition: &[Term], call: &Call) -> Vec<usize> {
        let constants: Vec<Option<Value>> = call
            .arguments
            .iter()
            .map(|&argument| store.as_value(argument))
            .collect();
        let Some(table) = self.calls.oracle.table(&call.function) else {
            return Vec::new();
        };
        if let Some(arguments) = constants.iter().cloned().collect::<Option<Vec<Value>>>() {
            return table.position(&arguments).into_iter().collect();
        }
        let columns = call.arguments.iter().chain([&call.result]);
        let columns: Vec<Option<Variable>> =
            columns.map(|&column| store.as_variable(column)).collect();
        let about_rows = about(store, condition, &columns);
        let mut rows = Vec::new();
        let mut assignment = Assignment::new();
        for (number, (arguments, result)) in table.iter().enumerate() {
            if self.calls.oracle.stop().is_set() {
                break;
            }
            let mut fixed = constants.iter().zip(arguments);
            let fits = fixed
                .all(|(constant, it)| constant.as_ref().is_none_or(|known| known == it))
                && assign(&mut assignment, &columns, arguments, result)
                && self.evaluator.all_hold(store, &assignment, &about_rows);
            if fits {
                rows.push(number);
            }
        }
        rows
    }

    /// Chooses rows for one call after the other.
    fn choose_rows(
        &mut self,
        store: &mut Store,
        search: &mut RowSearch,
        open: &[Candidates<'_>],
    ) -> Fit {
        match open.split_first() {
            None => match self.bounded_check(store, &search.constraints) {
                Answer::Sat(found) => Fit::Found(found),
                Answer::Unsat(_) => Fit::None,
                Answer::Unknown(_) => Fit::Unfinished,
            },
            Some((first, rest)) => {
                self.choose_among(store, search, first.call, first.rows.clone(), 0, rest)
            }
        }
    }

    /// Chooses one of these rows for a call, then rows for the rest; `column` is the
    /// first to be halved along.
    fn choose_among(
        &mut self,
        store: &mut Store,
        search: &mut RowSearch,
        call: &Call,
        rows: Vec<usize>,
        column: usize,
        rest: &[Candidates<'_>],
    ) -> Fit {
        if search.queries_left == 0 || self.calls.is_over() {
            return Fit::Unfinished;
        }
        search.queries_left -= 1;
        let is_few = rows.len() <= SMALL;
        let bound = match is_few {
            true => self.summary(store, call, &rows),
            false => self.bounds(store, call, &rows),
        };
        search.constraints.push(bound);
        let fit = match is_few {
            true => self.choose_rows(store, search, rest),
            false => match self.bounded_check(store, &search.constraints) {
                Answer::Unsat(_) => Fit::None,
                Answer::Sat(_) | Answer::Unknown(_) => {
                    self.choose_half(store, search, call, rows, column, rest)
                }
            },
        };
        search.constraints.pop();
        fit
    }

    fn choose_half(
        &mut self,
        store: &mut Store,
        search: &mut RowSearch,
        call: &Call,
        rows: Vec<usize>,
        column: usize,
        rest: &[Candidates<'_>],
    ) -> Fit {
        let (halves, column) = self.halved(call, rows, column);
        let mut fit = Fit::None;
        for half in halves {
            match self.choose_among(store, search, call, half, column + 1, rest) {
                found @ Fit::Found(_) => return found,
                Fit::Unfinished => fit = Fit::Unfinished,
                Fit::None => {}
            }
        }
        fit
    }

    /// The rows below and above the middle of the first column from this one on that
    /// tells them apart, and that column.
    fn halved(&self, call: &Call, mut rows: Vec<usize>, column: usize) -> ([Vec<usize>; 2], usize) {
        let width = call.arguments.len() + 1;
        let tells_apart = |&column: &usize| {
            let (least, greatest) = self.extremes(call, &rows, column);
            order(least, greatest) == Some(Ordering::Less)
        };
        let found = (column..column + width)
            .map(|column| column % width)
            .find(tells_apart);
        let middle = rows.len() / 2;
        if let Some(column) = found {
            rows.select_nth_unstable_by(middle, |&a, &b| {
                let (a, b) = (self.cell(call, a, column), self.cell(call, b, column));
                order(a, b).unwrap_or(Ordering::Equal)
            });
        }
        let above = rows.split_off(middle);
        ([rows, above], found.unwrap_or(column))
    }

    /// That the values of a call lie between the least and the greatest of these rows.
    fn bounds(&self, store: &mut Store, call: &Call, rows: &[usize]) -> Term {
        let columns = call.arguments.iter().chain([&call.result]);
        let mut all = Vec::new();
        for (column, &term) in columns.enumerate() {
            if let (Some(least), Some(greatest)) = self.extremes(call, rows, column) {
                let (least, greatest) = (least.clone(), greatest.clone());
                all.extend(between(store, term, least, greatest));
            }
        }
        store.and_all(all)
    }

    fn extremes(
        &self,
        call: &Call,
        rows: &[usize],
        column: usize,
    ) -> (Option<&Value>, Option<&Value>) {
        let compare = |a: &&Value, b: &&Value| order(Some(a), Some(b)).unwrap_or(Ordering::Equal);
        let cells = || rows.iter().filter_map(|&row| self.cell(call, row, column));
        (cells().min_by(compare), cells().max_by(compare))
    }

    fn cell(&self, call: &Call, row: usize, column: usize) -> Option<&Value> {
        let (arguments, result) = self.row(call, row)?;
        Some(arguments.get(column).unwrap_or(result))
    }

    /// Inputs under which the arguments of some call are in no row. Solutions whose
    /// arguments are known are excluded, with the rows beside them, until one is new.
    pub(crate) fn inputs_beyond(
        &mut self,
        store: &mut Store,
        condition: &[Term],
        calls: &[Call],
        mut wanted: Vec<Term>,
    ) -> Option<Assignment> {
        for _ in 0..EXCLUSIONS {
            if self.calls.is_over() {
                return None;
            }
            let found = self.solution(store, condition, &wanted)?;
            let mut elsewhere = Vec::new();
            for call in calls {
                let arguments = self.arguments_under(store, call, &found);
                let table = self.calls.oracle.table(&call.function)?;
                if table.position(&arguments).is_none() {
                    return Some(found);
                }
                let run = self.known_run(store, call, &arguments);
                elsewhere.push(store.not(run));
            }
            wanted.push(store.or_all(elsewhere));
        }
        None
    }

    /// That the arguments are among known ones that differ in one integer alone and
    /// follow each other: the longest such run.
    fn known_run(&self, store: &mut Store, call: &Call, arguments: &[Value]) -> Term {
        let mut longest = (0, 0, arguments.first().cloned(), arguments.first().cloned());
        for column in 0..arguments.len() {
            let (below, least) = self.walk_along(call, arguments, column, -1);
            let (above, greatest) = self.walk_along(call, arguments, column, 1);
            if below + above > longest.0 {
                longest = (below + above, column, Some(least), Some(greatest));
            }
        }
        let mut same = equations(store, &call.arguments, arguments);
        if let (1.., column, Some(least), Some(greatest)) = longest {
            let run = between(store, call.arguments[column], least, greatest);
            same.splice(column..column + 1, run);
        }
        store.and_all(same)
    }

    /// How many known arguments follow each other from these on, and the last integer.
    fn walk_along(
        &self,
        call: &Call,
        arguments: &[Value],
        column: usize,
        by: i8,
    ) -> (usize, Value) {
        let table = self.calls.oracle.table(&call.function);
        let mut at = arguments.to_vec();
        let mut steps = 0;
        while let Some(next) = neighbour(&at[column], by) {
            let before = std::mem::replace(&mut at[column], next);
            let is_known = table.is_some_and(|table| table.position(&at).is_some());
            if !is_known || self.calls.oracle.stop().is_set() {
                return (steps, before);
            }
            steps += 1;
        }
        (steps, at.swap_remove(column))
    }

    /// That the result of a call is one that its function's table has. Where there are
    /// many, it is only somewhere between them: this is about which inputs to try first.
    pub(crate) fn some_result(&self, store: &mut Store, call: &Call) -> Term {
        let mut seen = FxHashSet::default();
        for number in 0..self.row_count(call) {
            if seen.len() > SMALL || self.solver.stop().is_set() {
                break;
            }
            seen.extend(self.row(call, number).map(|(_, result)| result));
        }
        if seen.len() > SMALL {
            let rows: Vec<usize> = (0..self.row_count(call)).collect();
            let (least, greatest) = self.extremes(call, &rows, call.arguments.len());
            let (Some(least), Some(greatest)) = (least.cloned(), greatest.cloned()) else {
                return store.bool(true);
            };
            let between = between(store, call.result, least, greatest);
            return store.and_all(between);
        }
        let mut any = Vec::new();
        for number in 0..self.row_count(call) {
            let Some((_, result)) = self.row(call, number) else {
                continue;
            };
            if seen.remove(result) {
                let result = store.value(result.clone());
                any.push(store.eq(call.result, result));
            }
        }
        store.or_all(any)
    }
}

/// The parts of the condition that the variables in these columns decide alone.
fn about(store: &Store, condition: &[Term], columns: &[Option<Variable>]) -> Vec<Term> {
    let known: FxHashSet<Variable> = columns.iter().copied().flatten().collect();
    let parts = condition
        .iter()
        .flat_map(|&part| term::conjuncts(store, part));
    parts
        .filter(|&part| {
            let free = term::free_variables(store, &[part]);
            free.iter().all(|variable| known.contains(variable))
        })
        .collect()
}

/// Gives the variables in the columns the values of a row; whether one variable does not
/// get two values.
fn assign(
    assignment: &mut Assignment,
    columns: &[Option<Variable>],
    arguments: &[Value],
    result: &Value,
) -> bool {
    let values = arguments.iter().chain([result]);
    let pairs = || columns.iter().zip(values.clone());
    for (variable, value) in pairs() {
        if let &Some(variable) = variable {
            assignment.set(variable, value.clone());
        }
    }
    pairs().all(|(variable, value)| {
        variable.is_none_or(|variable| assignment.get(variable) == Some(value))
    })
}

/// That a term lies between two numbers; nothing for what has no order.
fn between(store: &mut Store, term: Term, least: Value, greatest: Value) -> Vec<Term> {
    let sort = store.sort(term);
    let (least, greatest) = (store.value(least), store.value(greatest));
    match sort {
        Sort::Int | Sort::Real | Sort::Bv(_) if least == greatest => vec![store.eq(term, least)],
        Sort::Int | Sort::Real => vec![store.le(least, term), store.le(term, greatest)],
        Sort::Bv(_) => vec![store.bv_ule(least, term), store.bv_ule(term, greatest)],
        _ => Vec::new(),
    }
}

/// The order of two numbers of one sort, the one that [`between`] uses.
fn order(a: Option<&Value>, b: Option<&Value>) -> Option<Ordering> {
    Some(match (a?, b?) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Real(a), Value::Real(b)) => a.cmp(b),
        (Value::Bv(a), Value::Bv(b)) if a.ult(b) => Ordering::Less,
        (Value::Bv(a), Value::Bv(b)) if b.ult(a) => Ordering::Greater,
        (Value::Bv(_), Value::Bv(_)) => Ordering::Equal,
        _ => return None,
    })
}

/// The integer after this one, or before it; none at the end of its type.
fn neighbour(value: &Value, by: i8) -> Option<Value> {
    match value {
        Value::Int(number) => Some(Value::Int(number + by)),
        Value::Bv(bits) if by > 0 && bits.is_ones() || by < 0 && bits.is_zero() => None,
        Value::Bv(bits) => {
            let by = BitVec::from_int(bits.width(), &by.into());
            Some(Value::Bv(bits.add(&by)))
        }
        _ => None,
    }
}
