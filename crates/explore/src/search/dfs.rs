//! Depth first: the newest state, so that one path is followed to its end.

use super::Searcher;
use crate::frontier::Standing;
use crate::tree::Tree;
use base::Random;

/// A stack.
#[derive(Default)]
pub(super) struct Dfs(Vec<u32>);

impl Searcher for Dfs {
    fn add(&mut self, number: u32, _: &Standing) {
        self.0.push(number);
    }

    fn remove(&mut self, _: u32) {
        self.0.pop();
    }

    fn choose(&mut self, _: &Tree, _: &mut Random) -> u32 {
        *self.0.last().expect("a state waits")
    }
}
