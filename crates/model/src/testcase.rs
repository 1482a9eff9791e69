//! Test cases: a small set of paths that reaches the goals, each with concrete
//! inputs and conditions on the outputs.

use crate::execution::{Event, Executor, Move, SymbolicState, Tried};
use crate::exploration::{End, Fate, Tree};
use crate::goal::{Goal, Tracker};
use crate::model::Model;
use crate::observer::{Allowed, Observer};
use crate::render::{message_text, open_values, payload_json, payload_text, step_name};
use crate::value::from_json;
use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use term::{Term, Value};

/// A test case.
#[derive(Clone, PartialEq, Debug)]
pub struct TestCase {
    /// Its name.
    pub name: String,
    /// The goals it is there for.
    pub goals: Vec<String>,
    /// Its steps.
    pub steps: Vec<TestStep>,
}

/// A step of a test case.
#[derive(Clone, PartialEq, Debug)]
pub struct TestStep {
    /// The transitions the model takes.
    pub step: Move,
    /// What goes between tester and system.
    pub event: TestEvent,
}

/// What goes between tester and system.
#[derive(Clone, PartialEq, Debug)]
pub enum TestEvent {
    /// Nothing.
    Internal,
    /// The tester sends this.
    Input {
        /// The channel's number.
        channel: usize,
        /// The leaves of the values.
        values: Vec<Value>,
    },
    /// The system should send this.
    Output {
        /// The channel's number.
        channel: usize,
        /// The leaves of the values, as the model predicts them.
        values: Vec<Value>,
        /// What must hold of them; none where only these values will do.
        condition: Option<String>,
        /// What may come instead.
        otherwise: Otherwise,
    },
}

/// What a system may do instead of what a test expects. It is then as the model
/// has it, though the test learns nothing; all else is a failure.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Otherwise {
    /// Other outputs.
    pub outputs: Vec<String>,
    /// Whether it may be silent.
    pub silence: bool,
}

/// Longer than this no reaction of a model is followed.
const REACTION: usize = 16;

/// Chooses paths of the tree that reach the goals, and turns them into tests.
pub fn test_cases(executor: &mut Executor<'_, '_>, tree: &Tree, goals: &Tracker) -> Vec<TestCase> {
    let mut tests = Vec::new();
    for (path, reached) in chosen(executor.model, tree, goals) {
        let mut steps: Vec<(Move, Event)> = Vec::new();
        for &node in &path {
            if let Some((step, event)) = &tree.nodes[node].step {
                steps.push((*step, event.clone()));
            }
        }
        let last = path.last().map_or(0, |&node| node);
        let state = reaction(executor, &tree.nodes[last].state, &mut steps);
        let Some(mut steps) = concrete(executor, &state, steps) else {
            continue;
        };
        find_alternatives(executor, &mut steps);
        tests.push(TestCase {
            name: format!("test{:03}", tests.len() + 1),
            goals: reached
                .iter()
                .map(|&goal| goals.goals[goal].name(executor.model))
                .collect(),
            steps,
        });
    }
    tests
}

/// A small set of paths: the one that reaches most goals, then the one that
/// reaches most of the others, and so on; each cut after the last it is there for.
fn chosen(model: &Model, tree: &Tree, goals: &Tracker) -> Vec<(Vec<usize>, Vec<usize>)> {
    let leaves = tree.leaves();
    let reached: Vec<Vec<(usize, usize)>> = leaves
        .iter()
        .map(|&leaf| {
            let mut path = tree.path(leaf);
            path.insert(0, 0);
            let steps = path.into_iter().enumerate();
            steps
                .flat_map(|(depth, node)| {
                    let reached = goals.reached_by(model, tree, node);
                    reached.into_iter().map(move |goal| (goal, depth))
                })
                .collect()
        })
        .collect();
    let mut open: Vec<bool> = goals.reached.iter().map(Option::is_some).collect();
    let mut chosen = Vec::new();
    while open.iter().any(|&open| open) {
        let mut best: Option<(usize, usize, usize)> = None;
        for (number, reached) in reached.iter().enumerate() {
            let mut new: Vec<usize> = Vec::new();
            let mut depth = 0;
            for &(goal, at) in reached {
                if open[goal] && !new.contains(&goal) {
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
        let Some((number, _, depth)) = best else {
            break;
        };
        let mut for_goals = Vec::new();
        for &(goal, at) in &reached[number] {
            if at <= depth && std::mem::replace(&mut open[goal], false) {
                for_goals.push(goal);
            }
        }
        let mut path = tree.path(leaves[number]);
        path.truncate(depth);
        chosen.push((path, for_goals));
    }
    chosen
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
            let Tried::Feasible(found) = executor.step(&state, step) else {
                continue;
            };
            // Where the tester may speak, nothing has to happen by itself.
            if matches!(found.0, Event::Input { .. }) {
                return state;
            }
            next.get_or_insert((step, *found));
        }
        let Some((step, (event, after))) = next else {
            return state;
        };
        steps.push((step, event));
        state = after;
    }
    state
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
                    condition: freedom(executor, state, &terms, &inputs),
                    values: predicted,
                    otherwise: Otherwise::default(),
                }
            }
        };
        found.push(TestStep { step, event });
    }
    Some(found)
}

/// Finds out what the model allows beside each output.
fn find_alternatives(executor: &mut Executor<'_, '_>, steps: &mut [TestStep]) {
    let mut observer = Observer::new(executor);
    for step in steps {
        match &mut step.event {
            TestEvent::Internal => {}
            TestEvent::Input { channel, values } => {
                observer.input(executor, *channel, values);
            }
            TestEvent::Output {
                channel,
                values,
                condition,
                otherwise,
            } => {
                let name = &executor.model.channels[*channel].name;
                let meant = match condition {
                    Some(condition) => format!("{name}{condition}"),
                    None => message_text(executor.model, *channel, values),
                };
                let mut outputs = observer.expected(executor);
                outputs.retain(|text| *text != meant);
                *otherwise = Otherwise {
                    outputs,
                    silence: observer.quiet(executor) != Allowed::No,
                };
                observer.output(executor, *channel, values);
            }
        }
    }
}

/// What must hold of outputs that the inputs do not determine.
fn freedom(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    terms: &[Term],
    inputs: &FxHashMap<Term, Term>,
) -> Option<String> {
    if term::free_variables(&executor.store, terms).is_empty() {
        return None;
    }
    let path: Vec<Term> = state.path.constraints().collect();
    let path = term::substitute(&mut executor.store, &path, inputs);
    let (values, conditions) = open_values(&mut executor.store, terms, &path);
    Some(match conditions.is_empty() {
        true => format!("({values}) for any values"),
        false => format!("({values}) where {conditions}"),
    })
}

/// The goals that no test reaches, and why.
pub fn missed(model: &Model, tree: &Tree, goals: &Tracker) -> Vec<(String, String)> {
    let bounded = tree.end != End::Complete
        || tree
            .nodes
            .iter()
            .any(|node| matches!(node.fate, Fate::Bound | Fate::Waiting));
    let unknown = |transitions: &[usize]| {
        transitions
            .iter()
            .find_map(|&number| tree.refused[number].unknown.clone())
    };
    let open = (0..goals.goals.len()).filter(|&number| goals.reached[number].is_none());
    open.map(|number| {
        let goal = &goals.goals[number];
        if goals.ruled_out[number] {
            return (goal.name(model), "infeasible".to_owned());
        }
        let transitions: Vec<usize> = match goal {
            Goal::Transition(number) => vec![*number],
            Goal::Pair(first, second) => vec![*first, *second],
            Goal::State(automaton, state) => {
                let entering = model.transitions.iter().enumerate();
                let entering =
                    entering.filter(|(_, t)| t.automaton == *automaton && t.to == *state);
                entering.map(|(number, _)| number).collect()
            }
            Goal::Purpose(steps) => steps.iter().flatten().copied().collect(),
        };
        let reason = match unknown(&transitions) {
            Some(reason) => format!("unknown: {reason}"),
            None if bounded => "bound reached".to_owned(),
            None if tree.unknown > 0 => "unknown: steps on the way were not decided".to_owned(),
            None => "infeasible".to_owned(),
        };
        (goal.name(model), reason)
    })
    .collect()
}

impl TestCase {
    /// The test as JSON, which [`TestCase::from_json`] reads.
    pub fn to_json(&self, model: &Model) -> Json {
        let steps: Vec<Json> = self
            .steps
            .iter()
            .map(|step| {
                let name = step_name(model, step.step);
                match &step.event {
                    TestEvent::Internal => json!({"transition": name}),
                    TestEvent::Input { channel, values } => {
                        let it = &model.channels[*channel];
                        json!({"transition": name, "input": it.name,
                            "values": payload_json(&it.payload, values)})
                    }
                    TestEvent::Output {
                        channel,
                        values,
                        condition,
                        otherwise,
                    } => {
                        let it = &model.channels[*channel];
                        let mut json = json!({"transition": name, "output": it.name,
                            "values": payload_json(&it.payload, values)});
                        if let Some(condition) = condition {
                            json["condition"] = json!(condition);
                        }
                        json["inconclusive"] = json!({"outputs": otherwise.outputs,
                            "silence": otherwise.silence});
                        json
                    }
                }
            })
            .collect();
        json!({"schema": 1, "name": self.name, "goals": self.goals, "steps": steps,
            "pass": "every output comes as its step says",
            "fail": "an output or a silence that its step neither expects nor lists as inconclusive",
            "inconclusive": "an output or a silence that its step lists as such; or the system \
                             ended, or sent what is no message"})
    }

    /// The test that JSON says, or what is wrong with it.
    pub fn from_json(model: &Model, json: &Json) -> Result<TestCase, String> {
        if !json["schema"].is_null() && json["schema"] != 1 {
            return Err(format!(
                "the schema {} is not known; there is 1",
                json["schema"]
            ));
        }
        let text = |json: &Json, field: &str| {
            let found = json[field].as_str().map(str::to_owned);
            found.ok_or_else(|| format!("the field `{field}` is missing or no text"))
        };
        let goals = json["goals"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let steps = json["steps"]
            .as_array()
            .ok_or("the field `steps` is missing or no list")?;
        let mut found = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let step = step_from_json(model, step)
                .map_err(|reason| format!("step {}: {reason}", number + 1))?;
            found.push(step);
        }
        Ok(TestCase {
            name: text(json, "name")?,
            goals: goals
                .iter()
                .filter_map(|goal| goal.as_str().map(str::to_owned))
                .collect(),
            steps: found,
        })
    }

    /// The test in the manner of TTCN-3, for people.
    pub fn to_ttcn(&self, model: &Model) -> String {
        let mut text = format!("testcase {}() runs on Tester {{\n", self.name);
        let _ = writeln!(text, "  // covers {}", self.goals.join("; "));
        for step in &self.steps {
            match &step.event {
                TestEvent::Internal => {
                    let _ = writeln!(text, "  // the system: {}", step_name(model, step.step));
                }
                TestEvent::Input { channel, values } => {
                    let it = &model.channels[*channel];
                    let values = payload_text(&it.payload, values);
                    let _ = writeln!(text, "  {}.send({values});", it.name);
                }
                TestEvent::Output {
                    channel,
                    values,
                    condition,
                    otherwise,
                } => {
                    let it = &model.channels[*channel];
                    let expected = match condition {
                        Some(condition) => condition.clone(),
                        None => format!("({})", payload_text(&it.payload, values)),
                    };
                    let _ = writeln!(text, "  alt {{\n    [] {}.receive{expected} {{ }}", it.name);
                    for output in &otherwise.outputs {
                        let output = output.replacen('(', ".receive(", 1);
                        let _ = writeln!(text, "    [] {output} {{ setverdict(inconc); }}");
                    }
                    let silence = if otherwise.silence { "inconc" } else { "fail" };
                    let _ = writeln!(
                        text,
                        "    [] any port.receive {{ setverdict(fail); }}\n    \
                         [] quiescence.timeout {{ setverdict({silence}); }}\n  }}"
                    );
                }
            }
        }
        text.push_str("  setverdict(pass);\n}\n");
        text
    }
}

fn step_from_json(model: &Model, json: &Json) -> Result<TestStep, String> {
    let names = json["transition"]
        .as_str()
        .ok_or("the field `transition` is missing")?;
    let mut numbers = Vec::new();
    for name in names.split(" | ") {
        let number = model.transition(name);
        numbers.push(number.ok_or_else(|| format!("the model has no transition `{name}`"))?);
    }
    let step = Move {
        first: numbers[0],
        second: numbers.get(1).copied(),
    };
    let payload = |name: &str| -> Result<(usize, Vec<Value>), String> {
        let channel = model.channel(name);
        let channel = channel.ok_or_else(|| format!("the model has no channel `{name}`"))?;
        let values = json["values"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        Ok((channel, leaves(model, channel, values)?))
    };
    let event = match (json["input"].as_str(), json["output"].as_str()) {
        (Some(name), _) => {
            let (channel, values) = payload(name)?;
            TestEvent::Input { channel, values }
        }
        (None, Some(name)) => {
            let (channel, values) = payload(name)?;
            TestEvent::Output {
                channel,
                values,
                condition: json["condition"].as_str().map(str::to_owned),
                otherwise: otherwise_from_json(&json["inconclusive"]),
            }
        }
        (None, None) => TestEvent::Internal,
    };
    Ok(TestStep { step, event })
}

fn otherwise_from_json(json: &Json) -> Otherwise {
    let outputs = json["outputs"].as_array().into_iter().flatten();
    Otherwise {
        outputs: outputs
            .filter_map(|output| output.as_str().map(str::to_owned))
            .collect(),
        silence: json["silence"].as_bool().unwrap_or(false),
    }
}

/// The leaves of values that go through a channel.
pub(crate) fn leaves(model: &Model, channel: usize, values: &[Json]) -> Result<Vec<Value>, String> {
    let it = &model.channels[channel];
    if values.len() != it.payload.len() {
        let (expected, found) = (it.payload.len(), values.len());
        return Err(format!("`{}` has {expected} values, not {found}", it.name));
    }
    let mut leaves = Vec::new();
    for (ty, value) in it.payload.iter().zip(values) {
        leaves.extend(from_json(ty, value).map_err(|reason| format!("`{}`: {reason}", it.name))?);
    }
    Ok(leaves)
}
