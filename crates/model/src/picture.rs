//! Automata and trees of symbolic states as graphs to draw.

use crate::execution::Executor;
use crate::exploration::{Fate, Tree};
use crate::model::Model;
use crate::render::{event_text, step_name};
use draw::{Colour, Edge, Graph, Node};

/// The automata for Graphviz.
pub fn dot(model: &Model) -> String {
    draw::dot("model", &automata(model, &|_| Colour::Grey))
}

/// The automata as SVG.
pub fn svg(model: &Model) -> String {
    draw::svg(&automata(model, &|_| Colour::Grey))
}

/// The automata as SVG: transitions that were taken are green, the others red.
pub fn coverage_svg(model: &Model, is_taken: impl Fn(usize) -> bool) -> String {
    let colour = |transition: usize| match is_taken(transition) {
        true => Colour::Green,
        false => Colour::Red,
    };
    draw::svg(&automata(model, &colour))
}

fn automata(model: &Model, colour: &dyn Fn(usize) -> Colour) -> Vec<Graph> {
    let automata = model.automata.iter().enumerate();
    let graph = |(number, automaton): (usize, &crate::model::Automaton)| {
        let transitions = model.transitions.iter().enumerate();
        let own = transitions.filter(|(_, transition)| transition.automaton == number);
        Graph {
            title: automaton.name.clone(),
            nodes: automaton
                .states
                .iter()
                .map(|name| Node::new(name))
                .collect(),
            edges: own
                .map(|(index, transition)| Edge {
                    tooltip: transition.text.clone(),
                    colour: colour(index),
                    ..Edge::new(transition.from, transition.to, &transition.name)
                })
                .collect(),
            initial: Some(automaton.initial),
        }
    };
    automata.map(graph).collect()
}

/// A tree for Graphviz; dashed arrows lead to the states that cover others.
pub fn tree_dot(executor: &Executor<'_, '_>, tree: &Tree) -> String {
    let model = executor.model;
    let mut edges = Vec::new();
    for (number, node) in tree.nodes.iter().enumerate() {
        if let (Some(parent), Some((step, event))) = (node.parent, &node.step) {
            let name = step_name(model, *step);
            let event = event_text(model, &executor.store, event);
            edges.push(Edge::new(parent, number, &format!("{name}\n{event}")));
        }
        if let Fate::Covered(by) = node.fate {
            edges.push(Edge {
                dashed: true,
                ..Edge::new(number, by, "")
            });
        }
    }
    let states = tree.nodes.iter();
    let graph = Graph {
        title: String::new(),
        nodes: states
            .map(|node| Node::new(&model.location_name(&node.state.location)))
            .collect(),
        edges,
        initial: None,
    };
    draw::dot("tree", &[graph])
}
