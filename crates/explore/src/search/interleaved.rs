//! Random paths, new coverage, the most inputs and dives in turn.
//!
//! Each finds what the others starve: random paths leave loops, new coverage goes
//! where the code is unknown, most inputs goes on where a program reads and acts, and a
//! dive comes to the end of a path with many branches, where the others spread among its
//! first ones.

use super::Searcher;
use super::weighted::{Weighted, by_new_coverage};
use crate::frontier::Standing;
use crate::levels::Levels;
use crate::tree::Tree;
use base::Random;

/// Four searchers over the same states.
pub(super) struct Interleaved {
    new_coverage: Weighted,
    /// By how many inputs they have read.
    levels: Levels,
    dive: Dive,
    turns: u64,
}

impl Default for Interleaved {
    fn default() -> Interleaved {
        Interleaved {
            new_coverage: Weighted::new(by_new_coverage),
            levels: Levels::default(),
            dive: Dive::default(),
            turns: 0,
        }
    }
}

impl Searcher for Interleaved {
    fn add(&mut self, number: u32, standing: &Standing) {
        self.new_coverage.add(number, standing);
        self.levels.add(number, standing.inputs);
        self.dive.add(number);
    }

    fn remove(&mut self, number: u32) {
        self.new_coverage.remove(number);
        self.levels.remove(number);
        self.dive.remove(number);
    }

    fn choose(&mut self, tree: &Tree, random: &mut Random) -> u32 {
        self.turns += 1;
        self.dive.is_out = false;
        match self.turns % 8 {
            0 | 2 | 4 | 6 => self.new_coverage.choose(tree, random),
            1 | 5 if self.levels.differ() => self.levels.draw(random),
            7 => self.dive.choose(tree, random),
            _ => tree.walk(random),
        }
    }
}

/// Follows one path to its end, then another.
#[derive(Default)]
struct Dive {
    /// The state to go on with.
    next: Option<u32>,
    /// Whether its turn is on, so that what is added came of it.
    is_out: bool,
    turns: u32,
}

impl Dive {
    /// The most turns of one dive: a path may have no end.
    const LONGEST: u32 = 1 << 12;

    fn add(&mut self, number: u32) {
        // What a state forked off is added before the state itself.
        if self.is_out {
            self.next = Some(number);
        }
    }

    fn remove(&mut self, number: u32) {
        self.next = self.next.filter(|&next| next != number);
    }

    fn choose(&mut self, tree: &Tree, random: &mut Random) -> u32 {
        self.is_out = true;
        self.turns += 1;
        match self.next {
            Some(next) if self.turns < Dive::LONGEST => next,
            _ => {
                self.turns = 0;
                tree.walk(random)
            }
        }
    }
}
