//! Random values to try, which repeat with their seed.

use base::SplitMix;

/// A source of random numbers.
pub(crate) struct Random(SplitMix);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(SplitMix::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `bound`, which is above zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i128, high: i128) -> i128 {
        let span = high.wrapping_sub(low) as u128;
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        match span.checked_add(1) {
            Some(count) => low.wrapping_add((wide % count) as i128),
            None => wide as i128,
        }
    }
}
