//! Random numbers that repeat with their seed.
//!
//! This is not the generator of `base`: a seed has to mean here what it meant
//! before, since the samples of the book and the figures of fuzzing were drawn with it.

use num_bigint::BigUint;

/// Sebastiano Vigna's SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers that this seed determines.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`, which is above zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number below `bound`, which is above zero.
    pub fn below_big(&mut self, bound: &BigUint) -> BigUint {
        // Sixty-four bits more than the bound has make the bias immaterial.
        let digits = (0..bound.bits().div_ceil(64) + 1).flat_map(|_| {
            let bits = self.bits();
            [bits as u32, (bits >> 32) as u32]
        });
        BigUint::new(digits.collect()) % bound
    }
}
