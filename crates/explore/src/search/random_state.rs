//! Any state, all alike.

use super::Searcher;
use crate::frontier::Standing;
use crate::tree::Tree;
use base::Random;

/// The waiting states in no order, so that any can be removed at once.
#[derive(Default)]
pub(super) struct RandomState {
    waiting: Vec<u32>,
    /// By number: where it is in `waiting`.
    places: Vec<u32>,
}

impl Searcher for RandomState {
    fn add(&mut self, number: u32, _: &Standing) {
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, 0);
        }
        self.places[number as usize] = self.waiting.len() as u32;
        self.waiting.push(number);
    }

    fn remove(&mut self, number: u32) {
        let place = self.places[number as usize];
        self.waiting.swap_remove(place as usize);
        if let Some(&moved) = self.waiting.get(place as usize) {
            self.places[moved as usize] = place;
        }
    }

    fn choose(&mut self, _: &Tree, random: &mut Random) -> u32 {
        self.waiting[random.below(self.waiting.len())]
    }
}
