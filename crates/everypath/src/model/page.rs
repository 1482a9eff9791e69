//! The page of a model: its automata with the transitions that were taken, its symbolic
//! states as a tree, its tests as sequence charts, and the tables of its functions.

use super::load::write;
use crate::error::Error;
use crate::output::quoted;
use crate::report::PAGE;
use ::model::Model;
use ::model::execution::Executor;
use ::model::exploration::Tree;
use ::model::picture::coverage_svg;
use ::model::render::tree_file;
use ::model::results::TreeNode;
use ::model::runner::Report;
use ::model::testcase::TestCase;
use ::report::document::{
    self, Document, Frame, Message, Missed, ModelReport, ModelState, ModelTest, ModelTransition,
    Sender, Table,
};
use std::collections::HashMap;
use std::path::Path;

/// Symbolic states that a page shows.
pub const STATES: usize = 5000;

/// What a page shows beside the model itself.
#[derive(Clone)]
pub struct Shown<'a> {
    pub title: String,
    /// By transition: whether it was taken.
    pub taken: Vec<bool>,
    pub tree: Option<&'a Tree>,
    pub tests: Vec<ModelTest>,
    pub missed: Vec<Missed>,
    /// What was observed of functions before, as [`tables`] gives it.
    pub tables_before: Vec<(String, String)>,
    pub seconds: f64,
}

impl Shown<'_> {
    /// The model alone, of which nothing is known yet.
    pub fn of(title: String, executor: &Executor<'_, '_>) -> Shown<'static> {
        Shown {
            title,
            taken: vec![false; executor.model.transitions.len()],
            tree: None,
            tests: Vec::new(),
            missed: Vec::new(),
            tables_before: Vec::new(),
            seconds: 0.0,
        }
    }
}

/// Writes `report.html` into the folder.
pub fn write_page(
    executor: &Executor<'_, '_>,
    folder: &Path,
    shown: Shown<'_>,
) -> Result<(), Error> {
    let document = document(executor, folder, shown);
    write(&folder.join(PAGE), &::report::page(&document))
}

/// The document of the page.
pub fn document(executor: &Executor<'_, '_>, folder: &Path, shown: Shown<'_>) -> Document {
    let model = executor.model;
    let mut notes = Vec::new();
    let mut states = Vec::new();
    if let Some(tree) = shown.tree {
        let nodes = tree_file(executor, tree).nodes;
        if nodes.len() > STATES {
            let left_out = nodes.len() - STATES;
            notes.push(format!("{left_out} more symbolic states are not shown."));
        }
        // Children have greater numbers than their parents, so that these are a tree.
        states.extend(nodes.into_iter().take(STATES).map(state));
    }
    let before: HashMap<String, String> = shown.tables_before.into_iter().collect();
    let tables = tables(model, executor).into_iter().map(|(name, after)| {
        let before = before.get(&name).map(String::as_str);
        Table::read(&name, &after, before)
    });
    Document {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        title: shown.title,
        directory: quoted(folder),
        run: None,
        live: None,
        files: Vec::new(),
        tests: Vec::new(),
        errors: Vec::new(),
        tree: (!states.is_empty()).then(|| tree_of(&states)),
        costs: Vec::new(),
        calls: suite::CallCosts::default(),
        curve: Vec::new(),
        tables: Vec::new(),
        corpus: Vec::new(),
        notes,
        model: Some(ModelReport {
            automata: coverage_svg(model, |number| shown.taken[number]),
            transitions: transitions(model, &shown.taken),
            states,
            tests: shown.tests,
            missed: shown.missed,
            tables: tables.filter(|table| !table.rows.is_empty()).collect(),
            seconds: shown.seconds,
        }),
    }
}

fn transitions(model: &Model, taken: &[bool]) -> Vec<ModelTransition> {
    let transitions = model.transitions.iter().zip(taken);
    let transitions = transitions.map(|(transition, &taken)| {
        let automaton = &model.automata[transition.automaton];
        ModelTransition {
            name: transition.name.clone(),
            automaton: automaton.name.clone(),
            from: automaton.states[transition.from].clone(),
            to: automaton.states[transition.to].clone(),
            text: transition.text.clone(),
            taken,
        }
    });
    transitions.collect()
}

fn state(node: TreeNode) -> ModelState {
    let values = node.valuation.into_iter();
    ModelState {
        parent: node.parent.unwrap_or(0) as u32,
        location: node.state,
        step: node.transition.unwrap_or_default(),
        event: node.event.unwrap_or_default(),
        path: node.path,
        values: values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect(),
        calls: node.calls,
    }
}

/// The states as the tree that pages draw: what is decided at a node is a step.
fn tree_of(states: &[ModelState]) -> document::Tree {
    let mut tree = document::Tree::default();
    let mut places: HashMap<&str, u32> = HashMap::new();
    for (number, state) in states.iter().enumerate() {
        let place = *places.entry(&state.location).or_insert_with(|| {
            tree.places.push(Frame {
                function: state.location.clone(),
                file: String::new(),
                line: 0,
            });
            tree.places.len() as u32 - 1
        });
        tree.parents.push(state.parent);
        tree.place_of.push(place);
        tree.condition_of.push(number as u32);
        tree.conditions
            .push(format!("{}: {}", state.step, state.event));
    }
    tree
}

/// A test that was not run yet.
pub fn made(model: &Model, test: &TestCase) -> ModelTest {
    ModelTest {
        name: test.name.clone(),
        verdict: None,
        reason: test.goals.join("; "),
        messages: test.lines(model).iter().map(|line| message(line)).collect(),
        requirements: Vec::new(),
        output: String::new(),
    }
}

/// A test that was run, and what came of it.
pub fn ran(model: &Model, report: &Report) -> ModelTest {
    let mut output = report.log.join("\n");
    if !report.stderr.is_empty() {
        output += "\n";
        output += &report.stderr;
    }
    ModelTest {
        name: report.name.clone(),
        verdict: Some(report.verdict.to_string()),
        reason: report.reason.clone(),
        messages: report.trace.iter().map(|line| message(line)).collect(),
        requirements: report.requirements(model),
        output: output.trim().to_owned(),
    }
}

/// A line of a trace: `channel?(values)` goes to the system, `channel!(values)` comes from it.
fn message(line: &str) -> Message {
    let name = line.split('(').next().unwrap_or_default();
    let sender = match name.chars().last() {
        Some('?') => Sender::Tester,
        Some('!') => Sender::System,
        _ => Sender::Nobody,
    };
    let text = match sender {
        Sender::Tester | Sender::System => line.replacen(['?', '!'], "", 1),
        Sender::Nobody => line.to_owned(),
    };
    Message { sender, text }
}

/// What was observed of the functions of a model, as CSV.
pub fn tables(model: &Model, executor: &Executor<'_, '_>) -> Vec<(String, String)> {
    let functions = model.functions.iter();
    functions
        .map(|function| {
            let text = ::model::functions::table_text(function, executor.mixed.oracle());
            (function.name.clone(), text)
        })
        .collect()
}
