//! Goals about values: each part of a condition on its own (MC/DC), the boundaries of
//! comparisons, and classes of inputs two by two.
//!
//! The decision of a transition is its guard and the condition on its input. A part of it has
//! an effect of its own where changing it alone would change the decision (Chilenski, Miller,
//! *Applicability of modified condition/decision coverage to software testing*, 1994): tests
//! should meet it both ways there. Where the decision does not hold, something else has to
//! happen, with the same input where it is about one.

use crate::classes::{Class, classified};
use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState, SymbolicStep, receive};
use crate::exploration::{End, Tree, is_whole};
use crate::lower::Lowering;
use crate::model::{Action, Expr, ExprKind, Model, Operator, Transition};
use crate::results::Missed;
use crate::testcase::{Data, TestCase, TestEvent, TestStep, beside, made};
use crate::types::Type;
use crate::written::expression_text;
use term::{Store, Term, Value};

/// States of the tree from which a goal is looked for: the first ones, and as many others.
const BEGINNINGS: usize = 24;

/// Something that should hold of the values when a transition is considered.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueGoal {
    transition: usize,
    wanted: Wanted,
}

/// Parts of a decision are numbered in the order of the text.
#[derive(Clone, PartialEq, Debug)]
enum Wanted {
    /// The part is so, and decides.
    Decides(usize, bool),
    /// One side of the comparison that the part is is so much more than the other.
    Beside(usize, i8),
    /// The transition is taken with values of these classes.
    Together(Box<[InClass; 2]>),
}

/// That a value of an input, by leaf, is in a class.
#[derive(Clone, PartialEq, Debug)]
struct InClass {
    leaf: usize,
    name: String,
    ty: Type,
    class: Class,
}

impl ValueGoal {
    /// What people call it.
    pub fn name(&self, model: &Model) -> String {
        let transition = &model.transitions[self.transition];
        let part = |number: usize| expression_text(model, parts(transition)[number]);
        let name = &transition.name;
        match &self.wanted {
            Wanted::Decides(number, true) => format!("{name}: {} decides", part(*number)),
            Wanted::Decides(number, false) => format!("{name}: not {} decides", part(*number)),
            Wanted::Beside(number, 0) => format!("{name}: {}: both sides equal", part(*number)),
            Wanted::Beside(number, 1) => format!("{name}: {}: one more", part(*number)),
            Wanted::Beside(number, _) => format!("{name}: {}: one less", part(*number)),
            Wanted::Together(both) => {
                let [one, other] = both.each_ref().map(|it| it.class.text(&it.name, &it.ty));
                format!("{name}: {one} and {other}")
            }
        }
    }
}

/// Every part of every decision, both ways.
pub fn decisions(model: &Model) -> Vec<ValueGoal> {
    all(model, |number, _| {
        [true, false]
            .map(|value| Wanted::Decides(number, value))
            .to_vec()
    })
}

/// The boundary of every comparison of numbers, and beside it.
pub fn boundaries(model: &Model) -> Vec<ValueGoal> {
    all(model, |number, part| match &part.kind {
        ExprKind::Binary(operator, left, _) if operator.compares() && left.ty.is_number() => {
            [-1, 0, 1].map(|side| Wanted::Beside(number, side)).to_vec()
        }
        _ => Vec::new(),
    })
}

/// Every class of a value with every class of another that comes with the same input.
pub fn data_pairs(model: &Model) -> Vec<ValueGoal> {
    let mut found = Vec::new();
    for (number, transition) in model.transitions.iter().enumerate() {
        let values = classified(model, transition);
        let classes = values.iter().map(|(leaf, value)| {
            let classes = value.classes.iter().map(|class| InClass {
                leaf: *leaf,
                name: value.name.clone(),
                ty: value.ty.clone(),
                class: class.clone(),
            });
            classes.collect::<Vec<_>>()
        });
        let classes: Vec<Vec<InClass>> = classes.collect();
        for (index, ones) in classes.iter().enumerate() {
            for other in classes[index + 1..].iter().flatten() {
                found.extend(ones.iter().map(|one| ValueGoal {
                    transition: number,
                    wanted: Wanted::Together(Box::new([one.clone(), other.clone()])),
                }));
            }
        }
    }
    found
}

fn all(model: &Model, wanted: impl Fn(usize, &Expr) -> Vec<Wanted>) -> Vec<ValueGoal> {
    let mut found = Vec::new();
    for (number, transition) in model.transitions.iter().enumerate() {
        for (part, expr) in parts(transition).into_iter().enumerate() {
            let goals = wanted(part, expr).into_iter().map(|wanted| ValueGoal {
                transition: number,
                wanted,
            });
            found.extend(goals);
        }
    }
    found
}

/// The parts of a transition's decision: of its guard, then of the condition on its input.
fn parts(transition: &Transition) -> Vec<&Expr> {
    let mut found = Vec::new();
    collect(&transition.guard, &mut found);
    if let Action::Input { condition, .. } = &transition.action {
        collect(condition, &mut found);
    }
    found
}

fn collect<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Value(_) => {}
        ExprKind::Not(inner) => collect(inner, found),
        ExprKind::Binary(Operator::And | Operator::Or | Operator::Implies, left, right) => {
            collect(left, found);
            collect(right, found);
        }
        _ => found.push(expr),
    }
}

/// Adds tests for goals that the tests do not reach yet; each is given to `keep` when it is
/// finished. Gives the goals that no test reaches, and why.
///
/// # Errors
///
/// When `keep` fails, with its error.
pub fn cover<E>(
    executor: &mut Executor<'_, '_>,
    goals: &[ValueGoal],
    tree: &Tree,
    tests: &mut Vec<TestCase>,
    data: &mut Data,
    mut keep: impl FnMut(&TestCase) -> Result<(), E>,
) -> Result<Vec<Missed>, E> {
    let mut open: Vec<&ValueGoal> = goals.iter().collect();
    for test in tests.iter() {
        strike_out(executor, test, &mut open);
    }
    let mut missed = Vec::new();
    while !open.is_empty() {
        let goal = open.remove(0);
        let (steps, is_refuted) = match search(executor, goal, tree) {
            Search::Found(steps, state) => (made(executor, &state, steps, data), false),
            Search::NotFound { is_refuted } => (None, is_refuted),
        };
        let Some(steps) = steps.filter(|_| !executor.stop().is_set()) else {
            missed.push(Missed {
                goal: goal.name(executor.model),
                reason: why_missed(executor, goal, tree, is_refuted).to_owned(),
            });
            continue;
        };
        let mut test = TestCase {
            name: format!("test{:03}", tests.len() + 1),
            goals: vec![goal.name(executor.model)],
            steps,
        };
        let others = strike_out(executor, &test, &mut open);
        test.goals.extend(others);
        keep(&test)?;
        tests.push(test);
    }
    Ok(missed)
}

fn why_missed(
    executor: &mut Executor<'_, '_>,
    goal: &ValueGoal,
    tree: &Tree,
    is_refuted: bool,
) -> &'static str {
    if executor.stop().is_set() || tree.end == End::Stopped {
        return "stopped before it was reached";
    }
    match is_refuted && is_whole(tree) || is_ruled_out(executor, goal) {
        true => "infeasible",
        false if is_whole(tree) => "unknown: steps on the way were not decided",
        false => "bound reached",
    }
}

/// What a search in the tree came to.
enum Search {
    /// A path that reaches the goal, and the state at its end.
    Found(Vec<(Move, Event)>, Box<SymbolicState>),
    /// There is none, or none was found.
    NotFound {
        /// Whether every state of the tree was looked at, and none can reach it.
        is_refuted: bool,
    },
}

/// Looks for a path that reaches the goal.
fn search(executor: &mut Executor<'_, '_>, goal: &ValueGoal, tree: &Tree) -> Search {
    let transition = &executor.model.transitions[goal.transition];
    let nodes = 0..tree.nodes.len();
    let is_there =
        |&node: &usize| tree.nodes[node].state.location[transition.automaton] == transition.from;
    let there: Vec<usize> = nodes.filter(is_there).collect();
    let (first, rest) = there.split_at(there.len().min(BEGINNINGS));
    let spread = rest.iter().step_by(rest.len() / BEGINNINGS + 1);
    let mut is_refuted = rest.len() < BEGINNINGS;
    for &node in first.iter().chain(spread) {
        let state = &tree.nodes[node].state;
        for step in executor.moves(&state.location) {
            let Some(symbolic) = step_towards(executor, goal, state, step, None) else {
                continue;
            };
            let (event, after) = match executor.decide(state, symbolic) {
                StepOutcome::Feasible(found) => *found,
                StepOutcome::Infeasible => continue,
                StepOutcome::Unknown(_) => {
                    is_refuted = false;
                    continue;
                }
            };
            let path = tree.path(node).into_iter();
            let mut steps: Vec<(Move, Event)> = path
                .filter_map(|node| tree.nodes[node].step.clone())
                .collect();
            steps.push((step, event));
            return Search::Found(steps, Box::new(after));
        }
    }
    Search::NotFound { is_refuted }
}

/// Whether no values of the variables reach the goal.
fn is_ruled_out(executor: &mut Executor<'_, '_>, goal: &ValueGoal) -> bool {
    let model = executor.model;
    let transition = &model.transitions[goal.transition];
    // Where the others are does not matter to a transition that moves alone.
    if model.automata.len() > 1 {
        return false;
    }
    let mut state = executor.anywhere();
    state.location[transition.automaton] = transition.from;
    executor.moves(&state.location).into_iter().all(|step| {
        match step_towards(executor, goal, &state, step, None) {
            Some(symbolic) => executor.is_impossible(&state, &symbolic),
            None => true,
        }
    })
}

/// Takes out of the open goals those that a test reaches; gives their names.
fn strike_out(
    executor: &mut Executor<'_, '_>,
    test: &TestCase,
    open: &mut Vec<&ValueGoal>,
) -> Vec<String> {
    let model = executor.model;
    let mut struck = Vec::new();
    let mut state = executor.initial();
    for TestStep { step, event } in &test.steps {
        let Some(step) = *step else {
            continue;
        };
        let given = match event {
            TestEvent::Input { values, .. } => Some(executor.constants(values)),
            TestEvent::Internal | TestEvent::Output { .. } | TestEvent::Silence { .. } => None,
        };
        let given = given.as_deref();
        open.retain(|goal| {
            let condition = step_towards(executor, goal, &state, step, given);
            let condition = condition.map(|symbolic| symbolic.condition);
            let values = condition.and_then(|it| executor.values(&[it], &state.model));
            let is_reached = values.as_deref() == Some(&[Value::Bool(true)]);
            struck.extend(is_reached.then(|| goal.name(model)));
            !is_reached
        });
        let mut symbolic = executor.symbolic_step(&state, step, given);
        if executor.compute_calls(&mut symbolic).is_err() {
            break;
        }
        let StepOutcome::Feasible(found) = executor.decide(&state, symbolic) else {
            break;
        };
        state = found.1;
    }
    struck
}

/// The step, under the condition that it reaches the goal; none if it has nothing to do
/// with it.
fn step_towards(
    executor: &mut Executor<'_, '_>,
    goal: &ValueGoal,
    state: &SymbolicState,
    step: Move,
    given: Option<&[Term]>,
) -> Option<SymbolicStep> {
    let model = executor.model;
    let transition = &model.transitions[goal.transition];
    let other = &model.transitions[step.first];
    let is_taken = step.first == goal.transition;
    let is_instead = other.automaton == transition.automaton
        && other.from == transition.from
        && match (&other.action, &transition.action) {
            (Action::Input { channel, .. }, Action::Input { channel: own, .. }) => channel == own,
            (Action::Input { .. }, _) | (_, Action::Input { .. }) => false,
            (Action::Internal | Action::Output { .. }, _) => true,
        };
    let is_instead = is_instead && !matches!(goal.wanted, Wanted::Together(_));
    if step.second.is_some() || !is_taken && !is_instead {
        return None;
    }
    let mut symbolic = executor.symbolic_step(state, step, given);
    let terms = Decided::new(executor, goal, state, &symbolic.event)?;
    let store = &mut executor.store;
    let mut conditions = terms.needs;
    conditions.extend([symbolic.condition, terms.wanted]);
    if !is_taken {
        conditions.push(store.not(terms.decision));
    }
    symbolic.condition = store.and_all(conditions);
    symbolic.calls.extend(terms.calls);
    Some(symbolic)
}

/// A transition's decision in terms.
struct Decided {
    decision: Term,
    /// That the goal is met.
    wanted: Term,
    needs: Vec<Term>,
    calls: Vec<Term>,
}

impl Decided {
    fn new(
        executor: &mut Executor<'_, '_>,
        goal: &ValueGoal,
        state: &SymbolicState,
        event: &Event,
    ) -> Option<Decided> {
        let model = executor.model;
        let transition = &model.transitions[goal.transition];
        let mut lowering = Lowering::new(&mut executor.store, model, state.valuation.to_vec());
        let mut decision = vec![&transition.guard];
        let mut terms: Vec<Term> = Vec::new();
        // The operands of the comparison are lowered where it stands.
        let mut operands = None;
        let mut lower = |lowering: &mut Lowering<'_>, expr: &Expr, terms: &mut Vec<Term>| {
            let mut found = Vec::new();
            collect(expr, &mut found);
            for part in found {
                if matches!(goal.wanted, Wanted::Beside(number, _) if number == terms.len())
                    && let ExprKind::Binary(_, left, right) = &part.kind
                {
                    operands = Some((lowering.leaf(left), lowering.leaf(right)));
                }
                terms.push(lowering.leaf(part));
            }
        };
        lower(&mut lowering, &transition.guard, &mut terms);
        if let Action::Input { condition, .. } = &transition.action {
            let Event::Input { values, .. } = event else {
                return None;
            };
            receive(&mut lowering, goal.transition, values);
            lower(&mut lowering, condition, &mut terms);
            decision.push(condition);
        }
        let Lowering { needs, calls, .. } = lowering;
        let store = &mut executor.store;
        let with = |store: &mut Store, part: Option<(usize, bool)>| {
            let mut terms = terms.clone();
            if let Some((number, value)) = part {
                terms[number] = store.bool(value);
            }
            let mut rest = terms.into_iter();
            let parts = decision.iter().map(|expr| folded(store, expr, &mut rest));
            let parts: Vec<Term> = parts.collect();
            store.and_all(parts)
        };
        let wanted = match &goal.wanted {
            Wanted::Beside(_, side) => {
                let (left, right) = operands?;
                beside(store, left, right, *side)?
            }
            Wanted::Decides(part, value) => {
                let holds = with(store, Some((*part, true)));
                let fails = with(store, Some((*part, false)));
                let same = store.eq(holds, fails);
                let differs = store.not(same);
                let part = match value {
                    true => terms[*part],
                    false => store.not(terms[*part]),
                };
                store.and(differs, part)
            }
            Wanted::Together(both) => {
                let Event::Input { values, .. } = event else {
                    return None;
                };
                let [one, other] = both
                    .each_ref()
                    .map(|it| it.class.term(store, &it.ty, values[it.leaf]));
                store.and(one, other)
            }
        };
        let decision = with(store, None);
        Some(Decided {
            decision,
            wanted,
            needs,
            calls,
        })
    }
}

/// The condition with these terms for its parts.
fn folded(store: &mut Store, expr: &Expr, parts: &mut impl Iterator<Item = Term>) -> Term {
    match &expr.kind {
        ExprKind::Value(values) => store.value(values[0].clone()),
        ExprKind::Not(inner) => {
            let inner = folded(store, inner, parts);
            store.not(inner)
        }
        ExprKind::Binary(
            operator @ (Operator::And | Operator::Or | Operator::Implies),
            left,
            right,
        ) => {
            let left = folded(store, left, parts);
            let right = folded(store, right, parts);
            match operator {
                Operator::And => store.and(left, right),
                Operator::Or => store.or(left, right),
                _ => store.implies(left, right),
            }
        }
        _ => parts.next().expect("every part was lowered"),
    }
}
