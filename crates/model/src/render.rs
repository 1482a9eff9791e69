//! Steps, messages and trees of symbolic states as text and JSON.

use crate::execution::{Event, Executor, Move};
use crate::exploration::Tree;
use crate::model::Model;
use crate::results::{SCHEMA, TreeFile, TreeNode};
use crate::types::Type;
use crate::value::{to_json, to_text};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use term::print::infix;
use term::{Store, Term, Value};

/// What a step is called: its transitions.
pub fn step_name(model: &Model, step: Move) -> String {
    let names = step
        .transitions()
        .map(|number| model.transitions[number].name.as_str());
    names.collect::<Vec<_>>().join(" | ")
}

/// An event in terms: `out!("ok", I)`.
pub fn event_text(model: &Model, store: &Store, event: &Event) -> String {
    let (channel, sign, values) = match event {
        Event::Internal => return "tau".to_owned(),
        Event::Input { channel, values } => (channel, '?', values),
        Event::Output { channel, values } => (channel, '!', values),
    };
    let values: Vec<String> = values
        .iter()
        .map(|&value| infix::term(store, value))
        .collect();
    format!(
        "{}{sign}({})",
        model.channels[*channel].name,
        values.join(", ")
    )
}

/// The payload's values in JSON, one for each type.
pub fn payload_json(types: &[Type], leaves: &[Value]) -> Vec<Json> {
    let mut rest = leaves;
    let mut values = Vec::new();
    for ty in types {
        let (part, others) = rest.split_at(ty.size());
        values.push(to_json(ty, part));
        rest = others;
    }
    values
}

/// The payload's values as models write them.
pub fn payload_text(types: &[Type], leaves: &[Value]) -> String {
    let mut rest = leaves;
    let mut values = Vec::new();
    for ty in types {
        let (part, others) = rest.split_at(ty.size());
        values.push(to_text(ty, part));
        rest = others;
    }
    values.join(", ")
}

/// A message as models write it, with its channel.
pub fn message_text(model: &Model, channel: usize, leaves: &[Value]) -> String {
    let it = &model.channels[channel];
    format!("{}({})", it.name, payload_text(&it.payload, leaves))
}

/// Values that the model leaves open, and what holds of them. Variables that it
/// made on the way go by the names they have in the model.
pub(crate) fn open_values(store: &mut Store, terms: &[Term], path: &[Term]) -> (String, String) {
    let variables = term::free_variables(store, terms);
    let mut renamed: FxHashMap<Term, Term> = FxHashMap::default();
    let mut names: Vec<String> = Vec::new();
    for &variable in &variables {
        let name = store.variable_name(variable);
        let base = name.split('!').next().unwrap_or(name).to_owned();
        let same = names.iter().filter(|known| **known == base).count();
        let shown = match same {
            0 => base.clone(),
            others => format!("{base}{}", others + 1),
        };
        names.push(base);
        let sort = store.variable_sort(variable);
        let (own, shown) = (store.variable_term(variable), store.var(&shown, sort));
        renamed.insert(own, shown);
    }
    let about = path.iter().copied().filter(|&condition| {
        let free = term::free_variables(store, &[condition]);
        free.iter().any(|variable| variables.contains(variable))
    });
    let about: Vec<Term> = about.collect();
    let mut text = |terms: &[Term], between: &str| {
        let terms = term::substitute(store, terms, &renamed);
        let texts: Vec<String> = terms.iter().map(|&term| infix::term(store, term)).collect();
        texts.join(between)
    };
    (text(terms, ", "), text(&about, " and "))
}

/// The whole tree: for each state its location, its condition, its values and the
/// calls on the way.
pub fn tree_file(executor: &Executor<'_, '_>, tree: &Tree) -> TreeFile {
    let (model, store) = (executor.model, &executor.store);
    let text = |term| infix::term(store, term);
    let nodes = tree.nodes.iter().enumerate().map(|(number, node)| {
        let mut valuation = BTreeMap::new();
        for variable in &model.variables {
            let names = variable.ty.leaf_names(&variable.name).into_iter();
            let leaves = &node.state.valuation[variable.offset..];
            valuation.extend(names.zip(leaves).map(|(name, &leaf)| (name, text(leaf))));
        }
        let step = node.step.as_ref();
        TreeNode {
            number,
            parent: node.parent,
            transition: step.map(|(step, _)| step_name(model, *step)),
            event: step.map(|(_, event)| event_text(model, store, event)),
            state: model.location_name(&node.state.location),
            depth: node.depth,
            fate: node.fate,
            path: node.state.path.constraints().map(text).collect(),
            valuation,
            calls: node.state.calls.iter().map(|&call| text(call)).collect(),
        }
    });
    TreeFile {
        schema: SCHEMA,
        nodes: nodes.collect(),
    }
}
