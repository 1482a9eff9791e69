//! Choosing paths and turning them into tests.

use super::{Data, Otherwise, TestCase, TestEvent, TestStep};
use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState};
use crate::exploration::{End, Tree, is_whole};
use crate::goal::{Goal, Tracker, entering};
use crate::model::{Model, requirements};
use crate::observer::{Allowed, Observer};
use crate::output::{Open, Output, Payload};
use crate::results::Missed;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::Term;

/// How many steps a reaction of the system is followed after the last input.
const REACTION: usize = 16;

/// Chooses paths of the tree that reach the goals, and turns them into tests. Each
/// is given to `keep` when it is finished; a stopped run gives those made so far.
///
/// # Errors
///
/// When `keep` fails, with its error.
pub fn test_cases<E>(
    executor: &mut Executor<'_, '_>,
    tree: &Tree,
    goals: &Tracker,
    data: &mut Data,
    mut keep: impl FnMut(&TestCase) -> Result<(), E>,
) -> Result<Vec<TestCase>, E> {
    let mut tests = Vec::new();
    let mut selection = Selection::new(executor, tree, goals);
    while !executor.stop().is_set()
        && let Some((path, reached)) = selection.next(tree)
    {
        let mut steps: Vec<(Move, Event)> = Vec::new();
        for &node in &path {
            if let Some((step, event)) = &tree.nodes[node].step {
                steps.push((*step, event.clone()));
            }
        }
        let last = path.last().map_or(0, |&node| node);
        let Some(steps) = made(executor, &tree.nodes[last].state, steps, data) else {
            continue;
        };
        // The alternatives of a test that was stopped on the way are not complete,
        // and it would call a conforming system wrong.
        if executor.stop().is_set() {
            break;
        }
        let test = TestCase {
            name: format!("test{:03}", tests.len() + 1),
            goals: reached
                .iter()
                .map(|&goal| goals.goals[goal].name(executor.model))
                .collect(),
            steps,
        };
        keep(&test)?;
        tests.push(test);
    }
    Ok(tests)
}

/// The steps of a test for a path that ends in this state, with the reaction of the system
/// to its last input; none if a function has no result.
pub(crate) fn made(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    mut steps: Vec<(Move, Event)>,
    data: &mut Data,
) -> Option<Vec<TestStep>> {
    let state = reaction(executor, state, &mut steps);
    without_reaction(executor, &state, steps, data)
}

/// The steps of a test for a path that ends in this state, and no further.
pub(crate) fn without_reaction(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    steps: Vec<(Move, Event)>,
    data: &mut Data,
) -> Option<Vec<TestStep>> {
    let inputs = steps.iter().flat_map(|(_, event)| match event {
        Event::Input { values, .. } => &values[..],
        Event::Internal | Event::Output { .. } => &[],
    });
    let inputs: Vec<Term> = inputs.copied().collect();
    let state = data.diversified(executor, state, &inputs);
    let steps = concrete(executor, &state, steps)?;
    Some(observed(executor, steps))
}

/// A small set of paths, one after the other: the one that reaches most goals, then
/// the one that reaches most of the others, and so on; each is cut after the last
/// goal it is there for. The greedy choice is within a logarithm of the smallest
/// set, which is hard to find (set cover).
struct Selection {
    leaves: Vec<usize>,
    /// By leaf: the goals on the path there, and at which depth each is reached.
    reached: Vec<Vec<(usize, usize)>>,
    /// By goal: whether a path to it is still to be chosen.
    open: Vec<bool>,
}

impl Selection {
    fn new(executor: &Executor<'_, '_>, tree: &Tree, goals: &Tracker) -> Selection {
        let leaves = tree.leaves();
        let mut reached = Vec::with_capacity(leaves.len());
        for &leaf in &leaves {
            if executor.stop().is_set() {
                break;
            }
            reached.push(goals_on_path(executor.model, tree, goals, leaf));
        }
        Selection {
            leaves,
            reached,
            open: goals.reached.iter().map(Option::is_some).collect(),
        }
    }

    /// The next path, the root left out, and the goals it is there for.
    fn next(&mut self, tree: &Tree) -> Option<(Vec<usize>, Vec<usize>)> {
        let mut best: Option<(usize, usize, usize)> = None;
        for (number, reached) in self.reached.iter().enumerate() {
            let mut new: Vec<usize> = Vec::new();
            let mut depth = 0;
            for &(goal, at) in reached {
                if self.open[goal] && !new.contains(&goal) {
                    new.push(goal);
                    depth = depth.max(at);
                }
            }
            let better = best.is_none_or(|(_, most, short)| {
                new.len() > most || new.len() == most && depth < short
            });
            if !new.is_empty() && better {
                best = Some((number, new.len(), depth));
            }
        }
        let (number, _, depth) = best?;
        let mut for_goals = Vec::new();
        for &(goal, at) in &self.reached[number] {
            if at <= depth && std::mem::replace(&mut self.open[goal], false) {
                for_goals.push(goal);
            }
        }
        let mut path = tree.path(self.leaves[number]);
        path.truncate(depth);
        Some((path, for_goals))
    }
}

/// The goals on the path to a leaf, each with the depth at which it is reached.
fn goals_on_path(model: &Model, tree: &Tree, goals: &Tracker, leaf: usize) -> Vec<(usize, usize)> {
    let path = std::iter::once(0).chain(tree.path(leaf));
    path.enumerate()
        .flat_map(|(depth, node)| {
            let reached = goals.reached_by(model, tree, node);
            reached.into_iter().map(move |goal| (goal, depth))
        })
        .collect()
}

/// Follows what the system does by itself, so that the test sees the answer to
/// its last input; gives the state at the end.
fn reaction(
    executor: &mut Executor<'_, '_>,
    from: &SymbolicState,
    steps: &mut Vec<(Move, Event)>,
) -> SymbolicState {
    let mut state = from.clone();
    for _ in 0..REACTION {
        let mut next = None;
        for step in executor.moves(&state.location) {
            if Some(step.first) == executor.model.delay() {
                continue;
            }
            let StepOutcome::Feasible(found) = executor.step(&state, step) else {
                continue;
            };
            // Where an input is possible, the system may wait for it.
            if matches!(found.0, Event::Input { .. }) {
                return state;
            }
            next.get_or_insert((step, *found));
        }
        let next = next.or_else(|| due(executor, &state, steps));
        let Some((step, (event, after))) = next else {
            return state;
        };
        steps.push((step, event));
        state = after;
    }
    state
}

/// A delay where `while` says that the system has to do something in time.
fn due(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    steps: &[(Move, Event)],
) -> Option<(Move, (Event, SymbolicState))> {
    let first = executor.model.delay()?;
    let delay = Move {
        first,
        second: None,
    };
    executor.model.limits(&state.location).next()?;
    if steps.last().is_some_and(|(step, _)| *step == delay) {
        return None;
    }
    match executor.step(state, delay) {
        StepOutcome::Feasible(found) => Some((delay, *found)),
        StepOutcome::Infeasible | StepOutcome::Unknown(_) => None,
    }
}

/// The steps with values; none if a function has no result for them.
fn concrete(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    steps: Vec<(Move, Event)>,
) -> Option<Vec<TestStep>> {
    let mut inputs: FxHashMap<Term, Term> = FxHashMap::default();
    let mut found = Vec::new();
    for (step, event) in steps {
        let event = match event {
            Event::Internal => TestEvent::Internal,
            Event::Input { channel, values } => {
                let given = executor.values(&values, &state.model)?;
                for (&term, value) in values.iter().zip(&given) {
                    let value = executor.store.value(value.clone());
                    inputs.insert(term, value);
                }
                TestEvent::Input {
                    channel,
                    values: given,
                }
            }
            Event::Output { channel, values } => {
                let predicted = executor.values(&values, &state.model)?;
                let terms = term::substitute(&mut executor.store, &values, &inputs);
                TestEvent::Output {
                    channel,
                    open: freedom(executor, state, &terms, &inputs),
                    values: predicted,
                    otherwise: Otherwise::default(),
                }
            }
        };
        found.push(TestStep {
            step: Some(step),
            event,
        });
    }
    Some(found)
}

/// The steps with what the model allows beside each output, and with the silences that
/// tell something: before an input that a system may also take in a state where it
/// is not silent, or that may cross an output, and at the end.
fn observed(executor: &mut Executor<'_, '_>, steps: Vec<TestStep>) -> Vec<TestStep> {
    let mut observer = Observer::new(executor);
    let mut intended = Some(executor.initial());
    let mut found: Vec<TestStep> = Vec::new();
    // Outputs that may still be under way although an input was sent after them.
    let mut under_way: Vec<Output> = Vec::new();
    for mut step in steps {
        let (mut given, mut received) = (None, Vec::new());
        match &mut step.event {
            TestEvent::Internal | TestEvent::Silence { .. } => {}
            TestEvent::Input { channel, values } => {
                if observer.silence_matters(executor, *channel, values) {
                    let (observer, intended) = (&mut observer, &mut intended);
                    found.extend(silence(executor, observer, intended, &mut under_way));
                }
                // When something comes, tests of models with clocks say otherwise.
                if executor.model.time.is_none() {
                    for output in observer.expected(executor) {
                        if !under_way.contains(&output) {
                            under_way.push(output);
                        }
                    }
                }
                observer.input(executor, *channel, values);
                given = Some(values.clone());
            }
            TestEvent::Output {
                channel,
                values,
                open,
                otherwise,
            } => {
                let meant = Output {
                    channel: *channel,
                    payload: match open {
                        Some(open) => Payload::Open(open.clone()),
                        None => Payload::Values(values.clone()),
                    },
                };
                let mut outputs = observer.expected(executor);
                outputs.retain(|output| *output != meant);
                let mut late = std::mem::take(&mut under_way);
                late.retain(|output| *output != meant && !outputs.contains(output));
                *otherwise = Otherwise {
                    outputs,
                    late,
                    silence: observer.quiescence(executor) != Allowed::No,
                };
                observer.output(executor, *channel, values);
                received = values.clone();
            }
        }
        intended = intended.and_then(|state| {
            let given = given.as_deref();
            let after = observer.follow(executor, &state, step.step?, given, &received);
            after.ok().flatten()
        });
        found.push(step);
    }
    let is_open = matches!(
        found.last().map(|step| &step.event),
        Some(TestEvent::Input { .. } | TestEvent::Internal)
    );
    if is_open {
        let (observer, intended) = (&mut observer, &mut intended);
        found.extend(silence(executor, observer, intended, &mut under_way));
    }
    found
}

/// A silence, if the system can be silent where the test is. Nothing is under way after it.
fn silence(
    executor: &mut Executor<'_, '_>,
    observer: &mut Observer,
    intended: &mut Option<SymbolicState>,
    under_way: &mut Vec<Output>,
) -> Option<TestStep> {
    // With clocks, a test says how long it waits.
    if executor.model.time.is_some() {
        return None;
    }
    let settled = observer.settle(executor, intended.as_ref()?).ok()??;
    let outputs = observer.expected(executor);
    if observer.silence(executor) != Allowed::Yes {
        return None;
    }
    *intended = Some(settled);
    let mut late = std::mem::take(under_way);
    late.retain(|output| !outputs.contains(output));
    let otherwise = Otherwise {
        outputs,
        late,
        silence: false,
    };
    Some(TestStep {
        step: None,
        event: TestEvent::Silence { otherwise },
    })
}

/// What outputs may be that the inputs do not determine.
fn freedom(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    terms: &[Term],
    inputs: &FxHashMap<Term, Term>,
) -> Option<Open> {
    if term::free_variables(&executor.store, terms).is_empty() {
        return None;
    }
    let path: Vec<Term> = state.path.constraints().collect();
    let path = term::substitute(&mut executor.store, &path, inputs);
    match Payload::of(executor, terms, &path) {
        Payload::Open(open) => Some(open),
        Payload::Values(_) => None,
    }
}

/// By requirement of the model: the tests that take one of its transitions.
pub fn traced(model: &Model, tests: &[TestCase]) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for requirement in requirements(model, 0..model.transitions.len()) {
        let about = tests
            .iter()
            .filter(|test| test.requirements(model).contains(&requirement));
        let names = about.map(|test| test.name.clone()).collect();
        found.insert(requirement, names);
    }
    found
}

/// The goals that no test reaches, and why.
pub fn missed(model: &Model, tree: &Tree, goals: &Tracker, tests: &[TestCase]) -> Vec<Missed> {
    let missed = goals.goals.iter().enumerate().filter_map(|(number, goal)| {
        let name = goal.name(model);
        let is_tested = tests.iter().any(|test| test.goals.contains(&name));
        (!is_tested).then(|| Missed {
            reason: why_missed(model, tree, goals, number),
            goal: name,
        })
    });
    missed.collect()
}

fn why_missed(model: &Model, tree: &Tree, goals: &Tracker, number: usize) -> String {
    if goals.ruled_out[number] {
        return "infeasible".to_owned();
    }
    let stopped = tree.end == End::Stopped;
    if goals.reached[number].is_some() {
        // Every goal that is reached gets a path, but not every path becomes a test.
        return match stopped {
            true => "stopped before its test was made".to_owned(),
            false => "unknown: external functions give no values for its test".to_owned(),
        };
    }
    let transitions: Vec<usize> = match &goals.goals[number] {
        Goal::Transition(number) => vec![*number],
        Goal::Pair(first, second) => vec![*first, *second],
        Goal::State(automaton, state) => entering(model, *automaton, *state),
        Goal::Purpose(purpose) => purpose.needed().flatten().copied().collect(),
    };
    let unknown = transitions
        .iter()
        .find_map(|&number| tree.refused[number].unknown.as_ref());
    match unknown {
        Some(reason) => format!("unknown: {reason}"),
        None if stopped => "stopped before it was reached".to_owned(),
        None if tree.unknown > 0 => "unknown: steps on the way were not decided".to_owned(),
        None if !is_whole(tree) => "bound reached".to_owned(),
        None => "infeasible".to_owned(),
    }
}
