//! Random numbers that repeat with their seed.
//!
//! This is not the generator of `base`: a seed has to mean here what it meant
//! before, since the figures of `make bench-mixed` and the inputs that tests expect
//! were measured with it.

/// Sebastiano Vigna's SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
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
