//! Properties of a model itself: what holds in every state, what can be reached, and where
//! nothing can happen any more.
//!
//! A state that answers the question is shown by a path there with concrete values, a test
//! like any other. That there is none is said only where all states are known: those that can be
//! reached lie in few cells (`closure.rs`), or the tree is whole, that is, no bound was reached and
//! nothing left undecided.

use crate::closure::{Closure, close};
use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState, SymbolicStep};
use crate::exploration::{Bounds, End, Fate, Tree, explore, is_whole};
use crate::lower::Lowering;
use crate::model::{Action, Expr, ExprKind, Model};
use crate::testcase::{Data, TestCase, without_reaction};
use ::explore::Strategy;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use term::Term;

/// What is looked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Property {
    /// A state that transitions leave, none of which can be taken.
    Deadlock,
    /// Where these states are, if some are given, and the condition holds.
    Reachable {
        /// Automata, and the state of each.
        at: Vec<(usize, usize)>,
        /// The condition.
        condition: Option<Expr>,
    },
    /// Where these states are, if some are given, and the condition does not hold.
    Violated {
        /// Automata, and the state of each.
        at: Vec<(usize, usize)>,
        /// The condition.
        condition: Expr,
    },
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// This path leads there.
    Found(TestCase),
    /// There is no such state.
    Never,
    /// None was found, and why it is not known that there is none.
    Unknown(String),
}

/// Times that an input is shown to be possible for some values, before it is given up.
const ROUNDS: usize = 16;

/// A tree of this many states is searched before a larger one is made.
const FIRST: usize = 200;

/// Looks for a state that has the property; gives how many states were looked at, too.
pub fn search(
    executor: &mut Executor<'_, '_>,
    bounds: &Bounds,
    property: &Property,
    data: &mut Data,
) -> (Answer, usize) {
    let (closed, states) = in_cells(executor, property, data);
    if let Some(answer) = closed {
        return (answer, states);
    }
    let mut bounds = bounds.clone();
    // What a covered state leads to, the covering one leads to as well.
    bounds.inclusion = true;
    let most = bounds.states;
    bounds.states = FIRST.min(most);
    let mut searched = (format!("not found in {}", counted(states, "state")), states);
    loop {
        let tree = explore(executor, &bounds, None);
        let answer = in_tree(executor, &tree, &bounds, property, data);
        if let (true, Answer::Unknown(_)) = (executor.stop().is_set(), &answer) {
            let reason = format!("stopped; until then {}", searched.0);
            return (Answer::Unknown(reason), searched.1);
        }
        let Answer::Unknown(reason) = answer else {
            return (answer, tree.nodes.len());
        };
        if tree.end != End::States || bounds.states >= most {
            return (Answer::Unknown(reason), tree.nodes.len());
        }
        searched = (reason, tree.nodes.len());
        bounds.states = bounds.states.saturating_mul(7).min(most);
    }
}

/// Looks for it in all states that can be reached, if they lie in few cells; gives how many.
fn in_cells(
    executor: &mut Executor<'_, '_>,
    property: &Property,
    data: &mut Data,
) -> (Option<Answer>, usize) {
    let read: Vec<&Expr> = match property {
        Property::Deadlock => Vec::new(),
        Property::Reachable { condition, .. } => condition.iter().collect(),
        Property::Violated { condition, .. } => vec![condition],
    };
    let (closure, cells) = close(executor, &read, &mut |executor, state| match looked_for(
        executor, state, property,
    ) {
        Outcome::There(state) => Ok(Some(*state)),
        Outcome::Not => Ok(None),
        Outcome::Undecided(_) => Err(()),
    });
    let answer = match closure {
        Closure::Never => Some(Answer::Never),
        Closure::Found(steps, state) => path(executor, &state, steps, data).map(Answer::Found),
        Closure::Open => None,
    };
    (answer, cells)
}

/// Looks for a state of the tree that has the property.
fn in_tree(
    executor: &mut Executor<'_, '_>,
    tree: &Tree,
    bounds: &Bounds,
    property: &Property,
    data: &mut Data,
) -> Answer {
    let mut undecided = None;
    for (number, node) in tree.nodes.iter().enumerate() {
        if executor.stop().is_set() {
            return Answer::Unknown("stopped".to_owned());
        }
        let state = match looked_for(executor, &node.state, property) {
            Outcome::There(state) => state,
            Outcome::Not => continue,
            Outcome::Undecided(reason) => {
                undecided.get_or_insert(reason);
                continue;
            }
        };
        let steps = tree.path(number).into_iter();
        let steps = steps.filter_map(|node| tree.nodes[node].step.clone());
        let steps: Vec<(Move, Event)> = steps.collect();
        match path(executor, &state, steps, data) {
            Some(test) => return Answer::Found(test),
            None => {
                undecided.get_or_insert("external functions give no values".to_owned());
            }
        }
    }
    match undecided {
        Some(reason) => Answer::Unknown(reason),
        None if is_whole(tree) => Answer::Never,
        None => Answer::Unknown(bounded(tree, bounds)),
    }
}

/// What was searched of a tree that is not whole, and found to have nothing that was looked for.
fn bounded(tree: &Tree, bounds: &Bounds) -> String {
    let searched = format!("not found in {}", counted(tree.nodes.len(), "state"));
    if tree.unknown > 0 {
        let undecided = counted(tree.unknown, "undecided step");
        return format!("{searched}, with {undecided} among them");
    }
    if bounds.strategy != Strategy::Bfs {
        return searched;
    }
    // Breadth first, all states are there up to the depth of the first that waits.
    let waiting = tree.nodes.iter().filter(|node| node.fate == Fate::Waiting);
    let depth = waiting.map(|node| node.depth).min();
    let steps = counted(depth.unwrap_or(bounds.height), "step");
    format!("{searched}; no path of up to {steps} leads there")
}

fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

fn looked_for(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    property: &Property,
) -> Outcome {
    match property {
        Property::Deadlock => blocked(executor, state),
        Property::Reachable { at, condition } => {
            holding(executor, state, at, condition.as_ref(), true)
        }
        Property::Violated { at, condition } => {
            holding(executor, state, at, Some(condition), false)
        }
    }
}

/// The path to a state with values; none if a function has no result.
fn path(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    steps: Vec<(Move, Event)>,
    data: &mut Data,
) -> Option<TestCase> {
    let steps = without_reaction(executor, state, steps, data)?;
    Some(TestCase {
        name: "path".to_owned(),
        goals: Vec::new(),
        steps,
    })
}

/// Whether a state has what is looked for.
enum Outcome {
    There(Box<SymbolicState>),
    Not,
    Undecided(String),
}

impl From<StepOutcome> for Outcome {
    fn from(outcome: StepOutcome) -> Outcome {
        match outcome {
            StepOutcome::Feasible(found) => Outcome::There(Box::new(found.1)),
            StepOutcome::Infeasible => Outcome::Not,
            StepOutcome::Unknown(reason) => Outcome::Undecided(reason.to_string()),
        }
    }
}

/// Whether the condition can be so in a state.
fn holding(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    at: &[(usize, usize)],
    condition: Option<&Expr>,
    holds: bool,
) -> Outcome {
    if at
        .iter()
        .any(|&(automaton, place)| state.location[automaton] != place)
    {
        return Outcome::Not;
    }
    let Some(condition) = condition else {
        return Outcome::There(Box::new(state.clone()));
    };
    let (model, valuation) = (executor.model, state.valuation.to_vec());
    let mut lowering = Lowering::new(&mut executor.store, model, valuation);
    let condition = lowering.leaf(condition);
    let mut all = std::mem::take(&mut lowering.needs);
    let store = &mut executor.store;
    all.push(match holds {
        true => condition,
        false => store.not(condition),
    });
    let condition = store.and_all(all);
    executor.assume(state, condition).into()
}

/// A state now or after some time, and when that time can pass.
struct Moment {
    state: SymbolicState,
    condition: Term,
}

/// Whether a state can be one where nothing can happen, now and after any time.
fn blocked(executor: &mut Executor<'_, '_>, state: &SymbolicState) -> Outcome {
    let delay = executor.model.delay();
    let mut moves = executor.moves(&state.location);
    moves.retain(|step| Some(step.first) != delay);
    if moves.is_empty() {
        return Outcome::Not;
    }
    let mut state = state.clone();
    let moments = moments(executor, &state, &moves);
    let mut inputs = Vec::new();
    for &step in &moves {
        for moment in &moments {
            let symbolic = step_at(executor, moment, step);
            if let Event::Input { values, .. } = &symbolic.event
                && mentions(executor, symbolic.condition, values)
            {
                inputs.push((moment, step));
                continue;
            }
            let refused = executor.store.not(symbolic.condition);
            match executor.assume(&state, refused).into() {
                Outcome::There(next) => state = *next,
                other => return other,
            }
        }
    }
    for (moment, step) in inputs {
        match refusing(executor, state, moment, step) {
            Outcome::There(next) => state = *next,
            other => return other,
        }
    }
    match delay.map(|first| stays_blocked(executor, &state, first, &moves)) {
        None | Some(Outcome::Not) => Outcome::There(Box::new(state)),
        Some(other) => other,
    }
}

/// The state where an input does not fit with any values. Values that fit once are asked to
/// fit no longer, until none do or every state has some.
fn refusing(
    executor: &mut Executor<'_, '_>,
    mut state: SymbolicState,
    moment: &Moment,
    step: Move,
) -> Outcome {
    for _ in 0..ROUNDS {
        let symbolic = step_at(executor, moment, step);
        let Event::Input { values, .. } = symbolic.event.clone() else {
            break;
        };
        let condition = symbolic.condition;
        let found = match executor.decide(&state, symbolic) {
            StepOutcome::Feasible(found) => found.1,
            StepOutcome::Infeasible => return Outcome::There(Box::new(state)),
            StepOutcome::Unknown(reason) => return Outcome::Undecided(reason.to_string()),
        };
        let Some(fitting) = executor.values(&values, &found.model) else {
            return Outcome::Undecided("external functions give no values".to_owned());
        };
        let fitting = executor.constants(&fitting);
        let given: FxHashMap<Term, Term> = values.into_iter().zip(fitting).collect();
        let fits = term::substitute(&mut executor.store, &[condition], &given)[0];
        let refused = executor.store.not(fits);
        match executor.assume(&state, refused).into() {
            Outcome::There(next) => state = *next,
            other => return other,
        }
    }
    Outcome::Undecided("it was not decided whether an input fits".to_owned())
}

/// A step that is taken at a moment.
fn step_at(executor: &mut Executor<'_, '_>, moment: &Moment, step: Move) -> SymbolicStep {
    let mut symbolic = executor.symbolic_step(&moment.state, step, None);
    symbolic.condition = executor.store.and(moment.condition, symbolic.condition);
    symbolic
}

/// Moments at which something may become possible: now, and, where conditions compare a clock,
/// when it is at what it is compared with, between two of these, and later. Whether a condition on
/// one clock holds at some time is decided at these moments alone (Loos and Weispfenning, *Applying
/// linear quantifier elimination*, 1993).
fn moments(executor: &mut Executor<'_, '_>, state: &SymbolicState, moves: &[Move]) -> Vec<Moment> {
    let now = Moment {
        state: state.clone(),
        condition: executor.store.bool(true),
    };
    let Some(first) = executor.model.delay() else {
        return vec![now];
    };
    let delay = Move {
        first,
        second: None,
    };
    let mut found = vec![now];
    for time in times(executor, state, moves) {
        let passed = executor.symbolic_step(state, delay, Some(&[time]));
        found.push(Moment {
            condition: passed.condition,
            state: SymbolicState {
                valuation: passed.valuation.into(),
                ..state.clone()
            },
        });
    }
    found
}

/// How long it takes until clocks are at, between and beyond what they are compared with.
fn times(executor: &mut Executor<'_, '_>, state: &SymbolicState, moves: &[Move]) -> Vec<Term> {
    let model = executor.model;
    let mut compared = Vec::new();
    for number in moves.iter().flat_map(|step| step.transitions()) {
        let transition = &model.transitions[number];
        comparisons(model, &transition.guard, &mut compared);
        if let Action::Input { condition, .. } = &transition.action {
            comparisons(model, condition, &mut compared);
        }
    }
    for limit in model.limits(&state.location) {
        comparisons(model, limit, &mut compared);
    }
    compared.truncate(COMPARISONS);
    let mut lowering = Lowering::new(&mut executor.store, model, state.valuation.to_vec());
    let mut found: Vec<Term> = Vec::new();
    for (clock, bound) in compared {
        let bound = lowering.leaf(bound);
        let until = lowering.store.sub(bound, state.valuation[clock]);
        if !found.contains(&until) {
            found.push(until);
        }
    }
    let store = &mut executor.store;
    let (one, half) = (
        store.real(BigRational::from_integer(1.into())),
        store.real(BigRational::new(1.into(), 2.into())),
    );
    let zero = store.real(BigRational::default());
    let mut times = found.clone();
    for (number, &time) in found.iter().enumerate() {
        times.push(store.add(time, one));
        for &other in found[number + 1..].iter().chain([&zero]) {
            let sum = store.add(time, other);
            times.push(store.mul(half, sum));
        }
    }
    times
}

/// Comparisons whose moments are tried.
const COMPARISONS: usize = 6;

/// The clocks that a condition compares, and with what.
pub(crate) fn comparisons<'e>(model: &Model, expr: &'e Expr, found: &mut Vec<(usize, &'e Expr)>) {
    if let ExprKind::Binary(operator, left, right) = &expr.kind
        && operator.compares()
    {
        match (clock_of(model, left), clock_of(model, right)) {
            (Some(clock), None) => found.push((clock, right)),
            (None, Some(clock)) => found.push((clock, left)),
            _ => {}
        }
    }
    for part in expr.children() {
        comparisons(model, part, found);
    }
}

/// The clock that an expression is, by its leaf.
pub(crate) fn clock_of(model: &Model, expr: &Expr) -> Option<usize> {
    let ExprKind::Variable(offset) = expr.kind else {
        return None;
    };
    let mut clocks = model.variables.iter().filter(|it| it.is_clock);
    clocks.any(|it| it.offset == offset).then_some(offset)
}

/// Whether time leads out of a state: not at all, or it is not decided.
fn stays_blocked(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    first: usize,
    moves: &[Move],
) -> Outcome {
    let delay = Move {
        first,
        second: None,
    };
    let passed = executor.symbolic_step(state, delay, None);
    let later = Moment {
        condition: passed.condition,
        state: SymbolicState {
            valuation: passed.valuation.into(),
            ..state.clone()
        },
    };
    for &step in moves {
        let symbolic = step_at(executor, &later, step);
        match executor.decide(state, symbolic) {
            StepOutcome::Infeasible => {}
            StepOutcome::Feasible(_) => {
                let reason = "it was not decided whether time leads out of a state";
                return Outcome::Undecided(reason.to_owned());
            }
            StepOutcome::Unknown(reason) => return Outcome::Undecided(reason.to_string()),
        }
    }
    Outcome::Not
}

fn mentions(executor: &Executor<'_, '_>, condition: Term, values: &[Term]) -> bool {
    let free = term::free_variables(&executor.store, &[condition]);
    let inputs = term::free_variables(&executor.store, values);
    inputs.iter().any(|input| free.contains(input))
}
