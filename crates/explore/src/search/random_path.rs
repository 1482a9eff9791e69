//! A random walk down the tree of forks, as KLEE's searcher of that name takes it.
//!
//! It favours states that forked early, so that a loop which forks without end cannot
//! drown the others.
//!
//! (Cadar, Dunbar and Engler, *KLEE: unassisted and automatic generation of high-coverage
//! tests for complex systems programs*, OSDI 2008.)

use super::Searcher;
use crate::frontier::Standing;
use crate::tree::Tree;
use base::Random;

/// The tree is the frontier's; nothing is kept here.
pub(super) struct RandomPath;

impl Searcher for RandomPath {
    fn add(&mut self, _: u32, _: &Standing) {}

    fn remove(&mut self, _: u32) {}

    fn choose(&mut self, tree: &Tree, random: &mut Random) -> u32 {
        tree.walk(random)
    }
}
