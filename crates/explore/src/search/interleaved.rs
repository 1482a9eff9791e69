//! Random paths, new coverage and the most inputs in turn.
//!
//! Each finds what the others starve: random paths leave loops, new coverage goes
//! where the code is unknown, and most inputs goes on where a program reads and acts.

use super::Searcher;
use super::weighted::{Weighted, by_new_coverage};
use crate::frontier::Standing;
use crate::levels::Levels;
use crate::tree::Tree;
use base::Random;

/// Three searchers over the same states.
pub(super) struct Interleaved {
    new_coverage: Weighted,
    /// By how many inputs they have read.
    levels: Levels,
    turns: u64,
}

impl Default for Interleaved {
    fn default() -> Interleaved {
        Interleaved {
            new_coverage: Weighted::new(by_new_coverage),
            levels: Levels::default(),
            turns: 0,
        }
    }
}

impl Searcher for Interleaved {
    fn add(&mut self, number: u32, standing: &Standing) {
        self.new_coverage.add(number, standing);
        self.levels.add(number, standing.inputs);
    }

    fn remove(&mut self, number: u32) {
        self.new_coverage.remove(number);
        self.levels.remove(number);
    }

    fn choose(&mut self, tree: &Tree, random: &mut Random) -> u32 {
        self.turns += 1;
        match self.turns % 4 {
            0 | 2 => self.new_coverage.choose(tree, random),
            1 if self.levels.differ() => self.levels.draw(random),
            _ => tree.walk(random),
        }
    }
}
