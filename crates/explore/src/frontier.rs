//! The waiting states.

use crate::search::{Searcher, searcher};
use crate::strategy::Strategy;
use crate::tree::{Ticket, Tree};
use base::Random;

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

/// The states that wait, and the searcher that chooses among them.
pub struct Frontier<S> {
    strategy: Strategy,
    searcher: Box<dyn Searcher>,
    random: Random,
    tree: Tree,
    entries: Vec<Option<Entry<S>>>,
    /// Numbers of entries that are empty.
    free: Vec<u32>,
}

struct Entry<S> {
    state: S,
    leaf: u32,
}

impl<S> Frontier<S> {
    /// An empty frontier; equal seeds make equal choices.
    pub fn new(strategy: Strategy, seed: u64) -> Frontier<S> {
        Frontier {
            strategy,
            searcher: searcher(strategy),
            random: Random::new(seed),
            tree: Tree::new(strategy.walks()),
            entries: Vec::new(),
            free: Vec::new(),
        }
    }

    /// How many states wait.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Whether no state waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts a state beside all that is there.
    pub fn start(&mut self, state: S, standing: Standing) {
        let ticket = self.tree.start();
        self.put(ticket, state, standing);
    }

    /// The state that goes next; it no longer waits.
    pub fn take(&mut self) -> Option<(Ticket, S)> {
        if self.is_empty() {
            return None;
        }
        let number = self.searcher.choose(&self.tree, &mut self.random);
        let entry = self.entries[number as usize]
            .take()
            .expect("the chosen state waits");
        self.free.push(number);
        self.searcher.remove(number);
        Some((self.tree.take(entry.leaf), entry.state))
    }

    /// Lets a state wait that was taken or forked.
    pub fn put(&mut self, ticket: Ticket, state: S, standing: Standing) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            self.entries.len() as u32 - 1
        });
        self.tree.put(&ticket, number);
        self.searcher.add(number, &standing);
        self.entries[number as usize] = Some(Entry {
            state,
            leaf: ticket.0,
        });
    }

    /// The states that wait, in no particular order.
    pub fn states_mut(&mut self) -> impl Iterator<Item = &mut S> {
        let entries = self.entries.iter_mut().flatten();
        entries.map(|entry| &mut entry.state)
    }

    /// Takes out all states at once, in no particular order.
    pub fn drain(&mut self) -> impl Iterator<Item = S> {
        self.searcher = searcher(self.strategy);
        self.tree = Tree::new(self.strategy.walks());
        self.free.clear();
        let entries = std::mem::take(&mut self.entries).into_iter();
        entries.flatten().map(|entry| entry.state)
    }

    /// A place for a state that the ticket's state forked off.
    pub fn fork(&mut self, ticket: &mut Ticket) -> Ticket {
        self.tree.fork(ticket)
    }

    /// The ticket's state has ended.
    pub fn finish(&mut self, ticket: Ticket) {
        self.tree.finish(ticket);
    }

    /// The turn of the state that was taken last took so much work, in any unit. Searchers
    /// that take turns share the work, not the turns.
    pub fn spent(&mut self, work: u64) {
        self.searcher.spent(work);
    }

    /// The state that was taken last came this near to a target, something that
    /// was not reached yet. Only a search by fitness listens.
    pub fn note_distance(&mut self, target: u64, distance: f64) {
        self.searcher.note_distance(target, distance);
    }

    /// The target at hand, if the state taken last forked off from the path that came
    /// nearest to it: it should keep the inputs of that path where it can.
    pub fn aim(&self) -> Option<u64> {
        self.searcher.aim()
    }

    /// Keeps the targets that are still open.
    pub fn retain_targets(&mut self, mut open: impl FnMut(u64) -> bool) {
        self.searcher.retain_targets(&mut open);
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
    fn a_path_of_many_branches_is_followed_to_its_end() {
        let mut frontier = Frontier::new(Strategy::Interleaved, 0);
        frontier.start(0, Standing::default());
        let mut ends = 0;
        for _ in 0..2_000 {
            let (mut ticket, depth) = frontier.take().expect("there are more");
            if depth == 100 {
                frontier.finish(ticket);
                ends += 1;
                continue;
            }
            let sibling = frontier.fork(&mut ticket);
            frontier.put(sibling, depth + 1, Standing::default());
            frontier.put(ticket, depth + 1, Standing::default());
        }
        assert!(ends > 0);
    }

    #[test]
    fn an_endless_path_of_much_work_takes_its_share_of_the_work_and_no_more() {
        // Every turn of a path without an end takes as much work as a hundred others.
        const ENDLESS: u32 = u32::MAX;
        let mut frontier = Frontier::new(Strategy::Interleaved, 0);
        frontier.start(ENDLESS, Standing::default());
        let (mut work, mut endless) = (0u64, 0u64);
        while work < 100_000_000 {
            let (mut ticket, state) = frontier.take().expect("there are more");
            let cost = if state == ENDLESS { 1_000_000 } else { 10_000 };
            frontier.spent(cost);
            work += cost;
            if state == ENDLESS {
                endless += cost;
                if frontier.is_empty() {
                    let sibling = frontier.fork(&mut ticket);
                    frontier.put(sibling, 0, Standing::default());
                }
                let stale = Standing {
                    since_new: 1_000_000,
                    ..Standing::default()
                };
                frontier.put(ticket, ENDLESS, stale);
                continue;
            }
            let sibling = frontier.fork(&mut ticket);
            frontier.put(sibling, state + 1, Standing::default());
            frontier.put(ticket, state + 1, Standing::default());
        }
        assert!(endless * 5 < work * 3, "{endless} of {work}");
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
