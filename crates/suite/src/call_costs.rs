//! The solver's time by the calls it was spent in, as a tree that adds up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What the solver's time was spent on, as a tree of calls: callers come before what they
/// call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct CallCosts(Vec<CallCost>);

/// A line in the calls that led to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallCost {
    /// The number of the call that led here, from 0; none in the outermost function.
    pub caller: Option<u32>,
    /// The function.
    pub function: String,
    /// The source file, as coverage names it; empty where the compiler says none.
    pub file: String,
    /// The line, from one; 0 where the compiler says none.
    pub line: u32,
    /// Queries that were made there, without those of what is called there.
    pub queries: u64,
    /// The time they took.
    pub seconds: f64,
}

impl CallCosts {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The calls by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &CallCost> {
        self.0.iter()
    }

    /// Adds another tree.
    pub fn add(&mut self, other: &CallCosts) {
        let mut tree = CallTree::new(std::mem::take(self));
        let mut numbers: Vec<u32> = Vec::new();
        for cost in &other.0 {
            // What another process sent may name calls that there are not.
            let caller = cost.caller.and_then(|at| numbers.get(at as usize).copied());
            numbers.push(tree.add(CallCost {
                caller,
                ..cost.clone()
            }));
        }
        *self = tree.costs;
    }
}

/// A call by its caller and its place.
type Key = (Option<u32>, String, String, u32);

/// A tree that calls are added to.
pub struct CallTree {
    costs: CallCosts,
    known: HashMap<Key, u32>,
}

impl CallTree {
    /// One that goes on with a tree.
    pub fn new(costs: CallCosts) -> CallTree {
        let numbered = (0..).zip(&costs.0);
        let known = numbered.map(|(number, cost)| (key(cost), number)).collect();
        CallTree { costs, known }
    }

    /// Adds what a call cost; the number it has.
    pub fn add(&mut self, cost: CallCost) -> u32 {
        let next = self.costs.0.len() as u32;
        let number = *self.known.entry(key(&cost)).or_insert(next);
        if number == next {
            self.costs.0.push(cost);
        } else {
            let known = &mut self.costs.0[number as usize];
            known.queries += cost.queries;
            known.seconds += cost.seconds;
        }
        number
    }

    /// The tree.
    pub fn finish(self) -> CallCosts {
        self.costs
    }
}

fn key(cost: &CallCost) -> Key {
    let (function, file) = (cost.function.clone(), cost.file.clone());
    (cost.caller, function, file, cost.line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(caller: Option<u32>, function: &str, queries: u64) -> CallCost {
        CallCost {
            caller,
            function: function.to_owned(),
            file: "a.c".to_owned(),
            line: 1,
            queries,
            seconds: 0.5,
        }
    }

    #[test]
    fn two_trees_become_one() {
        let mut one = CallCosts(vec![call(None, "main", 1), call(Some(0), "f", 2)]);
        let other = CallCosts(vec![
            call(None, "main", 10),
            call(Some(0), "g", 20),
            call(Some(1), "f", 30),
            call(Some(0), "f", 40),
        ]);
        one.add(&other);
        let shown: Vec<_> = one
            .iter()
            .map(|it| (it.caller, &*it.function, it.queries))
            .collect();
        assert_eq!(
            shown,
            [
                (None, "main", 11),
                (Some(0), "f", 42),
                (Some(0), "g", 20),
                (Some(2), "f", 30),
            ]
        );
    }
}
