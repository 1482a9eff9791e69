//! Random states, some likelier than others.

use super::Searcher;
use crate::frontier::Standing;
use crate::tree::Tree;
use crate::weights::Weights;
use base::Random;

/// Draws states in proportion to a weight.
pub(super) struct Weighted {
    weight: fn(&Standing) -> f64,
    weights: Weights,
}

impl Weighted {
    /// States that stand so have this weight, which is positive.
    pub fn new(weight: fn(&Standing) -> f64) -> Weighted {
        Weighted {
            weight,
            weights: Weights::default(),
        }
    }
}

/// States that lately reached new code, or promise to, are likelier.
pub(super) fn by_new_coverage(standing: &Standing) -> f64 {
    let lately = || 1.0 / (1.0 + standing.since_new as f64 / 1000.0).powi(2);
    standing.promise.unwrap_or_else(lately)
}

/// Shallow states are likelier: halved at each branch, but never so small that it
/// vanishes.
pub(super) fn by_depth(standing: &Standing) -> f64 {
    0.5f64.powi(standing.depth.min(500) as i32)
}

/// States that executed little are likelier.
pub(super) fn by_instructions(standing: &Standing) -> f64 {
    1.0 / (1.0 + standing.instructions as f64)
}

impl Searcher for Weighted {
    fn add(&mut self, number: u32, standing: &Standing) {
        self.weights.set(number, (self.weight)(standing));
    }

    fn remove(&mut self, number: u32) {
        self.weights.set(number, 0.0);
    }

    fn choose(&mut self, _: &Tree, random: &mut Random) -> u32 {
        self.weights.draw(random)
    }
}
