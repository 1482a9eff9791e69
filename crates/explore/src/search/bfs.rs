//! Breadth first: the oldest state.

use super::Searcher;
use crate::frontier::Standing;
use crate::tree::Tree;
use base::Random;
use std::collections::VecDeque;

/// A queue.
#[derive(Default)]
pub(super) struct Bfs(VecDeque<u32>);

impl Searcher for Bfs {
    fn add(&mut self, number: u32, _: &Standing) {
        self.0.push_back(number);
    }

    fn remove(&mut self, _: u32) {
        self.0.pop_front();
    }

    fn choose(&mut self, _: &Tree, _: &mut Random) -> u32 {
        *self.0.front().expect("a state waits")
    }
}
