//! The tree of symbolic states, built within bounds.
//!
//! States wait in a frontier of `explore`; which goes next is the strategy's
//! choice. With inclusion, a state that an earlier one covers is not expanded:
//! whatever can happen from it can happen from the other.
//!
//! The stop token is looked at before every step. A stopped exploration gives the
//! tree as far as it got; a state of which only some steps were tried counts as
//! waiting, so that nothing about it is concluded.

pub use crate::results::{End, Fate};

use crate::coverage::Distances;
use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState};
use crate::goal::{Goal, Tracker};
use crate::inclusion;
use crate::results::Untaken;
use crate::undecided::Undecided;
use base::Stopped;
use explore::{Frontier, Standing, Strategy};
use rustc_hash::FxHashMap;

/// How far to explore.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Steps along one path.
    pub height: usize,
    /// States in the tree.
    pub states: usize,
    /// Leaves states alone that an earlier state covers.
    pub inclusion: bool,
    /// How the next state is chosen.
    pub strategy: Strategy,
    /// What random choices depend on.
    pub seed: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            height: 20,
            states: 10_000,
            inclusion: false,
            strategy: Strategy::Bfs,
            seed: 0,
        }
    }
}

/// The tree of symbolic states.
pub struct Tree {
    /// The states; the first is the root, and parents come before children.
    pub nodes: Vec<Node>,
    /// By transition: how often it was taken.
    pub taken: Vec<usize>,
    /// By transition: why it was not taken where it might have been.
    pub refused: Vec<Refusal>,
    /// Steps that cannot be taken, whatever the functions give.
    pub infeasible: usize,
    /// Steps that were not decided.
    pub unknown: usize,
    /// Why the exploration ended.
    pub end: End,
}

/// Why a transition was not taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refusal {
    /// How often it was proved that it cannot be taken.
    pub infeasible: usize,
    /// Why it was not decided, the first time that happened.
    pub unknown: Option<Undecided>,
}

/// A state in the tree.
pub struct Node {
    /// The node before; none of the root.
    pub parent: Option<usize>,
    /// The step that led here; none of the root.
    pub step: Option<(Move, Event)>,
    /// Steps from the root.
    pub depth: usize,
    /// What is behind it.
    pub fate: Fate,
    /// The state.
    pub state: SymbolicState,
}

impl Tree {
    /// How many transitions were taken.
    pub fn covered(&self) -> usize {
        self.taken.iter().filter(|&&count| count > 0).count()
    }

    /// The part of all transitions that were taken, in percent.
    pub fn coverage(&self) -> f64 {
        match self.taken.len() {
            0 => 100.0,
            all => 100.0 * self.covered() as f64 / all as f64,
        }
    }

    /// The nodes from the root to this one, the root left out.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(Some(node), |&n| self.nodes[n].parent).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The nodes that nothing follows.
    pub fn leaves(&self) -> Vec<usize> {
        let mut inner = vec![false; self.nodes.len()];
        for node in &self.nodes {
            if let Some(parent) = node.parent {
                inner[parent] = true;
            }
        }
        (0..self.nodes.len()).filter(|&node| !inner[node]).collect()
    }
}

/// Hears before every state how far the exploration is: the tree, and how many states wait.
/// The exploration goes on when this returns.
pub type Watch<'w> = dyn FnMut(&Executor<'_, '_>, &Tree, usize) + 'w;

/// Builds the tree, up to where the goals are reached if there are any.
pub fn explore(
    executor: &mut Executor<'_, '_>,
    bounds: &Bounds,
    goals: Option<&mut Tracker>,
) -> Tree {
    explore_watched(executor, bounds, goals, &mut |_, _, _| {})
}

/// The same before somebody's eyes.
pub fn explore_watched(
    executor: &mut Executor<'_, '_>,
    bounds: &Bounds,
    goals: Option<&mut Tracker>,
    watch: &mut Watch<'_>,
) -> Tree {
    let mut exploration = Exploration::new(executor, bounds, goals);
    exploration.tree.end = exploration.run(watch);
    exploration.tree
}

struct Exploration<'a, 'm, 'f> {
    executor: &'a mut Executor<'m, 'f>,
    bounds: &'a Bounds,
    frontier: Frontier<Waiting>,
    distances: Distances,
    goals: Option<&'a mut Tracker>,
    tree: Tree,
    /// By location: the nodes there whose steps are in the tree, which may cover
    /// others.
    expanded: FxHashMap<Vec<usize>, Vec<usize>>,
}

/// A node in the frontier, and how far it was from new coverage when it was put
/// there.
#[derive(Clone, Copy)]
struct Waiting {
    node: usize,
    distance: usize,
}

impl<'a, 'm, 'f> Exploration<'a, 'm, 'f> {
    fn new(
        executor: &'a mut Executor<'m, 'f>,
        bounds: &'a Bounds,
        goals: Option<&'a mut Tracker>,
    ) -> Exploration<'a, 'm, 'f> {
        let transitions = executor.model.transitions.len();
        let state = executor.initial();
        let root = Node {
            parent: None,
            step: None,
            depth: 0,
            fate: Fate::Waiting,
            state,
        };
        let mut exploration = Exploration {
            distances: Distances::new(executor.model),
            frontier: Frontier::new(bounds.strategy, bounds.seed),
            tree: Tree {
                nodes: vec![root],
                taken: vec![0; transitions],
                refused: vec![Refusal::default(); transitions],
                infeasible: 0,
                unknown: 0,
                end: End::Complete,
            },
            executor,
            bounds,
            goals,
            expanded: FxHashMap::default(),
        };
        exploration.note(0);
        let waiting = exploration.waiting(0);
        exploration.frontier.start(waiting, standing(&waiting, 0));
        exploration
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> End {
        while let Some((mut ticket, waiting)) = self.frontier.take() {
            watch(self.executor, &self.tree, self.frontier.len());
            if self.goals.as_ref().is_some_and(|goals| goals.is_done()) {
                return End::Covered;
            }
            if self.tree.nodes.len() >= self.bounds.states {
                return End::States;
            }
            // What was near new coverage may no longer be, since others got there
            // first. It waits again, at most once for every transition covered.
            let now = self.waiting(waiting.node);
            if self.weighs() && now.distance > waiting.distance {
                let standing = standing(&now, self.tree.nodes[now.node].depth);
                self.frontier.put(ticket, now, standing);
                continue;
            }
            let Ok(children) = self.expand(waiting.node) else {
                return End::Stopped;
            };
            for child in children {
                let place = self.frontier.fork(&mut ticket);
                let waiting = self.waiting(child);
                let standing = standing(&waiting, self.tree.nodes[child].depth);
                self.frontier.put(place, waiting, standing);
            }
            self.frontier.finish(ticket);
        }
        match self.goals.as_ref().is_some_and(|goals| goals.is_done()) {
            true => End::Covered,
            false => End::Complete,
        }
    }

    fn weighs(&self) -> bool {
        matches!(
            self.bounds.strategy,
            Strategy::CoverageNew | Strategy::Interleaved
        )
    }

    fn waiting(&mut self, node: usize) -> Waiting {
        let distance = match self.weighs() {
            true => self
                .distances
                .of(&self.tree.nodes[node].state.location, &self.tree.taken),
            false => 0,
        };
        Waiting { node, distance }
    }

    /// Tries every step from a state; gives the new nodes.
    fn expand(&mut self, node: usize) -> Result<Vec<usize>, Stopped> {
        self.executor.stop().check()?;
        let state = self.tree.nodes[node].state.clone();
        let depth = self.tree.nodes[node].depth;
        let mut moves = self.executor.moves(&state.location);
        // A delay after a delay is a longer one.
        let last = self.tree.nodes[node]
            .step
            .as_ref()
            .map(|(step, _)| step.first);
        if last.is_some() && last == self.executor.model.delay() {
            moves.retain(|step| Some(step.first) != last);
        }
        if depth >= self.bounds.height {
            self.tree.nodes[node].fate = match moves.is_empty() {
                true => Fate::Expanded,
                false => Fate::Bound,
            };
            return Ok(Vec::new());
        }
        if self.bounds.inclusion
            && let Some(by) = self.covering(node)
        {
            self.tree.nodes[node].fate = Fate::Covered(by);
            return Ok(Vec::new());
        }
        let mut children = Vec::new();
        for step in moves {
            match self.executor.step(&state, step) {
                StepOutcome::Feasible(next) => {
                    let (event, state) = *next;
                    for transition in step.transitions() {
                        self.tree.taken[transition] += 1;
                    }
                    children.push(self.tree.nodes.len());
                    self.tree.nodes.push(Node {
                        parent: Some(node),
                        step: Some((step, event)),
                        depth: depth + 1,
                        fate: Fate::Waiting,
                        state,
                    });
                    self.note(self.tree.nodes.len() - 1);
                }
                StepOutcome::Infeasible => {
                    self.tree.infeasible += 1;
                    for transition in step.transitions() {
                        self.tree.refused[transition].infeasible += 1;
                    }
                }
                StepOutcome::Unknown(Undecided::Stopped) => return Err(Stopped),
                StepOutcome::Unknown(reason) => {
                    self.tree.unknown += 1;
                    for transition in step.transitions() {
                        self.tree.refused[transition]
                            .unknown
                            .get_or_insert(reason.clone());
                    }
                }
            }
        }
        self.tree.nodes[node].fate = Fate::Expanded;
        let there = self.expanded.entry(state.location).or_default();
        there.push(node);
        Ok(children)
    }

    fn note(&mut self, node: usize) {
        if let Some(goals) = &mut self.goals {
            goals.visit(self.executor.model, &self.tree, node);
        }
    }

    /// An expanded node whose state covers this one's.
    fn covering(&mut self, node: usize) -> Option<usize> {
        let special = self.tree.nodes[node].state.clone();
        let depth = self.tree.nodes[node].depth;
        let there = self.expanded.get(&special.location).cloned();
        for other in there.unwrap_or_default() {
            if self.executor.stop().is_set() {
                return None;
            }
            // What is deeper has fewer steps behind it before the height is reached.
            if self.tree.nodes[other].depth > depth {
                continue;
            }
            let general = self.tree.nodes[other].state.clone();
            if inclusion::covers(self.executor, &general, &special) {
                return Some(other);
            }
        }
        None
    }
}

/// What the strategies of `explore` look at: being near new coverage counts like
/// having met some lately.
fn standing(waiting: &Waiting, depth: usize) -> Standing {
    Standing {
        depth: depth as u64,
        instructions: depth as u64,
        since_new: (waiting.distance as u64).saturating_mul(2000),
        ..Standing::default()
    }
}

/// The names of the transitions that were never taken, and why. "Infeasible" needs a
/// proof: that no values of the variables allow the transition, or a tree in which
/// nothing was undecided and nothing left out.
pub fn untaken(executor: &mut Executor<'_, '_>, tree: &Tree) -> Vec<Untaken> {
    let model = executor.model;
    let all = (0..model.transitions.len()).map(Goal::Transition);
    let mut proved = Tracker::new(all.collect());
    if tree.covered() < model.transitions.len() {
        proved.rule_out(executor);
    }
    let numbers = (0..model.transitions.len()).filter(|&number| tree.taken[number] == 0);
    numbers
        .map(|number| Untaken {
            transition: model.transitions[number].name.clone(),
            reason: match proved.ruled_out[number] {
                true => "infeasible: no values of the variables allow it".to_owned(),
                false => why_untaken(tree, &tree.refused[number]),
            },
        })
        .collect()
}

fn why_untaken(tree: &Tree, refusal: &Refusal) -> String {
    let tried = refusal.infeasible;
    match (&refusal.unknown, tried, tree.end) {
        (Some(reason), ..) => format!("unknown: {reason}"),
        (None, 0, End::Stopped) => "stopped before its state was reached".to_owned(),
        (None, _, End::Stopped) => {
            format!("stopped: its condition failed on the {tried} paths tried")
        }
        (None, ..) if tree.unknown > 0 => {
            "unknown: steps on the way to it were not decided".to_owned()
        }
        (None, 0, _) if !is_whole(tree) => "bound reached: its state was not reached".to_owned(),
        (None, ..) if !is_whole(tree) => {
            format!("bound reached: its condition failed on the {tried} paths tried")
        }
        (None, 0, _) => "infeasible: its state is never reached".to_owned(),
        (None, ..) => "infeasible: its condition never holds".to_owned(),
    }
}

/// Whether the tree has every path there is: no bound was reached, and no step was
/// left undecided.
pub(crate) fn is_whole(tree: &Tree) -> bool {
    let is_cut = |node: &Node| matches!(node.fate, Fate::Bound | Fate::Waiting);
    tree.end == End::Complete && tree.unknown == 0 && !tree.nodes.iter().any(is_cut)
}
