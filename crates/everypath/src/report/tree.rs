//! The execution tree: the decisions of all tests, put together.

use ::report::document::{Frame, Tree};
use engine::Traced;
use engine::report::{Conditions, place};
use machine::Machine;
use program::{FunctionId, Program};
use std::collections::HashMap;

/// A tree that tests are added to.
#[derive(Default)]
pub struct Grown {
    pub tree: Tree,
    /// The node after a decision at a node: where it was made, and which way it went.
    next: HashMap<(u32, (u32, u32), u64), u32>,
    places: HashMap<(u32, u32), u32>,
    texts: HashMap<String, u32>,
    conditions: Conditions,
}

impl Grown {
    /// Adds the decisions of a test; the node that it ends at.
    pub fn add(&mut self, program: &Program, machine: &mut Machine<'_>, traced: &Traced) -> u32 {
        if self.tree.parents.is_empty() {
            let start = self.text("");
            self.node(0, 0, start);
            self.tree.places.push(Frame {
                function: String::new(),
                file: String::new(),
                line: 0,
            });
        }
        if let Some(state) = &traced.state {
            self.conditions.learn(machine, state);
        }
        let store = &mut machine.store;
        let mut node = 0;
        for step in traced.steps() {
            let key = (node, step.location(), step.successor());
            node = match self.next.get(&key) {
                Some(&next) => next,
                None => {
                    let text = self.conditions.text(store, step.condition()).to_owned();
                    let (place, text) = (self.place(program, step.location()), self.text(&text));
                    let next = self.node(node, place, text);
                    self.next.insert(key, next);
                    next
                }
            };
        }
        node
    }

    fn node(&mut self, parent: u32, place: u32, condition: u32) -> u32 {
        let node = self.tree.parents.len() as u32;
        self.tree.parents.push(parent);
        self.tree.place_of.push(place);
        self.tree.condition_of.push(condition);
        node
    }

    fn place(&mut self, program: &Program, location: (u32, u32)) -> u32 {
        *self.places.entry(location).or_insert_with(|| {
            let (function, pc) = location;
            let place = place(program, FunctionId(function), pc);
            self.tree.places.push(Frame {
                function: place.function,
                file: place.path,
                line: place.line,
            });
            self.tree.places.len() as u32 - 1
        })
    }

    fn text(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.texts.get(text) {
            return known;
        }
        let number = self.tree.conditions.len() as u32;
        self.tree.conditions.push(text.to_owned());
        self.texts.insert(text.to_owned(), number);
        number
    }
}
