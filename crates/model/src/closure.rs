//! All states that can be reached, where they are few or lie in few cells.
//!
//! A [`Cell`] says where the automata are and gives each leaf its value, or the bounds it is
//! between. From a cell, every step is taken symbolically, and the values that a leaf can have
//! afterwards are listed by the solver; where they are too many, the leaf gets bounds, which are
//! constants of the model, so that there are finitely many. Values that are never read again
//! are forgotten. A value that came from outside and is kept has the conditions it came with,
//! over a variable that always stands for its leaf. Cells are found again by hashing, so that a
//! counter modulo seven makes seven of them, whatever its terms look like.
//!
//! A cell may hold states that cannot be reached. What no cell has is therefore proved to be
//! nowhere, and what one has is only believed once the path there was taken.

use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState};
use crate::liveness::Liveness;
use crate::model::{Action, Expr, ExprKind, Model};
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::{Assignment, Sort, Term, Value};

/// Cells beyond this number are not looked at. Where all values are known, a cell takes no query.
const CELLS: usize = 100_000;

/// Conditions that are decided before it is given up.
const QUERIES: usize = 30_000;

/// Values of a leaf after one step that are listed.
const VALUES: usize = 32;

/// Cells that one step leads to.
const SUCCESSORS: usize = 512;

/// Values of a leaf in one place, after which it gets bounds.
const CHAIN: usize = 150;

/// Conditions that are kept with a cell.
const CONDITIONS: usize = 6;

/// What a leaf is in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Leaf {
    /// This value.
    Value(Term),
    /// Any value from one to another, each of which may be missing.
    Between(Option<Term>, Option<Term>),
}

/// States that differ in the values of some leaves at most.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Cell {
    location: Vec<usize>,
    leaves: Vec<Leaf>,
    /// What is known of the variables that stand for leaves with bounds, in order.
    known: Vec<Term>,
}

/// What is said of the states that can be reached.
pub(crate) enum Closure {
    /// None has what was looked for.
    Never,
    /// This path leads to one that has.
    Found(Vec<(Move, Event)>, Box<SymbolicState>),
    /// There are too many, or something was not decided.
    Open,
}

/// Whether a state has what is looked for: none if it has not.
pub(crate) type Look<'l> =
    dyn FnMut(&mut Executor<'_, '_>, &SymbolicState) -> Result<Option<SymbolicState>, ()> + 'l;

/// Looks for a state in all that can be reached; what is looked for may read these expressions.
/// Also gives how many cells there are.
pub(crate) fn close(
    executor: &mut Executor<'_, '_>,
    read: &[&Expr],
    look: &mut Look<'_>,
) -> (Closure, usize) {
    let mut search = Search::new(executor, read);
    let closure = search.run(executor, look).unwrap_or(Closure::Open);
    (closure, search.cells.len())
}

/// It is given up.
struct GivenUp;

/// Values that terms can have, and the state where they have them.
type Combination = (Vec<Term>, SymbolicState);

struct Search {
    liveness: Liveness,
    /// Constants of the model, in order, by sort.
    integers: Vec<Term>,
    reals: Vec<Term>,
    cells: Vec<Cell>,
    numbers: FxHashMap<Cell, usize>,
    /// How each but the first was reached.
    from: Vec<Option<(usize, Move)>>,
    /// Leaves that have too many values after a step.
    wide: FxHashSet<(Move, usize)>,
    /// By place: the values that a leaf has had there.
    seen: FxHashMap<(Vec<usize>, usize), FxHashSet<Term>>,
    queries: usize,
    /// By leaf: the variable that stands for it.
    variables: Vec<Term>,
}

impl Search {
    fn new(executor: &mut Executor<'_, '_>, read: &[&Expr]) -> Search {
        let (mut integers, mut reals) = (Vec::new(), Vec::new());
        for value in constants(executor.model, read) {
            reals.push(value.clone());
            if value.is_integer() {
                let one = BigRational::from_integer(1.into());
                integers.extend([&value - &one, value.clone(), &value + &one]);
            }
        }
        for list in [&mut integers, &mut reals] {
            list.sort();
            list.dedup();
        }
        let initial = executor.initial();
        let store = &mut executor.store;
        let sorts = initial.valuation.iter().map(|&leaf| store.sort(leaf));
        let sorts: Vec<Sort> = sorts.collect();
        let variables = sorts.into_iter().map(|sort| store.fresh_var("leaf", sort));
        Search {
            variables: variables.collect(),
            liveness: Liveness::of(executor.model, read),
            integers: integers
                .into_iter()
                .map(|value| store.int(value.to_integer()))
                .collect(),
            reals: reals.into_iter().map(|value| store.real(value)).collect(),
            cells: Vec::new(),
            numbers: FxHashMap::default(),
            from: Vec::new(),
            wide: FxHashSet::default(),
            seen: FxHashMap::default(),
            queries: 0,
        }
    }

    fn run(
        &mut self,
        executor: &mut Executor<'_, '_>,
        look: &mut Look<'_>,
    ) -> Result<Closure, GivenUp> {
        let initial = executor.initial();
        self.enter(executor, None, initial)?;
        let mut next = 0;
        while next < self.cells.len() {
            if self.cells.len() > CELLS || executor.stop().is_set() {
                return Err(GivenUp);
            }
            let state = self.state(executor, next)?;
            match look(executor, &state) {
                Ok(None) => {}
                Ok(Some(_)) => return self.confirmed(executor, next, look),
                Err(()) => return Err(GivenUp),
            }
            for step in executor.moves(&state.location) {
                let mut symbolic = executor.symbolic_step(&state, step, None);
                executor.compute_calls(&mut symbolic).map_err(|_| GivenUp)?;
                if executor.store.as_bool(symbolic.condition) == Some(false) {
                    continue;
                }
                if !symbolic.calls.is_empty() {
                    return Err(GivenUp);
                }
                if executor.store.as_bool(symbolic.condition).is_none() {
                    self.count()?;
                }
                match executor.decide(&state, symbolic) {
                    StepOutcome::Infeasible => {}
                    StepOutcome::Unknown(_) => return Err(GivenUp),
                    StepOutcome::Feasible(found) => {
                        self.enter(executor, Some((next, step)), found.1)?;
                    }
                }
            }
            next += 1;
        }
        Ok(Closure::Never)
    }

    fn count(&mut self) -> Result<(), GivenUp> {
        self.queries += 1;
        match self.queries > QUERIES {
            true => Err(GivenUp),
            false => Ok(()),
        }
    }

    /// Adds the cells that hold what a symbolic state stands for.
    fn enter(
        &mut self,
        executor: &mut Executor<'_, '_>,
        from: Option<(usize, Move)>,
        state: SymbolicState,
    ) -> Result<(), GivenUp> {
        let mut leaves: Vec<Option<Leaf>> = Vec::new();
        for (number, &value) in state.valuation.iter().enumerate() {
            leaves.push(match self.liveness.forgotten(&state.location, number) {
                Some(default) => Some(Leaf::Value(executor.store.value(default.clone()))),
                None if executor.store.as_value(value).is_some() => Some(Leaf::Value(value)),
                None => None,
            });
        }
        let mut few: Vec<usize> = Vec::new();
        for number in (0..leaves.len()).filter(|&number| leaves[number].is_none()) {
            let key = from.map(|(_, step)| (step, number));
            if key.is_some_and(|key| self.wide.contains(&key)) {
                continue;
            }
            match self.values(executor, &state, &[state.valuation[number]], VALUES)? {
                Some(_) => few.push(number),
                None => self.wide.extend(key),
            }
        }
        let listed: Vec<Term> = few.iter().map(|&number| state.valuation[number]).collect();
        let combinations = match listed.is_empty() {
            true => vec![(Vec::new(), state.clone())],
            false => self
                .values(executor, &state, &listed, SUCCESSORS)?
                .ok_or(GivenUp)?,
        };
        for (values, state) in combinations {
            let mut leaves = leaves.clone();
            for (&number, value) in few.iter().zip(values) {
                leaves[number] = Some(Leaf::Value(value));
            }
            let open = (0..leaves.len()).filter(|&number| leaves[number].is_none());
            let open: Vec<usize> = open.collect();
            let mut cell = Cell {
                location: state.location.clone(),
                leaves: Vec::new(),
                known: self.known(executor, &state, &open),
            };
            for (number, leaf) in leaves.into_iter().enumerate() {
                let leaf = match leaf {
                    Some(Leaf::Value(value)) => self.chained(executor, &state, number, value)?,
                    Some(between) => between,
                    None => self.bounded(executor, &state, state.valuation[number])?,
                };
                cell.leaves.push(leaf);
            }
            if !self.numbers.contains_key(&cell) {
                self.numbers.insert(cell.clone(), self.cells.len());
                self.cells.push(cell);
                self.from.push(from);
            }
        }
        Ok(())
    }

    /// The conditions of a path that are about values in these leaves alone.
    fn known(
        &self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        open: &[usize],
    ) -> Vec<Term> {
        let mut places: FxHashMap<Term, Term> = FxHashMap::default();
        let mut known = Vec::new();
        for &number in open {
            let (value, variable) = (state.valuation[number], self.variables[number]);
            if executor.store.as_variable(value).is_none() {
                continue;
            }
            match places.get(&value) {
                Some(&same) => known.push(executor.store.eq(same, variable)),
                None => {
                    places.insert(value, variable);
                }
            }
        }
        if places.is_empty() {
            return known;
        }
        let path: Vec<Term> = state.path.constraints().collect();
        let own: Vec<Term> = places.keys().copied().collect();
        let own = term::free_variables(&executor.store, &own);
        let store = &executor.store;
        let path = path.into_iter().flat_map(|it| term::conjuncts(store, it));
        for condition in path.collect::<Vec<Term>>() {
            let free = term::free_variables(&executor.store, &[condition]);
            if !free.is_empty() && free.iter().all(|it| own.contains(it)) {
                known.push(term::substitute(&mut executor.store, &[condition], &places)[0]);
            }
        }
        known.sort_unstable();
        known.dedup();
        // What a value went through would make a cell for every path.
        if known.len() > CONDITIONS {
            known.clear();
        }
        known
    }

    /// The value, or bounds where there were too many values before it.
    fn chained(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        number: usize,
        value: Term,
    ) -> Result<Leaf, GivenUp> {
        let seen = self.seen.entry((state.location.clone(), number));
        let seen = seen.or_default();
        seen.insert(value);
        match seen.len() > CHAIN && matches!(executor.store.sort(value), Sort::Int | Sort::Real) {
            true => self.bounded(executor, state, value),
            false => Ok(Leaf::Value(value)),
        }
    }

    /// The combinations of values that terms can have in a state, each with the state where they
    /// have them; none if there are more than this.
    fn values(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        terms: &[Term],
        most: usize,
    ) -> Result<Option<Vec<Combination>>, GivenUp> {
        let mut found: Vec<Combination> = Vec::new();
        let mut rest = state.clone();
        loop {
            let values = executor.values(terms, &rest.model).ok_or(GivenUp)?;
            let values = executor.constants(&values);
            let pairs = terms.iter().zip(&values);
            let pairs = pairs.map(|(&term, &value)| executor.store.eq(term, value));
            let pairs: Vec<Term> = pairs.collect();
            let same = executor.store.and_all(pairs);
            let mut here = state.clone();
            here.model = rest.model.clone();
            let here = executor.supposing(&here, same);
            found.push((values, here));
            if found.len() > most {
                return Ok(None);
            }
            self.count()?;
            let other = executor.store.not(same);
            match executor.assume(&rest, other) {
                StepOutcome::Feasible(next) => rest = next.1,
                StepOutcome::Infeasible => return Ok(Some(found)),
                StepOutcome::Unknown(_) => return Err(GivenUp),
            }
        }
    }

    /// The nearest constants that a term is always between.
    fn bounded(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        term: Term,
    ) -> Result<Leaf, GivenUp> {
        let bounds = match executor.store.sort(term) {
            Sort::Int => self.integers.clone(),
            Sort::Real => self.reals.clone(),
            _ => return Ok(Leaf::Between(None, None)),
        };
        // What is below the least that it can be comes first.
        let (mut low, mut high) = (0, bounds.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let below = executor.store.lt(term, bounds[middle]);
            match self.can(executor, state, below)? {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        let least = low.checked_sub(1).map(|at| bounds[at]);
        let (mut low, mut high) = (0, bounds.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let above = executor.store.lt(bounds[middle], term);
            match self.can(executor, state, above)? {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(match (least, bounds.get(low).copied()) {
            (Some(least), Some(greatest)) if least == greatest => Leaf::Value(least),
            (least, greatest) => Leaf::Between(least, greatest),
        })
    }

    fn can(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        condition: Term,
    ) -> Result<bool, GivenUp> {
        if let Some(decided) = executor.store.as_bool(condition) {
            return Ok(decided);
        }
        self.count()?;
        executor.holds(state, condition).map_err(|_| GivenUp)
    }

    /// A cell as a symbolic state.
    fn state(
        &mut self,
        executor: &mut Executor<'_, '_>,
        number: usize,
    ) -> Result<SymbolicState, GivenUp> {
        let mut state = executor.initial();
        let cell = self.cells[number].clone();
        let (mut valuation, mut conditions) = (Vec::new(), Vec::new());
        conditions.extend(&cell.known);
        for (leaf, &value) in cell.leaves.iter().zip(&self.variables) {
            let store = &mut executor.store;
            valuation.push(match *leaf {
                Leaf::Value(value) => value,
                Leaf::Between(least, greatest) => {
                    conditions.extend(least.map(|least| store.le(least, value)));
                    conditions.extend(greatest.map(|greatest| store.le(value, greatest)));
                    value
                }
            });
        }
        state.location = cell.location;
        state.valuation = valuation.into();
        state.path = mixed::solver::PathCondition::new();
        state.calls = Rc::new([]);
        state.model = Assignment::new();
        if conditions.is_empty() {
            return Ok(state);
        }
        let condition = executor.store.and_all(conditions);
        self.count()?;
        match executor.assume(&state, condition) {
            StepOutcome::Feasible(found) => Ok(found.1),
            StepOutcome::Infeasible | StepOutcome::Unknown(_) => Err(GivenUp),
        }
    }

    /// The path to a cell, if it can be taken, with what was looked for at its end.
    fn confirmed(
        &mut self,
        executor: &mut Executor<'_, '_>,
        number: usize,
        look: &mut Look<'_>,
    ) -> Result<Closure, GivenUp> {
        let mut path = Vec::new();
        let mut at = number;
        while let Some((before, step)) = self.from[at] {
            path.push((step, at));
            at = before;
        }
        path.reverse();
        let mut state = executor.initial();
        let mut steps = Vec::new();
        for (step, cell) in path {
            let mut symbolic = executor.symbolic_step(&state, step, None);
            let leaves = self.cells[cell].leaves.iter().enumerate();
            let mut conditions = vec![symbolic.condition];
            for (number, leaf) in leaves {
                let is_kept = self
                    .liveness
                    .forgotten(&symbolic.location, number)
                    .is_none();
                if let (Leaf::Value(value), true) = (*leaf, is_kept) {
                    let same = executor.store.eq(symbolic.valuation[number], value);
                    conditions.push(same);
                }
            }
            symbolic.condition = executor.store.and_all(conditions);
            match executor.decide(&state, symbolic) {
                StepOutcome::Feasible(found) => {
                    steps.push((step, found.0));
                    state = found.1;
                }
                StepOutcome::Infeasible | StepOutcome::Unknown(_) => return Err(GivenUp),
            }
        }
        match look(executor, &state) {
            Ok(Some(there)) => Ok(Closure::Found(steps, Box::new(there))),
            Ok(None) | Err(()) => Err(GivenUp),
        }
    }
}

/// The numbers that stand in the model and in these expressions.
fn constants(model: &Model, read: &[&Expr]) -> Vec<BigRational> {
    let mut found = vec![BigRational::default()];
    let mut waiting: Vec<&Expr> = read.to_vec();
    for transition in &model.transitions {
        waiting.push(&transition.guard);
        match &transition.action {
            Action::Internal => {}
            Action::Input { condition, .. } => waiting.push(condition),
            Action::Output { values, .. } => waiting.extend(values),
        }
        waiting.extend(transition.assignments.iter().map(|it| &it.value));
    }
    for automaton in &model.automata {
        waiting.extend(automaton.limits.iter().flatten());
    }
    waiting.extend(model.definitions.iter().map(|it| &it.body));
    while let Some(expr) = waiting.pop() {
        if let ExprKind::Value(values) = &expr.kind {
            found.extend(values.iter().filter_map(number));
        }
        waiting.extend(expr.children());
    }
    for variable in &model.variables {
        found.extend(variable.initial.iter().flatten().filter_map(number));
    }
    found
}

fn number(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(value) => Some(BigRational::from_integer(value.clone())),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}
