//! Executing model and mutant together, until they can be told apart.
//!
//! Both take the same steps over the same inputs. A step that the mutant cannot follow, or
//! where it would send something else, is asked for; where none is possible, both go on. The
//! search begins at states of the tree from which a changed transition leaves: before, the
//! mutant is the model.

use super::equivalence::both;
use super::{Mutant, Trial};
use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState, SymbolicStep};
use crate::exploration::Tree;
use crate::testcase::{Data, TestCase, TestStep, made};
use std::collections::VecDeque;

/// States of the tree that a search begins at: the first ones, and as many of the others.
const BEGINNINGS: usize = 40;

/// Steps that model and mutant take together before it is given up.
const DEPTH: usize = 10;

/// Pairs of states that are looked at for one mutant.
const PAIRS: usize = 250;

/// Inputs that are tried for one mutant.
const CANDIDATES: usize = 20;

/// Where model and mutant are after the same steps.
struct Pair {
    /// The model's state; its path is the condition for both.
    state: SymbolicState,
    /// The mutant's; only location and values count.
    of_mutant: SymbolicState,
    steps: Vec<(Move, Event)>,
    depth: usize,
}

impl Pair {
    /// Whether the mutant is still where the model is.
    fn is_equal(&self) -> bool {
        self.state.location == self.of_mutant.location
            && self.state.valuation == self.of_mutant.valuation
    }
}

/// A search for a test that kills one mutant.
pub(super) struct Search<'a, 'm, 'f> {
    executor: &'a mut Executor<'m, 'f>,
    mutant: &'m Mutant,
    tree: &'a Tree,
    data: &'a mut Data,
    candidates: usize,
}

impl<'a, 'm, 'f> Search<'a, 'm, 'f> {
    pub fn new(
        executor: &'a mut Executor<'m, 'f>,
        mutant: &'m Mutant,
        tree: &'a Tree,
        data: &'a mut Data,
    ) -> Search<'a, 'm, 'f> {
        Search {
            executor,
            mutant,
            tree,
            data,
            candidates: CANDIDATES,
        }
    }

    /// The steps of a test that kills the mutant, if one is found.
    pub fn run(&mut self) -> Option<Vec<TestStep>> {
        let mut queue: VecDeque<Pair> = self.beginnings().into();
        for _ in 0..PAIRS {
            let pair = queue.pop_front()?;
            for step in self.executor.moves(&pair.state.location) {
                if self.candidates == 0 || self.executor.stop().is_set() {
                    return None;
                }
                let is_changed = step
                    .transitions()
                    .any(|it| self.mutant.changed.contains(&it));
                if pair.is_equal() && !is_changed {
                    continue;
                }
                if let Some(found) = self.tell_apart(&pair, step) {
                    return Some(found);
                }
                if pair.depth < DEPTH {
                    queue.extend(self.together(&pair, step));
                }
            }
        }
        None
    }

    /// The first states of the tree that a changed transition leaves.
    fn beginnings(&mut self) -> Vec<Pair> {
        let model = self.executor.model;
        let changed: Vec<(usize, usize)> = self
            .mutant
            .changed
            .iter()
            .map(|&number| {
                let transition = &model.transitions[number];
                (transition.automaton, transition.from)
            })
            .collect();
        let is_met = |location: &[usize]| {
            changed
                .iter()
                .any(|&(automaton, state)| location[automaton] == state)
        };
        let initial = initial_of(self.executor, self.mutant);
        let nodes = 0..self.tree.nodes.len();
        let met = nodes.filter(|&number| is_met(&self.tree.nodes[number].state.location));
        let met: Vec<usize> = met.collect();
        // Some faults show late: the others are taken from all over the tree.
        let (first, rest) = met.split_at(met.len().min(BEGINNINGS));
        let spread = rest.iter().step_by(rest.len() / BEGINNINGS + 1);
        first
            .iter()
            .chain(spread)
            .map(|&number| {
                let node = &self.tree.nodes[number];
                let steps = self.tree.path(number).into_iter();
                let steps = steps.filter_map(|node| self.tree.nodes[node].step.clone());
                Pair {
                    state: node.state.clone(),
                    of_mutant: match number {
                        0 => initial.clone(),
                        _ => node.state.clone(),
                    },
                    steps: steps.collect(),
                    depth: 0,
                }
            })
            .collect()
    }

    /// The steps of a test that takes this step where the mutant cannot follow.
    fn tell_apart(&mut self, pair: &Pair, step: Move) -> Option<Vec<TestStep>> {
        let (own, other) = self.steps(pair, step);
        let store = &mut self.executor.store;
        let follows = match other {
            None => store.bool(false),
            Some(other) => {
                let same = same_output(self.executor, &own, &other);
                self.executor.store.and(other.condition, same)
            }
        };
        let fails = self.executor.store.not(follows);
        let (event, state) = self.decided(pair, own, fails)?;
        self.candidates -= 1;
        let mut steps = pair.steps.clone();
        steps.push((step, event));
        let steps = made(self.executor, &state, steps, self.data)?;
        let trial = Trial::new(
            self.executor,
            TestCase {
                name: String::new(),
                goals: Vec::new(),
                steps: steps.clone(),
            },
        );
        trial.kills(self.executor, self.mutant).map(|_| steps)
    }

    /// Where both are after a step that both can take, and that looks the same.
    fn together(&mut self, pair: &Pair, step: Move) -> Option<Pair> {
        let (own, other) = self.steps(pair, step);
        let other = other?;
        let same = same_output(self.executor, &own, &other);
        let follows = self.executor.store.and(other.condition, same);
        let of_mutant = SymbolicState {
            location: other.location,
            valuation: other.valuation.into(),
            ..pair.of_mutant.clone()
        };
        let mut own = own;
        own.calls.extend(other.calls);
        let (event, state) = self.decided(pair, own, follows)?;
        let mut steps = pair.steps.clone();
        steps.push((step, event));
        let next = Pair {
            state,
            of_mutant,
            steps,
            depth: pair.depth + 1,
        };
        // Where both agree again, nothing is left of the fault.
        (!next.is_equal()).then_some(next)
    }

    /// The step of the model, and the one of the mutant where it can be considered.
    fn steps(&mut self, pair: &Pair, step: Move) -> (SymbolicStep, Option<SymbolicStep>) {
        let model = self.executor.model;
        let is_there = step.transitions().all(|number| {
            let transition = &model.transitions[number];
            pair.of_mutant.location[transition.automaton] == transition.from
        });
        if !is_there {
            return (self.executor.symbolic_step(&pair.state, step, None), None);
        }
        let (own, other) = both(
            self.executor,
            self.mutant,
            &pair.state,
            &pair.of_mutant,
            step,
        );
        (own, Some(other))
    }

    /// The step under one more condition, if it can be taken so.
    fn decided(
        &mut self,
        pair: &Pair,
        mut step: SymbolicStep,
        condition: term::Term,
    ) -> Option<(Event, SymbolicState)> {
        step.condition = self.executor.store.and(step.condition, condition);
        match self.executor.decide(&pair.state, step) {
            StepOutcome::Feasible(found) => Some(*found),
            StepOutcome::Infeasible | StepOutcome::Unknown(_) => None,
        }
    }
}

/// The mutant's initial state.
fn initial_of<'m>(executor: &mut Executor<'m, '_>, mutant: &'m Mutant) -> SymbolicState {
    let model = executor.model;
    executor.set_model(&mutant.model);
    let initial = executor.initial();
    executor.set_model(model);
    initial
}

/// When both steps look the same from outside.
fn same_output(
    executor: &mut Executor<'_, '_>,
    own: &SymbolicStep,
    other: &SymbolicStep,
) -> term::Term {
    let store = &mut executor.store;
    match (&own.event, &other.event) {
        (
            Event::Output { channel, values },
            Event::Output {
                channel: sent,
                values: others,
            },
        ) => {
            if channel != sent {
                return store.bool(false);
            }
            let pairs = values.iter().zip(others);
            let same: Vec<term::Term> = pairs.map(|(&a, &b)| store.eq(a, b)).collect();
            store.and_all(same)
        }
        (Event::Internal, Event::Internal) | (Event::Input { .. }, Event::Input { .. }) => {
            store.bool(true)
        }
        _ => store.bool(false),
    }
}
