//! The waiting states.

use crate::fitness::Fitness;
use crate::levels::Levels;
use crate::random::Random;
use crate::strategy::Strategy;
use crate::tree::{Ticket, Tree};
use crate::weights::Weights;
use std::collections::BTreeMap;

/// What strategies look at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Symbolic branches so far.
    pub depth: u64,
    /// Instructions executed so far.
    pub instructions: u64,
    /// Instructions executed since the state last reached new code.
    pub since_new: u64,
    /// Inputs so far.
    pub inputs: u64,
    /// How much likelier than others the state is to reach something new at once.
    pub promise: Option<f64>,
    /// The branch that it took where it forked off.
    pub branch: u64,
}

/// The states that wait, and the strategy that chooses among them.
pub struct Frontier<S> {
    strategy: Strategy,
    random: Random,
    tree: Tree,
    entries: Vec<Option<Entry<S>>>,
    free: Vec<u32>,
    /// The numbers of the entries that wait, in no order but for `Dfs`, which
    /// only ever takes the last.
    waiting: Vec<u32>,
    /// By age, for `Bfs`.
    by_age: BTreeMap<u64, u32>,
    /// For the strategies that weigh states.
    weights: Weights,
    /// By inputs, for `Interleaved`.
    levels: Levels,
    /// For `Fitness`.
    fitness: Fitness,
    ages: u64,
    turns: u64,
    fitness_turns: u64,
}

struct Entry<S> {
    state: S,
    leaf: u32,
    age: u64,
    /// Where it stands in `waiting`.
    place: u32,
}

impl<S> Frontier<S> {
    /// An empty frontier; equal seeds make equal choices.
    pub fn new(strategy: Strategy, seed: u64) -> Frontier<S> {
        Frontier {
            strategy,
            random: Random::new(seed),
            tree: Tree::new(),
            entries: Vec::new(),
            free: Vec::new(),
            waiting: Vec::new(),
            by_age: BTreeMap::new(),
            weights: Weights::default(),
            levels: Levels::default(),
            fitness: Fitness::default(),
            ages: 0,
            turns: 0,
            fitness_turns: 0,
        }
    }

    /// How many states wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether no state waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Puts a state beside all that is there.
    pub fn start(&mut self, state: S, standing: Standing) {
        let ticket = self.tree.start();
        self.put(ticket, state, standing);
    }

    /// The state that goes next; it no longer waits.
    pub fn take(&mut self) -> Option<(Ticket, S)> {
        if self.waiting.is_empty() {
            return None;
        }
        let number = self.choose();
        let entry = self.entries[number as usize]
            .take()
            .expect("the chosen state waits");
        self.free.push(number);
        self.waiting.swap_remove(entry.place as usize);
        if let Some(&moved) = self.waiting.get(entry.place as usize) {
            let moved = self.entries[moved as usize].as_mut();
            moved.expect("it waits").place = entry.place;
        }
        if self.strategy == Strategy::Bfs {
            self.by_age.remove(&entry.age);
        }
        if self.weighs() {
            self.weights.set(number, 0.0);
        }
        if self.interleaves() {
            self.levels.remove(number);
        }
        if self.strategy == Strategy::Fitness {
            self.fitness.begin(number);
        }
        Some((self.tree.take(entry.leaf), entry.state))
    }

    /// Lets a state wait that was taken or forked.
    pub fn put(&mut self, ticket: Ticket, state: S, standing: Standing) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            self.entries.len() as u32 - 1
        });
        self.ages += 1;
        self.tree.put(&ticket, number);
        if self.strategy == Strategy::Bfs {
            self.by_age.insert(self.ages, number);
        }
        if self.weighs() {
            self.weights.set(number, self.weight(standing));
        }
        if self.interleaves() {
            self.levels.add(number, standing.inputs);
        }
        if self.strategy == Strategy::Fitness {
            self.fitness.add(number, standing.branch);
        }
        self.entries[number as usize] = Some(Entry {
            state,
            leaf: ticket.0,
            age: self.ages,
            place: self.waiting.len() as u32,
        });
        self.waiting.push(number);
    }

    /// A place for a state that the ticket's state forked off.
    pub fn fork(&mut self, ticket: &mut Ticket) -> Ticket {
        self.tree.fork(ticket)
    }

    /// The ticket's state has ended.
    pub fn finish(&mut self, ticket: Ticket) {
        self.tree.finish(ticket);
    }

    /// The state that was taken last came this near to a target, something that
    /// was not reached yet. Only `Fitness` listens.
    pub fn note_distance(&mut self, target: u64, distance: f64) {
        if self.strategy == Strategy::Fitness {
            self.fitness.note(target, distance);
        }
    }

    /// The target at hand, if the state taken last forked off from the path that came
    /// nearest to it: it should keep the inputs of that path where it can.
    pub fn aim(&self) -> Option<u64> {
        self.fitness.aim()
    }

    /// Keeps the targets that are still open.
    pub fn retain_targets(&mut self, open: impl FnMut(u64) -> bool) {
        self.fitness.retain(open);
    }

    fn choose(&mut self) -> u32 {
        match self.strategy {
            Strategy::Dfs => *self.waiting.last().expect("a state waits"),
            Strategy::Bfs => *self.by_age.first_key_value().expect("a state waits").1,
            Strategy::RandomState => self.waiting[self.random.below(self.waiting.len())],
            Strategy::RandomPath => self.tree.walk(&mut self.random),
            Strategy::CoverageNew | Strategy::Depth | Strategy::Instructions => {
                self.weights.draw(&mut self.random)
            }
            Strategy::Interleaved => self.choose_in_turn(),
            Strategy::Fitness => {
                self.fitness_turns += 1;
                let fittest = match self.fitness_turns % 2 {
                    0 => self.fitness.choose(),
                    _ => None,
                };
                fittest.unwrap_or_else(|| self.choose_in_turn())
            }
        }
    }

    fn choose_in_turn(&mut self) -> u32 {
        self.turns += 1;
        match self.turns % 4 {
            0 | 2 => self.weights.draw(&mut self.random),
            1 if self.levels.differ() => self.levels.draw(&mut self.random),
            _ => self.tree.walk(&mut self.random),
        }
    }

    /// Whether states are chosen in several ways in turn.
    fn interleaves(&self) -> bool {
        matches!(self.strategy, Strategy::Interleaved | Strategy::Fitness)
    }

    fn weighs(&self) -> bool {
        match self.strategy {
            Strategy::CoverageNew
            | Strategy::Depth
            | Strategy::Instructions
            | Strategy::Interleaved
            | Strategy::Fitness => true,
            Strategy::Dfs | Strategy::Bfs | Strategy::RandomPath | Strategy::RandomState => false,
        }
    }

    fn weight(&self, standing: Standing) -> f64 {
        match self.strategy {
            // Halved at each branch, but never so small that it vanishes.
            Strategy::Depth => 0.5f64.powi(standing.depth.min(500) as i32),
            Strategy::Instructions => 1.0 / (1.0 + standing.instructions as f64),
            _ => standing
                .promise
                .unwrap_or(1.0 / (1.0 + standing.since_new as f64 / 1000.0).powi(2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which the leaves of a full binary tree end.
    fn ends(strategy: Strategy, seed: u64, depth: usize) -> Vec<String> {
        let mut frontier = Frontier::new(strategy, seed);
        frontier.start(String::new(), Standing::default());
        let mut ends = Vec::new();
        while let Some((mut ticket, path)) = frontier.take() {
            if path.len() == depth {
                frontier.finish(ticket);
                ends.push(path);
                continue;
            }
            let standing = Standing {
                depth: path.len() as u64,
                instructions: 10 * path.len() as u64,
                since_new: 5,
                inputs: 0,
                promise: None,
                branch: 0,
            };
            let sibling = frontier.fork(&mut ticket);
            frontier.put(sibling, path.clone() + "b", standing);
            frontier.put(ticket, path + "a", standing);
        }
        assert!(frontier.is_empty());
        ends
    }

    #[test]
    fn every_strategy_visits_every_leaf_once() {
        for strategy in Strategy::ALL {
            let mut all = ends(strategy, 1, 7);
            all.sort();
            all.dedup();
            assert_eq!(all.len(), 128, "{strategy}");
        }
    }

    #[test]
    fn depth_first_takes_the_newest_and_breadth_first_the_oldest() {
        assert_eq!(ends(Strategy::Dfs, 0, 2), ["aa", "ab", "ba", "bb"]);
        assert_eq!(ends(Strategy::Bfs, 0, 2), ["bb", "ba", "ab", "aa"]);
    }

    #[test]
    fn equal_seeds_make_equal_choices_and_others_do_not() {
        for strategy in [
            Strategy::RandomPath,
            Strategy::RandomState,
            Strategy::Interleaved,
        ] {
            assert_eq!(ends(strategy, 3, 6), ends(strategy, 3, 6));
            assert_ne!(ends(strategy, 3, 6), ends(strategy, 4, 6));
        }
    }

    #[test]
    fn random_paths_reach_a_state_that_forked_early_half_of_the_time() {
        let mut early = 0;
        for seed in 0..200 {
            let mut frontier = Frontier::new(Strategy::RandomPath, seed);
            frontier.start(0, Standing::default());
            let (mut ticket, _) = frontier.take().unwrap();
            // One state leaves at the first fork, a hundred fork later.
            let first = frontier.fork(&mut ticket);
            frontier.put(first, 1, Standing::default());
            for _ in 0..100 {
                let next = frontier.fork(&mut ticket);
                frontier.put(next, 2, Standing::default());
            }
            frontier.put(ticket, 2, Standing::default());
            early += i32::from(frontier.take().unwrap().1 == 1);
        }
        assert!((60..=140).contains(&early), "{early} of 200");
    }
}
