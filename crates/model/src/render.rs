//! The tree of symbolic states as JSON and DOT.

use crate::draw::quoted;
use crate::execution::{Event, Executor};
use crate::exploration::{Fate, Tree};
use crate::model::Model;
use crate::types::Type;
use crate::value::{to_json, to_text};
use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use term::print::infix;
use term::{Store, Term, Value};

/// What a step is called: its transitions.
pub fn step_name(model: &Model, step: crate::execution::Move) -> String {
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

/// The whole tree: for each state its place, its condition, its values and the
/// calls on the way.
pub fn tree_json(executor: &mut Executor<'_, '_>, tree: &Tree) -> Json {
    let nodes: Vec<Json> = tree
        .nodes
        .iter()
        .enumerate()
        .map(|(number, node)| {
            let (model, store) = (executor.model, &executor.store);
            let term = |term| infix::term(store, term);
            let mut valuation = serde_json::Map::new();
            for variable in &model.variables {
                let names = variable.ty.leaf_names(&variable.name);
                for (index, name) in names.into_iter().enumerate() {
                    let value = node.state.valuation[variable.offset + index];
                    valuation.insert(name, json!(term(value)));
                }
            }
            let path: Vec<String> = node.state.path.constraints().map(term).collect();
            let calls: Vec<String> = node.state.calls.iter().map(|&call| term(call)).collect();
            let fate = match node.fate {
                Fate::Expanded => json!("expanded"),
                Fate::Waiting => json!("waiting"),
                Fate::Bound => json!("bound"),
                Fate::Covered { by } => json!({"covered by": by}),
            };
            let (step, event) = match &node.step {
                Some((step, event)) => (
                    json!(step_name(model, *step)),
                    json!(event_text(model, store, event)),
                ),
                None => (Json::Null, Json::Null),
            };
            json!({"number": number, "parent": node.parent, "transition": step, "event": event,
                "state": model.location_name(&node.state.location), "depth": node.depth,
                "fate": fate, "path": path, "valuation": valuation, "calls": calls})
        })
        .collect();
    json!({"schema": 1, "nodes": nodes})
}

/// The tree for Graphviz.
pub fn tree_dot(executor: &Executor<'_, '_>, tree: &Tree) -> String {
    let mut text = String::from("digraph tree {\n  node [shape=box, style=rounded];\n");
    for (number, node) in tree.nodes.iter().enumerate() {
        let state = executor.model.location_name(&node.state.location);
        let _ = writeln!(text, "  n{number} [label={}];", quoted(&state));
        if let (Some(parent), Some((step, event))) = (node.parent, &node.step) {
            let name = step_name(executor.model, *step);
            let event = event_text(executor.model, &executor.store, event);
            let label = quoted(&format!("{name}\n{event}"));
            let _ = writeln!(text, "  n{parent} -> n{number} [label={label}];");
        }
        if let Fate::Covered { by } = node.fate {
            let _ = writeln!(
                text,
                "  n{number} -> n{by} [style=dashed, constraint=false];"
            );
        }
    }
    text.push_str("}\n");
    text
}
