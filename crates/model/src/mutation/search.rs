//! Executing model and mutant together, until they can be told apart.
//!
//! Both take the same steps over the same inputs. A step that the mutant cannot follow, or
//! where it would send something else, is asked for; where none is possible, both go on. The
//! search begins at states that were explored from which a changed transition leaves, and where
//! the change can make a difference: before, the mutant is the model.

use super::equivalence::{Free, both, difference};
use super::{Mutant, Trial};
use crate::execution::{Event, Executor, Move, Noticed, StepOutcome, SymbolicState, SymbolicStep};
use crate::exploration::Tree;
use crate::testcase::{Data, TestCase, TestStep, made};
use std::collections::VecDeque;

/// States of a tree that a search begins at.
const BEGINNINGS: usize = 60;

/// States of a tree that are looked at for that.
const PROBED: usize = 400;

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
    trees: &'a [&'a Tree],
    data: &'a mut Data,
    candidates: usize,
}

impl<'a, 'm, 'f> Search<'a, 'm, 'f> {
    pub fn new(
        executor: &'a mut Executor<'m, 'f>,
        mutant: &'m Mutant,
        trees: &'a [&'a Tree],
        data: &'a mut Data,
    ) -> Search<'a, 'm, 'f> {
        Search {
            executor,
            mutant,
            trees,
            data,
            candidates: CANDIDATES,
        }
    }

    /// The steps of a test that kills the mutant, if one is found.
    pub fn run(&mut self) -> Option<Vec<TestStep>> {
        let trees = self.trees;
        let beginnings = trees.iter().flat_map(|tree| self.beginnings(tree));
        let mut queue: VecDeque<Pair> = beginnings.collect();
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
                    queue.extend(self.alone(&pair, step));
                }
            }
        }
        None
    }

    /// States of a tree that a changed transition leaves, with other consequences than in the
    /// model.
    fn beginnings(&mut self, tree: &Tree) -> Vec<Pair> {
        let initial = initial_of(self.executor, self.mutant);
        let mut found = Vec::new();
        for number in self.met(tree) {
            if found.len() == BEGINNINGS || self.executor.stop().is_set() {
                break;
            }
            let node = &tree.nodes[number];
            let steps = tree.path(number).into_iter();
            let steps = steps.filter_map(|node| tree.nodes[node].step.clone());
            let pair = Pair {
                state: node.state.clone(),
                of_mutant: match number {
                    0 => initial.clone(),
                    _ => node.state.clone(),
                },
                steps: steps.collect(),
                depth: 0,
            };
            if number == 0 || self.matters(&pair) {
                found.push(pair);
            }
        }
        found
    }

    /// The states of a tree from which a changed transition leaves: those first where it was
    /// taken, and of the others some from all over the tree, since some faults show late.
    fn met(&self, tree: &Tree) -> Vec<usize> {
        let model = self.executor.model;
        let changed = &self.mutant.changed;
        let is_met = |&number: &usize| {
            changed.iter().any(|&it| {
                let transition = &model.transitions[it];
                tree.nodes[number].state.location[transition.automaton] == transition.from
            })
        };
        let takes = |number: usize| {
            let step = tree.nodes[number].step.as_ref();
            step.is_some_and(|(step, _)| step.transitions().any(|it| changed.contains(&it)))
        };
        let nodes = 0..tree.nodes.len();
        let taken = nodes.clone().filter(|&number| takes(number));
        let mut first: Vec<usize> = taken.filter_map(|it| tree.nodes[it].parent).collect();
        first.truncate(PROBED / 4);
        let met: Vec<usize> = nodes.filter(is_met).collect();
        let spread = met.iter().step_by(met.len() / PROBED + 1).copied();
        let mut seen = vec![false; tree.nodes.len()];
        let all = first.into_iter().chain(spread);
        all.filter(|&number| !std::mem::replace(&mut seen[number], true))
            .collect()
    }

    /// Whether a changed step from here can do something else than in the model.
    fn matters(&mut self, pair: &Pair) -> bool {
        let moves = self.executor.moves(&pair.state.location).into_iter();
        let changed = moves.filter(|step| {
            let mut transitions = step.transitions();
            transitions.any(|it| self.mutant.changed.contains(&it))
        });
        let changed: Vec<Move> = changed.collect();
        changed.into_iter().any(|step| {
            let (own, other) = self.both(pair, step);
            // What external functions give is not asked here.
            if !own.calls.is_empty() || !other.calls.is_empty() {
                return true;
            }
            let never = Free::Less(self.executor.store.bool(false));
            difference(self.executor, &own, &other, never).is_none_or(|differs| {
                let outcome = self.executor.assume(&pair.state, differs);
                !matches!(outcome, StepOutcome::Infeasible)
            })
        })
    }

    /// The steps of a test that takes this step where the mutant cannot follow.
    fn tell_apart(&mut self, pair: &Pair, step: Move) -> Option<Vec<TestStep>> {
        let (own, others) = self.steps(pair, step);
        let mut follows = self.executor.store.bool(false);
        for other in &others {
            let same = same_output(self.executor, &own, other);
            let store = &mut self.executor.store;
            let this = store.and(other.condition, same);
            follows = store.or(follows, this);
        }
        let fails = self.executor.store.not(follows);
        let (event, state) = self.decided(pair, own, fails)?;
        self.candidates -= 1;
        let mut steps = pair.steps.clone();
        steps.push((step, event));
        let made_of = made(self.executor, &state, steps.clone(), self.data)?;
        let trial = self.trial(&made_of);
        if trial.is_race {
            let (executor, data) = (&mut *self.executor, &mut *self.data);
            let calm = data.with_long_delays(|data| made(executor, &state, steps, data));
            let calm = calm.filter(|calm| {
                let trial = self.trial(calm);
                !trial.is_race && trial.kills(self.executor, self.mutant).is_some()
            });
            if calm.is_some() {
                return calm;
            }
        }
        let kills = trial.kills(self.executor, self.mutant);
        kills.map(|_| made_of)
    }

    fn trial(&mut self, steps: &[TestStep]) -> Trial {
        let test = TestCase {
            name: String::new(),
            goals: Vec::new(),
            steps: steps.to_vec(),
        };
        Trial::new(self.executor, test)
    }

    /// Where both are after a step that both can take, and that looks the same.
    fn together(&mut self, pair: &Pair, step: Move) -> Vec<Pair> {
        let (own, others) = self.steps(pair, step);
        let mut found = Vec::new();
        for other in others {
            let same = same_output(self.executor, &own, &other);
            let follows = self.executor.store.and(other.condition, same);
            let of_mutant = SymbolicState {
                location: other.location,
                valuation: other.valuation.into(),
                ..pair.of_mutant.clone()
            };
            let mut own = own.clone();
            own.calls.extend(other.calls);
            let Some((event, state)) = self.decided(pair, own, follows) else {
                continue;
            };
            let mut steps = pair.steps.clone();
            steps.push((step, event));
            let next = Pair {
                state,
                of_mutant,
                steps,
                depth: pair.depth + 1,
            };
            // Where both agree again, nothing is left of the fault.
            if !next.is_equal() {
                found.push(next);
            }
        }
        found
    }

    /// Where both are after a step that the model takes alone, and that nobody sees the mutant
    /// leave out: one of its own, or an input that is lost on the mutant.
    fn alone(&mut self, pair: &Pair, step: Move) -> Option<Pair> {
        if Some(step.first) == self.executor.model.delay() {
            return None;
        }
        let (own, others) = self.steps(pair, step);
        if let Event::Output { .. } = own.event {
            return None;
        }
        let store = &mut self.executor.store;
        let refused = others.iter().map(|other| store.not(other.condition));
        let refused: Vec<term::Term> = refused.collect();
        let fails = store.and_all(refused);
        let (event, state) = self.decided(pair, own, fails)?;
        let mut steps = pair.steps.clone();
        steps.push((step, event));
        Some(Pair {
            state,
            of_mutant: pair.of_mutant.clone(),
            steps,
            depth: pair.depth + 1,
        })
    }

    /// The step of the model, and those of the mutant that look like it, the same one first. Of
    /// steps that nobody sees only the same one is.
    fn steps(&mut self, pair: &Pair, step: Move) -> (SymbolicStep, Vec<SymbolicStep>) {
        let model = self.executor.model;
        let own = self.executor.symbolic_step(&pair.state, step, None);
        let inputs = match &own.event {
            Event::Input { values, .. } => Some(values.clone()),
            Event::Internal | Event::Output { .. } => None,
        };
        let noticed = step.noticed(model);
        let of_mutant = &self.mutant.model;
        self.executor.set_model(of_mutant);
        let mut alike = self.executor.moves(&pair.of_mutant.location);
        alike.retain(|it| match noticed {
            Noticed::Nothing => *it == step,
            Noticed::Input(_) | Noticed::Output(_) => it.noticed(of_mutant) == noticed,
        });
        alike.sort_by_key(|it| *it != step);
        let others = alike.into_iter().map(|it| {
            let inputs = inputs.as_deref();
            self.executor.symbolic_step(&pair.of_mutant, it, inputs)
        });
        let others = others.collect();
        self.executor.set_model(model);
        (own, others)
    }

    /// What the model does in a step, and the mutant.
    fn both(&mut self, pair: &Pair, step: Move) -> (SymbolicStep, SymbolicStep) {
        let (state, of_mutant) = (&pair.state, &pair.of_mutant);
        both(self.executor, self.mutant, state, of_mutant, step)
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
