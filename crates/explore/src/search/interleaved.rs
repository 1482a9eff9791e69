//! Random paths, new coverage, the most inputs and dives in turn.
//!
//! Each finds what the others starve: random paths leave loops, new coverage goes
//! where the code is unknown, most inputs goes on where a program reads and acts, and a
//! dive comes to the end of a path with many branches, where the others spread among its
//! first ones.
//!
//! What they share is the work, not the turns: a dive into a loop with a hard query in
//! each round would otherwise take all the time there is.

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
    /// How much work each of [`WAYS`] has done, more the smaller its share.
    work: [u64; WAYS.len()],
    /// Whose turn it is, by its number there.
    turn: usize,
}

/// A way to choose.
#[derive(Clone, Copy)]
enum Way {
    MostInputs,
    NewCoverage,
    RandomPath,
    Dive,
}

/// The ways with their shares of the work.
const WAYS: [(Way, u64); 4] = [
    (Way::MostInputs, 2),
    (Way::NewCoverage, 4),
    (Way::RandomPath, 1),
    (Way::Dive, 1),
];
/// A multiple of all shares.
const WHOLE: u64 = 4;
/// Work that every turn is, whatever came of it.
const TURN: u64 = 1_000;

impl Default for Interleaved {
    fn default() -> Interleaved {
        Interleaved {
            new_coverage: Weighted::new(by_new_coverage),
            levels: Levels::default(),
            dive: Dive::default(),
            work: [0; WAYS.len()],
            turn: 0,
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
        let least = (0..WAYS.len()).min_by_key(|&way| self.work[way]);
        self.turn = least.expect("there are ways");
        self.spent(TURN);
        let (way, _) = WAYS[self.turn];
        self.dive.is_out = matches!(way, Way::Dive);
        match way {
            Way::NewCoverage => self.new_coverage.choose(tree, random),
            Way::MostInputs if self.levels.differ() => self.levels.draw(random),
            Way::MostInputs | Way::RandomPath => tree.walk(random),
            Way::Dive => self.dive.choose(tree, random),
        }
    }

    fn spent(&mut self, work: u64) {
        let (_, share) = WAYS[self.turn];
        let work = work.saturating_mul(WHOLE / share);
        self.work[self.turn] = self.work[self.turn].saturating_add(work);
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
