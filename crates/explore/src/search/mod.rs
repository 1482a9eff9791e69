//! Searchers: the ways of choosing the next state, one file each.

mod bfs;
mod dfs;
mod fitness;
mod interleaved;
mod random_path;
mod random_state;
mod weighted;

use crate::frontier::Standing;
use crate::strategy::Strategy;
use crate::tree::Tree;
use base::Random;

/// Chooses among the states that wait, which it knows by their numbers. A number that
/// was removed may be added again, for another state.
pub(crate) trait Searcher {
    /// A state begins to wait.
    fn add(&mut self, number: u32, standing: &Standing);

    /// The state of a number that [`Searcher::choose`] gave no longer waits.
    fn remove(&mut self, number: u32);

    /// The state that goes next; at least one waits. The tree of forks has all of them
    /// at its leaves.
    fn choose(&mut self, tree: &Tree, random: &mut Random) -> u32;

    /// The turn of the state that was removed last took so much work.
    fn spent(&mut self, _work: u64) {}

    /// The state that was removed last came this near to a target.
    fn note_distance(&mut self, _target: u64, _distance: f64) {}

    /// The target at hand, if the state that was removed last is to come nearer to it.
    fn aim(&self) -> Option<u64> {
        None
    }

    /// Forgets the targets that are not open any more.
    fn retain_targets(&mut self, _open: &mut dyn FnMut(u64) -> bool) {}
}

/// The searcher of a strategy.
pub(crate) fn searcher(strategy: Strategy) -> Box<dyn Searcher> {
    match strategy {
        Strategy::Dfs => Box::<dfs::Dfs>::default(),
        Strategy::Bfs => Box::<bfs::Bfs>::default(),
        Strategy::RandomPath => Box::new(random_path::RandomPath),
        Strategy::RandomState => Box::<random_state::RandomState>::default(),
        Strategy::CoverageNew => Box::new(weighted::Weighted::new(weighted::by_new_coverage)),
        Strategy::Depth => Box::new(weighted::Weighted::new(weighted::by_depth)),
        Strategy::Instructions => Box::new(weighted::Weighted::new(weighted::by_instructions)),
        Strategy::Interleaved => Box::<interleaved::Interleaved>::default(),
        Strategy::Fitness => Box::<fitness::FitnessGuided>::default(),
    }
}
